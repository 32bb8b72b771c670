"""The page "what to change": its sections put together, with what comes first and how it was made."""

from __future__ import annotations

import re

from analysis.naming import title_of
from analysis.report.answers.prose import at_seats
from analysis.report.change import sections
from analysis.report.facts import made_with
from analysis.report.links import CHANGE, links, parts_of
from analysis.report.model import Fact, Finding, Page, Section
from analysis.study import Study
from analysis.wording import count

FIRST = ("tuning", "sensitivity", "seats")  # sections whose first sentence stands on top, in this order


def change_page(study: Study, command: str = "") -> Page | None:
    """Build the page of a study; None where nobody plays against anybody. command: what reproduces it, shown on it."""
    found = sections(study) if study.contests else []
    if not found:
        return None
    return Page(
        title=f"{title_of(study.game, study.cards)}: what to change",
        subtitle=f"{study.cards.title}, {at_seats(min(study.contests))}, with {study.policy} in every seat",
        game=study.game.name,
        headline=_headline(found),
        sections=tuple(found),
        facts=_facts(study, command),
        part=CHANGE,
        links=links(parts_of(study), CHANGE),
    )


def _headline(found: list[Section]) -> tuple[Finding, ...]:
    """The first sentence of the sections that say what to do."""
    answers = {section.id: section.answer for section in found}
    return tuple(Finding(first_sentence(answers[name])) for name in FIRST if name in answers)


def first_sentence(text: str) -> str:
    """The first sentence of a text; a full stop within a number or an abbreviation ends none."""
    return re.split(r"(?<=[.])\s+(?=[A-Z“])", text, maxsplit=1)[0]


def _facts(study: Study, command: str) -> tuple[Fact, ...]:
    """Whatever one must know to repeat the page."""
    budget = study.budget
    games = {
        "in pairs from all seats, for matchups and seats": budget.pair_games,
        "for all numbers one step up and down": budget.sensitivity_games,
        "for interactions": budget.screen_games,
        "to search for changes and to test them": budget.tune_games,
        "replayed with every position": budget.replays,
    }
    return (
        Fact("Policy", f"{study.policy} in every seat: {study.policy.in_words}"),
        Fact("Games", "; ".join(f"about {count(number)} {words}" for words, number in games.items())),
        Fact("Seed", f"{study.seed} and those that follow it, for games that had no part in a choice"),
        *made_with(study, command),
    )
