"""Search in every game: it owes nothing to what it cannot see, leaves the game alone, and its games repeat."""

from itertools import islice

import numpy as np
import pytest

from sim.engine.contract import Game
from sim.engine.dice import Purpose
from sim.engine.jit import COMPILED
from sim.engine.workspace import IMAGINED, ROLLED
from sim.run import blocks, option_values
from tests.every_game.play import choice, experiment, fields, fresh_dice, joined, options, redealt, visited

POLICIES = ["flat:60:3", "search:40:2"]
LOOKED_AT = 6 if COMPILED else 2  # positions
DICE = 40 if COMPILED else 6  # with how many a position is thought over

pytestmark = pytest.mark.parametrize("policy", POLICIES)


def test_search_thinks_the_same_whatever_is_hidden(game: Game, policy: str):
    """Where the same dice deal the same hands whatever was there, to the last bit; elsewhere on average over many dice."""
    cards = game.load(None)
    for number, (state, move) in enumerate(islice(visited(game, game.seats[-1]), LOOKED_AT)):
        seat = int(move["seat"])
        other = redealt(state, cards.record, seat)
        first, second = (redealt(each, cards.record, seat, number) for each in (state, other))
        if fields(first) == fields(second):
            chosen, before = opinion(game, state, cards.record, (seat, number), policy)
            found, after = opinion(game, other, cards.record, (seat, number), policy)
            assert (found, after) == (chosen, before)
        else:
            means = [opinions(game, each, cards.record, seat, policy) for each in (state, other)]
            error = np.sqrt(sum(each.var(axis=0, ddof=1) for each in means) / DICE)
            gap = np.abs(means[0].mean(axis=0) - means[1].mean(axis=0))
            assert (gap <= 5 * error + 1e-9).all()


def opinion(
    game: Game, state: np.void, cards: np.ndarray, whose: tuple[int, int], policy: str
) -> tuple[int, list[float]]:
    """What a policy decides, and what it thinks of every option. whose: seat, and number of the dice."""
    chosen, workspace = choice(game, state, cards, whose, policy)
    return chosen, workspace.values[: len(options(game, state, cards))].tolist()


def opinions(game: Game, state: np.void, cards: np.ndarray, seat: int, policy: str) -> np.ndarray:
    """What a policy thinks of every option with many dice, (DICE, options)."""
    return np.array([opinion(game, state, cards, (seat, number), policy)[1] for number in range(DICE)])


def test_search_leaves_the_game_and_its_dice_alone(game: Game, policy: str):
    """But for one draw of purpose POLICY where options tie; and it imagines with dice of its own."""
    cards = game.load(None)
    for state, move in islice(visited(game, game.seats[0]), LOOKED_AT):
        seat, count = int(move["seat"]), len(options(game, state, cards.record))
        chosen, workspace = choice(game, state, cards.record, (seat, 3), policy)
        assert chosen in options(game, state, cards.record)
        assert fields(workspace.states[0]) == fields(state)
        after, before = workspace.dice[ROLLED], fresh_dice(3)
        assert after["drawn"] == after["used"][seat, Purpose.POLICY] <= 2
        after["used"][seat, Purpose.POLICY] = 0
        assert after["used"].tobytes() == before["used"].tobytes()
        assert workspace.dice[IMAGINED]["role"] == IMAGINED
        assert ((workspace.values[:count] >= 0) & (workspace.values[:count] <= 1)).all()


def test_games_of_search_do_not_depend_on_workers_and_blocks(game: Game, policy: str):
    made = experiment(game, 4, f"{policy.split(':', maxsplit=1)[0]}:4", game.seats[0])
    if not COMPILED or game.report_games is not None:
        pytest.skip("whole games of search take too long here")
    one = joined(blocks(made, jobs=1, block_games=4))
    assert joined(blocks(made, jobs=2, block_games=1)) == one


def test_what_a_policy_thinks_of_the_options_is_repeated(game: Game, policy: str):
    from sim.engine.policies import PolicySpec  # noqa: PLC0415

    made, spec = experiment(game, 4, "random", game.seats[0]), PolicySpec.parse(policy)
    positions = np.array([state for state, _ in islice(visited(game, game.seats[0]), 3)], game.state)
    if not COMPILED:
        positions = positions[:1]
    listed, values = option_values(made, positions, spec)
    again, same = option_values(made, positions, spec)
    assert np.array_equal(listed, again)
    for line, position in enumerate(positions):
        expected = options(game, position, made.cards.record)
        assert listed[line, : len(expected)].tolist() == expected
        assert (listed[line, len(expected) :] == -1).all()
        assert same[line, : len(expected)].tolist() == values[line, : len(expected)].tolist()
