"""Who beats whom at two seats: the matchup matrix."""

import pandas as pd

from analysis.charts import heatmap
from analysis.matchups import matrix, pairs
from analysis.report.answers.prose import NO_BREAK, interval, number_word, some
from analysis.report.answers.tables import rate_columns, table
from analysis.report.model import Chart, Section
from analysis.study import Study
from analysis.wording import percent
from sim.engine.measures import Question

SURE = 0.05  # adjusted p-value below which a matchup counts as uneven
LOPSIDED = 0.7


def matchups(study: Study, question: Question) -> Section | None:
    """Heat map of all pairs, rows and columns by strength; left out where the game is never played by two, and for teams.

    Teams are too many and meet too seldom; `synergy` shows which of their parts counter which.
    """
    if 2 not in study.seats or len(study.names) < 2 or study.teams:
        return None
    frame = pairs(matrix(study.tally, study.names))
    known = frame[frame["n"] > 0]
    if known.empty:
        return None
    top = known.sort_values(["low", "estimate"], ascending=False, kind="stable").iloc[0]  # not the luck of few games
    answer = (
        f"The most lopsided pair: {top['name']} beats {top['opponent']} in {percent(top['estimate'])} of their games "
    )
    answer += f"{interval(top['low'], top['high'], top['n'])}. {_uneven(known)}"
    word = study.game.entrant_word
    caption = f"Share of the games that the row's {word} wins against the column's, both seatings together, games that nobody "
    caption += "won left out. Orange: the row wins more often; blue: less often; pale: the interval includes 50 %."
    columns = {**rate_columns(name=word, opponent="against"), "p_holm": "p (Holm)"}
    ordered = frame.sort_values(["name", "estimate"], ascending=[True, False], kind="stable")
    numbers = table(ordered, "matchups", "Every pair", columns)
    note = "p (Holm): against an even match, adjusted for all pairs."
    alt = f"Matrix of the win rates of every {word} against every other at two seats. {answer}"
    chart = Chart(question.id, heatmap(frame), caption, alt)
    return Section(question.id, question.text, answer, (chart,), (numbers,), note)


def _uneven(frame: pd.DataFrame) -> str:
    """How many pairs are uneven for sure, and how many are badly so."""
    apart = frame["p_holm"] < SURE
    uneven, lopsided = int(apart.sum()) // 2, int((apart & (frame["estimate"] > LOPSIDED)).sum())
    sure = f"uneven beyond doubt (p{NO_BREAK}<{NO_BREAK}{SURE} after Holm's correction)"
    said = f"Of {some(len(frame) // 2, 'pair')}, {number_word(uneven)} {'is' if uneven == 1 else 'are'} {sure}"
    if not uneven:
        return said.replace(", no ", ", none ") + "."
    return f"{said}; in {number_word(lopsided) if lopsided else 'none'} of them one side wins more than {percent(LOPSIDED, 0)}."
