"""Files that are there completely or not at all, also after a power cut, and clear words for what the disk refuses."""

from __future__ import annotations

import os
from pathlib import Path

PART = ".part"  # ends the name of a file that is being written; it begins with a dot


class StoreError(ValueError):
    """A run folder that cannot be read, written or gone on with: which file, what is wrong with it, what would be right."""


def reason(error: OSError) -> str:
    """The system's words for what went wrong, without number and path."""
    return (error.strerror or type(error).__name__).lower()


def write(path: Path, content: bytes) -> None:
    """Write a file so that readers, and whoever comes after a power cut, find all of it or none. Raises StoreError."""
    temporary = path.with_name(f".{path.name}{PART}")
    try:
        temporary.unlink(missing_ok=True)
        with temporary.open("xb") as stream:  # never through a link that somebody laid there
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
        _settle(path.parent)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({reason(error)})") from None
    finally:
        remove(temporary)


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, if it is not there. Raises StoreError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise StoreError(f"{folder}: is a file; name a folder") from None
    except OSError as error:
        raise StoreError(f"{folder}: cannot be made ({reason(error)}); name a folder that can be written") from None


def remove(path: Path) -> None:
    """Delete a file if it is there. Raises StoreError."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{path}: cannot be deleted ({reason(error)})") from None


def sweep(folder: Path) -> None:
    """Delete what was being written to a folder when its writer was killed."""
    for path in folder.glob(f".*{PART}"):
        remove(path)


def read(path: Path, most: int) -> bytes:
    """The content of a file of at most `most` bytes. Raises StoreError, FileNotFoundError where there is none."""
    try:
        with path.open("rb") as stream:
            content = stream.read(most + 1)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise StoreError(f"{path}: cannot be read ({why})") from None
    if len(content) > most:
        raise StoreError(f"{path}: is larger than {most:,} bytes, which no such file is")
    return content


def _settle(folder: Path) -> None:
    """Make the renaming within a folder last; not where the system has no such thing."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
