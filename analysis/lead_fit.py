"""A smooth curve through leads and results: logistic regression, the same from either side of the table."""

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.special import expit
from statsmodels.discrete.discrete_model import Logit
from statsmodels.tools.sm_exceptions import ModelWarning

from analysis.estimates import LEVEL, Interval
from analysis.leads import Leads

Floats = NDArray[np.float64]

LEAST = 10  # clusters with a lead: below it an error from clusters says little
STEPS = 100  # of Newton's method, at most


@dataclass(frozen=True)
class LeadFit:
    """Chance to win at a lead of d: 1 / (1 + exp(-slope d)), one half at no lead.

    slope: logits per unit; error: its standard error, from clusters; n: games with a lead; clusters: of these.
    """

    slope: float
    error: float
    n: int
    clusters: int
    level: float

    def chance(self, lead: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Chance to win at each lead and its bounds: delta method on the scale of logits, each point by itself."""
        at = np.asarray(lead, np.float64)
        middle, half = self.slope * at, self._times * self.error * np.abs(at)
        estimate, low, high = (np.asarray(expit(middle + side * half)) for side in (0, -1, 1))
        return estimate, low, high

    def odds(self, unit: float = 1.0) -> Interval:
        """By what the odds to win are multiplied for every `unit` of lead."""
        middle, half = self.slope * unit, self._times * self.error * abs(unit)
        with np.errstate(over="ignore"):  # a unit far beyond the leads there are: infinite
            estimate, low, high = (float(np.exp(middle + side * half)) for side in (0, -1, 1))
        return Interval(estimate, low, high, self.n, self.level, "clusters")

    @property
    def _times(self) -> float:
        """Standard errors to either side of the slope."""
        return float(stats.t.ppf((1 + self.level) / 2, self.clusters - 1))


def fitted(leads: Leads, turn: int, level: float = LEVEL) -> LeadFit | None:
    """The curve at the end of an own turn; None where there is none: few games, or the side ahead wins (nearly) all or none.

    One seat of each game and no constant: the chance at -d is one less that at d, so that it does not matter which seat. A
    shared win counts as half of one and half of a loss. Errors by clusters of games (Liang and Zeger 1986, Biometrika 73:13-22).
    """
    lead, share, key = leads.at(turn)
    led = lead != 0
    lead, share, key = lead[led], share[led], key[led]
    clusters = np.unique(key).size
    agrees = lead * (2 * share - 1)
    open_ended = not np.any((share > 0) & (share < 1)) and (not np.any(agrees < 0) or not np.any(agrees > 0))
    if clusters < LEAST or open_ended:
        return None
    size = float(np.sqrt(np.mean(lead**2)))
    _, groups = np.unique(key, return_inverse=True)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # nearly a step: what matters is whether the fit settles
        found = Logit(share, lead[:, None] / size).fit(
            disp=False, maxiter=STEPS, cov_type="cluster", cov_kwds={"groups": groups}
        )
    if not (found.mle_retvals["converged"] and np.isfinite([found.params[0], found.bse[0]]).all()):
        return None
    return LeadFit(float(found.params[0]) / size, float(found.bse[0]) / size, lead.size, clusters, level)
