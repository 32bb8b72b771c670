"""The questions of a report, answered as sections of its pages.

The first page answers the questions of `selection.first_page`, and the appendix the others.

An answerer answers a question of its type about a study, or returns None if the game lacks something that the answer
needs (a second seat, rolls with known odds); the question is then left out. Answerers know no game: the question names all that
they read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from analysis.answer.model import NOTES_ON_A_PAGE, Answer, DrawnChart, NoAnswerError, Section
from analysis.answer.tables import Table
from analysis.catalogue import QUESTIONS, find, unknown_arguments
from analysis.data.budget import LEAST_GAMES
from analysis.data.encounters import DUEL
from analysis.data.study import Study
from analysis.dice.exact import of_rolls
from analysis.questions import cardstats
from analysis.questions import loadouts as loadout_answer
from analysis.questions.dice import answer_of
from analysis.questions.first_by_pairing import first_by_pairing
from analysis.questions.first_mover import first_mover
from analysis.questions.matchups import of_main_games
from analysis.report.enough import TOO_FEW, has_games
from analysis.report.selection import first_page
from sim.engine import questions as ask
from sim.engine.questions import mistakes_in

REPEATED = "before"  # heading of win rates in the games of a change, which begin with those of the first page


def section_of(id_: str, text: str, answer: Answer) -> Section:
    """A section of a page. text: the question as its heading. A sentence about too few games is left out."""
    enough = has_games(answer)
    sentence = answer.summary if enough else TOO_FEW
    charts = [
        DrawnChart(
            f"{id_}-{chart.id}" if chart.id else id_,
            chart.draw(),
            chart.title,
            f"{chart.title} {sentence}",
            chart.narrow() if chart.narrow else None,
        )
        for chart in answer.charts
    ]
    shown = [replace(table, id=f"{id_}-{table.id}") for table in answer.tables if not table.hidden]
    note = " ".join((*answer.warnings, *answer.notes[:NOTES_ON_A_PAGE])) if enough else ""
    return Section(id_, text, sentence, tuple(charts), tuple(shown), note)


def steps_of(study: Study) -> int:
    """Number of questions on all pages of a game, as `Study.step` counts them."""
    return len(questions_of(study)) + (1 if study.contests else 0) + (DUEL in study.contests)


def dice(study: Study, asked: ask.Dice) -> Answer | None:
    """Exact and simulated chances of every roll; None if the game has no rolls."""
    rolls = study.game.rolls(study.cards) if study.game.rolls else []
    if not rolls:
        return None
    rolled = [*of_rolls(rolls, study.budget.rolls, study.seed, study.player.watch)]
    return answer_of(rolled, asked.result)


Answerer = Callable[[Study, Any], Answer | None]  # of a study and a question of one type


def answered(study: Study, asked: ask.Ask) -> Answer | None:
    """The answer to a question of the catalogue; its games are multiplied by the scale of the report.

    None if the game cannot be played at its seats, or the answer has no table.
    """
    question = find(asked.question)
    if asked.seats and asked.seats not in study.seats:
        return None
    if asked.seats or asked.games != 1:
        study = study.at(asked.seats, asked.games)
    arguments = {**question.in_report, **asked.arguments}
    if callable(games := arguments.get("games")):
        arguments["games"] = games(study)
    elif games is not None:
        arguments["games"] = max(LEAST_GAMES, round(study.scale * games))
    answer = question.answer(study, **arguments)
    return answer if answer.tables else None


def win_rates(study: Study, _: ask.WinRates) -> Answer:
    """The answer of `winrates`."""
    return find("winrates").answer(study, games=study.budget.games)


def going_first(study: Study, question: ask.FirstPlayer) -> Answer:
    """What going first is worth, by pairing of entrants, or by policy and value of a rule."""
    return first_by_pairing(study) if question.by == "pairing" else first_mover(study, question)


ANSWERERS: dict[type[ask.Question], Answerer] = {
    ask.Ask: answered,
    ask.WinRates: win_rates,
    ask.Matchups: lambda study, _: of_main_games(study),
    ask.FirstPlayer: going_first,
    ask.Cards: cardstats.in_report,
    ask.Loadouts: loadout_answer.in_report,
    ask.Dice: dice,
}


def answer(study: Study, question: ask.Question) -> Answer | None:
    """Answer a question. None if the game lacks what the answer needs: a second seat, decks, rolls with known odds."""
    try:
        return ANSWERERS[type(question)](study, question)
    except NoAnswerError:
        return None


def answered_section(study: Study, question: ask.Question) -> Section | None:
    """The section of a question; None as for `answer`. Win rates that the first page has from more games are left out."""
    reply = answer(study, question)
    if reply is None:
        return None
    section = section_of(question.id, question.text, reply)
    return replace(section, tables=tuple(without(table, REPEATED) for table in section.tables))


def without(table: Table, heading: str) -> Table:
    """A table without a column."""
    if heading not in table.columns:
        return table
    at = table.columns.index(heading)
    columns = (*table.columns[:at], *table.columns[at + 1 :])
    return replace(table, columns=columns, rows=tuple((*row[:at], *row[at + 1 :]) for row in table.rows))


CHAPTERS: dict[ask.Chapter, str] = {
    "unfair": "What is unfair, and how certain that is",
    "why": "Why",
    "change": "What to change",
    "run": "How the game runs",
    "details": "Details",
}


def questions_of(study: Study) -> list[ask.Question]:
    """The questions of a report: those that the game names, and those of the catalogue that every game is asked."""
    own = [*study.game.questions]
    check_questions(own)
    named = {one.question for one in own if isinstance(one, ask.Ask)}
    usual = [find(name) for name in QUESTIONS if name not in named] if study.contests else []
    return own + [ask.Ask(one.name, one.title, one.chapter, one.name) for one in usual if one.chapter]


def check_questions(questions: Sequence[ask.Question]) -> None:
    """Raise ValueError for a question of a game that cannot be asked: of no kind or chapter, or with an unknown argument."""
    for mistake in (*mistakes_in(questions), *unknown_arguments(questions)):
        raise ValueError(mistake)


def asked_of(study: Study) -> list[ask.Question]:
    """All questions of a game: chapter by chapter, and in each in the order of `questions_of`."""
    questions, order = questions_of(study), list(CHAPTERS)
    chapters = {question.id: question.chapter for question in questions}
    return sorted(questions, key=lambda one: order.index(chapters[one.continues or one.id]))


def first_page_of(study: Study) -> list[ask.Question]:
    """The questions of a game's first page, in the order of `asked_of`."""
    return first_page(study, asked_of(study))


def appendix_of(study: Study) -> list[ask.Question]:
    """The questions of a game's appendix, in the order of `asked_of`."""
    first = {question.id for question in first_page_of(study)}
    return [question for question in asked_of(study) if question.id not in first]


def sections_of(study: Study, asked: Iterable[ask.Question]) -> Iterator[tuple[tuple[Section, ...], list[str]]]:
    """Answer questions; yields all sections so far when a chapter is finished, and the chapters that are still to come.

    The section of a question that continues another one is joined to it.
    """
    built: dict[str, Section] = {}
    names = {question.id: CHAPTERS[question.chapter] for question in questions_of(study)}
    chapters = {name: [*part] for name, part in groupby(asked, lambda one: names[one.continues or one.id])}
    coming = [*chapters]
    for chapter, questions in chapters.items():
        for question in questions:
            section = answered_section(study, question)
            if section and question.continues in built:
                built[question.continues] = _joined(built[question.continues], section)
            elif section:
                built[question.id] = replace(section, chapter=chapter)
            study.step()
        coming.remove(chapter)
        yield tuple(built.values()), coming


def _joined(first: Section, second: Section) -> Section:
    """One section with the figures, tables and notes of both; the second answer is the first note."""
    return replace(
        first,
        figures=first.figures + second.figures,
        tables=first.tables + second.tables,
        note=" ".join(part for part in (second.answer, first.note, second.note) if part),
    )
