"""What is asked about dice: one roll or several, each for the numbers of a table and the decks of a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from analysis.data.names import names_run
from analysis.dice.decklists import Deck, decks_of
from analysis.dice.draw_language import is_draw
from sim.registry import GAMES

TABLE_MAX = 200  # numbers of a table
ASKED_MAX = 1000  # rolls of an answer
EXAMPLE = "'draw 7: at least 1 of lands'"


@dataclass(frozen=True)
class AskedRoll:
    """One roll. text: with its number; title: its name in the answer; deck: of a draw from a deck.

    line: what it has in common with the rolls of other numbers; number: that replaces {n} in a table, else None.
    """

    text: str
    title: str
    deck: Deck | None = None
    line: str = ""
    number: int | None = None


def asked_of(
    roll: object, others: Sequence[str], table: str | None, deck: str | Path | None, cards: Path | None
) -> list[AskedRoll]:
    """The rolls that are asked about; none for a game. Raises ValueError."""
    first = [*roll] if isinstance(roll, list | tuple) else [roll]
    texts = [*first, *others]
    if len(texts) == 1 and (not isinstance(texts[0], str) or texts[0] in GAMES or names_run(texts[0])):
        for name, value, what in (("table", table, "dice"), ("deck", deck, f"draws such as {EXAMPLE}")):
            if value is not None:
                raise ValueError(f"{name}={value}: only works with {what}; drop it")
        return []
    named: list[str] = []
    for text in texts:
        if not isinstance(text, str) or text in GAMES:
            raise ValueError(f"roll={text!r}: only dice such as 2d6 can be compared; ask about a game alone")
        if deck is not None and not is_draw(text):
            raise ValueError(f"roll={text!r}: from a deck only draws can be asked, such as {EXAMPLE}")
        if table is not None and "{n}" not in text:
            raise ValueError(f"table={table}: write {{n}} where its numbers belong, such as {{n}}d6>=4")
        named.append(text)
    numbers: Sequence[int | None] = [None] if table is None else table_numbers(table)
    decks: Sequence[Deck | None] = [None] if deck is None else decks_of(deck, cards)
    rolls = len(named) * len(numbers) * len(decks)
    if rolls > ASKED_MAX:
        raise ValueError(f"{rolls:,} rolls are too many; at most {ASKED_MAX:,} are answered at once")
    return [_asked(text, drawn_from, number, named, decks) for text, drawn_from, number in product(named, decks, numbers)]


def _asked(text: str, deck: Deck | None, number: int | None, texts: Sequence[str], decks: Sequence[Deck | None]) -> AskedRoll:
    """One roll, named by what distinguishes it."""
    names = [deck.title] if deck and len(decks) > 1 else []
    names += [text] if len(texts) > 1 or len(decks) == 1 else []
    line = ", ".join(names)
    if number is None:
        return AskedRoll(text, line, deck)
    typed = text.replace("{n}", str(number))
    title = line.replace("{n}", str(number)) if text in names else f"{line}, {number}"
    return AskedRoll(typed, title, deck, line, number)


def table_numbers(table: str) -> range:
    """The numbers of a table, such as 0:5. Raises ValueError."""
    match = re.fullmatch(r"(-?[0-9]{1,6}):(-?[0-9]{1,6})", table.strip())
    numbers = range(int(match[1]), int(match[2]) + 1) if match else range(0)
    if not 1 <= len(numbers) <= TABLE_MAX:
        raise ValueError(f"table={table!r} must be a range such as 0:5 of up to {TABLE_MAX} numbers")
    return numbers
