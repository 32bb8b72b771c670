"""The card file of Card Rogue: read, validated and compiled to the CARDS record (register section 2).

`schema.py` says what a card file may hold (its tables are in `rules.py` and `tables.py`), `effects.py` and `traits.py`
are the closed list of effects, `layout.py` reads fixed layouts; `compiling.py` writes the cards into the record.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cards import CardSet, read_document, validate
from sim.engine.judgement import write_weights
from sim.engine.reading import plain
from sim.games.cardrogue import compiling
from sim.games.cardrogue.checks import RogueFile
from sim.games.cardrogue.codes import Category, Fill, Goal, Tile
from sim.games.cardrogue.layout import cells_of
from sim.games.cardrogue.record import CARDS, FEATURES, STRIDE, TILE_ENTRY, TYPES_MAX
from sim.games.cardrogue.rules import Rules
from sim.games.cardrogue.switches import (
    BardSix,
    Characters,
    EnemyRestore,
    FlipRule,
    ImpDodge,
    ParalysisInCombat,
    ReplacementTrap,
    ResumeAfterFlip,
    ShieldScope,
    SoldItems,
    TeleportTargets,
)
from sim.games.cardrogue.tables import tiles_in_order, types_in_order

REFERENCE = Path(__file__).with_name("cards.toml")

_PLAIN = (
    *("fountain_heal", "buy_multiplier", "mole_fee", "vp_chest", "vp_exit", "offers_per_turn", "equip_changes"),
    *("max_rounds", "idle_rounds", "repeat_moves", "lives", "equip_in_combat"),
)
_FACES = ("flee_faces", "trip_faces", "steal_faces", "fountain_drain_faces")
_CHOICES = {
    "flip_rule": FlipRule,
    "replacement_trap": ReplacementTrap,
    "resume_after_flip": ResumeAfterFlip,
    "imp_dodge": ImpDodge,
    "paralysis_in_combat": ParalysisInCombat,
    "bard_six": BardSix,
    "shield_scope": ShieldScope,
    "enemy_restore": EnemyRestore,
    "sold_items": SoldItems,
    "teleport_targets": TeleportTargets,
}
_EXITS = {"F": 1, "L": 2, "R": 4}
_ALL_EXITS = sum(_EXITS.values())
_SPECIAL = {"fountain": Tile.FOUNTAIN, "shop": Tile.SHOP, "chest": Tile.CHEST}


def load(path: Path | None = None) -> CardSet:
    """The card set of a folder or .toml file, or the reference set. Raises CardError for anything wrong with it."""
    document, file = read_document(path, REFERENCE)
    return from_document(document, file)


def from_document(document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
    """The card set of a document as TOML would give it. where: its name in messages. Raises CardError as `load`."""
    cards = validate(RogueFile, document, where)
    entrants = {character.id: character.name for character in cards.character}
    switches = cards.rules.model_dump(exclude=set(Rules.CONSTANTS))
    return CardSet.of(compile_cards(cards), entrants, switches, document, where, _reference())


@cache
def _reference() -> Mapping[str, Any]:
    """The reference set as read."""
    return read_document(None, REFERENCE)[0]


def cautions(cards: CardSet) -> list[str]:
    """What a valid card file may not mean to say, in words."""
    table = cards.record[0]
    cells = np.arange(TYPES_MAX)
    fountains = np.flatnonzero(table["tile_kind"] == Tile.FOUNTAIN) + TILE_ENTRY
    replaced = int(table["exploration"][cells].sum() + table["exploration"][fountains].sum())
    pathing = int(table["pathing"].sum())
    if pathing >= replaced:
        return []
    more = "the last of them are replaced by plain floors with four paths (ROGUE-18)"
    return [f"decks.pathing holds {pathing} cards, but {replaced} cards can need to be replaced: {more}"]


def compile_cards(cards: RogueFile) -> np.ndarray:
    """A valid card file as a CARDS record, shape (1,)."""
    table = np.zeros(1, CARDS)
    line = table[0]
    _write_rules(line, cards)
    types = {word: number for number, word in enumerate(cards.type_ids())}
    compiling.write_types(line, cards, types)
    compiling.write_sets(line)
    compiling.write_attacks(line)
    for number, character in enumerate(cards.character):
        compiling.write_character(line, number, character, types)
    line["own_max_health"][: len(cards.character)] = [
        character.max_health or cards.rules.base_max_health for character in cards.character
    ]
    _write_goals(line, cards, types)
    _write_tiles(line, cards)
    _write_decks(line, cards, types)
    _write_map(line, cards, types)
    write_weights(line, REFERENCE.parent, FEATURES)
    return table


def _write_rules(line: np.void, cards: RogueFile) -> None:
    rules = cards.rules
    for field in _PLAIN:
        line[field] = getattr(rules, field)
    for field in _FACES:
        line[field] = compiling.bits(getattr(rules, field))
    for field, choices in _CHOICES.items():
        line[field] = choices[getattr(rules, field).upper()]
    line["characters_mode"] = Characters[rules.characters.upper()]
    for field in ("columns", "rows", "gap"):
        line[field] = getattr(cards.table, field)
    denominations = cards.gold.denominations
    line["denominations"] = len(denominations)
    line["denomination"][: len(denominations)] = denominations


def _write_goals(line: np.void, cards: RogueFile, types: Mapping[str, int]) -> None:
    """ROGUE-106. A bit for everything that can be a goal, and those that are wanted."""
    bits = {word: int(Goal.CHEST) << place for place, word in enumerate(cards.goal_ids())}
    for word, bit in bits.items():
        if word in types and line["category"][types[word]] == Category.ENEMY:
            line["goal_bit"][types[word]] = bit
    line["goals"] = sum(bits[goal] for goal in cards.rules.goals)


def _write_tiles(line: np.void, cards: RogueFile) -> None:
    """Kinds of tiles, by number; traps by theirs."""
    traps = {trap.id: Tile.TRAP + number for number, trap in enumerate(cards.trap)}
    exits = {shape.id: sum(_EXITS[side] for side in shape.exits) for shape in cards.shape}
    line["tiles"], line["traps"] = len(cards.tile_ids()), len(cards.trap)
    for number, word in enumerate(cards.tile_ids()):
        line["tile_kind"][number] = _SPECIAL.get(word, traps.get(word, Tile.FLOOR))
        line["tile_exits"][number] = exits.get(word, _ALL_EXITS)
    for number, trap in enumerate(cards.trap):
        line["trap_effect"][number], line["trap_n"][number] = compiling.effect_and_size(trap.effect)


def _write_decks(line: np.void, cards: RogueFile, types: Mapping[str, int]) -> None:
    """Copies by entry; in a fixed layout without the special tiles that lie on it (its loose cards are dealt with)."""
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
    """ROGUE-107. The fixed layout, cell by cell."""
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


def type_ids(cards: CardSet) -> list[str]:
    """Id of every card type; a potion's is its colour."""
    return types_in_order(cards.document["potions"]["colours"], *_by_kind(cards, "id"))


def type_names(cards: CardSet) -> list[str]:
    """Display name of every card type; types of one name have their id behind it."""
    potions = [f"{colour.replace('_', ' ')} potion" for colour in cards.document["potions"]["colours"]]
    return _told_apart(types_in_order(potions, *_by_kind(cards, "name")), type_ids(cards))


def tile_ids(cards: CardSet) -> list[str]:
    """Id of every tile: the deck's entries of that name, after those of the card types."""
    shapes = [shape["id"] for shape in cards.document["shape"]]
    return tiles_in_order(shapes, [trap["id"] for trap in cards.document.get("trap", [])])


def tile_names(cards: CardSet) -> list[str]:
    """Display name of every tile; tiles of one name have their id behind it."""
    shapes = [shape["id"].replace("_", " ") for shape in cards.document["shape"]]
    return _told_apart(tiles_in_order(shapes, trap_names(cards)), tile_ids(cards))


def trap_names(cards: CardSet) -> list[str]:
    """Display name of every trap, by its number."""
    return [trap["name"] for trap in cards.document.get("trap", [])]


def effect_names(cards: CardSet) -> dict[int, str]:
    """Display name of what a potion can turn out to be, by face of the die."""
    return {effect["face"]: effect["id"].replace("_", " ") for effect in cards.document["potions"]["effect"]}


def _by_kind(cards: CardSet, key: str) -> list[list[str]]:
    return [[card[key] for card in cards.document.get(kind, [])] for kind in ("artifact", "enemy", "item")]


def _told_apart(names: list[str], ids: list[str]) -> list[str]:
    """Names, with the id behind those that another one has too."""
    counts = Counter(plain(name) for name in names)
    return [name if counts[plain(name)] == 1 else f"{name} ({word})" for name, word in zip(names, ids, strict=True)]
