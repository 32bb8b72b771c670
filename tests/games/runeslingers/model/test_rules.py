"""The harder rules in the plain model."""

import pytest

from sim.games.runeslingers.state import Cause, Drain, Lost
from tests.games.runeslingers.model.positions import (
    BURN,
    CURSE,
    ENEMY,
    ENEMY_SLOT,
    A,
    B,
    a_duel,
    ailments,
    concs,
    deck,
    discarded,
    hold,
    hurt,
    names,
    play,
    run,
    suffered,
    thing,
)

NO = 0  # ANSWER, BLOCK


def on_top(table, seat, *cards):
    """Two more cards in a deck, so that it does not run out."""
    deck(table, seat, *cards, "insight", "insight")


def test_rune_10_the_active_players_hand_size_beats_the_enemys():
    table = a_duel(more=["five | chant | 1 | 5 | c | | static max_hand 5 each"])
    thing(table, A, "five")
    thing(table, B, "wide_satchel")
    assert [table.max_hand(player) for player in table.players] == [5, 5]
    table.active = B
    assert [table.max_hand(player) for player in table.players] == [5, 10]


def test_rune_10_of_the_same_controller_the_newest_holds():
    table = a_duel(more=["five | chant | 1 | 5 | c | | static max_hand 5"])
    thing(table, A, "wide_satchel")
    newest = thing(table, A, "five")
    assert table.max_hand(table.players[A]) == 5
    newest.seq = 0
    assert table.max_hand(table.players[A]) == 10


def test_rune_22_the_rest_of_plain_damage_is_lost_after_the_triggers():
    table = a_duel()
    thing(table, B, "wide_satchel")
    on_top(table, B, "fireball")
    table.players[B].health = 3
    assert hurt(table, B, 9) == 3
    assert table.players[B].health == 20
    assert names(table, table.players[B].hand) == ["fireball"]


def test_rune_23_a_falling_maximum_cuts_health_and_a_rising_one_does_not_heal():
    table = a_duel()
    frailty = thing(table, A, "frailty_chant")
    table.settle()
    assert [player.health for player in table.players] == [18, 18]
    run(table.destroy(frailty))
    assert [player.health for player in table.players] == [18, 18]
    assert table.max_health(table.players[B]) == 20


def test_rune_24_a_sear_goes_on_with_the_new_deck():
    table = a_duel()
    deck(table, B, "fireball")
    discarded(table, B, "insight", "cleanse", "shatter")
    run(table.take(table.players[B], 3, "sear"))
    bottom = table.players[B]
    assert (bottom.power, len(bottom.deck), len(bottom.discard)) == (4, 2, 2)
    assert table.facts.seared[B] == 3


def test_a02_on_need_the_deck_may_stay_empty():
    table = a_duel(deck_out="on_need")
    deck(table, A, "fireball")
    discarded(table, A, "insight", "cleanse")
    run(table.take(table.players[A], 1, "draw"))
    assert (table.players[A].deck, table.players[A].power) == ([], 5)
    run(table.take(table.players[A], 1, "draw"))
    assert table.players[A].power == 4
    assert (len(table.players[A].deck), len(table.players[A].hand)) == (1, 2)


def test_a02_on_need_without_a_discard_pile_the_next_card_loses():
    table = a_duel(deck_out="on_need")
    deck(table, A, "fireball")
    run(table.take(table.players[A], 1, "void"))
    assert not table.over
    run(table.take(table.players[A], 1, "draw"))
    assert (table.winner, table.cause) == (B, Cause.NO_CARDS)


@pytest.mark.parametrize(("switch", "winner"), [("draw", -1), ("active_wins", A), ("active_loses", B)])
def test_rune_27_both_at_maximum_health_0(switch, winner):
    table = a_duel(double_loss=switch, more=["end | chant | 0 | 5 | c | | static max_health -20 each"])
    hold(table, A, "end")
    concs(table, A, 1)
    play(table, A, "end")
    assert (table.over, table.winner, table.cause) == (True, winner, Cause.MAX_HEALTH)


def test_rune_34_the_owner_chooses_which_eight_go():
    table = a_duel()
    ailments(table, A, burn=3, curse=7)
    run(table.limit_step(table.players[A]), *[BURN] * 2, *[CURSE] * 6)
    assert suffered(table, A) == {"burn": 1, "curse": 1}
    assert (table.players[A].power, table.players[A].health) == (4, 20)
    assert table.facts.powers_lost[A][Lost.AILMENTS] == 1


def test_rune_34_sixteen_cost_two_powers():
    table = a_duel()
    ailments(table, A, curse=17)
    run(table.limit_step(table.players[A]))
    assert (suffered(table, A), table.players[A].power) == ({"curse": 1}, 3)


def test_rune_52_the_covered_concentration_pays_first():
    table = a_duel()
    concs(table, A, 2)
    hold(table, A, "ward_stone")
    second = 1
    play(table, A, "ward_stone")
    assert [conc.used for conc in table.players[A].concs[:2]] == [True, False]
    assert table.players[A].things[second] is None


def test_rune_55_a_boost_adds_pierce_to_spirits_only():
    table = a_duel()
    table.players[A].determination = 2
    run(table.use_ability(table.players[A]))
    assert table.adds_pierce(table.players[A], "spirit")
    assert not table.adds_pierce(table.players[A], "attack")
    assert table.damage_bonus(table.players[A], "spirit") == 4
    assert table.damage_bonus(table.players[A], None) == 0


def test_rune_62_a_card_that_is_played_with_no_defence_left_is_foiled():
    table = a_duel()
    thing(table, B, "aiming_lens")
    hold(table, A, "light_lens")
    concs(table, A, 1)
    assert play(table, A, "light_lens") is None
    assert names(table, table.players[A].discard) == ["light_lens"]
    assert table.facts.foiled[A] == 1


def test_rune_72_a_ladder_of_three_rungs_resolves_from_the_top():
    table = a_duel()
    concs(table, A, 6)
    concs(table, B, 3)
    hold(table, A, "small_bolt", "counter_rune")
    hold(table, B, "counter_rune")
    a_answers = 1
    play(table, A, "small_bolt", ENEMY, 1, a_answers, ENEMY_SLOT)
    assert table.players[B].health == 17
    assert names(table, table.players[B].discard) == ["counter_rune"]
    assert (table.facts.foiled, table.facts.answers) == ([0, 1], [1, 1])


def test_rune_72_without_the_third_rung_the_first_is_destroyed():
    table = a_duel()
    concs(table, A, 6)
    concs(table, B, 3)
    hold(table, A, "small_bolt", "counter_rune")
    hold(table, B, "counter_rune")
    play(table, A, "small_bolt", ENEMY, 1, NO)
    assert table.players[B].health == 20
    assert names(table, table.players[A].discard) == ["small_bolt"]
    assert (table.facts.foiled, table.facts.answers) == ([1, 0], [0, 1])


@pytest.mark.parametrize(("switch", "answers"), [("nothing", 0), ("runespell", 0), ("any_card", 1)])
def test_a01_what_can_be_answered(switch, answers):
    table = a_duel(answer_on=switch)
    concs(table, A, 2)
    concs(table, B, 1)
    hold(table, A, "echo_chant")
    hold(table, B, "stone_trap")
    play(table, A, "echo_chant", *([1, ENEMY_SLOT] if answers else []))
    assert table.facts.answers[B] == answers
    assert (table.players[A].things[0] is None) is bool(answers)


def test_rune_77_the_active_players_triggers_come_first():
    table = a_duel(more=["crow | chant | 1 | 5 | c | | when enemy_downed: lose 1 -> enemy"])
    thing(table, A, "crow")
    thing(table, B, "wide_satchel")
    on_top(table, B, "fireball")
    table.players[B].health = 1
    run(table.drain(table.players[B], 1, Drain.LOSS, carry=True))
    assert table.players[B].health == 19
    assert names(table, table.players[B].hand) == ["fireball"]


def test_rune_77_a_player_orders_triggers_and_one_whose_source_has_left_is_dropped():
    table = a_duel(
        more=[
            "bell | chant | 1 | 5 | c | | when turn_start: lose 1",
            "saw | chant | 1 | 5 | c | | when turn_start: destroy -> card",
        ]
    )
    thing(table, A, "bell")
    thing(table, A, "saw")
    the_saw = 1
    run(table.fire({A: "turn_start"}), the_saw)
    assert table.players[A].health == 20
    assert table.players[A].things[0] is None


def test_rune_81_no_block_option_when_the_barrier_covers_all_or_the_damage_is_direct():
    table = a_duel()
    hold(table, B, "insight")
    table.players[B].guard = 5
    assert hurt(table, B, 5) == 0
    assert hurt(table, B, 5, direct=True) == 5
    assert hurt(table, B, 5, NO) == 5


def test_rune_81_one_block_a_turn():
    table = a_duel()
    hold(table, B, "insight", "fireball")
    hurt(table, B, 6, 1)
    assert hurt(table, B, 6) == 6


def test_rune_82_the_block_value_is_read_after_the_triggers():
    table = a_duel(b="romin", stances=("striking_stance", "braced_stance"), lots=())
    thing(table, B, "ward_stone")
    table.players[B].health = 10
    hold(table, B, "insight")
    ward_stone = 1
    hurt(table, B, 20, 1, ward_stone)
    assert table.facts.prevented[B] == 5 + 2 + 3
    assert table.players[B].health == 1


def test_rune_87_pierce_through_a_divine_barrier_after_its_trigger():
    table = a_duel()
    ailments(table, B, burn=1)
    barrier = thing(table, B, "divine_barrier", owner=A)
    table.players[B].health = 10
    run(table.deal(A, barrier, 8, direct=False, pierce=True))
    assert (table.players[B].power, table.players[B].health) == (4, 18)
    assert table.facts.drained[B] == [0, 9, 3]


def test_rune_87_what_goes_through_a_card_may_be_blocked():
    table = a_duel()
    hold(table, B, "insight")
    echo = thing(table, B, "echo_chant")
    assert run(table.deal(A, echo, 8, direct=False, pierce=True), NO, 1) == 5
    assert (table.players[B].health, table.players[B].guard) == (20, 1)


@pytest.mark.parametrize(("switch", "dealt"), [("stops", 2), ("ignores", 6)])
def test_a05_pierce_against_a_barrier(switch, dealt):
    table = a_duel(pierce_barrier=switch)
    table.players[B].guard = 4
    assert hurt(table, B, 6, pierce=True) == dealt


def test_rune_89_damage_carried_on_is_no_hit():
    table = a_duel(more=["lance | attack | 1 | 0 | c | pierce | damage 8 -> runeslinger hit apply 2 burn"])
    thing(table, A, "aiming_lens")
    thing(table, B, "echo_chant")
    concs(table, A, 1)
    hold(table, A, "lance")
    play(table, A, "lance", ENEMY_SLOT)
    assert table.players[B].health == 20 - 6  # a defence of 5 less 2 by the lens, and Striking Stance
    assert (suffered(table, B), table.facts.hits[A]) == ({}, 0)


def test_rune_90_attacks_reach_cards_only_with_attack_any():
    table = a_duel()
    thing(table, B, "echo_chant")
    concs(table, A, 2)
    hold(table, A, "glancing_arrow")
    with pytest.raises(AssertionError, match="8 answers"):
        play(table, A, "glancing_arrow", ENEMY_SLOT)
