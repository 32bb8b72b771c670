"""Card files of Card Rogue: load them, compile them to the CARDS record, name their cards.

`schema` defines the tables of a card file, `checks` the whole file and what must agree between its tables.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import plain
from sim.engine.cards import CardFormat, CardSet
from sim.engine.evaluation import write_weights
from sim.games.cardrogue.cards.checks import RogueFile, cells_of
from sim.games.cardrogue.cards.schema import Character, Effect, Enemy, Item, Potions, tiles_in_order, types_in_order
from sim.games.cardrogue.record import (
    CARDS,
    FEATURES,
    KEY,
    POTION,
    STRIDE,
    TILE_ENTRY,
    TYPES_MAX,
    Category,
    Fill,
    Goal,
    Slot,
    Tile,
    Weapon,
    attack_tables,
)
from sim.games.cardrogue.record import Effect as Code

# cards and characters in the record

NONE = -1

# Fields of the record for the parameters of each effect. None: the effect has no parameter, its field is 1.
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
    "spells": {"cooldown": "spell_cooldown", "damage": "spell_damage", "move": "spell_move", "potion_heal": "spell_heal"},
    "buy_multiplier": {"n": "own_buy_multiplier"},
    "no_trade_shop": {None: "no_trade_shop"},
    "song": {"heal": "song"},
    "must_flee_on": {"faces": "must_flee_faces"},
}
_CATEGORY = {"weapon": Category.WEAPON, "armour": Category.ARMOUR, "scroll": Category.SCROLL, "debt": Category.DEBT}


def bits(numbers: Iterable[int]) -> int:
    """A set of small numbers as bits 1 << number."""
    return sum(1 << number for number in numbers)


def slot_bits(names: Iterable[str]) -> int:
    """A set of slots, given by name, as bits 1 << Slot."""
    return bits(Slot[name.upper()] for name in names)


def effect_and_size(effect: Effect) -> tuple[int, int]:
    """Number of an effect of a potion, trap or scroll, and its amount of health, turns or points (0 if it has none)."""
    return int(Code[effect.op.upper()]), getattr(effect, "n", getattr(effect, "turns", 0))


def write_types(line: np.void, cards: RogueFile, types: Mapping[str, int]) -> None:
    """Write all fields that are indexed by card type. types: id -> card type."""
    line["enemy_number"] = line["item_number"] = NONE
    line["types"] = len(types)
    line["category"][KEY] = Category.KEY
    line["tradable"][KEY] = 1
    _write_potions(line, cards.potions)
    line["artifacts"], line["first_artifact"] = len(cards.artifact), POTION + len(cards.potions.colours)
    line["enemies"], line["items"] = len(cards.enemy), len(cards.item)
    for artifact in cards.artifact:
        card = types[artifact.id]
        line["category"][card], line["cursed"][card] = Category.ARTIFACT, artifact.cursed
        _write_effects(line, card, artifact.effects, _ON_CARD, {})
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
    """ROGUE-87. The colours are alike; effects are stored by the face of the die."""
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


def _write_enemy(line: np.void, card: int, enemy: Enemy) -> None:
    line["category"][card] = Category.ENEMY
    for field in ("health", "attack", "attack_die", "gold", "vp", "boss", "end_rush"):
        line[field][card] = getattr(enemy, field)
    line["tradable"][card] = not enemy.boss
    line["sellable"][card] = not enemy.boss and enemy.gold > 0
    for ability in enemy.abilities:
        if ability.op != "on_roll":
            _write_effects(line, card, [ability], _ON_CARD, {})
        elif ability.effect.op == "dodge":
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
    """Write one character except for its maximum health. types: id -> card type."""
    line["characters"] = max(line["characters"], number + 1)
    for field in ("rage_at_most", "sacrifice_at_most", "offhand_type"):
        line[field][number] = NONE
    _write_effects(line, number, character.traits, _ON_CHARACTER, types)
    for trait in character.traits:
        if trait.op == "no_flee":
            line["no_flee_but_boss"][number] = "boss" in trait.excepted
            line["no_flee_but_no_chase"][number] = "no_chase" in trait.excepted


def _write_effects(
    line: np.void, place: int, effects: list[Effect], fields: Mapping[str, Mapping[str | None, str]], types: Mapping[str, int]
) -> None:
    """Write the parameters of effects into their fields; several slots of one field are joined."""
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
    """Write the sets of card types; they follow from the fields by card type."""
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
    """Write the attack tables, for bare hands and every weapon."""
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


# the card file

REFERENCE = Path(__file__).parents[1] / "cards.toml"

_EXITS = {"F": 1, "L": 2, "R": 4}
_ALL_EXITS = sum(_EXITS.values())
_SPECIAL = {"fountain": Tile.FOUNTAIN, "shop": Tile.SHOP, "chest": Tile.CHEST}


def cautions(cards: CardSet) -> list[str]:
    """Warnings about a valid card file, in words."""
    table = cards.record[0]
    cells = np.arange(TYPES_MAX)
    fountains = np.flatnonzero(table["tile_kind"] == Tile.FOUNTAIN) + TILE_ENTRY
    replaced = int(table["exploration"][cells].sum() + table["exploration"][fountains].sum())
    pathing = int(table["pathing"].sum())
    if pathing >= replaced:
        return []
    more = "the last of them are replaced by plain floors with four paths (ROGUE-18)"
    return [f"decks.pathing holds {pathing} cards, but {replaced} cards can need to be replaced: {more}"]


def derive(line: np.void, cards: RogueFile) -> None:
    """Compile a valid card file to a zeroed CARDS record."""
    _write_rules(line, cards)
    types = {word: number for number, word in enumerate(cards.type_ids())}
    write_types(line, cards, types)
    write_sets(line)
    write_attacks(line)
    for number, character in enumerate(cards.character):
        write_character(line, number, character, types)
    line["own_max_health"][: len(cards.character)] = [
        character.max_health or cards.rules.base_max_health for character in cards.character
    ]
    _write_goals(line, cards, types)
    _write_tiles(line, cards)
    _write_decks(line, cards, types)
    _write_map(line, cards, types)
    write_weights(line, REFERENCE.parent, FEATURES)


CARD_FORMAT = CardFormat(RogueFile, CARDS, REFERENCE, derive)
load, from_document = CARD_FORMAT.load, CARD_FORMAT.from_document


def _write_rules(line: np.void, cards: RogueFile) -> None:
    for field, value in cards.rules:
        if field in (CARDS.names or ()) and field not in ("characters", "goals"):  # as columns, these count and are bits
            line[field] = bits(value) if isinstance(value, list) else value
    line["characters_mode"] = cards.rules.characters
    for field in ("columns", "rows", "gap"):
        line[field] = getattr(cards.table, field)
    denominations = cards.gold.denominations
    line["denominations"] = len(denominations)
    line["denomination"][: len(denominations)] = denominations


def _write_goals(line: np.void, cards: RogueFile, types: Mapping[str, int]) -> None:
    """ROGUE-106. Write a bit for everything that can be a goal, and the goals that are set."""
    bits = {word: int(Goal.CHEST) << place for place, word in enumerate(cards.goal_ids())}
    for word, bit in bits.items():
        if word in types and line["category"][types[word]] == Category.ENEMY:
            line["goal_bit"][types[word]] = bit
    line["goals"] = sum(bits[goal] for goal in cards.rules.goals)


def _write_tiles(line: np.void, cards: RogueFile) -> None:
    """Write the kinds of tiles and the traps, by number."""
    traps = {trap.id: Tile.TRAP + number for number, trap in enumerate(cards.trap)}
    exits = {shape.id: sum(_EXITS[side] for side in shape.exits) for shape in cards.shape}
    line["tiles"], line["traps"] = len(cards.tile_ids()), len(cards.trap)
    for number, word in enumerate(cards.tile_ids()):
        line["tile_kind"][number] = _SPECIAL.get(word, traps.get(word, Tile.FLOOR))
        line["tile_exits"][number] = exits.get(word, _ALL_EXITS)
    for number, trap in enumerate(cards.trap):
        line["trap_effect"][number], line["trap_n"][number] = effect_and_size(trap.effect)


def _write_decks(line: np.void, cards: RogueFile, types: Mapping[str, int]) -> None:
    """Write copies by entry, without the special tiles that lie on a fixed layout; `deal` takes out the loose cards."""
    tiles = {word: TILE_ENTRY + number for number, word in enumerate(cards.tile_ids())}
    entries = {**types, **tiles}
    used = {word: copies for word, copies in cards.on_map().items() if word in tiles}
    for deck, contents in (("exploration", cards.exploration()), ("pathing", cards.decks.pathing.copies())):
        for word, copies in contents.items():
            taken = min(copies, used.get(word, 0))
            used[word] = used.get(word, 0) - taken
            line[deck][entries[word]] = copies - taken
    line["exploration_cards"] = line["exploration"].sum()


def _write_map(line: np.void, cards: RogueFile, types: Mapping[str, int]) -> None:
    """ROGUE-107. Write the fixed layout, cell by cell."""
    if not cards.map.rows:
        return
    line["fill"] = Fill[cards.map.fill.upper()]
    traps = [trap.id for trap in cards.trap]
    for (row, column), cell in cells_of(cards.map.rows).items():
        place = row * STRIDE + column
        if cell.tile:
            line["map_tile"][place] = Tile[cell.tile.upper()] + (traps.index(cell.trap) if cell.trap else 0)
            line["map_mask"][place] = cell.mask
        if cell.card:
            line["map_on"][place] = 1 + types[cell.card]
        line["map_down"][place] = cell.down
        line["map_down_cards"] += cell.down
        if cell.tile == "start":
            line["map_start"] = place
        line["has_ladder"] |= cell.tile == "ladder"
    faces = {effect.id: effect.face for effect in cards.potions.effect}
    for number, colour in enumerate(cards.potions.colours):
        line["map_colour"][number] = faces.get(cards.map.potions.get(colour, ""), 0)


# names


def type_ids(cards: CardSet) -> list[str]:
    """Id of every card type; a potion's is its colour."""
    return types_in_order(cards.document["potions"]["colours"], *_by_kind(cards, "id"))


def type_names(cards: CardSet) -> list[str]:
    """Display name of every card type, followed by the id where two types share a name."""
    potions = [f"{colour.replace('_', ' ')} potion" for colour in cards.document["potions"]["colours"]]
    return _unique(types_in_order(potions, *_by_kind(cards, "name")), type_ids(cards))


def tile_ids(cards: CardSet) -> list[str]:
    """Id of every tile, in the order of the deck entries from TILE_ENTRY on."""
    shapes = [shape["id"] for shape in cards.document["shape"]]
    return tiles_in_order(shapes, [trap["id"] for trap in cards.document.get("trap", [])])


def tile_names(cards: CardSet) -> list[str]:
    """Display name of every tile, followed by the id where two tiles share a name."""
    shapes = [shape["id"].replace("_", " ") for shape in cards.document["shape"]]
    return _unique(tiles_in_order(shapes, trap_names(cards)), tile_ids(cards))


def trap_names(cards: CardSet) -> list[str]:
    """Display name of every trap, by number."""
    return [trap["name"] for trap in cards.document.get("trap", [])]


def effect_names(cards: CardSet) -> dict[int, str]:
    """Display name of every potion effect, by face of the die."""
    return {effect["face"]: effect["id"].replace("_", " ") for effect in cards.document["potions"]["effect"]}


def _by_kind(cards: CardSet, key: str) -> list[list[str]]:
    return [[card[key] for card in cards.document.get(kind, [])] for kind in ("artifact", "enemy", "item")]


def _unique(names: list[str], ids: list[str]) -> list[str]:
    """Names, followed by the id where a name occurs more than once."""
    counts = Counter(plain(name) for name in names)
    return [name if counts[plain(name)] == 1 else f"{name} ({word})" for name, word in zip(names, ids, strict=True)]
