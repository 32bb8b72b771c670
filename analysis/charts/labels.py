"""Places for labels that must not cover each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

AWAY = 0.07  # inches between a dot and its label
FAR = 0.12  # inches: from here on a line leads from the dot to its label
TRIED = tuple(times * AWAY for times in (1, 2, 3, 4, 5.5, 7, 9, 12, 15, 18))
LOOSE = 0.13  # inches: a label nearer than that to another dot than to its own looks like that dot's
CLEAR = 0.025  # inches kept free between two labels side by side


def spread(wanted: np.ndarray, gap: float, low: float, high: float) -> np.ndarray:
    """Places for labels along a line: as near to `wanted` as they can be, at least `gap` apart, within low..high.

    Labels that would overlap are joined into a pile that stands at the mean of what its members want. Where the line
    is too short for all of them the gap shrinks.
    """
    if wanted.size == 0:
        return wanted
    gap = min(gap, (high - low) / max(1, wanted.size - 1))
    order = np.argsort(wanted, kind="stable")
    piles: list[tuple[float, int]] = []  # (place of the first label, labels)
    for target in wanted[order]:
        place, size = float(target), 1
        while piles and piles[-1][0] + piles[-1][1] * gap > place:
            before, members = piles.pop()
            place = (before * members + (place - members * gap) * size) / (members + size)
            size += members
        place = min(max(place, low), high - (size - 1) * gap)
        piles.append((place, size))
    while len(piles) > 1 and any(a[0] + a[1] * gap > b[0] + 1e-12 for a, b in pairwise(piles)):
        piles = _join_once(piles, gap, low, high)
    placed = np.concatenate([place + gap * np.arange(size) for place, size in piles])
    result = np.empty_like(placed)
    result[order] = placed
    return result


def _join_once(piles: list[tuple[float, int]], gap: float, low: float, high: float) -> list[tuple[float, int]]:
    """Join the first two piles that overlap, which being kept within the line can make anew."""
    for at, (left, right) in enumerate(pairwise(piles)):
        if left[0] + left[1] * gap > right[0] + 1e-12:
            size = left[1] + right[1]
            place = (left[0] * left[1] + (right[0] - left[1] * gap) * right[1]) / size
            place = min(max(place, low), high - (size - 1) * gap)
            return [*piles[:at], (place, size), *piles[at + 2 :]]
    return piles


@dataclass(frozen=True)
class Box:
    """A rectangle in inches, measured from the lower left corner of the axes."""

    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: "Box") -> bool:
        """Whether the two share any room."""
        return (
            self.left < other.right + CLEAR
            and other.left < self.right + CLEAR
            and self.bottom < other.top
            and other.bottom < self.top
        )

    def nearest(self, dot: tuple[float, float]) -> tuple[float, float]:
        """Return the point of the box that is nearest to `dot`."""
        return min(max(dot[0], self.left), self.right), min(max(dot[1], self.bottom), self.top)

    def away(self, dot: tuple[float, float]) -> float:
        """Return the distance of `dot` from the box."""
        x, y = self.nearest(dot)
        return float(np.hypot(x - dot[0], y - dot[1]))


def beside(
    dot: tuple[float, float],
    size: tuple[float, float],
    taken: list[Box],
    room: tuple[float, float],
    others: Sequence[tuple[float, float]] = (),
) -> Box | None:
    """Box of a label of `size` beside a dot, within `room` and clear of `taken`; None where there is no such place.

    others: the other dots, for one of which the label must not be taken. Tried in turn: right, left, above, below, then places
    between these; first close by, then farther away.
    """
    (x, y), (wide, tall) = dot, size
    for away in TRIED:
        near, middle = away, -tall / 2
        corners = [
            (near, middle),
            (-near - wide, middle),
            (-wide / 2, near),
            (-wide / 2, -near - tall),
            (near, near * 0.5),
            (near, -near * 0.5 - tall),
            (-near - wide, near * 0.5),
            (-near - wide, -near * 0.5 - tall),
            (near, near * 0.15),
            (-near - wide, near * 0.15),
            (near * 0.5, near),
            (-near * 0.5 - wide, near),
            (near * 0.5, -near - tall),
            (-near * 0.5 - wide, -near - tall),
            (-wide * 0.8, near),
            (-wide * 0.2, near),
            (-wide * 0.8, -near - tall),
            (-wide * 0.2, -near - tall),
        ]
        for right, up in corners:
            box = Box(x + right, y + up, x + right + wide, y + up + tall)
            inside = box.left >= 0 and box.bottom >= 0 and box.right <= room[0] and box.top <= room[1]
            clear = inside and not any(box.meets(other) for other in taken) and not _crosses(dot, box, taken)
            if clear and not _mistaken(dot, box, others):
                return box
    return None


def _mistaken(dot: tuple[float, float], box: Box, others: Sequence[tuple[float, float]]) -> bool:
    """Whether a label looks like that of another dot: it is near to it, and nearer than to its own."""
    own = box.away(dot)
    return any(box.away(other) < min(LOOSE, own) for other in others)


def leader(dot: tuple[float, float], box: Box) -> list[Box]:
    """Return small boxes along the line from a dot to its label; none where the label stands close by."""
    if box.away(dot) <= FAR:
        return []
    x, y = box.nearest(dot)
    steps = np.linspace(0.3, 0.95, 8)
    spots = zip(dot[0] + steps * (x - dot[0]), dot[1] + steps * (y - dot[1]), strict=True)
    return [Box(across - 0.01, up - 0.01, across + 0.01, up + 0.01) for across, up in spots]


def _crosses(dot: tuple[float, float], box: Box, taken: list[Box]) -> bool:
    """Whether the line from a dot to its label would run over something. What holds the dot itself does not count."""
    others = [other for other in taken if other.away(dot) > 0]
    return any(spot.meets(other) for spot in leader(dot, box) for other in others)
