"""A model and the kernels in lockstep: the same positions, decisions and dice give the same options, snapshots and facts.

A game plugs in with a `Bridge`. `agree` compares at one decision; `follow` steps a game of the compiled loop through the verbs
and the model. A `Pair` plays without the loop, from decision to decision with a choice.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from random import Random
from typing import Any, Protocol

import numpy as np

from sim.engine.contract import write_outcome
from sim.engine.dice import SEATS_MAX
from sim.engine.loop import set_table
from sim.experiments.experiment import Experiment
from sim.run import Replay
from tests.model.kernels import Kernels, RunningOn


class Model(Protocol):
    """A game in plain Python."""

    @property
    def phase(self) -> str:
        """Name of the decision."""

    def options(self) -> list[int]:
        """Codes of the options, ascending; none if the game has ended."""

    def apply(self, code: int, dice: Any = None) -> None:
        """Carry out one option up to the next decision."""

    def current_player(self) -> int:
        """Seat that decides."""

    def over(self) -> bool:
        """Whether the game has ended, won or truncated."""


@dataclass(frozen=True)
class Bridge:
    """What a game's model needs to run beside its kernels.

    kernels: the game in the kernels; dealt: the model of a game that was just dealt there; snapshot: of the model, in the form of
    `Kernels.snapshot`; dice: what the model rolls, given the kernels' dice, with `used`; row, facts: fields of ROW and OUTCOME
    that the model knows at the end of a game, facts by seat.
    """

    kernels: type[Kernels]
    dealt: Callable[[Kernels, Experiment], Any]
    snapshot: Callable[[Any], dict[str, Any]]
    dice: Callable[[Any, np.void], Any]
    row: Callable[[Any], dict[str, Any]]
    facts: Callable[[Any], dict[str, Any]]


def agree(bridge: Bridge, game: Kernels, model: Model, where: str) -> None:
    """Check that options and snapshots are equal."""
    assert game.options() == model.options(), f"{where}: options of {model.phase}"
    seen, wanted = game.snapshot(), bridge.snapshot(model)
    differing = {name: (seen[name], wanted[name]) for name in wanted if seen[name] != wanted[name]}
    assert not differing, f"{where}: kernel and model at {model.phase}: {differing}"


def follow(bridge: Bridge, experiment: Experiment, played: Replay, number: int, seen: Counter[str]) -> Any:
    """Step game `number` of a replay through the verbs and the model, comparing everything at every decision.

    The model rolls the same keyed dice, so that who rolls how many of them in which turn is compared as well. Returns the model.
    """
    game = bridge.kernels(experiment.cards)
    set_table(game.workspace, experiment.cards.record[0], experiment.plan(number, 1)[0])
    model = bridge.dealt(game.listed(), experiment)
    lines = np.flatnonzero(played.moves["row"] == number)
    for line in lines:
        move, where = played.moves[line], f"set {experiment.seed}, game {number}, line {line}"
        assert played.positions[line].tobytes() == game.state.tobytes(), f"{where}: the loop's position"
        agree(bridge, game, model, where)
        seen[model.phase] += 1
        if model.over():
            break
        code = int(move["action"])
        assert (move["seat"], move["options"]) == (model.current_player(), len(model.options())), f"{where}: who decides"
        dice = bridge.dice(model, game.dice)
        model.apply(code, dice)
        game.apply(code)
        assert (game.dice["used"] == dice.used).all(), f"{where}: dice rolled"
    assert line == lines[-1], "the loop went on after the end"
    assert played.moves[line]["action"] == -1, "the loop stopped before the end"
    _same_results(bridge, experiment, played, number, (game, model))
    return model


def _same_results(bridge: Bridge, experiment: Experiment, played: Replay, number: int, pair: tuple[Kernels, Any]) -> None:
    """Compare the row of a game, and the facts under the names of OUTCOME."""
    game, model = pair
    row, outcome = played.rows[number], played.outcomes[number]
    of_game = played.moves[played.moves["row"] == number]
    assert row["decisions"] == (of_game["options"] > 1).sum()
    assert row["entrant"].tolist() == [*experiment.line_up, *[-1] * (SEATS_MAX - len(experiment.line_up))]
    for name, value in bridge.row(model).items():
        assert row[name].tolist() == value, f"game {number}: row, {name}"
    for name, by_seat in bridge.facts(model).items():
        assert outcome[name][: experiment.seats].tolist() == by_seat, f"game {number}: {name}"
    written = np.zeros(1, game.game.outcome)
    write_outcome(game.state, written[0])
    assert written.tobytes() == outcome.tobytes()


CLOSE = 1e-6  # tolerance for floats, which the kernels keep in 32 bits
DECISIONS_MAX = 20_000  # of a game; never reached


class Pair:
    """Kernels that run on and a model, at the same decision. seen: what occurred.

    A game adds `look`, the snapshot of its model, and `result`, the outcome of its model.
    """

    def __init__(self, game: RunningOn, model: Any, where: str) -> None:
        """where: a name for messages."""
        self.game, self.model, self.where = game, model, where
        self.seen: Counter[str] = Counter()
        self.compare("the beginning")

    def look(self) -> dict[str, Any]:
        """The snapshot of the model, in the form of the kernels' `snapshot`."""
        raise NotImplementedError

    def result(self) -> dict[str, Any]:
        """The outcome of the model."""
        raise NotImplementedError

    def compare(self, moment: str) -> None:
        """Compare everything on the table, and the open decisions."""
        kernels, model = self.game.snapshot(), self.look()  # type: ignore[attr-defined]
        if kernels != model:
            found = "\n".join(differing(kernels, model))
            raise AssertionError(f"{self.where}, turn {self.game.state['turn']}, after {moment}:\n{found}")

    def apply(self, code: int) -> None:
        """One decision in both, compared."""
        asked = self.model.pending
        self.seen[asked.kind.name] += 1
        self.game.apply(code)
        self.model.apply(code)
        self.compare(f"{asked.kind.name} of seat {asked.seat}: {code} of {asked.codes}")

    def play(self, rng: Random) -> None:
        """Play at random to the end."""
        for _ in range(DECISIONS_MAX):
            if not self.model.codes:
                return
            self.apply(rng.choice(self.model.codes))
        raise AssertionError(f"{self.where}: no end")

    def compare_outcomes(self) -> None:
        """Compare the outcome field by field."""
        kernels, model = self.game.outcome(), self.result()
        places = {name: places_of(kernels[name], model[name]) for name in kernels.dtype.names}
        found = [f"{name}: {where}" for name, where in places.items() if where]
        assert not found, f"{self.where}: kernels and model have different outcomes (kernels, model):\n" + "\n".join(found)


def differing(kernels: Any, model: Any, where: str = "") -> Iterator[str]:
    """Where two snapshots differ, with the values of kernels and model."""
    if isinstance(kernels, dict) and isinstance(model, dict):
        for name in sorted({*kernels, *model}):
            yield from differing(kernels.get(name), model.get(name), f"{where}.{name}")
    elif isinstance(kernels, list) and isinstance(model, list):
        for at, (one, other) in enumerate(zip_longest(kernels, model)):
            yield from differing(one, other, f"{where}[{at}]")
    elif kernels != model:
        yield f"{where.lstrip('.')}: kernels {kernels}, model {model}"


def places_of(kernels: Any, model: Any) -> list[str]:
    """Where a field differs: index, value of the kernels, value of the model."""
    one, other = np.asarray(kernels, float), np.asarray(model, float)
    places = np.argwhere(~np.isclose(one, other, CLOSE, CLOSE, equal_nan=True))
    return [f"{place.tolist()}: {one[tuple(place)]:g}, {other[tuple(place)]:g}" for place in places]
