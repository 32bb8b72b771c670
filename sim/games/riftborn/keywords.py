"""Abilities as card files write them: "BLOCK", "RANGE(2)", and which cards may bear which (register section 2.2)."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, NamedTuple

from pydantic import Field

from sim.engine.cards import Problem
from sim.engine.fieldpaths import did_you_mean
from sim.games.riftborn.record import LENDABLE, TRICK_LISTS, Ability

X_MAX = 9
LOOK_MAX = 5  # cards of SCRY and SPY
KEYWORDS_MAX = 12  # of a card
NUMBERED = frozenset(
    {
        *(Ability.AURA, Ability.DASH, Ability.DRAW, Ability.HEAL, Ability.MORALE, Ability.PIERCE, Ability.RAGE),
        *(Ability.RANGE, Ability.READY, Ability.REGEN, Ability.SCRY, Ability.SPY, Ability.SUMMON, Ability.SWARM),
    }
)  # have an X
REPEATED = frozenset({Ability.TRICK, Ability.UNDEATH})  # may stand on a card more than once
WHEN_PLAYED = (Ability.DRAW, Ability.SCRY, Ability.SPY, Ability.TRICK)  # RIFT-29
LENT = frozenset(ability for ability in Ability if ability < LENDABLE)  # by an AURA
_PILES = (Ability.DEPLETED, Ability.DRAW, Ability.SCRY, Ability.SPY)
ALLOWED = {
    "weapon": frozenset({Ability.RANGE, Ability.MAGIC, *_PILES}),
    "armour": frozenset(_PILES),
    "spell": frozenset(_PILES),
    "token": frozenset(Ability) - {*_PILES, Ability.HERO, Ability.STEALTH, Ability.TRICK},
    "creature": frozenset(Ability),
}
GRANTED = frozenset(Ability) - {
    *(Ability.AURA, Ability.HERO, Ability.SPELL, Ability.STEALTH, Ability.SUMMON, Ability.TRANSFORM, Ability.TRICK),
    *_PILES,
}
LOST = frozenset(Ability) - {Ability.SWARM}

KeywordText = Annotated[
    str,
    Field(
        pattern=r"^[A-Z]+(?: [A-Z]+)?(?:\([0-9]{1,3}\))?$",
        description='an ability in capitals such as "BLOCK" or "RANGE(2)"',
    ),
]
Place = tuple[str | int, ...]
_PARTS = re.compile(r"(?P<word>[A-Z ]+)(?:\((?P<x>\d+)\))?")


class Keyword(NamedTuple):
    """An ability and its X; 1 where there is none."""

    ability: Ability
    x: int


def word_of(ability: Ability) -> str:
    """How card files write an ability, without X."""
    return ability.name.replace("_", " ")


_BY_WORD = {word_of(ability): ability for ability in Ability}


def parsed(text: str) -> Keyword:
    """The ability of a valid text."""
    word, x = _split(text)
    return Keyword(_BY_WORD[word], x or 1)


def known(texts: Iterable[str]) -> list[Ability]:
    """The abilities of texts as they stand, without those that do not exist."""
    words = (_split(text)[0] for text in texts)
    return [_BY_WORD[word] for word in words if word in _BY_WORD]


def _split(text: str) -> tuple[str, int | None]:
    """Word and number of a well-formed text."""
    found = _PARTS.fullmatch(text)
    if found is None:
        return text, None
    return found["word"], None if found["x"] is None else int(found["x"])


def text_problems(place: Place, text: str, *, bare: bool = False) -> Iterator[Problem]:
    """An ability that does not exist, lacks its X, has one too many or too large a one. bare: it never has an X here."""
    word, x = _split(text)
    if word not in _BY_WORD:
        yield Problem(place, "is no ability", did_you_mean(word, [*_BY_WORD]))
        return
    ability = _BY_WORD[word]
    most = LOOK_MAX if ability in (Ability.SCRY, Ability.SPY) else X_MAX
    if bare or ability not in NUMBERED:
        if x is not None:
            yield Problem(place, "has a number", f'must be "{word}"')
    elif x is None:
        yield Problem(place, "has no number", f'must be "{word}(1)" to "{word}({most})"')
    elif not 1 <= x <= most:
        yield Problem(place, f"is too {'small' if x < 1 else 'large'}", f'must be "{word}(1)" to "{word}({most})"')


def one_of_problems(place: Place, text: str, choices: frozenset[Ability], wrong: str) -> Iterator[Problem]:
    """An ability that is not one of the choices. wrong: what is wrong then."""
    for ability in known([text]):
        if ability not in choices:
            words = ", ".join(word_of(choice) for choice in sorted(choices))
            yield Problem(place, wrong, f"must be one of {words}")


def list_problems(texts: list[str], kind: str) -> Iterator[Problem]:
    """What is wrong with the `keywords` of a card. kind: its type."""
    for index, text in enumerate(texts):
        place = ("keywords", index)
        yield from text_problems(place, text)
        yield from one_of_problems(place, text, ALLOWED[kind], f"is not for cards of type {kind}")
    abilities = known(texts)
    for ability, times in Counter(abilities).items():
        if times > 1 and ability not in REPEATED:
            yield Problem(("keywords",), f"have {word_of(ability)} {times} times", "only TRICK, UNDEATH are repeated")
    if (tricks := abilities.count(Ability.TRICK)) > TRICK_LISTS:
        yield Problem(("keywords",), f"have TRICK {tricks} times", f"at most {TRICK_LISTS} are allowed")
    if Ability.SWARM in abilities and len(texts) > 1:
        right = "a creature with SWARM has no other ability (RIFT-110)"
        yield Problem(("keywords",), "have SWARM beside other abilities", right)
    if kind == "token" and {Ability.HASTE, Ability.SUMMON} <= {*abilities}:
        right = "tokens that summon in the turn in which they enter would never end"
        yield Problem(("keywords",), "have HASTE and SUMMON on a token", right)
