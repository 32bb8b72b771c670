"""ROOK-45 to 56 with other switches of the card file (register section 8), and on a mirrored table (invariant 8)."""

from itertools import product
from typing import Any

import pytest

from tests.games.rookling.clashes import best, by_decisions, endings, only
from tests.games.rookling.positions import Play, a, table

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
    [
        ((4, 0, 0), (0, 0, 0), {0: 1}),
        ((4, 0, 0), (0, 4, 0), {}),
        ((4, 0, 0), (4, 0, 0), {}),
        ((0, 3, 0), (0, 1, 0), {1: 1}),
    ],
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
    told = game.player(seat)
    return [*zip(*(told[key] for key in ("row", "life", "tokens", "coming", "slid", "fixed")), strict=True)]


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
