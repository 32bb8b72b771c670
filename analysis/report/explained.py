"""The section of a report on an unfair entrant: against whom it wins, what carries it, and which single step makes it fair.

It says what `explain` says. Opponents are those of the games of the first page, so both pages give one value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from analysis.answer.model import Answer, Chart, Section
from analysis.answer.numbers import percent
from analysis.answer.prose import SENTENCE_GAMES
from analysis.answer.tables import Table
from analysis.data.commands import command
from analysis.data.encounters import DUEL
from analysis.data.shares import Shares
from analysis.data.study import OF_TEAMS, Study
from analysis.questions.explain import Evidence, Subject, carried_by, opponents_chart, opponents_of, sure_words, worth_table
from analysis.report.pages import section_of
from analysis.tuning.carrying import LEAST_PAIRS
from analysis.variants.tables import records
from analysis.variants.variant import part_of
from analysis.winrates.rates import matrix, pairs
from sim.run import Block

WORTH_SECONDS = 2.0  # of games with and without what carries an entrant, on two cores, of a report of the usual size
SETTINGS = 3  # steps that the sentence names


def explained_section(study: Study, unfair: Mapping[Any, Any], steps: pd.DataFrame, listed: Table) -> Section:
    """The section on an entrant, or a part of teams.

    unfair: its row of `headline.unfair_units`; steps: its single steps, see `steps.single_steps`; listed: some of them.
    """
    unit = int(unfair["unit"])
    subject = Subject(study.unit_ids[unit], study.units[unit], study.unit_word, unit)
    met, worth = opponents_in_report(study, subject), worth_in_report(study, subject, pd.Series(dict(unfair)))
    within = steps[steps["reaches"]]
    carried = sure_words(worth)
    sentences = (steps_words(subject.name, within, steps), f"It is carried by {carried}." if carried else "")
    tables = (*([listed] if listed.rows else []), *([worth_table(worth)] if len(worth) else []))
    charts = (Chart(partial(opponents_chart, met), f"Win rate of {subject.name} against each opponent."),) if len(met) else ()
    setting = next(iter((within if len(within) else steps)["setting"]), "")
    effect = command(study, "whatif", "--set", setting) if setting else command(study, "tune", "--only", subject.id)
    note = f"What {'a step' if setting else 'several changes'} would do to every {study.unit_word}: {effect}."
    answer = Answer(" ".join(filter(None, sentences)), tables, charts, notes=(note,))
    return section_of(f"steps-{subject.id}", f"Why is {subject.name} {unfair['verdict']}, and which step makes it fair?", answer)


def opponents_in_report(study: Study, subject: Subject) -> pd.DataFrame:
    """Win rates against each opponent in the games of the first page, best first, of SENTENCE_GAMES games at least.

    Columns: name, estimate, low, high, n. Empty without games at two seats.
    """
    if study.has_teams:
        games = Shares.of(study.main(OF_TEAMS), lambda _: (Block(0, rows, rows[:0]) for rows in study.rows_of_teams))
        return opponents_of(study, subject, games)
    if not (DUEL in study.contests and study.tally.has_matchups):
        return pd.DataFrame(columns=["name", "estimate", "low", "high", "n"])
    every = pairs(matrix(study.tally, study.names))
    frame = every[(every["name"] == subject.name) & (every["n"] >= SENTENCE_GAMES)].assign(name=every["opponent_name"])
    frame = frame[["name", "estimate", "low", "high", "n"]]
    return frame.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


def worth_in_report(study: Study, subject: Subject, row: pd.Series) -> pd.DataFrame:
    """What its abilities or cards are worth, see `carrying.worths`. row: its win rate."""
    seconds = WORTH_SECONDS * study.scale
    own = part_of(study.main(min(study.contests)), 0, study.budget.games, subject.unit)
    own = replace(own, index=own.index[: max(LEAST_PAIRS, study.games_in(seconds / 2))])
    shares = Shares.of(own, lambda games: study.player.play(games, f"games of {subject.name}"))
    return carried_by(study, subject, Evidence(row, own, shares, tally=study.card_tally), seconds)


def steps_words(name: str, within: pd.DataFrame, steps: pd.DataFrame) -> str:
    """The sentence on the single steps of an entrant. within: those that reach the band."""
    if len(within):
        return f"{name} becomes fair with {', or with '.join(step_words(row) for row in records(within.head(SETTINGS)))}."
    if not len(steps):
        return f"No single step brings {name} nearer to the fair band."
    best = steps.iloc[int(steps["chance"].to_numpy().argmax())].to_dict()
    return f"No single step makes {name} fair; nearest comes {step_words(best)}."


def step_words(row: Mapping[Any, Any]) -> str:
    """A step and the win rate with it."""
    return f"{row['label']} from {row['before']} to {row['after']} ({percent(row['rate'])})"
