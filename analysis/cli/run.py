"""`fairfight run`: play games into a folder, or continue a run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from analysis import interrupts
from analysis.answer.numbers import count
from analysis.cli.asking import source_of
from analysis.cli.options import (
    AsJson,
    Cards,
    DecksFile,
    Forbid,
    Jobs,
    LineUp,
    OnlyDecks,
    PolicyNames,
    Quick,
    RandomDecks,
    Seats,
    Seed,
    check_jobs,
    is_typed,
)
from analysis.cli.runs import print_filled
from analysis.data.names import names_run, run_word
from analysis.games import experiment_of
from analysis.output.compiled import prepare
from analysis.output.terminal import Ticker
from analysis.winrates.play import coupled
from analysis.winrates.rates import summarise
from sim.store import Filled, Run, StoreError
from sim.store.cluster import cluster as joined

RUN_GAMES = 10_000
AS_ASKED = frozenset({"what", "out", "games", "jobs", "cluster", "as_json"})  # work with a run too

Source = Annotated[str, typer.Argument(metavar="GAME|RUN", help="A game, or a run to continue.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="RUN", help="The run folder.")]
Games = Annotated[
    int | None, typer.Option("--games", help=f"Games of the run, by default {RUN_GAMES:,}; an existing run grows to this number.")
]
Keep = Annotated[
    str, typer.Option("--keep", metavar="rows|summary", help="Keep every game, or sums over blocks (for 10^9 games).")
]
BlockGames = Annotated[
    int | None, typer.Option("--block-games", help="Games of a block; by default about a second of play on one core.")
]
Cluster = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="Play on the workers of a Dask scheduler, such as tcp://host:8786."),
]
Paired = Annotated[bool, typer.Option("--paired", help="Play every line-up from all seats with the same dice.")]
Coupling = Annotated[str, typer.Option("--coupling", metavar="seat|entrant", help="Couple the dice by seat or by entrant.")]


def run(
    context: typer.Context,
    what: Source,
    out: Out = None,
    games: Games = None,
    keep: Keep = "rows",
    block_games: BlockGames = None,
    cluster: Cluster = None,
    line_up: LineUp = None,
    forbid: Forbid = None,
    paired: Paired = False,
    coupling: Coupling = "seat",
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seats: Seats = 2,
    policy: PolicyNames = None,
    quick: Quick = False,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Play games into a folder, or continue a run: finished games are safe if it is interrupted.

    Commands that read games accept the folder in place of a game.

    Example: fairfight run arena --games 1000000 --policy random --out my-run

    Example: fairfight run my-run
    """
    workers = check_jobs(jobs)
    if names_run(what):
        for parameter in context.command.params:  # which the run determines
            if parameter.name not in AS_ASKED and is_typed(context, str(parameter.name)):
                raise ValueError(f"{parameter.opts[0]}: {what} determines what is played; leave it out")
        folder = _grown(what, out, games)
    else:
        source = source_of(what, cards, decks, only_decks, random_decks, seed)
        wanted = RUN_GAMES if games is None else games
        seated = None if line_up is None else [line_up]
        experiment = experiment_of(
            source, wanted, seats=seats, policy=policy, quick=quick, seed=seed, line_up=seated, forbid=forbid or ()
        )
        experiment = coupled(experiment, paired, coupling)
        if out is None:
            raise ValueError(f"--out: name a folder for the run, as in fairfight run {quote(what)} --out my-run")
        folder = Run.begin(out, experiment, keep if is_typed(context, "keep") else None, block_games)
    began = time.monotonic()
    with _safe(folder):
        filled = _fill(folder, workers, cluster)
    print_filled(folder, filled, time.monotonic() - began, as_json)


def _fill(run: Run, workers: int | None, cluster: str | None) -> Filled:
    """Play the missing games, here or on a cluster."""
    sums = None if run.has_rows else summarise
    with Ticker() as ticker:
        if cluster is None:
            prepare(run.experiment.game)
            return run.fill(workers, sums, ticker)
        with joined(cluster) as threads:
            return run.fill(workers or threads, sums, ticker)


@contextmanager
def _safe(run: Run) -> Iterator[None]:
    """Context that reports which games are safe, and how to continue, if anything stops the run."""
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
    if out is not None and out.resolve() != Path(what).resolve():
        raise ValueError(f"--out {out}: {what} is a run, which continues in its own folder; leave --out out")
    run = Run.open(what)
    try:
        run.manifest.check_sources("this installation")
    except StoreError as error:
        raise StoreError(f"{run.folder}/{error}") from None
    return run if games is None else Run.begin(run.folder, replace(run.experiment, games_wanted=games))
