"""Where the numbers of a card file come from: `source` keys, read and checked.

`source = "rulebook"` in a table covers all its numbers, the tables inside included; `source = { move = "assumed" }`
covers field by field. The nearest table that says something wins.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sim.engine.fieldpaths import Document, Location, addresses, is_number, scalars

SOURCES = ("rulebook", "publisher", "assumed")
PRINTED = ("rulebook", "publisher")
CHANGED = "changed"  # says rulebook or publisher, but is not the number that the reference set has from there


@dataclass(frozen=True)
class Provenance:
    """One number of a card file: its path, its value, and where it comes from (one of SOURCES, or CHANGED)."""

    path: str
    value: float
    source: str


def traced(document: Document, reference: Document | None = None) -> tuple[Provenance, ...]:
    """The provenance of every number of a valid card file, in the order of the file.

    reference: the game's reference set; a number that says rulebook or publisher but differs there is CHANGED.
    """
    printed = {} if reference is None else {one.path: one.value for one in traced(reference) if one.source in PRINTED}
    numbers = [(location, value, source) for location, value, source in sourced_numbers(document) if source is not None]
    found = []
    for path, (_, value, source) in zip(addresses(document, (one[0] for one in numbers)), numbers, strict=True):
        differs = source in PRINTED and printed.get(path, value) != value
        found.append(Provenance(path, value, CHANGED if differs else source))
    return tuple(found)


def sourced_numbers(document: Document) -> Iterator[tuple[Location, float, str | None]]:
    """Location, value and source of every number; None where no source covers it."""
    for location, value in scalars(document):
        if is_number(value):
            yield location, value, _source_of(document, location)


def source_tables(node: Any, location: Location = ()) -> Iterator[tuple[Location, Any]]:
    """Location and value of every `source` key from a node (the document) downwards."""
    if isinstance(node, Mapping):
        if "source" in node:
            yield (*location, "source"), node["source"]
        for key, value in node.items():
            if key != "source":
                yield from source_tables(value, (*location, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from source_tables(value, (*location, index))


def _source_of(document: Document, location: Location) -> str | None:
    """The source of the nearest table round a number that names one for it."""
    node: Any = document
    nearest = None
    for step in location:
        source = node.get("source") if isinstance(node, dict) else None
        if isinstance(source, dict):
            source = source.get(step)
        if isinstance(source, str):
            nearest = source
        node = node[step]
    return nearest
