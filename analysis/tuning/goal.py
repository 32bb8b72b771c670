"""The goal of tuning: what is counted, what to reach, which numbers may change, and how games are divided.

A cell is a count of games and wins: of a matchup if feasible, else of an entrant, and of the first player. Win rates of the
entrants (of the members, if entrants are teams) are linear in the cells. Only games with a winner count; a shared win counts in
parts, which sum to 1 in each game.

`Goal` is a band for every win rate, or a target for matchups and the share of the first player; `Aim` expresses it in cells.
`knobs_of` finds the numbers of a card file that may be changed, and the values that the card rules allow. `Plan` divides the
games of a search into a first look at every number, trials of proposals, and a re-test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from analysis.answer.numbers import count, word
from analysis.data.rows import distinct
from analysis.data.shares import Shares, by_entrant
from analysis.variants.variant import RULES, board_fields, numeric_steps, owner_of, paths_of
from sim.engine.cardfiles.paths import changed, did_you_mean, fixed_fields, locate, look_up, matching, numeric_fields, shown
from sim.engine.cards import CardError, CardSet, read_document
from sim.engine.contract import Game
from sim.experiments.experiment import Experiment
from sim.weights import remade

Floats = NDArray[np.float64]
Estimate = TypeVar("Estimate", float, NDArray[np.float64])

PAIRED_UNITS_MAX = 24  # entrants up to which matchups have separate cells
OF_PAIRS = 2  # seats at which there are matchups


@dataclass(frozen=True, eq=False)
class Counts:
    """Games and wins by cell, (cells,) both.

    own_noise: share of the variance that is not common with the games of the base set.
    """

    n: Floats
    wins: Floats
    own_noise: float = 1.0

    @property
    def rate(self) -> Floats:
        """Win rate by cell; nan without games."""
        rate: Floats = np.divide(self.wins, self.n, out=np.full(self.n.size, np.nan), where=self.n > 0)
        return rate


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a game: matchups (i < j, win rate of i) or units, then the share of the first player.

    ids, names: of the units, which are entrants or members of teams. members: (entrants, size), units of each team.
    """

    ids: tuple[str, ...]
    names: tuple[str, ...]
    seats: int
    members: NDArray[np.int64] | None = None
    words: str = "entrants"

    @classmethod
    def of(cls, experiment: Experiment) -> Cells:
        """Choose the cells of an experiment."""
        teams, cards = experiment.teams, experiment.cards
        if teams is not None:
            members = np.asarray(teams.members, np.int64)
            return cls(teams.ids, tuple(distinct(teams.names)), experiment.seats, members, teams.words)
        return cls(cards.ids, tuple(distinct(cards.names)), experiment.seats, None, experiment.game.entrants_word)

    @property
    def units(self) -> int:
        """Number of win rates."""
        return len(self.ids)

    @property
    def fair(self) -> float:
        """Win rate of a unit as strong as the others."""
        return 1.0 / self.seats

    @property
    def by_pair(self) -> bool:
        """Whether cells are matchups."""
        return self.members is None and self.seats == OF_PAIRS and self.units <= PAIRED_UNITS_MAX

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """Row and column of each matchup, (matchups, 2)."""
        return np.stack(np.triu_indices(self.units, 1), axis=1) if self.by_pair else np.zeros((0, 2), np.int64)

    @property
    def size(self) -> int:
        """Number of cells, including the last one, the share of the first player."""
        return (len(self.pairs) if self.by_pair else self.units) + 1

    @cached_property
    def mixing(self) -> tuple[Floats, Floats]:
        """Matrix (units, cells) and vector (units,) that give the win rates of the units from those of the cells."""
        turn, start = np.zeros((self.units, self.size)), np.zeros(self.units)
        if not self.by_pair:
            turn[:, : self.units] = np.eye(self.units)
            return turn, start
        each = 1.0 / (self.units - 1)
        for cell, (row, column) in enumerate(self.pairs.tolist()):
            turn[row, cell], turn[column, cell] = each, -each
            start[column] += each
        return turn, start

    def rates(self, by_cell: Floats) -> Floats:
        """Win rates of the units, (..., units). by_cell: (..., cells)."""
        turn, start = self.mixing
        return by_cell @ turn.T + start

    def matrix(self, by_cell: Floats) -> Floats:
        """Win rate of the row against the column, (units, units), nan on the diagonal. Raises ValueError without matchups."""
        if not self.by_pair:
            raise ValueError(f"seats={self.seats}: matchups need two seats and at most {PAIRED_UNITS_MAX} entrants")
        rates = np.full((self.units, self.units), np.nan)
        rows, columns = self.pairs.T
        rates[rows, columns], rates[columns, rows] = by_cell[:-1], 1 - by_cell[:-1]
        return rates

    def pull(self, unit: int | None) -> Floats:
        """Effect of a unit's strength on each cell, (cells,): 1 for, -1 against; 0 for a number that belongs to no unit."""
        effect = np.zeros(self.size)
        if unit is None:
            return effect
        if self.by_pair:
            effect[:-1] = (self.pairs[:, 0] == unit).astype(float) - (self.pairs[:, 1] == unit)
        else:
            effect[:-1] = -1.0 / max(1, self.units - 1)
            effect[unit] = 1.0
        return effect

    def touched(self, unit: int | None) -> NDArray[np.bool_]:
        """Cells on which a number of a unit, or of none, can have an effect, (cells,)."""
        if unit is None or not self.by_pair:
            return np.ones(self.size, bool)
        of_unit = (self.pairs == unit).any(axis=1)
        return np.append(of_unit, True)

    def units_of(self, shares: Shares) -> Shares:
        """Games with the members of teams in place of the teams."""
        return shares.of_parts(self.members) if self.members is not None else shares

    def count(self, shares: Shares) -> Counts:
        """Count games and wins by cell."""
        share, won = won_shares(shares)
        n, wins = np.zeros((2, self.size))
        if self.by_pair:  # wins of the first entrant of each matchup, without games of an entrant against itself
            met, size = shares.entrant[won].astype(np.int64), self.units
            of_first = np.where(met[:, 0] < met[:, 1], share[won, 0], 1 - share[won, 0])
            matchup, cell = met.min(axis=1) * size + met.max(axis=1), self.pairs[:, 0] * size + self.pairs[:, 1]
            n[:-1] = np.bincount(matchup, minlength=size * size)[cell]
            wins[:-1] = np.bincount(matchup, of_first, size * size)[cell]
        else:
            units = self.units_of(Shares(shares.entrant, share.astype(np.float32), shares.truncated, shares.turns))
            sits, mean = by_entrant(units.entrant[won], units.share[won], self.units)
            n[:-1], wins[:-1] = sits.sum(axis=0), mean.sum(axis=0)
        first = shares.first if shares.first.size == len(share) else np.full(len(share), -1)
        known = won & (first >= 0)
        n[-1] = known.sum()
        wins[-1] = share[known, first[known]].sum()
        return Counts(n, wins.clip(max=n))


def won_shares(shares: Shares) -> tuple[Floats, NDArray[np.bool_]]:
    """Shares of the win that sum to 1, (games, seats), and the games with a winner."""
    total = shares.share.sum(axis=1, dtype=np.float64)
    won = total > 0
    return np.divide(shares.share, total[:, None], out=np.zeros(shares.share.shape), where=won[:, None]), won


TOLERANCE = 0.02  # default of a target file
MARGIN_Z = 1.645  # standard errors between a prediction and the edge of the band: 95 % one-sided
KEYS = ("tolerance", "first_seat", "matchup")


@dataclass(frozen=True)
class Band:
    """Lowest and highest win rate of two equal entrants; at more seats both are scaled to the fair share."""

    low: float = 0.45
    high: float = 0.55

    def __post_init__(self) -> None:
        if not 0 < self.low <= 0.5 <= self.high < 1:
            raise ValueError(
                f"band={100 * self.low:g}:{100 * self.high:g} must include 50 and lie between 0 and 100, such as 45:55"
            )

    @classmethod
    def parse(cls, text: str) -> Band:
        """Read `45:55`, in per cent. Raises ValueError."""
        try:
            low, high = (float(part) / 100 for part in text.split(":"))
        except ValueError:
            raise ValueError(f"band={text!r} must be two percentages separated by a colon, such as 45:55") from None
        return cls(low, high)


@dataclass(frozen=True)
class Target:
    """Wanted win rates: of the row against the column by ids, and of the first player; each within a tolerance."""

    matchup: tuple[tuple[str, str, float], ...] = ()
    first_seat: float | None = None
    tolerance: float = TOLERANCE


@dataclass(frozen=True)
class Goal:
    """What to reach, and the maximum number of changes.

    target: replaces the band. only: indices of the units whose win rates count, all if empty.
    """

    band: Band = Band()
    max_changes: int = 8
    target: Target | None = None
    only: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.max_changes < 1:
            raise ValueError(f"max_changes={self.max_changes} must be at least 1")


@dataclass(frozen=True, eq=False)
class Aim:
    """A goal in terms of a game's cells: outputs = mixing @ cells + start, each to be within low..high.

    names: of the outputs. mixing: (outputs, cells). units: those whose win rates are the outputs; empty for a target.
    """

    names: tuple[str, ...]
    mixing: Floats
    start: Floats
    low: Floats
    high: Floats
    units: tuple[int, ...] = ()

    @cached_property
    def middle(self) -> Floats:
        """The best value of each output."""
        return (self.low + self.high) / 2

    @cached_property
    def reach(self) -> Floats:
        """Distance from the middle that is good enough."""
        return (self.high - self.low) / 2

    def outputs(self, by_cell: Floats) -> Floats:
        """Outputs of cells' win rates, (..., outputs)."""
        return by_cell @ self.mixing.T + self.start

    def excess(self, outputs: Floats, error: Floats | float = 0.0) -> Floats:
        """Distance of each output beyond the band narrowed by MARGIN_Z standard errors, at least 0."""
        reach = np.maximum(0.0, self.reach - MARGIN_Z * np.asarray(error))
        return np.asarray(np.maximum(0.0, np.abs(outputs - self.middle) - reach))

    def chance(self, outputs: Floats, error: Floats) -> float:
        """Probability that every output is within the band. outputs: estimates; error: their standard errors."""
        error = np.maximum(error, 1e-9)
        return float(np.prod(ndtr((self.high - outputs) / error) - ndtr((self.low - outputs) / error)))


def weighted(first: tuple[Estimate, Estimate], second: tuple[Estimate, Estimate]) -> tuple[Estimate, Estimate]:
    """The mean of two estimates with standard errors, weighted by their precision, and its standard error."""
    weights = first[1] ** -2.0, second[1] ** -2.0
    total = weights[0] + weights[1]
    return (first[0] * weights[0] + second[0] * weights[1]) / total, total**-0.5


def aim_of(goal: Goal, cells: Cells) -> Aim:
    """Express a goal in terms of the cells. Raises ValueError for a target that is impossible in the game."""
    target = goal.target
    if target is None:
        units = goal.only or tuple(range(cells.units))
        scale = 2 * cells.fair * np.ones(len(units))
        line = [part[list(units)] for part in cells.mixing]
        names = tuple(cells.names[unit] for unit in units)
        return Aim(names, line[0], line[1], goal.band.low * scale, goal.band.high * scale, units)
    if target.matchup and not cells.by_pair:
        raise ValueError("target: matchups need two seats and no teams; leave out [[matchup]] or set --seats 2")
    outputs: list[tuple[str, Floats, float, float]] = []  # name, mixing, start, wanted
    for row, column, share in target.matchup:
        for id_ in (row, column):
            if id_ not in cells.ids:
                raise ValueError(f"target: {id_!r} is not among the {cells.words}; {did_you_mean(id_, list(cells.ids))}")
        first, second = cells.ids.index(row), cells.ids.index(column)
        if first == second:
            raise ValueError(f"target: matchup of {row!r} with itself; name two different {cells.words}")
        index = int(np.flatnonzero((cells.pairs == sorted((first, second))).all(axis=1))[0])
        name, line = f"{cells.names[first]} against {cells.names[second]}", np.eye(cells.size)[index]
        outputs.append((name, -line, 1.0, share) if first > second else (name, line, 0.0, share))
    if target.first_seat is not None:
        outputs.append(("whoever goes first", np.eye(cells.size)[-1], 0.0, target.first_seat))
    names, mixing, start, wanted = zip(*outputs, strict=True)
    low, high = np.array(wanted) - target.tolerance, np.array(wanted) + target.tolerance
    return Aim(names, np.array(mixing), np.array(start), low, high)


def read_target(path: Path) -> Target:
    """Read a target file (TOML): `tolerance`, `first_seat`, and `[matchup.ROW]` tables of `COLUMN = share`, shares 0..1.

    Raises ValueError naming the file, and the key that is wrong.
    """
    document, _ = read_document(None, path)
    for key in document:
        if key not in KEYS:
            raise ValueError(f"{path}: {word(key)}: is not a key of a target; {did_you_mean(key, list(KEYS))}")
    tolerance = _share(document.get("tolerance", TOLERANCE), f"{path}: tolerance")
    first = document.get("first_seat")
    matchups = document.get("matchup", {})
    if not isinstance(matchups, Mapping) or not all(isinstance(row, Mapping) for row in matchups.values()):
        raise ValueError(f"{path}: matchup: must be tables such as [matchup.knight] with lines such as ogre = 0.55")
    pairs = [
        (row, column, _share(share, f"{path}: matchup.{word(row)}.{word(column)}"))
        for row, line in matchups.items()
        for column, share in line.items()
    ]
    if not pairs and first is None:
        raise ValueError(f"{path}: has neither a matchup nor first_seat; give at least one")
    return Target(tuple(pairs), None if first is None else _share(first, f"{path}: first_seat"), tolerance)


def _share(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1:
        raise ValueError(f"{where}={shown(value)} must be a share between 0 and 1, such as 0.55")
    return float(value)


REACH = 3  # steps up and down that are considered
LEAP = 2  # steps; more are a leap
FURTHER = 0.8  # factor of the chance to be within the band for every step after the first, in the order of preference

Steps = tuple[tuple[int, int], ...]  # (number of a knob, steps up), ascending by knob, none of 0 steps


@dataclass(frozen=True)
class Knob:
    """A whole number of the card file. unit: its owner, None if shared. steps: allowed single changes, without 0."""

    path: str
    before: int
    unit: int | None
    steps: tuple[int, ...]

    def scaled(self, steps: float) -> float:
        """Length of a number of steps on a ratio scale: log (1 + value), signed."""
        ends = np.array([self.before + steps, self.before], np.float64)
        logs = np.sign(ends) * np.log1p(np.abs(ends))
        return float(logs[0] - logs[1])

    def size(self, steps: int) -> float:
        """Size of a change: further steps than the first, and all of them relative to the value."""
        return abs(steps) - 1 + abs(steps) / max(1, abs(self.before))


@dataclass(frozen=True, eq=False)
class Knobs:
    """Numbers that may be changed, and those that may not, with the reason."""

    game: Game
    cards: CardSet
    knobs: tuple[Knob, ...]
    left: Mapping[str, str]  # path -> why the number is left alone

    @cached_property
    def paths(self) -> list[str]:
        """Paths in the card file."""
        return [knob.path for knob in self.knobs]

    def document(self, steps: Steps) -> dict[str, Any]:
        """Content of the card file with some numbers changed."""
        document = dict(self.cards.document)
        for number, by in steps:
            knob = self.knobs[number]
            document = changed(document, knob.path, knob.before + by)
        return document

    def compiled(self, steps: Steps) -> CardSet | None:
        """Card set with some numbers changed; None if the card rules refuse the combination."""
        if not steps:
            return self.cards
        try:
            return remade(self.game, self.document(steps), self.cards)
        except CardError:
            return None


def is_leap(value: int, steps: int) -> bool:
    """Whether a change of a number is a leap: more than LEAP steps, or more than one step and more than half of the value."""
    size = abs(steps)
    return size > LEAP or (size > 1 and 2 * size > abs(value))


def knobs_of(
    game: Game, cards: CardSet, units: Sequence[str], patterns: Sequence[str] | None = None, leaps: bool = False
) -> Knobs:
    """Find the numbers that may be changed.

    units: ids of the entrants or members; for the owner of a number see `owner_of`. patterns: paths with `*` (see `matching`).
    The default is the numbers of the units, or if the rules allow no change of these, all numbers except those of the rules and
    of boards (`board_fields`). leaps: whether to include leaps, see `is_leap`. Left alone: numbers that the file marks as fixed,
    that are not whole, whose every step the card rules refuse, or that have no effect on play. Raises ValueError for a pattern
    without a match.
    """
    for pattern in patterns or ():
        if not matching(cards.document, pattern):
            raise ValueError(f"fields={pattern!r}: fits no number of the card file; `fairfight cards` lists them")
    if patterns:
        return _chosen(game, cards, paths_of(cards, patterns), units, leaps)
    boards = board_fields(cards.document)
    every = [path for path in numeric_fields(cards.document) if not path.startswith(f"{RULES}.") and path not in boards]
    of_units = _chosen(game, cards, [path for path in every if owner_of(cards.document, path, units) is not None], units, leaps)
    return of_units if of_units.knobs else _chosen(game, cards, every, units, leaps)


def _chosen(game: Game, cards: CardSet, paths: Sequence[str], units: Sequence[str], leaps: bool) -> Knobs:
    """Divide paths into knobs and numbers that are left alone."""
    fixed = fixed_fields(cards.document)
    knobs, left = [], {}
    for path in paths:
        value = look_up(cards.document, locate(cards.document, path))[1]
        if path in fixed or not isinstance(value, int):
            left[path] = "fixed in the card file" if path in fixed else "not a whole number"
            continue
        steps, refused = [], ""
        for way in (-1, 1):  # outwards on each side, up to the first that is refused
            for size in range(1, REACH + 1):
                if is_leap(value, size) and not leaps:
                    break
                (step,) = numeric_steps(game, cards, [path], [way * size])
                if step.cards is None:
                    refused = step.refused
                    break
                steps += [] if step.idle else [step.step]
        if steps:
            knobs.append(Knob(path, value, owner_of(cards.document, path, units), tuple(sorted(steps))))
        else:
            left[path] = f"refused: {refused}" if refused else "without effect on play"
    return Knobs(game, cards, tuple(knobs), left)


def described(knobs: Knobs, steps: Steps) -> list[dict[str, Any]]:
    """The changes as records: path, before, after."""
    chosen = [(knobs.knobs[number], by) for number, by in steps]
    return [{"path": knob.path, "before": knob.before, "after": knob.before + by} for knob, by in chosen]


LOOKS, CHECKS, RETEST = 0.35, 0.15, 0.25  # shares of all games; trials of proposals have the rest
CHECKED = 4  # maximum number of checks of proposals, each of which can change the proposal
TRIALS = 48  # proposals tried, if there are enough games
LEAST_LOOK = 400  # games with the current cards, in which single numbers are tested
LEAST_TRIAL = 400  # games of a proposal


class NoNumberError(ValueError):
    """Raised if no number may be changed."""


class TooFewGamesError(ValueError):
    """Raised if there are not enough games to find a proposal better than chance. least: sufficient number of games."""

    def __init__(self, message: str, least: int) -> None:
        super().__init__(message)
        self.least = least


@dataclass(frozen=True)
class Plan:
    """Games of each part.

    look_games: with the current cards; a number is tested in those of its unit. trial_games: of each of `trials` proposals.
    retest_games: of the current cards, and of the best set of each size, at the end. check_games: of a proposal before that.
    """

    look_games: int
    trial_games: int
    trials: int
    retest_games: int
    check_games: int = 0

    @classmethod
    def of(cls, games: int, knobs: Knobs, cells: Cells, max_changes: int, focus: bool = False) -> Plan:
        """Divide a number of games. focus: they are those of one unit. Raises TooFewGamesError."""
        size = 1 if cells.members is None else cells.members.shape[1]
        part = 1.0 if focus else min(1.0, cells.seats * size / cells.units)  # of the games in which a unit plays
        per_look = 1 + sum(len(looks(knob.steps)) * (1.0 if knob.unit is None else part) for knob in knobs.knobs)
        look = int(LOOKS * games / per_look)
        left = int((1 - LOOKS - CHECKS - RETEST) * games)
        trials = min(TRIALS, left // LEAST_TRIAL)
        if look < LEAST_LOOK or trials < 2 * max_changes:
            for_looks, for_trials = round(LEAST_LOOK * per_look / LOOKS), least_games(max_changes)
            least = max(for_looks, for_trials)
            numbers = f"{len(knobs.knobs)} number{'s' if len(knobs.knobs) != 1 else ''} that may be changed take at least"
            fewer = "name fewer numbers with --fields"
            raise TooFewGamesError(
                f"games={games}: {numbers} {count(for_looks)} games; play more, or {fewer}"
                if for_looks >= for_trials
                else f"games={games}: --max-changes {max_changes} takes at least {count(for_trials)} games; "
                "play more, or allow fewer",
                least,
            )
        retest = int(RETEST * games / (1 + max_changes))
        return cls(look, left // trials, trials, retest, int(CHECKS * games / CHECKED))


def least_games(max_changes: int) -> int:
    """Number of games below which no search is useful, for any set of numbers."""
    return round(2 * max_changes * LEAST_TRIAL / (1 - LOOKS - CHECKS - RETEST))


def looks(steps: tuple[int, ...]) -> tuple[int, ...]:
    """Steps of a number that are tested first: the smallest down and the smallest up."""
    down, up = [step for step in steps if step < 0], [step for step in steps if step > 0]
    return (*down[-1:], *up[:1])
