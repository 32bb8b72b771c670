"""The reference set of Card Rogue against its printed tables, and how card files compile."""

import copy
from random import Random

import pytest

from sim.engine.cards import changed, numeric_fields
from sim.games.cardrogue.cards import (
    cautions,
    effect_names,
    from_document,
    load,
    tile_ids,
    tile_names,
    trap_names,
    type_ids,
    type_names,
)
from sim.games.cardrogue.record import CARDS, POTION, TILE_ENTRY, TYPES_MAX, Category, Effect, Goal, Slot, Tile
from tests.games.cardrogue.documents import card, random_document, reference

REFERENCE = load()
RECORD = REFERENCE.record[0]
TYPES = {word: number for number, word in enumerate(type_ids(REFERENCE))}
TILES = {word: number for number, word in enumerate(tile_ids(REFERENCE))}
FIELDS = list(CARDS.names or ())
CARD_FIELDS = FIELDS[FIELDS.index("gold") : FIELDS.index("colours")]
OWN_FIELDS = FIELDS[FIELDS.index("own_max_health") : FIELDS.index("fill")]
NUMBERS = ("enemy_type", "item_type", "enemy_number", "item_number", "enemies", "items")  # distinguished below


def faces(*numbers: int) -> int:
    return sum(1 << number for number in numbers)


LOOT = {"sellable": 1, "tradable": 1}
ENEMIES = {  # every field that is not 0
    "cave_bat": {"attack": 1, "health": 4, "gold": 1, **LOOT},
    "sewer_rat": {"attack": 1, "health": 4, "gold": 2, **LOOT}
    | {"status_faces": faces(4, 5, 6), "status_effect": Effect.POISON, "status_turns": 2},
    "imp": {"attack": 1, "health": 8, "gold": 2, "dodge_faces": faces(5, 6), **LOOT},
    "vampire_bat": {"attack": 2, "health": 4, "gold": 2, "heal_each_turn": 2, **LOOT},
    "goblin": {"attack": 2, "health": 8, "gold": 3, **LOOT},
    "zombie": {"attack": 2, "health": 6, "gold": 4, "no_chase": 1, "single_turn": 1, **LOOT},
    "kobold": {"attack": 4, "health": 6, "gold": 4, **LOOT},
    "troll": {"attack": 4, "health": 10, "gold": 5, "no_chase": 1, **LOOT},
    "basilisk_green": {"attack": 5, "health": 15, "vp": 1, "boss": 1, "cancel_group": 1}
    | {"status_faces": faces(4, 5, 6), "status_effect": Effect.POISON, "status_turns": 4},
    "basilisk_yellow": {"attack": 5, "health": 15, "vp": 1, "boss": 1, "cancel_group": 1}
    | {"status_faces": faces(4, 5, 6), "status_effect": Effect.PARALYZE, "status_turns": 1},
    "golem": {"attack_die": 2, "health": 25, "vp": 2, "boss": 1, "no_chase": 1, "end_rush": 1},
}
HEAD, CHEST, FEET, PRIMARY, SECONDARY = (1 << slot for slot in Slot)
ITEMS = {
    "dagger": {"shop": 2, "gold": 3, "slots": PRIMARY, "weapon_number": 1, "reroll_faces": faces(1), "reroll_dice": 2},
    "sword": {"shop": 1, "gold": 5, "slots": PRIMARY, "weapon_number": 2, "attack_mod": 1},
    "battle_axe": {"shop": 1, "gold": 6, "slots": PRIMARY, "weapon_number": 3, "min_attack": 3},
    "maul": {"shop": 1, "gold": 8, "slots": PRIMARY | SECONDARY, "weapon_number": 4} | {"multiply": 2, "miss_faces": faces(6)},
    "shield": {"shop": 1, "gold": 4, "slots": SECONDARY, "block_faces": faces(1)},
    "helm": {"shop": 1, "gold": 4, "slots": HEAD, "damage_taken": 1},
    "chestplate": {"shop": 1, "gold": 4, "slots": CHEST, "damage_taken": 1},
    "boots": {"shop": 1, "gold": 4, "slots": FEET, "damage_taken": 1},
    "vision_lens": {"shop": 1, "gold": 3, "slots": HEAD, "avoid_trap_faces": faces(1, 2, 3)},
    "shadow_cape": {"shop": 1, "gold": 4, "slots": CHEST, "item_flee_faces": faces(1, 2, 3)},
    "hasty_boots": {"shop": 1, "gold": 4, "slots": FEET, "movement": 1},
    "scroll_max_health": {"shop": 2, "gold": 2, "scroll_effect": Effect.MAX_HEALTH, "scroll_n": 2},
    "scroll_identify": {"shop": 2, "gold": 2, "scroll_effect": Effect.IDENTIFY},
    "scroll_move": {"shop": 2, "gold": 2, "scroll_effect": Effect.MOVE_ANY},
    "scroll_antidote": {"shop": 2, "gold": 3, "scroll_effect": Effect.ANTIDOTE, "scroll_n": 2},
    "scroll_remove_curse": {"shop": 2, "gold": 3, "scroll_effect": Effect.REMOVE_CURSES},
    "debt": {"shop": 1, "gold": 8, "vp": 1},
}
OTHERS = {
    "key": {"tradable": 1},
    **{colour: {"gold": 3, **LOOT} for colour in ("blue", "green", "orange", "pink", "red", "yellow")},
    "attack_plus": {"attack_mod": 2},
    "attack_minus": {"attack_mod": -2, "cursed": 1},
    "health_plus": {"max_health": 4},
    "health_minus": {"max_health": -3, "cursed": 1},
}
CHARACTERS = {
    "warrior": {"own_max_health": 12, "rage_at_most": 5, "rage": 1}
    | dict.fromkeys(("no_flee", "no_flee_but_boss", "no_flee_but_no_chase"), 1),
    "rogue": {"own_max_health": 10, "offhand_type": TYPES["dagger"], "offhand_mod": 1}
    | {"free_buy_faces": faces(5, 6), "forbidden_slots": SECONDARY},
    "cleric": {"own_max_health": 10, "discard_cursed": 1, "sacrifice_at_most": 5, "sacrifice_heal": 1, "no_trip": 1},
    "explorer": {"own_max_health": 10, "second_turn": 1, "own_avoid_trap_faces": faces(4, 5, 6), "no_sell_items": 1},
    "mage": {"own_max_health": 8, "spell_cooldown": 3, "spell_damage": 2, "spell_move": 1, "spell_heal": 2},
    "bard": {"own_max_health": 10, "own_buy_multiplier": 1, "no_trade_shop": 1, "song": 3} | {"must_flee_faces": faces(6)},
}


def test_card_types_are_numbered_key_colours_artifacts_enemies_items():
    assert list(TYPES) == [*OTHERS, *ENEMIES, *ITEMS]
    assert RECORD["types"] == 1 + 6 + 4 + 11 + 17
    assert (RECORD["first_artifact"], RECORD["artifacts"]) == (7, 4)
    for kind, words in (("enemy", ENEMIES), ("item", ITEMS)):
        cards = [TYPES[word] for word in words]
        assert RECORD[f"{kind}_type"][: len(cards)].tolist() == cards
        assert RECORD[f"{kind}_number"].tolist() == [cards.index(one) if one in cards else -1 for one in range(TYPES_MAX)]
    assert (RECORD["enemies"], RECORD["items"]) == (11, 17)


@pytest.mark.parametrize("word", TYPES)
def test_every_card_compiles_to_the_numbers_of_the_register(word):
    wanted = {**ENEMIES, **ITEMS, **OTHERS}[word]
    if word in ITEMS and word != "debt":
        wanted = wanted | LOOT
    by_type = [name for name in CARD_FIELDS if name not in NUMBERS]
    got = {name: int(RECORD[name][TYPES[word]]) for name in by_type if RECORD[name][TYPES[word]]}
    assert got == wanted


@pytest.mark.parametrize("word", CHARACTERS)
def test_every_character_compiles_to_the_numbers_of_the_register(word):
    number = list(CHARACTERS).index(word)
    absent = {"rage_at_most": -1, "sacrifice_at_most": -1, "offhand_type": -1}
    got = {name: int(RECORD[name][number]) for name in OWN_FIELDS if RECORD[name][number] != absent.get(name, 0)}
    assert got == CHARACTERS[word]
    assert REFERENCE.ids == tuple(CHARACTERS)
    assert RECORD["characters"] == 6


def test_categories_and_sets_of_types():
    category = [Category(int(one)).name.lower() for one in RECORD["category"][: len(TYPES)]]
    assert category[: TYPES["dagger"]] == ["key"] + ["potion"] * 6 + ["artifact"] * 4 + ["enemy"] * 11
    assert category[TYPES["dagger"] :] == ["weapon"] * 4 + ["armour"] * 7 + ["scroll"] * 5 + ["debt"]
    assert RECORD["category"][len(TYPES) :].sum() == 0
    sets = {
        "artifact_bits": lambda word: word in list(OTHERS)[7:],
        "potion_bits": lambda word: word in list(OTHERS)[1:7],
        "scroll_bits": lambda word: word.startswith("scroll"),
        "gear_bits": lambda word: word in list(ITEMS)[:11],
        "cursed_bits": lambda word: word.endswith("minus"),
        "sell_bits": lambda word: bool(RECORD["sellable"][TYPES[word]]),
        "trade_bits": lambda word: bool(RECORD["tradable"][TYPES[word]]),
    }
    for field, wanted in sets.items():
        assert int(RECORD[field]) == sum(1 << number for word, number in TYPES.items() if wanted(word)), field


def test_the_decks_have_93_61_and_23_cards():
    assert (RECORD["exploration"].sum(), RECORD["pathing"].sum(), RECORD["shop"].sum()) == (93, 61, 23)
    exploration, pathing = RECORD["exploration"], RECORD["pathing"]
    assert pathing[:TILE_ENTRY].sum() == 0
    assert sum(exploration[TYPES[word]] for word in ENEMIES) == 35
    assert exploration[POTION : POTION + 6].tolist() == [3] * 6
    assert exploration[TILE_ENTRY:][: len(TILES)].tolist() == [11, 6, 0, 4, 3, 2, 5, 2, 2, 0, 0, 0, 0, 0]
    assert pathing[TILE_ENTRY:][: len(TILES)].tolist() == [19, 5, 4, 5, 4, 3, 7, 4, 0, 3, 1, 2, 2, 2]


def test_the_exploration_deck_holds_the_copies_that_the_cards_have():
    """`copies` is the number of goblins; a file can repeat it in the deck."""
    more = from_document(changed(reference(), "enemy.goblin.copies", 7)).record[0]
    assert (more["exploration"][TYPES["goblin"]], more["exploration"].sum()) == (7, 95)
    repeated = reference()
    repeated["decks"]["exploration"] |= {"goblin": 5, "pink": 3, "golem": 1}
    assert from_document(repeated).record.tobytes() == REFERENCE.record.tobytes()


def test_tiles_are_numbered_shapes_fountain_shop_chest_traps():
    special = ["fountain", "shop", "chest", "spike", "paralysis", "poison"]
    assert list(TILES)[8:] == special
    assert RECORD["tiles"] == 14
    kinds = [Tile.FLOOR] * 8 + [Tile.FOUNTAIN, Tile.SHOP, Tile.CHEST, Tile.TRAP, Tile.TRAP + 1, Tile.TRAP + 2]
    assert RECORD["tile_kind"][:14].tolist() == kinds
    ahead, left, right = 1, 2, 4
    shapes = [7, ahead | right, ahead | left, left | right, left, right, ahead, 0]
    assert RECORD["tile_exits"][:14].tolist() == shapes + [7] * 6
    assert RECORD["trap_effect"][:3].tolist() == [Effect.DAMAGE, Effect.PARALYZE, Effect.POISON]
    assert RECORD["trap_n"][:3].tolist() == [2, 1, 2]
    assert RECORD["traps"] == 3


def test_potions_have_their_effects_by_face():
    wanted = [0, Effect.HEAL_FULL, Effect.POISON, Effect.ATTACK_MOD, Effect.ATTACK_MOD, Effect.TELEPORT, Effect.PARALYZE]
    assert RECORD["drink_effect"].tolist() == RECORD["throw_effect"].tolist() == wanted
    assert RECORD["drink_n"].tolist() == RECORD["throw_n"].tolist() == [0, 0, 3, 1, -1, 0, 1]
    assert RECORD["potion_faces"] == faces(1, 2, 3, 4, 5, 6)


def test_rules_are_the_constants_of_the_register():
    numbers = {"fountain_heal": 2, "buy_multiplier": 2, "mole_fee": 10, "vp_chest": 1, "vp_exit": 1}
    numbers |= {"flee_faces": faces(4, 5, 6), "trip_faces": faces(4, 5, 6), "steal_faces": faces(6)}
    numbers |= {"fountain_drain_faces": faces(6), "offers_per_turn": 2, "equip_changes": 6, "max_rounds": 400}
    numbers |= {"idle_rounds": 30, "repeat_moves": 1, "lives": 1, "columns": 30, "rows": 18, "gap": 4, "denominations": 4}
    assert {name: int(RECORD[name]) for name in numbers} == numbers
    assert RECORD["denomination"][:4].tolist() == [10, 5, 2, 1]
    assert RECORD["goals"] == Goal.CHEST
    bosses = [TYPES[word] for word in ("basilisk_green", "basilisk_yellow", "golem")]
    assert RECORD["goal_bit"][bosses].tolist() == [4, 8, 16]
    assert RECORD["goal_bit"].sum() == 28


def test_rogue_106_goals_are_bits():
    made = from_document(reference(goals=["golem", "debt", "basilisk_green"]))
    assert made.record[0]["goals"] == 16 | Goal.DEBT | 4


def test_a_character_without_max_health_has_the_base():
    document = reference(base_max_health=9)
    del card(document, "character", "rogue")["max_health"]
    assert from_document(document).record[0]["own_max_health"][:6].tolist() == [12, 9, 10, 10, 8, 10]


def test_goldless_cards_cannot_be_sold():
    made = from_document(changed(changed(reference(), "item.sword.gold", 0), "potions.gold", 0)).record[0]
    assert (made["sellable"][TYPES["sword"]], made["sellable"][TYPES["blue"]]) == (0, 0)
    assert not int(made["sell_bits"]) & (1 << TYPES["sword"] | 1 << TYPES["blue"])


def test_every_number_can_be_found_and_has_its_source():
    paths = [entry.path for entry in REFERENCE.provenance]
    assert paths == numeric_fields(REFERENCE.document)
    assert {"enemy.goblin.attack", "item.sword.effects[0].n", "character.warrior.traits[0].at_most"} <= {*paths}
    assumed = {entry.path for entry in REFERENCE.provenance if entry.source == "assumed"}
    tiles = {f"decks.pathing.{shape}" for shape in ("three_fr", "three_fl", "three_lr")}
    limits = {f"rules.{name}" for name in ("offers_per_turn", "equip_changes", "max_rounds", "idle_rounds", "lives")}
    assert assumed == tiles | limits | {"table.columns", "table.rows"}


def test_names_by_card_type_and_tile():
    names = dict(zip(TYPES, type_names(REFERENCE), strict=True))
    assert (names["key"], names["blue"], names["golem"], names["debt"]) == (*("key", "blue potion", "Golem"), "Shopkeeper's Debt")
    tiles = dict(zip(TILES, tile_names(REFERENCE), strict=True))
    assert (tiles["four_way"], tiles["shop"], tiles["spike"]) == ("four way", "shop", "Trap of Spikes")
    assert trap_names(REFERENCE) == ["Trap of Spikes", "Trap of Paralysis", "Trap of Poison"]
    assert effect_names(REFERENCE)[5] == "teleportation"
    twins = from_document(changed(reference(), "enemy.imp.name", "goblin"))
    assert type_names(twins)[TYPES["imp"]] == "goblin (imp)"
    assert type_names(twins)[TYPES["goblin"]] == "Goblin (goblin)"


def test_pathing_cards_that_run_out_are_a_caution():
    assert cautions(REFERENCE) == []
    short = from_document(changed(reference(), "decks.pathing.four_way", 17))
    assert cautions(short) == [
        "decks.pathing holds 59 cards, but 60 cards can need to be replaced: the last of them are replaced by plain "
        "floors with four paths (ROGUE-18)"
    ]


def test_random_files_of_all_effects_compile():
    chance = Random(1)
    for _ in range(10):
        document = random_document(chance)
        before = copy.deepcopy(document)
        made = from_document(document).record[0]
        assert made["characters"] == len(document["character"])
        assert made["exploration"].sum() == sum(document["decks"]["exploration"].values())
        assert document == before
