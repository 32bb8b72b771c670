"""Play many experiments side by side on all cores, and take apart and join their games."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

from analysis.data.rows import Rows
from analysis.data.shares import Play, Shares
from sim.experiments.experiment import Experiment
from sim.run import Block, keeper_in_use, play_kept, share_out

CHUNK = 500  # games given to a worker at a time


Told = Callable[[Experiment, Rows], None]  # progress callback; takes an experiment and games of it that were just played


PlayAll = Callable[[Sequence[Experiment]], Iterator[Shares]]  # how many experiments are played, such as `played`


def played(experiments: Sequence[Experiment], jobs: int | None = None, told: Told | None = None) -> Generator[Shares]:
    """Play each experiment and yield its shares, in the order given. Results do not depend on the number of workers.

    Keeps all cores busy with short experiments; played one after the other, each would wait for its last block.
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
                    told(experiment, block.rows)
            yield Shares.of(experiment, _replay(blocks))
    finally:
        results.close()


def played_in_pieces(
    pieces: Sequence[Sequence[Experiment]], jobs: int | None = None, told: Told | None = None
) -> list[list[Shares]]:
    """Play the experiments of each piece in turn. Returns the finished pieces; fewer than given after an interrupt."""
    results = played([experiment for piece in pieces for experiment in piece], jobs, told)
    finished: list[list[Shares]] = []
    with suppress(KeyboardInterrupt):
        for piece in pieces:
            finished.append([next(results) for _ in piece])  # noqa: PERF401 - keeps those before an interrupt
    results.close()
    return finished


def _replay(blocks: Sequence[Block]) -> Play:
    """A play function that returns blocks already played."""
    return lambda _: iter(blocks)


def joined(parts: Sequence[Shares]) -> Shares:
    """Concatenate games."""
    if len(parts) == 1:
        return parts[0]
    return Shares(*(np.concatenate([getattr(part, name) for part in parts]) for name in _NAMES))


def taken(games: Shares, at: NDArray[np.integer[Any]]) -> Shares:
    """Select games. at: their indexes, ascending."""
    return Shares(*(column[at] if column.size else column for column in (getattr(games, name) for name in _NAMES)))


def laid_over(games: Shares, at: NDArray[np.integer[Any]], others: Shares) -> Shares:
    """Copy of the games with those at the indexes `at` replaced by `others`."""
    changed = {name: getattr(games, name).copy() for name in _NAMES if getattr(games, name).size}
    for name, column in changed.items():
        column[at] = getattr(others, name)
    return replace(games, **changed)


_NAMES = tuple(field.name for field in fields(Shares))
