"""Who beats whom in a log, and which of two entrants is stronger."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.special import ndtr

from analysis import charts
from analysis.answer import verdicts
from analysis.answer.model import Answer, Chart, NoAnswerError
from analysis.answer.numbers import THIN, Format, count, decimal, number, percent, rounded_up
from analysis.answer.prose import bounds_of, fitting, plural
from analysis.answer.tables import WIN_RATE, table
from analysis.data.rows import distinct
from analysis.playtests.log import Playtests
from analysis.playtests.rates import LEAST_MORE, MORE_MAX, adjusted_words, rates
from analysis.playtests.strengths import Strengths, strengths_of
from analysis.stats.betting import checked_margin
from analysis.stats.intervals import adjust
from sim.engine.cardfiles.paths import did_you_mean

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

LEAST_MET = 5  # games in which a pair must have met for a row
STEPS = 25  # of Newton's method
ROWS = 30  # pairs in the chart
EVEN = 0.5


def matchups(log: Playtests) -> Answer:
    """Who wins before whom, adjusted for people and turn order, beside what the strengths of both lead one to expect."""
    strengths = strengths_of(log)
    frame = pairs(strengths, log)
    if frame.empty:
        raise NoAnswerError(f"{log.path}: no two {plural(log.entrant_word)} met in {LEAST_MET} games that one of them won")
    columns = {"name": "pair", "n": "games", "record": "won", "estimate": "first wins", "low": "low", "high": "high"}
    columns |= {"expected": "by strength", "p_holm": "p (Holm)"}
    formats: dict[str, Format] = {"first wins": "percent", "by strength": "percent", "p (Holm)": "p"}
    return Answer(
        summary(frame, log),
        (table(frame, "matchups", f"Pairs that met in at least {LEAST_MET} games", columns, formats),),
        (Chart(partial(drawn, frame), f"Share of the first of each pair, with intervals that hold together with 95{THIN}%."),),
        (
            f"Games that one of both won count, of those in which both took part{adjustment(strengths)}.",
            "By strength: what the win rates of both against all others lead one to expect; p: whether the pair differs from it.",
        ),
        log.about,
    )


def adjustment(strengths: Strengths) -> str:
    """What the share of a pair is adjusted for."""
    parts = [*(["players"] if strengths.people else []), *(["turn order"] if strengths.positions else [])]
    return f", adjusted for {' and '.join(parts)}" if parts else ""


def pairs(strengths: Strengths, log: Playtests) -> pd.DataFrame:
    """Pairs that met, the clearest first.

    Columns first (the stronger one), second, name, n (games that one of both won), wins, losses, record, estimate, low and high
    (of all rows together), expected (by the strengths of both), p and p_holm (whether the pair differs from that).
    """
    record = records(strengths, log)
    if record.empty:
        return record
    level = verdicts.row_level(len(record))
    pair = record[["one", "two"]].to_numpy()
    turn = (strengths.duels(pair)["estimate"] < EVEN).to_numpy()
    pair = np.where(turn[:, None], pair[:, ::-1], pair)
    frame = strengths.duels(pair, level)
    names = np.array(strengths.entrants, object)
    frame = frame.assign(first=names[pair[:, 0]], second=names[pair[:, 1]], n=record["n"], wins=record["wins"])
    frame["wins"] = np.where(turn, frame["n"] - frame["wins"], frame["wins"])
    frame["losses"] = frame["n"] - frame["wins"]
    frame["p"] = 2 * ndtr(-np.abs(frame["z"]))
    frame["p_holm"] = adjust(frame["p"])
    frame["name"] = frame["first"] + " v " + frame["second"]
    frame["record"] = [f"{number(won)}:{number(lost)}" for won, lost in zip(frame["wins"], frame["losses"], strict=True)]
    return frame.drop(columns="z").sort_values("low", ascending=False, kind="stable", ignore_index=True)


def records(strengths: Strengths, log: Playtests) -> pd.DataFrame:
    """Pairs of different entrants that met in LEAST_MET games that one of both won: one, two (indexes), n, wins (of one)."""
    place = pd.Index(strengths.entrants).get_indexer(pd.Index(log.rows["entrant"]))
    side = log.rows[["game", "share"]].assign(place=place)
    both = side.merge(side, on="game", suffixes=("", "_two"))
    won = both["share"] + both["share_two"]
    both = both[(both["place"] < both["place_two"]) & (won > 0)].assign(part=both["share"] / won)
    frame = both.groupby(["place", "place_two"])["part"].agg(n="size", wins="sum").reset_index()
    return frame[frame["n"] >= LEAST_MET].rename(columns={"place": "one", "place_two": "two"}).reset_index(drop=True)


def drawn(frame: pd.DataFrame) -> Figure:
    """The pairs that are clearest."""
    return charts.ranked(frame.head(ROWS).assign(verdict=""), words=("first wins", ""), band=None)


def summary(frame: pd.DataFrame, log: Playtests) -> str:
    """The pairs that are decided, or that none is."""
    sure = frame[frame["low"] > EVEN]
    top = frame.iloc[0]
    if sure.empty:
        none = f"Not decided: none of {count(len(frame))} pairs surely favours one side in {count(log.games)} games"
        return fitting(f"{none}; the clearest is {top['name']}, {percent(top['estimate'])} {bounds_of(top)}.", f"{none}.")
    others = f"{count(len(sure) - 1)} more" if len(sure) > 1 else "no other"
    more = f"; of {count(len(frame))} pairs {others} {'are' if len(sure) > 2 else 'is'} decided"
    return fitting(
        f"{top['first']} beats {top['second']}: {percent(top['estimate'])} {bounds_of(top)}, {top['record']}{more}.",
        f"{top['first']} beats {top['second']}: {percent(top['estimate'])}, {top['record']}{more}.",
    )


def compare(log: Playtests, first: str, second: str, margin: float = 1.0, alpha: float = 0.05) -> Answer:
    """Which of two entrants wins more often in the hands of an average person, or that they are within a margin."""
    strengths = strengths_of(log)
    names = list(strengths.entrants)
    one, two = (names.index(named(name, names, log)) for name in (first, second))
    if one == two:
        raise ValueError(f"second={second!r}: is the first {log.entrant_word} again; name another")
    gap, low, high = strengths.difference(one, two, 1 - alpha)
    if gap < 0:
        one, two, gap, low, high = two, one, -gap, -high, -low
    both = [names[one], names[two]]
    frame = rates(log, strengths).set_index("name").loc[both].reset_index()
    columns = {"name": log.entrant_word, "n": "games", "won": "won", "expected": "fair", "estimate": WIN_RATE}
    formats: dict[str, Format] = {"won": "percent", "fair": "percent"}
    caption = f"Win rates in {count(log.games)} games, {adjusted_words(strengths)}"
    return Answer(
        decision(both, (gap, low, high), checked_margin(margin), log.games),
        (table(frame, "shares", caption, columns | {"low": "low", "high": "high"}, formats),),
        (Chart(lambda: charts.forest(frame.assign(seats="")), f"Win rates of both, {adjusted_words(strengths)}."),),
        (
            *met(both, pairs(strengths, log)),
            f"Points more: the difference of both win rates, with its {100 * (1 - alpha):g}{THIN}% interval.",
        ),
        log.about | {"difference": gap, "low": low, "high": high},
    )


def decision(both: list[str], gap: tuple[float, float, float], margin: float, games: int) -> str:
    """Who is stronger, if anyone. gap: difference of the win rates with its interval, not below 0; margin: as a share."""
    apart, low, high = gap
    size = f"{100 * apart:.1f} points more ({decimal(100 * low, 1, signed=True)} to {decimal(100 * high, 1, signed=True)})"
    if low > 0:
        return f"{both[0]} is stronger than {both[1]}: it wins {size}."
    if -margin <= low and high <= margin:
        return f"{both[0]} and {both[1]} are within {number(100 * margin)} points of each other: the first wins {size}."
    times = ((high - low) / 2 / max(apart, margin)) ** 2
    more = count(rounded_up(min(games * max(times - 1, LEAST_MORE), MORE_MAX)))
    return f"Not decided: {both[0]} wins {size} than {both[1]}; about {more} more games would decide."


def met(both: list[str], frame: pd.DataFrame) -> list[str]:
    """Sentence on the games of both against each other. frame: see `pairs`."""
    if frame.empty:
        return []
    row = frame[frame["first"].isin(both) & frame["second"].isin(both)]
    won = "games that one of both won"
    return [f"In {count(one['n'])} {won}, {one['first']} and {one['second']} stand {one['record']}." for _, one in row.iterrows()]


def named(name: str, names: list[str], log: Playtests) -> str:
    """An entrant of the log by its name, in any case. Raises ValueError with the nearest one."""
    folded = {one.casefold().replace("_", " "): one for one in distinct(names)}
    key = str(name).casefold().replace("_", " ").strip()
    if key not in folded:
        raise ValueError(f"{name!r} is no {log.entrant_word} of {log.path}; {did_you_mean(str(name), names)}")
    return folded[key]
