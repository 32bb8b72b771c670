"""Results of every matchup: pairs of games as observations, games left out, the gain of pairs, and the level of marks."""

import numpy as np
import pytest

from analysis.data.encounters import Encounters, EncounterTally
from analysis.data.rows import Tally
from analysis.stats.intervals import adjust
from analysis.stats.paired import p_changed
from analysis.winrates import rates as matchups
from tests.analysis.made_encounters import drawn, of_counts
from tests.analysis.made_rows import game, games, random_games
from tests.conftest import in_soak

NAMES = ("Ada", "Bo", "Cy")


def pair(first, second, shares, others):
    """Both games of a pair. shares: of the first entrant by game."""
    rows = []
    for lineup, share in (((first, second), shares), ((second, first), others)):
        rows.append(game(lineup, share))
    return rows


def of(*rows, pair_games=2, names=NAMES):
    return EncounterTally(names, pair_games).add(games(*rows)).encounters()


def test_a_pair_is_won_lost_or_even():
    result = of(
        *pair(0, 1, [1, 0], [0, 1]),  # Ada wins from both seats
        *pair(1, 0, [1, 0], [1, 0]),  # seat 0 wins both
        *pair(1, 2, [1, 0], [0, 1]),
    )
    assert (result.up[0, 1], result.down[0, 1], result.weight[0, 1]) == (1, 0, 2)
    assert (result.up[2, 1], result.down[2, 1], result.weight[2, 1]) == (0, 1, 1)
    assert result.rate[0, 1] == 0.75
    assert result.rate[1, 0] == 0.25
    assert result.games[0, 1] == 4
    assert not result.complete
    with pytest.raises(ValueError, match="Ada and Cy never met"):
        result.require_complete()


def test_truncated_games_and_games_without_a_winner_leave_half_a_pair():
    result = of(*pair(0, 1, [1, 0], None), *pair(0, 1, [0, 0], [0, 0]), *pair(0, 1, [1, 0], [0, 1]))
    assert (result.up[0, 1], result.down[0, 1], result.weight[0, 1], result.games[0, 1]) == (1.5, 0, 1.5, 3)
    assert result.rate[0, 1] == 1
    low, high = (getattr(matchups.of_encounters(result), end)[0, 1] for end in ("low", "high"))
    assert 0.2 < low < 0.5
    assert high == 1


def test_blocks_can_end_within_a_pair():
    rows = games(*[row for number in range(8) for row in pair(number % 2, 2, [number % 3 == 0, number % 3 != 0], [0, 1])])
    whole, cut = EncounterTally(NAMES, 2), EncounterTally(NAMES, 2)
    for first in range(0, len(rows), 5):
        cut.add(rows[first : first + 5])
    together, parts = whole.add(rows).encounters(), cut.encounters()
    for field in ("up", "down", "weight", "games"):
        assert np.array_equal(getattr(together, field), getattr(parts, field))
    assert together.gain == parts.gain


@pytest.mark.parametrize(("shared", "near"), [(False, 1e-9), (True, 0.03)])  # Tango's interval, Wilson's of effective games
def test_single_games_have_the_intervals_and_marks_of_the_matrix(shared, near):
    names = (*NAMES, "Di")
    rows = random_games(1200, entrants=4, seed=4)
    rows = rows[rows["seats"] == 2]
    rows = rows if shared else rows[rows["share"][:, 0] != 0.5]
    result = matchups.of_encounters(EncounterTally(names, 1).add(rows).encounters())
    right = matchups.matrix(Tally.empty(4, 4).add(rows), names)
    assert np.array_equal(result.n, right.n)
    for field in ("estimate", "low", "high", *(() if shared else ("p_holm", "p_bh"))):
        np.testing.assert_allclose(getattr(result, field), getattr(right, field), atol=near, err_msg=field)


def test_bad_rows_are_refused():
    with pytest.raises(ValueError, match="seats=3"):
        of(game([0, 1, 2], [1, 0, 0]), game([0, 1, 2], [1, 0, 0]))
    with pytest.raises(ValueError, match="same two entrants"):
        of(game([0, 1], [1, 0]), game([0, 2], [1, 0]))
    with pytest.raises(ValueError, match="pair_games=3"):
        EncounterTally(NAMES, 3)
    square = np.ones((2, 2))
    with pytest.raises(ValueError, match="mirror"):
        Encounters(("A", "B"), square, square * 2, square * 9, square.astype(int), True)


def test_the_gain_of_pairs_is_that_of_the_variances_seat_by_seat():
    """The same dice in both games: luck goes with the seat, so that it cancels within a pair."""
    luck = np.random.default_rng(1).random((4000, 2))
    rows = []
    for mine, yours in luck.tolist():  # dice go with the seat; Ada adds a little
        first, second = mine + 0.05 > yours, yours + 0.05 > mine
        rows += pair(0, 1, [first, not first], [not second, second])
    result = EncounterTally(NAMES, 2).add(games(*rows)).encounters()
    on_first, on_second = luck[:, 0] + 0.05 > luck[:, 1], luck[:, 1] + 0.05 > luck[:, 0]
    right = (on_first.var() + on_second.var()) / (on_first.astype(int) + on_second).var()
    assert result.gain == pytest.approx(right)
    assert result.gain > 4


def test_a_mirror_match_has_no_variance():
    rows = [row for number in range(20) for row in pair(0, 1, [number % 2, 1 - number % 2], [number % 2, 1 - number % 2])]
    result = of(*rows)
    assert result.gain == np.inf
    assert (result.up[0, 1], result.down[0, 1]) == (0, 0)
    table = matchups.of_encounters(result)
    assert table.estimate[0, 1] == 0.5
    assert table.p_holm[0, 1] == 1


@pytest.mark.parametrize(("pairs", "decided"), [(15, 0.5), *map(in_soak, [(60, 0.2), (200, 0.9)])])
def test_intervals_of_pairs_cover(pairs, decided):
    chance, true = np.random.default_rng(5), 0.56
    gap = 2 * true - 1
    counts = chance.multinomial(pairs, [(decided + gap) / 2, (decided - gap) / 2, 1 - decided], 8000)
    seen, times = np.unique(counts, axis=0, return_counts=True)
    size = int(np.ceil(0.5 + np.sqrt(2 * len(seen) + 0.25)))  # entrants whose matchups are the samples
    up, down = np.resize(seen[:, :2], (size * (size - 1) // 2, 2)).T
    table = matchups.of_encounters(of_counts(tuple(map(str, range(size))), up, down, pairs))
    row, column = (index[: len(seen)] for index in np.triu_indices(size, 1))
    hits = times[(table.low[row, column] <= true) & (true <= table.high[row, column])].sum()
    assert 0.935 < hits / 8000 < 0.975


def marked(rates, pairs, runs, seed):
    """P-values of many runs after Holm and after Benjamini and Hochberg, each (runs, matchups)."""
    chance = np.random.default_rng(seed)
    sets = drawn(rates, pairs, chance, sets=runs)
    row, column = np.triu_indices(len(rates), 1)
    known = {}
    p = np.empty((runs, len(row)))
    for run, result in enumerate(sets):
        for matchup, two in enumerate(zip(result.up[row, column].tolist(), result.down[row, column].tolist(), strict=True)):
            if two not in known:
                known[two] = p_changed(*two)
            p[run, matchup] = known[two]
    return (np.array([adjust(line, method) for line in p]) for method in ("holm", "bh"))


@pytest.mark.soak
def test_marks_are_false_in_at_most_one_run_of_twenty_with_equal_entrants():
    holm, bh = marked(np.full((8, 8), 0.5), 200, 1500, 6)
    assert 0.01 < (holm < 0.05).any(axis=1).mean() <= 0.05
    assert 0.01 < (bh < 0.05).any(axis=1).mean() <= 0.05  # all marks are false, so the false discovery rate is this share


@pytest.mark.soak
def test_at_most_one_mark_in_twenty_is_false_among_true_ones():
    rates = np.full((8, 8), 0.5)
    rates[:3, 3:], rates[3:, :3] = 0.62, 0.38
    row, column = np.triu_indices(8, 1)
    even = rates[row, column] == 0.5
    holm, bh = (result < 0.05 for result in marked(rates, 200, 1000, 7))
    rate = (bh & even).sum(axis=1) / np.maximum(bh.sum(axis=1), 1)
    assert 0.005 < rate.mean() <= 0.05
    assert (holm & even).any(axis=1).mean() <= 0.05
    assert bh[:, ~even].mean() > holm[:, ~even].mean() + 0.05  # the purpose of Benjamini and Hochberg


def test_marks_are_in_the_table_on_both_sides():
    table = matchups.pairs(matchups.of_encounters(of_counts(("A", "B", "C"), [30, 14, 10], [2, 2, 12], 60)))
    both = table.set_index(["name", "opponent_name"])
    assert both.loc[("A", "B"), "p_bh"] == both.loc[("B", "A"), "p_bh"] <= both.loc[("A", "B"), "p_holm"]
    assert both.loc[("A", "C"), "p_bh"] < both.loc[("A", "C"), "p_holm"]


@pytest.mark.parametrize("pairs", [12, *map(in_soak, (4, 60))])
@pytest.mark.slow
def test_variances_are_those_of_the_win_rates_and_never_zero(pairs):
    chance = np.random.default_rng(8)
    sets = drawn(np.array([[0.5, 0.6], [0.4, 0.5]]), pairs, chance, 0.5, 2000)
    true = (0.5 - 0.2**2) / (4 * pairs)
    result = np.array([item.variance[0, 1] for item in sets])
    assert np.var([item.rate[0, 1] for item in sets]) == pytest.approx(true, rel=0.1)
    assert 0.97 < result.mean() / true < 1.2
    assert result.min() > 0


def test_drawn_matrices_are_spread_like_the_win_rates():
    result = drawn(np.array([[0.5, 0.6], [0.4, 0.5]]), 200, np.random.default_rng(9), 0.5)
    draws = result.draws(4000, np.random.default_rng(1))
    assert draws.shape == (4000, 2, 2)
    assert draws[:, 0, 1] + draws[:, 1, 0] == pytest.approx(np.ones(4000))
    assert draws[:, 0, 1].mean() == pytest.approx(result.rate[0, 1], abs=0.003)
    assert draws[:, 0, 1].var() == pytest.approx(result.variance[0, 1], rel=0.1)
