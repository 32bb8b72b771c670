"""The command that analyses a game: `seats`."""

from __future__ import annotations

from analysis.answer.numbers import count
from analysis.cli.options import Asked, common, stored

GAMES_MOST = 2_000_000  # first games of a run that are read; they are held in memory, and more would not change the tables


@common()
def seats_command(asked: Asked, games: int = 20_000, sweep: bool = True) -> None:
    """The worth of going first, overall, by matchup and over the values of rules, from paired games.

    --games: Games played in all, including those of every value of a rule, each part rounded up to whole rounds.
    --sweep/--no-sweep: Also play with other values of the rules that can make up for going second.

    Example: fairfight seats arena --games 20000

    Example: fairfight seats runeslingers --no-sweep
    """
    from analysis.first_player.section import seats_result
    from analysis.first_player.worth import measured
    from analysis.winrates.play import counted

    experiment = asked.experiment(games)
    if asked.seats == 1:
        raise ValueError("seats=1 must be at least 2, so that a player can go first")
    with asked.playing() as ticker:
        worth = measured(experiment, games, sweep, counted(ticker, asked.jobs), stored(asked.name, GAMES_MOST))
    shown = f"shown: {count(worth.experiment.games)} games"
    asked.show(seats_result(worth), f"Going first in {asked.game.title}", worth.interrupted and shown)
