"""A format as the fuzzing sees it, and the games of the tests that formats are read for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from sim.engine.policies import PolicySpec
from sim.registry import GAMES, register
from tests.safety.mutations import Spoiling
from tests.safety.structures import TOML

TINY = ("coin_duel", "deck_race")  # games of the tests that formats are read for
RANDOM = (PolicySpec.parse("random"),)


def written(folder: Path, content: bytes, name: str = "input.toml") -> Path:
    """Write an input as a file of its own, and anew: some file systems go to the disk when a file is written over."""
    file = folder / name
    file.unlink(missing_ok=True)
    file.write_bytes(content)
    return file


@dataclass(frozen=True)
class Format:
    """A format.

    inputs: valid ones. read: takes what `place` returned, raises ValueError for what cannot be used. use: what is done with
    what was accepted; raises nothing. structure: None where inputs are no documents. place: puts an input into a folder made
    ready by `prepare`. where: how the lines of a refusal begin.
    """

    name: str
    inputs: tuple[bytes, ...]
    read: Callable[[Path], Any]
    use: Callable[[Any], object] = lambda _: None
    structure: Spoiling | None = TOML
    place: Callable[[Path, bytes], Path] = written
    prepare: Callable[[Path], object] = lambda _: None
    where: Callable[[Path], tuple[str, ...]] = lambda file: (f"{file}: ",)


@contextmanager
def tiny_games() -> Iterator[None]:
    """Register the games of the tests that formats are read for, where they are not."""
    new = [name for name in TINY if name not in GAMES]
    for name in new:
        register(import_module(f"tests.every_game.{name}").GAME)
    yield
    for name in new:
        del GAMES[name]
