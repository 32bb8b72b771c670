"""The chart forms of leads, growth, going first and lengths: their marks and the inputs that they must accept."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from analysis.charts import FORMS, style
from tests.analysis.charts.test_charts import dots, outside, parts, words
from tests.analysis.report import lead_frames as frames

LEADS, SURFACE, GROWTH, HALVES, LENGTHS = (FORMS[name] for name in ("leads", "surface", "growth", "halves", "lengths"))


def test_leads_have_a_line_per_turn_and_a_band_and_dots_of_the_main_one():
    figure = LEADS(frames.fits(), main="own turn 5", dots=frames.bins())
    lines = parts(figure, "line")
    assert len(lines) == 4
    strong = [line for line in lines if to_rgb(line.get_color()) == to_rgb(style.STRONG)]
    assert len(strong) == len(parts(figure, "band")) == 1
    assert dots(figure, "dot") == len(frames.bins())
    assert all(line.get_xdata()[0] == 0 and line.get_ydata()[0] == 0.5 for line in lines)
    assert outside(figure) == []


def test_leads_show_shares_below_one_half_and_of_one():
    frame = frames.fits((5,)).assign(estimate=0.3, low=0.2, high=0.4)
    low, high = LEADS(frame).axes[0].get_ylim()
    assert low < 0.2
    assert high <= 0.6
    alone = pd.DataFrame({"line": "turn 1", "x": [3.0], "estimate": 1.0, "low": 0.9, "high": 1.0, "n": 40})
    assert LEADS(alone).axes[0].get_ylim()[1] == 1.0


def test_names_of_leads_do_not_overlap():
    frame = frames.fits((3, 4, 5, 6, 7, 8)).assign(estimate=0.7)
    figure = LEADS(frame)
    boxes = [text.get_window_extent() for text in parts(figure, "label")]
    assert len(boxes) == 6
    assert not any(a.overlaps(b) for index, a in enumerate(boxes) for b in boxes[index + 1 :])


def test_cells_of_a_surface_are_pale_if_not_significant_and_empty_if_games_are_few():
    frame = frames.cells()
    figure = SURFACE(frame)
    known = frame["estimate"].notna()
    even = known & (frame["low"] <= 0.5) & (frame["high"] >= 0.5)
    assert even.any()
    assert (~known).any()
    assert len(parts(figure, "pale")) == even.sum()
    assert len(parts(figure, "blank")) == (~known).sum()
    assert len(parts(figure, "cell")) == (known & ~even).sum()
    rows = sorted(parts(figure, "row"), key=lambda text: text.get_position()[1])
    assert [text.get_text() for text in rows] == list(dict.fromkeys(style.texts(frame, "row")))  # the least lead at the bottom


def test_areas_of_growth_are_stacked_up_to_the_total():
    figure = GROWTH(frames.levels(), parts=frames.made())
    areas = parts(figure, "area")
    assert len(areas) == 3
    (total,) = parts(figure, "total")
    sums = frames.made().groupby("x")["mean"].sum().to_numpy()
    assert total.get_ydata() == pytest.approx(sums)
    upper, lower = figure.axes
    assert upper.get_xlim() == lower.get_xlim()
    assert outside(figure) == []


def test_halves_start_at_one_half_and_are_coloured_if_significant():
    frame = frames.pairings()
    figure = HALVES(frame)
    bars = [bar for axes in figure.axes for bar in axes.patches if bar.get_gid() == "bar"]
    assert len(bars) == len(frame)
    assert {bar.get_x() for bar in bars} == {0.5}
    assert [bar.get_width() for bar in bars] == pytest.approx(list(frame["estimate"] - 0.5))
    sure = style.pale(style.STRONG, 0.75), style.pale(style.WEAK, 0.75)
    coloured = [to_rgb(bar.get_facecolor()[:3]) in sure for bar in bars]
    assert coloured == list(frame["sure"])
    assert np.mean(figure.axes[0].get_xlim()) == pytest.approx(0.5)


def test_bars_of_lengths_sum_to_the_share_that_ended_and_show_median_and_quantiles():
    frame = frames.durations()
    figure = LENGTHS(frame)
    assert len(figure.axes) == 6
    assert len(parts(figure, "line")) == len(parts(figure, "median")) == 6
    heights = [sum(bar.get_height() for bar in axes.patches) for axes in figure.axes]
    ended = frame.groupby("panel", sort=False)["estimate"].max().to_numpy()
    assert heights / heights[0] == pytest.approx(ended / ended[0], rel=1e-6)
    panel = frame[frame["panel"] == frame["panel"].iloc[0]]
    median = panel["turns"][panel["estimate"] >= 0.5].min()
    assert any(text.startswith(f"median {median} (10") for text in words(figure))
