"""How well winning chances foretell games that they were not fitted to: reliability, log loss, Brier score, AUC.

Rows of one game hang together: every interval is over games.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.amounts import rates
from analysis.estimates import LEVEL
from analysis.training.logistic import log_loss
from analysis.training.sample import Sample

Floats = NDArray[np.float64]

BINS = 10  # of the reliability table, each with as many rows


def scores(guesses: Mapping[str, Floats], sample: Sample, level: float = LEVEL) -> pd.DataFrame:
    """A line for each judgement, the first being what the others are held against.

    guesses: judgement -> chance of each row. Columns: judgement, log_loss, low, high, worse (log loss above that of the first),
    worse_low, worse_high, brier (mean squared error: Brier 1950, Monthly Weather Review 78:1-3), auc (chance that of a won and a
    lost row the won one was judged higher: 0.5 tells nothing), off (mean distance of a bin's share from its mean chance), n
    (games).
    """
    first = log_loss(next(iter(guesses.values())), sample.share)
    lines = []
    for name, chance in guesses.items():
        loss = log_loss(chance, sample.share)
        own, more = (_mean(sample, values, level) for values in (loss, loss - first))
        lines.append(
            {"judgement": name, "log_loss": own["estimate"], "low": own["low"], "high": own["high"]}
            | {"worse": more["estimate"], "worse_low": more["low"], "worse_high": more["high"]}
            | {"brier": float(((chance - sample.share) ** 2).mean()), "auc": auc(chance, sample.share)}
            | {"off": _off(reliability(chance, sample, level)), "n": int(own["n"])}
        )
    return pd.DataFrame(lines)


def reliability(chance: Floats, sample: Sample, level: float = LEVEL, bins: int = BINS) -> pd.DataFrame:
    """How often a chance came true, by tenths of the rows in the order of their chance.

    Columns: chance (mean), estimate, low, high (share of the win; see `amounts.rates`), n (games), rows. A judgement is
    reliable where `chance` lies between low and high; bounds are NaN where one game alone tells. Bins that equal chances leave
    empty are left out.
    """
    edges = np.unique(np.quantile(chance, np.arange(1, bins) / bins))
    place = np.searchsorted(edges, chance, side="right")
    found = rates(sample.game, place, sample.share, np.ones(len(chance)), level)
    rows = np.bincount(place, minlength=len(found)).astype(np.int64)
    mean = np.bincount(place, chance, len(found)) / np.maximum(rows, 1)
    table = found[["estimate", "low", "high", "n"]].assign(chance=mean, rows=rows)
    table[["low", "high"]] = table[["low", "high"]].clip(0, 1)
    return table.loc[rows > 0, ["chance", "estimate", "low", "high", "n", "rows"]].reset_index(drop=True)


def auc(chance: Floats, share: Floats) -> float:
    """Area under the ROC curve by ranks (Mann-Whitney); a shared win counts as won and lost in these parts.

    NaN where all are won, or lost.
    """
    values, place = np.unique(chance, return_inverse=True)
    won, lost = (np.bincount(place, weights, len(values)) for weights in (share, 1 - share))
    below = np.cumsum(lost) - lost
    pairs = won.sum() * lost.sum()
    return float(won @ (below + lost / 2) / pairs) if pairs > 0 else float("nan")


def _mean(sample: Sample, values: Floats, level: float) -> pd.Series:
    """Mean of a value over the rows, with its interval over games."""
    group = np.zeros(len(values), np.int64)
    return rates(sample.game, group, values, np.ones(len(values)), level).iloc[0]


def _off(table: pd.DataFrame) -> float:
    """Mean distance of what came true from what was said, bins weighing as their rows."""
    return float(np.average((table["estimate"] - table["chance"]).abs(), weights=table["rows"]))
