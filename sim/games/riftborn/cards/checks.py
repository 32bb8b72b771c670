"""A whole card file of Riftborn Tactics, and the checks that concern more than one field."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from pydantic import Field

from sim.engine.cardfiles.paths import did_you_mean, plain
from sim.engine.cards import CardFile, Problem
from sim.games.riftborn.cards import schema
from sim.games.riftborn.cards.schema import (
    SIDED,
    AnyCard,
    Aura,
    Body,
    Creature,
    Deck,
    Effect,
    Grant,
    Lose,
    OnCreatures,
    Place,
    PlayFree,
    Rules,
    Spell,
    Summon,
    word_of,
)
from sim.games.riftborn.record import CARDS_MAX, DECKS_MAX, Ability

SPELL_CARD, ACTION, TRICK = "a Spell card", "a SPELL action", "a trick"


def list_problems(entries: list[Effect], of: str, cards: Mapping[str, AnyCard]) -> Iterator[Problem]:
    """Problems of an effect list. of: SPELL_CARD, ACTION or TRICK; cards: all cards of the file by id."""
    for index, entry in enumerate(entries):
        before = entries[index - 1] if index else None
        for problem in _entry_problems(entry, before, of, cards):
            yield Problem((index, *problem.location), problem.wrong, problem.right)
        if isinstance(entry, Summon | PlayFree) and (of != SPELL_CARD or index < len(entries) - 1):
            right = "may only be the last entry of the effects of a Spell card"
            yield Problem((index, "op"), f"is not the last entry of {SPELL_CARD}", right)


def token_problems(place: Place, word: str, cards: Mapping[str, AnyCard]) -> Iterator[Problem]:
    """A card that does not exist or is not a token."""
    if word not in cards:
        tokens = [card.id for card in cards.values() if card.type == "token"]
        yield Problem(place, "is no card of this file", did_you_mean(word, tokens) or 'needs a card of type "token"')
    elif cards[word].type != "token":
        yield Problem(place, f"is a card of type {cards[word].type}", "must be the id of a token")


def _entry_problems(entry: Effect, before: Effect | None, of: str, cards: Mapping[str, AnyCard]) -> Iterator[Problem]:
    """Problems of one entry. before: the entry before it."""
    if isinstance(entry, OnCreatures):
        yield from _target_problems(entry, before, of)
        yield from _parameter_problems(entry)
    if isinstance(entry, Grant):
        yield from schema.text_problems(("keyword",), entry.keyword)
        yield from schema.one_of_problems(("keyword",), entry.keyword, schema.GRANTED, "cannot be granted")
    elif isinstance(entry, Lose):
        yield from schema.text_problems(("keyword",), entry.keyword, bare=True)
        yield from schema.one_of_problems(("keyword",), entry.keyword, schema.LOST, "cannot be lost")
    elif isinstance(entry, Summon):
        yield from token_problems(("token",), entry.token, cards)


def _target_problems(entry: OnCreatures, before: Effect | None, of: str) -> Iterator[Problem]:
    """Targets that do not exist there."""
    target = entry.target
    if of == SPELL_CARD and (target == "self" or entry.where == "adjacent"):
        field = "target" if target == "self" else "where"
        yield Problem((field,), f"needs an acting creature, which {of} does not have", _elsewhere(field))
    if target in ("trigger", "subject") and of != TRICK:
        yield Problem(("target",), f"is unknown to {of}", "belongs to tricks, which something has set off")
    if target == "same" and before is None:
        yield Problem(("target",), "stands in the first entry", "means the targets of the entry before")
    elif target == "same" and not isinstance(before, OnCreatures):
        yield Problem(("target",), "follows an entry without creatures", "means the targets of the entry before")


def _elsewhere(field: str) -> str:
    """Where the field would be right."""
    word = '"self"' if field == "target" else '"adjacent"'
    return f"{word} belongs to spell_action and tricks"


def _parameter_problems(entry: OnCreatures) -> Iterator[Problem]:
    """Parameters that do not belong to the target."""
    given, target = entry.model_fields_set, entry.target
    if target in SIDED and "side" not in given:
        yield Problem(("side",), "is missing", f'target = "{target}" needs side = "friend", "enemy" or "any"')
    if target not in SIDED and "side" in given:
        yield Problem(("side",), f'is given with target = "{target}"', f"belongs to {', '.join(SIDED)}")
    for field in ("count", "where"):
        if field in given and target != "chosen":
            yield Problem((field,), f'is given with target = "{target}"', "belongs to chosen")


RESERVED = "source"  # not the id of a card: the list of a deck has a field of this name
EQUIPMENT_MAX = 8  # most Weapons of a deck, and most Armours: no more can be attached
WITH_FIELD = {
    Ability.AURA: "aura",
    Ability.SPELL: "spell_action",
    Ability.SUMMON: "summon",
    Ability.TRANSFORM: "transform",
    Ability.TRICK: "tricks",
}
LIMITED = ("hero", "weapon", "armour", "spell")  # card classes with a copy limit of their own; all others are `other`


def problems(file: "RiftbornFile") -> Iterator[Problem]:
    """Every problem that concerns more than one field."""
    yield from _rule_problems(file.rules)
    yield from _repeated("card", file.card)
    yield from _repeated("deck", file.deck)
    cards = {card.id: card for card in file.card}
    for index, card in enumerate(file.card):
        yield from _within(("card", index), _card_problems(card, cards))
    for index, deck in enumerate(file.deck):
        yield from _within(("deck", index), _deck_problems(deck, cards, file.rules))


def _within(place: Place, found: Iterator[Problem]) -> Iterator[Problem]:
    for problem in found:
        yield Problem((*place, *problem.location), problem.wrong, problem.right)


def _repeated(table: str, items: list[AnyCard] | list[Deck]) -> Iterator[Problem]:
    """Ids, and displayed names, that are used more than once."""
    ids = Counter(item.id for item in items)
    names = Counter(plain(item.title) for item in items)
    for index, item in enumerate(items):
        if ids[item.id] > 1:
            yield Problem((table, index, "id"), "is used more than once", f"every {table} needs an id of its own")
        elif names[plain(item.title)] > 1:
            wrong = f'is shown as "{item.title}", like another {table}'
            place = (table, index, "name" if item.name else "id")
            yield Problem(place, wrong, f"every {table} needs a name of its own")


def _rule_problems(rules: Rules) -> Iterator[Problem]:
    """Levels that do not rise, and limits that allow no deck size."""
    if rules.level_xp[0]:
        yield Problem(("rules", "level_xp", 0), "is not 0", "players begin at level 1 without experience")
    for index, (before, xp) in enumerate(zip(rules.level_xp, rules.level_xp[1:], strict=False), 1):
        if xp <= before:
            right = "every level must need more experience than the one before"
            yield Problem(("rules", "level_xp", index), f"is not more than {before}", right)
    if rules.deck_min > rules.deck_max:
        wrong = f"is more than deck_max = {rules.deck_max}"
        yield Problem(("rules", "deck_min"), wrong, "must be at most deck_max")


def _card_problems(card: AnyCard, cards: dict[str, AnyCard]) -> Iterator[Problem]:
    """Problems of one card. cards: all cards of the file by id."""
    if card.id == RESERVED:
        yield Problem(("id",), "has a meaning of its own in lists of cards", "must be another word")
    yield from schema.list_problems(card.keywords, card.type)
    if isinstance(card, Spell):
        yield from _within(("effects",), list_problems(card.effects, SPELL_CARD, cards))
    elif isinstance(card, Body):
        yield from _field_problems(card)
        yield from _body_problems(card, cards)


def _field_problems(card: Body) -> Iterator[Problem]:
    """Fields without their ability, and abilities without their field."""
    abilities = schema.known(card.keywords)
    for ability, field in WITH_FIELD.items():
        given, word = field in card.model_fields_set, word_of(ability)
        if given and ability not in abilities:
            yield Problem((field,), f"is given to a card without {word}", f"needs the keyword {word}")
        elif ability in abilities and not given:
            yield Problem((field,), "is missing", f"a card with {word} needs it")
    if card.double_retarget and Ability.DOUBLE_ATTACK not in abilities:
        wrong = "is given to a card without DOUBLE ATTACK"
        yield Problem(("double_retarget",), wrong, "needs the keyword DOUBLE ATTACK")


def _body_problems(card: Body, cards: dict[str, AnyCard]) -> Iterator[Problem]:
    """Problems in the fields of a creature or token."""
    for field in ("summon", "transform"):
        if field in card.model_fields_set:
            yield from token_problems((field,), getattr(card, field), cards)
    if "aura" in card.model_fields_set:
        yield from _aura_problems(card.aura)
    yield from _within(("spell_action",), list_problems(card.spell_action, ACTION, cards))
    if not isinstance(card, Creature):
        return
    tricks = schema.known(card.keywords).count(Ability.TRICK)
    if tricks and card.tricks and tricks != len(card.tricks):
        wrong = f"hold {len(card.tricks)} lists of effects for {tricks} TRICK"
        yield Problem(("tricks",), wrong, "every TRICK needs one list")
    for index, entries in enumerate(card.tricks):
        yield from _within(("tricks", index), list_problems(entries, TRICK, cards))


def _aura_problems(aura: Aura) -> Iterator[Problem]:
    """An AURA that gives nothing, or something that no AURA can give."""
    if aura.keyword:
        place = ("aura", "keyword")
        yield from schema.text_problems(place, aura.keyword)
        yield from schema.one_of_problems(place, aura.keyword, schema.LENT, "cannot be given by an AURA")
    elif not (aura.attack or aura.health):
        yield Problem(("aura",), "gives nothing", "needs attack, health or keyword")


def class_of(card: AnyCard) -> str:
    """The copy limit that applies to a card: a word of LIMITED, or other (RIFT-03)."""
    if Ability.HERO in schema.known(card.keywords):
        return "hero"
    return card.type if card.type in LIMITED else "other"


def _deck_problems(deck: Deck, cards: dict[str, AnyCard], rules: Rules) -> Iterator[Problem]:
    """RIFT-02 to 04. Problems of one deck."""
    copies = deck.cards.copies()
    for word, count in copies.items():
        yield from _within(("cards", word), _copy_problems(cards.get(word), word, count, cards, rules))
    size = sum(copies.values())
    if not rules.deck_min <= size <= rules.deck_max:
        right = f"must be {rules.deck_min} to {rules.deck_max} together (rules.deck_min, rules.deck_max)"
        yield Problem(("cards",), f"hold {size} cards", right)
    for kind in ("weapon", "armour"):
        held = sum(count for word, count in copies.items() if word in cards and cards[word].type == kind)
        if held > EQUIPMENT_MAX:
            right = f"must be at most {EQUIPMENT_MAX}, because no more can be attached"
            yield Problem(("cards",), f"hold {held} cards of type {kind}", right)


def _copy_problems(card: AnyCard | None, word: str, count: int, cards: dict[str, AnyCard], rules: Rules) -> Iterator[Problem]:
    """RIFT-03, 04. Problems of one card in a deck. card: None if there is no such card."""
    if card is None:
        near = did_you_mean(word, [*cards])
        yield Problem((), "is no card of this file", near if "did you mean" in near else "must be the id of a [[card]]")
    elif card.type == "token":
        yield Problem((), "is a token", "tokens are never in a deck; they come by SUMMON, TRANSFORM and Spells")
    else:
        group = class_of(card)
        limit = getattr(rules, f"copies_{group}")
        if limit and count > limit:
            what = {"hero": "a Hero", "other": "such a card"}.get(group, f"a card of type {group}")
            right = f"a deck holds at most {limit} of {what} (rules.copies_{group})"
            yield Problem((), "are too many copies", right)


class RiftbornFile(CardFile):
    """A whole card file of Riftborn Tactics."""

    game: Literal["riftborn"]
    rules: Rules = Rules()
    card: Annotated[list[AnyCard], Field(min_length=1, max_length=CARDS_MAX, description="[[card]]")]
    deck: Annotated[list[Deck], Field(min_length=2, max_length=DECKS_MAX, description="[[deck]]")]

    def problems(self) -> Iterator[Problem]:
        """Every problem that concerns more than one field."""
        yield from problems(self)
