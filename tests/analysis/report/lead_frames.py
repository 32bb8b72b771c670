"""Synthetic tidy frames of the chart forms for leads, growth, going first and lengths by pairing."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats
from scipy.special import expit

DECKS = ("Soldier Line", "Beast Rush", "Undead Attrition", "Fae Tricks")
GAMES = 4200


def wilson(rate: np.ndarray, n: int) -> dict[str, np.ndarray]:
    half = 1.96 * np.sqrt(np.clip(rate * (1 - rate), 0.001, None) / n)
    return {"low": np.clip(rate - half, 0, 1), "high": np.clip(rate + half, 0, 1)}


def fits(turns: tuple[int, ...] = (3, 5, 8, 12)) -> pd.DataFrame:
    parts = []
    for turn in turns:
        x = np.linspace(0, 450 * turn**0.9, 41)
        slope = 0.0006 + 0.003 / turn
        ends = {"estimate": expit(slope * x), "low": expit(0.9 * slope * x), "high": expit(1.1 * slope * x)}
        parts.append(pd.DataFrame({"line": f"own turn {turn}", "x": x, **ends, "n": GAMES - 300 * turn}))
    return pd.concat(parts, ignore_index=True)


def bins(turn: int = 5, slope: float = 0.0012) -> pd.DataFrame:
    middle = np.array([60.0, 180, 320, 480, 650, 860, 1150, 1700])
    rate = expit(slope * middle) + 0.01 * np.sin(middle)
    return pd.DataFrame({"middle": middle, "estimate": rate, **wilson(rate, 330), "n": 330})


def cells(turns: int = 14) -> pd.DataFrame:
    rows = []
    names = ("up to 150", "150 to 400", "400 to 800", "800 to 1,500", "over 1,500")
    for index, name in enumerate(names):
        for turn in range(1, turns + 1):
            n = max(0, int(900 - 120 * abs(index - 0.35 * turn) - 30 * turn))
            rate = np.array(0.51 + 0.09 * index - 0.006 * turn)
            line = {"row": name, "column": str(turn), "estimate": float(rate), "n": n}
            ends = wilson(rate, max(1, n))
            known = n >= 30
            line |= {key: float(value) for key, value in ends.items()}
            rows.append(line if known else line | {"estimate": np.nan, "low": np.nan, "high": np.nan})
    return pd.DataFrame(rows)


def levels(turns: int = 18) -> pd.DataFrame:
    x = np.arange(1, turns + 1)
    median = np.floor(1 + 0.35 * x + 0.012 * x**2)
    spread = 1 + x // 5
    return pd.DataFrame(
        {"x": x, "median": median, "low": (median - spread).clip(1), "high": median + spread, "n": 9000 - 450 * x}
    )


def made(turns: int = 18, names: tuple[str, ...] = ("each turn", "cards played", "kills")) -> pd.DataFrame:
    x = np.arange(1, turns + 1)
    rates = (300 * x, 190.0 * x + 4 * x**2, 14.0 * x**1.9, 6.0 * x)
    parts = [pd.DataFrame({"x": x, "name": name, "mean": rate}) for name, rate in zip(names, rates, strict=False)]
    return pd.concat(parts, ignore_index=True)


def pairings(names: tuple[str, ...] = DECKS) -> pd.DataFrame:
    rows = [{"name": "all pairings", "estimate": 0.521, "low": 0.512, "high": 0.530, "n": 12000, "sure": True, "whole": True}]
    for index, (first, second) in enumerate(combinations(names, 2)):
        rate = np.array(0.5 + 0.06 * np.cos(1.7 * index))
        ends = {key: float(value) for key, value in wilson(rate, 2000).items()}
        line = {"name": f"{first} \u2013 {second}", "estimate": float(rate), **ends, "n": 2000, "whole": False}
        rows.append(line | {"sure": not ends["low"] <= 0.5 <= ends["high"]})
    return pd.DataFrame(rows)


def durations(names: tuple[str, ...] = DECKS) -> pd.DataFrame:
    parts = []
    for index, (first, second) in enumerate(combinations(names, 2)):
        turns = np.arange(5, 90)
        truncated = 0.004 * (index % 2)
        share = stats.gamma.cdf(turns - 4, 4 + index / 3, scale=4 + 0.7 * index) * (1 - truncated)
        columns = {"panel": f"{first} \u2013 {second}", "turns": turns, "estimate": share, "n": 2000, "truncated": truncated}
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


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


LEAD_FRAMES: dict[str, Callable[..., pd.DataFrame]] = {
    "leads": fits,
    "surface": cells,
    "growth": levels,
    "halves": pairings,
    "lengths": durations,
    "reliability": calibrations,
}
