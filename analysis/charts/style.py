"""House style of the charts: one palette, one face, a sheet measured in inches.

Nothing here changes matplotlib for anybody else: `housed` applies the settings while a chart is drawn and puts back
what was there.
"""

import re
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, ParamSpec

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter

from analysis.charts.words import FONT, clean, width_of
from analysis.wording import percent

# Okabe and Ito (2008): eight colours told apart with every common form of colour blindness.
BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, AMBER, YELLOW = "#56B4E9", "#E69F00", "#F0E442"
CATEGORIES = (BLUE, AMBER, GREEN, ORANGE, SKY, PURPLE, YELLOW, "#7A7F87")

RED = "#B2182B"
NAMED_HUES = {  # words for colours -> their hue, and the categorical colours that are not told from it
    "red": (RED, (ORANGE,)),
    "orange": (ORANGE, (ORANGE, AMBER)),
    "yellow": ("#E8C400", (YELLOW, AMBER)),  # darker than YELLOW, which a line on paper does not bear
    "green": (GREEN, (GREEN,)),
    "blue": (BLUE, (BLUE, SKY)),
    "purple": (PURPLE, (PURPLE,)),
    "pink": (PURPLE, (PURPLE,)),
    "grey": (CATEGORIES[-1], (CATEGORIES[-1],)),
    "gray": (CATEGORIES[-1], (CATEGORIES[-1],)),
}

INK, MUTED, FAINT, HAIR, BAND, PAPER = "#1B242E", "#5E6975", "#B4BCC5", "#E3E7EB", "#EDF0F3", "#FFFFFF"

# Above even is orange and below is blue in every chart, so a reader learns it once.
STRONG, WEAK = ORANGE, BLUE
DIVERGING = LinearSegmentedColormap.from_list(
    "even", ["#0B4F7D", "#3F8FC0", "#A9CDE3", "#F6F6F4", "#F3C49E", "#DB7B33", "#9A4100"]
)
SEQUENTIAL = LinearSegmentedColormap.from_list("share", ["#F3F6F8", "#BFD9E8", "#6DAFD3", "#2275A8", "#0A3A5C"])

WIDTH = 7.5  # inches: the width of a page's column
MARGIN = 0.12  # inches of paper around every chart
SMALL, BODY, HEADING = 7.5, 8.5, 9.5  # points
DENSITY = 200  # PNG dots per inch

SETTINGS: dict[str, Any] = {
    "font.family": [FONT],
    "font.size": BODY,
    "text.color": INK,
    "text.parse_math": False,  # a card may be called "$5 $word": text is text
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
    "svg.fonttype": "path",  # letters as outlines: the same picture with or without the face installed
    "path.simplify": True,
}

Parameters = ParamSpec("Parameters")


def hues(names: Iterable[str]) -> list[Any]:
    """A colour for each name, all different as far as there are so many: of a name with a word for a colour that colour.

    A second name with the same word has it paler; the other names have those of CATEGORIES that are not mistaken for one used.
    """
    words = [
        next((word for word in re.findall(r"[a-z]+", str(name).lower()) if word in NAMED_HUES), "") for name in names
    ]
    taken = {like for word in words if word for like in NAMED_HUES[word][1]}
    free = [colour for colour in CATEGORIES if colour not in taken] or list(CATEGORIES)
    found: list[Any] = []
    seen: dict[str, int] = {}
    others = 0
    for word in words:
        if word:
            hue = NAMED_HUES[word][0]
            found.append(pale(hue, 0.55 ** seen.get(hue, 0)) if hue in seen else hue)
            seen[hue] = seen.get(hue, 0) + 1
        else:
            found.append(free[others % len(free)])
            others += 1
    return found


def settings() -> Any:
    """Context in which the house style holds, whatever the caller's own settings are."""
    shipped: dict[Any, Any] = {
        key: value for key, value in mpl.rcParamsDefault.items() if not key.startswith("backend")
    }
    return mpl.rc_context(shipped | SETTINGS)


def housed(chart: Callable[Parameters, Figure]) -> Callable[Parameters, Figure]:
    """Draw a chart in the house style and leave matplotlib's settings as they were."""

    @wraps(chart)
    def drawn(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Figure:
        with settings():
            figure = chart(*args, **kwargs)
            figure.draw_without_rendering()  # ticks are made on first drawing: make them while the style holds
            return figure

    return drawn


class Sheet:
    """A figure whose parts are placed in inches from its top left corner."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self._wide, self._tall = width + 2 * MARGIN, height + 2 * MARGIN
        self.figure = Figure(figsize=(self._wide, self._tall))

    def _place(self, x: float, y: float) -> tuple[float, float]:
        return (MARGIN + x) / self._wide, 1 - (MARGIN + y) / self._tall

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Axes whose top left corner stands at (`left`, `top`)."""
        return self.figure.add_axes((*self._place(left, top + height), width / self._wide, height / self._tall))

    def text(self, x: float, y: float, text: str, **how: Any) -> Text:
        """Write a line of text at (`x`, `y`); unless told otherwise left-aligned and centred on `y`."""
        how = {"ha": "left", "va": "center_baseline", "fontsize": BODY, **how}
        return self.figure.text(*self._place(x, y), text, **how)

    def key(self, x: float, y: float, entries: Iterable[tuple[str, dict[str, Any]]]) -> float:
        """Draw a legend in one line: marks, each with its words. Returns where it ends, in inches."""
        for words, mark in entries:
            style = {"marker": "o", "markersize": 5, "linestyle": "none", **mark}
            across, up = self._place(x + 0.05, y)
            self.figure.add_artist(Line2D([across], [up], **style))
            self.text(x + 0.15, y, words, fontsize=SMALL, color=MUTED)
            x += 0.15 + width_of(words, SMALL) + 0.2
        return x


def require(frame: pd.DataFrame, columns: Iterable[str], form: str) -> None:
    """Raise ValueError unless `frame` has all `columns`."""
    lacking = [name for name in columns if name not in frame.columns]
    if lacking:
        have = ", ".join(map(str, frame.columns)) or "none"
        raise ValueError(f"{form}: the frame lacks the column(s) {', '.join(lacking)}; it has {have}")


def nothing(words: str = "No finished games to show") -> Figure:
    """Return the sheet that stands for a chart without data."""
    sheet = Sheet(WIDTH, 1.0)
    sheet.text(WIDTH / 2, 0.5, words, ha="center", color=MUTED)
    return sheet.figure


def column(frame: pd.DataFrame, name: str) -> np.ndarray:
    """Return a column as floats; all nan where the frame has no such column."""
    return frame[name].to_numpy(dtype=float, na_value=np.nan) if name in frame.columns else np.full(len(frame), np.nan)


def texts(frame: pd.DataFrame, name: str) -> list[str]:
    """Return a column as text that a chart can draw."""
    return [clean(str(value)) for value in frame[name]]


def groups(frame: pd.DataFrame, name: str) -> list[tuple[Any, pd.DataFrame]]:
    """Parts of a frame by the values of one column, in order of first appearance; numbers in rising order."""
    values = list(pd.unique(frame[name].dropna()))
    if pd.api.types.is_numeric_dtype(frame[name]):
        values = sorted(values)
    return [(value, frame[frame[name] == value]) for value in values]


def seats_heading(seats: Any) -> str:
    """Heading of a panel: `3 seats`; a value that is no number speaks for itself."""
    try:
        number = int(seats)
    except (TypeError, ValueError):
        return clean(str(seats))
    return "1 seat" if number == 1 else f"{number} seats"


def percent_axis(axis: Any, digits: int = 0) -> None:
    """Label an axis of shares in per cent."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: percent(value, digits)))


def share_axis(axes: Axes, right: float, top: float) -> None:
    """Set up a panel of cumulative shares up to `right`: quarters in per cent, the half dashed. top: 1, or a little more."""
    axes.axhline(0.5, color=FAINT, linewidth=0.7, linestyle=(0, (2, 2)), zorder=0.5)
    axes.set_xlim(0, right)
    axes.set_ylim(0, top)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.grid(axis="y", color=HAIR)
    percent_axis(axes.yaxis)


def pale(colour: Any, strength: float = 0.3) -> tuple[float, float, float]:
    """Return a colour mixed with paper: `strength` 1 leaves it, 0 is paper."""
    mixed = strength * np.array(to_rgb(colour)) + (1 - strength) * np.array(to_rgb(PAPER))
    return (float(mixed[0]), float(mixed[1]), float(mixed[2]))


def ink_on(colour: Any) -> str:
    """Black or white, whichever is read better on `colour` (relative luminance of WCAG 2)."""
    channels = np.array(to_rgb(colour))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ np.array([0.2126, 0.7152, 0.0722]))
    return INK if (luminance + 0.05) / 0.065 > 1.05 / (luminance + 0.05) else PAPER
