"""Options that several commands share, and what checks them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from analysis.answer.numbers import count
from analysis.data.arguments import SHARED
from analysis.data.names import run_word
from analysis.output import terminal
from analysis.output.files import CHARTS, TABLES, listed
from sim.registry import GAMES
from sim.store import Run


def games_beginning(incomplete: str) -> list[str]:
    """Names of games that a shell offers to complete a word."""
    return [name for name in GAMES if name.startswith(incomplete)]


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="Name of a game (see `fairfight games`), or a run folder.", autocompletion=games_beginning
    ),
]
Cards = Annotated[
    Path | None,
    typer.Option("--cards", metavar="DIR", help="Folder with your cards.toml, or a spreadsheet, instead of the reference set."),
]
DecksFile = Annotated[
    Path | None, typer.Option("--decks", metavar="FILE", help="TOML file of [[deck]] tables; adds these decks (games of decks).")
]
OnlyDecks = Annotated[bool, typer.Option("--only-decks", help="Only the decks of --decks, not the card set's own.")]
RandomDecks = Annotated[
    str | None,
    typer.Option(
        "--random-decks",
        metavar="N[:HOW]",
        help="Instead, N random legal decks from the seed; 24:sealed uses the game's deck generator `sealed`, if it has one.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", help=SHARED["seed"].text, show_default=False)]
Seats = Annotated[int, typer.Option("--seats", help=SHARED["seats"].text, show_default=False)]
PolicyNames = Annotated[str | None, typer.Option("--policy", metavar="P[,P...]", help=SHARED["policy"].text)]
Quick = Annotated[bool, typer.Option("--quick", help=SHARED["quick"].text)]
LineUp = Annotated[str | None, typer.Option("--line-up", metavar="E[,E...]", help=SHARED["line_up"].text)]
Forbid = Annotated[list[str] | None, typer.Option("--forbid", metavar="[ENTRANT:]THING", help=SHARED["forbid"].text)]
Jobs = Annotated[int | None, typer.Option("--jobs", help=SHARED["jobs"].text)]
Wide = Annotated[
    bool,
    typer.Option(
        "--wide",
        help="Show all columns of the tables and do not break lines, instead of fitting them to the terminal "
        f"({terminal.WIDTH} columns in a pipe).",
    ),
]
NoColor = Annotated[bool, typer.Option("--no-color", help="Print without colours, as with NO_COLOR set.")]
CsvFile = Annotated[
    Path | None,
    typer.Option(
        "--csv", metavar="FILE", help=f"Write the main table to a {listed(TABLES)} file; a spreadsheet gets all tables."
    ),
]
ChartFile = Annotated[
    Path | None, typer.Option("--chart", metavar="FILE", help=f"Draw the main chart to a {listed(CHARTS)} file.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables; seats are counted from 0.")]

PRINTING: Mapping[str, tuple[Any, Any]] = {"wide": (Wide, False), "no_color": (NoColor, False)}


def check_jobs(jobs: int | None) -> int | None:
    """Return the number of workers. Raises ValueError below 1."""
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs={jobs} must be at least 1")
    return jobs


def is_typed(ctx: typer.Context, name: str) -> bool:
    """Whether the user typed an option."""
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def note_games(run: Run) -> None:
    """Print notes on games that a run lacks, and on those of other code."""
    held, stored_ = run.held, run.stored
    if held < run.experiment.games:
        gap = "" if stored_ == held else f", of which the first {count(held)} are without a gap and can be read"
        terminal.note(
            f"{run.folder}: holds {count(stored_)} of {count(run.experiment.games)} games{gap}; "
            f"`{_going_on(run)}` plays the others"
        )
    if run.has_other_sources:
        terminal.note(
            f"{run.folder}: begun with other code (fairfight {run.manifest.versions.get('fairfight', '?')}); its games are read "
            "unchanged, others are played by the current rules"
        )


def _going_on(run: Run) -> str:
    """Command that plays the missing games of a run."""
    return f"fairfight run {quote(run_word(run.folder))}"
