"""The `fairfight` command: results on stdout, progress on stderr, exit code 2 and one message for bad input."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from difflib import get_close_matches
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from analysis import interrupts
from analysis.catalogue import QUESTIONS, find
from analysis.cli.options import Asked, check_jobs, common, open_decks, prepare
from analysis.data.names import ALL, names_run, policies_of, policy_of
from analysis.output import terminal
from analysis.output.terminal import Ticker
from sim.registry import GAMES
from sim.seeds import checked_seed

if TYPE_CHECKING:
    import numpy as np


def show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        from importlib.metadata import version

        terminal.say(f"fairfight {version('fairfight')}")
        raise typer.Exit


HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}
COMMANDS = {  # name -> module of its function, summary; in the order of `fairfight --help`
    "games": ("analysis.cli.games", "List the games."),
    "cards": ("analysis.cli.cards", "Show a card set and where its numbers come from."),
    "new": ("analysis.cli.new", "Make a card folder: a copy of the reference set, or from a spreadsheet."),
    "new-game": ("analysis.cli.new_game", "Write a small game of your own, to be changed."),
    "check": ("analysis.cli.check", "Check a card file, a run folder or a game for mistakes."),
    "winrates": ("analysis.questions.winrates", "Who wins how often, in which seat, against whom."),
    "matchups": ("analysis.questions.matchups", "Who beats whom, ratings, cycles, equilibrium."),
    "matrix": ("analysis.questions.matrix", "Equilibrium and ratings of a given matrix of win rates."),
    "seats": ("analysis.questions.seats", "What going first is worth, also under other rules."),
    "teams": ("analysis.questions.teams", "Which part makes a team win, and which work together."),
    "compare": ("analysis.questions.compare", "Which of two entrants is stronger, if either."),
    "match": ("analysis.questions.match", "Who was stronger in a match played elsewhere."),
    "whatif": ("analysis.questions.whatif", "Effect of a changed number on every win rate."),
    "sensitivity": ("analysis.questions.sensitivity", "Which numbers move balance most."),
    "tune": ("analysis.questions.tune", "Find the fewest changes that make the set fair."),
    "variants": ("analysis.questions.variants", "Win rates under other values of rules and numbers."),
    "ablate": ("analysis.questions.ablate", "Worth of an ability, a card or a rule."),
    "cardstats": ("analysis.questions.cardstats", "Effect of every card of a deck."),
    "pace": ("analysis.questions.pace", "Length, lead changes, comebacks, worth of a lead."),
    "amounts": ("analysis.questions.amounts", "Means of what a game counts, by entrant and part; winners and losers."),
    "categories": ("analysis.questions.categories", "Shares of a fact that is one of several words, by entrant; wins with each."),
    "times": ("analysis.questions.times", "When something happens, and how a value runs turn by turn."),
    "skill": ("analysis.questions.skill", "Which level of play beats which, and who gains from it."),
    "replay": ("analysis.questions.replay", "Replay a game move by move, with evaluations."),
    "scenario": ("analysis.cli.scenario", "Play a position with scripted dice and decisions."),
    "dice": ("analysis.questions.dice", "Exact distribution of dice, beside a simulation."),
    "duel": ("analysis.questions.duel", "Exact odds of a duel, beside a simulation."),
    "report": ("analysis.cli.main", "Answer every question of a game on one page."),
    "workbench": ("analysis.cli.main", "Change numbers on a live page and see win rates move."),
    "run": ("analysis.cli.play", "Play games into a folder, or continue a run."),
    "train": ("analysis.cli.train", "Fit the weights by which players evaluate positions."),
    "warmup": ("analysis.cli.warmup", "Compile everything once, so that nothing waits later."),
}


@cache
def command_of(name: str) -> Any:
    """Import the module of a command and make the command: of a question, or of a function with the command's name."""
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    if name in QUESTIONS:
        from analysis.cli.asking import function_of  # imports pandas, as the question does

        alone.command(name, context_settings=HELP_OPTIONS)(function_of(name, find(name)))
        return typer.main.get_command(alone)
    module = import_module(COMMANDS[name][0])
    word = name.replace("-", "_")
    function = getattr(module, f"{word}_command", None) or getattr(module, word)
    alone.command(name, cls=getattr(function, "kind", TyperCommand), context_settings=HELP_OPTIONS)(function)
    return typer.main.get_command(alone)


class Commands(TyperGroup):
    """The commands of `fairfight`, made when they are used. They import what they need when they run, so that help is quick."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Names of all commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, or None for an unknown name."""
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            self.add_command(command_of(cmd_name), cmd_name)
        return super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that was typed; suggest the nearest one for an unknown name."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            close = get_close_matches(args[0], list(COMMANDS), 1)
            ctx.fail(
                f"{args[0]!r} is not a command; " + (f'did you mean "{close[0]}"?' if close else "`fairfight -h` lists them")
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command. A value of the wrong type is named: Typer's own message leaves it out."""
        try:
            with terminal.clear_messages():
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
        return {name: self.get_command(None, name) for name in COMMANDS}

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write names and summaries."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


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
    from analysis.data.budget import Budget
    from analysis.data.study import Study
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
