"""Tokens and cards that moved between two positions of Rookling Heroes."""

from collections import Counter

import numpy as np

from sim.games.rookling.labels import (
    PLACES,
    counted,
    joined,
    names_of,
    some,
)
from sim.games.rookling.state import FIELD, NOBODY, NOWHERE, POSITIONS, SEATS, SLOTS
from sim.games.rookling.story_change import Change


def shuffles(change: Change) -> list[str]:
    """ROOK-31. Field effects that went into the deck."""
    told = []
    for slot in range(SLOTS):
        count = change.gain("shuffled", slot)
        if count > 0:
            copies = some(count, f"{change.card(FIELD + slot)} card")
            told.append(f"{copies} {'is' if count == 1 else 'are'} shuffled into the deck.")
    return told


def tokens(change: Change) -> list[str]:
    """ROOK-56, 61 to 63. Tokens that came under Rooklings or into zones, and those that are gone."""
    told = []
    for seat, slot in change.rooklings:
        before, after = (_under(change, state, seat, slot) for state in (change.before, change.after))
        name = change.name(seat, slot)
        if came := after - before:
            told.append(f"{name} gets {joined(counted(came.elements()))}.")
        if gone := before - after:
            told.append(f"{name} loses {joined(counted(gone.elements()))}.")
    return told + _fixed(change)


def _under(change: Change, state: np.void, seat: int, slot: int) -> Counter[str]:
    """Names of all tokens under a Rookling, active and pending, by what they do: field effects as the tokens they are."""
    record, names = change.cards.record[0], names_of(change.cards, "token")
    found: Counter[str] = Counter()
    for kind, name in enumerate(names):
        found[name] += int(state["tok"][seat, slot, kind]) + int(state["tok_new"][seat, slot, kind])
    for effect_slot in range(SLOTS):
        under = int(state["fe_tok"][seat, slot, effect_slot])
        if under:
            found[names[record["effect_token"][state["effect"][effect_slot]]]] += under
    return found


def _fixed(change: Change) -> list[str]:
    """ROOK-62. Fixed tokens that came to lie in a zone."""
    told = []
    for slot in range(SLOTS):
        was, zone = int(change.before["fixed"][slot]), int(change.after["fixed"][slot])
        if zone not in (was, NOWHERE) and change.before["effect"][slot] != NOBODY:
            seat, at = divmod(zone, POSITIONS)
            collapsed = "; the older one collapses" if was != NOWHERE else ""
            told.append(f"{change.card(FIELD + slot)} now lies in the {PLACES[at]} zone of seat {seat + 1}{collapsed}.")
    return told


def reshuffles(change: Change) -> list[str]:
    """ROOK-65. The discard pile that became the deck."""
    drawn = sum(change.gain("cards_drawn", seat) for seat in range(SEATS))
    came = change.gain("deck_n") + drawn - sum(change.gain("shuffled", slot) for slot in range(SLOTS))
    return ["The discard pile is shuffled into a new deck."] if came > 0 else []


def draws(change: Change) -> list[str]:
    """ROOK-09, 36, 64. Cards drawn."""
    told = []
    for seat in (change.attacker, 1 - change.attacker):
        drawn = change.gain("cards_drawn", seat)
        came = change.came(seat)
        if drawn == came.total() and drawn:
            told.append(f"Seat {seat + 1} draws {joined(counted([change.card(kind) for kind in came.elements()]))}.")
        elif drawn:
            told.append(f"Seat {seat + 1} draws {some(drawn, 'card')}.")
    return told
