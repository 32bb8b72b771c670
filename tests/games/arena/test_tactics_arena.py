"""What players find in positions with one clearly best decision, see `tactics.py`."""

from functools import cache

import pytest

from sim.engine.jit import COMPILED
from sim.games.arena import GAME
from tests.every_game.play import choice
from tests.games.arena.tactics import CARDS, TACTICS, Tactic
from tests.games.readme import Readme

SEARCH, GREEDY = "search:800", "greedy:4"
FOUND_AT_LEAST = 0.9
DICE = 3  # which imagined dice

compiled = pytest.mark.skipif(not COMPILED, reason="thousands of playouts")


@cache
def found_by(policy: str) -> tuple[str, ...]:
    """Names of the positions in which a policy decides for the best."""
    return tuple(tactic.name for tactic in TACTICS if decision_of(tactic, policy) in tactic.best)


def decision_of(tactic: Tactic, policy: str) -> str:
    """What a policy decides in a position, in words."""
    action, _ = choice(GAME, tactic.state, CARDS.record, (tactic.to_act, DICE), policy)
    return GAME.words.action(tactic.state, CARDS, action)


@pytest.mark.parametrize("tactic", TACTICS, ids=lambda tactic: tactic.name)
def test_there_is_something_else_to_decide(tactic: Tactic):
    assert tactic.to_act == 0
    assert {*tactic.best} < {*tactic.options}


def test_there_are_enough_positions_of_their_own():
    assert len({tactic.name for tactic in TACTICS}) == len(TACTICS) >= 20
    assert sum(not tactic.glance for tactic in TACTICS) >= 10


@compiled
def test_search_finds_what_is_to_be_found():
    missed = {tactic.name for tactic in TACTICS} - {*found_by(SEARCH)}
    assert len(missed) <= (1 - FOUND_AT_LEAST) * len(TACTICS), missed


@compiled
def test_the_readme_tells_how_many_each_player_finds():
    scores = [f"| {policy} | {len(found_by(policy))} of {len(TACTICS)} |" for policy in (GREEDY, SEARCH)]
    assert [score for score in scores if score not in Readme("arena").text] == []
