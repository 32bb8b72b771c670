"""Rows of the tables of a section as dicts."""

from typing import Any

from analysis.document.model import Section


def lines(section: Section, table: str, **wanted: Any) -> list[dict[str, Any]]:
    """Lines of the table with this id that have the wanted cells."""
    (match,) = (candidate for candidate in section.tables if candidate.id == table)
    rows = [dict(zip(match.columns, row, strict=True)) for row in match.rows]
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]
