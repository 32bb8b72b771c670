"""ROGUE-90: teleportation, drunk and thrown at players and enemies, and each reading of where it leads (A-23)."""

import pytest

from tests.games.cardrogue.positions import EAST, MIDDLE, NORTH, a, an_enemy, table
from tests.games.cardrogue.potions import drunk, thrown_at_enemy, thrown_at_player
from tests.games.cardrogue.surroundings import FAR, OTHER, WAITING

SPOTS = FAR | {"12,3": "P5", "12,5": "T:spike", "12,7": "H", "12,9": "F", "12,11": "C", "12,13": "?", "12,15": "O:pink"}
PLAIN = ["row 4 column 12", "row 5 column 11", "row 5 column 13", "row 6 column 12", "row 12 column 3"]


@pytest.mark.parametrize(
    ("switch", "more"),
    [
        ("plain_and_traps", ["row 12 column 5"]),
        ("plain", []),
        (
            "any_revealed",
            ["row 0 column 12", *(f"row 12 column {column}" for column in (5, 7, 9, 11))],
        ),
    ],
)
def test_rogue_90_where_one_can_be_teleported(switch, more):
    """Plain tiles and traps, face up, nobody on them; not the own cell, a card without a tile, or a face-down one."""
    game = drunk("teleportation", map=SPOTS, rules={"teleport_targets": switch})
    assert sorted(game.options) == sorted(f"teleport to {place}" for place in [*PLAIN, *more])


def test_rogue_90_not_where_a_player_or_an_enemy_is():
    game = drunk("teleportation", map=FAR, enemies=[an_enemy("goblin", (6, 12), order=[])])
    assert sorted(game.options) == [f"teleport to row {row} column {c}" for row, c in [(4, 12), (5, 11), (5, 13)]]


def test_rogue_32_33_90_the_drinker_s_turn_ends_and_he_meets_nothing_until_his_next():
    game = drunk("teleportation", map=FAR | {"12,5": "T:spike", "12,6": "?"})
    game.do("teleport to row 12 column 5")
    assert (game.at(0), game.to_act, game.health(), game.player(0)["put_off"]) == ((12, 5), 1, 12, "all")
    assert "13,5" not in game.map, "nothing is placed"
    game.end_turn()
    assert (game.health(), game.player(0)["put_off"]) == (10, "nothing")


def test_rogue_33_90_combat_beside_the_new_cell_begins_with_the_next_turn():
    goblin = an_enemy("goblin", (12, 6), order=[])
    game = drunk("teleportation", map=FAR | {"12,5": "Pf", "12,6": "Pf", "13,5": "Pf"}, enemies=[goblin])
    game.do("teleport to row 12 column 5")
    assert game.enemy((12, 6))["order"] == []
    game.end_turn()
    assert (game.enemy((12, 6))["order"], game.options) == ([0], ["attack", "drink", "throw"])


def test_rogue_59_90_the_drinker_leaves_combat():
    game = drunk("teleportation", enemies=[an_enemy("kobold", health=2)], step="fight", map=FAR)
    game.do("teleport to row 5 column 13")
    assert (game.health(), game.enemy(NORTH)["health"], game.enemy(NORTH)["order"]) == (12, 6, []), "nobody attacks"


def test_rogue_90_the_thrower_chooses_for_another_player_and_goes_on():
    game = thrown_at_player("teleportation")
    assert game.to_act == 0
    assert "teleport to row 5 column 13" in game.options
    game.do("teleport to row 5 column 13")
    assert (game.at(1), game.at(0), game.to_act) == (EAST, MIDDLE, 0)
    assert game.player(1)["put_off"] == "all"


def test_rogue_33_90_a_player_moved_by_another_springs_the_trap_in_his_own_turn():
    game = thrown_at_player("teleportation", {"map": FAR | {"12,5": "T:spike"}})
    game.do("teleport to row 12 column 5")
    assert game.health(1) == 8
    game.end_turn()
    assert (game.to_act, game.health(1)) == (1, 6)


def test_rogue_56_90_a_target_moved_away_leaves_the_enemy_to_the_next_in_order():
    foe = an_enemy("goblin", EAST, order=[1, 0], health=5)
    players = a("rogue", hand=["red", "pink"]), a("mage", (6, 13), hand=["green"])
    around = FAR | {"6,13": "Pf"}
    game = table(*players, map=around, enemies=[foe], potions={"red": "teleportation"})
    assert game.do("throw red potion").options == ["throw east"]
    game.do("throw east", "teleport to row 4 column 12")
    assert (game.enemy((4, 12))["order"], game.enemy((4, 12))["health"]) == ([], 8)


def test_rogue_90_an_enemy_goes_to_the_new_tile_and_its_old_cell_is_replaced():
    game = thrown_at_enemy("teleportation", health=3)
    game.do("teleport to row 5 column 11", draws=["straight"])
    troll = game.enemy((5, 11))
    assert (troll["health"], troll["order"], game.paths(NORTH), game.enemy(NORTH)) == (10, [], "NS", None)
    assert (game.map["5,11"], game.position["step"], game.to_act) == ("E:troll/Pf", "move", 0)


def test_rogue_33_90_an_enemy_put_beside_the_thrower_is_met_in_the_next_turn():
    game = thrown_at_enemy("teleportation").do("teleport to row 5 column 11", draws=["straight"])
    assert (game.to_act, "attack" in game.options) == (0, False)
    game.end_turn().end_turn()
    assert (game.to_act, game.enemy((5, 11))["order"]) == (0, [0])


def test_rogue_60_90_a_trap_under_the_old_cell_triggers_on_the_thrower():
    game = thrown_at_enemy("teleportation").do("teleport to row 5 column 11", draws=["spike"])
    assert (game.health(), game.map["6,12"]) == (8, "T:spike")


def test_rogue_90_an_enemy_on_a_tile_leaves_it_as_it_was():
    game = thrown_at_enemy("teleportation", position={"map": FAR}).do("teleport to row 5 column 11")
    assert game.map["6,12"] == "Pf"


def test_rogue_90_without_a_destination_the_potion_is_used_up_without_effect():
    game = table(
        a("warrior", hand=["red", "pink"]),
        a("cleric", OTHER),
        map={"5,12": "Pf", "9,9": "S"},
        potions={"red": "teleportation"},
    )
    game.do("drink red potion")
    assert (game.at(0), game.player(0)["hand"], game.to_act, game.position["step"]) == (MIDDLE, ["pink"], 0, "flip")


def test_rogue_90_104_in_the_end_rush_an_unknown_colour_that_teleports_does_nothing():
    game = table(a("warrior", hand=["red", "pink"]), WAITING, map=FAR, rush=True)
    game.do("drink red potion", dice=[5])
    assert (game.at(0), game.player(0)["hand"], game.position["potions"]["red"]) == (MIDDLE, ["pink"], "teleportation")
    assert game.to_act == 0


def test_rogue_90_104_and_one_known_to_teleport_cannot_be_used():
    hand = ["red", "pink"]
    game = table(a("warrior", hand=hand), a("mage", NORTH), map=FAR, rush=True, potions={"red": "teleportation"})
    assert game.do("drink").options == ["drink pink potion"]
    other = table(a("warrior", hand=hand), a("mage", NORTH), map=FAR, rush=True, potions={"red": "teleportation"})
    assert other.do("throw").options == ["throw pink potion"]
