"""The subcommand `fairfight winrates`: who wins how often."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from analysis import interrupts, terminal
from analysis.again import again
from analysis.naming import line_up_of
from analysis.options import (
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
    RowsFile,
    Seats,
    Seed,
    check_jobs,
    forbidden_of,
    open_decks,
    policies_of,
    prepare,
)
from analysis.output_files import check_files, draw
from analysis.terminal import Ticker, clear_messages
from analysis.wording import count

if TYPE_CHECKING:  # they load the statistics
    from matplotlib.figure import Figure

    from analysis.playing import Played

GAMES = 10_000  # without --precision


def winrates_command(
    context: typer.Context,
    game: GameName,
    cards: Cards = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, {GAMES:,} if left out, rounded up so that everyone sits equally often on every seat; with "
            "--precision the most that may be played.",
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            metavar="POINTS",
            help="Play until every win rate is known to so many percentage points either way, such as 0.5.",
        ),
    ] = None,
    paired: Annotated[
        bool, typer.Option("--paired", help="Play every line-up from all seats with the same dice, and compare within.")
    ] = False,
    less_luck: Annotated[
        bool,
        typer.Option(
            "--less-luck",
            help="Take the luck of rolls and draws out of the win rates: the same averages from fewer games, each of which "
            "takes longer; the output shows the net gain.",
        ),
    ] = False,
    coupling: Annotated[
        str,
        typer.Option(
            "--coupling",
            metavar="seat|entrant",
            help="Whose the same dice are: of the seat, or of the entrant on any seat.",
        ),
    ] = "seat",
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    line_up: LineUp = None,
    forbid: Forbid = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    rows: RowsFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """Win rate of every entrant, with interval, by seat, and who beats whom.

    Example: fairfight winrates arena --games 20000 --seats 3 --policy greedy

    Example: fairfight winrates arena --precision 0.5

    Example: fairfight winrates arena --paired

    Example: fairfight winrates arena --less-luck
    """
    from analysis.deck_choice import DeckChoice
    from analysis.less_luck_table import NOT_WORTH_IT, Luck, with_less_luck
    from analysis.paired_summary import coupled
    from analysis.playing import open_rows, play_for_tally
    from analysis.until import Until, checked_precision, most_games
    from analysis.winrates import summarise
    from sim.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        seated = line_up_of(line_up, found, card_set, seats)
        half_width = None if precision is None else checked_precision(precision)
        wanted = GAMES if games is None else games
        experiment = Experiment(found.name, card_set, seats, policies_of(policy), wanted, seed, line_up=seated)
        experiment = replace(coupled(experiment, paired, coupling), forbidden=forbidden_of(forbid))
        if half_width is not None and games is None:
            experiment = replace(experiment, games_wanted=most_games(experiment, half_width))
        luck = Luck.asked(experiment, less_luck, until=half_width is not None)
        until = None if half_width is None else Until(experiment, half_width)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, rows=rows, chart=chart)
        prepare(found)
        with Ticker() as ticker, open_rows(rows, experiment) as keep:
            played = play_for_tally(experiment, workers, ticker, luck.keeping(keep), until, luck.rerolls)
        if played.games:
            draw(chart, lambda: _drawn(played), f"Win rates of {found.title}")
            summary = summarise(found, played, partial(again, context))
            summary = with_less_luck(summary, experiment, luck, workers)
            terminal.show(summary, as_json, csv)
            if summary.less_luck and any(NOT_WORTH_IT in line for line in summary.lines):
                terminal.note(f"--less-luck: {summary.lines[-1]}")
    if played.interrupted:
        interrupts.leave(
            f"shown: the first {count(played.games)} of {count(experiment.games)} games" if played.games else ""
        )


def _drawn(played: Played) -> Figure | None:
    """The main chart."""
    from analysis.main_charts import win_rates

    return win_rates(played)
