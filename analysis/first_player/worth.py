"""Value of going first, overall, by matchup, and over the values of the rules that can make up for going second.

Win shares by turn position come from games in pairs: every line-up is played from all seats, with the dice of each entrant kept
(`Experiment(paired=True, coupling="entrant")`). Both games of a pair share the strength of the entrants and most of their luck,
which cancel out, so a pair is one observation. Truncated games are left out. In a game without a winner the win is shared
equally, so that an equal share is always fair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.answer.model import NoAnswerError
from analysis.data.encounters import against_fair, stratified, sums_of
from analysis.data.player import Player
from analysis.data.rows import distinct
from analysis.data.shares import Play
from analysis.stats.intervals import adjust
from analysis.stats.paired import grouped_changes
from analysis.variants.variant import each_value
from sim.engine.loop import Status
from sim.engine.measures import SeatParameter
from sim.experiments.experiment import Experiment
from sim.run import Block, blocks

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TWO_SEATS = 2
COLUMNS = ["estimate", "low", "high", "fair", "p", "p_holm", "n", "pairs", "gain"]


class NoFirstPlayerError(NoAnswerError):
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
            raise NoFirstPlayerError(f"{experiment.game.title}: no player goes first in any of these games")
        return cls(experiment, experiment.pair_of(game), entrant, share, truncated, played)

    @property
    def by_pair(self) -> pd.Series:
        """Mean win share of the first player, by number of the pair."""
        return pd.Series(self.share[:, 0]).groupby(self.pair).mean()


def overall(games: SeatGames) -> pd.DataFrame:
    """Win share of each turn position, one row each.

    Columns: seats, position (0 goes first), estimate, low, high, fair, p (against fair), p_holm (over the positions; equal to p
    at two seats, which are a single test), n (games), pairs, gain (ratio of the number of games needed without common dice).
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
    return against_fair(sums, 1 / seats)[COLUMNS]


def by_matchup(games: SeatGames) -> pd.DataFrame:
    """Win share of the first player in each matchup, largest first.

    Columns: entrant, opponent (numbers; entrant <= opponent), name, then those of `overall` from estimate on; p_holm over all
    matchups. Raises ValueError unless the experiment has two seats.
    """
    meeting, met = _meetings(games)
    names = np.array(distinct(games.experiment.cards.names), object)
    words = [" \u2013 ".join(line_up) for line_up in names[met]]
    return _by_cell(games, meeting[:, None], {"entrant": met[:, 0], "opponent": met[:, 1], "name": words})


def by_unit(games: SeatGames) -> pd.DataFrame:
    """Win share of the first player in the games of each entrant, or of each member of a team, largest first.

    Columns: name, then those of `overall` from estimate on; p_holm over all units. Raises ValueError unless the
    experiment has two seats.
    """
    teams = games.experiment.teams
    names = distinct(teams.names if teams else games.experiment.cards.names)
    units = teams.members[games.entrant].reshape(len(games.pair), -1) if teams else games.entrant
    return _by_cell(games, units, {"name": names})


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
    for name, source in (("estimate", "change"), ("low", "low"), ("high", "high")):
        rates.loc[met, name] = (1 + scored[source].to_numpy()) / TWO_SEATS
    rates.loc[met, "p"] = scored["p"].to_numpy()
    once = np.sort(cells, axis=1)
    n = np.bincount(once[np.diff(once, axis=1, prepend=-1) > 0], minlength=size)
    rates = labelled.join(rates.assign(p_holm=adjust(rates["p"]), n=n))
    return rates[n > 0].sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


def _meetings(games: SeatGames) -> tuple[Ints, Ints]:
    """Number of each game's matchup, regardless of seats, and the entrants of each matchup, (matchups, seats)."""
    met, number = np.unique(np.sort(games.entrant, axis=1), axis=0, return_inverse=True)
    return number.reshape(-1), met


EVEN = 0.5
LEAST_GAMES = 100  # of each value: fewer are not informative
BASE = 0.5  # share of the games that are played with the rules as they are


@dataclass(frozen=True, eq=False)
class Sweep:
    """Win share of the first player over the values of one rule, with all other rules as played.

    table: value, present (as played), estimate, low, high, p, n, pairs, gain, one row per value, rising. refused: values that the
    card rules refuse.
    """

    parameter: SeatParameter
    table: pd.DataFrame
    refused: tuple[int, ...]

    @property
    def present(self) -> float:
        """The value as played; nan if the card rules refuse it."""
        rows = self.table.loc[self.table["present"], "value"]
        return float(rows.iloc[0]) if len(rows) else float("nan")

    @property
    def nearest(self) -> pd.Series:
        """The row whose share is nearest to one half."""
        return self.table.iloc[int((self.table["estimate"] - EVEN).abs().to_numpy().argmin())]


def games_each(games: int, parameters: tuple[SeatParameter, ...]) -> tuple[int, int]:
    """Divide games: those with the rules as they are, and those of each other value."""
    values = sum(len(parameter.values) - 1 for parameter in parameters)
    if not values:
        return games, 0
    return max(1, round(games * BASE)), max(1, round(games * (1 - BASE) / values))


def afforded(parameters: tuple[SeatParameter, ...], games: int) -> tuple[SeatParameter, ...]:
    """The first parameters of which every value gets LEAST_GAMES games; none if there are too few games for one."""
    kept = parameters
    while kept and games_each(games, kept)[1] < LEAST_GAMES:
        kept = kept[:-1]
    return kept


def sweep(base: Experiment, as_played: SeatGames, games: int, parameter: SeatParameter, play: Play | None = None) -> Sweep:
    """Play every value of a parameter with the same dice. games: of each value.

    as_played: games of `base` with the rules as they are, which need not be played again.
    """
    present = each_value(base.game, base.cards, parameter.path, (str(parameter.values[0]),))[0].before
    values = {*parameter.values, *([present] if isinstance(present, int) else [])}
    rows, refused = [], []
    for step in each_value(base.game, base.cards, parameter.path, tuple(map(str, sorted(values)))):
        if step.cards is None:
            refused.append(int(step.value))
            continue
        is_present = step.idle if step.before is None else step.value == step.before  # a rule left to its default has no value
        changed = replace(base, cards=step.cards, games_wanted=games)
        first = overall(as_played if is_present else SeatGames.of(changed, play)).iloc[0]
        rows.append(
            {"value": int(step.value), "present": is_present, **first[["estimate", "low", "high", "p", "n", "pairs", "gain"]]}
        )
    return Sweep(parameter, pd.DataFrame(rows), tuple(refused))


@dataclass(frozen=True, eq=False)
class SeatWorth:
    """What going first is worth in the games of an experiment.

    overall, matchups, units: see `overall`, `by_matchup` and `by_unit`, the latter two at two seats only, and matchups not for
    teams. sweeps: None if they were not asked for; left: parameters for which there were too few games. truncated, games: base
    games that were stopped at a limit and left out, and all base games. played: all games, including those of the sweeps.
    """

    experiment: Experiment
    overall: pd.DataFrame
    matchups: pd.DataFrame | None
    units: pd.DataFrame | None
    sweeps: list[Sweep] | None
    left: tuple[str, ...]
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


def worth_of(base: Experiment, games: int, swept: bool, player: Player, held: Experiment | None = None) -> SeatWorth:
    """Play the games of an experiment and measure what going first is worth.

    games: in all, divided by `games_each`. swept: also play other values of the game's seat parameters, at two seats. held: an
    experiment whose games have been played already, used as they are, in pairs or not; without it, pairs are played. If an
    interrupt ends the games of a partial player, unfinished sweeps are dropped. Raises ValueError if there is only one seat, and
    NoFirstPlayerError if no player goes first.
    """
    every = base.game.seat_parameters if swept and base.seats == TWO_SEATS else ()
    parameters = afforded(every, games)
    first, each = games_each(games, parameters)
    made, games_played = held or paired(replace(base, games_wanted=first)), 0

    def counting(experiment: Experiment) -> Iterator[Block]:
        nonlocal games_played
        for block in player.play(experiment, "going first", games):
            games_played += len(block.rows)
            yield block

    base_games = SeatGames.of(made, counting)
    made = player.counted(made, base_games.played)
    sweeps: list[Sweep] | None = [] if swept else None
    interrupted = bool(player.shown)
    try:
        for parameter in parameters:
            sweeps = [*(sweeps or []), sweep(made, base_games, each, parameter, counting)]
    except KeyboardInterrupt:
        if not player.partial:
            raise
        interrupted = True
    two = made.seats == TWO_SEATS
    return SeatWorth(
        made,
        overall(base_games),
        by_matchup(base_games) if two and made.teams is None else None,
        by_unit(base_games) if two else None,
        sweeps,
        tuple(parameter.path for parameter in every if parameter not in parameters),
        base_games.truncated,
        base_games.played,
        games_played,
        interrupted,
    )
