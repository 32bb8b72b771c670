"""Verdicts of quick players, tested by the strong players in games with the same line-ups and dice."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.answer.numbers import count
from analysis.answer.prose import listed
from analysis.answer.verdicts import OPEN

BOTH, UNCONFIRMED, QUICK_ONLY, STRONG_ONLY = "both levels", "unconfirmed", "quick only", "strong only"
COLUMNS = ("estimate", "low", "high", "n", "verdict")


def with_test(quick: pd.DataFrame, strong: pd.DataFrame) -> pd.DataFrame:
    """Add the win rates of the strong players, and at which levels each verdict holds.

    Both frames have the columns name, estimate, low, high, n and verdict. New columns: strong, strong_low, strong_high, strong_n,
    strong_verdict, and holds: BOTH, UNCONFIRMED (the strong players have not decided), QUICK_ONLY (they decided otherwise),
    STRONG_ONLY (the quick ones have not decided), or empty if neither has.
    """
    names = {"estimate": "strong"} | {name: f"strong_{name}" for name in COLUMNS[1:]}
    tests = strong.set_index("name")[[*COLUMNS]].rename(columns=names)
    frame = quick.join(tests, on="name")
    decided, tested = (~frame[name].isin(["", OPEN]) for name in ("verdict", "strong_verdict"))
    same = frame["verdict"] == frame["strong_verdict"]
    return frame.assign(holds=levels(decided, tested, same))


def levels(decided: pd.Series, tested: pd.Series, same: pd.Series) -> pd.Series:
    """At which levels findings hold. decided, tested: what quick and strong players have decided; same: both alike."""
    cases = [decided & same, decided & ~tested, decided, tested]
    return pd.Series(np.select(cases, [BOTH, UNCONFIRMED, QUICK_ONLY, STRONG_ONLY], ""), decided.index, object)


def confirmed_words(frame: pd.DataFrame) -> str:
    """Clause on how many verdicts of quick players the strong ones confirm; empty without verdicts. frame: see `with_test`."""
    decided = int(frame["holds"].isin([BOTH, UNCONFIRMED, QUICK_ONLY]).sum())
    if not decided:
        return ""
    return f"strong players confirm {count(int((frame['holds'] == BOTH).sum()))} of {count(decided)} verdicts"


def levels_words(frame: pd.DataFrame, games: int) -> str:
    """Sentence on the levels at which verdicts hold. frame: see `with_test`; games: of the strong players."""
    parts = []
    for holds, begin, verdict in (
        (BOTH, "confirm", "verdict"),
        (QUICK_ONLY, "contradict", "strong_verdict"),
        (UNCONFIRMED, "have not decided", ""),
        (STRONG_ONLY, "also find", "strong_verdict"),
    ):
        rows = frame[frame["holds"] == holds].to_dict("records")
        names = [f"{row['name']} ({row[verdict]})" if verdict else str(row["name"]) for row in rows]
        parts += [f"{begin} {listed(names)}"] if names else []
    said = "; ".join(parts) if parts else "have not decided anything either"
    return f"Strong players ({count(games)} games) {said}."
