"""The recipe of the fitted weights in `judgement.toml`: conditional logistic regression on outcomes of self-play.

    python -m tests.games.arena.fit_judgement [seats] [games] [rounds] [seed]

A plain regression on positions of self-play foretells results better than the weights set by hand, but players who go by it
lose to those: a hero that is well off stands where it likes, so that the positions of good players tell little of what standing
elsewhere would cost. So two things are fitted apart:

1. What decisions are worth. From positions of games two decisions are drawn, or what the players with the weights so far and
   with those set by hand choose, and both are played on to the end by the same players with the same dice. Where one won and the
   other lost, the odds that it is this one and not the other go by the difference of their features (conditional logistic
   regression, Chamberlain 1980, Analysis of covariance with qualitative data, Review of Economic Studies 47:225-238). What
   positions have in common falls out. The weights have a normal prior round those set by hand.
2. How sure it all is. One factor for these weights, and those of what no decision of the turn changes (`COMMON`), are fitted by
   plain logistic regression on positions of self-play.

It begins with games by the weights set by hand. In every further round games of players with the weights so far, against each
other and against players by hand on every seat, are added: what looks better than it is gets chosen, and found out.
"""

import sys
from dataclasses import replace
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.optimize import minimize

from sim.engine.bench import GAME as HERE
from sim.engine.cards import CardSet
from sim.engine.dice import open_dice
from sim.engine.policies import PolicySpec, choose
from sim.engine.table import Status, advance, new_sheet, play_game
from sim.experiment import Experiment
from sim.games.arena import GAME
from sim.games.arena.record import FEATURES
from sim.games.arena.turn import to_act
from sim.run import bench_of, features_of, replay
from sim.weights import Weights, weighing

Floats = NDArray[np.float64]
Pairs = tuple[Floats, Floats]
CHUNK = 50  # games of a task
PAIRS, POSITIONS = 8, 8  # of a game
DICE = 2  # times that a pair is played on
BY_LOT = (1, 1, 2, 3)  # random decisions of a pair's sides, drawn from these
SPREAD, NEW = 0.5, 0.5  # of the prior: of a weight's size by hand, and besides
COMMON = ("constant", "turn", "opening", "might")  # what no decision changes, or only by whose turn is next
PLAYER, BY_HAND = PolicySpec.parse("greedy:4"), PolicySpec.parse("greedy:4/hand")
WORKERS = 2


class Recorder:
    """Plays the games of a task and branches off from them."""

    def __init__(self, experiment: Experiment, first: int) -> None:
        self.experiment, self.first = experiment, first
        self.rivals = replace(experiment, policies=(PLAYER, BY_HAND, *(BY_HAND,) * (experiment.seats - 2)))
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
        picks, depth, found = self._chosen(position), 1, []
        if picks[0] == picks[1]:
            count = self._open(position, 0)
            picks, depth = self.rng.choice(count, 2, replace=False), int(self.rng.choice(BY_LOT))
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

    def _chosen(self, position: np.void) -> list[int]:
        """What players with the weights so far and with those by hand choose, by number of the decision."""
        rivals, seat = self.rivals, int(to_act(position))
        players, count = rivals.player_table, self._open(position, int(self.rng.integers(1, 2**62)))
        return [int(choose(self.bench, rivals.judges, players[row], seat, count)) for row in range(2)]

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


def gathered(experiments: list[Experiment]) -> tuple[Pairs, Pairs]:
    """All pairs and all positions of the games of some experiments."""

    def task(experiment: Experiment, first: int) -> Any:
        recorder = Recorder(experiment, first)
        return recorder.pairs(), recorder.positions()

    tasks = [(made, first) for made in experiments for first in range(0, made.games - CHUNK + 1, CHUNK)]
    parts = Parallel(n_jobs=WORKERS)(delayed(task)(*each) for each in tasks)
    return joined([part[0] for part in parts]), joined([part[1] for part in parts])


def joined(parts: list[Pairs]) -> Pairs:
    """Samples put together."""
    return np.concatenate([x for x, _ in parts]), np.concatenate([y for _, y in parts])


def likeliest(x: Floats, y: Floats, prior: Floats, spread: Floats) -> Floats:
    """Weights of a logistic regression with a normal prior."""

    def cost(weights: Floats) -> tuple[float, Floats]:
        odds, off = x @ weights, (weights - prior) / spread
        slope = x.T @ (1 / (1 + np.exp(-odds)) - y) + off / spread
        return float(np.logaddexp(0, odds).sum() - y @ odds + off @ off / 2), slope

    found: Floats = minimize(cost, prior, jac=True, method="L-BFGS-B", options={"maxiter": 5000}).x
    return found


def fitted(pairs: Pairs, positions: Pairs, by_hand: Floats) -> Floats:
    """The weights, see above."""
    free = [FEATURES.index(name) for name in COMMON]
    weights = likeliest(*pairs, by_hand, SPREAD * np.abs(by_hand) + NEW)
    weights[free] = 0.0
    features, share = positions
    columns = np.column_stack([features @ weights, features[:, free]])
    flat = np.full(columns.shape[1], np.inf)
    scale, *common = likeliest(columns, share, np.zeros(len(flat)), flat)
    weights *= scale
    weights[free] = common
    return weights


def tables(cards: CardSet, seats: int, games: int, seed: int) -> list[Experiment]:
    """Games of players with a card set's weights among each other, and of one of them, on each seat, against players by hand."""
    lineups = [(PLAYER,), *(tuple(PLAYER if k == seat else BY_HAND for k in range(seats)) for seat in range(seats))]
    return [Experiment(GAME.name, cards, seats, lineup, games // len(lineups), seed) for lineup in lineups]


def weighed(cards: CardSet, seats: int, fitted_row: Floats) -> CardSet:
    """A card set with other fitted weights at a number of seats."""
    weights = Weights.of(cards)
    table = weights.fitted.copy()
    table[seats - 1] = fitted_row
    return weighing(cards, replace(weights, fitted=table))


def main(seats: int = 2, games: int = 12_000, rounds: int = 3, seed: int = 1) -> None:
    """Print the table of fitted weights. games: of a round."""
    cards = GAME.load(None)
    by_hand = cards.record["weight_by_hand"][0, seats - 1]
    pairs, positions = gathered([Experiment(GAME.name, cards, seats, (BY_HAND,), games, seed)])
    for number in range(rounds):
        weights = fitted(pairs, positions, by_hand)
        cards = weighed(cards, seats, weights)
        more = gathered(tables(cards, seats, games, seed + 1 + number))
        pairs, positions = joined([pairs, more[0]]), more[1]
    weights = fitted(pairs, positions, by_hand)
    lines = [f"{name} = {weight:.4f}" for name, weight in zip(FEATURES, weights, strict=True)]
    sys.stdout.write("\n".join([f"# {len(pairs[1])} pairs decided, {len(positions[1])} positions", *lines, ""]))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
