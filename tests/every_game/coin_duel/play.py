"""Rules of Coin duel: deal, decide, fight."""

import numpy as np

from sim.engine.dice import NATURE, below, roll, shuffle
from sim.engine.jit import Record, kernel
from tests.every_game.coin_duel.state import DECK, SEATS, Action, Draw


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """Seat the fighters, draw the first seat, deal the first round."""
    state["seats"] = len(lineup)
    state["goal"] = cards["goal"]
    for seat in range(min(SEATS, len(lineup))):
        state["fighter"][seat] = lineup[seat]
    state["first"] = below(rng, NATURE, Draw.FIRST, len(lineup))
    deal_round(state, rng)


@kernel
def deal_round(state: Record, rng: Record) -> None:
    """A card for each seat; the stake is one coin."""
    for card in range(DECK):
        state["deck"][card] = card + 1
    shuffle(rng, NATURE, Draw.DECK, state["deck"], state["keys"])
    state["folded"][:] = 0
    state["decided"] = 0
    state["stake"] = 1


@kernel
def current_player(state: Record) -> int:
    """Seats decide in turn, beginning with the first of the round."""
    return (state["first"] + state["decided"]) % state["seats"]


@kernel
def is_over(state: Record) -> bool:
    """Whether a seat has reached the goal."""
    return state["over"] > 0


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Fold (unless all others have), hold, or raise up to the stake's limit."""
    count = 0
    if state["folded"].sum() < state["seats"] - 1:
        out[count] = Action.FOLD
        count += 1
    out[count] = Action.HOLD
    count += 1
    if state["stake"] < cards["stake_max"]:
        out[count] = Action.RAISE
        count += 1
    return count


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Carry out a decision; the last decision of a round starts the fight."""
    seat = current_player(state)
    if action == Action.FOLD:
        state["folded"][seat] = 1
        state["folds"][seat] += 1
    elif action == Action.RAISE:
        state["stake"] += 1
        state["raises"][seat] += 1
    state["decided"] += 1
    if state["decided"] == state["seats"]:
        roll_fight(state, cards, rng)
        settle(state, cards)
        finish_round(state, rng)


@kernel
def roll_fight(state: Record, cards: Record, rng: Record) -> None:
    """Every seat that stayed rolls its die."""
    for seat in range(state["seats"]):
        state["rolled"][seat] = 0
        if not state["folded"][seat]:
            state["rolled"][seat] = roll(rng, seat, Draw.FIGHT, cards["faces"][state["fighter"][seat]])


@kernel
def total(state: Record, cards: Record, seat: int) -> int:
    """Roll, card and bonus; 0 for a seat that folded."""
    if state["folded"][seat]:
        return 0
    return state["rolled"][seat] + state["deck"][seat] + cards["bonus"][state["fighter"][seat]]


@kernel
def settle(state: Record, cards: Record) -> None:
    """The highest sum gains the stake, the other seats that stayed lose it."""
    best = 0
    for seat in range(state["seats"]):
        best = max(best, total(state, cards, seat))
    for seat in range(state["seats"]):
        if total(state, cards, seat) == best:
            state["coins"][seat] += state["stake"]
            state["won"][seat] += 1
        elif not state["folded"][seat]:
            state["coins"][seat] = max(0, state["coins"][seat] - state["stake"])


@kernel
def finish_round(state: Record, rng: Record) -> None:
    """The game ends at the goal; otherwise the next seat starts a new round."""
    state["turn"] += 1
    state["over"] = state["coins"].max() >= state["goal"]
    if not state["over"]:
        state["first"] = (state["first"] + 1) % state["seats"]
        deal_round(state, rng)
