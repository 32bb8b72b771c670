"""Resolutions for kernels and model: where spills land, and random rows, amounts and switches that matter to them."""

from itertools import product
from random import Random

import numpy as np

from sim.games.rookling.cards import HoldBlock
from sim.games.rookling.record import CARDS
from tests.games.rookling.model.resolve import Switches

POSITIONS = range(3)
E1B = 0.15  # share of problems without any defence, as poison is
SWITCHES = [Switches(*values) for values in product((False, True), ("if_more", "free"), (False, True))]
SPILLS = [  # ROOK-49, G-05: positions in siege-state, the one that is struck, where the spill can land
    ({0}, 0, {1}),
    ({2}, 2, {1}),
    ({1}, 1, {0, 2}),
    ({0, 1}, 0, {2}),
    ({0, 1}, 1, {2}),
    ({1, 2}, 1, {0}),
    ({1, 2}, 2, {0}),
    ({0, 2}, 0, {1}),
    ({0, 2}, 2, {1}),
]
Numbers = tuple[int, ...]
Problem = tuple[Numbers, Numbers, Numbers]  # life, attacks, defences, by position


def random_problem(rng: Random) -> Problem:
    """Life, attacks and defences of a row; siege-states and blocks come more often than in a game."""
    life = [rng.choice((0, 0, 0, 1, 2, 3, 4, 6, 15)) for _ in POSITIONS]
    life[rng.randrange(3)] = rng.randint(1, 15 if rng.random() < 0.2 else 6)
    attacks = [rng.choice((0, 1, 2, 3, 4, 5, 8, rng.randint(0, 1023))) for _ in POSITIONS]
    if rng.random() < E1B:
        return tuple(life), tuple(attacks), (0, 0, 0)
    return tuple(life), tuple(attacks), tuple(rng.choice((0, 1, 2, 3, 4, rng.randint(0, 1023))) for _ in POSITIONS)


def cards_of(switches: Switches) -> np.void:
    """A CARDS record, as far as the resolution reads it."""
    cards: np.void = np.zeros(1, CARDS)[0]
    cards["siege_chain_blocks"], cards["hit_on_landing"] = switches.siege_chain_blocks, switches.hit_on_landing
    cards["hold_block"] = HoldBlock[switches.hold_block.upper()]
    return cards
