"""What a number of playtests could show, and the schedule that shows most."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer import verdicts
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import THIN, Format, count, percent
from analysis.answer.prose import fitting, plural
from analysis.answer.tables import Table, table
from analysis.data.rows import distinct
from analysis.data.study import Study
from analysis.playtests.planning import FAVOURITES, POWER, Line, findable, schedule
from analysis.playtests.template import write_schedule
from analysis.question import question

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

GAMES = 60
GAMES_MAX = 2_000
TIMES = (0.5, 1, 2, 4)  # multiples of the games for which the smallest imbalance is worked out
TESTERS_MAX = 200
SKILL_MAX = 5.0
ORDER = ("moves first", "moves second", "moves third", "moves fourth")
SKILL = 0.6  # log-odds: of two people one standard deviation apart, the better one wins 65 % of the games between equals


@question(
    without=("policy", "line_up", "forbid"),
    writes=("schedule",),
    examples=("plan arena --testers 6 --games 60", "plan arena --games 120 --schedule evening.xlsx"),
)
def plan(
    study: Study,
    *,
    games: int | None = None,
    testers: int = 6,
    entrants: int | None = None,
    skill: float = SKILL,
    schedule: Path | None = None,
) -> Answer:
    """What a number of playtests could show, and the schedule that shows most.

    Parameters
    ----------
    games : int, optional
        Games in all that you can play, by default 60.
    testers : int
        People who play.
    entrants : int, optional
        Entrants that are tested, by default all.
    skill : float
        How much people differ: standard deviation of their strengths in the logarithm of the odds. 0: all play equally well.
    schedule : Path, optional
        Write the games as a log to be filled in (.csv or .xlsx).

    """
    seats = study.contest
    names = distinct(study.cards.names)
    wanted, tested = checked(games, testers, entrants, skill, seats, names)
    sizes = sorted({max(1, round(wanted * times)) for times in TIMES})
    frame = findable(tested, testers, seats, sizes, skill, study.seed)
    lines = scheduled(tested, testers, seats, wanted, study.seed)
    if schedule is not None:
        write_schedule(schedule, entries(lines, names), study.game.entrant_word, force=True)
    word = study.game.entrant_word
    return Answer(
        summary(frame, wanted, word, seats),
        (findable_table(frame, word), schedule_table(lines, names)),
        (Chart(partial(drawn, frame, seats), f"Smallest win rate that is found in {percent(POWER, 0)} of all logs."),),
        tuple(notes(testers, skill, word)),
        {"games": wanted, "testers": testers, "entrants": tested, "seats": seats, "skill": skill, "seed": study.seed},
    )


scheduled = schedule  # the parameter of the question has the same name


def checked(games: int | None, testers: int, entrants: int | None, skill: float, seats: int, names: list[str]) -> tuple[int, int]:
    """Games and entrants. Raises ValueError for numbers that cannot be."""
    wanted = GAMES if games is None else games
    tested = len(names) if entrants is None else entrants
    limits = {"games": (wanted, 1, GAMES_MAX), "testers": (testers, seats, TESTERS_MAX), "entrants": (tested, seats, len(names))}
    for name, (value, least, most) in limits.items():
        if not least <= value <= most:
            raise ValueError(f"{name}={value} must be from {least} to {count(most)}")
    if not 0 <= skill <= SKILL_MAX:
        raise ValueError(f"skill={skill:g} must be from 0 to {SKILL_MAX:g}")
    return wanted, tested


def findable_table(frame: pd.DataFrame, word: str) -> Table:
    """Smallest win rates that are found."""
    columns = {"games": "games", "each": f"games of each {word}", "scheduled": "with the schedule", "free": "as people like"}
    formats: dict[str, Format] = {"with the schedule": "percent", "as people like": "percent", f"games of each {word}": "count"}
    caption = f"Smallest win rate of one {word} that is found in {percent(POWER, 0)} of all logs"
    return table(frame, "found", caption, columns, formats)


def entries(lines: list[Line], names: list[str]) -> list[tuple[object, ...]]:
    """Rows of the log: game, tester, what is played, seat."""
    return [
        (game, tester_word(people[seat]), names[heroes[seat]], seat + 1)
        for game, (people, heroes) in enumerate(lines, 1)
        for seat in range(len(people))
    ]


def tester_word(person: int) -> str:
    """Name of a tester until it has one."""
    return f"tester {person + 1}"


def schedule_table(lines: list[Line], names: list[str]) -> Table:
    """Games in order: who plays what."""
    seats = [ORDER[seat] if seat < len(ORDER) else f"seat {seat + 1}" for seat in range(len(lines[0][0]))]
    rows = [
        (game, *(f"{people[seat] + 1}: {names[heroes[seat]]}" for seat in range(len(seats))))
        for game, (people, heroes) in enumerate(lines, 1)
    ]
    columns = {"game": "game", **{name: name for name in seats}}
    frame = pd.DataFrame(rows, columns=list(columns))
    return table(frame, "schedule", "The schedule (tester: what is played)", columns, main=True)


def drawn(frame: pd.DataFrame, seats: int) -> Figure:
    """Smallest win rates by number of games."""
    parts = {"with the schedule": frame["scheduled"], "as people like": frame["free"]}
    shown = [
        pd.DataFrame({"x": frame["games"], "estimate": rate, "low": rate, "high": rate, "n": np.nan, "line": words})
        for words, rate in parts.items()
    ]
    return charts.lines(pd.concat(shown, ignore_index=True).assign(fair=1 / seats, panel=""), label="games")


def summary(frame: pd.DataFrame, games: int, word: str, seats: int) -> str:
    """What this number of games shows."""
    row = frame[frame["games"] == games].iloc[0]
    rate = float(row["scheduled"])
    if row["each"] < verdicts.LEAST_GAMES:
        least = count(int(np.ceil(games * verdicts.LEAST_GAMES / row["each"])))
        takes = f"which takes {verdicts.LEAST_GAMES} games of each {word}"
        return f"{count(games)} games are too few for any verdict, {takes}: {least} in all."
    if np.isnan(rate):
        return f"{count(games)} games cannot show that one {word} is stronger than the others, however strong it is."
    fair = f"where {percent(1 / seats, 0)} is fair"
    shown = f"{count(games)} games show that a {word} is too good if it wins {percent(rate, 0)} or more, {fair}"
    return fitting(f"{shown} (in {percent(POWER, 0)} of all such logs).", f"{shown}.")


def notes(testers: int, skill: float, word: str) -> list[str]:
    """How the figures are made."""
    return [
        f"Found: its 95{THIN}% interval, which holds together with those of all others, lies above the fair share.",
        "The figures are simulated and hold to about a point.",
        f"{count(testers)} people whose strengths differ by {skill:g} in log-odds (standard deviation); the other {plural(word)}"
        " are alike.",
        f"As people like: each plays one of two favourites in {percent(FAVOURITES, 0)} of its games, else any {word}.",
    ]
