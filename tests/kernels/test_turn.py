"""Planning a turn: the best plan of an exhaustive search in plain Python, and better play than one decision ahead."""

from itertools import islice

import numpy as np
import pytest

from sim.engine import contract
from sim.engine.contract import Game
from sim.engine.turn import EACH, STRIDE
from sim.engine.workspace import IMAGINED, PLAN_MAX, TRIAL
from sim.registry import GAMES
from tests.every_game.play import WHOLE, chance_of, choice, fresh_dice, options, reached, shortened, visited

pytestmark = pytest.mark.slow

WIDE = 100  # plans that can be continued at a time


def exhaustive(game: Game, cards: np.ndarray, state: np.void, seat: int, number: int) -> tuple[list[float], int]:
    """The worth of the best plan for each option in one sample of chance, and the largest number of plans of one length."""
    known, dice, later = state.copy(), fresh_dice(number, turn=state["turn"]), fresh_dice(number, turn=state["turn"])
    dice["role"] = later["role"] = IMAGINED
    contract.resample_hidden(known, cards[0], seat, dice)
    later["used"] = STRIDE
    widths: dict[int, int] = {}

    def best(position: np.void, action: int, length: int) -> float:
        trial, rolled, further = reached(game, position, cards, action, later)
        done = not further or trial["turn"] != state["turn"] or contract.current_player(trial) != seat
        if rolled["drawn"] or done or length == PLAN_MAX:
            return chance_of(trial, cards, seat) - EACH * length
        widths[length] = widths.get(length, 0) + 1
        if widths[length] > WIDE:
            return 0.0  # the caller leaves this position out
        return max(best(trial, following, length + 1) for following in further)

    values = [best(known, action, 1) for action in options(game, state, cards)]
    return values, max(widths.values(), default=0)


def test_the_best_plan_is_that_of_an_exhaustive_search(game: Game):
    """One sample of chance, and a beam that holds all plans."""
    cards, compared, long = game.load(None), 0, 0
    for number, (state, move) in enumerate(islice(visited(game, game.seats[-1]), shortened(20, 10))):
        seat = int(move["seat"])
        values, width = exhaustive(game, cards.record, state, seat, number)
        if width > WIDE:
            continue
        chosen, workspace = choice(game, state, cards.record, number, f"turn:{WIDE}:1")
        assert workspace.scores[: len(values)].tolist() == values
        assert values[options(game, state, cards.record).index(chosen)] == max(values)
        compared, long = compared + 1, long + (width > 1)
    assert compared
    assert long or not WHOLE or game.name in {"coin_duel", "lone_climb", "rookling"}


def test_a_narrow_beam_values_only_plans_that_have_ended(game: Game):
    """Its choice has the highest score, and no score is above that of the exhaustive search."""
    cards = game.load(None)
    for number, (state, move) in enumerate(islice(visited(game, game.seats[-1]), shortened(20, 10))):
        seat = int(move["seat"])
        values, width = exhaustive(game, cards.record, state, seat, number)
        if width > WIDE:
            continue
        chosen, workspace = choice(game, state, cards.record, number, "turn:1:1")
        scores = workspace.scores[: len(values)].tolist()
        assert all(score in {-1.0, value} or score <= value for score, value in zip(scores, values, strict=True))
        assert scores[options(game, state, cards.record).index(chosen)] == max(scores) >= 0


def test_arena_plans_are_compared_where_the_replies_are_over():
    game, compared = GAMES["arena"], 0
    for number, (state, _) in enumerate(islice(visited(game, 2, games=1), 4)):
        _, workspace = choice(game, state, game.load(None).record, number, "turn:2:1:1")
        if workspace.ended[1]["length"] > 0:
            end = workspace.states[TRIAL]
            assert contract.is_over(end) or end["turn"] > state["turn"] + 1
            compared += 1
    assert compared
