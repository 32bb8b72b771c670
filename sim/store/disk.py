"""Files that are there completely or not at all, also after a power cut, and clear words for what the disk refuses."""

from __future__ import annotations

import errno
import os
import re
import stat
from contextlib import suppress
from pathlib import Path

from sim.stopping import writing

PART = ".part"  # ends the name of a file that is being written; it begins with a dot
UNSETTLED = {errno.EINVAL, errno.ENOTSUP}  # what network file systems say that know no settling of folders


class StoreError(ValueError):
    """A run folder that cannot be read, written or gone on with: which file, what is wrong with it, what would be right."""


def reason(error: Exception) -> str:
    """What went wrong, in the system's words, without number and path."""
    if isinstance(error, OSError):
        return (error.strerror or type(error).__name__).lower()
    return str(error)


def write(path: Path, content: bytes) -> None:
    """Write a file so that readers, and whoever comes after a power cut, find all of it or none. Raises StoreError."""
    temporary = path.with_name(f".{path.name}{PART}")
    with writing():
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
            with suppress(OSError):  # if it cannot be deleted, it could not be written: that has been said
                temporary.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, if it is not there. Raises StoreError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise StoreError(f"{folder}: is a file; name a folder") from None
    except (OSError, ValueError) as error:
        raise StoreError(f"{folder}: cannot be made ({reason(error)}); name a folder that can be written") from None


def remove(path: Path) -> None:
    """Delete a file if it is there. Raises StoreError."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{path}: cannot be deleted ({reason(error)})") from None


def sweep(folder: Path, names: re.Pattern[str]) -> None:
    """Delete what was being written to a folder when its writer was killed. names: of the files that are written there."""
    for path in entries(folder):
        if is_unfinished(path, names):
            remove(path)


def is_unfinished(path: Path, names: re.Pattern[str]) -> bool:
    """Whether a file is one of these names that was being written."""
    written = path.name.startswith(".") and path.name.endswith(PART)
    return written and names.fullmatch(path.name[1 : -len(PART)]) is not None


def entries(folder: Path) -> list[Path]:
    """Everything in a folder, nothing if there is none. Raises StoreError."""
    try:
        return list(folder.iterdir())
    except FileNotFoundError:
        return []
    except NotADirectoryError:
        raise StoreError(f"{folder}: is a file; name a folder") from None
    except (OSError, ValueError) as error:
        raise StoreError(f"{folder}: cannot be read ({reason(error)})") from None


def read(path: Path, most: int) -> bytes:
    """The content of a file of at most `most` bytes. Raises StoreError, FileNotFoundError where there is none."""
    try:
        with open(path, "rb", opener=_without_waiting) as stream:
            content = stream.read(most + 1) if stat.S_ISREG(os.fstat(stream.fileno()).st_mode) else None
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise StoreError(f"{path}: cannot be read ({reason(error)})") from None
    if content is None:
        raise StoreError(f"{path}: cannot be read (is no plain file)")
    if len(content) > most:
        raise StoreError(f"{path}: is larger than {most:,} bytes, which no such file is")
    return content


def _without_waiting(name: str, flags: int) -> int:
    """Open a file; a pipe too, from which nobody may ever write."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def _settle(folder: Path) -> None:
    """Make the renaming within a folder last; not where the system has no such thing."""
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
