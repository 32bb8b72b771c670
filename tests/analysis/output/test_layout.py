"""Terminal output: tables that fit, colours that only repeat the words, characters that the encoding has."""

import io
import json
import os
import re
import subprocess
import sys

import pytest
from rich.cells import cell_len
from rich.console import Console

from analysis.answer.model import Answer
from analysis.answer.numbers import THIN, as_written, count, decimal, number, percent, points, seat_word
from analysis.answer.tables import Table
from analysis.output import encoding, terminal
from analysis.output import terminal as layout

HEROES = ("Rhino Guy", "Mirror Mage", "Bow Master", "Temple Guard", "Dragon Hatcher", "Whirl Fighter", "Hook Thrower")
SQUADS = tuple(f"Pulse Red + Pulse Blue + {name}" for name in HEROES)
PATHS = tuple(f"hero.{name.lower().replace(' ', '_')}.ability.hammer_time.knockback.green[2]" for name in HEROES)


def rates(names, seats=4, **more):
    """A table of win rates with all possible columns."""
    places = tuple(f"seat {seat}" for seat in range(seats))
    columns = ("hero", "win rate", "low", "high", "n", "verdict", "p (Holm)", "truncated", "gain", *places)
    words = ("too strong", "too weak", "fair", "not decided")
    rows = tuple(
        (name, 0.5, 0.38, 1.0, 12_345, words[index % 4], 0.00001, 0.012, 1.23, *([0.25] * seats))
        for index, name in enumerate(names)
    )
    shares = dict.fromkeys(("win rate", "low", "high", "truncated", *places), "percent")
    return Table("rates", columns, rows, "Win rates", shares | {"p (Holm)": "p"}, **more)


def matrix(names):
    rows = tuple((name, *(None if name == other else 0.4375 for other in names)) for name in names)
    return Table("matchups", ("hero", *names), rows, "Who beats whom", dict.fromkeys(names, "percent"))


def printed(table, capsys, **how):
    with terminal.printing(wide=how.get("wide", False), no_color=False):
        terminal.print_table(table)
    return capsys.readouterr().out


@pytest.mark.parametrize("width", [40, 60, 80, 100, 140])
@pytest.mark.parametrize("names", [HEROES, SQUADS, PATHS], ids=["heroes", "squads", "paths"])
@pytest.mark.parametrize("make", [rates, matrix])
def test_tables_fit_and_no_cell_is_cut(make, names, width, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    table = make(names)
    out = printed(table, capsys)
    assert max(map(cell_len, out.splitlines())) <= width
    laid = layout.lay_out(table, width)
    for part in laid.parts:
        for row, lines in part.rows():
            pieces = ["".join(column).replace(" ", "") for column in zip(*lines, strict=True)]
            assert pieces == [cell.replace(" ", "") for cell in row]
    shown = {name for part in laid.parts for column in part.columns for name in column.names} | set(laid.left_out)
    assert make is matrix or shown == set(table.columns)
    if laid.left_out:
        assert f"Left out: {', '.join(laid.left_out)}. --wide shows all columns." in " ".join(out.split())


def test_piped_tables_are_80_columns_wide_unless_wide(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    lines = printed(rates(SQUADS), capsys).splitlines()
    assert max(map(len, lines)) <= 80
    assert "--wide shows all columns" in " ".join(lines)
    wide = printed(rates(SQUADS), capsys, wide=True)
    assert "Left out" not in wide
    assert "seat 3" in wide
    assert max(map(len, wide.splitlines())) > 100


def test_the_bounds_of_an_interval_share_a_column():
    headings = [column.heading for column in layout.columns_of(rates(HEROES))]
    assert headings[:3] == ["hero", "win rate", f"95{THIN}% interval"]
    shown = layout.columns_of(rates(HEROES))[2].cells[0]
    assert shown == f"38.0\u2013100.0{THIN}%"
    assert layout.between(-0.031, 0.02, "points").replace(THIN, " ") == "\u22123.1 to +2.0"
    assert layout.between(None, 0.02, "points") == "\u2013"


def test_two_columns_of_text_are_not_an_interval():
    table = Table("t", ("name", "from", "to", "low", "high"), (("a", "random", "greedy", 0.1, 0.2),))
    headings = [column.heading for column in layout.columns_of(table)]
    assert headings == ["name", "from", "to", f"95{THIN}% interval"]


def test_a_table_of_names_by_names_gets_distinct_abbreviations(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    out = printed(matrix(("Rhino Guy", "Red Giant", "Bow Master", *HEROES[3:])), capsys)
    assert "RG1  Rhino Guy" in out
    assert "RG2  Red Giant" in out
    assert "in %" in out
    assert layout.abbreviations(["Ann", "Anna", "Bo"]) == ["An1", "An2", "Bo"]


def test_rows_of_a_deck_are_below_its_name(capsys, monkeypatch):
    rows = tuple((deck, f"Stance number {index} of all", 0.5, 0.4, 0.6, 0.1) for deck in SQUADS[:2] for index in range(3))
    columns = ("deck", "stance", "win rate", "low", "high", "change")
    monkeypatch.setenv("COLUMNS", "60")
    out = printed(Table("kits", columns, rows), capsys)
    assert out.count("deck: Pulse Red") == 2
    assert max(map(len, out.splitlines())) <= 60


def test_sentences_wrap_at_blanks_and_commands_can_be_pasted():
    text = "To go on: fairfight winrates arena --games 20000 --seed 12 --line-up 'Rhino Guy,Mirror Mage' --policy greedy:4"
    lines = layout.sentence(text, 60)
    assert lines[0] == "To go on:"
    assert all(len(line) <= 60 for line in lines)
    assert all(line.endswith(" \\") for line in lines[1:-1])
    assert " ".join(line.removesuffix("\\").strip() for line in lines[1:]) == text.removeprefix("To go on: ")
    assert layout.sentence("  a " + "word " * 30, 40)[1].startswith("  word")
    assert layout.sentence(text, None) == [text]


@pytest.mark.parametrize("word", ["too strong", "too weak", "fair", "not decided"])
def test_every_verdict_has_a_colour_in_a_terminal_and_none_in_a_pipe(word, capsys, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    table = Table("t", ("hero", "verdict"), (("Ann", word),))
    assert "\x1b" not in printed(table, capsys)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    out = printed(table, capsys)
    assert re.search(rf"\x1b\[[0-9;]*m{word}", out)
    assert word in re.sub(r"\x1b\[[0-9;]*m", "", out)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", printed(table, capsys))
    monkeypatch.delenv("NO_COLOR")
    with terminal.printing(wide=False, no_color=True):
        terminal.print_table(table)
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", capsys.readouterr().out)


SPEAK = """
import sys
from analysis.answer.tables import Table
from analysis.output import terminal
from analysis.output.encoding import make_safe
make_safe()
columns = ("name", "share", "change", "bar")
table = Table("t", columns, (("Zo\\u00eb", 0.5, -0.1, "\\u2588\\u258c"),), "\\u201cWho\\u201d \\u00b1 1",
              {"share": "percent", "change": "points"})
terminal.print_table(table)
terminal.tell("n = 1\\u20132 \\u2192 \\u221e \\u2026 \\u2264 X\\u00b2 \\u250c\\u2500\\u2510 \\U0001f409 \\u65e5")
terminal.print_json({"name": "Zo\\u00eb \\u2212"})
terminal.note("minus \\u2212 \\U0001f409")
"""


@pytest.mark.parametrize("name", ["ascii", "cp1252", "cp932", "utf-8"])
@pytest.mark.slow
def test_output_survives_an_encoding_that_lacks_a_character(name):
    done = subprocess.run(
        [sys.executable, "-c", SPEAK], env={**os.environ, "PYTHONIOENCODING": name}, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    out, err = done.stdout.decode(name), done.stderr.decode(name)
    assert "minus" in err
    assert "50.0" in out
    assert json.loads(out[out.index("{") :])["name"] == "Zo\u00eb \u2212"
    if name == "ascii":
        assert '"Who" +/- 1' in out
        assert "-10.0" in out
        assert "n = 1-2 -> inf ... <= X^2 +-+ ? ?" in out
    if name == "utf-8":
        assert "\U0001f409" in out


def test_missing_characters_have_plain_equivalents():
    text = "\u2502\u00a0\u202f7\u2212\u2013\u00d7\u25b2\u25cf\u00e9"
    assert text.encode("ascii", encoding.NAME) == b"|  7--x^*e"
    assert all(plain.isascii() for plain in encoding.PLAIN.values())


def test_progress_uses_the_same_thousands_separators(monkeypatch):
    heard = io.StringIO()
    monkeypatch.setattr(terminal, "errors", Console(file=heard, width=80))
    monkeypatch.setattr(terminal, "LINE_SECONDS", -1.0)
    with terminal.Ticker() as ticker:
        ticker("playing", 1234, 60_000)
    assert heard.getvalue() == f"playing: {count(1234)} of {count(60_000)} games\n" == "playing: 1,234 of 60,000 games\n"


def test_text_of_cards_is_escaped_in_notebooks():
    table = Table("t", ("<b>",), (("<script>",),), "a & b")
    page = Answer("<i>", (table,))._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "a &amp; b" in page


def test_people_count_seats_from_one():
    assert [seat_word(0), seat_word(3)] == ["seat 1", "seat 4"]


def test_formatted_numbers_use_one_minus_sign_and_no_signed_zero():
    assert count(7740) == "7,740"
    assert count(-7740) == "\u22127,740"
    assert [count(-0.4), number(-0.0), decimal(-0.001, 2), points(-0.0001), percent(-0.0)] == [
        *("0", "0", "0.00", "0.0"),
        f"0.0{THIN}%",
    ]
    assert decimal(1234.5, 1, signed=True) == "+1,234.5"
    assert number(-1234.5) == "\u22121,234"
    assert [as_written(value) for value in (-3, 0.125, True, "a", 12_000)] == ["\u22123", "0.125", "True", "a", "12,000"]
