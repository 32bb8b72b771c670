"""Dice duel: a tiny made-up game with exactly computable win rates, for tests of balance statistics; see `exact`.

Two different fighters. In each round the first seat strikes, then the second seat if it still stands. The striker rolls its
six-sided dice. Each die that shows `hit_on` or more takes health from the opponent: the face plus the striker's `damage` minus
the opponent's `armour`, but at least 1. A fighter without health has lost. `second_health` is added to the health of the
second seat (negative: less health, but at least 1). There is nothing to decide, so every policy plays alike.
"""

import sys
from enum import IntEnum
from math import log
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from sim import kit
from sim.kit import Record, kernel

SEATS, FIGHTERS_MAX = 2, 16
HEALTH_MAX = 110  # of the second seat
FEATURES = ("ahead", "to_strike")
Action = IntEnum("Action", ["STRIKE"], start=0)
Draw = IntEnum("Draw", ["STRIKE"], start=kit.Purpose.FIRST_FREE)
_HALF_STRIKE = 0.5  # that the side to strike is ahead

FACTS = (
    kit.Fact("health", np.int16, (SEATS,), "Health left", "health"),
    kit.Fact("hits", np.int16, (SEATS,), "Dice that hit", "dice"),
    kit.Fact("rounds", np.int16, (), "Rounds", "rounds", per="game", source=("turn",)),
)
STATE = np.dtype(
    [
        *kit.held(FACTS),
        ("turn", np.int16),  # rounds finished, including the one in which a fighter falls
        ("fighter", np.int8, (SEATS,)),  # row of the card
        ("striker", np.int8),  # seat that strikes next
        ("seats", np.int8),
    ],
    align=True,
)


class Rules(kit.RuleSwitches):
    """Every game ends before the least `turn_cap`."""

    CONSTANTS: ClassVar[frozenset[str]] = frozenset({"turn_cap"})
    second_health: Annotated[int, Field(ge=-20, le=20)] = 0
    turn_cap: Annotated[int, Field(ge=1000, le=10_000)] = 1000


class Fighter(kit.CardModel):
    id: kit.Identifier
    name: kit.Text
    health: Annotated[int, Field(ge=10, le=90)]
    dice: Annotated[int, Field(ge=1, le=6)]
    hit_on: Annotated[int, Field(ge=2, le=6)]
    armour: Annotated[int, Field(ge=0, le=3)]
    damage: Annotated[int, Field(ge=0, le=3)]
    source: kit.Source = None


class DiceDuelFile(kit.CardFile):
    ENTRANTS: ClassVar[str] = "fighter"
    game: Literal["dice_duel"]
    rules: Rules
    fighter: Annotated[list[Fighter], Field(min_length=2, max_length=FIGHTERS_MAX), kit.RowCount("fighters")]


CARDS = kit.CardFormat.of(DiceDuelFile, __file__, FEATURES)


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """Seat the fighters; the second can have more or less health."""
    state["seats"] = SEATS
    for seat in range(SEATS):
        state["fighter"][seat] = lineup[seat]
        state["health"][seat] = cards["health"][lineup[seat]]
    state["health"][1] = max(1, state["health"][1] + cards["second_health"])


@kernel
def current_player(state: Record) -> int:
    """The seats strike in turn, the first seat first."""
    return state["striker"]


@kernel
def fallen(state: Record, seat: int) -> bool:
    """Whether a seat has no health left."""
    return state["health"][seat] <= 0


@kernel
def is_over(state: Record) -> bool:
    """Whether a fighter has fallen."""
    return fallen(state, 0) or fallen(state, 1)


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """The seat that still stands when the other has fallen has won."""
    out[:] = 0.0
    for seat in range(SEATS):
        if fallen(state, 1 - seat):
            out[seat] = 1.0


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Striking is the only action."""
    out[0] = Action.STRIKE
    return 1


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Roll and strike; the round ends with the second strike or a fall."""
    seat = state["striker"]
    fighter, other, loss = state["fighter"][seat], state["fighter"][1 - seat], 0
    for _ in range(cards["dice"][fighter]):
        face = kit.roll(rng, seat, Draw.STRIKE, kit.FACES)
        if face >= cards["hit_on"][fighter]:
            state["hits"][seat] += 1
            loss += lost(face, cards["damage"][fighter], cards["armour"][other])
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
    for face in range(cards["hit_on"][fighter], kit.FACES + 1):
        loss += lost(face, cards["damage"][fighter], cards["armour"][other]) / kit.FACES
    loss *= cards["dice"][fighter]
    ahead = _HALF_STRIKE if state["striker"] == seat else 0.0
    return state["health"][1 - seat] / loss + 1.0 - ahead


@kernel
def features(state: Record, cards: Record, seat: int, out: np.ndarray) -> None:
    """Log ratio of the strikes that the opponent and the seat need; 1 for the next striker, -1 for the other."""
    mine, theirs = strikes_needed(state, cards, seat), strikes_needed(state, cards, 1 - seat)
    out[0], out[1] = log(theirs / mine), 1.0 if state["striker"] == seat else -1.0


POSITION = kit.Document(
    keys=(
        kit.LineUp("fighters", "ids", field="fighter", seats=(SEATS,)),
        kit.Each("health", "left, by seat", most=HEALTH_MAX),
        kit.Each("hits", "dice that hit, by seat", most=32_767),
        kit.Number("striker", "seat that strikes next", most=SEATS - 1),
        kit.Number("turn", "rounds finished", most=lambda here: here.card("turn_cap")),
    )
)
GAME = kit.Game.of(
    CARDS,
    FACTS,
    name="dice_duel",
    title="Dice duel",
    seats=(SEATS,),
    state=STATE,
    options_max=len(Action),
    verbs=kit.Verbs.of(sys.modules[__name__]),
    words=kit.PlainWords(POSITION, FACTS, Action),
    features=FEATURES,
    seat_parameters=(kit.SeatParameter("rules.second_health", "extra health of the second player", (-4, 0, 4, 8, 12, 16)),),
)
