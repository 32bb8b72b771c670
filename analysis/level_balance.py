"""Balance at several levels of play: who wins how often when all seats play alike, and which conclusions hold at every level.

All levels play the same line-ups with the same dice. Two good players do much the same with them, so that the difference of their
win rates is surer than each of these: its interval is made of both intervals and the correlation of the two estimates (Zou
2007, Psychological Methods 12:399-413; with Wilson's intervals it is method 10 of Newcombe 1998, Statistics in Medicine
17:2635-2650).

An entrant flips between two levels if it wins surely more than its share at one and surely less at the other, both p-values
adjusted over all entrants and levels (Holm): no flip at all is told with a chance of 95 % where there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from analysis import verdicts
from analysis.agreement import LEAST, Known, agreement
from analysis.estimates import LEVEL, adjust
from analysis.level_games import Floats, LevelGames, across, correlation, pulls, rates_of, whole
from analysis.whatif import unit_names

SURE = 0.05
FLIPS, HOLDS, MOVES, OPEN = "flips", "holds", "moves", "not decided"


@dataclass(frozen=True, eq=False)
class Balance:
    """Balance level by level.

    names: of the levels, the lowest first; units: of the entrants, or of the parts of teams. rates: one line per level and
    unit: level, name, estimate, low, high, n (finished games), fair, p, p_holm (over all lines), side (+1 surely above the
    fair share, -1 surely below, 0), and those of `verdicts.judged` over all lines. changes: one line per
    unit and two levels: name, first, second (levels), before, after, side_before, side_after, change, low, high, p,
    p_holm, verdict (FLIPS, HOLDS, MOVES or OPEN). orders: see
    `orders`. whole: one line per level, see `whole`.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    seats: int
    rates: pd.DataFrame
    changes: pd.DataFrame
    orders: pd.DataFrame
    whole: pd.DataFrame


def balance(levels: Sequence[LevelGames], level: float = LEVEL) -> Balance:
    """Work out the balance. levels: the lowest first, of one game and number of seats. Raises ValueError without any."""
    if not levels:
        raise ValueError("levels: none was played; balance is told of one at least")
    base, names = levels[0].experiment, tuple(one.name for one in levels)
    units = tuple(unit_names(base))
    rates = judged(pd.concat([rates_of(one, level) for one in levels], ignore_index=True))
    pulled = [pulls(one) for one in levels]
    shared = {two: correlation(*(pulled[at] for at in two)) for two in combinations(range(len(names)), 2)}
    changes = changes_of(rates, names, shared, level)
    return Balance(
        names, units, base.seats, rates, changes, orders(rates, names, pulled, base.seed), whole(levels, level)
    )


def judged(rates: pd.DataFrame) -> pd.DataFrame:
    """Rates of all levels with p_holm over all of them, side, and the verdicts of `verdicts.judged`."""
    p_holm = adjust(rates["p"])
    side = np.where(p_holm < SURE, np.sign(rates["estimate"] - rates["fair"]), 0).astype(np.int64)
    return verdicts.judged(rates.assign(p_holm=p_holm, side=side))


def changes_of(
    rates: pd.DataFrame, names: Sequence[str], correlations: dict[tuple[int, int], Floats], level: float = LEVEL
) -> pd.DataFrame:
    """How the rates of `judged` change between every two levels, and what becomes of the conclusions.

    correlations: of the estimates of each unit at two levels, by the numbers of the levels.
    """
    by_level = {name: part.reset_index(drop=True) for name, part in rates.groupby("level", sort=False)}
    parts = []
    for (one, other), shared in correlations.items():
        before, after = by_level[names[one]], by_level[names[other]]
        facts: dict[str, Any] = {"name": before["name"], "first": names[one], "second": names[other]}
        for word, part in (("before", before), ("after", after)):
            facts |= {word: part["estimate"], f"side_{word}": part["side"], f"verdict_{word}": part["verdict"]}
        parts.append(pd.DataFrame({**facts, **_differences(before, after, shared, level)}))
    if not parts:
        return pd.DataFrame()
    found = pd.concat(parts, ignore_index=True)
    found = found.assign(p_holm=adjust(found["p"]))
    return found.assign(verdict=[_became(row) for _, row in found.iterrows()])


def _became(row: pd.Series) -> str:
    """What became of the conclusion on one unit between two levels."""
    if row["side_before"] * row["side_after"] < 0:
        return FLIPS
    fair_at_both = row["verdict_before"] == row["verdict_after"] == "fair"
    if row["side_before"] * row["side_after"] > 0 or fair_at_both:
        return HOLDS
    return MOVES if row["p_holm"] < SURE else OPEN


def _differences(before: pd.DataFrame, after: pd.DataFrame, correlation: Floats, level: float) -> dict[str, Any]:
    """After less before with interval and p-value, from the two intervals and the correlation of the estimates."""
    change = (after["estimate"] - before["estimate"]).to_numpy()
    reach = {}
    for side, bound in (("low", -1), ("high", 1)):
        toward, against = ("low", "high") if bound < 0 else ("high", "low")
        own = (after["estimate"] - after[toward]).abs().to_numpy()
        other = (before["estimate"] - before[against]).abs().to_numpy()
        reach[side] = change + bound * np.sqrt((own**2 + other**2 - 2 * correlation * own * other).clip(min=0))
    quantile = float(stats.norm.ppf((1 + level) / 2))
    errors = [((part["high"] - part["low"]) / 2 / quantile).to_numpy() for part in (before, after)]
    error = np.sqrt((errors[0] ** 2 + errors[1] ** 2 - 2 * correlation * errors[0] * errors[1]).clip(min=0))
    z = np.divide(np.abs(change), error, out=np.zeros(len(change)), where=error > 0)
    p = np.where(np.isfinite(change), 2 * stats.norm.sf(z), np.nan)
    return {"change": change, **reach, "p": p}


def orders(rates: pd.DataFrame, names: Sequence[str], pulled: Sequence[Floats], seed: int) -> pd.DataFrame:
    """How far the order of the units agrees between every two levels: first, second, seen, tau, low, high, things.

    See `agreement.agreement`; empty where there are too few units to have an order, or some have no games. pulled: see `pulls`.
    """
    lines = []
    for one, other in combinations(range(len(names)), 2):
        values = [rates.loc[rates["level"] == names[at], "estimate"].to_numpy() for at in (one, other)]
        if len(values[0]) < LEAST or not np.isfinite(values).all():
            continue
        known = [Known.of(value, pulled[at].T @ pulled[at]) for value, at in zip(values, (one, other), strict=True)]
        if all(np.trace(each.covariance) > 0 for each in known):
            found = agreement(known[0], known[1], seed, across=across(pulled[one], pulled[other]))
            lines.append({"first": names[one], "second": names[other], **vars(found)})
    return pd.DataFrame(lines, columns=["first", "second", "seen", "tau", "low", "high", "things"])
