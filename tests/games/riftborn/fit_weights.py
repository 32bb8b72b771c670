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
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.optimize import minimize

from sim.engine.dice import open_dice
from sim.engine.loop import Status, advance, new_buffers, play_game
from sim.engine.policies import PolicySpec
from sim.engine.workspace import GAME as HERE
from sim.experiments.experiment import Experiment
from sim.games.riftborn import GAME
from sim.games.riftborn.record import FEATURES
from sim.run import bench_of, features_of, needs_of, replay

Floats = NDArray[np.float64]
SEATS, CHUNK = 2, 20  # games of a task
PAIRS, POSITIONS = 12, 12  # of a game
BY_LOT = (1, 1, 2, 4, 8, 14)  # random decisions of a pair's sides, drawn from these
SPREAD, NEW = 0.2, 0.15  # of the prior: of a weight's size by hand, and besides
COMMON = ("even", "their_hand")  # what no own decision changes
END = ("lethal",)  # what is at hand
WORKERS = 2


class Recorder:
    """Plays the games of a task and branches off from them."""

    def __init__(self, experiment: Experiment, first: int) -> None:
        self.experiment, self.first = experiment, first
        self.rng = np.random.default_rng([experiment.seed, first])
        self.log = replay(experiment, first, CHUNK)
        self.workspace = bench_of(experiment)

    def pairs(self) -> tuple[Floats, Floats]:
        """Differences of the features of pairs that were decided, (n, features), and 1 where the first won, 0 where the other."""
        open_lines = np.flatnonzero(self.log.moves["options"] > 1)
        lines = self.rng.choice(open_lines, min(len(open_lines), PAIRS * CHUNK), replace=False)
        found = [pair for line in lines if (pair := self._pair(int(line))) is not None]
        return np.array([x for x, _ in found]).reshape(-1, len(FEATURES)), np.array([y for _, y in found])

    def _pair(self, line: int) -> tuple[Floats, float] | None:
        """A pair from a line of the log; None where both won or lost, or one was over at once."""
        seed, depth = int(self.rng.integers(2**62)), int(self.rng.choice(BY_LOT))
        picks = self.rng.choice(self.log.moves["options"][line], 2, replace=False)
        sides = [self._branch(self.log.positions[line], int(pick), depth, seed) for pick in picks]
        if sides[0] is None or sides[1] is None or sides[0][1] == sides[1][1]:
            return None
        return sides[0][0] - sides[1][0], float(sides[0][1] > sides[1][1])

    def _branch(self, position: np.void, pick: int, depth: int, seed: int) -> tuple[Floats, float] | None:
        """Take a decision, then further random ones, and play to the end; the features before and the decider's share."""
        workspace, cards, seat = self.workspace, self.experiment.cards.record, int(position["seat"])
        workspace.states[HERE] = position
        for role in range(len(workspace.dice)):
            open_dice(workspace.dice[role], np.uint64(seed), np.uint64(self.first), workspace.streams)
            workspace.dice[role]["role"] = role
        advance(workspace, cards, -1)
        count = advance(workspace, cards, int(workspace.options[pick]))
        for _ in range(depth - 1):
            if count and workspace.states[HERE]["active"] == position["active"]:
                count = advance(workspace, cards, int(workspace.options[self.rng.integers(count)]))
        if not count:
            return None
        after = features_of(self.experiment, workspace.states[HERE : HERE + 1].copy())[0, seat]
        return after, self._played_on(seat)

    def _played_on(self, seat: int) -> float:
        made = self.experiment
        buffers = new_buffers(made.plan_of(np.array([self.first])), GAME.state, GAME.outcome)
        limit = GAME.turn_limit(made.cards)
        play_game(self.workspace, made.evaluators, made.player_table, buffers, 0, limit, 0, *needs_of(made))
        return float(buffers.rows["share"][0, seat])

    def positions(self) -> tuple[Floats, Floats]:
        """Features of positions on the way, (n, features), and the share that the seat won in the end."""
        won = self.log.rows["status"][self.log.moves["row"]] == Status.FINISHED
        lines = np.flatnonzero(won & (self.log.moves["action"] >= 0))
        lines = self.rng.choice(lines, min(len(lines), POSITIONS * CHUNK), replace=False)
        share = self.log.rows["share"][self.log.moves["row"][lines], :SEATS]
        features = features_of(self.experiment, self.log.positions[lines])
        return features.reshape(-1, len(FEATURES)), share.reshape(-1).astype(np.float64)


def gathered(experiment: Experiment) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """All pairs and all positions of an experiment's games."""

    def task(first: int) -> Any:
        recorder = Recorder(experiment, first)
        return recorder.positions(), recorder.pairs()

    firsts = range(0, experiment.games - CHUNK + 1, CHUNK)
    parts = Parallel(n_jobs=WORKERS, prefer="threads")(delayed(task)(first) for first in firsts)
    rows = [tuple(np.concatenate([part[kind][k] for part in parts]) for k in range(2)) for kind in range(2)]
    return rows[1], rows[0]


def likeliest(x: Floats, y: Floats, prior: Floats, spread: Floats) -> Floats:
    """Weights of a logistic regression with a normal prior."""

    def cost(weights: Floats) -> tuple[float, Floats]:
        odds, off = x @ weights, (weights - prior) / spread
        slope = x.T @ (1 / (1 + np.exp(-odds)) - y) + off / spread
        return float(np.logaddexp(0, odds).sum() - y @ odds + off @ off / 2), slope

    found: Floats = minimize(cost, prior, jac=True, method="L-BFGS-B", options={"maxiter": 5000}).x
    return found


def fitted(pairs: tuple[Floats, Floats], positions: tuple[Floats, Floats], baseline: Floats) -> Floats:
    """The weights, see above."""
    common, free = ([FEATURES.index(name) for name in names] for names in (COMMON, (*COMMON, *END)))
    weights = likeliest(*pairs, baseline, SPREAD * np.abs(baseline) + NEW)
    weights[common] = 0.0
    features, share = positions
    columns = np.column_stack([features @ weights, features[:, free]])
    flat = np.full(columns.shape[1], np.inf)
    scale, *added = likeliest(columns, share, np.zeros(len(flat)), flat)
    weights *= scale
    weights[free] += added
    return weights


def main(games: int = 10_000, seed: int = 1) -> None:
    """Print the table of fitted weights."""
    cards = GAME.load(None)
    made = Experiment(GAME.name, cards, SEATS, (PolicySpec.parse("greedy:1"),), games, seed)
    pairs, positions = gathered(made)
    weights = fitted(pairs, positions, cards.record["weight_baseline"][0, SEATS - 1])
    lines = [f"{name} = {weight:.4f}" for name, weight in zip(FEATURES, weights, strict=True)]
    sys.stdout.write("\n".join([f"# {len(pairs[1])} pairs decided, {len(positions[1])} positions", *lines, ""]))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
