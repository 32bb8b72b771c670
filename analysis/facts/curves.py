"""Report sections on how amounts develop over a game.

`growth`: a level by turn, and the sources of the total behind it. `curve`: an amount by turn, of winners and losers with the
games still on, or of each entrant.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import charts
from analysis.answer.model import Section, answered
from analysis.answer.numbers import Format, count, number, percent
from analysis.answer.prose import amount, amount_of, article, at_seats, capital, interval_of, listed, quantity_of, share_of, size
from analysis.answer.tables import AMOUNTS, Table, estimate_columns, highest, lowest, table
from analysis.data import rows as clustered
from analysis.data.rows import rates
from analysis.data.study import Study, contest, finished
from analysis.data.study import numbers as values_of
from analysis.stats.intervals import mean
from sim.engine.questions import Curve, Growth

REACH = (0.1, 0.9)  # quantiles at the ends of the band
ENDS = tuple(percent(end, 0) for end in REACH)
STILL_ON, GAMES_STILL_ON, LEAST = 0.05, 0.02, 20  # share of the seats or games, and their number, that a turn needs to be shown
SIDES = ("winners", "losers")
PANELS = 8  # entrants in the chart; if there are more, those with most and fewest
BY_SEATS = (
    "Finished games. A seat counts as long as it takes turns, so later points are from longer games. Shown while "
    f"{percent(STILL_ON, 0)} of the seats are on. The seats of a game are one observation for intervals. n: seats"
)

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


def growth(study: Study, question: Growth) -> Section | None:
    """Median level by turn with a band, above the mean total by source; when levels are reached, and what is left unused.

    Turns are counted for each player.
    """
    if not study.contests:
        return None
    seats, turn, measure = contest(study), question.turn, study.measure(question.level)
    frame, label = finished(study.seats_frame, seats), measure.label.lower()
    lines, values = [], values_of(frame, measure)
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
    parts = _parts(study, question, frame, len(levels))
    total = study.measure(question.total).label.lower() if question.total else ""
    if len(parts):
        ordered = parts[parts["x"] == row["x"]].sort_values("estimate", ascending=False, kind="stable")
        first, *others = (line for _, line in ordered.iterrows())
        named = listed([f"{line['name']} {percent(line['estimate'])}" for line in others])
        text = f"By then {share_of(first, 'games')} of the {total} comes from {first['name']}"
        sentences.append(f"{text}; {named}." if named else f"{text}.")
        columns = {"x": turn, "name": "source", "mean": f"mean {total}", **estimate_columns("share")}
        tables.append(table(parts, f"{question.id}-sources", f"{capital(total)} by source", columns))
    more = [_reached(study, question, frame)] if question.reached else []
    more += [_unused(study, question, frame, len(levels))] if question.unused else []
    answer = " ".join(filter(None, [*sentences, *(sentence for sentence, _ in more)]))
    words = {"x_label": f"end of {turn}", "y_label": label, "total_label": total}
    figure = charts.growth(levels, parts=parts if len(parts) else None, **words, reach=REACH)
    below = f"; below, mean {total} by source" if len(parts) else ""
    caption = f"{measure.label} at the end of every {turn}: median and, pale, the middle range of the seats{below}. "
    caption += f"{capital(study.where(seats))}."
    note = (
        f"Finished games. A seat counts as long as it takes turns, so later points are from longer games. {BY_SEATS}, turns or, "
    )
    note += "for sources and what is left, games."
    alt = f"Line of the median with a band over the {turn}s, above stacked areas of what it is made of."
    return answered(question, answer, figure, caption, alt, [*tables, *(shown for _, shown in more)], note)


def _parts(study: Study, question: Growth, frame: pd.DataFrame, turns: int) -> pd.DataFrame:
    """Mean of each part and its share of the total by turn: x, name, mean, estimate, low, high, n; from bottom to top."""
    if not (question.total and question.parts):
        return pd.DataFrame()
    total = values_of(frame, study.measure(question.total))[:, :turns]
    values = {name: values_of(frame, study.measure(field))[:, :turns] for name, field in question.parts.items()}
    rest = total - np.sum([*values.values()], axis=0)
    values = {question.rest: rest, **values} if np.nanmax(np.abs(rest)) > 0 else values
    known = np.isfinite(total)
    (line, turn), game, tables = np.nonzero(known), frame["game"].to_numpy(), []
    for name, part in values.items():
        share = rates(game[line], turn, part[known], total[known])
        means = np.bincount(turn, part[known], turns) / np.bincount(turn, minlength=turns)
        share = share.assign(low=share["low"].clip(0, 1), high=share["high"].clip(0, 1))
        tables.append(share.assign(x=np.arange(turns) + 1, name=name, mean=means))
    return pd.concat(tables, ignore_index=True)


def _reached(study: Study, question: Growth, frame: pd.DataFrame) -> tuple[str, Table]:
    """When levels are first reached: sentence and table."""
    turn, measure, label = question.turn, study.measure(question.reached), study.measure(question.level).label.lower()
    lines: list[dict[str, Any]] = []
    for name, when in zip(measure.parts, values_of(frame, measure).T, strict=True):
        if name in (question.levels or measure.parts):
            held = when != question.never
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


def _unused(study: Study, question: Growth, frame: pd.DataFrame, turns: int) -> tuple[str, Table]:
    """What is left unused per turn: sentence over all turns, table by turn."""
    measure, word = study.measure(question.unused), question.turn
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


def curve(study: Study, question: Curve) -> Section | None:
    """Means by turn with bands of quantiles: of winners and losers, above the share of games still on, or a panel per entrant.

    At the smallest number of seats with an opponent. Turns of entrants are counted for each player.
    """
    if not study.contests:
        return None
    seats, measure = contest(study), study.measure(question.curve)
    frame = finished(study.seats_frame, seats)
    values = values_of(frame, measure)
    means = pd.DataFrame(_of_sides(frame, values, seats) if question.by == "side" else _of_entrants(study, frame, values))
    if means.empty:
        return None
    label, turn, word = measure.label, question.turn, study.game.entrant_word
    if question.by == "side":
        when, who, on = f"after {turn}", "who", "games that come to it"
        answer = _life_answer(means, label.lower(), turn, seats)
        figure = charts.bands(_drawn(means), x_label=when, y_label=label.lower(), reach=REACH)
        caption = f"{label} of winners and losers after every {turn}: means and, pale, the middle range of the games "
        caption += f"({' to '.join(ENDS)}); below, the share of games that reach it. {capital(study.where(seats))}."
        alt = f"Lines of winners and losers with bands over the {turn}s, and the share of games still on."
        note = f"Finished games. {capital(article(turn))} that ends a game counts; after it the game is left out, so the later "
        note += f"points are from longer games, and a line can rise. Shown as long as {percent(GAMES_STILL_ON, 0)} of the games "
        note += "are on. Intervals of means: Student's t. n: seats."
    else:
        when, who, on = f"end of {turn}", word, "seats that come to it"
        peaks = means.loc[means.groupby("line", sort=False)["mean"].idxmax()]  # of each entrant
        answer = _entrants_answer(means, peaks, label.lower(), turn, seats)
        kept = list(peaks.sort_values("mean", kind="stable")["line"])
        kept = kept if len(kept) <= PANELS else [*kept[: PANELS // 2], *kept[-(PANELS // 2) :]]
        figure = charts.strips(_drawn(means[means["line"].isin(kept)]), x_label=when, y_label=label.lower(), reach=REACH)
        caption = f"{label} of each {word} at the end of every {turn}: means and, pale, the middle of the seats "
        caption += f"({' to '.join(ENDS)}). {capital(study.where(seats))}."
        caption += f" Only the {PANELS} with most and fewest." if len(kept) < len(peaks) else ""
        alt = f"Lines with bands over the {turn}s, a panel per {word}."
        note = f"{BY_SEATS}."
    columns = {"x": when, "line": who, "mean": "mean", "mean_low": "low", "mean_high": "high"}
    columns |= {"q_low": f"quantile {ENDS[0]}", "q_high": f"quantile {ENDS[1]}", "on": on, "n": "n"}
    shown = table(means, question.id, label, columns, {**AMOUNTS, on: "percent"})
    return answered(question, answer, figure, caption, alt, [shown], note)


def _drawn(means: pd.DataFrame) -> pd.DataFrame:
    return means.rename(columns={"q_low": "low", "q_high": "high"})


def _of_sides(frame: pd.DataFrame, values: Floats, seats: int) -> Iterator[dict[str, Any]]:
    """By turn, winners and losers: line, x, mean, m_low, m_high, q_low, q_high, n, on (share of the games)."""
    won = frame["won"].to_numpy(bool)
    for column, known, on in _turns(values, GAMES_STILL_ON, LEAST * seats):
        for line, side in zip(SIDES, (won, ~won), strict=True):
            chosen = values[known & side, column]
            if chosen.size >= LEAST:
                centre, ends = mean(chosen), np.quantile(chosen, REACH)
                facts = {"line": line, "x": column + 1, "mean": centre.estimate, "mean_low": centre.low, "mean_high": centre.high}
                yield {**facts, "q_low": ends[0], "q_high": ends[1], "n": chosen.size, "on": on}


def _of_entrants(study: Study, frame: pd.DataFrame, values: Floats) -> Iterator[dict[str, Any]]:
    """By entrant and turn: as `_of_sides`, with the seats of a game as one observation, and on the share of the seats."""
    game, entrant = frame["game"].to_numpy(), frame["entrant"].to_numpy(np.int64)
    for code, name in enumerate(study.names):
        mine = entrant == code
        for column, known, on in _turns(values[mine], STILL_ON):
            n, chosen = int(known.sum()), values[mine][known, column]
            centre = rates(game[mine][known], np.zeros(n, np.int64), chosen, np.ones(n)).iloc[0]
            ends = np.quantile(chosen, REACH, method="inverted_cdf")
            facts = {
                "line": name,
                "x": column + 1,
                "mean": centre["estimate"],
                "mean_low": centre["low"],
                "mean_high": centre["high"],
            }
            yield {**facts, "q_low": ends[0], "q_high": ends[1], "n": n, "on": on}


def _entrants_answer(means: pd.DataFrame, peaks: pd.DataFrame, label: str, turn: str, seats: int) -> str:
    """The highest and lowest at the last turn that half of the seats reach, and the peak of each entrant."""
    reach = means.groupby("x")["on"].mean()
    middle = int(reach[reach >= 1 / 2].index.max()) if (reach >= 1 / 2).any() else int(reach.index.min())
    then = means[means["x"] == middle]
    ends = highest(then, "mean"), lowest(then, "mean")
    top, bottom = (f"{amount_of(row, 'seats', 'mean')} with {row['line']}" for row in ends)
    text = f"{capital(at_seats(seats))}, at the end of {turn} {count(middle)}, the mean of {label} is {top}"
    text += f", the highest, and {bottom}, the lowest" if len(then) > 1 else ""
    named = [f"{row['line']} at {turn} {count(row['x'])} ({amount(row['mean'])})" for _, row in peaks.iterrows()]
    return f"{text}. It peaks for {listed(named)}."


def _life_answer(means: pd.DataFrame, label: str, turn: str, seats: int) -> str:
    """Both sides when half of the games are over, and where they are farthest apart."""
    wide = means.pivot_table(index="x", columns="line", values=["mean", "on"])
    if not set(SIDES) <= set(wide["mean"].columns):
        return f"{capital(at_seats(seats))} there are only winners or only losers."
    on = wide["on"][SIDES[0]]
    middle = on[on <= 1 / 2].index.min() if (on <= 1 / 2).any() else on.index.max()
    here = means[means["x"] == middle].set_index("line").reindex(list(SIDES))
    parts = [f"{amount(here['mean'][side])} for {side} {quantity_of(here.loc[side], name='mean')}" for side in SIDES]
    top = highest((wide["mean"][SIDES[0]] - wide["mean"][SIDES[1]]).rename("apart").reset_index(), "apart")
    text = f"{capital(at_seats(seats))}, after {turn} {count(middle)}, which {percent(float(on[middle]))} of the games "
    text += f"reach, {label} is {' and '.join(parts)}. They are farthest apart after {turn} {count(top['x'])}, by "
    return f"{text}{amount(top['apart'])}."
