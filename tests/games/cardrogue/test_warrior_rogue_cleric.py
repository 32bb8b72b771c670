"""ROGUE-91 to 93: what Warrior, Rogue and Cleric do differently. Flights are tested with ROGUE-57."""

import pytest

from tests.games.cardrogue.positions import EAST, NORTH, SOUTH, a, an_enemy, table
from tests.games.cardrogue.surroundings import BARE, FAR, hero

GOBLIN = [an_enemy("goblin")]


# the Warrior


@pytest.mark.parametrize(("health", "damage"), [(12, 3), (6, 3), (5, 4), (1, 4)])
def test_rogue_91_rage_adds_1_at_5_health_or_less(health, damage):
    game = hero("warrior", health=health, hand=["blue"], enemies=GOBLIN).do("attack north", dice=[3])
    assert game.enemy(NORTH)["health"] == 8 - damage


def test_rogue_91_rage_looks_at_health_at_the_moment_of_the_attack():
    """At 6 he attacks without, loses 2, and rages in the next turn; a potion before the attack calms him."""
    game = hero("warrior", health=6, enemies=GOBLIN).do("attack north", dice=[1])
    assert game.enemy(NORTH)["health"] == 7
    game.end_turn().do("attack north", dice=[1])
    assert game.enemy(NORTH)["health"] == 5
    calm = hero("warrior", health=5, hand=["red"], potions={"red": "healing"}, enemies=GOBLIN)
    calm.do("drink red potion", "attack north", dice=[1])
    assert calm.enemy(NORTH)["health"] == 7


def test_rogue_44_91_rage_comes_after_the_multiplication():
    game = hero(
        "warrior", health=5, worn={"primary": "maul"}, enemies=[an_enemy("kobold")], changes={"enemy.kobold.health": 20}
    )
    game.do("attack north", dice=[3])
    assert game.enemy(NORTH)["health"] == 20 - 7


# the Rogue


def test_rogue_92_a_dagger_goes_to_either_hand():
    game = hero("rogue", hand=["dagger", "dagger", "blue"]).do("equip")
    assert game.options == ["equip Dagger", "equip Dagger off-hand"]
    game.do("equip Dagger off-hand", "equip Dagger")
    assert game.player(0)["worn"] == {"primary": "dagger", "secondary": "dagger"}
    assert (game.player(0)["attack"], game.player(0)["hand"]) == (1, ["blue"])


@pytest.mark.parametrize("primary", ["dagger", "sword", "battle_axe", None])
def test_rogue_92_whatever_is_in_the_primary(primary):
    worn = {"primary": primary} if primary else {}
    game = hero("rogue", worn=worn, hand=["dagger", "blue"]).do("equip Dagger off-hand")
    assert game.player(0)["worn"] == worn | {"secondary": "dagger"}
    assert game.player(0)["attack"] == 1 + (primary == "sword")


def test_rogue_92_in_the_off_hand_a_dagger_throws_nothing_again():
    game = hero("rogue", worn={"secondary": "dagger"}, enemies=GOBLIN, hand=["blue"]).do("attack north", dice=[1])
    assert game.enemy(NORTH)["health"] == 8 - 2
    both = hero("rogue", worn={"primary": "dagger", "secondary": "dagger"}, enemies=GOBLIN, hand=["blue"])
    both.do("attack north", dice=[1, 2, 3])
    assert both.enemy(NORTH)["health"] == 8 - 6


def test_rogue_92_no_other_item_that_uses_the_secondary_slot():
    game = hero("rogue", hand=["shield", "maul", "sword"]).do("equip")
    assert game.options == ["equip Sword"]


def test_rogue_81_92_the_off_hand_dagger_comes_off_by_itself_and_is_sold_like_any():
    game = hero("rogue", worn={"primary": "dagger", "secondary": "dagger"}, map=FAR | {"5,12": "H"})
    game.do("take off")
    assert game.options == ["take off Dagger (primary)", "take off Dagger (secondary)"]
    game.do("take off Dagger (secondary)")
    assert (game.player(0)["worn"], game.player(0)["hand"]) == ({"primary": "dagger"}, ["dagger"])
    game.do("sell Dagger", "sell Dagger")
    assert (game.player(0)["worn"], game.player(0)["hand"], game.player(0)["gold"]) == ({}, [], 6)


def test_rogue_92_others_have_no_off_hand():
    game = hero("warrior", hand=["dagger", "dagger", "blue"]).do("equip Dagger")
    assert "equip" not in game.options


@pytest.mark.parametrize(("face", "left"), [(1, 4), (4, 4), (5, 10), (6, 10)])
def test_rogue_92_she_pays_nothing_on_5_and_6(face, left):
    game = hero("rogue", gold=10, map=FAR | {"5,12": "H"}).do("buy Dagger", dice=[face])
    assert (game.player(0)["gold"], game.player(0)["hand"]) == (left, ["dagger"])


def test_rogue_92_she_must_be_able_to_pay():
    game = hero("rogue", gold=5, map=FAR | {"5,12": "H"}).do("buy")
    assert "buy Dagger" not in game.options
    assert "buy Scroll of max health" in game.options


# the Cleric


@pytest.mark.parametrize("curse", ["attack_minus", "health_minus"])
def test_rogue_93_a_curse_is_discarded_before_it_has_an_effect(curse):
    """Turned over, stolen, and left by the dead."""
    turned = hero("cleric", map={"5,12": "Pf", "6,12": "?", "9,9": "Pf"})
    turned.do("flip north", draws=[curse, "four_way"])
    stolen = table(a("cleric"), a("mage", NORTH, hand=[curse]), map=FAR)
    stolen.do("pass", "pass", "steal north", dice=[6], draws=[curse])
    for game in (turned, stolen):
        assert (game.player(0)["hand"], game.position["gone"]) == ([], {curse: 1})
        assert (game.player(0)["attack"], game.player(0)["max_health"], game.health()) == (0, 10, 10)
    heir = table(a("cleric"), map=FAR, left=[{"at": list(NORTH), "cards": [curse, "key"]}]).do("pass", "move north")
    assert (heir.player(0)["hand"], heir.position["gone"]) == (["key"], {curse: 1})


def test_rogue_93_a_good_artifact_stays():
    game = hero("cleric", map={"5,12": "Pf", "6,12": "?", "9,9": "Pf"})
    game.do("flip north", draws=["health_plus", "four_way"])
    assert (game.player(0)["hand"], game.health()) == (["health_plus"], 14)


@pytest.mark.parametrize(("health", "after"), [(1, 2), (4, 5), (5, 6), (6, 6), (10, 10)])
def test_rogue_93_a_kill_heals_1_at_5_health_or_less(health, after):
    game = hero("cleric", health=health, enemies=[an_enemy("goblin", health=2)]).do("attack north", dice=[2])
    assert (game.health(), game.player(0)["hand"]) == (after, ["goblin"])


def test_rogue_08_93_never_above_a_maximum_that_curses_have_lowered():
    """A maximum of 4: at 4 health nothing is gained."""
    game = hero("cleric", health=4, enemies=[an_enemy("goblin", health=1)], changes={"character.cleric.max_health": 4})
    assert game.do("attack north", dice=[1]).health() == 4


def test_rogue_93_each_kill_counts_also_by_poison():
    foes = [
        an_enemy("goblin", health=1, poison=1, poisoner=0),
        an_enemy("goblin", EAST, health=1, poison=1, poisoner=0),
    ]
    foes += [an_enemy("cave_bat", SOUTH, health=1)]
    game = hero("cleric", health=3, enemies=foes).do("attack south", dice=[1])
    assert (game.health(), game.player(0)["hand"]) == (6, ["cave_bat", "goblin", "goblin"])


def test_rogue_93_the_healing_comes_before_the_trap_that_is_turned_up():
    game = hero("cleric", health=2, map=BARE, hand=["blue"], enemies=[an_enemy("goblin", health=1)])
    game.do("attack north", dice=[1], draws=["spike"])
    assert game.health() == 1


def test_rogue_93_she_may_not_trip():
    game = table(a("cleric"), a("mage", NORTH, hand=["key"]), map=FAR).do("pass", "pass")
    assert game.options == ["pass", "steal"]
