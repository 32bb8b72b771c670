"""Whether the sentence of an answer is about enough games to be worth saying."""

from __future__ import annotations

from analysis.answer.model import Answer
from analysis.answer.numbers import plain
from analysis.answer.prose import SENTENCE_GAMES
from analysis.answer.tables import Table

GAMES = ("n", "pairs")  # headings of numbers of games
NAMES = 2  # first cells of a row, in which its names stand
TOO_FEW = f"Too few games for a statement: it takes {SENTENCE_GAMES} of each row."


def has_games(answer: Answer) -> bool:
    """Whether every row of the main table that the summary names has SENTENCE_GAMES games; if it names none, whether one has.

    A row is named if all its names stand in the summary; of several rows with the same names, the first. An answer without a
    number of games in its tables has enough.
    """
    tables = [table for table in answer.tables if not table.hidden and games_columns(table)]
    for table in tables[:1]:
        games = games_of(table)
        named = [number for names, number in games.items() if names and all(name in answer.summary for name in names)]
        return min(named) >= SENTENCE_GAMES if named else max(games.values(), default=SENTENCE_GAMES) >= SENTENCE_GAMES
    return True


def games_columns(table: Table) -> list[int]:
    """Indices of the columns with numbers of games of a row, or of pairs of games."""
    return [at for at, heading in enumerate(table.columns) if heading in GAMES or heading.startswith("n (")]


def games_of(table: Table) -> dict[tuple[str, ...], float]:
    """Games of the first row with the same names, by its names; of several numbers of games the smallest."""
    columns, games = games_columns(table), dict[tuple[str, ...], float]()
    for row in table.rows:
        names = tuple(cell for cell in row[:NAMES] if isinstance(cell, str) and cell)
        numbers = [number for number in (plain(row[at]) for at in columns) if isinstance(number, (int, float))]
        if numbers:
            games.setdefault(names, float(min(numbers)))
    return games
