"""Win rates, the matchup matrix, seats and turn positions, from small tables computed by hand."""

import numpy as np
import pytest

from analysis.data.rows import Tally
from analysis.stats.intervals import proportion
from analysis.winrates.rates import by_entrant_and_place, by_place, matrix, pairs, win_rates
from tests.analysis.made_rows import game, games, random_games

NAMES = ("Ada", "Bo", "Cy")


def duels():
    """Ada beats Bo 3:1 and draws once, Cy beats Ada once; one duel of Bo and Cy is truncated."""
    return Tally.empty(3, 4).add(
        games(
            *[game([0, 1], [1, 0], first=0)] * 2,
            game([1, 0], [0, 1], first=0),
            game([1, 0], [1, 0], first=0),
            game([0, 1], [0.5, 0.5], first=1),
            game([2, 0], [1, 0], first=-1),
            game([1, 2], None),
            game([0, 1, 2], [0, 0, 1], first=2),
        )
    )


def test_win_rates_are_over_finished_games_with_the_truncated_share_best_first():
    table = win_rates(duels(), 2, NAMES).set_index("name")
    assert table.index.tolist() == ["Cy", "Ada", "Bo"]
    assert table["n"].to_dict() == {"Cy": 1, "Ada": 6, "Bo": 5}
    assert table["wins"].to_dict() == {"Cy": 1, "Ada": 3.5, "Bo": 1.5}
    assert table["estimate"].to_dict() == pytest.approx({"Cy": 1, "Ada": 3.5 / 6, "Bo": 0.3})
    assert table["truncated"].to_dict() == pytest.approx({"Cy": 1 / 2, "Ada": 0, "Bo": 1 / 6})
    assert table["fair"].unique().tolist() == [0.5]
    assert table["seats"].unique().tolist() == [2]
    known = proportion(1, 1, 1 - 0.05 / 3)
    assert (table.loc["Cy", "low"], table.loc["Cy", "high"]) == (known.low, known.high)


def test_shared_wins_vary_less_than_whole_ones():
    wins, draws = [game([0, 1], [1, 0]), game([0, 1], [0, 1])], [game([0, 1], [0.5, 0.5])]
    whole, half, shared = (Tally.empty(2, 2).add(games(*rows)) for rows in (50 * wins, 25 * wins + 50 * draws, 100 * draws))
    widths, widths_in_matrix = [], []
    for tally in (whole, half, shared):
        row = win_rates(tally, 2, NAMES[:2]).iloc[0]
        assert (row["estimate"], row["n"]) == (0.5, 100)
        widths.append(row["high"] - row["low"])
        in_matrix = matrix(tally, NAMES[:2])
        widths_in_matrix.append(in_matrix.high[0, 1] - in_matrix.low[0, 1])
    for among, level in ((widths, 1 - 0.05 / 2), (widths_in_matrix, 0.95)):
        single = proportion(50, 100, level)
        assert among[0] == single.high - single.low
        assert among[1] == pytest.approx(among[0] / 2**0.5, rel=0.02)
    assert 0.03 < widths_in_matrix[2] < 0.05
    assert 0.03 < widths[2] < 0.06  # not zero: z^2 games could have gone the other way
    assert [int(tally.draws[2]) for tally in (whole, half, shared)] == [0, 50, 100]


def test_p_values_are_adjusted_over_the_entrants():
    rows = [game([0, 1], [1, 0])] * 12 + [game([1, 2], [1, 0])] * 12
    table = win_rates(Tally.empty(3, 2).add(games(*rows)), 2, NAMES).set_index("name")
    p = 2 / 2**12
    assert table.loc[["Ada", "Cy"], "p"].tolist() == pytest.approx([p, p])
    assert table.loc[["Ada", "Cy"], "p_holm"].tolist() == pytest.approx([3 * p, 3 * p])
    assert table.loc[["Ada", "Cy"], "p_bh"].tolist() == pytest.approx([1.5 * p, 1.5 * p])
    assert table.loc["Bo", ["p", "p_holm", "p_bh"]].tolist() == [1, 1, 1]
    assert set(table["verdict"]) == {"not decided"}  # 12 and 24 games each: too few for a verdict


def test_an_entrant_without_finished_games_is_last_and_has_no_rate():
    rows = games(game([0, 1], [1, 0]), game([0, 2], None))
    last = win_rates(Tally.empty(4, 2).add(rows), 2, (*NAMES, "Di")).iloc[2:]
    assert last["name"].tolist() == ["Cy", "Di"]
    assert last["n"].tolist() == [0, 0]
    assert last[["estimate", "low", "p", "p_holm"]].isna().all(axis=None)
    assert last["verdict"].tolist() == ["not decided", "not decided"]
    assert last["truncated"].iloc[0] == 1
    assert np.isnan(last["truncated"].iloc[1])


def test_three_seats_are_compared_with_a_third_and_a_solo_game_has_no_fair_share():
    table = win_rates(duels(), 3, NAMES)
    assert table["fair"].tolist() == [pytest.approx(1 / 3)] * 3
    assert table.loc[0, ["name", "p"]].tolist() == ["Cy", pytest.approx(1 / 3)]
    alone = win_rates(Tally.empty(1, 1).add(games(*[game([0], [1])] * 3, game([0], [0]))), 1, ["Ada"])
    assert alone.loc[0, ["estimate", "verdict"]].tolist() == [0.75, ""]
    assert alone.loc[0, ["fair", "p"]].isna().all()


def test_names_and_seats_must_match():
    with pytest.raises(ValueError, match="2 names for 3 entrants"):
        win_rates(duels(), 2, NAMES[:2])
    with pytest.raises(ValueError, match=r"seats=5 must be in 1\.\.4"):
        win_rates(duels(), 5, NAMES)


def test_matrix_by_hand():
    table = matrix(duels(), NAMES)
    assert table.names == NAMES
    assert table.n.tolist() == [[0, 5, 1], [5, 0, 0], [1, 0, 0]]
    nan = float("nan")
    right = [[nan, 3.5 / 5, 0], [1.5 / 5, nan, nan], [1, nan, nan]]
    assert table.estimate == pytest.approx(np.array(right), nan_ok=True)
    assert (table.low[0, 2], table.high[0, 2]) == (0, proportion(0, 1).high)
    listed = pairs(table).set_index(["name", "opponent_name"])
    assert len(listed) == 6  # from both sides, even if not played
    assert listed.loc[("Ada", "Bo"), ["estimate", "n"]].tolist() == pytest.approx([0.7, 5])
    assert listed.loc[("Bo", "Cy"), ["estimate", "low", "p_holm"]].isna().all()


@pytest.mark.slow
def test_the_matrix_is_antisymmetric():
    table = matrix(Tally.empty(5, 4).add(random_games(4000)), tuple("abcde"))
    off = ~np.eye(5, dtype=bool)
    assert table.estimate[off] == pytest.approx(1 - table.estimate.T[off])
    assert table.low[off] == pytest.approx(1 - table.high.T[off])
    assert np.array_equal(table.p_holm, table.p_holm.T, equal_nan=True)


def test_the_matrix_adjusts_over_the_played_pairs_counting_each_once():
    rows = [game([0, 1], [1, 0])] * 10 + [game([2, 1], [1, 0])] * 6
    table = matrix(Tally.empty(3, 2).add(games(*rows)), NAMES)
    assert table.p_holm[0, 1] == table.p_holm[1, 0] == pytest.approx(2 * 2 / 2**10)
    assert table.p_holm[1, 2] == pytest.approx(2 / 2**6)
    assert np.isnan(table.p_holm[0, 2])


def test_by_place_counts_seats_and_positions():
    seat = by_place(duels(), 2, "seat").set_index("seat")
    assert (seat["wins"].tolist(), seat["n"].tolist()) == ([4.5, 1.5], [6, 6])
    position = by_place(duels(), 2).set_index("position")
    assert (position["wins"].tolist(), position["n"].tolist()) == ([3.5, 1.5], [5, 5])  # without the game without a first seat
    assert position["fair"].tolist() == [0.5, 0.5]
    assert by_place(duels(), 3)["wins"].tolist() == [1, 0, 0]
    table = by_entrant_and_place(duels(), 2, NAMES, "seat").set_index(["name", "seat"])
    assert table.loc[[("Ada", 0), ("Ada", 1)], ["wins", "n"]].to_numpy().tolist() == [[2.5, 3], [1, 3]]
    assert table.loc[("Cy", 1), "n"] == 0
    with pytest.raises(ValueError, match="place='chair'"):
        by_place(duels(), 2, "chair")


def some_lost():
    """Of ten games of Ada and Bo, Ada wins four and Bo two, both lose three and one is truncated; Cy beats Ada once."""
    rows = [game([0, 1], [1, 0])] * 4 + [game([0, 1], [0, 1])] * 2 + [game([1, 0], [0, 0], first=1)] * 3
    return Tally.empty(3, 2).add(games(*rows, game([0, 1], None), game([2, 0], [1, 0])))


def test_games_without_a_winner_lower_the_fair_share_to_the_mean_rate_and_are_no_matchups():
    tally = some_lost()
    assert (tally.lost[2], tally.finished[2]) == (3, 10)
    assert tally.decided.tolist() == [1, 1, 0.7]
    table, places = win_rates(tally, 2, NAMES), by_place(tally, 2, "seat")
    for frame in (table, places, by_entrant_and_place(tally, 2, NAMES)):
        assert frame["fair"].unique() == pytest.approx([0.35])
    assert table["wins"].sum() / table["n"].sum() == pytest.approx(places["estimate"].mean()) == pytest.approx(0.35)
    met = matrix(tally, NAMES)
    assert met.n[0, 1] == met.n[1, 0] == 6
    assert [met.estimate[0, 1], met.estimate[1, 0]] == pytest.approx([4 / 6, 2 / 6])


def test_equal_entrants_that_often_all_lose_are_fair_and_thirds_of_a_win_are_wins():
    rows = [game([0, 1], [1, 0]), game([0, 1], [0, 1]), game([0, 1], [0, 0])] * 2000
    table = win_rates(Tally.empty(2, 2).add(games(*rows)), 2, NAMES[:2])
    assert table["estimate"].tolist() == pytest.approx([1 / 3] * 2)
    assert table["verdict"].tolist() == ["fair", "fair"]
    assert table["p"].tolist() == pytest.approx([1, 1])
    tally = Tally.empty(3, 3).add(games(*[game([0, 1, 2], [1 / 3] * 3)] * 1000))
    assert tally.lost.tolist() == [0] * 4
    assert win_rates(tally, 3, NAMES)["fair"].tolist() == [1 / 3] * 3
