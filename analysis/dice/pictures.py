"""Charts of rolls that were solved and simulated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import nan
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Chart
from analysis.dice.exact import Rolled
from analysis.dice.tables import above_words, chances_asked, is_table

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

CELLS_ACROSS, CELLS_DOWN = 16, 40  # of the chart of a table
TITLE = "Chance of each {}: exact (bars), simulated (dots), and where 95 % of such dots fall by chance (thin lines)."


def charts_of(rolled: Sequence[Rolled], result: str, at_least: int | None) -> tuple[Chart, ...]:
    """The chance that is asked about, by number or for each roll; else values of every roll, or shares of the outcomes.

    None where some rolls have values and others outcomes.
    """
    chances = chances_asked(rolled, at_least)
    if is_table(rolled) and len(rolled) > 1 and not any(roll.labels for roll in rolled):
        return charts_of_table(rolled, chances, at_least)
    if chances is not None and len(rolled) > 1:
        frame = pd.DataFrame({"name": [roll.title for roll in rolled], "estimate": chances})
        return (Chart(partial(charts.chances, frame), f"Chance of each{above_words(at_least)}."),)
    if all(roll.labels for roll in rolled):
        return (Chart(partial(outcomes_figure, rolled), "Chance of each outcome."),)
    if any(roll.labels for roll in rolled):
        return ()
    return (Chart(partial(figure, rolled, result), TITLE.format(f"number of {result}" if result != "result" else result)),)


def charts_of_table(rolled: Sequence[Rolled], chances: list[float] | None, at_least: int | None) -> tuple[Chart, ...]:
    """How the rolls of a table depend on its number: the chance that is asked about, else mean and chance of each value."""
    frame = pd.DataFrame({"line": [roll.line for roll in rolled], "x": [roll.number for roll in rolled]})
    if chances is not None:
        lines = frame.assign(estimate=chances, low=nan, high=nan)
        return (Chart(partial(charts.by_number, lines, unit="%"), f"Chance by n{above_words(at_least)}."),)
    lows, highs = ([roll.exact.quantile(share) for roll in rolled] for share in (0.1, 0.9))
    lines = frame.assign(estimate=[roll.exact.mean for roll in rolled], low=lows, high=highs)
    note = "Lines: means; bands: 10 % to 90 % of the results"
    means = Chart(partial(charts.by_number, lines, unit="result", note=note), "Mean by n, and where most results fall.", "means")
    most = max(float(roll.exact.values[-1]) for roll in rolled)
    least = min(float(roll.exact.values[0]) for roll in rolled)
    integers = all(float(value).is_integer() for roll in rolled for value in roll.exact.values)
    if not integers or most - least > CELLS_ACROSS or len({roll.number for roll in rolled}) > CELLS_DOWN or least == most:
        return (replace(means, id=""),)
    cells = [
        {"line": roll.line, "row": f"n = {roll.number}", "column": f"\u2265{value}", "value": roll.exact.at_least(value)}
        for roll in rolled
        for value in range(int(least) + 1, int(most) + 1)
    ]
    panels = "line" if len(set(frame["line"])) > 1 else None
    frame_of_cells = pd.DataFrame(cells).assign(n=nan)
    grid = partial(charts.matrix, frame_of_cells, panels=panels, label="chance of this result or more", what="rolls")
    return (Chart(grid, "Chance of each result or more (columns) by n (rows)."), means)


def figure(rolled: Sequence[Rolled], result: str) -> Figure:
    """Bars of the exact chances with dots of the simulated ones, one panel per roll."""
    parts = []
    for one in rolled:
        owner, _, part = one.name.rpartition(": ")
        values = pd.DataFrame(one.values(), columns=["value", "exact", "simulated"])
        parts.append(values.assign(row=one.name, name=part, group=owner, column=one.versus, n=one.n, z=one.agreement.z))
    frame = pd.concat(parts, ignore_index=True)
    return charts.dice(frame if np.any(frame["group"] != "") else frame.drop(columns="group"), label=result)


def outcomes_figure(rolled: Sequence[Rolled]) -> Figure:
    """A bar per roll, divided by outcome."""
    rows = [
        (roll.title if len(rolled) > 1 else "outcome", roll.labels[value], chance, roll.n)
        for roll in rolled
        for value, chance in zip(roll.exact.values.tolist(), roll.exact.probabilities.tolist(), strict=True)
    ]
    return charts.stacked(
        pd.DataFrame(rows, columns=["name", "category", "estimate", "n"]), unit="simulated rolls", order="given"
    )
