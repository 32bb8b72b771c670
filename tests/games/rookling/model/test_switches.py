"""Every switch of the card file in the plain-Python model, and rules that golden examples do not touch.

Those that change how packets resolve (A-11, A-13, A-16) are in `test_resolve`.
"""

import pytest

from sim.games.rookling.state import Draw, Phase
from tests.games.rookling.model.cards import read_cards
from tests.games.rookling.model.documents import reference_document
from tests.games.rookling.model.game import Exchange, new_table, play, set_up
from tests.games.rookling.model.positions import (
    Answers,
    a_table,
    bear,
    card,
    first_option,
    hold,
    lines_met,
    lives,
    lowest,
    power,
    reference,
    set_lives,
)

SQUADS = (("rime", "rute", "hiss"), ("delvi", "valt", "stone"))
STOP = (Phase.ASSIGN, 0)


def test_a03_an_activated_special_leaves_no_attack_line_with_the_switch():
    yes, attack = (Phase.ACTIVATE, 1), (Phase.ATTACK, 1)
    for one_line, answers in ((False, [yes, attack]), (True, [yes])):
        script = Answers((Phase.ASSIGN, 1), *answers)
        table = a_table("rime rute hiss", answers=script, one_line_per_rookling=one_line)
        hold(table, 0, "blue 3")
        Exchange(table).assign(0)
        Exchange(table).choose_lines(0)
        assert script.left == []


def test_a03_an_activated_special_bars_a_second_one_with_the_switch():
    no, yes = (Phase.ACTIVATE, 0), (Phase.ACTIVATE, 1)
    for one_line, answers in ((False, [yes, yes]), (True, [yes]), (True, [no, yes])):
        script = Answers((Phase.ASSIGN, 1), *answers)
        table = a_table("shadow rute hiss", "rime stone spring", script, one_line_per_rookling=one_line)
        hold(table, 0, "green 4")
        Exchange(table).assign(0)
        assert script.left == []


def test_a04_without_dump_a_card_goes_only_where_it_meets_a_line_of_this_half():
    table = a_table("rime rute hiss", dump=False)
    hold(table, 0, "red 2", "red 1", "blue 5")
    hold(table, 1, "red 1", "blue 2")
    assert Exchange(table).assignments(0) == [3, 7, 9, 13, 15]  # red 2: Sting, Scald; blue 5: everywhere
    assert Exchange(table).assignments(1) == [7, 8, 13, 14]  # nothing on Shadow
    assert Exchange(a_table("rime rute hiss")).assignments(0) == []


@pytest.mark.parametrize(("switch", "met"), [("same_colour", ["Scald"]), ("any_match", ["Scald", "Vent", "Pressure"])])
def test_a05_how_several_cards_meet_a_coloured_line(switch, met):
    table = a_table("hiss rute rime", charge_colour=switch)
    power(table, 0, 0, "red 1", "blue 3")
    assert lines_met(table, 0, 0) == met


def test_a05_the_sum_of_one_colour_meets_a_coloured_line():
    table = a_table("hiss rute rime")
    power(table, 0, 0, "red 1", "red 3", "blue 6")
    assert lines_met(table, 0, 0) == ["Scald", "Vent", "Pressure"]


def test_a06_a_random_opening_row_is_not_asked_for():
    drawn = []

    def chance(draw, results, seat):
        drawn.append((draw, len(results), seat))
        return results[-1]

    table = new_table(reference(opening_row="random"), Answers(), chance, SQUADS)
    set_up(table)
    assert drawn[:2] == [(Draw.ATTACKER, 2, -1), (Draw.OPENING_ROW, 6, 0)]
    assert table.rows == [[2, 1, 0], []]


@pytest.mark.parametrize(("switch", "first"), [("coin", 1), ("drafter1", 0), ("drafter2", 1)])
def test_a07_who_attacks_first(switch, first):
    def coin(draw, results, seat):
        return results[-1] if draw == Draw.ATTACKER else results[0]

    table = new_table(reference(squad_mode="draft", first_attacker=switch), first_option, coin)
    set_up(table)
    assert (table.drafter, table.first) == (0, first)


@pytest.mark.parametrize(("switch", "hand"), [("up_to", ["red 1", "red 2"]), ("new_hand", [])])
def test_a08_a_new_hand_keeps_nothing(switch, hand):
    table = a_table("rime rute hiss", draw_mode=switch)
    hold(table, 0, "red 1", "red 2")
    Exchange(table).draw_cards()
    assert len(table.hands[0]) == 4
    assert table.hands[0][: len(hand)] == [card(words) for words in hand]
    assert len(table.discard) == 2 - len(hand)


def test_a08_a_hand_above_4_is_kept():
    table = a_table("rime rute hiss")
    hold(table, 0, *["red 1"] * 5)
    Exchange(table).draw_cards()
    assert len(table.hands[0]) == 5


def test_a17_clearing_poison_is_no_matter_for_drawing_with_lenient():
    table = a_table("rime rute hiss", answers=Answers((Phase.CLEAR, 1)), poison_clear_draw="lenient")
    bear(table, 0, 0, poisoned=1)
    hold(table, 0, "red 1")
    Exchange(table).clear_poison(0)
    Exchange(table).draw_cards()
    assert len(table.hands[0]) == 4


@pytest.mark.parametrize(("switch", "after"), [("heal_first", (1, 0, 6)), ("damage_first", (2, 0, 5))])
def test_a27_healing_before_poison_keeps_it_from_spilling(switch, after):
    table = a_table("rime rute hiss", e1_order=switch)
    set_lives(table, 0, 0, 0, 6)
    bear(table, 0, 0, poisoned=1, regrowth=1)
    Exchange(table).end_attack()
    assert lives(table, 0) == after
    assert not table.rook(0, 0).tokens["regrowth"]


def test_a28_a_game_is_stopped_at_the_cap():
    table = play(new_table(reference(turn_cap=20), first_option, lowest, SQUADS))
    assert (table.exchange, table.winner, table.over) == (20, -1, True)


def test_a30_both_sides_with_the_same_rookling_have_an_own_pile_each():
    squads = (("delvi", "rute", "hiss"), ("delvi", "valt", "stone"))
    table = new_table(reference(mirror=True), first_option, lowest, squads)
    assert (table.piles[0], table.piles[3]) == (2, 2)
    assert table.effect_card(0) != table.effect_card(3)


def test_a_rookling_may_have_a_life_of_its_own():
    document = reference_document()
    document["rookling"][0]["life"] = 4
    table = new_table(read_cards(document), first_option, lowest, SQUADS)
    assert [rook.life for rook in table.squads[0]] == [4, 6, 6]


# rules


def test_rook_14_options_name_each_bearer_and_each_different_card():
    script = Answers((Phase.CLEAR, 0))
    table = a_table("rime rute hiss", answers=script)
    bear(table, 0, 0, poisoned=2)
    bear(table, 0, 2, poisoned=1)
    hold(table, 0, "red 1", "blue 1", "red 1")
    Exchange(table).clear_poison(0)
    assert script.asked == [(Phase.CLEAR, [0, 1, 2, 13, 14])]


def test_rook_14_a_token_card_goes_before_a_field_effect():
    table = a_table("thorn rute hiss", answers=Answers((Phase.CLEAR, 1), (Phase.CLEAR, 1)))
    hold(table, 0, "red 1", "red 1", "red 1")
    bear(table, 0, 0, poisoned=1)
    table.rook(0, 0).effects[0] = 1
    table.piles[0] -= 1
    exchange = Exchange(table)
    exchange.clear_poison(0)
    assert table.supply["poisoned"] == 6
    assert table.piles[0] == 2
    assert len(table.hands[0]) == 1


def test_rook_16_tokens_move_with_the_rookling_and_a_tunnel_stays():
    table = a_table("delvi rute hiss", answers=Answers((Phase.ROW, 5)))
    table.fixed[0] = (0, 0)
    bear(table, 0, 0, poisoned=1)
    Exchange(table).arrange(0)
    assert table.rows[0] == [2, 1, 0]
    assert table.rook(0, 2).tokens["poisoned"] == 1
    power(table, 0, 0, "red 2", line="Scald")
    power(table, 0, 2, "red 2", line="Claw")
    Exchange(table).declare_attacks()
    assert table.attacks == [4, 0, 3]
    assert table.fixed == {0: (0, 0)}


def test_rook_30_a_special_that_would_change_nothing_is_not_offered():
    table = a_table("spring rute hiss", answers=Answers((Phase.ASSIGN, 1)))
    hold(table, 0, "green 3")
    Exchange(table).assign(0)
    assert not table.zones[0][0].activated


def test_rook_34_a_frozen_rookling_is_no_target_of_charge():
    script = Answers((Phase.ASSIGN, 7), (Phase.ACTIVATE, 1), (Phase.TARGET, 2), STOP)
    table = a_table("rime valt hiss", answers=script)
    bear(table, 0, 0, frozen=1)
    hold(table, 0, "red 3", "red 1")
    Exchange(table).assign(0)
    assert (Phase.TARGET, [1, 2]) in script.asked
    assert [zone.capacity for zone in table.zones[0]] == [1, 1, 2]


def test_rook_35_grants_of_attack_are_for_the_attacker():
    for seat, offered in ((0, 1), (1, 0)):
        script = Answers((Phase.ASSIGN, 1), *[(Phase.ACTIVATE, 1)] * offered)
        table = a_table("banner rute hiss", answers=script)
        table.attacker = 0 if seat == 0 else 1
        hold(table, 0, "red 2")
        Exchange(table).assign(0)
        assert [zone.grants["attack_plus"] for zone in table.zones[0]] == [0, offered, 0]


def test_rook_36_a_hand_never_grows_above_6():
    script = Answers((Phase.ASSIGN, 1), (Phase.ACTIVATE, 1), STOP)
    table = a_table("hiss rute rime", answers=script)
    hold(table, 0, "red 4", *["red 1"] * 5)
    Exchange(table).assign(0)
    assert len(table.hands[0]) == 6


def test_rook_56_the_supply_of_a_token_can_run_out():
    table = a_table("rime rute hiss")
    table.supply["frozen"] = 0
    power(table, 0, 0, "red 3", line="Frost Bite")
    for step in ("declare_attacks", "declare_defences", "resolve_attacks"):
        getattr(Exchange(table), step)()
    assert lives(table, 1) == (2, 6, 6)
    assert not +table.rook(1, 0).pending


def test_rook_43_a_guard_waits_for_an_attack_that_it_can_add_to():
    table = a_table("stone rute hiss", "rime shadow spring")
    power(table, 1, 1, "red 3", line="Slip")
    power(table, 0, 0, "red 4", line="Boulder")
    bear(table, 1, 0, guard=1)
    bear(table, 1, 1, guard=1)
    Exchange(table).declare_attacks()
    Exchange(table).declare_defences()
    assert table.defences == [0, 2, 0]
    assert [rook.tokens["guard"] for rook in table.squads[1]] == [1, 1, 0]


def test_rook_69_confused_lasts_to_the_end_of_the_owners_attacking_turn():
    table = a_table("hiss rute rime")
    power(table, 0, 0, "red 3", line="Vent")
    for step in ("declare_attacks", "declare_defences", "resolve_attacks", "clean_up", "swap"):
        getattr(Exchange(table), step)()
    assert table.attacker == 1
    assert table.rook(1, 0).tokens["confused"] == 1
    Exchange(table).clean_up()
    assert table.rook(1, 0).tokens["confused"] == 0
    assert table.supply["confused"] == 6
