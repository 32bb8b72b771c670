"""From games to a page: every question of a game answered, put together and written."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from analysis.budget import Budget
from analysis.deck_choice import options_of
from analysis.naming import words_for
from analysis.report.answers import answer
from analysis.report.answers.prose import listed, number_word, some
from analysis.report.better.page import better_page
from analysis.report.change.page import change_page
from analysis.report.facts import facts, provenance
from analysis.report.files import check_folder
from analysis.report.headline import headline
from analysis.report.links import links, parts_of
from analysis.report.model import Entry, Fact, Finding, Link, Page
from analysis.report.write import entry_of, write_index, write_report
from analysis.study import Study, Watch
from analysis.wording import count
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec
from sim.seeds import checked_seed

ENTRY_MAX = 20_000_000  # bytes of an earlier report's numbers; those of the largest sample have 0.9 million


def build_page(study: Study, command: str = "") -> Page:
    """Answer every question of the study's game. command: what reproduces the page, shown on it.

    Nothing on the page depends on the time or the machine: the same study gives the same page.
    """
    sections = []
    for number, question in enumerate(study.game.questions):
        if study.watch:
            study.watch("questions", number, len(study.game.questions))
        section = answer(study, question)
        sections += [section] if section else []
    seats = listed([number_word(number) for number in study.seats])
    where = f"at {seats} seat{'' if study.seats == (1,) else 's'}"
    subtitle = f"{study.cards.title}: {_compared(study)} {where}"
    return Page(
        title=study.game.title,
        subtitle=f"{subtitle}, with {study.policy} in every seat",
        game=study.game.name,
        headline=headline(study),
        sections=tuple(sections),
        provenance=provenance(study),
        facts=facts(study, command),
    )


def _compared(study: Study) -> str:
    """Who is compared: the entrants, or the parts and the teams that they make."""
    if study.teams:
        teams = f"{count(len(study.names))} {study.game.entrants_word}"
        return f"{count(study.teams.parts)} {study.units_word} in {teams} of {number_word(study.teams.size)}"
    return some(len(study.names), study.game.entrant_word)


def report(study: Study, out: Path, command: str = "") -> tuple[Path, Entry]:
    """Build the pages of a study and write them below `out`; returns the first one and its line of the index.

    Raises ReportError, before any game is played, where nothing can be written.
    """
    check_folder(out / study.game.name)
    page, *others = build_page(study, command), change_page(study, command), better_page(study, command)
    for other in others:
        if other:
            write_report(other, out)
    page = replace(page, links=links(parts_of(study)))
    return write_report(page, out), entry_of(page)


def write_reports(
    games: Sequence[tuple[Game, CardSet]],
    out: Path,
    policies: Sequence[PolicySpec],
    seed: int = 1,
    jobs: int | None = None,
    scale: float = 1.0,
    watch: Watch | None = None,
) -> Path:
    """Write a report for each game, then the index of all reports that stand in `out`; returns the index.

    policies: one, for all seats; scale: games in multiples of each game's budget. Raises ValueError and ReportError.
    """
    if len(policies) != 1:
        raise ValueError(f"policies={','.join(map(str, policies))}: a report takes one for all seats, such as greedy")
    checked_seed(seed)
    budgets = [Budget.of(game).scaled(scale) for game, _ in games]
    check_folder(out)
    entries = []
    for (game, cards), budget in zip(games, budgets, strict=True):
        study = Study(game, cards, policies[0], seed, budget, jobs, watch)
        _, entry = report(study, out, command_for(study, scale))
        entries.append(entry)
    return write_index(out, _all_entries(out, entries))


def command_for(study: Study, scale: float = 1.0) -> str:
    """The command that writes the same report again."""
    name, options = words_for(study.game, study.cards)
    words = ["fairfight", "report", name, "--policy", str(study.policy), "--seed", str(study.seed)]
    if scale != 1:
        words += ["--scale", repr(scale)]
    return shlex.join([*words, *options, *options_of(study.cards)])


def _all_entries(out: Path, fresh: Iterable[Entry]) -> list[Entry]:
    """Entries of the new reports and of those that were in the folder before, by title."""
    entries = {entry.game: entry for entry in fresh}
    for path in sorted(out.glob("*/report.json")):
        entry = _read_entry(path)
        if entry and entry.game == path.parent.name:
            entries.setdefault(entry.game, entry)
    return sorted(entries.values(), key=lambda entry: entry.title)


def _read_entry(path: Path) -> Entry | None:
    """The entry of a report that was written earlier; None for a file that is none."""
    try:
        if not path.is_file() or path.stat().st_size > ENTRY_MAX:
            return None
        found = json.loads(path.read_text("utf-8"))
        findings = tuple(Finding(_text(one, "text"), _text(one, "tone")) for one in found["headline"])  # type: ignore[arg-type]
        made = tuple(Fact(_text(one, "label"), _text(one, "text")) for one in found["facts"])
        game = _text(found, "game")
        ways = tuple(
            Link(_text(one, "label"), f"{game}/{_text(one, 'href')}") for one in found.get("links", []) if one["href"]
        )
        return Entry(game, _text(found, "title"), _text(found, "subtitle"), findings, made, ways)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _text(table: dict[str, object], key: str) -> str:
    """A text of an earlier report. Raises TypeError for anything else, ValueError for what cannot be written again."""
    text = table[key]
    if not isinstance(text, str):
        raise TypeError(key)
    text.encode("utf-8")
    return text
