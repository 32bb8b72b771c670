"""Playing for win rates, until they are known well enough.

Play an experiment for its tally alone: constant memory however many games, and Ctrl-C keeps what is done.

Play until every win rate is known well enough: looks at fixed numbers of games, bounds that hold however often one looks.

What is counted is decided by the design. Where games have dice of their own the entrants' games are the observations; where
pairs share dice, or the parts of teams are judged, pairs or rounds are (see `sequential`).

What the tables of win rates say of a run that was to go on until it is precise: bounds, why it ended, how it goes on.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pandas as pd

from analysis import interrupts
from analysis.data.rows import Rows, Tally, distinct
from analysis.document.cells import THIN, count
from analysis.document.verdicts import COLUMNS, judged, sequence
from analysis.stats.clusters import ClusterSums
from analysis.stats.intervals import FAIR_BAND, LEVEL, adjust
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
from analysis.winrates.counts import Counts
from analysis.winrates.rates import fair_share, incidence
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.run import Block, blocks, keeper_in_use, shelf_in_use

if TYPE_CHECKING:
    from analysis.data.pairs_of_games import PairTally
    from analysis.winrates.counts import PartTally

Watch = Callable[[str, int, int], None]
Keep = Callable[[Block], None]
Play = Callable[[Experiment], Iterator[Block]]


class Stopper(Protocol):
    """What decides when a run ends: counts blocks in order and looks at fixed numbers of games."""

    @property
    def next_look(self) -> int:
        """Games after which `reached` is asked next."""

    def add(self, rows: Rows) -> None:
        """Count a block of rows, none of them beyond the next look."""

    def reached(self) -> bool:
        """Look: whether enough has been played."""


@dataclass(frozen=True)
class Played:
    """A tally and how it came about."""

    experiment: Experiment
    tally: Tally
    parts: PartTally | None  # of entrants that are teams
    games: int  # played and counted; fewer than wanted if interrupted
    interrupted: bool
    elapsed_s: float
    until: Until | None = None  # what the run was to go on for, and how far it came
    pairs: PairTally | None = None  # where games share their dice
    was_read: bool = False  # games of a run were at hand, so that the time says nothing of playing
    recalled: int = 0  # games that were kept when the command was interrupted

    @property
    def time_words(self) -> str:
        """How long it took, as a sentence."""
        if self.recalled:
            return f"{count(self.recalled)} games were kept before; the others were played in {self.elapsed_s:.1f} s."
        if self.was_read:
            return f"Worked out from a run in {self.elapsed_s:.1f} s."
        return f"Played in {self.elapsed_s:.1f} s: {count(self.games / max(self.elapsed_s, 1e-9))} games/s."


def play_for_tally(
    experiment: Experiment,
    jobs: int | None = None,
    watch: Watch | None = None,
    keep: Keep | None = None,
    until: Until | None = None,
    rerolls: int = 0,
) -> Played:
    """Play an experiment and count. watch: called with (what is played, games done, games in all) after every block.

    keep: called with every block, e.g. to write it to disk. KeyboardInterrupt (Ctrl-C) ends the run: all blocks up to
    then, in the order of the game index, stay counted. until: ends it once the win rates are known well enough; blocks are
    cut where it looks, so that what is counted does not depend on how games were shared out among workers. The experiment of
    the result is then that of the games played. rerolls: samples of each chance from which the blocks that `keep` sees tell
    luck; 0: untold.
    """
    began = time.monotonic()
    counts, interrupted = Counts.of(experiment), False
    done = 0 if keep or until else _count_sums(experiment, counts)
    try:
        with interrupts.shown_so_far(), _Gate().held() as gate:
            for block in _cut(blocks(experiment, jobs, rerolls=rerolls), until) if not done else ():
                with gate.shut():
                    counts.add(block.rows)
                    if until:
                        until.add(block.rows)
                    done += len(block.rows)
                    if keep:
                        keep(block)
                    if watch:
                        watch(f"{experiment.seats} seats", done, experiment.games)
                    if until and done == until.next_look and until.reached():
                        break
    except KeyboardInterrupt:
        interrupted = True
    if until and done and not interrupted:
        experiment = replace(experiment, games_wanted=done)
    elapsed_s = time.monotonic() - began
    return Played(
        experiment,
        counts.tally,
        counts.parts,
        done,
        interrupted,
        elapsed_s,
        until,
        counts.pairs,
        shelf_in_use() is not None,
        keeper.recalled if (keeper := keeper_in_use()) else 0,
    )


def _count_sums(experiment: Experiment, counts: Counts) -> int:
    """Count the sums that a shelf in use holds of these very games, if it does; returns how many games they are of."""
    shelf = shelf_in_use()
    sums = shelf.sums(experiment) if shelf else None
    if sums is None:
        return 0
    from analysis.winrates.counts import add_sums
    from sim.store import StoreError

    done = 0
    for games, columns in sums:
        done += games
        try:
            add_sums(counts, columns)
            if counts.tally.games.sum() != done:
                raise StoreError(f"its sums are of other games than the {games:,} that the file's name tells of")
        except StoreError as error:
            raise StoreError(f"{shelf}: summary of games {done - games}..{done - 1}: {error}") from None
    return done


def play_until(experiment: Experiment, stopper: Stopper, jobs: int | None = None, watch: Watch | None = None) -> bool:
    """Play until the stopper has enough or all games are played; returns whether Ctrl-C ended it.

    Blocks are cut where the stopper looks and come in order, so that its decision does not depend on the workers.
    """
    try:
        with interrupts.shown_so_far(), _Gate().held() as gate:
            for block in _cut(blocks(experiment, jobs), stopper):
                with gate.shut():
                    stopper.add(block.rows)
                    done = block.first + len(block.rows)
                    if watch:
                        watch(f"{experiment.seats} seats", done, experiment.games)
                    if done == stopper.next_look and stopper.reached():
                        break
    except KeyboardInterrupt:
        return True
    return False


def _cut(played: Iterator[Block], until: Stopper | None) -> Iterator[Block]:
    """Blocks as they come, cut where `until` looks."""
    for block in played:
        first, end = block.first, block.first + len(block.rows)
        while until and until.next_look < end:
            piece = slice(first - block.first, until.next_look - block.first)
            first = until.next_look
            yield _piece(block, piece)
        yield _piece(block, slice(first - block.first, len(block.rows)))


def _piece(block: Block, piece: slice) -> Block:
    """Consecutive games of a block."""
    luck = None if block.luck is None else block.luck[piece]
    return Block(block.first + piece.start, block.rows[piece], block.outcomes[piece], luck)


def counted(watch: Watch, jobs: int | None, total: int = 0) -> Play:
    """Make a way of playing that tells `watch` how many games have been played in all. total: that will be, 0: not known."""
    done = 0

    def play(experiment: Experiment) -> Iterator[Block]:
        nonlocal done
        for block in blocks(experiment, jobs):
            done += len(block.rows)
            watch("games", done, total)
            yield block

    return play


class SoFar:
    """A way of playing an experiment that ends early when it is interrupted, after whole rounds, so that these can be shown.

    games: that it handed on; interrupted: whether it ended early. Raises KeyboardInterrupt where not even a round was played.
    """

    def __init__(self, play: Play) -> None:
        self._play, self.games, self.interrupted = play, 0, False

    def __call__(self, experiment: Experiment) -> Iterator[Block]:
        """Play an experiment."""
        try:
            with interrupts.shown_so_far():
                for block in _in_rounds(self._play(experiment), experiment.round_games):
                    self.games += len(block.rows)
                    yield block
        except KeyboardInterrupt:
            if not self.games:
                raise
            self.interrupted = self.games < experiment.games

    def shown(self, experiment: Experiment) -> Experiment:
        """The experiment with the games that it handed on."""
        return replace(experiment, games_wanted=self.games) if self.interrupted else experiment

    def leave(self, experiment: Experiment) -> None:
        """End the command if it was interrupted."""
        if self.interrupted:
            interrupts.leave(f"shown: the first {self.games:,} of {experiment.games:,} games")


def _in_rounds(played: Iterator[Block], games: int) -> Iterator[Block]:
    """The same games in blocks of whole rounds."""
    rest: Block | None = None
    for block in played:
        whole = block if rest is None else _joined(rest, block)
        end = len(whole.rows) // games * games
        rest = _piece(whole, slice(end, len(whole.rows)))
        if end:
            yield _piece(whole, slice(0, end))
    if rest is not None and len(rest.rows):  # as may be of games that were played before
        yield rest


def _joined(one: Block, other: Block) -> Block:
    """Two blocks, one behind the other, without luck."""
    rows, outcomes = (np.concatenate(both) for both in ((one.rows, other.rows), (one.outcomes, other.outcomes)))
    return Block(one.first, rows, outcomes)


@contextmanager
def open_rows(path: Path | None, experiment: Experiment) -> Iterator[Keep | None]:
    """Open the file that every game is to be written to, if one is named."""
    if path is None:
        yield None
        return
    from analysis.output.files import rows_file

    with rows_file(path, experiment) as rows:
        yield rows.add


class _Gate:
    """Holds Ctrl-C and SIGTERM back while a block is being counted, so that no block is counted by half."""

    def __init__(self) -> None:
        self._shut, self._waiting = False, 0

    @contextmanager
    def held(self) -> Iterator[_Gate]:
        """Take over both signals for a while; does nothing outside the main thread, where none arrives."""
        if threading.current_thread() is not threading.main_thread():
            yield self
            return
        before = {number: signal.signal(number, self._on_signal) for number in interrupts.SIGNALS}
        try:
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def shut(self) -> Iterator[None]:
        """Hold signals back inside; one that came is raised at the end."""
        self._shut = True
        yield
        self._shut = False
        if self._waiting:
            interrupts.stop(self._waiting)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if not self._shut:
            interrupts.stop(number, frame)
        self._waiting = number


POINTS_MIN = 0.001  # percentage points: some 10^10 games of each entrant, which take weeks
POINTS_MAX = 50.0  # percentage points: no win rate is farther from the middle
FIRST_LOOK, GROWTH = (
    1000,
    1.1,
)  # games; how many times as many at each further look: at most a tenth too many are played
PASS_MAX = 1000  # games: whole passes of the design are looked at if they are not longer, else whole rounds
ROOM = 2.0  # times as many games as should be needed may be played

REACHED, USED_UP, INTERRUPTED = "precision reached", "games used up", "interrupted"


@dataclass(frozen=True)
class Units:
    """What win rates are wanted of. within: (entrants, units), how often a unit is in an entrant; wanted: units that sit down."""

    words: str
    names: list[str]
    within: Floats
    wanted: list[int]


def checked_precision(points: float) -> float:
    """Half-width as a share from percentage points. Raises ValueError unless POINTS_MIN to POINTS_MAX."""
    if not 0 < points <= POINTS_MAX:
        raise ValueError(
            f"precision={points:g} must be above 0 and at most 50: half the width of the intervals in percentage points"
        )
    if points < POINTS_MIN:
        raise ValueError(
            f"precision={points:g} must be at least {POINTS_MIN:g} percentage points: finer ones take more than 10^10 games"
        )
    return points / 100


def units_of(experiment: Experiment) -> Units:
    """The parts of teams, if there are teams and all of them may meet, else the entrants."""
    teams, entrants = experiment.teams, len(experiment.cards.ids)
    if teams is not None and experiment.line_up is None:
        within = incidence(teams.members, teams.parts).astype(np.float64)
        return Units(teams.words, distinct(teams.names), within, list(range(teams.parts)))
    line_up = experiment.line_up
    wanted = list(range(entrants)) if line_up is None else sorted(set(line_up))
    return Units(experiment.game.entrants_word, distinct(experiment.cards.names), np.eye(entrants), wanted)


def expected_games(experiment: Experiment, half_width: float) -> int:
    """Games of the design after which every win rate near its fair share should be so precise, if games are independent."""
    share = 1 / experiment.seats if experiment.seats > 1 else 0.5
    return ceil(games_needed(half_width, share) / _sits_in(experiment, units_of(experiment)))


def most_games(experiment: Experiment, half_width: float) -> int:
    """Games that may be played where nobody says how many."""
    return ceil(ROOM * expected_games(experiment, half_width))


class Until:
    """Counts the games of a run, block by block in order, and tells when every half-width is small enough.

    half_width: a share. looks: numbers of games after which to ask `reached`, whole passes or rounds of the design.
    """

    def __init__(self, experiment: Experiment, half_width: float) -> None:
        self.experiment, self.half_width = experiment, half_width
        self.units = units_of(experiment)
        whole = experiment.pass_games
        unit = whole if whole is not None and whole <= PASS_MAX else experiment.round_games
        self.looks = looks(experiment.games, unit, FIRST_LOOK, GROWTH)
        self.looked: list[int] = []
        self.widest = 1.0  # half-width at the last look
        self._wins, self._games = np.zeros((2, self.units.within.shape[1]))
        self._groups = ClusterSums(self.units.within.shape[1]) if self._grouped else None

    @property
    def expected(self) -> int:
        """Games of the design that the precision should take."""
        return expected_games(self.experiment, self.half_width)

    @property
    def next_look(self) -> int:
        """Games after which to look next."""
        return self.looks[len(self.looked)]

    @property
    def observations(self) -> str:
        """What the intervals take for independent."""
        if not self._grouped:
            return "games"
        return "rounds" if self.of_parts else "pairs" if self.experiment.seats == 2 else "groups of games"

    def add(self, rows: Rows) -> None:
        """Count a block of rows, none of them beyond the next look."""
        seats = self.experiment.seats
        finished = (rows["status"] == Status.FINISHED).astype(np.float64)
        if self._groups is None:
            entrant = rows["entrant"][:, :seats].astype(np.int64).ravel()
            weight, size = np.repeat(finished, seats), self._games.size
            self._games += np.bincount(entrant, weight, size)
            self._wins += np.bincount(entrant, weight * rows["share"][:, :seats].ravel(), size)
            return
        wins, games = np.zeros((2, len(rows), self._games.size))
        for seat in range(seats):
            within = self.units.within[rows["entrant"][:, seat]] * finished[:, None]
            games += within
            wins += within * rows["share"][:, seat, None]
        number = self.experiment.round_of if self.of_parts else self.experiment.pair_of
        self._groups.add(number(rows["game"]), wins, games)

    def reached(self) -> bool:
        """Look: whether every win rate is precise enough after the games counted."""
        self.looked.append(self.next_look)
        self.widest = self.widest_now()
        return self.widest <= self.half_width

    def widest_now(self) -> float:
        """Half-width of the least certain win rate, a share; 1 where one has no games."""
        return float(half_widths(self.bounds().iloc[self.units.wanted]).max())

    def bounds(self) -> pd.DataFrame:
        """Win rates of all units in the order of their numbers: columns estimate, low, high, n (finished games)."""
        if self._groups is None:
            return share_sequence(self._wins, self._games, self._tuned)
        return mean_sequence(self._groups.table(), self._tuned)

    @property
    def sums(self) -> pd.DataFrame:
        """Sums over the groups of games, as `clusters.ClusterSums.table`. Raises ValueError where games have their own dice."""
        if self._groups is None:
            raise ValueError("games of this design do not hang together; there are no groups of them")
        return self._groups.table()

    def rates(self, fair: float, band: float = FAIR_BAND) -> pd.DataFrame:
        """Win rates of those that sat down, best first.

        Columns: unit (number), name, estimate, low, high, n, fair, p (against fair, valid whenever one stops), p_holm,
        and those of `verdicts.judged`, as valid.
        """
        wanted = self.units.wanted
        found = self.bounds().assign(name=self.units.names, fair=fair, p=self._p(np.full(len(self.units.names), fair)))
        found = found.rename_axis("unit").reset_index().iloc[wanted]
        tail = sequence(found["estimate"], lambda share: self._p(_spread_over(share, wanted, self._games.size))[wanted])
        found = judged(found.assign(p_holm=adjust(found["p"])), tail, band)
        columns = ["unit", "name", "estimate", "low", "high", "n", "fair", "p", "p_holm", *COLUMNS]
        return found[columns].sort_values("estimate", ascending=False, kind="stable", ignore_index=True)

    def _p(self, share: Floats) -> Floats:
        """p-values of all units against shares, (units,), that hold whenever one stops."""
        if self._groups is None:
            return share_p(self._wins, self._games, share, self._tuned)
        return mean_p(self._groups.table(), share, self._tuned)

    @cached_property
    def of_parts(self) -> bool:
        """Whether the parts of teams are judged, not the entrants."""
        return self.experiment.teams is not None and self.experiment.line_up is None

    @cached_property
    def _grouped(self) -> bool:
        """Whether games hang together."""
        return self.of_parts or self.experiment.pair_games > 1

    @cached_property
    def _tuned(self) -> float:
        """Observations of a unit at which its bounds are narrowest: when precise enough, or when all games are played."""
        share = 1 / self.experiment.seats if self.experiment.seats > 1 else 0.5
        sits_in = _sits_in(self.experiment, self.units)
        needed = min(games_needed(self.half_width, share), self.experiment.games * sits_in)
        if not self._grouped:
            return max(1.0, needed)
        together = self.experiment.round_games if self.of_parts else self.experiment.pair_games
        return max(float(LEAST_CLUSTERS), needed / max(1.0, together * sits_in))


def _sits_in(experiment: Experiment, units: Units) -> float:
    """Seats that a unit has in a game, on average over those that sit down."""
    if experiment.line_up is not None:
        return experiment.seats / len(units.wanted)
    return float(experiment.seats * units.within.sum(axis=1).mean() / len(units.wanted))


def _spread_over(values: Floats, wanted: list[int], size: int) -> Floats:
    """Values of the wanted units in the places of all, NaN for the others."""
    found = np.full(size, np.nan)
    found[wanted] = values
    return found


def games_to_go(until: Until, games: int) -> int:
    """Games in all after which the precision should be reached, with some room, from how wide the bounds are after `games`."""
    return ceil(ROOM * max(games, min(games * (until.widest / until.half_width) ** 2, until.expected)))


Command = Callable[..., str]  # writes a command from the options that change: precision (points), games

FINER = 2.0  # how many times as precise the run is that goes on from one that was precise enough


def judged_so_far(rates: pd.DataFrame, played: Played) -> pd.DataFrame:
    """Win rates of the entrants (`matchups.win_rates`) with the bounds, p-values and verdicts of the confidence sequence.

    Unchanged of an ordinary run, and where the parts of teams were judged.
    """
    until = played.until
    if until is None or until.of_parts:
        return rates
    seats = played.experiment.seats
    found = until.rates(fair_share(seats, float(played.tally.decided[seats]))).set_index("unit")
    columns = ["low", "high", "p", "p_holm", *COLUMNS]
    kept = rates[rates["entrant"].isin(found.index)].reset_index(drop=True)
    return kept.assign(**{name: found.loc[kept["entrant"], name].to_numpy() for name in columns})


def reason(played: Played, until: Until) -> str:
    """Why the run ended."""
    if played.interrupted:
        return INTERRUPTED
    return REACHED if until.widest <= until.half_width else USED_UP


def following(played: Played, command: Command) -> str:
    """The command that goes on, with the same seed: the games of this run are its first games."""
    until = played.until
    assert until is not None
    why = reason(played, until)
    if why == REACHED:
        return command(precision=100 * until.half_width / FINER, games=None)
    most = until.experiment.games_wanted if why == INTERRUPTED else games_to_go(until, played.games)
    return command(precision=100 * until.half_width, games=most)


def lines(played: Played, command: Command | None) -> list[str]:
    """Why the run ended, how precise it is, and what goes on."""
    until = played.until
    if until is None:
        return []
    looked = f"{count(len(until.looked))} look{'' if len(until.looked) == 1 else 's'}"
    said = {
        REACHED: f"Stopped because every win rate is known to {_points(until.half_width)}",
        USED_UP: f"Stopped because the games were used up before every win rate was known to {_points(until.half_width)}",
        INTERRUPTED: f"Interrupted before every win rate was known to {_points(until.half_width)}",
    }[reason(played, until)]
    widest = f"the widest interval reaches {_points(_widest(played, until), 2)} from its estimate"
    found = [f"{said}: {widest}, after {count(played.games)} games and {looked}."]
    return [*found, f"To go on from these games: {following(played, command)}"] if command else found


def as_json(played: Played, command: Command | None) -> dict[str, Any]:
    """The same as plain values, under `precision`; empty of an ordinary run."""
    until = played.until
    if until is None:
        return {}
    found = {
        "wanted": until.half_width,
        "half_width": _widest(played, until),
        "stopped_because": reason(played, until),
        "looks": until.looked,
        "level": LEVEL,
        "observations": until.observations,
        "command": following(played, command) if command else None,
    }
    return {"precision": found}


def _widest(played: Played, until: Until) -> float:
    """The half-width of the games counted, which of an interrupted run are more than those of the last look."""
    return until.widest_now() if played.interrupted else until.widest


def _points(half_width: float, digits: int | None = None) -> str:
    """A half-width in percentage points."""
    points = 100 * half_width
    return f"\u00b1{points:g}{THIN}points" if digits is None else f"{points:.{digits}f}{THIN}points"
