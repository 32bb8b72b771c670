"""Options that several commands share, and what checks them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from analysis.answer.numbers import count
from analysis.cli.helping import CARDS_PANEL, OUTPUT_PANEL, PLAYED_PANEL
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
GameOrLog = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="Name of a game (see `fairfight games`), a run folder, or a file of games that people played (.csv, .xlsx, ...).",
        autocompletion=games_beginning,
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="ROLE=HEADING",
        help="Headings of the file of games that people played, where they are not usual ones: entrant=Hero,won=Result.",
        rich_help_panel=CARDS_PANEL,
    ),
]
Cards = Annotated[
    Path | None,
    typer.Option(
        "--cards",
        metavar="DIR",
        help="Folder with your cards.toml, or a spreadsheet, instead of the reference set.",
        rich_help_panel=CARDS_PANEL,
    ),
]
DecksFile = Annotated[
    Path | None,
    typer.Option(
        "--decks",
        metavar="FILE",
        help="TOML file of [[deck]] tables; adds these decks (games of decks).",
        rich_help_panel=CARDS_PANEL,
    ),
]
OnlyDecks = Annotated[
    bool, typer.Option("--only-decks", help="Only the decks of --decks, not the card set's own.", rich_help_panel=CARDS_PANEL)
]
RandomDecks = Annotated[
    str | None,
    typer.Option(
        "--random-decks",
        metavar="N[:HOW]",
        help="Instead, N random legal decks from the seed; 24:sealed uses the game's deck generator `sealed`, if it has one.",
        rich_help_panel=CARDS_PANEL,
    ),
]
Seed = Annotated[int, typer.Option("--seed", help=SHARED["seed"].text, show_default=False, rich_help_panel=PLAYED_PANEL)]
Seats = Annotated[int, typer.Option("--seats", help=SHARED["seats"].text, show_default=False, rich_help_panel=PLAYED_PANEL)]
PolicyNames = Annotated[
    str | None, typer.Option("--policy", metavar="P[,P...]", help=SHARED["policy"].text, rich_help_panel=PLAYED_PANEL)
]
Quick = Annotated[bool, typer.Option("--quick", help=SHARED["quick"].text, rich_help_panel=PLAYED_PANEL)]
LineUp = Annotated[
    str | None, typer.Option("--line-up", metavar="E[,E...]", help=SHARED["line_up"].text, rich_help_panel=PLAYED_PANEL)
]
Forbid = Annotated[
    list[str] | None,
    typer.Option("--forbid", metavar="[ENTRANT:]THING", help=SHARED["forbid"].text, rich_help_panel=PLAYED_PANEL),
]
Jobs = Annotated[int | None, typer.Option("--jobs", help=SHARED["jobs"].text, rich_help_panel=PLAYED_PANEL)]
Everything = Annotated[
    bool,
    typer.Option(
        "--all", help="Print every column, row and table, instead of what matters most in 25 lines.", rich_help_panel=OUTPUT_PANEL
    ),
]
Notes = Annotated[
    bool, typer.Option("--notes", help="Explain the terms, and how the games were played.", rich_help_panel=OUTPUT_PANEL)
]
NoColor = Annotated[
    bool, typer.Option("--no-color", help="Print without colours, as with NO_COLOR set.", rich_help_panel=OUTPUT_PANEL)
]
CsvFile = Annotated[
    Path | None,
    typer.Option(
        "--csv",
        metavar="FILE",
        help=f"Write the main table to a {listed(TABLES)} file; a spreadsheet gets all tables.",
        rich_help_panel=OUTPUT_PANEL,
    ),
]
ChartFile = Annotated[
    Path | None,
    typer.Option(
        "--chart", metavar="FILE", help=f"Draw the main chart to a {listed(CHARTS)} file.", rich_help_panel=OUTPUT_PANEL
    ),
]
HtmlFile = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="FILE",
        help="Write sentence, charts and tables as one page, a .html file.",
        rich_help_panel=OUTPUT_PANEL,
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.", rich_help_panel=OUTPUT_PANEL)]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print JSON instead of tables; seats are counted from 0.", rich_help_panel=OUTPUT_PANEL)
]

PRINTING: Mapping[str, tuple[Any, Any]] = {
    "everything": (Everything, False),
    "notes": (Notes, False),
    "no_color": (NoColor, False),
}


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
