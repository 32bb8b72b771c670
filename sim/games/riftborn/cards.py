"""The card file of Riftborn Tactics: read, validated and compiled to the CARDS record (register section 2).

`schema.py` and `tables.py` say what a card file may hold, `vocabulary.py` is the closed list of effects, `keywords.py` that of
abilities, `checks.py` and `texts.py` what must agree; `compiling.py` writes the cards into the record, `worth.py` judges them.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cards import CardSet, read_document, validate
from sim.engine.judgement import write_weights
from sim.engine.reading import plain
from sim.games.riftborn import compiling
from sim.games.riftborn.checks import RiftbornFile
from sim.games.riftborn.features import FEATURES
from sim.games.riftborn.forbidding import write_things
from sim.games.riftborn.keywords import NUMBERED, WHEN_PLAYED, known, word_of
from sim.games.riftborn.record import CARDS, Ability, Kind, Trick
from sim.games.riftborn.schema import Rules
from sim.games.riftborn.tables import titled
from sim.games.riftborn.worth import write_worth

REFERENCE = Path(__file__).with_name("cards.toml")

_ON_ATTACK = (Ability.BLOCK, Ability.DOUBLE_ATTACK, Ability.MAGIC, Ability.RANGE, Ability.READY, Ability.SIPHON)
_JOINTS = frozenset(("on", "with", "own", "opponent"))  # words that join names in decisions


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


def _entries(cards: CardSet) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = cards.document["card"]
    return entries


@lru_cache(maxsize=16)  # a replay asks for names ten thousand times
def ids_of(cards: CardSet) -> tuple[str, ...]:
    """Ids of the cards, in the order of the card file."""
    return tuple(entry["id"] for entry in _entries(cards))


@lru_cache(maxsize=16)
def names_of(cards: CardSet) -> tuple[str, ...]:
    """Display names of the cards, with the id where a name alone could mean something else."""
    names = [entry.get("name") or titled(entry["id"]) for entry in _entries(cards)]
    words = [plain(name) for name in names]
    counts = Counter(words)
    return tuple(
        f"{name} ({id_})"
        if not word or counts[word] > 1 or set("(),") & set(word) or _JOINTS & {*word.split()}
        else name
        for name, word, id_ in zip(names, words, ids_of(cards), strict=True)
    )


def card_name(cards: CardSet, card: int) -> str:
    """Display name of a card by its row in the card file."""
    return names_of(cards)[card]


def kind_of(cards: CardSet, card: int) -> Kind:
    """Type of a card by its row in the card file."""
    return Kind(cards.record[0]["kind"][card])


def ability_word(ability: int, x: int = 1) -> str:
    """An ability as cards print it: `RANGE(2)`, `DOUBLE ATTACK`; several UNDEATH as `UNDEATH(2)`."""
    word = word_of(Ability(ability))
    return f"{word}({x})" if ability in NUMBERED or x > 1 else word


def trick_word(trick: int) -> str:
    """Name of a TRICK card by its code."""
    return Trick(trick).name.capitalize()
