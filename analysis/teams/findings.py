"""What a report says about the parts of teams: verdicts, and the ends of the league."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from analysis.answer.numbers import percent
from analysis.answer.page import Finding
from analysis.answer.prose import SENTENCE_GAMES, bounds_of
from analysis.data.study import Study
from analysis.teams.league import team_study
from sim.engine.questions import Ask


def part_verdicts(study: Study) -> pd.DataFrame:
    """Contributions of the parts, best first; empty if entrants are not teams or never meet at two seats.

    Columns: those of `Contributions.parts`; other, other_low, other_high: the estimate under the second policy, NaN without
    one.
    """
    teams = team_study(study)
    if teams is None or teams.contributions is None:
        return pd.DataFrame()
    frame, beside = teams.contributions.parts, teams.contributions_beside
    for name, other in (("estimate", "other"), ("low", "other_low"), ("high", "other_high")):
        frame = frame.assign(**{other: frame["part"].map(beside.parts.set_index("part")[name]) if beside else np.nan})
    return frame.sort_values("estimate", ascending=False, na_position="last", kind="stable", ignore_index=True)


def of_league(study: Study) -> Iterator[Finding]:
    """The best and the worst team, if a question has them play again."""
    questions = [one for one in study.game.questions if isinstance(one, Ask)]
    asked = any((one.question, one.arguments.get("by")) == ("teams", "team") for one in questions)
    found = team_study(study)
    if found is None or not asked or found.retested.empty:
        return
    best, worst = (found.retested.iloc[end] for end in (0, -1))
    if min(best["retest_n"], worst["retest_n"]) < SENTENCE_GAMES:
        return
    yield Finding(
        f"First of the {study.game.entrant_word} league is {best['name']}, which wins {percent(best['retest'])} in new games "
        f"{bounds_of(best, 'retest')}; last is {worst['name']} with {percent(worst['retest'])} {bounds_of(worst, 'retest')}."
    )
