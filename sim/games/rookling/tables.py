"""Tokens and field effects of a card file of Rookling Heroes (register sections 2.2 and 2.5)."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from sim.engine.cards import CardModel, Identifier, Problem, Source, Text
from sim.games.rookling.record import NUMBERS

STANDING, ATTACK_TURN, FACED, DEFENDS, END_ATTACK = "standing", "attack_turn", "faced", "defends", "end_attack"
OPS_MAX = 2
SUPPLY_MAX = 12
COPIES_MAX = 3

Points = Annotated[int, Field(ge=1, le=6)]


class NoEnergy(CardModel):
    """ROOK-68. No energy on the Rookling."""

    ON: ClassVar[tuple[str, ...]] = (STANDING,)
    op: Literal["no_energy"]


class NoSpecial(CardModel):
    """ROOK-69. No special lines."""

    ON: ClassVar[tuple[str, ...]] = (STANDING,)
    op: Literal["no_special"]


class AttackFlat(CardModel):
    """ROOK-39. Attack that needs no line."""

    ON: ClassVar[tuple[str, ...]] = (STANDING, ATTACK_TURN)
    op: Literal["attack_flat"]
    n: Points


class AttackPlus(CardModel):
    """ROOK-39, 69. Attack on top of an attack, or less of it."""

    ON: ClassVar[tuple[str, ...]] = (STANDING, ATTACK_TURN)
    op: Literal["attack_plus"]
    n: Annotated[int, Field(ge=-6, le=6)]


class DefenceFlat(CardModel):
    """ROOK-39, 42. Defence that needs no line."""

    ON: ClassVar[tuple[str, ...]] = (STANDING, FACED)
    op: Literal["defence_flat"]
    n: Points


class DefencePlus(CardModel):
    """ROOK-39, 43. Defence on top of a defence."""

    ON: ClassVar[tuple[str, ...]] = (STANDING, DEFENDS)
    op: Literal["defence_plus"]
    n: Points


class CancelAttack(CardModel):
    """ROOK-41. The attack faced becomes 0."""

    ON: ClassVar[tuple[str, ...]] = (FACED,)
    op: Literal["cancel_attack"]


class Damage(CardModel):
    """ROOK-60. Damage that cannot be blocked."""

    ON: ClassVar[tuple[str, ...]] = (END_ATTACK,)
    op: Literal["damage"]
    n: Points


class Heal(CardModel):
    """ROOK-59. Life, at most to the cap."""

    ON: ClassVar[tuple[str, ...]] = (END_ATTACK,)
    op: Literal["heal"]
    n: Points


TokenOp = Annotated[
    NoEnergy | NoSpecial | AttackFlat | AttackPlus | DefenceFlat | DefencePlus | CancelAttack | Damage | Heal,
    Field(discriminator="op"),
]


class Token(CardModel):
    """`[[token]]`: a kind of token. fixed: it lies in a zone of the row; supply: token cards out of play."""

    id: Identifier
    name: Text
    trigger: Literal["standing", "attack_turn", "faced", "defends", "end_attack"]
    ops: Annotated[list[TokenOp], Field(min_length=1, max_length=OPS_MAX)]
    until: Literal["exchange", "owner_attack", "trigger", "cleared", "replaced"]
    harmful: bool = False
    fixed: bool = False
    supply: Annotated[int, Field(ge=0, le=SUPPLY_MAX)] = 0
    source: Source = None

    def problems(self) -> Iterator[Problem]:
        """Ops of other triggers or twice; an end, or a supply, that does not go with the rest."""
        seen: list[str] = []
        for index, op in enumerate(self.ops):
            if self.trigger not in op.ON:
                right = f"belongs to {' and '.join(op.ON)}"
                yield Problem(("ops", index, "op"), f'is not for tokens with trigger = "{self.trigger}"', right)
            if op.op in seen:
                yield Problem(("ops", index, "op"), "stands twice", "a token may have it once")
            seen.append(op.op)
        yield from self._end_problems("damage" in seen)
        if self.fixed and self.supply:
            yield Problem(("supply",), "is given to a fixed token, which has no token cards", "must be 0")

    def _end_problems(self, damages: bool) -> Iterator[Problem]:
        """What `until` does not go with. damages: whether the token has that op."""
        if self.fixed and self.until != "replaced":
            yield Problem(("until",), "is said of a fixed token", 'must be "replaced" with fixed = true')
        elif self.until == "replaced" and not self.fixed:
            yield Problem(("until",), "is said of a token that is not fixed", "needs fixed = true")
        elif self.until == "cleared" and not damages:
            yield Problem(("until",), "is said of a token without damage", 'needs the op "damage"')
        elif self.until == "trigger" and self.trigger == STANDING:
            right = 'must be another word with trigger = "standing"'
            yield Problem(("until",), "is said of a token that nothing triggers", right)


class FieldEffect(CardModel):
    """`[[field_effect]]`: a card that is shuffled into the Field Deck, is used as energy and becomes a token."""

    id: Identifier
    name: Text
    number: Annotated[int, Field(ge=1, le=NUMBERS)]
    colour: Identifier
    copies: Annotated[int, Field(ge=1, le=COPIES_MAX)]
    token: Identifier
    source: Source = None
