"""Upsets: how often the last turns of a game overturn who is ahead."""

from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.data import rows
from analysis.timeline.courses import Courses
from analysis.timeline.leads import leading

BACK = 8  # turns before the end, at most
SIDES = ("another seat was ahead", "no seat was ahead")


def before_end(courses: Courses) -> NDArray[np.int64]:
    """Who was ahead before the last turn, the last two, ... of each game with a sole winner: 0 the winner, else as in SIDES."""
    won = np.flatnonzero(courses.winner >= 0)
    first, after = (np.searchsorted(courses.game, won, side) for side in ("left", "right"))
    line = after[:, None] - 1 - np.arange(1, BACK + 1)  # the last line is the last decision of the last turn
    ahead = np.where(line >= first[:, None], np.append(leading(courses), -1)[np.maximum(line, -1)], -1)
    return np.where(ahead < 0, 2, ahead != courses.winner[won][:, None])


def upsets(courses: Courses) -> pd.DataFrame:
    """Shares of the games with a sole winner in which another seat, or none, was ahead before the last turns.

    Columns: x (turns before the end), line (see SIDES), and those of `rows.shares`. Intervals cover both the chance in which
    games were played and the uncertainty of the calibration.
    """
    return pd.concat([_shares(courses, side).assign(line=line, x=range(1, BACK + 1)) for side, line in enumerate(SIDES, 1)])


def _shares(courses: Courses, side: int) -> pd.DataFrame:
    """Share of one side by number of turns before the end (see `rows.shares`)."""
    won = courses.winner >= 0
    game, column = np.indices((int(won.sum()), BACK)).reshape(2, -1)
    hit = before_end(courses)[game, column] == side
    found = rows.shares(courses.key[won][game], column, hit, BACK)
    if (fits := courses.calibration) is None:
        return found
    weight, under = fits.weight[:, won], (before_end(replace(courses, chance=chance)) for chance in fits.chances())
    drawn = np.stack([line @ (state == side) for line, state in zip(weight, under, strict=True)])
    games = weight.sum(axis=1, keepdims=True)
    drawn = np.where(games > 0, drawn / np.maximum(games, 1), found["estimate"])
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return found.assign(low=np.minimum(found["low"], low), high=np.maximum(found["high"], high))
