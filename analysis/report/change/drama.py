"""How does a game run: how long, when it is decided, how often the lead changes, and what can be caught up."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd

from analysis import charts
from analysis.calibration import scores
from analysis.courses import Courses, played
from analysis.drama import AHEAD, LOW, by_turn, comebacks, decided, summary
from analysis.estimates import Interval
from analysis.pace_stats import (
    INTERVALS,
    doubt,
    endings_table,
    lead_table,
    lengths,
    lengths_table,
    striking_table,
    summary_table,
    trust_table,
    trust_words,
    turns_shown,
    turns_table,
)
from analysis.report.answers.prose import at_seats, capital, interval, quantity
from analysis.report.model import Chart, Section
from analysis.study import Study
from analysis.wording import count, number, percent

ID, QUESTION = "drama", "How does a game run, when is it decided, and what can still be caught up?"
LEADS, GOOD = "the seat ahead wins", "the winner leads for good"
FOUND, EVEN = "games played", "equal seats, small steps"
STEP = 0.05  # of the chances that a winner was down to


def drama(study: Study) -> Section | None:
    """Length, lead, decision and comebacks at the fewest seats with an opponent; None where there never is one."""
    if not study.contests:
        return None
    seats = min(study.contests)
    courses = _played(study, seats)
    tables = [endings_table(courses, f"{ID}-endings"), lengths_table(courses, f"{ID}-lengths")]
    if not (courses.winner >= 0).any():
        answer = f"None of {count(len(courses.index))} games {at_seats(seats)} was won by one seat alone, so that nothing can "
        return Section(
            ID, QUESTION, f"{answer}be told of leads and comebacks.", (), tuple(tables), _note(study, courses)
        )
    said = {line["what"]: _interval(line) for _, line in summary(courses).iterrows()}
    figures = (_lead_chart(study, courses), _comeback_chart(study, courses, said["once_low"]))
    tables += [summary_table(courses, f"{ID}-summary"), turns_table(courses, f"{ID}-turns")]
    tables += [lead_table(courses, f"{ID}-leads"), trust_table(courses, f"{ID}-trust")]
    tables += [striking_table(courses, study.main(seats), f"{ID}-watch")]
    answer = " ".join(filter(None, (_said_pace(courses, said), _said_comebacks(courses, said), doubt(courses))))
    return Section(ID, QUESTION, answer, figures, tuple(tables), _note(study, courses))


def _played(study: Study, seats: int) -> Courses:
    """The first games of the main experiment, replayed and judged."""
    experiment = study.main(seats)
    wanted = min(study.budget.replays, experiment.games)
    began = time.perf_counter()

    def told(done: int) -> None:
        if study.watch:
            study.watch("courses", done, wanted)

    courses = played(experiment, wanted, study.jobs, told)
    study.elapsed_s["courses"] = time.perf_counter() - began
    return courses


def _interval(line: pd.Series) -> Interval:
    return Interval(line["estimate"], line["low"], line["high"], int(line["n"]), 0.95)


def _said_pace(courses: Courses, said: dict[str, Interval]) -> str:
    """How long games are, when they are decided, how often the lead changes."""
    half = lengths(courses).set_index("quantile")["turns"][0.5]
    long = f"half of the games are over after {count(half)} turns" if np.isfinite(half) else "most games are stopped"
    since, part, changes, steady = (said[name] for name in ("since", "part", "changes", "steady"))
    return (
        f"{capital(at_seats(courses.seats))} {long}. In half of the games that one seat wins it leads for good by turn "
        f"{count(since.estimate)}; in half of them {percent(part.estimate, 0)} of the game has passed by then. The lead changes "
        f"{number(round(changes.estimate, 1))} times a game {quantity(changes.low, changes.high, changes.n, 'games')}, in "
        f"{percent(steady.estimate)} of the games never."
    )


def _said_comebacks(courses: Courses, said: dict[str, Interval]) -> str:
    """How big a deficit was overcome."""
    low, deep = said["once_low"], said["comeback"]
    down = percent(LOW / courses.seats, 0 if courses.seats == 2 else 1)
    return (
        f"In {percent(low.estimate)} of the games {interval(low.low, low.high, low.n)} the winner had once been down to a chance "
        f"of {down} or less; one winner in ten came back from {percent(deep.estimate, 0)} or less."
    )


def _scores(courses: Courses) -> pd.DataFrame:
    return scores(courses.chance, courses.judged, courses.game, courses.share, courses.key)


def _lead_chart(study: Study, courses: Courses) -> Chart:
    """By turn: how often the seat ahead wins, and how many games are led for good."""
    caption = "Share of the games won by the seat that is ahead at the end of a turn, and share in which the winner leads for "
    caption += f"good by then, with {study.policy} in every seat."
    alt = "Two lines by turn: how often the seat ahead wins, and how many games are led for good."
    return Chart(ID, charts.lines(leads_frame(courses), label="end of turn"), caption, alt)


def leads_frame(courses: Courses) -> pd.DataFrame:
    """What `charts.lines` draws of leads: by turn, how often the seat ahead wins, and how many games are led for good."""
    turns = turns_shown(courses) or [int(turn) for turn in np.unique(courses.turn)[:1]]
    ahead = by_turn(courses, turns)
    good = decided(courses)
    reached = np.searchsorted(good["turns"], turns, side="right") - 1
    columns = ["estimate", "low", "high", "n"]
    parts = [
        ahead[columns].assign(line=LEADS, x=turns),
        good[columns].iloc[reached].assign(line=GOOD, x=turns),
    ]
    return pd.concat(parts, ignore_index=True).assign(panel=f"Leads {at_seats(courses.seats)}")


def _comeback_chart(study: Study, courses: Courses, low: Interval) -> Chart:
    """Share of games whose winner was once down to each chance, beside what a smooth game of equals would have."""
    at = np.round(np.arange(STEP, 1 / courses.seats + STEP / 100, STEP), 6)
    found = comebacks(courses, at.tolist())
    columns = ["estimate", "low", "high", "n"]
    x = np.rint(100 * at).astype(np.int64)
    even = found.assign(estimate=found["even"], low=found["even"], high=found["even"])
    parts = [found[columns].assign(line=FOUND, x=x), even[columns].assign(line=EVEN, x=x)]
    frame = pd.concat(parts, ignore_index=True).assign(panel="Games whose winner was once down to a chance")
    figure = charts.lines(frame, label="down to this chance or less, in per cent")
    caption = (
        "Share of the games whose winner had once been down to a chance, beside that of a game of equal seats whose "
    )
    caption += f"chances move in small steps and are judged right; with {study.policy} in every seat."
    alt = (
        f"Two rising lines: in {percent(low.estimate)} of the games the winner was once down to half of the fair share."
    )
    return Chart(f"{ID}-comebacks", figure, caption, alt)


def _note(study: Study, courses: Courses) -> str:
    """How chances, leads and intervals are made, and what is left out."""
    seats = courses.seats
    note = f"{count(len(courses.index))} games of the main run were replayed. A winning chance is what the game's own judgement "
    note += "says at the last decision of a turn, made comparable over the seats by a conditional logit fitted to other games. A "
    note += f"seat is ahead by {100 * AHEAD / seats:.0f} points of chance or more over every other, and keeps the lead until "
    note += "another is ahead. Games that nobody won, or several together, count for length and endings alone. "
    note += f"{INTERVALS} {trust_words(courses)} "
    known = _scores(courses)
    if np.isfinite(known["skill"].iloc[0]):
        brier = [f"{value:.3f}" for value in known["estimate"]]
        note += f"Brier score {brier[0]} (as judged {brier[1]}, even chances {brier[2]}). "
    note += "The tables show how often judged chances come true; a lead in the first turns is the easiest to overrate. "
    return f"{note}More games: fairfight pace {study.game.name}."
