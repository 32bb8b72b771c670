"""What the tables of win rates say of a run that was to go on until it is precise: bounds, why it ended, how it goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from analysis.estimates import LEVEL
from analysis.matchups import fair_share
from analysis.playing import Played
from analysis.until import INTERRUPTED, REACHED, USED_UP, Until, games_to_go
from analysis.verdicts import COLUMNS
from analysis.wording import THIN, count

Command = Callable[..., str]  # writes a command from the options that change: precision (points), games

FINER = 2.0  # how many times as precise the run is that goes on from one that was precise enough


def judged(rates: pd.DataFrame, played: Played) -> pd.DataFrame:
    """Win rates of the entrants (`matchups.win_rates`) with the bounds, p-values and verdicts of the confidence sequence.

    Unchanged of an ordinary run, and where the parts of teams were judged.
    """
    until = played.until
    if until is None or until.of_parts:
        return rates
    seats = played.experiment.seats
    found = until.rates(fair_share(seats, float(played.tally.decided[seats]))).set_index("unit")
    columns = ["low", "high", "p", "p_holm", *COLUMNS]
    kept = rates[rates["entrant"].isin(found.index)].reset_index(drop=True)
    return kept.assign(**{name: found.loc[kept["entrant"], name].to_numpy() for name in columns})


def reason(played: Played, until: Until) -> str:
    """Why the run ended."""
    if played.interrupted:
        return INTERRUPTED
    return REACHED if until.widest <= until.half_width else USED_UP


def following(played: Played, command: Command) -> str:
    """The command that goes on, with the same seed: the games of this run are its first games."""
    until = played.until
    assert until is not None
    why = reason(played, until)
    if why == REACHED:
        return command(precision=100 * until.half_width / FINER, games=None)
    most = until.experiment.games_wanted if why == INTERRUPTED else games_to_go(until, played.games)
    return command(precision=100 * until.half_width, games=most)


def lines(played: Played, command: Command | None) -> list[str]:
    """Why the run ended, how precise it is, and what goes on."""
    until = played.until
    if until is None:
        return []
    looked = f"{count(len(until.looked))} look{'' if len(until.looked) == 1 else 's'}"
    said = {
        REACHED: f"Stopped because every win rate is known to {_points(until.half_width)}",
        USED_UP: f"Stopped because the games were used up before every win rate was known to {_points(until.half_width)}",
        INTERRUPTED: f"Interrupted before every win rate was known to {_points(until.half_width)}",
    }[reason(played, until)]
    widest = f"the widest interval reaches {_points(_widest(played, until), 2)} from its estimate"
    found = [f"{said}: {widest}, after {count(played.games)} games and {looked}."]
    return [*found, f"To go on from these games: {following(played, command)}"] if command else found


def as_json(played: Played, command: Command | None) -> dict[str, Any]:
    """The same as plain values, under `precision`; empty of an ordinary run."""
    until = played.until
    if until is None:
        return {}
    found = {
        "wanted": until.half_width,
        "half_width": _widest(played, until),
        "stopped_because": reason(played, until),
        "looks": until.looked,
        "level": LEVEL,
        "observations": until.observations,
        "command": following(played, command) if command else None,
    }
    return {"precision": found}


def _widest(played: Played, until: Until) -> float:
    """The half-width of the games counted, which of an interrupted run are more than those of the last look."""
    return until.widest_now() if played.interrupted else until.widest


def _points(half_width: float, digits: int | None = None) -> str:
    """A half-width in percentage points."""
    points = 100 * half_width
    return f"\u00b1{points:g}{THIN}points" if digits is None else f"{points:.{digits}f}{THIN}points"
