"""The page "better players": its sections put together, with what comes first and how it was made."""

from __future__ import annotations

from analysis.encounters import DUEL
from analysis.naming import title_of
from analysis.report.better.sections import CONCLUSIONS, LADDER, conclusions, course, ladder
from analysis.report.change.page import first_sentence
from analysis.report.facts import made_with
from analysis.report.links import BETTER, links, parts_of
from analysis.report.model import Fact, Finding, Page, Section
from analysis.rows import Rows
from analysis.skill import Gather, Plan, Skill, joined, skill
from analysis.skill_levels import report_levels
from analysis.study import Study
from analysis.wording import count
from sim.experiment import Experiment


def better_page(study: Study, command: str = "") -> Page | None:
    """Build the page of a study; None where it cannot be played at two seats. command: what reproduces it, shown on it."""
    if BETTER not in parts_of(study):
        return None
    found = played(study)
    sections = [one for one in (ladder(found), conclusions(found, str(study.policy)), course(found)) if one is not None]
    return Page(
        title=f"{title_of(study.game, study.cards)}: better players",
        subtitle=f"{study.cards.title}, at two seats, from {found.names[0]} to {found.names[-1]}",
        game=study.game.name,
        headline=_headline(found, sections),
        sections=tuple(sections),
        facts=_facts(study, found, command),
        part=BETTER,
        links=links(parts_of(study), BETTER),
    )


def _headline(found: Skill, sections: list[Section]) -> tuple[Finding, ...]:
    """How far skill goes, who is strongest at each level, and how many conclusions of the report hold."""
    said = [section.answer for section in sections if section.id in (LADDER, CONCLUSIONS)]
    if len(found.names) > 1:
        said.append(said[-1].removeprefix(first_sentence(said[-1])).strip())
    return tuple(Finding(first_sentence(answer)) for answer in said if answer)


def played(study: Study) -> Skill:
    """Play the levels that a report tells of."""
    teams = study.teams
    each = study.budget.skill_games * DUEL * (teams.size if teams else 1) // len(study.units)
    levels = report_levels(study.game, study.policy)
    games = (max(DUEL, each), max(DUEL, study.budget.skill_pairs))
    return skill(Plan(study.game, study.cards, levels, DUEL, *games, study.seed), _gather(study))


def _gather(study: Study) -> Gather:
    """Play as the study does."""

    def gather(experiment: Experiment, words: str) -> tuple[Rows, bool]:
        play = study.player(words, experiment.games)
        return joined([block.rows.copy() for block in play(experiment)]), False

    return gather


def _facts(study: Study, found: Skill, command: str) -> tuple[Fact, ...]:
    """Whatever one must know to repeat the page."""
    plan = found.plan
    levels = [Fact(str(level), f"{level.in_words}") for level in plan.levels]
    alone, meeting = plan.alone(0).games, plan.meeting(0, 1).games
    return (
        *levels,
        Fact("Games", f"{count(alone)} with each level in every seat; {count(meeting)} of every two levels"),
        Fact("Seed", f"{study.seed}, and those that follow it where two levels meet"),
        *made_with(study, command),
    )
