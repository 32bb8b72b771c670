"""How greedy plays: legally, better than chance, with no favoured seat."""

import numpy as np
import pytest

from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.runeslingers import GAME
from sim.run import collect

pytestmark = pytest.mark.soak  # thousands of games
DECKS = tuple(range(4))
SE = 4.0  # standard errors
MOSTLY = 0.75  # of games against chance


def played(policies: str, games: int, line_up: tuple[int, int]):
    """An experiment on the reference cards, played."""
    specs = tuple(PolicySpec.parse(text) for text in policies.split(","))
    return collect(Experiment(GAME.name, GAME.load(None), 2, specs, games, 11, line_up=line_up), jobs=1)


@pytest.mark.parametrize("deck", DECKS, ids=GAME.load(None).ids)
def test_greedy_beats_random_with_every_deck_on_both_seats(deck):
    shares = []
    for other in DECKS:
        if other != deck:
            ahead, behind = played("greedy:1,random", 40, (deck, other)), played("random,greedy:1", 40, (other, deck))
            assert (np.concatenate([ahead.rows["status"], behind.rows["status"]]) == Status.FINISHED).all()
            shares += [ahead.rows["share"][:, 0], behind.rows["share"][:, 1]]
    assert np.concatenate(shares).mean() >= MOSTLY


def test_swapped_seats_win_as_often():
    """Each deck against each other one, both ways round, by chance."""
    for one, other in ((0, 1), (1, 2), (2, 3), (3, 0)):
        here = played("random", 2_000, (one, other)).rows["share"][:, 0]
        there = played("random", 2_000, (other, one)).rows["share"][:, 1]
        error = np.sqrt((here.var() + there.var()) / len(here))
        assert abs(here.mean() - there.mean()) < SE * error
