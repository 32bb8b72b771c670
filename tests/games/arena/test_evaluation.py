"""The evaluation: its features and their weights."""

from typing import Any

import numpy as np
import pytest

from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.arena import GAME
from sim.games.arena.position import place
from sim.games.arena.state import STATE
from sim.run import replay
from tests.every_game.play import chance_of, features_of
from tests.games.arena.builders import dealt
from tests.games.arena.tactics import CARDS, hero

EVERY = 4  # positions of a game
NEAR_EVEN = 0.3  # by which winning chances during setup can differ from even


def lay(*heroes: dict[str, Any], **more: Any) -> np.void:
    """A position as a STATE record."""
    table = np.zeros(1, STATE)
    place({"phase": "move", "heroes": list(heroes), **more}, CARDS, table[0])
    return table[0]


def seen(state: np.void, seat: int = 0) -> dict[str, float]:
    """The features of a position, by name."""
    return features_of(GAME, state, CARDS.record, seat)


def chance(state: np.void, seat: int = 0) -> float:
    return chance_of(state, CARDS.record, seat)


def test_of_two_seats_the_features_are_opposite():
    state = lay(hero("valasca", (0, 1), rage=2, marker=2), hero("hook_thrower", (0, 3), slow=1, protection=1))
    own, other = seen(state), seen(state, 1)
    assert own.pop("constant") == other.pop("constant") == 1
    assert own == pytest.approx({name: -value for name, value in other.items()})


def test_a_hero_that_is_out_has_lost_and_the_last_one_has_won():
    state = lay(hero("valasca", (0, 1)), hero("rhino_guy", (0, 3)), hero("bow_master", (0, -3)))
    state["place"][:3] = (0, 3, 0)
    assert chance(state, 1) == 0
    state["place"][:3] = (1, 3, 2)
    assert [chance(state, seat) for seat in range(3)] == [1, 0, 0]


def test_tokens_and_energy_count():
    state = lay(hero("valasca", (0, 0), rage=2), hero("rhino_guy", (0, -4), protection=2, marker=1))
    found, tired = seen(state), lay(hero("valasca", (0, 0), marker=3), hero("rhino_guy", (0, -4)))
    assert (found["rage"], found["protection"]) == (1, -1)
    assert found["energy"] > 0 > seen(tired)["energy"]


def test_a_throw_into_the_water_is_seen_coming():
    """Five dice against two at a hero on the rim; in the middle of the board neither throws the other out."""
    rhino = hero("rhino_guy", (0, 2))
    rim, middle = lay(rhino, hero("valasca", (0, 4))), lay(rhino, hero("valasca", (0, 0)))
    assert seen(rim)["strike"] > seen(middle)["strike"] == 0
    assert seen(rim)["race"] > seen(middle)["race"] == 0
    assert chance(rim) > chance(middle)


@pytest.mark.parametrize("seats", GAME.seats)
def test_during_setup_no_seat_is_far_ahead(seats: int):
    """A hero that is not placed yet has neither won nor lost."""
    game = dealt(seats)
    while game.phase == "START":
        chances = [chance(game.state, seat) for seat in range(seats)]
        assert chances == pytest.approx([1 / seats] * seats, abs=NEAR_EVEN)
        game.answer(game.options()[0])


def test_every_position_has_features_about_1_in_size():
    experiment = Experiment(GAME.name, CARDS, 3, (PolicySpec.parse("random"),), 1, 6)
    for state in replay(experiment, 0, 1).positions[::EVERY]:
        features = np.array([*seen(state).values()])
        assert np.isfinite(features).all()
        assert np.abs(features).max() < 10
