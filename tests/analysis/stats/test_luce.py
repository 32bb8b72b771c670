"""Luce's model: against hand calculations, other estimators and numerical integration."""

import numpy as np
import pytest
from scipy import sparse
from scipy.integrate import quad
from scipy.special import expit, softmax
from scipy.stats import norm

from analysis.stats.logit import logit
from analysis.stats.luce import Contest, Group, averaged, chances, fit

WIDE = 50.0


def contest_of(line_ups, winners, effects):
    """Games of different sizes. line_ups: effects of each player of each game; winners: place of the winner of each game."""
    game = np.repeat(np.arange(len(line_ups)), [len(one) for one in line_ups])
    column = np.concatenate(line_ups)
    share = np.concatenate([np.arange(len(one)) == winner for one, winner in zip(line_ups, winners, strict=True)]).astype(float)
    design = sparse.csr_matrix((np.ones(len(column)), (np.arange(len(column)), column)), shape=(len(column), effects))
    return Contest(design, game, share)


def random_contest(seed, games=400, effects=5, seats=(2, 3, 4)):
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, 0.7, effects)
    line_ups = [rng.choice(effects, int(rng.choice(seats)), replace=False) for _ in range(games)]
    winners = [int(rng.choice(len(one), p=softmax(truth[one]))) for one in line_ups]
    return contest_of(line_ups, winners, effects), truth


def test_chances_are_in_proportion_to_the_odds():
    strength = np.log([1.0, 3.0, 2.0, 2.0, 4.0])
    assert chances(strength, np.array([0, 2])) == pytest.approx([0.25, 0.75, 0.25, 0.25, 0.5])
    assert chances(np.array([1000.0, 0.0]), np.array([0])) == pytest.approx([1, 0])


def test_a_single_pair_has_the_odds_of_its_games():
    contest = contest_of([np.array([0, 1])] * 10, [0] * 7 + [1] * 3, 2)
    result, _ = fit(contest, np.full(2, WIDE))
    assert expit(result.effects[0] - result.effects[1]) == pytest.approx(0.7, abs=1e-3)
    gap = np.array([1, -1])
    assert gap @ result.covariance @ gap == pytest.approx(1 / (10 * 0.7 * 0.3), rel=1e-3)  # inverse information of a binomial


def test_two_players_are_the_logit_of_differences():
    contest, _ = random_contest(1, seats=(2,))
    rows = contest.design.toarray()
    differences, share = rows[::2] - rows[1::2], contest.share[::2]
    result, _ = fit(contest, np.full(5, 1.5))
    other = logit(differences, share, penalty=1 / 1.5**2)
    assert result.effects == pytest.approx(other.coefficients, abs=1e-6)
    assert result.covariance == pytest.approx(other.covariance, abs=1e-6)


def test_the_fit_is_the_maximum_of_the_penalised_likelihood():
    contest, _ = random_contest(2)
    spread = np.array([0.5, 1.0, 2.0, 1.0, 0.7])
    result, _ = fit(contest, spread)

    def value(effects):
        return contest.likelihood(effects) - (effects**2 / spread**2).sum() / 2

    steps = np.random.default_rng(0).normal(0, 0.05, (50, 5))
    assert all(value(result.effects + step) < value(result.effects) for step in steps)


def test_shared_wins_count_by_their_share():
    contest = contest_of([np.array([0, 1])] * 4, [0] * 4, 2)
    contest.share[:] = 0.5
    result, _ = fit(contest, np.full(2, 1.0))
    assert result.effects == pytest.approx([0, 0], abs=1e-9)


@pytest.mark.parametrize("spread", [0.3, 1.0, 2.0])
def test_the_marginal_likelihood_is_that_of_numerical_integration(spread):
    contest = contest_of([np.array([0, 1])] * 12, [0] * 8 + [1] * 4, 2)
    one, _ = fit(contest, np.array([spread, 1e-4]))
    _, marginal = fit(contest, np.array([spread, 1e-4]))
    _, flat = fit(contest, np.array([1e-4, 1e-4]))
    exact = quad(lambda x: expit(x) ** 8 * expit(-x) ** 4 * norm.pdf(x, 0, spread), -12, 12)[0]
    assert marginal - flat == pytest.approx(np.log(exact) - 12 * np.log(0.5), abs=0.05)
    assert one.effects[0] > 0


def test_the_spread_of_a_group_follows_from_the_games():
    spreads = []
    for truth in (0.0, 1.5):
        rng = np.random.default_rng(3)
        effects = rng.normal(0, 1, 20) * truth
        line_ups = [rng.choice(20, 2, replace=False) for _ in range(1500)]
        winners = [int(rng.random() > expit(effects[one] - effects[two])) for one, two in line_ups]
        contest = contest_of(line_ups, winners, 20)
        group = Group(np.ones(20, bool), (0.1, 0.3, 0.6, 1.0, 1.5, 2.2))
        spreads.append(averaged(contest, np.ones(20), [group]).spreads[0])
    assert spreads[0] < 0.25
    assert 1.0 < spreads[1] < 2.2


def test_without_a_group_it_is_the_plain_fit():
    contest, _ = random_contest(4)
    plain, _ = fit(contest, np.full(5, 2.0))
    none = averaged(contest, np.full(5, 2.0), [Group(np.zeros(5, bool), (0.1, 1.0))])
    assert none.effects == pytest.approx(plain.effects, abs=1e-9)
    assert none.spreads == ()


def test_a_single_spread_is_the_fit_with_it():
    contest, _ = random_contest(5)
    mask = np.array([True, True, False, False, False])
    spread = np.array([0.4, 0.4, 2.0, 2.0, 2.0])
    plain, _ = fit(contest, spread)
    group = averaged(contest, np.full(5, 2.0), [Group(mask, (0.4,))])
    assert group.effects == pytest.approx(plain.effects, abs=1e-7)
    assert group.covariance == pytest.approx(plain.covariance, abs=1e-7)
    assert group.spreads == pytest.approx((0.4,))


@pytest.mark.soak
def test_intervals_of_effects_cover():
    """200 logs of 400 games: the wide prior costs nothing, the interval of a difference covers in 93 to 97 of 100."""
    hits = []
    for seed in range(200):
        contest, truth = random_contest(seed)
        result, _ = fit(contest, np.full(5, 2.0))
        for other in range(1, 5):
            gap = np.eye(5)[0] - np.eye(5)[other]
            error = np.sqrt(gap @ result.covariance @ gap)
            hits.append(abs(gap @ (result.effects - truth)) < 1.96 * error)
    assert 0.93 < np.mean(hits) < 0.97
