"""Set-up (ROOK-01 to 10): squads, deck, piles and tokens, the first attacker, the first row and the first hands."""

import numpy as np

from sim.engine.dice import NATURE, below
from sim.engine.jit import Record, kernel
from sim.games.rookling.cards import NONE, SQUAD, TOKENS, FirstAttacker, OpeningRow, SquadMode
from sim.games.rookling.rules.abilities import begin_exchange, clear_table
from sim.games.rookling.rules.energy import draw_cards, fill_deck, hand_room
from sim.games.rookling.state import NOBODY, NOWHERE, POSITIONS, ROWS, SEATS, Draw, Phase, mover

# Rows (ROOK-10, 16).


ROW_ORDERS = np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]], np.int8)  # lexicographic


@kernel
def set_row(state: Record, seat: int, order: int) -> None:
    """ROOK-16. Arrange a row. order: lexicographic index of the permutation of roster slots, 0..5."""
    first = state["at"][seat, 0] == NOWHERE
    for position in range(POSITIONS):
        slot = ROW_ORDERS[order, position]
        state["at"][seat, position] = slot
        if first:
            state["start_at"][seat, slot] = position


# Squads, deck, first attacker, first row and hands.


PICKS = np.array([0, 1, 1, 0, 0, 1], np.int8)  # ROOK-04: who picks, 0 is the first drafter


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """ROOK-02 to 04. Squads of the line-up, dealt at random, or left to a draft. state: zeroed."""
    state["rook"][:] = NOBODY
    state["squad"][:] = NOBODY
    state["at"][:] = NOWHERE
    state["start_at"][:] = NOWHERE
    state["effect"][:] = NOBODY
    state["fixed"][:] = NOWHERE
    state["line"][:] = NOBODY
    state["capacity"][:] = 1
    state["life_after"][:] = -1
    state["drafter"] = NOBODY
    state["winner"] = NOBODY
    if cards["squad_mode"] == SquadMode.DRAFT:
        state["drafter"] = below(rng, NATURE, Draw.DRAFTER, 2)
        state["phase"] = Phase.DRAFT
        return
    if cards["squad_mode"] == SquadMode.RANDOM:
        deal_squads(state, cards, rng)
    else:
        for seat in range(SEATS):
            for slot in range(SQUAD):
                state["rook"][seat, slot] = cards["squad"][lineup[seat], slot]
    set_up(state, cards, rng)
    open_game(state, cards, rng)


@kernel
def is_taken(state: Record, rook: int) -> bool:
    """Whether a Rookling is in a squad."""
    for seat in range(SEATS):
        for slot in range(SQUAD):
            if state["rook"][seat, slot] == rook:
                return True
    return False


@kernel
def deal_squads(state: Record, cards: Record, rng: Record) -> None:
    """ROOK-03. Six different Rooklings dealt at random, three to each seat."""
    for dealt in range(SEATS * SQUAD):
        left = below(rng, NATURE, Draw.SQUADS, cards["rooklings"] - dealt)
        for rook in range(cards["rooklings"]):
            if is_taken(state, rook):
                continue
            if left == 0:
                state["rook"][dealt // SQUAD, dealt % SQUAD] = rook
                break
            left -= 1


@kernel
def drafting_seat(state: Record) -> int:
    """ROOK-04. The seat that picks next."""
    return state["drafter"] ^ PICKS[state["cursor"]]


@kernel
def list_free(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROOK-04. Options of DRAFT: the Rooklings that are left."""
    count = 0
    for rook in range(cards["rooklings"]):
        if not is_taken(state, rook):
            out[count] = rook
            count += 1
    return count


@kernel
def draft_one(state: Record, rook: int) -> bool:
    """ROOK-04. Pick a Rookling for the drafting seat. Returns whether the draft is over."""
    seat, slot = drafting_seat(state), 0
    while state["rook"][seat, slot] != NOBODY:
        slot += 1
    state["rook"][seat, slot] = rook
    state["cursor"] += 1
    state["picked"][seat, slot] = state["cursor"]
    return state["cursor"] == SEATS * SQUAD


@kernel
def set_up(state: Record, cards: Record, rng: Record) -> None:
    """ROOK-05 to 09. Life, piles, deck and tokens for the two squads, and the first attacker."""
    for seat in range(SEATS):
        for slot in range(SQUAD):
            rook = state["rook"][seat, slot]
            state["life"][seat, slot] = cards["life"][rook]
            state["member"][seat, slot] = member_of(state, seat, slot)
            effect = cards["field_effect"][rook]
            state["effect"][seat * SQUAD + slot] = effect if effect != NONE else NOBODY
        state["squad"][seat] = squad_of(state, cards, seat)
    for kind in range(TOKENS):
        state["supply"][kind] = cards["supply"][kind]
    fill_deck(state, cards)
    state["first"] = first_attacker(state, cards, rng)


@kernel
def member_of(state: Record, seat: int, slot: int) -> int:
    """Member number of a roster slot: the place of its Rookling in the order of the card file, 0..2."""
    member = 0
    for other in range(SQUAD):
        member += state["rook"][seat, other] < state["rook"][seat, slot]
    return member


@kernel
def first_attacker(state: Record, cards: Record, rng: Record) -> int:
    """ROOK-09, A-07. The seat that attacks first: by a coin, or by the draft."""
    coin = below(rng, NATURE, Draw.ATTACKER, SEATS)
    if state["drafter"] == NOBODY or cards["first_attacker"] == FirstAttacker.COIN:
        return coin
    drafter = state["drafter"]
    return drafter if cards["first_attacker"] == FirstAttacker.DRAFTER1 else 1 - drafter


@kernel
def squad_of(state: Record, cards: Record, seat: int) -> int:
    """Number of a seat's squad among all sets of three in lexicographic order."""
    rooklings, number, members = cards["rooklings"], 0, 0
    for rook in range(rooklings):
        here = False
        for slot in range(SQUAD):
            here |= state["rook"][seat, slot] == rook
        if here:
            members += 1
        elif members < SQUAD:
            number += sets_behind(rooklings - 1 - rook, SQUAD - 1 - members)
    return number


@kernel
def sets_behind(left: int, wanted: int) -> int:
    """Number of sets of `wanted` (0..2) out of `left` Rooklings."""
    if wanted == 0:
        return 1
    return left if wanted == 1 else left * (left - 1) // 2


@kernel
def open_game(state: Record, cards: Record, rng: Record) -> None:
    """ROOK-10, A-06. Start with the first defender's row, by choice or at random."""
    state["attacker"] = state["first"]
    state["defending"] = 1
    state["phase"] = Phase.ROW
    clear_table(state)
    if cards["opening_row"] == OpeningRow.RANDOM:
        set_row(state, mover(state), below(rng, NATURE, Draw.OPENING_ROW, ROWS))
        open_hands(state, cards, rng)


@kernel
def open_hands(state: Record, cards: Record, rng: Record) -> None:
    """ROOK-09. Both players draw their first hands, the first attacker first; then the first exchange begins."""
    first = state["first"]
    draw_cards(state, rng, first, cards["hand"])
    other = cards["hand"] + cards["second_hand"]
    draw_cards(state, rng, 1 - first, min(other, hand_room(cards)))
    begin_exchange(state, cards, first)
    state["phase"] = Phase.ROW  # no Rookling bears a token yet
