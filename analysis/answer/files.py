"""Files of reports and cards: folders are checked before long work, and files are written in one step."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sim.durable import write_files

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")


class ReportError(Exception):
    """The report cannot be written; the message gives the place and the reason in one line."""


def check_folder(folder: Path) -> Path:
    """Check that files can be written to `folder`, creating it if necessary, and return it.

    Raises ReportError. Call it before long computations.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".fairfight-"):
            pass
    except OSError as error:
        raise ReportError(f"{folder}: no file can be written here ({reason(error)}); name a writable folder") from error
    return folder


@contextmanager
def temporary_files_in(folder: Path) -> Iterator[None]:
    """Let libraries put temporary files into a folder that is written to anyway, if no usual one can be written.

    A container can be read-only except for the folder of the results; openpyxl and matplotlib need temporary files all the same.
    Raises ReportError if that folder cannot be written either.
    """
    try:
        tempfile.gettempdir()
    except FileNotFoundError:
        tempfile.tempdir = str(check_folder(folder).absolute())
        try:
            yield
        finally:
            tempfile.tempdir = None
    else:
        yield


def reason(error: OSError) -> str:
    """Return the system's error message without number and path."""
    return (error.strerror or type(error).__name__).lower()


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file, and the folder that holds it, completely or not at all. Raises ReportError."""
    try:
        write_files(path.parent, {path.name: content})
    except OSError as error:
        raise ReportError(f"{path}: cannot be written ({reason(error)})") from error


def write_text(path: Path, content: str) -> None:
    """Write text as UTF-8 without changing line ends. See `write_bytes`."""
    write_bytes(path, content.encode("utf-8"))


def file_name(name: str, what: str) -> str:
    """Return `name` if it is a valid file name on every system, else raise ValueError. what: its name in the message."""
    if not NAME.fullmatch(name):
        raise ValueError(f"{what}={name!r} must be lower-case letters, digits, _ or -, at most 80")
    return name
