"""Games of a question that is asked by a command, kept as it runs: if it is interrupted, the same command continues with them."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, wraps
from pathlib import Path
from typing import Any

from typer import Exit

from analysis import interrupts
from analysis.answer.numbers import count
from analysis.output import terminal
from sim.engine.codecache import cache_home
from sim.engine.sources import SOURCES, add_sources
from sim.run import keeping_in
from sim.store.kept import FIRST_SECONDS, Keeper

KEPT = "kept"  # folder within the user's cache
UNRELATED = {
    "jobs",
    "apart",
    "as_json",
    "csv",
    "chart",
    "force",
    "everything",
    "notes",
    "no_color",
}  # options that no game depends on


def keeping(command: Callable[..., None]) -> Callable[..., None]:
    """Decorate the function of a command, so that its games are kept."""

    @wraps(command)
    def keeper(**values: Any) -> None:
        with kept(command.__name__, values):
            command(**values)

    return keeper


@contextmanager
def kept(name: str, arguments: Mapping[str, Any]) -> Iterator[None]:
    """Context in which games are kept. name: of the question or command; arguments: those that were given."""
    home = cache_home()
    if home is None:
        yield
        return
    keeper = Keeper(home / KEPT / _digest(name, arguments), code_digest, terminal.note)
    keeper.open()

    def words() -> str:
        keeper.close()
        if not keeper.games or keeper.trouble:
            return f"games are not kept ({keeper.trouble})" if keeper.trouble else ""
        return f"{count(keeper.games)} games are kept; `{shlex.join(['fairfight', *sys.argv[1:]])}` continues with them"

    interrupts.state.keep = words
    try:
        with keeping_in(keeper):
            yield
    except BaseException as error:
        if isinstance(error, Exit) and not error.exit_code:
            keeper.forget()
        else:  # the user can solve the problem, such as a full disk, and try again
            keeper.close(FIRST_SECONDS)
        raise
    keeper.forget()


def _digest(name: str, arguments: Mapping[str, Any]) -> str:
    """Digest of a question with its arguments; file names are resolved."""
    values = [
        (one, [_resolved(str(item)) for item in (value if isinstance(value, list) else [value])])
        for one, value in sorted(arguments.items())
        if one not in UNRELATED
    ]
    return hashlib.sha256(json.dumps([name, values]).encode()).hexdigest()[:20]


def _resolved(word: str) -> str:
    """The whole path of a word that names a file or folder; other words are unchanged."""
    return os.path.realpath(word) if os.path.exists(word) else word  # noqa: PTH110 - unlike Path.exists, it never raises


@cache
def code_digest() -> str:
    """SHA-256 of the code in the layers above the games."""
    digest = hashlib.sha256()
    add_sources(digest, Path(__file__).parents[1])
    for path in sorted({*SOURCES.glob("*.py"), *SOURCES.glob("experiments/*.py"), *SOURCES.glob("store/*.py")}):
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()
