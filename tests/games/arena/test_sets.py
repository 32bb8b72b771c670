"""Movement and targets with sets of one word give the same options as the general way, which large boards need."""

import numpy as np
import pytest

from sim.engine.contract import count_options, legal_actions, nth_option
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.arena.state import OPTIONS_MAX, Phase
from sim.run import replay
from tests.games.arena.builders import reference
from tests.games.arena.kernel_bridge import GAME, card_set

STANDARD = reference()["board"][0]
MOAT = {"id": "moat", "radius": 4, "holes": [[0, 0], [1, 0], [0, 1], [-1, 1]], "starts": STANDARD["starts"]}
DOCUMENT = reference() | {"board": [STANDARD, MOAT]}
EVERY = 4  # positions of a game


@pytest.mark.parametrize("board", ["standard", "moat"])  # without holes, walking anywhere takes as many steps as the distance
def test_options_are_the_same_in_the_general_way(board: str):
    cards = card_set(DOCUMENT, board)
    assert cards.record["words"][0] == 1
    general = cards.record.copy()
    general["words"] = 2  # the second is empty
    general.flags.writeable = False  # of the same type for the compiler
    out, other = np.zeros(OPTIONS_MAX, np.int32), np.zeros(OPTIONS_MAX, np.int32)
    played = replay(Experiment(GAME.name, cards, 4, (PolicySpec.parse("random"),), 1, 9), 0, 1)
    for state in played.positions[played.positions["phase"] != Phase.OVER][::EVERY]:
        count = legal_actions(state, cards.record[0], out)
        assert legal_actions(state, general[0], other) == count
        assert (out[:count] == other[:count]).all()
        assert count_options(state, cards.record[0], other) == count
        assert [nth_option(state, cards.record[0], other, n) for n in range(count)] == out[:count].tolist()
