"""Charts of coloured cells by row and column.

Every form says how a cell looks; `_cells` places cells, names, colour scale and note.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from analysis.answer.numbers import MINUS, counted, decimal, percent_range, points
from analysis.charts import style
from analysis.charts.layout import scale_bar
from analysis.charts.style import BAND, BODY, DIVERGING, FIGURES, HEADING, PAPER, SMALL, SURE, WIDTH, Sheet, column, fit

EVEN = 0.5
LIMITS = (0.2, 0.8)  # of the colours of `heatmap`, the same for every game so that maps can be compared
PALE = 0.3  # strength of the colour of a cell that may be even
LINE = 0.14  # inches between lines of a name
SLANTED = 0.95  # inches: height of slanted names
GAP, PANEL_HEAD = 0.25, 0.24  # inches


@dataclass(frozen=True)
class Cell:
    """Look of a cell. figures: offset from the middle in cells, text, size in points, gid; more: for all its figures."""

    face: Any
    kind: str
    figures: tuple[tuple[float, str, float, str], ...] = ()
    more: tuple[tuple[str, Any], ...] = ()


BLANK = Cell(BAND, "blank")


@dataclass(frozen=True)
class Scale:
    """Colour scale of a chart: colours, ends, labels from one end to the other, and words."""

    colours: Colormap
    ends: tuple[float, float]
    labels: tuple[str, ...]
    words: str

    def of(self, value: float) -> Any:
        """Colour of a value; values beyond the ends have their colours."""
        return self.colours(Normalize(*self.ends, clip=True)(value))


@dataclass(frozen=True)
class Plan:
    """Sizes of cells in inches, and how names are placed.

    least, full, most: widths of a cell, from `full` on with space for a second figure; tall: heights without and with it; name:
    widest row name; line: points between cells. upwards: the first row is at the bottom. upright: names that do not fit above
    their columns are vertical, not slanted. abreast: panels stand side by side where they fit. bold: names are. missing: look of
    cells without a row in the frame, None for nothing.
    """

    least: float
    full: float
    most: float
    tall: tuple[float, float]
    name: float = 1.7
    line: float = 1.2
    upwards: bool = False
    upright: bool = False
    abreast: bool = False
    bold: bool = False
    missing: Cell | None = BLANK


@dataclass(frozen=True)
class Words:
    """Texts around cells. note: below, given whether cells have a second figure; corner: above everything, above the row names.

    heading, beside: of a column of texts at the right.
    """

    note: Callable[[bool], str]
    corner: tuple[str, str] = ("", "")
    heading: str = ""
    beside: Sequence[str] = ()


Order = tuple[list[str], list[str]]  # names of rows and columns


def _cells(
    parts: Sequence[tuple[Any, pd.DataFrame]],
    plan: Plan,
    look: Callable[[pd.Series, bool], Cell | None],
    scale: Scale,
    words: Words,
    order: Order | None = None,
) -> Figure:
    """Cells with columns row and column of a frame, in `order`, by default that of appearance; parts: headings and panels.

    look: of a cell, given its row of the frame and whether there is space for a second figure.
    """
    orders = [order or (_names(part, "row"), _names(part, "column")) for _, part in parts]
    texts = [name for rows, _ in orders for name in rows]
    left = max(style.words_column(texts, BODY, plan.name), style.words_column([words.corner[1]], SMALL, plan.name)) + 0.13
    most, extra = max(len(columns) for _, columns in orders), 0.62 if words.heading else 0.0
    room = (WIDTH - GAP) / 2 if plan.abreast and len(parts) > 1 else WIDTH
    cell = float(np.clip((room - left - extra) / most, plan.least, plan.most))
    full, tall = cell >= plan.full, plan.tall[cell >= plan.full]
    heads = _Heads.fitted(list(dict.fromkeys(name for _, columns in orders for name in columns)), plan, cell, most)
    wide = left + cell * most + extra
    across = max(1, min(len(parts), int((WIDTH + GAP) / (wide + GAP) + 1e-6))) if plan.abreast else 1
    top = 0.22 if words.corner[0] and not heads.slanted else 0.0
    panel = PANEL_HEAD * any(str(value) for value, _ in parts)
    heights = [panel + heads.height + tall * len(rows) + GAP for rows, _ in orders]
    bands = [max(heights[first : first + across]) for first in range(0, len(parts), across)]
    spare = 0.4 if heads.slanted and not extra and wide > WIDTH - 0.4 else 0.0  # the last slanted name extends to the right
    sheet = Sheet(max(WIDTH, wide + spare), top + sum(bands) + 0.42)
    sheet.note(left if plan.bold or plan.upwards else 0, 0.08, fit(words.corner[0], WIDTH, SMALL))
    for index, ((value, part), (rows, columns)) in enumerate(zip(parts, orders, strict=True)):
        x, y = left + (index % across) * (wide + GAP), top + sum(bands[: index // across])
        sheet.heading(x - left, y + 0.1, str(value), wide)
        y += panel + heads.height
        axes = sheet.axes(x, y, cell * len(columns), tall * len(rows))
        keys = zip(style.texts(part, "row"), style.texts(part, "column"), strict=True)
        found = {key: line for key, (_, line) in zip(keys, part.iterrows(), strict=True)}
        for at, row in enumerate(rows):
            for place, name in enumerate(columns):
                shown = look(found[row, name], full) if (row, name) in found else plan.missing
                if shown is not None:
                    _draw(axes, (place, at), shown, plan)
        axes.set_xlim(-0.5, len(columns) - 0.5)
        axes.set_ylim(*((-0.5, len(rows) - 0.5) if plan.upwards else (len(rows) - 0.5, -0.5)))
        axes.set_axis_off()
        for at, row in enumerate(reversed(rows) if plan.upwards else rows):
            pieces = style.broken(row, left - 0.1, BODY, 2 if tall > 0.35 else 1)
            for line, text in enumerate(pieces):
                middle = y + tall * (at + 0.5) + LINE * (line - (len(pieces) - 1) / 2)
                how = {"ha": "right", "fontweight": "bold" if plan.bold else "normal"}
                sheet.text(x - 0.1, middle, fit(text, left - 0.1, BODY, bold=plan.bold), gid="row", **how)
        for place, name in enumerate(columns):
            heads.write(sheet, (x + cell * (place + 0.5), y), name, cell)
        sheet.note(x - 0.1, y - 0.1, fit(words.corner[1], plan.name, SMALL), ha="right")
        sheet.note(x + cell * len(columns) + 0.12, y - 0.1, words.heading)
        for at, text in enumerate(words.beside):
            sheet.text(x + cell * len(columns) + 0.12, y + tall * (at + 0.5), text, fontweight="bold", gid="mean")
    start, note = (min(left, 2.0) if across == 1 else 0.0), words.note(full)
    scale_bar(sheet, (start, sheet.height - 0.42), scale.colours, scale.ends, scale.labels, scale.words)
    sheet.note(start, sheet.height - 0.04, fit(note[0].upper() + note[1:], sheet.width - start, SMALL))
    return sheet.figure


@dataclass(frozen=True)
class _Heads:
    """Names above columns: level in lines, or turned by `turn` degrees. height: of the space for them, inches."""

    lines: dict[str, list[str]]
    turn: int
    height: float
    bold: bool

    @classmethod
    def fitted(cls, names: list[str], plan: Plan, cell: float, most: int) -> "_Heads":
        """Level names where every line fits its column; also above a few bold columns, where they are cut."""
        size = BODY if plan.bold else SMALL
        lines = {name: style.broken(name, cell - 0.06, SMALL, 5 if cell >= plan.full else 2) for name in names}
        wide = max(style.width_of(line, size, bold=plan.bold) for name in lines.values() for line in name)
        if wide <= cell - 0.02 or (plan.bold and most <= 3):
            return cls(lines, 0, max(map(len, lines.values())) * LINE + 0.12, plan.bold)
        return (
            cls(lines, 90, style.words_column(names, SMALL, 1.1) + 0.1, False) if plan.upright else cls(lines, 45, SLANTED, False)
        )

    @property
    def slanted(self) -> bool:
        """Whether names extend beyond their columns."""
        return self.turn == 45

    def write(self, sheet: Sheet, place: tuple[float, float], name: str, cell: float) -> None:
        """Write a name. place: middle of its column and top of the cells."""
        (x, y), how = place, {"gid": "column", "fontsize": BODY if self.bold else SMALL}
        if self.turn == 90:
            sheet.text(x, y - 0.06, fit(name, 1.1, SMALL), ha="center", va="bottom", rotation=90, **how)
        elif self.slanted:
            words = fit(name, min(1.1, (sheet.width - x) * np.sqrt(2) + 0.05), SMALL)
            sheet.text(x, y - 0.06, words, rotation=45, rotation_mode="anchor", va="baseline", **how)
        else:
            weight = "bold" if self.bold else "normal"
            for line, text in enumerate(reversed(self.lines[name])):
                words = fit(text, cell, BODY if self.bold else SMALL, bold=self.bold)
                sheet.text(x, y - 0.1 - LINE * line, words, ha="center", fontweight=weight, **how)


def _names(part: pd.DataFrame, name: str) -> list[str]:
    return list(dict.fromkeys(style.texts(part, name)))


def _draw(axes: Axes, place: tuple[int, int], cell: Cell, plan: Plan) -> None:
    (x, y), down, line = place, -1 if plan.upwards else 1, plan.line
    axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=cell.face, edgecolor=PAPER, linewidth=line, gid=cell.kind))
    for offset, text, points_, gid in cell.figures:
        how = {"ha": "center", "va": "center_baseline", "color": style.ink_on(cell.face), **dict(cell.more)}
        how |= {"fontweight": "bold"} if points_ > HEADING else {}
        axes.text(x, y + down * offset, text, fontsize=points_, gid=gid, **how)


def _per_cell(frame: pd.DataFrame, value: str) -> str:
    """Number of observations per cell that has a value."""
    return f"{counted(list(column(frame, 'n')[np.isfinite(column(frame, value))]))} per cell"


def _against_even(row: pd.Series, scale: Scale) -> tuple[bool, Any, str]:
    """Whether the interval of a share includes one half, and the colour and kind of its cell."""
    even = not (row["low"] > EVEN or row["high"] < EVEN)
    return even, style.pale(scale.of(row["estimate"]), PALE if even else 1.0), "pale" if even else "cell"


@style.form("name", "opponent_name", "estimate", "low", "high", "n")
def heatmap(frame: pd.DataFrame) -> Figure:
    """Win rate of each row's entrant against each column's, rows and columns sorted by strength.

    frame: name, opponent_name, estimate, low, high (shares 0..1; nan or absent if never played), n. Cells whose interval includes
    one half are pale, with muted figures. Rates beyond LIMITS get the colour of the end.
    """
    frame = frame.assign(
        row=style.texts(frame, "name"), column=style.texts(frame, "opponent_name"), estimate=column(frame, "estimate")
    )
    frame = frame[frame["row"] != frame["column"]] if (frame["row"] != frame["column"]).any() else frame.assign(estimate=np.nan)
    means = frame.groupby("row")["estimate"].mean().reindex(list(dict.fromkeys([*frame["row"], *frame["column"]])))
    means = means.sort_values(ascending=False, kind="stable")
    ends = (f"\u2264{100 * LIMITS[0]:.0f}", "50", f"\u2265{100 * LIMITS[1]:.0f}")
    scale = Scale(DIVERGING, LIMITS, ends, "row wins, in % of its games")

    def look(row: pd.Series, full: bool) -> Cell:
        if np.isnan(row["estimate"]):
            return Cell(BAND if row["row"] == row["column"] else PAPER, "blank")
        even, face, kind = _against_even(row, scale)
        rate = (-0.16 * full, f"{100 * row['estimate']:.0f}", BODY + 1 if full else SMALL, "rate")
        between = (0.22, percent_range(row["low"], row["high"], 0), FIGURES, "range")
        return Cell(face, kind, (rate, between) if full else (rate,), (("color", style.SUBDUED),) if even else ())

    def note(full: bool) -> str:
        words = f"below each rate its {SURE} interval; pale: it includes 50; "
        return (words if full else f"pale: the {SURE} interval includes 50; ") + _per_cell(frame, "estimate")

    texts = [f"{100 * mean:.1f}" if np.isfinite(mean) else "" for mean in means]
    words = Words(note, ("rows against columns", ""), "mean", texts)
    order = (list(means.index), list(means.index))
    return _cells([("", frame)], Plan(0.34, 0.56, 0.95, (0.34, 0.45)), look, scale, words, order)


@style.form("row", "column", "value", "n", given=("panels", "shade"))
def matrix(
    frame: pd.DataFrame,
    *,
    panels: str | None = None,
    shade: str = "value",
    limits: tuple[float, float] = (0.0, 1.0),
    label: str = "share",
    what: str = "games",
) -> Figure:
    """Cells of shares by row and column, both in the order given; one panel per value of `panels`, if given.

    frame: row, column, value (share 0..1, nan: blank), n (observations of `below`; nan: no sample); optionally below (a second
    share, shown if cells are wide enough). shade: column for the colour, limits: its ends, label: its words. what: noun for
    what n counts.
    """
    scale = Scale(DIVERGING, limits, tuple(decimal(100 * end, 0) for end in np.linspace(*limits, 3)), label)
    frame = frame.assign(**{name: column(frame, name) for name in dict.fromkeys(("value", "below", "n", shade))})

    def look(row: pd.Series, full: bool) -> Cell:
        if np.isnan(row["value"]):
            return BLANK
        two = full and np.isfinite(row["below"])
        figures = ((-0.17 * two, _exactly(row["value"], full), BODY if full else FIGURES, "value"),)
        figures += ((0.22, _exactly(row["below"], full), FIGURES, "below"),) if two else ()  # type: ignore[assignment]
        return Cell(scale.of(row[shade]) if np.isfinite(row[shade]) else BAND, "cell", figures)

    def note(full: bool) -> str:
        if not np.isfinite(frame["n"]).any():
            return f"In % of the {style.clean(what)}"
        sample = f"{counted(list(frame['n']))} {style.clean(what)}"
        two = full and np.isfinite(frame["below"]).any()
        return f"Upper figure: exact; lower: simulated, {sample} in each cell" if two else f"In each cell: {sample}"

    plan = Plan(0.21, 0.5, 0.95, (0.2, 0.36), 1.5, 1.0, upright=True, abreast=True)
    return _cells(style.panels(frame, panels), plan, look, scale, Words(note))


def _exactly(share: float, full: bool) -> str:
    """Write a share in per cent; values close to 0 or 100 are not rounded to these."""
    digits = 1 if full else 0
    least = 0.005 / 10**digits
    if share == 0 or share >= 1 - 1e-12:
        return "100" if share else "0"
    if share < least:
        return f"<{10.0**-digits:.{digits}f}"
    return f">{100 - 10.0**-digits:.{digits}f}" if share > 1 - least else f"{100 * share:.{digits}f}"


@style.form("row", "column", "estimate", "low", "high", "n")
def grid(frame: pd.DataFrame, *, panels: str | None = None, label: str = "share of the games, in %") -> Figure:
    """Cells of estimates by row and column, both in order of appearance; one panel per value of `panels`, if given.

    frame: row, column, estimate, low, high (shares 0..1; nan: blank), n. label: words for the colours.
    """
    rates = column(frame, "estimate")
    # The scale ends at the first of these that covers all shares, so that small shares differ in colour too.
    most = next((end for end in (0.1, 0.25, 0.5) if np.nanmax([*rates, 0.0]) <= end), 1.0)
    scale = Scale(style.SEQUENTIAL, (0.0, most), tuple(f"{100 * end:g}" for end in (0, most / 2, most)), label)
    close = bool(((rates < 0.0995) | (rates > 1 - 0.0995)).any())  # then all shares get one more decimal

    def look(row: pd.Series, full: bool) -> Cell | None:
        if not np.isfinite(row["estimate"]):
            return None
        digits = int(close and full)
        rate = (-0.15 * full, f"{100 * row['estimate']:.{digits}f}", BODY + 1 if full else SMALL, "rate")
        between = (0.24, percent_range(row["low"], row["high"], digits), FIGURES, "range")
        return Cell(scale.of(row["estimate"]), "cell", (rate, between) if full and np.isfinite(row["low"]) else (rate,))

    def note(full: bool) -> str:
        words = f"Below each share its {SURE} interval; " if full else ""
        return words + _per_cell(frame, "estimate")

    plan = Plan(0.34, 0.62, 1.1, (0.4, 0.4), 1.9, missing=None)
    return _cells(style.panels(frame, panels), plan, look, scale, Words(note))


@style.form("row", "column", "value", "sure", "n")
def terms(frame: pd.DataFrame, *, label: str = "points", corner: str = "") -> Figure:
    """Cells by row and column, in order of appearance, on a diverging scale around zero.

    frame: row, column, value (share: 0.03 is 3 points; nan or absent if there is none), sure (whether it is significant), n.
    Cells that are not significant are grey; the diagonal is blank. label: words for the colours; corner: explanation of rows and
    columns. The scale ends at the next round number above the largest significant term.
    """
    rows = _names(frame, "row")
    columns = sorted(_names(frame, "column"), key=lambda name: rows.index(name) if name in rows else len(rows))
    largest = np.nanmax([*abs(column(frame[frame["sure"].astype(bool)], "value")), 0.0])
    most = next((end for end in (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5) if largest <= end), 1.0)
    scale = Scale(DIVERGING, (-most, most), (f"{MINUS}{100 * most:g}", "0", f"+{100 * most:g}"), label)

    def look(row: pd.Series, full: bool) -> Cell:
        value, sure = float(row["value"]), bool(row["sure"])
        if np.isnan(value):
            return Cell(PAPER, "blank")
        figures = ((0.0, points(value), SMALL, "value"),) if full or sure else ()
        more = (("fontweight", "bold"),) if sure else (("color", style.SUBDUED),)
        return Cell(scale.of(value) if sure else BAND, "cell" if sure else "grey", figures, more)

    plan = Plan(0.3, 0.36, 0.75, (0.31, 0.31), 1.6, missing=Cell(PAPER, "blank"))
    words = Words(lambda _: f"Grey: may be chance; {_per_cell(frame, 'value')}", (corner, ""))
    return _cells([("", frame)], plan, look, scale, words, (rows, columns))
