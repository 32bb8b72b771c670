"""Head-to-head comparison of two entrants by sequential tests (`analysis.stats.betting`).

Plays until one is shown to be stronger or both are shown to be within a margin of each other.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import ceil

import numpy as np
import pandas as pd

from analysis.data.names import entrant_of
from analysis.data.rows import Rows
from analysis.stats.betting import OPEN, USUAL_VARIANCE, decisions, fixed_pairs, log_wealth, mean_bounds
from analysis.stats.sequential import looks
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.loop import Status
from sim.experiments.experiment import Experiment

SEATS = 2
FIRST_LOOK, GROWTH = 100, 1.05  # pairs at the first look; factor from each look to the next
ROOM = 4.0  # default limit on games, as a multiple of a test of fixed size
USUAL_DEVIATION = USUAL_VARIANCE**0.5  # of the share of a pair of games


def find(first: str, second: str, game: Game, cards: CardSet) -> tuple[int, int]:
    """Look up the indices of two entrants. Raises ValueError for an unknown entrant, with suggestions, or the same one twice."""
    entrants = entrant_of(first, game, cards), entrant_of(second, game, cards)
    if entrants[0] == entrants[1]:
        raise ValueError(f"{first!r} and {second!r} are the same; name two different ones")
    return entrants


def usual_games(margin: float) -> int:
    """Games that nearly always suffice for a margin."""
    return ceil(ROOM * SEATS * fixed_pairs(margin, USUAL_DEVIATION))


def pairing(base: Experiment, entrants: tuple[int, int], games: int) -> Experiment:
    """Both entrants at two seats, each deal from both seats with the same dice. games: limit."""
    return replace(base, games_wanted=games, line_up=entrants, paired=True)


class Duel:
    """Counts pairs of games and runs the sequential tests: a `Stopper` (see `analysis.data.looks`).

    A game without a winner counts half for each. A pair with a truncated game (stopped at a limit) is left out.
    """

    def __init__(self, experiment: Experiment, margin: float, alpha: float = 0.05) -> None:
        self.experiment, self.margin, self.alpha = experiment, margin, alpha
        self._looks = looks(experiment.games, SEATS, FIRST_LOOK * SEATS, GROWTH)
        self._counts: list[Counter[float]] = [Counter()]  # pairs by the share of the first entrant less a half, look by look
        self._half = 0.0  # share of the first entrant in the first game of an incomplete pair; NaN: truncated
        self.games = self.pairs = self.truncated = 0  # played; pairs counted; games stopped at a limit
        self.draws = 0  # games whose win is shared
        self.decision = OPEN

    @property
    def next_look(self) -> int:
        """Number of games at the next look."""
        return self._looks[len(self._counts) - 1]

    def add(self, rows: Rows) -> None:
        """Count a block of rows in order."""
        mine = rows["entrant"][:, 0] == self.experiment.line_up[0]  # type: ignore[index]
        gap = (rows["share"][:, 0].astype(np.float64) - rows["share"][:, 1]) * np.where(mine, 0.25, -0.25)
        gap[rows["status"] != Status.FINISHED] = np.nan
        self.truncated += int(np.isnan(gap).sum())
        self.draws += int(np.count_nonzero(((rows["share"] > 0) & (rows["share"] < 1)).any(axis=1) & np.isfinite(gap)))
        if self.games % SEATS:
            gap = np.concatenate([[self._half], gap])
        whole = len(gap) // SEATS * SEATS
        self._half = float(gap[-1]) if len(gap) > whole else 0.0
        pairs = gap[:whole].reshape(-1, SEATS).sum(axis=1)
        pairs = pairs[np.isfinite(pairs)]
        self._counts[-1].update(pairs.tolist())
        self.pairs += len(pairs)
        self.games += len(rows)

    def reached(self) -> bool:
        """Look at the results: whether they show the stronger entrant, or that both are within the margin."""
        values, counts = self._table()
        self.decision = str(decisions(values, counts, self.margin, self.alpha)["decision"].iloc[0])
        self._counts.append(Counter())
        return self.decision != OPEN

    def _table(self) -> tuple[np.ndarray, np.ndarray]:
        """Gaps of pairs that occurred, and the pairs with each by look, (1, looks, gaps)."""
        values = sorted(set().union(*self._counts))
        return np.array(values), np.array([[[counts[value] for value in values] for counts in self._counts]], np.float64)

    @property
    def evidence(self) -> list[float]:
        """Logarithms of the wealth of the four gamblers so far, see `betting.log_wealth`."""
        return [float(wealth) for wealth in log_wealth(*self._table(), self.margin)[:, 0, -1]]

    @property
    def deviation(self) -> float:
        """Standard deviation of the share of a pair."""
        values, counts = self._table()
        weight = counts.sum(axis=(0, 1)) / max(1, self.pairs)
        return float(np.sqrt(max(weight @ values**2 - (weight @ values) ** 2, 0.0)))

    def share(self) -> pd.Series:
        """Share of the first entrant with bounds that hold at any time, see `mean_bounds`: estimate, low, high, n (pairs)."""
        values, counts = self._table()
        totals = counts.sum(axis=(0, 1))
        tuned = max(1.0, fixed_pairs(self.margin, USUAL_DEVIATION))
        low, high = mean_bounds(values + 0.5, totals, tuned)
        estimate = 0.5 + float(totals @ values) / self.pairs if self.pairs else float("nan")
        return pd.Series({"estimate": estimate, "low": low, "high": high, "n": self.pairs})
