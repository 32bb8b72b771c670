"""A run as a folder: a manifest and one Parquet file per block of games, gone on with where it was left.

A file appears under its name once it is complete, and its name tells which games it holds and the digest of its content. What
is there and verifies is kept, the rest is played; since a game depends on the seed, its line-up and its index alone, a run
that was killed and continued holds the same bytes as one that was not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from joblib import delayed

from sim.engine.policies import Policy
from sim.engine.table import ROW
from sim.experiment import AgainstAll, Experiment
from sim.run import Block, spread
from sim.store import lock
from sim.store.columns import Layout
from sim.store.disk import StoreError, entries, is_unfinished, make_folder, read, reason, remove, sweep, write
from sim.store.manifest import KEEPS, NAME, SIZE_MAX, Manifest, manifest_path
from sim.store.parts import DIGITS, Columns, OtherRunError, Part, Summarise, block_of, opened, play_part, sums_of

BLOCKS = "blocks"
FILE = re.compile(rf"(\d{{14}})-(\d{{1,14}})-([0-9a-f]{{{DIGITS}}})\.parquet")
OURS = re.compile("|".join((FILE.pattern, re.escape(NAME), re.escape(lock.HOLDER))))  # files that are written to a run
RANDOM_GAMES, GREEDY_GAMES = 10_000, 2_000  # of a block, greedy by samples per option: about a second on one core
SUMMED = 10  # times as many games where sums are kept: their files are small
FILES_MAX = 10_000  # of a run, if nobody says otherwise: file systems and readers get slow with more
ROWS_MAX = 1_000_000  # games of a block that keeps rows: it is encoded in memory
FILE_BASE, GAME_TIMES = (
    4_000_000,
    3,
)  # a file has at most so many bytes, and so many times what its records take in memory
SUMS_MAX, SUMS_BYTES_MAX = 20_000_000, 200_000_000  # lines and bytes of a block of sums

Watch = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Filled:
    """What going on with a run did."""

    kept: int  # games that were there
    played: int  # games that were not
    damaged: tuple[str, ...]  # files that did not verify, and why; their games were played again


@dataclass(frozen=True)
class Held:
    """A block file by its name."""

    first: int
    games: int
    digest: str
    path: Path


class Run:
    """A run folder; see `begin`, `open`, `fill` and `read`."""

    def __init__(self, folder: Path, manifest: Manifest, experiment: Experiment) -> None:
        self.folder, self.manifest, self.experiment = folder, manifest, experiment

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
        return sum(one.games for one in self._leading())

    @property
    def stored(self) -> int:
        """Games that are there, with gaps between them or not, by the names of the files."""
        return sum(games for _, games in {(one.first, one.games) for one in self._files() if self._is_block(one)})

    @property
    def size(self) -> int:
        """Bytes of all block files."""
        return sum(one.path.stat().st_size for one in self._files())

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
        chosen = [one.entrant if isinstance(one, AgainstAll) else None for one in (ours, experiment)]
        names = ("game_name", "seats", "policies", "seed", "coupling", "paired", "line_up")
        same = all(getattr(ours, name) == getattr(experiment, name) for name in names)
        return same and chosen[0] == chosen[1] and ours.cards.digest == experiment.cards.digest

    def read(self, experiment: Experiment | None = None) -> Iterator[Block] | None:
        """Blocks of the games from game 0 on without gaps, see `sim.run.Shelf`; None for another experiment, or without rows.

        experiment: as many games as it has, else all. Raises StoreError for a file that does not verify, and where games would
        be missing that this code need not play alike.
        """
        wanted = experiment or self.experiment
        if not (self.has_rows and self.is_of(wanted)):
            return None
        if wanted.games > self.held and experiment is not None:
            self.manifest.check_sources("this installation")
        return self._blocks(wanted.games)

    def sums(self, experiment: Experiment | None = None) -> Iterator[tuple[int, Columns]] | None:
        """(games, sums) of the blocks from game 0 on without gaps, see `sim.run.Shelf`; None where it keeps rows.

        experiment: None too where it has not just as many games as are there. Raises StoreError for a file that does not verify.
        """
        if self.has_rows or (experiment and not (self.is_of(experiment) and experiment.games == self.held)):
            return None
        return ((one.games, self._of_file(one, lambda part: sums_of(part, SUMS_MAX))) for one in self._leading())

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
            good, damaged, going = self._verified()
            missing = (one for one in self._grid() if one not in good)
            kept = done = sum(games for _, games in good)
            text = self.manifest.text

            def task(first: int, games: int, stop: np.ndarray) -> Any:
                return delayed(play_part)(text, summarise, first, games, stop)

            parts = spread(task, missing, jobs, "generator_unordered")
            try:
                for part in parts:
                    if part is not None:
                        self._put(part, going.pop(part.first, []))
                        done += part.games
                    if watch:
                        watch("games", done, self.experiment.games)
            except BrokenExecutor:
                raise StoreError(
                    f"{self.folder}: a worker process died, as when it is killed or memory runs out; {done:,} games are safe, "
                    "the same command plays the others"
                ) from None
            finally:
                parts.close()
            for path in (path for paths in going.values() for path in paths):
                remove(path)
        return Filled(kept, done - kept, tuple(damaged))

    def _grid(self) -> Iterator[tuple[int, int]]:
        """(first game, games) of every block."""
        size, games = self.manifest.block_games, self.experiment.games
        return ((first, min(size, games - first)) for first in range(0, games, size))

    def _is_block(self, one: Held) -> bool:
        """Whether a file holds the games of one of these."""
        size, games = self.manifest.block_games, self.experiment.games
        return one.first % size == 0 and one.first < games and one.games == min(size, games - one.first)

    def _files(self) -> list[Held]:
        """All block files by their names, in order."""
        folder = self.folder / BLOCKS
        names = (FILE.fullmatch(path.name) for path in entries(folder))
        found = [Held(int(name[1]), int(name[2]), name[3], folder / name[0]) for name in names if name]
        return sorted(found, key=lambda one: (one.first, -one.games, one.digest))

    def _leading(self) -> Iterator[Held]:
        """Block files from game 0 on without gaps."""
        end = 0
        for one in self._files():
            if one.first == end and 0 < one.games <= self.manifest.block_games:
                yield one
                end += one.games

    def _blocks(self, games: int) -> Iterator[Block]:
        """Blocks of the first games, the last one cut."""
        layout = Layout.of(self.experiment)
        for one in self._leading():
            if one.first >= games:
                return
            block = self._of_file(one, lambda part: block_of(part, layout))
            if not np.array_equal(block.rows["game"], np.arange(one.first, one.first + one.games, dtype=np.uint64)):
                raise StoreError(f"{one.path}: does not hold games {one.first}..{one.first + one.games - 1} in order")
            count = min(one.games, games - one.first)
            yield Block(one.first, block.rows[:count], block.outcomes[:count])

    def _of_file(self, one: Held, take: Callable[[Part], Any]) -> Any:
        """Read a file, verify it, and take out what it holds. Raises StoreError naming the file."""
        try:
            part = self._part(one)
            return take(part)
        except OtherRunError as error:
            raise StoreError(f"{one.path}: {error}") from None
        except StoreError as error:
            told = str(error)
            where = "" if told.startswith(str(one.path)) else f"{one.path}: "
            raise StoreError(f"{where}{told}; `fairfight run {self.folder}` plays its games again") from None

    def _part(self, one: Held) -> Part:
        """A file's content, held against its name. Raises StoreError."""
        row = ROW.itemsize + self.experiment.game.outcome.itemsize
        most = FILE_BASE + (GAME_TIMES * row * one.games if self.has_rows else SUMS_BYTES_MAX)
        try:
            part = Part(self.manifest.identity, one.first, one.games, read(one.path, most))
        except FileNotFoundError:
            raise StoreError("is gone") from None
        if part.digest != one.digest:
            raise StoreError("is damaged: its content does not have the digest that its name tells")
        return part

    def _verified(self) -> tuple[set[tuple[int, int]], list[str], dict[int, list[Path]]]:
        """What is there: (first game, games) of the blocks that verify; files that do not, and why; files to go, by first game.

        Files go once the games that they were to hold are there: damaged ones, and the last one of a run that has grown since.
        """
        good: set[tuple[int, int]] = set()
        damaged: list[str] = []
        going: dict[int, list[Path]] = {}
        layout = Layout.of(self.experiment) if self.has_rows else None
        for one in self._files():
            block = (one.first, one.games)
            if self._is_block(one) and block not in good and self._verifies(one, layout, damaged):
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

    def _put(self, part: Part, going: Iterable[Path]) -> None:
        """Write the file of a block, then delete others that were to hold its games."""
        path = self.folder / BLOCKS / f"{part.first:014d}-{part.games}-{part.digest}.parquet"
        write(path, part.content)
        for other in going:
            if other != path:
                remove(other)


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


def checked_block_games(experiment: Experiment, keep: str, wanted: int | None = None) -> int:
    """Games of a block: as wanted or as usual, in whole rounds. Raises StoreError for a number that cannot be.

    Usual is what takes about a second on one core, ten times as many where sums are kept, and so many that there are at most
    FILES_MAX files.
    """
    if wanted is not None and wanted < 1:
        raise StoreError(f"block_games={wanted} must be at least 1")
    size = _usual_block_games(experiment, keep) if wanted is None else wanted
    rounds = -(-size // experiment.round_games)
    size = rounds * experiment.round_games
    if keep == KEEPS[0] and size > ROWS_MAX:
        raise StoreError(
            f"block_games={size:,}: a block that keeps rows has at most {ROWS_MAX:,}; keep a summary of so many games"
        )
    return size


def _usual_block_games(experiment: Experiment, keep: str) -> int:
    """Games of a block, if nobody says how many."""
    sizes = [
        RANDOM_GAMES if one.policy == Policy.RANDOM else max(1, GREEDY_GAMES // one.samples)
        for one in experiment.policies
    ]
    size = max(min(sizes) * (1 if keep == KEEPS[0] else SUMMED), -(-experiment.games // FILES_MAX))
    return size if keep != KEEPS[0] else min(size, max(1, ROWS_MAX // experiment.round_games * experiment.round_games))
