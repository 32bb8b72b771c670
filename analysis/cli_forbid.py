"""The subcommand `fairfight forbid`: what an ability, a card or a rule is worth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from analysis import interrupts, terminal
from analysis.options import (
    IN_ALL,
    AsJson,
    Cards,
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
from analysis.output_files import CHARTS, check_files, draw, listed
from analysis.terminal import Ticker, clear_messages

GAMES = 20_000  # with what is named, and again without each, if nobody says how many
ALL_GAMES = 100_000  # of all trials together, with --all

ForbidChart = Annotated[  # --out is what it was called first
    Path | None,
    typer.Option(
        "--chart", "--out", metavar="FILE", help=f"Draw the main chart into a file, by its ending {listed(CHARTS)}."
    ),
]


def forbid_command(
    game: GameName,
    things: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ENTRANT:]THING...", help="What is forbidden, each for itself: for one, or for all."),
    ] = None,
    entrant: Annotated[str | None, typer.Option("--entrant", metavar="ID", help="Forbid it to this one alone.")] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Everything that can be forbidden, to each that uses it, ranked.")
    ] = False,
    listed: Annotated[bool, typer.Option("--list", help="Only list what can be forbidden.")] = False,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at the most, with what is named and without each; if left out {GAMES:,} with it and those again "
            f"that it may touch, with --all {ALL_GAMES:,}. At least two rounds of line-ups with and without each.",
        ),
    ] = None,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ForbidChart = None,
    force: Force = False,
) -> None:
    """What an ability, a card or a rule is worth: the same games with the same dice, with it and without it.

    Whoever may not use a thing also plans without it; where nothing else is open it may be used after all.

    Example: fairfight forbid arena --list

    Example: fairfight forbid arena hero.rhino_guy.charge

    Example: fairfight forbid arena --all --chart worth.png
    """
    from analysis.deck_choice import DeckChoice
    from analysis.forbid_tables import WorthResult, figure, list_table
    from analysis.forbidding import affordable, bans_of, everything, worth
    from analysis.usages import things_of
    from sim.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        _check_asked(things or [], entrant, every, listed)
        if listed:
            table = list_table(found, things_of(found, card_set))
            terminal.print_json(table) if as_json else terminal.print_table(table)
            return
        usual = ALL_GAMES if every else GAMES
        base = Experiment(found.name, card_set, seats, policies_of(policy), usual if games is None else games, seed)
        bans = bans_of(base, things or [], entrant)
        if games is not None and not every:
            base = replace(base, games_wanted=affordable(base, bans, games))
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        with Ticker() as ticker:
            told = everything(base, base.games_wanted, workers, ticker) if every else worth(base, bans, workers, ticker)
        result = WorthResult(told, ranked=every)
        draw(chart, lambda: figure(result), "What abilities, cards and rules are worth")
        terminal.show(result, as_json, csv)
    if told.games < told.base.games:
        interrupts.leave(f"shown: the first {told.games:,} of {told.base.games:,} games each way")


def _check_asked(things: list[str], entrant: str | None, every: bool, listed: bool) -> None:
    """Raise ValueError unless one question is asked."""
    if (len(things) > 0) + every + listed != 1:
        raise ValueError("forbid: name what is forbidden, or take --all, or --list; one of the three")
    if entrant is not None and not things:
        raise ValueError(f"--entrant {entrant}: goes with the name of a thing")
