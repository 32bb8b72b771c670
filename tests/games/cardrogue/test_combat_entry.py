"""ROGUE-40, 41, 60 on the compiled kernels: entering combat, its turn, slaying."""

import pytest

from tests.games.cardrogue.positions import CROSS, EAST, MIDDLE, NORTH, SOUTH, WEST, Play, a, an_enemy, table
from tests.games.cardrogue.tables import ASIDE, FAR, OTHER, around


def test_rogue_40_who_joins_comes_to_the_end_of_the_order_of_entry():
    game = around(10, 8, 8)
    orders = [game.enemy(NORTH)["order"]]
    game.do("attack north", dice=[1])
    orders.append(game.enemy(NORTH)["order"])
    game.do("attack west", dice=[1])
    orders.append(game.enemy(NORTH)["order"])
    assert orders == [[0], [0, 1], [0, 1, 2]]


def test_rogue_40_who_comes_back_after_a_flight_is_last():
    game = around(10, 10, enemies=[an_enemy("kobold", order=[0, 1])])
    game.do("flee", "flee south", dice=[4])
    assert game.enemy(NORTH)["order"] == [1]
    game.do("attack west", dice=[1])
    game.do("pass", "move north")
    assert game.enemy(NORTH)["order"] == [1, 0]


def test_rogue_40_a_combat_begun_in_a_turn_starts_with_its_combat_turn_in_that_turn():
    flipped = table(a("rogue"), OTHER, map={"5,12": "Pf", "6,12": "?"} | ASIDE).do("flip north", draws=["imp"])
    walked = table(a("rogue"), OTHER, map={"5,12": "Pf", "6,12": "Pf", "7,12": "E:imp"} | ASIDE).do("move north")
    for game in (flipped, walked):
        assert (game.position["step"], game.to_act) == ("fight", 0)
        game.do("attack north", dice=[2, 1])
        assert (game.to_act, game.health()) == (1, 9)


def resumed(game: Play) -> Play:
    """Seat 0 slays what lies in the north."""
    return game.do("attack north", dice=[6], draws=["four_way"])


def test_rogue_40_60_after_an_enemy_that_was_flipped_comes_step_2_with_its_move():
    game = table(a("rogue"), OTHER, map={"5,12": "Pf", "6,12": "?", "5,13": "?"} | ASIDE)
    resumed(game.do("flip north", draws=["cave_bat"]))
    assert (game.position["step"], game.options) == ("move", ["pass", "move"])
    assert game.do("move north").at(0) == NORTH


def test_rogue_40_60_after_an_enemy_one_walked_up_to_comes_step_4():
    cells = {"5,12": "Pf", "6,12": "Pf", "6,13": "Pf"} | ASIDE
    game = table(a("rogue"), a("bard", (6, 13)), map=cells | {"7,12": "E:cave_bat"})
    game.do("move north", "attack north", dice=[6], draws=["straight"])
    assert (game.to_act, game.at(0), game.map["6,11"]) == (1, NORTH, "?")  # cards are laid, nobody is tripped


def test_rogue_40_60_after_an_enemy_that_was_there_at_the_start_comes_step_4():
    game = resumed(table(a("rogue"), OTHER, map={"5,12": "Pf"} | ASIDE, enemies=[an_enemy("cave_bat")]))
    assert (game.to_act, [game.map[cell] for cell in ("5,13", "4,12", "5,11")]) == (1, ["?"] * 3)


def test_rogue_60_with_the_other_reading_the_turn_goes_on_with_step_1():
    cells = {"5,12": "Pf", "6,12": "?", "5,13": "?"} | ASIDE
    game = table(a("rogue"), OTHER, map=cells, rules={"resume_after_flip": "flip"})
    resumed(game.do("flip north", draws=["cave_bat"]))
    assert (game.position["step"], game.options) == ("flip", ["pass", "flip"])


def test_rogue_40_combat_ends_when_a_tile_turned_up_walls_the_two_off():
    """The fountain under the player drains and is replaced by a tile closed towards the enemy in the north."""
    cells = {"5,12": "F", "5,11": "Pf", "5,13": "Pf"} | ASIDE
    game = table(OTHER, a("rogue", heading="east"), map=cells, enemies=[an_enemy("goblin", health=3, order=[1])])
    game.end_turn(dice=[6], draws=["straight"])
    assert (game.to_act, game.paths(MIDDLE), game.enemy(NORTH)["order"]) == (1, "EW", [])
    assert (game.position["step"], game.enemy(NORTH)["health"]) == ("move", 8)  # nothing to flip: on to step 2


def test_rogue_40_a_slain_enemy_s_tile_can_wall_off_nobody_else():
    """A neighbour of the slain one stays in combat: the tiles between those two have not changed."""
    game = table(
        a("rogue"), OTHER, map={"5,12": "Pf"} | ASIDE, enemies=[an_enemy("cave_bat"), an_enemy("goblin", EAST)]
    )
    game.do("attack north", dice=[4], draws=["dead_end"])
    assert (game.enemy(EAST)["order"], game.to_act, game.health()) == ([0], 1, 8)


def test_rogue_41_step_1_is_an_attack_or_a_flight():
    game = table(a("rogue"), map=CROSS, enemies=[an_enemy("goblin"), an_enemy("imp", EAST)])
    assert game.options == ["attack", "flee"]
    assert game.do("attack").options == ["attack north", "attack east"]


def test_rogue_41_the_parts_of_a_combat_turn_come_in_their_order():
    """Potion; attack; potion; the enemy's poison, ability and attack; potion; end.

    Of 4 health the vampire bat loses 2 to the attack and 1 to the poison, and then heals 2 before it bites.
    """
    hand = ["red", "red", "blue"]
    game = table(
        a("rogue", hand=hand, health=5),
        OTHER,
        map=CROSS | ASIDE,
        potions={"red": "healing", "blue": "poison"},
        enemies=[an_enemy("vampire_bat")],
    )
    game.do("drink red potion")
    assert (game.health(), game.position["step"]) == (10, "fight")
    game.do("attack north", dice=[2])
    assert (game.position["step"], game.options) == ("struck", ["pass", "drink", "throw"])
    game.do("throw blue potion", "throw north")
    game.do("pass")  # poison 2 - 1, heals 2, hits for 2
    assert (game.enemy(NORTH)["health"], game.enemy(NORTH)["poison"], game.health()) == (3, 2, 8)
    assert (game.position["step"], game.options) == ("survived", ["pass", "drink", "throw"])
    assert game.do("drink red potion").health() == 10


def test_rogue_41_one_flight_a_turn():
    game = table(
        a("rogue"),
        a("bard", FAR),
        map=CROSS | {"5,13": "?", "7,12": "Pf", "4,12": "E:cave_bat"},
        enemies=[an_enemy("goblin")],
    )
    game.do("flee", "flip east", dice=[6], draws=["imp"])
    assert game.options == ["attack"]


def test_rogue_60_the_slayer_takes_the_card_and_the_others_leave_combat():
    game = around(10, 10, enemies=[an_enemy("goblin", health=1, order=[0, 1])]).do(
        "attack north", dice=[1], draws=["four_way"]
    )
    assert (game.player(0)["hand"], game.state["combat"].tolist()) == (["goblin"], [0, 0, 0, 0])
    assert (game.to_act, game.position["step"], game.map["6,12"]) == (1, "flip", "Pf")


def test_rogue_60_a_trap_turned_up_triggers_on_the_slayer():
    for rule, health in (("triggers", 8), ("lies", 10)):
        game = around(10, 10, enemies=[an_enemy("goblin", health=1)], rules={"replacement_trap": rule})
        game.do("attack north", dice=[1], draws=["spike"])
        assert (game.health(0), game.map["6,12"]) == (health, "T:spike")


def test_rogue_60_with_an_enemy_left_the_combat_turn_goes_on():
    enemies = [an_enemy("cave_bat"), an_enemy("goblin", EAST)]
    game = table(a("rogue"), OTHER, map=CROSS | ASIDE, enemies=enemies).do("attack north", dice=[4])
    assert (game.enemy(NORTH), game.health(), game.to_act) == (None, 8, 1)


def test_rogue_60_an_enemy_that_dies_of_poison_is_slain_by_who_poisoned_it():
    """Before step 2: it does not strike any more."""
    enemies = [an_enemy("kobold", health=2, poison=2, poisoner=0)]
    game = table(a("rogue"), OTHER, map=CROSS | ASIDE, enemies=enemies).do("attack north", dice=[1])
    assert (game.player(0)["hand"], game.health()) == (["kobold"], 10)


@pytest.mark.parametrize("way", [NORTH, EAST, SOUTH, WEST])
def test_rogue_60_a_boss_is_taken_like_any_loot(way):
    game = table(a("rogue"), OTHER, map=CROSS | ASIDE, enemies=[an_enemy("basilisk_green", way, health=3)])
    game.do("attack", f"attack {('north', 'east', 'south', 'west')[[NORTH, EAST, SOUTH, WEST].index(way)]}", dice=[3])
    assert (game.player(0)["hand"], game.player(0)["points"]) == (["basilisk_green"], 1)
