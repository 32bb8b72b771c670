"""Win rates of paired games: the same entrants with the same dice, once from every seat, are one observation.

A rate is a ratio of sums over pairs. Its variance is the one between pairs, linearised as in `intervals.ratios`. The interval
is Wilson's with the effective number of games, that of independent games with this variance (Korn and Graubard 1998, Survey
Methodology 24:193-201; Dean and Pagano 2015, Journal of Survey Statistics and Methodology 3:484-503), reduced for the wider
Student quantile; so bounds stay within 0..1. Pairs that are all equal can be so by chance: the variance is at least that of
z^2 pairs with one game the other way. Only if an entrant sits on all seats is there no chance at all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.data.rows import Rows, Tally
from analysis.stats.intervals import LEVEL, adjust
from sim.engine.table import Status
from sim.experiment import Experiment

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CELLS_MAX = 10_000  # largest number of matchups (entrants squared) that are counted
TWO_SEATS = 2
SUMS = ("y", "x", "yy", "xy", "xx", "n", "ss", "free")
_TINY = 1e-12  # rounding error of sums that cancel


def sums_of(pair: ArrayLike, group: ArrayLike, won: ArrayLike, counts: ArrayLike, groups: int) -> pd.DataFrame:
    """Sums over pairs for `rates` by group 0..groups-1, one row each; sums of complete pairs can be added up.

    pair, group: one entry per seat of a game; won: win share 0..1; counts: 1 if the game counts, else 0. Columns: y (wins), x
    (games), yy, xy, xx (sums of products over pairs), n (pairs), ss (squares of wins over games), free: pairs that can differ.
    """
    key, owner = np.asarray(pair, np.int64), np.asarray(group, np.int64)
    x = np.asarray(counts, np.float64)
    y = np.asarray(won, np.float64) * x
    cells, cell = np.unique(key * groups + owner, return_inverse=True)
    wins, games = np.bincount(cell, y, len(cells)), np.bincount(cell, x, len(cells))
    played = (games > 0).astype(np.float64)
    values = (wins, games, wins * wins, wins * games, games * games, played)
    table = {name: np.bincount(cells % groups, value, groups) for name, value in zip(SUMS, values, strict=False)}
    return pd.DataFrame({**table, "ss": np.bincount(owner, y * y, groups), "free": table["n"]})


def rates(sums: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """Win rates with intervals from sums over pairs (see `sums_of`), row by row, with the index of `sums`.

    Columns: estimate, low, high (NaN without games), n (games), pairs, effective (independent games with this variance), gain:
    factor by which more single games would be needed (inf if the pairs do not differ, NaN if no game does). The width is zero if
    no pair can differ and none does.
    """
    x, pairs = (sums[name].to_numpy(np.float64) for name in ("x", "n"))
    known, (estimate, spread) = pairs > 0, _spread(sums)
    effective = _effective(estimate, spread, sums, level)
    low, high = np.full((2, len(sums)), np.nan)
    if known.any():
        bounds = proportion_confint((estimate * effective)[known], effective[known], alpha=1 - level, method="wilson")
        low[known], high[known] = (np.clip(bound, 0, 1) for bound in bounds)
    certain = known & (sums["free"].to_numpy() == 0) & (spread <= _TINY * x**2)
    low, high = (np.where(certain, estimate, bound) for bound in (low, high))
    low, high = np.where(estimate == 0, 0.0, low), np.where(estimate == 1, 1.0, high)
    columns = {"estimate": estimate, "low": low, "high": high, "n": x.astype(np.int64), "pairs": pairs.astype(np.int64)}
    gain = _gain(sums, estimate, spread)
    return pd.DataFrame({**columns, "effective": np.where(certain, np.inf, effective), "gain": gain}, index=sums.index)


def p_against(table: pd.DataFrame, fair: float) -> Floats:
    """Two-sided p-values of rows of `rates` against a share: score test with the effective number of games."""
    if np.isnan(fair):
        return np.full(len(table), np.nan)
    gap, worth = np.abs(table["estimate"].to_numpy(np.float64) - fair), table["effective"].to_numpy(np.float64)
    z = np.multiply(gap, np.sqrt(worth / max(fair * (1 - fair), _TINY)), out=np.zeros(gap.size), where=gap != 0)
    return np.asarray(2 * stats.norm.sf(np.where(np.isnan(gap), np.nan, z)))


def against_fair(sums: pd.DataFrame, fair: float, level: float = LEVEL) -> pd.DataFrame:
    """`rates` with additional columns fair, p, p_holm and p_bh."""
    table = rates(sums, level)
    p = p_against(table, fair)
    return table.assign(fair=fair, p=p, p_holm=adjust(p, "holm"), p_bh=adjust(p, "bh"))


def overall_gain(sums: pd.DataFrame) -> float:
    """Factor by which all rates together would need more single games: the ratio of the sums of their variances."""
    several = sums["n"].to_numpy() > 1
    estimate, spread = _spread(sums)
    alone = _alone(sums, estimate)[several].sum()
    paired = (spread[several] / sums["x"].to_numpy()[several] ** 2).sum()
    return float(alone / paired) if paired > 0 else float("inf") if alone > 0 else float("nan")


class PairTally:
    """Sums over pairs of an experiment by entrant, turn position and matchup. Blocks are added in order.

    A pair split between two blocks is counted once it is complete; games after the last complete pair are left out.
    """

    def __init__(self, experiment: Experiment) -> None:
        self.entrants, self.seats = len(experiment.cards.ids), experiment.seats
        self._experiment = experiment
        self.pair_games, self.pairs = experiment.pair_games, 0
        self._rest: Rows | None = None
        self._of_entrants = _nothing(self.entrants)
        self.of_positions = _nothing(self.seats)
        self.has_matchups = self.seats == TWO_SEATS and self.entrants**2 <= CELLS_MAX
        self.of_matchups = _nothing(self.entrants**2 if self.has_matchups else 0)  # row x entrants + column
        self._meetings = self.of_matchups  # of all games, including those without a winner

    @property
    def of_entrants(self) -> pd.DataFrame:
        """Sums by entrant; with the variance within opponents if matchups are counted."""
        if not self.has_matchups:
            return self._of_entrants
        return stratified(self._of_entrants, self._meetings, np.repeat(np.arange(self.entrants), self.entrants))

    def tables(self) -> dict[str, np.ndarray]:
        """All sums by name, for a run's summary; games after the last complete pair are left out."""
        frames = {"pair_entrants": self._of_entrants, "pair_positions": self.of_positions}
        if self.has_matchups:
            frames |= {"pair_matchups": self.of_matchups, "pair_meetings": self._meetings}
        return {"pairs": np.array([float(self.pairs)])} | {name: frame.to_numpy() for name, frame in frames.items()}

    def merge(self, tables: dict[str, np.ndarray]) -> None:
        """Add the `tables` of other pairs of the same experiment."""
        self.pairs += int(tables["pairs"][0])
        self._of_entrants = self._of_entrants + tables["pair_entrants"]
        self.of_positions = self.of_positions + tables["pair_positions"]
        if self.has_matchups:
            self.of_matchups = self.of_matchups + tables["pair_matchups"]
            self._meetings = self._meetings + tables["pair_meetings"]

    def add(self, rows: Rows) -> None:
        """Add the next block of rows."""
        held = rows if self._rest is None else np.concatenate([self._rest, rows])
        pair = self._experiment.pair_of(held["game"].astype(np.int64))
        whole = len(held) - len(held) % self._experiment.pair_games
        self._rest = held[whole:].copy() if whole < len(held) else None
        if whole:
            self._count(held[:whole], pair[:whole])

    def _count(self, rows: Rows, pair: Ints) -> None:
        """Count complete pairs."""
        self.pairs += len(rows) // self.pair_games
        seats, finished = self.seats, rows["status"] == Status.FINISHED
        key, counts = np.repeat(pair, seats), np.repeat(finished, seats)
        entrant, share = rows["entrant"][:, :seats].astype(np.int64), rows["share"][:, :seats].astype(np.float64)
        alone = (entrant == entrant[:, :1]).all(axis=1)
        by_entrant = sums_of(key, entrant.ravel(), share.ravel(), counts, self.entrants)
        fixed = sums_of(pair, entrant[:, 0], alone, finished & alone, self.entrants)["n"]
        self._of_entrants += by_entrant.assign(free=by_entrant["n"] - fixed)
        first = rows["first"].astype(np.int64)
        place = (np.arange(seats) - first[:, None]) % seats
        known = np.repeat(finished & (first >= 0), seats)
        self.of_positions += sums_of(key, place.ravel(), share.ravel(), known, seats)
        if self.has_matchups:
            cell = (entrant * self.entrants + entrant[:, ::-1]).ravel()
            apart = finished & (entrant[:, 0] != entrant[:, 1]) & (share.sum(axis=1) > 0)
            met = sums_of(key, cell, share.ravel(), np.repeat(apart, seats), len(self.of_matchups))
            self.of_matchups = self.of_matchups + met
            self._meetings = self._meetings + sums_of(key, cell, share.ravel(), counts, len(self.of_matchups))


def stratified(sums: pd.DataFrame, cells: pd.DataFrame, owner: Ints) -> pd.DataFrame:
    """Sums with the variance within cells, such as opponents, which a balanced design fixes in advance.

    cells: `sums_of` each cell; owner: row of `sums` that a cell belongs to. Additional columns: within, alone: variance of the
    sum of wins as pairs and as single games; NaN if a cell has a single pair, so that the variance over all pairs is used.
    """
    estimate, spread = _spread(cells)
    alone = _alone(cells, estimate) * cells["x"].to_numpy(np.float64) ** 2
    few = np.bincount(owner, cells["n"] == 1, len(sums)) > 0
    lost = np.abs(np.bincount(owner, cells["n"], len(sums)) - sums["n"].to_numpy()) > _TINY
    within, single = (np.bincount(owner, np.nan_to_num(values), len(sums)) for values in (spread, alone))
    bad = few | lost
    return sums.assign(within=np.where(bad, np.nan, within), alone=np.where(bad, np.nan, single))


@dataclass(frozen=True, eq=False)
class SeatStrata:
    """Sums of single games by entrant and by matchup, like those of `PairTally`, with the variance within seats.

    If seats use different policies, most of the difference between games is between seats, and a balanced design removes it from
    the error. A share of exactly 0 or 1 on a seat can be due to chance: half a win and half a loss are added to each.
    """

    entrants: int
    seats: int
    of_entrants: pd.DataFrame
    of_matchups: pd.DataFrame  # row x entrants + column; empty if they were not counted
    has_matchups: bool

    @classmethod
    def of(cls, tally: Tally, seats: int) -> SeatStrata:
        """Sums of the games at this number of seats."""
        size = tally.entrants
        games, wins = (table[seats, :, :seats].astype(np.float64) for table in (tally.seat_games, tally.seat_wins))
        met = seats == TWO_SEATS and bool(tally.seated_wins.any())
        matchups = _nothing(0)
        if met:
            won = tally.seated_wins  # of the row's entrant; the column's entrant sits on the other seat
            decided = np.rint(won + won[::-1].transpose(0, 2, 1)) * ~np.eye(size, dtype=bool)
            matchups = _in_strata(*(table.reshape(TWO_SEATS, -1).T for table in (won.clip(max=decided), decided)))
        return cls(size, seats, _in_strata(wins, games), matchups, met)


def _in_strata(wins: Floats, games: Floats) -> pd.DataFrame:
    """Sums over single games, one row each, with the variance within strata; wins, games: (rows, strata)."""
    y, x = wins.sum(axis=1), games.sum(axis=1)
    share = (wins + 0.5) / (games + 1)
    values = {"y": y, "x": x, "yy": y, "xy": y, "xx": x, "n": x, "ss": y, "free": x}
    return pd.DataFrame(values).assign(within=(games * share * (1 - share)).sum(axis=1))


def rates_of(experiment: Experiment, rows: Rows, level: float = LEVEL) -> pd.DataFrame:
    """Win rate of each entrant from the rows of all games of an experiment: `rates` with leading columns entrant and name."""
    tally = PairTally(experiment)
    tally.add(rows)
    table = rates(tally.of_entrants, level)
    table.insert(0, "entrant", np.arange(tally.entrants))
    table.insert(1, "name", list(experiment.cards.names))
    return table


def _nothing(groups: int) -> pd.DataFrame:
    return pd.DataFrame(np.zeros((groups, len(SUMS))), columns=list(SUMS))


def _spread(sums: pd.DataFrame) -> tuple[Floats, Floats]:
    """Rate, and the variance of its sum of wins between pairs, zero for a single pair."""
    y, x, yy, xy, xx, n = (sums[name].to_numpy(np.float64) for name in SUMS[:6])
    estimate = np.divide(y, x, out=np.full(x.size, np.nan), where=x > 0)
    residual = np.nan_to_num(np.clip(yy - 2 * estimate * xy + estimate**2 * xx, 0, None))
    residual = np.where(residual <= _TINY * xx, 0.0, residual)
    spread = np.divide(residual * n, n - 1, out=np.zeros(n.size), where=n > 1)
    if "within" in sums:
        within = sums["within"].to_numpy(np.float64)
        spread = np.where(np.isnan(within), spread, within)
    return estimate, spread


def _effective(estimate: Floats, spread: Floats, sums: pd.DataFrame, level: float) -> Floats:
    """Independent games with the variance of the rate; NaN without games."""
    x, n = sums["x"].to_numpy(np.float64), sums["n"].to_numpy(np.float64)
    z, inner = float(stats.norm.ppf((1 + level) / 2)), estimate * (1 - estimate)
    least = np.fmin(z * z, x * inner)  # z^2 pairs with one game the other way, or the variance of single games
    variance = np.divide(np.maximum(spread, least), x**2, out=np.full(x.size, np.nan), where=x > 0)
    wider = (stats.t.ppf((1 + level) / 2, np.maximum(n - 1, 1)) / z) ** 2
    worth = np.divide(inner, variance * wider, out=np.full(x.size, np.nan), where=variance > 0)
    edge = (estimate == 0) | (estimate == 1) | (n == 1)
    effective: Floats = np.where(edge, n, worth)
    return effective


def _alone(sums: pd.DataFrame, estimate: Floats) -> Floats:
    """Variance of the rate if all games were independent."""
    x = sums["x"].to_numpy(np.float64)
    inner = np.clip(sums["ss"].to_numpy(np.float64) - estimate**2 * x, 0, None)
    if "alone" in sums:
        within = sums["alone"].to_numpy(np.float64)
        inner = np.where(np.isnan(within), inner, within)
    variance: Floats = np.divide(inner, x**2, out=np.full(x.size, np.nan), where=x > 0)
    return variance


def _gain(sums: pd.DataFrame, estimate: Floats, spread: Floats) -> Floats:
    """Variance of single games over that of pairs."""
    alone = _alone(sums, estimate)
    x = sums["x"].to_numpy(np.float64)
    paired = np.divide(spread, x**2, out=np.full(x.size, np.nan), where=x > 0)
    gain: Floats = np.divide(alone, paired, out=np.where(alone > _TINY, np.inf, np.nan), where=paired > 0)
    return gain
