"""Win rates by entrant, opponent, seat and turn position.

Win rates are over finished games; the share of truncated games is given separately.

Sums over games from which win rates are computed, and their long form for runs that keep only a summary.

In the long form a row is one cell of one table of `Counts`: quantity (the table's name), axis_0 to axis_2 (index into it, -1
where the table has fewer axes), value. Zero cells are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.answer.verdicts import row_level, with_verdicts
from analysis.data.encounters import Encounters, PairTally
from analysis.data.rows import MATCHUPS_MAX, Counts, Rows, Sums, Tally, decided_games, distinct
from analysis.stats import intervals
from analysis.stats.intervals import LEVEL, adjust, p_against, proportions
from analysis.stats.paired import paired_changes
from sim.engine.dice import SEATS_MAX
from sim.engine.loop import Status
from sim.experiments.experiment import Experiment
from sim.run import Block
from sim.store import StoreError

Members = NDArray[np.integer[Any]]
CELL = ("estimate", "low", "high", "n", "p_holm", "p_bh")  # fields of a matchup


@dataclass(frozen=True, eq=False)
class Matchups:
    """Win rates of each entrant (row) against each other (column) at two seats; arrays E x E, nan on the diagonal.

    n: finished games of the pair with a winner, so that both win rates sum to 1. p_holm: p-value against an even match,
    adjusted over all pairs played (Holm); p_bh: the same after Benjamini and Hochberg. n and p-values are symmetric.
    """

    names: tuple[str, ...]
    estimate: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    n: NDArray[np.int64]
    p_holm: NDArray[np.float64]
    p_bh: NDArray[np.float64]


def win_rates(
    tally: Tally, seats: int, names: Sequence[str], members: Members | None = None, level: float | None = None
) -> pd.DataFrame:
    """Win rate of each entrant at this number of seats against the fair share (see `fair_share`), best first.

    Columns: seats, entrant, name, estimate, low, high (simultaneous over all entrants that play: see `verdicts.row_level`), n,
    wins, fair, p, p_holm, p_bh (against the fair share), verdict (against the fair band: see `verdicts.with_verdicts`), truncated
    (share of the entrant's games stopped at a limit). Entrants without finished games come last with NaN. At one seat there is no
    fair share: fair and all p-values are NaN, the verdict is empty, and each interval holds alone.

    members: for teams, (entrants, size) indices of their parts; rates are then those of the parts, called `names`, over all games
    of teams with the part, and `entrant` is the part. They are raw: they include what partners and opponents contribute (see
    `analysis.teams.model`). level: of each interval, by default that at which all hold together. Raises ValueError if seats or
    names do not fit the tally.
    """
    check_fit(tally, seats, names if members is None else None)
    columns = (tally.wins, tally.shared, tally.games_of, tally.truncated_of)
    wins, shared, games, truncated = (column[seats] for column in columns)
    if members is not None:
        within = incidence(members, len(names))
        wins, shared, games, truncated = (column @ within for column in (wins, shared, games, truncated))
    fair = fair_at(tally, seats)
    interval_level = row_level(int(np.count_nonzero(games)) if seats > 1 else 1) if level is None else level
    return ranked(with_verdicts(against_fair(wins, games, fair, shared, interval_level)), seats, names, (games, truncated))


def ranked(rates: pd.DataFrame, seats: int, names: Sequence[str], games: tuple[Counts, Counts]) -> pd.DataFrame:
    """Add seats, entrant, name and the share of truncated games to rates, best first. games: finished and truncated ones."""
    finished, truncated = (pd.Series(counts) for counts in games)
    table = pd.DataFrame({"seats": seats, "entrant": np.arange(len(names)), "name": distinct(names)})
    table = table.join(rates.assign(truncated=truncated / (finished + truncated)))
    return table.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


def matrix(tally: Tally, names: Sequence[str]) -> Matchups:
    """Win rates of every pair at two seats, both seatings together.

    Raises ValueError if names do not fit, or if there are too many entrants for pairs (`Tally.has_matchups`).
    """
    check_fit(tally, min(2, tally.seats_max), names)
    if not tally.has_matchups:
        raise ValueError(f"{tally.entrants} entrants: matchups are counted for at most {MATCHUPS_MAX}")
    wins = tally.matchup_wins
    n = decided_games(wins + wins.T)
    np.fill_diagonal(n, 0)
    played, wins, shared = n > 0, wins.clip(max=n), tally.matchup_shared  # sums of thirds can exceed n by rounding
    estimate, low, high = bounds = np.full((3, *n.shape), np.nan)
    known = proportions(wins[played], n[played], shared=shared[played])
    bounds[:, played] = known[["estimate", "low", "high"]].to_numpy().T
    pairs = np.triu(played)  # each pair is one test
    cells = zip(wins[pairs].tolist(), n[pairs].tolist(), shared[pairs].tolist(), strict=True)
    p = [p_against(won, games, 0.5, shared=drawn) for won, games, drawn in cells]
    return Matchups(tuple(distinct(names)), estimate, low, high, n, *_marks(pairs, p))


def of_encounters(encounters: Encounters) -> Matchups:
    """Win rates of every pair of entrants from their encounters, with pairs of games as observations.

    Intervals and p-values are those of `paired_changes` (Tango 1998, McNemar 1947): a pair in which each won a game is no
    evidence against an even match. For single games they are Wilson's and those of the exact binomial test, as in `matrix`.
    """
    row, column = encounters.cells
    rate = encounters.rate
    low, high = np.full((2, *rate.shape), np.nan)
    p: list[float] = []
    if len(row):
        weight = encounters.weight[row, column]
        n = np.ceil(weight)  # half pairs remain if one game of a pair does not count
        changes = paired_changes(encounters.up[row, column], encounters.down[row, column], n)
        below, above = ((changes[end] * n / weight).clip(-1, 1).to_numpy() / 2 for end in ("low", "high"))
        low[row, column], high[row, column] = 0.5 + below, 0.5 + above
        low[column, row], high[column, row] = 0.5 - above, 0.5 - below
        p = changes["p"].tolist()
    met = np.triu(encounters.weight > 0, 1)
    return Matchups(encounters.names, rate, low, high, encounters.games, *_marks(met, p))


def _marks(tested: NDArray[np.bool_], p: list[float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Symmetric p-values after Holm and after Benjamini and Hochberg. tested: cells above the diagonal, in the order of p."""
    tables = np.full((2, *tested.shape), np.nan)
    tables[0][tested], tables[1][tested] = adjust(p, "holm"), adjust(p, "bh")
    holm, bh = (np.where(tested, table, table.T) for table in tables)
    return holm, bh


def pairs(matchups: Matchups) -> pd.DataFrame:
    """Table of every pair, once from each side; NaN if it was not played.

    Columns: name, opponent_name, estimate, low, high, n (games with a winner), p_holm, p_bh.
    """
    names = np.array(matchups.names, object)
    row, column = np.nonzero(~np.eye(len(names), dtype=bool))
    cells = {field: getattr(matchups, field)[row, column] for field in CELL}
    return pd.DataFrame({"name": names[row], "opponent_name": names[column], **cells})


def incidence(members: Members, parts: int) -> NDArray[np.int64]:
    """Count each part in each team, (entrants, parts). members: (entrants, size) indices of parts."""
    within = np.zeros((len(members), parts), np.int64)
    np.add.at(within, (np.arange(len(members))[:, None], members), 1)
    return within


def wins_by_unit(rows: Rows, seats: int, within: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Wins and finished games of each unit in each game, both (games, units). within: (entrants, units), see `incidence`."""
    wins, games = np.zeros((2, len(rows), within.shape[1]))
    finished = (rows["status"] == Status.FINISHED).astype(np.float64)[:, None]
    for seat in range(seats):
        sits = within[rows["entrant"][:, seat]] * finished
        games += sits
        wins += sits * rows["share"][:, seat, None]
    return wins, games


def against_fair(
    wins: NDArray[Any], games: NDArray[Any], fair: float, shared: NDArray[Any], level: float = LEVEL
) -> pd.DataFrame:
    """Win rates with intervals and p-values against the fair share, one line each.

    wins, games (finished), shared (see `intervals.effective_games`): one-dimensional, of one length. Columns: estimate, low,
    high, n, wins, fair, p, p_holm, p_bh; p is NaN without games or without a fair share.
    """
    cells = list(zip(wins.tolist(), games.tolist(), shared.tolist(), strict=True))
    tests = {cell for cell in cells if cell[1] and not np.isnan(fair)}  # with thousands of entrants many have equal counts
    p_of = {(won, n, drawn): p_against(won, n, fair, shared=drawn) for won, n, drawn in tests}
    p = [p_of.get(cell, np.nan) for cell in cells]
    table = proportions(wins, games, level, shared=shared)
    return table.assign(wins=wins, fair=fair, p=p, p_holm=adjust(p, "holm"), p_bh=adjust(p, "bh"))


def fair_share(seats: int, decided: float = 1.0) -> float:
    """Win share of an entrant as strong as the others: 1/seats of the games with a winner; NaN at one seat.

    decided: share of games with a winner (`Tally.decided`), below 1 if all can lose. As the mean over all entrants it is known
    far better than any single win rate, and is treated as exact.
    """
    return decided / seats if seats > 1 else float("nan")


def fair_at(tally: Tally, seats: int) -> float:
    """Fair share of the games of a tally at this number of seats."""
    return fair_share(seats, float(tally.decided[seats]))


def check_fit(tally: Tally, seats: int, names: Sequence[str] | None = None) -> None:
    """Raise ValueError if the tally lacks this number of seats or, if names are given, their number differs from its entrants."""
    if not 1 <= seats <= tally.seats_max:
        raise ValueError(f"seats={seats} must be in 1..{tally.seats_max}")
    if names is not None and len(names) != tally.entrants:
        raise ValueError(f"{len(names)} names for {tally.entrants} entrants")


Place = Literal["seat", "position"]


def by_place(tally: Tally, seats: int, place: Place = "position") -> pd.DataFrame:
    """Win share of each seat, or of each turn position (0 moved first), over all entrants.

    Columns: seats, seat or position, estimate, low, high, n, wins, fair, p, p_holm, p_bh; over finished games. The
    p-values of a table are correlated, because one place wins what the others lose; Holm's adjustment is still valid.
    """
    check_fit(tally, seats)
    games, wins, shared = (column.sum(axis=0) for column in _sums(tally, seats, place))
    table = against_fair(wins, games, fair_at(tally, seats), shared)
    return pd.DataFrame({"seats": seats, place: np.arange(seats)}).join(table)


def by_entrant_and_place(
    tally: Tally, seats: int, names: Sequence[str], place: Place = "position", members: Members | None = None
) -> pd.DataFrame:
    """Win rate of each entrant in each seat or turn position, in the order of the entrants.

    Columns: seats, entrant, name, seat or position, estimate, low, high, n, wins, fair, p, p_holm, p_bh. members: for teams, as
    in `win_rates`; the rates are then those of the parts.
    """
    check_fit(tally, seats, names if members is None else None)
    games, wins, shared = _sums(tally, seats, place)
    if members is not None:
        within = incidence(members, len(names))
        games, wins, shared = within.T @ games, within.T @ wins, within.T @ shared
    entrant, seat = (index.ravel() for index in np.indices(games.shape))
    labels = {"seats": seats, "entrant": entrant, "name": np.array(distinct(names), object)[entrant], place: seat}
    return pd.DataFrame(labels).join(against_fair(wins.ravel(), games.ravel(), fair_at(tally, seats), shared.ravel()))


def _sums(tally: Tally, seats: int, place: Place) -> tuple[Counts, Sums, Sums]:
    """Games, wins and sums of share (1 - share) by entrant and place, (E, seats)."""
    if place not in ("seat", "position"):
        raise ValueError(f"place={place!r} must be 'seat' or 'position'")
    by_seat = place == "seat"
    games = tally.seat_games if by_seat else tally.position_games
    wins = tally.seat_wins if by_seat else tally.position_wins
    shared = tally.seat_shared if by_seat else tally.position_shared
    return games[seats, :, :seats], wins[seats, :, :seats], shared[seats, :, :seats]


Tables = dict[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class SumsOfGames:
    """Sums over games, added block by block in order: constant memory. Fields that do not apply are None."""

    tally: Tally
    parts: PartTally | None  # if entrants are teams
    pairs: PairTally | None  # if games share their dice

    @classmethod
    def of(cls, experiment: Experiment) -> SumsOfGames:
        """Create empty counts."""
        tally = Tally.empty(len(experiment.cards.ids), SEATS_MAX, by_seating=len(set(experiment.policies)) > 1)
        parts = PartTally(experiment) if experiment.teams is not None else None
        return cls(tally, parts, PairTally(experiment) if experiment.pair_games > 1 else None)

    @property
    def _kept(self) -> list[Tally | PartTally | PairTally]:
        """The sums that apply."""
        return [sums for sums in (self.tally, self.parts, self.pairs) if sums is not None]

    def add(self, rows: Rows) -> None:
        """Count the next block of rows."""
        for sums in self._kept:
            sums.add(rows)

    def tables(self) -> Tables:
        """Return all sums by name. Those of whole rounds of one experiment can be added up with `merge`."""
        return {name: table for sums in self._kept for name, table in sums.tables().items()}

    def merge(self, tables: Tables) -> None:
        """Add the sums of other games of the same experiment."""
        for sums in self._kept:
            sums.merge(tables)


AXES = ("axis_0", "axis_1", "axis_2")
NO_AXIS = -1
LARGEST = 2.0**53  # largest sum; above it whole numbers are no longer exact


def summarise(experiment: Experiment, blocks: Iterable[Block]) -> Tables:
    """Count games and return the sums as columns of equal length; see `sim.store.Summarise`."""
    counts = SumsOfGames.of(experiment)
    for block in blocks:
        counts.add(block.rows)
    tables = {name: table for name, table in counts.tables().items() if table.any()}
    cells = [np.argwhere(table) for table in tables.values()]
    padded = [np.pad(index, ((0, 0), (0, len(AXES) - index.shape[1])), constant_values=NO_AXIS) for index in cells]
    where = np.concatenate(padded).astype(np.int32)
    return {
        "quantity": np.repeat(list(tables), [len(index) for index in cells]),
        **{axis: np.ascontiguousarray(where[:, number]) for number, axis in enumerate(AXES)},
        "value": np.concatenate([table[table != 0].astype(np.float64) for table in tables.values()]),
    }


def add_sums(counts: SumsOfGames, columns: Tables) -> None:
    """Add the sums that `summarise` made of a block. Raises StoreError if they do not fit the experiment."""
    tables = {name: np.zeros(table.shape) for name, table in counts.tables().items()}
    if set(columns) != {"quantity", *AXES, "value"} or any(columns[axis].dtype != np.int32 for axis in AXES):
        raise StoreError("its columns are not those of a summary")
    value = columns["value"]
    if value.dtype != np.float64 or not ((value >= 0) & (value <= LARGEST)).all():
        raise StoreError("its sums are not numbers from 0 to 2^53")
    for name in dict.fromkeys(columns["quantity"].tolist()):
        if name not in tables:
            raise StoreError(f"holds sums of {name!r}, which these games do not have")
        table, lines = tables[name], columns["quantity"] == name
        where = np.stack([columns[axis][lines] for axis in AXES], axis=1)
        used, unused = where[:, : table.ndim], where[:, table.ndim :]
        if (used < 0).any() or (used >= table.shape).any() or (unused != NO_AXIS).any():
            raise StoreError("holds sums of entrants or seats that these games do not have")
        if len(np.unique(used, axis=0)) < len(used):
            raise StoreError("holds a sum twice")
        table[tuple(used.T)] = value[lines]
    counts.merge(tables)


class PartTally:
    """Wins and finished games of the parts of an experiment's teams, by round, because games in a round are correlated.

    Rows are added block by block in order. A team's share of the win counts for each of its parts; a part in two teams of a
    game counts for both.
    """

    def __init__(self, experiment: Experiment) -> None:
        if experiment.teams is None:
            raise ValueError(f"{experiment.game.title} with these cards has no teams")
        self.teams, self.seats = experiment.teams, experiment.seats
        self._round_of = experiment.round_of
        self._within = incidence(self.teams.members, self.teams.parts).astype(np.float64)
        self._sums = intervals.ClusterSums(self.teams.parts)

    def add(self, rows: Rows) -> None:
        """Add the next block of rows. Raises ValueError if it does not follow the previous one."""
        self._sums.add(self._round_of(rows["game"]), *wins_by_unit(rows, self.seats, self._within))

    def tables(self) -> dict[str, np.ndarray]:
        """Return all sums by name, for the summary of a run."""
        return {"part_rounds": self._sums.sums}

    def merge(self, tables: dict[str, np.ndarray]) -> None:
        """Add the `tables` of other rounds of the same experiment."""
        self._sums.merge(tables["part_rounds"])

    def rates(self, fair: float, level: float | None = None) -> pd.DataFrame:
        """Win rate of the teams that contain each part, best first.

        Columns: part (its number), name, estimate, low, high (simultaneous over all parts), error, n (finished games), rounds,
        fair, p (against fair), p_holm, verdict. Parts without finished games come last with NaN. The rates are raw: they include
        what partners and opponents contribute. level: of each interval, by default that at which all hold together.
        """
        sums = self._sums.table()
        rates = intervals.shares(sums, row_level(int((sums["n"] > 0).sum())) if level is None else level)
        p = intervals.cluster_p_against(rates, fair)
        table = with_verdicts(rates.rename(columns={"clusters": "rounds"}).assign(fair=fair, p=p, p_holm=adjust(p)))
        labels = pd.DataFrame({"part": np.arange(self.teams.parts), "name": distinct(self.teams.names)})
        return labels.join(table).sort_values("estimate", ascending=False, kind="stable", ignore_index=True)
