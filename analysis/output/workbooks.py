"""Spreadsheet files (.xlsx), written row by row."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font

from analysis.answer.files import temporary_files_in
from analysis.output.encoding import as_text


class Sheet:
    """A sheet of a workbook, written row by row. Headings stay visible; text is never taken for a formula."""

    def __init__(self, book: Any, title: str, columns: Sequence[str], formats: Sequence[str | None] | None = None) -> None:
        self._sheet = book.create_sheet(title[:31])
        self._sheet.freeze_panes = "B2"
        self._formats = formats or [None] * len(columns)
        heads = [self._cell(column) for column in columns]
        for head in heads:
            head.font = Font(bold=True)
        self._sheet.append(heads)

    def add(self, row: Sequence[Any]) -> None:
        """Append a row of plain values."""
        cells = zip(row, self._formats, strict=True)
        self._sheet.append([self._cell(cell, form) if form or isinstance(cell, str) else cell for cell, form in cells])

    def _cell(self, value: Any, form: str | None = None) -> Any:
        text = isinstance(value, str)
        cell = WriteOnlyCell(self._sheet, as_text(value) if text else value)
        if text:
            cell.data_type = "s"
        elif form:
            cell.number_format = form
        return cell


@contextmanager
def workbook(path: Path) -> Iterator[Any]:
    """A workbook that is written row by row and saved at the end."""
    book, content = Workbook(write_only=True), io.BytesIO()
    with temporary_files_in(path.parent):
        try:
            yield book
        finally:  # which also removes its temporary files
            book.save(content)
    path.write_bytes(content.getvalue())  # not by the library, which cannot clean up after a full disk
