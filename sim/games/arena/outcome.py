"""The facts of a finished game that STATE does not hold, and the questions of the report."""

import numpy as np

from sim.engine.facts import measures_of, outcome_of, words
from sim.engine.jit import Record, kernel
from sim.engine.questions import Ask, Dice, Matchups, WinRates
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
    Ask(
        "length",
        "How long does a game last, and how many are stopped at the turn cap?",
        "run",
        "times",
        {"facts": ["length"], "by": "seats"},
    ),
    Ask("waiting", "How early is the first hero out?", "run", "times", {"facts": ["first_fall"], "by": "seats"}),
    Ask(
        "falls", "What throws heroes into the water?", "why", "categories", {"fact": "fall_cause", "leave_out": ["still in play"]}
    ),
    Ask("abilities", "Which abilities are used?", "why", "amounts", {"facts": ["uses"]}),
    Ask("abilities-falls", "Which abilities throw heroes out?", "why", "amounts", {"facts": ["falls_caused"], "per": "uses"}),
    Ask("abilities-damage", "Which abilities deal damage?", "why", "amounts", {"facts": ["damage_dealt"], "per": "uses"}),
    Ask("board", "Where do heroes fall?", "details", "categories", {"fact": "fall_hex", "by": "all"}),
    Ask(
        "parameters",
        "Which number should change?",
        "change",
        "parameters",
        {"fields": ["hero."], "names": {"energy": _ZONES, "knockback": _ZONES}},
    ),
    Ask(
        "rule-variants",
        "How much do the variants of ambiguous rules matter?",
        chapter="change",
        question="variants",
        arguments={
            "values": {
                "rules.hit_faces": ("2", "4"),
                "rules.block_faces": ("2", "4"),
                "rules.knockback_trigger": ("any_hit", "always"),
                "rules.knockback_plus_damage": ("true",),
                "rules.board": ("large", "pit"),
                "rules.offline_path": ("end_only",),
            }
        },
    ),
    Dice("dice", "What does each attack do to each Defence?", result="net hits"),
)
