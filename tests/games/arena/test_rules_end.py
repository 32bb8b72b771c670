"""ARENA-80 to 85 on the compiled kernels: falls, places, the end of the game."""

import numpy as np
import pytest

from sim.engine.contract import standing
from tests.games.arena.builders import GUARD, gift, op, shot
from tests.games.arena.kernel_table import BLOCK, HIT, MISS, PLAIN, table

SURE = (op("auto_hit", hits=1), op("no_defence_roll"), op("no_damage"))


def push(k, *effects, **numbers):
    """An attack that throws by k hexes without dice."""
    return shot(*SURE, *effects, **{"attack": 0, "range": 8, "knockback": [k, k, k]} | numbers)


def shares(game):
    """Share of the win by seat."""
    out = np.full(4, -1.0)
    standing(game.state, out)
    return out.tolist()


def test_arena_80_only_water_puts_a_hero_out_and_it_takes_no_further_part():
    game = table(((0, -3), [push(1)]), ((0, -4), PLAIN), ((3, 0), PLAIN), marker=[0, 5, 5])
    game.use(0, 1)
    assert (game.at(1), game.to_act) == (None, 2)
    assert game.stay().targets_open(0) == []
    assert game.pass_on().to_act == 0
    assert 1 not in game.stay().targets_open(0)


def test_arena_81_the_last_hero_standing_wins():
    game = table(((0, -3), [push(1)]), ((0, -4), PLAIN), turn=7)
    game.use(0, 1)
    assert (game.phase, game.options(), game.places, shares(game)) == ("OVER", [], [1, 2], [1, 0, 0, 0])
    assert shares(table(((0, -3), [push(1)]), ((0, -4), PLAIN))) == [0, 0, 0, 0]


def test_arena_82_heroes_that_fall_in_one_ability_share_a_place():
    whirl = push(5, op("area"), range=1)
    game = table(((0, 0), [whirl]), ((1, 0), PLAIN), ((-1, 0), PLAIN), ((3, -3), PLAIN)).use(0)
    assert (game.places, game.phase) == ([0, 3, 3, 0], "MOVE")
    all_at_once = table(((0, 0), [whirl]), ((1, 0), PLAIN), ((-1, 0), PLAIN), ((0, 1), PLAIN)).use(0)
    assert (all_at_once.places, all_at_once.phase) == ([1, 2, 2, 2], "OVER")


def test_arena_83_a_retaliating_hero_survives_the_user_it_throws_out():
    game = table(((0, 4), PLAIN), ((0, 3), GUARD))
    game.use(0, 1, dice=(HIT, MISS, MISS, BLOCK))
    assert (game.places, game.phase, shares(game)) == ([2, 1], "OVER", [0, 1, 0, 0])


def test_arena_84_the_cap_stops_the_game_without_a_winner():
    game = table(((0, 0), PLAIN), ((3, 0), PLAIN), rules={"turn_cap": 3}, turn=2).pass_on()
    assert (game.phase, game.options(), game.turn, game.places) == ("OVER", [], 3, [0, 0])
    assert shares(game) == [0, 0, 0, 0]


PIT = {"board": "pit"}
FALLS = {
    # what throws: heroes, board, expected (piece, turn, cause, credit), falls by the ability of the credited seat
    "knockback": ([((0, -3), [push(1)]), ((0, -4), PLAIN), ((3, 0), PLAIN)], {}, (1, 5, 1, 0), (0, 0)),
    "collision": ([((0, -2), [push(1)]), ((0, -3), PLAIN), ((0, -4), PLAIN)], {}, (2, 5, 2, 0), (0, 0)),
    "pull": ([((0, 3), [PLAIN[0], push(9, op("pull"))]), ((0, -2), PLAIN), ((3, 0), PLAIN)], PIT, (1, 5, 3, 0), (0, 1)),
    "retaliation": ([((0, 4), [push(0), PLAIN[0]]), ((0, 3), GUARD), ((3, 0), PLAIN)], {}, (0, 5, 4, 1), (1, 1)),
    "collision of a retaliation": (
        [((0, 3), [push(0), PLAIN[0]]), ((0, 2), GUARD), ((0, 4), PLAIN)],
        {},
        (2, 5, 2, 1),
        (1, 1),
    ),
}


@pytest.mark.parametrize("cause", FALLS)
def test_arena_85_each_fall_records_piece_turn_cause_and_credit(cause):
    heroes, where, fall, (seat, ability) = FALLS[cause]
    game = table(*heroes, turn=5, **where)
    game.use(1 if cause == "pull" else 0, 1)
    assert game.falls == [fall]
    credited = np.zeros((4, 3), int)
    credited[seat, ability] = 1
    assert game.state["falls_caused"].tolist() == credited.tolist()
    fallen = fall[0]
    assert game.state["fall_turn"][fallen] == 6  # the game's sixth turn
    assert game.state["fall_zone"][fallen] == 0


def test_arena_85_the_hex_and_the_zone_of_the_fall_are_kept():
    game = table(((0, 0), [push(9)]), ((0, -1), PLAIN), ((3, 0), PLAIN), marker=[0, 4, 0]).use(0, 1)
    assert game.board.land[game.state["fall_hex"][1]] == (0, -4)
    assert game.state["fall_zone"][1] == 2


def test_arena_85_dragonlings_count_for_who_threw_them():
    game = table(((0, -3), [push(1), gift()]), ((3, 0), PLAIN), dragonlings={4: (0, -4)}, owner={4: 0}).use(0, 4)
    assert (game.felled, game.falls) == ([1, 0], [])
