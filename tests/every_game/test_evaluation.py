"""Evaluations: logistic models of the features of a position, with the weights of the game's file."""

import math

import numpy as np
import pytest

from sim.engine.contract import Game
from sim.engine.evaluation import BASELINE, FILE_NAME, FITTED, read_weights
from sim.registry import GAMES
from tests.conftest import BUILT_IN
from tests.every_game.play import chance_of, enough, features_of, visited

WEIGHTS = {"weight": FITTED, "weight_baseline": BASELINE}
POSITIONS = enough(40, 8)  # for each number of seats


@pytest.fixture(params=BUILT_IN)
def published(request: pytest.FixtureRequest) -> Game:
    """Every built-in game."""
    return GAMES[request.param]


@pytest.mark.slow
def test_the_chance_is_that_of_a_logistic_model(published: Game):
    """Except that of seats that have won or lost already."""
    cards = published.load(None).record
    for seats in published.seats:
        for state, _ in visited(published, seats, games=2, wanted=POSITIONS):
            for seat in range(seats):
                found, chance = features_of(published, state, cards, seat), chance_of(state, cards, seat)
                assert np.isfinite([*found.values()]).all()
                total = math.fsum(w * x for w, x in zip(cards[0]["weight"][seats - 1], found.values(), strict=True))
                assert chance in (0, 1) or chance == pytest.approx(1 / (1 + math.exp(-total)), abs=1e-6)


def test_every_weight_of_the_file_is_in_the_record(published: Game):
    stored, record = read_weights(published.reference.with_name(FILE_NAME)), published.load(None).record[0]
    for field, kind in WEIGHTS.items():
        for seats in published.seats:
            assert [stored[kind][str(seats)][name] for name in published.features] == record[field][seats - 1].tolist()
