"""Cards slung, answered and answered again in the kernels against the plain model: 5,000 random ladders."""

from sim.games.runeslingers.state import STACK
from tests.every_game.play import enough, shortened
from tests.games.runeslingers.ladders import RUNGS, ladders_alike

LADDERS = enough(shortened(5_000), 250)
FILES = enough(shortened(45, 3), 15)
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
