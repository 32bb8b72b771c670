"""Rows as the simulator returns them, made by hand or at random."""

import numpy as np

from sim.engine.loop import Status
from sim.engine.measures import Measure

SEATS_MAX = 4
ROW = np.dtype(
    [
        ("game", np.uint64),
        ("seats", np.int8),
        ("entrant", np.int16, (SEATS_MAX,)),
        ("share", np.float32, (SEATS_MAX,)),
        ("status", np.int8),
        ("turns", np.int32),
        ("decisions", np.int32),
        ("first", np.int8),
    ]
)


def fact(field, per="seat", kind="count", **more):
    """A measure of a field of the outcomes, labelled by the field's name."""
    return Measure(field, field, "", per, kind, **more)


def game(entrants, shares=None, first=0, turns=10):
    """One row; a game without shares was truncated."""
    row = np.zeros(1, ROW)
    seats = len(entrants)
    row["seats"], row["first"], row["turns"], row["decisions"] = seats, first, turns, 2 * turns
    row["entrant"] = [*entrants, *[-1] * (SEATS_MAX - seats)]
    row["status"] = Status.TRUNCATED if shares is None else Status.FINISHED
    row["share"][0, :seats] = 0 if shares is None else shares
    return row


def games(*rows):
    """Number the rows and concatenate them."""
    table = np.concatenate([*rows, np.zeros(0, ROW)])
    table["game"] = np.arange(len(table))
    return table


def random_games(number, entrants=5, seed=1):
    """Games of 1 to 4 seats, some truncated, some without a first seat, some with wins shared by thirds or halves."""
    rng = np.random.default_rng(seed)
    rows = []
    for seats in rng.integers(1, SEATS_MAX + 1, number).tolist():
        lineup = rng.choice(entrants, seats, replace=False)
        winners = rng.choice(seats, int(rng.choice([1, 1, 1, seats])), replace=False)
        shares = np.where(np.isin(np.arange(seats), winners), 1 / len(winners), 0)
        first = int(rng.integers(-1, seats))
        rows.append(game(lineup, None if rng.random() < 0.1 else shares, first, int(rng.integers(1, 400))))
    return games(*rows)
