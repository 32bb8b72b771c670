"""Report sections on what happens in games and what it leads to.

`causes` and `throwers`: what throws entrants out, in which state, and with whose abilities. `deaths`: how often and why
something happens to seats, and when it first does. `toll`: amounts by cause of each entrant, one chart per kind of harm.
`thresholds`: how often each ability could be used, and was.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.charts import amounts, curves, gauges, stacked
from analysis.charts.style import CATEGORIES
from analysis.data.rows import TOTAL, categorical, means, rates
from analysis.data.study import Study, at, contest, finished, of_parts
from analysis.data.usage import category_shares, happened, reached
from analysis.document.model import Chart, Format, Section, Table, count, highest, lowest, percent, table, thinned
from analysis.document.prose import (
    ASSUMED,
    NO_BREAK,
    STAR,
    amount,
    at_seats,
    capital,
    interval,
    listed,
    plural,
    quantity,
    rounded,
    size,
    starred,
)
from sim.engine.cardfiles.paths import locate
from sim.engine.measures import Measure, Question

SHOWN = 16  # abilities in the chart
THROWER = "thrower"  # column: thrower and ability


def throwers(study: Study, question: Question, frame: pd.DataFrame, seats: int) -> tuple[str, Chart, tuple[Table, ...]]:
    """Sentence, chart and tables of the falls at a number of seats, by the ability that caused them.

    frame: the falls, each with the credited entrant in `credited` (-1: none). Roles: cause, ability (index among the credited
    entrant's, -1: none). Settings: chain (optional: causes that act through another piece).
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
    answer = _throwers_said(study, overall, frame, question)
    word = study.game.entrant_word
    caption = f"What throws {plural(word)} out {at_seats(seats)}, by entrant and ability, most falls first; bars are divided by "
    caption += f"cause; with {study.policy} in every seat."
    hidden = len(rank) - shown["name"].nunique()
    caption += f" {count(hidden)} with fewer falls are in the table only." if hidden else ""
    alt = f"Stacked bars of how each ability throws {plural(word)} out. {answer}"
    chart = Chart(f"{question.id}-by-ability", stacked(shown, unit="falls", order="given"), caption, alt)
    return answer, chart, _tables(overall, how, seats)


def _tables(overall: pd.DataFrame, how: pd.DataFrame, seats: int) -> tuple[Table, Table]:
    """Share of all falls by ability, and how the falls of each ability came about."""
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
    """Falls that an ability is credited with; thrower and ability in words, as a category."""
    known = frame[(frame["credited"] >= 0) & (frame[column] >= 0)]
    parts = int(known[column].max()) + 1 if len(known) else 0
    words = [f"{name}: {part}" for entrant, name in enumerate(study.names) for part in study.part_names(entrant, parts)]
    codes = known["credited"].to_numpy(np.int64) * parts + known[column].to_numpy(np.int64)
    used = np.unique(codes)
    unique = pd.Index([words[code] for code in used])
    return known.assign(**{THROWER: pd.Categorical.from_codes(np.searchsorted(used, codes), unique)})


def _all(size: int, word: str) -> Any:
    return pd.Categorical([word] * size, categories=[word])


def _throwers_said(study: Study, overall: pd.DataFrame, frame: pd.DataFrame, question: Question) -> str:
    """Ability that throws most out, and the share of falls through another piece."""
    if overall.empty:
        return ""
    top = overall.iloc[0]
    text = f" Most {plural(study.game.entrant_word)} are thrown out by {str(top['category']).replace(': ', ':' + NO_BREAK)}, "
    text += f"{percent(top['estimate'])} of the falls {interval(top['low'], top['high'], top['n'], 'falls')}"
    chain = question.settings.get("chain", ())
    if chain:
        shares = category_shares(frame.assign(name=_all(len(frame), "all")), [question.roles["cause"]])
        part = float(shares.loc[shares["category"].isin(chain), "estimate"].sum())
        text += f"; {percent(part)} of all falls come through another piece, in chains"
    return text + "."


RARE = 0.05  # of all falls: causes below this are shown without the state


def causes(study: Study, question: Question) -> Section | None:
    """Stacked bars of cause and state per entrant at most seats.

    Roles: cause (a category per seat), by (optional second category), credit (optional: seat that caused the fall), ability
    (optional: which ability of that seat; see `throwers`). Settings: leave_out (categories of the cause that are not falls).
    """
    cause = question.roles.get("cause")
    if cause is None:
        return None
    leave_out = question.settings.get("leave_out", ())
    most = max(study.seats)
    whole = pd.concat([_cases(study, seats, question) for seats in study.seats], ignore_index=True)
    frame = whole[whole["seats"] == most]
    if frame.empty:
        return None
    shares = category_shares(frame.assign(case=_few_cases(frame, question)), ["case"])
    overall = category_shares(frame.assign(name=_everybody(frame)), [cause], leave_out)
    answer = _said(overall, most) + _said_state(study, frame, question)
    by_seats = pd.concat(
        [category_shares(part, _columns(question), leave_out).assign(seats=seats) for seats, part in whole.groupby("seats")],
        ignore_index=True,
    )
    word = study.game.entrant_word
    columns = {"seats": "seats", "name": word, "category": "how", "count": "falls", "estimate": "share"}
    columns |= {"low": "low", "high": "high", "n": "n"}
    tables = [table(by_seats[by_seats["n"] > 0], "falls", f"How each {word} falls", columns, {"falls": "count"})]
    tables += [_credits(study, frame, most)] if "credit" in question.roles else []
    caption = f"Falls of each {word} by cause {at_seats(most)}, with {study.policy} in every seat."
    alt = f"Stacked bars of how the {plural(word)} fall. {answer}"
    note = f"Chart and sentences: {at_seats(most)}, finished games; the table also has the other numbers of seats."
    charts = [Chart(question.id, stacked(shares, unit="falls"), caption, alt)]
    if {"credit", "ability"} <= set(question.roles):
        sentence, chart, more = throwers(study, question, frame, most)
        answer, charts, tables = answer + sentence, [*charts, chart], [*tables, *more]
    return Section(question.id, question.text, answer, tuple(charts), tuple(tables), note)


def _columns(question: Question) -> list[str]:
    return [question.roles[role] for role in ("cause", "by") if role in question.roles]


def _cases(study: Study, seats: int, question: Question) -> pd.DataFrame:
    """Falls of finished games at a number of seats; the credited entrants in the column `credited`."""
    frame = finished(study.seats_frame, seats)
    if "credit" in question.roles:
        seat = frame[question.roles["credit"]].to_numpy(np.int64)
        table_of = frame["entrant"].to_numpy().reshape(-1, seats)
        game = np.repeat(np.arange(len(table_of)), seats)
        frame = frame.assign(credited=np.where(seat >= 0, table_of[game, np.clip(seat, 0, seats - 1)], -1))
    fell = ~frame[question.roles["cause"]].isin(list(question.settings.get("leave_out", ())))
    return frame[fell & frame[question.roles["cause"]].notna()]


def _everybody(frame: pd.DataFrame) -> Any:
    return pd.Categorical(["all"] * len(frame), categories=["all"])


def _few_cases(frame: pd.DataFrame, question: Question) -> Any:
    """Cause and state of each fall; without the state for rare causes, and for others if there are too few colours."""
    columns = _columns(question)
    cause = frame[columns[0]].astype(str)
    order = [word for word in frame[columns[0]].cat.categories if (cause == word).any()]
    if len(columns) == 1:
        return pd.Categorical(cause, categories=order)
    state = frame[columns[1]].astype(str)
    states = list(frame[columns[1]].cat.categories)
    rare = sorted(order, key=lambda word: int((cause == word).sum()))
    whole = {word for word in order if (cause == word).mean() < RARE}
    while len(order) - len(whole) and len(whole) + (len(order) - len(whole)) * len(states) > len(CATEGORIES):
        whole.add(rare[len(whole)])
    words = np.where(cause.isin(list(whole)), cause, cause + ", " + state)
    kinds = [kind for word in order for kind in ([word] if word in whole else [f"{word}, {condition}" for condition in states])]
    return pd.Categorical(words, categories=[kind for kind in kinds if (words == kind).any()])


def _said(overall: pd.DataFrame, seats: int) -> str:
    """Causes in order of their share."""
    ordered = overall[overall["count"] > 0].sort_values("estimate", ascending=False)
    top = ordered.iloc[0]
    rest = [f"{row['category']} {rounded(row['estimate'])}" for _, row in ordered.iloc[1:].iterrows()]
    text = f"{at_seats(seats).capitalize()} {percent(top['estimate'])} of the falls are by {top['category']} "
    text += interval(top["low"], top["high"], top["n"], "falls")
    return text + (f"; {listed(rest)}." if rest else ".")


def _said_state(study: Study, frame: pd.DataFrame, question: Question) -> str:
    """Entrants whose falls differ most in the second category."""
    if "by" not in question.roles:
        return ""
    column = question.roles["by"]
    shares = category_shares(frame, [column])
    last = shares[shares["category"] == shares["category"].cat.categories[-1]]
    whole = category_shares(frame.assign(name=_everybody(frame)), [column])
    states = [f"{percent(row['estimate'])} {row['category']}" for _, row in whole.iterrows()]
    known = last[last["n"] > 0].sort_values("estimate")
    label = study.measure(column).label.lower()
    text = f" {label.capitalize()}: {listed(states)}"
    if len(known) > 1:
        high, low = known.iloc[-1], known.iloc[0]
        text += f"; {high['category']} most often {high['name']} ({percent(high['estimate'])}), least often {low['name']} "
        text += f"({percent(low['estimate'])})"
    return text + "."


def _credits(study: Study, frame: pd.DataFrame, seats: int) -> Table:
    """Who throws whom out: for each entrant that fell, how often each other one is credited."""
    credited = frame[frame["credited"] >= 0]
    names = categorical(credited["credited"].to_numpy(), list(frame["name"].cat.categories))
    shares = category_shares(credited.assign(who=names), ["who"])
    shares = shares[shares["count"] > 0].sort_values(["name", "estimate"], ascending=[True, False])
    columns = {"name": study.game.entrant_word, "category": "thrown out by", "count": "falls", "estimate": "share"}
    columns |= {"low": "low", "high": "high", "n": "n"}
    return table(shares, "falls-by-whom", f"Who throws whom out {at_seats(seats)}", columns, {"falls": "count"})


DEATHS_RARE = 0.02  # of the cases, mean over the numbers of seats: causes below this are combined
OTHER = "other"
ROWS = 32  # bars in the chart; if there are more, only the most seats are drawn


def deaths(study: Study, question: Question) -> Section | None:
    """Stacked bars of the mean number by cause and entrant, and curves of the seats to which it has not happened yet.

    Roles: counts (measure per seat with one number per cause), turn (optional: round or turn of the first, per seat). Settings:
    rare (mean share of the cases below which causes are combined), never (value of turn without any).
    """
    roles = question.roles
    if "counts" not in roles:
        return None
    measure, word = study.measure(roles["counts"]), study.game.entrant_word
    whole = pd.concat([_means(study, seats, roles["counts"]) for seats in study.seats], ignore_index=True)
    if not whole["sum"].sum():
        return None
    unit = measure.unit or measure.label.lower()
    most = max(study.seats)
    answer = _deaths_said(whole[whole["seats"] == most], most, unit)
    rare = float(question.settings.get("rare", (str(DEATHS_RARE),))[0])
    chart = Chart(
        question.id,
        amounts(_drawn(whole, rare, most), unit=f"{unit} per game"),
        f"{capital(unit)} per game of each {word} by cause, with {study.policy} in every seat.",
        f"Stacked bars of {unit} per game by cause, one per {word}. {answer}",
    )
    charts, tables = [chart], [_totals(study, whole, unit), _causes(study, whole, unit)]
    note = "All games count, including stopped ones. Causes that are rare overall are combined in the chart; "
    note += "the table lists them all."
    if "turn" in roles:
        sentence, chart, more = _first(study, question, most)
        answer, charts, tables = f"{answer} {sentence}", [*charts, chart], [*tables, more]
        note += " A game that ended first counts as one in which it did not happen, so the curves do not reach zero."
    return Section(question.id, question.text, answer, tuple(charts), tuple(tables), note)


def _means(study: Study, seats: int, field: str) -> pd.DataFrame:
    """Mean number by entrant and cause at a number of seats, without causes that never occur."""
    whole = study.seats_frame
    means_ = means(whole[whole["seats"] == seats], ["name"], field, study.measure(field).parts)
    means_ = means_.assign(seats=seats, sum=means_["sum"].astype(np.int64), low=means_["low"].clip(lower=0))
    return means_[(means_["sum"] > 0) | (means_["part"] == TOTAL)]


def _drawn(whole: pd.DataFrame, rare: float, most: int) -> pd.DataFrame:
    """Data of the bars: most frequent cause first, rare ones as OTHER, entrants with most first."""
    parts, totals = whole[whole["part"] != TOTAL], whole[whole["part"] == TOTAL]
    sums = parts.pivot_table(index="part", columns="seats", values="sum", aggfunc="sum", fill_value=0, sort=False)
    shares = (
        (sums / sums.sum()).mean(axis=1).sort_values(ascending=False, kind="stable")
    )  # equal weight for every number of seats
    kept = [str(name) for name, share in shares.items() if share >= rare][: len(CATEGORIES)]
    if len(kept) < len(shares):
        kept = kept[: len(CATEGORIES) - 1]
    frame = parts.assign(category=parts["part"].where(parts["part"].isin(kept), OTHER))
    frame = frame.groupby(["seats", "name", "category"], observed=True)["estimate"].sum().reset_index()
    ends = totals.rename(columns={"estimate": "total"})[["seats", "name", "total", "low", "high", "n"]]
    frame = ends.merge(frame, on=["seats", "name"], how="left")
    frame = frame.assign(category=frame["category"].fillna(kept[0]), estimate=frame["estimate"].fillna(0.0))
    rank = {name: place for place, name in enumerate([*kept, OTHER])}
    frame = frame.assign(rank=frame["category"].map(rank))
    frame = frame.sort_values(["rank", "total"], ascending=[True, False], kind="stable")
    order = ends.sort_values(["seats", "total"], ascending=[True, False], kind="stable")[["seats", "name"]]
    frame = order.merge(frame, on=["seats", "name"], how="left")
    frame["category"] = pd.Categorical(frame["category"], [*kept, OTHER])
    return frame if len(ends) <= ROWS else frame[frame["seats"] == most]


def _totals(study: Study, whole: pd.DataFrame, unit: str) -> Table:
    columns = {"seats": "seats", "name": study.game.entrant_word, "sum": unit, "estimate": "per game"}
    formats: dict[str, Format] = {unit: "count", "low": "number", "high": "number"}
    shown = whole[whole["part"] == TOTAL]
    caption = f"{capital(unit)} per game"
    return table(shown, "deaths", caption, {**columns, "low": "low", "high": "high", "n": "n"}, formats)


def _causes(study: Study, whole: pd.DataFrame, unit: str) -> Table:
    columns = {"seats": "seats", "name": study.game.entrant_word, "part": "cause", "sum": unit, "estimate": "per game"}
    formats: dict[str, Format] = {unit: "count", "low": "number", "high": "number"}
    shown = whole[whole["part"] != TOTAL]
    shown = shown.sort_values(["seats", "name", "estimate"], ascending=[True, True, False], kind="stable")
    caption = f"{capital(unit)} per game by cause"
    return table(shown, "deaths-by-cause", caption, {**columns, "low": "low", "high": "high", "n": "n"}, formats)


def _deaths_said(part: pd.DataFrame, seats: int, unit: str) -> str:
    """Entrants with most and fewest, and the causes in order of their share."""
    totals, causes = part[part["part"] == TOTAL], part[part["part"] != TOTAL]
    if not causes["sum"].sum():
        return f"{capital(at_seats(seats))} there are no {unit}."
    top, bottom = highest(totals, "estimate"), lowest(totals, "estimate")
    text = f"{capital(at_seats(seats))} {top['name']} has {amount(top['estimate'])} {unit} per game "
    text += quantity(top["low"], top["high"], top["n"], "games")
    if len(totals) > 1:
        text += f", the most, and {bottom['name']} {amount(bottom['estimate'])} "
        text += f"{quantity(bottom['low'], bottom['high'], bottom['n'], 'games')}, the fewest"
    shares = (causes.groupby("part")["sum"].sum() / causes["sum"].sum()).sort_values(ascending=False, kind="stable")
    named = [f"{name} {percent(share)}" for name, share in shares.items()]
    return f"{text}. Of all {count(causes['sum'].sum())} the causes are {listed(named)}."


def _first(study: Study, question: Question, most: int) -> tuple[str, Chart, Table]:
    """Sentence, curves and table of when it first happens."""
    column = question.roles["turn"]
    measure, word = study.measure(column), study.game.entrant_word
    never = int(question.settings.get("never", ("0",))[0])
    whole = study.seats_frame
    parts = [
        happened(whole[whole["seats"] == seats].sort_values("entrant", kind="stable"), column, "name", never).assign(seats=seats)
        for seats in study.seats
    ]
    frame = pd.concat(parts, ignore_index=True)
    unit = measure.unit or "turns"
    sentence = _first_said(frame[frame["seats"] == most], most, unit, word)
    caption = f"{measure.label}: share of games in which it has not happened yet, one line per {word}, with {study.policy} in "
    caption += "every seat."
    alt = f"Falling curves, one per {word}, a panel per number of seats. {sentence}"
    chart = Chart(f"{question.id}-first", curves(frame, label=unit, falling=True), caption, alt)
    left = {"estimate": 1 - frame["estimate"], "low": 1 - frame["high"], "high": 1 - frame["low"]}
    shown = thinned(frame.assign(**left), ["seats", "name"])
    columns = {"seats": "seats", "name": word, "turns": unit, "estimate": "share", "low": "low", "high": "high", "n": "n"}
    return sentence, chart, table(shown, "first-deaths", f"{measure.label}: not yet happened, by {unit}", columns)


def _first_said(frame: pd.DataFrame, seats: int, unit: str, word: str) -> str:
    """Entrants to which it happens first and last, by the median of their games."""
    last = frame.groupby("name", observed=True, sort=False).tail(1)
    free = last.assign(estimate=1 - last["estimate"], low=1 - last["high"], high=1 - last["low"])
    top = highest(free, "estimate")
    middles = {name: reached(part) for name, part in frame.groupby("name", observed=True, sort=False)}
    struck = sorted((when, str(name)) for name, when in middles.items() if not np.isnan(when))
    text = f"{at_seats(seats)} {percent(top['estimate'])} of its games leave {top['name']} without any "
    text += f"(95 % interval {100 * top['low']:.1f} to {percent(top['high'])}, {size(top['n'])}), the most"
    if not struck:
        return f"{capital(text)}; no {word} sees it in half of its games."
    early, late = struck[0], struck[-1]
    text += f"; in half of its games {early[1]} has had its first after {count(early[0])} {unit}"
    return capital(text + (f", {late[1]} after {count(late[0])}." if len(struck) > 1 else "."))


TOLL_RARE = 0.02  # of the whole: causes below this are combined


def toll(study: Study, question: Question) -> Section | None:
    """Stacked bars of the mean amount by cause and entrant, one chart per measure with parts; the other measures in a table.

    Roles: names of the harm -> measures per seat, in the order of the charts. Measures with one number per cause are drawn
    (damage to the player, deaths of creatures), plain numbers are in a table. Settings: rare (share below which causes are
    combined).
    """
    if not study.contests or not question.roles:
        return None
    seats, rare = contest(study), float(question.settings.get("rare", (str(TOLL_RARE),))[0])
    frame = at(study.seats_frame, seats)
    measures = [study.measure(field) for field in question.roles.values()]
    sentences, charts, tables = [], [], []
    for measure in measures:
        if not measure.parts:
            continue
        rows = means(frame, ["name"], measure.field, measure.parts)
        if not rows["sum"].sum():
            continue
        rows = rows.assign(low=rows["low"].clip(lower=0))
        sentences.append(_toll_said(rows, measure))
        charts.append(_chart(study, rows, measure, (question.id, rare, seats)))
        tables.append(_toll_causes(study, rows, measure, question.id))
    plain = [measure for measure in measures if not measure.parts]
    if not charts:
        return None
    tables += [_beside(study, frame, plain, question.id)] if plain else []
    note = f"All games, including stopped ones, {at_seats(seats)}. Intervals are those of ratios over "
    note += "games, because the seats of a game are correlated. Rare causes are combined; the tables list them all."
    answer = " ".join(sentences)
    return Section(question.id, question.text, answer, tuple(charts), tuple(tables), note)


def _unit(measure: Measure) -> str:
    return measure.unit or measure.label.lower()


def _chart(study: Study, rows: pd.DataFrame, measure: Measure, how: tuple[str, float, int]) -> Chart:
    """Bars of one measure. how: id of the question, share of rare causes, seats."""
    id_, rare, seats = how
    caption = f"{measure.label} per game of each {study.game.entrant_word} by cause, {at_seats(seats)} with {study.policy} "
    caption += "in every seat."
    alt = f"Stacked bars by cause, one per {study.game.entrant_word}. {_toll_said(rows, measure)}"
    figure = amounts(_toll_drawn(rows, rare).assign(panel=measure.label), panels="panel", unit=f"{_unit(measure)} per game")
    return Chart(f"{id_}-{measure.field.replace('_', '-')}", figure, caption, alt)


def _toll_drawn(rows: pd.DataFrame, rare: float) -> pd.DataFrame:
    """Data of the bars: most frequent cause first, rare ones as OTHER, entrants with most first."""
    parts, totals = rows[rows["part"] != TOTAL], rows[rows["part"] == TOTAL]
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


def _toll_causes(study: Study, rows: pd.DataFrame, measure: Measure, id_: str) -> Table:
    """Mean by entrant and cause, without causes that never occur."""
    whole = rows[rows["part"] == TOTAL].set_index("name")["estimate"]
    share = rows["estimate"] / rows["name"].map(whole).astype(float)
    shown = rows[(rows["sum"] > 0) | (rows["part"] == TOTAL)].assign(share=share)
    columns = {"name": study.game.entrant_word, "part": "cause", "sum": _unit(measure), "estimate": "per game"}
    formats: dict[str, Format] = {_unit(measure): "count", "low": "number", "high": "number"}
    columns |= {"low": "low", "high": "high", "share": "share", "n": "n"}
    return table(shown, f"{id_}-{measure.field.replace('_', '-')}", f"{measure.label} by cause", columns, formats)


def _beside(study: Study, frame: pd.DataFrame, measures: list[Measure], id_: str) -> Table:
    """Means of the plain numbers, one row per entrant and measure."""
    tables = []
    for measure in measures:
        whole = frame[["game", "name", measure.field]].rename(columns={measure.field: f"{measure.field}_0"})
        means_ = means(whole, ["name"], measure.field, (measure.label,))
        tables.append(means_[means_["part"] != TOTAL].assign(unit=measure.unit))
    columns = {"name": study.game.entrant_word, "part": "what", "unit": "unit", "estimate": "per game"}
    formats: dict[str, Format] = {"low": "number", "high": "number"}
    columns |= {"low": "low", "high": "high", "n": "n"}
    return table(pd.concat(tables, ignore_index=True), f"{id_}-beside", "Beside it", columns, formats)


def _toll_said(rows: pd.DataFrame, measure: Measure) -> str:
    """Causes in order of their share, and the entrants with most and least."""
    totals, causes = rows[rows["part"] == TOTAL], rows[rows["part"] != TOTAL]
    sums = causes.groupby("part", sort=False)["sum"].sum().sort_values(ascending=False, kind="stable")
    named = [f"{name} {rounded(value / sums.sum())}" for name, value in sums.items() if value > 0]
    text = f"{capital(measure.label)}: {listed(named)}"
    top, bottom = highest(totals, "estimate"), lowest(totals, "estimate")
    if len(totals) < 2 or top["estimate"] == bottom["estimate"]:
        return f"{text}; {amount(top['estimate'])} {_unit(measure)} per game."
    text += f"; {top['name']} has most, {amount(top['estimate'])} {_unit(measure)} per game "
    text += quantity(top["low"], top["high"], top["n"], "games")
    text += f", and {bottom['name']} least, {amount(bottom['estimate'])} "
    return text + f"{quantity(bottom['low'], bottom['high'], bottom['n'], 'games')}."


SELDOM = 0.5  # of the times it was possible: abilities below this are mostly not used


def thresholds(study: Study, question: Question) -> Section | None:
    """Small multiples, one per part: how often each of its abilities was possible, and how often it was used, per turn.

    Roles: met and used (measures per seat with numbers by member and ability, in the order of the team's abilities), turns
    (measure per game: number of turns). Settings: turns (word for them), note (words for the note), shown (optional: table of
    the card file with the parts, its list of abilities, the number that the names of abilities contain, and the plural of its
    name; assumed numbers get a star).
    """
    roles = question.roles
    if not {"met", "used", "turns"} <= set(roles) or study.teams is None or not study.teams.abilities or not study.contests:
        return None
    seats = contest(study)
    abilities_ = _rates(study, seats, roles)
    abilities_ = abilities_[abilities_["base"] > 0]
    if abilities_.empty:
        return None
    turns = question.settings.get("turns", ("turns",))[0]
    abilities_, assumed = _marked(study, abilities_, question.settings.get("shown", ()))
    answer = _thresholds_said(abilities_, turns, seats)
    drawn = abilities_.rename(columns={"name": "panel", "ability": "name"})
    figure = gauges(drawn, words=("possible", "used"), label=f"the {turns}")
    caption = f"How often each ability of a {study.unit_word} could be used (pale) and was (dark), as shares of all "
    caption += f"{turns} of its games, {at_seats(seats)} with {study.policy} in every seat.{assumed}"
    alt = f"Nested bars of every ability, a panel per {study.unit_word}. {answer}"
    columns = {"name": study.unit_word, "ability": "ability", "possible": "possible", "possible_low": "possible, low"}
    columns |= {"possible_high": "possible, high", "done": "used", "done_low": "used, low", "done_high": "used, high"}
    columns |= {"taken": "used, of possible", "n": "n", **({"source": "source"} if "source" in abilities_ else {})}
    formats: dict[str, Format] = dict.fromkeys((heading for heading in columns.values() if "," in heading), "percent")
    formats |= {"possible": "percent", "used": "percent"}
    shown = table(abilities_, question.id, f"Abilities by {turns}", columns, formats)
    note = f"All games count. Shares are of all {turns} of a game, counted for every side; ratios over "
    note += "games. n: games. "
    note += " ".join(question.settings.get("note", ()))
    chart = Chart(question.id, figure, caption, alt)
    return Section(question.id, question.text, answer, (chart,), (shown,), note.strip())


def _rates(study: Study, seats: int, roles: dict[str, str]) -> pd.DataFrame:
    """One row per part and ability: name, ability, possible and done with their bounds, taken (done of possible), base, n."""
    assert study.teams is not None
    things = len(study.measure(roles["met"]).parts) // study.teams.size
    frame = of_parts(study, at(study.seats_frame, seats), {roles["met"]: things, roles["used"]: things})
    games = at(study.games_frame, seats).set_index("game")[roles["turns"]]
    turns = games.loc[frame["game"]].to_numpy(np.float64)
    game, part = frame["game"].to_numpy(), frame["part"].to_numpy(np.int64)
    every = range(study.teams.parts)
    parts = []
    for thing in range(things):
        met, used = (
            rates(game, part, frame[f"{roles[role]}_{thing}" if things > 1 else roles[role]].to_numpy(), turns).reindex(every)
            for role in ("met", "used")
        )
        facts = {"part": every, "thing": thing, "base": met["base"], "n": met["n"].fillna(0).astype(int)}
        for word, table_ in (("possible", met), ("done", used)):
            facts |= {word: table_["estimate"], f"{word}_low": table_["low"].clip(lower=0), f"{word}_high": table_["high"]}
        facts |= {"taken": used["sum"] / met["sum"].where(met["sum"] > 0)}
        parts.append(pd.DataFrame(facts))
    whole = pd.concat(parts, ignore_index=True).sort_values(["part", "thing"], kind="stable", ignore_index=True)
    abilities = study.teams.abilities
    has = [thing < len(abilities[part]) for part, thing in zip(whole["part"], whole["thing"], strict=True)]
    whole = whole[has]
    names = [abilities[part][thing] for part, thing in zip(whole["part"], whole["thing"], strict=True)]
    return whole.assign(name=[study.units[part] for part in whole["part"]], ability=names)


def _marked(study: Study, abilities_: pd.DataFrame, shown: Sequence[str]) -> tuple[pd.DataFrame, str]:
    """Add the source of the number in an ability's name, and a star if it is assumed; also returns words for the caption."""
    if not shown:
        return abilities_, ""
    owners, things, leaf, words = shown
    document, known = study.cards.document, study.cards.provenance
    sources = {locate(document, entry.path): entry.source for entry in known if entry.path.startswith(f"{owners}.")}
    places = [(owners, part, things, thing, leaf) for part, thing in zip(abilities_["part"], abilities_["thing"], strict=True)]
    marked = abilities_.assign(source=[sources.get(place, "") for place in places], field=abilities_["ability"])
    assumed = marked["source"].eq(ASSUMED)
    text = f" All {words} shown are assumed." if assumed.all() else f" {STAR} Of the {words} this one is assumed."
    return marked.assign(ability=starred(marked)), text if assumed.any() else ""


def _thresholds_said(abilities_: pd.DataFrame, turns: str, seats: int) -> str:
    """Abilities that are possible most and least often, and those that are mostly not used."""
    top, bottom = highest(abilities_, "possible"), lowest(abilities_, "possible")
    parts = [
        f"in {percent(row['possible'])} of the {turns} {interval(row['possible_low'], row['possible_high'], row['n'], 'games')}"
        for row in (top, bottom)
    ]
    names = [f"{row['name']}'s {row['ability']}" for row in (top, bottom)]
    text = f"{capital(at_seats(seats))} {names[0]} is possible most often, {parts[0]}; {names[1]} least often, {parts[1]}."
    left = abilities_[abilities_["taken"] < SELDOM].sort_values("taken", kind="stable")
    seldom = [f"{row['name']}'s {row['ability']} ({percent(row['taken'], 0)})" for _, row in left.iterrows()]
    if not seldom:
        return f"{text} All are used in at least half of the {turns} in which they are possible."
    return f"{text} Used in less than half of the {turns} in which it is possible: {listed(seldom)}."
