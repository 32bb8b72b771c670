"""Conversion of frames to tables of a page, with readable headings."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.document.model import Format, Table

WIN_RATE = "win rate"
SHOWN = 60  # rows of a curve in a table, at most
FORMATS: dict[str, Format] = {
    WIN_RATE: "percent",
    "share": "percent",
    "share of uses": "percent",
    "low": "percent",
    "high": "percent",
    "uses low": "percent",
    "uses high": "percent",
    "fair share": "percent",
    "truncated": "percent",
    "truncated before": "percent",
    "truncated after": "percent",
    "before": "percent",
    "after": "percent",
    "change": "points",
    "change low": "points",
    "change high": "points",
    "p (Holm)": "p",
    "p (beyond band)": "p",
    "n": "count",
}


def table(
    frame: pd.DataFrame,
    id_: str,
    caption: str,
    columns: Mapping[str, str],
    formats: Mapping[str, Format] | None = None,
    ends: int = 0,
) -> Table:
    """Make a table of some columns of a frame. columns: name in the frame -> heading; formats: by heading, besides FORMATS.

    ends: see `Table`.
    """
    chosen = frame[list(columns)].astype(object)
    rows = tuple(tuple(None if pd.isna(cell) else cell for cell in row) for row in chosen.itertuples(index=False))
    known = {heading: FORMATS[heading] for heading in columns.values() if heading in FORMATS}
    return Table(id_, tuple(columns.values()), rows, caption, {**known, **(formats or {})}, ends)


def rate_columns(**more: str) -> dict[str, str]:
    """Columns of a table of win rates with intervals; those in `more` come first."""
    return {**more, "estimate": WIN_RATE, "low": "low", "high": "high", "n": "n"}


def thinned(curves: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Pick at most SHOWN rows of each curve, evenly and including the last. keys: columns that identify a curve."""
    last = curves.groupby(list(keys), observed=True).cumcount(ascending=False)
    size = curves.groupby(list(keys), observed=True)[curves.columns[0]].transform("size")
    picked: pd.DataFrame = curves[last % -(-size // SHOWN) == 0]
    return picked


def highest(frame: pd.DataFrame, column: str, size: bool = False) -> pd.Series:
    """The row with the largest value, or with `size` the largest absolute value; at least one must not be nan."""
    values = frame[column].to_numpy(float)
    return frame.iloc[int(np.nanargmax(abs(values) if size else values))]


def lowest(frame: pd.DataFrame, column: str) -> pd.Series:
    """The row with the smallest value."""
    return frame.iloc[int(np.nanargmin(frame[column].to_numpy(float)))]
