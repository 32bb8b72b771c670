"""The subcommands on what decks are made of: `fairfight cardstats` and `fairfight kits`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from analysis import terminal
from analysis.naming import entrant_of
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

if TYPE_CHECKING:  # they load the statistics
    from matplotlib.figure import Figure

    from analysis.card_stats import CardStats
    from analysis.kit_stats import KitStats

USUAL_GAMES, USUAL_PAIRS = 10_000, 1_000  # watched (with a deck: its own), and of each card replaced
KIT_GAMES = 2_000  # of each deck with each kit


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
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at the most: those in which cards are watched and those with each card replaced. If left out, "
            f"{USUAL_GAMES:,} are watched (with --deck, of the deck) beside those of --pairs. Of a run: its games that are read.",
        ),
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option(
            "--pairs",
            help=f"Of these, games of each deck as it is, and again with each of its cards replaced; 0: none. If left out, "
            f"{USUAL_PAIRS:,}, or with --games in proportion to it.",
        ),
    ] = None,
    by_turn: Annotated[int | None, typer.Option("--by-turn", help="Drawn means: by this own turn.")] = None,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """What every card does: win rate when drawn, when not, when played, and with a plain card in its place.

    With many random decks also what a copy of each card, and each keyword, is worth over all of them.

    Example: fairfight cardstats rookling --games 20000 --policy random
    """
    from analysis.card_stats import Selection, afforded, card_stats, observed
    from analysis.card_tally import card_question
    from analysis.deck_choice import DeckChoice, check_deck_game
    from analysis.playing import counted
    from sim.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        card_question(found)
        if pairs is not None and pairs < 0:
            raise ValueError(f"pairs={pairs} must be at least 0")
        if deck is not None:
            check_deck_game(found, "--deck")
        chosen = None if deck is None else entrant_of(deck, found, card_set)
        read = stored(game) is not None  # a run has the games that it has
        wanted = games if read and games is not None else USUAL_GAMES
        experiment = Experiment(found.name, card_set, seats, policies_of(policy), wanted, seed)
        asked = Selection(chosen, USUAL_PAIRS if pairs is None else pairs, by_turn)
        if not read and games is None:
            experiment = observed(experiment, asked, USUAL_GAMES)
        elif not read and games is not None:
            experiment, asked = afforded(experiment, asked, games, fixed=pairs is not None)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        with Ticker() as ticker:
            stats = card_stats(experiment, asked, counted(ticker, workers))
        draw(chart, lambda: _drawn(stats), f"Cards of {found.title}")
        terminal.show(stats, as_json, csv)


def kits_command(
    game: GameName,
    deck: Annotated[str | None, typer.Option("--deck", metavar="ID", help="One deck; all if left out.")] = None,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at the most, over all decks with all kits; {KIT_GAMES:,} of each deck with each kit if left "
            "out. At least a round of line-ups for each.",
        ),
    ] = None,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """What a deck would win with another kit (hero, stance, ability), and what each part of its own is worth.

    Example: fairfight kits runeslingers --deck eva_starter --games 1000
    """
    from analysis.deck_choice import DeckChoice
    from analysis.kit_stats import afforded, check_kits, kit_stats, pairs_of, steps_of
    from analysis.playing import counted
    from sim.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        check_kits(found)
        chosen = None if deck is None else entrant_of(deck, found, card_set)
        wanted = KIT_GAMES if games is None else games
        experiment = Experiment(found.name, card_set, seats, policies_of(policy), wanted, seed)
        tried = steps_of(found, card_set, chosen)
        experiment = pairs_of(experiment, KIT_GAMES) if games is None else afforded(experiment, tried, games)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        with Ticker() as ticker:
            stats = kit_stats(experiment, chosen, counted(ticker, workers), tried)
        draw(chart, lambda: _drawn_kits(stats), f"Kits of {found.title}")
        terminal.show(stats, as_json, csv)


def _drawn(stats: CardStats) -> Figure | None:
    """The main chart of cards."""
    from analysis.main_charts import cards

    return cards(stats.tally, stats.effects)


def _drawn_kits(stats: KitStats) -> Figure | None:
    """The main chart of kits."""
    from analysis.main_charts import kits

    return kits(stats.effects)
