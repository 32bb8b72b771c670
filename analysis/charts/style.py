"""Common style of the charts: palette, typeface, sheets measured in inches, and placement of text, legends and labels.

The style does not affect other users of matplotlib: `housed` applies the settings while a chart is drawn and then restores the
previous ones.
"""

import logging
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache, wraps
from inspect import signature
from itertools import groupby
from pathlib import Path
from typing import Any, ParamSpec

import matplotlib as mpl
import numpy as np
import pandas as pd
import scipy
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, findSystemFonts, fontManager, get_font
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter

from analysis.answer.model import Notice
from analysis.answer.numbers import percent, seats_word
from analysis.stats.intervals import LEVEL
from sim.engine.cardfiles.paths import word_shown

FONT = "DejaVu Sans"  # the text font that matplotlib ships, so that charts look the same on every machine
# Preferred for characters that it lacks; then any other installed font.
OTHER_FONTS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK KR", "Noto Sans SC", "Noto Sans JP", "Noto Sans KR", "Noto Sans"),
    *("PingFang SC", "Hiragino Sans", "Apple SD Gothic Neo", "Microsoft YaHei", "Yu Gothic", "Malgun Gothic", "Arial Unicode MS"),
)
NOT_OTHERS = re.compile(r"DejaVu Sans|.*last ?resort|.*colou?r emoji", re.IGNORECASE)  # the usual one; boxes and pictures
POINTS_PER_INCH = 72
MEASURED_AT = 100.0  # points: large, because FreeType rounds the widths of small letters to whole pixels
ELLIPSIS = "\u2026"
NAMES_SHOWN = 5  # in a note
BLANKS = re.compile(r"[^\S\u202f]+")  # not the narrow space between a number and its unit
INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn"}  # Unicode categories that draw nothing or reorder the line


undrawn: list[str] = []  # texts with characters that no installed font has, until they are reported


@lru_cache(maxsize=8192)
def clean(text: str) -> str:
    """Make one line of text that the fonts can draw: blanks collapsed except narrow ones.

    Characters that no installed font has become their code points, as in `\u20396b66 58eb\u203a`; the text is kept in `undrawn`.
    """
    composed = BLANKS.sub(" ", unicodedata.normalize("NFC", str(text))).strip()
    visible = "".join(mark for mark in composed if unicodedata.category(mark) not in INVISIBLE)
    parts = [(drawable, "".join(marks)) for drawable, marks in groupby(visible, key=_is_drawable)]
    if not all(drawable for drawable, _ in parts):
        undrawn.append(visible)
    return "".join(marks if drawable else _code_points(marks) for drawable, marks in parts)


def _is_drawable(mark: str) -> bool:
    """Whether an installed font has a character."""
    return _has(FONT, mark) or _other_font(mark) is not None


@lru_cache(maxsize=8192)
def _has(family: str, mark: str) -> bool:
    """Whether a font has a character, regular and bold."""
    return all(get_font(_face(family, bold)).get_char_index(ord(mark)) for bold in (False, True))


def _other_font(mark: str) -> str | None:
    """Return an installed font that has a character that FONT lacks; None if there is none."""
    family = _other_fonts().get(ord(mark))
    return family if family and _has(family, mark) else None


def _code_points(marks: str) -> str:
    """Return characters as code points, so that names of different characters differ."""
    return f"\u2039{' '.join(f'{ord(mark):04x}' for mark in marks)}\u203a"


@lru_cache(maxsize=64)
def _face(family: str, bold: bool) -> str:
    """Return the file of a font."""
    return findfont(FontProperties(family=family, weight="bold" if bold else "normal"))


@lru_cache(maxsize=1)
def _other_fonts() -> dict[int, str]:
    """Return a font for each character that the installed fonts have, without those that matplotlib ships."""
    _add_new_fonts()
    shipped = Path(mpl.get_data_path())
    entries = [entry for entry in fontManager.ttflist if entry.style == "normal" and not NOT_OTHERS.match(entry.name)]
    # Of several fonts of the same name, the first one is used.
    faces = {entry.name: entry.fname for entry in reversed(entries) if not Path(entry.fname).is_relative_to(shipped)}
    preferred = [name for name in OTHER_FONTS if name in faces]
    fonts: dict[int, str] = {}
    for name in dict.fromkeys([*preferred, *sorted(faces)]):
        with suppress(OSError, RuntimeError):  # a damaged font, or one of a kind that FreeType cannot read
            face = get_font(faces[name])
            for code in face.get_charmap() if face.scalable else ():
                fonts.setdefault(code, name)
    return fonts


def _add_new_fonts() -> None:
    """Add fonts that were installed since matplotlib listed them, which it does only once."""
    listed = {entry.fname for entry in fontManager.ttflist}
    for file in findSystemFonts():
        if file not in listed:
            with suppress(OSError, RuntimeError, UnicodeDecodeError, ValueError):  # a font that FreeType cannot read
                fontManager.addfont(file)


def _families(text: str) -> tuple[str, ...]:
    """Return the fonts that a text needs: the usual one, and others for characters that it lacks."""
    others = (_other_font(mark) for mark in text if not _has(FONT, mark))
    return (FONT, *dict.fromkeys(family for family in others if family))


@lru_cache(maxsize=8192)
def width_of(text: str, size: float, bold: bool = False) -> float:
    """Width in inches of a line of text at `size` points."""
    face = get_font([_face(family, bold) for family in _families(text)])
    face.set_size(MEASURED_AT, POINTS_PER_INCH)
    face.set_text(text, 0.0)
    return size / MEASURED_AT * face.get_width_height()[0] / 64 / POINTS_PER_INCH  # FreeType counts in 1/64 points


def fit(text: str, inches: float, size: float, bold: bool = False) -> str:
    """Clean `text` and, if it is wider than `inches`, cut it with an ellipsis."""
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


def words_column(texts: list[str], size: float, widest: float) -> float:
    """Width in inches of a column that holds `texts`, at most `widest`."""
    return min(widest, max((width_of(clean(text), size) for text in texts), default=0.0) + 0.03)


def broken(text: str, inches: float, size: float, most: int) -> list[str]:
    """Break `text` at blanks into at most `most` lines, no wider than `inches` if possible."""
    lines = [""]
    for word in clean(text).split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if width_of(longer, size) <= inches or not lines[-1] or len(lines) == most:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


# Okabe and Ito (2008): eight colours that people with common forms of colour blindness can distinguish.
BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, AMBER, YELLOW = "#56B4E9", "#E69F00", "#F0E442"
CATEGORIES = (BLUE, AMBER, GREEN, ORANGE, SKY, PURPLE, YELLOW, "#7A7F87")

RED = "#B2182B"
NAMED_HUES = {  # colour words -> their hue, and the categorical colours that are too similar to it
    "red": (RED, (ORANGE,)),
    "orange": (ORANGE, (ORANGE, AMBER)),
    "yellow": ("#E8C400", (YELLOW, AMBER)),  # darker than YELLOW, which is too pale for lines on paper
    "green": (GREEN, (GREEN,)),
    "blue": (BLUE, (BLUE, SKY)),
    "purple": (PURPLE, (PURPLE,)),
    "pink": (PURPLE, (PURPLE,)),
    "grey": (CATEGORIES[-1], (CATEGORIES[-1],)),
    "gray": (CATEGORIES[-1], (CATEGORIES[-1],)),
}

INK, MUTED, FAINT, HAIR, BAND, PAPER = "#1B242E", "#5E6975", "#B4BCC5", "#E3E7EB", "#EDF0F3", "#FFFFFF"
SUBDUED = "#3E4853"  # grey text on a pale colour, where MUTED has too little contrast (WCAG AA: 4.5), also in dark mode

# Above even is orange and below is blue in every chart, so that readers learn it once.
STRONG, WEAK = ORANGE, BLUE
DIVERGING = LinearSegmentedColormap.from_list(
    "even", ["#0B4F7D", "#3F8FC0", "#A9CDE3", "#F6F6F4", "#F3C49E", "#DB7B33", "#9A4100"]
)
LIGHT = "#BFD9E8"
SEQUENTIAL = LinearSegmentedColormap.from_list("share", ["#F3F6F8", LIGHT, "#6DAFD3", "#2275A8", "#0A3A5C"])

WIDTH = 7.5  # inches: width of a page column
MARGIN = 0.12  # inches of paper around every chart
FIGURES, SMALL, BODY, HEADING = 6.8, 7.5, 8.5, 9.5  # points: figures in bars and cells, notes, text, headings of panels
DENSITY = 200  # PNG dots per inch
QUARTERS = (0, 0.25, 0.5, 0.75, 1)  # ticks of a whole axis of shares
MIDDLE: dict[str, Any] = {"ha": "center", "va": "center_baseline"}  # of a text in a bar, cell or dot

SETTINGS: dict[str, Any] = {
    "font.family": [FONT],
    "font.size": BODY,
    "text.color": INK,
    "text.parse_math": False,  # names of cards such as "$5 $word" are plain text
    "text.usetex": False,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": MUTED,
    "axes.labelsize": SMALL,
    "axes.linewidth": 0.7,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.axisbelow": True,
    "axes.grid": False,
    "axes.unicode_minus": True,
    "grid.color": HAIR,
    "grid.linewidth": 0.6,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": MUTED,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "xtick.major.size": 2.5,
    "ytick.major.size": 0,
    "xtick.major.width": 0.7,
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "figure.dpi": 100,
    "savefig.dpi": DENSITY,
    "lines.solid_capstyle": "butt",
    "svg.fonttype": "path",  # letters as outlines: the same picture whether or not the font is installed
    "path.simplify": True,
}

SURE = percent(LEVEL, 0)  # level of the intervals of all charts

Parameters = ParamSpec("Parameters")


def hues(names: Iterable[str]) -> list[Any]:
    """A colour for each name, different as far as possible. Names that contain a colour word get that colour.

    Further names with the same word get paler shades; other names get those of CATEGORIES that differ from the colours used.
    """
    words = [next((word for word in re.findall(r"[a-z]+", str(name).lower()) if word in NAMED_HUES), "") for name in names]
    taken = {like for word in words if word for like in NAMED_HUES[word][1]}
    free = [colour for colour in CATEGORIES if colour not in taken] or list(CATEGORIES)
    colours: list[Any] = []
    seen: dict[str, int] = {}
    others = 0
    for word in words:
        if word:
            hue = NAMED_HUES[word][0]
            colours.append(pale(hue, 0.55 ** seen.get(hue, 0)) if hue in seen else hue)
            seen[hue] = seen.get(hue, 0) + 1
        else:
            colours.append(free[others % len(free)])
            others += 1
    return colours


@contextmanager
def settings() -> Iterator[None]:
    """Context with the common style, independent of the caller's settings."""
    shipped: dict[Any, Any] = {key: value for key, value in mpl.rcParamsDefault.items() if not key.startswith("backend")}
    messages = logging.getLogger("matplotlib.font_manager")
    level = messages.level
    messages.setLevel(logging.ERROR)  # not that a font for other scripts has no bold variant
    try:
        with mpl.rc_context(shipped | SETTINGS):
            yield
    finally:
        messages.setLevel(level)


def form(
    *columns: str, given: tuple[str, ...] = (), instead: Mapping[str, str] | None = None, default: Mapping[str, Any] | None = None
) -> Callable[[Callable[Parameters, Figure]], Callable[Parameters, Figure]]:
    """Decorator of a chart of a parameter `frame`: draw it in the common style, then restore matplotlib's settings.

    columns, given: columns that the frame must have, else ValueError; those in `given` are named by the parameter of that name,
    if there is one (None: no column). A frame without rows that have a value in the first of these gives a placeholder.
    instead: column -> columns of the frames of answers, separated by blanks, of which the first takes its place where it is
    missing. default: column -> its value where it is missing.
    """

    def decorate(chart: Callable[Parameters, Figure]) -> Callable[Parameters, Figure]:
        parameters = signature(chart)

        @wraps(chart)
        def drawn(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Figure:
            bound = parameters.bind(*args, **kwargs)
            bound.apply_defaults()
            answered = bound.arguments["frame"]
            frame = bound.arguments["frame"] = completed(answered, instead or {}, default or {})
            named = [bound.arguments.get(name, name) for name in given]
            require(frame, (*filter(None, named), *columns), chart.__name__, answered)
            rows = frame[named[0]].notna().any() if named and named[0] else len(frame)
            with settings():
                figure = chart(*bound.args, **bound.kwargs) if rows else nothing()
                for axes in figure.axes:  # makes the ticks, which would otherwise get the caller's style later
                    for axis in (axes.xaxis, axes.yaxis):
                        axis.get_ticklabels(which="both")
                _set_fonts(figure)
            _report_undrawn()
            return figure

        return drawn

    return decorate


def completed(frame: pd.DataFrame, instead: Mapping[str, str], default: Mapping[str, Any]) -> pd.DataFrame:
    """The frame with the columns that it lacks, see `form`."""
    present = {name: [other for other in others.split() if other in frame] for name, others in instead.items()}
    frame = frame.assign(**{name: frame[others[0]] for name, others in present.items() if others and name not in frame})
    return frame.assign(**{name: value for name, value in default.items() if name not in frame})


def _set_fonts(figure: Figure) -> None:
    """Give texts with characters that the usual font lacks another font for these."""
    for text in figure.findobj(Text):
        families = _families(text.get_text())
        if len(families) > 1:
            text.set_fontfamily(families)


def _report_undrawn() -> None:
    """Warn of texts that no installed font can draw, each of them once."""
    if not undrawn:
        return
    named = ", ".join(map(word_shown, undrawn[:NAMES_SHOWN]))
    more = f" and {len(undrawn) - NAMES_SHOWN} more" if len(undrawn) > NAMES_SHOWN else ""
    undrawn.clear()
    how = "charts show the code points of these characters; install a font that has them, such as Noto Sans CJK"
    warnings.warn(f"no installed font can draw {named}{more}; {how}", Notice, stacklevel=3)


class Sheet:
    """A figure whose parts are placed in inches from its top left corner."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self._wide, self._tall = width + 2 * MARGIN, height + 2 * MARGIN
        self.figure = Figure(figsize=(self._wide, self._tall))

    def _place(self, x: float, y: float) -> tuple[float, float]:
        return (MARGIN + x) / self._wide, 1 - (MARGIN + y) / self._tall

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Add axes with the top left corner at (`left`, `top`)."""
        return self.figure.add_axes((*self._place(left, top + height), width / self._wide, height / self._tall))

    def text(self, x: float, y: float, text: str, **how: Any) -> Text:
        """Write a line of text at (`x`, `y`), by default left-aligned and centred on `y`."""
        how = {"ha": "left", "va": "center_baseline", "fontsize": BODY, **how}
        return self.figure.text(*self._place(x, y), text, **how)

    def note(self, x: float, y: float, text: str, **how: Any) -> None:
        """Write a line of small grey text at (`x`, `y`), nothing if it is empty."""
        if text:
            self.text(x, y, text, fontsize=SMALL, color=MUTED, **how)

    def heading(self, x: float, y: float, text: str, room: float) -> None:
        """Write the heading of a panel, smaller or cut if it is longer than `room` inches; nothing if it is empty."""
        size = HEADING if width_of(clean(text), HEADING, bold=True) <= room else BODY
        if text:
            self.text(x, y, fit(text, room, size, bold=True), fontsize=size, fontweight="bold", gid="panel")

    def close(self, left: float, note: str, up: float = 0.06) -> Figure:
        """Write the note at the bottom, `up` inches from the edge, and return the figure."""
        self.note(left, self.height - up, fit(note, self.width - left, SMALL))
        return self.figure

    def inside(self, axes: Axes) -> tuple[float, float, float]:
        """Right end, top and bottom of axes, in inches from the top left corner of the sheet."""
        box = axes.get_position()
        return box.x1 * self._wide - MARGIN, (1 - box.y1) * self._tall - MARGIN, (1 - box.y0) * self._tall - MARGIN

    def key(self, x: float, y: float, entries: Iterable[tuple[str, dict[str, Any]]]) -> float:
        """Draw a one-line legend of marks with words. Returns its right end in inches."""
        for words, mark in entries:
            style = {"marker": "o", "markersize": 5, "linestyle": "none", **mark}
            across, up = self._place(x + 0.05, y)
            self.figure.add_artist(Line2D([across], [up], **style))
            self.text(x + 0.15, y, words, fontsize=SMALL, color=MUTED)
            x += 0.15 + width_of(words, SMALL) + 0.2
        return x


def require(frame: pd.DataFrame, columns: Iterable[str], form: str, given: pd.DataFrame | None = None) -> None:
    """Raise ValueError unless `frame` has all `columns`. given: the frame before missing columns were completed."""
    needed, have = [*columns], frame if given is None else given
    lacking = [name for name in needed if name not in frame.columns]
    if lacking:
        raise ValueError(
            f"{form}: the frame lacks the column(s) {', '.join(lacking)}; it has {', '.join(map(str, have.columns)) or 'none'}; "
            f"needed are {', '.join(needed)}"
        )


def nothing() -> Figure:
    """Return a placeholder for a chart without data."""
    sheet = Sheet(WIDTH, 1.0)
    sheet.text(WIDTH / 2, 0.5, "No finished games to show", ha="center", color=MUTED)
    return sheet.figure


def column(frame: pd.DataFrame, name: str) -> np.ndarray:
    """Return a column as floats; all nan if the frame has no such column."""
    return (
        frame[name].to_numpy(dtype=float, na_value=np.nan)
        if name is not None and name in frame.columns
        else np.full(len(frame), np.nan)
    )


def texts(frame: pd.DataFrame, name: str) -> list[str]:
    """Return a column as cleaned text."""
    return [clean(str(value)) for value in frame[name]]


def groups(frame: pd.DataFrame, name: str) -> list[tuple[Any, pd.DataFrame]]:
    """Parts of a frame by the values of a column, in order of first appearance; numbers ascending."""
    values = list(pd.unique(frame[name].dropna()))
    if pd.api.types.is_numeric_dtype(frame[name]):
        values = sorted(values)
    return [(value, frame[frame[name] == value]) for value in values]


def panels(frame: pd.DataFrame, name: str | None) -> list[tuple[Any, pd.DataFrame]]:
    """Parts of a frame by the values of a column; with None, or without that column, the frame as one part without heading."""
    return groups(frame, name) if name is not None and name in frame.columns else [("", frame)]


def seats_heading(seats: Any) -> str:
    """Heading of a panel: `3 seats`; values other than numbers unchanged."""
    try:
        number = int(seats)
    except (TypeError, ValueError):
        return clean(str(seats))
    return seats_word(number)


def ordinal(place: int) -> str:
    """Write 1st, 2nd, 3rd, 4th, ..."""
    return f"{place}{'th' if 10 <= place % 100 <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(place % 10, 'th')}"


def percent_axis(axis: Any, digits: int = 0) -> None:
    """Label an axis of shares in per cent."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: percent(value, digits)))


def percent_grid(axes: Axes) -> None:
    """Label the y axis in per cent, with hairlines."""
    axes.grid(axis="y", color=HAIR)
    percent_axis(axes.yaxis)


NEARLY = 0.95  # share of what happens at all at which axes of turns end: a few long games would leave most of them empty


def share_axis(axes: Axes, right: float, top: float) -> None:
    """Set up a panel of cumulative shares up to `right`: ticks at quarters, a dashed line at half. top: 1 or slightly more."""
    axes.axhline(0.5, color=FAINT, linewidth=0.7, linestyle=(0, (2, 2)), zorder=0.5)
    axes.set(xlim=(0, right), ylim=(0, top), yticks=QUARTERS)
    percent_grid(axes)


def pale(colour: Any, strength: float = 0.3) -> tuple[float, float, float]:
    """Return a colour mixed with paper: `strength` 1 leaves it, 0 is paper."""
    mixed = strength * np.array(to_rgb(colour)) + (1 - strength) * np.array(to_rgb(PAPER))
    return (float(mixed[0]), float(mixed[1]), float(mixed[2]))


CONTRAST = 4.5  # of text and what is below it, at least (WCAG 2 AA)


def contrast(first: Any, second: Any) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2)."""
    channels = np.array([to_rgb(first), to_rgb(second)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    low, high = sorted(linear @ np.array([0.2126, 0.7152, 0.0722]) + 0.05)
    return float(high / low)


def ink_on(colour: Any) -> str:
    """Dark or light ink, the more readable one on `colour`; black or white if neither is readable enough."""
    best = max(INK, PAPER, key=lambda ink: contrast(ink, colour))
    return best if contrast(best, colour) >= CONTRAST else max("#000000", PAPER, key=lambda ink: contrast(ink, colour))


def legible(colour: Any) -> tuple[float, float, float]:
    """Return a colour for text on paper: darkened until it is readable."""
    red, green, blue = to_rgb(colour)
    while contrast((red, green, blue), PAPER) < CONTRAST:
        red, green, blue = 0.95 * red, 0.95 * green, 0.95 * blue
    return red, green, blue


LINE = 0.19  # inches between lines of a legend


def wrapped(words: Sequence[str], width: float) -> list[list[int]]:
    """Distribute entries of a legend over lines no wider than `width` inches. Returns their indexes by line."""
    lines: list[list[int]] = [[]]
    used = 0.0
    for index, word in enumerate(words):
        need = 0.35 + min(width_of(clean(word), SMALL), width - 0.4)
        if lines[-1] and used + need > width:
            lines.append([])
            used = 0.0
        lines[-1].append(index)
        used += need
    return lines


def legend(sheet: Sheet, corner: tuple[float, float], words: Sequence[str], marks: Sequence[dict[str, Any]]) -> float:
    """Draw a legend from `corner` (inches) to the right edge of a sheet; returns its height."""
    left, top = corner
    room = sheet.width - left
    lines = wrapped(words, room)
    for index, line in enumerate(lines):
        entries = [(fit(words[entry], room - 0.4, SMALL), marks[entry]) for entry in line]
        sheet.key(left, top + LINE * index, entries)
    return LINE * len(lines)


AWAY = 0.07  # inches between a dot and its label
FAR = 0.12  # inches: labels farther away get a line from their dot
TRIED = tuple(times * AWAY for times in (1, 2, 3, 4, 5.5, 7, 9, 12, 15, 18))
LOOSE = 0.13  # inches: a label that is closer than this to another dot can be mistaken for that dot's
# Places of a label: its lower left corner relative to the dot, in distances and widths, then in distances and heights.
PLACES = (
    *((1, 0, 0, 0.5), (-1, 1, 0, 0.5), (0, 0.5, 1, 0), (0, 0.5, -1, 1), (1, 0, 0.5, 0), (1, 0, -0.5, 1), (-1, 1, 0.5, 0)),
    *((-1, 1, -0.5, 1), (1, 0, 0.15, 0), (-1, 1, 0.15, 0), (0.5, 0, 1, 0), (-0.5, 1, 1, 0), (0.5, 0, -1, 1)),
    *((-0.5, 1, -1, 1), (0, 0.8, 1, 0), (0, 0.2, 1, 0), (0, 0.8, -1, 1), (0, 0.2, -1, 1)),
)
CLEAR = 0.025  # inches between two labels side by side


def spread(wanted: np.ndarray, gap: float, low: float, high: float) -> np.ndarray:
    """Positions for labels along a line: as close to `wanted` as possible, at least `gap` apart, within low..high.

    The sum of the squared distances is the least possible (isotonic regression, Best and Chakravarti 1990). If the line is too
    short for all labels, the gap shrinks.
    """
    if wanted.size == 0:
        return wanted
    gap = min(gap, (high - low) / max(1, wanted.size - 1))
    order = np.argsort(wanted, kind="stable")
    steps = gap * np.arange(wanted.size)
    result = np.empty(wanted.size)
    result[order] = np.clip(scipy.optimize.isotonic_regression(wanted[order] - steps).x, low, high - steps[-1]) + steps
    return result


@dataclass(frozen=True)
class Box:
    """A rectangle in inches, measured from the lower left corner of the axes."""

    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: "Box") -> bool:
        """Whether the two boxes overlap."""
        return (
            self.left < other.right + CLEAR
            and other.left < self.right + CLEAR
            and self.bottom < other.top
            and other.bottom < self.top
        )

    def nearest(self, dot: tuple[float, float]) -> tuple[float, float]:
        """Return the point of the box nearest to `dot`."""
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
    """Box for a label of `size` beside a dot, within `room` and clear of `taken`; None if there is no such place.

    others: the other dots; the label must not look like theirs. Tries right, left, above, below, then positions in between;
    first close by, then farther away.
    """
    for away in TRIED:
        for across, left, up, below in PLACES:
            corner = dot[0] + across * away - left * size[0], dot[1] + up * away - below * size[1]
            box = Box(*corner, corner[0] + size[0], corner[1] + size[1])
            inside = box.left >= 0 and box.bottom >= 0 and box.right <= room[0] and box.top <= room[1]
            clear = inside and not any(box.meets(other) for other in taken) and not _crosses(dot, box, taken)
            if clear and not _mistaken(dot, box, others):
                return box
    return None


def _mistaken(dot: tuple[float, float], box: Box, others: Sequence[tuple[float, float]]) -> bool:
    """Whether a label looks like that of another dot: close to it, and closer than to its own dot."""
    distance = box.away(dot)
    return any(box.away(other) < min(LOOSE, distance) for other in others)


def leader(dot: tuple[float, float], box: Box) -> list[Box]:
    """Return small boxes along the line from a dot to its label; none if the label is close by."""
    if box.away(dot) <= FAR:
        return []
    x, y = box.nearest(dot)
    steps = np.linspace(0.3, 0.95, 8)
    spots = zip(dot[0] + steps * (x - dot[0]), dot[1] + steps * (y - dot[1]), strict=True)
    return [Box(across - 0.01, up - 0.01, across + 0.01, up + 0.01) for across, up in spots]


def _crosses(dot: tuple[float, float], box: Box, taken: list[Box]) -> bool:
    """Whether the line from a dot to its label would cross a taken box. Boxes that contain the dot do not count."""
    others = [other for other in taken if other.away(dot) > 0]
    return any(spot.meets(other) for spot in leader(dot, box) for other in others)
