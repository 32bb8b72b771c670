"""What a valid card file of Runeslingers may not mean to say, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sim.engine.cards import CardSet

Entry = Mapping[str, Any]


def cautions(cards: CardSet) -> list[str]:
    """Parts of a valid card file that never do anything, or may be repeated in one turn without end."""
    found = []
    for card in cards.document["card"]:
        found += [
            f"card.{card['id']} {words}" for words in (*_nothing(card), *_tokens(card), *_owner(card), *_trap(card))
        ]
    return found


def _nothing(card: Entry) -> Iterator[str]:
    """Cards without any text."""
    texts = ("effects", "bullets", "statics", "triggers", "activated")
    if card["type"] != "boon" and not any(card.get(field) for field in texts):
        yield "does nothing: it has no effects, statics or triggers"


def _tokens(card: Entry) -> Iterator[str]:
    """Tokens that nothing spends, and costs in tokens that never can be paid."""
    keywords = card.get("keywords", ())
    spent = any(one.get("tokens") for one in card.get("activated", ()))
    if spent and not {"token", "charge"} & {*keywords}:
        yield "costs tokens that it never has: it has neither token nor charge"
    elif not spent and {"token", "charge"} & {*keywords}:
        yield "has tokens that it never spends: no activated effect costs any"


def _owner(card: Entry) -> Iterator[str]:
    """What only holds on the enemy's field, on cards that never lie there."""
    entries = [*card.get("statics", ()), *card.get("triggers", ())]
    if card["type"] != "boon" and any(one.get("if") == "not_owned" for one in entries):
        yield 'has if = "not_owned", but only boons lie on the field of another than their owner'


def may_trap(card: Entry) -> bool:
    """RUNE-126. Whether any effect of a card lays another one under it."""
    lists = [card.get("effects", ()), *card.get("bullets", ()), *(one["effects"] for one in card.get("activated", ()))]
    return any(effect["op"] == "trap" for effects in lists for effect in effects)


def _trap(card: Entry) -> Iterator[str]:
    """Traps for nothing: three of them can trap and release each other for ever."""
    if not card["cost"] and may_trap(card):
        yield "traps for no light: several of it may be played in turn without end"
