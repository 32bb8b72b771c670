"""What no player can see: drawing unseen cards, which are counts only (ROGUE-04, 10, 18, 113), and re-dealing a layout.

On a fixed layout the face-down cells do have contents; `resample_hidden` shuffles them.
"""

from enum import IntEnum

import numpy as np

from sim.engine.dice import NATURE, NOT_SCRIPTED, Purpose, below, refuse_draw, scripted_draw, settled_below
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.record import CELLS, ENTRIES
from sim.games.cardrogue.state import Down

NO_ENTRY = -1
ATTEMPTS = 8192  # to find a card that lies on a cell; with one card unseen, 93 are needed on average


class Draw(IntEnum):
    """What dice and draws are used for (see `sim.engine.dice`)."""

    FIRST = Purpose.FIRST_FREE
    EXPLORATION = Purpose.FIRST_FREE + 1
    PATHING = Purpose.FIRST_FREE + 2
    ATTACK = Purpose.FIRST_FREE + 3
    DODGE = Purpose.FIRST_FREE + 4
    ABILITY = Purpose.FIRST_FREE + 5
    STRENGTH = Purpose.FIRST_FREE + 6  # an attack value that is rolled
    FLEE = Purpose.FIRST_FREE + 7
    TRAP = Purpose.FIRST_FREE + 8
    POTION = Purpose.FIRST_FREE + 9
    FOUNTAIN = Purpose.FIRST_FREE + 10
    TRIP = Purpose.FIRST_FREE + 11
    STEAL = Purpose.FIRST_FREE + 12
    BUY = Purpose.FIRST_FREE + 13


@kernel
def draw_entry(counts: np.ndarray, cards_left: int, rng: Record, purpose: int, settled: int) -> int:
    """Draw one of `cards_left` cards, all equally likely, and take it out of the counts by entry; returns its entry.

    A scripted draw names the entry; it is refused if no such card is left. settled: the entry if it is settled, or NO_ENTRY.
    """
    named = scripted_draw(rng)
    if named != NOT_SCRIPTED:
        if named < ENTRIES and counts[named] > 0:
            counts[named] -= 1
            return named
        refuse_draw(rng)
    entry = settled
    if entry == NO_ENTRY:
        entry = nth_entry(counts, below(rng, NATURE, purpose, cards_left))
    if entry != NO_ENTRY:
        counts[entry] -= 1
    return entry


@kernel
def nth_entry(counts: np.ndarray, n: int) -> int:
    """Entry of card number `n` of those that are counted by entry; NO_ENTRY if there are fewer."""
    left = n
    for entry in range(ENTRIES):
        left -= counts[entry]
        if left < 0:
            return entry
    return NO_ENTRY


@kernel
def draw_exploration(state: Record, cards: Record, cell: int, rng: Record) -> int:
    """ROGUE-04. Draw what the face-down card on a cell is: any unseen exploration card. Returns its entry."""
    settled = lying_on(state, cards, cell, rng) if rng["open"] else NO_ENTRY
    entry = draw_entry(state["unseen"], state["unseen_cards"], rng, Draw.EXPLORATION, settled)
    state["unseen_cards"] -= 1
    return entry


@kernel
def draw_pathing(state: Record, rng: Record) -> int:
    """ROGUE-18. Draw the next pathing card; returns its entry, NO_ENTRY if the deck is empty."""
    if state["pathing_cards"] == 0:
        return NO_ENTRY
    settled = next_pathing(state, rng) if rng["open"] else NO_ENTRY
    entry = draw_entry(state["pathing"], state["pathing_cards"], rng, Draw.PATHING, settled)
    state["pathing_cards"] -= 1
    return entry


@kernel
def lying_on(state: Record, cards: Record, cell: int, rng: Record) -> int:
    """Entry of the card that lies on a cell if it is settled: of the cell's own order of all cards, the first that is unseen."""
    total: int = np.int64(0)  # type: ignore[assignment]
    for entry in range(ENTRIES):
        total += cards["exploration"][entry]
    for attempt in range(ATTEMPTS):
        left = settled_below(rng, Draw.EXPLORATION, cell, attempt, total)
        for entry in range(ENTRIES):
            left -= cards["exploration"][entry]
            if left < 0:
                if -left <= state["unseen"][entry]:  # copies are numbered, and the last are seen first
                    return entry
                break
    return NO_ENTRY


@kernel
def next_pathing(state: Record, rng: Record) -> int:
    """Entry of the next pathing card if their order is settled."""
    cards_left = state["pathing_cards"]
    return nth_entry(state["pathing"], settled_below(rng, Draw.PATHING, cards_left, 0, cards_left))


@kernel
def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:  # noqa: ARG001 - the verb's parameters
    """Shuffle the face-down cards of a fixed layout; any other card is drawn when it is turned over."""
    if cards["map_down_cards"] == 0:
        return
    order_down(state)
    left = 0
    for cell in range(CELLS):
        left += state["down"][cell] == Down.MAPPED
    for cell in range(CELLS):
        if state["down"][cell] == Down.MAPPED:
            swap_down(state, cell, below(rng, NATURE, Draw.EXPLORATION, left))
            left -= 1


@kernel
def order_down(state: Record) -> None:
    """Sort the face-down cards by their place on the map, so that the shuffle does not depend on where they really lie."""
    for cell in range(CELLS):
        if state["down"][cell] == Down.MAPPED:
            lowest = cell
            for other in range(cell + 1, CELLS):
                if state["down"][other] == Down.MAPPED and state["on"][other] < state["on"][lowest]:
                    lowest = other
            exchange(state, cell, lowest)


@kernel
def swap_down(state: Record, cell: int, further: int) -> None:
    """Exchange the face-down card on a cell with that on the `further`-th such cell from there on."""
    for other in range(cell, CELLS):
        if state["down"][other] == Down.MAPPED:
            if further == 0:
                exchange(state, cell, other)
                return
            further -= 1


@kernel
def exchange(state: Record, cell: int, other: int) -> None:
    """Exchange what lies on two cells."""
    held = state["on"][cell]
    state["on"][cell] = state["on"][other]
    state["on"][other] = held
