"""Turn order in a log, and the numbers that a log has besides who won."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.special import ndtr

from analysis import charts
from analysis.answer import verdicts
from analysis.answer.model import Answer, Chart, NoAnswerError
from analysis.answer.numbers import Format, count, number, percent
from analysis.answer.prose import bounds_of, capital, fitting, listed, number_word, plural
from analysis.answer.tables import AMOUNTS, estimate_columns, highest, lowest, table
from analysis.data.rows import rates
from analysis.playtests.log import Playtests
from analysis.playtests.strengths import Strengths, strengths_of
from analysis.stats.intervals import adjust
from sim.engine.cardfiles.paths import did_you_mean

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

ORDER = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth")
SURE = 0.05  # p-value, adjusted over all rows, below which an effect is significant
ALL = "all together"


def seats(log: Playtests) -> Answer:
    """What going first is worth, between equal people with equal entrants."""
    strengths = strengths_of(log)
    if not strengths.positions:
        raise NoAnswerError(f"{log.path}: does not say who moved first; add a column `seat` (1 moved first) or `first player`")
    frame = orders(log, strengths)
    columns = {"players": "players", "order": "turn order", "n": "games", "won": "won", "estimate": "win share"}
    columns |= {"low": "low", "high": "high", "fair": "fair", "p_holm": "p (Holm)"}
    formats: dict[str, Format] = {"won": "percent", "win share": "percent", "fair": "percent", "p (Holm)": "p"}
    title = f"Win share by turn order in {count(log.games)} games, between equals."
    return Answer(
        summary(frame),
        (table(frame, "turn_order", f"Who moves first, in {count(log.games)} games", columns, formats),),
        (Chart(partial(drawn, frame), title),),
        ("Win share: between players and entrants of the same strength; won: as it was in the log.",),
        log.about,
    )


def orders(log: Playtests, strengths: Strengths) -> pd.DataFrame:
    """Win shares by number of players and turn position.

    Columns players, position, order, n (games), won, estimate, low, high (of all rows together), fair, p, p_holm. Positions that
    the log does not tell apart are one row.
    """
    level = verdicts.row_level(len(strengths.positions))
    frame = strengths.orders(level)
    frame = frame[[key in strengths.positions for key in zip(frame["seats"], frame["position"], strict=True)]]
    raw = log.rows.groupby(["seats", "position"])["share"].agg(n="size", won="mean").reset_index()
    frame = frame.merge(raw, on=["seats", "position"])
    distance = np.log(frame["estimate"] / (1 - frame["estimate"])) - np.log(frame["fair"] / (1 - frame["fair"]))
    frame["p"] = 2 * ndtr(-np.abs(distance) / frame["error"])
    frame["p_holm"] = adjust(frame["p"])
    frame["order"] = [ORDER[int(position)] for position in frame["position"]]
    return frame.rename(columns={"seats": "players"})


def summary(frame: pd.DataFrame) -> str:
    """What going first is worth at the number of players with most games."""
    players = int(frame["players"].iloc[int(frame["n"].to_numpy().argmax())])
    part = frame[frame["players"] == players]
    first = part[part["position"] == 0].iloc[0]
    where = f"Among {number_word(players)} players"
    share = f"the first wins {percent(first['estimate'])} {bounds_of(first)}, where {percent(first['fair'])} is fair"
    sure = part[part["p_holm"] < SURE]
    if sure.empty:
        return fitting(f"Not decided: {where.lower()} {share}; the difference may be chance.", f"Not decided: {share}.")
    if 0 in set(sure["position"]):
        return f"{where} {share}."
    words = [f"the {ORDER[int(row['position'])]} {percent(row['estimate'])}" for _, row in sure.iterrows()]
    return fitting(f"{where} {share}; {listed(words)}, surely not by chance.", f"{where} {share}.")


def drawn(frame: pd.DataFrame) -> Figure:
    """Win shares by turn order."""
    names = [f"moves {ORDER[int(position)]}" for position in frame["position"]]
    panels = [f"{capital(number_word(players))} players" for players in frame["players"]]
    return charts.forest(frame.assign(name=names, seats=panels, verdict=""))


def amounts(log: Playtests, facts: Sequence[str] = ()) -> Answer:
    """Means of the numbers that a log has, such as scores or rounds, by entrant, winners and losers."""
    columns_of_numbers = [name for name in ("score", *log.facts) if name in log.rows]
    if not columns_of_numbers:
        raise NoAnswerError(f"{log.path}: has no numbers besides who won; add columns such as score or rounds")
    for fact in facts:
        if fact not in columns_of_numbers:
            raise ValueError(f"facts={fact!r}: is no column of numbers of {log.path}; {did_you_mean(fact, columns_of_numbers)}")
    chosen = list(facts) or columns_of_numbers
    frame = pd.concat([means(log, fact) for fact in chosen], ignore_index=True)
    columns = estimate_columns("mean", name=log.entrant_word, part="what")
    top = frame[(frame["part"] == chosen[0]) & (frame["name"] != ALL)]
    overall = frame[(frame["part"] == chosen[0]) & (frame["name"] == ALL)].iloc[0]
    most, least = highest(top, "estimate"), lowest(top, "estimate")
    average = f"{capital(chosen[0])}: {number(overall['estimate'])} on average"
    words = [f"{row['name']}, {number(row['estimate'])}" for row in (most, least)]
    title = f"{capital(listed(chosen))} by {log.entrant_word}, means with 95 % intervals."
    return Answer(
        fitting(f"{average}; most for {words[0]}, least for {words[1]}.", f"{average}."),
        (table(frame, "amounts", f"Means in {count(log.games)} games", columns, AMOUNTS),),
        (Chart(partial(pictured, frame), title),),
        (f"Raw means: not adjusted for the players, opponents and turn order of each of the {plural(log.entrant_word)}.",),
        log.about | {"facts": chosen},
    )


def means(log: Playtests, fact: str) -> pd.DataFrame:
    """Means of a column: all together, winners, losers and by entrant. Columns name, part, estimate, low, high, n (games).

    Of a number of the whole game, such as rounds, there are no winners and losers.
    """
    rows = log.rows[log.rows[fact].notna()]
    ends = rows.groupby("game")[fact].agg(["min", "max"])
    of_game = bool((ends["min"] == ends["max"]).all())  # losers would only count larger games more often
    names = [ALL, *(("winners", "losers") if not of_game else ()), *log.entrants]
    won = rows["share"].to_numpy() > 0
    place = pd.Index(log.entrants).get_indexer(pd.Index(rows["entrant"]))
    groups = [np.zeros(len(rows), np.int64), *([] if of_game else [np.where(won, 1, 2)]), len(names) - len(log.entrants) + place]
    game, value = (np.tile(part, len(groups)) for part in (rows["game"].to_numpy(), rows[fact].to_numpy(np.float64)))
    frame = rates(game, np.concatenate(groups), value, np.ones(len(value))).reindex(range(len(names)))
    frame = frame[["estimate", "low", "high", "n"]].assign(name=names, part=fact)
    return frame[frame["n"].fillna(0) > 0].reset_index(drop=True)


def pictured(frame: pd.DataFrame) -> Figure:
    """Means with intervals, a panel for each column of the log."""
    return charts.dots(frame.rename(columns={"part": "panel"}))
