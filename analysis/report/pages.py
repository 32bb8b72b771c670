"""The pages of a report: their sections, headlines and facts.

The first page answers the game's questions. The page "what to change" leads to the numbers that a designer should change, the
page "better players" shows the effect of skill and which conclusions hold at every level of play.

An answerer makes a section from a study and a question of its type, or returns None if the game lacks something that the answer
needs (a second seat, rolls with known odds); the question is then left out. Answerers know no game: the question names all that
they read. The sections of the other two pages work for every game, or return None.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from typing import Any

import pandas as pd

from analysis.answer import verdicts
from analysis.answer.cards import weights_words
from analysis.answer.model import NOTES_ON_A_PAGE, Answer, DrawnChart, NoAnswerError, Section
from analysis.answer.numbers import count, percent, points
from analysis.answer.page import Fact, Finding, Page, Tone
from analysis.answer.prose import (
    ASSUMED,
    article,
    at_seats,
    bounds_of,
    capital,
    field_words,
    listed,
    number_word,
    some,
    value_words,
)
from analysis.answer.tables import Table
from analysis.catalogue import QUESTIONS, find
from analysis.data.budget import LEAST_GAMES
from analysis.data.decks import making_of
from analysis.data.encounters import DUEL
from analysis.data.names import title_of
from analysis.data.study import Study
from analysis.data.usage import truncated_share
from analysis.dice.exact import of_rolls
from analysis.questions import cardstats
from analysis.questions import loadouts as loadout_answer
from analysis.questions.dice import answer_of
from analysis.questions.first_by_pairing import first_by_pairing
from analysis.questions.first_mover import first_mover
from analysis.questions.matchups import of_main_games
from analysis.report.links import BETTER, CHANGE, links, parts_of
from analysis.skill.levels import REPORTED, report_levels
from analysis.stats.intervals import proportion
from analysis.teams.findings import of_teams, part_verdicts
from analysis.teams.league import EVEN, team_study
from analysis.tuning.goal import NoNumberError, TooFewGamesError
from analysis.variants.parameter_effects import multiple
from analysis.variants.sensitivity import found_by
from analysis.winrates.section import entrant_rates, places
from sim.engine import questions as ask
from sim.engine.cardfiles.validation import CHANGED

__all__ = ["ANSWERERS", "Answerer", "answer"]

UNFAIR: dict[str, Tone] = {"too strong": "strong", "too weak": "weak"}
TRUNCATED_MOST, UNWON_MOST = 0.05, 0.1  # shares of games at a number of seats up to which win rates are judged
SHOWN = 4  # entrants named one by one
NAMED = 12  # assumed numbers named one by one


def headline(study: Study) -> tuple[Finding, ...]:
    """Findings: first the verdict in one line, then the most important ones. Teams are judged by their parts.

    Games with several seats come first; games for one have no fair share and are described by their success rate. If many games
    are truncated or have no winner, a warning takes the place of all verdicts.
    """
    ended = [_truncated(study), _lost(study)]
    if warning := _unsound(study):
        findings = [warning, *ended, None if study.has_teams else _alone(entrant_rates(study), study), _assumed(study)]
    else:
        verdicts = of_teams(study) if study.has_teams else _of_entrants(study)
        findings = [_verdict(study), *verdicts, *ended, _assumed(study)]
    return tuple(finding for finding in findings if finding is not None)


def _unsound(study: Study) -> Finding | None:
    """Warning if many games are truncated or have no winner: then win rates show the limits of the players."""
    tally, finished = study.tally, study.tally.finished
    truncated = float(truncated_share(study.games_frame)["estimate"].max())
    unwon = max((tally.lost[seats] / finished[seats] for seats in study.contests if finished[seats]), default=0.0)
    wrong = [f"up to {percent(truncated, 0)} of the games are truncated"] if truncated > TRUNCATED_MOST else []
    wrong += [f"up to {percent(unwon, 0)} of the finished ones have no winner"] if unwon > UNWON_MOST else []
    if not wrong:
        return None
    limits = f"Above {percent(TRUNCATED_MOST, 0)} truncated or {percent(UNWON_MOST, 0)} without a winner, win rates show"
    return Finding(
        f"Do not judge this game by its win rates yet: {listed(wrong)}. {limits} the limits of the players ({study.policy}) more "
        f"than the strength of {article(study.unit_word)}, so this page begins without verdicts.",
        "verdict",
    )


def _verdict(study: Study) -> Finding | None:
    """The report in one line: entrants outside the band, entrants not decided, and the worth of going first.

    None if nothing can be judged.
    """
    frame = part_verdicts(study) if study.has_teams else entrant_rates(study)
    known = frame.dropna(subset=[name for name in ("estimate", "fair") if name in frame])
    if known.empty:
        return None
    sure = known["verdict"].isin(list(UNFAIR))
    counts = {verdict: known.loc[sure & (known["verdict"] == verdict), "name"].nunique() for verdict in UNFAIR}
    named = known.loc[sure, "name"].unique()
    fair = [name for name, part in known.groupby("name", observed=True) if (part["verdict"] == "fair").all()]
    unsure = known["name"].nunique() - len(named) - len(fair)
    if len(named):
        parts = [f"not fair: {listed([f'{count(number)} {verdict}' for verdict, number in counts.items() if number])}"]
        parts += [f"{count(unsure)} not decided"] if unsure else []
    elif unsure:
        some_fair = f", {count(len(fair))} of {count(len(fair) + unsure)} surely fair" if fair else ""
        parts = [f"not decided: no {study.unit_word} is surely too strong or too weak{some_fair}"]
    else:
        parts = [f"fair: every {study.unit_word} is within the fair band"]
    return Finding(f"{capital('; '.join([*parts, *_first_worth(study)]))}.", "verdict")


def _first_worth(study: Study) -> list[str]:
    """Sentence part on the worth of going first at the lowest number of seats; empty if no seat goes first."""
    where = ""
    teams = team_study(study)
    if teams:
        model = teams.contributions
        if model is None or not model.first.n:
            return []
        shift, low, high = (value - EVEN for value in (model.first.estimate, model.first.low, model.first.high))
        where = " in an even match"
    else:
        first = _first_places(study)
        if first.empty:
            return []
        row = first.sort_values("seats").iloc[0]
        shift, low, high = row[["estimate", "low", "high"]] - row["fair"]
        where = f" {at_seats(row['seats'])}" if len(study.contests) > 1 else ""
    if low <= 0 <= high:
        return [f"going first has no significant effect{where}"]
    return [f"going first is worth {points(shift)} points{where}"]


def _of_entrants(study: Study) -> list[Finding | None]:
    """Findings on win rates."""
    frame = entrant_rates(study)
    return [_fair(frame), *_unfair(frame), *_others(frame, study), *_first_move(study), _alone(frame, study)]


def _fair(frame: pd.DataFrame) -> Finding | None:
    """The fair band in figures for every number of seats."""
    shares = frame.dropna(subset=["fair"]).groupby("seats")["fair"].first()
    if shares.empty:
        return None
    bands = [f"{verdicts.band(fair)} {at_seats(int(str(seats)))}" for seats, fair in shares.items()]
    return Finding(f"Fair means: within {verdicts.BAND_WORDS} of an equal share of the wins, that is {listed(bands)}.")


def _unfair(frame: pd.DataFrame) -> Iterator[Finding]:
    """Entrants that are surely outside the band at some number of seats, the farthest first."""
    sure = frame[frame["verdict"].isin(verdicts.UNFAIR)]
    sure = sure.assign(far=(sure["estimate"] / sure["fair"] - 1).abs())
    order = sure.groupby("name", observed=True)["far"].max().sort_values(ascending=False, kind="stable").index
    for name in order[:SHOWN]:
        part = sure[sure["name"] == name].sort_values("seats")
        tones = {UNFAIR[verdict] for verdict in part["verdict"]}
        tone = tones.pop() if len(tones) == 1 else "note"
        words = " and ".join(dict.fromkeys(part["verdict"]))
        where = [f"{percent(row['estimate'])} {at_seats(row['seats'])}" for _, row in part.iterrows()]
        yield Finding(f"{name} is {words}: it wins {listed(where)}.", tone)
    for verdict, tone in UNFAIR.items():
        part = sure[sure["name"].isin(order[SHOWN:]) & (sure["verdict"] == verdict)]
        names = [f"{name} ({_seats(part[part['name'] == name])})" for name in order if (part["name"] == name).any()]
        if names:
            yield Finding(f"{verdict.capitalize()} as well: {listed(names)}.", tone)
    if len(order):
        sentence = "Those named as too strong or too weak are beyond the fair band with "
        yield Finding(f"{sentence}95 % confidence in all of them together (Holm); intervals are of each win rate alone.")


def _others(frame: pd.DataFrame, study: Study) -> Iterator[Finding]:
    """Entrants within the band at every number of seats, and entrants not decided."""
    known = frame[(frame["n"] > 0) & frame["fair"].notna()]
    fair = [str(name) for name, part in known.groupby("name", sort=False) if (part["verdict"] == "fair").all()]
    tables = known["seats"].unique()
    where = at_seats(tables[0]) if len(tables) == 1 else "at every number of seats"
    where += " from two on" if len(tables) > 1 and (frame["seats"] == 1).any() else ""
    everywhere = f"within the fair band {where}"
    if len(fair) == known["name"].nunique() and fair:
        yield Finding(f"Every {study.game.entrant_word} is {everywhere}.", "fair")
    elif fair:
        yield Finding(f"{listed(fair)} {'is' if len(fair) == 1 else 'are'} {everywhere}.", "fair")
    undecided = known[known["verdict"] == verdicts.OPEN]
    if len(undecided):
        names = [f"{name} ({_seats(part)})" for name, part in undecided.groupby("name", sort=False)]
        yield Finding(f"Not decided, more games are needed: {listed(names)}.", "open")


def _alone(frame: pd.DataFrame, study: Study) -> Finding | None:
    """Success rate of games for one, and the entrants with the highest and lowest."""
    known = frame[(frame["n"] > 0) & (frame["seats"] == 1)]
    if known.empty:
        return None
    whole = proportion(float(known["wins"].sum()), int(known["n"].sum()))
    ended = " that come to an end" if (frame[frame["seats"] == 1]["truncated"] > 0).any() else ""
    best, worst = (f"{row['name']} with {percent(row['estimate'])} {bounds_of(row)}" for _, row in known.iloc[[0, -1]].iterrows())
    ends = f", most often {best}, least often {worst}" if len(known) > 1 else ""
    word = article(study.game.entrant_word)
    return Finding(f"Alone {word} succeeds in {percent(whole.estimate)} of the games{ended} {bounds_of(vars(whole))}{ends}.")


def _seats(part: pd.DataFrame) -> str:
    seats: list[str] = [number_word(number) for number in sorted(part["seats"].tolist())]
    return f"{listed(seats)} seats"


def _first_places(study: Study) -> pd.DataFrame:
    """Win rates of the first player, a row per number of seats; empty if no seat goes first."""
    frame = places(study)
    return frame[(frame["position"] == 0) & (frame["n"] > 0)] if len(frame) else frame


def _first_move(study: Study) -> Iterator[Finding]:
    """The worth of going first."""
    parts = []
    for _, row in _first_places(study).iterrows():
        shift, low, high = (points(row[name] - row["fair"]) for name in ("estimate", "low", "high"))
        parts.append(f"{shift} points {at_seats(row['seats'])} ({low} to {high})")
    if parts:
        yield Finding(f"Going first, compared with the fair share: {'; '.join(parts)}.")


def _truncated(study: Study) -> Finding:
    """Share of truncated games."""
    frame = truncated_share(study.games_frame)
    if not frame["truncated"].any():
        return Finding(f"No game reached {study.limit_words}.")
    parts = [
        f"{percent(row['estimate'], 2)} of the games {at_seats(row['seats'])}" for _, row in frame.iterrows() if row["truncated"]
    ]
    return Finding(f"Stopped at {study.limit_words}, and left out of win rates: {listed(parts)}.")


def _lost(study: Study) -> Finding | None:
    """Share of games with opponents that finished without a winner."""
    tally = study.tally
    parts = [
        f"{percent(tally.lost[seats] / tally.finished[seats])} {at_seats(seats)}" for seats in study.contests if tally.lost[seats]
    ]
    if not parts:
        return None
    return Finding(f"Of the finished games, {listed(parts)} had no winner; such a game counts as lost by all players.")


def _assumed(study: Study) -> Finding | None:
    """Number of assumed and changed values behind the results; a few assumed ones are named."""
    numbers = study.cards.provenance
    if not numbers:
        return None
    assumed = [number.path for number in numbers if number.source == ASSUMED]
    changed = sum(number.source == CHANGED for number in numbers)
    differ = f" {count(changed)} {'differs' if changed == 1 else 'differ'} from what is printed." if changed else ""
    every = f"All {some(len(numbers), 'number')} of the card set are"
    if not assumed:
        none = f"None of the {count(len(numbers))} numbers of the card set is assumed.{differ}"
        return Finding(none if changed else f"{every} printed or published.")
    known = f"the results are for \u201c{study.cards.title}\u201d with {study.policy} in every seat"
    if len(assumed) < len(numbers):
        every = f"{count(len(assumed))} of the {count(len(numbers))} numbers of the card set "
        every += "is" if len(assumed) == 1 else "are"
        if len(assumed) <= NAMED:
            known = "; ".join(field_words(study.cards.document, path, {}) for path in assumed)
    return Finding(f"{every} assumed: {known}.{differ}")


PACKAGE = "fairfight"
BESIDE = ("numpy", "numba", "scipy", "statsmodels")


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

    def games(kind: type[ask.Question], usual: int, name: str = "") -> str:
        question = asked.get((kind, name))
        if isinstance(question, ask.Ask):
            return count(multiple(usual, question.arguments.get("scale", 1)))
        return count(study.games_for(question, usual) if question else usual)

    step_games = partial(games, usual=budget.step_games)
    phrases = {
        (
            ask.Ask,
            "parameters",
        ): f"about {step_games(ask.Ask, name='parameters')} of the outlier for each number changed by one step (seed "
        f"{study.fresh_seed}, so not the games that selected it), the same number at every number of seats for the step that is "
        f"named {again}",
        (
            ask.Ask,
            "card_parameters",
        ): f"about {step_games(ask.Ask, name='card_parameters')} of each {entrant} tried for every number of "
        f"its cards that moved most in a first look {fresh}, the same number for the step named {again}",
        (
            ask.Ask,
            "keywords",
        ): f"about {step_games(ask.Ask, name='keywords')} of each {entrant} tried without each of its keywords {fresh}",
        (ask.Loadouts, ""): f"about {step_games(ask.Loadouts)} of each {entrant} tried with each of its loadouts {fresh}",
        (
            ask.Ask,
            "shared_parameters",
        ): f"about {games(ask.Ask, budget.shared_games, 'shared_parameters')} for each number that belongs "
        f"to no {study.unit_word}, changed by one step {fresh}, the same number for the steps that are named {again}",
        (ask.Dice, ""): f"{count(budget.rolls)} samples of each roll",
    }
    if study.game.decks:
        phrases[ask.Cards, ""] = f"about {step_games(ask.Cards)} of each {entrant} examined for every card replaced {fresh}"
    phrases[ask.Ask, "variants"] = (
        f"about {count(budget.variant_games)}, or the multiple that the game asks for, for each rule variant"
    )
    phrases[ask.Ask, "draft"] = f"{count(budget.draft_games)} drafts by each policy {fresh}"
    retest = f"about {count(budget.retest_games)} of each of the best and the worst {entrants} {again}"
    league = any(
        isinstance(one, ask.Ask) and (one.question, one.arguments.get("by")) == ("teams", "team") for one in study.game.questions
    )
    return [*(words for kind, words in phrases.items() if kind in asked), *([retest] if league else [])]


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


Builder = Callable[[Study], Section | None]


def section_of(id_: str, text: str, answer: Answer) -> Section:
    """A section of a page. text: the question as its heading."""
    charts = [
        DrawnChart(
            f"{id_}-{chart.id}" if chart.id else id_,
            chart.draw(),
            chart.title,
            f"{chart.title} {answer.summary}",
            chart.narrow() if chart.narrow else None,
        )
        for chart in answer.charts
    ]
    shown = [replace(table, id=f"{id_}-{table.id}") for table in answer.tables if not table.hidden]
    return Section(id_, text, answer.summary, tuple(charts), tuple(shown), " ".join(answer.notes[:NOTES_ON_A_PAGE]))


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


ELSEWHERE = {"winrates", "matchups", "seats", "sensitivity", "tune", "skill"}  # questions of the other pages, or asked by games
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
    return len(questions_of(study)) + (len(BUILDERS) if study.contests else 0) + (BETTER in parts_of(study))


FIRST = ("tuning", "sensitivity", "seats")  # sections whose first sentences form the headline, in this order


def change_page(study: Study, command: str = "") -> Page | None:
    """Build the page "what to change"; None for games without opponents. command: reproduces the page and is shown on it."""
    built = sections(study) if study.contests else []
    if not built:
        return None
    return Page(
        title=f"{title_of(study.game, study.cards)}: what to change",
        subtitle=f"{study.cards.title}, {at_seats(min(study.contests))}, with {study.policy} in every seat",
        game=study.game.name,
        headline=_headline(built),
        sections=tuple(built),
        facts=_facts(study, command),
        part=CHANGE,
        links=links(parts_of(study), CHANGE),
    )


def _headline(built: list[Section]) -> tuple[Finding, ...]:
    """The first sentences of the sections that recommend changes."""
    answers = {section.id: section.answer for section in built}
    return tuple(Finding(first_sentence(answers[name])) for name in FIRST if name in answers)


def first_sentence(text: str) -> str:
    """The first sentence of a text; full stops within numbers and abbreviations do not end it."""
    return re.split(r"(?<=[.])\s+(?=[A-Z“])", text, maxsplit=1)[0]


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


def dice(study: Study, asked: ask.Dice) -> Section | None:
    """Exact and simulated chances of every roll; None if the game has no rolls."""
    rolls = study.game.rolls(study.cards) if study.game.rolls else []
    if not rolls:
        return None
    rolled = [*of_rolls(rolls, study.budget.rolls, study.seed, study.player.watch)]
    return section_of(asked.id, asked.text, answer_of(rolled, asked.result))


Answerer = Callable[[Study, Any], Section | Answer | None]  # of a study and a question of one type


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


def in_win_rates(_: Study, __: ask.FirstPlayer) -> None:
    """The worth of turn positions is part of the answer of `winrates`."""


def _chosen(answerers: dict[str, Answerer], study: Study, question: Any) -> Section | Answer | None:
    return answerers[question.by](study, question)


def _by(**answerers: Answerer) -> Answerer:
    """The answerer of a question with a field `by`."""
    return partial(_chosen, answerers)


ANSWERERS: dict[type[ask.Question], Answerer] = {
    ask.Ask: answered,
    ask.WinRates: win_rates,
    ask.Matchups: lambda study, _: of_main_games(study),
    ask.FirstPlayer: _by(seat=in_win_rates, pairing=lambda study, _: first_by_pairing(study), policy=first_mover),
    ask.Cards: cardstats.in_report,
    ask.Loadouts: loadout_answer.in_report,
    ask.Dice: dice,
}


def answer(study: Study, question: ask.Question) -> Section | None:
    """Answer a question. None if the game lacks what the answer needs: a second seat, decks, rolls with known odds."""
    try:
        found = ANSWERERS[type(question)](study, question)
    except NoAnswerError:
        return None
    return section_of(question.id, question.text, found) if isinstance(found, Answer) else found


CHAPTERS: dict[ask.Chapter, str] = {
    "unfair": "What is unfair, and how certain that is",
    "why": "Why",
    "change": "What to change",
    "run": "How the game runs",
    "details": "Details",
}


def questions_of(study: Study) -> list[ask.Question]:
    """The questions of a game's first page: those that the game names, and those of the catalogue that every game is asked."""
    own = [*study.game.questions]
    named = {one.question for one in own if isinstance(one, ask.Ask)}
    usual = [find(name) for name in QUESTIONS if name not in named | ELSEWHERE] if study.contests else []
    return own + [ask.Ask(one.name, one.title, one.chapter, one.name) for one in usual if one.chapter]


def asked_of(study: Study) -> list[ask.Question]:
    """The questions of a game's first page: chapter by chapter, and in each in the order of `questions_of`."""
    questions, order = questions_of(study), list(CHAPTERS)
    chapters = {question.id: question.chapter for question in questions}
    return sorted(questions, key=lambda one: order.index(chapters[one.continues or one.id]))


def sections_of(study: Study, asked: Iterable[ask.Question]) -> Iterator[tuple[tuple[Section, ...], list[str]]]:
    """Answer questions; yields all sections so far when a chapter is finished, and the chapters that are still to come.

    The answer to a question that continues another one is added to its section.
    """
    built: dict[str, Section] = {}
    names = {question.id: CHAPTERS[question.chapter] for question in questions_of(study)}
    chapters = {name: [*part] for name, part in groupby(asked, lambda one: names[one.continues or one.id])}
    coming = [*chapters]
    for chapter, questions in chapters.items():
        for question in questions:
            section = answer(study, question)
            if section and question.continues in built:
                built[question.continues] = _joined(built[question.continues], section)
            elif section:
                built[question.id] = replace(section, chapter=chapter)
            study.step()
        coming.remove(chapter)
        yield tuple(built.values()), coming


def _joined(first: Section, second: Section) -> Section:
    """One section with the answers, figures, tables and notes of both."""
    return replace(
        first,
        answer=f"{first.answer} {second.answer}",
        figures=first.figures + second.figures,
        tables=first.tables + second.tables,
        note=f"{first.note} {second.note}",
    )


def better_page(study: Study, command: str = "") -> Page | None:
    """Build the page "better players"; None without games at two seats. command: reproduces the page and is shown on it."""
    if BETTER not in parts_of(study):
        return None
    levels = report_levels(study.game, study.policy)
    question, names = find("skill"), [str(level) for level in levels]
    found = question.answer(study, levels=names, **skill_games(study))
    study.step()
    played = found.facts
    slow = [name for name, _ in REPORTED if name not in names]
    games = f"{count(max(played['level_games']))} with each level in every seat; {count(max(played['pair_games']))} for each pair"
    return Page(
        title=f"{title_of(study.game, study.cards)}: better players",
        subtitle=f"{study.cards.title}, at two seats, from {names[0]} to {names[-1]}",
        game=study.game.name,
        headline=tuple(Finding(sentence) for sentence in (found.summary, *found.notes[:NOTES_ON_A_PAGE])),
        sections=(section_of(question.name, question.title, found),),
        facts=(
            *(Fact(str(level), f"{level.in_words}") for level in levels),
            Fact("Games", f"{games} of levels"),
            *([Fact("Left out", f"{listed(slow)}, too slow for a report; see fairfight skill --help")] if slow else []),
            Fact("Seed", f"{study.seed}, and the following ones where two levels meet"),
            *made_with(study, command),
        ),
        part=BETTER,
        links=links(parts_of(study), BETTER),
    )


def skill_games(study: Study) -> dict[str, int]:
    """Games of every entrant at each level, and of each pair of levels, that a report can afford."""
    each = study.budget.skill_games * DUEL * (study.teams.size if study.teams else 1) // len(study.units)
    return {"level_games": max(DUEL, each), "pair_games": max(DUEL, study.budget.skill_pairs)}
