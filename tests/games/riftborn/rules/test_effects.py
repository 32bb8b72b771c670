"""Every effect on creatures and players (RIFT-15, 21, 27, 51, 60, 63 to 74, 82, 87, 94)."""

import pytest

from sim.games.riftborn.state import Phase
from tests.games.riftborn.positions import A, B, a, cast

KINDS = ("rage", "health", "shield", "weakness", "decay")

# what is done to creatures


def test_rift_15_63_damage_hits_shields_first_stirs_rage_and_is_not_answered():
    game = cast("damage 4, chosen enemy 1", "beast_cub", "beast_boar [1 shield]")
    assert game.bears("B0.0") == "beast_boar, 3 damage, 1 rage"


def test_rift_64_heal_removes_damage_as_far_as_there_is_any():
    assert cast("heal 3, chosen friend 1", "beast_troll [5 damage]").bears("A0.0") == "beast_troll, 2 damage"
    assert cast("heal 9, chosen friend 1", "beast_troll [5 damage, 1 decay]").bears("A0.0") == "beast_troll, 1 decay"


@pytest.mark.parametrize("kind", KINDS)
def test_rift_66_67_68_tokens_are_added_and_cleared_down_to_none(kind):
    game = cast(f"add {kind} 2, each any", f"beast_troll [1 {kind}]", "soldier_knight")
    assert (game.of("A0.0", kind), game.of("B0.0", kind)) == (3, 2)
    game = cast(f"clear {kind} 2, each any", f"beast_troll [3 {kind}]", f"soldier_knight [1 {kind}]")
    assert (game.of("A0.0", kind), game.of("B0.0", kind)) == (1, 0)


@pytest.mark.parametrize(
    ("effects", "before"), [("add decay 2, each enemy", "2 damage"), ("clear health 2, each enemy", "2 health, 4 damage")]
)
def test_rift_70_74_less_health_kills_at_once_whatever_the_shields(effects, before):
    game = cast(effects, "", f"soldier_drummer [{before}, 5 shield]")
    assert (game.who(B), game.pile("discard", B), game.xp(A)) == ("", "soldier_drummer", 50)


@pytest.mark.parametrize(
    ("granted", "before", "after"),
    [
        ("RANGE(3)", "soldier_archer", "soldier_archer, has RANGE(3)"),
        ("RANGE(2)", "soldier_crossbow", "soldier_crossbow"),
        ("UNDEATH", "undead_wight", "undead_wight, has UNDEATH(2)"),
        ("UNDEATH", "undead_wight [lost UNDEATH]", "undead_wight"),
        ("VANGUARD", "beast_cub", "beast_cub, has VANGUARD"),
        ("MAGIC", "beast_pack", "beast_pack"),
        ("SWARM(2)", "undead_lich", "undead_lich, has SWARM(2)"),
    ],
)
def test_rift_60_an_ability_is_gained_for_good_and_the_larger_x_stays(granted, before, after):
    assert cast(f"grant {granted}, chosen friend 1", before).bears("A0.0") == after


def test_rift_60_an_ability_is_lost_for_good_but_not_one_that_an_aura_gives():
    game = cast("lose UNDEATH, chosen enemy 1", "", "undead_lich")
    assert game.bears("B0.0") == "undead_lich, lost UNDEATH(2)"
    assert game.end().end().bears("B0.0") == "undead_lich, lost UNDEATH(2)"
    own = "beast_shellback, fae_treant"
    game = cast("lose RESISTANCE, each any", own, "beast_charger").end().attack("B0.0", "A0.0")
    assert game.of("A0.0", "damage") == 3


def test_rift_70_71_destroy_heeds_no_shields_but_undeath():
    game = cast("destroy, each enemy", "", "beast_hydra [9 shield], undead_wight, beast_boar")
    assert (game.who(B), game.bears("B0.0")) == ("undead_wight", "undead_wight, 3 damage, lost UNDEATH")


@pytest.mark.parametrize(("variant", "xp"), [("attacks", 0), ("any_own_damage", 700)])
def test_rift_73_kills_by_effects_pay_only_by_another_variant(variant, xp):
    """The hydra by damage or destruction; its own cub and creatures that die of Decay never pay."""
    rules = {"kill_xp": variant}
    for effects in ("destroy, each any", "damage 12, each any"):
        game = cast(effects, "beast_cub", "beast_hydra", rules=rules)
        assert (game.who(A), game.who(B), game.xp(A), game.xp(B)) == ("", "", 50 + xp, 0)
    game = cast("add decay 12, each any", "beast_cub", "beast_hydra", rules=rules)
    assert (game.who(B), game.xp(A)) == ("", 50)


def test_rift_82_94_charm_and_pacify_wait_for_the_next_own_turn_of_whoever_bears_them():
    game = cast("charm, each any; pacify, same", "beast_cub", "beast_cub")
    assert game.bears("B0.0") == game.bears("A0.0") == "beast_cub, charm waits, pacify waits"
    assert game.can("A0.0") == ["B0.0"]
    assert game.end().bears("B0.0") == "beast_cub, charmed, pacified"
    assert game.end().bears("A0.0") == "beast_cub, charmed, pacified"


# what is done to players


@pytest.mark.parametrize(("who", "lives"), [("own", (47, 50)), ("enemy", (50, 47)), ("both", (47, 47))])
def test_rift_51_damage_player_hits_whom_it_says(who, lives):
    game = cast(f"damage_player 3 {who}")
    assert (game.life(A), game.life(B)) == lives


def test_rift_51_armour_takes_damage_of_effects_too():
    game = cast("damage_player 6 enemy", "", a("", armour="leather_armour, chain_armour"))
    assert (game.life(B), game.armour(B), game.pile("discard", B)) == (50, "chain_armour 7", "leather_armour")


@pytest.mark.parametrize(("life", "healed"), [(40, 44), (48, 50)])
def test_rift_90_heal_player_heals_the_own_player_up_to_the_start(life, healed):
    game = cast("heal_player 4", a("", life=life), a("", life=20))
    assert (game.life(A), game.life(B)) == (healed, 20)


def test_rift_87_104_107_draw_scry_and_spy_are_those_of_the_abilities():
    own = a("", library="spark, mending, wither, recall")
    game = cast("draw 1; scry 3; spy 2", own, a("", library="awaken"), 2, 0)
    assert (game.hand(A), game.pile("library", A)) == ("spark", "recall, mending, wither")
    assert (int(game.state["known_own"][A]), int(game.state["known_other"][B])) == (3, 1)


def test_rift_120_123_recall_shuffles_the_discard_pile_in_without_the_spell_itself():
    own = a("", library="spark", discard="mending, wither")
    game = cast("recall", own)
    assert (sorted(game.pile("library", A).split(", ")), game.pile("discard", A)) == (["mending", "spark", "wither"], "charge")


def test_rift_21_gain_xp_raises_the_level_at_once():
    game = cast("gain_xp 500", a("", xp=0, hand="beast_cub"))
    assert (game.xp(A), game.level(A), "play beast_cub" in game.options) == (550, 2, True)


def test_rift_27_summon_places_tokens_anywhere_and_gains_their_experience():
    game = cast("summon tok_bones 3", "beast_cub, beast_cub", "", "0.1")
    assert game.options == ["0.0", "0.1", "0.2", "0.3", "1.0"]
    game.do("1.0", "1.1")
    assert game.who(A) == "beast_cub, tok_bones, beast_cub / tok_bones, tok_bones"
    assert (game.xp(A), int(game.state["used_levels"][A]), game.can("A0.1")) == (50 + 150, 1, ["A0.0", "A0.2", "A1.0", "A1.1"])


def test_rift_30_summon_ends_where_there_is_no_room():
    game = cast("summon tok_bones 9", "beast_cub", "", rules={"max_rows": 1, "max_per_row": 3}).do("0.0", "0.0")
    assert (game.who(A), game.xp(A), game.phase) == ("tok_bones, tok_bones, beast_cub", 150, Phase.MAIN)


def test_rift_27_play_free_plays_a_creature_of_the_hand_up_to_its_level_without_budget():
    own = a("", hand="beast_cub, beast_troll, spark, beast_boar, fae_seer", library="mending")
    game = cast("play_free 3", own)
    assert game.options == ["beast_cub", "beast_boar", "fae_seer"]
    game.do("fae_seer")
    assert (game.who(A), game.hand(A)) == ("fae_seer", "beast_cub, beast_troll, spark, beast_boar, mending")
    assert (game.xp(A), int(game.state["used_levels"][A]), game.pile("discard", A)) == (50 + 200, 1, "charge")


def test_rift_28_122_play_free_without_such_a_creature_or_room_does_nothing():
    game = cast("play_free 1", a("", hand="beast_troll, spark"))
    assert (game.hand(A), game.pile("discard", A)) == ("beast_troll, spark", "charge")
    rules = {"max_rows": 1, "max_per_row": 1}
    assert cast("play_free 1", a("beast_boar", hand="beast_cub"), rules=rules).hand(A) == "beast_cub"
