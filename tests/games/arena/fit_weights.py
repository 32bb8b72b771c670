"""How the weights of `weights.toml` were fitted: conditional logistic regression on outcomes of self-play.

    python -m tests.games.arena.fit_weights [seats] [games] [seed]

A plain regression on positions of self-play predicts results better than the baseline weights, but players that use it lose
to players with the baseline: a hero that is well off stands where it likes, so positions of good players show little of what
standing elsewhere would cost. So the fit has separate steps:

1. What decisions are worth. In games of baseline players two decisions are drawn at random positions, some followed by more
   random decisions of the same turn. Both are played on to the end by the same players with the same dice. Where one wins and
   the other loses, the odds that this one wins depend on the difference of their features (conditional logistic regression,
   Chamberlain 1980, Analysis of covariance with qualitative data, Review of Economic Studies 47:225-238). What the positions
   have in common cancels out. The prior of the weights is normal around the baseline.
2. Scale. One factor for these weights, and the weights of features that no decision of the turn changes (`COMMON`), are fitted
   by plain logistic regression on positions of self-play.
3. At two seats the weights `CONFIRMED` replace the fitted ones, after matches of greedy:4 against greedy:4/baseline: pairs
   contain little information about tokens and about effects of attacks other than throwing out, and without `approach` two
   careful players never come near each other.

At three and four seats players with weights from pairs lose to the baseline, so the first and the last step are left out.
"""

import sys

import numpy as np
from numpy.typing import NDArray

from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.arena import GAME
from sim.games.arena.record import FEATURES
from sim.run import features_of
from tests.model.self_play import Floats, Recorder, Side, differences, gathered, likeliest, scaled, show

CHUNK = 50  # games in a task
PAIRS, POSITIONS = 8, 8  # in each game
DICE = 2  # playouts of a pair
RANDOM_DECISIONS = (1, 1, 2, 3)  # how many random decisions each side of a pair takes, drawn from these
SPREAD, NEW = 0.5, 0.5  # standard deviation of the prior: this share of the baseline weight, plus this
COMMON = ("constant", "turn", "opening", "might")  # features that no decision changes, or only by ending the turn
CONFIRMED = {
    "approach": -0.3,
    "danger": 0.25,
    "energy": 1.1,
    "force": 0.2,
    "hurt": 0.0,
    "power": 0.0,
    "promise": 0.8,
    "protection": 0.0,
    "race": 0.23,
    "rage": 0.0,
    "slowed": -0.15,
    "strike": -0.1,
}
BASELINE = PolicySpec.parse("greedy:4/baseline")
DUEL = 2  # seats


def drawn(recorder: Recorder, wanted: NDArray[np.bool_], each: int) -> NDArray[np.int64]:
    """Random lines of the log, the same number from each game, because a long game is worth no more than a short one."""
    lines = np.flatnonzero(wanted)
    games = recorder.log.moves["row"][lines]
    parts = [lines[games == game] for game in np.unique(games)]
    return np.concatenate([recorder.rng.choice(part, min(len(part), each), replace=False) for part in parts])


def pairs_from(recorder: Recorder, position: np.void) -> list[list[Side | None]]:
    """Two random decisions in a position, played on with several dice."""
    picks = recorder.rng.choice(recorder.options(position, 0), 2, replace=False)
    depth = int(recorder.rng.choice(RANDOM_DECISIONS))
    seeds = recorder.rng.integers(1, 2**62, size=DICE)
    return [[recorder.side(position, int(pick), int(seed), depth) for pick in picks] for seed in seeds]


def sample(recorder: Recorder) -> tuple[Floats, ...]:
    """At two seats decided pairs; features of positions of players still in the game, with their shares of the win."""
    seats = recorder.experiment.seats
    lines = drawn(recorder, recorder.choices, PAIRS) if seats == DUEL else []
    pairs = [pair for line in lines for pair in pairs_from(recorder, recorder.log.positions[line])]
    lines = drawn(recorder, recorder.decided, POSITIONS)
    positions = recorder.log.positions[lines]
    playing = positions["place"][:, :seats] == 0
    found = features_of(recorder.experiment, positions)[playing], recorder.shares(lines)[playing]
    return *differences(pairs, len(FEATURES)), *found


def main(seats: int = 2, games: int = 10_000, seed: int = 1) -> None:
    """Print the table of fitted weights."""
    cards = GAME.load(None)
    x, won, positions, share = gathered(Experiment(GAME.name, cards, seats, (BASELINE,), games, seed), CHUNK, sample)
    weights = cards.record["weight_baseline"][0, seats - 1]
    if seats == DUEL:
        weights = likeliest(x, won, weights, SPREAD * np.abs(weights) + NEW)
    weights = scaled(weights, positions, share, [FEATURES.index(name) for name in COMMON])
    for name, weight in CONFIRMED.items() if seats == DUEL else ():
        weights[FEATURES.index(name)] = weight
    show(FEATURES, weights, f"{len(won)} pairs decided, {len(share)} positions")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
