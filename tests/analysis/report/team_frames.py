"""Synthetic tidy frames of the chart forms for games of teams."""

import numpy as np
import pandas as pd

PARTS = ("Amber Fox", "Basalt", "Cinder Witch", "Dune Walker", "Ember", "Frost Giant", "Gale", "Hollow Knight")
VERDICTS = ("too strong", "not decided", "fair", "fair", "fair", "fair", "not decided", "too weak")


def contributed(names: tuple[str, ...] = PARTS) -> pd.DataFrame:
    """Estimates from the best to the worst, with milder ones beside them; the last part has no estimate."""
    effect = np.linspace(0.08, -0.08, len(names))
    columns = {"name": names, "estimate": 0.5 + effect, "low": 0.49 + effect, "high": 0.51 + effect, "n": 24_000}
    columns |= {"other": 0.5 + effect / 2, "other_low": 0.488 + effect / 2, "other_high": 0.512 + effect / 2}
    frame = pd.DataFrame({**columns, "verdict": np.resize(VERDICTS, len(names))})
    frame.loc[len(names) - 1, ["estimate", "low", "high"]] = np.nan
    return frame


def together(names: tuple[str, ...] = PARTS) -> pd.DataFrame:
    """Interaction of every pair of parts; every fifth is significant."""
    cells = [(i, j) for i in range(len(names)) for j in range(len(names)) if i != j]
    value = [0.02 * np.sin(2.0 * (i + j) + i * j) for i, j in cells]
    rows = {"row": [names[i] for i, _ in cells], "column": [names[j] for _, j in cells]}
    return pd.DataFrame({**rows, "value": value, "sure": [(i + j) % 5 == 0 for i, j in cells], "n": 4_000})


TEAM_FRAMES = {"ranked": contributed, "terms": together}
