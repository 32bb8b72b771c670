"""Head-to-head results of all pairs of entrants at two seats: the counts behind matchups, ratings and equilibria.

In a paired design, both games of a pair (same dice, seats swapped) are one observation: the row won both (up), lost both (down)
or each entrant won one (even). Games with separate dice are won (up), lost (down) or shared (even); a win that is not shared
equally counts in part. Games without a winner and truncated games are left out; a pair with one game left counts as half a pair.

Win rates of paired games: the same entrants with the same dice, once from every seat, are one observation. A rate is a ratio of
sums over pairs, with Wilson's interval for the effective number of games (see `intervals.ratios`, floor "pairs"). Only if an
entrant sits on all seats is there no chance at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from analysis.answer.model import NoAnswerError
from analysis.data.rows import Rows, Tally, check_entrants, check_rows, distinct
from analysis.stats.intervals import LEVEL, ROUNDING, adjust, cluster_sums, clusters_of, linearised, p_effective, ratios
from analysis.stats.intervals import SUMS as RATIO_SUMS
from sim.engine.loop import Status
from sim.experiments.experiment import Experiment

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PRIOR = 0.5  # of each outcome of an observation: Jeffreys (1946, Proceedings of the Royal Society A 186:453-461)
PAIR = 2  # games
DUEL = 2  # seats
CELLS_MAX = 10_000  # largest number of matchups (entrants squared) that are counted
COLUMNS = ("estimate", "low", "high", "n", "pairs", "effective", "gain")  # of `rates`


@dataclass(frozen=True, eq=False)
class Encounters:
    """Results of all pairs of entrants, E x E, row against column; zero on the diagonal.

    up, down: observations that the row won and lost; weight: observations, at least up + down. games: games that were won or
    shared; shared: number of shared games, over all entrants. paired: observations are pairs. gain: factor by which more games
    would be needed without pairs, with equally balanced seats; inf if all pairs agree, nan without pairs. played: all games;
    truncated: games stopped at a limit.
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
    shared: int = 0

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
        """Raise NoAnswerError if two entrants never met in a game that one of them won."""
        row, column = np.nonzero(np.triu(self.weight <= 0, 1))
        if len(row):
            two = f"{self.names[row[0]]} and {self.names[column[0]]}"
            raise NoAnswerError(f"{two} never met in a game that one of them won: play more games")

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
        if not self.has_even:
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
        even = np.clip(self.weight - self.up - self.down, 0, None) + (PRIOR if self.has_even else 0)
        return np.stack([self.up + PRIOR, even, self.down + PRIOR])

    @property
    def has_even(self) -> bool:
        """Whether observations can be even: pairs, and games of which some are shared."""
        return self.paired or self.shared > 0


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
        self._played = self._truncated = self._shared = 0

    def add(self, rows: Rows) -> EncounterTally:
        """Add a block; returns itself. Raises ValueError unless all games have two seats."""
        check_rows(rows)
        if (rows["seats"] != DUEL).any():
            raise ValueError(f"seats={rows['seats'].max()} in the rows: encounters are games at two seats")
        check_entrants(rows["entrant"][:, :DUEL], len(self._names))
        self._played += len(rows)
        self._truncated += int((rows["status"] != Status.FINISHED).sum())
        rows, self._rest = _whole(self._rest, rows, self._pair_games)
        entrant = rows["entrant"][:, :DUEL].astype(np.int64)
        share = rows["share"][:, :DUEL].astype(np.float64)
        met = (rows["status"] == Status.FINISHED) & (share.sum(axis=1) > 0.5) & (entrant[:, 0] != entrant[:, 1])
        self._shared += int((met & (share > 0).all(axis=1)).sum())
        seat = np.argmin(entrant, axis=1)  # seat of the entrant with the lower index
        won = np.where(met, share[np.arange(len(rows)), seat], 0.0)
        cell, cells = entrant.min(axis=1) * len(self._names) + entrant.max(axis=1), self._sums.shape[1]
        if self._pair_games == 1:
            gap = np.where(met, 2 * won - 1, 0.0)
            self._sums += [np.bincount(cell, values, cells) for values in (gap.clip(min=0), (-gap).clip(min=0), met, met)]
            return self
        pairs, won, seat = cell.reshape(-1, PAIR), won.reshape(-1, PAIR), seat.reshape(-1, PAIR)
        if (pairs[:, 0] != pairs[:, 1]).any():
            raise ValueError("the two games of a pair must be between the same two entrants")
        cell, left = pairs[:, 0], met.reshape(-1, PAIR).sum(axis=1)
        gap = won.sum(axis=1) - left / 2
        self._sums += [np.bincount(cell, values, cells) for values in (gap.clip(min=0), (-gap).clip(min=0), left / 2, left)]
        whole = left == PAIR
        first, second = np.take_along_axis(won, np.argsort(seat, axis=1, kind="stable"), axis=1)[whole].T
        products = (np.ones(len(first)), first, second, first**2, second**2, first * second)
        self._seats += [np.bincount(cell[whole], values, cells) for values in products]
        return self

    def encounters(self) -> Encounters:
        """Counts so far."""
        size = len(self._names)
        up, down, weight, games = self._sums.reshape(4, size, size)
        total = (weight + weight.T, np.rint(games + games.T).astype(np.int64))
        counted = Encounters(self._names, up + down.T, down + up.T, *total, self._pair_games == PAIR, self._gain())
        return replace(counted, played=self._played, truncated=self._truncated, shared=self._shared)

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


def _whole(rest: Rows | None, rows: Rows, size: int) -> tuple[Rows, Rows | None]:
    """Rows of whole groups of `size` games, after the `rest` of earlier blocks, and what is left for the next block."""
    held = rows if rest is None else np.concatenate([rest, rows])
    end = len(held) - len(held) % size
    return held[:end], held[end:].copy() if end < len(held) else None


SUMS = (*RATIO_SUMS, "ss", "free")


def sums_of(pair: ArrayLike, group: ArrayLike, won: ArrayLike, counts: ArrayLike, groups: int) -> pd.DataFrame:
    """Sums over pairs for `rates` by group 0..groups-1, one row each; sums of complete pairs can be added up.

    pair, group: one entry per seat of a game; won: win share 0..1; counts: 1 if the game counts, else 0. Columns: y (wins), x
    (games), yy, xy, xx (sums of products over pairs), n (pairs), ss (squares of wins over games), free: pairs that can differ.
    """
    kept = np.asarray(counts, np.float64) > 0
    owner, y = np.asarray(group, np.int64)[kept], np.asarray(won, np.float64)[kept]
    table = cluster_sums(*clusters_of(np.asarray(pair)[kept], owner), y, np.ones(y.size), groups)
    return table.assign(ss=np.bincount(owner, y * y, groups), free=table["n"])


def rates(sums: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """Win rates with intervals from sums over pairs (see `sums_of`), row by row, with the index of `sums`.

    Columns: estimate, low, high (NaN without games), n (games), pairs, effective (independent games with this variance), gain:
    factor by which more single games would be needed (inf if the pairs do not differ, NaN if no game does). The width is zero if
    no pair can differ and none does.
    """
    table, (paired, alone) = ratios(sums, level, "wilson", "pairs"), _variances(sums)
    certain = (sums["n"] > 0) & (sums["free"] == 0) & (paired <= ROUNDING)
    bounds = {end: np.where(certain, table["estimate"], table[end]) for end in ("low", "high")}
    gain = np.divide(alone, paired, out=np.where(alone > ROUNDING, np.inf, np.nan), where=paired > 0)
    effective, pairs = np.where(certain, np.inf, table["effective"]), sums["n"].to_numpy(np.int64)
    return pd.DataFrame({**table, **bounds, "pairs": pairs, "effective": effective, "gain": gain})[list(COLUMNS)]


p_against = p_effective


def against_fair(sums: pd.DataFrame, fair: float, level: float = LEVEL) -> pd.DataFrame:
    """`rates` with additional columns fair, p, p_holm and p_bh."""
    table = rates(sums, level)
    p = p_effective(table, fair)
    return table.assign(fair=fair, p=p, p_holm=adjust(p, "holm"), p_bh=adjust(p, "bh"))


def overall_gain(sums: pd.DataFrame) -> float:
    """Factor by which all rates together would need more single games: the ratio of the sums of their variances."""
    paired, alone = (variance[sums["n"].to_numpy() > 1].sum() for variance in _variances(sums))
    return float(alone / paired) if paired > 0 else float("inf") if alone > 0 else float("nan")


def _variances(sums: pd.DataFrame) -> tuple[Floats, Floats]:
    """Variance of each rate between pairs, 0 for a single pair, and what it would be if all games were independent."""
    estimate, error = linearised(sums, ROUNDING)
    x = sums["x"].to_numpy(np.float64)
    alone = np.clip(sums["ss"].to_numpy(np.float64) - estimate**2 * x, 0, None)
    if "alone" in sums:
        within = sums["alone"].to_numpy(np.float64)
        alone = np.where(np.isnan(within), alone, within)
    return np.nan_to_num(error) ** 2, np.divide(alone, x**2, out=np.full(x.size, np.nan), where=x > 0)


class PairTally:
    """Sums over pairs of an experiment by entrant, turn position and matchup. Blocks are added in order.

    A pair split between two blocks is counted once it is complete; games after the last complete pair are left out. of_matchups:
    sums by row x entrants + column, of games with a winner; empty unless `has_matchups`.
    """

    def __init__(self, experiment: Experiment) -> None:
        self.entrants, self.seats = len(experiment.cards.ids), experiment.seats
        self._experiment = experiment
        self.pair_games, self.pairs = experiment.pair_games, 0
        self._rest: Rows | None = None
        self.has_matchups = self.seats == DUEL and self.entrants**2 <= CELLS_MAX
        cells = self.entrants**2 if self.has_matchups else 0
        sizes = (self.entrants, self.seats, cells, cells)
        self._of_entrants, self.of_positions, self.of_matchups, self._meetings = (
            pd.DataFrame(np.zeros((size, len(SUMS))), columns=list(SUMS)) for size in sizes
        )  # meetings: of all games, including those without a winner

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
        rows, self._rest = _whole(self._rest, rows, self.pair_games)
        if not len(rows):
            return
        pair = self._experiment.pair_of(rows["game"].astype(np.int64))
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
    squared = cells["x"].to_numpy(np.float64) ** 2
    within, alone = (np.bincount(owner, np.nan_to_num(variance * squared), len(sums)) for variance in _variances(cells))
    few = np.bincount(owner, cells["n"] == 1, len(sums)) > 0
    lost = np.abs(np.bincount(owner, cells["n"], len(sums)) - sums["n"].to_numpy()) > ROUNDING
    return sums.assign(within=np.where(few | lost, np.nan, within), alone=np.where(few | lost, np.nan, alone))


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

        def within(wins: Floats, games: Floats, shared: Floats | float = 0.0) -> pd.DataFrame:  # all (rows, seats)
            y, x, share = wins.sum(axis=1), games.sum(axis=1), (wins + 0.5) / (games + 1)
            values = {"y": y, "x": x, "yy": y, "xy": y, "xx": x, "n": x, "ss": y, "free": x}
            whole = games * share * (1 - share)
            return pd.DataFrame(values).assign(within=np.maximum(whole - shared, np.minimum(whole, 1)).sum(axis=1))

        tables = (tally.seat_games, tally.seat_wins, tally.seat_shared)
        games, wins, shared = (table[seats, :, :seats].astype(np.float64) for table in tables)
        met = seats == DUEL and bool(tally.seated_wins.any())
        matchups = pd.DataFrame(columns=list(SUMS), dtype=np.float64)
        if met:
            won = tally.seated_wins  # of the row's entrant; the column's entrant sits on the other seat
            decided = np.rint(won + won[::-1].transpose(0, 2, 1)) * ~np.eye(tally.entrants, dtype=bool)
            matchups = within(*(table.reshape(DUEL, -1).T for table in (won.clip(max=decided), decided)))
        return cls(tally.entrants, seats, within(wins, games, shared), matchups, met)
