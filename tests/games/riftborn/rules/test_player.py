"""RIFT-50, 51 on the kernels: attacks on the opponent, damage to players, Armour."""

import pytest

from tests.games.riftborn.positions import A, B, a, table

STORM = "storm | spell | 1 | 0/0 | 50 | | damage_player {}"
HALL = "leather_armour, chain_armour"


# ---- attacks --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "life"),
    [
        *[("beast_troll", 46), ("beast_cub [3 rage]", 45), ("beast_pack", 47), ("beast_cub [9 weakness]", 50)],
        *[("soldier_crossbow [6 ready]", 40), ("beast_charger", 44)],
    ],
)
def test_rift_50_the_amount_is_that_of_a_strike_and_nobody_answers(attacker, life):
    game = table(attacker).attack("A0.0", "B")
    assert (game.life(B), game.of("A0.0", "damage"), game.of("A0.0", "acted")) == (life, 0, 1)
    assert (game.state["answer_damage"][B], game.xp(A)) == (0, 0)


def test_rift_50_double_attack_hits_twice_and_ready_once():
    assert table("beast_clawcat [2 ready]").attack("A0.0", "B").life(B) == 50 - 5 - 3


def test_rift_50_the_second_strike_with_a_new_target_may_hit_the_opponent_again():
    assert table("beast_hydra").attack("A0.0", "B").life(B) == 50 - 4 - 4


def test_rift_50_the_attacker_turns_face_up_and_pitfall_comes_before_the_strike():
    other = a("fae_trickster", tricks="pitfall, ambush")
    game = table("soldier_crossbow [face down]", other).attack("A0.0", "B")
    assert (game.bears("A0.0"), game.life(B), game.tricks(B)) == ("soldier_crossbow, 2 damage, acted", 46, "ambush")


# ---- Armour ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("damage", "armour", "life"),
    [
        *[(1, "leather_armour 3, chain_armour 9", 50), (4, "chain_armour 9", 50), (5, "chain_armour 8", 50)],
        *[(12, "chain_armour 1", 50), (13, "", 50), (14, "", 49)],
    ],
)
def test_rift_51_an_armour_absorbs_a_point_for_a_point_and_goes_at_0(damage, armour, life):
    attacker = f"undead_sleeper [lost DORMANT, {14 - damage + 9} weakness, 17 rage]"
    game = table(attacker, a(armour=HALL)).attack("A0.0", "B")
    assert game.state["wounds"][B].sum() == damage
    assert (game.armour(B), game.life(B)) == (armour, life)


def test_rift_51_a_depleted_armour_is_removed():
    mail = "mail | armour | 1 | 0/2 | 50 | DEPLETED |"
    game = table("beast_cub", a(armour="mail"), others=mail).attack("A0.0", "B")
    assert (game.pile("removed", B), game.pile("discard", B)) == ("mail", "")


def test_rift_51_points_do_not_come_back_and_do_not_expire():
    game = table("beast_cub", a(armour="chain_armour")).attack("A0.0", "B").end().end().end()
    assert (game.armour(B), game.life(B)) == ("chain_armour 7", 50)


def test_rift_51_healing_a_player_never_raises_armour():
    own = a("soldier_medic", hand="mending", armour=[{"card": "chain_armour", "points": 2}], life=47)
    game = table(own).play("mending").act("A0.0", "heal", "A")
    assert (game.armour(A), game.life(A)) == ("chain_armour 2", 50)


@pytest.mark.parametrize(
    ("who", "own", "other"),
    [
        ("3 enemy", (50, ""), (50, "leather_armour 1")),
        ("3 own", (47, ""), (50, "leather_armour 4")),
        ("5 both", (45, ""), (49, "")),
    ],
)
def test_rift_51_effects_meet_armour_too(who, own, other):
    game = table(hand="storm", other=a(armour="leather_armour"), others=STORM.format(who)).play("storm")
    assert ((game.life(A), game.armour(A)), (game.life(B), game.armour(B))) == (own, other)
