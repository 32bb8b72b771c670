"""What only characters can do (register section 2.3); the list of all effects, and where they may stand."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from sim.engine.cards import CardModel, Identifier, Problem
from sim.games.cardrogue import effects
from sim.games.cardrogue.effects import CHARACTER, Change, Faces, Health

SlotName = Literal["head", "chest", "feet", "primary", "secondary"]
Threshold = Annotated[int, Field(ge=1, le=30)]


class Trait(CardModel):
    """An effect of characters only."""

    ON: ClassVar[tuple[str, ...]] = (CHARACTER,)


class Rage(Trait):
    """ROGUE-91. More damage at little health."""

    op: Literal["rage"]
    at_most: Threshold
    n: Change


class NoFlee(Trait):
    """ROGUE-57. May not flee, except from these."""

    op: Literal["no_flee"]
    excepted: Annotated[list[Literal["boss", "no_chase"]], Field(max_length=2, alias="except")] = Field(
        default_factory=list
    )


class OffHand(Trait):
    """ROGUE-92. May wear this weapon in the secondary slot too, for so much more damage."""

    op: Literal["offhand"]
    item: Identifier
    attack_mod: Change


class FreeBuy(Trait):
    """ROGUE-92. Faces on which a card of the shop costs nothing."""

    op: Literal["free_buy"]
    faces: Faces


class ForbidSlot(Trait):
    """ROGUE-92. Wears nothing in this slot (an off-hand weapon apart)."""

    op: Literal["forbid_slot"]
    slot: SlotName


class DiscardCursed(Trait):
    """ROGUE-93. Cursed cards are discarded before they have an effect."""

    op: Literal["discard_cursed"]


class Sacrifice(Trait):
    """ROGUE-93. Heals by a kill at little health."""

    op: Literal["sacrifice"]
    at_most: Threshold
    heal: Health


class NoTrip(Trait):
    """ROGUE-93. May not trip."""

    op: Literal["no_trip"]


class SecondTurn(Trait):
    """ROGUE-94. May take a second turn after exploring."""

    op: Literal["second_turn"]


class NoSellItems(Trait):
    """ROGUE-94. Sells loot only."""

    op: Literal["no_sell_items"]


class Spells(Trait):
    """ROGUE-95. Damage to an enemy, a move, health for a potion; 0 or false: not this one."""

    op: Literal["spells"]
    cooldown: Annotated[int, Field(ge=1, le=9)]
    damage: Health = 0
    move: bool = False
    potion_heal: Health = 0


class BuyMultiplier(Trait):
    """ROGUE-96. Pays so many times the gold value."""

    op: Literal["buy_multiplier"]
    n: Annotated[int, Field(ge=1, le=9)]


class NoTradeShop(Trait):
    """ROGUE-96. Trades no cards of the shop."""

    op: Literal["no_trade_shop"]


class Song(Trait):
    """ROGUE-96. Heals when somebody else slays an enemy beside him."""

    op: Literal["song"]
    heal: Health


class MustFleeOn(Trait):
    """ROGUE-96. Faces of the attack that end the fight by flight."""

    op: Literal["must_flee_on"]
    faces: Faces


OfCards = (
    effects.AttackMod
    | effects.MinAttack
    | effects.Multiply
    | effects.MissOn
    | effects.RerollOn
    | effects.BlockOn
    | effects.DamageTaken
    | effects.FleeFaces
    | effects.AvoidTrap
    | effects.Movement
    | effects.MaxHealth
    | effects.Identify
    | effects.MoveAny
    | effects.Antidote
    | effects.RemoveCurses
    | effects.VictoryPoints
    | effects.HealFull
    | effects.Teleport
    | effects.Poison
    | effects.Paralyze
    | effects.Damage
    | effects.Dodge
    | effects.OnRoll
    | effects.HealEachTurn
    | effects.NoChase
    | effects.SingleTurn
)
OfCharacters = (
    Rage
    | NoFlee
    | OffHand
    | FreeBuy
    | ForbidSlot
    | DiscardCursed
    | Sacrifice
    | NoTrip
    | SecondTurn
    | NoSellItems
    | Spells
    | BuyMultiplier
    | NoTradeShop
    | Song
    | MustFleeOn
)
Effect = Annotated[OfCards | OfCharacters, Field(discriminator="op")]
Effects = Annotated[list[Effect], Field(max_length=20)]


def twice(place: tuple[str | int, ...], values: list[Any]) -> Iterator[Problem]:
    """Values of a list that stood in it before."""
    for index, value in enumerate(values):
        if value in values[:index]:
            yield Problem((*place, index), "stands twice", "must be another one")


def misplaced(place: tuple[str | int, ...], effect: Effect, carrier: str) -> Iterator[Problem]:
    """An effect on a kind of card that cannot have it. place: its `op`."""
    if carrier not in effect.ON:
        yield Problem(place, f"is not for {carrier}", f"belongs to {', '.join(effect.ON)}")
    yield from twice((*place[:-1], "faces"), getattr(effect, "faces", []))


def effect_problems(field: str, found: list[Effect], carrier: str) -> Iterator[Problem]:
    """Effects of a card that belong elsewhere or stand twice."""
    seen = set()
    for index, effect in enumerate(found):
        yield from misplaced((field, index, "op"), effect, carrier)
        detail = ""
        if isinstance(effect, ForbidSlot):
            detail = effect.slot
        elif isinstance(effect, effects.OnRoll):
            detail = "dodge" if effect.effect.op == "dodge" else "status"
        if (effect.op, detail) in seen:
            right = "once to poison or paralyse, once to dodge" if isinstance(effect, effects.OnRoll) else "once"
            yield Problem((field, index, "op"), "stands twice", f"a card may have it {right}")
        seen.add((effect.op, detail))
