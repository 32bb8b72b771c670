"""Tornado chart: how far a win rate, or another quantity, moves when one number is changed by one step."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.charts import style
from analysis.charts.style import BODY, HEADING, INK, MUTED, SMALL, WIDTH, Sheet
from analysis.charts.words import column, fit, width_of
from analysis.wording import THIN, counted, percent, points

ROW, HEAD, FOOT, GAP, TOP = 0.3, 0.26, 0.28, 0.14, 0.34  # inches
WIDEST_NAME = 3.0
BAR = 0.36  # of a row: two bars, one above the other
FIGURES = 0.62
# Step, colour, offset in the row, words. Neither colour is one of those that mean above and below even.
STEPS = ((-1, style.PURPLE, -0.21, "one step down"), (1, style.GREEN, 0.21, "one step up"))
ZERO = 1e-12
POINTS = "points"
SMALL_REACH = 3.0  # changes up to here are written with two digits


@style.housed
def tornado(
    frame: pd.DataFrame, *, panels: str = "name", most: int = 12, unit: str = "points", level: float = 0.95
) -> Figure:
    """Change of a win rate per field, one step down and one step up, largest first; a panel per value of `panels`.

    frame: `panels` (may be absent: one panel), field, step (-1 or +1), change, low, high, n; optionally value (what the
    number becomes, said at the bar) and sure (whether the change is beyond chance). unit: of the changes; "points" takes
    shares (0.03 is 3 points), another ("turns") numbers as they are. most: fields per panel; the note counts the rest. Bars
    that are not sure, by default those whose interval includes zero, are pale.
    """
    style.require(frame, ("field", "step", "change", "low", "high", "n"), "tornado")
    if not len(frame):
        return style.nothing()
    parts = style.groups(frame, panels) if panels in frame.columns else [("", frame)]
    shown = [(value, part, _largest(part, most)) for value, part in parts]
    head = [HEAD if str(value) else 0.0 for value, _, _ in shown]
    bodies = [space + ROW * len(fields) + FOOT + GAP for (_, _, fields), space in zip(shown, head, strict=True)]
    sheet = Sheet(WIDTH, TOP + sum(bodies) + 0.25)
    left = column(style.texts(frame, "field"), BODY, WIDEST_NAME) + 0.12
    ends = [abs(style.column(frame, name)) for name in ("change", "low", "high")]
    least = 0.005 if unit == POINTS else 0.05
    reach = 1.08 * max(float(np.nanmax([*np.concatenate(ends), 0.0])), least)
    sheet.key(left, 0.1, [(words, {"marker": "s", "color": colour}) for _, colour, _, words in STEPS])
    sheet.text(WIDTH, 0.1, f"change in {unit}", ha="right", fontsize=SMALL, color=MUTED)
    top = TOP
    for (value, part, fields), space, body in zip(shown, head, bodies, strict=True):
        if str(value):
            sheet.text(0, top + 0.06, fit(str(value), WIDTH, HEADING, bold=True), fontsize=HEADING, fontweight="bold")
        axes = sheet.axes(left, top + space, WIDTH - left - FIGURES, ROW * len(fields))
        _panel(axes, part, fields, reach)
        _ticks(axes, reach, unit)
        _words(sheet, part, fields, (left, top + space), (unit, 1 if unit == POINTS or reach > SMALL_REACH else 2))
        top += body
    hidden = max((part["field"].nunique() - len(fields) for _, part, fields in shown), default=0)
    rest = f"; {hidden} fields with smaller changes not shown" if hidden else ""
    pale = "may be chance" if "sure" in frame.columns else "the interval includes no change"
    note = f"Whiskers: {percent(level, 0)} intervals; pale: {pale}; "
    note += f"{counted(list(style.column(frame, 'n')))} per step{rest}"
    start = max(0.0, min(left, WIDTH - width_of(note, SMALL)))
    sheet.text(start, sheet.height - 0.08, fit(note, WIDTH, SMALL), fontsize=SMALL, color=MUTED)
    return sheet.figure


def _largest(part: pd.DataFrame, most: int) -> list[str]:
    """Fields by the larger of their two changes."""
    size = part["change"].astype(float).abs().fillna(0).groupby(part["field"].astype(str), sort=False).max()
    return [str(field) for field in size.sort_values(ascending=False, kind="stable").index[:most]]


def _panel(axes: Axes, part: pd.DataFrame, fields: list[str], reach: float) -> None:
    place = {field: at for at, field in enumerate(fields)}
    for (field, step, change, low, high), sure in zip(_rows(part), _sure(part), strict=True):
        if field not in place or np.isnan(change):
            continue
        _, colour, offset, _ = STEPS[0] if step < 0 else STEPS[1]
        row = place[field] + offset
        face = colour if sure else style.pale(colour, 0.3)
        axes.barh(row, change, height=BAR, color=face, linewidth=0, gid="bar" if sure else "pale")
        axes.hlines(row, low, high, color=INK if sure else MUTED, linewidth=0.9, zorder=3, gid="interval")
    axes.axvline(0, color=INK, linewidth=0.8, zorder=2)
    axes.set_xlim(-reach, reach)
    axes.set_ylim(len(fields) - 0.5, -0.5)
    axes.set_yticks([])
    for row in range(1, len(fields)):
        axes.axhline(row - 0.5, color=style.HAIR, linewidth=0.5, zorder=0.5)


def _ticks(axes: Axes, reach: float, unit: str) -> None:
    """Ticks within the panel, with as many digits as they need."""
    axes.locator_params(axis="x", nbins=7)
    axes.set_xticks([tick for tick in axes.get_xticks() if abs(tick) <= reach])
    scaled = [100 * tick if unit == POINTS else tick for tick in axes.get_xticks()]
    digits = next((few for few in range(3) if all(abs(tick - round(tick, few)) < 1e-6 for tick in scaled)), 3)
    axes.xaxis.set_major_formatter(lambda value, _: _signed(value, unit, digits))


def _signed(change: float, unit: str, digits: int = 1) -> str:
    """A change with its sign, in its unit."""
    return points(change if unit == POINTS else change / 100, digits)


def _sure(part: pd.DataFrame) -> list[bool]:
    """Whether each change is beyond chance: as the frame says, else by its interval."""
    if "sure" in part.columns:
        return part["sure"].astype(bool).tolist()
    return [
        low > 0 or high < 0 or (low == high == change and abs(change) > ZERO) for _, _, change, low, high in _rows(part)
    ]


def _words(sheet: Sheet, part: pd.DataFrame, fields: list[str], at: tuple[float, float], form: tuple[str, int]) -> None:
    left, top = at
    place = {field: row for row, field in enumerate(fields)}
    for field, row in place.items():
        sheet.text(0, top + ROW * (row + 0.5), fit(field, left - 0.1, BODY))
    values = part["value"].astype(str).tolist() if "value" in part.columns else [""] * len(part)
    for (field, step, change, _, _), value in zip(_rows(part), values, strict=True):
        if field not in place:
            continue
        y = top + ROW * (place[field] + 0.5) + ROW * (STEPS[0] if step < 0 else STEPS[1])[2]
        sheet.text(
            WIDTH,
            y,
            _signed(change, *form),
            ha="right",
            fontsize=6.8,
            color=MUTED,
            gid="change",
        )
        if value:
            words = f"\u2192{THIN}{fit(value, 0.25, 6.8)}"
            sheet.text(WIDTH - FIGURES + 0.06, y, words, fontsize=6.8, color=MUTED, gid="value")


def _rows(part: pd.DataFrame) -> list[tuple[str, float, float, float, float]]:
    columns = [style.column(part, name) for name in ("step", "change", "low", "high")]
    return [
        (field, float(step), float(change), float(low), float(high))
        for field, step, change, low, high in zip(part["field"].astype(str), *columns, strict=True)
    ]
