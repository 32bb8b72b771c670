"""Squads as entrants: all sets of three Rooklings of a card file, and their members (ROOK-01)."""

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.teams import Teams
from sim.games.rookling.cards import SQUAD

WORD, WORDS = "Rookling", "Rooklings"


@cache
def squads_of(rooklings: int) -> np.ndarray:
    """All squads of this number of Rooklings, read-only: shape (squads, SQUAD), in lexicographic order."""
    squads = np.array([*combinations(range(rooklings), SQUAD)], np.int8)
    squads.flags.writeable = False
    return squads


def teams_of(cards: CardSet) -> Teams:
    """The members of the squads of a card set: Rooklings and their lines."""
    rooklings = cards.document["rookling"]
    return Teams(
        ids=tuple(rookling["id"] for rookling in rooklings),
        names=_names(cards),
        members=squads_of(len(rooklings)),
        disjoint=not cards.switches["mirror"],
        word=WORD,
        words=WORDS,
        abilities=tuple(tuple(line_words(line) for line in rookling["line"]) for rookling in rooklings),
        planned=cards.switches["squad_mode"] == "choose",
    )


def part_names_of(cards: CardSet) -> list[tuple[str, ...]]:
    """Names of the three Rooklings of every squad."""
    return [*combinations(_names(cards), SQUAD)]


def line_words(line: dict[str, Any]) -> str:
    """A line of a document with its threshold, e.g. `Vent (attack, red 3)`."""
    return f"{line['name']} ({line['kind']}, {line['colour'].replace('_', ' ')} {line['number']})"


def _names(cards: CardSet) -> tuple[str, ...]:
    return tuple(rookling["name"] for rookling in cards.document["rookling"])
