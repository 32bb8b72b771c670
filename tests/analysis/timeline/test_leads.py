"""The worth of leads: known truths recovered, intervals that cover, symmetry of the seats, and cases without estimates."""

import numpy as np
import pytest
from scipy.special import expit

from analysis.data import rows
from analysis.stats.rank_agreement import auc, correlation
from analysis.timeline.leads import Leads, binned, by_turn, courses, edges_of, fitted, flagged, led_for_good, surface
from tests.analysis.covering import error
from tests.every_game.play import shortened

SLOPE, SIZE = 0.7, 1.3  # logits per unit of lead, standard deviation of leads
RUNS, GAMES = shortened(400, 4), 300
NAN = np.nan


def of_leads(lead, share, key=None) -> Leads:
    """Leads of given values, (games, turns)."""
    lead = np.asarray(lead, float)
    return Leads.of(np.stack([lead, 0 * lead], axis=1), np.asarray(share, float), key)


def drawn(rng, games=GAMES) -> Leads:
    """Games of one turn in which the lead decides by SLOPE."""
    lead = rng.normal(0, SIZE, games)
    return of_leads(lead[:, None], rng.random(games) < expit(SLOPE * lead))


def paired(rng, pairs=GAMES // 2) -> Leads:
    """The same with every game twice, as with the same dice: only half of them carry information."""
    leads = drawn(rng, pairs)
    return Leads(np.repeat(leads.lead, 2, axis=0), np.repeat(leads.share, 2), np.repeat(leads.key, 2))


def truth() -> dict[str, float]:
    """The true values of `drawn`, by numerical integration."""
    x = np.linspace(-9 * SIZE, 9 * SIZE, 40_001)
    density = np.exp(-((x / SIZE) ** 2) / 2)
    density /= density.sum()
    won = expit(SLOPE * x)
    led = float(density @ np.where(x > 0, won, np.where(x < 0, 1 - won, 0.5)))
    winner = 2 * density * won  # of the winner's lead; the loser's is its mirror image
    above = 1 - winner.cumsum() + winner / 2
    r = float(density @ (x * (2 * won - 1))) / SIZE
    return {"led": led, "auc": float(winner @ above[::-1]), "r": r}


def flipped(leads: Leads, turned: np.ndarray) -> Leads:
    """The same games with the seats of some of them swapped."""
    sign = np.where(turned, -1.0, 1.0)
    return Leads(leads.lead * sign[:, None], np.where(turned, 1 - leads.share, leads.share), leads.key)


@pytest.mark.parametrize("draw", [drawn, paired])
def test_intervals_cover_at_their_level_also_with_correlated_games(draw):
    rng, right = np.random.default_rng(5), truth()
    inside = dict.fromkeys(("slope", "band", "led", "auc", "r"), 0)
    for _ in range(RUNS):
        leads = draw(rng)
        lead, share, key = leads.at(1)
        fit = fitted(leads, 1)
        odds, (_, low, high) = fit.odds(), fit.chance([1.0])
        inside["slope"] += odds.low <= np.exp(SLOPE) <= odds.high
        inside["band"] += low[0] <= expit(SLOPE) <= high[0]
        _, won, owner = leads.ahead(1)
        result = {"led": rows.share(owner, won), "auc": auc(lead, share, key), "r": correlation(lead, share, key)}
        for name, item in result.items():
            inside[name] += item.low <= right[name] <= item.high
    for name, times in inside.items():
        assert abs(times / RUNS - 0.95) <= 4 * error(RUNS), name


def test_estimates_converge_to_the_truth():
    right, leads = truth(), drawn(np.random.default_rng(8), 200_000)
    row = by_turn(leads).iloc[0]
    assert row["estimate"] == pytest.approx(right["led"], abs=0.005)
    assert row["auc"] == pytest.approx(right["auc"], abs=0.005)
    assert row["r"] == pytest.approx(right["r"], abs=0.01)
    assert fitted(leads, 1).slope == pytest.approx(SLOPE, abs=0.02)


def test_swapping_seats_does_not_matter():
    rng = np.random.default_rng(3)
    leads = drawn(rng)
    other = flipped(leads, rng.random(GAMES) < 0.5)
    assert by_turn(other).to_numpy() == pytest.approx(by_turn(leads).to_numpy())
    assert binned(other, 1).to_numpy() == pytest.approx(binned(leads, 1).to_numpy())
    assert courses(other).equals(courses(leads))
    fit, mirrored = fitted(leads, 1), fitted(other, 1)
    assert (mirrored.slope, mirrored.error) == pytest.approx((fit.slope, fit.error))
    here, there = fit.chance([-2.0, 0.0, 1.5]), fit.chance([2.0, 0.0, -1.5])
    assert here[0] == pytest.approx(1 - there[0])
    assert here[1] == pytest.approx(1 - there[2])  # the low bound of one is the high bound of the other
    assert (here[1][1], here[0][1], here[2][1]) == (0.5, 0.5, 0.5)


def test_auc_is_the_share_of_pairs_of_games_in_which_the_winner_was_farther_ahead():
    rng = np.random.default_rng(2)
    lead, share = rng.integers(-3, 4, 40).astype(float), rng.choice([0.0, 0.5, 1.0], 40)
    wins = [
        (index, value, weight)
        for index in range(40)
        for value, weight in ((lead[index], share[index]), (-lead[index], 1 - share[index]))
    ]
    result = [
        one_weight * other_weight * ((item > -other) + (item == -other) / 2)
        for index, item, one_weight in wins
        for against, other, other_weight in wins
        if index != against
    ]
    assert auc(lead, share, np.arange(40)).estimate == pytest.approx(sum(result) / (40 * 39))


def test_correlation_is_pearsons_over_both_seats():
    leads = drawn(np.random.default_rng(4))
    lead, share, key = leads.at(1)
    both = np.corrcoef(np.concatenate([lead, -lead]), np.concatenate([share, 1 - share]))[0, 1]
    assert correlation(lead, share, key).estimate == pytest.approx(both)


def test_duplicate_games_count_once():
    once = drawn(np.random.default_rng(6))
    twice = Leads(np.repeat(once.lead, 2, axis=0), np.repeat(once.share, 2), np.repeat(once.key, 2))
    single, doubled = fitted(once, 1), fitted(twice, 1)
    assert doubled.slope == pytest.approx(single.slope)
    assert doubled.error == pytest.approx(single.error, rel=0.01)
    _, won, key = twice.ahead(1)
    result = rows.shares(key, np.zeros(won.size, int), won).iloc[0]
    assert result["n"] == 2 * GAMES
    assert result["effective"] == pytest.approx(GAMES, rel=0.01)


def test_games_that_agree_less_than_by_chance_count_fully():
    key, won = np.repeat(np.arange(50), 2), np.tile([0.0, 1.0], 50)
    result = rows.shares(key, np.zeros(100, int), won).iloc[0]
    alone = rows.shares(np.arange(100), np.zeros(100, int), won).iloc[0]
    assert result["effective"] == 100
    assert (result["low"], result["high"]) == pytest.approx((alone["low"], alone["high"]), abs=0.001)


def test_shares_of_zero_and_one_have_cluster_intervals_and_empty_groups_none():
    result = rows.shares([0, 0, 1, 1, 2], [0, 0, 0, 0, 2], [1.0, 1, 1, 1, 0], 4)
    assert result["n"].tolist() == [4, 0, 1, 0]
    assert result["effective"].tolist()[0] == 2
    assert result["high"][0] == 1
    assert 0 < result["low"][0] < 0.5
    assert (result["estimate"][2], result["low"][2]) == (0, 0)
    assert result.loc[[1, 3], ["estimate", "low", "high"]].isna().all(axis=None)
    assert np.isnan(rows.share([], []).estimate)
    with pytest.raises(ValueError, match=r"shares must lie in 0\.\.1"):
        rows.shares([0], [0], [1.2])
    with pytest.raises(ValueError, match="of the same length"):
        rows.shares([0, 1], [0], [1.0])


def test_games_over_before_a_turn_do_not_count_at_it():
    leads = of_leads([[1, 2], [1, NAN], [-1, -3], [0, 0]], [1, 1, 0, 1])
    result = by_turn(leads)
    assert result["games"].tolist() == [4, 3]
    assert result["on"].tolist() == [1, 0.75]
    assert result["tied"].tolist() == pytest.approx([1 / 4, 1 / 3])
    assert result["n"].tolist() == [3, 2]
    assert result["estimate"].tolist() == [1, 1]
    assert result["gap"].tolist() == [1, 2.5]


def test_a_seat_that_has_not_finished_the_turn_leaves_no_lead():
    leads = Leads.of([[[5.0, 9.0], [3.0, NAN]]], [1.0])
    assert leads.at(1)[0].tolist() == [2]
    assert leads.at(2)[0].size == 0
    with pytest.raises(ValueError, match=r"turn=3 must be 1\.\.2"):
        leads.at(3)


def test_without_any_lead_there_are_no_estimates():
    leads = of_leads(np.zeros((30, 2)), np.tile([0.0, 1.0], 15))
    row = by_turn(leads).iloc[0]
    assert row["tied"] == 1
    assert row["n"] == 0
    assert row[["gap", "estimate", "auc", "r"]].isna().all()
    assert fitted(leads, 1) is None
    assert binned(leads, 1).empty
    assert edges_of(leads, (1, 2)).tolist() == [np.inf]
    assert surface(leads, (1, 2))["n"].tolist() == [0, 0]
    assert courses(leads)["for_good"].isna().all()


def test_without_games_there_are_neither_lines_nor_errors():
    leads = Leads.of(np.zeros((0, 2, 3)), np.zeros(0))
    assert by_turn(leads)["n"].tolist() == [0, 0, 0]
    assert led_for_good(leads, (1, 2))["estimate"].isna().all()
    assert fitted(leads, 1) is None
    assert np.isnan(flagged(np.zeros((0, 2)), [], []).estimate)


def test_no_curve_is_fitted_if_the_side_ahead_always_wins_or_games_are_few():
    lead = np.linspace(-3, 3, 40)
    sure = of_leads(lead[:, None], lead > 0)
    assert fitted(sure, 1) is None
    assert fitted(of_leads(lead[:, None], lead < 0), 1) is None
    assert fitted(of_leads(lead[:8, None], [1, 0] * 4), 1) is None
    row = by_turn(sure).iloc[0]
    assert (row["estimate"], row["high"], row["auc"]) == (1, 1, 1)
    assert 0.85 < row["auc_low"] < 1
    assert fitted(of_leads(lead[:, None], np.where(np.arange(40) == 3, 0.5, lead > 0)), 1) is not None


def test_a_curve_that_is_nearly_a_step_is_fitted_or_left_out():
    rng = np.random.default_rng(12)
    lead = np.round(rng.normal(0, 300, 900))
    for narrow in (0.5, 2, 20):
        won = rng.random(900) < expit(np.clip(lead / narrow, -500, 500))
        fit = fitted(of_leads(lead[:, None], won), 1)
        if fit is not None:
            assert np.isfinite([fit.slope, fit.error]).all()
            assert fit.slope > 0.04
            assert fit.odds(1e6).estimate == np.inf


def test_wrong_shapes_and_shares_are_refused():
    with pytest.raises(ValueError, match="must be \\(games, 2, turns\\)"):
        Leads.of(np.zeros((3, 4)), np.zeros(3))
    with pytest.raises(ValueError, match=r"shares must lie in 0\.\.1"):
        Leads.of(np.zeros((1, 2, 2)), [1.5])
    with pytest.raises(ValueError, match="rising numbers"):
        surface(drawn(np.random.default_rng(1)), (1,), edges=(2, 1))


def test_bins_hold_about_equally_many_games_and_every_game():
    leads = drawn(np.random.default_rng(9), 500)
    result = binned(leads, 1, bins=5)
    assert result["n"].tolist() == [100] * 5
    assert (result["start"].iloc[1:].to_numpy() > result["end"].iloc[:-1].to_numpy()).all()
    assert (result["low"] < result["estimate"]).all()
    few = of_leads(np.tile([1.0, 2.0, 2.0, -1.0], 10)[:, None], np.ones(40))
    assert binned(few, 1, least=5)[["start", "end", "n"]].to_numpy().tolist() == [[1, 1, 20], [2, 2, 20]]


def test_a_surface_has_every_turn_and_bin_and_leaves_cells_of_few_games_empty():
    leads = of_leads([[1, 5], [-2, NAN], [4, 4], [3, -9]], [1, 1, 1, 0])
    result = surface(leads, (1, 2), edges=(2, 5), least=2)
    assert result[["turn", "start", "end", "n"]].to_numpy().tolist() == [[1, 0, 2, 2], [1, 2, 5, 2], [2, 0, 2, 0], [2, 2, 5, 2]]
    assert result["estimate"].tolist() == pytest.approx([0.5, 0.5, NAN, 1], nan_ok=True)
    assert surface(leads, (1,), edges=(2, 5), least=3)["estimate"].isna().all()
    assert surface(leads, ()).empty


def test_bins_of_a_surface_end_at_round_numbers():
    rng = np.random.default_rng(7)
    ends = edges_of(of_leads(rng.gamma(2, 210, (4000, 1)), np.ones(4000)), (1,))
    assert ends[-1] == np.inf
    assert (ends[:-1] % 50 == 0).all()
    assert (np.diff(ends[:-1]) > 0).all()


def test_the_first_to_strike_counts_only_if_it_was_a_single_seat():
    flag = [[1, 0], [0, 1], [1, 1], [0, 0], [0, 1]]
    result = flagged(flag, [1.0, 1.0, 1.0, 1.0, 0.5], np.arange(5))
    assert result.n == 3
    assert result.estimate == pytest.approx((1 + 0 + 0.5) / 3)


def test_courses_count_lead_changes_and_the_turn_of_the_final_lead():
    games = [
        [1, -1, 0, -2, 3],  # back and forth, then the winner's
        [2, 2, 2, 2, NAN],  # always the winner's
        [-1, 0, 1, NAN, NAN],  # won by the other seat, which was ahead only at first
        [0, 1, 2, NAN, NAN],  # a shared win
        [NAN] * 5,  # over before the end of the first turn
    ]
    result = courses(of_leads(games, [1, 1, 0, 0.5, 1]))
    assert result["changes"].tolist() == [2, 0, 1, 0, 0]
    assert result["last"].tolist() == [5, 4, 3, 3, 0]
    assert result["for_good"].tolist() == pytest.approx([5, 1, NAN, NAN, NAN], nan_ok=True)
    assert result["behind"].tolist() == [True, False, True, False, False]
    good = led_for_good(of_leads(games, [1, 1, 0, 0.5, 1]), (1, 5))
    assert good["estimate"].tolist() == [0.25, 0.5]
    assert good["n"].tolist() == [4, 4]
