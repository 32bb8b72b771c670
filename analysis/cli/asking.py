"""Make a command of a question: its options are the arguments of the question, their help is its docstring."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, get_args

import typer
from docstring_parser import parse

from analysis import interrupts
from analysis.answer.model import Answer
from analysis.cli.helping import OUTPUT_PANEL, PLAYED_PANEL
from analysis.cli.kept import kept
from analysis.cli.options import (
    PRINTING,
    AsJson,
    Cards,
    ChartFile,
    Columns,
    CsvFile,
    DecksFile,
    Force,
    GameName,
    GameOrLog,
    HtmlFile,
    OnlyDecks,
    RandomDecks,
    check_jobs,
    is_typed,
    note_games,
)
from analysis.data.arguments import SHARED
from analysis.data.card_text import check_folder
from analysis.data.decks import DeckChoice
from analysis.data.names import check_game, names_run
from analysis.games import Source, load_cards, open_run
from analysis.output import terminal
from analysis.output.answers import show
from analysis.output.files import check_files, wrote
from analysis.playtests.log import Playtests
from analysis.playtests.reading import is_playtests, read_playtests
from analysis.question import Question, Settings
from analysis.results import Cards as CardsOf
from analysis.results import Games

CHOOSING: dict[str, tuple[Any, Any]] = {  # what is studied: name -> annotation, default
    "cards": (Cards, None),
    "decks": (DecksFile, None),
    "only_decks": (OnlyDecks, False),
    "random_decks": (RandomDecks, None),
}
TYPED = {Settings: list[str], CardsOf | None: Path | None, Source: str}  # types of parameters as they are typed
OUTPUT: dict[str, tuple[Any, Any]] = {  # what is done with the answer
    "as_json": (AsJson, False),
    "csv": (CsvFile, None),
    "chart": (ChartFile, None),
    "html": (HtmlFile, None),
    "force": (Force, False),
    **PRINTING,
}
OUT = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Folder for the changed card file.", rich_help_panel=OUTPUT_PANEL)
]


def function_of(name: str, question: Question) -> Callable[..., None]:
    """The function of a command, with the signature that typer reads. name: of the command."""
    choosing_options = choices(question)
    own = [_option(one, question) for one in question.own.values()]
    shared = [
        one.replace(
            annotation=Annotated[
                one.annotation, typer.Option(_long(one.name), help=SHARED[one.name].text, rich_help_panel=PLAYED_PANEL)
            ]
        )
        for one in question.shared.values()
        if one.name != "progress"
    ]
    results = ({"out": (OUT, None)} if question.makes_cards else {}) | OUTPUT
    further = [
        Parameter(one, Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for one, (kind, default) in (choosing_options | results).items()
    ]
    name_of_game = GameOrLog if question.log else GameName
    game = [Parameter("game", Parameter.KEYWORD_ONLY, annotation=name_of_game)] if question.plays else []

    def command(ctx: typer.Context, **values: Any) -> None:
        output = {one: values.pop(one) for one in results}
        choosing = {one: values.pop(one) for one in choosing_options}
        given = {one: value for one, value in values.items() if is_typed(ctx, one)}
        games = kept(name, choosing | given) if question.plays else nullcontext()
        with terminal.printing(**{one: output.pop(one) for one in PRINTING}), terminal.clear_messages(), games:
            _ask(name, question, choosing, output, given)

    context = Parameter("ctx", Parameter.KEYWORD_ONLY, annotation=typer.Context)
    parameters = [context, *game, *own, *shared, *further]
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    command.__doc__ = _help(question)
    return command


def choices(question: Question) -> dict[str, tuple[Any, Any]]:
    """Options that choose what is studied."""
    return (CHOOSING if question.plays else {}) | ({"columns": (Columns, None)} if question.log else {})


def _ask(name: str, question: Question, choosing: dict[str, Any], output: dict[str, Any], values: dict[str, Any]) -> None:
    """Ask the question and show the answer."""
    check_jobs(values.get("jobs"))
    out, force = output.get("out"), output["force"]
    written = {one: values[one] for one in question.writes if one in values}
    page = output["html"]
    check_files(force, csv=output["csv"], chart=output["chart"], html=page, **written)
    if out is not None:
        check_folder(out, force)
    if question.plays:
        game = values.pop("game")
        source = asked_about(game, question, values.get("seed"), choosing, output["as_json"])
        folders = [one for one, parameter in question.own.items() if parameter.annotation == CardsOf | None and one in values]
        card_sets = {one: source_of(game, seed=values.get("seed"), **{**choosing, "cards": values[one]}) for one in folders}
        answer = question.ask(source, **{**values, **card_sets})
    else:
        game, answer = "", question.ask(**values)
    if page is not None:
        write_page(page, answer, question, _command(name, question, game, choosing, values))
    again = _command(name, question, game, choosing, {**values, **answer.again}) if answer.again else ""
    files = {"csv": output["csv"], "chart": output["chart"], "out": out}
    show(answer, again, as_json=output["as_json"], force=force, **files)
    if out is not None and not output["as_json"]:
        terminal.tell("Test the changed cards in new games:")
        terminal.tell(f"  {_retest(game, out, answer.facts)}")
    if answer.shown:
        interrupts.leave(f"shown: {answer.shown}")


def write_page(path: Path, answer: Answer, question: Question, command: str) -> None:
    """Write the answer as a page, of which the question is the heading. Raises ReportError."""
    from analysis.report.write import write_answer  # templates take long to import

    summary = parse(question.function.__doc__ or "").short_description or question.name
    write_answer(path, answer, question.title or summary.removesuffix("."), command)
    wrote(path)


def asked_about(
    game: str, question: Question, seed: int | None, choosing: dict[str, Any], as_json: bool
) -> CardsOf | Games | Playtests:
    """The cards of a game, the games of a run folder, or those of a log, of which it prints what is understood."""
    if not is_playtests(game):
        return source_of(game, seed=seed, **choosing)
    if not question.log:
        raise ValueError(f"{game}: `{question.name}` plays games of its own and cannot be asked about games that people played")
    log = log_of(game, **choosing)
    if not as_json:
        terminal.tell(log.summary)
        terminal.say("")
    return log


def log_of(file: str, columns: list[str] | None, **choosing: Any) -> Playtests:
    """The games of a file. Raises ValueError, also for options that choose cards."""
    for name, value in choosing.items():
        if value:
            raise ValueError(f"{_long(name)}: {file} holds games that people played, without cards; leave it out")
    return read_playtests(file, columns or ())


def source_of(
    game: str,
    cards: Path | None,
    decks: Path | None,
    only_decks: bool,
    random_decks: str | None,
    seed: int | None,
    columns: list[str] | None = None,
) -> CardsOf | Games:
    """What a command is asked about: the cards of a game, or the games of a run folder. Raises ValueError."""
    if columns:
        raise ValueError(f"--columns: names headings of a file of games that people played, and {game} is none; leave it out")
    check_game(game)
    choice = DeckChoice(decks, only_decks, random_decks, 1 if seed is None else seed)
    if names_run(game):
        if cards is not None or choice.options:
            raise ValueError(f"{'--cards' if cards else choice.options[0]}: {game} brings its cards; leave it out")
        games = open_run(game)
        note_games(games.source)  # type: ignore[arg-type] # it is a run
        return games
    return load_cards(game, cards, choice)


def _option(parameter: Parameter, question: Question) -> Parameter:
    """A parameter of a question as an argument or an option of the command."""
    text = {one.arg_name: one.description for one in parse(question.function.__doc__ or "").params}.get(parameter.name)
    if parameter.name in CHOOSING:
        return parameter.replace(annotation=CHOOSING[parameter.name][0], kind=Parameter.KEYWORD_ONLY)
    if parameter.name in SHARED:
        text = SHARED[parameter.name].text
    named = question.options.get(parameter.name)
    if _is_argument(parameter, named):
        kind: Any = typer.Argument(metavar=named or parameter.name.upper(), help=text)
    else:
        flag = parameter.annotation is bool and parameter.default is True
        word = named or _long(parameter.name) + (f"/--no-{_long(parameter.name)[2:]}" if flag else "")
        usual = f"{parameter.default:,}, or those of {question.seconds:g} seconds" if _follows_time(parameter) else True
        kind = typer.Option(word, help=text, show_default=usual)
    return parameter.replace(annotation=Annotated[_typed_as(parameter.annotation), kind], kind=Parameter.KEYWORD_ONLY)


def _follows_time(parameter: Parameter) -> bool:
    """Whether the default is only the largest number of games: see `Question.seconds`."""
    return parameter.name == "games" and isinstance(parameter.default, int)


def _typed_as(kind: Any) -> Any:
    """The type of a parameter as it is typed: of a frame or of cards, only the file can be."""
    if kind in TYPED:
        return TYPED[kind]
    return Path if Path in get_args(kind) else kind


def _is_argument(parameter: Parameter, named: str | None) -> bool:
    """Whether a parameter is an argument of the command, not an option. named: its name in `Question.options`."""
    if named is not None:
        return not named.startswith("-")
    return parameter.kind is not Parameter.KEYWORD_ONLY and parameter.default is Parameter.empty


def _long(name: str) -> str:
    """The option of an argument."""
    return "--" + name.strip("_").replace("_", "-")


def _help(question: Question) -> str:
    """The docstring up to its first section, and examples."""
    text = parse(question.function.__doc__ or "")
    examples = [f"Example: fairfight {example}" for example in question.examples]
    return "\n\n".join(part for part in (text.short_description, text.long_description, *examples) if part)


def _command(name: str, question: Question, game: str, choosing: dict[str, Any], values: dict[str, Any]) -> str:
    """The command with these values, without those that are the default."""
    defaults = {one.name: one.default for one in (*question.own.values(), *question.shared.values())}
    defaults |= {one: default for one, (_, default) in choices(question).items()}
    words = ["fairfight", name, *([game] if game else [])]
    for one, value in (choosing | values).items():
        if one == "jobs" or value in (None, defaults[one]) or value == []:
            continue
        if one in question.own and _is_argument(question.own[one], question.options.get(one)):
            words += [*map(str, value)] if isinstance(value, list) else [str(value)]
        else:
            words += _typed(question.options.get(one) or _long(one), value)
    return shlex.join(words)


def _retest(game: str, out: Path, facts: Mapping[str, Any]) -> str:
    """The command that plays changed cards with the next seed. facts: of the games that led to them.

    After a search by quick players, the strong ones play.
    """
    played = {"seats": facts["seats"], "policy": facts["policy"], "seed": (facts["seed"] + 1) % 2**63, "games": facts["games"]}
    if "tested" in facts:
        played = {name: played[name] for name in ("seats", "seed")}
    words = [word for name, value in played.items() for word in _typed(_long(name), value)]
    return shlex.join(["fairfight", "winrates", game, "--cards", str(out), *words])


def _typed(option: str, value: Any) -> list[str]:
    """An option with its value."""
    if isinstance(value, bool):
        return [option if value else option.replace("--", "--no-", 1)]
    if isinstance(value, list):
        return [word for one in value for word in (option, str(one))]
    return [option, f"{value:.12g}" if isinstance(value, float) else str(value)]
