"""Judged positions as winning chances: one scale for all seats, learnt from other games, and how far it can be trusted.

What a game's `evaluate` gives is set by hand and stands for each seat by itself. A conditional logit (McFadden 1974, Conditional
logit analysis of qualitative choice behavior) turns the judgements of a position into chances that add up to 1: the chance of a
seat goes with exp(slope x logit of its judgement + tempo x whether it is to decide), where the slope may rise from turn to turn:
an early lead says less. With one slope this is temperature scaling (Guo et al. 2017, On calibration of modern neural
networks, ICML). Every game is judged by a fit to other games.

The fit is itself uncertain, most of all where the judgement says little of who wins. `Calibration` resamples whole keys of games
and fits to each sample (cluster bootstrap; Davison and Hinkley 1997, Bootstrap Methods and their Application, section 3.8), so
that what is worked out from chances can be worked out again from each fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.amounts import rates
from analysis.estimates import LEVEL, Interval

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FOLDS = 10
SURE = 0.001  # judgements nearer to 0 or 1 than this count as this near
FREE = (2,)  # of the parameters slope, rise, tempo; the others are at least 0
STEPS, SMALL = 50, 1e-10  # of Newton's method
SAMPLES = 199  # of whole keys of games
MIDDLE = np.array([1.0, 0.5, 0.0])  # what slope and rise come to at the median turn
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
    """First slope and its rise (0 or more), and tempo: the likeliest; together the lines weigh as much as the games."""
    return _Fit.of(marks, game, share).at


@dataclass(frozen=True, eq=False)
class _Fit:
    """Where the penalised likelihood is highest, and what it looks like there.

    at: (3,) parameters; pull: (games, 3) slope of each game's loss; bend: (3, 3) second derivatives of the whole loss; gap: (3,)
    from the middle of the prior, which is normal with standard deviation 1 round what leaves the judgement of two seats as it is.
    """

    at: Floats
    pull: Floats
    bend: Floats
    gap: Floats

    @classmethod
    def of(cls, marks: Floats, game: Ints, share: Floats) -> _Fit:
        """Fit to lines, (lines, seats, 3), of games; share: (games, seats). Newton's method, halving steps that overshoot."""
        prior = np.array([1 - 1 / share.shape[1], 0.0, 0.0])
        if not len(game):
            return cls(prior, np.zeros((len(share), 3)), np.eye(3), np.zeros(3))
        weight, won, flat = np.unique(game).size / game.size, share[game], marks.reshape(-1, 3)

        def loss(at: Floats) -> float:
            utility = marks @ at
            top = utility.max(axis=1)
            log_sum = top + np.log(np.exp(utility - top[:, None]).sum(axis=1))
            return float(weight * (log_sum - (won * utility).sum(axis=1)).sum() + (at - prior) @ (at - prior) / 2)

        at, value = prior, loss(prior)
        for _ in range(STEPS):
            chance = _softmax(marks @ at)
            mean = np.einsum("ls,lsk->lk", chance, marks)
            missed = weight * np.einsum("ls,lsk->lk", chance - won, marks)
            bend = weight * ((chance.reshape(-1, 1) * flat).T @ flat - mean.T @ mean) + np.eye(3)
            step = _lowest(at, (missed.sum(axis=0) + at - prior)[None], bend)[0] - at
            if np.abs(step).max() < SMALL:
                break
            while (new := loss(at + step)) > value and np.abs(step).max() >= SMALL:
                step = step / 2
            at, value = at + step, new
        pull: Floats = np.stack([np.bincount(game, missed[:, term], len(share)) for term in range(3)], axis=1)
        return cls(at, pull, bend, at - prior)


def _lowest(at: Floats, slope: Floats, bend: Floats) -> Floats:
    """Where parabolas with these slopes (samples, 3) at `at` are lowest, slope and rise at least 0: (samples, 3).

    Each of both is free or 0, four cases in all; of those that are allowed the lowest.
    """
    found, least = np.zeros_like(slope), np.full(len(slope), np.inf)
    for fixed in ([], [0], [1], [0, 1]):
        free = [term for term in range(3) if term not in fixed]
        move = np.zeros_like(slope)
        move[:, fixed] = -at[fixed]
        rest = slope[:, free] + move[:, fixed] @ bend[np.ix_(fixed, free)]
        move[:, free] = -np.linalg.solve(bend[np.ix_(free, free)], rest.T).T
        value = (slope * move).sum(axis=1) + np.einsum("bi,ij,bj->b", move, bend, move) / 2
        better = (np.delete(at + move, FREE, axis=1) >= -SMALL).all(axis=1) & (value < least)
        found[better], least[better] = (at + move)[better], value[better]
    found[:, :2] = found[:, :2].clip(min=0)
    return found


@dataclass(frozen=True, eq=False)
class Calibration:
    """The fit to all games, and to samples of whole keys of games drawn with replacement.

    at: (3,) first slope, rise, tempo; samples: (SAMPLES, 3) the same of each sample; weight: (SAMPLES, games) how often each
    sample holds a game. A sample is fitted by one step of Newton's method from the fit to all games.
    """

    at: Floats
    samples: Floats
    weight: Floats
    _marks: Floats

    @classmethod
    def of(cls, judged: Floats, where: Where, share: Floats, key: Ints, seed: int = 1) -> Calibration:
        """Fit to judgements, (lines, seats), of the games that some seat won; share: (games, seats); key: (games,)."""
        marks, won = _marks(judged, where), share.sum(axis=1) > 0
        learnt = won[where.game]
        fit = _Fit.of(marks[learnt], where.game[learnt], share)
        keys, owner = np.unique(key, return_inverse=True)
        even = np.full(keys.size, 1 / max(1, keys.size))
        drawn = np.random.default_rng(seed).multinomial(keys.size, even, SAMPLES)[:, owner].astype(np.float64)
        return cls(fit.at, _lowest(fit.at, drawn @ fit.pull + fit.gap, fit.bend), drawn, marks)

    def chances(self) -> Iterator[Floats]:
        """Chances of the seats by line, (lines, seats), under the fit to each sample."""
        by_seat = np.ascontiguousarray(self._marks.transpose(1, 0, 2))  # fast to go through seat by seat
        for sample in self.samples:
            yield _softmax((by_seat @ sample).T)

    def strength(self, level: float = LEVEL) -> Interval:
        """What the judgement is worth in the middle of a game: 0 says nothing, 1 is as it stands, above it is too cautious.

        The slope at the median turn over the one that leaves the judgement of two seats as it is; quantiles over the samples.
        """
        usual = 1 - 1 / self._marks.shape[1]
        middle, drawn = float(self.at @ MIDDLE) / usual, self.samples @ MIDDLE / usual
        low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], method="weibull")
        return Interval(
            middle, min(float(low), middle), max(float(high), middle), self.weight.shape[1], level, "bootstrap"
        )


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
