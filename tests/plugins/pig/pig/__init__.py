"""Pig: two players race to 100 points with one die.

In its turn a player rolls as often as it dares. Any face but a one is added to the turn's total; a one ends the turn and loses
the total. A player who holds adds the total to its score and ends the turn. The first whose score reaches `target` wins.
Players can start with different scores, and the second player with some points more.

`evaluate` is the exact chance under optimal play, from the table of `optimum`, so `greedy:1` plays optimally.
"""

import sys
from collections.abc import Iterator
from enum import IntEnum
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from pig.optimum import winning_chances
from sim import kit
from sim.kit import Record, kernel

SEATS, TARGET_MAX, FACES_MAX, PLAYERS_MAX = 2, 100, 20, 8
Action = IntEnum("Action", ["ROLL", "HOLD"], start=0)
Draw = IntEnum("Draw", ["DIE"], start=kit.Purpose.FIRST_FREE)


# ---- cards ----------------------------------------------------------------------------------------------------------


class Rules(kit.CardModel):
    """Numbers of the rules."""

    target: Annotated[int, Field(ge=10, le=TARGET_MAX)]
    faces: Annotated[int, Field(ge=2, le=FACES_MAX)]
    second_start: Annotated[int, Field(ge=0, le=30)] = 0
    turn_cap: Annotated[int, Field(ge=100, le=10_000)]
    source: kit.Source = None


class Player(kit.CardModel):
    """A player and its handicap."""

    id: kit.Identifier
    name: kit.Text
    start: Annotated[int, Field(ge=0, le=60)]
    source: kit.Source = None


class PigFile(kit.CardFile):
    """A whole file."""

    ENTRANTS: ClassVar[str] = "player"
    game: Literal["pig"]
    rules: Rules
    player: Annotated[list[Player], Field(min_length=1, max_length=PLAYERS_MAX)]

    def problems(self) -> Iterator[kit.Problem]:
        """No player may start with a score that wins."""
        most = self.rules.target - self.rules.second_start - 1
        for index, player in enumerate(self.player):
            if player.start > most:
                right = f"must be at most {most}, so that nobody has won before the first roll"
                yield kit.Problem(("player", index, "start"), "is too large", right)


def derive(table: np.void, file: PigFile) -> None:
    """Write the chance of the seat that begins its turn, by its score and the opponent's."""
    target = file.rules.target
    table["begin"][:target, :target] = winning_chances(target, file.rules.faces)


CARDS = kit.CardFormat.of(PigFile, __file__, derived=[("begin", np.float64, (TARGET_MAX, TARGET_MAX))], derive=derive)


# ---- records --------------------------------------------------------------------------------------------------------

FACTS = (
    kit.Fact("score", np.int16, (kit.SEATS_MAX,), "Score at the end", "points"),
    kit.Fact("rolls", np.int16, (kit.SEATS_MAX,), "Rolls", "rolls"),
    kit.Fact("ones", np.int16, (kit.SEATS_MAX,), "Turns lost to a one", "turns"),
    kit.Fact("holds", np.int16, (kit.SEATS_MAX,), "Turns held", "turns"),
)
STATE = np.dtype(
    [
        *kit.held(FACTS),
        ("turn", np.int16),  # turns finished, of both seats
        ("total", np.int16),  # points of this turn, 0..119
        ("player", np.int8, (kit.SEATS_MAX,)),  # row of the card, by seat
        ("seats", np.int8),
        ("over", np.uint8),  # 1: the seat that moved last has won
    ],
    align=True,
)
AFTER = np.dtype([("chance", np.float64, (TARGET_MAX + 2 * FACES_MAX,))])


# ---- rules ----------------------------------------------------------------------------------------------------------


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """Seat both players with the scores they start with."""
    state["seats"] = SEATS
    for seat in range(SEATS):
        state["player"][seat] = lineup[seat]
        state["score"][seat] = cards["start"][lineup[seat]]
    state["score"][1] += cards["second_start"]


@kernel
def current_player(state: Record) -> int:
    """The seats take turns."""
    return state["turn"] % SEATS


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Only roll without a total, only hold with enough to win, else either."""
    if state["total"] > 0 and state["score"][current_player(state)] + state["total"] >= cards["target"]:
        out[0] = Action.HOLD
        return 1
    out[0], out[1] = Action.ROLL, Action.HOLD
    return 2 if state["total"] > 0 else 1


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Roll, or hold; a one or holding ends the turn."""
    seat = current_player(state)
    if action == Action.ROLL:
        face = kit.roll(rng, seat, Draw.DIE, cards["faces"])
        state["rolls"][seat] += 1
        if face > 1:
            state["total"] += face
            return
        state["ones"][seat] += 1
    else:
        state["score"][seat] += state["total"]
        state["holds"][seat] += 1
        state["over"] = state["score"][seat] >= cards["target"]
    state["total"] = 0
    state["turn"] += 1


@kernel
def is_over(state: Record) -> bool:
    """Whether a score has reached the target."""
    return state["over"] > 0


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """The seat that moved last has won."""
    out[:] = 0.0
    if state["over"]:
        out[(state["turn"] - 1) % SEATS] = 1.0


# ---- evaluation -----------------------------------------------------------------------------------------------------


@kernel
def held_chance(state: Record, cards: Record, seat: int) -> float:
    """Chance of the seat to move if it holds now."""
    score = state["score"][seat] + state["total"]
    return 1.0 if score >= cards["target"] else 1.0 - cards["begin"][state["score"][1 - seat], score]


@kernel
def rolled_chance(state: Record, cards: Record, seat: int) -> float:
    """Chance of the seat to move if it rolls now and plays optimally from there, by induction from the highest total."""
    after, faces = kit.scratch(AFTER)["chance"], cards["faces"]
    mine, theirs, total = state["score"][seat], state["score"][1 - seat], state["total"]
    lost, enough, rolled = 1.0 - cards["begin"][theirs, mine], max(cards["target"] - mine, total), 0.0
    for more in range(enough, enough + faces + 1):
        after[more] = 1.0
    for now in range(enough, total - 1, -1):
        rolled = lost
        for face in range(2, faces + 1):
            rolled += after[now + face]
        rolled /= faces
        if now < enough:
            after[now] = max(rolled, 1.0 - cards["begin"][theirs, mine + now])
    return rolled


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Exact chance to win if both play optimally."""
    if is_over(state):
        return 1.0 if (state["turn"] - 1) % SEATS == seat else 0.0
    mover = current_player(state)
    chance = rolled_chance(state, cards, mover)
    if state["total"] > 0:
        chance = max(chance, held_chance(state, cards, mover))
    return chance if mover == seat else 1.0 - chance


@kernel
def evaluate_options(state: Record, cards: Record, seat: int, options: np.ndarray, count: int, values: np.ndarray) -> bool:
    """Write the exact chance after each option: a roll is worth its mean over the faces."""
    for index in range(count):
        rolls = options[index] == Action.ROLL
        values[index] = rolled_chance(state, cards, seat) if rolls else held_chance(state, cards, seat)
    return True


# ---- the game -------------------------------------------------------------------------------------------------------


def _settle(table, here) -> None:
    """A score that has reached the target ends the game."""
    here.state["over"] = here.state["score"].max() >= here.card("target")


POSITION = kit.Document(
    settle=_settle,
    keys=(
        kit.LineUp("players", "ids by seat", field="player", seats=(SEATS,)),
        kit.Each("scores", "points of each seat", field="score", most=lambda here: here.card("target") + FACES_MAX),
        kit.Number("total", "points of this turn", most=lambda here: here.card("target") + FACES_MAX),
        kit.Number("turn", "turns finished", most=lambda here: here.card("turn_cap")),
    ),
)
GAME = kit.Game.of(
    CARDS,
    FACTS,
    name="pig",
    title="Pig",
    seats=(SEATS,),
    state=STATE,
    options_max=len(Action),
    verbs=kit.Verbs.of(sys.modules[__name__]),
    words=kit.PlainWords(POSITION, FACTS, Action),
    mirror=True,
    player="greedy:1",
    seat_parameters=(kit.SeatParameter("rules.second_start", "points of the second player at the start", (0, 2, 4, 6, 8)),),
    questions=(
        kit.WinRates("win-rates", "Who wins how often?"),
        kit.Matchups("matchups", "Who beats whom?"),
        kit.Ask("turns", "How do turns end?", "why", "amounts", {"facts": ["holds", "ones", "rolls"]}),
        kit.Ask("handicaps", "Which handicap should change?", "change", "parameters", {"fields": ["player."]}),
        kit.Ask("length", "How long does a game last?", "run", "times", {"facts": ["length"], "by": "seats"}),
    ),
)
