"""Coverage of intervals from fitted models, by drawing games from known effects. Figures: see README.md."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from analysis.teams.league import league, retested
from analysis.teams.model import contributions
from analysis.teams.ridge import Contests, Terms
from tests.analysis.covering import LEVEL, assert_covers, error
from tests.analysis.made_teams import effects, played, teams

pytestmark = pytest.mark.soak

EIGHT, SIX = teams(8, 2), teams(6, 2)


def chances(team_set, values: np.ndarray) -> np.ndarray:
    """True chance of every team against every other, averaged over who goes first; NaN if they share a part."""
    size = len(team_set.members)
    first, second = (item.ravel() for item in np.indices((size, size)))
    terms = Terms(team_set)
    both = [expit(terms.design(first, second, np.full(size**2, started)) @ values) for started in (1, -1)]
    table = np.mean(both, axis=0).reshape(size, size)
    shared = (team_set.members[:, None, :, None] == team_set.members[None, :, None, :]).any(axis=(2, 3))
    return np.where(shared, np.nan, table)


@pytest.mark.parametrize("own", [0.0, 0.06])
def test_the_league_covers_the_worth_of_teams(own: float):
    """Parts, pairs and counters, plus a random effect of each team with standard deviation `own`; over all teams of a set."""
    runs, inside = 15, []
    for seed in range(runs):
        values = effects(EIGHT, going_first=0.2, parts=0.3, pairs=0.1, seed=seed)
        rng = np.random.default_rng(seed)
        more, plan = rng.normal(0, own, len(EIGHT.members)), played(EIGHT, 200, values, rng)
        table = (chances(EIGHT, values) + more[:, None] - more).clip(0, 1)
        luck = rng.random(len(plan)) < table[plan.first, plan.second]
        contests = Contests(plan.first, plan.second, luck.astype(float), plan.started, plan.cluster)
        result = league(contributions(contests, EIGHT), contests, EIGHT).sort_values("entrant")
        truth = np.nanmean(table, axis=1)
        inside.append(((result["low"] <= truth) & (truth <= result["high"])).mean())
    assert_covers(np.mean(inside), LEVEL - 0.03)


@pytest.mark.parametrize(("rounds", "least"), [(20, 0.91), (100, 0.935)])
def test_retests_over_rounds_cover(rounds: int, least: float):
    """Six games of a team a round; each round has its own luck. The intervals of a table hold together."""
    rng = np.random.default_rng(rounds)
    tables, teams = 400, 5
    chance = rng.beta(6, 4, (tables, teams, rounds))
    frame = pd.DataFrame({"estimate": np.zeros(teams), "raw": 0.0})
    results = [retested(frame, rng.binomial(6, one), np.full((teams, rounds), 6)) for one in chance]
    inside = [((result["retest_low"] <= 0.6) & (result["retest_high"] >= 0.6)).all() for result in results]
    assert_covers(np.mean(inside), least, LEVEL + 3 * error(tables))
