"""What a log of playtests could show, before anybody plays: schedules, and the smallest imbalance that is found.

Logs are simulated and fitted as `strengths` does it: entrants are equal, except the first, people differ, and nobody has an
advantage by moving first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import logit, ndtr, ndtri, softmax

from analysis.answer import verdicts
from analysis.playtests.strengths import ENTRANTS_SPREAD, POSITIONS_SPREAD
from analysis.stats.luce import Floats

POWER = 0.8
LOGS = (16, 300)  # logs that are simulated: at least, at most
CELLS_MAX = 1_500_000  # of the designs of all logs
STEPS = 8  # of the search for a win rate, to half a point
NEWTON, CLOSE = 12, 1e-4  # steps of a fit, and the change of a strength, in log-odds, at which it ends
LEAST_SPREAD = 0.1
TRIED = 150  # games among which the next of a schedule is chosen
FAVOURITES = 0.5  # of a person's games that are played with one of its two favourites
RATE_MAX = 0.98

Line = tuple[NDArray[np.int64], NDArray[np.int64]]  # people and entrants of a game, in turn order


def schedule(entrants: int, testers: int, seats: int, games: int, seed: int) -> list[Line]:
    """Games in which people, entrants, pairs of entrants and turn order occur as equally often as they can.

    Each game is the best of TRIED that are drawn: its people, entrants, pairs and combinations of both have occurred least often.
    """
    rng = np.random.default_rng(seed)
    person, entrant = np.zeros(testers), np.zeros(entrants)
    plays, order = np.zeros((testers, entrants)), np.zeros((entrants, seats))
    meets = np.zeros((entrants, entrants))
    place = np.arange(seats)
    lines = []
    for _ in range(games):
        people = rng.permuted(np.tile(np.arange(testers), (TRIED, 1)), axis=1)[:, :seats]
        heroes = rng.permuted(np.tile(np.arange(entrants), (TRIED, 1)), axis=1)[:, :seats]
        cost = 2 * entrant[heroes].sum(axis=1) + 2 * person[people].sum(axis=1) + plays[people, heroes].sum(axis=1)
        cost += order[heroes, place].sum(axis=1) + meets[heroes[:, :, None], heroes[:, None, :]].sum(axis=(1, 2))
        best = int(cost.argmin())
        people, heroes = people[best], heroes[best]
        person[people] += 1
        entrant[heroes] += 1
        plays[people, heroes] += 1
        order[heroes, place] += 1
        meets[np.ix_(heroes, heroes)] += 1 - np.eye(seats)
        lines.append((people, heroes))
    return lines


def as_they_like(entrants: int, testers: int, seats: int, games: int, seed: int) -> list[Line]:
    """Games in which people choose: FAVOURITES of them with one of two favourites."""
    rng = np.random.default_rng(seed)
    liking = np.full((testers, entrants), (1 - FAVOURITES) / entrants)
    for person in range(testers):
        liking[person, rng.choice(entrants, min(2, entrants), replace=False)] += FAVOURITES / min(2, entrants)
    lines = []
    for _ in range(games):
        people = rng.choice(testers, seats, replace=False)
        heroes: list[int] = []
        for person in people:
            chance = liking[person].copy()
            chance[heroes] = 0
            heroes.append(int(rng.choice(entrants, p=chance / chance.sum())))
        lines.append((people, np.array(heroes)))
    return lines


@dataclass(frozen=True, eq=False)
class Evenings:
    """Logs that are simulated, of the same size, and the chances on which their results depend.

    people, heroes: (logs, games, seats); skill: (logs, testers) log-odds; luck: (logs, games) uniform in 0..1.
    """

    people: NDArray[np.int64]
    heroes: NDArray[np.int64]
    skill: Floats
    luck: Floats
    entrants: int
    spread: Floats  # (effects,) standard deviations of the priors: entrants, people, turn positions

    @classmethod
    def of(cls, make: Callable[..., list[Line]], size: tuple[int, int, int, int], skill: float, seed: int) -> Evenings:
        """Simulate logs. make: `schedule` or `as_they_like`; size: entrants, testers, seats, games; skill: spread of people."""
        entrants, testers, seats, games = size
        logs = int(np.clip(CELLS_MAX // (games * seats * (entrants + testers + seats)), LOGS[0], LOGS[1]))
        rng = np.random.default_rng(seed)
        once = make is schedule
        lines = [make(*size, seed + number) for number in range(1 if once else logs)]
        people, heroes = (np.array([[line[part] for line in one] for one in lines]) for part in (0, 1))
        people, heroes = (np.broadcast_to(part, (logs, games, seats)) for part in (people, heroes))
        spread = np.repeat((ENTRANTS_SPREAD, max(skill, LEAST_SPREAD), POSITIONS_SPREAD), (entrants, testers, seats))
        return cls(people, heroes, rng.normal(0, skill, (logs, testers)), rng.random((logs, games)), entrants, spread)

    def power(self, rate: float) -> float:
        """Chance that the first entrant is found if this is its win rate and all others are equal.

        It is found if its strength surely exceeds the mean of the others, at the level that holds for all entrants together.
        """
        logs, games, seats = self.heroes.shape
        effect = float(logit(rate)) + np.log(seats - 1)
        strength = np.where(self.heroes == 0, effect, 0.0) + np.take_along_axis(self.skill[:, None, :], self.people, axis=2)
        chance = softmax(strength, axis=2)
        winner = (chance.cumsum(axis=2) < self.luck[:, :, None]).sum(axis=2).clip(max=seats - 1)
        share = (np.arange(seats) == winner[:, :, None]).astype(np.float64)
        size = len(self.spread)
        design = np.zeros((logs, games, seats, size))
        rows = np.ix_(range(logs), range(games), range(seats))
        for column in (self.heroes, self.entrants + self.people, np.arange(size - seats, size)):
            design[(*rows, np.broadcast_to(column, self.heroes.shape))] = 1
        effects, covariance = batch(design, share, self.spread)
        contrast = np.zeros(size)
        contrast[: self.entrants] = -1 / (self.entrants - 1)
        contrast[0] = 1
        z = effects @ contrast / np.sqrt(np.einsum("k,bkl,l->b", contrast, covariance, contrast))
        limit = float(ndtri((1 + verdicts.row_level(self.entrants)) / 2))
        return float(ndtr((z.mean() - limit) / max(z.std(ddof=1), LEAST_SPREAD)))

    def smallest(self) -> float:
        """Smallest win rate above the fair share that is found with POWER; NaN if even RATE_MAX is not."""
        if self.power(RATE_MAX) < POWER:
            return float("nan")
        low, high = 1 / self.heroes.shape[2], RATE_MAX
        for _ in range(STEPS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.power(middle) >= POWER else (middle, high)
        return high


def batch(design: Floats, share: Floats, spread: Floats) -> tuple[Floats, Floats]:
    """Fit many logs at once as `stats.luce.fit` does: effects (logs, k) and covariances (logs, k, k).

    design: (logs, games, seats, k); share: (logs, games, seats); spread: (k,) standard deviations of the priors.
    """
    logs, games, seats, size = design.shape
    flat, precision = design.reshape(logs, games * seats, size), 1 / spread**2
    effects = np.zeros((logs, size))
    for _ in range(NEWTON):
        chance = softmax(np.einsum("bgsk,bk->bgs", design, effects), axis=2)
        weighted = (flat * chance.reshape(logs, -1, 1)).reshape(design.shape)
        centre = weighted.sum(axis=2)
        curvature = flat.transpose(0, 2, 1) @ weighted.reshape(flat.shape) - centre.transpose(0, 2, 1) @ centre
        curvature += np.diag(precision)
        score = np.einsum("bgsk,bgs->bk", design, share - chance) - precision * effects
        step = np.linalg.solve(curvature, score[:, :, None])[:, :, 0]
        effects = effects + step
        if float(np.abs(step).max()) < CLOSE:
            break
    return effects, np.linalg.inv(curvature)


def findable(entrants: int, testers: int, seats: int, sizes: list[int], skill: float, seed: int) -> pd.DataFrame:
    """Smallest win rates that are found, by number of games: columns games, each (games of an entrant), scheduled, free."""

    def rows() -> Iterator[dict[str, float]]:
        for games in sizes:
            size = entrants, testers, seats, games
            smallest = {
                name: Evenings.of(make, size, skill, seed).smallest()
                for name, make in (("scheduled", schedule), ("free", as_they_like))
            }
            yield {"games": games, "each": games * seats / entrants, **smallest}

    return pd.DataFrame(rows())
