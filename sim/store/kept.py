"""Games that a running command has played, kept in the user's cache so that the same command can continue after an interrupt.

A game depends on its line of the plan, the cards, the players and the code alone. Results are therefore kept under a digest of
just these: what is found there is what would be played, whichever experiment asks for it. Files appear complete or not at all.
Anything that does not verify (damaged, cut short, made by other code) is ignored and played again.
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
FLUSH_SECONDS = 10.0  # results wait in memory at most for this time ...
FLUSH_BYTES = 16_000_000  # ... and up to this size (compressed)
WAITING_BYTES = 100_000_000  # not compressed, in the first seconds
FOLDER_BYTES = 2_000_000_000  # kept of one command; games beyond are played again
ALL_BYTES = 4_000_000_000  # kept of all interrupted commands
DAYS = 30  # that an interrupted command can be continued
CODEC = "lz4_raw"  # 100 bytes for a game of the Arena, at 1.5 % of the time of random play; zstd: 60 bytes, 3 %
HEAD_MAX = 50_000_000  # bytes of the table of contents of a file
BLOCKS = "games"  # kind of results: rows and outcomes of games

Arrays = list[np.ndarray]


@dataclass(frozen=True)
class Entry:
    """Where the results of consecutive games lie."""

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
    """Results of one command: those that an interrupted run of it left, and those of the present one (see `sim.run.Keeper`).

    folder: of this command; code: digest of the code above the engine that results other than games depend on. All methods may
    be called from several threads.
    """

    folder: Path
    code: Callable[[], str] = str
    tell: Callable[[str], None] | None = None  # called once, in words, where nothing can be kept
    trouble: str = ""  # why nothing is kept, if so
    games: int = 0  # on disk, and those that `flush` writes
    recalled: int = 0  # games that were found
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
        """Workers in other processes keep nothing."""
        return type(None), ()

    def open(self) -> None:
        """Look for what an interrupted run of the command left."""
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

    def blocks(self, experiment: Experiment, first: int, rerolls: int = 0) -> Iterator[Block]:
        """Kept games of an experiment from one index on, as far as they go without a gap. rerolls: as in `sim.run.blocks`."""
        while first < experiment.games and (
            block := self._next((experiment, rerolls), first, experiment.games - first)
        ):
            first += len(block.rows)
            yield block

    def block(self, experiment: Experiment, first: int, count: int) -> Block | None:
        """Kept games first..first+count-1 of an experiment, None where these are not there."""
        return self._next((experiment, 0), first, count, exactly=True)

    def keep_block(self, experiment: Experiment, block: Block, rerolls: int = 0) -> None:
        """Keep games, if all of them were played to their end."""
        if (block.rows["status"] != Status.UNPLAYED).all():
            luck = [] if block.luck is None else [block.luck]
            self.keep(kind_of(rerolls), experiment, block.first, len(block.rows), [block.rows, block.outcomes, *luck])

    def recall(self, kind: str, experiment: Experiment, first: int, count: int) -> Arrays | None:
        """What was kept of this kind of consecutive games, None where nothing was. kind: with all that the results depend on."""
        if not self._index:
            return None
        for entry in self._index.get(self._key(kind, experiment, first, 1), ()):
            if entry.games == count and entry.key == self._key(kind, experiment, first, count):
                return self._read(entry)
        return None

    def keep(self, kind: str, experiment: Experiment, first: int, count: int, arrays: Arrays) -> None:
        """Keep results of consecutive games; on disk within FLUSH_SECONDS."""
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
        """Write what waits. What the disk refuses is remembered as `trouble`; the command goes on without keeping."""
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
        """Write what waits, and keep nothing from now on. at_least: seconds; nothing is written of a shorter command."""
        with self._lock:
            self.closed = True
        if time.monotonic() - self._began >= at_least:
            self.flush()

    def forget(self) -> None:
        """Delete what was kept: the command has ended."""
        with self._lock:
            self.closed = True
            self._fresh.clear()
            self._waiting.clear()
            if self._hold is not None:
                shutil.rmtree(self.folder, ignore_errors=True)
                self._hold.release()

    def _next(self, played: tuple[Experiment, int], first: int, most: int, exactly: bool = False) -> Block | None:
        """The longest kept stretch of at most `most` games from one index on. played: the experiment and its rerolls."""
        experiment, rerolls = played
        kind = kind_of(rerolls)
        found = self._index.get(self._key(kind, experiment, first, 1), ()) if self._index else ()
        for entry in sorted(found, key=lambda entry: -entry.games):
            if entry.games > most or (exactly and entry.games < most):
                continue
            if entry.key != self._key(kind, experiment, first, entry.games):
                continue
            arrays = self._read(entry) or []
            kinds = [ROW, experiment.game.outcome, np.dtype(np.float64)][: 3 if rerolls else 2]
            if [one.dtype for one in arrays] != kinds or any(len(one) != entry.games for one in arrays):
                continue
            with self._lock:
                self.recalled += entry.games
            rows, outcomes, *luck = (one.view(kind) for one, kind in zip(arrays, kinds, strict=True))
            return Block(first, rows, outcomes, *luck)
        return None

    def _key(self, kind: str, experiment: Experiment, first: int, count: int) -> str:
        """Digest of everything that the results of consecutive games depend on."""
        return self._digest(kind, experiment, experiment.plan(first, count))

    def _digest(self, kind: str, experiment: Experiment, plan: np.ndarray) -> str:
        """Digest of everything that the results of games with these lines of the plan depend on."""
        digest = hashlib.sha256()
        game, cards = experiment.game, experiment.cards
        facts: list[Any] = [kind, "" if kind.startswith(BLOCKS) else self.code(), game.name, sources_digest(game.name)]
        if cards not in self._cards:
            self._cards[cards] = hashlib.sha256(cards.record.tobytes()).hexdigest()
        facts += [
            self._cards[cards],
            len(experiment.evaluators),
            game.turn_limit(cards),
            len(plan),
            experiment.bans.shape,
        ]
        digest.update(json.dumps(facts).encode())
        for array in (experiment.player_table, experiment.bans, plan):
            digest.update(array.tobytes())
        return digest.hexdigest()[:32]

    def _give_up(self, error: Exception) -> None:
        """Keep nothing from now on."""
        self.trouble = reason(error)
        if self.tell is not None:
            self.tell(f"games are not kept, should this be interrupted: {self.trouble}")

    def _compress(self) -> None:
        """Compress what came, without holding others up meanwhile."""
        import pyarrow as pa  # noqa: PLC0415 - short commands need it not

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
        """Keep other processes away from the folder. Raises StoreError where another has it, OSError."""
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
        """Write what waits as a file: digest in its name, table of contents, contents. Raises StoreError, OSError."""
        if self._hold is None:
            make_folder(self.folder)
            self._take_hold()
            prune(self.folder.parent, self.folder)
        os.utime(self.folder)
        lines, offset = [], 0
        for one in self._waiting:
            digest = hashlib.sha256(one.content).hexdigest()[:32]
            lines.append([one.start, one.key, one.games, offset, len(one.content), digest])
            offset += len(one.content)
        head = json.dumps(lines).encode()
        name = hashlib.sha256(head).hexdigest()[:32]
        content = b"".join([len(head).to_bytes(8, "little"), head, *(one.content for one in self._waiting)])
        write(self.folder / f"{name}.kept", content)
        self._size += len(content)

    def _list(self, path: Path) -> None:
        """Take a file's table of contents into the index; nothing of a file that does not verify."""
        named = FILE.fullmatch(path.name)
        if named is None or not path.is_file() or path.is_symlink():
            return
        with suppress(OSError, ValueError, TypeError), path.open("rb") as stream:
            size = int.from_bytes(stream.read(8), "little")
            head = stream.read(size) if size <= HEAD_MAX else b""
            if hashlib.sha256(head).hexdigest()[:32] != named[1]:
                return
            for start, key, games, offset, length, digest in json.loads(head):
                entry = Entry(key, games, path, 8 + size + offset, length, digest)
                self._index[start].append(entry)
                self.games += games
            self._size += path.stat().st_size

    def _read(self, entry: Entry) -> Arrays | None:
        """The results of an entry; None where they do not verify."""
        import pyarrow as pa  # noqa: PLC0415 - as above

        try:
            with entry.path.open("rb") as stream:
                stream.seek(entry.offset)
                content = stream.read(entry.size)
            if hashlib.sha256(content).hexdigest()[:32] != entry.digest:
                return None
            size = int.from_bytes(content[:8], "little")
            arrived = io.BytesIO(pa.Codec(CODEC).decompress(content[8:], size, asbytes=True))
            arrays = []
            while arrived.tell() < size:
                arrays.append(np.lib.format.read_array(arrived, allow_pickle=False))
        except (OSError, ValueError, pa.ArrowException):
            return None
        return arrays


def kind_of(rerolls: int) -> str:
    """Kind of games from which luck is told by this number of samples of each chance."""
    return f"{BLOCKS}, luck by {rerolls}" if rerolls else BLOCKS


def prune(home: Path, spared: Path) -> None:
    """Delete what interrupted commands left more than DAYS ago, and the oldest beyond ALL_BYTES; not what a process holds."""
    with suppress(OSError):
        folders = sorted((one for one in home.iterdir() if one.is_dir() and one != spared), key=_age)
        total = 0
        for folder in folders:
            total += sum(path.stat().st_size for path in folder.glob("*.kept"))
            if _age(folder) > DAYS * 86_400 or total > ALL_BYTES:
                _remove(folder)


def _age(folder: Path) -> float:
    """Seconds since something was kept there last."""
    return time.time() - folder.stat().st_mtime


def _remove(folder: Path) -> None:
    """Delete a folder that no process holds."""
    with suppress(OSError, Timeout, NotImplementedError), FileLock(folder / LOCK, timeout=0):
        shutil.rmtree(folder, ignore_errors=True)
