"""Reading the tables of a section, as tests do."""

from typing import Any

from analysis.document.model import Section


def lines(section: Section, table: str, **wanted: Any) -> list[dict[str, Any]]:
    """Lines of the one table of a section with this id, those with these cells."""
    (found,) = (each for each in section.tables if each.id == table)
    rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]
