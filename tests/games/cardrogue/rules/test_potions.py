"""ROGUE-86 to 90: potions taken, drunk and thrown, what the colours turn out to be, and each variant of teleportation (A-23)."""

import pytest

from sim.games.cardrogue import GAME
from tests.games.cardrogue.documents import reference
from tests.games.cardrogue.positions import (
    AWAY,
    BARE,
    CROSS,
    EAST,
    EFFECTS,
    GROUND,
    MIDDLE,
    NORTH,
    SOUTH,
    WAITING,
    Play,
    a,
    an_enemy,
    drunk,
    placed,
    table,
    thrown_at_enemy,
    thrown_at_player,
)


def test_rogue_86_a_potion_must_be_taken_by_whoever_moves_onto_it():
    game = table(a("warrior"), map=CROSS | {"6,12": "O:blue"})
    game.do("pass", "move north", draws=["straight"])
    assert (game.player(0)["hand"], game.at(0), game.paths(NORTH)) == (["blue"], NORTH, "NS")


def test_rogue_86_a_used_potion_is_discarded_and_any_number_are_used_a_turn():
    game = table(a("warrior", hand=["red", "red", "red"]), potions={"red": "strength"})
    for _ in range(3):
        game.do("drink red potion")
    assert (game.player(0)["hand"], game.player(0)["attack"], game.position["gone"]) == ([], 3, {"red": 3})


def test_rogue_86_thrown_at_players_and_enemies_on_adjacent_cells():
    walls = CROSS | {"5,11": "Pd"}
    thrower = a("rogue", hand=["red"])
    others = [a("mage", NORTH), a("bard", (5, 11))]
    game = table(thrower, *others, map=walls, enemies=[an_enemy("goblin", EAST)])
    game.do("throw red potion")
    assert game.options == ["throw north", "throw east"], "a wall protects the bard, no player stands in the south"


def test_rogue_86_nobody_to_throw_at():
    game = table(a("rogue", hand=["red"]), WAITING, map=GROUND)
    assert game.options == ["pass", "drink"]


@pytest.mark.parametrize("step", ["fight", "struck", "survived"])
def test_rogue_31_86_potions_in_every_window_of_combat(step):
    game = table(a("rogue", hand=["red"]), WAITING, map=GROUND, enemies=[an_enemy("goblin")], step=step)
    assert {"drink", "throw"} <= set(game.options)


@pytest.mark.parametrize(("face", "effect"), [*enumerate(EFFECTS, 1)])
def test_rogue_87_the_first_use_of_a_colour_throws_its_effect(face, effect):
    game = table(a("warrior", hand=["red"]), WAITING, map={"5,12": "Pf", "9,9": "S"})
    game.do("drink red potion", dice=[face])
    assert game.position["potions"] == dict.fromkeys(["blue", "green", "orange", "pink", "yellow"], "unknown") | {"red": effect}


def test_rogue_87_a_known_colour_throws_no_die_whoever_uses_it():
    game = table(a("warrior", hand=["red"]), a("cleric", AWAY, hand=["red"], health=4), map=GROUND)
    game.do("drink red potion", dice=[1]).end_turn().do("drink red potion")
    assert game.health(1) == 10


def test_rogue_87_the_face_of_another_colour_is_thrown_again():
    """D-19: healing is blue; each of the five other faces stands for red, a 1 is thrown again."""
    for face in range(2, 7):
        game = table(a("warrior", hand=["red"]), WAITING, map={"5,12": "Pf", "9,9": "S"}, potions={"blue": "healing"})
        game.do("drink red potion", dice=[1, 1, face])
        assert game.position["potions"]["red"] == EFFECTS[face - 1]


def test_rogue_87_the_last_colour_gets_the_last_effect():
    known = dict(zip(["blue", "green", "orange", "pink", "yellow"], EFFECTS[:5], strict=True))
    game = table(a("warrior", hand=["red"]), WAITING, map=GROUND, potions=known)
    game.do("drink red potion", dice=[3, 5, 1, 6])
    assert game.position["potions"]["red"] == "paralysis"


def test_rogue_87_an_effect_is_found_even_if_the_die_never_shows_it():
    """An exhausted script shows 1 for ever: the use ends all the same, and the script is reported as too short."""
    game = table(a("warrior", hand=["red"]), WAITING, map=GROUND, potions={"blue": "healing"})
    with pytest.raises(AssertionError, match="of 1 dice"):
        game.do("drink red potion", dice=[1])
    assert game.position["potions"]["red"] not in ("unknown", "healing")


@pytest.mark.parametrize(("health", "after"), [(1, 12), (12, 12), (14, 14)])
def test_rogue_08_88_healing_fills_up_to_the_maximum(health, after):
    assert drunk("healing", health=health).health() == after
    assert thrown_at_player("healing", health=health, hand=["green", "health_plus"]).health(1) == after


def test_rogue_88_healing_does_not_cure_poison():
    assert drunk("healing", health=5, poison=2).player(0)["poison"] == 2


@pytest.mark.parametrize(("before", "after"), [(0, 3), (2, 3), (4, 4)])
def test_rogue_51_88_poison_for_3_turns_or_longer(before, after):
    """G-06: poisoned for 3 turns and then for 4: 4; for 3 and then for 1: 3."""
    assert drunk("poison", poison=before).player(0)["poison"] == after
    assert thrown_at_player("poison", poison=before).player(1)["poison"] == after


@pytest.mark.parametrize(("effect", "change"), [("strength", 1), ("weakness", -1)])
def test_rogue_07_88_strength_and_weakness_add_up_until_death(effect, change):
    assert drunk(effect, potion_attack=1).player(0)["attack"] == 1 + change
    assert thrown_at_player(effect).player(1)["attack"] == change
    mortal = thrown_at_player(effect, health=1, poison=1).end_turn()
    assert mortal.options == ["keep green potion"]
    mortal.do("keep green potion", "come back at row 0 column 12")
    assert (mortal.player(1)["attack"], mortal.health(1)) == (0, 8)


def test_rogue_32_52_88_paralysis_drunk_ends_the_turn_and_takes_the_next():
    game = drunk("paralysis")
    assert (game.current_player, game.player(0)["skip"]) == (1, 1)
    game.end_turn()
    assert (game.current_player, game.player(0)["skip"]) == (1, 0)


def test_rogue_52_88_paralysis_thrown_takes_the_next_turn_of_the_target_alone():
    game = thrown_at_player("paralysis")
    assert (game.current_player, game.player(1)["skip"]) == (0, 1)
    game.end_turn()
    assert (game.current_player, game.player(1)["skip"]) == (0, 0)


def test_rogue_32_88_paralysis_drunk_in_combat_leaves_the_enemies_their_part():
    game = drunk("paralysis", map=GROUND, enemies=[an_enemy("kobold")], step="fight")
    assert (game.current_player, game.health(), game.enemy(NORTH)["order"]) == (1, 8, [0])
    lost = drunk("paralysis", map=GROUND, enemies=[an_enemy("kobold")], step="fight", rules={"paralysis_in_combat": "turn_lost"})
    assert lost.health() == 12


def test_rogue_32_88_but_not_twice_in_a_turn():
    """In the window after step 3 the enemies have acted already."""
    game = drunk("paralysis", map=GROUND, enemies=[an_enemy("kobold")], step="survived", health=9)
    assert (game.current_player, game.health()) == (1, 5)


def test_rogue_89_healing_gives_an_enemy_all_its_health():
    assert thrown_at_enemy("healing", health=2).enemy(NORTH)["health"] == 10


@pytest.mark.parametrize(("before", "poisoner", "after"), [(0, -1, (3, 0)), (2, 1, (3, 0)), (3, 1, (3, 0)), (4, 1, (4, 1))])
def test_rogue_48_89_the_new_poison_counts_unless_it_is_the_lesser_one(before, poisoner, after):
    troll = thrown_at_enemy("poison", poison=before, poisoner=poisoner).enemy(NORTH)
    assert (troll["poison"], troll["poisoner"]) == after


@pytest.mark.parametrize(("effect", "change"), [("strength", 1), ("weakness", -1)])
def test_rogue_50_89_strength_and_weakness_change_its_attack_for_good(effect, change):
    game = thrown_at_enemy(effect)
    game.do("attack north", "pass", dice=[1])
    assert (game.enemy(NORTH)["strength"], game.health()) == (change, 10 - 4 - change)


def test_rogue_50_89_an_attack_below_0_does_nothing():
    game = thrown_at_enemy("weakness", enemy="cave_bat", strength=-3).do("attack north", "pass", dice=[1])
    assert (game.health(), game.enemy(NORTH)["strength"]) == (10, -4)


def test_rogue_53_89_a_paralysed_enemy_leaves_out_steps_2_and_3_once():
    game = thrown_at_enemy("paralysis").do("attack north", "pass", dice=[1])
    assert (game.health(), game.enemy(NORTH)["paralysed"]) == (10, 0)
    game.end_turn().end_turn().do("attack north", "pass", dice=[1])
    assert game.health() == 6


def test_rogue_57_89_anybody_flees_from_a_paralysed_enemy_without_a_roll():
    game = thrown_at_enemy("paralysis", enemy="goblin").do("flee", "flee south")
    assert game.at(0) == SOUTH


def test_rogue_31_53_86_a_throw_after_step_1_comes_before_the_enemy_acts():
    game = table(a("rogue", hand=["red"]), WAITING, map=BARE, enemies=[an_enemy("goblin")], potions={"red": "paralysis"})
    game.do("attack north", dice=[1])
    assert game.options == ["pass", "drink", "throw"]
    game.do("throw red potion", "throw north")
    assert (game.health(), game.current_player) == (10, 1), "nothing is left to decide"


@pytest.mark.parametrize("effect", EFFECTS)
def test_rogue_30_86_a_potion_ends_a_turn_of_mere_walking(effect):
    game = table(a("warrior", hand=["red", "pink"]), WAITING, map={"5,12": "Pf", "9,9": "S"}, potions={"red": effect})
    game.do("drink red potion")
    assert game.current_player == 1 or "only_walked" not in game.position["done"]


def harmful(*players: dict, **position: object) -> Play:
    """The reference set, but what is healing there takes 3 health."""
    document = reference()
    effect = next(effect for effect in document["potions"]["effect"] if effect["id"] == "healing")
    effect["drink"] = effect["throw"] = {"op": "damage", "n": 3}
    place = {"map": GROUND, "potions": {"red": "healing"}, "players": [*players]}
    return placed(GAME.from_document(document), place | position)


def test_rogue_86_88_a_potion_of_damage_takes_health_whatever_is_worn():
    drinker = a("warrior", hand=["red", "pink"], worn={"head": "helm"})
    assert harmful(drinker, WAITING).do("drink red potion").health() == 9


def test_rogue_61_88_a_player_whom_a_thrown_potion_kills_dies_at_once_and_the_thrower_s_turn_goes_on():
    game = harmful(a("warrior", hand=["red", "pink"]), a("mage", NORTH, health=3, hand=["key"]))
    game.do("throw red potion", "throw north")
    assert (game.current_player, game.options) == (1, ["keep key"])
    game.do("keep key", "come back at row 0 column 12")
    assert (game.health(1), game.current_player, game.position["step"]) == (8, 0, "flip")


def test_rogue_60_89_an_enemy_whom_a_thrown_potion_kills_is_slain_by_the_thrower():
    thrower = a("rogue", hand=["red", "pink"], resume="move")
    game = harmful(thrower, WAITING, map=BARE, enemies=[an_enemy("imp", health=3)])
    game.do("throw red potion", "throw north", draws=["straight"])
    assert (game.player(0)["hand"], game.enemy(NORTH), game.position["step"]) == (["pink", "imp"], None, "move")


SPOTS = GROUND | {"12,3": "P5", "12,5": "T:spike", "12,7": "H", "12,9": "F", "12,11": "C", "12,13": "?", "12,15": "O:pink"}
PLAIN = ["row 4 column 12", "row 5 column 11", "row 5 column 13", "row 6 column 12", "row 12 column 3"]


@pytest.mark.parametrize(
    ("switch", "more"),
    [
        ("plain_and_traps", ["row 12 column 5"]),
        ("plain", []),
        ("any_revealed", ["row 0 column 12", *(f"row 12 column {column}" for column in (5, 7, 9, 11))]),
    ],
)
def test_rogue_90_where_one_can_be_teleported(switch, more):
    """Plain tiles and traps, face up, without players; not the player's own cell, a card without a tile, or a face-down one."""
    game = drunk("teleportation", map=SPOTS, rules={"teleport_targets": switch})
    assert sorted(game.options) == sorted(f"teleport to {place}" for place in [*PLAIN, *more])


def test_rogue_90_not_where_a_player_or_an_enemy_is():
    game = drunk("teleportation", map=GROUND, enemies=[an_enemy("goblin", (6, 12), order=[])])
    assert sorted(game.options) == [f"teleport to row {row} column {c}" for row, c in [(4, 12), (5, 11), (5, 13)]]


def test_rogue_32_33_90_the_drinker_s_turn_ends_and_he_meets_nothing_until_his_next():
    game = drunk("teleportation", map=GROUND | {"12,5": "T:spike", "12,6": "?"})
    game.do("teleport to row 12 column 5")
    assert (game.at(0), game.current_player, game.health(), game.player(0)["put_off"]) == ((12, 5), 1, 12, "all")
    assert "13,5" not in game.map, "nothing is placed"
    game.end_turn()
    assert (game.health(), game.player(0)["put_off"]) == (10, "nothing")


def test_rogue_33_90_combat_beside_the_new_cell_begins_with_the_next_turn():
    goblin = an_enemy("goblin", (12, 6), order=[])
    game = drunk("teleportation", map=GROUND | {"12,5": "Pf", "12,6": "Pf", "13,5": "Pf"}, enemies=[goblin])
    game.do("teleport to row 12 column 5")
    assert game.enemy((12, 6))["order"] == []
    game.end_turn()
    assert (game.enemy((12, 6))["order"], game.options) == ([0], ["attack", "drink", "throw"])


def test_rogue_59_90_the_drinker_leaves_combat():
    game = drunk("teleportation", enemies=[an_enemy("kobold", health=2)], step="fight", map=GROUND)
    game.do("teleport to row 5 column 13")
    assert (game.health(), game.enemy(NORTH)["health"], game.enemy(NORTH)["order"]) == (12, 6, []), "no enemy attacks"


def test_rogue_90_the_thrower_chooses_for_another_player_and_goes_on():
    game = thrown_at_player("teleportation")
    assert game.current_player == 0
    assert "teleport to row 5 column 13" in game.options
    game.do("teleport to row 5 column 13")
    assert (game.at(1), game.at(0), game.current_player) == (EAST, MIDDLE, 0)
    assert game.player(1)["put_off"] == "all"


def test_rogue_33_90_a_player_moved_by_another_springs_the_trap_in_his_own_turn():
    game = thrown_at_player("teleportation", {"map": GROUND | {"12,5": "T:spike"}})
    game.do("teleport to row 12 column 5")
    assert game.health(1) == 8
    game.end_turn()
    assert (game.current_player, game.health(1)) == (1, 6)


def test_rogue_56_90_a_target_moved_away_leaves_the_enemy_to_the_next_in_order():
    foe = an_enemy("goblin", EAST, order=[1, 0], health=5)
    players = a("rogue", hand=["red", "pink"]), a("mage", (6, 13), hand=["green"])
    around = GROUND | {"6,13": "Pf"}
    game = table(*players, map=around, enemies=[foe], potions={"red": "teleportation"})
    assert game.do("throw red potion").options == ["throw east"]
    game.do("throw east", "teleport to row 4 column 12")
    assert (game.enemy((4, 12))["order"], game.enemy((4, 12))["health"]) == ([], 8)


def test_rogue_90_an_enemy_goes_to_the_new_tile_and_its_old_cell_is_replaced():
    game = thrown_at_enemy("teleportation", health=3)
    game.do("teleport to row 5 column 11", draws=["straight"])
    troll = game.enemy((5, 11))
    assert (troll["health"], troll["order"], game.paths(NORTH), game.enemy(NORTH)) == (10, [], "NS", None)
    assert (game.map["5,11"], game.position["step"], game.current_player) == ("E:troll/Pf", "move", 0)


def test_rogue_33_90_an_enemy_put_beside_the_thrower_is_met_in_the_next_turn():
    game = thrown_at_enemy("teleportation").do("teleport to row 5 column 11", draws=["straight"])
    assert (game.current_player, "attack" in game.options) == (0, False)
    game.end_turn().end_turn()
    assert (game.current_player, game.enemy((5, 11))["order"]) == (0, [0])


def test_rogue_60_90_a_trap_under_the_old_cell_triggers_on_the_thrower():
    game = thrown_at_enemy("teleportation").do("teleport to row 5 column 11", draws=["spike"])
    assert (game.health(), game.map["6,12"]) == (8, "T:spike")


def test_rogue_90_an_enemy_on_a_tile_leaves_it_as_it_was():
    game = thrown_at_enemy("teleportation", position={"map": GROUND}).do("teleport to row 5 column 11")
    assert game.map["6,12"] == "Pf"


def test_rogue_90_without_a_destination_the_potion_is_used_up_without_effect():
    game = table(
        a("warrior", hand=["red", "pink"]), a("cleric", AWAY), map={"5,12": "Pf", "9,9": "S"}, potions={"red": "teleportation"}
    )
    game.do("drink red potion")
    assert (game.at(0), game.player(0)["hand"], game.current_player, game.position["step"]) == (MIDDLE, ["pink"], 0, "flip")


def test_rogue_90_104_in_the_end_rush_an_unknown_colour_that_teleports_does_nothing():
    game = table(a("warrior", hand=["red", "pink"]), WAITING, map=GROUND, rush=True)
    game.do("drink red potion", dice=[5])
    assert (game.at(0), game.player(0)["hand"], game.position["potions"]["red"]) == (MIDDLE, ["pink"], "teleportation")
    assert game.current_player == 0


def test_rogue_90_104_and_one_known_to_teleport_cannot_be_used():
    hand = ["red", "pink"]
    game = table(a("warrior", hand=hand), a("mage", NORTH), map=GROUND, rush=True, potions={"red": "teleportation"})
    assert game.do("drink").options == ["drink pink potion"]
    other = table(a("warrior", hand=hand), a("mage", NORTH), map=GROUND, rush=True, potions={"red": "teleportation"})
    assert other.do("throw").options == ["throw pink potion"]
