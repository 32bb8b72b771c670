"""Synthetic tidy frames for the forms that show what duels are made of: quantities, curves and ranks of entrants."""

from collections.abc import Callable

import numpy as np
import pandas as pd

DECKS = ("Eva Starter", "Romin Starter", "Ailment Pressure", "Erosion")


def quantities(names: tuple[str, ...] = DECKS) -> pd.DataFrame:
    rows = []
    things = ("blocks per game", "damage prevented per block", "hits stopped per game", "answers given per game")
    for step, thing in enumerate((*things, "light wasted per game")):
        for at, name in enumerate(names):
            value = (3.5, 4.2, 0.8, 1.1, 140.0)[step] * (1 + 0.4 * np.sin(2.3 * at + step))
            rows.append((thing, name, value, 0.96 * value, 1.04 * value, 2000))
    return pd.DataFrame(rows, columns=["panel", "name", "estimate", "low", "high", "n"])


def runs(names: tuple[str, ...] = DECKS, turns: int = 18) -> pd.DataFrame:
    parts = []
    for at, name in enumerate(names):
        x = np.arange(1, turns + 1 - at)
        mean = 6 * (1 - np.exp(-x / (4 + at))) * (1.2 - 0.2 * at)
        low, high = np.floor(0.4 * mean), np.ceil(1.5 * mean)
        parts.append(pd.DataFrame({"line": name, "x": x, "mean": mean, "low": low, "high": high, "n": 2000 - 90 * x}))
    return pd.concat(parts, ignore_index=True)


def orders(names: tuple[str, ...] = DECKS) -> pd.DataFrame:
    rows = []
    tags = ("as played", "deck out: on need", "answer on: any card", "pierce barrier: ignores", "own targets: off")
    for step, tag in enumerate(tags):
        share = 0.56 - 0.04 * np.arange(len(names)) + 0.035 * np.cos(1.9 * np.arange(len(names)) * step) * (step > 0)
        rank = np.argsort(np.argsort(-share, kind="stable"), kind="stable") + 1
        for at, name in enumerate(names):
            rows.append((tag, name, int(rank[at]), float(share[at]), 2000, bool(step > 2)))
    return pd.DataFrame(rows, columns=["variant", "name", "rank", "estimate", "n", "sure"])


DUEL_FRAMES: dict[str, Callable[..., pd.DataFrame]] = {"dots": quantities, "strips": runs, "ranks": orders}
