"""ARENA-01 to 06 on the compiled kernels: seats, board, tokens, first player, starts."""

from math import sqrt

import numpy as np
import pytest

from sim.engine.policies import PolicySpec
from sim.experiment import Experiment
from sim.run import play_range
from tests.games.arena.builders import op, skill
from tests.games.arena.kernel_bridge import card_set
from tests.games.arena.kernel_table import PLAIN, dealt, table
from tests.games.arena.sample import reference


def experiment(seats, games, line_up=None, **rules):
    policy = (PolicySpec.parse("random"),)
    return Experiment("arena", card_set(reference(**rules)), seats, policy, games, line_up=line_up)


def test_arena_01_left_is_the_next_higher_seat_and_no_card_is_used_twice():
    game = dealt(3)
    order = []
    while game.phase == "START":
        order.append(game.to_act)
        game.answer(game.options()[0])
    assert order == [(game.state["first"] + i) % 3 for i in range(3)]
    assert game.state["hero"].tolist() == [0, 1, 2, -1]
    with pytest.raises(ValueError, match=r"line_up=\(1, 1\)"):
        experiment(2, 1, line_up=(1, 1))


@pytest.mark.parametrize(("board", "hexes"), [("standard", 61), ("large", 91), ("pit", 90)])
def test_arena_02_heroes_stand_alone_on_land_of_the_board_of_the_file(board, hexes):
    game = dealt(4, board=board)
    while game.phase == "START":
        game.answer(game.options()[-1])
    assert game.cards.record[0]["hexes"] == hexes
    assert len(set(game.positions.values())) == 4
    centre = game.cards.record[0]["neighbour"][game.board.number[0, 1], 0]
    assert (centre == -1) == (board == "pit")


def test_arena_03_rage_and_dragonlings_come_out_of_one_pool():
    cry, nest = skill(op("rage_gain", n=3, when="use")), skill(op("summon", count=2, range=1))
    game = table(((0, 0), [cry, nest]), ((3, 0), PLAIN), rules={"tokens": 4}, dragonlings={4: (0, 3)}, owner={4: 1})
    assert game.pool == 3
    game.use(0)
    assert (game.rage, game.pool) == ([3, 0], 0)
    game.stay().pass_on().stay()
    assert game.targets_open(1) == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_arena_04_every_seat_goes_first_equally_often(seats):
    block, _ = play_range(experiment(seats, 6000, turn_cap=1), 0, 6000)
    share = 1 / seats
    for count in np.bincount(block.rows["first"], minlength=seats):
        assert abs(count - 6000 * share) < 4 * sqrt(6000 * share * (1 - share))


def test_arena_05_heroes_go_to_starts_that_are_still_free():
    game = dealt(4)
    taken = []
    while game.phase == "START":
        seat, code = game.to_act, game.options()[1]
        assert game.options() == [start for start in range(6) if start not in taken]
        taken.append(code)
        game.answer(code)
        assert game.at(seat) == game.board.starts[code]
    assert (game.phase, game.to_act) == ("MOVE", game.state["first"])


def test_arena_05_spread_deals_even_starts_in_every_order():
    orders = set()
    for number in range(100):
        game = dealt(3, game=number, start_choice="spread")
        assert game.phase == "MOVE"
        orders.add(tuple(game.board.starts.index(game.at(seat)) for seat in range(3)))
    assert len(orders) == 6
    assert {start for order in orders for start in order} == {0, 2, 4}


def test_arena_06_everybody_begins_with_a_full_track_and_empty_hands():
    game = dealt(4)
    assert game.marker == game.rage == game.protection == game.slow == [0, 0, 0, 0]
    assert game.pool == 12
    assert [piece for piece in range(4, 16) if game.state["pos"][piece] >= 0] == []
