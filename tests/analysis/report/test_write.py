"""Files of a report: reproducible bytes, safe cells, a clear message when nothing can be written."""

import csv
import io
import json
import os
import re

import pytest

from analysis.answer.files import ReportError, check_folder
from analysis.answer.model import DrawnChart, Section
from analysis.answer.numbers import as_shown, glue
from analysis.answer.page import Fact, Finding, Page
from analysis.answer.tables import Table, csv_of, defused, numeric
from analysis.charts.style import Sheet
from analysis.report.enough import TOO_FEW
from analysis.report.links import CHANGE
from analysis.report.write import entry_of, remove_page, with_proposal, write_index, write_report

NAN = float("nan")


def chart(name: str = "one") -> DrawnChart:
    sheet = Sheet(2, 1)
    sheet.text(0.2, 0.5, "a <b> & c")
    return DrawnChart(name, sheet.figure, "A caption", 'What "it" shows <b>')


def page(**changes) -> Page:
    table = Table("t", ("name", "rate"), (("=cmd()", 0.5), ("b", NAN)), "Rates", {"rate": "percent"})
    section = Section("wins", "Who wins?", "All do: 50 % each.", (chart(),), (table,), "A note.")
    fields = {
        "title": "Duel",
        "subtitle": "Two seats",
        "game": "duel",
        "headline": (Finding("Nobody is too strong.", "fair"),),
        "sections": (section,),
        "facts": (Fact("Command", "fairfight report duel", code=True),),
    }
    return Page(**{**fields, **changes})


def test_a_page_is_one_html_file_with_charts_tables_and_numbers_beside_it(tmp_path):
    path = write_report(page(), tmp_path)
    assert path == tmp_path / "duel" / "index.html"
    files = sorted(str(each.relative_to(tmp_path / "duel")) for each in (tmp_path / "duel").rglob("*") if each.is_file())
    assert files == ["charts/one.svg", "index.html", "report.json", "tables/t.csv"]
    assert (tmp_path / "duel/charts/one.svg").read_text().startswith("<?xml")


def test_a_chart_with_a_narrow_variant_has_both_on_the_page_and_one_file(tmp_path):
    both = DrawnChart("one", Sheet(7, 1).figure, "A caption", "What it shows", Sheet(3, 1).figure)
    html = write_report(page(sections=(Section("wins", "Who wins?", "All.", (both,)),)), tmp_path).read_text()
    assert html.count('<svg xmlns="http://www.w3.org/2000/svg"') == 2
    assert 'id="chart-one"' in html
    assert 'id="narrow-one"' in html
    assert 'class="card phone"' in html
    assert 'class="scroller desk"' in html
    assert [path.name for path in (tmp_path / "duel/charts").glob("*.svg")] == ["one.svg"]


def test_a_table_without_rows_is_not_on_the_page(tmp_path):
    tables = (Table("none", ("name",), (), "Nothing"), Table("one", ("name",), (("a",),), "Something"))
    html = write_report(page(sections=(Section("wins", "Who wins?", "All.", tables=tables),)), tmp_path).read_text()
    assert "Something" in html
    assert "Nothing" not in html


def test_a_section_shows_its_sentence_and_first_chart_and_folds_the_rest(tmp_path):
    tables = (Table("one", ("name",), (("a",),), "Something"),)
    section = Section("wins", "Who wins?", "All.", (chart("one"), chart("two")), tables, "A note.", chapter="Unfair")
    html = write_report(page(sections=(section,)), tmp_path).read_text()
    open_, folded = html.split('<section id="wins"')[1].split("</section>")[0].split('<details class="fold">')
    assert 'id="chart-one"' in open_
    assert not any(part in open_ for part in ('id="chart-two"', "A note.", "Something"))
    assert all(part in folded for part in ('id="chart-two"', "A note.", "Something", "More charts and numbers"))
    assert 'class="chapter"' not in html


def test_the_first_page_has_the_proposal_for_a_change_after_its_first_finding():
    found = (
        Finding("Not fair.", "verdict"),
        Finding("Pike is too strong.", "strong", "fairfight explain duel pike"),
        Finding("Open.", "open"),
    )
    first, proposal = page(headline=found), Finding("Change Pike: life from 3 to 2.", "note", "fairfight tune duel")
    change = page(part=CHANGE, headline=(proposal, Finding("Another.")))
    texts = [finding.text for finding in with_proposal(first, [change, page(part="appendix")]).headline]
    assert texts == ["Not fair.", "Pike is too strong.", proposal.text, "Open."]
    assert with_proposal(first, []) == first
    assert with_proposal(first, [page(part=CHANGE, headline=(Finding(TOO_FEW),))]) == first
    itself = page(headline=(*found, Finding("Life from 3 to 2 makes Pike fair.", "fair", "fairfight whatif duel --set life=2")))
    assert with_proposal(itself, [change]) == itself


def test_a_finding_shows_its_command_as_text_to_copy(tmp_path):
    finding = Finding("Pike is too strong.", "strong", "fairfight explain duel pike --cards 'a<b>'")
    html = write_report(page(headline=(finding,)), tmp_path).read_text()
    code = re.search(r'<code class="command">(.*?)</code>', html)
    assert re.sub("</?span>", "", code[1]) == "fairfight explain duel pike --cards &#39;a&lt;b&gt;&#39;"


def test_an_appendix_groups_its_sections_by_chapter_and_folds_them_below_their_sentences(tmp_path):
    sections = [Section(f"s{place}", "Q?", "A.", chapter=chapter) for place, chapter in enumerate(("Unfair", "Unfair", "Why"))]
    html = write_report(page(sections=tuple(sections), folded=True), tmp_path).read_text()
    assert html.count('<span class="answer">A.</span></summary>') == 3
    assert re.findall(r'<(?:h2|li) class="chapter">(\w+)<', html) == ["Unfair", "Why"] * 2
    assert html.count("<h3 id=") == 3
    numbers = json.loads((tmp_path / "duel/report.json").read_text())
    assert [section["chapter"] for section in numbers["sections"]] == ["Unfair", "Unfair", "Why"]


def test_the_same_page_gives_the_same_bytes(tmp_path):
    for folder in ("a", "b"):
        write_report(page(), tmp_path / folder)
    for path in (tmp_path / "a").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "b" / path.relative_to(tmp_path / "a")).read_bytes()


def test_html_refers_to_nothing_outside_and_has_the_security_policy(tmp_path):
    html = write_report(page(), tmp_path).read_text()
    assert "default-src 'none'" in html
    links = re.findall(r'(?:href|src)="([^"#][^"]*)"', html)
    assert set(links) == {"data:,", "../index.html", "charts/one.svg", "tables/t.csv", "report.json"}
    assert not re.search(r"@import|url\((?!#)", html)


def test_words_in_html_are_text(tmp_path):
    hostile = "<img src=x onerror=alert(1)>"
    section = Section("s", hostile, hostile, (), (Table("t", (hostile,), ((hostile,),), hostile),), hostile)
    headline = (Finding(hostile),)
    changed = page(title=hostile, subtitle=hostile, headline=headline, sections=(section,), facts=(Fact("x", hostile),))
    html = write_report(changed, tmp_path).read_text()
    assert "<img" not in html
    assert "&lt;img" in html
    index = write_index(tmp_path, [entry_of(changed, tmp_path)]).read_text()
    assert "<img" not in index


def test_json_holds_the_numbers_and_null_for_unknown_ones(tmp_path):
    write_report(page(), tmp_path)
    report = json.loads((tmp_path / "duel/report.json").read_text())
    (table,) = report["sections"][0]["tables"]
    assert table["rows"] == [{"name": "=cmd()", "rate": 0.5}, {"name": "b", "rate": None}]
    assert report["headline"] == [{"text": "Nobody is too strong.", "tone": "fair", "command": ""}]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx"])
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text):
    rows = list(csv.reader(io.StringIO(csv_of(Table("t", (text, "n"), ((text, -1.5),))))))
    assert rows == [["'" + text, "n"], ["'" + text, "-1.5"]]


def test_csv_keeps_every_digit():
    assert [defused(cell) for cell in (0.1, -3, True, None, NAN, "x")] == [0.1, -3, True, "", "", "x"]
    assert "0.30000000000000004" in csv_of(Table("t", ("a",), ((0.1 + 0.2,),)))


def test_cells_are_formatted_for_reading():
    assert as_shown(0.5123, "percent") == "51.2\u202f%"
    assert as_shown(-0.0123, "points") == "\u22121.2"
    assert as_shown(12345) == "12,345"
    assert as_shown(0.00001, "p") == "< 0.0001"
    assert as_shown(0.25, "p") == "0.2500"
    assert as_shown(True) == "yes"
    assert as_shown(None) == as_shown(NAN) == "\u2013"
    assert as_shown(float("-inf")) == "\u2212\u221e"
    assert glue("50 % of 3") == "50\u202f% of 3"


def test_a_column_of_numbers_and_gaps_is_numeric_and_one_of_words_is_not():
    table = Table("t", ("a", "b", "c"), ((1, "x", None), (NAN, 2, None)))
    assert numeric(table) == [True, False, False]


def test_a_row_of_the_wrong_length_is_refused():
    with pytest.raises(ValueError, match="table t: row 1 has 1 cells for 2 columns"):
        Table("t", ("a", "b"), ((1, 2), (3,)))


def test_duplicate_ids_are_refused(tmp_path):
    section = Section("s", "Q?", "A.", (chart("same"), chart("same")))
    with pytest.raises(ValueError, match="two charts of the page have the id same"):
        write_report(page(sections=(section,)), tmp_path)
    with pytest.raises(ValueError, match="two sections of the page have the id about"):
        write_report(page(sections=(Section("about", "Q?", "A."),)), tmp_path)


@pytest.mark.parametrize("game", ["../up", "", "A B", "a/b", ".hidden"])
def test_a_name_that_cannot_be_a_folder_is_refused(tmp_path, game):
    with pytest.raises(ValueError, match="game="):
        write_report(page(game=game), tmp_path)


def test_a_folder_that_cannot_be_created_is_reported_in_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ReportError) as caught:
        check_folder(tmp_path / "file" / "reports")
    assert "no file can be written here" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_reported(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(ReportError, match="permission denied"):
        check_folder(tmp_path / "reports")


def test_a_failed_write_leaves_the_old_file_and_no_partial_one(tmp_path, monkeypatch):
    path = write_report(page(), tmp_path)
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(ReportError, match="no space left on device"):
        write_report(page(title="Other"), tmp_path)
    assert path.read_bytes() == before
    assert not list(tmp_path.rglob("*.part"))


def test_a_page_that_a_later_report_does_not_have_is_removed_with_its_files_alone(tmp_path):
    home = write_report(page(part=CHANGE), tmp_path).parent
    first = write_report(page(), tmp_path)
    remove_page(home, "another game")
    assert (home / "index.html").exists()
    remove_page(home, "duel")
    assert not home.exists()
    remove_page(home, "duel")
    write_report(page(part=CHANGE), tmp_path)
    (home / "charts/mine.svg").write_text("")
    remove_page(home, "duel")
    assert [str(file.relative_to(home)) for file in home.rglob("*") if file.is_file()] == ["charts/mine.svg"]
    (home / "report.json").write_text('{"game": "duel", "sections": [{"charts": [{"id": "../../index"}]}]}')
    remove_page(home, "duel")
    assert (home / "report.json").exists()
    assert first.exists()


def test_the_index_links_to_every_page_with_its_headline(tmp_path):
    html = write_index(tmp_path, [entry_of(page(), tmp_path), entry_of(page(game="other", title="Other"), tmp_path)]).read_text()
    assert 'href="duel/index.html"' in html
    assert 'href="other/index.html"' in html
    assert html.count("Nobody is too strong.") == 2
    assert "No reports yet" in write_index(tmp_path, []).read_text()
