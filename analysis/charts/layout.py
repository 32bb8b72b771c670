"""Layouts shared by the families: rows with columns of text, grids of panels, names at the ends of lines, ticks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.answer.numbers import count, number, percent_range, points
from analysis.charts import style
from analysis.charts.style import BODY, FAINT, HAIR, HEADING, INK, LINE, MUTED, SMALL, SURE, WIDTH, Sheet, fit, legend, width_of

Entry = tuple[str, dict[str, Any]]  # of a legend: words, and how matplotlib draws the mark
EXACT = 1e-6  # a label may differ by this from its tick

RATE, RANGE, GAMES = 0.62, 0.92, 0.78  # inches: widths of the usual columns of numbers
HEAD, FOOT, GAP = 0.28, 0.24, 0.12  # inches: heading of a panel, labels of its ticks, space below
HEADINGS, NOTE = 0.26, 0.12  # inches: line of the headings of columns, space for the note


@dataclass(frozen=True)
class Words:
    """A column of text beside the rows of a chart.

    write: makes the text of a row from its values in `columns`, which are numbers unless `text`. strong: large and dark; bold:
    column of the frame with the rows in bold type. always: also in rows without data. down: offset, in rows; after: inches of
    space at its right.
    """

    heading: str
    inches: float
    columns: tuple[str, ...]
    write: Callable[..., str]
    align: Literal["left", "right"] = "right"
    strong: bool = False
    bold: str = ""
    text: bool = False
    always: bool = False
    down: float = 0.0
    after: float = 0.0
    size: float = SMALL
    gid: str | None = None


@dataclass(frozen=True)
class Plot:
    """Axes beside the rows of a chart, row r at y = r. share: of the width that the text leaves; after: inches of space."""

    draw: Callable[[Axes, pd.DataFrame], None]
    heading: str = ""
    share: float = 1.0
    after: float = 0.0


def interval_words(low: str = "low", high: str = "high") -> Words:
    """The usual column of intervals of shares."""
    return Words(f"{SURE} interval", RANGE, (low, high), percent_range)


def count_words(heading: str = "games") -> Words:
    """The usual column of counts."""
    return Words(heading, max(GAMES, width_of(heading, SMALL) + 0.15), ("n",), count)


@dataclass(frozen=True)
class Rows:
    """How rows are laid out. row, widest, width: height of a row, widest name and width of the figure, in inches.

    Rows without a number in column `known` have no words but `missing`. begins, bold: columns that mark the rows below a line
    between groups, and the rows with bold names; group: column of words before the names. heading: of a panel.
    """

    row: float = 0.25
    widest: float = 2.2
    width: float = WIDTH
    known: str = ""
    missing: str = ""
    begins: str = ""
    bold: str = ""
    group: str = ""
    heading: Callable[[Any], str] = str


def rows(
    parts: Sequence[tuple[Any, pd.DataFrame]],
    cells: Sequence[Words | Plot],
    *,
    key: Sequence[Entry] = (),
    note: str = "",
    look: Rows = Rows(),
) -> Figure:
    """Rows of a frame, in panels below each other: names at the left, then `cells` from left to right.

    parts: headings ("" for none) and frames with a column `name`. key, note: legend above and words below.
    """
    entries, row, width = [words for words, _ in key], look.row, look.width
    top = LINE * len(style.wrapped(entries, width)) + 0.05 if entries else -0.05
    titles = [style.clean(look.heading(value)) if str(value) else "" for value, _ in parts]
    every = pd.concat([part for _, part in parts])
    first = style.words_column(style.texts(every, look.group), BODY, 1.0) + 0.1 if look.group else 0.0
    left = first + style.words_column(style.texts(every, "name"), BODY, look.widest) + 0.14
    ends, plots = _places(cells, left, width)
    heads = _headings(cells, ends, plots)
    shared = bool(titles[0]) and width_of(titles[0], HEADING, bold=True) + 0.1 < min((x for x, _, _ in heads), default=width)
    above = HEADINGS * (bool(heads) and not shared)
    bodies = [HEAD * bool(title) + row * len(part) + FOOT + GAP for title, (_, part) in zip(titles, parts, strict=True)]
    sheet = Sheet(width, top + above + sum(bodies) + (NOTE if note else -GAP))
    legend(sheet, (0, 0.06), entries, [mark for _, mark in key])
    for x, words, room in heads:
        sheet.note(x, top + 0.13, fit(words, room, SMALL))
    top += above
    for title, (_, part), body in zip(titles, parts, bodies, strict=True):
        start = top + HEAD * bool(title)
        sheet.heading(0, top + 0.13, title, width)
        for cell, (x, inches) in plots.items():
            axes = sheet.axes(x, start, inches, row * len(part))
            cells[cell].draw(axes, part)  # type: ignore[union-attr]
            row_lines(axes, len(part), part[look.begins].to_numpy(bool) if look.begins else ())
        seen = np.isfinite(style.column(part, look.known)) if look.known else np.ones(len(part), bool)
        _name_rows(sheet, part, look, (first, left, start), seen)
        for cell_, x in zip(cells, ends, strict=True):
            if isinstance(cell_, Words):
                _column(sheet, part, cell_, x, (start, row), seen)
        top += body
    return sheet.close(max(0.0, min(left, width - width_of(note, SMALL))), note)


def _name_rows(sheet: Sheet, part: pd.DataFrame, look: Rows, place: tuple[float, float, float], seen: np.ndarray) -> None:
    """Write groups and names before the rows, and words in rows without data. place: left and right end, top."""
    first, left, top = place
    strong = part[look.bold].to_numpy(bool) if look.bold else np.zeros(len(part), bool)
    groups = style.texts(part, look.group) if look.group else [""] * len(part)
    for at, (group, name, bold) in enumerate(zip(groups, style.texts(part, "name"), strong, strict=True)):
        y, weight = top + look.row * (at + 0.5), "bold" if bold else "normal"
        sheet.text(first, y, fit(name, left - first - 0.12, BODY, bold=bool(bold)), fontweight=weight, gid="name")
        if group:
            sheet.text(0, y, fit(group, first - 0.08, BODY), color=MUTED, gid="group")
        sheet.note(sheet.width, y, "" if seen[at] else look.missing, ha="right")


def _places(cells: Sequence[Words | Plot], left: float, width: float) -> tuple[list[float], dict[int, tuple[float, float]]]:
    """Position of the text of every cell, and left end and width of the axes by index of the cell."""
    used = sum(cell.after + (cell.inches if isinstance(cell, Words) else 0.0) for cell in cells)
    share = (width - left - used) / sum(cell.share for cell in cells if isinstance(cell, Plot))
    ends, plots, x = [], {}, left
    for index, cell in enumerate(cells):
        inches = cell.inches if isinstance(cell, Words) else cell.share * share
        if isinstance(cell, Plot):
            plots[index] = (x, inches)
        ends.append(x + inches if isinstance(cell, Words) and cell.align == "right" else x)
        x += inches + cell.after
    return ends, plots


def _headings(
    cells: Sequence[Words | Plot], ends: list[float], plots: dict[int, tuple[float, float]]
) -> list[tuple[float, str, float]]:
    """Left end, words and width of the headings of columns."""
    heads, used = [], 0.0
    for index, (cell, end) in enumerate(zip(cells, ends, strict=True)):
        words = style.clean(cell.heading)
        leftwards = isinstance(cell, Words) and cell.align == "right"
        room = end - used if leftwards else plots[index][1] if index in plots else cell.inches  # type: ignore[union-attr]
        if words:
            long = min(width_of(words, SMALL), room)
            heads.append((end - long if leftwards else end, words, long + 0.001))
            used = (end if leftwards else end + long) + 0.08
    return heads


def _column(sheet: Sheet, part: pd.DataFrame, cell: Words, x: float, place: tuple[float, float], seen: np.ndarray) -> None:
    """Write a column of text. place: top of the first row and height of a row."""
    values = zip(*((style.texts if cell.text else style.column)(part, name) for name in cell.columns), strict=True)
    bold = part[cell.bold].to_numpy(bool) if cell.bold else np.zeros(len(part), bool)
    for at, (value, is_bold, is_seen) in enumerate(zip(values, bold, seen, strict=True)):
        how: dict[str, Any] = {"ha": cell.align, "gid": cell.gid, "fontweight": "bold" if is_bold else "normal"}
        how |= {} if cell.strong else {"fontsize": cell.size, "color": MUTED}
        words = cell.write(*value) if is_seen or cell.always else ""
        if words:
            sheet.text(x, place[0] + place[1] * (at + 0.5 + cell.down), words, **how)


def row_lines(axes: Axes, size: int, begins: Sequence[bool] | np.ndarray = ()) -> None:
    """Set up axes with `size` rows, the first on top, with hairlines between them; darker where a group begins."""
    axes.set_ylim(size - 0.5, -0.5)
    axes.set_yticks([])
    for row in range(1, size):
        group = len(begins) > 0 and bool(begins[row])
        axes.axhline(row - 0.5, color=FAINT if group else HAIR, linewidth=0.7 if group else 0.5, zorder=0.5)


@dataclass(frozen=True)
class Grid:
    """Sizes of a grid of panels, in inches. above: over all panels; head, foot, gap: above, below and between axes.

    left: labels of the y axis, of every panel if `every`, else of the first in each row; right: beside every panel; note: below
    all panels. outside: headings begin left of the labels.
    """

    above: float = 0.0
    head: float = 0.5
    foot: float = 0.5
    left: float = 0.42
    gap: float = 0.3
    right: float = 0.0
    note: float = 0.12
    every: bool = False
    outside: bool = False


def panel_grid(
    parts: Sequence[tuple[Any, pd.DataFrame]],
    across: int,
    height: float,
    grid: Grid,
    key: Sequence[Entry] = (),
    heading: Callable[[Any], str] = style.seats_heading,
    below: Callable[[pd.DataFrame], str] = lambda _: "",
) -> tuple[Sheet, Iterator[tuple[Axes, pd.DataFrame, tuple[float, float, float]]]]:
    """A sheet with small panels, `across` in a row, and an iterator over axes, frame, and left, top and width of the axes.

    height: of the axes, inches; key: legend above; heading: of a panel; below: the line below its heading.
    """
    words, left, right = [entry for entry, _ in key], grid.left, grid.right
    top = grid.above + (0.12 + LINE * len(style.wrapped(words, WIDTH - left)) if words else 0.0)
    labels = left * across if grid.every else left
    width = (WIDTH - labels - (grid.gap + right) * (across - 1) - right) / across
    step, tall = width + right + grid.gap + left * grid.every, grid.head + height + grid.foot
    sheet = Sheet(WIDTH, top + -(-len(parts) // across) * tall + grid.note)
    legend(sheet, (left, 0.06), words, [mark for _, mark in key])

    def panels() -> Iterator[tuple[Axes, pd.DataFrame, tuple[float, float, float]]]:
        for index, (value, part) in enumerate(parts):
            x, y = left + (index % across) * step, top + (index // across) * tall
            start = x - left * grid.outside
            sheet.heading(start, y + 0.12, heading(value), x + width + right - start)
            sheet.note(x, y + 0.3, fit(below(part), width + right, SMALL))
            axes = sheet.axes(x, y + grid.head, width, height)
            yield axes, part, (x, y + grid.head, width)
            axes.tick_params(labelleft=grid.every or index % across == 0)

    return sheet, panels()


@dataclass(frozen=True)
class End:
    """Name of a line at its end. y: in the units of the axes; below: a second line, small; mark: of a legend, before it."""

    name: str
    y: float
    colour: Any
    below: str = ""
    bold: bool = True
    mark: dict[str, Any] | None = None
    size: float = BODY


def name_ends(sheet: Sheet, axes: Axes, ends: Sequence[End], room: float, gap: float = 0.34) -> None:
    """Write names at the right of axes, near the heights of their lines, without overlaps. room: inches from the axes on."""
    low, high = axes.get_ylim()
    x, top, bottom = sheet.inside(axes)
    wanted = top + (bottom - top) * (1 - (np.nan_to_num(np.array([end.y for end in ends])) - low) / (high - low))
    spare = 0.15 if any(end.below for end in ends) else 0.0
    for end, y in zip(ends, style.spread(wanted, gap, top + 0.05, bottom - 0.05 - spare), strict=True):
        start = x + 0.12
        if end.mark is not None:
            sheet.key(start - 0.08, float(y), [("", {"color": end.colour, **end.mark})])
            start += 0.08
        ink = style.legible(end.colour) if end.mark is None else INK
        words = fit(end.name, x + room - start, end.size, bold=end.bold)
        weight = "bold" if end.bold else "normal"
        sheet.text(start, float(y), words, fontsize=end.size, color=ink, fontweight=weight, gid="label")
        sheet.note(start, float(y) + 0.145, fit(end.below, x + room - start, SMALL))


def scale_bar(
    sheet: Sheet, corner: tuple[float, float], colours: Colormap, ends: tuple[float, float], labels: Sequence[str], label: str
) -> None:
    """Draw a colour scale from `corner`, with labels at regular distances from one end to the other, and words beside it."""
    left, top = corner
    bar = sheet.axes(left, top, 1.7, 0.09)
    ticks = np.linspace(*ends, len(labels))
    sheet.figure.colorbar(ScalarMappable(Normalize(*ends), colours), cax=bar, orientation="horizontal", ticks=list(ticks))
    bar.set_xticklabels(labels)
    bar.tick_params(length=0, pad=2, labelsize=SMALL)
    bar.spines[:].set_visible(False)
    sheet.note(left + 1.88, top + 0.045, fit(label, sheet.width - left - 1.88, SMALL))


def room_around(
    values: Sequence[np.ndarray], include: Sequence[float] = (), room: float = 0.05, least: float = 0.01
) -> tuple[float, float]:
    """Ends of a scale of all finite values and `include` with space: a part of the range, or `least` (0.05 if both are 0)."""
    every = np.concatenate([*(value[np.isfinite(value)] for value in values), np.array(include, dtype=float)])
    low, high = (float(every.min()), float(every.max())) if every.size else (0.0, 1.0)
    beyond = max(room * (high - low), least) or 0.05
    return low - beyond, high + beyond


def share_ticks(axes: Axes, limits: tuple[float, float]) -> None:
    """Set up an x axis of shares: ticks between 0 and 1, in per cent with as many decimals as necessary."""
    axes.set_xlim(*limits)
    axes.xaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10]))
    ticks = [tick for tick in axes.get_xticks() if max(limits[0], -EXACT) <= tick <= min(limits[1], 1 + EXACT)]
    axes.set_xticks(np.clip(ticks, 0, 1))
    style.percent_axis(axes.xaxis, digits_of(100 * np.array(ticks), 1))


def point_ticks(axis: Any, times: float = 1.0, most: int = 6) -> None:
    """Label an axis of changes in signed points, with as many decimals as necessary. times: shares per unit of the axis."""
    axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10]))
    digits = digits_of(100 * times * axis.get_majorticklocs(), 3)
    axis.set_major_formatter(FuncFormatter(lambda tick, _: points(times * tick, digits)))


def number_ticks(axis: Any, most: int = 6) -> None:
    """Label an axis with plain numbers."""
    axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: number(round(value, 6))))


def digits_of(ticks: np.ndarray, most: int) -> int:
    """Smallest number of decimals, at most `most`, with which no tick is rounded."""
    return next((digits for digits in range(most) if np.allclose(ticks, np.round(ticks, digits), rtol=0, atol=EXACT)), most)


def squares(colours: Mapping[str, Any]) -> list[Entry]:
    """Legend of coloured squares: words and their colours."""
    return [(words, {"marker": "s", "color": colour}) for words, colour in colours.items()]


def sure_key(above: str, below: str, even: str = "may be chance", grey: str = MUTED, **mark: Any) -> list[Entry]:
    """Legend of the colours of `surely`: words for each. mark: how the marks are drawn besides."""
    colours = ((above, style.STRONG), (below, style.WEAK), (even, grey))
    return [(words, {"color": colour, **mark}) for words, colour in colours]


def surely(value: np.ndarray, sure: np.ndarray, even: float = 0.0) -> np.ndarray:
    """Colours of estimates: orange or blue where they are surely above or below `even`, else grey."""
    return np.where(sure & (value > even), style.STRONG, np.where(sure & (value < even), style.WEAK, MUTED))
