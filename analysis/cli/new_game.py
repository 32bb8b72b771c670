"""`fairfight new-game`: a small game of your own."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from analysis.cli.options import AsJson
from analysis.output import new, terminal


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the game, such as my-game.")],
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Folder to create; by default the name.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write a distribution with a small, complete and tested game of your own, to be installed, played and changed.

    Example: fairfight new-game my-game
    """
    folder = new.new_game(name, out)
    module = next(file.parent.name for file in folder.glob("*/__init__.py"))
    if as_json:
        terminal.print_json({"folder": folder, "game": module})
        return
    terminal.say(f"{folder} written. The game is in {folder / module / '__init__.py'}. Install it, then play it:")
    terminal.say(f"  python -m pip install --editable {shlex.quote(str(folder))}")
    terminal.say(f"  fairfight check {module}")
    terminal.say(f"  fairfight winrates {module}")
