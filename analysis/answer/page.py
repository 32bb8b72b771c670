"""Parts of a report page around its sections: headline, facts, links. `analysis.report.write` writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analysis.answer.model import DrawnChart, Section
from analysis.answer.tables import Table

Tone = Literal["verdict", "strong", "weak", "fair", "open", "note"]


@dataclass(frozen=True)
class Finding:
    """One sentence of the headline. tone: its mark (above, below, within the fair band...).

    The verdict, which sums up the report in one line, comes first and has no mark. command: what to do about it, as text to copy.
    """

    text: str
    tone: Tone = "note"
    command: str = ""


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


FINDINGS = 3  # on the first screen, besides the verdict


@dataclass(frozen=True)
class Page:
    """A report. game: name of its folder; headline: most important first; provenance: sources of the numbers.

    The first screen shows `findings` beside the chart `lead`; `remarks` stand at the end of the page, and so does course, how the
    games went. part: folder within that of the game, empty for its first page; links: to all pages of the game, with this one.
    folded: whether charts are folded below their sentences, as on an appendix.
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
    lead: DrawnChart | None = None
    folded: bool = False

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The verdict and the most important findings."""
        return findings_of(self.headline)

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """The rest of the headline: what fair means, what is left out, what is assumed."""
        return tuple(finding for finding in self.headline if finding not in self.findings)

    @property
    def index(self) -> str:
        """Path from the page to the index of all reports."""
        return "../../index.html" if self.part else "../index.html"


@dataclass(frozen=True)
class Entry:
    """Entry of the index: a page and its headline.

    links: to further pages of the game, relative to the index. picture: its leading chart as a data URI; empty for none.
    """

    game: str
    title: str
    subtitle: str
    headline: tuple[Finding, ...]
    facts: tuple[Fact, ...] = ()
    links: tuple[Link, ...] = ()
    picture: str = ""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The verdict and the most important findings."""
        return findings_of(self.headline)


def findings_of(headline: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The verdict and FINDINGS further findings; without any finding, the first FINDINGS notes."""
    found = tuple(finding for finding in headline if finding.tone != "note")
    return found[: 1 + FINDINGS] or headline[:FINDINGS]
