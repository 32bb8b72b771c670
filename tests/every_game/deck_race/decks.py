"""What the decks of Deck race hold, and how others are made: the Decking of the game."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from itertools import product
from random import Random
from typing import Any

import numpy as np

from sim.engine.cards import CardError, CardSet
from sim.engine.decks import (
    DEFAULT_GENERATOR,
    NO_CARD,
    Blank,
    DeckGenerator,
    Decking,
    DeckList,
    Decks,
    Loadout,
    Made,
    deck_tables,
)
from tests.every_game.deck_race.state import DECK_MAX

Document = Mapping[str, Any]
WORDS = ("coach", "snack")
NOTHING = {"coach": "Nobody", "snack": "Nothing"}
PACK = 5  # cards of a pool


def decks_of(cards: CardSet) -> Decks:
    """See `Decks`."""
    listed, decks = cards.document["card"], cards.document["deck"]
    ids = [card["id"] for card in listed]
    counts = np.zeros((len(decks), len(ids)), np.int64)
    slots = np.full((len(decks), DECK_MAX), NO_CARD, np.int64)
    for number, deck in enumerate(decks):
        for slot, (card, copies) in enumerate(deck["cards"].items()):
            counts[number, ids.index(card)] = copies
            slots[number, slot] = ids.index(card)
    return Decks(
        ids=tuple(ids),
        names=tuple(card["name"] for card in listed),
        counts=counts,
        slots=slots,
        level=np.array([card["level"] for card in listed]),
        kinds=("animal",) * len(ids),
        marks=tuple(tuple(card.get("keywords", ())) for card in listed),
        words=tuple({word: deck[word] for word in WORDS if word in deck} for deck in decks),
    )


def added(document: Document, decks: Mapping[str, DeckList]) -> dict[str, Any]:
    """These decks behind those of the document."""
    return {**document, "deck": [*document["deck"], *deck_tables(decks)]}


def only(document: Document, decks: Mapping[str, DeckList]) -> dict[str, Any]:
    """These decks alone."""
    return {**document, "deck": deck_tables(decks)}


def random(document: Document, count: int, chance: Random) -> Made:
    """Decks of copies dealt out of a box that holds as many of each card as a deck may have."""
    rules = document["rules"]
    box = [card["id"] for card in document["card"] for _ in range(rules["copies"])]
    found = {}
    for number in range(count):
        dealt = chance.sample(box, chance.randint(rules["deck_min"], rules["deck_max"]))
        found[f"random_{number + 1}"] = DeckList({card: dealt.count(card) for card in dict.fromkeys(dealt)})
    return Made(found)


def sealed(document: Document, count: int, chance: Random) -> Made:
    """Decks of the first cards that are legal out of a pool of any cards; a pool that does not suffice is opened anew."""
    rules, ids = document["rules"], [card["id"] for card in document["card"]]
    found: dict[str, DeckList] = {}
    anew = 0
    while len(found) < count:
        pool = chance.choices(ids, k=PACK)
        legal = [card for at, card in enumerate(pool) if pool[:at].count(card) < rules["copies"]][: rules["deck_min"]]
        if len(legal) < rules["deck_min"]:
            anew += 1
            continue
        cards = {card: legal.count(card) for card in dict.fromkeys(legal)}
        found[f"sealed_{len(found) + 1}"] = DeckList(cards, {"snack": chance.choice(document["snack"])["id"]})
    return Made(found, (f"{anew} pools opened anew",) if anew else ())


def loadouts(document: Document, deck: str) -> dict[Loadout, dict[str, Any]]:
    """Every coach with every snack, and going without."""
    (own,) = (one for one in document["deck"] if one["id"] == deck)
    offered = {word: {None: NOTHING[word]} | {one["id"]: one["name"] for one in document[word]} for word in WORDS}
    found = {}
    for coach, snack in product(*offered.values()):
        loadout = Loadout(
            (("Coach", offered["coach"][coach]), ("Snack", offered["snack"][snack])),
            (own.get("coach"), own.get("snack")) == (coach, snack),
        )
        found[loadout] = _bringing(document, deck, {"coach": coach, "snack": snack})
    return found


def without(word: str) -> Callable[[Document, str], dict[str, Any]]:
    """How a deck goes without its coach or snack."""

    def put(document: Document, deck: str) -> dict[str, Any]:
        (own,) = (one for one in document["deck"] if one["id"] == deck)
        if word not in own:
            raise CardError(f"deck.{deck}: brings no {word}")
        return _bringing(document, deck, {word: None})

    return put


def plain(document: Document, deck: str, card: str) -> dict[str, Any]:
    """A card that scores its level and no keyword in the place of all copies of a card."""
    changed = deepcopy(dict(document))
    level = next(one["level"] for one in changed["card"] if one["id"] == card)
    other = {"id": f"plain_{level}", "name": f"Plain {level}", "level": level, "points": level}
    if other["id"] not in [one["id"] for one in changed["card"]]:
        changed["card"].append(other | {"source": "assumed"})
    return _replaced(changed, deck, {card: other["id"]})


def bare(document: Document, deck: str, keyword: str) -> dict[str, Any]:
    """Copies of the cards with a keyword that lack it."""
    changed, stands_for = deepcopy(dict(document)), {}
    for one in document["card"]:
        kept = [mark for mark in one.get("keywords", []) if mark.split("(")[0] != keyword]
        if len(kept) < len(one.get("keywords", [])):
            stands_for[one["id"]] = f"bare_{one['id']}"
            changed["card"].append({**one, "id": f"bare_{one['id']}", "name": f"Bare {one['name']}", "keywords": kept})
    return _replaced(changed, deck, stands_for)


def _bringing(document: Document, deck: str, words: Mapping[str, str | None]) -> dict[str, Any]:
    """The document with a deck that brings other things; None: nothing under that word."""
    brought = {word: one for word, one in words.items() if one is not None}

    def changed(table: dict[str, Any]) -> dict[str, Any]:
        kept = {field: value for field, value in table.items() if field not in words}
        return kept | brought if table["id"] == deck else table

    return {**document, "deck": [changed(table) for table in document["deck"]]}


def _replaced(document: dict[str, Any], deck: str, stands_for: Mapping[str, str]) -> dict[str, Any]:
    """Other cards in the same places of a deck's list."""
    for one in document["deck"]:
        if one["id"] == deck:
            one["cards"] = {stands_for.get(card, card): copies for card, copies in one["cards"].items()}
    return document


DECKING = Decking(
    of=decks_of,
    added=added,
    only=only,
    generators={
        DEFAULT_GENERATOR: DeckGenerator(random),
        "sealed": DeckGenerator(sealed, "decks from sealed pools", f"each from a pool of {PACK} cards by lot"),
    },
    plain=plain,
    bare=bare,
    plain_words="a card of the same level that scores its level, without keywords",
    words=WORDS,
    loadouts=loadouts,
    blanks={"Coach": Blank(without("coach"), "coaching"), "Snack": Blank(without("snack"), "the snack")},
)
