"""RUNE-80 to 90 and 127 on the kernels: damage, blocks, barriers, pierce, hits, health loss."""

import pytest

from sim.games.runeslingers.cards import Stat
from sim.games.runeslingers.state import Cause, Phase
from tests.games.runeslingers.positions import A, B, a_duel, cast

# ---- the amount -----------------------------------------------------------------------------------------------------

BONUSES = "static damage 1; static damage_spirit 2; static damage_attack 4"


@pytest.mark.parametrize(("kind", "bonus"), [("spirit", 3), ("attack", 5)])
def test_rune_80_bonuses_of_the_type(kind, bonus):
    assert cast("damage 2 -> runeslinger", kind=kind, stances=(BONUSES, "")).play("it", "B").both("health")[B] == 20 - 2 - bonus
    assert cast("damage 2 -> runeslinger", kind=kind, stances=("", BONUSES)).play("it", "B").both("health")[B] == 18


def test_rune_80_a_chants_damage_gets_the_plain_bonus_only():
    chant = "thorn | chant | 0 | 5 | c | | damage 2 -> enemy"
    game = a_duel(chant, stances=(BONUSES, "")).with_hand(A, "thorn").concs(A).play("thorn")
    assert game.both("health")[B] == 17


def test_rune_80_never_below_0_and_then_it_is_no_damage():
    game = cast("damage 2 -> any hit apply 1 burn", stances=("static damage -5", "")).play("it", "B")
    assert (game.both("health")[B], game.areas(B), game.both("hits_stopped")[A]) == (20, "-, -, -, -", 0)


def test_rune_80_a_printed_0_gets_no_bonus():
    """A16."""
    game = cast("damage 0 -> any", stances=(BONUSES, "")).play("it", "B")
    assert game.both("health")[B] == 20
    per = "damage 2 target_ailments -> runeslinger"
    assert cast(per, kind="attack", stances=(BONUSES, "")).play("it", "B").both("health")[B] == 20


def test_rune_80_per_ailment_times_the_exposed_ones_of_the_target_and_the_bonus_once():
    game = cast("damage 2 target_ailments -> runeslinger", kind="attack", stances=(BONUSES, ""))
    game.ailments(B, weaken=2, curse=1, insanity=7).under_boon(B, 2, "binding").play("it", "B")
    assert game.both("health")[B] == 20 - 2 * 3 - 5


def test_rune_80_worked_out_when_it_resolves():
    """The first hit takes two points off every later one by Weaken II on A itself."""
    game = cast("damage 3 -> any, apply 4 weaken, damage 3 -> any").play("it", "B", "B")
    assert game.both("health")[B] == 20 - 3 - 1


def test_rune_80_health_loss_is_never_modified():
    game = cast("lose 3 -> enemy", stances=("static damage 5", "static block 9")).has(B, barrier=9)
    assert game.with_hand(B, "insight").play("it").both("health")[B] == 17


# ---- the block option -----------------------------------------------------------------------------------------------


def test_rune_81_who_is_asked_and_what_it_may_discard():
    game = cast("damage 6 -> any").with_hand(B, "cleanse", "shatter", "shatter").play("it", "B")
    assert (game.phase, game.seat, game.options) == (Phase.BLOCK, B, ["no", "cleanse", "shatter"])
    assert game.choose("no").both("health")[B] == 14


@pytest.mark.parametrize(("barrier", "asked"), [(5, True), (6, False), (7, False)])
def test_rune_81_only_damage_larger_than_the_barrier(barrier, asked):
    """A28."""
    game = cast("damage 6 -> any").has(B, barrier=barrier).with_hand(B, "insight").play("it", "B")
    assert (game.phase == Phase.BLOCK) == asked


def test_rune_81_not_against_direct_damage_nor_without_a_card_or_a_block_value():
    assert cast("damage 6 direct -> any").with_hand(B, "insight").play("it", "B").phase == Phase.MAIN
    assert cast("damage 6 -> any").play("it", "B").phase == Phase.MAIN
    game = cast("damage 6 -> any").with_hand(B, "insight").ailments(B, weaken=4)
    assert game.play("it", "B").phase == Phase.MAIN


def test_rune_81_not_against_the_own_source():
    game = cast("damage 6 -> any").with_hand(A, "it", "insight").play("it", "A")
    assert (game.phase, game.both("health")[A]) == (Phase.MAIN, 14)


def test_rune_81_one_block_a_turn_of_either_players_turn():
    game = cast("damage 6 -> any, damage 6 -> any").with_hand(B, "insight", "insight")
    game.play("it", "B", "B", "insight")
    assert (game.phase, game.both("health")[B]) == (Phase.MAIN, 20 - 2 - 6)
    game.end("play on", "end")
    assert game.both("blocked") == [0, 0]


def test_rune_81_as_often_as_blocks_per_turn():
    game = cast("damage 6 -> any, damage 6 -> any", blocks_per_turn=2).with_hand(B, "insight", "insight")
    assert game.play("it", "B", "B", "insight", "insight").both("health")[B] == 16


def test_rune_81_for_a_defence_card_on_the_own_field_by_its_controller():
    game = cast("damage 6 -> any").on_slot(B, "echo_chant", owner=A).with_hand(B, "insight").play("it", "B0")
    assert (game.phase, game.seat) == (Phase.BLOCK, B)
    game.choose("insight")
    assert (game.of("B0", "damage"), game.of("B0", "guard"), game.both("barrier")) == (2, 0, [0, 0])


# ---- blocking and barriers ------------------------------------------------------------------------------------------


def test_rune_82_discard_then_triggers_then_a_barrier_of_the_value_now():
    game = cast("damage 20 -> any", stances=("", "when you_block: boost 3 block")).with_hand(B, "shatter").play("it", "B")
    assert game.choose("shatter").both("health")[B] == 20 - (20 - 4 - 3)
    assert (game.pile("discard", B), game.both("prevented")[B]) == ("shatter", 7)


def test_rune_82_the_value_may_fall_by_the_triggers_too():
    game = cast("damage 9 -> any", stances=("", "when you_block: apply 3 weaken")).with_hand(B, "insight").play("it", "B")
    assert game.choose("insight").both("health")[B] == 20 - (9 - 1)


def test_rune_82_block_value_of_runeslinger_and_effects_at_least_0():
    game = a_duel().on_slot(B, "ward_stone").ailments(B, weaken=1)
    assert game.stat(B, Stat.BLOCK) == 4 + 2 - 1
    game = cast("damage 9 -> any", stances=("", "when you_block: apply 9 weaken")).with_hand(B, "insight").play("it", "B")
    assert game.choose("insight").both("health")[B] == 11


def test_rune_82_no_upper_limit():
    game = cast("damage 60 -> any", stances=("", "static block 50")).with_hand(B, "insight").play("it", "B", "insight")
    assert game.both("health")[B] == 14


def test_rune_83_a_barrier_shrinks_by_what_it_absorbs_and_barriers_add_up():
    game = cast("damage 3 -> any, damage 6 -> any").has(B, barrier=2).with_hand(B, "insight")
    game.play("it", "B", "B", "insight")
    assert (game.both("health")[B], game.both("barrier")[B]) == (17, 0)  # 2 + 4 against 3, then 3 against 6
    two = cast("barrier 2 -> own, barrier 5 -> own").play("it")
    assert two.both("barrier")[A] == 7


def test_rune_83_each_object_has_its_own():
    game = cast("damage 4 -> any").has(B, barrier=9).on_slot(B, "echo_chant", guard=1).play("it", "B0")
    assert (game.of("B0", "damage"), game.of("B0", "guard"), game.both("barrier")[B]) == (3, 0, 9)


def test_rune_84_direct_damage_ignores_barriers_which_stay():
    game = cast("damage 4 direct -> any").has(B, barrier=9).with_hand(B, "insight").play("it", "B")
    assert (game.both("health")[B], game.both("barrier")[B]) == (16, 9)


def test_rune_85_basic_damage_takes_at_most_the_current_health():
    game = cast("damage 12 -> any").has(B, health=5).play("it", "B")
    assert (game.both("power")[B], game.both("health")[B], game.both("drained")[B]) == (4, 20, [5, 0, 0])


def test_rune_86_damage_on_a_card_adds_up_and_the_rest_is_lost():
    game = cast("damage 2 -> any, damage 9 -> any").on_slot(B, "echo_chant", owner=A, damage=2)
    game.play("it", "B0", "B0")
    assert (game.pile("discard", A), game.both("health")[B]) == ("echo_chant", 20)


# ---- pierce ---------------------------------------------------------------------------------------------------------


def test_rune_87_goes_on_against_the_reset_health_again_and_again():
    game = cast("damage 50 -> any", keywords="pierce").play("it", "B")
    assert (game.both("power")[B], game.both("health")[B], game.both("drained")[B]) == (3, 10, [50, 0, 0])
    assert cast("damage 60 -> any", keywords="pierce").has(B, power=3).play("it", "B").ending == (A, Cause.HEALTH)


def test_rune_87_over_the_remaining_defence():
    game = cast("damage 8 -> any", keywords="pierce").on_slot(B, "echo_chant", damage=3).play("it", "B0")
    assert (game.both("health")[B], game.both("drained")[B]) == (20 - (8 - 2), [0, 0, 6])


def test_rune_87_to_the_runeslinger_of_the_cards_controller():
    game = cast("damage 8 -> any", keywords="pierce").on_slot(B, "echo_chant", owner=A).play("it", "B0")
    assert game.both("health") == [20, 17]
    own = cast("damage 8 -> any", keywords="pierce").on_slot(A, "draining_chant")
    own.with_hand(A, "it", "insight").play("it", "A1")
    assert own.both("health") == [18, 20]  # and no block against the own source


def test_rune_87_after_the_cards_leaving_triggers():
    """A23."""
    bomb = "bomb | chant | 0 | 5 | c | | when destroyed: barrier 2 -> runeslinger"
    game = cast("damage 8 -> any", bomb, keywords="pierce").on_slot(B, "bomb").play("it", "B0", "B")
    assert game.both("health")[B] == 20 - (3 - 2)


def test_rune_87_barrier_and_block_option_of_the_runeslinger_count():
    game = cast("damage 12 -> any", keywords="pierce").on_slot(B, "echo_chant").has(B, barrier=1).with_hand(B, "insight")
    game.play("it", "B0", "no")
    assert (game.phase, game.seat) == (Phase.BLOCK, B)
    assert game.choose("insight").both("health")[B] == 20 - (12 - 5 - 1 - 4)


def test_rune_87_no_second_block_behind_a_card_that_was_blocked_for():
    game = cast("damage 12 -> any", keywords="pierce").on_slot(B, "echo_chant").with_hand(B, "insight", "insight")
    game.play("it", "B0", "insight")
    assert (game.both("health")[B], game.both("hand_n")[B]) == (20 - (12 - 4 - 5), 1)


def test_rune_87_a_barrier_stops_pierce_unless_it_is_direct():
    game = cast("damage 5 -> any", keywords="pierce").has(B, barrier=3).play("it", "B")
    assert (game.both("health")[B], game.both("barrier")[B]) == (18, 0)
    game = cast("damage 5 direct -> any", keywords="pierce").has(B, barrier=3, health=2).play("it", "B")
    assert (game.both("power")[B], game.both("health")[B], game.both("barrier")[B]) == (4, 17, 3)


def test_rune_87_direct_pierce_behind_a_card_is_still_direct():
    game = cast("damage 8 direct -> any", keywords="pierce").on_slot(B, "echo_chant", guard=4).has(B, barrier=9)
    assert game.with_hand(B, "insight").play("it", "B0").both("health")[B] == 17


def test_rune_88_health_loss_takes_its_full_amount_over_any_number_of_resets():
    game = cast("lose 45 -> enemy").has(B, health=4, barrier=9).with_hand(B, "insight").play("it")
    assert (game.both("power")[B], game.both("health")[B]) == (2, 19)


# ---- hits -----------------------------------------------------------------------------------------------------------

HIT = "damage 3 -> any hit apply 2 weaken"


@pytest.mark.parametrize(("barrier", "areas"), [(2, "weaken 2, -, -, -"), (3, "-, -, -, -")])
def test_rune_89_at_least_one_dealt(barrier, areas):
    game = cast(HIT).has(B, barrier=barrier).play("it", "B")
    assert game.areas(B) == areas
    assert game.both("hits")[A] + game.both("hits_stopped")[A] == 1


def test_rune_89_only_if_the_target_is_a_runeslinger():
    game = cast(HIT).on_slot(B, "echo_chant").play("it", "B0")
    assert (game.of("B0", "damage"), game.areas(B)) == (3, "-, -, -, -")


def test_rune_89_once_the_damage_event_is_finished():
    """3 bring B down, its trigger heals nothing yet; the two burns come after the reset."""
    game = cast("damage 3 -> any hit apply 2 burn", stances=("", "when you_downed: apply 1 burn")).has(B, health=3)
    game.play("it", "B")
    assert (game.areas(B), game.both("health")[B], game.both("power")[B]) == ("burn 3, -, -, -", 14, 4)


def test_rune_89_carried_damage_is_no_hit():
    """A06."""
    game = cast("damage 8 -> any hit apply 2 weaken", keywords="pierce").on_slot(B, "echo_chant").play("it", "B0")
    assert (game.both("health")[B], game.areas(B), game.both("hits")) == (17, "-, -, -, -", [0, 0])


def test_rune_89_hits_on_oneself_are_hits():
    assert cast(HIT).play("it", "A").areas(A) == "weaken 2, -, -, -"


def test_rune_90_spirits_reach_any_target_attacks_only_runeslingers():
    game = cast("damage 1 -> any").on_slot(B, "echo_chant").play("it")
    assert game.options == ["A", "B", "B0"]
    game = cast("damage 1 -> runeslinger", kind="attack").on_slot(B, "echo_chant").play("it")
    assert game.options == ["A", "B"]


def test_rune_90_attack_any_widens_damage_of_attacks_alone():
    text = "damage 1 -> enemy, apply 1 burn -> runeslinger"
    game = cast(text, kind="attack").on_slot(A, "aiming_lens").on_slot(B, "echo_chant").play("it")
    assert game.options == ["B", "B0"]
    assert game.choose("B0").options == ["A", "B"]


def test_rune_90_each_damage_effect_is_an_event_of_its_own():
    game = cast("damage 5 -> any, damage 5 -> any").has(B, barrier=5).play("it", "B", "B")
    assert (game.both("health")[B], game.both("hits"), game.both("hits_stopped")) == (15, [1, 0], [1, 0])


def test_rune_127_all_damage_of_the_card_has_pierce():
    chant = "awl | chant | 0 | 5 | c | pierce | when sling_spirit: damage 8 -> any; activate light 1: damage 8 -> any"
    game = cast("draw 1", chant, kind="spirit").on_slot(A, "awl").concs(A, 2).has(B, health=5).play("it", "B")
    assert (game.both("power")[B], game.both("health")[B]) == (4, 17)
    game.has(B, health=5).do("activate A1", "B")
    assert (game.both("power")[B], game.both("health")[B]) == (3, 17)
