"""Fit the weights in `weights.toml`: conditional logistic regression on outcomes of self-play.

    python -m tests.games.riftborn.fit_weights [games] [seed]

A plain regression on positions of self-play predicts results better, but players that use it play worse: sensible players keep
no card that they could play and miss no good attack, so such positions do not show what keeping or missing costs. Therefore two
things are fitted separately:

1. The value of decisions. In games of `greedy:1` two decisions are drawn at random positions, some followed by further random
   decisions of the same turn, and both are played to the end by the same players with the same dice. If one won and the other
   lost, the odds that it was this one depend on the difference of their features (conditional logistic regression, Chamberlain
   1980, Analysis of covariance with qualitative data, Review of Economic Studies 47:225-238). What the positions have in common
   cancels. The weights have a normal prior around those set by hand.
2. The scale. One factor for these weights, a constant, what no decision of the player changes (`their_hand`), and an addition for
   a blow that ends the game (`lethal`, which few pairs show) are fitted by plain logistic regression on positions of self-play.
   With `life`, `frailty`, `level` or `danger` fitted in the same way the prediction would be better, but the price paid for a
   lead in life would count against it.
"""

import sys

import numpy as np

from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.riftborn import GAME
from sim.games.riftborn.record import FEATURES
from sim.run import features_of
from tests.model.self_play import Floats, Recorder, Side, differences, gathered, likeliest, scaled, show

SEATS, CHUNK = 2, 20  # games of a task
PAIRS, POSITIONS = 12, 12  # of a game
DEPTHS = (1, 1, 2, 4, 8, 14)  # random decisions of a pair's sides, drawn from these
SPREAD, NEW = 0.2, 0.15  # of the prior: of a weight's size by hand, and besides
COMMON = ("even", "their_hand")  # what no own decision changes
END = ("lethal",)  # what is at hand


def pair_from(recorder: Recorder, line: int) -> list[Side | None]:
    """Two random decisions in a position of the log, played on."""
    seed, depth = int(recorder.rng.integers(2**62)), int(recorder.rng.choice(DEPTHS))
    picks = recorder.rng.choice(recorder.log.moves["options"][line], 2, replace=False)
    return [recorder.side(recorder.log.positions[line], int(pick), seed, depth) for pick in picks]


def sample(recorder: Recorder) -> tuple[Floats, ...]:
    """Decided pairs; features of positions from the point of view of both seats, with their shares of the win."""
    lines = recorder.drawn(recorder.decided, POSITIONS)
    features = features_of(recorder.experiment, recorder.log.positions[lines]).reshape(-1, len(FEATURES))
    pairs = [pair_from(recorder, int(line)) for line in recorder.drawn(recorder.choices, PAIRS)]
    return *differences(pairs, len(FEATURES)), features, recorder.shares(lines).reshape(-1)


def main(games: int = 10_000, seed: int = 1) -> None:
    """Print the table of fitted weights."""
    cards = GAME.load(None)
    made = Experiment(GAME.name, cards, SEATS, (PolicySpec.parse("greedy:1"),), games, seed)
    x, won, positions, share = gathered(made, CHUNK, sample)
    baseline = cards.record["weight_baseline"][0, SEATS - 1]
    weights = likeliest(x, won, baseline, SPREAD * np.abs(baseline) + NEW)
    common, added = ([FEATURES.index(name) for name in names] for names in (COMMON, END))
    weights = scaled(weights, positions, share, common, added)
    show(FEATURES, weights, f"{len(won)} pairs decided, {len(share)} positions")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
