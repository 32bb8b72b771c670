"""Whether the two most powerful numbers work together: a surface of win rates over both, and a test of interaction."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from analysis.charts import grid as grid_chart
from analysis.interaction import FIELDS, Surface, surface
from analysis.points import Grid, allowed, every_point, grid_of
from analysis.report.answers.prose import at_seats, point_interval, size
from analysis.report.answers.tables import table
from analysis.report.change.sensitivity import found_by, words_of
from analysis.report.model import Chart, Format, Section, Table
from analysis.sensitivity import Sensitivity
from analysis.study import Study
from analysis.wording import as_written, count, points

STAGE = "two numbers at once"


def screen(study: Study) -> Section | None:
    """A grid of win rates over the two numbers that move one most, and in words what both do at once.

    Values that the card rules refuse together are left out. None where fewer than two numbers surely move a win rate, or the
    card rules leave no pair of values.
    """
    found = found_by(study)
    pair = _pair(found) if found else None
    if found is None or pair is None:
        return None
    name, paths = pair
    grid, _, _ = allowed(grid_of(found.base, paths)[0], every_point)
    if len(grid.paths) != FIELDS:
        return None
    measured = _measured(study, found, grid, study.units.index(name))
    words = tuple(words_of(study, path) for path in grid.paths)
    answer = answer_of(measured, name, words, at_seats(found.base.seats))
    caption = f"Win rate of {name} over the values of both numbers, {at_seats(found.base.seats)} with {study.policy} "
    caption += "in every seat; "
    caption += f"the same games and dice in every cell. Rows: {words[0]}; columns: {words[1]}."
    figure = grid_chart(_drawn(measured, words), label=f"win rate of {name}, in %")
    chart = Chart("screen", figure, caption, f"Grid of win rates by two numbers. {answer}")
    question = "Do the two most powerful numbers work together?"
    return Section("screen", question, answer, (chart,), _tables(measured, words), _note(study, measured))


def _pair(found: Sensitivity) -> tuple[str, tuple[str, str]] | None:
    """Whose win rate, and the two numbers that surely move it most, else the two that surely move any most; None without two."""
    sure = found.frame[found.frame["sure"]] if len(found.frame) else found.frame
    if sure.empty:
        return None
    for name in [*sure["name"].unique(), ""]:
        paths = sure.loc[(sure["name"] == name) | (name == ""), "path"].unique()
        if len(paths) > 1:
            return str(name or sure["name"].iloc[0]), (str(paths[0]), str(paths[1]))
    return None


def _measured(study: Study, found: Sensitivity, grid: Grid, unit: int) -> Surface:
    """Play the grid, as many games of each point as the budget has, counting those in which the unit sits."""
    places = len(grid.values[0]) * len(grid.values[1])
    sits = min(1.0, found.base.seats * (study.teams.size if study.teams else 1) / len(study.units))
    games = max(1, round(study.budget.screen_games / places / sits))
    base = replace(study.experiment(found.base.seats, games), seed=study.fresh_seed)
    done = 0

    def told(number: int) -> None:
        nonlocal done
        done += number
        if study.watch:
            study.watch(STAGE, done, 0)

    return surface(base, grid, unit, study.jobs, told)


def answer_of(found: Surface, name: str, words: tuple[str, ...], where: str) -> str:
    """What both do at once, against what they do one by one."""
    top = found.surest
    turned = f"\u201c{words[0]}\u201d at {as_written(top['first'])} and \u201c{words[1]}\u201d at {as_written(top['second'])}"
    sentence = f"{turned} together move {name} by {points(top['both'])} points {where}, one by one by "
    sentence += f"{points(top['alone'])} in all: "
    sentence += f"{points(top['change'])} points through both together {point_interval(top['low'], top['high'])[:-1]}, "
    sentence += f"{size(top['n'])}). "
    if top["low"] <= 0 <= top["high"]:
        return sentence + "That may be chance: no sign that what one does depends on the other."
    more = "more" if abs(top["both"]) > abs(top["alone"]) else "less"
    return sentence + f"They do work together; both at once do {more} than one by one, so test them as a pair."


def _labels(found: Surface, words: tuple[str, ...]) -> tuple[pd.Series, pd.Series]:
    """Words without the owner and the value for rows and columns, the present one marked; the caption has them in full."""
    texts = []
    for at, column in enumerate(("first", "second")):
        now, short = found.grid.present[at], words[at].rpartition(": ")[2]
        named = {
            value: f"{short} {as_written(value)}{' (now)' if value == now else ''}" for value in found.grid.values[at]
        }
        texts.append(found.cells[column].map(named))
    return texts[0], texts[1]


def _drawn(found: Surface, words: tuple[str, ...]) -> pd.DataFrame:
    """The frame of the grid."""
    rows, columns = _labels(found, words)
    return found.cells.assign(row=rows, column=columns)


def _tables(found: Surface, words: tuple[str, ...]) -> tuple[Table, ...]:
    """Every cell, then every pair of changes."""
    cells = {"first": words[0], "second": words[1], "estimate": "win rate", "low": "low", "high": "high", "n": "n"}
    plain: dict[str, Format] = dict.fromkeys(words, "number")
    corners = {"first": words[0], "second": words[1], "alone": "one by one", "both": "together"}
    corners |= {"change": "through both", "low": "change low", "high": "change high", "n": "n"}
    shifts: dict[str, Format] = dict.fromkeys(("one by one", "together", "through both"), "points")
    return (
        table(found.cells, "screen", "Win rate by both numbers", cells, plain),
        table(found.corners, "screen-both", "Both changes at once", corners, plain | shifts),
    )


def _note(study: Study, found: Surface) -> str:
    """How it was measured."""
    note = "The two numbers are the surest movers of a win rate among all that were tried. Every cell plays the same "
    note += f"{count(found.cells['n'].max())} games with the same dice, of seed {study.fresh_seed}, which had no part "
    note += "in the choice. "
    note += "Intervals of what comes through both together are Student's, widened for the number of pairs (Bonferroni): two "
    note += (
        "numbers work together where the interval of some pair of values does not include zero; of these the surest is "
    )
    return f"{note}named. More numbers at once: fairfight screen."
