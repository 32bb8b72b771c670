"""Games of a report with something changed: those of one entrant (`games_of`), compared step by step (`compared`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from analysis.answer.prose import source_of
from analysis.data.study import Study
from analysis.variants.variant import GamesOf, Step, compare, tried
from sim.experiments.experiment import Experiment


def games_of(study: Study, unit: int, seats: int, seed: int, games: int) -> GamesOf:
    """Balanced games at this number of seats with one entrant, or one part of teams. games: about how many."""
    places = seats * (study.teams.size if study.teams else 1)
    wanted = -(-games * len(study.units) // places)
    return GamesOf.from_experiment(replace(study.experiment(seats, wanted), seed=seed), unit)


def compared(
    study: Study, base: Experiment, steps: Sequence[Step], stage: str, words: dict[str, str] | None = None, **how: Any
) -> pd.DataFrame:
    """`compare` of steps in games of a report, with the columns of `tried`, field (words by path) and source.

    Progress is reported as `stage`. how: before, unit and measure of `compare`. The frame is empty if all steps are refused.
    """
    frame = compare(base, tried(base, steps), partial(study.play_all, stage), **how)
    if frame.empty:
        return frame
    source = [source_of(study.cards, path) for path in frame["path"]]
    return frame.assign(field=frame["path"].map(words or {}), source=source)
