"""The longest and the richest games: no number wraps around, and every position obeys the invariants."""

from random import Random

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.games.runeslingers.state import FACTS, STATE
from tests.conftest import sampled
from tests.games.runeslingers.invariants import check
from tests.games.runeslingers.kernel_bridge import made
from tests.games.runeslingers.model.documents import card_row, reference_document
from tests.games.runeslingers.playing import PLAYING, played, table, with_rules

STATE_BYTES = 12_000  # a position must stay small: search copies it
LONGEST = 1_000  # turns: the most that a card file can ask for
GROWING = ("turn", *(fact.name for fact in FACTS if not fact.derived))  # numbers that never decrease
RICH = """
fountain | utility | 0 | 0 | c | shout | light 60, light 60, extra_set 60, draw 4
bulwark | utility | 0 | 0 | c | shout | barrier 60 -> own, boost 60 damage, boost 60 block, heal 60
storm | spirit | 0 | 0 | c | pierce, shout | damage 60 -> any, damage 60 direct -> any, lose 60 -> each, sear 60 -> each
plague | utility | 0 | 0 | c | shout | apply 60 curse -> runeslinger, apply 60 weaken -> runeslinger, remove 60 -> runeslinger
shelf | chant | 0 | 30 | c | token 20, charge | barrier 60 -> own; when you_downed: draw 2; when enemy_downed: draw 2
veil | boon | 0 | 30 | c | | static block 9; when you_block: draw 1; when turn_start: heal 60
"""


def play(cards: CardSet, number: int, every: int) -> np.void:
    """The last position of a random game; positions at an interval are checked, and numbers that only grow."""
    rng, workspace = Random(number), PLAYING.seated(cards, number, (0, 1))
    states = np.array([state for state, _, _ in PLAYING.at_random(workspace, cards, rng)])
    check([*states[::every], states[-1]], cards)
    assert [name for name in GROWING if (np.diff(states[name].astype(np.int64), axis=0) < 0).any()] == []
    return states[-1]


def test_a_position_has_the_size_that_memory_is_planned_for():
    assert STATE.itemsize <= STATE_BYTES


def test_the_last_turn_of_the_longest_game_ends_it():
    cards = with_rules(turn_cap=LONGEST)
    last, options = played(table(turn=LONGEST - 2), "end the turn", "play on", "end the turn", cards=cards)
    assert (last["turn"], options) == (LONGEST, [])


@pytest.mark.parametrize("number", sampled(range(12), 6))
def test_the_largest_numbers_fit_a_position(number: int):
    """Cards that cost nothing and do sixtyfold what others do, power 9, 1,000 turns."""
    numbers = {"start_power": 9, "max_hand": 12, "start_hand": 8, "sets_per_turn": 3, "blocks_per_turn": 3, "draw": 4}
    document = reference_document(**numbers, deck_size=24, turn_cap=LONGEST)
    document["rules"]["max_copies"] = 4
    document["card"] = [card_row(line) for line in RICH.strip().split("\n")]
    cards = {row["id"]: 4 for row in document["card"]}
    for deck in document["deck"]:
        deck["cards"] = cards
    play(made(document), number, 11)
