"""Describe the differences between two documents of a run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sim.engine.cardfiles.paths import addresses, look_up, scalars, shown

SHOWN = 3  # differences that a message names


def differences(what: str, held: dict[str, Any], asked: dict[str, Any]) -> Iterator[str]:
    """Describe the differences between two card files, or between their weights."""
    ours, theirs = (dict(scalars(document)) for document in (held, asked))
    places = [place for place in {**ours, **theirs} if look_up(held, place) != look_up(asked, place)]
    paths = addresses(held, places[:SHOWN])
    for path, place in zip(paths, places, strict=False):
        yield f"{what}: {path} is {word(ours.get(place))}, not {word(theirs.get(place))}"
    if len(places) > SHOWN:
        yield f"{len(places) - SHOWN} more of the {what}"
    if not places:
        yield f"{what}: their notes differ"


def word(value: Any) -> str:
    """Format a value for a message."""
    if value is None:
        return "absent"
    return ",".join(value) if isinstance(value, tuple) else shown(value)
