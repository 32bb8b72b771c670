"""What the subcommands of `fairfight` have in common: options, and the way from their words to games and policies."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from analysis import terminal
from analysis.naming import open_game, policy_of
from analysis.output_files import CHARTS, TABLES, listed

if TYPE_CHECKING:
    from analysis.deck_choice import DeckChoice
    from sim.engine.cards import CardSet
    from sim.engine.contract import Game
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
Seats = Annotated[int, typer.Option("--seats", help="Number of seats; tables and stories count them from 1.")]
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
        help="Who plays, seat 1 first, instead of a balanced design; a team by its parts, such as a+b+c.",
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
Wide = Annotated[
    bool,
    typer.Option(
        "--wide",
        help="Show every column of the tables and do not break lines, instead of fitting them to the terminal "
        f"({terminal.WIDTH} columns in a pipe).",
    ),
]
NoColor = Annotated[bool, typer.Option("--no-color", help="Print without colours, as with NO_COLOR set.")]
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
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables; seats are counted from 0 there.")]


def with_printing(command: Callable[..., None]) -> Callable[..., None]:
    """A command with the options of how it prints tables, which are alike in all: `--wide` and `--no-color`."""

    @wraps(command)
    def run(*arguments: Any, wide: bool = False, no_color: bool = False, **named: Any) -> None:
        with terminal.printing(wide=wide, no_color=no_color):
            command(*arguments, **named)

    more = {"wide": Wide, "no_color": NoColor}
    kinds = get_type_hints(command, include_extras=True) | more
    old = [one.replace(annotation=kinds[name]) for name, one in signature(command).parameters.items()]
    added = [Parameter(name, Parameter.KEYWORD_ONLY, default=False, annotation=kind) for name, kind in more.items()]
    run.__signature__ = Signature([*old, *added])  # type: ignore[attr-defined]
    run.__annotations__ = kinds
    return run


def open_decks(name: str, cards: Path | None, choice: DeckChoice) -> tuple[Game, CardSet]:
    """Find a game and load its cards with the decks that are asked for. Raises ValueError."""
    game, found = open_game(name, cards)
    return game, choice.played(game, found)


def prepare(game: Game, part: str = "loop") -> None:
    """Compile what the game needs, unless the cache has it, with a progress bar, so that it is not mistaken for slow play."""
    from sim.engine.jit import cache_folder, compiling, ignored_cache
    from sim.warmup import compile_part, is_compiled, kernels_of

    if where := ignored_cache():
        terminal.note(f"FAIRFIGHT_CACHE={where} cannot be used; compiled code goes to {cache_folder().parent}")
    if not is_compiled(game.name, part):
        terminal.note(f"compiling {game.title} for this machine: once, a minute or two")
        stage, needed = f"compiling {game.title}", kernels_of(game)
        with (
            terminal.Ticker("kernels") as ticker,
            compiling(lambda done, _: ticker(stage, min(done, needed), needed)),
        ):
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
