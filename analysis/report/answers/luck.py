"""Whether it decides who wins when something first happened to a seat: the luck of what turns up."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis.charts import trend
from analysis.contrasts import rank_correlation
from analysis.estimates import Interval, proportions
from analysis.matchups import fair_share
from analysis.report.answers.prose import at_seats, capital, interval, listed, size
from analysis.report.answers.tables import WIN_RATE, table
from analysis.report.model import Chart, Format, Section
from analysis.study import Study, finished
from analysis.wording import count, decimal, percent
from sim.engine.measures import Question

BINS = 5  # of those to whom it happened, about equally many seats each
NEVER = "never"
LEAST = 20  # seats in a bin
ENOUGH = 400  # seats of finished games from which on the sentence is about as many seats as there are


def luck(study: Study, question: Question) -> Section | None:
    """Win share against when it first happened, in bins, one line per number of seats; rank correlation.

    Roles: turn (measure per seat: round or turn of the first). Settings: never (its value where there was none), bins (how
    many).
    """
    column = question.roles.get("turn")
    if column is None:
        return None
    measure = study.measure(column)
    never = int(question.settings.get("never", ("0",))[0])
    bins = int(question.settings.get("bins", (str(BINS),))[0])
    parts, ties = [], {}
    for seats in study.seats:
        frame = finished(study.seats_frame, seats)
        if len(frame) and (frame[column] != never).any():
            fair = fair_share(seats, float(study.tally.decided[seats]))
            parts.append(_binned(frame, column, never, bins).assign(seats=seats, fair=fair))
            late = np.where(frame[column] == never, np.inf, frame[column].to_numpy(np.float64))
            ties[seats] = rank_correlation(frame, late)
    if not parts:
        return None
    whole = pd.concat(parts, ignore_index=True)
    most = max(ties, key=lambda seats: (min(ties[seats].n, ENOUGH), seats))
    label, unit = measure.label.lower(), measure.unit or "turns"
    answer = f"{_said(whole[whole['seats'] == most], label)} {_tied(ties)}".strip()
    caption = (
        f"Win share of the seats by {label}, about equally many seats to a dot, with {study.policy} in every seat."
    )
    chart = trend(whole, x_label=label if unit.removesuffix("s") in label else f"{label}, {unit}")
    columns = {"seats": "seats", "bin": label, "estimate": WIN_RATE, "low": "low", "high": "high", "n": "n"}
    correlations = pd.DataFrame(
        [
            {"seats": seats, "tie": tie.estimate, "low": tie.low, "high": tie.high, "n": tie.n}
            for seats, tie in ties.items()
        ]
    )
    numbers: dict[str, Format] = {"rank correlation": "number", "low": "number", "high": "number"}
    tied = {"seats": "seats", "tie": "rank correlation", "low": "low", "high": "high", "n": "n"}
    tables = (
        table(whole, "luck", f"Win share by {label}", {**columns, "fair": "fair share"}),
        table(correlations, "luck-correlation", f"Win share and {label}", tied, numbers),
    )
    alt = f"Lines of the win share by {label}, one per number of seats. {answer}"
    return Section(question.id, question.text, answer, (Chart(question.id, chart, caption, alt),), tables, _note())


def _note() -> str:
    """What the lines do not prove, and how the correlation is meant."""
    note = "This is no proof of a cause: whoever lives longer and plays better also sees more, so that \u201cnever\u201d says "
    note += "little of luck. Rank correlation: Spearman's, \u201cnever\u201d after all rounds; below nought early goes with "
    note += "winning; its interval leaves out groups of whole games in turn, since the seats of one game share one win. n: seats "
    return note + "of finished games."


def _binned(frame: pd.DataFrame, column: str, never: int, bins: int) -> pd.DataFrame:
    """Win share by bin: bin (words), middle (median of the bin, nan for never), estimate, low, high (Wilson), n."""
    when = frame[column].to_numpy(np.float64)
    dated = when != never
    bins = min(bins, max(1, int(dated.sum()) // LEAST))
    edges = np.unique(np.quantile(when[dated], np.arange(1, bins + 1) / bins, method="inverted_cdf"))
    place = np.where(dated, np.searchsorted(edges, when), edges.size)
    size = edges.size + 1
    n, wins = np.bincount(place, minlength=size), np.bincount(place, frame["share"].to_numpy(np.float64), size)
    known = [when[place == at] for at in range(edges.size)]
    words = [_range(part.min(), part.max()) if part.size else "" for part in known]
    middle = [float(np.median(part)) if part.size else np.nan for part in known]
    table = proportions(wins.clip(0, n), n).assign(bin=[*words, NEVER], middle=[*middle, np.nan])
    return table[table["n"] > 0].reset_index(drop=True)


def _range(low: float, high: float) -> str:
    return count(low) if low == high else f"{count(low)} to {count(high)}"


def _said(part: pd.DataFrame, label: str) -> str:
    """Win shares of the earliest and the latest bin, and of those to whom it never came."""
    seats = int(part["seats"].iloc[0])
    dated = part[part["bin"] != NEVER]
    first, last = dated.iloc[0], dated.iloc[-1]
    said = (
        f"{capital(at_seats(seats))} the win share is {percent(first['estimate'])} where the {label} is {first['bin']} "
    )
    said += interval(first["low"], first["high"], first["n"])
    if len(dated) > 1:
        said += (
            f", {percent(last['estimate'])} where it is {last['bin']} {interval(last['low'], last['high'], last['n'])}"
        )
    without = part[part["bin"] == NEVER]
    if len(without):
        row = without.iloc[0]
        said += f", {percent(row['estimate'])} where it never came {interval(row['low'], row['high'], row['n'])}"
    return f"{said}."


def _tied(ties: Mapping[int, Interval]) -> str:
    """Rank correlations at every number of seats."""
    said = []
    for seats, tie in ties.items():
        bounds = f"95 % interval {_signed(tie.low)} to {_signed(tie.high)}, " if np.isfinite(tie.low) else ""
        if np.isfinite(tie.estimate):
            said.append(f"{_signed(tie.estimate)} {at_seats(seats)} ({bounds}{size(tie.n)})")
    return f"Rank correlation of win share and how late it comes: {listed(said)}." if said else ""


def _signed(value: float) -> str:
    return decimal(value, 2, signed=True)
