"""What a seat and a turn position are worth: win shares by place against the fair share (see `matchups.fair_share`)."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.estimates import LEVEL
from analysis.frames import distinct
from analysis.matchups import against_fair, check_fit, fair_share, incidence
from analysis.tally import Counts, Sums, Tally

Place = Literal["seat", "position"]


def by_place(tally: Tally, seats: int, place: Place = "position", level: float = LEVEL) -> pd.DataFrame:
    """Win share of each seat, or of each turn position (0 moved first), over all entrants.

    Columns: seats, seat or position, estimate, low, high, n, wins, fair, p, p_holm, p_bh; over finished games. The
    p-values of one table hang together, for one place wins what the others lose: Holm's hold none the less.
    """
    check_fit(tally, seats)
    games, wins = _sums(tally, seats, place)
    table = against_fair(wins.sum(axis=0), games.sum(axis=0), _fair(tally, seats), level)
    table.insert(0, "seats", seats)
    table.insert(1, place, np.arange(seats))
    return table


def by_entrant_and_place(
    tally: Tally, seats: int, names: Sequence[str], place: Place = "position", level: float = LEVEL
) -> pd.DataFrame:
    """Win rate of each entrant in each seat or turn position, in the order of the entrants.

    Columns: seats, entrant, name, seat or position, estimate, low, high, n, wins, fair, p, p_holm, p_bh.
    """
    check_fit(tally, seats, names)
    return _by_name_and_place(_sums(tally, seats, place), names, (seats, place, _fair(tally, seats), level))


def by_part_and_place(
    tally: Tally,
    seats: int,
    members: NDArray[np.integer[Any]],
    names: Sequence[str],
    place: Place = "position",
    level: float = LEVEL,
) -> pd.DataFrame:
    """Win rate of each part of the entrants, which are teams, in each seat or turn position; columns as above.

    members: (entrants, size) numbers of parts; names: of the parts.
    """
    check_fit(tally, seats)
    within = incidence(members, len(names))
    games, wins = _sums(tally, seats, place)
    return _by_name_and_place((within.T @ games, within.T @ wins), names, (seats, place, _fair(tally, seats), level))


def _by_name_and_place(
    sums: tuple[Counts, Sums], names: Sequence[str], how: tuple[int, Place, float, float]
) -> pd.DataFrame:
    """The table of `by_entrant_and_place` from games and wins by name and place; how: seats, place, fair share, level."""
    (games, wins), (seats, place, fair, level) = sums, how
    table = against_fair(wins.ravel(), games.ravel(), fair, level)
    entrant = np.repeat(np.arange(len(names)), seats)
    table.insert(0, "seats", seats)
    table.insert(1, "entrant", entrant)
    table.insert(2, "name", np.array(distinct(names), object)[entrant])
    table.insert(3, place, np.tile(np.arange(seats), len(names)))
    return table


def _fair(tally: Tally, seats: int) -> float:
    return fair_share(seats, float(tally.decided[seats]))


def _sums(tally: Tally, seats: int, place: Place) -> tuple[Counts, Sums]:
    """Games and wins of these seats, (E, seats)."""
    if place not in ("seat", "position"):
        raise ValueError(f"place={place!r} must be 'seat' or 'position'")
    by_seat = place == "seat"
    games = tally.seat_games if by_seat else tally.position_games
    wins = tally.seat_wins if by_seat else tally.position_wins
    return games[seats, :, :seats], wins[seats, :, :seats]
