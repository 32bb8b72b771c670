"""Synthetic tidy frames of the chart form for loadouts."""

import numpy as np
import pandas as pd

DECKS = ("Amber Fox", "Basalt", "Cinder Witch")
HEROES = ("Eva", "Romin")
WAYS = ("Talaka's Heart, Kindle", "Talaka's Heart, Flame of Nim", "Striking Stance, Kindle", "Striking Stance, Flame of Nim")


def brought(names: tuple[str, ...] = DECKS, n: int = 6_000) -> pd.DataFrame:
    """Every deck with each of eight loadouts; its own is the first loadout of a hero."""
    parts = []
    for index, name in enumerate(names):
        rate = 0.5 + 0.06 * np.sin(1.7 * np.arange(len(HEROES) * len(WAYS)) + index)
        is_own = np.arange(len(rate)) == len(WAYS) * (index % 2)
        change = rate - rate[is_own][0]
        columns = {"panel": name, "group": np.repeat(HEROES, len(WAYS)), "name": np.tile(WAYS, len(HEROES))}
        columns |= {"estimate": rate, "low": rate - 0.0127, "high": rate + 0.0127, "change": change, "n": n, "own": is_own}
        parts.append(pd.DataFrame({**columns, "sure": abs(change) > 0.03}))
    return pd.concat(parts, ignore_index=True)


LOADOUT_FRAMES = {"choices": brought}
