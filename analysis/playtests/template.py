"""A template for logs of playtests: a file that people fill in, with a row per player of a game."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from analysis.answer.tables import EXCEL
from analysis.cardsheets.sheets import NOTE
from analysis.output.workbooks import Sheet, workbook
from sim.durable import write_files

SUFFIXES = (".xlsx", ".csv")
MEANINGS = {  # heading -> what to write below it
    "game": "Number or name of the game, the same in all rows of the game.",
    "date": "Day on which it was played.",
    "player": "Name of the player; leave it empty if you do not want to record it.",
    "hero": "What the player played. Rename this heading to deck, faction, character or what fits your game.",
    "seat": "Turn order: 1 moved first, 2 second, and so on; leave it empty if you do not know it.",
    "won": "yes or no; yes for several players if they share the win, draw for all players of a drawn game.",
    "score": "Points at the end, if your game has any. Add further columns of numbers as you like, such as rounds or minutes.",
}
OF_ENTRANTS = "What the player plays."
EXAMPLES = (
    (1, "2026-05-01", "Ann", "Valasca", 1, "yes", 12),
    (1, "2026-05-01", "Ben", "Rhino Guy", 2, "no", 9),
    (2, "2026-05-01", "Cleo", "Rhino Guy", 1, "no", 7),
    (2, "2026-05-01", "Ann", "Mirror Mage", 2, "no", 10),
    (2, "2026-05-01", "Ben", "Valasca", 3, "yes", 11),
)


def write_template(path: str | Path, force: bool = False) -> Path:
    """Write a log with two example games, to be replaced by one's own, and return the file.

    path: an .xlsx file, which gets a second sheet that explains each column, or a .csv file. force: overwrite an existing file.
    Raises ValueError for another suffix, for an existing file, and if the file cannot be written.
    """
    return _write(Path(path), tuple(MEANINGS), EXAMPLES, force)


def write_schedule(path: str | Path, rows: Iterable[tuple[object, ...]], word: str, force: bool = False) -> Path:
    """Write games that are to be played as a log in which only the winners are missing, and return the file.

    rows: game, player, entrant and seat (from 1) of each player of a game. word: heading of the entrants. Raises ValueError as
    `write_template` does.
    """
    return _write(Path(path), ("game", "player", word, "seat", "won"), [(*row, None) for row in rows], force)


def _write(file: Path, headings: Sequence[str], rows: Iterable[Sequence[object]], force: bool) -> Path:
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{file}: a log is written as {' or '.join(SUFFIXES)}; name a file of this type")
    if not force and os.path.lexists(file):
        raise ValueError(f"{file}: exists already; name another file")
    try:
        if suffix == ".csv":
            stream = io.StringIO()
            csv.writer(stream, lineterminator="\n").writerows([headings, *rows])
            write_files(file.parent, {file.name: stream.getvalue().encode(EXCEL)})
        else:
            _write_book(file, headings, rows)
    except OSError as error:
        raise ValueError(f"{file}: cannot be written ({error.strerror or error}); name a file in a writable folder") from None
    return file


def _write_book(file: Path, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with workbook(file) as book:
        games = Sheet(book, "games", tuple(headings))
        for row in rows:
            games.add(row)
        columns = Sheet(book, f"{NOTE} columns", ("column", "meaning"))
        for heading in headings:
            columns.add((heading, MEANINGS.get(heading, OF_ENTRANTS)))
