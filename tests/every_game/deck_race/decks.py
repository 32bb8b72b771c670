"""The Decking of Deck race: what its decks hold, and how decks are generated and changed."""

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
    """The document with these decks after its own."""
    return {**document, "deck": [*document["deck"], *deck_tables(decks)]}


def only(document: Document, decks: Mapping[str, DeckList]) -> dict[str, Any]:
    """The document with these decks only."""
    return {**document, "deck": deck_tables(decks)}


def random(document: Document, count: int, chance: Random) -> Made:
    """Decks dealt from a box that holds the allowed number of copies of each card."""
    rules = document["rules"]
    box = [card["id"] for card in document["card"] for _ in range(rules["copies"])]
    decks = {}
    for number in range(count):
        dealt = chance.sample(box, chance.randint(rules["deck_min"], rules["deck_max"]))
        decks[f"random_{number + 1}"] = DeckList({card: dealt.count(card) for card in dict.fromkeys(dealt)})
    return Made(decks)


def sealed(document: Document, count: int, chance: Random) -> Made:
    """Decks of the first legal cards of a random pool; a pool with too few legal cards is drawn again."""
    rules, ids = document["rules"], [card["id"] for card in document["card"]]
    decks: dict[str, DeckList] = {}
    redrawn = 0
    while len(decks) < count:
        pool = chance.choices(ids, k=PACK)
        legal = [card for index, card in enumerate(pool) if pool[:index].count(card) < rules["copies"]][: rules["deck_min"]]
        if len(legal) < rules["deck_min"]:
            redrawn += 1
            continue
        cards = {card: legal.count(card) for card in dict.fromkeys(legal)}
        decks[f"sealed_{len(decks) + 1}"] = DeckList(cards, {"snack": chance.choice(document["snack"])["id"]})
    return Made(decks, (f"{redrawn} pools drawn again",) if redrawn else ())


def loadouts(document: Document, deck: str) -> dict[Loadout, dict[str, Any]]:
    """Every coach with every snack, or without either."""
    (table,) = (entry for entry in document["deck"] if entry["id"] == deck)
    offered = {word: {None: NOTHING[word]} | {entry["id"]: entry["name"] for entry in document[word]} for word in WORDS}
    documents = {}
    for coach, snack in product(*offered.values()):
        loadout = Loadout(
            (("Coach", offered["coach"][coach]), ("Snack", offered["snack"][snack])),
            (table.get("coach"), table.get("snack")) == (coach, snack),
        )
        documents[loadout] = _bringing(document, deck, {"coach": coach, "snack": snack})
    return documents


def without(word: str) -> Callable[[Document, str], dict[str, Any]]:
    """A function that takes a deck's coach or snack away."""

    def put(document: Document, deck: str) -> dict[str, Any]:
        (table,) = (entry for entry in document["deck"] if entry["id"] == deck)
        if word not in table:
            raise CardError(f"deck.{deck}: brings no {word}")
        return _bringing(document, deck, {word: None})

    return put


def plain(document: Document, deck: str, card: str) -> dict[str, Any]:
    """Replace all copies of a card by one without keywords that scores its level."""
    changed = deepcopy(dict(document))
    level = next(card_table["level"] for card_table in changed["card"] if card_table["id"] == card)
    substitute = {"id": f"plain_{level}", "name": f"Plain {level}", "level": level, "points": level}
    if substitute["id"] not in [card_table["id"] for card_table in changed["card"]]:
        changed["card"].append(substitute | {"source": "assumed"})
    return _replaced(changed, deck, {card: substitute["id"]})


def bare(document: Document, deck: str, keyword: str) -> dict[str, Any]:
    """Replace the cards with a keyword by copies without it."""
    changed, stands_for = deepcopy(dict(document)), {}
    for card_table in document["card"]:
        kept = [mark for mark in card_table.get("keywords", []) if mark.split("(")[0] != keyword]
        if len(kept) < len(card_table.get("keywords", [])):
            stands_for[card_table["id"]] = f"bare_{card_table['id']}"
            changed["card"].append(
                {**card_table, "id": f"bare_{card_table['id']}", "name": f"Bare {card_table['name']}", "keywords": kept}
            )
    return _replaced(changed, deck, stands_for)


def _bringing(document: Document, deck: str, words: Mapping[str, str | None]) -> dict[str, Any]:
    """The document with a deck that brings these under their words; None: nothing under that word."""
    brought = {word: choice for word, choice in words.items() if choice is not None}

    def changed(table: dict[str, Any]) -> dict[str, Any]:
        kept = {field: value for field, value in table.items() if field not in words}
        return kept | brought if table["id"] == deck else table

    return {**document, "deck": [changed(table) for table in document["deck"]]}


def _replaced(document: dict[str, Any], deck: str, stands_for: Mapping[str, str]) -> dict[str, Any]:
    """Replace cards of a deck at the same places of its list."""
    for table in document["deck"]:
        if table["id"] == deck:
            table["cards"] = {stands_for.get(card, card): copies for card, copies in table["cards"].items()}
    return document


DECKING = Decking(
    of=decks_of,
    added=added,
    only=only,
    generators={
        DEFAULT_GENERATOR: DeckGenerator(random),
        "sealed": DeckGenerator(sealed, "decks from sealed pools", f"each from a pool of {PACK} random cards"),
    },
    plain=plain,
    bare=bare,
    plain_words="a card of the same level that scores its level, without keywords",
    words=WORDS,
    loadouts=loadouts,
    blanks={"Coach": Blank(without("coach"), "coaching"), "Snack": Blank(without("snack"), "the snack")},
)
