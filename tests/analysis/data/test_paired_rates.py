"""Win rates from pairs: coverage under any correlation of the two games, mirror matches without variance, gain."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.data.encounters import PairTally, SeatStrata, against_fair, overall_gain, rates, stratified, sums_of
from analysis.data.rows import Tally
from analysis.data.shares import Shares, by_entrant, compare
from analysis.stats.intervals import proportion
from analysis.stats.paired import grouped_changes
from analysis.winrates.rates import SumsOfGames
from sim.engine.cards import changed
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import collect
from tests.analysis.covering import error
from tests.analysis.made_rows import game, games
from tests.conftest import in_soak
from tests.every_game.play import shortened

LEAST = 0.925  # least accepted coverage at 95 %
RUNS = 2000
RANDOM = (PolicySpec.parse("random"),)


def sums(wins, size=2):
    """The sums of many runs at once. wins: (runs, pairs), games won in each group of `size`."""
    n = float(wins.shape[1])
    y, yy = wins.sum(axis=1).astype(float), (wins.astype(float) ** 2).sum(axis=1)
    fixed = {"x": size * n, "xx": size**2 * n, "n": n, "free": n}
    return pd.DataFrame({"y": y, "yy": yy, "xy": size * y, "ss": y, **fixed})


def coverage(wins, p, size=2):
    result = rates(sums(wins, size))
    assert result["low"].between(0, 1).all()
    assert result["high"].between(0, 1).all()
    assert (result["low"] < result["high"]).all()
    return float(((result["low"] <= p) & (p <= result["high"])).mean())


@pytest.mark.parametrize("pairs", [50, in_soak(200)])
@pytest.mark.parametrize(
    ("p", "correlation"),
    [
        *((0.5, -1), (0.5, 1), (0.05, 0)),
        *map(in_soak, ((0.5, -0.9), (0.5, -0.5), (0.5, 0), (0.5, 0.5), (0.3, -0.4))),
        *map(in_soak, ((0.05, -0.05), (0.05, 0.5), (0.05, 1), (0.95, 0), (0.95, 0.9))),
    ],
)
@pytest.mark.slow
def test_the_interval_covers_for_any_correlation_of_two_games(p, correlation, pairs):
    both = max(0.0, p * p + correlation * p * (1 - p))
    split = 2 * (p - both)
    wins = np.random.default_rng(4).choice(3, (RUNS, pairs), p=[max(0.0, 1 - both - split), split, both])
    assert coverage(wins, p) >= LEAST


@pytest.mark.parametrize("size", [3, in_soak(4)])
@pytest.mark.parametrize("alike", [1, *map(in_soak, (-1, -0.9, 0, 0.5))])
@pytest.mark.slow
def test_the_interval_covers_groups_of_three_and_four(size, alike):
    rng = np.random.default_rng(5)
    same = (rng.random((RUNS, 60)) < 1 / size) * size if alike > 0 else np.ones((RUNS, 60))
    wins = np.where(rng.random((RUNS, 60)) < abs(alike), same, rng.binomial(size, 1 / size, (RUNS, 60)))
    assert coverage(wins, 1 / size, size) >= LEAST


def test_single_games_have_wilsons_interval_with_students_quantile():
    won = np.random.default_rng(6).random(4000) < 0.3
    result = rates(sums_of(np.arange(4000), np.zeros(4000), won, np.ones(4000), 1)).iloc[0]
    right = proportion(float(won.sum()), 4000)
    assert (result["low"], result["high"]) == pytest.approx((right.low, right.high), abs=2e-5)
    assert result["gain"] == pytest.approx(1, abs=1e-3)


def test_gain_is_the_ratio_of_variances():
    rng = np.random.default_rng(7)
    wins = rng.choice(3, (1, 20_000), p=[0.05, 0.9, 0.05])  # variance of a pair's wins 0.1, of two single games 0.5
    assert rates(sums(wins))["gain"].iloc[0] == pytest.approx(5, rel=0.05)
    assert overall_gain(sums(wins)) == pytest.approx(5, rel=0.05)


def test_sums_of_blocks_add_up_and_no_entrant_counts_twice():
    rng = np.random.default_rng(8)
    pair, who = np.repeat(np.arange(300), 4), rng.integers(0, 3, 1200)
    won, counts = rng.random(1200).round(1), rng.random(1200) < 0.9
    whole = sums_of(pair, who, won, counts, 3)
    halves = [sums_of(pair[part], who[part], won[part], counts[part], 3) for part in (slice(0, 600), slice(600, 1200))]
    np.testing.assert_allclose(whole, halves[0] + halves[1])
    mine = [
        [(won[index] * counts[index], counts[index]) for index in np.flatnonzero((pair == k) & (who == 1))] for k in range(300)
    ]
    per_pair = np.array([np.sum(item, axis=0) for item in mine if item])
    assert whole.loc[1, "yy"] == pytest.approx(float((per_pair[:, 0] ** 2).sum()))
    assert whole.loc[1, "n"] == (per_pair[:, 1] > 0).sum()


def test_pairs_that_are_equal_by_chance_keep_an_interval_with_a_width():
    split = sums(np.ones((1, 100)))
    result = rates(split).iloc[0]
    assert result["low"] < 0.5 < result["high"]
    assert result["high"] - 0.5 == pytest.approx(1.96**2 / 200, rel=0.05)  # z^2 of 100 pairs, half a game each
    certain = rates(split.assign(free=0)).iloc[0]
    assert (certain["low"], certain["estimate"], certain["high"]) == (0.5, 0.5, 0.5)


def test_all_won_and_none_won_keep_a_bound_and_no_games_have_none():
    result = rates(sums(np.array([[2] * 30, [0] * 30])))
    assert result["high"].tolist()[0] == 1
    assert result["low"].tolist()[1] == 0
    assert result["low"].tolist()[0] == pytest.approx(1 - result["high"].tolist()[1])
    assert 0.8 < result["low"].tolist()[0] < 0.95
    empty = rates(sums(np.zeros((1, 1))) * 0).iloc[0]
    assert np.isnan([empty["estimate"], empty["low"], empty["high"]]).all()


def test_p_values_fit_the_intervals():
    wins = np.random.default_rng(9).choice(3, (400, 80), p=[0.2, 0.4, 0.4])
    result = against_fair(sums(wins), 0.5)
    outside = (result["low"] > 0.5) | (result["high"] < 0.5)
    assert (outside == (result["p"] < 0.05)).mean() > 0.98
    assert np.isnan(against_fair(sums(wins), float("nan"))["p"]).all()


def play(made):
    tally = PairTally(made)
    tally.add(collect(made, jobs=1).rows)
    return rates(tally.of_entrants)


def test_a_mirror_match_is_exactly_even_and_has_no_variance(coin_duel):
    made = Experiment("coin_duel", coin_duel.load(None), 2, RANDOM, 60, 3, line_up=(1, 1), paired=True)
    assert made.pair_games == 2
    result = play(made).loc[1]
    assert (result["estimate"], result["low"], result["high"], result["n"]) == (0.5, 0.5, 0.5, 120)


def test_two_entrants_with_the_same_numbers_split_every_pair(coin_duel):
    cards = coin_duel.load(None)
    document = {**cards.document, "fighter": [{**cards.document["fighter"][0], "id": name, "name": name} for name in "ab"]}
    made = Experiment("coin_duel", coin_duel.from_document(document), 2, RANDOM, 200, 3, line_up=(0, 1), paired=True)
    result = play(made)
    assert result["estimate"].tolist() == [0.5, 0.5]
    assert np.isinf(result["gain"]).all()
    assert (result["low"] < 0.5).all()  # the tally does not know that they are the same
    single = collect(replace(made, paired=False), jobs=1).rows["share"][:, :2].mean(axis=0)
    assert single[0] != 0.5


@pytest.mark.parametrize("cut", [(1, 7, 30, 41), (50,), ()])
def test_blocks_can_end_anywhere(coin_duel, cut):
    made = Experiment("coin_duel", coin_duel.load(None), 3, RANDOM, 60, 3, paired=True)
    rows = collect(made, jobs=1).rows
    whole, parts = PairTally(made), PairTally(made)
    whole.add(rows)
    for part in np.split(rows, cut):
        parts.add(part)
    for first, second in ((whole.of_entrants, parts.of_entrants), (whole.of_positions, parts.of_positions)):
        np.testing.assert_allclose(first, second)
    assert whole.of_positions["x"].sum() == whole.of_entrants["x"].sum()


def test_matchups_are_counted_by_pair():
    class Two:
        seats, pair_games = 2, 2
        cards = type("Cards", (), {"ids": ("a", "b", "c")})

        @staticmethod
        def pair_of(index):
            return index // 2

    tally = PairTally(Two)
    tally.add(games(game((0, 1), (1, 0)), game((1, 0), (1, 0)), game((2, 0), (1, 0)), game((0, 2))))
    met = tally.of_matchups.to_numpy().reshape(3, 3, -1)
    assert met[0, 1, :2].tolist() == met[1, 0, :2].tolist() == [1, 2]
    assert met[2, 0, :2].tolist() == [1, 1]  # the truncated game does not count
    assert tally.of_positions.loc[0, ["y", "x", "yy", "n"]].tolist() == [3, 3, 5, 2]


def test_a_comparison_groups_games_with_the_same_dice(coin_duel):
    made = Experiment("coin_duel", coin_duel.load(None), 2, RANDOM, 200, 3, paired=True)
    document = changed(made.cards.document, f"fighter.{made.cards.ids[0]}.bonus", 3)
    before = Shares.of(made)
    after = Shares.of(replace(made, cards=coin_duel.from_document(document)))
    np.testing.assert_array_equal(before.pair, np.arange(made.games) // 2)
    result = compare(before, after, list(made.cards.names)).iloc[0]
    (sits, b), (_, a) = (by_entrant(item.entrant, item.share, len(made.cards.ids)) for item in (before, after))
    d = (a - b)[sits[:, 0] > 0, 0].reshape(-1, 2).mean(axis=1)  # both games of a pair have the same entrants
    up, down = [d.clip(min=0).sum()], [(-d).clip(min=0).sum()]
    right = grouped_changes(up, down, [(d**2).sum()], [len(d)]).iloc[0]
    assert [result[name] for name in ("change", "low", "high", "p")] == pytest.approx(right[:4].tolist())
    assert result["n"] == 2 * len(d)
    singly = compare(replace(before, pair=before.pair[:0]), replace(after, pair=after.pair[:0]), list(made.cards.names))
    assert result["change"] == pytest.approx(singly["change"].iloc[0])
    assert result["gain"] != singly["gain"].iloc[0]


def test_a_comparison_does_not_depend_on_the_blocks(coin_duel, monkeypatch):
    made = Experiment("coin_duel", coin_duel.load(None), 3, RANDOM, 60, 3, paired=True)
    before, after = Shares.of(made), Shares.of(replace(made, coupling="entrant"))
    whole = compare(before, after, list(made.cards.names))
    monkeypatch.setattr("analysis.data.shares.AT_ONCE", 7)
    pd.testing.assert_frame_equal(whole, compare(before, after, list(made.cards.names)))


@pytest.mark.soak
def test_within_opponents_the_interval_covers_and_is_narrower():
    rng = np.random.default_rng(13)
    chance = np.array([0.1, 0.4, 0.7, 0.8])  # against four opponents; both games of a pair are independent
    owner, covered, gains = np.zeros(4, np.int64), [], []
    runs = shortened(400, 4)
    for _ in range(runs):
        met = np.repeat(np.arange(4), 40)
        won, pair = rng.random(160) < chance[met], np.repeat(np.arange(80), 2)
        cells = sums_of(pair, met, won, np.ones(160), 4)
        whole = sums_of(pair, np.zeros(160), won, np.ones(160), 1)
        result, plain = rates(stratified(whole, cells, owner)).iloc[0], rates(whole).iloc[0]
        assert result["high"] - result["low"] < plain["high"] - plain["low"]
        covered.append(result["low"] <= chance.mean() <= result["high"])
        gains.append(result["gain"])
    assert np.mean(covered) >= 0.95 - 3 * error(runs)
    assert np.mean(gains) == pytest.approx(1, abs=1 / np.sqrt(runs))


def test_an_opponent_met_once_leaves_the_variance_over_all_pairs():
    pair, met = np.repeat(np.arange(10), 2), np.array([0] * 18 + [1] * 2)
    won = np.arange(20) % 3 == 0
    whole = sums_of(pair, np.zeros(20), won, np.ones(20), 1)
    split = stratified(whole, sums_of(pair, met, won, np.ones(20), 2), np.zeros(2, np.int64))
    pd.testing.assert_frame_equal(rates(split), rates(whole))


@pytest.mark.parametrize("strong", [0.8, *map(in_soak, (0.5, 0.95))])
@pytest.mark.slow
def test_with_different_policies_by_seat_the_variance_is_within_seats(strong):
    """Seat 0 wins the share `strong` of every matchup. Entrants sit on both seats equally often, so all rates are one half."""
    rng, entrants, each, runs = np.random.default_rng(8), 4, 60, shortened(300, 4)
    apart = ~np.eye(entrants, dtype=bool)
    inside, widths = np.zeros(2), []
    for _ in range(runs):
        tally = Tally.empty(entrants, 2, by_seating=True)
        tally.seated_wins[0] = rng.binomial(each, strong, (entrants, entrants)) * apart
        tally.seated_wins[1] = (each - tally.seated_wins[0].T) * apart
        tally.seat_wins[2] = tally.seated_wins.sum(axis=2).T
        tally.seat_games[2] = each * (entrants - 1)
        strata = SeatStrata.of(tally, 2)
        rate, pair = rates(strata.of_entrants), rates(strata.of_matchups.iloc[np.flatnonzero(apart)])
        assert rate["n"].tolist() == [2 * each * (entrants - 1)] * entrants
        assert pair["estimate"].to_numpy() == pytest.approx(tally.seated_wins.sum(axis=0)[apart] / 2 / each)
        inside += [((table["low"] <= 0.5) & (table["high"] >= 0.5)).mean() for table in (rate, pair)]
        widths.append((rate["high"] - rate["low"]).mean())
    assert np.abs(inside / runs - 0.95).max() <= 3 * error(runs)
    alone = proportion(each * (entrants - 1), 2 * each * (entrants - 1))
    assert np.mean(widths) == pytest.approx((alone.high - alone.low) * 2 * np.sqrt(strong * (1 - strong)), rel=0.06)


def test_wins_by_seat_and_opponent_are_counted_if_policies_differ(coin_duel):
    made = Experiment(coin_duel.name, coin_duel.load(None), 2, (*RANDOM, PolicySpec.parse("greedy:1")), 60)
    tally = SumsOfGames.of(made).tally
    tally.add(collect(made).rows)
    assert pytest.approx(tally.seat_wins[2, :, :2]) == tally.seated_wins.sum(axis=2).T
    assert tally.seated_wins.sum(axis=0) == pytest.approx(tally.matchup_wins)
    assert not SumsOfGames.of(replace(made, policies=RANDOM)).tally.seated_wins.size
