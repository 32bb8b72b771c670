"""Positions of Coin duel with known chances, as replays with chosen decisions."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.loop import MOVE, ROW, Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import Replay
from tests.every_game.coin_duel import GAME, STATE


def cards_with(**rules: int) -> CardSet:
    """The reference set with other rules."""
    document = GAME.load(None).document
    return GAME.from_document({**document, "rules": {**document["rules"], **rules}}, GAME.reference)


def experiment(cards: CardSet, policy: str = "random", games: int = 9, **more: Any) -> Experiment:
    """Games at two seats."""
    return Experiment(GAME.name, cards, 2, (PolicySpec.parse(policy),), games, 7, **more)


def placed(cards: CardSet, **position: Any) -> np.void:
    """A position of Pike against Maul, by readable names."""
    state = np.zeros(1, STATE)
    GAME.words.place({"fighters": ["pike", "maul"]} | position, cards, state[0])
    return state[0]


def replayed(decisions: Sequence[tuple[np.void, int, int, int]], end: np.void, share: Sequence[float]) -> Replay:
    """A log of decisions (position, seat, action, options) and an end. share: of the win by seat, all 0 if truncated."""
    rows, moves = np.zeros(1, ROW), np.zeros(len(decisions) + 1, MOVE)
    rows["entrant"][0, :2], rows["seats"], rows["share"][0, :2] = (0, 1), 2, share
    rows["status"] = Status.FINISHED if any(share) else Status.TRUNCATED
    for line, (state, seat, action, options) in enumerate(decisions):
        moves[line] = (0, state["turn"], action, options, seat)
    moves[-1] = (0, end["turn"], -1, 0, 0)
    positions = np.array([*(state for state, *_ in decisions), end], STATE)
    return Replay(rows, np.zeros(1, GAME.outcome), moves, positions, np.zeros((len(moves), 4)))
