"""What tests of coverage share: one place where a measured coverage is held against its bounds."""

import numpy as np
import pandas as pd

LEVEL = 0.95


def assert_covers(coverage: float, least: float, most: float = 1.0) -> None:
    """Coverages lie within bounds; a test that calls this once for each interval can be listened to for its figures."""
    assert least <= coverage <= most, coverage


def error(runs: int) -> float:
    """Standard error of a coverage of 95 % over so many runs."""
    return float(np.sqrt(LEVEL * (1 - LEVEL) / runs))


def held(table: pd.DataFrame, truth: float, ends: tuple[str, str] = ("low", "high")) -> float:
    """Share of the lines whose interval holds the truth."""
    low, high = (table[end] for end in ends)
    return float(((low <= truth) & (truth <= high)).mean())
