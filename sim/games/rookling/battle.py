"""The resolution in the game (D4 and E1): packets one by one, what they do to the row, and what is told of them."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.clash import (
    AMOUNT_MAX,
    Stage,
    attack_of,
    bearer_of,
    begin_clash,
    decide,
    defence_of,
    force_of,
    is_used,
    landing_of,
    left_of,
    life_of,
    only_open,
    open_attacks,
    stage_of,
    struck_of,
)
from sim.games.rookling.record import EFFECTS, SQUAD, E1Order, Mask, Op
from sim.games.rookling.special import heal
from sim.games.rookling.state import MIDDLE, NOBODY, PERIOD, PERIODS, POSITIONS, Cause, Phase, defender_of, kinds_at
from sim.games.rookling.tokens import give, spend, sum_at

FACED, SPILLED_ONCE, SPILLED_TWICE = 0, 1, 2
BEHIND = 2  # place of the landing Rookling on a packet's way


@kernel
def hurt_seat(state: Record) -> np.int64:
    """Seat whose row is struck: the defender, in E1b the attacker."""
    return np.int64(state["attacker"]) if state["poison"] else defender_of(state)


@kernel
def force_now(state: Record) -> np.int64:
    """What was declared, packed."""
    return force_of(state["att"], state["dfn"])


@kernel
def begin_battle(state: Record, cards: Record) -> None:
    """ROOK-45. Begin to resolve what is declared against the row that is struck."""
    seat = hurt_seat(state)
    lives = state["life"][seat]
    left, middle, right = state["at"][seat]
    state["clash"] = begin_clash(
        force_now(state), np.int64(lives[left]), np.int64(lives[middle]), np.int64(lives[right])
    )
    go_on(state, cards)


@kernel
def answer(state: Record, cards: Record, option: int) -> None:
    """Carry out NEXT, SIDE or BLOCK, then whatever follows without a choice."""
    step(state, cards, option)
    go_on(state, cards)


@kernel
def go_on(state: Record, cards: Record) -> None:
    """Resolve single open attacks without asking, up to a decision or the end."""
    while stage_of(state["clash"]) == Stage.NEXT and open_attacks(state["clash"]) == 1:
        step(state, cards, only_open(state["clash"]))


@kernel
def step(state: Record, cards: Record, option: int) -> None:
    """One decision of the clash; where it ends a packet, its effects reach the row and the records."""
    before = np.int64(state["clash"])
    after = decide(before, force_now(state), cards, option)
    state["clash"] = after
    note_blocks(state, before, after)
    stage = stage_of(after)
    if stage in (Stage.NEXT, Stage.DONE, Stage.LOST):
        end_packet(state, before, after)


@kernel
def note_blocks(state: Record, before: int, after: int) -> None:
    """Count the blocks that a decision used, on the own attack or on a spill, and what each prevented."""
    seat, struck = hurt_seat(state), struck_of(after)
    left = attack_of(force_now(state), struck) if stage_of(before) == Stage.NEXT else left_of(before)
    for place in range(POSITIONS):  # the order in which a packet can meet them: struck, passed over, landing
        position = struck if place == 0 else np.int64(MIDDLE) if place == 1 else landing_of(after)
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
    """ROOK-46, 47, 51. Write the life lost; tell who dealt and took it and how it came."""
    seat, struck, landing = hurt_seat(state), struck_of(after), landing_of(after)
    slot = np.int64(state["at"][seat, landing])
    dealt = life_of(before, landing) - life_of(after, landing)
    way = FACED if landing == struck else SPILLED_ONCE if MIDDLE in (struck, landing) else SPILLED_TWICE
    cause = Cause.POISON if state["poison"] else Cause.ATTACK if way == FACED else Cause.SPILL
    if not state["poison"]:
        note_attack(state, after, dealt, way)
    state["taken"][seat, slot, cause] += dealt
    if dealt > 0:
        state["life"][seat, slot] = life_of(after, landing)
        if life_of(after, landing) == 0:
            note_flip(state, seat, slot, np.int64(cause))
    if stage_of(after) == Stage.LOST:
        state["last_blow"] = cause


@kernel
def note_attack(state: Record, after: int, dealt: int, way: int) -> None:
    """Register section 11. Where a declared attack went: into life, blocks, excess."""
    attacker, seat, struck = np.int64(state["attacker"]), hurt_seat(state), struck_of(after)
    source = state["at"][attacker, struck]
    declared = attack_of(force_now(state), struck)
    blocked = declared - left_of(after)
    side = np.int64(state["life"][attacker, source] == 0)
    state["dealt"][attacker, source, side] += dealt
    state["lost_block"][attacker, source] += blocked
    state["lost_excess"][attacker, source] += left_of(after) - dealt
    state["landed"][seat, way] += dealt
    period = min(PERIODS - 1, np.int64(state["turn"]) // PERIOD)
    state["damage_in"][period] += dealt
    state["spill_in"][period] += dealt if way != FACED else 0


@kernel
def note_flip(state: Record, seat: int, slot: int, cause: int) -> None:
    """ROOK-47. A Rookling turns to its siege-state side."""
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
    """ROOK-56. Attacks that were not fully blocked put their tokens under the struck Rookling, by position."""
    attacker, seat = np.int64(state["attacker"]), defender_of(state)
    for position in range(POSITIONS):
        bearer, line = bearer_of(state["clash"], position), np.int64(state["line"][attacker, position])
        if bearer < 0 or line == NOBODY:
            continue
        source, target = state["at"][attacker, position], np.int64(state["at"][seat, bearer])
        rook, side = state["rook"][attacker, source], np.int64(state["life"][attacker, source] == 0)
        for effect in range(EFFECTS):
            if cards["op"][rook, line, effect] == Op.TOKEN_ON_HIT:
                kind = np.int64(cards["token"][rook, line, effect])
                copies = np.int64(cards["value"][rook, line, effect, side])
                given = give(state, seat, target, kind, copies)
                state["given"][attacker, source] += given
                state["given_kind"][attacker, kind] += given


@kernel
def begin_poison(state: Record, cards: Record) -> None:
    """ROOK-44, 60. E1b: damage tokens of the attacker's Rooklings become packets without defence."""
    seat = np.int64(state["attacker"])
    state["poison"] = 1
    for position in range(POSITIONS):
        state["att"][position] = 0
        state["dfn"][position] = 0
        if kinds_at(state, seat, np.int64(position)) != 0:
            place = (seat, np.int64(position))
            damage = sum_at(state, cards, place, np.int64(Mask.DAMAGE), cards["damage"])
            state["att"][position] = min(np.int64(AMOUNT_MAX), damage)
            spend(state, cards, seat, np.int64(state["at"][seat, position]), np.int64(Mask.DAMAGE))
    begin_battle(state, cards)


@kernel
def grow_back(state: Record, cards: Record) -> None:
    """ROOK-59. E1a: heal tokens of the attacker's Rooklings act and are spent."""
    seat = np.int64(state["attacker"])
    for position in range(POSITIONS):
        if kinds_at(state, seat, np.int64(position)) & np.int64(cards["token_mask"][Mask.HEAL]):
            slot = np.int64(state["at"][seat, position])
            points = sum_at(state, cards, (seat, np.int64(position)), np.int64(Mask.HEAL), cards["heal"])
            heal(state, cards, seat, slot, points)
            spend(state, cards, seat, slot, np.int64(Mask.HEAL))


@kernel
def after_clash(state: Record, cards: Record) -> bool:
    """ROOK-55, 59, 60. What follows an ended resolution; returns whether the exchange goes on to its cleanup.

    After D4 come hits and the attacker's end-of-attack tokens; these may ask for decisions of their own, or end the game.
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
