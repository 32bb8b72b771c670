"""The card file of Coin duel: its schema, and the CARDS record that the kernels read."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from sim.engine.cards import CardFile, CardModel, CardSet, Identifier, Source, Text, read_document, validate
from sim.engine.evaluation import weights_dtype, write_weights

REFERENCE = Path(__file__).with_name("cards.toml")
FIGHTERS_MAX = 8
FEATURES = ("lead", "prospect", "near", "even")  # see `features`

CARDS = np.dtype(
    [
        *weights_dtype(FEATURES),
        ("goal", np.int16),  # coins that end the game
        ("turn_cap", np.int16),  # rounds after which the game is stopped
        ("stake_max", np.int8),  # coins
        ("faces", np.int8, (FIGHTERS_MAX,)),  # of the fighter's die, 2..20
        ("bonus", np.int8, (FIGHTERS_MAX,)),  # added to its roll
    ],
    align=True,
)


class Rules(CardModel):
    """Numbers of the game itself."""

    goal: Annotated[int, Field(ge=1, le=50)]
    stake_max: Annotated[int, Field(ge=1, le=5)]
    turn_cap: Annotated[int, Field(ge=1, le=200)]
    source: Source = None


class Fighter(CardModel):
    """One entrant."""

    id: Identifier
    name: Text
    faces: Annotated[int, Field(ge=2, le=20)]
    bonus: Annotated[int, Field(ge=0, le=9)]
    source: Source = None


class CoinDuelFile(CardFile):
    """A whole file."""

    game: Literal["coin_duel"]
    rules: Rules
    fighter: Annotated[list[Fighter], Field(min_length=1, max_length=FIGHTERS_MAX)]


def load(path: Path | None = None) -> CardSet:
    """Read a card file, or the reference set."""
    document, file = read_document(path, REFERENCE)
    return from_document(document, file)


def from_document(document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
    """Validate and compile a document."""
    file = validate(CoinDuelFile, document, where)
    record = np.zeros(1, CARDS)
    for field in ("goal", "turn_cap", "stake_max"):
        record[field] = getattr(file.rules, field)
    for number, fighter in enumerate(file.fighter):
        record["faces"][0, number], record["bonus"][0, number] = fighter.faces, fighter.bonus
    write_weights(record[0], REFERENCE.parent, FEATURES)
    return CardSet.of(record, {fighter.id: fighter.name for fighter in file.fighter}, {}, document, where)
