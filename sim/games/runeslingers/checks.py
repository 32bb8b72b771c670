"""Rules of a card file of Runeslingers that concern more than one field (register section 2.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from sim.engine.cards import CardFile, Problem
from sim.engine.fieldpaths import did_you_mean
from sim.engine.reading import plain
from sim.games.runeslingers import card_checks, sense
from sim.games.runeslingers.card_checks import endless_problems
from sim.games.runeslingers.record import (
    ABILITIES_MAX,
    AILMENT_WORDS,
    AILMENTS,
    CARDS_MAX,
    DECKS_MAX,
    EFFECTS_MAX,
    HEROES_MAX,
    STANCES_MAX,
)
from sim.games.runeslingers.schema import Deck, Rules
from sim.games.runeslingers.sense import within
from sim.games.runeslingers.tables import Ability, AilmentTable, Card, Classed, Named, Runeslinger, Stance
from sim.games.runeslingers.vocabulary import OWN_MOMENTS, Apply, Convert, Damage, Effect


class RuneslingersFile(CardFile):
    """A whole card file of Runeslingers."""

    game: Literal["runeslingers"]
    rules: Rules = Rules()
    ailment: Annotated[list[AilmentTable], Field(min_length=AILMENTS, max_length=AILMENTS, description="[[ailment]]")]
    runeslinger: Annotated[list[Runeslinger], Field(min_length=1, max_length=HEROES_MAX, description="[[runeslinger]]")]
    stance: Annotated[list[Stance], Field(min_length=1, max_length=STANCES_MAX, description="[[stance]]")]
    ability: Annotated[list[Ability], Field(min_length=1, max_length=ABILITIES_MAX, description="[[ability]]")]
    card: Annotated[list[Card], Field(min_length=1, max_length=CARDS_MAX, description="[[card]]")]
    deck: Annotated[list[Deck], Field(min_length=2, max_length=DECKS_MAX, description="[[deck]]")]

    def problems(self) -> Iterator[Problem]:
        """Everything of register section 2.1 that concerns more than one field."""
        yield from problems(self)


def problems(file: RuneslingersFile) -> Iterator[Problem]:
    """Everything that concerns more than one field."""
    tables: dict[str, Sequence[Named]] = {
        table: getattr(file, table) for table in ("ailment", "runeslinger", "stance", "ability", "card", "deck")
    }
    for table, items in tables.items():
        yield from _repeated(table, items)
    yield from _ailments_problems(file.ailment)
    for index, hero in enumerate(file.runeslinger):
        yield from within(("runeslinger", index, "inherent"), _inherent_problems(hero))
    for index, stance in enumerate(file.stance):
        yield from within(("stance", index), _stance_problems(stance))
    for index, ability in enumerate(file.ability):
        yield from within(("ability", index, "effects"), sense.list_problems(ability.effects, sense.ABILITY))
    for index, card in enumerate(file.card):
        yield from within(("card", index), card_checks.card_problems(card))
    yield from _room_problems(file)
    for index, deck in enumerate(file.deck):
        yield from within(("deck", index), _deck_problems(deck, file))


def _repeated(table: str, items: Sequence[Named]) -> Iterator[Problem]:
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


def _ailments_problems(ailments: Sequence[AilmentTable]) -> Iterator[Problem]:
    """The six ailments in their order, each in itself, and none that sets off itself for ever."""
    for index, (ailment, word) in enumerate(zip(ailments, AILMENT_WORDS, strict=True)):
        if ailment.id != word:
            yield Problem(
                ("ailment", index, "id"),
                f"is not {word}",
                f"the ailments are {', '.join(AILMENT_WORDS)}, in this order",
            )
        yield from within(("ailment", index), _ailment_problems(ailment))
    caused: dict[str, set[str]] = {ailment.id: _causes(ailment.on_apply) for ailment in ailments}
    for index, ailment in enumerate(ailments):
        if _reaches(ailment.id, caused):
            right = "what is applied when it is applied must not lead back to it"
            yield Problem(("ailment", index, "on_apply"), f"applies {ailment.id} again, without end", right)


def _ailment_problems(ailment: AilmentTable) -> Iterator[Problem]:
    """What is wrong with one ailment."""
    for field in ("on_apply", "ailment_phase", "after_draw"):
        yield from within((field,), sense.list_problems(getattr(ailment, field), sense.AILMENT))
    for field in ("per_instance", "while_any", "level2"):
        statics = getattr(ailment, field)
        found = sense.static_problems(statics, "an ailment", owned=False, sums=field == "per_instance")
        yield from within((field,), found)
    for index, effect in enumerate(ailment.on_apply):
        if sense.gives([effect]):
            right = "activated effects could apply it for ever"
            yield Problem(("on_apply", index, "op"), "gives light for an ailment", right)


def _causes(effects: Sequence[Effect]) -> set[str]:
    """Types that effects apply."""
    applied = {effect.ailment for effect in sense.flat(effects) if isinstance(effect, Apply)}
    return applied | {effect.into for effect in sense.flat(effects) if isinstance(effect, Convert)}


def _reaches(word: str, caused: Mapping[str, set[str]]) -> bool:
    """Whether applying a type leads to applying it again."""
    reached: set[str] = set()
    for _ in caused:
        reached |= caused[word].union(*(caused.get(one, set()) for one in reached))
    return word in reached


def _inherent_problems(hero: Runeslinger) -> Iterator[Problem]:
    """What is wrong with an inherent ability."""
    inherent = hero.inherent
    yield from within(("effects",), sense.list_problems(inherent.effects, sense.INHERENT))
    yield from endless_problems(inherent.light, inherent.effects, inherent.per_turn)


def _stance_problems(stance: Stance) -> Iterator[Problem]:
    """What is wrong with a stance: no one but its player ever controls it, and it never leaves."""
    yield from within(("statics",), sense.static_problems(stance.statics, "a stance", owned=False))
    for index, trigger in enumerate(stance.triggers):
        place = ("triggers", index)
        yield from within((*place, "effects"), sense.list_problems(trigger.effects, sense.TRIGGER))
        if trigger.when in OWN_MOMENTS:
            yield Problem((*place, "when"), "is no moment of a stance", "a stance never leaves")
        if trigger.if_ != "always":
            right = "only cards may lie on the field of another than their owner"
            yield Problem((*place, "if"), "is said of a stance", right)


def rows_of(effects: Sequence[Effect]) -> int:
    """Rows of the record that a list of effects takes, its end and its on-hit effects included."""
    hits = sum(len(effect.hit) + 1 for effect in effects if isinstance(effect, Damage) and effect.hit)
    return len(effects) + 1 + hits if effects else 0


def _room_problems(file: RuneslingersFile) -> Iterator[Problem]:
    """Effects of all tables together: the record has room for so many."""
    lists = [
        list_ for ailment in file.ailment for list_ in (ailment.on_apply, ailment.ailment_phase, ailment.after_draw)
    ]
    lists += [hero.inherent.effects for hero in file.runeslinger]
    lists += [trigger.effects for stance in file.stance for trigger in stance.triggers]
    lists += [ability.effects for ability in file.ability]
    for card in file.card:
        lists += [card.effects, *card.bullets, *(trigger.effects for trigger in card.triggers)]
        lists += [activated.effects for activated in card.activated]
    rows = 1 + sum(map(rows_of, lists))
    if rows > EFFECTS_MAX:
        wrong = f"hold too many effects: they and the ends of their lists are {rows}"
        yield Problem(("card",), wrong, f"must be at most {EFFECTS_MAX} in all tables together")


def _deck_problems(deck: Deck, file: RuneslingersFile) -> Iterator[Problem]:
    """RUNE-02, 140. What is wrong with one deck and its loadout."""
    heroes = {hero.id: hero for hero in file.runeslinger}
    yield from _known_problems("runeslinger", deck.runeslinger, heroes)
    equips: dict[str, Mapping[str, Classed]] = {
        "stance": {one.id: one for one in file.stance},
        "ability": {one.id: one for one in file.ability},
    }
    for field, table in equips.items():
        word = getattr(deck, field)
        yield from _known_problems(field, word, table)
        if deck.runeslinger in heroes and word in table and table[word].class_ != heroes[deck.runeslinger].class_:
            hero = heroes[deck.runeslinger]
            right = f"{hero.title} needs the class {hero.class_}"
            yield Problem((field,), f"is of the class {table[word].class_}", right)
    cards = {card.id: card for card in file.card}
    copies = deck.cards.copies()
    for word, count in copies.items():
        yield from within(("cards", word), _copy_problems((word, cards), count, file.rules, deck.mode))
    size = sum(copies.values())
    if size != file.rules.deck_size:
        yield Problem(("cards",), f"hold {size} cards", f"must be {file.rules.deck_size} together (rules.deck_size)")


def _known_problems(field: str, word: str, table: Mapping[str, Named]) -> Iterator[Problem]:
    """A part of a loadout that there is not."""
    if word not in table:
        near = did_you_mean(word, [*table])
        yield Problem((field,), f"is no {field} of this file", near)


def copy_limit(card: Card, rules: Rules, mode: str = "constructed") -> int:
    """RUNE-140, 141. Copies of a card that a deck may hold."""
    if mode == "draft" and rules.draft_copies == "free":
        return rules.deck_size
    return rules.max_copies_x if card.x else rules.max_copies


def _copy_problems(named: tuple[str, Mapping[str, Card]], count: int, rules: Rules, mode: str) -> Iterator[Problem]:
    """What is wrong with one card of a deck. named: its id, and all cards."""
    word, cards = named
    if word not in cards:
        near = did_you_mean(word, [*cards])
        yield Problem((), "is no card of this file", near if "did you mean" in near else "must be the id of a [[card]]")
        return
    limit = copy_limit(cards[word], rules, mode)
    if count > limit:
        what, field = ("an X card", "max_copies_x") if cards[word].x else ("a card", "max_copies")
        yield Problem((), "are too many copies", f"a deck holds at most {limit} of {what} (rules.{field})")
