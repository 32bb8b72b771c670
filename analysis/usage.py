"""What entrants do and what happens to them: shares of categories, use of each part against its effect.

Frames are those of `frames.seats_frame`; leave truncated games out first if they should not count. Cards of decks, of which there
may be dozens, are counted without frames: see `card_tally` and `card_usage`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.estimates import LEVEL, proportions, ratios


def category_shares(
    frame: pd.DataFrame, columns: Sequence[str], leave_out: Sequence[str] = (), level: float = LEVEL
) -> pd.DataFrame:
    """Share of each category among an entrant's games, e.g. how its falls came about.

    columns: one or more categorical columns; of several, every combination is a category ("collision, red").
    leave_out: categories that do not count, such as "still in"; missing values never do. Result: name, category (both
    categorical, in their own order), count, estimate, low, high, n (all that count of the entrant; NaN if none).
    Raises ValueError for a column that is not categorical or a category that does not exist.
    """
    known = {word for column in columns for word in _categories(frame, column)}
    if unknown := sorted(set(leave_out) - known):
        raise ValueError(f"{', '.join(unknown)}: not among the categories {', '.join(map(str, sorted(known)))}")
    counted = ~frame[list(columns)].isin(list(leave_out)).any(axis=1) & frame[list(columns)].notna().all(axis=1)
    keys = ["name", *columns]
    table = frame.loc[counted, keys].groupby(keys, observed=False).size().rename("count").reset_index()
    table = table[~table[list(columns)].isin(list(leave_out)).any(axis=1)].reset_index(drop=True)
    words = table[list(columns)].astype(str).agg(", ".join, axis=1) if len(table) else pd.Series([], dtype=str)
    n = table.groupby("name", observed=False)["count"].transform("sum")
    shares = proportions(table["count"].to_numpy(), n.to_numpy(), level)
    category = pd.Categorical(words, categories=words.unique())
    return pd.concat([table[["name"]].assign(category=category, count=table["count"]), shares], axis=1)


def use_and_effect(
    frame: pd.DataFrame, uses: str, effect: str, parts: Sequence[str], level: float = LEVEL
) -> pd.DataFrame:
    """How much of an entrant's use goes to each part (an ability, a card), and the effect of a use.

    uses, effect: measures with these parts, so that the columns are uses_0, uses_1, ... and effect_0, ... Result, one
    line per entrant and part: entrant, name, part (index), part_name, uses (number), use_rate (share of all uses),
    use_low, use_high, effect (per use), effect_low, effect_high, n (games of the entrant). Uses of one game hang
    together; the intervals are those of ratios over games. NaN where nothing was used. Raises ValueError for a column
    that does not exist.
    """
    used, done = (_parts(frame, field, len(parts)) for field in (uses, effect))
    entrant = frame["entrant"].to_numpy(np.int64)
    names = _categories(frame, "name")
    tables = []
    for part, name in enumerate(parts):
        rate = ratios(_sums(entrant, len(names), used[:, part], used.sum(axis=1)), level)
        worth = ratios(_sums(entrant, len(names), done[:, part], used[:, part]), level)
        columns = {
            "entrant": np.arange(len(names)),
            "name": pd.Categorical(names, categories=names),
            "part": part,
            "part_name": name,
            "uses": np.bincount(entrant, used[:, part], len(names)).astype(np.int64),
            "use_rate": rate["estimate"],
            "use_low": rate["low"].clip(lower=0),
            "use_high": rate["high"].clip(upper=1),
            "effect": worth["estimate"],
            "effect_low": worth["low"],
            "effect_high": worth["high"],
            "n": worth["n"],
        }
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables, ignore_index=True).sort_values(["entrant", "part"], ignore_index=True)


def _categories(frame: pd.DataFrame, column: str) -> list[Any]:
    if column not in frame or not isinstance(frame[column].dtype, pd.CategoricalDtype):
        raise ValueError(f"column {column!r} must exist and be categorical")
    return list(frame[column].cat.categories)


def _parts(frame: pd.DataFrame, field: str, parts: int) -> NDArray[np.float64]:
    """Columns field_0..field_(parts-1), (lines, parts)."""
    columns = [f"{field}_{part}" for part in range(parts)]
    if not columns or not set(columns) <= set(frame):
        raise ValueError(f"the table must hold the columns {field}_0..{field}_{parts - 1}, at least one")
    return frame[columns].to_numpy(np.float64)


def _sums(groups: NDArray[np.int64], size: int, y: NDArray[np.float64], x: NDArray[np.float64]) -> pd.DataFrame:
    """Give sums and sums of products by group 0..size-1, as `estimates.ratios` takes them."""
    products = {"y": y, "x": x, "yy": y * y, "xy": x * y, "xx": x * x, "n": None}
    return pd.DataFrame({name: np.bincount(groups, weights, size) for name, weights in products.items()})
