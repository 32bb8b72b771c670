"""Report sections on how amounts develop over a game.

`growth`: a level by turn, and the sources of the total behind it. `life_curves`: what winners and losers have left, and how
many games are still on. `entrant_curves`: an amount by turn of each entrant.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import charts
from analysis.data import rows as clustered
from analysis.data.rows import rates
from analysis.data.study import Study, contest, finished
from analysis.data.study import numbers as values_of
from analysis.document.model import (
    AMOUNTS,
    Chart,
    Format,
    Section,
    Table,
    count,
    estimate_columns,
    highest,
    lowest,
    number,
    percent,
    table,
)
from analysis.document.prose import (
    amount,
    amount_of,
    article,
    at_seats,
    capital,
    interval_of,
    listed,
    quantity_of,
    share_of,
    size,
)
from analysis.facts.settings import CurveSettings, settings_of
from analysis.stats.intervals import mean
from sim.engine.measures import Question

REACH = (0.1, 0.9)  # quantiles at the ends of the band
ENDS = tuple(percent(end, 0) for end in REACH)
STILL_ON, GAMES_STILL_ON, LEAST = 0.05, 0.02, 20  # share of the seats or games, and their number, that a turn needs to be shown
LEVEL, TOTAL, UNUSED, REACHED = "level", "total", "unused", "reached"  # roles; any other role is a part of the total
SIDES = ("winners", "losers")
PANELS = 8  # entrants in the chart; if there are more, those with most and fewest

Floats = NDArray[np.float64]


def _turns(values: Floats, still_on: float, least: int = LEAST) -> Iterator[tuple[int, NDArray[np.bool_], float]]:
    """Yield the turns that enough rows reach: column, which rows reach it, their share.

    values: (rows, turns), NaN after the last; still_on, least: share and number of rows that a turn needs.
    """
    for turn in range(values.shape[1]):
        known = np.isfinite(values[:, turn])
        if known.sum() < max(least, still_on * len(values)):
            return
        yield turn, known, known.sum() / len(values)


def growth(study: Study, question: Question) -> Section | None:
    """Median level by turn with a band, above the mean total by source; when levels are reached, and what is left unused.

    Turns are counted for each player. Roles: level (measure per seat with one number per turn, nan after the last), total
    (optional, the same for the total that levels are made of; adds the lower panel), unused (optional, the same for what was
    left over in a turn), reached (optional: turn in which each level was first reached, one number per level); any other role
    is the name of a part of the total and its measure per turn. Settings: turn, rest, levels, never.
    """
    if LEVEL not in question.roles or not study.contests:
        return None
    seats, turn, roles = contest(study), settings_of(CurveSettings, question).turn, question.roles
    frame, measure = finished(study.seats_frame, seats), study.measure(roles[LEVEL])
    lines, values, label = [], values_of(frame, measure), measure.label.lower()
    for column, known, on in _turns(values, STILL_ON):
        low, median, high = np.quantile(values[known, column], (REACH[0], 0.5, REACH[1]), method="inverted_cdf")
        lines.append({"x": column + 1, "median": median, "low": low, "high": high, "n": known.sum(), "on": on})
    if not lines:
        return None
    levels = pd.DataFrame(lines)
    columns = {"x": turn, "low": ENDS[0], "median": "median", "high": ENDS[1], "on": "seats that come to it", "n": "n"}
    formats: dict[str, Format] = {ENDS[0]: "number", ENDS[1]: "number", "seats that come to it": "percent"}
    tables = [table(levels, question.id, measure.label, columns, formats)]
    half = levels[levels["on"] >= 1 / 2]
    row = half.iloc[-1] if len(half) else levels.iloc[0]  # the last turn that at least half of the seats reach, else the first
    sentences = [
        f"{capital(at_seats(seats))} the median {label} is {number(row['median'])} at the end of {turn} {count(row['x'])}, which "
        f"{percent(row['on'])} of the seats reach ({ENDS[0]} to {ENDS[1]} of these: {number(row['low'])} to "
        f"{number(row['high'])}, {size(row['n'])})."
    ]
    parts, total = _parts(study, question, frame, len(levels)), ""
    if TOTAL in roles:
        total = study.measure(roles[TOTAL]).label.lower()
    if len(parts):
        then = [
            line for _, line in parts[parts["x"] == row["x"]].sort_values("estimate", ascending=False, kind="stable").iterrows()
        ]
        named = listed([f"{line['name']} {percent(line['estimate'])}" for line in then[1:]])
        text = f"By then {share_of(then[0], 'games')} of the {total} comes from {then[0]['name']}"
        sentences.append(f"{text}; {named}." if named else f"{text}.")
        columns = {"x": turn, "name": "source", "mean": f"mean {total}", **estimate_columns("share")}
        tables.append(table(parts, f"{question.id}-sources", f"{capital(total)} by source", columns))
    for role, tell in ((REACHED, _reached), (UNUSED, _unused)):
        if role in roles:
            sentence, shown = tell(study, question, frame, len(levels))
            sentences += [sentence] if sentence else []
            tables.append(shown)
    answer = " ".join(sentences)
    words = {"x_label": f"end of {turn}", "y_label": label, "total_label": total}
    figure = charts.growth(levels, parts=parts if len(parts) else None, **words, reach=REACH)
    below = f"; below, mean {total} by source" if len(parts) else ""
    caption = f"{measure.label} at the end of every {turn}: median and, pale, the middle range of the seats{below}. "
    caption += f"{capital(at_seats(seats))}, with {study.policy} in every seat."
    note = "Finished games. A seat counts as long as it takes turns, so later points are from longer games. Shown while "
    note += f"{percent(STILL_ON, 0)} of the seats are on. The seats of a game are one observation for intervals. n: seats, "
    note += "turns or, for sources and what is left, games."
    alt = f"Line of the median with a band over the {turn}s, above stacked areas of what it is made of. {answer}"
    return Section(question.id, question.text, answer, (Chart(question.id, figure, caption, alt),), tuple(tables), note)


def _parts(study: Study, question: Question, frame: pd.DataFrame, turns: int) -> pd.DataFrame:
    """Mean of each part and its share of the total by turn: x, name, mean, estimate, low, high, n; from bottom to top."""
    others = (LEVEL, TOTAL, UNUSED, REACHED)
    named = {role.replace("_", " "): study.measure(field) for role, field in question.roles.items() if role not in others}
    if TOTAL not in question.roles or not named:
        return pd.DataFrame()
    total = values_of(frame, study.measure(question.roles[TOTAL]))[:, :turns]
    values = {name: values_of(frame, measure)[:, :turns] for name, measure in named.items()}
    rest = total - np.sum([*values.values()], axis=0)
    values = {settings_of(CurveSettings, question).rest: rest, **values} if np.nanmax(np.abs(rest)) > 0 else values
    known = np.isfinite(total)
    (line, turn), game, tables = np.nonzero(known), frame["game"].to_numpy(), []
    for name, part in values.items():
        share = rates(game[line], turn, part[known], total[known])
        means = np.bincount(turn, part[known], turns) / np.bincount(turn, minlength=turns)
        share = share.assign(low=share["low"].clip(0, 1), high=share["high"].clip(0, 1))
        tables.append(share.assign(x=np.arange(turns) + 1, name=name, mean=means))
    return pd.concat(tables, ignore_index=True)


def _reached(study: Study, question: Question, frame: pd.DataFrame, _last: int) -> tuple[str, Table]:
    """When levels are first reached: sentence and table."""
    settings, measure = settings_of(CurveSettings, question), study.measure(question.roles[REACHED])
    turn, label = settings.turn, study.measure(question.roles[LEVEL]).label.lower()
    lines: list[dict[str, Any]] = []
    for name, when in zip(measure.parts, values_of(frame, measure).T, strict=True):
        if name in (settings.levels or measure.parts):
            held = when != settings.never
            share = clustered.share(frame["game"].to_numpy(), held.astype(np.float64))
            early, median = np.quantile(np.where(held, when, np.inf), (REACH[0], 0.5), method="inverted_cdf")
            lines.append({"name": name, **vars(share), "early": early, "median": median})
    levels, parts = pd.DataFrame(lines).replace(np.inf, np.nan), []
    columns = {"name": label, "early": f"{ENDS[0]} hold it by {turn}", "median": f"half hold it by {turn}"}
    columns |= estimate_columns("share that holds it")
    title = f"When each {label} is first reached"
    shown = table(levels, f"{question.id}-reached", title, columns, {"share that holds it": "percent"})
    for _, row in levels.iterrows():
        known = pd.notna(row["median"])
        half = f"half of the seats by {turn} {count(row['median'])}" if known else "fewer than half of the seats"
        parts.append(f"{label} {row['name']} by {percent(row['estimate'])}, {half}")
    return f"Reached at any time: {'; '.join(parts)}." if parts else "", shown


def _unused(study: Study, question: Question, frame: pd.DataFrame, turns: int) -> tuple[str, Table]:
    """What is left unused per turn: sentence over all turns, table by turn."""
    measure, word = study.measure(question.roles[UNUSED]), settings_of(CurveSettings, question).turn
    values = values_of(frame, measure)
    line, turn = np.nonzero(np.isfinite(values))
    left, game = values[line, turn], frame["game"].to_numpy()[line]
    whole = rates(game, np.zeros(line.size, np.int64), left, np.ones(line.size)).iloc[0]
    often = vars(clustered.share(game, left > 0))
    text = f"{capital(measure.label)}: {amount_of(whole, 'games')} on average, something in {percent(often['estimate'])} of the "
    text += f"turns {interval_of(often, 'turns')}."
    early = turn < turns
    by_turn = rates(game[early], turn[early], left[early], np.ones(int(early.sum())))
    some = clustered.shares(game[early], turn[early], left[early] > 0, turns)
    rows = by_turn.assign(x=np.arange(1, turns + 1), some=some["estimate"], s_low=some["low"], s_high=some["high"])
    columns = {"x": word, "estimate": "mean left", "low": "low", "high": "high", "some": "turns with some left"}
    columns |= {"s_low": "share, low", "s_high": "share, high", "n": "n"}
    formats: dict[str, Format] = dict.fromkeys(("turns with some left", "share, low", "share, high"), "percent")
    return text, table(rows, f"{question.id}-unused", measure.label, columns, {**AMOUNTS, **formats})


def life_curves(study: Study, question: Question) -> Section | None:
    """Means of winners and losers after every turn with bands of quantiles, above the share of games still on.

    Roles: curve (measure per seat with one number per turn, nan once the game is over). Settings: turn.
    """
    if "curve" not in question.roles or not study.contests:
        return None
    seats, measure = contest(study), study.measure(question.roles["curve"])
    frame, turn = finished(study.seats_frame, seats), settings_of(CurveSettings, question).turn
    values, won, lines = values_of(frame, measure), frame["won"].to_numpy(bool), []
    for column, known, on in _turns(values, GAMES_STILL_ON, LEAST * seats):
        for line, side in zip(SIDES, (won, ~won), strict=True):
            chosen = values[known & side, column]
            if chosen.size >= LEAST:
                centre, ends = mean(chosen), np.quantile(chosen, REACH)
                facts = {"line": line, "x": column + 1, "mean": centre.estimate, "m_low": centre.low, "m_high": centre.high}
                lines.append({**facts, "q_low": ends[0], "q_high": ends[1], "n": chosen.size, "on": on})
    if not lines:
        return None
    means = pd.DataFrame(lines)
    answer = _life_answer(means, measure.label.lower(), turn, seats)
    words = {"x_label": f"after {turn}", "y_label": measure.label.lower()}
    figure = charts.bands(means.rename(columns={"q_low": "low", "q_high": "high"}), **words, reach=REACH)
    caption = f"{measure.label} of winners and losers after every {turn}: means and, pale, the middle range of the games "
    caption += f"({' to '.join(ENDS)}); below, the share of games that reach it. "
    caption += f"{capital(at_seats(seats))}, with {study.policy} in every seat."
    alt = f"Lines of winners and losers with bands over the {turn}s, and the share of games still on. {answer}"
    columns = {"x": f"after {turn}", "line": "who", "mean": "mean", "m_low": "low", "m_high": "high"}
    shown = _curve_table(question, means, measure.label, columns, "games that come to it")
    note = f"Finished games. {capital(article(turn))} that ends a game counts; after it the game is left out, so the later "
    note += "points are from longer games, and a line can rise. Shown as long as "
    note += f"{percent(GAMES_STILL_ON, 0)} of the games are on. Intervals of means: Student's t. n: seats."
    return Section(question.id, question.text, answer, (Chart(question.id, figure, caption, alt),), (shown,), note)


def _curve_table(question: Question, means: pd.DataFrame, label: str, columns: dict[str, str], on: str) -> Table:
    """Means and quantiles by turn. columns: those of the means; on: heading of the share of games or seats that reach a turn."""
    columns = {**columns, "q_low": f"quantile {ENDS[0]}", "q_high": f"quantile {ENDS[1]}", "on": on, "n": "n"}
    return table(means, question.id, label, columns, {**AMOUNTS, on: "percent"})


def _life_answer(means: pd.DataFrame, label: str, turn: str, seats: int) -> str:
    """Both sides when half of the games are over, and where they are farthest apart."""
    wide = means.pivot_table(index="x", columns="line", values=["mean", "m_low", "m_high", "n", "on"])
    if not set(SIDES) <= set(wide["mean"].columns):
        return f"{capital(at_seats(seats))} there are only winners or only losers."
    on = wide["on"][SIDES[0]]
    middle = on[on <= 1 / 2].index.min() if (on <= 1 / 2).any() else on.index.max()
    parts = []
    for side in SIDES:
        columns = {"estimate": "mean", "low": "m_low", "high": "m_high", "n": "n"}
        here = {name: float(wide[column][side][middle]) for name, column in columns.items()}
        parts.append(f"{amount(here['estimate'])} for {side} {quantity_of(here)}")
    top = highest((wide["mean"][SIDES[0]] - wide["mean"][SIDES[1]]).rename("apart").reset_index(), "apart")
    text = f"{capital(at_seats(seats))}, after {turn} {count(middle)}, which {percent(float(on[middle]))} of the games "
    text += f"reach, {label} is {' and '.join(parts)}. They are farthest apart after {turn} {count(top['x'])}, by "
    return f"{text}{amount(top['apart'])}."


def entrant_curves(study: Study, question: Question) -> Section | None:
    """Means by turn with bands of quantiles, one panel per entrant, at the smallest number of seats with an opponent.

    Roles: curve (measure per seat with one number per turn of the player, nan after the last). Settings: turn.
    """
    if "curve" not in question.roles or not study.contests:
        return None
    seats, measure, word = contest(study), study.measure(question.roles["curve"]), study.game.entrant_word
    frame, turn, lines = finished(study.seats_frame, seats), settings_of(CurveSettings, question).turn, []
    game, entrant, values = frame["game"].to_numpy(), frame["entrant"].to_numpy(np.int64), values_of(frame, measure)
    for code, name in enumerate(study.names):
        mine = entrant == code
        for column, known, on in _turns(values[mine], STILL_ON):
            n, chosen = int(known.sum()), values[mine][known, column]
            centre = rates(game[mine][known], np.zeros(n, np.int64), chosen, np.ones(n)).iloc[0]
            ends = np.quantile(chosen, REACH, method="inverted_cdf")
            facts = {"line": name, "x": column + 1, **{part: centre[part] for part in ("estimate", "low", "high")}}
            lines.append({**facts, "q_low": ends[0], "q_high": ends[1], "n": n, "on": on})
    if not lines:
        return None
    means = pd.DataFrame(lines)
    peaks = means.loc[means.groupby("line", sort=False)["estimate"].idxmax()]  # for each entrant the turn with the highest mean
    reach = means.groupby("x")["on"].mean()
    middle = int(reach[reach >= 1 / 2].index.max()) if (reach >= 1 / 2).any() else int(reach.index.min())
    then = means[means["x"] == middle]
    top, bottom = highest(then, "estimate"), lowest(then, "estimate")
    answer = f"{capital(at_seats(seats))}, at the end of {turn} {count(middle)}, the mean of {measure.label.lower()} is "
    answer += f"{amount_of(top, 'seats')} with {top['line']}"
    answer += f", the highest, and {amount_of(bottom, 'seats')} with {bottom['line']}, the lowest" if len(then) > 1 else ""
    named = [f"{row['line']} at {turn} {count(row['x'])} ({amount(row['estimate'])})" for _, row in peaks.iterrows()]
    answer += f". It peaks for {listed(named)}."
    kept = list(peaks.sort_values("estimate", kind="stable")["line"])
    kept = kept if len(kept) <= PANELS else [*kept[: PANELS // 2], *kept[-(PANELS // 2) :]]
    names = {"estimate": "mean", "low": "m_low", "high": "m_high", "q_low": "low", "q_high": "high"}
    drawn = means[means["line"].isin(kept)].rename(columns=names)
    figure = charts.strips(drawn, x_label=f"end of {turn}", y_label=measure.label.lower(), reach=REACH)
    caption = f"{measure.label} of each {word} at the end of every {turn}: means and, pale, the middle of the "
    caption += f"seats ({' to '.join(ENDS)}). {capital(at_seats(seats))}, with {study.policy} in every seat."
    caption += f" Only the {PANELS} with most and fewest." if len(kept) < len(peaks) else ""
    alt = f"Lines with bands over the {turn}s, a panel per {word}. {answer}"
    columns = {"line": word, "x": f"end of {turn}", "estimate": "mean", "low": "low", "high": "high"}
    shown = _curve_table(question, means, measure.label, columns, "seats that come to it")
    note = "Finished games. A seat counts as long as it takes turns, so later points are from longer games; shown while "
    note += f"{percent(STILL_ON, 0)} of the seats are on. The seats of a game are one observation for intervals. n: seats."
    return Section(question.id, question.text, answer, (Chart(question.id, figure, caption, alt),), (shown,), note)
