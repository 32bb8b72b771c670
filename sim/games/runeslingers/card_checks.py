"""What is wrong with one card of a card file of Runeslingers (register section 2.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sim.engine.cards import Problem
from sim.games.runeslingers import sense
from sim.games.runeslingers.sense import Where, within
from sim.games.runeslingers.tables import DEFENCE_MAX, Activated, Card
from sim.games.runeslingers.vocabulary import Damage, Effect, Release, Trap

RESERVED = "source"  # as the id of a card it could not stand in the list of a deck
RUNESPELLS = ("spirit", "attack", "utility")
LAYING = ("chant", "trinket")  # defence cards that lie on concentrations: these trap
PICKED = ("choice", "fate")
STANDING = ("token", "charge", "use")  # keywords of defence cards
ENDING = " X"  # of the name of an X card
OF_DEFENCE = ("statics", "triggers", "activated")
WHEN_MAX = 2  # triggers of a card with the same moment


def card_problems(card: Card) -> Iterator[Problem]:
    """Everything that is wrong with a card."""
    if card.id == RESERVED:
        yield Problem(("id",), "has a meaning of its own in lists of cards", "must be another word")
    yield from _name_problems(card)
    yield from _type_problems(card)
    yield from _keyword_problems(card)
    yield from _bullet_problems(card)
    for place, effects, where in _lists(card):
        yield from within(place, sense.list_problems(effects, where))
        yield from within(place, _type_damage_problems(card, effects))
    yield from _announced_problems(card)
    yield from within(("statics",), sense.static_problems(card.statics, "a card", owned=True))
    yield from _trigger_problems(card)
    yield from _trap_problems(card)
    for index, activated in enumerate(card.activated):
        yield from within(("activated", index), _activated_problems(activated))


def _name_problems(card: Card) -> Iterator[Problem]:
    """RUNE-140. X cards are known by their name."""
    if card.x and not card.title.endswith(ENDING):
        yield Problem(("x",), f'is said of "{card.title}"', f'the name of an X card ends in "{ENDING}"')
    elif card.title.endswith(ENDING) and not card.x:
        place = ("name",) if card.name else ("id",)
        yield Problem(place, f'makes "{card.title}" an X card by its name', "needs x = true")


def _type_problems(card: Card) -> Iterator[Problem]:
    """Fields that belong to defence cards."""
    if card.type not in RUNESPELLS:
        if not card.defence:
            wrong = "is too small" if "defence" in card.model_fields_set else "is missing"
            yield Problem(("defence",), wrong, f"a {card.type} needs 1 to {DEFENCE_MAX}")
        return
    if card.defence:
        yield Problem(
            ("defence",), f"is given to a runespell (type {card.type})", "must be 0; only defence cards have it"
        )
    for field in OF_DEFENCE:
        if getattr(card, field):
            right = "belong to defence cards: chant, trinket, boon"
            yield Problem((field,), f"are given to a runespell (type {card.type})", right)


def _keyword_problems(card: Card) -> Iterator[Problem]:
    """Keywords that do not go with the card."""
    for word, times in Counter(card.keywords).items():
        place = ("keywords", card.keywords.index(word))
        if times > 1:
            yield Problem(("keywords",), f"have {word} {times} times", "each keyword stands there once")
        if word in STANDING and card.type in RUNESPELLS:
            right = "belongs to defence cards: chant, trinket, boon"
            yield Problem(place, f"is not for runespells (type {card.type})", right)
        if word == "distract" and card.type == "boon":
            yield Problem(place, "is not for boons", "belongs to cards that lie on a concentration")
    if "tokens" in card.model_fields_set and "token" not in card.keywords:
        yield Problem(("tokens",), "is given to a card without token", "needs the keyword token")
    elif "token" in card.keywords and "tokens" not in card.model_fields_set:
        yield Problem(("tokens",), "is missing", "a card with token needs it")
    yield from _needed_problems(card)


def _needed_problems(card: Card) -> Iterator[Problem]:
    """Pierce needs damage; use needs an activated effect with use, and that needs the keyword."""
    everything = [effect for _, effects, _ in _lists(card) for effect in effects]
    if "pierce" in card.keywords and not any(isinstance(effect, Damage) for effect in everything):
        yield Problem(("keywords",), "have pierce on a card without damage", "needs an effect with op damage")
    turned = [index for index, activated in enumerate(card.activated) if activated.use]
    if "use" in card.keywords and not turned:
        yield Problem(
            ("keywords",), "have use on a card without such an effect", "needs an activated effect with use = true"
        )
    elif turned and "use" not in card.keywords:
        yield Problem(("activated", turned[0], "use"), "is said on a card without use", "needs the keyword use")


def _bullet_problems(card: Card) -> Iterator[Problem]:
    """RUNE-56. Bullets and who picks them."""
    pickers = [word for word in PICKED if word in card.keywords]
    if len(pickers) > 1:
        yield Problem(("keywords",), "have choice and fate", "one player picks the bullet")
    if pickers and not card.bullets:
        yield Problem(("bullets",), "are missing", f"a card with {pickers[0]} needs 2 or 3")
    elif card.bullets and not pickers:
        yield Problem(("bullets",), "are given to a card without choice or fate", "needs one of these keywords")
    if card.bullets and card.effects:
        yield Problem(("effects",), "are given beside bullets", "a card with bullets has no other effects")


def _lists(card: Card) -> Iterator[tuple[sense.Place, list[Effect], Where]]:
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

    A trigger announces for itself.
    """
    lists = [(place, effects) for place, effects, _ in _lists(card) if place[0] != "triggers"]
    announcing = [place for place, effects in lists if any(map(sense.announces, sense.flat(effects)))]
    for place in announcing[1:]:
        right = f'a card may hold only one apply or convert with "{sense.CHOOSE}" when played or activated'
        yield Problem(place, "announce types, as another list of the card does", right)


def _type_damage_problems(card: Card, effects: list[Effect]) -> Iterator[Problem]:
    """RUNE-90. What damage the types of runespells deal."""
    for index, effect in enumerate(effects):
        if not isinstance(effect, Damage):
            continue
        if card.type == "utility":
            yield Problem((index, "op"), "is damage on a utility runespell", "utility runespells deal no damage")
        elif card.type == "attack" and effect.to not in ("runeslinger", "enemy"):
            right = 'must be "runeslinger" or "enemy" for damage of attack runespells'
            yield Problem((index, "to"), "is no target of an attack runespell", right)


def _trigger_problems(card: Card) -> Iterator[Problem]:
    """No moment more than twice."""
    for word, times in Counter(trigger.when for trigger in card.triggers).items():
        if times > WHEN_MAX:
            yield Problem(
                ("triggers",), f"wait for {word} {times} times", f"at most {WHEN_MAX} may wait for one moment"
            )


def _trap_problems(card: Card) -> Iterator[Problem]:
    """RUNE-126. What is trapped must be released."""
    traps = any(isinstance(effect, Trap) for _, effects, _ in _lists(card) for effect in effects)
    freed = any(isinstance(effect, Release) for one in card.triggers if one.when == "leaves" for effect in one.effects)
    if traps and not freed:
        right = 'needs { when = "leaves", effects = [{ op = "release" }] }'
        yield Problem(("triggers",), "release nothing although the card traps", right)


def _activated_problems(activated: Activated) -> Iterator[Problem]:
    """RUNE-45. Effects that could be repeated without end."""
    yield from endless_problems(
        activated.light, activated.effects, activated.per_turn or activated.use or activated.tokens
    )


def endless_problems(light: int, effects: list[Effect], bounded: int) -> Iterator[Problem]:
    """Effects for nothing, or for no more light than they give. bounded: 0 if they may be repeated."""
    if bounded:
        return
    if light <= sense.gives(effects):
        wrong = "costs nothing and may be repeated" if not light else "costs no more light than it gives"
        yield Problem(("light",), wrong, "needs more light, or per_turn, or on a card use or tokens")
