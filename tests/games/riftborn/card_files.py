"""Card files of Riftborn Tactics for tests of the kernels: whole, with decks by lot, short where there is no compiler."""

from random import Random
from typing import Any

from sim.engine.cards import CardSet
from sim.engine.jit import COMPILED
from sim.games.riftborn import GAME
from sim.games.riftborn.decks import DECKING

HEAD = {"game": GAME.name, "format": 1, "title": "Cards of a test"}
SHORT = {"turn_cap": 40, "start_life": 10}  # rules for games without the compiler


def whole(document: dict[str, Any]) -> dict[str, Any]:
    """A document of the model as a card file has it: with head and sources."""
    tables = {part: [{"source": "assumed"} | one for one in document[part]] for part in ("card", "deck")}
    return HEAD | document | tables | {"rules": {"source": "assumed"} | document["rules"]}


def with_decks_by_lot(document: dict[str, Any], count: int, seed: int) -> dict[str, Any]:
    """A whole document with decks by lot from all its cards instead of its own."""
    return DECKING.by_lot(document, count, Random(seed))


def made(document: dict[str, Any]) -> CardSet:
    """The card set of a whole document; without the compiler its games are short."""
    return GAME.from_document(document if COMPILED else document | {"rules": document["rules"] | SHORT})
