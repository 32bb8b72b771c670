"""Ctrl-C (SIGINT) and SIGTERM end a command with one line on stderr and the usual exit code.

A signal raises KeyboardInterrupt, or asks to stop between two blocks where games are played (see `sim.stopping`).
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType
from typing import NoReturn

from sim import stopping

INTERRUPTED, TERMINATED = 130, 143  # exit codes after SIGINT and SIGTERM, as in shells


@dataclass
class State:
    """What the line on stderr says beside what was shown. keep: returns a sentence on what is kept and how to continue."""

    keep: Callable[[], str] | None = None


state = State()


def start() -> None:
    """Raise KeyboardInterrupt at both signals. Signals that the process was started to ignore stay ignored."""
    for number in stopping.SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)


def stop(number: int, _frame: FrameType | None = None) -> NoReturn:
    """Handle a signal."""
    stopping.received.append(number)
    raise KeyboardInterrupt


def exit_code() -> int:
    """Exit code of a command ended by a signal."""
    return TERMINATED if stopping.received[:1] == [signal.SIGTERM] else INTERRUPTED


def leave(shown: str = "") -> NoReturn:
    """End an interrupted command: report what was shown, what is kept and how to continue. A further signal ends it at once."""
    for number in stopping.SIGNALS:
        if signal.getsignal(number) is stop:
            signal.signal(number, signal.SIG_DFL)
    kept = state.keep() if state.keep else ""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sentence = "; ".join(part for part in (shown, kept) if part) or "nothing was written"
        sys.stderr.write(f"interrupted; {sentence}\n")
        sys.stderr.flush()
    sys.exit(exit_code())
