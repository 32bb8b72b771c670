"""Words and numbers as they stand in a chart: cleaned, shortened to a width, formatted alike everywhere."""

import math
import unicodedata
from functools import lru_cache

from matplotlib.font_manager import FontProperties, findfont, get_font

FONT = "DejaVu Sans"  # the one text face that matplotlib ships, so charts look alike on every machine
POINTS_PER_INCH = 72
MEASURED_AT = 100.0  # points: large, since FreeType rounds the widths of small letters to whole dots
THIN = "\u202f"  # narrow no-break space between a number and its unit
MINUS = "\u2212"
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


def percent(share: float, digits: int = 1) -> str:
    """Write a share 0..1 as per cent; a dash where there is none."""
    return "\u2013" if math.isnan(share) else f"{100 * share:.{digits}f}{THIN}%"


def percent_range(low: float, high: float, digits: int = 1) -> str:
    """Write an interval of shares as `51.2-53.9`, in per cent, the unit being said in the heading."""
    return "\u2013" if math.isnan(low) or math.isnan(high) else f"{100 * low:.{digits}f}\u2013{100 * high:.{digits}f}"


def points(change: float, digits: int = 1) -> str:
    """Write a change of a share in percentage points, always signed."""
    if math.isnan(change):
        return "\u2013"
    text = f"{abs(100 * change):.{digits}f}"
    if float(text) == 0:
        return text
    return ("+" if change > 0 else MINUS) + text


def count(number: float) -> str:
    """Write a whole number with thousands set apart."""
    return "\u2013" if math.isnan(number) else f"{round(number):,}".replace(",", THIN)


def number(value: float) -> str:
    """Write a short number: whole where it is whole, else up to three significant digits."""
    if math.isnan(value):
        return "\u2013"
    text = f"{value:.3g}" if abs(value) < 1000 else count(value)
    return text.replace("-", MINUS)


def counted(numbers: list[float]) -> str:
    """`n = 2 000`, or the range where the counts differ."""
    known = [value for value in numbers if not math.isnan(value)]
    if not known:
        return "n = 0"
    least, most = min(known), max(known)
    return f"n = {count(least)}" if least == most else f"n = {count(least)}\u2013{count(most)}"
