"""RUNE-50 to 78 on the kernels: what can be played, payment, places, keywords, answers, triggers."""

from typing import Any

import pytest

from sim.games.runeslingers.state import Phase
from tests.games.runeslingers.playing import played, table
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


def test_rune_53_runespells_cover_used_ones_first():
    game = a_duel().concs(A, 1).concs(A, 1, used=True).with_hand(A, "small_bolt").play("small_bolt", "B")
    assert (game.at("A0"), game.at("A1"), game.conc_words(A)[:10]) == ("", "small_bolt", "used, used")


def test_rune_53_chants_and_trinkets_on_any_exposed_concentration():
    game = a_duel().concs(A, 2).concs(A, 1, used=True).on_slot(A, "ward_stone").with_hand(A, "echo_chant")
    assert game.play("echo_chant").options == ["slot 0", "slot 2"]  # slot 1 is as slot 0
    assert game.choose("slot 2").at("A2") == "echo_chant"


def test_rune_54_no_second_trinket_of_a_name():
    game = a_duel().concs(A, 3).on_slot(A, "ward_stone").with_hand(A, "ward_stone", "wide_satchel")
    assert game.offers("play") == ["wide_satchel"]
    # the enemy's, a trapped one and a second chant do not matter
    game = a_duel().concs(A, 3).on_slot(B, "ward_stone").on_slot(A, "echo_chant").with_hand(A, "ward_stone", "echo_chant")
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


ME, ENEMY = "target the own Runeslinger", "target the enemy Runeslinger"
ROMIN: dict[str, Any] = {"deck": "romin_starter"}


def own(result: tuple[dict[str, Any], list[str]]) -> dict[str, Any]:
    """Seat 0 of a position."""
    player: dict[str, Any] = result[0]["players"][0]
    return player


def other(result: tuple[dict[str, Any], list[str]]) -> dict[str, Any]:
    """Seat 1 of a position."""
    player: dict[str, Any] = result[0]["players"][1]
    return player


def test_rune_51_choices_come_before_targets_and_light_before_all():
    dart = table(ROMIN | {"hand": ["rainbow_dart", "fireball"]})
    result = played(dart, "play Rainbow Dart")
    assert result[1] == [f"announce {word}" for word in ("burn", "debilitate", "curse", "fragment", "weaken", "insanity")]
    assert all(entry["used"] for entry in own(result)["concentrations"])
    assert played(dart, "play Rainbow Dart", "announce curse")[1] == [line for line in result[1] if "curse" not in line]
    assert played(dart, "play Rainbow Dart", "announce curse", "announce burn")[1] == [ME, ENEMY]


def test_rune_52_surplus_light_stays_in_the_pool():
    player = own(played(table({"light": 3, "hand": ["small_bolt", "fireball"]}), "play Small Bolt", ENEMY))
    assert player["light"] == 2
    assert not any(entry["used"] for entry in player["concentrations"])


def test_rune_53_a_runespell_needs_an_exposed_concentration():
    """With light enough but nothing to lie on it cannot be played."""
    bare = {"light": 9, "concentrations": 0, "hand": ["fireball", "insight"]}
    assert played(table(bare))[1] == ["end the turn", "set Fireball", "set Insight", "use the inherent ability"]


def test_rune_55_57_keywords_act_as_printed():
    """Token 1 and Charge: a token at once, another by a charge."""
    result = played(table({"hand": ["gathering_chant", "fireball"]}), "play Gathering Chant", "lay it on Shatter")
    assert own(result)["things"][0]["tokens"] == 1
    assert "charge Gathering Chant" in result[1]


def test_rune_60_a_defence_card_cannot_be_answered():
    result = played(
        table({"hand": ["ward_stone", "fireball"]}, {"hand": ["counter_rune"], "concentrations": 2}),
        "play Ward Stone",
        "lay it on Shatter",
    )
    assert result[0]["phase"] == "main"
    assert own(result)["things"][0]["card"] == "ward_stone"


def test_rune_61_a_runespell_stays_until_the_discard_phase():
    result = played(table(ROMIN | {"hand": ["small_bolt", "fireball"]}), "play Small Bolt", ENEMY)
    assert own(result)["things"][0]["card"] == "small_bolt"
    gone = played(table(ROMIN | {"hand": ["small_bolt", "fireball"]}), "play Small Bolt", ENEMY, "end the turn")
    assert (own(gone)["things"], own(gone)["discard"]) == ([], ["small_bolt"])


def test_rune_63_73_a_rung_that_has_left_does_nothing():
    rune = {"hand": ["counter_rune"], "concentrations": 2}
    insight = table(ROMIN | {"hand": ["insight", "fireball"]}, rune)
    result = played(insight, "play Insight", "answer with Counter Rune")
    assert own(result)["hand"] == ["fireball"]
    assert own(result)["discard"] == ["insight"]
    assert sum(entry["used"] for entry in own(result)["concentrations"]) == 2


def test_rune_70_71_72_answers_are_rungs():
    """Fireball, countered, and the counter countered: the topmost resolves first, and Fireball hits."""
    runes = {"hand": ["counter_rune"], "concentrations": 2}
    first = ROMIN | {"hand": ["fireball", "counter_rune", "binding"], "concentrations": 5}
    ladder = table(first, runes)
    result = played(ladder, "play Fireball", ENEMY, "answer with Counter Rune")
    assert result[1] == ["do not answer", "answer with Counter Rune"]
    result = played(ladder, "play Fireball", ENEMY, "answer with Counter Rune", "do not answer")
    assert (other(result)["health"], own(result)["discard"]) == (20, ["fireball"])
    both = ("play Fireball", ENEMY, "answer with Counter Rune", "answer with Counter Rune", "target enemy Counter Rune")
    assert other(played(ladder, *both))["health"] == 12


def test_rune_74_light_for_an_answer_comes_from_what_was_left_ready():
    used = {"hand": ["quick_ward"], "concentrations": [{"used": True}]}
    bolt = ROMIN | {"hand": ["small_bolt", "fireball"]}
    assert played(table(bolt, used), "play Small Bolt", ENEMY)[1] == ["do not block", "block with Quick Ward"]
    ready = used | {"concentrations": [{"used": False}]}
    assert played(table(bolt, ready), "play Small Bolt", ENEMY)[1] == ["do not answer", "answer with Quick Ward"]


def test_rune_75_shout_in_the_own_play_phase():
    result = played(table({"hand": ["quick_ward", "fireball"]}), "play Quick Ward")
    assert own(result)["barrier"] == 6


def test_rune_76_a_trigger_acts_before_the_answer_and_cannot_be_answered():
    """Talaka's Heart sears while Quick Ward is still in hand."""
    ward = {"hand": ["quick_ward"], "concentrations": 1, "draw_pile": ["fireball", "binding"]}
    result = played(table({"hand": ["small_bolt", "fireball"]}, ward), "play Small Bolt", ENEMY)
    assert result[0]["phase"] == "answer"
    assert other(result)["discard"] == ["fireball", "binding"]


def test_rune_78_leaving_triggers_see_the_controller_of_before():
    """A Divine Barrier of seat 0 on the field of seat 1 costs seat 1, and goes to the pile of seat 0."""
    boon = {"ailments": [{"type": "debilitate", "count": 2}], "boons": [{"card": "divine_barrier", "owner": 0}]}
    result = played(table(ROMIN | {"hand": ["shatter", "fireball"]}, boon), "play Shatter")
    assert (other(result)["health"], other(result)["stats"]["max_health"]) == (9, 18)
    assert own(result)["discard"] == ["divine_barrier"]
