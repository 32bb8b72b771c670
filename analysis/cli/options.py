"""Options shared by commands, and run folders in place of games.

A run folder brings its cards, players, dice and games. If a command asks for games of the run's own experiment, they are read;
other games are played with the run's cards, players and seed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from inspect import Parameter, Signature, getdoc, signature
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer
from typer import Context, Exit
from typer.core import TyperArgument, TyperCommand, TyperOption

from analysis import interrupts
from analysis.answer.numbers import count
from analysis.data.arguments import SHARED
from analysis.data.names import ALL, check_game, forbidden_of, line_up_of, names_run, open_game, policies_of, run_word
from analysis.output import terminal
from analysis.output.files import CHARTS, TABLES, check_files, draw, listed
from analysis.output.terminal import clear_messages
from sim.registry import GAMES

if TYPE_CHECKING:  # help and usage errors need none of it
    import numpy as np

    from analysis.answer.model import Section
    from analysis.data.decks import DeckChoice
    from sim.engine.cards import CardSet
    from sim.engine.contract import Game
    from sim.engine.policies import PolicySpec
    from sim.experiments.experiment import Experiment
    from sim.run import Block
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
PolicyNames = Annotated[str, typer.Option("--policy", metavar="P[,P...]", help=SHARED["policy"].text, show_default=False)]
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
RowsFile = Annotated[Path | None, typer.Option("--rows", metavar="FILE", help=f"Write every game to a {listed(TABLES)} file.")]
ChartFile = Annotated[
    Path | None, typer.Option("--chart", metavar="FILE", help=f"Draw the main chart to a {listed(CHARTS)} file.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables; seats are counted from 0.")]

COMMON: Mapping[str, tuple[Any, Any]] = {  # name -> annotation, default: the options of most commands, in the order of their help
    "cards": (Cards, None),
    "decks": (DecksFile, None),
    "only_decks": (OnlyDecks, False),
    "random_decks": (RandomDecks, None),
    "seats": (Seats, 2),
    "policy": (PolicyNames, "greedy"),
    "seed": (Seed, 1),
    "jobs": (Jobs, None),
    "as_json": (AsJson, False),
    "csv": (CsvFile, None),
    "chart": (ChartFile, None),
    "force": (Force, False),
}
NO_DECKS = ("decks", "only_decks", "random_decks")
PRINTING: Mapping[str, tuple[Any, Any]] = {"wide": (Wide, False), "no_color": (NoColor, False)}
OPTION = re.compile(r"(?:(?P<name>\w+) )?(?P<words>--[\w/-]+(?:, --[\w-]+)*)(?: (?P<metavar>\S+))?: (?P<help>.+)")
Command = Callable[..., None]


@dataclass(frozen=True)
class Asked:
    """What a command was asked by its GAME and the common options. name: GAME as typed, a game or a run folder."""

    name: str
    cards_folder: Path | None
    decks: DeckChoice
    seats: int = 2
    policy: str = "greedy"
    seed: int = 1
    jobs: int | None = None
    as_json: bool = False
    csv: Path | None = None
    chart: Path | None = None
    force: bool = False

    @cached_property
    def opened(self) -> tuple[Game, CardSet]:
        """The game, and its cards with the chosen decks. Raises ValueError."""
        return open_decks(self.name, self.cards_folder, self.decks)

    @property
    def game(self) -> Game:
        """The game. Raises ValueError."""
        return self.opened[0]

    @property
    def cards(self) -> CardSet:
        """The cards with the chosen decks. Raises ValueError."""
        return self.opened[1]

    @property
    def policies(self) -> tuple[PolicySpec, ...]:
        """One policy for all seats, or one for each. Raises ValueError."""
        return policies_of(self.policy)

    def experiment(self, games: int, line_up: str | None = None, forbid: list[str] | None = None) -> Experiment:
        """The experiment with this number of games; line_up, forbid: as typed. Raises ValueError."""
        from sim.experiments.experiment import Experiment

        seated = line_up_of(line_up, self.game, self.cards, self.seats)
        what = (self.game.name, self.cards, self.seats, self.policies, games, self.seed)
        return Experiment(*what, line_up=seated, forbidden=forbidden_of(forbid))

    def playing(self, *parts: str, unit: str = "games", **files: Path | None) -> terminal.Ticker:
        """Check workers and files, compile, and return the progress of the command, a context.

        parts: what to compile, see `prepare`, by default the loop as far as the policy needs it; unit: noun for what is counted;
        files: to be written, by option, besides the usual.
        """
        from sim.run import loop_of

        check_jobs(self.jobs)
        check_files(self.force, csv=self.csv, **files, chart=self.chart)
        for part in parts or (loop_of(self.policies),):
            prepare(self.game, part)
        return terminal.Ticker(unit)

    def show(self, section: Section, title: str, shown: str | bool = "") -> None:
        """Draw the chart of a section and print it. title: of the chart; shown: what an interrupted one covers."""
        draw(self.chart, section.draw, title)
        terminal.show(section, self.as_json, self.csv)
        if shown:
            interrupts.leave(str(shown))


def common(
    *without: str, kind: type[TyperCommand] | None = None, prints: bool = True, **other: Any
) -> Callable[[Command], Command]:
    """Decorate a command: GAME and the common options come before its function as an `Asked`, its first argument.

    without: common options that the command lacks; other: annotations that differ from those of COMMON, by name; kind: class
    of the command; prints: whether it prints tables, with options for that.
    """

    def decorate(command: Command) -> Command:
        chosen = {name: (other.get(name, kind_), default) for name, (kind_, default) in COMMON.items() if name not in without}

        def run(game: str, **named: Any) -> None:
            from analysis.data.decks import DeckChoice

            values = {name: named.pop(name) for name in chosen}
            folder, file, only, random = (values.pop(name, COMMON[name][1]) for name in ("cards", *NO_DECKS))
            decks = DeckChoice(file, only, random, values["seed"])
            command(asked=Asked(game, folder, decks, **values), **named)

        game = Parameter("game", Parameter.KEYWORD_ONLY, annotation=other.get("game", GameName))
        return _made(run, command, [game], chosen, kind or OnRuns, prints)

    return decorate


def _made(
    run: Command,
    like: Command,
    first: list[Parameter],
    options: Mapping[str, tuple[Any, Any]],
    kind: type[TyperCommand],
    prints: bool,
) -> Command:
    """A command with the options of a function and further ones. Errors become one message, see `clear_messages`."""
    text, own = described(like)
    added = {**options, **(PRINTING if prints else {})}
    further = [Parameter(name, Parameter.KEYWORD_ONLY, default=value, annotation=hint) for name, (hint, value) in added.items()]
    parameters = [*first, *(parameter for parameter in own if parameter.name != "asked"), *further]

    def made(wide: bool = False, no_color: bool = False, **named: Any) -> None:
        with terminal.printing(wide=wide, no_color=no_color), clear_messages():
            run(**named)

    made.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    made.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    made.__doc__, made.kind = text, kind  # type: ignore[attr-defined]
    return made


def described(command: Command) -> tuple[str, list[Parameter]]:
    """The help of a command without its options, and its parameters with the options that its docstring describes.

    A paragraph of the docstring describes options, one in a line, as in `--margin POINTS: Largest difference.`; further lines are
    indented, `{NAME}` is a constant of the module, and the name of the parameter comes first if it is not that of the option.
    A parameter with the name of a common option is that option.
    """
    found, rest = {}, []
    for paragraph in (getdoc(command) or "").split("\n\n"):
        lines = re.sub(r"\n +", " ", paragraph).splitlines()
        if not OPTION.match(lines[0]):
            rest.append(paragraph)
            continue
        for line in lines:
            match = OPTION.fullmatch(line)
            assert match, f"{command.__name__}: {line!r} must be as in --margin POINTS: Largest difference."
            words = match["words"].split(", ")
            name = match["name"] or words[0].partition("/")[0].removeprefix("--").replace("-", "_")
            help_ = match["help"].format_map(vars(sys.modules[command.__module__]))
            found[name] = typer.Option(*words, metavar=match["metavar"], help=help_)
    hints, own = get_type_hints(command, include_extras=True), []
    for name, parameter in signature(command).parameters.items():
        hint, default = hints[name], parameter.default
        if name in found:
            hint = Annotated[hint, found.pop(name)]
        elif name in COMMON and not hasattr(hint, "__metadata__"):
            hint, default = COMMON[name]
        own.append(parameter.replace(annotation=hint, default=default, kind=Parameter.KEYWORD_ONLY))
    assert not found, f"{command.__name__}: no parameters {sorted(found)}"
    return "\n\n".join(rest), own


def open_decks(name: str, cards: Path | None, choice: DeckChoice) -> tuple[Game, CardSet]:
    """Find a game and load its cards with the chosen decks. Raises ValueError."""
    game, card_set = open_game(name, cards)
    return game, choice.played(game, card_set)


USED_BY = {  # parts of a game as a user knows them; each is compiled when it is first needed
    "random": "play with random players",
    "greedy": "play with greedy players",
    "loop": "play with all players",
    "step": "single decisions, for replays and scenarios",
    "evaluation": "evaluations of positions",
    "analysis": "evaluations of options",
    "rolls": "rolls of dice",
    "duels": "duels",
}


def prepare(game: Game, part: str = "loop") -> None:
    """Compile a part of the game, see `sim.warmup`, unless cached. Shows progress, lest compiling look like slow play."""
    from sim.engine.codecache import cache_home, ignored_cache
    from sim.engine.jit import compiling
    from sim.warmup import compile_part, is_compiled, kernels_of

    if where := ignored_cache():
        home = cache_home()
        instead = f"goes to {home}" if home else "is not kept"
        terminal.note(f"FAIRFIGHT_CACHE={where} cannot be used; compiled code {instead}")
    if not is_compiled(game.name, part):
        terminal.note(f"compiling {game.title} for this machine ({USED_BY[part]}), once")
        stage, needed = f"compiling {game.title}", kernels_of(game)
        with terminal.Ticker("kernels") as ticker, compiling(lambda done, _: ticker(stage, min(done, needed), needed)):
            compile_part(game.name, part)


def check_jobs(jobs: int | None) -> int | None:
    """Return the number of workers. Raises ValueError below 1."""
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs={jobs} must be at least 1")
    return jobs


# Options on output and workers do not change the games.
LEFT_OUT = frozenset({"as_json", "csv", "rows", "chart", "force", "jobs", "wide", "no_color", "apart"})


def again(context: Context, **changed: Any) -> str:
    """Write the command of `context` as typed, with the values of `changed` (by parameter name).

    Options changed to None and options on output are left out.
    """
    words = ["fairfight", str(context.info_name)]
    for parameter in context.command.params:
        name = str(parameter.name)
        value = changed.get(name, context.params.get(name))
        if name in LEFT_OUT or value is None or not (is_typed(context, name) or name in changed):
            continue
        if isinstance(parameter, TyperArgument):
            words.append(quote(str(value)))
        elif isinstance(parameter, TyperOption):
            words += [word for item in (value if parameter.multiple else [value]) for word in _typed(parameter, item)]
    return " ".join(words)


def _typed(option: TyperOption, value: Any) -> list[str]:
    """An option with its value."""
    if option.is_flag:
        names: Mapping[bool, list[str]] = {True: option.opts, False: option.secondary_opts}
        return names[bool(value)][:1]
    text = f"{value:.12g}" if isinstance(value, float) else str(value)
    return [option.opts[0], quote(text)]


OF_THE_CARDS = frozenset({"cards", "decks", "only_decks", "random_decks"})  # parameters that a run determines
READING = frozenset({"matchups", "cardstats"})  # commands whose --games are those of the run, by default all
KEEPING = frozenset({"replay", "pace", "seats", "cards", "duel"})  # commands that play a run's experiment, or nothing
PLAYING_NONE = frozenset({"cards", "duel", "workbench"})  # commands without games to keep
KEPT = "kept"  # folder within the user's cache
ASKING = READING | {"seats"}  # commands about the games of a run


class Reading:
    """A run as a source of games (see `sim.run.GameSource`) that counts how many of its games were used.

    Games played by other code are read only once, for the question about them, and never compared with games played now.
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
        blocks = self._run.read(experiment) or self._chosen(experiment)
        return None if blocks is None else self._counted(blocks)

    def sums(self, experiment: Experiment) -> Iterator[tuple[int, dict[str, np.ndarray]]] | None:
        """See `Run.sums`."""
        sums = self._run.sums(experiment) if self._open else None
        self.games += self._run.held if sums is not None else 0
        return sums

    def _chosen(self, experiment: Experiment) -> Iterator[Block] | None:
        """Blocks of a selection of the run's games, such as those of an entrant; None for anything else."""
        from analysis.variants.variant import Chosen
        from sim.experiments.experiment import Experiment

        if not isinstance(experiment, Chosen) or experiment.members or not experiment.games:
            return None
        whole = Experiment(**{field.name: getattr(experiment, field.name) for field in fields(Experiment)})
        blocks = self._run.read(replace(whole, games_wanted=int(experiment.index[-1]) + 1))
        return None if blocks is None else _picked(blocks, experiment.index)

    def _counted(self, blocks: Iterator[Block]) -> Iterator[Block]:
        self._open = not self._run.has_other_sources
        for block in blocks:
            self.games += len(block.rows)
            yield block


def _picked(blocks: Iterator[Block], index: np.ndarray) -> Iterator[Block]:
    """Games with these indexes. index: ascending."""
    import numpy as np

    from sim.run import Block

    done = 0
    for block in blocks:
        taken = np.isin(block.rows["game"], index)
        yield Block(done, block.rows[taken], block.outcomes[taken])
        done += int(taken.sum())


class OnRuns(TyperCommand):
    """A command whose GAME can be a run folder."""

    def invoke(self, ctx: Any) -> Any:
        """Fill in the options that a run determines, and run the command with the run as a source of games."""
        run = None
        with terminal.clear_messages():
            name = ctx.params.get("game")
            if name and name != ALL:
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
            terminal.note(f"{run.folder}: none of its games fit this question; played new games with its cards and players")
        return result


@contextmanager
def kept(ctx: Any) -> Iterator[None]:
    """Keep the games of a command as it runs. If interrupted, the same command continues with them later."""
    from sim.engine.codecache import cache_home

    home = None if ctx.info_name in PLAYING_NONE else cache_home()
    if home is None:
        yield
        return
    from sim.run import keeping_in
    from sim.store.kept import FIRST_SECONDS, Keeper

    keeper = Keeper(home / KEPT / _digest(ctx), code_digest, terminal.note)
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
    except BaseException as error:
        if isinstance(error, Exit) and not error.exit_code:
            keeper.forget()
        else:  # the user can solve the problem, such as a full disk, and try again
            keeper.close(FIRST_SECONDS)
        raise
    keeper.forget()


def _digest(ctx: Any) -> str:
    """Digest of a command with all options except those on output; file names are resolved."""
    options = [
        (name, [_resolved(str(item)) for item in values])
        for name, value in sorted(ctx.params.items())
        if name not in LEFT_OUT and (values := value if isinstance(value, list) else [value])
    ]
    return hashlib.sha256(json.dumps([ctx.info_name, options]).encode()).hexdigest()[:20]


def _resolved(word: str) -> str:
    """The whole path of a word that names a file or folder; other words are unchanged."""
    return os.path.realpath(word) if os.path.exists(word) else word  # noqa: PTH110 - unlike Path.exists, it never raises


@cache
def code_digest() -> str:
    """SHA-256 of the code in the layers above the games."""
    from sim.engine.jit import SOURCES, add_sources

    digest = hashlib.sha256()
    add_sources(digest, Path(__file__).parents[1])
    for path in sorted({*SOURCES.glob("*.py"), *SOURCES.glob("experiments/*.py"), *SOURCES.glob("store/*.py")}):
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


def open_run(name: str) -> Run | None:
    """Open a run folder; None if the word is not one. Raises StoreError."""
    if not names_run(name):
        return None
    from sim.store import Run

    return Run.open(name)


def _fill_in(ctx: Any, run: Run) -> None:
    """Set the options that a run determines. Raises ValueError for a typed option that contradicts it."""
    manifest = run.manifest
    line_up = None if manifest.line_up is None else ",".join(manifest.line_up)
    brought = {
        "seats": manifest.seats,
        "policy": manifest.policy,
        "seed": manifest.seed,
        "coupling": manifest.coupling,
        "paired": manifest.paired,
        "line_up": line_up,
        "forbid": list(run.experiment.forbidden),
    }
    for parameter in ctx.command.params:
        name, option = str(parameter.name), parameter.opts[0]
        typed = is_typed(ctx, name)
        if typed and name in OF_THE_CARDS:
            raise ValueError(f"{option}: {run.folder} brings its cards; leave it out")
        if name in brought:
            if typed:
                _check_same(name, option, ctx.params[name], brought[name], run)
            ctx.params[name] = brought[name]
    _choose_games(ctx, run)
    _tell(ctx, run)


def _check_same(name: str, option: str, typed: Any, brought: Any, run: Run) -> None:
    """Raise ValueError for a typed option that is invalid, or contradicts the run."""
    from sim.engine.policies import PolicySpec

    made, words, has = run.experiment, f" {typed}", f"has {brought}"
    same = str(typed) == str(brought)  # some commands take several numbers of seats, as text
    if name == "policy":
        same = [PolicySpec.parse(word) for word in typed.split(",")] == list(made.policies)
    elif name == "forbid":
        same, words = forbidden_of(typed) == made.forbidden, f" {', '.join(typed)}"
        has = f"has {', '.join(brought) or 'nothing'} forbidden"
    elif name == "line_up":
        same = line_up_of(typed, made.game, made.cards, made.seats) == made.line_up
        has = has if brought else "has a balanced design of line-ups"
    elif name == "paired":
        words, has = "", "was not played in pairs"
    if not same:
        raise ValueError(f"{option}{words}: {run.folder} {has}; leave it out")


def _choose_games(ctx: Any, run: Run) -> None:
    """Let a command that reads games read all, unless --games is typed. Raises ValueError if there are none."""
    if ctx.info_name not in READING or is_typed(ctx, "games"):
        return
    if not run.has_rows:
        return
    if not run.held:
        raise ValueError(f"{run.folder}: holds no games yet; `{_going_on(run)}` plays them")
    ctx.params["games"] = run.held


def _tell(ctx: Any, run: Run) -> None:
    """Print notes on the limits of results from a run."""
    if run.manifest.line_up and "seats" in ctx.params and "line_up" not in ctx.params and ctx.info_name not in ASKING:
        terminal.note(f"{run.folder}: has a single line-up, which this command does not use; all entrants play")
    if run.experiment.forbidden and "forbid" not in ctx.params and ctx.info_name not in KEEPING:
        terminal.note(f"{run.folder}: {', '.join(run.experiment.forbidden)} is forbidden in its games, but not here")
    note_games(run)


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


def is_typed(ctx: Context, name: str) -> bool:
    """Whether the user typed an option."""
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
