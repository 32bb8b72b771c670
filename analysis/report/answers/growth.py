"""How fast seats grow and from what: a level by own turn, and what the total behind it is made of."""

from typing import Any

import numpy as np
import pandas as pd

from analysis import charts, clustered
from analysis.amounts import rates
from analysis.report.answers.members import contest, numbers
from analysis.report.answers.prose import amount, at_seats, capital, interval, listed, quantity
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study, finished
from analysis.wording import count, number, percent
from sim.engine.measures import Question

REACH = (0.1, 0.9)  # quantiles that the band shows
STILL_ON, LEAST = 0.05, 20  # share and number of seats from which on a turn is shown
LEVEL, TOTAL, UNUSED, REACHED = "level", "total", "unused", "reached"  # roles; any other names a part of the total
FORMATS: dict[str, Format] = {"low": "number", "high": "number"}


def growth(study: Study, question: Question) -> Section | None:
    """Median level by own turn with a band, above the mean total by source; when levels are held, what is left unused.

    Roles: level (measure per seat with one number per own turn, nan beyond the last), total (the same of what levels are made
    of; may be absent, and the lower panel with it), unused (the same of what was left over in a turn; may be absent), reached
    (own turn in which each level was held first, one number per level; may be absent); any other role is the name of a part of
    the total and its measure per own turn. Settings: turn (what a turn is called), rest (name of what the parts lack to the
    total), levels (those told of), never (value of a level that was not held).
    """
    if LEVEL not in question.roles or not study.contests:
        return None
    seats, turn = contest(study), question.settings.get("turn", ("turn",))[0]
    frame = finished(study.seats_frame, seats)
    measure = study.measure(question.roles[LEVEL])
    found = _levels(numbers(frame, measure))
    if found.empty:
        return None
    parts = _parts(study, question, frame, len(found))
    told = [_said(found, measure.label.lower(), turn)]
    tables = [_level_table(found, question.id, measure.label, turn)]
    total = study.measure(question.roles[TOTAL]).label.lower() if TOTAL in question.roles else ""
    if len(parts):
        told.append(_said_parts(parts, found, total))
        columns = {"x": turn, "name": "source", "mean": f"mean {total}", "estimate": "share", "low": "low"}
        tables.append(
            table(parts, f"{question.id}-sources", f"{capital(total)} by source", {**columns, "high": "high", "n": "n"})
        )
    for role, tell in ((REACHED, _reached), (UNUSED, _unused)):
        if role in question.roles:
            said, shown = tell(study, question, frame, len(found))
            told.append(said)
            tables.append(shown)
    answer = f"{capital(at_seats(seats))} {' '.join(filter(None, told))}"
    figure = charts.growth(
        found,
        parts=parts if len(parts) else None,
        x_label=f"end of {turn}",
        y_label=measure.label.lower(),
        total_label=total,
        reach=REACH,
    )
    below = f"; below, mean {total} by source" if len(parts) else ""
    caption = f"{measure.label} at the end of every {turn}: median and, pale, the middle of the seats{below}. "
    caption += f"{capital(at_seats(seats))}, with {study.policy} in every seat."
    note = (
        "Finished games. A seat counts as long as it takes turns: later points are those of longer games. Shown while "
    )
    note += f"{percent(STILL_ON, 0)} of the seats are on. Intervals take the seats of one game as one observation. n: seats, "
    note += "turns or, of sources and what is left, games."
    alt = f"Line of the median with a band over the {turn}s, above stacked areas of what it is made of. {answer}"
    chart = Chart(question.id, figure, caption, alt)
    return Section(question.id, question.text, answer, (chart,), tuple(tables), note)


def _levels(values: np.ndarray) -> pd.DataFrame:
    """Quantiles by own turn: x, median, low, high, n, on (share of the seats)."""
    lines = []
    for turn in range(values.shape[1]):
        known = values[np.isfinite(values[:, turn]), turn]
        if known.size < max(LEAST, STILL_ON * len(values)):
            break
        low, median, high = np.quantile(known, (REACH[0], 0.5, REACH[1]), method="inverted_cdf")
        line = {"x": turn + 1, "median": median, "low": low, "high": high, "n": known.size}
        lines.append({**line, "on": known.size / len(values)})
    return pd.DataFrame(lines)


def _parts(study: Study, question: Question, frame: pd.DataFrame, turns: int) -> pd.DataFrame:
    """Mean of each part and its share of the total by own turn: x, name, mean, estimate, low, high, n; from below upwards."""
    named = {role.replace("_", " "): field for role, field in question.roles.items() if role not in _ROLES}
    if TOTAL not in question.roles or not named:
        return pd.DataFrame()
    total = numbers(frame, study.measure(question.roles[TOTAL]))[:, :turns]
    values = {name: numbers(frame, study.measure(field))[:, :turns] for name, field in named.items()}
    rest = total - np.sum([*values.values()], axis=0)
    values = {question.settings.get("rest", ("other",))[0]: rest, **values} if np.nanmax(np.abs(rest)) > 0 else values
    known, game = np.isfinite(total), frame["game"].to_numpy()
    line, at = np.nonzero(known)
    tables = []
    for name, part in values.items():
        share = rates(game[line], at, part[known], total[known])
        means = np.bincount(at, part[known], turns) / np.bincount(at, minlength=turns)
        bounds = share[["low", "high"]].clip(0, 1)
        tables.append(
            share.assign(low=bounds["low"], high=bounds["high"], x=np.arange(turns) + 1, name=name, mean=means)
        )
    return pd.concat(tables, ignore_index=True)


_ROLES = (LEVEL, TOTAL, UNUSED, REACHED)


def _level_table(found: pd.DataFrame, id_: str, label: str, turn: str) -> Table:
    columns = {"x": turn, "low": percent(REACH[0], 0), "median": "median", "high": percent(REACH[1], 0)}
    formats: dict[str, Format] = dict.fromkeys((percent(end, 0) for end in REACH), "number")
    columns |= {"on": "seats that come to it", "n": "n"}
    return table(found, id_, label, columns, {**formats, "seats that come to it": "percent"})


def _middle(found: pd.DataFrame) -> pd.Series:
    """The last turn that at least half of the seats come to; the first one where none is."""
    half = found[found["on"] >= 1 / 2]
    return half.iloc[-1] if len(half) else found.iloc[0]


def _said(found: pd.DataFrame, label: str, turn: str) -> str:
    """The median and the band when half of the seats are still on."""
    row = _middle(found)
    said = f"the median {label} is {number(row['median'])} at the end of {turn} {count(row['x'])}, to which "
    said += f"{percent(row['on'])} of the seats come ({percent(REACH[0], 0)} to {percent(REACH[1], 0)} of these: "
    return said + f"{number(row['low'])} to {number(row['high'])}, n\u00a0=\u00a0{count(row['n'])})."


def _said_parts(parts: pd.DataFrame, found: pd.DataFrame, total: str) -> str:
    """What the total is made of by then, most first."""
    x = _middle(found)["x"]
    then = parts[parts["x"] == x].sort_values("estimate", ascending=False, kind="stable")
    top = then.iloc[0]
    named = [f"{row['name']} {percent(row['estimate'])}" for _, row in then.iloc[1:].iterrows()]
    said = f"By then {percent(top['estimate'])} {interval(top['low'], top['high'], top['n'], 'games')} of the {total} comes from "
    return said + f"{top['name']}" + (f"; {listed(named)}." if named else ".")


def _reached(study: Study, question: Question, frame: pd.DataFrame, _turns: int) -> tuple[str, Table]:
    """When levels are held first: sentence and table."""
    measure = study.measure(question.roles[REACHED])
    never = float(question.settings.get("never", ("0",))[0])
    wanted = question.settings.get("levels", measure.parts)
    turn, label = question.settings.get("turn", ("turn",))[0], study.measure(question.roles[LEVEL]).label.lower()
    values, lines = numbers(frame, measure), []
    game = frame["game"].to_numpy()
    for name in (name for name in measure.parts if name in wanted):
        when = values[:, measure.parts.index(name)]
        held = when != never
        share = clustered.share(game, held.astype(np.float64))
        line: dict[str, Any] = {
            "name": name,
            "estimate": share.estimate,
            "low": share.low,
            "high": share.high,
            "n": share.n,
        }
        for words, part in (("early", REACH[0]), ("median", 0.5)):
            line[words] = np.quantile(np.where(held, when, np.inf), part, method="inverted_cdf")
        lines.append(line)
    found = pd.DataFrame(lines).replace(np.inf, np.nan)
    columns = {"name": label, "early": f"{percent(REACH[0], 0)} hold it by {turn}", "median": f"half hold it by {turn}"}
    shown = table(
        found,
        f"{question.id}-reached",
        f"When each {label} is held first",
        {**columns, "estimate": "share that holds it", "low": "low", "high": "high", "n": "n"},
        {"share that holds it": "percent"},
    )
    told: list[str] = []
    for _, row in found.iterrows():
        median = row["median"]
        half = f"half of the seats by {turn} {count(median)}" if pd.notna(median) else "fewer than half of the seats"
        told.append(f"{label} {row['name']} by {percent(row['estimate'])}, {half}")
    return f"Ever held is {'; '.join(told)}." if told else "", shown


def _unused(study: Study, question: Question, frame: pd.DataFrame, turns: int) -> tuple[str, Table]:
    """What is left unused per own turn: sentence over all turns, table by turn."""
    measure = study.measure(question.roles[UNUSED])
    turn = question.settings.get("turn", ("turn",))[0]
    values, game = numbers(frame, measure), frame["game"].to_numpy()
    line, at = np.nonzero(np.isfinite(values))
    left = values[line, at]
    whole = rates(game[line], np.zeros(line.size, np.int64), left, np.ones(line.size)).iloc[0]
    shown = at < turns
    by_turn = rates(game[line][shown], at[shown], left[shown], np.ones(int(shown.sum())))
    some = clustered.shares(game[line][shown], at[shown], left[shown] > 0, turns)
    found = by_turn.assign(x=np.arange(1, turns + 1), some=some["estimate"], s_low=some["low"], s_high=some["high"])
    columns = {"x": turn, "estimate": "mean left", "low": "low", "high": "high", "some": "turns with some left"}
    columns |= {"s_low": "share, low", "s_high": "share, high", "n": "n"}
    formats: dict[str, Format] = dict.fromkeys(("turns with some left", "share, low", "share, high"), "percent")
    often = clustered.share(game[line], left > 0)
    said = f"{capital(measure.label)}: {amount(whole['estimate'])} {quantity(whole['low'], whole['high'], whole['n'], 'games')} "
    said += f"on average, something in {percent(often.estimate)} of the turns "
    said += f"{interval(often.low, often.high, often.n, 'turns')}."
    return said, table(found, f"{question.id}-unused", measure.label, columns, {**FORMATS, **formats})
