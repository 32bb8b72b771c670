"""Ctrl-C (SIGINT) and SIGTERM, as a scheduler or a service manager sends it: one line, the usual exit code, at any moment.

A thread of its own waits for the signals, so that none raises an exception in the middle of something else. It ends the process
at once, after writing down what is kept; a command that shows what it has so far (`shown_so_far`) is asked to stop playing.
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

INTERRUPTED, TERMINATED = 130, 143  # exit codes after SIGINT and SIGTERM, as shells have them
SIGNALS = (signal.SIGINT, signal.SIGTERM)
WRITING_SECONDS = 5.0  # that files being written are waited for
SHOWING_SECONDS = 5.0  # that a command has to notice that it is to stop playing


class Terminated(KeyboardInterrupt):
    """SIGTERM came: everything that ends a command in good order at Ctrl-C does so here too."""


@dataclass
class State:
    """What an interrupt has to know of the command. number: of the signal that came, 0: none yet."""

    number: int = 0
    shows: bool = False  # whether games are being played that can be shown as far as they are
    noticed: threading.Event = field(default_factory=threading.Event)  # that it is to stop playing
    taken_over: bool = False  # whether the command itself ends the process, with what it shows
    lock: threading.RLock = field(default_factory=threading.RLock)
    keep: Callable[[], str] | None = None  # writes down what is kept; returns that and how to continue, in words
    clear: Callable[[], None] | None = None  # takes progress off the terminal


state = State()


def start() -> None:
    """Take both signals over, as the first thing of all; those that the process was started to ignore stay ignored."""
    wanted = {number for number in SIGNALS if signal.getsignal(number) != signal.SIG_IGN}
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, wanted)
        threading.Thread(target=_wait, args=(wanted,), name="signals", daemon=True).start()
    else:  # no thread can wait for them
        signal.signal(signal.SIGTERM, stop)


def stop(number: int, _frame: FrameType | None = None) -> None:
    """Handle a signal by raising KeyboardInterrupt or Terminated."""
    state.number = number
    raise Terminated if number == signal.SIGTERM else KeyboardInterrupt


def exit_code() -> int:
    """The exit code of a command that a signal ended."""
    return TERMINATED if state.number == signal.SIGTERM else INTERRUPTED


@contextmanager
def shown_so_far() -> Iterator[None]:
    """Let games be played that are shown as far as they are: an interrupt raises KeyboardInterrupt, at the end at the latest."""
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


def leave(shown: str = "") -> NoReturn:
    """End the process: say what was shown, what is kept and how to continue."""
    with state.lock:
        kept = ""
        with suppress(BaseException):  # whatever state the rest of the command is in
            if state.clear:
                state.clear()
            if shown:
                sys.stdout.flush()
            kept = state.keep() if state.keep else ""
        said = "; ".join(part for part in (shown, kept) if part) or "nothing was written"
        with suppress(OSError, ValueError):
            sys.stderr.write(f"interrupted; {said}\n")
            sys.stderr.flush()
        _end()


def settle() -> None:
    """Let an interrupt that came end the process, rather than the end of the command, unless its result is complete."""
    if state.number and not state.taken_over:
        time.sleep(SHOWING_SECONDS + WRITING_SECONDS)


def _wait(wanted: set[signal.Signals]) -> None:
    """Wait for signals: the first one ends the command in good order, a second one at once."""
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
    """End the process now, without waiting for a worker that still plays or compiles."""
    stopping.tidy(WRITING_SECONDS)
    os._exit(exit_code())
