"""The appendix of a game: all questions that are not on its first page, each folded below its sentence."""

from __future__ import annotations

from dataclasses import replace

from analysis.answer.model import Section
from analysis.answer.page import Fact, Page
from analysis.catalogue import find
from analysis.data.encounters import DUEL
from analysis.data.names import title_of
from analysis.data.study import Study
from analysis.report.links import APPENDIX, links, parts_of
from analysis.report.pages import appendix_of, section_of, sections_of
from analysis.report.provenance import made_with, subtitle
from analysis.skill.levels import report_levels

LEVELS = "Better players"  # chapter of the question about levels of play


def appendix_page(study: Study, command: str = "") -> Page | None:
    """Build the appendix; None if it is empty. command: reproduces the page and is shown on it."""
    built: tuple[Section, ...] = ()
    for sections, _ in sections_of(study, appendix_of(study)):
        built = sections
    built += tuple(filter(None, [levels(study)]))
    if not built:
        return None
    return Page(
        title=f"{title_of(study.game, study.cards)}: appendix",
        subtitle=subtitle(study),
        game=study.game.name,
        headline=(),
        sections=built,
        facts=(
            *(Fact(str(level), level.in_words) for level in report_levels(study.game, study.policy)),
            *made_with(study, command),
        ),
        part=APPENDIX,
        links=links(parts_of(study), APPENDIX),
        folded=True,
    )


def policies(study: Study) -> list[Fact]:
    """The policies behind the names of levels of play."""
    return [Fact(str(level), level.in_words) for level in report_levels(study.game, study.policy)]


def levels(study: Study) -> Section | None:
    """Whether better players win, and which conclusions hold for them; None without games at two seats."""
    if DUEL not in study.contests:
        return None
    question, names = find("skill"), [str(level) for level in report_levels(study.game, study.policy)]
    section = section_of(question.name, question.title, question.answer(study, levels=names, **level_games(study)))
    study.step()
    return replace(section, chapter=LEVELS)


def level_games(study: Study) -> dict[str, int]:
    """Games of every entrant at each level, and of each pair of levels, that a report can afford."""
    each = study.budget.skill_games * DUEL * (study.teams.size if study.teams else 1) // len(study.units)
    return {"level_games": max(DUEL, each), "pair_games": max(DUEL, study.budget.skill_pairs)}
