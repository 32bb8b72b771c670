"""The description of a file format for fuzzing, and the tiny games whose files are fuzzed."""

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

TINY = ("coin_duel", "deck_race")  # games of the tests whose files are fuzzed
RANDOM = (PolicySpec.parse("random"),)


def written(folder: Path, content: bytes, name: str = "input.toml") -> Path:
    """Write an input as a new file: some file systems flush to the disk when a file is overwritten."""
    file = folder / name
    file.unlink(missing_ok=True)
    file.write_bytes(content)
    return file


@dataclass(frozen=True)
class Format:
    """A file format.

    inputs: valid examples. read: takes the path that `place` returned; raises ValueError for invalid input. use: uses an
    accepted input; raises nothing. structure: None if inputs are not structured documents. place: puts an input into a folder
    that `prepare` has set up. where: prefixes of the lines of an error message.
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
    """Register the games of TINY, unless they are registered already."""
    new = [name for name in TINY if name not in GAMES]
    for name in new:
        register(import_module(f"tests.every_game.{name}").GAME)
    yield
    for name in new:
        del GAMES[name]
