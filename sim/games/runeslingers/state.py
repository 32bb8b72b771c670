"""The STATE record of Runeslingers: one game as it stands, its enums, and functions that read it."""

from enum import IntEnum

import numpy as np

from sim.engine.dice import Purpose
from sim.engine.jit import Record, kernel
from sim.games.runeslingers.record import ACTIVATED, AILMENTS, BOOSTS, DECK_MAX, LIST_MAX, STATS

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
        ("own_turns", np.int16, _SEAT),  # own turns begun
        # cards, as instances
        ("card_of", np.uint8, (INSTANCES,)),
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
        ("under_hidden", np.uint8, _PLACE),  # 1: it was a concentration, so that its enemy has not seen it
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
        # what is counted for the outcome
        ("powers_lost", np.int8, (SEATS, LOSSES)),
        ("lost_turn", np.int16, (SEATS, POWERS)),  # turn, from 1, in which a power was lost; 0 never
        ("drained", np.int32, (SEATS, DRAINS)),  # health lost
        ("prevented", np.int32, _SEAT),  # damage absorbed by barriers
        ("blocks", np.int32, _SEAT),
        ("hits", np.int32, _SEAT),  # damage effects that hurt the enemy Runeslinger
        ("hits_stopped", np.int32, _SEAT),  # hits that barriers absorbed completely
        ("applied", np.int32, (SEATS, AILMENTS)),  # suffered
        ("no_room", np.int32, _SEAT),  # instances that were not applied
        ("concealed_most", np.int16, _SEAT),  # most instances under boons at one time
        ("drawn_cards", np.int32, _SEAT),
        ("seared", np.int32, _SEAT),
        ("voided", np.int32, _SEAT),
        ("to_limit", np.int32, _SEAT),  # cards turned away by a full hand
        ("light_made", np.int32, _SEAT),
        ("light_wasted", np.int32, _SEAT),
        ("concs_at", np.int8, _SEAT),  # concentrations at the end of own turn 5
        ("slung", np.int32, _SEAT),  # runespells
        ("answers", np.int32, _SEAT),  # given
        ("answered_cards", np.int32, _SEAT),  # own cards that were answered
        ("foiled", np.int32, _SEAT),  # own cards that left play before their effects, or all of whose effects fizzled
        ("inherent_times", np.int32, _SEAT),
        ("ability_times", np.int32, _SEAT),
        ("spent", np.int32, _SEAT),  # determination
        ("passes", np.int32, _SEAT),
        ("boons_on_enemy", np.int32, _SEAT),
        ("power_after", np.int8, _CURVE),  # at the end of own turn 1, 2, ...; -1 beyond the last
        ("life_after", np.int16, _CURVE),  # health summed over all powers left
        ("ailments_after", np.int16, _CURVE),  # exposed
        ("drawn_turn", np.int8, _CARD),  # own turn in which a card was first in hand, 1 for the opening hand; 0 never
        ("played_turn", np.int8, _CARD),  # own turn in which it was first played, 0 never
        ("drawn", np.int16, _CARD),  # copies that came from the deck into the hand
        ("plays", np.int16, _CARD),
    ],
    align=True,
)


@kernel
def owner_of(inst: int) -> np.int64:
    """RUNE-05. Seat in whose deck a card began."""
    return np.int64(inst >= DECK_MAX)


@kernel
def object_at(seat: int, place: int) -> np.int64:
    """Object at position 0..9 of a player's field: the thing, or the concentration where there is no thing."""
    return np.int64(SEATS + seat * PLACES + place)


@kernel
def seat_of(thing: int) -> np.int64:
    """Seat that controls an object."""
    return np.int64(thing) if thing < SEATS else np.int64(thing - SEATS) // PLACES


@kernel
def place_of(thing: int) -> np.int64:
    """Position of an object other than a Runeslinger."""
    return np.int64(thing - SEATS) % PLACES


@kernel
def seq_of(state: Record, thing: int) -> np.int64:
    """Running number of an object: 0 for a Runeslinger, NOBODY where nothing lies."""
    if thing < SEATS:
        return np.int64(0)
    seat, place = seat_of(thing), place_of(thing)
    if state["thing"][seat, place] != NOBODY:
        return np.int64(state["thing_seq"][seat, place])
    if place < SLOTS and state["conc"][seat, place] != NOBODY:
        return np.int64(state["conc_seq"][seat, place])
    return np.int64(NOBODY)


@kernel
def is_thing(state: Record, thing: int) -> bool:
    """Whether an object is a card in play on a concentration or area."""
    return thing >= SEATS and state["thing"][seat_of(thing), place_of(thing)] != NOBODY


@kernel
def card_at(state: Record, seat: int, place: int) -> np.int64:
    """Card of the thing at a position. There must be one."""
    return np.int64(state["card_of"][state["thing"][seat, place]])


@kernel
def is_over(state: Record) -> bool:
    """RUNE-20. Whether the encounter has ended."""
    return state["phase"] == Phase.OVER


@kernel
def current_player(state: Record) -> np.int64:
    """Seat that decides now."""
    return np.int64(state["seat"])
