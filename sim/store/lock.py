"""One process at a time goes on with a run; the second is told who holds it."""

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
    """Hold a run folder for writing. The system gives it free when the process ends, in whatever way.

    Raises StoreError where another process holds it, or the folder cannot be written.
    """
    lock = FileLock(folder / LOCK, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise StoreError(
            f"{folder}: {_holder(folder)} is going on with this run; wait for it, or stop it first"
        ) from None
    except (OSError, NotImplementedError) as error:
        raise StoreError(f"{folder}: cannot be written ({reason(error)}); name a folder that can") from None
    try:
        who = {"process": os.getpid(), "computer": socket.gethostname()}
        write(folder / HOLDER, json.dumps(who).encode())
        yield
    finally:
        try:
            with suppress(StoreError):  # it says nothing where the lock is free, and what went wrong before says more
                remove(folder / HOLDER)
        finally:
            lock.release()


def _holder(folder: Path) -> str:
    """Who holds a run, in words."""
    try:
        who = json.loads(read(folder / HOLDER, HOLDER_MAX))
        return f"process {int(who['process'])} on {shown(str(who['computer']))}"
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):  # it is just beginning, or ending
        return "another process"
