"""ARENA-01 to 06, 10 to 16 and 20 to 25 on the compiled kernels: setup, the course of a turn, movement by choice."""

from collections import Counter
from math import sqrt

import pytest

from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from tests.games.arena.builders import BLOCK, GUARD, HIT, MISS, OPEN, PLAIN, deals, dealt, gift, op, reference, shot, skill, table
from tests.games.arena.kernel_bridge import card_set
from tests.games.arena.model.board import distance


def experiment(seats, games, line_up=None, **rules):
    policy = (PolicySpec.parse("random"),)
    return Experiment("arena", card_set(reference(**rules)), seats, policy, games, line_up=line_up)


def test_arena_01_left_is_the_next_higher_seat_and_no_card_is_used_twice():
    game = dealt(3)
    order = []
    while game.phase == "START":
        order.append(game.current_player)
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


@pytest.mark.parametrize("nest", [(0, 3), (0, -4)])  # (0, -4) is hex 0
def test_arena_03_rage_and_dragonlings_come_out_of_one_pool(nest):
    cry, hatch = skill(op("rage_gain", n=3, when="use")), skill(op("summon", count=2, range=1))
    game = table(((0, 0), [cry, hatch]), ((3, 0), PLAIN), rules={"tokens": 4}, dragonlings={4: nest}, owner={4: 1})
    assert game.pool == 3
    game.use(0)
    assert (game.rage, game.pool) == ([3, 0], 0)
    game.stay().pass_on().stay()
    assert game.targets_open(1) == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_arena_04_every_seat_goes_first_equally_often(seats):
    games = 120
    first = Counter(int(game.state["first"]) for game in deals(seats, games))
    for seat in range(seats):
        assert first[seat] == pytest.approx(games / seats, abs=4 * sqrt(games / seats * (1 - 1 / seats)))


def test_arena_05_heroes_go_to_starts_that_are_still_free():
    game = dealt(4)
    taken = []
    while game.phase == "START":
        seat, code = game.current_player, game.options()[1]
        assert game.options() == [start for start in range(6) if start not in taken]
        taken.append(code)
        game.answer(code)
        assert game.at(seat) == game.board.starts[code]
    assert (game.phase, game.current_player) == ("MOVE", game.state["first"])


def test_arena_05_start_hexes_are_chosen_from_the_first_player_to_the_left():
    game = table((None, PLAIN), (None, PLAIN), (None, PLAIN), phase="START", first=1, active=1)
    game.answer(game.options()[0])
    assert (game.phase, game.current_player) == ("START", 2)
    game.answer(game.options()[0])
    assert (game.phase, game.current_player) == ("START", 0)
    game.answer(game.options()[0])
    assert (game.phase, game.current_player) == ("MOVE", 1)


def test_arena_05_spread_deals_even_starts_in_every_order():
    orders = set()
    for game in deals(3, 60, start_choice="spread"):
        assert game.phase == "MOVE"
        orders.add(tuple(game.board.starts.index(game.at(seat)) for seat in range(3)))
    assert len(orders) == 6
    assert {start for order in orders for start in order} == {0, 2, 4}


def test_arena_06_everybody_begins_with_a_full_track_and_empty_hands():
    game = dealt(4)
    assert game.marker == game.rage == game.protection == game.slow == [0, 0, 0, 0]
    assert game.pool == 12
    assert [piece for piece in range(4, 16) if game.state["pos"][piece] >= 0] == []


def test_arena_10_play_goes_left_and_skips_who_is_out():
    heroes = [((0, 0), PLAIN), ((3, 0), PLAIN), (None, PLAIN), ((0, 3), PLAIN)]
    game = table(*heroes, active=1, place=[0, 0, 4, 0])
    order = [game.pass_on().current_player, *[game.stay().pass_on().current_player for _ in range(3)]]
    assert order == [3, 0, 1, 3]


def test_arena_11_protection_ends_when_the_own_turn_begins():
    game = table(((0, 0), PLAIN), ((3, 0), PLAIN), protection=[0, 2], turn=4)
    assert game.protection == [0, 2]
    game.pass_on()
    assert (game.phase, game.current_player, game.protection) == ("MOVE", 1, [0, 0])


def test_arena_12_a_turn_is_one_move_then_one_ability():
    game = table(((0, 0), [skill(op("self_defence", dice=1))]), ((3, 0), PLAIN), phase="MOVE")
    game.go(0, 1)
    assert (game.phase, game.current_player, game.at(0)) == ("ABILITY", 0, (0, 1))
    game.use(0)
    assert (game.phase, game.current_player) == ("MOVE", 1)


@pytest.mark.parametrize(("rule", "options"), [("allowed", [0, 2]), ("only_if_none", [2])])
def test_arena_13_one_may_pass_or_only_without_an_ability(rule, options):
    rules = {"pass_ability": rule}
    assert table(((0, 0), PLAIN), ((0, -1), PLAIN), rules=rules).options() == options
    assert table(((0, 3), PLAIN), ((0, -3), PLAIN), rules=rules).options() == [0]
    moved = table(((0, 0), PLAIN), ((0, -3), PLAIN), phase="MOVE").go(0, -1).pass_on()
    assert (moved.current_player, moved.at(0)) == (1, (0, -1))
    assert moved.state["passes"].tolist()[:2] == [1, 0]


def test_arena_14_at_the_turns_end_slow_ends_and_the_counter_rises():
    game = table(((0, 0), PLAIN), ((3, 0), PLAIN), slow=[2, 1], turn=6)
    game.pass_on()
    assert (game.slow, game.turn, game.current_player) == ([0, 1], 7, 1)


def test_arena_15_who_falls_in_its_own_turn_does_not_move_after():
    game = table(((0, 4), [shot(op("move_after", max=2))]), ((0, 3), GUARD), ((3, 0), PLAIN))
    game.use(0, 1, dice=(HIT, MISS, MISS, BLOCK))
    assert (game.at(0), game.phase, game.current_player, game.turn) == (None, "MOVE", 1, 1)


def test_arena_16_passives_are_never_chosen_and_act_by_themselves():
    fury = [gift(op("rage_gain", n=1, when="damaged")), gift(op("brace", n=1))]
    game = table(((0, 0), fury), ((0, -1), PLAIN), active=1)
    game.use(0, 0, dice=(HIT, MISS, MISS, OPEN))
    assert game.rage == [1, 0]
    game.stay()
    assert (game.targets_open(0), game.targets_open(1), game.targets_open(2)) == ([], [], [1])


def test_arena_20_a_move_leads_to_any_hex_in_reach_and_hurts_nobody():
    game = table(((0, 0), PLAIN), ((0, -3), PLAIN), phase="MOVE")
    assert game.places_open() == {place for place in game.board.land if distance((0, 0), place) <= 2}
    game.go(0, -2)
    assert (game.at(0), game.at(1), game.marker) == ((0, -2), (0, -3), [0, 0])


def test_arena_21_staying_is_a_move_but_not_a_step_before_an_attack():
    charge = shot(op("move_before", min=1, max=1), range=1)
    game = table(((0, 0), [charge]), ((0, -1), PLAIN), phase="MOVE")
    assert (0, 0) in game.places_open()
    game.stay().use(0, 1)
    assert game.places_open() == {(-1, 0), (1, -1)}


def wall(**state):
    """A hero on the rim behind its own three dragonlings."""
    around = {4: (0, -3), 5: (1, -4), 6: (-1, -3)}
    return {"dragonlings": around, "owner": dict.fromkeys(around, 0), "phase": "MOVE"} | state


def test_arena_22_walkers_do_not_pass_their_own_dragonlings():
    assert table(((0, -4), PLAIN), ((3, 0), PLAIN), **wall()).places_open() == {(0, -4)}
    two = {4: (0, -3), 5: (1, -4)}
    game = table(((0, -4), PLAIN), ((3, 0), PLAIN), **wall(dragonlings=two, owner=dict.fromkeys(two, 0)))
    assert game.places_open() == {(0, -4), (-1, -3), (-2, -2), (-1, -2)}


@pytest.mark.parametrize("mode", ["ghost", "leap"])
def test_arena_23_ghosts_and_leapers_pass_pieces_but_do_not_stop_on_them(mode):
    passive = gift(op("move_mode", mode=mode))
    game = table(((0, -4), [*PLAIN, passive]), ((3, 0), PLAIN), **wall())
    assert game.places_open() == {
        place for place in game.board.land if distance((0, -4), place) <= 2 and place not in {(0, -3), (1, -4), (-1, -3)}
    }


@pytest.mark.parametrize(("mode", "crosses"), [("ghost", False), ("leap", True)])
def test_arena_23_only_leapers_cross_water(mode, crosses):
    game = table(((0, 1), [*PLAIN, gift(op("move_mode", mode=mode))]), ((0, -4), PLAIN), board="pit", phase="MOVE")
    assert ((0, -1) in game.places_open()) == crosses


def test_arena_23_the_mode_holds_for_steps_before_and_after_an_attack():
    around = [shot(op("move_before", min=2, max=2), op("move_after", max=2), range=2), gift(op("move_mode", mode="leap"))]
    game = table(((0, -4), around), ((0, -1), PLAIN, {"defence": 0}), **wall(phase="ABILITY"))
    game.use(0, 1)
    assert game.places_open() == {(0, -2), (1, -3), (-1, -2)}
    game.go(0, -2, dice=(MISS, MISS, MISS))
    assert (game.phase, (0, -4) in game.places_open()) == ("POST_MOVE", True)


def test_arena_24_slow_shortens_the_move_alone_and_never_below_0():
    steps = shot(op("move_before", min=1, max=1), op("move_after", max=1), range=3)
    game = table(((0, 0), [steps]), ((0, -3), PLAIN, {"defence": 0}), slow=[1, 0], phase="MOVE")
    assert len(game.places_open()) == 7
    game.stay().use(0, 1)
    assert game.places_open() == {(0, -1), (1, -1), (-1, 0)}
    game.go(0, -1, dice=(MISS, MISS, MISS))
    assert len(game.places_open()) == 7
    assert table(((0, 0), PLAIN), ((0, -3), PLAIN), slow=[5, 0], phase="MOVE").places_open() == {(0, 0)}


@pytest.mark.parametrize("mode", [None, "ghost", "leap"])
def test_arena_25_nobody_moves_into_water_or_onto_a_piece(mode):
    passive = [gift(op("move_mode", mode=mode))] if mode else []
    game = table(((0, 2), [*PLAIN, *passive], {"move": 6}), ((0, 1), PLAIN), board="pit", phase="MOVE")
    assert game.places_open() <= set(game.board.land) - {(0, 1)}
    assert (0, 0) not in game.places_open()
