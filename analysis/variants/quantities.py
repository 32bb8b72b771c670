"""Quantities of a whole game under a change: its length, and the win share of the first player."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from analysis.data import rows
from analysis.data.shares import Shares, length_change
from analysis.stats.intervals import mean
from analysis.stats.paired import grouped_changes, paired_changes, paired_ratio

LENGTH, FIRST = "length", "first"
QUANTITIES = (LENGTH, FIRST)


def quantity_change(what: str, before: Shares, after: Shares) -> dict[str, float]:
    """A quantity of QUANTITIES before and after with intervals (before_low...), and its paired change with low, high, p, n.

    Raises ValueError for an unknown quantity. A truncated game counts with the turns until it was stopped, and is left out of
    win shares, as are games without a first player.
    """
    if what not in QUANTITIES:
        raise ValueError(f"what={what!r} must be among {', '.join(QUANTITIES)}")
    if what == LENGTH:
        values: dict[str, float] = asdict(length_change(before, after))
        bounds = [mean(games.by_pair(games.turns)) for games in (before, after)]
    else:
        key = before.pair if before.pair.size else np.arange(len(before.share))
        b, a = (games.of_first.astype(np.float64) for games in (before, after))
        counted = [np.isfinite(b) & ~before.truncated, np.isfinite(a) & ~after.truncated]
        known = np.isfinite(b) & np.isfinite(a)
        stopped_some = bool((known & (before.truncated | after.truncated)).any())
        if not (all(side.any() for side in counted) if stopped_some else known.any()):
            unknown = ("before", "after", "change", "low", "high", "p", "before_low", "before_high", "after_low", "after_high")
            return dict.fromkeys(unknown, np.nan) | {"n": 0}
        if stopped_some:
            values = asdict(paired_ratio((np.nan_to_num(b), counted[0]), (np.nan_to_num(a), counted[1]), key))
        else:
            counted = [known, known]
            _, pair, games_of = np.unique(key[known], return_inverse=True, return_counts=True)
            d = np.bincount(pair, a[known] - b[known]) / games_of
            up, down, squares, n = ([value] for value in (d.clip(min=0).sum(), (-d).clip(min=0).sum(), (d**2).sum(), len(d)))
            alone = len(d) == known.sum()
            change = (paired_changes(up, down, n) if alone else grouped_changes(up, down, squares, n)).iloc[0]
            values = {name: float(change[name]) for name in ("change", "low", "high", "p")} | {"n": int(known.sum())}
            values |= {"before": float(b[known].mean()), "after": float(a[known].mean())}
        bounds = [rows.share(key[side], share[side]) for side, share in zip(counted, (b, a), strict=True)]
    ends = zip(("before", "after"), bounds, strict=True)
    return values | {f"{when}_{end}": getattr(one, end) for when, one in ends for end in ("low", "high")}
