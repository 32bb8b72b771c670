"""How much it counts to be ahead: the chance to win by the states of both sides, and what parts do in either state."""

from math import isqrt

import numpy as np
import pandas as pd

from analysis.amounts import rates
from analysis.charts import dumbbell, states
from analysis.estimates import proportions
from analysis.report.answers.members import at, contest, numbers, of_parts
from analysis.report.answers.prose import amount, at_seats, capital, interval, listed, number_word, quantity
from analysis.report.answers.tables import WIN_RATE, highest, lowest, table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study, finished
from analysis.wording import percent
from sim.engine.measures import Question

BEFORE, AFTER = "front", "siege"


def standings(study: Study, question: Question) -> Section | None:
    """Heat map of the win share by own and opposing state; dot pairs of what each part does per turn before and after.

    Roles: visited (measure per seat with levels x levels numbers, own level first: 1 if the seat saw it), and, by member,
    amount_first and turns_first, amount_second and turns_second (what was done in which turns, before and after a change of
    state; may be absent). Settings: state (what is counted, e.g. `in siege-state`), words (names of the two states), amount
    (words for the amount per turn).
    """
    if "visited" not in question.roles or not study.contests:
        return None
    seats, state = contest(study), question.settings.get("state", ("down",))[0]
    found = _cells(study, seats, question.roles["visited"])
    if not found["n"].sum():
        return None
    answer = _said(found, seats, study.unit_word, state)
    caption = f"Win share of the seats that began a turn so, by own (rows) and opposing (columns) {study.units_word} {state}; "
    caption += f"{at_seats(seats)} with {study.policy} in every seat."
    figure = states(
        found, rows=f"own {state}", columns=f"opposing {study.units_word} {state}", label="row's side wins, in %"
    )
    charts = [Chart(question.id, figure, caption, f"Heat map of the win share by own and opposing state. {answer}")]
    columns = {"own": f"own {state}", "other": f"opposing {state}", "estimate": WIN_RATE, "low": "low", "high": "high"}
    tables = [table(found, question.id, f"Win share by {study.units_word} {state}", {**columns, "n": "n"})]
    note = "Finished games; a game counts once in every cell it has seen, so that the cells overlap. With equally "
    note += f"many {state} on "
    note += "both sides one of them wins, which makes a half (n: games). Wilson intervals. Who is behind is the "
    note += "weaker side too: "
    note += "this is no proof of a cause."
    if {"amount_first", "turns_first", "amount_second", "turns_second"} <= set(question.roles) and study.teams:
        said, chart, more = _pairs(study, question, seats)
        answer, charts, tables = f"{answer} {said}", [*charts, chart], [*tables, more]
        note += " What is done per turn: ratios over games."
    return Section(question.id, question.text, answer, tuple(charts), tuple(tables), note)


def _cells(study: Study, seats: int, field: str) -> pd.DataFrame:
    """Win share by own and opposing level: own, other, row, column, estimate, low, high, n."""
    frame = finished(study.seats_frame, seats)
    seen = numbers(frame, study.measure(field)) > 0
    levels = isqrt(seen.shape[1])
    if levels * levels != seen.shape[1]:
        raise ValueError(f"measure {field!r} has {seen.shape[1]} parts, which are no levels x levels")
    share = frame["share"].to_numpy(np.float64)
    n, wins = seen.sum(axis=0), share @ seen
    own, other = np.divmod(np.arange(seen.shape[1]), levels)
    table = proportions(wins.clip(0, n), n).assign(own=own, other=other, row=own.astype(str), column=other.astype(str))
    even = (own == other) & (n > 0) & (seats == len(("own", "opposing")))
    table.loc[even, ["low", "high"]] = np.nan
    return table.assign(n=np.where(even, n // 2, n))


def _said(found: pd.DataFrame, seats: int, unit: str, state: str) -> str:
    """What one and the most ahead are worth, level or not."""
    cells = {(int(row["own"]), int(row["other"])): row for _, row in found.iterrows() if row["n"] > 0}
    told: list[str] = []
    for own, other in ((0, 1), (1, 2), (0, 2)):
        row = cells.get((own, other))
        if row is None:
            continue
        side = f"{number_word(own)} {unit} {state}" if not told else number_word(own) if own else "none"
        share = f"{percent(row['estimate'])} {interval(row['low'], row['high'], row['n'], 'games')}"
        told.append(f"a side with {side} wins {share} against a side with {number_word(other)}")
    if not told:
        return f"{capital(at_seats(seats))} no side was ever ahead."
    return f"{capital(at_seats(seats))} {listed(told)}."


def _pairs(study: Study, question: Question, seats: int) -> tuple[str, Chart, Table]:
    """Sentence, dot pairs and table of the amount per turn in both states."""
    roles = question.roles
    names = question.settings.get("words", ("before", "after"))
    frame = of_parts(
        study, at(study.seats_frame, seats), {field: 1 for role, field in roles.items() if role != "visited"}
    )
    game, part = frame["game"].to_numpy(), frame["part"].to_numpy(np.int64)
    every = list(frame["name"].cat.categories)
    found: dict[str, object] = {"name": [*every, "all"]}
    for side in ("first", "second"):
        done, turns = (frame[roles[f"{what}_{side}"]].to_numpy() for what in ("amount", "turns"))
        each = rates(game, part, done, turns).reindex(range(len(every)))
        whole = pd.concat([each, rates(game, np.zeros(len(part), np.int64), done, turns)], ignore_index=True)
        found |= {side: whole["estimate"], f"{side}_low": whole["low"], f"{side}_high": whole["high"]}
        found |= {f"{side}_turns": whole["base"], "n": whole["n"]}
    pairs = pd.DataFrame(found)
    gap = pairs["second"] - pairs["first"]
    pairs = pairs.assign(gap=gap, all=pairs.index == len(every))
    pairs = pairs.sort_values(["all", "gap"], ascending=[False, False], na_position="last", kind="stable")
    label = question.settings.get("amount", ("amount per turn",))[0]
    figure = dumbbell(pairs, words=names, label=label, shares=False)
    whole_row = pairs.iloc[0]
    said = f"{capital(label)}: {amount(whole_row['first'])} {names[0]} "
    said += f"{quantity(whole_row['first_low'], whole_row['first_high'], whole_row['n'], 'games')}, "
    said += f"{amount(whole_row['second'])} {names[1]} "
    said += f"{quantity(whole_row['second_low'], whole_row['second_high'], whole_row['n'], 'games')}"
    said += _apart(pairs[~pairs["all"]])
    caption = f"{capital(label)} of each {study.unit_word}, {names[0]} and {names[1]}; most gained first, "
    caption += f"{at_seats(seats)} with "
    caption += f"{study.policy} in every seat."
    columns = {
        "name": study.unit_word,
        "first": names[0],
        "first_low": f"{names[0]}, low",
        "first_high": f"{names[0]}, high",
    }
    columns |= {
        "second": names[1],
        "second_low": f"{names[1]}, low",
        "second_high": f"{names[1]}, high",
        "gap": "gained",
    }
    columns |= {"first_turns": f"turns {names[0]}", "second_turns": f"turns {names[1]}", "n": "n"}
    formats: dict[str, Format] = {f"turns {name}": "count" for name in names}
    shown = table(pairs, f"{question.id}-amounts", capital(label), columns, formats)
    return (
        said,
        Chart(f"{question.id}-amounts", figure, caption, f"Pairs of dots, one per {study.unit_word}. {said}"),
        shown,
    )


def _apart(parts: pd.DataFrame) -> str:
    """Who gains most and who loses most, to end a sentence."""
    known = parts[parts["gap"].notna()]
    if known.empty:
        return "."
    ends = (("gained", highest(known, "gap"), 1), ("lost", lowest(known, "gap"), -1))
    told = [
        f"most is {word} by {row['name']}, from {amount(row['first'])} to {amount(row['second'])}"
        for word, row, sign in ends
        if sign * row["gap"] > 0
    ]
    return "; ".join(["", *told]) + "."
