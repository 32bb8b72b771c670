"""How amounts develop over a game.

How fast seats grow and from what: a level by own turn, and what the total behind it is made of.

How what both sides have left runs over the game: winners beside losers, and how many games are still on.

How an amount runs over the own turns of each entrant.

Whether it decides who wins when something first happened to a seat: the luck of what turns up.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from analysis import charts
from analysis.charts import bands, strips, trend
from analysis.data import clustered
from analysis.data.clustered import rates
from analysis.data.study import Study, contest, finished, numbers
from analysis.document.cells import count, decimal, number, percent
from analysis.document.model import Chart, Format, Section, Table
from analysis.document.prose import amount, article, at_seats, capital, interval, listed, quantity, size
from analysis.document.tables import WIN_RATE, highest, lowest, table
from analysis.stats.intervals import Interval, mean, proportions
from analysis.stats.paired import rank_correlation
from analysis.winrates.rates import fair_share
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


LIFE_CURVES_STILL_ON, LIFE_CURVES_LEAST = 0.02, 20  # share and number of games from which on a turn is shown
SIDES = ("winners", "losers")


def life_curves(study: Study, question: Question) -> Section | None:
    """Means of winners and losers after every turn with bands of quantiles, over the share of the games still on.

    Roles: curve (measure per seat with one number per turn, nan once the game is over). Settings: turn (what one turn is called).
    """
    field = question.roles.get("curve")
    if field is None or not study.contests:
        return None
    seats, measure = contest(study), study.measure(field)
    frame = finished(study.seats_frame, seats)
    found = _curves(numbers(frame, measure), frame["won"].to_numpy(bool), seats)
    if found.empty:
        return None
    turn = question.settings.get("turn", ("turn",))[0]
    answer = _life_curves_said(found, measure.label, turn, seats)
    drawn = found.rename(columns={"q_low": "low", "q_high": "high"})
    figure = bands(drawn, x_label=f"after {turn}", y_label=measure.label.lower(), reach=REACH)
    ends = " to ".join(percent(end, 0) for end in REACH)
    caption = f"{measure.label} of winners and losers after every {turn}, means and, pale, the middle of the games "
    caption += f"({ends}); below, the share of the games that come to it. "
    caption += f"{capital(at_seats(seats))}, with {study.policy} in every seat."
    alt = f"Lines of winners and losers with bands over the {turn}s, and the share of games still on. {answer}"
    columns = {"x": f"after {turn}", "line": "who", "mean": "mean", "m_low": "low", "m_high": "high"}
    columns |= {"q_low": f"quantile {percent(REACH[0], 0)}", "q_high": f"quantile {percent(REACH[1], 0)}"}
    columns |= {"on": "games that come to it", "n": "n"}
    formats: dict[str, Format] = {"low": "number", "high": "number", "games that come to it": "percent"}
    shown = table(found, question.id, measure.label, columns, formats)
    note = f"Finished games. {capital(article(turn))} that ends a game counts; after it the game is left out, so that the later "
    note += (
        f"points are those of longer games, and a line can rise. Shown as long as {percent(LIFE_CURVES_STILL_ON, 0)} "
    )
    note += "of the games are "
    note += "on. Intervals of means: Student's t. n: seats."
    chart = Chart(question.id, figure, caption, alt)
    return Section(question.id, question.text, answer, (chart,), (shown,), note)


def _curves(values: np.ndarray, won: np.ndarray, seats: int) -> pd.DataFrame:
    """One line per turn and side: line, x, mean, m_low, m_high, q_low, q_high, n, on."""
    lines = []
    games = len(values) // seats
    for turn in range(values.shape[1]):
        known = np.isfinite(values[:, turn])
        on = known.sum() / seats
        if on < max(LIFE_CURVES_LEAST, LIFE_CURVES_STILL_ON * games):
            break
        for line, side in zip(SIDES, (won, ~won), strict=True):
            one = values[known & side, turn]
            if one.size < LIFE_CURVES_LEAST:
                continue
            centre, ends = mean(one), np.quantile(one, REACH)
            facts = {"line": line, "x": turn + 1, "mean": centre.estimate, "m_low": centre.low, "m_high": centre.high}
            lines.append({**facts, "q_low": ends[0], "q_high": ends[1], "n": one.size, "on": on / games})
    return pd.DataFrame(lines)


def _life_curves_said(found: pd.DataFrame, label: str, turn: str, seats: int) -> str:
    """Both sides when half of the games are over, and where they are farthest apart."""
    wide = found.pivot_table(index="x", columns="line", values=["mean", "m_low", "m_high", "n", "on"])
    if not set(SIDES) <= set(wide["mean"].columns):
        return f"{capital(at_seats(seats))} there are winners without losers or the other way round."
    on = wide["on"][SIDES[0]]
    middle = on[on <= 1 / 2].index.min() if (on <= 1 / 2).any() else on.index.max()
    told = []
    for side in SIDES:
        row = {name: float(wide[name][side][middle]) for name in ("mean", "m_low", "m_high", "n")}
        told.append(f"{amount(row['mean'])} for {side} {quantity(row['m_low'], row['m_high'], row['n'])}")
    apart = (wide["mean"][SIDES[0]] - wide["mean"][SIDES[1]]).rename("apart").reset_index()
    top = highest(apart, "apart")
    said = f"{capital(at_seats(seats))}, after {turn} {count(middle)}, which {percent(float(on[middle]))} of the games "
    said += (
        f"reach, {label.lower()} is {' and '.join(told)}. They are farthest apart after {turn} {count(top['x'])}, by "
    )
    said += f"{amount(top['apart'])}."
    return said


ENTRANT_CURVES_STILL_ON, ENTRANT_CURVES_LEAST = 0.05, 20  # share and number of seats from which on a turn is shown
PANELS = 8  # entrants in the chart; where there are more, those with most and fewest


def entrant_curves(study: Study, question: Question) -> Section | None:
    """Means by own turn with bands of quantiles, a panel per entrant, at the fewest seats with an opponent.

    Roles: curve (measure per seat with one number per own turn, nan beyond the last). Settings: turn (what a turn is called).
    """
    if "curve" not in question.roles or not study.contests:
        return None
    seats, measure = contest(study), study.measure(question.roles["curve"])
    frame = finished(study.seats_frame, seats)
    found = _entrant_curves_curves(frame, numbers(frame, measure), study.names)
    if found.empty:
        return None
    turn = question.settings.get("turn", ("turn",))[0]
    answer = _entrant_curves_said(found, measure.label, turn, seats)
    kept = _kept(found)
    drawn = found[found["line"].isin(kept)].rename(
        columns={"q_low": "low", "q_high": "high", "low": "m_low", "high": "m_high"}
    )
    figure = strips(drawn, x_label=f"end of {turn}", y_label=measure.label.lower(), reach=REACH)
    ends = " to ".join(percent(end, 0) for end in REACH)
    caption = f"{measure.label} of each {study.game.entrant_word} at the end of every {turn}: means and, pale, the middle of the "
    caption += f"seats ({ends}). {capital(at_seats(seats))}, with {study.policy} in every seat."
    caption += f" Only the {PANELS} with most and fewest." if len(kept) < found["line"].nunique() else ""
    alt = f"Lines with bands over the {turn}s, a panel per {study.game.entrant_word}. {answer}"
    columns = {"line": study.game.entrant_word, "x": f"end of {turn}", "mean": "mean", "low": "low", "high": "high"}
    columns |= {"q_low": f"quantile {percent(REACH[0], 0)}", "q_high": f"quantile {percent(REACH[1], 0)}"}
    columns |= {"on": "seats that come to it", "n": "n"}
    formats: dict[str, Format] = {"low": "number", "high": "number", "seats that come to it": "percent"}
    shown = table(found, question.id, measure.label, columns, formats)
    note = "Finished games. A seat counts as long as it takes turns, so that later points are those of longer games; shown while "
    note += (
        f"{percent(ENTRANT_CURVES_STILL_ON, 0)} of the seats are on. Intervals take the seats of a game as one observation. "
        "n: seats."
    )
    chart = Chart(question.id, figure, caption, alt)
    return Section(question.id, question.text, answer, (chart,), (shown,), note)


def _entrant_curves_curves(frame: pd.DataFrame, values: np.ndarray, names: list[str]) -> pd.DataFrame:
    """One line per entrant and turn: line, x, mean, low, high (of the mean), q_low, q_high, n, on."""
    game, entrant = frame["game"].to_numpy(), frame["entrant"].to_numpy(np.int64)
    lines = []
    for code, name in enumerate(names):
        own = entrant == code
        for turn in range(values.shape[1]):
            known = own & np.isfinite(values[:, turn])
            n = int(known.sum())
            if n < max(ENTRANT_CURVES_LEAST, ENTRANT_CURVES_STILL_ON * own.sum()):
                break
            one = values[known, turn]
            centre = rates(game[known], np.zeros(n, np.int64), one, np.ones(n)).iloc[0]
            ends = np.quantile(one, REACH, method="inverted_cdf")
            facts = {
                "line": name,
                "x": turn + 1,
                "mean": centre["estimate"],
                "low": centre["low"],
                "high": centre["high"],
            }
            lines.append({**facts, "q_low": ends[0], "q_high": ends[1], "n": n, "on": n / own.sum()})
    return pd.DataFrame(lines)


def _peaks(found: pd.DataFrame) -> pd.DataFrame:
    """By entrant the turn at which its mean is highest."""
    return found.loc[found.groupby("line", sort=False)["mean"].idxmax()]


def _kept(found: pd.DataFrame) -> list[str]:
    """Entrants that are drawn, in their order."""
    names = list(dict.fromkeys(found["line"]))
    if len(names) <= PANELS:
        return names
    ordered = list(_peaks(found).sort_values("mean", kind="stable")["line"])
    chosen = {*ordered[: PANELS // 2], *ordered[-(PANELS // 2) :]}
    return [name for name in names if name in chosen]


def _entrant_curves_said(found: pd.DataFrame, label: str, turn: str, seats: int) -> str:
    """The means when half of the seats are still on, and where each is highest."""
    on = found.groupby("x")["on"].mean()
    middle = int(on[on >= 1 / 2].index.max()) if (on >= 1 / 2).any() else int(on.index.min())
    then = found[found["x"] == middle]
    top, bottom = highest(then, "mean"), lowest(then, "mean")
    said = f"{capital(at_seats(seats))}, at the end of {turn} {count(middle)}, the mean of {label.lower()} is "
    said += f"{amount(top['mean'])} {quantity(top['low'], top['high'], top['n'], 'seats')} with {top['line']}"
    if len(then) > 1:
        said += f", the highest, and {amount(bottom['mean'])} "
        said += f"{quantity(bottom['low'], bottom['high'], bottom['n'], 'seats')} with {bottom['line']}, the lowest"
    peaks = _peaks(found)
    named = [f"{row['line']} at {turn} {count(row['x'])} ({amount(row['mean'])})" for _, row in peaks.iterrows()]
    return f"{said}. It peaks for {listed(named)}."


BINS = 5  # of those to whom it happened, about equally many seats each
NEVER = "never"
LUCK_LEAST = 20  # seats in a bin
ENOUGH = 400  # seats of finished games from which on the sentence is about as many seats as there are


def luck(study: Study, question: Question) -> Section | None:
    """Win share against when it first happened, in bins, one line per number of seats; rank correlation.

    Roles: turn (measure per seat: round or turn of the first). Settings: never (its value where there was none), bins (how
    many).
    """
    column = question.roles.get("turn")
    if column is None:
        return None
    measure = study.measure(column)
    never = int(question.settings.get("never", ("0",))[0])
    bins = int(question.settings.get("bins", (str(BINS),))[0])
    parts, ties = [], {}
    for seats in study.seats:
        frame = finished(study.seats_frame, seats)
        if len(frame) and (frame[column] != never).any():
            fair = fair_share(seats, float(study.tally.decided[seats]))
            parts.append(_binned(frame, column, never, bins).assign(seats=seats, fair=fair))
            late = np.where(frame[column] == never, np.inf, frame[column].to_numpy(np.float64))
            ties[seats] = rank_correlation(frame, late)
    if not parts:
        return None
    whole = pd.concat(parts, ignore_index=True)
    most = max(ties, key=lambda seats: (min(ties[seats].n, ENOUGH), seats))
    label, unit = measure.label.lower(), measure.unit or "turns"
    answer = f"{_luck_said(whole[whole['seats'] == most], label)} {_tied(ties)}".strip()
    caption = (
        f"Win share of the seats by {label}, about equally many seats to a dot, with {study.policy} in every seat."
    )
    chart = trend(whole, x_label=label if unit.removesuffix("s") in label else f"{label}, {unit}")
    columns = {"seats": "seats", "bin": label, "estimate": WIN_RATE, "low": "low", "high": "high", "n": "n"}
    correlations = pd.DataFrame(
        [
            {"seats": seats, "tie": tie.estimate, "low": tie.low, "high": tie.high, "n": tie.n}
            for seats, tie in ties.items()
        ]
    )
    numbers: dict[str, Format] = {"rank correlation": "number", "low": "number", "high": "number"}
    tied = {"seats": "seats", "tie": "rank correlation", "low": "low", "high": "high", "n": "n"}
    tables = (
        table(whole, "luck", f"Win share by {label}", {**columns, "fair": "fair share"}),
        table(correlations, "luck-correlation", f"Win share and {label}", tied, numbers),
    )
    alt = f"Lines of the win share by {label}, one per number of seats. {answer}"
    return Section(question.id, question.text, answer, (Chart(question.id, chart, caption, alt),), tables, _note())


def _note() -> str:
    """What the lines do not prove, and how the correlation is meant."""
    note = "This is no proof of a cause: whoever lives longer and plays better also sees more, so that \u201cnever\u201d says "
    note += "little of luck. Rank correlation: Spearman's, \u201cnever\u201d after all rounds; below nought early goes with "
    note += "winning; its interval leaves out groups of whole games in turn, since the seats of one game share one win. n: seats "
    return note + "of finished games."


def _binned(frame: pd.DataFrame, column: str, never: int, bins: int) -> pd.DataFrame:
    """Win share by bin: bin (words), middle (median of the bin, nan for never), estimate, low, high (Wilson), n."""
    when = frame[column].to_numpy(np.float64)
    dated = when != never
    bins = min(bins, max(1, int(dated.sum()) // LUCK_LEAST))
    edges = np.unique(np.quantile(when[dated], np.arange(1, bins + 1) / bins, method="inverted_cdf"))
    place = np.where(dated, np.searchsorted(edges, when), edges.size)
    size = edges.size + 1
    n, wins = np.bincount(place, minlength=size), np.bincount(place, frame["share"].to_numpy(np.float64), size)
    known = [when[place == at] for at in range(edges.size)]
    words = [_range(part.min(), part.max()) if part.size else "" for part in known]
    middle = [float(np.median(part)) if part.size else np.nan for part in known]
    table = proportions(wins.clip(0, n), n).assign(bin=[*words, NEVER], middle=[*middle, np.nan])
    return table[table["n"] > 0].reset_index(drop=True)


def _range(low: float, high: float) -> str:
    return count(low) if low == high else f"{count(low)} to {count(high)}"


def _luck_said(part: pd.DataFrame, label: str) -> str:
    """Win shares of the earliest and the latest bin, and of those to whom it never came."""
    seats = int(part["seats"].iloc[0])
    dated = part[part["bin"] != NEVER]
    first, last = dated.iloc[0], dated.iloc[-1]
    said = (
        f"{capital(at_seats(seats))} the win share is {percent(first['estimate'])} where the {label} is {first['bin']} "
    )
    said += interval(first["low"], first["high"], first["n"])
    if len(dated) > 1:
        said += (
            f", {percent(last['estimate'])} where it is {last['bin']} {interval(last['low'], last['high'], last['n'])}"
        )
    without = part[part["bin"] == NEVER]
    if len(without):
        row = without.iloc[0]
        said += f", {percent(row['estimate'])} where it never came {interval(row['low'], row['high'], row['n'])}"
    return f"{said}."


def _tied(ties: Mapping[int, Interval]) -> str:
    """Rank correlations at every number of seats."""
    said = []
    for seats, tie in ties.items():
        bounds = f"95 % interval {_signed(tie.low)} to {_signed(tie.high)}, " if np.isfinite(tie.low) else ""
        if np.isfinite(tie.estimate):
            said.append(f"{_signed(tie.estimate)} {at_seats(seats)} ({bounds}{size(tie.n)})")
    return f"Rank correlation of win share and how late it comes: {listed(said)}." if said else ""


def _signed(value: float) -> str:
    return decimal(value, 2, signed=True)
