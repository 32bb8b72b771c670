"""The commands that analyse a game: `matchups`, `pace`, `seats`, `skill`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis import interrupts
from analysis.cli.options import (
    IN_ALL,
    AsJson,
    Cards,
    ChartFile,
    CsvFile,
    DecksFile,
    Forbid,
    Force,
    GameName,
    Jobs,
    LineUp,
    OnlyDecks,
    PolicyNames,
    RandomDecks,
    Seats,
    Seed,
    check_jobs,
    forbidden_of,
    open_decks,
    planned,
    policies_of,
    prepare,
    stored,
)
from analysis.data.names import line_up_of
from analysis.document.model import count
from analysis.output import terminal
from analysis.output.files import check_absent, check_files, draw, wrote
from analysis.output.terminal import Ticker, clear_messages
from analysis.skill.levels import LEVELS


def matchups_command(
    game: GameName,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int, typer.Option("--games", help=f"{IN_ALL}, rounded up so that all pairs of entrants meet equally often.")
    ] = 20_000,
    policy: PolicyNames = "greedy",
    forbid: Forbid = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """Who beats whom at two seats: ratings and whether they fit, cycles, and the equilibrium of informed players.

    All pairs of entrants play from both seats with the same dice, and the two games are analysed as a pair.

    Example: fairfight matchups arena --games 50000 --policy random
    """
    from analysis.data.decks import DeckChoice
    from analysis.matchups.section import as_played, matchup_study, matchups_result, paired
    from analysis.winrates.play import SoFar, counted

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        held = stored(game)
        if held is None:
            experiment = paired(found, card_set, policies_of(policy), games, seed)
            experiment = replace(experiment, forbidden=forbidden_of(forbid))
        else:
            experiment = as_played(replace(held, games_wanted=games))
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        with Ticker() as ticker:
            play = SoFar(counted(ticker, workers, experiment.games))
            study = matchup_study(experiment, play)
        result = matchups_result(play.shown(experiment), study)
        draw(chart, result.draw, f"Who beats whom in {found.title}")
        terminal.show(result, as_json, csv)
    play.leave(experiment)


if TYPE_CHECKING:  # they load the statistics
    from matplotlib.figure import Figure

    from analysis.timeline.courses import Courses


def pace_command(
    game: GameName,
    games: Annotated[int, typer.Option("--games", help=f"{IN_ALL}, replayed and evaluated turn by turn.")] = 400,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    line_up: LineUp = None,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """How a game develops: length, lead changes, when the winner takes the lead for good, comebacks, the worth of a lead.

    Example: fairfight pace arena --games 400 --seats 2
    """
    from analysis.data.decks import DeckChoice
    from analysis.timeline.courses import check_opponent, played
    from analysis.timeline.tables import PaceStats
    from sim.experiments.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        seated = line_up_of(line_up, found, card_set, seats)
        experiment = planned(game, games) or Experiment(
            found.name, card_set, seats, policies_of(policy), games, seed, line_up=seated
        )
        check_opponent(experiment.seats)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        prepare(found, "evaluation")
        with Ticker() as ticker:
            courses = played(experiment, games, workers, lambda done: ticker("replays", done, games), so_far=True)
        draw(chart, lambda: _pace_drawn(courses), f"Leads in {found.title}")
        terminal.show(PaceStats(experiment, courses), as_json, csv)
    wanted = min(games, experiment.games)
    if len(courses.index) < wanted:
        interrupts.leave(f"shown: the first {count(len(courses.index))} of {count(wanted)} games")


def _pace_drawn(courses: Courses) -> Figure | None:
    """The main chart of `pace`."""
    from analysis.timeline.section import pace_chart

    return pace_chart(courses)


GAMES = 20_000
GAMES_MOST = 2_000_000  # first games of a run that are read; they are held in memory, and more would not change the tables


def seats_command(
    game: GameName,
    cards: Cards = None,
    seats: Seats = 2,
    games: Annotated[
        int,
        typer.Option("--games", help=f"{IN_ALL}, including those of every value tried, each part rounded up to whole rounds."),
    ] = GAMES,
    compensate: Annotated[
        bool, typer.Option("--compensate/--no-compensate", help="Search for values of the rules that make up for going second.")
    ] = True,
    policy: PolicyNames = "greedy",
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """The worth of going first, overall and by matchup, from paired games; and which rule would make it fair.

    Example: fairfight seats arena --games 20000

    Example: fairfight seats runeslingers --compensate
    """
    from analysis.data.decks import DeckChoice
    from analysis.first_player.section import seats_result
    from analysis.first_player.worth import measured
    from analysis.winrates.play import counted
    from sim.experiments.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        experiment = Experiment(found.name, card_set, seats, policies_of(policy), games, seed)
        if seats == 1:
            raise ValueError("seats=1 must be at least 2, so that a player can go first")
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        with Ticker() as ticker:
            worth = measured(experiment, games, compensate, counted(ticker, workers), stored(game, GAMES_MOST))
        result = seats_result(worth)
        draw(chart, result.draw, f"Going first in {found.title}")
        terminal.show(result, as_json, csv)
    if worth.interrupted:
        interrupts.leave(f"shown: {count(worth.experiment.games)} games")


if TYPE_CHECKING:  # they load the statistics
    from matplotlib.figure import Figure

    from analysis.skill.ladder import Skill


def skill_command(
    game: GameName,
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
    seats: Seats = 2,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Folder for all charts, PNG and SVG.")] = None,
) -> None:
    """Which level of play beats which, and which entrants are strong or weak at which level.

    Levels are played from the lowest up; if interrupted, the command shows the finished ones.

    Example: fairfight skill arena --levels random,greedy:4,search:200
    """
    from analysis.data.decks import DeckChoice
    from analysis.document.model import check_folder
    from analysis.skill.ladder import Plan, gathered, skill
    from analysis.skill.levels import levels_of
    from analysis.skill.section import SkillTables

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        if games is not None and not level_games is pair_games is None:
            raise ValueError(f"--games {games}: covers all games; leave --level-games and --pair-games out")
        plan = Plan(found, card_set, levels_of(levels), seats, level_games, pair_games, seed)
        plan = plan if games is None else plan.afforded(games)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        folder = check_folder(out) if out else None
        for file in charts_in(folder) if folder else ():
            check_absent(file, force)
        prepare(found)
        with Ticker() as ticker:
            result = skill(plan, gathered(ticker, workers))
        if folder:
            from analysis.skill.section import write_charts

            for file in write_charts(result, folder):
                wrote(file)
        draw(chart, lambda: _skill_drawn(result), f"Levels of play in {found.title}")
        terminal.show(SkillTables(result), as_json, csv)
    if result.interrupted:
        interrupts.leave(f"shown: {count(result.games)} games of the levels up to {result.names[-1]}")


def charts_in(folder: Path) -> list[Path]:
    """Files that `--out` writes."""
    return [folder / f"{name}{ending}" for name in ("ladder", "levels") for ending in (".png", ".svg")]


def _skill_drawn(result: Skill) -> Figure:
    """The main chart of `skill`."""
    from analysis.skill.section import levels_chart

    return levels_chart(result.balance)
