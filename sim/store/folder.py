"""A run as a folder: a manifest and one Parquet file per block of games, gone on with where it was left.

A file appears under its name once it is complete, and its name tells which games it holds and the digest of its content. What
is there and verifies is kept, the rest is played; since a game depends on the seed, its line-up and its index alone, a run
that was killed and continued holds the same bytes as one that was not.
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

OURS = re.compile("|".join((FILE.pattern, re.escape(NAME), re.escape(lock.HOLDER))))  # files that are written to a run

Watch = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Filled:
    """What going on with a run did."""

    kept: int  # games that were there
    played: int  # games that were not
    damaged: tuple[str, ...]  # files that did not verify, and why; their games were played again


class Run:
    """A run folder; see `begin`, `open`, `fill` and `read`."""

    def __init__(self, folder: Path, manifest: Manifest, experiment: Experiment) -> None:
        self.folder, self.manifest, self.experiment = folder, manifest, experiment
        self.files = BlockFiles(folder, manifest, experiment)

    def __repr__(self) -> str:
        """One line."""
        return f"Run({str(self.folder)!r}, {self.held:,} of {self.experiment.games:,} games)"

    @classmethod
    def open(cls, folder: Path | str) -> Run:
        """Open a run folder. Raises StoreError where it is none, or its manifest is not right."""
        folder = Path(folder)
        try:
            text = read(manifest_path(folder), SIZE_MAX)
        except FileNotFoundError:
            raise StoreError(f"{folder}: holds no {NAME}; `fairfight run GAME --out DIR` makes a run folder") from None
        manifest = Manifest.parse(text, str(manifest_path(folder)))
        try:
            return cls(folder, manifest, checked(manifest))
        except StoreError as error:
            raise StoreError(f"{folder}/{error}") from None

    @classmethod
    def begin(
        cls, folder: Path | str, experiment: Experiment, keep: str | None = None, block_games: int | None = None
    ) -> Run:
        """Make a run folder for an experiment, or open the one that is there for it.

        keep: `rows` (if None) or `summary`; block_games: games of a block, rounded up to whole rounds; by default what takes
        about a second. A run that is there may get more games, nothing else. Raises StoreError naming what differs, for a
        folder that holds other things, and while another process goes on with it.
        """
        folder = Path(folder)
        if keep not in {None, *KEEPS}:
            raise StoreError(f"keep={keep!r}: must be {' or '.join(KEEPS)}")
        if not is_run(folder):
            cls._new(folder, experiment, keep, block_games)  # what is wrong with it is said before anything is made
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
        """The manifest of a run that is to begin in a folder. Raises StoreError where the folder holds other things."""
        others = {path.name for path in entries(folder) if not is_unfinished(path, OURS)}
        if others := others - {lock.LOCK, lock.HOLDER, BLOCKS, NAME}:
            raise StoreError(f"{folder}: holds other things ({min(others)}); name a new folder or a run's")
        kept = keep or KEEPS[0]
        return Manifest.of(experiment, kept, checked_block_games(experiment, kept, block_games))

    @classmethod
    def _reopened(cls, folder: Path, experiment: Experiment, keep: str | None, block_games: int | None) -> Run:
        """Open a run that is there, after comparing what is wanted with it."""
        run = cls.open(folder)
        told = run.manifest
        size = told.block_games
        if block_games is not None:
            size = checked_block_games(experiment, keep or told.keep, block_games)
        wanted = Manifest.of(experiment, keep or told.keep, size)
        if differences := list(told.differences(wanted)):
            raise StoreError(f"{folder}: is of another run: {'; '.join(differences)}. Name another folder with --out")
        told.check_sources("this installation")
        if wanted.games < told.games:
            raise StoreError(
                f"{folder}: is a run of {told.games:,} games, not {wanted.games:,}; a run can only grow. Analyse fewer of its "
                "games with --games"
            )
        if wanted.games > told.games:
            told = replace(told, games=wanted.games)
            write(manifest_path(folder), told.text.encode())
        return cls(folder, told, told.experiment())

    @property
    def has_rows(self) -> bool:
        """Whether every game can be read; else sums over blocks."""
        return self.manifest.keep == KEEPS[0]

    @property
    def held(self) -> int:
        """Games from game 0 on without gaps that are there, by the names of the files."""
        return sum(one.games for one in self.files.leading())

    @property
    def stored(self) -> int:
        """Games that are there, with gaps between them or not, by the names of the files."""
        return sum(
            games for _, games in {(one.first, one.games) for one in self.files.all() if self.files.is_block(one)}
        )

    @property
    def size(self) -> int:
        """Bytes of all block files."""
        return sum(one.path.stat().st_size for one in self.files.all())

    @property
    def has_other_sources(self) -> bool:
        """Whether other code than this began the run, so that games played now need not be like those it holds."""
        try:
            self.manifest.check_sources("this installation")
        except StoreError:
            return True
        return False

    def is_of(self, experiment: Experiment) -> bool:
        """Whether games of an experiment are those of this run, index by index; it may have more or fewer of them."""
        ours = self.experiment
        if type(ours) is not type(experiment):
            return False  # another kind of experiment has other line-ups under the same numbers
        chosen = [one.entrant if isinstance(one, AgainstAll) else None for one in (ours, experiment)]
        names = ("game_name", "seats", "policies", "seed", "coupling", "paired", "line_up", "forbidden")
        same = all(getattr(ours, name) == getattr(experiment, name) for name in names)
        return same and chosen[0] == chosen[1] and ours.cards.digest == experiment.cards.digest

    def read(self, experiment: Experiment | None = None) -> Iterator[Block] | None:
        """Blocks of the games from game 0 on without gaps, see `sim.run.GameSource`; None for another experiment or without rows.

        experiment: as many games as it has, else all. Raises StoreError for a file that does not verify, and where games would
        be missing that this code need not play alike.
        """
        wanted = experiment or self.experiment
        if not (self.has_rows and self.is_of(wanted)):
            return None
        if wanted.games > self.held and experiment is not None:
            self.manifest.check_sources("this installation")
        return self.files.blocks(wanted.games)

    def sums(self, experiment: Experiment | None = None) -> Iterator[tuple[int, Columns]] | None:
        """(games, sums) of the blocks from game 0 on without gaps, see `sim.run.GameSource`; None where it keeps rows.

        experiment: None too where it has not just as many games as are there. Raises StoreError for a file that does not verify.
        """
        if self.has_rows or (experiment and not (self.is_of(experiment) and experiment.games == self.held)):
            return None
        return self.files.sums()

    def fill(self, jobs: int | None = None, summarise: Summarise | None = None, watch: Watch | None = None) -> Filled:
        """Play what is missing or damaged; every block is safe on disk before it counts.

        jobs: workers, see `sim.run.blocks`; joblib's `parallel_config` may put them elsewhere. summarise: for a run that keeps
        a summary. watch: called with ("games", games there, games in all). Raises StoreError, among others where the disk
        is full or another process goes on with the run; KeyboardInterrupt leaves all that is there.
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
                raise StoreError(f"{self.folder}: {NAME} has changed since this run was opened; begin again")
            good, damaged, going = self.files.verified()
            missing = (one for one in self.files.grid() if one not in good)
            kept = sum(games for _, games in good)
            done = kept
            with closing(self._parts(missing, jobs, summarise)) as parts:  # no worker plays on once the lock is free
                for part in parts:
                    self.files.put(part, going.pop(part.first, []))
                    done += part.games
                    if watch:
                        watch("games", done, self.experiment.games)
            for path in (path for paths in going.values() for path in paths):
                remove(path)
        return Filled(kept, done - kept, tuple(damaged))

    def check(self) -> tuple[int, list[str]]:
        """Verify every block file, changing nothing: games that are there and verify, files that do not and why."""
        good, damaged, _ = self.files.verified()
        return sum(games for _, games in good), damaged

    def _parts(
        self, missing: Iterable[tuple[int, int]], jobs: int | None, summarise: Summarise | None
    ) -> Generator[Part]:
        """Play blocks, (first game, games) each, and yield them as they come. Raises StoreError where a worker dies."""
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
                f"{self.folder}: a worker process died, as when it is killed or memory runs out; {self.stored:,} games are safe, "
                "the same command plays the others"
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
    """Return a run folder. Raises StoreError where a link in it leads elsewhere: nothing is written outside of the folder."""
    try:
        links = [name for name in (BLOCKS, NAME, lock.LOCK, lock.HOLDER) if (folder / name).is_symlink()]
    except OSError as error:
        raise StoreError(f"{folder}: cannot be read ({reason(error)})") from None
    if links:
        raise StoreError(f"{folder / links[0]}: is a link; a run is written into its own folder only")
    return folder


def checked(manifest: Manifest) -> Experiment:
    """The experiment of a manifest. Raises StoreError where the run could not be kept in such blocks."""
    experiment, size = manifest.experiment(), manifest.block_games
    try:
        if checked_block_games(experiment, manifest.keep, size) != size:
            raise StoreError(f"block_games={size:,}: must be whole rounds of {experiment.round_games:,} games")
    except StoreError as error:
        raise StoreError(f"{NAME}: {error}") from None
    return experiment
