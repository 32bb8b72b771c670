"""The evaluation of positions of Lone climb, and sampling of what a seat cannot see."""

from sim.engine.dice import shuffle
from sim.engine.jit import Record, kernel
from tests.every_game.lone_climb.play import is_over
from tests.every_game.lone_climb.score import share
from tests.every_game.lone_climb.state import HEAP_MAX, Draw

_RISKED = 0.7  # value of a step above the camp, in steps
_ROPE = 0.8  # value of a rope, in steps
_NIMBLE = 5.0  # value of being nimble, in steps


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Steps gained, ahead of the other if there is one, squashed into 0..1; the share of the win at the end."""
    if is_over(state):
        return share(state, seat)
    lead = worth(state, cards, seat)
    if state["seats"] > 1:
        lead -= worth(state, cards, 1 - seat)
    edge = lead / state["summit"]
    return 0.5 + 0.5 * edge / (1.0 + abs(edge))


@kernel
def worth(state: Record, cards: Record, seat: int) -> float:
    """Value of a seat's height, ropes and pace, in steps; 0 before it has picked."""
    if state["climber"][seat] == 0:
        return 0.0
    risked = state["height"][seat] - state["camp"][seat]
    pace = _NIMBLE * cards["nimble"][state["climber"][seat] - 1]
    return state["camp"][seat] + _RISKED * risked + _ROPE * state["ropes"][seat] + pace


@kernel
def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Shuffle the unseen stones, from a fixed order so that the sample does not depend on their real one."""
    used, stones = state["used"], state["stones"]
    for place in range(used + 1, min(stones, HEAP_MAX)):
        kind, before = state["heap"][place], place - 1
        while before >= used and state["heap"][before] > kind:
            state["heap"][before + 1] = state["heap"][before]
            before -= 1
        state["heap"][before + 1] = kind
    shuffle(rng, seat, Draw.GUESS, state["heap"][used:stones], state["keys"])
