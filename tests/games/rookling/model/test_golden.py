"""Golden examples of squads, energy, tokens and exchanges, by the plain-Python model."""

import pytest

from sim.games.rookling.state import Cause, Draw, Phase
from tests.games.rookling.model.abilities import activate
from tests.games.rookling.model.cards import offer
from tests.games.rookling.model.game import Exchange, new_table, set_up
from tests.games.rookling.model.positions import (
    Answers,
    a_table,
    bear,
    card,
    hold,
    lines_met,
    lives,
    lowest,
    power,
    reference,
    set_lives,
)
from tests.games.rookling.model.resolve import best_response, ways
from tests.games.rookling.model.table import Table

FIRST_ROW = (Phase.ROW, 0)


def attack_with(table: Table) -> list[int]:
    """A4, lines in use as they are."""
    Exchange(table).declare_attacks()
    return table.attacks


def test_golden_g01_life_6_hand_4_squad_3():
    squads = (("rime", "rute", "hiss"), ("delvi", "valt", "stone"))
    table = new_table(reference(), Answers(FIRST_ROW), lowest, squads)
    set_up(table)
    assert [[rook.life for rook in squad] for squad in table.squads] == [[6, 6, 6], [6, 6, 6]]
    assert [len(hand) for hand in table.hands] == [4, 4]


def test_golden_g02_the_draft_goes_1_2_2_1_1_2():
    picks = [(Phase.DRAFT, place) for place in (0, 1, 2, 3, 4, 8)]  # Rime, Rute, Hiss, Delvi, Valt, Stone
    table = new_table(reference(squad_mode="draft"), Answers(*picks, FIRST_ROW), lowest)
    set_up(table)
    assert table.drafter == 0
    assert [[rook.card.id for rook in squad] for squad in table.squads] == [["rime", "delvi", "valt"], ["rute", "hiss", "stone"]]


@pytest.mark.parametrize(("exchange", "hands", "deck"), [(0, [4, 4], 36), (1, [4, 3], 37)])
def test_golden_g04_the_attacker_draws_up_and_once_the_defender_too(exchange, hands, deck):
    table = a_table("rime rute hiss")
    table.exchange = exchange
    table.hands = [[table.deck.pop()], [table.deck.pop() for _ in range(3)]]
    table.deck = table.deck[:40]
    Exchange(table).draw_cards()
    assert [len(hand) for hand in table.hands] == hands
    assert len(table.deck) == deck


@pytest.mark.parametrize(("own", "flat", "plus", "result"), [(0, 1, 1, 2), (0, 0, 1, 0), (3, 1, 1, 5)])
def test_golden_g18_plus_needs_something_to_add_to(own, flat, plus, result):
    assert offer(own, flat, plus) == result


def test_golden_g19_a_confused_scald_does_1():
    table = a_table("hiss rute rime")
    power(table, 0, 0, "blue 2", line="Scald")
    bear(table, 0, 0, confused=1)
    assert attack_with(table) == [1, 0, 0]


def test_golden_g20_two_hidden_cancel_once_and_both_are_spent():
    table = a_table("rime rute hiss")
    power(table, 0, 0, "red 3", line="Frost Bite")
    bear(table, 1, 0, hidden=2)
    assert attack_with(table) == [0, 0, 0]
    assert not table.rook(1, 0).tokens["hidden"]
    assert table.supply["hidden"] == 6


def test_golden_g20_a_cover_gives_2_and_is_spent():
    table = a_table("rime rute hiss")
    power(table, 0, 0, "red 3", line="Frost Bite")
    bear(table, 1, 0, cover=1)
    assert attack_with(table) == [4, 0, 0]
    Exchange(table).declare_defences()
    assert table.defences == [2, 0, 0]
    assert not table.rook(1, 0).tokens["cover"]


def test_golden_g21_wall_cover_and_guard_make_6():
    table = a_table("stone rute hiss", "rime shadow spring")
    power(table, 0, 0, "red 4", line="Boulder")
    power(table, 1, 0, "red 2", line="Ice Wall")
    bear(table, 1, 0, cover=1, guard=1)
    Exchange(table).declare_attacks()
    Exchange(table).declare_defences()
    assert table.defences == [6, 0, 0]
    assert not +table.rook(1, 0).tokens


@pytest.mark.parametrize(("energy", "met"), [("red 4", ["Scald", "Vent", "Pressure"]), ("tunnel", ["Scald"])])
def test_golden_g22_lines_that_hiss_meets(energy, met):
    table = a_table("hiss delvi rime")
    power(table, 0, 0, energy)
    assert lines_met(table, 0, 0) == met


@pytest.mark.parametrize(("energy", "attack"), [("blue 3", 3), ("red 2", 5)])
def test_golden_g23_a_matching_colour_adds_to_red_beat(energy, attack):
    table = a_table("pulse_red rute rime")
    power(table, 0, 0, energy, line="Red Beat")
    assert attack_with(table) == [attack, 0, 0]


def test_golden_g24_valt_charges_himself_for_a_bolt():
    answers = Answers((Phase.ASSIGN, 1), (Phase.ACTIVATE, 1), (Phase.TARGET, 0), (Phase.ASSIGN, 1), (Phase.ATTACK, 2))
    table = a_table("valt rute rime", answers=answers)
    hold(table, 0, "red 4", "blue 3")
    Exchange(table).assign(0)
    Exchange(table).choose_lines(0)
    assert attack_with(table) == [8, 0, 0]
    assert answers.left == []


def test_golden_g25_frost_bite_in_siege_state_does_5():
    table = a_table("rime rute hiss")
    set_lives(table, 0, 0, 6, 6)
    power(table, 0, 0, "red 3", line="Frost Bite")
    assert attack_with(table) == [5, 0, 0]


def test_golden_g26_a_field_effect_that_powers_a_line_becomes_a_token():
    table = a_table("delvi rute hiss")
    power(table, 0, 0, "tunnel", line="Claw")
    Exchange(table).clean_up()
    assert table.fixed == {0: (0, 0)}
    assert table.discard == []


def test_golden_g26_a_field_effect_that_powers_nothing_is_discarded():
    table = a_table("delvi rute hiss")
    power(table, 0, 0, "tunnel")
    Exchange(table).clean_up()
    assert table.fixed == {}
    assert table.discard == [table.effect_card(0)]


def test_golden_g27_an_older_tunnel_returns_to_the_pile():
    table = a_table("delvi rute hiss")
    for position, line in ((0, "Claw"), (1, "Sting")):
        power(table, 0, position, "tunnel", line=line)
        Exchange(table).clean_up()
    assert table.fixed == {0: (0, 1)}
    assert table.piles[0] == 1


@pytest.mark.parametrize(("before", "after"), [(0, 2), (5, 6)])
def test_golden_g28_heal_2(before, after):
    table = a_table("spring rute hiss", answers=Answers((Phase.TARGET, 1)))
    set_lives(table, 0, 5, before, 6)
    power(table, 0, 0, "green 3")
    activate(table, 0, 0, 2)
    assert lives(table, 0) == (5, after, 6)
    assert not table.rook(0, 1).in_siege


def test_golden_g29_the_token_goes_under_the_rookling_that_was_struck():
    table = a_table("rime rute hiss")
    set_lives(table, 1, 0, 6, 6)
    power(table, 0, 0, "red 3", line="Frost Bite")
    Exchange(table).declare_attacks()
    Exchange(table).declare_defences()
    Exchange(table).resolve_attacks()
    assert lives(table, 1) == (0, 2, 6)
    assert [rook.pending["frozen"] for rook in table.squads[1]] == [1, 0, 0]


def test_golden_g30_frozen_bars_energy_in_the_next_exchange_only():
    table = a_table("rime rute hiss")
    hold(table, 1, "red 1", "red 2")
    power(table, 0, 0, "red 3", line="Frost Bite")
    barred = []
    for step in ("declare_attacks", "declare_defences", "resolve_attacks"):
        getattr(Exchange(table), step)()
    for _ in range(3):
        barred.append({0, 1, 2} - {(code - 1) // 6 for code in Exchange(table).assignments(1)})
        Exchange(table).clean_up()
        Exchange(table).swap()
    assert barred == [set(), {0}, set()]
    assert table.supply["frozen"] == 6


def test_golden_g31_poison_spills_from_one_in_siege_state_and_stays():
    table = a_table("rime rute hiss")
    set_lives(table, 0, 0, 4, 6)
    bear(table, 0, 0, poisoned=1)
    Exchange(table).end_attack()
    assert lives(table, 0) == (0, 3, 6)
    assert table.rook(0, 0).tokens["poisoned"] == 1


@pytest.mark.parametrize(("clearing", "drawn"), [(0, 0), (1, 3)])
def test_golden_g32_poison_cleared_while_attacking_costs_the_draw(clearing, drawn):
    table = a_table("rime rute hiss", answers=Answers((Phase.CLEAR, 1)))
    bear(table, clearing, 0, poisoned=1)
    hold(table, clearing, "red 1", "red 2")
    hold(table, 1 - clearing, "blue 1")
    before = len(table.hands[0]) - (clearing == 0)
    Exchange(table).clear_poison(clearing)
    assert table.supply["poisoned"] == 6
    assert table.discard == [card("red 1")]
    Exchange(table).draw_cards()
    assert len(table.hands[0]) - before == drawn
    assert len(table.hands[1]) == 1


def test_golden_g33_the_discard_pile_is_shuffled_when_a_card_is_missing():
    table = a_table("rime rute hiss")
    hold(table, 0, "red 1", "red 2")
    table.deck, table.discard = [card("blue 1")], [card("green 1")] * 6
    Exchange(table).draw_cards()
    assert (len(table.hands[0]), len(table.deck), len(table.discard)) == (4, 5, 0)
    assert table.hands[0][2] == card("blue 1")


def test_golden_g34_a_whole_exchange():
    answers = Answers((Phase.ATTACK, 1), (Phase.ATTACK, 2), (Phase.DEFEND, 1), (Phase.DEFEND, 1))
    table = a_table("rime hiss delvi", "stone rute banner", answers)
    set_lives(table, 1, 3, 0, 4)
    power(table, 0, 0, "green 4")
    power(table, 0, 1, "red 3")
    power(table, 1, 0, "yellow 1")
    power(table, 1, 1, "blue 2")
    exchange = Exchange(table)
    exchange.choose_lines(0)
    exchange.declare_attacks()
    exchange.choose_lines(1)
    exchange.declare_defences()
    assert (table.attacks, table.defences) == ([4, 5, 0], [2, 2, 0])
    problem = ((3, 0, 4), table.attacks, table.defences)
    assert {tuple(way.clash.life) for way in ways(*problem)} == {(0, 0, 1), (0, 0, 2), (0, 0, 4), (1, 0, 1)}
    best = best_response(*problem)
    assert best.value == (True, 6, -2)
    assert tuple(best.clash.life) in {(0, 0, 4), (1, 0, 1)}
    answers.left = list(best.decisions)
    exchange.resolve_attacks()
    assert lives(table, 1) == tuple(best.clash.life)
    assert [+rook.pending for rook in table.squads[1]] == [{"frozen": 1}, {"confused": 1}, {}]
    assert answers.left == []


@pytest.mark.parametrize(("life", "cause"), [((0, 0, 2), Cause.ATTACK), ((2, 0, 0), Cause.SPILL)])
def test_rook_55_the_third_flip_ends_the_game_at_once(life, cause):
    table = a_table("rute hiss rime")
    set_lives(table, 1, *life)
    power(table, 0, 2, "red 3", line="Frost Bite")
    Exchange(table).declare_attacks()
    Exchange(table).declare_defences()
    Exchange(table).resolve_attacks()
    assert (table.winner, table.last_blow, table.over) == (0, cause, True)
    assert not any(rook.pending for rook in table.squads[1])


def test_rook_03_lots_are_drawn_for_six_rooklings():
    dealt = []

    def chance(draw, results, seat):
        dealt.append((draw, len(results), seat))
        return results[-1]

    table = new_table(reference(squad_mode="random"), Answers(FIRST_ROW), chance)
    set_up(table)
    squads = [entry for entry in dealt if entry[0] == Draw.SQUADS]
    assert squads == [(Draw.SQUADS, 12 - number, number // 3) for number in range(6)]
    assert [[rook.card.place for rook in squad] for squad in table.squads] == [[11, 10, 9], [8, 7, 6]]
