"""From where a push ends in the water: tables that judging looks up as sets of hexes, one bit each. No rule reads them.

How far a hero must be pushed to fall depends on where it stands and on the direction alone: a push steps only in its two
directions, and whoever chooses its path keeps the hero on land as long, or as short, as can be.
"""

from functools import cache

import numpy as np

from sim.games.arena.board import DIRECTIONS, REACH, WATER, Hex, distance_table, neighbour_table, split_offset

WORDS = 3  # of a set of hexes
WORD_BITS = 64
THROW_MAX = REACH + 1  # hexes of a push after which nobody stands on land any more
# Ways of a push: v is none; v next to u clockwise, as often; less often; or before
_STRAIGHT, _EVEN, _RIGHT, _LEFT = range(4)


@cache
def throw_tables(land: tuple[Hex, ...], attacker_chooses: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sets of hexes by hex: within a distance; from which a push throws out whoever stands there; the same after a swap.

    Shapes (H, REACH + 1, WORDS) by distance, and twice (H, THROW_MAX + 1, WORDS) by hexes of the push. A swap is that of an
    attack before which user and target change places: the set has the user's hexes before it.
    """
    hexes = list(land)
    pushes = _pushes_to_fall(hexes, attacker_chooses)  # [from, whom]
    reaches = np.arange(THROW_MAX + 1)[:, None]
    near = distance_table(hexes)[:, None, :] <= np.arange(REACH + 1)[:, None]
    return _sets(near), _sets(pushes.T[:, None, :] <= reaches), _sets(pushes[:, None, :] <= reaches)


def _sets(members: np.ndarray) -> np.ndarray:
    """Truth values of the hexes, (..., H), as bits, (..., WORDS) uint64."""
    wide = np.zeros((*members.shape[:-1], WORDS * WORD_BITS), np.uint8)
    wide[..., : members.shape[-1]] = members
    return np.packbits(wide, axis=-1, bitorder="little").view("<u8").astype(np.uint64)


def _pushes_to_fall(land: list[Hex], attacker_chooses: bool) -> np.ndarray:
    """Hexes of a push after which a hero falls, by where it comes from and where the hero stands, (H, H) int8.

    Nobody pushes itself: the diagonal is beyond all pushes.
    """
    ways = [[_falls(land, u, way, attacker_chooses) for way in range(_LEFT + 1)] for u in range(DIRECTIONS)]
    found = np.full((len(land), len(land)), THROW_MAX + 1, np.int8)
    for source, (q, r) in enumerate(land):
        for place, (p, s) in enumerate(land):
            if source != place:
                u, v, m, n = split_offset(p - q, s - r)
                slanted = _EVEN if m == n else _RIGHT if v == (u + 1) % DIRECTIONS else _LEFT
                found[source, place] = ways[u][slanted if n else _STRAIGHT][place]
    return found


def _falls(land: list[Hex], u: int, way: int, attacker_chooses: bool) -> np.ndarray:
    """ARENA-51 to 56. Hexes after which a hero falls that is pushed in direction u and, as the way says, another, (H,)."""
    neighbours = neighbour_table(land)
    v = (u + (-1 if way == _LEFT else 1)) % DIRECTIONS
    after: dict[tuple[int, int], np.ndarray] = {}
    for steps in range(THROW_MAX, -1, -1):
        for a in range(steps + 1):
            made = (a, steps - a)
            following = [(u, (a + 1, made[1]))] * _allowed(way, a + 1, made[1])
            following += [(v, (a, made[1] + 1))] * _allowed(way, a, made[1] + 1)
            after[made] = _one_step(
                neighbours, [(d, after[to]) for d, to in following if to in after], attacker_chooses
            )
    return after[0, 0]


def _allowed(way: int, a: int, b: int) -> bool:
    """ARENA-51 to 53. Whether a push may stand at a steps in direction u and b in direction v."""
    if way == _STRAIGHT:
        return b == 0
    return abs(a - b) <= 1 if way == _EVEN else a > b


def _one_step(neighbours: np.ndarray, ways: list[tuple[int, np.ndarray]], attacker_chooses: bool) -> np.ndarray:
    """Hexes until the fall from every hex, given those from the next ones: water only where all ways lead there."""
    best = np.zeros(len(neighbours), np.int8)
    for direction, after in ways:
        ahead = neighbours[:, direction]
        found = np.where(ahead == WATER, 0, after[ahead])
        best = np.where(
            (best == 0) | (found == 0), best + found, (np.minimum if attacker_chooses else np.maximum)(best, found)
        )
    return (best + 1).astype(np.int8)
