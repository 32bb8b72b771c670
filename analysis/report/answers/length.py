"""How long games last and how many are stopped at the limit."""

import pandas as pd

from analysis.charts import ecdf
from analysis.pace import length_distribution, quantiles, truncated_share
from analysis.report.answers.prose import at_seats, capital, listed
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Section
from analysis.study import Study
from analysis.wording import count, percent
from sim.engine.measures import Question

WANTED = (0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)


def length(study: Study, question: Question) -> Section:
    """Cumulative distribution of the length by number of seats.

    Roles: length (measure per game; the turns, if absent).
    """
    games, unit = _lengths(study, question)
    frame = length_distribution(games)
    truncated = truncated_share(games).assign(middle=_middles(games))
    frame = frame.merge(truncated[["seats", "estimate"]].rename(columns={"estimate": "truncated"}), on="seats")
    reached = quantiles(games, WANTED)
    answers = [_typical(reached, row, unit) for _, row in truncated.iterrows()]
    stopped = [
        f"{percent(row['estimate'], 2)} {at_seats(row['seats'])}" for _, row in truncated.iterrows() if row["truncated"]
    ]
    answer = f"{' '.join(answers)} Stopped at {study.limit_words}: {listed(stopped) or 'none'}."
    columns = {"turns": unit, "quantile": "share of games over", "low": f"{unit}, low", "high": f"{unit}, high"}
    middle = {"middle": f"median of the others, {unit}"} if truncated["truncated"].any() else {}
    tables = (
        table(
            reached, "length", "Lengths", {"seats": "seats", **columns, "n": "n"}, {"share of games over": "percent"}
        ),
        table(
            truncated,
            "length-truncated",
            "Games stopped at the limit",
            {"seats": "seats", "truncated": "stopped", "estimate": "share", "low": "low", "high": "high", "n": "n"}
            | middle,
            {"stopped": "count"},
        ),
    )
    caption = f"Share of the games that are over after so many {unit}, with {study.policy} in every seat."
    caption += " A turn is one seat's." if unit == "turns" else ""
    note = "Stopped games count as longer than any length shown. Intervals of lengths are order statistics."
    chart = Chart(
        question.id, ecdf(frame, label=unit), caption, f"Cumulative distribution of the length of games. {answer}"
    )
    return Section(question.id, question.text, answer, (chart,), tables, note)


def _lengths(study: Study, question: Question) -> tuple[pd.DataFrame, str]:
    """The games with their lengths in the column `turns`, and the unit of these."""
    field = question.roles.get("length")
    if field is None:
        return study.games_frame, "turns"
    return study.games_frame.assign(turns=study.games_frame[field]), study.measure(field).unit or "turns"


def _middles(games: pd.DataFrame) -> list[float]:
    """Median length of the games that came to an end, by number of seats; NaN where none did."""
    return [float(part.loc[part["finished"], "turns"].median()) for _, part in games.groupby("seats")]


def _typical(reached: pd.DataFrame, row: pd.Series, unit: str) -> str:
    """Median and 90 % point at so many seats; where most games are stopped, the median of the others."""
    seats = int(row["seats"])
    part = reached[reached["seats"] == seats].set_index("quantile")["turns"]
    if pd.isna(part[0.5]):
        said = f"{capital(at_seats(seats))} fewer than half of the games come to an end"
        return said + (
            f"; those that do take {count(row['middle'])} {unit} (median)." if row["n"] > row["truncated"] else "."
        )
    said = f"{capital(at_seats(seats))} half of the games are over after {count(part[0.5])} {unit}"
    return said + (f", nine in ten after {count(part[0.9])}." if pd.notna(part[0.9]) else ".")
