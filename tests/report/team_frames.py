"""Synthetic tidy frames of the chart forms for games of teams."""

import numpy as np
import pandas as pd

PARTS = ("Amber Fox", "Basalt", "Cinder Witch", "Dune Walker", "Ember", "Frost Giant", "Gale", "Hollow Knight")
VERDICTS = ("too strong", "not decided", "fair", "fair", "fair", "fair", "not decided", "too weak")


def contributed(names: tuple[str, ...] = PARTS) -> pd.DataFrame:
    """Estimates from the best to the worst, and milder ones beside them; the last has none of its own."""
    at = np.linspace(0.08, -0.08, len(names))
    columns = {"name": names, "estimate": 0.5 + at, "low": 0.49 + at, "high": 0.51 + at, "n": 24_000}
    columns |= {"other": 0.5 + at / 2, "other_low": 0.488 + at / 2, "other_high": 0.512 + at / 2}
    frame = pd.DataFrame({**columns, "verdict": np.resize(VERDICTS, len(names))})
    frame.loc[len(names) - 1, ["estimate", "low", "high"]] = np.nan
    return frame


def together(names: tuple[str, ...] = PARTS) -> pd.DataFrame:
    """What every two parts add to each other; every fifth is sure."""
    cells = [(i, j) for i in range(len(names)) for j in range(len(names)) if i != j]
    value = [0.02 * np.sin(2.0 * (i + j) + i * j) for i, j in cells]
    rows = {"row": [names[i] for i, _ in cells], "column": [names[j] for _, j in cells]}
    return pd.DataFrame({**rows, "value": value, "sure": [(i + j) % 5 == 0 for i, j in cells], "n": 4_000})


def drafted(names: tuple[str, ...] = PARTS) -> pd.DataFrame:
    """What each first pick is worth, and when each part goes; one is never picked."""
    at = np.arange(len(names))
    pick = np.where(at == 5, np.nan, 1 + 5 * at / max(1, len(names) - 1))
    columns = {"name": names, "value": 0.53 - 0.01 * at, "pick": pick, "seen": 1 + (3 * at) % 6, "taken": 1 - at / 10}
    return pd.DataFrame({**columns, "n": 16_000})


TEAM_FRAMES = {"ranked": contributed, "terms": together, "picks": drafted}
