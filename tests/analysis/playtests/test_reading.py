"""Logs of playtests in every shape that people use."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest

from analysis.playtests.log import Playtests
from analysis.playtests.reading import is_playtests, read_playtests
from analysis.playtests.template import EXAMPLES, MEANINGS, write_template

BY_PLAYER = """game,date,player,hero,seat,won,score,minutes
1,2026-05-01,Ann,Valasca,1,yes,12,40
1,2026-05-01,Ben,Rhino,2,no,9,40
2,2026-05-01,Cleo,Rhino,1,no,7,55
2,2026-05-01,Ann,Mage,2,no,10,55
2,2026-05-01,Ben,Valasca,3,yes,11,55
"""
BY_GAME = """game,date,seat 1,hero 1,score 1,seat 2,hero 2,score 2,seat 3,hero 3,score 3,winner,minutes
1,2026-05-01,Ann,Valasca,12,Ben,Rhino,9,,,,Ann,40
2,2026-05-01,Cleo,Rhino,7,Ann,Mage,10,Ben,Valasca,11,Valasca,55
"""


@pytest.fixture
def read(tmp_path: Path) -> Any:
    """Read a log from its text."""

    def reader(text: str | bytes, columns: Any = (), suffix: str = ".csv") -> Playtests:
        path = tmp_path / f"log{suffix}"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_playtests(path, columns)

    return reader


def shares(log: Playtests) -> list[float]:
    return log.rows["share"].tolist()


def won_by_first(cells: list[str], read: Any, heading: str = "won") -> list[float]:
    """Shares of one game whose players have these cells below a heading."""
    rows = [f"1;p{number};{cell}" for number, cell in enumerate(cells)]
    return shares(read("\n".join([f"game;hero;{heading}", *rows])))


# ---- The contract ----------------------------------------------------------------------------------------------------


def test_rows_have_a_line_per_game_and_player(read: Any):
    rows = read(BY_PLAYER).rows
    assert rows.columns.tolist() == [
        *("game", "line", "label", "seats", "position", "player", "entrant", "share", "score", "minutes")
    ]
    assert rows["game"].tolist() == [0, 0, 1, 1, 1]
    assert rows["line"].tolist() == [2, 3, 4, 5, 6]
    assert rows["label"].tolist() == ["1", "1", "2", "2", "2"]
    assert rows["seats"].tolist() == [2, 2, 3, 3, 3]
    assert rows["position"].tolist() == [0, 1, 0, 1, 2]
    assert rows["player"].tolist() == ["Ann", "Ben", "Cleo", "Ann", "Ben"]
    assert rows["entrant"].tolist() == ["Valasca", "Rhino", "Rhino", "Mage", "Valasca"]
    assert rows["share"].tolist() == [1, 0, 0, 0, 1]
    assert rows["score"].tolist() == [12, 9, 7, 10, 11]
    assert rows["minutes"].tolist() == [40, 40, 55, 55, 55]
    types = {name: str(kind) for name, kind in rows.dtypes.items()}
    assert {types[name] for name in ("game", "line", "seats", "position")} == {"int64"}
    assert {types[name] for name in ("share", "score", "minutes")} == {"float64"}
    assert {types[name] for name in ("label", "player", "entrant")} == {"str"}


def test_both_shapes_of_the_same_games_give_the_same_rows(read: Any):
    by_player, by_game = read(BY_PLAYER), read(BY_GAME)
    pd.testing.assert_frame_equal(by_player.rows.drop(columns="line"), by_game.rows.drop(columns="line"))
    assert by_player.summary == by_game.summary


def test_properties(read: Any):
    log = read(BY_PLAYER)
    assert log.games == 2
    assert log.entrants == ("Mage", "Rhino", "Valasca")
    assert log.players == ("Ann", "Ben", "Cleo")
    assert log.seat_counts == (2, 3)
    assert log.has_players
    assert log.has_order == "full"
    assert log.facts == ("minutes",)
    assert log.entrant_word == "hero"
    assert log.left_out == ()
    same = {role: role for role in ("game", "date", "player", "seat", "won", "score")}
    assert log.columns == {**same, "entrant": "hero"}
    assert log.summary == "2 games of 2 to 3 players, 3 heroes, 3 players, turn order known."
    assert repr(log) == f"Playtests(log.csv: {log.summary})"
    assert log.summary in log._repr_html_()
    assert "<table" in log._repr_html_()


def test_names_are_sorted_without_regard_to_case(read: Any):
    assert read("game,hero,won\n1,bo,y\n1,Ada,n\n2,Cy,y\n2,ada,n\n").entrants == ("Ada", "bo", "Cy")


def test_the_summary_names_what_is_left_out(read: Any):
    log = read(BY_PLAYER + "3,,Ann,Mage,1,,,\n3,,Ben,Rhino,2,,,\n4,,Ann,Mage,1,yes,,\n")
    assert log.summary == (
        "2 games of 2 to 3 players, 3 heroes, 3 players, turn order known; 2 games left out: "
        "the game from line 9 has only one player; the game from line 7 has no winner."
    )
    assert log.games_left_out == 2


def test_html_is_escaped(read: Any):
    log = read("game,hero,won\n1,<b>Ada</b>,y\n1,Bo,n\n")
    assert "<b>Ada" not in log._repr_html_()


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".txt", ".xlsx", ".xlsm", ".parquet", ".jsonl", ".ndjson", ".json", ".CSV"])
def test_is_playtests_knows_the_suffixes(suffix: str, tmp_path: Path):
    path = tmp_path / f"log{suffix}"
    assert not is_playtests(str(path))
    path.touch()
    assert is_playtests(str(path))


@pytest.mark.parametrize("name", ["arena", "", "\0.csv", "log.md", "x" * 5000 + ".csv", "."])
def test_other_words_are_no_logs(name: str):
    assert not is_playtests(name)


# ---- Files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators(separator: str, read: Any):
    assert len(read(BY_PLAYER.replace(",", separator)).rows) == 5


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_f3_encodings_and_line_ends(encoding: str, end: str, read: Any):
    text = "game;hero;won\n1;Zoë;yes\n1;Bö;no\n".replace("\n", end)
    log = read(text.encode(encoding))
    assert log.entrants == ("Bö", "Zoë")
    assert log.rows["line"].tolist() == [2, 3]


def test_a_first_line_can_name_the_separator(read: Any):
    log = read("sep=;\ngame;hero, or deck;won\n1;Ada;yes\n1;Bo;no\n", {"entrant": "hero, or deck"})
    assert log.rows["line"].tolist() == [3, 4]


def test_lines_count_line_feeds_within_cells(read: Any):
    log = read('game,hero,won,note\n1,Ada,yes,"two\nlines"\n1,Bo,no,\n\n2,Ada,yes,\n2,Bo,no,x\n')
    assert log.rows["line"].tolist() == [2, 4, 6, 7]


def test_titles_comments_totals_and_empty_rows_are_no_games(read: Any):
    text = (
        "Playtests in May\n\n# by Ann\ngame,hero,won,score,,\n1,Ada,yes,3,,\n# a break\n1,Bo,no,2,,\n,,,,,\nTotal,,1,5,,\n,,,\n"
    )
    log = read(text)
    assert log.rows["line"].tolist() == [5, 7]
    assert log.notes[:3] == ("lines 3 and 6 are comments", "line 1 above the headings is ignored", "line 9 is a total")


def test_spreadsheets(tmp_path: Path):
    book = openpyxl.Workbook()
    for row in (
        [],
        ["Game", "Hero", "Won", "Score"],
        [1.0, "Ada", True, 3.5],
        [1, "Bo", False, "2,5"],
        [],
        ["=1+1", "Ada", "no"],
    ):
        book.active.append(row)
    path = tmp_path / "log.xlsx"
    book.save(path)
    log = read_playtests(path)
    assert log.rows["line"].tolist() == [3, 4, 6]
    assert log.rows["label"].tolist() == ["1", "1", "1"]
    assert log.rows["score"].tolist()[:2] == [3.5, 2.5]
    assert log.notes == ('empty cells of "Game" belong to the game above',)  # a formula that no program has evaluated


def test_parquet_and_json(tmp_path: Path):
    frame = pd.DataFrame({"game": [1, 1], "hero": ["Ada", "Bo"], "won": [True, False], "score": [1.5, np.nan]})
    frame["day"] = pd.Timestamp("2026-05-01")
    frame.to_parquet(tmp_path / "log.parquet")
    frame = frame.drop(columns="day")
    frame.to_json(tmp_path / "log.jsonl", orient="records", lines=True)
    frame.to_json(tmp_path / "log.json", orient="records")
    logs = [read_playtests(tmp_path / f"log.{kind}") for kind in ("parquet", "jsonl", "json")]
    for log in logs:
        pd.testing.assert_frame_equal(log.rows.drop(columns="line"), logs[0].rows.drop(columns="line"))
    assert [log.rows["line"].tolist() for log in logs] == [[1, 2]] * 3
    assert logs[0].rows["score"].tolist()[0] == 1.5


def test_numbers_of_json_have_no_separators(read: Any):
    records = [{"game": 1, "hero": "Ada", "score": 1.234}, {"game": 1, "hero": "Bo", "score": 987}]
    log = read(json.dumps(records), suffix=".json")
    assert log.rows["score"].tolist() == [1.234, 987]
    assert log.notes == ()


def test_json_objects_can_lack_keys(read: Any):
    lines = [
        {"game": 1, "hero": "Ada", "won": "yes"},
        {"game": 1, "hero": "Bo"},
        {"hero": "Ada", "game": 2, "won": 1, "note": None},
    ]
    text = "\n".join(map(json.dumps, [*lines, {"game": 2, "hero": "Cy"}]))
    assert shares(read(text, suffix=".jsonl")) == [1, 0, 1, 0]


# ---- Who won ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("win", "loss"),
    [
        *(("yes", "no"), ("Y", "N"), ("x", ""), ("1", "0"), ("true", "FALSE"), ("Win", "Loss"), ("W", "L"), ("won", "lost")),
        *(("Victory", "Defeat"), ("ja", "nein"), ("gewonnen", "verloren"), ("Sieg", "Niederlage"), ("oui", "non")),
        *(("Victoire", "Défaite"), ("sí", "no"), ("ganó", "perdió"), ("winner", "loser"), ("✓", "-"), ("1.0", "0.0")),
    ],
)
def test_words_for_winning_and_losing(win: str, loss: str, read: Any):
    assert won_by_first([win, loss, loss], read) == [1, 0, 0]


@pytest.mark.parametrize("tie", ["d", "Draw", "tie", "1/2", "½", "0.5", "unentschieden", "Remis", "nul", "égalité", "empate"])
def test_draws(tie: str, read: Any):
    assert won_by_first([tie, tie], read) == [0.5, 0.5]


def test_winners_share_the_win(read: Any):
    assert won_by_first(["yes", "no", "yes", "yes"], read) == pytest.approx([1 / 3, 0, 1 / 3, 1 / 3])
    assert won_by_first(["yes", "yes"], read) == [0.5, 0.5]


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        (["1st", "2nd", "3rd"], [1, 0, 0]),
        (["2.", "1.", "3."], [0, 1, 0]),
        (["T1", "T1", "3"], [0.5, 0.5, 0]),
        (["=1", "1=", "=1"], [1 / 3, 1 / 3, 1 / 3]),
        (["2", "2", "1"], [0, 0, 1]),
        (["0", "1", "2"], [1, 0, 0]),
        (["#1", "", ""], [1, 0, 0]),
        (["1er", "2ème", "3e"], [1, 0, 0]),
        (["first", "second", "third"], [1, 0, 0]),
    ],
)
def test_the_lowest_place_wins(places: list[str], expected: list[float], read: Any):
    assert won_by_first(places, read, "place") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        (["12", "9", "7"], [1, 0, 0]),
        (["1,250", "950", "1,250"], [0.5, 0, 0.5]),
        (["1.250", "9.5"], [0, 1]),
        (["1.250", "9.5", "987"], [0, 0, 1]),
        (["1.250", "987"], [1, 0]),
        (["1.250", "9"], [0, 1]),
        (["0.667", "0.333", "100"], [0, 0, 1]),
        (["1.250.000", "2.000"], [1, 0]),
        (["12,5", "12,25"], [1, 0]),
        (["1.250,5", "1.250"], [1, 0]),
        (["\u22123", "-5"], [1, 0]),
        (["12 VP", "9 points"], [1, 0]),
        (["1'200", "1 300"], [0, 1]),
        (["7½", "7"], [1, 0]),
    ],
)
def test_the_highest_score_wins(scores: list[str], expected: list[float], read: Any):
    assert won_by_first(scores, read, "score") == expected


def test_the_summary_says_that_the_score_decides(read: Any):
    log = read("game,hero,VP\n1,Ada,1,\n1,Bo,2\n")
    assert log.summary == "1 game of 2 players, 2 heroes, turn order unknown, the highest score wins."
    assert read("game,hero,Strokes\n1,Ada,71\n1,Bo,70\n").rows["share"].tolist() == [0, 1]
    assert read("game,hero,x\n1,Ada,71\n1,Bo,70\n", "lowscore=x").rule == "the lowest score wins"


def test_separators_that_could_be_decimal_are_noted(read: Any):
    assert read("game,hero,score\n1,Ada,1.250\n1,Bo,950\n").notes == ("the point in 1.250 separates thousands",)
    assert read('game,hero,score\n1,Ada,"1,250"\n1,Bo,950\n').notes == ("the comma in 1,250 separates thousands",)


def test_who_won_goes_before_the_score(read: Any):
    log = read("game,hero,won,score,place\n1,Ada,no,9,1\n1,Bo,yes,3,2\n")
    assert shares(log) == [0, 1]
    assert log.notes == ("the first place did not win in a game (line 2)", "the highest score did not win in a game (line 2)")
    assert log.rows["place"].tolist() == [1, 2]


@pytest.mark.parametrize("winner", ["Bo", "bo ", "Cy", "cy", "2", "player 2", "P2", "Player 2 ", "Hero 2", "#2"])
def test_a_winner_is_a_name_or_a_number(winner: str, read: Any):
    assert shares(read(f"player 1,hero 1,player 2,hero 2,winner\nAnn,Ada,Bo,Cy,{winner}\n")) == [0, 1]


@pytest.mark.parametrize("winner", ["Ann & Bo", "bo and ANN", "Ada/Bo", "Ann + Bo", "Ada; Cy", "Ann und Bo"])
def test_several_winners_share_the_win(winner: str, read: Any):
    text = f"player 1,hero 1,player 2,hero 2,player 3,hero 3,winner\nAnn,Ada,Bo,Cy,Di,Eve,{winner}\n"
    assert shares(read(text)) == [0.5, 0.5, 0]


def test_a_winner_can_be_named_in_each_row(read: Any):
    assert shares(read("game,player,hero,winner\n1,Ann,Ada,Bo\n1,Bo,Cy,Bo\n2,Ann,Cy,Ann\n2,Bo,Ada,\n")) == [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        *(("1-0", [1, 0]), ("0-1", [0, 1]), ("1/2-1/2", [0.5, 0.5]), ("½-½", [0.5, 0.5]), ("0.5-0.5", [0.5, 0.5])),
        *(
            ("2-1", [1, 0]),
            ("0:3", [0, 1]),
            ("1\u20131", [0.5, 0.5]),
            ("draw", [0.5, 0.5]),
            ("White", [1, 0]),
            ("black wins", [0, 1]),
        ),
        *(("Bo", [0, 1]), ("1", [1, 0]), ("0", [0, 1]), ("½", [0.5, 0.5]), ("W", [1, 0]), ("b", [0, 1])),
    ],
)
def test_results_of_two_players(result: str, expected: list[float], read: Any):
    log = read(f"White,Black,Result\nAnn,Bo,{result}\n")
    assert shares(log) == expected
    assert log.rows["position"].tolist() == [0, 1]
    assert log.entrant_word == "player"
    assert not log.has_players


@pytest.mark.parametrize(
    ("result", "expected"), [("1", [1, 0]), ("X", [0.5, 0.5]), ("2", [0, 1]), ("H", [1, 0]), ("away", [0, 1])]
)
def test_results_of_home_and_away(result: str, expected: list[float], read: Any):
    assert shares(read(f"Home,Away,Result\nReds,Blues,{result}\n")) == expected


def test_columns_for_more_players_than_any_game_has_can_be_empty(read: Any):
    log = read("player 1,score 1,player 2,score 2,player 3,score 3\nAnn,3,Bo,4,,\nAnn,5,Cy,4,,\n")
    assert shares(log) == [0, 1, 1, 0]


def test_places_of_a_row_per_game(read: Any):
    log = read("player 1,place 1,player 2,place 2,player 3,place 3\nAnn,3,Bo,1,Cy,2\nAnn,T1,Cy,T1,,\n")
    assert shares(log) == [0, 1, 0, 0.5, 0.5]
    assert log.rows["place"].tolist() == [3, 1, 2, 1, 1]


@pytest.mark.parametrize(("result", "expected"), [("A", [1, 0]), ("Deck B", [0, 1]), ("tie", [0.5, 0.5]), ("Mill", [0, 1])])
def test_players_can_be_marked_by_letters(result: str, expected: list[float], read: Any):
    log = read(f"Deck A,Deck B,Winner\nBurn,Mill,{result}\n")
    assert shares(log) == expected
    assert log.entrant_word == "deck"


def test_matches_count_as_one_game(read: Any):
    for text in ("Team 1,Team 2,Result\nReds,Blues,2-1\n", "Team 1,Wins 1,Team 2,Wins 2\nReds,2,Blues,1\n"):
        log = read(text)
        assert shares(log) == [1, 0]
        assert log.rule == "a match of several games counts as one, won by the side with more of them"


def test_a_log_of_ones_own_games_against_opponents(read: Any):
    log = read("My deck,Opponent's deck,Opponent,On the play,Result\nBurn,Mill,Bo,yes,W\nBurn,Elves,Cy,no,L\nBurn,Mill,Bo,no,D\n")
    assert log.rows["entrant"].tolist() == ["Burn", "Mill", "Elves", "Burn", "Mill", "Burn"]
    assert shares(log) == [1, 0, 1, 0, 0.5, 0.5]
    assert log.has_order == "full"


def test_a_game_of_one_player_can_be_lost(read: Any):
    log = read("game,spirit,won\n1,River,yes\n2,Ocean,no\n3,River,no\n")
    assert shares(log) == [1, 0, 0]
    assert log.summary == "3 games of 1 player, 2 spirits."


# ---- Games, order and names --------------------------------------------------------------------------------------------


def test_games_are_blocks_of_date_and_table(read: Any):
    log = read(
        "date,table,hero,won\n1 May,A,Ada,yes\n1 May,B,Bo,no\n1 May,A,Cy,no\n1 May,B,Ada,yes\n2 May,A,Ada,yes\n2 May,A,Bo,no\n"
    )
    assert log.rows["game"].tolist() == [0, 0, 1, 1, 2, 2]
    assert log.rows["line"].tolist() == [2, 4, 3, 5, 6, 7]
    assert "rows with the same date, table are one game" in log.notes


def test_numbers_of_games_can_start_again_on_each_date(read: Any):
    log = read("date,game,hero,won\n1 May,1,Ada,yes\n1 May,1,Bo,no\n2 May,1,Ada,yes\n2 May,1,Bo,no\n")
    assert log.games == 2
    assert "the numbers of games start again on each date" in log.notes


def test_empty_cells_belong_to_the_game_above(read: Any):
    log = read("game,hero,won\n1,Ada,yes\n,Bo,no\n2,Ada,yes\n,Bo,no\n")
    assert log.rows["game"].tolist() == [0, 0, 1, 1]
    assert log.notes == ('empty cells of "game" belong to the game above',)


@pytest.mark.parametrize(
    ("text", "positions", "order"),
    [
        ("game,hero,won,seat\n1,Ada,y,2\n1,Bo,n,1\n", [0, 1], "full"),
        ("game,hero,won,first player\n1,Ada,y,no\n1,Bo,n,yes\n", [0, 1], "full"),
        ("game,hero,won,first player\n1,Ada,y,\n1,Bo,n,x\n1,Cy,n,\n", [-1, 0, -1], "first"),
        ("game,hero,won,starting player\n1,Ada,y,Bo\n1,Bo,n,Bo\n1,Cy,n,Bo\n", [-1, 0, -1], "first"),
        ("game,hero,won,seat\n1,Ada,y,1\n1,Bo,n,1\n1,Cy,n,2\n", [-1, -1, -1], ""),
        ("game,hero,won,seat\n1,Ada,y,0\n1,Bo,n,0\n", [-1, -1], ""),
        ("hero 1,hero 2,hero 3,winner,first\nAda,Bo,Cy,Bo,3\n", [-1, -1, 0], "first"),
        ("hero 1,hero 2,winner,first\nAda,Bo,Bo,Bo\n", [0, 1], "full"),
        ("hero 1,hero 2,winner,first\nAda,Bo,Bo,1\n", [0, 1], "full"),
        ("hero 1,hero 2,winner,first\nAda,Bo,Bo,yes\n", [-1, -1], ""),
        ("1st hero,2nd hero,winner\nAda,Bo,Bo\n", [0, 1], "full"),
        ("seat 1,seat 2,winner\nAda,Bo,Bo\n", [0, 1], "full"),
        ("game,hero,won,seat,first\n1,Ada,y,1,no\n1,Bo,n,2,yes\n1,Cy,n,3,no\n", [-1, 0, -1], "first"),
        ("hero 1,turn order 1,hero 2,turn order 2,winner\nAda,2,Bo,1,Bo\n", [0, 1], "full"),
    ],
)
def test_turn_order(text: str, positions: list[int], order: str, read: Any):
    log = read(text)
    assert log.rows["position"].tolist() == positions
    assert log.has_order == order


def test_players_are_in_turn_order_where_it_is_known(read: Any):
    log = read("game,hero,won,seat\n1,Ada,y,2\n1,Bo,n,1\n2,Ada,y,\n2,Bo,n,1\n")
    assert log.rows["entrant"].tolist() == ["Bo", "Ada", "Ada", "Bo"]
    assert log.rows["line"].tolist() == [3, 2, 4, 5]


def test_names_that_differ_in_case_and_spaces_are_the_same(read: Any):
    log = read("game,player,hero,won\n1,Ann,Rhino Guy,y\n1,ben,Mage,n\n2,ANN,rhino  guy,y\n2,Ben,RhinoGuy,n\n")
    assert log.entrants == ("Mage", "Rhino Guy")
    assert log.players == ("Ann", "ben")
    assert "rhino guy, RhinoGuy is read as Rhino Guy" in log.notes


def test_similar_names_are_kept_apart_and_noted(read: Any):
    games = "".join(f"{game},Valasca,y\n{game},Rhino,n\n" for game in range(1, 24))
    log = read(f"game,hero,won\n{games}24,Valaska,n\n24,Rhino,y\n")
    assert log.entrants == ("Rhino", "Valasca", "Valaska")
    assert log.notes == ("hero Valaska (1 game) may be Valasca (23)",)


def test_names_that_differ_in_a_number_are_not_similar(read: Any):
    games = "".join(f"{game},Deck number 1,y\n{game},Deck B,n\n" for game in range(1, 9))
    assert read(f"game,deck,won\n{games}9,Deck number 2,n\n9,Deck C,y\n").notes == ()


@pytest.mark.parametrize("nothing", ["", "-", "n/a", "N/A", "?", "none", "\u2013", "NULL"])
def test_missing_values(nothing: str, read: Any):
    log = read(f"game,player,hero,won,score\n1,{nothing},Ada,y,{nothing}\n1,Bo,Cy,n,3\n")
    assert log.rows["player"].tolist() == ["", "Bo"]
    assert np.isnan(log.rows["score"][0])


def test_columns_that_are_neither_understood_nor_numbers_are_noted(read: Any):
    log = read("game,hero,won,map,rounds,share\n1,Ada,y,North,7,3\n1,Bo,n,North,7,4\n")
    assert log.facts == ("rounds", "share (file)")
    assert log.notes == ("columns that are not used: map",)


# ---- Headings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heading", "noun", "many"),
    [
        *(("Hero", "hero", "heroes"), ("DECK NAME", "deck", "decks"), ("character", "character", "characters")),
        *(("faction_played", "faction", "factions"), ("Class", "class", "classes"), ("Civ", "civilization", "civilizations")),
        *(("Corporation", "corporation", "corporations"), ("Commander", "commander", "commanders"), ("Held", "hero", "heroes")),
        *(("Héros", "hero", "heroes"), ("Facción", "faction", "factions"), ("Colour", "colour", "colours")),
        *(("Spirit", "spirit", "spirits"), ("Archetype", "archetype", "archetypes"), ("Volk", "race", "races")),
    ],
)
def test_nouns_of_entrants(heading: str, noun: str, many: str, read: Any):
    log = read(f"Spiel Nr.;{heading};Gewonnen?\n1;Ada;ja\n1;Bo;nein\n")
    assert log.entrant_word == noun
    assert log.summary == f"1 game of 2 players, 2 {many}, turn order unknown."


@pytest.mark.parametrize(
    "headings",
    [
        *("Player 1,Hero 1,Player 2,Hero 2,Winner", "p1,p1_hero,p2,p2_hero,winner", "1. Player,1. Hero,2. Player,2. Hero,Won by"),
        *("player1,player1Hero,player2,player2Hero,winner", "Player A,Hero A,Player B,Hero B,WINNER"),
        *("Player 1,Player 1 Hero,Player 2,Player 2 Hero,Winner Name", "Spieler 1,Held 1,Spieler 2,Held 2,Sieger"),
        *("Joueur 1,Héros 1,Joueur 2,Héros 2,Vainqueur", "Jugador 1,Héroe 1,Jugador 2,Héroe 2,Ganador"),
        *("White,White hero,Black,Black hero,Winner", "home player,home hero,away player,away hero,winner"),
    ],
)
def test_headings_of_a_row_per_game(headings: str, read: Any):
    log = read(f"{headings}\nAnn,Ada,Ben,Cy,Ben\n")
    assert log.rows["player"].tolist() == ["Ann", "Ben"]
    assert log.rows["entrant"].tolist() == ["Ada", "Cy"]
    assert shares(log) == [0, 1]
    assert log.entrant_word == "hero"


@pytest.mark.parametrize("columns", [{"entrant": "Thing", "won": "Out"}, ["entrant=Thing", "won=out"], "entrant=thing, won=Out"])
def test_columns_can_be_chosen(columns: Any, read: Any):
    log = read("game,hero,Thing,Out\n1,Ada,Axe,y\n1,Bo,Bow,n\n", columns)
    assert log.entrants == ("Axe", "Bow")
    assert log.columns["entrant"] == "Thing"


def test_a_column_can_be_ignored(read: Any):
    text = "game,hero,deck,won\n1,Ada,Axe,y\n1,Bo,Bow,n\n"
    with pytest.raises(ValueError, match="the columns hero and deck could both be the entrant; choose one with --columns"):
        read(text)
    assert read(text, "ignore=deck").entrants == ("Ada", "Bo")


# ---- Games that cannot be used -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "phrase"),
    [
        ("3,Ann,Ada,no\n3,Ben,Cy,no", "the game from line 6 has no winner"),
        ("3,Ann,Ada,\n3,Ben,Cy,", "the game from line 6 has no winner"),
        ("3,Ann,Ada,yes", "the game from line 6 has only one player"),
        ("3,Ann,Ada,yes\n3,Ann,Cy,no", "the game from line 6 has a player twice"),
        ("3,Ann,,yes\n3,Ben,Cy,no", "the game from line 6 has a player without hero"),
        ("3,Ann,Ada,yes\n3,Ben,Cy,draw", "the game from line 6 has a winner and a draw, or a draw of one player"),
    ],
)
def test_unusable_games_of_rows_per_player(rows: str, phrase: str, read: Any):
    log = read(f"game,player,hero,won\n1,Ann,Ada,yes\n1,Ben,Cy,no\n2,Ann,Ada,yes\n2,Ben,Cy,no\n{rows}\n")
    assert log.left_out == (phrase,)
    assert log.games == 2


@pytest.mark.parametrize(
    ("row", "phrase"),
    [
        ("Ann,Ada,Ben,Cy,", "line 4 has no winner"),
        ("Ann,Ada,Ben,Cy,Dora", "line 4 names a winner who does not play"),
        ("Ann,Ada,Ben,Cy,Dora 2", "line 4 names a winner who does not play"),
        ("Ann,Ada,Ben,Cy,3", "line 4 names a winner who does not play"),
        ("Ann,Ada,Ben,Ada,Ada", "line 4 names a winner that fits several players"),
        ("Ann,Ada,,,Ann", "line 4 has only one player"),
        ("Ann,Ada,Ann,Cy,Ann", "line 4 has a player twice"),
        ("Ann,Ada,Ben,,Ann", "line 4 has a player without hero"),
    ],
)
def test_unusable_rows_per_game(row: str, phrase: str, read: Any):
    log = read(f"player 1,hero 1,player 2,hero 2,winner\nAnn,Ada,Ben,Cy,Ann\nAnn,Ada,Ben,Cy,Ben\n{row}\n")
    assert log.left_out == (phrase,)
    assert log.games == 2


def test_games_are_numbered_without_gaps(read: Any):
    log = read("hero 1,hero 2,winner\nAda,Bo,Ada\nAda,Bo,\nBo,Cy,Cy\n")
    assert log.rows["game"].tolist() == [0, 0, 1, 1]
    assert log.rows["line"].tolist() == [2, 2, 4, 4]


def test_many_lines_are_abridged(read: Any):
    log = read("hero 1,hero 2,winner\n" + "Ada,Bo,Ada\n" * 9 + "Ada,Bo,\n" * 8)
    assert log.left_out == ("lines 11, 12, 13, 14, 15 and 3 more have no winner",)


# ---- The template ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".xlsx", ".csv"])
def test_the_template_is_read_back(suffix: str, tmp_path: Path):
    path = write_template(tmp_path / f"log{suffix}")
    log = read_playtests(path)
    assert log.summary == "2 games of 2 to 3 players, 3 heroes, 3 players, turn order known."
    assert log.notes == ()
    assert len(log.rows) == len(EXAMPLES)
    assert set(log.columns.values()) == set(MEANINGS)


def test_the_template_explains_its_columns(tmp_path: Path):
    book = openpyxl.load_workbook(write_template(tmp_path / "log.xlsx"))
    assert [tuple(row) for row in book["# columns"].iter_rows(min_row=2, values_only=True)] == list(MEANINGS.items())


def test_the_template_overwrites_nothing(tmp_path: Path):
    path = write_template(tmp_path / "log.csv")
    with pytest.raises(ValueError, match="exists already"):
        write_template(path)
    assert write_template(path, force=True) == path
    with pytest.raises(ValueError, match=r"is written as \.xlsx or \.csv"):
        write_template(tmp_path / "log.pdf")
    with pytest.raises(ValueError, match="cannot be written"):
        write_template(path / "log.xlsx")
