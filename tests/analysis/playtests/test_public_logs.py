"""Logs that other people published are read without options, or with one choice of columns."""

import csv
import io
from pathlib import Path

import openpyxl
import pytest

from analysis.playtests.reading import read_playtests
from tests.analysis.playtests.public_logs import PUBLIC_LOGS, PublicLog


def written(log: PublicLog, folder: Path) -> Path:
    """Write a log, those in a spreadsheet as its second sheet, after one that is no log."""
    path = folder / f"log{log.suffix}"
    if log.suffix == ".csv":
        path.write_text(log.text, encoding="utf-8")
        return path
    book = openpyxl.Workbook()
    book.active.title = "games"
    book.active.append(["game_id", "game_name", "rounds", "win_category"])
    book.active.append(["6470772d0cc21e00141af1a5", "name", 6, "Statusphase"])
    sheet = book.create_sheet("results")
    for row in csv.reader(io.StringIO(log.text)):
        sheet.append([int(cell) if cell.isdecimal() else cell for cell in row])
    book.save(path)
    return path


@pytest.mark.parametrize("log", PUBLIC_LOGS, ids=lambda log: log.source.split()[0])
def test_a_public_log_is_read(log: PublicLog, tmp_path: Path):
    playtests = read_playtests(written(log, tmp_path), log.columns)
    assert playtests.rows["share"].tolist() == pytest.approx(log.shares)
    assert tuple(playtests.rows.loc[playtests.rows["game"] == 0, "entrant"]) == log.entrants
    assert playtests.entrant_word == log.noun
    assert playtests.has_order == log.order
    assert playtests.rule == log.rule
    assert playtests.left_out == ()


def test_most_public_logs_need_no_options():
    assert len(PUBLIC_LOGS) >= 10
    assert sum(not log.columns for log in PUBLIC_LOGS) >= 8
    assert all(len(log.columns) <= 1 for log in PUBLIC_LOGS)


def test_the_sheet_that_is_read_is_noted(tmp_path: Path):
    log = next(log for log in PUBLIC_LOGS if log.suffix == ".xlsx")
    assert "sheet results is read, not games" in read_playtests(written(log, tmp_path)).notes


def test_sheets_that_are_no_logs_do_not_matter(tmp_path: Path):
    log = next(log for log in PUBLIC_LOGS if log.suffix == ".xlsx")
    path = written(log, tmp_path)
    book = openpyxl.load_workbook(path)
    for row in (["Player", "Points", "Rank"], ["Ann", 3, 1], ["Bo", 2, 2]):
        book["games"].append(row)
    for row in (["Sum", "Sum"], [1, 2]):
        book.create_sheet("pivot").append(row)
    book.create_sheet("standings").append(["Player", "Points", "Rank"])
    book["standings"].append(["Ann", 3, 1])
    book.create_sheet("empty")
    book.save(path)
    assert any(note.startswith("sheet results is read, not games, standings, pivot") for note in read_playtests(path).notes)


def test_two_sheets_with_games_are_refused(tmp_path: Path):
    book = openpyxl.Workbook()
    for sheet in (book.active, book.create_sheet("May")):
        for row in (["game", "hero", "won"], [1, "Ada", "yes"], [1, "Bo", "no"]):
            sheet.append(row)
    book.save(tmp_path / "log.xlsx")
    with pytest.raises(ValueError, match="the sheets Sheet and May all hold games; put the rows into one sheet"):
        read_playtests(tmp_path / "log.xlsx")


@pytest.mark.parametrize(
    ("text", "missed"),
    [
        ("Catan1,Catan2,Catan3\n6.0,7.0,5\n4.0,7.0,7\n", "has no column of players"),  # Jazbarrionuev0/CatanStatsWebsite: dice
        ("Mill,win,Proliferate\nMill,win,Proliferate\nWerewolves,win,Mill\n", "has no column of players"),  # timgurto/Elo mtg.csv
        (  # Jos242/magicStats data/games.csv: without line-ups
            "game_id,date,location,player_count,result_type,winner_player\nG2026-001,2026-01-08,in_person,3,win,Jairo\n",
            "has no column of players",
        ),
    ],
)
def test_public_files_that_are_no_logs_are_refused(text: str, missed: str, tmp_path: Path):
    path = tmp_path / "log.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=missed):
        read_playtests(path)
