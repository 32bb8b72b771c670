"""How a report was made: games, cards, versions, command, and the source of every number."""

from __future__ import annotations

import platform
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from analysis.answer.cards import weights_words
from analysis.answer.model import NoAnswerError
from analysis.answer.numbers import count
from analysis.answer.page import Fact
from analysis.answer.prose import at_seats, listed, number_word, some, value_words
from analysis.answer.tables import Table
from analysis.data.decks import making_of
from analysis.data.study import Study
from analysis.variants.parameter_effects import multiple
from sim.engine import questions as ask

PACKAGE = "fairfight"
BESIDE = ("numpy", "numba", "scipy", "statsmodels")


def subtitle(study: Study) -> str:
    """What is compared, at which numbers of seats, and who plays."""
    seats = listed([number_word(number) for number in study.seats])
    where = f"at {seats} seat{'' if study.seats == (1,) else 's'}"
    return f"{study.cards.title}: {_compared(study)} {where}, with {study.players}"


def _compared(study: Study) -> str:
    """Sentence part on what is compared: the entrants, or the parts and their teams."""
    if study.teams:
        teams = f"{count(len(study.names))} {study.game.entrants_word}"
        return f"{count(study.teams.parts)} {study.units_word} in {teams} of {number_word(study.teams.size)}"
    return some(len(study.names), study.game.entrant_word)


def facts(study: Study, command: str) -> tuple[Fact, ...]:
    """Facts needed to repeat the report, and the command that does it."""
    designs = {number: study.main(number) for number in study.seats}
    words = {
        number: main.design if main.design[0].isdigit() else f"{count(main.games)} games, {main.design}"
        for number, main in designs.items()
    }
    other = study.beside
    beside = [Fact("Policy beside it", f"{other} in every seat: {other.in_words}; the same number of games")] if other else []
    further = "; ".join(_further(study))
    return (
        Fact("Policy", f"{study.policy} in every seat: {study.policy.in_words}"),
        *beside,
        *(Fact(f"Games {at_seats(number)}", design) for number, design in words.items()),
        *([Fact("Other games", further)] if further else []),
        Fact("Seed", f"{study.seed}, dice keyed by seat"),
        *made_with(study, command),
    )


def made_with(study: Study, command: str) -> tuple[Fact, ...]:
    """The cards, the versions and the command, for every page of a game."""
    named = f"{study.cards.title}, digest {study.cards.digest}"
    versions = [
        f"{PACKAGE} {_version(PACKAGE)}",
        f"Python {platform.python_version()}",
        *(f"{name} {_version(name)}" for name in BESIDE),
    ]
    return (
        Fact("Card set", "; ".join(filter(None, (named, weights_words(study.cards))))),
        *([Fact("Decks", f"{count(len(study.names))}: {listed(study.names)}")] if study.game.decks else []),
        *([Fact("Making of the decks", "; ".join(made))] if (made := making_of(study.cards)) else []),
        Fact("Versions", ", ".join(versions)),
        *([Fact("Command", command, code=True)] if command else []),
    )


def _further(study: Study) -> list[str]:
    """Further games played for the questions of the game."""
    budget, entrant, entrants = study.budget, study.game.entrant_word, study.game.entrants_word
    asked = {_kind(question): question for question in study.game.questions}
    fresh, again = f"(seed {study.fresh_seed})", f"(seed {study.retest_seed})"
    left_out = set()  # questions that there is no time for

    def games(kind: type[ask.Question], usual: int, name: str = "") -> str:
        question = asked.get((kind, name))
        try:
            if isinstance(question, ask.Ask):
                return count(multiple(usual, question.arguments.get("scale", 1)))
            return count(study.games_for(question, usual) if question else usual)
        except NoAnswerError:
            left_out.add((kind, name))
            return ""

    step_games, deck_games = (partial(games, usual=number) for number in (budget.step_games, budget.deck_games))
    named = f"{count(budget.retest_games)} for the step that is named {again}"
    phrases = {
        (
            ask.Ask,
            "parameters",
        ): f"about {step_games(ask.Ask, name='parameters')} of the outlier for each number changed by one step (seed "
        f"{study.fresh_seed}, so not the games that selected it), {named}, and at other numbers of seats as many as "
        "take the same time",
        (
            ask.Ask,
            "card_parameters",
        ): f"about {step_games(ask.Ask, name='card_parameters')} of each {entrant} tried for every number of "
        f"its cards that moved most in a first look {fresh}, {named}",
        (
            ask.Ask,
            "keywords",
        ): f"about {deck_games(ask.Ask, name='keywords')} of each {entrant} tried without each of its keywords {fresh}",
        (ask.Loadouts, ""): f"about {deck_games(ask.Loadouts)} of each {entrant} tried with each of its loadouts {fresh}",
        (
            ask.Ask,
            "shared_parameters",
        ): f"about {games(ask.Ask, budget.shared_games, 'shared_parameters')} for each number that belongs "
        f"to no {study.unit_word}, changed by one step {fresh}, {count(budget.retest_games)} for the steps that are named "
        f"{again}",
        (ask.Dice, ""): f"{count(budget.rolls)} samples of each roll",
    }
    if study.game.decks:
        phrases[ask.Cards, ""] = f"about {deck_games(ask.Cards)} of each {entrant} examined for every card replaced {fresh}"
    phrases[ask.Ask, "variants"] = (
        f"about {count(budget.variant_games)}, or the multiple that the game asks for, for each rule variant"
    )
    phrases[ask.Ask, "draft"] = f"{count(budget.draft_games)} drafts by each policy {fresh}"
    retest = f"about {count(budget.retest_games)} of each of the best and the worst {entrants} {again}"
    league = any(
        isinstance(one, ask.Ask) and (one.question, one.arguments.get("by")) == ("teams", "team") for one in study.game.questions
    )
    return [*(words for kind, words in phrases.items() if kind in asked and kind not in left_out), *([retest] if league else [])]


def _kind(question: ask.Question) -> tuple[type[ask.Question], str]:
    """The type of a question, with its name in the catalogue or its field `by`."""
    return type(question), question.question if isinstance(question, ask.Ask) else getattr(question, "by", "")


def provenance(study: Study) -> tuple[Table, ...]:
    """Every number of the card file with its source, and the rules as interpreted."""
    numbers = tuple((number.path, number.value, number.source) for number in study.cards.provenance)
    rules = tuple((name.replace("_", " "), value_words(value)) for name, value in study.cards.switches.items())
    tables = [Table("numbers", ("field", "value", "source"), numbers, "Where every number comes from")] if numbers else []
    return (*tables, *([Table("rules", ("rule", "as played"), rules, "How the rules are read")] if rules else []))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "from source"
