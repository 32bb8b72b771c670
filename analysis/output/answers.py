"""Show an answer in the terminal, as JSON and in files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from analysis.answer.model import Answer, Drawn
from analysis.answer.numbers import count
from analysis.answer.tables import Table
from analysis.output import terminal
from analysis.output.files import write_answer, write_chart, wrote


def show(
    answer: Answer, again: str, *, as_json: bool, csv: Path | None, chart: Path | None, out: Path | None, force: bool
) -> None:
    """Write the files and print the answer; print it even if a file cannot be written.

    again: command for a better answer; out: folder for the cards that came out of it; force: overwrite those that exist.
    """
    try:
        if out is not None:
            wrote(answer.cards.save(out, force))
        if chart is not None:
            draw(answer, chart)
        if csv is not None:
            write_answer(csv, answer)
    finally:
        if as_json:
            terminal.print_json(answer.data)
        else:
            print_answer(answer, again)


def print_answer(answer: Answer, again: str = "") -> None:
    """Print the summary, the story or the tables, and the notes."""
    terminal.tell(answer.summary)
    terminal.say("")
    for line in answer.story:
        terminal.say(line) if isinstance(line, Drawn) else terminal.tell(line)
    for table in () if answer.story else answer.tables:
        if not table.hidden:
            terminal.print_table(table.brief or shortened(table))
    for note in answer.notes:
        terminal.tell(note)
    if again:
        terminal.tell(f"More games: {again}")


def shortened(table: Table) -> Table:
    """The rows of a table that people see, with their number in the caption if they are not all."""
    ends = table.shown_ends
    if not ends:
        return table
    return replace(table, rows=table.shown_rows, caption=f"{table.caption}: first and last {ends} of {count(len(table.rows))}")


def draw(answer: Answer, path: Path) -> None:
    """Draw the main chart to a file; print a note if there is none."""
    if not answer.charts:
        terminal.note(f"{path} not written: nothing to draw")
        return
    chart = answer.charts[0]
    write_chart(path, chart.draw(), chart.title)
