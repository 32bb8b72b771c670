"""ROGUE-96: what the Bard does differently, and each reading of his 6 (A-14)."""

import pytest

from tests.games.cardrogue.positions import EAST, MIDDLE, NORTH, SOUTH, WEST, a, an_enemy, table
from tests.games.cardrogue.surroundings import FAR, OTHER, hero

GOBLIN = [an_enemy("goblin")]


def test_rogue_96_he_pays_the_gold_value():
    game = hero("bard", gold=5, map=FAR | {"5,12": "H"}).do("buy Sword")
    assert (game.player(0)["gold"], game.player(0)["hand"]) == (0, ["sword"])
    assert "buy Shopkeeper's Debt" not in hero("bard", gold=7, map=FAR | {"5,12": "H"}).do("buy").options


@pytest.mark.parametrize("active", ["bard", "warrior"])
def test_rogue_96_no_shop_card_in_a_trade_with_him(active):
    """Neither given nor taken, whoever makes the offer; potions, loot and the key are free."""
    hands = {"bard": ["sword", "scroll_move", "blue"], "warrior": ["helm", "key", "goblin"]}
    other = "warrior" if active == "bard" else "bard"
    game = table(a(active, hand=hands[active]), a(other, NORTH, hand=hands[other]), map=FAR, step="interact")
    game.do("trade north")
    wares = {"bard": ["blue potion"], "warrior": ["key", "Goblin"]}
    offered = [word for word in game.options if word.startswith("offer")]
    if offered:
        assert offered == [f"offer {ware}" for ware in wares[active]]
        game.do(offered[0])
    assert game.options == [f"ask for {ware}" for ware in wares[other]]


def test_rogue_96_others_trade_shop_cards():
    game = table(a("cleric", hand=["sword"]), a("warrior", NORTH, hand=["helm"]), map=FAR, step="interact")
    game.do("trade north", "offer Sword", "ask for Helm", "accept")
    assert game.player(0)["hand"] == ["helm"]


@pytest.mark.parametrize(("at", "after"), [(WEST, 7), (OTHER, 4)])
def test_rogue_96_he_heals_3_when_another_slays_an_enemy_on_a_cell_adjacent_to_his(at, after):
    players = a("cleric"), a("bard", at, health=4, hand=["green"])
    game = table(*players, map=FAR, enemies=[an_enemy("goblin", health=1)]).do("attack north", dice=[1])
    assert game.health(1) == after


def test_rogue_08_96_the_song_never_heals_above_the_maximum_and_not_through_walls():
    players = a("cleric"), a("bard", WEST, health=9, hand=["green"])
    game = table(*players, map=FAR, enemies=[an_enemy("goblin", health=1)]).do("attack north", dice=[1])
    assert game.health(1) == 10
    walled = a("cleric"), a("bard", WEST, health=4, hand=["green"])
    game = table(*walled, map=FAR | {"5,11": "Pd"}, enemies=[an_enemy("goblin", health=1)])
    assert game.do("attack north", dice=[1]).health(1) == 4


def test_rogue_96_his_own_kills_are_no_song():
    game = hero("bard", health=4, enemies=[an_enemy("goblin", health=1)]).do("attack north", dice=[1])
    assert (game.health(), game.player(0)["hand"]) == (4, ["goblin"])


def test_rogue_96_with_a_6_he_deals_damage_and_must_flee():
    """Without a roll, without flips; then the place step and the end of the turn."""
    around = FAR | {"5,13": "?", "4,12": "Pf"}
    game = hero("bard", map=around, hand=["blue"], enemies=GOBLIN).do("attack north", dice=[6])
    assert game.options == ["flee south", "flee west"]
    game.do("flee south")
    assert (game.at(0), game.health(), game.to_act) == (SOUTH, 10, 1)
    assert (game.enemy(NORTH)["health"], game.enemy(NORTH)["order"]) == (8, []), "2 were left, and it is restored"
    assert game.map["3,12"] == "?"


def test_rogue_96_a_lethal_6_leaves_nothing_to_flee_from():
    game = hero("bard", hand=["blue"], enemies=[an_enemy("goblin", health=6)], resume="move")
    game.do("attack north", dice=[6])
    assert (game.at(0), game.player(0)["hand"], game.position["step"]) == (MIDDLE, ["blue", "goblin"], "move")


def test_rogue_96_without_a_free_cell_he_stays():
    game = hero("bard", map={"5,12": "P3", "5,13": "?", "9,9": "Pf"}, hand=["blue"], enemies=GOBLIN)
    game.do("attack north", dice=[6])
    assert (game.at(0), game.position["step"]) == (MIDDLE, "struck")


def test_rogue_42_96_any_die_of_the_attack_counts():
    game = hero("bard", worn={"primary": "dagger"}, hand=["blue"], enemies=[an_enemy("troll")])
    game.do("attack north", dice=[1, 2, 6])
    assert game.options == ["flee east", "flee south", "flee west"]
    maul = hero("bard", worn={"primary": "maul"}, hand=["blue"], enemies=[an_enemy("troll")])
    maul.do("attack north", dice=[6])
    assert (maul.options, maul.enemy(NORTH)["health"]) == (["flee east", "flee south", "flee west"], 10)


def test_rogue_40_96_he_may_run_into_the_next_fight():
    """Arrival effects: a new combat sequence in this turn."""
    foes = [an_enemy("goblin", order=[0]), an_enemy("cave_bat", (5, 14), order=[])]
    game = hero("bard", map=FAR | {"5,14": "Pf"}, hand=["blue"], enemies=foes).do("attack north", dice=[6])
    game.do("flee east")
    assert (game.at(0), game.enemy((5, 14))["order"], game.position["step"]) == (EAST, [0], "fight")


@pytest.mark.parametrize(("switch", "dice"), [("off", (6,)), ("flee_roll", (6, 3))])
def test_rogue_96_a_14_other_readings_let_him_stay(switch, dice):
    game = hero("bard", hand=["blue"], enemies=GOBLIN, rules={"bard_six": switch}).do("attack north", dice=dice)
    assert (game.at(0), game.position["step"]) == (MIDDLE, "struck")
    assert game.do("pass").health() == 8


def test_rogue_96_a_14_a_flee_roll_may_succeed_and_is_not_needed_from_the_slow():
    game = hero("bard", hand=["blue"], enemies=GOBLIN, rules={"bard_six": "flee_roll"})
    game.do("attack north", "flee south", dice=[6, 4])
    assert (game.at(0), game.to_act) == (SOUTH, 1)
    slow = hero("bard", hand=["blue"], enemies=[an_enemy("troll")], rules={"bard_six": "flee_roll"})
    assert slow.do("attack north", "flee south", dice=[6]).at(0) == SOUTH


@pytest.mark.parametrize("reading", ["last_leaves", "any_flight"])
def test_rogue_59_96_his_flight_counts_as_one(reading):
    """A-17. The cleric stays in combat with the wounded goblin."""
    foe = an_enemy("goblin", order=[1, 0], health=8)
    players = a("bard"), a("cleric", (6, 13), hand=["green"])
    game = table(*players, map=FAR | {"6,13": "Pf"}, enemies=[foe], rules={"enemy_restore": reading})
    game.do("attack north", "flee south", dice=[6])
    assert (game.enemy(NORTH)["health"], game.enemy(NORTH)["order"]) == (2 if reading == "last_leaves" else 8, [1])


def test_rogue_58_96_after_that_flight_there_is_no_other_in_the_turn():
    foes = [an_enemy("goblin", order=[0]), an_enemy("cave_bat", (5, 14), order=[])]
    game = hero("bard", map=FAR | {"5,14": "Pf"}, enemies=foes).do("attack north", "flee east", dice=[6])
    assert (game.position["step"], game.options) == ("fight", ["attack"])
