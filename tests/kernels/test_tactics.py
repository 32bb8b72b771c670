"""Positions with one clearly best decision, from `tactics.py` of each game."""

from importlib import import_module
from typing import Any

import pytest

from sim.engine.contract import current_player
from tests.conftest import BUILT_IN

pytestmark = pytest.mark.slow

LEAST, HARD = 20, 10  # positions, and those that need a look ahead
TACTICS = {name: import_module(f"tests.games.{name}.tactics").TACTICS for name in BUILT_IN}

every_game = pytest.mark.parametrize("name", TACTICS)


@pytest.mark.parametrize(
    "tactic", [pytest.param(tactic, id=f"{name}-{tactic.name}") for name, tactics in TACTICS.items() for tactic in tactics]
)
def test_the_best_decisions_are_open_and_not_all_that_is(tactic: Any):
    state, _, options = tactic.laid
    assert current_player(state) == tactic.seat
    assert {*tactic.best} < {*options.values()}


@every_game
def test_there_are_enough_different_positions(name: str):
    assert len({tactic.name for tactic in TACTICS[name]}) == len(TACTICS[name]) >= LEAST
    assert sum(not tactic.glance for tactic in TACTICS[name]) >= HARD
