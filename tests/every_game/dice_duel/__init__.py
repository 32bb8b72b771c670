"""Dice duel: a tiny made-up game with exactly computable win rates, for tests of balance statistics; see `exact`.

Two different fighters. In each round the first seat strikes, then the second seat if it still stands. The striker rolls its
six-sided dice. Each die that shows `hit_on` or more takes health from the opponent: the face plus the striker's `damage` minus
the opponent's `armour`, but at least 1. A fighter without health has lost. `second_health` is added to the health of the
second seat (negative: less health, but at least 1). There is nothing to decide, so every policy plays alike.
"""

import sys
from collections.abc import Mapping
from enum import IntEnum
from math import log
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from sim.engine.cards import CardFile, CardModel, CardSet, Identifier, Source, Text, read_document, validate
from sim.engine.contract import Game, Verbs
from sim.engine.dice import FACES, SEATS_MAX, Purpose, roll
from sim.engine.evaluation import chance_of, weights_dtype, write_weights
from sim.engine.jit import Record, kernel, scratch
from sim.engine.measures import Measure, SeatParameter
from sim.engine.questions import FirstPlayer, Length, Matchups, WinRates
from sim.engine.words import line_up  # noqa: F401 - this module is the game's words

# ---- state ----

SEATS = 2
OPTIONS_MAX = 1


class Draw(IntEnum):
    """What chance is drawn for."""

    STRIKE = Purpose.FIRST_FREE


STATE = np.dtype(
    [
        ("turn", np.int16),  # rounds finished, including the one in which a fighter falls
        ("health", np.int16, (SEATS,)),
        ("hits", np.int16, (SEATS,)),  # dice that hit so far
        ("fighter", np.int8, (SEATS,)),  # row of the card
        ("striker", np.int8),  # seat that strikes next
    ],
    align=True,
)


# ---- cards ----

REFERENCE = Path(__file__).with_name("cards.toml")
FIGHTERS_MAX = 16
FEATURES = ("ahead", "to_strike")  # see `features`
NUMBERS = ("health", "dice", "hit_on", "armour", "damage")  # of a fighter

CARDS = np.dtype(
    [
        *weights_dtype(FEATURES),
        ("second_health", np.int16),  # extra health of the second seat
        ("turn_cap", np.int16),  # rounds after which a game is stopped
        ("fighters", np.int16),
        ("health", np.int16, (FIGHTERS_MAX,)),
        ("dice", np.int8, (FIGHTERS_MAX,)),
        ("hit_on", np.int8, (FIGHTERS_MAX,)),  # lowest face that hits
        ("armour", np.int8, (FIGHTERS_MAX,)),  # taken off each hit
        ("damage", np.int8, (FIGHTERS_MAX,)),  # added to each hit
    ],
    align=True,
)


class Rules(CardModel):
    """Numbers of the game itself. Every game ends before the least `turn_cap`."""

    second_health: Annotated[int, Field(ge=-20, le=20)] = 0
    turn_cap: Annotated[int, Field(ge=1000, le=10_000)] = 1000
    source: Source = None


class Fighter(CardModel):
    """One entrant."""

    id: Identifier
    name: Text
    health: Annotated[int, Field(ge=10, le=90)]
    dice: Annotated[int, Field(ge=1, le=6)]
    hit_on: Annotated[int, Field(ge=2, le=6)]
    armour: Annotated[int, Field(ge=0, le=3)]
    damage: Annotated[int, Field(ge=0, le=3)]
    source: Source = None


class DiceDuelFile(CardFile):
    """A whole file."""

    game: Literal["dice_duel"]
    rules: Rules
    fighter: Annotated[list[Fighter], Field(min_length=2, max_length=FIGHTERS_MAX)]


def load(path: Path | None = None) -> CardSet:
    """Read a card file, or the reference set."""
    document, file = read_document(path, REFERENCE)
    return from_document(document, file)


def from_document(document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
    """Validate and compile a document."""
    file = validate(DiceDuelFile, document, where)
    record = np.zeros(1, CARDS)
    record["fighters"] = len(file.fighter)
    for field in ("second_health", "turn_cap"):
        record[field] = getattr(file.rules, field)
    for number, fighter in enumerate(file.fighter):
        for field in NUMBERS:
            record[field][0, number] = getattr(fighter, field)
    write_weights(record[0], REFERENCE.parent, FEATURES)
    switches = {"second_health": file.rules.second_health}
    return CardSet.of(record, {fighter.id: fighter.name for fighter in file.fighter}, switches, document, where)


# ---- outcome ----

OUTCOME = np.dtype(
    [
        ("health", np.int16, (SEATS_MAX,)),  # left, by seat
        ("hits", np.int16, (SEATS_MAX,)),
        ("rounds", np.int16),
    ],
    align=True,
)


@kernel
def fallen(state: Record, seat: int) -> bool:
    """Whether a seat has no health left."""
    return state["health"][seat] <= 0


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """The seat that still stands when the other has fallen has won."""
    out[:] = 0.0
    for seat in range(SEATS):
        if fallen(state, 1 - seat):
            out[seat] = 1.0


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Facts of a game, by seat."""
    outcome["rounds"] = state["turn"]
    for seat in range(SEATS):
        outcome["health"][seat] = state["health"][seat]
        outcome["hits"][seat] = state["hits"][seat]


MEASURES = (
    Measure("health", "Health left", "health", "seat", "count"),
    Measure("hits", "Dice that hit", "dice", "seat", "count"),
    Measure("rounds", "Rounds", "rounds", "game", "count"),
)

QUESTIONS = (
    WinRates("win-rates", "Who wins how often, and how sure is that?"),
    Matchups("matchups", "Who beats whom?"),
    FirstPlayer("turn-order", "What is going first worth?"),
    Length("length", "How long does a game last?"),
)


# ---- rules ----

ROW = np.dtype([("features", np.float64, (2,))])
_HALF_STRIKE = 0.5  # that the side to strike is ahead


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """Seat the fighters; the second can have more or less health."""
    for seat in range(SEATS):
        state["fighter"][seat] = lineup[seat]
        state["health"][seat] = cards["health"][lineup[seat]]
    state["health"][1] = max(1, state["health"][1] + cards["second_health"])


@kernel
def current_player(state: Record) -> int:
    """The seats strike in turn, the first seat first."""
    return np.int64(state["striker"])


@kernel
def is_over(state: Record) -> bool:
    """Whether a fighter has fallen."""
    return fallen(state, 0) or fallen(state, 1)


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Striking is action 0, the only one."""
    out[0] = 0
    return 1


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Roll and strike; the round ends with the second strike or a fall."""
    seat = np.int64(state["striker"])
    fighter, other = state["fighter"][seat], state["fighter"][1 - seat]
    loss = np.int64(0)
    for _ in range(cards["dice"][fighter]):
        face = roll(rng, seat, Draw.STRIKE, FACES)
        if face >= cards["hit_on"][fighter]:
            state["hits"][seat] += 1
            loss += lost(face, np.int64(cards["damage"][fighter]), np.int64(cards["armour"][other]))
    state["health"][1 - seat] = max(0, state["health"][1 - seat] - loss)
    state["striker"] = 1 - seat
    if seat == 1 or is_over(state):
        state["turn"] += 1


@kernel
def lost(face: int, damage: int, armour: int) -> int:
    """Health that a hitting die takes: face plus damage minus armour, at least 1."""
    return max(1, face + damage - armour)


@kernel
def strikes_needed(state: Record, cards: Record, seat: int) -> float:
    """Average strikes until the opponent falls, half a strike less for the next striker."""
    fighter, other = state["fighter"][seat], state["fighter"][1 - seat]
    loss = 0.0
    for face in range(cards["hit_on"][fighter], FACES + 1):
        loss += lost(face, np.int64(cards["damage"][fighter]), np.int64(cards["armour"][other])) / FACES
    loss *= cards["dice"][fighter]
    ahead = _HALF_STRIKE if state["striker"] == seat else 0.0
    return state["health"][1 - seat] / loss + 1.0 - ahead


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """A chance that falls with the strikes needed relative to the opponent's; the share of the win at the end."""
    if is_over(state):
        return 0.0 if fallen(state, seat) else 1.0
    row = scratch(ROW)["features"]
    features(state, cards, seat, row)
    return chance_of(row, cards["weight"][SEATS - 1])


@kernel
def features(state: Record, cards: Record, seat: int, out: np.ndarray) -> None:
    """Log ratio of the strikes that the opponent and the seat need; 1 for the next striker, -1 for the other."""
    mine, theirs = strikes_needed(state, cards, seat), strikes_needed(state, cards, 1 - seat)
    out[0], out[1] = log(theirs / mine), 1.0 if state["striker"] == seat else -1.0


@kernel
def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Nothing is hidden."""


# ---- words ----

_NUMBERS = ("health", "hits")  # of each seat
_COUNTS = ("striker", "turn")


def action(state: np.void, cards: CardSet, action: int) -> str:
    """The only decision in words."""
    return "strike"


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two states."""
    if before["striker"] == after["striker"]:
        return []
    seat = int(before["striker"])
    hits, loss = after["hits"] - before["hits"], before["health"] - after["health"]
    name, other = (cards.names[before["fighter"][index]] for index in (seat, 1 - seat))
    return [f"{name} hits with {hits[seat]} dice; {other} loses {loss[1 - seat]} and has {after['health'][1 - seat]}"]


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """The position as a dict of readable names."""
    return {
        "fighters": [cards.ids[fighter] for fighter in state["fighter"]],
        **{field: state[field].tolist() for field in _NUMBERS},
        **{field: int(state[field]) for field in _COUNTS},
    }


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position given by readable names into a zeroed state. Raises ValueError naming the field."""
    fighters = position.get("fighters")
    if not isinstance(fighters, list) or len(fighters) != SEATS or not set(fighters) <= set(cards.ids):
        raise ValueError(f"fighters={fighters!r} must be {SEATS} of {', '.join(cards.ids)}")
    state["fighter"] = [cards.ids.index(fighter) for fighter in fighters]
    for field in (*_NUMBERS, *_COUNTS):
        state[field] = position.get(field, 0)


def picture(state: np.void, cards: CardSet) -> str:
    """The position as text."""
    seats = zip(state["fighter"], state["health"], strict=True)
    lines = [f"  {cards.names[fighter]}: {health} health" for fighter, health in seats]
    return "\n".join([f"round {state['turn'] + 1}", *lines])


GAME = Game(
    name="dice_duel",
    title="Dice duel",
    seats=(SEATS,),
    state=STATE,
    outcome=OUTCOME,
    options_max=OPTIONS_MAX,
    verbs=Verbs.of(sys.modules[__name__]),
    reference=REFERENCE,
    load=load,
    from_document=from_document,
    turn_limit=lambda cards: int(cards.record["turn_cap"][0]),
    measures=MEASURES,
    questions=QUESTIONS,
    words=sys.modules[__name__],
    entrant_word="fighter",
    entrants_word="fighters",
    features=FEATURES,
    seat_parameters=(SeatParameter("rules.second_health", "extra health of the second player", (-4, 0, 4, 8, 12, 16)),),
)
