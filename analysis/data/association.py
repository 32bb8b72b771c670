"""What goes together with winning: amounts of two sides, and the turn of an event."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from analysis.answer.numbers import count
from analysis.data.facts import Values
from analysis.data.rows import share
from analysis.stats.intervals import LEVEL, proportions
from sim.experiments.experiment import Experiment

SEATS, EVEN = 2, 0.5
LEAST = 30  # games in which the sides differ, at least
LEAST_BIN = 20  # seats in a bin
NEVER = "never"

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def with_more(values: Values, value: Floats, experiment: Experiment) -> dict[str, float]:
    """At two seats: win rate of the side with more of something, and change of the win share with one more; else empty.

    value: by row of the finished games; experiment: that played them. Columns: more, more_low, more_high (Wilson; games with
    shared dice that agree more than by chance count as fewer), more_n, change, change_low, change_high (least squares within
    pairings of the same two entrants, with errors by clusters), p. nan if too few games differ.
    """
    if experiment.seats != SEATS or not len(value):
        return {}
    games = np.unique(values.game).size
    both = value.reshape(games, SEATS, -1).sum(axis=2)
    entrant = values.entrant.reshape(games, SEATS, -1)[:, :, 0]
    won = values.share.reshape(games, SEATS, -1)[:, 0, 0]
    key = experiment.pair_of(values.game.reshape(games, -1)[:, 0])
    gap = both[:, 0] - both[:, 1]
    apart = gap != 0
    names = ("more", "more_low", "more_high", "change", "change_low", "change_high", "p")
    if apart.sum() < LEAST:
        return {**dict.fromkeys(names, float("nan")), "more_n": int(apart.sum())}
    better = share(key[apart], np.where(gap > 0, won, 1 - won)[apart])
    low, high = np.sort(entrant, axis=1).T
    change, error = slope(gap, won, low * (high.max() + 1) + high, entrant[:, 0] > entrant[:, 1], key)
    half = float(scipy.stats.norm.ppf((1 + LEVEL) / 2)) * error
    p = float(2 * scipy.stats.norm.sf(abs(change) / error)) if error > 0 else 1.0
    found = (better.estimate, better.low, better.high, change, change - half, change + half, p)
    return {**dict(zip(names, found, strict=True)), "more_n": better.n}


def slope(gap: Floats, won: Floats, pairing: Ints, turned: NDArray[np.bool_], key: Ints) -> tuple[float, float]:
    """Least squares slope of the win share on the gap within pairings, and its error by clusters (Liang and Zeger 1986).

    Every game is viewed from the side of the earlier entrant of its pairing, and both variables are centred within pairings, so
    that the strength of the entrants has no effect. turned: the later entrant has seat 0; key: games with shared dice.
    """
    side = np.where(turned, -1.0, 1.0)
    group = np.unique(pairing, return_inverse=True)[1]
    size = np.bincount(group)
    x, y = (values - (np.bincount(group, values) / size)[group] for values in (side * gap, side * (won - EVEN)))
    square = float(x @ x)
    if not square:
        return float("nan"), float("nan")
    change = float(x @ y) / square
    scores = np.bincount(np.unique(key, return_inverse=True)[1], x * (y - change * x))
    return change, float(np.sqrt(scores @ scores)) / square


def binned_wins(when: Floats, share: Floats, bins: int, least: int = LEAST_BIN) -> pd.DataFrame:
    """Win share by bins of a turn that hold about equal numbers of seats, of at least `least` if there are several.

    when: turn, infinite if never; share: of the win, by seat. Columns: bin (words; NEVER is the last), middle (median turn of the
    bin, NaN for NEVER), estimate, low, high (Wilson), n. Bins without seats are left out.
    """
    dated = np.isfinite(when)
    bins = min(bins, max(1, int(dated.sum()) // least))
    edges = np.zeros(0)
    if dated.any():
        edges = np.unique(np.quantile(when[dated], np.arange(1, bins + 1) / bins, method="inverted_cdf"))
    place, size = np.searchsorted(edges, when), len(edges) + 1
    n, wins = np.bincount(place, minlength=size), np.bincount(place, share, size)
    facts: dict[str, list[Any]] = {"bin": [], "middle": []}
    for part in (when[place == index] for index in range(size - 1)):
        low, high = count(part.min()), count(part.max())
        facts["bin"].append(low if low == high else f"{low} to {high}")
        facts["middle"].append(float(np.median(part)))
    found = proportions(wins.clip(0, n), n).assign(bin=[*facts["bin"], NEVER], middle=[*facts["middle"], np.nan])
    return found[found["n"] > 0].reset_index(drop=True)
