"""The OUTCOME record: one row of facts for each finished game, their measures, and the questions of the report."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.engine.measures import Measure
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
from sim.games.arena.record import ABILITIES
from sim.games.arena.state import SEATS, Cause

_SEAT = (SEATS,)
_ABILITY = (SEATS, ABILITIES)

OUTCOME = np.dtype(
    [
        ("damage_dealt", np.int32, _ABILITY),  # energy spaces, by ability
        ("damage_taken", np.int32, _SEAT),  # energy spaces
        ("hexes_pushed", np.int32, _SEAT),  # hexes by which the seat pushed or pulled pieces
        ("collisions_caused", np.int32, _SEAT),
        ("steps", np.int32, _SEAT),  # decisions STEP
        ("rim_distance", np.float32, _SEAT),  # mean distance to the water at the end of its turns, in hexes; nan if it had none
        ("uses", np.int16, _ABILITY),  # times each ability was used
        ("falls_caused", np.int16, _ABILITY),  # heroes thrown out, by ability
        ("dragonlings_felled", np.int16, _SEAT),
        ("passes", np.int16, _SEAT),  # turns without an ability
        ("attacks", np.int16, _SEAT),
        ("landed", np.int16, _SEAT),  # attacks with a net hit
        ("zone_turns", np.int16, (SEATS, 2)),  # turns of the hero that ended in yellow, red
        ("zone_entry", np.int16, (SEATS, 2)),  # number of the turn in which yellow, red was entered, 0: never
        ("collisions_suffered", np.int16, _SEAT),
        ("rage_gained", np.int16, _SEAT),
        ("rage_spent", np.int16, _SEAT),
        ("summoned", np.int16, _SEAT),
        ("fall_turn", np.int16, _SEAT),  # number of the turn of its fall, 1-based; 0: never
        ("fall_hex", np.int16, _SEAT),  # last land hex, -1: never
        ("first_fall", np.int16),  # turn of the first fall of any hero, 0: none
        ("rounds", np.int16),
        ("fall_cause", np.int8, _SEAT),  # Cause
        ("fall_by", np.int8, _SEAT),  # seat credited, -1: none
        ("fall_ability", np.int8, _SEAT),  # ability of the seat credited, -1: none
        ("fall_zone", np.int8, _SEAT),  # zone of the hero at its fall
        ("place", np.int8, _SEAT),  # 1..4, 0: still in play when the game was truncated
    ],
    align=True,
)


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """ARENA-81 to 84. Give the win to place 1, which no hero has before the end."""
    for seat in range(SEATS):
        out[seat] = 1.0 if state["place"][seat] == 1 else 0.0


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Write the facts of a game into a zeroed `outcome`; seats that nobody plays stay 0."""
    outcome["rounds"] = state["round"]
    outcome["first_fall"] = 0
    for seat in range(state["seats"]):
        write_position(state, outcome, seat)
        write_deeds(state, outcome, seat)
        fallen = state["fall_turn"][seat]
        if fallen > 0 and (outcome["first_fall"] == 0 or fallen < outcome["first_fall"]):
            outcome["first_fall"] = fallen


@kernel
def write_position(state: Record, outcome: Record, seat: int) -> None:
    """Write how a hero fared: its fall, its place, its zones and its distance to the water."""
    outcome["fall_turn"][seat] = state["fall_turn"][seat]
    outcome["fall_hex"][seat] = state["fall_hex"][seat]
    outcome["fall_cause"][seat] = state["fall_cause"][seat]
    outcome["fall_by"][seat] = state["fall_by"][seat]
    outcome["fall_ability"][seat] = state["fall_ability"][seat]
    outcome["fall_zone"][seat] = state["fall_zone"][seat]
    outcome["place"][seat] = state["place"][seat]
    outcome["damage_taken"][seat] = state["damage_taken"][seat]
    outcome["collisions_suffered"][seat] = state["collisions_suffered"][seat]
    for zone in range(2):
        outcome["zone_turns"][seat, zone] = state["zone_turns"][seat, zone]
        outcome["zone_entry"][seat, zone] = state["zone_entry"][seat, zone]
    fell_in_its_turn = state["fall_cause"][seat] == Cause.RETALIATION
    turns = state["own_turns"][seat] - fell_in_its_turn
    outcome["rim_distance"][seat] = state["rim_distance"][seat] / turns if turns > 0 else np.nan


@kernel
def write_deeds(state: Record, outcome: Record, seat: int) -> None:
    """Write what a seat did."""
    for ability in range(ABILITIES):
        outcome["damage_dealt"][seat, ability] = state["damage_dealt"][seat, ability]
        outcome["uses"][seat, ability] = state["uses"][seat, ability]
        outcome["falls_caused"][seat, ability] = state["falls_caused"][seat, ability]
    outcome["hexes_pushed"][seat] = state["hexes_pushed"][seat]
    outcome["dragonlings_felled"][seat] = state["dragonlings_felled"][seat]
    outcome["passes"][seat] = state["passes"][seat]
    outcome["attacks"][seat] = state["attacks"][seat]
    outcome["landed"][seat] = state["landed"][seat]
    outcome["collisions_caused"][seat] = state["collisions_caused"][seat]
    outcome["steps"][seat] = state["steps"][seat]
    outcome["rage_gained"][seat] = state["rage_gained"][seat]
    outcome["rage_spent"][seat] = state["rage_spent"][seat]
    outcome["summoned"][seat] = state["summoned"][seat]


_BY_ABILITY = tuple(f"ability {ability}" for ability in range(ABILITIES))
_ZONES = ("green", "yellow", "red")
_LATER_ZONES = _ZONES[1:]

MEASURES = (
    Measure("place", "Place", "", "seat", "place"),
    Measure("fall_turn", "Turn of the fall", "turns", "seat", "turn"),
    Measure(
        "fall_cause",
        "What threw the hero out",
        "",
        "seat",
        "category",
        ("still in play", "knockback", "collision", "pull", "retaliation"),
    ),
    Measure("fall_zone", "Own zone at the fall", "", "seat", "category", _ZONES),
    Measure("fall_by", "Seat credited with the fall", "seat", "seat", "number"),
    Measure("fall_ability", "Ability that threw the hero out", "ability", "seat", "number"),
    Measure("fall_hex", "Hex left last", "hex", "seat", "number"),
    Measure("falls_caused", "Heroes thrown out", "heroes", "seat", "count", parts=_BY_ABILITY),
    Measure("uses", "Uses of the ability", "uses", "seat", "count", parts=_BY_ABILITY),
    Measure("damage_dealt", "Damage dealt", "energy spaces", "seat", "count", parts=_BY_ABILITY),
    Measure("damage_taken", "Damage taken", "energy spaces", "seat", "count"),
    Measure("hexes_pushed", "Hexes by which it moved others", "hexes", "seat", "count"),
    Measure("rim_distance", "Distance to the water at the end of own turns", "hexes", "seat", "number"),
    Measure("dragonlings_felled", "Dragonlings thrown out", "dragonlings", "seat", "count"),
    Measure("passes", "Turns without an ability", "turns", "seat", "count"),
    Measure("attacks", "Attacks made", "attacks", "seat", "count"),
    Measure("landed", "Attacks landed", "attacks", "seat", "count"),
    Measure("zone_turns", "Turns spent in the zone", "turns", "seat", "count", parts=_LATER_ZONES),
    Measure("zone_entry", "Turn of entry into the zone", "turns", "seat", "turn", parts=_LATER_ZONES),
    Measure("collisions_caused", "Collisions caused", "collisions", "seat", "count"),
    Measure("collisions_suffered", "Collisions suffered", "collisions", "seat", "count"),
    Measure("steps", "Paths chosen", "decisions", "seat", "count"),
    Measure("rage_gained", "Rage gained", "tokens", "seat", "count"),
    Measure("rage_spent", "Rage spent", "tokens", "seat", "count"),
    Measure("summoned", "Dragonlings placed", "dragonlings", "seat", "count"),
    Measure("first_fall", "Turn of the first fall", "turns", "game", "turn"),
    Measure("rounds", "Rounds", "rounds", "game", "count"),
)

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
    Dice("dice", "What does each attack do to each Defence?", result="net hits", against="Defence"),
)
