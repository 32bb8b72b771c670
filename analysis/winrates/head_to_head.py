"""Head-to-head comparison of two entrants by sequential tests (`analysis.stats.betting`).

Plays until one is shown to be stronger or both are shown to be within a margin of each other.
"""

from __future__ import annotations

from collections import Counter
from math import ceil

import numpy as np
import pandas as pd

from analysis.answer.model import Section
from analysis.answer.numbers import THIN, count, percent
from analysis.answer.prose import draws_words, limit_words, truncated_words
from analysis.answer.tables import Table, table
from analysis.answer.verdicts import FAIR, TOO_STRONG, TOO_WEAK
from analysis.answer.verdicts import OPEN as UNDECIDED
from analysis.data.names import entrant_of
from analysis.data.rows import Rows, distinct
from analysis.stats.betting import (
    ALIKE,
    FIRST,
    OPEN,
    SECOND,
    USUAL_VARIANCE,
    characteristics,
    decisions,
    fixed_pairs,
    log_wealth,
    mean_bounds,
    thresholds,
)
from analysis.stats.sequential import looks
from analysis.winrates.tables import rates_chart
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment

SEATS = 2
FIRST_LOOK, GROWTH = 100, 1.05  # pairs at the first look; factor from each look to the next
ROOM = 4.0  # default limit on games, as a multiple of a test of fixed size
USUAL_DEVIATION = USUAL_VARIANCE**0.5  # of the share of a pair of games


def find(first: str, second: str, game: Game, cards: CardSet) -> tuple[int, int]:
    """Look up the indices of two entrants. Raises ValueError for an unknown entrant, with suggestions, or the same one twice."""
    entrants = entrant_of(first, game, cards), entrant_of(second, game, cards)
    if entrants[0] == entrants[1]:
        raise ValueError(f"{first!r} and {second!r} are the same; name two different ones")
    return entrants


def pairing(
    game: Game, cards: CardSet, entrants: tuple[int, int], policy: PolicySpec, games: int | None, seed: int, margin: float
) -> Experiment:
    """Both entrants at two seats, each deal from both seats with the same dice. games: limit; None: enough for the margin."""
    most = ceil(ROOM * SEATS * fixed_pairs(margin, USUAL_DEVIATION)) if games is None else games
    return Experiment(game.name, cards, SEATS, (policy,), most, seed, line_up=entrants, paired=True)


class Duel:
    """Counts pairs of games and runs the sequential tests: a `Stopper` (see `analysis.winrates.play`).

    A game without a winner counts half for each. A pair with a truncated game (stopped at a limit) is left out.
    """

    def __init__(self, experiment: Experiment, margin: float, alpha: float = 0.05) -> None:
        self.experiment, self.margin, self.alpha = experiment, margin, alpha
        self._looks = looks(experiment.games, SEATS, FIRST_LOOK * SEATS, GROWTH)
        self._counts: list[Counter[float]] = [Counter()]  # pairs by the share of the first entrant less a half, look by look
        self._half = 0.0  # share of the first entrant in the first game of an incomplete pair; NaN: truncated
        self.games = self.pairs = self.truncated = 0  # played; pairs counted; games stopped at a limit
        self.draws = 0  # games whose win is shared
        self.decision = OPEN

    @property
    def next_look(self) -> int:
        """Number of games at the next look."""
        return self._looks[len(self._counts) - 1]

    def add(self, rows: Rows) -> None:
        """Count a block of rows in order."""
        mine = rows["entrant"][:, 0] == self.experiment.line_up[0]  # type: ignore[index]
        gap = (rows["share"][:, 0].astype(np.float64) - rows["share"][:, 1]) * np.where(mine, 0.25, -0.25)
        gap[rows["status"] != Status.FINISHED] = np.nan
        self.truncated += int(np.isnan(gap).sum())
        self.draws += int(np.count_nonzero(((rows["share"] > 0) & (rows["share"] < 1)).any(axis=1) & np.isfinite(gap)))
        if self.games % SEATS:
            gap = np.concatenate([[self._half], gap])
        whole = len(gap) // SEATS * SEATS
        self._half = float(gap[-1]) if len(gap) > whole else 0.0
        pairs = gap[:whole].reshape(-1, SEATS).sum(axis=1)
        pairs = pairs[np.isfinite(pairs)]
        self._counts[-1].update(pairs.tolist())
        self.pairs += len(pairs)
        self.games += len(rows)

    def reached(self) -> bool:
        """Look at the results: whether they show the stronger entrant, or that both are within the margin."""
        values, counts = self._table()
        self.decision = str(decisions(values, counts, self.margin, self.alpha)["decision"].iloc[0])
        self._counts.append(Counter())
        return self.decision != OPEN

    def _table(self) -> tuple[np.ndarray, np.ndarray]:
        """Gaps of pairs that occurred, and the pairs with each by look, (1, looks, gaps)."""
        values = sorted(set().union(*self._counts))
        return np.array(values), np.array([[[counts[value] for value in values] for counts in self._counts]], np.float64)

    @property
    def evidence(self) -> list[float]:
        """Logarithms of the wealth of the four gamblers so far, see `betting.log_wealth`."""
        return [float(wealth) for wealth in log_wealth(*self._table(), self.margin)[:, 0, -1]]

    @property
    def deviation(self) -> float:
        """Standard deviation of the share of a pair."""
        values, counts = self._table()
        weight = counts.sum(axis=(0, 1)) / max(1, self.pairs)
        return float(np.sqrt(max(weight @ values**2 - (weight @ values) ** 2, 0.0)))

    def share(self) -> pd.Series:
        """Share of the first entrant with bounds that hold at any time, see `mean_bounds`: estimate, low, high, n (pairs)."""
        values, counts = self._table()
        totals = counts.sum(axis=(0, 1))
        tuned = max(1.0, fixed_pairs(self.margin, USUAL_DEVIATION))
        low, high = mean_bounds(values + 0.5, totals, tuned)
        estimate = 0.5 + float(totals @ values) / self.pairs if self.pairs else float("nan")
        return pd.Series({"estimate": estimate, "low": low, "high": high, "n": self.pairs})


def compare_result(duel: Duel, interrupted: bool, command: str) -> Section:
    """Result of `fairfight compare`: the decision, both shares, the tests and what to expect of them.

    command: continues the run; empty once a decision has been reached.
    """
    experiment, game = duel.experiment, duel.experiment.game
    first, second = names = [distinct(experiment.cards.names)[entrant] for entrant in experiment.line_up or ()]
    margin = f"{100 * duel.margin:g}{THIN}point{'' if duel.margin == 0.01 else 's'}"
    alpha = percent(duel.alpha, 0 if round(100 * duel.alpha, 6).is_integer() else 1)
    words = {
        FIRST: f"{first} is stronger than {second}.",
        SECOND: f"{second} is stronger than {first}.",
        ALIKE: f"{first} and {second} are within {margin} of each other.",
        OPEN: f"Not decided between {first} and {second}: the {'run was interrupted' if interrupted else 'games were used up'}.",
    }[duel.decision]
    limit = limit_words(game.limits_itself)
    stopped = truncated_words(0, duel.games, limit)
    if duel.truncated:
        stopped = (
            f"{count(duel.truncated)} of {count(duel.games)} games ({percent(duel.truncated / duel.games, 2)}) were stopped at "
            f"{limit}; the {count(duel.games // SEATS - duel.pairs)} pairs with such a game are left out, and "
            f"{count(duel.pairs)} are counted."
        )
    sentences = [
        words,
        f"{experiment.cards.title} (digest {experiment.cards.digest}): {count(duel.games)} games in pairs, once from each "
        f"seat with the same dice, seed {experiment.seed}, policy {experiment.policy_words}.",
        stopped,
        *draws_words(duel.draws, duel.games - duel.truncated),
        "The share is the mean over pairs; a game without a winner counts as half a win for each. Its bounds are a "
        f"confidence sequence at 95{THIN}%, valid although the run checked its results while playing. The decision has tests "
        f"of its own, which need fewer games than an interval that leaves out 50{THIN}%.",
        f"A decision is wrong in at most {alpha} of such runs: it calls one stronger that is not, or two alike that are "
        f"{margin} or more apart. If they are closer than that, either answer is right.",
        *([f"To continue from these games: {command}"] if command else []),
    ]
    estimate, low, high = duel.share()[["estimate", "low", "high"]].astype(float)
    sides = pd.DataFrame({"name": names, "estimate": [estimate, 1 - estimate], "low": [low, 1 - high], "high": [high, 1 - low]})
    sides = sides.assign(pairs=duel.pairs, n=duel.games, truncated=duel.truncated / max(1, duel.games))
    columns = {"name": game.entrant_word, "estimate": "share", "low": "low", "high": "high"}
    columns |= {"pairs": "pairs", "n": "games", "truncated": "truncated"}
    shares = table(sides, "compare", "Head to head", columns)
    not_ahead, stronger = thresholds(duel.alpha)
    claims = [f"{first} is not stronger", f"{second} is not stronger", *(f"{name} is ahead by {margin}" for name in names)]
    needed = (stronger, stronger, not_ahead, not_ahead)
    evidence = tuple(
        (claim, round(wealth, 2), round(least, 2)) for claim, wealth, least in zip(claims, duel.evidence, needed, strict=True)
    )
    tests = Table("tests", ("claim", "evidence against it", "refuted at"), evidence, "Sequential tests")
    deviation = duel.deviation or USUAL_DEVIATION
    by_gap = characteristics(np.array([0, 0.5, 1, 2]) * duel.margin, duel.margin, deviation, duel.alpha)
    by_gap = by_gap.assign(games=(SEATS * by_gap["pairs"]).round().astype(int))
    fixed = SEATS * fixed_pairs(duel.margin, deviation, duel.alpha)
    says = {FIRST: "says stronger", ALIKE: "says alike", SECOND: "says weaker"}
    expected = table(
        by_gap,
        "expected",
        f"What to expect of such a test; with a fixed number of games it needs {count(fixed)}",
        {"gap": "true gap (points)", "games": "games on average", **says},
        {"true gap (points)": "points", **dict.fromkeys(says.values(), "percent")},
    )
    run = {"games": duel.games, "pairs": duel.pairs, "truncated": duel.truncated, "draws": duel.draws, "interrupted": interrupted}
    data = {"facts": experiment.facts() | run, "decision": duel.decision, "words": words, "margin": duel.margin}
    data |= {"alpha": duel.alpha, "deviation": duel.deviation, "shares": shares, "tests": tests, "expected": expected}
    verdicts = {FIRST: (TOO_STRONG, TOO_WEAK), SECOND: (TOO_WEAK, TOO_STRONG), ALIKE: (FAIR,) * 2, OPEN: (UNDECIDED,) * 2}
    drawn = sides.assign(seats=SEATS, fair=0.5, verdict=verdicts[duel.decision])
    return Section(
        "compare",
        tables=(shares, tests, expected),
        lines=tuple(sentences),
        data=data | {"command": command or None},
        draw=lambda: rates_chart(drawn, band=duel.margin / 0.5),  # the band is the margin
    )
