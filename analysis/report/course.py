"""The table at the head of a report: how the games went at each number of seats."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.answer.numbers import Format, percent
from analysis.answer.tables import Table
from analysis.data.facts import is_length
from analysis.data.rows import at
from analysis.data.study import Study
from analysis.data.usage import truncated_share
from sim.engine.questions import Ask

STOPPED = "stopped at a limit"
TURNS = "turns"  # length of games that count nothing else


def course(study: Study) -> Table:
    """Length, truncated games, games without a winner, and endings at each number of seats."""
    length, unit = _length(study)
    ending = ending_of(study)
    columns = ["seats", "games", f"{unit}, median", "10 to 90 %", "truncated", "no winner"]
    columns += ["how they end, most often"] if ending else []
    truncated, rows = truncated_share(study.games_frame).set_index("seats"), []
    for seats in study.seats:
        games, tally = at(study.games_frame, seats), study.tally
        low, middle, high = np.quantile(games[length], [0.1, 0.5, 0.9], method="inverted_cdf")
        unwon = tally.lost[seats] / tally.finished[seats] if tally.finished[seats] else None
        row = [seats, len(games), int(middle), f"{low:.0f}\u2013{high:.0f}", truncated["estimate"][seats], unwon]
        rows.append((*row, *([_most_frequent(games, ending)] if ending else [])))
    formats: dict[str, Format] = {"truncated": "percent", "no winner": "percent"}
    return Table("course", tuple(columns), tuple(rows), "How the games went", formats)


def _length(study: Study) -> tuple[str, str]:
    """Column of the length that the report asks about, and its unit."""
    lengths = {measure.field: measure.unit for measure in study.measures if is_length(measure)}
    asked = (question for question in study.game.questions if isinstance(question, Ask) and question.question == "times")
    named = next((word for question in asked for word in question.measures if word in lengths), "")
    return (named, lengths[named] or TURNS) if named else (TURNS, TURNS)


def ending_of(study: Study) -> str:
    """Column of the ending that the report asks about; empty if it asks about none."""
    known = {measure.field for measure in study.measures if measure.per == "game" and measure.kind == "category"}
    asked = (question for question in study.game.questions if isinstance(question, Ask) and question.question == "categories")
    return next((word for question in asked for word in question.measures if word in known), "")


def _most_frequent(games: pd.DataFrame, ending: str) -> str:
    """The three most frequent endings with their shares of all games."""
    words = pd.Series(np.where(games["finished"], games[ending].astype(str), STOPPED))
    return ", ".join(f"{word} {percent(share, 0)}" for word, share in words.value_counts(normalize=True).head(3).items())
