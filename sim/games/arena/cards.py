"""The card file: what it can hold, the checks on it, and its compilation to the CARDS record.

Each effect is a class with one `op`, its parameters and their ranges; ON lists the kinds of ability that can have it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from math import comb
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from sim.engine.cards import CardFile, CardModel, CardSet, Identifier, Problem, Source, Text, read_document, validate
from sim.engine.evaluation import write_weights
from sim.games.arena.ablation import number_things
from sim.games.arena.record import (
    CARDS,
    DICE_MAX,
    DIE_FACES,
    FEATURES,
    RADIUS_MAX,
    SPAN,
    STARTS_MAX,
    WATER,
    WORD_BITS,
    Hex,
    Kind,
    KnockbackTrigger,
    MoveMode,
    OfflineChooser,
    OfflinePath,
    PassAbility,
    StartChoice,
    connected,
    distance,
    distance_table,
    land_hexes,
    neighbour_table,
    offset_tables,
    ray_table,
    throw_tables,
    walks_are_straight,
)

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
    mode: Literal["ghost", "leap"]


class Brace(PassiveEffect):
    """ARENA-45. The knockback that the hero suffers from an attack is `n` less, at least 1."""

    op: Literal["brace"]
    n: OneTo4


class AllyDice(PassiveEffect):
    """ARENA-76. Attack dice for own dragonlings next to the target: `per` each, `max` in all."""

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
    """`[rules]`: components, and the switches between interpretations of the rules."""

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
    """`[[board]]`: rings around the centre, holes, start hexes."""

    id: Identifier
    radius: Annotated[int, Field(ge=2, le=RADIUS_MAX)]
    holes: Annotated[list[Place], Field(max_length=168)] = Field(default_factory=list)
    starts: Annotated[list[Place], Field(min_length=SEATS_MAX, max_length=STARTS_MAX)]
    source: Source = None

    def land(self) -> list[Hex]:
        """Land hexes in the order of their ids."""
        return land_hexes(self.radius, [(q, r) for q, r in self.holes])

    def problems(self) -> Iterator[Problem]:
        """Holes and starts that are off the board or listed twice, and land in several pieces."""
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
                    yield Problem((field, index), "is listed twice", "each hex can be listed once")
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
    """An ability that is used on no target."""

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
        """Effects of all passive abilities of the hero."""
        return [effect for ability in self.ability if ability.kind == "passive" for effect in ability.effects]

    def problems(self, dice: int) -> Iterator[Problem]:
        """Violations of rules between fields of the card. dice: number of dice in the game."""
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
        """Violations of rules that concern more than one table."""
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


def _effect_problems(hero: Hero, ability: Attack | Utility | Passive, seen: Counter[tuple[str, str]]) -> Iterator[Problem]:
    """Effects on the wrong kind of ability, listed twice, or without the tokens they need. seen: effects before, updated."""
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
            yield Problem(place, "is listed twice", f"{where} can have it once")
        if effect.op in ("rage_gain", "rage_spend") and hero.rage_cap < 1:
            yield Problem(place, "needs rage tokens", "the hero's rage_cap must be at least 1")
        if effect.op == "summon" and hero.dragonling_cap < 1:
            yield Problem(place, "needs dragonlings", "the hero's dragonling_cap must be at least 1")
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


REFERENCE = Path(__file__).with_name("cards.toml")
USUAL_DEFENCE = 2  # dice, of the targets in `might`

# Fields of the record that hold the parameters of an effect. `rage_gain` is apart, as its field depends on `when`.
_FLAGS = {"move_before": "has_move_before"} | {op: op for op in ("no_defence_roll", "no_damage", "area", "pull", "swap")}
_ON_ABILITY = {
    "move_before": {"min": "move_before_min", "max": "move_before_max"},
    "move_after": {"max": "move_after"},
    "auto_hit": {"hits": "auto_hit"},
    "slow": {"n": "slow"},
    "self_defence": {"dice": "self_defence"},
    "recover": {"spaces": "recover"},
    "summon": {"count": "summon_count", "range": "summon_range"},
    "rage_spend": {"max": "rage_spend_max", "dice": "rage_spend_dice", "knockback": "rage_spend_knockback"},
}
_ON_HERO = {
    "move_after": {"max": "passive_move_after"},
    "brace": {"n": "brace"},
    "ally_dice": {"per": "ally_per", "max": "ally_max"},
    "retaliate": {"push": "retaliate"},
}
_RAGE = {"use": "rage_on_use", "hit": "rage_on_hit", "damaged": "rage_when_damaged"}
_CHOICES = {
    "knockback_trigger": KnockbackTrigger,
    "offline_path": OfflinePath,
    "offline_chooser": OfflineChooser,
    "pass_ability": PassAbility,
    "start_choice": StartChoice,
}


def load(path: Path | None = None) -> CardSet:
    """Read the card set of a folder or .toml file, or the reference set. Raises CardError for anything wrong with it."""
    document, file = read_document(path, REFERENCE)
    return from_document(document, file)


def from_document(document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
    """Make the card set of a parsed TOML document. where: its name in messages. Raises CardError as `load`."""
    cards = validate(ArenaFile, document, where)
    entrants = {hero.id: hero.name for hero in cards.hero}
    switches = cards.rules.model_dump(exclude={"tokens", "dice", "source"})
    return CardSet.of(compile_cards(cards), entrants, switches, document, where, _reference())


@cache
def _reference() -> Mapping[str, Any]:
    """Parsed document of the reference set."""
    return read_document(None, REFERENCE)[0]


def compile_cards(cards: ArenaFile) -> np.ndarray:
    """Compile a valid card file to a CARDS record, shape (1,): the rules, the board in play, the heroes in order."""
    table = np.zeros(1, CARDS)
    record = table[0]
    record["heroes"] = len(cards.hero)
    _compile_rules(record, cards.rules)
    _compile_board(record, next(board for board in cards.board if board.id == cards.rules.board))
    for number, hero in enumerate(cards.hero):
        _compile_hero(record, number, hero)
    _compile_might(record)
    number_things(record)
    write_weights(record, REFERENCE.parent, FEATURES)
    return table


def _compile_rules(record: np.void, rules: Rules) -> None:
    for field in ("turn_cap", "tokens", "dragonling_defence", "hit_faces", "block_faces", "knockback_plus_damage"):
        record[field] = getattr(rules, field)
    for field, choices in _CHOICES.items():
        record[field] = choices[getattr(rules, field).upper()]
    record["net_chance"], record["net_mean"] = _odds(rules.hit_faces, rules.block_faces)


@cache
def _odds(hit: int, block: int) -> tuple[np.ndarray, np.ndarray]:
    """P(net hits >= 1) and mean net hits, by attack and Defence dice. hit, block: faces that do. Exact before rounding."""
    chance, mean = (np.zeros((DICE_MAX + 1, DICE_MAX + 1)) for _ in range(2))
    for attack, defence in product(range(DICE_MAX + 1), repeat=2):
        ways = Counter[int]()
        for hits, blocks in product(range(attack + 1), range(defence + 1)):
            ways[max(0, hits - blocks)] += _ways(attack, hits, hit) * _ways(defence, blocks, block)
        everything = DIE_FACES ** (attack + defence)
        chance[attack, defence] = (everything - ways[0]) / everything
        mean[attack, defence] = sum(net * count for net, count in ways.items()) / everything
    return chance, mean


def _ways(dice: int, successes: int, faces: int) -> int:
    """Number of rolls of `dice` six-sided dice with this number of successes. faces: that count as a success."""
    return comb(dice, successes) * faces**successes * (DIE_FACES - faces) ** (dice - successes)


def _compile_board(record: np.void, board: Board) -> None:
    land = board.land()
    record["hexes"], record["starts"] = len(land), len(board.starts)
    record["start_hex"] = WATER
    record["start_hex"][: len(board.starts)] = [land.index((q, r)) for q, r in board.starts]
    record["neighbour"] = WATER
    record["neighbour"][: len(land)] = neighbour_table(land)
    record["distance"][: len(land), : len(land)] = distance_table(land)
    record["ray"][: len(land)] = ray_table(land)
    record["rim"][: len(land)] = 1 + record["ray"][: len(land)].min(axis=1)
    distance = record["distance"][: len(land), : len(land)]
    record["near"][: len(land), : len(land)] = np.argsort(distance, axis=1, kind="stable")
    record["near_count"][: len(land)] = (distance[:, :, np.newaxis] <= np.arange(SPAN)).sum(axis=1)
    record["roomy"] = walks_are_straight(land)
    record["q"][: len(land)], record["r"][: len(land)] = zip(*land, strict=True)
    _compile_sets(record, land)
    for field, offsets in zip(("offset_u", "offset_v", "offset_m", "offset_n"), offset_tables(), strict=True):
        record[field] = offsets


def _compile_sets(record: np.void, land: list[Hex]) -> None:
    attacker = record["offline_chooser"] == OfflineChooser.ATTACKER
    sets = throw_tables(tuple(land), bool(attacker))
    record["words"] = -(-len(land) // WORD_BITS)
    for field, table in zip(("ball", "line", "swap_line"), sets, strict=True):
        record[field][: len(land)] = table


def _compile_hero(record: np.void, number: int, hero: Hero) -> None:
    for field in ("move", "defence", "energy", "rage_cap", "dragonling_cap"):
        record[field][number] = getattr(hero, field)
    for effect in hero.passives():
        if isinstance(effect, MoveModeEffect):
            record["move_mode"][number] = MoveMode[effect.mode.upper()]
        elif isinstance(effect, RageGain):
            record[_RAGE[effect.when]][number] = effect.n
        else:
            for parameter, field in _ON_HERO[effect.op].items():
                record[field][number] = getattr(effect, parameter)
    for slot, ability in enumerate(hero.ability):
        _compile_ability(record, (number, slot), ability)


def _compile_ability(record: np.void, place: tuple[int, int], ability: Ability) -> None:
    """Write an ability, after the passives of its hero. place: hero, ability."""
    hero, slot = place
    record["kind"][place] = Kind[ability.kind.upper()]
    if any(effect.op == "retaliate" for effect in ability.effects):
        record["retaliate_ability"][hero] = slot
    if ability.kind != "passive":
        _compile_effects(record, place, ability.effects)
    if isinstance(ability, Attack):
        for field in ("range", "attack", "knockback"):
            record[field][place] = getattr(ability, field)
        record["move_after"][place] = max(record["move_after"][place], record["passive_move_after"][hero])


def _compile_might(record: np.void) -> None:
    """Write the strongest throw of every hero against a usual Defence, without rage and dragonlings."""
    dice = np.where(record["no_defence_roll"] > 0, 0, USUAL_DEFENCE)
    chance = np.where(record["auto_hit"] > 0, 1.0, record["net_chance"][np.minimum(DICE_MAX, record["attack"]), dice])
    throwing = (record["kind"] == Kind.ATTACK) & (record["pull"] == 0)
    record["might"] = (np.where(throwing, chance, 0.0)[:, :, np.newaxis] * record["knockback"]).max(axis=1)


def _compile_effects(record: np.void, place: tuple[int, int], effects: list[Effect]) -> None:
    """Write the effects of an attack or utility. place: hero, ability."""
    for effect in effects:
        if effect.op in _FLAGS:
            record[_FLAGS[effect.op]][place] = 1
        if isinstance(effect, RageGain):
            record[_RAGE[effect.when]][place] = effect.n
        for parameter, field in _ON_ABILITY.get(effect.op, {}).items():
            record[field][place] = getattr(effect, parameter)
