"""What players find in positions with one clearly best decision, see `tactics.py`."""

from functools import cache

import pytest

from sim.engine.jit import COMPILED
from sim.games.cardrogue import GAME
from tests.every_game.play import choice
from tests.games.cardrogue.tactics import TACTICS, Tactic
from tests.games.readme import Readme

SEARCH, GREEDY = "search:800", "greedy:4"
FOUND_AT_LEAST = 0.9
DICE = 3  # which imagined dice

pytestmark = pytest.mark.skipif(not COMPILED, reason="thousands of playouts")


@cache
def found_by(policy: str) -> tuple[str, ...]:
    """Names of the positions in which a policy decides for the best."""
    return tuple(tactic.name for tactic in TACTICS if decision_of(tactic, policy) in tactic.best)


def decision_of(tactic: Tactic, policy: str) -> str:
    """What a policy decides in a position, in words."""
    play = tactic.lay()
    action, _ = choice(GAME, play.state, play.cards.record, (play.to_act, DICE), policy)
    return GAME.words.action(play.state, play.cards, action)


@pytest.mark.parametrize("tactic", TACTICS, ids=lambda tactic: tactic.name)
def test_there_is_something_else_to_decide(tactic: Tactic):
    assert set(tactic.best) < set(tactic.lay().options)


def test_there_are_enough_positions_of_their_own():
    assert len({tactic.name for tactic in TACTICS}) == len(TACTICS) >= 20
    assert sum(not tactic.glance for tactic in TACTICS) >= 10


def test_search_finds_what_is_to_be_found():
    found = found_by(SEARCH)
    assert len(found) >= FOUND_AT_LEAST * len(TACTICS), {tactic.name for tactic in TACTICS} - set(found)


@pytest.mark.parametrize("policy", [GREEDY, f"{GREEDY}/hand", "search:200", SEARCH])
def test_the_readme_tells_how_many_a_player_finds(policy: str):
    assert f"| `{policy}` | {len(found_by(policy))} of {len(TACTICS)} |" in Readme("cardrogue").text
