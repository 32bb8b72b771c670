"""Copies for look-ahead: what a game leaves out of them makes no difference to any rule or evaluation."""

from itertools import islice

import numpy as np
import pytest

from sim.engine.contract import Game
from sim.engine.trial import mask_of, offer_mask, offer_trials
from tests.every_game.play import chance_of, fields, fresh_dice, is_over, options, reached, visited


def without(state: np.void, names: tuple[str, ...]) -> np.void:
    """A copy of a state in which some fields hold what they held in no position of this game."""
    other = state.copy()
    for name in names:
        other[name] = 1
    return other


def test_rules_and_evaluation_do_not_read_recorded_fields(game: Game):
    cards = game.load(None)
    for state, move in islice(visited(game, game.seats[0]), 30):
        other, dice = without(state, game.recorded), fresh_dice(3, turn=state["turn"])
        assert options(game, other, cards.record) == options(game, state, cards.record)
        for action in options(game, state, cards.record):
            ends = [reached(game, one, cards.record, action, dice) for one in (state, other)]
            assert ends[0].dice == ends[1].dice
            first, second = (fields(end.state) for end in ends)
            assert [name for name in first if first[name] != second[name] and name not in game.recorded] == []
            values = [chance_of(end.state, cards.record, int(move["seat"])) for end in ends]
            if not is_over(ends[0].state):
                assert values[0] == values[1]


def test_stacked_fields_mean_nothing_while_their_count_is_0(game: Game):
    if game.stacked is None:
        pytest.skip("the game has none")
    count, above = game.stacked
    cards, tried = game.load(None), 0
    for state, move in islice(visited(game, game.seats[0]), 60):
        if state[count]:
            continue
        other, dice, seat = without(state, above), fresh_dice(3, turn=state["turn"]), int(move["seat"])
        for action in options(game, state, cards.record):
            ends = [reached(game, one, cards.record, action, dice) for one in (state, other)]
            first, second = (fields(end.state) for end in ends)
            assert [name for name in first if first[name] != second[name] and name not in above] == []
            assert chance_of(ends[0].state, cards.record, seat) == chance_of(ends[1].state, cards.record, seat)
            tried += 1
    assert tried > 0


def test_evaluate_does_not_read_unrated_fields(game: Game):
    cards = game.load(None)
    for state, _ in islice(visited(game, game.seats[0]), 60):
        for seat in range(game.seats[0]):
            assert chance_of(without(state, game.unrated), cards.record, seat) == chance_of(state, cards.record, seat)


def test_the_mask_covers_what_is_neither_recorded_nor_unrated(game: Game):
    mask = mask_of(game.state)
    if not game.unrated:
        assert len(mask) == 0
        return
    covered = np.zeros(game.state.itemsize, bool)
    covered[: 4 * len(mask)] = mask.view(np.uint8) != 0
    assert game.state.fields
    for name, (dtype, begin, *_) in game.state.fields.items():
        read = name not in {*game.recorded, *game.unrated}
        assert covered[begin : begin + dtype.itemsize].all() if read else not covered[begin : begin + dtype.itemsize].any()


def test_unknown_fields_are_refused():
    state = np.dtype([("turn", np.int32)])
    with pytest.raises(ValueError, match="score"):
        offer_trials(state, ("score",), None)
    with pytest.raises(ValueError, match="depth"):
        offer_trials(state, (), ("depth", ()))
    with pytest.raises(ValueError, match="score"):
        offer_mask(state, (), ("score",))
