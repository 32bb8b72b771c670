"""The facts of a finished game that STATE does not hold, and the questions of the report."""

import numpy as np

from sim.engine.facts import measures_of, outcome_of, words
from sim.engine.jit import Record, kernel
from sim.engine.questions import (
    Abilities,
    Board,
    Causes,
    Dice,
    FirstPlayer,
    Length,
    Matchups,
    Parameters,
    RuleVariants,
    Waiting,
    WinRates,
)
from sim.games.arena.state import FACTS, SEATS, Cause, Zone

OUTCOME, MEASURES = outcome_of(FACTS), measures_of(FACTS)
_ZONES = words(Zone)


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """ARENA-81 to 84. Give the win to place 1, which no hero has before the end."""
    for seat in range(SEATS):
        out[seat] = 1.0 if state["place"][seat] == 1 else 0.0


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Write the derived facts; those of seats that nobody plays stay 0."""
    outcome["rounds"] = state["round"]
    for seat in range(state["seats"]):
        fallen = state["fall_turn"][seat]
        if fallen > 0 and (outcome["first_fall"] == 0 or fallen < outcome["first_fall"]):
            outcome["first_fall"] = fallen
        fell_in_its_turn = state["fall_cause"][seat] == Cause.RETALIATION
        turns = state["own_turns"][seat] - fell_in_its_turn
        outcome["rim_distance"][seat] = state["rim_distance"][seat] / turns if turns > 0 else np.nan


QUESTIONS = (
    WinRates("win-rates", "Who wins how often, and how sure is that?"),
    Matchups("matchups", "Who beats whom at two seats?"),
    FirstPlayer("turn-order", "What is going first, and each later seat, worth?"),
    Length("length", "How long does a game last, and how many are stopped at the turn cap?"),
    Waiting("waiting", "How early is the first hero out, and how long do the fallen wait?", turn="fall_turn", never=0),
    Causes(
        "falls",
        "What throws heroes into the water?",
        cause="fall_cause",
        state="fall_zone",
        credit="fall_by",
        ability="fall_ability",
        leave_out=("still in play",),
        chain=("collision",),
    ),
    Abilities(
        "abilities",
        "Which abilities are used, and which pay?",
        uses="uses",
        effects=("falls_caused", "damage_dealt"),
        part="ability",
    ),
    Board("board", "Where do heroes stand, and where do they fall?", fell="fall_hex", stood="pos", q="q", r="r", hexes="hexes"),
    Parameters("parameters", "Which number should change?", fields=("hero.",), names={"energy": _ZONES, "knockback": _ZONES}),
    RuleVariants(
        "rule-variants",
        "How much do the variants of ambiguous rules matter?",
        rules={
            "rules.hit_faces": ("2", "4"),
            "rules.block_faces": ("2", "4"),
            "rules.knockback_trigger": ("any_hit", "always"),
            "rules.knockback_plus_damage": ("true",),
            "rules.board": ("large", "pit"),
            "rules.offline_path": ("end_only",),
        },
    ),
    Dice("dice", "What does each attack do to each Defence?", result="net hits"),
)
