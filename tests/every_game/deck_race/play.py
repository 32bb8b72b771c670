"""Rules of Deck race: shuffle, draw, play the highest card possible; and the evaluation, which counts points."""

import numpy as np

from sim.engine.dice import NATURE, below, shuffle
from sim.engine.jit import Record, kernel
from tests.every_game.deck_race.state import NO_CARD, SEATS, Draw

_SPREAD = 4.0  # lead in points with an evaluation of 0.75


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """Shuffle both decks and draw the first player."""
    state["turns"] = cards["turns"]
    state["first"] = below(rng, NATURE, Draw.FIRST, SEATS)
    state["points"][state["first"]] = cards["head_start"]
    for seat in range(SEATS):
        size = cards["size"][lineup[seat]]
        state["points"][seat] += cards["snack"][lineup[seat]]
        state["size"][seat] = size
        for copy in range(size):
            state["library"][seat, copy] = copy
        shuffle(rng, seat, Draw.SHUFFLE, state["library"][seat, :size], state["keys"])
        for copy in range(size):
            state["library"][seat, copy] = cards["place"][lineup[seat], state["library"][seat, copy]]
            card, place = cards["deck"][lineup[seat], copy], cards["place"][lineup[seat], copy]
            level = cards["level"][card]
            state["level"][seat, place] = level
            state["worth"][seat, place] = cards["points"][card] + cards["more"][lineup[seat], level]


@kernel
def current_player(state: Record) -> int:
    """Turns alternate."""
    return (state["first"] + state["turn"]) % SEATS


@kernel
def first_of(state: Record, decided: int) -> int:
    """The player who was drawn to go first."""
    return np.int64(state["first"])


@kernel
def is_over(state: Record) -> bool:
    """Whether both players have had all their turns."""
    return state["turn"] >= SEATS * state["turns"]


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Drawing and playing is action 0, the only one."""
    out[0] = 0
    return 1


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Draw the next card, if there is one, then play one."""
    seat = current_player(state)
    own_turn = state["turn"] // SEATS + 1
    if own_turn <= state["size"][seat]:
        place = state["library"][seat, own_turn - 1]
        state["drawn"][seat, place] += 1
        if state["drawn_turn"][seat, place] == 0:
            state["drawn_turn"][seat, place] = own_turn
    place = dearest(state, seat, own_turn)
    if place != NO_CARD:
        state["plays"][seat, place] += 1
        state["points"][seat] += state["worth"][seat, place]
        if state["played_turn"][seat, place] == 0:
            state["played_turn"][seat, place] = own_turn
    state["turn"] += 1


@kernel
def dearest(state: Record, seat: int, own_turn: int) -> int:
    """Place of the highest card in hand up to the level `own_turn`, the first in the list in a tie; NO_CARD if there is none."""
    best, level = np.int64(NO_CARD), 0
    for place in range(state["size"][seat]):
        in_hand = state["drawn"][seat, place] > state["plays"][seat, place]
        if in_hand and level < state["level"][seat, place] <= own_turn:
            best, level = np.int64(place), np.int64(state["level"][seat, place])
    return best


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Lead in points, squashed into 0..1; the share of the win at the end."""
    lead = 1.0 * state["points"][seat] - state["points"][1 - seat]
    if is_over(state):
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    return 0.5 + 0.5 * (lead / _SPREAD) / (1.0 + abs(lead / _SPREAD))


@kernel
def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Nothing is hidden: the order of the decks is public."""
