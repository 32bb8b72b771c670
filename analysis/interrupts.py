"""How the command is told to stop: Ctrl-C (SIGINT) and SIGTERM, as a scheduler or a service manager sends it, alike."""

from __future__ import annotations

import signal
from types import FrameType

INTERRUPTED, TERMINATED = 130, 143  # exit codes after SIGINT and SIGTERM, as shells have them
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Terminated(KeyboardInterrupt):
    """SIGTERM came: everything that ends a command in good order at Ctrl-C does so here too."""


_came = [INTERRUPTED]  # the exit code that belongs to the last signal


def stop(number: int, _frame: FrameType | None = None) -> None:
    """The handler of both signals: raises KeyboardInterrupt or Terminated."""
    _came[0] = TERMINATED if number == signal.SIGTERM else INTERRUPTED
    raise Terminated if number == signal.SIGTERM else KeyboardInterrupt


def exit_code() -> int:
    """The exit code of a command that a signal ended."""
    return _came[0]
