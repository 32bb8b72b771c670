"""Rules of a card file of Riftborn Tactics that concern more than one field (register section 2.2)."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from sim.engine.cards import CardFile, Problem
from sim.engine.fieldpaths import did_you_mean
from sim.engine.reading import plain
from sim.games.riftborn import keywords, texts
from sim.games.riftborn.keywords import Place, word_of
from sim.games.riftborn.record import CARDS_MAX, DECKS_MAX, Ability
from sim.games.riftborn.schema import Deck, Rules
from sim.games.riftborn.tables import AnyCard, Aura, Body, Creature, Spell

RESERVED = "source"  # as the id of a card it could not stand in the list of a deck
EQUIPMENT_MAX = 8  # Weapons of a deck, and Armours: so many can be attached
WITH_FIELD = {
    Ability.AURA: "aura",
    Ability.SPELL: "spell_action",
    Ability.SUMMON: "summon",
    Ability.TRANSFORM: "transform",
    Ability.TRICK: "tricks",
}
LIMITED = ("hero", "weapon", "armour", "spell")  # classes of cards with copy limits; all others: other


def problems(file: "RiftbornFile") -> Iterator[Problem]:
    """Everything that concerns more than one field."""
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
    """Ids that are used more than once, and names as they are shown."""
    ids = Counter(item.id for item in items)
    names = Counter(plain(item.title) for item in items)
    for index, item in enumerate(items):
        if ids[item.id] > 1:
            yield Problem((table, index, "id"), "is used more than once", f"every {table} needs an id of its own")
        elif names[plain(item.title)] > 1:
            wrong = f'is shown as "{item.title}", as another {table} is'
            place = (table, index, "name" if item.name else "id")
            yield Problem(place, wrong, f"every {table} needs a name of its own")


def _rule_problems(rules: Rules) -> Iterator[Problem]:
    """Levels that do not rise, and deck sizes that leave none."""
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
    """What is wrong with one card. cards: all of the file by id."""
    if card.id == RESERVED:
        yield Problem(("id",), "has a meaning of its own in lists of cards", "must be another word")
    yield from keywords.list_problems(card.keywords, card.type)
    if isinstance(card, Spell):
        yield from _within(("effects",), texts.list_problems(card.effects, texts.SPELL_CARD, cards))
    elif isinstance(card, Body):
        yield from _field_problems(card)
        yield from _body_problems(card, cards)


def _field_problems(card: Body) -> Iterator[Problem]:
    """Fields without their ability, and abilities without their field."""
    abilities = keywords.known(card.keywords)
    for ability, field in WITH_FIELD.items():
        given, word = field in card.model_fields_set, word_of(ability)
        if given and ability not in abilities:
            yield Problem((field,), f"is given to a card without {word}", f"needs the keyword {word}")
        elif ability in abilities and not given:
            yield Problem((field,), "is missing", f"a card with {word} needs it")
    if card.double_retarget and Ability.DOUBLE_ATTACK not in abilities:
        wrong = "is said of a card without DOUBLE ATTACK"
        yield Problem(("double_retarget",), wrong, "needs the keyword DOUBLE ATTACK")


def _body_problems(card: Body, cards: dict[str, AnyCard]) -> Iterator[Problem]:
    """What is wrong in the fields of a creature or token."""
    for field in ("summon", "transform"):
        if field in card.model_fields_set:
            yield from texts.token_problems((field,), getattr(card, field), cards)
    if "aura" in card.model_fields_set:
        yield from _aura_problems(card.aura)
    yield from _within(("spell_action",), texts.list_problems(card.spell_action, texts.ACTION, cards))
    if not isinstance(card, Creature):
        return
    tricks = keywords.known(card.keywords).count(Ability.TRICK)
    if tricks and card.tricks and tricks != len(card.tricks):
        wrong = f"hold {len(card.tricks)} lists of effects for {tricks} TRICK"
        yield Problem(("tricks",), wrong, "every TRICK needs one list")
    for index, entries in enumerate(card.tricks):
        yield from _within(("tricks", index), texts.list_problems(entries, texts.TRICK, cards))


def _aura_problems(aura: Aura) -> Iterator[Problem]:
    """An AURA that gives nothing, or what none can give."""
    if aura.keyword:
        place = ("aura", "keyword")
        yield from keywords.text_problems(place, aura.keyword)
        yield from keywords.one_of_problems(place, aura.keyword, keywords.LENT, "cannot be given by an AURA")
    elif not (aura.attack or aura.health):
        yield Problem(("aura",), "gives nothing", "needs attack, health or keyword")


def class_of(card: AnyCard) -> str:
    """Which of the copy limits holds for a card: a word of LIMITED, or other (RIFT-03)."""
    if Ability.HERO in keywords.known(card.keywords):
        return "hero"
    return card.type if card.type in LIMITED else "other"


def _deck_problems(deck: Deck, cards: dict[str, AnyCard], rules: Rules) -> Iterator[Problem]:
    """RIFT-02 to 04. What is wrong with one deck."""
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
            right = f"must be at most {EQUIPMENT_MAX}, for no more can be attached"
            yield Problem(("cards",), f"hold {held} cards of type {kind}", right)


def _copy_problems(
    card: AnyCard | None, word: str, count: int, cards: dict[str, AnyCard], rules: Rules
) -> Iterator[Problem]:
    """RIFT-03, 04. What is wrong with one card of a deck; None: there is no such card."""
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
        """Everything of register section 2.2 that concerns more than one field."""
        yield from problems(self)
