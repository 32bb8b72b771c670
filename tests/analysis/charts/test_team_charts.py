"""The chart forms of games of teams: their marks, grey values and positions."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from analysis.charts import ranked, terms
from tests.analysis.charts.test_charts import dots, outside, parts, words
from tests.analysis.report.team_frames import PARTS, contributed, together
from tests.conftest import in_soak

LONG = ("W" * 60, "$5 $word", "a\u202eb", *(f"Part {at}" for at in range(29)))


def overlaps(figure: Figure) -> list[tuple[str, str]]:
    """Pairs of overlapping texts of the figure (not of its axes)."""
    figure.draw_without_rendering()
    upright = [text for text in figure.texts if text.get_text() and not text.get_rotation()]
    boxes = [(text.get_text(), text.get_window_extent()) for text in upright]
    return [(a, b) for index, (a, item) in enumerate(boxes) for b, other in boxes[index + 1 :] if item.overlaps(other)]


@pytest.mark.slow
def test_ranked_keeps_the_order_and_draws_the_second_estimate_hollow_below_the_first():
    frame = contributed()
    figure = ranked(frame, words=("greedy", "random"))
    assert [text.get_text() for text in parts(figure, "name")] == list(PARTS)
    assert dots(figure, "estimate") == len(PARTS) - 1
    assert dots(figure, "other") == len(PARTS)
    first = np.concatenate([result.get_offsets() for result in parts(figure, "estimate")])
    second = parts(figure, "other")[0].get_offsets()
    by_row = {round(y + 0.17): y for _, y in first}
    for x, y in second[:-1]:
        assert y > by_row[round(y - 0.17)]
        assert 0.4 < x < 0.6
    assert second[-1][1] == len(PARTS) - 1  # without a second estimate it is in the middle of its row
    assert {"upper: greedy", "lower: random"} <= set(words(figure))


def test_ranked_without_a_second_estimate_has_no_legend_for_it():
    frame = contributed().drop(columns=["other", "other_low", "other_high"])
    figure = ranked(frame, words=("greedy", ""), band=None)
    assert not [text for text in words(figure) if text.startswith(("upper", "lower", "fair band"))]
    assert parts(figure, "band") == []
    assert len(parts(figure, "fair")) == 1


@pytest.mark.slow
def test_ranked_panels_have_one_scale():
    frame = contributed()
    frame["panel"] = np.where(np.arange(len(frame)) < 4, "Best", "Worst")
    figure = ranked(frame)
    assert len({axes.get_xlim() for axes in figure.axes}) == 1
    assert {"Best", "Worst"} <= set(words(figure))


def test_terms_are_grey_if_not_significant_and_blank_on_the_diagonal():
    frame = together()
    figure = terms(frame, label="points", corner="together")
    assert len(parts(figure, "cell")) == int(frame["sure"].sum()) > 0
    assert len(parts(figure, "grey")) == int((~frame["sure"]).sum()) > 0
    assert len(parts(figure, "blank")) == len(PARTS)
    rows, columns = ([text.get_text() for text in parts(figure, gid)] for gid in ("row", "column"))
    assert rows == list(PARTS)
    assert sorted(" ".join(columns).split()) == sorted(" ".join(PARTS).split())  # two lines if a name is long


def test_positive_terms_are_orange_and_negative_ones_blue():
    frame = pd.DataFrame({"row": ["A", "B"], "column": ["B", "A"], "value": [0.04, -0.04], "sure": True, "n": 9})
    up, down = (cell.get_facecolor() for cell in parts(terms(frame), "cell"))
    assert up[0] > up[2]
    assert down[2] > down[0]


@pytest.mark.parametrize(
    ("form", "frame", "more"), [(ranked, contributed, {"words": ("new games", "first games")}), (terms, together, {})]
)
@pytest.mark.parametrize("names", [*(in_soak((names,)) for names in (PARTS, PARTS[:2], LONG)), LONG[:12]], ids=len)
@pytest.mark.slow
def test_texts_of_team_charts_overlap_neither_each_other_nor_the_edge(form, frame, more, names):
    figure = form(frame(names), **more)
    assert overlaps(figure) == []
    assert outside(figure) == []
    assert not any("\u202e" in text for text in words(figure))


def test_the_scale_of_terms_includes_the_largest_significant_one():
    for value, end in ((0.013, "+2"), (0.06, "+10"), (0.14, "+15")):
        frame = pd.DataFrame({"row": ["A", "B"], "column": ["B", "A"], "value": [value, 0.9], "sure": [True, False], "n": 9})
        assert end in words(terms(frame))
