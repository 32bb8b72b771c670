"""Commands that take a run folder in place of a game: it brings its cards, players, dice and games.

Games of the very experiment that a run is of are read; whatever else a question needs is played, with the run's cards,
players and seed.
"""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from typer import Context, Exit
from typer.core import TyperArgument, TyperCommand, TyperOption

from analysis import interrupts, terminal
from analysis.again import LEFT_OUT
from analysis.naming import ALL, cards_of, check_game, line_up_of, names_run, run_word
from analysis.options import forbidden_of
from analysis.wording import count

if TYPE_CHECKING:
    import numpy as np

    from sim.experiment import Experiment
    from sim.run import Block
    from sim.store import Run

OF_THE_CARDS = frozenset({"cards", "decks", "only_decks", "random_decks"})  # parameters that a run leaves no room for
READING = frozenset(
    {"winrates", "matchups", "cardstats"}
)  # commands whose --games are those of the run, all if left out
KEEPING = frozenset(
    {"watch", "pace", "seats", "cards", "dice", "duel"}
)  # commands that play a run's own experiment, or nothing
PLAYING_NONE = frozenset({"cards", "dice", "duel"})  # commands whose games are not kept: there are none
FINDING = frozenset({"compare"})  # commands that may be typed without a game
KEPT = "kept"  # folder within the user's cache
ASKING = READING | {"seats"}  # commands that a user asks of the games of a run


class Reading:
    """A run on the shelf (see `sim.run.Shelf`) that counts how many of its games were of use.

    Games that other code played are read once, for what was asked of them, and never held against games played now.
    """

    def __init__(self, run: Run, asked: bool) -> None:
        self._run, self.games = run, 0
        self._open = asked or not run.has_other_sources

    def __str__(self) -> str:
        """The folder, for messages."""
        return str(self._run.folder)

    def read(self, experiment: Experiment) -> Iterator[Block] | None:
        """See `Run.read`."""
        if not self._open:
            return None
        found = self._run.read(experiment) or self._chosen(experiment)
        return None if found is None else self._counted(found)

    def sums(self, experiment: Experiment) -> Iterator[tuple[int, dict[str, np.ndarray]]] | None:
        """See `Run.sums`."""
        found = self._run.sums(experiment) if self._open else None
        self.games += self._run.held if found is not None else 0
        return found

    def _chosen(self, experiment: Experiment) -> Iterator[Block] | None:
        """Blocks of some games of the run, those of an entrant for instance; None for anything else."""
        from analysis.whatif import Chosen
        from sim.experiment import Experiment

        if not isinstance(experiment, Chosen) or experiment.members or not experiment.games:
            return None
        whole = Experiment(**{one.name: getattr(experiment, one.name) for one in fields(Experiment)})
        found = self._run.read(replace(whole, games_wanted=int(experiment.index[-1]) + 1))
        return None if found is None else _picked(found, experiment.index)

    def _counted(self, blocks: Iterator[Block]) -> Iterator[Block]:
        self._open = not self._run.has_other_sources
        for block in blocks:
            self.games += len(block.rows)
            yield block


def _picked(blocks: Iterator[Block], index: np.ndarray) -> Iterator[Block]:
    """Games of these indexes alone. index: ascending."""
    import numpy as np

    from sim.run import Block

    done = 0
    for block in blocks:
        taken = np.isin(block.rows["game"], index)
        yield Block(done, block.rows[taken], block.outcomes[taken])
        done += int(taken.sum())


class OnRuns(TyperCommand):
    """A command whose GAME may be a run folder."""

    def invoke(self, ctx: Any) -> Any:
        """Fill in what the run brings, and run the command with its games on the shelf."""
        run = None
        with terminal.clear_messages():
            if (name := ctx.params.get("game")) and name != ALL and ctx.info_name not in FINDING:
                check_game(str(name))
            if name:
                run = open_run(str(name))
            if run:
                _fill_in(ctx, run)
        with kept(ctx):
            if run is None:
                return super().invoke(ctx)
            from sim.run import reading_from

            reading = Reading(run, ctx.info_name in ASKING)
            with reading_from(reading):
                result = super().invoke(ctx)
        if not reading.games and ctx.info_name in ASKING:
            terminal.note(f"{run.folder}: none of its games fit this question; played anew with its cards and players")
        return result


@contextmanager
def kept(ctx: Any) -> Iterator[None]:
    """Keep the games of a command as it runs: interrupted, it continues with them when it is typed again."""
    if ctx.info_name in PLAYING_NONE:
        yield
        return
    from sim.engine.jit import cache_folder
    from sim.run import keeping_in
    from sim.store.kept import FIRST_SECONDS, Keeper

    keeper = Keeper(cache_folder().parent / KEPT / _digest(ctx), code_digest, terminal.note)
    keeper.open()

    def words() -> str:
        keeper.close()
        if not keeper.games or keeper.trouble:
            return f"games are not kept ({keeper.trouble})" if keeper.trouble else ""
        return f"{count(keeper.games)} games are kept; `{shlex.join(['fairfight', *sys.argv[1:]])}` continues with them"

    interrupts.state.keep = words
    try:
        with keeping_in(keeper):
            yield
        interrupts.settle()
    except BaseException as error:
        interrupts.settle()
        if isinstance(error, Exit) and not error.exit_code:
            keeper.forget()
        else:  # what went wrong, such as a disk that is full, may be mended
            keeper.close(FIRST_SECONDS)
        raise
    keeper.forget()


def _digest(ctx: Any) -> str:
    """Digest of a command with all its options but those that say where results go; words that name files by where these are."""
    told = [
        (name, [str(Path(one).resolve()) if Path(str(one)).exists() else str(one) for one in values])
        for name, value in sorted(ctx.params.items())
        if name not in LEFT_OUT and (values := value if isinstance(value, list) else [value])
    ]
    return hashlib.sha256(json.dumps([ctx.info_name, told]).encode()).hexdigest()[:20]


@cache
def code_digest() -> str:
    """SHA-256 of the code above the games."""
    from sim.engine.jit import SOURCES, add_sources

    digest = hashlib.sha256()
    add_sources(digest, Path(__file__).parent)
    for path in sorted(SOURCES.glob("*.py")):
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


def stored(name: str, most: int | None = None) -> Experiment | None:
    """The experiment of a run folder, with as many games as it holds, where it keeps rows; None for anything else.

    most: games, in whole rounds; as many as an experiment may have if left out. Raises StoreError.
    """
    from sim.experiment import GAMES_MAX

    run = open_run(name)
    if not (run and run.has_rows and run.held):
        return None
    whole = max(1, (most or GAMES_MAX) // run.experiment.round_games) * run.experiment.round_games
    return replace(_of(run), games_wanted=min(run.held, whole))


def planned(name: str, games: int) -> Experiment | None:
    """The experiment of a run folder with so many games, whether they are there or not; None for anything else.

    Raises ValueError.
    """
    run = open_run(name)
    return replace(_of(run), games_wanted=games) if run else None


def open_run(name: str) -> Run | None:
    """Open a run folder; None where the word means none. Raises StoreError."""
    if not names_run(name):
        return None
    from sim.store import Run

    return Run.open(name)


def _of(run: Run) -> Experiment:
    """The experiment of a run, with cards that tell where they are from."""
    return replace(run.experiment, cards=cards_of(run))


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
        "forbid": list(run.experiment.forbidden),
    }
    for parameter in ctx.command.params:
        name = str(parameter.name)
        typed = is_typed(ctx, name)
        if typed and name in OF_THE_CARDS:
            raise ValueError(f"{parameter.opts[0]}: {run.folder} brings its cards; leave it out")
        if name in brought:
            if typed and not _is_same(name, ctx.params[name], brought[name], run):
                value = _typed_words(name, ctx.params[name])
                raise ValueError(f"{_option(parameter)}{value}: {run.folder} {_has(name, brought[name])}; leave it out")
            ctx.params[name] = brought[name]
    _choose_games(ctx, run)
    _tell(ctx, run)


def _typed_words(name: str, value: Any) -> str:
    """The value of an option as it was typed; nothing of a flag."""
    if name == "paired":
        return ""
    return f" {', '.join(value)}" if name == "forbid" else f" {value}"


def _is_same(name: str, typed: Any, brought: Any, run: Run) -> bool:
    """Whether an option says in its words what the run brings. Raises ValueError for words that say nothing."""
    from sim.engine.policies import PolicySpec

    if name == "policy":
        return [PolicySpec.parse(word) for word in typed.split(",")] == list(run.experiment.policies)
    if name == "forbid":
        return forbidden_of(typed) == run.experiment.forbidden
    if name == "line_up":
        made = run.experiment
        return line_up_of(typed, made.game, made.cards, made.seats) == made.line_up
    return str(typed) == str(brought)  # some commands take several numbers of seats, as text


def _has(name: str, brought: Any) -> str:
    """What a run brings, in words."""
    if name == "paired":
        return "was not played in pairs"
    if name == "forbid":
        return f"has {', '.join(brought)} forbidden" if brought else "has nothing forbidden"
    return "has a balanced design of line-ups" if brought is None else f"has {brought}"


def _choose_games(ctx: Any, run: Run) -> None:
    """Let a command that reads games read all, unless the user says how many. Raises ValueError where there are none."""
    if ctx.info_name not in READING or is_typed(ctx, "games"):
        return
    if not (run.has_rows or ctx.info_name == "winrates"):
        return
    if not run.held:
        raise ValueError(f"{run.folder}: holds no games yet; `{_going_on(run)}` plays them")
    ctx.params["games"] = run.held


def _tell(ctx: Any, run: Run) -> None:
    """Say what one must know of a run before one believes what is read from it."""
    held, stored_ = run.held, run.stored
    if held < run.experiment.games:
        gap = "" if stored_ == held else f", of which the first {count(held)} are without a gap and can be read"
        terminal.note(
            f"{run.folder}: holds {count(stored_)} of {count(run.experiment.games)} games{gap}; "
            f"`{_going_on(run)}` plays the others"
        )
    if run.manifest.line_up and "seats" in ctx.params and "line_up" not in ctx.params and ctx.info_name not in ASKING:
        terminal.note(f"{run.folder}: is of one line-up, which this question is not about; all entrants play")
    if run.experiment.forbidden and "forbid" not in ctx.params and ctx.info_name not in KEEPING:
        terminal.note(f"{run.folder}: {', '.join(run.experiment.forbidden)} is forbidden in its games, but not here")
    if run.has_other_sources:
        terminal.note(
            f"{run.folder}: begun by other code (fairfight {run.manifest.versions.get('fairfight', '?')}); its games are read as "
            "they are, others are played by the rules as they are now"
        )


def _going_on(run: Run) -> str:
    """The command that plays what a run has not yet."""
    return f"fairfight run {quote(run_word(run.folder))}"


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
