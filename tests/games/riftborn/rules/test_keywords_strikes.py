"""RELENTLESS, SIPHON, DOUBLE ATTACK and READY: each alone, and combined with others (RIFT-86, 99, 101, 105)."""

import pytest

from tests.games.riftborn.positions import A, B, a, table

FIVE = "beast_cub, beast_cub, beast_cub, beast_cub, beast_cub"
LINE = "beast_troll, beast_troll, beast_troll, beast_troll, beast_charger"

# RELENTLESS


def test_rift_101_the_excess_goes_on_from_row_to_row_to_the_player():
    game = table("beast_charger", "soldier_archer / soldier_crossbow").attack("A0.0", "B0.0")
    assert (game.who(B), game.life(B), game.xp(A), game.of("A0.0", "damage")) == ("", 49, 600, 1)


def test_rift_101_it_stops_in_the_nearest_row_that_holds_it_up():
    game = table("beast_charger", "soldier_archer / beast_troll / beast_troll").attack("A0.0", "B0.0")
    assert (game.of("B0.0", "damage"), game.of("B1.0", "damage"), game.life(B)) == (4, 0, 50)


def test_rift_71_101_undeath_stops_what_would_pass():
    game = table("beast_charger", "undead_skeleton / beast_cub").attack("A0.0", "B0.0")
    assert (game.bears("B0.0"), game.of("B1.0", "damage")) == ("undead_skeleton, lost UNDEATH", 0)
    assert (game.life(B), game.xp(A)) == (50, 0)
    game = table("beast_charger", "undead_skeleton [lost UNDEATH] / beast_troll").attack("A0.0", "B0.0")
    assert (game.who(B), game.of("B0.0", "damage"), game.xp(A)) == ("beast_troll", 5, 100)


def test_rift_63_101_shields_take_their_part_before_anything_passes():
    game = table("beast_charger", "beast_cub [3 shield]").attack("A0.0", "B0.0")
    assert (game.who(B), game.life(B)) == ("", 49)
    game = table("beast_charger", "beast_cub [4 shield]").attack("A0.0", "B0.0")
    assert (game.who(B), game.life(B)) == ("", 50)


def test_rift_65_101_of_two_behind_the_owner_of_the_blow_chooses():
    game = table("beast_charger", "soldier_archer / beast_cub, beast_boar").do("use A0.0", "B0.0")
    assert (game.seat, game.options) == (A, ["B1.0", "B1.1"])
    game.do("B1.0")
    assert (game.who(B), game.life(B), game.xp(A)) == ("beast_boar", 50 - (6 - 2 - 2), 300)


def test_rift_65_101_behind_is_the_nearest_row_with_somebody_there():
    game = table(LINE, f"{FIVE} / soldier_archer / {FIVE}").attack("A0.4", "B0.4")
    assert game.who(B) == f"{FIVE[11:]} / soldier_archer / {FIVE[11:]}"
    assert game.life(B) == 50 - (6 - 2 - 2)


@pytest.mark.parametrize(("variant", "damage"), [("any", 1), ("attack", 0)])
def test_rift_47_101_an_answer_passes_through(variant, damage):
    game = table("beast_cub / beast_boar", "beast_charger", rules={"relentless_on": variant}).attack("A0.0", "B0.0")
    assert (game.who(A), game.of("A0.0", "damage"), game.of("A0.0", "rage")) == ("beast_boar", damage, damage)


@pytest.mark.parametrize(("variant", "damage"), [("any", 1), ("attack", 0)])
def test_rift_43_101_an_opportunity_passes_through_behind_the_new_place(variant, damage):
    rows = "beast_cub, beast_troll / beast_boar / soldier_guard"
    game = table(rows, "beast_charger", rules={"relentless_on": variant}).swap("A0.0", "A1.0")
    assert (game.who(A), game.of("A1.0", "damage")) == ("beast_boar, beast_troll / soldier_guard", damage)


def test_rift_44_101_a_kill_by_what_passes_through_gives_no_experience_either():
    game = table("beast_cub, beast_troll / beast_boar / soldier_guard [4 damage]", "beast_charger").swap("A0.0", "A1.0")
    assert (game.who(A), game.xp(B)) == ("beast_boar, beast_troll", 0)


def test_rift_43_63_101_a_second_blow_passes_on_in_full_and_no_more():
    """The cub takes 3 of which 1 is too much, then 3 that it has no room for at all."""
    rows = "beast_cub / beast_boar / soldier_guard"
    game = table(rows, "beast_charger, beast_charger").swap("A0.0", "A1.0")
    assert (game.who(A), game.of("A1.0", "damage")) == ("beast_boar / soldier_guard", 1 + 3)


def test_rift_65_101_the_defender_chooses_where_its_answer_goes_on():
    game = table("beast_cub / beast_boar, soldier_guard", "beast_charger").do("use A0.0", "B0.0")
    assert (game.seat, game.options) == (B, ["A1.0", "A1.1"])
    game.do("A1.1")
    assert (game.bears("A0.1"), game.xp(B)) == ("soldier_guard, 1 damage", 0)


def test_rift_101_108_who_is_hit_from_in_front_turns_up():
    game = table("beast_charger", "beast_cub / fae_stalker [face down, 2 health]").attack("A0.0", "B0.0")
    assert game.bears("B0.0") == "fae_stalker, 4 damage, 2 health"


def test_rift_60_101_110_swarm_has_lost_it():
    game = table("beast_charger [has SWARM(2)]", "beast_cub / beast_boar").attack("A0.0", "B0.0")
    assert (game.who(B), game.of("B0.0", "damage"), game.life(B)) == ("beast_boar", 0, 50)


# SIPHON


@pytest.mark.parametrize(("variant", "damage"), [("strike", 2), ("exchange", 1)])
def test_rift_105_siphon_heals_before_or_after_the_answer(variant, damage):
    rules = {"siphon_timing": variant}
    game = table("undead_leech [2 damage]", "soldier_guard", rules=rules).attack("A0.0", "B0.0")
    assert (game.of("A0.0", "damage"), game.of("B0.0", "damage")) == (damage, 3)


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


def test_rift_101_105_what_passes_through_heals_nothing_more():
    game = table("beast_charger [has SIPHON, 9 health, 12 damage]", "soldier_archer / beast_boar")
    game.attack("A0.0", "B0.0")
    assert game.of("A0.0", "damage") == 12 - 6 + 1


def test_rift_43_47_105_answers_and_opportunities_heal_nothing():
    leech = "undead_leech [9 health, 9 damage]"
    assert table("soldier_archer [9 health]", leech).attack("A0.0", "B0.0").of("B0.0", "damage") == 11
    assert table("beast_troll, beast_cub / beast_boar", leech).swap("A0.0", "A1.0").of("B0.0", "damage") == 9


def test_rift_86_99_105_siphon_heals_for_both_strikes_and_with_what_was_made_ready():
    game = table("beast_clawcat [has SIPHON, 20 health, 20 damage, 4 ready]", "beast_hydra [9 health]")
    game.attack("A0.0", "B0.0")
    assert (game.of("B0.0", "damage"), game.of("A0.0", "damage")) == (7 + 3, 20 - 7 - 3 + 2 + 2)


# DOUBLE ATTACK


def test_rift_86_two_strikes_are_answered_twice():
    game = table("beast_clawcat", "beast_troll").attack("A0.0", "B0.0")
    assert (game.of("B0.0", "damage"), game.of("A0.0", "damage"), game.can("A0.0")) == (6, 4, [])


def test_rift_71_86_the_second_strike_finds_who_returned():
    game = table("beast_clawcat", "undead_skeleton").attack("A0.0", "B0.0")
    assert (game.who(B), game.xp(A), game.of("A0.0", "damage")) == ("", 100, 2)


def test_rift_86_no_second_strike_at_nobody_or_by_nobody():
    game = table("beast_clawcat", "beast_cub / beast_troll").attack("A0.0", "B0.0")
    assert (game.who(B), game.of("B0.0", "damage")) == ("beast_troll", 0)
    game = table("beast_clawcat [4 damage]", "soldier_guard").attack("A0.0", "B0.0")
    assert (game.who(A), game.of("B0.0", "damage")) == ("", 3)


def test_rift_86_the_second_strike_of_a_hydra_seeks_a_new_target():
    game = table("beast_hydra", "beast_cub / beast_troll").do("use A0.0", "B0.0")
    assert (game.who(B), game.of("B0.0", "damage")) == ("beast_troll", 4)
    game = table("beast_hydra", "beast_cub, beast_boar").do("use A0.0", "B0.0")
    assert game.of("B0.0", "damage") == 4, "the boar is the only one left"
    game = table("beast_hydra", "beast_troll, beast_boar").do("use A0.0", "B0.0")
    assert game.options == ["B0.0", "B0.1"]
    game.do("B0.1")
    assert (game.of("B0.0", "damage"), game.of("B0.1", "damage"), game.of("A0.0", "damage")) == (4, 4, 2 + 1)


def test_rift_50_86_a_hydra_may_go_on_to_the_player_and_strikes_a_player_twice():
    game = table("beast_hydra", "beast_cub").attack("A0.0", "B0.0")
    assert (game.who(B), game.life(B)) == ("", 46)
    assert table("beast_clawcat", "").attack("A0.0", "B").life(B) == 44


def test_rift_86_95_who_became_a_pacifist_in_between_still_strikes():
    """RIFT-60: prohibitions are looked up when the Action is used."""
    more = "fae_judge | 1 | 1/9 | 100 | TRICK | trick grant PACIFIST, trigger"
    game = table("beast_clawcat", a("fae_judge", tricks="ambush"), more=more).attack("A0.0", "B0.0")
    assert (game.of("B0.0", "damage"), game.of("A0.0", "acted")) == (6, 1)
    assert "has PACIFIST" in game.bears("A0.0")


# READY


def test_rift_99_ready_adds_up_until_the_next_strike():
    game = table("soldier_crossbow", "").act("A0.0", "ready")
    game.end().end().act("A0.0", "ready")
    game.end().end().attack("A0.0", "B")
    assert (game.life(B), game.of("A0.0", "ready")) == (50 - 4 - 6, 0)
    game.end().end().attack("A0.0", "B")
    assert game.life(B) == 36


def test_rift_86_99_only_the_first_strike_is_ready():
    game = table("beast_clawcat [3 ready]", "beast_hydra").attack("A0.0", "B0.0")
    assert game.of("B0.0", "damage") == 6 + 3


def test_rift_99_102_resistance_halves_attack_and_ready_together():
    game = table("soldier_crossbow [3 ready]", "beast_shellback").attack("A0.0", "B0.0")
    assert game.of("B0.0", "damage") == 3


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


def test_rift_63_99_shields_take_what_was_made_ready():
    game = table("soldier_crossbow [3 ready]", "beast_troll [3 shield]").attack("A0.0", "B0.0")
    assert game.bears("B0.0") == "beast_troll, 4 damage"
