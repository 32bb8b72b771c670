"""`fairfight games`: the list of games."""

from __future__ import annotations

from analysis.answer.cards import games_table
from analysis.cli.options import AsJson, NoColor
from analysis.output import terminal
from sim.registry import GAMES


def games(as_json: AsJson = False, no_color: NoColor = False) -> None:
    """List the games: the built-in ones, and those of other installed distributions.

    Example: fairfight games
    """
    table = games_table(GAMES.usable(terminal.note))
    if as_json:
        terminal.print_json(table)
        return
    with terminal.printing(no_color=no_color):
        terminal.print_table(table)
