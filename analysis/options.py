"""What the subcommands of `fairfight` have in common: options, and the way from their words to games and policies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analysis import terminal
from analysis.deck_choice import DeckChoice
from analysis.naming import open_game, policy_of
from analysis.output_files import CHARTS, TABLES, listed
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.jit import cache_folder, ignored_cache
from sim.engine.policies import PolicySpec

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="Name of a game, as `fairfight games` lists them, or a run folder.")
]
Cards = Annotated[
    Path | None,
    typer.Option("--cards", metavar="DIR", help="Folder with your cards.toml instead of the reference set."),
]
DecksFile = Annotated[
    Path | None,
    typer.Option("--decks", metavar="FILE", help="TOML file of [[deck]] tables: these decks too (games of decks)."),
]
OnlyDecks = Annotated[bool, typer.Option("--only-decks", help="Those decks alone, without the card set's own.")]
RandomDecks = Annotated[
    str | None,
    typer.Option(
        "--random-decks",
        metavar="N[:HOW]",
        help="So many legal decks by lot instead, by the seed; 24:sealed makes them as the game's sealed does, if it has one.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="Seed; the same seed gives the same games.")]
Seats = Annotated[int, typer.Option("--seats", help="Number of seats.")]
PolicyNames = Annotated[
    str,
    typer.Option(
        "--policy",
        metavar="P[,P...]",
        help="random, greedy:k (k samples of chance), flat:n or search:n (n playouts per decision); one for all seats, "
        "or one per seat.",
    ),
]
LineUp = Annotated[
    str | None,
    typer.Option(
        "--line-up",
        metavar="E[,E...]",
        help="Who plays, by seat, instead of a balanced design; a team by its parts, such as a+b+c.",
    ),
]
Forbid = Annotated[
    list[str] | None,
    typer.Option(
        "--forbid",
        metavar="[ENTRANT:]THING",
        help="What may not be used, by one or by all, see `fairfight forbid GAME --list`; may be repeated.",
    ),
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", help="Workers; all cores if left out. Results do not depend on it.")
]
CsvFile = Annotated[
    Path | None,
    typer.Option(
        "--csv",
        metavar="FILE",
        help=f"Write the main table to a file, by its ending {listed(TABLES)}; a spreadsheet has all tables.",
    ),
]
RowsFile = Annotated[
    Path | None,
    typer.Option("--rows", metavar="FILE", help=f"Write every game to a file, by its ending {listed(TABLES)}."),
]
ChartFile = Annotated[
    Path | None,
    typer.Option("--chart", metavar="FILE", help=f"Draw the main chart into a file, by its ending {listed(CHARTS)}."),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
IN_ALL = "Games played in all"  # what --games means in every command; its help begins so
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


def open_decks(name: str, cards: Path | None, choice: DeckChoice) -> tuple[Game, CardSet]:
    """Find a game and load its cards with the decks that are asked for. Raises ValueError."""
    game, found = open_game(name, cards)
    return game, choice.played(game, found)


def prepare(game: Game, part: str = "loop") -> None:
    """Compile what the game needs first, and say so, so that it is not taken for slow play."""
    from sim.warmup import compile_part, is_compiled  # noqa: PLC0415 - only where something is played

    if where := ignored_cache():
        terminal.note(f"FAIRFIGHT_CACHE={where} cannot be used; compiled code goes to {cache_folder().parent}")
    if not is_compiled(game.name, part):
        terminal.note(f"compiling {game.title} for this machine: once, up to a minute ...")
        compile_part(game.name, part)


def policies_of(text: str) -> tuple[PolicySpec, ...]:
    """Read a list of policies. Raises ValueError."""
    return tuple(policy_of(part) for part in text.split(","))


def forbidden_of(names: list[str] | None) -> tuple[str, ...]:
    """What may not be used, in one order however it was named, so that equal experiments are equal."""
    return tuple(sorted({name.strip() for name in names or ()}))


def check_jobs(jobs: int | None) -> int | None:
    """Return the number of workers. Raises ValueError below 1."""
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs={jobs} must be at least 1")
    return jobs
