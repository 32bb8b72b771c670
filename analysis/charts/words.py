"""Words as they stand in a chart: cleaned, and shortened to a width."""

import unicodedata
from functools import lru_cache

from matplotlib.font_manager import FontProperties, findfont, get_font

FONT = "DejaVu Sans"  # the one text face that matplotlib ships, so charts look alike on every machine
POINTS_PER_INCH = 72
MEASURED_AT = 100.0  # points: large, since FreeType rounds the widths of small letters to whole dots
ELLIPSIS = "\u2026"
MISSING = "\u25a1"  # stands for a character that the face lacks
INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn"}  # Unicode categories that draw nothing or reorder the line


@lru_cache(maxsize=4)
def _face(bold: bool) -> str:
    return findfont(FontProperties(family=FONT, weight="bold" if bold else "normal"))


@lru_cache(maxsize=8192)
def clean(text: str) -> str:
    """One line of text that the chart face can draw: composed, blanks collapsed, unknown characters as a box."""
    composed = " ".join(unicodedata.normalize("NFC", str(text)).split())
    visible = (mark for mark in composed if unicodedata.category(mark) not in INVISIBLE)
    face = get_font(_face(False))
    return "".join(mark if face.get_char_index(ord(mark)) else MISSING for mark in visible)


@lru_cache(maxsize=8192)
def width_of(text: str, size: float, bold: bool = False) -> float:
    """Width of a line in inches at `size` points."""
    face = get_font(_face(bold))
    face.set_size(MEASURED_AT, POINTS_PER_INCH)
    face.set_text(text, 0.0)
    return size / MEASURED_AT * face.get_width_height()[0] / 64 / POINTS_PER_INCH  # FreeType counts in 1/64 points


def fit(text: str, inches: float, size: float, bold: bool = False) -> str:
    """`text` cleaned and, where it is wider than `inches`, cut with an ellipsis."""
    whole = clean(text)
    if width_of(whole, size, bold) <= inches:
        return whole
    low, high = 0, len(whole)
    while low < high:
        middle = (low + high + 1) // 2
        if width_of(whole[:middle].rstrip() + ELLIPSIS, size, bold) <= inches:
            low = middle
        else:
            high = middle - 1
    return whole[:low].rstrip() + ELLIPSIS


def column(texts: list[str], size: float, widest: float) -> float:
    """Width in inches of a column that holds `texts`, at most `widest`."""
    return min(widest, max((width_of(clean(text), size) for text in texts), default=0.0) + 0.03)


def broken(text: str, inches: float, size: float, most: int) -> list[str]:
    """`text` broken at its blanks into lines no wider than `inches`, as far as that goes; at most so many lines."""
    lines = [""]
    for word in clean(text).split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if width_of(longer, size) <= inches or not lines[-1] or len(lines) == most:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
