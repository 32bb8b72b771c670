"""RUNE-50 to 78 on the kernels: what can be played, payment, places, keywords, answers, triggers."""

import pytest

from sim.games.runeslingers.state import Phase
from tests.games.runeslingers.positions import A, B, a_duel

CHOICE = "fork | utility | 0 | 0 | c | {} | bullet lose 2 -> enemy; bullet destroy -> defence; bullet destroy -> runespell"


# ---- what is needed -------------------------------------------------------------------------------------------------


def test_rune_50_light_of_pool_and_ready_concentrations():
    game = a_duel().concs(A, 1).concs(A, 2, used=True).with_hand(A, "fireball", "small_bolt")
    assert game.offers("play") == ["small_bolt"]
    game = a_duel().concs(A, 1).concs(A, 2, used=True).has(A, light=2).with_hand(A, "fireball", "small_bolt")
    assert game.offers("play") == ["fireball", "small_bolt"]


def test_rune_50_other_costs_and_a_place():
    assert a_duel().concs(A).with_hand(A, "light_surge").offers("play") == []
    assert a_duel().concs(A).with_hand(A, "light_surge", "insight").offers("play") == ["light_surge"]
    assert a_duel().has(A, light=3).with_hand(A, "fireball").offers("play") == []


def test_rune_50_a_target_for_each_targeting_effect():
    both = "both | utility | 0 | 0 | c | | lose 1 -> enemy, destroy -> defence"
    assert a_duel(both).concs(A).with_hand(A, "both").offers("play") == []
    assert a_duel(both).concs(A).on_slot(B, "ward_stone").with_hand(A, "both").offers("play") == ["both"]


@pytest.mark.parametrize(("word", "own", "enemies", "is_open"), [
    ("concentration", 1, 0, False), ("concentration", 2, 0, True), ("concentration", 1, 1, True), ("card", 1, 0, False),
    ("card", 2, 0, True), ("card", 1, 1, True),
])  # fmt: skip
def test_rune_50_targets_are_counted_after_the_card_covers_its_own_concentration(word, own, enemies, is_open):
    pry = f"pry | utility | 0 | 0 | c | | destroy -> {word}"
    game = a_duel(pry).concs(A, own).concs(B, enemies).with_hand(A, "pry")
    assert game.offers("play") == (["pry"] if is_open else [])


def test_rune_50_a_boon_covers_no_concentration():
    blight = "blight | boon | 0 | 5 | c | | destroy -> concentration"
    assert a_duel(blight).concs(A).ailments(B, burn=1).with_hand(A, "blight").offers("play") == ["blight"]


@pytest.mark.parametrize("keyword", ["choice", "fate"])
def test_rune_50_one_bullet_whose_targets_exist_is_enough(keyword):
    needy = f"needy | utility | 0 | 0 | c | {keyword} | bullet destroy -> defence; bullet destroy -> runespell"
    assert a_duel(needy).concs(A).with_hand(A, "needy").offers("play") == []
    assert a_duel(needy).concs(A).on_slot(B, "ward_stone").with_hand(A, "needy").offers("play") == ["needy"]


def test_rune_50_only_in_the_own_play_phase():
    game = a_duel().concs(B, 6).with_hand(B, "fireball")
    assert game.seat == A
    assert game.end().phase == Phase.PASS


# ---- the steps ------------------------------------------------------------------------------------------------------


def test_rune_51_the_steps_in_order():
    """Slot and cost before types, types before targets, triggers on slinging before the answer, effects last."""
    dart = "dart | attack | 1 | 0 | c | distract | cost discard 1; damage 3 -> runeslinger hit apply 2 choose distinct"
    game = a_duel(dart, stances=("when sling_attack: lose 1 -> enemy", "")).concs(A, 1).concs(A, 1, name="cleanse")
    game.with_hand(A, "dart", "insight", "shatter").with_hand(B, "counter_rune").concs(B, 2)
    game.play("dart")
    assert (game.phase, game.conc_words(A)[:12]) == (Phase.SLOT, "ready, ready")
    game.choose("slot 1")
    assert (game.phase, game.options, game.conc_words(A)[:11]) == (Phase.DISCARD, ["insight", "shatter"], "ready, used")
    assert game.at("A1") == ""
    game.choose("insight")
    assert (game.phase, game.at("A1"), game.pile("discard", A)) == (Phase.AILMENT, "dart", "insight")
    assert game.choose("burn").options == ["debilitate", "curse", "fragment", "weaken", "insanity"]
    assert game.choose("curse").phase == Phase.TARGET
    assert game.choose("B").phase == Phase.ANSWER
    assert game.both("health")[B] == 19
    assert game.choose("no").phase == Phase.BLOCK
    game.choose("no")
    assert game.both("health")[B] == 19 - 3 - 2  # and the loss for the burn
    assert game.areas(B) == "burn 1, curse 1, -, -"


def test_rune_51_effects_resolve_in_written_order():
    game = a_duel("tide | utility | 0 | 0 | c | | lose 3, heal 9, lose 1").has(A, health=5).concs(A).with_hand(A, "tide")
    assert (game.play("tide").both("health")[A], game.both("power")[A]) == (10, 5)


def test_rune_51_keywords_come_before_types_and_targets():
    """A07."""
    fork = "fork | utility | 0 | 0 | c | choice | bullet apply 1 choose -> runeslinger; bullet lose 1 -> runeslinger"
    game = a_duel(fork).concs(A).with_hand(A, "fork").play("fork")
    assert game.phase == Phase.BULLET
    assert game.choose("bullet 0").phase == Phase.AILMENT
    assert game.choose("weaken", "B").areas(B) == "weaken 1, -, -, -"


def test_rune_52_light_of_the_pool_is_spent_first_and_surplus_stays():
    game = a_duel().concs(A, 3).has(A, light=5).with_hand(A, "fireball").play("fireball", "B")
    assert (game.both("light")[A], game.conc_words(A)[:19]) == (2, "ready, ready, ready")
    game = a_duel().concs(A, 3).has(A, light=2).with_hand(A, "fireball").play("fireball", "B")
    assert (game.both("light")[A], game.conc_words(A)[:18]) == (0, "used, ready, ready")


def test_rune_52_then_the_concentration_to_be_covered_then_the_lowest():
    game = a_duel().concs(A, 1, name="shatter").concs(A, 1).concs(A, 1, name="cleanse")
    game.with_hand(A, "echo_chant").play("echo_chant", "slot 2")
    assert (game.conc_words(A)[:17], game.at("A2")) == ("used, ready, used", "echo_chant")
    used = a_duel().concs(A, 2).concs(A, 1, used=True).with_hand(A, "ward_stone").play("ward_stone", "slot 2")
    assert used.conc_words(A)[:17] == "used, ready, used"


def test_rune_52_a_boon_covers_none_and_is_paid_from_the_lowest():
    game = a_duel().concs(A, 3).ailments(A, burn=1).with_hand(A, "binding").play("binding")
    assert game.conc_words(A)[:18] == "used, ready, ready"


def test_rune_53_chants_and_trinkets_on_any_exposed_concentration():
    game = a_duel().concs(A, 2).concs(A, 1, used=True).on_slot(A, "ward_stone").with_hand(A, "echo_chant")
    assert game.play("echo_chant").options == ["slot 0", "slot 2"]  # slot 1 is as slot 0
    assert game.choose("slot 2").at("A2") == "echo_chant"


def test_rune_54_no_second_trinket_of_a_name():
    game = a_duel().concs(A, 3).on_slot(A, "ward_stone").with_hand(A, "ward_stone", "wide_satchel")
    assert game.offers("play") == ["wide_satchel"]
    # the enemy's, one that is a concentration and a second chant do not matter
    game = (
        a_duel()
        .concs(A, 3, name="ward_stone")
        .on_slot(B, "ward_stone")
        .on_slot(A, "echo_chant")
        .with_hand(A, "ward_stone", "echo_chant")
    )
    assert game.offers("play") == ["ward_stone", "echo_chant"]


def test_rune_54_who_controls_it_counts_not_who_owns_it():
    game = a_duel().concs(A, 2).on_slot(A, "ward_stone", owner=B).with_hand(A, "ward_stone")
    assert game.offers("play") == []


# ---- keywords -------------------------------------------------------------------------------------------------------


def test_rune_55_up_to_three_keywords_all_of_which_act():
    lance = "lance | spirit | 0 | 0 | c | pierce, shout, distract | damage 8 -> any"
    game = a_duel(lance).concs(A, 1).on_slot(B, "echo_chant").with_hand(A, "lance").play("lance", "B0")
    assert (game.at("B0"), game.both("health")[B]) == ("", 17)
    assert game.do("end").pile("discard", A) == "insight, lance"


def test_rune_55_an_effect_may_add_pierce_to_one_type_of_runespells():
    adds = {"ability.flame_of_nim.determination": 1}
    game = a_duel(abilities=("flame_of_nim", "1 | draw 1"), changes=adds).concs(A, 3).on_slot(B, "frailty_chant")
    game.has(B, health=18).with_hand(A, "small_bolt", "glancing_arrow").do("ability").play("small_bolt", "B0")
    assert game.both("health")[B] == 18 - (3 + 4 - 6)
    game.has(B, health=2).play("glancing_arrow", "B")
    assert game.both("health")[B] == 20  # the frailty is gone; without pierce the rest is lost


@pytest.mark.parametrize(("keyword", "picker"), [("choice", A), ("fate", B)])
def test_rune_56_who_picks_the_bullet(keyword, picker):
    game = a_duel(CHOICE.format(keyword)).concs(A).on_slot(B, "ward_stone").on_slot(A, "echo_chant")
    game.with_hand(A, "fork").play("fork")
    assert (game.phase, game.seat, game.options) == (Phase.BULLET, picker, ["bullet 0", "bullet 1"])
    game.choose("bullet 1")
    # the targets are the player's to announce; only this bullet is used
    assert (game.phase, game.seat, game.options) == (Phase.TARGET, A, ["A1", "B0"])
    game.choose("B0")
    assert (game.at("B0"), game.both("health")[B]) == ("", 20)


def test_rune_56_a_single_bullet_is_taken_without_a_question():
    game = a_duel(CHOICE.format("fate")).concs(A).with_hand(A, "fork").play("fork")
    assert game.both("health")[B] == 18


def test_rune_56_the_card_itself_is_no_target_of_its_bullets():
    game = a_duel(CHOICE.format("choice")).concs(A, 2).with_hand(A, "fork", "small_bolt").play("small_bolt", "B")
    game.play("fork")
    assert game.options == ["bullet 0", "bullet 2"]
    assert game.choose("bullet 2").pile("discard", A) == "small_bolt"


def test_rune_57_basic_tokens():
    game = a_duel("pot | chant | 0 | 5 | c | token 4 | activate tokens 5: draw 1").concs(A).with_hand(A, "pot").play("pot")
    assert (game.of("A0", "tokens"), game.offers("activate"), game.both("health")) == (4, [], [20, 20])
