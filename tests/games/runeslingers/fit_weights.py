"""Fit the weights in `weights.toml`: conditional logistic regression on outcomes of self-play.

    python -m tests.games.runeslingers.fit_weights [games] [seed]

A plain regression on positions of self-play predicts results better, but players that use it play worse. It confuses the worth of
decks with that of decisions, and sensible players leave too little undone to show what omissions cost. So two things are fitted
separately, twice: first on games of players with the weights set by hand (a quarter as many), then on games of players with the
weights just found.

1. The worth of decisions. In games of `greedy:1` two decisions are drawn at random positions, and both are played on to the end
   by the same players with the same dice. Where one won and the other lost, the log-odds that it is this one depend on the
   difference of their features (conditional logistic regression, Chamberlain 1980, Analysis of covariance with qualitative data,
   Review of Economic Studies 47:225-238). What the positions have in common cancels out. The weights have a normal prior around
   those set by hand; `slinging` and `last_blow`, on which few pairs bear, are almost fixed beforehand.
2. The scale. One factor for these weights, and the weights of features that no decision of the player changes, are fitted by
   plain logistic regression: half on positions of these games, half on those that the random decisions led to. Finally they are
   fitted again on positions of games of `greedy:4` alone, which are less often as good as won.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from sim.engine.contract import current_player
from sim.engine.dice import open_dice
from sim.engine.loop import Status, advance, new_buffers, play_game
from sim.engine.policies import PolicySpec
from sim.engine.workspace import GAME as HERE
from sim.experiments.experiment import Experiment
from sim.games.runeslingers import GAME
from sim.games.runeslingers.record import FEATURES
from sim.run import bench_of, features_of, needs_of, replay

Floats = NDArray[np.float64]
SEATS, CHUNK = 2, 20  # games of a task
POSITIONS, SIDES = 16, 2  # positions of a game from which sides branch off; sides of a position
SPREAD, NEW = 0.5, 0.5  # of the prior: relative to a weight set by hand, plus a constant
BEFOREHAND, SURE = {"slinging": 0.6, "last_blow": 5.0}, 0.1  # prior of weights on which few pairs bear, and its spread
STEPS = 12  # of Newton's method
DIGITS = 4  # of weights as printed
COMMON = ("even", "second", "pressure")  # features that no decision of the player changes
FIRST, WORKERS = 4, 2  # the first time a quarter of the games


class Sample(NamedTuple):
    """Features and results."""

    pairs: Floats  # (n, features) differences of the features of two sides, of which one won
    first_won: Floats  # (n,) 1 where the first side won
    positions: Floats  # (m, features)
    share: Floats  # (m,) share of the win


class Side(NamedTuple):
    """One of the two ways in which a game continues."""

    features: Floats  # (features,) after the random decisions, for the seat that took the first
    share: float  # share of the win


class Recorder:
    """Plays the games of a task and branches off from them."""

    def __init__(self, experiment: Experiment, first: int) -> None:
        self.experiment, self.first = experiment, first
        self.rng = np.random.default_rng([experiment.seed, first])
        self.log = replay(experiment, first, CHUNK)
        self.workspace = bench_of(experiment)

    def sample(self) -> Sample:
        """Decided pairs, and as many positions of the games as there are sides."""
        decisions = self._decisions()
        pairs = [
            (sides[0].features - sides[1].features, sides[0].share)
            for sides in decisions
            if sum(side.share for side in sides) == 1 and {side.share for side in sides} == {0, 1}
        ]
        here, share = self.positions()
        after = [side for sides in decisions for side in sides]
        return Sample(
            np.array([x for x, _ in pairs]).reshape(-1, len(FEATURES)),
            np.array([won for _, won in pairs]),
            np.concatenate([here, np.array([side.features for side in after]).reshape(-1, len(FEATURES))]),
            np.concatenate([share, [side.share for side in after]]).astype(np.float64),
        )

    def positions(self) -> tuple[Floats, Floats]:
        """Features of positions of the games, each for a random seat, and the share of the win that it got."""
        lines = self._lines(self.log.moves["action"] >= 0, POSITIONS * SIDES)
        seats = self.rng.integers(SEATS, size=len(lines))
        here = features_of(self.experiment, self.log.positions[lines])[np.arange(len(lines)), seats]
        return here, self.log.rows["share"][self.log.moves["row"][lines], seats].astype(np.float64)

    def _lines(self, which: NDArray[np.bool_], each: int) -> NDArray[np.int64]:
        """Random lines of the log of finished games. each: lines of a game."""
        ended = self.log.rows["status"][self.log.moves["row"]] == Status.FINISHED
        among = np.flatnonzero(which & ended)
        return self.rng.choice(among, min(len(among), each * CHUNK), replace=False)

    def _decisions(self) -> list[list[Side]]:
        """Two sides with random decisions; fewer where a side is over at once."""
        found = []
        for line in self._lines(self.log.moves["options"] > 1, POSITIONS):
            seed, count = int(self.rng.integers(2**62)), int(self.log.moves["options"][line])
            picks = self.rng.choice(count, SIDES, replace=False)
            sides = [self._side(self.log.positions[line], int(pick), seed) for pick in picks]
            found.append([side for side in sides if side])
        return found

    def _side(self, position: np.void, pick: int, seed: int) -> Side | None:
        """Take a decision and play on; None where that ends the game."""
        workspace, cards, seat = self.workspace, self.experiment.cards.record, self._roll(position, seed)
        advance(workspace, cards, -1)  # lists the decisions
        if not advance(workspace, cards, int(workspace.options[pick])):
            return None
        after = features_of(self.experiment, workspace.states[HERE : HERE + 1].copy())[0, seat]
        return Side(after, self._played_on(seat))

    def _roll(self, position: np.void, seed: int) -> int:
        """Set a position up with its own dice; returns who decides."""
        self.workspace.states[HERE] = position
        for role in range(len(self.workspace.dice)):
            open_dice(self.workspace.dice[role], np.uint64(seed), np.uint64(self.first), self.workspace.streams)
            self.workspace.dice[role]["role"] = role
        return int(current_player(self.workspace.states[HERE]))

    def _played_on(self, seat: int) -> float:
        made = self.experiment
        buffers = new_buffers(made.plan_of(np.array([self.first])), GAME.state, GAME.outcome)
        play_game(self.workspace, made.evaluators, made.player_table, buffers, 0, GAME.turn_limit(made.cards), 0, *needs_of(made))
        return float(buffers.rows["share"][0, seat])


def gathered(experiment: Experiment, what: Callable[[Recorder], Any]) -> list[NDArray[np.float64]]:
    """Samples of all games of an experiment, column by column. what: asks the recorder of a task."""
    firsts = range(0, experiment.games - CHUNK + 1, CHUNK)
    work = Parallel(n_jobs=WORKERS, prefer="threads")
    parts = work(delayed(lambda first: what(Recorder(experiment, first)))(first) for first in firsts)
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


def likeliest(x: Floats, y: Floats, prior: Floats, spread: Floats) -> Floats:
    """Weights of a logistic regression with a normal prior, by Newton's method."""
    weights, tight = prior.copy(), 1 / np.square(spread)
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (y - chance) - tight * (weights - prior)
        bend = (x * (chance * (1 - chance))[:, None]).T @ x + np.diag(tight)
        weights += np.linalg.solve(bend, slope)
    return weights


def fitted(sample: Sample, baseline: Floats) -> Floats:
    """The weights, as described above."""
    prior, spread = baseline.copy(), SPREAD * np.abs(baseline) + NEW
    for name, weight in BEFOREHAND.items():
        prior[FEATURES.index(name)], spread[FEATURES.index(name)] = weight, SURE
    weights = likeliest(sample.pairs, sample.first_won, prior, spread)
    return scaled(weights, sample.positions, sample.share)


def scaled(weights: Floats, positions: Floats, share: Floats) -> Floats:
    """Weights with the right scale, and those of features that no decision of the player changes."""
    free = [FEATURES.index(name) for name in COMMON]
    found = np.where(np.isin(FEATURES, COMMON), 0.0, weights)
    columns = np.column_stack([positions @ found, positions[:, free]])
    scale, *common = likeliest(columns, share, np.zeros(columns.shape[1]), np.full(columns.shape[1], np.inf))
    found *= scale
    found[free] = common
    return found


def self_play(policy: str, weights: Floats, games: int, seed: int) -> Experiment:
    """Games of players with given weights."""
    cards = GAME.load(None)
    record = cards.record.copy()
    record["weight"][:, SEATS - 1] = weights
    return Experiment(GAME.name, replace(cards, record=record), SEATS, (PolicySpec.parse(policy),), games, seed)


def main(games: int = 6_000, seed: int = 1) -> None:
    """Print the table of fitted weights."""
    weights = baseline = GAME.load(None).record["weight_baseline"][0, SEATS - 1]
    for number, count in enumerate((games // FIRST, games)):
        sample = Sample(*gathered(self_play("greedy:1", weights, count, seed + number), Recorder.sample))
        weights = fitted(sample, baseline)
        sys.stdout.write(f"# {len(sample.first_won)} pairs decided, {len(sample.share)} positions\n")
        sys.stdout.flush()
    last = gathered(self_play("greedy:4", weights.round(DIGITS), games, seed + FIRST), Recorder.positions)
    weights = scaled(weights.round(DIGITS), last[0], last[1])
    sys.stdout.write(f"# {len(last[1])} positions of greedy:4\n")
    sys.stdout.writelines(f"{name} = {weight:.{DIGITS}f}\n" for name, weight in zip(FEATURES, weights, strict=True))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
