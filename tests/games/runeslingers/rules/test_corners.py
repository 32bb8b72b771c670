"""Corner cases on the kernels: rules that interrupt one another."""

import pytest

from sim.games.runeslingers.cards import Stat
from sim.games.runeslingers.state import Cause, Phase, Stage
from tests.games.runeslingers.positions import AXE, SNAP, A, B, a_duel, cast

# ---- power and the deck ---------------------------------------------------------------------------------------------


def test_rune_20_22_a_trigger_that_costs_power_may_go_on_to_the_last():
    """Each power lost costs the next; four of five fall inside one another."""
    game = cast("lose 20 -> enemy", stances=("", "when you_downed: lose 20")).play("it")
    assert (game.ending, game.both("powers_lost")[B]) == ((A, Cause.HEALTH), [5, 0, 0])


def test_rune_24_25_a_trigger_in_the_middle_of_a_draw_may_take_the_last_card():
    game = cast("draw 2", stances=("when you_downed: draw 1", "")).with_deck(A, "fireball").with_pile("discard", A, "cleanse")
    game.play("it")
    assert (game.ending, game.pile("hand", A), game.both("power")[A]) == ((B, Cause.NO_CARDS), "fireball, cleanse", 4)


def test_rune_24_two_powers_in_one_draw():
    """Deck 1, discard pile 1, and a trigger that sears from the enemy's: the second card empties the new deck too."""
    game = cast("sear 3").with_deck(A, "fireball").with_pile("discard", A, "cleanse").play("it")
    # fireball falls: power 4, deck of 2; two more fall: power 3, deck of 2
    assert (game.both("power")[A], game.both("deck_n")[A], game.both("discard_n")[A]) == (3, 2, 0)


def test_rune_24_97_curses_that_empty_the_deck_one_by_one():
    """Each curse sears the only card, which becomes the new deck: three powers."""
    game = cast("apply 3 curse -> enemy").with_deck(B, "fireball").play("it")
    assert (game.both("power")[B], game.areas(B), game.both("deck_n")[B]) == (2, "curse 3, -, -, -", 1)


def test_rune_34_a_trigger_in_between_may_expose_more():
    """The first power lost destroys the boon over nine weakens: eight of these go too."""
    game = a_duel(stances=("when you_downed: destroy -> defence", "")).ailments(A, curse=8, weaken=9)
    game.under_boon(A, 1, "binding").at_stage(Stage.BEGIN)
    assert (game.both("power")[A], game.areas(A)) == (3, "-, weaken 1, -, -")


def test_rune_34_a_maximum_that_rises_by_the_removal_leaves_health_where_it_is():
    game = a_duel().ailments(A, debilitate=9).has(A, health=11).at_stage(Stage.BEGIN)
    assert (game.both("health")[A], game.stat(A, Stat.MAX_HEALTH), game.areas(A)) == (11, 19, "debilitate 1, -, -, -")


# ---- the ladder -----------------------------------------------------------------------------------------------------


def test_rune_59_a_target_that_is_exposed_again_is_hit():
    """B's answer conceals what A aimed at; A's answer to it takes it away again."""
    pry = "pry | utility | 0 | 0 | c | | destroy -> concentration"
    game = a_duel(pry, SNAP).concs(A, 2).concs(B, 1).with_hand(A, "pry", "snap").with_hand(B, "snap")
    game.play("pry", "B0", "snap", "A0", "snap", "B0")
    assert (game.conc_words(B)[:1], game.pile("discard", B)) == ("-", "snap, insight")


def test_rune_52_74_light_of_the_pool_pays_for_answers_in_the_enemys_turn():
    game = a_duel(stances=("", "when you_block: light 1")).concs(A, 2).concs(B, 1, used=True)
    game.with_hand(A, "small_bolt", "small_bolt").with_hand(B, "insight", "quick_ward")
    game.play("small_bolt", "B", "insight").play("small_bolt", "B")
    assert (game.phase, game.seat, game.both("light")[B]) == (Phase.ANSWER, B, 1)
    assert game.choose("quick_ward").both("light")[B] == 0


def test_rune_72_four_rungs():
    """Every card takes the one below it: the fourth saves the second, which takes the first."""
    game = a_duel(SNAP, "ray | spirit | 0 | 0 | c | | damage 4 -> any").concs(A, 2).concs(B, 2)
    game.with_hand(A, "ray", "snap").with_hand(B, "snap", "snap")
    game.play("ray", "B", "snap", "A0", "snap", "B0", "snap", "A1")
    assert (game.both("health")[B], game.at("A0"), game.at("B0")) == (20, "", "snap")


def test_rune_63_a_card_that_destroys_itself_in_step_7_has_resolved():
    """Its second effect acts."""
    game = a_duel("brand | chant | 0 | 2 | c | | damage 2 -> any, lose 3 -> enemy").concs(A).with_hand(A, "brand")
    assert (game.play("brand", "A0").both("health")[B], game.at("A0"), game.both("foiled")[A]) == (17, "", 0)


def test_rune_50_a_card_that_is_not_in_play_yet_is_no_target_of_its_own():
    """Its targets must be there before it is paid for."""
    game = a_duel("brand | chant | 0 | 2 | c | | damage 2 -> defence").concs(A).with_hand(A, "brand")
    assert game.offers("play") == []


def test_rune_81_a_count_for_each_player_and_turn():
    game = a_duel().concs(A, 1).concs(B, 2).with_hand(A, "small_bolt", "insight").with_hand(B, "shouted_bolt", "insight")
    game.play("small_bolt", "B", "shouted_bolt", "A", "insight", "insight")
    assert (game.both("blocked"), game.both("health"), game.both("barrier")) == ([1, 1], [20, 20], [0, 1])


# ---- damage ---------------------------------------------------------------------------------------------------------


def test_rune_87_109_ailments_are_back_before_the_carried_damage():
    """Binding (6) over 15 debilitates: 8 pierce destroy it, health is cut to 5, and 2 go through."""
    game = cast("damage 8 -> any", keywords="pierce").ailments(B, debilitate=15).under_boon(B, 0, "binding")
    assert game.play("it", "B area 0").both("health")[B] == 3


def test_rune_26_87_maximum_health_0_ends_it_before_the_carried_damage():
    game = cast("damage 8 -> any", keywords="pierce").ailments(B, debilitate=20).under_boon(B, 0, "binding")
    assert game.play("it", "B area 0").ending == (A, Cause.MAX_HEALTH)
    assert game.both("powers_lost")[B] == [0, 0, 0]


def test_rune_82_damage_ends_when_the_object_leaves_by_the_triggers_on_blocking():
    """B destroys its own chant while it blocks for it: nothing is dealt, and nothing carried."""
    game = cast("damage 9 -> any", keywords="pierce", stances=("", "when you_block: destroy -> defence"))
    game.on_slot(B, "echo_chant").with_hand(B, "insight").play("it", "B0", "insight")
    assert (game.at("B0"), game.both("health")[B], game.both("barrier")[B]) == ("", 20, 0)


def test_rune_87_under_pierce_ignores_a_block_does_nothing():
    game = cast("damage 7 -> any", keywords="pierce", pierce_barrier="ignores").has(B, barrier=6)
    game.with_hand(B, "insight").play("it", "B")
    assert game.phase == Phase.BLOCK
    assert (game.choose("insight").both("health")[B], game.both("barrier")[B]) == (13, 10)


def test_rune_89_11_damage_on_each_with_a_hit():
    game = cast("damage 3 -> each hit apply 1 weaken").has(B, barrier=3).play("it", "B first")
    assert (game.both("health"), game.areas(A), game.areas(B)) == ([17, 20], "weaken 1, -, -, -", "-, -, -, -")


def test_rune_62_87_a_card_that_falls_by_the_end_of_another_carries_nothing():
    """The oak takes three points of defence with it; the chant then falls by its damage, not by pierce."""
    oak = "oak | chant | 0 | 4 | c | | static defence 3"
    game = cast("damage 8 -> any", oak, keywords="pierce").on_slot(B, "oak").on_slot(B, "echo_chant", damage=7)
    assert game.play("it", "B0").pile("discard", B) == "oak, echo_chant"
    assert game.both("health")[B] == 20 - (8 - 7)


# ---- leaving --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("word", "hand"), [("trigger 0", 0), ("trigger 1", 1)])
def test_rune_78_126_the_controller_orders_release_among_the_leaving_triggers(word, hand):
    """Released first, the fireball is there to be discarded."""
    jaw = "jaw | chant | 0 | 5 | c | | trap -> card; when leaves: release; when leaves: discard 1 -> enemy"
    game = a_duel(AXE, jaw).on_slot(B, "jaw", under="fireball").concs(A).with_hand(A, "axe").play("axe")
    assert (game.phase, game.seat) == (Phase.TRIGGER, B)
    assert game.choose(word).both("hand_n")[A] == hand


def test_rune_126_a_release_that_is_shut_out_comes_all_the_same():
    """The card goes to its owner's hand whatever the condition of the trigger."""
    jaw = "jaw | chant | 0 | 5 | c | | trap -> card; when leaves not_owned: release"
    game = a_duel(AXE, jaw).on_slot(B, "jaw", under="fireball").concs(A).with_hand(A, "axe").play("axe")
    assert (game.pile("hand", A), game.pile("discard", B)) == ("fireball", "jaw")


def test_rune_126_a_trapped_concentration_comes_back_as_a_card_of_the_hand():
    game = a_duel(AXE).concs(B, 1, name="fireball").concs(A, 2).with_hand(A, "stone_trap", "axe")
    game.play("stone_trap", "B0").play("axe")
    assert (game.pile("hand", B), game.conc_words(B)[:1], game.pile("discard", A)) == ("fireball", "-", "stone_trap")


def test_rune_125_126_a_trap_with_distract_gives_up_both():
    jaw = "jaw | chant | 0 | 5 | c | distract | trap -> card; when leaves: release"
    game = a_duel(AXE, jaw).on_slot(B, "jaw", under="fireball").concs(A).with_hand(A, "axe").play("axe")
    assert (game.pile("hand", A), game.pile("discard", B), game.conc_words(B)[:1]) == ("fireball", "insight, jaw", "-")


def test_rune_77_126_a_trapped_source_drops_its_waiting_trigger():
    """A's chant traps B's bell when a power is lost: the bell, which waits, is silent."""
    jaw = "jaw | chant | 0 | 5 | c | | trap -> card; when leaves: release"
    bell = "bell | chant | 0 | 5 | c | | when you_downed: lose 5"
    game = cast("lose 1 -> enemy", jaw, bell, stances=("when enemy_downed: destroy -> defence", "")).has(B, health=1)
    game.on_slot(B, "bell").play("it")
    assert (game.at("B0"), game.both("health")[B]) == ("", 20)


def test_rune_108_62_a_new_boon_may_fall_at_once_by_the_trigger_of_the_old():
    """The old one goes; the new one of defence 2 lies under an aiming lens of the enemy's and falls before its effects."""
    game = a_duel("leaf | boon | 0 | 2 | c | | lose 5 -> enemy", "veil | boon | 0 | 9 | c | | when destroyed: lose 1")
    game.on_slot(B, "aiming_lens").ailments(A, weaken=2).under_boon(A, 0, "veil").with_hand(A, "leaf").play("leaf")
    assert (game.areas(A), game.both("health"), game.pile("discard", A)) == ("weaken 2, -, -, -", [19, 20], "veil, leaf")


def test_rune_109_99_a_merger_may_reach_level_ii_at_once():
    game = a_duel(AXE).ailments(B, curse=2, weaken=1).under_boon(B, 0, "binding").concs(A).with_hand(A, "axe")
    game.state["ailment"][B, 1], game.state["count"][B, 1] = 2, 2
    game.play("axe")
    assert (game.areas(B), game.stat(B, Stat.NO_ABILITY)) == ("curse 4, -, -, -", 1)


def test_rune_10_36_a_hand_limit_of_the_active_player_ends_with_a_trapped_card():
    limit = "five | chant | 0 | 5 | c | | static max_hand 2 each"
    game = a_duel(limit).on_slot(B, "five").concs(A, 1).with_hand(A, "stone_trap").play("stone_trap")
    assert [game.stat(seat, Stat.MAX_HAND) for seat in (A, B)] == [8, 8]
