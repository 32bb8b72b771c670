"""Rows of the tables of a section as dicts, and what every section promises."""

import re
from typing import Any

from analysis.answer.model import Section


def lines(section: Section, table: str, **wanted: Any) -> list[dict[str, Any]]:
    """Lines of the table with this id that have the wanted cells."""
    (match,) = (candidate for candidate in section.tables if candidate.id == table)
    rows = [dict(zip(match.columns, row, strict=True)) for row in match.rows]
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def assert_well_formed(section: Section) -> None:
    """Sentences and tables with numbers, intervals and n; charts with a caption and a description."""
    assert section.answer.endswith(".")
    assert section.answer[0].isupper()
    assert "nan" not in section.answer.lower()
    if "95 % interval" in section.answer:
        assert "n\u00a0=\u00a0" in section.answer
    else:  # the summary of an answer
        assert re.search(r"\([\d.]+ to ", section.answer)
    assert section.note
    assert section.figures
    for chart in section.figures:
        assert len(chart.alt) > 40
        assert chart.caption.endswith(".")
    for table in section.tables:
        assert any(column == "n" or column.startswith("n (") for column in table.columns), table.id
        assert table.rows
