"""Judged positions as winning chances: one scale for all seats, learnt from other games, and how far it can be trusted.

What a game's `evaluate` gives is set by hand and stands for each seat by itself. A conditional logit (McFadden 1974, Conditional
logit analysis of qualitative choice behavior) turns the judgements of a position into chances that add up to 1: the chance of a
seat goes with exp(slope x logit of its judgement + tempo x whether it is to decide), where the slope may rise from turn to turn:
an early lead says less. With one slope this is temperature scaling (Guo et al. 2017, On calibration of modern neural
networks, ICML). Every game is judged by a fit to other games.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import minimize

from analysis.amounts import rates
from analysis.estimates import LEVEL

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FOLDS = 10
SURE = 0.001  # judgements nearer to 0 or 1 than this count as this near
BOUNDS = ((0, None), (0, None), (None, None))
BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
SCORES = ("calibrated", "as judged", "even")


@dataclass(frozen=True, eq=False)
class Where:
    """Where lines stand, (lines,) each: place of the game among these, turn (1, 2, ...), seat to decide."""

    game: Ints
    turn: Ints
    mover: Ints


def cross_fitted(judged: Floats, where: Where, share: Floats, key: Ints) -> Floats:
    """Chances of the seats by line, (lines, seats), each from a fit to the games of other keys.

    judged: (lines, seats) in 0..1; share: of the win, (games, seats); key: (games,), games of one key hang together. Only games
    that somebody won are fitted to. Every line weighs alike: weights by the length of its game would know the future. With one
    key there are no other games: at two seats the judgement stands as it is.
    """
    marks, game = _marks(judged, where), where.game
    won = share.sum(axis=1) > 0
    _, owner = np.unique(key, return_inverse=True)
    fold = (owner % FOLDS)[game]
    chance = np.zeros_like(judged)
    for number in range(min(FOLDS, int(owner.max(initial=-1)) + 1)):
        here = fold == number
        learnt = won[game] & ~here
        chance[here] = _softmax(marks[here] @ _fit(marks[learnt], game[learnt], share))
    return chance


def _marks(judged: Floats, where: Where) -> Floats:
    """What chances are worked out from, (lines, seats, 3): logit of the judgement, the same late, whether to decide."""
    clear = judged.clip(SURE, 1 - SURE)
    logit = np.log(clear / (1 - clear))
    late = where.turn / (where.turn + np.median(where.turn)) if len(logit) else np.zeros(0)
    to_move = np.arange(judged.shape[1]) == where.mover[:, None]
    return np.stack([logit, logit * late[:, None], to_move.astype(np.float64)], axis=2)


def _softmax(utility: Floats) -> Floats:
    raised = np.exp(utility - utility.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def _fit(marks: Floats, game: Ints, share: Floats) -> Floats:
    """First slope and its rise (0 or more), and tempo: the likeliest; together the lines weigh as much as the games.

    A normal prior of standard deviation 1 stands round what leaves the judgement of two seats as it is.
    """
    prior = np.array([1 - 1 / share.shape[1], 0.0, 0.0])
    if not len(game):
        return prior
    weight = np.unique(game).size / game.size
    reached = weight * np.einsum("ls,lsk->k", share[game], marks)

    def loss(at: Floats) -> tuple[float, Floats]:
        utility = marks @ at
        top = utility.max(axis=1)
        log_sum = top + np.log(np.exp(utility - top[:, None]).sum(axis=1))
        gap = at - prior
        value = weight * log_sum.sum() - reached @ at + gap @ gap / 2
        slope = weight * np.einsum("ls,lsk->k", _softmax(utility), marks) - reached + gap
        return float(value), slope

    found = minimize(loss, prior, jac=True, method="L-BFGS-B", bounds=BOUNDS)
    return np.asarray(found.x, np.float64)


def even_shares(judged: Floats) -> Floats:
    """Judgements as shares of their sum, (lines, seats); even where all are 0."""
    total = judged.sum(axis=1, keepdims=True)
    even = np.full_like(judged, 1 / judged.shape[1])
    return np.asarray(np.divide(judged, total, out=even, where=total > 0))


def scores(chance: Floats, judged: Floats, game: Ints, share: Floats, key: Ints, level: float = LEVEL) -> pd.DataFrame:
    """Brier scores (1950, Monthly Weather Review 78:1-3) over all turns of the games that somebody won.

    Lines: see SCORES. Columns: judgement, estimate, low, high (sum over the seats of the squared error: 0 is perfect; of all
    even chances it is 1 - 1/seats), skill (1 - score / score of even chances), n (games).
    """
    won = (share.sum(axis=1) > 0)[game]
    even = np.full_like(chance, 1 / chance.shape[1])
    lines = []
    for name, guess in zip(SCORES, (chance, even_shares(judged), even), strict=True):
        error = ((guess - share[game]) ** 2).sum(axis=1)[won]
        found = rates(key[game[won]], np.zeros(error.size, np.int64), error, np.ones(error.size), level)
        known = found.iloc[0] if len(found) else {"estimate": np.nan, "low": np.nan, "high": np.nan}
        ends = {end: float(known[end]) for end in ("estimate", "low", "high")}
        lines.append({"judgement": name, **ends, "n": np.unique(game[won]).size})
    table = pd.DataFrame(lines)
    table.insert(4, "skill", 1 - table["estimate"] / table["estimate"].iloc[-1])
    return table


def reliability(chance: Floats, game: Ints, share: Floats, key: Ints, level: float = LEVEL) -> pd.DataFrame:
    """How often a chance comes true: over all seats and turns of the games that somebody won, by bins of the chance.

    Columns: start, end, chance (mean in the bin), estimate, low, high (share won; see `amounts.rates`, games of one key are one
    observation), n (keys), lines. A judgement is reliable where `chance` lies between low and high. Empty bins are left out.
    """
    won = (share.sum(axis=1) > 0)[game]
    guess, result = chance[won].ravel(), share[game[won]].ravel()
    owner = np.repeat(key[game[won]], chance.shape[1])
    place = np.searchsorted(np.array(BINS)[1:-1], guess, side="right")
    found = rates(owner, place, result, np.ones(guess.size), level)
    lines = np.bincount(place, minlength=len(found)).astype(np.int64)
    mean = np.divide(np.bincount(place, guess, len(found)), lines, out=np.full(len(found), np.nan), where=lines > 0)
    ends = {"start": np.array(BINS)[: len(found)], "end": np.array(BINS)[1 : len(found) + 1]}
    table = found[["estimate", "low", "high", "n"]].assign(**ends, chance=mean, lines=lines)
    table[["low", "high"]] = table[["low", "high"]].clip(0, 1)
    columns = ["start", "end", "chance", "estimate", "low", "high", "n", "lines"]
    return table.loc[lines > 0, columns].reset_index(drop=True)
