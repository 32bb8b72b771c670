"""Change numbers in the text of a card file; comments and layout stay.

The `source` of a number stays too: a number that is declared as printed, but differs from the printed one, is reported as
changed (see `sim.engine.provenance`).
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from analysis.data.decks import ChosenDecks, toml_of
from analysis.data.names import is_reference
from sim.engine.cards import FILE_NAME, CardError, CardSet
from sim.engine.contract import Game
from sim.engine.fieldpaths import Document, changed, locate, look_up
from sim.store import is_run

TITLE_MAX, NAME_MAX = 60, 30  # characters of a title, and of a folder's name in it
MARK = 10**15  # larger than any number of a card file
_NUMBER = re.compile(r"(?<![\w.\"'+-])[+-]?\d[\d_]*(?![\w.\"'])(?!\s*=)")
_TITLE = re.compile(r'^title = "(.*)"$', re.MULTILINE)


def with_numbers(text: str, values: Mapping[str, int]) -> str:
    """Text of a card file with other whole numbers at some paths. Raises CardError if one is not in the text.

    Every number of the text is replaced by a unique mark, so that the TOML parser itself shows which is where.
    """
    document: Document = tomllib.loads(text)
    spans = [replaced.span() for replaced in _NUMBER.finditer(text)]
    marked = _replaced(text, {span: str(MARK + number) for number, span in enumerate(spans)})
    marks = tomllib.loads(marked)
    new, wanted = {}, document
    for path, value in values.items():
        mark = look_up(marks, locate(document, path))[1]
        if not isinstance(mark, int) or not MARK <= mark < MARK + len(spans):
            raise CardError(
                f"{path}: is not a plain whole number in the text of the card file, so it cannot be replaced there"
            )
        new[spans[mark - MARK]] = str(value)
        wanted = changed(wanted, path, value)
    replaced = _replaced(text, new)
    if tomllib.loads(replaced) != wanted:
        raise CardError(f"{', '.join(values)}: cannot be replaced in the text of the card file without other changes")
    return replaced


def _replaced(text: str, new: Mapping[tuple[int, int], str]) -> str:
    """Text with the given spans replaced."""
    parts, end_before = [], 0
    for (first, end), word in sorted(new.items()):
        parts += [text[end_before:first], word]
        end_before = end
    return "".join([*parts, text[end_before:]])


def retitled(text: str, name: str) -> str:
    """Text with a title that contains the name of the new folder."""

    def title(found: re.Match[str]) -> str:
        old = json.loads(f'"{found[1]}"')
        return "title = " + json.dumps(f"{name[:NAME_MAX]}, tuned from the {old}"[:TITLE_MAX], ensure_ascii=False)

    return _TITLE.sub(title, text, count=1) if name.isprintable() else text


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


def text_of(game: Game, cards: CardSet) -> str:
    """Text of a card file.

    For the cards of a run that are not the reference set, and for chosen decks, it is generated from the document.
    """
    if isinstance(cards, ChosenDecks):
        return toml_of(cards.document)
    if not is_run(cards.path):
        return _read(cards.path)
    return _read(game.reference) if is_reference(game, cards) else toml_of(cards.document)


def _read(file: Path) -> str:
    return file.read_bytes().decode("utf-8-sig")


def write_folder(source: Path, folder: Path, values: Mapping[str, int]) -> Path:
    """Copy a card file into a folder with some numbers changed, see `write_changed`."""
    return write_changed(_read(source), folder, values)


def write_changed(text: str, folder: Path, values: Mapping[str, int], force: bool = False) -> Path:
    """Write the text of a card file with some numbers changed; returns the new file, which is written completely or not at all.

    force: see `check_folder`. Raises CardError if the folder already has a card file, or cannot be written.
    """
    check_folder(folder, force)
    content = retitled(with_numbers(text, values), folder.name).encode()
    target = folder / FILE_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(target, content)
    except OSError as error:
        raise CardError(f"{folder}: cannot be written ({error.strerror or error}); name a folder that can") from None
    return target


def _write(target: Path, content: bytes) -> None:
    """Write under a temporary name, then rename; the temporary file does not survive a failure."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def values_of(changes: pd.DataFrame) -> dict[str, int]:
    """Paths and new values of a table of changes (columns path, after)."""
    return {str(path): int(after) for path, after in zip(changes["path"], changes["after"], strict=True)}
