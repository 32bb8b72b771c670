"""The subcommand `fairfight matchups`: who beats whom, whether that is an order, and what a clever field would play."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from analysis import terminal
from analysis.deck_choice import DeckChoice
from analysis.on_runs import stored
from analysis.options import (
    AsJson,
    Cards,
    DecksFile,
    Forbid,
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
from analysis.playing import SoFar, counted
from analysis.terminal import Ticker, clear_messages


def matchups_command(
    game: GameName,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int, typer.Option("--games", help="Games to play, rounded up so that every two meet equally often.")
    ] = 20_000,
    policy: PolicyNames = "greedy",
    forbid: Forbid = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write every two, from both sides, to a CSV file.")
    ] = None,
) -> None:
    """Who beats whom at two seats, ratings and whether they fit, cycles, and what players who know it would play.

    Every two play from both seats with the same dice, and pairs of games are analysed as pairs.

    Example: fairfight matchups arena --games 50000 --policy random
    """
    from analysis.matchup_study import as_played, matchup_study, paired
    from analysis.matchup_tables import matchup_tables

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        held = stored(game)
        if held is None:
            experiment = paired(found, card_set, policies_of(policy), games, seed)
            experiment = replace(experiment, forbidden=forbidden_of(forbid))
        else:
            experiment = as_played(replace(held, games_wanted=games))
        workers = check_jobs(jobs)
        terminal.check_file(csv)
        prepare(found)
        with Ticker() as ticker:
            play = SoFar(counted(ticker, workers, experiment.games))
            study = matchup_study(experiment, play)
        terminal.show(matchup_tables(play.shown(experiment), study), as_json, csv)
    play.leave(experiment)
