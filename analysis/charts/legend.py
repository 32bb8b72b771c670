"""Legends of several lines: as many marks beside each other as the sheet is wide."""

from collections.abc import Sequence
from typing import Any

from analysis.charts.style import SMALL, Sheet
from analysis.charts.words import clean, fit, width_of

LINE = 0.19  # inches from one line to the next


def wrapped(words: Sequence[str], width: float) -> list[list[int]]:
    """Entries of a legend, by line, so that no line is wider than `width` inches."""
    lines: list[list[int]] = [[]]
    used = 0.0
    for at, word in enumerate(words):
        need = 0.35 + min(width_of(clean(word), SMALL), width - 0.4)
        if lines[-1] and used + need > width:
            lines.append([])
            used = 0.0
        lines[-1].append(at)
        used += need
    return lines


def legend(sheet: Sheet, corner: tuple[float, float], words: Sequence[str], marks: Sequence[dict[str, Any]]) -> float:
    """Draw the entries from `corner` (inches) on to the right edge of a sheet; returns the height of its lines."""
    left, top = corner
    room = sheet.width - left
    lines = wrapped(words, room)
    for at, line in enumerate(lines):
        entries = [(fit(words[entry], room - 0.4, SMALL), marks[entry]) for entry in line]
        sheet.key(left, top + LINE * at, entries)
    return LINE * len(lines)
