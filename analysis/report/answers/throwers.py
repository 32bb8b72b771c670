"""By which ability entrants are thrown out, and how: the abilities of those who are credited with the falls."""

from typing import Any

import numpy as np
import pandas as pd

from analysis.charts import stacked
from analysis.report.answers.prose import NO_BREAK, at_seats, interval, plural
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Table
from analysis.study import Study
from analysis.usage import category_shares
from analysis.wording import count, percent
from sim.engine.measures import Question

SHOWN = 16  # abilities in the chart
THROWER = "thrower"  # column: thrower and ability


def throwers(study: Study, question: Question, frame: pd.DataFrame, seats: int) -> tuple[str, Chart, tuple[Table, ...]]:
    """Sentence, chart and tables of the falls at so many seats by the ability that brought them about.

    frame: the falls, with whom each is credited to in `credited` (entrant, -1: nobody). Roles: cause, ability (which one of
    the credited entrant's, -1: none). Settings: chain (causes that pass through another piece; said, if given).
    """
    cause = question.roles["cause"]
    thrown = _named(study, frame, question.roles["ability"])
    overall = category_shares(thrown.assign(name=_all(len(thrown), "all")), [THROWER])
    overall = overall.sort_values("count", ascending=False, kind="stable")
    how = category_shares(thrown.assign(name=thrown[THROWER]), [cause], question.settings.get("leave_out", ()))
    how = how[how["n"] > 0]
    seen = how.groupby("category", observed=False)["count"].transform("sum") > 0
    rank = {name: place for place, name in enumerate(overall["category"].astype(str))}
    how = how[seen].assign(rank=how["name"].astype(str).map(rank).astype(int))
    how = how.sort_values("rank", kind="stable", ignore_index=True)
    shown = how[how["rank"] < SHOWN]
    answer = _said(study, overall, frame, question)
    word = study.game.entrant_word
    caption = f"What throws the {plural(word)} out {at_seats(seats)}, by whom and with what: most falls first, each bar cut into "
    caption += f"how they came about, with {study.policy} in every seat."
    hidden = len(rank) - shown["name"].nunique()
    caption += f" {count(hidden)} with fewer falls are in the table only." if hidden else ""
    alt = f"Stacked bars of how each ability throws {plural(word)} out. {answer}"
    chart = Chart(f"{question.id}-by-ability", stacked(shown, unit="falls", order="given"), caption, alt)
    return answer, chart, _tables(overall, how, seats)


def _tables(overall: pd.DataFrame, how: pd.DataFrame, seats: int) -> tuple[Table, Table]:
    """Share of all falls by ability, and how each ability's falls came about."""
    ends = {"count": "falls", "estimate": "share", "low": "low", "high": "high", "n": "n"}
    return (
        table(
            overall,
            "falls-by-ability",
            f"By which ability {at_seats(seats)}",
            {"category": "thrown out by", **ends},
            {"falls": "count"},
        ),
        table(
            how,
            "falls-by-ability-how",
            f"How each ability throws out {at_seats(seats)}",
            {"name": "thrown out by", "category": "how", **ends},
            {"falls": "count"},
        ),
    )


def _named(study: Study, frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """The falls that an ability is credited with; thrower and ability in words, as a category."""
    known = frame[(frame["credited"] >= 0) & (frame[column] >= 0)]
    parts = int(known[column].max()) + 1 if len(known) else 0
    words = [f"{name}: {part}" for at, name in enumerate(study.names) for part in study.part_names(at, parts)]
    codes = known["credited"].to_numpy(np.int64) * parts + known[column].to_numpy(np.int64)
    used = np.unique(codes)
    unique = pd.Index([words[code] for code in used])
    return known.assign(**{THROWER: pd.Categorical.from_codes(np.searchsorted(used, codes), unique)})


def _all(size: int, word: str) -> Any:
    return pd.Categorical([word] * size, categories=[word])


def _said(study: Study, overall: pd.DataFrame, frame: pd.DataFrame, question: Question) -> str:
    """Which ability throws most out, and how many falls come through another piece."""
    if overall.empty:
        return ""
    top = overall.iloc[0]
    said = f" Most {plural(study.game.entrant_word)} are thrown out by {str(top['category']).replace(': ', ':' + NO_BREAK)}, "
    said += f"{percent(top['estimate'])} of the falls {interval(top['low'], top['high'], top['n'], 'falls')}"
    chain = question.settings.get("chain", ())
    if chain:
        shares = category_shares(frame.assign(name=_all(len(frame), "all")), [question.roles["cause"]])
        part = float(shares.loc[shares["category"].isin(chain), "estimate"].sum())
        said += f"; {percent(part)} of all falls come in chains, through another piece"
    return said + "."
