"""Measures of the OUTCOME record, and the questions of the report that they answer."""

from sim.engine.measures import Kind, Measure
from sim.engine.questions import (
    Cards,
    Endings,
    FirstPlayer,
    Growth,
    Harm,
    Keywords,
    Length,
    Matchups,
    Parameters,
    RuleVariants,
    Shares,
    Skill,
    Snowball,
    WinRates,
)
from sim.games.riftborn.cards.schema import word_of
from sim.games.riftborn.record import LEVELS, Ability
from sim.games.riftborn.state import CURVE, DISTINCT

_WOUNDS = ("attack over a clear path", "attack at range", "attack in flight", "pass-through", "effect")
_HARMS = ("lost bonus", "strike", "pass-through", "Weapon", "answer", "opportunity", "effect", "Decay")
_GAINS = ("turns", "cards played", "summoning", "kills", "effects")
_LEVELS = tuple(str(level + 1) for level in range(LEVELS))
_TURNS = tuple(str(turn + 1) for turn in range(CURVE))
_SLOTS = tuple(f"card {slot + 1}" for slot in range(DISTINCT))


def _curve(field: str, label: str, unit: str) -> Measure:
    """A measure with one number per own turn, taken at the end of the turn."""
    return Measure(field, label, unit, "seat", "number", parts=_TURNS)


def _of_card(field: str, label: str, unit: str, kind: Kind = "count") -> Measure:
    """A measure with one number per different card of the deck, in the order of its list."""
    return Measure(field, label, unit, "seat", kind, parts=_SLOTS)


MEASURES = (
    # of the game
    Measure("player_turns", "Player turns", "player turns", "game", "count"),
    Measure("ended_by", "What brought the loser down", "", "game", "category", (*_WOUNDS, "not decided")),
    Measure("drawn_game", "Both players fell at once", "", "game", "flag"),
    # of a seat
    Measure("went_first", "Went first", "", "seat", "flag"),
    Measure("end_life", "Life at the end", "life", "seat", "number"),
    Measure("end_xp", "Experience at the end", "experience", "seat", "count"),
    Measure("end_level", "Level at the end", "levels", "seat", "count"),
    Measure("own_turns", "Own turns", "own turns", "seat", "count"),
    Measure("level_turn", "Own turn at which the level was held first", "own turns", "seat", "turn", parts=_LEVELS),
    Measure("gained", "Experience by source", "experience", "seat", "count", parts=_GAINS),
    _curve("xp_after", "Experience", "experience"),
    _curve("played_after", "Experience by cards played and summoned", "experience"),
    _curve("killed_after", "Experience by kills", "experience"),
    _curve("level_after", "Level", "levels"),
    _curve("unused_after", "Levels left unused", "levels"),
    Measure("first_kill", "Killed first", "", "seat", "flag"),
    Measure("first_kill_turn", "Own turn of the first kill", "own turns", "seat", "turn"),
    Measure("kills", "Enemy creatures killed for experience", "creatures", "seat", "count"),
    Measure("kill_share", "Share of the experience that came from kills", "share", "seat", "number"),
    Measure("wounds", "Damage to the player", "damage", "seat", "count", parts=_WOUNDS),
    Measure("absorbed", "Damage absorbed by Armour", "damage", "seat", "count"),
    Measure("answer_damage", "Damage dealt by answers", "damage", "seat", "count"),
    Measure("opportunity_damage", "Damage dealt by attacks of opportunity", "damage", "seat", "count"),
    Measure("deaths", "Own creatures lost", "creatures", "seat", "count", parts=_HARMS),
    Measure("refills", "Discard piles shuffled into the library", "times", "seat", "count"),
    Measure("laid", "TRICK cards laid", "cards", "seat", "count"),
    Measure("fired", "TRICK cards that acted", "cards", "seat", "count"),
    Measure("returned_cards", "Cards returned before the first turn", "cards", "seat", "count"),
    Measure("longest_turn", "Most decisions in a turn", "decisions", "seat", "count"),
    Measure("times", "Times that the ability acted", "times", "seat", "count", parts=tuple(map(word_of, Ability))),
    # of a card of the deck
    _of_card("drawn_turn", "Own turn in which it was drawn first", "own turns", "turn"),
    _of_card("played_turn", "Own turn in which it was played first", "own turns", "turn"),
    _of_card("drawn", "Copies drawn", "copies"),
    _of_card("plays", "Copies played", "copies"),
    _of_card("card_kills", "Enemy creatures it killed", "creatures"),
    _of_card("card_damage", "Damage it dealt", "damage"),
    _of_card("stayed", "Copies in hand at the end", "copies"),
)

_RULE_VARIANTS = {  # every value of every rule variant
    "level_budget": ("live", "snapshot"),
    "aoo_xp": ("false", "true"),
    "adjacent_enemies": ("touching", "contact"),
    "clear_path": ("half", "nearest"),
    "contact_retaliation": ("true", "false"),
    "dead_retaliate": ("true", "false"),
    "rage_before_retaliation": ("true", "false"),
    "mutual_kill_xp": ("true", "false"),
    "kill_xp": ("attacks", "any_own_damage"),
    "siphon_timing": ("strike", "exchange"),
    "siphon_counts": ("full", "effective"),
    "relentless_on": ("any", "attack"),
    "stealth_cover": ("always", "face_down"),
    "morale_start": ("attack", "health"),
    "weapon_uses": ("once", "unlimited"),
    "transform_keeps": ("nothing", "tokens"),
    "turn_cap": ("200", "400"),
}

QUESTIONS = (
    WinRates("win-rates", "Which deck wins how often, and how sure is that?"),
    Matchups("matchups", "Which deck beats which, and how surely?"),
    FirstPlayer("going-first", "How much is going first worth?", by="pairing"),
    Length("length", "How long is a game?", length="player_turns", by="pairing"),
    Endings(
        "endings",
        "How do games end, and are any stopped?",
        ending="ended_by",
        apart="drawn_game",
        apart_words="on both players at once",
    ),
    Snowball(
        "snowball",
        "Does experience snowball?",
        curve="xp_after",
        first="first_kill",
        first_words="the first kill",
        turn="own turn",
        unit=300,
        lead="experience",
    ),
    Growth(
        "growth",
        "How fast do players grow, and from what?",
        level="level_after",
        total="xp_after",
        parts={"cards played": "played_after", "kills": "killed_after"},
        rest="turns and effects",
        unused="unused_after",
        reached="level_turn",
        levels=("3", "5", "8", "10"),
        turn="own turn",
    ),
    Shares(
        "experience",
        "Where does experience come from?",
        continues="growth",
        parts="gained",
        whole="the experience",
        verb="comes from",
    ),
    Cards(
        "cards",
        "Which card carries or drags a deck?",
        drawn_turn="drawn_turn",
        played_turn="played_turn",
        drawn="drawn",
        plays="plays",
        by_turn=8,
    ),
    Keywords("keywords", "What is an ability worth on a card, level for level?"),
    Keywords("abilities", "What is an ability worth to a deck?", by="deck", leave_out=("HERO",)),
    Parameters(
        "parameters",
        "Which number of which card should change?",
        by="card",
        leaves=("attack", "health", "level", "xp"),
        steps=(1, 1, 1, 100),
        decks=4,
        kept=6,
        games=0.5,
    ),
    Parameters(
        "shared-parameters",
        "Which number that belongs to no card moves balance and length?",
        by="shared",
        fields=("rules.",),
        leaves=(
            "turn_xp",
            "start_life",
            "start_hand",
            "mulligans",
            "turn_draw",
            "first_player_first_draw",
            "retaliation_divisor",
            "flight_range",
            "max_rows",
            "max_per_row",
        ),
        steps=(100, 10, 1, 1, 1, 1, 1, 1, 1, 1),
    ),
    Harm(
        "harm",
        "What kills players and creatures?",
        counts=("wounds", "deaths"),
        beside=("absorbed", "answer_damage", "opportunity_damage"),
    ),
    Skill("skill", "How strong is good play?"),
    RuleVariants(
        "rule-variants",
        "Which doubtful rule matters?",
        beside=("length", "first"),
        rules={f"rules.{switch}": values for switch, values in _RULE_VARIANTS.items()},
    ),
)
