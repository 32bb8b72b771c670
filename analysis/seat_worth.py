"""What a seat is worth: the win share of whoever goes first, overall and by who meets whom, from games in pairs.

Every line-up is played from all seats with the same dice, each entrant's own (`Experiment(paired=True, coupling="entrant")`): the
strength of the entrants and most of their luck is in both games and falls out. A pair is one observation (see
`paired_rates`). Truncated games are left out. A win that nobody has, in lost games, is shared out equally, so that an equal part
is always fair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.estimates import LEVEL, adjust
from analysis.frames import distinct
from analysis.paired_rates import against_fair, stratified, sums_of
from analysis.pairs import grouped_changes
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.run import Block, blocks

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
