"""The subcommand `fairfight pace`: how a game runs, when it is decided and what can be caught up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from analysis import interrupts, terminal
from analysis.naming import line_up_of
from analysis.on_runs import planned
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
    LineUp,
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

    from analysis.courses import Courses


def pace_command(
    game: GameName,
    games: Annotated[int, typer.Option("--games", help=f"{IN_ALL}, replayed and judged turn by turn.")] = 400,
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
    """How a game runs: length, lead changes, since when the winner led for good, comebacks, what a lead is worth.

    Example: fairfight pace arena --games 400 --seats 2
    """
    from analysis.courses import check_opponent, played
    from analysis.deck_choice import DeckChoice
    from analysis.pace_stats import PaceStats
    from sim.experiment import Experiment

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
        prepare(found, "judge")
        with Ticker() as ticker:
            courses = played(experiment, games, workers, lambda done: ticker("replays", done, games), so_far=True)
        draw(chart, lambda: _drawn(courses), f"Leads in {found.title}")
        terminal.show(PaceStats(experiment, courses), as_json, csv)
    wanted = min(games, experiment.games)
    if len(courses.index) < wanted:
        interrupts.leave(f"shown: the first {count(len(courses.index))} of {count(wanted)} games")


def _drawn(courses: Courses) -> Figure | None:
    """The main chart."""
    from analysis.main_charts import pace

    return pace(courses)
