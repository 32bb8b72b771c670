"""The chart forms of amounts, first times and gains: their marks and the inputs that they must accept."""

import pandas as pd
import pytest

from analysis.charts import style
from analysis.charts.style import wrapped
from tests.analysis.charts.test_charts import dots, parts, words
from tests.analysis.report import frames
from tests.analysis.report.frames import FORMS

pytestmark = pytest.mark.slow


def test_amounts_are_as_long_as_the_mean_on_one_scale_with_a_whisker_each():
    frame = frames.made_of()
    figure = FORMS["amounts"](frame)
    assert sum(bar.get_width() for bar in parts(figure, "segment")) == pytest.approx(frame["estimate"].sum())
    assert sum(len(lines.get_segments()) for lines in parts(figure, "interval")) == 2 * len(frames.NAMES)
    assert len({axes.get_xlim() for axes in figure.axes}) == 1
    assert "3.05 to 3.15" in words(FORMS["amounts"](frame.assign(total=3.1, low=3.05, high=3.15)))


def test_amounts_put_the_rest_last_in_grey_and_extend_below_zero():
    frame = frames.made_of(("A",), (2,)).iloc[[3, 0, 1, 2]]
    figure = FORMS["amounts"](frame)
    texts = [text for text in words(figure) if text in set(frame["category"])]
    assert texts == ["trap", "poison", "goblin", "other"]
    grey = [bar for bar in parts(figure, "segment") if style.to_rgb(bar.get_facecolor()) == style.to_rgb("#7A7F87")]
    assert len(grey) == 1
    frame["estimate"] = [-0.5, 1.0, 2.0, -0.25]
    ends = [bar.get_window_extent().x0 for bar in parts(FORMS["amounts"](frame), "segment")]
    assert len(set(ends)) == 4
    assert FORMS["amounts"](frame).axes[0].get_xlim()[0] == pytest.approx(1.04 * -0.75)


def test_curves_have_a_line_per_event_and_a_dot_only_if_half_is_reached():
    frame = frames.firsts(("Shop", "Key", "Never half"))
    frame.loc[frame["name"] == "Never half", ["estimate", "low", "high"]] *= 0.6
    figure = FORMS["curves"](frame)
    assert len(parts(figure, "curve")) == 12
    assert len(parts(figure, "median")) == 8
    falling = FORMS["curves"](frame, falling=True)
    assert len(parts(falling, "median")) == 8
    assert all(line.get_ydata()[0] == 1 for line in parts(falling, "curve"))
    assert any("has not happened yet" in text for text in words(falling))


def test_gains_are_coloured_if_significant_and_priced_if_there_is_a_price():
    frame = frames.had()
    figure = FORMS["gains"](frame, price="gold", unit="gold")
    assert len(figure.axes) == 2
    assert dots(figure, "dot") == 8 + 7
    assert "gold" in words(figure)
    left = figure.axes[0].collections
    colours = [color for result in left if result.get_gid() == "dot" for color in result.get_facecolors()]
    strong, weak = (sum(style.to_rgb(item) == style.to_rgb(kind) for item in colours) for kind in (style.STRONG, style.WEAK))
    assert (strong, weak) == ((frame["low"] > 0).sum(), (frame["high"] < 0).sum())
    none = FORMS["gains"](frame.assign(sure=False).drop(columns="price"))
    assert len(none.axes) == 1
    assert "gold" not in words(none)


def test_legends_wrap_without_losing_entries():
    names = [f"cause number {index}" for index in range(30)]
    lines = wrapped(names, 5.0)
    assert [index for line in lines for index in line] == list(range(30))
    assert len(lines) > 5


def test_a_panel_of_small_amounts_has_a_separate_scale_mentioned_in_the_note():
    frame = frames.made_of(seats=(2, 4))
    small = frame["seats"] == 2
    frame.loc[small, ["estimate", "total", "low", "high"]] /= 50
    figure = FORMS["amounts"](frame)
    ends = [axes.get_xlim()[1] for axes in figure.axes]
    assert ends[0] < ends[1] / 10
    assert any("On a separate scale: 2 seats." in text for text in words(figure))
    alike = FORMS["amounts"](frames.made_of(seats=(2, 4)))
    assert len({axes.get_xlim() for axes in alike.axes}) == 1
    assert not any("On a scale" in text for text in words(alike))


def test_gains_in_panels_share_a_scale_and_have_bars_on_request():
    frame = pd.DataFrame({"panel": ["Ants", "Ants", "Bees"], "name": ["Sting", "Swarm", "Sting"], "n": 40})
    frame = frame.assign(change=[0.2, -0.1, 0.4], low=[0.1, -0.2, 0.3], high=[0.3, 0.05, 0.5], copies=[2, 1, 4])
    figure = FORMS["gains"](frame.assign(price=frame["copies"]), price="copies", unit="copy", bars=True)
    assert len(figure.axes) == 4
    ants, per_ant, bees, per_bee = figure.axes
    assert ants.get_xlim() == bees.get_xlim()
    assert per_ant.get_xlim() == per_bee.get_xlim()
    bars = [patch.get_width() for patch in ants.patches if patch.get_gid() == "bar"]
    assert bars == pytest.approx([0.2, -0.1])
    per = [patch.get_width() for axes in (per_ant, per_bee) for patch in axes.patches if patch.get_gid() == "bar"]
    assert per == pytest.approx([0.1, -0.1, 0.1])
    assert {"Ants", "Bees"} <= {text.get_text() for text in figure.texts}
    assert not any(patch.get_gid() == "bar" for axes in FORMS["gains"](frame).axes for patch in axes.patches)
