"""Games of a running command, kept in the user's cache so that the same command can continue after an interrupt.

A game depends on its line of the plan, the cards, the players and the code alone. Results are therefore stored under a digest
of exactly these, and any experiment that asks for the same games can use them. Files appear complete or not at all. Anything
that does not verify (damaged, cut short, made by other code) is ignored and played again.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pyarrow as pa
from filelock import FileLock, Timeout

from sim.engine.cards import CardSet
from sim.engine.loop import ROW, Status
from sim.experiments.experiment import Experiment
from sim.run import Block
from sim.store.disk import StoreError, make_folder, reason, sweep, write
from sim.store.manifest import sources_digest

FILE = re.compile(r"([0-9a-f]{32})\.kept")
LOCK = ".lock"
FIRST_SECONDS = 3.0  # commands that end within this time write nothing
FLUSH_SECONDS = 10.0  # results wait in memory for at most this time ...
FLUSH_BYTES = 16_000_000  # ... and up to this size (compressed)
WAITING_BYTES = 100_000_000  # size of uncompressed results in the first seconds
FOLDER_BYTES = 2_000_000_000  # limit for one command; further games are not kept
ALL_BYTES = 4_000_000_000  # limit for all interrupted commands
DAYS = 30  # that results of an interrupted command are kept
CODEC = "lz4_raw"  # 100 bytes for a game of the Arena, 1.5 % of the time of random play; zstd: 60 bytes, 3 %
HEAD_MAX = 50_000_000  # bytes of the table of contents of a file
BLOCKS = "games"  # kind of results: rows and outcomes of games

Arrays = list[np.ndarray]


@dataclass(frozen=True)
class Entry:
    """Position of the results of consecutive games in a file."""

    key: str
    games: int
    path: Path
    offset: int
    size: int
    digest: str


@dataclass
class Waiting:
    """Results that are not on disk yet. content: compressed."""

    start: str
    key: str
    games: int
    content: bytes


@dataclass
class Keeper:
    """Results of one command: those that an interrupted run left, and those of the present run (see `sim.run.Keeper`).

    folder: of this command; code: returns a digest of the code above the engine, on which results other than games depend. All
    methods are thread-safe.
    """

    folder: Path
    code: Callable[[], str] = str
    tell: Callable[[str], None] | None = None  # called with a message if games can no longer be kept
    trouble: str = ""  # why games are not kept; empty while they are
    games: int = 0  # games on disk or waiting to be written
    recalled: int = 0  # games read instead of played
    closed: bool = False
    _began: float = field(default_factory=time.monotonic)
    _flushed: float = field(default_factory=time.monotonic)
    _index: dict[str, list[Entry]] = field(default_factory=lambda: defaultdict(list))
    _fresh: list[tuple[str, Experiment, int, int, Arrays]] = field(default_factory=list)
    _waiting: list[Waiting] = field(default_factory=list)
    _fresh_bytes: int = 0
    _waiting_bytes: int = 0
    _size: int = 0  # bytes on disk
    _cards: WeakKeyDictionary[CardSet, str] = field(default_factory=WeakKeyDictionary)  # digests
    _hold: FileLock | None = None
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """Pickle as None: workers in other processes keep nothing."""
        return type(None), ()

    def open(self) -> None:
        """Index the results that an interrupted run of the command left."""
        with self._lock:
            if not self.folder.is_dir():
                return
            try:
                self._take_hold()
                sweep(self.folder, FILE)
                for path in sorted(self.folder.iterdir()):
                    self._list(path)
            except (OSError, StoreError) as error:
                self._give_up(error)

    def blocks(self, experiment: Experiment, first: int) -> Iterator[Block]:
        """Kept games of an experiment from an index up to the first gap."""
        while first < experiment.games and (block := self._next(experiment, first, experiment.games - first)):
            first += len(block.rows)
            yield block

    def block(self, experiment: Experiment, first: int, count: int) -> Block | None:
        """Kept games first..first+count-1 of an experiment; None if there is no entry of exactly these."""
        return self._next(experiment, first, count, exactly=True)

    def keep_block(self, experiment: Experiment, block: Block) -> None:
        """Keep a block if all of its games were played."""
        if (block.rows["status"] != Status.UNPLAYED).all():
            self.keep(BLOCKS, experiment, block.first, len(block.rows), [block.rows, block.outcomes])

    def recall(self, kind: str, experiment: Experiment, first: int, count: int) -> Arrays | None:
        """Kept results of one kind for consecutive games, or None. kind: names all that they depend on besides the games."""
        if not self._index:
            return None
        for entry in self._index.get(self._key(kind, experiment, first, 1), ()):
            if entry.games == count and entry.key == self._key(kind, experiment, first, count):
                return self._read(entry)
        return None

    def keep(self, kind: str, experiment: Experiment, first: int, count: int, arrays: Arrays) -> None:
        """Keep results of consecutive games; they reach the disk within FLUSH_SECONDS."""
        with self._lock:
            if self.closed or self.trouble or self._size > FOLDER_BYTES:
                return
            self._fresh.append((kind, experiment, first, count, arrays))
            self._fresh_bytes += sum(array.nbytes for array in arrays)
            self.games += count
            if time.monotonic() - self._began < FIRST_SECONDS and self._fresh_bytes < WAITING_BYTES:
                return
        self._compress()
        if time.monotonic() - self._flushed > FLUSH_SECONDS or self._waiting_bytes > FLUSH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write the waiting results. If the disk refuses, set `trouble` and stop keeping; the command continues."""
        self._compress()
        with self._lock:
            self._flushed = time.monotonic()
            if self.trouble or not self._waiting:
                return
            try:
                self._write()
            except (OSError, StoreError) as error:
                self._give_up(error)
            self._waiting.clear()
            self._waiting_bytes = 0

    def close(self, at_least: float = 0.0) -> None:
        """Write the waiting results and stop keeping. at_least: seconds; a shorter command writes nothing."""
        with self._lock:
            self.closed = True
        if time.monotonic() - self._began >= at_least:
            self.flush()

    def forget(self) -> None:
        """Delete all kept results: the command has finished."""
        with self._lock:
            self.closed = True
            self._fresh.clear()
            self._waiting.clear()
            if self._hold is not None:
                shutil.rmtree(self.folder, ignore_errors=True)
                self._hold.release()

    def _next(self, experiment: Experiment, first: int, most: int, exactly: bool = False) -> Block | None:
        """The longest kept block of at most `most` games that begins at an index."""
        entries = self._index.get(self._key(BLOCKS, experiment, first, 1), ()) if self._index else ()
        for entry in sorted(entries, key=lambda entry: -entry.games):
            if entry.games > most or (exactly and entry.games < most):
                continue
            if entry.key != self._key(BLOCKS, experiment, first, entry.games):
                continue
            arrays = self._read(entry) or []
            dtypes = [ROW, experiment.game.outcome]
            if [array.dtype for array in arrays] != dtypes or any(len(array) != entry.games for array in arrays):
                continue
            with self._lock:
                self.recalled += entry.games
            rows, outcomes = (array.view(dtype) for array, dtype in zip(arrays, dtypes, strict=True))
            return Block(first, rows, outcomes)
        return None

    def _key(self, kind: str, experiment: Experiment, first: int, count: int) -> str:
        """Digest of everything that the results of consecutive games depend on."""
        return self._digest(kind, experiment, experiment.plan(first, count))

    def _digest(self, kind: str, experiment: Experiment, plan: np.ndarray) -> str:
        """Digest of everything that the results of the games of a plan depend on."""
        digest = hashlib.sha256()
        game, cards = experiment.game, experiment.cards
        facts: list[Any] = [kind, "" if kind.startswith(BLOCKS) else self.code(), game.name, sources_digest(game.name)]
        if cards not in self._cards:
            self._cards[cards] = hashlib.sha256(cards.record.tobytes()).hexdigest()
        facts += [self._cards[cards], len(experiment.evaluators), game.turn_limit(cards), len(plan), experiment.bans.shape]
        digest.update(json.dumps(facts).encode())
        for array in (experiment.player_table, experiment.bans, plan):
            digest.update(array.tobytes())
        return digest.hexdigest()[:32]

    def _give_up(self, error: Exception) -> None:
        """Stop keeping results, and report why."""
        self.trouble = reason(error)
        if self.tell is not None:
            self.tell(f"games will not be kept if this command is interrupted: {self.trouble}")

    def _compress(self) -> None:
        """Compress new results without holding the lock."""
        with self._lock:
            fresh, self._fresh, self._fresh_bytes = self._fresh, [], 0
        codec = pa.Codec(CODEC)
        for kind, experiment, first, count, arrays in fresh:
            stream = io.BytesIO()
            for array in arrays:
                np.lib.format.write_array(stream, np.ascontiguousarray(array), allow_pickle=False)
            raw = stream.getvalue()
            content = len(raw).to_bytes(8, "little") + codec.compress(raw, asbytes=True)
            plan = experiment.plan(first, max(1, count))
            start, key = (self._digest(kind, experiment, plan[:games]) for games in (1, count))
            with self._lock:
                self._waiting.append(Waiting(start, key, count, content))
                self._waiting_bytes += len(content)

    def _take_hold(self) -> None:
        """Lock the folder against other processes. Raises OSError, and StoreError if another process holds it."""
        if self._hold is None:
            hold = FileLock(self.folder / LOCK, timeout=0)
            try:
                hold.acquire()
            except Timeout:
                raise StoreError("another process runs the same command") from None
            except NotImplementedError as error:
                raise StoreError(str(error)) from None
            self._hold = hold

    def _write(self) -> None:
        """Write the waiting results to a file: table of contents, then contents. Raises StoreError, OSError."""
        if self._hold is None:
            make_folder(self.folder)
            self._take_hold()
            prune(self.folder.parent, self.folder)
        os.utime(self.folder)
        lines, offset = [], 0
        for result in self._waiting:
            digest = hashlib.sha256(result.content).hexdigest()[:32]
            lines.append([result.start, result.key, result.games, offset, len(result.content), digest])
            offset += len(result.content)
        head = json.dumps(lines).encode()
        name = hashlib.sha256(head).hexdigest()[:32]
        content = b"".join([len(head).to_bytes(8, "little"), head, *(result.content for result in self._waiting)])
        write(self.folder / f"{name}.kept", content)
        self._size += len(content)

    def _list(self, path: Path) -> None:
        """Add a file's table of contents to the index, unless the table does not verify."""
        match = FILE.fullmatch(path.name)
        if match is None or not path.is_file() or path.is_symlink():
            return
        with suppress(OSError, ValueError, TypeError), path.open("rb") as stream:
            size = int.from_bytes(stream.read(8), "little")
            head = stream.read(size) if size <= HEAD_MAX else b""
            if hashlib.sha256(head).hexdigest()[:32] != match[1]:
                return
            for start, key, games, offset, length, digest in json.loads(head):
                entry = Entry(key, games, path, 8 + size + offset, length, digest)
                self._index[start].append(entry)
                self.games += games
            self._size += path.stat().st_size

    def _read(self, entry: Entry) -> Arrays | None:
        """Read the results of an entry; None if they do not verify."""
        try:
            with entry.path.open("rb") as stream:
                stream.seek(entry.offset)
                content = stream.read(entry.size)
            if hashlib.sha256(content).hexdigest()[:32] != entry.digest:
                return None
            size = int.from_bytes(content[:8], "little")
            unpacked = io.BytesIO(pa.Codec(CODEC).decompress(content[8:], size, asbytes=True))
            arrays = []
            while unpacked.tell() < size:
                arrays.append(np.lib.format.read_array(unpacked, allow_pickle=False))
        except (OSError, ValueError, pa.ArrowException):
            return None
        return arrays


def prune(home: Path, spared: Path) -> None:
    """Delete results older than DAYS, and the oldest beyond ALL_BYTES, except `spared` and folders that a process holds."""
    with suppress(OSError):
        folders = sorted((path for path in home.iterdir() if path.is_dir() and path != spared), key=_age)
        total = 0
        for folder in folders:
            total += sum(path.stat().st_size for path in folder.glob("*.kept"))
            if _age(folder) > DAYS * 86_400 or total > ALL_BYTES:
                _remove(folder)


def _age(folder: Path) -> float:
    """Seconds since the last write to a folder."""
    return time.time() - folder.stat().st_mtime


def _remove(folder: Path) -> None:
    """Delete a folder unless a process holds it."""
    with suppress(OSError, Timeout, NotImplementedError), FileLock(folder / LOCK, timeout=0):
        shutil.rmtree(folder, ignore_errors=True)
