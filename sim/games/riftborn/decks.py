"""Decks of Riftborn Tactics as entrants: their cards, random decks, and decks with one card or ability replaced."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import did_you_mean
from sim.engine.cards import CardError, CardSet, validate
from sim.engine.decks import (
    DEFAULT_GENERATOR,
    ID_MAX,
    NAME_MAX,
    DeckGenerator,
    Decking,
    DeckList,
    Decks,
    Made,
    card_of,
    counted,
    deck_of,
    ended,
    replaced,
)
from sim.games.riftborn.cards import DECK_MAX, Ability
from sim.games.riftborn.cards.schema import (
    EQUIPMENT_MAX,
    HEALTH_MAX,
    WITH_FIELD,
    AnyCard,
    RiftbornFile,
    Rules,
    class_of,
    known,
    parsed,
    titled,
    word_of,
)

RANDOM_COPIES = 4  # most copies of a card in a random deck if the rules set no limit, so that decks stay varied
XP_STEP = 50  # step to which the experience of a plain creature is rounded
EQUIPMENT_ROOM = {"weapon": EQUIPMENT_MAX, "armour": EQUIPMENT_MAX}

Document = Mapping[str, Any]


def decks_of(cards: CardSet) -> Decks:
    """The decks of a card set, without tokens, which are never in a deck. slots: as wide as the outcome fields by slot."""
    held = [card for card in cards.document["card"] if card["type"] != "token"]
    ids = tuple(card["id"] for card in held)
    counts, slots = counted([deck["cards"] for deck in cards.document["deck"]], ids, DECK_MAX)
    return Decks(
        ids=ids,
        names=tuple(_name(card) for card in held),
        counts=counts,
        slots=slots,
        level=np.array([card["level"] for card in held], np.int16),
        kinds=tuple(card["type"] for card in held),
        marks=tuple(tuple(dict.fromkeys(word_of(ability) for ability in _abilities(card))) for card in held),
    )


def random_decks(document: Document, count: int, chance: Random) -> Made:
    """Random legal decks of all cards of a document: random_001, random_002, ...

    A deck has `deck_min` cards. Its cards come in random order, all equally likely; the number of copies is uniform from 1 to the
    number allowed, at most RANDOM_COPIES unless there are too few cards for that. The list is in the order of the file. Raises
    CardError if the document is not valid.
    """
    file = validate(RiftbornFile, document, "document")
    pool = [card for card in file.card if card.type != "token"]
    # its own decks are legal, so there are enough cards
    most = next(most for most in range(RANDOM_COPIES, DECK_MAX + 1) if _suffice(pool, file.rules, most))
    width = max(len(str(count)), 3)
    numbers = range(1, count + 1)
    return Made({f"random_{number:0{width}}": _random_deck(pool, file.rules, most, chance) for number in numbers})


def plain(document: Document, deck: str, card: str) -> dict[str, Any]:
    """The document with a card of a deck replaced, at its place in the list, by a plain creature of its level.

    Its Attack, Health and experience are the means of the creatures of that level, or of the nearest level that has any,
    rounded; a SWARM counts with all its members. Raises CardError if there is no such deck or it does not contain the card.
    """
    level = card_of(document, deck, card)["level"]
    creatures = [entry for entry in document["card"] if entry["type"] == "creature"]
    if not creatures:
        raise CardError("card: there is no creature; a plain card is made after the creatures of a level")
    nearest = min(abs(creature["level"] - level) for creature in creatures)
    alike = [creature for creature in creatures if abs(creature["level"] - level) == nearest]
    twin = {
        "id": f"plain_level_{level}",
        "type": "creature",
        "level": level,
        "attack": _mean(creature["attack"] * _swarm(creature) for creature in alike),
        "health": min(_mean(creature["health"] * _swarm(creature) for creature in alike), HEALTH_MAX),
        "xp": _mean(creature["xp"] / XP_STEP for creature in alike) * XP_STEP,
        "source": "assumed",
    }
    return replaced(document, deck, {card: twin}, _name)


def bare(document: Document, deck: str, keyword: str) -> dict[str, Any]:
    """The document with every card of a deck that has the keyword replaced, at its place, by a twin without it.

    keyword: as in `Decks.marks`, without number. The twin has the same numbers. Raises CardError if there is no such deck or
    keyword, or if none of its cards has it.
    """
    words = [word_of(ability) for ability in Ability]
    if keyword not in words:
        raise CardError(f'"{keyword}": is no ability; {did_you_mean(keyword, words)}')
    ability = Ability(words.index(keyword))
    cards = {card["id"]: card for card in document["card"]}
    bearers = [word for word in deck_of(document, deck)["cards"] if ability in _abilities(cards[word])]
    if not bearers:
        raise CardError(f"deck.{deck}: holds no card with {keyword}")
    twins = {word: _without(cards[word], ability) for word in bearers}
    return replaced(document, deck, twins, _name)


DECKING = Decking(
    of=decks_of,
    generators={DEFAULT_GENERATOR: DeckGenerator(random_decks)},
    plain=plain,
    bare=bare,
    plain_words="a creature of the same level without abilities",
)


def _abilities(card: Document) -> list[Ability]:
    return known(card.get("keywords", ()))


def _name(card: Document) -> str:
    name: str = card.get("name") or titled(card["id"])
    return name


def _limits(pool: Sequence[AnyCard], rules: Rules, most: int) -> list[int]:
    """RIFT-03. Most copies of each card in a random deck."""
    return [min(getattr(rules, f"copies_{class_of(card)}") or most, most) for card in pool]


def _suffice(pool: Sequence[AnyCard], rules: Rules, most: int) -> bool:
    """Whether there are enough cards for a deck."""
    total: Counter[str] = Counter()
    for card, limit in zip(pool, _limits(pool, rules, most), strict=True):
        total[card.type] += limit
    return sum(min(held, EQUIPMENT_ROOM.get(kind, held)) for kind, held in total.items()) >= rules.deck_min


def _random_deck(pool: Sequence[AnyCard], rules: Rules, most: int, chance: Random) -> DeckList:
    """One deck, see `random_decks`; if the first pass leaves room, a second one fills it."""
    room, left = dict(EQUIPMENT_ROOM), rules.deck_min
    limits = _limits(pool, rules, most)
    copies = [0] * len(pool)
    for sparing in (True, False):
        for number in chance.sample(range(len(pool)), len(pool)):
            more = limits[number] - copies[number]
            kind = pool[number].type
            taken = min(chance.randint(1, more) if sparing else more, left, room.get(kind, left))
            copies[number] += taken
            left -= taken
            if kind in room:
                room[kind] -= taken
    return DeckList({card.id: count for card, count in zip(pool, copies, strict=True) if count})


def _mean(values: Iterable[float]) -> int:
    """The mean, rounded half up."""
    numbers = [*values]
    return int(sum(numbers) / len(numbers) + 0.5)


def _swarm(card: Document) -> int:
    """Number of creatures that a card stands for."""
    return max([x for ability, x in map(parsed, card.get("keywords", ())) if ability == Ability.SWARM], default=1)


def _without(card: Document, ability: Ability) -> dict[str, Any]:
    """A twin of a card without an ability and its field, which its name and id mention."""
    word = word_of(ability)
    fields = (WITH_FIELD.get(ability), "double_retarget" if ability == Ability.DOUBLE_ATTACK else None)
    twin = {field: copy.deepcopy(value) for field, value in card.items() if field not in fields}
    twin["keywords"] = [text for text in card["keywords"] if parsed(text).ability != ability]
    twin["name"] = ended(_name(card), f" without {word}", NAME_MAX)
    twin["id"] = ended(card["id"], f"_without_{word.lower().replace(' ', '_')}", ID_MAX)
    return twin
