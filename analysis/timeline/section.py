"""Sections on how games run: comebacks, the worth of leads, and win shares by the states of both sides."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray

from analysis import charts
from analysis.answer.model import DrawnChart, Section, answered
from analysis.answer.numbers import Format, count, number, percent
from analysis.answer.prose import (
    amount,
    amount_of,
    at_seats,
    capital,
    interval_of,
    listed,
    number_word,
    quantity_of,
    share_of,
    size,
)
from analysis.answer.tables import Table, estimate_columns, highest, lowest, rate_columns, table, with_bounds
from analysis.data.rows import rates
from analysis.data.study import Study, at, contest, finished, numbers, of_parts
from analysis.facts.association import binned_wins
from analysis.stats.intervals import proportion, proportions
from analysis.timeline import leads as of_leads
from analysis.timeline.leads import LeadFit, Leads
from sim.engine.questions import Comebacks, Snowball, Standings

ESTIMATE = ["estimate", "low", "high", "n"]


# ---- comebacks -------------------------------------------------------------------------------------------------------

BINS = 6  # bins of about equal size
ALONE, BOTH = "the other is not yet", "the other is too"


def comeback_section(study: Study, question: Comebacks) -> Section | None:
    """Win share of sides that are nearly beaten, by the turn when that came about and by the state of the other side."""
    if not study.contests or contest(study) != SEATS:
        return None
    frame, state = finished(study.seats_frame, SEATS), question.state
    share, when = frame["share"].to_numpy(np.float64), frame[question.turn].to_numpy(np.float64)
    when = np.where(when == question.never, np.inf, when)
    down = np.isfinite(when)
    if not down.any():
        return None
    both = when.reshape(-1, SEATS)[:, ::-1].ravel() <= when
    cases = {ALONE: down & ~both, BOTH: down & both}
    binned = [binned_wins(when[case], share[case], BINS).assign(line=name) for name, case in cases.items()]
    sums = {name: _share(share[case]) for name, case in cases.items()}
    winners = _share(down[share > 0].astype(np.float64))
    parts = []
    if sums[ALONE]["n"]:
        parts.append(f"still wins {share_of(sums[ALONE], 'sides')} if the other side is not in this state by then")
    if sums[BOTH]["n"]:
        start, end = ("", "it is") if parts else ("wins ", "the other side is in this state by then")
        parts.append(f"{start}{share_of(sums[BOTH], 'sides')} if {end}")
    answer = f"{capital(at_seats(SEATS))} a side with {state} {' and '.join(parts)}"
    own = f"; {percent(winners['estimate'])} of the winners had been in this state themselves {interval_of(winners, 'winners')}"
    answer += f"{own if winners['n'] else ''}."
    unit = study.measure(question.turn).unit or "turns"
    one = unit.removesuffix("s")
    caption = f"Win share of a side with {state}, by the first {one} in this state, with about "
    caption += "equal numbers of sides per dot, and by whether the other side is in this state by then. "
    caption += f"{capital(study.where(SEATS))}."
    whole = pd.concat(binned, ignore_index=True).assign(fair=1 / 2)
    figure = charts.trend(whole, lines="line", x_label=f"first {one} in this state")
    every = pd.DataFrame([{"line": name, **rate} for name, rate in sums.items()])
    tables = (
        table(whole, question.id, f"Win share of a side with {state}", rate_columns(line="other side", bin=unit)),
        table(every, f"{question.id}-all", "At any time", rate_columns(line="other side")),
    )
    note = f"Finished games. \u201c{capital(BOTH)}\u201d: by the end of that {one}; if both get into "
    note += "this state at once, both sides count and average one half. Only the first time counts, even if a side "
    note += "recovers later. n: sides; Wilson intervals."
    return answered(question, answer, figure, caption, f"Lines of the win share by {unit}.", tables, note)


def _share(values: NDArray[np.float64]) -> dict[str, float]:
    """Share with its bounds; nan without cases."""
    if not values.size:
        return {"estimate": np.nan, "low": np.nan, "high": np.nan, "n": 0}
    share = vars(proportion(float(values.sum()), values.size))
    return {name: share[name] for name in ESTIMATE}


# ---- measured leads --------------------------------------------------------------------------------------------------

SEATS, EVEN, DECIDES = 2, 0.5, 0.75
STILL_ON, GAMES_LEAST = 0.02, 100  # share and number of games that a turn needs to be shown
POINTS, FARTHEST = 60, 0.98  # points of a line; quantile of the leads where it ends


@dataclass(frozen=True, eq=False)
class Worth:
    """What leads are worth in the games of a study.

    every: `leads.by_turn` of the turns that enough games reach; good: `leads.led_for_good` of the same turns; main: turn of the
    sentence and the dots; fits: curves of some turns, None where none can be fitted; lead: what is compared; where: words for
    seats and policy.
    """

    leads: Leads
    every: pd.DataFrame
    good: pd.DataFrame
    main: int
    fits: dict[int, LeadFit | None]
    question: Snowball
    lead: str
    where: str


def snowball(study: Study, question: Snowball) -> Section | None:
    """Chance of the side ahead by its lead at some turns; heat map by turn and lead; leads by turn; the first strike.

    Turns are counted for each player.
    """
    if not study.contests or contest(study) != SEATS:
        return None
    frame, measure = finished(study.seats_frame, SEATS), study.measure(question.curve)
    values = numbers(frame, measure)
    share, game = frame["share"].to_numpy(np.float64)[::SEATS], frame["game"].to_numpy(np.int64)[::SEATS]
    leads = Leads.of(values.reshape(-1, SEATS, values.shape[1]), share, study.main(SEATS).pair_of(game))
    every = of_leads.by_turn(leads)
    every = every[every["n"] >= max(GAMES_LEAST, STILL_ON * len(share))].reset_index(drop=True)
    if every.empty:
        return None
    reached = [int(turn) for turn in every["turn"]]
    turns = [turn for turn in question.turns if turn in reached] or reached[:1]
    main = question.at if question.at in reached else turns[0]
    fits = {turn: of_leads.fitted(leads, turn) for turn in sorted({main, *turns})}
    where = f"{capital(at_seats(SEATS))}, with {study.policy} in both seats."
    lead = question.lead or measure.label.lower()
    worth = Worth(leads, every, of_leads.led_for_good(leads, reached), main, fits, question, lead, where)
    answer, tables = f"{_lead_answer(worth)} {_course_answer(worth)}", _lead_tables(worth, question.id)
    if question.first:
        struck = frame[question.first].to_numpy(bool).reshape(-1, SEATS)
        first = vars(of_leads.flagged(struck, share, leads.key))
        if first["n"]:
            answer += f" The side with {question.first_words} wins {share_of(first, 'games')}."
            row = pd.DataFrame([{"name": question.first_words, **first}])
            columns = estimate_columns("win rate", name="side with")
            tables.insert(2, table(row, f"{question.id}-first", "Who strikes first", columns))
    note = (
        f"Finished games. A lead is a side's {lead} less the opponent's, both at the end of the same {question.turn}, if both "
        f"finish it. Later {question.turn}s only include longer games, because the clear ones are over. Both seats of a game are "
        "one observation: lines (logistic, without a constant) go through one half at no lead; dots and cells count the side "
        "ahead. Games that share their dice are correlated: lines have cluster-robust errors, and Wilson intervals use the "
        "effective number of games. AUC: chance that the winner of one game had a greater lead than the loser of another. The "
        "side ahead is often the stronger side, so this does not prove a cause."
    )
    return Section(question.id, question.text, answer, _lead_charts(worth, question.id, answer), tuple(tables), note)


def _lead_charts(worth: Worth, id_: str, answer: str) -> tuple[DrawnChart, ...]:
    """Smooth lines of several turns and the dots of one; heat map by turn and lead; lines by turn."""
    leads, turn, lead, lines = worth.leads, worth.question.turn, worth.lead, []
    for number_, fit in worth.fits.items():
        gap = leads.ahead(number_)[0]
        if fit is not None:
            x = np.linspace(0, np.quantile(gap, FARTHEST), POINTS)
            line = pd.DataFrame({"x": x, **dict(zip(ESTIMATE, fit.chance(x), strict=False)), "n": fit.n})
        else:  # a turn without a fit is drawn through its dots
            line = of_leads.binned(leads, number_).rename(columns={"middle": "x"}).assign(n=gap.size)
        lines.append(line.assign(line=f"{turn} {number_}"))
    main, dots = f"{turn} {worth.main}", of_leads.binned(leads, worth.main)
    frame = pd.concat(lines, ignore_index=True)
    curve = charts.leads(frame, main=main, dots=dots, x_label=f"{lead} ahead at the end of the {turn}")
    by_lead = f"Win share of the side that is ahead in {lead}, by its lead at the end of some {turn}s; dots: "
    by_lead += f"bins of about equal numbers of games at the end of {main}. {worth.where}"
    cells = of_leads.surface(leads, worth.every["turn"].astype(int).tolist())
    rows = [_range(start, end) for start, end in zip(cells["start"], cells["end"], strict=True)]
    cells = cells.assign(row=rows, column=cells["turn"].astype(str))
    heat = charts.surface(cells, x_label=f"end of {turn}", y_label=f"{lead} ahead")
    by_both = f"Win share of the side that is ahead, by {turn} and by its lead. {worth.where}"
    course = _two_lines(worth.every, worth.good, "side", turn, f"Who is ahead in {lead}")
    by_turn = f"Share of games won by the side that is ahead at the end of each {turn}, and share of all games in "
    by_turn += f"which the winner leads for good by then. {worth.where}"
    map_words = f"Heat map of the win share of the side ahead by {turn} (columns) and lead (rows)."
    course_words = f"Two lines by {turn}: how often the side ahead wins, and how many games are led for good."
    return (
        DrawnChart(id_, curve, by_lead, f"Rising lines from one half, one per {turn}. {answer}"),
        DrawnChart(f"{id_}-surface", heat, by_both, map_words),
        DrawnChart(f"{id_}-course", course, by_turn, course_words),
    )


def _range(start: float, end: float) -> str:
    """A bin in words."""
    if not start:
        return f"up to {number(end)}" if np.isfinite(end) else "any"
    return f"{number(start)} to {number(end)}" if np.isfinite(end) else f"over {number(start)}"


def _two_lines(ahead: pd.DataFrame, good: pd.DataFrame, who: str, turn: str, panel: str) -> Figure:
    """Lines by turn: how often the seat or side ahead wins, and how many games are led for good."""
    parts = [ahead.assign(line=f"the {who} ahead wins"), good.assign(line="the winner leads for good")]
    frame = pd.concat([part[["turn", "line", *ESTIMATE]] for part in parts], ignore_index=True).rename(columns={"turn": "x"})
    return charts.lines(frame.assign(panel=panel), label=f"end of {turn}")


def _lead_tables(worth: Worth, id_: str) -> list[Table]:
    """What a lead is worth at some turns, with the effect of a unit of lead on the odds; by its size; by turn."""
    turn, unit, every = worth.question.turn, worth.question.unit, worth.every
    odds = [vars(fit.odds(unit)) if fit else dict.fromkeys(ESTIMATE, np.nan) for fit in worth.fits.values()]
    rows = every[every["turn"].isin(list(worth.fits))]
    ends = {f"odds{end}": [line[name] for line in odds] for name, end in zip(ESTIMATE, ("", "_low", "_high"), strict=False)}
    first = {"turn": turn, "on": "games that come to it"}
    shares = ("games that come to it", "nobody ahead", "side ahead wins", "winner leads for good")
    percents: dict[str, Format] = dict.fromkeys((*shares, "low (for good)", "high (for good)"), "percent")
    measures = with_bounds("auc", "AUC") | with_bounds("r", "correlation") | with_bounds("odds", f"odds per {unit}")
    columns = first | {"tied": "nobody ahead", "gap": "median lead"} | estimate_columns("side ahead wins") | measures
    of_bins = estimate_columns("side ahead wins", start="lead from", end="to", middle="median")
    of_course = first | estimate_columns("side ahead wins") | {"good_estimate": "winner leads for good"}
    of_course |= {"good_low": "low (for good)", "good_high": "high (for good)", "good_n": "n (for good)"}

    def formats(columns: dict[str, str]) -> dict[str, Format]:
        return {heading: form for heading, form in percents.items() if heading in columns.values()}

    title = f"What a lead in {worth.lead} is worth"
    numbers_: dict[str, Format] = dict.fromkeys(measures.values(), "number")
    course = pd.concat([every, worth.good.add_prefix("good_")], axis=1)
    bins, by_size = of_leads.binned(worth.leads, worth.main), f"By the lead at the end of {turn} {worth.main}"
    return [
        table(rows.assign(**ends), id_, title, columns, formats(columns) | numbers_),
        table(bins, f"{id_}-bins", by_size, of_bins, formats(of_bins)),
        table(course, f"{id_}-course", f"Leads by {turn}", of_course, formats(of_course) | {"n (for good)": "count"}),
    ]


def _lead_answer(worth: Worth) -> str:
    """Whether leads decide, at one turn and from which turn on."""
    every, turn, unit = worth.every, worth.question.turn, worth.question.unit
    row, fit = every[every["turn"] == worth.main].iloc[0], worth.fits[worth.main]
    verdicts = (
        (row["high"] < EVEN, "a lead hurts"),
        (row["low"] <= EVEN, "a lead means nothing yet"),
        (row["low"] >= DECIDES, "leads decide"),
        (True, "a lead helps but does not decide"),
    )
    text = f"{capital(at_seats(SEATS))} the side that is ahead in {worth.lead} at the end of {turn} {worth.main} wins "
    text += f"{share_of(row, 'games')}: {next(words for holds, words in verdicts if holds)}."
    if fit is not None:
        odds = fit.odds(unit)
        text += f" Every {number(unit)} ahead multiplies its odds by {amount_of(vars(odds), 'games')}."
    better, sure = every[every["low"] > EVEN], every[every["low"] >= DECIDES]
    if better.empty:
        return f"{text} Its win share is not significantly above one half at any {turn}."
    text += f" Its win share is significantly above one half from {turn} {count(better['turn'].iloc[0])}, and above three "
    return text + (f"quarters from {turn} {count(sure['turn'].iloc[0])}." if len(sure) else "quarters at none.")


def _course_answer(worth: Worth) -> str:
    """How often the lead changes sides, and from when on the winner kept it."""
    runs, share = of_leads.courses(worth.leads), worth.leads.share
    won = runs[(share == 0) | (share == 1)]
    text = f"The lead changes sides {amount(runs['changes'].mean())} times per game ({size(len(runs))})"
    if won.empty:
        return f"{text}."
    middle = np.quantile(won["for_good"].fillna(np.inf), 0.5, method="inverted_cdf")
    half = f"half of the winners lead for good by {worth.question.turn} {count(middle)}"
    few = "fewer than half of the winners are ahead at the end"
    return f"{text}; {few if np.isinf(middle) else half}, and {percent(float(won['behind'].mean()))} were behind once."


# ---- states of both sides --------------------------------------------------------------------------------------------


def standings(study: Study, question: Standings) -> Section | None:
    """Heat map of the win share by both sides' states; dot pairs of what each part does per turn before and after a change."""
    if not study.contests:
        return None
    seats, state, units = contest(study), question.state, study.units_word
    cells = _cells(study, seats, question.visited)
    if not cells["n"].sum():
        return None
    known = {(int(row["own"]), int(row["other"])): row for _, row in cells.iterrows() if row["n"] > 0}
    parts: list[str] = []
    for own, other in ((0, 1), (1, 2), (0, 2)):
        if (own, other) in known:
            side = f"{number_word(own)} {study.unit_word} {state}" if not parts else number_word(own) if own else "none"
            share = share_of(known[own, other], "games")
            parts.append(f"a side with {side} wins {share} against a side with {number_word(other)}")
    answer = f"{capital(at_seats(seats))} {listed(parts) or 'no side was ever ahead'}."
    caption = f"Win share of the seats that began a turn so, by own (rows) and opposing (columns) {units} {state}; "
    caption += f"{study.where(seats)}."
    below = f"opposing {units} {state}"
    alt = f"Heat map of the win share by own and opposing state. {answer}"
    figures = [
        DrawnChart(
            question.id, charts.states(cells, rows=f"own {state}", columns=below, label="row's side wins, in %"), caption, alt
        )
    ]
    columns = rate_columns(own=f"own {state}", other=f"opposing {state}")
    tables = [table(cells, question.id, f"Win share by {units} {state}", columns)]
    note = "Finished games; a game counts once in every cell that it visited, so the cells overlap. With equal "
    note += f"numbers {state} on both sides the share is one half by symmetry (n: games). Wilson intervals. "
    note += "The side behind is often the weaker side, so this does not prove a cause."
    if question.amount_second and study.teams:
        sentence, chart, more = _before_and_after(study, question, seats)
        answer, figures, tables = f"{answer} {sentence}", [*figures, chart], [*tables, more]
        note += " Amounts per turn: ratios over games."
    return Section(question.id, question.text, answer, tuple(figures), tuple(tables), note)


def _cells(study: Study, seats: int, field: str) -> pd.DataFrame:
    """Win share by both sides' levels: own, other, row, column, estimate, low, high, n."""
    frame = finished(study.seats_frame, seats)
    seen = numbers(frame, study.measure(field)) > 0
    levels = isqrt(seen.shape[1])
    if levels * levels != seen.shape[1]:
        raise ValueError(f"measure {field!r} has {seen.shape[1]} parts, not levels x levels")
    n, wins = seen.sum(axis=0), frame["share"].to_numpy(np.float64) @ seen
    own, other = np.divmod(np.arange(seen.shape[1]), levels)
    cells = proportions(wins.clip(0, n), n).assign(own=own, other=other, row=own.astype(str), column=other.astype(str))
    even = (own == other) & (n > 0) & (seats == SEATS)
    cells.loc[even, ["low", "high"]] = np.nan
    return cells.assign(n=np.where(even, n // 2, n))


def _before_and_after(study: Study, question: Standings, seats: int) -> tuple[str, DrawnChart, Table]:
    """Sentence, dot pairs and table of the amount per turn in both states."""
    label, names, unit = question.amount, question.words, study.unit_word
    fields = {"first": (question.amount_first, question.turns_first), "second": (question.amount_second, question.turns_second)}
    every_field = dict.fromkeys([field for pair in fields.values() for field in pair], 1)
    frame = of_parts(study, at(study.seats_frame, seats), every_field)
    game, part, every = frame["game"].to_numpy(), frame["part"].to_numpy(np.int64), list(frame["name"].cat.categories)
    columns: dict[str, object] = {"name": [*every, "all"]}
    for side, pair in fields.items():
        done, turns = (frame[field].to_numpy() for field in pair)
        each = rates(game, part, done, turns).reindex(range(len(every)))
        whole = pd.concat([each, rates(game, np.zeros(len(part), np.int64), done, turns)], ignore_index=True)
        columns |= {side: whole["estimate"], f"{side}_low": whole["low"], f"{side}_high": whole["high"]}
        columns |= {f"{side}_turns": whole["base"], "n": whole["n"]}
    pairs = pd.DataFrame(columns)
    pairs = pairs.assign(gap=pairs["second"] - pairs["first"], all=pairs.index == len(every))
    pairs = pairs.sort_values(["all", "gap"], ascending=[False, False], na_position="last", kind="stable")
    both = [
        f"{amount(pairs[side].iloc[0])} {name} {quantity_of(pairs.iloc[0], 'games', side)}"
        for side, name in zip(("first", "second"), names, strict=True)
    ]
    known = pairs[~pairs["all"] & pairs["gap"].notna()]
    text = f"{capital(label)}: {', '.join(both)}"
    for word, sign in (("gained", 1), ("lost", -1)) if len(known) else ():
        row = highest(known, "gap") if sign > 0 else lowest(known, "gap")
        if sign * row["gap"] > 0:
            text += f"; {row['name']} {word} most, from {amount(row['first'])} to {amount(row['second'])}"
    caption = f"{capital(label)} of each {unit}, {names[0]} and {names[1]}; largest gain first, "
    caption += f"{study.where(seats)}."
    headings = {"name": unit, **with_bounds("first", names[0]), **with_bounds("second", names[1]), "gap": "gained"}
    counts = {"first_turns": f"turns {names[0]}", "second_turns": f"turns {names[1]}"}
    formats: dict[str, Format] = dict.fromkeys(counts.values(), "count")
    shown = table(pairs, f"{question.id}-amounts", capital(label), {**headings, **counts, "n": "n"}, formats)
    figure = charts.dumbbell(pairs, words=names, label=label, shares=False)
    return f"{text}.", DrawnChart(f"{question.id}-amounts", figure, caption, f"Pairs of dots, one per {unit}. {text}."), shown
