"""Play an experiment for its tally alone: constant memory however many games, and Ctrl-C keeps what is done."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Protocol

from analysis.rows import Rows
from analysis.tally import Tally
from sim.engine.dice import SEATS_MAX
from sim.experiment import Experiment
from sim.run import Block, blocks

if TYPE_CHECKING:
    from analysis.paired_rates import PairTally
    from analysis.parts import PartTally
    from analysis.until import Until

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


def play_for_tally(
    experiment: Experiment,
    jobs: int | None = None,
    watch: Watch | None = None,
    keep: Keep | None = None,
    until: Until | None = None,
) -> Played:
    """Play an experiment and count. watch: called with (what is played, games done, games in all) after every block.

    keep: called with every block, e.g. to write it to disk. KeyboardInterrupt (Ctrl-C) ends the run: all blocks up to
    then, in the order of the game index, stay counted. until: ends it once the win rates are known well enough; blocks are
    cut where it looks, so that what is counted does not depend on how games were shared out among workers. The experiment of
    the result is then that of the games played.
    """
    began = time.monotonic()
    tally = Tally.empty(len(experiment.cards.ids), SEATS_MAX)
    parts, pairs = _part_tally(experiment), _pair_tally(experiment)
    done, interrupted = 0, False
    try:
        with _Gate().held() as gate:
            for block in _cut(blocks(experiment, jobs), until):
                with gate.shut():
                    tally.add(block.rows)
                    if parts:
                        parts.add(block.rows)
                    if pairs:
                        pairs.add(block.rows)
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
    return Played(experiment, tally, parts, done, interrupted, time.monotonic() - began, until, pairs)


def play_until(experiment: Experiment, stopper: Stopper, jobs: int | None = None, watch: Watch | None = None) -> bool:
    """Play until the stopper has enough or all games are played; returns whether Ctrl-C ended it.

    Blocks are cut where the stopper looks and come in order, so that its decision does not depend on the workers.
    """
    try:
        with _Gate().held() as gate:
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
            yield Block(block.first + piece.start, block.rows[piece], block.outcomes[piece])
        yield Block(first, block.rows[first - block.first :], block.outcomes[first - block.first :])


def _part_tally(experiment: Experiment) -> PartTally | None:
    """Make what counts the parts of teams, if there are teams."""
    if experiment.teams is None:
        return None
    from analysis.parts import PartTally  # noqa: PLC0415 - loads the statistics

    return PartTally(experiment)


def _pair_tally(experiment: Experiment) -> PairTally | None:
    """Make what counts pairs, if games share their dice."""
    if experiment.pair_games == 1:
        return None
    from analysis.paired_rates import PairTally  # noqa: PLC0415 - as above

    return PairTally(experiment)


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


@contextmanager
def open_rows(path: Path | None, experiment: Experiment) -> Iterator[Keep | None]:
    """Open the file that every game is to be written to, if one is named."""
    if path is None:
        yield None
        return
    from sim.store import rows_file  # noqa: PLC0415 - loads pyarrow

    with rows_file(path, experiment) as rows:
        yield rows.add


class _Gate:
    """Holds Ctrl-C back while a block is being counted, so that no block is counted by half."""

    def __init__(self) -> None:
        self._shut = self._waiting = False

    @contextmanager
    def held(self) -> Iterator[_Gate]:
        """Take over SIGINT for a while; does nothing outside the main thread, where no signal arrives."""
        if threading.current_thread() is not threading.main_thread():
            yield self
            return
        before = signal.signal(signal.SIGINT, self._on_signal)
        try:
            yield self
        finally:
            signal.signal(signal.SIGINT, before)

    @contextmanager
    def shut(self) -> Iterator[None]:
        """Hold signals back inside; one that came is raised at the end."""
        self._shut = True
        yield
        self._shut = False
        if self._waiting:
            raise KeyboardInterrupt

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if not self._shut:
            raise KeyboardInterrupt
        self._waiting = True
