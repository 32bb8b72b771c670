"""How a number bends the result: every entrant's win rate over the values of a number, all values with the same dice."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.charts import lines
from analysis.compare import Shares
from analysis.estimates import adjust
from analysis.report.answers.fields import assumed_note, field_words, source_of, starred
from analysis.report.answers.prose import at_seats, capital, listed, point_interval, size, stopped
from analysis.report.answers.tables import highest, table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study
from analysis.whatif import Step, difference, each_value
from analysis.wording import number, percent, points
from sim.engine.cards import CardError
from sim.engine.measures import Question

SURE = 0.05  # p-value adjusted over all win rates of the section
LINES = 8  # entrants in a chart; where there are more, those that move most


def sweep(study: Study, question: Question) -> Section | None:
    """Lines of the win rates over the values of each number, a panel per number, with bands.

    Settings: path of a number -> values, rising, the one played among them or not; a path that the card file does not have is
    left out, so that other sets can be asked too. A key without a dot is an option: seats (how many, if not the fewest from two
    on), games (in multiples of the usual number), or, of a field that is a list, the names of its places.
    """
    rules = {path: values for path, values in question.settings.items() if "." in path}
    if not study.contests or not rules:
        return None
    steps = _steps(study, rules)
    live = [step for step in steps if step.cards]
    frame = _measured(study, question, live) if live else pd.DataFrame()
    if frame.empty:
        return None
    seats = study.seats_for(question)
    answer = _said(frame, seats)
    caption = f"Win rate of each {study.unit_word} by the value of a number, {at_seats(seats)} with {study.policy} in all seats; "
    caption += "the same games and dice at every value, dashes: the value as played." + assumed_note(frame)
    drawn = _drawn(frame)
    caption += f" Only the {LINES} that move most." if drawn["line"].nunique() < frame["name"].nunique() else ""
    figure = lines(drawn, label="value", close=True)
    chart = Chart(question.id, figure, caption, f"Lines of win rates over the values of a number. {answer}")
    refused = [f"{_words(study, question, step)} {step.value}" for step in steps if not step.cards]
    note = "Every value plays the same line-ups and dice (common random numbers): changes against the value played "
    note += (
        "are analysed as pairs. Bands: Wilson intervals of each rate alone. Truncated games are left out. A change is "
    )
    note += f"sure if p (Holm) < {SURE}, over all values and {study.units_word}; intervals are of each alone."
    note += f" Refused by the rules of the card file: {listed(refused)}." if refused else ""
    return Section(question.id, question.text, answer, (chart,), (_table(study, question, frame),), note)


def _steps(study: Study, rules: dict[str, tuple[str, ...]]) -> list[Step]:
    """Every value of every number that the card file has."""
    found = []
    for path, texts in rules.items():
        try:
            found += [step for step in each_value(study.game, study.cards, path, texts) if step.before is not None]
        except CardError:
            continue
    return found


def _words(study: Study, question: Question, step: Step) -> str:
    return field_words(study.cards.document, step.field, question.settings)


def _measured(study: Study, question: Question, steps: list[Step]) -> pd.DataFrame:
    """One line per value and entrant: those of `compare`, field, path, source, value, played, turns, p_holm, sure."""
    base = study.experiment(study.seats_for(question), study.games_for(question, study.budget.variant_games))
    others = [step for step in steps if step.value != step.before]
    play = study.player(f"values of numbers ({question.id})", base.games * (len(others) + 1))
    before = Shares.of(base, play)
    parts = []
    for step in steps:
        assert step.cards is not None
        played = step.value == step.before
        after = before if played else Shares.of(replace(base, cards=step.cards), play)
        facts: dict[str, Any] = {
            "field": _words(study, question, step),
            "path": step.field,
            "source": source_of(study.cards, step.field),
        }
        facts |= {"value": float(step.value), "present": float(step.before)}
        part = difference(base, before, after).assign(**facts, played=played)
        parts.append(part.assign(turns=float(np.mean(after.turns))))
    frame = pd.concat(parts, ignore_index=True)
    frame = frame.assign(p_holm=np.nan)
    moved = ~frame["played"].to_numpy(bool)
    frame.loc[moved, "p_holm"] = adjust(frame.loc[moved, "p"]) if moved.any() else np.nan
    return frame.assign(sure=frame["p_holm"] < SURE)


def _drawn(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame of the lines."""
    reach = frame.groupby("name", sort=False)["change"].agg(lambda change: change.abs().max())
    kept = set(reach.nlargest(LINES).index)
    shown = frame[frame["name"].isin(kept)]
    names = {"field": "panel", "name": "line", "value": "x", "after": "estimate"}
    ends = shown[["after_low", "after_high"]].rename(columns={"after_low": "low", "after_high": "high"})
    columns = ["field", "name", "value", "after", "n", "present"]
    return pd.concat([shown.assign(field=starred(shown))[columns].rename(columns=names), ends], axis=1)


def _table(study: Study, question: Question, frame: pd.DataFrame) -> Table:
    columns = {
        "field": "number",
        "present": "as played",
        "value": "value",
        "name": study.unit_word,
        "after": "win rate",
    }
    columns |= {"after_low": "low", "after_high": "high", "change": "change", "p_holm": "p (Holm)", "n": "n"}
    columns |= {"turns": "mean turns", "source": "source"}
    shown = frame.assign(
        change=frame["change"].mask(frame["played"]),
        change_low=frame["low"].mask(frame["played"]),
        change_high=frame["high"].mask(frame["played"]),
    )
    columns |= {"change_low": "change low", "change_high": "change high"}
    formats: dict[str, Format] = {"value": "number", "as played": "number"}
    return table(shown, question.id, "Every value", columns, formats)


def _said(frame: pd.DataFrame, seats: int) -> str:
    """By number: whose win rate moves most, one step away if there is one, and how games lengthen."""
    told: list[str] = []
    for field, part in frame.groupby("field", sort=False):
        moved = part[~part["played"]]
        if moved.empty:
            continue
        near = _nearest(moved)
        top = highest(near, "change", size=True)
        line = f"{'With' if told else 'with'} \u201c{field}\u201d at {number(top['value'])} instead of {number(top['present'])} "
        line += f"{top['name']} wins "
        line += f"{percent(top['after'])} instead of {percent(top['before'])}, {points(top['change'])} points "
        line += f"{point_interval(top['low'], top['high'])[:-1]}, {size(top['n'])})"
        line += f"{stopped(top['truncated_before'] + top['truncated_after'])}"
        line += "" if top["sure"] else ", which may be chance"
        ends = part.drop_duplicates("value").sort_values("value")
        first, last = ends.iloc[0], ends.iloc[-1]
        line += f"; from {number(first['value'])} to {number(last['value'])} games go from {first['turns']:.1f} to "
        told.append(f"{line}{last['turns']:.1f} turns.")
    return f"{capital(at_seats(seats))}, {' '.join(told)}" if told else "No other value can be played."


def _nearest(moved: pd.DataFrame) -> pd.DataFrame:
    """The values next to the one as played."""
    gap = (moved["value"] - moved["present"]).abs()
    near: pd.DataFrame = moved[gap == gap.min()]
    return near
