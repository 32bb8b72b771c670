"""Stop playing from another thread, and clean up files before the process ends."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
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
        missing = _missing(folder)
        folder.mkdir(parents=True, exist_ok=True)
        _made.extend(reversed(missing))


@contextmanager
def filled_folder(folder: Path) -> Iterator[None]:
    """Create a folder and its parents for files that this block writes; after an error, those that are empty go again.

    Raises OSError.
    """
    missing = _missing(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for place in missing:
            with suppress(OSError):  # not empty, or never made
                place.rmdir()
        raise


def _missing(folder: Path) -> list[Path]:
    """Return those of a folder and its parents that do not exist, the innermost first."""
    return [place for place in (folder, *folder.parents) if not place.exists()]


def write_file(path: Path, content: bytes) -> None:
    """Write a file, and the folder that holds it, completely or not at all. Raises OSError."""
    write_files(path.parent, {path.name: content})


def write_files(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files by their names into a folder, all of them completely or none, and the folder itself.

    Readers see the old files or the new ones. Raises OSError.
    """
    parts = {folder / name: folder / f".{name}.{os.getpid()}.part" for name in contents}
    with writing(), filled_folder(folder):
        try:
            for part, content in zip(parts.values(), contents.values(), strict=True):
                part.write_bytes(content)
            for path, part in parts.items():
                part.replace(path)
        except BaseException:
            for part in parts.values():
                with suppress(OSError):
                    part.unlink(missing_ok=True)
            raise


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
