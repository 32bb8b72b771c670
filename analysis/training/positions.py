"""Positions of self-play with the share of the win that each seat got in the end: what weights are fitted to.

Players of one kind keep to few of the positions that a judgement is asked about, so chance is let in: some games are begun by
lot, and others branch off at a random position with one random decision, as in the training of value networks (Silver et al.
2016, Mastering the game of Go with deep neural networks and tree search, Nature 529:484-489). Games and branches are played on by
the given policies. Every position is as likely to be taken, however long its game becomes: a fixed number from each game would
favour positions before a quick end, and know the future.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

from analysis.training.tables import Table
from sim.engine.judgement import SURE
from sim.engine.policies import PolicySpec
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.run import features_of, judged, spread

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Watch = Callable[[str, int, int], None]

POSITIONS = 8  # of a game, on average
MOST = 8  # times as many at most
ROWS_MOST = 600_000  # of a sample: seats of positions; bounds the memory, and the time of a fit
BY_LOT = 0.25  # share of the games that begin with random decisions
BRANCHED = 0.5  # share of the others that are played a second time from a random decision on
PILOT = 32  # games from which the usual length is told
CHUNK = 32  # games of a task: bounds the memory of its log
UNWEIGHED = 1e-6  # a judgement farther than this from what the weights say does not go by them


@dataclass(frozen=True, eq=False)
class Sample:
    """Seats of positions, one a row; rows of one game hang together."""

    features: Floats  # (rows, features)
    share: Floats  # (rows,) of the win that the seat got in the end, 0..1
    game: Ints  # (rows,) number of the game that the position is from; a branch belongs to the game that it left
    games: int  # played, without branches
    capped: int  # games and branches left out because nobody won
    unweighed: int  # rows left out because the judgement there is not by the weights

    @classmethod
    def joined(cls, parts: list[Sample]) -> Sample:
        """Samples of different games as one."""
        return cls(
            features=np.concatenate([part.features for part in parts]),
            share=np.concatenate([part.share for part in parts]),
            game=np.concatenate([part.game for part in parts]),
            games=sum(part.games for part in parts),
            capped=sum(part.capped for part in parts),
            unweighed=sum(part.unweighed for part in parts),
        )

    def taken(self, rows: NDArray[Any]) -> Sample:
        """Some of the rows."""
        return replace(self, features=self.features[rows], share=self.share[rows], game=self.game[rows])


def sampled(experiment: Experiment, jobs: int | None = None, watch: Watch | None = None) -> Sample:
    """Play the games of an experiment for their positions; the same whatever the number of workers.

    watch: called with (stage, games done, games in all). Raises ValueError where no game was won, and where the game's judgement
    goes by no weights.
    """
    usual, games = _usual_length(experiment), experiment.games
    stride = max(1.0, usual / min(POSITIONS, ROWS_MOST / (games * experiment.seats)))
    parts, done = [], 0

    def task(first: int, count: int, stop: np.ndarray) -> Any:
        return delayed(_part)(experiment, first, count, usual, stride, stop)

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
    if not len(sample.share):
        if sample.unweighed:
            raise ValueError(f"{title}: its judgement does not go by its weights; there is nothing to fit")
        raise ValueError(f"{title} at {seats} seats: nobody won any of {sample.games:,} games; play more with --games")
    return sample


def _part(experiment: Experiment, first: int, count: int, usual: float, stride: float, stop: np.ndarray) -> Sample:
    """Sample of a range of games. usual: positions of a game; one of `stride` is taken."""
    lot = replace(experiment, policies=(PolicySpec.parse("random"),))
    plain, by_lot = (Table(one, usual, stop) for one in (experiment, lot))
    index = np.arange(first, first + count)
    chance = {int(game): np.random.default_rng([experiment.seed, int(game)]) for game in index}
    begun_by_lot = np.array([rng.random() < BY_LOT for rng in chance.values()])
    taker = _Taker(experiment, stride)
    _take_games(plain, index[~begun_by_lot], chance, taker)
    _take_begun_by_lot(by_lot, plain, index[begun_by_lot], chance, taker)
    return taker.sample(count)


def _take_games(table: Table, index: Ints, chance: dict[int, np.random.Generator], taker: _Taker) -> None:
    """Positions of games, and of branches of some of them."""
    played = table.play(index)
    for row, number in enumerate(index):
        rng, lines = chance[int(number)], played.lines_of(row)
        taker.take(int(number), played.positions[lines], played.rows[row], rng)
        choices = lines[played.moves["options"][lines] > 1]  # none where the games were stopped
        if rng.random() < BRANCHED and len(choices):
            line = rng.choice(choices)
            if branch := table.branch(int(number), played.positions[line], rng, by_lot=True):
                taker.take(int(number), branch.positions, branch.rows[0], rng, always=1)


def _take_begun_by_lot(
    lot: Table, table: Table, index: Ints, chance: dict[int, np.random.Generator], taker: _Taker
) -> None:
    """Positions of games that were played by lot up to a random place in their first half."""
    played = lot.play(index)
    for row, number in enumerate(index):
        if played.rows["status"][row] == Status.UNPLAYED:
            return
        rng, lines = chance[int(number)], played.lines_of(row)
        line = lines[rng.integers((len(lines) + 1) // 2)]
        if branch := table.branch(int(number), played.positions[line], rng, by_lot=False):
            taker.take(int(number), branch.positions, branch.rows[0], rng)


class _Taker:
    """Takes every stride-th position of games, from a random one on."""

    def __init__(self, experiment: Experiment, stride: float) -> None:
        self._experiment, self._stride = experiment, stride
        self._positions: list[np.ndarray] = [np.zeros(0, experiment.game.state)]
        self._shares: list[np.ndarray] = [np.zeros((0, experiment.seats))]
        self._games: list[np.ndarray] = [np.zeros(0, np.int64)]
        self._capped = 0

    def take(self, game: int, positions: np.ndarray, row: np.void, rng: np.random.Generator, always: int = 0) -> None:
        """Take from a game that has ended; a capped one counts for nobody. always: positions at its start to take anyway."""
        share = row["share"][: self._experiment.seats]
        if not share.any():
            self._capped += 1
            return
        lines = np.arange(rng.random() * self._stride, len(positions), self._stride).astype(np.int64)
        lines = np.union1d(np.arange(always), lines)
        if len(lines) > MOST * POSITIONS:
            lines = np.sort(rng.choice(lines, MOST * POSITIONS, replace=False))
        self._positions.append(positions[lines])
        self._shares.append(np.tile(share, (len(lines), 1)))
        self._games.append(np.full(len(lines), game))

    def sample(self, games: int) -> Sample:
        """All that was taken. games: that were played."""
        positions, share = np.concatenate(self._positions), np.concatenate(self._shares)
        seats = self._experiment.seats
        features = features_of(self._experiment, positions)
        weights = self._experiment.cards.record["weight"][0, seats - 1]
        off = np.abs(judged(self._experiment, positions) - chances(features, weights))
        weighed = off <= UNWEIGHED
        game = np.repeat(np.concatenate(self._games), seats).reshape(-1, seats)
        found = features[weighed], share[weighed].astype(np.float64), game[weighed]
        return Sample(*found, games, self._capped, int((~weighed).sum()))


def chances(features: Floats, weights: Floats) -> Floats:
    """Winning chances as the kernels work them out, see `sim.engine.judgement.chance_of`."""
    return np.asarray(1 / (1 + np.exp(-(features @ weights).clip(-SURE, SURE))))
