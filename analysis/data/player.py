"""The player of a study: plays experiments on all cores, or reads games that exist, and reports progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from analysis.data.leading import Leading
from analysis.data.selection import Chosen, fields_of
from sim.experiments.experiment import Experiment
from sim.run import Block, GameSource, blocks, reading_from


class Watch(Protocol):
    """Shows progress: of a stage, the games done, the games in all, 0 if unknown, and words for the results so far."""

    def __call__(self, stage: str, done: int, total: int, results: Callable[[], str] = str, /) -> None:
        """Show it."""


def silent(stage: str, done: int, total: int, results: Callable[[], str] = str) -> None:
    """Show nothing."""


@dataclass(eq=False)
class Player:
    """Plays games, or reads those of a source, and reports how many are done.

    jobs: workers, all cores if None; results do not depend on it. partial: an interrupt ends an experiment early, with the whole
    rounds so far; else it raises KeyboardInterrupt. shown: which games were counted after an interrupt, else empty.
    """

    jobs: int | None = None
    watch: Watch = silent
    source: GameSource | None = None
    partial: bool = False
    shown: str = ""
    _done: dict[str, int] = field(default_factory=dict)

    @cached_property
    def _reading(self) -> Reading | None:
        """The source, with what has been read of it; None without one."""
        return None if self.source is None else Reading(self.source)

    def play(self, experiment: Experiment, stage: str = "games", total: int = 0) -> Iterator[Block]:
        """Yield the blocks of an experiment in the order of the game index.

        stage: what progress is reported of; several experiments can share one. total: games of the stage, if known.

        Raises KeyboardInterrupt after an interrupt, if not `partial` or not even one round was played.
        """
        if self.shown:
            raise KeyboardInterrupt
        played, leading = 0, Leading(experiment)
        try:
            for block in _in_rounds(self._blocks(experiment), experiment.round_games):
                yield block
                played += len(block.rows)
                leading.add(block.rows)
                self.report(stage, len(block.rows), max(total, experiment.games), leading.words)
        except KeyboardInterrupt:
            if not (self.partial and played):
                raise
            if played < experiment.games:
                self.shown = f"the first {played:,} of {experiment.games:,} games"

    @property
    def has_only_sums(self) -> bool:
        """Whether the source keeps sums over its games instead of the games."""
        return not getattr(self.source, "has_rows", True)

    @property
    def place(self) -> str:
        """The folder of the source, for messages."""
        return str(getattr(self.source, "folder", self.source))

    def sums(self, experiment: Experiment) -> Iterator[tuple[int, dict[str, np.ndarray]]] | None:
        """Sums over blocks of all games of an experiment, with their numbers of games; None if the source has none of these."""
        return self.source.sums(experiment) if self.source else None

    def report(self, stage: str, more: int, total: int, results: Callable[[], str] = str) -> None:
        """Report that more of a stage is done. results: so far, in words."""
        self._done[stage] = self._done.get(stage, 0) + more
        self.watch(stage, self._done[stage], max(total, self._done[stage]), results)

    def counted(self, experiment: Experiment, games: int) -> Experiment:
        """The experiment as far as it was played. games: that were played."""
        return replace(experiment, games_wanted=games) if games < experiment.games else experiment

    def _blocks(self, experiment: Experiment) -> Iterator[Block]:
        """Blocks of an experiment, from the source as far as it has them."""
        if self._reading is None:
            yield from blocks(experiment, self.jobs)
        else:
            with reading_from(self._reading):
                yield from blocks(experiment, self.jobs)


@dataclass(eq=False)
class Reading:
    """A source of games as a player reads it: also selections of its games, such as those of an entrant.

    Games that other code has played are read once, for the question about them: they are never compared with games played now.
    spent: whether that has happened.
    """

    source: GameSource
    spent: bool = False

    def read(self, experiment: Experiment) -> Iterator[Block] | None:
        """See `GameSource`."""
        if self.spent:
            return None
        games = self.source.read(experiment)
        if games is None and isinstance(experiment, Chosen):
            games = self._selected(experiment)
        if games is not None:
            self.spent = getattr(self.source, "has_other_sources", False)
        return games

    def sums(self, experiment: Experiment) -> Iterator[tuple[int, dict[str, np.ndarray]]] | None:
        """See `GameSource`."""
        return self.source.sums(experiment)

    def _selected(self, experiment: Chosen) -> Iterator[Block] | None:
        """Blocks of games picked from the experiment of the source; None for those of other entrants than all."""
        if experiment.members or not experiment.games:
            return None
        wanted = {name: value for name, value in fields_of(experiment).items() if name != "members"}
        games = self.source.read(Experiment(**{**wanted, "games_wanted": int(experiment.index[-1]) + 1}))
        return None if games is None else _picked(games, experiment.index)


def _picked(played: Iterator[Block], index: np.ndarray) -> Iterator[Block]:
    """Games with these indexes. index: ascending."""
    done = 0
    for block in played:
        chosen = np.isin(block.rows["game"], index)
        yield Block(done, block.rows[chosen], block.outcomes[chosen])
        done += int(chosen.sum())


def _in_rounds(played: Iterator[Block], games: int) -> Iterator[Block]:
    """The same games in blocks of whole rounds."""
    rest: Block | None = None
    for block in played:
        whole = block if rest is None else _joined(rest, block)
        end = len(whole.rows) // games * games
        rest = _piece(whole, slice(end, len(whole.rows)))
        if end:
            yield _piece(whole, slice(0, end))
    if rest is not None and len(rest.rows):  # possible for games read from a run folder
        yield rest


def _joined(first: Block, second: Block) -> Block:
    """Two consecutive blocks as one."""
    rows = np.concatenate([first.rows, second.rows])
    outcomes = np.concatenate([first.outcomes, second.outcomes])
    return Block(first.first, rows, outcomes)


def _piece(block: Block, piece: slice) -> Block:
    """Consecutive games of a block."""
    return Block(block.first + piece.start, block.rows[piece], block.outcomes[piece])
