"""Sample what a seat cannot see, consistently with all that it knows."""

import numpy as np

from sim.engine.dice import mix
from sim.engine.jit import Record, kernel
from sim.games.runeslingers.actions import list_options
from sim.games.runeslingers.cards import DECK_MAX
from sim.games.runeslingers.rules.power import insert, put_in_order
from sim.games.runeslingers.state import NOBODY, PLACES, SEATS, SLOTS, Frame, Phase, Roll, owner_of


@kernel
def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Sample what is hidden from `seat`: both decks, and the enemy's hand and concentrations."""
    other = SEATS - 1 - seat
    shuffle_deck(state, seat, rng)
    count = pass_hidden(state, other, True)
    put_in_order(state["pool"][:count], state["pool"][:count], other * DECK_MAX)
    mix(rng, other, Roll.HIDDEN, state["pool"][:count])
    pass_hidden(state, other, False)
    state["pool"][:] = 0
    for at in range(state["hand_n"][other]):
        insert(state, other, at, state["hand"][other, at])
    if state["phase"] < Phase.OVER and state["seat"] == other:
        list_options(state, cards)  # the options name cards of its hand


@kernel
def depends_on_hidden(state: Record, after: Record, cards: Record, seat: int, shown: int) -> bool:  # noqa: ARG001 - the verb's
    """Counted in rng["shown"]: draws into a hand, decisions whose options depend on hidden cards, and hands that can answer."""
    return shown > 0


@kernel
def resample_unseen(state: Record, cards: Record, rng: Record) -> None:  # noqa: ARG001 - the verb's parameters
    """Sample what no player has seen: the order of both decks. Every order is equally likely, regardless of the past."""
    for seat in range(SEATS):
        shuffle_deck(state, seat, rng)


@kernel
def shuffle_deck(state: Record, seat: int, rng: Record) -> None:
    """Shuffle a deck with the random stream of a redeal."""
    deck = state["deck"][seat, : state["deck_n"][seat]]
    put_in_order(deck, deck, seat * DECK_MAX)  # so that the sample does not depend on hidden cards
    mix(rng, seat, Roll.HIDDEN, deck)


@kernel
def pass_hidden(state: Record, other: int, gather: bool) -> int:
    """Gather the hidden cards of the other player in the pool, or give them back in the same order; returns their number."""
    count = 0
    for at in range(state["deck_n"][other]):
        count = pass_card(state["pool"], count, state["deck"][other], at, gather)
    for at in range(state["hand_n"][other]):
        count = pass_card(state["pool"], count, state["hand"][other], at, gather)
    for slot in range(SLOTS):
        if state["conc"][other, slot] != NOBODY:
            count = pass_card(state["pool"], count, state["conc"][other], slot, gather)
    for side in range(SEATS):  # its concentrations that are trapped
        for place in range(PLACES):
            if is_hidden(state["under"][side, place], state["under_hidden"][side, place] > 0, other):
                count = pass_card(state["pool"], count, state["under"][side], place, gather)
    for at in range(state["depth"]):  # and those that have just been released and wait
        if state["frame"][at] == Frame.LEAVING and is_hidden(state["inst"][at], state["kind"][at] > 0, other):
            count = pass_card(state["pool"], count, state["inst"], at, gather)
    return count


@kernel
def pass_card(pool: np.ndarray, count: int, cards: np.ndarray, at: int, gather: bool) -> int:
    """Copy a card to the pool, or back from it; returns the number of cards passed so far."""
    if gather:
        pool[count] = cards[at]
    else:
        cards[at] = pool[count]
    return count + 1


@kernel
def is_hidden(inst: int, face_down: bool, other: int) -> bool:
    """Whether a trapped card is one that only its owner has seen."""
    return inst != NOBODY and face_down and owner_of(inst) == other
