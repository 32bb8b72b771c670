"""How playing is stopped from outside, and what the end of a process must wait for or delete."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

asked = (
    threading.Event()
)  # set by another thread than the one that plays: `sim.run.share_out` then raises KeyboardInterrupt
_writing = threading.RLock()
_unfinished: dict[str, Path] = {}
_made: list[Path] = []


@contextmanager
def writing() -> Iterator[None]:
    """Let the end of the process wait until files have been written and renamed, so that no part of them is left."""
    with _writing:
        yield


@contextmanager
def unfinished(path: Path) -> Iterator[None]:
    """Let the end of the process delete a file that takes long to write."""
    _unfinished[str(path)] = path
    try:
        yield
    finally:
        _unfinished.pop(str(path), None)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it; the end of the process deletes them if nothing is in them. Raises OSError."""
    with _writing:
        missing = [place for place in (folder, *folder.parents) if not place.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        _made.extend(reversed(missing))


def tidy(seconds: float) -> None:
    """Wait for what is being written, at most for some seconds, let nothing more be written, and leave nothing by half."""
    _writing.acquire(timeout=seconds)
    for path in [*_unfinished.values()]:
        try:
            path.unlink(missing_ok=True)
        except OSError:
            continue
    for folder in reversed(_made):
        try:
            folder.rmdir()
        except OSError:  # something is in it
            continue
