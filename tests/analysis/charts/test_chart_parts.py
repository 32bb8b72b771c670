"""Parts shared by all charts: SVGs that can share a page, text that fits, labels that do not overlap."""

import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from matplotlib.text import Text

from analysis.answer.model import Notice
from analysis.answer.numbers import count, counted, number, percent, points
from analysis.charts import dots, render, style
from analysis.charts.style import Box, beside, clean, fit, leader, spread, width_of
from tests.analysis.report import frames
from tests.analysis.report.frames import FORMS


@pytest.mark.slow
def test_svg_ids_start_with_the_name_so_that_charts_can_share_a_page():
    first, second = (render.svg(FORMS["board"](frames.hexes(1)), name, "t") for name in ("first", "second"))
    ids = [set(pd.Series([first, second]).str.findall(r'\bid="([^"]+)"')[index]) for index in range(2)]
    assert all(each.startswith("first") for each in ids[0])
    assert not ids[0] & ids[1]
    for svg, own_ids in ((first, ids[0]), (second, ids[1])):
        used = set(pd.Series([svg]).str.findall(r'(?:href="#|url\(#)([^")]+)')[0])
        assert used <= own_ids
    assert 'role="img"' in first
    assert "<title" in first


@pytest.mark.slow
def test_svg_has_no_date_no_creator_and_no_external_reference():
    svg = render.svg(FORMS["forest"](frames.rates(seats=(2,))), "chart", "t")
    assert "metadata" not in svg
    assert "matplotlib" not in svg
    links = pd.Series([svg]).str.findall(r'(?:href|src)="(?!#)')[0]
    assert links == []


@pytest.mark.slow
def test_charts_of_a_page_share_letters_and_words_and_lose_none_but_blanks():
    charts = [render.svg(FORMS["forest"](frames.rates(seats=(2,))), name, "t") for name in ("first", "second")]
    common, short = render.shared(charts)
    outlines, words = set(re.findall(r'<path id="(l[^"]*)"', common)), dict(re.findall(r'<g id="(w-\d+)">(.*?)</g>', common))
    assert words
    for chart, without in zip(charts, short, strict=True):
        spelled = re.sub(r'<use href="#(w-\d+)"/>', lambda found: words[found[1]], without)
        letters = re.findall(r'<use href="#(l[^"]*)"((?: [xy]="[^"]*")*)/>', spelled)
        own = re.findall(r'<use href="#[^"]*?-DejaVuSans(-\w+)?-(\w+)"((?: [xy]="[^"]*")*)/>', chart)
        named = [(f"l{weight.lower()}-{code}", place) for weight, code, place in own]
        assert letters == [letter for letter in named if letter[0] in outlines]
        assert {name for name, _ in named if name not in outlines} == {"l-3", "l-bold-3", "l-b11"}  # blanks, wide and narrow
        assert len(without) < len(chart) / 3


def test_clean_makes_a_single_line_that_the_font_can_draw():
    assert clean("  a\n b\t") == "a b"
    assert clean("a\u202e\u200b\x07") == "a"
    assert clean("$5 $word") == "$5 $word"


@pytest.fixture
def fonts(monkeypatch):
    """Set the installed fonts that have characters which the usual one lacks."""

    def install(fonts: dict[int, str]) -> None:
        monkeypatch.setattr(style, "_other_fonts", lambda: fonts)
        for cached in (clean, width_of):
            cached.cache_clear()
        style.undrawn.clear()

    yield install
    install({})


def test_f13_a_name_in_another_script_is_drawn_in_a_font_that_has_it(fonts):
    fonts({0x24B6: "STIXGeneral"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of a missing character
        figure = dots(dots_frame("\u24b6 Ork"))
        render.png(figure)
    families = {text.get_text(): text.get_fontfamily() for text in figure.findobj(Text)}
    assert families["\u24b6 Ork"] == ["DejaVu Sans", "STIXGeneral"]
    assert families["0.50"] == ["DejaVu Sans"]


def test_f13_names_that_no_font_can_draw_show_code_points_and_one_note_names_them(fonts):
    fonts({})
    with pytest.warns(Notice, match="no installed font can draw \u6b66\u58eb; charts show the code points"):
        figure = dots(dots_frame("\u6b66\u58eb"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dots(dots_frame("\u6b66\u58eb"))
    assert "\u20396b66 58eb\u203a" in {text.get_text() for text in figure.findobj(Text)}


def test_f13_a_font_that_was_installed_after_the_first_chart_is_used(tmp_path, monkeypatch):
    """The note asks for such a font; matplotlib lists the installed ones only once."""
    write_font(tmp_path / "han.ttf", "Test Han", "\u6b66\u58eb")
    monkeypatch.setattr(style.fontManager, "ttflist", [*style.fontManager.ttflist])
    monkeypatch.setattr(style, "findSystemFonts", lambda: [str(tmp_path / "han.ttf"), str(tmp_path / "none.ttf")])
    monkeypatch.setattr(style, "OTHER_FONTS", ("Test Han",))
    caches = (clean, width_of, style._other_fonts, style._has, style._face)
    for cached in caches:
        cached.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = dots(dots_frame("\u6b66\u58eb Ork"))
        render.png(figure)
    for cached in caches:
        cached.cache_clear()
    families = {text.get_text(): text.get_fontfamily() for text in figure.findobj(Text)}
    assert families["\u6b66\u58eb Ork"] == ["DejaVu Sans", "Test Han"]


def write_font(path: Path, family: str, marks: str) -> None:
    """Write a font that draws a triangle for each of these characters."""
    names = {ord(mark): f"u{ord(mark):04x}" for mark in marks}
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    pen.lineTo((0, 700))
    pen.lineTo((700, 700))
    pen.closePath()
    font = FontBuilder(unitsPerEm=1000, isTTF=True)
    font.setupGlyphOrder([".notdef", *names.values()])
    font.setupCharacterMap(names)
    font.setupGlyf(dict.fromkeys([".notdef", *names.values()], pen.glyph()))
    font.setupHorizontalMetrics(dict.fromkeys([".notdef", *names.values()], (800, 0)))
    font.setupHorizontalHeader(ascent=800, descent=-200)
    font.setupNameTable({"familyName": family, "styleName": "Regular"})
    font.setupOS2()
    font.setupPost()
    font.save(path)


def dots_frame(name: str) -> pd.DataFrame:
    return pd.DataFrame({"name": [name], "estimate": [0.5], "low": [0.4], "high": [0.6], "n": [100], "panel": [""]})


def test_fit_shortens_only_text_wider_than_the_width():
    assert fit("Amber Fox", 2.0, 8.5) == "Amber Fox"
    short = fit("W" * 60, 1.0, 8.5)
    assert short.endswith("\u2026")
    assert 0.9 < width_of(short, 8.5) <= 1.0
    assert fit("W" * 60, 0.0, 8.5) == "\u2026"


def test_numbers_are_formatted_alike_everywhere():
    assert percent(0.5234) == "52.3\u202f%"
    assert percent(float("nan")) == "\u2013"
    assert points(-0.0304) == "\u22123.0"
    assert points(0.0304) == "+3.0"
    assert points(0.0004) == "0.0"
    assert count(1234567) == "1,234,567"
    assert counted([5, 5]) == "n = 5"
    assert counted([5, float("nan"), 9]) == "n = 5\u20139"
    assert counted([]) == "n = 0"
    assert number(0.12345) == "0.123"
    assert number(-2.0) == "\u22122"


def test_spread_keeps_labels_apart_inside_and_in_order():
    generator = np.random.default_rng(3)
    for size in (1, 2, 5, 12, 30):
        wanted = generator.uniform(-0.2, 1.2, size)
        placed = spread(wanted, 0.08, 0.0, 1.0)
        gap = min(0.08, 1 / max(1, size - 1))
        assert (np.argsort(placed, kind="stable") == np.argsort(wanted, kind="stable")).all()
        assert placed.min() >= -1e-9
        assert placed.max() <= 1 + 1e-9
        if size > 1:
            assert np.diff(np.sort(placed)).min() >= gap - 1e-9


def test_spread_leaves_labels_that_have_room():
    assert spread(np.array([0.9, 0.1, 0.5]), 0.1, 0, 1) == pytest.approx([0.9, 0.1, 0.5])
    assert spread(np.array([0.5, 0.5]), 0.2, 0, 1) == pytest.approx([0.4, 0.6])


def test_beside_returns_no_place_if_there_is_none():
    assert beside((0.5, 0.5), (0.4, 0.1), [Box(0, 0, 1, 1)], (1, 1)) is None
    assert beside((0.1, 0.5), (0.4, 0.1), [], (1, 1)).left > 0.1


def test_a_leader_is_drawn_only_to_a_distant_label():
    assert leader((0.5, 0.5), Box(0.57, 0.45, 0.9, 0.55)) == []
    line = leader((0.5, 0.5), Box(0.8, 0.45, 1.2, 0.55))
    assert line
    assert all(0.5 < (spot.left + spot.right) / 2 < 0.8 for spot in line)
