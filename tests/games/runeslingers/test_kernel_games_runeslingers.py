"""Whole games in lockstep: the kernels and the plain model, compared at every decision and in what the end tells."""

from collections import Counter
from random import Random

from sim.games.runeslingers.state import Phase
from tests.every_game.play import enough, shortened
from tests.games.runeslingers.kernel_bridge import made
from tests.games.runeslingers.lockstep import play_both
from tests.games.runeslingers.model_documents import reference_document
from tests.games.runeslingers.random_documents import SWITCHES, random_document, random_switches

ODD = enough(shortened(100), 8)
REFERENCE = enough(shortened(100), 8)
VARIANTS = enough(shortened(60, 4), 4)
DECKS = 4
MANY = 100  # games in which everything comes up


def two_decks(rng: Random) -> tuple[int, int]:
    """Of the reference set."""
    return rng.randrange(DECKS), rng.randrange(DECKS)


def test_kernels_and_model_play_the_reference_set_alike():
    document = reference_document()
    cards = made(document)
    seen: Counter[str] = Counter()
    for number in range(REFERENCE):
        pair = play_both(document, two_decks(Random(number)), number, cards)
        assert pair.model.over
        seen += pair.seen
    if REFERENCE >= MANY:
        assert not {phase.name for phase in Phase if phase < Phase.ORDER} - seen.keys()


def test_kernels_and_model_play_variants_alike():
    for number in range(VARIANTS):
        rng = Random(number)
        document = reference_document(**random_switches(rng), turn_cap=80)
        play_both(document, two_decks(rng), number)


def test_kernels_and_model_play_random_cards_alike():
    seen: Counter[str] = Counter()
    for number in range(ODD):
        document = random_document(Random(number))
        pair = play_both(document, (0, 1), number)
        seen += pair.seen
        seen["won" if pair.model.winner >= 0 else "drawn" if pair.model.over else "capped"] += 1
        seen.update(f"{name}={document['rules'].get(name)}" for name in SWITCHES)
    wanted = [phase.name for phase in Phase if phase < Phase.OVER]
    wanted += [f"{name}={value}" for name, values in SWITCHES.items() for value in values]
    if ODD >= MANY:
        assert not [name for name in (*wanted, "won", "capped") if not seen[name]], "these did not come up"
