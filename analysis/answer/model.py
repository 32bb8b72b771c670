"""Answers to questions, and the parts of report sections."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.answer.files import write_bytes
from analysis.answer.notebook import as_html, as_text, framed, show_figures
from analysis.answer.tables import Table, csv_file, data_table, defused, excel, frame_of, plain_rows, plain_values
from sim.engine.cardfiles.paths import did_you_mean

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    import pandas as pd
    from matplotlib.figure import Figure


class NoAnswerError(ValueError):
    """Raised where a game, its cards or its games hold no answer to a question. A report leaves its section out."""


NOTES_ON_A_PAGE = 2


@dataclass(frozen=True)
class Chart:
    """A chart, drawn when it is asked for.

    draw: returns the figure. title: a short sentence on what is shown, the caption. id: unique within the answer; the first chart
    of an answer needs none. narrow: draws a version for narrow screens.
    """

    draw: Callable[[], Figure]
    title: str
    id: str = ""
    narrow: Callable[[], Figure] | None = None


class Drawn(str):
    """A line of a picture made of characters, which must not be broken."""

    __slots__ = ()


class ColumnNote(str):
    """A note on columns: a terminal prints it if it shows one of them. columns: headings, or shell patterns of them."""

    columns: tuple[str, ...]

    def __new__(cls, text: str, *columns: str) -> ColumnNote:
        """Make a note of a text."""
        note = super().__new__(cls, text)
        note.columns = columns
        return note

    def explains(self, headings: Collection[str]) -> bool:
        """Whether one of these columns is explained."""
        return any(fnmatchcase(heading, pattern) for heading in headings for pattern in self.columns)


@dataclass(frozen=True, eq=False, repr=False)
class Answer:
    """The answer to a question: the only result of a question, which terminal, notebook, page and files render.

    summary: one sentence of at most 30 words: the name, the number, how sure; it fits two lines of 80 characters. tables: the
    main one first, which a terminal prints without --all; each has the key `Table.id` in JSON, where the summary has the key
    `answer`. charts: the main one first. notes: what the terms mean and how the games were played, one sentence each, the most
    important first; a terminal prints them with --notes (see `ColumnNote`), a page NOTES_ON_A_PAGE of them. facts: how the games
    were played, for JSON. cards: a card set that came out of it, such as the proposal of `tune`. again: arguments with which
    asking again gives a more certain answer. shown: which of the games were counted, if the question was interrupted. story:
    lines of text that a terminal prints before the tables that are `main`, such as a replayed game; those of pictures are
    `Drawn`. brief: what it prints in place of a long story without --all. warnings: what changes how the answer must be read,
    such as truncated games, one sentence each; always shown.
    """

    summary: str
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    cards: Any = None  # analysis.results.Cards, a layer above
    again: Mapping[str, Any] = field(default_factory=dict)
    shown: str = ""
    story: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled; charts are functions, which pickle alone cannot write."""
        from joblib import wrap_non_picklable_objects  # noqa: PLC0415 - as for pandas, see `frame_of`

        return {**vars(self), "charts": wrap_non_picklable_objects(self.charts, keep_wrapper=False)}

    def __copy__(self) -> Answer:
        """Return a shallow copy, which would otherwise have the charts as they are pickled."""
        return replace(self)

    @property
    def frame(self) -> pd.DataFrame:
        """The main table, with all rows and columns. Shares are numbers from 0 to 1. Empty if there is no table."""
        return self.tables[0].frame if self.tables else frame_of((), ())

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """All tables by their id."""
        return {table.id: table.frame for table in self.tables}

    @property
    def data(self) -> dict[str, Any]:
        """Everything as plain values, as the command prints it with `--json`."""
        tables = {table.id: plain_rows(table.frame) for table in self.tables}
        data: dict[str, Any] = plain_values({"answer": self.summary, "facts": self.facts})
        return data | tables

    def __getitem__(self, table: str) -> pd.DataFrame:
        """The frame of a table by its id, as in `frames`. Raises KeyError with the nearest id for an unknown one."""
        if table in self.frames:
            return self.frames[table]
        raise KeyError(f"{table!r} is no table of this answer; {did_you_mean(str(table), list(self.frames))}")

    def to_csv(self, path: str | Path) -> None:
        """Write the main table to a CSV file, which Excel opens too. Raises ReportError if it cannot be written."""
        write_bytes(Path(path), csv_file(data_table(self._main("to_csv"))))

    def to_excel(self, path: str | Path) -> None:
        """Write all tables to a spreadsheet (.xlsx), a sheet for each. Raises ReportError if it cannot be written."""
        self._main("to_excel")
        content = BytesIO()
        with excel(content) as book:
            for table in map(data_table, self.tables):
                cells = frame_of([[defused(cell) for cell in row] for row in table.rows], table.columns)
                cells.to_excel(book, sheet_name=table.id, index=False)
        write_bytes(Path(path), content.getvalue())

    def _main(self, method: str) -> Table:
        """The main table. Raises ValueError if there is none."""
        if not self.tables:
            raise ValueError(f"{method}: this answer has no table")
        return self.tables[0]

    def plot(self, chart: int | str = 0, *, title: str = "", size: tuple[float, float] | None = None) -> Figure:
        """Draw a chart. Raises ValueError if there is no such chart.

        chart: its index or id. title: text above the chart. size: width and height in inches; texts keep their size.
        """
        chosen = [one for index, one in enumerate(self.charts) if chart in (index, one.id)]
        if not chosen:
            ids = ", ".join(f"{index} {one.id}".strip() for index, one in enumerate(self.charts))
            raise ValueError(f"chart={chart!r}: this answer has {f'the charts {ids}' if ids else 'no charts'}")
        show_figures()
        figure = chosen[0].draw()
        return framed(figure, title, size) if title or size else figure

    def __repr__(self) -> str:
        """Return the summary and the main table."""
        return as_text(self)

    def _repr_html_(self) -> str:
        """Return summary, chart and main table for Jupyter."""
        return as_html(self)


@dataclass(frozen=True)
class DrawnChart:
    """A figure with its texts. id: unique on the page, names the files; alt: description of the chart.

    narrow: version for narrow screens.
    """

    id: str
    figure: Figure
    caption: str
    alt: str
    narrow: Figure | None = None


@dataclass(frozen=True)
class Section:
    """A question on a page, with its answer in one sentence, its charts, tables and note.

    chapter: heading of the group of sections that it belongs to, if any.
    """

    id: str
    question: str = ""
    answer: str = ""
    figures: tuple[DrawnChart, ...] = ()
    tables: tuple[Table, ...] = ()
    note: str = ""
    chapter: str = ""


class Notice(UserWarning):
    """Something that the user should know about a result. Commands print it as a note."""
