"""How early players are out, and how long those who are first to go wait for the end."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.charts import survival
from analysis.estimates import mean, proportion, ratio
from analysis.pace import survival as survival_table
from analysis.report.answers.prose import amount, at_seats, capital
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study, finished
from analysis.wording import count, percent
from sim.engine.measures import Question

SHOWN = 60  # lines of the table of the curves, per curve


def waiting(study: Study, question: Question) -> Section | None:
    """Survival curves per place; the first to fall, in round 1 and after, in the table.

    Roles: turn (measure per seat, the turn in which it went out). Settings: never (its value for who did not).
    """
    turn = question.roles.get("turn")
    if turn is None or not study.contests:
        return None
    never = int(question.settings.get("never", ("-1",))[0])
    whole = study.seats_frame
    frame = survival_table(whole[whole["seats"] > 1], turn, never)
    if frame.empty:
        return None
    waits = pd.DataFrame([_first_out(whole, seats, turn, never) for seats in study.contests])
    answer = " ".join(_said(row) for _, row in waits.iterrows())
    caption = f"Share of the games in which the first, second, ... to go is still in after so many turns, with {study.policy} "
    caption += "in every seat."
    note = "Round 1: nobody has had a second turn. Waiting: turns from the first fall to the end, finished games only."
    tables = (_first_table(waits), _curves(frame))
    alt = f"Falling curves, one per place, a panel per number of seats. {answer}"
    return Section(
        question.id, question.text, answer, (Chart(question.id, survival(frame), caption, alt),), tables, note
    )


def _first_table(waits: pd.DataFrame) -> Table:
    """When the first is out, and its wait."""
    columns = {"seats": "seats", "early": "first out in round 1", "early_low": "low", "early_high": "high", "n": "n"}
    columns |= {"fell": "median turn of the first fall", "wait": "mean turns waited", "wait_low": "turns, low"}
    columns |= {"wait_high": "turns, high", "share": "share of the game waited", "finished": "finished games"}
    formats: dict[str, Format] = {"first out in round 1": "percent", "share of the game waited": "percent"}
    return table(waits, "waiting", "The first to be out", columns, formats)


def _curves(frame: pd.DataFrame) -> Table:
    """The curves, at most SHOWN lines of each, evenly picked."""
    parts = [part.iloc[:: max(1, -(-len(part) // SHOWN))] for _, part in frame.groupby(["seats", "faller"])]
    columns = {"seats": "seats", "faller": "to fall as number", "turns": "turns", "estimate": "share"}
    return table(
        pd.concat(parts, ignore_index=True),
        "survival",
        "The curves",
        {**columns, "low": "low", "high": "high", "n": "n"},
    )


def _first_out(whole: pd.DataFrame, seats: int, turn: str, never: int) -> dict[str, object]:
    """When the first falls and how long it waits, at so many seats."""
    first, _ = _first_falls(whole[whole["seats"] == seats], seats, turn, never)
    early = proportion(float((first <= seats).sum()), first.size)
    row: dict[str, object] = {"seats": seats, "early": early.estimate, "early_low": early.low, "early_high": early.high}
    done = finished(whole, seats)
    gone, ends = _first_falls(done, seats, turn, never)
    median = float(np.quantile(first, 0.5, method="inverted_cdf")) if first.size else np.nan
    row |= {"n": first.size, "fell": median if np.isfinite(median) else np.nan, "finished": gone.size}
    fell = np.isfinite(gone)
    if seats > 2 and fell.sum() >= 2:
        waited = mean(ends[fell] - gone[fell])
        row |= {"wait": waited.estimate, "wait_low": waited.low, "wait_high": waited.high}
        row["share"] = ratio(ends[fell] - gone[fell], ends[fell]).estimate
    return {"wait": np.nan, "wait_low": np.nan, "wait_high": np.nan, "share": np.nan, **row}


def _first_falls(
    frame: pd.DataFrame, seats: int, turn: str, never: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Turn of the first fall (infinite if nobody fell) and turns of the game, one per game."""
    out = frame[turn].to_numpy(np.float64).reshape(-1, seats)
    return np.where(out == never, np.inf, out).min(axis=1), frame["turns"].to_numpy(np.float64).reshape(-1, seats)[:, 0]


def _said(row: pd.Series) -> str:
    """One sentence per number of seats."""
    seats = int(row["seats"])
    fell = f"after {count(row['fell'])} turns" if pd.notna(row["fell"]) else "never"
    said = f"{capital(at_seats(seats))} the first is out {fell} in half of the games, in round 1 in {percent(row['early'])}"
    if pd.notna(row["wait"]):
        said += f", and then waits {amount(row['wait'])} turns on average, {percent(row['share'], 0)} of the game"
    return said + "."
