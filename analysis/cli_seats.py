"""The subcommand `fairfight seats`: what going first is worth, and what makes it fair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from analysis import interrupts, terminal
from analysis.on_runs import stored
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
    PolicyNames,
    RandomDecks,
    Seats,
    Seed,
    check_jobs,
    open_decks,
    policies_of,
    prepare,
)
from analysis.output_files import check_files, draw
from analysis.terminal import Ticker, clear_messages
from analysis.wording import count

if TYPE_CHECKING:  # they load the statistics
    from matplotlib.figure import Figure

    from analysis.seat_summary import SeatSummary

GAMES = 20_000
GAMES_MOST = 2_000_000  # of a run: its first ones; they are held in memory, and more would change no table


def seats_command(
    game: GameName,
    cards: Cards = None,
    seats: Seats = 2,
    games: Annotated[
        int,
        typer.Option(
            "--games", help=f"{IN_ALL}, those of every value tried among them, each part rounded up to whole rounds."
        ),
    ] = GAMES,
    compensate: Annotated[
        bool,
        typer.Option(
            "--compensate/--no-compensate", help="Search the rules that make up for going second for fair ones."
        ),
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
    """What going first is worth, overall and by matchup, from games in pairs; and which rule would make it fair.

    Example: fairfight seats arena --games 20000

    Example: fairfight seats runeslingers --compensate
    """
    from analysis.deck_choice import DeckChoice
    from analysis.playing import counted
    from analysis.seat_summary import summarise
    from sim.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        experiment = Experiment(found.name, card_set, seats, policies_of(policy), games, seed)
        if seats == 1:
            raise ValueError("seats=1: alone nobody goes first; name 2 or more")
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        with Ticker() as ticker:
            result = summarise(experiment, games, compensate, counted(ticker, workers), stored(game, GAMES_MOST))
        draw(chart, lambda: _drawn(result), f"Going first in {found.title}")
        terminal.show(result, as_json, csv)
    if result.interrupted:
        interrupts.leave(f"shown: {count(result.experiment.games)} games")


def _drawn(found: SeatSummary) -> Figure:
    """The main chart."""
    from analysis.main_charts import seats

    return seats(found)
