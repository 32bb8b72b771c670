"""Sums over games that are all a table of win rates needs: constant memory, fed block by block, merged with +."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.rows import Rows, check_entrants, check_rows
from sim.engine.table import Status

Counts = NDArray[np.int64]
Sums = NDArray[np.float64]

MATCHUPS_MAX = 1000  # entrants of which every pair is counted (16 MB); pairs of more would hold too few games


@dataclass(frozen=True, eq=False)
class Tally:
    """Sums over games by number of seats K (axis 0, index 0..seats_max), entrant E, seat or turn position S.

    Wins are sums of win shares. All but `games`, `capped`, `capped_of`, `turns` and
    `decisions` count finished games only: a capped game is never a draw. A line-up with an entrant in two seats counts
    once for each. Any order of adding and merging gives the same sums to the last bit up to some ten million
    games, for shares have few digits.
    """

    games: Counts  # (K,) played
    capped: Counts  # (K,) stopped at the limit
    turns: Counts  # (K,) turns of all games, capped ones too
    decisions: Counts  # (K,) decisions of all games, capped ones too
    capped_of: Counts  # (K, E) capped games by entrant
    seat_games: Counts  # (K, E, S) by seat
    seat_wins: Sums
    position_games: Counts  # (K, E, S) by turn position 0..; games without a first seat are left out
    position_wins: Sums
    matchup_games: Counts  # (E, E) of two seats: wins of the row's entrant against the column's; see `has_matchups`
    matchup_wins: Sums
    seated_wins: Sums  # (2, E, E) wins of the row's entrant on seat 0 and on seat 1; counted only if asked for

    @classmethod
    def empty(cls, entrants: int, seats_max: int, by_seating: bool = False) -> "Tally":
        """Make a tally of no games for entrants 0..entrants-1 at up to seats_max seats, both at least 1.

        by_seating: also count `seated_wins`, where seats do not play alike.
        """
        if entrants < 1 or seats_max < 1:
            raise ValueError(f"entrants={entrants} and seats_max={seats_max} must be at least 1")
        by_seats, by_entrant = (seats_max + 1,), (seats_max + 1, entrants)
        by_place, paired = (seats_max + 1, entrants, seats_max), entrants if entrants <= MATCHUPS_MAX else 0
        shapes = [by_seats] * 4 + [by_entrant] + [by_place] * 4 + [(paired, paired)] * 2
        shapes.append((2, paired, paired) if by_seating else (0, 0, 0))
        kinds = [np.float64 if field.name.endswith("wins") else np.int64 for field in fields(cls)]
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
        """Whether pairs are counted: up to MATCHUPS_MAX entrants; the tables of more are 0 x 0."""
        return self.matchup_games.size > 0

    @property
    def finished(self) -> Counts:
        """(K,) games that ended by the rules."""
        return self.games - self.capped

    @property
    def lost(self) -> Counts:
        """(K,) finished games that nobody won."""
        won: Counts = decided_games(self.seat_wins.sum(axis=(1, 2)))
        return self.finished - won

    @property
    def decided(self) -> Sums:
        """(K,) share of the finished games that somebody won; 1 where there are none."""
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

    def add(self, rows: Rows) -> "Tally":
        """Add a block of rows (see `frames`) in place; returns itself. Nothing is added if ValueError is raised."""
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
            raise ValueError(f"tallies of {self.seat_games.shape} and {other.seat_games.shape} do not belong together")
        return Tally(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))

    def _add(self, rows: Rows, seats: int) -> None:
        """Add rows that all have this number of seats."""
        capped, done = rows[rows["status"] == Status.CAPPED], rows[rows["status"] == Status.FINISHED]
        self.games[seats] += len(rows)
        self.capped[seats] += len(capped)
        self.turns[seats] += rows["turns"].sum(dtype=np.int64)
        self.decisions[seats] += rows["decisions"].sum(dtype=np.int64)
        self.capped_of[seats] += np.bincount(capped["entrant"][:, :seats].ravel(), minlength=self.entrants)
        entrant, share = done["entrant"][:, :seats].astype(np.int64), done["share"][:, :seats]
        place = np.broadcast_to(np.arange(seats), entrant.shape)
        _accumulate((self.seat_games[seats], self.seat_wins[seats]), entrant, place, share)
        placed = done["first"] >= 0
        place = (place - done["first"][:, None]) % seats
        by_position = (self.position_games[seats], self.position_wins[seats])
        _accumulate(by_position, entrant[placed], place[placed], share[placed])
        if seats == 2 and self.has_matchups:
            _accumulate((self.matchup_games, self.matchup_wins), entrant, entrant[:, ::-1], share)
            for seat, wins in enumerate(self.seated_wins):
                np.add.at(wins, (entrant[:, seat], entrant[:, 1 - seat]), share[:, seat])


def decided_games(shares: Any) -> Any:
    """Games that somebody won, from the sums of all their win shares.

    A game that all lose adds nothing, any other 1, but for the last digits of shares such as a third: whole numbers.
    """
    return np.rint(shares).astype(np.int64)


def _accumulate(into: tuple[Any, Any], row: Counts, column: Counts, share: NDArray[np.float32]) -> None:
    """Add games and wins at [row, column] to two tables of one shape."""
    height, width = into[0].shape
    cell = (row * width + column).ravel()
    games, wins = into
    games += np.bincount(cell, minlength=height * width).reshape(height, width)
    wins += np.bincount(cell, share.ravel(), height * width).reshape(height, width)
