"""Which part of the teams wins too often: what each contributes to winning, whoever stands beside it or against it."""

import numpy as np
import pandas as pd

from analysis.charts import ranked
from analysis.report import verdicts
from analysis.report.answers.prose import interval, listed, some
from analysis.report.answers.tables import highest, table
from analysis.report.model import Chart, Format, Section, Table
from analysis.report.parts import BAND, SURE, judged
from analysis.study import Study
from analysis.wording import percent, points
from sim.engine.measures import Question


def contributions(study: Study, question: Question) -> Section | None:
    """Sorted dots of what every part contributes, beside the policy of comparison; left out where entrants are no teams.

    The tables add raw win shares and how well the model's chances come true.
    """
    frame = judged(study)
    if frame.empty or not study.teams:
        return None
    answer = _said(study, frame)
    words = (str(study.policy), str(study.beside) if study.beside else "")
    drawn = frame.assign(n=frame["n"].astype(int))
    caption = f"Chance that a {study.game.entrant_word} with this {study.unit_word} beats one that is alike but for an average "
    caption += f"{study.unit_word} in its place, with {study.policy} in every seat, best first"
    caption += f"; below it with {study.beside}." if study.beside else "."
    caption += f" The pale band reaches {verdicts.BAND_WORDS} of an even chance to both sides."
    alt = f"Dot chart of what every {study.unit_word} contributes, with 95 % intervals. {answer}"
    chart = Chart(question.id, ranked(drawn, words=words, band=BAND), caption, alt)
    tables = (_numbers(study, question, frame), _calibration(study, question))
    return Section(question.id, question.text, answer, (chart,), tables, _note(study, frame))
