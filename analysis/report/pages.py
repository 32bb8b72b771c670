"""The pages of a report: their sections, headlines and facts.

The first page answers the game's questions. The page "what to change" leads to the numbers that a designer should change, the
page "better players" shows the effect of skill and which conclusions hold at every level of play.

An answerer makes a section from a study and a question, or returns None if the game lacks something that the answer needs (a
second seat, rolls with known odds); the question is then left out. Answerers know no game: the question's roles and settings
name all that they read. The sections of the other two pages work for every game, or return None.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version

import pandas as pd

from analysis.data.decks import making_of
from analysis.data.encounters import DUEL
from analysis.data.names import title_of
from analysis.data.rows import Rows
from analysis.data.study import BETTER, CHANGE, Study, links, parts_of
from analysis.data.usage import truncated_share
from analysis.decks.loadouts import loadouts
from analysis.decks.section import cards, deck_generators, keywords, worth
from analysis.dice.section import dice, duels, siege
from analysis.document import prose
from analysis.document.cards import weights_words
from analysis.document.model import Fact, Finding, Page, Section, Table, Tone, count, percent, points
from analysis.document.prose import ASSUMED, article, at_seats, capital, field_words, listed, number_word, some, value_words
from analysis.facts.association import by_flag, edges, luck
from analysis.facts.counts import abilities, board, per_game, shuffled, thresholds
from analysis.facts.curves import entrant_curves, growth, life_curves
from analysis.facts.events import causes, deaths, flips, sources, split, toll
from analysis.facts.length import endings, length, lengths, milestones, policy_lengths, waiting
from analysis.first_player.section import first_by_pairing, first_mover, seats
from analysis.matchups.section import matchup_matrix as answers_matchups
from analysis.matchups.section import matchups
from analysis.skill.ladder import Gather, Plan, Skill, joined
from analysis.skill.ladder import skill as skill_study
from analysis.skill.levels import report_levels
from analysis.skill.section import CONCLUSIONS, LADDER, conclusions, ladder, skill, skill_course
from analysis.stats.intervals import Interval, proportion
from analysis.teams.section import EVEN, contributions, draft, league, of_teams, part_verdicts, synergy
from analysis.timeline.section import comeback_section, drama, snowball, standings
from analysis.tuning.section import tuning
from analysis.variants.parameter_effects import (
    card_parameter_effects,
    parameter_effects,
    screen,
    sensitivity,
    shared_parameter_effects,
)
from analysis.variants.rules import removals, rule_off, rule_variants, settings, sweep
from analysis.winrates.section import entrant_rates, places, sure, turn_order, win_rate_section
from sim.engine.cardfiles.validation import CHANGED
from sim.engine.measures import Question
from sim.experiments.experiment import Experiment

__all__ = ["ANSWERERS", "Answerer", "answer"]

UNFAIR: dict[str, Tone] = {"too strong": "strong", "too weak": "weak"}
MANY = 0.1  # share of truncated games above which they come first, because all other findings are on finished games
SHOWN = 4  # entrants named one by one
NAMED = 12  # assumed numbers named one by one


def headline(study: Study) -> tuple[Finding, ...]:
    """Findings: first the verdict in one line, then the most important ones. Teams are judged by their parts.

    Games with several seats come first; games for one have no fair share and are described by their success rate.
    """
    ended = [_truncated(study), _lost(study)]
    many = bool((truncated_share(study.games_frame)["estimate"] > MANY).any())
    findings = [
        _verdict(study, many),
        *(ended if many else []),
        *(of_teams(study) if study.team_study else _of_entrants(study)),
        *([] if many else ended),
        _assumed(study),
    ]
    return tuple(finding for finding in findings if finding is not None)


def _verdict(study: Study, many: bool) -> Finding | None:
    """The report in one line: entrants outside the band, entrants not decided, and the worth of going first.

    many: whether so many games were truncated that the verdict must mention it. None if nothing can be judged.
    """
    frame = part_verdicts(study) if study.team_study else entrant_rates(study)
    known = frame.dropna(subset=[name for name in ("estimate", "fair") if name in frame])
    if known.empty:
        return None
    sure = known["verdict"].isin(list(UNFAIR))
    counts = {verdict: known.loc[sure & (known["verdict"] == verdict), "name"].nunique() for verdict in UNFAIR}
    named = known.loc[sure, "name"].unique()
    fair = [name for name, part in known.groupby("name", observed=True) if (part["verdict"] == "fair").all()]
    unsure = known["name"].nunique() - len(named) - len(fair)
    ended = "of the games that came to an end, " if many else ""
    if len(named):
        parts = [f"not fair: {listed([f'{count(number)} {verdict}' for verdict, number in counts.items() if number])}"]
        parts += [f"{count(unsure)} not decided"] if unsure else []
    elif unsure:
        some_fair = f", {count(len(fair))} of {count(len(fair) + unsure)} surely fair" if fair else ""
        parts = [f"not decided: no {study.unit_word} is surely too strong or too weak{some_fair}"]
    else:
        parts = [f"fair: every {study.unit_word} is within the fair band"]
    return Finding(f"{capital(ended + '; '.join([*parts, *_first_worth(study)]))}.", "verdict")


def _first_worth(study: Study) -> list[str]:
    """Sentence part on the worth of going first at the lowest number of seats; empty if no seat goes first."""
    where = ""
    if study.team_study:
        contributions = study.team_study.contributions
        if contributions is None or not contributions.first.n:
            return []
        shift, low, high = (
            value - EVEN for value in (contributions.first.share, contributions.first.low, contributions.first.high)
        )
        where = " in an even match"
    else:
        frame = places(study)
        first = frame[(frame["position"] == 0) & (frame["n"] > 0)] if len(frame) else frame
        if first.empty:
            return []
        row = first.sort_values("seats").iloc[0]
        shift, low, high = (row[name] - row["fair"] for name in ("estimate", "low", "high"))
        where = f" {at_seats(row['seats'])}" if len(study.contests) > 1 else ""
    if low <= 0 <= high:
        return [f"going first is not surely worth anything{where}"]
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
    bands = [f"{prose.band(fair)} {at_seats(int(str(seats)))}" for seats, fair in shares.items()]
    return Finding(f"Fair means: within {prose.BAND_WORDS} of an equal share of the wins, that is {listed(bands)}.")


def _unfair(frame: pd.DataFrame) -> Iterator[Finding]:
    """Entrants that are surely outside the band at some number of seats, the farthest first."""
    sure = frame[frame["verdict"].isin(prose.UNFAIR)]
    sure = sure.assign(far=(sure["estimate"] / sure["fair"] - 1).abs())
    order = sure.groupby("name", observed=True)["far"].max().sort_values(ascending=False, kind="stable").index
    for name in order[:SHOWN]:
        part = sure[sure["name"] == name].sort_values("seats")
        tones = {UNFAIR[verdict] for verdict in part["verdict"]}
        tone = tones.pop() if len(tones) == 1 else "note"
        words = " and ".join(dict.fromkeys(part["verdict"]))
        where = [
            f"{percent(row['estimate'])} {at_seats(row['seats'])} ({100 * row['low']:.1f} to {percent(row['high'])})"
            for _, row in part.iterrows()
        ]
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
    undecided = known[known["verdict"] == prose.OPEN]
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
    sentence = f"Alone {article(study.game.entrant_word)} succeeds in {percent(whole.estimate)} "
    sentence += f"of the games{ended} {_bounds(whole)}"
    if len(known) > 1:
        best, worst = known.iloc[0], known.iloc[-1]
        sentence += f", most often {best['name']} with {percent(best['estimate'])} {_bounds(best)}, "
        sentence += f"least often {worst['name']} with {percent(worst['estimate'])} {_bounds(worst)}"
    return Finding(f"{sentence}.")


def _bounds(rate: Interval | pd.Series) -> str:
    """The interval of a rate in brackets."""
    return f"({100 * rate.low:.1f} to {percent(rate.high)})"


def _seats(part: pd.DataFrame) -> str:
    seats: list[str] = [number_word(number) for number in sorted(part["seats"].tolist())]
    return f"{listed(seats)} seats"


def _first_move(study: Study) -> Iterator[Finding]:
    """The worth of going first."""
    frame = places(study)
    if frame.empty:
        return
    first = frame[(frame["position"] == 0) & (frame["n"] > 0)]
    parts = []
    for _, row in first.iterrows():
        low, high = row["low"] - row["fair"], row["high"] - row["fair"]
        shift = row["estimate"] - row["fair"]
        parts.append(f"{points(shift)} points {at_seats(row['seats'])} ({points(low)} to {points(high)})")
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
    if not assumed and not changed:
        return Finding(f"All {some(len(numbers), 'number')} of the card set are printed or published.")
    if not assumed:
        return Finding(f"None of the {count(len(numbers))} numbers of the card set is assumed.{differ}")
    some_of = f"{count(len(assumed))} of the {count(len(numbers))} numbers of the card set"
    sentence = f"{some_of} {'is' if len(assumed) == 1 else 'are'} assumed: "
    if len(assumed) == len(numbers):
        sentence = f"All {some(len(numbers), 'number')} of the card set are assumed: "
    elif len(assumed) <= NAMED:
        words = [field_words(study.cards.document, path, {}) for path in assumed]
        return Finding(f"{sentence}{'; '.join(words)}.{differ}")
    sentence += f"the results are for \u201c{study.cards.title}\u201d with {study.policy} in every seat."
    return Finding(sentence + differ)


PACKAGE = "fairfight"
BESIDE = ("numpy", "numba", "scipy", "statsmodels")


def facts(study: Study, command: str) -> tuple[Fact, ...]:
    """Facts needed to repeat the report, and the command that does it."""
    played = [_played(study, seats) for seats in study.seats]
    other = study.beside
    beside = [Fact("Policy beside it", f"{other} in every seat: {other.in_words}; the same number of games")] if other else []
    further = "; ".join(_further(study))
    return (
        Fact("Policy", f"{study.policy} in every seat: {study.policy.in_words}"),
        *beside,
        *played,
        *([Fact("Other games", further)] if further else []),
        Fact("Seed", f"{study.seed}, dice keyed by seat"),
        *made_with(study, command),
    )


def made_with(study: Study, command: str) -> tuple[Fact, ...]:
    """The cards, the versions and the command, for every page of a game."""
    named = f"{study.cards.title}, digest {study.cards.digest}"
    versions = [f"{PACKAGE} {_version(PACKAGE)}", f"Python {platform.python_version()}", *_beside()]
    return (
        Fact("Card set", "; ".join(filter(None, (named, weights_words(study.cards))))),
        *([Fact("Decks", f"{count(len(study.names))}: {listed(study.names)}")] if study.game.decks else []),
        *([Fact("Making of the decks", "; ".join(made))] if (made := making_of(study.cards)) else []),
        Fact("Versions", ", ".join(versions)),
        *([Fact("Command", command, code=True)] if command else []),
    )


def _further(study: Study) -> list[str]:
    """Further games played for the questions of the game."""
    budget, asked = study.budget, {question.chart: question for question in study.game.questions}
    fresh = f"seed {study.fresh_seed}, so not the games that selected it"

    def games(chart: str, usual: int) -> str:
        return count(study.games_for(asked[chart], usual) if chart in asked else usual)

    outlier = (
        f"about {count(budget.step_games)} of the outlier for each number changed by one step ({fresh}), the same number at "
        f"every number of seats for the step that is named (seed {study.retest_seed})"
    )
    phrases = {
        "tornado": outlier,
        "part_parameters": outlier,
        "card_parameters": f"about {games('card_parameters', budget.step_games)} of each {study.game.entrant_word} tried for "
        f"every number of its cards that moved most in a first look (seed {study.fresh_seed}), the same number for the step "
        f"named (seed {study.retest_seed})",
        "keywords": f"about {games('keywords', budget.games)} between random {study.game.entrants_word} "
        f"(seed {study.fresh_seed})",
        "deck-generators": f"{games('deck-generators', budget.games)} between {study.game.entrants_word} made in each way "
        f"(seed {study.fresh_seed})",
        "removals": f"about {games('removals', budget.step_games)} of each {study.game.entrant_word} tried without each of its "
        f"keywords (seed {study.fresh_seed})",
        "loadouts": f"about {games('loadouts', budget.step_games)} of each {study.game.entrant_word} tried with each of its "
        f"loadouts (seed {study.fresh_seed})",
        "league": f"about {count(budget.retest_games)} of each of the best and the worst {study.game.entrants_word} "
        f"(seed {study.retest_seed}, not used to select them)",
        "draft": f"{games('draft', budget.draft_games)} drafts by each policy (seed {study.fresh_seed})",
        "shared_tornado": f"about {games('shared_tornado', budget.shared_games)} for each number that belongs to no "
        f"{study.unit_word}, "
        f"changed by one step (seed {study.fresh_seed}), the same number for the steps that are named "
        f"(seed {study.retest_seed})",
        "variants": f"about {games('variants', budget.variant_games)} for each rule variant",
        "rule_off": f"about {games('rule_off', budget.variant_games)} without a rule",
        "sweep": f"about {games('sweep', budget.variant_games)} for each value of a number",
        "settings": f"about {games('settings', budget.variant_games)} for each value of a setting",
        "dice": f"{count(budget.rolls)} samples of each roll",
        "board": f"{count(budget.replays)} games replayed for maps",
    }
    if study.game.decks:
        phrases["cards"] = f"about {games('cards', budget.step_games)} of each {study.game.entrant_word} examined for every "
        phrases["cards"] += f"card replaced (seed {study.fresh_seed})"
    return [words for chart, words in phrases.items() if chart in asked]


def provenance(study: Study) -> tuple[Table, ...]:
    """Every number of the card file with its source, and the rules as interpreted."""
    numbers = tuple((number.path, number.value, number.source) for number in study.cards.provenance)
    rules = tuple((name.replace("_", " "), value_words(value)) for name, value in study.cards.switches.items())
    tables = [Table("numbers", ("field", "value", "source"), numbers, "Where every number comes from")] if numbers else []
    return (*tables, *([Table("rules", ("rule", "as played"), rules, "How the rules are read")] if rules else []))


def _played(study: Study, seats: int) -> Fact:
    experiment = study.main(seats)
    design = experiment.design
    words = design if design[0].isdigit() else f"{count(experiment.games)} games, {design}"
    return Fact(f"Games {at_seats(seats)}", words)


def _beside() -> list[str]:
    return [f"{name} {_version(name)}" for name in BESIDE]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "from source"


Builder = Callable[[Study], Section | None]

BUILDERS: tuple[Builder, ...] = (sure, matchups, seats, drama, sensitivity, screen, tuning)


def sections(study: Study) -> list[Section]:
    """Sections of the page "what to change", in the order of a decision: how sure, who, why, what."""
    built = []
    for number, build in enumerate(BUILDERS):
        if study.watch:
            study.watch("what to change", number, len(BUILDERS))
        section = build(study)
        built += [section] if section else []
    return built


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
        "for interactions": budget.screen_games,
        "to search for changes and to test them": budget.tune_games,
        "replayed with every position": budget.replays,
    }
    return (
        Fact("Policy", f"{study.policy} in every seat: {study.policy.in_words}"),
        Fact("Games", "; ".join(f"about {count(number)} {words}" for words, number in games.items())),
        Fact("Seed", f"{study.seed} and the following ones, for games that are independent of a selection"),
        *made_with(study, command),
    )


Answerer = Callable[[Study, Question], Section | None]

ANSWERERS: dict[str, Answerer] = {
    "forest": win_rate_section,
    "matchups": answers_matchups,
    "turn_order": turn_order,
    "length": length,
    "survival": waiting,
    "causes": causes,
    "abilities": abilities,
    "board": board,
    "tornado": parameter_effects,
    "shared_tornado": shared_parameter_effects,
    "variants": rule_variants,
    "settings": settings,
    "dice": dice,
    "duels": duels,
    "siege": siege,
    "deaths": deaths,
    "endings": endings,
    "sources": sources,
    "luck": luck,
    "milestones": milestones,
    "worth": worth,
    "contributions": contributions,
    "synergy": synergy,
    "league": league,
    "draft": draft,
    "part_parameters": parameter_effects,
    "card_parameters": card_parameter_effects,
    "cards": cards,
    "keywords": keywords,
    "deck-generators": deck_generators,
    "removals": removals,
    "loadouts": loadouts,
    "comebacks": comeback_section,
    "first_mover": first_mover,
    "flips": flips,
    "life_curves": life_curves,
    "policy_lengths": policy_lengths,
    "shuffled": shuffled,
    "skill": skill,
    "split": split,
    "standings": standings,
    "thresholds": thresholds,
    "snowball": snowball,
    "growth": growth,
    "toll": toll,
    "first_by_pairing": first_by_pairing,
    "lengths": lengths,
    "per_game": per_game,
    "entrant_curves": entrant_curves,
    "edges": edges,
    "by_flag": by_flag,
    "rule_off": rule_off,
    "sweep": sweep,
}


def answer(study: Study, question: Question) -> Section | None:
    """Answer a question. Raises ValueError for a chart name without an answerer."""
    if question.chart not in ANSWERERS:
        known = ", ".join(ANSWERERS)
        raise ValueError(f"{study.game.name}: question {question.id!r} wants chart={question.chart!r}; known are {known}")
    return ANSWERERS[question.chart](study, question)


def better_page(study: Study, command: str = "") -> Page | None:
    """Build the page "better players"; None without games at two seats. command: reproduces the page and is shown on it."""
    if BETTER not in parts_of(study):
        return None
    result = played(study)
    candidates = (ladder(result), conclusions(result, str(study.policy)), skill_course(result))
    sections = [section for section in candidates if section is not None]
    return Page(
        title=f"{title_of(study.game, study.cards)}: better players",
        subtitle=f"{study.cards.title}, at two seats, from {result.names[0]} to {result.names[-1]}",
        game=study.game.name,
        headline=_page_headline(result, sections),
        sections=tuple(sections),
        facts=_page_facts(study, result, command),
        part=BETTER,
        links=links(parts_of(study), BETTER),
    )


def _page_headline(result: Skill, sections: list[Section]) -> tuple[Finding, ...]:
    """The effect of skill, the strongest at each level, and how many conclusions of the report hold."""
    answers = [section.answer for section in sections if section.id in (LADDER, CONCLUSIONS)]
    if len(result.names) > 1:
        answers.append(answers[-1].removeprefix(first_sentence(answers[-1])).strip())
    return tuple(Finding(first_sentence(answer)) for answer in answers if answer)


def played(study: Study) -> Skill:
    """Play the levels that a report compares."""
    teams = study.teams
    each = study.budget.skill_games * DUEL * (teams.size if teams else 1) // len(study.units)
    levels = report_levels(study.game, study.policy)
    games = (max(DUEL, each), max(DUEL, study.budget.skill_pairs))
    return skill_study(Plan(study.game, study.cards, levels, DUEL, *games, study.seed), _gather(study))


def _gather(study: Study) -> Gather:
    """Return a function that plays experiments like the study."""

    def gather(experiment: Experiment, words: str) -> tuple[Rows, bool]:
        play = study.player(words, experiment.games)
        return joined([block.rows.copy() for block in play(experiment)]), False

    return gather


def _page_facts(study: Study, result: Skill, command: str) -> tuple[Fact, ...]:
    """Facts needed to repeat the page "better players"."""
    plan = result.plan
    levels = [Fact(str(level), f"{level.in_words}") for level in plan.levels]
    alone, meeting = plan.alone(0).games, plan.meeting(0, 1).games
    return (
        *levels,
        Fact("Games", f"{count(alone)} with each level in every seat; {count(meeting)} for each pair of levels"),
        Fact("Seed", f"{study.seed}, and the following ones where two levels meet"),
        *made_with(study, command),
    )
