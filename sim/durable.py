"""Files that are complete or absent, even after a power cut."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from sim.stopping import writing

PART = ".part"  # suffix of a file that is being written; its name begins with a dot
UNSETTLED = {errno.EINVAL, errno.ENOTSUP}  # errors of network file systems that cannot flush folders


def write_file(path: Path, content: bytes, temporary: Path | None = None) -> None:
    """Write a file so that readers see all of it or none. Raises OSError.

    temporary: the file to be renamed, in the same folder; several processes that write the same file need a name each.
    """
    temporary = temporary or path.with_name(f".{path.name}{PART}")
    with writing():
        try:
            temporary.unlink(missing_ok=True)
            with temporary.open("xb") as stream:  # "x": never write through a link
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(path)
            _flush_folder(path.parent)
        finally:
            with suppress(OSError):  # if it cannot be deleted, writing has failed too and is reported
                temporary.unlink(missing_ok=True)


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
