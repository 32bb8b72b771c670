"""Helpers that play any game from the tests; run as a module they print a digest, for runs in another process.

python -m tests.every_game.play arena 2 greedy:1 8
"""

import hashlib
import sys
from collections.abc import Iterator
from importlib import import_module

import numpy as np

from sim.engine import contract
from sim.engine.contract import Game
from sim.engine.dice import DICE, SEATS_MAX, open_dice
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.experiment import Experiment
from sim.registry import GAMES, register
from sim.run import Block, blocks, replay


def enough(compiled: int, plain: int) -> int:
    """A number of games for either way to run: without the compiler a game takes a hundredth of a second."""
    return compiled if COMPILED else plain


def experiment(game: Game, games: int, policy: str = "random", seats: int = 0, seed: int = 7) -> Experiment:
    """An experiment on the reference cards. policy: as users write it; seats: the fewest if 0."""
    specs = tuple(PolicySpec.parse(text) for text in policy.split(","))
    return Experiment(game.name, game.load(None), seats or game.seats[0], specs, games, seed)


def joined(parts: Iterator[Block]) -> bytes:
    """Every byte of the rows and outcomes. Block by block: joining arrays would not keep the bytes between fields."""
    done = list(parts)
    return b"".join([block.rows.tobytes() for block in done] + [block.outcomes.tobytes() for block in done])


def fields(record: np.void) -> dict[str, bytes]:
    """The bytes of each field; those between fields mean nothing and a copy may change them."""
    return {name: record[name].tobytes() for name in record.dtype.names}


def fresh_dice(game_index: int = 0, seed: int = 99) -> np.void:
    """Dice of their own, one DICE record."""
    dice = np.zeros(1, DICE)
    open_dice(dice[0], np.uint64(seed), np.uint64(game_index), np.arange(SEATS_MAX, dtype=np.uint32))
    return dice[0]


def visited(game: Game, seats: int, games: int = 4, policy: str = "random") -> Iterator[tuple[np.void, np.void]]:
    """Positions with something to decide, as copies to spoil, and the log line of each: some from every game."""
    log = replay(experiment(game, 64, policy, seats), 0, games)
    step = max(1, len(log.moves) // 150)
    for i in range(0, len(log.moves), step):
        if log.moves[i]["action"] >= 0:
            yield log.positions[i : i + 1].copy()[0], log.moves[i]


def options(game: Game, state: np.void, cards: np.ndarray) -> list[int]:
    """Decisions open in a state."""
    out = np.full(game.options_max, -7, np.int32)
    count = contract.legal_actions(state, cards[0], out)
    assert 1 <= count <= game.options_max
    return out[:count].tolist()


def digest(game: Game, seats: int, policy: str, games: int) -> str:
    """SHA-256 of all that an experiment yields."""
    return hashlib.sha256(joined(blocks(experiment(game, games, policy, seats), jobs=1))).hexdigest()


if __name__ == "__main__":
    name, seats_text, policy_text, games_text = sys.argv[1:]
    if name not in GAMES:
        register(import_module(f"tests.every_game.{name}").GAME)
    print(digest(GAMES[name], int(seats_text), policy_text, int(games_text)))  # noqa: T201
