"""The chart forms of quantities, curves and ranks of entrants: their marks and the inputs that they must accept."""

import numpy as np
from matplotlib.colors import to_rgb

from analysis.charts import FORMS, style
from tests.analysis.charts.test_charts import dots, outside, parts, words
from tests.analysis.report import duel_frames as frames
from tests.analysis.report.frames import helpers

DOTS, STRIPS, RANKS, LINES = (FORMS[name] for name in ("dots", "strips", "ranks", "lines"))


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


def test_ranks_have_a_dot_per_name_and_variant_and_fill_significant_ones():
    frame = frames.orders()
    figure = RANKS(frame)
    assert dots(figure, "dot") == len(frame)
    assert len(parts(figure, "line")) == len(frames.DECKS)
    first = dict(zip(frame["name"][:4], frame["rank"][:4], strict=True))
    wanted = int((frame["sure"] & (frame["rank"] != frame["name"].map(first))).sum())
    filled = [item for item in parts(figure, "dot") if to_rgb(item.get_facecolor()[0]) != to_rgb(style.PAPER)]
    assert len(filled) == wanted
    assert outside(figure) == []


def test_ranks_of_many_names_colour_those_that_change():
    names = tuple(f"Deck {index}" for index in range(14))
    frame = frames.orders(names).assign(sure=False)
    still = frame.groupby("variant", sort=False)["estimate"].rank(ascending=False).astype(int)
    assert still.nunique() == 14
    moving = frame.groupby("name")["rank"].nunique().gt(1).sum()
    figure = RANKS(frame)
    colours = [to_rgb(line.get_color()) for line in parts(figure, "line")]
    assert sum(colour != to_rgb(style.FAINT) for colour in colours) == min(moving, 8)
    assert outside(figure) == []


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
