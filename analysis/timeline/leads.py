"""When games are decided, and how often the lead changes.

A seat is ahead if its chance exceeds that of every other by AHEAD of the fair share: 55 to 45 at two seats. It keeps the lead
until another is ahead, so that small swings around even do not count. The winner of a game is the seat that won it alone.

If chances were fitted to the same games (`Courses.fitted`), intervals cover both the chance in which games were played and the
fit. Whole keys of games are resampled through the fit and the figures (`Calibration`). Bounds are quantiles over the samples,
and never narrower than those for known chances.

Sources: lead change and drama after Browne (2008, Automatic generation and evaluation of recombination games, PhD thesis, QUT);
movement is the surprise of Ely, Frankel and Kamenica (2015, Suspense and surprise, Journal of Political Economy 123:215-260).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from analysis.data import rows
from analysis.data.rows import rates
from analysis.stats.intervals import LEVEL, Interval
from analysis.timeline.courses import Courses, shared_out

Floats = NDArray[np.float64]

ESTIMATE = ["estimate", "low", "high", "n"]
Ints = NDArray[np.int64]
Counts = NDArray[Any]

AHEAD = 0.2  # of the fair share: a smaller margin is no lead
SURE = 0.75  # chance from which a side has practically won
LOW, LOWEST = 0.5, 0.2  # of the fair share: 25 and 10 % at two seats
ROUNDING = 1e-9
BY_GAME = ("index", "key", "turns", "winner", "changes", "since", "part", "least", "behind", "sure", "movement", "drama")
IN_DATA = {  # longer names for frames that people use; "key", which games of the same dice share, is left out
    "index": "game",
    "part": "since_share",
    "least": "winner_lowest_chance",
    "behind": "winner_largest_deficit",
    "sure": "sure_share",
    "x": "turns_left",
    "line": "ahead",
}
SUMMARY = (
    *("changes", "steady", "since", "part", "early", "sure"),
    *("once_behind", "once_low", "once_lowest", "comeback", "movement", "drama"),
)
QUANTILES = {"since": ("since", 0.5), "part": ("part", 0.5), "comeback": ("least", 0.1)}  # of columns of `by_game`
LEADS = (0.25, 0.5, 0.75, 1.0)  # upper ends of the bins of a lead
CHANCES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # ends of the bins of a chance
SCORES = ("calibrated", "as evaluated", "even")


def leading(courses: Courses) -> Ints:
    """Seat that is ahead at the end of each turn, -1 if none is, (lines,)."""
    return _leading(courses.chance)


def _leading(chance: Floats) -> Ints:
    """See `leading`. chance: (lines, seats)."""
    top, second, seat = _first_two(chance)
    return np.where(top - second >= AHEAD / chance.shape[1] - ROUNDING, seat, -1)


def _first_two(chance: Floats) -> tuple[Floats, Floats, Ints]:
    """Highest and second chance of each line, and the first seat with the highest; faster than sorting."""
    top, second, seat = chance[:, 0], np.full(len(chance), -np.inf), np.zeros(len(chance), np.int64)
    for other in range(1, chance.shape[1]):
        chances = chance[:, other]
        seat[chances > top] = other
        second = np.maximum(second, np.minimum(top, chances))
        top = np.maximum(top, chances)
    return top, second, seat


def holding(courses: Courses) -> Ints:
    """Seat that was ahead last, by the end of each turn, -1 as long as none was, (lines,)."""
    return _Lines.of(courses).holding(courses.chance)


def by_game(courses: Courses) -> pd.DataFrame:
    """One row per game with a sole winner, in their order.

    Columns: index, key, turns, winner (seat), changes (number of times the lead went to another seat), since (turn from whose
    end the winner held the lead; the last if only the last decision brought it), part (since / turns), least (smallest chance
    of the winner; all are even at the start), behind (largest margin by which another's chance exceeded it), sure (share of the
    turns at whose end any chance was SURE or more), movement (path of the chances from even to the result: total Euclidean
    distance, scaled to one side's chance at two seats), drama (mean of the square roots of the winner's deficits, over the
    turns at whose end it was behind; 0 if never).
    """
    lines = _Lines.of(courses)
    columns = {"index": courses.index, "key": courses.key, "turns": lines.turns, "winner": courses.winner}
    frame = pd.DataFrame(columns | lines.figures(courses.chance), columns=list(BY_GAME))
    decided_games: pd.DataFrame = frame[courses.winner >= 0].reset_index(drop=True)
    return decided_games


def in_data(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame of games or leads with the names of IN_DATA."""
    return frame.drop(columns="key", errors="ignore").rename(columns=IN_DATA)


@dataclass(frozen=True, eq=False)
class _Lines:
    """Parts of courses that do not depend on the chances, so that figures of many fits are computed quickly.

    first, end: (games,) lines of each game; filled: games with lines; new: (lines,) whether a game begins; turns: (games,).
    """

    courses: Courses
    first: Ints
    end: Ints
    filled: NDArray[np.bool_]
    new: NDArray[np.bool_]
    turns: Ints

    @classmethod
    def of(cls, courses: Courses) -> _Lines:
        """Find where games begin and end."""
        numbers = np.arange(len(courses.index))
        first, end = (np.searchsorted(courses.game, numbers, side=side) for side in ("left", "right"))
        turns = courses.turns.copy()
        np.maximum.at(turns, courses.game, courses.turn)
        new = np.append(True, courses.game[1:] != courses.game[:-1])[: courses.game.size]
        return cls(courses, first, end, first < end, new, turns)

    def figures(self, chance: Floats) -> dict[str, Any]:
        """Columns of `by_game` that depend on chances, for all games; meaningless without a sole winner."""
        courses, seats = self.courses, self.courses.seats
        line = np.arange(courses.game.size)
        winner = courses.winner[courses.game]
        own, top = chance[line, winner], chance.max(axis=1)
        gap, held = top - own, self.holding(chance)
        taken = ~self.new[1:] & (held[1:] != held[:-1]) & (held[:-1] >= 0)
        trailing = gap > ROUNDING
        since = self._since(held == winner)
        behind = np.sqrt(np.where(trailing, gap, 0))
        return {
            "changes": self._each(np.add, np.append(False, taken)[: line.size].astype(np.int64), 0),
            "since": since,
            "part": since / np.maximum(self.turns, 1),
            "least": np.minimum(self._each(np.minimum, own, 1.0), 1 / seats),
            "behind": self._each(np.maximum, gap, 0.0),
            "sure": _ratio(self._each(np.add, (top >= SURE).astype(np.int64), 0), self.end - self.first, 0.0),
            "movement": self._movement(chance),
            "drama": _ratio(self._each(np.add, behind, 0.0), self._each(np.add, trailing.astype(np.int64), 0), 0.0),
        }

    def holding(self, chance: Floats) -> Ints:
        """See `holding`."""
        ahead = _leading(chance)
        last = np.maximum.accumulate(np.where(ahead >= 0, np.arange(ahead.size), -1))
        return np.where(last >= self.first[self.courses.game], ahead[last], -1)

    def _each(self, how: np.ufunc, values: Counts, without: float) -> Counts:
        """Reduce values by line over the lines of each game; `without` for a game without lines."""
        result = np.full(len(self.first), without, values.dtype)
        if values.size:
            result[self.filled] = how.reduceat(values, self.first[self.filled])
        return result

    def _since(self, holds: NDArray[np.bool_]) -> Ints:
        """Turn from which `holds` is true at the end of every turn; the last turn of the game if it is false at its end."""
        lost = self._each(np.maximum, np.where(holds, -1, np.arange(holds.size)), -1)
        after = np.where(lost >= 0, lost + 1, self.first)
        inside = after < self.end
        since: Ints = self.turns.copy()
        since[inside] = self.courses.turn[after[inside]]
        return since

    def _movement(self, chance: Floats) -> Floats:
        """Distance that the chances travel in each game, from even over the ends of turns to the result."""
        seats, last = self.courses.seats, self.end[self.filled] - 1
        squares = np.zeros(len(chance))
        for chances in chance.T:
            step = np.diff(chances, prepend=0.0)
            step[self.new] = chances[self.new] - 1 / seats
            squares += step**2
        steps = np.sqrt(squares)
        at_end = np.full((len(self.first), seats), 1 / seats)
        at_end[self.filled] = chance[last]
        final = np.sqrt(((self.courses.share - at_end) ** 2).sum(axis=1))
        return np.asarray((self._each(np.add, steps, 0.0) + final) / np.sqrt(2))


@dataclass(frozen=True, eq=False)
class _Samples:
    """Figures under the fit to each sample of games, (SAMPLES, ...), from which intervals include the uncertainty of the fit.

    games: columns of `by_game` for the games with a sole winner; weight: number of copies of each in a sample. By turn and by
    lead (see `by_lead`): weight of the lines with a seat ahead, and the part of it that this seat won. By chance (see
    `reliability`): weight of the seats and lines, and the part of it that was won. brier: score of the chances (see `scores`).
    """

    games: dict[str, Floats]
    weight: Floats
    turn: Ints
    by_turn: Floats
    by_lead: Floats
    by_chance: Floats
    brier: Floats

    def bounds(self, values: Floats, found: Interval) -> Interval:
        """Interval that covers the quantiles of a figure over the samples, (SAMPLES,), and `found`.

        found: the interval if chances were known.
        """
        known = values[np.isfinite(values)]
        if known.size < 2 or np.isnan([found.estimate, found.low, found.high]).any():
            return found
        low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], method="weibull")
        low, high = min(float(low), found.low), max(float(high), found.high)
        return Interval(found.estimate, low, high, found.n, LEVEL, "bootstrap")

    def mean(self, values: Floats) -> Floats:
        """Means over the games, (SAMPLES,)."""
        return np.asarray((values * self.weight).sum(axis=1) / self.weight.sum(axis=1))

    def quantile(self, values: Floats, share: float) -> Floats:
        """Quantiles over the games, (SAMPLES,)."""
        order = np.argsort(values, axis=1, kind="stable")
        reached = np.take_along_axis(self.weight, order, axis=1).cumsum(axis=1)
        place = (reached < share * reached[:, -1:] - ROUNDING).sum(axis=1)
        return np.asarray(values[np.arange(len(values)), order[np.arange(len(values)), place]])


@lru_cache(maxsize=1)
def _samples(courses: Courses) -> _Samples | None:
    """Figures under every fit; None if chances are known, or no game of a fit has a sole winner."""
    fits, alone = courses.calibration, courses.winner >= 0
    if fits is None or np.unique(courses.key[alone]).size < 2 or not fits.weight[:, alone].any(axis=1).all():
        return None
    lines, won, turns = _Lines.of(courses), courses.won[courses.game], np.unique(courses.turn)
    place = np.searchsorted(turns, courses.turn)
    names = ("changes", "since", "part", "least", "behind", "sure", "movement", "drama")
    games = {name: np.zeros((len(fits.weight), np.count_nonzero(alone))) for name in names}
    by_turn, by_lead = np.zeros((len(fits.weight), 2, turns.size)), np.zeros((len(fits.weight), 2, len(LEADS)))
    by_chance, brier = np.zeros((len(fits.weight), 2, len(CHANCES) - 1)), np.zeros(len(fits.weight))
    of_lines, result = courses.game[courses.with_winner], courses.share[courses.game[courses.with_winner]]
    for number, (chance, weight) in enumerate(zip(fits.chances(), fits.weight, strict=True)):
        for name, values in lines.figures(chance).items():
            games[name][number] = values[alone]
        top, second, seat = _first_two(chance)
        led = np.flatnonzero(won & (top - second >= AHEAD / courses.seats - ROUNDING))
        game, ahead = courses.game[led], seat[led]
        bin_ = np.searchsorted(np.array(LEADS), (top - second)[led] - ROUNDING)
        played = weight[game]
        for row, value in enumerate((played, played * courses.share[game, ahead])):
            by_turn[number, row] = np.bincount(place[led], value, turns.size)
            by_lead[number, row] = np.bincount(bin_, value, len(LEADS))
        guess, copies = chance[courses.with_winner], weight[of_lines]
        of_chance, of_seats = _chance_bins(guess.ravel()), np.repeat(copies, courses.seats)
        for row, value in enumerate((of_seats, of_seats * result.ravel())):
            by_chance[number, row] = np.bincount(of_chance, value, len(CHANCES) - 1)
        brier[number] = copies @ ((guess - result) ** 2).sum(axis=1) / copies.sum()
    return _Samples(games, fits.weight[:, alone], turns, by_turn, by_lead, by_chance, brier)


def _chance_bins(chance: Floats) -> Ints:
    """Number of the bin of CHANCES of each chance."""
    return np.asarray(np.searchsorted(np.array(CHANCES)[1:-1], chance, side="right"))


def _ratio(over: Counts, under: Counts, empty: float = np.nan) -> Floats:
    """Quotients; `empty` for division by zero."""
    return np.asarray(np.divide(over, under, out=np.full(np.shape(over), empty), where=np.asarray(under) > 0))


def summary(courses: Courses) -> pd.DataFrame:
    """Pace and drama in figures, over the games with a sole winner.

    Columns: what (see below), estimate, low, high, n. what: changes (mean per game), steady (share of games whose lead never
    went to another seat), since, part (medians, see `by_game`), early (share of games led for good by half their length), sure
    (mean, see `by_game`), once_behind, once_low, once_lowest (share of games whose winner was once behind, at or below LOW and
    LOWEST of the fair share), comeback (chance that one winner in ten fell to or below), movement, drama (means).
    """
    games, fair, samples = by_game(courses), 1 / courses.seats, _samples(courses)
    key = games["key"].to_numpy()
    flags: dict[str, Callable[[Any], Any]] = {  # of the columns of `by_game`, or of the same figures under every fit
        "steady": lambda of: of["changes"] == 0,
        "early": lambda of: of["part"] <= 0.5,
        "once_behind": lambda of: of["behind"] >= AHEAD * fair - ROUNDING,
        "once_low": lambda of: of["least"] <= LOW * fair + ROUNDING,
        "once_lowest": lambda of: of["least"] <= LOWEST * fair + ROUNDING,
    }
    lines = []
    for name in SUMMARY:
        if name in flags:
            found = rows.share(key, flags[name](games).to_numpy(np.float64))
            drawn = None if samples is None else samples.mean(flags[name](samples.games))
        elif name in QUANTILES:
            column, share = QUANTILES[name]
            found = quantile(key, games[column].to_numpy(), share)
            drawn = None if samples is None else samples.quantile(samples.games[column], share)
        else:
            found = mean(key, games[name].to_numpy(), (0.0, 1.0) if name == "sure" else (-np.inf, np.inf))
            drawn = None if samples is None else samples.mean(samples.games[name])
        figure = vars(found if samples is None or drawn is None else samples.bounds(drawn, found))
        lines.append({"what": name, **{part: figure[part] for part in ESTIMATE}})
    return pd.DataFrame(lines)


def mean(key: Ints, values: Counts, within: tuple[float, float] = (-np.inf, np.inf)) -> Interval:
    """Mean over games with clusters by key: Student's t with keys as observations. NaN without games.

    within: bounds that the mean cannot exceed.
    """
    if not values.size:
        return Interval(np.nan, np.nan, np.nan, 0, LEVEL, "t")
    rate = rates(key, np.zeros(values.size, np.int64), values, np.ones(values.size)).iloc[0]
    centre, half = float(rate["estimate"]), float(rate["high"] - rate["low"]) / 2
    low, high = np.clip([centre - half, centre + half], *within)
    return Interval(centre, float(low), float(high), values.size, LEVEL, "t")


def quantile(key: Ints, values: Counts, share: float) -> Interval:
    """Quantile over games with clusters by key: the smallest value that `share` of the games do not exceed.

    Bounds: order statistics for the effective number of games (Woodruff 1952, Journal of the American Statistical Association
    47:635-646); infinite if the games are too few.
    """
    if not values.size:
        return Interval(np.nan, np.nan, np.nan, 0, LEVEL, "order")
    ordered = np.sort(values).astype(np.float64)
    centre = float(ordered[max(0, int(np.ceil(share * values.size - ROUNDING)) - 1)])
    within = (values <= centre).astype(np.float64)
    keys = np.unique(key).size
    known = float(rows.shares(key, np.zeros(values.size, np.int64), within, 1)["effective"].iloc[0])
    worth = int(np.clip(round(known * keys / max(1, keys - 1)), 1, values.size))
    ends = scipy.stats.binom.ppf([(1 - LEVEL) / 2, (1 + LEVEL) / 2], worth, share) + np.array([0, 1])
    ranks = np.ceil(ends / worth * values.size - ROUNDING).astype(np.int64)
    low = float(ordered[ranks[0] - 1]) if ranks[0] >= 1 else -np.inf
    high = float(ordered[ranks[1] - 1]) if ranks[1] <= values.size else np.inf
    return Interval(centre, low, high, values.size, LEVEL, "order")


def drama_by_turn(courses: Courses, turns: Sequence[int] | None = None) -> pd.DataFrame:
    """How often the seat ahead at the end of a turn wins, over the games with a winner; turns: of those played, all if None.

    Columns: turn, games (in which it is played), on (their share of all), level (share of these with no seat ahead), chance
    (mean chance of the seat ahead), estimate, low, high (its share of the win), n (games with a seat ahead).
    """
    every, ahead, samples = np.unique(courses.turn), leading(courses), _samples(courses)
    place, here = np.searchsorted(every, courses.turn), courses.won[courses.game]
    led = here & (ahead >= 0)
    game, seat, group = courses.game[led], ahead[led], place[led]
    games, count = np.bincount(place[here], minlength=every.size), np.bincount(group, minlength=every.size)
    shares = rows.shares(courses.key[game], group, courses.share[game, seat], every.size)
    if samples is not None:
        shares = _bounded(shares, _ratio(samples.by_turn[:, 1], samples.by_turn[:, 0]), samples)
    chance = _ratio(np.bincount(group, courses.chance[led, seat], every.size), count)
    part, level = games / max(1, int(courses.won.sum())), 1 - _ratio(count, games)
    frame = pd.DataFrame({"turn": every, "games": games, "on": part, "level": level, "chance": chance, **shares[ESTIMATE]})
    return frame if turns is None else frame[frame["turn"].isin(turns)].reset_index(drop=True)


def by_lead(courses: Courses) -> pd.DataFrame:
    """How often the seat ahead wins, by how far its chance exceeds the next, over all turns of games with a winner.

    Bins: see LEADS. Columns: start, end, chance (mean), estimate, low, high, n (turns), games.
    """
    ahead = leading(courses)
    led = (ahead >= 0) & courses.won[courses.game]
    ordered = np.sort(courses.chance[led], axis=1)
    place = np.searchsorted(np.array(LEADS), ordered[:, -1] - ordered[:, -2] - ROUNDING)
    game, seat, bins = courses.game[led], ahead[led], len(LEADS)
    shares = rows.shares(courses.key[game], place, courses.share[game, seat], bins)
    samples = _samples(courses)
    if samples is not None:
        shares = _bounded(shares, _ratio(samples.by_lead[:, 1], samples.by_lead[:, 0]), samples)
    chance = _ratio(np.bincount(place, courses.chance[led, seat], bins), shares["n"].to_numpy())
    games = [np.unique(game[place == index]).size for index in range(bins)]
    starts = [AHEAD / courses.seats, *LEADS[:-1]]
    table = shares.assign(start=starts, end=list(LEADS), chance=chance, games=games)
    return table[["start", "end", "chance", *ESTIMATE, "games"]]


def _bounded(found: pd.DataFrame, drawn: Floats, samples: _Samples) -> pd.DataFrame:
    """Rows with bounds that cover the quantiles over the samples, (SAMPLES, rows); rows without observations are unchanged."""
    ends = found[["low", "high"]].to_numpy(np.float64).copy()
    for row, (estimate, low, high, n) in enumerate(found[ESTIMATE].to_numpy(np.float64)):
        if n:
            bounds = samples.bounds(drawn[:, row], Interval(estimate, low, high, int(n), LEVEL))
            ends[row] = bounds.low, bounds.high
    return found.assign(low=ends[:, 0], high=ends[:, 1])


def decided(courses: Courses) -> pd.DataFrame:
    """Share of the games with a sole winner in which it led for good by the end of each turn.

    Columns: turns (0 and those at which the lead became final, rising), estimate, low, high, n. A game that was over before
    counts as led.
    """
    games = by_game(courses)
    turns = np.append(0, np.unique(games["since"])) if len(games) else np.zeros(0, np.int64)
    return _reached(courses, games, "since", turns).rename(columns={"at": "turns"})


def comebacks(courses: Courses, at: Sequence[float] | None = None) -> pd.DataFrame:
    """Share of the games whose winner was once down to a chance of at most `at`.

    at: None for tenths of the fair share. Columns: at, estimate, low, high, n, even (its value if all seats are equal, the
    evaluation is right and moves in small steps: at (1 - fair) / ((1 - at) fair), optional stopping; large steps reduce it).
    """
    fair = 1 / courses.seats
    places = np.round(np.arange(1, 11) * fair / 10, 6) if at is None else np.asarray(at, np.float64)
    found = _reached(courses, by_game(courses), "least", places)
    return found.assign(even=np.minimum(1, places * (1 - fair) / ((1 - places) * fair)))


def _reached(courses: Courses, games: pd.DataFrame, column: str, places: Counts) -> pd.DataFrame:
    """Share of games whose value is at most each place: columns at, estimate, low, high, n."""
    value, key = games[column].to_numpy(), games["key"].to_numpy()
    group = np.repeat(np.arange(places.size), value.size)
    flags = np.concatenate([np.zeros(0), *(value <= place + ROUNDING for place in places)])
    shares = rows.shares(np.tile(key, places.size), group, flags, places.size)
    samples = _samples(courses)
    if samples is not None and places.size:
        drawn = np.stack([samples.mean(samples.games[column] <= place + ROUNDING) for place in places], axis=1)
        shares = _bounded(shares, drawn, samples)
    return shares.assign(at=places)[["at", *ESTIMATE]]


def scores(courses: Courses) -> pd.DataFrame:
    """Brier scores (1950, Monthly Weather Review 78:1-3) over all turns of the games with a winner.

    Rows: see SCORES. Columns: evaluation, estimate, low, high (sum over the seats of the squared error: 0 is perfect, even
    chances have 1 - 1/seats), skill (1 - score / score of even chances), n (games).
    """
    game, won, share = courses.game, courses.with_winner, courses.share[courses.game]
    guesses = (courses.chance, shared_out(courses.evaluated), np.full_like(share, 1 / courses.seats))
    samples, lines = _samples(courses), []
    for name, guess in zip(SCORES, guesses, strict=True):
        error = ((guess - share) ** 2).sum(axis=1)[won]
        scored = rates(courses.key[game[won]], np.zeros(error.size, np.int64), error, np.ones(error.size)).reindex([0])
        if samples is not None and name == SCORES[0]:
            scored = _bounded(scored, samples.brier[:, None], samples)
        ends = scored.iloc[0][["estimate", "low", "high"]].astype(float)
        lines.append({"evaluation": name, **ends, "n": np.unique(game[won]).size})
    table = pd.DataFrame(lines)
    table.insert(4, "skill", 1 - table["estimate"] / table["estimate"].iloc[-1])
    return table


def reliability(courses: Courses) -> pd.DataFrame:
    """How often a chance comes true: over all seats and turns of the games with a winner, by bins of the chance.

    Columns: start, end, chance (mean in the bin), estimate, low, high (share won; see `rates`, games of one key are one
    observation), n (keys), lines. Chances are reliable where `chance` lies between low and high. Empty bins are left out.
    """
    game = courses.game[courses.with_winner]
    guess, result = courses.chance[courses.with_winner].ravel(), courses.share[game].ravel()
    owner, place = np.repeat(courses.key[game], courses.seats), _chance_bins(guess)
    shares = rates(owner, place, result, np.ones(guess.size))
    lines = np.bincount(place, minlength=len(shares)).astype(np.int64)
    mean = _ratio(np.bincount(place, guess, len(shares)), lines)
    samples = _samples(courses)
    if samples is not None:
        drawn = _ratio(samples.by_chance[:, 1], samples.by_chance[:, 0])
        shares = _bounded(shares, drawn[:, : len(shares)], samples)
    ends = {"start": np.array(CHANCES)[: len(shares)], "end": np.array(CHANCES)[1 : len(shares) + 1]}
    table = shares[["estimate", "low", "high", "n"]].assign(**ends, chance=mean, lines=lines)
    table[["low", "high"]] = table[["low", "high"]].clip(0, 1)
    columns = ["start", "end", "chance", "estimate", "low", "high", "n", "lines"]
    return table.loc[lines > 0, columns].reset_index(drop=True)
