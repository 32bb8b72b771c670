"""Weights fitted to self-play: decisions played on with the same dice, and logistic regression on them and on positions.

The `fit_weights.py` of a game chooses the games to play, the positions and pairs to draw, and the weights that are free.
"""

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.optimize import minimize

from sim.engine.contract import current_player
from sim.engine.dice import open_dice
from sim.engine.loop import Status, advance, new_buffers, play_block
from sim.engine.scenario import NO_DECISION
from sim.engine.workspace import GAME
from sim.experiments.experiment import Experiment
from sim.run import bench_of, features_of, needs_of, replay

Floats = NDArray[np.float64]
WORKERS = 2


class Side(NamedTuple):
    """One of the ways in which a game continues from a position."""

    features: Floats  # (features,) after the random decisions, for the seat that took the first
    share: float  # of the win, in the end


class Recorder:
    """Plays the games of a task and branches off from them. chunk: number of games."""

    def __init__(self, experiment: Experiment, first: int, chunk: int) -> None:
        self.experiment, self.first, self.chunk = experiment, first, chunk
        self.rng = np.random.default_rng([experiment.seed, first])
        self.log = replay(experiment, first, chunk)
        self.workspace = bench_of(experiment)

    @property
    def decided(self) -> NDArray[np.bool_]:
        """Lines of the log that are decisions of finished games."""
        finished: NDArray[np.bool_] = self.log.rows["status"][self.log.moves["row"]] == Status.FINISHED
        return finished & (self.log.moves["action"] >= 0)

    @property
    def choices(self) -> NDArray[np.bool_]:
        """Lines of the log that are decisions between several options."""
        several: NDArray[np.bool_] = self.log.moves["options"] > 1
        return several

    def drawn(self, wanted: NDArray[np.bool_], each: int) -> NDArray[np.int64]:
        """Random lines of the log. each: number of lines per game."""
        lines = np.flatnonzero(wanted)
        return self.rng.choice(lines, min(len(lines), each * self.chunk), replace=False)

    def shares(self, lines: NDArray[np.int64]) -> Floats:
        """Shares of the win in the games of these lines, (n, seats)."""
        found: Floats = self.log.rows["share"][self.log.moves["row"][lines], : self.experiment.seats].astype(np.float64)
        return found

    def options(self, position: np.void, seed: int) -> int:
        """Set up a position with its own dice; returns its number of options."""
        self.workspace.states[GAME] = position
        for role in range(len(self.workspace.dice)):
            open_dice(self.workspace.dice[role], np.uint64(seed), np.uint64(self.first), self.workspace.streams)
            self.workspace.dice[role]["role"] = role
        return int(advance(self.workspace, self.experiment.cards.record, NO_DECISION))

    def side(self, position: np.void, pick: int, seed: int, depth: int = 1) -> Side | None:
        """Take a decision and play on; None if the game is over at once.

        depth: number of decisions; those after the first are random ones of the same turn.
        """
        workspace, cards, seat = self.workspace, self.experiment.cards.record, int(current_player(position))
        self.options(position, seed)
        count = advance(workspace, cards, int(workspace.options[pick]))
        for _ in range(depth - 1):
            if count and workspace.states[GAME]["active"] == position["active"]:
                count = advance(workspace, cards, int(workspace.options[self.rng.integers(count)]))
        if not count:
            return None
        after = features_of(self.experiment, workspace.states[GAME : GAME + 1].copy())[0, seat]
        return Side(after, self._played_on(seat))

    def _played_on(self, seat: int) -> float:
        made = self.experiment
        buffers = new_buffers(made.plan_of(np.array([self.first])), made.game.state, made.game.outcome)
        limit = made.game.turn_limit(made.cards)
        buffers.plan["dealt"] = 1
        play_block(self.workspace, made.evaluators, made.player_table, buffers, limit, *needs_of(made))
        return float(buffers.rows["share"][0, seat])


def differences(pairs: Sequence[Sequence[Side | None]], features: int) -> tuple[Floats, Floats]:
    """Decided pairs: differences of the features of both sides, (n, features), and 1 where the first won, 0 where the other did.

    Pairs with equal results, and those in which a game was over at once, are left out.
    """
    decided = [(one, other) for one, other in pairs if one and other and one.share != other.share]
    x = np.array([one.features - other.features for one, other in decided]).reshape(-1, features)
    return x, np.array([float(one.share > other.share) for one, other in decided])


def gathered(experiment: Experiment, chunk: int, ask: Callable[[Recorder], Sequence[Floats]]) -> list[Floats]:
    """Samples from all games of an experiment, column by column. chunk: games of a task; ask: samples of its recorder."""

    def task(first: int) -> Sequence[Floats]:
        return ask(Recorder(experiment, first, chunk))

    firsts = range(0, experiment.games - chunk + 1, chunk)
    parts = Parallel(n_jobs=WORKERS, prefer="threads")(delayed(task)(first) for first in firsts)
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


def likeliest(x: Floats, y: Floats, prior: Floats, spread: Floats, offset: Floats | float = 0.0) -> Floats:
    """Weights of a logistic regression with a normal prior. offset: added to the log-odds of each row."""

    def cost(weights: Floats) -> tuple[float, Floats]:
        odds, off = x @ weights + offset, (weights - prior) / spread
        slope = x.T @ (1 / (1 + np.exp(-odds)) - y) + off / spread
        return float(np.logaddexp(0, odds).sum() - y @ odds + off @ off / 2), slope

    found: Floats = minimize(cost, prior, jac=True, method="L-BFGS-B", options={"maxiter": 5000}).x
    return found


def scaled(
    weights: Floats,
    positions: Floats,
    share: Floats,
    common: Sequence[int],
    added: Sequence[int] = (),
    fit: Callable[[Floats, Floats, Floats, Floats], Floats] = likeliest,
) -> Floats:
    """Weights scaled by the factor that fits the positions best. common: refitted weights; added: weights with an added term."""
    free = [*common, *added]
    found = weights.copy()
    found[[*common]] = 0.0
    columns = np.column_stack([positions @ found, positions[:, free]])
    flat = np.full(columns.shape[1], np.inf)
    scale, *more = fit(columns, share, np.zeros(len(flat)), flat)
    found *= scale
    found[free] += more
    return found


def show(features: Sequence[str], weights: Floats, *notes: str) -> None:
    """Print the table of weights after some notes."""
    lines = [f"{name} = {weight:.4f}" for name, weight in zip(features, weights, strict=True)]
    sys.stdout.write("\n".join([*(f"# {note}" for note in notes), *lines, ""]))
