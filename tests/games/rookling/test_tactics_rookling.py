"""What players find in positions with one clearly best decision, see `tactics.py`."""

from functools import cache

import numpy as np
import pytest

from sim.engine.jit import COMPILED
from sim.games.rookling import GAME
from tests.every_game.play import choice
from tests.games.readme import Readme
from tests.games.rookling.tactics import TACTICS, Tactic

SEARCH, GREEDY = "search:800", "greedy:4"
FOUND_AT_LEAST = 0.9
DICE = 3  # which imagined dice


@cache
def found_by(policy: str) -> tuple[str, ...]:
    """Names of the positions in which a policy decides for the best."""
    return tuple(tactic.name for tactic in TACTICS if decision_of(tactic, policy) in tactic.best)


def decision_of(tactic: Tactic, policy: str) -> str:
    """What a policy decides in a position, in words."""
    play = tactic.play
    action, _ = choice(GAME, play.state, play.cards.record, (play.to_act, DICE), policy)
    return dict(zip(play.codes, play.options, strict=True))[action]


@pytest.mark.parametrize("tactic", TACTICS, ids=lambda tactic: tactic.name)
def test_there_is_something_else_to_decide(tactic: Tactic):
    play = tactic.play
    assert play.to_act == 0
    assert set(tactic.best) < set(play.options)


def test_there_are_enough_positions_of_their_own():
    assert len({tactic.name for tactic in TACTICS}) == len(TACTICS) >= 20
    assert sum(not tactic.glance for tactic in TACTICS) >= 10


@pytest.mark.skipif(not COMPILED, reason="thousands of playouts")
def test_search_finds_what_is_to_be_found():
    found = found_by(SEARCH)
    assert len(found) >= FOUND_AT_LEAST * len(TACTICS), {tactic.name for tactic in TACTICS} - set(found)


@pytest.mark.skipif(not COMPILED, reason="thousands of playouts")
def test_the_readme_tells_how_many_each_player_finds():
    scores = [f"| {policy} | {len(found_by(policy))} of {len(TACTICS)} |" for policy in (GREEDY, SEARCH)]
    assert [score for score in scores if score not in Readme("rookling").text] == []


def test_what_is_hidden_decides_nothing():
    """The other hand is anything that it can be: a position says only how many cards it holds."""
    tactic = next(one for one in TACTICS if one.two.get("hand"))
    play = tactic.play
    play.state["hand"][1] = np.roll(play.state["hand"][1], 1)
    action, _ = choice(GAME, play.state, play.cards.record, (0, DICE), GREEDY)
    assert dict(zip(play.codes, play.options, strict=True))[action] == decision_of(tactic, GREEDY)
