"""Every chart form: its marks, inputs that it must accept, the same bytes for the same frame."""

from functools import cache

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text

import fairfight as ff
from analysis import charts
from analysis.answer import notebook
from analysis.answer.numbers import percent
from analysis.charts import render, style
from analysis.charts.intervals import forest
from analysis.charts.matrices import heatmap
from analysis.charts.style import pale
from analysis.winrates.rates import Matchups, pairs
from tests.analysis.report import frames
from tests.analysis.report.frames import FORMS, FRAMES
from tests.conftest import in_soak

HOSTILE = ("$5 $word", "<script>alert(1)</script>", "W" * 60, "\u4e2d\u6587 \U0001f409", "a\u202eb\u200b\x07c", "x^{2}_\\frac")
NAMED = ("forest", "heatmap", "stacked", "slope", "grid", "amounts", "curves", "gains", "ranked", "terms")
NAMED += ("dots", "strips", "halves", "twofold", "choices")


@pytest.fixture(scope="module")
def rates():
    return ff.winrates("arena", 112, policy="random", progress=False)


def parts(figure: Figure, gid: str) -> list:
    return figure.findobj(lambda artist: artist.get_gid() == gid)


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def dots(figure: Figure, gid: str) -> int:
    return sum(len(result.get_offsets()) for result in parts(figure, gid) if isinstance(result, PathCollection))


def outside(figure: Figure) -> list[str]:
    """Visible texts that are not entirely on the figure."""
    figure.draw_without_rendering()
    page = figure.bbox
    axis = [axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)]
    shown = [each for each in axis if each.axes.axison]
    drawn = {label for each in shown for tick in each._update_ticks() for label in (tick.label1, tick.label2)}
    ticks = {label for each in axis for tick in each.get_major_ticks() for label in (tick.label1, tick.label2)}
    lost = []
    for text in figure.findobj(Text):
        if text.get_text() and text.get_visible() and (text in drawn or text not in ticks):
            box = text.get_window_extent()
            if box.x0 < page.x0 - 1 or box.y0 < page.y0 - 1 or box.x1 > page.x1 + 1 or box.y1 > page.y1 + 1:
                lost.append(text.get_text())
    return lost


@cache
def drawn(form: str) -> Figure:
    """A form drawn with its frame, and with hostile names if it shows names; cached, so do not change it."""
    frame = FRAMES[form](HOSTILE) if form in NAMED else FRAMES[form]()
    return FORMS[form](frame)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.slow
def test_every_form_draws_its_frame_and_n_with_all_texts_on_the_figure(form):
    figure = drawn(form)
    assert outside(figure) == []
    assert any(mark in " ".join(words(figure)) for mark in ("n = ", "games", "cases"))


@pytest.mark.parametrize("form", NAMED)
@pytest.mark.slow
def test_hostile_names_are_text_without_control_characters(form):
    texts = words(drawn(form))
    assert any("$5 $word" in text for text in texts)  # not parsed as mathematics
    assert not any("\u202e" in text or "\x07" in text for text in texts)


def test_markup_in_names_is_no_markup_of_the_file():
    assert "<script" not in render.svg(drawn("dots"), "chart", "<b>&")


@pytest.mark.parametrize("form", [form if form == "bars" else in_soak(form) for form in FORMS])
@pytest.mark.slow
def test_the_same_frame_gives_the_same_bytes(form):
    first, second = (FORMS[form](FRAMES[form]()) for _ in range(2))
    assert render.svg(first, "a", "title") == render.svg(second, "a", "title")
    assert render.png(first) == render.png(second)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.slow
def test_an_empty_frame_is_reported_and_a_missing_column_is_named(form):
    frame = FRAMES[form]()
    assert any("No finished games" in text for text in words(FORMS[form](frame.iloc[:0])))
    column = {"board": "r", "dice": "exact", "dots": "estimate"}.get(form, "n")
    with pytest.raises(ValueError, match=f"{form}: the frame lacks the column\\(s\\) {column}; it has"):
        FORMS[form](frame.drop(columns=column))


ANSWERED = {  # chart -> the frame of an answer as it is
    "forest": lambda rates: rates.frame,
    "bars": lambda rates: rates["turn_order"],
    "heatmap": lambda rates: rates["pairs"],
}


@pytest.mark.slow
def test_charts_take_the_frames_of_answers(rates):
    for name, frame in ANSWERED.items():
        assert words(getattr(charts, name)(frame(rates))), name
    assert "Bow Master" in words(charts.forest(rates.frame))
    changed = ff.whatif("arena", ff.load("arena").set("hero.rhino_guy.move", 3), 112, policy="random", progress=False)
    assert len(parts(charts.dumbbell(changed.frame), "change")) == 1
    steps = ff.sensitivity("arena", "hero.rhino_guy.move", 2400, policy="random", progress=False)
    assert {"Rhino Guy: move", "\u2192\u202f1", "\u2192\u202f3"} <= {*words(charts.tornado(steps.frame))}
    with pytest.raises(ValueError, match=r"forest: the frame lacks the column\(s\) name, estimate.*; needed are seats, name"):
        charts.forest(changed["change"])


@pytest.mark.slow
def test_a_plot_has_a_title_and_a_size(rates):
    plain, titled = rates.plot(), rates.plot(title="My heroes", size=(6, 3))
    assert words(titled) == [*words(plain), "My heroes"]
    assert titled.get_size_inches().tolist() == pytest.approx([6, 3 + notebook.TITLE])
    tops = [max(axes.get_position().y1 for axes in figure.axes) for figure in (plain, titled)]
    assert tops[1] == pytest.approx(tops[0] * 3 / (3 + notebook.TITLE))


def test_charts_offers_only_charts():
    assert {*charts.__all__} == {*dir(charts)}
    assert {name for name in charts.__all__ if not callable(getattr(charts, name))} == set()


@pytest.mark.slow
def test_the_chart_style_and_the_matplotlib_defaults_do_not_affect_each_other():
    plain = render.svg(FORMS["bars"](frames.positions()), "a", "t")
    with mpl.rc_context({"font.size": 30, "axes.grid": True, "font.family": ["monospace"], "text.usetex": False}):
        before = dict(mpl.rcParams)
        assert render.svg(FORMS["bars"](frames.positions()), "a", "t") == plain
        assert dict(mpl.rcParams) == before


@pytest.mark.soak
@pytest.mark.parametrize("form", NAMED)
@pytest.mark.parametrize("number", [2, 20])
def test_two_entrants_and_twenty_fit_the_figure(form, number):
    if form in {"halves", "choices", "strips"}:
        number = min(number, 6)  # panels or rows by pair of names
    names = tuple(f"Entrant {place}" for place in range(number))
    assert outside(FORMS[form](FRAMES[form](names))) == []


def test_names_of_colours_have_these_colours_and_no_other_name_has():
    zones = ["knockback, green", "knockback, yellow", "knockback, red", "collision", "Thrown"]
    green, yellow, red, *others = style.hues(zones)
    assert (green, yellow, red) == (style.GREEN, style.NAMED_HUES["yellow"][0], style.RED)
    assert len({green, yellow, red, *others}) == 5
    assert not set(others) & {style.GREEN, style.YELLOW, style.AMBER, style.ORANGE}
    assert style.hues(["a", "b"]) == list(style.CATEGORIES[:2])
    assert style.hues(["evergreen", "b"]) == list(style.CATEGORIES[:2])
    assert len({str(hue) for hue in style.hues(["red, thrown", "red, pushed"])}) == 2
    figure = FORMS["stacked"](pd.DataFrame({"name": "A", "category": zones, "estimate": 0.2, "n": 100}))
    drawn = [to_hex(bar.get_facecolor()).upper() for bar in parts(figure, "segment")]
    assert drawn[:3] == [green, yellow, red]


def test_forest_for_a_phone_has_every_dot_and_rate_on_a_narrow_figure():
    frame = frames.rates()
    figure = forest(frame, narrow=True)
    assert dots(figure, "estimate") == len(frame)
    assert figure.get_figwidth() < 4.2
    for estimate in frame["estimate"]:
        assert percent(estimate) in words(figure)


def test_forest_names_the_ends_of_the_fair_band_of_each_number_of_seats():
    band = next(text for text in words(forest(frames.rates())) if text.startswith("pale"))
    assert band.replace("\u202f", " ") == "pale: fair band, 45 to 55 %, 30 to 36.7 %, 22.5 to 27.5 %"


@pytest.mark.slow
def test_forest_has_a_sorted_dot_and_interval_per_row_and_a_fair_line():
    frame = frames.rates()
    figure = forest(frame)
    assert dots(figure, "estimate") == len(frame) == 24
    assert sum(len(lines.get_segments()) for lines in parts(figure, "interval")) == 24
    centres = [float(np.mean(axes.get_xlim())) for axes in figure.axes]
    assert centres == pytest.approx([1 / 2, 1 / 3, 1 / 4])
    assert len({round(float(np.ptp(axes.get_xlim())), 9) for axes in figure.axes}) == 1
    assert len(parts(figure, "band")) == len(parts(figure, "fair")) == 3
    two = [text.get_text() for text in figure.findobj(Text) if text.get_text() in frames.NAMES][:8]
    assert two == list(frame[frame["seats"] == 2].sort_values("estimate", ascending=False)["name"])
    assert percent(frame["estimate"].max()) in words(figure)


def test_forest_accepts_rates_of_zero_and_one_and_entrants_without_games():
    frame = frames.rates(("A", "B", "C"), (2,))
    frame["estimate"], frame["low"], frame["high"] = [0.0, 1.0, np.nan], [0.0, 0.99, np.nan], [0.01, 1.0, np.nan]
    frame["n"] = [400, 400, 0]
    figure = forest(frame)
    assert dots(figure, "estimate") == 2
    assert "no games" in words(figure)
    ticks = figure.axes[0].get_xticks()
    assert ticks.min() >= 0
    assert ticks.max() <= 1


def test_heatmap_accepts_a_matchup_matrix():
    square = np.array([[np.nan, 0.6], [0.4, np.nan]])
    games = np.array([[0, 90], [90, 0]])
    matrix = Matchups(("A", "B"), square, square - 0.05, square + 0.05, games, square, square)
    frame = pairs(matrix)
    assert frame[["name", "opponent_name", "estimate", "n"]].to_numpy().tolist() == [["A", "B", 0.6, 90], ["B", "A", 0.4, 90]]
    assert len(parts(heatmap(frame), "cell")) == 2


@pytest.mark.slow
def test_heatmap_is_pale_exactly_where_the_interval_includes_even():
    frame = frames.matchups()
    figure = heatmap(frame)
    even = int(((frame["low"] <= 0.5) & (frame["high"] >= 0.5)).sum())
    assert even > 0
    assert len(parts(figure, "pale")) == even
    assert len(parts(figure, "cell")) == len(frame) - even
    assert len(parts(figure, "blank")) == 8
    assert len(parts(figure, "rate")) == len(parts(figure, "range")) == 56
    means = [float(text.get_text()) for text in parts(figure, "mean")]
    assert means == sorted(means, reverse=True)


@pytest.mark.slow
def test_heatmap_limits_are_fixed_and_rates_beyond_have_the_end_colour():
    def face(rate: float) -> tuple:
        rows = [("A", "B", rate, rate - 0.001, rate + 0.001, 9), ("B", "A", 1 - rate, 0.0, 0.0, 9)]
        figure = heatmap(pd.DataFrame(rows, columns=["name", "opponent_name", "estimate", "low", "high", "n"]))
        cells = parts(figure, "cell")
        return cells[0].get_facecolor() if rate > 0.5 else cells[-1].get_facecolor()

    assert face(0.8) == face(0.97) == face(1.0)
    assert face(0.6) != face(0.8)
    assert face(0.2) == face(0.02) == face(0.0)


@pytest.mark.slow
def test_heatmap_leaves_unplayed_pairs_blank():
    frame = frames.matchups()
    frame.loc[[0, 9], ["estimate", "low", "high"]] = np.nan
    frame.loc[[0, 9], "n"] = 0
    figure = heatmap(frame.drop(index=[3]))
    assert len(parts(figure, "blank")) == 8 + 3
    assert len(parts(figure, "rate")) == 53


def test_bars_start_at_zero_on_one_scale_and_colour_only_significant_ones():
    frame = frames.positions()
    figure = FORMS["bars"](frame)
    assert len(parts(figure, "bar")) == 9
    assert len(parts(figure, "fair")) == 3
    assert {axes.get_ylim() for axes in figure.axes} == {figure.axes[0].get_ylim()}
    assert figure.axes[0].get_ylim()[0] == 0
    sure = int(((frame["low"] > frame["fair"]) | (frame["high"] < frame["fair"])).sum())
    grey = pale(style.FAINT, 0.75)
    assert sum(to_rgb(bar.get_facecolor()) != pytest.approx(grey) for bar in parts(figure, "bar")) == sure
    assert {"1st", "2nd", "3rd", "4th"} <= set(words(figure))


def test_a_few_long_games_do_not_stretch_the_axes_of_turns():
    rows = [(seats, turn, min(turn, 20) / 20 - 0.02 * (turn < 400), 50) for seats in (2, 3) for turn in (*range(1, 21), 400)]
    frame = pd.DataFrame(rows, columns=["seats", "turns", "estimate", "n"])
    figure = FORMS["curves"](frame.assign(name="fall"))
    assert max(axes.get_xlim()[1] for axes in figure.axes) <= 21
    assert "95\u202f%" in " ".join(words(figure))


def test_stacked_shares_fill_the_bar_and_the_widest_interval_is_shown():
    frame = frames.causes()
    figure = FORMS["stacked"](frame)
    segments = parts(figure, "segment")
    assert len(segments) == len(frame) == 40
    assert sum(segment.get_width() for segment in segments) == pytest.approx(8)
    half = ((frame["high"] - frame["low"]) / 2).max()
    assert any(f"at most {100 * half:.1f} points" in text for text in words(figure))


@pytest.mark.slow
def test_stacked_keeps_the_order_given():
    frame = FRAMES["stacked"]().iloc[::-1]
    given = list(dict.fromkeys(frame["name"]))
    shown = [text for text in words(FORMS["stacked"](frame, order="given")) if text in given]
    assert shown == given
    assert [text for text in words(FORMS["stacked"](frame)) if text in given] != given


def test_stacked_bars_are_beside_their_names():
    estimates = [0.2, 0.8, 0.7, 0.3]
    frame = pd.DataFrame({"name": ["Ada", "Ada", "Bo", "Bo"], "category": ["won", "lost"] * 2, "estimate": estimates, "n": 10})
    figure = FORMS["stacked"](frame)
    assert [text for text in words(figure) if text in {"Ada", "Bo"}] == ["Bo", "Ada"]
    first = [segment for segment in parts(figure, "segment") if round(segment.get_y() + segment.get_height() / 2) == 0]
    assert [segment.get_width() for segment in first] == pytest.approx([0.7, 0.3])


@pytest.mark.slow
def test_board_draws_every_hex_and_its_shore():
    radius = 4
    figure = FORMS["board"](frames.hexes(radius))
    maps = [result for result in parts(figure, "hex") if isinstance(result, PolyCollection)]
    assert [len(result.get_paths()) for result in maps] == [61, 61]
    shores = [result for result in parts(figure, "shore") if isinstance(result, LineCollection)]
    assert [len(result.get_segments()) for result in shores] == [6 * (2 * radius + 1)] * 2
    assert len(parts(figure, "figure")) == 122


def test_board_r_increases_downwards_and_a_hole_has_a_shore():
    frame = frames.hexes(2).query("panel == 'Fell from'")
    figure = FORMS["board"](frame[(frame["q"] != 0) | (frame["r"] != 0)])
    axes = figure.axes[0]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]
    (shore,) = (result for result in parts(figure, "shore") if isinstance(result, LineCollection))
    assert len(shore.get_segments()) == 6 * (2 * 2 + 1) + 6


@pytest.mark.slow
def test_tornado_pairs_bars_largest_first_and_pale_where_no_change_is_possible():
    frame = frames.steps()
    figure = FORMS["tornado"](frame)
    sure = int(((frame["low"] > 0) | (frame["high"] < 0)).sum())
    assert len(parts(figure, "bar")) == sure
    assert len(parts(figure, "pale")) == len(frame) - sure > 0
    assert all(sum(axes.get_xlim()) == pytest.approx(0) for axes in figure.axes)
    first = figure.axes[0].patches[0]
    assert abs(first.get_width()) == pytest.approx(frame["change"][frame["step"] == -1].abs().max())


def test_tornado_writes_whole_numbers_whole_where_a_number_lacks_a_step():
    steps = frames.steps().drop(columns="value", errors="ignore")
    steps["value"] = np.arange(len(steps))
    figure = FORMS["tornado"](steps.drop(index=steps.index[steps["step"] == 1][0]))
    labels = [text for text in words(figure) if text.startswith("\u2192")]
    assert len(labels) > 3
    assert not [label for label in labels if "." in label]


@pytest.mark.slow
def test_tornado_and_slope_colour_rows_marked_sure_regardless_of_the_interval():
    steps = frames.steps()
    steps["sure"] = steps.index == 3
    figure = FORMS["tornado"](steps)
    assert len(parts(figure, "bar")) == 1
    assert any("pale: may be chance" in text for text in words(figure))
    readings = frames.variants()
    readings["change"], readings["change_low"], readings["change_high"] = 0.001, 0.0005, 0.0015
    readings["sure"] = (readings["variant"] != "default") & (readings["name"] == readings["name"].iloc[0])
    coloured = [line for line in parts(FORMS["slope"](readings), "line") if line.get_color() == style.STRONG]
    assert len(coloured) == 5


@pytest.mark.slow
def test_slope_highlights_sure_changes_against_the_default():
    frame = frames.variants()
    figure = FORMS["slope"](frame)
    assert len(parts(figure, "line")) == 5 * 8
    assert len(parts(figure, "default")) == 5
    assert len(parts(figure, "label")) == len(parts(figure, "change")) == 40
    coloured = [line for line in parts(figure, "line") if line.get_color() in (style.STRONG, style.WEAK)]
    default = frame[frame["variant"] == "default"].set_index("name")
    others = frame[frame["variant"] != "default"]
    start = default.loc[others["name"]]
    apart = (others["low"].to_numpy() > start["high"].to_numpy()) | (others["high"].to_numpy() < start["low"].to_numpy())
    assert len(coloured) == apart.sum() > 0


@pytest.mark.slow
def test_slope_uses_the_interval_of_the_paired_change():
    frame = frames.variants()
    frame["change"], frame["change_low"], frame["change_high"] = 0.001, 0.0005, 0.0015
    figure = FORMS["slope"](frame)
    assert all(line.get_color() == style.STRONG for line in parts(figure, "line"))


def test_slope_refuses_an_unknown_default():
    with pytest.raises(ValueError, match="slope: default='nope' is not among the variants default, A02"):
        FORMS["slope"](frames.variants(), default="nope")


@pytest.mark.slow
def test_dice_has_a_panel_per_cell_and_marks_a_significant_z():
    frame = frames.pools()
    frame.loc[(frame["row"] == "Attack 3 dice") & (frame["column"] == "Defence 0"), "z"] = -7.3
    figure = FORMS["dice"](frame)
    assert len(figure.axes) == 16
    assert len(parts(figure, "exact")) == dots(figure, "simulated") == len(frame)
    bold = [text.get_text() for text in parts(figure, "z") if text.get_fontweight() == "bold"]
    assert len(bold) == 1
    assert bold[0].endswith("z \u22127.3")
