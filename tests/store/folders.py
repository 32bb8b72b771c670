"""Helpers of the tests of run folders: small runs, the content of a folder, a summary."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from sim.engine.contract import Game
from sim.experiments.experiment import Experiment
from sim.run import Block, blocks
from sim.store import Run, StoreError
from sim.store.parts import Columns
from tests.every_game.play import experiment, joined

GAMES, BLOCK = 54, 9  # of the runs here, and of each of their blocks
FILES = GAMES // BLOCK


def duel_run(folder: Path, game: Game, games: int = GAMES) -> Run:
    """Create or open a small run."""
    return Run.begin(folder, experiment(game, games), block_games=BLOCK)


def full_run(folder: Path, game: Game, games: int = GAMES) -> Run:
    """A complete small run."""
    run = duel_run(folder, game, games)
    run.fill(jobs=1)
    return run


@contextmanager
def refused(message: str, error: type[Exception] = StoreError) -> Iterator[None]:
    """Expect an error with exactly this message."""
    with pytest.raises(error) as caught:
        yield
    assert str(caught.value) == message


def block_files(folder: Path) -> list[Path]:
    """The block files of a run, in the order of their games."""
    return sorted((folder / "blocks").glob("*.parquet"))


def unfinished(folder: Path) -> list[Path]:
    """Files that are only partly written."""
    return list(folder.rglob(".*.part"))


def content(folder: Path) -> dict[str, bytes]:
    """Content of every file of a run except the lock, which stays and is empty."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def read_bytes(run: Run) -> bytes:
    """Every byte of the games read from a run."""
    stored = run.read()
    assert stored is not None
    return joined(stored)


def played_bytes(made: Experiment) -> bytes:
    """Every byte of the games of an experiment, played now."""
    return joined(blocks(made, jobs=1))


def wins(made: Experiment, played: Iterable[Block]) -> Columns:
    """A summary: games and shares of the win by seat."""
    games, shares = 0, np.zeros(made.seats)
    for block in played:
        games += len(block.rows)
        shares += block.rows["share"][:, : made.seats].sum(axis=0)
    return {"seat": np.arange(made.seats), "share": shares, "games": np.full(made.seats, games)}
