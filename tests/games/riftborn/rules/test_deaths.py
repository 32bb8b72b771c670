"""RIFT-70 to 75 on the kernels: death checks, UNDEATH, where the dead go, who is paid; G-03."""

import pytest

from sim.games.riftborn.state import Harm
from tests.games.riftborn.positions import A, B, a, table

GLOOM = "gloom | 1 | 1/3 | 100 | AURA(3) | aura enemy health -1"
BANNER = "banner | 1 | 1/3 | 100 | AURA(2) | aura friend health 1"
BLAST = "blast | spell | 1 | 0/0 | 50 | | {}"
OWN_DAMAGE = {"kill_xp": "any_own_damage"}


# ---- death checks ---------------------------------------------------------------------------------------------------


def test_rift_70_after_an_action():
    game = table("soldier_drummer [morale health], soldier_recruit [2 damage]").act("A0.0", "morale")
    assert (game.who(A), game.pile("discard", A)) == ("soldier_drummer", "soldier_recruit")


def test_rift_70_all_are_found_at_the_same_time():
    strike = table("beast_charger [4 damage]", "undead_giant [5 damage, lost UNDEATH]").attack("A0.0", "B0.0")
    assert (strike.who(A), strike.who(B)) == ("", "")
    # the banner's Health does not save its friend: both are found before either leaves
    blast = table("", "banner, beast_cub", hand="blast", more=BANNER, others=BLAST.format("damage 3, each enemy"))
    assert blast.play("blast").who(B) == ""


def test_rift_70_it_is_repeated_until_nobody_is_found():
    chain = "banner [2 damage], banner [3 damage], banner [4 damage]"  # 3, 1 + 3 and 2 + 3 Health by turns
    game = table("beast_cub", f"{chain}, beast_cub [2 damage]", more=BANNER)
    assert [game.stats(f"B0.{index}") for index in range(4)] == ["1/5", "1/5", "1/5", "2/4"]
    game = table("undead_giant", "banner, beast_cub [2 damage], soldier_recruit [1 damage]", more=BANNER)
    assert game.attack("A0.0", "B0.1").who(B) == "banner, soldier_recruit"
    first = table("undead_giant, tok_bones, tok_bones", "banner, beast_cub [2 damage], soldier_recruit [1 damage]", more=BANNER)
    assert (first.attack("A0.0", "B0.0").who(B), first.xp(A)) == ("soldier_recruit", 100)
    assert first.pile("discard", B) == "banner, beast_cub"


# ---- UNDEATH --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("creature", "bears"),
    [
        ("undead_wight [1 health]", "undead_wight, 4 damage, 1 health, lost UNDEATH"),
        ("undead_giant [5 decay]", "undead_giant, 4 damage, 5 decay, lost UNDEATH"),
        ("undead_skeleton", "undead_skeleton, lost UNDEATH"),
        ("undead_lich [6 damage]", "undead_lich, 7 damage, has UNDEATH"),
        ("undead_wight [2 rage, 1 weakness, 3 ready]", "undead_wight, 3 damage, 2 rage, 1 weakness, 3 ready, lost UNDEATH"),
        ("undead_wight [charm waits]", "undead_wight, 3 damage, lost UNDEATH, charm waits"),
    ],
)
def test_rift_71_golden_g03_it_returns_in_its_place_with_one_health_and_all_it_bears(creature, bears):
    game = table("beast_charger", f"{creature} / beast_hydra").attack("A0.0", "B0.0")
    assert (game.bears("B0.0"), game.xp(A), game.of("B1.0", "damage")) == (bears, 0, 0)
    assert game.pile("discard", B) == ""


def test_rift_71_it_returns_face_up_and_is_not_killed():
    other = a("undead_skeleton [face down], fae_trickster", tricks="wake")
    game = table("", other, hand="blast", others=BLAST.format("damage 1, each enemy")).play("blast")
    assert (game.bears("B0.0"), game.tricks(B)) == ("undead_skeleton, lost UNDEATH", "wake")


def test_rift_71_the_maximum_is_taken_after_the_dead_of_the_round_have_left():
    other = "soldier_drummer [morale health, 1 damage], undead_wight [2 damage]"  # 4 + 1 Health while it drums
    game = table("", other, hand="blast", others=BLAST.format("damage 3, each enemy")).play("blast")
    assert (game.bears("B0.0"), game.stats("B0.0")) == ("undead_wight, 3 damage, lost UNDEATH", "3/4")


@pytest.mark.parametrize(("creature", "decay"), [("undead_skeleton", 1), ("undead_lich", 8)])
def test_rift_71_with_a_maximum_of_0_it_is_found_again_until_none_is_left(creature, decay):
    game = table("", creature, hand="blast", others=BLAST.format(f"add decay {decay}, each enemy")).play("blast")
    assert (game.who(B), game.pile("discard", B)) == ("", creature)


@pytest.mark.parametrize(
    ("effect", "creature", "cause"),
    [
        ("add decay 1, each enemy", "undead_skeleton", Harm.DECAY),
        ("add decay 8, each enemy", "undead_lich", Harm.DECAY),
        ("clear health 1, each enemy", "undead_skeleton [1 health, 1 decay]", Harm.EFFECT),
        ("damage 1, each enemy", "banner, undead_skeleton [1 decay]", Harm.NONE),
    ],
)
def test_rift_71_who_returns_without_health_dies_of_what_took_the_maximum_away(effect, creature, cause):
    """The last one had 1 Health by the banner, which is killed with it: it returns from damage and dies of the lost bonus."""
    weak = BANNER.replace("1/3", "1/1")
    game = table("", creature, hand="blast", more=weak, others=BLAST.format(effect)).play("blast")
    assert (game.who(B), game.state["deaths"][B, cause]) == ("", 1)


# ---- the dead -------------------------------------------------------------------------------------------------------


def test_rift_72_they_leave_their_card_goes_to_its_owners_discard_pile_and_tokens_vanish():
    other = a("beast_cub [3 rage, 1 health], beast_boar", discard="spark", hand="beast_cub")
    game = table("undead_giant", other).attack("A0.0", "B0.0")
    assert (game.who(B), game.pile("discard", B), game.pile("discard", A)) == ("beast_boar", "spark, beast_cub", "")
    assert game.end().play("beast_cub", "0.0").bears("B0.0") == "beast_cub, entered"


def test_rift_72_a_depleted_creature_is_removed():
    game = table("undead_giant", "mayfly", more="mayfly | 1 | 1/1 | 100 | DEPLETED |").attack("A0.0", "B0.0")
    assert (game.pile("removed", B), game.pile("discard", B)) == ("mayfly", "")


# ---- who is paid ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paid", ["attacks", "any_own_damage"])
def test_rift_73_kills_by_strikes_pass_through_and_weapons_are_paid(paid):
    rules = {"kill_xp": paid}
    strike = table("beast_charger", "beast_cub / beast_hawk", rules=rules).attack("A0.0", "B0.0")
    assert strike.xp(A) == 100 + 200
    assert table("", "beast_cub", weapons="short_sword", rules=rules).wield("short_sword").xp(A) == 100


@pytest.mark.parametrize("paid", ["attacks", "any_own_damage"])
def test_rift_73_kills_by_tokens_lost_bonuses_and_answers_are_not(paid):
    rules = {"kill_xp": paid}
    decay = table("", "beast_cub", hand="blast", others=BLAST.format("add decay 2, each enemy"), rules=rules).play("blast")
    bonus = table("", "beast_cub [1 damage]", hand="gloom", more=GLOOM, rules=rules).play("gloom")
    assert (decay.who(B), decay.xp(A), bonus.who(B), bonus.xp(A)) == ("", 50, "", 100)
    answer = table("beast_cub", "soldier_knight", rules=rules).attack("A0.0", "B0.0")
    assert (answer.who(A), answer.xp(B)) == ("", 0)


@pytest.mark.parametrize(("paid", "xp"), [("attacks", 0), ("any_own_damage", 200)])
@pytest.mark.parametrize("effect", ["damage 2, each enemy", "destroy, each enemy"])
def test_rift_73_damage_of_effects_pays_only_with_any_own_damage(paid, xp, effect):
    other = "beast_cub [2 shield], beast_hawk" if effect.startswith("damage") else "beast_hawk"
    game = table("", other, hand="blast", others=BLAST.format(effect), rules={"kill_xp": paid}).play("blast")
    assert (game.pile("discard", B), game.xp(A)) == ("beast_hawk", 50 + xp)


@pytest.mark.parametrize(("paid", "xp"), [("attacks", 0), ("any_own_damage", 100)])
def test_rift_73_so_do_alternative_actions_and_tricks_to_their_controller(paid, xp):
    sage = "sage | 1 | 1/4 | 100 | SPELL | action damage 2, chosen enemy 1"
    action = table("sage", "beast_cub", more=sage, rules={"kill_xp": paid}).act("A0.0", "spell")
    assert (action.who(B), action.xp(A)) == ("", xp)
    trick = table("beast_cub", a("fae_trickster", tricks="ambush"), rules={"kill_xp": paid}).attack("A0.0", "B0.0")
    assert (trick.who(A), trick.xp(B), trick.xp(A)) == ("", xp, 0)


def test_rift_73_nobody_is_paid_for_own_creatures():
    game = table("beast_cub", hand="blast", others=BLAST.format("damage 2, each any"), rules=OWN_DAMAGE).play("blast")
    assert (game.who(A), game.xp(A), game.xp(B)) == ("", 50, 0)


def test_rift_73_the_damage_must_have_left_it_without_an_unused_undeath():
    """The skeleton behind lives on the drummer's Health: it returns, and falls once more when that is gone, for nothing."""
    rows = "soldier_drummer [morale health] / undead_skeleton [1 decay]"
    game = table("beast_charger", rows).attack("A0.0", "B0.0")
    assert (game.who(B), game.xp(A), game.pile("discard", B)) == ("", 300, "soldier_drummer, undead_skeleton")


def test_rift_73_credit_for_who_was_saved_ends_with_the_death_check():
    game = table("beast_cub", "beast_troll")
    game.state["credit"][game.creature("B0.0")] = 1 + A
    game.state["crediting"] = game.state["shaken"] = 1
    assert (game.end().who(B), game.state["credit"].any()) == ("beast_troll", False)


def test_rift_73_who_was_killed_by_the_blow_is_paid_though_others_fall_with_it():
    game = table("undead_giant, tok_bones, tok_bones", "banner, beast_cub [2 damage], beast_hydra", more=BANNER)
    assert game.attack("A0.0", "B0.0").who(B) == "beast_hydra"
    assert game.xp(A) == 100  # of the banner, not of the cub that lived on it


@pytest.mark.parametrize(
    "effect", ["clear health 2, each enemy", "add decay 2, each enemy", "destroy, each enemy", "damage 2, each enemy"]
)
def test_rift_74_it_dies_however_it_came_to_that(effect):
    others = BLAST.format(effect)
    game = table("", "beast_hydra [12 damage, 2 health]", hand="blast", others=others).play("blast")
    assert (game.who(B), game.pile("discard", B)) == ("", "beast_hydra")


def test_rift_74_even_unhurt_where_its_maximum_falls_to_0():
    game = table("", "beast_runner, beast_cub", hand="gloom", more=GLOOM).play("gloom")
    assert (game.who(B), game.stats("B0.0")) == ("beast_cub", "2/1")


@pytest.mark.parametrize(("shields", "who"), [(0, ""), (2, "beast_hydra")])
def test_rift_74_destroy_is_not_absorbed_but_damage_is(shields, who):
    creature = f"beast_hydra [11 damage, {shields} shield]" if shields else "beast_hydra [11 damage]"
    damage = table("", creature, hand="blast", others=BLAST.format("damage 2, each enemy")).play("blast")
    destroy = table("", creature, hand="blast", others=BLAST.format("destroy, each enemy")).play("blast")
    assert (damage.who(B), destroy.who(B)) == (who, "")


def test_rift_75_a_killed_token_is_gone():
    game = table("beast_troll", "tok_bones").attack("A0.0", "B0.0")
    assert (game.who(B), game.pile("discard", B), game.pile("removed", B), game.xp(A)) == ("", "", "", 50)


def test_rift_75_84_if_that_is_depleted_it_is_removed():
    shifter = "newt | 1 | 1/1 | 100 | DEPLETED, TRANSFORM | transform tok_dire_beast"
    game = table("undead_giant", "tok_dire_beast over newt", more=shifter).attack("A0.0", "B0.0")
    assert (game.pile("removed", B), game.pile("discard", B)) == ("newt", "")
