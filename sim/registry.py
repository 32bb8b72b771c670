"""All games, one line each. A game's package offers it as `GAME`."""

from sim.engine.contract import Game, offer
from sim.engine.fieldpaths import did_you_mean
from sim.games.arena import GAME as ARENA
from sim.games.cardrogue import GAME as CARD_ROGUE
from sim.games.riftborn import GAME as RIFTBORN
from sim.games.rookling import GAME as ROOKLING
from sim.games.runeslingers import GAME as RUNESLINGERS

GAMES: dict[str, Game] = {game.name: offer(game) for game in (ARENA, CARD_ROGUE, RIFTBORN, ROOKLING, RUNESLINGERS)}


def game_named(name: str) -> Game:
    """Return the game of that folder name. Raises ValueError listing the games that there are."""
    if name not in GAMES:
        hint, known = did_you_mean(name, sorted(GAMES)), f"known are {', '.join(sorted(GAMES))}"
        raise ValueError(f"game={name!r} is not known; {f'{hint} K{known[1:]}' if hint.startswith('did') else known}")
    return GAMES[name]


def register(game: Game) -> Game:
    """Add a game from outside `sim/games`: it can do whatever the built-in ones can."""
    GAMES[game.name] = offer(game)
    return game
