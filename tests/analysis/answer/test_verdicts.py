"""The rule for too strong, too weak and fair: the interval that is shown decides, and those of a table hold together."""

import numpy as np
import pandas as pd
import pytest

from analysis.answer import verdicts
from analysis.answer.verdicts import FAIR, LEAST_GAMES, OPEN, TOO_STRONG, TOO_WEAK, UNFAIR, row_level, with_verdicts
from analysis.data.encounters import rates as paired_rates
from analysis.data.encounters import sums_of
from analysis.stats import intervals, sequential
from analysis.stats.intervals import LEVEL, proportions

TABLES, ROWS, GAMES = 200, 8, 2000
MOST = 0.05 + 2 * np.sqrt(0.05 * 0.95 / TABLES)  # accepted share of false alarms, with the error of the simulation
ON_EDGE = np.resize([0.55, 0.45], ROWS)


def table(wins: list[float], n: int | list[int], fair: float = 0.5) -> pd.DataFrame:
    """Win rates of independent games with verdicts."""
    games = np.broadcast_to(n, len(wins))
    return with_verdicts(proportions(wins, games, row_level(len(wins))).assign(fair=fair))


def alarms(frames: list[pd.DataFrame], words: tuple[str, ...] = UNFAIR) -> float:
    """Share of tables with one of the verdicts in any row."""
    return float(np.mean([frame["verdict"].isin(words).any() for frame in frames]))


def row(low: float, high: float, n: int = 1000, fair: float = 0.5) -> pd.DataFrame:
    """One win rate with this interval."""
    return pd.DataFrame({"estimate": [(low + high) / 2], "low": [low], "high": [high], "n": [n], "fair": [fair]})


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.553, 0.606, TOO_STRONG),
        (0.549, 0.606, OPEN),
        (0.398, 0.447, TOO_WEAK),
        (0.398, 0.451, OPEN),
        (0.451, 0.549, FAIR),
        (0.449, 0.549, OPEN),
        (0.44, 0.56, OPEN),
    ],
)
def test_the_place_of_the_interval_decides(low: float, high: float, verdict: str):
    assert with_verdicts(row(low, high))["verdict"].tolist() == [verdict]


def test_there_are_four_verdicts_and_none_without_a_fair_share():
    result = table([6500, 3500, 5000, 5500], 10_000)
    assert result["verdict"].tolist() == ["too strong", "too weak", "fair", "not decided"]
    alone = with_verdicts(proportions([30], [40]).assign(fair=np.nan))
    assert alone["verdict"].tolist() == [""]


def test_fewer_than_thirty_finished_games_are_never_decided():
    few = table([18, LEAST_GAMES - 1, LEAST_GAMES], [18, LEAST_GAMES - 1, LEAST_GAMES])
    assert few["verdict"].tolist() == [OPEN, OPEN, TOO_STRONG]
    assert with_verdicts(row(np.nan, np.nan, 0))["verdict"].tolist() == [OPEN]


def test_15_wins_of_18_are_not_too_strong_among_many_squads():
    result = table([15] + [9] * 219, 18)
    assert set(result["verdict"]) == {OPEN}


def test_a_row_beyond_the_band_only_by_itself_is_not_decided_among_many_and_its_interval_shows_why():
    alone, among = table([600], 1000), table([600] + [500] * 199, 1000)
    assert (alone["verdict"][0], among["verdict"][0]) == (TOO_STRONG, OPEN)
    assert alone["low"][0] > 0.55 > among["low"][0]


@pytest.mark.parametrize(("rows", "level"), [(0, 0.95), (1, 0.95), (8, 1 - 0.05 / 8), (200, 1 - 0.05 / 200)])
def test_the_level_of_a_row_divides_the_error_by_the_rows(rows: int, level: float):
    assert row_level(rows) == pytest.approx(level)


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
        frames.append(with_verdicts(intervals.shares(sums.table(), row_level(ROWS)).assign(fair=0.5)))
    assert alarms(frames) <= MOST


@pytest.mark.soak
def test_pairs_keep_the_level_if_their_games_differ():
    rng = np.random.default_rng(6)
    pairs, frames = 400, []
    for _ in range(TABLES):
        luck = rng.random((pairs, ROWS))
        won = np.stack([luck < ON_EDGE, 1 - luck < ON_EDGE], axis=1)  # the same dice, from the other seat
        key, group = np.repeat(np.arange(pairs), 2 * ROWS), np.tile(np.arange(ROWS), 2 * pairs)
        sums = sums_of(key, group, won.ravel(), np.ones(won.size), ROWS)
        frames.append(with_verdicts(paired_rates(sums, row_level(ROWS)).assign(fair=0.5)))
    assert alarms(frames) <= MOST


@pytest.mark.soak
def test_a_sequential_run_keeps_the_level_at_every_look():
    rng = np.random.default_rng(7)
    looks, runs = np.arange(400, 2001, 400), 100
    wrong = 0
    for _ in range(runs):
        wins = rng.binomial(400, ON_EDGE, (len(looks), ROWS)).cumsum(axis=0)
        for n, won in zip(looks, wins, strict=True):
            result = sequential.share_sequence(won, np.full(ROWS, n), 2000.0, row_level(ROWS))
            if with_verdicts(result.assign(fair=0.5))["verdict"].isin(UNFAIR).any():
                wrong += 1
                break
    assert wrong / runs <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / runs)


def test_the_effective_number_of_games_of_a_wilson_interval_is_their_number():
    result = proportions([30, 0, 700, 12.5], [100, 40, 1000, 25])
    assert verdicts.worth(result) == pytest.approx([100, 40, 1000, 25])


def test_rows_of_several_tables_are_widened_to_the_intervals_of_one():
    wins, games = [30, 0, 700, 12.5, 40], [100, 40, 1000, 25, 40]
    wide = verdicts.simultaneous(proportions(wins, games))
    expected = proportions(wins, games, row_level(5))
    assert wide["low"].to_numpy() == pytest.approx(expected["low"], abs=1e-9)
    assert wide["high"].to_numpy() == pytest.approx(expected["high"], abs=1e-9)


def test_widening_keeps_rows_without_games_and_certain_ones():
    frame = proportions([0, 5, 600], [0, 10, 1000])
    frame.loc[1, ["low", "high"]] = 0.5  # no game can differ
    wide = verdicts.simultaneous(frame)
    assert np.isnan(wide.loc[0, "low"])
    assert wide.loc[1, ["low", "high"]].tolist() == [0.5, 0.5]
    assert wide["low"][2] == pytest.approx(proportions([600], [1000], 1 - (1 - LEVEL) / 2)["low"][0])


def test_a_wanted_band_has_the_same_rule():
    assert verdicts.verdicts_within(proportions([460], [1000]), 0.4, 0.45).tolist() == [OPEN]
    assert verdicts.verdicts_within(proportions([520], [1000]), 0.4, 0.45).tolist() == [TOO_STRONG]


def test_a_negative_band_is_refused():
    with pytest.raises(ValueError, match=r"band=-0\.1 must be at least 0"):
        with_verdicts(proportions([5], [40]).assign(fair=0.5), band=-0.1)
