"""What the fields of an OUTCOME row mean, and the questions that they answer (register section 11)."""

from sim.engine.cards import CardSet
from sim.engine.measures import Measure, Question
from sim.games.cardrogue.record import ENEMIES_MAX, ITEMS_MAX

MEASURES = (
    Measure(
        "ending",
        "How the game ended",
        "",
        "game",
        "category",
        ("still running", "way out", "all dead", "forfeit", "capped", "goals reached", "lone player lost"),
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
    Measure(
        "points",
        "Victory points",
        "points",
        "seat",
        "count",
        parts=("chest", "debt", "basilisks", "golem", "first out"),
    ),
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
    """Names of the lines of a table of the card file; places that are not used have none."""
    names = tuple(str(line["name"]) for line in cards.document[table])
    return names + ("",) * (places - len(names))


QUESTIONS = (
    Question("win-rates", "Which character wins how often, and how sure is that?", "forest"),
    Question("matchups", "Who beats whom at two seats?", "matchups"),
    Question("duels", "Who beats whom in a duel?", "duels", {"fights": "fights", "kills": "kills"}),
    Question(
        "deaths",
        "What kills players, and when?",
        "deaths",
        {"counts": "deaths", "turn": "first_death"},
        {"never": ("0",)},
    ),
    Question(
        "worth",
        "Which item is worth its price?",
        "worth",
        {"has": "worn"},
        {"price": ("item", "gold")},
    ),
    Question("length", "How long is a game?", "length", {"length": "rounds"}),
    Question(
        "endings",
        "How often does a game fail to end?",
        "endings",
        {"ending": "ending", "apart": "rush_by_stuck"},
        {"always": ("forfeit",), "apart": ("after all were stuck",)},
    ),
    Question("points", "Where do the points of winners come from?", "sources", {"points": "points"}),
    Question("turn-order", "Does the seat decide?", "turn_order"),
    Question("luck", "Does the luck of the tiles decide?", "luck", {"turn": "first_shop"}),
    Question(
        "milestones",
        "When do the shop, the key, the chest and the golem come up?",
        "milestones",
        {
            "first shop": "shop_seen",
            "key": "key_seen",
            "chest": "chest_seen",
            "golem": "golem_seen",
            "end rush": "rush_round",
        },
    ),
    Question(
        "levers",
        "Which number should change?",
        "shared_tornado",
        settings={
            "fields": ("enemy.", "item."),
            "leaves": ("attack", "attack_die", "health", "gold"),
            "seats": ("4",),  # where most games have a winner
            "games": ("0.2",),
        },
    ),
    Question("golem", "How many friends does the golem need?", "siege"),
    Question(
        "readings",
        "Which open rule matters?",
        "variants",
        settings={
            "seats": ("4",),
            "games": ("0.3",),
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
    Question(
        "solo",
        "How often does a lone character reach its goals?",
        "settings",
        settings={
            "seats": ("1",),
            "games": ("4",),  # a lone player's are soon played
            "rules.goals": (
                "chest",
                "debt",
                "basilisk_green",
                "golem",
                "chest+debt",
                "chest+golem",
                "chest+debt+basilisk_green+basilisk_yellow+golem",
            ),
        },
    ),
)
