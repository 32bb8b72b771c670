"""The course of a game: what comes after what (ROOK-11). Every step here goes on until somebody has a choice."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.battle import after_clash, begin_battle
from sim.games.rookling.clash import Stage, stage_of
from sim.games.rookling.declare import any_line, declare_attacks, declare_defences, note_met, take_line
from sim.games.rookling.energy import has_room, is_useful
from sim.games.rookling.finish import begin_exchange, clean_up, close_game, end_exchange, refill
from sim.games.rookling.record import NONE, SQUAD, Mask
from sim.games.rookling.special import next_special
from sim.games.rookling.state import POSITIONS, Phase, mover


@kernel
def can_clear(state: Record, cards: Record) -> bool:
    """ROOK-14. Whether the mover may discard a card to remove a token."""
    seat, found = mover(state), False
    for slot in range(SQUAD):
        found |= state["bears"][seat, slot] & cards["token_mask"][Mask.CLEARED] != 0
    return found and state["hand_n"][seat] > 0


@kernel
def enter_half(state: Record, cards: Record) -> None:
    """A1, D1. Ask for tokens to be cleared, if any can be; else go on to the row (A2) or to the energy (D2)."""
    if can_clear(state, cards):
        state["phase"] = Phase.CLEAR
    elif state["defending"]:
        state["phase"] = Phase.ASSIGN
    else:
        state["phase"] = Phase.ROW


@kernel
def can_place(state: Record, cards: Record) -> bool:
    """ROOK-20, 21. Whether the mover may place any card."""
    seat = mover(state)
    for position in range(POSITIONS):
        if has_room(state, cards, seat, np.int64(position)):
            for card in range(np.int64(state["hand_n"][seat])):
                kind = np.int64(state["hand"][seat, card])
                if cards["dump"] or is_useful(state, cards, seat, np.int64(position), kind):
                    return True
    return False


@kernel
def seek_special(state: Record, cards: Record, first: int) -> None:
    """ROOK-30. Ask for the next special line of the Rookling in focus, from line `first` on; else for the next card."""
    line = next_special(state, cards, np.int64(state["focus"]), first)
    if line == NONE:
        state["phase"] = Phase.ASSIGN
    else:
        state["cursor"] = line
        state["phase"] = Phase.ACTIVATE


@kernel
def enter_declaring(state: Record, cards: Record) -> None:
    """A4, D3. Begin to declare lines, position by position."""
    note_met(state, cards)
    state["phase"] = Phase.DEFEND if state["defending"] else Phase.ATTACK
    seek_line(state, cards, np.int64(0))


@kernel
def seek_line(state: Record, cards: Record, first: int) -> None:
    """Put the cursor on the next position with a choice of lines, from `first` on; POSITIONS where there is none."""
    position = first
    while position < POSITIONS and not any_line(state, cards, position):
        take_line(state, cards, position, np.int64(0))
        position += 1
    state["cursor"] = position


@kernel
def pursue(state: Record, cards: Record, rng: Record) -> None:
    """Go on until somebody has a choice or the game is over: every step without one is taken here."""
    if state["phase"] == Phase.ASSIGN and not can_place(state, cards):
        enter_declaring(state, cards)
    if state["phase"] == Phase.ATTACK and state["cursor"] == POSITIONS:
        declare_attacks(state, cards)
        state["defending"] = 1
        enter_half(state, cards)
        if state["phase"] == Phase.ASSIGN and not can_place(state, cards):
            enter_declaring(state, cards)
    if state["phase"] == Phase.DEFEND and state["cursor"] == POSITIONS:
        declare_defences(state, cards)
        begin_battle(state, cards)
        resolve(state, cards, rng)


@kernel
def resolve(state: Record, cards: Record, rng: Record) -> None:
    """D4 and E1. Wait for a decision of the resolution, or go on to the next exchange, or end the game."""
    stage = stage_of(state["clash"])
    while stage in (Stage.DONE, Stage.LOST):
        if after_clash(state, cards):
            clean_up(state, cards)
            refill(state, cards, rng)
            end_exchange(state)
            begin_exchange(state, cards, np.int64(1 - state["attacker"]))
            enter_half(state, cards)
            return
        if state["phase"] == Phase.OVER:
            close_game(state)
            return
        stage = stage_of(state["clash"])
    if stage == Stage.NEXT:
        state["phase"] = Phase.NEXT
    elif stage == Stage.SIDE:
        state["phase"] = Phase.SIDE
    else:
        state["phase"] = Phase.BLOCK
