"""Synthetic tidy frames of the chart forms for levels of play."""

from collections.abc import Callable

import numpy as np
import pandas as pd

LEVELS = ("random", "greedy:4", "search:50", "search:200")
RATES = {  # by level
    "Amber Fox": (0.62, 0.55, 0.44, 0.38),
    "Basalt": (0.41, 0.48, 0.55, 0.57),
    "Cinder Witch": (0.44, 0.56, 0.50, 0.43),
    "Dune Walker": (0.53, 0.47, 0.49, 0.51),
    "Ember": (0.50, 0.44, 0.52, 0.55),
}
TURNS = {"Amber Fox": -1, "Basalt": 1, "Cinder Witch": 2}
GAMES = 1600


def rungs() -> pd.DataFrame:
    elo = np.array([-430.0, 40.0, 130.0, 260.0])
    rate = np.array([np.nan, 0.94, 0.58, 0.66])
    bounds = {"rate_low": rate - 0.03, "rate_high": rate + 0.03, "elo_low": elo - 25, "elo_high": elo + 25}
    return pd.DataFrame({"name": LEVELS, "elo": elo, "rate": rate, **bounds, "n": [np.nan, 1000, 1000, 400]})


def levels(names: tuple[str, ...] = tuple(RATES)) -> pd.DataFrame:
    rows = []
    for place, name in enumerate(names):
        known = tuple(RATES)[place % len(RATES)]
        for level, rate in zip(LEVELS, RATES[known], strict=True):
            side = int(np.sign(round(rate - 0.5, 2))) * (abs(rate - 0.5) > 0.03)
            line = {"level": level, "name": name, "estimate": rate, "low": rate - 0.025, "high": rate + 0.025}
            rows.append({**line, "n": GAMES, "fair": 0.5, "side": side, "turns": TURNS.get(known, 0)})
    return pd.DataFrame(rows)


LEVEL_FRAMES: dict[str, Callable[..., pd.DataFrame]] = {"rungs": rungs, "levels": levels}
