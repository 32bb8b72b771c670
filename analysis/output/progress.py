"""Progress bars, in a terminal and in a notebook."""

from __future__ import annotations

import html
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from analysis.answer.notebook import in_notebook
from analysis.answer.numbers import count
from analysis.data.player import Watch
from analysis.output.terminal import QUIET_SECONDS, Ticker

BAR_SECONDS = 0.25  # between two updates of a progress bar in a notebook


def bar(wanted: bool = True, unit: str = "games") -> AbstractContextManager[Watch]:
    """Context that shows progress where this runs. wanted: False shows none; unit: noun for what is counted."""
    return NoBar() if not wanted else NotebookBar() if in_notebook() else Ticker(unit)


class NoBar:
    """Shows no progress."""

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __call__(self, stage: str, done: int, total: int, results: Callable[[], str] = str, /) -> None:
        """Do nothing."""


class NotebookBar:
    """A progress bar in the output of a notebook cell, from the first second on; removed at the end."""

    def __init__(self) -> None:
        self._began = self._last = time.monotonic()
        self._stage, self._since = "", self._began
        self._bar: Any = None
        self._results = ""

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.update(_Html(""))

    def __call__(self, stage: str, done: int, total: int, results: Callable[[], str] = str, /) -> None:
        """Show how much of a stage is done, total 0 if unknown, and the last results."""
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._since = stage, now
        if now - self._began < QUIET_SECONDS or now - self._last < BAR_SECONDS:
            return
        self._last, passed = now, now - self._since
        value = f' value="{done}" max="{total}"' if total else ""
        left = f", {count(passed * (total - done) / done)} s left" if total > done > 0 and passed > QUIET_SECONDS else ""
        amount = f"{count(done)} of {count(total)}" if total else count(done)
        self._results = results() or self._results
        below = f"<br>{html.escape(self._results)}" if self._results else ""
        text = _Html(f"<progress{value}></progress> {html.escape(stage)}: {amount}{left}{below}")
        if self._bar is None:
            from IPython.display import display  # noqa: PLC0415 - only Jupyter needs it

            self._bar = display(text, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self._bar.update(text)


@dataclass(frozen=True, repr=False)
class _Html:
    """Text that Jupyter shows as HTML."""

    text: str

    def __repr__(self) -> str:
        return ""

    def _repr_html_(self) -> str:
        return self.text
