"""Hexes of the Arena model: axial coordinates, land and water, directions, walking distances.

Written from the rules alone; shares no code with the simulator.
"""

from collections import deque
from collections.abc import Collection
from functools import cache

Hex = tuple[int, int]

# ids 0..5: N, NE, SE, S, SW, NW, clockwise; r grows to the south
DIRECTIONS: tuple[Hex, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


def step(start: Hex, direction: int, count: int = 1) -> Hex:
    """Hex `count` steps of one direction id away; may be water."""
    dq, dr = DIRECTIONS[direction]
    return start[0] + count * dq, start[1] + count * dr


def opposite(direction: int) -> int:
    """Direction id that points the other way."""
    return (direction + 3) % 6


def distance(one: Hex, other: Hex) -> int:
    """Steps between two hexes on an endless grid (ARENA-32)."""
    dq, dr = other[0] - one[0], other[1] - one[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def way(source: Hex, target: Hex) -> tuple[int, int, int, int]:
    """ARENA-50. The way to another hex as (u, v, m, n): m steps u and n steps of a neighbouring v, m >= n.

    With m = n, u comes first clockwise; with n = 0, v means nothing.
    """
    total = distance(source, target)
    for first in range(6):
        second = (first + 1) % 6
        for x in range(total, 0, -1):
            y = total - x
            if step(step(source, first, x), second, y) == target:
                return (first, second, x, y) if x >= y else (second, first, y, x)
    raise ValueError(f"source {source} and target {target} must be two different hexes")


class Board:
    """Land of one board of the card file, with hex ids in increasing (r, q) order."""

    def __init__(self, radius: int, holes: Collection[Hex], starts: Collection[Hex]) -> None:
        span = range(-radius, radius + 1)
        everything = [(q, r) for r in span for q in span if distance((0, 0), (q, r)) <= radius]
        self.radius = radius
        self.starts = list(starts)
        self.land = [place for place in everything if place not in holes]
        self.number = {place: index for index, place in enumerate(self.land)}

    def is_land(self, place: Hex) -> bool:
        """Whether a hex is land; all other hexes are water, holes included."""
        return place in self.number

    def steps_from(self, start: Hex, most: int, mode: str, taken: Collection[Hex]) -> dict[Hex, int]:
        """ARENA-20 to 25. Legal destinations within `most` steps, each with the fewest steps that lead there.

        mode: "walk", "ghost" or "leap"; taken: hexes with a piece. The own hex counts as free, at 0 steps.
        """
        if mode == "leap":
            near = {place: distance(start, place) for place in self.land}
        else:
            near = self._walk(start, most, taken if mode == "walk" else ())
        return {place: n for place, n in near.items() if n <= most and (place == start or place not in taken)}

    def _walk(self, start: Hex, most: int, closed: Collection[Hex]) -> dict[Hex, int]:
        steps = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            if steps[here] == most:
                continue
            for direction in range(6):
                there = step(here, direction)
                if there in self.number and there not in closed and there not in steps:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        return steps


@cache
def _built(radius: int, holes: tuple[Hex, ...], starts: tuple[Hex, ...]) -> Board:
    return Board(radius, holes, starts)


def board_of(entry: dict) -> Board:
    """The board of a `[[board]]` table. Boards never change, so equal tables share an object."""
    holes = tuple((q, r) for q, r in entry.get("holes", []))
    return _built(entry["radius"], holes, tuple((q, r) for q, r in entry["starts"]))
