"""The card file: what it can hold, the checks on it, and the words and numbers that it shares with the rules.

Each effect is a class with one `op`, its parameters and their ranges; ON lists the kinds of ability that can have it. The
columns of the CARDS record derive from these classes (`record.py`).

Hexes have axial coordinates (q, r) and are flat-topped; `r` grows to the south. Directions are numbered clockwise from north.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from sim.engine.cardfiles.columns import Apart, ByTag, Column, Numbered, RowCount, Word
from sim.engine.cards import (
    Agreement,
    CardFile,
    CardModel,
    Identifier,
    Known,
    Only,
    OnlyOn,
    Problem,
    RuleSwitches,
    Source,
    Text,
    Unique,
    within,
)

RADIUS_MAX = 7  # rings around the centre hex
HEXES_MAX = 169  # land hexes of a board of radius 7
SEATS_MAX = 4
STARTS_MAX = 12  # start hexes of a board
DIRECTIONS = 6
REACH = 2 * RADIUS_MAX  # largest difference of two q or two r on a board
SPAN = 2 * REACH + 1  # number of such differences, negative ones included
WATER = -1  # in place of a hex id

N, NE, SE, S, SW, NW = range(DIRECTIONS)
STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))  # (dq, dr) by direction

Hex = tuple[int, int]

WORDS = 3  # words of a set of hexes, one bit for each hex
WORD_BITS = 64
THROW_MAX = REACH + 1  # a push of this many hexes leaves any board

HEROES_MAX = 64  # heroes in a card file
ABILITIES = 3  # abilities of a hero
ZONES = 3  # green, yellow, red
DICE_MAX = 12  # dice of a roll
DIE_FACES = 6


class Kind(IntEnum):
    """Kinds of ability."""

    PASSIVE = 0
    ATTACK = 1
    UTILITY = 2


class MoveMode(IntEnum):
    """ARENA-22, 23. How a hero moves by choice."""

    WALK = 0
    GHOST = 1
    LEAP = 2


class KnockbackTrigger(IntEnum):
    """ARENA-42. What displaces the target."""

    NET_HIT = 0
    ANY_HIT = 1
    ALWAYS = 2


class OfflinePath(IntEnum):
    """ARENA-54. Whether the direction rule of a slanted push must hold after each step or only at the end."""

    EACH_STEP = 0
    END_ONLY = 1


class OfflineChooser(IntEnum):
    """ARENA-55. Who chooses the path of a slanted push."""

    DEFENDER = 0
    ATTACKER = 1


class PassAbility(IntEnum):
    """ARENA-13. When a player may pass."""

    ALLOWED = 0
    ONLY_IF_NONE = 1


class StartChoice(IntEnum):
    """ARENA-05. How start hexes are assigned."""

    CHOOSE = 0
    SPREAD = 1


def distance(dq: int, dr: int) -> int:
    """ARENA-32. Distance, on an endless grid, of two hexes that differ by (dq, dr)."""
    return max(abs(dq), abs(dr), abs(dq + dr))


def land_hexes(radius: int, holes: Iterable[Hex]) -> list[Hex]:
    """Land hexes of a board in the order of their ids: by (r, q). All other hexes are water."""
    wet = set(holes)
    span = range(-radius, radius + 1)
    return [(q, r) for r in span for q in span if distance(q, r) <= radius and (q, r) not in wet]


def connected(land: list[Hex]) -> bool:
    """Whether every land hex can be reached from every other without crossing water. False if there is no land."""
    if not land:
        return False
    todo, unseen = [land[0]], set(land[1:])
    while todo:
        q, r = todo.pop()
        fresh = unseen.intersection((q + dq, r + dr) for dq, dr in STEPS)
        unseen -= fresh
        todo.extend(fresh)
    return not unseen


UpTo3 = Annotated[int, Field(ge=0, le=3)]
OneTo3 = Annotated[int, Field(ge=1, le=3)]
OneTo4 = Annotated[int, Field(ge=1, le=4)]
OneTo6 = Annotated[int, Field(ge=1, le=6)]


class AttackEffect(CardModel):
    """An effect of attacks only."""

    ON: ClassVar[tuple[str, ...]] = ("attack",)


class PassiveEffect(CardModel):
    """An effect of passives only."""

    ON: ClassVar[tuple[str, ...]] = ("passive",)


class ActiveEffect(CardModel):
    """An effect of attacks and utilities."""

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
    """ARENA-41. The attack has this number of hits, without a roll."""

    op: Literal["auto_hit"]
    hits: OneTo6


class Area(AttackEffect):
    """ARENA-70. Every other adjacent piece is a target."""

    op: Literal["area"]


class Pull(AttackEffect):
    """ARENA-71. The knockback numbers pull the target towards the user."""

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
    """ARENA-74. The user's energy marker moves left, never out of its zone."""

    op: Literal["recover"]
    spaces: OneTo6


class Summon(CardModel):
    """ARENA-77. The user places dragonlings."""

    ON: ClassVar[tuple[str, ...]] = ("utility",)
    op: Literal["summon"]
    count: OneTo4
    range: OneTo4


class RageGain(CardModel):
    """ARENA-75. The hero gains rage tokens when it uses the ability, has a net hit, or is damaged."""

    ON: ClassVar[tuple[str, ...]] = ("attack", "utility", "passive")
    WHEN: ClassVar[dict[str, tuple[str, ...]]] = {"use": ("attack", "utility"), "hit": ("attack",), "damaged": ("passive",)}
    op: Literal["rage_gain"]
    n: OneTo4
    when: Literal["use", "hit", "damaged"]


class RageSpend(AttackEffect):
    """ARENA-79. The user pays up to `max` rage tokens; each adds attack dice and knockback."""

    op: Literal["rage_spend"]
    max: OneTo6
    dice: UpTo3
    knockback: UpTo3


class MoveModeEffect(PassiveEffect):
    """ARENA-23. How the hero moves by choice."""

    op: Literal["move_mode"]
    mode: Annotated[Literal["ghost", "leap"], Numbered(MoveMode)]


class Brace(PassiveEffect):
    """ARENA-45. The knockback that the hero suffers from an attack is `n` less, at least 1."""

    op: Literal["brace"]
    n: OneTo4


class AllyDice(PassiveEffect):
    """ARENA-76. Attack dice for own dragonlings next to the target: `per` each, `max` in all."""

    op: Literal["ally_dice"]
    per: Annotated[OneTo3, Column("ally_per")]
    max: Annotated[OneTo6, Column("ally_max")]


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


AREA_EXCLUDES = ("pull", "swap", "move_before")
THROWS = 'an attack with a knockback number above 0 and without "pull"'

Faces = Annotated[int, Field(ge=1, le=5)]
Tokens = Annotated[int, Field(ge=0, le=12)]
Axial = Annotated[int, Field(ge=-RADIUS_MAX, le=RADIUS_MAX)]
Place = Annotated[list[Axial], Field(min_length=2, max_length=2, description="q, r")]
Spaces = Annotated[int, Field(ge=1, le=6)]
Hexes = Annotated[int, Field(ge=0, le=9)]
ByZone = Field(min_length=3, max_length=3, description="green, yellow, red")
Effects = Annotated[list[Effect], Field(max_length=20)]
_OF_PASSIVES = ByTag("op", kind="passive", up=1, apart=("move_after", "rage_gain"))  # columns of the hero


class Rules(RuleSwitches):
    """`[rules]`: components, and the switches between interpretations of the rules."""

    CONSTANTS: ClassVar[frozenset[str]] = frozenset({"tokens", "dice"})

    tokens: Tokens = 12
    dice: Annotated[int, Field(ge=1, le=12), Apart()] = 12
    dragonling_defence: Annotated[int, Field(ge=0, le=6)] = 0
    turn_cap: Annotated[int, Field(ge=1, le=10_000)] = 400
    hit_faces: Faces = 3
    block_faces: Faces = 3
    knockback_trigger: Annotated[KnockbackTrigger, Word()] = KnockbackTrigger.NET_HIT
    knockback_plus_damage: bool = False
    offline_path: Annotated[OfflinePath, Word()] = OfflinePath.EACH_STEP
    offline_chooser: Annotated[OfflineChooser, Word()] = OfflineChooser.DEFENDER
    pass_ability: Annotated[PassAbility, Word()] = PassAbility.ALLOWED
    start_choice: Annotated[StartChoice, Word()] = StartChoice.CHOOSE
    board: Identifier = "standard"


class Board(CardModel):
    """`[[board]]`: rings around the centre, holes, start hexes."""

    id: Identifier
    radius: Annotated[int, Field(ge=2, le=RADIUS_MAX)]
    holes: Annotated[list[Place], Field(max_length=168)] = Field(default_factory=list)
    starts: Annotated[list[Place], Field(min_length=SEATS_MAX, max_length=STARTS_MAX)]
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (Unique("holes[]"), Unique("starts[]"))

    def land(self) -> list[Hex]:
        """Land hexes in the order of their ids."""
        return land_hexes(self.radius, [(q, r) for q, r in self.holes])

    def problems(self) -> Iterator[Problem]:
        """Holes and starts that are off the board, and land in several pieces."""
        on_board, land = set(land_hexes(self.radius, [])), set(self.land())
        for field, places, allowed, right in (
            ("holes", self.holes, on_board, f"must be within {self.radius} hexes of the centre (0, 0)"),
            ("starts", self.starts, land, f"must be a land hex within {self.radius} hexes of the centre (0, 0)"),
        ):
            for index, (q, r) in enumerate(places):
                if (q, r) not in allowed:
                    wrong = "is a hole" if (q, r) in on_board else f"is off the board, at distance {distance(q, r)}"
                    yield Problem((field, index), wrong, right)
        if not connected(self.land()):
            yield Problem(("holes",), "cut the land into pieces", "every land hex must be reachable from every other")


OF_THE_KIND: Agreement = (OnlyOn("effects[].op", by="kind", noun="{} abilities"),)


class Attack(CardModel):
    """An ability that rolls attack dice or hits by itself."""

    kind: Annotated[Literal["attack"], Numbered(Kind)]
    name: Text
    range: Annotated[int, Field(ge=1, le=8)]
    attack: Annotated[int, Field(ge=0, le=12)]
    knockback: Annotated[list[Hexes], ByZone]
    effects: Annotated[Effects, ByTag("op", kind="attack", apart=("rage_gain",))] = Field(default_factory=list)
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = OF_THE_KIND


class Utility(CardModel):
    """An ability that is used on no target."""

    kind: Annotated[Literal["utility"], Numbered(Kind)]
    name: Text
    effects: Annotated[Effects, ByTag("op", kind="utility", apart=("rage_gain",))] = Field(default_factory=list)
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = OF_THE_KIND


class Passive(CardModel):
    """An ability that acts by itself."""

    kind: Annotated[Literal["passive"], Numbered(Kind)]
    name: Text
    effects: Annotated[Effects, _OF_PASSIVES] = Field(default_factory=list)
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = OF_THE_KIND


Ability = Annotated[Attack | Utility | Passive, Field(discriminator="kind")]


class Hero(CardModel):
    """`[[hero]]`: a hero card."""

    id: Identifier
    name: Text
    move: Annotated[int, Field(ge=0, le=6)]
    defence: Annotated[int, Field(ge=0, le=8)]
    energy: Annotated[list[Spaces], ByZone]
    printed_energy: Annotated[int, Field(ge=0, le=99), Apart()] = 0
    rage_cap: Tokens = 0
    dragonling_cap: Tokens = 0
    ability: Annotated[list[Ability], Field(min_length=ABILITIES, max_length=ABILITIES, description="[[hero.ability]]")]
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (
        Only("ability[].effects[].op", ("rage_gain", "rage_spend"), rage_cap=True),
        Only("ability[].effects[].op", "summon", dragonling_cap=True),
    )

    def passives(self) -> list[Effect]:
        """Effects of all passive abilities of the hero."""
        return [effect for ability in self.ability if ability.kind == "passive" for effect in ability.effects]

    def problems(self, dice: int) -> Iterator[Problem]:
        """Violations of rules between fields of the card. dice: number of dice in the game."""
        passive_ops: Counter[tuple[str, str]] = Counter()
        for index, ability in enumerate(self.ability):
            seen = passive_ops if ability.kind == "passive" else Counter()
            inner = [*_effect_problems(ability, seen)]
            if isinstance(ability, Attack):
                inner += _attack_problems(self, ability, dice)
            for problem in inner:
                yield Problem(("ability", index, *problem.location), problem.wrong, problem.right)
        if not any(isinstance(ability, Attack) and _throws(ability) for ability in self.ability):
            yield Problem(("ability",), "has nothing that can throw a hero", f"a hero needs {THROWS}")
        protection = max((e.dice for a in self.ability for e in a.effects if isinstance(e, SelfDefence)), default=0)
        if self.defence + protection > dice:
            wrong = f"and {protection} dice of self_defence are more than the {dice} dice of the game"
            yield Problem(("defence",), wrong, f"together at most {dice}")


class ArenaFile(CardFile):
    """A whole card file of the Arena."""

    ENTRANTS: ClassVar[str] = "hero"

    game: Literal["arena"]
    rules: Rules = Rules()
    board: Annotated[list[Board], Field(min_length=1, max_length=16), Apart()]
    hero: Annotated[list[Hero], Field(min_length=2, max_length=HEROES_MAX), RowCount("heroes")]

    AGREEMENT: ClassVar[Agreement] = (Unique("board[].id"), Known("rules.board", "board[].id"))

    def problems(self) -> Iterator[Problem]:
        """Violations of rules that concern more than one table."""
        if self.rules.dragonling_defence > self.rules.dice:
            wrong = f"is more than the {self.rules.dice} dice of the game"
            yield Problem(("rules", "dragonling_defence"), wrong, "must not exceed rules.dice")
        for index, board in enumerate(self.board):
            yield from within(("board", index), board.problems())
        for index, hero in enumerate(self.hero):
            yield from within(("hero", index), hero.problems(self.rules.dice))


def _ops(ability: Attack | Utility | Passive) -> dict[str, Effect]:
    return {effect.op: effect for effect in ability.effects}


def _throws(attack: Attack) -> bool:
    return max(attack.knockback) > 0 and "pull" not in _ops(attack)


def _effect_problems(ability: Attack | Utility | Passive, seen: Counter[tuple[str, str]]) -> Iterator[Problem]:
    """Rage gained at a moment that the kind of ability does not have, and effects listed twice. seen: effects before, updated."""
    for index, effect in enumerate(ability.effects):
        place = ("effects", index, "op")
        when = effect.when if isinstance(effect, RageGain) else ""
        if isinstance(effect, RageGain) and ability.kind not in effect.WHEN[when]:
            wrong = f'with when = "{when}" is not for {ability.kind} abilities'
            yield Problem(place, wrong, f"is only for {' and '.join(effect.WHEN[when])} abilities")
        seen[effect.op, when] += 1
        if seen[effect.op, when] > 1:
            where = "the passives of a hero" if ability.kind == "passive" else "an ability"
            yield Problem(place, "is listed twice", f"{where} can have it once")
        if isinstance(effect, MoveBefore) and effect.min > effect.max:
            yield Problem(("effects", index, "min"), f"is more than max = {effect.max}", "must not exceed max")


def _attack_problems(hero: Hero, ability: Attack, dice: int) -> Iterator[Problem]:
    """Numbers and effects of an attack that exclude each other."""
    ops = _ops(ability)
    if ability.attack == 0 and "auto_hit" not in ops:
        yield Problem(("attack",), "can never hit", 'must be at least 1, or the ability needs "auto_hit"')
    if ability.attack > 0 and "auto_hit" in ops:
        yield Problem(("attack",), 'contradicts "auto_hit"', 'must be 0 with "auto_hit"')
    if ability.knockback != sorted(ability.knockback):
        yield Problem(("knockback",), "decreases", "must not decrease from green to yellow to red")
    if "area" in ops and ability.range != 1:
        yield Problem(("range",), 'cannot be combined with "area"', 'must be 1 with "area"')
    spend = next((effect for effect in ability.effects if isinstance(effect, RageSpend)), None)
    for other in AREA_EXCLUDES:
        if "area" in ops and other in ops:
            yield Problem(("effects",), f'have "area" and "{other}"', f"area excludes {', '.join(AREA_EXCLUDES)}")
    if "pull" in ops and spend is not None and spend.knockback > 0:
        yield Problem(("effects",), 'have "pull" and rage_spend.knockback', "with pull, rage_spend.knockback must be 0")
    rage = spend.max * spend.dice if spend else 0
    allies = max((effect.max for effect in hero.passives() if isinstance(effect, AllyDice)), default=0)
    if ability.attack + rage + allies > dice:
        wrong = f"with {rage} rage dice and {allies} ally dice is more than the {dice} dice of the game"
        yield Problem(("attack",), wrong, f"together at most {dice}")
