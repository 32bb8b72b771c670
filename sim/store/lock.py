"""A lock that lets one process at a time write to a run, and names its holder to others."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from sim.engine.cardfiles.paths import shown
from sim.store.disk import StoreError, read, reason, remove, write

LOCK, HOLDER = ".lock", ".holder.json"
HOLDER_MAX = 10_000  # bytes


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Lock a run folder for writing. The system releases the lock when the process ends, even if it is killed.

    Raises StoreError if another process holds it, or if the folder cannot be written.
    """
    lock = FileLock(folder / LOCK, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise StoreError(f"{folder}: {_holder(folder)} is writing to this run; wait for it, or stop it first") from None
    except (OSError, NotImplementedError) as error:
        raise StoreError(f"{folder}: cannot be written ({reason(error)}); name a folder that can") from None
    try:
        holder = {"process": os.getpid(), "computer": socket.gethostname()}
        write(folder / HOLDER, json.dumps(holder).encode())
        yield
    finally:
        try:
            with suppress(StoreError):  # harmless once the lock is free, and must not hide an earlier error
                remove(folder / HOLDER)
        finally:
            lock.release()


def _holder(folder: Path) -> str:
    """The holder of a run, for messages."""
    try:
        holder = json.loads(read(folder / HOLDER, HOLDER_MAX))
        return f"process {int(holder['process'])} on {shown(str(holder['computer']))}"
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):  # it has just begun, or is ending
        return "another process"
