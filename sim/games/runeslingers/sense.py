"""Which effects, statics and triggers make sense where (register section 2.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sim.engine.cards import Problem
from sim.games.runeslingers.vocabulary import (
    ANNOUNCED_MAX,
    FLAGS,
    PIERCING,
    SUMS,
    Apply,
    BoostStat,
    Convert,
    Damage,
    Effect,
    HitEffect,
    Light,
    PlayerEffect,
    Release,
    Static,
    Trap,
)

MAX_HAND = 12  # that a static may set
CHOOSE = "choose"

Place = tuple[str | int, ...]


@dataclass(frozen=True)
class Where:
    """Where a list of effects stands. trap, release, choose: whether it may hold such an effect; word: in messages."""

    word: str
    trap: bool = False
    release: bool = False
    choose: bool = True


INHERENT = Where("an inherent ability")
ABILITY = Where("an ability")
TRIGGER = Where("a trigger")
AILMENT = Where("an ailment", choose=False)


def within(place: Place, found: Iterable[Problem]) -> Iterator[Problem]:
    """Problems of a table as problems of the file that holds it at this place."""
    for problem in found:
        yield Problem((*place, *problem.location), problem.wrong, problem.right)


def flat(effects: Iterable[Effect]) -> Iterator[Effect | HitEffect]:
    """Effects and the on-hit effects inside them, as they come."""
    for effect in effects:
        yield effect
        if isinstance(effect, Damage):
            yield from effect.hit


def list_problems(effects: Sequence[Effect], where: Where) -> Iterator[Problem]:
    """What is wrong with a list of effects."""
    for index, effect in enumerate(effects):
        yield from within((index,), _effect_problems(effect, where))
        if isinstance(effect, PlayerEffect) and effect.to == "same":
            right = "means the Runeslinger that was hit: only effects of hit have it"
            yield Problem((index, "to"), "stands outside of hit", right)
    announced = [effect for effect in flat(effects) if announces(effect)]
    if announced and not where.choose:
        yield Problem((), f'hold a "{CHOOSE}" in {where.word}', "nobody announces types there; name one")
    elif len(announced) > 1:
        right = f'only one effect of a list may be an apply or convert with "{CHOOSE}"'
        yield Problem((), f"announce types {len(announced)} times", right)


def announces(effect: Effect | HitEffect) -> bool:
    """Whether types of ailments are announced for an effect (RUNE-98)."""
    return (isinstance(effect, Apply) and effect.ailment == CHOOSE) or (
        isinstance(effect, Convert) and effect.into == CHOOSE
    )


def _effect_problems(effect: Effect, where: Where) -> Iterator[Problem]:
    """What is wrong with one effect."""
    if isinstance(effect, Damage):
        yield from _damage_problems(effect)
    elif isinstance(effect, Apply):
        yield from _apply_problems(effect)
    elif isinstance(effect, BoostStat):
        yield from _boost_problems(effect)
    elif isinstance(effect, Trap) and not where.trap:
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
                right = "needs a `to` that may be a Runeslinger"
                yield Problem((field,), "never acts on defence cards", right)
    for index, follow in enumerate(effect.hit):
        if follow.to != "same":
            yield Problem(("hit", index, "to"), "is not the Runeslinger that was hit", 'must be "same" in hit')
        if isinstance(follow, Apply):
            yield from within(("hit", index), _apply_problems(follow))


def _apply_problems(effect: Apply) -> Iterator[Problem]:
    """Announced types: how many, and whether they differ."""
    if effect.ailment == CHOOSE:
        if not 1 <= effect.n <= ANNOUNCED_MAX:
            right = f'must be 1 to {ANNOUNCED_MAX} with ailment = "{CHOOSE}"'
            yield Problem(("n",), "is no number of types to announce", right)
    elif effect.distinct:
        yield Problem(("distinct",), f'is given with ailment = "{effect.ailment}"', f'belongs to "{CHOOSE}"')


def _boost_problems(effect: BoostStat) -> Iterator[Problem]:
    """A pierce boost has no number, all others have one."""
    given = "n" in effect.model_fields_set
    if given and effect.stat in PIERCING:
        yield Problem(("n",), f'is given with stat = "{effect.stat}"', "Pierce has no number")
    elif not given and effect.stat not in PIERCING:
        yield Problem(("n",), "is missing", f'stat = "{effect.stat}" needs it')


def static_problems(statics: Sequence[Static], of: str, *, owned: bool, sums: bool = False) -> Iterator[Problem]:
    """What is wrong with a list of statics. of: whose; owned: whether `if` makes sense; sums: only stats that add up do."""
    for index, static in enumerate(statics):
        yield from within((index,), _static_problems(static, of, sums))
        if static.if_ != "always" and not owned:
            yield Problem(
                (index, "if"), f"is said of {of}", "only cards may lie on the field of another than their owner"
            )


def _static_problems(static: Static, of: str, sums: bool) -> Iterator[Problem]:
    """What is wrong with one static."""
    given = "n" in static.model_fields_set
    if sums and static.stat not in SUMS:
        yield Problem(("stat",), f"does not add up, as {of} must", f"must be one of {', '.join(SUMS)}")
    elif static.stat in FLAGS:
        if given:
            yield Problem(("n",), f'is given with stat = "{static.stat}"', "it holds or it does not")
    elif not given:
        yield Problem(("n",), "is missing", f'stat = "{static.stat}" needs it')
    elif static.stat == "max_hand" and not 0 <= static.n <= MAX_HAND:
        yield Problem(("n",), "is no size of a hand", f"must be 0 to {MAX_HAND}")


def gives(effects: Iterable[Effect]) -> int:
    """Light that effects give."""
    return sum(effect.n for effect in effects if isinstance(effect, Light))
