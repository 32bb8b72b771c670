"""What decides games: what brings each part down, what strikes the last blow, and how much of the damage comes round a corner."""

import numpy as np
import pandas as pd

from analysis.amounts import rates
from analysis.charts import shares, stacked
from analysis.charts.style import AMBER
from analysis.report.answers.members import at, contest, numbers, of_parts
from analysis.report.answers.prose import at_seats, capital, interval, listed, rounded
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study
from analysis.usage import category_shares
from analysis.wording import percent
from sim.engine.measures import Question

BY = "by "
PERIODS = {"whole", "some"}  # roles of a share by period
EACH = "cases"
LEAST = 20  # games that tell of a period named in the answer


def flips(study: Study, question: Question) -> Section | None:
    """Stacked bars of what happened by cause: of all parts, of the last blows, of each part; a share by period of the game.

    Roles: `by CAUSE` (measures per seat and member: how often that cause did it), last (category per game, of the same causes,
    may be absent), whole and some (measures per game with one number per period: an amount, and what of it is looked at; may be
    absent). Settings: event (what the causes bring about, in the plural), last (the last one of a game), leave_out (categories
    of `last` that are none), some (words for that share), spans (word before a period's name).
    """
    causes = {role.removeprefix(BY): field for role, field in question.roles.items() if role.startswith(BY)}
    if not causes or study.teams is None or not study.contests:
        return None
    seats = contest(study)
    event = question.settings.get("event", ("events",))[0]
    found = _causes(study, seats, causes, event)
    if not found["sum"].sum():
        return None
    last = _last(study, question, seats, list(causes))
    answer = _said(found[found["part"] < 0], seats, event) + _said_last(last)
    word = study.teams.word
    caption = f"What brings about the {event} of all {study.teams.words} together"
    caption += f", the {_last_words(question)}" if len(last) else ""
    caption += f", and the {event} of each {word}; {at_seats(seats)} with {study.policy} in every seat."
    bars = pd.concat([found[found["part"] < 0], last, found[found["part"] >= 0]], ignore_index=True)
    drawn = bars.assign(n=bars["base"])
    alt = f"Stacked bars of the {event} by cause. {answer}"
    charts = [Chart(question.id, stacked(drawn, unit=EACH, order="given"), caption, alt)]
    tables = [_table(question, bars, event)]
    if PERIODS.issubset(question.roles):
        said, chart, more = _periods(study, question, seats)
        answer, charts, tables = f"{answer} {said}", [*charts, chart], [*tables, more]
    note = f"All games count. Shares of the {event} are ratios over games, since those of one game hang together"
    note += f"; of the {_last_words(question)} Wilson intervals over games. n: games"
    note += "; of a period, those that have any of what it is a share of." if PERIODS.issubset(question.roles) else "."
    return Section(question.id, question.text, answer, tuple(charts), tuple(tables), note)


def _causes(study: Study, seats: int, causes: dict[str, str], event: str) -> pd.DataFrame:
    """Share of each cause by part, of all together (part -1) first, then those with most of the first cause."""
    frame = of_parts(study, at(study.seats_frame, seats), dict.fromkeys(causes.values(), 1))
    values = frame[list(causes.values())].to_numpy(np.float64)
    total, game, part = values.sum(axis=1), frame["game"].to_numpy(), frame["part"].to_numpy(np.int64)
    names = list(frame["name"].cat.categories)
    lines = []
    for number, cause in enumerate(causes):
        whole = rates(game, np.zeros(len(frame), np.int64), values[:, number], total)
        each = rates(game, part, values[:, number], total)
        lines.append(whole.assign(part=-1, name=f"all {event}", category=cause))
        lines.append(each.assign(part=np.arange(len(each)), name=names[: len(each)], category=cause))
    found = pd.concat(lines, ignore_index=True)
    found = found[found["base"] > 0].assign(low=found["low"].clip(lower=0), high=found["high"].clip(upper=1))
    first = found[(found["category"] == next(iter(causes))) & (found["part"] >= 0)]
    rank = dict(zip(first["part"], first["estimate"].rank(ascending=False, method="first"), strict=True))
    order = found["part"].map(lambda one: 0.0 if one < 0 else rank[one])
    return found.assign(order=order).sort_values("order", kind="stable", ignore_index=True)


def _last(study: Study, question: Question, seats: int, causes: list[str]) -> pd.DataFrame:
    """Share of each cause among the last ones of the games; empty without them."""
    field = question.roles.get("last")
    if field is None:
        return pd.DataFrame()
    games = at(study.games_frame, seats)
    named = pd.Categorical([_last_words(question)] * len(games))
    found = category_shares(games.assign(name=named), [field], question.settings.get("leave_out", ()))
    found = found[found["n"] > 0].assign(category=found["category"].astype(str), name=found["name"].astype(str))
    rank = {cause: at for at, cause in enumerate(causes)}
    found = found.sort_values("category", key=lambda words: words.map(rank), kind="stable")
    return found.rename(columns={"count": "sum"}).assign(base=found["n"], part=-1)


def _last_words(question: Question) -> str:
    return question.settings.get("last", ("last ones",))[0]


def _table(question: Question, bars: pd.DataFrame, event: str) -> Table:
    columns = {"name": "of", "category": "cause", "sum": "number", "estimate": "share", "low": "low", "high": "high"}
    return table(bars, question.id, f"{capital(event)} by cause", {**columns, "n": "n"}, {"number": "count"})


def _said(whole: pd.DataFrame, seats: int, event: str) -> str:
    """The causes in order of their share."""
    ordered = whole.sort_values("estimate", ascending=False, kind="stable")
    top = ordered.iloc[0]
    said = f"{capital(at_seats(seats))} {percent(top['estimate'])} of the {event} come by {top['category']} "
    said += interval(top["low"], top["high"], top["n"], "games")
    rest = [f"{rounded(row['estimate'])} by {row['category']}" for _, row in ordered.iloc[1:].iterrows()]
    return said + (f"; {listed(rest)}." if rest else ".")


def _said_last(last: pd.DataFrame) -> str:
    if last.empty:
        return ""
    ordered = last.sort_values("estimate", ascending=False, kind="stable")
    named = [
        f"{rounded(row['estimate'])} by {row['category']} ({100 * row['low']:.1f} to {percent(row['high'])})"
        for _, row in ordered.iterrows()
    ]
    return f" Of the {ordered['name'].iloc[0]}: {listed(named)}."


def _periods(study: Study, question: Question, seats: int) -> tuple[str, Chart, Table]:
    """Sentence, bars and table of a share by period."""
    whole, some = (study.measure(question.roles[role]) for role in ("whole", "some"))
    games = at(study.games_frame, seats)
    amount, base = numbers(games, some), numbers(games, whole)
    some_base = base.ravel() > 0  # the other games do not tell of that period
    game = np.repeat(games["game"].to_numpy(), len(whole.parts))[some_base]
    period = np.tile(np.arange(len(whole.parts)), len(games))[some_base]
    found = rates(game, period, amount.ravel()[some_base], base.ravel()[some_base])
    found = found.reindex(range(len(whole.parts))).fillna({"n": 0, "sum": 0, "base": 0}).assign(name=list(whole.parts))
    found = found.assign(low=found["low"].clip(lower=0), high=found["high"].clip(upper=1))
    words = question.settings.get("some", (f"{some.label.lower()} of {whole.label.lower()}",))[0]
    known = found[found["n"] >= LEAST] if (found["n"] >= LEAST).any() else found[found["base"] > 0]
    spans = "".join(f"{one} " for one in question.settings.get("spans", ()))
    said = f"{capital(words)}: "
    named = [
        f"{percent(row['estimate'])} in {spans}{row['name']} {interval(row['low'], row['high'], row['n'], 'games')}"
        for _, row in known.iloc[[0, -1]].iterrows()
    ]
    said += " and ".join(dict.fromkeys(named)) + "."
    caption = f"{capital(words)} by period of the game, {at_seats(seats)} with {study.policy} in every seat."
    chart = shares(found.assign(n=found["n"].where(found["n"] > 0)), label=words, colour=AMBER)
    columns = {
        "name": "period",
        "sum": some.label.lower(),
        "base": whole.label.lower(),
        "estimate": "share",
        "low": "low",
    }
    formats: dict[str, Format] = {some.label.lower(): "count", whole.label.lower(): "count"}
    shown = table(found, f"{question.id}-periods", capital(words), {**columns, "high": "high", "n": "n"}, formats)
    return said, Chart(f"{question.id}-periods", chart, caption, f"Bars by period of the game. {said}"), shown
