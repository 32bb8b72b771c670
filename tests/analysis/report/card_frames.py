"""Synthetic tidy frames of the chart forms for cards."""

import numpy as np
import pandas as pd

CARDS = ("Amber Fox", "Basalt", "Cinder Witch", "Dune Walker", "Ember", "Frost Giant", "Gale", "Hollow Knight")


def carried(names: tuple[str, ...] = CARDS) -> pd.DataFrame:
    """Effect of each card from the best to the worst, and its correlation with winning; the last card was not replaced."""
    effect = np.linspace(0.07, -0.05, len(names))
    beside = 0.09 * np.cos(np.arange(len(names)))
    columns = {
        "name": names,
        "estimate": effect,
        "low": effect - 0.012,
        "high": effect + 0.012,
        "n": 6_000,
        "sure": abs(effect) > 0.02,
    }
    frame = pd.DataFrame({**columns, "other": beside, "other_low": beside - 0.03, "other_high": beside + 0.03})
    frame.loc[len(names) - 1, ["estimate", "low", "high"]] = np.nan
    return frame


CARD_FRAMES = {"twofold": carried}
