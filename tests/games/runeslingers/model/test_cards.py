"""Ailments, boons, traps, tokens and choices in the plain model."""

import pytest

from tests.games.runeslingers.model.model import ABILITY, ACT, CHARGE, FLOAT, INHERENT, SET
from tests.games.runeslingers.model.playing import Playing
from tests.games.runeslingers.model.positions import (
    BURN,
    DEBILITATE,
    ENEMY,
    ENEMY_BOON,
    ENEMY_SLOT,
    INSANITY,
    WEAKEN,
    A,
    B,
    a_duel,
    ailments,
    card,
    conc,
    concs,
    deck,
    hold,
    hurt,
    names,
    play,
    run,
    suffered,
    thing,
)


def codes(table: Playing) -> list[int]:
    return table.main_codes(table.players[A])


def test_rune_39_a_set_needs_a_free_area():
    table = a_duel()
    hold(table, A, "fireball")
    assert SET in codes(table)
    concs(table, A, 6)
    assert SET not in codes(table)


def test_rune_43_use_is_not_for_the_turn_in_which_a_card_was_played():
    table = a_duel()
    lens = thing(table, A, "light_lens")
    assert ACT in codes(table)
    lens.turn_played = table.turn
    assert ACT not in codes(table)
    lens.turn_played = 0
    run(table.activate(table.players[A], lens, 0))
    assert (table.players[A].light, ACT in codes(table)) == (2, False)


def test_rune_44_one_charge_a_turn_then_the_tokens_are_spent():
    table = a_duel()
    chant = thing(table, A, "gathering_chant", tokens=1)
    assert (CHARGE in codes(table), ACT in codes(table)) == (True, False)
    table.charge(chant)
    assert (CHARGE in codes(table), ACT in codes(table)) == (False, True)
    run(table.activate(table.players[A], chant, 0), ENEMY)
    assert (table.players[B].health, chant.tokens) == (15, 0)


def test_rune_41_42_curse_shuts_both_abilities():
    table = a_duel()
    concs(table, A, 1)
    table.players[A].determination = 2
    assert {INHERENT, ABILITY} <= set(codes(table))
    ailments(table, A, curse=4)
    assert not {INHERENT, ABILITY} & set(codes(table))


def test_a15_light_may_float():
    table = a_duel(float_light=True)
    concs(table, A, 1)
    assert FLOAT in codes(table)
    table.players[A].concs[0].used = True
    assert FLOAT not in codes(table)


def test_rune_50_a_card_that_covers_the_only_card_has_no_target():
    table = a_duel()
    concs(table, A, 1)
    hold(table, A, "stone_trap")
    assert not table.playable(table.players[A], table.players[A].hand[0])
    concs(table, B, 1)
    assert table.playable(table.players[A], table.players[A].hand[0])


def test_rune_54_no_second_trinket_of_a_name():
    table = a_duel()
    concs(table, A, 2)
    hold(table, A, "ward_stone")
    assert table.playable(table.players[A], table.players[A].hand[0])
    thing(table, A, "ward_stone")
    assert not table.playable(table.players[A], table.players[A].hand[0])


def test_rune_56_the_enemy_picks_the_bullet_of_fate():
    table = a_duel()
    concs(table, A, 4)
    hold(table, A, "supernova")
    first = 0
    play(table, A, "supernova", first, ENEMY)
    assert (suffered(table, B), table.players[B].health) == ({"burn": 3}, 14)


def test_rune_59_a_target_that_has_left_is_missed_and_the_rest_acts():
    table = a_duel()
    thing(table, B, "light_lens")
    concs(table, A, 4)
    hold(table, A, "twin_bolt")
    play(table, A, "twin_bolt", ENEMY_SLOT, ENEMY_SLOT)
    assert (table.players[B].things[0], table.players[B].health, table.facts.hits[A]) == (None, 20, 0)


def test_rune_96_a04_a_concealed_type_takes_a_free_area_and_merges_later():
    table = a_duel()
    ailments(table, A, weaken=2)
    boon = thing(table, A, "binding")
    run(table.apply_one(table.players[A], WEAKEN))
    assert suffered(table, A) == {"weaken": 1}
    run(table.destroy(boon))
    assert suffered(table, A) == {"weaken": 3}
    assert [area.count for area in table.players[A].areas] == [3, 0, 0, 0]


def test_a04_a_concealed_type_may_be_blocked():
    table = a_duel(concealed_type="blocked")
    ailments(table, A, weaken=2)
    thing(table, A, "binding")
    run(table.apply_one(table.players[A], WEAKEN))
    assert (suffered(table, A), table.facts.no_room[A]) == ({}, 1)


def test_rune_98_the_active_player_orders_what_the_other_announced():
    table = a_duel()
    ailments(table, A, burn=1, curse=1, fragment=1)
    run(table.apply_announced(B, table.players[A], [INSANITY, WEAKEN, BURN]), INSANITY)
    assert suffered(table, A) == {"burn": 2, "curse": 1, "fragment": 1, "insanity": 1}
    assert table.facts.no_room[A] == 1


def test_rune_98_rainbow_dart_announces_different_types():
    table = a_duel()
    concs(table, A, 3)
    hold(table, A, "rainbow_dart")
    play(table, A, "rainbow_dart", WEAKEN, DEBILITATE, ENEMY)
    assert suffered(table, B) == {"weaken": 1, "debilitate": 1}
    assert table.players[B].health == 16  # Striking Stance


def test_rune_104_the_removal_stands_where_the_new_type_finds_no_room():
    table = a_duel()
    ailments(table, A, weaken=2, debilitate=1, insanity=1, fragment=1)
    run(table.convert(A, table.players[A], 2, BURN), WEAKEN, WEAKEN)
    assert (suffered(table, A)["burn"], table.facts.no_room[A]) == (1, 1)


def test_rune_106_places_of_a_boon():
    table = a_duel()
    ailments(table, A, burn=1)
    ailments(table, B, burn=1, curse=1)
    inst = thing(table, B, "binding", owner=A).inst
    assert table.boon_places(table.players[A], inst) == [0, 4, 5]
    assert table.boon_places(table.players[B], inst) == [4, 0, 1]


def test_rune_108_a_replaced_boon_is_destroyed_with_the_new_one_in_place():
    table = a_duel()
    ailments(table, B, burn=5)
    thing(table, B, "divine_barrier", owner=A)
    concs(table, A, 1)
    hold(table, A, "binding")
    laid = play(table, A, "binding")
    assert names(table, [laid.inst]) == ["binding"]
    assert table.players[B].health == 11
    assert suffered(table, B) == {}
    assert names(table, table.players[A].discard) == ["divine_barrier"]
    assert table.total(table.players[B], "damage") == -1
    assert (table.facts.boons_on_enemy[A], table.facts.concealed_most[B]) == (1, 5)


def test_rune_109_on_apply_does_not_happen_when_a_boon_leaves():
    table = a_duel()
    ailments(table, B, debilitate=4, burn=1)
    boon = thing(table, B, "binding", area=0)
    run(table.destroy(boon))
    assert table.players[B].health == 16


def test_rune_123_the_holder_discards_one_card_at_a_time():
    table = a_duel()
    hold(table, B, "small_bolt", "fireball", "fireball", "insight")
    run(table.discard_chosen(table.players[B], 2), 2, 0)
    assert names(table, table.players[B].discard) == ["small_bolt", "fireball"]


def test_rune_125_distract_takes_the_concentration_along():
    table = a_duel()
    conc(table, A, "cleanse")
    hold(table, A, "reckless_bolt")
    laid = play(table, A, "reckless_bolt", ENEMY)
    assert table.players[B].health == 14
    run(table.leave(laid))
    assert names(table, table.players[A].discard) == ["cleanse", "reckless_bolt"]
    assert table.players[A].concs == [None] * 6


def test_rune_126_a_trapped_trap_gives_back_what_lay_under_it():
    table = a_duel()
    trapped = card(table, B, "fireball")
    thing(table, A, "stone_trap", under=trapped)
    concs(table, B, 1)
    table.active = B
    hold(table, B, "stone_trap")
    laid = play(table, B, "stone_trap")
    assert names(table, table.players[B].hand) == ["fireball"]
    assert names(table, [laid.under]) == ["stone_trap"]
    run(table.destroy(laid))
    assert names(table, table.players[A].hand) == ["stone_trap"]
    assert table.between == []


def test_rune_126_a_concentration_may_be_trapped_and_a_full_hand_turns_it_away():
    table = a_duel()
    conc(table, B, "fireball")
    hold(table, B, *["insight"] * 8)
    concs(table, A, 2)
    hold(table, A, "stone_trap")
    laid = play(table, A, "stone_trap", ENEMY_SLOT)
    assert table.players[B].concs[0] is None
    run(table.destroy(laid))
    assert names(table, table.players[B].discard) == ["fireball"]


def test_rune_126_a_trapped_boon_is_not_destroyed():
    table = a_duel()
    ailments(table, B, burn=2)
    thing(table, B, "divine_barrier", owner=A)
    concs(table, A, 2)
    hold(table, A, "stone_trap")
    play(table, A, "stone_trap", ENEMY_BOON)
    assert (table.players[B].health, suffered(table, B)) == (20, {"burn": 2})


@pytest.mark.parametrize(("other_first", "winner"), [(0, B), (1, A)])
def test_rune_11_the_active_player_says_who_comes_first(other_first, winner):
    table = a_duel()
    thing(table, A, "small_hands_chant")
    for seat in (A, B):
        deck(table, seat, "fireball")
        table.players[seat].power = 1
    run(table.fire({A: "turn_start"}), other_first)
    assert table.winner == winner


def test_rune_46_what_ends_with_a_turn():
    table = a_duel()
    concs(table, A, 1)
    hold(table, A, "small_bolt")
    ward = thing(table, A, "ward_stone", damage=3, guard=2)
    laid = play(table, A, "small_bolt", ENEMY)
    table.players[A].light, table.players[B].guard, table.players[A].boosts[0] = 2, 3, 1
    assert table.exposed(laid)
    run(table.discard_phase())
    assert not table.exposed(laid)
    assert (ward.damage, ward.guard, table.players[A].light, table.players[B].guard) == (0, 0, 0, 0)
    assert not any(table.players[A].boosts)
    assert (table.active, table.turn, table.facts.light_wasted[A]) == (B, 5, 2)


def test_a30_damage_to_oneself_cannot_be_blocked():
    table = a_duel()
    hold(table, A, "insight")
    assert hurt(table, A, 3, by=A) == 3
    assert table.facts.hits == [0, 0]


def test_a30_own_targets_off():
    table = a_duel(own_targets=False)
    thing(table, A, "ward_stone")
    concs(table, A, 3)
    hold(table, A, "fireball")
    play(table, A, "fireball")
    assert table.players[B].health == 12


def test_a20_the_removal_may_come_first():
    health = {}
    for order in ("effects_first", "removal_first"):
        table = a_duel(ailment_phase_order=order, turn_cap=20)
        ailments(table, A, burn=8)
        deck(table, A, *["insight"] * 5)
        routine = table.rest_of_turn()
        next(routine)
        health[order] = table.players[A].health
    assert health == {"effects_first": 18, "removal_first": 20}
