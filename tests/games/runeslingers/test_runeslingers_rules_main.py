"""RUNE-39 to 45 on the kernels: what a player does in the Play Phase besides playing cards."""

import pytest

from sim.games.runeslingers.state import Phase
from tests.games.runeslingers.positions import A, B, a_duel

LENS_OF_TWO = "prism | trinket | 0 | 5 | c | use | activate use light 1: light 3"
ENGINE = "engine | chant | 0 | 5 | c | token 3 | activate light 1 tokens 2: lose 1 -> enemy"
TWICE = "twice | chant | 0 | 5 | c | | activate light 0 per_turn 2: lose 1 -> enemy; activate light 1: heal 1"


def test_rune_39_one_set_a_turn_which_makes_light_at_once():
    game = a_duel().with_hand(A, "shatter", "small_bolt").do("set shatter")
    assert (game.conc_words(A)[:5], game.offers("set"), game.offers("play")) == ("ready", [], ["small_bolt"])
    assert game.play("small_bolt", "B").both("health")[B] == 17


def test_rune_39_an_extra_set():
    game = a_duel("plough | utility | 0 | 0 | c | | extra_set 2").concs(A).with_hand(A, "plough", *["insight"] * 4)
    game.play("plough").do("set insight").do("set insight").do("set insight")
    assert (game.both("sets_left")[A], game.offers("set"), game.both("hand_n")[A]) == (0, [], 1)


def test_rune_39_on_the_lowest_free_area_and_never_a_seventh():
    game = a_duel().concs(A, 3).with_hand(A, "insight")
    game.state["conc"][A, 1] = -1
    assert game.do("set insight").conc_words(A) == "ready, ready, ready, -, -, -"
    # concealed concentrations take their areas too
    assert a_duel().concs(A, 5).on_slot(A, "ward_stone").with_hand(A, "insight").offers("set") == []


def test_rune_39_extra_sets_end_with_the_turn():
    game = a_duel("plough | utility | 0 | 0 | c | | extra_set 2").concs(A).with_hand(A, "plough").play("plough")
    assert game.do("end").both("sets_left") == [1, 1]


def test_rune_40_one_light_of_each_ready_exposed_concentration():
    game = a_duel().concs(A, 1).concs(A, 1, used=True).on_slot(A, "ward_stone").with_hand(A, "small_bolt", "cleanse")
    game.play("small_bolt", "B")
    assert (game.conc_words(A)[:16], game.both("light"), game.both("light_made")) == (
        "used, used, used",
        [0, 0],
        [1, 0],
    )
    assert game.offers("play") == []


def test_rune_41_its_light_within_per_turn():
    game = a_duel().concs(A, 3).do("inherent", "B")
    assert (game.both("health"), game.conc_words(A)[:11]) == ([20, 18], "used, ready")
    assert "inherent" not in game.options


def test_rune_41_as_often_as_affordable_without_a_limit():
    game = a_duel(changes={"runeslinger.eva.inherent.per_turn": 0}).concs(A, 3)
    for _ in range(3):
        game.do("inherent", "B")
    assert (game.both("health")[B], "inherent" in game.options) == (14, False)


def test_rune_41_the_damage_may_be_blocked_and_gets_bonuses_but_those_of_runespells():
    stance = "static damage_spirit 3; static damage_attack 3; static damage 1"
    game = a_duel(stances=(stance, "")).concs(A, 1).with_hand(B, "insight").do("inherent", "B")
    assert (game.phase, game.seat) == (Phase.BLOCK, B)
    assert game.choose("no").both("health")[B] == 20 - 2 - 1


def test_rune_41_42_both_are_shut_by_no_ability():
    game = a_duel(abilities=("1 | light 1", "1 | draw 1")).concs(A, 1).ailments(A, curse=4).with_hand(A, "small_bolt")
    assert game.options == ["end", "play small_bolt", "set small_bolt"]
    game = a_duel().concs(A, 1).ailments(A, curse=4).under_boon(A, 0, "binding")
    assert game.options == ["end", "inherent", "ability"]


def test_rune_42_its_determination_as_often_as_affordable():
    game = a_duel(abilities=("2 | light 1", "1 | draw 1")).has(A, determination=5).do("ability").do("ability")
    assert (game.both("light")[A], game.both("determination")[A], "ability" in game.options) == (2, 1, False)


def test_rune_42_abilities_only_in_the_own_play_phase_and_without_answers():
    game = a_duel(abilities=("1 | lose 2 -> enemy", "1 | draw 1")).has(B, determination=3)
    game.with_hand(B, "counter_rune").concs(B, 4).concs(A, 1).with_hand(A, "small_bolt")
    assert game.do("ability").phase == Phase.MAIN
    game.play("small_bolt", "B")
    assert (game.phase, game.options) == (Phase.ANSWER, ["no", "counter_rune"])


def test_rune_43_use_turns_the_card():
    game = a_duel(LENS_OF_TWO).on_slot(A, "prism").concs(A, 2).do("activate A0")
    assert (game.of("A0", "used"), game.both("light")[A], game.offers("activate")) == (1, 3, [])
    assert game.conc_words(A)[:17] == "used, used, ready"


def test_rune_43_not_in_the_turn_in_which_it_was_played_nor_when_used_nor_without_its_light():
    game = a_duel(LENS_OF_TWO).concs(A, 3).with_hand(A, "prism").play("prism")
    assert (game.at("A0"), game.offers("activate")) == ("prism", [])
    assert a_duel(LENS_OF_TWO).on_slot(A, "prism", used=1).concs(A, 2).offers("activate") == []
    assert a_duel(LENS_OF_TWO).on_slot(A, "prism").offers("activate") == []


def test_rune_43_ready_again_in_the_next_own_turn():
    game = a_duel(LENS_OF_TWO).concs(A, 2).with_hand(A, "prism").play("prism").do("end", "play on", "end", "play on")
    assert (game.both("active"), game.offers("activate")) == (A, ["A0"])


def test_rune_44_once_a_turn_and_card_also_when_new():
    game = a_duel().concs(A, 4).with_hand(A, "gathering_chant").play("gathering_chant")
    assert game.of("A0", "tokens") == 1
    game.do("charge A0")
    assert (game.of("A0", "tokens"), game.offers("charge"), game.offers("activate")) == (2, [], ["A0"])
    game.do("activate A0", "B")
    assert (game.both("health")[B], game.of("A0", "tokens")) == (15, 0)


def test_rune_44_each_card_has_its_own_charge():
    game = a_duel().on_slot(A, "gathering_chant").on_slot(A, "gathering_chant", charged=1).on_slot(B, "gathering_chant")
    assert game.offers("charge") == ["A0"]


def test_rune_45_light_and_tokens_within_per_turn():
    game = a_duel(ENGINE).on_slot(A, "engine", tokens=3).concs(A, 2).do("activate A0")
    assert (game.of("A0", "tokens"), game.both("health")[B], game.offers("activate")) == (1, 19, [])
    game = a_duel(TWICE).on_slot(A, "twice").do("activate A0").do("activate A0")
    assert (game.both("health")[B], game.offers("activate")) == (18, [])


def test_rune_45_each_activated_effect_has_its_own_count():
    game = a_duel(TWICE).on_slot(A, "twice").concs(A, 1).has(A, health=10)
    assert game.offers("activate") == ["A0", "A0 again"]
    game.do("activate A0").do("activate A0")
    assert game.offers("activate") == ["A0 again"]
    assert game.do("activate A0 again").both("health") == [11, 18]


def test_rune_45_no_answer_is_possible_but_blocking_is():
    hurts = "sting | chant | 0 | 5 | c | | activate light 1: damage 6 -> any"
    game = a_duel(hurts).on_slot(A, "sting").concs(A, 1).with_hand(B, "counter_rune").concs(B, 2)
    game.do("activate A0", "B")
    assert (game.phase, game.seat) == (Phase.BLOCK, B)
    assert game.choose("counter_rune").both("health")[B] == 20 - 2


def test_rune_45_choices_come_before_targets():
    mix = "mix | chant | 0 | 5 | c | | activate light 1: convert 1 choose -> runeslinger"
    game = a_duel(mix).on_slot(A, "mix").concs(A, 1).ailments(B, curse=1).do("activate A0")
    assert (game.phase, game.seat) == (Phase.AILMENT, A)
    assert game.choose("weaken").phase == Phase.TARGET
    assert game.choose("B").areas(B) == "weaken 1, -, -, -"


@pytest.mark.parametrize(("things", "open_now"), [((), []), (("ward_stone",), ["A0"])])
def test_rune_45_a_target_is_needed(things, open_now):
    """RUNE-50 for activated effects: without a defence card nothing is offered."""
    axe = "axe | chant | 0 | 5 | c | | activate light 1: destroy -> defence"
    game = a_duel(axe).on_slot(A, "axe").concs(A, 1)
    for name in things:
        game.on_slot(B, name)
    assert game.offers("activate") == open_now


def test_rune_45_the_effects_of_a_boon_of_the_enemy_are_its_controllers():
    """What a boon does acts for the player on whose field it lies (RUNE-106)."""
    leech = "leech | boon | 0 | 5 | c | | activate light 1: lose 2 -> enemy"
    game = a_duel(leech).ailments(A, burn=1).under_boon(A, 0, "leech", owner=B).concs(A, 1)
    assert game.do("activate A area 0").both("health") == [20, 18]
