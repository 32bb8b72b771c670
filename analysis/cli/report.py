"""`fairfight report`: all questions of a game on one page."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from analysis import interrupts
from analysis.answer.files import temporary_files_in
from analysis.cli.asking import log_of
from analysis.cli.kept import keeping
from analysis.cli.options import AsJson, Cards, Columns, DecksFile, Jobs, OnlyDecks, Quick, RandomDecks, Seed, check_jobs
from analysis.data.budget import Budget
from analysis.data.decks import DeckChoice
from analysis.data.names import ALL, names_run, open_game, policies_of
from analysis.data.players import chosen_players
from analysis.data.study import Study
from analysis.output import terminal
from analysis.output.compiled import prepare
from analysis.output.terminal import Ticker
from analysis.playtests.against import at_table
from sim.apart import end_with_parent, run_apart, send
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.registry import GAMES
from sim.seeds import checked_seed

GameOrAll = Annotated[str, typer.Argument(metavar="GAME|all", help="A game, a run folder, or all games.")]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Folder to write to; by default reports, with --cards reports/DIR.")
]
Policy = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="P",
        help="Policy in every seat, see docs/players.md; by default the strong player of the game, as in all commands.",
    ),
]
Scale = Annotated[float, typer.Option("--scale", help="Games in multiples of the default, e.g. 0.1 or 10.")]
Table = Annotated[
    Path | None,
    typer.Option("--table", metavar="FILE", help="Games that people played (.csv, .xlsx, ...), shown beside the win rates."),
]
Apart = Annotated[bool, typer.Option("--apart", hidden=True)]  # for a parent process that writes several reports


@keeping
def report(
    game: GameOrAll,
    out: Out = None,
    policy: Policy = None,
    quick: Quick = False,
    scale: Scale = 1.0,
    table: Table = None,
    columns: Columns = None,
    apart: Apart = False,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Answer every question of a game with charts: one self-contained page per game, with SVG, CSV and JSON files.

    Example: fairfight report arena --out reports
    """
    choice = DeckChoice(decks, only_decks, random_decks, seed)
    options = ("--cards", str(cards)) if cards else choice.options
    named = cards or (Path(game) if names_run(game) else None)
    if game == ALL and options:
        raise ValueError(f"{' '.join(options)}: works with one game, not with all")
    folder = out or Path("reports", *([named.resolve().name] if named else choice.folder))
    if policy and len(policies_of(policy)) > 1:
        raise ValueError(f"policies={policy}: a report takes one for all seats, such as greedy")
    if game == ALL and table:
        raise ValueError(f"--table {table}: works with one game, not with all")
    checked_seed(seed)
    check_jobs(jobs)
    chosen = [_opened(name, cards, choice) for name in (GAMES.usable(terminal.note) if game == ALL else [game])]
    players = [chosen_players(found, policy, quick)[0] for found, _ in chosen]
    log = None if table is None else log_of(str(table), columns)
    rates = [None if log is None else at_table(log, *one) for one in chosen]
    if apart:
        terminal.relay = send
        end_with_parent(partial(os._exit, interrupts.INTERRUPTED))
    elif game == ALL:
        keep_games = interrupts.state.keep or str
        interrupts.state.keep = lambda: keep_games() or f"the same command continues with what is finished in {folder}"
    with temporary_files_in(folder):  # of matplotlib
        from analysis.report.write import write_reports
    with Ticker() as ticker:
        studies = [
            Study(found, its_cards, player, seed, Budget.of(found, player).scaled(scale), jobs, ticker, quick=quick, table=beside)
            for (found, its_cards), player, beside in zip(chosen, players, rates, strict=True)
        ]
        index = write_reports(studies, folder, scale, prepare, _report_apart)
    if apart:  # the parent prints the result
        return
    terminal.print_json({"index": index}) if as_json else terminal.say(f"{index} written")


def _opened(name: str, cards: Path | None, choice: DeckChoice) -> tuple[Game, CardSet]:
    """A game, and its cards with the chosen decks. Raises ValueError."""
    game, card_set = open_game(name, cards)
    return game, choice.played(game, card_set)


def _report_apart(command: str, out: Path, jobs: int, stop: np.ndarray, answered: Callable[[int], None]) -> None:
    """Write a report in another process; see `write_reports`. Raises Exit if it fails there, which has been reported."""
    words = [*shlex.split(command)[1:], "--out", str(out), "--jobs", str(jobs), "--apart"]

    def listen(message: list[Any]) -> None:
        kind, what, *_ = message
        if kind == "questions":
            answered(what)
        elif kind == "note":
            terminal.note(what)

    if code := run_apart("from analysis.cli.start import main; main()", words, stop, listen):
        raise typer.Exit(code)
