"""RIFT-40 to 44 on the kernels: Moves and attacks of opportunity; G-17."""

import pytest

from tests.games.riftborn.positions import A, B, a, table

# ---- Moves ----------------------------------------------------------------------------------------------------------


def test_rift_40_a_move_changes_places_with_an_adjacent_friend():
    game = table("beast_cub, beast_boar / soldier_archer, beast_hawk, beast_troll", "undead_sleeper")
    assert [word for word in game.can("A0.0") if word[0] == "A"] == ["A0.1", "A1.0", "A1.1"]
    cub = game.creature("A0.0")
    game.swap("A0.0", "A1.0")
    assert (game.who(A), game.spot(cub)) == ("soldier_archer, beast_boar / beast_cub, beast_hawk, beast_troll", "A1.0")


def test_rift_40_there_is_no_step_into_free_space_and_none_to_the_enemy():
    assert table("beast_cub", "soldier_guard").can("A0.0") == ["B0.0"]
    assert table("beast_cub [acted]", "soldier_guard").options == ["end"]


def test_rift_40_the_partner_uses_nothing_up():
    game = table("beast_cub, beast_boar").swap("A0.0", "A0.1")
    assert (game.of("A0.0", "swaps"), game.of("A0.1", "swaps")) == (0, 1)
    assert game.swap("A0.0", "A0.1").who(A) == "beast_cub, beast_boar"


@pytest.mark.parametrize(("who", "swaps"), [("beast_cub", 1), ("soldier_scout", 2), ("beast_cub [has DASH(3)]", 3)])
def test_rift_41_a_creature_has_one_swap_or_as_many_as_dash_says(who, swaps):
    game = table(f"{who}, soldier_guard, soldier_knight, beast_hawk", "undead_sleeper [face down]")
    for index in range(swaps):
        game.swap(f"A0.{index}", f"A0.{index + 1}")
    assert not [word for word in game.can(f"A0.{swaps}") if word[0] == "A"]


def test_rift_41_the_swaps_of_dash_may_be_spread_over_the_turn():
    game = table("soldier_scout, beast_cub / beast_boar", "undead_sleeper", hand="spark").swap("A0.0", "A0.1")
    game.play("spark", "B0.0").attack("A0.1", "B0.0")
    assert game.can("A0.1") == ["A0.0", "A1.0"]
    assert game.swap("A0.1", "A1.0").who(A) == "beast_cub, beast_boar / soldier_scout"


@pytest.mark.parametrize(
    ("who", "moves", "partner"),
    [("fae_treant", False, True), ("undead_sleeper", False, False), ("beast_cub [has ROOTED]", False, True)],
)
def test_rift_41_rooted_and_dormant_do_not_move_and_dormant_is_no_partner(who, moves, partner):
    game = table(f"{who}, beast_boar")
    assert ("A0.1" in game.can("A0.0")) == moves
    assert ("A0.0" in game.can("A0.1")) == partner


# ---- attacks of opportunity -----------------------------------------------------------------------------------------


def test_rift_42_whoever_stays_adjacent_gives_none():
    game = table("beast_troll, beast_cub", "beast_charger").swap("A0.0", "A0.1")
    assert game.of("A0.1", "damage") == 0
    apart = table("beast_troll, beast_cub, beast_boar", "beast_charger, beast_charger").swap("A0.0", "A0.1")
    assert apart.of("A0.1", "damage") == 0  # B0.0 and B0.1 are adjacent to the middle


def test_rift_42_one_steps_away_from_some_and_stays_with_others():
    game = table("beast_cub, beast_troll, beast_boar", "beast_charger, soldier_knight").swap("A0.1", "A0.2")
    assert game.of("A0.2", "damage") == 3  # of the charger; the knight is still there


def test_rift_42_whoever_comes_adjacent_gives_none():
    game = table("beast_cub / beast_troll", "beast_charger").swap("A1.0", "A0.0")
    assert (game.who(A), game.of("A0.0", "damage"), game.of("A1.0", "damage")) == ("beast_troll / beast_cub", 0, 0)


@pytest.mark.parametrize(("enemies", "life"), [("beast_charger, soldier_knight", 49), ("soldier_knight, beast_charger", 47)])
def test_rift_42_43_they_strike_in_the_order_of_the_row_and_the_death_check_comes_after_all(enemies, life):
    """A cub of 2 Health: the charger's 3 leave 1 to pass on; behind the knight's 5 all 3 pass on."""
    game = table("beast_cub / beast_boar", enemies).swap("A0.0", "A1.0")
    assert (game.who(A), game.life(A), game.state["opportunity_damage"][B]) == ("beast_boar", life, 3 + 5)


@pytest.mark.parametrize(
    ("giver", "damage"),
    [
        *[("undead_giant [1 weakness]", 3), ("undead_giant [7 weakness]", 0), ("soldier_knight [2 rage]", 7)],
        *[("beast_cub", 1), ("fae_peacekeeper", 1), ("beast_charger [charm waits]", 3)],
    ],
)
def test_rift_43_golden_g17_half_the_attack_rounded_down_all_of_it_with_vanguard(giver, damage):
    game = table("beast_hydra / beast_cub", giver).swap("A0.0", "A1.0")
    assert game.of("A1.0", "damage") == damage


@pytest.mark.parametrize(("divisor", "damage"), [(1, 6), (2, 3), (4, 1), (7, 0)])
def test_rift_43_the_divisor_is_a_rule_of_the_card_file(divisor, damage):
    game = table("beast_troll / beast_cub", "beast_charger", rules={"retaliation_divisor": divisor})
    assert game.swap("A0.0", "A1.0").of("A1.0", "damage") == damage


@pytest.mark.parametrize(("giver", "hidden"), [("beast_troll [face down]", 0), ("soldier_medic [face down]", 1)])
def test_rift_43_giver_and_mover_turn_face_up_unless_there_is_nothing_to_give(giver, hidden):
    game = table("beast_boar [face down] / beast_cub", giver).swap("A0.0", "A1.0")
    assert (game.of("B0.0", "face_down"), game.of("A1.0", "face_down")) == (hidden, hidden)


def test_rift_43_shields_resistance_and_rage_of_the_mover_act():
    shield = table("beast_boar [2 shield] / beast_cub", "beast_charger").swap("A0.0", "A1.0")
    assert shield.bears("A1.0") == "beast_boar, 1 damage, 1 rage, 1 swap"
    resistance = table("beast_shellback / beast_cub", "fae_drake").swap("A0.0", "A1.0")
    assert resistance.of("A1.0", "damage") == 1  # half of half of 5, for all its MAGIC


@pytest.mark.parametrize(("acts", "damage"), [("any", 1), ("attack", 0)])
def test_rift_43_relentless_passes_on_behind_the_new_place_of_the_mover(acts, damage):
    game = table("beast_cub / beast_boar / beast_troll", "beast_charger", rules={"relentless_on": acts}).swap("A0.0", "A1.0")
    assert (game.who(A), game.of("A1.0", "damage")) == ("beast_boar / beast_troll", damage)


@pytest.mark.parametrize(("paid", "xp"), [(False, 0), (True, 100)])
def test_rift_44_a_kill_by_opportunity_gives_no_experience(paid, xp):
    game = table("beast_cub / beast_boar", "beast_charger", rules={"aoo_xp": paid}).swap("A0.0", "A1.0")
    assert (game.who(A), game.xp(B), game.xp(A)) == ("beast_boar", xp, 0)


def test_rift_44_with_aoo_xp_the_giver_is_paid_for_what_passes_through_too():
    rows = "tok_bones / beast_boar / tok_bones, beast_cub [1 damage]"
    game = table(rows, a("undead_giant"), rules={"aoo_xp": True}).swap("A0.0", "A1.0", "A2.1")
    assert (game.who(A), game.xp(B)) == ("beast_boar / tok_bones", 50 + 100)
