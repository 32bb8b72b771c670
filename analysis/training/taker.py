"""Takes positions and pairs of decisions out of games that have ended."""

from __future__ import annotations

import numpy as np

from analysis.training.sample import Floats, Sample, chances
from sim.experiment import Experiment
from sim.run import features_of, judged

POSITIONS = 8  # of a game, on average
MOST = 8  # times as many at most
UNWEIGHED = 1e-6  # a judgement farther than this from what the weights say does not go by them


class Taker:
    """Takes every stride-th position of games from a random one on, and what two decisions led to."""

    def __init__(self, experiment: Experiment, stride: float) -> None:
        self._experiment, self._stride = experiment, stride
        self._positions = [np.zeros(0, experiment.game.state)]
        self._shares = [np.zeros((0, experiment.seats))]
        self._games = [np.zeros(0, np.int64)]
        self._pairs: list[tuple[np.ndarray, int, float, int]] = []  # two positions, seat, first less second, game
        self._capped = 0

    def take(self, game: int, positions: np.ndarray, row: np.void, rng: np.random.Generator) -> None:
        """Take from a game that has ended; a capped one counts for nobody."""
        share = row["share"][: self._experiment.seats]
        if not share.any():
            self._capped += 1
            return
        lines = np.arange(rng.random() * self._stride, len(positions), self._stride).astype(np.int64)
        if len(lines) > MOST * POSITIONS:
            lines = np.sort(rng.choice(lines, MOST * POSITIONS, replace=False))
        self._positions.append(positions[lines])
        self._shares.append(np.tile(share, (len(lines), 1)))
        self._games.append(np.full(len(lines), game))

    def take_pair(self, game: int, seat: int, first: np.ndarray, second: np.ndarray, more: float) -> None:
        """Take what two decisions of a seat led to, one position each. more: share of the win that the first brought above."""
        if more:
            self._pairs.append((np.concatenate([first, second]), seat, more, game))

    def sample(self, games: int) -> Sample:
        """All that was taken. games: that were played."""
        return Sample.joined([self._of_positions(games), self._of_pairs()])

    def _of_positions(self, games: int) -> Sample:
        seats = self._experiment.seats
        features, weighed = self._weighed(np.concatenate(self._positions))
        share, game = np.concatenate(self._shares), np.concatenate(self._games)
        found = Sample.plain(
            features[weighed],
            share[weighed].astype(np.float64),
            np.repeat(game, seats).reshape(-1, seats)[weighed],
        )
        weight = np.full(len(found.share), 1 / POSITIONS)
        return Sample(
            *(found.features, found.share, found.game, weight, found.pair),
            *(games, self._capped, int((~weighed).sum())),
        )

    def _of_pairs(self) -> Sample:
        """Differences of features; a pair counts by the share of the win by which its results differ."""
        positions = [np.zeros(0, self._experiment.game.state), *(one[0] for one in self._pairs)]
        features, weighed = self._weighed(np.concatenate(positions))
        place, seat = np.arange(len(self._pairs)), np.array([one[1] for one in self._pairs], np.int64)
        first, second = features[0::2][place, seat], features[1::2][place, seat]
        good = weighed[0::2][place, seat] & weighed[1::2][place, seat]
        more, game = np.array([one[2] for one in self._pairs]), np.array([one[3] for one in self._pairs], np.int64)
        columns = (first - second)[good], (more > 0)[good].astype(np.float64), game[good], np.abs(more)[good]
        return Sample(*columns, np.ones(int(good.sum()), bool), 0, 0, int((~good).sum()))

    def _weighed(self, positions: np.ndarray) -> tuple[Floats, np.ndarray]:
        """Features (n, seats, features), and whether the judgement is by them, (n, seats)."""
        features = features_of(self._experiment, positions)
        weights = self._experiment.cards.record["weight"][0, self._experiment.seats - 1]
        off = np.abs(judged(self._experiment, positions) - chances(features, weights))
        return features, off <= UNWEIGHED
