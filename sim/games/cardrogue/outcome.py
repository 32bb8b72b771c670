"""The OUTCOME record of Card Rogue, the score of a game (ROGUE-100, 105), and the questions of its report."""

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.jit import Record, kernel
from sim.engine.measures import Measure
from sim.engine.questions import (
    Association,
    Duels,
    Endings,
    FirstPlayer,
    Harm,
    Helpers,
    Length,
    Matchups,
    Milestones,
    Parameters,
    RuleVariants,
    Shares,
    Sweep,
    WinRates,
    Worth,
)
from sim.games.cardrogue.record import ENEMIES_MAX, ITEMS_MAX, SLOTS
from sim.games.cardrogue.state import CAUSES, POINTS, POTION_USES, SEATS, Down, Ending

_SEAT = (SEATS,)

OUTCOME = np.dtype(
    [
        ("damage_dealt", np.int32, _SEAT),
        ("damage_taken", np.int32, _SEAT),
        ("combat_turns", np.int32, _SEAT),
        ("steps_walked", np.int32, _SEAT),
        ("flips", np.int32, _SEAT),
        ("gold_earned", np.int32, _SEAT),
        ("gold_spent", np.int32, _SEAT),
        ("own_turns", np.int32, _SEAT),
        ("flights", np.int32, _SEAT),
        ("flights_won", np.int32, _SEAT),
        ("trips", np.int32, _SEAT),
        ("trips_won", np.int32, _SEAT),
        ("steals", np.int32, _SEAT),
        ("steals_won", np.int32, _SEAT),
        ("offers_made", np.int32, _SEAT),
        ("offers_taken", np.int32, _SEAT),
        ("moles", np.int32, _SEAT),
        ("potions", np.int32, (SEATS, POTION_USES)),
        ("kills", np.int16, (SEATS, ENEMIES_MAX)),
        ("fights", np.int16, (SEATS, ENEMIES_MAX)),
        ("deaths", np.int16, (SEATS, CAUSES)),
        ("bought", np.int16, (SEATS, ITEMS_MAX)),
        ("worn", np.uint8, (SEATS, ITEMS_MAX)),  # 1: worn at the end, by item number
        ("first_death", np.int16, _SEAT),  # round, 0: never
        ("first_cause", np.int16, _SEAT),
        ("first_shop", np.int16, _SEAT),  # round, 0: never
        ("points", np.int16, (SEATS, POINTS)),  # by Points
        ("total", np.int16, _SEAT),  # victory points
        ("shop_seen", np.int16),  # round, 0: never
        ("key_seen", np.int16),
        ("chest_seen", np.int16),
        ("golem_seen", np.int16),
        ("rush_round", np.int16),
        ("rush_rounds", np.int16),  # rounds that the end rush lasted, 0: there was none
        ("rush_by_stuck", np.uint8),
        ("rounds", np.int16),
        ("turned", np.float32),  # share of the exploration cards that were turned over, 0..1
        ("ending", np.int8),  # Ending
    ],
    align=True,
)


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
    for other in range(np.int64(state["seats"])):
        points = total_points(state, other)
        if points > own:
            return 0.0
        winners += points == own
    return 1.0 / winners


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """ROGUE-105, 106. Write the shares of the win by seat."""
    out[:] = 0.0
    for seat in range(np.int64(state["seats"])):
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
    """Write the facts of a game; seats beyond the last stay 0."""
    for seat in range(np.int64(state["seats"])):
        write_deeds(state, outcome, seat)
        write_dealings(state, outcome, seat)
        write_counts(state, outcome, seat)
    outcome["shop_seen"] = state["shop_seen"]
    outcome["key_seen"] = state["key_seen"]
    outcome["chest_seen"] = state["chest_seen"]
    outcome["golem_seen"] = state["golem_seen"]
    outcome["rush_round"] = state["rush_round"]
    outcome["rush_rounds"] = state["round"] - state["rush_round"] + 1 if state["rush"] else 0
    outcome["rush_by_stuck"] = state["rush_by_stuck"]
    outcome["rounds"] = state["round"]
    outcome["ending"] = state["ending"]
    turned, mapped = 0, 0
    for seat in range(np.int64(state["seats"])):
        turned += state["flips"][seat]
    for cell in range(len(state["down"])):
        mapped += state["down"][cell] == Down.MAPPED
    outcome["turned"] = turned / max(1, turned + mapped + state["unseen_cards"])


@kernel
def write_deeds(state: Record, outcome: Record, seat: int) -> None:
    """Write fights, walks and deaths of a seat."""
    outcome["damage_dealt"][seat] = state["damage_dealt"][seat]
    outcome["damage_taken"][seat] = state["damage_taken"][seat]
    outcome["combat_turns"][seat] = state["combat_turns"][seat]
    outcome["steps_walked"][seat] = state["steps_walked"][seat]
    outcome["flips"][seat] = state["flips"][seat]
    outcome["own_turns"][seat] = state["own_turns"][seat]
    outcome["flights"][seat] = state["flights"][seat]
    outcome["flights_won"][seat] = state["flights_won"][seat]
    outcome["first_death"][seat] = state["first_death"][seat]
    outcome["first_cause"][seat] = state["first_cause"][seat]
    outcome["first_shop"][seat] = state["first_shop"][seat]
    outcome["total"][seat] = total_points(state, seat)


@kernel
def write_dealings(state: Record, outcome: Record, seat: int) -> None:
    """Write what a seat did at the shop and with other players."""
    outcome["gold_earned"][seat] = state["gold_earned"][seat]
    outcome["gold_spent"][seat] = state["gold_spent"][seat]
    outcome["trips"][seat] = state["trips"][seat]
    outcome["trips_won"][seat] = state["trips_won"][seat]
    outcome["steals"][seat] = state["steals"][seat]
    outcome["steals_won"][seat] = state["steals_won"][seat]
    outcome["offers_made"][seat] = state["offers_made"][seat]
    outcome["offers_taken"][seat] = state["offers_taken"][seat]
    outcome["moles"][seat] = state["moles"][seat]


@kernel
def write_counts(state: Record, outcome: Record, seat: int) -> None:
    """Write counts by enemy, cause of death, item, use of potions and source of points."""
    for number in range(ENEMIES_MAX):
        outcome["kills"][seat, number] = state["kills"][seat, number]
        outcome["fights"][seat, number] = state["fights"][seat, number]
    for cause in range(CAUSES):
        outcome["deaths"][seat, cause] = state["deaths"][seat, cause]
    for item in range(ITEMS_MAX):
        outcome["bought"][seat, item] = state["bought"][seat, item]
        outcome["worn"][seat, item] = 0
    for slot in range(SLOTS):
        if state["worn_item"][seat, slot] > 0:
            outcome["worn"][seat, state["worn_item"][seat, slot] - 1] = 1
    for use in range(POTION_USES):
        outcome["potions"][seat, use] = state["potions"][seat, use]
    for source in range(POINTS):
        outcome["points"][seat, source] = state["points"][seat, source]


MEASURES = (
    Measure(
        "ending",
        "How the game ended",
        "",
        "game",
        "category",
        ("still running", "way out", "all dead", "forfeit", "truncated", "goals reached", "lone player lost"),
    ),
    Measure("rounds", "Rounds", "rounds", "game", "count"),
    Measure("rush_round", "Round in which the end rush began", "rounds", "game", "turn"),
    Measure("rush_rounds", "Rounds of the end rush", "rounds", "game", "count"),
    Measure("rush_by_stuck", "The end rush began because all were stuck", "", "game", "flag"),
    Measure("shop_seen", "Round in which the first shop came up", "rounds", "game", "turn"),
    Measure("key_seen", "Round in which the key came up", "rounds", "game", "turn"),
    Measure("chest_seen", "Round in which the chest came up", "rounds", "game", "turn"),
    Measure("golem_seen", "Round in which the golem came up", "rounds", "game", "turn"),
    Measure("turned", "Share of the exploration cards turned over", "share", "game", "number"),
    Measure("points", "Victory points", "points", "seat", "count", parts=("chest", "debt", "basilisks", "golem", "first out")),
    Measure("total", "Victory points", "points", "seat", "count"),
    Measure("first_death", "Round of the first death", "rounds", "seat", "turn"),
    Measure("first_shop", "Round of the first visit to a shop", "rounds", "seat", "turn"),
    Measure("damage_dealt", "Damage dealt", "health", "seat", "count"),
    Measure("damage_taken", "Damage taken", "health", "seat", "count"),
    Measure("combat_turns", "Combat turns", "turns", "seat", "count"),
    Measure("own_turns", "Own turns", "turns", "seat", "count"),
    Measure("steps_walked", "Steps walked", "tiles", "seat", "count"),
    Measure("flips", "Cards turned over", "cards", "seat", "count"),
    Measure("flights", "Flights tried", "flights", "seat", "count"),
    Measure("flights_won", "Flights that succeeded", "flights", "seat", "count"),
    Measure("gold_earned", "Gold earned by selling", "gold", "seat", "count"),
    Measure("gold_spent", "Gold spent", "gold", "seat", "count"),
    Measure("trips", "Trips tried", "trips", "seat", "count"),
    Measure("trips_won", "Trips that succeeded", "trips", "seat", "count"),
    Measure("steals", "Thefts tried", "thefts", "seat", "count"),
    Measure("steals_won", "Thefts that succeeded", "thefts", "seat", "count"),
    Measure("offers_made", "Trades offered", "offers", "seat", "count"),
    Measure("offers_taken", "Trades made", "trades", "seat", "count"),
    Measure("moles", "Calls of the mole", "calls", "seat", "count"),
    Measure(
        "potions",
        "Potions used",
        "potions",
        "seat",
        "count",
        parts=("drunk", "thrown at a player", "thrown at an enemy", "given for a spell"),
    ),
)
_OTHER_CAUSES = ("", "trap", "poison", "counter-attack", "potion")


def measures_of(cards: CardSet) -> tuple[Measure, ...]:
    """Return the measures whose parts are the enemies and items of a card set."""
    enemies = _names(cards, "enemy", ENEMIES_MAX)
    items = _names(cards, "item", ITEMS_MAX)
    causes = (*_OTHER_CAUSES, *enemies)
    return (
        Measure("first_cause", "Cause of the first death", "", "seat", "category", ("never died", *causes[1:])),
        Measure("deaths", "Deaths", "deaths", "seat", "count", parts=causes),
        Measure("kills", "Enemies slain", "enemies", "seat", "count", parts=enemies),
        Measure("fights", "Combats entered", "combats", "seat", "count", parts=enemies),
        Measure("bought", "Bought", "cards", "seat", "count", parts=items),
        Measure("worn", "Worn at the end", "cards", "seat", "count", parts=items),
    )


def _names(cards: CardSet, table: str, places: int) -> tuple[str, ...]:
    """Names of the entries of a table of the card file, padded with "" to the given number of places."""
    names = tuple(str(line["name"]) for line in cards.document[table])
    return names + ("",) * (places - len(names))


QUESTIONS = (
    WinRates("win-rates", "Which character wins how often, and how sure is that?"),
    Matchups("matchups", "Who beats whom at two seats?"),
    Duels("duels", "Who beats whom in a duel?", fights="fights", kills="kills"),
    Harm("deaths", "What kills players, and when?", counts=("deaths",), turn="first_death"),
    Worth("worth", "Which item is worth its price?", has="worn", price=("item", "gold")),
    Length("length", "How long is a game?", length="rounds"),
    Endings(
        "endings",
        "How often does a game fail to end?",
        ending="ending",
        apart="rush_by_stuck",
        apart_words="after all were stuck",
        always=("forfeit",),
    ),
    Shares("points", "Where do the points of winners come from?", parts="points", by="side"),
    FirstPlayer("turn-order", "Does the seat decide?"),
    Association("luck", "Does the luck of the tiles decide?", turn="first_shop"),
    Milestones(
        "milestones",
        "When do the shop, the key, the chest and the golem come up?",
        turns={
            "first shop": "shop_seen",
            "key": "key_seen",
            "chest": "chest_seen",
            "golem": "golem_seen",
            "end rush": "rush_round",
        },
    ),
    Parameters(
        "parameters",
        "Which number should change?",
        by="shared",
        fields=("enemy.", "item."),
        leaves=("attack", "attack_die", "health", "gold"),
        seats=4,  # where most games have a winner
        games=0.2,
    ),
    Helpers("golem", "How many friends does the golem need?"),
    RuleVariants(
        "rule-variants",
        "Which open rule matters?",
        seats=4,
        games=0.3,
        rules={
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
        },
    ),
    Sweep(
        "solo",
        "How often does a lone character reach its goals?",
        by="cell",
        seats=1,
        games=4,  # games of a lone player are short
        rules={
            "rules.goals": (
                "chest",
                "debt",
                "basilisk_green",
                "golem",
                "chest+debt",
                "chest+golem",
                "chest+debt+basilisk_green+basilisk_yellow+golem",
            )
        },
    ),
)
