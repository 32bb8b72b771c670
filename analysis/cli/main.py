"""The `fairfight` command: results on stdout, progress on stderr, exit code 2 and one message for bad input."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from analysis import interrupts
from analysis.catalogue import QUESTIONS, find
from analysis.cli.helping import GroupedCommand
from analysis.output import terminal
from sim.stopping import heeding


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
    "explain": ("analysis.questions.explain", "Why an entrant is too strong or weak, and what makes it fair."),
    "compare": ("analysis.questions.compare", "Which of two entrants is stronger, if either."),
    "calibrate": ("analysis.questions.calibrate", "Whether the simulation plays like people at a table."),
    "plan": ("analysis.questions.plan", "What playtests could show, and the best schedule."),
    "playtests": ("analysis.cli.playtests", "Check a log of games that people played, or write a template for one."),
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
    "play": ("analysis.cli.play", "Play a game yourself, with hints and undo."),
    "scenario": ("analysis.cli.scenario", "Play a position with scripted dice and decisions."),
    "dice": ("analysis.questions.dice", "Exact distribution of dice, beside a simulation."),
    "duel": ("analysis.questions.duel", "Exact odds of a duel, beside a simulation."),
    "report": ("analysis.cli.report", "Answer every question of a game on one page."),
    "workbench": ("analysis.cli.workbench", "Change numbers on a live page and see win rates move."),
    "run": ("analysis.cli.run", "Play games into a folder, or continue a run."),
    "train": ("analysis.cli.train", "Fit the weights by which players evaluate positions."),
    "warmup": ("analysis.cli.warmup", "Compile everything once, so that nothing waits later."),
}


@cache
def command_of(name: str) -> Any:
    """Import the module of a command and make the command, of a question or of the function with the command's name."""
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    if name in QUESTIONS:
        from analysis.cli.asking import function_of  # imports pandas, as the question does

        alone.command(name, cls=GroupedCommand, context_settings=HELP_OPTIONS)(function_of(name, find(name)))
        return typer.main.get_command(alone)
    module = import_module(COMMANDS[name][0])
    word = name.replace("-", "_")
    alone.command(name, cls=GroupedCommand, context_settings=HELP_OPTIONS)(getattr(module, word))
    return typer.main.get_command(alone)


def refuse(error: Any) -> None:
    """Print what is wrong with what was typed, after the usage of the command, and leave with exit code 2. error: of click."""
    context = getattr(error, "ctx", None)
    if context is not None:
        typer.echo(f"{context.get_usage()}\nTry '{context.command_path} {context.help_option_names[0]}' for help.\n", err=True)
    terminal.fail(error.format_message())


class Commands(TyperGroup):
    """The commands of `fairfight`, made when they are used. They import what they need when they run, so that help is quick."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Names of all commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, or None for an unknown name."""
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            with heeding():
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

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read what was typed. Typer would say nothing of an interrupt."""
        try:
            with heeding():
                return super().make_context(*args, **kwargs)
        except KeyboardInterrupt:
            interrupts.leave()
        except Exception as error:
            if not hasattr(error, "message"):
                raise
            refuse(error)

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
            refuse(error)

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
