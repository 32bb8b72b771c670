"""The subcommand `fairfight run`: plays into a folder that loses nothing, and goes on where it was left."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from analysis import interrupts
from analysis.naming import line_up_of, names_run, run_word
from analysis.on_runs import is_typed
from analysis.options import (
    AsJson,
    Cards,
    DecksFile,
    Forbid,
    Jobs,
    LineUp,
    OnlyDecks,
    PolicyNames,
    RandomDecks,
    Seats,
    Seed,
    check_jobs,
    forbidden_of,
    open_decks,
    policies_of,
    prepare,
)
from analysis.terminal import Ticker, clear_messages
from analysis.wording import count

if TYPE_CHECKING:
    from sim.store import Filled, Run

GAMES = 10_000
AS_ASKED = frozenset(
    {"what", "out", "games", "jobs", "cluster", "as_json"}
)  # goes with a run or an experiment file too


def run_command(
    context: typer.Context,
    what: Annotated[
        str, typer.Argument(metavar="GAME|FILE.toml|RUN", help="A game, an experiment file, or a run to go on with.")
    ],
    out: Annotated[Path | None, typer.Option("--out", metavar="RUN", help="The run folder.")] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", help=f"Games of the run, {GAMES:,} if left out; a run that is there grows to so many."),
    ] = None,
    keep: Annotated[
        str, typer.Option("--keep", metavar="rows|summary", help="Every game, or sums over blocks (for 10^9 and more).")
    ] = "rows",
    block_games: Annotated[
        int | None,
        typer.Option("--block-games", help="Games of a block; by default what takes about a second on one core."),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster", metavar="ADDRESS", help="A Dask scheduler, such as tcp://host:8786, whose workers play."
        ),
    ] = None,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    line_up: LineUp = None,
    forbid: Forbid = None,
    paired: Annotated[
        bool, typer.Option("--paired", help="Play every line-up from all seats with the same dice.")
    ] = False,
    coupling: Annotated[
        str, typer.Option("--coupling", metavar="seat|entrant", help="Whose the same dice are.")
    ] = "seat",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Play into a folder, or go on where it was left: nothing counted is lost, whatever stops it.

    Every other command takes the folder in place of a game.

    Example: fairfight run arena --games 1000000 --policy random --out my-run

    Example: fairfight run my-run
    """
    from analysis.deck_choice import DeckChoice
    from analysis.experiment_file import Wanted, is_experiment_file, read_experiment
    from analysis.run_summary import Told
    from sim.experiment import Experiment
    from sim.store import Run

    with clear_messages():
        workers = check_jobs(jobs)
        if names_run(what) or is_experiment_file(what):
            _refuse_typed(context, what)
        if names_run(what):
            run = _grown(what, out, games)
        else:
            if is_experiment_file(what):
                wanted = read_experiment(Path(what)).with_games(games)
            else:
                choice = DeckChoice(decks, only_decks, random_decks, seed)
                found, card_set = open_decks(what, cards, choice)
                seated = line_up_of(line_up, found, card_set, seats)
                players = (found.name, card_set, seats, policies_of(policy), GAMES if games is None else games, seed)
                wanted = Wanted.of(
                    Experiment(*players, line_up=seated, forbidden=forbidden_of(forbid)), paired, coupling
                )
                wanted = wanted.kept(keep if is_typed(context, "keep") else None, block_games)
            run = Run.begin(_folder(out, what), wanted.experiment, wanted.keep, wanted.block_games)
        began = time.monotonic()
        with _safe(run):
            filled = _fill(run, workers, cluster)
        Told(run, filled, time.monotonic() - began).show(as_json)


def _fill(run: Run, workers: int | None, cluster: str | None) -> Filled:
    """Play what is missing, here or on a cluster."""
    from analysis.summary import summarise

    sums = None if run.has_rows else summarise
    with Ticker() as ticker:
        if cluster is None:
            prepare(run.experiment.game)
            with interrupts.shown_so_far():
                return run.fill(workers, sums, ticker)
        from sim.store.cluster import cluster as joined

        with joined(cluster) as threads, interrupts.shown_so_far():
            return run.fill(workers or threads, sums, ticker)


@contextmanager
def _safe(run: Run) -> Iterator[None]:
    """Tell what is safe, and how to go on, should anything stop the run."""
    from sim.store import StoreError

    again = f"go on with: fairfight run {quote(run_word(run.folder))}"
    interrupts.state.keep = lambda: f"{_count(run)} are safe in {run.folder}; {again}"
    try:
        yield
    except KeyboardInterrupt:
        interrupts.leave()
    except StoreError as error:
        raise StoreError(f"{error}. {_count(run)} are safe; {again}") from None


def _count(run: Run) -> str:
    return f"{count(run.stored)} of {count(run.experiment.games)} games"


def _folder(out: Path | None, what: str) -> Path:
    """The run folder. Raises ValueError where none is named."""
    if out is None:
        raise ValueError(f"--out: name a folder for the run, as in fairfight run {quote(what)} --out my-run")
    return out


def _grown(what: str, out: Path | None, games: int | None) -> Run:
    """The run of a folder, with more games if these are asked for. Raises ValueError for another folder."""
    from analysis.experiment_file import Wanted
    from sim.store import Run, StoreError

    if out is not None and out.resolve() != Path(what).resolve():
        raise ValueError(f"--out {out}: {what} is a run, which goes on in its own folder; leave --out out")
    run = Run.open(what)
    try:
        run.manifest.check_sources("this installation")
    except StoreError as error:
        raise StoreError(f"{run.folder}/{error}") from None
    return run if games is None else Run.begin(run.folder, Wanted(run.experiment).with_games(games).experiment)


def _refuse_typed(context: typer.Context, what: str) -> None:
    """Raise ValueError for an option that the run or the experiment file has settled."""
    for parameter in context.command.params:
        if parameter.name not in AS_ASKED and is_typed(context, str(parameter.name)):
            raise ValueError(f"{parameter.opts[0]}: {what} says what is played; leave it out")
