"""Upsets: how often the last turns of a game overturn who is ahead."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.charts import lines
from analysis.data import rows
from analysis.data.studies import study
from analysis.data.study import Study
from analysis.document.model import Chart, Section, estimate_columns, percent, table
from analysis.document.prose import at_seats, capital, share_of
from analysis.timeline.courses import Courses, of_study
from analysis.timeline.leads import AHEAD, leading

BACK, SIDES = 8, ("another seat was ahead", "no seat was ahead")  # turns before the end, at most


def before_end(courses: Courses) -> NDArray[np.int64]:
    """Who was ahead before the last turn, the last two, ... of each game with a sole winner: 0 the winner, else as in SIDES."""
    won = np.flatnonzero(courses.winner >= 0)
    first, after = (np.searchsorted(courses.game, won, side) for side in ("left", "right"))
    line = after[:, None] - 1 - np.arange(1, BACK + 1)  # the last line is the last decision of the last turn
    ahead = np.where(line >= first[:, None], np.append(leading(courses), -1)[np.maximum(line, -1)], -1)
    return np.where(ahead < 0, 2, ahead != courses.winner[won][:, None])


def shares(courses: Courses, hits: Callable[[NDArray[np.int64]], NDArray[np.bool_]], among: NDArray[np.bool_]) -> pd.DataFrame:
    """Share of hits by column (see `rows.shares`), of games that count (`among`). Intervals cover games and calibration."""
    won, (game, column) = courses.winner >= 0, np.nonzero(among)
    hit = (hits(before_end(courses)) & among)[game, column]
    found = rows.shares(courses.key[won][game], column, hit, among.shape[1])
    if (fits := courses.calibration) is None:
        return found
    weight, under = fits.weight[:, won], (before_end(replace(courses, chance=chance)) for chance in fits.chances())
    drawn = np.stack([line @ (hits(state) & among) for line, state in zip(weight, under, strict=True)])
    drawn = np.where(weight @ among > 0, drawn / np.maximum(weight @ among, 1), found["estimate"])
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return found.assign(low=np.minimum(found["low"], low), high=np.maximum(found["high"], high))


@study(
    "upsets",
    summary="How often the last turns overturn who is ahead.",
    question="How often do the last turns overturn who is ahead?",
    chapter="run",
    replays=True,
)
def upsets(study: Study) -> Section | None:
    """How often the last turns overturn who is ahead, by number of turns and by winner.

    Example: fairfight upsets arena --games 400
    """
    turns, wins, answers = [], [], []
    if not study.contests:
        return None
    for seats in study.contests:
        courses, where = of_study(study, seats), capital(at_seats(seats))
        winner = courses.entrant[courses.winner >= 0, courses.winner[courses.winner >= 0]]
        parts = study.teams.members[winner] if study.teams else winner[:, None]
        of_unit, every = (parts[:, :, None] == np.arange(len(study.units))).any(axis=1), np.ones((winner.size, BACK), bool)
        sides = [shares(courses, partial(np.equal, side), every) for side in (1, 2)]
        turns += [frame.assign(line=line, x=range(1, BACK + 1), panel=where) for line, frame in zip(SIDES, sides, strict=True)]
        wins.append(shares(courses, lambda state: state[:, :1] == 1, of_unit).assign(name=study.units, panel=where))
        text = f"another seat than the winner was ahead before the last turn in {share_of(sides[0].iloc[0], 'games')}"
        answers.append(f"{where} {text}, and no seat in {percent(sides[1].iloc[0]['estimate'])}.")
    drawn, columns = pd.concat(turns, ignore_index=True), {"panel": "seats", "x": "turns before the end", "line": "who was ahead"}
    caption = f"Share of games in which another seat than the winner, or none, was ahead before the last turns; {study.players}."
    chart = Chart("upsets", lines(drawn, label="turns before the end"), caption, f"Two lines by turns. {answers[0]}")
    title = f"Share of the wins of each {study.unit_word} with another seat ahead before the last turn"
    of_wins = table(pd.concat(wins), "upsets-wins", title, estimate_columns("share", panel="seats", name=study.unit_word))
    tables = (table(drawn, "upsets", "Who was ahead near the end", estimate_columns("share", **columns)), of_wins)
    note = f"Games with a sole winner. Ahead: by a chance of {percent(AHEAD, 0)} of the fair share; at first nobody is. "
    note += "Intervals cover the games (Wilson; those with the same dice are one observation) and the calibration of the chances."
    return Section("", answer=" ".join(answers), figures=(chart,), tables=tables, note=note)
