"""Card sets as spreadsheets: an exact round trip for every game, and every mistake named by sheet and cell."""

import csv
import re
import shutil
import zipfile
from datetime import date
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.formula import ArrayFormula

from analysis.cardsheets.notation import Formula, Notation, Schema
from analysis.cardsheets.reading import game_of, read_spreadsheet
from analysis.data.card_text import text_of, text_with
from analysis.data.names import open_game, words_for
from analysis.output.spreadsheets import free_folder, write_csv, write_xlsx
from sim.engine.cardfiles.paths import MESSAGE_MAX
from sim.engine.cards import CardError, changed
from sim.registry import GAMES
from tests.analysis.cli.test_cli import fairfight, refusal
from tests.conftest import BUILT_IN, in_soak

ALL = (*BUILT_IN, "coin_duel")
LARGEST = "riftborn"  # the set with the most sheets
FORMS = ("xlsx", "csv")
WRITERS = {"xlsx": write_xlsx, "csv": write_csv}


def written(form, tmp_path, name, cards=None):
    """Write the reference set of a game, or another one, as a spreadsheet; returns its path."""
    path = tmp_path / {"xlsx": "cards.xlsx", "csv": "sheets"}[form]
    WRITERS[form](path, GAMES[name], cards or GAMES[name].load(None))
    return path


def read_cards(path, game):
    """Return the document of a spreadsheet."""
    return read_spreadsheet(path, game).document


def done(*arguments):
    """Return the output of a command that must succeed."""
    code, out, err = fairfight(*arguments)
    assert code == 0, err
    return out


def edited(path, sheet, cell, value):
    """Set a cell of an .xlsx file, such as C3."""
    book = load_workbook(path)
    book[sheet][cell] = value
    book.save(path)
    return path


def refused(path, name="arena"):
    """Return the lines of the message of a spreadsheet that must be refused."""
    with pytest.raises(CardError) as error:
        read_cards(path, GAMES[name])
    return str(error.value).splitlines()


@pytest.mark.parametrize(
    ("name", "form"),
    [(name, form) if form == "csv" or name == LARGEST else in_soak((name, form)) for name in ALL for form in FORMS],
)
@pytest.mark.usefixtures("coin_duel")
@pytest.mark.slow
def test_the_round_trip_keeps_every_value_digest_and_source(name, form, tmp_path):
    cards = GAMES[name].load(None)
    document = read_cards(written(form, tmp_path, name), GAMES[name])
    again = GAMES[name].from_document(document)
    assert document == cards.document
    assert again.digest == cards.digest
    assert {item.path: (item.value, item.source) for item in again.provenance} == {
        item.path: (item.value, item.source) for item in cards.provenance
    }


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", [LARGEST, *(in_soak(name) for name in ALL if name != LARGEST)])
@pytest.mark.usefixtures("coin_duel")
@pytest.mark.slow
def test_commands_write_a_spreadsheet_and_make_a_valid_folder_of_it(name, form, tmp_path):
    path = tmp_path / {"xlsx": "cards.xlsx", "csv": "sheets"}[form]
    assert "written" in done("cards", name, f"--{form}", path)
    done("new", name, tmp_path / "mine", "--from", path)
    again, reference = GAMES[name].load(tmp_path / "mine"), GAMES[name].load(None)
    assert again.digest == reference.digest
    if name in BUILT_IN:  # only numbers could differ, so the comments of the file are kept
        assert (tmp_path / "mine" / "cards.toml").read_text() == GAMES[name].reference.read_text()


def test_text_that_looks_like_a_formula_is_kept_and_never_one(tmp_path, coin_duel):
    title = '=HYPERLINK("http://example.invalid","x")'
    risky = coin_duel.from_document(changed(coin_duel.load(None).document, "title", title))
    book = load_workbook(written("xlsx", tmp_path, coin_duel.name, risky))
    cell = next(row[1] for row in book["card_set"].iter_rows() if row[0].value == "title")
    assert (cell.data_type, cell.value) == ("s", title)
    assert read_cards(tmp_path / "cards.xlsx", coin_duel)["title"] == title
    folder = written("csv", tmp_path, coin_duel.name, risky)
    with (folder / "card_set.csv").open(encoding="utf-8-sig", newline="") as stream:
        assert ["title", f"'{title}"] in [row[:2] for row in csv.reader(stream)]
    assert read_cards(folder, coin_duel)["title"] == title


@pytest.mark.parametrize("title", ["=1", "+1", "-1", "@x", "'=1", "''=1", "'quoted'", "12", "true", '"quoted"', "a, b", " @"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.slow
def test_difficult_titles_survive(title, form, tmp_path, coin_duel):
    cards = coin_duel.from_document(changed(coin_duel.load(None).document, "title", title))
    assert read_cards(written(form, tmp_path, coin_duel.name, cards), coin_duel)["title"] == title


def test_headings_show_ranges_are_frozen_and_read_only_columns_are_marked(tmp_path):
    book = load_workbook(written("xlsx", tmp_path, "arena"))
    hero, rules = book["hero"], book["rules"]
    assert [cell.value for cell in hero[1]][:5] == ["id", "name", "move (0..6)", "defence (0..8)", "energy (green, yellow, red)"]
    assert hero.freeze_panes == rules.freeze_panes == "B2"
    assert hero.column_dimensions["B"].width > len("Dragon Hatcher")
    assert rules["D1"].value == "# allowed"
    assert rules["D1"].fill.fgColor.rgb == rules["D2"].fill.fgColor.rgb == "00EDEDED"
    assert "a whole number from 0 to 6" in hero["C1"].comment.text
    assert {rule.formula2 for rule in hero.data_validations.dataValidation if "C2" in str(rule.sqref)} == {"6"}
    numbers = {row[0].value: row[2].value for row in book["# numbers"].iter_rows(min_row=2)}
    assert numbers == {item.path: item.source for item in GAMES["arena"].load(None).provenance}


def test_numbers_have_the_colour_of_their_source(tmp_path):
    hero = load_workbook(written("xlsx", tmp_path, "arena"))["hero"]
    assert hero["C2"].fill.fgColor.rgb == "00FFF2CC"  # move: assumed
    assert hero["F2"].fill.fgColor.rgb == "00DDEBF7"  # printed_energy: rulebook


def test_nested_fields_are_readable(tmp_path):
    ability = load_workbook(written("xlsx", tmp_path, "arena"))["hero.ability"]
    rows = {row[1].value: [cell.value for cell in row] for row in ability.iter_rows(min_row=2)}
    assert rows["Boxing Arrow"][:7] == ["bow_master", "Boxing Arrow", "attack", 3, 1, "1, 3, 5", "no_defence_roll, no_damage"]
    assert rows["Fast Step"][6] == "move_after {max = 1}"


@pytest.mark.slow
def test_an_edit_reaches_the_card_file_and_the_comments_stay(tmp_path):
    path = edited(written("xlsx", tmp_path, "arena"), "hero", "C3", 4)
    done("new", "arena", tmp_path / "mine", "--from", path)
    assert GAMES["arena"].load(tmp_path / "mine").document["hero"][1]["move"] == 4
    assert "# rage and dragonling tokens" in (tmp_path / "mine" / "cards.toml").read_text()


def test_a_new_row_a_note_and_an_empty_row_are_accepted(tmp_path):
    path = written("xlsx", tmp_path, "arena")
    book = load_workbook(path)
    board = book["board"]
    for column, value in enumerate(("small", 3, "[]", "[0, -2], [2, -2], [2, 0], [0, 2]", "assumed"), 1):
        board.cell(8, column, value)  # rows 5 to 7 stay empty
    book.create_sheet("# my notes")["A1"] = "=1+1"
    book.save(path)
    boards = read_cards(path, GAMES["arena"])["board"]
    assert boards[-1] == {
        "id": "small",
        "radius": 3,
        "holes": [],
        "starts": [[0, -2], [2, -2], [2, 0], [0, 2]],
        "source": "assumed",
    }
    assert len(boards) == 4


MISTAKES = [
    ("hero", "C3", 99, "cell C3 (hero.rhino_guy.move) = 99: is too large; must be a whole number from 0 to 6"),
    ("hero", "C3", "fast", 'cell C3 (hero.rhino_guy.move) = "fast": has the wrong type; must be a whole number from 0 to 6'),
    ("hero", "C3", 2.5, "cell C3 (hero.rhino_guy.move) = 2.5: has the wrong type; must be a whole number from 0 to 6"),
    ("hero", "C3", None, "cell C3 (hero.rhino_guy.move): is missing; must be a whole number from 0 to 6"),
    ("hero", "C3", "=1+1", 'cell C3 (move) = "=1+1": is a formula without a stored value; enter its value'),
    ("hero", "C3", date(2026, 1, 2), 'cell C3 (move) = "2026-01-02 00:00:00": is a date or a time; enter a number, true'),
    ("hero", "A3", "bow_master", 'cell A3 (id) = "bow_master": is used more than once; A2 has it too'),
    ("hero", "C1", "moves", 'cell C1 = "moves": is not a column of this sheet; did you mean "move"?'),
    ("hero", "C1", "moves", "has no column move; it is required"),
    ("hero", "B1", "move", 'cell C1 = "move (0..6)": is a column twice; B1 has it too'),
    ("hero", "Z3", 7, "cell Z3 = 7: has no heading above it; remove it, or name its column"),
    ("hero", "I3", "move = guessed", 'cell I3 (hero.rhino_guy.source.move) = "guessed": is not a source; must be one of'),
    ("hero", "I3", None, "has no source; every number needs a source"),
    ("hero.ability", "A5", "rhino", 'cell A5 (hero) = "rhino": is no hero of this set; did you mean "rhino_guy"?'),
    ("hero.ability", "A5", None, "cell A5 (hero): is empty; known here: bow_master"),
    ("hero.ability", "G3", "no_dmg", 'effects[0].op) = "no_dmg": is not one of the choices; did you mean "no_damage"?'),
    ("hero.ability", "G3", "slow {n = 2", "is not well formed at character 12, the end; , was expected"),
    ("hero.ability", "F3", "1, 3", "(hero.bow_master.ability[1].knockback) = [1, 3]: is too short; must be a list of 3"),
    ("rules", "A3", "dices", 'cell A3 = "dices": is not a field of this sheet; did you mean "dice"?'),
    ("rules", "A3", "tokens", 'cell A3 = "tokens": is there twice; A2 has it too'),
    ("rules", "B2", True, "cell B2 (rules.tokens) = true: has the wrong type; must be a whole number from 0 to 12"),
    ("rules", "C2", "guess", 'cell C2 (rules.source.tokens) = "guess": is not a source; must be one of "rulebook"'),
    ("rules", "B14", "harbour", 'cell B14 (rules.board) = "harbour"'),
    ("card_set", "B2", "riftborn", 'cell B2 (game) = "riftborn": is not one of the choices; must be "arena"'),
    ("card_set", "B3", 2, "cell B3 (format) = 2: is too large; must be 1"),
]


@pytest.fixture(scope="module")
def workbook(tmp_path_factory):
    """The reference set of the Arena as a workbook, to be copied."""
    return written("xlsx", tmp_path_factory.mktemp("workbook"), "arena")


@pytest.mark.parametrize(("sheet", "cell", "value", "message"), MISTAKES)
@pytest.mark.slow
def test_a_mistake_is_named_by_sheet_and_cell(sheet, cell, value, message, workbook, tmp_path):
    path = edited(Path(shutil.copy(workbook, tmp_path)), sheet, cell, value)
    lines = refused(path)
    assert all(line.startswith(f"{path}: sheet ") for line in lines)
    assert any(line.startswith(f"{path}: sheet {sheet}, ") or f"sheet {sheet}: " in line for line in lines)
    assert message in "\n".join(lines)


@pytest.mark.parametrize(("sheet", "cell", "value", "message"), MISTAKES[:5])
def test_the_same_mistake_in_a_csv_file_is_named_by_file_and_cell(sheet, cell, value, message, tmp_path):
    folder = written("csv", tmp_path, "arena")
    file = folder / f"{sheet}.csv"
    rows = [*csv.reader(file.read_text(encoding="utf-8-sig").splitlines())]
    rows[int(cell[1:]) - 1][ord(cell[0]) - ord("A")] = "" if value is None else str(value)
    file.write_text("\n".join(",".join(f'"{word}"' for word in row) for row in rows), encoding="utf-8")
    assert refused(folder) == [f"{file}: {message}"]


@pytest.mark.slow
def test_several_mistakes_are_all_named(tmp_path):
    path = edited(edited(written("xlsx", tmp_path, "arena"), "hero", "C3", 99), "rules", "B2", -1)
    assert len(refused(path)) == 2


def test_extra_sheet_with_the_name_of_a_missing_one_is_named(tmp_path):
    book = load_workbook(written("xlsx", tmp_path, "arena"))
    book["hero"].title = "heroes"
    book.save(tmp_path / "cards.xlsx")
    lines = refused(tmp_path / "cards.xlsx")
    assert f"{tmp_path / 'cards.xlsx'}: sheet hero: is missing; the card file needs it" in lines
    assert any('sheet heroes: is not a sheet of this game; did you mean "hero"?' in line for line in lines)


def test_f8_array_formulas_without_a_stored_value_are_refused_too(tmp_path):
    path = edited(written("xlsx", tmp_path, "arena"), "hero", "C3", ArrayFormula("C3:C3", "=SUM(C4:C5)"))
    assert "sheet hero, cell C3 (move)" in refused(path)[0]
    assert "is a formula" in refused(path)[0]


@pytest.mark.slow
def test_a_repeated_card_of_a_deck_is_named(tmp_path):
    path = written("xlsx", tmp_path, "riftborn")
    sheet = load_workbook(path)["deck.cards"]
    edited(path, "deck.cards", "B3", sheet["B2"].value)
    assert "sheet deck.cards, cell B3" in refused(path, "riftborn")[0]
    assert "is there twice for this deck" in refused(path, "riftborn")[0]


def test_semicolons_and_another_encoding_of_csv(tmp_path):
    folder = written("csv", tmp_path, "arena")
    for file in folder.glob("*.csv"):
        rows = [*csv.reader(file.read_text(encoding="utf-8-sig").splitlines())]
        with file.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, delimiter=";").writerows(rows)
    assert read_cards(folder, GAMES["arena"]) == GAMES["arena"].load(None).document
    (folder / "hero.csv").write_bytes("id;name\nx;Bär\n".encode("latin-1"))
    assert refused(folder) == [f"{folder / 'hero.csv'}: line 2 is not UTF-8; save the file as CSV UTF-8"]


OTHER_PROGRAMS = {
    "line ends of old Macs": lambda text: text.replace("\r\n", "\r"),
    "a line that names the separator": lambda text: f"sep=;\r\n{text.replace(',', ';')}",
    "whole numbers with a point": lambda text: re.sub(r"(?<=,)(\d+)(?=,)", r"\1.0", text),
}


@pytest.mark.parametrize("program", OTHER_PROGRAMS.values(), ids=OTHER_PROGRAMS.keys())
def test_f3_f4_csv_files_as_other_programs_write_them(program, tmp_path, coin_duel):
    folder = written("csv", tmp_path, coin_duel.name)
    file = folder / "fighter.csv"
    before = file.read_bytes().decode("utf-8-sig")
    assert program(before) != before
    file.write_bytes(program(before).encode())
    document = read_cards(folder, coin_duel)
    assert coin_duel.from_document(document).digest == coin_duel.load(None).digest


def rewritten(folder, suffix, **how):
    """Write the CSV files of a folder again, separated by tabs, with another suffix or encoding."""
    for file in folder.glob("*.csv"):
        rows = [*csv.reader(file.read_text(encoding="utf-8-sig").splitlines())]
        file.unlink()
        with file.with_suffix(suffix).open("w", newline="", **how) as stream:
            csv.writer(stream, delimiter="\t").writerows(rows)


@pytest.mark.parametrize(("suffix", "encoding"), [(".tsv", "utf-8"), (".csv", "utf-16"), (".TSV", "utf-8-sig")])
def test_f3_tables_with_tabs_as_spreadsheet_programs_save_them(suffix, encoding, tmp_path, coin_duel):
    folder = written("csv", tmp_path, coin_duel.name)
    rewritten(folder, suffix, encoding=encoding)
    _, cards = open_game(coin_duel.name, folder)
    assert cards.digest == coin_duel.load(None).digest


def test_f3_a_mistake_in_a_tsv_file_is_named_by_file_and_cell(tmp_path):
    folder = written("csv", tmp_path, "arena")
    rewritten(folder, ".tsv", encoding="utf-8")
    file = folder / "hero.tsv"
    file.write_text(file.read_text("utf-8").replace("bow_master\tBow Master\t3", "bow_master\tBow Master\t99"), "utf-8")
    assert refused(folder)[0].startswith(f"{file}: cell C2 (hero.bow_master.move) = 99")


def test_f3_the_line_of_a_bad_byte_is_counted_at_any_end_of_lines(tmp_path):
    folder = written("csv", tmp_path, "arena")
    (folder / "hero.csv").write_bytes("id,name\rx,Bear\ry,B\u00e4r\r".encode("latin-1"))
    assert refused(folder) == [f"{folder / 'hero.csv'}: line 3 is not UTF-8; save the file as CSV UTF-8"]


def test_one_sheet_and_other_kinds_of_spreadsheets_are_refused_with_what_to_do(tmp_path):
    folder = written("csv", tmp_path, "arena")
    assert "is only one sheet of a card set; give the folder" in refusal("check", folder / "hero.csv")
    assert "is only one sheet of a card set" in refusal("new", "arena", tmp_path / "mine", "--from", folder / "hero.csv")
    (tmp_path / "cards.ods").write_bytes(b"PK")
    assert "a kind that is not read; save it as .xlsx" in refusal("cards", "arena", "--cards", tmp_path / "cards.ods")
    (folder / "hero.tsv").touch()
    assert f"{folder}: hero.csv and hero.tsv are the same sheet" in refusal("check", folder)


def test_f8_stored_values_of_formulas_are_used_and_named(tmp_path):
    path = edited(written("xlsx", tmp_path, "arena"), "hero", "C3", "=1+3")
    with_part(path, "xl/worksheets/sheet5.xml", lambda xml: re.sub(rb"(<f>1\+3</f>)<v ?/>", rb"\1<v>4</v>", xml))
    spreadsheet = read_spreadsheet(path, GAMES["arena"])
    assert spreadsheet.document["hero"][1]["move"] == 4
    assert spreadsheet.notes == (f"{path}: formulas are not evaluated; their stored values are used (hero C3)",)


def test_extra_sheet_is_ignored_with_a_note(tmp_path):
    book = load_workbook(written("xlsx", tmp_path, "arena"))
    book.create_sheet("Playtest 3").append(["who", "won"])
    book["Playtest 3"].append(["Ann", 3])
    book.create_sheet("Sheet1")
    book.save(tmp_path / "cards.xlsx")
    spreadsheet = read_spreadsheet(tmp_path / "cards.xlsx", GAMES["arena"])
    assert spreadsheet.document == GAMES["arena"].load(None).document
    assert spreadsheet.notes == (f"{tmp_path / 'cards.xlsx'}: sheet Playtest 3: is not part of a card set and is ignored",)


@pytest.mark.parametrize("form", FORMS)
def test_the_comments_of_ones_own_card_file_stay(form, tmp_path, coin_duel):
    text = f"# Mine.\n{coin_duel.reference.read_text()}\n  # the end\n"
    (tmp_path / "mine.toml").write_text(text)
    path = written(form, tmp_path, coin_duel.name, coin_duel.load(tmp_path / "mine.toml"))
    goal = coin_duel.load(None).document["rules"]["goal"]
    if form == "xlsx":
        edited(path, "rules", "B2", goal + 1)
    else:
        file = path / "rules.csv"
        file.write_text(file.read_text("utf-8-sig").replace(f"goal,{goal},", f"goal,{goal + 1},"))
    spreadsheet = read_spreadsheet(path, coin_duel)
    expected = text.replace(f"goal = {goal} ", f"goal = {goal + 1} ")
    assert text_with(coin_duel, spreadsheet.document, spreadsheet.template) == expected != text


@pytest.mark.parametrize("form", FORMS)
def test_a_spreadsheet_is_a_card_set(form, tmp_path, coin_duel):
    path = written(form, tmp_path, coin_duel.name)
    _, cards = open_game(coin_duel.name, path)
    assert (cards.digest, cards.path) == (coin_duel.load(None).digest, path)
    assert words_for(coin_duel, cards) == (coin_duel.name, ["--cards", str(path)])
    assert text_of(coin_duel, cards) == coin_duel.reference.read_text()
    assert game_of(path) == coin_duel.name


def test_the_next_step_names_a_folder_that_does_not_exist(tmp_path, monkeypatch, coin_duel):
    monkeypatch.chdir(tmp_path)
    assert free_folder(coin_duel) == "my-coin_duel"
    (tmp_path / "my-coin_duel").mkdir()
    assert free_folder(coin_duel) == "my-coin_duel-2"


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"<html>"])
def test_damaged_files_are_refused(content, tmp_path):
    file = tmp_path / "cards.xlsx"
    file.write_bytes(content)
    assert "is not a readable .xlsx file" in refused(file)[0]


@pytest.mark.slow
def test_a_file_that_unpacks_to_gigabytes_is_refused(tmp_path):
    file = tmp_path / "cards.xlsx"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"0" * 101_000_000)
    assert "unpacks to more than" in refused(file)[0]


CELL = b'<c t="inlineStr"><is><t>x</t></is></c>'
TOO_MUCH = {
    "long cell": (b"<row>" + CELL.replace(b"x", b"x" * 32_768) + b"</row>", "has 32,768 characters; a cell has at most 32,767"),
    "wide row": (b"<row>" + CELL * 201 + b"</row>", "has a value; a sheet has at most 200 columns"),
    "far column": (b'<row r="30"><c r="XFD30"><v>1</v></c></row>', "cell XFD30 has a value; a sheet has at most 200 columns"),
    "far row": (b'<row r="20001">' + CELL + b"</row>", "row 20,001 has values; a sheet has at most 20,000 rows"),
    "row without end": (b'<row r="999999999999"/>', "has too many cells, counting empty ones"),
    "many cells": ((b"<row>" + CELL * 200 + b"</row>") * 20, "at most 3,000 cells with values"),
    "a few empty cells": (b"<row>" + b"<c/>" * 190 + b'<c r="XFD7"/></row>', None),
}


@pytest.mark.parametrize(("rows", "message"), TOO_MUCH.values(), ids=TOO_MUCH.keys())
def test_a_workbook_that_is_too_large_is_refused_while_it_is_read(rows, message, tmp_path, monkeypatch):
    monkeypatch.setattr("analysis.cardsheets.reading.FILLED_MAX", 3_000)
    monkeypatch.setattr("analysis.cardsheets.reading.CELLS_MAX", 40_000)
    end = b"</sheetData>"
    path = with_part(written("xlsx", tmp_path, "arena"), "xl/worksheets/sheet2.xml", lambda xml: xml.replace(end, rows + end))
    if message is None:
        assert read_cards(path, GAMES["arena"]) == GAMES["arena"].load(None).document
    else:
        (line,) = refused(path)
        assert message in line
        assert len(line) < 300


def test_parts_of_a_workbook_and_its_number_of_sheets_are_limited(tmp_path):
    styles = with_part(written("xlsx", tmp_path, "arena"), "xl/styles.xml", lambda xml: xml + b" " * 1_000_000)
    assert "its part xl/styles.xml unpacks to" in refused(styles)[0]
    styles.unlink()
    sheets = with_part(written("xlsx", tmp_path, "arena"), "xl/workbook.xml", lambda xml: xml + b"<sheet />" * 101)
    assert "a card set has at most 100" in refused(sheets)[0]


def test_a_csv_file_that_is_too_large_is_refused(tmp_path):
    folder = written("csv", tmp_path, "arena")
    for content, message in (
        ("x" * 32_768, "has 32,768 characters"),
        ("x," * 201, "200 columns"),
        ("x" * 200_000, "is not valid CSV"),
    ):
        (folder / "hero.csv").write_text(content, encoding="utf-8")
        assert message in refused(folder)[0]
        assert len(refused(folder)[0]) < 300


def test_a_message_about_long_words_stays_short(tmp_path):
    book = load_workbook(written("xlsx", tmp_path, "arena"))
    for row in range(2, 10):
        book["hero"].cell(row, 1, f"{row}" + "x" * 32_000)
    for row in range(2, 30):
        book["hero.ability"].cell(row, 1, "y" * 32_000)
    book.save(tmp_path / "cards.xlsx")
    lines = refused(tmp_path / "cards.xlsx")
    assert len("\n".join(lines)) <= MESSAGE_MAX
    assert lines[-1] == f"{tmp_path / 'cards.xlsx'}: and more, 28 problems in all"


def with_part(path, part, change):
    """Change a part of an .xlsx file."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts[part] = change(parts[part])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def test_another_workbook_is_refused(tmp_path):
    book = Workbook()
    book.active["A1"] = "shopping"
    book.save(tmp_path / "list.xlsx")
    assert any("sheet card_set: is missing" in line for line in refused(tmp_path / "list.xlsx"))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.slow
def test_commands_overwrite_nothing_and_leave_nothing_half_written(form, tmp_path):
    path = tmp_path / {"xlsx": "cards.xlsx", "csv": "sheets"}[form]
    done("cards", "arena", f"--{form}", path)
    assert "--force" in refusal("cards", "arena", f"--{form}", path)
    done("cards", "arena", f"--{form}", path, "--force")
    if form == "xlsx":
        edited(path, "hero", "C3", 99)
        assert "cell C3" in refusal("new", "arena", tmp_path / "mine", "--from", path)
        assert not (tmp_path / "mine").exists()
    done("new", "arena", tmp_path / "mine")
    before = (tmp_path / "mine" / "cards.toml").read_text()
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    done("cards", "arena", f"--{form}", path)
    assert "exists already" in refusal("new", "arena", tmp_path / "mine", "--from", path)
    assert (tmp_path / "mine" / "cards.toml").read_text() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted([path.name, "mine"])


@pytest.mark.slow
def test_wrong_options_are_refused(tmp_path):
    assert "leave the card and --fields out" in refusal("cards", "arena", "rhino_guy", "--xlsx", tmp_path / "cards.xlsx")
    assert "is written as .xlsx" in refusal("cards", "arena", "--xlsx", tmp_path / "cards.ods")
    assert "does not exist" in refusal("new", "arena", tmp_path / "mine", "--from", tmp_path / "none.xlsx")
    assert 'must be "riftborn"' in refusal("new", "riftborn", tmp_path / "mine", "--from", written("xlsx", tmp_path, "arena"))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([], "[]"),
        ([[]], "[],"),
        ([1, 2], "1, 2"),
        ([[1, 2], [3]], "[1, 2], [3]"),
        (["a", "RANGE(2)", "3", "true", "a, b", ""], 'a, RANGE(2), "3", "true", "a, b", ""'),
        ({"n": -2, "when": "hit", "deep": {"a b": [True]}}, '{n = -2, when = hit, deep = {"a b" = [true]}}'),
    ],
)
def test_the_notation_is_exact(value, text, coin_duel):
    notation = Notation(Schema(coin_duel))
    node = {"type": "array"} if isinstance(value, list) else {"type": "object"}
    assert notation.written(value, node) == text
    assert notation.read(text, node) == value


def test_the_notation_accepts_brackets_around_a_whole_list_and_quotes_texts(coin_duel):
    notation, numbers = Notation(Schema(coin_duel)), {"type": "array", "items": {"type": "integer"}}
    assert notation.read("[4, 5]", numbers) == [4, 5]
    assert notation.read(6, numbers) == [6]
    assert notation.read(2.0, {"type": "integer"}) == 2
    assert notation.written(2.0, {"type": "number"}) == "2.0"
    assert notation.read("2.0", {"type": "number"}) == 2.0
    with pytest.raises(ValueError, match="is a formula"):
        notation.read(Formula("=1"), numbers)
