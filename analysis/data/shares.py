"""Comparison of two plays of the same games, such as with two card sets: win shares by entrant, and their spread.

Truncated games are left out: a win rate is wins / finished games, before and after, and the change is the difference of the
two. If no game of an entrant is truncated, its pairs are compared exactly (see `paired.paired_changes`). Otherwise the two rates
can be over different games, and the variance of their difference is linearised over the pairs (Cochran 1977, Sampling
Techniques, section 6.4), which still benefits from what both plays have in common. Leaving out whole pairs instead would
compare only games that finish in both plays, which is a different question.

The spread is the standard deviation of the true win rates, in shares. That of the observed rates is too large, because chance
adds to it. The jackknife over games (Quenouille 1956, Biometrika 43:353-360; Tukey 1958) corrects this: applied to the variance
of the rates, a square of means, it removes the bias, and its pseudo-values, one per game, behave like a sample whose mean is the
true variance. Pairs of games then give paired intervals as for any mean.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

from analysis.data import encounters
from analysis.stats.intervals import LEVEL, Interval, differences, proportions
from analysis.stats.paired import PairedMean, grouped_changes, linear_change, paired_mean
from sim.engine.loop import Status
from sim.experiments.experiment import Experiment
from sim.run import Block, blocks

AT_ONCE = 10_000  # games compared at a time: bounds the memory
LEAST_EACH = 2  # observations of an entrant, for a comparison
PARTS = ("y_b", "x_b", "y_a", "x_a")  # wins and finished games before and after
COLUMNS = (
    *("n", "b", "a", "up", "down", "truncated_before", "truncated_after", "bb", "aa", "dd"),
    *("games", "b_squares", "a_squares"),
)

Play = Callable[[Experiment], Iterator[Block]]


@dataclass(frozen=True, eq=False)
class Shares:
    """Win shares, lengths and first seats of an experiment's games, for paired comparisons."""

    entrant: NDArray[np.int16]  # (games, seats)
    share: NDArray[np.float32]  # (games, seats), all 0 in a truncated game
    truncated: NDArray[np.bool_]  # (games,), truncated
    turns: NDArray[np.int32]  # (games,), of a truncated game those until it was stopped
    first: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, np.int8))  # (games,) seat, -1: none; empty if unknown
    # (games,) ascending, equal for games that share their dice; empty if none do
    pair: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    @classmethod
    def of(cls, experiment: Experiment, play: Play | None = None) -> Shares:
        """Play the experiment."""
        seats = experiment.seats
        parts = [
            (
                block.rows["entrant"][:, :seats].copy(),
                block.rows["share"][:, :seats].copy(),
                block.rows["status"] == Status.TRUNCATED,
                block.rows["turns"].copy(),
                block.rows["first"].copy(),
                experiment.pair_of(block.rows["game"].astype(np.int64)),
            )
            for block in (play or blocks)(experiment)
        ]
        shares = cls(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        return shares if experiment.pair_games > 1 else replace(shares, pair=np.zeros(0, np.int64))

    def of_parts(self, members: NDArray[np.integer[Any]]) -> Shares:
        """The same games with teams replaced by their parts, each with its team's share of the win.

        members: (entrants, size) indexes of the parts of each entrant. A game then has seats x size entries.
        """
        size = members.shape[1]
        parts = members[self.entrant].reshape(len(self.entrant), -1).astype(np.int16)
        first = np.where(self.first < 0, self.first, self.first * size).astype(np.int8)
        return replace(self, entrant=parts, share=np.repeat(self.share, size, axis=1), first=first)

    def by_pair(self, values: NDArray[Any]) -> NDArray[Any]:
        """Means of values, one row per game, over games that share their dice; unchanged if none do."""
        if not self.pair.size:
            return values
        starts = np.flatnonzero(np.diff(self.pair, prepend=-1))
        games = np.diff([*starts, len(values)]).reshape(-1, *[1] * (values.ndim - 1))
        means: NDArray[Any] = np.add.reduceat(values.astype(np.float64), starts) / games
        return means

    @property
    def truncated_share(self) -> float:
        """Share of truncated games; 0 without games."""
        return float(self.truncated.mean()) if len(self.truncated) else 0.0

    def counted(self, entrants: int, part: slice = slice(None)) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Whether each entrant sits in each finished game (0 or 1), and its mean share there, both (games, entrants)."""
        sits, share = by_entrant(self.entrant[part], self.share[part], entrants)
        over = ~self.truncated[part, None]
        return sits * over, share * over

    @property
    def of_first(self) -> NDArray[np.float32]:
        """Win share of the seat that went first in each game, (games,); nan if none did or it is unknown.

        0 in a truncated game: see `truncated`.
        """
        if self.first.size != len(self.share):
            return np.full(len(self.share), np.nan, np.float32)
        taken = np.take_along_axis(self.share, self.first.clip(min=0)[:, None].astype(np.int64), axis=1)[:, 0]
        return np.where(self.first < 0, np.float32(np.nan), taken).astype(np.float32)


def compare(before: Shares, after: Shares, names: list[str], level: float = LEVEL) -> pd.DataFrame:
    """Win shares before and after, and their paired difference, one row per entrant with at least 2 games.

    Columns: name, before, before_low, before_high, after, after_low, after_high (Wilson), change, low, high, p (see
    `paired.paired_changes`, and the module docstring for truncated games; p is not adjusted for other rows), n (games of either
    play, including truncated ones), truncated_before and truncated_after (shares of games), gain: factor by which two unpaired
    samples would need more games for the same width (inf if the pairs do not differ at all). An entrant on two seats of a game
    counts with its mean share. If games also share their dice with each other, the means over these are the observations (see
    `paired.grouped_changes`, `encounters.rates`); n still counts games. Raises ValueError unless both have the same line-ups.
    """
    if not np.array_equal(before.entrant, after.entrant):
        raise ValueError("before and after must be the same games: their line-ups differ")
    sums = {column: np.zeros(len(names)) for column in COLUMNS}
    for part in _parts(before):
        sits, b = by_entrant(before.entrant[part], before.share[part], len(names))
        _, a = by_entrant(after.entrant[part], after.share[part], len(names))
        stopped = [sits * play.truncated[part, None] for play in (before, after)]
        games, squares = sits, (b**2, a**2)
        if before.pair.size:
            starts = np.flatnonzero(np.diff(before.pair[part], prepend=-1))
            together = np.add.reduceat(sits, starts)
            b, a = (np.add.reduceat(column, starts) / np.maximum(together, 1) for column in (b, a))
            sits = (together > 0).astype(np.float64)
        d = a - b
        values = (sits, b, a, d.clip(min=0), (-d).clip(min=0), *stopped, b**2, a**2, d**2, games, *squares)
        for column, value in zip(COLUMNS, values, strict=True):
            sums[column] += value.sum(axis=0)
    table = pd.DataFrame({"name": names, **sums})
    if before.truncated.any() or after.truncated.any():
        table = table.join(linear_sums(before, after, before.pair, len(names)))
    return _compared(table[table["n"] >= LEAST_EACH].reset_index(drop=True), level)


def _compared(sums: pd.DataFrame, level: float) -> pd.DataFrame:
    """The table of `compare` from COLUMNS, sums over observations; truncated games and squares of single games are by game."""
    n, games = sums["n"].to_numpy(), sums["games"].to_numpy()
    single, size = bool((n == games).all()), sums["games"] / sums["n"]
    table: dict[str, Any] = {"name": sums["name"]}
    alone = np.zeros(len(sums))
    for side, word in (("b", "before"), ("a", "after")):
        total = {"y": sums[side] * size, "yy": sums[side * 2] * size**2, "xy": sums[side] * size**2, "xx": games * size}
        squares = sums[f"{side}_squares"] if single else sums[side] * size
        rates = _rates(total | {"x": games, "n": n, "ss": squares}, single, level)
        table |= {word: rates["estimate"], f"{word}_low": rates["low"], f"{word}_high": rates["high"]}
        alone += (sums[f"{side}_squares"] / games - (sums[side] / n) ** 2).clip(lower=0).to_numpy()
    up, down = sums["up"], sums["down"]
    changes = grouped_changes(up, down, sums["dd"], n, level)
    spread = (sums["dd"] / n - ((up - down) / n) ** 2).clip(lower=0).to_numpy() * (games / n)
    table |= {name: changes[name] for name in ("change", "low", "high", "p")} | {"n": games.astype(np.int64)}
    table |= {f"truncated_{when}": sums[f"truncated_{when}"] / games for when in ("before", "after")}
    compared = pd.DataFrame({**table, "gain": _gain(alone, np.where(sums["dd"] == 0, 0.0, spread))})
    some = (compared["truncated_before"] > 0) | (compared["truncated_after"] > 0)
    if some.any():
        part = _linear(sums[some], level)
        compared.loc[some, list(part)] = part
    return compared


def _linear(sums: pd.DataFrame, level: float) -> pd.DataFrame:
    """Columns of `compare` for entrants with truncated games, with the index of `sums`."""
    changes, single = linear_change(sums, level), bool((sums["n"] == sums["games"]).all())
    columns: dict[str, Any] = dict(changes[["change", "low", "high", "p"]])
    alone = np.zeros(len(sums))
    for side, word in (("b", "before"), ("a", "after")):
        y, x = f"y_{side}", f"x_{side}"
        total = {"y": sums[y], "x": sums[x], "yy": sums[f"{y}*{y}"], "xy": sums[f"{x}*{y}"], "xx": sums[f"{x}*{x}"]}
        rates = _rates(total | {"n": sums[f"m_{side}"], "ss": sums[f"{side}_squares"]}, single, level).set_axis(sums.index)
        columns |= {word: rates["estimate"], f"{word}_low": rates["low"], f"{word}_high": rates["high"]}
        alone += (sums[f"{side}_squares"] / sums[x] - rates["estimate"] ** 2).clip(lower=0).to_numpy() / sums[x].to_numpy()
    return pd.DataFrame(columns | {"gain": _gain(alone, changes["error"].to_numpy() ** 2)})


def _rates(sums: dict[str, Any], single: bool, level: float) -> pd.DataFrame:
    """Win rates of one play from sums as in `encounters.sums_of`; Wilson's if every game is an observation of its own."""
    if single:
        shared = np.clip(sums["y"] - sums["ss"], 0, None)
        return proportions(np.minimum(sums["y"], sums["x"]), sums["x"], level, shared=shared)
    return encounters.rates(pd.DataFrame({**sums, "free": sums["n"]}), level)


def _gain(apart: NDArray[np.float64], paired: NDArray[np.float64]) -> NDArray[np.float64]:
    """Variance of two unpaired samples over that of the pairs; inf if no pair differs, nan if nothing varies."""
    gain: NDArray[np.float64] = np.divide(apart, paired, out=np.where(apart > 0, np.inf, np.nan), where=paired > 0)
    return gain


def linear_sums(before: Shares, after: Shares, group: NDArray[np.int64], entrants: int) -> pd.DataFrame:
    """Sums over groups of games for `paired.linear_change`, one row per entrant. group: ascending; empty for single games.

    Columns: y_b, x_b, y_a, x_a (wins and finished games before and after), sums of products such as y_b*x_a, m (groups in which
    the entrant sits), m_b and m_a (groups with a finished game of the entrant).
    """
    key = group if group.size else np.arange(len(before.entrant))
    total, products, seen = np.zeros((4, entrants)), np.zeros((4, 4, entrants)), np.zeros((3, entrants))
    for part in _parts(before, key):
        starts = np.flatnonzero(np.diff(key[part], prepend=-1))
        (x_b, y_b), (x_a, y_a) = (play.counted(entrants, part) for play in (before, after))
        sits, _ = by_entrant(before.entrant[part], before.share[part], entrants)
        values = np.stack([np.add.reduceat(column, starts) for column in (y_b, x_b, y_a, x_a)])
        total += values.sum(axis=1)
        products += np.einsum("ige,jge->ije", values, values)
        seen += [(np.add.reduceat(column, starts) > 0).sum(axis=0) for column in (sits, x_b, x_a)]
    columns = dict(zip(PARTS, total, strict=True)) | dict(zip(("m", "m_b", "m_a"), seen, strict=True))
    for i, first in enumerate(PARTS):
        columns |= {f"{first}*{second}": products[i, j] for j, second in enumerate(PARTS)}
    return pd.DataFrame(columns)


def compare_apart(before: Shares, after: Shares, names: list[str], level: float = LEVEL) -> pd.DataFrame:
    """Win shares before and after if the line-ups differ: two samples instead of pairs.

    Columns and rows as in `compare`; n is that of the smaller sample, gain is 1. Intervals and p of a change: see
    `intervals.differences`.
    """
    tables = []
    for play in (before, after):
        games = by_entrant(play.entrant, play.share, len(names))[0].sum(axis=0)
        sits, share = play.counted(len(names))
        n = sits.sum(axis=0)
        stopped = np.divide(games - n, games, out=np.zeros(len(names)), where=games > 0)
        shared = (share - share**2).sum(axis=0)
        table = proportions(share.sum(axis=0).clip(max=n), n, level, shared=shared)
        tables.append(table.assign(truncated=stopped, games=games.astype(np.int64)))
    known = (tables[0]["games"] >= LEAST_EACH) & (tables[1]["games"] >= LEAST_EACH)
    b, a = (table[known].reset_index(drop=True) for table in tables)
    gap = differences(a, b)
    columns: dict[str, Any] = {"name": np.array(names, object)[known]}
    for part, word in ((b, "before"), (a, "after")):
        columns |= {word: part["estimate"], f"{word}_low": part["low"], f"{word}_high": part["high"]}
    columns |= {name: gap[name] for name in ("change", "low", "high", "p")} | {"n": np.minimum(b["games"], a["games"])}
    return pd.DataFrame({**columns, "truncated_before": b["truncated"], "truncated_after": a["truncated"], "gain": 1.0})


def _parts(games: Shares, group: NDArray[np.int64] | None = None) -> list[slice]:
    """Cut the games into parts of about AT_ONCE without splitting groups. group: None for games that share their dice."""
    starts, key = np.arange(0, len(games.entrant), AT_ONCE), games.pair if group is None else group
    if key.size:
        starts = np.unique(np.searchsorted(key, key[starts]))
    return [slice(*ends) for ends in itertools.pairwise([*starts.tolist(), len(games.entrant)])]


def by_entrant(
    entrant: NDArray[np.int16], share: NDArray[np.float32], entrants: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Whether each entrant sits in each game (0 or 1), and its mean share there, both (games, entrants)."""
    games = len(entrant)
    cell = (np.arange(games)[:, None] * entrants + entrant).ravel()
    places = np.bincount(cell, minlength=games * entrants).reshape(games, entrants)
    total = np.bincount(cell, share.ravel(), games * entrants).reshape(games, entrants)
    return (places > 0).astype(np.float64), np.divide(total, places, out=np.zeros_like(total), where=places > 0)


Floats = NDArray[np.float64]

LEAST_ENTRANTS = 2


def spread(games: Shares, entrants: int, level: float = LEVEL) -> Interval:
    """Spread of the win rates of entrants 0..entrants-1 with its interval; n is the number of games.

    Games that share their dice are left out together by the jackknife. Truncated games and entrants with fewer than 2 finished
    games are left out. With fewer than two entrants left, all is NaN if games were truncated; otherwise raises ValueError.
    """
    pseudo, _ = _variance(games, entrants)
    n, centre = pseudo.size, float(pseudo.mean())
    half = float(stdtrit(n - 1, (1 + level) / 2) * pseudo.std(ddof=1) / np.sqrt(n))
    estimate, low, high = (float(np.sqrt(np.maximum(0.0, variance))) for variance in (centre, centre - half, centre + half))
    return Interval(estimate, low, high, len(games.share), level, "jackknife")


def spread_change(before: Shares, after: Shares, entrants: int, level: float = LEVEL) -> PairedMean:
    """Change of the spread between two plays of the same games, with its paired interval; p is against no change.

    The change is the spread after minus the spread before, each 0 if chance explains all of it. Interval and test are those of
    the variances, from paired pseudo-values, divided by the sum of both spreads: a difference of roots is that of the squares
    over their sum. The sum is known much better than the difference and treated as exact; if chance explains all of both
    spreads, the error of the rates replaces it. The interval is widened to contain the change, which it can miss only if chance
    explains all of one spread; if it explains all of both, there is no change and p is 1. Raises ValueError unless both have the
    same number of games, and as `spread`.
    """
    (pseudo_b, noise_b), (pseudo_a, noise_a) = _variance(before, entrants), _variance(after, entrants)
    first, second = (float(np.sqrt(np.maximum(0.0, pseudo.mean()))) for pseudo in (pseudo_b, pseudo_a))
    if np.isnan([noise_b, noise_a]).any():
        unknown = (float("nan"),) * 4
        return PairedMean(first, second, *unknown, len(before.share), float("nan"))
    paired = paired_mean(pseudo_b, pseudo_a, level)
    size, change = max(first + second, float(np.sqrt(noise_b + noise_a))), second - first
    low, high = (bound / size if size > 0 else 0.0 for bound in (paired.low, paired.high))
    p = 1.0 if first == second == 0 else paired.p
    return PairedMean(first, second, change, min(low, change), max(high, change), p, len(before.share), paired.gain)


def length_change(before: Shares, after: Shares, level: float = LEVEL) -> PairedMean:
    """Change of the mean length of games in turns; truncated games count with the turns until they were stopped. n: games."""
    change = paired_mean(before.by_pair(before.turns), after.by_pair(after.turns), level)
    return replace(change, n=len(before.turns))


def _variance(games: Shares, entrants: int) -> tuple[Floats, float]:
    """Jackknife pseudo-values, over games or pairs, of the variance of the win rates, and how much of it chance explains."""
    sits, won = (games.by_pair(values) for values in games.counted(entrants))
    known = sits.sum(axis=0) >= LEAST_EACH  # at least one must remain when one is left out
    if known.sum() < LEAST_ENTRANTS and games.truncated.any():
        return np.full(len(sits), np.nan), float("nan")
    if known.sum() < LEAST_ENTRANTS:
        raise ValueError(f"{int(known.sum())} of {entrants} entrants have 2 games or more; a spread needs two such entrants")
    sits, won = sits[:, known], won[:, known]
    n, played, wins = len(sits), sits.sum(axis=0), won.sum(axis=0)
    whole = float((wins / played).var())
    pseudo = n * whole - (n - 1) * ((wins - won) / (played - sits)).var(axis=1)
    return pseudo, max(0.0, whole - float(pseudo.mean()))
