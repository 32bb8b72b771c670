"""Tokens under Rooklings and in zones (ROOK-62, 63, 67 to 72): what acts, what is spent, where it returns to."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.record import SQUAD, Mask, Until
from sim.games.rookling.state import NOBODY, NOWHERE, POSITIONS, SLOTS, kinds_at


@kernel
def kind_of(state: Record, cards: Record, effect_slot: int) -> np.int64:
    """Kind of token that a field effect slot's cards become; the slot must hold a field effect."""
    return np.int64(cards["effect_token"][state["effect"][effect_slot]])


@kernel
def holds(kinds: int, kind: int) -> bool:
    """Whether a set of kinds of tokens has one of them."""
    return np.int64(kinds) >> kind & 1 == 1


@kernel
def is_field_effect(state: Record, cards: Record, effect_slot: int, kind: int) -> bool:
    """Whether a slot holds a field effect that becomes a token of this kind."""
    return state["effect"][effect_slot] != NOBODY and kind_of(state, cards, np.int64(effect_slot)) == kind


@kernel
def count_of(state: Record, cards: Record, seat: int, slot: int, kind: int) -> np.int64:
    """ROOK-67. Active tokens of a kind under a Rookling, token cards and field effects together."""
    count = np.int64(state["tok"][seat, slot, kind])
    for effect_slot in range(SLOTS):
        if state["fe_tok"][seat, slot, effect_slot] > 0 and is_field_effect(state, cards, effect_slot, kind):
            count += state["fe_tok"][seat, slot, effect_slot]
    return count


@kernel
def fixed_count(state: Record, cards: Record, seat: int, position: int, kind: int) -> np.int64:
    """ROOK-71. Fixed tokens of a kind in a zone."""
    count = np.int64(0)
    for effect_slot in range(SLOTS):
        here = state["fixed"][effect_slot] == seat * POSITIONS + position
        count += here and is_field_effect(state, cards, effect_slot, kind)
    return count


@kernel
def sum_at(state: Record, cards: Record, place: tuple[int, int], mask: int, points: np.ndarray) -> np.int64:
    """ROOK-44. Points of all active tokens that act at a position and whose kind is in a mask, added up.

    place: seat, position; mask: a Mask; points: column of CARDS, by kind.
    """
    seat, position = place
    kinds = kinds_at(state, seat, position) & np.int64(cards["token_mask"][mask])
    if kinds == 0:
        return np.int64(0)
    total, slot = np.int64(0), np.int64(state["at"][seat, position])
    for kind in range(np.int64(cards["tokens"])):
        if holds(kinds, kind) and points[kind] != 0:
            count = count_of(state, cards, seat, slot, kind) + fixed_count(state, cards, seat, position, kind)
            total += count * points[kind]
    return total


@kernel
def note_bearing(state: Record, cards: Record, seat: int, slot: int) -> None:
    """Work out anew which kinds of active tokens a Rookling bears."""
    kinds = np.int64(0)
    for kind in range(np.int64(cards["tokens"])):
        if state["tok"][seat, slot, kind] > 0:
            kinds |= np.int64(1) << kind
    for effect_slot in range(SLOTS):
        if state["fe_tok"][seat, slot, effect_slot] > 0:
            kinds |= np.int64(1) << kind_of(state, cards, np.int64(effect_slot))
    state["bears"][seat, slot] = kinds


@kernel
def note_zones(state: Record, cards: Record) -> None:
    """Work out anew which kinds of fixed tokens stand in each zone."""
    state["zone_kinds"][:] = 0
    for effect_slot in range(SLOTS):
        zone = np.int64(state["fixed"][effect_slot])
        if zone != NOWHERE:
            state["zone_kinds"][zone // POSITIONS, zone % POSITIONS] |= np.uint16(
                np.int64(1) << kind_of(state, cards, np.int64(effect_slot))
            )


@kernel
def remove_tokens(state: Record, cards: Record, seat: int, slot: int, kinds: int) -> np.int64:
    """ROOK-63. Take all active tokens of these kinds from under a Rookling, each back to where it belongs; how many."""
    if np.int64(state["bears"][seat, slot]) & kinds == 0:
        return np.int64(0)
    removed = np.int64(0)
    for kind in range(np.int64(cards["tokens"])):
        if holds(kinds, kind):
            removed += state["tok"][seat, slot, kind]
            state["supply"][kind] += state["tok"][seat, slot, kind]
            state["tok"][seat, slot, kind] = 0
    for effect_slot in range(SLOTS):
        if state["fe_tok"][seat, slot, effect_slot] > 0 and holds(kinds, kind_of(state, cards, np.int64(effect_slot))):
            removed += state["fe_tok"][seat, slot, effect_slot]
            state["pile"][effect_slot] += state["fe_tok"][seat, slot, effect_slot]
            state["fe_tok"][seat, slot, effect_slot] = 0
    note_bearing(state, cards, seat, slot)
    return removed


@kernel
def spend(state: Record, cards: Record, seat: int, slot: int, mask: int) -> None:
    """ROOK-44. The tokens of a mask under a Rookling have acted: those that last until triggered are spent."""
    kinds = np.int64(cards["token_mask"][mask] & cards["token_mask"][Mask.TRIGGER])
    if np.int64(state["bears"][seat, slot]) & kinds == 0:
        return
    for effect_slot in range(SLOTS):
        if state["fe_tok"][seat, slot, effect_slot] > 0 and holds(kinds, kind_of(state, cards, np.int64(effect_slot))):
            state["triggered"][effect_slot] += state["fe_tok"][seat, slot, effect_slot]
    remove_tokens(state, cards, seat, slot, kinds)


@kernel
def clear_one(state: Record, cards: Record, seat: int, slot: int) -> None:
    """ROOK-14. Remove one active token that lasts until cleared: a token card before a field effect, the lowest first."""
    kinds = np.int64(state["bears"][seat, slot] & cards["token_mask"][Mask.CLEARED])
    for kind in range(np.int64(cards["tokens"])):
        if holds(kinds, kind) and state["tok"][seat, slot, kind] > 0:
            state["tok"][seat, slot, kind] -= 1
            state["supply"][kind] += 1
            note_bearing(state, cards, seat, slot)
            return
    for effect_slot in range(SLOTS):
        if state["fe_tok"][seat, slot, effect_slot] > 0 and holds(kinds, kind_of(state, cards, np.int64(effect_slot))):
            state["fe_tok"][seat, slot, effect_slot] -= 1
            state["pile"][effect_slot] += 1
            note_bearing(state, cards, seat, slot)
            return


@kernel
def give(state: Record, seat: int, slot: int, kind: int, copies: int) -> np.int64:
    """ROOK-08, 63. Put token cards under a Rookling, pending, as far as the supply goes; returns how many."""
    given = min(np.int64(copies), np.int64(state["supply"][kind]))
    if given > 0:
        state["supply"][kind] -= given
        state["tok_new"][seat, slot, kind] += given
        state["pending"][seat, slot] |= np.uint16(np.int64(1) << kind)
    return given


@kernel
def expire(state: Record, cards: Record) -> None:
    """ROOK-63. At the end of an exchange: tokens that last until then go, and pending token cards become active."""
    exchange = np.int64(cards["token_mask"][Mask.EXCHANGE])
    after_attack = exchange | np.int64(cards["token_mask"][Mask.OWNER_ATTACK])
    attacker = np.int64(state["attacker"])
    for slot in range(SQUAD):
        remove_tokens(state, cards, attacker, np.int64(slot), after_attack)
        remove_tokens(state, cards, 1 - attacker, np.int64(slot), exchange)
    for seat in range(2):
        for slot in range(SQUAD):
            if state["pending"][seat, slot] != 0:
                wake(state, cards, np.int64(seat), np.int64(slot))


@kernel
def wake(state: Record, cards: Record, seat: int, slot: int) -> None:
    """ROOK-63. Pending token cards under a Rookling become active."""
    harmful = np.int64(cards["token_mask"][Mask.HARMFUL])
    for kind in range(np.int64(cards["tokens"])):
        copies = state["tok_new"][seat, slot, kind]
        if copies > 0:
            state["tok"][seat, slot, kind] += copies
            state["tok_new"][seat, slot, kind] = 0
            state["received"][seat, slot] += copies if holds(harmful, kind) else 0
            state["received_kind"][seat, kind] += copies
    state["pending"][seat, slot] = 0
    note_bearing(state, cards, seat, slot)


@kernel
def slide(state: Record, cards: Record, seat: int, position: int, effect_slot: int) -> None:
    """ROOK-61 to 63. A field effect card that powered a line becomes a token: under the Rookling, or in the zone.

    A fixed one replaces an older one of its slot, which returns to the pile (ROOK-62).
    """
    kind = kind_of(state, cards, effect_slot)
    state["received_kind"][seat, kind] += 1
    if cards["until"][kind] == Until.REPLACED:
        if state["fixed"][effect_slot] != NOWHERE:
            state["pile"][effect_slot] += 1
        state["fixed"][effect_slot] = seat * POSITIONS + position
        note_zones(state, cards)
        return
    slot = np.int64(state["at"][seat, position])
    state["fe_tok"][seat, slot, effect_slot] += 1
    state["received"][seat, slot] += holds(np.int64(cards["token_mask"][Mask.HARMFUL]), kind)
    note_bearing(state, cards, seat, slot)
