"""Special lines (ROOK-30 to 37), tokens (ROOK-67 to 72), bonuses, and the end of the exchange (ROOK-61 to 66)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.cards import EFFECTS, LINES, NONE, SQUAD, DrawMode, Kind, Mask, Op, Scope, Until
from sim.games.rookling.rules.energy import (
    add_to_discard,
    draw_card,
    draw_cards,
    hand_room,
    leave_hand,
    lines_met,
    lines_of,
    meets,
    power,
    rook_at,
    shuffle_in,
    takes_energy,
)
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
def next_special(state: Record, cards: Record, position: int, first: int) -> np.int64:
    """ROOK-30. The first special line from `first` on that the mover can activate at a position, or NONE."""
    seat = mover(state)
    lines = lines_met(state, cards, seat, position) & lines_of(cards, rook_at(state, seat, position), Kind.SPECIAL)
    if lines >> first:
        for line in range(first, LINES):
            if lines >> line & 1 and is_offered(state, cards, seat, position, line):
                return np.int64(line)
    return np.int64(NONE)


@kernel
def is_offered(state: Record, cards: Record, seat: int, position: int, line: int) -> bool:
    """ROOK-30. Whether a special line is met, not yet activated, not barred by a token, and would change something."""
    rook = rook_at(state, seat, position)
    if cards["kind"][rook, line] != Kind.SPECIAL or not meets(state, cards, seat, position, line):
        return False
    activated = np.int64(state["activated"][seat, position])
    if activated >> line & 1 or (cards["one_line_per_rookling"] and activated):
        return False
    if kinds_at(state, seat, position) & np.int64(cards["token_mask"][Mask.NO_SPECIAL]):
        return False
    for effect in range(EFFECTS):
        for target in range(POSITIONS):
            if changes(state, cards, (seat, position, line, np.int64(effect)), np.int64(target)):
                return True
    return False


@kernel
def changes(state: Record, cards: Record, spot: tuple[int, int, int, int], target: int) -> bool:
    """ROOK-30 d. Whether an effect would change something at a target position. spot: seat, position, line, effect."""
    seat, position, line, effect = spot
    rook = rook_at(state, seat, position)
    op = cards["op"][rook, line, effect]
    if op == Op.NONE or not in_scope(np.int64(cards["scope"][rook, line, effect]), position, target):
        return False
    slot = np.int64(state["at"][seat, target])
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
        return state["hand_n"][seat] < hand_room(cards) and state["deck_n"] + state["disc_n"] > 0
    return op == Op.TOKEN_SELF and state["supply"][cards["token"][rook, line, effect]] > 0


@kernel
def may_be_charged(state: Record, cards: Record, seat: int, target: int) -> bool:
    """ROOK-34. Not barred from energy, below the largest capacity, and a card in hand to place."""
    if state["hand_n"][seat] == 0 or state["capacity"][seat, target] >= CAPACITY_MAX:
        return False
    return takes_energy(state, cards, seat, target)


@kernel
def own_effect(state: Record, seat: int, position: int) -> np.int64:
    """The field effect slot of the Rookling at a position."""
    return np.int64(seat * POSITIONS + state["at"][seat, position])


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
    rook = rook_at(state, seat, position)
    for effect in range(EFFECTS):
        picks = cards["scope"][rook, line, effect] >= Scope.SELF_OR_NEIGHBOUR
        if picks and changes(state, cards, (seat, position, line, np.int64(effect)), target):
            return True
    return False


@kernel
def list_targets(state: Record, cards: Record, out: np.ndarray) -> int:
    """Options of TARGET: positions in ascending order."""
    count, position, line = 0, np.int64(state["focus"]), np.int64(state["cursor"])
    for target in range(POSITIONS):
        if is_target(state, cards, position, line, np.int64(target)):
            out[count] = target
            count += 1
    return count


@kernel
def activate(state: Record, cards: Record, rng: Record) -> None:
    """ROOK-30. Activate the current line. Asks for the target if there are several."""
    seat, position, line = mover(state), np.int64(state["focus"]), np.int64(state["cursor"])
    state["activated"][seat, position] |= np.uint8(np.int64(1) << line)
    state["line_used"][seat, state["at"][seat, position], line] += 1
    power(state, cards, seat, position, line)
    only, targets = np.int64(NOWHERE), 0
    if chooses(cards, rook_at(state, seat, position), line):
        for target in range(POSITIONS):
            if is_target(state, cards, position, line, np.int64(target)):
                only, targets = np.int64(target), targets + 1
    if targets > 1:
        state["phase"] = Phase.TARGET
    else:
        carry_out(state, cards, rng, only)


@kernel
def carry_out(state: Record, cards: Record, rng: Record, picked: int) -> None:
    """ROOK-30. Apply the effects of the current line at once, in printed order. picked: target position or NOWHERE."""
    seat, position, line = mover(state), np.int64(state["focus"]), np.int64(state["cursor"])
    rook = rook_at(state, seat, position)
    side = side_of(state, seat, np.int64(state["at"][seat, position]))
    for effect in range(EFFECTS):
        op = np.int64(cards["op"][rook, line, effect])
        value = np.int64(cards["value"][rook, line, effect, side])
        scope = np.int64(cards["scope"][rook, line, effect])
        if op == Op.SHUFFLE_FIELD:
            shuffle_in(state, own_effect(state, seat, position), value)
        elif op == Op.DRAW:
            draw_more(state, cards, rng, value)
        elif op == Op.TOKEN_SELF:
            give(state, seat, np.int64(state["at"][seat, position]), np.int64(cards["token"][rook, line, effect]), value)
        elif op != Op.NONE:
            for target in range(POSITIONS):
                chosen = target == picked if scope >= Scope.SELF_OR_NEIGHBOUR else in_scope(scope, position, target)
                if chosen:
                    affect(state, cards, op, np.int64(target), value)


@kernel
def draw_more(state: Record, cards: Record, rng: Record, count: int) -> None:
    """ROOK-36. Draw cards during the mover's turn, up to the largest hand."""
    seat = mover(state)
    for _ in range(count):
        if state["hand_n"][seat] < hand_room(cards) and state["deck_n"] + state["disc_n"] > 0:
            draw_card(state, rng, seat)


@kernel
def affect(state: Record, cards: Record, op: int, target: int, value: int) -> None:
    """ROOK-32 to 35. Apply one effect to one of the mover's Rooklings."""
    seat = mover(state)
    if op == Op.HEAL:
        heal(state, cards, seat, np.int64(state["at"][seat, target]), value)
    elif op == Op.CLEANSE:
        harmful = np.int64(cards["token_mask"][Mask.HARMFUL])
        remove_tokens(state, cards, seat, np.int64(state["at"][seat, target]), harmful)
    elif op == Op.CHARGE:
        if takes_energy(state, cards, seat, target):  # unlike the offer, this needs no card in hand
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
    life = np.int64(state["life"][seat, slot])
    state["life"][seat, slot] = min(np.int64(cards["heal_cap"]), life + points)
    state["healed_back"][seat, slot] += life == 0


# Tokens under Rooklings and in zones (ROOK-62, 63, 67 to 72).


@kernel
def kind_of(state: Record, cards: Record, effect_slot: int) -> np.int64:
    """The token kind that the cards of a field effect slot become. The slot must not be empty."""
    return np.int64(cards["effect_token"][state["effect"][effect_slot]])


@kernel
def holds(kinds: int, kind: int) -> bool:
    """Whether a set of token kinds contains a kind."""
    return np.int64(kinds) >> kind & 1 == 1


@kernel
def is_field_effect(state: Record, cards: Record, effect_slot: int, kind: int) -> bool:
    """Whether a slot has a field effect that becomes a token of this kind."""
    return state["effect"][effect_slot] != NOBODY and kind_of(state, cards, np.int64(effect_slot)) == kind


@kernel
def count_of(state: Record, cards: Record, seat: int, slot: int, kind: int) -> np.int64:
    """ROOK-67. Number of active tokens of a kind under a Rookling, token cards and field effects together."""
    count = np.int64(state["tok"][seat, slot, kind])
    for effect_slot in range(SLOTS):
        if state["fe_tok"][seat, slot, effect_slot] > 0 and is_field_effect(state, cards, effect_slot, kind):
            count += state["fe_tok"][seat, slot, effect_slot]
    return count


@kernel
def fixed_count(state: Record, cards: Record, seat: int, position: int, kind: int) -> np.int64:
    """ROOK-71. Number of fixed tokens of a kind in a zone."""
    count = np.int64(0)
    for effect_slot in range(SLOTS):
        here = state["fixed"][effect_slot] == seat * POSITIONS + position
        count += here and is_field_effect(state, cards, effect_slot, kind)
    return count


@kernel
def sum_at(state: Record, cards: Record, place: tuple[int, int], mask: int, points: np.ndarray) -> np.int64:
    """ROOK-44. Sum of the points of all active tokens at a position whose kind is in a mask.

    place: seat, position; mask: a Mask; points: column of CARDS, by kind.
    """
    seat, position = place
    kinds = kinds_at(state, seat, position) & np.int64(cards["token_mask"][mask])
    if kinds == 0:
        return np.int64(0)
    total, slot = np.int64(0), np.int64(state["at"][seat, position])
    for kind in range(np.int64(cards["tokens"])):
        if holds(kinds, kind) and points[kind] != 0:
            count = count_of(state, cards, seat, slot, kind) + fixed_count(state, cards, seat, position, kind)
            total += count * points[kind]
    return total


@kernel
def note_bearing(state: Record, cards: Record, seat: int, slot: int) -> None:
    """Update the kinds of active tokens under a Rookling (`bears`)."""
    kinds = np.int64(0)
    for kind in range(np.int64(cards["tokens"])):
        if state["tok"][seat, slot, kind] > 0:
            kinds |= np.int64(1) << kind
    for effect_slot in range(SLOTS):
        if state["fe_tok"][seat, slot, effect_slot] > 0:
            kinds |= np.int64(1) << kind_of(state, cards, np.int64(effect_slot))
    state["bears"][seat, slot] = kinds


@kernel
def note_zones(state: Record, cards: Record) -> None:
    """Update the kinds of fixed tokens in each zone (`zone_kinds`)."""
    state["zone_kinds"][:] = 0
    for effect_slot in range(SLOTS):
        zone = np.int64(state["fixed"][effect_slot])
        if zone != NOWHERE:
            state["zone_kinds"][zone // POSITIONS, zone % POSITIONS] |= np.uint16(
                np.int64(1) << kind_of(state, cards, np.int64(effect_slot))
            )


@kernel
def remove_tokens(state: Record, cards: Record, seat: int, slot: int, kinds: int) -> np.int64:
    """ROOK-63. Return all active tokens of these kinds under a Rookling to supply and piles. Returns how many."""
    if np.int64(state["bears"][seat, slot]) & kinds == 0:
        return np.int64(0)
    removed = np.int64(0)
    for kind in range(np.int64(cards["tokens"])):
        if holds(kinds, kind):
            removed += state["tok"][seat, slot, kind]
            state["supply"][kind] += state["tok"][seat, slot, kind]
            state["tok"][seat, slot, kind] = 0
    for effect_slot in range(SLOTS):
        if state["fe_tok"][seat, slot, effect_slot] > 0 and holds(kinds, kind_of(state, cards, np.int64(effect_slot))):
            removed += state["fe_tok"][seat, slot, effect_slot]
            state["pile"][effect_slot] += state["fe_tok"][seat, slot, effect_slot]
            state["fe_tok"][seat, slot, effect_slot] = 0
    note_bearing(state, cards, seat, slot)
    return removed


@kernel
def spend(state: Record, cards: Record, seat: int, slot: int, mask: int) -> None:
    """ROOK-44. Remove the tokens of a mask under a Rookling that last until triggered, after they acted."""
    kinds = np.int64(cards["token_mask"][mask] & cards["token_mask"][Mask.TRIGGER])
    if np.int64(state["bears"][seat, slot]) & kinds == 0:
        return
    for effect_slot in range(SLOTS):
        if state["fe_tok"][seat, slot, effect_slot] > 0 and holds(kinds, kind_of(state, cards, np.int64(effect_slot))):
            state["triggered"][effect_slot] += state["fe_tok"][seat, slot, effect_slot]
    remove_tokens(state, cards, seat, slot, kinds)


@kernel
def clear_one(state: Record, cards: Record, seat: int, slot: int) -> None:
    """ROOK-14. Remove one active token that lasts until cleared: a token card before a field effect, the lowest first."""
    kinds = np.int64(state["bears"][seat, slot] & cards["token_mask"][Mask.CLEARED])
    for kind in range(np.int64(cards["tokens"])):
        if holds(kinds, kind) and state["tok"][seat, slot, kind] > 0:
            state["tok"][seat, slot, kind] -= 1
            state["supply"][kind] += 1
            note_bearing(state, cards, seat, slot)
            return
    for effect_slot in range(SLOTS):
        if state["fe_tok"][seat, slot, effect_slot] > 0 and holds(kinds, kind_of(state, cards, np.int64(effect_slot))):
            state["fe_tok"][seat, slot, effect_slot] -= 1
            state["pile"][effect_slot] += 1
            note_bearing(state, cards, seat, slot)
            return


@kernel
def give(state: Record, seat: int, slot: int, kind: int, copies: int) -> np.int64:
    """ROOK-08, 63. Put pending token cards under a Rookling, as far as the supply lasts. Returns how many."""
    given = min(np.int64(copies), np.int64(state["supply"][kind]))
    if given > 0:
        state["supply"][kind] -= given
        state["tok_new"][seat, slot, kind] += given
        state["pending"][seat, slot] |= np.uint16(np.int64(1) << kind)
    return given


@kernel
def expire(state: Record, cards: Record) -> None:
    """ROOK-63. End of an exchange: remove tokens that last until then, and make pending token cards active."""
    exchange = np.int64(cards["token_mask"][Mask.EXCHANGE])
    after_attack = exchange | np.int64(cards["token_mask"][Mask.OWNER_ATTACK])
    attacker = np.int64(state["attacker"])
    for slot in range(SQUAD):
        remove_tokens(state, cards, attacker, np.int64(slot), after_attack)
        remove_tokens(state, cards, 1 - attacker, np.int64(slot), exchange)
    for seat in range(2):
        for slot in range(SQUAD):
            if state["pending"][seat, slot] != 0:
                wake(state, cards, np.int64(seat), np.int64(slot))


@kernel
def wake(state: Record, cards: Record, seat: int, slot: int) -> None:
    """ROOK-63. Make the pending token cards under a Rookling active."""
    harmful = np.int64(cards["token_mask"][Mask.HARMFUL])
    for kind in range(np.int64(cards["tokens"])):
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
    slot = np.int64(state["at"][seat, position])
    state["fe_tok"][seat, slot, effect_slot] += 1
    state["received"][seat, slot] += holds(np.int64(cards["token_mask"][Mask.HARMFUL]), kind)
    note_bearing(state, cards, seat, slot)


# Flat and plus bonuses on attacks and defences (ROOK-39).


@kernel
def attack_flat(state: Record, cards: Record, position: int) -> np.int64:
    """ROOK-38, 39, 71. Flat bonuses on the attack of the attacker's Rookling at a position."""
    seat = np.int64(state["attacker"])
    flat = np.int64(state["attack_flat"][seat, position])
    if kinds_at(state, seat, position) != 0:
        for mask in (Mask.STANDING, Mask.ATTACK_TURN):
            flat += sum_at(state, cards, (seat, position), np.int64(mask), cards["attack_flat"])
    return flat


@kernel
def attack_plus(state: Record, cards: Record, position: int) -> np.int64:
    """ROOK-38, 39, 69. Plus bonuses on the attack of the attacker's Rookling at a position."""
    seat = np.int64(state["attacker"])
    plus = np.int64(state["attack_plus"][seat, position])
    if kinds_at(state, seat, position) != 0:
        for mask in (Mask.STANDING, Mask.ATTACK_TURN):
            plus += sum_at(state, cards, (seat, position), np.int64(mask), cards["attack_plus"])
    return plus


@kernel
def defence_flat(state: Record, cards: Record, position: int) -> np.int64:
    """ROOK-39, 42, 71. Flat bonuses on the defence of the defender's Rookling at a position."""
    seat = defender_of(state)
    flat = np.int64(state["defence_flat"][seat, position]) + np.int64(state["cover"][position])
    return flat + sum_at(state, cards, (seat, position), np.int64(Mask.STANDING), cards["defence_flat"])


@kernel
def defence_plus(state: Record, cards: Record, position: int) -> np.int64:
    """ROOK-39, 43. Plus bonuses on the defence of the defender's Rookling at a position; some act only if it is attacked."""
    seat = defender_of(state)
    plus = np.int64(state["defence_plus"][seat, position])
    if kinds_at(state, seat, position) != 0:
        plus += sum_at(state, cards, (seat, position), np.int64(Mask.STANDING), cards["defence_plus"])
        if state["att"][position] > 0:
            plus += sum_at(state, cards, (seat, position), np.int64(Mask.DEFENDS), cards["defence_plus"])
    return plus


@kernel
def flat_now(state: Record, cards: Record, position: int) -> np.int64:
    """Flat bonus at a position in the current half of the exchange."""
    return defence_flat(state, cards, position) if state["defending"] else attack_flat(state, cards, position)


@kernel
def plus_now(state: Record, cards: Record, position: int) -> np.int64:
    """Plus bonus at a position in the current half of the exchange."""
    return defence_plus(state, cards, position) if state["defending"] else attack_plus(state, cards, position)


# From the cleanup of an exchange to the start of the next (E2 to E4, ROOK-61 to 66).


@kernel
def clean_up(state: Record, cards: Record) -> None:
    """ROOK-61 to 63. E2: tokens expire, pending ones become active, cards leave the Rooklings."""
    expire(state, cards)
    for side in range(SEATS):
        seat = np.int64(state["attacker"]) if side == 0 else np.int64(1 - state["attacker"])
        for position in range(POSITIONS):
            empty_zone(state, cards, seat, np.int64(position))
    clear_table(state)


@kernel
def empty_zone(state: Record, cards: Record, seat: int, position: int) -> None:
    """ROOK-61. Discard the cards on a Rookling; a field effect that powered a line becomes a token."""
    if state["zone_n"][seat, position] == 0:
        return
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
    """Count the cards on a Rookling that powered a line, and those that did not."""
    slot, powered = state["at"][seat, position], np.int64(state["powered"][seat, position])
    for card in range(np.int64(state["zone_n"][seat, position])):
        if powered >> card & 1:
            state["energy_used"][seat, slot] += 1
        else:
            state["energy_vain"][seat, slot] += 1


@kernel
def close_game(state: Record) -> None:
    """ROOK-55. Finish the counts of a game that ends during an exchange."""
    for seat in range(SEATS):
        for position in range(POSITIONS):
            count_energy(state, np.int64(seat), np.int64(position))
    end_exchange(state)


@kernel
def note_use(state: Record, seat: int, effect_slot: int) -> None:
    """Count a field effect used by its owner or by the opponent."""
    if effect_slot // SQUAD == seat:
        state["used_by_owner"][effect_slot] += 1
    else:
        state["used_by_other"][effect_slot] += 1


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
    """ROOK-64, A-08. Draw up to a full hand, or draw a new hand."""
    if cards["draw_mode"] == DrawMode.NEW_HAND:
        while state["hand_n"][seat] > 0:
            put_away(state, seat)
    draw_cards(state, rng, seat, np.int64(cards["hand"]))


@kernel
def put_away(state: Record, seat: int) -> None:
    """A-08. Discard the last card of a hand before a new hand is drawn."""
    kind = leave_hand(state, seat, np.int64(state["hand_n"][seat]) - 1)
    if kind >= FIELD:
        state["thrown"][kind - FIELD] += 1
    add_to_discard(state, kind)


@kernel
def end_exchange(state: Record) -> None:
    """ROOK-66. Count a finished exchange."""
    for seat in range(SEATS):
        if state["turn"] < CURVE:
            state["life_after"][seat, state["turn"]] = state["life"][seat].sum()
    state["exchanges_with"][min(np.int64(SQUAD), np.int64(state["flips_in"]))] += 1
    state["flips_in"] = 0
    state["turn"] += 1


@kernel
def begin_exchange(state: Record, cards: Record, attacker: int) -> None:
    """ROOK-11, 66. Start a seat's attack. At `turn_cap` the game stops instead."""
    state["attacker"] = attacker
    state["defending"] = 0
    state["phase"] = Phase.CLEAR
    if state["turn"] < cards["turn_cap"]:
        note_begin(state, attacker)


@kernel
def note_begin(state: Record, attacker: int) -> None:
    """Count the state of the game at the start of an attack."""
    state["attacks_begun"][attacker] += 1
    state["hand_at_attack"][attacker] += state["hand_n"][attacker]
    for seat in range(SEATS):
        state["visited"][seat, sieges(state, np.int64(seat)), sieges(state, np.int64(1 - seat))] = 1
        for slot in range(SQUAD):
            state["siege_exchanges"][seat, slot] += state["life"][seat, slot] == 0
