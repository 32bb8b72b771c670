"""The block files of a run: list, verify, read and write them."""

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
FILE_BASE = 4_000_000  # largest file: this many bytes ...
GAME_TIMES = 3  # ... plus this many times the size of its records in memory
SUMS_MAX, SUMS_BYTES_MAX = 20_000_000, 200_000_000  # largest block of sums: lines and bytes


@dataclass(frozen=True)
class Held:
    """A block file, as described by its name."""

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

    def is_block(self, file: Held) -> bool:
        """Whether a file holds a block of the grid."""
        size, games = self._manifest.block_games, self._experiment.games
        return file.first % size == 0 and file.first < games and file.games == min(size, games - file.first)

    def all(self) -> list[Held]:
        """All block files, in the order of their games."""
        names = (FILE.fullmatch(path.name) for path in entries(self.folder))
        files = [Held(int(name[1]), int(name[2]), name[3], self.folder / name[0]) for name in names if name]
        return sorted(files, key=lambda file: (file.first, -file.games, file.digest))

    def leading(self) -> Iterator[Held]:
        """Block files from game 0 up to the first gap."""
        end = 0
        for file in self.all():
            if file.first == end and 0 < file.games <= self._manifest.block_games:
                yield file
                end += file.games

    def blocks(self, games: int) -> Iterator[Block]:
        """Blocks of the first `games` games; the last block is cut to fit."""
        layout = Layout.of(self._experiment)
        for file in self.leading():
            if file.first >= games:
                return
            block = self.take(file, lambda part: block_of(part, layout))
            end = file.first + file.games
            if not np.array_equal(block.rows["game"], np.arange(file.first, end, dtype=np.uint64)):
                raise StoreError(f"{file.path}: does not hold games {file.first}..{end - 1} in order")
            count = min(file.games, games - file.first)
            yield Block(file.first, block.rows[:count], block.outcomes[:count])

    def sums(self) -> Iterator[tuple[int, Columns]]:
        """(games, sums) of the blocks from game 0 up to the first gap."""
        for file in self.leading():
            yield file.games, self.take(file, lambda part: sums_of(part, SUMS_MAX))

    def take(self, file: Held, extract: Callable[[Part], Any]) -> Any:
        """Read a file, verify its digest and return what `extract` makes of it. Raises StoreError naming the file."""
        try:
            return extract(self._part(file))
        except OtherRunError as error:
            raise StoreError(f"{file.path}: {error}") from None
        except StoreError as error:
            message = str(error)
            where = "" if message.startswith(str(file.path)) else f"{file.path}: "
            raise StoreError(
                f"{where}{message}; `fairfight run {quote(str(self.folder.parent))}` plays its games again"
            ) from None

    def _part(self, file: Held) -> Part:
        """Read a file and compare its content with the digest in its name. Raises StoreError."""
        row = ROW.itemsize + self._experiment.game.outcome.itemsize
        most = FILE_BASE + (GAME_TIMES * row * file.games if self._has_rows else SUMS_BYTES_MAX)
        try:
            part = Part(self._manifest.identity, file.first, file.games, read(file.path, most))
        except FileNotFoundError:
            raise StoreError("is gone") from None
        if part.digest != file.digest:
            raise StoreError("is damaged: its content does not match the digest in its name")
        return part

    def verified(self) -> tuple[set[tuple[int, int]], list[str], dict[int, list[Path]]]:
        """Return the valid blocks as (first game, games), the damaged files with reasons, and the obsolete files by first game.

        Obsolete files are the damaged ones and the short last block of a run that has grown. Each can be deleted once its
        games have been written again.
        """
        good: set[tuple[int, int]] = set()
        damaged: list[str] = []
        obsolete: dict[int, list[Path]] = {}
        layout = Layout.of(self._experiment) if self._has_rows else None
        for file in self.all():
            block = (file.first, file.games)
            if self.is_block(file) and block not in good and self._verifies(file, layout, damaged):
                good.add(block)
            else:
                obsolete.setdefault(file.first, []).append(file.path)
        return good, damaged, obsolete

    def _verifies(self, file: Held, layout: Layout | None, damaged: list[str]) -> bool:
        """Whether a file matches its name; if not, append the reason to `damaged`. Raises StoreError for another run's."""
        try:
            opened(self._part(file), layout)
        except OtherRunError as error:
            raise StoreError(f"{file.path}: {error}") from None
        except StoreError as error:
            damaged.append(f"{file.path.name} {str(error).removeprefix(f'{file.path}: ')}")
            return False
        return True

    def put(self, part: Part, obsolete: Iterable[Path]) -> None:
        """Write the file of a block, then delete the obsolete files of the same games."""
        path = self.folder / f"{part.first:014d}-{part.games}-{part.digest}.parquet"
        write(path, part.content)
        for other in obsolete:
            if other != path:
                remove(other)
