"""Bar charts: shares and amounts from zero, parts of a whole, histograms."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.answer.numbers import DASH, THIN, counted, decimal, number, one_in, percent
from analysis.charts import style
from analysis.charts.layout import RANGE, RATE, Plot, Rows, Words, count_words, rows, squares, sure_key
from analysis.charts.style import BLUE, BODY, FAINT, HAIR, INK, MUTED, PAPER, SMALL, SURE, WIDTH, Sheet, clean, column, fit, pale

LEFT, HEIGHT, GAP = 0.46, 1.9, 0.37  # inches: labels of the y axis, height of a panel, space between panels
BAR = 0.62  # of the space for a bar
LEAST_LABEL = 0.26  # inches: a narrower segment has no figure
REST = "other"  # category drawn last, in grey


def _upright(
    parts: Sequence[pd.DataFrame],
    names: Sequence[str],
    widest: float,
    head: Callable[[pd.DataFrame], tuple[str, ...]],
    draw: Callable[[Axes, pd.DataFrame, np.ndarray, float], None],
    label: str = "",
) -> tuple[Sheet, float]:
    """Vertical bars from zero in panels on one scale, as wide as their bars, with names below; returns the sheet and a height.

    widest: inches per bar; head: lines above a panel, the first its heading; draw: draws a panel, given the bars with an estimate
    and the inches per bar. The height returned is that of the first line of the note.
    """
    slot = min(widest, (WIDTH - LEFT - GAP * (len(parts) - 1)) / len(names))
    lines = [style.broken(name, slot - 0.06, SMALL, 3) for name in names]
    above = 0.2 * bool(label) + max(0.15 * len(head(part)) for part in parts) + (0.2 if label else 0.1)
    note = above + HEIGHT + 0.14 * max(map(len, lines)) + 0.24
    sheet = Sheet(WIDTH, note + 0.06)
    sheet.note(0, 0.04, f"\u2191 {clean(label)}" if label else "")
    ends = [column(part, name) for part in parts for name in ("estimate", "high", "fair")]
    top = max(0.05, min(1.0, 1.13 * float(np.nanmax([*np.concatenate(ends), 0.0]))))
    left, first = LEFT, 0
    for index, part in enumerate(parts):
        for line, words in enumerate(head(part)):
            y = above - (0.22 if label else 0.12) - 0.15 * (len(head(part)) - 1 - line)
            if line:
                sheet.note(left, y, words)
            else:
                sheet.heading(left, y, words, slot * len(part) + GAP)
        axes = sheet.axes(left, above, slot * len(part), HEIGHT)
        estimate, low, high = (column(part, name) for name in ("estimate", "low", "high"))
        known = np.flatnonzero(np.isfinite(estimate))
        axes.set_ylim(0, top)
        axes.vlines(known, low[known], high[known], color=INK, linewidth=1.2, zorder=3, gid="interval")
        draw(axes, part, known, slot)
        axes.set_xlim(-0.5, len(part) - 0.5)
        axes.set_xticks([])
        style.percent_grid(axes)
        axes.tick_params(labelleft=index == 0)
        for place, name in enumerate(lines[first : first + len(part)]):
            for line, words in enumerate(name):
                x, y = left + slot * (place + 0.5), above + HEIGHT + 0.13 + 0.14 * line
                sheet.text(x, y, fit(words, slot - 0.04, SMALL), ha="center", fontsize=SMALL, gid="name")
        left, first = left + slot * len(part) + GAP, first + len(part)
    return sheet, note


@style.form("estimate", "low", "high", "n", "fair", given=("seats", "position"))
def bars(frame: pd.DataFrame) -> Figure:
    """Win rate by position with intervals, one panel per number of seats, all on one scale from zero.

    frame: seats, position (0-based turn position, or words), estimate, low, high, fair (shares 0..1), n.
    A bar is coloured if its interval excludes the fair share.
    """
    parts = [part for _, part in style.groups(frame, "seats")]

    def head(part: pd.DataFrame) -> tuple[str, ...]:
        fair = column(part, "fair")[0]
        words = f"fair share {percent(fair)}" if np.isfinite(fair) else "no fair share"
        return style.seats_heading(part["seats"].iloc[0]), words, f"{counted(list(column(part, 'n')))} each"

    def draw(axes: Axes, part: pd.DataFrame, known: np.ndarray, slot: float) -> None:
        estimate, low, high, fair = (column(part, name) for name in ("estimate", "low", "high", "fair"))
        faces = [pale(style.STRONG if low[at] > fair[at] else style.WEAK if high[at] < fair[at] else FAINT, 0.75) for at in known]
        axes.bar(known, estimate[known], width=BAR, color=faces, gid="bar")
        for at, face in zip(known, faces, strict=True):
            inside = estimate[at] > 0.15 * axes.get_ylim()[1]
            words = percent(estimate[at]) if slot >= 0.5 else f"{100 * estimate[at]:.0f}"
            ink = style.ink_on(face) if inside else INK
            _above(axes, at, 0 if inside else high[at], words, color=ink, fontsize=SMALL)
        for at in np.flatnonzero(np.isnan(estimate)).tolist():
            axes.text(at, 0, "no games", ha="center", va="bottom", rotation=90, fontsize=SMALL, color=MUTED)
        axes.axhline(float(fair[0]), color=INK, linewidth=0.8, linestyle=(0, (4, 2)), zorder=2, gid="fair")

    names = [_ordinal(value) for part in parts for value in part["position"]]
    sheet, y = _upright(parts, names, 0.85, head, draw)
    end = sheet.key(LEFT, y, sure_key("above the fair share", "below it", "its interval includes it", FAINT, marker="s"))
    sheet.note(end, y, f"dashes: fair share   whiskers: {SURE} intervals")
    return sheet.figure


def _above(axes: Axes, x: float, y: float, words: str, **how: Any) -> None:
    axes.annotate(words, (x, y), (0, 4), textcoords="offset points", ha="center", annotation_clip=False, gid="rate", **how)


def _ordinal(value: object) -> str:
    """Write 0-based positions as 1st, 2nd, 3rd...; words unchanged."""
    if isinstance(value, (int, np.integer)):
        return style.ordinal(int(value) + 1)
    return number(value) if isinstance(value, float) else clean(str(value))


@style.form("name", "estimate", "low", "high", "n", instead={"name": "ending category"})
def shares(frame: pd.DataFrame, *, label: str = "share", colour: str = BLUE) -> Figure:
    """Vertical bars from zero, in the order given.

    frame: name, estimate, low, high (shares 0..1; nan: no bar), n (games). label: words for the axis.
    """

    def draw(axes: Axes, part: pd.DataFrame, known: np.ndarray, _slot: float) -> None:
        estimate, high = column(part, "estimate"), column(part, "high")
        axes.bar(known, estimate[known], width=BAR, color=pale(colour, 0.75), gid="bar")
        for at in known:
            over = float(np.nanmax([estimate[at], high[at]]))
            _above(axes, at, over, percent(float(estimate[at])), fontweight="bold", fontsize=BODY)
        for at in np.flatnonzero(np.isnan(estimate)).tolist():
            _above(axes, at, 0, "no cases", color=MUTED, fontsize=BODY)

    sheet, y = _upright([frame], style.texts(frame, "name"), 1.6, lambda _: (), draw, label)
    sheet.note(LEFT, y, f"Whiskers: {SURE} intervals; {counted(list(column(frame, 'n')))} games")
    return sheet.figure


def _segments(axes: Axes, part: pd.DataFrame, colours: dict[str, Any], write: Callable[[float, float], str]) -> None:
    """Draw stacked horizontal bars, negative parts to the left, and write figures into wide segments.

    part: name, category, estimate; rows of the axes in order of appearance of the names. write: figure of a value, given the
    largest end of the scale. The limits of the x axis must be set.
    """
    names = list(dict.fromkeys(part["name"].astype(str)))
    low, high = axes.get_xlim()
    inches = axes.get_window_extent().width / axes.figure.dpi / (high - low)
    ends = {True: np.zeros(len(names)), False: np.zeros(len(names))}  # of the bars to the right and to the left
    for kind, colour in colours.items():
        own = part[part["category"].astype(str) == kind]
        for name, value in zip(own["name"].astype(str), column(own, "estimate"), strict=True):
            row, start = names.index(name), ends[bool(value > 0)]
            if np.isfinite(value) and value != 0:
                axes.barh(row, value, left=start[row], height=0.74, color=colour, edgecolor=PAPER, linewidth=0.7, gid="segment")
                if abs(value) * inches >= LEAST_LABEL:
                    words, ink = write(abs(value), max(high, -low)), style.ink_on(colour)
                    axes.text(start[row] + value / 2, row, words, color=ink, fontsize=SMALL, gid="share", **style.MIDDLE)
                start[row] += value


@style.form("name", "estimate", "n", given=("category",))
def stacked(frame: pd.DataFrame, *, unit: str = "cases", order: Literal["share", "given"] = "share") -> Figure:
    """Horizontal bars of 100 %, one per entrant, divided by category, sorted by the first category or in the order given.

    frame: name, category (drawn in order of appearance), estimate (0..1 of the name's total), n (cases of the name);
    optionally low and high, whose largest half-width the note gives. unit: noun for what n counts.
    """
    frame = frame.assign(
        name=frame["name"].astype(str), category=frame["category"].astype(str), estimate=column(frame, "estimate")
    )
    kinds = list(frame["category"].unique())
    colours = dict(zip(kinds, style.hues(kinds), strict=True))
    square = frame.groupby(["name", "category"], sort=False)["estimate"].last().unstack().fillna(0.0)  # noqa: PD010 - a series
    square = square.loc[list(dict.fromkeys(frame["name"])), kinds]
    counts = frame.groupby("name", sort=False)["n"].last().astype(float).fillna(0.0)
    if order == "share":  # by the first category, then the next; names without cases last
        square = square.assign(none=counts == 0).sort_values(
            ["none", *kinds], ascending=[True, *[False] * len(kinds)], kind="stable"
        )
    names = list(square.index)

    def draw(axes: Axes, _: pd.DataFrame) -> None:
        axes.set_xlim(0, 1)
        _segments(axes, frame.set_index("name").loc[names].reset_index(), colours, lambda share, _: f"{100 * share:.0f}")
        for row in np.flatnonzero(square[kinds].sum(axis=1).to_numpy() == 0).tolist():
            axes.text(0, row, "no cases", va="center_baseline", fontsize=SMALL, color=MUTED)
        axes.set_xticks(style.QUARTERS)
        style.percent_axis(axes.xaxis)

    half = (column(frame, "high") - column(frame, "low")) / 2
    note = ""
    if np.isfinite(half).any():
        note = f"{SURE} intervals extend at most {100 * np.nanmax(half):.1f} points to either side of a share."
    whole = pd.DataFrame({"name": names, "n": [counts[name] for name in names]})
    return rows([("", whole)], [Plot(draw), count_words(unit)], key=squares(colours), note=note, look=Rows(0.27, 2.6))


@style.form("name", "estimate", "total", "low", "high", "n", given=("panels", "category"))
def amounts(frame: pd.DataFrame, *, panels: str = "seats", unit: str = "per game") -> Figure:
    """Horizontal bars of mean amounts, divided by category, one panel per value of `panels`, on one scale.

    frame: `panels`, name, category (in its own order or that of appearance; REST in grey, last), estimate (mean of the
    category), total, low, high (mean of all categories of the name and its interval), n. Rows keep their order. Negative amounts
    are drawn to the left. A panel in which all bars are below a tenth of that scale has a separate one, named in the note. unit:
    of the amounts, for the axis.
    """
    parts = style.groups(frame.assign(name=frame["name"].astype(str)), panels)
    kinds = list(dict.fromkeys(frame["category"].astype(str)))
    if isinstance(frame["category"].dtype, pd.CategoricalDtype):
        kinds = [str(kind) for kind in frame["category"].cat.categories if str(kind) in kinds]
    named = [kind for kind in kinds if kind != REST]
    colours = dict(zip(named, style.hues(named), strict=True)) | ({REST: style.CATEGORIES[-1]} if REST in kinds else {})
    reach = _reach(frame, [panels, "name"])
    reaches = {value: _reach(part, ["name"]) for value, part in parts}
    small = {value: own for value, own in reaches.items() if max(map(abs, own)) < 0.1 * max(map(abs, reach))}

    def draw(axes: Axes, whole: pd.DataFrame) -> None:
        value = whole[panels].iloc[0]
        axes.set_xlim(*small.get(value, reach))
        part = next(part for other, part in parts if other == value)
        _segments(axes, part.assign(category=part["category"].astype(str)), colours, _two)
        low, high = column(whole, "low"), column(whole, "high")
        axes.hlines(np.arange(len(whole)) + 0.27, low, high, color=INK, linewidth=1.2, zorder=4, gid="interval")
        axes.axvline(0, color=FAINT, linewidth=0.7)
        axes.tick_params(axis="x", pad=2)

    def between(low: float, high: float) -> str:
        return DASH if np.isnan(low) else f"{_two(low)} to {_two(high)}"

    interval = Words(f"{SURE} interval", RANGE, ("low", "high"), between)
    cells: list[Words | Plot] = [Plot(draw), Words("mean", RATE, ("total",), _two, strong=True), interval, count_words()]
    note = f"Length: {clean(unit)}; figures in the bars: their parts of it; whiskers: {SURE} intervals."
    note += f" On a separate scale: {', '.join(map(style.seats_heading, small))}." if small else ""
    wholes = [(value, part.drop_duplicates("name")) for value, part in parts]
    look = Rows(widest=1.9, known="total", missing="no games", heading=style.seats_heading)
    return rows(wholes, cells, key=squares(colours), note=note, look=look)


def _reach(frame: pd.DataFrame, keys: list[str]) -> tuple[float, float]:
    """Ends of an axis that holds zero, the longest bars and the intervals."""
    signed = frame.assign(up=frame["estimate"].clip(lower=0), down=frame["estimate"].clip(upper=0))
    sums = signed.groupby(keys, sort=False, observed=True)[["up", "down"]].sum()
    high = float(np.nanmax([*sums["up"], *column(frame, "high"), 0.0]))
    low = float(np.nanmin([*sums["down"], *column(frame, "low"), 0.0]))
    return (1.04 * low, 1.04 * high if high > low else 1.0)


def _two(value: float, beside: float = 0.0) -> str:
    """Write a mean with two decimals, fewer if it or the number beside it is large."""
    largest = max(abs(value), beside)
    return decimal(value, 2 if largest < 10 else 1 if largest < 100 else 0)


def _share(share: float) -> str:
    """Write a share in per cent without the sign."""
    return percent(share, 1 if share < 0.0995 else 0).removesuffix(f"{THIN}%")


@style.form("value", "exact", given=("row", "column"), instead={"row": "roll"}, default={"column": ""})
def dice(frame: pd.DataFrame, *, label: str = "hits") -> Figure:
    """Exact chances and simulated shares of each value, one panel per row x column, all on one scale.

    frame: row, column, value (whole number), exact (chance 0..1); optionally simulated (share 0..1), n (simulated rolls),
    z (standard errors between the means, one per panel), name (of a row, by default row) and group (in small type below the
    name). Absent panels stay empty.
    """
    down, across = list(pd.unique(frame["row"])), list(pd.unique(frame["column"]))
    firsts = frame.drop_duplicates("row")
    names = style.texts(firsts, "name" if "name" in frame.columns else "row")
    owners = style.texts(firsts, "group") if "group" in frame.columns else [""] * len(names)
    left = max(style.words_column(names, BODY, 1.6), style.words_column(owners, SMALL, 1.6)) + 0.15
    head, tall, gap = 0.54, 0.72, 0.12
    width = max(0.8, (WIDTH - left - gap * (len(across) - 1)) / len(across))
    sheet = Sheet(max(WIDTH, left + (width + gap) * len(across)), head + len(down) * (tall + 0.16) + 0.3)
    key = squares({f"exact chance of each number of {clean(label)}": style.LIGHT})
    sheet.key(0, 0.06, key + [("simulated", {"color": INK, "markersize": 3.5})] * ("simulated" in frame.columns))
    values = column(frame, "value")
    limits = (float(values.min()) - 0.6, float(values.max()) + 0.6)
    top = 1.35 * float(np.nanmax([*column(frame, "exact"), *column(frame, "simulated")]))  # leaves space for words
    parts: dict[Any, pd.DataFrame] = dict(list(frame.groupby(["row", "column"], sort=False, observed=True)))
    for index, (row, name, owner) in enumerate(zip(down, names, owners, strict=True)):
        y = head + index * (tall + 0.16)
        sheet.text(0, y + tall / 2 - 0.08 * bool(owner), fit(name, left - 0.12, BODY), gid="name")
        sheet.note(0, y + tall / 2 + 0.08, fit(owner, left - 0.12, SMALL), gid="group")
        for place, heading in enumerate(across):
            x = left + place * (width + gap)
            if index == 0:
                sheet.text(x, 0.36, fit(str(heading), width, SMALL), fontsize=SMALL, gid="heading")
            if (row, heading) in parts:
                axes = sheet.axes(x, y, width, tall)
                _roll(axes, parts[row, heading], limits, top)
                axes.tick_params(labelbottom=not any((later, heading) in parts for later in down[index + 1 :]))
    z = abs(column(frame, "z"))
    note = counted(list(column(frame, "n"))) + " rolls per panel; " if "n" in frame.columns else ""
    note += f"z: standard errors between the means, largest {np.nanmax(z):.1f}" if np.isfinite(z).any() else ""
    return sheet.close(left, note, 0.08)


def _roll(axes: Axes, part: pd.DataFrame, limits: tuple[float, float], top: float) -> None:
    """Draw exact chances as bars, simulated shares as dots with the range that chance explains, and the z-score."""
    values, exact, simulated, n, z = (column(part, name) for name in ("value", "exact", "simulated", "n", "z"))
    axes.bar(values, exact, width=0.8, color=style.LIGHT, linewidth=0, gid="exact")
    known = np.isfinite(simulated)
    if known.any():
        half = 1.96 * np.sqrt(np.clip(exact * (1 - exact), 0, None) / np.where(n > 0, n, np.nan))
        axes.vlines(values, exact - half, exact + half, color=MUTED, linewidth=0.8, zorder=2, gid="interval")
        axes.scatter(values[known], simulated[known], s=7, color=INK, linewidth=0, zorder=3, clip_on=False, gid="simulated")
    if np.isfinite(z).any():
        score = float(z[np.isfinite(z)][0])
        far = abs(score) > 4  # not due to chance
        how: dict[str, Any] = {"color": style.ORANGE if far else MUTED, "fontweight": "bold" if far else "normal"}
        words = f"mean {decimal(float(values @ exact), 2)}   z {decimal(score, 1)}"
        axes.text(1, 1, words, ha="right", va="top", transform=axes.transAxes, fontsize=style.FIGURES, gid="z", **how)
    axes.set(xlim=limits, ylim=(0, top), yticks=[])
    ticks = np.arange(np.ceil(limits[0]), np.floor(limits[1]) + 1)
    axes.set_xticks(ticks[:: max(1, len(ticks) // 8)])
    axes.tick_params(axis="x", length=0, pad=2, labelsize=style.FIGURES)
    axes.spines["bottom"].set_color(HAIR)


@style.form("name", "estimate")
def chances(frame: pd.DataFrame) -> Figure:
    """A bar for each chance, in the order given, on one scale from 0 to 100 per cent.

    frame: name, estimate (chance 0..1).
    """

    def draw(axes: Axes, part: pd.DataFrame) -> None:
        axes.barh(np.arange(len(part)), column(part, "estimate"), height=0.62, color=style.LIGHT, gid="bar")
        axes.set_xlim(0, 1)
        axes.set_xticks(style.QUARTERS)
        style.percent_axis(axes.xaxis)

    cells = (Plot(draw), Words("", 0.95, ("estimate",), lambda chance: one_in(chance) or percent(chance), strong=True))
    return rows([("", frame)], cells, note="Exact chances", look=Rows(0.27, 3.0))
