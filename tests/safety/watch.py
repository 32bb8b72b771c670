"""Watch a reader by Python's audit events: everything that it writes, starts, loads or executes is noted."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
FORBIDDEN = {
    *("exec", "compile", "import", "code.__new__", "marshal.loads", "marshal.load", "pickle.find_class", "ctypes.dlopen"),
    *("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.startfile"),
    *("os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.utime"),
    *("shutil.copyfile", "shutil.move", "shutil.rmtree", "tempfile.mkstemp", "tempfile.mkdtemp", "webbrowser.open"),
    *("socket.connect", "socket.bind", "socket.getaddrinfo", "urllib.Request", "glob.glob"),
}  # audit events of Python

SIGNATURE = (b"def foo(iterable=()): pass", "<unknown>")  # of tuple: inspect parses it for pydantic

_noted: list[str] | None = None
_installed = False


@contextmanager
def noting() -> Iterator[list[str]]:
    """Note events inside the block that no reader should cause; the list is empty if there are none."""
    global _noted, _installed  # noqa: PLW0603 - an audit hook cannot be removed, only silenced
    if not _installed:
        sys.addaudithook(_hear)
        _installed = True
    _noted = events = []
    try:
        yield events
    finally:
        _noted = None


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if _noted is None or (event == "compile" and arguments == SIGNATURE):
        return
    if event in FORBIDDEN or (event == "open" and _writes(arguments)):
        _noted.append(f"{event} {arguments!r:.200}")


def _writes(arguments: tuple[Any, ...]) -> bool:
    """Whether a file is opened for writing. arguments: path, mode and flags of the event `open`."""
    _, mode, flags = arguments
    return bool(flags & WRITING) if mode is None else bool(set(mode) & set("wax+"))
