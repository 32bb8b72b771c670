"""Scenario files as they are written: reading and checking what needs no game. The format is told in README.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.engine.cards import CardError, read_document
from sim.engine.dice import FACES, SCRIPT_MAX, SEATS_MAX
from sim.engine.fieldpaths import shown
from sim.engine.reading import Table, is_whole

SIZE_MAX = 1_000_000  # bytes of a file
DICE_MAX = SCRIPT_MAX - 1  # one place stays free, so that one roll too many shows; of draws as many
STEPS_MAX = 1000  # decisions in a file
CHANGES_MAX = 100
REFERENCE = "reference"


class ScenarioError(ValueError):
    """A scenario file that cannot be played: file, field, value, and what would be right."""


@dataclass(frozen=True)
class Step:
    """One decision of a scenario. seat: who is expected to take it, None: not checked."""

    action: str
    seat: int | None = None


@dataclass(frozen=True)
class Scenario:
    """A scenario file as read: well formed, but not yet held against its game.

    cards: card file or folder, None for the reference set; change: new values by field path of the card file;
    dice: faces in the order in which they are rolled; draws: what is drawn, in the game's words and in that order; expect:
    None if the file expects nothing.
    """

    path: Path
    game: str
    title: str
    cards: Path | None
    change: Mapping[str, Any]
    dice: tuple[int, ...]
    draws: tuple[str, ...]
    position: Mapping[str, Any]
    do: tuple[Step, ...]
    expect: Mapping[str, Any] | None


def load(path: Path | str) -> Scenario:
    """Read a scenario file. Raises ScenarioError if it cannot be read, is no TOML or is not well formed."""
    file = Path(path)
    document = _document(file)
    try:
        table = Table(document)
        scenario = Scenario(
            path=file,
            game=table.text("game"),
            title=table.text("title", ""),
            cards=_card_path(table, file),
            change=_change(table),
            dice=_dice(table),
            draws=_draws(table),
            position=Table(table.take("position"), "position").values,
            do=tuple(_step(entry, f"do[{index}]") for index, entry in enumerate(table.items("do", STEPS_MAX))),
            expect=Table(table.take("expect"), "expect").values if table.has("expect") else None,
        )
        table.known.append("expect")
        table.close()
    except ValueError as error:
        raise ScenarioError(f"{file}: {error}") from None
    return scenario


def _document(file: Path) -> dict[str, Any]:
    try:
        if not file.is_file():
            wrong = "is not a file" if file.exists() else "does not exist"
            raise ScenarioError(f"{file}: {wrong}; give a scenario file (TOML)")
        if file.stat().st_size > SIZE_MAX:
            raise ScenarioError(f"{file}: is larger than {SIZE_MAX:,} bytes")
        return read_document(None, file)[0]
    except OSError as error:
        raise ScenarioError(f"{file}: cannot be read ({error.strerror})") from None
    except CardError as error:
        raise ScenarioError(str(error)) from None


def _card_path(table: Table, file: Path) -> Path | None:
    """Where the cards are: None for the reference set, else a place at or below the folder of the file."""
    words = table.text("cards", REFERENCE)
    if words == REFERENCE:
        return None
    if not words.isprintable():
        raise table.wrong("cards", "must be the name of a file or folder beside this file")
    try:
        folder = file.resolve().parent
        place = (folder / words).resolve()
    except (OSError, ValueError) as error:
        raise table.wrong("cards", f"cannot be read ({error})") from None
    if not place.is_relative_to(folder):
        raise table.wrong("cards", "lies outside the folder of the scenario file; name a place inside it")
    return place


def _change(table: Table) -> Mapping[str, Any]:
    changes = Table(table.take("change", {}), "change").values
    if len(changes) > CHANGES_MAX:
        raise ValueError(f"change: has {len(changes)} entries; at most {CHANGES_MAX} are allowed")
    return changes


def _dice(table: Table) -> tuple[int, ...]:
    faces = table.items("dice", DICE_MAX)
    for index, face in enumerate(faces):
        if not is_whole(face, 1, FACES):
            raise ValueError(f"dice[{index}] = {shown(face)}: must be a face, a whole number from 1 to {FACES}")
    return tuple(faces)


def _draws(table: Table) -> tuple[str, ...]:
    draws = table.items("draws", DICE_MAX)
    for index, words in enumerate(draws):
        if not isinstance(words, str):
            raise ValueError(f"draws[{index}] = {shown(words)}: must be text, what is drawn in words")
    return tuple(draws)


def _step(entry: object, where: str) -> Step:
    if isinstance(entry, str):
        return Step(entry)
    if not isinstance(entry, Mapping):
        raise ValueError(f"{where} = {shown(entry)}: must be a decision in words, or a table with seat and action")
    table = Table(entry, where)
    seat = table.whole("seat", 0, SEATS_MAX - 1) if table.has("seat") else None
    table.known.append("seat")
    step = Step(table.text("action"), seat)
    table.close()
    return step
