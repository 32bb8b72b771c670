"""What harms whom: amounts by cause of each entrant, one chart per kind of harm."""

import pandas as pd

from analysis.amounts import TOTAL, means
from analysis.charts import amounts
from analysis.charts.style import CATEGORIES
from analysis.report.answers.members import at, contest
from analysis.report.answers.prose import amount, at_seats, capital, listed, quantity, rounded
from analysis.report.answers.tables import highest, lowest, table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study
from sim.engine.measures import Measure, Question

RARE = 0.02  # of the whole: causes below this are drawn together
OTHER = "other"
ROWS = 32  # entrants in a chart; where there are more, those with most


def toll(study: Study, question: Question) -> Section | None:
    """Stacked bars of the mean amount by cause and entrant, a chart for each measure with parts; the others in a table.

    Roles: names of what is harmed -> measures per seat, in the order of the charts: those with one number per cause are
    drawn (damage to the player, deaths of creatures), plain numbers stand beside in a table. Settings: rare (share below which
    causes are drawn together).
    """
    if not study.contests or not question.roles:
        return None
    seats, rare = contest(study), float(question.settings.get("rare", (str(RARE),))[0])
    frame = at(study.seats_frame, seats)
    measures = [study.measure(field) for field in question.roles.values()]
    told, charts, tables = [], [], []
    for measure in measures:
        if not measure.parts:
            continue
        found = means(frame, ["name"], measure.field, measure.parts)
        if not found["sum"].sum():
            continue
        found = found.assign(low=found["low"].clip(lower=0))
        told.append(_said(found, measure))
        charts.append(_chart(study, found, measure, (question.id, rare, seats)))
        tables.append(_causes(study, found, measure, question.id))
    plain = [measure for measure in measures if not measure.parts]
    if not charts:
        return None
    tables += [_beside(study, frame, plain, question.id)] if plain else []
    note = f"All games, {at_seats(seats)}; those that were stopped count as far as they went. Intervals are those of ratios over "
    note += "games, since the seats of one game hang together. Rare causes are drawn together; the tables have each."
    answer = " ".join(told)
    return Section(question.id, question.text, answer, tuple(charts), tuple(tables), note)


def _unit(measure: Measure) -> str:
    return measure.unit or measure.label.lower()


def _chart(study: Study, found: pd.DataFrame, measure: Measure, how: tuple[str, float, int]) -> Chart:
    """Bars of one measure; how: id of the question, share of what is rare, seats."""
    id_, rare, seats = how
    caption = (
        f"{measure.label} per game of each {study.game.entrant_word} by cause, {at_seats(seats)} with {study.policy} "
    )
    caption += "in every seat."
    alt = f"Stacked bars by cause, one per {study.game.entrant_word}. {_said(found, measure)}"
    figure = amounts(_drawn(found, rare).assign(panel=measure.label), panels="panel", unit=f"{_unit(measure)} per game")
    return Chart(f"{id_}-{measure.field.replace('_', '-')}", figure, caption, alt)


def _drawn(found: pd.DataFrame, rare: float) -> pd.DataFrame:
    """The frame of the bars: the most frequent cause first, rare ones as OTHER, entrants with most first."""
    parts, totals = found[found["part"] != TOTAL], found[found["part"] == TOTAL]
    shares = parts.groupby("part", sort=False)["sum"].sum().sort_values(ascending=False, kind="stable")
    shares = shares[shares > 0] / shares.sum()
    kept = [str(name) for name, share in shares.items() if share >= rare][: len(CATEGORIES)]
    kept = kept if len(kept) == len(shares) else kept[: len(CATEGORIES) - 1]
    frame = parts.assign(category=parts["part"].where(parts["part"].isin(kept), OTHER))
    frame = frame.groupby(["name", "category"], observed=True)["estimate"].sum().reset_index()
    ends = totals.rename(columns={"estimate": "total"})[["name", "total", "low", "high", "n"]]
    ends = ends.sort_values("total", ascending=False, kind="stable").head(ROWS)
    frame = ends.merge(frame[frame["estimate"] > 0], on="name", how="left")
    frame = frame.assign(category=frame["category"].fillna(kept[0]), estimate=frame["estimate"].fillna(0.0))
    present = [kind for kind in (*kept, OTHER) if (frame["category"] == kind).any()]
    frame["category"] = pd.Categorical(frame["category"], present)
    rank = {name: place for place, name in enumerate(ends["name"])}
    return frame.assign(rank=[rank[name] for name in frame["name"]]).sort_values(["rank", "category"], kind="stable")


def _causes(study: Study, found: pd.DataFrame, measure: Measure, id_: str) -> Table:
    """Mean by entrant and cause, causes that never occur left out."""
    whole = found[found["part"] == TOTAL].set_index("name")["estimate"]
    share = found["estimate"] / found["name"].map(whole).astype(float)
    shown = found[(found["sum"] > 0) | (found["part"] == TOTAL)].assign(share=share)
    columns = {"name": study.game.entrant_word, "part": "cause", "sum": _unit(measure), "estimate": "per game"}
    formats: dict[str, Format] = {_unit(measure): "count", "low": "number", "high": "number"}
    columns |= {"low": "low", "high": "high", "share": "share", "n": "n"}
    return table(shown, f"{id_}-{measure.field.replace('_', '-')}", f"{measure.label} by cause", columns, formats)


def _beside(study: Study, frame: pd.DataFrame, measures: list[Measure], id_: str) -> Table:
    """Means of the plain numbers by entrant, one line per entrant and measure."""
    tables = []
    for measure in measures:
        whole = frame[["game", "name", measure.field]].rename(columns={measure.field: f"{measure.field}_0"})
        found = means(whole, ["name"], measure.field, (measure.label,))
        tables.append(found[found["part"] != TOTAL].assign(unit=measure.unit))
    columns = {"name": study.game.entrant_word, "part": "what", "unit": "unit", "estimate": "per game"}
    formats: dict[str, Format] = {"low": "number", "high": "number"}
    columns |= {"low": "low", "high": "high", "n": "n"}
    return table(pd.concat(tables, ignore_index=True), f"{id_}-beside", "Beside it", columns, formats)


def _said(found: pd.DataFrame, measure: Measure) -> str:
    """The causes in order of their share, who has most and who fewest."""
    totals, causes = found[found["part"] == TOTAL], found[found["part"] != TOTAL]
    sums = causes.groupby("part", sort=False)["sum"].sum().sort_values(ascending=False, kind="stable")
    named = [f"{name} {rounded(value / sums.sum())}" for name, value in sums.items() if value > 0]
    said = f"{capital(measure.label)}: {listed(named)}"
    top, bottom = highest(totals, "estimate"), lowest(totals, "estimate")
    if len(totals) < 2 or top["estimate"] == bottom["estimate"]:
        return f"{said}; {amount(top['estimate'])} {_unit(measure)} per game."
    said += f"; {top['name']} has most, {amount(top['estimate'])} {_unit(measure)} per game "
    said += quantity(top["low"], top["high"], top["n"], "games")
    said += f", and {bottom['name']} least, {amount(bottom['estimate'])} "
    return said + f"{quantity(bottom['low'], bottom['high'], bottom['n'], 'games')}."
