"""Hidden information: what resampling keeps and varies, and that greedy play does not depend on what it cannot see."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest
from scipy import stats

from sim.engine import contract
from sim.engine.contract import Game
from sim.engine.dice import Purpose
from tests.every_game.play import chance_of, fields, fresh_dice, greedy_choice, options, reached, redealt, visited


@pytest.mark.slow
def test_resample_hidden_keeps_what_the_seat_knows(game: Game):
    cards = game.load(None)
    for seats in game.seats:
        for state, move in visited(game, seats):
            resampled = redealt(state, cards.record, int(move["seat"]))
            assert contract.current_player(resampled) == contract.current_player(state)
            assert contract.is_over(resampled) == contract.is_over(state)
            before, after = fields(state), fields(resampled)
            assert [name for name in before if before[name] != after[name] and name not in game.hidden] == []
            assert options(game, resampled, cards.record) == options(game, state, cards.record)
            for action in options(game, state, cards.record):
                assert game.words.action(resampled, cards, action) == game.words.action(state, cards, action)
            mine = [chance_of(position, cards.record, int(move["seat"])) for position in (state, resampled)]
            assert all(0 <= value <= 1 for value in mine)


@pytest.mark.slow
def test_greedy_leaves_the_game_and_its_dice_unchanged(game: Game):
    """Except for one draw of purpose POLICY if options tie."""
    cards = game.load(None)
    for state, move in visited(game, game.seats[0]):
        seat = int(move["seat"])
        _, workspace = greedy_choice(game, state, cards.record, 3)
        assert fields(workspace.states[0]) == fields(state)
        after, before = workspace.dice[0], fresh_dice(3, turn=state["turn"])
        ties_broken = int(after["used"][seat, Purpose.POLICY])
        assert after["drawn"] == ties_broken <= 2
        after["used"][seat, Purpose.POLICY] = 0
        assert after["used"].tobytes() == before["used"].tobytes()
        for field in ("seed", "game", "turn", "role", "stream", "scripted", "script_at"):
            assert after[field].tobytes() == before[field].tobytes()


@pytest.mark.slow
def test_greedy_does_not_depend_on_hidden_information(game: Game):
    cards = game.load(None)
    for number, (state, move) in enumerate(visited(game, game.seats[-1])):
        seat = int(move["seat"])
        chosen, _ = greedy_choice(game, state, cards.record, number)
        assert chosen in options(game, state, cards.record)
        for deal in range(2):
            other = redealt(state, cards.record, seat, deal)
            assert greedy_choice(game, other, cards.record, number)[0] == chosen


def test_an_option_that_is_valued_once_is_worth_the_same_in_every_redeal_and_leads_to_the_same_options(game: Game):
    cards = game.load(None)
    record, dice = cards.record, fresh_dice(5)
    for state, move in islice(visited(game, game.seats[-1]), 20):
        seat, dice["turn"] = int(move["seat"]), state["turn"]
        deals = [redealt(state, record, seat, deal) for deal in range(2)]
        for action in options(game, state, record):
            ends = [reached(game, known, record, action, dice) for known in deals]
            if any(end.dice["drawn"] != dice["drawn"] for end in ends):
                continue
            ways = [(known, end.state, record[0], seat, end.dice["shown"][seat]) for known, end in zip(deals, ends, strict=True)]
            if not any(contract.depends_on_hidden(*way) for way in ways):
                assert chance_of(ends[0].state, record, seat) == chance_of(ends[1].state, record, seat)
                if not contract.is_over(ends[0].state) and contract.current_player(ends[0].state) == seat:
                    assert options(game, ends[0].state, record) == options(game, ends[1].state, record)


def test_coin_duel_resample_hidden_keeps_the_seats_card_and_shuffles_the_others(coin_duel: Game):
    cards = coin_duel.load(None)
    state, _ = next(visited(coin_duel, 3))
    for seat in range(3):
        guesses: Counter[int] = Counter()
        for number in range(300):
            other = redealt(state, cards.record, seat, number)
            assert other["deck"][seat] == state["deck"][seat]
            assert sorted(other["deck"]) == [1, 2, 3, 4, 5, 6]
            guesses[int(other["deck"][(seat + 1) % 3])] += 1
        assert set(guesses) == set(range(1, 7)) - {int(state["deck"][seat])}
        assert stats.chisquare(list(guesses.values())).pvalue > 1e-4


def test_coin_duel_greedy_goes_by_its_own_card(coin_duel: Game):
    """If its own card were resampled too, it would play a 1 like a 6."""
    cards = coin_duel.load(None)
    state = np.zeros(1, coin_duel.state)[0]
    coin_duel.words.place({"fighters": ["pike", "pike"], "hands": [1, 6], "decided": 0}, cards, state)
    low = {greedy_choice(coin_duel, state, cards.record, number)[0] for number in range(10)}
    coin_duel.words.place({"fighters": ["pike", "pike"], "hands": [6, 1], "decided": 0}, cards, state)
    high = {greedy_choice(coin_duel, state, cards.record, number)[0] for number in range(10)}
    assert low == {0}
    assert high == {2}


@pytest.mark.parametrize("wrong", [{"hands": [1, 1]}, {"fighters": ["pike"]}, {"cards": [1]}])
def test_coin_duel_refuses_an_impossible_position(coin_duel: Game, wrong: dict):
    good = {"fighters": ["pike", "maul"], "hands": [1, 2]}
    with pytest.raises(ValueError, match=next(iter(wrong))):
        coin_duel.words.place(good | wrong, coin_duel.load(None), np.zeros(1, coin_duel.state)[0])
