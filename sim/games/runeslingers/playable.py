"""Which cards of a hand can be played, which abilities activated (RUNE-41 to 45, 50, 53, 54)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.aims import has_aims
from sim.games.runeslingers.light import ready_light
from sim.games.runeslingers.playing import is_exposed
from sim.games.runeslingers.record import NO_ROW, Kind, Picker, Stat
from sim.games.runeslingers.state import AREAS, NOBODY, SEATS, SLOTS, object_at

HAS_SLOT, HAS_AREA = 1, 2  # bits of `survey`


@kernel
def survey(state: Record, seat: int) -> np.int64:
    """RUNE-53. Places for cards: whether the player has an exposed concentration, whether ailments lie on any field; as bits."""
    found = np.int64(0)
    for slot in range(SLOTS):
        if is_exposed(state, seat, slot):
            found |= HAS_SLOT
            break
    if has_ailments(state, 0) or has_ailments(state, 1):
        found |= HAS_AREA
    return found


@kernel
def can_play(state: Record, cards: Record, seat: int, card: int, light: int, places: int) -> bool:
    """RUNE-50, 53, 54. Whether a player may play a card of the hand. light, places: see `ready_light` and `survey`."""
    kind = cards["kind"][card]
    if cards["cost"][card] > light or cards["extra_discard"][card] >= state["hand_n"][seat]:
        return False
    if places & (HAS_AREA if kind == Kind.BOON else HAS_SLOT) == 0:
        return False
    if kind == Kind.TRINKET and controls(state, seat, card):
        return False
    if kind != Kind.BOON:
        return finds_targets(state, cards, seat, card)
    for side in range(SEATS):  # who has the field controls it
        if has_ailments(state, side) and finds_targets(state, cards, np.int64(side), card):
            return True
    return False


@kernel
def has_ailments(state: Record, seat: int) -> bool:
    """RUNE-106. Whether ailments lie on a field, under a boon or not."""
    for area in range(AREAS):
        if state["count"][seat, area] > 0:
            return True
    return False


@kernel
def finds_targets(state: Record, cards: Record, seat: int, card: int) -> bool:
    """RUNE-50. Whether every effect of a card, or of one of its bullets, has a target for the player who will control it."""
    if cards["picker"][card] != Picker.NOBODY:
        return has_bullet(state, cards, seat, card)
    return cards["needs"][card] == 0 or has_aims(
        state, cards, np.int64(cards["effects"][card]), seat, card, np.int64(NOBODY)
    )


@kernel
def controls(state: Record, seat: int, card: int) -> bool:
    """RUNE-54. Whether a player has such a card in play on a concentration."""
    for slot in range(SLOTS):
        inst = state["thing"][seat, slot]
        if inst != NOBODY and state["card_of"][inst] == card:
            return True
    return False


@kernel
def has_bullet(state: Record, cards: Record, seat: int, card: int) -> bool:
    """RUNE-56. Whether a card with Choice or Fate has a bullet whose targets all exist."""
    for k in range(np.int64(cards["bullets"][card])):
        if cards["bullet_needs"][card, k] == 0:
            return True
        if has_aims(state, cards, np.int64(cards["bullet"][card, k]), seat, card, np.int64(NOBODY)):
            return True
    return False


@kernel
def can_use_inherent(state: Record, cards: Record, seat: int, light: int) -> bool:
    """RUNE-41. Whether a player may activate the inherent ability."""
    hero = cards["hero"][state["deck_of"][seat]]
    if cards["inherent_light"][hero] > light or state["stat"][seat, Stat.NO_ABILITY] > 0:
        return False
    if 0 < cards["inherent_per_turn"][hero] <= state["inherent_uses"][seat]:
        return False
    row = np.int64(cards["inherent"][hero])
    return cards["inherent_needs"][hero] == 0 or has_aims(state, cards, row, seat, np.int64(NOBODY), np.int64(NOBODY))


@kernel
def can_use_ability(state: Record, cards: Record, seat: int) -> bool:
    """RUNE-42. Whether a player may activate the equipped ability."""
    ability = cards["ability"][state["deck_of"][seat]]
    if cards["ability_cost"][ability] > state["determination"][seat] or state["stat"][seat, Stat.NO_ABILITY] > 0:
        return False
    row = np.int64(cards["ability_effects"][ability])
    return cards["ability_needs"][ability] == 0 or has_aims(state, cards, row, seat, np.int64(NOBODY), np.int64(NOBODY))


@kernel
def can_activate(state: Record, cards: Record, seat: int, place: int, k: int) -> bool:
    """RUNE-43, 45. Whether a player may use the k-th activated effect of a thing that lies at a position."""
    card = np.int64(state["card_of"][state["thing"][seat, place]])
    row = np.int64(cards["act_effects"][card, k])
    if row == NO_ROW or cards["act_tokens"][card, k] > state["tokens"][seat, place]:
        return False
    if cards["act_use"][card, k] and (state["used"][seat, place] or state["turn_played"][seat, place] == state["turn"]):
        return False
    if 0 < cards["act_per_turn"][card, k] <= state["uses"][seat, place, k]:
        return False
    if cards["act_light"][card, k] > ready_light(state, seat):
        return False
    return cards["act_needs"][card, k] == 0 or has_aims(state, cards, row, seat, card, object_at(seat, place))
