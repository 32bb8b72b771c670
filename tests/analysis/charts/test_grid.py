"""The grid of shares, and tornado charts of other quantities than win rates."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from analysis.charts import grid, tornado
from tests.analysis.charts.test_charts import outside, parts, words
from tests.analysis.report import frames

pytestmark = pytest.mark.slow


def texts(figure: Figure, gid: str) -> list[str]:
    return [text.get_text() for text in parts(figure, gid) if isinstance(text, Text)]


def test_a_grid_has_a_cell_with_its_interval_per_row_and_column_in_the_given_order():
    frame = frames.goals()
    figure = grid(frame)
    assert texts(figure, "row") == list(frames.NAMES)
    assert texts(figure, "column") == ["chest (as played)", "debt", "golem", "chest and golem"]
    assert len(parts(figure, "cell")) == len(texts(figure, "rate")) == len(texts(figure, "range")) == len(frame)


def test_a_share_near_zero_or_one_gives_every_share_one_more_digit():
    rate = np.array([0.004, 0.5, 0.996, 0.0, 1.0])
    frame = pd.DataFrame({"row": "a", "column": list("vwxyz"), "estimate": rate, "low": rate, "high": rate, "n": 9})
    assert texts(grid(frame), "rate") == ["0.4", "50.0", "99.6", "0.0", "100.0"]


def test_settings_are_stacked_with_their_names():
    first = frames.goals().assign(setting="Goals")
    second = first[first["column"] == "debt"].assign(setting="Lives")
    figure = grid(pd.concat([first, second]), panels="setting")
    assert texts(figure, "panel") == ["Goals", "Lives"]
    assert len(parts(figure, "cell")) == len(first) + len(second)
    assert outside(figure) == []


def test_a_tornado_of_turns_shows_plain_numbers():
    frame = frames.steps().assign(sure=True)
    frame[["change", "low", "high"]] *= 100
    figure = tornado(frame, unit="turns")
    assert "change in turns" in words(figure)
    assert texts(figure, "change")[0] == "\u22126.0"
    small = frame.assign(change=frame["change"] / 10, low=frame["low"] / 10, high=frame["high"] / 10)
    assert texts(tornado(small, unit="turns"), "change")[0] == "\u22120.60"
    assert "change in points" in words(tornado(frames.steps()))


def test_small_shares_are_distinguished_by_colour_on_a_separate_scale():
    rate = np.array([0.0, 0.01, 0.02, 0.04])
    frame = pd.DataFrame({"row": "a", "column": list("wxyz"), "estimate": rate, "low": rate, "high": rate, "n": 9})
    assert {"0", "5", "10"} <= set(words(grid(frame)))
    faces = [cell.get_facecolor() for cell in parts(grid(frame), "cell")]
    assert len(set(faces)) == 4
    assert {"0", "50", "100"} <= set(words(grid(frame.assign(estimate=0.6))))
    darker = [parts(grid(frame.assign(estimate=item)), "cell")[0].get_facecolor()[0] for item in (0.1, 0.05)]
    assert darker[0] < darker[1]


def test_a_long_list_is_shown_in_full_above_its_column():
    every = "chest, debt, basilisk green, basilisk yellow and golem"
    frame = frames.goals().replace({"chest and golem": every})
    frame["column"] = frame["column"].where(frame["column"] == every, frame["column"].str.slice(0, 5))
    frame = pd.concat([frame, *(frame[frame["column"] == every].assign(column=str(index)) for index in range(3))])
    heading = " ".join(reversed(texts(grid(frame), "column")))
    assert "\u2026" not in heading
    assert all(word in heading.split() for word in every.split())
