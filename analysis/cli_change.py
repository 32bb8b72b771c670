"""The subcommands on changed numbers: `fairfight whatif`, `fairfight sensitivity` and `fairfight screen`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis import interrupts, terminal
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

    from analysis.screening import Screen
    from analysis.whatif_stats import WhatIf

GAMES = 20_000  # of a what-if before the change, without --precision
MOST = 2_000_000  # the same with --precision, if nobody says how many
STEP_GAMES = 200_000  # of all steps together, if nobody says how many or how exact
POINT_GAMES = 2_000  # of every point of a screen

Precision = Annotated[
    float | None,
    typer.Option(
        "--precision", metavar="POINTS", help="Play until every change is known to so many percentage points."
    ),
]


def whatif_command(
    game: GameName,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="PATH=VALUE", help="A field and its value, or +1 / -1 for steps; may be repeated."
        ),
    ] = None,
    other: Annotated[
        Path | None,
        typer.Option(
            "--against", metavar="DIR", help="Instead: folder with another cards.toml, in place of the change."
        ),
    ] = None,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at the most, before and after together; if left out {GAMES:,} before, and after it those that the "
            "change can touch. At least a round of line-ups before and after.",
        ),
    ] = None,
    precision: Precision = None,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """What a changed number does to every win rate: the same games with the same dice, before and after.

    Several --set are one change. A rule that the card file leaves to its default may be set too.
    With --against two card sets play the same games; entrants are matched by their ids.

    Example: fairfight whatif arena --set hero.rhino_guy.move=3

    Example: fairfight whatif arena --cards my-arena --against their-arena
    """
    from analysis.change_tables import WhatIfResult
    from analysis.deck_choice import DeckChoice
    from analysis.edits import against, edited
    from analysis.until import checked_precision
    from analysis.whatif_stats import afforded, seated, what_if
    from sim.experiment import Experiment
    from sim.weights import loaded

    with clear_messages():
        choice = DeckChoice(decks, only_decks, random_decks, seed)
        found, card_set = open_decks(game, cards, choice)
        if (other is None) == (not changes):
            raise ValueError(
                "whatif: name the change with --set PATH=VALUE, such as --set hero.rhino_guy.move=3, or another card set with "
                "--against DIR; one of the two"
            )
        if other is None:
            change = edited(found, card_set, changes or [])
        else:
            change = against(found, card_set, choice.played(found, loaded(found, other)), seats)
        half_width = None if precision is None else checked_precision(precision)
        usual = GAMES if precision is None else MOST
        base = Experiment(found.name, card_set, seats, policies_of(policy), usual if games is None else games, seed)
        base = seated(base, change)
        base = base if games is None else afforded(base, change, games)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        with Ticker() as ticker:
            result = what_if(base, change, workers, lambda done, total: ticker("games", done, total), half_width)
        draw(chart, lambda: _drawn(result), f"Win rates of {found.title} before and after")
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
            help=f"{IN_ALL}, at the most; {STEP_GAMES:,} if left out, with --precision as many as it takes. At least 400 with "
            "the cards as they are and 400 with each step, of a number of one entrant those in which it sits.",
        ),
    ] = None,
    precision: Precision = None,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """Which numbers move balance most: every number of the card file one step up and down, in one run.

    Example: fairfight sensitivity arena --precision 1
    """
    from analysis.candidates import candidates
    from analysis.change_tables import SensitivityResult, figure
    from analysis.deck_choice import DeckChoice
    from analysis.sensitivity import Asked, check_games, sensitivity
    from analysis.until import checked_precision
    from sim.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        patterns = tuple(part.strip() for part in fields.split(",")) if fields else ()
        half_width = None if precision is None else checked_precision(precision)
        most = STEP_GAMES if games is None and precision is None else games
        asked = Asked(half_width, most)
        base = Experiment(found.name, card_set, seats, policies_of(policy), 1, seed)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        tried = candidates(found, card_set, patterns, with_fixed)
        check_games(base, tried, asked)
        prepare(found)
        with Ticker() as ticker:
            result = sensitivity(base, tried, asked, workers, ticker)
        draw(chart, lambda: figure(result), "Change of win rates by number")
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
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at the most, over all points of the design; {POINT_GAMES:,} of each point if left out. At least 20 "
            "games, in whole rounds of line-ups, of each.",
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
    """Which of some numbers work together: how much the effect of each depends on the others.

    Example: fairfight screen arena --fields hero.rhino_guy.move,hero.rhino_guy.defence --entrant rhino_guy --method sobol
    """
    from analysis.candidates import paths_of
    from analysis.deck_choice import DeckChoice
    from analysis.points import grid_of, unit_of
    from analysis.screen_tables import ScreenResult
    from analysis.screening import afforded, check_fields, method_of, screen
    from sim.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        usual = POINT_GAMES if games is None else games
        base = Experiment(found.name, card_set, seats, policies_of(policy), usual, seed)
        patterns = [part.strip() for part in fields.split(",")]
        grid, refused = grid_of(base, paths_of(card_set, patterns), steps)
        chosen = method_of(method)
        check_fields(grid.paths, chosen)
        unit = None if entrant is None else unit_of(base, entrant)
        base = base if games is None else afforded(base, grid, chosen, unit, games)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        with Ticker() as ticker:
            result = screen(base, grid, chosen, unit, workers, lambda done, total: ticker("games", done, total))
        draw(chart, lambda: _drawn_screen(result), "Effects of numbers, and how far they depend on each other")
        terminal.show(ScreenResult(result, tuple(refused)), as_json, csv)


def _drawn(found: WhatIf) -> Figure | None:
    """The main chart of a what-if."""
    from analysis.main_charts import what_if

    return what_if(found)


def _drawn_screen(found: Screen) -> Figure:
    """The main chart of a screen."""
    from analysis.main_charts import screen

    return screen(found)
