"""The parts of teams as a report judges them: their contributions against the fair band, how sure, and what is said of them."""

import numpy as np
import pandas as pd

from analysis.estimates import FAIR_BAND
from analysis.study import Study

EVEN = 0.5
BAND = (EVEN * (1 - FAIR_BAND), EVEN * (1 + FAIR_BAND))


def judged(study: Study) -> pd.DataFrame:
    """Contributions of the parts, best first; empty where the entrants are no teams or never meet two by two.

    Columns: those of `Contributions.parts`; other, other_low, other_high: the estimate under the
    policy beside, NaN where there is none.
    """
    found = study.team_study.contributions if study.team_study else None
    if found is None or study.team_study is None:
        return pd.DataFrame()
    frame = found.parts.reset_index(drop=True)
    beside = study.team_study.contributions_beside
    for name in ("estimate", "low", "high"):
        column = {"estimate": "other"}.get(name, f"other_{name}")
        known = frame["part"].map(beside.parts.set_index("part")[name]) if beside else np.nan
        frame[column] = known
    return frame.sort_values("estimate", ascending=False, na_position="last", kind="stable", ignore_index=True)
