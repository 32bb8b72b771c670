"""Tables from rows, and streaming sums compared with group-by over those tables."""

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

from analysis.data.rows import Tally, games_frame, parts_frame, seats_frame
from tests.analysis.made_rows import SEATS_MAX, fact, game, games, random_games

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed")
MEASURES = (
    fact("rounds", per="game"),
    fact("weather", per="game", kind="category", categories=("dry", "wet")),
    fact("split", per="game", parts=("early", "late")),
    fact("damage"),
    fact("cause", kind="category", categories=("none", "push")),
    fact("ahead", kind="flag"),
    fact("uses", parts=("hit", "run")),
)
OUTCOME = np.dtype(
    [
        ("rounds", np.int16),
        ("weather", np.uint8),
        ("split", np.int16, (2,)),
        ("damage", np.int16, (SEATS_MAX,)),
        ("cause", np.uint8, (SEATS_MAX,)),
        ("ahead", np.uint8, (SEATS_MAX,)),
        ("uses", np.int16, (SEATS_MAX, 2)),
    ]
)


def two_games():
    rows = games(game([2, 0], [0, 1], first=1, turns=7), game([0, 1, 3], None, first=2))
    outcomes = np.zeros(2, OUTCOME)
    outcomes["rounds"], outcomes["weather"], outcomes["split"] = [4, 5], [1, 7], [[1, 2], [3, 4]]
    outcomes["damage"] = [[10, 11, -9, -9], [20, 21, 22, -9]]
    outcomes["cause"], outcomes["ahead"] = [[0, 1, 9, 9], [1, 1, 255, 9]], [[0, 1, 1, 1], [1, 0, 0, 1]]
    outcomes["uses"] = np.arange(16).reshape(2, 4, 2)
    return rows, outcomes


def test_games_frame_has_a_line_per_game_with_its_facts():
    table = games_frame(*two_games(), MEASURES)
    assert table.columns.tolist() == [
        *("game", "seats", "first", "turns", "decisions", "finished"),
        *("rounds", "weather", "split_0", "split_1"),
    ]
    assert table["finished"].tolist() == [True, False]
    assert table["turns"].tolist() == [7, 10]
    assert table["split_1"].tolist() == [2, 4]
    assert table["weather"].iloc[0] == "wet"
    assert pd.isna(table["weather"].iloc[1])  # 7 is not a weather


def test_seats_frame_has_a_line_per_seat_in_play():
    table = seats_frame(*two_games(), MEASURES, NAMES)
    assert table["game"].tolist() == [0, 0, 1, 1, 1]
    assert table["seat"].tolist() == [0, 1, 0, 1, 2]
    assert table["position"].tolist() == [1, 0, 1, 2, 0]
    assert table["name"].tolist() == ["Cy", "Ada", "Ada", "Bo", "Di"]
    assert table["share"].tolist() == [0, 1, 0, 0, 0]
    assert table["won"].tolist() == [False, True, False, False, False]
    assert table["finished"].tolist() == [True, True, False, False, False]
    assert table["damage"].tolist() == [10, 11, 20, 21, 22]
    assert table["cause"].astype(object).tolist()[:4] == ["none", "push", "push", "push"]
    assert pd.isna(table["cause"].iloc[4])
    assert table["ahead"].tolist() == [False, True, True, False, False]
    assert table["uses_0"].tolist() == [0, 2, 8, 10, 12]
    assert table["uses_1"].tolist() == [1, 3, 9, 11, 13]


def test_tables_keep_small_types():
    table = seats_frame(*two_games(), MEASURES, NAMES)
    assert {str(table[column].dtype) for column in ("seat", "seats", "position")} == {"int8"}
    assert (table["share"].dtype, table["entrant"].dtype, table["damage"].dtype) == (np.float32, np.int16, np.int16)
    assert isinstance(table["name"].dtype, pd.CategoricalDtype)


def test_a_game_without_a_first_seat_has_no_positions():
    table = seats_frame(games(game([0, 1], [1, 0], first=-1)), np.zeros(1, OUTCOME), (), NAMES)
    assert table["position"].tolist() == [-1, -1]


def test_entrants_of_the_same_name_are_distinguished():
    table = seats_frame(games(game([0, 1, 2], [1, 0, 0])), np.zeros(1, OUTCOME), (), ("Ada", "Ada", "Ada (2)"))
    assert table["name"].tolist() == ["Ada", "Ada (2)", "Ada (2) (2)"]


def test_no_games_give_empty_tables():
    rows, outcomes = games(), np.zeros(0, OUTCOME)
    assert len(games_frame(rows, outcomes, MEASURES)) == len(seats_frame(rows, outcomes, MEASURES, NAMES)) == 0
    assert Tally.empty(5, SEATS_MAX).add(rows).games.sum() == 0


def test_mismatches_are_named():
    rows, outcomes = two_games()
    with pytest.raises(ValueError, match="2 rows and 1 outcomes"):
        games_frame(rows, outcomes[:1], MEASURES)
    with pytest.raises(ValueError, match="'gold' is not among the outcomes"):
        seats_frame(rows, outcomes, [fact("gold")], NAMES)
    with pytest.raises(ValueError, match=r"'uses' per seat has shape \(4, 2\), expected \(4, 3\)"):
        seats_frame(rows, outcomes, [fact("uses", parts=("a", "b", "c"))], NAMES)
    with pytest.raises(ValueError, match=r"'rounds' per seat has shape \(\), expected \(4,\)"):
        seats_frame(rows, outcomes, [fact("rounds")], NAMES)
    with pytest.raises(ValueError, match=r"entrants 0\.\.3 in the rows must be in 0\.\.1"):
        seats_frame(rows, outcomes, (), NAMES[:2])


@pytest.mark.parametrize(("field", "value"), [("status", 0), ("seats", 5), ("seats", 0), ("first", 3), ("entrant", 5)])
def test_impossible_rows_are_refused_and_leave_the_tally_unchanged(field, value):
    rows = random_games(50)
    rows[field][17] = value
    tally = Tally.empty(5, SEATS_MAX)
    with pytest.raises(ValueError, match=str(value)):
        tally.add(rows)
    assert tally.games.sum() == 0


# The streaming sums


def same(left, right):
    return all(np.array_equal(getattr(left, field.name), getattr(right, field.name)) for field in fields(Tally))


@pytest.mark.slow
def test_tally_equals_group_by_over_the_table_of_seats():
    rows = random_games(3000)
    tally = Tally.empty(5, SEATS_MAX).add(rows)
    table = seats_frame(rows, np.zeros(len(rows), OUTCOME), (), NAMES)
    done = table[table["finished"]]
    for key, kind in (("seat", "seat"), ("position", "position")):
        groups = done[done[key] >= 0].groupby(["seats", "entrant", key])
        for sums, column, how in (("games", "share", "size"), ("wins", "share", "sum")):
            expected = np.zeros((SEATS_MAX + 1, 5, SEATS_MAX))
            for index, value in groups[column].agg(how).items():
                expected[index] = value
            assert getattr(tally, f"{kind}_{sums}") == pytest.approx(expected, rel=1e-5)
    games_table = games_frame(rows, np.zeros(len(rows), OUTCOME), ())
    for seats, frame in games_table.groupby("seats"):
        assert tally.games[seats] == len(frame)
        assert tally.truncated[seats] == (~frame["finished"]).sum()
        assert tally.finished[seats] == frame["finished"].sum()
        assert tally.turns[seats] == frame["turns"].sum()
        assert tally.decisions[seats] == frame["decisions"].sum()
    truncated = table[~table["finished"]].groupby(["seats", "entrant"]).size()
    assert all(tally.truncated_of[index] == value for index, value in truncated.items())
    assert tally.truncated_of.sum() == truncated.sum()


@pytest.mark.slow
def test_tally_counts_matchups_of_two_seats_only():
    rows = random_games(3000)
    tally = Tally.empty(5, SEATS_MAX).add(rows)
    wins, played = np.zeros((5, 5)), np.zeros((5, 5))
    for row in rows[(rows["seats"] == 2) & (rows["status"] == 1)]:
        for mine, other in ((0, 1), (1, 0)):
            wins[row["entrant"][mine], row["entrant"][other]] += row["share"][mine]
            played[row["entrant"][mine], row["entrant"][other]] += 1
    assert np.array_equal(tally.matchup_wins, wins)
    assert np.array_equal(tally.matchup_games, played)
    assert played.sum() > 0


@pytest.mark.parametrize("block", [1, 7, 1000])
@pytest.mark.slow
def test_tallies_of_blocks_merge_in_any_order_to_the_same_bits(block):
    rows = random_games(1500)
    whole = Tally.empty(5, SEATS_MAX).add(rows)
    parts = [Tally.empty(5, SEATS_MAX).add(rows[start : start + block]) for start in range(0, len(rows), block)]
    assert same(sum(reversed(parts[1:]), parts[0]), whole)
    streamed = Tally.empty(5, SEATS_MAX)
    for start in range(0, len(rows), block):
        streamed.add(rows[start : start + block])
    assert same(streamed, whole)


def test_tallies_of_other_entrants_do_not_merge():
    with pytest.raises(ValueError, match="must have the same shape"):
        Tally.empty(5, 2) + Tally.empty(4, 2)
    with pytest.raises(ValueError, match="entrants=0"):
        Tally.empty(0, 2)
    with pytest.raises(ValueError, match="at most 2"):
        Tally.empty(5, 2).add(games(game([0, 1, 2], [1, 0, 0])))


def test_outcomes_need_room_only_for_the_seats_played():
    rows = games(game([2, 0], [0, 1]), game([0, 1], [1, 0]))
    narrow = np.zeros(2, np.dtype([("uses", np.int16, (2, 2)), ("damage", np.int16, (2,))]))
    narrow["uses"] = np.arange(8).reshape(2, 2, 2)
    table = seats_frame(rows, narrow, [fact("uses", parts=("hit", "run")), fact("damage")], NAMES)
    assert table["uses_1"].tolist() == [1, 3, 5, 7]
    with pytest.raises(ValueError, match=r"'damage' per seat has shape \(2,\), expected \(4,\)"):
        seats_frame(games(game([2, 0, 1], [0, 1, 0])), narrow[:1], [fact("damage")], NAMES)


def test_parts_frame_has_a_line_per_seat_and_part_of_its_team():
    members = np.array([[0, 1], [0, 2], [1, 2]])
    seats = seats_frame(
        games(game([2, 0], [0, 1])),
        np.array([([[1, 2], [3, 4]], [[1, 2, 3, 4], [5, 6, 7, 8]])], [("kills", "i2", (2, 2)), ("lines", "i2", (2, 4))]),
        [fact("kills", parts=("a", "b")), fact("lines", parts=("a", "b", "c", "d"))],
        NAMES,
    )
    table = parts_frame(seats, members, ("Fox", "Owl", "Cat"), {"kills": 1, "lines": 2})
    assert table["name"].tolist() == ["Owl", "Cat", "Fox", "Owl"]
    assert table["part"].tolist() == [1, 2, 0, 1]
    assert table["seat"].tolist() == [0, 0, 1, 1]
    assert table["share"].tolist() == [0, 0, 1, 1]
    assert table["kills"].tolist() == [1, 2, 3, 4]
    assert table[["lines_0", "lines_1"]].to_numpy().tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]
    with pytest.raises(ValueError, match=r"measure 'lines' must have the columns lines_0..lines_5, 2 x 3"):
        parts_frame(seats, members, ("Fox", "Owl", "Cat"), {"lines": 3})
