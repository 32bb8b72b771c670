"""Games played for positions with the share of the win that each seat got in the end.

Players of one kind keep to few of the positions that a judgement is asked about, so chance is let in: some games are begun by
lot, others branch off at a random position with a random decision, as in the training of value networks (Silver et al. 2016,
Mastering the game of Go with deep neural networks and tree search, Nature 529:484-489). Games and branches are played on by
the given policies. Every position is as likely to be taken, however long its game becomes: a fixed number from each game would
favour positions before a quick end, and know the future.

Several options of one decision branch off with the same dice. What is common to them (the rest of the position, of which features
tell but a part) then cannot pass for what an option is worth: what each brought above the mean is fitted to what its features
have above the mean (the within estimator of panel data: Mundlak 1978, On the pooling of time series and cross section data,
Econometrica 46:69-85).
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
from joblib import delayed

from analysis.training.sample import Ints, Sample, Watch
from analysis.training.seating import seated, sides
from analysis.training.tables import Table
from analysis.training.taker import POSITIONS, Taker
from analysis.wording import count
from sim.engine.policies import PolicySpec
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.run import Keeper, keeper_in_use, spread

ROWS_MOST = 600_000  # seats of positions in a fit; bounds the memory, and the time of a fit
BY_LOT = 0.25  # share of the games that begin with random decisions
MIXED = 0.5  # share of the games of a mixed sample in which some seats judge by other weights
BRANCHED = 1.6  # times as many positions as games have, with all that branches off: as counted in several games
PILOT = 32  # games from which the usual length is told
DECISIONS = 4  # of a game whose options are tried
OPTIONS = 4  # of a decision that are tried, at most
BY_LOT_AFTER = (
    0,
    0,
    1,
    3,
    7,
)  # decisions at random after an option, one of these: so turns are seen that go on unwisely
CHUNK = 32  # games of a task: bounds the memory of its log


def sampled(
    experiment: Experiment,
    jobs: int | None = None,
    watch: Watch | None = None,
    rows_most: int = ROWS_MOST,
    mixed: bool = False,
) -> Sample:
    """Play the games of an experiment for their positions; the same whatever the number of workers.

    watch: called with (stage, games done, games in all). rows_most: seats of positions, about. mixed: in half of the games
    some seats judge by the weights set by hand. Raises ValueError where no game was won, and where the game's judgement goes by
    no weights.
    """
    usual, games = _usual_length(experiment), experiment.games
    stride = max(1.0, usual / min(POSITIONS, rows_most / (games * experiment.seats * BRANCHED)))
    parts, done = [], 0

    keeper, kind = keeper_in_use(), f"positions of {games} games, one of {stride!r} of {usual!r}, {mixed}"

    def task(first: int, count: int, stop: np.ndarray) -> Any:
        return delayed(_part)(_Worker(experiment, usual, stride, mixed, stop), first, count, (keeper, kind))

    ranges = ((first, min(CHUNK, games - first)) for first in range(0, games, CHUNK))
    for part in spread(task, ranges, jobs):
        parts.append(part)
        done += part.games
        if watch:
            watch(f"{experiment.seats} seats", done, games)
    return _checked(Sample.joined(parts), experiment)


def _usual_length(experiment: Experiment) -> float:
    """Mean number of positions of the first games."""
    played = Table(experiment).play(np.arange(min(PILOT, experiment.games)))
    return len(played.moves) / len(played.rows)


def _checked(sample: Sample, experiment: Experiment) -> Sample:
    """Raises ValueError for a sample that nothing can be learnt from."""
    title, seats = experiment.game.title, experiment.seats
    if not len(sample.positions.share):
        if sample.unweighed:
            raise ValueError(f"{title}: its judgement does not go by its weights; there is nothing to fit")
        raise ValueError(
            f"{title} at {seats} seats: nobody won any of {count(sample.games)} games; play more with --games"
        )
    return sample


def _part(worker: _Worker, first: int, count: int, kept: tuple[Keeper | None, str]) -> Sample:
    """Sample of a range of games, as kept before or played now."""
    keeper, kind = kept
    if keeper is not None and (arrays := keeper.recall(kind, worker.experiment, first, count)):
        columns: list[Any] = [*arrays[:-1], *map(int, arrays[-1])]
        return Sample(*columns)
    found = worker.sample(np.arange(first, first + count))
    if keeper is not None and not worker.stop[0]:
        *columns, games, capped, unweighed = (getattr(found, one.name) for one in fields(Sample))
        keeper.keep(kind, worker.experiment, first, count, [*columns, np.array([games, capped, unweighed])])
    return found


class _Worker:
    """Plays games and what branches off them. usual: positions of a game; one of `stride` is taken."""

    def __init__(self, experiment: Experiment, usual: float, stride: float, mixed: bool, stop: np.ndarray) -> None:
        self.experiment, self.stop, self._usual = experiment, stop, usual
        self._decisions = int(np.clip(ROWS_MOST // (OPTIONS * experiment.games), 1, DECISIONS))
        self._taker = Taker(experiment, stride)
        self._sides = [None, *(sides(experiment.seats) if mixed else ())]

    def sample(self, index: Ints) -> Sample:
        """Sample of games, by index."""
        chance = {int(game): np.random.default_rng([self.experiment.seed, int(game)]) for game in index}
        side = np.array([self._drawn_side(rng) for rng in chance.values()])
        by_lot = np.array([rng.random() < BY_LOT for rng in chance.values()])
        for number, one in enumerate(self._sides):
            policies = self.experiment.policies if one is None else seated(self.experiment, one)
            table = self._table(policies)
            self._play(table, table, index[(side == number) & ~by_lot], chance)
            lot = self._table((PolicySpec.parse("random"),))
            self._play(lot, table, index[(side == number) & by_lot], chance)
        return self._taker.sample(len(index))

    def _drawn_side(self, rng: np.random.Generator) -> int:
        """Number of the side by which a game is seated, 0: all judge by the new weights."""
        if len(self._sides) == 1 or rng.random() >= MIXED:
            return 0
        return int(rng.integers(1, len(self._sides)))

    def _table(self, policies: tuple[PolicySpec, ...]) -> Table:
        return Table(replace(self.experiment, policies=policies), self._usual, self.stop)

    def _play(self, opening: Table, table: Table, index: Ints, chance: dict[int, np.random.Generator]) -> None:
        """Take from games that are opened at one table and played on at another, and from what branches off."""
        if not len(index):
            return
        played = opening.play(index)
        for row, number in enumerate(index):
            if played.rows["status"][row] == Status.UNPLAYED:
                return
            rng, lines = chance[int(number)], played.lines_of(row)
            if opening is table:
                self._taker.take(int(number), played.positions[lines], played.rows[row], rng)
            else:
                lines = lines[: (len(lines) + 1) // 2]
                self._go_on(table, int(number), played.positions[rng.choice(lines)], rng)
            choices = lines[played.moves["options"][lines] > 1]
            for nth, line in enumerate(rng.choice(choices, min(len(choices), self._decisions), replace=False)):
                self._branch(table, int(number), played.positions[line], int(played.moves["seat"][line]), rng, nth == 0)

    def _go_on(self, table: Table, game: int, position: np.void, rng: np.random.Generator) -> None:
        """Take from a game that was played by lot up to here."""
        if found := table.branch(game, position, int(rng.integers(2**63))):
            self._taker.take(game, found.positions, found.rows[0], rng)

    def _branch(
        self, table: Table, game: int, position: np.void, seat: int, rng: np.random.Generator, kept: bool
    ) -> None:
        """Take options of a decision, played on with the same dice. kept: take the positions of one of them, too."""
        seed, by_lot = int(rng.integers(2**63)), int(rng.choice(BY_LOT_AFTER))
        actions = rng.permutation(table.options(position))[:OPTIONS]
        branches = [table.branch(game, position, seed, int(action), by_lot) for action in actions]
        found = [one for one in branches if one is not None]
        if found and kept:
            self._taker.take(game, found[0].positions, found[0].rows[0], rng)
        shares = np.array([one.rows["share"][0] for one in found], np.float64)
        if len(found) > 1 and shares.any(axis=1).all():
            self._taker.take_options(game, seat, np.concatenate([one.positions[:1] for one in found]), shares[:, seat])
