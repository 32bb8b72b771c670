"""The card file of the Arena as flat numbers (register section 2): what the kernels read, and how it is compiled.

`schema.py` says what a card file may hold, `effects.py` is the closed list of effects, `board.py` the geometry.
"""

from collections import Counter
from collections.abc import Mapping
from enum import IntEnum
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cards import CardSet, read_document, validate
from sim.games.arena import board as hexes
from sim.games.arena.board import DIRECTIONS, HEXES_MAX, SPAN, STARTS_MAX, WATER
from sim.games.arena.effects import Effect, MoveModeEffect, RageGain
from sim.games.arena.schema import ArenaFile, Attack, Board, Hero, Rules

REFERENCE = Path(__file__).with_name("cards.toml")

HEROES_MAX = 64  # heroes in one file
ABILITIES = 3  # abilities of a hero
ZONES = 3  # green, yellow, red
DICE_MAX = 12  # dice of one roll (section 2.3)
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
    """ARENA-54. Where the rule for a slanted push must hold."""

    EACH_STEP = 0
    END_ONLY = 1


class OfflineChooser(IntEnum):
    """ARENA-55. Who chooses the path of a slanted push."""

    DEFENDER = 0
    ATTACKER = 1


class PassAbility(IntEnum):
    """ARENA-13. When a player may use no ability."""

    ALLOWED = 0
    ONLY_IF_NONE = 1


class StartChoice(IntEnum):
    """ARENA-05. How the start hexes are taken."""

    CHOOSE = 0
    SPREAD = 1


_HERO = (HEROES_MAX,)
_ABILITY = (HEROES_MAX, ABILITIES)

CARDS = np.dtype(
    [
        # rules
        ("heroes", np.int16),  # heroes in the file, 2..64; rows beyond are 0
        ("turn_cap", np.int16),  # turns after which a game is stopped, 1..10000 (ARENA-84)
        ("tokens", np.int16),  # rage and dragonling tokens in the common pool, 0..12 (ARENA-03)
        ("dragonling_defence", np.int16),  # dice of a dragonling, 0..6 (ARENA-40)
        ("hit_faces", np.int16),  # faces of an attack die that hit, 1..5 of 6
        ("block_faces", np.int16),  # faces of a Defence die that block, 1..5 of 6
        ("knockback_trigger", np.int8),  # KnockbackTrigger
        ("knockback_plus_damage", np.uint8),  # 1: damage dealt adds to the knockback (ARENA-45)
        ("offline_path", np.int8),  # OfflinePath
        ("offline_chooser", np.int8),  # OfflineChooser
        ("pass_ability", np.int8),  # PassAbility
        ("start_choice", np.int8),  # StartChoice
        # odds of a roll, [attack dice, Defence dice]: for judging positions, no rule reads them
        ("net_chance", np.float32, (DICE_MAX + 1, DICE_MAX + 1)),  # P(net hits >= 1), 0..1
        ("net_mean", np.float32, (DICE_MAX + 1, DICE_MAX + 1)),  # expected net hits, 0..12
        # the board that is played
        ("hexes", np.int16),  # land hexes, 4..169; rows beyond are 0 (neighbour: -1)
        ("starts", np.int16),  # start hexes, 4..12
        ("start_hex", np.int16, (STARTS_MAX,)),  # hex id; -1 beyond `starts`
        ("neighbour", np.int16, (HEXES_MAX, DIRECTIONS)),  # hex id, -1 = water
        ("distance", np.int8, (HEXES_MAX, HEXES_MAX)),  # steps on an endless grid, 0..14
        ("ray", np.int8, (HEXES_MAX, DIRECTIONS)),  # land hexes ahead until water, 0..14
        ("near", np.int16, (HEXES_MAX, HEXES_MAX)),  # all land hexes, the nearest first, equally near ones by id
        ("near_count", np.int16, (HEXES_MAX, SPAN)),  # how many of them lie within a distance of 0..28
        ("roomy", np.uint8),  # 1: on the empty board every way on foot is as short as the distance
        ("rim", np.int8, (HEXES_MAX,)),  # hexes to the water along the nearest line, 1..15
        ("q", np.int8, (HEXES_MAX,)),  # axial coordinates, -7..7
        ("r", np.int8, (HEXES_MAX,)),
        ("offset_u", np.int8, (SPAN, SPAN)),  # ARENA-50, indexed [dq + 14, dr + 14]: direction 0..5
        ("offset_v", np.int8, (SPAN, SPAN)),  # direction 0..5, -1 where n = 0
        ("offset_m", np.int8, (SPAN, SPAN)),  # steps in direction u, 0..28
        ("offset_n", np.int8, (SPAN, SPAN)),  # steps in direction v, 0..m
        # heroes, in the order of the file
        ("move", np.int8, _HERO),  # steps, 0..6
        ("defence", np.int8, _HERO),  # dice, 0..8
        ("energy", np.int8, (HEROES_MAX, ZONES)),  # spaces of each zone, 1..6
        ("rage_cap", np.int8, _HERO),  # tokens, 0..12
        ("dragonling_cap", np.int8, _HERO),  # tokens on the board at once, 0..12
        # passives of a hero; 0 = has none
        ("move_mode", np.int8, _HERO),  # MoveMode
        ("brace", np.int8, _HERO),  # hexes less, 0..4 (ARENA-45)
        ("ally_per", np.int8, _HERO),  # attack dice per own dragonling next to the target, 0..3 (ARENA-76)
        ("ally_max", np.int8, _HERO),  # attack dice at most, 0..6
        ("retaliate", np.int8, _HERO),  # hexes, 0..4 (ARENA-73)
        ("retaliate_ability", np.int8, _HERO),  # the passive that retaliates, 0..2
        ("rage_when_damaged", np.int8, _HERO),  # tokens, 0..4 (ARENA-75)
        ("passive_move_after", np.int8, _HERO),  # steps, 0..4 (ARENA-38)
        # abilities; 0 = has none
        ("kind", np.int8, _ABILITY),  # Kind
        ("range", np.int8, _ABILITY),  # hexes, 1..8 (ARENA-32)
        ("attack", np.int8, _ABILITY),  # dice, 0..12 (ARENA-40)
        ("knockback", np.int8, (HEROES_MAX, ABILITIES, ZONES)),  # hexes by the target's zone, 0..9 (ARENA-44)
        ("has_move_before", np.int8, _ABILITY),  # 1: moves first (ARENA-34); the minimum alone may be 0
        ("move_before_min", np.int8, _ABILITY),  # steps, 0..4
        ("move_before_max", np.int8, _ABILITY),  # steps, 1..4
        ("move_after", np.int8, _ABILITY),  # steps, 0..4: the larger of card and passive (ARENA-38)
        ("no_defence_roll", np.int8, _ABILITY),  # 1: targets roll no Defence (ARENA-41)
        ("no_damage", np.int8, _ABILITY),  # 1: markers do not move (ARENA-47)
        ("auto_hit", np.int8, _ABILITY),  # hits without a roll, 0..6 (ARENA-41)
        ("area", np.int8, _ABILITY),  # 1: every adjacent piece (ARENA-70)
        ("pull", np.int8, _ABILITY),  # 1: towards the user (ARENA-71)
        ("swap", np.int8, _ABILITY),  # 1: change places first (ARENA-72)
        ("slow", np.int8, _ABILITY),  # steps, 0..6 (ARENA-78)
        ("self_defence", np.int8, _ABILITY),  # dice, 0..6 (ARENA-74)
        ("recover", np.int8, _ABILITY),  # spaces, 0..6 (ARENA-74)
        ("summon_count", np.int8, _ABILITY),  # dragonlings, 0..4 (ARENA-77)
        ("summon_range", np.int8, _ABILITY),  # hexes, 0..4
        ("rage_on_use", np.int8, _ABILITY),  # tokens, 0..4 (ARENA-75)
        ("rage_on_hit", np.int8, _ABILITY),  # tokens, 0..4
        ("rage_spend_max", np.int8, _ABILITY),  # tokens, 0..6 (ARENA-79)
        ("rage_spend_dice", np.int8, _ABILITY),  # attack dice per token, 0..3
        ("rage_spend_knockback", np.int8, _ABILITY),  # hexes per token, 0..3
    ],
    align=True,
)

# Where the parameters of an effect go. `rage_gain` is apart: its field depends on `when`.
_FLAGS = {"move_before": "has_move_before"} | {
    op: op for op in ("no_defence_roll", "no_damage", "area", "pull", "swap")
}
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
    """The card set of a folder or .toml file, or the reference set. Raises CardError for anything wrong with it."""
    document, file = read_document(path, REFERENCE)
    return from_document(document, file)


def from_document(document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
    """The card set of a document as TOML would give it. where: its name in messages. Raises CardError as `load`."""
    cards = validate(ArenaFile, document, where)
    entrants = {hero.id: hero.name for hero in cards.hero}
    switches = cards.rules.model_dump(exclude={"tokens", "dice", "source"})
    return CardSet.of(compile_cards(cards), entrants, switches, document, where)


def compile_cards(cards: ArenaFile) -> np.ndarray:
    """A valid card file as a CARDS record, shape (1,): the rules, the board that they name, the heroes in order."""
    table = np.zeros(1, CARDS)
    record = table[0]
    record["heroes"] = len(cards.hero)
    _compile_rules(record, cards.rules)
    _compile_board(record, next(board for board in cards.board if board.id == cards.rules.board))
    for number, hero in enumerate(cards.hero):
        _compile_hero(record, number, hero)
    return table


def _compile_rules(record: np.void, rules: Rules) -> None:
    for field in ("turn_cap", "tokens", "dragonling_defence", "hit_faces", "block_faces", "knockback_plus_damage"):
        record[field] = getattr(rules, field)
    for field, choices in _CHOICES.items():
        record[field] = choices[getattr(rules, field).upper()]
    _compile_odds(record, rules.hit_faces, rules.block_faces)


def _compile_odds(record: np.void, hit: int, block: int) -> None:
    """Chance and mean of net hits = max(0, hits - blocks), by faces that hit and block; exact until stored."""
    rolls = range(DICE_MAX + 1)
    for attack, defence in product(rolls, rolls):
        ways = Counter[int]()
        for hits, blocks in product(range(attack + 1), range(defence + 1)):
            ways[max(0, hits - blocks)] += _ways(attack, hits, hit) * _ways(defence, blocks, block)
        everything = DIE_FACES ** (attack + defence)
        record["net_chance"][attack, defence] = (everything - ways[0]) / everything
        record["net_mean"][attack, defence] = sum(net * count for net, count in ways.items()) / everything


def _ways(dice: int, successes: int, faces: int) -> int:
    """Rolls of `dice` six-sided dice with so many successes."""
    return comb(dice, successes) * faces**successes * (DIE_FACES - faces) ** (dice - successes)


def _compile_board(record: np.void, board: Board) -> None:
    land = board.land()
    record["hexes"], record["starts"] = len(land), len(board.starts)
    record["start_hex"] = WATER
    record["start_hex"][: len(board.starts)] = [land.index((q, r)) for q, r in board.starts]
    record["neighbour"] = WATER
    record["neighbour"][: len(land)] = hexes.neighbour_table(land)
    record["distance"][: len(land), : len(land)] = hexes.distance_table(land)
    record["ray"][: len(land)] = hexes.ray_table(land)
    record["rim"][: len(land)] = 1 + record["ray"][: len(land)].min(axis=1)
    distance = record["distance"][: len(land), : len(land)]
    record["near"][: len(land), : len(land)] = np.argsort(distance, axis=1, kind="stable")
    record["near_count"][: len(land)] = (distance[:, :, np.newaxis] <= np.arange(SPAN)).sum(axis=1)
    record["roomy"] = hexes.walks_are_straight(land)
    record["q"][: len(land)], record["r"][: len(land)] = zip(*land, strict=True)
    for field, offsets in zip(("offset_u", "offset_v", "offset_m", "offset_n"), hexes.offset_tables(), strict=True):
        record[field] = offsets


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
        record["kind"][number, slot] = Kind[ability.kind.upper()]
        if any(effect.op == "retaliate" for effect in ability.effects):
            record["retaliate_ability"][number] = slot
        if ability.kind != "passive":
            _compile_effects(record, (number, slot), ability.effects)
        if isinstance(ability, Attack):
            for field in ("range", "attack", "knockback"):
                record[field][number, slot] = getattr(ability, field)
            own = record["move_after"][number, slot]
            record["move_after"][number, slot] = max(own, record["passive_move_after"][number])


def _compile_effects(record: np.void, place: tuple[int, int], effects: list[Effect]) -> None:
    """Write the effects of an attack or utility. place: hero, ability."""
    for effect in effects:
        if effect.op in _FLAGS:
            record[_FLAGS[effect.op]][place] = 1
        if isinstance(effect, RageGain):
            record[_RAGE[effect.when]][place] = effect.n
        for parameter, field in _ON_ABILITY.get(effect.op, {}).items():
            record[field][place] = getattr(effect, parameter)
