"""Terminal output: tables that fit, colours that only repeat the words, characters that the encoding has."""

import io
import json
import os
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from rich.cells import cell_len
from rich.console import Console

from analysis.answer import numbers
from analysis.answer.model import Answer, ColumnNote
from analysis.answer.numbers import MINUS, THIN, as_written, count, decimal, number, percent, points, seat_word
from analysis.answer.tables import Table, table
from analysis.output import encoding, layout, terminal
from analysis.output.answers import LINES, print_answer, shortened

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


def printed(table, capsys):
    with terminal.printing(no_color=False):
        terminal.print_table(table)
    return capsys.readouterr().out


def answered(answer, capsys, again="", **how):
    """The lines of an answer on stdout."""
    with terminal.printing(no_color=False, **how):
        print_answer(answer, again)
    return [line.replace(THIN, " ") for line in capsys.readouterr().out.splitlines()]


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
    shown = [column.heading for part in laid.parts for column in part.columns]
    whole = [column.heading for column in layout.columns_of(table)]
    assert make is matrix or [name for name in shown if name != "hero"] == whole[1:]


def test_piped_tables_are_80_columns_wide(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    lines = printed(rates(SQUADS), capsys).splitlines()
    assert 60 < max(map(len, lines)) <= 80


MATCHUPS = "Who beats whom"


def test_with_all_columns_names_stay_in_one_line(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    answer = Answer("Rhino Guy wins 60 %.", (rates(HEROES, details=()),))
    text = "\n".join(answered(answer, capsys, everything=True))
    assert all(name in text for name in HEROES)


def test_a_change_is_the_difference_of_the_shares_beside_it_as_they_are_shown():
    frame = pd.DataFrame({"name": ["Mage", "Rhino"], "was": [0.2786, np.nan], "now": [0.2564, 0.5], "by": [-0.0222, np.nan]})
    rates = table(frame, "rates", "Rates", {"name": "hero", "was": "before", "now": "after", "by": "change"})
    assert [numbers.as_shown(cell, rates.formats.get(name)) for name, cell in zip(rates.columns, rates.seen[0], strict=True)] == [
        *("Mage", f"27.9{THIN}%", f"25.6{THIN}%", f"{MINUS}2.3")
    ]
    assert rates.seen[1][3] is None
    assert rates.rows[0][3] == -0.0222
    assert rates.frame["by"].iloc[0] == -0.0222
    turns = table(frame, "turns", "Turns", {"was": "before", "now": "after", "by": "change"}, {"before": "number"})
    assert turns.seen[0][2] == -0.0222


def test_messages_name_arguments_as_they_are_typed():
    with terminal.naming({"games": "--games", "level_games": "--level-games", "paired": "--paired", "policy": "--policy"}):
        for message, words in {
            "games=0 must be at least 1": "--games 0 must be at least 1",
            "policy='my own' is not known": "--policy 'my own' is not known",
            "paired=True: leave it out": "--paired: leave it out",
            "games=5: leave level_games out": "--games 5: leave --level-games out",
            "hero.rhino_guy.games=3 and rows=2": "hero.rhino_guy.games=3 and rows=2",
        }.items():
            assert terminal.typed(message) == words
    assert terminal.typed("games=0 must be at least 1") == "games=0 must be at least 1"


def test_notes_explain_only_columns_that_are_shown(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    gain = ColumnNote("Gain: what pairs save.", "gain", "saved *")
    answer = Answer("Rhino Guy wins 60 %.", (rates(HEROES),), notes=("A note.", gain))
    assert gain not in answered(answer, capsys, notes=True)
    assert "A note." in answered(answer, capsys, notes=True)
    assert gain in answered(answer, capsys, notes=True, everything=True)


def test_the_answer_comes_first_and_its_details_and_notes_with_options(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    answer = Answer(
        "Rhino Guy wins 60 %.", (rates(HEROES), matrix(HEROES)), notes=("What truncated means.",), warnings=("Few games.",)
    )
    lines = answered(answer, capsys)
    assert lines[:3] == ["Rhino Guy wins 60 %.", "", "Win rates"]
    assert lines[3].split() == ["hero", "win", "rate", "95", "%", "interval", "verdict"]
    assert lines[-3:] == ["", "Few games.", "--notes explains the terms; --all shows every column and one more table."]
    assert MATCHUPS not in lines
    whole = answered(answer, capsys, everything=True)
    text = " ".join(whole)
    for heading in ("p (Holm)", "truncated", "gain", "seat 3", MATCHUPS):
        assert heading in text
    assert whole[-1] == "--notes explains the terms."
    noted = answered(answer, capsys, notes=True)
    assert noted[:-1] == [*lines[:-1], "What truncated means."]
    assert noted[-1] == "--all shows every column and one more table."


def test_only_what_is_left_out_is_offered(capsys):
    table = Table("t", ("hero", "share"), (("Ann", 0.5),))
    assert answered(Answer("Ann wins.", (table,)), capsys)[-1].split() == ["Ann", "0.5"]
    assert answered(Answer("No game was won.", (replace(table, rows=()),)), capsys) == ["No game was won."]


@pytest.mark.parametrize("ends", [0, 20])
@pytest.mark.parametrize("rows", [8, 40, 300])
def test_an_answer_takes_25_lines_and_says_how_many_rows_are_missing(rows, ends, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    names = [f"Hero {number}" for number in range(rows)]
    answer = Answer("One sentence that is so long that it takes two lines " * 2, (rates(names, ends=ends),), notes=("A note.",))
    lines = answered(answer, capsys, again="fairfight winrates arena --games 20000")
    heroes = [line.split("  ")[0] for line in lines if line.startswith("Hero")]
    missing = [line for line in lines if line.startswith("...")]
    assert missing == ([] if rows == 8 else [f"... {rows - len(heroes)} more rows: --all"])
    assert "More games: fairfight winrates arena --games 20000" in lines
    if rows == 8:
        assert heroes == names
    else:
        assert len(lines) == LINES
        last = len(heroes) // 2 if ends else 0
        assert heroes == [*names[: len(heroes) - last], *names[rows - last :]]
        assert lines.index(missing[0]) == lines.index(next(line for line in lines if line.startswith(heroes[-last - 1]))) + 1
    everything = answered(answer, capsys, everything=True)
    assert sum(line.startswith("Hero") for line in everything) % rows == 0


def test_a_main_table_keeps_some_rows_beside_a_long_first_one(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    names = [f"Hero {number}" for number in range(60)]
    second = replace(rates([name.replace("Hero", "Deck") for name in names]), main=True, caption="Others")
    lines = answered(Answer("Two tables.", (rates(names), second, replace(second, main=False))), capsys)
    assert len(lines) <= LINES
    assert sum(line.startswith("Deck") for line in lines) >= 4
    assert sum(line.startswith("Hero") for line in lines) >= 4
    assert lines.count("Others") == 1


def test_the_rows_of_both_ends_or_the_first_are_kept():
    table = Table("t", ("n",), tuple((number,) for number in range(9)))
    assert shortened(table, 9) == (table, 0)
    short, at = shortened(table, 3)
    assert ([row[0] for row in short.rows], at) == ([0, 1, 2], 3)
    short, at = shortened(replace(table, ends=1), 3)
    assert ([row[0] for row in short.rows], at) == ([0, 1, 8], 2)


def test_a_long_text_stands_below_its_row_unbroken(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    rows = tuple((name, path, index) for index, (name, path) in enumerate(zip(HEROES, PATHS, strict=True)))
    lines = answered(Answer("A.", (Table("t", ("hero", "number", "steps"), rows, below="number"),)), capsys)
    for name, path in zip(HEROES, PATHS, strict=True):
        at = next(index for index, line in enumerate(lines) if line.startswith(name))
        assert lines[at + 1] == f"  {path}"
    assert "number" not in lines[2]


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
    with terminal.printing(no_color=True):
        terminal.print_table(table)
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", capsys.readouterr().out)


SPEAK = """
import sys
from analysis.answer.tables import Table, table
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


def test_progress_in_a_pipe_says_what_is_known_and_the_time_left(monkeypatch):
    heard, now = io.StringIO(), [0.0]
    monkeypatch.setattr(terminal, "errors", Console(file=heard, width=200))
    monkeypatch.setattr("analysis.output.terminal.time.monotonic", lambda: now[0])
    with terminal.Ticker() as ticker:
        for now[0], done in ((4.0, 100), (12.0, 300), (15.0, 400), (24.0, 600)):
            ticker("playing", done, 1_000, lambda: "so far: A 61.0 %")
    lines = heard.getvalue().splitlines()
    assert lines[0] == "playing: 300 of 1,000 games, about 30 s left; so far: A 61.0 %"
    assert lines[1] == "playing: 600 of 1,000 games, about 15 s left; so far: A 61.0 %"
    assert len(lines) == 2


def test_progress_in_a_terminal_shows_what_is_known_below_the_bars(monkeypatch):
    heard, now = io.StringIO(), [0.0]
    monkeypatch.setattr(terminal, "errors", Console(file=heard, width=100, force_terminal=True))
    monkeypatch.setattr("analysis.output.terminal.time.monotonic", lambda: now[0])
    with terminal.Ticker() as ticker:
        for now[0], results in ((2.0, lambda: "so far: A 61.0 %"), (3.0, str)):  # the next stage knows nothing yet
            ticker("playing", 100, 1_000, results)
            ticker._progress.refresh()
    assert heard.getvalue().count("so far: A 61.0 %") >= 2


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
