"""Rows of the simulator: checks, sums (`Tally`), and frames by game, by seat or by part of a team.

Rows are structured arrays, one row per game: `game` (index within the run), `seats` (number), `entrant` and `share` by seat
(SEATS_MAX wide, only the first `seats` entries are valid; shares of the win in 0..1), `status` (a Status: finished or
truncated), `turns`, `decisions`, `first` (seat that moved first, -1 if not applicable). `outcomes` holds the facts that the
game itself records, fields of shape (N,), (N, SEATS_MAX) or either with k parts at the end.

`Tally` needs constant memory, for games too many for a frame: blocks are added, tallies are merged with +.

Mean amounts by part (deaths by cause, points by source) and win shares in groups of games or seats. The seats of a game are
correlated, and games that share their dice can agree more than chance predicts: intervals are those of `intervals.ratios` over
clusters. That of a share is never narrower than that of single games.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from analysis.stats.intervals import LEVEL, Interval, cluster_sums, clusters_of, p_effective, ratios
from sim.engine.loop import Status
from sim.engine.measures import Measure
from sim.experiments.experiment import Experiment
from sim.run import Block

__all__ = ["Rows", "Tally", "categorical", "distinct", "games_frame", "parts_frame", "seats_frame"]

Rows = NDArray[np.void]


def check_entrants(entrant: NDArray[Any], entrants: int) -> None:
    """Raise ValueError if an entrant index is not in 0..entrants-1."""
    if entrant.size and not 0 <= int(entrant.min()) <= int(entrant.max()) < entrants:
        raise ValueError(f"entrants {entrant.min()}..{entrant.max()} in the rows must be in 0..{entrants - 1}")


def check_rows(rows: Rows) -> None:
    """Raise ValueError if a row has an unknown status, or seats or a first seat that do not exist."""
    width = rows["entrant"].shape[1]
    faults = {
        "status": ~np.isin(rows["status"], (Status.FINISHED, Status.TRUNCATED)),
        "seats": (rows["seats"] < 1) | (rows["seats"] > width),
        "first": (rows["first"] < -1) | (rows["first"] >= rows["seats"]),
    }
    right = {"status": "1 (finished) or 2 (truncated)", "seats": f"1..{width}", "first": "-1..seats-1"}
    for field, wrong in faults.items():
        if wrong.any():
            row = rows[int(np.argmax(wrong))]
            raise ValueError(f"{field}={row[field]} of game {row['game']} must be {right[field]}")


Counts = NDArray[np.int64]
Sums = NDArray[np.float64]

MATCHUPS_MAX = 1000  # entrants up to which all matchups are counted (16 MB); with more, each would have too few games


@dataclass(frozen=True, eq=False)
class Tally:
    """Sums over games by number of seats K (axis 0, index 0..seats_max), entrant E, seat or turn position S.

    Wins are sums of win shares, fields that end in `shared` sums of share (1 - share), see `effective_games`. All
    fields except `games`, `truncated`, `truncated_of`, `turns` and `decisions` count finished
    games only: a truncated game is not a draw. An entrant on two seats counts once for each. Sums do not depend on the order of
    adding and merging, to the last bit, up to about ten million games, because shares have few digits.
    """

    games: Counts  # (K,) played
    truncated: Counts  # (K,) truncated
    turns: Counts  # (K,) turns of all games, including truncated ones
    decisions: Counts  # (K,) decisions of all games, including truncated ones
    truncated_of: Counts  # (K, E) truncated games by entrant
    seat_games: Counts  # (K, E, S) by seat
    seat_wins: Sums
    position_games: Counts  # (K, E, S) by turn position 0..; games without a first seat are left out
    position_wins: Sums
    matchup_games: Counts  # (E, E) at two seats, row's entrant against the column's; see `has_matchups`
    matchup_wins: Sums
    seated_wins: Sums  # (2, E, E) wins of the row's entrant on seat 0 and on seat 1; counted only on request
    draws: Counts  # (K,) games whose win is shared
    seat_shared: Sums  # (K, E, S)
    position_shared: Sums  # (K, E, S)
    matchup_shared: Sums  # (E, E)

    @classmethod
    def empty(cls, entrants: int, seats_max: int, by_seating: bool = False) -> "Tally":
        """Make a tally of no games for entrants 0..entrants-1 at up to seats_max seats, both at least 1.

        by_seating: also count `seated_wins`, for seats with different policies.
        """
        if entrants < 1 or seats_max < 1:
            raise ValueError(f"entrants={entrants} and seats_max={seats_max} must be at least 1")
        by_seats, by_entrant = (seats_max + 1,), (seats_max + 1, entrants)
        by_place, paired = (seats_max + 1, entrants, seats_max), entrants if entrants <= MATCHUPS_MAX else 0
        shapes = [by_seats] * 4 + [by_entrant] + [by_place] * 4 + [(paired, paired)] * 2
        shapes.append((2, paired, paired) if by_seating else (0, 0, 0))
        shapes += [by_seats, by_place, by_place, (paired, paired)]
        kinds = [np.float64 if field.name.endswith(("wins", "shared")) else np.int64 for field in fields(cls)]
        tables: list[Any] = [np.zeros(shape, kind) for shape, kind in zip(shapes, kinds, strict=True)]
        return cls(*tables)

    @property
    def entrants(self) -> int:
        """Number of entrants."""
        return int(self.seat_games.shape[1])

    @property
    def seats_max(self) -> int:
        """Largest number of seats."""
        return int(self.seat_games.shape[2])

    @property
    def has_matchups(self) -> bool:
        """Whether matchups are counted: up to MATCHUPS_MAX entrants; with more, the tables are 0 x 0."""
        return self.matchup_games.size > 0

    @property
    def finished(self) -> Counts:
        """(K,) games that ended by the rules."""
        return self.games - self.truncated

    @property
    def lost(self) -> Counts:
        """(K,) finished games without a winner."""
        won: Counts = decided_games(self.seat_wins.sum(axis=(1, 2)))
        return self.finished - won

    @property
    def decided(self) -> Sums:
        """(K,) share of the finished games with a winner; 1 without finished games."""
        finished = self.finished
        return 1 - np.divide(self.lost, finished, out=np.zeros(finished.size), where=finished > 0)

    @property
    def games_of(self) -> Counts:
        """(K, E) finished games by entrant."""
        return np.asarray(self.seat_games.sum(axis=2))

    @property
    def wins(self) -> Sums:
        """(K, E) wins by entrant."""
        return np.asarray(self.seat_wins.sum(axis=2))

    @property
    def shared(self) -> Sums:
        """(K, E) sums of share (1 - share) by entrant."""
        return np.asarray(self.seat_shared.sum(axis=2))

    def add(self, rows: Rows) -> "Tally":
        """Add a block of rows in place; returns itself. Nothing is added if ValueError is raised."""
        check_rows(rows)
        if rows["entrant"].shape[1] > self.seats_max and len(rows) and rows["seats"].max() > self.seats_max:
            raise ValueError(f"rows hold games of {rows['seats'].max()} seats, this tally at most {self.seats_max}")
        check_entrants(rows["entrant"][np.arange(rows["entrant"].shape[1]) < rows["seats"][:, None]], self.entrants)
        for seats in np.unique(rows["seats"]).tolist():
            self._add(rows[rows["seats"] == seats], seats)
        return self

    def tables(self) -> dict[str, NDArray[Any]]:
        """All sums by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def merge(self, tables: dict[str, NDArray[Any]]) -> None:
        """Add the `tables` of other games of the same entrants in place."""
        for name, table in self.tables().items():
            np.add(table, tables[name].astype(table.dtype), out=table)

    def __add__(self, other: "Tally") -> "Tally":
        """Merge two tallies of the same entrants into a new one."""
        if not isinstance(other, Tally):
            return NotImplemented
        if self.seat_games.shape != other.seat_games.shape:
            raise ValueError(f"tallies of {self.seat_games.shape} and {other.seat_games.shape} must have the same shape")
        return Tally(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))

    def _add(self, rows: Rows, seats: int) -> None:
        """Add rows with this number of seats."""
        truncated, done = rows[rows["status"] == Status.TRUNCATED], rows[rows["status"] == Status.FINISHED]
        self.games[seats] += len(rows)
        self.truncated[seats] += len(truncated)
        self.turns[seats] += rows["turns"].sum(dtype=np.int64)
        self.decisions[seats] += rows["decisions"].sum(dtype=np.int64)
        self.truncated_of[seats] += np.bincount(truncated["entrant"][:, :seats].ravel(), minlength=self.entrants)
        entrant, share = done["entrant"][:, :seats].astype(np.int64), done["share"][:, :seats]
        self.draws[seats] += np.count_nonzero(((share > 0) & (share < 1)).any(axis=1))
        place = np.broadcast_to(np.arange(seats), entrant.shape)
        by_seat = (self.seat_games[seats], self.seat_wins[seats], self.seat_shared[seats])
        _accumulate(by_seat, entrant, place, share)
        placed = done["first"] >= 0
        place = (place - done["first"][:, None]) % seats
        by_position = (self.position_games[seats], self.position_wins[seats], self.position_shared[seats])
        _accumulate(by_position, entrant[placed], place[placed], share[placed])
        if seats == 2 and self.has_matchups:
            by_matchup = (self.matchup_games, self.matchup_wins, self.matchup_shared)
            _accumulate(by_matchup, entrant, entrant[:, ::-1], share)
            for seat, wins in enumerate(self.seated_wins):
                np.add.at(wins, (entrant[:, seat], entrant[:, 1 - seat]), share[:, seat])


def decided_games(shares: Any) -> Any:
    """Number of games with a winner, from the sums of all their win shares.

    A game that all lose adds 0, any other 1, up to rounding of shares such as a third; so the sums are rounded.
    """
    return np.rint(shares).astype(np.int64)


def _accumulate(into: tuple[Any, Any, Any], row: Counts, column: Counts, share: NDArray[np.float32]) -> None:
    """Add games, wins and sums of share (1 - share) at [row, column] to three tables of the same shape."""
    height, width = into[0].shape
    cell = (row * width + column).ravel()
    games, wins, shared = into
    games += np.bincount(cell, minlength=height * width).reshape(height, width)
    wins += np.bincount(cell, share.ravel(), height * width).reshape(height, width)
    shared += np.bincount(cell, (share * (1 - share)).ravel(), height * width).reshape(height, width)


Columns = dict[str, Any]


def games_frame(rows: Rows, outcomes: Rows, measures: Sequence[Measure]) -> pd.DataFrame:
    """One row per game: game, seats, first, turns, decisions, finished, and every measure per game.

    Measures with parts give columns field_0, field_1, ... Raises ValueError if rows, outcomes and measures do not match.
    """
    _check(rows, outcomes)
    table: Columns = {name: rows[name] for name in ("game", "seats", "first", "turns", "decisions")}
    table["finished"] = rows["status"] == Status.FINISHED
    for measure in measures:
        if measure.per == "game":
            table |= _measured(outcomes, measure, widths=())
    return pd.DataFrame(table)


def seats_frame(rows: Rows, outcomes: Rows, measures: Sequence[Measure], names: Sequence[str]) -> pd.DataFrame:
    """One row per game and seat, in that order: identity, result, and every measure per seat.

    Columns: game, seats, seat, position (0 moved first, -1 if not applicable), entrant (index into `names`), name
    (categorical), share, won (has a share in the win of a finished game), finished, turns, then the measures, those with
    parts as field_0, field_1, ... Raises ValueError if rows, outcomes, measures and names do not match.
    """
    _check(rows, outcomes)
    width = rows["entrant"].shape[1]
    widths = range(width, int(rows["seats"].max(initial=1)) - 1, -1)
    used = np.arange(width) < rows["seats"][:, None]
    line, seat = np.nonzero(used)
    seats, first, entrant = rows["seats"][line], rows["first"][line], rows["entrant"][used]
    check_entrants(entrant, len(names))
    position = np.where(first < 0, -1, (seat - first) % np.maximum(seats, 1))
    finished = rows["status"][line] == Status.FINISHED
    table: Columns = {
        "game": rows["game"][line],
        "seats": seats,
        "seat": seat.astype(np.int8),
        "position": position.astype(np.int8),
        "entrant": entrant,
        "name": categorical(entrant, names),
        "share": rows["share"][used],
        "won": finished & (rows["share"][used] > 0),
        "finished": finished,
        "turns": rows["turns"][line],
    }
    for measure in measures:
        if measure.per == "seat":
            table |= _measured(outcomes, measure, widths, used)
    return pd.DataFrame(table)


def parts_frame(seats: pd.DataFrame, members: NDArray[Any], names: Sequence[str], fields: Mapping[str, int]) -> pd.DataFrame:
    """One row per game, seat and part of its team, in that order: the seat's result and the part's measures.

    seats: see `seats_frame`, of entrants that are teams; members: (entrants, size) indexes of parts; names: of the parts.
    fields: measures per seat that count by member -> number of things that each counts per member; their columns field_0,
    field_1, ... hold member 0, then member 1, ... Columns: game, seat, entrant, share, won, finished, part (index into
    `names`), name (categorical), then each field, as field_0, field_1, ... if it counts several things. Raises ValueError for a
    measure without columns for all members.
    """
    size = members.shape[1]
    part = members[seats["entrant"].to_numpy(np.int64)].ravel()
    kept = ("game", "seat", "entrant", "share", "won", "finished")
    table: Columns = {name: np.repeat(seats[name].to_numpy(), size) for name in kept}
    table |= {"part": part, "name": categorical(part, names)}
    for field, things in fields.items():
        columns = [f"{field}_{index}" for index in range(size * things)]
        if not set(columns) <= set(seats):
            raise ValueError(f"measure {field!r} must have the columns {columns[0]}..{columns[-1]}, {size} x {things}")
        values = seats[columns].to_numpy().reshape(-1, things)
        table |= {field: values[:, 0]} if things == 1 else {f"{field}_{index}": values[:, index] for index in range(things)}
    return pd.DataFrame(table)


def categorical(codes: NDArray[Any], names: Sequence[str]) -> Any:
    """Convert codes 0, 1, 2, ... to names; other codes become missing. Equal names get a number, see `distinct`."""
    signed = codes.astype(np.int32)
    known = np.where((signed >= 0) & (signed < len(names)), signed, np.int32(-1))
    return pd.Categorical.from_codes(known, pd.Index(distinct(names)))


def distinct(names: Sequence[str]) -> list[str]:
    """Make names unique by adding a number to repeated ones, e.g. "Archer (2)"."""
    seen: set[str] = set()
    result = []
    for name in names:
        candidate, number = name, 1
        while candidate in seen:
            number += 1
            candidate = f"{name} ({number})"
        seen.add(candidate)
        result.append(candidate)
    return result


def _check(rows: Rows, outcomes: Rows) -> None:
    check_rows(rows)
    if len(rows) != len(outcomes):
        raise ValueError(f"{len(rows)} rows and {len(outcomes)} outcomes must belong to the same games")


def _measured(outcomes: Rows, measure: Measure, widths: Sequence[int], used: Any = slice(None)) -> Columns:
    """Columns of a measure: its field, or field_0, field_1, ... for parts.

    widths: allowed numbers of seats of a field per seat, the usual one first; empty for a measure per game. A field can have
    more parts than the card set names. used: (N, width) seats that exist.
    """
    if measure.field not in (outcomes.dtype.names or ()):
        raise ValueError(f"measure {measure.field!r} is not among the outcomes {outcomes.dtype.names}")
    values = outcomes[measure.field]
    if measure.parts and values.ndim > 1:
        values = values[..., : len(measure.parts)]
    parts = (len(measure.parts),) if measure.parts else ()
    expected = [(width, *parts) for width in widths] or [parts]
    if values.shape[1:] not in expected:
        raise ValueError(f"measure {measure.field!r} per {measure.per} has shape {values.shape[1:]}, expected {expected[0]}")
    values = values[used[:, : values.shape[1]]] if widths else values
    columns = {f"{measure.field}_{part}": column for part, column in enumerate(values.T)} if parts else {measure.field: values}
    if measure.kind == "category":
        return {name: categorical(column, measure.categories) for name, column in columns.items()}
    return {name: column != 0 if measure.kind == "flag" else np.ascontiguousarray(column) for name, column in columns.items()}


TOTAL = "all together"  # name of the sum over all parts


def rates(
    game: NDArray[Any], group: NDArray[Any], amount: NDArray[Any], base: NDArray[Any], level: float = LEVEL
) -> pd.DataFrame:
    """Sum of an amount over the sum of its base, by group 0, 1, ...; rows of the same game and group are one observation.

    game, group, amount, base: one entry per row; group: from 0 on; base: at least 0. Columns: estimate, low, high (see
    `intervals.ratios`; NaN where the base is 0, bounds NaN for a single game), n (games), sum, base; one row per group up to
    the highest. The interval has width zero if all games are equal.
    """
    if not np.size(group):
        return pd.DataFrame(columns=["estimate", "low", "high", "n", "sum", "base"])
    sums = cluster_sums(*clusters_of(game, group), amount, base)
    return ratios(sums, level).assign(sum=sums["y"], base=sums["x"])


def shares(key: ArrayLike, group: ArrayLike, won: ArrayLike, groups: int | None = None, level: float = LEVEL) -> pd.DataFrame:
    """Mean of win shares 0..1 by group 0, 1, ..., one row each up to the highest group, or `groups` rows.

    key, group, won: one entry per game; games with the same key are one cluster. Columns: estimate, low, high (NaN without
    games), n (games), effective (number of independent games with the same variance). Raises ValueError if lengths differ or a
    share is outside 0..1.
    """
    share, owner, cluster = np.asarray(won, np.float64), np.asarray(group, np.int64), np.asarray(key)
    if share.ndim != 1 or owner.shape != share.shape or cluster.shape != share.shape:
        raise ValueError(
            f"key {cluster.shape}, group {owner.shape} and won {share.shape} must be one-dimensional and of the same length"
        )
    if share.size and not (share.min() >= 0 and share.max() <= 1):
        raise ValueError(f"shares must lie in 0..1, found {share.min()}..{share.max()}")
    lines = int(owner.max(initial=-1)) + 1 if groups is None else groups
    sums = cluster_sums(*clusters_of(cluster, owner), share, np.ones(share.size), lines)
    return ratios(sums.assign(ss=np.bincount(owner, share * share, lines)), level, "wilson", "single games")


def share(key: ArrayLike, won: ArrayLike, level: float = LEVEL) -> Interval:
    """Mean of win shares of games, one group of `shares`; all NaN without games."""
    line = shares(key, np.zeros(np.size(won), np.int64), won, 1, level).iloc[0]
    return Interval(line["estimate"], line["low"], line["high"], int(line["n"]), level)


p_against = p_effective
COLUMNS = ["estimate", "low", "high", "n", "effective"]  # of `shares`


def finished(frame: pd.DataFrame, seats: int) -> pd.DataFrame:
    """Rows of a frame that belong to finished games at this number of seats."""
    chosen: pd.DataFrame = frame.loc[frame["finished"] & (frame["seats"] == seats)]
    return chosen


def at(frame: pd.DataFrame, seats: int) -> pd.DataFrame:
    """Rows of a frame at this number of seats."""
    chosen: pd.DataFrame = frame.loc[frame["seats"] == seats]
    return chosen


def results(
    experiment: Experiment, play: Callable[[Experiment], Iterator[Block]], measures: tuple[Measure, ...] = ()
) -> pd.DataFrame:
    """One row per game: `games_frame` with additional columns share_0, share_1, ... (of the win, by seat) and dice."""
    parts = []
    for block in play(experiment):
        frame = games_frame(block.rows, block.outcomes, measures)
        shares = {f"share_{seat}": block.rows["share"][:, seat].copy() for seat in range(experiment.seats)}
        dice = experiment.plan_of(block.rows["game"].astype(np.int64))["dice"]
        parts.append(frame.assign(**shares, dice=dice))
    return pd.concat(parts, ignore_index=True)
