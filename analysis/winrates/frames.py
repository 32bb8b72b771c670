"""Frames of win rates from the sums of a run: by entrant, by turn position and by pair.

Intervals are computed between pairs if games share their dice, else between single games. If policies differ by seat and
entrants rotate through the seats, the variance is the one within seats.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.answer.verdicts import row_level, with_verdicts
from analysis.data.encounters import SeatStrata, against_fair
from analysis.data.rows import distinct
from analysis.winrates import rates
from analysis.winrates.play import Played
from analysis.winrates.rates import fair_at, matrix


def win_rates(played: Played) -> pd.DataFrame:
    """Win rate of each entrant, best first: columns as `rates.win_rates`; with pairs also pairs, effective and gain.

    With a precision, bounds, p-values and verdicts are those of the confidence sequence, unless it is that of parts of teams.
    """
    experiment, tally, until = played.experiment, played.tally, played.until
    seats, names, fair = experiment.seats, experiment.cards.names, fair_at(tally, experiment.seats)
    strata = played.pairs or seat_strata(played)
    if strata is None:
        frame = rates.win_rates(tally, seats, names)
    else:
        level = row_level(int((strata.of_entrants["x"] > 0).sum()))
        frame = with_verdicts(against_fair(strata.of_entrants, fair, level)).assign(wins=strata.of_entrants["y"])
        frame = rates.ranked(frame, seats, names, (tally.games_of[seats], tally.truncated_of[seats]))
    if until is None or until.of_parts:
        return frame
    judged = until.rates(fair).set_index("unit")
    frame = frame[frame["entrant"].isin(judged.index)].reset_index(drop=True)
    columns = ["low", "high", "p", "p_holm", "verdict"]
    return frame.assign(**{name: judged.loc[frame["entrant"], name].to_numpy() for name in columns})


def by_position(played: Played) -> pd.DataFrame:
    """Win share of each turn position: columns as `rates.by_place`; with pairs also pairs, effective and gain."""
    tally, seats = played.tally, played.experiment.seats
    if played.pairs is None:
        return rates.by_place(tally, seats)
    frame = against_fair(played.pairs.of_positions, fair_at(tally, seats))
    return pd.DataFrame({"seats": seats, "position": np.arange(seats)}).join(frame)


def met(played: Played, names: list[str]) -> pd.DataFrame:
    """Every pair of entrants from both sides at two seats: columns as `rates.pairs`; with pairs also pairs, effective, gain.

    p_holm: against an even match, adjusted over all pairs played. Games without a winner are left out.
    """
    strata = played.pairs or seat_strata(played)
    if strata is None or not strata.has_matchups:
        return rates.pairs(matrix(played.tally, names))
    row, column = np.nonzero(~np.eye(strata.entrants, dtype=bool))
    cells, mirrored = row * strata.entrants + column, column * strata.entrants + row
    half = row < column  # each pair is one test
    tested = against_fair(strata.of_matchups.iloc[cells[half]], 0.5)["p_holm"]
    frame = against_fair(strata.of_matchups.iloc[cells].reset_index(drop=True), 0.5)
    frame = frame.assign(p_holm=tested.loc[np.where(half, cells, mirrored)].to_numpy())
    labels = np.array(distinct(names), object)
    return pd.DataFrame({"name": labels[row], "opponent_name": labels[column]}).join(frame)


def seat_strata(played: Played) -> SeatStrata | None:
    """Sums with the variance within seats, if policies differ by seat and entrants rotate through the seats; else None."""
    experiment = played.experiment
    if len(set(experiment.policies)) == 1 or experiment.line_up is not None:
        return None
    return SeatStrata.of(played.tally, experiment.seats)
