"""Win rates of a log, adjusted for people, opponents and turn order; which playtests would teach most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit, ndtri, softmax

from analysis import charts
from analysis.answer import verdicts
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import THIN, Format, count, percent, rounded_up
from analysis.answer.prose import SUMMARY_LENGTH, article, bounds_of, fitting, listed, plural
from analysis.answer.tables import WIN_RATE, Table, lowest, table
from analysis.answer.verdict_words import judged
from analysis.playtests.log import Playtests
from analysis.playtests.strengths import Strengths, strengths_of
from analysis.stats.intervals import LEVEL, wilson
from analysis.stats.luce import Floats

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

NEXT = 10  # playtests that are proposed
LINE_UPS_MAX = 400  # line-ups among which they are chosen; of more, those are drawn
SEED = 1  # of line-ups that are drawn
MORE_MAX = 100_000  # further games; more are never played
LEAST_MORE = 0.1  # further games that are proposed, at least, as a share of those in the log
WIDE = 0.95  # upper end of an interval that excludes nothing worth saying
SKILL = "wins against an average player"


def winrates(log: Playtests) -> Answer:
    """Win rate of every entrant, adjusted for people, opponents and turn order; which games to play next."""
    strengths = strengths_of(log)
    frame = rates(log, strengths)
    tables = [main_table(frame, log, strengths)]
    if (frame["verdict"] == verdicts.OPEN).any() and len(frame) > 1:
        tables.append(next_table(next_games(log, strengths)))
    if strengths.people:
        tables.append(people_table(strengths.skills()))
    title = f"Win rates, {adjusted_words(strengths)}, with intervals that hold together with 95{THIN}%."
    return Answer(
        summary(frame, log),
        tuple(tables),
        (Chart(partial(drawn, frame), title, narrow=partial(drawn, frame, narrow=True)),),
        tuple(notes(frame, log, strengths)),
        log.about,
        warnings=tuple(excluded(frame, log)),
    )


# ---- frames ----------------------------------------------------------------------------------------------------------


def rates(log: Playtests, strengths: Strengths) -> pd.DataFrame:
    """Win rates by entrant, best first.

    Columns name, n (games), won (share of them), won_low, won_high (Wilson), expected (mean fair share at the seats played),
    estimate, low and high (adjusted; those of all rows hold together), error (of the log-odds), fair, verdict, more (further
    games of the log that would decide, about; NaN if it is decided).
    """
    level = verdicts.row_level(len(strengths.entrants))
    raw = raw_rates(log).reindex(strengths.entrants).reset_index(drop=True)
    frame = verdicts.with_verdicts(pd.concat([strengths.rates(level), raw], axis=1))
    frame["more"] = [further_games(row, log.games, level) for _, row in frame.iterrows()]
    return frame.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


def raw_rates(log: Playtests) -> pd.DataFrame:
    """Games, share of the wins with Wilson's interval, and mean fair share at the seats played, by entrant."""
    grouped = log.rows.assign(fair_share=1 / log.rows["seats"]).groupby("entrant")
    frame = pd.DataFrame({"n": grouped.size(), "won": grouped["share"].mean(), "expected": grouped["fair_share"].mean()})
    low, high = wilson(frame["won"] * frame["n"], frame["n"], LEVEL)
    return frame.assign(won_low=low, won_high=high)


def further_games(row: pd.Series, games: int, level: float) -> float:
    """Further games until a verdict is certain if the win rate is what it looks like, about; NaN if it is certain.

    Of an entrant with fewer than LEAST_GAMES games: those until it has as many.
    """
    if row["verdict"] != verdicts.OPEN:
        return float("nan")
    if row["n"] < verdicts.LEAST_GAMES:  # what so few games look like is no guide
        return float(rounded_up(games * (verdicts.LEAST_GAMES / max(1.0, float(row["n"])) - 1)))
    bottom, top = (float(edge) for edge in verdicts.edges(row["fair"]))
    rate = float(row["estimate"])
    gap = max(rate - top, bottom - rate) if not bottom <= rate <= top else min(top - rate, rate - bottom)
    half = float(ndtri((1 + level) / 2)) * float(row["error"]) * rate * (1 - rate)
    times = (half / max(gap, half / MORE_MAX)) ** 2
    return float(rounded_up(min(max(times - 1, LEAST_MORE) * games, MORE_MAX)))


def next_games(log: Playtests, strengths: Strengths, games: int = NEXT) -> pd.DataFrame:
    """Playtests that teach most, one after the other: columns playtest (1..), line_up (names), played (games so far), half.

    Each narrows the adjusted win rates of all entrants most, given those before it, in the hands of average people (A-optimal
    design; Atkinson, Donev and Tobias 2007, Optimum experimental designs, with SAS). half: mean half-width of the 95 % intervals
    afterwards. They have as many players as most games of the log.
    """
    seats = max(strengths.seat_games, key=lambda number: (strengths.seat_games[number], -number))
    seats = min(seats, len(strengths.entrants))
    candidates = line_ups(len(strengths.entrants), seats)
    jacobian, covariance = strengths.slopes, strengths.fit.covariance.copy()
    played = played_line_ups(log, strengths)
    chance = softmax(strengths.fit.effects[candidates], axis=1)
    rows = []
    for number in range(1, games + 1):
        gains = np.array([gain(jacobian, covariance, one, p) for one, p in zip(candidates, chance, strict=True)])
        best = int(gains.argmax())
        covariance = after(covariance, candidates[best], chance[best])
        variance = np.einsum("ek,kl,el->e", jacobian, covariance, jacobian)
        names = [strengths.entrants[entrant] for entrant in candidates[best]]
        half = float(ndtri((1 + LEVEL) / 2) * np.sqrt(variance).mean())
        rows.append((number, " v ".join(names), played.get(tuple(candidates[best].tolist()), 0), half))
    return pd.DataFrame(rows, columns=["playtest", "line_up", "played", "half"])


def line_ups(entrants: int, seats: int) -> NDArray[np.int64]:
    """Line-ups (n, seats) of different entrants: all, or LINE_UPS_MAX that are drawn."""
    if comb(entrants, seats) <= LINE_UPS_MAX:
        return np.array(list(combinations(range(entrants), seats)), np.int64)
    rng = np.random.default_rng(SEED)
    drawn = rng.permuted(np.tile(np.arange(entrants), (LINE_UPS_MAX, 1)), axis=1)[:, :seats]
    return np.unique(np.sort(drawn, axis=1), axis=0)


def roots(chance: Floats) -> Floats:
    """A matrix (seats, seats) whose product with its transpose is the information of a game on its strengths."""
    return np.asarray(np.diag(np.sqrt(chance)) - np.outer(chance, np.sqrt(chance)))


def observed(covariance: Floats, line_up: NDArray[np.int64], chance: Floats) -> tuple[Floats, Floats]:
    """What a game tells: covariances of all effects with what it measures (k, seats), and the variance of that with noise."""
    root = roots(chance)
    seen = covariance[:, line_up] @ root
    return np.asarray(seen), np.asarray(np.eye(len(chance)) + root.T @ seen[line_up])


def gain(jacobian: Floats, covariance: Floats, line_up: NDArray[np.int64], chance: Floats) -> float:
    """By how much a game reduces the sum of the variances of the win rates."""
    seen, variance = observed(covariance, line_up, chance)
    spread = jacobian @ seen
    return float(np.trace(np.linalg.solve(variance, spread.T @ spread)))


def after(covariance: Floats, line_up: NDArray[np.int64], chance: Floats) -> Floats:
    """Covariance of the effects after one more game."""
    seen, variance = observed(covariance, line_up, chance)
    return np.asarray(covariance - seen @ np.linalg.solve(variance, seen.T))


def played_line_ups(log: Playtests, strengths: Strengths) -> dict[tuple[int, ...], int]:
    """Games of the log by their entrants."""
    place = pd.Index(strengths.entrants).get_indexer(pd.Index(log.rows["entrant"]))
    games = log.rows.assign(place=place).sort_values(["game", "place"]).groupby("game")["place"]
    return Counter(tuple(line_up.tolist()) for _, line_up in games)


# ---- tables ----------------------------------------------------------------------------------------------------------


def main_table(frame: pd.DataFrame, log: Playtests, strengths: Strengths) -> Table:
    """Win rates, best first."""
    columns = {"name": log.entrant_word, "n": "games", "won": "won", "expected": "fair", "estimate": WIN_RATE}
    columns |= {"low": "low", "high": "high", "verdict": "verdict", "more": "more games"}
    columns |= {"won_low": "won, low", "won_high": "won, high"}
    formats: dict[str, Format] = {**dict.fromkeys(("won", "fair", "won, low", "won, high"), "percent"), "more games": "count"}
    band = verdicts.band(float(frame["fair"].iloc[0]))
    caption = f"Win rates in {count(log.games)} games, {adjusted_words(strengths)} (fair: {band})"
    return table(frame, "win_rates", caption, columns, formats, details=("won, *",))


def next_table(frame: pd.DataFrame) -> Table:
    """The playtests to come, equal ones together."""
    word = "match-up" if frame["line_up"].str.count(" v ").max() == 1 else "line-up"
    rows = frame.groupby("line_up", sort=False).agg(times=("playtest", "size"), played=("played", "first")).reset_index()
    first, last = (percent(float(frame["half"].iloc[place])) for place in (0, -1))
    caption = f"The next {len(frame)} playtests that would teach most (half-widths of the intervals: {first}, then {last})"
    return table(
        rows, "next", caption, {"line_up": word, "times": "playtests", "played": "played so far"}, main=True, whole=frame
    )


def people_table(frame: pd.DataFrame) -> Table:
    """How well each person plays."""
    columns = {"name": "player", "estimate": SKILL, "low": "low", "high": "high", "n": "games"}
    formats: dict[str, Format] = {SKILL: "percent"}
    return table(frame, "people", "Who plays better, whatever they play", columns, formats)


# ---- chart and sentences ---------------------------------------------------------------------------------------------


def drawn(frame: pd.DataFrame, narrow: bool = False) -> Figure:
    """Forest of the adjusted win rates."""
    return charts.forest(frame.assign(seats=""), narrow=narrow)


def adjusted_words(strengths: Strengths) -> str:
    """What win rates are adjusted for."""
    parts = [*(["players"] if strengths.people else []), "opponents", *(["turn order"] if strengths.positions else [])]
    return f"adjusted for {listed(parts)}"


def summary(frame: pd.DataFrame, log: Playtests) -> str:
    """Who is too strong or too weak, or that nothing is decided."""
    word = log.entrant_word
    if not frame["verdict"].isin([*verdicts.UNFAIR, verdicts.FAIR]).any():
        best = frame.iloc[0]
        most = f"{best['name']} wins most, {percent(best['estimate'])} {bounds_of(best)}"
        none = (
            f"{count(log.games)} games do not show that any of {count(len(frame))} {plural(word)} is too strong, too weak or fair"
        )
        return fitting(f"Not decided: {none}; {most}.", f"Not decided for any {word} in {count(log.games)} games; {most}.")
    return f"{judged(frame, word, SUMMARY_LENGTH)}."


def excluded(frame: pd.DataFrame, log: Playtests) -> Iterator[str]:
    """What is certain about entrants that are not decided, and what would decide the next one."""
    still_open = frame[frame["verdict"] == verdicts.OPEN]
    bottom, top = verdicts.edges(still_open["fair"])
    words = []
    for what, side in ((verdicts.TOO_WEAK, still_open["low"] >= bottom), (verdicts.TOO_STRONG, still_open["high"] <= top)):
        names = still_open.loc[side & (still_open["n"] >= verdicts.LEAST_GAMES), "name"].tolist()
        words += [f"{listed(names)} {'is' if len(names) == 1 else 'are'} not {what}"] if names else []
    if words:
        yield f"Certain already: {'; '.join(words)}."
    elif len(still_open) == len(frame) and frame["high"].max() < WIDE:
        high, low = (percent(float(end), 0) for end in (frame["high"].max(), frame["low"].min()))
        yield f"Certain already: no {log.entrant_word} wins more than {high} or less than {low}."
    rare = still_open["n"] < verdicts.LEAST_GAMES
    if rare.all() and len(rare):
        more = count(float(still_open["more"].min()))
        takes = f"A verdict takes {verdicts.LEAST_GAMES} games of a {log.entrant_word}"
        yield f"{takes}, which the first has after about {more} more."
    elif not rare.all():
        soonest = lowest(still_open[~rare], "more")
        if soonest["more"] < MORE_MAX:
            rate = percent(float(soonest["estimate"]), 0)
            yield f"About {count(soonest['more'])} more games would decide {soonest['name']}, if its win rate stays at {rate}."


def notes(frame: pd.DataFrame, log: Playtests, strengths: Strengths) -> Iterator[str]:
    """What the columns mean, and what is not in the log."""
    fair = float(frame["fair"].iloc[0])
    people = "an average player " if strengths.people else "players who are all alike "
    order = ", moving first as often as last" if strengths.positions else ""
    yield (
        f"Win rate: what {article(log.entrant_word)} would win in the hands of {people}"
        f"against all others equally often{order}; won and fair: what it won in the log, and the fair share at its tables."
    )
    yield f"The fair band is {verdicts.band(fair)}. {verdicts.MEANING}"
    if not strengths.people:
        yield "The log does not name players: if strong players prefer some of them, these look stronger than they are."
    if not strengths.positions:
        yield "The log does not say who moved first."
    if strengths.people:
        better = percent(float(expit(strengths.fit.spreads[0])), 0)
        yield f"Players differ: a good one (a standard deviation above the average) wins {better} against an average one."
