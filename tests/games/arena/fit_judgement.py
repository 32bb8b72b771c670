"""The recipe of the fitted weights in `judgement.toml`: conditional logistic regression on outcomes of self-play.

    python -m tests.games.arena.fit_judgement [seats] [games] [seed]

A plain regression on positions of self-play foretells results better than the weights set by hand, but players who go by it
lose to those: a hero that is well off stands where it likes, so that the positions of good players tell little of what standing
elsewhere would cost. So two things are fitted apart:

1. What decisions are worth. In games of players by hand two decisions are drawn at random positions, some with further random
   ones of the same turn behind them, and both are played on to the end by the same players with the same dice. Where one won
   and the other lost, the odds that it is this one and not the other go by the difference of their features (conditional
   logistic regression, Chamberlain 1980, Analysis of covariance with qualitative data, Review of Economic Studies 47:225-238).
   What positions have in common falls out. The weights have a normal prior round those set by hand.
2. How sure it all is. One factor for these weights, and those of what no decision of the turn changes (`COMMON`), are fitted by
   plain logistic regression on positions of self-play.
3. At two seats `BORNE_OUT` are put in their place, as matches of greedy:4 against greedy:4/hand bore them out: pairs say little
   of tokens and of what an attack does beside throwing somebody out, and where both are afraid to come near nobody ever comes
   without `approach`.

At three and four seats players by what pairs tell lose to those by hand: there the first and the last step are left out.
"""

import sys
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.optimize import minimize

from sim.engine.bench import GAME as HERE
from sim.engine.dice import open_dice
from sim.engine.policies import PolicySpec
from sim.engine.table import Status, advance, new_sheet, play_game
from sim.experiment import Experiment
from sim.games.arena import GAME
from sim.games.arena.actions import to_act
from sim.games.arena.record import FEATURES
from sim.run import bench_of, features_of, replay

Floats = NDArray[np.float64]
Pairs = tuple[Floats, Floats]
CHUNK = 50  # games of a task
PAIRS, POSITIONS = 8, 8  # of a game
DICE = 2  # times that a pair is played on
BY_LOT = (1, 1, 2, 3)  # random decisions of a pair's sides, drawn from these
SPREAD, NEW = 0.5, 0.5  # of the prior: of a weight's size by hand, and besides
COMMON = ("constant", "turn", "opening", "might")  # what no decision changes, or only by whose turn is next
BORNE_OUT = {
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
BY_HAND = PolicySpec.parse("greedy:4/hand")
WORKERS = 2
DUEL = 2  # seats


class Recorder:
    """Plays the games of a task and branches off from them."""

    def __init__(self, experiment: Experiment, first: int) -> None:
        self.experiment, self.first = experiment, first
        self.rng = np.random.default_rng([experiment.seed, first])
        self.log = replay(experiment, first, CHUNK)
        self.bench = bench_of(experiment)

    def pairs(self) -> Pairs:
        """Differences of the features of pairs that were decided, (n, features), and 1 where the first won, 0 where the other."""
        lines = self._drawn(self.log.moves["options"] > 1, PAIRS)
        found = [pair for line in lines for pair in self._decided(self.log.positions[line])]
        return np.array([x for x, _ in found]).reshape(-1, len(FEATURES)), np.array([y for _, y in found])

    def _drawn(self, wanted: NDArray[np.bool_], each: int) -> NDArray[np.int64]:
        """Lines of the log by lot, so many of each game: a long one says no more than a short one."""
        lines = np.flatnonzero(wanted)
        games = self.log.moves["row"][lines]
        parts = [lines[games == game] for game in np.unique(games)]
        return np.concatenate([self.rng.choice(part, min(len(part), each), replace=False) for part in parts])

    def _decided(self, position: np.void) -> list[tuple[Floats, float]]:
        """Pairs from a position, without those where both came to the same or one was over at once."""
        picks = self.rng.choice(self._open(position, 0), 2, replace=False)
        depth, found = int(self.rng.choice(BY_LOT)), []
        for seed in self.rng.integers(1, 2**62, size=DICE):
            one, other = (self._branch(position, int(pick), depth, int(seed)) for pick in picks)
            if one is not None and other is not None and one[1] != other[1]:
                found.append((one[0] - other[0], float(one[1] > other[1])))
        return found

    def _open(self, position: np.void, seed: int) -> int:
        """Lay a position on the bench with dice of its own; returns how many decisions are open."""
        bench = self.bench
        bench.states[HERE] = position
        for role in range(len(bench.dice)):
            open_dice(bench.dice[role], np.uint64(seed), np.uint64(self.first), bench.streams)
            bench.dice[role]["role"] = role
        return int(advance(bench, self.experiment.cards.record, -1))

    def _branch(self, position: np.void, pick: int, depth: int, seed: int) -> tuple[Floats, float] | None:
        """Take a decision, then more by lot, and play on; the features before that and the share won of whose decision it was."""
        bench, cards, seat = self.bench, self.experiment.cards.record, int(to_act(position))
        self._open(position, seed)
        count = advance(bench, cards, int(bench.options[pick]))
        for _ in range(depth - 1):
            if count and bench.states[HERE]["active"] == position["active"]:
                count = advance(bench, cards, int(bench.options[self.rng.integers(count)]))
        if not count:
            return None
        after = features_of(self.experiment, bench.states[HERE : HERE + 1].copy())[0, seat]
        return after, self._played_on(seat)

    def _played_on(self, seat: int) -> float:
        made = self.experiment
        sheet = new_sheet(made.plan_of(np.array([self.first])), GAME.state, GAME.outcome)
        play_game(self.bench, made.judges, made.player_table, sheet, 0, GAME.turn_limit(made.cards), 0)
        return float(sheet.rows["share"][0, seat])

    def positions(self) -> Pairs:
        """Features of positions on the way, (n, features), and the share that the seat won in the end."""
        moves, seats = self.log.moves, self.experiment.seats
        finished = self.log.rows["status"][moves["row"]] == Status.FINISHED
        lines = self._drawn(finished & (moves["action"] >= 0), POSITIONS)
        positions, share = self.log.positions[lines], self.log.rows["share"][moves["row"][lines], :seats]
        playing = positions["place"][:, :seats] == 0
        return features_of(self.experiment, positions)[playing], share[playing].astype(np.float64)


def gathered(experiment: Experiment, pairs: bool) -> tuple[Pairs, Pairs]:
    """All pairs, if wanted, and all positions of an experiment's games."""

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


def heeded(pairs: Pairs, by_hand: Floats) -> Floats:
    """Weights by which decisions that were played on went best, but for `COMMON`."""
    return likeliest(*pairs, by_hand, SPREAD * np.abs(by_hand) + NEW)


def scaled(weights: Floats, positions: Pairs) -> Floats:
    """Weights times one factor, and those of `COMMON`, as positions came out."""
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
    made = Experiment(GAME.name, cards, seats, (BY_HAND,), games, seed)
    pairs, positions = gathered(made, pairs=seats == DUEL)
    weights = cards.record["weight_by_hand"][0, seats - 1]
    weights = scaled(heeded(pairs, weights) if seats == DUEL else weights, positions)
    for name, weight in BORNE_OUT.items() if seats == DUEL else ():
        weights[FEATURES.index(name)] = weight
    lines = [f"{name} = {weight:.4f}" for name, weight in zip(FEATURES, weights, strict=True)]
    sys.stdout.write("\n".join([f"# {len(pairs[1])} pairs decided, {len(positions[1])} positions", *lines, ""]))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
