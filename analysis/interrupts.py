"""Handling of Ctrl-C (SIGINT) and SIGTERM: one line on stderr and the usual exit code, at any moment.

A separate thread waits for the signals, so that no exception interrupts other code. It saves what is kept and ends the process
at once. A command that can show partial results (`shown_so_far`) is asked to stop playing instead.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import NoReturn

from sim import stopping

INTERRUPTED, TERMINATED = 130, 143  # exit codes after SIGINT and SIGTERM, as in shells
SIGNALS = (signal.SIGINT, signal.SIGTERM)
WRITING_SECONDS = 5.0  # longest wait for files that are being written
SHOWING_SECONDS = 5.0  # time for a command to notice that it must stop playing


class Terminated(KeyboardInterrupt):
    """Raised at SIGTERM. A KeyboardInterrupt, so that the clean-up for Ctrl-C runs here too."""


@dataclass
class State:
    """What an interrupt needs to know about the command. number: signal received, 0 if none."""

    number: int = 0
    shows: bool = False  # whether the games being played can be shown when interrupted
    noticed: threading.Event = field(default_factory=threading.Event)  # set when the command has stopped playing
    taken_over: bool = False  # whether the command ends the process itself, with partial results
    lock: threading.RLock = field(default_factory=threading.RLock)
    keep: Callable[[], str] | None = None  # saves what is kept; returns a sentence on that and on how to continue
    clear: Callable[[], None] | None = None  # removes the progress bar from the terminal


state = State()


def start() -> None:
    """Take over both signals, before anything else runs. Signals that the process was started to ignore stay ignored."""
    wanted = {number for number in SIGNALS if signal.getsignal(number) != signal.SIG_IGN}
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, wanted)
        threading.Thread(target=_wait, args=(wanted,), name="signals", daemon=True).start()
    else:  # no thread can wait for signals here
        signal.signal(signal.SIGTERM, stop)


def stop(number: int, _frame: FrameType | None = None) -> None:
    """Handle a signal by raising KeyboardInterrupt or Terminated."""
    state.number = number
    raise Terminated if number == signal.SIGTERM else KeyboardInterrupt


def exit_code() -> int:
    """Exit code of a command ended by a signal."""
    return TERMINATED if state.number == signal.SIGTERM else INTERRUPTED


@contextmanager
def shown_so_far() -> Iterator[None]:
    """Context for games that can be shown when interrupted: an interrupt raises KeyboardInterrupt, at the end at the latest."""
    with state.lock:
        if state.number:
            raise KeyboardInterrupt
        state.shows = True
        state.noticed.clear()
    try:
        yield
    finally:
        with state.lock:
            state.shows = False
            state.noticed.set()
            state.taken_over = state.number > 0
            stopping.asked.clear()
    if state.number:
        raise KeyboardInterrupt


def leave(shown: str = "", quiet: bool = False) -> NoReturn:
    """End the process; unless `quiet`, report what was shown, what is kept and how to continue."""
    with state.lock:
        kept = ""
        with suppress(BaseException):  # the command can be in any state
            if state.clear:
                state.clear()
            if shown:
                sys.stdout.flush()
            kept = state.keep() if state.keep else ""
        sentence = "; ".join(part for part in (shown, kept) if part) or "nothing was written"
        with suppress(OSError, ValueError):
            if quiet:
                _end()
            sys.stderr.write(f"interrupted; {sentence}\n")
            sys.stderr.flush()
        _end()


def settle() -> None:
    """Wait for a pending interrupt to end the process, so that the command does not; unless its result is complete."""
    if state.number and not state.taken_over:
        time.sleep(SHOWING_SECONDS + WRITING_SECONDS)


def _wait(wanted: set[signal.Signals]) -> None:
    """Wait for signals: the first ends the command cleanly, a second one at once."""
    while True:
        number = signal.sigwait(wanted)
        with suppress(RuntimeError):
            if state.number:
                _end()
            state.number = int(number)
            threading.Thread(target=_interrupt, name="interrupt", daemon=True).start()


def _interrupt() -> None:
    """Ask the command to show what it has, or end it."""
    with state.lock:
        shows = state.shows
        if shows:
            stopping.asked.set()
    if not (shows and state.noticed.wait(SHOWING_SECONDS)):
        leave()


def _end() -> NoReturn:
    """End the process now, without waiting for workers that still play or compile."""
    stopping.tidy(WRITING_SECONDS)
    os._exit(exit_code())
