"""Win rates with the luck taken out.

Win rates with the luck taken out: the same averages from fewer games (control variates in the manner of AIVAT).

Burch, Schmid, Moravcik, Morrill and Bowling, "AIVAT: A new variance reduction technique for agent evaluation in imperfect
information games", AAAI 2018. `sim.engine.luck` tells how far every roll and draw of a game moved each seat's winning chance
from what was to be expected; that is zero on average. Here it is taken off the results, times a weight by which least is left
to vary (Lavenberg and Welch, "A perspective on the use of control variables", Management Science 27, 1981). The weights come
from the other half of the games, so that they know nothing of the results that they correct and no bias comes in.

What `fairfight winrates --less-luck` adds to its answer: the table of win rates with the luck taken out, and the gain.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import isnan
from time import perf_counter

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from analysis.data.rows import distinct
from analysis.document.cells import number
from analysis.document.model import Table
from analysis.stats.intervals import LEVEL, proportions
from analysis.winrates.play import Keep
from analysis.winrates.tables import Summary, percents
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.run import Block, blocks

REROLLS = 16  # samples of each chance: the expectation is then so near that 1/16 of its variance comes back
FOLDS = 2
ONE, WON, DONE, OWN, OTHERS = range(
    5
)  # 1, share of the win, whether finished, the seat's luck, the mean of the others'
TERMS = 5
DEGREES_MIN = 10  # degrees of freedom below which the spread of what is left is not known
OPPONENTS_MAX = 200  # entrants of which every pair is kept apart

Sums = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LuckSums:
    """Sums of products of observations: all that the estimates need, whatever the number of games.

    An observation is one seat of a game. It counts for the entrant there or, of teams, for each of its parts. What a balanced
    design holds equally often (opponent and seat) is kept apart as cells: it is no chance, and must not be taken for spread.

    sums: (FOLDS, who, cells, TERMS, TERMS). members: (entrants, parts of a team): for whom an entrant counts.
    """

    sums: Sums
    seats: int
    members: NDArray[np.int64]
    by_opponent: bool

    @classmethod
    def of(cls, experiment: Experiment) -> LuckSums:
        """Sums over no games yet. Raises ValueError at one seat, where there is nobody to win against."""
        if experiment.seats < 2:
            raise ValueError(f"seats={experiment.seats}: luck is taken out of win rates from two seats on")
        entrants, teams = len(experiment.cards.ids), experiment.teams
        members = np.arange(entrants)[:, None] if teams is None else np.asarray(teams.members, np.int64)
        who = entrants if teams is None else teams.parts
        by_opponent = experiment.seats == 2 and teams is None and entrants <= OPPONENTS_MAX
        cells = experiment.seats * (entrants if by_opponent else 1)
        return cls(np.zeros((FOLDS, who, cells, TERMS, TERMS)), experiment.seats, members, by_opponent)

    def add(self, block: Block) -> None:
        """Add a block that was played with `rerolls`. Raises ValueError for one that was not."""
        if block.luck is None:
            raise ValueError("the games were played without telling their luck; play them with rerolls")
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

    @cached_property
    def weights(self) -> Sums:
        """What to take off wins and finished games per unit of luck, own and others': (FOLDS, 2, 2), fitted on the other folds.

        Least squares with a level of its own for each cell. 0 where nothing is known of the luck.
        """
        found = np.zeros((FOLDS, 2, 2))
        for fold in range(FOLDS):
            within = _within(np.delete(self.sums, fold, axis=0)).sum(axis=(0, 1, 2))
            found[fold] = np.linalg.lstsq(within[OWN:, OWN:], within[OWN:, WON : DONE + 1], rcond=1e-9)[0].T
        return found

    @property
    def gain(self) -> float:
        """How many times fewer games suffice for the same spread, over all; NaN without games."""
        before, after = self.left(np.zeros((FOLDS, 2, 2))).sum(), self.left(self.weights).sum()
        return float(before / after) if after > 0 else float("nan")

    def totals(self, weights: Sums) -> tuple[Sums, Sums]:
        """Wins and finished games once luck times its weights is taken off, (who,) each."""
        first = self.sums[..., ONE, :].sum(axis=2)
        return tuple(np.einsum("fwi,fi->w", first, _less(weights, term)) for term in (WON, DONE))

    def left(self, weights: Sums) -> Sums:
        """Sum of squares about the means of the cells of what makes the win rate vary, by whose it is, (who,).

        Wins less the rate times finished games, luck times its weights taken off both.
        """
        won, done = self.totals(weights)
        rate = np.divide(won, done, out=np.zeros(len(won)), where=done > 0)
        off = _less(weights, WON)[None] - rate[:, None, None] * _less(weights, DONE)[None]
        within = _within(self.sums).sum(axis=2)
        return np.asarray(np.einsum("wfi,fwij,wfj->w", off, within, off))


def _within(sums: Sums) -> Sums:
    """Sums of products about the means of their cells, same shape."""
    games = sums[..., ONE, ONE]
    first = sums[..., ONE, :]
    return np.asarray(sums - first[..., :, None] * first[..., None, :] / np.maximum(games, 1)[..., None, None])


def _less(weights: Sums, term: int) -> Sums:
    """What makes wins (WON) or finished games (DONE) less their luck out of the terms, by fold, (FOLDS, TERMS)."""
    found = np.zeros((FOLDS, TERMS))
    found[:, term] = 1.0
    found[:, OWN:] = -weights[:, term - WON]
    return found


def win_rates(found: LuckSums, names: Iterable[str], level: float = LEVEL) -> pd.DataFrame:
    """Win rate of each entrant (of teams: each part) with the luck taken out, beside the plain one: a line each, best first.

    Columns: entrant, name, estimate, low, high (Student), n, plain, plain_low, plain_high (Wilson), gain: how many times as
    many games would be needed without. NaN where fewer than DEGREES_MIN games are left to tell the spread from.
    """
    by_cell, nothing = found.sums[..., ONE, ONE], np.zeros((FOLDS, 2, 2))
    played, cells = by_cell.sum(axis=(0, 2)), (by_cell > 0).sum(axis=(0, 2))
    wins, games = found.totals(nothing)
    degrees = np.minimum(played - cells, games - 1)
    known = degrees >= DEGREES_MIN
    less_wins, less_games = found.totals(found.weights)
    mean = _ratio(less_wins, less_games, known & (less_games > 0))
    before, after = found.left(nothing), found.left(found.weights)
    spread = _ratio(after * played, (played - cells) * less_games**2, known & (less_games > 0))
    half = stats.t.ppf((1 + level) / 2, np.maximum(degrees, 1)) * np.sqrt(spread)
    plain = proportions(np.clip(wins, 0, games), np.rint(games).astype(np.int64), level)
    frame = pd.DataFrame({"entrant": np.arange(len(games)), "name": list(names)})
    frame["estimate"], frame["low"], frame["high"] = mean, mean - half, mean + half
    frame["n"] = np.rint(games).astype(np.int64)
    frame["plain"], frame["plain_low"], frame["plain_high"] = plain["estimate"], plain["low"], plain["high"]
    frame["gain"] = _ratio(before, after, known & (after > 0))
    return frame.sort_values("estimate", ascending=False, kind="stable").reset_index(drop=True)


def _ratio(over: Sums, under: Sums, known: NDArray[np.bool_]) -> Sums:
    """Elementwise ratio, NaN where it is not known."""
    return np.asarray(np.divide(over, under, out=np.full(len(over), np.nan), where=known))


TIMED, TIMED_PART = (20, 2000), 20  # games of which both ways are timed: least and most, one in so many of the run
NOT_WORTH_IT = "Below 1 it costs more time than it saves: leave --less-luck out and play more games instead."
COLUMNS = {"win rate": "estimate", "low": "low", "high": "high", "n": "n", "plain": "plain", "gain": "gain"}


@dataclass(frozen=True, eq=False)
class Luck:
    """What is counted while games are played; nothing where luck is not asked for."""

    sums: LuckSums | None

    @classmethod
    def asked(cls, experiment: Experiment, wanted: bool, *, until: bool) -> Luck:
        """Begin to count if it is wanted. Raises ValueError where the games allow no such estimate."""
        if wanted and experiment.pair_games > 1:
            raise ValueError("--less-luck and --paired: games of a pair share their luck already; choose one of them")
        if wanted and until:
            raise ValueError(
                "--less-luck and --precision: a run that looks at itself goes by plain win rates; choose one"
            )
        return cls(LuckSums.of(experiment) if wanted else None)

    @property
    def rerolls(self) -> int:
        """Samples of each chance, 0 where luck is not asked for."""
        return REROLLS if self.sums else 0

    def keeping(self, keep: Keep | None) -> Keep | None:
        """What must see every block: the sums, and whoever else wanted to."""
        sums = self.sums
        if sums is None:
            return keep

        def both(block: Block) -> None:
            sums.add(block)
            if keep:
                keep(block)

        return both


def relative_time(experiment: Experiment, jobs: int | None = None) -> float:
    """How many times as long a game takes with its luck as without: some of the games are played again, both ways.

    Each way is played twice and the faster time counts, so that what is loaded or compiled first does not.
    """
    least, most = TIMED
    sample = replace(experiment, games_wanted=min(most, max(least, experiment.games // TIMED_PART)))
    times: dict[int, float] = {}
    for rerolls in (0, REROLLS) * 2:
        began = perf_counter()
        for _ in blocks(sample, jobs, rerolls=rerolls):
            pass
        times[rerolls] = min(times.get(rerolls, float("inf")), perf_counter() - began)
    return times[REROLLS] / max(times[0], 1e-9)


def with_less_luck(summary: Summary, experiment: Experiment, luck: Luck, jobs: int | None = None) -> Summary:
    """The summary with the table, how much was gained, and what is left of it once the longer time is counted."""
    if luck.sums is None:
        return summary
    teams = experiment.teams
    names = distinct(experiment.cards.names if teams is None else teams.names)
    frame = win_rates(luck.sums, names)
    frame = frame[frame["n"] > 0]
    word = experiment.game.entrant_word if teams is None else teams.word
    rows = tuple(frame[["name", *COLUMNS.values()]].astype(object).itertuples(index=False, name=None))
    formats = percents("win rate", "low", "high", "plain")
    table = Table("less-luck", (word, *COLUMNS), rows, "Win rates with the luck taken out", formats)
    gain = luck.sums.gain
    facts = summary.facts | {"rerolls": REROLLS, "gain": None if isnan(gain) else gain}
    return replace(summary, facts=facts, less_luck=table, lines=(*summary.lines, *_lines(gain, experiment, jobs)))


def _lines(gain: float, experiment: Experiment, jobs: int | None) -> tuple[str, ...]:
    """How to read it."""
    if isnan(gain):
        return ()
    return (
        f"With the luck taken out, {number(gain)} times fewer games give the same interval: what rolls and draws did to the "
        f"winning chances, as the game's judgement sees them, is compared with {REROLLS} samples of the same chance and taken "
        "off. That leaves the averages as they are (AIVAT, Burch et al. 2018). Gain: the same by whose games they are.",
        net_words(gain, relative_time(experiment, jobs)),
    )


def net_words(gain: float, longer: float) -> str:
    """What is left of the gain where a game takes `longer` times as long, in a sentence that warns below 1."""
    known = f"A game takes {number(longer)} times as long so: the net gain is {number(gain / longer)}"
    if gain < longer:
        return f"{known}. {NOT_WORTH_IT}"
    return f"{known}, which is how many times as long plain games of the same precision would take."
