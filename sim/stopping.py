"""Ctrl-C (SIGINT) and SIGTERM while games are played or files are written: code stops between two blocks, not within one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)

asked = threading.Event()  # set by the first signal in a block of `heeding`: play no further games


@dataclass
class _State:
    depth: int = 0  # open blocks of `heeding`
    raised: bool = False  # whether KeyboardInterrupt was raised in them
    handlers: dict[int, Callable[[int, FrameType | None], Any]] = field(default_factory=dict)  # those outside of them


_state = _State()


@contextmanager
def heeding() -> Iterator[None]:
    """Let the first signal in this block set `asked`, and the end of the block raise KeyboardInterrupt then.

    For code that calls `check` often, or is short. A second signal raises KeyboardInterrupt at once. Blocks in generators can
    overlap; a generator that is closed raises nothing, and `asked` stays set for those who play next. Does nothing outside the
    main thread, where no signals arrive.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _enter()
    closed = False
    try:
        yield
    except GeneratorExit:
        closed = True
        raise
    finally:
        _leave()
        if not closed:
            _end()


def check() -> None:
    """Raise KeyboardInterrupt if a signal asked for it."""
    if asked.is_set():
        if threading.current_thread() is threading.main_thread():
            _state.raised = True
        raise KeyboardInterrupt


def _enter() -> None:
    """Take over the signals in the outermost block, except those that are ignored or left to the system."""
    if _state.depth == 0:
        for number in SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler):
                _state.handlers[number] = handler
                signal.signal(number, _ask)
    _state.depth += 1


def _leave() -> None:
    """Give the signals back at the end of the outermost block, and forget a signal that has raised KeyboardInterrupt."""
    _state.depth -= 1
    if _state.depth == 0:
        if _state.raised:
            asked.clear()
        _state.raised = False
        for number, handler in _state.handlers.items():
            signal.signal(number, handler)
        _state.handlers.clear()


def _end() -> None:
    """Raise KeyboardInterrupt at the end of a block if a signal has not done so."""
    if not asked.is_set():
        return
    if _state.depth == 0:
        asked.clear()
    else:
        _state.raised = True
    raise KeyboardInterrupt


def _ask(number: int, frame: FrameType | None) -> None:
    """Handle a signal: the first asks to stop, the second one raises."""
    if asked.is_set():
        _state.handlers[number](number, frame)
    asked.set()
    received.append(number)


received: list[int] = []  # numbers of the signals so far, for the exit code of a command
