"""Several rolls side by side: which is higher, one row of a long table, a range of numbers."""

from itertools import product

import pytest

import fairfight as ff
from analysis.dice.beating import contest
from analysis.dice.exact import chances_of, parse


def test_which_roll_is_higher_by_every_pair_of_results():
    pairs = [(sum(two), one) for *two, one in product(range(1, 7), range(1, 7), range(1, 13))]
    result = contest(chances_of(parse("2d6")), chances_of(parse("d12")))
    assert result.wins == pytest.approx(sum(left > right for left, right in pairs) / len(pairs))
    assert result.ties == pytest.approx(sum(left == right for left, right in pairs) / len(pairs))
    assert result.losses == pytest.approx(sum(left < right for left, right in pairs) / len(pairs))


def test_several_rolls_are_shown_side_by_side():
    result = ff.dice(["2d6", "d12", "3d4/2"], rolls=100)
    assert result.summary == "Highest mean of three rolls: 2d6 (7.00); lowest: 3d4/2 (3.75)."
    assert result.story == ("2d6: sum of 2d6.", "d12: d12.", "3d4/2: sum of 3d4 divided by 2.")
    assert [(row["roll"], row["against"]) for row in result.frames["contests"].to_dict("records")] == [
        ("2d6", "d12"),
        ("2d6", "3d4/2"),
        ("d12", "3d4/2"),
    ]
    (values,) = [table for table in result.tables if table.id == "values"]
    assert values.columns == ("result", "2d6", "d12", "3d4/2")
    assert next(row for row in values.rows if row[0] == 2)[1:] == (
        pytest.approx(1 / 36),
        pytest.approx(1 / 12),
        pytest.approx(3 / 64),
    )
    assert ff.dice("2d6", others=["d12"], rolls=100).summary == "Highest mean of two rolls: 2d6 (7.00); lowest: d12 (6.50)."


def test_one_row_of_a_long_table():
    result = ff.dice("d4+d7+d9+d11+d16+d20+d23+d24", at_least=65, rolls=100)
    (row,) = result.frames["rolls"].to_dict("records")
    assert row["at_least"] == pytest.approx(64800983 / 163215360)
    assert row["at_most"] == pytest.approx(
        1 - ff.dice("d4+d7+d9+d11+d16+d20+d23+d24", at_least=66, rolls=100).frame["at_least"][0]
    )
    assert "at least 65 in 39.7\u202f%" in result.summary
    assert [table.id for table in result.tables] == ["rolls"]
    assert ff.dice("5d6==6", at_least=5, rolls=100).summary.endswith("at least 5 in 0.013\u202f% (1 in 7,776).")


def test_a_table_replaces_n():
    result = ff.dice("{n}d6>=4", table="0:5", rolls=100)
    assert result.frames["rolls"]["title"].tolist() == [f"{n}d6>=4" for n in range(6)]
    assert result.frames["rolls"]["mean"].tolist() == [n / 2 for n in range(6)]
    assert result.frames["rolls"]["n"].tolist() == [*range(6)]


def test_a_table_of_one_line_says_how_it_depends_on_n():
    means = ff.dice("{n}d6>=4", table="0:10", rolls=100)
    assert means.summary == "{n}d6>=4: mean 0.00 with n = 0, 5.00 with n = 10."
    assert means.story == ("10d6>=4: number of the 10 dice that show 4 or more.",)
    chances = ff.dice("sum({n}d6)>=12", table="1:5", rolls=100)
    assert chances.summary == "sum({n}d6)>=12: 0.0\u202f% with n = 1, 94.1\u202f% with n = 5; at least one half from n = 4 on."
    above = ff.dice("{n}d6>=4", table="0:4", at_least=2, rolls=100)
    assert (
        above.summary == "{n}d6>=4: at least 2: 0.0\u202f% with n = 0, 68.8\u202f% with n = 4; at least one half from n = 3 on."
    )


def test_a_table_of_several_lines_has_a_column_for_each():
    table = ff.dice(["{n}d6>=4", "{n}d8>=4"], table="0:2", rolls=100)["numbers"]
    assert table.columns.tolist() == ["n", "{n}d6>=4", "{n}d8>=4"]
    assert table.to_numpy().tolist() == [[0, "0.00", "0.00"], [1, "0.50", "0.62"], [2, "1.00", "1.25"]]


def test_charts_of_a_table():
    def titles(*texts, **how):
        return [chart.title for chart in ff.dice(list(texts), rolls=100, **how).charts]

    small, means = ("Chance of each result or more (columns) by n (rows).", "Mean by n, and where most results fall.")
    assert titles("{n}d6>=4", table="0:10") == [small, means]
    assert titles("{n}d6", table="1:20") == [means]
    assert titles("sum({n}d6)>=12", table="1:5") == ["Chance by n."]
    assert titles("{n}d6", "{n}d8", table="1:5", at_least=9) == ["Chance by n to be 9 or more."]
    assert titles("d20>=15", "sum(2d6)>=7") == ["Chance of each."]
    for chart in ff.dice(["{n}d6>=4", "{n}d8>=5"], table="0:3", rolls=100).charts:
        assert chart.draw().axes


def test_conditions_are_compared_by_their_chances():
    answer = ff.dice(["d20>=15", "sum(2d6)>=7"], rolls=100)
    assert answer.summary == "Most likely of two rolls: sum(2d6)>=7 (58.3\u202f%); least likely: d20>=15 (30.0\u202f%)."
    assert answer.tables[0].columns[:2] == ("roll", "chance")
    assert answer.story[0] == "d20>=15: chance that d20 shows 15 or more."
    assert "contests" not in answer.frames
    assert [row[0] for row in ff.dice("d20>=15", rolls=100).tables[0].rows] == ["no", "yes"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"roll": "2d6", "table": "0:5"}, r"write \{n\} where its numbers belong"),
        ({"roll": "{n}d6", "table": "5:0"}, "must be a range such as 0:5"),
        ({"roll": "{n}d6", "table": "1-5"}, "must be a range such as 0:5"),
        ({"roll": "arena", "table": "0:5"}, "only works with dice"),
        ({"roll": "2d6", "others": ["arena"]}, "only dice such as 2d6 can be compared"),
        ({"roll": "2d6", "others": ["2d6>=7"]}, r"write sum\(2d6\)>=7"),
        ({"roll": "2d6", "entrant": "rhino_guy"}, "only works with a game"),
    ],
)
def test_what_cannot_be_compared_is_refused(arguments, problem):
    with pytest.raises(ValueError, match=problem):
        ff.dice(**arguments)


def test_long_words_of_outcomes_stand_below_their_chances():
    answer = ff.dice("r = 6d6; critical: count(r>=4)>=2 and count(r==6)>=2; success: count(r>=4)>=2; failure: 1", rolls=100)
    assert answer.summary == "Critical 26.3\u202f%, success 62.7\u202f%, failure 10.9\u202f%."
    assert answer.story[0].startswith("r is 6d6; the first that holds of critical if the number of the dice")
    assert ff.dice("r = d20; crit: r==20; hit: r>=12; miss: 1", rolls=100).story == ()
