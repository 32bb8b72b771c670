"""What a lead is worth: the chance to win by how far a seat is ahead at the end of an own turn, in games of two seats.

The lead is the own value less the opponent's, both at the end of the same own turn. What one seat is ahead the other is behind,
so that both seats of a game are one observation: everything here looks at the side that is ahead, or, what comes to the
same, holds the chance at a lead d to be one less that at -d. Games that share their dice hang together (`key`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from analysis import clustered
from analysis.concordance import auc, correlation
from analysis.estimates import LEVEL, Interval

Floats = NDArray[np.float64]

SEATS = 2
BINS, LEAST = 8, 30  # bins of about equally many games, and at least so many games to a bin
UPWARDS = 0.1  # in powers of ten: bins of a surface end at halves of these, from 80 on at 100 rather than 80


@dataclass(frozen=True, eq=False)
class Leads:
    """Leads of seat 0 in games of two seats.

    lead: (games, turns) at the end of own turn 1, 2, ...; NaN unless both seats have finished that turn. share: (games,) of the
    win of seat 0. key: (games,) games of one key hang together.
    """

    lead: Floats
    share: Floats
    key: NDArray[np.int64]

    @classmethod
    def of(cls, values: ArrayLike, share: ArrayLike, key: ArrayLike | None = None) -> Leads:
        """Leads from values, (games, 2, turns), NaN where a seat has not finished the turn. key: None: each game by itself.

        share: of the win of seat 0, (games,), all games finished. Raises ValueError for other shapes or shares outside 0..1.
        """
        known, won = np.asarray(values, np.float64), np.asarray(share, np.float64)
        games = np.arange(len(won)) if key is None else np.asarray(key, np.int64)
        if known.ndim != 3 or known.shape[1] != SEATS or won.shape != known.shape[:1] or games.shape != won.shape:
            raise ValueError(
                f"values {known.shape} must be (games, 2, turns), share {won.shape} and key {games.shape} (games,)"
            )
        if won.size and not (won.min() >= 0 and won.max() <= 1):
            raise ValueError(f"shares must lie in 0..1, found {won.min()}..{won.max()}")
        return cls(known[:, 0] - known[:, 1], won, games)

    @property
    def turns(self) -> int:
        """Number of own turns that the curves have."""
        return int(self.lead.shape[1])

    def at(self, turn: int) -> tuple[Floats, Floats, NDArray[np.int64]]:
        """Lead, share of the win of seat 0 and key of the games that come to the end of an own turn (1, 2, ...)."""
        if not 1 <= turn <= self.turns:
            raise ValueError(f"turn={turn} must be 1..{self.turns}, the own turns that are recorded")
        lead = self.lead[:, turn - 1]
        known = np.isfinite(lead)
        return lead[known], self.share[known], self.key[known]

    def ahead(self, turn: int) -> tuple[Floats, Floats, NDArray[np.int64]]:
        """The same of the side that is ahead, where one is: how far, its share of the win, and the key."""
        lead, share, key = self.at(turn)
        led = lead != 0
        won = np.where(lead > 0, share, 1 - share)
        return np.abs(lead[led]), won[led], key[led]


def by_turn(leads: Leads, turns: Sequence[int] | None = None, level: float = LEVEL) -> pd.DataFrame:
    """What a lead says at the end of each own turn; turns: of 1, 2, ...; those beyond the curves are left out.

    Columns: turn, games (that come to it), on (their share of all), tied (share of these in which nobody is ahead), gap (median
    lead where one is), estimate, low, high (share of the games won by the side ahead), n (games with one), auc, auc_low,
    auc_high (see `concordance.auc`), r, r_low, r_high (see `concordance.correlation`). NaN where there is nothing to tell from.
    """
    wanted = range(1, leads.turns + 1) if turns is None else [turn for turn in turns if 1 <= turn <= leads.turns]
    return pd.DataFrame([_turn(leads, turn, level) for turn in wanted], columns=_COLUMNS)


_COLUMNS = ["turn", "games", "on", "tied", "gap", "estimate", "low", "high", "n"]
_COLUMNS += [f"{name}{end}" for name in ("auc", "r") for end in ("", "_low", "_high")]


def _turn(leads: Leads, turn: int, level: float) -> dict[str, float]:
    """One line of `by_turn`."""
    lead, share, key = leads.at(turn)
    gap, won, owner = leads.ahead(turn)
    led = clustered.share(owner, won, level)
    line: dict[str, float] = {"turn": turn, "games": lead.size, "on": lead.size / max(1, len(leads.share))}
    line |= {"tied": 1 - gap.size / lead.size if lead.size else np.nan, "gap": np.median(gap) if gap.size else np.nan}
    line |= {"estimate": led.estimate, "low": led.low, "high": led.high, "n": led.n}
    for name, found in (("auc", auc(lead, share, key, level)), ("r", correlation(lead, share, key, level))):
        line |= {name: found.estimate, f"{name}_low": found.low, f"{name}_high": found.high}
    return line


def binned(leads: Leads, turn: int, bins: int = BINS, least: int = LEAST, level: float = LEVEL) -> pd.DataFrame:
    """Share of the games won by the side ahead, by how far it is ahead: bins of about equally many games.

    least: games to a bin, so that there are fewer bins of few games. Columns: start, end (least and greatest lead of a bin),
    middle (their median), estimate, low, high, n, effective.
    """
    gap, won, key = leads.ahead(turn)
    if not gap.size:
        return pd.DataFrame(columns=["start", "end", "middle", *clustered.COLUMNS])
    wanted = min(bins, max(1, gap.size // least))
    edges = np.unique(np.quantile(gap, np.arange(1, wanted + 1) / wanted, method="inverted_cdf"))
    place = np.searchsorted(edges, gap)
    found = clustered.shares(key, place, won, edges.size, level)
    parts = [gap[place == at] for at in range(edges.size)]
    ends = {"start": [part.min() for part in parts], "end": [part.max() for part in parts]}
    return found.assign(**ends, middle=[float(np.median(part)) for part in parts])


def edges_of(leads: Leads, turns: Sequence[int], bins: int = 5) -> Floats:
    """Upper ends of bins for the leads of several own turns together: round numbers, rising, the last one infinite."""
    gaps = np.concatenate([np.zeros(0), *(leads.ahead(turn)[0] for turn in turns)])
    if not gaps.size:
        return np.array([np.inf])
    ends = np.quantile(gaps, np.arange(1, bins) / bins)
    size = 10.0 ** np.floor(np.log10(ends) + UPWARDS) / 2
    return np.append(np.unique(np.rint(ends / size) * size), np.inf)


def surface(
    leads: Leads, turns: Sequence[int], edges: ArrayLike | None = None, least: int = LEAST, level: float = LEVEL
) -> pd.DataFrame:
    """Share of the games won by the side ahead, by own turn and by how far it is ahead; one line per turn and bin.

    edges: upper ends of the bins, rising, included; None: those of `edges_of`. Columns: turn, start, end, estimate, low, high
    (NaN in cells of fewer than `least` games), n.
    """
    ends = edges_of(leads, turns) if edges is None else np.asarray(edges, np.float64)
    if ends.ndim != 1 or not ends.size or np.any(np.diff(ends) <= 0):
        raise ValueError(f"edges={ends.tolist()} must be a row of rising numbers")
    starts = np.append(0.0, ends[:-1])
    tables = []
    for turn in turns:
        gap, won, key = leads.ahead(turn)
        inside = gap <= ends[-1]
        place = np.searchsorted(ends, gap[inside])
        found = clustered.shares(key[inside], place, won[inside], ends.size, level).drop(columns="effective")
        few = found["n"] < least
        found[["estimate", "low", "high"]] = found[["estimate", "low", "high"]].mask(few)
        tables.append(found.assign(turn=turn, start=starts, end=ends))
    columns = ["turn", "start", "end", "estimate", "low", "high", "n"]
    return pd.concat(tables, ignore_index=True)[columns] if tables else pd.DataFrame(columns=columns)


def flagged(flag: ArrayLike, share: ArrayLike, key: ArrayLike, level: float = LEVEL) -> Interval:
    """Share of the win of the seat that has a flag (drew the first blood), over games in which exactly one has it.

    flag: (games, 2); share: of the win of seat 0, (games,). NaN without such games.
    """
    has = np.asarray(flag, bool)
    one = has[:, 0] != has[:, 1]
    won = np.where(has[:, 0], np.asarray(share, np.float64), 1 - np.asarray(share, np.float64))
    return clustered.share(np.asarray(key)[one], won[one], level)
