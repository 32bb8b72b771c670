"""Shares of categories and use against effect, by hand."""

import numpy as np
import pandas as pd
import pytest

from analysis.data.usage import use_and_effect
from analysis.stats.intervals import ratio

NAMES = ["Ada", "Bo", "Cy"]
CAUSES = ["still in", "push", "pull"]


def falls():
    rows = [(0, 1, 0), (0, 1, 1), (0, 2, 0), (0, 0, 0), (1, 1, 1), (1, 1, 1), (1, -1, 0)]
    entrant, cause, zone = (np.array(column) for column in zip(*rows, strict=True))
    return pd.DataFrame(
        {
            "entrant": entrant,
            "name": pd.Categorical.from_codes(entrant, NAMES),
            "cause": pd.Categorical.from_codes(cause, CAUSES),
            "zone": pd.Categorical.from_codes(zone, ["green", "red"]),
        }
    )


def usage():
    return pd.DataFrame(
        {
            "entrant": [0, 0, 1, 1],
            "name": pd.Categorical.from_codes([0, 0, 1, 1], NAMES),
            "used_0": np.array([3, 1, 0, 0], np.int16),
            "used_1": np.array([1, 3, 2, 6], np.int16),
            "harm_0": np.array([6, 4, 0, 0], np.int16),
            "harm_1": np.array([0, 0, 5, 7], np.int16),
        }
    )


def test_use_rate_is_the_share_of_all_uses_and_effect_is_per_use():
    table = use_and_effect(usage(), "used", "harm", ["hit", "run"]).set_index(["name", "part_name"])
    assert table.index.tolist() == [(name, part) for name in NAMES for part in ("hit", "run")]
    assert table["uses"].tolist() == [4, 4, 0, 8, 0, 0]
    assert table["n"].tolist() == [2, 2, 2, 2, 0, 0]
    rate, effect = ratio([3, 1], [4, 4]), ratio([6, 4], [3, 1])
    row = table.loc[("Ada", "hit")]
    assert row[["use_rate", "use_low", "use_high"]].tolist() == pytest.approx([0.5, max(0, rate.low), min(1, rate.high)])
    assert row[["effect", "effect_low", "effect_high"]].tolist() == pytest.approx([2.5, effect.low, effect.high])
    assert table.loc[("Bo", "run"), "effect"] == pytest.approx(12 / 8)
    assert table.loc[("Bo", "hit"), "use_rate"] == 0
    assert np.isnan(table.loc[("Bo", "hit"), "effect"])
    assert table.loc["Cy", ["use_rate", "effect"]].isna().all(axis=None)


def test_one_game_gives_an_effect_without_bounds():
    row = use_and_effect(usage().iloc[:1], "used", "harm", ["hit"]).iloc[0]
    assert row["effect"] == 2
    assert np.isnan(row["effect_low"])


def test_missing_parts_are_named():
    with pytest.raises(ValueError, match=r"columns harm_0\.\.harm_2"):
        use_and_effect(usage().assign(used_2=0), "used", "harm", ["a", "b", "c"])
