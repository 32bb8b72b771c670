"""The STATE record of Rookling Heroes, its enums, and small functions that read it."""

from enum import IntEnum
from typing import Any

import numpy as np

from sim.engine.dice import Purpose
from sim.engine.facts import Fact, held, words
from sim.engine.jit import Record, kernel
from sim.engine.measures import Kind
from sim.games.rookling.cards import COLOURS_MAX, ENERGY_KINDS, LINES, SQUAD, TOKENS

SEATS = 2
POSITIONS = SQUAD  # of a row, from left to right, seen from one fixed side of the table
CAPACITY_MAX = 4  # cards on a Rookling (ROOK-21)
HAND_MAX = 6
SLOTS = SEATS * SQUAD  # field effects in a game: owner * SQUAD + the owner's roster slot
COPIES_MAX = 3  # of a field effect
DECK_MAX = 78 + SLOTS * COPIES_MAX
KINDS = ENERGY_KINDS + SLOTS  # kinds of cards: energy, then the field effects of the game
FIELD = ENERGY_KINDS  # kind of the field effect in slot 0
TOTALS = COLOURS_MAX + 1  # sums of the numbers on a Rookling: by colour, and of all cards (column ANY)
NOBODY = -1
NOWHERE = -1
LEFT, MIDDLE, RIGHT = range(POSITIONS)
ROWS = 6  # orders of three Rooklings
SIEGES = SQUAD  # numbers of a player's Rooklings in siege-state while the game goes on: 0, 1, 2
CURVE = 30  # exchanges of the life curve
PERIODS = 6  # of PERIOD exchanges each; the last one is open-ended
PERIOD = 5
OPTIONS_MAX = 32  # options of one decision (DRAFT)
WAYS = 3  # how damage arrives: faced, spilled once, spilled twice


class Phase(IntEnum):
    """Decisions, and the end of the game."""

    DRAFT = 0
    ROW = 1
    CLEAR = 2
    ASSIGN = 3
    ACTIVATE = 4
    TARGET = 5
    ATTACK = 6
    DEFEND = 7
    NEXT = 8
    SIDE = 9
    BLOCK = 10
    OVER = 11


RESOLVING = (Phase.NEXT, Phase.SIDE, Phase.BLOCK)


class Cause(IntEnum):
    """What flips a Rookling, and what ends a game; NONE: nothing yet."""

    NONE = 0
    ATTACK = 1
    SPILL = 2
    POISON = 3


CAUSES = len(Cause)


class Draw(IntEnum):
    """What the game draws random numbers for."""

    DRAFTER = Purpose.FIRST_FREE
    ATTACKER = Purpose.FIRST_FREE + 1
    SQUADS = Purpose.FIRST_FREE + 2
    OPENING_ROW = Purpose.FIRST_FREE + 3
    CARD = Purpose.FIRST_FREE + 4


_SEAT = (SEATS,)
_ROOKLING = (SEATS, SQUAD)  # by roster slot
_POSITION = (SEATS, POSITIONS)
_SLOT = (SLOTS,)

_MEMBERS = ("first member", "second member", "third member")
_LINES = tuple(f"{member}, line {line + 1}" for member in _MEMBERS for line in range(LINES))
_SPANS = tuple(f"{PERIOD * at + 1} to {PERIOD * (at + 1)}" for at in range(PERIODS - 1))
_PERIODS = (*_SPANS, f"{PERIOD * (PERIODS - 1) + 1} and later")
_STATES = tuple(f"{own} own, {other} opposing" for own in range(SIEGES) for other in range(SIEGES))
_FLIPS = ("no flip", "one flip", "two flips", "three flips")
_WAYS = ("taken by the one it faced", "spilled once", "spilled twice")
_FRONT, _SIEGE = range(2)


def _member(name: str, type_: type[np.generic], label: str, unit: str, kind: Kind = "count", **more: Any) -> Fact:
    """A fact of each Rookling: by roster slot in STATE, by member in OUTCOME."""
    return Fact(name, type_, _ROOKLING, label, unit, kind, parts=_MEMBERS, order="member", **more)


def _effect(name: str, label: str, unit: str = "copies", meaning: str = "") -> Fact:
    """A fact of each field effect, by the Rookling that it belongs to."""
    return _member(name, np.int16, label, unit, held=_SLOT, meaning=meaning)


def _lines(name: str, label: str, unit: str, meaning: str = "") -> Fact:
    """A fact of each line of each Rookling."""
    shape, held_as = (SEATS, SQUAD * LINES), (SEATS, SQUAD, LINES)
    return Fact(name, np.int16, shape, label, unit, parts=_LINES, held=held_as, order="member", meaning=meaning)


FACTS = (
    # of the game
    Fact("exchanges", np.int16, (), "Exchanges", "exchanges", per="game", source=("turn",)),
    Fact(
        "last_blow",
        np.int8,
        (),
        "What flipped the last Rookling",
        "",
        "category",
        "game",
        words(Cause),
        meaning="none: truncated",
    ),
    Fact("damage_in", np.int32, (PERIODS,), "Damage taken by attacks, spills included", "points", per="game", parts=_PERIODS),
    Fact("spill_in", np.int32, (PERIODS,), "Damage taken by spills", "points", per="game", parts=_PERIODS),
    Fact("exchanges_with", np.int16, (SQUAD + 1,), "Exchanges by flips", "exchanges", per="game", parts=_FLIPS),
    # of a seat
    Fact("attacked_first", np.uint8, _SEAT, "Attacked first", "", "flag", derived=True),
    Fact("drafted_first", np.uint8, _SEAT, "Picked first", "", "flag", meaning="in the draft", derived=True),
    Fact(
        "two_down",
        np.int16,
        _SEAT,
        "Exchange in which two Rooklings stood in siege-state first",
        "exchanges",
        "turn",
        meaning="from 1; 0: never",
    ),
    Fact(
        "visited",
        np.uint8,
        (SEATS, SIEGES * SIEGES),
        "Began an exchange with so many in siege-state",
        "",
        parts=_STATES,
        meaning="1: at least once",
        held=(SEATS, SIEGES, SIEGES),
    ),
    Fact(
        "life_after",
        np.float32,
        (SEATS, CURVE),
        "Life left in the squad",
        "points",
        "number",
        parts=tuple(str(at + 1) for at in range(CURVE)),
        meaning="after exchange 1, 2, ...; nan after the end",
        derived=True,
    ),
    Fact("landed", np.int32, (SEATS, WAYS), "Damage taken by attacks, by how it came", "points", parts=_WAYS),
    Fact("given_kind", np.int16, (SEATS, TOKENS), meaning="token cards put on opponents, by kind"),
    Fact("received_kind", np.int16, (SEATS, TOKENS), meaning="tokens received from any source, fixed ones too, by kind"),
    Fact("cards_drawn", np.int32, _SEAT, "Cards drawn", "cards"),
    Fact("draws_skipped", np.int16, _SEAT, "Draws skipped to clear poison", "draws", meaning="exchanges"),
    Fact(
        "hand_at_attack",
        np.float32,
        _SEAT,
        "Cards in hand at the start of an attack",
        "cards",
        "number",
        meaning="mean; nan without an attack",
        derived=True,
    ),
    # of a Rookling
    _member("start_at", np.int8, "Position in the first row", "position", "number", meaning="-1 before it"),
    _member("picked", np.int8, "Number of the pick in the draft", "picks", "turn", meaning="1 to 6; 0: none"),
    _member("first_flip", np.int16, "Exchange of the first flip", "exchanges", "turn", meaning="from 1; 0: never"),
    _member("flip_cause", np.int8, "Cause of the first flip", "", "category", categories=words(Cause)),
    _member("flips_by_attack", np.int16, "Flips by attacks", "flips", source=("flips", Cause.ATTACK)),
    _member("flips_by_spill", np.int16, "Flips by spills", "flips", source=("flips", Cause.SPILL)),
    _member("flips_by_poison", np.int16, "Flips by poison", "flips", source=("flips", Cause.POISON)),
    _member("healed_back", np.int16, "Times healed out of siege-state", "times"),
    _member("siege_exchanges", np.int16, "Exchanges in siege-state", "exchanges", meaning="begun in it"),
    _member("end_life", np.int8, "Life at the end", "points", source=("life",)),
    _member("turns_front", np.int16, "Attacking turns on the front side", "turns", source=("attack_turns", _FRONT)),
    _member("turns_siege", np.int16, "Attacking turns in siege-state", "turns", source=("attack_turns", _SIEGE)),
    _member("declared_front", np.int32, "Damage declared on the front side", "points", source=("declared", _FRONT)),
    _member("declared_siege", np.int32, "Damage declared in siege-state", "points", source=("declared", _SIEGE)),
    _member("dealt_front", np.int16, "Damage dealt on the front side", "points", source=("dealt", _FRONT)),
    _member("dealt_siege", np.int16, "Damage dealt in siege-state", "points", source=("dealt", _SIEGE)),
    _member("lost_block", np.int32, "Damage lost to blocks", "points"),
    _member("lost_excess", np.int32, "Damage lost as excess", "points"),
    _member("lost_hidden", np.int32, "Damage cancelled", "points"),
    _member("taken_attack", np.int16, "Damage taken by the attack it faced", "points", source=("taken", Cause.ATTACK)),
    _member("taken_spill", np.int16, "Damage taken by spills", "points", source=("taken", Cause.SPILL)),
    _member("taken_poison", np.int16, "Damage taken by poison", "points", source=("taken", Cause.POISON)),
    _member("blocks_own", np.int16, "Blocks used on the attack it faced", "blocks"),
    _member("blocks_spill", np.int16, "Blocks used on a spill", "blocks"),
    _member("blocked", np.int32, "Damage prevented by blocks", "points"),
    _member("energy_used", np.int16, "Cards that powered a line", "cards"),
    _member("energy_vain", np.int16, "Cards placed in vain", "cards"),
    _member("given", np.int16, "Tokens put on opponents", "tokens", meaning="token cards"),
    _member("received", np.int16, "Harmful tokens received", "tokens"),
    _lines("line_met", "Exchanges in which the line was met", "exchanges", "by a player who could have used it"),
    _lines("line_used", "Times the line was used", "uses", "or activated"),
    # of a field effect
    _effect("shuffled", "Copies shuffled in"),
    _effect("drawn_by_owner", "Copies drawn by the owner"),
    _effect("drawn_by_other", "Copies drawn by the opponent"),
    _effect("used_by_owner", "Copies used by the owner", meaning="slid under a Rookling or into a zone"),
    _effect("used_by_other", "Copies used by the opponent"),
    _effect("thrown", "Copies thrown away", meaning="discarded"),
    _effect("triggered", "Tokens spent", "tokens"),
)

STATE = np.dtype(
    [
        ("clash", np.int64),  # the resolution under way, packed (see `rules.attacks`); 0: none
        ("turn", np.int16),  # exchanges finished, 0..turn_cap
        # squads and rows
        ("squad", np.int16, _SEAT),  # entrant of each seat: number of its set of three; NOBODY before the draft is over
        ("rook", np.int8, _ROOKLING),  # row of the card file of each Rookling; NOBODY before the draft
        ("member", np.int8, _ROOKLING),  # place among the squad's Rooklings in the order of the card file: derived
        ("life", np.int8, _ROOKLING),  # points, 0..15; 0: in siege-state
        ("at", np.int8, _POSITION),  # position -> roster slot; NOWHERE before the first row
        # tokens
        ("tok", np.int8, (SEATS, SQUAD, TOKENS)),  # active token cards, 0..12
        ("tok_new", np.int8, (SEATS, SQUAD, TOKENS)),  # pending ones
        ("fe_tok", np.int8, (SEATS, SQUAD, SLOTS)),  # active field effect tokens, 0..3
        ("bears", np.uint16, _ROOKLING),  # kinds of active tokens, bit k = kind k: derived from tok and fe_tok
        ("pending", np.uint16, _ROOKLING),  # kinds of pending token cards: derived
        ("fixed", np.int8, _SLOT),  # zone of the fixed token: seat * POSITIONS + position, NOWHERE
        ("zone_kinds", np.uint16, _POSITION),  # kinds of fixed tokens in each zone, by bit: derived
        ("pile", np.int8, _SLOT),  # copies out of play, 0..3
        ("supply", np.int8, (TOKENS,)),  # token cards out of play, 0..12
        ("effect", np.int8, _SLOT),  # field effect of each slot (row of the card file), NOBODY
        # cards
        ("hand_n", np.int8, _SEAT),  # 0..6
        ("hand", np.int8, (SEATS, HAND_MAX)),  # kinds; beyond hand_n 0
        ("deck_n", np.int16),  # 0..96
        ("disc_n", np.int16),  # 0..96
        # energy on Rooklings, by position
        ("zone_n", np.int8, _POSITION),  # cards, 0..4
        ("zone", np.int8, (SEATS, POSITIONS, CAPACITY_MAX)),  # kinds
        ("capacity", np.int8, _POSITION),  # 1..4
        ("powered", np.uint8, _POSITION),  # cards of the zone that powered a line, by bit
        ("shown", np.int8, (SEATS, POSITIONS, TOTALS)),  # sums of numbers, by colour and in all: derived
        ("matched", np.uint8, _POSITION),  # colours among the cards, by bit: derived
        ("activated", np.uint8, _POSITION),  # special lines activated this exchange, by bit
        ("line", np.int8, _POSITION),  # attack or defence line in use, NOBODY
        ("attack_flat", np.int8, _POSITION),  # grants of this exchange, points
        ("attack_plus", np.int8, _POSITION),
        ("defence_flat", np.int8, _POSITION),
        ("defence_plus", np.int8, _POSITION),
        # amounts of this exchange, by position
        ("att", np.int16, (POSITIONS,)),  # declared attacks, or poison while it is resolved, 0..1023
        ("dfn", np.int16, (POSITIONS,)),  # defences, 0..1023
        ("cover", np.int16, (POSITIONS,)),  # flat defence of tokens that acted because their bearer is attacked
        # whose turn it is
        ("attacker", np.int8),  # seat
        ("first", np.int8),  # seat that attacked first
        ("drafter", np.int8),  # seat that picks first, NOBODY without a draft
        ("defending", np.uint8),  # 1: the defender's half of the exchange (D1 to D3)
        ("phase", np.int8),  # Phase
        ("cursor", np.int8),  # picks made; position of ATTACK and DEFEND; line of ACTIVATE
        ("focus", np.int8),  # position of ACTIVATE and TARGET
        ("poison", np.uint8),  # 1: the packets under way are those of E1b
        ("skip", np.uint8, _SEAT),  # 1: no draw in E3 of this exchange (ROOK-15)
        ("winner", np.int8),  # seat, NOBODY
        # what the evaluation does not read
        ("deck", np.int8, (DECK_MAX,)),  # kinds, in no order; beyond deck_n 0
        ("disc", np.int8, (KINDS,)),  # discard pile: cards by kind
        ("drawn_at", np.int32, (SEATS, HAND_MAX)),  # `draws` when the card was drawn
        ("draws", np.int32),  # number of times that cards moved into a hand or the deck, from 1
        ("entered", np.int32, (SLOTS, COPIES_MAX)),  # `draws` when a copy went into the deck, ascending; 0: none there
        # facts of the game, by roster slot or field effect slot, and what facts derive from
        ("hand_at_attack", np.int16, _SEAT),  # cards in hand at the start of own attacks, summed
        ("attacks_begun", np.int16, _SEAT),
        ("life_after", np.int8, (SEATS, CURVE)),  # total life after exchange 1, 2, ...; -1 after the end
        ("flips_in", np.int8),  # flips of this exchange
        ("flips", np.int16, (SEATS, SQUAD, CAUSES)),  # by Cause
        ("attack_turns", np.int16, (SEATS, SQUAD, 2)),  # own attacking turns: on the front side, in siege-state
        ("declared", np.int32, (SEATS, SQUAD, 2)),  # damage declared, by side
        ("dealt", np.int16, (SEATS, SQUAD, 2)),  # damage dealt, by side
        ("taken", np.int16, (SEATS, SQUAD, CAUSES)),  # damage taken, by Cause
        *held(FACTS),
    ],
    align=True,
)


# What happened, for the outcome alone: no rule and no evaluation reads it.
SUMS = ("hand_at_attack", "attacks_begun", "life_after", "flips", "attack_turns", "declared", "dealt", "taken")
UNRATED = ("focus", "deck", "disc", "drawn_at", "draws", "entered", "powered", "flips_in")  # read by rules, not by the evaluation
RECORDED = (*SUMS, *(name for name, *_ in held(FACTS)))


@kernel
def defender_of(state: Record) -> int:
    """The seat that is attacked."""
    return 1 - state["attacker"]


@kernel
def mover(state: Record) -> int:
    """ROOK-11. The seat whose half of the exchange it is."""
    return 1 - state["attacker"] if state["defending"] else state["attacker"]


@kernel
def side_of(state: Record, seat: int, slot: int) -> int:
    """ROOK-57. The side of the card that is up: 0 front, 1 siege-state."""
    return int(state["life"][seat, slot] == 0)


@kernel
def sieges(state: Record, seat: int) -> int:
    """Number of a seat's Rooklings in siege-state, 0..3."""
    count = 0
    for slot in range(SQUAD):
        count += state["life"][seat, slot] == 0
    return count


@kernel
def row_of(state: Record, kind: int) -> int:
    """Row of a card in the columns by kind of card: energy, then field effects by their row in the card file."""
    return kind if kind < FIELD else FIELD + state["effect"][kind - FIELD]


@kernel
def colour_of(state: Record, cards: Record, kind: int) -> int:
    """ROOK-23, 24, 29. Colour of a card: 0..colours-1 or GREY."""
    return cards["card_colour"][row_of(state, kind)]


@kernel
def number_of(state: Record, cards: Record, kind: int) -> int:
    """ROOK-22, 29. Number of a card, 1..9."""
    return cards["card_number"][row_of(state, kind)]


@kernel
def kinds_at(state: Record, seat: int, position: int) -> np.int64:
    """Kinds of active tokens under the Rookling at a position, and of the fixed ones in its zone (ROOK-71)."""
    return np.int64(state["bears"][seat, state["at"][seat, position]] | state["zone_kinds"][seat, position])


def place_of(state: np.void, seat: int, slot: int) -> int:
    """Position of a Rookling by roster slot, or NOWHERE before the first row."""
    return next((place for place in range(POSITIONS) if state["at"][seat, place] == slot), NOWHERE)


def order_of(state: np.void, seat: int) -> list[int]:
    """Roster slots of a player from left to right; before the first row, in the order of the roster."""
    row = [int(slot) for slot in state["at"][seat]]
    return row if NOWHERE not in row else [*range(SQUAD)]


def zone_of(seat: int, position: int) -> int:
    """Number of a zone in `fixed` (ROOK-62)."""
    return seat * POSITIONS + position


def owner_of(slot: int) -> int:
    """The seat that a field effect slot belongs to."""
    return slot // SQUAD


def hand_of(state: np.void, seat: int) -> list[int]:
    """Kinds of the cards in a hand, by hand slot."""
    return [int(kind) for kind in state["hand"][seat, : state["hand_n"][seat]]]


def energy_on(state: np.void, seat: int, position: int) -> list[int]:
    """Kinds of the cards on the Rookling at a position, in the order of placing."""
    return [int(kind) for kind in state["zone"][seat, position, : state["zone_n"][seat, position]]]


def fixed_at(state: np.void, seat: int, position: int) -> list[int]:
    """Field effect slots whose fixed token lies in a zone."""
    zone = zone_of(seat, position)
    return [slot for slot in range(SLOTS) if state["effect"][slot] != NOBODY and state["fixed"][slot] == zone]
