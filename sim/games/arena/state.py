"""The STATE record: one game in progress, of fixed size. Nothing is hidden."""

from enum import IntEnum

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.dice import Purpose
from sim.engine.facts import Fact, held, words
from sim.engine.jit import Record, bit_count, kernel, lowest_bit, without_lowest
from sim.games.arena.cards import ABILITIES, HEXES_MAX, STARTS_MAX

SEATS = 4
PIECES = 16  # heroes by seat 0..3, then dragonlings 4..15
DRAGONLING = SEATS  # number of the first dragonling
TARGETS = 6  # at most, of an area attack
NOBODY = -1
NOWHERE = -1  # in `pos`: off the board
EMPTY = -1  # in `occ`: no piece
STRAIGHT = -1  # in `v`: the way has only one direction
STOP_SUMMON = HEXES_MAX  # decision SUMMON: place no more dragonlings
OPTIONS = HEXES_MAX + 1  # options are the codes 0..169
SCRATCH = HEXES_MAX  # where the queue of `reach` begins, behind the hexes that it lists
OPTIONS_MAX = OPTIONS + SCRATCH + HEXES_MAX  # behind the options there is room for one more call of `reach`
TARGET_CODES = 17  # decision ABILITY: 1 + 17 x ability + target
NO_TARGET = 16  # target of utilities and area attacks
PASS = 0  # decision ABILITY: use no ability
SEEN_WORDS = 3  # words of a set of hexes, 64 each
WORD_SHIFT, LAST_BIT = 6, 63
_NONE, _ONE = np.uint64(0), np.uint64(1)
_HEROES = np.uint64((1 << SEATS) - 1)  # in `standing`


class Phase(IntEnum):
    """What is to be decided."""

    START = 0
    MOVE = 1
    ABILITY = 2
    PRE_MOVE = 3
    RAGE = 4
    SUMMON = 5
    STEP = 6
    POST_MOVE = 7
    OVER = 8


class Zone(IntEnum):
    """ARENA-44. Zones of the energy track."""

    GREEN = 0
    YELLOW = 1
    RED = 2


class Cause(IntEnum):
    """ARENA-85. What threw a piece into the water."""

    STILL_IN_PLAY = 0
    KNOCKBACK = 1
    COLLISION = 2
    PULL = 3
    RETALIATION = 4


class Draw(IntEnum):
    """What a random number is drawn for (see `sim.engine.dice`)."""

    FIRST = Purpose.FIRST_FREE
    START = Purpose.FIRST_FREE + 1
    ATTACK = Purpose.FIRST_FREE + 2
    DEFENCE = Purpose.FIRST_FREE + 3


_BY_ABILITY = tuple(f"ability {ability}" for ability in range(ABILITIES))
_LATER_ZONES = words(Zone)[1:]
_SEAT = (SEATS,)
_ABILITY = (SEATS, ABILITIES)
_ZONE = (SEATS, len(_LATER_ZONES))


def _hexes(cards: CardSet) -> tuple[str, ...]:
    """Hexes by number, by their axial coordinates."""
    record = cards.record[0]
    return tuple(f"{record['q'][place]},{record['r'][place]}" for place in range(record["hexes"]))


# Of `fall_*` the state holds a row for each piece; that of a dragonling token is its last fall. A token that left with its
# owner did not fall.
FACTS = (
    Fact("damage_dealt", np.int32, _ABILITY, "Damage dealt", "energy spaces", parts=_BY_ABILITY),
    Fact("damage_taken", np.int32, _SEAT, "Damage taken", "energy spaces"),
    Fact("hexes_pushed", np.int32, _SEAT, "Hexes by which it moved others", "hexes", meaning="pushed or pulled"),
    Fact("collisions_caused", np.int32, _SEAT, "Collisions caused", "collisions", meaning="pieces struck in its chains"),
    Fact("steps", np.int32, _SEAT, "Paths chosen", "decisions", meaning="decisions STEP"),
    Fact(
        "rim_distance",
        np.float32,
        _SEAT,
        "Distance to the water at the end of own turns",
        "hexes",
        "number",
        meaning="mean; nan without a turn",
        derived=True,
    ),
    Fact("uses", np.int16, _ABILITY, "Uses of the ability", "uses", parts=_BY_ABILITY),
    Fact(
        "falls_caused",
        np.int16,
        _ABILITY,
        "Heroes thrown out",
        "heroes",
        parts=_BY_ABILITY,
        meaning="retaliation counts for the passive",
    ),
    Fact("dragonlings_felled", np.int16, _SEAT, "Dragonlings thrown out", "dragonlings", meaning="its own included"),
    Fact("passes", np.int16, _SEAT, "Turns without an ability", "turns"),
    Fact("attacks", np.int16, _SEAT, "Attacks made", "attacks"),
    Fact("landed", np.int16, _SEAT, "Attacks landed", "attacks", meaning="with a net hit on at least one target"),
    Fact("zone_turns", np.int16, _ZONE, "Turns spent in the zone", "turns", parts=_LATER_ZONES, meaning="that ended there"),
    Fact("zone_entry", np.int16, _ZONE, "Turn of entry into the zone", "turns", "turn", parts=_LATER_ZONES, meaning="0: never"),
    Fact("collisions_suffered", np.int16, _SEAT, "Collisions suffered", "collisions"),
    Fact("rage_gained", np.int16, _SEAT, "Rage gained", "tokens"),
    Fact("rage_spent", np.int16, _SEAT, "Rage spent", "tokens"),
    Fact("summoned", np.int16, _SEAT, "Dragonlings placed", "dragonlings"),
    Fact("fall_turn", np.int16, _SEAT, "Turn of the fall", "turns", "turn", meaning="from 1; 0: never", held=(PIECES,)),
    Fact("fall_hex", np.int16, _SEAT, "Hex left last", "", "category", by_cards=_hexes, meaning="-1: never", held=(PIECES,)),
    Fact("first_fall", np.int16, (), "Turn of the first fall", "turns", "turn", "game", meaning="0: none", derived=True),
    Fact("rounds", np.int16, (), "Rounds", "rounds", per="game", derived=True),
    Fact("fall_cause", np.int8, _SEAT, "What threw the hero out", "", "category", categories=words(Cause), held=(PIECES,)),
    Fact("fall_by", np.int8, _SEAT, "Seat credited with the fall", "seat", "number", meaning="-1: none", held=(PIECES,)),
    Fact("fall_ability", np.int8, _SEAT, "Ability that threw the hero out", "ability", "number", meaning="-1: none"),
    Fact("fall_zone", np.int8, _SEAT, "Own zone at the fall", "", "category", categories=words(Zone)),
    Fact("place", np.int8, _SEAT, "Place", "", "place", meaning="0: still in play"),
)

STATE = np.dtype(
    [
        ("seen", np.uint64, (SEEN_WORDS,)),  # scratch memory of `reach`: hexes visited, one bit each; 0 between decisions
        ("taken", np.uint64, (SEEN_WORDS,)),  # hexes that hold a piece, one bit each
        ("standing", np.uint64),  # pieces on the board, one bit each
        *held(FACTS),
        ("rim_distance", np.int32, (SEATS,)),  # straight-line distance to the water at the end of its turns, in hexes, summed
        ("own_turns", np.int16, (SEATS,)),  # turns ended
        # the position
        ("pos", np.int16, (PIECES,)),  # hex id, NOWHERE: off the board
        ("turn", np.int16),  # turns finished, 0..turn_cap
        ("round", np.int16),  # 1 at first, one more each time that play passes the first seat
        ("occ", np.int8, (HEXES_MAX,)),  # piece on a hex, EMPTY
        ("owner", np.int8, (PIECES,)),  # seat; of a dragonling off the board: its last owner
        ("hero", np.int8, (SEATS,)),  # row of the hero's card, NOBODY beyond the last seat
        ("marker", np.int8, (SEATS,)),  # energy, 0..g+y+r-1
        ("protection", np.int8, (SEATS,)),  # extra Defence dice until the hero's next turn, 0..6
        ("slow", np.int8, (SEATS,)),  # steps by which the next Move is shorter, 0..6
        ("rage", np.int8, (SEATS,)),  # tokens, 0..rage_cap
        ("start_taken", np.uint8, (STARTS_MAX,)),  # 1: a hero was placed on this start hex
        ("seats", np.int8),  # 2..4
        ("first", np.int8),  # first player
        ("active", np.int8),  # seat whose turn it is; during setup: whose hero is placed
        ("phase", np.int8),  # Phase
        # the ability in use
        ("ability", np.int8),  # 0..2
        ("target", np.int8),  # piece, NO_TARGET for an area attack or a utility
        ("targets", np.int8, (TARGETS,)),  # pieces attacked, in the order of ARENA-70
        ("dealt", np.int8, (TARGETS,)),  # damage dealt to each target
        ("blocked", np.int8, (TARGETS,)),  # blocks rolled by each target
        ("target_count", np.int8),  # 0..6
        ("hits", np.int8),  # of the attack roll, 0..12
        ("net_hit", np.uint8),  # 1: at least one target had a net hit
        ("paid", np.int8),  # rage paid, 0..6
        ("summon_left", np.int8),  # dragonlings that may still be placed, 0..4
        ("summon_first", np.uint8),  # 1: the next is the first, which is obligatory
        # the push or pull in progress, of a single target
        ("reach_k", np.int8),  # K, 0..39
        ("u", np.int8),  # ARENA-50: main direction
        ("v", np.int8),  # second direction, STRAIGHT
        ("even", np.uint8),  # 1: m = n
        ("made_u", np.int8),  # steps made in direction u
        ("made_v", np.int8),  # steps made in direction v
        ("chooser", np.int8),  # seat that chooses the path
        ("step_a", np.int8),  # the two directions open to the decision STEP
        ("step_b", np.int8),
    ],
    align=True,
)


@kernel
def user_of(state: Record) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Active seat, its hero and the ability in use, as unsigned indexes: numba tests others for counting from the end."""
    seat = np.uint64(state["active"])
    return seat, np.uint64(state["hero"][seat]), np.uint64(state["ability"])


@kernel
def in_play(state: Record, seat: int) -> bool:
    """ARENA-80. Whether a seat's hero stands on the board."""
    return state["pos"][np.uint64(seat)] >= 0


@kernel
def heroes_in_play(state: Record) -> int:
    """Number of heroes on the board, 1..4 (0 before the first is placed)."""
    return bit_count(state["standing"] & _HEROES)


@kernel
def dragonlings_of(state: Record, seat: int) -> int:
    """Number of a seat's dragonlings on the board, 0..12."""
    left, count = state["standing"] & ~_HEROES, 0
    while left != _NONE:
        count += state["owner"][np.uint64(lowest_bit(left))] == seat
        left = without_lowest(left)
    return count


@kernel
def pool_left(state: Record, cards: Record) -> int:
    """ARENA-03. Tokens in the common pool, 0..tokens."""
    left = cards["tokens"] - bit_count(state["standing"] & ~_HEROES)
    for seat in range(SEATS):
        left -= state["rage"][seat]
    return left


@kernel
def zone_of(state: Record, cards: Record, piece: int) -> int:
    """ARENA-44. Zone of a piece; a dragonling always counts as green."""
    if piece >= DRAGONLING:
        return Zone.GREEN
    hero, marker = np.uint64(state["hero"][np.uint64(piece)]), state["marker"][np.uint64(piece)]
    green = cards["energy"][hero, Zone.GREEN]
    if marker < green:
        return Zone.GREEN
    return Zone.YELLOW if marker < green + cards["energy"][hero, Zone.YELLOW] else Zone.RED


@kernel
def bit_of(place: int) -> np.uint64:
    """Bit of a hex in its word, the one of number place >> WORD_SHIFT."""
    return _ONE << np.uint64(place & LAST_BIT)


@kernel
def put(state: Record, piece: int, place: int) -> None:
    """Move a piece to a free hex, from the board or from outside."""
    number, at = np.uint64(piece), np.uint64(place)
    leave_hex(state, piece)
    state["standing"] |= _ONE << number
    state["pos"][number] = place
    state["occ"][at] = piece
    state["taken"][at >> np.uint64(WORD_SHIFT)] |= bit_of(place)


@kernel
def lift(state: Record, piece: int) -> None:
    """Take a piece off the board."""
    number = np.uint64(piece)
    leave_hex(state, piece)
    state["standing"] &= ~(_ONE << number)
    state["pos"][number] = NOWHERE


@kernel
def leave_hex(state: Record, piece: int) -> None:
    """Empty the hex of a piece, if it has one."""
    place = state["pos"][np.uint64(piece)]
    if place >= 0:
        state["occ"][place] = EMPTY
        state["taken"][place >> WORD_SHIFT] &= ~bit_of(place)


@kernel
def gain_rage(state: Record, cards: Record, seat: int, tokens: int) -> None:
    """ARENA-75. Gain rage, up to the card's cap and what is left in the pool."""
    if tokens == 0:
        return
    number = np.uint64(seat)
    room = min(cards["rage_cap"][np.uint64(state["hero"][number])] - state["rage"][number], pool_left(state, cards))
    gained = min(tokens, room)
    state["rage"][number] += gained
    state["rage_gained"][number] += gained


@kernel
def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Do nothing: no information is hidden from any seat."""
