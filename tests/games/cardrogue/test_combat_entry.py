"""ROGUE-40, 41, 54 to 56, 59, 60 on the compiled kernels: entering combat, its turn, several around one, slaying."""

from itertools import product

import pytest

from tests.games.cardrogue.positions import CROSS, EAST, MIDDLE, NORTH, SOUTH, WEST, Play, a, an_enemy, table

ASIDE = {"9,9": "S", "9,10": "Pf", "0,12": "S", "0,14": "S"}
OTHER = a("bard", (9, 9))
FAR = (7, 12)
RING = {"5,12": "Pf", "6,11": "Pf", "6,13": "Pf", "7,12": "Pf"}  # around the north
AROUND = (MIDDLE, (6, 13), FAR, (6, 11))


def around(*health: int, enemy: str = "kobold", hand: tuple[list[str], ...] = (), **position: object) -> Play:
    """One seat for each health, standing south, east, north and west of an enemy; a cell to flee to beside each."""
    hands = hand or ([],) * len(health)
    characters = ("rogue", "cleric", "explorer", "mage")
    seats = [a(characters[s], AROUND[s], health=health[s], hand=hands[s]) for s in range(len(health))]
    cells = RING | {"4,12": "Pf", "6,14": "Pf", "8,12": "Pf", "6,10": "Pf", "0,12": "S", "0,14": "S", "0,16": "S", "0,18": "S"}
    return table(*seats, map=cells, **{"enemies": [an_enemy(enemy)]} | position)


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
    game = table(a("rogue"), OTHER, map={"5,12": "Pf"} | ASIDE, enemies=[an_enemy("cave_bat"), an_enemy("goblin", EAST)])
    game.do("attack north", dice=[4], draws=["dead_end"])
    assert (game.enemy(EAST)["order"], game.to_act, game.health()) == ([0], 1, 8)


def test_rogue_41_step_1_is_an_attack_or_a_flight():
    game = table(a("rogue"), map=CROSS, enemies=[an_enemy("goblin"), an_enemy("imp", EAST)])
    assert game.options == ["attack", "flee"]
    assert game.do("attack").options == ["attack north", "attack east"]


def test_rogue_41_the_parts_of_a_combat_turn_come_in_their_order():
    """Potion; attack; potion; the enemy's poison, ability and attack; potion; end.

    Vampire bat 4: attacked for 3, healed by 2 after the poison's 1: 4 - 3 + 1... it dies of the poison before it heals.
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
    game = table(a("rogue"), a("bard", FAR), map=CROSS | {"5,13": "?", "7,12": "Pf", "4,12": "E:cave_bat"}, enemies=[an_enemy("goblin")])
    game.do("flee", "flip east", dice=[6], draws=["imp"])
    assert game.options == ["attack"]


def test_rogue_54_an_enemy_that_must_be_slain_in_one_turn_is_whole_at_the_end_of_every_turn():
    """Zombie 6: an attack of 5 is not enough; with the poison of the same turn it is."""
    game = table(a("rogue"), OTHER, map=CROSS | ASIDE, enemies=[an_enemy("zombie")]).do("attack north", dice=[5])
    assert game.enemy(NORTH)["health"] == 6
    poisoned = [an_enemy("zombie", poison=1, poisoner=0)]
    game = table(a("rogue"), OTHER, map=CROSS | ASIDE, enemies=poisoned).do("attack north", dice=[5])
    assert (game.enemy(NORTH), game.player(0)["hand"]) == (None, ["zombie"])


def test_rogue_54_attack_spell_and_poison_of_one_turn_add_up():
    """Zombie 6: spell 2, attack 3, poison 1."""
    poisoned = [an_enemy("zombie", poison=1, poisoner=0)]
    game = table(a("mage"), OTHER, map=CROSS | ASIDE, enemies=poisoned)
    game.do("cast damage", "cast north").do("attack north", dice=[3])
    assert game.enemy(NORTH) is None


def test_rogue_54_it_is_whole_after_another_player_s_turn_too():
    game = around(10, 10, enemy="zombie").do("attack north", dice=[5])
    assert game.enemy(NORTH)["health"] == 6
    game.do("attack west", dice=[4])
    assert game.enemy(NORTH)["health"] == 6


def test_rogue_55_one_is_attacked_all_use_abilities_before_the_first_strikes():
    """Attacks the imp in the east; the rat in the south poisons, then goblin 2, imp 1, rat 1 strike."""
    enemies = [an_enemy("goblin"), an_enemy("imp", EAST), an_enemy("sewer_rat", SOUTH)]
    game = table(a("rogue"), OTHER, map=CROSS | ASIDE, enemies=enemies)
    game.do("attack east", dice=[3, 1, 4])  # attack, dodge, ability
    assert [game.enemy(at)["health"] for at in (NORTH, EAST, SOUTH)] == [8, 5, 4]
    assert (game.health(), game.player(0)["poison"]) == (10 - 4, 2)


def test_rogue_55_who_dies_is_not_struck_again_and_nobody_acts_after_that():
    """2 health: the goblin in the north kills; a golem in the east throws no die any more."""
    enemies = [an_enemy("goblin"), an_enemy("golem", EAST)]
    game = table(a("rogue", health=2), OTHER, map=CROSS | ASIDE, enemies=enemies).do("attack north", dice=[1])
    assert (game.position["decision"], game.state["damage_taken"][0]) == ("respawn", 2)


def test_rogue_56_only_the_first_in_the_order_is_attacked():
    game = around(10, 10, 10).do("attack north", dice=[1])
    assert game.health(0) == 6
    game.do("attack west", dice=[1]).do("attack south", dice=[1])
    assert ([game.health(seat) for seat in range(3)], game.enemy(NORTH)["health"]) == ([6, 10, 10], 3)


def test_rogue_56_the_next_one_becomes_the_target_when_the_first_dies():
    """After his own attack the first dies; the second is hit in his turn."""
    game = around(1, 10, enemies=[an_enemy("kobold", order=[0, 1])]).do("attack north", "come back at row 0 column 12", dice=[1])
    assert game.enemy(NORTH)["order"] == [1]
    game.do("attack west", dice=[1])
    assert (game.health(1), game.enemy(NORTH)["health"]) == (6, 4)


def test_rogue_56_the_others_provoke_no_ability():
    """An imp does not dodge those it does not attack, a rat does not poison them."""
    game = around(10, 10, enemies=[an_enemy("imp", order=[1, 0])]).do("attack north", dice=[3])
    assert (game.enemy(NORTH)["health"], game.health(0)) == (5, 10)
    game = around(10, 10, enemies=[an_enemy("sewer_rat", order=[1, 0])]).do("attack north", dice=[3])
    assert (game.player(0)["poison"], game.health(0)) == (0, 10)


def test_rogue_56_the_others_flee_without_a_roll():
    game = around(10, 10, enemies=[an_enemy("goblin", order=[1, 0])]).do("flee", "flee south")
    assert (game.at(0), game.enemy(NORTH)["order"]) == (SOUTH, [1])


def test_rogue_56_whoever_deals_the_last_damage_takes_the_card():
    game = around(10, 10, enemies=[an_enemy("goblin", health=1, order=[1, 0])]).do("attack north", dice=[1], draws=["four_way"])
    assert (game.player(0)["hand"], game.player(1)["hand"]) == (["goblin"], [])


def test_rogue_56_two_with_1_health_around_a_kobold():
    """D-12, every throw of both: slain by the first 1/6, by the second 5/9, both dead 5/18."""
    ends = {"first": 0, "second": 0, "nobody": 0}
    for one, two in product(range(1, 7), repeat=2):
        game = around(1, 1, enemies=[an_enemy("kobold", order=[0, 1])])
        game.do("attack north", dice=[one], draws=["four_way"] if one == 6 else [])
        if one == 6:
            ends["first"] += 1
            continue
        game.do("come back at row 0 column 12")
        slain = one + two >= 6
        game.do("attack west", dice=[two], draws=["four_way"] if slain else [])
        ends["second" if game.player(1)["hand"] == ["kobold"] else "nobody"] += 1
        assert game.position["decision"] == ("main" if slain else "respawn")
    assert ends == {"first": 6, "second": 20, "nobody": 10}


def test_rogue_59_the_enemy_recovers_when_the_last_player_leaves():
    hurt = {"health": 3, "poison": 2, "poisoner": 1, "paralysed": 1, "strength": 1}
    game = around(10, 10, enemies=[an_enemy("goblin", order=[1, 0], **hurt)]).do("flee", "flee south")
    assert game.enemy(NORTH) == an_enemy("goblin", order=[1], **hurt) | {"at": list(NORTH)}
    game.do("flee", "flee east")
    clean = {"health": 8, "poison": 0, "poisoner": -1, "paralysed": 0, "strength": 1}
    assert game.enemy(NORTH) == an_enemy("goblin", order=[], **clean) | {"at": list(NORTH)}


def test_rogue_59_with_the_other_reading_it_recovers_at_every_flight():
    rules = {"enemy_restore": "any_flight"}
    game = around(10, 10, enemies=[an_enemy("goblin", health=3, order=[1, 0])], rules=rules).do("flee", "flee south")
    assert (game.enemy(NORTH)["health"], game.enemy(NORTH)["order"]) == (8, [1])


def test_rogue_59_death_of_the_last_player_restores_it_too():
    game = around(1, 10, enemies=[an_enemy("kobold", health=5, order=[0])]).do("attack north", dice=[1])
    assert (game.enemy(NORTH)["health"], game.enemy(NORTH)["order"]) == (6, [])


def test_rogue_60_the_slayer_takes_the_card_and_the_others_leave_combat():
    game = around(10, 10, enemies=[an_enemy("goblin", health=1, order=[0, 1])]).do("attack north", dice=[1], draws=["four_way"])
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
