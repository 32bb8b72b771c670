"""Movement and targets with sets of one word give the same options as the general way, which large boards need."""

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.contract import count_options, legal_actions, nth_option
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.arena import GAME
from sim.games.arena.state import OPTIONS_MAX, Phase
from sim.run import replay
from tests.games.arena.kernel_bridge import card_set
from tests.games.arena.tactics import CARDS

STANDARD = CARDS.document["board"][0]
MOAT = {"id": "moat", "radius": 4, "holes": [[0, 0], [1, 0], [0, 1], [-1, 1]], "starts": STANDARD["starts"]}
DOCUMENT = CARDS.document | {"board": [*CARDS.document["board"], MOAT]}
SMALL = (STANDARD["id"], MOAT["id"])  # without holes, walking anywhere takes as many steps as the distance


def played(cards: CardSet) -> np.ndarray:
    """Positions of a few random games of four."""
    return replay(Experiment(GAME.name, cards, 4, (PolicySpec.parse("random"),), 40, 9), 0, 6).positions


@pytest.mark.parametrize("board", SMALL)
@pytest.mark.slow
def test_options_are_the_same_in_the_general_way(board: str):
    cards = card_set(DOCUMENT, board)
    assert cards.record["words"][0] == 1
    general = cards.record.copy()
    general["words"] = 2  # the second is empty
    general.flags.writeable = False  # of the same type for the compiler
    out, other = np.zeros(OPTIONS_MAX, np.int32), np.zeros(OPTIONS_MAX, np.int32)
    for state in played(cards):
        if state["phase"] == Phase.OVER:
            continue
        count = legal_actions(state, cards.record[0], out)
        assert legal_actions(state, general[0], other) == count
        assert (out[:count] == other[:count]).all()
        assert count_options(state, cards.record[0], other) == count
        assert [nth_option(state, cards.record[0], other, n) for n in range(count)] == out[:count].tolist()


@pytest.mark.parametrize("board", SMALL)
def test_taken_holds_the_hexes_of_the_pieces(board: str):
    for state in played(card_set(DOCUMENT, board)):
        words = [int(word) for word in state["taken"]]
        taken = {hex_ for hex_ in range(169) if words[hex_ >> 6] >> (hex_ & 63) & 1}
        assert taken == {int(place) for place in state["pos"] if place >= 0}
