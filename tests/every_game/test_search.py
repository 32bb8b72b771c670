"""Search in every game: it does not depend on hidden information, leaves the game unchanged, and its games are reproducible."""

from itertools import islice

import numpy as np
import pytest

from sim.engine.contract import Game
from sim.engine.dice import Purpose
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.engine.workspace import IMAGINED, ROLLED
from sim.run import blocks, option_values
from tests.conftest import BUILT_IN, SLOW, in_soak
from tests.every_game.play import choice, experiment, fields, fresh_dice, joined, options, redealt, shortened, visited

POLICIES = ["flat:60:3", "search:40:2", "turn:3:2", "turn:2:2:1"]
LOOKED_AT = shortened(6, 2) if COMPILED else 2  # positions
DICE = 40 if COMPILED else 6  # number of dice with which a position is searched

SEARCHED = [*BUILT_IN, "coin_duel", in_soak("lone_climb")]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.parametrize("policy", POLICIES),
    pytest.mark.parametrize("game", SEARCHED, indirect=True),
]


def test_search_does_not_depend_on_hidden_information(game: Game, policy: str):
    """To the last bit where the same dice resample the same hands; elsewhere on average over many dice."""
    cards = game.load(None)
    for number, (state, move) in enumerate(islice(visited(game, game.seats[-1]), LOOKED_AT)):
        seat = int(move["seat"])
        resampled = redealt(state, cards.record, seat)
        first, second = (redealt(position, cards.record, seat, number) for position in (state, resampled))
        if fields(first) == fields(second):
            chosen, before = opinion(game, state, cards.record, number, policy)
            same_chosen, after = opinion(game, resampled, cards.record, number, policy)
            assert (same_chosen, after) == (chosen, before)
        else:
            means = [opinions(game, position, cards.record, policy) for position in (state, resampled)]
            error = np.sqrt(sum(position.var(axis=0, ddof=1) for position in means) / DICE)
            gap = np.abs(means[0].mean(axis=0) - means[1].mean(axis=0))
            assert (gap <= 5 * error + 1e-9).all()


def opinion(game: Game, state: np.void, cards: np.ndarray, number: int, policy: str) -> tuple[int, list[float]]:
    """What a policy decides, and its values of all options. number: of the dice."""
    chosen, workspace = choice(game, state, cards, number, policy)
    return chosen, workspace.values[: len(options(game, state, cards))].tolist()


def opinions(game: Game, state: np.void, cards: np.ndarray, policy: str) -> np.ndarray:
    """A policy's values of all options with many dice, (DICE, options)."""
    return np.array([opinion(game, state, cards, number, policy)[1] for number in range(DICE)])


def test_search_leaves_the_game_and_its_dice_unchanged(game: Game, policy: str):
    """Except for one draw of purpose POLICY if options tie; its imagined games use other dice."""
    cards = game.load(None)
    for state, move in islice(visited(game, game.seats[0]), LOOKED_AT):
        seat, count = int(move["seat"]), len(options(game, state, cards.record))
        chosen, workspace = choice(game, state, cards.record, 3, policy)
        assert chosen in options(game, state, cards.record)
        assert fields(workspace.states[0]) == fields(state)
        after, before = workspace.dice[ROLLED], fresh_dice(3, turn=state["turn"])
        assert after["drawn"] == after["used"][seat, Purpose.POLICY] <= 2
        after["used"][seat, Purpose.POLICY] = 0
        assert after["used"].tobytes() == before["used"].tobytes()
        assert workspace.dice[IMAGINED]["role"] == IMAGINED
        assert ((workspace.values[:count] >= 0) & (workspace.values[:count] <= 1)).all()


def test_games_of_search_do_not_depend_on_workers_and_blocks(game: Game, policy: str):
    made = experiment(game, 4, f"{policy.split(':', maxsplit=1)[0]}:4", game.seats[0])
    if not COMPILED or game.name in SLOW:
        pytest.skip("whole games of search take too long here")
    single_worker = joined(blocks(made, jobs=1, block_games=4))
    assert joined(blocks(made, jobs=2, block_games=1)) == single_worker


def test_option_values_are_reproducible(game: Game, policy: str):
    made, spec = experiment(game, 4, "random", game.seats[0]), PolicySpec.parse(policy)
    positions = np.array([state for state, _ in islice(visited(game, game.seats[0]), 3)], game.state)
    if not COMPILED:
        positions = positions[:1]
    listed, values, chosen = option_values(made, positions, spec)
    again, repeated, same = option_values(made, positions, spec)
    assert np.array_equal(listed, again)
    assert chosen == same
    assert listed[-1, chosen] in options(game, positions[-1], made.cards.record)
    for line, position in enumerate(positions):
        expected = options(game, position, made.cards.record)
        assert listed[line, : len(expected)].tolist() == expected
        assert (listed[line, len(expected) :] == -1).all()
        assert repeated[line, : len(expected)].tolist() == values[line, : len(expected)].tolist()
