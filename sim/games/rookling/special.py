"""Special lines (ROOK-30 to 37): what may be activated, whom it reaches, what it does."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.deck import draw_card, hand_room, shuffle_in
from sim.games.rookling.energy import meets, power, rook_at, takes_energy
from sim.games.rookling.record import EFFECTS, LINES, NONE, Kind, Mask, Op, Scope
from sim.games.rookling.state import CAPACITY_MAX, NOWHERE, POSITIONS, Phase, kinds_at, mover, side_of
from sim.games.rookling.tokens import give, remove_tokens


@kernel
def next_special(state: Record, cards: Record, position: int, first: int) -> np.int64:
    """ROOK-30. The first special line from `first` on that the mover may activate at a position; NONE if there is none."""
    seat = mover(state)
    for line in range(first, LINES):
        if is_offered(state, cards, seat, position, np.int64(line)):
            return np.int64(line)
    return np.int64(NONE)


@kernel
def is_offered(state: Record, cards: Record, seat: int, position: int, line: int) -> bool:
    """ROOK-30. Met now, not yet activated, not barred by a token, and of some effect."""
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
    """Field effect slot of the Rookling at a position."""
    return np.int64(seat * POSITIONS + state["at"][seat, position])


@kernel
def in_scope(scope: int, position: int, target: int) -> bool:
    """Register section 2.3, ROOK-18. Whether an effect used at a position reaches a target position."""
    near = abs(position - target)
    if scope == Scope.SELF:
        return near == 0
    if scope == Scope.NEIGHBOURS:
        return near == 1
    return scope != Scope.SELF_OR_NEIGHBOUR or near <= 1


@kernel
def chooses(cards: Record, rook: int, line: int) -> bool:
    """Whether a line has an effect whose target its player picks."""
    for effect in range(EFFECTS):
        if cards["op"][rook, line, effect] != Op.NONE and cards["scope"][rook, line, effect] >= Scope.SELF_OR_NEIGHBOUR:
            return True
    return False


@kernel
def is_target(state: Record, cards: Record, position: int, line: int, target: int) -> bool:
    """ROOK-32 to 34. Whether the mover may pick a target: some effect that picks would change something there."""
    seat = mover(state)
    rook = rook_at(state, seat, position)
    for effect in range(EFFECTS):
        picks = cards["scope"][rook, line, effect] >= Scope.SELF_OR_NEIGHBOUR
        if picks and changes(state, cards, (seat, position, line, np.int64(effect)), target):
            return True
    return False


@kernel
def list_targets(state: Record, cards: Record, out: np.ndarray) -> int:
    """Options of TARGET: positions, ascending."""
    count, position, line = 0, np.int64(state["focus"]), np.int64(state["cursor"])
    for target in range(POSITIONS):
        if is_target(state, cards, position, line, np.int64(target)):
            out[count] = target
            count += 1
    return count


@kernel
def activate(state: Record, cards: Record, rng: Record) -> None:
    """ROOK-30. Activate the line at hand: ask for the target where there are several."""
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
    """ROOK-30. The effects of the line at hand happen at once, in printed order. picked: target position, NOWHERE."""
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
            give(
                state, seat, np.int64(state["at"][seat, position]), np.int64(cards["token"][rook, line, effect]), value
            )
        elif op != Op.NONE:
            for target in range(POSITIONS):
                chosen = target == picked if scope >= Scope.SELF_OR_NEIGHBOUR else in_scope(scope, position, target)
                if chosen:
                    affect(state, cards, op, np.int64(target), value)


@kernel
def draw_more(state: Record, cards: Record, rng: Record, count: int) -> None:
    """ROOK-36. Draw cards in the middle of the own turn, never above the largest hand."""
    seat = mover(state)
    for _ in range(count):
        if state["hand_n"][seat] < hand_room(cards) and state["deck_n"] + state["disc_n"] > 0:
            draw_card(state, rng, seat)


@kernel
def affect(state: Record, cards: Record, op: int, target: int, value: int) -> None:
    """ROOK-32 to 35. One effect on one own Rookling."""
    seat = mover(state)
    if op == Op.HEAL:
        heal(state, cards, seat, np.int64(state["at"][seat, target]), value)
    elif op == Op.CLEANSE:
        harmful = np.int64(cards["token_mask"][Mask.HARMFUL])
        remove_tokens(state, cards, seat, np.int64(state["at"][seat, target]), harmful)
    elif op == Op.CHARGE:
        if takes_energy(state, cards, seat, target):  # a card in hand is asked for by the offer only
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
    """ROOK-32, 58. Life grows, at most to the cap; from 0 the Rookling leaves siege-state."""
    life = np.int64(state["life"][seat, slot])
    state["life"][seat, slot] = min(np.int64(cards["heal_cap"]), life + points)
    state["healed_back"][seat, slot] += life == 0
