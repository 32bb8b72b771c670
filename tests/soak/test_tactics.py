"""Which positions with one clearly best decision players solve, from `tactics.py` of each game."""

import re
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from sim.registry import GAMES
from tests.conftest import BUILT_IN
from tests.every_game.play import choice
from tests.games.readme import Readme, rows

pytestmark = [pytest.mark.soak, pytest.mark.compiles]

SEARCH, GREEDY = "search:800", "greedy:4"
FOUND_AT_LEAST = 0.9
DICE = 3  # number of the dice that the policy imagines
TACTICS = {name: import_module(f"tests.games.{name}.tactics").TACTICS for name in BUILT_IN}
SCORE = re.compile(r"(\d+) of (\d+)")

every_game = pytest.mark.parametrize("name", TACTICS)


@cache
def found_by(name: str, policy: str) -> frozenset[str]:
    """Names of the positions of a game in which a policy takes a best decision."""
    return frozenset(tactic.name for tactic in TACTICS[name] if decision_of(name, tactic, policy) in tactic.best)


def decision_of(name: str, tactic: Any, policy: str) -> str:
    """Decision of a policy in a position, in words."""
    state, cards, options = tactic.laid
    action, _ = choice(GAMES[name], state, cards.record, DICE, policy)
    words: str = options[action]
    return words


@every_game
def test_search_finds_what_is_to_be_found(name: str):
    missed = {tactic.name for tactic in TACTICS[name]} - found_by(name, SEARCH)
    assert len(missed) <= (1 - FOUND_AT_LEAST) * len(TACTICS[name]), missed


@every_game
def test_the_readme_has_the_number_that_each_player_finds(name: str):
    scores = {cells[0].split(",")[0].strip("`"): cells[1] for cells in rows(Readme(name).text) if SCORE.fullmatch(cells[1])}
    assert {SEARCH, GREEDY, GAMES[name].player} <= {*scores}
    assert scores == {policy: f"{len(found_by(name, policy))} of {len(TACTICS[name])}" for policy in scores}
