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

WIDE = 100 if WHOLE else 20  # plans that can be continued at a time; positions with more are left out
COMPARED = shortened(20, 10)  # positions


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
    """One sample of chance. A beam that holds all plans finds the best one; a narrow one never scores higher."""
    record, compared, long = game.load(None).record, 0, 0
    for number, (state, move) in enumerate(visited(game, game.seats[-1])):
        values, width = exhaustive(game, record, state, int(move["seat"]), number)
        if width > WIDE:
            continue
        chosen, wide = choice(game, state, record, number, f"turn:{WIDE}:1")
        assert wide.scores[: len(values)].tolist() == values
        assert values[options(game, state, record).index(chosen)] == max(values)
        chosen, narrow = choice(game, state, record, number, "turn:1:1")
        scores = narrow.scores[: len(values)].tolist()
        assert all(score in {-1.0, value} or score <= value for score, value in zip(scores, values, strict=True))
        assert scores[options(game, state, record).index(chosen)] == max(scores) >= 0
        compared, long = compared + 1, long + (width > 1)
        if compared == COMPARED:
            break
    assert compared
    assert long or not WHOLE or game.name in {"coin_duel", "lone_climb", "rookling"}


def test_arena_plans_are_compared_where_the_replies_are_over():
    game, compared = GAMES["arena"], 0
    for number, (state, _) in enumerate(islice(visited(game, 2, games=1), 4)):
        _, workspace = choice(game, state, game.load(None).record, number, "turn:2:1:1")
        if workspace.ended[1]["length"] > 0:
            end = workspace.states[TRIAL]
            assert contract.is_over(end) or end["turn"] > state["turn"] + 1
            compared += 1
    assert compared
