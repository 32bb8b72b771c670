"""Synthetic tidy frames of the chart forms for going first by pairing and for trust in forecasts."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pandas as pd

DECKS = ("Soldier Line", "Beast Rush", "Undead Attrition", "Fae Tricks")
GAMES = 4200


def wilson(rate: np.ndarray, n: int) -> dict[str, np.ndarray]:
    half = 1.96 * np.sqrt(np.clip(rate * (1 - rate), 0.001, None) / n)
    return {"low": np.clip(rate - half, 0, 1), "high": np.clip(rate + half, 0, 1)}


def pairings(names: tuple[str, ...] = DECKS) -> pd.DataFrame:
    rows = [{"name": "all pairings", "estimate": 0.521, "low": 0.512, "high": 0.530, "n": 12000, "sure": True, "whole": True}]
    for index, (first, second) in enumerate(combinations(names, 2)):
        rate = np.array(0.5 + 0.06 * np.cos(1.7 * index))
        ends = {key: float(value) for key, value in wilson(rate, 2000).items()}
        line = {"name": f"{first} \u2013 {second}", "estimate": float(rate), **ends, "n": 2000, "whole": False}
        rows.append(line | {"sure": not ends["low"] <= 0.5 <= ends["high"]})
    return pd.DataFrame(rows)


def calibrations(seats: tuple[int, ...] = (2, 3)) -> pd.DataFrame:
    rows = []
    for number in seats:
        for name, steep in (("fitted", 1.0), ("before", 0.7), ("by hand", 1.35)):
            for tenth in range(10):
                forecast = (tenth + 0.5) / 10
                true = 1 / (1 + (1 / forecast - 1) ** steep)
                ends = {"low": max(0.0, true - 0.03), "high": min(1.0, true + 0.03)}
                line = {"seats": number, "evaluation": name, "chance": forecast, "estimate": true, "n": 1500}
                rows.append(line | ends)
    return pd.DataFrame(rows)


LEAD_FRAMES: dict[str, Callable[..., pd.DataFrame]] = {"halves": pairings, "reliability": calibrations}
