"""Which effect lists make sense where (register sections 2.2, 2.3): Spell cards, SPELL actions, tricks."""

from collections.abc import Iterator, Mapping

from sim.engine.cards import Problem
from sim.engine.fieldpaths import did_you_mean
from sim.games.riftborn import keywords
from sim.games.riftborn.keywords import Place
from sim.games.riftborn.tables import AnyCard
from sim.games.riftborn.vocabulary import SIDED, Effect, Grant, Lose, OnCreatures, PlayFree, Summon

SPELL_CARD, ACTION, TRICK = "a Spell card", "a SPELL action", "a trick"


def list_problems(entries: list[Effect], of: str, cards: Mapping[str, AnyCard]) -> Iterator[Problem]:
    """What is wrong with an effect list. of: SPELL_CARD, ACTION or TRICK; cards: all of the file by id."""
    for index, entry in enumerate(entries):
        before = entries[index - 1] if index else None
        for problem in _entry_problems(entry, before, of, cards):
            yield Problem((index, *problem.location), problem.wrong, problem.right)
        if isinstance(entry, Summon | PlayFree) and (of != SPELL_CARD or index < len(entries) - 1):
            right = "may only be the last entry of the effects of a Spell card"
            yield Problem((index, "op"), f"is not the last entry of {SPELL_CARD}", right)


def token_problems(place: Place, word: str, cards: Mapping[str, AnyCard]) -> Iterator[Problem]:
    """A card that there is not, or that is no token."""
    if word not in cards:
        tokens = [card.id for card in cards.values() if card.type == "token"]
        yield Problem(place, "is no card of this file", did_you_mean(word, tokens) or 'needs a card of type "token"')
    elif cards[word].type != "token":
        yield Problem(place, f"is a card of type {cards[word].type}", "must be the id of a token")


def _entry_problems(entry: Effect, before: Effect | None, of: str, cards: Mapping[str, AnyCard]) -> Iterator[Problem]:
    """What is wrong with one entry. before: the one before it."""
    if isinstance(entry, OnCreatures):
        yield from _target_problems(entry, before, of)
        yield from _parameter_problems(entry)
    if isinstance(entry, Grant):
        yield from keywords.text_problems(("keyword",), entry.keyword)
        yield from keywords.one_of_problems(("keyword",), entry.keyword, keywords.GRANTED, "cannot be granted")
    elif isinstance(entry, Lose):
        yield from keywords.text_problems(("keyword",), entry.keyword, bare=True)
        yield from keywords.one_of_problems(("keyword",), entry.keyword, keywords.LOST, "cannot be lost")
    elif isinstance(entry, Summon):
        yield from token_problems(("token",), entry.token, cards)


def _target_problems(entry: OnCreatures, before: Effect | None, of: str) -> Iterator[Problem]:
    """Targets that do not exist there."""
    target = entry.target
    if of == SPELL_CARD and (target == "self" or entry.where == "adjacent"):
        field = "target" if target == "self" else "where"
        yield Problem((field,), f"needs an acting creature, which {of} has not", _elsewhere(field))
    if target in ("trigger", "subject") and of != TRICK:
        yield Problem(("target",), f"is unknown to {of}", "belongs to tricks, which something has set off")
    if target == "same" and before is None:
        yield Problem(("target",), "stands in the first entry", "means the targets of the entry before")
    elif target == "same" and not isinstance(before, OnCreatures):
        yield Problem(("target",), "follows an entry without creatures", "means the targets of the entry before")


def _elsewhere(field: str) -> str:
    """Where it would be right."""
    word = '"self"' if field == "target" else '"adjacent"'
    return f"{word} belongs to spell_action and tricks"


def _parameter_problems(entry: OnCreatures) -> Iterator[Problem]:
    """Parameters that do not go with the target."""
    given, target = entry.model_fields_set, entry.target
    if target in SIDED and "side" not in given:
        yield Problem(("side",), "is missing", f'target = "{target}" needs side = "friend", "enemy" or "any"')
    if target not in SIDED and "side" in given:
        yield Problem(("side",), f'is given with target = "{target}"', f"belongs to {', '.join(SIDED)}")
    for field in ("count", "where"):
        if field in given and target != "chosen":
            yield Problem((field,), f'is given with target = "{target}"', "belongs to chosen")
