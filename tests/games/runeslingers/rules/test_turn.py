"""RUNE-30 to 46 on the kernels: the phases of a turn."""

import pytest

from sim.games.runeslingers.state import Cause, Phase, Stage
from tests.games.runeslingers.positions import A, B, a_duel, dealt

BELL = "bell | chant | 1 | 5 | c | | when turn_start: lose 1"
DEFIANT = "defiant | utility | 0 | 0 | c | shout, distract | draw 1"


def beginning(*more, **how):
    """A's turn is about to begin."""
    return a_duel(*more, **how).at_stage(Stage.BEGIN)


# ---- the order of the phases ----------------------------------------------------------------------------------------


def test_rune_30_phases_in_order_then_the_enemy():
    """Triggers at the beginning find used cards; burn II comes before the draws."""
    game = beginning(BELL).on_slot(A, "bell", used=1).ailments(A, burn=4).has(A, health=4)
    assert (game.phase, game.seat, game.of("A0", "used")) == (Phase.PASS, A, 0)
    assert (game.both("health")[A], game.both("hand_n")[A]) == (1, 2)
    assert game.do("play on").phase == Phase.MAIN
    game.do("end")
    assert (game.both("active"), game.both("turn"), game.seat, game.phase) == (B, 5, B, Phase.PASS)


def test_rune_31_counts_of_both_players_begin_anew():
    game = beginning().on_slot(A, "gathering_chant", charged=1).on_slot(B, "draining_chant", uses=1)
    for seat in (A, B):
        game.has(seat, blocked=1, sets_left=0, inherent_uses=1)
    assert game.both("blocked") == [0, 0]
    assert game.both("sets_left") == [1, 1]
    assert game.both("inherent_uses") == [0, 0]
    assert (game.of("A0", "charged"), game.state["uses"][B, 0].tolist()) == (0, [0, 0])


def test_rune_31_before_the_ready_step():
    """A card that leaves at the beginning of the turn exposes its concentration in time to be readied."""
    saw = "saw | chant | 1 | 5 | c | | when turn_start: destroy -> card"
    game = beginning(saw).on_slot(A, "echo_chant").on_slot(A, "saw")
    assert (game.conc_words(A)[:12], game.pile("discard", A)) == ("ready, used,", "echo_chant")


def test_rune_32_exposed_used_cards_become_ready():
    game = beginning().concs(A, 1, used=True).on_slot(A, "light_lens", used=1).concs(B, 1, used=True)
    game.ailments(A, burn=1).under_boon(A, 0, "divine_barrier", owner=B, used=1)
    assert game.conc_words(A)[:11] == "ready, used"  # the lens lies on a used one, which stays as it is
    assert (game.of("A1", "used"), game.of("A area 0", "used")) == (0, 0)
    assert game.conc_words(B)[:4] == "used"


def test_rune_33_level_ii_effects_in_the_owners_order():
    """Burn II takes the last health before Curse II, as changed here, heals: or after."""
    heals = {"ailment.curse.ailment_phase": [{"op": "heal", "n": 5}], "ailment.curse.threshold": 3}
    for word, health in (("trigger 0", [20, 4]), ("trigger 1", [5, 5])):
        game = beginning(changes=heals).ailments(A, burn=4, curse=3).has(A, health=2)
        assert (game.phase, game.seat) == (Phase.TRIGGER, A)
        game.do(word)
        assert [game.both("health")[A], game.both("power")[A]] == health


def test_rune_33_not_below_the_threshold_nor_under_a_boon():
    assert beginning().ailments(A, burn=3).both("health")[A] == 20
    assert beginning().ailments(A, burn=4).under_boon(A, 0, "binding").both("health")[A] == 20
    assert beginning().ailments(B, burn=4).both("health")[B] == 20


# ---- the step of the Ailment Phase ----------------------------------------------------------------------------------


def test_rune_34_ten_of_which_two_are_concealed():
    """A21. G03: 8 exposed go, the 2 concealed stay."""
    game = beginning().ailments(A, weaken=2, burn=3, insanity=5).under_boon(A, 0, "binding").has(A, health=9)
    assert (game.both("power")[A], game.areas(A)) == (4, "(weaken 2), -, -, -")
    assert game.both("health")[A] == 9 - 0  # 3 burns are below the threshold; health is not reset


def test_rune_34_repeats_and_a_trigger_may_add_to_it():
    game = beginning(stances=("when you_downed: apply 2 weaken", "")).ailments(A, weaken=22)
    # 22: 14, two more 16: 8, two more 10: 2, two more 4
    assert (game.both("power")[A], game.areas(A)) == (2, "weaken 4, -, -, -")


def test_rune_34_the_last_power_ends_the_encounter():
    game = beginning().ailments(A, weaken=8).has(A, power=1)
    assert game.options == []
    assert game.ending == (B, Cause.AILMENTS)


def test_rune_34_only_in_the_own_ailment_phase():
    assert beginning().ailments(B, weaken=9).both("power")[B] == 5


# ---- drawing and passing --------------------------------------------------------------------------------------------


def test_rune_35_two_cards_and_one_in_the_first_turn_of_the_encounter():
    assert beginning().both("hand_n") == [2, 0]
    game = dealt().roll(6, 1).do(0, 0, "go first")
    assert game.both("hand_n") == [5, 4]
    assert game.do("play on", "end").both("hand_n") == [5, 6]


def test_rune_36_a_card_for_a_full_hand_goes_to_the_discard_pile():
    game = beginning().with_hand(A, *["shatter"] * 7).with_deck(A, "fireball", "cleanse", "insight")
    assert game.both("hand_n")[A] == 8
    assert (game.pile("hand", A), game.pile("discard", A)) == ("fireball, " + ", ".join(["shatter"] * 7), "cleanse")


def test_rune_36_a_smaller_maximum_never_forces_a_discard():
    game = beginning().ailments(A, fragment=4).with_hand(A, *["shatter"] * 6)
    assert (game.both("hand_n")[A], game.both("discard_n")[A]) == (6, 2)


def test_rune_37_or_takes_an_exposed_concentration_back():
    game = beginning(stances=("when you_pass: lose 1", "")).concs(A, 1, name="fireball").on_slot(A, "ward_stone")
    assert game.options == ["play on", "draw", "take back 0"]
    game.do("take back 0")
    assert (game.pile("hand", A), game.both("health")[A]) == ("fireball, insight, insight", 19)
    assert game.conc_words(A)[:7] == "-, used"


def test_rune_37_taking_back_is_not_offered_with_a_full_hand():
    """A12."""
    game = beginning().concs(A).with_hand(A, *["shatter"] * 6)
    assert game.options == ["play on", "draw"]
    game = beginning().concs(A).with_hand(A, *["shatter"] * 5)
    assert game.options == ["play on", "draw", "take back 0"]


def test_rune_37_not_under_insanity():
    assert beginning().ailments(A, insanity=1).phase == Phase.MAIN
    assert beginning().ailments(B, insanity=1).phase == Phase.PASS


def test_rune_38_any_number_of_things_in_any_order_until_the_player_ends_it():
    game = a_duel().concs(A, 5).with_hand(A, "small_bolt", "cleanse", "shatter")
    game.play("small_bolt", "B").do("set shatter", "inherent", "B").play("cleanse", "B").do("ability")
    assert (game.phase, game.seat, game.both("health")[B]) == (Phase.MAIN, A, 20 - 3 - 2)
    assert game.do("end").seat == B


# ---- the Discard Phase ----------------------------------------------------------------------------------------------


def test_rune_46_what_ends_with_the_turn():
    game = a_duel("wall | utility | 0 | 0 | c | | boost 2 block, light 3, barrier 4 -> enemy").concs(A)
    game.with_hand(A, "wall").on_slot(B, "ward_stone", damage=3, guard=2).has(A, barrier=1).play("wall")
    assert game.both("light") == [3, 0]
    assert game.both("barrier") == [1, 4]
    game.do("end")
    values = [game.both(field) for field in ("light", "barrier", "light_wasted")]
    assert values == [[0, 0], [0, 0], [3, 0]]
    assert (game.of("B0", "damage"), game.of("B0", "guard")) == (0, 0)
    assert (game.at("A0"), game.pile("discard", A), game.state["boosts"].any()) == ("", "wall", False)


def test_rune_46_runespells_of_both_players_go():
    game = a_duel().concs(A, 1).concs(B, 1).with_hand(A, "small_bolt").with_hand(B, "quick_ward")
    game.play("small_bolt", "B", "quick_ward").do("end")
    assert (game.pile("discard", A), game.pile("discard", B)) == ("small_bolt", "quick_ward")


def test_rune_46_damage_that_destroys_does_so_before_it_is_removed():
    """Damage stays until the end of the turn: 2 and 3 are enough for a defence of 5."""
    bolt = "bolt_two | spirit | 0 | 0 | c | | damage 2 -> any"
    game = a_duel(bolt).concs(A, 4).with_hand(A, "bolt_two", "small_bolt").on_slot(B, "echo_chant")
    game.play("bolt_two", "B0").play("small_bolt", "B0")
    assert game.at("B0") == ""
    game = a_duel(bolt).concs(A, 4).with_hand(A, "bolt_two").on_slot(B, "echo_chant", damage=2)
    game.play("bolt_two", "B0").do("end")
    assert (game.at("B0"), game.of("B0", "damage")) == ("echo_chant", 0)


def test_rune_46_boosts_of_both_players_end():
    game = a_duel(heroes=("eva", "romin"), stances=("", "braced_stance")).concs(A, 1).with_hand(A, "small_bolt")
    game.with_hand(B, "insight").play("small_bolt", "B", "insight")
    assert game.state["boosts"][B, 0] == 3
    assert not game.do("end").state["boosts"].any()


@pytest.mark.parametrize("active", [A, B])
def test_rune_46_distract_acts_on_both_sides(active):
    game = a_duel(DEFIANT).concs(A, 2).concs(B, 2)
    other = 1 - active
    game.at_stage(Stage.PLAY, active=active).with_hand(active, "reckless_bolt").with_hand(other, "defiant")
    game.has(active, determination=1).play("reckless_bolt", "AB"[other], "defiant", "no")
    game.do("end")
    assert game.pile("discard", other) == "insight, defiant"
    assert game.pile("discard", active) == "insight, reckless_bolt"
    assert game.conc_words(A)[:1] == game.conc_words(B)[:1] == "-"


LENS_OF_TWO = "prism | trinket | 0 | 5 | c | use | activate use light 1: light 3"
ENGINE = "engine | chant | 0 | 5 | c | token 3 | activate light 1 tokens 2: lose 1 -> enemy"
TWICE = "twice | chant | 0 | 5 | c | | activate light 0 per_turn 2: lose 1 -> enemy; activate light 1: heal 1"


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
    assert (game.conc_words(A)[:16], game.both("light"), game.both("light_made")) == ("used, used, used", [0, 0], [1, 0])
    assert game.offers("play") == []


def test_rune_41_as_often_as_affordable_without_a_limit():
    game = a_duel(changes={"runeslinger.eva.inherent.per_turn": 0}).concs(A, 3)
    for _ in range(3):
        game.do("inherent", "B")
    assert (game.both("health")[B], "inherent" in game.options) == (14, False)


def test_rune_41_the_damage_may_be_blocked_and_gets_bonuses_but_those_of_runespells():
    stance = "static damage_spirit 3; static damage_attack 3; static damage 1"
    game = a_duel(stances=(stance, "")).concs(A, 1).concs(B, 1).with_hand(B, "quick_ward").do("inherent", "B")
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
