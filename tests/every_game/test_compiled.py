"""The games of the tests share one folder of compiled code, whichever is registered first."""

import pytest

from sim.engine import jit
from tests.every_game.compiled import FOLDERS, engine_folder


@pytest.mark.skipif(not jit.COMPILED, reason="the compiler is off")
def test_no_game_of_the_tests_creates_another_folder(coin_duel, lone_climb, relay_teams, deck_race, dice_duel):
    assert jit._covered == [jit.SOURCES / "engine", jit.SOURCES / "games", *FOLDERS]
    assert engine_folder().is_relative_to(jit.cache_folder())
