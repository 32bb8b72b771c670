"""`fairfight playtests`: what is understood of a log of games that people played, and a template for one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analysis.answer.tables import Table
from analysis.cli.options import AsJson, Columns, Force, NoColor
from analysis.output import terminal
from analysis.playtests.reading import read_playtests
from analysis.playtests.template import write_template

LogFile = Annotated[
    Path | None, typer.Argument(metavar="LOG", help="File of games that people played (.csv, .tsv, .xlsx, .parquet, .jsonl).")
]
Template = Annotated[
    Path | None, typer.Option("--template", metavar="FILE", help="Write a log with two example games (.xlsx or .csv).")
]


def playtests(
    log: LogFile = None,
    template: Template = None,
    columns: Columns = None,
    force: Force = False,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Show what is understood of a log of games that people played, or write a template for one.

    Such a log stands in the place of a game in winrates, matchups, seats, compare and amounts; calibrate compares it with the
    simulation.

    Example: fairfight playtests --template log.xlsx

    Example: fairfight playtests playtests.csv --columns entrant=Hero,won=Result
    """
    if (log is None) == (template is None):
        raise ValueError("LOG: name a file of games, or --template FILE, and not both")
    with terminal.printing(no_color=no_color):
        if template is not None:
            write_template(template, force)
            terminal.print_json({"template": template}) if as_json else terminal.say(f"{template} written")
            return
        games = read_playtests(log, columns or ())  # type: ignore[arg-type] # one of both is given
        rows = (*games.columns.items(), *(("number", fact) for fact in games.facts))
        table = Table("columns", ("what", "column of the file"), rows, "What was understood")
        if as_json:
            terminal.print_json({"answer": games.summary, "columns": table, "left_out": games.left_out, "notes": games.notes})
            return
        terminal.tell(games.summary)
        terminal.say("")
        terminal.print_table(table)
        for note in games.notes:
            terminal.say(f"{note[:1].upper()}{note[1:]}.")
