"""Synthetic tidy frames of the chart forms for contests: shares, pairs of dots, life curves, levels of play."""

from collections.abc import Callable

import numpy as np
import pandas as pd

PARTS = (
    *("Amber Fox", "Basalt", "Cinder Witch", "Dune Walker", "Ember", "Frost Giant", "Gale", "Hollow Knight"),
    *("Iron Bell", "Jackdaw", "Kelpie", "Lantern"),
)
GAMES = 4200


def bounded(rate: float, n: int, name: str = "") -> dict[str, float]:
    """Normal bounds of a share, with a prefix."""
    half, before = 1.96 * (max(rate * (1 - rate), 0.002) / n) ** 0.5, f"{name}_" if name else ""
    return {f"{before}low": max(0.0, rate - half), f"{before}high": min(1.0, rate + half)}


def pieces() -> pd.DataFrame:
    names = ("on whom it faced", "spilled once", "spilled twice", "blocked", "lost beyond the last life", "cancelled")
    values = (0.41, 0.11, 0.02, 0.36, 0.085, 0.015)
    rows = [{"name": name, "estimate": rate, **bounded(rate, GAMES)} for name, rate in zip(names, values, strict=True)]
    return pd.DataFrame(rows).assign(n=GAMES)


LEVELS = ("random", "greedy:4", "search:50", "search:200")
RATES = {  # by level, and the direction in which the entrant flips
    "Amber Fox": (0.62, 0.55, 0.44, 0.38, -1),
    "Basalt": (0.41, 0.48, 0.55, 0.57, 1),
    "Cinder Witch": (0.44, 0.56, 0.50, 0.43, 2),
    "Dune Walker": (0.53, 0.47, 0.49, 0.51, 0),
    "Ember": (0.50, 0.44, 0.52, 0.55, 0),
}


def rungs() -> pd.DataFrame:
    elo, rate = np.array([-430.0, 40.0, 130.0, 260.0]), np.array([np.nan, 0.94, 0.58, 0.66])
    bounds = {"rate_low": rate - 0.03, "rate_high": rate + 0.03, "elo_low": elo - 25, "elo_high": elo + 25}
    return pd.DataFrame({"name": LEVELS, "elo": elo, "rate": rate, **bounds, "n": [np.nan, 1000, 1000, 400]})


def levels(names: tuple[str, ...] = tuple(RATES)) -> pd.DataFrame:
    rows = []
    for place, name in enumerate(names):
        *rates, turns = RATES[tuple(RATES)[place % len(RATES)]]
        for level, rate in zip(LEVELS, rates, strict=True):
            side = int(np.sign(round(rate - 0.5, 2))) * (abs(rate - 0.5) > 0.03)
            line = {"level": level, "name": name, "estimate": rate, "low": rate - 0.025, "high": rate + 0.025}
            rows.append({**line, "n": 1600, "fair": 0.5, "side": side, "turns": turns})
    return pd.DataFrame(rows)


def pairs() -> pd.DataFrame:
    rows = []
    for index, name in enumerate(PARTS[:8]):
        first, second, change = 0.2 + 0.05 * index, 0.35 - 0.03 * index, 0.06 * np.sin(1.3 * index)
        line = {"name": f"{name}: signal" if index == 3 else name, "first": first, **bounded(first, 800, "first")}
        line |= {"second": second, **bounded(second, 800, "second"), "n": 800 + 311 * index}
        half = 0.02 + 0.002 * index
        rows.append(line | {"change": change, "change_low": change - half, "change_high": change + half})
    return pd.DataFrame(rows)


def lives() -> pd.DataFrame:
    rows = []
    for line, fall in (("winners", 0.55), ("losers", 0.95)):
        for x in range(1, 23):
            mean = max(18 - fall * x, 1.0)
            on = float(np.clip(1.2 - 0.05 * x, 0.02, 1))
            spread = 1.5 + 0.12 * x
            low, high = max(0.0, mean - spread), min(18.0, mean + spread)
            rows.append({"line": line, "x": x, "mean": mean, "low": low, "high": high, "n": int(GAMES * on), "on": on})
    return pd.DataFrame(rows)


CONTEST_FRAMES: dict[str, Callable[..., pd.DataFrame]] = {
    "dumbbell": pairs,
    "shares": pieces,
    "bands": lives,
    "rungs": rungs,
    "levels": levels,
}
