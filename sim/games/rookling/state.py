"""The STATE record of Rookling Heroes, its enums, and small functions that read it."""

from enum import IntEnum

import numpy as np

from sim.engine.dice import Purpose
from sim.engine.jit import Record, kernel
from sim.games.rookling.record import COLOURS_MAX, ENERGY_KINDS, LINES, NUMBERS, SQUAD, TOKENS

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

STATE = np.dtype(
    [
        ("clash", np.int64),  # the resolution under way, packed (see `rules.attacks`); 0: none
        ("turn", np.int16),  # exchanges finished, 0..turn_cap
        # squads and rows
        ("squad", np.int16, _SEAT),  # entrant of each seat: number of its set of three; NOBODY before the draft is over
        ("rook", np.int8, _ROOKLING),  # row of the card file of each Rookling; NOBODY before the draft
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
        ("drawn_at", np.int32, (SEATS, HAND_MAX)),  # `draws` when the card was drawn
        ("draws", np.int32),  # number of times that cards moved into a hand or the deck, from 1
        ("entered", np.int32, (SLOTS, COPIES_MAX)),  # `draws` when a copy went into the deck, ascending; 0: none there
        ("deck_n", np.int16),  # 0..96
        ("deck", np.int8, (DECK_MAX,)),  # kinds, in no order; beyond deck_n 0
        ("disc_n", np.int16),  # 0..96
        ("disc", np.int8, (KINDS,)),  # discard pile: cards by kind
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
        # facts for the outcome, by roster slot
        ("last_blow", np.int8),  # Cause
        ("cards_drawn", np.int32, _SEAT),
        ("draws_skipped", np.int16, _SEAT),  # exchanges
        ("hand_at_attack", np.int16, _SEAT),  # cards in hand at the start of own attacks, summed
        ("attacks_begun", np.int16, _SEAT),
        (
            "visited",
            np.uint8,
            (SEATS, SIEGES, SIEGES),
        ),  # 1: an exchange began with this number of own, opposing Rooklings in siege-state
        ("life_after", np.int8, (SEATS, CURVE)),  # total life after exchange 1, 2, ...; -1 after the end
        ("two_down", np.int16, _SEAT),  # first exchange with two Rooklings in siege-state, 1-based; 0: none
        ("landed", np.int32, (SEATS, WAYS)),  # damage taken, by how it arrived
        ("damage_in", np.int32, (PERIODS,)),  # damage taken by attacks, by period
        ("spill_in", np.int32, (PERIODS,)),  # the part that spilled
        ("flips_in", np.int8),  # flips of this exchange
        ("exchanges_with", np.int16, (SQUAD + 1,)),  # exchanges with 0, 1, 2, 3 flips
        ("given_kind", np.int16, (SEATS, TOKENS)),  # token cards put on opponents, by kind
        ("received_kind", np.int16, (SEATS, TOKENS)),  # tokens received from any source, fixed ones too, by kind
        ("start_at", np.int8, _ROOKLING),  # position in the player's first row; NOWHERE before it
        ("picked", np.int8, _ROOKLING),  # number of the pick in the draft, 1..6; 0: none
        ("first_flip", np.int16, _ROOKLING),  # exchange, 1-based; 0: never
        ("flip_cause", np.int8, _ROOKLING),  # Cause of the first flip
        ("flips", np.int16, (SEATS, SQUAD, CAUSES)),  # by Cause
        ("healed_back", np.int16, _ROOKLING),  # times healed out of siege-state
        ("siege_exchanges", np.int16, _ROOKLING),  # exchanges begun in siege-state
        ("attack_turns", np.int16, (SEATS, SQUAD, 2)),  # own attacking turns: on the front side, in siege-state
        ("declared", np.int32, (SEATS, SQUAD, 2)),  # damage declared, by side
        ("dealt", np.int16, (SEATS, SQUAD, 2)),  # damage dealt, by side
        ("lost_block", np.int32, _ROOKLING),  # damage lost to blocks
        ("lost_excess", np.int32, _ROOKLING),
        ("lost_hidden", np.int32, _ROOKLING),
        ("taken", np.int16, (SEATS, SQUAD, CAUSES)),  # damage taken, by Cause
        ("blocks_own", np.int16, _ROOKLING),  # blocks used on the attack it faced
        ("blocks_spill", np.int16, _ROOKLING),
        ("blocked", np.int32, _ROOKLING),  # damage prevented
        ("energy_used", np.int16, _ROOKLING),  # cards that powered a line
        ("energy_vain", np.int16, _ROOKLING),
        ("given", np.int16, _ROOKLING),  # token cards put on opponents
        ("received", np.int16, _ROOKLING),  # harmful tokens received
        ("line_met", np.int16, (SEATS, SQUAD, LINES)),  # exchanges in which a line of the right kind was met
        ("line_used", np.int16, (SEATS, SQUAD, LINES)),  # times used or activated
        # by field effect slot
        ("shuffled", np.int16, _SLOT),  # copies shuffled in
        ("drawn_by_owner", np.int16, _SLOT),  # copies
        ("drawn_by_other", np.int16, _SLOT),
        ("used_by_owner", np.int16, _SLOT),  # copies slid under a Rookling or into a zone
        ("used_by_other", np.int16, _SLOT),
        ("thrown", np.int16, _SLOT),  # copies discarded
        ("triggered", np.int16, _SLOT),  # tokens spent
    ],
    align=True,
)


@kernel
def defender_of(state: Record) -> np.int64:
    """The seat that is attacked."""
    return np.int64(1 - state["attacker"])


@kernel
def mover(state: Record) -> np.int64:
    """ROOK-11. The seat whose half of the exchange it is."""
    return np.int64(1 - state["attacker"]) if state["defending"] else np.int64(state["attacker"])


@kernel
def side_of(state: Record, seat: int, slot: int) -> np.int64:
    """ROOK-57. The side of the card that is up: 0 front, 1 siege-state."""
    return np.int64(state["life"][seat, slot] == 0)


@kernel
def sieges(state: Record, seat: int) -> np.int64:
    """Number of a seat's Rooklings in siege-state, 0..3."""
    count = np.int64(0)
    for slot in range(SQUAD):
        count += state["life"][seat, slot] == 0
    return count


@kernel
def colour_of(state: Record, cards: Record, kind: int) -> np.int64:
    """ROOK-23, 24, 29. Colour of a card: 0..colours-1 or GREY."""
    if kind < FIELD:
        return np.int64(kind // NUMBERS)
    return np.int64(cards["effect_colour"][state["effect"][kind - FIELD]])


@kernel
def number_of(state: Record, cards: Record, kind: int) -> np.int64:
    """ROOK-22, 29. Number of a card, 1..9."""
    if kind < FIELD:
        return np.int64(kind % NUMBERS + 1)
    return np.int64(cards["effect_number"][state["effect"][kind - FIELD]])


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
