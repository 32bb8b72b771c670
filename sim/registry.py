"""The registry of games. The package of a game defines it as `GAME` and is imported on first use."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING

from sim.engine.cardfiles.paths import did_you_mean

if TYPE_CHECKING:
    from sim.engine.contract import Game

NAMES = ("arena", "cardrogue", "riftborn", "rookling", "runeslingers")


def built_in(name: str) -> Game:
    """Import a built-in game. Raises KeyError for any other name."""
    match name:
        case "arena":
            from sim.games.arena import GAME
        case "cardrogue":
            from sim.games.cardrogue import GAME
        case "riftborn":
            from sim.games.riftborn import GAME
        case "rookling":
            from sim.games.rookling import GAME
        case "runeslingers":
            from sim.games.runeslingers import GAME
        case _:
            raise KeyError(name)
    return GAME


class Games(MutableMapping[str, "Game"]):
    """Games by name. Iterating over names imports nothing; reading a game imports that game alone.

    Importing one game takes about half a second, and all five take more than two.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self._games: dict[str, Game | None] = dict.fromkeys(names)  # None: not imported yet

    def __getitem__(self, name: str) -> Game:
        game = self._games[name]
        if game is None:
            game = self[name] = built_in(name)
        return game

    def __setitem__(self, name: str, game: Game) -> None:
        from sim.engine.contract import offer

        self._games[name] = offer(game)

    def __delitem__(self, name: str) -> None:
        del self._games[name]

    def __contains__(self, name: object) -> bool:
        return name in self._games

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


GAMES = Games(NAMES)


def game_named(name: str) -> Game:
    """Return the game of that name. Raises ValueError with the nearest name and all known ones."""
    if name not in GAMES:
        hint, known = did_you_mean(name, sorted(GAMES)), f"known are {', '.join(sorted(GAMES))}"
        raise ValueError(f"game={name!r} is not known; {f'{hint} K{known[1:]}' if hint.startswith('did') else known}")
    return GAMES[name]


def register(game: Game) -> Game:
    """Add a game from outside `sim/games`; it gets every feature of the built-in games."""
    GAMES[game.name] = game
    return game
