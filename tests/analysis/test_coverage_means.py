"""Coverage of intervals of means, ratios, changes and quantiles not tested elsewhere, by enumeration or simulation.

If a function takes groups, many samples are tested at once, one as each group. Figures: see README.md.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.data import rows
from analysis.data import rows as amounts
from analysis.data.usage import quantiles, use_and_effect
from analysis.stats.intervals import differences, mean, proportions
from analysis.stats.paired import grouped_changes, paired_changes, paired_mean
from analysis.variants.compare import advantage
from tests.analysis.covering import LEVEL, assert_covers, error, held
from tests.every_game.play import shortened

pytestmark = pytest.mark.soak

RUNS = 2000
NEAR = 3 * error(RUNS)  # accepted error of a coverage


# ---- enumerated ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("m", "n"), [(20, 30), (60, 60)])
def test_newcombes_interval_of_a_difference_covers_at_all_rates(m: int, n: int):
    first, second = (part.ravel() for part in np.meshgrid(np.arange(m + 1), np.arange(n + 1)))
    table = differences(proportions(first, np.full(first.size, m)), proportions(second, np.full(second.size, n)))
    rates = np.linspace(0.05, 0.95, 13)
    covered = [
        (stats.binom.pmf(first, m, p) * stats.binom.pmf(second, n, q)) @ ((table["low"] <= p - q) & (p - q <= table["high"]))
        for p in rates
        for q in rates
    ]
    assert_covers(np.mean(covered), LEVEL - 0.01, LEVEL + 0.015)
    assert_covers(np.min(covered), 0.91)


@pytest.mark.parametrize("n", [15, 40])
def test_the_score_interval_of_a_paired_change_covers_at_all_gains_and_losses(n: int):
    up, down = (part.ravel() for part in np.meshgrid(np.arange(n + 1), np.arange(n + 1)))
    up, down = up[up + down <= n], down[up + down <= n]
    table = paired_changes(up, down, np.full(up.size, n))
    covered = []
    for gain, loss in [(0.05, 0.05), (0.1, 0.02), (0.2, 0.1), (0.3, 0.3), (0.4, 0.1), (0.6, 0.3)]:
        chance = stats.multinomial.pmf(np.c_[up, down, n - up - down], n, [gain, loss, 1 - gain - loss])
        covered.append(chance @ ((table["low"] <= gain - loss) & (gain - loss <= table["high"])))
    assert_covers(np.mean(covered), LEVEL - 0.01, LEVEL + 0.025)
    assert_covers(np.min(covered), 0.93)


@pytest.mark.parametrize("n", [30, 200])
@pytest.mark.parametrize("q", [0.05, 0.25, 0.5, 0.95])
def test_intervals_of_quantiles_cover_at_least_at_their_level(n: int, q: float):
    frame = pd.DataFrame({"seats": 2, "turns": np.arange(1, n + 1), "finished": True})
    row = quantiles(frame, wanted=(q,)).iloc[0]
    below = stats.binom(n, q)  # games shorter than the true quantile, which lies between ranks low and high
    low, high = (row["low"] if row["low"] >= 1 else 0), (row["high"] if row["high"] >= 1 else n + 1)
    assert_covers(below.cdf(high - 1) - (below.cdf(low - 1) if low else 0), LEVEL - 1e-12)


# ---- simulated -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [20, 100])
def test_students_interval_covers_skewed_lengths(n: int):
    turns = np.random.default_rng(n).gamma(3, 5, (RUNS, n))
    inside = np.mean([item.low <= 15 <= item.high for item in map(mean, turns)])
    assert_covers(inside, LEVEL - 0.025, LEVEL + NEAR)


@pytest.mark.parametrize("n", [20, 100])
def test_paired_means_cover(n: int):
    rng = np.random.default_rng(n)
    before = rng.gamma(3, 5, (RUNS, n))
    after = before + (rng.random((RUNS, n)) < 0.4) * rng.normal(2, 6, (RUNS, n))
    result = [paired_mean(*pair) for pair in zip(before, after, strict=True)]
    inside = np.mean([item.low <= 0.8 <= item.high for item in result])
    assert_covers(inside, LEVEL - 0.02, LEVEL + 0.02)


@pytest.mark.parametrize(("groups", "tie"), [(30, 0.0), (30, 0.6), (200, 0.6), (200, 1.0)])
def test_changes_of_groups_cover_at_any_correlation_of_their_games(groups: int, tie: float):
    """Each of two games of a group changes by +1 or -1, together or independently."""
    rng = np.random.default_rng(groups)
    luck = rng.random((RUNS, groups, 2))
    luck[..., 1] = np.where(rng.random((RUNS, groups)) < tie, luck[..., 0], luck[..., 1])
    change = ((luck < 0.25).astype(float) - (luck > 0.9)).mean(axis=2)
    sums = (part.sum(axis=1) for part in (change.clip(min=0), (-change).clip(min=0), change**2))
    assert_covers(held(grouped_changes(*sums, np.full(RUNS, groups)), 0.15), LEVEL - NEAR - 0.005)


@pytest.mark.parametrize("groups", [40, 200])
def test_the_advantage_of_a_side_covers_if_games_share_dice(groups: int):
    """Both games of a group share the luck of a roll; either team can be stronger."""
    rng = np.random.default_rng(groups)
    inside, runs = [], shortened(300, 3)
    for _ in range(runs):
        luck, strength = rng.normal(0, 1, groups), rng.normal(0, 1, groups)
        side = np.tile([0, 1], groups)
        edge = np.repeat(luck, 2) * (1 - 2 * side) + np.repeat(strength, 2) + 0.3 * (1 - 2 * side)
        won = (edge + rng.normal(0, 0.5, 2 * groups) > 0).astype(float)
        result = advantage(np.column_stack([won, 1 - won]), side, np.repeat(np.arange(groups), 2))
        truth = 2 * stats.norm.cdf(0.3 / np.sqrt(2.25)) - 1
        inside.append(result.low <= truth <= result.high)
    assert_covers(np.mean(inside), LEVEL - 3 * error(runs))


@pytest.mark.parametrize(("clusters", "alike"), [(30, 0.2), (100, 0.2), (100, 1.0)])
def test_shares_of_clusters_cover_if_their_games_are_alike(clusters: int, alike: float):
    """Three games a cluster; each goes like the first one with chance `alike`."""
    rng = np.random.default_rng(clusters)
    won = rng.random((RUNS, clusters, 3)) < 0.3
    won = np.where(rng.random(won.shape) < alike, won[..., :1], won).astype(float)
    run, cluster, _ = np.indices(won.shape)
    result = rows.shares(cluster.ravel() + clusters * run.ravel(), run.ravel(), won.ravel())
    assert_covers(held(result, 0.3), LEVEL - NEAR - 0.01, LEVEL + 0.025)


@pytest.mark.parametrize(("games", "least"), [(40, 0.9), (200, 0.935)])
def test_rates_and_means_of_amounts_cover(games: int, least: float):
    """Points per use with a random strength of each game, and points per seat of two seats that share it."""
    rng = np.random.default_rng(games)
    strength = rng.gamma(4, 0.5, (RUNS, games, 1))
    uses = rng.poisson(1 + strength * np.ones((1, 1, 2)))
    points = rng.poisson(uses * strength)
    run, game, _ = np.indices(uses.shape)
    key = game.ravel() + games * run.ravel()
    truth = (2 + 2 * 2 + 1) / (1 + 2)  # E[s + s^2] / E[1 + s], with mean 2 and variance 1
    rate = held(amounts.rates(key, run.ravel(), points.ravel(), uses.ravel()), truth)
    per_seat = held(amounts.rates(key, run.ravel(), points.ravel(), np.ones(points.size)), 2 + 2 * 2 + 1)
    for inside in (rate, per_seat):
        assert_covers(inside, least, LEVEL + NEAR)


def test_use_and_effect_cover():
    """Uses of a part and its effect both depend on the game."""
    games, runs = 100, 1000
    rng = np.random.default_rng(3)
    taste, strength = rng.beta(2, 3, (runs, games)), rng.gamma(4, 0.5, (runs, games))
    all_ = rng.poisson(6, (runs, games))
    uses = rng.binomial(all_, taste)
    effect = rng.poisson(uses * strength)
    run = np.repeat(np.arange(runs), games)
    frame = pd.DataFrame(
        {
            "entrant": run,
            "name": pd.Categorical(run.astype(str), categories=np.arange(runs).astype(str)),
            "uses_0": uses.ravel(),
            "uses_1": (all_ - uses).ravel(),
            "done_0": effect.ravel(),
            "done_1": 0,
        }
    )
    result = use_and_effect(frame, "uses", "done", ["one", "other"])
    first_part = result[result["part"] == 0]
    for truth, name in ((0.4, "use"), (2.0, "effect")):
        assert_covers(held(first_part, truth, (f"{name}_low", f"{name}_high")), LEVEL - 0.03, LEVEL + NEAR)
