"""Synthetic tidy frames of the chart forms for quantities and curves of entrants."""

from collections.abc import Callable

import numpy as np
import pandas as pd

DECKS = ("Eva Starter", "Romin Starter", "Ailment Pressure", "Erosion")


def quantities(names: tuple[str, ...] = DECKS) -> pd.DataFrame:
    rows = []
    things = ("blocks per game", "damage prevented per block", "hits stopped per game", "answers given per game")
    for step, name in enumerate((*things, "light wasted per game")):
        for index, entrant in enumerate(names):
            value = (3.5, 4.2, 0.8, 1.1, 140.0)[step] * (1 + 0.4 * np.sin(2.3 * index + step))
            rows.append((name, entrant, value, 0.96 * value, 1.04 * value, 2000))
    return pd.DataFrame(rows, columns=["panel", "name", "estimate", "low", "high", "n"])


def runs(names: tuple[str, ...] = DECKS, turns: int = 18) -> pd.DataFrame:
    parts = []
    for index, name in enumerate(names):
        x = np.arange(1, turns + 1 - index)
        mean = 6 * (1 - np.exp(-x / (4 + index))) * (1.2 - 0.2 * index)
        low, high = np.floor(0.4 * mean), np.ceil(1.5 * mean)
        parts.append(pd.DataFrame({"line": name, "x": x, "mean": mean, "low": low, "high": high, "n": 2000 - 90 * x}))
    return pd.concat(parts, ignore_index=True)


DUEL_FRAMES: dict[str, Callable[..., pd.DataFrame]] = {"dots": quantities, "strips": runs}
