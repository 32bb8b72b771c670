"""RIFT-65 on the kernels: what passes through behind a creature that a blow of RELENTLESS kills."""

import pytest

from tests.games.riftborn.positions import A, B, a, table


@pytest.mark.parametrize(
    ("attacker", "target", "behind"),
    [
        ("beast_charger", "beast_troll", 0),  # not deadly hurt
        ("beast_charger", "beast_boar [1 health]", 0),  # deadly hurt, nothing over
        ("beast_charger", "beast_boar", 1),
        ("beast_charger", "beast_boar [2 damage]", 3),
        ("beast_charger", "beast_boar [1 shield, 2 damage]", 2),
        ("beast_charger", "undead_skeleton", 0),  # UNDEATH not used yet
        ("beast_charger", "undead_skeleton [lost UNDEATH]", 5),
        ("beast_charger [2 ready]", "beast_boar", 3),
        ("beast_charger", "tok_bones [has RESISTANCE]", 2),
        ("beast_troll [5 rage]", "tok_bones", 0),  # no RELENTLESS
    ],
)
def test_rift_65_the_excess_is_what_shields_and_health_left_over(attacker, target, behind):
    game = table(attacker, f"{target} / beast_hydra").attack("A0.0", "B0.0")
    row = game.who(B).split(" / ").index("beast_hydra")
    assert game.of(f"B{row}.0", "damage") == behind


@pytest.mark.parametrize(
    ("own", "rows", "hurt"),
    [
        ("beast_charger", "tok_bones / beast_cub, beast_hydra, beast_cub", "B0.1"),
        ("beast_charger", "tok_bones / beast_hydra / beast_troll", "B0.0"),
        ("beast_cub, beast_charger, beast_cub", "beast_cub, tok_bones, beast_cub / beast_hydra / beast_troll", "B1.0"),
        # a row without anybody less than a tile aside is passed over
        ("beast_charger, beast_cub, beast_cub", "tok_bones, beast_cub, beast_cub / beast_boar / beast_hydra, beast_boar", "B2.0"),
    ],
)
def test_rift_65_it_hits_the_nearest_row_behind_that_holds_somebody_less_than_a_tile_aside(own, rows, hurt):
    charger = own.split(", ").index("beast_charger")
    game = table(own, rows).attack(f"A0.{charger}", f"B0.{rows.split(' / ')[0].split(', ').index('tok_bones')}")
    assert (game.of(hurt, "damage"), game.life(B), int(game.state["damage"][15:].sum())) == (5, 50, 5)


def test_rift_65_if_nobody_is_behind_in_any_row_the_player_is_hit():
    game = table("beast_charger, beast_cub, beast_cub", "tok_bones, beast_cub, beast_cub / beast_hydra")
    game.attack("A0.0", "B0.0")
    assert (game.who(B), game.of("B1.0", "damage"), game.life(B)) == ("beast_cub, beast_cub / beast_hydra", 0, 45)


@pytest.mark.parametrize(("choice", "damage"), [("B1.0", (2, 0)), ("B1.1", (0, 2))])
def test_rift_65_of_two_behind_the_controller_of_the_blow_picks_one(choice, damage):
    game = table("beast_charger", "soldier_pikeman / beast_boar, beast_troll").attack("A0.0", "B0.0")
    assert (game.seat, game.options, game.of("B0.0", "damage")) == (A, ["B1.0", "B1.1"], 6)
    game.do(choice)
    assert (game.of("B0.0", "damage"), game.of("B0.1", "damage")) == damage


def test_rift_65_places_are_those_before_anybody_leaves():
    """The archer dies too, but row 1 is still row 1 when the rest of the blow looks for row 2."""
    game = table("undead_giant", "tok_bones / soldier_archer / beast_hydra").attack("A0.0", "B0.0")
    assert (game.who(B), game.of("B0.0", "damage"), game.xp(A)) == ("beast_hydra", 8 - 1 - 2, 250)


@pytest.mark.parametrize(
    ("giver", "behind", "bears"),
    [
        ("beast_charger", "beast_shellback", "beast_shellback, 2 damage"),
        ("beast_charger [has MAGIC]", "beast_troll [has RESISTANCE]", "beast_troll, 5 damage, has RESISTANCE"),
        ("beast_charger", "beast_troll [2 shield, face down]", "beast_troll, 3 damage"),
    ],
)
def test_rift_65_resistance_halves_again_and_shields_rage_and_turning_up_are_as_in_a_strike(giver, behind, bears):
    game = table(giver, f"tok_bones / {behind}").attack("A0.0", "B0.0")
    assert game.bears("B0.0") == bears


def test_rift_65_undeath_of_whom_it_passes_to_ends_it():
    game = table("undead_giant", "tok_bones / undead_skeleton").attack("A0.0", "B0.0")
    assert (game.bears("B0.0"), game.life(B)) == ("undead_skeleton, lost UNDEATH", 50)


@pytest.mark.parametrize(("acts", "damage"), [("any", 1), ("attack", 0)])
def test_rift_65_the_answer_passes_through_too(acts, damage):
    game = table("beast_cub / beast_troll", "beast_charger", rules={"relentless_on": acts}).attack("A0.0", "B0.0")
    assert (game.who(A), game.of("A0.0", "damage"), game.xp(B)) == ("beast_troll", damage, 0)


def test_rift_65_and_is_never_magic():
    game = table("beast_cub / beast_shellback", "undead_giant [has MAGIC]").attack("A0.0", "B0.0")
    assert (game.who(A), game.of("A0.0", "damage")) == ("beast_shellback", 1)  # half of 4 - 2


def test_rift_65_the_player_behind_has_armour():
    game = table("beast_charger", a("tok_bones", armour="leather_armour")).attack("A0.0", "B0.0")
    assert (game.life(B), game.armour(B), game.state["wounds"][B].sum()) == (49, "", 5)
