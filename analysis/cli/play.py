"""The commands that play games: `run`, `winrates`, `replay`, `compare`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperCommand

from analysis import interrupts
from analysis.answer.numbers import count
from analysis.cli.options import Asked, Forbid, LineUp, check_jobs, common, is_typed, prepare
from analysis.data.names import names_run, run_word
from analysis.output.terminal import Ticker

if TYPE_CHECKING:
    from sim.store import Filled, Run

RUN_GAMES = 10_000
AS_ASKED = frozenset({"game", "out", "games", "jobs", "cluster", "as_json"})  # work with a run too


Source = Annotated[str, typer.Argument(metavar="GAME|RUN", help="A game, or a run to continue.")]


@common("csv", "chart", "force", game=Source, kind=TyperCommand, prints=False)
def run_command(
    context: typer.Context,
    asked: Asked,
    out: Path | None = None,
    games: int | None = None,
    keep: str = "rows",
    block_games: int | None = None,
    cluster: str | None = None,
    line_up: LineUp = None,
    forbid: Forbid = None,
    paired: bool = False,
    coupling: str = "seat",
) -> None:
    """Play games into a folder, or continue a run: finished games are safe if it is interrupted.

    Every other command accepts the folder in place of a game.

    --out RUN: The run folder.
    --games: Games of the run, by default {RUN_GAMES:,}; an existing run grows to this number.
    --keep rows|summary: Keep every game, or sums over blocks (for 10^9 games).
    --block-games: Games of a block; by default about a second of play on one core.
    --cluster ADDRESS: Play on the workers of a Dask scheduler, such as tcp://host:8786.
    --paired: Play every line-up from all seats with the same dice.
    --coupling seat|entrant: Couple the dice by seat or by entrant.

    Example: fairfight run arena --games 1000000 --policy random --out my-run

    Example: fairfight run my-run
    """
    from analysis.cli.runs import print_filled
    from analysis.winrates.play import coupled
    from sim.store import Run

    what, workers = asked.name, check_jobs(asked.jobs)
    if names_run(what):
        for parameter in context.command.params:  # which the run determines
            if parameter.name not in AS_ASKED and is_typed(context, str(parameter.name)):
                raise ValueError(f"{parameter.opts[0]}: {what} determines what is played; leave it out")
        run = _grown(what, out, games)
    else:
        experiment = coupled(asked.experiment(RUN_GAMES if games is None else games, line_up, forbid), paired, coupling)
        if out is None:
            raise ValueError(f"--out: name a folder for the run, as in fairfight run {quote(what)} --out my-run")
        run = Run.begin(out, experiment, keep if is_typed(context, "keep") else None, block_games)
    began = time.monotonic()
    with _safe(run):
        filled = _fill(run, workers, cluster)
    print_filled(run, filled, time.monotonic() - began, asked.as_json)


def _fill(run: Run, workers: int | None, cluster: str | None) -> Filled:
    """Play the missing games, here or on a cluster."""
    from analysis.winrates.rates import summarise

    sums = None if run.has_rows else summarise
    with Ticker() as ticker:
        if cluster is None:
            prepare(run.experiment.game)
            return run.fill(workers, sums, ticker)
        from sim.store.cluster import cluster as joined

        with joined(cluster) as threads:
            return run.fill(workers or threads, sums, ticker)


@contextmanager
def _safe(run: Run) -> Iterator[None]:
    """Context that reports which games are safe, and how to continue, if anything stops the run."""
    from sim.store import StoreError

    again = f"continue with: fairfight run {quote(run_word(run.folder))}"
    interrupts.state.keep = lambda: f"{_count(run)} are safe in {run.folder}; {again}"
    try:
        yield
    except StoreError as error:
        raise StoreError(f"{error}. {_count(run)} are safe; {again}") from None


def _count(run: Run) -> str:
    return f"{count(run.stored)} of {count(run.experiment.games)} games"


def _grown(what: str, out: Path | None, games: int | None) -> Run:
    """The run in a folder, with more games on request. Raises ValueError for another folder in --out."""
    from sim.store import Run, StoreError

    if out is not None and out.resolve() != Path(what).resolve():
        raise ValueError(f"--out {out}: {what} is a run, which continues in its own folder; leave --out out")
    run = Run.open(what)
    try:
        run.manifest.check_sources("this installation")
    except StoreError as error:
        raise StoreError(f"{run.folder}/{error}") from None
    return run if games is None else Run.begin(run.folder, replace(run.experiment, games_wanted=games))
