"""Squads as entrants: all sets of three Rooklings of a card file, and their members (ROOK-01)."""

from functools import cache, lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.teams import Teams
from sim.games.rookling.record import SQUAD

WORD, WORDS = "Rookling", "Rooklings"
PICKS = (0, 1, 1, 0, 0, 1)  # ROOK-04: who picks, 0 is the first drafter
CARD_FILES = 16  # cached names of squads: what-if analysis makes hundreds of card sets with the same names


@cache
def squads_of(rooklings: int) -> np.ndarray:
    """All squads of this number of Rooklings, read-only: shape (squads, SQUAD), in lexicographic order."""
    squads = np.array([*combinations(range(rooklings), SQUAD)], np.int8)
    squads.flags.writeable = False
    return squads


@lru_cache(CARD_FILES)
def entrants_of(ids: tuple[str, ...], names: tuple[str, ...]) -> dict[str, str]:
    """Id -> name of every squad in the order of `squads_of`. ids, names: of the Rooklings in the order of the file."""
    words = ("+".join(members) for members in combinations(ids, SQUAD))
    return dict(zip(words, (" + ".join(members) for members in combinations(names, SQUAD)), strict=True))


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
        picks=PICKS,
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
