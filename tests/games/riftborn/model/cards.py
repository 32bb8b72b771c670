"""Cards of the Riftborn Tactics model: a card file, read from its document.

Types, abilities, targets and the like stay words of the file. The validator has checked it.
"""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NamedTuple

from sim.games.riftborn.cards.schema import Rules

TRICKS = ("", "ambush", "pitfall", "echo", "wake", "snare")  # TRICK cards by code; code 0 lays none
REPEATED = ("UNDEATH", "TRICK")  # may stand on a card more than once
WHEN_PLAYED = ("DRAW", "SCRY", "SPY", "TRICK")


class Ability(NamedTuple):
    """An ability as printed. x: 1 of a plain one."""

    name: str
    x: int


NO_ABILITY = Ability("", 0)


@dataclass(frozen=True)
class Effect:
    """One entry of an effect list. side: of the targets; who: players; where: any or adjacent."""

    op: str
    n: int = 0
    kind: str = ""
    keyword: Ability = NO_ABILITY
    target: str = ""
    side: str = "any"
    count: int = 1
    where: str = "any"
    who: str = ""
    token: str = ""
    max_level: int = 0


class Aura(NamedTuple):
    """What an AURA gives (RIFT-80)."""

    side: str
    attack: int
    health: int
    keyword: Ability | None


@dataclass(frozen=True)
class Card:
    """One card of the file. place: its number there. `abilities`: how much of each is printed; those of
    REPEATED are counted. played: its when-played abilities in printed order, a repeated one as often as it stands there.
    """

    place: int
    id: str
    type: str
    level: int
    attack: int
    health: int
    xp: int
    keywords: tuple[Ability, ...] = ()
    aura: Aura | None = None
    double_retarget: bool = False
    summon: str = ""
    transform: str = ""
    effects: tuple[Effect, ...] = ()  # of a Spell card
    spell_action: tuple[Effect, ...] = ()
    tricks: tuple[tuple[Effect, ...], ...] = ()
    abilities: dict[str, int] = field(default_factory=dict, compare=False)

    @property
    def is_creature(self) -> bool:
        """Whether it stands in a formation."""
        return self.type in ("creature", "token")

    @property
    def played(self) -> list[Ability]:
        """RIFT-29. What acts when it is played."""
        return [ability for ability in self.keywords if ability.name in WHEN_PLAYED]


@dataclass(frozen=True)
class Cards:
    """A whole file. decks: cards copy by copy, in the order of the list."""

    rules: Any  # table `[rules]` with its defaults; switches as words
    cards: tuple[Card, ...]
    decks: dict[str, tuple[Card, ...]]

    def card(self, name: str) -> Card:
        """The card with this id."""
        return next(card for card in self.cards if card.id == name)


def read_cards(document: dict[str, Any]) -> Cards:
    """A set from its document, as `tomllib` reads it."""
    rules = SimpleNamespace(**Rules(**document.get("rules", {})).model_dump())
    cards = tuple(_card(place, entry) for place, entry in enumerate(document["card"]))
    by_id = {card.id: card for card in cards}
    decks = {
        entry["id"]: tuple(by_id[name] for name, count in entry["cards"].items() for _ in range(count))
        for entry in document.get("deck", [])
    }
    return Cards(rules, cards, decks)


def ability(text: str) -> Ability:
    """`RANGE(2)`, `DOUBLE ATTACK`."""
    name, _, x = text.rstrip(")").partition("(")
    return Ability(name, int(x) if x else 1)


def printed(keywords: tuple[Ability, ...]) -> dict[str, int]:
    """How much of each ability a card has."""
    amounts: dict[str, int] = {}
    for name, x in keywords:
        amounts[name] = amounts.get(name, 0) + 1 if name in REPEATED else x
    return amounts


def _card(place: int, entry: dict[str, Any]) -> Card:
    keywords = tuple(ability(text) for text in entry.get("keywords", []))
    return Card(
        place=place,
        id=entry["id"],
        type=entry["type"],
        level=entry.get("level", 0),
        attack=entry.get("attack", 0),
        health=entry.get("health", 0),
        xp=entry["xp"],
        keywords=keywords,
        aura=_aura(entry["aura"]) if "aura" in entry else None,
        double_retarget=entry.get("double_retarget", False),
        summon=entry.get("summon", ""),
        transform=entry.get("transform", ""),
        effects=_effects(entry.get("effects", [])),
        spell_action=_effects(entry.get("spell_action", [])),
        tricks=tuple(_effects(entries) for entries in entry.get("tricks", [])),
        abilities=printed(keywords),
    )


def _aura(entry: dict[str, Any]) -> Aura:
    keyword = ability(entry["keyword"]) if "keyword" in entry else None
    return Aura(entry["side"], entry.get("attack", 0), entry.get("health", 0), keyword)


def _effects(entries: list[dict[str, Any]]) -> tuple[Effect, ...]:
    return tuple(_effect(dict(entry)) for entry in entries)


def _effect(entry: dict[str, Any]) -> Effect:
    keyword = ability(entry.pop("keyword")) if "keyword" in entry else NO_ABILITY
    return Effect(**entry, keyword=keyword)
