"""The subcommand `fairfight skill`: levels of play against each other, and what of the balance holds for better players."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analysis import interrupts, terminal
from analysis.deck_choice import DeckChoice
from analysis.options import (
    AsJson,
    Cards,
    DecksFile,
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
from analysis.skill_levels import LEVELS, levels_of
from analysis.terminal import Ticker, clear_messages


def skill_command(
    game: GameName,
    levels: Annotated[
        str, typer.Option("--levels", metavar="P,P[,P...]", help="Policies, the lowest level first.")
    ] = ",".join(LEVELS),
    games: Annotated[
        int | None,
        typer.Option("--games", help="Games of every entrant at each level; by game and level if left out."),
    ] = None,
    pair_games: Annotated[
        int | None,
        typer.Option("--pair-games", help="Games of every two levels against each other; likewise."),
    ] = None,
    seats: Seats = 2,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write every entrant at every level to a CSV file.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Folder for the charts, PNG and SVG.")
    ] = None,
) -> None:
    """Which level of play beats which, and which entrants are strong or weak at which level.

    Levels are played from the lowest up: interrupted, the command tells of those that are done.

    Example: fairfight skill arena --levels random,greedy:4,search:200
    """
    from analysis.report.files import check_folder
    from analysis.skill import Plan, gathered, skill
    from analysis.skill_tables import SkillTables

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        plan = Plan(found, card_set, levels_of(levels), seats, games, pair_games, seed)
        workers = check_jobs(jobs)
        terminal.check_file(csv)
        folder = check_folder(out) if out else None
        prepare(found)
        with Ticker() as ticker:
            result = skill(plan, gathered(ticker, workers))
        if folder:
            from analysis.skill_charts import write_charts

            write_charts(result, folder)
        terminal.show(SkillTables(result), as_json, csv)
    if result.interrupted:
        interrupts.leave(f"shown: {result.games:,} games of the levels up to {result.names[-1]}")
