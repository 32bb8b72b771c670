"""The card file of Riftborn Tactics: read, validated and compiled to the CARDS record (register section 2).

`schema.py` and `tables.py` say what a card file may hold, `vocabulary.py` is the closed list of effects, `keywords.py` that of
abilities, `checks.py` and `texts.py` what must agree; `compiling.py` writes the cards into the record, `worth.py` judges them.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cards import CardSet, read_document, validate
from sim.engine.judgement import write_weights
from sim.games.riftborn import compiling
from sim.games.riftborn.features import FEATURES
from sim.games.riftborn.forbidding import write_things
from sim.games.riftborn.keywords import WHEN_PLAYED, known, word_of
from sim.games.riftborn.record import CARDS, Ability
from sim.games.riftborn.schema import RiftbornFile, Rules
from sim.games.riftborn.worth import write_worth

REFERENCE = Path(__file__).with_name("cards.toml")

_ON_ATTACK = (Ability.BLOCK, Ability.DOUBLE_ATTACK, Ability.MAGIC, Ability.RANGE, Ability.READY, Ability.SIPHON)


def load(path: Path | None = None) -> CardSet:
    """The card set of a folder or .toml file, or the reference set. Raises CardError for anything wrong with it."""
    document, file = read_document(path, REFERENCE)
    return from_document(document, file)


def from_document(document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
    """The card set of a document as TOML would give it: its entrants are the decks.

    where: its name in messages. Raises CardError as `load`.
    """
    cards = validate(RiftbornFile, document, where)
    entrants = {deck.id: deck.title for deck in cards.deck}
    switches = cards.rules.model_dump(exclude=set(Rules.CONSTANTS))
    return CardSet.of(compile_cards(cards), entrants, switches, document, where, _reference())


@cache
def _reference() -> Mapping[str, Any]:
    """The reference set as read."""
    return read_document(None, REFERENCE)[0]


def compile_cards(cards: RiftbornFile) -> np.ndarray:
    """A valid card file as a CARDS record, shape (1,)."""
    table = np.zeros(1, CARDS)
    row = table[0]
    compiling.write_rules(row, cards.rules)
    numbers = {card.id: number for number, card in enumerate(cards.card)}
    row["cards"] = len(cards.card)
    for number, card in enumerate(cards.card):
        compiling.write_card(row, number, card, numbers)
    row["decks"] = len(cards.deck)
    for number, deck in enumerate(cards.deck):
        compiling.write_deck(row, number, deck, numbers)
    write_worth(row)
    write_things(row)
    write_weights(row, REFERENCE.parent, FEATURES)
    return table


def cautions(cards: CardSet) -> list[str]:
    """What a valid card file may not mean to say, in words."""
    document = cards.document["card"]
    return [*_idle_tokens(document), *_idle_spells(document), *_idle_abilities(document)]


def _idle_tokens(cards: list[dict[str, Any]]) -> list[str]:
    """Tokens that nothing brings into play."""
    used = {card.get(field) for card in cards for field in ("summon", "transform")}
    used |= {entry.get("token") for card in cards for entry in card.get("effects", ())}
    idle = [card["id"] for card in cards if card["type"] == "token" and card["id"] not in used]
    return [f"card.{word} is never in play: no card summons it or becomes it" for word in idle]


def _idle_spells(cards: list[dict[str, Any]]) -> list[str]:
    """Spells that give experience and nothing else."""
    idle = [
        card["id"]
        for card in cards
        if card["type"] == "spell"
        and not card.get("effects")
        and not {*known(card.get("keywords", ()))} & {*WHEN_PLAYED}
    ]
    return [
        f"card.{word} does nothing but give experience: it has no effects and draws and looks at nothing"
        for word in idle
    ]


def _idle_abilities(cards: list[dict[str, Any]]) -> list[str]:
    """Abilities of attackers on creatures that never attack."""
    found = []
    for card in cards:
        borne = known(card.get("keywords", ()))
        idle = ", ".join(word_of(one) for one in borne if one in _ON_ATTACK)
        if idle and Ability.PACIFIST in borne:
            found.append(f"card.{card['id']} never attacks (PACIFIST), so {idle} may do nothing on it")
    return found
