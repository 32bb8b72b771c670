"""`fairfight workbench`: a page to change numbers and see win rates move."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from analysis.cli.asking import log_of, source_of
from analysis.cli.options import (
    Cards,
    Columns,
    DecksFile,
    GameName,
    Jobs,
    OnlyDecks,
    PolicyNames,
    Quick,
    RandomDecks,
    Seats,
    Seed,
    check_jobs,
)
from analysis.games import experiment_of
from analysis.output import terminal
from analysis.output.compiled import prepare
from analysis.workbench import NEEDS_PANEL
from analysis.workbench.at_table import rates_at_table

Port = Annotated[int, typer.Option("--port", help="Port to listen on; by default any free one.")]
Host = Annotated[
    str, typer.Option("--host", help="Address to listen on; 0.0.0.0 in a container, so that its host reaches the page.")
]
Browser = Annotated[bool, typer.Option("--browser/--no-browser", help="Whether to open the page in the browser.")]

Table = Annotated[
    Path | None,
    typer.Option("--table", metavar="FILE", help="Games that people played (.csv, .xlsx, ...), shown beside the win rates."),
]


def workbench(
    game: GameName,
    port: Port = 0,
    host: Host = "127.0.0.1",
    browser: Browser = True,
    table: Table = None,
    columns: Columns = None,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seats: Seats = 2,
    policy: PolicyNames = None,
    quick: Quick = False,
    seed: Seed = 1,
    jobs: Jobs = None,
) -> None:
    """Open a page to change numbers of a card set and see win rates, matchups and game length move at once.

    The same games are played with the unchanged and with the changed cards, on the same dice. Only this machine can open the
    page, unless --host names another address, and only with the token in the page's address. Ctrl-C ends it.

    Example: fairfight workbench arena

    Example: fairfight workbench arena --cards my-arena --seats 4 --no-browser

    Example: fairfight workbench arena --table playtests.csv
    """
    try:
        from analysis.workbench.server import Workbench, is_loopback, usable
    except ModuleNotFoundError as error:
        if error.name not in {"panel", "bokeh"}:
            raise
        raise ValueError(NEEDS_PANEL) from None
    source = source_of(game, cards, decks, only_decks, random_decks, seed)
    base = experiment_of(source, 1, seats=seats, policy=policy, quick=quick, seed=seed)
    rates = None if table is None else rates_at_table(log_of(str(table), columns), base)
    check_jobs(jobs)
    usable(port, host)
    if not is_loopback(host):
        terminal.note(f"warning: other machines can reach this page at {host}, unencrypted; the token in its address opens it")
    prepare(base.game, "loop")  # the page can choose other players
    bench = Workbench(base, port, jobs, host, rates)

    def started() -> None:
        terminal.say(f"The workbench of {base.game.title} is open at\n  {bench.url}\nCtrl-C ends it.")
        sys.stdout.flush()

    try:
        bench.run(browser, started)
    except KeyboardInterrupt:
        terminal.note("the workbench has ended")
