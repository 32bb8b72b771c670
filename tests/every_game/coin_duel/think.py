"""The evaluation of positions of Coin duel, and sampling of what a seat cannot see."""

from sim.engine.dice import shuffle
from sim.engine.evaluation import chance_of
from sim.engine.jit import Record, kernel
from tests.every_game.coin_duel.score import share
from tests.every_game.coin_duel.state import DECK, Draw

_MIDDLE = (DECK + 1) / 2  # of the cards


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Weighted sum of the features, as a chance; the share of the win at the end."""
    if state["over"]:
        return share(state, seat)
    return chance_of(features(state, cards, seat), cards["weight"][state["seats"] - 1])


@kernel
def features(state: Record, cards: Record, seat: int) -> tuple[float, float, float, float]:
    """As fractions of the goal: lead in coins over the best opponent, what the seat's card promises, the lead near the end.

    And 1, for the value of the seat.
    """
    best = 0
    for other in range(state["seats"]):
        if other != seat:
            best = max(best, state["coins"][other])
    goal, lead = float(cards["goal"]), float(state["coins"][seat] - best)
    near = float(max(best, state["coins"][seat]))
    return lead / goal, prospect(state, seat) / goal, lead * near / goal**2, 1.0


@kernel
def prospect(state: Record, seat: int) -> float:
    """Coins expected from the current round, from the seat's card alone."""
    if state["decided"] == 0 or state["folded"][seat]:
        return 0.0
    return state["stake"] * (state["deck"][seat] - _MIDDLE) / _MIDDLE


@kernel
def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Keep the seat's card and shuffle all others, from a fixed order so that the sample does not depend on hidden cards."""
    own_card, slot = state["deck"][seat], 1
    for card in range(1, DECK + 1):
        if card != own_card:
            state["deck"][slot] = card
            slot += 1
    shuffle(rng, seat, Draw.GUESS, state["deck"][1:], state["keys"])
    state["deck"][0] = state["deck"][seat]
    state["deck"][seat] = own_card
