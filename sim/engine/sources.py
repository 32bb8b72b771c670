"""Where the sources are on which compiled kernels depend."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).resolve().parents[1]
ENGINE = SOURCES / "engine"


def add_sources(digest: Any, root: Path) -> None:
    """Update a hashlib digest with the relative name and content of every source below a folder, or of a single source."""
    for source in [root] if root.is_file() else sorted(root.rglob("*.py")):
        digest.update(source.relative_to(root).as_posix().encode() + b"\0")
        digest.update(source.read_bytes() + b"\0")


def root_of(source: Path) -> Path:
    """Return where the sources are on which the kernels of a file depend, besides the engine.

    The engine, the package of a built-in game, elsewhere the outermost package, or the file itself if it is in none.
    """
    if source.is_relative_to(SOURCES / "games"):
        return SOURCES.joinpath("games", source.relative_to(SOURCES / "games").parts[0])
    if source.is_relative_to(ENGINE):
        return ENGINE
    root = source
    while (root.parent / "__init__.py").exists():
        root = root.parent
    return root


def is_of_game(file: str) -> bool:
    """Whether a source belongs to a game, not to the code around it."""
    source = Path(file).resolve()
    return source.is_relative_to(SOURCES / "games") or not source.is_relative_to(SOURCES)


def place_of(function: Callable[..., Any]) -> str:
    """Return where a kernel or function is defined, for the end of a message: ` (file, line of its def)`; empty if unknown."""
    plain = inspect.unwrap(function)
    try:
        lines, first = inspect.getsourcelines(plain)
    except (OSError, TypeError):  # of a notebook that is gone
        return ""
    line = next((number for number, text in enumerate(lines, first) if text.lstrip().startswith("def ")), first)
    return f" ({inspect.getsourcefile(plain)}, line {line})"
