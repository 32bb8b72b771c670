"""Frames of a study for what teams are made of, and the values of measures that have several numbers."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import parts_frame
from analysis.study import Study
from sim.engine.measures import Measure

Floats = NDArray[np.float64]


def contest(study: Study) -> int:
    """The number of seats at which teams are looked at: the fewest with an opponent."""
    return min(study.contests)


def at(frame: pd.DataFrame, seats: int) -> pd.DataFrame:
    """The lines of a frame at so many seats."""
    chosen: pd.DataFrame = frame.loc[frame["seats"] == seats]
    return chosen


def of_parts(study: Study, seats: pd.DataFrame, fields: Mapping[str, int]) -> pd.DataFrame:
    """What the parts of the teams did in the seats of a frame (see `frames.parts_frame`). Raises ValueError without teams."""
    if study.teams is None:
        raise ValueError(f"{study.game.name}: {', '.join(fields)} count by part, but the entrants are no teams")
    return parts_frame(seats, study.teams.members, study.teams.names, fields)


def numbers(frame: pd.DataFrame, measure: Measure) -> Floats:
    """All numbers of a measure, shape (lines, parts); of a measure without parts (lines, 1)."""
    names = [f"{measure.field}_{part}" for part in range(len(measure.parts))] or [measure.field]
    return frame[names].to_numpy(np.float64)
