"""The card file of Dice duel: its schema, and the CARDS record that the kernels read."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from sim.engine.cards import CardFile, CardModel, CardSet, Identifier, Source, Text, read_document, validate
from sim.engine.evaluation import weights_dtype, write_weights

REFERENCE = Path(__file__).with_name("cards.toml")
FIGHTERS_MAX = 16
FEATURES = ("ahead", "to_strike")  # see `features`
NUMBERS = ("health", "dice", "hit_on", "armour", "damage")  # of a fighter

CARDS = np.dtype(
    [
        *weights_dtype(FEATURES),
        ("second_health", np.int16),  # extra health of the second seat
        ("turn_cap", np.int16),  # rounds after which a game is stopped
        ("fighters", np.int16),
        ("health", np.int16, (FIGHTERS_MAX,)),
        ("dice", np.int8, (FIGHTERS_MAX,)),
        ("hit_on", np.int8, (FIGHTERS_MAX,)),  # lowest face that hits
        ("armour", np.int8, (FIGHTERS_MAX,)),  # taken off each hit
        ("damage", np.int8, (FIGHTERS_MAX,)),  # added to each hit
    ],
    align=True,
)


class Rules(CardModel):
    """Numbers of the game itself. Every game ends before the least `turn_cap`."""

    second_health: Annotated[int, Field(ge=-20, le=20)] = 0
    turn_cap: Annotated[int, Field(ge=1000, le=10_000)] = 1000
    source: Source = None


class Fighter(CardModel):
    """One entrant."""

    id: Identifier
    name: Text
    health: Annotated[int, Field(ge=10, le=90)]
    dice: Annotated[int, Field(ge=1, le=6)]
    hit_on: Annotated[int, Field(ge=2, le=6)]
    armour: Annotated[int, Field(ge=0, le=3)]
    damage: Annotated[int, Field(ge=0, le=3)]
    source: Source = None


class DiceDuelFile(CardFile):
    """A whole file."""

    game: Literal["dice_duel"]
    rules: Rules
    fighter: Annotated[list[Fighter], Field(min_length=2, max_length=FIGHTERS_MAX)]


def load(path: Path | None = None) -> CardSet:
    """Read a card file, or the reference set."""
    document, file = read_document(path, REFERENCE)
    return from_document(document, file)


def from_document(document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
    """Validate and compile a document."""
    file = validate(DiceDuelFile, document, where)
    record = np.zeros(1, CARDS)
    record["fighters"] = len(file.fighter)
    for field in ("second_health", "turn_cap"):
        record[field] = getattr(file.rules, field)
    for number, fighter in enumerate(file.fighter):
        for field in NUMBERS:
            record[field][0, number] = getattr(fighter, field)
    write_weights(record[0], REFERENCE.parent, FEATURES)
    switches = {"second_health": file.rules.second_health}
    return CardSet.of(record, {fighter.id: fighter.name for fighter in file.fighter}, switches, document, where)
