"""The page "what to change": a proposal for all unfair entrants, then each of them explained, with commands.

Quick players look for single steps, and the strong ones test them, in the time of `SECONDS`; `tune` goes on to several changes.
If a turn position is unfair, the page shows which rule makes up for it. Games without anything surely unfair have no such page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from analysis.answer.model import NoAnswerError, Section
from analysis.answer.numbers import count
from analysis.answer.page import Fact, Finding, Page
from analysis.answer.prose import at_seats
from analysis.catalogue import find
from analysis.data.commands import command as command_line
from analysis.data.names import title_of
from analysis.data.study import Study
from analysis.questions.tune import answer_of, single_steps_table
from analysis.report.enough import TOO_FEW
from analysis.report.explained import explained_section
from analysis.report.headline import is_first_unfair, unfair_units
from analysis.report.links import CHANGE, links, parts_of
from analysis.report.pages import section_of
from analysis.report.provenance import made_with
from analysis.tuning.confirm import Tuned
from analysis.tuning.goal import Goal, NoNumberError
from analysis.tuning.named import tune_named
from analysis.tuning.steps import Start

SECONDS = 5.0  # of games of this page on two cores, of a report of the usual size
ENTRANTS = 4  # the farthest from fair are considered
STEPS = 6  # rows of a table of single steps
RULES = "parameters"  # table and chart of `seats` on the values of rules


def change_page(study: Study, command: str = "") -> Page | None:
    """Build the page; None if nothing is surely unfair, or nothing can be changed. command: reproduces the page."""
    built = [*sections(study)] if study.contests else []
    if study.contests:
        study.step()
    if not built:
        return None
    return Page(
        title=f"{title_of(study.game, study.cards)}: what to change",
        subtitle=f"{study.cards.title}, {at_seats(min(study.contests))}, with {study.players}",
        game=study.game.name,
        headline=tuple(Finding(section.answer, "note", text) for section, text in built if text),
        sections=tuple(section for section, _ in built),
        facts=_facts(study, command),
        part=CHANGE,
        links=links(parts_of(study), CHANGE),
    )


def sections(study: Study) -> list[tuple[Section, str]]:
    """Sections of the page, with the command that continues those of the headline; empty for an entrant alone."""
    unfair = unfair_units(study).head(ENTRANTS)
    built = tuning(study, unfair) if len(unfair) else []
    section = seats(study) if is_first_unfair(study) else None
    return [*built, *([(section, command_line(study, "seats"))] if section else [])]


def seats(study: Study) -> Section | None:
    """The values of rules that make up for going second; None if the game has none. The first page has the rest."""
    if not study.game.seat_parameters:
        return None
    question = find("seats")
    try:
        answer = question.answer(study, games=study.budget.pair_games)
    except NoAnswerError:
        return None
    tables = tuple(table for table in answer.tables if table.id == RULES)
    if not tables:
        return None
    charts = tuple(chart for chart in answer.charts if chart.id == RULES)
    sentence, *notes = (*answer.warnings, *answer.notes)
    new = replace(answer, summary=sentence, tables=tables, charts=charts, notes=tuple(notes[:1]), warnings=())
    section = section_of(question.name, "Which rule makes up for going second?", new)
    return None if section.answer == TOO_FEW else section


def tuning(study: Study, unfair: pd.DataFrame) -> list[tuple[Section, str]]:
    """A proposal for all unfair entrants, and each of them explained; nothing if no number of theirs can be changed.

    unfair: see `headline.unfair_units`.
    """
    units = tuple(unfair["unit"].astype(int))
    starts = {
        int(row["unit"]): Start(row["estimate"], (row["estimate"] * (1 - row["estimate"]) / row["n"]) ** 0.5, row["fair"])
        for row in unfair.to_dict("records")
    }
    quick = study.searcher
    try:
        tuned, frame = tune_named(quick, Goal(only=units), SECONDS * study.scale, starts=starts, several=False)
    except NoNumberError:
        return []
    settings = [f"--only={study.unit_ids[unit]}" for unit in units]
    proposal = section_of("tuning", "Which changes make all of them fair?", answer_of(quick, tuned, frame))
    tables = tuple(table for table in proposal.tables if not table.id.endswith("single_steps"))
    holds = tuned.reached and proposal.answer != TOO_FEW
    built = [(replace(proposal, tables=tables), command_line(study, "tune", *settings) if holds else "")]
    steps = frame[frame["reaches"]].groupby("entrant", sort=False)["setting"].first()
    proposes = holds  # what holds for all of them, else the step of the first that has one
    for row in unfair.to_dict("records"):
        setting = steps.get(study.unit_ids[int(row["unit"])], "")
        effect = command_line(study, "whatif", "--set", setting) if setting and not proposes else ""
        proposes = proposes or bool(setting)
        built.append((of_entrant(study, tuned, frame, row), effect))
    return built


def of_entrant(study: Study, tuned: Tuned, frame: pd.DataFrame, unfair: Mapping[Any, Any]) -> Section:
    """The section on an entrant. unfair: its row of `unfair_units`; frame: single steps of all."""
    unit = int(unfair["unit"])
    steps = frame[frame["entrant"] == study.unit_ids[unit]]
    within = steps[steps["reaches"]]
    listed = (within if len(within) else steps).head(STEPS).reset_index(drop=True)
    return explained_section(study, unfair, steps, replace(single_steps_table(replace(tuned, focus=(unit,)), listed), id="steps"))


def _facts(study: Study, command: str) -> tuple[Fact, ...]:
    """Facts needed to repeat the page."""
    quick = study.searcher
    found = f"{quick.policy} looks for candidates, " if quick is not study else ""
    return (
        Fact("Policy", f"{found}{study.policy} tests them: {study.policy.in_words}"),
        Fact(
            "Games", f"of about {count(SECONDS * study.scale)} seconds on two cores; {count(study.budget.pair_games)} for seats"
        ),
        Fact("Seed", f"{study.seed}; games that test a step or a proposal have seeds of their own"),
        *made_with(study, command),
    )
