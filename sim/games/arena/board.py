"""Hexes (register sections 2.1 and 4): coordinates, and the tables that the kernels look up instead of computing.

Axial coordinates (q, r), flat-top hexes, `r` grows to the south. Directions are numbered clockwise from north.
"""

from collections.abc import Iterable

import numpy as np

RADIUS_MAX = 7  # rings round the centre hex
HEXES_MAX = 169  # land hexes of a board of radius 7
STARTS_MAX = 12  # start hexes of a board
DIRECTIONS = 6
REACH = 2 * RADIUS_MAX  # largest difference of two q or two r on one board
SPAN = 2 * REACH + 1  # side of the offset tables
WATER = -1  # instead of a hex id

N, NE, SE, S, SW, NW = range(DIRECTIONS)
STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))  # (dq, dr) by direction

Hex = tuple[int, int]


def distance(dq: int, dr: int) -> int:
    """ARENA-32. Steps between two hexes that differ by (dq, dr) on an endless grid."""
    return max(abs(dq), abs(dr), abs(dq + dr))


def land_hexes(radius: int, holes: Iterable[Hex]) -> list[Hex]:
    """Land of a board in the order of the hex ids: by (r, q). Everything else is water."""
    wet = set(holes)
    span = range(-radius, radius + 1)
    return [(q, r) for r in span for q in span if distance(q, r) <= radius and (q, r) not in wet]


def connected(land: list[Hex]) -> bool:
    """Whether every land hex can be reached from every other without crossing water. False for no land at all."""
    if not land:
        return False
    todo, unseen = [land[0]], set(land[1:])
    while todo:
        q, r = todo.pop()
        fresh = unseen.intersection((q + dq, r + dr) for dq, dr in STEPS)
        unseen -= fresh
        todo.extend(fresh)
    return not unseen


def neighbour_table(land: list[Hex]) -> np.ndarray:
    """Hex ids next to each hex by direction, (H, 6) int16; WATER where there is no land."""
    ids = {place: number for number, place in enumerate(land)}
    return np.array([[ids.get((q + dq, r + dr), WATER) for dq, dr in STEPS] for q, r in land], np.int16)


def ray_table(land: list[Hex]) -> np.ndarray:
    """Land hexes ahead of each hex until the first water, by direction, (H, 6) int8."""
    ahead = set(land)
    rays = np.zeros((len(land), DIRECTIONS), np.int8)
    for number, (q, r) in enumerate(land):
        for direction, (dq, dr) in enumerate(STEPS):
            steps = 0
            while (q + dq * (steps + 1), r + dr * (steps + 1)) in ahead:
                steps += 1
            rays[number, direction] = steps
    return rays


def distance_table(land: list[Hex]) -> np.ndarray:
    """Distances of all pairs of hexes, (H, H) int8."""
    q, r = np.array(land, np.int16).reshape(-1, 2).T
    dq, dr = q - q[:, None], r - r[:, None]
    table: np.ndarray = np.max([abs(dq), abs(dr), abs(dq + dr)], axis=0).astype(np.int8)
    return table


def walks_are_straight(land: list[Hex]) -> bool:
    """Whether every hex can be walked to in as few steps as its distance: true without holes, where no piece stands."""
    distances, neighbours = distance_table(land), neighbour_table(land)
    nearer = distances[:, neighbours] == distances[:, :, None] - 1
    steps = (nearer & (neighbours != WATER)).any(axis=2)
    np.fill_diagonal(steps, val=True)
    return bool(steps.all())


def split_offset(dq: int, dr: int) -> tuple[int, int, int, int]:
    """ARENA-50. The way (dq, dr) as m steps of direction u and n steps of the neighbouring direction v, m >= n >= 0.

    Returns (u, v, m, n). If m = n, u is the one that comes first clockwise. On a straight way n = 0 and v = -1;
    for the empty way u = 0 as well as m = n = 0, and v = -1.
    """
    for first in range(DIRECTIONS):
        second = (first + 1) % DIRECTIONS
        (q1, r1), (q2, r2) = STEPS[first], STEPS[second]
        area = q1 * r2 - q2 * r1  # 1 for neighbouring directions: the solution below is whole
        a, b = (dq * r2 - q2 * dr) * area, (q1 * dr - dq * r1) * area
        if a < 0 or b < 0:
            continue
        m, n = max(a, b), min(a, b)
        u, v = (first, second) if a >= b else (second, first)
        return (u, v if n else -1, m, n)
    raise AssertionError(f"no two neighbouring directions span ({dq}, {dr})")


def offset_tables() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """`split_offset` of every difference: u, v, m, n, each (SPAN, SPAN) int8, indexed [dq + REACH, dr + REACH]."""
    tables = np.zeros((4, SPAN, SPAN), np.int8)
    for dq in range(-REACH, REACH + 1):
        for dr in range(-REACH, REACH + 1):
            tables[:, dq + REACH, dr + REACH] = split_offset(dq, dr)
    return tables[0], tables[1], tables[2], tables[3]
