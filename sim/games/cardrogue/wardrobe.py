"""What fighters of duels carry: which cards bear on a fight, and who can wear what with what (ROGUE-81, 84, 92, 93)."""

from collections.abc import Sequence

import numpy as np

from sim.engine.cards import CardSet
from sim.games.cardrogue.cards import type_ids, type_names
from sim.games.cardrogue.codes import Category, Slot
from sim.games.cardrogue.decisions import OFFHAND_CODE
from sim.games.cardrogue.labels import OFFHAND
from sim.games.cardrogue.record import MOD_LOWEST, MODS, SLOTS
from sim.games.cardrogue.state import NO_CARD, STATE

BEARING = (  # fields of a card by which it changes a fight
    *("attack_mod", "min_attack", "multiply", "miss_faces", "reroll_faces", "block_faces", "damage_taken"),
    *("item_flee_faces", "max_health"),
)
GEAR = (Category.WEAPON, Category.ARMOUR, Category.ARTIFACT)
SEAT = 0


def bearing(cards: CardSet) -> list[int]:
    """Card types that bear on a fight: equipment, then artifacts."""
    line = cards.record[0]
    changes = sum(line[field] != 0 for field in BEARING)
    found = [card for card in range(int(line["types"])) if line["category"][card] in GEAR and changes[card]]
    return sorted(found, key=lambda card: line["category"][card] == Category.ARTIFACT)


def offhand(cards: CardSet) -> list[int]:
    """OFFHAND_CODE + card type of each weapon that some character can carry in the other hand (ROGUE-92)."""
    line = cards.record[0]
    own = {int(card) for card in line["offhand_type"][: line["characters"]] if card != NO_CARD}
    return [OFFHAND_CODE + card for card in sorted(own)]


def clothed(cards: CardSet, character: int, gear: Sequence[int]) -> np.void:
    """A STATE record in which seat 0 is a character that wears and holds these cards, at no health as yet.

    gear: card types; OFFHAND_CODE + type for a weapon in the other hand. Raises ValueError for what it cannot wear, alone or
    with the rest.
    """
    line, names = cards.record[0], cards.names
    ids = {**dict(enumerate(type_ids(cards))), **offhand_ids(cards)}
    state = np.zeros(1, STATE)[0]
    state["character"][:] = NO_CARD
    state["character"][SEAT] = character
    state["worn"][:] = NO_CARD
    # what could go to the other hand as well comes last, whatever the order it is named in
    own = int(line["offhand_type"][character])
    for piece in sorted(gear, key=lambda piece: piece == own):
        card = piece % OFFHAND_CODE
        if piece >= OFFHAND_CODE and card != own:
            raise ValueError(
                f"gear {ids[piece]}: the {names[character]} carries no weapon in the other hand (ROGUE-92)"
            )
        if line["category"][card] == Category.ARTIFACT:
            _hold(state, line, card, f"gear {ids[card]}: the {names[character]} casts off cursed cards")
            continue
        slots = [Slot.SECONDARY] if piece >= OFFHAND_CODE else _slots(line, character, card, state["worn"][SEAT])
        if not slots:
            where = " and ".join(_words(int(line["slots"][card] & line["forbidden_slots"][character])))
            raise ValueError(f"gear {ids[card]}: the {names[character]} wears nothing in the slot {where}")
        taken = [int(state["worn"][SEAT, slot]) for slot in slots if state["worn"][SEAT, slot] != NO_CARD]
        if taken:
            raise ValueError(
                f"gear {ids[taken[0]]}, {ids[card]}: both are worn in the same place; leave one of them out"
            )
        state["worn"][SEAT, slots] = card
    return state


def _hold(state: np.void, line: np.void, card: int, refused: str) -> None:
    """Put an artifact into the hand. Raises ValueError, with these words, if it is discarded at once."""
    if line["cursed"][card] and line["discard_cursed"][state["character"][SEAT]]:
        raise ValueError(refused)
    state["hand"][SEAT, card] += 1
    state["held"][SEAT] |= np.uint64(1) << np.uint64(card)


def _slots(line: np.void, character: int, card: int, worn: np.ndarray) -> list[int]:
    """Slots that an item would fill; none if the character may not wear it."""
    slots = [slot for slot in range(SLOTS) if int(line["slots"][card]) >> slot & 1]
    allowed = not int(line["slots"][card]) & int(line["forbidden_slots"][character])
    occupied = any(worn[slot] != NO_CARD for slot in slots)
    if card == line["offhand_type"][character] and (occupied or not allowed):
        return [Slot.SECONDARY]
    return slots if allowed else []


def _words(slots: int) -> list[str]:
    """Names of the slots in a set of them."""
    return [slot.name.lower() for slot in Slot if slots >> slot & 1]


def offhand_ids(cards: CardSet) -> dict[int, str]:
    """What duels call a weapon in the other hand, by its code: "dagger_off_hand"."""
    ids = type_ids(cards)
    return {code: f"{ids[code - OFFHAND_CODE]}_off_hand" for code in offhand(cards)}


def names_of(cards: CardSet, gear: Sequence[int]) -> tuple[str, ...]:
    """Display names of cards; a weapon in the other hand (OFFHAND_CODE + type) is "Dagger off-hand"."""
    names = type_names(cards)
    return tuple(names[code % OFFHAND_CODE] + (f" {OFFHAND}" if code >= OFFHAND_CODE else "") for code in gear)


def best_weapon(cards: CardSet, character: int) -> list[int]:
    """The weapon in one hand whose attacks do most damage on average, the first of equals; empty if there is none."""
    line = cards.record[0]
    bare = np.full(SLOTS, NO_CARD)
    weapons = [
        card
        for card in bearing(cards)
        if line["category"][card] == Category.WEAPON and _slots(line, character, card, bare) == [Slot.PRIMARY]
    ]
    return sorted(weapons, key=lambda card: -_mean_attack(line, card))[:1]


def _mean_attack(line: np.void, card: int) -> float:
    """Mean damage of an attack with a weapon."""
    modifier = min(max(int(line["attack_mod"][card]) - MOD_LOWEST, 0), MODS - 1)
    return float(line["attack_mean"][line["weapon_number"][card], modifier])


def best_armour(cards: CardSet, character: int) -> list[int]:
    """In each slot that no weapon needs, the piece that takes most off an attack, or else blocks it."""
    line = cards.record[0]
    worn = np.full(SLOTS, NO_CARD)
    pieces = [card for card in bearing(cards) if line["category"][card] == Category.ARMOUR]
    pieces = [card for card in pieces if line["damage_taken"][card] > 0 or line["block_faces"][card]]
    for card in sorted(pieces, key=lambda card: -line["damage_taken"][card]):
        slots = _slots(line, character, card, worn)
        if slots and (worn[slots] == NO_CARD).all():
            worn[slots] = card
    return [*dict.fromkeys(int(card) for card in worn if card != NO_CARD)]
