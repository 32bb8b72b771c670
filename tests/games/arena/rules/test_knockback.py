"""ARENA-50 to 65 and 80 to 85 on the compiled kernels: where a push leads, what it runs into, falls, the end of the game."""

import numpy as np
import pytest

from sim.engine.contract import returns
from tests.games.arena.builders import BLOCK, GUARD, HIT, MISS, NE, NW, OPEN, PLAIN, SE, SW, N, Table, gift, op, shot, table
from tests.games.arena.model.board import distance

SURE = (op("auto_hit", hits=1), op("no_defence_roll"), op("no_damage"))


def push(k: int) -> list[dict]:
    """An attack that throws its target k hexes, without dice."""
    return [shot(*SURE, attack=0, range=8, knockback=[k, k, k])]


def walk(game: Table, *directions: int) -> Table:
    """Answer STEP decisions one after the other."""
    for direction in directions:
        assert game.phase == "STEP"
        game.answer(direction)
    assert game.phase != "STEP"
    return game


@pytest.mark.parametrize(
    ("target", "bearing"),
    [((0, -3), (N, -1, False)), ((2, -1), (NE, SE, True)), ((-1, -2), (N, NW, False)), ((-1, -1), (NW, N, True))],
)
def test_arena_50_the_way_is_unique_and_equal_parts_begin_clockwise(target, bearing):
    game = table(((0, 0), push(1)), (target, PLAIN)).use(0, 1)
    assert (game.state["u"], game.state["v"], game.state["even"]) == bearing


@pytest.mark.parametrize("target", [(0, -1), (1, -2), (2, -1), (-1, 2), (-1, -1), (3, -1)])
def test_arena_51_every_step_leads_exactly_one_hex_further_away(target):
    for pick in (min, max):
        game = table(((0, 0), push(9)), (target, PLAIN), board="large").use(0, 1)
        while game.phase == "STEP":
            made = int(game.state["made_u"] + game.state["made_v"])
            assert distance((0, 0), game.at(1)) == distance((0, 0), target) + made
            game.answer(pick(game.options()))
        assert game.at(1) is None
    straight = table(((0, 0), push(2)), ((0, -1), PLAIN)).use(0, 1)
    assert straight.at(1) == (0, -3)


def test_arena_52_along_the_line_between_two_directions_the_push_zigzags():
    """Golden example G6: due west."""
    ends = {}
    for path in [(SW, SW), (SW, NW), (NW, SW), (NW, NW)]:
        game = table(((2, -1), push(3)), ((0, 0), PLAIN)).use(0, 1)
        ends[path] = walk(game, *path).at(1)
    # the second step is forced back onto the line, so only the first and the third are chosen
    assert ends == {(SW, SW): (-3, 2), (SW, NW): (-3, 1), (NW, SW): (-3, 2), (NW, NW): (-3, 1)}
    assert walk(table(((2, -1), push(2)), ((0, 0), PLAIN)).use(0, 1), SW).at(1) == (-2, 1)


def test_arena_53_a_leaning_push_makes_one_step_more_straight_than_aside():
    """Golden example G7: two N and one NW."""
    for path, end in [(N, (0, -3)), (NW, (-1, -2))]:
        game = table(((1, 2), push(3)), ((0, 0), PLAIN)).use(0, 1)
        assert game.at(1) == (0, -2)
        assert walk(game, path).at(1) == end


@pytest.mark.parametrize(("rule", "asked_at"), [("each_step", (0, -2)), ("end_only", (0, 0))])
def test_arena_54_end_only_asks_for_the_whole_path_only(rule, asked_at):
    game = table(((1, 2), push(3)), ((0, 0), PLAIN), rules={"offline_path": rule}).use(0, 1)
    assert (game.at(1), game.options()) == (asked_at, [N, NW])
    assert game.answer(NW).at(1) == (-1, -2)


def test_arena_54_end_only_still_forbids_a_path_that_ends_out_of_line():
    """2 hexes with one aside would not have one step more straight than aside."""
    game = table(((1, 2), push(2)), ((0, 0), PLAIN), rules={"offline_path": "end_only"}).use(0, 1)
    assert (game.phase, game.at(1)) == ("MOVE", (0, -2))


def test_arena_54_end_only_along_an_even_line_ends_balanced():
    game = table(((2, -2), push(4)), ((1, 0), PLAIN), rules={"offline_path": "end_only"}, board="large").use(0, 1)
    assert walk(game, SW, SW).at(1) == (-1, 4)


@pytest.mark.parametrize(("rule", "hero", "dragonling"), [("defender", 1, 2), ("attacker", 0, 0)])
def test_arena_55_the_owner_of_the_displaced_piece_chooses_or_the_user(rule, hero, dragonling):
    rules = {"offline_chooser": rule}
    game = table(((2, -1), push(1)), ((0, 0), PLAIN), rules=rules).use(0, 1)
    assert (game.current_player, game.options()) == (hero, [SW, NW])
    brood = {"dragonlings": {4: (0, 0)}, "owner": {4: 2}}
    game = table(((2, -1), push(1)), ((3, 0), PLAIN), ((0, 4), PLAIN), rules=rules, **brood).use(0, 4)
    assert game.current_player == dragonling
    assert game.answer(SW).state["steps"].tolist() == [int(seat == dragonling) for seat in range(4)]


def test_arena_55_the_user_chooses_for_its_own_dragonling():
    game = table(((2, -1), push(1)), ((3, 0), PLAIN), dragonlings={4: (0, 0)}, owner={4: 0}).use(0, 4)
    assert (game.phase, game.current_player) == ("STEP", 0)


WEST = [((-1, 0), (-1, 1)), ((-1, 1), (-1, 0))]  # the two ways on, each against the other


@pytest.mark.parametrize(("here", "there"), WEST)
def test_arena_56_free_land_is_taken_before_a_piece(here, there):
    game = table(((2, -1), push(1)), ((0, 0), PLAIN), (there, PLAIN)).use(0, 1)
    assert (game.phase, game.at(1), game.at(2)) == ("MOVE", here, there)


@pytest.mark.parametrize(("here", "there"), WEST)
def test_arena_56_free_land_is_taken_before_water_whichever_of_the_two_it_is(here, there):
    game = table(((2, -1), push(1)), ((0, 0), PLAIN), holes=[there]).use(0, 1)
    assert (game.phase, game.at(1)) == ("MOVE", here)


@pytest.mark.parametrize(("here", "there"), WEST)
def test_arena_56_a_piece_is_struck_before_the_water_is_taken(here, there):
    game = table(((2, -1), push(1)), ((0, 0), PLAIN), (here, PLAIN), holes=[there]).use(0, 1)
    assert (game.phase, game.at(1)) == ("MOVE", (0, 0))
    assert game.at(2) == (2 * here[0], 2 * here[1])


def test_arena_56_two_pieces_ahead_are_asked_two_waters_are_not():
    both = table(((2, -1), push(1)), ((0, 0), PLAIN), ((-1, 0), PLAIN), ((-1, 1), PLAIN)).use(0, 1)
    assert (both.phase, both.options()) == ("STEP", [SW, NW])
    water = table(((-2, -1), push(1)), ((-4, 0), PLAIN), ((3, 0), PLAIN)).use(0, 1)
    assert (water.phase, water.at(1)) == ("MOVE", None)


def test_arena_57_the_struck_piece_goes_straight_on_from_the_blocked_step():
    game = table(((2, -1), push(3)), ((0, 0), PLAIN), ((-1, 0), PLAIN), ((-1, 1), PLAIN)).use(0, 1)
    walk(game, NW)
    assert [game.at(seat) for seat in (1, 2, 3)] == [(0, 0), (-3, 0), (-1, 1)]


def test_arena_57_the_share_counts_steps_in_both_directions():
    """5 hexes, one made SW and one NW: 5 - 2 - 1 = 2 for the struck piece."""
    game = table(((2, -1), push(5)), ((0, 0), PLAIN), ((-3, 1), PLAIN), ((-3, 2), PLAIN), board="large").use(0, 1)
    walk(game, SW, NW)
    assert [game.at(seat) for seat in (1, 2, 3)] == [(-2, 1), (-5, 1), (-3, 2)]


def test_arena_60_a_push_used_up_in_front_of_a_piece_does_not_strike_it():
    game = table(((0, 4), push(2)), ((0, 3), PLAIN), ((0, 0), PLAIN)).use(0, 1)
    assert [game.at(1), game.at(2)] == [(0, 1), (0, 0)]
    assert game.state["collisions_caused"][0] == 0


@pytest.mark.parametrize(("k", "gap", "moves"), [(3, 1, 1), (4, 1, 2), (5, 0, 4), (1, 0, 1), (2, 1, 1), (5, 2, 2)])
def test_arena_61_the_struck_piece_moves_what_remains_less_one_but_at_least_one(k, gap, moves):
    game = table(((0, 5), push(k)), ((0, 4), PLAIN), ((0, 3 - gap), PLAIN), board="large").use(0, 1)
    assert [game.at(1), game.at(2)] == [(0, 4 - gap), (0, 3 - gap - moves)]
    assert (game.state["collisions_caused"][0], game.state["collisions_suffered"][2]) == (1, 1)


def test_arena_61_the_share_shrinks_from_piece_to_piece():
    """4 hexes: one free, 4 - 1 - 1 = 2 for the next, which stands at the third: 2 - 1 = 1 for that."""
    row = {4: (0, 1), 5: (0, 0)}
    game = table(((0, 4), push(4)), ((0, 3), PLAIN), dragonlings=row, owner={4: 0, 5: 1}).use(0, 1)
    assert [game.at(piece) for piece in (1, 4, 5)] == [(0, 2), (0, 1), (0, -1)]


def test_arena_62_the_last_piece_falls_and_those_that_have_stopped_stay():
    row = {4: (0, -2), 5: (0, -4)}
    game = table(((0, 1), push(9)), ((0, 0), PLAIN), dragonlings=row, owner={4: 0, 5: 1}).use(0, 1)
    assert [game.at(piece) for piece in (1, 4, 5)] == [(0, -1), (0, -3), None]
    assert game.felled == [1, 0]
    alone = table(((0, 1), push(9)), ((0, 0), PLAIN), ((3, 0), PLAIN)).use(0, 1)
    assert (alone.at(1), alone.falls) == (None, [(1, 0, 1, 0)])


def test_arena_63_a_struck_piece_rolls_nothing_and_its_own_powers_rest():
    powers = [*PLAIN, gift(op("brace", n=4), op("retaliate", push=4), op("rage_gain", n=1, when="damaged"))]
    game = table(((0, 3), [shot(knockback=[3, 3, 3])]), ((0, 2), PLAIN), ((0, 1), powers), marker=[0, 0, 5])
    game.use(0, 1, dice=(HIT, HIT, MISS, OPEN))
    assert [game.at(seat) for seat in range(3)] == [(0, 3), (0, 2), (0, -1)]
    assert (game.marker, game.rage) == ([0, 2, 5], [0, 0, 0])


def test_arena_64_dragonlings_block_pass_pushes_on_and_fall_back_into_the_pool():
    """Golden example G3, with a fourth dragonling on the rim that falls."""
    row = {4: (0, 3), 5: (0, 2), 6: (0, 1), 7: (0, -4)}
    game = table(((0, 4), push(3)), ((0, 0), PLAIN), dragonlings=row, owner=dict.fromkeys(row, 0))
    before = game.pool
    game.use(0, 4)
    assert game.positions == {0: (0, 4), 1: (0, -1), **row}
    rim = table(((0, -3), push(1)), ((3, 0), PLAIN), dragonlings={7: (0, -4)}, owner={7: 0}).use(0, 7)
    assert (before, rim.pool, rim.at(7)) == (8, 12, None)


def test_arena_64_the_dragonlings_of_a_fallen_hero_leave_with_it():
    brood = {"dragonlings": {4: (2, 0), 5: (1, 2), 6: (0, 1)}, "owner": {4: 1, 5: 1, 6: 0}, "rage": [0, 2, 0]}
    game = table(((0, -3), push(2)), ((0, -4), PLAIN), ((3, 0), PLAIN), **brood).use(0, 1)
    assert game.positions == {0: (0, -3), 2: (3, 0), 6: (0, 1)}
    assert game.pool == 11


def test_arena_65_a_full_row_passes_the_push_on_and_strikes_each_piece_once():
    row = {4 + i: (0, 2 - i) for i in range(6)}
    game = table(((0, 4), push(9), {"dragonling_cap": 6}), ((0, 3), PLAIN), dragonlings=row, owner=dict.fromkeys(row, 0))
    game.use(0, 1)
    # 9, 8, 7, 6, 5, 4 and 3 hexes for the pieces in the row: the last leaves the board
    assert game.positions == {0: (0, 4), 1: (0, 3), **{piece: place for piece, place in row.items() if piece < 9}}
    assert game.state["collisions_caused"][0] == 6


def test_arena_65_an_unmoved_guard_pushes_back_only_if_it_was_a_target():
    game = table(((0, 4), push(2)), ((0, 3), PLAIN), ((0, 2), GUARD)).use(0, 1)
    assert game.at(0) == (0, 4)


def push_of(k, *effects, **numbers):
    """An attack that throws by k hexes without dice."""
    return shot(*SURE, *effects, **{"attack": 0, "range": 8, "knockback": [k, k, k]} | numbers)


def shares(game):
    """Share of the win by seat."""
    out = np.full(4, -1.0)
    returns(game.state, out)
    return out.tolist()


def test_arena_80_only_water_puts_a_hero_out_and_it_takes_no_further_part():
    game = table(((0, -3), [push_of(1)]), ((0, -4), PLAIN), ((3, 0), PLAIN), marker=[0, 5, 5])
    game.use(0, 1)
    assert (game.at(1), game.current_player) == (None, 2)
    assert game.stay().targets_open(0) == []
    assert game.pass_on().current_player == 0
    assert 1 not in game.stay().targets_open(0)


def test_arena_81_the_last_hero_standing_wins():
    game = table(((0, -3), [push_of(1)]), ((0, -4), PLAIN), turn=7)
    game.use(0, 1)
    assert (game.phase, game.options(), game.places, shares(game)) == ("OVER", [], [1, 2], [1, 0, 0, 0])
    assert shares(table(((0, -3), [push_of(1)]), ((0, -4), PLAIN))) == [0, 0, 0, 0]


def test_arena_82_heroes_that_fall_in_one_ability_share_a_place():
    whirl = push_of(5, op("area"), range=1)
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
    "knockback": ([((0, -3), [push_of(1)]), ((0, -4), PLAIN), ((3, 0), PLAIN)], {}, (1, 5, 1, 0), (0, 0)),
    "collision": ([((0, -2), [push_of(1)]), ((0, -3), PLAIN), ((0, -4), PLAIN)], {}, (2, 5, 2, 0), (0, 0)),
    "pull": ([((0, 3), [PLAIN[0], push_of(9, op("pull"))]), ((0, -2), PLAIN), ((3, 0), PLAIN)], PIT, (1, 5, 3, 0), (0, 1)),
    "retaliation": ([((0, 4), [push_of(0), PLAIN[0]]), ((0, 3), GUARD), ((3, 0), PLAIN)], {}, (0, 5, 4, 1), (1, 1)),
    "collision of a retaliation": (
        [((0, 3), [push_of(0), PLAIN[0]]), ((0, 2), GUARD), ((0, 4), PLAIN)],
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
    game = table(((0, 0), [push_of(9)]), ((0, -1), PLAIN), ((3, 0), PLAIN), marker=[0, 4, 0]).use(0, 1)
    assert game.board.land[game.state["fall_hex"][1]] == (0, -4)
    assert game.state["fall_zone"][1] == 2


def test_arena_85_dragonlings_count_for_who_threw_them():
    game = table(((0, -3), [push_of(1), gift()]), ((3, 0), PLAIN), dragonlings={4: (0, -4)}, owner={4: 0}).use(0, 4)
    assert (game.felled, game.falls) == ([1, 0], [])
