"""Charts of estimates and differences with their intervals, one row each.

Every form lists its plots and columns of text; `layout.rows` places them. Orange is surely above, blue surely below.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.answer.numbers import DASH, THIN, as_written, count, counted, number, percent, percent_range, points
from analysis.answer.verdicts import FAIR, OPEN, TOO_STRONG, TOO_WEAK
from analysis.answer.verdicts import band as band_words
from analysis.charts import layout, style
from analysis.charts.layout import (
    RATE,
    Entry,
    Plot,
    Rows,
    Words,
    count_words,
    interval_words,
    room_around,
    rows,
    sure_key,
    surely,
)
from analysis.charts.style import BLUE, BODY, FAINT, HAIR, HEADING, INK, MUTED, PAPER, SMALL, STRONG, SURE, WEAK, column, fit
from analysis.stats.intervals import FAIR_BAND

NARROW, NARROW_NAME = 3.9, 1.4  # inches: width of a sheet for a phone, and of its names
LEAST = 0.01  # half of the narrowest scale
APART = 0.17  # of a row: distance of its two marks from the middle
BAR = 0.64  # of a row
PAIR = (BLUE, style.AMBER)
ENDS = ("", "_low", "_high")
PAIRED = tuple(f"{name}{end}" for name in ("first", "second") for end in ENDS)
BEFORE_AND_AFTER = {f"{place}{end}": f"{when}{end}" for place, when in (("first", "before"), ("second", "after")) for end in ENDS}
BEFORE_AND_AFTER |= {"change_low": "low", "change_high": "high"}
HOLLOW: dict[str, Any] = {"marker": "D", "color": MUTED, "markerfacecolor": PAPER, "markersize": 4}
MARKS: dict[str, tuple[str, dict[str, Any]]] = {  # verdict -> words and mark
    TOO_STRONG: (TOO_STRONG, {"color": STRONG}),
    TOO_WEAK: (TOO_WEAK, {"color": WEAK}),
    FAIR: (FAIR, {"color": INK}),
    OPEN: (OPEN, {"color": MUTED, "markerfacecolor": PAPER}),
    "": ("no fair share", {"color": INK}),
}


def estimates(
    axes: Axes,
    values: Sequence[np.ndarray],
    colours: Any,
    *,
    faces: Any = None,
    places: np.ndarray | None = None,
    gids: tuple[str, str] = ("interval", "estimate"),
    line: float = 1.6,
    **mark: Any,
) -> None:
    """Draw a dot with its interval per row. values: estimates (nan: no dot), low and high ends; colours, faces: by row."""
    value, low, high = values
    known = np.isfinite(value)
    y = (np.arange(len(value)) if places is None else places)[known]
    edges = np.broadcast_to(colours, value.shape)[known]
    fills = edges if faces is None else np.broadcast_to(faces, value.shape)[known]
    axes.hlines(y, low[known], high[known], color=list(edges), linewidth=line, zorder=2, gid=gids[0])
    how = {"s": 24, "zorder": 4, "gid": gids[1], "facecolor": list(fills), "edgecolor": list(edges), **mark}
    axes.scatter(value[known], y, **how)


def pale_dots(axes: Axes, values: Sequence[np.ndarray], colour: str) -> None:
    """Draw dots on broad pale intervals, for estimates that need no verdict."""
    value, low, high = values
    known, y = np.isfinite(value), np.arange(len(value))
    sure = known & np.isfinite(low) & np.isfinite(high)
    axes.hlines(y[sure], low[sure], high[sure], color=colour, alpha=0.45, linewidth=4.5, zorder=2, gid="interval")
    axes.scatter(value[known], y[known], s=34, color=colour, zorder=3, edgecolor="white", linewidth=0.6, gid="dot")


def _columns(part: pd.DataFrame, *names: str) -> list[np.ndarray]:
    return [column(part, name) for name in names]


def _sure(part: pd.DataFrame, low: str = "low", high: str = "high") -> np.ndarray:
    """Whether each difference is significant: from the frame, else by its interval."""
    return part["sure"].to_numpy(bool) if "sure" in part.columns else (column(part, low) > 0) | (column(part, high) < 0)


def _line_at(axes: Axes, place: float, gid: str, band: tuple[float, float] | None = None) -> None:
    """Draw the vertical line that estimates are compared with, and the pale band around it."""
    if band:
        axes.axvspan(*band, color=style.BAND, linewidth=0, zorder=0, gid="band")
    axes.axvline(place, color=MUTED, linewidth=0.8, zorder=1, gid=gid)


def _two(axes: Axes, part: pd.DataFrame, colours: Any, faces: Any = None) -> None:
    """Draw the estimates, and, hollow below them, the second ones in columns other, other_low, other_high."""
    value, other = column(part, "estimate"), column(part, "other")
    middle = np.arange(len(part)).astype(float)
    two = np.isfinite(other)
    values = _columns(part, "estimate", "low", "high")
    estimates(axes, values, colours, faces=faces, places=middle - APART * bool(two.any()))
    if two.any():
        how = {"s": 15, "marker": "D", "linewidth": 0.9, "zorder": 3, "edgecolor": MUTED}
        places = middle + APART * np.isfinite(value)
        seconds = _columns(part, "other", "other_low", "other_high")
        estimates(axes, seconds, FAINT, faces=PAPER, places=places, gids=("other interval", "other"), line=1.2, **how)


def _verdicts(axes: Axes, part: pd.DataFrame) -> None:
    looks = [MARKS.get(verdict, MARKS[""])[1] for verdict in part["verdict"]]
    faces = np.array([look.get("markerfacecolor", look["color"]) for look in looks])
    _two(axes, part, np.array([look["color"] for look in looks]), faces)


@style.form(
    "name",
    "estimate",
    "low",
    "high",
    "n",
    "fair",
    "verdict",
    given=("panels",),
    default={"seats": "", "fair": np.nan, "verdict": ""},
)
def forest(frame: pd.DataFrame, *, panels: str = "seats", band: float = FAIR_BAND, narrow: bool = False) -> Figure:
    """Win rates with intervals, sorted, one panel per value of `panels`.

    frame: `panels`, name, estimate, low, high (shares 0..1), n, fair (share; nan in a game for one), verdict ("too
    strong", "too weak", "fair", "not decided", or "" without a fair share). Rows without an estimate come last.
    Every panel is centred on its fair share and all have the same scale, so that the fair lines are aligned down the page.
    band: half-width of the pale band, relative to the fair share. narrow: for a phone, without columns of intervals and games.
    """
    order: dict[str, Any] = {"ascending": False, "na_position": "last", "kind": "stable"}
    parts = [(value, part.sort_values("estimate", **order)) for value, part in style.groups(frame, panels)]
    far = [0.01]
    for _, part in parts:
        centre = _centre(part)
        far += [1.6 * band * centre, *(end for name in ("low", "high") for end in abs(column(part, name) - centre))]
    reach = 1.06 * float(np.nanmax(far))

    def draw(axes: Axes, part: pd.DataFrame) -> None:
        fair = _centre(part)
        if np.isfinite(column(part, "fair")).any():
            _line_at(axes, fair, "fair", (fair * (1 - band), fair * (1 + band)))
        _verdicts(axes, part)
        layout.share_ticks(axes, (fair - reach, fair + reach))

    key = [MARKS[verdict] for verdict in MARKS if verdict in set(frame["verdict"])]
    if np.isfinite(column(frame[frame["verdict"] == ""], "fair")).any():
        key[-1] = ("win rate", MARKS[""][1])  # rows without a verdict despite a fair share
    shares = [_centre(part) for _, part in parts if np.isfinite(column(part, "fair")).any()]
    if shares:
        ends = ", ".join(dict.fromkeys(band_words(share, band) for share in shares))
        key.append((f"pale: fair band, {ends}", {"marker": "s", "color": style.BAND, "markersize": 8}))
    rate = Words("win rate", RATE, ("estimate",), percent, strong=True)
    cells: list[Words | Plot] = [Plot(draw), rate, *([] if narrow else [interval_words(), count_words()])]
    look = Rows(0.205, known="estimate", missing="no games", heading=style.seats_heading)
    look = replace(look, width=NARROW, widest=NARROW_NAME) if narrow else replace(look, widest=2.6)
    return rows(parts, cells, key=key, look=look)


def _centre(part: pd.DataFrame) -> float:
    """Fair share of a panel, or, without one, the middle of its rates."""
    for name in ("fair", "estimate"):
        values = column(part, name)
        if np.isfinite(values).any():
            return float(np.nanmin(values) + np.nanmax(values)) / 2
    return 0.5


@style.form("name", "estimate", "low", "high", "n", "verdict")
def ranked(
    frame: pd.DataFrame,
    *,
    words: Sequence[str] = ("estimate", "second estimate"),
    band: tuple[float, float] | None = (0.45, 0.55),
) -> Figure:
    """Shares with intervals in the order of the frame; all panels have one scale.

    frame: name, estimate, low, high (shares 0..1; nan if there is none), n, verdict (as in `forest`); optionally panel (its
    heading), and other, other_low, other_high: a second estimate, drawn hollow below the first. words: names of the
    two. band: ends of the pale band around one half, None for none.
    """
    judged = set(frame[np.isfinite(column(frame, "estimate"))]["verdict"])
    key = [entry for verdict, entry in MARKS.items() if verdict and verdict in judged]
    if band:
        key.append((f"fair band, {percent_range(*band, 0)}{THIN}%", {"marker": "s", "color": style.BAND, "markersize": 8}))

    def draw(axes: Axes, part: pd.DataFrame) -> None:
        _line_at(axes, 0.5, "fair", band)
        _verdicts(axes, part)
        layout.share_ticks(axes, _span(frame, (0.5, *(band or ()))))

    both: list[Entry] = [(f"upper: {words[0]}", {"color": MUTED}), (f"lower: {words[1]}", HOLLOW)]
    return _compared(frame, Plot(draw), words, percent, [key, both], [interval_words(), count_words()])


@style.form("name", "estimate", "low", "high", "n", "sure")
def twofold(
    frame: pd.DataFrame,
    *,
    words: Sequence[str] = ("effect", "association"),
    label: str = "difference of the win rate, points",
    what: str = "games",
) -> Figure:
    """Differences with intervals in the order of the frame; second differences, if any, hollow below the first.

    frame: name, estimate, low, high (differences of shares; nan: no mark), n, sure (significant: coloured); optionally other,
    other_low, other_high. words: names of the two; label: words for the scale; what: noun for what n counts.
    """

    def draw(axes: Axes, part: pd.DataFrame) -> None:
        _line_at(axes, 0, "zero")
        _two(axes, part, surely(column(part, "estimate"), _sure(part)))
        axes.set_xlim(*_span(frame, (0.0,)))
        layout.point_ticks(axes.xaxis)

    def between(low: float, high: float) -> str:
        return f"{points(low)} to {points(high)}" if low <= high else ""

    interval = Words(f"{SURE} interval", 1.0, ("low", "high"), between)
    key = [sure_key(f"{words[0]}: surely above zero", "surely below"), [(words[1], HOLLOW)]]
    return _compared(frame, Plot(draw), ("points", "hollow"), points, key, [interval, count_words(what)], label)


def _compared(
    frame: pd.DataFrame,
    plot: Plot,
    headings: Sequence[str],
    write: Callable[[float], str],
    keys: Sequence[list[Entry]],
    others: Sequence[Words],
    note: str = "",
) -> Figure:
    """Rows with a first estimate and, if the frame has any, a second one. keys: legend, and what second estimates add to it."""
    two = bool(np.isfinite(column(frame, "other")).any())
    wide = [max(RATE, style.words_column([heading], SMALL, 1.0) + 0.1) for heading in headings]
    first = Words(headings[0], wide[0], ("estimate",), write, strong=True, gid="rate")
    second = Words(headings[1], wide[1], ("other",), write, always=True)
    cells: list[Words | Plot] = [plot, *[second][:two], first, *others]
    return rows(style.panels(frame, "panel"), cells, key=[*keys[0], *keys[1][: 2 * two]], note=note, look=Rows(known="estimate"))


def _span(frame: pd.DataFrame, include: Sequence[float]) -> tuple[float, float]:
    """Ends of a scale for both estimates with their intervals."""
    return room_around(_columns(frame, "estimate", "low", "high", "other", "other_low", "other_high"), include, least=LEAST)


@style.form("name", "estimate", "low", "high", "n", given=("panel",), default={"panel": "", "n": np.nan})
def dots(frame: pd.DataFrame) -> Figure:
    """One panel per quantity, up to three in a row, with a dot, interval and figure per name.

    frame: panel, name, estimate, low, high (at least 0; nan: no dot, or no interval), n. Names are in the order of the first
    panel, and every scale begins at zero.
    """
    parts = style.groups(frame, "panel")
    names = list(dict.fromkeys(frame["name"].astype(str)))
    across = min(3, len(parts))
    left, row = style.words_column(names, BODY, 1.5 if across > 1 else 3.0) + 0.12, 0.21
    grid = layout.Grid(head=0.42, foot=0.26, left=left, gap=0.24, right=0.42, note=0.2)
    sheet, drawn = layout.panel_grid(parts, across, row * len(names), grid, heading=lambda _: "")
    for index, ((title, _), (axes, part, (x, top, width))) in enumerate(zip(parts, drawn, strict=True)):
        lines = style.broken(str(title), width + 0.42, HEADING, 2)
        for line, words in enumerate(reversed(lines)):
            text = fit(words, width + 0.42, HEADING)
            sheet.text(x, top - 0.12 - 0.15 * line, text, fontsize=HEADING - 0.5, fontweight="bold", gid="panel")
        found = part.assign(name=part["name"].astype(str)).drop_duplicates("name").set_index("name").reindex(names)
        values = _columns(found, "estimate", "low", "high")
        axes.hlines(np.arange(len(names)), 0, np.nan_to_num(values[0]), color=HAIR, linewidth=1.0, zorder=1, gid="stem")
        pale_dots(axes, values, BLUE)
        axes.set_xlim(0, 1.06 * max(np.nan_to_num([*values[0], *values[2]]).max(), 0.0) or 1.0)
        layout.number_ticks(axes.xaxis, 4)
        axes.tick_params(axis="x", pad=2)
        layout.row_lines(axes, len(names))
        for at, (name, estimate) in enumerate(zip(names, values[0], strict=True)):
            y, known = top + row * (at + 0.5), bool(np.isfinite(estimate))
            if index % across == 0:
                sheet.text(0, y, fit(name, left - 0.1, BODY), gid="name")
            ink, words = (INK, _short(estimate)) if known else (MUTED, DASH)
            sheet.text(x + width + 0.42, y, words, ha="right", fontsize=SMALL, color=ink, gid="figure")
    return sheet.close(left, f"Lines: {SURE} intervals; {counted(list(column(frame, 'n')))} each")


def _short(value: float) -> str:
    """Write a number with at most three significant digits."""
    return number(round(value)) if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


@style.form("group", "name", "estimate", "low", "high", "change", "n", "own", "sure", given=("panel",))
def choices(frame: pd.DataFrame) -> Figure:
    """A dot with its interval per choice, in groups; in panels with one scale.

    frame: panel, group, name (of a choice within its group), estimate, low, high (win rates 0..1), change (from the entrant's
    own choice), n, own (whether it is the entrant's own: a diamond, and a vertical line), sure (significant change: coloured).
    Rows keep their order; a group is named in its first row.
    """
    parts = style.groups(frame, "panel")
    limits = room_around(_columns(frame, "low", "high"), least=LEAST)

    def draw(axes: Axes, part: pd.DataFrame) -> None:
        own, change = part["own"].to_numpy(bool), column(part, "change")
        for rate in column(part, "estimate")[own]:
            axes.axvline(rate, color=FAINT, linewidth=0.8, linestyle=(0, (3, 2)), zorder=0.7, gid="own-line")
        colours = np.where(own, INK, surely(change, _sure(part)))
        for chosen, marker, gid in ((own, "D", "own"), (~own, "o", "choice")):
            values = [np.where(chosen, value, np.nan) for value in _columns(part, "estimate", "low", "high")]
            estimates(axes, values, colours, gids=("interval", gid), marker=marker)
        layout.share_ticks(axes, limits)

    named = []
    for value, part in parts:
        groups = part["group"].astype(str).to_numpy()
        begins = np.append(True, groups[1:] != groups[:-1])
        same = np.where(part["own"].to_numpy(bool), np.nan, column(part, "change"))
        named.append((value, part.assign(group=np.where(begins, groups, ""), begins=begins, change_words=same)))
    cells: list[Words | Plot] = [
        Plot(draw),
        Words("win rate", RATE, ("estimate",), percent, strong=True),
        Words("change", RATE, ("change_words",), lambda change: points(change) if np.isfinite(change) else "own"),
        count_words(),
    ]
    key: list[Entry] = [("its own", {"color": INK, "marker": "D", "markersize": 4.5})]
    key += sure_key("surely better than its own", "surely worse")
    look = Rows(0.2, 1.75, begins="begins", group="group")
    return rows(named, cells, key=key, note=f"Lines: {SURE} intervals", look=look)


# Colour, offset in the row and words of a step down (-1) and up (+1). The colours differ from those for above and below even.
STEPS = {-1: (style.PURPLE, -0.21, "one step down"), 1: (style.GREEN, 0.21, "one step up")}


@style.form("field", "step", "change", "low", "high", "n", instead={"field": "words label path"})
def tornado(frame: pd.DataFrame, *, most: int = 12, unit: str = "points") -> Figure:
    """Change of a win rate per field, one step down and one step up, largest first; one panel per name.

    frame: name (optional: one panel without it), field, step (-1 or +1), change, low, high, n; optionally value (new value of
    the number, shown at the bar) and sure (whether the change is significant). unit: of the changes; "points" takes shares (0.03
    is 3 points), others ("turns") plain numbers. most: fields per panel; the note counts the rest. Bars that are not significant,
    by default those whose interval includes zero, are pale.
    """
    times, least = (1.0, 0.005) if unit == "points" else (0.01, 0.05)  # a point is a hundredth
    low, high, change = _columns(frame, "low", "high", "change")
    reach = 1.08 * max(float(np.nanmax(np.abs([*low, *high, *change, 0.0]))), least)
    digits = 1 if unit == "points" or reach > 3 else 2
    pale = "may be chance" if "sure" in frame.columns else "the interval includes no change"
    exact = (low == high) & (low == change) & (abs(change) > 1e-12)
    sure = _sure(frame) | (exact & ("sure" not in frame.columns))
    values = frame["value"].map(as_written) if "value" in frame.columns else ""
    frame = frame.assign(field=frame["field"].astype(str), sure=sure, value=values)

    def written(change: float) -> str:
        return points(times * change, digits) if np.isfinite(change) else ""

    def arrow(value: str) -> str:
        return f"\u2192{THIN}{fit(value, 0.25, style.FIGURES)}" if value not in ("", "nan") else ""

    def draw(axes: Axes, part: pd.DataFrame) -> None:
        for step, (colour, offset, _) in STEPS.items():
            change, low, high, sure = _columns(part, *(f"{name}{step}" for name in ("change", "low", "high", "sure")))
            for row in np.flatnonzero(np.isfinite(change)):
                face, ink = (colour, INK) if sure[row] else (style.pale(colour, 0.3), MUTED)
                axes.barh(row + offset, change[row], height=0.36, color=face, linewidth=0, gid="bar" if sure[row] else "pale")
                axes.hlines(row + offset, low[row], high[row], color=ink, linewidth=0.9, zorder=3, gid="interval")
        axes.axvline(0, color=INK, linewidth=0.8, zorder=2)
        axes.set_xlim(-reach, reach)
        layout.point_ticks(axes.xaxis, times, 9)

    parts, hidden = [], 0
    for value, part in style.panels(frame, "name"):
        size = part["change"].astype(float).abs().fillna(0).groupby(part["field"], sort=False).max()
        fields = size.sort_values(ascending=False, kind="stable").index[:most]
        steps = [part[part["step"] == step].drop_duplicates("field").set_index("field").add_suffix(str(step)) for step in STEPS]
        parts.append((value, pd.concat([step.reindex(fields) for step in steps], axis=1).assign(name=fields)))
        hidden = max(hidden, len(size) - len(fields))
    look: dict[int, dict[str, Any]] = {step: {"size": style.FIGURES, "down": offset} for step, (_, offset, _) in STEPS.items()}
    cells: list[Words | Plot] = [
        Plot(draw),
        Words("", 0.0, ("value1",), arrow, "left", text=True, gid="value", **look[1]),
        Words("", 0.3, ("value-1",), arrow, "left", text=True, gid="value", **look[-1]),
        Words(f"change in {unit}", 0.34, ("change-1",), written, gid="change", **look[-1]),
        Words("", 0.0, ("change1",), written, gid="change", **look[1]),
    ]
    note = f"Whiskers: {SURE} intervals; pale: {pale}; {counted(list(column(frame, 'n')))} per step"
    note += f"; {hidden} fields with smaller changes not shown" if hidden else ""
    key = layout.squares({words: colour for colour, _, words in STEPS.values()})
    return rows(parts, cells, key=key, note=note, look=Rows(0.3, 3.0))


@style.form("name", *PAIRED, "n", instead=BEFORE_AND_AFTER)
def dumbbell(
    frame: pd.DataFrame,
    *,
    words: Sequence[str] = ("first", "second"),
    label: str = "share",
    change: str = "difference of the win share, points",
    what: str = "games",
    shares: bool = True,
) -> Figure:
    """Two dots with intervals per row, in the order given; if the frame has a change, a dot for it in a panel beside.

    frame: name, first, first_low, first_high, second, second_low, second_high (nan: no dot; shares, unless `shares` is false), n;
    optionally change, change_low, change_high (likewise) and sure (significant; by default, if the interval excludes zero).
    words: names of the two dots; label, change: words for the two scales; what: noun for what n counts.
    """
    every = np.concatenate(_columns(frame, *PAIRED))
    known = every[np.isfinite(every)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    low = min(low, 0.0) if low < 1.5 * (high - low) else low  # the scale includes zero if it is near
    reach = (high - low) or 0.1

    def pairs(axes: Axes, part: pd.DataFrame) -> None:
        ends = np.array(_columns(part, "first", "second"))
        both = np.flatnonzero(np.isfinite(ends).all(axis=0))
        axes.hlines(both, *ends[:, both], color=FAINT, linewidth=1.2, zorder=1, gid="way")
        for name, colour in zip(("first", "second"), PAIR, strict=True):
            pale_dots(axes, _columns(part, name, f"{name}_low", f"{name}_high"), colour)
        axes.set_xlim(low - 0.03 * reach, high + 0.06 * reach)
        layout.number_ticks(axes.xaxis)
        if shares:
            style.percent_axis(axes.xaxis, layout.digits_of(100 * axes.get_xticks(), 1))

    def changes(axes: Axes, part: pd.DataFrame) -> None:
        values = _columns(part, "change", "change_low", "change_high")
        seen = np.isfinite(values[0])
        _differences(axes, values, surely(values[0], _sure(part, "change_low", "change_high")), "change", " nothing to compare")
        axes.set_xlim(*room_around([value[seen] for value in values[1:]], (0.0,), 0.06, 0.0))
        layout.point_ticks(axes.xaxis, 1.0 if shares else 0.01, 5)

    key: list[Entry] = [(word, {"color": colour}) for word, colour in zip(words, PAIR, strict=True)]
    cells: list[Words | Plot] = [Plot(pairs, label, 0.56, 0.28 * ("change" in frame.columns))]
    if "change" in frame.columns:
        cells.append(Plot(changes, change, 0.44))
        key += sure_key("difference surely above zero", "surely below")
    return rows([("", frame)], [*cells, count_words(what)], key=key, note=f"Bars: {SURE} intervals", look=Rows(0.27))


def _differences(axes: Axes, values: Sequence[np.ndarray], colours: np.ndarray, gid: str, missing: str) -> None:
    """Draw differences with intervals around a line at zero. missing: words in rows without one."""
    axes.axvline(0, color=FAINT, linewidth=0.8, zorder=1, gid="zero")
    estimates(axes, values, colours, gids=("interval", gid))
    for row in np.flatnonzero(np.isnan(values[0])).tolist():
        axes.text(0, row, missing, va="center_baseline", fontsize=SMALL, color=MUTED)


@style.form("name", "change", "low", "high", "n", instead={"change": "worth"})
def gains(
    frame: pd.DataFrame,
    *,
    price: str = "price",
    unit: str = "",
    counts: tuple[str, str] = ("seats", "Seats: games of those that had it."),
    bars: bool = False,
) -> Figure:
    """A dot with its interval per row: the difference of the win shares, and beside it the same per unit of price.

    frame: name, change, low, high (differences of shares, -1..1), n (with the thing); optionally price (nan or 0: no dot at the
    right), sure (significant; by default, if the interval excludes zero) and panel (rows are grouped below its heading; all
    panels have one scale). Rows keep their order. price, unit: words for the price and its unit, e.g. price and gold. counts:
    noun for what n counts, and a sentence on it. bars: draw bars from zero to each dot.
    """

    def plot(heading: str, priced: bool) -> Plot:
        def values(part: pd.DataFrame) -> list[np.ndarray]:
            paid = column(part, "price")
            return [
                value / np.where(paid > 0, paid, np.nan) if priced else value for value in _columns(part, "change", "low", "high")
            ]

        def draw(axes: Axes, part: pd.DataFrame) -> None:
            colours, shown = surely(column(part, "change"), _sure(part)), values(part)
            known = np.flatnonzero(np.isfinite(shown[0]))
            if bars:
                faces = [style.pale(colour, 0.3) for colour in colours[known]]
                axes.barh(known, shown[0][known], height=BAR, color=faces, linewidth=0, zorder=0.8, gid="bar")
            _differences(axes, shown, colours, "dot", " no games to compare")
            axes.set_xlim(*limits)
            layout.point_ticks(axes.xaxis)

        every = values(frame)
        limits = room_around([value[np.isfinite(every[0])] for value in every[1:]], (0.0,), least=0.0)
        return Plot(draw, heading, after=0.25 * paid * (not priced))

    paid = bool(np.isfinite(column(frame, "price")).any())
    cells: list[Words | Plot] = [Words(price, 0.5, ("price",), number, after=0.14)] if paid else []
    cells.append(plot("difference of the win share, points", False))
    cells += [plot(f"the same per {unit or price}, points", True)] if paid else []
    key = sure_key("surely more wins with it", "surely fewer")
    note = f"{'Lines' if bars else 'Bars'}: {SURE} intervals. {counts[1]}"
    parts = style.panels(frame, "panel")
    return rows(parts, [*cells, count_words(counts[0])], key=key, note=note, look=Rows(0.205, 1.7))


@style.form("name", "estimate", "low", "high", "n", "sure", "whole")
def halves(frame: pd.DataFrame, *, label: str = "wins") -> Figure:
    """Bars from one half to each share, with intervals; rows in the order given, total rows first and bold.

    frame: name, estimate, low, high (shares 0..1; nan: no games), n, sure (significantly different from one half: coloured),
    whole (whether the row is a total). label: what the shares are of.
    """
    ordered = frame.sort_values("whole", ascending=False, kind="stable")
    whole = ordered["whole"].to_numpy(bool)
    far = abs(np.array(_columns(frame, "estimate", "low", "high")) - 0.5)[:, np.isfinite(column(frame, "estimate"))]
    reach = 1.05 * float(np.nanmax([0.03, *far.ravel()]))

    def draw(axes: Axes, part: pd.DataFrame) -> None:
        estimate, low, high = _columns(part, "estimate", "low", "high")
        colours = np.where(~part["sure"].to_numpy(bool), FAINT, np.where(estimate > 0.5, STRONG, WEAK))
        known = np.flatnonzero(np.isfinite(estimate))
        faces = [style.pale(colour, 0.75) for colour in colours[known]]
        axes.barh(known, estimate[known] - 0.5, left=0.5, height=BAR, color=faces, gid="bar")
        axes.hlines(known, low[known], high[known], color=INK, linewidth=1.2, zorder=3, gid="interval")
        axes.axvline(0.5, color=INK, linewidth=0.9, zorder=2, gid="half")
        layout.share_ticks(axes, (0.5 - reach, 0.5 + reach))
        axes.grid(axis="x", color=HAIR)

    rate = Words(label, max(RATE, style.width_of(label, SMALL) + 0.1), ("estimate",), percent, strong=True, bold="whole")
    return rows(
        [("", ordered.assign(whole=whole, begins=np.append(False, whole[:-1] & ~whole[1:])))],
        [Plot(draw), rate, interval_words(), count_words()],
        key=sure_key("above one half", "below", grey=FAINT, marker="s"),
        note=f"Bars begin at one half; whiskers: {SURE} intervals",
        look=Rows(widest=2.6, known="estimate", missing="no games", begins="begins", bold="whole"),
    )


@style.form(
    *("name", "elo", "elo_low", "elo_high", "rate", "rate_low", "rate_high", "n"),
    instead={"name": "level"},
    default=dict.fromkeys(("rate", "rate_low", "rate_high"), np.nan),
)
def rungs(frame: pd.DataFrame, *, step: float = 0.6) -> Figure:
    """Levels with their ratings and intervals, the first row of the frame at the bottom.

    frame: name, elo, elo_low, elo_high (points), rate, rate_low, rate_high (win rate against the previous level, shares; nan for
    the first), n (games of these). A rate of `step` or more is bold: a clear step.
    """

    def draw(axes: Axes, part: pd.DataFrame) -> None:
        values = _columns(part, "elo", "elo_low", "elo_high")
        axes.plot(values[0], np.arange(len(part)), color=FAINT, linewidth=1.4, zorder=1, gid="way")
        estimates(axes, values, BLUE, gids=("interval", "dot"), line=1.8, s=34)
        axes.set_xlim(*room_around(values, least=0.05))
        axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda tick, _: count(tick)))
        axes.grid(axis="x", color=HAIR)

    ordered = frame.iloc[::-1].reset_index(drop=True).assign(clear=lambda table: column(table, "rate") >= step)
    rate = Words("beats the one below", 1.2, ("rate",), percent, strong=True, bold="clear", gid="rate")
    cells: list[Words | Plot] = [Plot(draw, "Elo points"), rate, interval_words("rate_low", "rate_high"), count_words()]
    note = f"Dots with {SURE} intervals; bold: a clear step, {percent(step, 0)} or more"
    return rows([("", ordered)], cells, note=note, look=Rows(0.42, 1.6, known="rate"))
