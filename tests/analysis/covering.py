"""Helpers of the coverage tests."""

import numpy as np
import pandas as pd

LEVEL = 0.95


def assert_covers(coverage: float, least: float, most: float = 1.0) -> None:
    """Assert that coverages lie within bounds. The figures of README.md are recorded here, one call for each interval."""
    assert least <= coverage <= most, coverage


def error(runs: int) -> float:
    """Standard error of a coverage of 95 % over `runs` runs."""
    return float(np.sqrt(LEVEL * (1 - LEVEL) / runs))


def held(table: pd.DataFrame, truth: float, ends: tuple[str, str] = ("low", "high")) -> float:
    """Share of the lines whose interval contains the truth."""
    low, high = (table[end] for end in ends)
    return float(((low <= truth) & (truth <= high)).mean())
