"""What a report says about the parts of teams: verdicts, and headline findings, the most important first."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from analysis.answer import verdicts
from analysis.answer.numbers import percent, points
from analysis.answer.page import Finding, Tone
from analysis.answer.prose import article, bounds_of, listed
from analysis.data.study import Study
from analysis.teams.league import EVEN, team_study
from sim.engine.questions import Ask

TONES: dict[str, Tone] = {"too strong": "strong", "too weak": "weak"}
HEADLINE_SHOWN = 6  # parts with a sentence each


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


def of_teams(study: Study) -> list[Finding]:
    """Findings on parts and teams, the most important first; a single remark if there are too few games."""
    frame = part_verdicts(study)
    if frame.empty:
        return [Finding(f"There are too few games to estimate what {article(study.unit_word)} contributes.", "open")]
    return [*_of_parts(study, frame), *_of_league(study)]


def _of_parts(study: Study, frame: pd.DataFrame) -> Iterator[Finding]:
    """The meaning of fair, parts beyond the band, the farthest out first, parts within it and undecided ones, going first."""
    team, part = study.game.entrant_word, study.unit_word
    found = team_study(study)
    model = found.contributions if found else None
    fair = (
        f"Fair means: {article(team)} with the {part} instead of an average one wins {verdicts.band(EVEN)} against one that is "
    )
    yield Finding(f"{fair}otherwise equal.")
    sure = frame[frame["verdict"].isin(verdicts.UNFAIR)]
    sure = sure.sort_values("estimate", key=lambda estimate: (estimate - EVEN).abs(), ascending=False, kind="stable")
    for _, row in sure[:HEADLINE_SHOWN].iterrows():
        wins = f"{study.game.entrants_word} with it win {percent(row['estimate'])} {bounds_of(row)}"
        yield Finding(f"{row['name']} is {row['verdict']}: {wins}.", TONES[row["verdict"]])
    for verdict, rest in sure[HEADLINE_SHOWN:].groupby("verdict", sort=False):
        yield Finding(f"{str(verdict).capitalize()} as well: {listed([*rest['name']])}.", TONES[str(verdict)])
    if len(sure):
        yield Finding("The intervals hold together: with 95 % confidence, all those named are beyond the fair band.")
    known = frame.dropna(subset=["estimate"])
    within, undecided = ([*known.loc[known["verdict"] == word, "name"]] for word in ("fair", verdicts.OPEN))
    if within:
        every = f"Every {part} is" if len(within) == len(known) else f"{listed(within)} {'is' if len(within) == 1 else 'are'}"
        yield Finding(f"{every} within the fair band.", "fair")
    if undecided:
        yield Finding(f"Not decided, more games are needed: {listed(undecided)}.", "open")
    if model is not None and model.first.n:
        shift, low, high = (points(value - EVEN) for value in (model.first.estimate, model.first.low, model.first.high))
        yield Finding(f"Going first in an even match: {shift} points ({low} to {high}) against an even chance.")


def _of_league(study: Study) -> Iterator[Finding]:
    """The best and the worst team, if a question has them play again."""
    questions = [one for one in study.game.questions if isinstance(one, Ask)]
    asked = any((one.question, one.arguments.get("by")) == ("teams", "team") for one in questions)
    found = team_study(study)
    if found is None or not asked or found.retested.empty:
        return
    best, worst = (found.retested.iloc[end] for end in (0, -1))
    yield Finding(
        f"First of the {study.game.entrant_word} league is {best['name']}, which wins {percent(best['retest'])} in new games "
        f"{bounds_of(best, 'retest')}; last is {worst['name']} with {percent(worst['retest'])} {bounds_of(worst, 'retest')}."
    )
