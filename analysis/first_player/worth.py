"""What going first is worth, and which compensation makes it fair.

What a seat is worth: the win share of whoever goes first, overall and by who meets whom, from games in pairs.

Every line-up is played from all seats with the same dice, each entrant's own (`Experiment(paired=True, coupling="entrant")`): the
strength of the entrants and most of their luck is in both games and falls out. A pair is one observation (see
`paired_rates`). Truncated games are left out. A win that nobody has, in lost games, is shared out equally, so that an equal part
is always fair.

Search for the rule that makes going first fair: levers of the game, one at a time, all values with the same dice.

The log odds of the win share of whoever goes first are a parabola of the lever's value near the fair one; it is fitted to the
values around it by generalised estimating equations with pairs of games as clusters (Liang and Zeger 1986, Biometrika 73:13-22),
for all values play the same games. The interval of the value where the curve crosses one half is that of Fieller (1954, Journal
of the Royal Statistical Society B 16:175-185): all values at which the curve is not surely off one half.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from math import gcd

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.optimize import root
from scipy.special import expit

from analysis.data.pairs_of_games import against_fair, stratified, sums_of
from analysis.data.rows import distinct
from analysis.stats.intervals import LEVEL, adjust
from analysis.stats.paired import grouped_changes
from analysis.variants.variant import each_value
from sim.engine.cards import CardSet
from sim.engine.measures import SeatLever
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.run import Block, blocks
from sim.seeds import SEED_MAX

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Play = Callable[[Experiment], Iterator[Block]]

TWO_SEATS = 2
COLUMNS = ["share", "low", "high", "fair", "p", "p_holm", "n", "pairs", "gain"]


class NobodyFirstError(ValueError):
    """Games in which going first means nothing."""


def paired(experiment: Experiment) -> Experiment:
    """The experiment with games in pairs and dice keyed by entrant, as "what is a seat worth" asks for."""
    return replace(experiment, paired=True, coupling="entrant")


@dataclass(frozen=True, eq=False)
class SeatGames:
    """The finished games of an experiment by turn position; those in which going first means nothing are left out."""

    experiment: Experiment
    pair: Ints  # (games,)
    entrant: Ints  # (games, positions)
    share: Floats  # (games, positions), sums to 1
    truncated: int = 0  # games that were stopped at a limit: left out
    played: int = 0  # games in all

    @classmethod
    def of(cls, experiment: Experiment, play: Play | None = None) -> SeatGames:
        """Play the experiment. Raises ValueError where nobody has an opponent, or nobody goes first."""
        seats = experiment.seats
        if seats < TWO_SEATS:
            raise ValueError("seats=1: alone nobody goes first; name 2 or more")
        found, truncated, played = [], 0, 0
        for block in (play or blocks)(experiment):
            found.append(_by_position(block, seats))
            truncated += int((block.rows["status"] != Status.FINISHED).sum())
            played += len(block.rows)
        game, entrant, share = (np.concatenate(column) for column in zip(*found, strict=True))
        if truncated == played:
            raise ValueError(f"none of the {played} games came to an end, so that there are no win shares")
        if not len(game):
            raise NobodyFirstError(f"{experiment.game.title}: in none of these games somebody goes first")
        return cls(experiment, experiment.pair_of(game), entrant, share, truncated, played)

    @property
    def by_pair(self) -> pd.Series:
        """Mean win share of whoever went first, by number of the pair."""
        return pd.Series(self.share[:, 0]).groupby(self.pair).mean()


def overall(games: SeatGames, level: float = LEVEL) -> pd.DataFrame:
    """Win share of each turn position, one line each.

    Columns: seats, position (0 goes first), share, low, high, fair, p (against fair), p_holm (over the positions; at two seats
    there is but one test), n (games), pairs, gain (how many times as many games without common dice would be needed).
    """
    seats = games.experiment.seats
    place = np.tile(np.arange(seats), len(games.pair))
    sums = sums_of(np.repeat(games.pair, seats), place, games.share.ravel(), np.ones(place.size), seats)
    meeting, met = _meetings(games)
    cell = (meeting[:, None] * seats + np.arange(seats)).ravel()
    cells = sums_of(np.repeat(games.pair, seats), cell, games.share.ravel(), np.ones(cell.size), len(met) * seats)
    found = _named(against_fair(stratified(sums, cells, np.arange(len(met) * seats) % seats), 1 / seats, level))
    if seats == TWO_SEATS:
        found = found.assign(p_holm=found["p"])
    found.insert(0, "seats", seats)
    found.insert(1, "position", np.arange(seats))
    return found


def by_matchup(games: SeatGames, level: float = LEVEL) -> pd.DataFrame:
    """Win share of whoever goes first by who meets whom, the largest first.

    Columns: entrant, opponent (numbers; entrant <= opponent), name, then those of `overall` from share on; p_holm over all
    matchups. Raises ValueError unless two meet.
    """
    _check_two(games)
    meeting, met = _meetings(games)
    sums = sums_of(games.pair, meeting, games.share[:, 0], np.ones(len(meeting)), len(met))
    found = _scored(games, meeting[:, None], sums, level)
    names = np.array(distinct(games.experiment.cards.names), object)
    found.insert(0, "entrant", met[:, 0])
    found.insert(1, "opponent", met[:, 1])
    found.insert(2, "name", [f"{one} \u2013 {other}" for one, other in names[met]])
    return found.sort_values("share", ascending=False, kind="stable", ignore_index=True)


def by_unit(games: SeatGames, level: float = LEVEL) -> pd.DataFrame:
    """Win share of whoever goes first in the games of each entrant, or of each part of teams, the largest first.

    Columns: unit (number), name, then those of `overall` from share on; p_holm over all units. Raises ValueError unless two
    meet.
    """
    _check_two(games)
    teams = games.experiment.teams
    names = distinct(teams.names if teams else games.experiment.cards.names)
    units = teams.members[games.entrant].reshape(len(games.pair), -1) if teams else games.entrant
    width = units.shape[1]
    won = np.repeat(games.share[:, 0], width)
    sums = sums_of(np.repeat(games.pair, width), units.ravel(), won, np.ones(won.size), len(names))
    found = _scored(games, units, sums, level).assign(n=(sums["x"] / _times(units, sums)).round())
    found = found.assign(n=found["n"].fillna(0).astype(np.int64))
    found.insert(0, "unit", np.arange(len(names)))
    found.insert(1, "name", names)
    return found[found["n"] > 0].sort_values("share", ascending=False, kind="stable", ignore_index=True)


def _scored(games: SeatGames, cells: Ints, sums: pd.DataFrame, level: float) -> pd.DataFrame:
    """Lines of `overall` for cells of few pairs, most of which the two sides may share.

    cells: (games, k), those that a game belongs to; sums: of each. Interval and test are the score's of paired changes: of first
    less second, from the means of the pairs (see `pairs.grouped_changes`).
    """
    width = cells.shape[1]
    key = np.unique(np.repeat(games.pair, width) * len(sums) + cells.ravel())
    pair, cell = np.divmod(key, len(sums))
    d = 2 * games.by_pair.loc[pair].to_numpy() - 1
    up, down, squares = (np.bincount(cell, one, len(sums)) for one in (d.clip(min=0), (-d).clip(min=0), d**2))
    n = np.bincount(cell, minlength=len(sums))
    found = _named(against_fair(sums, 1 / TWO_SEATS, level))
    met = n > 0
    scored = grouped_changes(up[met], down[met], squares[met], n[met], level)
    for name, source in (("share", "change"), ("low", "low"), ("high", "high")):
        found.loc[met, name] = (1 + scored[source].to_numpy()) / TWO_SEATS
    found.loc[met, "p"] = scored["p"].to_numpy()
    return found.assign(p_holm=adjust(found["p"]))


def _times(units: NDArray[np.integer], sums: pd.DataFrame) -> Floats:
    """How often a unit is counted in a game that it sits in, on average."""
    several = np.sort(units, axis=1)
    again = np.zeros(several.shape, bool)
    again[:, 1:] = several[:, 1:] == several[:, :-1]
    games = np.bincount(several[~again], minlength=len(sums))
    x = sums["x"].to_numpy(np.float64)
    found: Floats = np.divide(x, games, out=np.full(x.size, np.nan), where=games > 0)
    return found


def _by_position(block: Block, seats: int) -> tuple[Ints, Ints, Floats]:
    """Game, entrants and shares by turn position of the finished games in which somebody goes first."""
    rows = block.rows[(block.rows["first"] >= 0) & (block.rows["status"] == Status.FINISHED)]
    seat = (rows["first"].astype(np.int64)[:, None] + np.arange(seats)) % seats
    share = np.take_along_axis(rows["share"][:, :seats].astype(np.float64), seat, axis=1)
    entrant = np.take_along_axis(rows["entrant"][:, :seats].astype(np.int64), seat, axis=1)
    rest = (1 - share.sum(axis=1)) / seats
    return rows["game"].astype(np.int64), entrant, share + rest[:, None]


def _meetings(games: SeatGames) -> tuple[Ints, Ints]:
    """Number of the meeting of each game, whoever sits where, and who meets in each, (meetings, seats)."""
    met, number = np.unique(np.sort(games.entrant, axis=1), axis=0, return_inverse=True)
    return number.reshape(-1), met


def _named(found: pd.DataFrame) -> pd.DataFrame:
    return found.rename(columns={"estimate": "share"})[COLUMNS]


def _check_two(games: SeatGames) -> None:
    if games.experiment.seats != TWO_SEATS:
        raise ValueError(f"seats={games.experiment.seats}: who meets whom is told apart at 2 seats")


EVEN = 0.5
NEAR = 0.005  # of one half: a rounder value is preferred if the curve takes it for as fair as that
DEGREE, GRID = 2, 4001  # of the curve, and places at which it is looked at
WINDOW = 4  # values around the fair one that the curve is fitted to
LEAST_VALUES = 2
LEAST_GAMES = 100  # of each value: fewer say nothing
BASE, AGAIN = 0.4, 0.15  # of all games: those as played, and those of the test of what was chosen


@dataclass(frozen=True)
class Fair:
    """The value at which going first is fair, and its interval; all nan where none of the values comes near it.

    low, high: infinite where the interval goes beyond the values that the curve is fitted to, least..most. slope: change of the
    log odds per unit of the value, there; p: that the value does nothing. curve: coefficients of the log odds by powers of the
    value, on a scale where least is -1 and most is 1.
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
        """Win share of whoever goes first at a value, by the curve."""
        at = 2 * (value - self.least) / (self.most - self.least) - 1
        return float(expit(np.polynomial.polynomial.polyval(at, self.curve)))


@dataclass(frozen=True, eq=False)
class Tried:
    """A lever with all its values.

    table: value, present (as played), share, low, high, p, n, pairs, gain, one line per value, rising; fair: where going first is
    fair; chosen: the whole value nearest to that, nan where no value was tried; refused: values that the card rules refuse.
    """

    lever: SeatLever
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
        """Win share of whoever goes first that the chosen value should give."""
        at = self.table["value"] == self.chosen
        curve = self.fair.share(self.chosen) if np.isfinite(self.fair.value) else float("nan")
        return float(self.table.loc[at, "share"].iloc[0]) if np.isnan(curve) and at.any() else curve


def games_each(games: int, levers: tuple[SeatLever, ...]) -> tuple[int, int, int]:
    """Share games out: those as played, those of each value, those of the test of what was chosen."""
    if not levers:
        return games, 0, 0
    runs = 1 + sum(len(lever.values) - 1 for lever in levers)  # that as played is common to all
    base, each, again = (max(1, round(games * part)) for part in (BASE, (1 - BASE - AGAIN) / runs, AGAIN))
    return base, each, again


def afforded(levers: tuple[SeatLever, ...], games: int) -> tuple[SeatLever, ...]:
    """The levers, from the first on, of which every value gets LEAST_GAMES games; at least one, with fewer values if need be."""
    kept = levers
    while len(kept) > 1 and games_each(games, kept)[1] < LEAST_GAMES:
        kept = kept[:-1]
    while kept and games_each(games, kept)[1] < LEAST_GAMES and len(kept[0].values) > WINDOW:
        values = kept[0].values
        kept = (replace(kept[0], values=(*values[:-1:2], values[-1])),)
    return kept


def search(
    base: Experiment, play: Play | None = None, levers: tuple[SeatLever, ...] | None = None, level: float = LEVEL
) -> list[Tried]:
    """Try every value of every lever, one lever at a time, the others as played; empty without levers.

    base: the games of each value, in pairs (see `seat_worth.paired`); levers: all of the game if None. Raises ValueError as
    `SeatGames.of`.
    """
    known: dict[bytes, SeatGames] = {}

    def games_with(cards: CardSet) -> SeatGames:
        key = cards.record.tobytes()
        if key not in known:
            known[key] = SeatGames.of(replace(base, cards=cards), play)
        return known[key]

    return [_tried(base, lever, games_with, level) for lever in (base.game.seat_levers if levers is None else levers)]


def _tried(base: Experiment, lever: SeatLever, games_with: Callable[[CardSet], SeatGames], level: float) -> Tried:
    """One lever."""
    values = tuple(map(str, sorted(lever.values)))
    now = each_value(base.game, base.cards, lever.path, values[:1])[0].before
    if isinstance(now, int):
        values = tuple(map(str, sorted({*lever.values, now})))
    steps = each_value(base.game, base.cards, lever.path, values)
    refused = tuple(int(step.value) for step in steps if step.cards is None)
    lines, means = [], {}
    for step in steps:
        if step.cards is None:
            continue
        games = games_with(step.cards)
        line = overall(games, level).iloc[0]
        kept = {name: line[name] for name in ("share", "low", "high", "p", "n", "pairs", "gain")}
        present = (
            step.idle if step.before is None else step.value == step.before
        )  # a rule left to its default has no value
        lines.append({"value": int(step.value), "present": present, **kept})
        means[int(step.value)] = games.by_pair
    table = pd.DataFrame(lines)
    matrix = pd.DataFrame(means).dropna()  # pairs in which somebody went first with every value
    fair = fair_value(np.array([*means], np.float64), matrix.to_numpy(), level)
    chosen = _chosen(table, fair)
    if np.isfinite(chosen) and each_value(base.game, base.cards, lever.path, (str(int(chosen)),))[0].cards is None:
        chosen = _nearest(table)
    return Tried(lever, table, fair, chosen, refused)


def fair_value(values: ArrayLike, share: ArrayLike, level: float = LEVEL) -> Fair:
    """Where the win share of whoever goes first crosses one half.

    values: rising; share: (pairs, values), mean share of the first by pair, all values with the same games. The interval holds
    all values at which the curve may be one half: infinite where it does not end. Raises ValueError where the shapes do not fit.
    """
    x, y = np.asarray(values, np.float64), np.asarray(share, np.float64)
    if x.ndim != 1 or y.ndim != LEAST_VALUES or y.shape[1] != x.size or np.any(np.diff(x) <= 0):
        raise ValueError(f"values {x.shape} must rise and share {y.shape} have a column for each")
    if x.size < LEAST_VALUES or len(y) < LEAST_VALUES:
        nothing = float("nan")
        return Fair(nothing, nothing, nothing, nothing, nothing, nothing, nothing)
    near = _window(y.mean(axis=0))
    least, most = float(x[near][0]), float(x[near][-1])
    powers = np.arange(min(DEGREE, x[near].size - 1) + 1)
    curve, spread = _fitted((2 * (x[near, None] - least) / (most - least) - 1) ** powers, y[:, near])
    p = float(stats.chi2.sf(curve[1:] @ np.linalg.pinv(spread[1:, 1:]) @ curve[1:], len(curve) - 1))
    at = np.linspace(-1, 1, GRID)[:, None] ** powers
    error = np.sqrt(np.einsum("ij,jk,ik->i", at, spread, at))
    quantile = float(stats.t.ppf((1 + level) / 2, len(y) - 1))
    value, low, high, slope = _crossing(at[:, 1], at @ curve, quantile * error)
    value, low, high = (least + (one + 1) / 2 * (most - least) for one in (value, low, high))
    return Fair(value, low, high, 2 * slope / (most - least), p, least, most, tuple(curve.tolist()))


def retest(base: Experiment, tried: Tried, games: int, play: Play | None = None, level: float = LEVEL) -> pd.DataFrame:
    """Win share of each turn position with the chosen value, in games that had no part in the choice: see `seat_worth.overall`.

    base: as for `search`; the seed is the one after its own. The search picks what looks fairest, so that its own share for that
    value is nearer to one half than the truth; that of these games is not.
    """
    step = each_value(base.game, base.cards, tried.lever.path, (str(int(tried.chosen)),))[0]
    assert step.cards is not None, "a value is chosen among those that the card rules take"
    fresh = replace(base, cards=step.cards, games_wanted=games, seed=(base.seed + 1) % (SEED_MAX + 1))
    return overall(SeatGames.of(fresh, play), level)


def best(found: list[Tried]) -> Tried | None:
    """The lever whose chosen value should come nearest to fair; of equals the first. None where no value was tried."""
    known = [tried for tried in found if np.isfinite(tried.chosen)]
    return min(known, key=lambda tried: abs(tried.expected - EVEN), default=None)


def _window(shares: Floats) -> slice:
    """The values that the curve is fitted to: those around where one half is crossed, else those that come nearest to it."""
    above = shares > EVEN
    crossed = np.flatnonzero(above[1:] != above[:-1])
    centre = (
        float(crossed[np.argmin(abs(shares[crossed] - EVEN))]) + 0.5
        if crossed.size
        else float(np.argmin(abs(shares - EVEN)))
    )
    first = int(np.clip(np.floor(centre) - WINDOW / 2 + 1, 0, max(0, shares.size - WINDOW)))
    return slice(first, first + WINDOW)


def _fitted(design: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Coefficients of the log odds and their sandwich covariance with pairs as clusters.

    design: (values, coefficients); y: (pairs, values).
    """
    mean = y.mean(axis=0)

    def score(beta: Floats) -> Floats:
        return np.asarray(design.T @ (mean - expit(design @ beta)))

    def slope(beta: Floats) -> Floats:
        return np.asarray(-(design.T * _variance(design @ beta)) @ design)

    fitted: Floats = root(score, np.zeros(design.shape[1]), jac=slope).x
    scores = (y - expit(design @ fitted)) @ design
    bread = np.linalg.pinv((design.T * _variance(design @ fitted)) @ design * len(y))
    spread = bread @ (scores.T @ scores) @ bread * len(y) / (len(y) - 1)
    return fitted, spread


def _crossing(at: Floats, odds: Floats, room: Floats) -> tuple[float, float, float, float]:
    """Where log odds cross nought, nearest to the middle, its interval and the slope there; all nan where they do not.

    at: evenly spaced; room: half the width of the interval of the log odds at each place.
    """
    crossed = np.flatnonzero(np.diff(odds > 0))
    if not crossed.size:
        return (float("nan"),) * 4
    here = int(crossed[np.argmin(abs(at[crossed]))])
    slope = float((odds[here + 1] - odds[here]) / (at[1] - at[0]))
    apart = np.flatnonzero(abs(odds) > room)
    below, above = apart[apart <= here], apart[apart > here]
    low = float(at[below[-1]]) if below.size else -float("inf")
    high = float(at[above[0]]) if above.size else float("inf")
    return float(at[here] - odds[here] / slope), low, high, slope


def _variance(odds: Floats) -> Floats:
    """Variance p (1 - p) of a win with these log odds."""
    p: Floats = expit(odds)
    return p * (1 - p)


def _chosen(table: pd.DataFrame, fair: Fair) -> float:
    """The roundest whole value that the curve takes for fair enough; where it tells of none, the one tried that comes nearest.

    Round is what lies on the grid of the values tried, then on ever finer parts of it.
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
    """The value tried that came nearest to one half."""
    return float(table["value"].iloc[int((table["share"] - EVEN).abs().argmin())])
