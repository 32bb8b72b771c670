"""The card file of Lone climb: its schema, and the CARDS record that the kernels read."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from sim.engine.cards import CardFile, CardModel, CardSet, Identifier, Source, Text, read_document, validate
from tests.every_game.lone_climb.state import CLIMBERS_MAX, STONES_MAX

REFERENCE = Path(__file__).with_name("cards.toml")

CARDS = np.dtype(
    [
        ("summit", np.int16),  # steps
        ("night", np.int16),  # turns of each seat
        ("climbers", np.int8),
        ("kinds", np.int8),  # of stones
        ("nimble", np.int8, (CLIMBERS_MAX,)),  # extra steps with each stone
        ("ropes", np.int8, (CLIMBERS_MAX,)),
        ("steps", np.int8, (STONES_MAX,)),  # 0: a rockfall
        ("copies", np.int8, (STONES_MAX,)),
    ],
    align=True,
)


class Rules(CardModel):
    """Numbers of the game itself."""

    summit: Annotated[int, Field(ge=4, le=50)]
    night: Annotated[int, Field(ge=3, le=100)]
    source: Source = None


class Climber(CardModel):
    """One entrant."""

    id: Identifier
    name: Text
    nimble: bool
    ropes: Annotated[int, Field(ge=1, le=5)]
    source: Source = None


class Stone(CardModel):
    """One kind of stones."""

    id: Identifier
    name: Text
    steps: Annotated[int, Field(ge=0, le=5)]
    copies: Annotated[int, Field(ge=1, le=5)]
    source: Source = None


class LoneClimbFile(CardFile):
    """A whole file."""

    game: Literal["lone_climb"]
    rules: Rules
    climber: Annotated[list[Climber], Field(min_length=1, max_length=CLIMBERS_MAX)]
    stone: Annotated[list[Stone], Field(min_length=1, max_length=STONES_MAX)]


def load(path: Path | None = None) -> CardSet:
    """Read a card file, or the reference set."""
    document, file = read_document(path, REFERENCE)
    return from_document(document, file)


def from_document(document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
    """Validate and compile a document."""
    file = validate(LoneClimbFile, document, where)
    record = np.zeros(1, CARDS)
    record["summit"], record["night"] = file.rules.summit, file.rules.night
    record["climbers"], record["kinds"] = len(file.climber), len(file.stone)
    for number, climber in enumerate(file.climber):
        record["nimble"][0, number], record["ropes"][0, number] = climber.nimble, climber.ropes
    for number, stone in enumerate(file.stone):
        record["steps"][0, number], record["copies"][0, number] = stone.steps, stone.copies
    return CardSet.of(record, {climber.id: climber.name for climber in file.climber}, {}, document, where)


def stone_names(cards: CardSet) -> tuple[str, ...]:
    """Names of the kinds of stones."""
    return tuple(stone["name"] for stone in cards.document["stone"])


def stone_ids(cards: CardSet) -> tuple[str, ...]:
    """Ids of the kinds of stones."""
    return tuple(stone["id"] for stone in cards.document["stone"])
