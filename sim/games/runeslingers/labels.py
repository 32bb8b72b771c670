"""What Runeslingers calls its cards, ailments and things in words: short, and never the same for two."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.reading import plain
from sim.games.runeslingers.record import Ailment, Kind
from sim.games.runeslingers.state import NOBODY, PLACES, SLOTS
from sim.games.runeslingers.tables import titled

AILMENT_WORDS = tuple(ailment.name.lower() for ailment in Ailment if ailment != Ailment.CHOOSE)
RUNESPELLS = (Kind.SPIRIT, Kind.ATTACK, Kind.UTILITY)
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


def name_of(state: np.void, cards: CardSet, inst: int) -> str:
    """Name of the card that an instance is."""
    return card_name(cards, int(state["card_of"][inst]))


def things_of(state: np.void, seat: int) -> list[int]:
    """Places 0..9 of a field on which things lie."""
    return [place for place in range(PLACES) if state["thing"][seat, place] != NOBODY]


def concentrations_of(state: np.void, seat: int) -> list[int]:
    """Slots of a player's concentrations, the concealed ones too."""
    return [slot for slot in range(SLOTS) if state["conc"][seat, slot] != NOBODY]


def is_concealed(state: np.void, seat: int, area: int) -> bool:
    """RUNE-06, 107. Whether a boon lies on an ailment area."""
    return bool(state["thing"][seat, SLOTS + area] != NOBODY)


def exposed_of(state: np.void, seat: int) -> int:
    """Exposed ailments of a player."""
    return int(sum(count for area, count in enumerate(state["count"][seat]) if not is_concealed(state, seat, area)))


def spot_words(place: int) -> str:
    """A position of a field, numbered from 1."""
    return f"slot {place + 1}" if place < SLOTS else f"area {place - SLOTS + 1}"


def thing_name(state: np.void, cards: CardSet, seat: int, place: int) -> str:
    """Name of a thing among those of its side: with its position, `Echo Chant (slot 2)`, where there are several."""
    names = {other: name_of(state, cards, int(state["thing"][seat, other])) for other in things_of(state, seat)}
    several = list(names.values()).count(names[place]) > 1
    return names[place] + (f" ({spot_words(place)})" if several else "")


def concentration_name(state: np.void, cards: CardSet, seat: int, slot: int) -> str:
    """Name of an own concentration; equal ones in equal position are one decision."""
    used = " (used)" if state["conc_used"][seat, slot] else ""
    return name_of(state, cards, int(state["conc"][seat, slot])) + used


def pile_of(state: np.void, pile: str, seat: int) -> list[int]:
    """Instances of `hand`, `deck`, `discard` or `void` as the state has them; the top of a deck is last."""
    return [int(inst) for inst in state[pile][seat, : state[f"{pile}_n"][seat]]]


def cards_in(state: np.void, pile: str, seat: int) -> list[int]:
    """Cards of a pile, in its order."""
    return [int(state["card_of"][inst]) for inst in pile_of(state, pile, seat)]


def counted(words: Iterable[str]) -> list[str]:
    """Words with how many there are of each: `Insight`, `2x Fireball`."""
    return [word if count == 1 else f"{count}x {word}" for word, count in Counter(words).items()]


def joined(words: Sequence[str]) -> str:
    """Words as a list in a sentence: `a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part) if words else ""


def some(count: int, what: str) -> str:
    """Put a number before a word, which gets its plural: `1 card`, `2 cards`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
