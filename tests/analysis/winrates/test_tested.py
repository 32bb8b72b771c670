"""The levels of play at which verdicts hold."""

import pandas as pd

from analysis.answer.verdicts import FAIR, OPEN, TOO_STRONG, TOO_WEAK
from analysis.winrates.tested import BOTH, QUICK_ONLY, STRONG_ONLY, UNCONFIRMED, confirmed_words, levels_words, with_test

NAMES = ["Ada", "Bo", "Cy", "Di", "Ed"]


def rates(*said: str) -> pd.DataFrame:
    """Win rates with these verdicts."""
    numbers = {"estimate": 0.5, "low": 0.4, "high": 0.6, "n": 100}
    return pd.DataFrame({"name": NAMES, **numbers, "verdict": said})


def test_each_verdict_holds_for_both_levels_one_or_none():
    quick = rates(TOO_STRONG, TOO_STRONG, FAIR, OPEN, OPEN)
    strong = rates(TOO_STRONG, OPEN, TOO_WEAK, FAIR, OPEN)
    both = with_test(quick, strong.iloc[::-1])
    assert both["holds"].tolist() == [BOTH, UNCONFIRMED, QUICK_ONLY, STRONG_ONLY, ""]
    assert both["strong_verdict"].tolist() == strong["verdict"].tolist()
    assert confirmed_words(both) == "strong players confirm 1 of 3 verdicts"
    assert levels_words(both, 2_000) == (
        "Strong players (2,000 games) confirm Ada (too strong); contradict Cy (too weak); have not decided Bo; "
        "also find Di (fair)."
    )


def test_without_verdicts_nothing_is_confirmed():
    both = with_test(rates(*[OPEN] * 5), rates(*[OPEN] * 5))
    assert confirmed_words(both) == ""
    assert levels_words(both, 20).endswith("have not decided anything either.")
