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
from dataclasses import replace

import numpy as np

from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.runeslingers import GAME
from sim.games.runeslingers.record import FEATURES
from sim.run import features_of
from tests.model.self_play import Floats, Recorder, Side, differences, gathered, scaled, show

SEATS, CHUNK = 2, 20  # games of a task
POSITIONS, SIDES = 16, 2  # positions of a game from which sides branch off; sides of a position
SPREAD, NEW = 0.5, 0.5  # of the prior: relative to a weight set by hand, plus a constant
BEFOREHAND, SURE = {"slinging": 0.6, "last_blow": 5.0}, 0.1  # prior of weights on which few pairs bear, and its spread
STEPS = 12  # of Newton's method
DIGITS = 4  # of weights as printed
COMMON = [FEATURES.index(name) for name in ("even", "second", "pressure")]  # features that no decision of the player changes
FIRST = 4  # the first time a quarter of the games


def at_rest(recorder: Recorder) -> tuple[Floats, Floats]:
    """Features of positions of the games, each for a random seat, and the share of the win that it got."""
    lines = recorder.drawn(recorder.decided, POSITIONS * SIDES)
    seats = recorder.rng.integers(SEATS, size=len(lines))
    rows = np.arange(len(lines))
    here = features_of(recorder.experiment, recorder.log.positions[lines])[rows, seats]
    return here, recorder.shares(lines)[rows, seats]


def pair_from(recorder: Recorder, line: int) -> list[Side | None]:
    """Two random decisions in a position of the log, played on."""
    seed, count = int(recorder.rng.integers(2**62)), int(recorder.log.moves["options"][line])
    picks = recorder.rng.choice(count, SIDES, replace=False)
    return [recorder.side(recorder.log.positions[line], int(pick), seed) for pick in picks]


def sample(recorder: Recorder) -> tuple[Floats, ...]:
    """Decided pairs, and as many positions of the games as there are sides, which are positions too."""
    pairs = [pair_from(recorder, int(line)) for line in recorder.drawn(recorder.choices & recorder.decided, POSITIONS)]
    here, share = at_rest(recorder)
    after = [side for pair in pairs for side in pair if side]
    features = np.array([side.features for side in after]).reshape(-1, len(FEATURES))
    shares = np.array([side.share for side in after])
    clear = [pair for pair in pairs if {side.share if side else None for side in pair} == {0, 1}]
    return *differences(clear, len(FEATURES)), np.concatenate([here, features]), np.concatenate([share, shares])


def likeliest(x: Floats, y: Floats, prior: Floats, spread: Floats) -> Floats:
    """Weights of a logistic regression with a normal prior, by Newton's method: the shared one stops early at `pressure`."""
    weights, tight = prior.copy(), 1 / np.square(spread)
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (y - chance) - tight * (weights - prior)
        bend = (x * (chance * (1 - chance))[:, None]).T @ x + np.diag(tight)
        weights += np.linalg.solve(bend, slope)
    return weights


def fitted(x: Floats, won: Floats, positions: Floats, share: Floats, baseline: Floats) -> Floats:
    """The weights, as described above."""
    prior, spread = baseline.copy(), SPREAD * np.abs(baseline) + NEW
    for name, weight in BEFOREHAND.items():
        prior[FEATURES.index(name)], spread[FEATURES.index(name)] = weight, SURE
    return scaled(likeliest(x, won, prior, spread), positions, share, COMMON, fit=likeliest)


def self_play(policy: str, weights: Floats, games: int, seed: int) -> Experiment:
    """Games of players with given weights."""
    cards = GAME.load(None)
    record = cards.record.copy()
    record["weight"][:, SEATS - 1] = weights
    return Experiment(GAME.name, replace(cards, record=record), SEATS, (PolicySpec.parse(policy),), games, seed)


def main(games: int = 6_000, seed: int = 1) -> None:
    """Print the table of fitted weights."""
    weights = baseline = GAME.load(None).record["weight_baseline"][0, SEATS - 1]
    notes = []
    for number, count in enumerate((games // FIRST, games)):
        samples = gathered(self_play("greedy:1", weights, count, seed + number), CHUNK, sample)
        weights = fitted(*samples, baseline)
        notes.append(f"{len(samples[1])} pairs decided, {len(samples[3])} positions")
    positions, share = gathered(self_play("greedy:4", weights.round(DIGITS), games, seed + FIRST), CHUNK, at_rest)
    weights = scaled(weights.round(DIGITS), positions, share, COMMON, fit=likeliest)
    show(FEATURES, weights, *notes, f"{len(share)} positions of greedy:4")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
