"""The registry of games: the built-in ones, and those that other installed distributions provide.

A distribution names its games as entry points of the group `fairfight.games`, in its pyproject.toml:

    [project.entry-points."fairfight.games"]
    my_game = "my_game:GAME"

The package of a game is imported on first use. One that cannot be used is refused with a message; all others still work.
"""

from __future__ import annotations

import copyreg
import re
from collections.abc import Callable, Iterator, MutableMapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from traceback import walk_tb
from typing import Any

from sim.engine.cardfiles.paths import did_you_mean
from sim.engine.contract import Game, offer
from sim.stopping import heeding

GROUP = "fairfight.games"
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")  # of a game
RESERVED = ("all",)  # words that commands take in place of a game
NAMES = ("arena", "cardrogue", "riftborn", "rookling", "runeslingers")


def built_in(name: str) -> Game:
    """Import a built-in game. Raises KeyError for any other name."""
    if name not in NAMES:
        raise KeyError(name)
    with heeding():
        game: Game = import_module(f"sim.games.{name}").GAME
    return game


class GameError(ValueError):
    """A game of another distribution cannot be used."""


class Games(MutableMapping[str, Game]):
    """Games by name. Iterating over names imports nothing; reading a game imports that game alone.

    Importing one game takes about half a second, and all five take more than two. Other distributions are searched when a name
    is looked up that is not built in. Reading a game that cannot be used raises GameError.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self._games: dict[str, Game | None] = dict.fromkeys(names)  # None: not imported yet
        self._installed: dict[str, tuple[EntryPoint, ...]] | None = None  # by name; None: not searched yet
        self._refused: dict[str, str] = {}  # messages of games that were read in vain

    def __getitem__(self, name: str) -> Game:
        if name in self._games:
            game = self._games[name]
            if game is None:
                game = self[name] = built_in(name)
            return game
        if name in self._refused:
            raise GameError(self._refused[name])
        try:
            game = provided(name, self._outside()[name])
        except GameError as error:
            self._refused[name] = str(error)
            raise
        self._keep(name, game)
        return game

    def __setitem__(self, name: str, game: Game) -> None:
        self._keep(name, offer(game))

    def _keep(self, name: str, game: Game) -> None:
        """Keep a game. It is pickled as its name, so that other processes find it in their registry."""
        copyreg.pickle(type(game), by_name)
        self._games[name] = game

    def __delitem__(self, name: str) -> None:
        del self._games[name]

    def __contains__(self, name: object) -> bool:
        return name in self._games or name in self._outside()

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._games, *self._outside()]))

    def __len__(self) -> int:
        return len(self._games.keys() | self._outside().keys())

    def usable(self, refused: Callable[[str], None]) -> dict[str, Game]:
        """Import all games and return those that can be used. refused: called with the message of each other one."""
        games: dict[str, Game] = {}
        for name in self:
            try:
                games[name] = self[name]
            except GameError as error:
                refused(str(error))
        for name, entries in self._outside().items():
            if name in NAMES:
                refused(f"game {name!r} of {distributions(entries)}: this name is that of a built-in game; give it another one")
        return games

    def _outside(self) -> dict[str, tuple[EntryPoint, ...]]:
        """Entry points of installed distributions by the name of the game, in alphabetical order."""
        if self._installed is None:
            found: dict[str, tuple[EntryPoint, ...]] = {}
            for entry in entry_points(group=GROUP):
                found[entry.name] = (*found.get(entry.name, ()), entry)
            self._installed = dict(sorted(found.items()))
        return self._installed


def provided(name: str, entries: tuple[EntryPoint, ...]) -> Game:
    """Import a game from its entry point. Raises GameError if it has several, or what it names is not a game of that name."""
    where = f"game {name!r} of {distributions(entries)}"
    if len(entries) > 1:
        raise GameError(f"{where}: several distributions provide it; uninstall all but one")
    (entry,) = entries
    package = entry.module.partition(".")[0]
    if NAME.fullmatch(name) is None or name in RESERVED:
        raise GameError(
            f"{where}: the name of a game has at most 40 lower-case letters, digits and _, begins with a letter and is not 'all'"
        )
    try:
        with heeding():
            game = entry.load()
    except (Exception, SystemExit) as error:  # whatever goes wrong in foreign code, the other games must work
        raise GameError(f"{where}: {entry.value} cannot be imported: {described(error, package)}") from error
    if not isinstance(game, Game):
        raise GameError(f"{where}: {entry.value} must be a Game, as made by Game.of; it is of type {type(game).__name__}")
    if game.name != name:
        raise GameError(f"{where}: {entry.value} is named {game.name!r}; the entry point must have the same name")
    try:
        return offer(game)
    except ValueError as error:
        raise GameError(f"{where}: {error}") from error


def distributions(entries: tuple[EntryPoint, ...]) -> str:
    """Names and versions of the distributions of entry points."""
    dists: list[Any] = [entry.dist for entry in entries]
    return " and ".join(sorted(f"{dist.name} {dist.version}" for dist in dists))


def described(error: BaseException, package: str) -> str:
    """An exception in one line, with the last place in the code of a package."""
    places = [
        f" ({frame.f_code.co_filename}, line {line})"
        for frame, line in walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__")).partition(".")[0] == package
    ]
    text = " ".join(str(error).split())
    return f"{type(error).__name__}{f': {text}' if text else ''}{places[-1] if places else ''}"


GAMES = Games(NAMES)


def game_named(name: str) -> Game:
    """Return the game of that name. Raises ValueError with the nearest name and all known ones."""
    if name not in GAMES:
        hint, known = did_you_mean(name, sorted(GAMES)), f"known are {', '.join(sorted(GAMES))}"
        raise ValueError(f"game={name!r} is not known; {f'{hint} K{known[1:]}' if hint.startswith('did') else known}")
    return GAMES[name]


def by_name(game: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    """How a game is pickled: as its name."""
    return game_named, (game.name,)


def register(game: Game) -> Game:
    """Add a game from outside `sim/games`, which gets every feature of the built-in games; returns it with all its verbs."""
    GAMES[game.name] = game
    return GAMES[game.name]
