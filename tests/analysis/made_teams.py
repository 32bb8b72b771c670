"""Teams and games between them, drawn from known effects."""

from itertools import combinations

import numpy as np
from scipy.special import expit
from scipy.stats import norm

from analysis.teams.ridge import Contests, Terms
from sim.engine.teams import Teams


def teams(parts=12, size=3, disjoint=True):
    """All teams of `size` of the parts P0, P1, ..."""
    members = np.array(list(combinations(range(parts), size)), np.int16)
    names = tuple(f"P{part}" for part in range(parts))
    return Teams(names, names, members, disjoint, "part", "parts")


def effects(team_set, going_first=0.2, parts=0.0, pairs=0.0, counters=0.0, seed=1):
    """Terms drawn with these standard deviations, in the columns of the model, (columns,)."""
    terms = Terms(team_set)
    basis, kinds = terms.basis(np.ones(terms.columns, bool))
    spread = np.array([parts, pairs, counters])[kinds]
    values = basis @ (spread * np.random.default_rng(seed).standard_normal(len(kinds)))
    values[0] = going_first
    return values


def rounds(team_set, count, rng):
    """Random partitions into teams, with every pairing of a partition in both seats: first, second, round."""
    number = {tuple(members): entrant for entrant, members in enumerate(team_set.members.tolist())}
    first, second = [], []
    for _ in range(count):
        dealt = np.sort(
            rng.permutation(team_set.parts)[: team_set.parts // team_set.size * team_set.size].reshape(-1, team_set.size), axis=1
        )
        result = [number[tuple(team)] for team in dealt.tolist()]
        left, right = (list(side) for side in zip(*combinations(result, 2), strict=True))
        first += left + right
        second += right + left
    return np.array(first), np.array(second), np.repeat(np.arange(count), len(first) // count)


def played(team_set, count, values=None, rng=None, tie=0.7):
    """Rounds of games. Both games of a pairing share their luck with correlation `tie`."""
    rng = rng or np.random.default_rng(1)
    first, second, number = rounds(team_set, count, rng)
    started = np.ones(len(first), np.int64)
    chance = expit(Terms(team_set).design(first, second, started) @ (effects(team_set) if values is None else values))
    half = len(first) // count // 2
    luck = rng.standard_normal((count, half))
    again = tie * luck + np.sqrt(1 - tie**2) * rng.standard_normal((count, half))
    won = norm.cdf(np.concatenate([luck, again], axis=1)).ravel() < chance
    return Contests(first, second, won.astype(float), started, number)
