"""Every field of STATE stays in its range, and neither counters nor the work stack overflow, however odd a game gets."""

from random import Random

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.runeslingers import GAME
from sim.games.runeslingers.cards import AILMENTS, CARDS_MAX, DECK_MAX, DECKS_MAX, EFFECTS_MAX, LIST_MAX
from sim.games.runeslingers.rules.power import NOTED_MAX
from sim.games.runeslingers.state import (
    COUNT_MAX,
    FACTS,
    HAND_MAX,
    INSTANCES,
    NOBODY,
    OBJECTS,
    OPTIONS_MAX,
    PLACES,
    POWERS,
    STACK,
    STATE,
    TOKENS_MAX,
    Cause,
    Frame,
    Part,
    Phase,
    Stage,
)
from sim.run import replay
from tests.every_game.play import enough
from tests.games.runeslingers.event_cards import event_document, shouts_often
from tests.games.runeslingers.kernel_bridge import made
from tests.games.runeslingers.model.documents import card_row, reference_document

pytestmark = pytest.mark.slow

LONGEST = 1_000  # turns: the most that a card file can ask for
INT16, INT32, INT64 = 2**15 - 1, 2**31 - 1, 2**63 - 1
FLAG, MAYBE, INSTANCE = (0, 1), (NOBODY, 1), (NOBODY, INSTANCES - 1)
POINTS, COUNT, TURN, SEQ = (0, COUNT_MAX), (0, INT32), (0, LONGEST), (0, 100_000)
NEVER = (0, 0)
RANGES: dict[str, tuple[int, int]] = {
    **dict.fromkeys(("keys", "pool", "overflow"), NEVER),  # between decisions
    **dict.fromkeys(("health", "light", "barrier", "sets_left", "boosts", "damage", "guard", "count"), POINTS),
    **dict.fromkeys(("conc_used", "used", "charged", "under_hidden", "brittle", "direct", "pierce", "answered"), FLAG),
    **dict.fromkeys(("deck", "hand", "discard", "void"), (0, INSTANCES - 1)),
    **dict.fromkeys(("conc", "thing", "under", "inst"), INSTANCE),
    **dict.fromkeys(("deck_n", "discard_n", "void_n"), (0, DECK_MAX)),
    **dict.fromkeys(("turn", "own_turns", "turn_played", "lost_turn"), TURN),
    **dict.fromkeys(("seq", "conc_seq", "thing_seq", "place_seq", "target_seq", "aim_seqs"), (NOBODY, SEQ[1])),
    **dict.fromkeys(("first", "chooser", "winner", "active"), MAYBE),
    **dict.fromkeys(("seat", "by", "side"), FLAG),
    **dict.fromkeys(("drawn_turn", "played_turn"), (0, NOTED_MAX)),
    **{fact.name: COUNT for fact in FACTS if fact.type is np.int32},
    **dict.fromkeys(("drawn", "plays", "concealed_most"), (0, INT16)),
    **dict.fromkeys(("types", "ailment"), (0, AILMENTS)),
    **dict.fromkeys(("aims", "target"), (NOBODY, OBJECTS - 1)),
    **dict.fromkeys(("types_n", "aims_n", "at"), (0, LIST_MAX)),
    "waiting": (0, INT64),
    "hears": (0, 2**12 - 1),
    "hand_rank": (0, INT64),
    "power": (0, POWERS),
    "determination": (0, POWERS),
    "powers_lost": (0, POWERS),
    "power_after": (NOBODY, POWERS),
    "life_after": (0, INT16),
    "ailments_after": POINTS,
    "blocked": (0, 3),
    "inherent_uses": (0, TOKENS_MAX),
    "uses": (0, TOKENS_MAX),
    "tokens": (0, TOKENS_MAX),
    "stat": (-INT16, INT16),
    "deck_of": (0, DECKS_MAX - 1),
    "card_of": (0, CARDS_MAX - 1),
    "slot_of": (0, DECK_MAX - 1),
    "hand_n": (0, HAND_MAX),
    "phase": (0, Phase.OVER),
    "options_n": (0, OPTIONS_MAX),
    "options": (0, OPTIONS_MAX),
    "stage": (0, max(Stage)),
    "cause": (0, max(Cause)),
    "depth": (0, 3 * STACK // 4),
    "frame": (0, max(Frame)),
    "step": (0, max(Part)),
    "place": (NOBODY, PLACES - 1),
    "card": (NOBODY, CARDS_MAX - 1),
    "row": (0, EFFECTS_MAX - 1),
    "left": (-1, INT16),
    "kind": (NOBODY, 20),
    "concs_at": (0, 6),
}


def in_range(states: np.ndarray) -> None:
    """Every field of every position."""
    for name in STATE.names:
        least, most = RANGES[name]
        found = states[name]
        assert found.min() >= least, f"{name} is {found.min()}"
        assert found.max() <= most, f"{name} is {found.max()}"


def play(cards: CardSet, games: int, seed: int) -> np.ndarray:
    """The last positions of random games, whose positions are all in range."""
    played, last = Experiment(GAME.name, cards, 2, (PolicySpec.parse("random"),), games, seed), []
    for index in range(games):
        states = replay(played, index).positions
        in_range(states)
        last.append(states[-1])
    return np.array(last)


def test_ranges_are_told_of_every_field():
    assert set(RANGES) == set(STATE.names)


def test_ranges_hold_in_games_of_the_reference_set():
    play(made(reference_document()), enough(60, 3), 1)


@pytest.mark.parametrize("number", range(enough(24, 6)))
def test_ranges_hold_in_games_of_odd_cards_and_of_ladders(number):
    document = event_document(number)
    play(made(shouts_often(document, Random(number)) if number % 2 else document), enough(6, 1), number)


RICH = """
fountain | utility | 0 | 0 | c | shout | light 60, light 60, extra_set 60, draw 4
bulwark | utility | 0 | 0 | c | shout | barrier 60 -> own, boost 60 damage, boost 60 block, heal 60
storm | spirit | 0 | 0 | c | pierce, shout | damage 60 -> any, damage 60 direct -> any, lose 60 -> each, sear 60 -> each
plague | utility | 0 | 0 | c | shout | apply 60 curse -> runeslinger, apply 60 weaken -> runeslinger, remove 60 -> runeslinger
shelf | chant | 0 | 30 | c | token 20, charge | barrier 60 -> own; when you_downed: draw 2; when enemy_downed: draw 2
veil | boon | 0 | 30 | c | | static block 9; when you_block: draw 1; when turn_start: heal 60
"""


@pytest.mark.skipif(not COMPILED, reason="takes minutes without the compiler")
@pytest.mark.parametrize("seed", range(4))
def test_ranges_hold_in_the_longest_games_with_the_largest_numbers(seed):
    """Cards that cost nothing and do sixtyfold what others do, power 9, 1,000 turns."""
    document = reference_document(
        start_power=9, max_hand=12, start_hand=8, sets_per_turn=3, blocks_per_turn=3, draw=4, deck_size=24, turn_cap=LONGEST
    )
    document["rules"]["max_copies"] = 4
    document["card"] = [card_row(line) for line in RICH.strip().split("\n")]
    cards = {row["id"]: 4 for row in document["card"]}
    for deck in document["deck"]:
        deck["cards"] = cards
    play(made(document), 12, seed)


@pytest.mark.skipif(not COMPILED, reason="takes minutes without the compiler")
def test_ranges_hold_in_games_of_a_thousand_turns():
    """Nobody can lose: decks that are never empty, cards that only heal."""
    document = reference_document(turn_cap=LONGEST, deck_out="on_need", draw=1, first_draw=0)
    lines = ["rest | utility | 0 | 0 | c | | heal 1, draw 1", "stay | chant | 0 | 9 | c | charge | heal 2"]
    document["card"] = [card_row(line) for line in lines]
    document["rules"] |= {"max_copies": 4, "deck_size": 20, "start_power": 9}
    document["card"] += [card_row(f"idle_{at} | utility | 0 | 0 | c | | heal {at + 1}") for at in range(8)]
    for deck in document["deck"]:
        deck["cards"] = dict.fromkeys((row["id"] for row in document["card"]), 2)
    last = play(made(document), 6, 1)
    assert last["turn"].max() > 100
