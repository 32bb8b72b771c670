"""Frames with missing values, single rows, many rows and long names: what each chart shows then, all of it on the figure."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection

from tests.analysis.charts.test_charts import HOSTILE, dots, outside, parts, words
from tests.analysis.report import duel_frames, frames
from tests.analysis.report.frames import FORMS, FRAMES

pytestmark = pytest.mark.slow

LONG = "helm, chestplate, boots and shield"
BOUNDS = ["estimate", "low", "high"]
NAMES = tuple(f"Entrant {number}" for number in range(30))


def without(form: str, row: int, *columns: str, **more: Any) -> pd.DataFrame:
    """The frame of a form without the values of a row."""
    frame = FRAMES[form]().assign(**more).reset_index(drop=True)
    frame.loc[row, list(columns or BOUNDS)] = np.nan
    return frame


def two_variants() -> pd.DataFrame:
    frame = frames.variants()
    return frame[frame["variant"].isin(frame["variant"].unique()[:2])]


def alone(form: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Rates of a game for one, without a fair share."""
    return frame.assign(fair=np.nan, **({"verdict": ""} if form == "forest" else {}))


def tall(names: tuple[str, ...]) -> pd.DataFrame:
    return frames.goals(names).rename(columns={"row": "column", "column": "row"})


# form, frame, options, texts that are parts of texts of the figure, number of marks by name
CASES: dict[str, tuple[str, Callable[[], pd.DataFrame], dict[str, Any], tuple[str, ...], dict[str, int]]] = {
    "solo rates": (
        *("forest", lambda: alone("forest", frames.rates(("A", "B"), (1,))), {}, ("no fair share",)),
        {"estimate": 2, "fair": 0, "band": 0},
    ),
    "solo positions": ("bars", lambda: alone("bars", frames.positions((1,))), {}, ("no fair share", "1 seat"), {}),
    "no games at a position": ("bars", lambda: without("bars", 2), {}, ("no games",), {"bar": 8}),
    "owner of a roll": ("dice", lambda: frames.pools((3,)).assign(name="Hammer", group="Rhino"), {}, ("Hammer", "Rhino"), {}),
    "exact rolls": ("dice", lambda: frames.pools((3,)).drop(columns=["simulated", "n", "z"]), {}, (), {"simulated": 0}),
    "long categories": (
        *("stacked", lambda: frames.causes(("A", "B")).assign(category=lambda frame: frame["category"] + f" with {LONG}"), {}),
        *((LONG,), {}),
    ),
    "no cases": ("stacked", lambda: frames.causes(("A",)).assign(estimate=0.0, n=0), {}, ("no cases",), {"segment": 0}),
    "board of 1 hex": ("board", lambda: frames.hexes(0).assign(value=np.nan), {}, (), {"hex": 2}),
    "board of 169 hexes": ("board", lambda: frames.hexes(7), {}, (), {"hex": 2}),
    "four largest": ("tornado", frames.steps, {"most": 4}, ("5 fields with smaller changes not shown",), {"change": 16}),
    "no change": ("tornado", lambda: frames.steps().assign(change=0.0, low=0.0, high=0.0), {}, (), {"bar": 0}),
    "never": ("curves", lambda: frames.firsts(("Shop",), (2,)).head(1).assign(estimate=0.0, low=0.0), {}, (), {"median": 0}),
    "nothing to compare": (
        *("gains", lambda: without("gains", 0, "change", "low", "high", price=np.nan), {}),
        *(("no games to compare",), {"dot": 7}),
    ),
    "long lines": (
        *("lines", lambda: frames.helpers().assign(line=lambda frame: frame["line"] + f", {LONG}"), {}),
        *((LONG,), {"label": 0}),
    ),
    "one variant": ("slope", two_variants, {}, (), {"label": 8, "change": 8}),
    "cell not played": ("grid", lambda: without("grid", 0), {}, (), {"cell": 31}),
    "thirty columns": ("grid", lambda: tall(NAMES), {}, (), {}),
    "hostile columns": ("grid", lambda: tall(HOSTILE), {}, (), {}),
    "pairing without games": ("halves", lambda: without("halves", 2), {}, ("no games",), {}),
    "no intervals": ("dots", lambda: duel_frames.quantities().assign(low=np.nan, high=np.nan), {}, (), {"dot": 20}),
}


@pytest.mark.parametrize("case", CASES)
def test_a_special_frame_is_drawn_and_explained(case):
    form, frame, options, texts, marks = CASES[case]
    figure = FORMS[form](frame(), **options)
    assert outside(figure) == []
    for text in texts:
        assert any(text in shown for shown in words(figure)), text
    for gid, number in marks.items():
        found = parts(figure, gid)
        drawn = dots(figure, gid) if any(isinstance(mark, PathCollection) for mark in found) else len(found)
        assert drawn == number, gid
