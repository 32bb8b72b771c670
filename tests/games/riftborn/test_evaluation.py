"""Greedy plays sensibly, no seat is favoured, half-made decisions are valued correctly."""

import numpy as np
import pytest

from sim.engine.decks import DeckList
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.riftborn import GAME
from sim.games.riftborn.decks import DECKING
from sim.games.riftborn.state import Phase
from sim.run import collect, replay
from tests.every_game.play import chance_of, fresh_dice, options, reached

pytestmark = pytest.mark.soak  # thousands of games
DECKS = tuple(range(4))
SE = 4.0  # standard errors
JUMP = 0.25  # of the winning chance: more is never promised for nothing


def played(policies: str, games: int, line_up: tuple[int, int] | None = None, cards=None):
    """An experiment on the reference cards, played."""
    specs = tuple(PolicySpec.parse(text) for text in policies.split(","))
    made = Experiment(GAME.name, cards or GAME.load(None), 2, specs, games, 11, line_up=line_up)
    return collect(made, jobs=1)


@pytest.mark.parametrize("deck", DECKS, ids=GAME.load(None).ids)
def test_greedy_beats_random_in_nine_games_of_ten_with_every_deck_on_both_seats(deck):
    """Invariant 12, against each other deck."""
    for other in DECKS:
        if other != deck:
            ahead = played("greedy:1,random", 60, (deck, other)).rows["share"][:, 0]
            behind = played("random,greedy:1", 60, (other, deck)).rows["share"][:, 1]
            assert np.concatenate([ahead, behind]).mean() >= 0.9


def test_sensible_games_last_some_twenty_to_sixty_player_turns():
    turns = played("greedy:1", 600).rows["turns"]
    assert 20 <= np.median(turns) <= 60
    assert (turns < 200).all()


@pytest.mark.parametrize(("policy", "games"), [("random", 4_000), ("greedy:1", 2_000)])
@pytest.mark.parametrize("deck", DECKS, ids=GAME.load(None).ids)
def test_a_deck_against_itself_wins_half_the_games_on_either_seat(deck, policy, games):
    """Invariant 12: only the coin favours a player. The same deck twice, under two ids."""
    document = GAME.load(None).document
    cards = DeckList(document["deck"][deck]["cards"])
    twins = GAME.from_document(DECKING.only(document, {"one": cards, "two": cards}))
    shares = played(policy, games, (0, 1), twins).rows
    won = shares["share"][shares["status"] == Status.FINISHED, 0]
    assert abs(won.mean() - 0.5) < SE * won.std() / np.sqrt(len(won))
    first = (shares["first"] == 0).mean()
    assert abs(first - 0.5) < SE * 0.5 / np.sqrt(len(shares))


def test_swapped_seats_win_as_often():
    """Each deck against each other one, both ways round."""
    for one, other in ((0, 1), (1, 2), (2, 3), (3, 0)):
        here = played("random", 2_000, (one, other)).rows["share"][:, 0]
        there = played("random", 2_000, (other, one)).rows["share"][:, 1]
        error = np.sqrt((here.var() + there.var()) / len(here))
        assert abs(here.mean() - there.mean()) < SE * error


HALF_MADE = (Phase.CREATURE, Phase.PLACE, Phase.TARGET, Phase.ROW)


def test_half_made_decisions_promise_no_more_than_the_best_that_comes_of_them():
    """From a half-made decision of its own to the best of what may follow, a seat's estimate hardly changes."""
    cards, falls = GAME.load(None), []
    for index in range(12):
        made = Experiment(GAME.name, cards, 2, (PolicySpec.parse("random"),), 24, 5)
        for state in replay(made, index).positions[::7]:
            if Phase(state["phase"]) in HALF_MADE:
                seat = int(state["seat"])
                now = chance_of(state, cards.record, seat)
                best = max(after(state, cards, code, seat) for code in options(GAME, state, cards.record))
                falls.append(best - now)
    assert len(falls) > 100
    assert np.abs(falls).max() < JUMP
    assert abs(np.mean(falls)) < JUMP / 10


def after(state, cards, code: int, seat: int) -> float:
    """A seat's estimate after a decision; dice as they fall."""
    return chance_of(reached(GAME, state, cards.record, code, fresh_dice(turn=state["turn"])).state, cards.record, seat)


def test_taking_a_creature_in_hand_decides_nothing():
    """MAIN to CREATURE: the estimate moves by what is promised, within bounds."""
    cards, moved = GAME.load(None), []
    for index in range(6):
        made = Experiment(GAME.name, cards, 2, (PolicySpec.parse("greedy:1"),), 24, 5)
        log = replay(made, index)
        for here, there in zip(log.positions[:-1], log.positions[1:], strict=True):
            if here["phase"] == Phase.MAIN and there["phase"] == Phase.CREATURE:
                seat = int(here["seat"])
                moved.append(chance_of(there, cards.record, seat) - chance_of(here, cards.record, seat))
    assert len(moved) > 100
    assert np.abs(moved).max() < JUMP
