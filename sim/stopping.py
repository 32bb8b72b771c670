"""Stop playing from another thread, and clean up files before the process ends."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

asked = threading.Event()  # set from another thread, it makes `sim.run.share_out` raise KeyboardInterrupt
_writing = threading.RLock()
_unfinished: dict[str, Path] = {}
_made: list[Path] = []


@contextmanager
def writing() -> Iterator[None]:
    """Delay the end of the process while a file is written and renamed, so that no partial file is left."""
    with _writing:
        yield


@contextmanager
def unfinished(path: Path) -> Iterator[None]:
    """Delete a file that takes long to write if the process ends within this block."""
    _unfinished[str(path)] = path
    try:
        yield
    finally:
        _unfinished.pop(str(path), None)


def make_folder(folder: Path) -> None:
    """Create a folder and its parents; `tidy` deletes those that are still empty. Raises OSError."""
    with _writing:
        missing = [place for place in (folder, *folder.parents) if not place.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        _made.extend(reversed(missing))


def tidy(seconds: float) -> None:
    """Wait at most `seconds` for files being written, block further ones, and delete unfinished files and empty folders."""
    _writing.acquire(timeout=seconds)
    for path in [*_unfinished.values()]:
        try:
            path.unlink(missing_ok=True)
        except OSError:
            continue
    for folder in reversed(_made):
        try:
            folder.rmdir()
        except OSError:  # not empty
            continue
