"""Damage, pierce, loss, ailments, blocks and deck-outs in the kernels against the plain model: 10,000 random streams."""

from sim.games.runeslingers.state import STACK
from tests.every_game.play import enough, shortened
from tests.games.runeslingers.streams import streams_alike

STREAMS = enough(shortened(10_000), 300)
FILES = enough(shortened(60, 3), 20)
DEEPEST = 3 * STACK // 4  # of the work stack: more would be near its end

# what must have come up in 10,000 streams, and in how many at least
SITUATIONS = {
    **dict.fromkeys(("AILMENT", "BLOCK", "DISCARD", "EACH", "ORDER", "REMOVE", "TARGET", "TRIGGER"), 500),
    **dict.fromkeys(("prevented", "blocks", "hits", "hits_stopped", "no_room", "applied"), 500),
    **dict.fromkeys(("drawn_cards", "seared", "voided", "to_limit"), 500),
    **dict.fromkeys(("drained by damage", "drained by loss", "drained by carried pierce"), 200),
    **dict.fromkeys(("power lost to health", "power lost to the deck", "two powers lost"), 500),
    "the end": 500,
    **dict.fromkeys((f"ended by {cause}" for cause in ("HEALTH", "DECK", "MAX_HEALTH", "NO_CARDS")), 50),
}


def test_kernels_and_model_agree_on_random_streams():
    seen = streams_alike(1, STREAMS, FILES)
    assert seen["events"] > 5 * STREAMS
    assert seen["deepest"] < DEEPEST
    if STREAMS == 10_000:
        rare = {name: seen[name] for name, least in SITUATIONS.items() if seen[name] < least}
        assert not rare, f"situations that came up too rarely: {rare}"
