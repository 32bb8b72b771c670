"""The commands that play games: `run`, `winrates`, `replay`, `compare`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from analysis import interrupts
from analysis.answer.numbers import count
from analysis.cli.options import (
    Asked,
    Forbid,
    LineUp,
    OnRuns,
    RowsFile,
    again,
    check_jobs,
    common,
    is_typed,
    planned,
    prepare,
    stored,
)
from analysis.data.names import names_run, policy_of, run_word
from analysis.output import terminal
from analysis.output.files import draw
from analysis.output.terminal import Ticker
from sim.registry import GAMES

if TYPE_CHECKING:
    from sim.engine.policies import PolicySpec
    from sim.experiments.experiment import Experiment
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


@common()
def winrates_command(
    context: typer.Context,
    asked: Asked,
    games: int | None = None,
    precision: float | None = None,
    paired: bool = False,
    coupling: str = "seat",
    line_up: LineUp = None,
    forbid: Forbid = None,
    rows: RowsFile = None,
) -> None:
    """Win rate of every entrant, with interval, by seat, and who beats whom.

    --games: Games played in all, by default {RUN_GAMES:,}, rounded up so that all entrants sit equally often on every seat;
        with --precision, the largest number of games.
    --precision POINTS: Play until every win rate is known to within this many percentage points, such as 0.5.
    --paired: Play every line-up from all seats with the same dice, and analyse as pairs.
    --coupling seat|entrant: Couple the dice by seat, or by entrant on any seat.

    Example: fairfight winrates arena --games 20000 --seats 3 --policy greedy

    Example: fairfight winrates arena --precision 0.5

    Example: fairfight winrates arena --paired
    """
    from analysis.winrates.play import Until, checked_precision, coupled, most_games, open_rows, play_for_tally
    from analysis.winrates.tables import winrates_result

    half_width = None if precision is None else checked_precision(precision)
    experiment = coupled(asked.experiment(RUN_GAMES if games is None else games, line_up, forbid), paired, coupling)
    if half_width is not None and games is None:
        experiment = replace(experiment, games_wanted=most_games(experiment, half_width))
    until = None if half_width is None else Until(experiment, half_width)
    with asked.playing(rows=rows) as ticker, open_rows(rows, experiment) as keep:
        played = play_for_tally(experiment, asked.jobs, ticker, keep, until)
    if played.games:
        result = winrates_result(played, partial(again, context))
        shown = f"shown: the first {count(played.games)} of {count(experiment.games)} games"
        asked.show(result, f"Win rates of {asked.game.title}", played.interrupted and shown)
    elif played.interrupted:
        interrupts.leave()


ANALYSE, ANALYST = "--analyse", "search:200"
GAMES_WANTED = 200  # games from which the interesting ones are picked, unless a run brings its own
GAMES_MOST = 100_000  # first games of a run that are read; their rows are held in memory


class Watch(OnRuns):
    """A command whose `--analyse` can stand without a policy; the default is ANALYST."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert the default policy after a `--analyse` without one."""
        filled: list[str] = []
        for index, word in enumerate(args):
            filled.append(word)
            following = args[index + 1] if index + 1 < len(args) else "--"
            if word == ANALYSE and (following.startswith("-") or following in GAMES or names_run(following)):
                filled.append(ANALYST)
        return list(super().parse_args(ctx, filled))


@common("csv", kind=Watch, prints=False)
def replay_command(
    asked: Asked,
    index: int = 0,
    analyse: str | None = None,
    interesting: bool = False,
    show: str | None = None,
    games: int | None = None,
    replays: int = 1000,
    line_up: LineUp = None,
    pictures: bool = True,
) -> None:
    """Replay any simulated game move by move: the same policies, dice and result as in the batch of that seed.

    index --game: Index of the game, 0 for the first.
    --analyse [POLICY]: Show the worth of every alternative, by default with {ANALYST}; mark blunders and lucky rolls.
    --interesting: Pick the most typical, most surprising and closest of many games.
    --show typical|surprising|closest: Replay this one of the interesting games.
    --games: Games played in all, to pick from; by default {GAMES_WANTED}, or those of a run.
    --replays: Of these, the largest number of games whose positions are examined.
    --pictures/--no-pictures: Draw the position at every turn.

    Example: fairfight replay arena --seed 1 --game 17 --seats 2 --policy greedy

    Example: fairfight replay arena --game 17 --analyse --chart course.png

    Example: fairfight replay arena --interesting --show surprising --analyse
    """
    from analysis.replay.select import checked, checked_kind, pick, picks_section
    from sim.experiments.experiment import GAMES_MAX

    if not 0 <= index < GAMES_MAX:
        raise ValueError(f"game={index} must be from 0 to {GAMES_MAX - 1:,}")
    for option, value in {"--show": show, "--games": games}.items():
        if value is not None and not interesting:
            raise ValueError(f"{option} {value}: needs --interesting")
    kind = checked_kind(show) if show else None
    analyst = None if analyse is None else checked(policy_of(analyse))
    if asked.chart is not None and interesting and not kind:
        raise ValueError(f"--chart {asked.chart}: shows one game; choose it with --show")
    if asked.chart is not None and analyst is None:
        raise ValueError(f"--chart {asked.chart}: needs {ANALYSE}, because it shows the cost of each decision")
    wanted = index + 1 if not interesting else GAMES_WANTED if games is None else games
    held = stored(asked.name, GAMES_MOST) if interesting and games is None else None
    experiment = held or planned(asked.name, wanted) or asked.experiment(wanted, line_up)
    parts = ("loop", *(("evaluation",) if interesting or analyst else ()), *(("analysis",) if analyst else ()))
    with asked.playing(*parts) as ticker:
        picked = pick(experiment, replays, asked.jobs, ticker) if interesting else None
    if picked:
        if kind is None:
            terminal.show(picks_section(picked), asked.as_json, None)
            return
        index = picked.index_of(kind)
    _print_game(experiment, index, asked, analyst, pictures)


def _print_game(experiment: Experiment, index: int, asked: Asked, analyst: PolicySpec | None, pictures: bool) -> None:
    """Print the replay of a game, and draw its course if it is analysed."""
    from analysis.replay.narrate import Drawn, analysed_lines, figure, replay_lines, replay_record
    from analysis.replay.select import GameAnalysis

    analysis = None if analyst is None else GameAnalysis.of(experiment, index, analyst)
    if analysis is not None:
        draw(asked.chart, partial(figure, analysis), "Winning chances through one game")
    if asked.as_json:
        terminal.print_json(replay_record(experiment, index, analysis))
        return
    for line in analysed_lines(analysis, pictures) if analysis else replay_lines(experiment, index, pictures):
        print_line = terminal.say if isinstance(line, Drawn) else terminal.tell
        print_line(line)
