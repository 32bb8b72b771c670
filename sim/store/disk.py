"""Atomic, durable file writes, and clear messages for disk errors."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from sim.durable import PART, write_file


class StoreError(ValueError):
    """A run folder cannot be read, written or continued. The message names the file, the problem and a remedy."""


def reason(error: Exception) -> str:
    """The system's description of an error, without its number and path."""
    if isinstance(error, OSError):
        return (error.strerror or type(error).__name__).lower()
    return str(error)


def write(path: Path, content: bytes) -> None:
    """Write a file so that readers see all of it or none, even after a power cut. Raises StoreError."""
    try:
        write_file(path, content)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({reason(error)})") from None


def make_folder(folder: Path) -> None:
    """Create a folder and its parents if missing. Raises StoreError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise StoreError(f"{folder}: is a file; name a folder") from None
    except (OSError, ValueError) as error:
        raise StoreError(f"{folder}: cannot be created ({reason(error)}); name a folder that is writable") from None


def remove(path: Path) -> None:
    """Delete a file if it exists. Raises StoreError."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{path}: cannot be deleted ({reason(error)})") from None


def sweep(folder: Path, names: re.Pattern[str]) -> None:
    """Delete the unfinished files that a killed process left in a folder. names: pattern of the names of finished files."""
    for path in entries(folder):
        if is_unfinished(path, names):
            remove(path)


def is_unfinished(path: Path, names: re.Pattern[str]) -> bool:
    """Whether a file is an unfinished one that would have matched `names`."""
    written = path.name.startswith(".") and path.name.endswith(PART)
    return written and names.fullmatch(path.name[1 : -len(PART)]) is not None


def entries(folder: Path) -> list[Path]:
    """Everything in a folder; empty if the folder does not exist. Raises StoreError."""
    try:
        return list(folder.iterdir())
    except FileNotFoundError:
        return []
    except NotADirectoryError:
        raise StoreError(f"{folder}: is a file; name a folder") from None
    except (OSError, ValueError) as error:
        raise StoreError(f"{folder}: cannot be read ({reason(error)})") from None


def read(path: Path, most: int) -> bytes:
    """Read a file of at most `most` bytes. Raises StoreError, or FileNotFoundError if it does not exist."""
    try:
        with open(path, "rb", opener=_open_nonblocking) as stream:
            content = stream.read(most + 1) if stat.S_ISREG(os.fstat(stream.fileno()).st_mode) else None
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise StoreError(f"{path}: cannot be read ({reason(error)})") from None
    if content is None:
        raise StoreError(f"{path}: cannot be read (not a regular file)")
    if len(content) > most:
        raise StoreError(f"{path}: is larger than {most:,} bytes, the most that such a file can have")
    return content


def _open_nonblocking(name: str, flags: int) -> int:
    """Open a file without blocking: a pipe might never get a writer."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))
