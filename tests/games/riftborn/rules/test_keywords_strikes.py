"""RELENTLESS, SIPHON, DOUBLE ATTACK and READY: each alone, and combined with others (RIFT-86, 99, 101, 105)."""

import pytest

from tests.games.riftborn.positions import A, B, a, table

# RELENTLESS


def test_rift_44_101_a_kill_by_what_passes_through_gives_no_experience_either():
    game = table("beast_cub, beast_troll / beast_boar / soldier_guard [4 damage]", "beast_charger").swap("A0.0", "A1.0")
    assert (game.who(A), game.xp(B)) == ("beast_boar, beast_troll", 0)


def test_rift_60_101_110_swarm_has_lost_it():
    game = table("beast_charger [has SWARM(2)]", "beast_cub / beast_boar").attack("A0.0", "B0.0")
    assert (game.who(B), game.of("B0.0", "damage"), game.life(B)) == ("beast_boar", 0, 50)


# SIPHON


@pytest.mark.parametrize(
    ("target", "full", "effective"),
    [
        ("beast_cub", 3, 2),  # overkill
        ("beast_cub [2 shield]", 3, 1),
        ("beast_cub [2 health]", 3, 3),
        ("beast_shellback", 1, 1),  # RESISTANCE first
        ("undead_skeleton", 3, 1),  # it returns
    ],
)
@pytest.mark.parametrize("variant", ["full", "effective"])
def test_rift_102_105_siphon_heals_the_damage_taken(variant, target, full, effective):
    leech = "undead_leech [9 health, 9 damage, has BLOCK]"
    game = table(leech, target, rules={"siphon_counts": variant}).attack("A0.0", "B0.0")
    assert game.of("A0.0", "damage") == 9 - (full if variant == "full" else effective)


@pytest.mark.parametrize(("variant", "healed"), [("full", 3), ("effective", 1)])
def test_rift_50_105_siphon_heals_from_the_player_too(variant, healed):
    other = a(armour=[{"card": "leather_armour", "points": 2}])
    game = table("undead_leech [9 health, 9 damage]", other, rules={"siphon_counts": variant}).attack("A0.0", "B")
    assert (game.of("A0.0", "damage"), game.life(B), game.armour(B)) == (9 - healed, 49, "")


def test_rift_43_47_105_answers_and_opportunities_heal_nothing():
    leech = "undead_leech [9 health, 9 damage]"
    assert table("soldier_archer [9 health]", leech).attack("A0.0", "B0.0").of("B0.0", "damage") == 11
    assert table("beast_troll, beast_cub / beast_boar", leech).swap("A0.0", "A1.0").of("B0.0", "damage") == 9


def test_rift_86_99_105_siphon_heals_for_both_strikes_and_with_what_was_made_ready():
    game = table("beast_clawcat [has SIPHON, 20 health, 20 damage, 4 ready]", "beast_hydra [9 health]")
    game.attack("A0.0", "B0.0")
    assert (game.of("B0.0", "damage"), game.of("A0.0", "damage")) == (7 + 3, 20 - 7 - 3 + 2 + 2)


# DOUBLE ATTACK


# READY


def test_rift_47_99_answers_and_opportunities_leave_it_stored():
    game = table("beast_troll", "soldier_crossbow [9 health, 3 ready]").attack("A0.0", "B0.0")
    assert (game.of("A0.0", "damage"), game.of("B0.0", "ready")) == (2, 3)


def test_rift_45_99_an_attack_without_a_strike_leaves_it_stored():
    more = "fae_martyr | 1 | 1/4 | 100 | TRICK | trick destroy, subject"
    game = table("soldier_crossbow [3 ready]", a("fae_martyr", tricks="ambush"), more=more).attack("A0.0", "B0.0")
    assert (game.who(B), game.of("A0.0", "ready"), game.of("A0.0", "acted")) == ("", 3, 1)
    assert game.xp(A) == 0


def test_rift_60_99_a_strike_with_attack_0_still_gives_what_is_ready():
    """Only the sum is floored; Weakness beyond it does not eat into READY."""
    game = table("soldier_crossbow [3 ready, 9 weakness]", "").attack("A0.0", "B")
    assert game.life(B) == 47
