"""`@question`: one function is a command, a function of the Python interface and a section of a report.

The function takes a `Study` and arguments of its own, and returns an `Answer`. Its docstring is the help of all. The decorator
adds the arguments that questions share: what is studied, and how it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from inspect import Parameter, Signature, cleandoc, signature
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from analysis.answer.model import Answer
from analysis.data.arguments import SHARED
from analysis.data.ids import with_ids
from analysis.data.players import ANSWER, games_in
from analysis.data.study import Study
from analysis.games import Source, cards_of, experiment_of, playing, whole
from analysis.playtests.log import Playtests
from analysis.playtests.reading import is_playtests, read_playtests
from analysis.results import Cards, Games
from sim.engine.questions import Chapter
from sim.run import loop_of

Log = Playtests | Path  # games that people played, or their file
Settings = Sequence[str] | Mapping[str, Any]  # changes of fields: texts such as "hero.rhino_guy.move=3", or values by field
PARAMETERS = "Parameters\n----------\n"
SOURCE = Parameter("cards", Parameter.POSITIONAL_OR_KEYWORD, annotation=Source)
SOURCE_TEXT = "Name of a game, a folder with a card file, cards of `load`, or games of `play` or `open_run`."
OF_LOG = " A file of games that people played, or such games from `ff.games`, can stand in its place."
AT_SEATS = ("seats",)  # shared arguments that choose among the games of a log
IDLE = ("jobs", "progress")  # shared arguments that change no answer


@dataclass(frozen=True, eq=False)
class Question:
    """A question: what command, Python interface and report need to ask it.

    function: (study, arguments) -> Answer; the name and docstring of the question are its own. needs: parts of a game to compile
    besides the loop of the policy (see `sim.warmup`), or `loop` for that of all policies; can depend on the arguments. without:
    shared arguments that it does not take. reads: whether it can be asked about games that exist; reads_sums: also if only sums
    over them are kept. writes: arguments that name files to write. makes_cards: whether a card set
    comes out of it, which the command can write. options: names of command options by argument, where they differ; a name without
    dashes makes the parameter an argument of the command, shown by that name. lists: a parameter with which it plays nothing, so
    that nothing is compiled; about: one without which it plays nothing, but lists what it can be asked about. examples: command
    lines, after `fairfight`. chapter: of the first page of a report, in which every game has it as a section; empty for
    none. title: heading of the section.
    in_report: arguments with which a report asks it, where they differ from the defaults; `games` can be a function of the
    study. seconds: time for the games that are played by default; a number in the signature of `games` is the largest number of
    them. searches: whether quick players play, unless others are named, because only they can play enough games; the strong ones
    test what is found. log: answers the question about games that people played (see `analysis.playtests`); takes them and the
    question's arguments that apply to them. check: raises ValueError for arguments that are refused before anything is compiled.
    """

    function: Callable[..., Answer]
    needs: tuple[str, ...] | Callable[[Mapping[str, Any]], tuple[str, ...]] = ()
    without: tuple[str, ...] = ()
    reads: bool = False
    makes_cards: bool = False
    reads_sums: bool = False
    writes: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    lists: str = ""
    about: str = ""
    examples: tuple[str, ...] = ()
    chapter: Chapter | Literal[""] = ""
    title: str = ""
    in_report: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = ANSWER
    searches: bool = False
    check: Callable[[Mapping[str, Any]], None] | None = None
    log: Callable[..., Answer] | None = None

    @property
    def name(self) -> str:
        """Name of the command and of the function of the Python interface."""
        return self.function.__name__

    @cached_property
    def plays(self) -> bool:
        """Whether it is asked about a game; else its function takes no study, and the question no shared arguments."""
        return Study in get_type_hints(self.function).values()

    @cached_property
    def own(self) -> dict[str, Parameter]:
        """Arguments of the question itself, with evaluated annotations."""
        hints = get_type_hints(self.function, include_extras=True)
        parameters = [*signature(self.function).parameters.values()][1 if self.plays else 0 :]
        return {one.name: one.replace(annotation=hints[one.name]) for one in parameters}

    @cached_property
    def shared(self) -> dict[str, Parameter]:
        """Shared arguments that the question takes."""
        without = {*self.without, *(["quick"] if "policy" in self.without else [])}
        names = [name for name in SHARED if self.plays and name not in without and name not in self.own]
        return {
            name: Parameter(name, Parameter.KEYWORD_ONLY, default=SHARED[name].default, annotation=SHARED[name].kind)
            for name in names
        }

    @cached_property
    def ask(self) -> Callable[..., Answer]:
        """The function of the Python interface: what is studied, the question's own arguments, and the shared ones."""
        given = [SOURCE] if self.plays else []
        accepted = Signature([*given, *self.own.values(), *self.shared.values()], return_annotation=Answer)

        @wraps(self.function)
        def ask(*args: Any, **named: Any) -> Answer:
            return self._asked(dict(accepted.bind(*args, **named).arguments))

        ask.__signature__ = accepted  # type: ignore[attr-defined]
        ask.__doc__ = self._documented()
        return ask

    def answer(self, study: Study, **arguments: Any) -> Answer:
        """Answer the question about a study."""
        return with_ids(self.function(study, **arguments), study)

    def _asked(self, values: dict[str, Any]) -> Answer:
        """Play the games, or read them, and answer. Raises ValueError for any argument that is not valid."""
        source = values.pop("cards", None) if self.plays else None
        if isinstance(source, str | Path) and is_playtests(str(source)):
            source = read_playtests(source)
        how = {name: converted(name, values.pop(name), SHARED[name].kind) for name in self.shared if name in values}
        own = {name: converted(name, value, self.own[name].annotation) for name, value in values.items()}
        if not self.plays:
            return self.function(**own)
        if isinstance(source, Playtests):
            return self._of_log(source, how, own)
        given = source if isinstance(source, Games) else None
        if given and not self.reads:
            raise ValueError(f"{self.name}: plays new games and cannot be asked about games that exist; give it their cards")
        if given and not self.reads_sums:
            given.check_rows()
        if given and "games" in self.own and "games" not in own:
            own["games"] = given.experiment.games_wanted
        jobs, progress = how.pop("jobs", None), how.pop("progress", True)
        how["line_up"] = how.get("line_up") or None
        if self.check is not None:
            self.check(own)
        if self.searches and how.get("policy") is None and not given:
            how["quick"] = True
        games = own.get("games") or (self.own["games"].default if "games" in self.own else None)
        made = experiment_of(source, games or 1, **how)  # type: ignore[arg-type]
        if games and "games" not in own:
            own["games"] = games_in(made.game, made.policies, made.seats, self.seconds, games)
            made = replace(made, games_wanted=own["games"])
        needs = self.needs(own) if callable(self.needs) else self.needs
        plays_games = "policy" in self.shared or "games" in self.own
        loop = (loop_of(made.policies),) if plays_games and "loop" not in needs else ()
        lists = own.get(self.lists) or (self.about and not own.get(self.about))
        parts = () if lists else (*loop, *needs)
        with playing(made.game, parts, progress) as watch:
            study = Study.of(made, jobs, watch, given.source if given else None, bool(how.get("quick")))
            return self.answer(study, **own)

    def _of_log(self, log: Playtests, how: Mapping[str, Any], own: Mapping[str, Any]) -> Answer:
        """Answer the question about games that people played. Raises ValueError for arguments that do not apply to them."""
        if self.log is None:
            raise ValueError(
                f"{log.path}: `{self.name}` plays games of its own and cannot be asked about games that people played"
            )
        takes = {*signature(self.log).parameters, *AT_SEATS, *IDLE}
        for name, value in {**how, **own}.items():
            if name not in takes and value not in (None, (), [], False):
                raise ValueError(f"{name}={value!r}: the games of {log.path} are played already; leave it out")
        games = log if how.get("seats") is None else log.at(how["seats"])
        return self.log(games, **{name: value for name, value in own.items() if name in takes})

    def _documented(self) -> str:
        """The docstring with the shared arguments in its section on parameters."""
        text = cleandoc(self.function.__doc__ or "")
        if not self.plays:
            return text
        head, _, rest = text.partition(PARAMETERS)
        own, blank, further = rest.partition("\n\n")
        lines = [
            head.rstrip(),
            "",
            PARAMETERS.rstrip(),
            f"cards : Cards, Games, {'Playtests, ' if self.log else ''}str or Path",
            f"    {SOURCE_TEXT}{OF_LOG if self.log else ''}",
            own,
        ]
        for name in self.shared:
            lines += [f"{name} : {_type_words(SHARED[name].kind)}", f"    {SHARED[name].text}"]
        return "\n".join([*lines, blank[1:] + further.lstrip("\n")]).rstrip()


def question(**about: Any) -> Callable[[Callable[..., Answer]], Question]:
    """Make a function a question, see `Question` for the arguments."""
    return lambda function: Question(function, **about)


def split(words: Sequence[str]) -> list[str]:
    """Words of an argument that takes several: each can hold several, with commas between."""
    return [part.strip() for word in words for part in word.split(",")]


def converted(name: str, value: Any, kind: Any) -> Any:
    """The value of an argument as its type asks. Raises ValueError with the argument, its value and what would be right."""
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    if value is None and type(None) in kinds:
        return None
    wanted = [one for one in kinds if one is not type(None)]
    converter = CONVERTERS.get(wanted[0] if len(wanted) == 1 else kind)
    return converter(name, value) if converter else value


def words(_: str, value: Any) -> list[str]:
    """An argument that takes several words, or a text with commas between them."""
    return split([value] if isinstance(value, str) else [*map(str, value)])


def settings(_: str, value: Any) -> Settings:
    """An argument that changes fields: values by field, or texts, whose values can hold commas."""
    if isinstance(value, Mapping):
        return value
    return [value] if isinstance(value, str) else [*map(str, value)]


def cards(_: str, value: Any) -> Cards:
    """An argument that is a card set: cards, a game's name, or a folder with a card file."""
    return cards_of(value)


def text(name: str, value: Any) -> str:
    """An argument that must be a text. Raises ValueError."""
    if not isinstance(value, str):
        raise ValueError(f"{name}={value!r} must be a text")
    return value


def flag(name: str, value: Any) -> bool:
    """An argument that must be true or false. Raises ValueError."""
    if not isinstance(value, bool):
        raise ValueError(f"{name}={value!r} must be True or False")
    return value


def path(_: str, value: Any) -> Path:
    """An argument that names a file or folder."""
    return Path(value)


def log(_: str, value: Any) -> Log:
    """An argument that is games that people played, or their file."""
    return value if isinstance(value, Playtests) else Path(value)


def real(name: str, value: Any) -> float:
    """An argument that must be a number. Raises ValueError."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name}={value!r} must be a number") from None


CONVERTERS: dict[Any, Callable[[str, Any], Any]] = {
    int: whole,
    float: real,
    str: text,
    bool: flag,
    Path: path,
    Log: log,
    list[str]: words,
    Settings: settings,
    Cards: cards,
}


def _type_words(kind: Any) -> str:
    """A type as NumPy docstrings write it."""
    known = {int | None: "int, optional", str | None: "str, optional", list[str]: "list of str", bool: "bool"}
    return known[kind]
