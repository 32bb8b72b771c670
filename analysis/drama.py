"""Pace and drama of games from their courses: who leads, how often that changes, since when for good, and what was caught up.

A seat is ahead where its chance exceeds that of every other by AHEAD of the fair share, 55 to 45 at two seats. It keeps the lead
until another is ahead: small swings round even change nothing. Where one seat alone won a game, that is the winner here.

Sources: lead change and drama after Browne (2008, Automatic generation and evaluation of recombination games, PhD thesis, QUT);
movement is the surprise of Ely, Frankel and Kamenica (2015, Suspense and surprise, Journal of Political Economy 123:215-260).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from analysis import clustered
from analysis.amounts import rates
from analysis.courses import Courses
from analysis.estimates import LEVEL, Interval

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Counts = NDArray[Any]

AHEAD = 0.2  # of the fair share: a smaller lead is none
SURE = 0.75  # chance from which on a side is as good as through
LOW, LOWEST = 0.5, 0.2  # of the fair share: 25 and 10 % at two seats
ROUNDING = 1e-9
BY_GAME = (
    "index",
    "key",
    "turns",
    "winner",
    "changes",
    "since",
    "part",
    "least",
    "behind",
    "sure",
    "movement",
    "drama",
)
ESTIMATE = ["estimate", "low", "high", "n"]


def leading(courses: Courses) -> Ints:
    """Seat that is ahead at the end of each turn, -1 where none is, (lines,)."""
    ordered = np.sort(courses.chance, axis=1)
    clear = ordered[:, -1] - ordered[:, -2] >= AHEAD / courses.seats - ROUNDING
    return np.where(clear, courses.chance.argmax(axis=1), -1)


def holding(courses: Courses) -> Ints:
    """Seat that was ahead last, by the end of each turn, -1 as long as none was, (lines,)."""
    ahead = leading(courses)
    last = np.maximum.accumulate(np.where(ahead >= 0, np.arange(ahead.size), -1))
    start = np.searchsorted(courses.game, courses.game)
    return np.where(last >= start, ahead[last], -1)


def by_game(courses: Courses) -> pd.DataFrame:
    """One line per game that one seat won alone, in their order.

    Columns: index, key, turns, winner (seat), changes (how often the lead went to another seat), since (turn from whose end on
    the winner held the lead; the last where only the last decision brought it), part (since / turns), least (smallest
    chance that the winner had; at the start all are even), behind (most by which another's chance exceeded it), sure (share of
    the turns at whose end somebody's chance was SURE or more), movement (way of the chances from even to the result: total
    Euclidean distance, as of one side's chance at two seats), drama (mean of the square roots of what the winner was behind, over
    the turns at whose end it was; 0 if never).
    """
    game, games = courses.game, len(courses.index)
    lines = np.bincount(game, minlength=games)
    winner = courses.winner
    own = courses.chance[np.arange(game.size), winner[game]]
    top = courses.chance.max(axis=1)
    gap, held = top - own, holding(courses)
    taken = (game[1:] == game[:-1]) & (held[1:] != held[:-1]) & (held[:-1] >= 0)
    least, behind = np.full(games, 1 / courses.seats), np.zeros(games)
    np.minimum.at(least, game, own)
    np.maximum.at(behind, game, gap)
    trailing = gap > ROUNDING
    turns = courses.turns.copy()
    np.maximum.at(turns, game, courses.turn)
    since = _since(courses, held == winner[game], turns)
    columns = {
        "index": courses.index,
        "key": courses.key,
        "turns": turns,
        "winner": winner,
        "changes": np.bincount(game[1:][taken], minlength=games),
        "since": since,
        "part": since / np.maximum(turns, 1),
        "least": least,
        "behind": behind,
        "sure": _over(np.bincount(game, top >= SURE, games), lines),
        "movement": _movement(courses),
        "drama": _over(
            np.bincount(game, np.sqrt(np.where(trailing, gap, 0)), games), np.bincount(game, trailing, games)
        ),
    }
    return pd.DataFrame(columns, columns=list(BY_GAME))[winner >= 0].reset_index(drop=True)


def _since(courses: Courses, holds: NDArray[np.bool_], turns: Ints) -> Ints:
    """Turn from which on `holds` is so at the end of every turn; the last of the game where it is not so at its end."""
    lost = np.full(len(courses.index), -1)
    places = np.arange(holds.size)
    np.maximum.at(lost, courses.game[~holds], places[~holds])
    first = np.searchsorted(courses.game, np.arange(len(courses.index)))
    after = np.where(lost >= 0, lost + 1, first)
    end = np.searchsorted(courses.game, np.arange(len(courses.index)), side="right")
    inside = after < end
    since: Ints = turns.copy()
    since[inside] = courses.turn[after[inside]]
    return since


def _over(total: Counts, count: Counts) -> Floats:
    """Means; 0 of nothing."""
    return np.asarray(np.divide(total, count, out=np.zeros(len(total)), where=np.asarray(count) > 0))


def _movement(courses: Courses) -> Floats:
    """How far the chances travel in each game, from even over the ends of turns to the result."""
    game, games = courses.game, len(courses.index)
    new = np.append(True, game[1:] != game[:-1])[: game.size]
    before = np.where(new[:, None], 1 / courses.seats, np.roll(courses.chance, 1, axis=0))
    steps = np.linalg.norm(courses.chance - before, axis=1)
    at_end = np.full((games, courses.seats), 1 / courses.seats)
    last = np.append(new[1:], True)[: game.size]
    at_end[game[last]] = courses.chance[last]
    final = np.linalg.norm(courses.share - at_end, axis=1)
    return np.asarray((np.bincount(game, steps, games) + final) / np.sqrt(2))


def summary(courses: Courses, level: float = LEVEL) -> pd.DataFrame:
    """Pace and drama in figures, over the games that one seat won alone.

    Columns: what (see below), estimate, low, high, n. what: changes (mean per game), steady (share of games whose lead never
    went to another seat), since, part (medians, see `by_game`), early (share of games led for good by half their length), sure
    (mean, see `by_game`), once_behind, once_low, once_lowest (share of games whose winner was once behind, at or below LOW and
    LOWEST of the fair share), comeback (the least chance that one winner in ten fell to), movement, drama (means).
    """
    games, fair = by_game(courses), 1 / courses.seats
    key = games["key"].to_numpy()
    margin = AHEAD * fair
    flags = {
        "steady": games["changes"] == 0,
        "early": games["part"] <= 0.5,
        "once_behind": games["behind"] >= margin - ROUNDING,
        "once_low": games["least"] <= LOW * fair + ROUNDING,
        "once_lowest": games["least"] <= LOWEST * fair + ROUNDING,
    }
    found = {name: mean(key, games[name].to_numpy(), level) for name in ("changes", "movement", "drama")}
    found["sure"] = mean(key, games["sure"].to_numpy(), level, (0.0, 1.0))
    found |= {name: quantile(key, games[name].to_numpy(), 0.5, level) for name in ("since", "part")}
    found |= {name: clustered.share(key, flag.to_numpy(np.float64), level) for name, flag in flags.items()}
    found["comeback"] = quantile(key, games["least"].to_numpy(), 0.1, level)
    order = (
        "changes",
        "steady",
        "since",
        "part",
        "early",
        "sure",
        "once_behind",
        "once_low",
        "once_lowest",
        "comeback",
    )
    rows = [
        {"what": name, **{part: getattr(found[name], part) for part in ESTIMATE}}
        for name in (*order, "movement", "drama")
    ]
    return pd.DataFrame(rows)


def mean(key: Ints, values: Counts, level: float = LEVEL, within: tuple[float, float] = (-np.inf, np.inf)) -> Interval:
    """Mean over games of which those of one key hang together, Student's t with the keys as observations. NaN without games.

    within: bounds that no such mean can exceed.
    """
    if not values.size:
        return Interval(np.nan, np.nan, np.nan, 0, level, "t")
    found = rates(key, np.zeros(values.size, np.int64), values, np.ones(values.size), level).iloc[0]
    centre, half = float(found["estimate"]), float(found["high"] - found["low"]) / 2
    low, high = np.clip([centre - half, centre + half], *within)
    return Interval(centre, float(low), float(high), values.size, level, "t")


def quantile(key: Ints, values: Counts, share: float, level: float = LEVEL) -> Interval:
    """Quantile over games of which those of one key hang together: the least value that `share` of the games do not exceed.

    Bounds: order statistics for as many games as these are worth (Woodruff 1952, Journal of the American Statistical Association
    47:635-646); infinite where the games are too few for one.
    """
    if not values.size:
        return Interval(np.nan, np.nan, np.nan, 0, level, "order")
    ordered = np.sort(values).astype(np.float64)
    centre = float(ordered[max(0, int(np.ceil(share * values.size - ROUNDING)) - 1)])
    within = (values <= centre).astype(np.float64)
    keys = np.unique(key).size
    known = float(clustered.shares(key, np.zeros(values.size, np.int64), within, 1, level)["effective"].iloc[0])
    worth = int(np.clip(round(known * keys / max(1, keys - 1)), 1, values.size))
    ends = stats.binom.ppf([(1 - level) / 2, (1 + level) / 2], worth, share) + np.array([0, 1])
    ranks = np.ceil(ends / worth * values.size - ROUNDING).astype(np.int64)
    low = float(ordered[ranks[0] - 1]) if ranks[0] >= 1 else -np.inf
    high = float(ordered[ranks[1] - 1]) if ranks[1] <= values.size else np.inf
    return Interval(centre, low, high, values.size, level, "order")


def by_turn(courses: Courses, turns: Sequence[int] | None = None, level: float = LEVEL) -> pd.DataFrame:
    """How often whoever is ahead at the end of a turn wins, over the games that somebody won; turns: all if None.

    Columns: turn, games (in which it is played), on (their share of all), level (share of these in which nobody is ahead), chance
    (mean of the judged chance of the seat ahead), estimate, low, high (its share of the win), n (games with one ahead).
    """
    wanted = np.unique(courses.turn) if turns is None else np.asarray(turns, np.int64)
    ahead, all_won = leading(courses), max(1, int(courses.won.sum()))
    tables = []
    for turn in wanted.tolist():
        here = (courses.turn == turn) & courses.won[courses.game]
        led = here & (ahead >= 0)
        games, count = int(here.sum()), int(led.sum())
        found = clustered.share(courses.key[courses.game[led]], courses.share[courses.game[led], ahead[led]], level)
        line = {"turn": turn, "games": games, "on": games / all_won, "level": 1 - count / games if games else np.nan}
        line |= {"chance": float(courses.chance[led, ahead[led]].mean()) if count else np.nan}
        tables.append(line | {part: getattr(found, part) for part in ESTIMATE})
    return pd.DataFrame(tables, columns=["turn", "games", "on", "level", "chance", *ESTIMATE])


def by_lead(courses: Courses, bins: Sequence[float] = (0.25, 0.5, 0.75, 1.0), level: float = LEVEL) -> pd.DataFrame:
    """How often whoever is ahead wins, by how far its chance exceeds the next, over all turns of games that somebody won.

    bins: upper ends, rising, included. Columns: start, end, chance (mean judged), estimate, low, high, n (turns), games.
    """
    ahead = leading(courses)
    led = (ahead >= 0) & courses.won[courses.game]
    ordered = np.sort(courses.chance[led], axis=1)
    place = np.searchsorted(np.asarray(bins), ordered[:, -1] - ordered[:, -2] - ROUNDING)
    game, seat = courses.game[led], ahead[led]
    found = clustered.shares(courses.key[game], place, courses.share[game, seat], len(bins), level)
    chance = _over(np.bincount(place, courses.chance[led, seat], len(bins)), found["n"].to_numpy())
    games = [np.unique(game[place == at]).size for at in range(len(bins))]
    starts = [AHEAD / courses.seats, *bins[:-1]]
    table = found.assign(start=starts, end=list(bins), chance=np.where(found["n"] > 0, chance, np.nan), games=games)
    return table[["start", "end", "chance", *ESTIMATE, "games"]]


def decided(courses: Courses, level: float = LEVEL) -> pd.DataFrame:
    """Share of the games that one seat won alone in which it led for good by the end of each turn, looking back.

    Columns: turns (0 and those at which it came so, rising), estimate, low, high, n. A game that was over before counts as led.
    """
    games = by_game(courses)
    turns = np.append(0, np.unique(games["since"])) if len(games) else np.zeros(0, np.int64)
    return _reached(games, "since", turns, level).rename(columns={"at": "turns"})


def comebacks(courses: Courses, at: Sequence[float] | None = None, level: float = LEVEL) -> pd.DataFrame:
    """Share of the games whose winner was once down to a chance of at most `at`; from 5 % to the fair share if None.

    Columns: at, estimate, low, high, n, even (what it is where all seats are equal, the judgement is right and moves in small
    steps: at (1 - fair) / ((1 - at) fair), optional stopping; large steps make it less).
    """
    fair = 1 / courses.seats
    places = np.round(np.arange(1, 11) * fair / 10, 6) if at is None else np.asarray(at, np.float64)
    found = _reached(by_game(courses), "least", places, level)
    return found.assign(even=np.minimum(1, places * (1 - fair) / ((1 - places) * fair)))


def _reached(games: pd.DataFrame, column: str, places: Counts, level: float) -> pd.DataFrame:
    """Share of games whose value is at most each place: columns at, estimate, low, high, n."""
    value, key = games[column].to_numpy(), games["key"].to_numpy()
    group = np.repeat(np.arange(places.size), value.size)
    flags = np.concatenate([np.zeros(0), *(value <= place + ROUNDING for place in places)])
    found = clustered.shares(np.tile(key, places.size), group, flags, places.size, level)
    return found.assign(at=places)[["at", *ESTIMATE]]
