"""Turns and decisions: what is open, and the one branch on what is decided (register section 5)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.arena.ability import (
    choose_ability,
    pay_rage,
    place_dragonling,
    roll_attack,
    take_step,
    use_ability,
)
from sim.games.arena.deal import choose_start
from sim.games.arena.options import list_abilities, list_payments, list_placements, list_starts
from sim.games.arena.phases import end_turn
from sim.games.arena.reach import reach, reach_to_attack
from sim.games.arena.state import Phase, put


@kernel
def to_act(state: Record) -> int:
    """Seat that decides: the active one, but for the path of a slanted push, whose chooser `ask_step` has noted."""
    return state["chooser"] if state["phase"] == Phase.STEP else state["active"]


@kernel
def is_over(state: Record) -> bool:
    """ARENA-81. One hero is left."""
    return state["phase"] == Phase.OVER


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Register section 5. List the options of the decision at hand; `out` has room for hexes behind the options."""
    phase, seat = state["phase"], state["active"]
    hero, ability = state["hero"][seat], state["ability"]
    if phase == Phase.MOVE:
        return reach(state, cards, seat, 0, max(0, cards["move"][hero] - state["slow"][seat]), out)
    if phase == Phase.ABILITY:
        return list_abilities(state, cards, out)
    if phase == Phase.STEP:
        out[0], out[1] = state["step_a"], state["step_b"]
        return 2
    if phase == Phase.POST_MOVE:
        return reach(state, cards, seat, 0, cards["move_after"][hero, ability], out)
    if phase == Phase.PRE_MOVE:
        return reach_to_attack(state, cards, ability, state["target"], out)
    if phase == Phase.RAGE:
        return list_payments(state, cards, out)
    if phase == Phase.SUMMON:
        return list_placements(state, cards, out)
    return list_starts(state, cards, out)


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Carry a decision out, up to the next one: the only branch on what is decided."""
    phase, seat = state["phase"], state["active"]
    if phase == Phase.MOVE:
        put(state, seat, action)
        state["phase"] = Phase.ABILITY
    elif phase == Phase.ABILITY:
        choose_ability(state, cards, action, rng)
    elif phase == Phase.STEP:
        take_step(state, cards, action)
    elif phase == Phase.POST_MOVE:
        put(state, seat, action)
        end_turn(state, cards)
    elif phase == Phase.PRE_MOVE:
        put(state, seat, action)
        use_ability(state, cards, rng)
    elif phase == Phase.RAGE:
        pay_rage(state, action)
        roll_attack(state, cards, rng)
    elif phase == Phase.SUMMON:
        place_dragonling(state, cards, action)
    elif phase == Phase.START:
        choose_start(state, cards, action)
