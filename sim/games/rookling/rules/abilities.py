"""Special lines (ROOK-30 to 37), tokens (ROOK-67 to 72), bonuses, and the end of the exchange (ROOK-61 to 66)."""

import numpy as np

from sim.engine.jit import Record, kernel, lowest_bit, without_lowest
from sim.games.rookling.cards import EFFECTS, LINES, NONE, SQUAD, DrawMode, Kind, Mask, Op, Scope, Until
from sim.games.rookling.rules import energy
from sim.games.rookling.state import (
    CAPACITY_MAX,
    CURVE,
    FIELD,
    NOBODY,
    NOWHERE,
    POSITIONS,
    SEATS,
    SLOTS,
    Phase,
    defender_of,
    kinds_at,
    mover,
    side_of,
    sieges,
)

# Special lines (ROOK-30 to 37).


@kernel
def next_special(state: Record, cards: Record, position: int, first: int) -> int:
    """ROOK-30. The first special line from `first` on that the mover can activate at a position, or NONE."""
    seat = mover(state)
    rook = energy.rook_at(state, seat, position)
    lines = energy.lines_met(state, cards, seat, position) & energy.lines_of(cards, rook, Kind.SPECIAL)
    if lines >> first:
        for line in range(first, LINES):
            if lines >> line & 1 and is_offered(state, cards, seat, position, line):
                return line
    return NONE


@kernel
def is_offered(state: Record, cards: Record, seat: int, position: int, line: int) -> bool:
    """ROOK-30. Whether a special line is met, not yet activated, not barred by a token, and would change something."""
    rook = energy.rook_at(state, seat, position)
    if cards["kind"][rook, line] != Kind.SPECIAL or not energy.meets(state, cards, seat, position, line):
        return False
    activated = np.int64(state["activated"][seat, position])
    if activated >> line & 1 or (cards["one_line_per_rookling"] and activated):
        return False
    if kinds_at(state, seat, position) & cards["token_mask"][Mask.NO_SPECIAL]:
        return False
    for effect in range(EFFECTS):
        for target in range(POSITIONS):
            if changes(state, cards, (seat, position, line, effect), target):
                return True
    return False


@kernel
def changes(state: Record, cards: Record, spot: tuple[int, int, int, int], target: int) -> bool:
    """ROOK-30 d. Whether an effect would change something at a target position. spot: seat, position, line, effect."""
    seat, position, line, effect = spot
    rook = energy.rook_at(state, seat, position)
    op = cards["op"][rook, line, effect]
    if op == Op.NONE or not in_scope(cards["scope"][rook, line, effect], position, target):
        return False
    slot = state["at"][seat, target]
    if op == Op.HEAL:
        return state["life"][seat, slot] < cards["heal_cap"]
    if op == Op.CLEANSE:
        return state["bears"][seat, slot] & cards["token_mask"][Mask.HARMFUL] != 0
    if op == Op.CHARGE:
        return may_be_charged(state, cards, seat, target)
    if op in (Op.ATTACK_FLAT, Op.ATTACK_PLUS):
        return not state["defending"]
    if op in (Op.DEFENCE_FLAT, Op.DEFENCE_PLUS):
        return state["defending"] == 1
    if op == Op.SHUFFLE_FIELD:
        return state["pile"][own_effect(state, seat, position)] > 0
    if op == Op.DRAW:
        return state["hand_n"][seat] < energy.hand_room(cards) and state["deck_n"] + state["disc_n"] > 0
    return op == Op.TOKEN_SELF and state["supply"][cards["token"][rook, line, effect]] > 0


@kernel
def may_be_charged(state: Record, cards: Record, seat: int, target: int) -> bool:
    """ROOK-34. Not barred from energy, below the largest capacity, and a card in hand to place."""
    if state["hand_n"][seat] == 0 or state["capacity"][seat, target] >= CAPACITY_MAX:
        return False
    return energy.takes_energy(state, cards, seat, target)


@kernel
def own_effect(state: Record, seat: int, position: int) -> int:
    """The field effect slot of the Rookling at a position."""
    return seat * POSITIONS + state["at"][seat, position]


@kernel
def in_scope(scope: int, position: int, target: int) -> bool:
    """ROOK-18. Whether an effect used at a position reaches a target position."""
    near = abs(position - target)
    if scope == Scope.SELF:
        return near == 0
    if scope == Scope.NEIGHBOURS:
        return near == 1
    return scope != Scope.SELF_OR_NEIGHBOUR or near <= 1


@kernel
def chooses(cards: Record, rook: int, line: int) -> bool:
    """Whether a line has an effect whose target the player picks."""
    for effect in range(EFFECTS):
        if cards["op"][rook, line, effect] != Op.NONE and cards["scope"][rook, line, effect] >= Scope.SELF_OR_NEIGHBOUR:
            return True
    return False


@kernel
def is_target(state: Record, cards: Record, position: int, line: int, target: int) -> bool:
    """ROOK-32 to 34. Whether the mover can pick a target: an effect with a picked target would change something there."""
    seat = mover(state)
    rook = energy.rook_at(state, seat, position)
    for effect in range(EFFECTS):
        picks = cards["scope"][rook, line, effect] >= Scope.SELF_OR_NEIGHBOUR
        if picks and changes(state, cards, (seat, position, line, effect), target):
            return True
    return False


@kernel
def list_targets(state: Record, cards: Record, out: np.ndarray) -> int:
    """Options of TARGET: positions in ascending order."""
    count, position, line = 0, state["focus"], state["cursor"]
    for target in range(POSITIONS):
        if is_target(state, cards, position, line, target):
            out[count] = target
            count += 1
    return count


@kernel
def activate(state: Record, cards: Record, rng: Record) -> None:
    """ROOK-30. Activate the current line. Asks for the target if there are several."""
    seat, position, line = mover(state), state["focus"], state["cursor"]
    state["activated"][seat, position] |= np.uint8(1 << line)
    state["line_used"][seat, state["at"][seat, position], line] += 1
    energy.power(state, cards, seat, position, line)
    only, targets = NOWHERE, 0
    if chooses(cards, energy.rook_at(state, seat, position), line):
        for target in range(POSITIONS):
            if is_target(state, cards, position, line, target):
                only, targets = target, targets + 1
    if targets > 1:
        state["phase"] = Phase.TARGET
    else:
        carry_out(state, cards, rng, only)


@kernel
def carry_out(state: Record, cards: Record, rng: Record, picked: int) -> None:
    """ROOK-30, 36. Apply the effects of the current line at once, in printed order. picked: target position or NOWHERE."""
    seat, position, line = mover(state), state["focus"], state["cursor"]
    rook = energy.rook_at(state, seat, position)
    side = side_of(state, seat, state["at"][seat, position])
    for effect in range(EFFECTS):
        op = cards["op"][rook, line, effect]
        value = cards["value"][rook, line, effect, side]
        scope = cards["scope"][rook, line, effect]
        if op == Op.SHUFFLE_FIELD:
            energy.shuffle_in(state, own_effect(state, seat, position), value)
        elif op == Op.DRAW:
            for _ in range(value):  # ROOK-36
                if state["hand_n"][seat] < energy.hand_room(cards) and state["deck_n"] + state["disc_n"] > 0:
                    energy.draw_card(state, rng, seat)
        elif op == Op.TOKEN_SELF:
            give(state, seat, state["at"][seat, position], cards["token"][rook, line, effect], value)
        elif op != Op.NONE:
            for target in range(POSITIONS):
                chosen = target == picked if scope >= Scope.SELF_OR_NEIGHBOUR else in_scope(scope, position, target)
                if chosen:
                    affect(state, cards, op, target, value)


@kernel
def affect(state: Record, cards: Record, op: int, target: int, value: int) -> None:
    """ROOK-32 to 35. Apply one effect to one of the mover's Rooklings."""
    seat = mover(state)
    if op == Op.HEAL:
        heal(state, cards, seat, state["at"][seat, target], value)
    elif op == Op.CLEANSE:
        harmful = np.int64(cards["token_mask"][Mask.HARMFUL])
        remove_tokens(state, cards, seat, state["at"][seat, target], harmful)
    elif op == Op.CHARGE:
        if energy.takes_energy(state, cards, seat, target):  # unlike the offer, this needs no card in hand
            state["capacity"][seat, target] = min(CAPACITY_MAX, state["capacity"][seat, target] + value)
    elif state["defending"] == 0 and op == Op.ATTACK_FLAT:
        state["attack_flat"][seat, target] += value
    elif state["defending"] == 0 and op == Op.ATTACK_PLUS:
        state["attack_plus"][seat, target] += value
    elif state["defending"] and op == Op.DEFENCE_FLAT:
        state["defence_flat"][seat, target] += value
    elif state["defending"] and op == Op.DEFENCE_PLUS:
        state["defence_plus"][seat, target] += value


@kernel
def heal(state: Record, cards: Record, seat: int, slot: int, points: int) -> None:
    """ROOK-32, 58. Add life, at most up to the cap. A Rookling with 0 life leaves siege-state."""
    life = state["life"][seat, slot]
    state["life"][seat, slot] = min(cards["heal_cap"], life + points)
    state["healed_back"][seat, slot] += life == 0


# Tokens under Rooklings and in zones (ROOK-62, 63, 67 to 72).

NO_KINDS = np.uint64(0)


@kernel
def kind_of(state: Record, cards: Record, effect_slot: int) -> int:
    """The token kind that the cards of a field effect slot become. The slot must not be empty."""
    return cards["effect_token"][state["effect"][effect_slot]]


@kernel
def holds(kinds: int, kind: int) -> bool:
    """Whether a set of token kinds contains a kind."""
    return kinds >> kind & 1 == 1


@kernel
def sum_at(state: Record, cards: Record, seat: int, position: int, mask: int, points: np.ndarray) -> int:
    """ROOK-44, 67, 71. Sum of the points of all active tokens at a position, fixed ones too, whose kind is in a mask.

    mask: a Mask; points: column of CARDS, by kind.
    """
    kinds = kinds_at(state, seat, position) & cards["token_mask"][mask]
    if kinds == 0:
        return 0
    total, slot, left = 0, state["at"][seat, position], np.uint64(kinds)
    while left != NO_KINDS:
        kind = lowest_bit(left)
        left = without_lowest(left)
        if points[kind] != 0:
            count = int(state["tok"][seat, slot, kind])
            for effect_slot in range(SLOTS):
                if state["effect"][effect_slot] != NOBODY and kind_of(state, cards, effect_slot) == kind:
                    count += int(state["fe_tok"][seat, slot, effect_slot])
                    count += state["fixed"][effect_slot] == seat * POSITIONS + position
            total += count * int(points[kind])
    return total


@kernel
def note_bearing(state: Record, cards: Record, seat: int, slot: int) -> None:
    """Update the kinds of active tokens under a Rookling (`bears`)."""
    kinds = 0
    for kind in range(cards["tokens"]):
        if state["tok"][seat, slot, kind] > 0:
            kinds |= 1 << kind
    for effect_slot in range(SLOTS):
        if state["fe_tok"][seat, slot, effect_slot] > 0:
            kinds |= 1 << kind_of(state, cards, effect_slot)
    state["bears"][seat, slot] = kinds


@kernel
def note_zones(state: Record, cards: Record) -> None:
    """Update the kinds of fixed tokens in each zone (`zone_kinds`)."""
    state["zone_kinds"][:] = 0
    for effect_slot in range(SLOTS):
        zone = state["fixed"][effect_slot]
        if zone != NOWHERE:
            state["zone_kinds"][zone // POSITIONS, zone % POSITIONS] |= np.uint16(1 << kind_of(state, cards, effect_slot))


@kernel
def remove_tokens(state: Record, cards: Record, seat: int, slot: int, kinds: int) -> int:
    """ROOK-63. Return all active tokens of these kinds under a Rookling to supply and piles. Returns how many."""
    if state["bears"][seat, slot] & kinds == 0:
        return 0
    removed = 0
    for kind in range(cards["tokens"]):
        if holds(kinds, kind):
            removed += state["tok"][seat, slot, kind]
            state["supply"][kind] += state["tok"][seat, slot, kind]
            state["tok"][seat, slot, kind] = 0
    for effect_slot in range(SLOTS):
        if state["fe_tok"][seat, slot, effect_slot] > 0 and holds(kinds, kind_of(state, cards, effect_slot)):
            removed += state["fe_tok"][seat, slot, effect_slot]
            state["pile"][effect_slot] += state["fe_tok"][seat, slot, effect_slot]
            state["fe_tok"][seat, slot, effect_slot] = 0
    note_bearing(state, cards, seat, slot)
    return removed


@kernel
def spend(state: Record, cards: Record, seat: int, slot: int, mask: int) -> None:
    """ROOK-44. Remove the tokens of a mask under a Rookling that last until triggered, after they acted."""
    kinds = np.int64(cards["token_mask"][mask] & cards["token_mask"][Mask.TRIGGER])
    if state["bears"][seat, slot] & kinds == 0:
        return
    for effect_slot in range(SLOTS):
        if state["fe_tok"][seat, slot, effect_slot] > 0 and holds(kinds, kind_of(state, cards, effect_slot)):
            state["triggered"][effect_slot] += state["fe_tok"][seat, slot, effect_slot]
    remove_tokens(state, cards, seat, slot, kinds)


@kernel
def clear_one(state: Record, cards: Record, seat: int, slot: int) -> None:
    """ROOK-14. Remove one active token that lasts until cleared: a token card before a field effect, the lowest first."""
    kinds = np.int64(state["bears"][seat, slot] & cards["token_mask"][Mask.CLEARED])
    for kind in range(cards["tokens"]):
        if holds(kinds, kind) and state["tok"][seat, slot, kind] > 0:
            state["tok"][seat, slot, kind] -= 1
            state["supply"][kind] += 1
            note_bearing(state, cards, seat, slot)
            return
    for effect_slot in range(SLOTS):
        if state["fe_tok"][seat, slot, effect_slot] > 0 and holds(kinds, kind_of(state, cards, effect_slot)):
            state["fe_tok"][seat, slot, effect_slot] -= 1
            state["pile"][effect_slot] += 1
            note_bearing(state, cards, seat, slot)
            return


@kernel
def give(state: Record, seat: int, slot: int, kind: int, copies: int) -> int:
    """ROOK-08, 63. Put pending token cards under a Rookling, as far as the supply lasts. Returns how many."""
    given = min(copies, state["supply"][kind])
    if given > 0:
        state["supply"][kind] -= given
        state["tok_new"][seat, slot, kind] += given
        state["pending"][seat, slot] |= np.uint16(1 << kind)
    return given


@kernel
def expire(state: Record, cards: Record) -> None:
    """ROOK-63. End of an exchange: remove tokens that last until then, and make pending token cards active."""
    exchange = np.int64(cards["token_mask"][Mask.EXCHANGE])
    after_attack = exchange | np.int64(cards["token_mask"][Mask.OWNER_ATTACK])
    attacker = state["attacker"]
    for slot in range(SQUAD):
        remove_tokens(state, cards, attacker, slot, after_attack)
        remove_tokens(state, cards, 1 - attacker, slot, exchange)
    for seat in range(2):
        for slot in range(SQUAD):
            if state["pending"][seat, slot] != 0:
                wake(state, cards, seat, slot)


@kernel
def wake(state: Record, cards: Record, seat: int, slot: int) -> None:
    """ROOK-63. Make the pending token cards under a Rookling active."""
    harmful = np.int64(cards["token_mask"][Mask.HARMFUL])
    for kind in range(cards["tokens"]):
        copies = state["tok_new"][seat, slot, kind]
        if copies > 0:
            state["tok"][seat, slot, kind] += copies
            state["tok_new"][seat, slot, kind] = 0
            state["received"][seat, slot] += copies if holds(harmful, kind) else 0
            state["received_kind"][seat, kind] += copies
    state["pending"][seat, slot] = 0
    note_bearing(state, cards, seat, slot)


@kernel
def slide(state: Record, cards: Record, seat: int, position: int, effect_slot: int) -> None:
    """ROOK-61 to 63. A field effect card that powered a line becomes a token: under the Rookling, or in the zone.

    A fixed one replaces an older one of its slot, which returns to the pile (ROOK-62).
    """
    kind = kind_of(state, cards, effect_slot)
    state["received_kind"][seat, kind] += 1
    if cards["until"][kind] == Until.REPLACED:
        if state["fixed"][effect_slot] != NOWHERE:
            state["pile"][effect_slot] += 1
        state["fixed"][effect_slot] = seat * POSITIONS + position
        note_zones(state, cards)
        return
    slot = state["at"][seat, position]
    state["fe_tok"][seat, slot, effect_slot] += 1
    state["received"][seat, slot] += holds(np.int64(cards["token_mask"][Mask.HARMFUL]), kind)
    note_bearing(state, cards, seat, slot)


# Flat and plus bonuses on attacks and defences (ROOK-39).


@kernel
def attack_flat(state: Record, cards: Record, position: int) -> int:
    """ROOK-38, 39, 71. Flat bonuses on the attack of the attacker's Rookling at a position."""
    seat = state["attacker"]
    flat = state["attack_flat"][seat, position]
    if kinds_at(state, seat, position) != 0:
        for mask in (Mask.STANDING, Mask.ATTACK_TURN):
            flat += sum_at(state, cards, seat, position, mask, cards["attack_flat"])
    return flat


@kernel
def attack_plus(state: Record, cards: Record, position: int) -> int:
    """ROOK-38, 39, 69. Plus bonuses on the attack of the attacker's Rookling at a position."""
    seat = state["attacker"]
    plus = state["attack_plus"][seat, position]
    if kinds_at(state, seat, position) != 0:
        for mask in (Mask.STANDING, Mask.ATTACK_TURN):
            plus += sum_at(state, cards, seat, position, mask, cards["attack_plus"])
    return plus


@kernel
def defence_flat(state: Record, cards: Record, position: int) -> int:
    """ROOK-39, 42, 71. Flat bonuses on the defence of the defender's Rookling at a position."""
    seat = defender_of(state)
    flat = state["defence_flat"][seat, position] + state["cover"][position]
    return flat + sum_at(state, cards, seat, position, Mask.STANDING, cards["defence_flat"])


@kernel
def defence_plus(state: Record, cards: Record, position: int) -> int:
    """ROOK-39, 43. Plus bonuses on the defence of the defender's Rookling at a position; some act only if it is attacked."""
    seat = defender_of(state)
    plus = state["defence_plus"][seat, position]
    if kinds_at(state, seat, position) != 0:
        plus += sum_at(state, cards, seat, position, Mask.STANDING, cards["defence_plus"])
        if state["att"][position] > 0:
            plus += sum_at(state, cards, seat, position, Mask.DEFENDS, cards["defence_plus"])
    return plus


@kernel
def flat_now(state: Record, cards: Record, position: int) -> int:
    """Flat bonus at a position in the current half of the exchange."""
    return defence_flat(state, cards, position) if state["defending"] else attack_flat(state, cards, position)


@kernel
def plus_now(state: Record, cards: Record, position: int) -> int:
    """Plus bonus at a position in the current half of the exchange."""
    return defence_plus(state, cards, position) if state["defending"] else attack_plus(state, cards, position)


# From the cleanup of an exchange to the start of the next (E2 to E4, ROOK-61 to 66).


@kernel
def clean_up(state: Record, cards: Record) -> None:
    """ROOK-61 to 63. E2: tokens expire, pending ones become active, cards leave the Rooklings."""
    expire(state, cards)
    for side in range(SEATS):
        seat = state["attacker"] if side == 0 else 1 - state["attacker"]
        for position in range(POSITIONS):
            empty_zone(state, cards, seat, position)
    clear_table(state)


@kernel
def empty_zone(state: Record, cards: Record, seat: int, position: int) -> None:
    """ROOK-61. Discard the cards on a Rookling; a field effect that powered a line becomes a token."""
    if state["zone_n"][seat, position] == 0:
        return
    powered = np.int64(state["powered"][seat, position])
    count_energy(state, seat, position)
    for card in range(state["zone_n"][seat, position]):
        kind, used = state["zone"][seat, position, card], powered >> card & 1
        if kind < FIELD:
            energy.add_to_discard(state, kind)
        elif used:
            if (kind - FIELD) // SQUAD == seat:
                state["used_by_owner"][kind - FIELD] += 1
            else:
                state["used_by_other"][kind - FIELD] += 1
            slide(state, cards, seat, position, kind - FIELD)
        else:
            state["thrown"][kind - FIELD] += 1
            energy.add_to_discard(state, kind)


@kernel
def count_energy(state: Record, seat: int, position: int) -> None:
    """Count the cards on a Rookling that powered a line, and those that did not."""
    slot, powered = state["at"][seat, position], np.int64(state["powered"][seat, position])
    for card in range(state["zone_n"][seat, position]):
        if powered >> card & 1:
            state["energy_used"][seat, slot] += 1
        else:
            state["energy_vain"][seat, slot] += 1


@kernel
def close_game(state: Record) -> None:
    """ROOK-55. Finish the counts of a game that ends during an exchange."""
    for seat in range(SEATS):
        for position in range(POSITIONS):
            count_energy(state, seat, position)
    end_exchange(state)


@kernel
def clear_table(state: Record) -> None:
    """Remove all cards, grants and declared amounts from the table."""
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
    """ROOK-15, 64. E3: the attacker draws; in the first exchange, so does the defender."""
    attacker = state["attacker"]
    if state["skip"][attacker]:
        state["draws_skipped"][attacker] += 1
    else:
        draw_up(state, cards, rng, attacker)
    if state["turn"] == 0:
        draw_up(state, cards, rng, 1 - attacker)
    state["skip"][:] = 0


@kernel
def draw_up(state: Record, cards: Record, rng: Record, seat: int) -> None:
    """ROOK-64, A-08. Draw up to a full hand, or draw a new hand."""
    if cards["draw_mode"] == DrawMode.NEW_HAND:
        while state["hand_n"][seat] > 0:
            energy.discard_from_hand(state, seat, state["hand_n"][seat] - 1)
    energy.draw_cards(state, rng, seat, cards["hand"])


@kernel
def end_exchange(state: Record) -> None:
    """ROOK-66. Count a finished exchange."""
    for seat in range(SEATS):
        if state["turn"] < CURVE:
            state["life_after"][seat, state["turn"]] = state["life"][seat].sum()
    state["exchanges_with"][min(SQUAD, state["flips_in"])] += 1
    state["flips_in"] = 0
    state["turn"] += 1


@kernel
def begin_exchange(state: Record, cards: Record, attacker: int) -> None:
    """ROOK-11, 66. Start a seat's attack. At `turn_cap` the game stops instead."""
    state["attacker"] = attacker
    state["defending"] = 0
    state["phase"] = Phase.CLEAR
    if state["turn"] >= cards["turn_cap"]:
        return
    state["attacks_begun"][attacker] += 1
    state["hand_at_attack"][attacker] += state["hand_n"][attacker]
    for seat in range(SEATS):
        state["visited"][seat, sieges(state, seat), sieges(state, 1 - seat)] = 1
        for slot in range(SQUAD):
            state["siege_exchanges"][seat, slot] += state["life"][seat, slot] == 0
