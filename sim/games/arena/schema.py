"""What a card file of the Arena may hold (register sections 2.1 to 2.3): tables, ranges, rules between fields."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from sim.engine.cards import CardFile, CardModel, Identifier, Problem, Source, Text
from sim.games.arena.board import RADIUS_MAX, STARTS_MAX, Hex, connected, distance, land_hexes
from sim.games.arena.effects import AllyDice, Effect, MoveBefore, RageGain, RageSpend, SelfDefence

SEATS_MAX = 4
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


class Rules(CardModel):
    """`[rules]`: components, and the variant switches of register section 8."""

    tokens: Tokens = 12
    dice: Annotated[int, Field(ge=1, le=12)] = 12
    dragonling_defence: Annotated[int, Field(ge=0, le=6)] = 0
    turn_cap: Annotated[int, Field(ge=1, le=10_000)] = 400
    hit_faces: Faces = 3
    block_faces: Faces = 3
    knockback_trigger: Literal["net_hit", "any_hit", "always"] = "net_hit"
    knockback_plus_damage: bool = False
    offline_path: Literal["each_step", "end_only"] = "each_step"
    offline_chooser: Literal["defender", "attacker"] = "defender"
    pass_ability: Literal["allowed", "only_if_none"] = "allowed"
    start_choice: Literal["choose", "spread"] = "choose"
    board: Identifier = "standard"
    source: Source = None


class Board(CardModel):
    """`[[board]]`: rings round the centre, holes in it, start hexes."""

    id: Identifier
    radius: Annotated[int, Field(ge=2, le=RADIUS_MAX)]
    holes: Annotated[list[Place], Field(max_length=168)] = Field(default_factory=list)
    starts: Annotated[list[Place], Field(min_length=SEATS_MAX, max_length=STARTS_MAX)]
    source: Source = None

    def land(self) -> list[Hex]:
        """Land hexes in the order of their ids."""
        return land_hexes(self.radius, [(q, r) for q, r in self.holes])

    def problems(self) -> Iterator[Problem]:
        """Holes and starts that are off the board or named twice, land in pieces."""
        on_board, land = set(land_hexes(self.radius, [])), set(self.land())
        for field, places, allowed, right in (
            ("holes", self.holes, on_board, f"must be within {self.radius} hexes of the centre (0, 0)"),
            ("starts", self.starts, land, f"must be a land hex within {self.radius} hexes of the centre (0, 0)"),
        ):
            for index, (q, r) in enumerate(places):
                if (q, r) not in allowed:
                    wrong = "is a hole" if (q, r) in on_board else f"is off the board, at distance {distance(q, r)}"
                    yield Problem((field, index), wrong, right)
                elif [q, r] in places[:index]:
                    yield Problem((field, index), "is named twice", "must be a hex of its own")
        if not connected(self.land()):
            yield Problem(("holes",), "cut the land into pieces", "every land hex must be reachable from every other")


class Attack(CardModel):
    """An ability that rolls attack dice or hits by itself."""

    kind: Literal["attack"]
    name: Text
    range: Annotated[int, Field(ge=1, le=8)]
    attack: Annotated[int, Field(ge=0, le=12)]
    knockback: Annotated[list[Hexes], ByZone]
    effects: Effects = Field(default_factory=list)
    source: Source = None


class Utility(CardModel):
    """An ability that is used without a target."""

    kind: Literal["utility"]
    name: Text
    effects: Effects = Field(default_factory=list)
    source: Source = None


class Passive(CardModel):
    """An ability that acts by itself."""

    kind: Literal["passive"]
    name: Text
    effects: Effects = Field(default_factory=list)
    source: Source = None


Ability = Annotated[Attack | Utility | Passive, Field(discriminator="kind")]


class Hero(CardModel):
    """`[[hero]]`: a hero card."""

    id: Identifier
    name: Text
    move: Annotated[int, Field(ge=0, le=6)]
    defence: Annotated[int, Field(ge=0, le=8)]
    energy: Annotated[list[Spaces], ByZone]
    printed_energy: Annotated[int, Field(ge=0, le=99)] = 0
    rage_cap: Tokens = 0
    dragonling_cap: Tokens = 0
    ability: Annotated[list[Ability], Field(min_length=3, max_length=3, description="[[hero.ability]]")]
    source: Source = None

    def passives(self) -> list[Effect]:
        """The effects of all passive abilities together."""
        return [effect for ability in self.ability if ability.kind == "passive" for effect in ability.effects]

    def problems(self, dice: int) -> Iterator[Problem]:
        """What breaks a rule within the card. dice: how many there are in the box."""
        passive_ops: Counter[tuple[str, str]] = Counter()
        for index, ability in enumerate(self.ability):
            seen = passive_ops if ability.kind == "passive" else Counter()
            inner = [*_effect_problems(self, ability, seen)]
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

    game: Literal["arena"]
    rules: Rules = Rules()
    board: Annotated[list[Board], Field(min_length=1, max_length=16)]
    hero: Annotated[list[Hero], Field(min_length=2, max_length=64)]

    def problems(self) -> Iterator[Problem]:
        """Everything of register section 2.3 that concerns more than one field."""
        boards, heroes = [board.id for board in self.board], [hero.id for hero in self.hero]
        for key, ids in (("board", boards), ("hero", heroes)):
            for index, word in enumerate(ids):
                if ids.count(word) > 1:
                    yield Problem((key, index, "id"), "is used more than once", f"every {key} needs an id of its own")
        if self.rules.board not in boards:
            yield Problem(("rules", "board"), "is no board of this file", f"must be one of {', '.join(boards)}")
        if self.rules.dragonling_defence > self.rules.dice:
            wrong = f"is more than the {self.rules.dice} dice of the game"
            yield Problem(("rules", "dragonling_defence"), wrong, "must not exceed rules.dice")
        for index, board in enumerate(self.board):
            yield from _within(("board", index), board.problems())
        for index, hero in enumerate(self.hero):
            yield from _within(("hero", index), hero.problems(self.rules.dice))


def _within(place: tuple[str | int, ...], problems: Iterator[Problem]) -> Iterator[Problem]:
    for problem in problems:
        yield Problem((*place, *problem.location), problem.wrong, problem.right)


def _ops(ability: Attack | Utility | Passive) -> dict[str, Effect]:
    return {effect.op: effect for effect in ability.effects}


def _throws(attack: Attack) -> bool:
    return max(attack.knockback) > 0 and "pull" not in _ops(attack)


def _effect_problems(
    hero: Hero, ability: Attack | Utility | Passive, seen: Counter[tuple[str, str]]
) -> Iterator[Problem]:
    """Effects on the wrong kind of ability, twice, or without the tokens they need. seen: counted on."""
    for index, effect in enumerate(ability.effects):
        place = ("effects", index, "op")
        when = effect.when if isinstance(effect, RageGain) else ""
        allowed = effect.WHEN[when] if isinstance(effect, RageGain) else effect.ON
        if ability.kind not in allowed:
            what = f'with when = "{when}" ' if when else ""
            yield Problem(place, f"{what}is not for {ability.kind} abilities", f"allowed on {' and '.join(allowed)}")
        seen[effect.op, when] += 1
        if seen[effect.op, when] > 1:
            where = "the passives of a hero" if ability.kind == "passive" else "an ability"
            yield Problem(place, "stands twice", f"{where} may have it once")
        if effect.op in ("rage_gain", "rage_spend") and hero.rage_cap < 1:
            yield Problem(place, "needs rage tokens", "the hero's rage_cap must be at least 1")
        if effect.op == "summon" and hero.dragonling_cap < 1:
            yield Problem(place, "needs dragonlings", "the hero's dragonling_cap must be at least 1")
        if isinstance(effect, MoveBefore) and effect.min > effect.max:
            yield Problem(("effects", index, "min"), f"is more than max = {effect.max}", "must not exceed max")


def _attack_problems(hero: Hero, ability: Attack, dice: int) -> Iterator[Problem]:
    """Numbers and effects of an attack that do not go together."""
    ops = _ops(ability)
    if ability.attack == 0 and "auto_hit" not in ops:
        yield Problem(("attack",), "can never hit", 'must be at least 1, or the ability needs "auto_hit"')
    if ability.attack > 0 and "auto_hit" in ops:
        yield Problem(("attack",), 'is rolled besides "auto_hit"', 'must be 0 with "auto_hit"')
    if ability.knockback != sorted(ability.knockback):
        yield Problem(("knockback",), "decreases", "must not decrease from green to yellow to red")
    if "area" in ops and ability.range != 1:
        yield Problem(("range",), 'does not go with "area"', 'must be 1 with "area"')
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
