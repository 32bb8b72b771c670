"""Answers to questions, and the parts of report sections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from analysis.answer.tables import Table

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

    from sim.engine.questions import Question


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
    """A question with its answer in one to three sentences, and everything behind it: the result of every study.

    A report shows question, answer, figures, tables and note. A command prints the tables and `lines`, sentences that explain
    them. printed: the tables that it prints instead, if some are too long for a terminal; main: the table that --csv writes, by
    default the first; data: what --json prints, tables included; draw: the figure that --chart writes, None if there is nothing
    to draw. chapter: heading of the group of sections that it belongs to on a page, if any.
    """

    id: str
    question: str = ""
    answer: str = ""
    figures: tuple[DrawnChart, ...] = ()
    tables: tuple[Table, ...] = ()
    note: str = ""
    lines: tuple[str, ...] = ()
    printed: tuple[Table, ...] | None = None
    main: Table | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    draw: Callable[[], Figure | None] | None = None
    chapter: str = ""


def answered(
    question: Question, answer: str, figure: Figure, caption: str, alt: str, tables: Sequence[Table], note: str = ""
) -> Section:
    """A section with one chart, whose description ends with the answer."""
    chart = DrawnChart(question.id, figure, caption, f"{alt} {answer}")
    return Section(question.id, question.text, answer, (chart,), tuple(tables), note)


class Notice(UserWarning):
    """Something that the user should know about a result. Commands print it as a note."""
