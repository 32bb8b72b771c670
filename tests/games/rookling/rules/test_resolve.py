"""ROOK-45 to 56: how attacks meet defences (G-05 to G-17), with every switch and on a mirrored table."""

from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest

from tests.games.rookling.clashes import Ending, best, by_decisions, endings, only, results
from tests.games.rookling.model.random_clashes import SPILLS
from tests.games.rookling.positions import Play, a, table

PLACES = ("left", "middle", "right")


# what is resolved when


def test_rook_45_the_defender_picks_among_the_attacks_that_are_open():
    orders = {ending.decisions for ending in endings((6, 6, 6), (1, 1, 1))}
    assert orders == {(f"{a} first", f"{b} first") for a, b, _ in permutations(PLACES)}, "the last one is not asked for"


def test_rook_45_each_attack_is_resolved_completely_before_the_next():
    assert by_decisions((6, 0, 6), (1, 3, 0)) == {
        ("left first", "spill left"): (2, 0, 6),
        ("left first", "spill right"): (5, 0, 3),
        ("middle first", "spill left"): (2, 0, 6),
        ("middle first", "spill right"): (5, 0, 3),
    }


@pytest.mark.parametrize(
    ("attacks", "open_ones"), [((0, 0, 0), [()]), ((0, 2, 0), [()]), ((1, 0, 1), [("left first",), ("right first",)])]
)
def test_rook_40_45_an_attack_of_0_is_nothing_to_resolve(attacks, open_ones):
    assert [ending.decisions for ending in endings((6, 6, 6), attacks)] == open_ones


# lives, blocks, excess


@pytest.mark.parametrize(("attack", "defence"), [*product(range(8), range(4))])
def test_rook_46_life_falls_by_attack_minus_block_and_not_below_0(attack, defence):
    ending = only((5, 6, 6), (attack, 0, 0), (defence, 0, 0))
    assert ending.life == (max(0, 5 - max(0, attack - defence)), 6, 6)


def test_rook_46_golden_g06_an_attack_that_is_fully_blocked_is_no_hit():
    ending = only((5, 6, 6), (3, 0, 0), (3, 0, 0))
    assert (ending.life, ending.hits, ending.used) == ((5, 6, 6), {}, {0})


def test_rook_46_golden_g07_what_is_left_of_an_attack_hits():
    ending = only((5, 6, 6), (4, 0, 0), (1, 0, 0))
    assert (ending.life, ending.hits) == ((2, 6, 6), {0: 0})


def test_rook_47_golden_g08_faq_excess_damage_is_nullified_and_does_not_spill():
    assert only((6, 2, 6), (0, 5, 0)).life == (6, 0, 6)


def test_rook_51_faq_excess_of_a_spill_is_nullified_too():
    assert only((0, 2, 6), (9, 0, 0)).life == (0, 0, 6)


# spills


@pytest.mark.parametrize(("siege", "struck", "landing"), SPILLS)
def test_rook_49_golden_g05_where_a_spill_lands(siege, struck, landing):
    life = tuple(0 if position in siege else 6 for position in range(3))
    attacks = tuple(4 if position == struck else 0 for position in range(3))
    whole = {tuple(2 if position == target else points for position, points in enumerate(life)) for target in landing}
    assert results(life, attacks) == whole, "all of it on one Rookling, never divided"


def test_rook_48_49_golden_g09_siege_state_loses_no_life_and_spills_onto_the_neighbour():
    ending = only((0, 6, 6), (4, 0, 0))
    assert (ending.life, ending.decisions) == ((0, 2, 6), ())


def test_rook_48_golden_g10_siege_state_must_block_and_the_defender_picks_the_side_of_the_rest():
    found = by_decisions((6, 0, 6), (0, 5, 0), (0, 2, 0))
    assert found == {("spill left",): (3, 0, 6), ("spill right",): (6, 0, 3)}


def test_rook_48_siege_state_that_blocks_in_full_spills_nothing():
    ending = only((6, 0, 6), (0, 2, 0), (0, 2, 0))
    assert (ending.life, ending.hits) == ((6, 0, 6), {})


def test_rook_48_52_siege_state_blocks_its_own_attack_even_if_no_other_comes_and_never_a_spill():
    ending = only((0, 0, 6), (5, 0, 0), (2, 3, 0))
    assert (ending.life, ending.used) == ((0, 0, 3), {0}), "the middle one is passed over with its 3 unused"


def test_rook_50_one_in_siege_state_that_is_passed_over_neither_blocks_nor_changes_the_spill():
    for ending in endings((0, 0, 6), (4, 1, 0), (0, 3, 0)):
        assert (ending.life, ending.used) == ((0, 0, 2), {1}), "its 3 are for its own attack"


def test_rook_49_51_a_rookling_on_which_a_spill_lands_may_block_it():
    assert only((0, 6, 6), (4, 0, 0), (0, 3, 0)).life == (0, 5, 6)


# one block each


def test_rook_52_golden_g12_faq_facing_an_attack_and_a_spill_only_one_of_them_is_blocked():
    found = by_decisions((0, 6, 6), (4, 3, 0), (0, 4, 0))
    assert found["left first", "block"] == (0, 3, 6)
    assert found["left first", "hold"] == (0, 2, 6)
    assert set(found.values()) == {(0, 3, 6), (0, 2, 6)}
    assert best((0, 6, 6), (4, 3, 0), (0, 4, 0)).life == (0, 3, 6)


def test_rook_52_what_is_left_of_a_block_does_not_carry_over():
    assert results((0, 6, 6), (1, 3, 0), (0, 9, 0)) == {(0, 3, 6), (0, 5, 6)}


def test_rook_52_three_packets_on_one_rookling_meet_one_block():
    found = results((0, 12, 0), (2, 3, 4), (0, 9, 0))
    assert found == {(0, 12 - 2 - 3, 0), (0, 12 - 2 - 4, 0), (0, 12 - 3 - 4, 0)}


@pytest.mark.parametrize(
    ("attacks", "asked"),
    [
        ((0, 3, 0), False),  # nothing else comes
        ((0, 3, 2), False),  # the other attack faces one with life
        ((1, 3, 0), True),  # the other attack faces one in siege-state
    ],
)
def test_rook_53_a_block_may_be_held_back_only_if_another_packet_may_come(attacks, asked):
    held = [ending for ending in endings((0, 6, 6), attacks, (0, 2, 0)) if "hold" in ending.decisions]
    assert bool(held) == asked


def test_rook_53_a_spill_may_be_let_through_to_keep_the_block_for_the_own_attack():
    assert by_decisions((0, 6, 6), (1, 5, 0), (0, 4, 0))["left first", "hold"] == (0, 4, 6)


def test_rook_53_a_block_may_be_held_back_for_a_spill_that_lands_elsewhere_in_the_end():
    found = by_decisions((6, 0, 6), (3, 4, 0), (2, 0, 0))
    assert found["left first", "hold", "spill right"] == (3, 0, 2)


# flips in mid-exchange


def test_rook_54_a_rookling_flipped_on_the_way_counts_as_in_siege_state():
    found = by_decisions((0, 2, 6), (4, 2, 0))
    assert found == {("left first",): (0, 0, 4), ("middle first",): (0, 0, 2)}


def test_rook_54_its_unused_defence_still_blocks_its_own_attack():
    found = by_decisions((0, 2, 6), (2, 5, 0), (0, 3, 0))
    assert found["left first", "hold"] == (0, 0, 4), "flipped by the spill, it blocks 3 of 5 and spills 2"


@pytest.mark.parametrize(("life", "attacks"), [((0, 0, 2), (0, 0, 2)), ((0, 0, 2), (2, 0, 0)), ((2, 0, 0), (9, 0, 0))])
def test_rook_55_the_third_flip_loses(life, attacks):
    assert only(life, attacks).lost


def test_rook_55_golden_g11_a_spill_flips_the_last():
    ending = only((0, 0, 1), (2, 0, 0))
    assert (ending.life, ending.lost) == ((0, 0, 0), True)


def test_rook_55_nothing_further_is_resolved():
    for ending in endings((0, 0, 1), (3, 3, 3)):
        assert (ending.lost, len(ending.left_open)) == (True, 2)


# hits


def test_rook_56_a_hit_is_measured_after_the_block_of_the_struck_rookling():
    ending = only((0, 6, 6), (4, 0, 0), (0, 4, 0))
    assert (ending.life, ending.hits) == ((0, 6, 6), {0: 0}), "the spill was blocked, the attack was not"


def test_rook_56_a_fully_blocked_attack_is_no_hit_in_siege_state_either():
    assert only((0, 6, 6), (4, 0, 0), (4, 0, 0)).hits == {}


# golden examples of whole resolutions


def test_rook_45_54_golden_g13_left_first_is_best():
    assert best((0, 2, 6), (4, 2, 0)).life == (0, 0, 4)


def test_rook_45_53_golden_g14_blocking_the_spill_is_best():
    problem = ((0, 2, 6), (3, 5, 0), (0, 3, 0))
    assert results(*problem) == {(0, 0, 3), (0, 0, 4), (0, 0, 6)}
    assert by_decisions(*problem)["left first", "block"] == (0, 0, 6)
    ending = best(*problem)
    assert (ending.life, len(ending.hits)) == ((0, 0, 6), 2)


def test_rook_45_golden_g15_without_siege_state_every_order_ends_alike():
    assert results((6, 6, 6), (5, 4, 3), (2, 0, 3)) == {(3, 2, 6)}


def test_rook_45_golden_g16_44_ways_to_resolve():
    assert len(endings((6, 0, 3), (2, 7, 2), (1, 0, 1))) == 44


def test_rook_45_golden_g17_a_uniformly_random_defender_ends_g13_either_way_half_of_the_time():
    found = {ending.life: ending.chance for ending in endings((0, 2, 6), (4, 2, 0))}
    assert found == {(0, 0, 4): Fraction(1, 2), (0, 0, 2): Fraction(1, 2)}


# the best answer


def worth(ending: Ending) -> tuple[bool, int, int]:
    """The reference objective: not lost, then life and 2 for each with life, then few hits."""
    return not ending.lost, sum(ending.life) + 2 * sum(life > 0 for life in ending.life), -len(ending.hits)


def test_rook_45_the_best_answer_keeps_rooklings_up_rather_than_life():
    assert results((1, 0, 6), (0, 2, 0)) == {(0, 0, 6), (1, 0, 4)}
    assert best((1, 0, 6), (0, 2, 0)).life == (1, 0, 4), "5 + 2 x 2 are more than 6 + 2"


def test_rook_45_53_among_equal_lives_it_takes_the_one_with_fewer_hits():
    ways = {ending.decisions: (ending.life, ending.hits) for ending in endings((0, 6, 6), (3, 3, 0), (0, 3, 0))}
    assert ways["left first", "block"] == ((0, 3, 6), {0: 0, 1: 1})
    assert ways["left first", "hold"] == ((0, 3, 6), {0: 0})
    assert best((0, 6, 6), (3, 3, 0), (0, 3, 0)).hits == {0: 0}


def test_rook_45_49_among_equals_it_takes_the_first_left_before_right():
    assert best((6, 0, 6), (0, 3, 0)).life == (3, 0, 6)


@pytest.mark.parametrize("life", [life for life in product((0, 2, 5), repeat=3) if any(life)])
def test_rook_45_the_best_answer_is_the_first_of_the_best_ways(life):
    for attacks, defences in (((4, 7, 2), (0, 3, 1)), ((3, 3, 3), (3, 3, 3))):
        first = max(endings(life, attacks, defences), key=worth)
        assert best(life, attacks, defences).clash == first.clash, "to the last bit: who has blocked, what came last"


OTHER_RULES = [{}, {"siege_chain_blocks": True}, {"hold_block": "free"}, {"hit_on_landing": True}]


def test_rook_50_switch_siege_chain_blocks_lets_the_one_that_is_passed_over_block():
    assert only((0, 0, 6), (5, 0, 0), (1, 3, 0), siege_chain_blocks=True).life == (0, 0, 5)


def test_rook_48_50_switch_siege_chain_blocks_lets_siege_state_keep_its_block_for_what_comes_later():
    assert by_decisions((0, 0, 12), (3, 6, 0), (0, 5, 0), siege_chain_blocks=True) == {
        ("left first", "block"): (0, 0, 12 - 6),
        ("left first", "hold"): (0, 0, 12 - 3 - 1),
        ("middle first", "block"): (0, 0, 12 - 1 - 3),
        ("middle first", "hold"): (0, 0, 12 - 6),
    }


def test_rook_50_switch_siege_chain_blocks_makes_54_ways_of_the_widest_position():
    assert len(endings((6, 0, 0), (5, 3, 5), (2, 1, 1), siege_chain_blocks=True)) == 54


def test_rook_53_switch_hold_block_free_lets_a_rookling_with_life_always_hold():
    found = by_decisions((6, 6, 6), (0, 3, 0), (0, 2, 0), hold_block="free")
    assert found == {("block",): (6, 5, 6), ("hold",): (6, 3, 6)}


def test_rook_48_switch_hold_block_free_does_not_free_one_in_siege_state():
    assert only((6, 6, 0), (0, 0, 3), (0, 0, 2), hold_block="free").life == (6, 5, 0)


def test_rook_53_switch_hold_block_free_changes_nothing_for_the_best_answer():
    assert best((6, 6, 6), (5, 4, 3), (2, 1, 3), hold_block="free").life == (3, 3, 6)


@pytest.mark.parametrize(
    ("attacks", "defences", "hits"),
    [((4, 0, 0), (0, 0, 0), {0: 1}), ((4, 0, 0), (0, 4, 0), {}), ((4, 0, 0), (4, 0, 0), {}), ((0, 3, 0), (0, 1, 0), {1: 1})],
)
def test_rook_56_switch_hit_on_landing_measures_where_the_damage_lands(attacks, defences, hits):
    assert only((0, 6, 6), attacks, defences, hit_on_landing=True).hits == hits


# symmetry


def mirrored(points: tuple[int, ...]) -> tuple[int, ...]:
    """A row seen from the other side."""
    return points[::-1]


@pytest.mark.parametrize("rules", OTHER_RULES)
def test_rook_45_49_53_invariant_8_a_mirrored_resolution_has_mirrored_results(rules):
    attacks, defences = (4, 7, 2), (0, 3, 1)
    for life in product((0, 2, 5), repeat=3):
        if not any(life):
            continue
        here = endings(life, attacks, defences, **rules)
        there = endings(mirrored(life), mirrored(attacks), mirrored(defences), **rules)
        assert sorted(ending.life for ending in here) == sorted(mirrored(ending.life) for ending in there)
        hits = sorted(sorted(ending.hits.items()) for ending in here)
        assert hits == sorted(sorted((2 - a, 2 - b) for a, b in ending.hits.items()) for ending in there)


def turned(entry: dict[str, Any]) -> dict[str, Any]:
    """A player of a position with left and right exchanged."""
    return {
        key: turned(value) if isinstance(value, dict) else value[::-1] if key not in {"hand", "squad"} else value
        for key, value in entry.items()
    }


def left_to_right(game: Play, seat: int) -> list[Any]:
    """All that lies with a player by position."""
    player = game.player(seat)
    return [*zip(*(player[key] for key in ("row", "life", "tokens", "coming", "slid", "fixed")), strict=True)]


@pytest.mark.parametrize("rules", OTHER_RULES)
def test_rook_38_49_60_invariant_8_a_mirrored_table_ends_every_way_in_a_mirrored_table(rules):
    own = a(
        "rime hiss delvi",
        energy=("red 3", "red 3", "tunnel"),
        life=(0, 5, 2),
        tokens=("poisoned", "confused", "poisoned"),
        fixed=("", "tunnel", ""),
    )
    other = a(
        "stone pulse_blue spring",
        energy=("yellow 1", "", "blue 1"),
        life=(5, 0, 3),
        tokens=("", "hidden", "confused"),
        slid=("rubble, shell", "", "dew"),
    )
    lines = ("Frost Bite", "Vent", "Claw", "Bulwark", "Bubble")
    found = []
    for players in ((own, other), (turned(own), turned(other))):
        game = table(*players, phase="attack", rules=rules)
        while game.phase in {"attack", "defend"}:
            game.do(next((words for words in game.options if words.endswith(lines)), game.options[0]))
        found.append([[left_to_right(way, seat) for seat in range(2)] for way in game.every_way()])
    here, there = found
    assert len(here) > 1
    assert sorted(map(str, here)) == sorted(str([row[::-1] for row in way]) for way in there)


def test_rook_53_invariant_8_nobody_in_siege_state_no_spill_and_no_choice_but_the_order():
    for life in product((1, 4), repeat=3):
        found = endings(life, (3, 5, 2), (1, 0, 2))
        assert len(found) == 6
        assert {ending.life for ending in found} == {
            tuple(max(0, a - max(0, b - c)) for a, b, c in zip(life, (3, 5, 2), (1, 0, 2), strict=True))
        }
