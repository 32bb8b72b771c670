"""Win rate of one entrant in the games with each opponent at the table, from the games that it plays."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.data.shares import Shares
from analysis.stats.intervals import proportions


def opponents(games: Shares, units: NDArray[np.integer], mine: NDArray[np.bool_], number: int) -> pd.DataFrame:
    """Win rates with each opponent at the table, in the order of the units.

    games: by seat. units: (games, places), the unit at each place, with the same number of places for every seat, in the order of
    the seats; number: of units. mine: (games, seats), the seats of the entrant. A unit that sits there too is no opponent.

    Columns: opponent (index of the unit), estimate, low, high (Wilson), n (finished games). Units without games are left out.
    """
    seats = games.share.shape[1]
    size = units.shape[1] // seats
    wins, n, shared = np.zeros((3, number))
    for seat in range(seats):
        chosen = np.flatnonzero(mine[:, seat] & ~games.truncated)
        present = np.zeros((len(chosen), number))
        for place in range(units.shape[1]):
            if place // size != seat:
                present[np.arange(len(chosen)), units[chosen, place]] = 1
        for place in range(seat * size, (seat + 1) * size):
            present[np.arange(len(chosen)), units[chosen, place]] = 0
        share = games.share[chosen, seat].astype(np.float64)
        wins += share @ present
        shared += (share * (1 - share)) @ present
        n += present.sum(axis=0)
    met = np.flatnonzero(n > 0)
    table = proportions(np.minimum(wins[met], n[met]), n[met], shared=shared[met])
    return table[["estimate", "low", "high", "n"]].assign(n=n[met].astype(np.int64), opponent=met)
