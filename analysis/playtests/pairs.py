"""Who beats whom in a log, and which of two entrants is stronger."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, logit, ndtr

from analysis import charts
from analysis.answer import verdicts
from analysis.answer.model import Answer, Chart, NoAnswerError
from analysis.answer.numbers import THIN, Format, count, decimal, number, percent, rounded_up
from analysis.answer.prose import bounds_of, fitting, plural
from analysis.answer.tables import WIN_RATE, table
from analysis.data.rows import distinct
from analysis.playtests.log import Playtests
from analysis.playtests.rates import LEAST_MORE, MORE_MAX, adjusted_words, rates
from analysis.playtests.strengths import ENTRANTS_SPREAD, Strengths, bounds, strengths_of
from analysis.stats.betting import checked_margin
from analysis.stats.intervals import adjust
from analysis.stats.luce import Floats
from sim.engine.cardfiles.paths import did_you_mean

LEAST_MET = 5  # games in which a pair must have met for a row
STEPS = 25  # of Newton's method
ROWS = 30  # pairs in the chart
EVEN = 0.5


def matchups(log: Playtests) -> Answer:
    """Who wins before whom, adjusted for people and turn order, beside what the strengths of both lead one to expect."""
    strengths = strengths_of(log)
    frame = pairs(strengths)
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


def pairs(strengths: Strengths) -> pd.DataFrame:
    """Pairs that met, the most lopsided first.

    Columns first, second, name, n (games that one of both won), wins, losses, record, estimate, low and high (of all rows
    together), expected, p_holm.
    """
    duels = meetings(strengths)
    if duels.empty:
        return pd.DataFrame()
    pair, index = np.unique(duels[["first", "second"]].to_numpy(), axis=0, return_inverse=True)
    size = np.bincount(index)
    enough = size >= LEAST_MET
    effect, error = effects(duels, index, len(pair))
    level = verdicts.row_level(int(enough.sum()))
    low, high = bounds(expit(effect), error, level)
    expected = strengths.duels(pair)
    gap = effect - logit(expected["estimate"].to_numpy())
    wins = np.bincount(index, duels["share"])
    turn = expit(effect) < EVEN  # the stronger one is named first
    ends = np.where(turn[:, None], pair[:, ::-1], pair)
    names = np.array(strengths.entrants, object)
    frame = pd.DataFrame(
        {
            "first": names[ends[:, 0]],
            "second": names[ends[:, 1]],
            "n": size,
            "wins": np.where(turn, size - wins, wins),
            "losses": np.where(turn, wins, size - wins),
            "estimate": np.where(turn, 1 - expit(effect), expit(effect)),
            "low": np.where(turn, 1 - high, low),
            "high": np.where(turn, 1 - low, high),
            "expected": np.where(turn, 1 - expected["estimate"], expected["estimate"]),
            "p": 2 * ndtr(-np.abs(gap) / error),
        }
    )[enough]
    frame["p_holm"] = adjust(frame["p"]) if len(frame) else []
    frame["name"] = frame["first"] + " v " + frame["second"]
    frame["record"] = [f"{number(won)}:{number(lost)}" for won, lost in zip(frame["wins"], frame["losses"], strict=True)]
    return frame.sort_values("low", ascending=False, kind="stable", ignore_index=True)


def meetings(strengths: Strengths) -> pd.DataFrame:
    """Games of a log by pair of different entrants, as far as one of them won.

    Columns first, second (entrants), share (of the first), offset (log-odds of the first by people and turn order), variance (of
    the offset).
    """
    contest, effects_ = strengths.contest, strengths.fit.effects
    entrants = len(strengths.entrants)
    entrant = np.asarray(contest.design[:, :entrants].argmax(axis=1)).ravel()
    other = contest.design @ sparse.diags_array((np.arange(len(effects_)) >= entrants).astype(np.float64))
    offset = other @ effects_
    sizes = np.bincount(contest.game)
    rows = []
    starts = contest.starts
    for seats in np.unique(sizes):
        begin = starts[sizes == seats]
        for one, two in combinations(range(int(seats)), 2):
            rows.append(np.stack([begin + one, begin + two], axis=1))
    left, right = np.concatenate(rows).T
    won = contest.share[left] + contest.share[right]
    use = (won > 0) & (entrant[left] != entrant[right])
    left, right, won = left[use], right[use], won[use]
    swap = entrant[left] > entrant[right]
    left, right = np.where(swap, right, left), np.where(swap, left, right)
    gap = other[left] - other[right]
    variance = (
        np.asarray((gap @ strengths.fit.covariance * gap.toarray()).sum(axis=1)).ravel() if gap.nnz else np.zeros(len(left))
    )
    return pd.DataFrame(
        {
            "first": entrant[left],
            "second": entrant[right],
            "share": contest.share[left] / won,
            "offset": offset[left] - offset[right],
            "variance": variance,
        }
    )


def effects(duels: pd.DataFrame, index: NDArray[np.int64], size: int) -> tuple[Floats, Floats]:
    """Log-odds of the first of each pair between equal people, and their standard errors; see `ENTRANTS_SPREAD` for the prior."""
    share, offset = (duels[name].to_numpy(np.float64) for name in ("share", "offset"))
    precision = 1 / (2 * ENTRANTS_SPREAD**2)
    effect = np.zeros(size)
    for _ in range(STEPS):
        chance = expit(offset + effect[index])
        score = np.bincount(index, share - chance, size) - precision * effect
        curvature = np.bincount(index, chance * (1 - chance), size) + precision
        effect = effect + np.clip(score / curvature, -2, 2)
    weight = chance * (1 - chance)
    spread = np.bincount(index, weight * np.sqrt(duels["variance"]), size) / np.bincount(index, weight, size)
    return effect, np.sqrt(1 / curvature + spread**2)


def drawn(frame: pd.DataFrame) -> charts.Figure:
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
            *met(both, strengths),
            f"Points apart: the difference of both win rates, with its {100 * (1 - alpha):g}{THIN}% interval.",
        ),
        log.about | {"difference": gap, "low": low, "high": high},
    )


def decision(both: list[str], gap: tuple[float, float, float], margin: float, games: int) -> str:
    """Who is stronger, if anyone. gap: difference of the win rates with its interval, not below 0; margin: as a share."""
    apart, low, high = gap
    size = f"{100 * apart:.1f} points apart ({decimal(100 * low, 1)} to {decimal(100 * high, 1)})"
    if low > 0:
        return f"{both[0]} is stronger than {both[1]}: they are {size}."
    if -margin <= low and high <= margin:
        return f"{both[0]} and {both[1]} are within {number(100 * margin)} points of each other: they are {size}."
    times = ((high - low) / 2 / max(apart, margin)) ** 2
    more = count(rounded_up(min(games * max(times - 1, LEAST_MORE), MORE_MAX)))
    return f"Not decided between {both[0]} and {both[1]}: they are {size}; about {more} more games would decide."


def met(both: list[str], strengths: Strengths) -> list[str]:
    """Sentence on the games of both against each other."""
    frame = pairs(strengths)
    if frame.empty:
        return []
    row = frame[frame["first"].isin(both) & frame["second"].isin(both)]
    return [
        f"In {count(one['n'])} games that one of both won, {one['first']} leads {one['record']}." for _, one in row.iterrows()
    ]


def named(name: str, names: list[str], log: Playtests) -> str:
    """An entrant of the log by its name, in any case. Raises ValueError with the nearest one."""
    folded = {one.casefold().replace("_", " "): one for one in distinct(names)}
    key = str(name).casefold().replace("_", " ").strip()
    if key not in folded:
        raise ValueError(f"{name!r} is no {log.entrant_word} of {log.path}; {did_you_mean(str(name), names)}")
    return folded[key]
