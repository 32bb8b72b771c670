"""Cards and characters of a valid card file, written into the CARDS record."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from sim.games.cardrogue.attack_odds import Weapon, attack_tables
from sim.games.cardrogue.checks import RogueFile
from sim.games.cardrogue.codes import KEY, POTION, Category, Slot
from sim.games.cardrogue.codes import Effect as Code
from sim.games.cardrogue.effects import Dodge, OnRoll
from sim.games.cardrogue.tables import Artifact, Character, Enemy, Item, Potions
from sim.games.cardrogue.traits import Effect, NoFlee

NONE = -1

# Where the parameters of an effect go. None: the effect has no parameter, its field is 1.
_ON_CARD: dict[str, dict[str | None, str]] = {
    "attack_mod": {"n": "attack_mod"},
    "min_attack": {"n": "min_attack"},
    "multiply": {"n": "multiply"},
    "miss_on": {"faces": "miss_faces"},
    "reroll_on": {"faces": "reroll_faces", "dice": "reroll_dice"},
    "block_on": {"faces": "block_faces"},
    "damage_taken": {"n": "damage_taken"},
    "flee_faces": {"faces": "item_flee_faces"},
    "avoid_trap": {"faces": "avoid_trap_faces"},
    "movement": {"n": "movement"},
    "max_health": {"n": "max_health"},
    "vp": {"n": "vp"},
    "heal_each_turn": {"n": "heal_each_turn"},
    "no_chase": {None: "no_chase"},
    "single_turn": {None: "single_turn"},
}
_ON_CHARACTER: dict[str, dict[str | None, str]] = {
    "attack_mod": {"n": "own_attack_mod"},
    "damage_taken": {"n": "own_damage_taken"},
    "movement": {"n": "own_movement"},
    "flee_faces": {"faces": "own_flee_faces"},
    "avoid_trap": {"faces": "own_avoid_trap_faces"},
    "rage": {"at_most": "rage_at_most", "n": "rage"},
    "no_flee": {None: "no_flee"},
    "offhand": {"item": "offhand_type", "attack_mod": "offhand_mod"},
    "free_buy": {"faces": "free_buy_faces"},
    "forbid_slot": {"slot": "forbidden_slots"},
    "discard_cursed": {None: "discard_cursed"},
    "sacrifice": {"at_most": "sacrifice_at_most", "heal": "sacrifice_heal"},
    "no_trip": {None: "no_trip"},
    "second_turn": {None: "second_turn"},
    "no_sell_items": {None: "no_sell_items"},
    "spells": {
        "cooldown": "spell_cooldown",
        "damage": "spell_damage",
        "move": "spell_move",
        "potion_heal": "spell_heal",
    },
    "buy_multiplier": {"n": "own_buy_multiplier"},
    "no_trade_shop": {None: "no_trade_shop"},
    "song": {"heal": "song"},
    "must_flee_on": {"faces": "must_flee_faces"},
}
_CATEGORY = {
    "weapon": Category.WEAPON,
    "armour": Category.ARMOUR,
    "scroll": Category.SCROLL,
    "debt": Category.DEBT,
}


def bits(numbers: Iterable[int]) -> int:
    """A set of small numbers: bit f is set for f."""
    return sum(1 << number for number in numbers)


def slot_bits(names: Iterable[str]) -> int:
    """A set of slots by their names."""
    return bits(Slot[name.upper()] for name in names)


def effect_and_size(effect: Effect) -> tuple[int, int]:
    """Number of an effect of potions, traps and scrolls, and its health, turns or points; 0 where it has none."""
    return int(Code[effect.op.upper()]), getattr(effect, "n", getattr(effect, "turns", 0))


def write_types(line: np.void, cards: RogueFile, types: Mapping[str, int]) -> None:
    """Write everything that is known by card type. types: id -> card type."""
    line["enemy_number"] = line["item_number"] = NONE
    line["types"] = len(types)
    line["category"][KEY] = Category.KEY
    line["tradable"][KEY] = 1
    _write_potions(line, cards.potions)
    line["artifacts"], line["first_artifact"] = len(cards.artifact), POTION + len(cards.potions.colours)
    line["enemies"], line["items"] = len(cards.enemy), len(cards.item)
    for artifact in cards.artifact:
        _write_artifact(line, types[artifact.id], artifact)
    groups = [*dict.fromkeys(enemy.cancel_group for enemy in cards.enemy if enemy.cancel_group)]
    for number, enemy in enumerate(cards.enemy):
        card = types[enemy.id]
        line["enemy_type"][number], line["enemy_number"][card] = card, number
        line["cancel_group"][card] = 1 + groups.index(enemy.cancel_group) if enemy.cancel_group else 0
        _write_enemy(line, card, enemy)
    weapons = 0
    for number, item in enumerate(cards.item):
        card = types[item.id]
        line["item_type"][number], line["item_number"][card] = card, number
        _write_item(line, card, item)
        if item.kind == "weapon":
            weapons += 1
            line["weapon_number"][card] = weapons


def _write_potions(line: np.void, potions: Potions) -> None:
    """The colours are alike; what they do is known by the face of the die (ROGUE-87)."""
    colours = slice(POTION, POTION + len(potions.colours))
    line["colours"] = len(potions.colours)
    line["category"][colours] = Category.POTION
    line["gold"][colours] = potions.gold
    line["tradable"][colours] = 1
    line["sellable"][colours] = potions.gold > 0
    line["potion_faces"] = bits(effect.face for effect in potions.effect)
    for effect in potions.effect:
        for use in ("drink", "throw"):
            code, size = effect_and_size(getattr(effect, use))
            line[f"{use}_effect"][effect.face], line[f"{use}_n"][effect.face] = code, size


def _write_artifact(line: np.void, card: int, artifact: Artifact) -> None:
    line["category"][card] = Category.ARTIFACT
    line["cursed"][card] = artifact.cursed
    _write_effects(line, card, artifact.effects, _ON_CARD, {})


def _write_enemy(line: np.void, card: int, enemy: Enemy) -> None:
    line["category"][card] = Category.ENEMY
    for field in ("health", "attack", "attack_die", "gold", "vp", "boss", "end_rush"):
        line[field][card] = getattr(enemy, field)
    line["tradable"][card] = not enemy.boss
    line["sellable"][card] = not enemy.boss and enemy.gold > 0
    for ability in enemy.abilities:
        if not isinstance(ability, OnRoll):
            _write_effects(line, card, [ability], _ON_CARD, {})
        elif isinstance(ability.effect, Dodge):
            line["dodge_faces"][card] = bits(ability.faces)
        else:
            line["status_faces"][card] = bits(ability.faces)
            line["status_effect"][card], line["status_turns"][card] = effect_and_size(ability.effect)


def _write_item(line: np.void, card: int, item: Item) -> None:
    line["category"][card] = _CATEGORY[item.kind]
    line["gold"][card], line["shop"][card] = item.gold, item.copies
    line["sellable"][card] = item.sell and item.gold > 0
    line["tradable"][card] = item.trade
    line["slots"][card] = slot_bits(item.slots)
    if item.kind == "scroll":
        line["scroll_effect"][card], line["scroll_n"][card] = effect_and_size(item.effects[0])
    else:
        _write_effects(line, card, item.effects, _ON_CARD, {})


def write_character(line: np.void, number: int, character: Character, types: Mapping[str, int]) -> None:
    """Write one character; its maximum health is the caller's. types: id -> card type."""
    line["characters"] = max(line["characters"], number + 1)
    for field in ("rage_at_most", "sacrifice_at_most", "offhand_type"):
        line[field][number] = NONE
    _write_effects(line, number, character.traits, _ON_CHARACTER, types)
    for trait in character.traits:
        if isinstance(trait, NoFlee):
            line["no_flee_but_boss"][number] = "boss" in trait.excepted
            line["no_flee_but_no_chase"][number] = "no_chase" in trait.excepted


def _write_effects(
    line: np.void,
    place: int,
    effects: list[Effect],
    fields: Mapping[str, Mapping[str | None, str]],
    types: Mapping[str, int],
) -> None:
    """Write the parameters of effects into their fields; sets of faces and slots grow."""
    for effect in effects:
        for parameter, field in fields[effect.op].items():
            value: Any = 1 if parameter is None else getattr(effect, parameter)
            if parameter == "faces":
                value = bits(value)
            elif parameter == "slot":
                value = int(line[field][place]) | slot_bits([value])
            elif parameter == "item":
                value = types[value]
            line[field][place] = value


def write_sets(line: np.void) -> None:
    """Write the sets of card types, from what is written by card type."""
    known = range(int(line["types"]))
    category = line["category"]

    def members(wanted: np.ndarray) -> np.uint64:
        return np.uint64(bits(card for card in known if wanted[card]))

    line["artifact_bits"] = members(category == Category.ARTIFACT)
    line["potion_bits"] = members(category == Category.POTION)
    line["scroll_bits"] = members(category == Category.SCROLL)
    line["gear_bits"] = members((category == Category.WEAPON) | (category == Category.ARMOUR))
    line["sell_bits"] = members(line["sellable"] == 1)
    line["trade_bits"] = members(line["tradable"] == 1)
    line["cursed_bits"] = members(line["cursed"] == 1)


def write_attacks(line: np.void) -> None:
    """Write the judging tables, for bare hands and for every weapon."""
    weapons = {0: Weapon()}
    for card in range(int(line["types"])):
        if number := int(line["weapon_number"][card]):
            weapons[number] = Weapon(
                min_attack=int(line["min_attack"][card]),
                multiply=int(line["multiply"][card]) or 1,
                miss_faces=int(line["miss_faces"][card]),
                reroll_faces=int(line["reroll_faces"][card]),
                reroll_dice=int(line["reroll_dice"][card]),
            )
    for number, weapon in weapons.items():
        line["attack_mean"][number], line["reach_chance"][number] = attack_tables(weapon)
