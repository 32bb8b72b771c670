"""Play games for win rates: a fixed number, or until every win rate is precise enough.

Memory is constant and Ctrl-C keeps the games played so far. With a precision, the run looks at its results after fixed numbers
of games; its bounds are confidence sequences, which hold at every look. Observations are single games if games are independent,
pairs if games share dice, and rounds if the parts of teams are compared (see `analysis.stats.sequential`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pandas as pd

from analysis.answer.numbers import seats_word
from analysis.answer.verdicts import COLUMNS, sequence, with_verdicts
from analysis.data.encounters import PairTally
from analysis.data.rows import Rows, Tally, distinct
from analysis.stats.intervals import FAIR_BAND, LEVEL, ClusterSums, adjust
from analysis.stats.sequential import (
    LEAST_CLUSTERS,
    Floats,
    games_needed,
    half_widths,
    looks,
    mean_p,
    mean_sequence,
    share_p,
    share_sequence,
)
from analysis.winrates.rates import PartTally, SumsOfGames, add_sums, incidence, wins_by_unit
from sim.engine.loop import Status
from sim.experiments.experiment import Coupling, Experiment
from sim.run import Block, blocks, keeper_in_use, source_in_use
from sim.store import StoreError

Watch = Callable[[str, int, int], None]
Keep = Callable[[Block], None]
Play = Callable[[Experiment], Iterator[Block]]


class Stopper(Protocol):
    """Stopping rule of a run: counts blocks in order and looks at the results after fixed numbers of games."""

    @property
    def next_look(self) -> int:
        """Number of games after which `reached` is called next."""

    def add(self, rows: Rows) -> None:
        """Count a block of rows, none of them beyond the next look."""

    def reached(self) -> bool:
        """Look at the results: whether the run can stop."""


@dataclass(frozen=True)
class Played:
    """A tally and the run that produced it."""

    experiment: Experiment
    tally: Tally
    parts: PartTally | None  # if entrants are teams
    games: int  # played and counted; fewer than wanted if interrupted
    interrupted: bool
    elapsed_s: float
    until: Until | None = None  # precision wanted and reached
    pairs: PairTally | None = None  # if games share their dice
    was_read: bool = False  # games came from a stored run, so elapsed_s does not measure playing
    recalled: int = 0  # games kept from an interrupted command


def coupled(experiment: Experiment, paired: bool, coupling: str) -> Experiment:
    """Return the experiment with games in pairs, if wanted, and dice keyed by seat or by entrant.

    Raises ValueError for an unknown coupling, and if a line-up cannot be played from every seat.
    """
    words: tuple[Coupling, ...] = ("seat", "entrant")
    if coupling not in words:
        raise ValueError(f"coupling={coupling!r} must be seat or entrant")
    changed = replace(experiment, paired=paired, coupling=words[words.index(coupling)])
    if paired and changed.pair_games == 1:
        formed = f"{changed.game.entrants_word} of these cards are only formed during the game"
        why = formed if changed.seats > 1 else "with one seat there are no seats to swap"
        raise ValueError(f"--paired: {why}, so there are no pairs; leave it out")
    return changed


def play_for_tally(
    experiment: Experiment,
    jobs: int | None = None,
    watch: Watch | None = None,
    keep: Keep | None = None,
    until: Until | None = None,
) -> Played:
    """Play an experiment and count its games.

    watch: called with (stage, games done, games in all) after every block. keep: called with every block, e.g. to write it to
    disk. until: ends the run once the win rates are precise enough; blocks are cut at its looks, so that the result does not
    depend on the workers, and the experiment of the result holds the games played. KeyboardInterrupt
    (Ctrl-C) ends the run; all blocks up to then, in the order of the game index, stay counted.
    """
    began = time.monotonic()
    counts = SumsOfGames.of(experiment)

    def count(block: Block) -> None:
        counts.add(block.rows)
        if keep:
            keep(block)

    done, interrupted = 0 if keep or until else _count_sums(experiment, counts), False
    if not done:
        done, interrupted = play_until(experiment, until, jobs, watch, count)
    if until and done and not interrupted:
        experiment = replace(experiment, games_wanted=done)
    elapsed_s, keeper = time.monotonic() - began, keeper_in_use()
    was_read, recalled = source_in_use() is not None, keeper.recalled if keeper else 0
    return Played(experiment, counts.tally, counts.parts, done, interrupted, elapsed_s, until, counts.pairs, was_read, recalled)


def _count_sums(experiment: Experiment, counts: SumsOfGames) -> int:
    """Count the sums that the game source in use holds for these games, if any; returns their number of games."""
    source = source_in_use()
    sums = source.sums(experiment) if source else None
    if sums is None:
        return 0
    done = 0
    for games, columns in sums:
        done += games
        try:
            add_sums(counts, columns)
            if counts.tally.games.sum() != done:
                raise StoreError(f"its sums do not cover the {games:,} games given in the file name")
        except StoreError as error:
            raise StoreError(f"{source}: summary of games {done - games}..{done - 1}: {error}") from None
    return done


def play_until(
    experiment: Experiment,
    stopper: Stopper | None,
    jobs: int | None = None,
    watch: Watch | None = None,
    count: Keep | None = None,
) -> tuple[int, bool]:
    """Play until the stopper is satisfied or all games are played; returns the games counted and whether Ctrl-C ended the run.

    Blocks are cut at the looks of the stopper and come in order, so that its decision does not depend on the workers.
    """
    done = 0
    try:
        for block in _cut(blocks(experiment, jobs), stopper):
            if count:
                count(block)
            if stopper:
                stopper.add(block.rows)
            done = block.first + len(block.rows)
            if watch:
                watch(seats_word(experiment.seats), done, experiment.games)
            if stopper and done == stopper.next_look and stopper.reached():
                break
    except KeyboardInterrupt:
        return done, True
    return done, False


def _cut(played: Iterator[Block], until: Stopper | None) -> Iterator[Block]:
    """Cut blocks at the looks of `until`."""
    for block in played:
        first, end = block.first, block.first + len(block.rows)
        while until and until.next_look < end:
            piece = slice(first - block.first, until.next_look - block.first)
            first = until.next_look
            yield _piece(block, piece)
        yield _piece(block, slice(first - block.first, len(block.rows)))


def _piece(block: Block, piece: slice) -> Block:
    """Consecutive games of a block."""
    return Block(block.first + piece.start, block.rows[piece], block.outcomes[piece])


@contextmanager
def open_rows(path: Path | None, experiment: Experiment) -> Iterator[Keep | None]:
    """Open the file that every game is written to, if a path is given."""
    if path is None:
        yield None
        return
    from analysis.output.files import rows_file

    with rows_file(path, experiment) as rows:
        yield rows.add


POINTS_MIN = 0.001  # percentage points: about 10^10 games of each entrant, which take weeks
POINTS_MAX = 50.0  # percentage points: no win rate is farther from 50 %
FIRST_LOOK, GROWTH = 1000, 1.1  # games at the first look; factor from each to the next: at most a tenth too many are played
PASS_MAX = 1000  # games: looks come after whole passes of the design up to this length, else after whole rounds
ROOM = 2.0  # default limit on games, as a multiple of the expected number

REACHED, USED_UP, INTERRUPTED = "precision reached", "games used up", "interrupted"


@dataclass(frozen=True)
class Units:
    """Entrants or parts whose win rates are wanted.

    within: (entrants, units), how often an entrant contains a unit; wanted: indices of the units that play.
    """

    words: str
    names: list[str]
    within: Floats
    wanted: list[int]

    @property
    def per_seat(self) -> float:
        """Mean number of times that a unit that plays sits on a seat of a game."""
        return float(self.within.sum(axis=1).mean() / len(self.wanted))


def checked_precision(points: float) -> float:
    """Convert a half-width from percentage points to a share. Raises ValueError unless POINTS_MIN to POINTS_MAX."""
    words = "above 0 and at most 50: half the width of the intervals in percentage points"
    if 0 < points < POINTS_MIN:
        words = f"at least {POINTS_MIN:g} percentage points: smaller ones take more than 10^10 games"
    if not POINTS_MIN <= points <= POINTS_MAX:
        raise ValueError(f"precision={points:g} must be {words}")
    return points / 100


def units_of(experiment: Experiment) -> Units:
    """Return the parts of teams, if entrants are teams and all of them can meet, else the entrants."""
    teams, entrants = experiment.teams, len(experiment.cards.ids)
    if teams is not None and experiment.line_up is None:
        within = incidence(teams.members, teams.parts).astype(np.float64)
        return Units(teams.words, distinct(teams.names), within, list(range(teams.parts)))
    line_up = experiment.line_up
    wanted = list(range(entrants)) if line_up is None else sorted(set(line_up))
    return Units(experiment.game.entrants_word, distinct(experiment.cards.names), np.eye(entrants), wanted)


def expected_games(experiment: Experiment, half_width: float) -> int:
    """Expected games until every win rate near its fair share is this precise, if games are independent."""
    share = 1 / experiment.seats if experiment.seats > 1 else 0.5
    return ceil(games_needed(half_width, share) / (experiment.seats * units_of(experiment).per_seat))


def most_games(experiment: Experiment, half_width: float) -> int:
    """Return the default limit on games."""
    return ceil(ROOM * expected_games(experiment, half_width))


class Until:
    """Counts the games of a run, block by block in order, until every half-width is small enough: a `Stopper`.

    half_width: a share. looks: numbers of games after which `reached` is called, whole passes or rounds of the design.
    """

    def __init__(self, experiment: Experiment, half_width: float) -> None:
        self.experiment, self.half_width, seats = experiment, half_width, experiment.seats
        self.units = units_of(experiment)
        whole = experiment.pass_games
        unit = whole if whole is not None and whole <= PASS_MAX else experiment.round_games
        self.looks = looks(experiment.games, unit, FIRST_LOOK, GROWTH)
        self.looked: list[int] = []
        self.widest = 1.0  # half-width at the last look
        size, sits_in = self.units.within.shape[1], seats * self.units.per_seat
        self._wins, self._games = np.zeros((2, size))
        self._groups: ClusterSums | None = None  # of games that are correlated
        self.observations = "games"  # what the intervals treat as independent
        # observations of a unit for which its bounds are tightest: those needed for the precision, or all games if fewer
        self._tuned = max(1.0, min(games_needed(half_width, 1 / seats if seats > 1 else 0.5), experiment.games * sits_in))
        if self.of_parts or experiment.pair_games > 1:
            self._groups = ClusterSums(size)
            self.observations = "rounds" if self.of_parts else "pairs" if seats == 2 else "groups of games"
            together = experiment.round_games if self.of_parts else experiment.pair_games
            self._tuned = max(float(LEAST_CLUSTERS), self._tuned / max(1.0, together * sits_in))

    @property
    def of_parts(self) -> bool:
        """Whether the units are parts of teams, not entrants."""
        return self.experiment.teams is not None and self.experiment.line_up is None

    @property
    def next_look(self) -> int:
        """Number of games at the next look."""
        return self.looks[len(self.looked)]

    def add(self, rows: Rows) -> None:
        """Count a block of rows, none of them beyond the next look."""
        seats = self.experiment.seats
        if self._groups is None:
            finished = (rows["status"] == Status.FINISHED).astype(np.float64)
            entrant = rows["entrant"][:, :seats].astype(np.int64).ravel()
            weight, size = np.repeat(finished, seats), self._games.size
            self._games += np.bincount(entrant, weight, size)
            self._wins += np.bincount(entrant, weight * rows["share"][:, :seats].ravel(), size)
            return
        number = self.experiment.round_of if self.of_parts else self.experiment.pair_of
        self._groups.add(number(rows["game"]), *wins_by_unit(rows, seats, self.units.within))

    def reached(self) -> bool:
        """Look at the results: whether every win rate is precise enough."""
        self.looked.append(self.next_look)
        self.widest = self.widest_now()
        return self.widest <= self.half_width

    def widest_now(self) -> float:
        """Half-width of the least certain win rate, a share; 1 if a unit has no games."""
        return float(half_widths(self.bounds().iloc[self.units.wanted]).max())

    def bounds(self) -> pd.DataFrame:
        """Win rates of all units by index: columns estimate, low, high, n (finished games)."""
        if self._groups is None:
            return share_sequence(self._wins, self._games, self._tuned)
        return mean_sequence(self._groups.table(), self._tuned)

    @property
    def sums(self) -> pd.DataFrame:
        """Sums over groups of games, as `ClusterSums.table`. Raises ValueError if games are independent."""
        if self._groups is None:
            raise ValueError("games of this design are independent; there are no groups of games")
        return self._groups.table()

    def rates(self, fair: float, band: float = FAIR_BAND) -> pd.DataFrame:
        """Win rates of the units that played, best first.

        Columns: unit (index), name, estimate, low, high, n, fair, p (against fair), p_holm and those of `verdicts.with_verdicts`.
        p-values and verdicts are valid whenever the run stops.
        """
        wanted, size = self.units.wanted, self._games.size
        table = self.bounds().assign(name=self.units.names, fair=fair, p=self._p(np.full(size, fair)))
        table = table.rename_axis("unit").reset_index().iloc[wanted]

        def p_of_wanted(share: Floats) -> Floats:
            spread = np.full(size, np.nan)
            spread[wanted] = share
            return self._p(spread)[wanted]

        tail = sequence(table["estimate"], p_of_wanted)
        table = with_verdicts(table.assign(p_holm=adjust(table["p"])), tail, band)
        columns = ["unit", "name", "estimate", "low", "high", "n", "fair", "p", "p_holm", *COLUMNS]
        return table[columns].sort_values("estimate", ascending=False, kind="stable", ignore_index=True)

    def _p(self, share: Floats) -> Floats:
        """p-values of all units against shares, (units,), valid whenever the run stops."""
        if self._groups is None:
            return share_p(self._wins, self._games, share, self._tuned)
        return mean_p(self._groups.table(), share, self._tuned)


Command = Callable[..., str]  # writes a command from the options that change: precision (points), games

FINER = 2.0  # how many times as precise the suggested next run is, once the precision was reached


def precision_of(played: Played, command: Command | None) -> dict[str, Any]:
    """Why a run with --precision ended and how precise it is, by the names in JSON; empty for an ordinary run.

    command: continues the run, with the same seed, so that it starts with the games of this run. An interrupted run has games
    beyond its last look, which count for its half-width (of the widest interval).
    """
    until = played.until
    if until is None:
        return {}
    games: int | None = until.experiment.games_wanted
    points, why = 100 * until.half_width, INTERRUPTED
    if not played.interrupted and until.widest <= until.half_width:
        points, games, why = points / FINER, None, REACHED
    elif not played.interrupted:  # the games that should reach the precision, with a margin, given the width so far
        expected = max(
            played.games,
            min(played.games * (until.widest / until.half_width) ** 2, expected_games(until.experiment, until.half_width)),
        )
        games, why = ceil(ROOM * expected), USED_UP
    return {
        "wanted": until.half_width,
        "half_width": until.widest_now() if played.interrupted else until.widest,
        "stopped_because": why,
        "looks": until.looked,
        "level": LEVEL,
        "observations": until.observations,
        "command": command(precision=points, games=games) if command else None,
    }
