"""Head-to-head results of all pairs of entrants at two seats: the counts behind matchups, ratings and equilibria.

In a paired design, both games of a pair (same dice, seats swapped) are one observation: the row won both (up), lost both (down)
or each entrant won one (even). Games with separate dice are won (up) or lost (down). Games without a winner and truncated games
are left out; a pair with one game left counts as half a pair. A shared win counts as half a win and half a loss, so that
variances are exact for whole wins and conservative for shared ones.

Win rates of paired games: the same entrants with the same dice, once from every seat, are one observation.

A rate is a ratio of sums over pairs. Its variance is the one between pairs, linearised as in `intervals.ratios`. The interval
is Wilson's with the effective number of games, that of independent games with this variance (Korn and Graubard 1998, Survey
Methodology 24:193-201; Dean and Pagano 2015, Journal of Survey Statistics and Methodology 3:484-503), reduced for the wider
Student quantile; so bounds stay within 0..1. Pairs that are all equal can be so by chance: the variance is at least that of
z^2 pairs with one game the other way. Only if an entrant sits on all seats is there no chance at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.data.rows import Rows, Tally, check_entrants, check_rows, distinct
from analysis.stats.intervals import LEVEL, adjust
from sim.engine.loop import Status
from sim.experiments.experiment import Experiment

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PRIOR = 0.5  # of each outcome of an observation: Jeffreys (1946, Proceedings of the Royal Society A 186:453-461)
PAIR = 2  # games
DUEL = 2  # seats


@dataclass(frozen=True, eq=False)
class Encounters:
    """Results of all pairs of entrants, E x E, row against column; zero on the diagonal.

    up, down: observations that the row won and lost; weight: observations, at least up + down. games: games that one of the two
    won. paired: observations are pairs. gain: factor by which more games would be needed without pairs, with equally balanced
    seats; inf if all pairs agree, nan without pairs. played: all games; truncated: games stopped at a limit.
    """

    names: tuple[str, ...]
    up: Floats
    down: Floats
    weight: Floats
    games: Ints
    paired: bool
    gain: float = float("nan")
    played: int = 0
    truncated: int = 0

    def __post_init__(self) -> None:
        size = len(self.names)
        tables = (self.up, self.down, self.weight, self.games)
        if any(table.shape != (size, size) for table in tables):
            raise ValueError(f"{size} names for tables of {[table.shape for table in tables]}")
        if not np.array_equal(self.up, self.down.T) or (self.up + self.down > self.weight * (1 + 1e-12)).any():
            raise ValueError("up must be the mirror of down, and both together at most weight")

    @property
    def cells(self) -> tuple[Ints, Ints]:
        """Row and column of each pair of entrants that met, once each with row < column."""
        row, column = np.nonzero(np.triu(self.weight > 0, 1))
        return row, column

    @property
    def complete(self) -> bool:
        """Whether all pairs of entrants met."""
        return len(self.cells[0]) == len(self.names) * (len(self.names) - 1) // 2

    def require_complete(self) -> None:
        """Raise ValueError if two entrants never met in a game that one of them won."""
        row, column = np.nonzero(np.triu(self.weight <= 0, 1))
        if len(row):
            two = f"{self.names[row[0]]} and {self.names[column[0]]}"
            raise ValueError(f"{two} never met in a game that one of them won: play more games")

    @property
    def rate(self) -> Floats:
        """Win rates E x E, nan for entrants that never met."""
        gap = np.full(self.weight.shape, np.nan)
        np.divide(self.up - self.down, 2 * self.weight, out=gap, where=self.weight > 0)
        return 0.5 + gap

    @property
    def variance(self) -> Floats:
        """Unbiased variances of the win rates E x E, but at least those of their posterior (see `draws`), so never zero."""
        outcomes, weight = self._posterior, self.weight
        total = outcomes.sum(axis=0)
        up, _, down = outcomes / total
        least = (up + down - (up - down) ** 2) / (4 * (total + 1))
        known = weight > 1
        squares = self.up + self.down - (self.up - self.down) ** 2 / np.where(known, weight, 1)
        return np.asarray(np.maximum(least, np.where(known, squares / np.where(known, 4 * weight * (weight - 1), 1), 0)))

    @property
    def decided(self) -> Floats:
        """Share of the observations that are not even, E x E, with a prior so that it is above zero; 1 for single games."""
        if not self.paired:
            return np.ones(self.weight.shape)
        return np.asarray((self.up + self.down + PRIOR) / (self.weight + 2 * PRIOR))

    def draws(self, number: int, chance: np.random.Generator) -> Floats:
        """Draw matrices of win rates from the posterior under Jeffreys' prior, (number, E, E); 0.5 on the diagonal."""
        row, column = np.nonzero(np.triu(np.ones(self.weight.shape), 1))
        outcomes = self._posterior[:, row, column]
        parts = chance.standard_gamma(outcomes[None], (number, *outcomes.shape))
        gap = (parts[:, 0] - parts[:, 2]) / (2 * parts.sum(axis=1))
        rates = np.full((number, *self.weight.shape), 0.5)
        rates[:, row, column] += gap
        rates[:, column, row] -= gap
        return rates

    @property
    def _posterior(self) -> Floats:
        """Up, even and down with the prior, (3, E, E)."""
        even = np.clip(self.weight - self.up - self.down, 0, None) + (PRIOR if self.paired else 0)
        return np.stack([self.up + PRIOR, even, self.down + PRIOR])


class EncounterTally:
    """Counts encounters block by block, in the order of the game index; memory depends only on the number of entrants.

    pair_games: 2 if games 2k and 2k + 1 are a pair (see `Experiment.pair_games`), else 1.
    """

    def __init__(self, names: Sequence[str], pair_games: int) -> None:
        if pair_games not in (1, PAIR):
            raise ValueError(f"pair_games={pair_games} must be 1 or {PAIR}, as at two seats")
        self._names, self._pair_games = tuple(distinct(names)), pair_games
        self._sums = np.zeros((4, len(names) ** 2))  # up, down, weight, games
        self._seats = np.zeros((6, len(names) ** 2))  # of complete pairs: n, y0, y1, y0 y0, y1 y1, y0 y1
        self._rest: Rows | None = None
        self._played = self._truncated = 0

    def add(self, rows: Rows) -> EncounterTally:
        """Add a block; returns itself. Raises ValueError unless all games have two seats."""
        check_rows(rows)
        if (rows["seats"] != DUEL).any():
            raise ValueError(f"seats={rows['seats'].max()} in the rows: encounters are games at two seats")
        check_entrants(rows["entrant"][:, :DUEL], len(self._names))
        self._played += len(rows)
        self._truncated += int((rows["status"] != Status.FINISHED).sum())
        whole = rows if self._rest is None else np.concatenate([self._rest, rows])
        end = len(whole) - len(whole) % self._pair_games
        self._rest = whole[end:].copy() if end < len(whole) else None
        self._add(whole[:end])
        return self

    def encounters(self) -> Encounters:
        """Counts so far."""
        size = len(self._names)
        up, down, weight, games = self._sums.reshape(4, size, size)
        total = (weight + weight.T, np.rint(games + games.T).astype(np.int64))
        counted = Encounters(self._names, up + down.T, down + up.T, *total, self._pair_games == PAIR, self._gain())
        return replace(counted, played=self._played, truncated=self._truncated)

    def _add(self, rows: Rows) -> None:
        entrant = rows["entrant"][:, :DUEL].astype(np.int64)
        share = rows["share"][:, :DUEL].astype(np.float64)
        met = (rows["status"] == Status.FINISHED) & (share.sum(axis=1) > 0.5) & (entrant[:, 0] != entrant[:, 1])
        seat = np.argmin(entrant, axis=1)  # seat of the entrant with the lower index
        won = np.where(met, share[np.arange(len(rows)), seat], 0.0)
        cell = entrant.min(axis=1) * len(self._names) + entrant.max(axis=1)
        if self._pair_games == 1:
            self._count(cell, won, met - won, met.astype(np.float64), met)
            return
        pairs = cell.reshape(-1, PAIR)
        if (pairs[:, 0] != pairs[:, 1]).any():
            raise ValueError("the two games of a pair must be between the same two entrants")
        left = met.reshape(-1, PAIR).sum(axis=1)
        gap = won.reshape(-1, PAIR).sum(axis=1) - left / 2
        self._count(pairs[:, 0], gap.clip(min=0), (-gap).clip(min=0), left / 2, left)
        self._add_seats(pairs[:, 0], won.reshape(-1, PAIR), seat.reshape(-1, PAIR), left == PAIR)

    def _count(self, cell: Ints, *values: Floats) -> None:
        self._sums += [np.bincount(cell, value, self._sums.shape[1]) for value in values]

    def _add_seats(self, cell: Ints, won: Floats, seat: Ints, whole: NDArray[np.bool_]) -> None:
        """Add sums and products of the shares on either seat of the entrant with the lower index, from complete pairs."""
        cell, won, seat = cell[whole], won[whole], seat[whole]
        on = np.take_along_axis(won, np.argsort(seat, axis=1, kind="stable"), axis=1)
        first, second = on.T
        products = (np.ones(len(cell)), first, second, first**2, second**2, first * second)
        self._seats += [np.bincount(cell, value, self._seats.shape[1]) for value in products]

    def _gain(self) -> float:
        """Variance of two games with separate dice over that of a pair, pooled over all that met."""
        n, *sums = self._seats[:, self._seats[0] > 1]
        if not n.size:
            return float("nan")
        first, second, both_first, both_second, across = (total / n for total in sums)
        apart = float((n * (both_first - first**2 + both_second - second**2)).sum())
        paired = apart + 2 * float((n * (across - first * second)).sum())
        if paired > 1e-9 * max(apart, 1):
            return apart / paired
        return float("inf") if apart > 0 else float("nan")


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
