"""Commands that take a run folder in place of a game: it brings its cards, players, dice and games.

Games of the very experiment that a run is of are read; whatever else a question needs is played, with the run's cards,
players and seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from typer import Context
from typer.core import TyperArgument, TyperCommand, TyperOption

from analysis import terminal
from sim.experiment import Experiment
from sim.run import Block, reading_from
from sim.store import Run, is_run

OF_THE_CARDS = frozenset({"cards", "decks", "only_decks", "random_decks"})  # parameters that a run leaves no room for
READING = frozenset(
    {"winrates", "matchups", "cardstats"}
)  # commands whose --games are those of the run, all if left out
ASKING = READING | {"seats"}  # commands that a user asks of the games of a run


class Reading:
    """A run on the shelf (see `sim.run.Shelf`) that counts how many of its games were of use."""

    def __init__(self, run: Run) -> None:
        self._run, self.games = run, 0

    def read(self, experiment: Experiment) -> Iterator[Block] | None:
        """See `Run.read`."""
        found = self._run.read(experiment)
        return None if found is None else self._counted(found)

    def sums(self, experiment: Experiment) -> Iterator[tuple[int, dict[str, np.ndarray]]] | None:
        """See `Run.sums`."""
        found = self._run.sums(experiment)
        self.games += self._run.held if found is not None else 0
        return found

    def _counted(self, blocks: Iterator[Block]) -> Iterator[Block]:
        for block in blocks:
            self.games += len(block.rows)
            yield block


class OnRuns(TyperCommand):
    """A command whose GAME may be a run folder."""

    def invoke(self, ctx: Any) -> Any:
        """Fill in what the run brings, and run the command with its games on the shelf."""
        run = None
        with terminal.clear_messages():
            if name := ctx.params.get("game"):
                run = open_run(str(name))
            if run:
                _fill_in(ctx, run)
        if run is None:
            return super().invoke(ctx)
        reading = Reading(run)
        with reading_from(reading):
            result = super().invoke(ctx)
        if not reading.games and ctx.info_name in ASKING:
            terminal.note(f"{run.folder}: none of its games fit this question; played anew with its cards and players")
        return result


def stored(name: str) -> Experiment | None:
    """The experiment of a run folder, with as many games as it holds, where it keeps rows; None for anything else.

    Raises StoreError.
    """
    run = open_run(name)
    return replace(run.experiment, games_wanted=run.held) if run and run.has_rows and run.held else None


def open_run(name: str) -> Run | None:
    """Open a run folder; None where the word means none. Raises StoreError."""
    return Run.open(name) if is_run(name) else None


def _fill_in(ctx: Any, run: Run) -> None:
    """Put what the run brings in place of options that were left out. Raises ValueError for one that says otherwise."""
    told = run.manifest
    line_up = None if told.line_up is None else ",".join(told.line_up)
    brought = {
        "seats": told.seats,
        "policy": told.policy,
        "seed": told.seed,
        "coupling": told.coupling,
        "paired": told.paired,
        "line_up": line_up,
    }
    for parameter in ctx.command.params:
        name = str(parameter.name)
        typed = is_typed(ctx, name)
        if typed and name in OF_THE_CARDS:
            raise ValueError(f"{parameter.opts[0]}: {run.folder} brings its cards; leave it out")
        if name in brought:
            if typed and ctx.params[name] != brought[name]:
                raise ValueError(
                    f"{_option(parameter)} {ctx.params[name]}: {run.folder} has {brought[name]}; leave it out"
                )
            ctx.params[name] = brought[name]
    _choose_games(ctx, run)
    _tell(run)


def _choose_games(ctx: Any, run: Run) -> None:
    """Let a command that reads games read all, unless the user says how many. Raises ValueError where there are none."""
    if ctx.info_name not in READING or is_typed(ctx, "games"):
        return
    if not (run.has_rows or ctx.info_name == "winrates"):
        return
    if not run.held:
        raise ValueError(f"{run.folder}: holds no games yet; `fairfight run {run.folder}` plays them")
    ctx.params["games"] = run.held


def _tell(run: Run) -> None:
    """Say what one must know of a run before one believes what is read from it."""
    if run.held < run.experiment.games:
        terminal.note(
            f"{run.folder}: holds {run.held:,} of {run.experiment.games:,} games; `fairfight run {run.folder}` plays the others"
        )
    if run.has_other_sources:
        terminal.note(
            f"{run.folder}: begun by other code (fairfight {run.manifest.versions.get('fairfight', '?')}); its games are read as "
            "they are, others are played by the rules as they are now"
        )


def is_typed(ctx: Context, name: str) -> bool:
    """Whether the user wrote an option."""
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _option(parameter: Any) -> str:
    """How the user calls a parameter."""
    if isinstance(parameter, TyperArgument):
        return str(parameter.name)
    assert isinstance(parameter, TyperOption), "there are arguments and options"
    return str(parameter.opts[0])
