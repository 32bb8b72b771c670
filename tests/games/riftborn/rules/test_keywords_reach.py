"""FLIGHT, RANGE, ROOTED and DASH: each alone, and combined with others (RIFT-83, 88, 98, 103)."""

import pytest

from tests.games.riftborn.positions import table

MORE = """
beast_roost | 1 | 1/4 | 100 | AURA(1) | aura friend keyword FLIGHT
undead_mire | 1 | 1/4 | 100 | AURA(2) | aura enemy keyword ROOTED
"""
OTHERS = "tailwind | spell | 1 | 0/0 | 50 | | grant DASH(2), chosen friend 1"

# FLIGHT


def test_rift_80_88_flight_is_lent_while_the_lender_is_near():
    game = table("beast_cub / beast_roost", "beast_boar / beast_boar", more=MORE)
    assert (game.can("A0.0"), game.can("A1.0")) == (["A1.0", "B0.0", "B1.0"], ["A0.0"])
    game = table("beast_cub / beast_boar / beast_roost", "beast_boar / beast_boar", more=MORE)
    assert game.can("A0.0") == ["A1.0", "B0.0"]


# RANGE


def test_rift_96_98_who_shoots_is_not_pierced():
    game = table("beast_cub / soldier_archer [has BLOCK]", "soldier_pikeman").attack("A1.0", "B0.0")
    assert (game.of("A1.0", "damage"), game.of("B0.0", "damage")) == (0, 2)


# ROOTED


def test_rift_83_103_dash_does_not_uproot():
    assert table("soldier_scout [has ROOTED], beast_cub", "").can("A0.0") == ["B"]


def test_rift_80_103_roots_that_an_enemy_lends_hold_as_long_as_it_is_near():
    game = table("beast_cub, beast_troll / beast_boar", "undead_mire", more=MORE)
    assert (game.can("A0.0"), game.can("A1.0")) == (["B0.0"], [])
    game.attack("A0.1", "B0.0")
    assert game.can("A0.0") == ["A0.1", "A1.0", "B"]


def test_rift_103_110_a_treant_that_swarms_pulls_up_its_roots():
    game = table("fae_treant, beast_cub", "", hand="multiply", xp=2000).play("multiply", "A0.0")
    assert (game.can("A0.0"), game.stats("A0.0")) == (["A0.1", "B"], "6/18")


# DASH


def test_rift_83_a_dash_that_comes_in_the_middle_of_a_turn_gives_what_is_left_of_it():
    game = table("beast_cub, beast_boar", "", hand="tailwind", others=OTHERS).swap("A0.0", "A0.1")
    assert game.can("A0.1") == ["B"]
    assert game.play("tailwind", "A0.1").can("A0.1") == ["A0.0", "B"]
    assert game.swap("A0.1", "A0.0").can("A0.0") == ["B"]


def test_rift_42_83_each_swap_of_a_dash_suffers_its_own_opportunity():
    own = "soldier_scout [9 health], beast_boar, beast_boar"
    game = table(own, "beast_charger, beast_charger").swap("A0.0", "A0.1")
    assert game.of("A0.1", "damage") == 0, "from the left of the two to between both"
    game.swap("A0.1", "A0.2")
    assert game.of("A0.2", "damage") == 3


@pytest.mark.parametrize(("who", "options"), [("beast_runner [entered]", ["A0.1", "B"]), ("soldier_scout [entered]", ["A0.1"])])
def test_rift_14_83_89_who_entered_may_dash_at_once(who, options):
    game = table(f"{who}, beast_cub", "")
    assert game.can("A0.0") == options
    assert game.swap("A0.0", "A0.1").can("A0.1") == ["A0.0", *options[1:]]
