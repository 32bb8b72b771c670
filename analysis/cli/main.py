"""The `fairfight` command: results on stdout, progress on stderr, exit code 2 and one message for bad input."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from analysis import interrupts
from analysis.catalogue import QUESTIONS
from analysis.cli import play, train
from analysis.cli.options import Asked, Command, check_jobs, common, open_decks, plain, prepare
from analysis.data.names import ALL, names_run, open_game, policies_of, policy_of
from analysis.output import terminal
from analysis.output.files import new_game, new_set
from analysis.output.terminal import Ticker
from sim.registry import GAMES, game_named
from sim.seeds import checked_seed

if TYPE_CHECKING:
    import numpy as np

    from sim.engine.contract import Game


def show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        from importlib.metadata import version

        terminal.say(f"fairfight {version('fairfight')}")
        raise typer.Exit


HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}
SUMMARIES = {  # in the order of `fairfight --help`
    "games": "List the games.",
    "cards": "Show a card set and where its numbers come from.",
    "new": "Make a card folder: a copy of the reference set, or from a spreadsheet.",
    "new-game": "Write a small game of your own, to be changed.",
    "check": "Check a card file, a run folder or a game for mistakes.",
    "winrates": "Who wins how often, in which seat, against whom.",
    "matchups": "Who beats whom, ratings, cycles, equilibrium.",
    "matrix": "Equilibrium and ratings of a given matrix of win rates.",
    "seats": "What going first is worth, also under other rules.",
    "compare": "Which of two entrants is stronger, if either.",
    "match": "Who was stronger in a match played elsewhere.",
    "whatif": "Effect of a changed number on every win rate.",
    "sensitivity": "Which numbers move balance most.",
    "tune": "Find the fewest changes that make the set fair.",
    "variants": "Win rates under other values of rules and numbers.",
    "ablate": "Worth of an ability, a card or a rule.",
    "cardstats": "Effect of every card of a deck.",
    "pace": "Length, lead changes, comebacks, worth of a lead.",
    "amounts": "Means of what a game counts, by entrant and part; winners and losers.",
    "categories": "Shares of a fact that is one of several words, by entrant; wins with each.",
    "times": "When something happens, and how a value runs turn by turn.",
    "skill": "Which level of play beats which, and who gains from it.",
    "replay": "Replay a game move by move, with evaluations.",
    "scenario": "Play a position with scripted dice and decisions.",
    "dice": "Exact distribution of dice, beside a simulation.",
    "duel": "Exact odds of a duel, beside a simulation.",
    "report": "Answer every question of a game on one page.",
    "workbench": "Change numbers on a live page and see win rates move.",
    "run": "Play games into a folder, or continue a run.",
    "train": "Fit the weights by which players evaluate positions.",
    "warmup": "Compile everything once, so that nothing waits later.",
}


def function_of(name: str) -> Command:
    """The function of a command."""
    modules = (sys.modules[__name__], train, play)
    function = f"{name.replace('-', '_')}_command"
    found: Command = next(vars(module)[function] for module in modules if function in vars(module))
    return found


class Commands(TyperGroup):
    """The commands of `fairfight`, made when they are used. They import what they need when they run, so that help is quick."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Names of all commands, in the order of the help."""
        return list(SUMMARIES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, or None for an unknown name."""
        if cmd_name in SUMMARIES and cmd_name not in self.commands:
            alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
            if cmd_name in QUESTIONS:
                from analysis.catalogue import find
                from analysis.cli.asking import function_of as asking

                alone.command(cmd_name, context_settings=HELP_OPTIONS)(asking(cmd_name, find(cmd_name)))
            else:
                function = function_of(cmd_name)
                alone.command(cmd_name, cls=vars(function)["kind"], context_settings=HELP_OPTIONS)(function)
            self.add_command(typer.main.get_command(alone), cmd_name)
        return super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that was typed; suggest the nearest one for an unknown name."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            close = get_close_matches(args[0], list(SUMMARIES), 1)
            ctx.fail(
                f"{args[0]!r} is not a command; " + (f'did you mean "{close[0]}"?' if close else "`fairfight -h` lists them")
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command. A value of the wrong type is named: Typer's own message leaves it out."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            interrupts.leave()
        except Exception as error:
            if not hasattr(error, "message"):
                raise
            cause = error.__cause__
            if type(cause).__name__ == "ValidationError":
                (first, *_) = cause.errors()  # type: ignore[union-attr]
                kind = "a whole number" if first["type"].startswith("int") else "a number"
                if first["type"].startswith(("int", "float")):
                    error.message = f"{first['input']!r} is not {kind}"
            error.message = terminal.bounded(str(error.message))
            raise

    def every(self) -> dict[str, Any]:
        """All commands by name."""
        return {name: self.get_command(None, name) for name in SUMMARIES}

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write names and summaries."""
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))


app = typer.Typer(
    cls=Commands,
    help="Balance of tabletop games by simulation: who wins how often, how sure it is, why, and which number to change.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=HELP_OPTIONS,
)


@app.callback()
def options(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", callback=show_version, is_eager=True)] = False,
) -> None:
    """Options of the command itself."""


@plain()
def games_command(as_json: bool) -> None:
    """List the games: the built-in ones, and those of other installed distributions.

    Example: fairfight games
    """
    from analysis.answer.cards import games_table

    table = games_table(GAMES.usable(terminal.note))
    terminal.print_json(table) if as_json else terminal.print_table(table)


@common("seats", "policy", "jobs", "csv", "chart")
def cards_command(
    asked: Asked,
    card: Annotated[
        str | None, typer.Argument(metavar="[CARD]", help="One card, by its id or name, with all its numbers.")
    ] = None,
    fields: str | None = None,
    xlsx: Path | None = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="DIR", help="Write the whole set to a folder, a CSV file for each sheet.")
    ] = None,
) -> None:
    """Show a card set: entrants, cards, rules; or all numbers of one card with their sources.

    --fields PATTERN[,PATTERN]: These numbers with their sources, e.g. hero.*.move.
    --xlsx FILE: Write the whole set as a spreadsheet to edit; `fairfight new GAME DIR --from FILE` makes a card folder of it.

    Example: fairfight cards arena

    Example: fairfight cards arena rhino_guy

    Example: fairfight cards arena --fields "hero.*.move"

    Example: fairfight cards arena --xlsx cards.xlsx
    """
    from analysis.answer.cards import cards_shown

    if xlsx is not None or csv is not None:
        if card is not None or fields is not None:
            raise ValueError(f"{'--xlsx' if xlsx else '--csv'}: writes the whole card set; leave the card and --fields out")
        _write_sheets(asked, xlsx, csv)
        return
    shown = cards_shown(*asked.opened, card, fields)
    if asked.as_json:
        terminal.print_json(shown.as_json())
        return
    for line in shown.lines:
        terminal.tell(line)
    for table in shown.tables():
        terminal.print_table(table)
    for line in shown.hints:
        terminal.tell(line)


def _write_sheets(asked: Asked, xlsx: Path | None, csv: Path | None) -> None:
    """Write the card set as a spreadsheet, a folder of CSV files, or both, and print what was written."""
    from analysis.output.spreadsheets import free_folder, write_csv, write_xlsx
    from sim.weights import has_own

    written = {path: write for path, write in ((xlsx, write_xlsx), (csv, write_csv)) if path is not None}
    for path, write in written.items():
        write(path, *asked.opened, asked.force)
    if has_own(asked.cards):
        terminal.note("the weights of this card set are not part of the spreadsheet; copy weights.toml beside the new cards.toml")
    if asked.as_json:
        terminal.print_json({"files": [*written]})
        return
    for path in written:
        terminal.say(f"{path} written. Edit it, then:")
        terminal.say(f"  fairfight winrates {asked.game.name} --cards {shlex.quote(str(path))}")
        terminal.say(f"  fairfight new {asked.game.name} {free_folder(asked.game)} --from {shlex.quote(str(path))}")


@plain(prints=False)
def new_command(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Name of a game (see `fairfight games`).")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to create.")],
    force: bool,
    as_json: bool,
    spreadsheet: Path | None = None,
) -> None:
    """Copy a game's reference set into a folder, for editing; or make a card folder of a spreadsheet.

    spreadsheet --from FILE|DIR: A spreadsheet or a folder of CSV files, as `fairfight cards --xlsx` and `--csv` write them.

    Example: fairfight new arena my-arena

    Example: fairfight new arena my-arena --from cards.xlsx
    """
    if spreadsheet is None:
        file = new_set(game_named(game).reference, folder, force)
    else:
        from analysis.cardsheets.reading import read_spreadsheet
        from analysis.data.card_text import text_with, write_text

        made_for = game_named(game)
        read = read_spreadsheet(spreadsheet, made_for)
        for line in read.notes:
            terminal.note(line)
        file = write_text(text_with(made_for, read.document, read.template), folder, force)
    if as_json:
        terminal.print_json({"file": file})
        return
    terminal.say(f"{file} written. Edit it, then:")
    terminal.say(f"  fairfight check {shlex.quote(str(folder))}")
    terminal.say(f"  fairfight winrates {game} --cards {shlex.quote(str(folder))}")


@plain(prints=False)
def new_game_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the game, such as my-game.")],
    as_json: bool,
    out: Path | None = None,
) -> None:
    """Write a distribution with a small, complete and tested game of your own, to be installed, played and changed.

    --out DIR: Folder to create; by default the name.

    Example: fairfight new-game my-game
    """
    folder = new_game(name, out)
    module = next(file.parent.name for file in folder.glob("*/__init__.py"))
    if as_json:
        terminal.print_json({"folder": folder, "game": module})
        return
    terminal.say(f"{folder} written. The game is in {folder / module / '__init__.py'}. Install it, then play it:")
    terminal.say(f"  python -m pip install --editable {shlex.quote(str(folder))}")
    terminal.say(f"  fairfight check {module}")
    terminal.say(f"  fairfight winrates {module}")


@plain(prints=False)
def check_command(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR|GAME", help="Folder with a cards.toml, a spreadsheet, a run, or a game.")
    ],
    as_json: bool,
) -> None:
    """Validate a card file: report errors with their place, or the contents, and values that look unintended.

    For a run, compare every file with its digest. For a game, play it, first as plain Python, and check what games must keep to.

    Example: fairfight check my-arena
    """
    from analysis.answer.cards import findings, summary
    from analysis.cardsheets.reading import game_of
    from analysis.cli.runs import check_run
    from sim.engine.cards import FILE_NAME
    from sim.store import Run, is_run

    if is_run(folder):
        check_run(Run.open(folder), as_json)
        return
    if str(folder) in GAMES and not (folder / FILE_NAME).is_file():  # `new-game` makes a folder with the name of the game
        _check_game(game_named(str(folder)), as_json)
        return
    game, card_set = open_game(game_of(folder), folder)
    if as_json:
        terminal.print_json(findings(game, card_set))
    else:
        terminal.say(summary(game, card_set))


def _check_game(game: Game, as_json: bool) -> None:
    """Print what is wrong with a game; exit code 2 if anything is, as for a card file."""
    from sim.check import faults

    found = faults(game)
    if as_json:
        terminal.print_json({"game": game.name, "faults": found})
    for line in [] if as_json else found or [f"{game.title}: keeps the contract of all games"]:
        terminal.say(line)
    if found:
        raise typer.Exit(2)


@plain(prints=False)
def scenario_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Scenario file (TOML).")], *, cards: Path | None, as_json: bool
) -> None:
    """Play a position with scripted dice and decisions; compare with [expect], if given: exit code 1 if it differs.

    Example: fairfight scenario tests/games/arena/scenarios/g1.toml
    """
    from analysis.replay.narrate import scenario_lines
    from sim.engine import scenario

    loaded = scenario.load(file)
    game = game_named(loaded.game)
    prepare(game, "step")
    result = scenario.play(loaded, game, scenario.cards_for(loaded, game, cards))
    if as_json:
        terminal.print_json({"position": result.position, "differences": result.differences, "log": result.log})
    else:
        for line in scenario_lines(loaded, result):
            terminal.say(line)
    if result.differences:
        raise typer.Exit(1)


GameOrAll = Annotated[str, typer.Argument(metavar="GAME|all", help="A game, a run folder, or all games.")]


@common("seats", "policy", "csv", "chart", "force", game=GameOrAll, prints=False)
def report_command(
    asked: Asked,
    out: Path | None = None,
    policy: str | None = None,
    scale: float = 1.0,
    apart: Annotated[bool, typer.Option("--apart", hidden=True)] = False,  # for a parent process that writes several reports
) -> None:
    """Answer every question of a game with charts: one self-contained page per game, with PNG, SVG, CSV and JSON files.

    --out DIR: Folder to write to; by default reports, with --cards reports/DIR.
    --policy P: Policy in every seat, see docs/players.md; by default the strongest of the game that plays it in a few minutes.
    --scale: Games in multiples of the default, e.g. 0.1 or 10.

    Example: fairfight report arena --out reports
    """
    from analysis.data.study import Budget, Study
    from analysis.report.write import write_reports
    from sim.apart import end_with_parent, send

    game, cards = asked.name, asked.cards_folder
    options = ("--cards", str(cards)) if cards else asked.decks.options
    named = cards or (Path(game) if names_run(game) else None)
    if game == ALL and options:
        raise ValueError(f"{' '.join(options)}: works with one game, not with all")
    folder = out or Path("reports", *([named.resolve().name] if named else asked.decks.folder))
    chosen_policy = policies_of(policy) if policy else ()
    if len(chosen_policy) > 1:
        raise ValueError(f"policies={policy}: a report takes one for all seats, such as greedy")
    seed, jobs = checked_seed(asked.seed), check_jobs(asked.jobs)
    chosen = [open_decks(name, cards, asked.decks) for name in (GAMES.usable(terminal.note) if game == ALL else [game])]
    players = [chosen_policy[0] if chosen_policy else policy_of(found.player) for found, _ in chosen]
    if apart:
        terminal.relay = send
        end_with_parent(partial(os._exit, interrupts.INTERRUPTED))
    elif game == ALL:
        keep_games = interrupts.state.keep or str
        interrupts.state.keep = lambda: keep_games() or f"the same command continues with what is finished in {folder}"
    with Ticker() as ticker:
        studies = [
            Study(found, its_cards, player, seed, Budget.of(found, player).scaled(scale), jobs, ticker)
            for (found, its_cards), player in zip(chosen, players, strict=True)
        ]
        index = write_reports(studies, folder, scale, prepare, _report_apart)
    if apart:  # the parent prints the result
        return
    terminal.print_json({"index": index}) if asked.as_json else terminal.say(f"{index} written")


def _report_apart(command: str, out: Path, jobs: int, stop: np.ndarray, answered: Callable[[int], None]) -> None:
    """Write a report in another process; see `write_reports`. Raises Exit if it fails there, which has been reported."""
    from sim.apart import run_apart

    words = [*shlex.split(command)[1:], "--out", str(out), "--jobs", str(jobs), "--apart"]

    def listen(message: list[Any]) -> None:
        kind, what, *_ = message
        if kind == "questions":
            answered(what)
        elif kind == "note":
            terminal.note(what)

    if code := run_apart("from analysis.cli.start import main; main()", words, stop, listen):
        raise typer.Exit(code)


@common("as_json", "csv", "chart", "force", prints=False)
def workbench_command(asked: Asked, port: int = 0, host: str = "127.0.0.1", browser: bool = True) -> None:
    """Open a page to change numbers of a card set and see win rates, matchups and game length move at once.

    The same games are played with the unchanged and with the changed cards, on the same dice. Only this machine can open the
    page, unless --host names another address, and only with the token in the page's address. Ctrl-C ends it.

    --port: Port to listen on; by default any free one.
    --host: Address to listen on; 0.0.0.0 in a container, so that its host reaches the page.
    browser --browser/--no-browser: Whether to open the page in the browser.

    Example: fairfight workbench arena

    Example: fairfight workbench arena --cards my-arena --seats 4 --no-browser
    """
    from analysis.workbench import NEEDS_PANEL

    try:
        from analysis.workbench.server import Workbench, is_loopback, usable
    except ModuleNotFoundError as error:
        if error.name not in {"panel", "bokeh"}:
            raise
        raise ValueError(NEEDS_PANEL) from None
    from sim.run import loop_of

    base = asked.experiment(1)
    check_jobs(asked.jobs)
    usable(port, host)
    if not is_loopback(host):
        terminal.note(f"warning: other machines can reach this page at {host}, unencrypted; the token in its address opens it")
    prepare(asked.game, loop_of(asked.policies))
    bench = Workbench(base, port, asked.jobs, host)

    def started() -> None:
        terminal.say(f"The workbench of {asked.game.title} is open at\n  {bench.url}\nCtrl-C ends it.")
        sys.stdout.flush()

    try:
        bench.run(browser, started)
    except KeyboardInterrupt:
        terminal.note("the workbench has ended")


@plain(prints=False)
def warmup_command(as_json: bool) -> None:
    """Compile everything once, on all cores, so that no later command waits.

    Example: fairfight warmup
    """
    from sim.warmup import compile_all, compiled_parts

    names = list(GAMES.usable(terminal.note))
    interrupts.state.keep = lambda: f"{compiled_parts(names)} parts are compiled; `fairfight warmup` continues with the others"
    with Ticker("kernels") as ticker:
        compiled = compile_all(names, ticker)
    terminal.print_json({"parts": compiled}) if as_json else terminal.say(f"{compiled} compiled parts are in the cache")
