"""Write pages: one self-contained HTML file, with its charts, tables and numbers beside it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from analysis.charts import render
from analysis.document import cells
from analysis.document.files import check_folder, file_name, write_bytes, write_text
from analysis.document.model import Chart, Entry, Link, Page, Table
from sim.stopping import writing

NUMBERS = "report.json"  # contents of a page as data, beside it
READABLE = 1.22  # CSS pixels per point of a chart; below this its text is too small and its box scrolls


@dataclass(frozen=True)
class Drawing:
    """A chart as files and as part of a page.

    narrow: version for narrow screens, if any; least: width in CSS pixels below which its box scrolls.
    """

    file: str
    png: bytes
    svg: Markup
    narrow: Markup | None
    least: int


def write_report(page: Page, folder: Path) -> Path:
    """Write a page to `folder`/`page.game`, or `page.part` in it, and return the path of its index.html.

    Also writes charts/<id>.svg and .png, tables/<id>.csv and report.json. The same page gives the same bytes. Raises
    ReportError if the folder is not writable, ValueError if two charts or two tables have the same id.
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
    html = _environment().get_template("page.html.j2").render(page=page, drawings=drawings)
    numbers = json.dumps(_as_json(page), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    with writing():
        for name, drawing in drawings.items():
            write_text(home / "charts" / f"{name}.svg", drawing.file)
            write_bytes(home / "charts" / f"{name}.png", drawing.png)
        for table in tables:
            write_text(home / "tables" / f"{table.id}.csv", cells.csv_of(table))
        write_text(home / NUMBERS, numbers)
        write_text(home / "index.html", html)
    return home / "index.html"


def write_index(folder: Path, entries: Iterable[Entry]) -> Path:
    """Write `folder`/index.html, which links to the page of each entry, and return its path. Raises ReportError."""
    home = check_folder(Path(folder))
    html = _environment().get_template("index.html.j2").render(entries=list(entries))
    write_text(home / "index.html", html)
    return home / "index.html"


def entry_of(page: Page) -> Entry:
    """Return the entry of the index for a page."""
    links = tuple(Link(link.label, f"{page.game}/{link.href}") for link in page.links if link.href)
    return Entry(page.game, page.title, page.subtitle, page.headline, page.facts, links)


def _charts(page: Page) -> list[Chart]:
    charts = [chart for section in page.sections for chart in section.figures]
    _unique([file_name(chart.id, "chart id") for chart in charts], "charts")
    return charts


def _tables(page: Page) -> list[Table]:
    tables = [table for section in page.sections for table in section.tables] + list(page.provenance)
    _unique([file_name(table.id, "table id") for table in tables], "tables")
    _unique(["about", "main", *(file_name(section.id, "section id") for section in page.sections)], "sections")
    return tables


def _unique(ids: list[str], what: str) -> None:
    repeated = sorted({id_ for id_ in ids if ids.count(id_) > 1})
    if repeated:
        raise ValueError(f"two {what} of the page have the id {', '.join(repeated)}; every id must be unique")


def _drawn(chart: Chart) -> Drawing:
    """Draw a chart."""
    svg = render.svg(chart.figure, f"chart-{chart.id}", chart.alt)
    narrow = None if chart.narrow is None else render.svg(chart.narrow, f"narrow-{chart.id}", chart.alt)
    least = round(chart.figure.get_figwidth() * 72 * READABLE)
    # Markup: render.svg has escaped every text in it.
    shown = Markup(svg), None if narrow is None else Markup(narrow)
    return Drawing(render.svg_file(svg), render.png(chart.figure), *shown, least)


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
        shown=cells.as_shown, plain=cells.plain, numeric=cells.numeric, glue=cells.glue, asset=_asset
    )
    return environment


def _asset(name: str) -> Markup:
    """Return the content of a template file, to be included without escaping."""
    return Markup((Path(__file__).parent / "templates" / name).read_text("utf-8"))


def _as_json(page: Page) -> dict[str, Any]:
    """Return the contents of a page as plain data; charts are given by their files."""
    return {
        "game": page.game,
        "title": page.title,
        "subtitle": page.subtitle,
        "headline": [{"text": finding.text, "tone": finding.tone} for finding in page.headline],
        "sections": [
            {
                "id": section.id,
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
    rows = [dict(zip(table.columns, map(cells.plain, row), strict=True)) for row in table.rows]
    return {"id": table.id, "caption": table.caption, "csv": f"tables/{table.id}.csv", "rows": rows}
