"""The score of a game (ROGUE-100, 105), the facts that STATE does not hold, and the questions of the report."""

import numpy as np

from sim.engine.facts import measures_of, outcome_of
from sim.engine.jit import Record, kernel
from sim.engine.questions import Ask, Matchups, WinRates
from sim.games.cardrogue.record import ITEMS_MAX, SLOTS
from sim.games.cardrogue.state import FACTS, POINTS, Down, Ending

OUTCOME, MEASURES = outcome_of(FACTS), measures_of(FACTS)


@kernel
def total_points(state: Record, seat: int) -> int:
    """ROGUE-100. Victory points of a seat as counted at the end."""
    total = 0
    for source in range(POINTS):
        total += state["points"][seat, source]
    return total


@kernel
def standing_of(state: Record, seat: int) -> float:
    """ROGUE-105, 106. A seat's share of the win: the most victory points win, equal points share; alone the goals decide.

    A forfeit has no winner.
    """
    if state["ending"] == Ending.SOLO_WON:
        return 1.0
    if state["ending"] != Ending.EXIT and state["ending"] != Ending.ALL_DEAD:
        return 0.0
    own, winners = total_points(state, seat), 0
    for other in range(state["seats"]):
        points = total_points(state, other)
        if points > own:
            return 0.0
        winners += points == own
    return 1.0 / winners


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """ROGUE-105, 106. Write the shares of the win by seat."""
    out[:] = 0.0
    for seat in range(state["seats"]):
        out[seat] = standing_of(state, seat)


@kernel
def is_truncated(state: Record) -> bool:
    """ROGUE-114. Whether the game was stopped at a limit."""
    return state["ending"] == Ending.TRUNCATED


@kernel
def entrant_of(state: Record, seat: int, planned: int) -> int:  # noqa: ARG001 - the verb's parameters
    """ROGUE-11. The character of a seat: as planned, or as drafted."""
    return state["character"][seat]


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Write the derived facts; those of seats beyond the last stay 0."""
    outcome["rounds"] = state["round"]
    outcome["rush_rounds"] = state["round"] - state["rush_round"] + 1 if state["rush"] else 0
    turned, mapped = 0, 0
    for seat in range(state["seats"]):
        outcome["total"][seat] = total_points(state, seat)
        for item in range(ITEMS_MAX):
            outcome["worn"][seat, item] = 0
        for slot in range(SLOTS):
            if state["worn_item"][seat, slot] > 0:
                outcome["worn"][seat, state["worn_item"][seat, slot] - 1] = 1
        turned += state["flips"][seat]
    for cell in range(len(state["down"])):
        mapped += state["down"][cell] == Down.MAPPED
    outcome["turned"] = turned / max(1, turned + mapped + state["unseen_cards"])


QUESTIONS = (
    WinRates("win-rates", "Which character wins how often, and how sure is that?"),
    Matchups("matchups", "Who beats whom at two seats?"),
    Ask("duels", "Who beats whom in a duel?", "details", "duels", {"fights": "fights", "kills": "kills"}),
    Ask("deaths", "What kills players?", "why", "amounts", {"facts": ["deaths"]}),
    Ask("first-death", "When do players first die?", "run", "times", {"facts": ["first_death"], "by": "entrant"}),
    Ask("worth", "Which item is worth its price?", "why", "worth", {"has": "worn", "price": ["item", "gold"]}),
    Ask("length", "How long is a game?", "run", "times", {"facts": ["rounds"], "by": "seats"}),
    Ask("endings", "How often does a game fail to end?", "run", "categories", {"fact": "ending", "by": "seats"}),
    Ask("points", "Where do the points of winners come from?", "why", "amounts", {"facts": ["points"], "by": "side"}),
    Ask("luck", "Does the luck of the tiles decide?", "why", "times", {"facts": ["first_shop"], "by": "side"}),
    Ask(
        "milestones",
        "When do the shop, the key, the chest and the golem come up?",
        "run",
        "times",
        {"facts": ["shop_seen", "key_seen", "chest_seen", "golem_seen", "rush_round"]},
    ),
    Ask(
        "parameters",
        "Which number should change?",
        "change",
        "shared_parameters",
        {"fields": ["enemy.", "item."], "leaves": ["attack", "attack_die", "health", "gold"], "scale": 0.2},
        seats=4,  # where most games have a winner
    ),
    Ask("golem", "How many friends does the golem need?", "details", "siege"),
    Ask(
        "rule-variants",
        "Which open rule matters?",
        seats=4,
        games=0.3,
        chapter="change",
        question="variants",
        arguments={
            "values": {
                "rules.characters": ("draft",),
                "rules.flip_rule": ("orthogonal",),
                "rules.replacement_trap": ("lies",),
                "rules.repeat_moves": ("0", "8"),
                "rules.resume_after_flip": ("flip",),
                "rules.imp_dodge": ("not_lethal",),
                "rules.paralysis_in_combat": ("turn_lost",),
                "rules.bard_six": ("flee_roll", "off"),
                "rules.shield_scope": ("attacked",),
                "rules.enemy_restore": ("any_flight",),
                "rules.equip_in_combat": ("true",),
                "rules.sold_items": ("back_to_shop",),
                "rules.teleport_targets": ("plain", "any_revealed"),
                "rules.offers_per_turn": ("0",),
                "rules.idle_rounds": ("60",),
                "rules.max_rounds": ("200",),
                "table.columns": ("22",),
                "table.rows": ("9",),
            }
        },
    ),
    Ask(
        "solo",
        "How often does a lone character reach its goals?",
        seats=1,
        games=4,  # games of a lone player are short
        chapter="change",
        question="variants",
        arguments={
            "values": {
                "rules.goals": (
                    "chest",
                    "debt",
                    "basilisk_green",
                    "golem",
                    "chest+debt",
                    "chest+golem",
                    "chest+debt+basilisk_green+basilisk_yellow+golem",
                )
            }
        },
    ),
)
