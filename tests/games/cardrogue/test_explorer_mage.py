"""ROGUE-94 and 95: what Explorer and Mage do differently."""

import pytest

from tests.games.cardrogue.positions import EAST, MIDDLE, NORTH, WEST, a, an_enemy, table
from tests.games.cardrogue.surroundings import FAR, OTHER, hero

GOBLIN = [an_enemy("goblin")]


# the Explorer

UNSEEN = {"5,12": "Pf", "6,12": "?", "5,13": "?", "9,9": "Pf", "0,12": "S"}


def test_rogue_94_after_a_flip_a_second_turn_may_be_taken_at_once():
    game = hero("explorer", map=UNSEEN, poison=3).do("flip north", draws=["four_way"]).do("pass", "pass")
    assert (game.options, game.to_act) == (["no second turn", "second turn"], 0)
    game.do("second turn")
    assert (game.to_act, game.health(), game.position["turn"]) == (0, 9, 1), "with its start: poison"
    assert {"flip", "pass"} <= set(game.options)


def test_rogue_94_it_may_be_declined():
    game = hero("explorer", map=UNSEEN).do("flip north", draws=["four_way"]).do("pass", "pass", "no second turn")
    assert (game.to_act, game.position["turn"], game.position["round"]) == (1, 1, 1)


def test_rogue_94_there_is_no_third():
    game = hero("explorer", map=UNSEEN).do("flip north", draws=["four_way"]).do("pass", "pass", "second turn")
    game.do("flip east", draws=["four_way"]).end_turn()
    assert game.to_act == 1


def test_rogue_94_not_without_a_flip():
    assert hero("explorer", map=UNSEEN).end_turn().to_act == 1


def test_rogue_94_not_after_combat():
    """Turned over in step 1, slain, and the turn went on; or met at the end of the move."""
    game = hero("explorer", map=UNSEEN | {"6,12": "Pf", "4,12": "?"}).do("flip east", draws=["cave_bat"])
    game.do("attack east", dice=[4], draws=["four_way"]).end_turn()
    assert game.to_act == 1
    moved = hero(
        "explorer", map=UNSEEN | {"6,12": "Pf", "7,12": "Pf"}, enemies=[an_enemy("cave_bat", (7, 12), order=[])]
    )
    moved.do("flip east", draws=["four_way"]).do("move north", "attack north", dice=[4])
    assert moved.to_act == 1


def test_rogue_94_not_after_a_flight_from_a_combat_of_the_turn_before():
    """He is in combat when his turn begins, flips on the run and gets away: he was in combat in this turn."""
    around = {"5,12": "Pf", "6,12": "Pf", "5,13": "?", "5,11": "Pf", "9,9": "Pf"}
    foe = an_enemy("troll", order=[0])
    game = table(a("explorer"), a("cleric", OTHER, hand=["green"]), map=around, enemies=[foe], active=1).end_turn()
    game.do("flee", "flip east", draws=["four_way"]).do("flee west")
    assert (game.at(0), game.to_act) == (WEST, 1)


def test_rogue_94_not_after_a_turn_that_was_cut_short():
    game = hero("explorer", map=UNSEEN, hand=["red"], potions={"red": "paralysis"})
    game.do("flip north", draws=["four_way"]).do("drink red potion")
    assert game.to_act == 1


@pytest.mark.parametrize(("face", "loss"), [(3, 2), (4, 0), (6, 0)])
def test_rogue_94_avoids_traps_on_4_5_and_6(face, loss):
    game = hero("explorer", map=FAR | {"6,12": "T:spike"}).do("pass", "move north", dice=[face])
    assert game.health() == 10 - loss


def test_rogue_94_sells_only_loot_and_spends_gold():
    hand = ["sword", "blue", "goblin", "scroll_move"]
    game = hero("explorer", hand=hand, worn={"head": "helm"}, gold=8, map=FAR | {"5,12": "H"})
    assert game.do("sell").options == ["sell Goblin"]
    game.do("sell Goblin", "buy Vision Lens")
    assert "sell" not in game.options
    assert game.player(0)["gold"] == 8 + 3 - 6


def test_rogue_94_111_pays_the_mole_with_items_only_when_nothing_else_is_left():
    """Stuck on a dead end: the loot is sold first, then everything is taken."""
    lone = a("explorer", hand=["goblin", "sword", "key", "attack_plus"], worn={"head": "helm"}, gold=1)
    game = table(lone, map={"5,12": "P1", "6,12": "P4"}).do("call the mole", "sell Goblin", "dig at row 6 column 12")
    assert (game.player(0)["gold"], game.player(0)["hand"], game.player(0)["worn"]) == (0, ["key", "attack_plus"], {})


# the Mage


def test_rogue_95_one_spell_then_a_wait_of_3():
    """A-27: a spell in turn t, the next in turn t + 3."""
    game = hero("mage", hand=["red", "red", "red", "key"], health=1)
    open_ = []
    for _ in range(7):
        open_.append("cast" in game.options)
        if open_[-1]:
            game.do("cast healing", "spend red potion")
        game.end_turn().end_turn()
    assert open_ == [True, False, False, True, False, False, True]
    assert game.health() == 7


def test_rogue_95_damage_hits_an_enemy_in_combat_with_her_without_an_attack():
    game = hero("mage", enemies=[an_enemy("imp"), an_enemy("goblin", EAST)], hand=["blue"]).do("cast damage")
    assert game.options == ["cast north", "cast east"]
    game.do("cast north")
    assert (game.enemy(NORTH)["health"], game.player(0)["cooldown"], game.position["step"]) == (6, 3, "fight")
    assert "cast" not in game.options


def test_rogue_46_95_a_spell_cannot_be_dodged():
    game = hero("mage", enemies=[an_enemy("imp", health=2)]).do("cast damage", "cast north")
    assert (game.enemy(NORTH), game.player(0)["hand"]) == (None, ["imp"])


@pytest.mark.parametrize(("resume", "step"), [("move", "move"), ("place", None)])
def test_rogue_60_95_a_spell_that_slays_ends_combat_like_any_blow(resume, step):
    game = hero("mage", enemies=[an_enemy("imp", health=2)], resume=resume).do("cast damage", "cast north")
    assert game.to_act == (0 if step else 1)
    assert not step or game.position["step"] == step


@pytest.mark.parametrize("step", ["fight", "struck", "survived"])
def test_rogue_31_95_damage_in_every_window_of_combat_but_no_move(step):
    game = hero("mage", enemies=GOBLIN, step=step).do("cast")
    assert game.options == ["cast damage"]


def test_rogue_95_out_of_combat_there_is_nobody_to_hit():
    game = hero("mage", hand=["blue"]).do("cast")
    assert game.options == ["cast move", "cast healing"]


def test_rogue_95_move_is_one_more_tile_with_its_arrival_effects():
    game = hero("mage", map=FAR | {"6,12": "T:spike"}).do("cast move", "move north")
    assert (game.at(0), game.health(), game.position["moves_left"]) == (NORTH, 6, 1)
    assert game.do("move south").at(0) == MIDDLE


@pytest.mark.parametrize("step", ["flip", "interact"])
def test_rogue_40_95_a_move_by_spell_next_to_an_enemy_ends_with_step_4_after_the_fight(step):
    """Only flipping in step 1 leads back to step 2: after this fight the turn is over."""
    foe = an_enemy("cave_bat", (7, 12), health=1, order=[])
    game = hero("mage", map=FAR | {"7,12": "Pf"}, enemies=[foe], step=step)
    game.do("cast move", "move north", "attack north", dice=[1])
    assert (game.to_act, game.at(0), game.player(0)["hand"]) == (1, NORTH, ["cave_bat"])


def test_rogue_30_95_a_spell_ends_a_turn_of_mere_walking():
    game = hero("mage").do("cast move", "move north")
    assert "only_walked" not in game.position["done"]


@pytest.mark.parametrize(("health", "after"), [(3, 5), (7, 8), (8, 8)])
def test_rogue_08_95_a_potion_of_the_hand_heals_2_whatever_it_is(health, after):
    game = hero("mage", health=health, hand=["blue", "red"], potions={"red": "poison"}).do("cast healing")
    assert game.options == ["spend blue potion", "spend red potion"]
    game.do("spend red potion")
    assert (game.health(), game.player(0)["hand"], game.player(0)["poison"]) == (after, ["blue"], 0)
    assert (game.position["gone"], game.position["potions"]["blue"]) == ({"red": 1}, "unknown")


def test_rogue_95_nothing_to_cast_where_nothing_can_be_done():
    game = hero("mage", map={"5,12": "Pf", "9,9": "Pf"}, hand=["key"])
    assert "cast" not in game.options
    assert "cast" not in hero("mage", cooldown=1, hand=["blue"]).options


def test_rogue_95_others_cast_nothing():
    assert "cast" not in hero("warrior", hand=["blue"]).options
