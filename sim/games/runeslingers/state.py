"""The STATE record of Runeslingers: one game as it stands, its enums, and functions that read it."""

from enum import IntEnum

import numpy as np

from sim.engine.dice import Purpose
from sim.engine.facts import Fact, held
from sim.engine.jit import Record, kernel
from sim.engine.measures import Kind
from sim.games.runeslingers.cards import ACTIVATED, AILMENT_WORDS, AILMENTS, BOOSTS, DECK_MAX, LIST_MAX, STATS

SEATS = 2
INSTANCES = SEATS * DECK_MAX  # cards of both players; instance i is owned by seat i // DECK_MAX
HAND_MAX = 12
SLOTS = 6  # concentration areas of a player
AREAS = 4  # ailment areas of a player
PLACES = SLOTS + AREAS  # a player's positions of things: on concentrations 0..5, boons 6..9
OBJECTS = SEATS + SEATS * PLACES  # Runeslinger of seat s: s; thing or concentration at a position: see `object_at`
OPTIONS_MAX = 58  # most decisions open at once (MAIN)
STACK = 64  # frames of the work stack
POWERS = 9  # most powers at the start
CURVE = 40  # own turns that the curves record
DISTINCT = DECK_MAX  # different cards of a deck
TOKENS_MAX = 99  # the tokens of a card stop counting here
COUNT_MAX = 30_000  # instances and points stop counting here
NOBODY = -1  # no card, no seat, no object
_SEAT = (SEATS,)
_PILE = (SEATS, DECK_MAX)
_SLOT = (SEATS, SLOTS)
_AREA = (SEATS, AREAS)
_PLACE = (SEATS, PLACES)
_FRAME = (STACK,)
_ANNOUNCED = (STACK, LIST_MAX)
_CURVE = (SEATS, CURVE)
_CARD = (SEATS, DISTINCT)


class Phase(IntEnum):
    """Decisions, and the end. The order is that of the action codes in the README."""

    SETUP = 0
    FIRST = 1
    PASS = 2
    MAIN = 3
    SLOT = 4
    PLACE = 5
    DISCARD = 6
    BULLET = 7
    AILMENT = 8
    TARGET = 9
    ANSWER = 10
    BLOCK = 11
    TRIGGER = 12
    ORDER = 13
    REMOVE = 14
    EACH = 15
    OVER = 16
    GOING = 17  # no decision is open: the rules go on


class Stage(IntEnum):
    """Where the turn stands: what happens once the work stack is empty (RUNE-30)."""

    BEGIN = 0  # RUNE-31: counts, turn_start
    READY = 1
    AILMENT = 2
    AILMENT_SECOND = 3
    DRAW = 4
    AFTER_DRAW = 5
    PASS = 6
    PASSED = 7  # the card is drawn or taken back: you_pass
    PLAY = 8
    DISCARD = 9


class Frame(IntEnum):
    """Kinds of frames of the work stack. A frame pauses while another lies on it."""

    CARD = 0  # a card being played: also a rung of the ladder
    ACT = 1  # effects of an activated, inherent or equipped ability, a trigger, an ailment, a hit
    DAMAGE = 2
    DRAIN = 3  # health that is still to be lost
    DECK = 4  # cards that still leave a deck
    APPLY = 5  # instances of one type that are still to be applied
    ORDER = 6  # announced types that are still to be applied
    REMOVE = 7  # instances that are still to be removed, at the choice of the frame's seat
    CONVERT = 8
    TRIGGERS = 9  # waiting triggers of one moment
    LEAVING = 10  # waiting triggers of a card that has left
    DISCARD = 11  # cards that a hand still has to discard
    EACH = 12  # an effect on both Runeslingers
    CHECK = 13  # RUNE-62: defence cards whose defence is spent
    LIMIT = 14  # RUNE-34: the ailments of the Ailment Phase


class Part(IntEnum):
    """Steps of a CARD or ACT frame (RUNE-51)."""

    WHERE = 0  # Slot and Place
    PAY = 1
    LAY = 2
    KEYWORDS = 3
    TYPES = 4
    AIMS = 5
    SLING = 6
    ANSWER = 7
    RESOLVE = 8
    EFFECTS = 9  # they resolve, even if the card leaves play


class Blow(IntEnum):
    """Steps of a DAMAGE frame."""

    OPEN = 0  # the block option
    GUARD = 1  # the barrier of a block goes up
    STRIKE = 2
    CARRY = 3  # what is left of pierce damage behind a defence card
    HIT = 4


class Lost(IntEnum):
    """What cost a power (RUNE-21)."""

    HEALTH = 0
    DECK = 1
    AILMENTS = 2


LOSSES = len(Lost)


class Cause(IntEnum):
    """What ended a game; the first three are numbered as in `Lost`. NOT_DECIDED: it was stopped."""

    HEALTH = 0
    DECK = 1
    AILMENTS = 2
    MAX_HEALTH = 3
    NO_CARDS = 4
    NOT_DECIDED = 5


class Drain(IntEnum):
    """What took health."""

    DAMAGE = 0
    LOSS = 1
    CARRIED = 2  # pierce damage behind a defence card


DRAINS = len(Drain)


class Roll(IntEnum):
    """Purposes of the random draws of the game."""

    DECK = Purpose.FIRST_FREE
    FIRST = Purpose.FIRST_FREE + 1
    DISCARD = Purpose.FIRST_FREE + 2
    HIDDEN = Purpose.FIRST_FREE + 3


_AILMENTS = tuple(word.capitalize() for word in AILMENT_WORDS)
_LOSSES = ("health", "empty deck", "ailments")
_ENDINGS = (*_LOSSES, "maximum health at nought", "no cards left", "not decided")
_DRAINS = ("damage", "loss of health", "carried pierce damage")
_TURNS = tuple(str(turn + 1) for turn in range(CURVE))
_SLOTS = tuple(f"card {slot + 1}" for slot in range(DISTINCT))
_POWERS = tuple(f"power {power + 1}" for power in range(POWERS))


def _each(name: str, label: str, unit: str, meaning: str = "") -> Fact:
    """A count for each seat."""
    return Fact(name, np.int32, _SEAT, label, unit, meaning=meaning)


def _curve(name: str, label: str, unit: str, meaning: str = "") -> Fact:
    """A number for each own turn, as it was at the end of it; the state has it as a whole number."""
    meaning = "; ".join(filter(None, [meaning, "at the end of each own turn; nan beyond the last"]))
    return Fact(name, np.float32, _CURVE, label, unit, "number", parts=_TURNS, meaning=meaning, derived=True)


def _of_card(
    name: str, dtype: type[np.generic], label: str, unit: str, kind: Kind = "count", *, meaning: str = "", derived: bool = False
) -> Fact:
    """A number for each card, by its index among the different cards of the deck's list."""
    return Fact(name, dtype, _CARD, label, unit, kind, parts=_SLOTS, meaning=meaning, derived=derived)


FACTS = (
    Fact("turns", np.int16, (), "Turns of both players", "turns", per="game", derived=True),
    Fact("cause", np.int8, (), "What cost the last power", "", "category", "game", categories=_ENDINGS, derived=True),
    Fact("drawn_game", np.uint8, (), "Both players fell at once", "", "flag", "game", derived=True),
    Fact("chooser_won", np.uint8, (), "Who won the roll won the game", "", "flag", "game", derived=True),
    Fact("went_first", np.uint8, _SEAT, "Went first", "", "flag", derived=True),
    Fact("chose", np.uint8, _SEAT, "Won the roll", "", "flag", derived=True),
    Fact("own_turns", np.int16, _SEAT, "Own turns", "own turns", meaning="begun"),
    Fact("end_power", np.int8, _SEAT, "Power at the end", "powers", derived=True),
    Fact("powers_lost", np.int8, (SEATS, LOSSES), "Powers lost", "powers", parts=_LOSSES),
    Fact(
        "lost_turn",
        np.int16,
        (SEATS, POWERS),
        "Turn in which each power was lost",
        "turns",
        "turn",
        parts=_POWERS,
        meaning="from 1; 0: never",
    ),
    Fact("drained", np.int32, (SEATS, DRAINS), "Health lost", "health", parts=_DRAINS),
    _each("prevented", "Damage prevented by barriers", "damage"),
    _each("blocks", "Blocks", "blocks"),
    Fact(
        "prevented_a_block",
        np.float32,
        _SEAT,
        "Damage prevented for each block",
        "damage",
        "number",
        meaning="nan without a block",
        derived=True,
    ),
    _each("hits", "Hits on the enemy Runeslinger", "hits", "damage effects that hurt it"),
    _each("hits_stopped", "Own hits stopped whole by a barrier", "hits"),
    Fact("applied", np.int32, (SEATS, AILMENTS), "Ailments suffered", "instances", parts=_AILMENTS),
    _each("no_room", "Ailments suffered that found no room", "instances"),
    Fact("concealed_most", np.int16, _SEAT, "Most ailments under boons at a time", "instances"),
    _each("drawn_cards", "Cards drawn", "cards"),
    _each("seared", "Cards seared from the deck", "cards"),
    _each("voided", "Cards voided from the deck", "cards"),
    _each("to_limit", "Cards turned away by a full hand", "cards"),
    _each("light_made", "Light made", "light"),
    _each("light_wasted", "Light wasted", "light"),
    Fact("concs_at", np.int8, _SEAT, "Concentrations at the end of own turn 5", "concentrations"),
    _each("slung", "Runespells slung", "runespells"),
    _each("answers", "Answers given", "answers"),
    _each("answered_cards", "Own cards answered", "cards"),
    _each("foiled", "Own cards that came to nothing", "cards", "left play before their effects, or all effects fizzled"),
    _each("inherent_times", "Uses of the inherent ability", "uses"),
    _each("ability_times", "Uses of the equipped ability", "uses"),
    _each("spent", "Determination spent", "determination"),
    _each("passes", "Turns passed", "passes"),
    _each("boons_on_enemy", "Boons laid on the enemy's ailments", "boons"),
    _curve("power_after", "Power", "powers"),
    _curve("life_after", "Health of all powers", "health", "summed over all powers left"),
    _curve("ailments_after", "Exposed ailments", "instances"),
    _of_card(
        *("drawn_turn", np.int8, "Own turn in which it was drawn first", "own turns", "turn"),
        meaning="1 for the opening hand; 0: never",
    ),
    _of_card("played_turn", np.int8, "Own turn in which it was played first", "own turns", "turn", meaning="0: never"),
    _of_card("drawn", np.int16, "Copies drawn", "copies", meaning="from the deck into the hand"),
    _of_card("plays", np.int16, "Copies played", "copies"),
    _of_card("stayed", np.int8, "Copies in hand at the end", "copies", derived=True),
)


STATE = np.dtype(
    [
        # waiting triggers of a TRIGGERS frame, by seat: bit of `hearing`
        ("waiting", np.int64, (STACK, SEATS)),
        ("keys", np.uint32, (INSTANCES,)),  # scratch of shuffles, 0 outside of them
        ("pool", np.int8, (INSTANCES,)),  # scratch of `resample_hidden`, 0 outside of it
        ("hears", np.uint32, _SEAT),  # bit When that a stance or thing of the seat waits for: derived
        ("hand_rank", np.int64, _SEAT),  # scratch of `derive`: rank of what sets the hand limit (RUNE-10)
        ("seq", np.int32),  # running number of cards laid into play
        ("turn", np.int16),  # turns finished, of both players, 0..turn_cap
        # players
        ("power", np.int8, _SEAT),  # 0..start_power
        ("determination", np.int8, _SEAT),
        ("health", np.int16, _SEAT),
        ("light", np.int16, _SEAT),
        ("barrier", np.int16, _SEAT),  # of the Runeslinger
        ("sets_left", np.int16, _SEAT),
        ("blocked", np.int8, _SEAT),  # blocks this turn
        ("inherent_uses", np.int8, _SEAT),  # this turn
        ("boosts", np.int16, (SEATS, BOOSTS)),  # until the Discard Phase
        ("stat", np.int16, (SEATS, STATS)),  # Stat, including the Runeslinger's own numbers, without boosts: derived
        ("deck_of", np.int16, _SEAT),  # entrant
        # cards, as instances
        ("card_of", np.int8, (INSTANCES,)),
        ("slot_of", np.int8, (INSTANCES,)),  # index of the card among the different cards of its deck's list
        ("deck", np.int8, _PILE),  # the top card last; 0 beyond deck_n
        ("deck_n", np.int8, _SEAT),
        ("hand", np.int8, (SEATS, HAND_MAX)),  # sorted by card, then by instance; 0 beyond hand_n
        ("hand_n", np.int8, _SEAT),
        ("discard", np.int8, _PILE),  # in the order in which they were laid
        ("discard_n", np.int8, _SEAT),
        ("void", np.int8, _PILE),
        ("void_n", np.int8, _SEAT),
        # concentrations
        ("conc", np.int8, _SLOT),  # instance, NOBODY
        ("conc_used", np.uint8, _SLOT),
        ("conc_seq", np.int32, _SLOT),  # its running number
        # things in play
        ("thing", np.int8, _PLACE),  # instance, NOBODY
        ("used", np.uint8, _PLACE),
        ("tokens", np.int8, _PLACE),  # 0..TOKENS_MAX
        ("damage", np.int16, _PLACE),  # of this turn
        ("guard", np.int16, _PLACE),  # barrier
        ("turn_played", np.int16, _PLACE),
        ("charged", np.uint8, _PLACE),  # 1: this turn
        ("uses", np.int8, (SEATS, PLACES, ACTIVATED)),  # this turn
        ("under", np.int8, _PLACE),  # instance trapped under it, NOBODY
        ("under_hidden", np.int8, _PLACE),  # 1: it was a concentration, so that its enemy has not seen it
        ("thing_seq", np.int32, _PLACE),  # its running number
        # ailments
        ("ailment", np.int8, _AREA),  # Ailment; only where `count` is not 0
        ("count", np.int16, _AREA),  # instances, 0: a free area
        ("brittle", np.uint8),  # 0: no defence card can have as much damage as defence
        # the decision pending
        ("phase", np.int8),  # Phase
        ("seat", np.int8),  # who decides
        ("options_n", np.int8),
        ("options", np.int8, (OPTIONS_MAX,)),  # action codes
        # course of the game
        ("stage", np.int8),  # Stage
        ("active", np.int8),  # whose turn it is; seat 0 before the first
        ("first", np.int8),  # who goes first; NOBODY before it is known
        ("chooser", np.int8),  # who won the roll; NOBODY before
        ("winner", np.int8),  # NOBODY while undecided and in a draw
        ("cause", np.int8),  # Cause
        ("overflow", np.uint8),  # 1: the work stack was too small; tests show that it never is
        # the work stack; row depth - 1 is the top
        ("depth", np.int8),
        ("frame", np.int8, _FRAME),  # Frame
        ("step", np.int8, _FRAME),  # Part, Blow, or the frame's own
        ("by", np.int8, _FRAME),  # seat that controls it; for a boon, the seat on whose field it lies
        ("place", np.int8, _FRAME),  # position of the source, 0..9; NOBODY
        ("side", np.int8, _FRAME),  # seat on whose field the source lies, or whom the frame concerns
        ("place_seq", np.int32, _FRAME),  # running number of the source
        ("card", np.int16, _FRAME),  # the card whose keywords and type count, NOBODY
        ("inst", np.int8, _FRAME),  # instance being played or trapped under the card that has left, NOBODY
        ("row", np.int16, _FRAME),  # of the effect list, of on-hit effects
        ("at", np.int8, _FRAME),  # effects done
        # points, cards, instances; of CARD effects that acted; of LEAVING triggers by bit; of ACT 1 + its LEAVING frame
        ("left", np.int16, _FRAME),
        # Ailment, When, Drain or Op, by frame; of LEAVING `under_hidden`; of EACH the first seat; of CARD who plays it
        ("kind", np.int8, _FRAME),
        ("direct", np.uint8, _FRAME),
        ("pierce", np.uint8, _FRAME),
        ("answered", np.uint8, _FRAME),  # 1: the card was answered
        ("target", np.int8, _FRAME),  # object of a DAMAGE frame
        ("target_seq", np.int32, _FRAME),
        ("types_n", np.int8, _FRAME),  # types announced
        ("types", np.int8, _ANNOUNCED),  # Ailment
        ("aims_n", np.int8, _FRAME),  # effects whose targets were announced
        ("aims", np.int8, _ANNOUNCED),  # objects, NOBODY
        ("aim_seqs", np.int32, _ANNOUNCED),
        # at the end of own turn 1, 2, ...
        ("power_after", np.int8, _CURVE),  # -1 beyond the last
        ("life_after", np.int16, _CURVE),  # health summed over all powers left
        ("ailments_after", np.int16, _CURVE),  # exposed
        *held(FACTS),
    ],
    align=True,
)


# What happened, for the outcome alone, and scratch: no rule and no evaluation reads it.
READ = ("own_turns",)  # of the facts
CURVES = ("power_after", "life_after", "ailments_after")
RECORDED = (*(name for name, *_ in held(FACTS) if name not in READ), *CURVES, "keys", "pool")
# Fields by frame of the work stack
FRAMES = tuple(name for name, (dtype, *_) in (STATE.fields or {}).items() if dtype.shape[:1] == (STACK,))


@kernel
def owner_of(inst: int) -> int:
    """RUNE-05. Seat in whose deck a card began."""
    return int(inst >= DECK_MAX)


@kernel
def object_at(seat: int, place: int) -> int:
    """Object at position 0..9 of a player's field: the thing, or the concentration where there is no thing."""
    return SEATS + seat * PLACES + place


@kernel
def seat_of(thing: int) -> int:
    """Seat that controls an object."""
    return thing if thing < SEATS else (thing - SEATS) // PLACES


@kernel
def place_of(thing: int) -> int:
    """Position of an object other than a Runeslinger."""
    return (thing - SEATS) % PLACES


@kernel
def seq_of(state: Record, thing: int) -> int:
    """Running number of an object: 0 for a Runeslinger, NOBODY where nothing lies."""
    if thing < SEATS:
        return 0
    seat, place = seat_of(thing), place_of(thing)
    if state["thing"][seat, place] != NOBODY:
        return state["thing_seq"][seat, place]
    if place < SLOTS and state["conc"][seat, place] != NOBODY:
        return state["conc_seq"][seat, place]
    return NOBODY


@kernel
def is_over(state: Record) -> bool:
    """RUNE-20. Whether the encounter has ended."""
    return state["phase"] == Phase.OVER


@kernel
def current_player(state: Record) -> int:
    """Seat that decides now."""
    return state["seat"]
