"""ROGUE-54 to 56, 59 on the compiled kernels: several enemies, several players, enemies that recover."""

from itertools import product

from tests.games.cardrogue.positions import CROSS, EAST, NORTH, SOUTH, a, an_enemy, table
from tests.games.cardrogue.tables import ASIDE, OTHER, around


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
    game = around(1, 10, enemies=[an_enemy("kobold", order=[0, 1])]).do(
        "attack north", "come back at row 0 column 12", dice=[1]
    )
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
    game = around(10, 10, enemies=[an_enemy("goblin", health=1, order=[1, 0])]).do(
        "attack north", dice=[1], draws=["four_way"]
    )
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
