"""A run as a folder: a manifest and one Parquet file per block of games. An interrupted run continues where it stopped.

A file appears under its name only when it is complete; the name holds its games and the digest of its content. Blocks that
verify are kept, the others are played. A game depends on the seed, its line-up and its index alone, so a run that was killed
and continued holds the same bytes as one that was not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from joblib import delayed

from sim.experiments.experiment import AgainstAll, Experiment
from sim.run import Block, spread
from sim.store import lock
from sim.store.blockfiles import BLOCKS, FILE, BlockFiles
from sim.store.disk import StoreError, entries, is_unfinished, make_folder, read, reason, remove, sweep, write
from sim.store.manifest import KEEPS, NAME, SIZE_MAX, Manifest, manifest_path
from sim.store.parts import Columns, Part, Summarise, play_part
from sim.store.sizes import checked_block_games

OURS = re.compile("|".join((FILE.pattern, re.escape(NAME), re.escape(lock.HOLDER))))  # names of the files of a run

Watch = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Filled:
    """Result of `Run.fill`."""

    kept: int  # games that were already there
    played: int  # games played now
    damaged: tuple[str, ...]  # files that did not verify, with reasons; their games were played again


class Run:
    """A run folder; see `begin`, `open`, `fill` and `read`."""

    def __init__(self, folder: Path, manifest: Manifest, experiment: Experiment) -> None:
        self.folder, self.manifest, self.experiment = folder, manifest, experiment
        self.files = BlockFiles(folder, manifest, experiment)

    def __repr__(self) -> str:
        """Folder and progress in one line."""
        return f"Run({str(self.folder)!r}, {self.held:,} of {self.experiment.games:,} games)"

    @classmethod
    def open(cls, folder: Path | str) -> Run:
        """Open a run folder. Raises StoreError if it is not one, or if its manifest is invalid."""
        folder = Path(folder)
        try:
            text = read(manifest_path(folder), SIZE_MAX)
        except FileNotFoundError:
            raise StoreError(f"{folder}: holds no {NAME}; `fairfight run GAME --out DIR` creates a run folder") from None
        manifest = Manifest.parse(text, str(manifest_path(folder)))
        try:
            return cls(folder, manifest, checked(manifest))
        except StoreError as error:
            raise StoreError(f"{folder}/{error}") from None

    @classmethod
    def begin(cls, folder: Path | str, experiment: Experiment, keep: str | None = None, block_games: int | None = None) -> Run:
        """Create a run folder for an experiment, or open the one that exists.

        keep: `rows` (if None) or `summary`; block_games: games of a block, rounded up to whole rounds; by default, as many as
        take about a second. An existing run can get more games, but nothing else can change. Raises StoreError if the existing
        run differs, if the folder holds other files, and while another process writes to it.
        """
        folder = Path(folder)
        if keep not in {None, *KEEPS}:
            raise StoreError(f"keep={keep!r}: must be {' or '.join(KEEPS)}")
        if not is_run(folder):
            cls._new(folder, experiment, keep, block_games)  # raises before anything is created
        make_folder(folder)
        with lock.held(checked_place(folder)):
            sweep(folder, OURS)
            if manifest_path(folder).exists():
                return cls._reopened(folder, experiment, keep, block_games)
            manifest = cls._new(folder, experiment, keep, block_games)
            write(manifest_path(folder), manifest.text.encode())
        return cls(folder, manifest, manifest.experiment())

    @classmethod
    def _new(cls, folder: Path, experiment: Experiment, keep: str | None, block_games: int | None) -> Manifest:
        """The manifest of a new run. Raises StoreError if the folder holds other files."""
        others = {path.name for path in entries(folder) if not is_unfinished(path, OURS)}
        if others := others - {lock.LOCK, lock.HOLDER, BLOCKS, NAME}:
            raise StoreError(f"{folder}: holds other files ({min(others)}); name a new folder or that of a run")
        kept = keep or KEEPS[0]
        return Manifest.of(experiment, kept, checked_block_games(experiment, kept, block_games))

    @classmethod
    def _reopened(cls, folder: Path, experiment: Experiment, keep: str | None, block_games: int | None) -> Run:
        """Open an existing run after checking that it is the wanted one; add games if more are wanted."""
        run = cls.open(folder)
        manifest = run.manifest
        size = manifest.block_games
        if block_games is not None:
            size = checked_block_games(experiment, keep or manifest.keep, block_games)
        wanted = Manifest.of(experiment, keep or manifest.keep, size)
        if differences := list(manifest.differences(wanted)):
            raise StoreError(f"{folder}: holds another run: {'; '.join(differences)}. Name another folder with --out")
        manifest.check_sources("this installation")
        if wanted.games < manifest.games:
            raise StoreError(
                f"{folder}: is a run of {manifest.games:,} games, not {wanted.games:,}; a run can only grow. Analyse fewer of "
                "its games with --games"
            )
        if wanted.games > manifest.games:
            manifest = replace(manifest, games=wanted.games)
            write(manifest_path(folder), manifest.text.encode())
        return cls(folder, manifest, manifest.experiment())

    @property
    def has_rows(self) -> bool:
        """Whether the run keeps every game, not only sums over blocks."""
        return self.manifest.keep == KEEPS[0]

    @property
    def held(self) -> int:
        """Games from game 0 up to the first gap, by the names of the files."""
        return sum(file.games for file in self.files.leading())

    @property
    def stored(self) -> int:
        """All games on disk, including those after a gap, by the names of the files."""
        return sum(games for _, games in {(file.first, file.games) for file in self.files.all() if self.files.is_block(file)})

    @property
    def size(self) -> int:
        """Bytes of all block files."""
        return sum(file.path.stat().st_size for file in self.files.all())

    @property
    def has_other_sources(self) -> bool:
        """Whether different code began the run, so that games played now could differ from those it holds."""
        try:
            self.manifest.check_sources("this installation")
        except StoreError:
            return True
        return False

    def is_of(self, experiment: Experiment) -> bool:
        """Whether an experiment plays the games of this run, index by index; it can have more or fewer of them."""
        ours = self.experiment
        if type(ours) is not type(experiment):
            return False  # another kind of experiment has other line-ups at the same indices
        entrants = [each.entrant if isinstance(each, AgainstAll) else None for each in (ours, experiment)]
        names = ("game_name", "seats", "policies", "seed", "coupling", "paired", "line_up", "forbidden")
        same = all(getattr(ours, name) == getattr(experiment, name) for name in names)
        return same and entrants[0] == entrants[1] and ours.cards.digest == experiment.cards.digest

    def read(self, experiment: Experiment | None = None) -> Iterator[Block] | None:
        """Blocks from game 0 up to the first gap, see `sim.run.GameSource`; None for another experiment or without rows.

        experiment: limits the number of games; by default all. Raises StoreError for a file that does not verify, and if games
        are missing that this code might play differently.
        """
        wanted = experiment or self.experiment
        if not (self.has_rows and self.is_of(wanted)):
            return None
        if wanted.games > self.held and experiment is not None:
            self.manifest.check_sources("this installation")
        return self.files.blocks(wanted.games)

    def sums(self, experiment: Experiment | None = None) -> Iterator[tuple[int, Columns]] | None:
        """(games, sums) of the blocks from game 0 up to the first gap, see `sim.run.GameSource`; None if the run keeps rows.

        With an experiment, None also unless it has exactly the games on disk. Raises StoreError for a file that does not verify.
        """
        if self.has_rows or (experiment and not (self.is_of(experiment) and experiment.games == self.held)):
            return None
        return self.files.sums()

    def fill(self, jobs: int | None = None, summarise: Summarise | None = None, watch: Watch | None = None) -> Filled:
        """Play the missing and damaged blocks; each is safe on disk before it counts.

        jobs: workers, see `sim.run.blocks`; joblib's `parallel_config` can place them elsewhere. summarise: for a run that keeps
        a summary. watch: called with ("games", games done, games in all). Raises StoreError, for example if the disk is full or
        another process writes to the run. A KeyboardInterrupt loses no finished block.
        """
        if self.has_rows != (summarise is None):
            raise StoreError(f"{self.folder}: keeps {self.manifest.keep}")
        self.manifest.check_sources("this installation")
        with lock.held(checked_place(self.folder)):
            folder = self.folder / BLOCKS
            make_folder(folder)
            for place in (self.folder, folder):
                sweep(place, OURS)
            if Run.open(self.folder).manifest != self.manifest:
                raise StoreError(f"{self.folder}: {NAME} has changed since this run was opened; open it again")
            good, damaged, obsolete = self.files.verified()
            missing = (block for block in self.files.grid() if block not in good)
            kept = sum(games for _, games in good)
            done = kept
            with closing(self._parts(missing, jobs, summarise)) as parts:  # all workers end before the lock is released
                for part in parts:
                    self.files.put(part, obsolete.pop(part.first, []))
                    done += part.games
                    if watch:
                        watch("games", done, self.experiment.games)
            for path in (path for paths in obsolete.values() for path in paths):
                remove(path)
        return Filled(kept, done - kept, tuple(damaged))

    def check(self) -> tuple[int, list[str]]:
        """Verify every block file without changing any; returns the number of valid games, and the damaged files with reasons."""
        good, damaged, _ = self.files.verified()
        return sum(games for _, games in good), damaged

    def _parts(self, missing: Iterable[tuple[int, int]], jobs: int | None, summarise: Summarise | None) -> Generator[Part]:
        """Play blocks, given as (first game, games), and yield them as they finish. Raises StoreError if a worker dies."""
        text = self.manifest.text

        def task(first: int, games: int, stop: np.ndarray) -> Any:
            return delayed(play_part)(text, summarise, first, games, stop)

        parts = spread(task, missing, jobs, "generator_unordered")
        try:
            for part in parts:
                if part is not None:
                    yield part
        except BrokenExecutor:
            raise StoreError(
                f"{self.folder}: a worker process died (killed, or out of memory); {self.stored:,} games are safe, "
                "and the same command plays the others"
            ) from None
        finally:
            parts.close()


def is_run(path: Path | str) -> bool:
    """Whether a path is a run folder."""
    try:
        return manifest_path(Path(path)).is_file()
    except (OSError, ValueError):
        return False


def checked_place(folder: Path) -> Path:
    """Return a run folder. Raises StoreError if a part of it is a link, so that nothing is written outside of the folder."""
    try:
        links = [name for name in (BLOCKS, NAME, lock.LOCK, lock.HOLDER) if (folder / name).is_symlink()]
    except OSError as error:
        raise StoreError(f"{folder}: cannot be read ({reason(error)})") from None
    if links:
        raise StoreError(f"{folder / links[0]}: is a link; a run is written to its own folder only")
    return folder


def checked(manifest: Manifest) -> Experiment:
    """The experiment of a manifest. Raises StoreError if its block size is impossible."""
    experiment, size = manifest.experiment(), manifest.block_games
    try:
        if checked_block_games(experiment, manifest.keep, size) != size:
            raise StoreError(f"block_games={size:,}: must be whole rounds of {experiment.round_games:,} games")
    except StoreError as error:
        raise StoreError(f"{NAME}: {error}") from None
    return experiment
