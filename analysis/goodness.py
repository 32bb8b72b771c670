"""How well a model of teams fits: on games that it has not seen, against a coin and against parts alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit

from analysis.contests import Contests
from analysis.estimates import ratio, ratios
from analysis.ridge import Problem, Ridge, climb, group_test

Floats = NDArray[np.float64]

FOLDS = 5
TENTHS = 10
SURE = 1e-12  # a chance of 0 or 1 that turned out wrong costs no more than this one


@dataclass(frozen=True, eq=False)
class Fit:
    """Fit of a model of teams.

    games, rounds, matchups: that it rests on. explained: McFadden's share of the log likelihood of a coin, on the games fitted.
    auc: chance that a game won was predicted higher than a game lost, left out. dispersion: Pearson's, over matchups by seat
    that went first; above 1: teams have more of their own than the model knows, or games hang together; NaN without
    degrees of freedom. losses: model, log_loss (nats per game, left out), gain on the model above it, low, high.
    calibration: predicted, estimate, low, high, n by tenths of the left-out prediction for seat 0. groups: term, spread
    (standard deviation chosen, in logits), freedom (effective number of terms), inflation (see `Ridge`), f, p (all are 0).
    """

    games: int
    rounds: int
    matchups: int
    explained: float
    auc: float
    dispersion: float
    losses: pd.DataFrame
    calibration: pd.DataFrame
    groups: pd.DataFrame


def goodness(problem: Problem, found: Ridge, games: Contests, level: float) -> Fit:
    """Judge a fit by FOLDS-fold cross-validation over rounds."""
    lines = problem.lines
    logits = problem.logits(found.theta)
    chance = expit(logits)
    free = problem.kinds == 0
    plain = Problem(lines, problem.design, problem.basis[:, free], problem.kinds[free])
    parts, _, information, penalty = climb(plain, np.zeros(int(free.sum())), np.ones(2), np.ones(2))
    fold = games.rounds[1] % FOLDS
    full = _left_out(problem, found.theta, found.curve, fold)
    alone = _left_out(plain, parts, information + np.diag(penalty), fold)
    matchups = len(np.unique(np.stack([lines.first, lines.second]), axis=1).T)
    rest = len(lines.n) - sum(found.freedom)
    pearson = float(np.sum((lines.wins - lines.n * chance) ** 2 / (lines.n * chance * (1 - chance)).clip(min=SURE)))
    fitted = float(_loss(lines.share, logits[lines.line]).mean())
    return Fit(
        len(games),
        games.rounds[0],
        matchups,
        1 - fitted / float(np.log(2)),
        _auc(full, lines.share),
        pearson / rest if rest > 0 else float("nan"),
        _losses(
            games, lines.share, {"coin": np.zeros(len(games)), "parts": alone, "parts, pairs, counters": full}, level
        ),
        _calibration(games, expit(np.where(lines.turned, -full, full)), level),
        _group_table(found, problem.kinds, games.rounds[0]),
    )


def _left_out(problem: Problem, theta: Floats, curve: Floats, fold: NDArray[np.int64]) -> Floats:
    """Logit of each game, (games,), by the model fitted without the games of its fold; theta, curve: of the whole fit.

    One Newton step from the whole fit, with its penalties: with a fifth left out the second would be some hundred times
    smaller than the error of the terms (Rad and Maleki 2020, JRSS B 82:965-996).
    """
    lines = problem.lines
    whole = problem.logits(theta)
    chance, result = expit(whole), np.empty(len(fold))
    for one in range(FOLDS):
        left = fold == one
        n = np.bincount(lines.line[left], minlength=len(whole))
        wins = np.bincount(lines.line[left], weights=lines.share[left], minlength=len(whole))
        rest = curve - problem.information(n * chance * (1 - chance))
        step = np.linalg.solve(rest, problem.score(wins - n * chance))
        result[left] = problem.logits(theta - step)[lines.line[left]]
    return result


def _loss(share: Floats, logits: Floats) -> Floats:
    """Log loss of each game in nats."""
    return np.asarray(np.logaddexp(0, logits) - share * logits, np.float64)


def _losses(games: Contests, share: Floats, models: dict[str, Floats], level: float) -> pd.DataFrame:
    """Log loss of each model, and what it gains on the one above it, with an interval over rounds."""
    rounds, number = games.rounds
    size = np.bincount(number, minlength=rounds)
    rows, before = [], None
    for name, logits in models.items():
        loss = _loss(share, logits)
        row: dict[str, float | str] = {
            "model": name,
            "log_loss": float(loss.mean()),
            "gain": np.nan,
            "low": np.nan,
            "high": np.nan,
        }
        if before is not None:
            gain = ratio(np.bincount(number, weights=before - loss, minlength=rounds), size, level)
            row |= {"gain": gain.estimate, "low": gain.low, "high": gain.high}
        rows.append(row)
        before = loss
    return pd.DataFrame(rows)


def _calibration(games: Contests, predicted: Floats, level: float) -> pd.DataFrame:
    """Share of the wins of seat 0 by tenths of its prediction, with intervals over rounds."""
    edges = np.unique(np.quantile(predicted, np.arange(1, TENTHS) / TENTHS))
    tenth = np.searchsorted(edges, predicted, side="right")
    kinds, (rounds, number) = len(edges) + 1, games.rounds
    cell = tenth * rounds + number
    n, won = (
        np.bincount(cell, weights=of, minlength=kinds * rounds).reshape(kinds, rounds) for of in (None, games.share)
    )
    sums = {"y": won.sum(axis=1), "x": n.sum(axis=1), "yy": (won**2).sum(axis=1), "xy": (won * n).sum(axis=1)}
    table = ratios(pd.DataFrame(sums | {"xx": (n**2).sum(axis=1), "n": (n > 0).sum(axis=1)}), level)
    mean = np.bincount(tenth, weights=predicted, minlength=kinds) / n.sum(axis=1).clip(min=1)
    table.insert(0, "predicted", mean)
    table["n"] = n.sum(axis=1).astype(np.int64)
    return table.loc[table["n"] > 0].reset_index(drop=True)


def _auc(logits: Floats, share: Floats) -> float:
    """Area under the receiver operating curve; each game is seen from both seats, so that their order plays no part."""
    value, place = np.unique(np.concatenate([logits, -logits]).round(9), return_inverse=True)
    won = np.bincount(place.ravel(), weights=np.concatenate([share, 1 - share]), minlength=len(value))
    lost = np.bincount(place.ravel(), weights=np.concatenate([1 - share, share]), minlength=len(value))
    below = np.cumsum(lost) - lost / 2
    return float(won @ below / (won.sum() * lost.sum()))


def _group_table(found: Ridge, kinds: NDArray[np.int8], rounds: int) -> pd.DataFrame:
    """Pairs and counters as groups: how large they are, and whether there are any."""
    rows = []
    for at, term in enumerate(("pairs", "counters")):
        statistic, p = group_test(found, kinds, at + 1, rounds)
        size = {"spread": found.spreads[at], "freedom": found.freedom[at + 1], "inflation": found.inflation[at]}
        rows.append({"term": term, **size, "f": statistic, "p": p})
    return pd.DataFrame(rows)
