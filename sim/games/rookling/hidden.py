"""Sampling what a seat cannot see: the opponent's hand, uniformly from all hands that are possible."""

from sim.engine.dice import below
from sim.engine.jit import Record, kernel
from sim.games.rookling.state import COPIES_MAX, FIELD, Draw


@kernel
def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:  # noqa: ARG001 - the verb's parameters
    """ROOK-13. Deal the opponent's hand again from the cards in that hand and in the deck.

    All possible hands are equally likely. The seat knows when copies of a field effect went into the deck: they can only be
    in places of the hand that were filled later. The places are sampled from the oldest to the newest, because each newer place
    can hold every card that an older one can. Energy of a discard pile that was shuffled in can be in older places too.
    """
    other = 1 - seat
    held = state["hand_n"][other]
    for card in range(held):
        state["deck"][state["deck_n"] + card] = state["hand"][other, card]
    for card in range(held):
        last = state["deck_n"] + held - 1 - card
        index = below(rng, seat, Draw.CARD, last + 1)
        if not may_hold(state, seat, card, index):
            index = pick_possible(state, rng, seat, card, last)
        state["hand"][other, card] = state["deck"][index]
        state["deck"][index] = state["deck"][last]
        state["deck"][last] = 0


@kernel
def may_hold(state: Record, seat: int, card: int, index: int) -> bool:
    """Whether a place of the opponent's hand can hold a card of the deck. card: place in the hand; index: in the deck.

    Equal copies count from the start of the deck: as many of them qualify as went in before that place was filled.
    """
    kind = state["deck"][index]
    if kind < FIELD:
        return True
    before = 0
    for i in range(index):
        before += state["deck"][i] == kind
    return before < within_reach(state, seat, card, kind - FIELD)


@kernel
def within_reach(state: Record, seat: int, card: int, effect_slot: int) -> int:
    """Number of copies of a field effect that can be in a place of the opponent's hand, minus those in its older places."""
    other, own = 1 - seat, own_copies(state, seat, effect_slot)
    drawn_at, reach = state["drawn_at"][other, card], 0
    for copy in range(COPIES_MAX):
        reach += own >> copy & 1 == 0 and 0 < state["entered"][effect_slot, copy] < drawn_at
    for older in range(card):
        reach -= state["hand"][other, older] == FIELD + effect_slot
    return reach


@kernel
def own_copies(state: Record, seat: int, effect_slot: int) -> int:
    """Copies of a field effect in the seat's own hand, by bit: the latest that they can be, as in `forget_copy`."""
    own = 0
    for card in range(state["hand_n"][seat]):
        if state["hand"][seat, card] == FIELD + effect_slot:
            latest = 0
            for copy in range(COPIES_MAX):
                entered = state["entered"][effect_slot, copy]
                if own >> copy & 1 == 0 and 0 < entered < state["drawn_at"][seat, card]:
                    latest = 1 << copy
            own |= latest
    return own


@kernel
def pick_possible(state: Record, rng: Record, seat: int, card: int, last: int) -> int:
    """Pick a card of the deck that a place of the opponent's hand can hold, uniformly. Returns its place in the deck.

    card: place in the hand; last: last place in the deck, which is returned if no card qualifies. That happens only in positions
    that play cannot reach.
    """
    possible = 0
    for index in range(last + 1):
        possible += may_hold(state, seat, card, index)
    if possible == 0:
        return last
    left = below(rng, seat, Draw.CARD, possible)
    for index in range(last + 1):
        if may_hold(state, seat, card, index):
            if left == 0:
                return index
            left -= 1
    return last
