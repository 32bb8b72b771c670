"""Texts of card files stay plain text in all output: pages, charts, CSV, JSON, the terminal."""

import csv
import io
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console
from typer.testing import CliRunner

from analysis.answer import tables
from analysis.answer.tables import Table
from analysis.cli.main import app
from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.output import terminal
from analysis.report.write import write_reports
from sim.engine.policies import PolicySpec
from sim.registry import GAMES
from tests.analysis.report.budgets import FEW
from tests.conftest import ROOT
from tests.safety.form import tiny_games
from tests.safety.hostile import IDS, NAMES, TITLE, card_folder, listing

HTML_TAGS = {
    *("html", "head", "meta", "link", "title", "style", "body", "header", "main", "nav", "section", "article", "aside", "script"),
    *("h1", "h2", "h3", "p", "a", "span", "div", "ul", "ol", "li", "dl", "dt", "dd", "pre", "code", "button", "img"),
    *("figure", "figcaption", "details", "summary", "table", "thead", "tbody", "tr", "th", "td"),
}
SVG_TAGS = {"svg", "g", "path", "use", "defs", "clipPath", "rect", "style", "title", "image"}
REFERENCE = re.compile(r"#|data:image/png;base64,|data:,$|[\w./-]+$")  # within the page, or to a file beside it
SVG = "data:image/svg+xml;base64,"
OBEYED = "a\x1b[31mb\x9b2Jc\x07d\u202ee\u2028f\udc80g"  # characters that control a terminal, or cannot be encoded
AS_TEXT = "a\\x1b[31mb\\x9b2Jc\\x07d\\u202ee\\u2028f\\udc80g"
MARKUP = "[red]:boom:[/] [link=http://x]\\"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the hostile cards, a file beside them, and a folder with reports on them."""
    place = tmp_path_factory.mktemp("hostile")
    card_folder(place / "cards")
    (place / "beside.txt").write_text("kept", encoding="utf-8")
    with tiny_games():
        game, budget = GAMES["coin_duel"], Budget(**FEW, games=2_000, step_games=12, variant_games=12, replays=2)
        write_reports([Study(game, game.load(place / "cards"), PolicySpec.parse("random"), 1, budget, 1)], place / "reports")
    return place


@pytest.fixture(scope="module")
def cards(place: Path) -> Path:
    return place / "cards"


@pytest.fixture(scope="module")
def written(place: Path) -> Path:
    return place / "reports"


@pytest.mark.slow
def test_all_files_of_the_reports_are_in_their_folder_and_none_is_named_after_a_card(place: Path):
    assert {path.name for path in place.iterdir()} == {"cards", "beside.txt", "reports"}
    assert {path.name for path in (place / "reports").iterdir()} == {"coin_duel", "index.html"}
    assert (place / "beside.txt").read_text(encoding="utf-8") == "kept"
    assert listing(place / "cards") == {"cards.toml"}
    assert not {Path(path).stem for path in listing(place / "reports")} & set(IDS)


class Page(HTMLParser):
    """A page as a browser parses it: tags, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.scripts: list[str] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        if self.lasttag == "script" and self.cdata_elem:
            self.scripts.append(data)
        self.words += data


@pytest.mark.parametrize(
    "name", ["index.html", "coin_duel/index.html", "coin_duel/what-to-change/index.html", "coin_duel/appendix/index.html"]
)
@pytest.mark.slow
def test_a_page_has_no_tag_attribute_or_script_from_a_card_file(written: Path, name: str):
    page = Page((written / name).read_text(encoding="utf-8"))
    assert set(page.tags) <= HTML_TAGS | {tag.lower() for tag in SVG_TAGS}
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    linked = [value for name, value in page.attributes if name in {"href", "src", "xlink:href", "action"}]
    pictures = [value for name, value in page.attributes if name == "src" and value.startswith(SVG)]  # run no scripts
    assert not [value for value in linked if not REFERENCE.match(value) and value not in pictures]
    own = (ROOT / "analysis" / "report" / "templates" / "table.js").read_text(encoding="utf-8")
    assert "".join(page.scripts).strip() == (own.strip() if "/" in name else "")


def test_a_page_shows_the_names_as_in_the_file(written: Path):
    page = Page((written / "coin_duel" / "index.html").read_text(encoding="utf-8"))
    assert all(name in page.words for name in NAMES)
    assert TITLE in page.words


def test_charts_are_drawings_and_nothing_else(written: Path):
    charts = sorted((written / "coin_duel" / "charts").glob("*.svg"))
    assert charts
    for chart in charts:
        for element in ET.parse(chart).iter():
            assert element.tag.rpartition("}")[2] in SVG_TAGS, chart.name
            keys = [key.rpartition("}")[2] for key in element.attrib]
            assert not [key for key in keys if key.startswith("on")]
            references = [value for key, value in element.attrib.items() if key.endswith("href")]
            assert all(value.startswith(("#", "data:image/png;base64,")) for value in references)


def formulas(text: str) -> list[str]:
    """Cells of a CSV file that a spreadsheet would evaluate."""
    found = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    return [cell for cell in found if cell.lstrip()[:1] in set("=+-@\t\r\uff1d\uff0b\uff0d\uff20") and not number(cell)]


def number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return not cell.strip()
    return True


def test_tables_hold_no_formula(written: Path):
    tables = sorted((written / "coin_duel" / "tables").glob("*.csv"))
    assert tables
    whole = "".join(table.read_text(encoding="utf-8") for table in tables)
    assert not [cell for table in tables for cell in formulas(table.read_text(encoding="utf-8"))]
    assert all(f"'{name}" in whole.replace('""', '"') for name in NAMES if name[0] in "=+-@")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", " =", "\uff1d", "\u00a0+", "\t @"])
def test_text_that_could_be_a_formula_gets_an_apostrophe(start: str):
    assert tables.defused(f"{start}1+1") == f"'{start}1+1"


def test_the_numbers_of_a_page_are_json_with_unchanged_names(written: Path):
    told = json.dumps(json.loads((written / "coin_duel" / "report.json").read_text(encoding="utf-8")))
    assert all(json.dumps(name)[1:-1] in told for name in NAMES)


# the terminal


@pytest.fixture
def registered() -> Iterator[None]:
    with tiny_games():
        yield


def fairfight(*arguments: object) -> str:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.usefixtures("registered")
def test_commands_show_the_names_as_in_the_file(cards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "400")  # no name is broken
    shown = fairfight("cards", "coin_duel", "--cards", cards)
    assert all(name in shown for name in NAMES)
    file = tmp_path / "rates.csv"
    options = ("--cards", cards, "--policy", "random", "--games", "64", "--csv", file)
    shown = fairfight("winrates", "coin_duel", *options, "--all")
    assert all(name in shown for name in NAMES)
    assert formulas(file.read_text(encoding="utf-8")) == []
    told = json.loads(fairfight("winrates", "coin_duel", *options[:-2], "--json"))
    assert all(json.dumps(name) in json.dumps(told) for name in NAMES)


SCENE = """
game = "coin_duel"
title = {title}
do = ["fold"]
[position]
fighters = ["pike", "needle"]
hands = [2, 5]
"""


@pytest.mark.usefixtures("registered")
def test_a_scenarios_title_cannot_control_the_terminal(tmp_path: Path):
    file = tmp_path / "scene.toml"
    file.write_text(SCENE.format(title=json.dumps(OBEYED.replace("\udc80", ""))), encoding="utf-8")
    shown = fairfight("scenario", file)
    assert shown.startswith(AS_TEXT.replace("\\udc80", "") + "\n")


def test_lines_and_json_reach_the_terminal_as_text(capsys: pytest.CaptureFixture[str]):
    terminal.say(f"{OBEYED} {MARKUP} \u00e9\U0001f409\tx")
    assert capsys.readouterr().out == f"{AS_TEXT} {MARKUP} \u00e9\U0001f409\tx\n"
    terminal.print_json({OBEYED: [OBEYED, "\u00e9"]})
    out = capsys.readouterr().out
    assert json.loads(out) == {OBEYED: [OBEYED, "\u00e9"]}
    assert all(letter.isprintable() or letter == "\n" for letter in out)
    assert "\u00e9" in out


def test_tables_reach_the_terminal_as_text(capsys: pytest.CaptureFixture[str]):
    terminal.print_table(Table("t", (f"{OBEYED} {MARKUP}", "n"), ((f"{MARKUP} {OBEYED}", 1),), f"{OBEYED} {MARKUP}"))
    out = capsys.readouterr().out
    assert out.count(AS_TEXT) == 3
    assert out.count(MARKUP) == 3
    assert all(letter.isprintable() or letter == "\n" for letter in out)


def test_messages_reach_the_terminal_as_text(monkeypatch: pytest.MonkeyPatch):
    heard = io.StringIO()
    monkeypatch.setattr(terminal, "errors", Console(file=heard, highlight=False, emoji=False, width=200))
    terminal.note(f"{OBEYED} {MARKUP}")
    with pytest.raises(Exception, match="2"):
        terminal.fail(f"{OBEYED} {MARKUP}")
    assert heard.getvalue() == f"{AS_TEXT} {MARKUP}\nerror: {AS_TEXT} {MARKUP}\n"


def test_progress_reaches_the_terminal_as_text(monkeypatch: pytest.MonkeyPatch):
    heard = io.StringIO()
    monkeypatch.setattr(terminal, "errors", Console(file=heard, force_terminal=True, emoji=False, width=200))
    monkeypatch.setattr(terminal, "QUIET_SECONDS", 0.0)
    with terminal.Ticker() as ticker:
        ticker(f"{OBEYED} {MARKUP}", 1, 2)
    assert f"{AS_TEXT} {MARKUP}" in heard.getvalue()
