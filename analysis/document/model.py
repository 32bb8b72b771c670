"""Parts of a report page: frozen records, filled by the answerers and written by `analysis.report.write`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # the command prints tables without loading the charts
    from matplotlib.figure import Figure

Tone = Literal["verdict", "strong", "weak", "fair", "open", "note"]
Format = Literal["text", "count", "number", "percent", "points", "p"]
Cell = str | int | float | bool | None

SECONDARY = (  # columns that a narrow terminal leaves out, in this order; --wide shows them
    *("gain", "rounds", "pairs", "seat *", "search said", "standard error", "rating"),
    *("p", "p (*", "p * (*", "capped*", "truncated*", "n *", "n"),
)


@dataclass(frozen=True)
class Finding:
    """One sentence of the headline. tone: its mark (above, below, within the fair band...).

    The verdict, which sums up the report in one line, comes first and has no mark.
    """

    text: str
    tone: Tone = "note"


@dataclass(frozen=True)
class Chart:
    """A figure with its texts. id: unique on the page, names the files; alt: description of the chart.

    narrow: version for narrow screens.
    """

    id: str
    figure: Figure
    caption: str
    alt: str
    narrow: Figure | None = None


@dataclass(frozen=True)
class Table:
    """Rows below a chart. formats: column -> number format, by default by type.

    `percent` and `points` take shares (0.513 is 51.3 %). Cells that are None or nan are shown as a dash. ends: number of rows
    that the page shows from each end of a long table, 0 for all; the CSV always has all. secondary: columns (shell patterns
    such as `seat *`) that a narrow terminal leaves out, in this order.
    """

    id: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    formats: Mapping[str, Format] = field(default_factory=dict)
    ends: int = 0
    secondary: tuple[str, ...] = SECONDARY

    @property
    def on_page(self) -> tuple[tuple[Cell, ...], ...]:
        """Rows shown on the page."""
        whole = not self.ends or len(self.rows) <= 2 * self.ends
        return self.rows if whole else (*self.rows[: self.ends], *self.rows[-self.ends :])

    def __post_init__(self) -> None:
        """Raise ValueError unless every row has one cell per column."""
        for number, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.id}: row {number} has {len(row)} cells for {len(self.columns)} columns")


@dataclass(frozen=True)
class Section:
    """A question with its answer in one to three sentences, and the charts and tables behind it."""

    id: str
    question: str
    answer: str
    figures: tuple[Chart, ...] = ()
    tables: tuple[Table, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Fact:
    """A line on how the report was made: policies, seed, games, command. code: shown as text to copy."""

    label: str
    text: str
    code: bool = False


@dataclass(frozen=True)
class Link:
    """A link from a page to another of the same game. href: relative to the page; empty for the page itself."""

    label: str
    href: str = ""


@dataclass(frozen=True)
class Page:
    """A report. game: name of its folder; headline: most important first; provenance: sources of the numbers.

    part: folder within that of the game, empty for the game's first page; links: to all pages of the game, including this one.
    """

    title: str
    subtitle: str
    game: str
    headline: tuple[Finding, ...]
    sections: tuple[Section, ...]
    provenance: tuple[Table, ...] = ()
    facts: tuple[Fact, ...] = ()
    part: str = ""
    links: tuple[Link, ...] = ()

    @property
    def index(self) -> str:
        """Path from the page to the index of all reports."""
        return "../../index.html" if self.part else "../index.html"


@dataclass(frozen=True)
class Entry:
    """Entry of the index: a page and its headline. links: to further pages of the game, relative to the index."""

    game: str
    title: str
    subtitle: str
    headline: tuple[Finding, ...]
    facts: tuple[Fact, ...] = ()
    links: tuple[Link, ...] = ()
