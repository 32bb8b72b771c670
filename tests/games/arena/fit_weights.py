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
contain
   little information about tokens and about effects of attacks other than throwing out, and without `approach` two careful
   players never come near each other.

At three and four seats players with weights from pairs lose to the baseline, so the first and the last step are left out.
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
from sim.games.arena import GAME
from sim.games.arena.actions import current_player
from sim.games.arena.record import FEATURES
from sim.run import bench_of, features_of, needs_of, replay

Floats = NDArray[np.float64]
Pairs = tuple[Floats, Floats]
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
WORKERS = 2
DUEL = 2  # seats


class Recorder:
    """Plays the games of a task, and branches off from them."""

    def __init__(self, experiment: Experiment, first: int) -> None:
        self.experiment, self.first = experiment, first
        self.rng = np.random.default_rng([experiment.seed, first])
        self.log = replay(experiment, first, CHUNK)
        self.workspace = bench_of(experiment)

    def pairs(self) -> Pairs:
        """Differences of features of the decisive pairs, (n, features), and 1 where the first won, 0 where the other did."""
        lines = self._drawn(self.log.moves["options"] > 1, PAIRS)
        found = [pair for line in lines for pair in self._decided(self.log.positions[line])]
        return np.array([x for x, _ in found]).reshape(-1, len(FEATURES)), np.array([y for _, y in found])

    def _drawn(self, wanted: NDArray[np.bool_], each: int) -> NDArray[np.int64]:
        """Random lines of the log, the same number from each game, because a long game is worth no more than a short one."""
        lines = np.flatnonzero(wanted)
        games = self.log.moves["row"][lines]
        parts = [lines[games == game] for game in np.unique(games)]
        return np.concatenate([self.rng.choice(part, min(len(part), each), replace=False) for part in parts])

    def _decided(self, position: np.void) -> list[tuple[Floats, float]]:
        """Pairs from a position, except those with equal results or a game that was over at once."""
        picks = self.rng.choice(self._open(position, 0), 2, replace=False)
        depth, found = int(self.rng.choice(RANDOM_DECISIONS)), []
        for seed in self.rng.integers(1, 2**62, size=DICE):
            one, other = (self._branch(position, int(pick), depth, int(seed)) for pick in picks)
            if one is not None and other is not None and one[1] != other[1]:
                found.append((one[0] - other[0], float(one[1] > other[1])))
        return found

    def _open(self, position: np.void, seed: int) -> int:
        """Set up a position with its own dice; returns its number of options."""
        workspace = self.workspace
        workspace.states[HERE] = position
        for role in range(len(workspace.dice)):
            open_dice(workspace.dice[role], np.uint64(seed), np.uint64(self.first), workspace.streams)
            workspace.dice[role]["role"] = role
        return int(advance(workspace, self.experiment.cards.record, -1))

    def _branch(self, position: np.void, pick: int, depth: int, seed: int) -> tuple[Floats, float] | None:
        """Take a decision, then random ones, and play on. Returns the features after these and the deciding seat's share."""
        workspace, cards, seat = self.workspace, self.experiment.cards.record, int(current_player(position))
        self._open(position, seed)
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
        play_game(self.workspace, made.evaluators, made.player_table, buffers, 0, GAME.turn_limit(made.cards), 0, *needs_of(made))
        return float(buffers.rows["share"][0, seat])

    def positions(self) -> Pairs:
        """Features of positions in games, (n, features), and the share of the win that the seat had in the end."""
        moves, seats = self.log.moves, self.experiment.seats
        finished = self.log.rows["status"][moves["row"]] == Status.FINISHED
        lines = self._drawn(finished & (moves["action"] >= 0), POSITIONS)
        positions, share = self.log.positions[lines], self.log.rows["share"][moves["row"][lines], :seats]
        playing = positions["place"][:, :seats] == 0
        return features_of(self.experiment, positions)[playing], share[playing].astype(np.float64)


def gathered(experiment: Experiment, pairs: bool) -> tuple[Pairs, Pairs]:
    """All pairs, if wanted, and all positions of the games of an experiment."""

    def task(first: int) -> Any:
        recorder = Recorder(experiment, first)
        return recorder.pairs() if pairs else (np.zeros((0, len(FEATURES))), np.zeros(0)), recorder.positions()

    firsts = range(0, experiment.games - CHUNK + 1, CHUNK)
    parts = Parallel(n_jobs=WORKERS)(delayed(task)(first) for first in firsts)
    rows = [tuple(np.concatenate([part[kind][k] for part in parts]) for k in range(2)) for kind in range(2)]
    return rows[0], rows[1]


def likeliest(x: Floats, y: Floats, prior: Floats, spread: Floats) -> Floats:
    """Weights of a logistic regression with a normal prior."""

    def cost(weights: Floats) -> tuple[float, Floats]:
        odds, off = x @ weights, (weights - prior) / spread
        slope = x.T @ (1 / (1 + np.exp(-odds)) - y) + off / spread
        return float(np.logaddexp(0, odds).sum() - y @ odds + off @ off / 2), slope

    found: Floats = minimize(cost, prior, jac=True, method="L-BFGS-B", options={"maxiter": 5000}).x
    return found


def heeded(pairs: Pairs, baseline: Floats) -> Floats:
    """Weights that fit the pairs best; 0 for `COMMON`."""
    return likeliest(*pairs, baseline, SPREAD * np.abs(baseline) + NEW)


def scaled(weights: Floats, positions: Pairs) -> Floats:
    """Weights times a factor, with those of `COMMON`, that fit the positions best."""
    free = [FEATURES.index(name) for name in COMMON]
    features, share = positions
    rest = np.where(np.isin(FEATURES, COMMON), 0.0, weights)
    columns = np.column_stack([features @ rest, features[:, free]])
    flat = np.full(columns.shape[1], np.inf)
    scale, *common = likeliest(columns, share, np.zeros(len(flat)), flat)
    found = rest * scale
    found[free] = common
    return found


def main(seats: int = 2, games: int = 10_000, seed: int = 1) -> None:
    """Print the table of fitted weights."""
    cards = GAME.load(None)
    made = Experiment(GAME.name, cards, seats, (BASELINE,), games, seed)
    pairs, positions = gathered(made, pairs=seats == DUEL)
    weights = cards.record["weight_baseline"][0, seats - 1]
    weights = scaled(heeded(pairs, weights) if seats == DUEL else weights, positions)
    for name, weight in CONFIRMED.items() if seats == DUEL else ():
        weights[FEATURES.index(name)] = weight
    lines = [f"{name} = {weight:.4f}" for name, weight in zip(FEATURES, weights, strict=True)]
    sys.stdout.write("\n".join([f"# {len(pairs[1])} pairs decided, {len(positions[1])} positions", *lines, ""]))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
