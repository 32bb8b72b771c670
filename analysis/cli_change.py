"""The subcommands on changed numbers: `fairfight whatif`, `fairfight sensitivity` and `fairfight screen`."""

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

GAMES = 20_000  # of a what-if, without --precision
MOST = 2_000_000  # of a what-if with --precision, if nobody says how many
STEP_GAMES = 200_000  # of all steps together, if nobody says how many or how exact
POINT_GAMES = 2_000  # of every point of a screen

Csv = Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write the first table to a CSV file.")]
Precision = Annotated[
    float | None,
    typer.Option(
        "--precision", metavar="POINTS", help="Play until every change is known to so many percentage points."
    ),
]


def whatif_command(
    game: GameName,
    changes: Annotated[
        list[str],
        typer.Option(
            "--set", metavar="PATH=VALUE", help="A field and its value, or +1 / -1 for steps; may be repeated."
        ),
    ],
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int | None,
        typer.Option("--games", help=f"Games each way, {GAMES:,} if left out; with --precision the most."),
    ] = None,
    precision: Precision = None,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: Csv = None,
) -> None:
    """What a changed number does to every win rate: the same games with the same dice, before and after.

    Several --set are one change. A rule that the card file leaves to its default may be set too.

    Example: fairfight whatif arena --set hero.rhino_guy.move=3
    """
    from analysis.change_tables import WhatIfResult
    from analysis.edits import edited
    from analysis.until import checked_precision
    from analysis.whatif_stats import what_if

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        change = edited(found, card_set, changes)
        half_width = None if precision is None else checked_precision(precision)
        wanted = (GAMES if precision is None else MOST) if games is None else games
        base = Experiment(found.name, card_set, seats, policies_of(policy), wanted, seed)
        workers = check_jobs(jobs)
        terminal.check_file(csv)
        prepare(found)
        with Ticker() as ticker:
            result = what_if(base, change, workers, lambda done, total: ticker("games", done, total), half_width)
        terminal.show(WhatIfResult(result), as_json, csv)
    if result.interrupted:
        interrupts.leave(f"shown: the first {result.games:,} of {base.games:,} games each way")


def sensitivity_command(
    game: GameName,
    fields: Annotated[
        str | None,
        typer.Option(
            "--fields", metavar="PATTERN[,PATTERN...]", help="Which numbers, such as hero.*.move; all if left out."
        ),
    ] = None,
    with_fixed: Annotated[
        bool, typer.Option("--with-fixed", help="Those too that the card file marks as fixed.")
    ] = False,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"Games in all at the most; {STEP_GAMES:,} if left out, with --precision as many as it takes.",
        ),
    ] = None,
    precision: Precision = None,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: Csv = None,
    chart: Annotated[
        Path | None, typer.Option("--chart", metavar="FILE", help="Draw the tornado as PNG or SVG.")
    ] = None,
) -> None:
    """Which numbers move balance most: every number of the card file one step up and down, in one run.

    Example: fairfight sensitivity arena --precision 1
    """
    from analysis.candidates import candidates
    from analysis.change_tables import SensitivityResult, draw
    from analysis.rolling import check_chart
    from analysis.sensitivity import Asked, sensitivity
    from analysis.until import checked_precision

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        patterns = tuple(part.strip() for part in fields.split(",")) if fields else ()
        half_width = None if precision is None else checked_precision(precision)
        most = STEP_GAMES if games is None and precision is None else games
        asked = Asked(half_width, most)
        base = Experiment(found.name, card_set, seats, policies_of(policy), 1, seed)
        workers = check_jobs(jobs)
        target = check_chart(chart)
        for file in (csv, target):
            terminal.check_file(file)
        tried = candidates(found, card_set, patterns, with_fixed)
        prepare(found)
        with Ticker() as ticker:
            result = sensitivity(base, tried, asked, workers, ticker)
        if target is not None:
            draw(result, target)
        terminal.show(SensitivityResult(result), as_json, csv)


def screen_command(
    game: GameName,
    fields: Annotated[
        str,
        typer.Option("--fields", metavar="PATTERN[,PATTERN...]", help="Which numbers, such as hero.rhino_guy.move."),
    ],
    steps: Annotated[int, typer.Option("--steps", help="Steps down and up from the present value of each.")] = 1,
    method: Annotated[
        str, typer.Option("--method", metavar="morris|sobol", help="Elementary effects, or shares of the variance.")
    ] = "morris",
    entrant: Annotated[
        str | None, typer.Option("--entrant", metavar="ID", help="Whose win rate; the spread of all if left out.")
    ] = None,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[int, typer.Option("--games", help="Games of every point, the same for all.")] = POINT_GAMES,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: Csv = None,
) -> None:
    """Which of some numbers work together: how much the effect of each depends on the others.

    Example: fairfight screen arena --fields hero.rhino_guy.move,hero.rhino_guy.defence --entrant rhino_guy --method sobol
    """
    from analysis.candidates import paths_of
    from analysis.points import grid_of, unit_of
    from analysis.screen_tables import ScreenResult
    from analysis.screening import check_fields, method_of, screen

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        base = Experiment(found.name, card_set, seats, policies_of(policy), games, seed)
        patterns = [part.strip() for part in fields.split(",")]
        grid, refused = grid_of(base, paths_of(card_set, patterns), steps)
        chosen = method_of(method)
        check_fields(grid.paths, chosen)
        unit = None if entrant is None else unit_of(base, entrant)
        workers = check_jobs(jobs)
        terminal.check_file(csv)
        prepare(found)
        with Ticker() as ticker:
            result = screen(base, grid, chosen, unit, workers, lambda done, total: ticker("games", done, total))
        terminal.show(ScreenResult(result, tuple(refused)), as_json, csv)
