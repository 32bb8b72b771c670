"""The chart beside the verdict of a game: win rates at one number of seats, small enough for the first screen and the index."""

from __future__ import annotations

import pandas as pd

from analysis import charts
from analysis.answer.model import DrawnChart
from analysis.answer.prose import SENTENCE_GAMES, article, at_seats
from analysis.data.study import Study
from analysis.teams.findings import part_verdicts
from analysis.winrates.study_rates import entrant_rates

ID = "verdict"  # of the chart, which names its files
ENDS = 6  # entrants shown from each end, if there are more than twice as many


def lead_chart(study: Study, seats: int) -> DrawnChart | None:
    """Win rates at a number of seats; of teams what their parts contribute. None without games that came to an end."""
    rates = judged(study, seats)
    if rates.empty:
        return None
    shown = ends(rates)
    left_out = len(rates) - len(shown)
    where = at_seats(int(rates["seats"].iloc[0]))
    team, part = study.game.entrant_word, study.unit_word
    what = f"Wins of {article(team)} with each {part} in place of an average one" if study.has_teams else f"Win rates {where}"
    title = f"{what}, with 95 % intervals{f'; the {2 * ENDS} at both ends' if left_out else ''}."
    sure = shown[shown["n"] >= SENTENCE_GAMES]
    names = ", ".join(f"{row['name']} {100 * row['estimate']:.0f} %" for _, row in sure.iterrows())
    return DrawnChart(ID, charts.forest(shown, narrow=True), title, f"{title} {names}." if names else title)


def judged(study: Study, seats: int) -> pd.DataFrame:
    """Rates with verdicts at a number of seats, best first."""
    rates = part_verdicts(study) if study.has_teams else entrant_rates(study)
    if rates.empty:
        return rates
    rates = rates[rates["seats"] == seats] if "seats" in rates else rates.assign(seats=seats)
    rates = rates[["seats", "name", "estimate", "low", "high", "n", "fair", "verdict"]]
    return rates.dropna(subset=["estimate"]).sort_values("estimate", ascending=False, kind="stable")


def ends(rates: pd.DataFrame) -> pd.DataFrame:
    """The best and the worst of many rows; few as they are."""
    return rates if len(rates) <= 2 * ENDS else pd.concat([rates.head(ENDS), rates.tail(ENDS)])
