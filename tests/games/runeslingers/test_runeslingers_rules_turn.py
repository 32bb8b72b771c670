"""RUNE-30 to 38 and 46 on the kernels: the phases of a turn before and after the Play Phase."""

import pytest

from sim.games.runeslingers.record import Stat
from sim.games.runeslingers.state import Cause, Phase, Stage
from tests.games.runeslingers.positions import A, B, a_duel, dealt

BELL = "bell | chant | 1 | 5 | c | | when turn_start: lose 1"
DRUM = "drum | chant | 1 | 5 | c | | when turn_start: draw 1"
DEFIANT = "defiant | utility | 0 | 0 | c | distract | draw 1"


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


def test_rune_31_turn_start_triggers_of_the_active_player_only():
    game = beginning(BELL).on_slot(A, "bell").on_slot(B, "bell")
    assert game.both("health") == [19, 20]


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


def test_rune_33_comes_before_the_eight_go():
    game = beginning().ailments(A, burn=8)
    assert (game.both("health")[A], game.areas(A), game.both("power")[A]) == (18, "-, -, -, -", 4)


# ---- the step of the Ailment Phase ----------------------------------------------------------------------------------


def test_rune_34_concealed_ailments_do_not_count():
    game = beginning().ailments(A, weaken=5, burn=3).under_boon(A, 0, "binding")
    assert (game.both("power")[A], game.areas(A)) == (5, "(weaken 5), burn 3, -, -")


def test_rune_34_ten_of_which_two_are_concealed():
    """G03: 8 exposed go, the 2 concealed stay."""
    game = beginning().ailments(A, weaken=2, burn=3, insanity=5).under_boon(A, 0, "binding").has(A, health=9)
    assert (game.both("power")[A], game.areas(A)) == (4, "(weaken 2), -, -, -")
    assert game.both("health")[A] == 9 - 0  # 3 burns are below the threshold; health is not reset


def test_rune_34_which_eight_is_the_owners_choice():
    game = beginning().ailments(A, weaken=6, insanity=3)
    assert (game.phase, game.seat, game.options) == (Phase.REMOVE, A, ["weaken", "insanity"])
    game.do(*["insanity"] * 3)
    # five of the weakens go by themselves
    assert (game.areas(A), game.both("power")[A]) == ("weaken 1, -, -, -", 4)


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


def test_rune_35_then_level_ii_effects_after_the_draws():
    game = beginning().ailments(A, insanity=3).with_deck(A, "fireball", "cleanse", "insight")
    game.do(draws="fireball, cleanse, cleanse") if False else None
    assert game.both("hand_n")[A] == 1
    assert game.both("discard_n")[A] == 1


def test_rune_36_a_card_for_a_full_hand_goes_to_the_discard_pile():
    game = beginning().with_hand(A, *["shatter"] * 7).with_deck(A, "fireball", "cleanse", "insight")
    assert game.both("hand_n")[A] == 8
    assert (game.pile("hand", A), game.pile("discard", A)) == ("fireball, " + ", ".join(["shatter"] * 7), "cleanse")


def test_rune_36_a_smaller_maximum_never_forces_a_discard():
    game = beginning().ailments(A, fragment=4).with_hand(A, *["shatter"] * 6)
    assert (game.both("hand_n")[A], game.both("discard_n")[A]) == (6, 2)


def test_rune_37_passing_draws_a_card_and_skips_the_play_phase():
    game = beginning(stances=("when you_pass: lose 1", "")).do("draw")
    assert (game.both("hand_n")[A], game.both("health")[A], game.both("active")) == (3, 19, B)
    assert (game.both("passes"), game.phase, game.seat) == ([1, 0], Phase.PASS, B)


def test_rune_37_or_takes_an_exposed_concentration_back():
    game = beginning(stances=("when you_pass: lose 1", "")).concs(A, 1, name="fireball").on_slot(A, "ward_stone")
    assert game.options == ["play on", "draw", "take back 0"]
    game.do("take back 0")
    assert (game.pile("hand", A), game.both("health")[A]) == ("fireball, insight, insight", 19)
    assert game.conc_words(A)[:7] == "-, used"


def test_rune_37_taking_back_is_not_offered_with_a_full_hand():
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
    told = [game.both(field) for field in ("light", "barrier", "light_wasted")]
    assert told == [[0, 0], [0, 0], [3, 0]]
    assert (game.of("B0", "damage"), game.of("B0", "guard")) == (0, 0)
    assert (game.at("A0"), game.pile("discard", A), game.state["boosts"].any()) == ("", "wall", False)


def test_rune_46_runespells_of_both_players_go():
    game = a_duel().concs(A, 1).concs(B, 1).with_hand(A, "small_bolt").with_hand(B, "quick_ward")
    game.play("small_bolt", "B", "quick_ward").do("end")
    assert (game.pile("discard", A), game.pile("discard", B)) == ("small_bolt", "quick_ward")


def test_rune_46_distract_acts_when_the_runespell_is_discarded():
    game = a_duel(DEFIANT).concs(A, 1, name="fireball").with_hand(A, "defiant").play("defiant")
    assert game.conc_words(A)[:5] == "ready"
    game.do("end")
    assert (game.pile("discard", A), game.conc_words(A)[:4]) == ("fireball, defiant", "-, -")


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


def test_rune_46_a_turn_may_end_the_reign_of_an_active_players_effect():
    five, three = (
        "five | chant | 1 | 5 | c | | static max_hand 5 each",
        "three | chant | 1 | 5 | c | | static max_hand 3 each",
    )
    game = a_duel(five, three).on_slot(A, "five").on_slot(B, "three").with_hand(B, "cleanse", "shatter")
    game.do("end")
    assert (game.stat(B, Stat.MAX_HAND), game.both("hand_n")[B]) == (3, 3)


@pytest.mark.parametrize("active", [A, B])
def test_rune_46_distract_acts_on_both_sides(active):
    game = a_duel(DEFIANT.replace("distract", "shout, distract")).concs(A, 2).concs(B, 2)
    other = 1 - active
    game.at_stage(Stage.PLAY, active=active).with_hand(active, "reckless_bolt").with_hand(other, "defiant")
    game.has(active, determination=1).play("reckless_bolt", "AB"[other], "defiant", "no")
    game.do("end")
    assert game.pile("discard", other) == "insight, defiant"
    assert game.pile("discard", active) == "insight, reckless_bolt"
    assert game.conc_words(A)[:1] == game.conc_words(B)[:1] == "-"


def test_rune_46_light_that_is_left_is_wasted():
    game = a_duel("spark | utility | 0 | 0 | c | distract | light 2").concs(A, 1).with_hand(A, "spark").play("spark")
    game.do("end")
    assert (game.both("light"), game.both("light_wasted")[A], game.pile("discard", A)) == ([0, 0], 2, "insight, spark")
