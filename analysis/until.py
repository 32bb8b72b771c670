"""Play until every win rate is known well enough: looks at fixed numbers of games, bounds that hold however often one looks.

What is counted is decided by the design. Where games have dice of their own the entrants' games are the observations; where
pairs share dice, or the parts of teams are judged, pairs or rounds are (see `sequential`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np
import pandas as pd

from analysis.clusters import ClusterSums
from analysis.estimates import FAIR_BAND, adjust
from analysis.frames import distinct
from analysis.matchups import incidence
from analysis.rows import Rows
from analysis.sequential import (
    LEAST_CLUSTERS,
    Floats,
    games_needed,
    half_widths,
    looks,
    mean_p,
    mean_sequence,
    share_p,
    share_sequence,
)
from analysis.verdicts import COLUMNS, judged, sequence
from sim.engine.table import Status
from sim.experiment import Experiment

POINTS_MIN = 0.001  # percentage points: some 10^10 games of each entrant, which take weeks
POINTS_MAX = 50.0  # percentage points: no win rate is farther from the middle
FIRST_LOOK, GROWTH = (
    1000,
    1.1,
)  # games; how many times as many at each further look: at most a tenth too many are played
PASS_MAX = 1000  # games: whole passes of the design are looked at if they are not longer, else whole rounds
ROOM = 2.0  # times as many games as should be needed may be played

REACHED, USED_UP, INTERRUPTED = "precision reached", "games used up", "interrupted"


@dataclass(frozen=True)
class Units:
    """What win rates are wanted of. within: (entrants, units), how often a unit is in an entrant; wanted: units that sit down."""

    words: str
    names: list[str]
    within: Floats
    wanted: list[int]


def checked_precision(points: float) -> float:
    """Half-width as a share from percentage points. Raises ValueError unless POINTS_MIN to POINTS_MAX."""
    if not 0 < points <= POINTS_MAX:
        raise ValueError(
            f"precision={points:g} must be above 0 and at most 50: half the width of the intervals in percentage points"
        )
    if points < POINTS_MIN:
        raise ValueError(
            f"precision={points:g} must be at least {POINTS_MIN:g} percentage points: finer ones take more than 10^10 games"
        )
    return points / 100


def units_of(experiment: Experiment) -> Units:
    """The parts of teams, if there are teams and all of them may meet, else the entrants."""
    teams, entrants = experiment.teams, len(experiment.cards.ids)
    if teams is not None and experiment.line_up is None:
        within = incidence(teams.members, teams.parts).astype(np.float64)
        return Units(teams.words, distinct(teams.names), within, list(range(teams.parts)))
    line_up = experiment.line_up
    wanted = list(range(entrants)) if line_up is None else sorted(set(line_up))
    return Units(experiment.game.entrants_word, distinct(experiment.cards.names), np.eye(entrants), wanted)


def expected_games(experiment: Experiment, half_width: float) -> int:
    """Games of the design after which every win rate near its fair share should be so precise, if games are independent."""
    share = 1 / experiment.seats if experiment.seats > 1 else 0.5
    return ceil(games_needed(half_width, share) / _sits_in(experiment, units_of(experiment)))


def most_games(experiment: Experiment, half_width: float) -> int:
    """Games that may be played where nobody says how many."""
    return ceil(ROOM * expected_games(experiment, half_width))


class Until:
    """Counts the games of a run, block by block in order, and tells when every half-width is small enough.

    half_width: a share. looks: numbers of games after which to ask `reached`, whole passes or rounds of the design.
    """

    def __init__(self, experiment: Experiment, half_width: float) -> None:
        self.experiment, self.half_width = experiment, half_width
        self.units = units_of(experiment)
        whole = experiment.pass_games
        unit = whole if whole is not None and whole <= PASS_MAX else experiment.round_games
        self.looks = looks(experiment.games, unit, FIRST_LOOK, GROWTH)
        self.looked: list[int] = []
        self.widest = 1.0  # half-width at the last look
        self._wins, self._games = np.zeros((2, self.units.within.shape[1]))
        self._groups = ClusterSums(self.units.within.shape[1]) if self._grouped else None

    @property
    def expected(self) -> int:
        """Games of the design that the precision should take."""
        return expected_games(self.experiment, self.half_width)

    @property
    def next_look(self) -> int:
        """Games after which to look next."""
        return self.looks[len(self.looked)]

    @property
    def observations(self) -> str:
        """What the intervals take for independent."""
        if not self._grouped:
            return "games"
        return "rounds" if self.of_parts else "pairs" if self.experiment.seats == 2 else "groups of games"

    def add(self, rows: Rows) -> None:
        """Count a block of rows, none of them beyond the next look."""
        seats = self.experiment.seats
        finished = (rows["status"] == Status.FINISHED).astype(np.float64)
        if self._groups is None:
            entrant = rows["entrant"][:, :seats].astype(np.int64).ravel()
            weight, size = np.repeat(finished, seats), self._games.size
            self._games += np.bincount(entrant, weight, size)
            self._wins += np.bincount(entrant, weight * rows["share"][:, :seats].ravel(), size)
            return
        wins, games = np.zeros((2, len(rows), self._games.size))
        for seat in range(seats):
            within = self.units.within[rows["entrant"][:, seat]] * finished[:, None]
            games += within
            wins += within * rows["share"][:, seat, None]
        number = self.experiment.round_of if self.of_parts else self.experiment.pair_of
        self._groups.add(number(rows["game"]), wins, games)

    def reached(self) -> bool:
        """Look: whether every win rate is precise enough after the games counted."""
        self.looked.append(self.next_look)
        self.widest = self.widest_now()
        return self.widest <= self.half_width

    def widest_now(self) -> float:
        """Half-width of the least certain win rate, a share; 1 where one has no games."""
        return float(half_widths(self.bounds().iloc[self.units.wanted]).max())

    def bounds(self) -> pd.DataFrame:
        """Win rates of all units in the order of their numbers: columns estimate, low, high, n (finished games)."""
        if self._groups is None:
            return share_sequence(self._wins, self._games, self._tuned)
        return mean_sequence(self._groups.table(), self._tuned)

    @property
    def sums(self) -> pd.DataFrame:
        """Sums over the groups of games, as `clusters.ClusterSums.table`. Raises ValueError where games have their own dice."""
        if self._groups is None:
            raise ValueError("games of this design do not hang together; there are no groups of them")
        return self._groups.table()

    def rates(self, fair: float, band: float = FAIR_BAND) -> pd.DataFrame:
        """Win rates of those that sat down, best first.

        Columns: unit (number), name, estimate, low, high, n, fair, p (against fair, valid whenever one stops), p_holm,
        and those of `verdicts.judged`, as valid.
        """
        wanted = self.units.wanted
        found = self.bounds().assign(name=self.units.names, fair=fair, p=self._p(np.full(len(self.units.names), fair)))
        found = found.rename_axis("unit").reset_index().iloc[wanted]
        tail = sequence(found["estimate"], lambda share: self._p(_spread_over(share, wanted, self._games.size))[wanted])
        found = judged(found.assign(p_holm=adjust(found["p"])), tail, band)
        columns = ["unit", "name", "estimate", "low", "high", "n", "fair", "p", "p_holm", *COLUMNS]
        return found[columns].sort_values("estimate", ascending=False, kind="stable", ignore_index=True)

    def _p(self, share: Floats) -> Floats:
        """p-values of all units against shares, (units,), that hold whenever one stops."""
        if self._groups is None:
            return share_p(self._wins, self._games, share, self._tuned)
        return mean_p(self._groups.table(), share, self._tuned)

    @cached_property
    def of_parts(self) -> bool:
        """Whether the parts of teams are judged, not the entrants."""
        return self.experiment.teams is not None and self.experiment.line_up is None

    @cached_property
    def _grouped(self) -> bool:
        """Whether games hang together."""
        return self.of_parts or self.experiment.pair_games > 1

    @cached_property
    def _tuned(self) -> float:
        """Observations of a unit at which its bounds are narrowest: when precise enough, or when all games are played."""
        share = 1 / self.experiment.seats if self.experiment.seats > 1 else 0.5
        sits_in = _sits_in(self.experiment, self.units)
        needed = min(games_needed(self.half_width, share), self.experiment.games * sits_in)
        if not self._grouped:
            return max(1.0, needed)
        together = self.experiment.round_games if self.of_parts else self.experiment.pair_games
        return max(float(LEAST_CLUSTERS), needed / max(1.0, together * sits_in))


def _sits_in(experiment: Experiment, units: Units) -> float:
    """Seats that a unit has in a game, on average over those that sit down."""
    if experiment.line_up is not None:
        return experiment.seats / len(units.wanted)
    return float(experiment.seats * units.within.sum(axis=1).mean() / len(units.wanted))


def _spread_over(values: Floats, wanted: list[int], size: int) -> Floats:
    """Values of the wanted units in the places of all, NaN for the others."""
    found = np.full(size, np.nan)
    found[wanted] = values
    return found


def games_to_go(until: Until, games: int) -> int:
    """Games in all after which the precision should be reached, with some room, from how wide the bounds are after `games`."""
    return ceil(ROOM * max(games, min(games * (until.widest / until.half_width) ** 2, until.expected)))
