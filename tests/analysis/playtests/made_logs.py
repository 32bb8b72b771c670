"""Logs of playtests from known strengths: people with favourites, line-ups that are not balanced."""

from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import softmax

from analysis.playtests.log import Playtests
from analysis.playtests.strengths import groups

Floats = NDArray[np.float64]
FIRST = 0.25  # what moving first is worth, in log-odds


def names(entrants: int) -> list[str]:
    return [f"hero {number}" for number in range(entrants)]


COLUMNS = ["game", "seats", "position", "player", "entrant", "share"]


def made_log(
    rng: np.random.Generator, strength: Floats, skill: Floats, liking: Floats, games: int, seats=(2,), pairs: Floats | None = None
) -> Playtests:
    """Games whose winners are drawn.

    strength: by entrant; skill: by person; liking: (people, entrants); seats: numbers of players; pairs: (e, e) effects.
    """
    rows: list[tuple[object, ...]] = []
    for game in range(games):
        size = int(rng.choice(seats))
        people = rng.choice(len(skill), size, replace=False)
        line_up: list[int] = []
        for person in people:
            chance = liking[person].copy()
            chance[line_up] = 0
            line_up.append(int(rng.choice(len(strength), p=chance / chance.sum())))
        winner = rng.choice(size, p=softmax(strengths_in(strength, np.array([line_up]), pairs)[0] + skill[people]))
        for place, (person, entrant) in enumerate(zip(people, line_up, strict=True)):
            rows.append((game, size, place, f"person {person}", f"hero {entrant}", float(place == winner)))
    return as_log(pd.DataFrame(rows, columns=COLUMNS))


def as_log(rows: pd.DataFrame) -> Playtests:
    """A log of rows."""
    return Playtests(Path("made.csv"), rows.assign(line=0, label=""), {}, (), "hero")


def strengths_in(strength: Floats, line_up: NDArray[np.int64], pairs: Floats | None) -> Floats:
    """Strengths in games of average people, (games, seats)."""
    result = strength[line_up] + FIRST * (np.arange(line_up.shape[1]) == 0)
    if pairs is not None:
        result = result + pairs[line_up[:, :, None], line_up[:, None, :]].sum(axis=2) / 2
    return result


def true_rates(strength: Floats, seats=(2,), pairs: Floats | None = None) -> Floats:
    """Win rates against all others equally often, on all turn positions, in the hands of average people."""
    rates = np.zeros(len(strength))
    for size in seats:
        for entrant in range(len(strength)):
            others = groups([other for other in range(len(strength)) if other != entrant], size - 1)
            for place in range(size):
                line_up = np.insert(others, place, entrant, axis=1)
                chance = softmax(strengths_in(strength, line_up, pairs), axis=1)
                rates[entrant] += chance[:, place].mean() / size / len(seats)
    return rates


def favourites(rng: np.random.Generator, people: int, entrants: int) -> Floats:
    """What people like to play, (people, entrants)."""
    return rng.dirichlet(np.full(entrants, 0.6), people) + 0.02


def confounded(skill: Floats, entrants: int) -> Floats:
    """The two best people mostly play hero 0, the others anything."""
    liking = np.full((len(skill), entrants), 1.0)
    best, second = np.argsort(-skill)[:2]
    liking[best, 0], liking[second, 0] = 40.0, 15.0
    return liking
