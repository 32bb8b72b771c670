"""What a report page is made of: plain frozen records, filled by the answerers and written by `write`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # the command prints tables without loading the charts
    from matplotlib.figure import Figure

Tone = Literal["verdict", "strong", "weak", "fair", "open", "note"]
Format = Literal["text", "count", "number", "percent", "points", "p"]
Cell = str | int | float | bool | None

SECONDARY = (  # columns that a terminal shows only where there is room, or with --wide: the first ones give way first
    *("gain", "rounds", "pairs", "seat *", "search said", "standard error", "rating"),
    *("p", "p (*", "p * (*", "capped*", "truncated*", "n *", "n"),
)


@dataclass(frozen=True)
class Finding:
    """One sentence of the headline. tone: what the mark beside it says (above, below, within the fair band...).

    The verdict, the whole report in one line, stands first and without a mark.
    """

    text: str
    tone: Tone = "note"


@dataclass(frozen=True)
class Chart:
    """A figure with the words around it. id: unique on the page, it names the files; alt: what the chart shows.

    narrow: the same for a narrow screen, where the page shows it instead.
    """

    id: str
    figure: Figure
    caption: str
    alt: str
    narrow: Figure | None = None


@dataclass(frozen=True)
class Table:
    """Rows below a chart. formats: column -> how numbers are written, by default by their type.

    `percent` and `points` take shares (0.513 is 51.3 %). Cells that are None or nan are shown as a dash. ends: how many rows of
    a long table stand on the page from each end, 0: all; its CSV always has all. secondary: columns (shell patterns such as
    `seat *`) that give way first where a terminal is too narrow for all.
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
        """The rows that stand on the page."""
        whole = not self.ends or len(self.rows) <= 2 * self.ends
        return self.rows if whole else (*self.rows[: self.ends], *self.rows[-self.ends :])

    def __post_init__(self) -> None:
        """Raise ValueError where a row has not one cell per column."""
        for number, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.id}: row {number} has {len(row)} cells for {len(self.columns)} columns")


@dataclass(frozen=True)
class Section:
    """A question: its answer in one to three sentences, then what shows it."""

    id: str
    question: str
    answer: str
    figures: tuple[Chart, ...] = ()
    tables: tuple[Table, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Fact:
    """A line of "how this was made": policies, seed, games, command. code: shown as text to copy."""

    label: str
    text: str
    code: bool = False


@dataclass(frozen=True)
class Link:
    """A way from a page to another of the same game. href: relative to the page; empty for the page itself."""

    label: str
    href: str = ""


@dataclass(frozen=True)
class Page:
    """A report. game: name of its folder; headline: most important first; provenance: where the numbers come from.

    part: folder inside that of the game, empty for the game's first page; links: to the pages of the game, this one among them.
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
        """Where the index of all reports stands, seen from the page."""
        return "../../index.html" if self.part else "../index.html"


@dataclass(frozen=True)
class Entry:
    """A line of the index: which page, and what it says first. links: to further pages of the game, relative to the index."""

    game: str
    title: str
    subtitle: str
    headline: tuple[Finding, ...]
    facts: tuple[Fact, ...] = ()
    links: tuple[Link, ...] = ()
