"""Write pages: one self-contained HTML file, with its charts, tables and numbers beside it.

Build reports: answer every question of a game and write the pages.
"""

from __future__ import annotations

import json
import shlex
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from joblib import delayed
from markupsafe import Markup

from analysis.answer import numbers
from analysis.answer.files import check_folder, file_name, write_bytes, write_text
from analysis.answer.model import Answer, Drawn, DrawnChart, Section
from analysis.answer.numbers import count
from analysis.answer.page import Entry, Fact, Finding, Link, Page
from analysis.answer.prose import listed
from analysis.answer.tables import Table, csv_file, numeric
from analysis.charts import render
from analysis.data.decks import options_of
from analysis.data.names import title_of, words_for
from analysis.data.study import Study
from analysis.report.appendix import appendix_page
from analysis.report.change import change_page
from analysis.report.course import course
from analysis.report.enough import TOO_FEW
from analysis.report.headline import headline, leading_seats
from analysis.report.lead import ID as LEAD
from analysis.report.lead import lead_chart
from analysis.report.links import CHANGE, PARTS, links
from analysis.report.pages import first_page_of, section_of, sections_of, steps_of
from analysis.report.provenance import facts, provenance, subtitle
from sim.engine.contract import Game
from sim.run import cores, keeper_in_use, loop_of, share_out
from sim.stopping import heeding
from sim.warmup import kernels_of

NUMBERS = "report.json"  # contents of a page as data, beside it
READABLE = 1.22  # CSS pixels per point of a chart; below this its text is too small and its box scrolls


@dataclass(frozen=True)
class Drawing:
    """A chart as files and as part of a page.

    narrow: version for narrow screens, if any; least: width in CSS pixels below which its box scrolls.
    """

    file: str
    svg: Markup
    narrow: Markup | None
    least: int


def write_report(page: Page, folder: Path) -> Path:
    """Write a page to `folder`/`page.game`, or `page.part` in it, and return the path of its index.html.

    Also writes charts/<id>.svg, tables/<id>.csv and report.json; the page makes a PNG of a chart when it is asked for. The same
    page gives the same bytes. Raises ReportError if the folder is not writable, ValueError if two charts or two tables have the
    same id.
    """
    return write_drawn(page, folder, drawings_of(page))


def drawings_of(page: Page) -> dict[str, Drawing]:
    """Draw all charts of a page, by id. Raises ValueError if two have the same id."""
    return {chart.id: _drawn(chart) for chart in _charts(page)}


def write_drawn(page: Page, folder: Path, drawings: dict[str, Drawing]) -> Path:
    """Write a page with its drawn charts; see `write_report`. Interrupts wait until all its files are written."""
    home = check_folder(Path(folder) / file_name(page.game, "game"))
    if page.part:
        home = check_folder(home / file_name(page.part, "part"))
    tables = _tables(page)
    letters, shown = _with_shared_letters({chart.id: drawings[chart.id] for chart in _charts(page)})
    html = _environment().get_template("page.html.j2").render(page=page, drawings=shown, letters=letters)
    numbers = json.dumps(_as_json(page), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    with heeding():
        for name, drawing in drawings.items():
            write_text(home / "charts" / f"{name}.svg", drawing.file)
        for table in tables:
            write_bytes(home / "tables" / f"{table.id}.csv", csv_file(table))
        write_text(home / NUMBERS, numbers)
        write_text(home / "index.html", html)
    return home / "index.html"


def write_answer(path: Path, answer: Answer, title: str, command: str) -> None:
    """Write an answer as one page without further files. command: that gives it. Raises ReportError."""
    section = section_of("answer", title, replace(answer, warnings=(), notes=()))
    letters, drawings = _with_shared_letters({chart.id: _drawn(chart) for chart in section.figures})
    html = (
        _environment()
        .get_template("answer.html.j2")
        .render(
            section=replace(section, answer=answer.summary),
            warnings=answer.warnings,
            story=answer.story,
            verbatim=any(isinstance(line, Drawn) or not line for line in answer.story),
            notes=answer.notes,
            command=command,
            drawings=drawings,
            letters=letters,
        )
    )
    write_text(path, html)


def write_index(folder: Path, entries: Iterable[Entry]) -> Path:
    """Write `folder`/index.html, which links to the page of each entry, and return its path. Raises ReportError."""
    home = check_folder(Path(folder))
    html = _environment().get_template("index.html.j2").render(entries=list(entries))
    write_text(home / "index.html", html)
    return home / "index.html"


def entry_of(page: Page, folder: Path) -> Entry:
    """Return the entry of the index for a page that was written to a folder."""
    links = tuple(Link(link.label, f"{page.game}/{link.href}") for link in page.links if link.href)
    return Entry(page.game, page.title, page.subtitle, page.headline, page.facts, links, picture_of(folder / page.game))


def picture_of(home: Path) -> str:
    """The leading chart of the page in a folder as a data URI; empty if there is none."""
    file = home / "charts" / f"{LEAD}.svg"
    try:
        if not file.is_file() or file.stat().st_size > PICTURE_MAX:
            return ""
        return f"data:image/svg+xml;base64,{b64encode(file.read_bytes()).decode('ascii')}"
    except OSError:
        return ""


def _charts(page: Page) -> list[DrawnChart]:
    charts = [*([page.lead] if page.lead else []), *(chart for section in page.sections for chart in section.figures)]
    _unique([file_name(chart.id, "chart id") for chart in charts], "charts")
    return charts


def _tables(page: Page) -> list[Table]:
    tables = [
        *([page.course] if page.course else []),
        *(table for section in page.sections for table in section.tables),
        *page.provenance,
    ]
    _unique([file_name(table.id, "table id") for table in tables], "tables")
    _unique(["about", "main", *(file_name(section.id, "section id") for section in page.sections)], "sections")
    return tables


def _unique(ids: list[str], what: str) -> None:
    repeated = sorted({id_ for id_ in ids if ids.count(id_) > 1})
    if repeated:
        raise ValueError(f"two {what} of the page have the id {', '.join(repeated)}; every id must be unique")


def _drawn(chart: DrawnChart) -> Drawing:
    """Draw a chart."""
    svg = render.svg(chart.figure, f"chart-{chart.id}", chart.alt)
    narrow = None if chart.narrow is None else render.svg(chart.narrow, f"narrow-{chart.id}", chart.alt)
    least = round(chart.figure.get_figwidth() * 72 * READABLE)
    # Markup: render.svg has escaped every text in it.
    shown = Markup(svg), None if narrow is None else Markup(narrow)
    return Drawing(render.svg_file(svg), *shown, least)


def _with_shared_letters(drawings: dict[str, Drawing]) -> tuple[Markup, dict[str, Drawing]]:
    """Return an element with the outlines of all letters of a page, and its drawings without them."""
    parts = [text for drawing in drawings.values() for text in (drawing.svg, drawing.narrow) if text is not None]
    letters, short = render.shared(parts)
    rest = iter(short)
    shown = {
        name: replace(drawing, svg=Markup(next(rest)), narrow=None if drawing.narrow is None else Markup(next(rest)))
        for name, drawing in drawings.items()
    }
    return Markup(letters), shown


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("analysis.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.update(
        shown=numbers.as_shown, plain=numbers.plain, numeric=numeric, value=_value, glue=numbers.glue, asset=_asset
    )
    return environment


def _value(cell: numbers.Cell) -> str:
    """Return the number in a cell for sorting, to seven digits; empty if there is none."""
    value = numbers.plain(cell)
    return "" if value is None else f"{value:.7g}" if isinstance(value, float) else str(value)


def _asset(name: str) -> Markup:
    """Return the content of a template file, to be included without escaping."""
    return Markup((Path(__file__).parent / "templates" / name).read_text("utf-8"))


def _as_json(page: Page) -> dict[str, Any]:
    """Return the contents of a page as plain data; charts are given by their files."""
    return {
        "game": page.game,
        "title": page.title,
        "subtitle": page.subtitle,
        "headline": [{"text": finding.text, "tone": finding.tone, "command": finding.command} for finding in page.headline],
        "course": _table_as_json(page.course) if page.course else None,
        "sections": [
            {
                "id": section.id,
                "chapter": section.chapter,
                "question": section.question,
                "answer": section.answer,
                "charts": [
                    {"id": chart.id, "caption": chart.caption, "alt": chart.alt, "svg": f"charts/{chart.id}.svg"}
                    for chart in section.figures
                ],
                "tables": [_table_as_json(table) for table in section.tables],
                "note": section.note,
            }
            for section in page.sections
        ],
        "provenance": [_table_as_json(table) for table in page.provenance],
        "facts": [{"label": fact.label, "text": fact.text} for fact in page.facts],
        "links": [{"label": link.label, "href": link.href} for link in page.links],
    }


def _table_as_json(table: Table) -> dict[str, Any]:
    rows = [dict(zip(table.columns, map(numbers.plain, row), strict=True)) for row in table.rows]
    return {"id": table.id, "caption": table.caption, "csv": f"tables/{table.id}.csv", "rows": rows}


PRELIMINARY = 20  # part of the games, 1 in 20, that the page written first shows
PICTURE_MAX = 1_000_000  # bytes of a chart that the index shows
ENTRY_MAX = 20_000_000  # bytes of an earlier report's numbers; the largest sample report has 0.9 million


def build_page(study: Study, command: str = "") -> Page:
    """Answer the questions of a game's first page. command: reproduces the page and is shown on it.

    The page does not depend on the time or the machine: the same study gives the same page.
    """
    *_, page = pages_of(study, command)
    return page


def pages_of(study: Study, command: str = "") -> Iterator[Page]:
    """Answer the questions of the first page; yields the page after each chapter, the last time complete."""
    for sections, coming in sections_of(study, first_page_of(study)):
        page, chapters = _page(study, command, sections), listed([f"\u201c{chapter}\u201d" for chapter in coming])
        yield _unfinished(page, f"Still being played: {chapters}.") if coming else page


def preliminary_page(study: Study, command: str = "") -> Page:
    """Answer the first question from a few of the games, for a look while the others are played."""
    part = study.budget.scaled(1 / PRELIMINARY)
    budget = replace(study.budget, games=part.games, games_by_seats=part.games_by_seats)
    few = replace(study, budget=budget, answered=None)
    ((sections, _),) = sections_of(few, first_page_of(few)[:1])
    words = f"Preliminary, from the first {count(part.games)} of {count(study.budget.games)} games"
    return _unfinished(_page(few, command, sections), f"{words}. All other questions are still being played.")


def _page(study: Study, command: str, sections: tuple[Section, ...]) -> Page:
    return Page(
        title=title_of(study.game, study.cards),
        subtitle=subtitle(study),
        game=study.game.name,
        headline=headline(study, sections),
        sections=sections,
        provenance=provenance(study),
        facts=facts(study, command),
        course=course(study),
        lead=lead_chart(study, leading_seats(study)),
    )


def _unfinished(page: Page, words: str) -> Page:
    """The page with a first line that says what is missing."""
    reload = "This page is replaced as soon as more is known; if the command was interrupted, it continues when called again."
    return replace(page, headline=(Finding(f"{words} {reload}", "open"), *page.headline))


def report(study: Study, out: Path, command: str = "", prepare: Callable[[str], None] = lambda _: None) -> tuple[Path, Entry]:
    """Build the pages of a study and write each below `out` when it is finished; returns the first page and its index entry.

    The first page is written with its first question, from a few games, and again after each chapter. A page of an earlier report
    that this one does not have is removed. Raises ReportError, before any game is played, if `out` is not writable.
    """
    check_folder(out / study.game.name)
    prepare(loop_of([study.policy]))
    write_report(preliminary_page(study, command), out)
    write_index(out, _all_entries(out))
    prepare("loop")
    drawings: dict[str, Drawing] = {}
    for page in pages_of(study, command):
        drawings |= {chart.id: _drawn(chart) for chart in _charts(page) if chart.id not in drawings}
        write_drawn(page, out, drawings)  # without links to pages that do not exist yet
    others = []
    for build in (change_page, appendix_page):
        if other := build(study, command):
            drawn = drawings_of(other)
            write_drawn(other, out, drawn)
            others.append((other, drawn))
    parts = [other.part for other, _ in others]
    for other, drawn in others:
        write_drawn(replace(other, links=links(parts, other.part)), out, drawn)
    for part in PARTS:
        if part not in parts:
            remove_page(out / study.game.name / part, study.game.name)
    page = replace(with_proposal(page, [other for other, _ in others]), links=links(parts))
    return write_drawn(page, out, drawings), entry_of(page, out)


def remove_page(home: Path, game: str) -> None:
    """Remove a page of an earlier report on a game, with the charts and tables that it names. Other files in its folder stay."""
    try:
        page = json.loads((home / NUMBERS).read_text("utf-8"))
        charts = [chart["id"] for section in page["sections"] for chart in section["charts"]]
        tables = [table["id"] for section in page["sections"] for table in section["tables"]]
        tables += [table["id"] for table in page["provenance"]]
        files = [home / "charts" / f"{file_name(id_, 'chart id')}.svg" for id_ in charts]
        files += [home / "tables" / f"{file_name(id_, 'table id')}.csv" for id_ in tables]
        is_of_game = page["game"] == game
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return  # no page of a report
    if not is_of_game:
        return
    with heeding():
        for file in (*files, home / "index.html", home / NUMBERS):
            with suppress(OSError):
                file.unlink()
        for folder in (home / "charts", home / "tables", home):
            with suppress(OSError):  # it is not empty
                folder.rmdir()


def with_proposal(page: Page, others: Sequence[Page]) -> Page:
    """The first page with the proposal of the page "what to change" after the first finding, unless it names a change itself."""
    proposed = [finding for other in others if other.part == CHANGE for finding in other.headline[:1] if finding.text != TOO_FEW]
    if not proposed or any(finding.command.startswith("fairfight whatif") for finding in page.headline):
        return page
    verdict, first, *rest = page.headline
    return replace(page, headline=(verdict, first, replace(proposed[0], tone="fair"), *rest))


Apart = Callable[[str, Path, int, np.ndarray, Callable[[int], None]], None]


def write_reports(
    studies: Sequence[Study],
    out: Path,
    scale: float = 1.0,
    prepare: Callable[[Game, str], None] = lambda *_: None,
    apart: Apart | None = None,
) -> Path:
    """Write a report for each study, and the index of all reports in `out`; returns the path of the index.

    scale: that of the budgets, for the command shown on each page; prepare: compiles a part of a game that is needed next. apart:
    writes a report in another process, so that several are written at a time. It takes its command, `out`, the number
    of workers, an array that is set to stop it, and a function for the number of answered questions. Raises ReportError.
    """
    check_folder(out)
    commands = {study: command_for(study, scale) for study in studies}
    waiting = [study for study in studies if not _is_finished(study, out, commands[study])]
    steps, answered = sum(map(steps_of, waiting)), dict.fromkeys(waiting, 0)

    def note(study: Study, number: int) -> None:
        answered[study] = number
        if study.watch:
            study.watch("questions", sum(answered.values()), steps)

    def write(study: Study) -> Study:
        one_more = replace(study, answered=lambda: note(study, answered[study] + 1))
        report(one_more, out, commands[study], partial(prepare, study.game))
        return study

    def write_apart(study: Study, jobs: int, stop: np.ndarray) -> Study:
        assert apart
        apart(commands[study], out, jobs, stop, partial(note, study))
        return study

    if waiting:
        note(waiting[0], 0)
    limit = waiting[0].jobs if waiting else None
    at_once = min(len(waiting), limit or cores()) if apart else 1
    written: Iterable[Study]
    if at_once > 1:
        # the game that compiles soonest first, for a page to look at, then the slowest, so that the last to finish is short
        soonest = min(waiting, key=lambda study: kernels_of(study.game))
        ordered = sorted(waiting, key=lambda study: (study is not soonest, study.budget.games))
        jobs = max(1, limit // at_once) if limit else cores()  # all: none is idle while the last report is finished
        written = share_out(
            lambda stop: (delayed(write_apart)(study, jobs, stop) for study in ordered), at_once, "generator_unordered"
        )
    else:
        written = map(write, waiting)
    for study in written:
        _note_finished(study, out, commands[study])
    return write_index(out, _all_entries(out))


def _is_finished(study: Study, out: Path, command: str) -> bool:
    """Whether this report is already in `out`, from an earlier, interrupted run of the command."""
    keeper, numbers = keeper_in_use(), out / study.game.name / NUMBERS
    if keeper is None or not numbers.is_file():
        return False
    noted = keeper.recall(f"report {command}", study.main(study.seats[0]), 0, 0)
    return noted is not None and noted[0].tobytes() == sha256(numbers.read_bytes()).digest()


def _note_finished(study: Study, out: Path, command: str) -> None:
    """Note that a report is in `out`, in case the command is interrupted later."""
    if keeper := keeper_in_use():
        digest = sha256((out / study.game.name / NUMBERS).read_bytes()).digest()
        keeper.keep(f"report {command}", study.main(study.seats[0]), 0, 0, [np.frombuffer(digest, np.uint8)])


def command_for(study: Study, scale: float = 1.0) -> str:
    """Command that writes the same report again."""
    name, options = words_for(study.game, study.cards)
    players = ["--quick"] if study.quick else ["--policy", str(study.policy)]
    words = ["fairfight", "report", name, *players, "--seed", str(study.seed)]
    if scale != 1:
        words += ["--scale", repr(scale)]
    return shlex.join([*words, *options, *options_of(study.cards)])


def _all_entries(out: Path) -> list[Entry]:
    """Entries of the reports in the folder, by title."""
    read = {path.parent.name: _read_entry(path) for path in sorted(out.glob(f"*/{NUMBERS}"))}
    return sorted((entry for name, entry in read.items() if entry and entry.game == name), key=lambda entry: entry.title)


def _read_entry(path: Path) -> Entry | None:
    """Entry of a report that was written earlier; None for any other file."""
    try:
        if not path.is_file() or path.stat().st_size > ENTRY_MAX:
            return None
        page = json.loads(path.read_text("utf-8"))
        findings = tuple(_finding(line) for line in page["headline"])
        made = tuple(Fact(_text(line, "label"), _text(line, "text")) for line in page["facts"])
        game = _text(page, "game")
        links_ = tuple(
            Link(_text(line, "label"), f"{game}/{_text(line, 'href')}") for line in page.get("links", []) if line["href"]
        )
        picture = picture_of(path.parent)
        return Entry(game, _text(page, "title"), _text(page, "subtitle"), findings, made, links_, picture)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _finding(line: dict[str, object]) -> Finding:
    """A finding of an earlier report, which can be without a command."""
    command = _text(line, "command") if "command" in line else ""
    return Finding(_text(line, "text"), _text(line, "tone"), command)  # type: ignore[arg-type]


def _text(table: dict[str, object], key: str) -> str:
    """A text of an earlier report. Raises TypeError if it is not text, ValueError if it cannot be encoded."""
    text = table[key]
    if not isinstance(text, str):
        raise TypeError(key)
    text.encode("utf-8")
    return text
