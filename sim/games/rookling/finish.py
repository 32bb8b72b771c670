"""From the end of one exchange to the begin of the next (E2 to E4, ROOK-61 to 66)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.deck import add_to_discard, draw_cards, leave_hand
from sim.games.rookling.record import SQUAD, DrawMode
from sim.games.rookling.state import CURVE, FIELD, NOBODY, POSITIONS, SEATS, Phase, sieges
from sim.games.rookling.tokens import expire, slide


@kernel
def clean_up(state: Record, cards: Record) -> None:
    """ROOK-61 to 63. E2: tokens run out, pending ones wake, cards leave the Rooklings."""
    expire(state, cards)
    for side in range(SEATS):
        seat = np.int64(state["attacker"]) if side == 0 else np.int64(1 - state["attacker"])
        for position in range(POSITIONS):
            empty_zone(state, cards, seat, np.int64(position))
    clear_table(state)


@kernel
def empty_zone(state: Record, cards: Record, seat: int, position: int) -> None:
    """ROOK-61. The cards on a Rookling go to the discard pile; a field effect that powered a line becomes a token."""
    powered = np.int64(state["powered"][seat, position])
    count_energy(state, seat, position)
    for card in range(np.int64(state["zone_n"][seat, position])):
        kind, used = np.int64(state["zone"][seat, position, card]), powered >> card & 1
        if kind < FIELD:
            add_to_discard(state, kind)
        elif used:
            note_use(state, seat, kind - FIELD)
            slide(state, cards, seat, position, kind - FIELD)
        else:
            state["thrown"][kind - FIELD] += 1
            add_to_discard(state, kind)


@kernel
def count_energy(state: Record, seat: int, position: int) -> None:
    """Register section 11. Count the cards on a Rookling that powered a line, and those placed in vain."""
    slot, powered = state["at"][seat, position], np.int64(state["powered"][seat, position])
    for card in range(np.int64(state["zone_n"][seat, position])):
        if powered >> card & 1:
            state["energy_used"][seat, slot] += 1
        else:
            state["energy_vain"][seat, slot] += 1


@kernel
def close_game(state: Record) -> None:
    """ROOK-55. The game is over in mid-exchange: what lies on the table counts, and the exchange does."""
    for seat in range(SEATS):
        for position in range(POSITIONS):
            count_energy(state, np.int64(seat), np.int64(position))
    end_exchange(state)


@kernel
def note_use(state: Record, seat: int, effect_slot: int) -> None:
    """Register section 11. Count a field effect used by its owner or by the opponent."""
    if effect_slot // SQUAD == seat:
        state["used_by_owner"][effect_slot] += 1
    else:
        state["used_by_other"][effect_slot] += 1


@kernel
def clear_table(state: Record) -> None:
    """Nothing lies on the Rooklings and nothing is declared."""
    state["zone_n"][:] = 0
    state["zone"][:] = 0
    state["capacity"][:] = 1
    state["powered"][:] = 0
    state["shown"][:] = 0
    state["matched"][:] = 0
    state["activated"][:] = 0
    state["line"][:] = NOBODY
    state["attack_flat"][:] = 0
    state["attack_plus"][:] = 0
    state["defence_flat"][:] = 0
    state["defence_plus"][:] = 0
    state["att"][:] = 0
    state["dfn"][:] = 0
    state["cover"][:] = 0


@kernel
def refill(state: Record, cards: Record, rng: Record) -> None:
    """ROOK-15, 64. E3: the attacker draws, in the first exchange the defender too."""
    attacker = np.int64(state["attacker"])
    if state["skip"][attacker]:
        state["draws_skipped"][attacker] += 1
    else:
        draw_up(state, cards, rng, attacker)
    if state["turn"] == 0:
        draw_up(state, cards, rng, 1 - attacker)
    state["skip"][:] = 0


@kernel
def draw_up(state: Record, cards: Record, rng: Record, seat: int) -> None:
    """ROOK-64, A-08. Draw up to a full hand, or a new one."""
    if cards["draw_mode"] == DrawMode.NEW_HAND:
        while state["hand_n"][seat] > 0:
            put_away(state, seat)
    draw_cards(state, rng, seat, np.int64(cards["hand"]))


@kernel
def put_away(state: Record, seat: int) -> None:
    """A-08. Discard the last card of a hand for a new one."""
    kind = leave_hand(state, seat, np.int64(state["hand_n"][seat]) - 1)
    if kind >= FIELD:
        state["thrown"][kind - FIELD] += 1
    add_to_discard(state, kind)


@kernel
def end_exchange(state: Record) -> None:
    """ROOK-66. The exchange is finished: tell of it."""
    for seat in range(SEATS):
        if state["turn"] < CURVE:
            state["life_after"][seat, state["turn"]] = state["life"][seat].sum()
    state["exchanges_with"][min(np.int64(SQUAD), np.int64(state["flips_in"]))] += 1
    state["flips_in"] = 0
    state["turn"] += 1


@kernel
def begin_exchange(state: Record, cards: Record, attacker: int) -> None:
    """ROOK-11, 66. A seat begins its attack, unless the game is stopped here."""
    state["attacker"] = attacker
    state["defending"] = 0
    state["phase"] = Phase.CLEAR
    if state["turn"] < cards["turn_cap"]:
        note_begin(state, attacker)


@kernel
def note_begin(state: Record, attacker: int) -> None:
    """Register section 11. How things stand when an attack begins."""
    state["attacks_begun"][attacker] += 1
    state["hand_at_attack"][attacker] += state["hand_n"][attacker]
    for seat in range(SEATS):
        state["visited"][seat, sieges(state, np.int64(seat)), sieges(state, np.int64(1 - seat))] = 1
        for slot in range(SQUAD):
            state["siege_exchanges"][seat, slot] += state["life"][seat, slot] == 0
