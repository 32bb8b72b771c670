"""Which parts of an entrant (abilities, cards) are used, and what a use brings."""

import pandas as pd

from analysis.charts import scatter
from analysis.report.answers.prose import amount, article, at_seats, listed
from analysis.report.answers.tables import highest, table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study, finished
from analysis.usage import use_and_effect
from analysis.wording import percent
from sim.engine.measures import Measure, Question

SELDOM = 0.05  # of the uses of an entrant: below this a part is hardly ever the better choice
LEAST_USES = 30  # uses from which on an effect per use is worth a sentence


def abilities(study: Study, question: Question) -> Section | None:
    """Scatter of use rate against effect per use, one per effect, at most seats.

    Roles: uses, effect and, if there is one, second: measures with one value per part. Settings: part (what the parts are).
    """
    roles = question.roles
    if "uses" not in roles or "effect" not in roles:
        return None
    most = max(study.seats)
    effects = [study.measure(roles[role]) for role in ("effect", "second") if role in roles]
    charts, tables, answers = [], [], []
    for at, measure in enumerate(effects):
        whole = pd.concat([_used(study, seats, roles["uses"], measure) for seats in study.seats], ignore_index=True)
        frame = whole[(whole["seats"] == most) & (whole["uses"] > 0)].reset_index(drop=True)
        if frame.empty:
            return None
        answers.append(_said(frame, measure, most))
        label = f"{measure.label.lower()} per use"
        dots = frame.rename(columns={"use_rate": "x", "effect": "y", "effect_low": "y_low", "effect_high": "y_high"})
        dots = dots.drop(columns="n").assign(label=frame["part_name"], group=frame["name"].astype(str), n=frame["uses"])
        x_label = f"share of the {study.game.entrant_word}'s uses"
        name = question.id if at == 0 else f"{question.id}-{measure.field.replace('_', '-')}"
        caption = f"{measure.label} per use of {article(_part_word(question))}, against how often its "
        caption += f"{study.game.entrant_word} uses it, {at_seats(most)} with {study.policy} in every seat."
        chart = scatter(dots, x_label=x_label, y_label=label)
        charts.append(Chart(name, chart, caption, f"Scatter of use rate and {label}. {answers[-1]}"))
        tables.append(_table(study, question, whole, measure, name))
    answers.append(_seldom(frame, study, most))
    note = "Intervals are those of ratios over games, since the uses of one game hang together. "
    note += "What is never used by choice (passives) is not shown."
    return Section(question.id, question.text, " ".join(filter(None, answers)), tuple(charts), tuple(tables), note)


def _used(study: Study, seats: int, uses: str, measure: Measure) -> pd.DataFrame:
    """Use and effect at so many seats, the parts by their names on the entrant's card."""
    parts = len(measure.parts)
    frame = use_and_effect(finished(study.seats_frame, seats), uses, measure.field, measure.parts)
    named = [
        study.part_names(entrant, parts)[part] for entrant, part in zip(frame["entrant"], frame["part"], strict=True)
    ]
    return frame.assign(seats=seats, part_name=named)


def _table(study: Study, question: Question, whole: pd.DataFrame, measure: Measure, name: str) -> Table:
    unit = f"{measure.unit} per use" if measure.unit else "per use"
    columns = {"seats": "seats", "name": study.game.entrant_word, "part_name": _part_word(question), "uses": "uses"}
    columns |= {"use_rate": "share of uses", "use_low": "uses low", "use_high": "uses high", "effect": unit}
    columns |= {"effect_low": "effect low", "effect_high": "effect high", "n": "n"}
    formats: dict[str, Format] = {"uses": "count", "effect low": "number", "effect high": "number"}
    return table(whole, name, f"Use and {measure.label.lower()}", columns, formats)


def _part_word(question: Question) -> str:
    """What a part of an entrant is: an ability, a card."""
    return question.settings.get("part", ("option",))[0]


def _said(frame: pd.DataFrame, measure: Measure, seats: int) -> str:
    """Which part brings most per use, and the median of all."""
    enough = frame[frame["uses"] >= LEAST_USES]
    known = enough if len(enough) else frame
    top = highest(known, "effect")
    said = f"{measure.label} {at_seats(seats)}: most per use by {top['name']}'s {top['part_name']}, {amount(top['effect'])} "
    said += f"(95 % interval {amount(top['effect_low'])} to {amount(top['effect_high'])}), which makes up "
    said += f"{percent(top['use_rate'], 0)} of {top['name']}'s uses"
    middle = float(known["effect"].median())
    return said + f"; the median of all is {amount(middle)}."


def _seldom(frame: pd.DataFrame, study: Study, seats: int) -> str:
    """What is hardly used."""
    rare = frame[frame["use_rate"] < SELDOM].sort_values("use_rate")
    if rare.empty:
        said = f"Nothing is used for less than {percent(SELDOM, 0)} of the uses of its {study.game.entrant_word}"
        return f"{said} {at_seats(seats)}."
    names = [f"{row['name']}'s {row['part_name']} ({percent(row['use_rate'])})" for _, row in rare.iterrows()]
    return f"Hardly used {at_seats(seats)}, below {percent(SELDOM, 0)} of the uses: {listed(names)}."
