"""The rule for too strong, too weak and fair: its error rate over tables of every kind of data."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.answer import verdicts
from analysis.answer.verdicts import FAIR, LEAST_GAMES, OPEN, TOO_STRONG, TOO_WEAK, UNFAIR, binomial, with_verdicts
from analysis.data.encounters import rates as paired_rates
from analysis.data.encounters import sums_of
from analysis.stats import intervals, sequential
from analysis.stats.intervals import adjust, p_against, proportions

TABLES, ROWS, GAMES = 200, 8, 2000
MOST = 0.05 + 2 * np.sqrt(0.05 * 0.95 / TABLES)  # accepted share of false alarms, with the error of the simulation
ON_EDGE = np.resize([0.55, 0.45], ROWS)


def table(wins: list[float], n: int | list[int], fair: float = 0.5) -> pd.DataFrame:
    """Win rates of independent games with verdicts."""
    games = np.broadcast_to(n, len(wins))
    return with_verdicts(proportions(wins, games).assign(fair=fair), binomial(wins, games))


def alarms(frames: list[pd.DataFrame], words: tuple[str, ...] = UNFAIR) -> float:
    """Share of tables with one of the verdicts in any row."""
    return float(np.mean([frame["verdict"].isin(words).any() for frame in frames]))


def test_p_tests_the_edge_of_the_band_on_the_side_of_the_rate():
    result = table([60, 40, 50], 100)
    expected = [stats.binom.sf(59, 100, 0.55), stats.binom.cdf(40, 100, 0.45)]
    assert result["p_out"].tolist()[:2] == pytest.approx(expected)
    assert result["p_out"][0] == pytest.approx(p_against(60, 100, 0.55, "greater"))
    assert result["p_beyond"].tolist() == pytest.approx(adjust(result["p_out"]))
    inside = [stats.binom.sf(49, 100, 0.45), stats.binom.cdf(50, 100, 0.55)]
    assert result["p_in"][2] == pytest.approx(max(inside))


def test_there_are_four_verdicts_and_none_without_a_fair_share():
    result = table([6500, 3500, 5000, 5500], 10_000)
    assert result["verdict"].tolist() == [TOO_STRONG, TOO_WEAK, FAIR, OPEN]
    assert result["verdict"].tolist() == ["too strong", "too weak", "fair", "not decided"]
    alone = with_verdicts(proportions([30], [40]).assign(fair=np.nan), binomial([30], [40]))
    assert alone["verdict"].tolist() == [""]
    assert alone[["p_out", "p_beyond", "p_within"]].isna().all(axis=None)


def test_fewer_than_thirty_finished_games_are_never_decided():
    few = table([18, LEAST_GAMES - 1, LEAST_GAMES], [18, LEAST_GAMES - 1, LEAST_GAMES])
    assert few["verdict"].tolist() == [OPEN, OPEN, TOO_STRONG]
    assert few["p_beyond"].isna().tolist() == [True, True, False]


def test_15_wins_of_18_are_not_too_strong_among_many_squads():
    result = table([15] + [9] * 219, 18)
    assert set(result["verdict"]) == {OPEN}


def test_a_row_beyond_the_band_only_by_itself_is_not_decided_among_many():
    alone, among = table([600], 1000), table([600] + [500] * 199, 1000)
    assert (alone["verdict"][0], among["verdict"][0]) == (TOO_STRONG, OPEN)


@pytest.mark.soak
def test_on_the_edge_of_the_band_at_most_one_table_in_twenty_names_a_row():
    rng = np.random.default_rng(3)
    frames = [table(rng.binomial(GAMES, ON_EDGE).tolist(), GAMES) for _ in range(TABLES)]
    assert alarms(frames) <= MOST
    assert alarms(frames, (FAIR,)) <= MOST


def test_even_rows_are_called_fair_and_distant_rows_are_named():
    rng = np.random.default_rng(4)
    even = table(rng.binomial(20_000, 0.5, ROWS).tolist(), 20_000)
    assert set(even["verdict"]) == {FAIR}
    far = table(rng.binomial(20_000, np.resize([0.6, 0.4], ROWS)).tolist(), 20_000)
    assert set(far["verdict"]) == set(UNFAIR)


@pytest.mark.soak
def test_rounds_keep_the_level_if_their_games_agree():
    rng = np.random.default_rng(5)
    rounds, each, frames = 60, 10, []
    for _ in range(TABLES):
        chance = rng.beta(*(8 * np.array([ON_EDGE, 1 - ON_EDGE]))[:, None], (rounds, ROWS))
        sums = intervals.ClusterSums(ROWS)
        sums.add(np.arange(rounds), rng.binomial(each, chance), np.full((rounds, ROWS), each))
        result = intervals.shares(sums.table()).assign(fair=0.5)
        tail = verdicts.student(result["estimate"], result["error"], result["clusters"], result["n"])
        frames.append(with_verdicts(result, tail))
    assert alarms(frames) <= MOST


@pytest.mark.soak
def test_pairs_keep_the_level_if_their_games_differ():
    rng = np.random.default_rng(6)
    pairs, frames = 400, []
    for _ in range(TABLES):
        luck = rng.random((pairs, ROWS))
        won = np.stack([luck < ON_EDGE, 1 - luck < ON_EDGE], axis=1)  # the same dice, from the other seat
        key, group = np.repeat(np.arange(pairs), 2 * ROWS), np.tile(np.arange(ROWS), 2 * pairs)
        result = paired_rates(sums_of(key, group, won.ravel(), np.ones(won.size), ROWS)).assign(fair=0.5)
        frames.append(with_verdicts(result, verdicts.score(result["estimate"], result["effective"])))
    assert alarms(frames) <= MOST


@pytest.mark.soak
def test_a_sequential_run_keeps_the_level_at_every_look():
    rng = np.random.default_rng(7)
    looks, runs = np.arange(400, 2001, 400), 100
    wrong = 0
    for _ in range(runs):
        wins = rng.binomial(400, ON_EDGE, (len(looks), ROWS)).cumsum(axis=0)
        for n, won in zip(looks, wins, strict=True):
            games = np.full(ROWS, n)
            result = sequential.share_sequence(won, games, 2000.0).assign(fair=0.5)
            tail = verdicts.sequence(
                result["estimate"], lambda share, won=won, games=games: sequential.share_p(won, games, share, 2000.0)
            )
            if with_verdicts(result, tail)["verdict"].isin(UNFAIR).any():
                wrong += 1
                break
    assert wrong / runs <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / runs)


def test_clusters_that_are_equal_by_chance_prove_little():
    tail = verdicts.student([1.0, 0.6], [0.0, 0.0], [3, 3], [30, 30])
    p = tail(np.array([0.55, 0.55]), "greater")
    assert p[0] == pytest.approx(0.55**3)
    assert p[1] > 0.05
    unknown = verdicts.student([0.6], [np.nan], [1], [40])
    assert np.isnan(unknown(np.array([0.55]), "greater")).all()


def test_the_effective_number_of_games_of_a_wilson_interval_is_their_number():
    result = proportions([30, 0, 700, 12.5], [100, 40, 1000, 25])
    assert verdicts.worth(result) == pytest.approx([100, 40, 1000, 25])


def test_tables_tested_together_share_one_family():
    two = table([600], 1000)
    again = with_verdicts(pd.concat([two, table([500] * 199, 1000)], ignore_index=True))
    assert (two["verdict"][0], again["verdict"][0]) == (TOO_STRONG, OPEN)
    assert again["p_beyond"][0] == pytest.approx(200 * again["p_out"][0])


def test_a_requested_band_is_tested_by_the_same_rule():
    result = verdicts.within(proportions([460], [1000]), binomial([460], [1000]), 0.4, 0.45)
    assert result["verdict"].tolist() == [OPEN]
    result = verdicts.within(proportions([520], [1000]), binomial([520], [1000]), 0.4, 0.45)
    assert result["verdict"].tolist() == [TOO_STRONG]


def test_a_negative_band_is_refused():
    with pytest.raises(ValueError, match=r"band=-0\.1 must be at least 0"):
        with_verdicts(proportions([5], [40]).assign(fair=0.5), binomial([5], [40]), band=-0.1)
