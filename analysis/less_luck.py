"""Win rates with the luck taken out: the same averages from fewer games (control variates in the manner of AIVAT).

Burch, Schmid, Moravcik, Morrill and Bowling, "AIVAT: A new variance reduction technique for agent evaluation in imperfect
information games", AAAI 2018. `sim.engine.luck` tells how far every roll and draw of a game moved each seat's winning chance
from what was to be expected; that is zero on average. Here it is taken off the results, times a weight by which least is left
to vary (Lavenberg and Welch, "A perspective on the use of control variables", Management Science 27, 1981). The weights come
from the other half of the games, so that they know nothing of the results that they correct and no bias comes in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from analysis.estimates import LEVEL, proportions
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.run import Block

REROLLS = 16  # samples of each chance: the expectation is then so near that 1/16 of its variance comes back
FOLDS = 2
ONE, WON, OWN, OTHERS = range(4)  # of an observation: 1, the share of the win, the seat's luck, the mean of the others'
TERMS = 4
DEGREES_MIN = 10  # degrees of freedom below which the spread of what is left is not known
OPPONENTS_MAX = 200  # entrants of which every pair is kept apart

Sums = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LuckSums:
    """Sums of products of observations: all that the estimates need, whatever the number of games.

    An observation is one seat of a finished game; truncated games are left out, as in `Tally`. It counts for the entrant
    there or, of teams, for each of its parts. What a balanced design holds equally often (opponent and seat) is kept apart as
    cells: it is no chance, and must not be taken for spread.

    sums: (FOLDS, who, cells, TERMS, TERMS). members: (entrants, parts of a team): for whom an entrant counts.
    """

    sums: Sums
    seats: int
    members: NDArray[np.int64]
    by_opponent: bool

    @classmethod
    def of(cls, experiment: Experiment) -> LuckSums:
        """Sums over no games yet. Raises ValueError at one seat, where there is nobody to win against."""
        if experiment.seats < 2:
            raise ValueError(f"seats={experiment.seats}: luck is taken out of win rates from two seats on")
        entrants, teams = len(experiment.cards.ids), experiment.teams
        members = np.arange(entrants)[:, None] if teams is None else np.asarray(teams.members, np.int64)
        who = entrants if teams is None else teams.parts
        by_opponent = experiment.seats == 2 and teams is None and entrants <= OPPONENTS_MAX
        cells = experiment.seats * (entrants if by_opponent else 1)
        return cls(np.zeros((FOLDS, who, cells, TERMS, TERMS)), experiment.seats, members, by_opponent)

    def add(self, block: Block) -> None:
        """Add a block that was played with `rerolls`. Raises ValueError for one that was not."""
        if block.luck is None:
            raise ValueError("the games were played without telling their luck; play them with rerolls")
        done = block.rows["status"] == Status.FINISHED
        rows, luck = block.rows[done], block.luck[done, : self.seats]
        others = (luck.sum(axis=1, keepdims=True) - luck) / (self.seats - 1)
        won = rows["share"][:, : self.seats].astype(np.float64)
        terms = np.stack([np.ones(won.shape), won, luck, others], axis=-1)
        entrant = rows["entrant"][:, : self.seats].astype(np.int64)
        fold = np.broadcast_to((rows["game"] % FOLDS).astype(np.int64)[:, None], won.shape)
        cell = np.broadcast_to(np.arange(self.seats), won.shape)
        if self.by_opponent:
            cell = cell + self.seats * entrant[:, ::-1]
        products = terms[..., :, None] * terms[..., None, :]
        for part in range(self.members.shape[1]):
            np.add.at(self.sums, (fold, self.members[entrant, part], cell), products)

    @cached_property
    def weights(self) -> Sums:
        """What to take off per unit of luck, own and others', by fold: fitted on the other folds, (FOLDS, 2).

        Least squares with a level of its own for each cell. 0 where nothing is known of the luck.
        """
        found = np.zeros((FOLDS, 2))
        for fold in range(FOLDS):
            within = _within(np.delete(self.sums, fold, axis=0)).sum(axis=(0, 1, 2))
            found[fold] = np.linalg.lstsq(within[OWN:, OWN:], within[OWN:, WON], rcond=1e-9)[0]
        return found

    @property
    def gain(self) -> float:
        """How many times fewer games suffice for the same spread, over all; NaN without games."""
        before, after = self.left(np.zeros((FOLDS, 2))).sum(), self.left(self.weights).sum()
        return float(before / after) if after > 0 else float("nan")

    def left(self, weights: Sums) -> Sums:
        """Sum of squares about the means of the cells once luck times its weights is taken off, by whose it is, (who,)."""
        within, off = _within(self.sums).sum(axis=2), _less(weights)
        return np.asarray(np.einsum("fi,fwij,fj->w", off, within, off))


def _within(sums: Sums) -> Sums:
    """Sums of products about the means of their cells, same shape."""
    games = sums[..., ONE, ONE]
    first = sums[..., ONE, :]
    return np.asarray(sums - first[..., :, None] * first[..., None, :] / np.maximum(games, 1)[..., None, None])


def _less(weights: Sums) -> Sums:
    """What makes a result less its luck out of the terms, by fold, (FOLDS, TERMS)."""
    return np.concatenate([np.tile([0.0, 1.0], (FOLDS, 1)), -weights], axis=1)


def win_rates(found: LuckSums, names: Iterable[str], level: float = LEVEL) -> pd.DataFrame:
    """Win rate of each entrant (of teams: each part) with the luck taken out, beside the plain one: a line each, best first.

    Columns: entrant, name, estimate, low, high (Student), n, plain, plain_low, plain_high (Wilson), gain: how many times as
    many games would be needed without. NaN where fewer than DEGREES_MIN games are left to tell the spread from.
    """
    by_cell = found.sums[..., ONE, ONE]
    games, cells = by_cell.sum(axis=(0, 2)), (by_cell > 0).sum(axis=(0, 2))
    degrees = games - cells
    known = degrees >= DEGREES_MIN
    first = found.sums[..., ONE, :].sum(axis=2)
    mean = _ratio(np.einsum("fwi,fi->w", first, _less(found.weights)), games, known)
    before, after = found.left(np.zeros((FOLDS, 2))), found.left(found.weights)
    half = stats.t.ppf((1 + level) / 2, np.maximum(degrees, 1)) * np.sqrt(_ratio(after, degrees * games, known))
    plain = proportions(np.clip(first[..., WON].sum(axis=0), 0, games), games.astype(np.int64), level)
    frame = pd.DataFrame({"entrant": np.arange(len(games)), "name": list(names)})
    frame["estimate"], frame["low"], frame["high"] = mean, mean - half, mean + half
    frame["n"] = games.astype(np.int64)
    frame["plain"], frame["plain_low"], frame["plain_high"] = plain["estimate"], plain["low"], plain["high"]
    frame["gain"] = _ratio(before, after, known & (after > 0))
    return frame.sort_values("estimate", ascending=False, kind="stable").reset_index(drop=True)


def _ratio(over: Sums, under: Sums, known: NDArray[np.bool_]) -> Sums:
    """Elementwise ratio, NaN where it is not known."""
    return np.asarray(np.divide(over, under, out=np.full(len(over), np.nan), where=known))
