"""The subcommand `fairfight matchups`: who beats whom, whether that is an order, and what a clever field would play."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from analysis import terminal
from analysis.on_runs import stored
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
    OnlyDecks,
    PolicyNames,
    RandomDecks,
    Seed,
    check_jobs,
    forbidden_of,
    open_decks,
    policies_of,
    prepare,
)
from analysis.output_files import check_files, draw
from analysis.terminal import Ticker, clear_messages

if TYPE_CHECKING:  # they load the statistics
    from matplotlib.figure import Figure

    from analysis.matchup_study import MatchupStudy


def matchups_command(
    game: GameName,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int, typer.Option("--games", help=f"{IN_ALL}, rounded up so that every two meet equally often.")
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
    """Who beats whom at two seats, ratings and whether they fit, cycles, and what players who know it would play.

    Every two play from both seats with the same dice, and pairs of games are analysed as pairs.

    Example: fairfight matchups arena --games 50000 --policy random
    """
    from analysis.deck_choice import DeckChoice
    from analysis.matchup_study import as_played, matchup_study, paired
    from analysis.matchup_tables import matchup_tables
    from analysis.playing import SoFar, counted

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
        draw(chart, lambda: _drawn(study), f"Who beats whom in {found.title}")
        terminal.show(matchup_tables(play.shown(experiment), study), as_json, csv)
    play.leave(experiment)


def _drawn(study: MatchupStudy) -> Figure:
    """The main chart."""
    from analysis.main_charts import matchups

    return matchups(study)
