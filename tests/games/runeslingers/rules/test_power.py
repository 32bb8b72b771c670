"""RUNE-20 to 28 on the kernels: power, health, the deck."""

import numpy as np
import pytest

from sim.engine.contract import returns
from sim.engine.dice import SEATS_MAX
from sim.games.runeslingers.state import Cause, Lost
from tests.games.runeslingers.positions import A, B, a_duel, cast

# ---- losing power ---------------------------------------------------------------------------------------------------


def test_rune_20_a_power_less_a_determination_more_at_once():
    """The trigger on losing a power already finds the determination."""
    game = cast("lose 3 -> enemy", stances=("", "when you_downed: lose 1")).has(B, health=3).play("it")
    assert (game.both("power"), game.both("determination")[B], game.both("health")[B]) == ([5, 4], 1, 19)


def test_rune_20_at_power_0_the_enemy_wins_and_nothing_pending_resolves():
    stance = "when you_downed: draw 1"
    game = cast("lose 60 -> enemy, draw 1", stances=("when enemy_downed: lose 1", stance))
    game.has(B, power=2, health=7).with_hand(B).play("it")
    # 7 + 20: two powers, one trigger of each player in between
    assert game.ending == (A, Cause.HEALTH)
    assert (game.both("power")[B], game.pile("hand", A), game.pile("hand", B)) == (0, "", "insight")
    assert game.both("health")[A] == 19
    assert game.options == []


def test_rune_20_its_own_runeslinger_may_fall_too():
    assert cast("lose 3").has(A, power=1, health=3).play("it").ending == (B, Cause.HEALTH)


def test_rune_21_three_causes():
    game = cast("lose 20 -> enemy, sear 1 -> enemy").with_deck(B, "insight").with_pile("discard", B, *["cleanse"] * 4)
    game.ailments(B, curse=5, burn=3).play("it")
    assert game.both("powers_lost")[B] == [1, 1, 0]
    game.end()
    assert game.both("powers_lost")[B] == [1, 1, 1]
    assert [int(lost) for lost in Lost] == [0, 1, 2]


def test_rune_21_no_limit_of_powers_lost_in_one_turn():
    game = cast("lose 60 -> enemy, lose 19 -> enemy").play("it")
    assert (game.both("power")[B], game.both("health")[B]) == (2, 1)


# ---- health ---------------------------------------------------------------------------------------------------------


def test_rune_22_triggers_resolve_before_the_rest_goes_on():
    """5 of 9 bring B down; healing comes to nothing at 20, the loss of 3 takes 17, and 4 are left: 13."""
    game = cast("lose 9 -> enemy", stances=("", "when you_downed: lose 3")).has(B, health=5).play("it")
    assert (game.both("power")[B], game.both("health")[B]) == (4, 13)
    # with the rest first, 16 would be healed to 20 at the end
    game = cast("lose 9 -> enemy", stances=("", "when you_downed: heal 9")).has(B, health=5).play("it")
    assert game.both("health")[B] == 16


def test_rune_22_what_is_left_of_plain_and_direct_damage_is_lost():
    for words in ("", " direct"):
        game = cast(f"damage 19{words} -> any").has(B, health=5).play("it", "B")
        assert (game.both("power")[B], game.both("health")[B]) == (4, 20)


def test_rune_22_direct_damage_with_pierce_goes_on():
    game = cast("damage 9 direct -> any", keywords="pierce").has(B, health=5).play("it", "B")
    assert (game.both("power")[B], game.both("health")[B]) == (4, 16)


def test_rune_23_health_never_exceeds_the_maximum():
    game = cast("heal 30").has(A, health=3).play("it")
    assert game.both("health")[A] == 20
    assert cast("heal 30").has(A, health=3).ailments(A, debilitate=2).play("it").both("health")[A] == 18


def test_rune_23_a_falling_maximum_cuts_health_which_is_no_loss():
    game = cast("apply 3 debilitate -> runeslinger").has(B, health=18).play("it", "B")
    assert (game.both("health")[B], game.both("drained")[B]) == (17, [0, 0, 0])


def test_rune_23_powers_lost_to_the_deck_do_not_reset_health():
    game = cast("sear 1 -> enemy").has(B, health=4).with_deck(B, "insight").with_pile("discard", B, "cleanse").play("it")
    assert (game.both("power")[B], game.both("health")[B]) == (4, 4)


# ---- the deck -------------------------------------------------------------------------------------------------------


def test_rune_24_the_last_card_has_reached_its_destination():
    """The last card of a sear lies in the discard pile when that is shuffled: two cards of which one is seared."""
    game = cast("sear 2").with_deck(A, "fireball").with_pile("discard", A, "cleanse")
    game.play("it", draws="fireball, fireball")
    assert (game.pile("discard", A), game.pile("deck", A)) == ("fireball", "cleanse")


def test_rune_24_a_seared_last_card_is_a_discard_pile_of_its_own():
    """Nothing else lies there; so each card seared from it costs a power."""
    game = cast("sear 3").with_deck(A, "fireball").play("it")
    assert (game.both("power")[A], game.pile("deck", A), game.pile("discard", A)) == (2, "fireball", "")


def test_rune_24_a_full_hand_sends_the_last_card_to_the_discard_pile_first():
    game = cast("draw 1", max_hand=1).with_hand(A, "it", "insight").with_deck(A, "fireball").play("it")
    assert (game.both("power")[A], game.pile("hand", A), game.pile("deck", A)) == (4, "insight", "fireball")


def test_rune_24_everything_pauses_triggers_come_after_the_shuffle():
    """The trigger takes its card from the new deck (A22), before the second card of the draw."""
    game = cast("draw 2", stances=("when you_downed: sear 1", "")).with_deck(A, "fireball")
    game.with_pile("discard", A, "cleanse", "shatter", "insight")
    game.play("it", draws="fireball, cleanse, insight")
    piles = [game.pile(pile, A) for pile in ("hand", "discard", "deck")]
    assert piles == ["fireball, insight", "cleanse", "shatter"]


def test_rune_24_ailments_that_void_may_empty_the_deck_in_the_middle_of_their_application():
    """Two fragments: the first voids the last card, a power goes, the second voids one of the new deck."""
    game = cast("apply 2 fragment -> enemy").with_deck(B, "fireball").with_pile("discard", B, "cleanse", "shatter")
    game.play("it", draws="fireball, cleanse")
    assert (game.both("power")[B], game.pile("void", B), game.pile("deck", B)) == (4, "fireball, cleanse", "shatter")
    assert game.areas(B).startswith("fragment 2")


def test_rune_24_the_last_power_may_go_with_the_deck():
    game = cast("sear 2 -> enemy").has(B, power=1).with_deck(B, "fireball").with_pile("discard", B, "cleanse").play("it")
    assert game.ending == (A, Cause.DECK)
    assert (game.both("deck_n")[B], game.both("discard_n")[B]) == (0, 2)  # nothing pending resolves


@pytest.mark.parametrize("op", ["draw 2", "void 2", "draw 1"])
def test_rune_25_without_a_discard_pile_the_encounter_is_lost(op):
    """Cards in play, in hand and in the void do not help."""
    game = cast(op).with_hand(A, "it", "insight").with_deck(A, "fireball").with_pile("void", A, "cleanse")
    game.play("it")
    assert (game.ending, game.both("power")[A]) == ((B, Cause.NO_CARDS), 5)


def test_rune_25_comes_before_the_loss_of_a_power_would():
    """With its last power too the cause is no_cards."""
    game = cast("void 1 -> enemy").has(B, power=1).with_deck(B, "fireball").play("it")
    assert game.ending == (A, Cause.NO_CARDS)


# ---- maximum health 0, determination --------------------------------------------------------------------------------


def test_rune_26_maximum_health_0_or_less_loses_at_once():
    game = cast("apply 2 debilitate -> enemy, lose 60").ailments(B, debilitate=19).has(B, health=1).play("it")
    assert (game.ending, game.both("power"), game.both("health")[A]) == ((A, Cause.MAX_HEALTH), [5, 5], 20)
    assert game.areas(B).startswith("debilitate 20")


def test_rune_26_when_a_boon_leaves():
    game = a_duel().ailments(B, debilitate=20).under_boon(B, 0, "binding").concs(A, 2).with_hand(A, "shatter")
    assert game.play("shatter", draws=None).ending == (A, Cause.MAX_HEALTH)


def test_rune_26_when_a_card_that_adds_leaves():
    oak = "oak | chant | 1 | 5 | c | | static max_health 5"
    game = a_duel(oak).on_slot(B, "oak").ailments(B, debilitate=20).has(B, health=5).concs(A, 2)
    assert game.with_hand(A, "shatter").play("shatter").ending == (A, Cause.MAX_HEALTH)


def test_rune_27_both_at_the_same_instant_is_a_draw():
    game = a_duel("end_all | chant | 0 | 5 | c | | static max_health -20 each").with_hand(A, "end_all").concs(A)
    assert game.play("end_all").ending == (-1, Cause.MAX_HEALTH)
    shares = np.zeros(SEATS_MAX)
    returns(game.state, shares)
    assert shares[:2].tolist() == [0.5, 0.5]


def test_rune_27_no_other_rule_makes_both_lose():
    """Both at their last health: the first to lose it loses, the other's loss does not resolve."""
    game = cast("lose 1 -> each").has(A, power=1, health=1).has(B, power=1, health=1).play("it", "A first")
    assert (game.ending, game.both("power"), game.both("health")[B]) == ((B, Cause.HEALTH), [0, 1], 1)


def test_rune_28_determination_is_spent_on_the_equipped_ability_alone():
    game = a_duel(abilities=("2 | draw 1", "1 | draw 1")).has(A, determination=3)
    game.do("ability")
    assert (game.both("determination")[A], game.both("spent")[A], game.pile("hand", A)) == (1, 2, "insight")
    assert "ability" not in game.options


def test_rune_28_gained_is_what_power_was_lost():
    game = cast("lose 60 -> enemy").play("it")
    assert (game.both("determination")[B], game.both("power")[B]) == (3, 2)
    later = game.end("play on")
    assert "ability" in later.options
    assert later.do("ability").both("determination")[B] == 2
