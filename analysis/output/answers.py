"""Show an answer in the terminal, as JSON and in files.

The answer comes first: its sentence, a blank line, the main table. Without --all a table shows what fits in LINES lines, without
its details; the notes come with --notes, those on columns if the columns are shown.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rich.text import Text

from analysis.answer.files import temporary_files_in
from analysis.answer.model import Answer, ColumnNote, Drawn
from analysis.answer.prose import listed, some
from analysis.answer.tables import Table
from analysis.output import terminal
from analysis.output.files import write_answer, write_chart, wrote

LINES = 25  # of an answer, without --all and --notes
ROWS_LEAST = 4  # of a table that is shortened


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
    """Print the summary, the story, the tables, the warnings, with --notes the notes, and what else there is.

    again: command for a better answer.
    """
    printed = terminal.print_options()
    tables = [table for table in answer.tables if table.rows and not table.hidden]
    main = [table for index, table in enumerate(tables) if index == 0 or table.main]
    sentences = [*answer.warnings, *([f"More games: {again}"] if again else [])]
    head = [Text(line, style="bold") for line in terminal.sentence_lines(answer.summary)]
    foot = [Text(line) for sentence in sentences for line in terminal.sentence_lines(sentence)]
    lines = answer.brief if answer.brief and not printed.everything else answer.story
    story = [Text(part) for line in lines for part in _story_lines(line)]
    if answer.story:
        main = [table for table in tables if table.main]
    if printed.everything:
        printed_tables = tables
        body = [terminal.table_lines(table) for table in printed_tables]
        hint = _hint(answer, [], [])
    else:
        printed_tables = [table.brief for table in main]
        hint = _hint(answer, main, [table for table in tables if table not in main])
        blanks = 1 + bool(foot or hint) + bool(story)
        body = _fitted(printed_tables, LINES - len(head) - len(story) - len(foot) - bool(hint) - blanks)
    headings = {heading for table in printed_tables for heading in table.columns}
    explained = [note for note in answer.notes if not isinstance(note, ColumnNote) or note.explains(headings)]
    notes = [Text(line) for note in explained for line in terminal.sentence_lines(note)] if printed.notes else []
    closing = [Text(line, style="dim") for line in terminal.sentence_lines(hint)] if hint else []
    terminal.print_lines(_with_blanks([head, story, *body, [*foot, *notes, *closing]]))


def _story_lines(line: str) -> list[str]:
    """Lines of a line of a story; those of pictures are not broken."""
    return [line] if isinstance(line, Drawn) else terminal.sentence_lines(line)


def _with_blanks(blocks: list[list[Text]]) -> list[Text]:
    """Lines of all blocks that have any, with blank lines between them."""
    lines: list[Text] = []
    for block in filter(None, blocks):
        lines += [*([Text()] if lines else []), *block]
    return lines


def _fitted(tables: list[Table], room: int) -> list[list[Text]]:
    """Lines of tables that share a number of lines. A table can take what those after it can spare."""
    blocks = []
    for index, table in enumerate(tables):
        others = [len(_shortened_lines(one, 0)) + 1 for one in tables[index + 1 :]]
        blocks.append(_shortened_lines(table, room - sum(others)))
        room -= len(blocks[-1]) + 1
    return blocks


def _shortened_lines(table: Table, room: int) -> list[Text]:
    """Lines of a table with the rows that fit, at least ROWS_LEAST."""
    rows = min(len(table.rows), max(room, ROWS_LEAST))
    while True:
        short, at = shortened(table, rows)
        lines = terminal.table_lines(short, len(table.rows) - len(short.rows), at)
        if len(lines) <= room or rows <= ROWS_LEAST:
            return lines
        rows -= 1


def shortened(table: Table, rows: int) -> tuple[Table, int]:
    """A table with at most this number of rows, the first ones or those of both ends, and the row before which the others are."""
    if len(table.rows) <= rows:
        return table, 0
    last = rows // 2 if table.ends else 0
    first = rows - last
    return replace(table, rows=table.rows[:first] + table.rows[len(table.rows) - last :]), first


def _hint(answer: Answer, shown: list[Table], left: list[Table]) -> str:
    """The options that show more. shown: tables without their details; left: tables that are left out."""
    hints = ["--notes explains the terms"] if answer.notes and not terminal.print_options().notes else []
    more = ["the whole story"] if answer.brief else []
    more += ["every column"] if any(len(table.brief.columns) < len(table.columns) for table in shown) else []
    more += [some(len(left), "more table")] if left else []
    hints += [f"--all shows {listed(more)}"] if more else []
    return f"{'; '.join(hints)}." if hints else ""


def draw(answer: Answer, path: Path) -> None:
    """Draw the main chart to a file; print a note if there is none."""
    if not answer.charts:
        terminal.note(f"{path} not written: nothing to draw")
        return
    chart = answer.charts[0]
    with temporary_files_in(path.parent):  # of matplotlib
        write_chart(path, chart.draw(), chart.title)
