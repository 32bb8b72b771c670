"""The rule that calls win rates too strong, too weak or fair. All tables and charts use it.

The fair band is fair x (1 - band) .. fair x (1 + band). A row of a table is too strong if its whole interval lies above the band,
too weak if it lies below, fair if it lies within, else not decided. The intervals are simultaneous: each has the level at which
all rows of the table together contain their true win rates with 95 % confidence (Bonferroni; Dunn 1961, Journal of the American
Statistical Association 56:52-64). So the interval that a reader sees decides the verdict, and with a probability of 95 % no row
of a table has a wrong one.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from analysis.answer.numbers import THIN
from analysis.stats.intervals import FAIR_BAND, LEVEL, wilson

Floats = NDArray[np.float64]

TOO_STRONG, TOO_WEAK, FAIR, OPEN = "too strong", "too weak", "fair", "not decided"
UNFAIR = (TOO_STRONG, TOO_WEAK)
LEAST_GAMES = 30  # finished games; a row with fewer is never decided
BAND_WORDS = "a tenth"  # FAIR_BAND in words

MEANING = (
    f"Too strong: the whole interval lies above the fair band; too weak: below it; fair: within it; {OPEN}: none of these, or "
    f"fewer than {LEAST_GAMES} finished games. The intervals of all rows hold together with 95{THIN}% confidence."
)


def row_level(rows: int, level: float = LEVEL) -> float:
    """Confidence level of each interval of a table, at which all of them hold together at `level` (Bonferroni).

    rows: number of win rates that the table compares with the band; below 1 counts as 1.
    """
    return 1 - (1 - level) / max(rows, 1)


def simultaneous(frame: pd.DataFrame) -> pd.DataFrame:
    """Widen the intervals of win rates, of LEVEL each, so that those of all rows hold together: see `row_level`.

    frame: estimate, low and high. The wider interval is Wilson's for the number of independent games that the narrower one is
    worth (see `worth`). Only for rows that are put together from several tables: a table made at once takes the level directly.
    """
    games = worth(frame)
    finite = np.isfinite(games) & (games > 0)
    rate = frame["estimate"].to_numpy(np.float64)[finite]
    low, high = (frame[name].to_numpy(np.float64).copy() for name in ("low", "high"))
    bounds = wilson(rate * games[finite], games[finite], row_level(int(frame["estimate"].notna().sum())))
    low[finite], high[finite] = np.fmin(bounds[0], low[finite]), np.fmax(bounds[1], high[finite])
    return frame.assign(low=low, high=high)


def with_verdicts(frame: pd.DataFrame, band: float = FAIR_BAND) -> pd.DataFrame:
    """Add the column verdict to win rates.

    frame: estimate, low and high (simultaneous), n (finished games) and fair (NaN if there is no fair share), one row each.
    verdict: "too strong", "too weak", "fair", "not decided", or "" without a fair share. Raises ValueError for a band below 0.
    """
    return frame.assign(verdict=verdicts_within(frame, *edges(frame["fair"], band)))


def verdicts_within(frame: pd.DataFrame, lower: ArrayLike, upper: ArrayLike) -> NDArray[np.object_]:
    """Verdicts of win rates against the band lower..upper, one for all rows or one each; NaN: no band. frame: `with_verdicts`."""
    rows = len(frame)
    bottom, top = (np.broadcast_to(np.asarray(edge, np.float64), (rows,)) for edge in (lower, upper))
    low, high, n = (frame[name].to_numpy(np.float64) for name in ("low", "high", "n"))
    enough = n >= LEAST_GAMES
    above, below, within = low > top, high < bottom, (low >= bottom) & (high <= top)
    cases = [np.isnan(bottom + top), enough & above, enough & below, enough & within]
    return np.select(cases, ["", TOO_STRONG, TOO_WEAK, FAIR], OPEN).astype(object)


def edges(fair: ArrayLike, band: float = FAIR_BAND) -> tuple[Floats, Floats]:
    """Lower and upper edges of the fair band around fair shares, within 0..1. Raises ValueError for a band below 0."""
    if band < 0:
        raise ValueError(f"band={band} must be at least 0")
    share = np.asarray(fair, np.float64)
    return (share * (1 - band)).clip(0, 1), (share * (1 + band)).clip(0, 1)


def worth(frame: pd.DataFrame, level: float = LEVEL) -> Floats:
    """Number of independent games whose Wilson interval is as wide as that of each row. frame: estimate, low, high."""
    rate, low, high = (frame[name].to_numpy(np.float64) for name in ("estimate", "low", "high"))
    z, half = float(ndtri((1 + level) / 2)) ** 2, (high - low) / 2
    square, linear = half**2, 2 * z * half**2 - z * rate * (1 - rate)
    root = np.sqrt(np.clip(linear**2 - 4 * square * z * z * (square - 0.25), 0, None))
    games: Floats = np.divide(root - linear, 2 * square, out=np.where(np.isnan(half), np.nan, np.inf), where=half > 0)
    return games


def band(fair: float, half_width: float = FAIR_BAND) -> str:
    """Write the fair band around a fair share 0..1 in per cent: `45 to 55 %`. half_width: relative to the fair share."""
    low, high = (f"{100 * fair * (1 + side):.1f}".removesuffix(".0") for side in (-half_width, half_width))
    return f"{low} to {high}{THIN}%"
