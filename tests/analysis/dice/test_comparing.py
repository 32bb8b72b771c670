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
