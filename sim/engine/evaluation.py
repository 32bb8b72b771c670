"""Evaluation of positions: `evaluate` computes the winning chance from a game's weighted features.

The weights are fitted by logistic regression on the outcomes of games (`fairfight train GAME`) and stored in `weights.toml`
beside the card file. Like the cards, they are data in the CARDS record: new weights need no recompilation.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.dice import SEATS_MAX
from sim.engine.jit import kernel

FILE_NAME = "weights.toml"
FEATURES_MAX = 256  # of a game
FITTED, BASELINE = "fitted", "baseline"
SURE = 30.0  # log-odds are clipped here: the chance is 0 or 1 for all practical purposes
_HALVINGS, _PARTS = 8, 256.0  # 2**8


@kernel
def chance_of(features: np.ndarray, weights: np.ndarray) -> float:
    """Return the winning chance, 0..1, of a logistic model. weights: (at least len(features),) log-odds per unit of a feature."""
    total = 0.0
    for k in range(len(features)):
        if features[k] != 0.0:  # each addition waits for the one before, and many features are 0
            total += weights[k] * features[k]
    return float(logistic(total))


@kernel
def chances_of(features: np.ndarray, weights: np.ndarray, count: int, chances: np.ndarray) -> None:
    """Write `chance_of` for many rows of features, several of which the processor works out at once; the bits are the same.

    features: (features, at least count), a column for each row; chances: (at least count,), overwritten.
    """
    for i in range(count):
        chances[i] = 0.0
    for k in range(len(features)):
        weight, column = weights[k], features[k]
        for i in range(count):
            chances[i] += weight * column[i]
    for i in range(count):
        chances[i] = logistic(chances[i])


@kernel
def logistic(x: float) -> float:
    """Return 1 / (1 + exp(-x)) to within 1e-9. Uses sums and products only, so every machine gives the same bits."""
    size = min(abs(x), SURE) / _PARTS
    power = 1.0 - size * (1.0 - size / 2.0 * (1.0 - size / 3.0 * (1.0 - size / 4.0)))
    for _ in range(_HALVINGS):
        power *= power
    return 1.0 / (1.0 + power) if x >= 0 else power / (1.0 + power)


def weights_dtype(features: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return the weight fields of a CARDS record: by number of seats minus 1 and feature, in log-odds; none without features."""
    if not features:
        return []
    shape = (SEATS_MAX, len(features))
    return [("weight", np.float64, shape), ("weight_baseline", np.float64, shape)]


def write_weights(record: np.void, folder: Path, features: Sequence[str]) -> None:
    """Write the weights of a game's `weights.toml` into a CARDS record. Weights that were never fitted are the baseline."""
    if not features:
        return
    weights = read_weights(folder / FILE_NAME)
    record["weight"] = weight_table(weights.get(FITTED, weights[BASELINE]), features)
    record["weight_baseline"] = weight_table(weights[BASELINE], features)


@cache
def read_weights(path: Path) -> dict[str, Any]:
    """Return the content of a game's weights file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def weight_table(by_seats: Mapping[str, Mapping[str, float]], features: Sequence[str]) -> np.ndarray:
    """Return weights as the kernels read them, (SEATS_MAX, features). by_seats: number of seats -> feature -> weight.

    Raises ValueError if a feature is missing or unknown.
    """
    table = np.zeros((SEATS_MAX, len(features)))
    for seats, weights in by_seats.items():
        if set(weights) != set(features):
            raise ValueError(f"seats {seats}: the weights {sorted(weights)} must be {sorted(features)}")
        table[int(seats) - 1] = [weights[name] for name in features]
    return table
