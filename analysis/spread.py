"""How far the entrants' win rates lie apart, and how a change of the cards moves that: the same games played twice.

The spread is the standard deviation of the true win rates, in shares. That of the observed rates would be too large, for chance
alone pulls them apart; the jackknife over games (Quenouille 1956, Biometrika 43:353-360; Tukey 1958) takes this out: applied to
the variance of the rates, a square of means, it leaves no bias, and its pseudo-values, one per game, behave like a sample
whose mean is the variance wanted. Pairs of games then give paired intervals as for any mean.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from analysis.compare import LEAST_EACH, Shares
from analysis.estimates import LEVEL, Interval
from analysis.pairs import PairedMean, paired_mean

Floats = NDArray[np.float64]

LEAST_ENTRANTS = 2


@dataclass(frozen=True)
class _Variance:
    """Variance of the win rates. pseudo: its jackknife pseudo-values; noise: what chance adds to the observed one."""

    pseudo: Floats
    noise: float

    @property
    def root(self) -> float:
        """The spread; 0 where chance explains all of it."""
        return float(np.sqrt(np.maximum(0.0, self.pseudo.mean())))


def spread(games: Shares, entrants: int, level: float = LEVEL) -> Interval:
    """Spread of the win rates of entrants 0..entrants-1 with its interval; n is the number of games.

    Where several games share their dice, the jackknife leaves out all of these at a time.
    A truncated game is left out, and so are entrants with fewer than 2 finished games: all NaN where fewer than two are left.
    Raises ValueError where that is not because games are truncated.
    """
    found = _variance(games, entrants)
    n = found.pseudo.size
    centre = float(found.pseudo.mean())
    half = float(stats.t.ppf((1 + level) / 2, n - 1) * found.pseudo.std(ddof=1) / np.sqrt(n))
    low, high = (float(np.sqrt(np.maximum(0.0, bound))) for bound in (centre - half, centre + half))
    return Interval(found.root, low, high, len(games.share), level, "jackknife")


def spread_change(before: Shares, after: Shares, entrants: int, level: float = LEVEL) -> PairedMean:
    """Change of the spread between two plays of the same games, with its paired interval; p is against no change.

    The test is that of the variances, from paired pseudo-values. A difference of roots is that of the squares over their sum,
    and the sum, known far better than the difference, is taken as given; where chance explains all of the spread, before and
    after, the error of the rates stands in its place. Raises ValueError unless there are as many games of both, and as `spread`.
    """
    first, second = _variance(before, entrants), _variance(after, entrants)
    if np.isnan([first.noise, second.noise]).any():
        unknown = (float("nan"),) * 4
        return PairedMean(first.root, second.root, *unknown, len(before.share), float("nan"))
    found = paired_mean(first.pseudo, second.pseudo, level)
    size = max(first.root + second.root, float(np.sqrt(first.noise + second.noise)))
    change, low, high = (one / size if size > 0 else 0.0 for one in (found.change, found.low, found.high))
    moved = replace(found, before=first.root, after=second.root, n=len(before.share))
    return replace(moved, change=change, low=low, high=high)


def length_change(before: Shares, after: Shares, level: float = LEVEL) -> PairedMean:
    """Change of the mean length of a game in turns; a truncated game counts with the turns until it was stopped. n: games."""
    found = paired_mean(before.by_pair(before.turns), after.by_pair(after.turns), level)
    return replace(found, n=len(before.turns))


def _variance(games: Shares, entrants: int) -> _Variance:
    """The variance of the win rates, jackknifed game by game, or pair by pair: all but one, in turn."""
    sits, won = (games.by_pair(one) for one in games.counted(entrants))
    known = sits.sum(axis=0) >= LEAST_EACH  # leaving one out must leave one
    if known.sum() < LEAST_ENTRANTS and games.capped.any():
        return _Variance(np.full(len(sits), np.nan), float("nan"))
    if known.sum() < LEAST_ENTRANTS:
        raise ValueError(
            f"{int(known.sum())} of {entrants} entrants sit in 2 games or more: a spread needs two of them"
        )
    sits, won = sits[:, known], won[:, known]
    n, played, wins = len(sits), sits.sum(axis=0), won.sum(axis=0)
    whole = float((wins / played).var())
    pseudo = n * whole - (n - 1) * ((wins - won) / (played - sits)).var(axis=1)
    return _Variance(pseudo, max(0.0, whole - float(pseudo.mean())))
