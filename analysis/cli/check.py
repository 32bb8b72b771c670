"""`fairfight check`: mistakes in a card file, a run folder or a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analysis.answer.cards import findings, summary
from analysis.cardsheets.reading import game_of
from analysis.catalogue import unknown_arguments
from analysis.cli.options import AsJson
from analysis.cli.runs import check_run
from analysis.data.names import open_game
from analysis.output import terminal
from sim.check import faults
from sim.engine.cards import FILE_NAME
from sim.engine.contract import Game
from sim.registry import GAMES, game_named
from sim.store import Run, is_run


def check(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR|GAME", help="Folder with a cards.toml, a spreadsheet, a run, or a game.")
    ],
    as_json: AsJson = False,
) -> None:
    """Validate a card file: report errors with their place, or the contents, and values that look unintended.

    For a run, compare every file with its digest. For a game, play it, first as plain Python, and check what games must keep to.

    Example: fairfight check my-arena
    """
    if is_run(folder):
        check_run(Run.open(folder), as_json)
        return
    if str(folder) in GAMES and not is_card_folder(folder):
        check_game(game_named(str(folder)), as_json)
        return
    game, card_set = open_game(game_of(folder), folder)
    if as_json:
        terminal.print_json(findings(game, card_set))
    else:
        terminal.say(summary(game, card_set))


def is_card_folder(folder: Path) -> bool:
    """Whether a folder holds a card set, and not the source of a game: `new-game ludo` writes both ludo and ludo/ludo."""
    return (folder / FILE_NAME).is_file() and not (folder / "__init__.py").is_file()


def check_game(game: Game, as_json: bool) -> None:
    """Print what is wrong with a game; exit code 2 if anything is, as for a card file."""
    found = [*faults(game), *unknown_arguments(game.questions)]
    if as_json:
        terminal.print_json({"game": game.name, "faults": found})
    for line in [] if as_json else found or [f"{game.title}: keeps the contract of all games"]:
        terminal.say(line)
    if found:
        raise typer.Exit(2)
