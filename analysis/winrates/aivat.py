"""Win rates with the luck taken out: the same averages from fewer games, for `fairfight winrates --aivat`.

The luck of a game is how far its rolls and draws moved each seat's winning chance from the expected one (`sim.engine.aivat`).
It is zero on average and serves as a control variate, in the manner of AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling,
"AIVAT: A new variance reduction technique for agent evaluation in imperfect information games", AAAI 2018). Its weight
minimises the remaining variance (Lavenberg and Welch, "A perspective on the use of control variables", Management Science 27,
1981) and is fitted on the other half of the games, so that it introduces no bias.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import isnan
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

from analysis.data.rows import distinct
from analysis.document.model import Table, count, number, rate_columns, table
from analysis.stats.intervals import LEVEL, proportions
from analysis.winrates.play import Keep
from sim.engine.loop import Status
from sim.experiments.experiment import Experiment
from sim.run import Block, blocks

REROLLS = 16  # samples per chance event; the sampled expectation adds back 1/16 of the variance
FOLDS = 2
ONE, WON, DONE, OWN, OTHERS = range(
    5
)  # constant 1, share of the win, whether finished, the seat's luck, mean luck of the other seats
TERMS = 5
DEGREES_MIN = 10  # degrees of freedom below which the remaining spread is not estimated
WINS_MIN = 5  # wins, and games not won, below which it is not estimated: without a win it would be zero
OPPONENTS_MAX = 200  # most entrants for which every pair has its own cell

Sums = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LuckSums:
    """Sums of products of observations: all that the estimates need, of constant size.

    An observation is one seat of a game. It counts for the entrant there or, for teams, for each of its parts. Each combination
    of opponent and seat is a cell of its own: a balanced design fixes how often it occurs, so differences between cells are not
    noise.

    sums: (FOLDS, units, cells, TERMS, TERMS). members: (entrants, parts of a team), the units for which an entrant counts.
    """

    sums: Sums
    seats: int
    members: NDArray[np.int64]
    by_opponent: bool

    @classmethod
    def of(cls, experiment: Experiment) -> LuckSums:
        """Create empty sums. Raises ValueError for fewer than two seats."""
        if experiment.seats < 2:
            raise ValueError(f"seats={experiment.seats} must be at least 2 to take luck out of win rates")
        entrants, teams = len(experiment.cards.ids), experiment.teams
        members = np.arange(entrants)[:, None] if teams is None else np.asarray(teams.members, np.int64)
        units = entrants if teams is None else teams.parts
        by_opponent = experiment.seats == 2 and teams is None and entrants <= OPPONENTS_MAX
        cells = experiment.seats * (entrants if by_opponent else 1)
        return cls(np.zeros((FOLDS, units, cells, TERMS, TERMS)), experiment.seats, members, by_opponent)

    def add(self, block: Block) -> None:
        """Add a block that was played with `rerolls`. Raises ValueError if it was not."""
        if block.luck is None:
            raise ValueError("the block holds no luck; play its games with rerolls")
        rows, luck = block.rows, block.luck[:, : self.seats]
        others = (luck.sum(axis=1, keepdims=True) - luck) / (self.seats - 1)
        done = np.repeat(rows["status"] == Status.FINISHED, self.seats).reshape(luck.shape).astype(np.float64)
        won = rows["share"][:, : self.seats].astype(np.float64) * done
        terms = np.stack([np.ones(won.shape), won, done, luck, others], axis=-1)
        entrant = rows["entrant"][:, : self.seats].astype(np.int64)
        fold = np.broadcast_to((rows["game"] % FOLDS).astype(np.int64)[:, None], won.shape)
        cell = np.broadcast_to(np.arange(self.seats), won.shape)
        if self.by_opponent:
            cell = cell + self.seats * entrant[:, ::-1]
        products = terms[..., :, None] * terms[..., None, :]
        for part in range(self.members.shape[1]):
            np.add.at(self.sums, (fold, self.members[entrant, part], cell), products)

    def keeping(self, keep: Keep | None) -> Keep:
        """Return a callback that adds every block to the sums and then calls `keep`."""

        def both(block: Block) -> None:
            self.add(block)
            if keep:
                keep(block)

        return both

    @cached_property
    def weights(self) -> Sums:
        """Weights of luck (the seat's, the others') on wins and finished games: (FOLDS, 2, 2), fitted on the other folds.

        Least squares with an intercept for each cell; 0 where the luck does not vary.
        """
        weights = np.zeros((FOLDS, 2, 2))
        for fold in range(FOLDS):
            within = _within(np.delete(self.sums, fold, axis=0)).sum(axis=(0, 1, 2))
            weights[fold] = np.linalg.lstsq(within[OWN:, OWN:], within[OWN:, WON : DONE + 1], rcond=1e-9)[0].T
        return weights

    @property
    def gain(self) -> float:
        """How many times fewer games give the same variance, over all units; NaN without games."""
        before, after = self.left(np.zeros((FOLDS, 2, 2))).sum(), self.left(self.weights).sum()
        return float(before / after) if after > 0 else float("nan")

    def totals(self, weights: Sums) -> tuple[Sums, Sums]:
        """Wins and finished games minus luck times its weights, (units,) each."""
        first = self.sums[..., ONE, :].sum(axis=2)
        return tuple(np.einsum("fwi,fi->w", first, _less(weights, term)) for term in (WON, DONE))

    def left(self, weights: Sums) -> Sums:
        """Remaining sum of squares about the cell means, (units,).

        Of wins minus rate times finished games, with luck times its weights subtracted from both.
        """
        won, done = self.totals(weights)
        rate = np.divide(won, done, out=np.zeros(len(won)), where=done > 0)
        off = _less(weights, WON)[None] - rate[:, None, None] * _less(weights, DONE)[None]
        within = _within(self.sums).sum(axis=2)
        return np.asarray(np.einsum("wfi,fwij,wfj->w", off, within, off))


def _within(sums: Sums) -> Sums:
    """Sums of products about the cell means, same shape."""
    games = sums[..., ONE, ONE]
    first = sums[..., ONE, :]
    return np.asarray(sums - first[..., :, None] * first[..., None, :] / np.maximum(games, 1)[..., None, None])


def _less(weights: Sums, term: int) -> Sums:
    """Coefficients of the terms that give wins (WON) or finished games (DONE) minus luck, by fold, (FOLDS, TERMS)."""
    coefficients = np.zeros((FOLDS, TERMS))
    coefficients[:, term] = 1.0
    coefficients[:, OWN:] = -weights[:, term - WON]
    return coefficients


def win_rates(luck_sums: LuckSums, names: Iterable[str]) -> pd.DataFrame:
    """Win rate of each entrant (of teams: each part) with the luck taken out, beside the plain one, best first.

    Columns: entrant, name, estimate, low, high (Student), n, plain, plain_low, plain_high (Wilson), gain: how many times as
    many games the same interval would take without it. NaN below DEGREES_MIN degrees of freedom or WINS_MIN wins or losses.
    """
    by_cell, nothing = luck_sums.sums[..., ONE, ONE], np.zeros((FOLDS, 2, 2))
    played, cells = by_cell.sum(axis=(0, 2)), (by_cell > 0).sum(axis=(0, 2))
    wins, games = luck_sums.totals(nothing)
    degrees = np.minimum(played - cells, games - 1)
    less_wins, less_games = luck_sums.totals(luck_sums.weights)
    before, after = luck_sums.left(nothing), luck_sums.left(luck_sums.weights)
    with np.errstate(divide="ignore", invalid="ignore"):  # those that are not known
        mean, spread, gain = less_wins / less_games, after * played / ((played - cells) * less_games**2), before / after
        half = stdtrit(np.maximum(degrees, 1), (1 + LEVEL) / 2) * np.sqrt(spread)
    plain = proportions(np.clip(wins, 0, games), np.rint(games).astype(np.int64))
    frame = pd.DataFrame({"entrant": np.arange(len(games)), "name": list(names), "estimate": mean, "low": mean - half})
    frame = frame.assign(
        high=mean + half, n=plain["n"], plain=plain["estimate"], plain_low=plain["low"], plain_high=plain["high"]
    )
    known = (degrees >= DEGREES_MIN) & (np.minimum(wins, games - wins) >= WINS_MIN)
    frame.loc[~(known & (less_games > 0)), ["estimate", "low", "high"]] = np.nan
    frame = frame.assign(gain=np.where(known & (after > 0), gain, np.nan))
    return frame.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


TIMED = (20, 2000, 20)  # games timed both ways: least and most; one in this number of the run's games
NOT_WORTH_IT = "Below 1, --aivat costs more time than it saves: leave it out and play more games instead."


def luck_of(experiment: Experiment, *, until: bool) -> LuckSums:
    """Empty sums for a run with --aivat. Raises ValueError if the design allows no such estimate."""
    if experiment.pair_games > 1:
        raise ValueError("--aivat and --paired: games of a pair already share their luck; choose one of the two")
    if until:
        raise ValueError("--aivat and --precision: the precision is measured on plain win rates; choose one of the two")
    return LuckSums.of(experiment)


def relative_time(experiment: Experiment, jobs: int | None = None) -> float:
    """How many times as long a game takes with luck as without: plays some of the games again, both ways.

    Each way is played twice and the faster time counts, so that loading and compiling do not.
    """
    least, most, part = TIMED
    sample = replace(experiment, games_wanted=min(most, max(least, experiment.games // part)))
    times: dict[int, float] = {}
    for rerolls in (0, REROLLS) * 2:
        began = perf_counter()
        for _ in blocks(sample, jobs, rerolls=rerolls):
            pass
        times[rerolls] = min(times.get(rerolls, float("inf")), perf_counter() - began)
    return times[REROLLS] / max(times[0], 1e-9)


def less_luck(sums: LuckSums, experiment: Experiment, jobs: int | None = None) -> tuple[Table, dict[str, Any], list[str]]:
    """Table of the win rates with the luck taken out, facts for JSON, and sentences on the gain in games and in time."""
    teams = experiment.teams
    frame = win_rates(sums, distinct(experiment.cards.names if teams is None else teams.names))
    frame = frame[frame["n"] > 0]
    columns = rate_columns(name=teams.word if teams else experiment.game.entrant_word) | {"plain": "plain", "gain": "gain"}
    shown = table(frame, "less-luck", "Win rates with the luck taken out", columns, {"plain": "percent"})
    few = int(frame["estimate"].isna().sum())
    gain = sums.gain if few < len(frame) else float("nan")
    sentences = []
    if few:
        left_out = f"{count(few)} rates with the luck taken out are not shown"
        sentences.append(f"{left_out}: fewer than {WINS_MIN} games won, or not won.")
    if not isnan(gain):
        sentences += [
            f"With the luck taken out, {number(gain)} times fewer games give the same interval. Each roll and draw is compared "
            f"with {REROLLS} samples of the same chance, and its effect on the winning chances, as estimated by the game's "
            "evaluation, is subtracted. The averages stay the same (AIVAT, Burch et al. 2018). The gain column gives the factor "
            "for each row.",
            net_words(gain, relative_time(experiment, jobs)),
        ]
    return shown, {"rerolls": REROLLS, "gain": None if isnan(gain) else gain}, sentences


def net_words(gain: float, longer: float) -> str:
    """Sentence on the net gain if a game takes `longer` times as long, with a warning below 1."""
    sentence = f"A game then takes {number(longer)} times as long: the net gain is {number(gain / longer)}"
    if gain < longer:
        return f"{sentence}. {NOT_WORTH_IT}"
    return f"{sentence}, that is, plain games of the same precision would take that many times as long."
