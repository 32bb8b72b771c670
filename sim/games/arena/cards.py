"""The card file of the Arena: read, validated and compiled to the CARDS record (register section 2).

`schema.py` says what a card file may hold, `effects.py` is the closed list of effects, `board.py` the geometry,
`record.py` what comes of it.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cards import CardSet, read_document, validate
from sim.engine.judgement import write_weights
from sim.games.arena.board import (
    SPAN,
    WATER,
    Hex,
    distance_table,
    neighbour_table,
    offset_tables,
    ray_table,
    walks_are_straight,
)
from sim.games.arena.effects import Effect, MoveModeEffect, RageGain
from sim.games.arena.permits import number_things
from sim.games.arena.record import (
    CARDS,
    DICE_MAX,
    DIE_FACES,
    FEATURES,
    Kind,
    KnockbackTrigger,
    MoveMode,
    OfflineChooser,
    OfflinePath,
    PassAbility,
    StartChoice,
)
from sim.games.arena.schema import Ability, ArenaFile, Attack, Board, Hero, Rules
from sim.games.arena.throws import WORD_BITS, throw_tables

REFERENCE = Path(__file__).with_name("cards.toml")
USUAL_DEFENCE = 2  # dice: what `might` reckons with

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
    return CardSet.of(compile_cards(cards), entrants, switches, document, where, _reference())


@cache
def _reference() -> Mapping[str, Any]:
    """The reference set as read."""
    return read_document(None, REFERENCE)[0]


def compile_cards(cards: ArenaFile) -> np.ndarray:
    """A valid card file as a CARDS record, shape (1,): the rules, the board that they name, the heroes in order."""
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
    """Chance and mean of net hits = max(0, hits - blocks), by faces that hit and block; exact until stored."""
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
    """Rolls of `dice` six-sided dice with so many successes."""
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
    """Write one ability; the passives of its hero are there already. place: hero, ability."""
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
    """Throws of every hero against a Defence that is usual, without rage and dragonlings."""
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
