"""RIFT-45 to 49 on the kernels: an attack from its declaration to the second strike; G-17, G-20, G-21."""

import pytest

from sim.games.riftborn.state import Phase
from tests.games.riftborn.positions import A, B, a, table

SAPPER = "sapper | 1 | 1/9 | 100 | TRICK | trick destroy, chosen enemy 1"
CLIPPER = "clipper | 1 | 2/9 | 100 | TRICK | trick lose FLIGHT, trigger"
DUELLIST = "duellist | 1 | 3/20 | 100 | DOUBLE ATTACK | double_retarget"


# ---- declaration ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "may"),
    [
        *[("beast_cub", True), ("beast_cub [acted]", False), ("beast_cub [entered]", False), ("beast_runner [entered]", True)],
        *[("soldier_medic", False), ("undead_sleeper", False), ("beast_cub [charmed]", False)],
        *[("beast_cub [pacified]", False), ("beast_cub [charm waits, pacify waits]", True)],
    ],
)
def test_rift_45_who_attacks_has_its_action_and_is_not_pacifist_dormant_charmed_or_pacified(attacker, may):
    assert ("B0.0" in table(f"{attacker}, beast_boar", "soldier_guard").can("A0.0")) == may


def test_rift_45_declaring_spends_the_action_and_turns_both_face_up_before_the_ambush():
    game = table("beast_troll [face down]", a("fae_trickster [face down], fae_queen", tricks="ambush"))
    game.attack("A0.0", "B0.0")
    assert (game.phase, game.seat, game.tricks(B)) == (Phase.TRICK_FIRE, B, "")
    assert [game.of("A0.0", field) for field in ("acted", "face_down", "damage")] == [1, 0, 0]
    assert (game.of("B0.0", "face_down"), game.of("B0.0", "damage")) == (0, 0)


def test_rift_45_an_attacker_that_the_ambush_kills_does_not_strike():
    game = table("beast_cub, beast_boar", a("fae_trickster", tricks="ambush")).attack("A0.0", "B0.0")
    assert (game.who(A), game.bears("B0.0"), game.xp(A), game.xp(B)) == ("beast_boar", "fae_trickster", 0, 0)
    assert (game.phase, game.active, game.state["answer_damage"][B]) == (Phase.MAIN, A, 0)


def test_rift_45_a_target_that_is_gone_is_not_struck():
    martyr = "martyr | 1 | 1/3 | 100 | TRICK | trick destroy, subject"
    game = table("beast_charger", a("beast_cub, martyr / beast_boar", tricks="ambush"), more=martyr).attack("A0.0", "B0.0")
    assert (game.who(B), game.life(B), game.of("A0.0", "damage")) == ("martyr / beast_boar", 50, 0)
    assert (game.of("B1.0", "damage"), game.of("A0.0", "acted"), game.xp(A)) == (0, 1, 0)


@pytest.mark.parametrize(("victim", "answer"), [("A1.1", 0), ("A0.0", 0)])
def test_rift_45_the_attack_goes_on_if_the_geometry_changes_and_the_answer_stays_as_it_was(victim, answer):
    """An archer strikes from the second row; with the front row gone it stands adjacent, and is still not answered."""
    game = table("beast_cub / soldier_archer, beast_boar", a("sapper", tricks="ambush"), more=SAPPER)
    archer = game.creature("A1.0")
    game.attack("A1.0", "B0.0", victim)
    assert (game.of("B0.0", "damage"), game.state["damage"][archer]) == (2, answer)
    assert game.spot(archer) == ("A0.0" if victim == "A0.0" else "A1.0")


def test_rift_45_nor_does_it_stop_if_the_target_is_out_of_reach_now():
    game = table("beast_hawk", a("beast_cub / clipper", tricks="ambush"), more=CLIPPER).attack("A0.0", "B1.0")
    assert (game.of("B1.0", "damage"), game.of("A0.0", "damage")) == (2, 1)
    assert "lost FLIGHT" in game.bears("A0.0")


# ---- the strike -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "target", "damage"),
    [
        ("soldier_crossbow [6 ready]", "beast_hydra", 10),
        ("beast_troll [3 rage, 1 weakness]", "beast_hydra", 6),
        ("beast_pack", "beast_hydra", 3),
        ("beast_charger", "beast_shellback [5 health]", 3),
        ("fae_drake", "beast_shellback [5 health]", 5),
        ("soldier_knight", "beast_shellback", 2),
        ("beast_charger", "beast_hydra [4 shield]", 2),
        ("beast_charger", "beast_hydra [9 shield]", 0),
        ("beast_charger", "beast_hydra [has RESISTANCE, 2 shield]", 1),
        ("soldier_crossbow [3 ready]", "beast_shellback", 3),
        ("soldier_crossbow [3 ready]", "beast_troll [3 shield]", 4),
    ],
)
def test_rift_46_92_99_102_attack_and_ready_then_resistance_then_shields(attacker, target, damage):
    game = table(attacker, target).attack("A0.0", "B0.0")
    assert (game.of("B0.0", "damage"), game.of("A0.0", "ready")) == (damage, 0)


def test_rift_46_without_damage_there_is_no_rage():
    game = table("beast_cub [2 weakness]", "beast_boar").attack("A0.0", "B0.0")
    assert game.bears("B0.0") == "beast_boar"


def test_rift_46_siphon_heals_what_the_strike_dealt_and_not_what_passes_on():
    game = table("undead_giant [has SIPHON, 9 damage]", "tok_bones / undead_sleeper").attack("A0.0", "B0.0")
    assert (game.of("A0.0", "damage"), game.who(B)) == (2, "")


# ---- the answer -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "target", "damage"),
    [
        ("beast_troll", "beast_boar [4 rage]", 3),  # 2 + 4 + 1
        ("beast_troll", "soldier_recruit [1 weakness]", 0),
        ("beast_troll", "soldier_knight", 5),
        ("beast_troll", "soldier_pikeman", 1),
        ("soldier_shieldbearer", "soldier_pikeman", 1),
        ("soldier_shieldbearer", "soldier_knight", 0),
        ("soldier_knight", "soldier_pikeman [6 rage]", 2),
        ("fae_mage", "beast_shellback", 1),
        ("beast_shellback", "soldier_pikeman", 0),
        ("beast_shellback", "soldier_knight", 2),
        ("beast_shellback", "fae_drake", 1),
        ("beast_troll", "undead_sleeper", 0),
        ("beast_troll", "undead_sleeper [lost DORMANT]", 3),
        ("beast_troll [1 shield]", "soldier_knight", 4),
        ("beast_troll", "fae_peacekeeper [charm waits]", 1),
        ("beast_troll", "soldier_knight [pacify waits]", 5),
        ("beast_shellback [has BLOCK]", "soldier_pikeman [6 rage]", 1),  # PIERCE first, then RESISTANCE
    ],
)
def test_rift_47_81_82_94_95_114_golden_g17_g20_g21_the_answer(attacker, target, damage):
    game = table(attacker, target).attack("A0.0", "B0.0")
    assert game.of("A0.0", "damage") == damage


def test_rift_47_without_dead_retaliate_whoever_returns_by_undeath_still_answers():
    game = table("beast_charger", "undead_wight", rules={"dead_retaliate": False}).attack("A0.0", "B0.0")
    assert (game.bears("B0.0"), game.of("A0.0", "damage")) == ("undead_wight, 3 damage, lost UNDEATH", 1)


@pytest.mark.parametrize(("counts", "damage"), [(True, 2), (False, 1)])
def test_rift_47_the_rage_of_the_strike_counts_in_the_answer(counts, damage):
    game = table("beast_troll", "beast_boar [1 rage]", rules={"rage_before_retaliation": counts})
    assert game.attack("A0.0", "B0.0").of("A0.0", "damage") == damage
    assert game.of("B0.0", "rage") == 2


# ---- deaths and experience ------------------------------------------------------------------------------------------


def test_rift_48_without_mutual_kill_xp_a_survivor_still_earns():
    game = table("beast_troll", "soldier_pikeman", rules={"mutual_kill_xp": False}).attack("A0.0", "B0.0")
    assert game.xp(A) == 300


def test_rift_48_the_strike_and_its_pass_through_earn_the_answer_does_not():
    game = table("beast_charger [5 damage]", "soldier_archer / soldier_crossbow").attack("A0.0", "B0.0")
    assert (game.who(A), game.who(B), game.life(B), game.xp(A), game.xp(B)) == ("", "", 49, 200 + 400, 0)


def test_rift_48_waiting_tricks_come_after_the_experience():
    game = table("beast_charger", a("beast_cub, fae_queen", tricks="wake", library="spark")).attack("A0.0", "B0.0")
    assert (game.phase, game.seat, game.xp(A), game.who(B)) == (Phase.TRICK_FIRE, B, 100, "fae_queen")
    assert game.do("B0.0 second").hand(B) == "spark"


# ---- DOUBLE ATTACK --------------------------------------------------------------------------------------------------


def test_rift_49_ready_is_used_up_by_the_first_strike():
    game = table("beast_clawcat [2 ready]", "undead_sleeper [5 health]").attack("A0.0", "B0.0")
    assert (game.of("B0.0", "damage"), game.of("A0.0", "ready")) == (5 + 3, 0)


def test_rift_49_a_target_that_is_gone_is_not_struck_again_but_one_that_returned_is():
    gone = table("beast_clawcat", "beast_cub / beast_boar").attack("A0.0", "B0.0")
    assert (gone.who(B), gone.of("B0.0", "damage"), gone.life(B)) == ("beast_boar", 0, 50)
    back = table("beast_clawcat", "undead_skeleton").attack("A0.0", "B0.0")
    assert (back.who(B), back.xp(A), back.of("A0.0", "damage")) == ("", 100, 2)


def test_rift_49_an_attacker_that_is_gone_does_not_strike_again():
    game = table("beast_clawcat [4 damage]", "soldier_knight").attack("A0.0", "B0.0")
    assert (game.who(A), game.of("B0.0", "damage")) == ("", 3)


@pytest.mark.parametrize(("whom", "left"), [("B0.0", "beast_cub"), ("B0.1", "beast_boar")])
def test_rift_49_with_double_retarget_the_second_strike_goes_to_any_target_legal_then(whom, left):
    game = table("duellist", "tok_bones / beast_boar [4 damage], beast_cub [1 damage]", more=DUELLIST)
    game.attack("A0.0", "B0.0")
    assert (game.phase, game.options) == (Phase.TARGET, ["B0.0", "B0.1"])
    assert game.do(whom).who(B) == left


def test_rift_49_the_new_target_may_be_the_opponent_and_the_old_target_alive():
    game = table("duellist", "tok_bones", more=DUELLIST).attack("A0.0", "B0.0")
    assert (game.who(B), game.life(B), game.xp(A)) == ("", 47, 50)
    chosen = table("duellist [has RANGE(3)]", "tok_bones / beast_hydra", more=DUELLIST).attack("A0.0", "B1.0")
    assert chosen.options == ["B0.0", "B1.0", "B"]
    assert chosen.do("B").life(B) == 47


@pytest.mark.parametrize(("whom", "damage", "life"), [("B0.0", 5, 50), ("B", 0, 47)])
def test_rift_49_whether_a_new_target_answers_is_decided_anew_without_a_new_declaration(whom, damage, life):
    other = a("soldier_knight, fae_queen / beast_cub", tricks="pitfall")
    game = table("duellist [has RANGE(2)], soldier_guard", other, more=DUELLIST).attack("A0.0", "B1.0")
    assert (game.of("A0.0", "damage"), game.options) == (0, ["B0.0", "B0.1", "B"])
    game.do(whom)
    assert (game.of("A0.0", "damage"), game.life(B), game.tricks(B)) == (damage, life, "pitfall")


def test_rift_49_without_a_legal_target_there_is_no_second_strike():
    own, other = "beast_cub / duellist [has RANGE(2)]", "tok_bones / fae_stalker"
    game = table(own, other, more=DUELLIST).attack("A1.0", "B0.0")
    assert (game.who(B), game.phase, game.life(B), game.of("B0.0", "damage")) == ("fae_stalker", Phase.MAIN, 50, 0)
