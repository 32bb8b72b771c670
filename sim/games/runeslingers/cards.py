"""The card file of Runeslingers: read, validated and compiled to the CARDS record (register section 2).

`schema.py` and `tables.py` say what a card file may hold, `vocabulary.py` is the closed list of effects, `checks.py`,
`card_checks.py` and `sense.py` what must agree; `compiling.py` writes the tables into the record, `worth.py` judges cards.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cards import CardSet, read_document, validate
from sim.engine.judgement import write_weights
from sim.games.runeslingers import compiling
from sim.games.runeslingers.checks import RuneslingersFile
from sim.games.runeslingers.features import FEATURES
from sim.games.runeslingers.idle import cautions
from sim.games.runeslingers.record import CARDS
from sim.games.runeslingers.schema import Rules
from sim.games.runeslingers.usable import write_usable
from sim.games.runeslingers.worth import write_wear, write_worth

__all__ = ["REFERENCE", "cautions", "compile_cards", "from_document", "load"]

REFERENCE = Path(__file__).with_name("cards.toml")


def load(path: Path | None = None) -> CardSet:
    """The card set of a folder or .toml file, or the reference set. Raises CardError for anything wrong with it."""
    document, file = read_document(path, REFERENCE)
    return from_document(document, file)


def from_document(document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
    """The card set of a document as TOML would give it: its entrants are the decks.

    where: its name in messages. Raises CardError as `load`.
    """
    cards = validate(RuneslingersFile, document, where)
    entrants = {deck.id: deck.title for deck in cards.deck}
    switches = cards.rules.model_dump(exclude=set(Rules.CONSTANTS))
    return CardSet.of(compile_cards(cards), entrants, switches, document, where, _reference())


@cache
def _reference() -> Mapping[str, Any]:
    """The reference set as read."""
    return read_document(None, REFERENCE)[0]


def compile_cards(cards: RuneslingersFile) -> np.ndarray:
    """A valid card file as a CARDS record, shape (1,)."""
    table = np.zeros(1, CARDS)
    row = table[0]
    rows = compiling.Rows(row)
    compiling.write_rules(row, cards.rules)
    for number, ailment in enumerate(cards.ailment):
        compiling.write_ailment(row, rows, number, ailment)
    for number, hero in enumerate(cards.runeslinger):
        compiling.write_hero(row, rows, number, hero)
    for number, stance in enumerate(cards.stance):
        compiling.write_stance(row, rows, number, stance)
    for number, ability in enumerate(cards.ability):
        compiling.write_ability(row, rows, number, ability)
    row["cards"] = len(cards.card)
    for number, card in enumerate(cards.card):
        compiling.write_card(row, rows, number, card)
    numbers = {
        part: {one.id: number for number, one in enumerate(getattr(cards, part))}
        for part in ("runeslinger", "stance", "ability", "card")
    }
    row["decks"] = len(cards.deck)
    for number, deck in enumerate(cards.deck):
        compiling.write_deck(row, number, deck, numbers)
    write_usable(row)
    write_worth(row)
    write_wear(row)
    write_weights(row, REFERENCE.parent, FEATURES)
    return table
