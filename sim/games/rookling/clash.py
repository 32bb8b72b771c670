"""The resolution core (ROOK-45 to 56): attacks meet defences, one packet after the other.

A resolution is two whole numbers: `force`, the attacks and defences as declared, and `clash`, what changes: lives, what
is open, used and hit, and where in a packet a decision is pending. `decide` carries one decision out and returns the
next clash, so that a search branches by value: nothing to copy, nothing to undo. The game, the defender's exhaustive
search, E1b (poison: all defences 0) and the tests run the same kernels.
"""

from enum import IntEnum

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.record import HoldBlock
from sim.games.rookling.state import LEFT, MIDDLE, POSITIONS, RIGHT


class Stage(IntEnum):
    """What a clash waits for. Past NEXT a packet is under way; LOST: all three are in siege-state (ROOK-55)."""

    NONE = 0
    NEXT = 1
    SIDE = 2
    BLOCK = 3
    DONE = 4
    LOST = 5


HOLD, USE = 0, 1  # answers to BLOCK
ALIVE_BONUS = 2  # worth of a Rookling with life, in life points, to the reference objective
AMOUNT_MAX = 1023  # points of an attack or a defence

# Bits of a clash: life (4 by position), open, used (1 each), bearer of the hit (2 each: 0 none, 1 + position), then
# the packet under way: stage, struck, landing, blocker, and what is left of it.
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
def force_of(attacks: np.ndarray, defences: np.ndarray) -> np.int64:
    """Pack what was declared. attacks, defences: points by position, 0..AMOUNT_MAX, (POSITIONS,)."""
    force = np.int64(0)
    for position in range(POSITIONS):
        force |= np.int64(attacks[position]) << (AMOUNT_BITS * position)
        force |= np.int64(defences[position]) << (AMOUNT_BITS * (POSITIONS + position))
    return force


@kernel
def with_defences(force: int, defences: tuple[int, int, int]) -> np.int64:
    """The force with other defences, by position."""
    changed = np.int64(force & ((np.int64(1) << (AMOUNT_BITS * POSITIONS)) - 1))
    for position in range(POSITIONS):
        changed |= np.int64(defences[position]) << (AMOUNT_BITS * (POSITIONS + position))
    return changed


@kernel
def attack_of(force: int, position: int) -> np.int64:
    """Attack declared against a position, 0..AMOUNT_MAX."""
    return np.int64(force >> (AMOUNT_BITS * position) & AMOUNT_MAX)


@kernel
def defence_of(force: int, position: int) -> np.int64:
    """Defence declared at a position, 0..AMOUNT_MAX."""
    return np.int64(force >> (AMOUNT_BITS * (POSITIONS + position)) & AMOUNT_MAX)


@kernel
def begin_clash(force: int, left: int, middle: int, right: int) -> np.int64:
    """ROOK-45. A resolution before its first packet. left, middle, right: lives of the struck row, 0..15."""
    clash = np.int64(left) | np.int64(middle) << _LIFE_BITS | np.int64(right) << (2 * _LIFE_BITS)
    for position in range(POSITIONS):
        if attack_of(force, position) > 0:  # ROOK-40: an attack of 0 is no attack
            clash |= np.int64(1) << (OPEN_AT + position)
    return to_stage(clash, Stage.NEXT if clash >> OPEN_AT > 0 else Stage.DONE)


@kernel
def life_of(clash: int, position: int) -> np.int64:
    """Life at a position, 0..15."""
    return np.int64(clash >> (_LIFE_BITS * position) & _LIFE)


@kernel
def is_open(clash: int, position: int) -> np.int64:
    """1: the attack on a position is still to be resolved."""
    return np.int64(clash >> (OPEN_AT + position) & 1)


@kernel
def is_used(clash: int, position: int) -> np.int64:
    """1: a position has used its block (ROOK-52)."""
    return np.int64(clash >> (USED_AT + position) & 1)


@kernel
def bearer_of(clash: int, position: int) -> np.int64:
    """ROOK-56. Position that bears the hit of the attack on a position, NOWHERE (-1) if it was blocked in full."""
    return np.int64((clash >> (BEARER_AT + BEARER_BITS * position) & _TWO) - 1)


@kernel
def stage_of(clash: int) -> np.int64:
    """What is pending: a Stage."""
    return np.int64(clash >> _STAGE & _STAGE_MASK)


@kernel
def struck_of(clash: int) -> np.int64:
    """Position whose attack is, or was last, resolved."""
    return np.int64(clash >> STRUCK_AT & _TWO)


@kernel
def landing_of(clash: int) -> np.int64:
    """Position on which that packet lands; the struck one until it spills."""
    return np.int64(clash >> LANDING_AT & _TWO)


@kernel
def blocker_of(clash: int) -> np.int64:
    """Position that is asked to block."""
    return np.int64(clash >> BLOCKER_AT & _TWO)


@kernel
def left_of(clash: int) -> np.int64:
    """What is left of the packet after the blocks so far, 0..AMOUNT_MAX."""
    return np.int64(clash >> LEFT_AT)


@kernel
def to_stage(clash: int, stage: int) -> np.int64:
    """The clash at another stage."""
    return np.int64(clash & ~(_STAGE_MASK << _STAGE) | np.int64(stage) << _STAGE)


@kernel
def with_place(clash: int, shift: int, position: int) -> np.int64:
    """The clash with another struck, landing or blocking position."""
    return np.int64(clash & ~(_TWO << shift) | np.int64(position) << shift)


@kernel
def open_attacks(clash: int) -> np.int64:
    """Attacks still to be resolved, 0..3."""
    return is_open(clash, LEFT) + is_open(clash, MIDDLE) + is_open(clash, RIGHT)


@kernel
def only_open(clash: int) -> np.int64:
    """The lowest position whose attack is to be resolved."""
    if is_open(clash, LEFT):
        return np.int64(LEFT)
    return np.int64(MIDDLE) if is_open(clash, MIDDLE) else np.int64(RIGHT)


@kernel
def can_block(clash: int, force: int, position: int) -> bool:
    """ROOK-52. Whether a position has a declared defence that is not used."""
    return defence_of(force, position) > 0 and not is_used(clash, position)


@kernel
def more_may_come(clash: int, position: int) -> bool:
    """ROOK-53. Whether another packet may reach a position: its own attack, or a spill from a siege-state Rookling."""
    for other in range(POSITIONS):
        if is_open(clash, other) and (other == position or life_of(clash, other) == 0):
            return True
    return False


@kernel
def decide(clash: int, force: int, cards: Record, answer: int) -> np.int64:
    """Carry out one decision of a clash, up to the next one or to the end of the packet.

    answer: NEXT a position, SIDE 0 left or 1 right, BLOCK 0 hold or 1 block. After a packet the stage is NEXT, even if a
    single attack is left, DONE or LOST.
    """
    stage = stage_of(clash)
    if stage == Stage.NEXT:
        return strike(clash, force, cards, answer)
    if stage == Stage.SIDE:
        return land(clash, force, cards, RIGHT if answer else LEFT)
    return answer_block(clash, force, cards, answer)


@kernel
def strike(clash: int, force: int, cards: Record, position: int) -> np.int64:
    """ROOK-46, 48. An attack reaches the Rookling it faces; one in siege-state blocks what it can and spills the rest."""
    closed = np.int64(clash & ~(np.int64(1) << (OPEN_AT + position)))
    placed = with_place(with_place(closed, STRUCK_AT, position), LANDING_AT, position)
    begun = np.int64(placed & ((np.int64(1) << LEFT_AT) - 1) | attack_of(force, position) << LEFT_AT)
    if life_of(begun, position) > 0:
        return land(begun, force, cards, position)
    if can_block(begun, force, position):
        if cards["siege_chain_blocks"] and more_may_come(begun, position):
            return ask_block(begun, position)
        begun = block(begun, force, position)
    return spill(begun, force, cards)


@kernel
def spill(clash: int, force: int, cards: Record) -> np.int64:
    """ROOK-49, 50. What a struck siege-state Rookling could not block goes on whole to a Rookling with life."""
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
    if cards["siege_chain_blocks"] and can_block(clash, force, MIDDLE):  # the one that is passed over
        if more_may_come(clash, MIDDLE):
            return ask_block(clash, MIDDLE)
        clash = block(clash, force, MIDDLE)
    return land(clash, force, cards, RIGHT - struck)


@kernel
def land(clash: int, force: int, cards: Record, position: int) -> np.int64:
    """ROOK-46, 51, 53. A packet lands on a Rookling with life, which blocks, or may hold its block back."""
    if left_of(clash) == 0:  # blocked in full on its way
        return finish(clash)
    clash = with_place(clash, LANDING_AT, position)
    if can_block(clash, force, position):
        if cards["hold_block"] == HoldBlock.FREE or more_may_come(clash, position):
            return ask_block(clash, position)
        clash = block(clash, force, position)
    return hurt(clash, cards)


@kernel
def ask_block(clash: int, position: int) -> np.int64:
    """Wait for BLOCK at a position."""
    return to_stage(with_place(clash, BLOCKER_AT, position), Stage.BLOCK)


@kernel
def answer_block(clash: int, force: int, cards: Record, answer: int) -> np.int64:
    """ROOK-53. Block with the whole defence or hold it back, then go on where the packet was."""
    blocker = blocker_of(clash)
    if answer == USE:
        clash = block(clash, force, blocker)
    if life_of(clash, blocker) > 0:
        return hurt(clash, cards)
    if blocker == struck_of(clash):
        return spill(clash, force, cards)
    return land(clash, force, cards, RIGHT - struck_of(clash))


@kernel
def block(clash: int, force: int, position: int) -> np.int64:
    """ROOK-52. Use the whole declared defence of a position on the packet."""
    left = max(np.int64(0), left_of(clash) - defence_of(force, position))
    return np.int64(clash & ((np.int64(1) << LEFT_AT) - 1) | np.int64(1) << (USED_AT + position) | left << LEFT_AT)


@kernel
def hurt(clash: int, cards: Record) -> np.int64:
    """ROOK-46, 47, 51, 56. The Rookling on which the packet landed loses life; what exceeds it is lost."""
    position, left = landing_of(clash), left_of(clash)
    if left > 0 and (position == struck_of(clash) or cards["hit_on_landing"]):
        clash = with_hit(clash, position)
    lost = min(left, life_of(clash, position))
    return finish(clash - (lost << (_LIFE_BITS * position)))


@kernel
def with_hit(clash: int, bearer: int) -> np.int64:
    """ROOK-56. The struck Rookling's attack was not fully blocked; `bearer` takes what it puts on."""
    shift = BEARER_AT + BEARER_BITS * struck_of(clash)
    return np.int64(clash & ~(_TWO << shift) | (np.int64(bearer) + 1) << shift)


@kernel
def finish(clash: int) -> np.int64:
    """ROOK-45, 55. After a packet: the next one, or the end."""
    if clash & ((np.int64(1) << OPEN_AT) - 1) == 0:  # no life left anywhere
        return to_stage(clash, Stage.LOST)
    return to_stage(clash, Stage.NEXT if open_attacks(clash) > 0 else Stage.DONE)
