"""The tables of the boards, compared with brute force."""

from itertools import product

import numpy as np
import pytest

from sim.engine.cards import changed
from sim.games.arena.cards import DIRECTIONS, REACH, SPAN, STEPS, connected, distance, land_hexes
from sim.games.arena.record import CARD_FORMAT, split_offset

SIZES = {"standard": 61, "large": 91, "pit": 90}
load, from_document = CARD_FORMAT.load, CARD_FORMAT.from_document
DOCUMENT = load().document


def record_of(board: str) -> np.void:
    return from_document(changed(DOCUMENT, "rules.board", board)).record[0]


def places(record: np.void) -> list[tuple[int, int]]:
    count = record["hexes"]
    return [(int(q), int(r)) for q, r in zip(record["q"][:count], record["r"][:count], strict=True)]


def steps_on_an_endless_grid(limit: int) -> dict[tuple[int, int], int]:
    """Steps from (0, 0) by breadth-first search."""
    found, edge = {(0, 0): 0}, [(0, 0)]
    for step in range(1, limit + 1):
        edge = list({(q + dq, r + dr) for q, r in edge for dq, dr in STEPS} - found.keys())
        found |= dict.fromkeys(edge, step)
    return found


def test_the_directions_go_round_clockwise_from_north():
    # centres of flat-top hexes, y to the south: x = 3/2 q, y = sqrt(3) (r + q / 2)
    angles = [np.degrees(np.arctan2(1.5 * dq, -np.sqrt(3) * (dr + dq / 2))) % 360 for dq, dr in STEPS]
    assert np.allclose(angles, [0, 60, 120, 180, 240, 300])


def test_distances_are_the_fewest_steps():
    steps = steps_on_an_endless_grid(2 * REACH)
    for dq, dr in product(range(-REACH, REACH + 1), repeat=2):
        assert distance(dq, dr) == steps[dq, dr]


@pytest.mark.parametrize("board", SIZES)
def test_arena_02_land_is_numbered_by_row_and_column(board):
    land = places(record_of(board))
    assert len(land) == SIZES[board]
    assert land == sorted(land, key=lambda place: (place[1], place[0]))
    assert all(distance(q, r) <= 5 for q, r in land)
    assert ((0, 0) in land) == (board != "pit")


@pytest.mark.parametrize("board", SIZES)
def test_neighbours_distances_and_rays_agree_with_walking(board):
    record = record_of(board)
    land = places(record)
    steps = steps_on_an_endless_grid(2 * REACH)
    for number, (q, r) in enumerate(land):
        for direction, (dq, dr) in enumerate(STEPS):
            beside = record["neighbour"][number, direction]
            assert beside == (land.index((q + dq, r + dr)) if (q + dq, r + dr) in land else -1)
            ahead = next(k for k in range(20) if (q + dq * (k + 1), r + dr * (k + 1)) not in land)
            assert record["ray"][number, direction] == ahead
        for other, (q2, r2) in enumerate(land):
            assert record["distance"][number, other] == steps[q2 - q, r2 - r]


@pytest.mark.parametrize("board", SIZES)
def test_what_lies_beyond_the_board_is_empty(board):
    record = record_of(board)
    count = record["hexes"]
    assert (record["neighbour"][count:] == -1).all()
    assert not record["distance"][count:].any()
    assert not record["distance"][:, count:].any()
    assert not record["ray"][count:].any()
    assert record["start_hex"].tolist()[6:] == [-1] * 6


def test_arena_50_an_offset_splits_into_two_neighbouring_directions_in_one_way():
    splits: dict[tuple[int, int], list[tuple[int, int, int, int]]] = {}
    for u, turn, m in product(range(DIRECTIONS), (1, -1), range(1, 2 * REACH + 1)):
        v = (u + turn) % DIRECTIONS
        for n in range(m + 1):
            end = tuple(m * a + n * b for a, b in zip(STEPS[u], STEPS[v], strict=True))
            splits.setdefault(end, []).append((u, v if n else -1, m, n))
    record = record_of("standard")
    for dq, dr in product(range(-REACH, REACH + 1), repeat=2):
        got = tuple(int(record[f"offset_{name}"][dq + REACH, dr + REACH]) for name in "uvmn")
        assert got == split_offset(dq, dr)
        if (dq, dr) == (0, 0):
            assert got[1:] == (-1, 0, 0)
            continue
        u, v, m, n = got
        assert m + n == distance(dq, dr)
        found = set(splits[dq, dr])
        if m == n:  # both orders of the pair fit: the first one clockwise is meant
            assert v == (u + 1) % DIRECTIONS
            assert found == {got, (v, u, m, n)}
        else:
            assert found == {got}


def test_arena_50_the_examples_of_the_rulebook():
    assert split_offset(-2, 1) == (4, 5, 1, 1)  # due west: south-west before north-west
    assert split_offset(-1, -2) == (0, 5, 2, 1)  # two north, one north-west
    assert split_offset(-1, -1) == (5, 0, 1, 1)  # north-west before north
    assert split_offset(0, 3) == (3, -1, 3, 0)  # straight south


def test_the_offset_tables_cover_the_largest_board():
    land = land_hexes(7, [])
    assert len(land) == 169
    assert max(abs(a[0] - b[0]) for a in land for b in land) == REACH == (SPAN - 1) // 2
    assert max(abs(a[1] - b[1]) for a in land for b in land) == REACH


def test_land_is_connected_if_every_hex_can_be_walked_to():
    ring = [place for place in land_hexes(2, []) if distance(*place) == 1]
    assert connected(land_hexes(2, []))
    assert connected(land_hexes(2, [(0, 0)]))
    assert not connected(land_hexes(2, ring))
    assert not connected([])
