"""Helpers that play any game from the tests. Run as a module, they print digests for tests in another process.

python -m tests.every_game.play "arena ends greedy:1 8 400" "coin_duel 2 random 8 400"

means 8 games of the Arena with the fewest and 8 with the most players, each stopped after 400 turns, and 8 games of the Coin duel
with 2 players. Prints a line for each game.
"""

import hashlib
import os
import sys
from collections.abc import Iterator
from dataclasses import replace as with_changes
from importlib import import_module
from typing import NamedTuple

import numpy as np

from sim.engine import contract
from sim.engine.contract import Game
from sim.engine.dice import DICE, SEATS_MAX, open_dice
from sim.engine.inspection import evaluate_options, evaluate_positions, list_features
from sim.engine.jit import COMPILED, interpreted
from sim.engine.loop import advance
from sim.engine.policies import PolicySpec, players
from sim.engine.scenario import NO_DECISION
from sim.engine.workspace import GAME, ROLLED, Workspace, new_workspace
from sim.experiments.experiment import Experiment
from sim.registry import GAMES, register
from sim.run import Block, blocks, replay
from tests.conftest import SLOW

WHOLE = "FAIRFIGHT_SOAK" in os.environ  # whether tests of random cases try all of them
SPARING = 4  # factor by which games with slow policies are played less often


def enough(compiled: int, plain: int) -> int:
    """The number of games with and without the compiler, which takes a hundredth of a second for each game."""
    return compiled if COMPILED else plain


def shortened(number: int, divisor: int = 5) -> int:
    """A number of cases: all of them in `make soak`, one in `divisor` otherwise."""
    return number if WHOLE else number // divisor


def spared(game: Game, number: int) -> int:
    """A number of games or positions, fewer for games that take long."""
    return number // SPARING if game.name in SLOW else number


def cut(game: Game, turns: int) -> Game:
    """The game with a turn limit; register it under its name to play it."""
    return with_changes(game, turn_limit=lambda _: turns)


def experiment(game: Game, games: int, policy: str = "random", seats: int = 0, seed: int = 7) -> Experiment:
    """An experiment on the reference cards. policy: as users write it; seats: 0 for the fewest."""
    specs = tuple(PolicySpec.parse(text) for text in policy.split(","))
    return Experiment(game.name, game.load(None), seats or game.seats[0], specs, games, seed)


def joined(parts: Iterator[Block]) -> bytes:
    """Every byte of the rows and outcomes, block by block because joining arrays would lose the bytes between fields."""
    played = list(parts)
    return b"".join([block.rows.tobytes() for block in played] + [block.outcomes.tobytes() for block in played])


def fields(record: np.void) -> dict[str, bytes]:
    """The bytes of each field, also of nested records. Padding is left out because copies change it."""
    contents: dict[str, bytes] = {}
    for name in record.dtype.names:
        if record.dtype[name].names:
            contents |= {f"{name}.{inner}": value for inner, value in fields(record[name]).items()}
        else:
            contents[name] = record[name].tobytes()
    return contents


def fresh_dice(game_index: int = 0, seed: int = 99, turn: int = 0) -> np.void:
    """A new DICE record."""
    dice = np.zeros(1, DICE)
    with interpreted():
        open_dice(dice[0], np.uint64(seed), np.uint64(game_index), np.arange(SEATS_MAX, dtype=np.uint32))
    dice["turn"] = turn
    return dice[0]


def visited(
    game: Game,
    seats: int,
    games: int = enough(4, 2),
    policy: str = "random",
    wanted: int = enough(shortened(150, 2), shortened(150, 6)),
) -> Iterator[tuple[np.void, np.void]]:
    """Copies of positions with a decision, and the log line of each, from every game.

    One game at a time, because the positions of several games can be too many for the memory.
    """
    made = experiment(game, 64, policy, seats)
    for index in range(games):
        log = replay(made, index)
        for i in range(0, len(log.moves), max(1, len(log.moves) * games // wanted)):
            if log.moves[i]["action"] >= 0:
                yield log.positions[i : i + 1].copy()[0], log.moves[i]


class Reached(NamedTuple):
    """A position after an action, the dice after it, and the legal actions, none if the game is over."""

    state: np.void
    dice: np.void
    options: list[int]


def reached(game: Game, state: np.void, cards: np.ndarray, action: int, dice: np.void) -> Reached:
    """What an action leads to, from a kernel that is compiled for all games; state and dice stay. cards: (1,) CARDS."""
    workspace = new_workspace(game.state, game.options_max, SEATS_MAX)
    workspace.states[GAME], workspace.dice[ROLLED], workspace.options[:] = state, dice, -7
    count = advance(workspace, cards, action)
    return Reached(workspace.states[GAME], workspace.dice[ROLLED], workspace.options[:count].tolist())


def seat_at(state: np.void) -> int:
    """The seat that decides in a state."""
    with interpreted():
        return int(contract.current_player(state))


def is_over(state: np.void) -> bool:
    """Whether a game is over."""
    with interpreted():
        return bool(contract.is_over(state))


def options(game: Game, state: np.void, cards: np.ndarray) -> list[int]:
    """The legal actions of a state that is not over."""
    found = reached(game, state, cards, NO_DECISION, fresh_dice()).options
    assert 1 <= len(found) <= game.options_max
    return found


def chance_of(state: np.void, cards: np.ndarray, seat: int) -> float:
    """A seat's estimate in a position, from the kernel that is compiled for all games. cards: (1,) CARDS."""
    chances = np.zeros((1, seat + 1))
    evaluate_positions(np.array([state], state.dtype), cards, seat + 1, chances)
    return float(chances[0, seat])


def features_of(game: Game, state: np.void, cards: np.ndarray, seat: int) -> dict[str, float]:
    """The features of a position by name, as above."""
    found = np.full((1, seat + 1, len(game.features)), np.nan)
    list_features(np.array([state], state.dtype), cards, seat + 1, found)
    return dict(zip(game.features, found[0, seat].tolist(), strict=True))


def redealt(state: np.void, cards: np.ndarray, seat: int, number: int = 0) -> np.void:
    """A copy of a state with a new sample of what the seat cannot see."""
    copy = state.copy()
    with interpreted():
        contract.resample_hidden(copy, cards[0], seat, fresh_dice(number))
    return copy


def greedy_choice(game: Game, state: np.void, cards: np.ndarray, number: int) -> tuple[int, Workspace]:
    """The action that greedy:2 chooses with given dice, and the workspace afterwards."""
    return choice(game, state, cards, number, "greedy:2")


def choice(game: Game, state: np.void, cards: np.ndarray, number: int, policy: str) -> tuple[int, Workspace]:
    """The action that a policy chooses, and the workspace afterwards. number: of the dice."""
    spec = PolicySpec.parse(policy)
    workspace = new_workspace(game.state, game.options_max, SEATS_MAX, spec.nodes, width=spec.width, samples=spec.hands)
    for role in range(len(workspace.dice)):
        workspace.dice[role] = fresh_dice(number)
        workspace.dice[role]["role"] = role
    if spec.baseline:  # the second row is for players with baseline weights
        cards = np.concatenate([cards, cards])
        cards["weight"][1] = cards["weight_baseline"][1]
        cards.flags.writeable = False  # as those of an experiment, so that the kernel is not compiled for another type
    listed, values = np.zeros((1, game.options_max), np.int32), np.zeros((1, game.options_max))
    chosen = evaluate_options(workspace, cards, players([spec]), np.array([state], game.state), listed, values)
    return int(listed[0, chosen]), workspace


def digest(game: Game, seats: int, policy: str, games: int) -> str:
    """SHA-256 of all rows and outcomes of an experiment."""
    return hashlib.sha256(joined(blocks(experiment(game, games, policy, seats), jobs=1))).hexdigest()


def digests(asked: str) -> list[str]:
    """A digest for each number of seats.

    asked: game, seats (`ends`: the fewest and the most), policy, games at each, turns after which they are stopped.
    """
    name, tables, policy, games, turns = asked.split()
    if name not in GAMES:
        register(import_module(f"tests.every_game.{name}").GAME)
    usual = GAMES[name]
    tables_named = {"most": [usual.seats[-1]], "ends": sorted({usual.seats[0], usual.seats[-1]})}
    chosen = tables_named.get(tables) or [int(tables)]
    GAMES[name] = cut(usual, min(int(turns), usual.turn_limit(usual.load(None))))
    try:
        return [digest(GAMES[name], seats, policy, int(games)) for seats in chosen]
    finally:
        GAMES[name] = usual


if __name__ == "__main__":
    for asked in sys.argv[1:]:
        print(*digests(asked))  # noqa: T201
