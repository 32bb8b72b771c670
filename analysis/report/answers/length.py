"""How long games last and how many are stopped at the limit."""

import pandas as pd

from analysis.charts import ecdf
from analysis.pace import capped_share, length_distribution, quantiles
from analysis.report.answers.prose import at_seats, capital, listed
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Section
from analysis.study import Study
from analysis.wording import count, percent
from sim.engine.measures import Question

WANTED = (0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)


def length(study: Study, question: Question) -> Section:
    """Cumulative distribution of the turns by number of seats."""
    frame = length_distribution(study.games_frame)
    capped = capped_share(study.games_frame)
    frame = frame.merge(capped[["seats", "estimate"]].rename(columns={"estimate": "capped"}), on="seats")
    reached = quantiles(study.games_frame, WANTED)
    answers = [_typical(reached, seats) for seats in capped["seats"]]
    stopped = [
        f"{percent(row['estimate'], 2)} {at_seats(row['seats'])}" for _, row in capped.iterrows() if row["capped"]
    ]
    answer = f"{' '.join(answers)} Stopped at {study.limit_words}: {listed(stopped) or 'none'}."
    unit = {"turns": "turns", "quantile": "share of games over", "low": "turns, low", "high": "turns, high"}
    tables = (
        table(reached, "length", "Lengths", {"seats": "seats", **unit, "n": "n"}, {"share of games over": "percent"}),
        table(
            capped,
            "length-capped",
            "Games stopped at the limit",
            {"seats": "seats", "capped": "stopped", "estimate": "share", "low": "low", "high": "high", "n": "n"},
            {"stopped": "count"},
        ),
    )
    caption = f"Share of the games that are over after so many turns, with {study.policy} in every seat. A turn is one seat's."
    note = "Stopped games count as longer than any length shown. Intervals of lengths are order statistics."
    chart = Chart(question.id, ecdf(frame), caption, f"Cumulative distribution of the length of games. {answer}")
    return Section(question.id, question.text, answer, (chart,), tables, note)


def _typical(reached: pd.DataFrame, seats: int) -> str:
    """Median and 90 % point at so many seats."""
    part = reached[reached["seats"] == seats].set_index("quantile")["turns"]
    if pd.isna(part[0.5]):
        return f"{capital(at_seats(seats))} fewer than half of the games come to an end."
    said = f"{capital(at_seats(seats))} half of the games are over after {count(part[0.5])} turns"
    return said + (f", nine in ten after {count(part[0.9])}." if pd.notna(part[0.9]) else ".")
