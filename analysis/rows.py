"""What the simulator hands over, and checks of it.

Rows are structured arrays, one row per game: `game` (index within the run), `seats` (players), `entrant` and `share`
by seat (SEATS_MAX wide, only the first `seats` entries mean anything; shares of the win in 0..1), `status` (a Status:
finished or capped), `turns`, `decisions`, `first` (seat that moved first, -1 if that means nothing). `outcomes` holds
the facts that the game itself wrote, fields of shape (N,), (N, SEATS_MAX) or either with k parts at the end.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.engine.table import Status

Rows = NDArray[np.void]


def check_entrants(entrant: NDArray[Any], entrants: int) -> None:
    """Raise ValueError if an entrant index is not in 0..entrants-1."""
    if entrant.size and not 0 <= int(entrant.min()) <= int(entrant.max()) < entrants:
        raise ValueError(f"entrants {entrant.min()}..{entrant.max()} in the rows must be in 0..{entrants - 1}")


def check_rows(rows: Rows) -> None:
    """Raise ValueError if a row has an unknown status, or seats or a first seat that do not exist."""
    width = rows["entrant"].shape[1]
    faults = {
        "status": ~np.isin(rows["status"], (Status.FINISHED, Status.CAPPED)),
        "seats": (rows["seats"] < 1) | (rows["seats"] > width),
        "first": (rows["first"] < -1) | (rows["first"] >= rows["seats"]),
    }
    right = {"status": "1 (finished) or 2 (capped)", "seats": f"1..{width}", "first": "-1..seats-1"}
    for field, wrong in faults.items():
        if wrong.any():
            row = rows[int(np.argmax(wrong))]
            raise ValueError(f"{field}={row[field]} of game {row['game']} must be {right[field]}")
