"""The text of a card file: numbers are changed in place, so that comments and layout stay; and writing it to a folder.

The `source` of a number stays too: a number that is declared as printed, but differs from the printed one, is reported as
changed (see `sim.engine.cardfiles.validation`).
"""

from __future__ import annotations

import itertools
import json
import os
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from analysis.answer.files import reason
from analysis.cardsheets.reading import is_spreadsheet, read_spreadsheet
from analysis.data.decks import ChosenDecks, toml_of
from analysis.data.names import is_reference
from sim.durable import write_files
from sim.engine.cardfiles.paths import Document, Location, address, is_number, is_whole, locate, look_up, scalars
from sim.engine.cards import FILE_NAME, SIZE_MAX, CardError, CardSet
from sim.engine.contract import Game
from sim.engine.evaluation import BASELINE, FITTED
from sim.engine.evaluation import FILE_NAME as WEIGHTS
from sim.store import is_run
from sim.weights import Weights, has_own

TITLE_MAX, NAME_MAX = 60, 30  # characters of a title, and of a folder's name in it
MARK = 10**15  # larger than any number of a card file
_NUMBER = re.compile(r"(?<![\w.\"'+-])[+-]?\d[\d_]*(?![\w.\"'])(?!\s*=)")
_TITLE = re.compile(r'^title = "(.*)"$', re.MULTILINE)


def with_numbers(text: str, values: Mapping[str, int]) -> str:
    """Return the text of a card file with other whole numbers at some paths. Raises CardError if one is not in the text."""
    wanted = tomllib.loads(text)
    numbers = {locate(wanted, path): value for path, value in values.items()}
    for location, value in numbers.items():
        _, table = look_up(wanted, location[:-1])
        table[location[-1]] = value
    return _with_numbers(text, numbers, wanted)


def _with_numbers(text: str, numbers: Mapping[Location, int], wanted: Document) -> str:
    """Return the text of a card file with other whole numbers at some locations, which make it `wanted`. Raises CardError.

    Every number of the text is replaced by a unique mark, so that the TOML parser itself shows which is where.
    """
    document = tomllib.loads(text)
    number = itertools.count(MARK)
    marks = tomllib.loads(_NUMBER.sub(lambda _: str(next(number)), text))
    new, end = dict[int, str](), next(number)
    for location, value in numbers.items():
        mark = look_up(marks, location)[1]
        if not isinstance(mark, int) or not MARK <= mark < end:
            path = address(document, location)
            raise CardError(f"{path}: is not a plain whole number in the text of the card file, so it cannot be replaced there")
        new[mark] = str(value)
    number = itertools.count(MARK)
    replaced = _NUMBER.sub(lambda found: new.get(next(number), found[0]), text)
    if tomllib.loads(replaced) != wanted:
        paths = ", ".join(address(document, location) for location in numbers)
        raise CardError(f"{paths}: cannot be replaced in the text of the card file without other changes")
    return replaced


def retitled(text: str, name: str) -> str:
    """Return the text with a title that contains the name of the new folder."""

    def title(found: re.Match[str]) -> str:
        old = json.loads(f'"{found[1]}"')
        return "title = " + json.dumps(f"{name[:NAME_MAX]}, changed from the {old}"[:TITLE_MAX], ensure_ascii=False)

    return _TITLE.sub(title, text, count=1) if name.isprintable() else text


def text_of(game: Game, cards: CardSet) -> str:
    """Return the text of the card file of a card set.

    It is generated from the document for the cards of a run that are not the reference set, and for chosen decks.
    """
    if isinstance(cards, ChosenDecks):
        return toml_of(cards.document)
    if is_run(cards.path):
        return game.reference.read_text(encoding="utf-8") if is_reference(game, cards) else toml_of(cards.document)
    if is_spreadsheet(cards.path):
        return text_with(game, cards.document, read_spreadsheet(cards.path, game).template)
    return cards.path.read_bytes().decode("utf-8-sig") if cards.path.is_file() else toml_of(cards.document)


def edited_text(game: Game, cards: CardSet, values: Mapping[str, Any], document: Document) -> str:
    """Return the text of the file of a card set with other values at some paths, which make it `document`.

    Comments and layout stay if whole numbers of the text change only; otherwise the text is generated from the document.
    """
    if cards.path.exists() and all(type(value) is int for value in values.values()):
        with suppress(CardError):  # a number that the text leaves to its default, or writes in an unusual way
            return with_numbers(text_of(game, cards), values)
    return toml_of(document)


def text_with(game: Game, document: Document, template: str | None = None) -> str:
    """Return the text of a card file with this document.

    template: text of the card file from which the document was made, if known. Its comments stay, or those of the reference
    set, if only whole numbers differ.
    """
    for text in (template, game.reference.read_text(encoding="utf-8")):
        if text is not None:
            with suppress(ValueError):  # also numbers that it leaves to their defaults, or writes in an unusual way
                return _with_numbers(text, _differing(tomllib.loads(text), document), document)
    return toml_of(document)


def _differing(before: Document, after: Document) -> dict[Location, int]:
    """Return the numbers of `after` that differ from those of `before`, by location. Raises ValueError if one is not whole."""
    differing = {}
    for location, value in scalars(before):
        new = look_up(after, location)[1]
        if is_number(value) and new != value:
            if not is_whole(new, -MARK, MARK):
                raise ValueError(f"{address(before, location)} = {new}: is not a whole number")
            differing[location] = new
    return differing


def check_folder(folder: Path, force: bool = False) -> None:
    """Raise CardError unless a card file can be written there. Called before long work; creates nothing.

    force: an existing card file may be overwritten.
    """
    target = folder / FILE_NAME
    if not force and os.path.lexists(target):
        raise CardError(f"{target}: exists already; name another folder, or overwrite it with --force")
    if folder.exists() and not folder.is_dir():
        raise CardError(f"{folder}: is a file; name a folder")
    above = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise CardError(f"{folder}: cannot be written; name a folder that can")


def write_changed(
    text: str, folder: Path, values: Mapping[str, int], force: bool = False, beside: Mapping[str, str] | None = None
) -> Path:
    """Write the text of a card file with some numbers changed, and a title that names the folder; see `write_text`."""
    check_folder(folder, force)
    return write_text(retitled(with_numbers(text, values), folder.name), folder, force, beside)


def write_text(text: str, folder: Path, force: bool = False, beside: Mapping[str, str] | None = None) -> Path:
    """Write the text of a card file to a folder; returns the new file. It is complete or not there at all, and so is the folder.

    force: see `check_folder`. beside: texts of other files of the folder, by name. Raises CardError if the folder already has a
    card file, or cannot be written.
    """
    check_folder(folder, force)
    texts = {FILE_NAME: text, **(beside or {})}
    if len(text.encode()) > SIZE_MAX:
        raise CardError(f"{folder / FILE_NAME}: would be larger than {SIZE_MAX:,} bytes, the limit of a card file")
    try:
        write_files(folder, {name: content.encode() for name, content in texts.items()})
    except OSError as error:
        raise CardError(f"{folder}: cannot be written ({reason(error)}); name a folder that can be written") from None
    return folder / FILE_NAME


def own_weights(game: Game, cards: CardSet) -> dict[str, str]:
    """Return the file of a card set's own weights, if it has any, that belongs beside a card file made from it: text by name."""
    if not has_own(cards):
        return {}
    lines = ["# Weights by which positions are judged, taken over with the cards that these were made from."]
    return {WEIGHTS: "\n".join([*lines, *weight_lines(game, Weights.of(cards))]) + "\n"}


def weight_lines(game: Game, weights: Weights) -> list[str]:
    """The weights as lines of TOML."""
    lines, tables = [], weights.tables(game)
    for kind in (FITTED, BASELINE):
        for seats, row in tables[kind].items():
            lines += ["", f"[{kind}.{seats}]", *(f"{name} = {value!r}" for name, value in row.items())]
    return lines
