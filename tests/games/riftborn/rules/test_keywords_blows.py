"""BLOCK, PIERCE, VANGUARD, MAGIC, RESISTANCE and RAGE: each alone, and combined with others (RIFT-81, 92, 96, 97, 102, 114)."""

import pytest

from tests.games.riftborn.positions import A, table

MORE = """
fae_guardian | 1 | 1/4 | 100 | AURA(1) | aura friend keyword BLOCK
beast_howler | 1 | 1/4 | 100 | AURA(1) | aura friend keyword RAGE(3)
"""

# BLOCK


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


# VANGUARD


def test_rift_114_vanguard_is_free_of_the_divisor():
    rules = {"retaliation_divisor": 3}
    assert table("beast_troll", "soldier_knight", rules=rules).attack("A0.0", "B0.0").of("A0.0", "damage") == 5
    assert table("beast_troll", "beast_charger", rules=rules).attack("A0.0", "B0.0").of("A0.0", "damage") == 2


def test_rift_85_114_a_dormant_vanguard_neither_answers_nor_gives_opportunities():
    knight = "soldier_knight [has DORMANT]"
    assert table("beast_troll", knight).attack("A0.0", "B0.0").of("A0.0", "damage") == 0
    assert table("beast_troll, beast_cub / beast_boar", knight).swap("A0.0", "A1.0").of("A1.0", "damage") == 0


# MAGIC and RESISTANCE


def test_rift_15_102_effects_are_not_halved():
    game = table("", "beast_shellback", hand="spark", xp=500).play("spark")
    assert game.of("B0.0", "damage") == 2


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


def test_rift_97_decay_stirs_no_rage():
    game = table("", "beast_boar", hand="wither", xp=2000).play("wither")
    assert (game.of("B0.0", "decay"), game.of("B0.0", "rage")) == (3, 0)


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
