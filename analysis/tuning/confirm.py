"""The re-test: games of a seed that had no part in the search, with the cards as they are and as proposed, analysed as pairs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import amounts, clustered
from analysis.compare import Shares
from analysis.estimates import LEVEL
from analysis.tuning.cells import Cells
from analysis.tuning.goal import Aim
from analysis.verdicts import FAIR, UNFAIR, score, within
from sim.experiment import Experiment

Floats = NDArray[np.float64]

SURELY, PROBABLY, SHORT = "in", "probably in", "short"
SLIGHTLY = "probably short"


def won_shares(shares: Shares) -> tuple[Floats, NDArray[np.bool_]]:
    """Shares of the win that sum to 1, (games, seats), and the games that somebody won."""
    total = shares.share.sum(axis=1, dtype=np.float64)
    won = total > 0
    return np.divide(shares.share, total[:, None], out=np.zeros(shares.share.shape), where=won[:, None]), won


def retested(
    base: Experiment, cells: Cells, before: Shares, after: Shares, band: tuple[float, float], level: float = LEVEL
) -> pd.DataFrame:
    """Win rates of the units before and after in the same games, one line each in the order of the card file.

    band: lowest and highest win rate wanted. Columns: id, name, before, before_low, before_high, after, after_low, after_high
    (`clustered.shares` over pairs), n (games after), change, low, high (paired: mean difference by unit over pairs of games,
    linearised, see `amounts.rates`), p_beyond and verdict (against the band wanted: see `verdicts.within`), place: "in" (fair),
    "short" (too strong, too weak), else "probably in" or "probably short" by the estimate. Games that nobody won are left out.
    """
    b, won_before = won_shares(before)
    a, won_after = won_shares(after)
    key = _clusters(base, len(b))
    found: dict[str, object] = {"id": list(cells.ids), "name": list(cells.names)}
    for word, share, won, games in (("before", b, won_before, before), ("after", a, won_after, after)):
        lines = _lines(cells, games, share, won, key)
        table = clustered.shares(*lines, cells.units, level)
        told = within(table, score(table["estimate"], table["effective"]), *band)
        found |= {word: table["estimate"], f"{word}_low": table["low"], f"{word}_high": table["high"], "n": table["n"]}
    if np.array_equal(before.entrant, after.entrant):
        both = won_before & won_after
        keys, units, change = _lines(cells, before, a - b, both, key)
        table = amounts.rates(keys, units, change, np.ones(len(change)), level).reindex(range(cells.units))
        found |= {"change": table["estimate"], "low": table["low"], "high": table["high"]}
    else:
        found |= dict.fromkeys(("change", "low", "high"), np.nan)
    frame = pd.DataFrame(found)
    inside = (frame["after"] >= band[0]) & (frame["after"] <= band[1])
    known = [told["verdict"] == FAIR, told["verdict"].isin(UNFAIR), inside]
    where = np.select(known, [SURELY, SHORT, PROBABLY], SLIGHTLY)
    return frame.assign(p_beyond=told["p_beyond"], verdict=told["verdict"], place=where)


def place(estimate: float, low: float, high: float, band: tuple[float, float]) -> str:
    """Where an interval lies against a band."""
    if band[0] <= low and high <= band[1]:
        return SURELY
    if high < band[0] or low > band[1]:
        return SHORT
    return PROBABLY if band[0] <= estimate <= band[1] else SLIGHTLY


def _clusters(base: Experiment, games: int) -> NDArray[np.int64]:
    """What hangs together: rounds of teams, else pairs of games with the same dice."""
    index = np.arange(games)
    return base.round_of(index) if base.teams is not None else base.pair_of(index)


def _lines(
    cells: Cells, games: Shares, value: Floats, kept: NDArray[np.bool_], key: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Cluster, unit and value of every place of the games kept."""
    units = cells.units_of(replace(games, share=value.astype(np.float32)))
    places = units.entrant.shape[1]
    spread = np.repeat(value[kept], places // value.shape[1], axis=1)
    return np.repeat(key[kept], places), units.entrant[kept].astype(np.int64).ravel(), spread.ravel()


def outputs_of(aim: Aim, cells: Cells, shares: Shares) -> tuple[Floats, Floats]:
    """Outputs of an aim in some games and their standard errors, taking games for independent, (outputs,) both."""
    counts = cells.count(shares)
    rate = np.nan_to_num(counts.rate, nan=0.5)
    variance = rate * (1 - rate) / np.maximum(counts.n - 1, 1)
    return aim.outputs(rate), np.sqrt((aim.mixing**2) @ variance)


def distance(aim: Aim, outputs: Floats, error: Floats | float = 0.0) -> float:
    """Root mean square distance of outputs from the middle of the aim, with what chance adds taken out."""
    return float(np.sqrt(max(0.0, float(np.mean((outputs - aim.middle) ** 2 - np.asarray(error) ** 2)))))


def farthest(aim: Aim, outputs: Floats) -> float:
    """How far the farthest output is from the middle of the aim."""
    return float(np.abs(outputs - aim.middle).max())
