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

import numpy as np

from analysis import interrupts
from analysis.counts import Counts
from analysis.rows import Rows
from analysis.tally import Tally
from analysis.wording import count
from sim.experiment import Experiment
from sim.run import Block, blocks, keeper_in_use, shelf_in_use

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
    from analysis.summary import add_sums
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
    from analysis.output_files import rows_file

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
