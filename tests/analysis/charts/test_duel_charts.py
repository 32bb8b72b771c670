"""The chart forms of quantities and curves of entrants: their marks and the inputs that they must accept."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from analysis.charts import style
from tests.analysis.charts.test_charts import dots, outside, parts, words
from tests.analysis.report import duel_frames as frames
from tests.analysis.report.frames import FORMS, helpers
from tests.analysis.report.lead_frames import pairings

pytestmark = pytest.mark.slow

DOTS, STRIPS, LINES = (FORMS[name] for name in ("dots", "strips", "lines"))


def test_dots_have_a_panel_per_quantity_that_starts_at_zero():
    frame = frames.quantities()
    figure = DOTS(frame)
    assert len(figure.axes) == frame["panel"].nunique()
    assert dots(figure, "dot") == len(frame)
    assert all(axes.get_xlim()[0] == 0 for axes in figure.axes)
    assert outside(figure) == []


def test_dots_label_missing_values_and_keep_the_order_of_the_first_panel():
    frame = frames.quantities()
    frame.loc[1, ["estimate", "low", "high"]] = np.nan
    figure = DOTS(frame.iloc[[*range(4), *reversed(range(4, 8))]])
    assert [text.get_text() for text in parts(figure, "name")] == list(frames.DECKS)
    figures = [text.get_text() for text in parts(figure, "figure")]
    assert figures[1] == "\u2013"
    assert figures[5] == f"{frame['estimate'][5]:.2f}"


def test_strips_have_a_panel_per_line_with_the_others_behind_and_one_scale():
    figure = STRIPS(frames.runs(), y_label="exposed ailments")
    assert len(parts(figure, "line")) == len(parts(figure, "band")) == len(frames.DECKS)
    assert len(parts(figure, "other")) == len(frames.DECKS) * (len(frames.DECKS) - 1)
    assert len({axes.get_ylim() for axes in figure.axes}) == len({axes.get_xlim() for axes in figure.axes}) == 1
    assert any("exposed ailments" in text for text in words(figure))
    assert outside(figure) == []


def test_halves_start_at_one_half_and_are_coloured_if_significant():
    frame = pairings()
    figure = FORMS["halves"](frame)
    bars = [bar for axes in figure.axes for bar in axes.patches if bar.get_gid() == "bar"]
    assert len(bars) == len(frame)
    assert {bar.get_x() for bar in bars} == {0.5}
    assert [bar.get_width() for bar in bars] == pytest.approx(list(frame["estimate"] - 0.5))
    sure = style.pale(style.STRONG, 0.75), style.pale(style.WEAK, 0.75)
    coloured = [to_rgb(bar.get_facecolor()[:3]) in sure for bar in bars]
    assert coloured == list(frame["sure"])
    assert np.mean(figure.axes[0].get_xlim()) == pytest.approx(0.5)


def test_lines_can_keep_within_their_bands_and_mark_the_current_value():
    frame = helpers().assign(present=3)
    low, high = frame["low"].min(), frame["high"].max()
    narrow = frame.assign(**{name: 0.5 + 0.1 * (frame[name] - 0.5) for name in ("estimate", "low", "high")})
    figure = LINES(narrow, close=True)
    bottom, top = figure.axes[0].get_ylim()
    assert 0.4 < bottom < 0.5 + 0.1 * (low - 0.5) < 0.5 + 0.1 * (high - 0.5) < top < 0.6
    assert len(parts(figure, "present")) == len(figure.axes)
    assert outside(figure) == []
    assert not parts(LINES(helpers()), "present")
    assert LINES(helpers()).axes[0].get_ylim() == (0, 1)
