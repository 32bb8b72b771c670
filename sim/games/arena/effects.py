"""The closed list of effects (register section 2.2): what a card of the Arena can do, as tables of a card file.

Each class is one `op` with its parameters and their ranges; ON says which kinds of ability may have it.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from sim.engine.cards import CardModel

UpTo3 = Annotated[int, Field(ge=0, le=3)]
OneTo3 = Annotated[int, Field(ge=1, le=3)]
OneTo4 = Annotated[int, Field(ge=1, le=4)]
OneTo6 = Annotated[int, Field(ge=1, le=6)]


class AttackEffect(CardModel):
    """An effect of attacks only."""

    ON: ClassVar[tuple[str, ...]] = ("attack",)


class PassiveEffect(CardModel):
    """An effect that acts by itself."""

    ON: ClassVar[tuple[str, ...]] = ("passive",)


class ActiveEffect(CardModel):
    """An effect of abilities that are used."""

    ON: ClassVar[tuple[str, ...]] = ("attack", "utility")


class MoveBefore(AttackEffect):
    """ARENA-34, 36. Before the roll the user moves to a hex `min` to `max` steps away."""

    op: Literal["move_before"]
    min: Annotated[int, Field(ge=0, le=4)]
    max: OneTo4


class MoveAfter(CardModel):
    """ARENA-38. After an attack the user may move up to `max` steps."""

    ON: ClassVar[tuple[str, ...]] = ("attack", "passive")
    op: Literal["move_after"]
    max: OneTo4


class NoDefenceRoll(AttackEffect):
    """ARENA-41. Targets roll no Defence dice."""

    op: Literal["no_defence_roll"]


class NoDamage(AttackEffect):
    """ARENA-47. Energy markers do not move."""

    op: Literal["no_damage"]


class AutoHit(AttackEffect):
    """ARENA-41. So many hits without a roll."""

    op: Literal["auto_hit"]
    hits: OneTo6


class Area(AttackEffect):
    """ARENA-70. Every other adjacent piece is a target."""

    op: Literal["area"]


class Pull(AttackEffect):
    """ARENA-71. The knockback numbers draw the target towards the user."""

    op: Literal["pull"]


class Swap(AttackEffect):
    """ARENA-72. User and target change places before the roll."""

    op: Literal["swap"]


class Slow(AttackEffect):
    """ARENA-78. The next Move of a target that is hit is `n` steps shorter."""

    op: Literal["slow"]
    n: OneTo6


class SelfDefence(ActiveEffect):
    """ARENA-74. The user has more Defence dice until its next turn."""

    op: Literal["self_defence"]
    dice: OneTo6


class Recover(ActiveEffect):
    """ARENA-74. The user's marker moves left, never out of its zone."""

    op: Literal["recover"]
    spaces: OneTo6


class Summon(CardModel):
    """ARENA-77. The user places dragonlings."""

    ON: ClassVar[tuple[str, ...]] = ("utility",)
    op: Literal["summon"]
    count: OneTo4
    range: OneTo4


class RageGain(CardModel):
    """ARENA-75. The hero takes rage tokens: on using the ability, on a net hit, on being damaged."""

    ON: ClassVar[tuple[str, ...]] = ("attack", "utility", "passive")
    WHEN: ClassVar[dict[str, tuple[str, ...]]] = {
        "use": ("attack", "utility"),
        "hit": ("attack",),
        "damaged": ("passive",),
    }
    op: Literal["rage_gain"]
    n: OneTo4
    when: Literal["use", "hit", "damaged"]


class RageSpend(AttackEffect):
    """ARENA-79. The user pays up to `max` tokens; each adds attack dice and knockback."""

    op: Literal["rage_spend"]
    max: OneTo6
    dice: UpTo3
    knockback: UpTo3


class MoveModeEffect(PassiveEffect):
    """ARENA-23. How the hero moves by choice."""

    op: Literal["move_mode"]
    mode: Literal["ghost", "leap"]


class Brace(PassiveEffect):
    """ARENA-45. The knockback that the hero suffers from an attack is `n` less, at least 1."""

    op: Literal["brace"]
    n: OneTo4


class AllyDice(PassiveEffect):
    """ARENA-76. More attack dice for own dragonlings next to the target."""

    op: Literal["ally_dice"]
    per: OneTo3
    max: OneTo6


class Retaliate(PassiveEffect):
    """ARENA-73. The hero shoves an adjacent attacker that dealt it no damage."""

    op: Literal["retaliate"]
    push: OneTo4


Effect = Annotated[
    MoveBefore
    | MoveAfter
    | NoDefenceRoll
    | NoDamage
    | AutoHit
    | Area
    | Pull
    | Swap
    | Slow
    | SelfDefence
    | Recover
    | Summon
    | RageGain
    | RageSpend
    | MoveModeEffect
    | Brace
    | AllyDice
    | Retaliate,
    Field(discriminator="op"),
]
