"""The subcommand `fairfight pace`: how a game runs, when it is decided and what can be caught up."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analysis import interrupts, terminal
from analysis.deck_choice import DeckChoice
from analysis.naming import line_up_of
from analysis.on_runs import planned
from analysis.options import (
    AsJson,
    Cards,
    DecksFile,
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
from analysis.terminal import Ticker, clear_messages
from sim.experiment import Experiment


def pace_command(
    game: GameName,
    games: Annotated[int, typer.Option("--games", help="Games to replay and judge, turn by turn.")] = 400,
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
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write a line per game to a CSV file.")
    ] = None,
) -> None:
    """How a game runs: length, lead changes, since when the winner led for good, comebacks, what a lead is worth.

    Example: fairfight pace arena --games 400 --seats 2
    """
    from analysis.courses import check_opponent, played
    from analysis.pace_stats import PaceStats

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        seated = line_up_of(line_up, found, card_set, seats)
        experiment = planned(game, games) or Experiment(
            found.name, card_set, seats, policies_of(policy), games, seed, line_up=seated
        )
        check_opponent(experiment.seats)
        workers = check_jobs(jobs)
        terminal.check_file(csv)
        prepare(found)
        prepare(found, "judge")
        with Ticker() as ticker:
            courses = played(experiment, games, workers, lambda done: ticker("replays", done, games), so_far=True)
        terminal.show(PaceStats(experiment, courses), as_json, csv)
    wanted = min(games, experiment.games)
    if len(courses.index) < wanted:
        interrupts.leave(f"shown: the first {len(courses.index):,} of {wanted:,} games")
