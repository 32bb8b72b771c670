"""All games, one line each; a game's package offers it as `GAME` and is imported when the game is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.engine.contract import Game

BUILT_IN = {
    "arena": "sim.games.arena",
    "cardrogue": "sim.games.cardrogue",
    "riftborn": "sim.games.riftborn",
    "rookling": "sim.games.rookling",
    "runeslingers": "sim.games.runeslingers",
}


class Games(MutableMapping[str, "Game"]):
    """Games by name. Iterating over names imports nothing; reading a game imports that game alone.

    Importing one game takes about half a second, all five more than two.
    """

    def __init__(self, packages: dict[str, str]) -> None:
        self._packages = dict(packages)
        self._games: dict[str, Game] = {}

    def __getitem__(self, name: str) -> Game:
        if name not in self._games:
            package = import_module(self._packages[name])
            self[name] = package.GAME
        return self._games[name]

    def __setitem__(self, name: str, game: Game) -> None:
        from sim.engine.contract import offer  # noqa: PLC0415 - imports numba

        self._games[name] = offer(game)
        self._packages.setdefault(name, "")

    def __delitem__(self, name: str) -> None:
        del self._packages[name]
        self._games.pop(name, None)

    def __contains__(self, name: object) -> bool:
        return name in self._packages

    def __iter__(self) -> Iterator[str]:
        return iter(self._packages)

    def __len__(self) -> int:
        return len(self._packages)


GAMES = Games(BUILT_IN)


def game_named(name: str) -> Game:
    """Return the game of that name. Raises ValueError listing the games that there are."""
    if name not in GAMES:
        raise ValueError(unknown_game(name))
    return GAMES[name]


def unknown_game(name: str) -> str:
    """Message for a name that is no game's, with all that are."""
    return f"game={name!r} is not known; known are {', '.join(sorted(GAMES))}"


def register(game: Game) -> Game:
    """Add a game from outside `sim/games`: it can do whatever the built-in ones can."""
    GAMES[game.name] = game
    return game
