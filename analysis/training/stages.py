"""A fit in two stages: first what decisions are worth, then how sure all that is.

Positions of sensible players tell what to expect, and little of what to choose: such players hold no card that they could play
and leave no good attack undone, so that nothing shows what holding or leaving costs, and what winners happen to have passes for
what won. Here the ratio of the weights comes from options of one decision alone, which have everything else in common. Positions
then tell one factor for all of them, and the weights of what hardly any decision moves.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from analysis.training.logistic import DECIMALS, PRECISIONS, Fit, Floats, chosen_precision, errors, fit_of, penalised
from analysis.training.sample import Sample

MOVED = 0.01  # of the options: a feature that fewer of them change is no matter of decisions


def staged(sample: Sample, before: Floats, seed: int) -> Fit:
    """Fit weights to the options of a sample, then their scale to its positions. before, seed: as in `fitted`."""
    options = sample.taken(sample.option)
    precision = chosen_precision(options, before, seed)
    ratio, still = penalised(options, before, precision), is_still(options)
    ratio[still] = 0.0
    positions = on_scale(sample.positions, ratio, still)
    found = penalised(positions, np.append(1.0, before[still]), PRECISIONS[0])
    doubt = errors(positions, found, PRECISIONS[0])
    weights, error = ratio * found[0], np.hypot(errors(options, ratio, precision) * found[0], ratio * doubt[0])
    weights[still], error[still] = found[1:], doubt[1:]
    return fit_of(sample, weights.round(DECIMALS), error, precision)


def is_still(options: Sample) -> NDArray[np.bool_]:
    """Which features decisions hardly ever move."""
    return np.asarray((options.features != 0).mean(axis=0) < MOVED)


def on_scale(positions: Sample, ratio: Floats, still: NDArray[np.bool_]) -> Sample:
    """Positions by what the ratio makes of them, and by what is still."""
    return replace(positions, features=np.column_stack([positions.features @ ratio, positions.features[:, still]]))
