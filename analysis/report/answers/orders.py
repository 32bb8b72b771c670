"""Whether the order of the entrants stays what it is under other readings of the rules."""

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd
from scipy import stats

from analysis.charts import ranks
from analysis.report.answers.prose import at_seats, listed, number_word, some
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Format, Table
from analysis.study import Study
from sim.engine.measures import Question

ROWS = 20  # readings in the chart


def orders(study: Study, question: Question, frame: pd.DataFrame, default: str) -> tuple[str, Chart, list[Table]]:
    """Sentence, chart and table of the ranks by win rate under every reading.

    frame: one line per reading (`reading`) and name: before, after, their bounds (before_low, ...), n. A change of places is
    beyond chance where the win rate moves for sure (`sure`) and the order turns round with somebody whose interval lies apart,
    both before and after.
    """
    found = _ranked(frame, default)
    kept = _kept(found, default)
    said = _said(found, study.units_word, default)
    caption = (
        f"Ranks of the {study.units_word} by win rate under each reading, {at_seats(study.seats_for(question))} with "
    )
    caption += f"{study.policy} in every seat: the rules as played above, then the readings that change the order most."
    left = found["variant"].nunique() - len(kept)
    caption += f" {some(left, 'reading').capitalize()} with fewer changes not drawn." if left else ""
    chart = ranks(found[found["variant"].isin(kept)].assign(order=_places(found, kept)).sort_values(["order", "rank"]))
    alt = f"Lines from rank to rank, a row per reading. {said}"
    columns = {
        "variant": "reading",
        "rank": "rank",
        "name": study.unit_word,
        "estimate": "win rate",
        "was": "rank as played",
    }
    columns |= {"sure": "beyond chance", "tau": "Kendall's tau", "n": "n"}
    formats: dict[str, Format] = {"rank": "count", "rank as played": "count", "Kendall's tau": "number"}
    shown = table(found, f"{question.id}-ranks", "Ranks under every reading", columns, formats)
    return said, Chart(f"{question.id}-ranks", chart, caption, alt), [shown]


def _ranked(frame: pd.DataFrame, default: str) -> pd.DataFrame:
    """One line per reading and name, the rules as played first: variant, name, rank, was, estimate, n, sure, tau."""
    first = frame[frame["reading"] == frame["reading"].iloc[0]]
    before = _rank(first["before"])
    was = dict(zip(first["name"], before, strict=True))
    start = {"variant": default, "name": first["name"], "rank": before, "was": before, "estimate": first["before"]}
    parts = [pd.DataFrame({**start, "n": first["n"], "sure": False, "tau": 1.0}).sort_values("rank")]
    for reading, part in frame.groupby("reading", sort=False):
        rank = _rank(part["after"])
        known = part["name"].map(was)
        tau = float(stats.kendalltau(rank, known).statistic) if len(part) > 1 else 1.0
        columns = {"variant": reading, "name": part["name"], "rank": rank, "was": known, "estimate": part["after"]}
        lines = pd.DataFrame({**columns, "n": part["n"], "sure": _swapped(part), "tau": tau})
        parts.append(lines.sort_values("rank"))
    return pd.concat(parts, ignore_index=True)


def _rank(share: pd.Series) -> pd.Series:
    return share.rank(ascending=False, method="first").astype(int)


def _swapped(part: pd.DataFrame) -> list[bool]:
    """By name: whether it changes places with another one beyond chance."""
    lines = part.to_dict("records")
    return [any(_turned(one, other) for other in lines) for one in lines]


def _turned(one: Mapping[Hashable, Any], other: Mapping[Hashable, Any]) -> bool:
    """Whether two stand apart before and after, the other way round."""
    if not (one["sure"] or other["sure"]):
        return False
    above = one["before_low"] > other["before_high"] and one["after_high"] < other["after_low"]
    below = one["before_high"] < other["before_low"] and one["after_low"] > other["after_high"]
    return bool(above or below)


def _kept(found: pd.DataFrame, default: str) -> list[str]:
    """The rules as played, then the readings that turn the order most."""
    others = found[found["variant"] != default].drop_duplicates("variant")
    ordered = others.sort_values("tau", kind="stable")["variant"]
    return [default, *ordered[:ROWS]]


def _places(found: pd.DataFrame, kept: list[str]) -> list[int]:
    return [kept.index(variant) for variant in found["variant"] if variant in kept]


def _said(found: pd.DataFrame, words: str, default: str) -> str:
    """How many readings keep the order, and which change it beyond chance."""
    others = found[found["variant"] != default]
    tau = others.drop_duplicates("variant").set_index("variant")["tau"]
    same, all_ = int((tau == 1).sum()), len(tau)
    said = f"The order of the {words} stays what it is under {number_word(same)} of {some(all_, 'reading')}"
    sure = list(dict.fromkeys(others[others["sure"]]["variant"]))
    if sure:
        quoted = [f"\u201c{one}\u201d" for one in sure]
        return f"{said}; beyond chance it changes under {listed(quoted)}."
    return f"{said}; under none does it change beyond chance."
