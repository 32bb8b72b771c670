"""The fair band and the verdicts on a win rate in words, alike in terminal and report."""

import pandas as pd

from analysis.estimates import FAIR_BAND
from analysis.wording import THIN

BAND_WORDS = "a tenth"  # FAIR_BAND as people say it
UNFAIR = ("too strong", "too weak")
WORDS = {"open": "not decided"}  # verdicts whose name says too little

MEANING = (
    f"Too strong or too weak: the whole interval lies beyond {BAND_WORDS} of the fair share; fair: all of it within; "
    "not decided: more games would tell."
)


def band(fair: float) -> str:
    """The fair band around a fair share 0..1 in per cent: `45 to 55 %`."""
    low, high = (f"{100 * fair * (1 + side):.1f}".removesuffix(".0") for side in (-FAIR_BAND, FAIR_BAND))
    return f"{low} to {high}{THIN}%"


def in_words(verdicts: pd.Series) -> pd.Series:
    """Verdicts as a table shows them: what is open is `not decided`, without a fair share there is none."""
    return verdicts.replace(WORDS).where(verdicts != "", None)
