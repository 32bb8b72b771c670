"""Decks with one card or one keyword taken out, to see what it is worth: plain and bare twins in its place."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from sim.engine.cards import CardError
from sim.engine.deck_twins import ID_MAX, NAME_MAX, card_of, deck_of, ended, replaced
from sim.engine.fieldpaths import did_you_mean
from sim.games.runeslingers.card_checks import ENDING, PICKED, RUNESPELLS
from sim.games.runeslingers.tables import titled
from sim.games.runeslingers.vocabulary import N_MAX

KEYWORDS = ("pierce", "shout", "choice", "fate", "token", "charge", "use", "distract")
PLAIN_WORDS = "a runespell that deals the usual damage for its light, or a defence card without text"

Document = Mapping[str, Any]


def plain(document: Document, deck: str, card: str) -> dict[str, Any]:
    """The document with a card of a deck replaced, in its place of the list, by a plain one of the same cost.

    A runespell becomes plain damage: an attack runespell remains one (to a Runeslinger), all others are spirit (to any target).
    It deals for each light what the spirit runespells of the file deal on average, rounded, and at least 1. A defence card keeps
    type and defence and has no text. Raises CardError if there is no such deck or it holds no such card.
    """
    present = card_of(document, deck, card)
    kind, cost = present["type"], present["cost"]
    twin: dict[str, Any] = {"cost": cost, "rarity": present["rarity"], "source": "assumed"}
    if kind in RUNESPELLS:
        kind = kind if kind == "attack" else "spirit"
        to = "runeslinger" if kind == "attack" else "any"
        n = min(max(int(damage_per_light(document) * cost + 0.5), 1), N_MAX)
        twin |= {"id": f"plain_{kind}_{cost}", "effects": [{"op": "damage", "n": n, "to": to}]}
    else:
        twin |= {"id": f"plain_{kind}_{cost}_{present['defence']}", "defence": present["defence"]}
    twin |= {"type": kind}
    if present.get("x"):
        twin |= {"id": f"{twin['id']}_x", "x": True}
    return _replaced(document, deck, {card: twin})


def damage_per_light(document: Document) -> float:
    """Damage that the spirit runespells of a document deal for each light, those without cost counted as one light.

    Without such runespells all those with damage count. Raises CardError where there is none.
    """
    for kinds in (("spirit",), RUNESPELLS):
        found = [(_damage(card), max(card["cost"], 1)) for card in document["card"] if card["type"] in kinds]
        dealing = [(damage, cost) for damage, cost in found if damage]
        if dealing:
            return sum(damage for damage, _ in dealing) / sum(cost for _, cost in dealing)
    raise CardError("card: there is no runespell with damage; a plain card is made after those")


def _damage(card: Document) -> int:
    """Damage that a card deals when it is played; damage for each ailment left out."""
    effects = [*card.get("effects", ()), *max(card.get("bullets", ()), key=_dealt, default=())]
    return _dealt(effects)


def _dealt(effects: Iterable[Document]) -> int:
    return sum(effect["n"] for effect in effects if effect["op"] == "damage" and "per" not in effect)


def bare(document: Document, deck: str, keyword: str) -> dict[str, Any]:
    """The document with every card of a deck that bears the keyword replaced, in its place, by a twin without it.

    keyword: as in `Decks.marks`. The twin has the same numbers; without choice or fate its first bullet is all it does, without
    use it lacks the effects that need it. Raises CardError if there is no such deck or keyword, or if none of its cards bears it.
    """
    if keyword not in KEYWORDS:
        raise CardError(f'"{keyword}": is no keyword; {did_you_mean(keyword, [*KEYWORDS])}')
    cards = {card["id"]: card for card in document["card"]}
    bearers = [word for word in deck_of(document, deck)["cards"] if keyword in cards[word].get("keywords", ())]
    if not bearers:
        raise CardError(f"deck.{deck}: holds no card with {keyword}")
    return _replaced(document, deck, {word: _without(cards[word], keyword) for word in bearers})


def _without(card: Document, keyword: str) -> dict[str, Any]:
    """A twin of a card that lacks a keyword and what belongs to it; its name and id say so."""
    twin = copy.deepcopy(dict(card))
    twin["keywords"] = [word for word in card["keywords"] if word != keyword]
    if keyword == "token":
        del twin["tokens"]
    elif keyword == "use":
        twin["activated"] = [one for one in twin["activated"] if not one.get("use")]
    elif keyword in PICKED:
        twin["effects"] = twin.pop("bullets")[0]
        if isinstance(twin.get("source"), dict) and "bullets" in twin["source"]:
            twin["source"]["effects"] = twin["source"].pop("bullets")
    ending = f" without {keyword}{ENDING if card.get('x') else ''}"
    twin["name"] = ended(name_of(card).removesuffix(ENDING if card.get("x") else ""), ending, NAME_MAX)
    twin["id"] = ended(card["id"], f"_without_{keyword}", ID_MAX)
    return twin


def name_of(card: Document) -> str:
    """Name of a card as it is shown."""
    name: str = card.get("name") or titled(card["id"])
    return name


def _replaced(document: Document, deck: str, twins: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """The document with twins instead of cards of a deck; those of X cards keep the ending of their names."""
    return replaced(document, deck, twins, name_of, lambda twin: ENDING if twin.get("x") else "")
