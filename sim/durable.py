"""Files that are complete or absent, even after an interrupt or a power cut."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from sim.stopping import heeding

PART = ".part"  # suffix of a file that is being written; its name begins with a dot
UNSETTLED = {errno.EINVAL, errno.ENOTSUP}  # errors of network file systems that cannot flush folders


def write_file(path: Path, content: bytes, temporary: Path | None = None) -> None:
    """Write a file so that readers see all of it or none. Raises OSError.

    temporary: the file to be renamed, in the same folder; several processes that write the same file need a name each.
    """
    _write_all({path: content}, {path: temporary or path.with_name(f".{path.name}{PART}")})


def write_files(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files by their names into a folder, all of them or none, and the folder itself. Raises OSError."""
    files = {folder / name: content for name, content in contents.items()}
    with filled_folder(folder):
        _write_all(files, {path: path.with_name(f".{path.name}.{os.getpid()}{PART}") for path in files})


@contextmanager
def filled_folder(folder: Path) -> Iterator[None]:
    """Create a folder and its parents for files that this block writes; after an error, those that are empty go again.

    Raises OSError.
    """
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for place in missing:
            with suppress(OSError):  # not empty, or never made
                place.rmdir()
        raise


def _write_all(files: Mapping[Path, bytes], temporary: Mapping[Path, Path]) -> None:
    """Write files under temporary names, then rename all of them. Interrupts wait until they are there."""
    with heeding():
        try:
            for path, content in files.items():
                temporary[path].unlink(missing_ok=True)
                with temporary[path].open("xb") as stream:  # "x": never write through a link
                    stream.write(content)
                    stream.flush()
                    os.fsync(stream.fileno())
            for path in files:
                temporary[path].replace(path)
            for folder in {path.parent for path in files}:
                _flush_folder(folder)
        finally:
            for part in temporary.values():
                with suppress(OSError):  # if it cannot be deleted, writing has failed too and is reported
                    part.unlink(missing_ok=True)


def _flush_folder(folder: Path) -> None:
    """Flush a folder, so that a rename in it survives a power cut; do nothing where the system cannot."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in UNSETTLED:
            raise
    finally:
        os.close(handle)
