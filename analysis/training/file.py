"""The file of weights that training writes: complete or not at all, and with the command that makes it again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from analysis.report.files import ReportError, write_text
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.fieldpaths import CardError
from sim.engine.judgement import BY_HAND, FILE_NAME, FITTED
from sim.weights import Weights, has_own, read_weights

PACKAGE = "fairfight"
HEAD = (
    "Weights by which positions are judged, in log-odds for 1 of each feature, by number of seats.",
    "Fitted ones are made by the command below, which writes this file anew; those set by hand are kept as they are.",
)


def beside(cards: Path) -> Path:
    """Where the weights of a card file lie."""
    return cards.with_name(FILE_NAME)


def text_of(game: Game, weights: Weights, command: str, notes: Iterable[str]) -> str:
    """The content of a file. command: that made the weights; notes: what is to be said of how they came about."""
    lines = [f"# {line}" for line in (*HEAD, *notes)]
    lines += ["", f"made_by = {_quoted(command)}", f"version = {_quoted(f'fairfight {version(PACKAGE)}')}"]
    return "\n".join([*lines, *_tables(game, weights)]) + "\n"


def keep_weights(game: Game, cards: CardSet, file: Path) -> None:
    """Write the weights of a card set's own, if it has any, beside a card file that was made from it. Raises ReportError."""
    if has_own(cards):
        lines = ["# Weights by which positions are judged, taken over with the cards that these were made from."]
        write_text(beside(file), "\n".join([*lines, *_tables(game, Weights.of(cards))]) + "\n")


def _tables(game: Game, weights: Weights) -> list[str]:
    """The weights as lines of TOML."""
    lines, tables = [], weights.tables(game)
    for kind in (FITTED, BY_HAND):
        for seats, row in tables[kind].items():
            lines += ["", f"[{kind}.{seats}]", *(f"{name} = {value!r}" for name, value in row.items())]
    return lines


def check(path: Path | None) -> None:
    """Raise ReportError where a file of that name is there and holds something else: it would be lost."""
    if path is None or not path.exists():
        return
    try:
        told = read_weights(path)
    except CardError:
        told = {}
    if FITTED not in told:
        raise ReportError(f"{path}: is there and holds no weights; name a file of weights, or a new one")


def write(path: Path, content: str) -> None:
    """Write it. Raises ReportError."""
    write_text(path, content)


def _quoted(text: str) -> str:
    """Text as TOML has it."""
    return json.dumps(text, ensure_ascii=True)
