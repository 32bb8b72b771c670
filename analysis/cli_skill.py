"""The subcommand `fairfight skill`: levels of play against each other, and what of the balance holds for better players."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis import interrupts, terminal
from analysis.options import (
    IN_ALL,
    AsJson,
    Cards,
    ChartFile,
    CsvFile,
    DecksFile,
    Force,
    GameName,
    Jobs,
    OnlyDecks,
    RandomDecks,
    Seats,
    Seed,
    check_jobs,
    open_decks,
    prepare,
)
from analysis.output_files import check_absent, check_files, draw, wrote
from analysis.skill_levels import LEVELS
from analysis.terminal import Ticker, clear_messages
from analysis.wording import count

if TYPE_CHECKING:  # they load the statistics
    from matplotlib.figure import Figure

    from analysis.skill import Skill


def skill_command(
    game: GameName,
    levels: Annotated[
        str, typer.Option("--levels", metavar="P,P[,P...]", help="Policies, the lowest level first.")
    ] = ",".join(LEVELS),
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at the most, shared out over the levels in the usual proportions; by game and level if left out. At "
            "least a round of line-ups for each level and for every two.",
        ),
    ] = None,
    level_games: Annotated[
        int | None,
        typer.Option("--level-games", help="Instead: games of every entrant at each level."),
    ] = None,
    pair_games: Annotated[
        int | None,
        typer.Option("--pair-games", help="Instead: games of every two levels against each other."),
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
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Folder for all charts, PNG and SVG.")
    ] = None,
) -> None:
    """Which level of play beats which, and which entrants are strong or weak at which level.

    Levels are played from the lowest up: interrupted, the command tells of those that are done.

    Example: fairfight skill arena --levels random,greedy:4,search:200
    """
    from analysis.deck_choice import DeckChoice
    from analysis.report.files import check_folder
    from analysis.skill import Plan, gathered, skill
    from analysis.skill_levels import levels_of
    from analysis.skill_tables import SkillTables

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        if games is not None and not level_games is pair_games is None:
            raise ValueError(f"--games {games}: is all that is played; leave --level-games and --pair-games out")
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
            from analysis.skill_charts import write_charts

            for file in write_charts(result, folder):
                wrote(file)
        draw(chart, lambda: _drawn(result), f"Levels of play in {found.title}")
        terminal.show(SkillTables(result), as_json, csv)
    if result.interrupted:
        interrupts.leave(f"shown: {count(result.games)} games of the levels up to {result.names[-1]}")


def charts_in(folder: Path) -> list[Path]:
    """The files that `--out` writes."""
    return [folder / f"{name}{ending}" for name in ("ladder", "levels") for ending in (".png", ".svg")]


def _drawn(found: Skill) -> Figure:
    """The main chart."""
    from analysis.skill_charts import levels_chart

    return levels_chart(found.balance)
