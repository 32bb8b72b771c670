"""The kernels against the plain model: whole games, 5,000 random ladders, 10,000 random streams of events."""

from collections import Counter
from random import Random

from sim.games.runeslingers.state import STACK, Phase
from tests.every_game.play import enough, shortened
from tests.games.runeslingers.kernel_bridge import made, play_both
from tests.games.runeslingers.model.documents import reference_document
from tests.games.runeslingers.random_documents import SWITCHES, random_document, random_switches
from tests.games.runeslingers.streams import RUNGS, ladders_alike, streams_alike

ODD = enough(shortened(100, 10), 8)
REFERENCE = enough(shortened(100, 10), 8)
VARIANTS = enough(shortened(60, 6), 4)
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
        seen["won" if pair.model.winner >= 0 else "drawn" if pair.model.over else "truncated"] += 1
        seen.update(f"{name}={document['rules'].get(name)}" for name in SWITCHES)
    wanted = [phase.name for phase in Phase if phase < Phase.OVER]
    wanted += [f"{name}={value}" for name, values in SWITCHES.items() for value in values]
    if ODD >= MANY:
        assert not [name for name in (*wanted, "won", "truncated") if not seen[name]], "these did not come up"


LADDERS = enough(shortened(5_000, 20), 250)
FILES = enough(shortened(45, 9), 15)
DEEPEST = 3 * STACK // 4  # of the work stack: more would be near its end

# what must have come up in 5,000 ladders, and how often at least
SITUATIONS = {
    **{f"rung {rungs}": 500 for rungs in range(4)},
    **dict.fromkeys(("rung 4", "rung 5", f"rung {RUNGS}"), 50),
    **dict.fromkeys(("ANSWER", "TARGET", "SLOT", "BLOCK", "BULLET"), 500),
    **dict.fromkeys(("PLACE", "AILMENT", "DISCARD", "ORDER", "TRIGGER", "REMOVE"), 50),
    "answers": 2_000,
    "slung": 3_000,
    "foiled": 500,
}


def test_kernels_and_model_agree_on_random_ladders():
    seen = ladders_alike(1, LADDERS, FILES)
    assert seen["deepest"] < DEEPEST
    if LADDERS == 5_000:
        rare = {name: seen[name] for name, least in SITUATIONS.items() if seen[name] < least}
        assert not rare, f"situations that came up too rarely: {rare}"


STREAMS = enough(shortened(10_000, 20), 300)
STREAM_FILES = enough(shortened(60, 10), 20)

# what must have come up in 10,000 streams, and in how many at least
STREAM_SITUATIONS = {
    **dict.fromkeys(("AILMENT", "BLOCK", "DISCARD", "EACH", "ORDER", "REMOVE", "TARGET", "TRIGGER"), 500),
    **dict.fromkeys(("prevented", "blocks", "hits", "hits_stopped", "no_room", "applied"), 500),
    **dict.fromkeys(("drawn_cards", "seared", "voided", "to_limit"), 500),
    **dict.fromkeys(("drained by damage", "drained by loss", "drained by carried pierce"), 200),
    **dict.fromkeys(("power lost to health", "power lost to the deck", "two powers lost"), 500),
    "the end": 500,
    **dict.fromkeys((f"ended by {cause}" for cause in ("HEALTH", "DECK", "MAX_HEALTH", "NO_CARDS")), 50),
}


def test_kernels_and_model_agree_on_random_streams():
    seen = streams_alike(1, STREAMS, STREAM_FILES)
    assert seen["events"] > 5 * STREAMS
    assert seen["deepest"] < DEEPEST
    if STREAMS == 10_000:
        rare = {name: seen[name] for name, least in STREAM_SITUATIONS.items() if seen[name] < least}
        assert not rare, f"situations that came up too rarely: {rare}"
