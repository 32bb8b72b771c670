"""FLIGHT, RANGE, ROOTED and DASH: each alone, and combined with others (RIFT-83, 88, 98, 103)."""

import pytest

from tests.games.riftborn.positions import B, a, table

MORE = """
beast_roost | 1 | 1/4 | 100 | AURA(1) | aura friend keyword FLIGHT
undead_mire | 1 | 1/4 | 100 | AURA(2) | aura enemy keyword ROOTED
soldier_spotter | 1 | 1/4 | 100 | AURA(1) | aura friend keyword RANGE(3)
"""
OTHERS = "tailwind | spell | 1 | 0/0 | 50 | | grant DASH(2), chosen friend 1"

# FLIGHT


def test_rift_88_flight_reaches_two_tiles_and_is_answered_there():
    game = table("beast_hawk", "beast_cub / soldier_archer")
    assert game.can("A0.0") == ["B0.0", "B1.0"]
    game.attack("A0.0", "B1.0")
    assert (game.who(B), game.of("A0.0", "damage")) == ("beast_cub", 1)


def test_rift_88_flight_over_one_row_reaches_the_player():
    assert table("beast_hawk", "beast_cub").can("A0.0") == ["B0.0", "B"]
    assert table("beast_cub / beast_hawk", "beast_cub").can("A1.0") == ["A0.0", "B0.0"]
    assert table("beast_cub / beast_hawk", "beast_cub", rules={"flight_range": 3}).can("A1.0") == ["A0.0", "B0.0", "B"]


def test_rift_38_88_a_flyer_in_front_or_behind_stops_a_flyer():
    assert table("beast_hawk", "fae_sprite / beast_cub").can("A0.0") == ["B0.0"]
    assert table("beast_hawk", "beast_cub / fae_sprite").can("A0.0") == ["B0.0"]
    aside = "fae_sprite, beast_cub, beast_cub / beast_boar"
    assert table("beast_hawk", aside).can("A0.0") == ["B0.0", "B0.1", "B0.2", "B1.0"], "a whole tile aside"


def test_rift_88_108_face_down_nobody_flies():
    assert table("fae_stalker [face down, has FLIGHT]", "beast_cub / beast_boar").can("A0.0") == ["B0.0"]
    hidden = "fae_stalker [face down, has FLIGHT] / beast_boar"
    assert table("beast_hawk", hidden).can("A0.0") == ["B0.0", "B1.0"]


def test_rift_85_88_a_dormant_flyer_still_stops_others():
    assert table("beast_hawk", "fae_sprite [has DORMANT] / beast_cub").can("A0.0") == ["B0.0"]


def test_rift_88_110_who_swarms_flies_no_more_and_stops_nobody():
    assert table("beast_hawk [has SWARM(2)]", "beast_cub / beast_boar").can("A0.0") == ["B0.0"]
    assert table("beast_hawk", "fae_sprite [has SWARM(2)] / beast_cub").can("A0.0") == ["B0.0", "B1.0"]


def test_rift_37_88_98_range_comes_before_flight():
    """Whoever has both shoots, and is not answered."""
    game = table("beast_hawk [has RANGE(2)]", "beast_cub / soldier_archer").attack("A0.0", "B1.0")
    assert (game.who(B), game.of("A0.0", "damage")) == ("beast_cub", 0)


def test_rift_80_88_flight_is_lent_while_the_lender_is_near():
    game = table("beast_cub / beast_roost", "beast_boar / beast_boar", more=MORE)
    assert (game.can("A0.0"), game.can("A1.0")) == (["A1.0", "B0.0", "B1.0"], ["A0.0"])
    game = table("beast_cub / beast_boar / beast_roost", "beast_boar / beast_boar", more=MORE)
    assert game.can("A0.0") == ["A1.0", "B0.0"]


# RANGE


def test_rift_98_range_reaches_all_shorter_distances_and_is_answered_beside_only():
    game = table("soldier_crossbow", "beast_cub / soldier_archer / soldier_guard")
    assert game.can("A0.0") == ["B0.0", "B1.0", "B2.0", "ready"]
    assert game.fork().attack("A0.0", "B0.0").of("A0.0", "damage") == 1
    assert game.fork().attack("A0.0", "B1.0").of("A0.0", "damage") == 0


def test_rift_98_range_over_all_rows_reaches_the_player():
    assert table("soldier_crossbow", "beast_cub / beast_cub").can("A0.0") == ["B0.0", "B1.0", "B", "ready"]
    assert "B" not in table("beast_cub / soldier_crossbow", "beast_cub / beast_cub").can("A1.0")


def test_rift_80_98_of_a_printed_and_a_lent_range_the_larger_counts():
    enemy = "beast_cub / beast_cub / beast_cub"
    assert table("soldier_archer, soldier_spotter", enemy, more=MORE).can("A0.0") == ["A0.1", "B0.0", "B1.0", "B2.0"]
    own = "soldier_archer [has RANGE(4)], soldier_spotter"
    assert table(own, enemy, more=MORE).can("A0.0") == ["A0.1", "B0.0", "B1.0", "B2.0", "B"]


def test_rift_96_98_who_shoots_is_not_pierced():
    game = table("beast_cub / soldier_archer [has BLOCK]", "soldier_pikeman").attack("A1.0", "B0.0")
    assert (game.of("A1.0", "damage"), game.of("B0.0", "damage")) == (0, 2)


# ROOTED


def test_rift_103_who_is_rooted_does_not_move_but_is_moved_past():
    game = table("fae_treant, beast_cub", "")
    assert (game.can("A0.0"), game.can("A0.1")) == (["B"], ["A0.0", "B"])
    assert game.swap("A0.1", "A0.0").bears("A0.1") == "fae_treant"


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


def test_rift_83_dash_gives_x_swaps_which_may_be_spread_over_the_turn():
    game = table("soldier_scout, beast_cub, beast_boar", "").swap("A0.0", "A0.1")
    assert game.can("A0.1") == ["A0.0", "A0.2", "B"]
    game.attack("A0.1", "B").swap("A0.1", "A0.2")
    assert (game.can("A0.2"), game.life(B)) == ([], 49)
    assert game.end().end().can("A0.2") == ["A0.1", "B"]


def test_rift_41_83_whoever_was_swapped_with_keeps_the_own_swaps():
    game = table("soldier_scout, beast_cub", "").swap("A0.0", "A0.1").swap("A0.1", "A0.0").swap("A0.1", "A0.0")
    assert (game.of("A0.0", "swaps"), game.of("A0.1", "swaps")) == (1, 2)


def test_rift_83_a_dash_that_comes_in_the_middle_of_a_turn_gives_what_is_left_of_it():
    game = table("beast_cub, beast_boar", "", hand="tailwind", others=OTHERS).swap("A0.0", "A0.1")
    assert game.can("A0.1") == ["B"]
    assert game.play("tailwind", "A0.1").can("A0.1") == ["A0.0", "B"]
    assert game.swap("A0.1", "A0.0").can("A0.0") == ["B"]


def test_rift_83_94_who_is_pacified_may_still_dash():
    game = table("soldier_scout [pacified], beast_cub", "beast_cub")
    assert game.can("A0.0") == ["A0.1"]
    assert game.swap("A0.0", "A0.1").can("A0.1") == ["A0.0"]


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


def test_rift_83_108_moving_does_not_turn_up():
    game = table("fae_stalker [face down, has DASH(2)], beast_cub, beast_cub", a()).swap("A0.0", "A0.1")
    assert game.swap("A0.1", "A0.2").bears("A0.2") == "fae_stalker, has DASH(2), 2 swaps, face down"
