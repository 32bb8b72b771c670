"""Many experiments played side by side on all cores, each as long as it is, and handed back in their order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

from analysis import interrupts
from analysis.data.shares import Play, Shares
from sim.experiment import Experiment
from sim.run import Block, keeper_in_use, play_kept, share_out

CHUNK = 500  # games handed to a worker at a time

Told = Callable[[int], None]  # called with the number of games just played


def played(experiments: Sequence[Experiment], jobs: int | None = None, told: Told | None = None) -> Generator[Shares]:
    """Play each and yield its shares in the order given; results do not depend on the number of workers.

    Short experiments keep all cores busy this way, where one after the other would wait for the last block of each.
    """
    keeper = keeper_in_use()

    def tasks(stop: NDArray[np.uint8]) -> Generator[Any]:
        for experiment in experiments:
            for first in range(0, experiment.games, CHUNK):
                yield delayed(play_kept)(keeper, experiment, first, min(CHUNK, experiment.games - first), stop)

    results = share_out(tasks, jobs)
    try:
        for experiment in experiments:
            blocks = []
            for _ in range(0, experiment.games, CHUNK):
                block, _ = next(results)
                blocks.append(block)
                if told:
                    told(len(block.rows))
            yield Shares.of(experiment, _replay(blocks))
    finally:
        results.close()


def played_in_pieces(
    pieces: Sequence[Sequence[Experiment]], jobs: int | None = None, told: Told | None = None
) -> list[list[Shares]]:
    """Play the experiments of one piece after the other; returns the pieces that are finished, on KeyboardInterrupt fewer."""
    found = played([one for piece in pieces for one in piece], jobs, told)
    finished: list[list[Shares]] = []
    with suppress(KeyboardInterrupt), interrupts.shown_so_far():
        for piece in pieces:
            finished.append([next(found) for _ in piece])  # noqa: PERF401 - those before an interrupt stay
    found.close()
    return finished


def _replay(found: Sequence[Block]) -> Play:
    """A way of playing that hands back what has been played."""
    return lambda _: iter(found)


def joined(parts: Sequence[Shares]) -> Shares:
    """Games one after the other."""
    if len(parts) == 1:
        return parts[0]
    return Shares(*(np.concatenate([getattr(part, name) for part in parts]) for name in _NAMES))


def taken(games: Shares, at: NDArray[np.integer[Any]]) -> Shares:
    """Some of the games, by their places, ascending."""
    return Shares(*(column[at] if column.size else column for column in (getattr(games, name) for name in _NAMES)))


def laid_over(games: Shares, at: NDArray[np.integer[Any]], others: Shares) -> Shares:
    """The games with others in the places `at`."""
    changed = {}
    for name in _NAMES:
        column = getattr(games, name)
        if column.size:
            changed[name] = column.copy()
            changed[name][at] = getattr(others, name)
    return replace(games, **changed)


_NAMES = tuple(one.name for one in fields(Shares))
