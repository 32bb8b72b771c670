"""Win rates from the games of a study, at all numbers of seats."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.answer.verdicts import row_level, with_verdicts
from analysis.data.rows import Tally
from analysis.data.study import OF_TEAMS, Study
from analysis.stats.intervals import shares
from analysis.stats.sequential import half_widths, share_sequence
from analysis.winrates.play import Until
from analysis.winrates.rates import by_place, fair_at, win_rates

POINTS = (1.0, 0.5, 0.25)  # half-widths of the table of games needed, in percentage points


def entrant_rates(study: Study) -> pd.DataFrame:
    """Win rates at all numbers of seats, of entrants or the parts of teams; those of each number of seats judged together."""
    return rates_of(study, study.tally)


def rates_of(study: Study, tally: Tally) -> pd.DataFrame:
    """Win rates of a tally at all numbers of seats (see `rates.win_rates`)."""
    members = study.teams.members if study.teams else None
    return pd.concat([win_rates(tally, seats, study.units, members=members) for seats in study.seats], ignore_index=True)


def places(study: Study) -> pd.DataFrame:
    """Win rates by turn position at all numbers of seats from two up; empty if no game has a first mover."""
    tables = [by_place(study.tally, seats) for seats in study.contests]
    tables = [part for part in tables if part["n"].sum() > 0]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def sequence_rates(study: Study, seats: int) -> pd.DataFrame | None:
    """Win rates at this number of seats, best first; None for teams unless there are two seats.

    Columns: seats, name, estimate, low, high (confidence sequence: beta-binomial for entrants, whose games are independent, over
    rounds for parts of teams), n, fair, verdict, fixed (half-width for a fixed number of games), half (half-width of the
    confidence sequence). All intervals of a number of seats hold together.
    """
    fair = fair_at(study.tally, seats)
    if study.teams is None:
        fixed = win_rates(study.tally, seats, study.names)
        counts, tuned = (fixed["wins"], fixed["n"]), max(1.0, float(fixed["n"].mean()))
        level = row_level(int((fixed["n"] > 0).sum()))
        frame = share_sequence(*counts, tuned, level).assign(name=fixed["name"], fixed=half_widths(fixed), fair=fair)
        frame = with_verdicts(frame)
    elif seats == OF_TEAMS and study.rows_of_teams:
        counted = Until(study.main(seats), min(POINTS) / 100)
        counted.add(np.concatenate(study.rows_of_teams))
        widths = pd.Series(half_widths(shares(counted.sums, counted.level)).clip(max=1.0), study.units)
        frame = counted.rates(fair)
        frame = frame.assign(fixed=widths.loc[frame["name"]].to_numpy())
    else:
        return None
    frame = frame.assign(seats=seats, half=half_widths(frame))
    return frame.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)
