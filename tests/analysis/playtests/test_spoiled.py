"""Files that are no logs, and logs with mistakes: one clear message, and never another exception."""

import io
import re
import zipfile
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.data import names
from analysis.playtests import tables
from analysis.playtests.reading import read_playtests

GOOD = "game,player,hero,seat,won,score\n1,Ann,Ada,1,yes,12\n1,Ben,Cy,2,no,9\n2,Ann,Cy,1,no,7\n2,Ben,Ada,2,yes,11\n"
WIDE = "player 1,hero 1,player 2,hero 2,result\nAnn,Ada,Ben,Cy,1-0\nAnn,Cy,Ben,Ada,0-1\n"


def book(*rows: list[object], title: str = "log") -> bytes:
    """The bytes of an .xlsx file."""
    workbook = openpyxl.Workbook()
    workbook.active.title = title
    for row in rows:
        workbook.active.append(row)
    stream = io.BytesIO()
    workbook.save(stream)
    return stream.getvalue()


def parquet(**columns: list[object]) -> bytes:
    """The bytes of a Parquet file."""
    return pd.DataFrame(columns).to_parquet()


SPOILED = [  # name of the file, content, words of the message, chosen columns
    # files
    ("log.csv", b"", "is empty; a log has a line of headings", ()),
    ("log.csv", b" \n\n", "is empty", ()),
    ("log.xlsx", b"", "is empty", ()),
    ("log.pdf", GOOD, r"is not a log of games; its name must end with \.csv, \.tsv", ()),
    ("log", GOOD, "is not a log of games", ()),
    ("log.csv", "game,hero,won\n", "line 1: has headings and no games; add a row", ()),
    ("log.csv", "Playtests\n\ngame,hero,won\n\n", "line 3: has headings and no games", ()),
    ("log.csv", "just\nsome\nwords\n", "has no table with two or more columns; separate columns by", ()),
    ("log.csv", "# comment\n", "has no table with two or more columns", ()),
    ("log.csv", "game,hero,won\nTotal,,3\n", "has totals and no games", ()),
    ("log.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", "is not text; save it as CSV UTF-8", ()),
    ("log.csv", GOOD.encode() + b"3,\x07,Ada,1,yes,1\n", "line 6: is not text", ()),
    ("log.csv", b"game,hero,won\n1,\x81\x8d,yes\n", "line 2: is not text", ()),
    ("log.csv", GOOD.encode("utf-16")[:-1], "is not text", ()),
    ("log.xlsx", b"PK\x03\x04 rubbish", r"is not a readable \.xlsx file; open it", ()),
    (
        "log.xlsx",
        book(["game", "hero", "won"], [1, "Ada", "=1>0"], [1, "Bo", "=1>2"]),
        "cell C2 is a formula without a stored",
        (),
    ),
    (
        "log.xlsx",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99),
        "is encrypted, or an old .xls file; save it as .xlsx without",
        (),
    ),
    ("log.xlsx", GOOD, r"is not a readable \.xlsx file", ()),
    ("log.parquet", GOOD, r"is not a readable \.parquet file", ()),
    ("log.parquet", b"PAR1" + bytes(20) + b"PAR1", r"is not a readable \.parquet file", ()),
    ("log.jsonl", GOOD, "line 1: is not valid JSON; write an object in each line", ()),
    ("log.jsonl", '{"game": 1, "hero": "Ada", "won": 1}\n{"game": 1,', "line 2: is not valid JSON", ()),
    ("log.jsonl", "[" * 100_000, "line 1: is not valid JSON", ()),
    ("log.jsonl", '{"game": 1, "hero": "Ada"}\n7\n', "line 2: is no JSON object", ()),
    ("log.json", '[{"game": 1, "heroes": ["Ada"]}]', 'record 1, column "heroes": holds a list or an object', ()),
    ("log.json", "[]", "has no table with two or more columns", ()),
    ("log.json", "{}", "has no table with two or more columns", ()),
    ("log.csv", 'game,hero,won\n1,"Ada,yes\n1,Bo,no\n', "line 2: is not valid CSV .*; close the quotation marks", ()),
    ("log.csv", 'game,hero,won\n1,"Ada"x,yes\n', "line 2: is not valid CSV", ()),
    ("log.csv", f"game,hero,won\n1,{'A' * 40_000},yes\n1,Bo,no\n", 'line 2, column "hero": a cell has more than 32,767', ()),
    # headings
    (
        "log.csv",
        "game,hero,won,Hero\n1,Ada,y,Bo\n",
        'line 1, column "Hero": two columns have this heading; number them, such as Hero 1',
        (),
    ),
    (
        "log.csv",
        "game,won,score\n1,yes,3\n",
        "has no column of players, heroes, decks or the like; headings are game, won, score",
        (),
    ),
    ("log.csv", "a,b,c\n1,2,3\n", "has no column of players, .* --columns entrant=HEADING", ()),
    (
        "log.csv",
        "game,hero,map\n1,Ada,North\n1,Bo,North\n",
        "has no column that shows who won: won, winner, result, place or score",
        (),
    ),
    ("log.csv", "player 1,player 2,map\nAnn,Bo,North\n", "has no column that shows who won", ()),
    ("log.csv", "hero,won\nAda,yes\nBo,no\n", "no column shows which rows are one game; add a column game", ()),
    ("log.csv", "date,hero,won\n1 May,Ada,yes\n1 May,Bo,no\n", "no column shows which rows are one game", ()),
    (
        "log.csv",
        "game,hero,deck,won\n1,Ada,Axe,y\n1,Bo,Bow,n\n",
        "the columns hero and deck could both be the entrant; choose one",
        (),
    ),
    ("log.csv", ",".join(f"a{n}" for n in range(600)) + "\n1,2\n", "line 1: has 600 columns; at most 500 are allowed", ()),
    (
        "log.csv",
        GOOD,
        "columns: entrant=Heroe: no column has this heading; headings are game, .* did you mean hero",
        "entrant=Heroe",
    ),
    ("log.csv", GOOD, 'columns: "entrants" is not a role; roles are game, .* did you mean entrant', {"entrants": "hero"}),
    ("log.csv", GOOD, 'columns: "hero" is not a role and a heading; write ROLE=HEADING', ["hero"]),
    ("log.csv", GOOD, "columns: won= has no heading", ["won="]),
    ("log.csv", GOOD, 'columns: "hero" cannot be both entrant and player; choose one', ["entrant=hero", "player=hero"]),
    ("log.csv", GOOD, "the columns player and hero could both be the entrant", ["entrant=hero", "entrant=player"]),
    ("log.csv", "id,hero,won\n1,Ada,yes\n2,Bo,no\n", 'column "id": differs in all rows, so that no game has two players', ()),
    # cells
    ("log.csv", GOOD + "3,Ann,Ada,1,perhaps,5\n", 'line 6, column "won": "perhaps" is no result; write yes, no or draw', ()),
    (
        "log.csv",
        GOOD + "3,Ann,Ada,1,7,5\n",
        'line 6, column "won": "7" is no result; .* --columns place=HEADING or score=HEADING',
        (),
    ),
    ("log.csv", GOOD + "3,Ann,Ada,1,yes,twelve\n", 'line 6, column "score": "twelve" cannot be read; write a number', ()),
    ("log.csv", GOOD + '3,Ann,Ada,1,yes,"1,2,3"\n', 'line 6, column "score": "1,2,3" cannot be read', ()),
    ("log.csv", GOOD + "3,Ann,Ada,1,yes,1e999\n", 'line 6, column "score": "1e999" cannot be read', ()),
    ("log.csv", GOOD + "3,Ann,Ada,left,yes,1\n", 'line 6, column "seat": "left" cannot be read; write a seat such as 1', ()),
    (
        "log.csv",
        "game,hero,place\n1,Ada,1\n1,Bo,DNF\n",
        'line 3, column "place": "DNF" cannot be read; write a place such as 1, 2nd',
        (),
    ),
    ("log.csv", GOOD + "3,Ann,Ada,1,yes,1,more\n", "line 6: has 7 cells, but there are 6 headings; put text that contains", ()),
    ("log.csv", "game,hero,won\n,Ada,yes\n1,Bo,no\n", 'line 2, column "game": is empty; write the number of the game', ()),
    ("log.csv", "date,table,hero,won\n1 May,A,Ada,y\n1 May,,Bo,n\n", 'line 3, column "table": is empty; write the table', ()),
    ("log.csv", WIDE + "Ann,Ada,Ben,Cy,hm\n", 'line 4, column "result": "hm" is no result; write a result, such as 1-0', ()),
    ("log.csv", WIDE + "Ann,Ada,Ben,Cy,yes\n", 'line 4, column "result": "yes" is no result', ()),
    ("log.csv", WIDE + "Ann,Ada,Ben,Cy,1-\n", 'line 4, column "result": "1-" is no result', ()),
    ("log.csv", "p1,p2,score 1,score 2\nAnn,Ben,3,x4\n", 'line 2, column "score 2": "x4" cannot be read; write a number', ()),
    (
        "log.csv",
        "game,hero,score\n1,Ada,#REF!\n1,Bo,3\n",
        'line 2, column "score": "#REF!" is an error of the spreadsheet program',
        (),
    ),
    ("log.xlsx", book(["game", "hero", "won"], [1, "Ada", "maybe"]), 'row 2, column "won": "maybe" is no result', ()),
    ("log.xlsx", book(["game", "hero", "hero"], [1, "Ada", "x"]), 'row 1, column "hero": two columns have this heading', ()),
    ("log.xlsx", book(["game", "hero", "won"], [1, "Ada", 1], title="# notes"), "has no sheet with values", ()),
    ("log.xlsx", book(), "has no sheet with values", ()),
    ("log.xlsx", book(["words"], ["only"]), "has no table with two or more columns", ()),
    ("log.parquet", parquet(game=[1], hero=["Ada"], won=["hm"]), 'row 1, column "won": "hm" is no result', ()),
    ("log.jsonl", '{"game": 1, "hero": "Ada", "won": 9}', 'line 1, column "won": "9" is no result', ()),
    # games
    ("log.csv", "game,hero,won\n1,Ada,yes\n2,Bo,no\n3,Cy,hm\n", 'line 4, column "won": "hm" is no result', ()),
    (
        "log.csv",
        "game,hero,won\n1,Ada,\n1,Bo,\n",
        "has no winners; the columns of results are empty|has no column that shows who won",
        (),
    ),
    (
        "log.csv",
        "game,hero,won\n1,Ada,no\n1,Bo,no\n2,Ada,no\n2,Bo,no\n3,Ada,yes\n3,Bo,no\n",
        "2 of 3 games cannot be used: the games from lines 2 and 4 have no winner; correct them, or name the columns",
        (),
    ),
    ("log.csv", "game,hero,score\n1,Ada,3\n2,Bo,4\n", "2 of 2 games cannot be used: .* have no winner", ()),
    (
        "log.csv",
        "p1,p2,winner\nAnn,Ben,Cy\nAnn,Ben,Di\n",
        "2 of 2 games cannot be used: lines 2 and 3 name winners who do not play",
        (),
    ),
    (
        "log.csv",
        "game,player,won\nCatan,Ann,y\nCatan,Ben,n\nCatan,Ann,y\nCatan,Ben,n\n",
        "1 of 1 games .* has a player twice",
        (),
    ),
]


@pytest.mark.parametrize(("name", "content", "message", "columns"), SPOILED, ids=map(str, range(len(SPOILED))))
def test_a_spoiled_file_gives_one_clear_message(name: str, content: str | bytes, message: str, columns: object, tmp_path: Path):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError) as raised:
        read_playtests(path, columns)  # type: ignore[arg-type]
    text = str(raised.value)
    assert re.search(message, text)
    assert "\n" not in text
    assert text.startswith((str(path), "columns: "))


def test_there_are_many_spoiled_files():
    assert len(SPOILED) >= 40


@pytest.mark.parametrize(
    ("name", "message"), [("absent.csv", "cannot be read (no such file or directory)"), ("dir.csv", "cannot be read")]
)
def test_files_that_cannot_be_opened(name: str, message: str, tmp_path: Path):
    (tmp_path / "dir.csv").mkdir()
    with pytest.raises(ValueError, match=re.escape(message)):
        read_playtests(tmp_path / name)


def test_files_that_are_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "log.csv"
    path.write_text(GOOD)
    monkeypatch.setattr(tables, "ROWS_MAX", 3)
    with pytest.raises(ValueError, match="has more than 3 rows; split it into several files"):
        read_playtests(path)
    monkeypatch.setattr(tables, "FILE_MAX", 50)
    with pytest.raises(ValueError, match="is larger than 50 bytes; split it"):
        read_playtests(path)


def test_spreadsheets_that_unpack_to_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "log.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(2_000_000))
    monkeypatch.setattr(tables, "UNPACKED_MAX", 1_000_000)
    with pytest.raises(ValueError, match="unpacks to more than 1,000,000 bytes"):
        read_playtests(path)
    path.write_bytes(book(["game", "hero", "won"], *([number, "Ada", 1] for number in range(9))))
    monkeypatch.setattr(tables, "UNPACKED_MAX", 9_000_000)
    monkeypatch.setattr(tables, "CELLS_MAX", 20)
    with pytest.raises(ValueError, match="delete empty rows"):
        read_playtests(path)


def read_or_refuse(path: Path, content: bytes) -> None:
    """Read a file; the only exception is a ValueError with one line of text."""
    path.write_bytes(content)
    message = ""
    try:
        log = read_playtests(path)
    except ValueError as error:
        message = str(error)
    if message:
        assert str(path) in message
        assert "\n" not in message
    else:
        sums = log.rows.groupby("game")["share"].sum()
        assert ((sums - 1).abs().lt(1e-9) | (log.rows.groupby("game")["seats"].first() == 1)).all()
        assert (log.rows["entrant"] != "").all()
        assert log.summary


FUZZY = settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])


@FUZZY
@given(content=st.binary(max_size=300), suffix=st.sampled_from(names.LOGS))
def test_random_bytes(content: bytes, suffix: str, tmp_path: Path):
    read_or_refuse(tmp_path / f"log{suffix}", content)


PIECES = st.sampled_from(
    [
        *",;\t|\n\r\"'#=-?½\0",
        "1-0",
        "yes",
        "draw",
        "Ann",
        "won",
        "Total",
        "game",
        "9" * 30,
        "1,5",
        "\xff",
        "é",
        "score",
        "-",
        "T1",
        "1e9",
    ]
)


@FUZZY
@given(
    text=st.sampled_from([GOOD, WIDE]),
    changes=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 12), st.one_of(PIECES, st.text(max_size=4))), min_size=1, max_size=8
    ),
    suffix=st.sampled_from([".csv", ".tsv", ".txt"]),
)
def test_random_mutations_of_good_logs(text: str, changes: list[tuple[float, int, str]], suffix: str, tmp_path: Path):
    for where, length, piece in changes:
        at = int(where * len(text))
        text = text[:at] + piece + text[at + length :]
    read_or_refuse(tmp_path / f"log{suffix}", text.encode("utf-8", "surrogatepass"))


CELLS = st.one_of(
    PIECES, st.text(max_size=6), st.integers(-3, 9).map(str), st.sampled_from(["Ada", "Bo", "win", "no", "1st", "2"])
)
HEADINGS = st.sampled_from(
    [
        *(
            "game",
            "date",
            "table",
            "player",
            "hero",
            "seat",
            "first player",
            "won",
            "place",
            "score",
            "winner",
            "result",
            "round",
        ),
        *("player 1", "player 2", "player 3", "hero 1", "hero 2", "score 1", "score 2", "White", "Black", "Deck A", "Deck B"),
        *("home", "away", "loser", "opponent deck", "deck", "team", "wins 1", "wins 2", "Ann hero", "Bo hero", "", "minutes"),
    ]
)


@settings(FUZZY, max_examples=100)
@given(
    headings=st.lists(HEADINGS, min_size=2, max_size=8, unique=True),
    rows=st.lists(st.lists(CELLS, min_size=8, max_size=8), min_size=1, max_size=6),
)
def test_random_tables(headings: list[str], rows: list[list[str]], tmp_path: Path):
    lines = [headings, *(row[: len(headings)] for row in rows)]
    text = "\n".join(",".join('"' + cell.replace('"', '""') + '"' for cell in line) for line in lines)
    read_or_refuse(tmp_path / "log.csv", text.encode("utf-8", "surrogatepass"))


@settings(FUZZY, max_examples=100)
@given(
    changes=st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 255)), min_size=1, max_size=5),
    kind=st.sampled_from([".xlsx", ".parquet"]),
)
def test_damaged_spreadsheets_and_parquet_files(changes: list[tuple[int, int]], kind: str, tmp_path: Path):
    content = bytearray(BOOK if kind == ".xlsx" else PARQUET)
    for at, value in changes:
        content[at % len(content)] = value
    read_or_refuse(tmp_path / f"log{kind}", bytes(content))


BOOK = book(["game", "hero", "won"], [1, "Ada", "yes"], [1, "Bo", "no"])
PARQUET = parquet(game=[1, 1], hero=["Ada", "Bo"], won=["yes", "no"])
