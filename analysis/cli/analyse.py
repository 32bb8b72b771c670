"""The commands that analyse a game: `matchups`, `pace`, `seats`, `skill`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from analysis import interrupts
from analysis.cli.options import IN_ALL, Asked, Forbid, LineUp, common, forbidden_of, planned, stored
from analysis.data.names import line_up_of
from analysis.document.model import count
from analysis.output.files import check_absent, wrote
from analysis.output.terminal import Ticker
from analysis.skill.levels import LEVELS


@common()
def matchups_command(
    asked: Asked,
    games: Annotated[
        int, typer.Option("--games", help=f"{IN_ALL}, rounded up so that all pairs of entrants meet equally often.")
    ] = 20_000,
    forbid: Forbid = None,
) -> None:
    """Who beats whom at two seats: ratings and whether they fit, cycles, and the equilibrium of informed players.

    All pairs of entrants play from both seats with the same dice, and the two games are analysed as a pair.

    Example: fairfight matchups arena --games 50000 --policy random
    """
    from analysis.matchups.section import as_played, matchup_study, matchups_result, paired
    from analysis.winrates.play import SoFar, counted

    held = stored(asked.name)
    if held is None:
        experiment = paired(asked.game, asked.cards, asked.policies, games, asked.seed)
        experiment = replace(experiment, forbidden=forbidden_of(forbid))
    else:
        experiment = as_played(replace(held, games_wanted=games))
    asked.prepare()
    with Ticker() as ticker:
        play = SoFar(counted(ticker, asked.jobs, experiment.games))
        study = matchup_study(experiment, play)
    asked.show(matchups_result(play.shown(experiment), study), f"Who beats whom in {asked.game.title}")
    play.leave(experiment)


@common()
def pace_command(
    asked: Asked,
    games: Annotated[int, typer.Option("--games", help=f"{IN_ALL}, replayed and evaluated turn by turn.")] = 400,
    line_up: LineUp = None,
) -> None:
    """How a game develops: length, lead changes, when the winner takes the lead for good, comebacks, the worth of a lead.

    Example: fairfight pace arena --games 400 --seats 2
    """
    from analysis.timeline.courses import check_opponent, played
    from analysis.timeline.section import pace

    seated = line_up_of(line_up, asked.game, asked.cards, asked.seats)
    experiment = planned(asked.name, games) or asked.experiment(games, line_up=seated)
    check_opponent(experiment.seats)
    asked.prepare("loop", "evaluation")
    with Ticker() as ticker:
        courses = played(experiment, games, asked.jobs, lambda done: ticker("replays", done, games), so_far=True)
    asked.show(pace(experiment, courses), f"Leads in {asked.game.title}")
    wanted = min(games, experiment.games)
    if len(courses.index) < wanted:
        interrupts.leave(f"shown: the first {count(len(courses.index))} of {count(wanted)} games")


GAMES = 20_000
GAMES_MOST = 2_000_000  # first games of a run that are read; they are held in memory, and more would not change the tables


@common()
def seats_command(
    asked: Asked,
    games: Annotated[
        int,
        typer.Option("--games", help=f"{IN_ALL}, including those of every value tried, each part rounded up to whole rounds."),
    ] = GAMES,
    compensate: Annotated[
        bool, typer.Option("--compensate/--no-compensate", help="Search for values of the rules that make up for going second.")
    ] = True,
) -> None:
    """The worth of going first, overall and by matchup, from paired games; and which rule would make it fair.

    Example: fairfight seats arena --games 20000

    Example: fairfight seats runeslingers --compensate
    """
    from analysis.first_player.section import seats_result
    from analysis.first_player.worth import measured
    from analysis.winrates.play import counted

    experiment = asked.experiment(games)
    if asked.seats == 1:
        raise ValueError("seats=1 must be at least 2, so that a player can go first")
    asked.prepare()
    with Ticker() as ticker:
        worth = measured(experiment, games, compensate, counted(ticker, asked.jobs), stored(asked.name, GAMES_MOST))
    asked.show(seats_result(worth), f"Going first in {asked.game.title}")
    if worth.interrupted:
        interrupts.leave(f"shown: {count(worth.experiment.games)} games")


@common("policy")
def skill_command(
    asked: Asked,
    levels: Annotated[str, typer.Option("--levels", metavar="P,P[,P...]", help="Policies, the lowest level first.")] = ",".join(
        LEVELS
    ),
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at most, divided among the levels in the usual proportions; the default depends on game and level. "
            "At least a round of line-ups for each level and each pair of levels.",
        ),
    ] = None,
    level_games: Annotated[
        int | None, typer.Option("--level-games", help="Instead: games of every entrant at each level.")
    ] = None,
    pair_games: Annotated[
        int | None, typer.Option("--pair-games", help="Instead: games of each pair of levels against each other.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Folder for all charts, PNG and SVG.")] = None,
) -> None:
    """Which level of play beats which, and which entrants are strong or weak at which level.

    Levels are played from the lowest up; if interrupted, the command shows the finished ones.

    Example: fairfight skill arena --levels random,greedy:4,search:200
    """
    from analysis.document.model import check_folder
    from analysis.skill.ladder import Plan, gathered, skill
    from analysis.skill.levels import levels_of
    from analysis.skill.section import skill_section, write_charts

    if games is not None and not level_games is pair_games is None:
        raise ValueError(f"--games {games}: covers all games; leave --level-games and --pair-games out")
    plan = Plan(asked.game, asked.cards, levels_of(levels), asked.seats, level_games, pair_games, asked.seed)
    plan = plan if games is None else plan.afforded(games)
    folder = check_folder(out) if out else None
    for file in charts_in(folder) if folder else ():
        check_absent(file, asked.force)
    asked.prepare()
    with Ticker() as ticker:
        result = skill(plan, gathered(ticker, asked.jobs))
    if folder:
        for file in write_charts(result, folder):
            wrote(file)
    asked.show(skill_section(result), f"Levels of play in {asked.game.title}")
    if result.interrupted:
        interrupts.leave(f"shown: {count(result.games)} games of the levels up to {result.names[-1]}")


def charts_in(folder: Path) -> list[Path]:
    """Files that `--out` writes."""
    return [folder / f"{name}{ending}" for name in ("ladder", "levels") for ending in (".png", ".svg")]
