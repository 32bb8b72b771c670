"""How Jupyter and the Python prompt show an answer."""

from __future__ import annotations

import base64
import html
import io
import sys
from typing import TYPE_CHECKING, Any

from analysis.answer.numbers import as_shown, count
from analysis.answer.tables import Table, numeric

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from analysis.answer.model import Answer

ROWS_SHOWN = 20  # of a table in a notebook
DOTS = 90  # per inch, of a chart in a notebook
TITLE, TITLE_SIZE, TITLE_LEFT = 0.32, 10.0, 0.12  # of a chart: height and left edge in inches, size of its letters in points


def in_notebook() -> bool:
    """Whether this runs in a Jupyter kernel."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and hasattr(shell, "kernel")


def show_figures() -> None:
    """Let a Jupyter kernel show figures that cells return, without `%matplotlib inline`."""
    if in_notebook():
        from matplotlib_inline.backend_inline import set_matplotlib_formats  # noqa: PLC0415 - only Jupyter has it

        set_matplotlib_formats("png", dpi=DOTS)  # type: ignore[no-untyped-call]


def framed(figure: Figure, title: str, size: tuple[float, float] | None) -> Figure:
    """A figure with another size in inches, then with a title above all else, for which it becomes higher."""
    if size is not None:
        figure.set_size_inches(*size)
    if not title:
        return figure
    width, height = figure.get_size_inches()
    part = height / (height + TITLE)
    figure.set_size_inches(width, height + TITLE)
    for axes in figure.axes:
        box = axes.get_position()
        axes.set_position((box.x0, part * box.y0, box.width, part * box.height))
    for text in figure.texts:
        text.set_y(part * text.get_position()[1])
    marks: list[Any] = [artist for artist in figure.artists if hasattr(artist, "set_ydata")]  # of a legend
    for mark in marks:
        mark.set_ydata([part * y for y in mark.get_ydata()])
    family = figure.texts[0].get_fontfamily() if figure.texts else None
    place = TITLE_LEFT / width, 1 - TITLE / 2 / (height + TITLE)
    figure.text(*place, title, va="center", fontsize=TITLE_SIZE, fontweight="bold", family=family)
    return figure


def as_text(answer: Answer) -> str:
    """The summary, the warnings and the main table, for the Python prompt."""
    rows = answer.frame
    shown = rows.round(3).to_string(index=False, max_rows=ROWS_SHOWN, max_colwidth=60, na_rep="") if len(rows.columns) else ""
    return "\n".join([answer.summary, *answer.warnings, "", shown]).strip()


def as_html(answer: Answer) -> str:
    """Summary, warnings, chart and main table."""
    parts = [f"<p><strong>{html.escape(answer.summary)}</strong></p>"]
    parts += [f"<p>{html.escape(warning)}</p>" for warning in answer.warnings]
    if answer.charts:
        chart = answer.charts[0]
        alt = html.escape(f"{chart.title} {answer.summary}")
        parts.append(f'<img src="data:image/webp;base64,{_webp(chart.draw())}" alt="{alt}">')
    shown = [table for table in answer.tables if not table.hidden]
    return "\n".join([*parts, *map(html_table, shown[:1])])


def html_table(table: Table) -> str:
    """The first rows of a table, with formatted cells."""
    right = [' style="text-align:right"' if one else ' style="text-align:left"' for one in numeric(table)]
    head = "".join(f"<th{how}>{html.escape(name)}</th>" for name, how in zip(table.columns, right, strict=True))
    body = [
        "".join(
            f"<td{how}>{html.escape(as_shown(cell, table.formats.get(name)))}</td>"
            for cell, name, how in zip(row, table.columns, right, strict=True)
        )
        for row in table.seen[:ROWS_SHOWN]
    ]
    rows = "\n".join(f"<tr>{cells}</tr>" for cells in (head, *body))
    left_out = len(table.rows) - ROWS_SHOWN
    rest = f"\n<p>{count(left_out)} more rows are in .frame</p>" if left_out > 0 else ""
    caption = f"<caption>{html.escape(table.caption)}</caption>\n" if table.caption else ""
    return f"<table>\n{caption}{rows}\n</table>{rest}"


def _webp(figure: Figure) -> str:
    """A chart as base64 text, at the resolution of a screen."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="webp", dpi=DOTS, pil_kwargs={"lossless": True, "method": 4})
    return base64.b64encode(buffer.getvalue()).decode("ascii")
