"""The block files of a run: which there are, by their names, whether they verify, and what they hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

import numpy as np

from sim.engine.loop import ROW
from sim.experiments.experiment import Experiment
from sim.run import Block
from sim.store.columns import Layout
from sim.store.disk import StoreError, entries, read, remove, write
from sim.store.manifest import KEEPS, Manifest
from sim.store.parts import DIGITS, Columns, OtherRunError, Part, block_of, opened, sums_of

BLOCKS = "blocks"
FILE = re.compile(rf"(\d{{14}})-(\d{{1,14}})-([0-9a-f]{{{DIGITS}}})\.parquet")
FILE_BASE = 4_000_000  # bytes that a file may have ...
GAME_TIMES = 3  # ... besides so many times what its records take in memory
SUMS_MAX, SUMS_BYTES_MAX = 20_000_000, 200_000_000  # lines and bytes of a block of sums


@dataclass(frozen=True)
class Held:
    """A block file by its name."""

    first: int
    games: int
    digest: str
    path: Path


class BlockFiles:
    """The block files of one run."""

    def __init__(self, folder: Path, manifest: Manifest, experiment: Experiment) -> None:
        self.folder, self._manifest, self._experiment = folder / BLOCKS, manifest, experiment
        self._has_rows = manifest.keep == KEEPS[0]

    def grid(self) -> Iterator[tuple[int, int]]:
        """(first game, games) of every block."""
        size, games = self._manifest.block_games, self._experiment.games
        return ((first, min(size, games - first)) for first in range(0, games, size))

    def is_block(self, one: Held) -> bool:
        """Whether a file holds the games of one of these."""
        size, games = self._manifest.block_games, self._experiment.games
        return one.first % size == 0 and one.first < games and one.games == min(size, games - one.first)

    def all(self) -> list[Held]:
        """All block files by their names, in order."""
        names = (FILE.fullmatch(path.name) for path in entries(self.folder))
        found = [Held(int(name[1]), int(name[2]), name[3], self.folder / name[0]) for name in names if name]
        return sorted(found, key=lambda one: (one.first, -one.games, one.digest))

    def leading(self) -> Iterator[Held]:
        """Block files from game 0 on without gaps."""
        end = 0
        for one in self.all():
            if one.first == end and 0 < one.games <= self._manifest.block_games:
                yield one
                end += one.games

    def blocks(self, games: int) -> Iterator[Block]:
        """Blocks of the first games, the last one cut."""
        layout = Layout.of(self._experiment)
        for one in self.leading():
            if one.first >= games:
                return
            block = self.take(one, lambda part: block_of(part, layout))
            if not np.array_equal(block.rows["game"], np.arange(one.first, one.first + one.games, dtype=np.uint64)):
                raise StoreError(f"{one.path}: does not hold games {one.first}..{one.first + one.games - 1} in order")
            count = min(one.games, games - one.first)
            yield Block(one.first, block.rows[:count], block.outcomes[:count])

    def sums(self) -> Iterator[tuple[int, Columns]]:
        """(games, sums) of the blocks from game 0 on without gaps."""
        for one in self.leading():
            yield one.games, self.take(one, lambda part: sums_of(part, SUMS_MAX))

    def take(self, one: Held, take: Callable[[Part], Any]) -> Any:
        """Read a file, verify it, and take out what it holds. Raises StoreError naming the file."""
        try:
            part = self._part(one)
            return take(part)
        except OtherRunError as error:
            raise StoreError(f"{one.path}: {error}") from None
        except StoreError as error:
            told = str(error)
            where = "" if told.startswith(str(one.path)) else f"{one.path}: "
            raise StoreError(
                f"{where}{told}; `fairfight run {quote(str(self.folder.parent))}` plays its games again"
            ) from None

    def _part(self, one: Held) -> Part:
        """A file's content, held against its name. Raises StoreError."""
        row = ROW.itemsize + self._experiment.game.outcome.itemsize
        most = FILE_BASE + (GAME_TIMES * row * one.games if self._has_rows else SUMS_BYTES_MAX)
        try:
            part = Part(self._manifest.identity, one.first, one.games, read(one.path, most))
        except FileNotFoundError:
            raise StoreError("is gone") from None
        if part.digest != one.digest:
            raise StoreError("is damaged: its content does not have the digest that its name tells")
        return part

    def verified(self) -> tuple[set[tuple[int, int]], list[str], dict[int, list[Path]]]:
        """What is there: (first game, games) of the blocks that verify; files that do not, and why; files to go, by first game.

        Files go once the games that they were to hold are there: damaged ones, and the last one of a run that has grown since.
        """
        good: set[tuple[int, int]] = set()
        damaged: list[str] = []
        going: dict[int, list[Path]] = {}
        layout = Layout.of(self._experiment) if self._has_rows else None
        for one in self.all():
            block = (one.first, one.games)
            if self.is_block(one) and block not in good and self._verifies(one, layout, damaged):
                good.add(block)
            else:
                going.setdefault(one.first, []).append(one.path)
        return good, damaged, going

    def _verifies(self, one: Held, layout: Layout | None, damaged: list[str]) -> bool:
        """Whether a file is what its name tells; if not, says so in `damaged`. Raises StoreError for one of another run."""
        try:
            opened(self._part(one), layout)
        except OtherRunError as error:
            raise StoreError(f"{one.path}: {error}") from None
        except StoreError as error:
            damaged.append(f"{one.path.name} {str(error).removeprefix(f'{one.path}: ')}")
            return False
        return True

    def put(self, part: Part, going: Iterable[Path]) -> None:
        """Write the file of a block, then delete others that were to hold its games."""
        path = self.folder / f"{part.first:014d}-{part.games}-{part.digest}.parquet"
        write(path, part.content)
        for other in going:
            if other != path:
                remove(other)
