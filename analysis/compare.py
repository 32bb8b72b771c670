"""The same games played with two card sets, compared by entrant: win shares before and after.

A capped game counts as a win share of 0 for everybody, in both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.estimates import LEVEL, differences, proportions
from analysis.pairs import paired_changes
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.run import Block, blocks

AT_ONCE = 10_000  # games compared at a time: bounds the memory
LEAST_EACH = 2  # games of an entrant that is compared

Play = Callable[[Experiment], Iterator[Block]]


@dataclass(frozen=True, eq=False)
class Shares:
    """Win shares, lengths and first seats of an experiment's games: all that a paired comparison needs."""

    entrant: NDArray[np.int16]  # (games, seats)
    share: NDArray[np.float32]  # (games, seats), all 0 in a capped game
    capped: NDArray[np.bool_]  # (games,)
    turns: NDArray[np.int32]  # (games,), of a capped game those until it was stopped
    first: NDArray[np.int8] = field(
        default_factory=lambda: np.zeros(0, np.int8)
    )  # (games,) seat, -1: nobody; may be unknown

    @classmethod
    def of(cls, experiment: Experiment, play: Play | None = None) -> Shares:
        """Play the experiment."""
        seats = experiment.seats
        parts = [
            (
                block.rows["entrant"][:, :seats].copy(),
                block.rows["share"][:, :seats].copy(),
                block.rows["status"] == Status.CAPPED,
                block.rows["turns"].copy(),
                block.rows["first"].copy(),
            )
            for block in (play or blocks)(experiment)
        ]
        return cls(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def of_parts(self, members: NDArray[np.integer[Any]]) -> Shares:
        """The same games of teams with the parts in the places of their teams, each with its team's share of the win.

        members: (entrants, size) numbers of the parts of each entrant. A game has seats x size places then.
        """
        size = members.shape[1]
        parts = members[self.entrant].reshape(len(self.entrant), -1).astype(np.int16)
        first = np.where(self.first < 0, self.first, self.first * size).astype(np.int8)
        return replace(self, entrant=parts, share=np.repeat(self.share, size, axis=1), first=first)

    @property
    def of_first(self) -> NDArray[np.float32]:
        """Win share of the seat that went first in each game, (games,); nan where nobody did or it is not known."""
        if self.first.size != len(self.share):
            return np.full(len(self.share), np.nan, np.float32)
        taken = np.take_along_axis(self.share, self.first.clip(min=0)[:, None].astype(np.int64), axis=1)[:, 0]
        return np.where(self.first < 0, np.float32(np.nan), taken).astype(np.float32)


def compare(before: Shares, after: Shares, names: list[str], level: float = LEVEL) -> pd.DataFrame:
    """Win shares before and after, and their paired difference, one line per entrant that has at least 2 games.

    Columns: name, before, before_low, before_high, after, after_low, after_high (Wilson), change, low, high, p (see
    `pairs.paired_changes`; p is of this line alone), n (pairs), capped_before and capped_after (games stopped at the limit),
    gain: how many times as many games two unpaired samples would need for the same width (inf where the pairs do not differ
    at all). An entrant on two seats of one game counts with its mean share there. Raises ValueError unless both played the
    same line-ups.
    """
    if not np.array_equal(before.entrant, after.entrant):
        raise ValueError("before and after must be the same games: their line-ups differ")
    columns = ("n", "b", "a", "up", "down", "capped_before", "capped_after", "bb", "aa", "dd")
    sums = {column: np.zeros(len(names)) for column in columns}
    for first in range(0, len(before.entrant), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        sits, b = by_entrant(before.entrant[part], before.share[part], len(names))
        _, a = by_entrant(after.entrant[part], after.share[part], len(names))
        d = a - b
        stopped = [sits * one.capped[part, None] for one in (before, after)]
        values = (sits, b, a, d.clip(min=0), (-d).clip(min=0), *stopped, b**2, a**2, d**2)
        for column, value in zip(columns, values, strict=True):
            sums[column] += value.sum(axis=0)
    return _compared(pd.DataFrame({"name": names, **sums}), level)


def compare_apart(before: Shares, after: Shares, names: list[str], level: float = LEVEL) -> pd.DataFrame:
    """Win shares before and after where other entrants sit in the same games: two samples instead of pairs.

    Columns and lines as those of `compare`; n is that of the smaller sample, gain is 1. Intervals and p of a change: see
    `estimates.differences`.
    """
    tables = []
    for one in (before, after):
        sits, share = by_entrant(one.entrant, one.share, len(names))
        n = sits.sum(axis=0)
        capped = (sits * one.capped[:, None]).sum(axis=0)
        tables.append(proportions(share.sum(axis=0).clip(max=n), n, level).assign(capped=capped.astype(np.int64)))
    known = (tables[0]["n"] >= LEAST_EACH) & (tables[1]["n"] >= LEAST_EACH)
    b, a = (table[known].reset_index(drop=True) for table in tables)
    gap = differences(a, b)
    found: dict[str, Any] = {"name": np.array(names, object)[known]}
    for part, word in ((b, "before"), (a, "after")):
        found |= {word: part["estimate"], f"{word}_low": part["low"], f"{word}_high": part["high"]}
    found |= {name: gap[name] for name in ("change", "low", "high", "p")} | {"n": np.minimum(b["n"], a["n"])}
    return pd.DataFrame({**found, "capped_before": b["capped"], "capped_after": a["capped"], "gain": 1.0})


def _compared(sums: pd.DataFrame, level: float) -> pd.DataFrame:
    """The table of `compare` from sums over pairs."""
    sums = sums[sums["n"] >= LEAST_EACH].reset_index(drop=True)
    n = sums["n"].to_numpy()
    table: dict[str, Any] = {"name": sums["name"]}
    for one, word in (("b", "before"), ("a", "after")):
        rates = proportions(sums[one].to_numpy().clip(max=n), n, level)
        table |= {word: rates["estimate"], f"{word}_low": rates["low"], f"{word}_high": rates["high"]}
    changes = paired_changes(sums["up"], sums["down"], n, level)
    table |= {name: changes[name] for name in ("change", "low", "high", "p", "n")}
    table |= {f"capped_{when}": sums[f"capped_{when}"].astype(np.int64) for when in ("before", "after")}
    return pd.DataFrame({**table, "gain": _gain(sums, n)})


def _gain(sums: pd.DataFrame, n: NDArray[np.float64]) -> NDArray[np.float64]:
    """Variance of two unpaired samples over that of the pairs; inf where no pair differs, nan where nothing varies."""
    means = {"b": sums["b"] / n, "a": sums["a"] / n, "d": (sums["up"] - sums["down"]) / n}
    spread = {one: (sums[one * 2] / n - mean**2).clip(lower=0).to_numpy() for one, mean in means.items()}
    apart, paired = spread["b"] + spread["a"], np.where(sums["dd"] == 0, 0.0, spread["d"])
    gain: NDArray[np.float64] = np.divide(apart, paired, out=np.where(apart > 0, np.inf, np.nan), where=paired > 0)
    return gain


def by_entrant(
    entrant: NDArray[np.int16], share: NDArray[np.float32], entrants: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Whether each entrant sits in each game (0 or 1), and its mean share there, both (games, entrants)."""
    games = len(entrant)
    cell = (np.arange(games)[:, None] * entrants + entrant).ravel()
    places = np.bincount(cell, minlength=games * entrants).reshape(games, entrants)
    total = np.bincount(cell, share.ravel(), games * entrants).reshape(games, entrants)
    return (places > 0).astype(np.float64), np.divide(total, places, out=np.zeros_like(total), where=places > 0)
