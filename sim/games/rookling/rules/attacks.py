"""Declaring attacks and defences (ROOK-38 to 44), resolving them (ROOK-45 to 56), and the attacker's end tokens (ROOK-59, 60).

A resolution is two integers: `force` holds the declared attacks and defences, `clash` holds what changes: lives; which
attacks are open, which blocks are used and which attacks hit; the packet under way and the decision it waits for. `decide`
carries out one decision and returns the next clash, so a search branches by value, without copying or undoing. The game, the
search for the best response, poison (all defences 0) and the tests run the same kernels.
"""

from enum import IntEnum

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.cards import EFFECTS, LINES, SQUAD, E1Order, HoldBlock, Kind, Mask, Op
from sim.games.rookling.rules.abilities import attack_flat, attack_plus, defence_flat, defence_plus, give, heal, spend, sum_at
from sim.games.rookling.rules.energy import lines_met, lines_of, own_amount, power, rook_at, side_at
from sim.games.rookling.state import (
    LEFT,
    MIDDLE,
    NOBODY,
    PERIOD,
    PERIODS,
    POSITIONS,
    RIGHT,
    Cause,
    Phase,
    defender_of,
    kinds_at,
    mover,
)

# Declaring attacks (A4) and defences (D3): ROOK-12, 27, 38 to 44.


NO_LINE = 0  # option of ATTACK and DEFEND


@kernel
def declared_kind(state: Record) -> np.int64:
    """The kind of line that the mover declares."""
    return np.int64(Kind.DEFENCE) if state["defending"] else np.int64(Kind.ATTACK)


@kernel
def list_lines(state: Record, cards: Record, position: int, out: np.ndarray) -> int:
    """ROOK-12, 27. Options of ATTACK and DEFEND at a position: none, or the first or second line of that kind if met."""
    rook, lines, count = rook_at(state, mover(state), position), declarable(state, cards, position), 1
    out[0] = NO_LINE
    for line in range(LINES):
        if lines >> line & 1:
            out[count] = cards["place"][rook, line]
            count += 1
    return count


@kernel
def declarable(state: Record, cards: Record, position: int) -> int:
    """ROOK-12, 27. Lines that the mover can declare at a position, by bit."""
    seat = mover(state)
    if cards["one_line_per_rookling"] and state["activated"][seat, position]:
        return 0
    return lines_met(state, cards, seat, position) & lines_of(cards, rook_at(state, seat, position), declared_kind(state))


@kernel
def take_line(state: Record, cards: Record, position: int, place: int) -> None:
    """ROOK-27. Use a line at a position. place: 1 or 2 in printed order among its kind, or NO_LINE."""
    seat, kind = mover(state), declared_kind(state)
    state["line"][seat, position] = NOBODY
    if place == NO_LINE:
        return
    rook, slot = rook_at(state, seat, position), state["at"][seat, position]
    for line in range(LINES):
        if cards["kind"][rook, line] == kind and cards["place"][rook, line] == place:
            state["line"][seat, position] = line
            state["line_used"][seat, slot, line] += 1
            power(state, cards, seat, position, line)


@kernel
def note_met(state: Record, cards: Record) -> None:
    """Count the lines for this half of the exchange that the cards on the table meet.

    An activated special line counts as met, even if its card was flipped since and the other side needs more.
    """
    seat, kind = mover(state), declared_kind(state)
    for position in range(POSITIONS):
        if state["zone_n"][seat, position] == 0:
            continue
        rook, slot = rook_at(state, seat, position), state["at"][seat, position]
        of_use = lines_of(cards, rook, kind) | lines_of(cards, rook, Kind.SPECIAL)
        lines = lines_met(state, cards, seat, position) & of_use | state["activated"][seat, position]
        for line in range(LINES):
            state["line_met"][seat, slot, line] += lines >> line & 1


@kernel
def offer(own: int, flat: int, plus: int) -> int:
    """ROOK-39. Points of a line with flat and plus bonuses: 0 if there is no base, and never below 0."""
    if own + flat <= 0:
        return 0
    return min(AMOUNT_MAX, max(0, own + flat + plus))


@kernel
def own_points(state: Record, cards: Record, seat: int, position: int) -> int:
    """ROOK-26. Points of the line that a Rookling uses, 0 without one."""
    line = state["line"][seat, position]
    return own_amount(state, cards, seat, position, line) if line != NOBODY else 0


@kernel
def defence_base(state: Record, cards: Record, position: int) -> int:
    """ROOK-39, 42. Base defence of the defender's Rookling at a position: its line and all flat bonuses."""
    return own_points(state, cards, defender_of(state), position) + defence_flat(state, cards, position)


@kernel
def declare_attacks(state: Record, cards: Record) -> None:
    """ROOK-17, 38 to 42. Fix the attacks, each on the opposite position.

    Then tokens of the attacking turn are spent, and tokens of the attacked Rooklings act.
    """
    seat = state["attacker"]
    for position in range(POSITIONS):
        own = own_points(state, cards, seat, position)
        amount = offer(own, attack_flat(state, cards, position), attack_plus(state, cards, position))
        state["att"][position] = amount
        slot, side = state["at"][seat, position], side_at(state, seat, position)
        state["declared"][seat, slot, side] += amount
        state["attack_turns"][seat, slot, side] += 1
    for slot in range(SQUAD):
        spend(state, cards, seat, slot, Mask.ATTACK_TURN)
    for position in range(POSITIONS):
        if state["att"][position] > 0 and kinds_at(state, defender_of(state), position) != 0:
            face(state, cards, position)


@kernel
def face(state: Record, cards: Record, position: int) -> None:
    """ROOK-41, 42, 44. Let the tokens of an attacked Rookling act: they cancel the attack or give flat defence."""
    seat = defender_of(state)
    slot = state["at"][seat, position]
    if kinds_at(state, seat, position) & cards["token_mask"][Mask.CANCEL_ATTACK]:
        attacker = state["attacker"]
        state["lost_hidden"][attacker, state["at"][attacker, position]] += state["att"][position]
        state["att"][position] = 0
        spend(state, cards, seat, slot, Mask.CANCEL_ATTACK)
        return
    state["cover"][position] = sum_at(state, cards, seat, position, Mask.FACED, cards["defence_flat"])
    spend(state, cards, seat, slot, Mask.FACED)


@kernel
def declare_defences(state: Record, cards: Record) -> None:
    """ROOK-43. Fix the defences; tokens that defended an attacked Rookling are spent."""
    seat = defender_of(state)
    for position in range(POSITIONS):
        amount = offer(defence_base(state, cards, position), 0, defence_plus(state, cards, position))
        state["dfn"][position] = amount
        if (
            state["att"][position] > 0
            and kinds_at(state, seat, position) & cards["token_mask"][Mask.DEFENDS]
            and defence_base(state, cards, position) > 0
        ):
            spend(state, cards, seat, state["at"][seat, position], Mask.DEFENDS)


# One resolution as two integers (ROOK-45 to 56).


class Stage(IntEnum):
    """The decision that a clash waits for, or its end. LOST: all three Rooklings are in siege-state (ROOK-55)."""

    NONE = 0
    NEXT = 1
    SIDE = 2
    BLOCK = 3
    DONE = 4
    LOST = 5


HOLD, USE = 0, 1  # answers to BLOCK
ALIVE_BONUS = 2  # worth of a Rookling with life in `value_of`, in life points
AMOUNT_MAX = 1023  # points of an attack or a defence

# Bits of a clash: life (4 by position), open, used (1 each), bearer of the hit (2 each: 0 none, 1 + position), then
# the packet under way: stage; struck, landing and blocking position; points left.
_LIFE_BITS, _LIFE = 4, 15
OPEN_AT = 12
USED_AT = 15
BEARER_AT, BEARER_BITS, _TWO = 18, 2, 3
_STAGE, _STAGE_MASK = 24, 7
STRUCK_AT = 27
LANDING_AT = 29
BLOCKER_AT = 31
LEFT_AT = 33
# Bits of a force: attack by position, then defence by position.
AMOUNT_BITS = 10


@kernel
def force_of(attacks: np.ndarray, defences: np.ndarray) -> int:
    """Pack declared amounts. attacks, defences: points by position, 0..AMOUNT_MAX, shape (POSITIONS,)."""
    force = 0
    for position in range(POSITIONS):
        force |= int(attacks[position]) << (AMOUNT_BITS * position)
        force |= int(defences[position]) << (AMOUNT_BITS * (POSITIONS + position))
    return force


@kernel
def with_defences(force: int, defences: tuple[int, int, int]) -> int:
    """A force with other defences, given by position."""
    changed = force & ((1 << (AMOUNT_BITS * POSITIONS)) - 1)
    for position in range(POSITIONS):
        changed |= int(defences[position]) << (AMOUNT_BITS * (POSITIONS + position))
    return changed


@kernel
def attack_of(force: int, position: int) -> int:
    """Attack declared against a position, 0..AMOUNT_MAX."""
    return force >> (AMOUNT_BITS * position) & AMOUNT_MAX


@kernel
def defence_of(force: int, position: int) -> int:
    """Defence declared at a position, 0..AMOUNT_MAX."""
    return force >> (AMOUNT_BITS * (POSITIONS + position)) & AMOUNT_MAX


@kernel
def begin_clash(force: int, left: int, middle: int, right: int) -> int:
    """ROOK-45. A resolution before its first packet. left, middle, right: life of the defending row, 0..15."""
    clash = left | middle << _LIFE_BITS | right << (2 * _LIFE_BITS)
    for position in range(POSITIONS):
        if attack_of(force, position) > 0:  # ROOK-40: an attack of 0 is no attack
            clash |= 1 << (OPEN_AT + position)
    return to_stage(clash, Stage.NEXT if clash >> OPEN_AT > 0 else Stage.DONE)


@kernel
def life_of(clash: int, position: int) -> int:
    """Life at a position, 0..15."""
    return clash >> (_LIFE_BITS * position) & _LIFE


@kernel
def is_open(clash: int, position: int) -> int:
    """1: the attack on a position is not resolved yet."""
    return clash >> (OPEN_AT + position) & 1


@kernel
def is_used(clash: int, position: int) -> int:
    """1: the Rookling at a position has used its block (ROOK-52)."""
    return clash >> (USED_AT + position) & 1


@kernel
def bearer_of(clash: int, position: int) -> int:
    """ROOK-56. Position of the Rookling that bears the hit of an attack, or NOWHERE (-1) if it was fully blocked."""
    return (clash >> (BEARER_AT + BEARER_BITS * position) & _TWO) - 1


@kernel
def stage_of(clash: int) -> int:
    """The Stage of a clash."""
    return clash >> _STAGE & _STAGE_MASK


@kernel
def struck_of(clash: int) -> int:
    """Position whose attack is being resolved, or was resolved last."""
    return clash >> STRUCK_AT & _TWO


@kernel
def landing_of(clash: int) -> int:
    """Position on which that packet lands: the struck one until it spills."""
    return clash >> LANDING_AT & _TWO


@kernel
def blocker_of(clash: int) -> int:
    """Position that is asked to block."""
    return clash >> BLOCKER_AT & _TWO


@kernel
def left_of(clash: int) -> int:
    """Points left of the packet after the blocks so far, 0..AMOUNT_MAX."""
    return clash >> LEFT_AT


@kernel
def to_stage(clash: int, stage: int) -> int:
    """The clash at another stage."""
    return clash & ~(_STAGE_MASK << _STAGE) | stage << _STAGE


@kernel
def with_place(clash: int, shift: int, position: int) -> int:
    """The clash with another struck, landing or blocking position."""
    return clash & ~(_TWO << shift) | position << shift


@kernel
def open_attacks(clash: int) -> int:
    """Number of attacks that are not resolved yet, 0..3."""
    return is_open(clash, LEFT) + is_open(clash, MIDDLE) + is_open(clash, RIGHT)


@kernel
def only_open(clash: int) -> int:
    """The lowest position whose attack is not resolved yet."""
    if is_open(clash, LEFT):
        return LEFT
    return MIDDLE if is_open(clash, MIDDLE) else RIGHT


@kernel
def can_block(clash: int, force: int, position: int) -> bool:
    """ROOK-52. Whether a position has an unused declared defence."""
    return defence_of(force, position) > 0 and not is_used(clash, position)


@kernel
def more_may_come(clash: int, position: int) -> bool:
    """ROOK-53. Whether another packet can reach a position: its own attack, or a spill from a siege-state Rookling."""
    for other in range(POSITIONS):
        if is_open(clash, other) and (other == position or life_of(clash, other) == 0):
            return True
    return False


@kernel
def decide(clash: int, force: int, cards: Record, answer: int) -> int:
    """Carry out one decision of a clash, up to the next one or to the end of the packet.

    answer: a position for NEXT, 0 left or 1 right for SIDE, 0 hold or 1 block for BLOCK. After a packet the stage is DONE, LOST
    or NEXT (even if a single attack is left).
    """
    stage = stage_of(clash)
    if stage == Stage.NEXT:
        return strike(clash, force, cards, answer)
    if stage == Stage.SIDE:
        return land(clash, force, cards, RIGHT if answer else LEFT)
    return answer_block(clash, force, cards, answer)


@kernel
def strike(clash: int, force: int, cards: Record, position: int) -> int:
    """ROOK-46, 48. Resolve an attack on the Rookling it faces. One in siege-state blocks what it can and spills the rest."""
    closed = clash & ~(1 << (OPEN_AT + position))
    placed = with_place(with_place(closed, STRUCK_AT, position), LANDING_AT, position)
    begun = placed & ((1 << LEFT_AT) - 1) | attack_of(force, position) << LEFT_AT
    if life_of(begun, position) > 0:
        return land(begun, force, cards, position)
    if can_block(begun, force, position):
        if cards["siege_chain_blocks"] and more_may_come(begun, position):
            return ask_block(begun, position)
        begun = block(begun, force, position)
    return spill(begun, force, cards)


@kernel
def spill(clash: int, force: int, cards: Record) -> int:
    """ROOK-49, 50. Pass what a siege-state Rookling could not block on to a Rookling with life, undivided."""
    struck = struck_of(clash)
    if left_of(clash) == 0:
        return finish(clash)
    if not cards["hit_on_landing"]:
        clash = with_hit(clash, struck)
    if struck == MIDDLE:
        if life_of(clash, LEFT) > 0 and life_of(clash, RIGHT) > 0:
            return to_stage(clash, Stage.SIDE)
        return land(clash, force, cards, LEFT if life_of(clash, LEFT) > 0 else RIGHT)
    if life_of(clash, MIDDLE) > 0:
        return land(clash, force, cards, MIDDLE)
    if cards["siege_chain_blocks"] and can_block(clash, force, MIDDLE):  # the spill passes over it
        if more_may_come(clash, MIDDLE):
            return ask_block(clash, MIDDLE)
        clash = block(clash, force, MIDDLE)
    return land(clash, force, cards, RIGHT - struck)


@kernel
def land(clash: int, force: int, cards: Record, position: int) -> int:
    """ROOK-46, 51, 53. A packet lands on a Rookling with life, which blocks, or can hold its block back."""
    if left_of(clash) == 0:  # blocked in full on its way
        return finish(clash)
    clash = with_place(clash, LANDING_AT, position)
    if can_block(clash, force, position):
        if cards["hold_block"] == HoldBlock.FREE or more_may_come(clash, position):
            return ask_block(clash, position)
        clash = block(clash, force, position)
    return hurt(clash, cards)


@kernel
def ask_block(clash: int, position: int) -> int:
    """Ask for BLOCK at a position."""
    return to_stage(with_place(clash, BLOCKER_AT, position), Stage.BLOCK)


@kernel
def answer_block(clash: int, force: int, cards: Record, answer: int) -> int:
    """ROOK-53. Block with the whole defence or hold it back, then continue the packet."""
    blocker = blocker_of(clash)
    if answer == USE:
        clash = block(clash, force, blocker)
    if life_of(clash, blocker) > 0:
        return hurt(clash, cards)
    if blocker == struck_of(clash):
        return spill(clash, force, cards)
    return land(clash, force, cards, RIGHT - struck_of(clash))


@kernel
def block(clash: int, force: int, position: int) -> int:
    """ROOK-52. Use the whole declared defence of a position on the packet."""
    left = max(0, left_of(clash) - defence_of(force, position))
    return clash & ((1 << LEFT_AT) - 1) | 1 << (USED_AT + position) | left << LEFT_AT


@kernel
def hurt(clash: int, cards: Record) -> int:
    """ROOK-46, 47, 51, 56. The Rookling on which the packet landed loses life; any excess is lost."""
    position, left = landing_of(clash), left_of(clash)
    if left > 0 and (position == struck_of(clash) or cards["hit_on_landing"]):
        clash = with_hit(clash, position)
    lost = min(left, life_of(clash, position))
    return finish(clash - (lost << (_LIFE_BITS * position)))


@kernel
def with_hit(clash: int, bearer: int) -> int:
    """ROOK-56. Record an attack that was not fully blocked; the Rookling at `bearer` will get its tokens."""
    shift = BEARER_AT + BEARER_BITS * struck_of(clash)
    return clash & ~(_TWO << shift) | (bearer + 1) << shift


@kernel
def finish(clash: int) -> int:
    """ROOK-45, 55. After a packet, go on to the next one or to the end."""
    if clash & ((1 << OPEN_AT) - 1) == 0:  # no life left anywhere
        return to_stage(clash, Stage.LOST)
    return to_stage(clash, Stage.NEXT if open_attacks(clash) > 0 else Stage.DONE)


# The resolution in the game: D4 and E1 (ROOK-45 to 60).


FACED, SPILLED_ONCE, SPILLED_TWICE = 0, 1, 2
BEHIND = 2  # place of the landing Rookling on the path of a packet


@kernel
def hurt_seat(state: Record) -> int:
    """The seat whose row takes damage: the defender, in E1b the attacker."""
    return state["attacker"] if state["poison"] else defender_of(state)


@kernel
def force_now(state: Record) -> int:
    """The declared amounts, packed."""
    return force_of(state["att"], state["dfn"])


@kernel
def begin_battle(state: Record, cards: Record) -> None:
    """ROOK-45. Start resolving the declared amounts."""
    seat = hurt_seat(state)
    lives = state["life"][seat]
    left, middle, right = state["at"][seat]
    state["clash"] = begin_clash(force_now(state), lives[left], lives[middle], lives[right])
    go_on(state, cards)


@kernel
def answer(state: Record, cards: Record, option: int) -> None:
    """Carry out NEXT, SIDE or BLOCK, then everything that follows without a choice."""
    step(state, cards, option)
    go_on(state, cards)


@kernel
def go_on(state: Record, cards: Record) -> None:
    """Resolve a single open attack without asking, up to a decision or the end."""
    while stage_of(state["clash"]) == Stage.NEXT and open_attacks(state["clash"]) == 1:
        step(state, cards, only_open(state["clash"]))


@kernel
def step(state: Record, cards: Record, option: int) -> None:
    """Carry out one decision of the clash. If it ends a packet, update life and counts."""
    before = state["clash"]
    after = decide(before, force_now(state), cards, option)
    state["clash"] = after
    note_blocks(state, before, after)
    stage = stage_of(after)
    if stage in (Stage.NEXT, Stage.DONE, Stage.LOST):
        end_packet(state, before, after)


@kernel
def note_blocks(state: Record, before: int, after: int) -> None:
    """Count the blocks that a decision used, on the attack faced or on a spill, and the damage each prevented."""
    seat, struck = hurt_seat(state), struck_of(after)
    left = attack_of(force_now(state), struck) if stage_of(before) == Stage.NEXT else left_of(before)
    for place in range(POSITIONS):  # the order in which a packet can meet them: struck, passed over, landing
        position = struck if place == 0 else MIDDLE if place == 1 else landing_of(after)
        met = place > 0 and (position == struck or (place == BEHIND and position == MIDDLE))
        if met or not is_used(after, position) or is_used(before, position):
            continue
        slot, prevented = state["at"][seat, position], min(left, defence_of(force_now(state), position))
        left -= prevented
        state["blocked"][seat, slot] += prevented
        if position == struck:
            state["blocks_own"][seat, slot] += 1
        else:
            state["blocks_spill"][seat, slot] += 1


@kernel
def end_packet(state: Record, before: int, after: int) -> None:
    """ROOK-46, 47, 51. Write the life lost, and count who dealt and took the damage and how it arrived."""
    seat, struck, landing = hurt_seat(state), struck_of(after), landing_of(after)
    slot = state["at"][seat, landing]
    dealt = life_of(before, landing) - life_of(after, landing)
    way = FACED if landing == struck else SPILLED_ONCE if MIDDLE in (struck, landing) else SPILLED_TWICE
    cause = Cause.POISON if state["poison"] else Cause.ATTACK if way == FACED else Cause.SPILL
    if not state["poison"]:
        note_attack(state, after, dealt, way)
    state["taken"][seat, slot, cause] += dealt
    if dealt > 0:
        state["life"][seat, slot] = life_of(after, landing)
        if life_of(after, landing) == 0:
            note_flip(state, seat, slot, cause)
    if stage_of(after) == Stage.LOST:
        state["last_blow"] = cause


@kernel
def note_attack(state: Record, after: int, dealt: int, way: int) -> None:
    """Count where a declared attack went: life, blocks, excess."""
    attacker, seat, struck = state["attacker"], hurt_seat(state), struck_of(after)
    source = state["at"][attacker, struck]
    declared = attack_of(force_now(state), struck)
    blocked = declared - left_of(after)
    side = int(state["life"][attacker, source] == 0)
    state["dealt"][attacker, source, side] += dealt
    state["lost_block"][attacker, source] += blocked
    state["lost_excess"][attacker, source] += left_of(after) - dealt
    state["landed"][seat, way] += dealt
    period = min(PERIODS - 1, state["turn"] // PERIOD)
    state["damage_in"][period] += dealt
    state["spill_in"][period] += dealt if way != FACED else 0


@kernel
def note_flip(state: Record, seat: int, slot: int, cause: int) -> None:
    """ROOK-47. Count a Rookling that flips to its siege-state side."""
    state["flips"][seat, slot, cause] += 1
    state["flips_in"] += 1
    if state["first_flip"][seat, slot] == 0:
        state["first_flip"][seat, slot] = state["turn"] + 1
        state["flip_cause"][seat, slot] = cause
    down = 0
    for other in range(SQUAD):
        down += state["life"][seat, other] == 0
    if down == SQUAD - 1 and state["two_down"][seat] == 0:
        state["two_down"][seat] = state["turn"] + 1


@kernel
def put_hits(state: Record, cards: Record) -> None:
    """ROOK-56. Put the tokens of attacks that were not fully blocked under the struck Rooklings, by position."""
    attacker, seat = state["attacker"], defender_of(state)
    for position in range(POSITIONS):
        bearer, line = bearer_of(state["clash"], position), state["line"][attacker, position]
        if bearer < 0 or line == NOBODY:
            continue
        source, target = state["at"][attacker, position], state["at"][seat, bearer]
        rook, side = state["rook"][attacker, source], int(state["life"][attacker, source] == 0)
        for effect in range(EFFECTS):
            if cards["op"][rook, line, effect] == Op.TOKEN_ON_HIT:
                kind = cards["token"][rook, line, effect]
                copies = cards["value"][rook, line, effect, side]
                given = give(state, seat, target, kind, copies)
                state["given"][attacker, source] += given
                state["given_kind"][attacker, kind] += given


@kernel
def begin_poison(state: Record, cards: Record) -> None:
    """ROOK-44, 60. E1b: turn the damage tokens of the attacker's Rooklings into packets that cannot be blocked."""
    seat = state["attacker"]
    state["poison"] = 1
    for position in range(POSITIONS):
        state["att"][position] = 0
        state["dfn"][position] = 0
        if kinds_at(state, seat, position) != 0:
            damage = sum_at(state, cards, seat, position, Mask.DAMAGE, cards["damage"])
            state["att"][position] = min(AMOUNT_MAX, damage)
            spend(state, cards, seat, state["at"][seat, position], Mask.DAMAGE)
    begin_battle(state, cards)


@kernel
def grow_back(state: Record, cards: Record) -> None:
    """ROOK-59. E1a: heal tokens of the attacker's Rooklings act and are spent."""
    seat = state["attacker"]
    for position in range(POSITIONS):
        if kinds_at(state, seat, position) & cards["token_mask"][Mask.HEAL]:
            slot = state["at"][seat, position]
            points = sum_at(state, cards, seat, position, Mask.HEAL, cards["heal"])
            heal(state, cards, seat, slot, points)
            spend(state, cards, seat, slot, Mask.HEAL)


@kernel
def after_clash(state: Record, cards: Record) -> bool:
    """ROOK-55, 59, 60. Continue after a resolution. Returns whether the exchange goes on to its cleanup.

    After D4 come hits and the attacker's end-of-attack tokens, which can ask for decisions or end the game.
    """
    if stage_of(state["clash"]) == Stage.LOST:
        state["winner"] = 1 - hurt_seat(state)
        state["phase"] = Phase.OVER
        return False
    if not state["poison"]:
        put_hits(state, cards)
        state["defending"] = 0
        if cards["e1_order"] == E1Order.HEAL_FIRST:
            grow_back(state, cards)
        begin_poison(state, cards)
        return False
    state["poison"] = 0
    state["clash"] = 0
    if cards["e1_order"] == E1Order.DAMAGE_FIRST:
        grow_back(state, cards)
    return True


# The defender's best response: every way to resolve a clash, searched to its end.


HIT_STEPS = POSITIONS + 1  # values per life point, so that hits only break ties
BELOW_ALL = -1  # below every value: these are 0..3 if all is lost, more with any life


@kernel
def value_of(clash: int) -> int:
    """Value of an ended resolution to the defender: life plus a bonus for each Rookling with life; ties go to fewer hits."""
    worth, hits = 0, 0
    for position in range(POSITIONS):
        life = life_of(clash, position)
        worth += life + (ALIVE_BONUS if life > 0 else 0)
        hits += bearer_of(clash, position) >= 0
    return worth * HIT_STEPS + POSITIONS - hits


@kernel
def best_response(clash: int, force: int, cards: Record) -> int:
    """The ended resolution of the highest value; among equals the first in canonical order.

    Canonical order: positions ascending, left before right, blocking before holding. If no Rookling is in siege-state, every
    order ends alike (ROOK-53 leaves no choice, unless A-13 lets blocks be held back freely), so only one is tried.
    """
    for _ in range(POSITIONS):
        if stage_of(clash) != Stage.NEXT or (
            open_attacks(clash) > 1 and (anyone_down(clash) or cards["hold_block"] == HoldBlock.FREE)
        ):
            break
        clash = decide(clash, force, cards, only_open(clash))
    stage = stage_of(clash)
    if stage in (Stage.DONE, Stage.LOST):
        return clash
    best, value = 0, BELOW_ALL
    for choice in range(POSITIONS if stage == Stage.NEXT else 2):
        reply = USE - choice if stage == Stage.BLOCK else choice
        if stage != Stage.NEXT or is_open(clash, choice):
            ended = best_response(decide(clash, force, cards, reply), force, cards)
            if value_of(ended) > value:
                best, value = ended, value_of(ended)
    return best


@kernel
def anyone_down(clash: int) -> bool:
    """Whether a Rookling of the row is in siege-state."""
    for position in range(POSITIONS):
        if life_of(clash, position) == 0:
            return True
    return False
