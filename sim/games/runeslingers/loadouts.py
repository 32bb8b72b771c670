"""What decks bring besides their cards (RUNE-02): Runeslinger, stance and ability, exchanged, completed and left blank."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from sim.engine.deck_twins import deck_of
from sim.engine.decks import Blank, Kit
from sim.games.runeslingers.tables import titled

Document = Mapping[str, Any]
PARTS = ("runeslinger", "stance", "ability")
WORDS = (*PARTS, "mode")  # that a deck of a deck file may name
NOTHING = "nothing"  # begins the ids of blank equips
BLANKS = {
    "stance": {},
    "ability": {"determination": 4, "effects": [{"op": "heal", "n": 0}]},  # costs what it may and does nothing
}


def loadouts(document: Document) -> list[dict[str, str]]:
    """All legal loadouts of a document: every Runeslinger with every stance and ability of its class, in the file's order."""
    return [
        {"runeslinger": hero["id"], "stance": stance["id"], "ability": ability["id"]}
        for hero in document["runeslinger"]
        for stance in document["stance"]
        for ability in document["ability"]
        if stance["class"] == ability["class"] == hero["class"]
    ]


def by_lot(document: Document, chance: Random) -> dict[str, str]:
    """One of all legal loadouts, all equally likely."""
    return dict(chance.choice(loadouts(document)))


def completed(document: Document, words: Mapping[str, str]) -> dict[str, str]:
    """The words of a deck with the parts of the loadout that it leaves out: the first legal loadout that has all the others.

    What no legal loadout has is left as it is; the validator says what is wrong with it.
    """
    given = {word: words[word] for word in PARTS if word in words}
    fitting = (one for one in loadouts(document) if given.items() <= one.items())
    return {**next(fitting, {}), **words}


def kits(document: Document, deck: str) -> dict[Kit, dict[str, Any]]:
    """The document with a deck bringing each legal loadout, in the order of the file, its own among them."""
    own = deck_of(document, deck)
    names = {part: {one["id"]: one.get("name") or titled(one["id"]) for one in document[part]} for part in PARTS}
    return {
        Kit(
            tuple((part.capitalize(), names[part][brought[part]]) for part in PARTS),
            own=all(own[part] == brought[part] for part in PARTS),
        ): bringing(document, deck, brought)
        for brought in loadouts(document)
    }


def bringing(document: Document, deck: str, brought: Mapping[str, str]) -> dict[str, Any]:
    """The document with a deck that brings other parts."""
    tables = [{**table, **brought} if table["id"] == deck else table for table in document["deck"]]
    return {**document, "deck": tables}


def without(part: str) -> Callable[[Document, str], dict[str, Any]]:
    """How a deck goes without its stance or ability: with one of the same class that does nothing."""

    def put(document: Document, deck: str) -> dict[str, Any]:
        (present,) = (one for one in document[part] if one["id"] == deck_of(document, deck)[part])
        taken = {one["id"] for one in document[part]} | {one.get("name") for one in document[part]}
        words = (f"{NOTHING}_{number}" for number in range(1, len(taken) + 2))
        word = next(word for word in words if word not in taken and titled(word) not in taken)
        empty = {"id": word, "class": present["class"], "source": "assumed", **BLANKS[part]}
        return bringing({**document, part: [*document[part], empty]}, deck, {part: word})

    return put


SPARED = {"Stance": Blank(without("stance"), "the stance"), "Ability": Blank(without("ability"), "determination")}
