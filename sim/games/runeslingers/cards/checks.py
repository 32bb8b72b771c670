"""A whole card file: what must agree between its fields and no row of a table says, and what it probably does not mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from sim.engine.cardfiles.columns import RowCount
from sim.engine.cards import Agreement, CardFile, CardSet, Problem, Unique, within
from sim.games.runeslingers.cards import (
    ABILITIES_MAX,
    AILMENT_WORDS,
    AILMENTS,
    CARDS_MAX,
    DECKS_MAX,
    EFFECTS_MAX,
    HEROES_MAX,
    STANCES_MAX,
    DraftCopies,
)
from sim.games.runeslingers.cards.schema import (
    ANNOUNCED_MAX,
    CHOOSE,
    LAYING,
    PICKED,
    Ability,
    AilmentTable,
    Apply,
    Card,
    Classed,
    Convert,
    Damage,
    Deck,
    Effect,
    HitEffect,
    PlayerEffect,
    Release,
    Rules,
    Runeslinger,
    Stance,
    Static,
)

MAX_HAND = 12  # largest hand that a static can set

Place = tuple[str | int, ...]
RESERVED = ("source",)  # the id of a card would be ambiguous in the list of a deck
ENDING = " X"  # of the name of an X card
TABLES = ("ailment", "runeslinger", "stance", "ability", "card", "deck")
WHEN_MAX = 2  # most triggers of a card for one moment
Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Where:
    """Where a list of effects stands. trap, release, choose: whether it can hold such an effect; word: in messages."""

    word: str
    trap: bool = False
    release: bool = False
    choose: bool = True


INHERENT = Where("an inherent ability")
ABILITY = Where("an ability")
TRIGGER = Where("a trigger")
AILMENT = Where("an ailment", choose=False)


def flat(effects: Iterable[Effect | HitEffect]) -> Iterator[Effect | HitEffect]:
    """Effects in order, each followed by its on-hit effects."""
    for effect in effects:
        yield effect
        if isinstance(effect, Damage):
            yield from effect.hit


def list_problems(effects: Sequence[Effect], where: Where) -> Iterator[Problem]:
    """What is wrong with a list of effects."""
    for index, effect in enumerate(effects):
        yield from within((index,), _effect_problems(effect, where))
        if isinstance(effect, PlayerEffect) and effect.to == "same":
            right = "means the Runeslinger that was hit, so only effects of hit can have it"
            yield Problem((index, "to"), "is outside of hit", right)
    announced = [effect for effect in flat(effects) if announces(effect)]
    if announced and not where.choose:
        yield Problem((), f'hold a "{CHOOSE}" in {where.word}', "no player announces types there; name one")
    elif len(announced) > 1:
        right = f'only one effect of a list can be an apply or convert with "{CHOOSE}"'
        yield Problem((), f"announce types {len(announced)} times", right)


def announces(effect: Effect | HitEffect) -> bool:
    """Whether types of ailments are announced for an effect (RUNE-98)."""
    return (isinstance(effect, Apply) and effect.ailment == CHOOSE) or (isinstance(effect, Convert) and effect.into == CHOOSE)


def _effect_problems(effect: Effect, where: Where) -> Iterator[Problem]:
    """What is wrong with one effect."""
    if isinstance(effect, Damage):
        yield from _damage_problems(effect)
    elif isinstance(effect, Apply):
        yield from _apply_problems(effect)
    elif effect.op == "trap" and not where.trap:
        right = "belongs to the effects, bullets and activated effects of chants and trinkets"
        yield Problem(("op",), f"stands in {where.word}", right)
    elif isinstance(effect, Release) and not where.release:
        wrong = f"stands in {where.word}"
        yield Problem(("op",), wrong, 'belongs to a trigger of a chant or trinket with when = "leaves"')


def _damage_problems(effect: Damage) -> Iterator[Problem]:
    """Parts of a damage effect that only Runeslingers feel."""
    if effect.to == "defence":
        for field in ("per", "hit"):
            if field in effect.model_fields_set:
                right = "needs a `to` that can be a Runeslinger"
                yield Problem((field,), "never acts on defence cards", right)
    for index, follow in enumerate(effect.hit):
        if isinstance(follow, Apply):
            yield from within(("hit", index), _apply_problems(follow))


def _apply_problems(effect: Apply) -> Iterator[Problem]:
    """How many types are announced."""
    if effect.ailment == CHOOSE and not 1 <= effect.n <= ANNOUNCED_MAX:
        right = f'must be 1 to {ANNOUNCED_MAX} with ailment = "{CHOOSE}"'
        yield Problem(("n",), "is not a number of types to announce", right)


def static_problems(statics: Sequence[Static]) -> Iterator[Problem]:
    """Hand sizes out of range."""
    for index, static in enumerate(statics):
        if static.stat == "max_hand" and not 0 <= static.n <= MAX_HAND:
            yield Problem((index, "n"), "is not a hand size", f"must be 0 to {MAX_HAND}")


def gives(effects: Iterable[Effect]) -> int:
    """Light that effects give."""
    return sum(effect.n for effect in effects if effect.op == "light")


def card_problems(card: Card) -> Iterator[Problem]:
    """Everything that is wrong with a card."""
    yield from _name_problems(card)
    yield from _keyword_problems(card)
    for place, effects, where in _lists(card):
        yield from within(place, list_problems(effects, where))
        yield from within(place, _type_damage_problems(card, effects))
    yield from _announced_problems(card)
    yield from within(("statics",), static_problems(card.statics))
    yield from _trigger_problems(card)
    yield from _trap_problems(card)
    for index, one in enumerate(card.activated):
        yield from within(("activated", index), endless_problems(one.light, one.effects, one.per_turn or one.use or one.tokens))


def _name_problems(card: Card) -> Iterator[Problem]:
    """RUNE-140. X cards are known by their name."""
    if card.x and not card.title.endswith(ENDING):
        yield Problem(("x",), f'is set on "{card.title}"', f'the name of an X card ends in "{ENDING}"')
    elif card.title.endswith(ENDING) and not card.x:
        place = ("name",) if card.name else ("id",)
        yield Problem(place, f'makes "{card.title}" an X card by its name', "needs x = true")


def _keyword_problems(card: Card) -> Iterator[Problem]:
    """Keywords that stand twice, pierce without damage, use without an activated effect with use."""
    for word, times in Counter(card.keywords).items():
        if times > 1:
            yield Problem(("keywords",), f"have {word} {times} times", "each keyword can be there once")
    everything = [effect for _, effects, _ in _lists(card) for effect in effects]
    if "pierce" in card.keywords and not any(isinstance(effect, Damage) for effect in everything):
        yield Problem(("keywords",), "have pierce on a card without damage", "needs an effect with op damage")
    if "use" in card.keywords and not any(activated.use for activated in card.activated):
        yield Problem(("keywords",), "have use on a card without such an effect", "needs an activated effect with use = true")
    if {*PICKED} <= {*card.keywords}:
        yield Problem(("keywords",), "have choice and fate", "one player picks the bullet")


def _lists(card: Card) -> Iterator[tuple[Place, list[Effect], Where]]:
    """All lists of effects of a card, and where they stand."""
    played = Where(f"the effects of a {card.type}", trap=card.type in LAYING)
    yield ("effects",), card.effects, played
    for index, bullet in enumerate(card.bullets):
        yield ("bullets", index), bullet, played
    for index, trigger in enumerate(card.triggers):
        leaving = trigger.when == "leaves" and card.type in LAYING
        yield ("triggers", index, "effects"), trigger.effects, Where("a trigger", release=leaving)
    for index, activated in enumerate(card.activated):
        yield ("activated", index, "effects"), activated.effects, played


def _announced_problems(card: Card) -> Iterator[Problem]:
    """RUNE-98. At most one announced choice of types in what a card does when it is played or activated.

    Each trigger can have one of its own.
    """
    lists = [(place, effects) for place, effects, _ in _lists(card) if place[0] != "triggers"]
    announcing = [place for place, effects in lists if any(map(announces, flat(effects)))]
    for place in announcing[1:]:
        right = f'a card can have only one apply or convert with "{CHOOSE}" when played or activated'
        yield Problem(place, "announce types, as another list of the card does", right)


def _type_damage_problems(card: Card, effects: list[Effect]) -> Iterator[Problem]:
    """RUNE-90. Damage that a type of runespell cannot deal."""
    for index, effect in enumerate(effects):
        if not isinstance(effect, Damage):
            continue
        if card.type == "utility":
            yield Problem((index, "op"), "is damage on a utility runespell", "utility runespells deal no damage")
        elif card.type == "attack" and effect.to not in ("runeslinger", "enemy"):
            right = 'must be "runeslinger" or "enemy" for damage of attack runespells'
            yield Problem((index, "to"), "is not a target of an attack runespell", right)


def _trigger_problems(card: Card) -> Iterator[Problem]:
    """More than two triggers for one moment."""
    for word, times in Counter(trigger.when for trigger in card.triggers).items():
        if times > WHEN_MAX:
            yield Problem(("triggers",), f"wait for {word} {times} times", f"at most {WHEN_MAX} can wait for one moment")


def _trap_problems(card: Card) -> Iterator[Problem]:
    """RUNE-126. A card that traps must release."""
    traps = any(effect.op == "trap" for _, effects, _ in _lists(card) for effect in effects)
    freed = any(isinstance(effect, Release) for one in card.triggers if one.when == "leaves" for effect in one.effects)
    if traps and not freed:
        right = 'needs { when = "leaves", effects = [{ op = "release" }] }'
        yield Problem(("triggers",), "release nothing although the card traps", right)


def endless_problems(light: int, effects: list[Effect], bounded: int) -> Iterator[Problem]:
    """RUNE-41, 45. Effects that cost nothing, or no more light than they give. bounded: 0 if they can be repeated."""
    if bounded:
        return
    if light <= gives(effects):
        wrong = "costs nothing and can be repeated" if not light else "costs no more light than it gives"
        yield Problem(("light",), wrong, "needs more light, or per_turn, or on a card use or tokens")


class RuneslingersFile(CardFile):
    """A whole card file of Runeslingers."""

    game: Literal["runeslingers"]
    rules: Rules = Rules()
    ailment: Annotated[list[AilmentTable], Field(min_length=AILMENTS, max_length=AILMENTS, description="[[ailment]]")]
    runeslinger: Annotated[list[Runeslinger], Field(min_length=1, max_length=HEROES_MAX, description="[[runeslinger]]")]
    stance: Annotated[list[Stance], Field(min_length=1, max_length=STANCES_MAX, description="[[stance]]")]
    ability: Annotated[list[Ability], Field(min_length=1, max_length=ABILITIES_MAX, description="[[ability]]")]
    card: Annotated[list[Card], Field(min_length=1, max_length=CARDS_MAX, description="[[card]]"), RowCount("cards")]
    deck: Annotated[list[Deck], Field(min_length=2, max_length=DECKS_MAX, description="[[deck]]"), RowCount("decks")]

    AGREEMENT: ClassVar[Agreement] = (
        *(Unique(f"{table}[].{key}") for table in TABLES for key in ("id", "name")),
        Unique("card[].id", reserved=RESERVED),
    )

    def problems(self) -> Iterator[Problem]:
        """Everything that concerns more than one field."""
        yield from _ailments_problems(self.ailment)
        for index, hero in enumerate(self.runeslinger):
            one = hero.inherent
            yield from within(("runeslinger", index, "inherent", "effects"), list_problems(one.effects, INHERENT))
            yield from within(("runeslinger", index, "inherent"), endless_problems(one.light, one.effects, one.per_turn))
        for index, stance in enumerate(self.stance):
            yield from within(("stance", index), _stance_problems(stance))
        for index, ability in enumerate(self.ability):
            yield from within(("ability", index, "effects"), list_problems(ability.effects, ABILITY))
        for index, card in enumerate(self.card):
            yield from within(("card", index), card_problems(card))
        yield from _room_problems(self)
        for index, deck in enumerate(self.deck):
            yield from within(("deck", index), _deck_problems(deck, self))

    def entrants(self) -> dict[str, str]:
        """The decks."""
        return {deck.id: deck.title for deck in self.deck}


def _ailments_problems(ailments: Sequence[AilmentTable]) -> Iterator[Problem]:
    """The six ailments in their order, each by itself, and ailments that set off themselves endlessly."""
    for index, (ailment, word) in enumerate(zip(ailments, AILMENT_WORDS, strict=True)):
        if ailment.id != word:
            yield Problem(
                ("ailment", index, "id"), f"is not {word}", f"the ailments are {', '.join(AILMENT_WORDS)}, in this order"
            )
        yield from within(("ailment", index), _ailment_problems(ailment))
    caused: dict[str, set[str]] = {}
    for ailment in ailments:
        effects = [*flat(ailment.on_apply)]
        applied = {effect.ailment for effect in effects if isinstance(effect, Apply)}
        caused[ailment.id] = applied | {effect.into for effect in effects if isinstance(effect, Convert)}
    for index, ailment in enumerate(ailments):
        if _reaches(ailment.id, caused):
            right = "what is applied when it is applied must not lead back to it"
            yield Problem(("ailment", index, "on_apply"), f"applies {ailment.id} again, endlessly", right)


def _ailment_problems(ailment: AilmentTable) -> Iterator[Problem]:
    """What is wrong with one ailment."""
    for field in ("on_apply", "ailment_phase", "after_draw"):
        yield from within((field,), list_problems(getattr(ailment, field), AILMENT))
    for field in ("per_instance", "while_any", "level2"):
        yield from within((field,), static_problems(getattr(ailment, field)))
    for index, effect in enumerate(ailment.on_apply):
        if gives([effect]):
            right = "activated effects could apply it endlessly"
            yield Problem(("on_apply", index, "op"), "gives light for an ailment", right)


def _reaches(word: str, caused: Mapping[str, set[str]]) -> bool:
    """Whether applying a type leads to applying it again."""
    reached: set[str] = set()
    for _ in caused:
        reached |= caused[word].union(*(caused.get(one, set()) for one in reached))
    return word in reached


def _stance_problems(stance: Stance) -> Iterator[Problem]:
    """What is wrong with a stance."""
    yield from within(("statics",), static_problems(stance.statics))
    for index, trigger in enumerate(stance.triggers):
        yield from within(("triggers", index, "effects"), list_problems(trigger.effects, TRIGGER))


def rows_of(effects: Sequence[Effect]) -> int:
    """Rows of the record that a list of effects takes, including the end of the list and on-hit effects."""
    hits = sum(len(effect.hit) + 1 for effect in effects if isinstance(effect, Damage) and effect.hit)
    return len(effects) + 1 + hits if effects else 0


def _room_problems(file: RuneslingersFile) -> Iterator[Problem]:
    """More effects in all tables together than the record has room for."""
    lists = [list_ for ailment in file.ailment for list_ in (ailment.on_apply, ailment.ailment_phase, ailment.after_draw)]
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
    tables: dict[str, Sequence[Classed]] = {"runeslinger": file.runeslinger, "stance": file.stance, "ability": file.ability}
    hero = next((hero for hero in file.runeslinger if hero.id == deck.runeslinger), None)
    for field, table in tables.items():
        part = next((part for part in table if part.id == getattr(deck, field)), None)
        if part and hero and part.class_ != hero.class_:
            yield Problem((field,), f"is of the class {part.class_}", f"{hero.title} needs the class {hero.class_}")
    cards = {card.id: card for card in file.card}
    copies = deck.cards.copies()
    for word, count in copies.items():
        if word in cards and count > (limit := copy_limit(cards[word], file.rules, deck.mode)):
            what, field = ("an X card", "max_copies_x") if cards[word].x else ("a card", "max_copies")
            yield Problem(("cards", word), "are too many copies", f"a deck holds at most {limit} of {what} (rules.{field})")
    size = sum(copies.values())
    if size != file.rules.deck_size:
        yield Problem(("cards",), f"hold {size} cards", f"must be {file.rules.deck_size} together (rules.deck_size)")


def copy_limit(card: Card, rules: Rules, mode: str = "constructed") -> int:
    """RUNE-140, 141. Copies of a card that a deck can hold."""
    if mode == "draft" and rules.draft_copies == DraftCopies.FREE:
        return rules.deck_size
    return rules.max_copies_x if card.x else rules.max_copies


def cautions(cards: CardSet) -> list[str]:
    """Warnings about a valid card file: parts that never do anything, or can be repeated endlessly in one turn."""
    warnings = []
    for card in cards.document["card"]:
        warnings += [f"card.{card['id']} {words}" for words in (*_nothing(card), *_tokens(card), *_owner(card), *_trap(card))]
    return warnings


def _nothing(card: Entry) -> Iterator[str]:
    """Cards without any text."""
    texts = ("effects", "bullets", "statics", "triggers", "activated")
    if card["type"] != "boon" and not any(card.get(field) for field in texts):
        yield "does nothing: it has no effects, statics or triggers"


def _tokens(card: Entry) -> Iterator[str]:
    """Tokens that nothing spends, and token costs that can never be paid."""
    keywords = card.get("keywords", ())
    spent = any(one.get("tokens") for one in card.get("activated", ()))
    if spent and not {"token", "charge"} & {*keywords}:
        yield "costs tokens that it never has: it has neither token nor charge"
    elif not spent and {"token", "charge"} & {*keywords}:
        yield "has tokens that it never spends: no activated effect costs any"


def _owner(card: Entry) -> Iterator[str]:
    """What holds only on the enemy's field, on cards that never lie there."""
    entries = [*card.get("statics", ()), *card.get("triggers", ())]
    if card["type"] != "boon" and any(one.get("if") == "not_owned" for one in entries):
        yield 'has if = "not_owned", but only boons lie on the field of another than their owner'


def may_trap(card: Entry) -> bool:
    """RUNE-126. Whether an effect of a card lays another card under it."""
    lists = [card.get("effects", ()), *card.get("bullets", ()), *(one["effects"] for one in card.get("activated", ()))]
    return any(effect["op"] == "trap" for effects in lists for effect in effects)


def _trap(card: Entry) -> Iterator[str]:
    """Traps without cost: three of them can trap and release each other endlessly."""
    if not card["cost"] and may_trap(card):
        yield "traps for no light: several of it may be played in turn without end"
