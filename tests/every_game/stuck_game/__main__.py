"""A faulty game whose decisions have no effect from game 2 on. Run as a module, it prints the error of `sim.run`."""

from dataclasses import replace

import numpy as np

from sim.engine.contract import Verbs
from sim.engine.jit import Record, kernel
from sim.registry import register
from sim.run import ContractError, collect
from tests.every_game.coin_duel import GAME as COIN_DUEL
from tests.every_game.play import experiment

STATE = np.dtype([("turn", np.int16), ("left", np.int16)])
GOOD_GAMES = 2


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """Only the first games end with their first decision."""
    state["left"] = rng["game"] >= GOOD_GAMES


@kernel
def current_player(state: Record) -> int:
    """Always the first seat."""
    return 0


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Nothing to choose."""
    out[0] = 0
    return 1


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """The fault: in later games the turn is never counted."""
    state["turn"] += state["left"] == 0


@kernel
def is_over(state: Record) -> bool:
    """Whether a turn has been played."""
    return state["turn"] > 0


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """The first seat wins."""
    out[0] = 1.0


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """The same value for every position."""
    return 0.5


@kernel
def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Nothing is hidden."""


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """No facts to record."""


if __name__ == "__main__":
    verbs = Verbs(deal, current_player, legal_actions, apply_action, is_over, returns, evaluate, resample_hidden, write_outcome)
    game = register(
        replace(COIN_DUEL, name="stuck", title="Stuck", state=STATE, verbs=verbs, turn_limit=lambda _: 3, hidden=(), facts=())
    )
    try:
        collect(experiment(game, 6), jobs=1)
    except ContractError as error:
        print(error)  # noqa: T201
