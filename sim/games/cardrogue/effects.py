"""The closed list of effects of cards (register section 2.3): items, artifacts, potions, traps and enemies.

Each class is one `op` with its parameters and their ranges; ON says which kinds of card may have it. What only
characters have is in `traits.py`.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from sim.engine.cards import CardModel

CHARACTER, ENEMY, ARTIFACT = "characters", "enemies", "artifacts"
WEAPON, ARMOUR, SCROLL, DEBT = "weapons", "armour", "scrolls", "the debt"
DRINK, THROW, TRAP = "potions drunk", "potions thrown", "traps"
STRIKE = "the effect of on_roll"
WORN = (WEAPON, ARMOUR)
POTION = (DRINK, THROW)

Face = Annotated[int, Field(ge=1, le=6)]
Faces = Annotated[list[Face], Field(min_length=1, max_length=6, description="faces of the die")]
SomeFaces = Annotated[list[Face], Field(min_length=1, max_length=5, description="faces of the die, not all")]
Turns = Annotated[int, Field(ge=1, le=9)]
Health = Annotated[int, Field(ge=0, le=20)]
Change = Annotated[int, Field(ge=-5, le=5)]


class OnWorn(CardModel):
    """An effect of equipment that characters may have by nature."""

    ON: ClassVar[tuple[str, ...]] = (*WORN, CHARACTER)


class OnWeapon(CardModel):
    """An effect on the dice of an attack."""

    ON: ClassVar[tuple[str, ...]] = (WEAPON,)


class OnScroll(CardModel):
    """An effect of scrolls only."""

    ON: ClassVar[tuple[str, ...]] = (SCROLL,)


class OnEnemy(CardModel):
    """An ability of enemies."""

    ON: ClassVar[tuple[str, ...]] = (ENEMY,)


class AttackMod(CardModel):
    """ROGUE-07, 44. Added to the damage of an attack after everything else."""

    ON: ClassVar[tuple[str, ...]] = (*WORN, CHARACTER, ARTIFACT, *POTION)
    op: Literal["attack_mod"]
    n: Change


class MinAttack(OnWeapon):
    """ROGUE-44. Less damage counts as so much."""

    op: Literal["min_attack"]
    n: Annotated[int, Field(ge=1, le=20)]


class Multiply(OnWeapon):
    """ROGUE-44. The total of the dice counts so many times."""

    op: Literal["multiply"]
    n: Annotated[int, Field(ge=1, le=5)]


class MissOn(OnWeapon):
    """ROGUE-45. With one of the faces the attack does nothing."""

    op: Literal["miss_on"]
    faces: Faces


class RerollOn(OnWeapon):
    """ROGUE-43. One of the faces counts nothing and adds dice."""

    op: Literal["reroll_on"]
    faces: SomeFaces
    dice: Annotated[int, Field(ge=1, le=4)] = 2


class BlockOn(CardModel):
    """ROGUE-45. With one of the faces the enemies do nothing in this turn."""

    ON: ClassVar[tuple[str, ...]] = WORN
    op: Literal["block_on"]
    faces: Faces


class DamageTaken(OnWorn):
    """ROGUE-82. So much less damage from every attack."""

    op: Literal["damage_taken"]
    n: Annotated[int, Field(ge=0, le=9)]


class FleeFaces(OnWorn):
    """ROGUE-57. More faces on which a flight succeeds."""

    op: Literal["flee_faces"]
    faces: Faces


class AvoidTrap(OnWorn):
    """ROGUE-72. Faces on which a trap has no effect."""

    op: Literal["avoid_trap"]
    faces: Faces


class Movement(OnWorn):
    """ROGUE-82. So many more tiles a turn, out of combat."""

    op: Literal["movement"]
    n: Annotated[int, Field(ge=0, le=4)]


class MaxHealth(CardModel):
    """ROGUE-07. So much more maximum health, or less with an artifact."""

    ON: ClassVar[tuple[str, ...]] = (ARTIFACT, SCROLL)
    op: Literal["max_health"]
    n: Annotated[int, Field(ge=-20, le=20)]


class Identify(OnScroll):
    """ROGUE-83. A colour in the reader's hand becomes known."""

    op: Literal["identify"]


class MoveAny(OnScroll):
    """ROGUE-83. A step in any direction, through walls."""

    op: Literal["move_any"]


class Antidote(OnScroll):
    """ROGUE-83. Poison gives so much health instead of taking 1."""

    op: Literal["antidote"]
    n: Annotated[int, Field(ge=1, le=9)]


class RemoveCurses(OnScroll):
    """ROGUE-83. The reader's cursed cards are discarded."""

    op: Literal["remove_curses"]


class VictoryPoints(CardModel):
    """ROGUE-75. Points for buying the card."""

    ON: ClassVar[tuple[str, ...]] = (DEBT,)
    op: Literal["vp"]
    n: Annotated[int, Field(ge=0, le=5)]


class HealFull(CardModel):
    """ROGUE-88, 89. Health to the maximum."""

    ON: ClassVar[tuple[str, ...]] = POTION
    op: Literal["heal_full"]


class Teleport(CardModel):
    """ROGUE-90. To another tile."""

    ON: ClassVar[tuple[str, ...]] = POTION
    op: Literal["teleport"]


class Poison(CardModel):
    """ROGUE-22, 48. One health a turn."""

    ON: ClassVar[tuple[str, ...]] = (*POTION, TRAP, STRIKE)
    op: Literal["poison"]
    turns: Turns


class Paralyze(CardModel):
    """ROGUE-52, 53. Turns that are skipped."""

    ON: ClassVar[tuple[str, ...]] = (*POTION, TRAP, STRIKE)
    op: Literal["paralyze"]
    turns: Turns


class Damage(CardModel):
    """ROGUE-71. Health lost; armour does not help."""

    ON: ClassVar[tuple[str, ...]] = (*POTION, TRAP)
    op: Literal["damage"]
    n: Health


class Dodge(CardModel):
    """ROGUE-46. The attack does nothing."""

    ON: ClassVar[tuple[str, ...]] = (STRIKE,)
    op: Literal["dodge"]


Strike = Annotated[Poison | Paralyze | Dodge, Field(discriminator="op")]


class OnRoll(OnEnemy):
    """ROGUE-46, 49. An ability that needs one of the faces."""

    op: Literal["on_roll"]
    faces: Faces
    effect: Strike


class HealEachTurn(OnEnemy):
    """ROGUE-49. Health regained every turn."""

    op: Literal["heal_each_turn"]
    n: Health


class NoChase(OnEnemy):
    """ROGUE-57. Players flee from it without a roll."""

    op: Literal["no_chase"]


class SingleTurn(OnEnemy):
    """ROGUE-54. Has all its health again at the end of every turn."""

    op: Literal["single_turn"]
