"""The parts of teams as a report judges them: their contributions against the fair band, how sure, and what is said of them."""

import numpy as np
import pandas as pd
from scipy import stats
from scipy.special import logit

from analysis.estimates import FAIR_BAND, adjust
from analysis.report import verdicts
from analysis.study import Study

EVEN = 0.5
BAND = (EVEN * (1 - FAIR_BAND), EVEN * (1 + FAIR_BAND))
SURE = 0.05  # p-value against the edge of the fair band, adjusted over all parts


def judged(study: Study) -> pd.DataFrame:
    """Contributions of the parts, best first; empty where the entrants are no teams or never meet two by two.

    Columns: those of `Contributions.parts`; p_out: one-sided p-value against the edge of the fair band, Holm over all
    parts; out: named as too strong or too weak, which asks for both; other, other_low, other_high: the estimate under the
    policy beside, NaN where there is none.
    """
    found = study.team_study.contributions if study.team_study else None
    if found is None or study.team_study is None:
        return pd.DataFrame()
    frame = found.parts.reset_index(drop=True)
    p_out = adjust(_p_beyond(frame["effect"].to_numpy(float), frame["se"].to_numpy(float)))
    frame = frame.assign(p_out=p_out, fair=EVEN)
    frame = frame.assign(out=frame["verdict"].isin(verdicts.UNFAIR) & (frame["p_out"] < SURE))
    beside = study.team_study.contributions_beside
    for name in ("estimate", "low", "high"):
        column = {"estimate": "other"}.get(name, f"other_{name}")
        known = frame["part"].map(beside.parts.set_index("part")[name]) if beside else np.nan
        frame[column] = known
    return frame.sort_values("estimate", ascending=False, na_position="last", kind="stable", ignore_index=True)


def _p_beyond(effect: np.ndarray, error: np.ndarray) -> np.ndarray:
    """One-sided p-values of effects (logits) against the nearer edge of the fair band; NaN without an error."""
    beyond = abs(effect) - float(logit(BAND[1]))
    z = np.divide(beyond, error, out=np.full(beyond.shape, np.nan), where=error > 0)
    return np.asarray(stats.norm.sf(z))
