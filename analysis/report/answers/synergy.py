"""Which parts of teams belong together, and which counter which: what two add beyond what each does by itself."""

from collections.abc import Sequence

import pandas as pd

from analysis.charts import terms
from analysis.contributions import Contributions
from analysis.report.answers.prose import LISTED, number_word, point_interval
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study
from analysis.wording import count, points
from sim.engine.measures import Question

SURE = 0.05  # p-value adjusted (Benjamini and Hochberg) over all pairs, or over all counters
LEAST_P = 0.001  # smaller p-values are not spelt out in a sentence
SLOPE = 0.25  # of a chance by its logit, in an even match
NAMED = 3  # pairs or counters told one by one


def synergy(study: Study, question: Question) -> Section | None:
    """Two maps, parts by parts: worth together, and row against column; left out where the entrants are no teams."""
    found = study.team_study.contributions if study.team_study else None
    if found is None:
        return None
    frames = {"pairs": _judged(found.pairs), "counters": _judged(found.counters)}
    answer = f"{_of_pairs(study, frames['pairs'])} {_of_counters(study, frames['counters'])}"
    charts = tuple(_chart(study, question, found, frame, what) for what, frame in frames.items())
    tables = tuple(_table(question, frame, what) for what, frame in frames.items())
    return Section(question.id, question.text, answer, charts, tables, _note(study, found))


def _judged(frame: pd.DataFrame) -> pd.DataFrame:
    """Add sure; the largest effect, either way, first."""
    frame = frame.assign(sure=frame["p_bh"] < SURE, size=frame["estimate"].abs())
    return frame.sort_values("size", ascending=False, na_position="last", kind="stable", ignore_index=True)


def _of_pairs(study: Study, frame: pd.DataFrame) -> str:
    """The pairs that are surely worth more or less than their parts."""
    sure = frame[frame["sure"]]
    if sure.empty:
        return f"No two {study.units_word} are surely worth more or less together than each is by itself."
    said = [f"{row['first']} and {row['second']} {_effect(row)}" for _, row in sure[:NAMED].iterrows()]
    more = f", and {number_word(len(sure) - NAMED)} more" if len(sure) > NAMED else ""
    return f"Worth surely more (or less) together than each by itself: {_all(said)}{more}."


def _of_counters(study: Study, frame: pd.DataFrame) -> str:
    """Who surely does better, or worse, against whom than against others."""
    sure = frame[frame["sure"]]
    if sure.empty:
        return f"No {study.unit_word} surely counters another."
    said = [f"{a} counters {b} {_effect(row)}" for row, a, b in _turned(sure[:NAMED])]
    more = f", and {number_word(len(sure) - NAMED)} more pairs" if len(sure) > NAMED else ""
    return f"{_all(said)[:1].upper()}{_all(said)[1:]}{more}."


def _all(said: Sequence[str]) -> str:
    """Some clauses in one."""
    assert len(said) <= LISTED
    return "; ".join(said)


def _turned(frame: pd.DataFrame) -> list[tuple[pd.Series, str, str]]:
    """Counters read so that the effect is in favour of the first."""
    rows = []
    for _, row in frame.iterrows():
        if row["estimate"] >= 0:
            rows.append((row, str(row["first"]), str(row["second"])))
        else:
            other = row.copy()
            other["estimate"], other["low"], other["high"] = -row["estimate"], -row["high"], -row["low"]
            rows.append((other, str(row["second"]), str(row["first"])))
    return rows


def _effect(row: pd.Series) -> str:
    """An effect in points, with its interval."""
    return f"{points(row['estimate'])} points {point_interval(row['low'], row['high'])}"


def _chart(study: Study, question: Question, found: Contributions, frame: pd.DataFrame, what: str) -> Chart:
    """One map; parts stand in the order of what they contribute."""
    names = list(found.parts["name"])
    sign = -1 if what == "counters" else 1
    back = frame.assign(first=frame["second"], second=frame["first"], estimate=sign * frame["estimate"])
    both = pd.concat([frame, back], ignore_index=True)
    cells = pd.DataFrame(
        {
            "row": both["first"],
            "column": both["second"],
            "value": both["estimate"],
            "sure": both["sure"],
            "n": both["n"],
        }
    )
    cells = cells.sort_values("row", key=lambda column: column.map(names.index), kind="stable", ignore_index=True)
    team, most = (
        study.game.entrant_word,
        f"Of {number_word(len(frame))} pairs {number_word(int(frame['sure'].sum()))} are sure.",
    )
    if what == "pairs":
        label, corner = f"change of the winning chance by both in one {team}, in points", f"together in one {team}"
        caption = f"What two {study.units_word} in one {team} add to its chance in an even match, beyond what each adds with all "
        caption += "its mates. Orange: they belong together; blue: they get in each other's way; grey: may be chance."
    else:
        label, corner = "change of the row's winning chance, in points", "rows against columns"
        caption = f"What the row's {study.unit_word} gains against the column's in an even match, beyond what it does against "
        caption += "all. Orange: the row does better than elsewhere; blue: worse; grey: may be chance."
    alt = f"Map of what every two {study.units_word} do {corner}. {most}"
    return Chart(f"{question.id}-{what}", terms(cells, label=label, corner=corner), caption, alt)


def _table(question: Question, frame: pd.DataFrame, what: str) -> Table:
    """Every pair of one map."""
    second = {"pairs": "with", "counters": "against"}[what]
    columns = {"first": "one", "second": second, "estimate": "effect", "low": "effect low", "high": "effect high"}
    columns |= {"p_bh": "p (BH)", "n": "n"}
    formats: dict[str, Format] = {**dict.fromkeys(("effect", "effect low", "effect high"), "points"), "p (BH)": "p"}
    caption = {"pairs": "Every pair, the largest effect first", "counters": "Every counter, the largest effect first"}
    return table(frame, f"{question.id}-{what}", caption[what], columns, formats)


def _note(study: Study, found: Contributions) -> str:
    """How the terms are meant, and whether there are any."""
    said = (
        "Both are terms of the model behind the contributions, shrunken towards none by as much as the games ask for,",
        "so that the largest are not the luck of few games.",
        f"A term is sure, and coloured, if p (BH) < {SURE}: Benjamini and Hochberg, over all cells of its map,",
        "without the shrinking; up to one in twenty of those coloured may be chance.",
        *(_group(term, row) for term, row in found.fit.groups.set_index("term").iterrows()),
        f"Intervals rest on {count(found.fit.rounds)} rounds of the design;",
        f"n in the tables counts games in which both {study.units_word} sat as the map says.",
    )
    return " ".join(said)


def _group(term: object, row: pd.Series) -> str:
    """Whether there are pairs, or counters, at all."""
    there = "there are some beyond chance" if row["p"] < SURE else "there may be none"
    p = "< 0.001" if row["p"] < LEAST_P else f"= {row['p']:.3f}"
    size = f"spread {100 * row['spread'] * SLOPE:.1f} points"
    return f"All {term} together: {there} (F = {row['f']:.2f}, p {p}; {size})."
