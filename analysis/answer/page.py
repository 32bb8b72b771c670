"""Parts of a report page around its sections: headline, facts, links. `analysis.report.write` writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analysis.answer.model import Section
from analysis.answer.tables import Table

Tone = Literal["verdict", "strong", "weak", "fair", "open", "note"]


@dataclass(frozen=True)
class Finding:
    """One sentence of the headline. tone: its mark (above, below, within the fair band...).

    The verdict, which sums up the report in one line, comes first and has no mark.
    """

    text: str
    tone: Tone = "note"


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

    course: how the games went, below the headline.

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
    course: Table | None = None

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
