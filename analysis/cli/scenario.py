"""`fairfight scenario`: a position with scripted dice and decisions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analysis.cli.options import AsJson, Cards
from analysis.output import terminal
from analysis.replay.narrate import scenario_lines
from sim.engine import scenario as scenarios
from sim.registry import game_named


def scenario(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Scenario file (TOML).")],
    cards: Cards = None,
    as_json: AsJson = False,
) -> None:
    """Play a position with scripted dice and decisions; compare with [expect], if given: exit code 1 if it differs.

    Example: fairfight scenario tests/games/arena/scenarios/g1.toml
    """
    loaded = scenarios.load(file)
    game = game_named(loaded.game)
    result = scenarios.play(loaded, game, scenarios.cards_for(loaded, game, cards))
    if as_json:
        terminal.print_json({"position": result.position, "differences": result.differences, "log": result.log})
    else:
        for line in scenario_lines(loaded, result):
            terminal.say(line)
    if result.differences:
        raise typer.Exit(1)
