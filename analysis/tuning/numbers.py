"""The numbers of an entrant: those of its own table, and for decks those of the cards and other entries that its table names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.variants.variant import owner_of, paths_of
from sim.engine.cardfiles.paths import Document, Location, addresses, did_you_mean, fixed_fields, locate, look_up, scalars
from sim.engine.cards import CardSet


@dataclass(frozen=True)
class Number:
    """A whole number of a card file that belongs to an entrant.

    entrant: its index; others: indices of further entrants that use it, such as decks with the same card.
    """

    path: str
    value: int
    entrant: int
    others: tuple[int, ...] = ()


def entrants_named(words: Sequence[str], ids: Sequence[str], names: Sequence[str], noun: str) -> list[int]:
    """Indices of entrants given by id or name, without repetitions. noun: for messages. Raises ValueError for any other word."""
    chosen = []
    for word in words:
        text = word.strip()
        folded = text.casefold()
        if text in ids:
            chosen.append(list(ids).index(text))
        elif folded in [name.casefold() for name in names]:
            chosen.append([name.casefold() for name in names].index(folded))
        else:
            raise ValueError(f"{noun}={word!r} is not among the entrants; {did_you_mean(text, [*ids, *names])}")
    return list(dict.fromkeys(chosen))


def numbers_of(cards: CardSet, units: Sequence[str], entrant: int, has_decks: bool = False) -> list[Number]:
    """The whole numbers of an entrant, except those that the file marks as fixed.

    units: ids of all entrants, or of the parts of teams. has_decks: whether entrants are decks, whose numbers are also those of
    the entries that their tables name. First those of the entrant alone, then those that others use too.
    """
    document, fixed = cards.document, fixed_fields(cards.document)
    located = [(location, value) for location, value in scalars(document) if type(value) is int]
    paths = addresses(document, [location for location, _ in located])
    words = [set(_words(table)) for table in _tables(document, units)] if has_decks else []
    own: list[Number] = []
    shared: list[Number] = []
    for (location, value), path in zip(located, paths, strict=True):
        entry = _entry(document, location)
        if path in fixed or entry is None:
            continue
        if set(units) <= _ids(document[str(location[0])]):
            users = [units.index(entry)] if entry in units else []
        else:
            users = [unit for unit, named in enumerate(words) if entry in named]
        if entrant in users:
            others = tuple(user for user in users if user != entrant)
            (shared if others else own).append(Number(path, value, entrant, others))
    return own + sorted(shared, key=lambda number: len(number.others))


def numbers_matching(cards: CardSet, units: Sequence[str], entrant: int, patterns: Sequence[str]) -> list[Number]:
    """The whole numbers that match patterns, except fixed ones, as numbers for an entrant; those not its own are shared with all.

    Raises ValueError for a pattern without a match.
    """
    document, fixed = cards.document, fixed_fields(cards.document)
    numbers = []
    for path in paths_of(cards, patterns):
        value = look_up(document, locate(document, path))[1]
        if path not in fixed and type(value) is int:
            own = owner_of(document, path, units) == entrant
            others = () if own else tuple(unit for unit in range(len(units)) if unit != entrant)
            numbers.append(Number(path, value, entrant, others))
    return numbers


def _ids(table: Any) -> set[str]:
    """Ids of the entries of a table or list of tables."""
    if isinstance(table, Mapping):
        return set(map(str, table))
    return {str(row.get("id")) for row in table if isinstance(row, Mapping)} if isinstance(table, list) else set()


def _entry(document: Document, location: Location) -> str | None:
    """Id of the entry of the card file in which a field stands; None for a field of no entry."""
    if len(location) <= 1:
        return None
    key = location[1]
    if isinstance(key, str):
        return key
    row = document[str(location[0])][key]
    return str(row["id"]) if isinstance(row, Mapping) and "id" in row else None


def _tables(document: Document, units: Sequence[str]) -> list[Any]:
    """The table of each entrant; empty tables if the file has none of all entrants."""
    for table in document.values():
        if set(units) <= _ids(table):
            entries = table if isinstance(table, Mapping) else {str(row["id"]): row for row in table}
            return [entries[unit] for unit in units]
    return [{} for _ in units]


def _words(node: Any) -> Iterator[str]:
    """All keys and texts in a table, except those about sources."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            if key not in ("id", "source"):
                yield str(key)
                yield from _words(value)
    elif isinstance(node, list):
        for value in node:
            yield from _words(value)
    elif isinstance(node, str):
        yield node
