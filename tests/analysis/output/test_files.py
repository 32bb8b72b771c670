"""Files that commands write: complete or not at all, and readable by spreadsheet programs."""

import codecs
import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd
import pytest

from analysis.answer.files import ReportError
from analysis.answer.model import Answer
from analysis.answer.tables import Table, data_only
from analysis.data.card_text import write_changed, write_text
from analysis.output.files import write_answer, write_table
from analysis.output.new import new_game, new_set
from analysis.output.spreadsheets import write_csv, write_xlsx
from analysis.output.terminal import bounded
from analysis.playtests.template import write_schedule, write_template
from sim.durable import write_files
from sim.engine.cardfiles.paths import MESSAGE_MAX
from sim.engine.cards import CardError
from sim.registry import GAMES
from tests.analysis.cli.test_cli import QUICK, fairfight
from tests.conftest import ROOT

ARENA = GAMES["arena"]
WRITERS = {
    "new": lambda folder: new_set(ARENA.reference, folder),
    "new --force": lambda folder: new_set(ARENA.reference, folder, force=True),
    "new --from": lambda folder: write_text(ARENA.reference.read_text(), folder),
    "tune --out": lambda folder: write_changed(ARENA.reference.read_text(), folder, {}, beside={"weights.toml": "x"}),
    "new-game": lambda folder: new_game("untried", folder),
    "cards --csv": lambda folder: write_csv(folder, ARENA, ARENA.load(None)),
    "cards --xlsx": lambda folder: write_xlsx(folder / "cards.xlsx", ARENA, ARENA.load(None)),
    "winrates --csv": lambda folder: write_table(folder.parents[1] / "x.xlsx", Table("t", ("a",), ((1,),))),
}


@pytest.fixture
def full_disk(monkeypatch):
    """Let the disk accept half of every file."""
    write = Path.write_bytes

    def write_half(path: Path, content: bytes, *_: object) -> None:
        write(path, content[: len(content) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def no_space(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", no_space)
    monkeypatch.setattr(Path, "write_bytes", write_half)
    monkeypatch.setattr(Path, "write_text", lambda path, content, *_: write_half(path, content.encode()))


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS.keys())
@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_leaves_no_file_and_no_folder(write, tmp_path):
    with pytest.raises((CardError, ReportError), match=r"(?i)no space left on device"):
        write(tmp_path / "deep" / "mine")
    assert list(tmp_path.iterdir()) == []


def test_of_several_files_all_are_written_or_none(tmp_path):
    (tmp_path / "second").mkdir()  # cannot be replaced by a file
    with pytest.raises(OSError, match="directory"):
        write_files(tmp_path, {"second": b"2"})
    write_files(tmp_path / "new", {"first": b"1", "third": b"3"})
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["first", "new", "second", "third"]


def test_f9_a_table_as_csv_begins_with_the_mark_by_which_excel_knows_utf_8(tmp_path):
    write_table(tmp_path / "t.csv", Table("t", ("name",), (("Ärger",),)))
    assert (tmp_path / "t.csv").read_bytes() == codecs.BOM_UTF8 + "name\r\nÄrger\r\n".encode()


@pytest.mark.slow
def test_f9_games_a_schedule_and_a_template_as_csv_begin_with_it_too(tmp_path):
    fairfight("winrates", "arena", *QUICK, "--jobs", "1", "--rows", tmp_path / "rows.csv")
    write_schedule(tmp_path / "schedule.csv", [(1, "J\u00fcrgen", "Ada", 1)], "hero")
    write_template(tmp_path / "log.csv")
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["log.csv", "rows.columns.csv", "rows.csv", "schedule.csv"]
    for file in files:
        assert file.read_bytes().startswith(codecs.BOM_UTF8), file.name


@pytest.fixture
def no_temporary_folder(monkeypatch):
    """Let no folder for temporary files be writable."""

    def none() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_get_default_tempdir", none)


@pytest.mark.usefixtures("no_temporary_folder")
def test_e2_spreadsheets_are_written_where_only_their_folder_is_writable(tmp_path):
    write_table(tmp_path / "t.xlsx", Table("t", ("a",), ((1,),)))
    write_xlsx(tmp_path / "cards.xlsx", ARENA, ARENA.load(None))
    write_template(tmp_path / "log.xlsx")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["cards.xlsx", "log.xlsx", "t.xlsx"]
    assert tempfile.tempdir is None


@pytest.mark.usefixtures("no_temporary_folder")
def test_e2_a_file_in_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").touch()  # not a folder
    with pytest.raises(ReportError, match=r"file: no file can be written here \((not a directory|file exists)\)"):
        write_xlsx(tmp_path / "file" / "cards.xlsx", ARENA, ARENA.load(None))


@pytest.mark.slow
def test_e2_a_chart_is_drawn_where_only_its_folder_is_writable(tmp_path):
    """Matplotlib, which is imported then, needs a folder of its own."""
    program = (
        "import sys, tempfile\n"
        "def none():\n    raise FileNotFoundError(2, 'No usable temporary directory found')\n"
        "tempfile._get_default_tempdir = none\n"
        "from analysis.cli.start import main; main()"
    )
    place = tmp_path / "place"
    place.touch()
    home = dict.fromkeys(("HOME", "MPLCONFIGDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "FAIRFIGHT_CACHE"), str(place))
    out = tmp_path / "out"
    out.mkdir()
    words = ["dice", "2d6", "--chart", str(out / "chart.png")]
    done = subprocess.run(
        [sys.executable, "-c", program, *words], cwd=ROOT, env=os.environ | home, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [file.name for file in out.iterdir()] == ["chart.png"]


def test_data_hold_all_columns_and_the_tables_that_people_do_not_see(tmp_path):
    whole = pd.DataFrame({"a": [1], "b": [2]})
    answer = Answer("One.", (Table("main", ("A",), ((1,),), whole=whole), data_only(whole, "more")))
    write_answer(tmp_path / "t.csv", answer)
    assert (tmp_path / "t.csv").read_bytes() == codecs.BOM_UTF8 + b"a,b\r\n1,2\r\n"
    rows = [{"a": 1, "b": 2}]
    assert answer.data == {"answer": "One.", "facts": {}, "main": rows, "more": rows}


def test_a_message_keeps_both_ends_of_a_long_line_and_the_first_of_many_lines():
    long = bounded(f"policy={'x' * 30_000!r} is not known; known are random, greedy:k")
    assert long.startswith("policy='xxx")
    assert long.endswith("is not known; known are random, greedy:k")
    many = bounded("\n".join(f"cards.toml: line {number} is wrong" for number in range(1_000)))
    assert many.startswith("cards.toml: line 0 is wrong\n")
    assert many.endswith(f"... and {1_000 - many.count('is wrong')} more lines")
    assert max(len(long), len(many)) <= MESSAGE_MAX
    assert bounded("one\ntwo") == "one\ntwo"
