"""Quantities by entrant beside the effect of a rule, see `sim.engine.questions.RuleOff`."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import charts
from analysis.answer.model import DrawnChart
from analysis.answer.prose import amount, capital, listed, size
from analysis.answer.tables import AMOUNTS, Table, estimate_columns, highest, lowest, table
from analysis.data.rows import rates
from analysis.data.study import Study, at, contest, numbers
from sim.engine.questions import RuleOff

ALL = "all together"
ROWS = 24  # entrants in the chart; if there are more, those with most and fewest of the first quantity
SMALL = 0.1  # smaller values get a third decimal

Floats = NDArray[np.float64]


def quantities(study: Study, question: RuleOff) -> pd.DataFrame:
    """One row per quantity and entrant, with the total over entrants last: panel, name, estimate, low, high, n, sum, base."""
    frame = at(study.seats_frame, contest(study))
    if frame.empty or not question.quantities:
        return pd.DataFrame()
    game, entrant, names = frame["game"].to_numpy(), frame["entrant"].to_numpy(np.int64), study.names

    def of(field: str) -> Floats:
        """Values of a measure by seat, summed if it has several numbers."""
        return np.asarray(np.nan_to_num(numbers(frame, study.measure(field))).sum(axis=1))

    tables = []
    for words, field in question.quantities.items():
        value, base = of(field), of(question.per[words]) if words in question.per else np.ones(len(frame))
        each = rates(game, entrant, value, base).reindex(range(len(names))).assign(name=names)
        whole = rates(game, np.zeros(len(frame), np.int64), value, base).assign(name=ALL)
        both = pd.concat([each[each["n"] > 0], whole], ignore_index=True)
        open_ = ~(np.isfinite(both["low"]) & np.isfinite(both["high"]))
        tables.append(both.assign(low=both["low"].clip(lower=0).mask(open_), high=both["high"].mask(open_), panel=words))
    return pd.concat(tables, ignore_index=True)


def chart_of(study: Study, question: RuleOff, rows: pd.DataFrame, id_: str = "") -> DrawnChart:
    """Dots of all `quantities`."""
    each, word = rows[rows["name"] != ALL], study.game.entrant_word
    panels = list(dict.fromkeys(each["panel"]))
    kept = list(each[each["panel"] == panels[0]].sort_values("estimate", ascending=False, kind="stable")["name"])
    many = len(kept) > ROWS
    kept = [*kept[: ROWS // 2], *kept[-(ROWS // 2) :]] if many else kept
    drawn = each[each["name"].isin(kept)]
    drawn = drawn.assign(rank=drawn["name"].map(kept.index), order=drawn["panel"].map(panels.index))
    caption = f"{capital(listed(panels))}, by {word}, {study.where(contest(study))}; separate scales, from zero."
    caption += f" Shown are the {ROWS} with most and fewest of the first quantity." if many else ""
    alt = f"Dots with intervals, a panel per quantity, a row per {word}. {said(question, rows)}"
    return DrawnChart(id_ or question.id, charts.dots(drawn.sort_values(["order", "rank"], kind="stable")), caption, alt)


def table_of(study: Study, question: RuleOff, rows: pd.DataFrame, id_: str = "") -> Table:
    """Table of every quantity by entrant."""
    columns = estimate_columns("mean", panel="what", name=study.game.entrant_word)
    return table(rows, id_ or question.id, "What is done", columns, AMOUNTS)


def said(question: RuleOff, rows: pd.DataFrame) -> str:
    """Each quantity over all entrants, and the entrants with most and least of it."""

    def short(value: float) -> str:
        return amount(value) if not 0 < abs(value) < SMALL else f"{value:.3f}"

    def with_interval(row: pd.Series) -> str:
        known = f"{short(row['low'])} to {short(row['high'])}" if row["low"] <= row["high"] else "no interval"
        return f"{short(row['estimate'])} ({known})"

    sentences = []
    for words, part in rows.groupby("panel", sort=False):
        whole, each = part.iloc[-1], part.iloc[:-1]
        if (question.told and words not in question.told) or not np.isfinite(whole["estimate"]):
            continue
        bounds = f"95 % interval {short(whole['low'])} to {short(whole['high'])}, " if whole["low"] <= whole["high"] else ""
        line = f"{capital(str(words))}: {short(whole['estimate'])} ({bounds}{size(whole['n'])} games)"
        known = each[each["estimate"].notna()]
        if len(known) > 1 and known["estimate"].max() > known["estimate"].min():
            top, bottom = highest(known, "estimate"), lowest(known, "estimate")
            line += f"; most with {top['name']}, {with_interval(top)}, least with {bottom['name']}, {with_interval(bottom)}"
        sentences.append(f"{line}.")
    return " ".join(sentences)


def note_of(question: RuleOff) -> str:
    """How the quantities were counted."""
    note = "All games, including stopped ones. Means are per seat and game; a quantity per something is the sum of one over "
    note += "the sum of the other. Intervals are those of ratios over games, because the seats of a game are correlated; "
    return f"{note}n: games. {question.note}".strip()
