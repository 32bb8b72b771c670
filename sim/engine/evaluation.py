"""Judging positions by weights: a game's features, weighed, give the winning chance that `evaluate` says.

The weights are fitted by logistic regression on the outcomes of games (`fairfight train GAME`) and kept in `weights.toml`
beside the card file. They are data like the cards: part of the CARDS record, so that other weights recompile nothing.
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
FITTED, BASELINE = "fitted", "baseline"
SURE = 30.0  # log-odds beyond which a chance is 0 or 1 for all that a judgement can say
_HALVINGS, _PARTS = 8, 256.0  # 2**8


@kernel
def chance_of(features: tuple[float, ...], weights: np.ndarray) -> float:
    """Winning chance, 0..1, as a logistic model gives it. weights: (at least as many as features,) log-odds for 1 of each."""
    total = 0.0
    for k in range(len(features)):
        total += weights[k] * features[k]
    return float(logistic(total))


@kernel
def logistic(x: float) -> float:
    """1 / (1 + exp(-x)) to within 1e-9, by sums and products alone, so that every machine gives the same bits."""
    size = min(abs(x), SURE) / _PARTS
    power = 1.0 - size * (1.0 - size / 2.0 * (1.0 - size / 3.0 * (1.0 - size / 4.0)))
    for _ in range(_HALVINGS):
        power *= power
    return 1.0 / (1.0 + power) if x >= 0 else power / (1.0 + power)


def weights_dtype(features: Sequence[str]) -> list[tuple[Any, ...]]:
    """The fields of a CARDS record that hold a judgement: by number of seats less 1 and feature, in log-odds."""
    shape = (SEATS_MAX, len(features))
    return [("weight", np.float64, shape), ("weight_baseline", np.float64, shape)]


def write_weights(record: np.void, folder: Path, features: Sequence[str]) -> None:
    """Write the weights of a game's own judgement file into a CARDS record."""
    judgement = read_weights(folder / FILE_NAME)
    record["weight"] = weight_table(judgement[FITTED], features)
    record["weight_baseline"] = weight_table(judgement[BASELINE], features)


@cache
def read_weights(path: Path) -> dict[str, Any]:
    """The content of a judgement file that comes with a game."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def weight_table(by_seats: Mapping[str, Mapping[str, float]], features: Sequence[str]) -> np.ndarray:
    """Weights as the kernels read them, (SEATS_MAX, features). by_seats: number of seats -> feature -> weight.

    Raises ValueError where a feature is missing or not known.
    """
    table = np.zeros((SEATS_MAX, len(features)))
    for seats, weights in by_seats.items():
        if set(weights) != set(features):
            raise ValueError(f"seats {seats}: weights of {sorted(weights)} must be of {sorted(features)}")
        table[int(seats) - 1] = [weights[name] for name in features]
    return table
