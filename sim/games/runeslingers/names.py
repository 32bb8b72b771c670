"""Names of cards, Runeslingers, stances and abilities."""

from collections import Counter
from functools import lru_cache
from typing import Any

from sim.engine.cards import CardSet
from sim.engine.reading import plain
from sim.games.runeslingers.record import AILMENT_WORDS, Kind
from sim.games.runeslingers.tables import titled

_JOINTS = frozenset(("on", "own", "enemy", "concentration", "effect", "stance"))  # words of decisions


def _entries(cards: CardSet, table: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = cards.document[table]
    return entries


@lru_cache(maxsize=16)  # a replay asks for names ten thousand times
def ids_of(cards: CardSet) -> tuple[str, ...]:
    """Ids of the cards, in the order of the card file."""
    return tuple(entry["id"] for entry in _entries(cards, "card"))


@lru_cache(maxsize=16)
def names_of(cards: CardSet) -> tuple[str, ...]:
    """Display names of the cards, with the id where a name alone could mean something else."""
    names = [entry.get("name") or titled(entry["id"]) for entry in _entries(cards, "card")]
    words = [plain(name) for name in names]
    counts = Counter(words)
    return tuple(
        f"{name} ({id_})"
        if not word or counts[word] > 1 or word in AILMENT_WORDS or set("(),") & set(word) or _JOINTS & {*word.split()}
        else name
        for name, word, id_ in zip(names, words, ids_of(cards), strict=True)
    )


def card_name(cards: CardSet, card: int) -> str:
    """Display name of a card by its row in the card file."""
    return names_of(cards)[card]


@lru_cache(maxsize=64)
def names_in(cards: CardSet, table: str) -> tuple[str, ...]:
    """Display names of all `runeslinger`, `stance` or `ability` entries, in the order of the card file."""
    return tuple(entry.get("name") or titled(entry["id"]) for entry in _entries(cards, table))


def kind_of(cards: CardSet, card: int) -> Kind:
    """Type of a card by its row in the card file."""
    return Kind(cards.record[0]["kind"][card])
