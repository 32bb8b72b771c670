"""What a seat and a turn position are worth: win shares by place against the fair share (see `matchups.fair_share`)."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd

from analysis.estimates import LEVEL
from analysis.frames import distinct
from analysis.matchups import against_fair, check_fit, fair_share
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
    games, wins = _sums(tally, seats, place)
    table = against_fair(wins.ravel(), games.ravel(), _fair(tally, seats), level)
    entrant = np.repeat(np.arange(tally.entrants), seats)
    table.insert(0, "seats", seats)
    table.insert(1, "entrant", entrant)
    table.insert(2, "name", np.array(distinct(names), object)[entrant])
    table.insert(3, place, np.tile(np.arange(seats), tally.entrants))
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
