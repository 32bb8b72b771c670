"""The pages of a report: their sections, headlines and facts.

The first page answers the questions of `selection.first_page`, and the appendix the others. The page "what to change" leads to
the numbers that a designer should change.

An answerer answers a question of its type about a study, or returns None if the game lacks something that the answer
needs (a second seat, rolls with known odds); the question is then left out. Answerers know no game: the question names all that
they read. The sections of the page "what to change" work for every game, or return None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

from analysis.answer.model import NOTES_ON_A_PAGE, Answer, DrawnChart, NoAnswerError, Section
from analysis.answer.numbers import count
from analysis.answer.page import Fact, Finding, Page
from analysis.answer.prose import at_seats
from analysis.answer.tables import Table
from analysis.catalogue import QUESTIONS, find
from analysis.data.budget import LEAST_GAMES
from analysis.data.encounters import DUEL
from analysis.data.names import title_of
from analysis.data.study import Study
from analysis.dice.exact import of_rolls
from analysis.questions import cardstats
from analysis.questions import loadouts as loadout_answer
from analysis.questions.dice import answer_of
from analysis.questions.first_by_pairing import first_by_pairing
from analysis.questions.first_mover import first_mover
from analysis.questions.matchups import of_main_games
from analysis.report.enough import TOO_FEW, has_games
from analysis.report.links import CHANGE, links, parts_of
from analysis.report.provenance import made_with
from analysis.report.selection import first_page
from analysis.tuning.goal import NoNumberError, TooFewGamesError
from analysis.variants.sensitivity import found_by
from sim.engine import questions as ask

REPEATED = "before"  # heading of win rates in the games of a change, which begin with those of the first page

Builder = Callable[[Study], Section | None]


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


def asked(study: Study, name: str, **arguments: Any) -> Section | None:
    """The section of a question of the catalogue; None if there is no answer."""
    question = find(name)
    try:
        return section_of(name, question.title, question.answer(study, **arguments))
    except NoAnswerError:
        return None


def matchups(study: Study) -> Section | None:
    """Who beats whom in pairs of games, and what players would choose who know it."""
    return asked(study, "matchups", games=study.budget.pair_games)


def seats(study: Study) -> Section | None:
    """What going first is worth, also under other rules."""
    return asked(study, "seats", games=study.budget.pair_games)


FEW_CHANGES, MANY_CHANGES = 3, 6  # maximum number of changes that a report proposes
SMALL = 100_000  # games below which it proposes few


def tuning(study: Study) -> Section | None:
    """The fewest changes that make all win equally often; None if nothing can be changed."""
    tune, games = find("tune"), study.budget.tune_games
    if not study.contests or len(study.units) < DUEL:
        return None
    try:
        found = tune.answer(study, games=games, max_changes=MANY_CHANGES if games >= SMALL else FEW_CHANGES)
    except NoNumberError:
        return None
    except TooFewGamesError as error:
        found = Answer(
            f"{count(games)} games, the budget of this page, are too few to propose changes better than chance; it takes at "
            f"least {count(error.least)}.",
            notes=(f"To look for changes: fairfight tune {study.game.name} --games N.",),
        )
    return section_of("tuning", tune.title, found)


def sensitivity(study: Study) -> Section | None:
    """Which numbers move balance most; None if no number can be changed, or the games are too few."""
    result, asked = found_by(study), find("sensitivity")
    return None if result is None or result.frame.empty else section_of("sensitivity", asked.title, asked.answer(study))


BUILDERS: tuple[Builder, ...] = (matchups, seats, sensitivity, tuning)


def sections(study: Study) -> list[Section]:
    """Sections of the page "what to change", in the order of a decision: who, why, what."""
    built = []
    for build in BUILDERS:
        section = build(study)
        built += [section] if section else []
        study.step()
    return built


def steps_of(study: Study) -> int:
    """Number of questions on all pages of a game, as `Study.step` counts them."""
    return len(questions_of(study)) + (len(BUILDERS) if study.contests else 0) + (DUEL in study.contests)


FIRST = ("tuning", "sensitivity", "seats")  # sections whose first sentences form the headline, in this order


def change_page(study: Study, command: str = "") -> Page | None:
    """Build the page "what to change"; None for games without opponents. command: reproduces the page and is shown on it."""
    built = sections(study) if study.contests else []
    if not built:
        return None
    return Page(
        title=f"{title_of(study.game, study.cards)}: what to change",
        subtitle=f"{study.cards.title}, {at_seats(min(study.contests))}, with {study.players}",
        game=study.game.name,
        headline=_headline(built),
        sections=tuple(built),
        facts=_facts(study, command),
        part=CHANGE,
        links=links(parts_of(study), CHANGE),
    )


def _headline(built: list[Section]) -> tuple[Finding, ...]:
    """The answers of the sections that recommend changes."""
    answers = {section.id: section.answer for section in built}
    return tuple(Finding(answers[name]) for name in FIRST if name in answers)


def _facts(study: Study, command: str) -> tuple[Fact, ...]:
    """Facts needed to repeat the page "what to change"."""
    budget = study.budget
    games = {
        "in pairs from all seats, for matchups and seats": budget.pair_games,
        "for all numbers one step up and down": budget.sensitivity_games,
        "to search for changes and to test them": budget.tune_games,
        "replayed with every position": budget.replays,
    }
    return (
        Fact("Policy", f"{study.policy} in every seat: {study.policy.in_words}"),
        Fact("Games", "; ".join(f"about {count(number)} {words}" for words, number in games.items())),
        Fact("Seed", f"{study.seed} and the following ones, for games that are independent of a selection"),
        *made_with(study, command),
    )


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
    if "games" in arguments:
        arguments["games"] = max(LEAST_GAMES, round(study.scale * arguments["games"]))
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
    named = {one.question for one in own if isinstance(one, ask.Ask)}
    usual = [find(name) for name in QUESTIONS if name not in named] if study.contests else []
    return own + [ask.Ask(one.name, one.title, one.chapter, one.name) for one in usual if one.chapter]


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
