"""Mean amounts by part (deaths by cause, points by source) of groups of seats; the seats of one game hang together."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.estimates import LEVEL, ratios
from analysis.frames import distinct

TOTAL = "all together"  # the part that stands for the sum of all


def means(
    frame: pd.DataFrame, keys: Sequence[str], field: str, parts: Sequence[str], level: float = LEVEL
) -> pd.DataFrame:
    """Mean amount of each part, and of all together, per seat in groups of seats.

    frame: see `frames.seats_frame`, games of one number of seats, with columns field_0, field_1, ... in the order of
    `parts`; a part without a name is nothing that the card set has and is left out. keys: columns that make the groups.
    Result, one line per group and part, the sum as part TOTAL last: keys, part, sum, estimate, low, high (interval of a
    ratio over games, see `estimates.ratios`; NaN where all games are alike, which then do not tell how far off they are), n
    (games with a seat of the group). Raises ValueError for a missing column.
    """
    named = [f"{field}_{part}" for part, name in enumerate(parts) if name]
    if not named or not set(named) <= set(frame):
        raise ValueError(
            f"the table must hold the columns {field}_0..{field}_{len(parts) - 1}, at least one with a name"
        )
    if frame.empty:
        return pd.DataFrame(columns=[*keys, "part", "sum", "estimate", "low", "high", "n"])
    values = frame[named].to_numpy(np.float64)
    values = np.column_stack([values, values.sum(axis=1)])
    grouped = frame.groupby(list(keys), observed=True)
    group = grouped.ngroup().to_numpy()
    labels = grouped.size().index.to_frame(index=False)
    cell, owner = _observations(frame["game"].to_numpy(), group)
    names = [*distinct([name for name in parts if name]), TOTAL]
    found = [_mean(cell, owner, values[:, at], level).assign(part=name, order=at) for at, name in enumerate(names)]
    table = pd.concat(found).rename_axis("group").reset_index()
    table = table.sort_values(["group", "order"], kind="stable", ignore_index=True)
    whole = pd.concat([labels.loc[table["group"]].reset_index(drop=True), table], axis=1)
    return whole[[*keys, "part", "sum", "estimate", "low", "high", "n"]]


def _observations(game: NDArray[Any], group: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Number the observations, all seats that a group has in a game being one: that of each line, and the group of each."""
    groups = int(group.max()) + 1
    _, number = np.unique(game, return_inverse=True)
    cells, cell = np.unique(number * groups + group, return_inverse=True)
    return cell, cells % groups


def _mean(cell: NDArray[Any], owner: NDArray[Any], value: NDArray[np.float64], level: float) -> pd.DataFrame:
    """Mean of a value per line, by group 0, 1, ...; cell, owner: see `_observations`."""
    y, x = np.bincount(cell, value), np.bincount(cell).astype(np.float64)
    products = {"y": y, "x": x, "yy": y * y, "xy": x * y, "xx": x * x, "n": None}
    sums = pd.DataFrame({name: np.bincount(owner, weights) for name, weights in products.items()})
    table = ratios(sums, level).assign(sum=sums["y"])
    alike = ~(table["low"] < table["high"])
    return table.assign(low=table["low"].mask(alike), high=table["high"].mask(alike))


def rates(
    game: NDArray[Any], group: NDArray[Any], amount: NDArray[Any], base: NDArray[Any], level: float = LEVEL
) -> pd.DataFrame:
    """Sum of an amount over the sum of its base, by group 0, 1, ...; lines of one game and group are one observation.

    game, group, amount, base: one entry per line; group: from 0 on; base: at least 0. Columns: estimate, low, high (see
    `estimates.ratios`; NaN where the base is 0, open bounds where one game alone tells), n (games), sum, base; one line per group
    up to the highest. Where all games are alike the interval has no width.
    """
    groups = int(group.max(initial=-1)) + 1
    if not groups:
        return pd.DataFrame(columns=["estimate", "low", "high", "n", "sum", "base"])
    cell, owner = _observations(np.asarray(game), np.asarray(group))
    y = np.bincount(cell, np.asarray(amount, np.float64))
    x = np.bincount(cell, np.asarray(base, np.float64))
    products = {"y": y, "x": x, "yy": y * y, "xy": x * y, "xx": x * x, "n": None}
    sums = pd.DataFrame({name: np.bincount(owner, weights, groups) for name, weights in products.items()})
    return ratios(sums, level).assign(sum=sums["y"], base=sums["x"])
