"""Report sections on what happens in games, by cause, source and part.

`causes`: what throws entrants out, in which state, and with whose abilities. `flips`: what brings each part down, what causes
the last event of a game, and the share of an amount by period. `harm`: how often and why something happens to seats, and when it
first does. `shares`: the parts of a whole, and where points come from.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import DrawnChart, Section, answered
from analysis.answer.numbers import Format, count, percent
from analysis.answer.prose import (
    NO_BREAK,
    amount,
    amount_of,
    at_seats,
    bounds_of,
    capital,
    in_order,
    interval_of,
    listed,
    plural,
    quantity_of,
    rounded,
)
from analysis.answer.tables import AMOUNTS, Table, estimate_columns, highest, lowest, table, thinned
from analysis.charts.style import AMBER, CATEGORIES
from analysis.data.rows import TOTAL, categorical, means, rates
from analysis.data.study import Study, at, contest, finished, numbers, of_parts
from analysis.data.usage import category_shares, happened, reached
from sim.engine.measures import Measure
from sim.engine.questions import Causes, Flips, Harm, Shares

SHOWN = 16  # abilities in the chart
THROWER = "thrower"  # column: thrower and ability
RARE = 0.05  # of all falls: causes below this are shown without the state
OTHER = "other"
ROWS = 32  # bars in the chart; if there are more, only the most seats, or the entrants with most, are drawn
FLIPS_LEAST = 20  # games with data on a period that the answer names, at least
SIDES = ("losers", "winners")  # a seat that shares in the win is a winner
OF_RATIOS = "Intervals are those of ratios over games, because"


# ---- falls -----------------------------------------------------------------------------------------------------------


def causes(study: Study, question: Causes) -> Section | None:
    """Stacked bars of cause and state per entrant at most seats, and of cause by the ability that caused the fall."""
    most, word, columns = max(study.seats), study.game.entrant_word, [*filter(None, (question.cause, question.state))]
    whole = pd.concat([_falls(study, seats, question) for seats in study.seats], ignore_index=True)
    frame = at(whole, most)
    if frame.empty:
        return None
    overall, words = _together(frame, question.cause, question.leave_out), capital(at_seats(most))
    answer = in_order(
        overall[overall["count"] > 0],
        lambda row: f"{words} {percent(row['estimate'])} of the falls are by {row['category']} {interval_of(row, 'falls')}",
        lambda row: f"{row['category']} {rounded(row['estimate'])}",
    )
    answer += _state_answer(study, frame, question.state) if question.state else ""
    by_seats = [category_shares(part, columns, question.leave_out).assign(seats=seats) for seats, part in whole.groupby("seats")]
    shown = pd.concat(by_seats, ignore_index=True)
    tables = [_of_falls(shown[shown["n"] > 0], "falls", f"How each {word} falls", seats="seats", name=word, category="how")]
    if question.credit:
        credited = frame[frame["credited"] >= 0]
        who = categorical(credited["credited"].to_numpy(), list(frame["name"].cat.categories))
        whom = category_shares(credited.assign(who=who), ["who"])
        whom = whom[whom["count"] > 0].sort_values(["name", "estimate"], ascending=[True, False])
        title = f"Who throws whom out {at_seats(most)}"
        tables.append(_of_falls(whom, "falls-by-whom", title, name=word, category="thrown out by"))
    cases = category_shares(frame.assign(case=_cases(frame, columns)), ["case"])
    caption = f"Falls of each {word} by cause, {study.where(most)}."
    alt = f"Stacked bars of how the {plural(word)} fall. {answer}"
    figures = [DrawnChart(question.id, charts.stacked(cases, unit="falls"), caption, alt)]
    if question.credit and question.ability:
        sentence, chart, more = throwers(study, question, frame, most)
        answer, figures, tables = answer + sentence, [*figures, chart], [*tables, *more]
    note = f"DrawnChart and sentences: {at_seats(most)}, finished games; the table also has the other numbers of seats."
    return Section(question.id, question.text, answer, tuple(figures), tuple(tables), note)


def _of_falls(frame: pd.DataFrame, id_: str, title: str, **columns: str) -> Table:
    """Table of shares of falls."""
    return table(frame, id_, title, estimate_columns("share", **columns, count="falls"), {"falls": "count"})


def _together(frame: pd.DataFrame, column: str, leave_out: Sequence[str] = (), name: str = "all") -> pd.DataFrame:
    """Share of each category in a whole frame."""
    return category_shares(frame.assign(name=pd.Categorical([name] * len(frame), [name])), [column], leave_out)


def _falls(study: Study, seats: int, question: Causes) -> pd.DataFrame:
    """Falls of finished games at a number of seats; the credited entrants in the column `credited`."""
    frame = finished(study.seats_frame, seats)
    if question.credit:
        seat = frame[question.credit].to_numpy(np.int64)
        entrant = frame["entrant"].to_numpy().reshape(-1, seats)
        game = np.repeat(np.arange(len(entrant)), seats)
        frame = frame.assign(credited=np.where(seat >= 0, entrant[game, np.clip(seat, 0, seats - 1)], -1))
    fell: pd.DataFrame = frame[~frame[question.cause].isin(list(question.leave_out)) & frame[question.cause].notna()]
    return fell


def _cases(frame: pd.DataFrame, columns: list[str]) -> pd.Categorical:
    """Cause and state of each fall; without the state for rare causes, and for others if there are too few colours."""
    cause = frame[columns[0]].astype(str)
    order = [word for word in frame[columns[0]].cat.categories if (cause == word).any()]
    if len(columns) == 1:
        return pd.Categorical(cause, categories=order)
    states = list(frame[columns[1]].cat.categories)
    rare = sorted(order, key=lambda word: int((cause == word).sum()))
    whole = {word for word in order if (cause == word).mean() < RARE}
    while len(order) - len(whole) and len(whole) + (len(order) - len(whole)) * len(states) > len(CATEGORIES):
        whole.add(rare[len(whole)])
    words = np.where(cause.isin(list(whole)), cause, cause + ", " + frame[columns[1]].astype(str))
    kinds = [kind for word in order for kind in ([word] if word in whole else [f"{word}, {state}" for state in states])]
    return pd.Categorical(words, categories=[kind for kind in kinds if (words == kind).any()])


def _state_answer(study: Study, frame: pd.DataFrame, column: str) -> str:
    """Shares of the second category, and the entrants whose falls differ most in its last value."""
    shares, states = category_shares(frame, [column]), _together(frame, column)
    named = listed([f"{percent(row['estimate'])} {row['category']}" for _, row in states.iterrows()])
    text = f" {study.measure(column).label.lower().capitalize()}: {named}"
    known = shares[(shares["category"] == shares["category"].cat.categories[-1]) & (shares["n"] > 0)].sort_values("estimate")
    if len(known) > 1:
        low, high = known.iloc[0], known.iloc[-1]
        text += f"; {high['category']} most often {high['name']} ({percent(high['estimate'])}), least often {low['name']} "
        text += f"({percent(low['estimate'])})"
    return f"{text}."


def throwers(study: Study, question: Causes, frame: pd.DataFrame, seats: int) -> tuple[str, DrawnChart, tuple[Table, ...]]:
    """Sentence, chart and tables of the falls at a number of seats, by the ability that caused them.

    frame: the falls, each with the credited entrant in `credited` (-1: none).
    """
    cause, ability = question.cause, question.ability
    known = frame[(frame["credited"] >= 0) & (frame[ability] >= 0)]
    parts = int(known[ability].max()) + 1 if len(known) else 0
    words = [f"{name}: {part}" for entrant, name in enumerate(study.names) for part in study.part_names(entrant, parts)]
    used, codes = np.unique(known["credited"].to_numpy(np.int64) * parts + known[ability].to_numpy(np.int64), return_inverse=True)
    thrown = known.assign(**{THROWER: pd.Categorical.from_codes(codes, pd.Index([words[code] for code in used]))})
    overall = _together(thrown, THROWER).sort_values("count", ascending=False, kind="stable")
    how = category_shares(thrown.assign(name=thrown[THROWER]), [cause], question.leave_out)
    how = how[(how["n"] > 0) & (how.groupby("category", observed=False)["count"].transform("sum") > 0)]
    rank = {name: place for place, name in enumerate(overall["category"].astype(str))}
    how = how.assign(rank=how["name"].astype(str).map(rank).astype(int)).sort_values("rank", kind="stable", ignore_index=True)
    shown, entrants, answer = how[how["rank"] < SHOWN], plural(study.game.entrant_word), ""
    if len(overall):
        top = overall.iloc[0]
        name = str(top["category"]).replace(": ", ":" + NO_BREAK)
        answer = f" Most {entrants} are thrown out by {name}, {percent(top['estimate'])} of the falls {interval_of(top, 'falls')}"
        if question.chain:
            every = _together(frame, cause)
            part = float(every.loc[every["category"].isin(question.chain), "estimate"].sum())
            answer += f"; {percent(part)} of all falls come through another piece, in chains"
        answer += "."
    hidden = len(rank) - shown["name"].nunique()
    caption = f"What throws {entrants} out {at_seats(seats)}, by entrant and ability, most falls first; bars are divided by "
    caption += f"cause; with {study.policy} in every seat."
    caption += f" {count(hidden)} with fewer falls are in the table only." if hidden else ""
    alt = f"Stacked bars of how each ability throws {entrants} out. {answer}"
    chart = DrawnChart(f"{question.id}-by-ability", charts.stacked(shown, unit="falls", order="given"), caption, alt)
    by, way = f"By which ability {at_seats(seats)}", f"How each ability throws out {at_seats(seats)}"
    tables = (
        _of_falls(overall, "falls-by-ability", by, category="thrown out by"),
        _of_falls(how, "falls-by-ability-how", way, name="thrown out by", category="how"),
    )
    return answer, chart, tables


# ---- events of the parts of teams ------------------------------------------------------------------------------------


def flips(study: Study, question: Flips) -> Section | None:
    """Stacked bars of events by cause: of all parts, of the last events, of each part; and a share by period of the game."""
    if study.teams is None or not study.contests:
        return None
    seats, event, of_last = contest(study), question.event, question.last_event
    shares = _by_part(study, seats, question.causes, f"all {event}")
    if not shares["sum"].sum():
        return None
    whole, last, where = shares[shares["part"] < 0], pd.DataFrame(), capital(at_seats(seats))
    answer = in_order(
        whole,
        lambda row: f"{where} {percent(row['estimate'])} of the {event} are by {row['category']} {interval_of(row, 'games')}",
        lambda row: f"{rounded(row['estimate'])} by {row['category']}",
    )
    if question.last:
        last = _together(at(study.games_frame, seats), question.last, question.leave_out, of_last)
        last = last[last["n"] > 0].assign(category=last["category"].astype(str), name=of_last)
        rank = {cause: place for place, cause in enumerate(question.causes)}
        last = last.sort_values("category", key=lambda words: words.map(rank), kind="stable")
        last = last.rename(columns={"count": "sum"}).assign(base=last["n"], part=-1)
    if len(last):
        ordered = last.sort_values("estimate", ascending=False, kind="stable")
        named = [f"{rounded(row['estimate'])} by {row['category']} {bounds_of(row)}" for _, row in ordered.iterrows()]
        answer += f" Of the {of_last}: {listed(named)}."
    caption = f"Causes of the {event} of all {study.teams.words} together{f', the {of_last}' if len(last) else ''}, and the "
    caption += f"{event} of each {study.teams.word}; {study.where(seats)}."
    bars = pd.concat([whole, last, shares[shares["part"] >= 0]], ignore_index=True)
    figure = charts.stacked(bars.assign(n=bars["base"]), unit="cases", order="given")
    figures = [DrawnChart(question.id, figure, caption, f"Stacked bars of the {event} by cause. {answer}")]
    columns = estimate_columns("share", name="of", category="cause", sum="number")
    tables = [table(bars, question.id, f"{capital(event)} by cause", columns, {"number": "count"})]
    note = f"All games count. Shares of the {event} are ratios over games, because those of a game are correlated; the {of_last} "
    note += "have Wilson intervals over games. n: games"
    if question.whole and question.some:
        sentence, chart, more = _periods(study, question, seats)
        answer, figures, tables = f"{answer} {sentence}", [*figures, chart], [*tables, more]
        note += "; for a period, those with any of the whole amount"
    return Section(question.id, question.text, answer, tuple(figures), tuple(tables), f"{note}.")


def _by_part(study: Study, seats: int, by_cause: Mapping[str, str], every: str) -> pd.DataFrame:
    """Share of each cause by part: all together (part -1, named `every`) first, then those with most of the first cause."""
    frame = of_parts(study, at(study.seats_frame, seats), dict.fromkeys(by_cause.values(), 1))
    values, names = frame[list(by_cause.values())].to_numpy(np.float64), list(frame["name"].cat.categories)
    total, game, part = values.sum(axis=1), frame["game"].to_numpy(), frame["part"].to_numpy(np.int64)
    lines = []
    for column, cause in enumerate(by_cause):
        whole = rates(game, np.zeros(len(frame), np.int64), values[:, column], total)
        each = rates(game, part, values[:, column], total)
        lines.append(whole.assign(part=-1, name=every, category=cause))
        lines.append(each.assign(part=np.arange(len(each)), name=names[: len(each)], category=cause))
    shares = pd.concat(lines, ignore_index=True)
    shares = _within(shares[shares["base"] > 0])
    first = shares[(shares["category"] == next(iter(by_cause))) & (shares["part"] >= 0)]
    rank = dict(zip(first["part"], first["estimate"].rank(ascending=False, method="first"), strict=True)) | {-1: 0.0}
    return shares.assign(order=shares["part"].map(rank)).sort_values("order", kind="stable", ignore_index=True)


def _within(shares: pd.DataFrame) -> pd.DataFrame:
    """Shares with bounds inside 0..1."""
    return shares.assign(low=shares["low"].clip(lower=0), high=shares["high"].clip(upper=1))


def _periods(study: Study, question: Flips, seats: int) -> tuple[str, DrawnChart, Table]:
    """Sentence, bars and table of a share by period."""
    games, whole, some = at(study.games_frame, seats), study.measure(question.whole), study.measure(question.some)
    part, base, periods = numbers(games, some).ravel(), numbers(games, whole).ravel(), len(whole.parts)
    known = base > 0  # other games have no data on that period
    game, period = np.repeat(games["game"].to_numpy(), periods), np.tile(np.arange(periods), len(games))
    shares = rates(game[known], period[known], part[known], base[known])
    shares = _within(shares.reindex(range(periods)).fillna({"n": 0, "sum": 0, "base": 0}).assign(name=list(whole.parts)))
    words = question.share or f"{some.label.lower()} of {whole.label.lower()}"
    enough = shares["n"] >= FLIPS_LEAST
    ends = shares[enough if enough.any() else shares["base"] > 0].iloc[[0, -1]]
    span = f"{question.span} " if question.span else ""
    named = [f"{percent(row['estimate'])} in {span}{row['name']} {interval_of(row, 'games')}" for _, row in ends.iterrows()]
    text = f"{capital(words)}: {' and '.join(dict.fromkeys(named))}."
    caption, id_ = f"{capital(words)} by period of the game, {study.where(seats)}.", f"{question.id}-periods"
    figure = charts.shares(shares.assign(n=shares["n"].where(shares["n"] > 0)), label=words, colour=AMBER)
    amounts = {"sum": some.label.lower(), "base": whole.label.lower()}
    formats: dict[str, Format] = dict.fromkeys(amounts.values(), "count")
    shown = table(shares, id_, capital(words), estimate_columns("share", name="period", **amounts), formats)
    return text, DrawnChart(id_, figure, caption, f"Bars by period of the game. {text}"), shown


# ---- amounts by cause ------------------------------------------------------------------------------------------------


def harm(study: Study, question: Harm) -> Section | None:
    """Stacked bars of the mean amount by cause and entrant.

    One kind of harm: at all numbers of seats, with curves of the seats to which it has not happened yet. Several: a chart each.
    """
    return _one_kind(study, question) if len(question.counts) == 1 else _kinds(study, question)


def _one_kind(study: Study, question: Harm) -> Section | None:
    measure, word, most = study.measure(question.counts[0]), study.game.entrant_word, max(study.seats)
    whole = pd.concat([_means(at(study.seats_frame, seats), measure).assign(seats=seats) for seats in study.seats])
    whole = whole.assign(sum=whole["sum"].astype(np.int64)).reset_index(drop=True)
    if not whole["sum"].sum():
        return None
    unit, totals, parts = _unit(measure), whole[whole["part"] == TOTAL], whole[whole["part"] != TOTAL]
    sums = parts.pivot_table(index="part", columns="seats", values="sum", aggfunc="sum", fill_value=0, sort=False)
    kept = _coloured((sums / sums.sum()).mean(axis=1), question.rare)  # all seats weigh the same
    drawn = _bars(whole, ["seats", "name"], kept, {"seats": True, "total": False})
    drawn = drawn if len(totals) <= ROWS else drawn[drawn["seats"] == most]
    answer = _deaths_answer(at(totals, most), at(parts, most), most, unit)
    caption = f"{capital(unit)} per game of each {word} by cause, with {study.policy} in every seat."
    alt = f"Stacked bars of {unit} per game by cause, one per {word}. {answer}"
    figures = [DrawnChart(question.id, charts.amounts(drawn, unit=f"{unit} per game"), caption, alt)]
    parts = parts.sort_values(["seats", "name", "estimate"], ascending=[True, True, False], kind="stable")
    of_all, formats = {"seats": "seats", "name": word}, {unit: "count", **AMOUNTS}
    by_cause = estimate_columns("per game", **of_all, part="cause", sum=unit)
    tables = [
        table(totals, "deaths", f"{capital(unit)} per game", estimate_columns("per game", **of_all, sum=unit), formats),
        table(parts, "deaths-by-cause", f"{capital(unit)} per game by cause", by_cause, formats),
    ]
    note = "All games count, including stopped ones. Causes that are rare overall are combined in the chart; the table lists "
    note += "them all."
    if question.turn:
        sentence, chart, more = _first(study, question, most)
        answer, figures, tables = f"{answer} {sentence}", [*figures, chart], [*tables, more]
        note += " A game that ended first counts as one in which it did not happen, so the curves do not reach zero."
    return Section(question.id, question.text, answer, tuple(figures), tuple(tables), note)


def _kinds(study: Study, question: Harm) -> Section | None:
    if not study.contests:
        return None
    seats, word = contest(study), study.game.entrant_word
    frame = at(study.seats_frame, seats)
    made = [*_of_kinds(study, question, seats)]
    if not made:
        return None
    sentences, figures, tables = (list(parts) for parts in zip(*made, strict=True))
    beside = []
    for measure in map(study.measure, question.beside):
        plain = frame[["game", "name", measure.field]].rename(columns={measure.field: f"{measure.field}_0"})
        found = means(plain, ["name"], measure.field, (measure.label,))
        beside.append(found[found["part"] != TOTAL].assign(unit=measure.unit))
    if beside:
        columns = estimate_columns("per game", name=word, part="what", unit="unit")
        tables.append(table(pd.concat(beside, ignore_index=True), f"{question.id}-beside", "Beside it", columns, AMOUNTS))
    note = f"All games, including stopped ones, {at_seats(seats)}. {OF_RATIOS} the seats of a game are correlated. Rare causes "
    note += "are combined; the tables list them all."
    return Section(question.id, question.text, " ".join(sentences), tuple(figures), tuple(tables), note)


def _of_kinds(study: Study, question: Harm, seats: int) -> Iterator[tuple[str, DrawnChart, Table]]:
    """Sentence, chart and table of each kind of harm that happens at all."""
    frame, word = at(study.seats_frame, seats), study.game.entrant_word
    for measure in map(study.measure, question.counts):
        rows, unit, id_ = _means(frame, measure), _unit(measure), f"{question.id}-{measure.field.replace('_', '-')}"
        totals, parts = rows[rows["part"] == TOTAL], rows[rows["part"] != TOTAL]
        if parts.empty:
            continue
        sums = parts.groupby("part", sort=False)["sum"].sum()
        shares = (sums / sums.sum()).sort_values(ascending=False, kind="stable")
        top, bottom = highest(totals, "estimate"), lowest(totals, "estimate")
        text = f"{capital(measure.label)}: {listed([f'{name} {rounded(share)}' for name, share in shares.items()])}; "
        if len(totals) < 2 or top["estimate"] == bottom["estimate"]:
            text += f"{amount(top['estimate'])} {unit} per game."
        else:
            text += f"{top['name']} has most, {amount(top['estimate'])} {unit} per game "
            text += f"{quantity_of(top, 'games')}, and {bottom['name']} least, {amount_of(bottom, 'games')}."
        caption = f"{measure.label} per game of each {word} by cause, {study.where(seats)}."
        drawn = _bars(rows, ["name"], _coloured(shares, question.rare), {"total": False}, ROWS).assign(panel=measure.label)
        figure = charts.amounts(drawn, panels="panel", unit=f"{unit} per game")
        whole = rows["name"].map(totals.set_index("name")["estimate"]).astype(float)
        columns = {"name": word, "part": "cause", "sum": unit, "estimate": "per game", "low": "low", "high": "high"}
        shown = rows.assign(share=rows["estimate"] / whole)
        by_cause = table(
            shown, id_, f"{measure.label} by cause", columns | {"share": "share", "n": "n"}, {unit: "count", **AMOUNTS}
        )
        yield text, DrawnChart(id_, figure, caption, f"Stacked bars by cause, one per {word}. {text}"), by_cause


def _means(frame: pd.DataFrame, measure: Measure) -> pd.DataFrame:
    """Mean number by entrant and cause, without causes that never occur, and the sum over causes as TOTAL."""
    found = means(frame, ["name"], measure.field, measure.parts)
    found = found.assign(low=found["low"].clip(lower=0))
    return found[(found["sum"] > 0) | (found["part"] == TOTAL)]


def _unit(measure: Measure) -> str:
    return measure.unit or measure.label.lower()


def _coloured(shares: pd.Series, rare: float) -> list[str]:
    """Causes with a colour of their own, the most frequent first; the others are drawn together as OTHER."""
    shares = shares.sort_values(ascending=False, kind="stable")
    kept = [str(name) for name, share in shares.items() if share >= rare][: len(CATEGORIES)]
    return kept if len(kept) == len(shares) else kept[: len(CATEGORIES) - 1]


def _bars(rows: pd.DataFrame, keys: list[str], kept: list[str], order: dict[str, bool], most: int | None = None) -> pd.DataFrame:
    """Data of stacked bars.

    rows: `means`; keys: columns that identify a bar; order: columns that sort the bars, and whether
    they rise; most: number of bars that are kept.
    """
    parts, totals = rows[rows["part"] != TOTAL], rows[rows["part"] == TOTAL].rename(columns={"estimate": "total"})
    words = pd.Categorical(parts["part"].where(parts["part"].isin(kept), OTHER), [*kept, OTHER])
    sums = parts.assign(category=words).groupby([*keys, "category"], observed=True)["estimate"].sum().reset_index()
    ends = totals[[*keys, "total", "low", "high", "n"]].sort_values([*order], ascending=[*order.values()], kind="stable")
    drawn = ends.head(most or len(ends)).merge(sums, on=keys, how="left")
    return drawn.assign(category=drawn["category"].fillna(kept[0]), estimate=drawn["estimate"].fillna(0.0))


def _deaths_answer(totals: pd.DataFrame, parts: pd.DataFrame, seats: int, unit: str) -> str:
    """Entrants with most and fewest, and the causes in order of their share."""
    if not parts["sum"].sum():
        return f"{capital(at_seats(seats))} there are no {unit}."
    top, bottom = highest(totals, "estimate"), lowest(totals, "estimate")
    text = f"{capital(at_seats(seats))} {top['name']} has {amount(top['estimate'])} {unit} per game "
    text += quantity_of(top, "games")
    text += f", the most, and {bottom['name']} {amount_of(bottom, 'games')}, the fewest" if len(totals) > 1 else ""
    shares = (parts.groupby("part")["sum"].sum() / parts["sum"].sum()).sort_values(ascending=False, kind="stable")
    named = [f"{name} {percent(share)}" for name, share in shares.items()]
    return f"{text}. Of all {count(parts['sum'].sum())} the causes are {listed(named)}."


def _first(study: Study, question: Harm, most: int) -> tuple[str, DrawnChart, Table]:
    """Sentence, curves and table of when it first happens."""
    word, measure = study.game.entrant_word, study.measure(question.turn)
    whole, unit = study.seats_frame.sort_values("entrant", kind="stable"), measure.unit or "turns"
    parts = [happened(at(whole, seats), question.turn, "name", question.never).assign(seats=seats) for seats in study.seats]
    frame = pd.concat(parts, ignore_index=True)
    free = frame.assign(estimate=1 - frame["estimate"], low=1 - frame["high"], high=1 - frame["low"])
    top = highest(at(free, most).groupby("name", observed=True, sort=False).tail(1), "estimate")
    halves = {name: reached(part) for name, part in at(frame, most).groupby("name", observed=True, sort=False)}
    struck = sorted((when, str(name)) for name, when in halves.items() if not np.isnan(when))
    text = f"{capital(at_seats(most))} {percent(top['estimate'])} of its games leave {top['name']} without any "
    text += f"{interval_of(top)}, the most; "
    if struck:
        text += f"in half of its games {struck[0][1]} has had its first after {count(struck[0][0])} {unit}"
        text += f", {struck[-1][1]} after {count(struck[-1][0])}." if len(struck) > 1 else "."
    else:
        text += f"no {word} sees it in half of its games."
    caption = f"{measure.label}: share of games in which it has not happened yet, one line per {word}, with {study.policy} in "
    caption += "every seat."
    alt = f"Falling curves, one per {word}, a panel per number of seats. {text}"
    chart = DrawnChart(f"{question.id}-first", charts.curves(frame, label=unit, falling=True), caption, alt)
    columns = estimate_columns("share", seats="seats", name=word, turns=unit)
    title = f"{measure.label}: not yet happened, by {unit}"
    return text, chart, table(thinned(free, ["seats", "name"]), "first-deaths", title, columns)


# ---- parts of a whole ------------------------------------------------------------------------------------------------


def shares(study: Study, question: Shares) -> Section | None:
    """Bars of the share of each part in the whole, or stacked bars of its mean for winners and losers, per number of seats."""
    if question.by == "side":
        return _by_side(study, question)
    if not study.contests:
        return None
    seats, main = contest(study), study.measure(question.parts)
    frame = at(study.games_frame if main.per == "game" else study.seats_frame, seats)
    further = [numbers(frame, study.measure(field)).sum(axis=1) for field in question.more.values()]
    values = np.column_stack([numbers(frame, main), *further])
    total, game, group = values.sum(axis=1), frame["game"].to_numpy(), np.zeros(len(frame), np.int64)
    if not total.sum():
        return None
    found = _within(pd.concat([rates(game, group, part, total) for part in values.T], ignore_index=True))
    found = found.assign(name=[*main.parts, *question.more])
    thing = question.whole or f"the {_unit(main)}"
    verb, where = question.verb or ("are" if thing.endswith("s") else "is"), capital(at_seats(seats))
    answer = in_order(
        found,
        lambda row: f"{where} {percent(row['estimate'])} of {thing} {verb} {row['name']} {interval_of(row, 'games')}",
        lambda row: f"{rounded(row['estimate'])} {row['name']} {bounds_of(row)}",
    )
    caption = f"Shares of {thing}, {study.where(seats)}; all games together."
    columns, title = estimate_columns("share", name="part", sum=main.unit or "number"), f"Shares of {thing}"
    shown = table(found, question.id, title, columns, {main.unit or "number": "count"})
    note = f"All games count, including stopped ones. {OF_RATIOS} events in a game are correlated; n: games. {question.note}"
    figure = charts.shares(found, label=f"share of {thing}")
    return answered(question, answer, figure, caption, f"Bars of the shares of {thing}.", [shown], note.strip())


def _by_side(study: Study, question: Shares) -> Section | None:
    measure = study.measure(question.parts)
    tables = []
    for seats in study.seats:
        frame = finished(study.seats_frame, seats)
        sides = frame.assign(side=np.where(frame["won"], SIDES[1], SIDES[0]))
        found = means(sides, ["side"], measure.field, measure.parts).assign(seats=seats)
        tables.append(found.sort_values("side", ascending=False, kind="stable"))
    whole, unit = pd.concat(tables, ignore_index=True), _unit(measure)
    if whole.empty:
        return None
    named = sorted({max(study.seats), *({1} & set(study.seats))}, reverse=True)  # a single player's points are shown too
    answer = " ".join(_sources_answer(at(whole, seats), seats, unit) for seats in named if len(at(whole, seats)))
    sums = whole[whole["part"] != TOTAL].groupby("part")["sum"].sum().abs()
    drawn = _bars(whole, ["seats", "side"], _coloured(sums, 0), {"seats": True, "side": False}).rename(columns={"side": "name"})
    caption = f"{measure.label} of winners and losers, by source, with {study.policy} in every seat."
    alt = f"Stacked bars of {unit} by source, winners and losers, per number of seats."
    columns = estimate_columns(f"mean {unit}", seats="seats", side="who", part="source")
    shown = table(whole, "sources", f"{measure.label} by source", columns, AMOUNTS)
    note = f"Finished games only; a seat that shares a win is a winner. {OF_RATIOS} the seats of a game are correlated; n: games "
    note += "with such a seat. Winners have more because points decide the win: the sources show what they won with, not what "
    note += "would help a loser."
    return answered(question, answer, charts.amounts(drawn, unit=f"mean {unit}"), caption, alt, [shown], note)


def _sources_answer(rows: pd.DataFrame, seats: int, unit: str) -> str:
    """Points of winners and losers, the winners' sources, and the source with the largest difference."""
    totals, parts = rows[rows["part"] == TOTAL].set_index("side"), rows[rows["part"] != TOTAL]
    have = [f"{side} have {amount_of(row, 'games')}" for side, row in totals.iterrows()]
    text = f"{capital(unit)} {at_seats(seats)}: {' and '.join(have)}"
    winners, losers = (parts[parts["side"] == side] for side in reversed(SIDES))
    if not winners["sum"].sum() > 0:
        return f"{text}."
    ordered = winners[winners["estimate"] > 0].sort_values("estimate", ascending=False, kind="stable")
    whole = totals.loc[SIDES[1], "estimate"]
    named = [f"{row['part']} {percent(row['estimate'] / whole, 0)}" for _, row in ordered.iterrows()]
    text += f"; those of winners are {listed(named)}"
    both = winners.merge(losers, on="part", suffixes=("", "_lost"))
    if len(both):
        top = highest(both.assign(apart=both["estimate"] - both["estimate_lost"]), "apart")
        text += f"; winners are ahead most by {top['part']}, {amount(top['apart'])} more"
    return f"{text}."
