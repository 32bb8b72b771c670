"""The page "what to change": the single steps of each unfair entrant, then a proposal for all of them, with commands.

Quick players look for candidates, and the strong ones test them, in the time of `SECONDS`. If a turn position is unfair, the page
shows which rule makes up for it. Games in which nothing is surely unfair have no such page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from analysis.answer.model import Answer, NoAnswerError, Section
from analysis.answer.numbers import count, percent
from analysis.answer.page import Fact, Finding, Page
from analysis.answer.prose import at_seats
from analysis.catalogue import find
from analysis.data.commands import command as command_line
from analysis.data.names import policy_of, title_of
from analysis.data.players import QUICK, strong_player, thought
from analysis.data.study import Study
from analysis.questions.tune import answer_of, single_steps_table
from analysis.report.enough import TOO_FEW
from analysis.report.headline import is_first_unfair, unfair_units
from analysis.report.links import CHANGE, links, parts_of
from analysis.report.pages import section_of
from analysis.report.provenance import made_with
from analysis.tuning.confirm import Tuned
from analysis.tuning.goal import Goal, NoNumberError
from analysis.tuning.named import tune_named
from analysis.tuning.steps import Start

SECONDS = 40.0  # of games of this page on two cores, of a report of the usual size
ENTRANTS = 4  # the farthest from fair are considered
STEPS = 6  # rows of a table of single steps
RULES = "parameters"  # table and chart of `seats` on the values of rules
COMMANDS = 3  # settings that a section names


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
        headline=tuple(Finding(section.answer, "note", text) for section, text in built),
        sections=tuple(section for section, _ in built),
        facts=_facts(study, command),
        part=CHANGE,
        links=links(parts_of(study), CHANGE),
    )


def sections(study: Study) -> list[tuple[Section, str]]:
    """Sections of the page, each with a command that continues it."""
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
    """The single steps of each unfair entrant, and a proposal for all; nothing if no number of theirs can be changed.

    unfair: see `headline.unfair_units`.
    """
    units = tuple(unfair["unit"].astype(int))
    starts = {
        int(row["unit"]): Start(row["estimate"], (row["estimate"] * (1 - row["estimate"]) / row["n"]) ** 0.5, row["fair"])
        for row in unfair.to_dict("records")
    }
    quick = searching(study)
    try:
        tuned, frame = tune_named(quick, Goal(only=units), SECONDS * study.scale, starts=starts)
    except NoNumberError:
        return []
    built = [(steps_section(study, tuned, frame, unit), _whatif(study, frame, unit)) for unit in units]
    settings = [f"--only={study.unit_ids[unit]}" for unit in units]
    proposal = section_of("tuning", "Which changes make all of them fair?", answer_of(quick, tuned, frame))
    tables = tuple(table for table in proposal.tables if not table.id.endswith("single_steps"))
    return [(replace(proposal, tables=tables), command_line(study, "tune", *settings)), *built]


def searching(study: Study) -> Study:
    """The study with quick players, whose finds the strong ones test; unchanged if others play."""
    quick, strong = policy_of(QUICK), strong_player(study.game)
    if study.policy != strong or thought(quick) >= thought(strong):
        return study
    return replace(study, policy=quick, quick=True)


def steps_section(study: Study, tuned: Tuned, frame: pd.DataFrame, unit: int) -> Section:
    """The section on the single steps of an entrant."""
    name, id_ = study.units[unit], study.unit_ids[unit]
    rows = frame[frame["entrant"] == id_]
    within = rows[rows["reaches"]]
    shown = (within if len(within) else rows).head(STEPS).reset_index(drop=True)
    table = replace(single_steps_table(replace(tuned, focus=(unit,)), shown), id="steps")
    settings = [f"--set {setting}" for setting in shown["setting"].head(COMMANDS)]
    note = (
        f"To see what a step does to every {study.unit_word}: {command_line(study, 'whatif')} {settings[0]}." if settings else ""
    )
    answer = Answer(steps_words(name, within, rows), (table,) if len(shown) else (), notes=(note,))
    return section_of(f"steps-{id_}", f"Which single step makes {name} fair?", answer)


def steps_words(name: str, within: pd.DataFrame, rows: pd.DataFrame) -> str:
    """The sentence on the single steps of an entrant. within: those that reach the band; rows: all."""
    if len(within):
        words = [
            f"{row['label']} from {row['before']} to {row['after']} ({percent(row['rate'])})" for _, row in within.iterrows()
        ]
        return f"{name} becomes fair with {', or with '.join(words[:COMMANDS])}."
    if not len(rows):
        return f"No single step brings {name} nearer to the fair band."
    best = rows.iloc[int(rows["chance"].to_numpy().argmax())].to_dict()
    return f"No single step makes {name} fair; nearest comes {step_words(best)}."


def step_words(row: Mapping[Any, Any]) -> str:
    """A step and the win rate with it."""
    return f"{row['label']} from {row['before']} to {row['after']} ({percent(row['rate'])})"


def _whatif(study: Study, frame: pd.DataFrame, unit: int) -> str:
    """The command that shows the first single step of an entrant; that of its steps if there is none."""
    settings = frame.loc[frame["entrant"] == study.unit_ids[unit], "setting"]
    if settings.empty:
        return command_line(study, "tune", f"--only={study.unit_ids[unit]}")
    return command_line(study, "whatif", "--set", str(settings.iloc[0]))


def _facts(study: Study, command: str) -> tuple[Fact, ...]:
    """Facts needed to repeat the page."""
    quick = searching(study)
    found = f"{quick.policy} looks for candidates, " if quick is not study else ""
    return (
        Fact("Policy", f"{found}{study.policy} tests them: {study.policy.in_words}"),
        Fact(
            "Games", f"of about {count(SECONDS * study.scale)} seconds on two cores; {count(study.budget.pair_games)} for seats"
        ),
        Fact("Seed", f"{study.seed}; games that test a step or a proposal have seeds of their own"),
        *made_with(study, command),
    )
