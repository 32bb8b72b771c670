"""A matchup matrix from a table: equilibrium, ratings and best entrant, and clear messages for bad tables."""

import json

import numpy as np
import pandas as pd
import pytest
from openpyxl import Workbook

import fairfight as ff
from analysis.answer.model import Notice
from analysis.matchups.given import rates_of, read_matrix
from tests.analysis.cli.test_cli import fairfight, shown

CYCLE = "entrant,rock,paper,scissors\nrock,,0,100\npaper,100,,0\nscissors,0,100,\n"


def written(folder, text):
    file = folder / "matrix.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_s5_rock_paper_scissors_has_an_even_mix(tmp_path):
    result = json.loads(shown("matrix", written(tmp_path, CYCLE), "--json"))
    lines = {line["name"]: line for line in result["entrants"]}
    assert set(lines) == {"rock", "paper", "scissors"}
    for line in lines.values():
        assert line["share"] == pytest.approx(1 / 3)
        assert line["elo"] == pytest.approx(0, abs=1e-6)
        assert line["field"] == pytest.approx(0.5)


def test_s5_the_best_entrant_and_ratings_of_a_transitive_matrix():
    elo = np.array([100.0, 0.0, -100.0])
    rate = 1 / (1 + 10 ** ((elo[None, :] - elo[:, None]) / 400))
    names = ["Ada", "Bo", "Cy"]
    result = ff.matrix(pd.DataFrame(rate, names, names))
    frame = result.frame.set_index("name")
    assert result.data["facts"]["best"] == "Ada"
    assert frame["share"].tolist() == [1, 0, 0]
    assert frame.loc[names, "elo"].tolist() == pytest.approx(elo.tolist(), abs=1e-3)
    assert "choose Ada alone" in result.summary


@pytest.mark.parametrize(
    "text",
    [
        "x;Ada;Bo\nAda;;62,5 %\nBo;;\n",  # decimal commas, signs for per cent, only one side of each pair
        "x\tAda\tBo\nBo\t37.5\t-\nAda\t50\t62.5\n",  # tabs, rows in another order
        "x,Ada,Bo\nAda,0.5,0.625\nBo,0.375,0.5\n",
        "x,Ada,Bo,,\rAda,0.5,0.625,,\rBo,0.375,0.5,,\r",  # old ends of lines, empty columns
        "sep=;\nx;Ada;Bo\nAda;;62,5\nBo;;\n",
    ],
)
def test_s5_tables_as_programs_write_them(tmp_path, text):
    names, rate = rates_of(read_matrix(written(tmp_path, text)))
    assert names == ("Ada", "Bo")
    assert np.allclose(rate, [[0.5, 0.625], [0.375, 0.5]])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1252"])
def test_s5_tables_in_the_encodings_of_spreadsheet_programs(tmp_path, encoding):
    file = tmp_path / "matrix.txt"
    file.write_text("x\tB\u00e4r\tBo\nB\u00e4r\t\t62.5\nBo\t\t\n", encoding=encoding)
    names, rate = rates_of(read_matrix(file))
    assert names == ("B\u00e4r", "Bo")
    assert rate[0, 1] == 0.625


def test_s5_a_workbook_is_read_and_its_other_sheets_are_named(tmp_path):
    book = Workbook()
    for row in ([None, "Ada", "Bo"], ["Ada", None, 0.625], ["Bo"]):
        book.active.append(row)
    book.save(tmp_path / "matrix.xlsx")
    assert rates_of(read_matrix(tmp_path / "matrix.xlsx"))[1].tolist() == [[0.5, 0.625], [0.375, 0.5]]
    book.create_sheet("Ideas").append(["nerf", "Ada"])
    book.save(tmp_path / "matrix.xlsx")
    with pytest.warns(Notice, match="only the sheet Sheet is read; the others are ignored"):
        read_matrix(tmp_path / "matrix.xlsx")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("x,a,b\na,50\n", "row 2 has 2 cells, but the header has 3"),
        ("x,a,b\na,,60\nc,40,\n", "'b' has no row"),
        ("x,a,a\na,,60\na,40,\n", "'a' is there twice"),
        ("x,a\na,50\n", "1 entrants; it must be 2 to 1000"),
        ("x,a,b\na,,much\nb,,\n", "a against b: 'much' is not a number"),
        ("x,a,b\na,,160\nb,-60,\n", "a against b: 160 must be a share 0 to 1, or 0 to 100 per cent"),
        ("x,a,b\na,,\nb,,\n", "a against b: both this cell and the opposite one are empty"),
        ("x,a,b\na,,60\nb,50,\n", "a against b: 0.6 and the opposite 0.5 must add up to 1"),
    ],
)
def test_bad_tables_are_refused(tmp_path, text, message):
    code, _, err = fairfight("matrix", written(tmp_path, text))
    assert code == 2
    assert message in " ".join(err.split())


def test_a_missing_file_is_named(tmp_path):
    code, _, err = fairfight("matrix", tmp_path / "none.csv")
    assert code == 2
    assert "none.csv: cannot be read" in " ".join(err.split())
