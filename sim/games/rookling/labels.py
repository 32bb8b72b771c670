"""What Rookling Heroes calls its Rooklings, cards, tokens, lines and places in words: short, and never the same for two."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.reading import plain
from sim.games.rookling.record import NUMBERS, SQUAD
from sim.games.rookling.state import FIELD, NOBODY, NOWHERE, POSITIONS, SLOTS

PLACES = ("left", "middle", "right")
_JOINTS = frozenset(("on", "with", "for"))  # words that join names in decisions


def _entries(cards: CardSet, kind: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = cards.document.get(kind, [])
    return entries


def _told_apart(names: Sequence[str], ids: Sequence[str], taken: Iterable[str] = ()) -> tuple[str, ...]:
    """Names, with the id behind those that another one has too or that could be read as something else."""
    words, reserved = [plain(name) for name in names], set(taken)
    counts = Counter(words)
    strange = [
        not word or counts[word] > 1 or word in reserved or set("(),") & set(word) or _JOINTS & set(word.split())
        for word in words
    ]
    return tuple(f"{name} ({id_})" if odd else name for name, id_, odd in zip(names, ids, strange, strict=True))


@lru_cache(maxsize=16)  # a replay asks for names ten thousand times
def ids_of(cards: CardSet, kind: str) -> tuple[str, ...]:
    """Ids of the entries of a table of the card file: `rookling`, `token` or `field_effect`."""
    return tuple(entry["id"] for entry in _entries(cards, kind))


@lru_cache(maxsize=16)
def names_of(cards: CardSet, kind: str) -> tuple[str, ...]:
    """Display names of the same entries, with the id where a name alone could mean something else."""
    names = [entry["name"] for entry in _entries(cards, kind)]
    return _told_apart(names, ids_of(cards, kind), energy_words(cards).values() if kind == "field_effect" else ())


@lru_cache(maxsize=16)
def energy_words(cards: CardSet) -> dict[int, str]:
    """What every energy card is called, by kind: `red 4`."""
    colours: list[str] = cards.document["energy"]["colours"]
    return {
        colour * NUMBERS + number - 1: f"{word} {number}"
        for colour, word in enumerate(colours)
        for number in range(1, NUMBERS + 1)
    }


def slot_ids(state: np.void, cards: CardSet) -> dict[int, str]:
    """Id of the field effect of every slot in play; with its owner's seat where both players have it (ROOK-02)."""
    return _slots(state, ids_of(cards, "field_effect"), 0)


def card_ids(state: np.void, cards: CardSet) -> dict[int, str]:
    """Words of positions for every kind of card in play: `red 4`, `black_ice`."""
    return energy_words(cards) | {FIELD + slot: word for slot, word in slot_ids(state, cards).items()}


def card_names(state: np.void, cards: CardSet) -> dict[int, str]:
    """Words of decisions and events for every kind of card in play: `red 4`, `Black Ice`."""
    slots = _slots(state, names_of(cards, "field_effect"), 1)
    return energy_words(cards) | {FIELD + slot: word for slot, word in slots.items()}


def _slots(state: np.void, words: tuple[str, ...], first: int) -> dict[int, str]:
    """Words for the field effect of every slot in play. first: where seats begin to count, 0 in positions, 1 for people."""
    effects = [int(effect) for effect in state["effect"]]
    return {
        slot: words[effect] + (f" (seat {slot // SQUAD + first})" if effects.count(effect) > 1 else "")
        for slot, effect in enumerate(effects)
        if effect != NOBODY
    }


def rookling_name(state: np.void, cards: CardSet, seat: int, slot: int) -> str:
    """Name of a Rookling by seat and roster slot; with its seat where the other player has it too."""
    rookling = state["rook"][seat, slot]
    if rookling == NOBODY:
        return "nobody"
    other = f" (seat {seat + 1})" if rookling in state["rook"][1 - seat] else ""
    return names_of(cards, "rookling")[rookling] + other


def own_name(state: np.void, cards: CardSet, seat: int, position: int) -> str:
    """Name of the Rookling at a position, among those of its player; what the place is called where none stands."""
    slot = int(state["at"][seat, position])
    return PLACES[position] if slot == NOWHERE else names_of(cards, "rookling")[state["rook"][seat, slot]]


def line_names(cards: CardSet, rookling: int) -> tuple[str, ...]:
    """Name of each line of a Rookling in printed order."""
    names = [line["name"] for line in _entries(cards, "rookling")[rookling]["line"]]
    counts = Counter(plain(name) for name in names)
    return tuple(
        name if counts[plain(name)] == 1 and plain(name) else f"{name} (line {index + 1})"
        for index, name in enumerate(names)
    )


def place_of(state: np.void, seat: int, slot: int) -> int:
    """Position of a Rookling by roster slot, NOWHERE before the first row."""
    return next((place for place in range(POSITIONS) if state["at"][seat, place] == slot), NOWHERE)


def order_of(state: np.void, seat: int) -> list[int]:
    """Roster slots of a player from left to right; in the order of the roster before the first row."""
    row = [int(slot) for slot in state["at"][seat]]
    return row if NOWHERE not in row else [*range(SQUAD)]


def zone_of(seat: int, position: int) -> int:
    """Number of a zone in `fixed` (ROOK-62)."""
    return seat * POSITIONS + position


def owner_of(slot: int) -> int:
    """Seat that a field effect slot belongs to."""
    return slot // SQUAD


def hand_of(state: np.void, seat: int) -> list[int]:
    """Kinds of the cards in a hand, by hand slot."""
    return [int(kind) for kind in state["hand"][seat, : state["hand_n"][seat]]]


def energy_on(state: np.void, seat: int, position: int) -> list[int]:
    """Kinds of the cards on the Rookling at a position, in the order in which they were placed."""
    return [int(kind) for kind in state["zone"][seat, position, : state["zone_n"][seat, position]]]


def fixed_at(state: np.void, seat: int, position: int) -> list[int]:
    """Field effect slots whose fixed token lies in a zone."""
    zone = zone_of(seat, position)
    return [slot for slot in range(SLOTS) if state["effect"][slot] != NOBODY and state["fixed"][slot] == zone]


def counted(words: Iterable[str]) -> list[str]:
    """Words with how many there are of each: `Frozen`, `2x Poisoned`."""
    return [word if count == 1 else f"{count}x {word}" for word, count in Counter(words).items()]


def joined(words: Sequence[str]) -> str:
    """Words as a list in a sentence: `a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part) if words else ""


def some(count: int, what: str) -> str:
    """Put a number before a word, which gets its plural: `1 card`, `2 cards`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
