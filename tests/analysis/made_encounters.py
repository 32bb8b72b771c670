"""Encounters drawn from known win rates, as pairs of games of which a known share is decided."""

import numpy as np
from scipy.special import expit

from analysis.data.encounters import Encounters


def drawn(rates, pairs, chance, decided=0.6, sets=None):
    """Encounters with `pairs` pairs of every matchup. decided: share of pairs with both games won by one. sets: their number."""
    size = len(rates)
    row, column = np.triu_indices(size, 1)
    gap = 2 * np.asarray(rates)[row, column] - 1
    decided = np.maximum(decided, np.abs(gap))
    outcomes = np.stack([(decided + gap) / 2, (decided - gap) / 2, 1 - decided], axis=1)
    result = chance.multinomial(pairs, outcomes, (sets or 1, len(row)))
    names = tuple(chr(ord("A") + index) for index in range(size))
    made = [of_counts(names, up, down, pairs) for up, down in zip(result[..., 0], result[..., 1], strict=True)]
    return made if sets else made[0]


def of_counts(names, up, down, pairs):
    """Encounters from the wins and losses of the first entrant of every matchup, in the order of `np.triu_indices`."""
    row, column = np.triu_indices(len(names), 1)
    won, lost, weight = np.zeros((3, len(names), len(names)))
    won[row, column], won[column, row], lost[row, column], lost[column, row] = up, down, down, up
    weight[row, column] = weight[column, row] = pairs
    return Encounters(names, won, lost, weight, (2 * weight).astype(np.int64), True)


def rated(*ratings):
    """Win rates that ratings on the logit scale fit exactly."""
    strength = np.array(ratings)
    return expit(strength[:, None] - strength[None, :])


ROCK_PAPER_SCISSORS = np.array([[0.5, 0.3, 0.7], [0.7, 0.5, 0.3], [0.3, 0.7, 0.5]])
