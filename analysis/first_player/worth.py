"""Value of going first, and the compensation that makes it fair.

Win shares by turn position come from games in pairs: every line-up is played from all seats, with the dice of each entrant kept
(`Experiment(paired=True, coupling="entrant")`). Both games of a pair share the strength of the entrants and most of their luck,
which cancel out, so a pair is one observation. Truncated games are left out. In a game without a winner the win is shared
equally, so that an equal share is always fair.

The search for a fair rule tries one parameter of the game at a time, all values with the same dice. Near the fair value, the log
odds that the first player wins are a parabola of the parameter's value. It is fitted to the values around the fair one by
generalised estimating equations with pairs of games as clusters, because all values play the same games (Liang and Zeger 1986,
Biometrika 73:13-22). The interval of the value where the curve crosses one half is Fieller's (1954, Journal of the Royal
Statistical Society B 16:175-185): all values at which the curve does not differ significantly from one half.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from math import gcd
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.special import expit

from analysis import interrupts
from analysis.data.encounters import against_fair, stratified, sums_of
from analysis.data.rows import distinct
from analysis.stats.intervals import LEVEL, adjust
from analysis.stats.logit import logit
from analysis.stats.paired import grouped_changes
from analysis.variants.variant import each_value
from analysis.winrates.play import Play, SoFar
from sim.engine.loop import Status
from sim.engine.measures import SeatParameter
from sim.experiments.experiment import Experiment
from sim.run import Block, blocks
from sim.seeds import RETEST, derived_seed

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TWO_SEATS = 2
COLUMNS = ["share", "low", "high", "fair", "p", "p_holm", "n", "pairs", "gain"]


class NobodyFirstError(ValueError):
    """Raised when no player goes first in any game."""


def paired(experiment: Experiment) -> Experiment:
    """The experiment with games in pairs and dice keyed by entrant, as `SeatGames` needs them."""
    return replace(experiment, paired=True, coupling="entrant")


@dataclass(frozen=True, eq=False)
class SeatGames:
    """Finished games of an experiment by turn position. Games in which no player goes first are left out."""

    experiment: Experiment
    pair: Ints  # (games,)
    entrant: Ints  # (games, positions)
    share: Floats  # (games, positions), sums to 1
    truncated: int = 0  # games that were stopped at a limit: left out
    played: int = 0  # games in all

    @classmethod
    def of(cls, experiment: Experiment, play: Play | None = None) -> SeatGames:
        """Play the experiment. Raises ValueError if there is only one seat, no game was finished, or no player goes first."""
        seats = experiment.seats
        if seats < TWO_SEATS:
            raise ValueError("seats=1: going first has no value without an opponent; use 2 or more seats")
        parts, truncated, played = [], 0, 0
        for block in (play or blocks)(experiment):
            finished = block.rows["status"] == Status.FINISHED
            truncated, played = truncated + int((~finished).sum()), played + len(block.rows)
            rows = block.rows[(block.rows["first"] >= 0) & finished]
            seat = (rows["first"].astype(np.int64)[:, None] + np.arange(seats)) % seats
            share = np.take_along_axis(rows["share"][:, :seats].astype(np.float64), seat, axis=1)
            entrant = np.take_along_axis(rows["entrant"][:, :seats].astype(np.int64), seat, axis=1)
            rest = (1 - share.sum(axis=1)) / seats  # of a game without a winner
            parts.append((rows["game"].astype(np.int64), entrant, share + rest[:, None]))
        game, entrant, share = (np.concatenate(column) for column in zip(*parts, strict=True))
        if truncated == played:
            raise ValueError(f"none of the {played} games was finished, so there are no win shares")
        if not len(game):
            raise NobodyFirstError(f"{experiment.game.title}: no player goes first in any of these games")
        return cls(experiment, experiment.pair_of(game), entrant, share, truncated, played)

    @property
    def by_pair(self) -> pd.Series:
        """Mean win share of the first player, by number of the pair."""
        return pd.Series(self.share[:, 0]).groupby(self.pair).mean()


def overall(games: SeatGames) -> pd.DataFrame:
    """Win share of each turn position, one row each.

    Columns: seats, position (0 goes first), share, low, high, fair, p (against fair), p_holm (over the positions; equal to p at
    two seats, which are a single test), n (games), pairs, gain (ratio of the number of games needed without common dice).
    """
    seats, pair = games.experiment.seats, np.repeat(games.pair, games.experiment.seats)
    share, ones, position = games.share.ravel(), np.ones(len(pair)), np.arange(seats)
    meeting, met = _meetings(games)
    sums = sums_of(pair, np.tile(position, len(games.pair)), share, ones, seats)
    cells = sums_of(pair, (meeting[:, None] * seats + position).ravel(), share, ones, len(met) * seats)
    rates = _against_even(stratified(sums, cells, np.tile(position, len(met))), seats)
    rates = rates.assign(p_holm=rates["p"]) if seats == TWO_SEATS else rates
    return pd.DataFrame({"seats": seats, "position": position}).join(rates)


def _against_even(sums: pd.DataFrame, seats: int) -> pd.DataFrame:
    """Win shares from sums over pairs, compared with an equal share."""
    return against_fair(sums, 1 / seats).rename(columns={"estimate": "share"})[COLUMNS]


def by_matchup(games: SeatGames) -> pd.DataFrame:
    """Win share of the first player in each matchup, largest first.

    Columns: entrant, opponent (numbers; entrant <= opponent), name, then those of `overall` from share on; p_holm over all
    matchups. Raises ValueError unless the experiment has two seats.
    """
    meeting, met = _meetings(games)
    names = np.array(distinct(games.experiment.cards.names), object)
    words = [" \u2013 ".join(line_up) for line_up in names[met]]
    return _by_cell(games, meeting[:, None], {"entrant": met[:, 0], "opponent": met[:, 1], "name": words})


def by_unit(games: SeatGames) -> pd.DataFrame:
    """Win share of the first player in the games of each entrant, or of each member of a team, largest first.

    Columns: unit (number), name, then those of `overall` from share on; p_holm over all units. Raises ValueError unless the
    experiment has two seats.
    """
    teams = games.experiment.teams
    names = distinct(teams.names if teams else games.experiment.cards.names)
    units = teams.members[games.entrant].reshape(len(games.pair), -1) if teams else games.entrant
    return _by_cell(games, units, {"unit": np.arange(len(names)), "name": names})


def _by_cell(games: SeatGames, cells: Ints, labels: dict[str, Any]) -> pd.DataFrame:
    """Rows of `overall` for cells with few pairs, most of which can contain both sides, largest share first.

    cells: (games, k), the cells that a game belongs to; it counts once in a cell that it names twice. labels: first columns, a
    line for each cell. Intervals and tests are score intervals and tests for paired changes (first less second), from the means
    of the pairs (see `grouped_changes`).
    """
    if games.experiment.seats != TWO_SEATS:
        raise ValueError(f"seats={games.experiment.seats}: matchups need {TWO_SEATS} seats")
    labelled, width = pd.DataFrame(labels), cells.shape[1]
    size, won = len(labelled), np.repeat(games.share[:, 0], width)
    sums = sums_of(np.repeat(games.pair, width), cells.ravel(), won, np.ones(won.size), size)
    pair, cell = np.divmod(np.unique(np.repeat(games.pair, width) * size + cells.ravel()), size)
    d = 2 * games.by_pair.loc[pair].to_numpy() - 1
    up, down, squares = (np.bincount(cell, values, size) for values in (d.clip(min=0), (-d).clip(min=0), d**2))
    pairs = np.bincount(cell, minlength=size)
    met = pairs > 0
    scored = grouped_changes(up[met], down[met], squares[met], pairs[met])
    rates = _against_even(sums, TWO_SEATS)
    for name, source in (("share", "change"), ("low", "low"), ("high", "high")):
        rates.loc[met, name] = (1 + scored[source].to_numpy()) / TWO_SEATS
    rates.loc[met, "p"] = scored["p"].to_numpy()
    once = np.sort(cells, axis=1)
    n = np.bincount(once[np.diff(once, axis=1, prepend=-1) > 0], minlength=size)
    rates = labelled.join(rates.assign(p_holm=adjust(rates["p"]), n=n))
    return rates[n > 0].sort_values("share", ascending=False, kind="stable", ignore_index=True)


def _meetings(games: SeatGames) -> tuple[Ints, Ints]:
    """Number of each game's matchup, regardless of seats, and the entrants of each matchup, (matchups, seats)."""
    met, number = np.unique(np.sort(games.entrant, axis=1), axis=0, return_inverse=True)
    return number.reshape(-1), met


EVEN = 0.5
NEAR = 0.005  # distance from one half within which a rounder value is preferred
DEGREE, GRID = 2, 4001  # degree of the curve, and number of points at which it is evaluated
FLAT = 1e-10  # precision of the prior of its coefficients, which only keeps them finite
WINDOW = 4  # values around the fair one that the curve is fitted to
LEAST_GAMES = 100  # of each value: fewer are not informative
BASE, AGAIN = 0.4, 0.15  # shares of all games: those as played, and those that retest the chosen value


@dataclass(frozen=True)
class Fair:
    """The value at which going first is fair, and its interval; all nan if no tried value comes near it.

    low, high: infinite if the interval extends beyond least..most, the values that the curve is fitted to. slope: change of the
    log odds per unit of the value, at the fair value; p: of no effect of the value. curve: coefficients of the log odds by
    powers of the value, on a scale where least is -1 and most is 1.
    """

    value: float
    low: float
    high: float
    slope: float
    p: float
    least: float
    most: float
    curve: tuple[float, ...] = ()

    def share(self, value: float) -> float:
        """Win share of the first player at a value, read off the curve."""
        scaled = 2 * (value - self.least) / (self.most - self.least) - 1
        return float(expit(np.polynomial.polynomial.polyval(scaled, self.curve)))


@dataclass(frozen=True, eq=False)
class Tried:
    """A parameter with all its values.

    table: value, present (as played), share, low, high, p, n, pairs, gain, one row per value, rising; fair: where going first
    is fair; chosen: the whole value nearest to that, nan if no value was tried; refused: values that the card rules refuse.
    """

    parameter: SeatParameter
    table: pd.DataFrame
    fair: Fair
    chosen: float
    refused: tuple[int, ...]

    @property
    def present(self) -> float:
        """The value as played; nan if it was not tried."""
        known = self.table.loc[self.table["present"], "value"]
        return float(known.iloc[0]) if len(known) else float("nan")

    @property
    def expected(self) -> float:
        """Expected win share of the first player at the chosen value."""
        chosen = self.table["value"] == self.chosen
        curve = self.fair.share(self.chosen) if np.isfinite(self.fair.value) else float("nan")
        return float(self.table.loc[chosen, "share"].iloc[0]) if np.isnan(curve) and chosen.any() else curve


def games_each(games: int, parameters: tuple[SeatParameter, ...]) -> tuple[int, int, int]:
    """Divide games: those as played, those of each value, those that retest the chosen value."""
    if not parameters:
        return games, 0, 0
    runs = 1 + sum(len(parameter.values) - 1 for parameter in parameters)  # the value as played is common to all parameters
    base, each, again = (max(1, round(games * part)) for part in (BASE, (1 - BASE - AGAIN) / runs, AGAIN))
    return base, each, again


def afforded(parameters: tuple[SeatParameter, ...], games: int) -> tuple[SeatParameter, ...]:
    """The first parameters of which every value gets LEAST_GAMES games; always at least one."""
    kept = parameters
    while len(kept) > 1 and games_each(games, kept)[1] < LEAST_GAMES:
        kept = kept[:-1]
    while kept and games_each(games, kept)[1] < LEAST_GAMES and len(kept[0].values) > WINDOW:
        values = kept[0].values
        kept = (replace(kept[0], values=(*values[:-1:2], values[-1])),)
    return kept


def search(base: Experiment, play: Play | None = None, parameters: tuple[SeatParameter, ...] | None = None) -> list[Tried]:
    """Try every value of every parameter, one parameter at a time, with the others as played. Empty without parameters.

    base: the games of each value, in pairs (see `paired`); parameters: all of the game if None. Raises ValueError as
    `SeatGames.of`.
    """
    parameters = base.game.seat_parameters if parameters is None else parameters
    known: dict[bytes, SeatGames] = {}  # the value as played is common to all parameters
    return [_tried(base, parameter, known, play) for parameter in parameters]


def _tried(base: Experiment, parameter: SeatParameter, known: dict[bytes, SeatGames], play: Play | None) -> Tried:
    """Try all values of one parameter. known: games of card sets that were played before, by the record of the cards."""
    values = tuple(map(str, sorted(parameter.values)))
    now = each_value(base.game, base.cards, parameter.path, values[:1])[0].before
    if isinstance(now, int):
        values = tuple(map(str, sorted({*parameter.values, now})))
    rows, means, refused = [], {}, []
    for step in each_value(base.game, base.cards, parameter.path, values):
        if step.cards is None:
            refused.append(int(step.value))
            continue
        key = step.cards.record.tobytes()
        if key not in known:
            known[key] = SeatGames.of(replace(base, cards=step.cards), play)
        present = step.idle if step.before is None else step.value == step.before  # a rule left to its default has no value
        first = overall(known[key]).iloc[0][["share", "low", "high", "p", "n", "pairs", "gain"]]
        rows.append({"value": int(step.value), "present": present, **first})
        means[int(step.value)] = known[key].by_pair
    table = pd.DataFrame(rows)
    matrix = pd.DataFrame(means).dropna()  # pairs in which a player went first at every value
    fair = fair_value(np.array([*means], np.float64), matrix.to_numpy())
    chosen = _chosen(table, fair)
    if np.isfinite(chosen) and each_value(base.game, base.cards, parameter.path, (str(int(chosen)),))[0].cards is None:
        chosen = _nearest(table)
    return Tried(parameter, table, fair, chosen, tuple(refused))


def fair_value(values: ArrayLike, share: ArrayLike) -> Fair:
    """Value at which the win share of the first player crosses one half.

    values: rising; share: (pairs, values), mean share of the first player by pair, all values with the same games. The interval
    holds all values at which the curve can be one half; it is infinite on a side where it does not end. Raises ValueError if
    the shapes do not fit.
    """
    x, y = np.asarray(values, np.float64), np.asarray(share, np.float64)
    if x.ndim != 1 or y.ndim != 2 or y.shape[1] != x.size or np.any(np.diff(x) <= 0):
        raise ValueError(f"values {x.shape} must rise and share {y.shape} have a column for each")
    nan, infinite = float("nan"), float("inf")
    if min(y.shape) <= 1:
        return Fair(nan, nan, nan, nan, nan, nan, nan)
    shares = y.mean(axis=0)  # the curve is fitted to the values around the crossing of one half, or nearest to it
    crossed = np.flatnonzero(np.diff(shares > EVEN))
    nearest = float(np.argmin(abs(shares - EVEN)))
    centre = crossed[np.argmin(abs(shares[crossed] - EVEN))] + 0.5 if crossed.size else nearest
    start = int(np.clip(np.floor(centre) - WINDOW / 2 + 1, 0, max(0, x.size - WINDOW)))
    x, y = x[start : start + WINDOW], y[:, start : start + WINDOW]
    least, most, powers = float(x[0]), float(x[-1]), np.arange(min(DEGREE, x.size - 1) + 1)
    design = (2 * (x[:, None] - least) / (most - least) - 1) ** powers
    pair = np.repeat(np.arange(len(y)), x.size)
    fit = logit(np.tile(design, (len(y), 1)), y.ravel(), penalty=FLAT, clusters=pair)
    curve, spread = fit.coefficients, fit.covariance
    p = float(stats.chi2.sf(curve[1:] @ np.linalg.pinv(spread[1:, 1:]) @ curve[1:], len(curve) - 1))
    places = np.linspace(-1, 1, GRID)
    grid = places[:, None] ** powers
    odds, error = grid @ curve, np.sqrt(np.einsum("ij,jk,ik->i", grid, spread, grid))
    crossed = np.flatnonzero(np.diff(odds > 0))
    if not crossed.size:
        return Fair(nan, nan, nan, nan, p, least, most, tuple(curve.tolist()))
    here = int(crossed[np.argmin(abs(places[crossed]))])  # the crossing nearest to the middle
    slope = float((odds[here + 1] - odds[here]) / (places[1] - places[0]))
    apart = np.flatnonzero(abs(odds) > float(stats.t.ppf((1 + LEVEL) / 2, len(y) - 1)) * error)
    below, above = apart[apart <= here], apart[apart > here]
    low, high = places[below[-1]] if below.size else -infinite, places[above[0]] if above.size else infinite
    ends = (places[here] - odds[here] / slope, low, high)
    value, low, high = (least + (float(place) + 1) / 2 * (most - least) for place in ends)
    return Fair(value, low, high, 2 * slope / (most - least), p, least, most, tuple(curve.tolist()))


def retest(base: Experiment, tried: Tried, games: int, play: Play | None = None) -> pd.DataFrame:
    """Win share of each turn position at the chosen value, in games that had no part in the choice; columns as in `overall`.

    base: as for `search`; the seed is derived from its own. The search picks the value that looks fairest, so its share there is
    biased towards one half. The share in the new games is not.
    """
    step = each_value(base.game, base.cards, tried.parameter.path, (str(int(tried.chosen)),))[0]
    assert step.cards is not None, "a chosen value is one that the card rules accept"
    fresh = replace(base, cards=step.cards, games_wanted=games, seed=derived_seed(base.seed, RETEST))
    return overall(SeatGames.of(fresh, play))


def best(tried_parameters: list[Tried]) -> Tried | None:
    """The parameter whose chosen value should come nearest to fair; the first of equals. None if no value was tried."""
    known = [tried for tried in tried_parameters if np.isfinite(tried.chosen)]
    return min(known, key=lambda tried: abs(tried.expected - EVEN), default=None)


def _chosen(table: pd.DataFrame, fair: Fair) -> float:
    """The roundest whole value that is fair enough by the curve; without a fair value, the tried value nearest to one half.

    Round values lie on the grid of the tried values, then on finer and finer parts of it.
    """
    if table.empty:
        return float("nan")
    values = table["value"].to_numpy(np.int64)
    if not np.isfinite(fair.value):
        return _nearest(table)
    grid = reduce(gcd, np.diff(values).tolist())
    for step in (size for size in range(grid, 0, -1) if grid % size == 0):
        value = float(np.clip(values[0] + step * round((fair.value - values[0]) / step), values[0], values[-1]))
        if abs(fair.share(value) - EVEN) <= NEAR:
            break
    return value


def _nearest(table: pd.DataFrame) -> float:
    """The tried value whose share came nearest to one half."""
    return float(table["value"].iloc[int((table["share"] - EVEN).abs().argmin())])


@dataclass(frozen=True, eq=False)
class Compensation:
    """Effects of a game's parameters, the best one (None if no value was tried), and its result in new games.

    again: see `retest`; None if no value is better than the one as played. left: parameters for which there were too few games.
    """

    tried: list[Tried]
    best: Tried | None = None
    again: pd.DataFrame | None = None
    left: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class SeatWorth:
    """What going first is worth in the games of an experiment.

    overall, matchups, units: see `overall`, `by_matchup` and `by_unit`, the latter two at two seats only, and matchups not for
    teams. compensation: None if it was not asked for. truncated, games: base games that were stopped at a limit and left out,
    and all base games. played: all games, including those of the tried values.
    """

    experiment: Experiment
    overall: pd.DataFrame
    matchups: pd.DataFrame | None
    units: pd.DataFrame | None
    compensation: Compensation | None
    truncated: int
    games: int
    played: int
    interrupted: bool

    @property
    def each(self) -> pd.DataFrame | None:
        """The matchups or, for teams, the members; None at more than two seats."""
        return self.units if self.matchups is None else self.matchups

    @property
    def unit_word(self) -> str:
        """Noun for a row of `units`."""
        teams = self.experiment.teams
        return teams.word if teams else self.experiment.game.entrant_word


def measured(
    base: Experiment, games: int, compensate: bool, play: Play | None = None, held: Experiment | None = None
) -> SeatWorth:
    """Play the games of an experiment and measure what going first is worth; with `compensate`, also search for a fair rule.

    games: in all, divided by `games_each`. held: an experiment whose games have been played already, used as they are, in pairs
    or not; without it, pairs are played. KeyboardInterrupt keeps what was played of the first games, and drops an unfinished
    search. Raises ValueError if no player goes first or there is only one seat.
    """
    parameters = afforded(base.game.seat_parameters if compensate and base.seats == TWO_SEATS else (), games)
    first, each, again = games_each(games, parameters)
    made, games_played = held or paired(replace(base, games_wanted=first)), 0

    def counting(experiment: Experiment) -> Iterator[Block]:
        nonlocal games_played
        for block in (play or blocks)(experiment):
            games_played += len(block.rows)
            yield block

    so_far = SoFar(counting)
    base_games = SeatGames.of(made, so_far)
    made, interrupted = so_far.shown(made), so_far.interrupted
    two, compensation = made.seats == TWO_SEATS, None
    if compensate and not interrupted:
        try:
            with interrupts.shown_so_far():
                compensation = _compensated(made, parameters, (each, again), counting)
        except KeyboardInterrupt:
            interrupted = True
    return SeatWorth(
        made,
        overall(base_games),
        by_matchup(base_games) if two and made.teams is None else None,
        by_unit(base_games) if two else None,
        compensation,
        base_games.truncated,
        base_games.played,
        games_played,
        interrupted,
    )


def _compensated(made: Experiment, parameters: tuple[SeatParameter, ...], games: tuple[int, int], play: Play) -> Compensation:
    """Search the parameters and retest the chosen value. games: of each value, and of the retest."""
    if not parameters:
        return Compensation([])
    base = replace(made, games_wanted=games[0])
    searched = {parameter.path for parameter in parameters}
    left = tuple(other.path for other in base.game.seat_parameters if other.path not in searched)
    tried = search(base, play, parameters)
    chosen = best(tried)
    if chosen is None or chosen.chosen == chosen.present:
        return Compensation(tried, chosen, left=left)
    return Compensation(tried, chosen, retest(base, chosen, games[1], play), left)
