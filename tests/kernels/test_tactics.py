"""Positions with one clearly best decision, from `tactics.py` of each game: which of them players solve."""

import re
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from sim.engine.contract import current_player
from sim.engine.jit import COMPILED
from sim.registry import GAMES
from tests.conftest import BUILT_IN, in_soak
from tests.every_game.play import WHOLE, choice
from tests.games.readme import Readme, rows

pytestmark = pytest.mark.slow

SEARCH, GREEDY = "search:800", "greedy:4"
FOUND_AT_LEAST = 0.9
LEAST, HARD = 20, 10  # positions, and those that need a look ahead
DICE = 3  # number of the dice that the policy imagines
TACTICS = {name: import_module(f"tests.games.{name}.tactics").TACTICS for name in BUILT_IN}
SCORE = re.compile(r"(\d+) of (\d+)")

every_game = pytest.mark.parametrize("name", TACTICS)
quick_to_search = pytest.mark.parametrize("name", [in_soak(name) if GAMES[name].report_games else name for name in TACTICS])
compiled = pytest.mark.skipif(not COMPILED, reason="thousands of playouts")


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


@compiled
@quick_to_search
def test_search_finds_what_is_to_be_found(name: str):
    missed = {tactic.name for tactic in TACTICS[name]} - found_by(name, SEARCH)
    assert len(missed) <= (1 - FOUND_AT_LEAST) * len(TACTICS[name]), missed


@compiled
@every_game
def test_the_readme_has_the_number_that_each_player_finds(name: str):
    scores = {cells[0].split(",")[0].strip("`"): cells[1] for cells in rows(Readme(name).text) if SCORE.fullmatch(cells[1])}
    assert {SEARCH, GREEDY, GAMES[name].player} <= {*scores}
    if GAMES[name].report_games and not WHOLE:
        scores = {policy: score for policy, score in scores.items() if not policy.startswith("search")}  # takes half a minute
    assert scores == {policy: f"{len(found_by(name, policy))} of {len(TACTICS[name])}" for policy in scores}
