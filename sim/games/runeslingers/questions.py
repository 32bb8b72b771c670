"""The meaning of each field of an OUTCOME row, and the questions of the report that it answers."""

from sim.engine.measures import Kind, Measure
from sim.engine.questions import (
    Association,
    Cards,
    Curve,
    DeckGenerators,
    Endings,
    FirstPlayer,
    Harm,
    Keywords,
    Length,
    Loadouts,
    Matchups,
    Parameters,
    PerGame,
    RuleOff,
    RuleVariants,
    Skill,
    Snowball,
    Sweep,
    WinRates,
)
from sim.games.runeslingers.state import CURVE, DISTINCT, POWERS

_AILMENTS = ("Burn", "Debilitate", "Curse", "Fragment", "Weaken", "Insanity")
_LOSSES = ("health", "empty deck", "ailments")
_ENDINGS = (*_LOSSES, "maximum health at nought", "no cards left", "not decided")
_DRAINS = ("damage", "loss of health", "carried pierce damage")
_TURNS = tuple(str(turn + 1) for turn in range(CURVE))
_SLOTS = tuple(f"card {slot + 1}" for slot in range(DISTINCT))
_POWERS = tuple(f"power {power + 1}" for power in range(POWERS))


def _curve(field: str, label: str, unit: str) -> Measure:
    """A measure with one number per own turn, as it stood at the end of it."""
    return Measure(field, label, unit, "seat", "number", parts=_TURNS)


def _count(field: str, label: str, unit: str, parts: tuple[str, ...] = ()) -> Measure:
    """A count per seat."""
    return Measure(field, label, unit, "seat", "count", parts=parts)


def _of_card(field: str, label: str, unit: str, kind: Kind = "count") -> Measure:
    """A measure with one number per different card of the deck, in the order of its list."""
    return Measure(field, label, unit, "seat", kind, parts=_SLOTS)


MEASURES = (
    # of the game
    Measure("turns", "Turns of both players", "turns", "game", "count"),
    Measure("cause", "What cost the last power", "", "game", "category", _ENDINGS),
    Measure("drawn_game", "Both players fell at once", "", "game", "flag"),
    Measure("chooser_won", "Who won the roll won the game", "", "game", "flag"),
    # of a seat
    Measure("went_first", "Went first", "", "seat", "flag"),
    Measure("chose", "Won the roll", "", "seat", "flag"),
    _count("own_turns", "Own turns", "own turns"),
    _count("end_power", "Power at the end", "powers"),
    _count("powers_lost", "Powers lost", "powers", _LOSSES),
    Measure("lost_turn", "Turn in which each power was lost", "turns", "seat", "turn", parts=_POWERS),
    _count("drained", "Health lost", "health", _DRAINS),
    _count("prevented", "Damage prevented by barriers", "damage"),
    _count("blocks", "Blocks", "blocks"),
    Measure("prevented_a_block", "Damage prevented for each block", "damage", "seat", "number"),
    _count("hits", "Hits on the enemy Runeslinger", "hits"),
    _count("hits_stopped", "Own hits stopped whole by a barrier", "hits"),
    _count("applied", "Ailments suffered", "instances", _AILMENTS),
    _count("no_room", "Ailments suffered that found no room", "instances"),
    _count("concealed_most", "Most ailments under boons at a time", "instances"),
    _count("drawn_cards", "Cards drawn", "cards"),
    _count("seared", "Cards seared from the deck", "cards"),
    _count("voided", "Cards voided from the deck", "cards"),
    _count("to_limit", "Cards turned away by a full hand", "cards"),
    _count("light_made", "Light made", "light"),
    _count("light_wasted", "Light wasted", "light"),
    _count("concs_at", "Concentrations at the end of own turn 5", "concentrations"),
    _count("slung", "Runespells slung", "runespells"),
    _count("answers", "Answers given", "answers"),
    _count("answered_cards", "Own cards answered", "cards"),
    _count("foiled", "Own cards that came to nothing", "cards"),
    _count("inherent_times", "Uses of the inherent ability", "uses"),
    _count("ability_times", "Uses of the equipped ability", "uses"),
    _count("spent", "Determination spent", "determination"),
    _count("passes", "Turns passed", "passes"),
    _count("boons_on_enemy", "Boons laid on the enemy's ailments", "boons"),
    _curve("power_after", "Power", "powers"),
    _curve("life_after", "Health of all powers", "health"),
    _curve("ailments_after", "Exposed ailments", "instances"),
    # of a card of the deck
    _of_card("drawn_turn", "Own turn in which it was drawn first", "own turns", "turn"),
    _of_card("played_turn", "Own turn in which it was played first", "own turns", "turn"),
    _of_card("drawn", "Copies drawn", "copies"),
    _of_card("plays", "Copies played", "copies"),
    _of_card("stayed", "Copies in hand at the end", "copies"),
)

_RULE_VARIANTS = {  # every value of every rule variant; `draft_copies` has no part in the games of a report
    "answer_on": ("runespell", "any_card"),
    "deck_out": ("immediate", "on_need"),
    "concealed_type": ("free_area", "blocked"),
    "pierce_barrier": ("stops", "ignores"),
    "hand_limit": ("all", "draws"),
    "double_loss": ("draw", "active_wins", "active_loses"),
    "slot_choice": ("distinct", "full", "auto"),
    "float_light": ("false", "true"),
    "ailment_phase_order": ("effects_first", "removal_first"),
    "first": ("choose", "random", "seat0"),
    "own_targets": ("true", "false"),
}

QUESTIONS = (
    WinRates("win-rates", "Which deck wins how often, and how sure is that?"),
    Matchups("matchups", "Which deck beats which, and how surely?"),
    FirstPlayer("going-first", "How much is going first worth?", by="pairing"),
    Association(
        "choosing",
        "What is winning the roll worth?",
        flag="chose",
        words=("wins the roll", "loses the roll"),
        did="went_first",
        doing="goes first",
    ),
    Length("length", "How long is a game?", length="turns", by="pairing"),
    Endings(
        "endings",
        "What ends games: health, the deck or ailments?",
        ending="cause",
        apart="drawn_game",
        apart_words="for both players at once",
        losers=True,
    ),
    Harm(
        "powers",
        "What costs powers and health?",
        counts=("powers_lost", "drained"),
        beside=("seared", "voided", "own_turns"),
        rare=0,
    ),
    Snowball(
        "comeback",
        "Does determination bring back whoever is behind?",
        curve="power_after",
        turn="own turn",
        at=8,
        turns=(5, 8, 12, 16),
        lead="power",
    ),
    Curve("life", "How does the health of winners and losers run down?", curve="life_after", turn="own turn"),
    PerGame(
        "determination",
        "How often are abilities used, and what do they cost?",
        quantities={
            "determination spent per game": "spent",
            "uses of the equipped ability per game": "ability_times",
            "uses of the inherent ability per game": "inherent_times",
            "determination spent per power lost": "spent",
        },
        per={"determination spent per power lost": "powers_lost"},
        note="Every power lost gives one determination, the last one none that can be spent.",
    ),
    PerGame(
        "guard",
        "What do blocks and barriers prevent?",
        quantities={
            "blocks per game": "blocks",
            "damage prevented per game": "prevented",
            "damage prevented per block": "prevented",
            "hits on the enemy per game": "hits",
            "own hits stopped per game": "hits_stopped",
        },
        per={"damage prevented per block": "blocks"},
        told=("blocks per game", "damage prevented per game", "damage prevented per block", "own hits stopped per game"),
        note="Barriers of other cards prevent too: what they did is divided by the blocks as well.",
    ),
    PerGame(
        "light",
        "Where do light, cards and turns go?",
        quantities={
            "light made per game": "light_made",
            "share of the light wasted": "light_wasted",
            "concentrations at own turn 5": "concs_at",
            "runespells slung per game": "slung",
            "cards drawn per game": "drawn_cards",
            "cards turned away by a full hand": "to_limit",
            "turns passed per game": "passes",
            "boons on the enemy per game": "boons_on_enemy",
            "cards that came to nothing": "foiled",
        },
        per={"share of the light wasted": "light_made"},
        told=("share of the light wasted", "runespells slung per game", "turns passed per game"),
    ),
    RuleOff(
        "ladder",
        "How much does the ladder of answers change?",
        rules={"rules.answer_on": ("nothing",)},
        words=("with answers", "without answers"),
        quantities={
            "answers given per game": "answers",
            "own cards answered per game": "answered_cards",
            "own cards that came to nothing per game": "foiled",
        },
    ),
    Curve("ailments", "How do ailments build up?", curve="ailments_after", by="entrant", turn="own turn"),
    Association(
        "ailments-worth",
        "Are ailments worth it against boons and removal?",
        amounts={
            "ailments inflicted": "applied",
            "ailments that found no room": "no_room",
            "boons on the enemy's ailments": "boons_on_enemy",
            "own ailments under boons": "concealed_most",
        },
        against=("ailments inflicted", "ailments that found no room"),
        names={
            "ailments that found no room": "ailments without room",
            "boons on the enemy's ailments": "boons",
            "own ailments under boons": "ailments concealed",
        },
        note="Ailments count for the side whose enemy suffers them, those too that found no room; those under boons for the side "
        "that bears them, as many as lay there at once.",
    ),
    Cards(
        "cards",
        "Which single card moves the win rate of its deck?",
        drawn_turn="drawn_turn",
        played_turn="played_turn",
        drawn="drawn",
        plays="plays",
        by_turn=8,
        decks=4,
        games=0.4,
    ),
    Loadouts("loadouts", "Which Runeslinger, stance and ability for which deck, and what is determination worth?", games=0.5),
    Keywords("keywords", "What is a keyword worth on a card, cost for cost?"),
    DeckGenerators("deck-generators", "Do sealed and drafted decks keep the order of cards?", games=0.8),
    Parameters("parameters", "Which number of which card should change?", by="card", decks=2, kept=4, games=0.5),
    Sweep(
        "sweep",
        "How does a number bend the result?",
        games=0.5,
        rules={
            "card.fireball.effects[0].n": ("7", "8", "9", "10"),
            "rules.ailment_limit": ("6", "7", "8", "9", "10"),
            "runeslinger.eva.block": ("3", "4", "5"),
            "rules.start_power": ("3", "4", "5", "6"),
        },
    ),
    Parameters(
        "shared-parameters",
        "Which number that belongs to no deck moves balance and length?",
        by="shared",
        fields=("rules.",),
        leaves=(
            *("start_power", "start_hand", "max_hand", "ailment_limit", "draw", "first_draw"),
            *("sets_per_turn", "blocks_per_turn"),
        ),
        games=0.75,
    ),
    Skill("skill", "How strong is good play?"),
    RuleVariants(
        "rule-variants",
        "Do the rankings survive other rule variants?",
        beside=("length", "first"),
        ranks=True,
        games=0.5,
        rules={f"rules.{switch}": values for switch, values in _RULE_VARIANTS.items()},
    ),
)
