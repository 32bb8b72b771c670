"""Whether the sentence of an answer is about enough games to be worth saying."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.answer.model import Answer
from analysis.answer.numbers import plain
from analysis.answer.prose import SENTENCE_GAMES
from analysis.answer.tables import Table

NAMES = 2  # first cells of a row, in which its names stand
TOO_FEW = f"Too few games for a statement: it takes {SENTENCE_GAMES} of each row."


def has_games(answer: Answer) -> bool:
    """Whether every row of the main table that the summary names has SENTENCE_GAMES games; if it names none, whether one has.

    A row is named if all its names stand in the summary. An answer without a number of games in its tables has enough.
    """
    tables = [table for table in answer.tables if not table.hidden and games_column(table) is not None]
    for table in tables[:1]:
        named, every = [*games_of(table, answer.summary)], [*games_of(table)]
        return min(named) >= SENTENCE_GAMES if named else max(every, default=SENTENCE_GAMES) >= SENTENCE_GAMES
    return True


def games_column(table: Table) -> int | None:
    """Index of the column with the number of games of a row."""
    return next((at for at, heading in enumerate(table.columns) if heading == "n" or heading.startswith("n (")), None)


def games_of(table: Table, sentence: str | None = None) -> Iterator[float]:
    """Games of the rows, or of those whose names all stand in a sentence."""
    column = games_column(table)
    for row in table.rows:
        names = [cell for cell in row[:NAMES] if isinstance(cell, str) and cell]
        games = None if column is None else plain(row[column])
        if isinstance(games, (int, float)) and (sentence is None or (names and all(name in sentence for name in names))):
            yield float(games)
