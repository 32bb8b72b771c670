"""The rule that calls win rates too strong, too weak or fair. All tables and charts use it.

Each row of a table is compared with the fair band fair x (1 - band) .. fair x (1 + band). It has two one-sided p-values:
`p_out` tests that its rate lies beyond the nearer edge of the band, `p_in` that it lies between both edges (the larger p-value
of two one-sided tests: Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15:657-680). Each is adjusted for all
rows of the table (Holm 1979): with a probability of 95 % no row of a table is wrongly called unfair, and likewise for fair.

The test depends on what is independent: see `binomial` (games), `score` (pairs), `student` (rounds) and `sequence` (a run that
stops when its results are precise enough).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri, stdtr

from analysis.answer.numbers import THIN
from analysis.stats.intervals import FAIR_BAND, LEVEL, adjust, at_least, at_most, effective_games

Floats = NDArray[np.float64]
Side = Literal["greater", "less"]
Tail = Callable[[Floats, Side], Floats]  # one-sided p-values of all rows against the given shares, (rows,)

TOO_STRONG, TOO_WEAK, FAIR, OPEN = "too strong", "too weak", "fair", "not decided"
UNFAIR = (TOO_STRONG, TOO_WEAK)
SURE = 0.05  # adjusted p-value below which a verdict is given
LEAST_GAMES = 30  # finished games; a row with fewer is never decided and not tested
BAND_WORDS = "a tenth"  # FAIR_BAND in words
HEADING = "p (beyond band)"  # heading of the adjusted p-values

COLUMNS = ("p_out", "p_in", "p_beyond", "p_within", "verdict")

MEANING = (
    f"Too strong or too weak: {HEADING}, one-sided against the edge of the band within {BAND_WORDS} of the fair share and "
    f"adjusted for all rows (Holm), is below {SURE}; fair: the rate is shown to lie within the band, adjusted in the same way; "
    f"not decided: neither, or fewer than {LEAST_GAMES} finished games."
)


def with_verdicts(frame: pd.DataFrame, tail: Tail | None = None, band: float = FAIR_BAND) -> pd.DataFrame:
    """Add p_out, p_in, p_beyond, p_within (both adjusted over all rows) and verdict to win rates.

    frame: estimate, n (finished games) and fair (NaN if there is no fair share), one row each. tail: one-sided p-values of the
    rows; None uses the existing columns p_out and p_in, as for tables that are judged together. verdict: "too strong", "too
    weak", "fair", "not decided", or "" without a fair share. Raises ValueError for a band below 0.
    """
    fair = frame["fair"].to_numpy(np.float64)
    if tail is None:
        p_out, p_in = (frame[name].to_numpy(np.float64) for name in ("p_out", "p_in"))
    else:
        p_out, p_in = _against(frame, tail, *edges(fair, band))
    columns = decided(frame["estimate"], fair, p_out, p_in)
    return frame.drop(columns=[name for name in COLUMNS if name in frame]).assign(
        **{name: columns[name].to_numpy() for name in COLUMNS}
    )


def within(frame: pd.DataFrame, tail: Tail, lower: float, upper: float) -> pd.DataFrame:
    """`judged` against the given band lower..upper instead of the one around the fair share; returns only COLUMNS."""
    rows = len(frame)
    p_out, p_in = _against(frame, tail, np.full(rows, lower), np.full(rows, upper))
    return decided(frame["estimate"], np.full(rows, (lower + upper) / 2), p_out, p_in)


def decided(estimate: ArrayLike, middle: ArrayLike, p_out: ArrayLike, p_in: ArrayLike) -> pd.DataFrame:
    """COLUMNS from unadjusted p-values. middle: of the band, NaN if there is none; p-values: NaN if not tested."""
    rate, centre = np.asarray(estimate, np.float64), np.asarray(middle, np.float64)
    out, inside = np.asarray(p_out, np.float64), np.asarray(p_in, np.float64)
    beyond, within_band = adjust(out), adjust(inside)
    known = [np.isnan(centre), (beyond < SURE) & (rate > centre), (beyond < SURE) & (rate < centre), within_band < SURE]
    words = np.select(known, ["", TOO_STRONG, TOO_WEAK, FAIR], OPEN)
    columns = {"p_out": out, "p_in": inside, "p_beyond": beyond, "p_within": within_band}
    return pd.DataFrame({**columns, "verdict": words.astype(object)})


def edges(fair: ArrayLike, band: float = FAIR_BAND) -> tuple[Floats, Floats]:
    """Lower and upper edges of the fair band around fair shares, within 0..1. Raises ValueError for a band below 0."""
    if band < 0:
        raise ValueError(f"band={band} must be at least 0")
    share = np.asarray(fair, np.float64)
    return (share * (1 - band)).clip(0, 1), (share * (1 + band)).clip(0, 1)


def binomial(wins: ArrayLike, games: ArrayLike, shared: ArrayLike = 0.0) -> Tail:
    """p-values for independent games: exact, or the score test where wins are shared.

    wins: 0..games; shared: see `intervals.effective_games`.
    """
    won, n = np.asarray(wins, np.float64), np.asarray(games, np.float64)
    drawn = np.broadcast_to(np.asarray(shared, np.float64), won.shape)
    worth = effective_games(won, n, drawn)
    n = np.where(n > 0, n, np.nan)

    def tail(share: Floats, side: Side) -> Floats:
        exact = np.where(n > 0, (at_least if side == "greater" else at_most)(won, n, share), np.nan)
        whole = (won == np.rint(won)) & (drawn == 0)
        return np.asarray(np.where(whole, exact, score(won / n, worth)(share, side)))

    return tail


def score(estimate: ArrayLike, effective: ArrayLike) -> Tail:
    """p-values of the score test. effective: effective number of games, from the variance between observations."""
    rate, worth = np.asarray(estimate, np.float64), np.asarray(effective, np.float64)

    def tail(share: Floats, side: Side) -> Floats:
        gap, variance = rate - share, np.clip(share * (1 - share), 1e-12, None)
        z = np.multiply(gap, np.sqrt(worth / variance), out=np.where(np.isnan(gap), np.nan, 0.0), where=gap != 0)
        return np.asarray(ndtr(-z) if side == "greater" else ndtr(z))

    return tail


def worth(frame: pd.DataFrame, level: float = LEVEL) -> Floats:
    """Number of independent games whose Wilson interval is as wide as that of each row. frame: estimate, low, high."""
    rate, low, high = (frame[name].to_numpy(np.float64) for name in ("estimate", "low", "high"))
    z, half = float(ndtri((1 + level) / 2)) ** 2, (high - low) / 2
    square, linear = half**2, 2 * z * half**2 - z * rate * (1 - rate)
    root = np.sqrt(np.clip(linear**2 - 4 * square * z * z * (square - 0.25), 0, None))
    games: Floats = np.divide(root - linear, 2 * square, out=np.where(np.isnan(half), np.nan, np.inf), where=half > 0)
    return games


def student(estimate: ArrayLike, error: ArrayLike, clusters: ArrayLike, games: ArrayLike) -> Tail:
    """p-values for rates whose standard errors come from clusters of games, such as rounds.

    The error has a lower bound, because clusters that happen to be equal prove little. A rate of exactly 0 or 1 has the binomial
    p-value with each cluster as one game.
    """
    rate, groups, n = (np.asarray(one, np.float64) for one in (estimate, clusters, games))
    size = np.where(n > 0, n, np.nan)
    least = np.fmin(-ndtri(0.025) / size, np.sqrt(np.clip(rate * (1 - rate), 0, None) / size))
    known = np.fmax(np.asarray(error, np.float64), least)
    known = np.where(groups > 1, known, np.nan)
    alike = np.isin(rate, (0.0, 1.0)) & (groups > 1)

    def tail(share: Floats, side: Side) -> Floats:
        t = np.divide(rate - share, known, out=np.full(rate.size, np.nan), where=known > 0)
        free = np.maximum(groups - 1, 1)
        found = stdtr(free, -t) if side == "greater" else stdtr(free, t)
        whole = binomial(np.where(alike, rate * groups, 0.0), groups)(share, side)
        return np.asarray(np.where(alike, whole, found))

    return tail


def sequence(estimate: ArrayLike, p_against: Callable[[Floats], Floats]) -> Tail:
    """p-values for a run with optional stopping. p_against: two-sided p-values valid at any stopping time (see `sequential`).

    They belong to a confidence sequence, which excludes a share together with all shares beyond it, so they also hold one-sided.
    """
    rate = np.asarray(estimate, np.float64)

    def tail(share: Floats, side: Side) -> Floats:
        on_side = rate > share if side == "greater" else rate < share
        p_values = np.where(on_side, p_against(share), 1.0)
        return np.where(np.isnan(rate), np.nan, p_values)

    return tail


def band(fair: float, half_width: float = FAIR_BAND) -> str:
    """Write the fair band around a fair share 0..1 in per cent: `45 to 55 %`. half_width: relative to the fair share."""
    low, high = (f"{100 * fair * (1 + side):.1f}".removesuffix(".0") for side in (-half_width, half_width))
    return f"{low} to {high}{THIN}%"


def _against(frame: pd.DataFrame, tail: Tail, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Unadjusted p_out and p_in; NaN without a band or with too few games."""
    rate, n = frame["estimate"].to_numpy(np.float64), frame["n"].to_numpy(np.float64)
    middle = (lower + upper) / 2
    tested = np.isfinite(middle) & np.isfinite(rate) & (n >= LEAST_GAMES)
    out = np.where(rate > middle, tail(upper, "greater"), tail(lower, "less"))
    inside = np.maximum(tail(lower, "greater"), tail(upper, "less"))
    return np.where(tested, out, np.nan), np.where(tested, inside, np.nan)
