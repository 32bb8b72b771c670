"""Takes positions, and options of decisions, out of games that have ended."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.training.sample import Floats, Sample, chances
from sim.experiment import Experiment
from sim.run import features_of, judged

POSITIONS = 8  # of a game, on average
MOST = 8  # times as many at most
UNSURE = 3.5  # log-odds: what is as good as decided is taken for less sure, the judgement may be wrong
ROUNDING = 1e-9  # of features: less than that is no difference between options
UNWEIGHED = 1e-6  # a judgement farther than this from what the weights say does not go by them


class Taker:
    """Takes every stride-th position of games from a random one on, and what the options of decisions led to."""

    def __init__(self, experiment: Experiment, stride: float) -> None:
        self._experiment, self._stride = experiment, stride
        self._positions = [np.zeros(0, experiment.game.state)]
        self._shares = [np.zeros((0, experiment.seats))]
        self._games = [np.zeros(0, np.int64)]
        self._decisions: list[tuple[np.ndarray, int, Floats, int]] = []  # positions, seat, shares, game
        self._weights = experiment.cards.record["weight"][0, experiment.seats - 1]
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

    def take_options(self, game: int, seat: int, positions: np.ndarray, share: Floats) -> None:
        """Take what the options of a decision led to, (n,) each, and the share of the win that each brought the seat."""
        self._decisions.append((positions, seat, share, game))

    def sample(self, games: int) -> Sample:
        """All that was taken. games: that were played."""
        return Sample.joined([self._of_positions(games), *map(self._of_options, self._decisions)])

    def _of_positions(self, games: int) -> Sample:
        seats = self._experiment.seats
        features, weighed = self._weighed(np.concatenate(self._positions))
        share, game = np.concatenate(self._shares), np.concatenate(self._games)
        found = Sample.plain(
            features[weighed],
            share[weighed].astype(np.float64),
            np.repeat(game, seats).reshape(-1, seats)[weighed],
        )
        return replace(
            found,
            weight=np.full(len(found.share), 1 / POSITIONS),
            games=games,
            capped=self._capped,
            unweighed=int((~weighed).sum()),
        )

    def _of_options(self, decision: tuple[np.ndarray, int, Floats, int]) -> Sample:
        """Options of one decision; none where the judgement of one of them is not by the weights."""
        positions, seat, share, game = decision
        features, weighed = self._weighed(positions)
        if not weighed[:, seat].all():
            none = np.zeros(0)
            return replace(Sample.plain(features[:0, seat], none, none.astype(np.int64)), unweighed=len(share))
        mean = features[:, seat].mean(axis=0)
        odds = float((mean @ self._weights).clip(-UNSURE, UNSURE))
        above = features[:, seat] - mean
        above[np.abs(above) < ROUNDING] = 0.0
        rows = Sample.plain(above, share, np.full(len(share), game))
        return replace(rows, option=np.ones(len(share), bool), offset=np.full(len(share), odds), games=0)

    def _weighed(self, positions: np.ndarray) -> tuple[Floats, np.ndarray]:
        """Features (n, seats, features), and whether the judgement is by them, (n, seats)."""
        features = features_of(self._experiment, positions)
        off = np.abs(judged(self._experiment, positions) - chances(features, self._weights))
        return features, off <= UNWEIGHED
