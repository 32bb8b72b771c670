"""Report sections on how amounts develop over a game.

`growth`: a level by turn, and the sources of the total behind it. `life_curves`: what winners and losers have left, and how
many games are still on. `entrant_curves`: an amount by turn of each entrant. `luck`: whether the turn in which something first
happens to a seat is associated with winning.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from analysis import charts
from analysis.charts import bands, strips, trend
from analysis.data import rows as clustered
from analysis.data.rows import rates
from analysis.data.study import Study, contest, finished, numbers
from analysis.document.model import (
    WIN_RATE,
    Chart,
    Format,
    Section,
    Table,
    count,
    decimal,
    highest,
    lowest,
    number,
    percent,
    table,
)
from analysis.document.prose import amount, article, at_seats, capital, interval, listed, quantity, size
from analysis.stats.intervals import Interval, mean, proportions
from analysis.stats.paired import rank_correlation
from analysis.winrates.rates import fair_share
from sim.engine.measures import Question

REACH = (0.1, 0.9)  # quantiles at the ends of the band
STILL_ON, LEAST = 0.05, 20  # share and number of seats from which on a turn is shown
LEVEL, TOTAL, UNUSED, REACHED = "level", "total", "unused", "reached"  # roles; any other role is a part of the total
FORMATS: dict[str, Format] = {"low": "number", "high": "number"}


def growth(study: Study, question: Question) -> Section | None:
    """Median level by turn with a band, above the mean total by source; when levels are reached, and what is left unused.

    Turns are counted for each player. Roles: level (measure per seat with one number per turn, nan after the last), total
    (optional, the same for the total that levels are made of; adds the lower panel), unused (optional, the same for what was
    left over in a turn), reached (optional: turn in which each level was first reached, one number per level); any other role
    is the name of a part of the total and its measure per turn. Settings: turn (word for a turn), rest (name of the total not
    in any part), levels (those in the sentence), never (value of a level that was not reached).
    """
    if LEVEL not in question.roles or not study.contests:
        return None
    seats, turn = contest(study), question.settings.get("turn", ("turn",))[0]
    frame = finished(study.seats_frame, seats)
    measure = study.measure(question.roles[LEVEL])
    levels = _levels(numbers(frame, measure))
    if levels.empty:
        return None
    parts = _parts(study, question, frame, len(levels))
    sentences = [_said(levels, measure.label.lower(), turn)]
    tables = [_level_table(levels, question.id, measure.label, turn)]
    total = study.measure(question.roles[TOTAL]).label.lower() if TOTAL in question.roles else ""
    if len(parts):
        sentences.append(_said_parts(parts, levels, total))
        columns = {"x": turn, "name": "source", "mean": f"mean {total}", "estimate": "share", "low": "low"}
        tables.append(
            table(parts, f"{question.id}-sources", f"{capital(total)} by source", {**columns, "high": "high", "n": "n"})
        )
    for role, tell in ((REACHED, _reached), (UNUSED, _unused)):
        if role in question.roles:
            sentence, shown = tell(study, question, frame, len(levels))
            sentences.append(sentence)
            tables.append(shown)
    answer = f"{capital(at_seats(seats))} {' '.join(filter(None, sentences))}"
    figure = charts.growth(
        levels,
        parts=parts if len(parts) else None,
        x_label=f"end of {turn}",
        y_label=measure.label.lower(),
        total_label=total,
        reach=REACH,
    )
    below = f"; below, mean {total} by source" if len(parts) else ""
    caption = f"{measure.label} at the end of every {turn}: median and, pale, the middle range of the seats{below}. "
    caption += f"{capital(at_seats(seats))}, with {study.policy} in every seat."
    note = "Finished games. A seat counts as long as it takes turns, so later points are from longer games. Shown while "
    note += f"{percent(STILL_ON, 0)} of the seats are on. The seats of a game are one observation for intervals. n: seats, "
    note += "turns or, for sources and what is left, games."
    alt = f"Line of the median with a band over the {turn}s, above stacked areas of what it is made of. {answer}"
    chart = Chart(question.id, figure, caption, alt)
    return Section(question.id, question.text, answer, (chart,), tuple(tables), note)


def _levels(values: np.ndarray) -> pd.DataFrame:
    """Quantiles by turn: x, median, low, high, n, on (share of the seats)."""
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
    """Mean of each part and its share of the total by turn: x, name, mean, estimate, low, high, n; from bottom to top."""
    named = {role.replace("_", " "): field for role, field in question.roles.items() if role not in _ROLES}
    if TOTAL not in question.roles or not named:
        return pd.DataFrame()
    total = numbers(frame, study.measure(question.roles[TOTAL]))[:, :turns]
    values = {name: numbers(frame, study.measure(field))[:, :turns] for name, field in named.items()}
    rest = total - np.sum([*values.values()], axis=0)
    values = {question.settings.get("rest", ("other",))[0]: rest, **values} if np.nanmax(np.abs(rest)) > 0 else values
    known, game = np.isfinite(total), frame["game"].to_numpy()
    line, turn = np.nonzero(known)
    tables = []
    for name, part in values.items():
        share = rates(game[line], turn, part[known], total[known])
        means = np.bincount(turn, part[known], turns) / np.bincount(turn, minlength=turns)
        bounds = share[["low", "high"]].clip(0, 1)
        tables.append(share.assign(low=bounds["low"], high=bounds["high"], x=np.arange(turns) + 1, name=name, mean=means))
    return pd.concat(tables, ignore_index=True)


_ROLES = (LEVEL, TOTAL, UNUSED, REACHED)


def _level_table(levels: pd.DataFrame, id_: str, label: str, turn: str) -> Table:
    columns = {"x": turn, "low": percent(REACH[0], 0), "median": "median", "high": percent(REACH[1], 0)}
    formats: dict[str, Format] = dict.fromkeys((percent(end, 0) for end in REACH), "number")
    columns |= {"on": "seats that come to it", "n": "n"}
    return table(levels, id_, label, columns, {**formats, "seats that come to it": "percent"})


def _middle(levels: pd.DataFrame) -> pd.Series:
    """The last turn that at least half of the seats reach; the first one if there is none."""
    half = levels[levels["on"] >= 1 / 2]
    return half.iloc[-1] if len(half) else levels.iloc[0]


def _said(levels: pd.DataFrame, label: str, turn: str) -> str:
    """Median and band at the last turn that half of the seats reach."""
    row = _middle(levels)
    text = f"the median {label} is {number(row['median'])} at the end of {turn} {count(row['x'])}, which "
    text += f"{percent(row['on'])} of the seats reach ({percent(REACH[0], 0)} to {percent(REACH[1], 0)} of these: "
    return text + f"{number(row['low'])} to {number(row['high'])}, n\u00a0=\u00a0{count(row['n'])})."


def _said_parts(parts: pd.DataFrame, levels: pd.DataFrame, total: str) -> str:
    """Sources of the total by that turn, largest first."""
    x = _middle(levels)["x"]
    then = parts[parts["x"] == x].sort_values("estimate", ascending=False, kind="stable")
    top = then.iloc[0]
    named = [f"{row['name']} {percent(row['estimate'])}" for _, row in then.iloc[1:].iterrows()]
    text = f"By then {percent(top['estimate'])} {interval(top['low'], top['high'], top['n'], 'games')} of the {total} comes from "
    return text + f"{top['name']}" + (f"; {listed(named)}." if named else ".")


def _reached(study: Study, question: Question, frame: pd.DataFrame, _turns: int) -> tuple[str, Table]:
    """When levels are first reached: sentence and table."""
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
        line: dict[str, Any] = {"name": name, "estimate": share.estimate, "low": share.low, "high": share.high, "n": share.n}
        for words, part in (("early", REACH[0]), ("median", 0.5)):
            line[words] = np.quantile(np.where(held, when, np.inf), part, method="inverted_cdf")
        lines.append(line)
    levels = pd.DataFrame(lines).replace(np.inf, np.nan)
    columns = {"name": label, "early": f"{percent(REACH[0], 0)} hold it by {turn}", "median": f"half hold it by {turn}"}
    shown = table(
        levels,
        f"{question.id}-reached",
        f"When each {label} is first reached",
        {**columns, "estimate": "share that holds it", "low": "low", "high": "high", "n": "n"},
        {"share that holds it": "percent"},
    )
    parts: list[str] = []
    for _, row in levels.iterrows():
        median = row["median"]
        half = f"half of the seats by {turn} {count(median)}" if pd.notna(median) else "fewer than half of the seats"
        parts.append(f"{label} {row['name']} by {percent(row['estimate'])}, {half}")
    return f"Reached at any time: {'; '.join(parts)}." if parts else "", shown


def _unused(study: Study, question: Question, frame: pd.DataFrame, turns: int) -> tuple[str, Table]:
    """What is left unused per turn: sentence over all turns, table by turn."""
    measure = study.measure(question.roles[UNUSED])
    turn = question.settings.get("turn", ("turn",))[0]
    values, game = numbers(frame, measure), frame["game"].to_numpy()
    line, turn_ = np.nonzero(np.isfinite(values))
    left = values[line, turn_]
    whole = rates(game[line], np.zeros(line.size, np.int64), left, np.ones(line.size)).iloc[0]
    shown = turn_ < turns
    by_turn = rates(game[line][shown], turn_[shown], left[shown], np.ones(int(shown.sum())))
    some = clustered.shares(game[line][shown], turn_[shown], left[shown] > 0, turns)
    rows = by_turn.assign(x=np.arange(1, turns + 1), some=some["estimate"], s_low=some["low"], s_high=some["high"])
    columns = {"x": turn, "estimate": "mean left", "low": "low", "high": "high", "some": "turns with some left"}
    columns |= {"s_low": "share, low", "s_high": "share, high", "n": "n"}
    formats: dict[str, Format] = dict.fromkeys(("turns with some left", "share, low", "share, high"), "percent")
    often = clustered.share(game[line], left > 0)
    text = f"{capital(measure.label)}: {amount(whole['estimate'])} {quantity(whole['low'], whole['high'], whole['n'], 'games')} "
    text += f"on average, something in {percent(often.estimate)} of the turns "
    text += f"{interval(often.low, often.high, often.n, 'turns')}."
    return text, table(rows, f"{question.id}-unused", measure.label, columns, {**FORMATS, **formats})


LIFE_CURVES_STILL_ON, LIFE_CURVES_LEAST = 0.02, 20  # share and number of games from which on a turn is shown
SIDES = ("winners", "losers")


def life_curves(study: Study, question: Question) -> Section | None:
    """Means of winners and losers after every turn with bands of quantiles, above the share of games still on.

    Roles: curve (measure per seat with one number per turn, nan once the game is over). Settings: turn (word for a turn).
    """
    field = question.roles.get("curve")
    if field is None or not study.contests:
        return None
    seats, measure = contest(study), study.measure(field)
    frame = finished(study.seats_frame, seats)
    means_ = _curves(numbers(frame, measure), frame["won"].to_numpy(bool), seats)
    if means_.empty:
        return None
    turn = question.settings.get("turn", ("turn",))[0]
    answer = _life_curves_said(means_, measure.label, turn, seats)
    drawn = means_.rename(columns={"q_low": "low", "q_high": "high"})
    figure = bands(drawn, x_label=f"after {turn}", y_label=measure.label.lower(), reach=REACH)
    ends = " to ".join(percent(end, 0) for end in REACH)
    caption = f"{measure.label} of winners and losers after every {turn}: means and, pale, the middle range of the games "
    caption += f"({ends}); below, the share of games that reach it. "
    caption += f"{capital(at_seats(seats))}, with {study.policy} in every seat."
    alt = f"Lines of winners and losers with bands over the {turn}s, and the share of games still on. {answer}"
    columns = {"x": f"after {turn}", "line": "who", "mean": "mean", "m_low": "low", "m_high": "high"}
    columns |= {"q_low": f"quantile {percent(REACH[0], 0)}", "q_high": f"quantile {percent(REACH[1], 0)}"}
    columns |= {"on": "games that come to it", "n": "n"}
    formats: dict[str, Format] = {"low": "number", "high": "number", "games that come to it": "percent"}
    shown = table(means_, question.id, measure.label, columns, formats)
    note = f"Finished games. {capital(article(turn))} that ends a game counts; after it the game is left out, so the later "
    note += f"points are from longer games, and a line can rise. Shown as long as {percent(LIFE_CURVES_STILL_ON, 0)} "
    note += "of the games are "
    note += "on. Intervals of means: Student's t. n: seats."
    chart = Chart(question.id, figure, caption, alt)
    return Section(question.id, question.text, answer, (chart,), (shown,), note)


def _curves(values: np.ndarray, won: np.ndarray, seats: int) -> pd.DataFrame:
    """One row per turn and side: line, x, mean, m_low, m_high, q_low, q_high, n, on."""
    lines = []
    games = len(values) // seats
    for turn in range(values.shape[1]):
        known = np.isfinite(values[:, turn])
        on = known.sum() / seats
        if on < max(LIFE_CURVES_LEAST, LIFE_CURVES_STILL_ON * games):
            break
        for line, side in zip(SIDES, (won, ~won), strict=True):
            chosen = values[known & side, turn]
            if chosen.size < LIFE_CURVES_LEAST:
                continue
            centre, ends = mean(chosen), np.quantile(chosen, REACH)
            facts = {"line": line, "x": turn + 1, "mean": centre.estimate, "m_low": centre.low, "m_high": centre.high}
            lines.append({**facts, "q_low": ends[0], "q_high": ends[1], "n": chosen.size, "on": on / games})
    return pd.DataFrame(lines)


def _life_curves_said(means_: pd.DataFrame, label: str, turn: str, seats: int) -> str:
    """Both sides when half of the games are over, and where they are farthest apart."""
    wide = means_.pivot_table(index="x", columns="line", values=["mean", "m_low", "m_high", "n", "on"])
    if not set(SIDES) <= set(wide["mean"].columns):
        return f"{capital(at_seats(seats))} there are only winners or only losers."
    on = wide["on"][SIDES[0]]
    middle = on[on <= 1 / 2].index.min() if (on <= 1 / 2).any() else on.index.max()
    parts = []
    for side in SIDES:
        row = {name: float(wide[name][side][middle]) for name in ("mean", "m_low", "m_high", "n")}
        parts.append(f"{amount(row['mean'])} for {side} {quantity(row['m_low'], row['m_high'], row['n'])}")
    apart = (wide["mean"][SIDES[0]] - wide["mean"][SIDES[1]]).rename("apart").reset_index()
    top = highest(apart, "apart")
    text = f"{capital(at_seats(seats))}, after {turn} {count(middle)}, which {percent(float(on[middle]))} of the games "
    text += f"reach, {label.lower()} is {' and '.join(parts)}. They are farthest apart after {turn} {count(top['x'])}, by "
    text += f"{amount(top['apart'])}."
    return text


ENTRANT_CURVES_STILL_ON, ENTRANT_CURVES_LEAST = 0.05, 20  # share and number of seats from which on a turn is shown
PANELS = 8  # entrants in the chart; if there are more, those with most and fewest


def entrant_curves(study: Study, question: Question) -> Section | None:
    """Means by turn with bands of quantiles, one panel per entrant, at the smallest number of seats with an opponent.

    Roles: curve (measure per seat with one number per turn of the player, nan after the last). Settings: turn (word for a
    turn).
    """
    if "curve" not in question.roles or not study.contests:
        return None
    seats, measure = contest(study), study.measure(question.roles["curve"])
    frame = finished(study.seats_frame, seats)
    means_ = _entrant_curves_curves(frame, numbers(frame, measure), study.names)
    if means_.empty:
        return None
    turn = question.settings.get("turn", ("turn",))[0]
    answer = _entrant_curves_said(means_, measure.label, turn, seats)
    kept = _kept(means_)
    drawn = means_[means_["line"].isin(kept)].rename(columns={"q_low": "low", "q_high": "high", "low": "m_low", "high": "m_high"})
    figure = strips(drawn, x_label=f"end of {turn}", y_label=measure.label.lower(), reach=REACH)
    ends = " to ".join(percent(end, 0) for end in REACH)
    caption = f"{measure.label} of each {study.game.entrant_word} at the end of every {turn}: means and, pale, the middle of the "
    caption += f"seats ({ends}). {capital(at_seats(seats))}, with {study.policy} in every seat."
    caption += f" Only the {PANELS} with most and fewest." if len(kept) < means_["line"].nunique() else ""
    alt = f"Lines with bands over the {turn}s, a panel per {study.game.entrant_word}. {answer}"
    columns = {"line": study.game.entrant_word, "x": f"end of {turn}", "mean": "mean", "low": "low", "high": "high"}
    columns |= {"q_low": f"quantile {percent(REACH[0], 0)}", "q_high": f"quantile {percent(REACH[1], 0)}"}
    columns |= {"on": "seats that come to it", "n": "n"}
    formats: dict[str, Format] = {"low": "number", "high": "number", "seats that come to it": "percent"}
    shown = table(means_, question.id, measure.label, columns, formats)
    note = "Finished games. A seat counts as long as it takes turns, so later points are from longer games; shown while "
    note += (
        f"{percent(ENTRANT_CURVES_STILL_ON, 0)} of the seats are on. The seats of a game are one observation for intervals. "
        "n: seats."
    )
    chart = Chart(question.id, figure, caption, alt)
    return Section(question.id, question.text, answer, (chart,), (shown,), note)


def _entrant_curves_curves(frame: pd.DataFrame, values: np.ndarray, names: list[str]) -> pd.DataFrame:
    """One row per entrant and turn: line, x, mean, low, high (of the mean), q_low, q_high, n, on."""
    game, entrant = frame["game"].to_numpy(), frame["entrant"].to_numpy(np.int64)
    lines = []
    for code, name in enumerate(names):
        mine = entrant == code
        for turn in range(values.shape[1]):
            known = mine & np.isfinite(values[:, turn])
            n = int(known.sum())
            if n < max(ENTRANT_CURVES_LEAST, ENTRANT_CURVES_STILL_ON * mine.sum()):
                break
            chosen = values[known, turn]
            centre = rates(game[known], np.zeros(n, np.int64), chosen, np.ones(n)).iloc[0]
            ends = np.quantile(chosen, REACH, method="inverted_cdf")
            facts = {"line": name, "x": turn + 1, "mean": centre["estimate"], "low": centre["low"], "high": centre["high"]}
            lines.append({**facts, "q_low": ends[0], "q_high": ends[1], "n": n, "on": n / mine.sum()})
    return pd.DataFrame(lines)


def _peaks(means_: pd.DataFrame) -> pd.DataFrame:
    """For each entrant the turn with the highest mean."""
    return means_.loc[means_.groupby("line", sort=False)["mean"].idxmax()]


def _kept(means_: pd.DataFrame) -> list[str]:
    """Entrants in the chart, in their order."""
    names = list(dict.fromkeys(means_["line"]))
    if len(names) <= PANELS:
        return names
    ordered = list(_peaks(means_).sort_values("mean", kind="stable")["line"])
    chosen = {*ordered[: PANELS // 2], *ordered[-(PANELS // 2) :]}
    return [name for name in names if name in chosen]


def _entrant_curves_said(means_: pd.DataFrame, label: str, turn: str, seats: int) -> str:
    """Means at the last turn that half of the seats reach, and the peak of each entrant."""
    on = means_.groupby("x")["on"].mean()
    middle = int(on[on >= 1 / 2].index.max()) if (on >= 1 / 2).any() else int(on.index.min())
    then = means_[means_["x"] == middle]
    top, bottom = highest(then, "mean"), lowest(then, "mean")
    text = f"{capital(at_seats(seats))}, at the end of {turn} {count(middle)}, the mean of {label.lower()} is "
    text += f"{amount(top['mean'])} {quantity(top['low'], top['high'], top['n'], 'seats')} with {top['line']}"
    if len(then) > 1:
        text += f", the highest, and {amount(bottom['mean'])} "
        text += f"{quantity(bottom['low'], bottom['high'], bottom['n'], 'seats')} with {bottom['line']}, the lowest"
    peaks = _peaks(means_)
    named = [f"{row['line']} at {turn} {count(row['x'])} ({amount(row['mean'])})" for _, row in peaks.iterrows()]
    return f"{text}. It peaks for {listed(named)}."


BINS = 5  # bins of about equal numbers of seats, without those to which it never happened
NEVER = "never"
LUCK_LEAST = 20  # seats in a bin
ENOUGH = 400  # with this number of finished games, the sentence prefers more seats


def luck(study: Study, question: Question) -> Section | None:
    """Win share by the turn of the first occurrence, in bins, one line per number of seats; rank correlation.

    Roles: turn (measure per seat: round or turn of the first). Settings: never (value of a seat without one), bins (their
    number).
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
    caption = f"Win share of the seats by {label}, with about equal numbers of seats per dot and {study.policy} in every seat."
    chart = trend(whole, x_label=label if unit.removesuffix("s") in label else f"{label}, {unit}")
    columns = {"seats": "seats", "bin": label, "estimate": WIN_RATE, "low": "low", "high": "high", "n": "n"}
    correlations = pd.DataFrame(
        [{"seats": seats, "tie": tie.estimate, "low": tie.low, "high": tie.high, "n": tie.n} for seats, tie in ties.items()]
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
    """What the lines do not prove, and how the correlation is defined."""
    note = "This does not prove a cause: a player who lives longer and plays better also sees more, so \u201cnever\u201d means "
    note += "little. Rank correlation: Spearman's, with \u201cnever\u201d after all rounds; below zero, early goes with "
    note += "winning. Its interval is a jackknife over groups of whole games, because seats of a game share one win. n: seats "
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
    known = [when[place == number_] for number_ in range(edges.size)]
    words = [_range(part.min(), part.max()) if part.size else "" for part in known]
    middle = [float(np.median(part)) if part.size else np.nan for part in known]
    table = proportions(wins.clip(0, n), n).assign(bin=[*words, NEVER], middle=[*middle, np.nan])
    return table[table["n"] > 0].reset_index(drop=True)


def _range(low: float, high: float) -> str:
    return count(low) if low == high else f"{count(low)} to {count(high)}"


def _luck_said(part: pd.DataFrame, label: str) -> str:
    """Win shares of the earliest and the latest bin, and of seats to which it never happened."""
    seats = int(part["seats"].iloc[0])
    dated = part[part["bin"] != NEVER]
    first, last = dated.iloc[0], dated.iloc[-1]
    text = f"{capital(at_seats(seats))} the win share is {percent(first['estimate'])} if the {label} is {first['bin']} "
    text += interval(first["low"], first["high"], first["n"])
    if len(dated) > 1:
        text += f", {percent(last['estimate'])} if it is {last['bin']} {interval(last['low'], last['high'], last['n'])}"
    without = part[part["bin"] == NEVER]
    if len(without):
        row = without.iloc[0]
        text += f", {percent(row['estimate'])} if it never happens {interval(row['low'], row['high'], row['n'])}"
    return f"{text}."


def _tied(ties: Mapping[int, Interval]) -> str:
    """Rank correlations at every number of seats."""
    parts = []
    for seats, tie in ties.items():
        bounds = f"95 % interval {_signed(tie.low)} to {_signed(tie.high)}, " if np.isfinite(tie.low) else ""
        if np.isfinite(tie.estimate):
            parts.append(f"{_signed(tie.estimate)} {at_seats(seats)} ({bounds}{size(tie.n)})")
    return f"Rank correlation of the win share and how late it happens: {listed(parts)}." if parts else ""


def _signed(value: float) -> str:
    return decimal(value, 2, signed=True)
