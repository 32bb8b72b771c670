"""What cards and keywords are worth in a pool of random decks: decks are drawn by lot, so that what else they hold is chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import brentq
from scipy.special import expit

from analysis.agreement import zero_sum
from analysis.estimates import LEVEL, adjust
from analysis.frames import distinct
from analysis.meetings import Meetings, Worth, least_decks, regress
from sim.engine.decks import Decks

Floats = NDArray[np.float64]

EVEN = 0.5
LEAST_EACH = 2  # decks on either side of a comparison
NEARLY = 1e-6
ROUNDING = 1e-12


def pool_statistics(meetings: Meetings, decks: Decks, level: float = LEVEL) -> pd.DataFrame:
    """One line per card that some deck holds, what a copy is worth, best first.

    Columns: card (number), card_name, level, decks (that hold it), copies (mean of these), held, held_low, held_high (win rate
    of the decks that hold it; each deck one observation, Student's), lack, lack_low, lack_high (of the others), change, low,
    high, p, p_holm (the difference; Welch's); effect (logit), copy, copy_low, copy_high (points of the win rate that one copy
    adds at an even match, instead of an average card of the pool, whatever else both decks hold: see `meetings.regress`; NaN
    with too few decks for that), copy_p, copy_p_holm; n (games of decks that hold it).
    """
    n, wins = meetings.by_deck()
    rate = np.divide(wins, n, out=np.full(len(n), np.nan), where=n > 0)
    found = regress(meetings, decks.counts, level) if int((n > 0).sum()) >= least_decks(decks.counts) else None
    has = (decks.counts > 0) & (n > 0)[:, None]
    seen = np.flatnonzero(has.any(axis=0))
    lines = [_with_and_without(rate, has[:, card], n > 0, level) for card in seen]
    worth = _copies(found, seen)
    table: dict[str, Any] = {
        "card": seen,
        "card_name": np.array(distinct(decks.names), object)[seen],
        "level": decks.level[seen],
    }
    copies = [decks.counts[has[:, card], card].mean() for card in seen]
    table |= {"decks": has[:, seen].sum(axis=0), "copies": copies, "n": [int(n[has[:, card]].sum()) for card in seen]}
    frame = pd.concat([pd.DataFrame(table), pd.DataFrame(lines), pd.DataFrame(worth)], axis=1)
    frame = frame.assign(p_holm=adjust(frame["p"]), copy_p_holm=adjust(frame["copy_p"]))
    return frame.sort_values("copy", ascending=False, na_position="last", kind="stable", ignore_index=True)


def keyword_effects(meetings: Meetings, decks: Decks, level: float = LEVEL) -> pd.DataFrame:
    """What a copy of a card gains by bearing a keyword, between cards of one level and type; best first.

    Columns: keyword (without its number), cards (that bear it in the pool), decks (that hold one of them), effect (logit),
    value, low, high (points of the win rate at an even match), p, p_holm, n (games of these decks). NaN where no two cards
    differ in nothing but the keyword, as far as this regression sees.

    The worth of a copy of each card (see `pool_statistics`) is regressed on its level, the square of that, its type and its
    keywords: a random effects meta-regression (Berkey, Hoaglin, Mosteller and Colditz 1995, Statistics in Medicine 14:395-411)
    with the errors of the cards, the spread between cards of Paule and Mandel (1982, Journal of Research of the National Bureau
    of Standards 87:377-385) and the intervals of Knapp and Hartung (2003, Statistics in Medicine 22:2693-2710). Cards are the
    observations: what a card does beyond its level and keywords is doubt about them. Raises ValueError for too few decks.
    """
    found = regress(meetings, decks.counts, level)
    cards = np.flatnonzero(np.isfinite(found.effect))
    marks = [frozenset(_bare(mark) for mark in decks.marks[card]) for card in cards]
    known = sorted(set().union(*marks))
    bears = np.array([[mark in of for mark in known] for of in marks], np.float64).reshape(len(cards), len(known))
    cost = decks.level[cards].astype(np.float64)
    kinds = sorted({decks.kinds[card] for card in cards})[1:]
    typed = np.array([[kind == decks.kinds[card] for kind in kinds] for card in cards], np.float64).reshape(
        len(cards), -1
    )
    given = np.column_stack([cost, (cost - cost.mean()) ** 2, typed, bears])
    turn = zero_sum(len(cards))
    fitted = meta_regression(
        turn.T @ found.effect[cards], turn.T @ found.covariance[np.ix_(cards, cards)] @ turn, turn.T @ given
    )
    n, _ = meetings.by_deck()
    holds = decks.counts[:, cards] @ bears > 0
    columns: dict[str, Any] = {"keyword": known, "cards": bears.sum(axis=0).astype(int), "decks": holds.sum(axis=0)}
    effect, error, df = fitted.effect[-len(known) :], fitted.error[-len(known) :], fitted.df
    half = stats.t.ppf((1 + level) / 2, df) * error
    for word, value in (("value", effect), ("low", effect - half), ("high", effect + half)):
        columns[word] = expit(value) - EVEN
    p = 2 * stats.t.sf(np.abs(effect) / error, df)
    columns |= {"effect": effect, "p": p, "p_holm": adjust(p), "n": [int(n[of].sum()) for of in holds.T]}
    frame = pd.DataFrame(columns)
    return frame.sort_values("value", ascending=False, na_position="last", kind="stable", ignore_index=True)


@dataclass(frozen=True, eq=False)
class MetaRegression:
    """Effects by column with their standard errors, NaN where they cannot be told apart; df; spread between observations."""

    effect: Floats
    error: Floats
    df: int
    spread: float


def meta_regression(y: Floats, covariance: Floats, given: Floats) -> MetaRegression:
    """Regress y, known up to `covariance`, on the columns of `given`, with a spread between observations of its own.

    See `keyword_effects` for the papers. NaN everywhere with no more observations than columns.
    """
    rank = int(np.linalg.matrix_rank(given))
    df, whole = len(y) - rank, np.full(given.shape[1], np.nan)
    if df < 1 or not given.shape[1]:
        return MetaRegression(whole, whole, max(df, 1), float("nan"))

    def solved(square: float) -> tuple[Floats, Floats, float]:
        weight = np.linalg.inv(covariance + square * np.eye(len(y)))
        bread = np.asarray(np.linalg.pinv(given.T @ weight @ given, rcond=ROUNDING, hermitian=True), np.float64)
        effect = bread @ given.T @ weight @ y
        rest = y - given @ effect
        return effect, bread, float(rest @ weight @ rest)

    top, low = float(y @ y) + NEARLY, NEARLY * float(np.trace(covariance)) / len(y)
    square = low
    if solved(low)[2] > df:
        square = float(brentq(lambda of: solved(of)[2] - df, low, max(top, 2 * low))) if solved(top)[2] < df else top
    effect, bread, rest = solved(square)
    error = np.sqrt(np.diag(bread).clip(min=0) * max(1.0, rest / df))
    told = _told_apart(given)
    return MetaRegression(np.where(told, effect, np.nan), np.where(told, error, np.nan), df, float(np.sqrt(square)))


def _told_apart(given: Floats) -> NDArray[np.bool_]:
    """Which columns are no sum of others."""
    rank = np.linalg.matrix_rank(given)
    return np.array(
        [np.linalg.matrix_rank(np.delete(given, one, axis=1)) < rank for one in range(given.shape[1])], np.bool_
    )


def _bare(mark: str) -> str:
    """A keyword without its number."""
    return mark.partition("(")[0].strip()


def _copies(found: Worth | None, seen: NDArray[np.int64]) -> dict[str, Floats]:
    """What a copy of each card is worth, in points of the win rate at an even match; NaN where nothing could be fitted."""
    if found is None:
        return dict.fromkeys(("effect", "copy", "copy_low", "copy_high", "copy_p"), np.full(len(seen), np.nan))
    table = {"effect": found.effect[seen], "copy": expit(found.effect[seen]) - EVEN}
    table |= {f"copy_{end}": expit(getattr(found, end)[seen]) - EVEN for end in ("low", "high")}
    return table | {"copy_p": found.p[seen]}


def _with_and_without(rate: Floats, has: NDArray[np.bool_], played: NDArray[np.bool_], level: float) -> dict[str, Any]:
    """Mean win rate of the decks that hold a card and of those that do not, and their difference: Welch's t over decks."""
    sides = [rate[has], rate[played & ~has]]
    mean = [float(side.mean()) if len(side) else np.nan for side in sides]
    square = [float(side.var(ddof=1)) / len(side) if len(side) >= LEAST_EACH else np.nan for side in sides]
    line: dict[str, Any] = {}
    for word, side, centre, variance in zip(("held", "lack"), sides, mean, square, strict=True):
        half = float(stats.t.ppf((1 + level) / 2, max(1, len(side) - 1)) * np.sqrt(variance))
        line |= {word: centre, f"{word}_low": max(0.0, centre - half), f"{word}_high": min(1.0, centre + half)}
    change, variance = mean[0] - mean[1], square[0] + square[1]
    line |= {"change": change, "low": np.nan, "high": np.nan, "p": np.nan}
    if not variance > 0:
        return line
    df = variance**2 / sum(of**2 / (len(side) - 1) for of, side in zip(square, sides, strict=True))
    half = float(stats.t.ppf((1 + level) / 2, df) * np.sqrt(variance))
    p = float(2 * stats.t.sf(abs(change) / np.sqrt(variance), df))
    return line | {"low": change - half, "high": change + half, "p": p}
