"""`fairfight new`: a card folder to edit."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from analysis.cardsheets.reading import read_spreadsheet
from analysis.cli.options import AsJson, Force
from analysis.data.card_text import text_with, write_text
from analysis.output import terminal
from analysis.output.new import new_set
from sim.registry import game_named

Spreadsheet = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="FILE|DIR",
        help="A spreadsheet or a folder of CSV files, as `fairfight cards --xlsx` and `--csv` write them.",
    ),
]


def new(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Name of a game (see `fairfight games`).")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to create.")],
    spreadsheet: Spreadsheet = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Copy a game's reference set into a folder, for editing; or make a card folder of a spreadsheet.

    Example: fairfight new arena my-arena

    Example: fairfight new arena my-arena --from cards.xlsx
    """
    made_for = game_named(game)
    if spreadsheet is None:
        file = new_set(made_for.reference, folder, force)
    else:
        read = read_spreadsheet(spreadsheet, made_for)
        for line in read.notes:
            terminal.note(line)
        file = write_text(text_with(made_for, read.document, read.template), folder, force)
    if as_json:
        terminal.print_json({"file": file})
        return
    terminal.say(f"{file} written. Edit it, then:")
    terminal.say(f"  fairfight check {shlex.quote(str(folder))}")
    terminal.say(f"  fairfight winrates {game} --cards {shlex.quote(str(folder))}")
