"""The subcommands on what decks are made of: `fairfight cardstats` and `fairfight kits`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analysis import terminal
from analysis.deck_choice import DeckChoice, check_deck_game
from analysis.naming import entrant_of
from analysis.on_runs import stored
from analysis.options import (
    AsJson,
    Cards,
    DecksFile,
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
from analysis.playing import counted
from analysis.terminal import Ticker, clear_messages
from sim.experiment import Experiment


def cardstats_command(
    game: GameName,
    deck: Annotated[
        str | None, typer.Option("--deck", metavar="ID", help="One deck; all games are its own then.")
    ] = None,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int, typer.Option("--games", help="Games to play, with --deck those of the deck, but of a run all games.")
    ] = 10_000,
    pairs: Annotated[int, typer.Option("--pairs", help="Games with and without each card replaced; 0: none.")] = 1_000,
    by_turn: Annotated[int | None, typer.Option("--by-turn", help="Drawn means: by this own turn.")] = None,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the first table to a CSV file.")
    ] = None,
) -> None:
    """What every card does: win rate when drawn, when not, when played, and with a plain card in its place.

    With many random decks also what a copy of each card, and each keyword, is worth over all of them.

    Example: fairfight cardstats rookling --games 20000 --policy random
    """
    from analysis.card_stats import Asked, card_stats
    from analysis.card_tally import card_question

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        card_question(found)
        if pairs < 0:
            raise ValueError(f"pairs={pairs} must be at least 0")
        if deck is not None:
            check_deck_game(found, "--deck")
        chosen = None if deck is None else entrant_of(deck, found, card_set)
        alone = chosen is not None and stored(game) is None  # a run has the games that it has
        wanted = -(-games * len(card_set.ids) // seats) if alone else games
        experiment = Experiment(found.name, card_set, seats, policies_of(policy), wanted, seed)
        workers = check_jobs(jobs)
        terminal.check_file(csv)
        prepare(found)
        with Ticker() as ticker:
            stats = card_stats(experiment, Asked(chosen, pairs, by_turn), counted(ticker, workers))
        terminal.show(stats, as_json, csv)


def kits_command(
    game: GameName,
    deck: Annotated[str | None, typer.Option("--deck", metavar="ID", help="One deck; all if left out.")] = None,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[int, typer.Option("--games", help="Games of each deck with each kit.")] = 2_000,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the first table to a CSV file.")
    ] = None,
) -> None:
    """What a deck would win with another kit (hero, stance, ability), and what each part of its own is worth.

    Example: fairfight kits GAME --deck my_deck --games 1000
    """
    from analysis.kit_stats import check_kits, kit_stats, pairs_of

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        check_kits(found)
        chosen = None if deck is None else entrant_of(deck, found, card_set)
        experiment = pairs_of(Experiment(found.name, card_set, seats, policies_of(policy), games, seed), games)
        workers = check_jobs(jobs)
        terminal.check_file(csv)
        prepare(found)
        with Ticker() as ticker:
            stats = kit_stats(experiment, chosen, counted(ticker, workers))
        terminal.show(stats, as_json, csv)
