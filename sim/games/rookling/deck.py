"""Cards on the move: the Field Deck, the discard pile, hands (ROOK-06, 31, 36, 61, 64, 65).

Nobody ever looks into the deck, so it is kept in no order: a card is drawn by picking any one, and shuffled in by adding it.
"""

import numpy as np

from sim.engine.dice import NOT_SCRIPTED, below, refuse_draw, scripted_draw
from sim.engine.jit import Record, kernel
from sim.games.rookling.record import FIELD_EFFECTS_MAX, SQUAD
from sim.games.rookling.state import COPIES_MAX, FIELD, HAND_MAX, KINDS, NOBODY, SLOTS, Draw


@kernel
def add_to_deck(state: Record, kind: int) -> None:
    """Shuffle one card into the Field Deck; of a field effect copy it is noted when."""
    state["deck"][state["deck_n"]] = kind
    state["deck_n"] += 1
    if kind >= FIELD:
        for copy in range(COPIES_MAX):
            if state["entered"][kind - FIELD, copy] == 0:
                state["entered"][kind - FIELD, copy] = state["draws"]
                return


@kernel
def add_to_discard(state: Record, kind: int) -> None:
    """Lay a card on the discard pile."""
    state["disc"][kind] += 1
    state["disc_n"] += 1


@kernel
def reshuffle(state: Record) -> None:
    """ROOK-65. The discard pile becomes the Field Deck."""
    state["draws"] += 1
    for kind in range(KINDS):
        for _ in range(np.int64(state["disc"][kind])):
            add_to_deck(state, np.int64(kind))
        state["disc"][kind] = 0
    state["disc_n"] = 0


@kernel
def shuffle_in(state: Record, effect_slot: int, copies: int) -> None:
    """ROOK-31. Up to so many copies of a field effect go from its pile into the Field Deck."""
    moved = min(np.int64(copies), np.int64(state["pile"][effect_slot]))
    state["draws"] += 1
    state["pile"][effect_slot] -= moved
    state["shuffled"][effect_slot] += moved
    for _ in range(moved):
        add_to_deck(state, np.int64(FIELD + effect_slot))


@kernel
def draw_cards(state: Record, rng: Record, seat: int, up_to: int) -> None:
    """ROOK-64, 65. Draw until the hand holds so many cards, or deck and discard pile are empty."""
    while state["hand_n"][seat] < up_to and state["deck_n"] + state["disc_n"] > 0:
        draw_card(state, rng, seat)


@kernel
def draw_card(state: Record, rng: Record, seat: int) -> None:
    """Draw one card; deck or discard pile holds at least one, the hand has room."""
    if state["deck_n"] == 0:
        reshuffle(state)
    index = pick_card(state, rng, seat)
    card = state["hand_n"][seat]
    state["draws"] += 1
    state["hand"][seat, card] = state["deck"][index]
    state["drawn_at"][seat, card] = state["draws"]
    state["hand_n"][seat] += 1
    note_draw(state, seat, np.int64(state["hand"][seat, card]))
    state["deck_n"] -= 1
    state["deck"][index] = state["deck"][state["deck_n"]]
    state["deck"][state["deck_n"]] = 0


@kernel
def note_draw(state: Record, seat: int, kind: int) -> None:
    """Register section 11. Count a card drawn, and whose field effect it is."""
    state["cards_drawn"][seat] += 1
    if kind >= FIELD:
        if (kind - FIELD) // SQUAD == seat:
            state["drawn_by_owner"][kind - FIELD] += 1
        else:
            state["drawn_by_other"][kind - FIELD] += 1


@kernel
def pick_card(state: Record, rng: Record, seat: int) -> np.int64:
    """Place in the deck of the card that is drawn: any, all equally likely, or the one that a scenario names.

    A scripted draw is an energy kind, or FIELD + the row of a field effect in the card file, to which with two sets
    FIELD_EFFECTS_MAX * (1 + seat) is added: whose it is (ROOK-02).
    """
    named = scripted_draw(rng)
    if named != NOT_SCRIPTED:
        for index in range(np.int64(state["deck_n"])):
            if is_named(state, np.int64(state["deck"][index]), named):
                return np.int64(index)
        refuse_draw(rng)
    return np.int64(below(rng, seat, Draw.CARD, np.int64(state["deck_n"])))


@kernel
def is_named(state: Record, kind: int, named: int) -> bool:
    """Whether a scripted draw names a kind of card, see `pick_card`."""
    if kind < FIELD:
        return kind == named
    effect, owner = FIELD + np.int64(state["effect"][kind - FIELD]), (kind - FIELD) // SQUAD
    return named in (effect, effect + FIELD_EFFECTS_MAX * (1 + owner))


@kernel
def leave_hand(state: Record, seat: int, card: int) -> np.int64:
    """Take a card out of a hand, which closes up; returns its kind."""
    kind, drawn_at = np.int64(state["hand"][seat, card]), np.int64(state["drawn_at"][seat, card])
    state["hand_n"][seat] -= 1
    last = np.int64(state["hand_n"][seat])
    for i in range(card, last):
        state["hand"][seat, i] = state["hand"][seat, i + 1]
        state["drawn_at"][seat, i] = state["drawn_at"][seat, i + 1]
    state["hand"][seat, last] = 0
    state["drawn_at"][seat, last] = 0
    if kind >= FIELD:
        forget_copy(state, kind - FIELD, drawn_at)
    return kind


@kernel
def forget_copy(state: Record, effect_slot: int, drawn_at: int) -> None:
    """A copy lies open now: the latest that went in before it was drawn is no longer hidden."""
    gone = COPIES_MAX - 1
    while gone > 0 and (state["entered"][effect_slot, gone] == 0 or state["entered"][effect_slot, gone] >= drawn_at):
        gone -= 1
    for copy in range(gone, COPIES_MAX - 1):
        state["entered"][effect_slot, copy] = state["entered"][effect_slot, copy + 1]
    state["entered"][effect_slot, COPIES_MAX - 1] = 0


@kernel
def discard_from_hand(state: Record, seat: int, card: int) -> None:
    """ROOK-14. Discard a card of a hand."""
    kind = leave_hand(state, seat, card)
    if kind >= FIELD:
        state["thrown"][kind - FIELD] += 1
    add_to_discard(state, kind)


@kernel
def is_first_of_its_kind(state: Record, seat: int, card: int) -> bool:
    """Register section 5. Whether no card of a lower place in the hand is equal."""
    for i in range(card):
        if state["hand"][seat, i] == state["hand"][seat, card]:
            return False
    return True


@kernel
def fill_deck(state: Record, cards: Record) -> None:
    """ROOK-06, 07. All energy in the Field Deck, the copies of the squads' field effects in their piles."""
    state["draws"] = 1
    for kind in range(FIELD):
        for _ in range(np.int64(cards["energy_count"][kind])):
            add_to_deck(state, np.int64(kind))
    for effect_slot in range(SLOTS):
        effect = state["effect"][effect_slot]
        state["pile"][effect_slot] = cards["effect_copies"][effect] if effect != NOBODY else 0


@kernel
def hand_room(cards: Record) -> np.int64:
    """ROOK-36. Cards that a hand may hold."""
    return min(np.int64(cards["hand_max"]), np.int64(HAND_MAX))
