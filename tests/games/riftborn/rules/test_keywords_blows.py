"""BLOCK, PIERCE, VANGUARD, MAGIC, RESISTANCE and RAGE: each alone, and combined with others (RIFT-81, 92, 96, 97, 102, 114)."""

import pytest

from tests.games.riftborn.positions import A, B, table

MORE = """
fae_guardian | 1 | 1/4 | 100 | AURA(1) | aura friend keyword BLOCK
beast_howler | 1 | 1/4 | 100 | AURA(1) | aura friend keyword RAGE(3)
"""

# BLOCK


def test_rift_81_block_takes_no_retaliation():
    game = table("soldier_shieldbearer", "soldier_knight").attack("A0.0", "B0.0")
    assert (game.of("A0.0", "damage"), game.of("B0.0", "damage")) == (0, 2)


def test_rift_81_block_helps_neither_who_is_attacked_nor_who_moves_away():
    game = table("beast_cub", "soldier_shieldbearer").attack("A0.0", "B0.0")
    assert game.of("B0.0", "damage") == 2
    game = table("soldier_shieldbearer, beast_cub / beast_boar", "beast_charger").swap("A0.0", "A1.0")
    assert game.of("A1.0", "damage") == 3


def test_rift_80_81_a_block_that_is_lent_covers_all_but_the_lender():
    game = table("beast_troll, fae_guardian", "soldier_knight", more=MORE).attack("A0.0", "B0.0")
    assert game.of("A0.0", "damage") == 0
    game = table("beast_troll, fae_guardian", "soldier_knight", more=MORE).attack("A0.1", "B0.0")
    assert game.who(A) == "beast_troll"


def test_rift_49_81_block_covers_both_strikes_of_double_attack():
    game = table("beast_clawcat [has BLOCK]", "beast_hydra").attack("A0.0", "B0.0")
    assert (game.of("A0.0", "damage"), game.of("B0.0", "damage")) == (0, 6)


def test_rift_65_81_what_is_blocked_does_not_pass_through_either():
    game = table("soldier_shieldbearer [3 damage] / beast_boar", "beast_charger").attack("A0.0", "B0.0")
    assert (game.of("A0.0", "damage"), game.of("A1.0", "damage")) == (3, 0)


# PIERCE


@pytest.mark.parametrize(
    ("pikeman", "damage"),
    [
        ("soldier_pikeman", 1),  # half of 3
        ("soldier_pikeman [5 rage]", 2),  # half of 8 is 4, of which 2 pass
        ("soldier_pikeman [has VANGUARD]", 2),  # all 3, of which 2 pass
        ("soldier_pikeman [has PIERCE(3), has VANGUARD]", 3),
        ("soldier_pikeman [2 weakness]", 0),  # half of 1
    ],
)
def test_rift_81_96_114_at_most_its_x_passes_block(pikeman, damage):
    game = table("soldier_shieldbearer", pikeman).attack("A0.0", "B0.0")
    assert game.of("A0.0", "damage") == damage


def test_rift_96_pierce_adds_nothing_where_nobody_blocks_and_nothing_to_strikes():
    game = table("beast_troll", "soldier_pikeman [has PIERCE(9)]").attack("A0.0", "B0.0")
    assert game.of("A0.0", "damage") == 1
    game = table("soldier_pikeman", "soldier_shieldbearer").attack("A0.0", "B0.0")
    assert (game.of("A0.0", "damage"), game.of("B0.0", "damage")) == (1, 3)


def test_rift_47_96_102_resistance_halves_what_has_passed_block():
    """Half of 9 is 4, of which 3 pass; half of that is 1. The other way round 2 would pass."""
    shieldbearer, pikeman = "soldier_shieldbearer [has RESISTANCE]", "soldier_pikeman [6 rage, has PIERCE(3)]"
    game = table(shieldbearer, pikeman).attack("A0.0", "B0.0")
    assert game.of("A0.0", "damage") == 1


# VANGUARD


def test_rift_114_vanguard_answers_and_gives_opportunities_in_full():
    game = table("beast_troll", "soldier_guard").attack("A0.0", "B0.0")
    assert game.of("A0.0", "damage") == 2
    game = table("beast_troll, beast_cub / beast_boar", "soldier_knight").swap("A0.0", "A1.0")
    assert game.of("A1.0", "damage") == 5


def test_rift_114_vanguard_is_free_of_the_divisor():
    rules = {"retaliation_divisor": 3}
    assert table("beast_troll", "soldier_knight", rules=rules).attack("A0.0", "B0.0").of("A0.0", "damage") == 5
    assert table("beast_troll", "beast_charger", rules=rules).attack("A0.0", "B0.0").of("A0.0", "damage") == 2


def test_rift_85_114_a_dormant_vanguard_neither_answers_nor_gives_opportunities():
    knight = "soldier_knight [has DORMANT]"
    assert table("beast_troll", knight).attack("A0.0", "B0.0").of("A0.0", "damage") == 0
    assert table("beast_troll, beast_cub / beast_boar", knight).swap("A0.0", "A1.0").of("A1.0", "damage") == 0


def test_rift_98_114_vanguard_does_not_answer_from_afar():
    game = table("beast_cub / soldier_archer", "soldier_guard").attack("A1.0", "B0.0")
    assert (game.of("A1.0", "damage"), game.of("B0.0", "damage")) == (0, 2)


# MAGIC and RESISTANCE


def test_rift_92_102_resistance_halves_a_strike_unless_it_is_magic():
    assert table("beast_charger", "beast_shellback").attack("A0.0", "B0.0").of("B0.0", "damage") == 3
    assert table("beast_clawcat", "beast_shellback").attack("A0.0", "B0.0").of("B0.0", "damage") == 1 + 1
    assert table("fae_mage", "beast_shellback").attack("A0.0", "B0.0").who(B) == ""


def test_rift_92_102_answers_and_opportunities_are_never_magic():
    game = table("beast_shellback", "fae_mage [3 health]").attack("A0.0", "B0.0")
    assert game.of("A0.0", "damage") == 1
    game = table("beast_shellback, beast_cub / beast_boar", "fae_mage").swap("A0.0", "A1.0")
    assert game.of("A1.0", "damage") == 1
    game = table("beast_cub [1 damage] / beast_shellback", "beast_charger [has MAGIC]").attack("A0.0", "B0.0")
    assert game.of("A0.0", "damage") == 1, "half of the 2 that pass through"


@pytest.mark.parametrize(("charger", "damage"), [("beast_charger", 2), ("beast_charger [has MAGIC]", 4)])
def test_rift_65_92_102_what_passes_through_is_halved_again_unless_it_is_magic(charger, damage):
    game = table(charger, "beast_cub / beast_shellback [9 health]").attack("A0.0", "B0.0")
    assert game.of("B0.0", "damage") == damage


@pytest.mark.parametrize(("weapon", "damage"), [("longbow", 1), ("rune_staff", 4)])
def test_rift_52_92_102_resistance_halves_the_hit_of_a_weapon_unless_it_is_magic(weapon, damage):
    game = table("", "beast_shellback [9 health]", weapons=weapon).wield(weapon)
    assert game.of("B0.0", "damage") == damage


def test_rift_15_102_effects_are_not_halved():
    game = table("", "beast_shellback", hand="spark", xp=500).play("spark")
    assert game.of("B0.0", "damage") == 2


def test_rift_63_102_resistance_halves_before_shields_are_used_up():
    game = table("beast_charger", "beast_shellback [2 shield]").attack("A0.0", "B0.0")
    assert (game.of("B0.0", "shield"), game.of("B0.0", "damage")) == (0, 1)


def test_rift_102_a_treant_lends_resistance_to_its_neighbours_only():
    game = table("fae_treant, beast_cub [9 health]", "beast_charger", active=1, turn=5).attack("B0.0", "A0.1")
    assert game.of("A0.1", "damage") == 3
    game = table("fae_treant, beast_cub [9 health]", "beast_charger", active=1, turn=5).attack("B0.0", "A0.0")
    assert game.of("A0.0", "damage") == 6


def test_rift_80_102_110_swarm_takes_no_resistance_from_an_aura():
    game = table("fae_treant, beast_pack", "beast_cub", active=1, turn=5).attack("B0.0", "A0.1")
    assert game.of("A0.1", "damage") == 2


# RAGE


def test_rift_97_rage_comes_with_each_damage_from_any_source():
    boar = "beast_boar [9 health]"
    assert table("beast_clawcat", boar).attack("A0.0", "B0.0").of("B0.0", "rage") == 2
    assert table(boar, "beast_troll").attack("A0.0", "B0.0").of("A0.0", "rage") == 1
    assert table(f"{boar}, beast_cub / beast_cub", "beast_troll").swap("A0.0", "A1.0").of("A1.0", "rage") == 1
    assert table("", boar, weapons="short_sword").wield("short_sword").of("B0.0", "rage") == 1
    assert table("", boar, hand="spark").play("spark").of("B0.0", "rage") == 1
    assert table("beast_charger", f"beast_cub / {boar}").attack("A0.0", "B0.0").of("B0.0", "rage") == 1


def test_rift_63_97_damage_on_shields_counts_and_decay_and_nothing_do_not():
    game = table("beast_cub", "beast_boar [2 shield]").attack("A0.0", "B0.0")
    assert (game.of("B0.0", "damage"), game.of("B0.0", "rage")) == (0, 1)
    game = table("", "beast_boar", hand="wither", xp=2000).play("wither")
    assert (game.of("B0.0", "decay"), game.of("B0.0", "rage")) == (3, 0)
    game = table("beast_cub [2 weakness]", "beast_boar").attack("A0.0", "B0.0")
    assert game.of("B0.0", "rage") == 0


def test_rift_97_102_a_point_that_resistance_halves_away_stirs_no_rage():
    game = table("beast_cub [1 weakness]", "beast_boar [has RESISTANCE]").attack("A0.0", "B0.0")
    assert (game.of("B0.0", "damage"), game.of("B0.0", "rage")) == (0, 0)


@pytest.mark.parametrize(("variant", "answers"), [(True, 2 + 2), (False, 1 + 2)])
def test_rift_47_97_rage_of_the_blow_counts_in_its_answer(variant, answers):
    """Rage 1 before, 2 after the first strike, 3 after the second; half of 4 and of 5, or half of 3 and of 4."""
    game = table("beast_clawcat", "beast_boar [1 rage]", rules={"rage_before_retaliation": variant})
    game.attack("A0.0", "B0.0")
    assert (game.of("A0.0", "damage"), game.xp(A)) == (answers, 300)


def test_rift_80_97_of_a_printed_and_a_lent_rage_the_larger_counts():
    game = table("beast_howler, beast_boar", "beast_cub", active=1, turn=5, more=MORE).attack("B0.0", "A0.1")
    assert game.of("A0.1", "rage") == 3


def test_rift_71_97_rage_stays_when_undeath_returns():
    game = table("beast_charger", "undead_wight [has RAGE(2)]").attack("A0.0", "B0.0")
    assert game.bears("B0.0") == "undead_wight, 3 damage, 2 rage, has RAGE(2), lost UNDEATH"
    assert game.of("A0.0", "damage") == 2, "half of 3 + 2"
