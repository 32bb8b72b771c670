"""AURA, DORMANT, REGEN, SWARM and UNDEATH: each alone, and combined with others (RIFT-80, 85, 100, 110, 113)."""

import pytest

from tests.games.riftborn.positions import A, B, a, table

MORE = """
fae_light | 1 | 1/4 | 100 | AURA(1) | aura friend health 2
undead_fog | 1 | 1/4 | 100 | AURA(2) | aura all health -1
beast_drum | 1 | 1/4 | 100 | AURA(1) | aura friend keyword PIERCE(2)
beast_horn | 1 | 1/4 | 100 | AURA(1) | aura friend keyword PIERCE(3)
fae_spring | 1 | 1/4 | 100 | AURA(1) | aura friend keyword REGEN(3)
beast_brood | 1 | 2/3 | 100 | SWARM(4) |
"""
OTHERS = """
dispel | spell | 1 | 0/0 | 50 | | lose AURA, chosen any 1
rebirth | spell | 1 | 0/0 | 50 | | grant UNDEATH, chosen friend 1
mirror | spell | 1 | 0/0 | 50 | | grant SWARM(3), chosen any 1
gift | spell | 1 | 0/0 | 50 | | grant RANGE(2), chosen friend 1
doom | spell | 1 | 0/0 | 50 | | destroy, chosen any 1
"""
CARDS = {"more": MORE, "others": OTHERS}

# AURA


def test_rift_80_an_aura_reaches_its_side_within_its_distance_and_never_itself():
    game = table("beast_cub, beast_alpha, beast_cub, beast_cub / beast_cub", "beast_cub")
    assert [game.stats(f"A0.{index}") for index in range(4)] == ["3/2", "6/8", "3/2", "2/2"]
    assert (game.stats("A1.0"), game.stats("B0.0")) == ("3/2", "2/2")
    game = table("beast_cub, beast_cub, beast_cub / beast_cub / beast_cub", "undead_banshee")
    assert [game.stats(f"A{row}.0") for row in range(3)] == ["1/2", "1/2", "2/2"]


def test_rift_80_several_auras_add_up_and_of_an_ability_the_largest_x_counts():
    assert table("beast_alpha, beast_cub, beast_alpha").stats("A0.1") == "4/2"
    game = table("soldier_shieldbearer", "beast_drum, soldier_pikeman [has VANGUARD], beast_horn", more=MORE)
    assert game.attack("A0.0", "B0.1").of("A0.0", "damage") == 3


def test_rift_80_it_begins_when_its_creature_enters_and_ends_when_it_leaves():
    game = table("beast_cub", "beast_cub", hand="beast_alpha", xp=5000).play("beast_alpha", "1.0")
    assert game.stats("A0.0") == "3/2"
    game = table("beast_cub, beast_boar", "undead_banshee [4 damage]").attack("A0.1", "B0.0")
    assert (game.who(B), game.stats("A0.0")) == ("", "2/2")


def test_rift_40_80_it_goes_with_a_move():
    game = table("beast_cub, beast_alpha, beast_cub, beast_cub").swap("A0.1", "A0.2")
    assert [game.stats(f"A0.{index}") for index in range(4)] == ["2/2", "3/2", "6/8", "3/2"]


def test_rift_70_73_80_who_lived_by_an_aura_dies_with_it_and_pays_nothing():
    game = table("beast_troll", "beast_cub [3 damage], fae_light", more=MORE).attack("A0.0", "B0.1")
    assert (game.who(B), game.xp(A)) == ("", 100)
    game = table("beast_cub [3 damage], fae_light", "", hand="dispel", **CARDS).play("dispel", "A0.1")
    assert (game.who(A), game.xp(B)) == ("fae_light", 0)


def test_rift_80_an_aura_for_all_kills_friend_and_foe_where_it_enters():
    own = a("beast_cub [1 damage], beast_pack", hand="undead_fog")
    game = table(own, "beast_runner, fae_sprite", more=MORE).play("undead_fog", "1.0")
    assert (game.who(A), game.who(B), game.xp(A)) == ("beast_pack / undead_fog", "fae_sprite", 100)


def test_rift_80_85_the_aura_of_the_dormant_acts():
    assert table("beast_alpha [has DORMANT], beast_cub").stats("A0.1") == "3/2"


def test_rift_80_108_no_aura_face_down():
    game = table("beast_alpha [has STEALTH, face down], beast_cub", "beast_troll")
    assert game.stats("A0.1") == "2/2"
    assert game.attack("A0.0", "B0.0").stats("A0.1") == "3/2"


def test_rift_80_110_swarm_ends_an_aura_and_takes_the_numbers_of_others():
    game = table("beast_alpha, beast_pack", "", hand="multiply", xp=2000)
    assert game.stats("A0.1") == "4/3"
    assert game.play("multiply", "A0.0").stats("A0.1") == "3/3"
    assert game.stats("A0.0") == "12/16"


# DORMANT


@pytest.mark.parametrize("variant", ["touching", "contact"])
def test_rift_85_the_dormant_do_nothing_and_are_not_swapped_with(variant):
    game = table("undead_sleeper, beast_cub", "beast_cub")
    assert (game.can("A0.0"), game.can("A0.1")) == ([], ["B0.0"])
    game = table("beast_cub", "undead_sleeper").attack("A0.0", "B0.0")
    assert (game.of("A0.0", "damage"), game.of("B0.0", "damage")) == (0, 2)
    rules = {"adjacent_enemies": variant}
    game = table("beast_cub, beast_troll / beast_boar", "undead_sleeper", rules=rules).swap("A0.0", "A1.0")
    assert game.bears("A1.0") == "beast_cub, 1 swap"


def test_rift_14_85_who_was_played_this_turn_is_woken_in_vain():
    game = table("beast_cub", "beast_cub", hand="undead_sleeper, awaken", xp=1000).play("undead_sleeper", "0.1")
    assert game.play("awaken", "A0.1").can("A0.1") == ["A0.0"]


def test_rift_85_100_113_the_dormant_heal_and_return():
    game = table("undead_sleeper [3 damage, has REGEN(2), has UNDEATH]", "").end()
    assert game.of("A0.0", "damage") == 1
    game = table("beast_charger", "undead_sleeper [has UNDEATH, 4 damage]").attack("A0.0", "B0.0")
    assert game.bears("B0.0") == "undead_sleeper, 6 damage"


def test_rift_85_118_a_dormant_creature_carries_out_tricks():
    """RIFT-118 asks for a living creature; a trick is neither Move nor Action."""
    game = table("beast_charger", a("fae_trickster [has DORMANT]", tricks="ambush")).attack("A0.0", "B0.0")
    assert game.of("A0.0", "damage") == 2


# REGEN


def test_rift_100_regen_heals_at_the_end_of_the_own_turn_only():
    game = table("beast_troll [5 damage]", "beast_hydra [2 damage]").end()
    assert (game.of("A0.0", "damage"), game.of("B0.0", "damage")) == (3, 2)
    assert game.end().of("A0.0", "damage") == 3
    assert game.of("B0.0", "damage") == 0, "3 would be healed, 2 are there"


def test_rift_100_108_regen_turns_up_only_where_it_heals():
    assert table("fae_stalker [face down, 1 damage, has REGEN(1)]").end().bears("A0.0") == "fae_stalker, has REGEN(1)"
    assert table("fae_stalker [face down, has REGEN(1)]").end().of("A0.0", "face_down") == 1


def test_rift_80_100_110_a_lent_regen_counts_if_larger_and_not_for_swarm():
    game = table("beast_troll [5 damage], fae_spring, beast_pack [2 damage]", "", more=MORE).end()
    assert (game.of("A0.0", "damage"), game.of("A0.2", "damage")) == (2, 2)


def test_rift_62_100_damage_that_regen_removes_is_no_decay():
    game = table("beast_troll [2 damage, 4 decay]").end()
    assert (game.bears("A0.0"), game.stats("A0.0")) == ("beast_troll, 4 decay", "4/3")


# SWARM


def test_rift_110_113_swarm_granted_ends_all_other_abilities_even_unused_ones():
    game = table("undead_lich [3 damage, 2 ready]", "beast_cub / beast_cub", hand="multiply", xp=2000)
    game.play("multiply")
    assert (game.stats("A0.0"), game.can("A0.0")) == ("12/16", ["B0.0"])
    assert game.bears("A0.0") == "undead_lich, 3 damage, 2 ready, has SWARM(2)"
    game = table("beast_charger", a("undead_lich [7 damage, has SWARM(2), 8 decay]")).attack("A0.0", "B0.0")
    assert (game.who(B), game.xp(A)) == ("", 900)


def test_rift_110_a_larger_swarm_replaces_a_smaller_one_and_nothing_else_is_gained():
    game = table("beast_pack, beast_brood", "", hand="multiply, mirror, gift", xp=5000, **CARDS)
    game.play("multiply", "A0.0").play("mirror", "A0.1").play("gift", "A0.1")
    assert [game.stats("A0.0"), game.stats("A0.1")] == ["3/3", "8/12"]
    assert game.state["ability"][game.creature("A0.1")].sum() == 4
    game = table("beast_brood [has SWARM(2)]", "", hand="mirror", **CARDS).play("mirror")
    assert game.stats("A0.0") == "6/9"


def test_rift_108_110_swarm_turns_up_and_lets_all_attackers_near():
    game = table("beast_cub / soldier_archer", "fae_stalker [face down]", hand="mirror", **CARDS)
    assert game.can("A1.0") == ["A0.0"]
    game.play("mirror", "B0.0")
    assert (game.of("B0.0", "face_down"), game.can("A1.0")) == (0, ["A0.0", "B0.0"])


def test_rift_85_110_a_sleeper_that_swarms_wakes():
    game = table("undead_sleeper", "", hand="multiply", xp=2000).play("multiply")
    assert (game.stats("A0.0"), game.can("A0.0")) == ("12/14", ["B"])


# UNDEATH


def test_rift_113_each_undeath_is_used_once():
    game = table("beast_charger, beast_charger / soldier_archer", "undead_lich [4 damage]").attack("A0.0", "B0.0")
    assert game.bears("B0.0") == "undead_lich, 7 damage, has UNDEATH"
    assert game.attack("A0.1", "B0.0").bears("B0.0") == "undead_lich, 7 damage, lost UNDEATH(2)"
    assert (game.who(B), game.xp(A), game.attack("A1.0", "B0.0").who(B), game.xp(A)) == ("undead_lich", 0, "", 900)


def test_rift_71_113_a_granted_undeath_adds_one():
    game = table("undead_skeleton", "beast_cub", hand="rebirth, doom, doom, doom", xp=3000, **CARDS).play("rebirth")
    for left in ("undead_skeleton", "undead_skeleton", ""):
        game.play("doom", "A0.0")
        assert game.who(A) == left
    assert game.pile("discard", A) == "rebirth, doom, doom, undead_skeleton, doom"


def test_rift_84_110_113_what_undeath_brings_back_is_not_discarded():
    game = table("beast_charger", "undead_wight [has DEPLETED]").attack("A0.0", "B0.0")
    assert (game.pile("removed", B), game.who(B)) == ("", "undead_wight")
