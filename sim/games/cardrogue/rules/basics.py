"""Basics: hands, equipment, health and what afflicts it (ROGUE-02, 05 to 08, 15, 22, 51, 52, 80 to 85, 92, 93, 102)."""

import numpy as np

from sim.engine.dice import roll
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.record import DIE_FACES, KEY, SLOTS, Category, Effect, Slot
from sim.games.cardrogue.state import NO_CARD, NOBODY, Death, Step

# hands and equipment


@kernel
def add_to_hand(state: Record, seat: int, card: int) -> None:
    """Put a card into a hand, without any effect."""
    state["hand"][seat, card] += 1
    state["held"][seat] |= bit(card)


@kernel
def take_from_hand(state: Record, seat: int, card: int) -> None:
    """Take a card out of a hand."""
    state["hand"][seat, card] -= 1
    if state["hand"][seat, card] == 0:
        state["held"][seat] &= ~bit(card)


@kernel
def discard(state: Record, seat: int, card: int) -> None:
    """ROGUE-04. Discard a card from a hand: it leaves the game."""
    take_from_hand(state, seat, card)
    state["gone"][card] += 1


@kernel
def gain(state: Record, cards: Record, seat: int, card: int) -> None:
    """ROGUE-07, 84, 93, 102. A card comes into a hand, with its consequences."""
    if cards["cursed"][card] and cards["discard_cursed"][state["character"][seat]]:
        state["gone"][card] += 1
        return
    add_to_hand(state, seat, card)
    if cards["category"][card] == Category.ARTIFACT and cards["max_health"][card] > 0:
        state["health"][seat] += cards["max_health"][card]
    if cards["cancel_group"][card] > 0:
        cancel(state, cards, seat, card)


@kernel
def cancel(state: Record, cards: Record, seat: int, card: int) -> None:
    """ROGUE-102. Two cards of one group in one hand leave the game."""
    for number in range(cards["enemies"]):
        other = cards["enemy_type"][number]
        same = cards["cancel_group"][other] == cards["cancel_group"][card]
        if same and state["hand"][seat, other] > (1 if other == card else 0):
            discard(state, seat, card)
            discard(state, seat, other)
            return


@kernel
def max_health(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-07. Maximum health: character, scrolls, artifacts in hand; at least 1."""
    total = cards["own_max_health"][state["character"][seat]] + state["bonus"][seat]
    if state["held"][seat] & cards["artifact_bits"]:
        for card in range(cards["first_artifact"], cards["first_artifact"] + cards["artifacts"]):
            total += cards["max_health"][card] * state["hand"][seat, card]
    return max(1, total)


@kernel
def attack_mod(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-07. Attack modifier of character, potions, artifacts and equipment, without rage."""
    character = state["character"][seat]
    total = cards["own_attack_mod"][character] + state["potion_mod"][seat]
    if state["held"][seat] & cards["artifact_bits"]:
        for card in range(cards["first_artifact"], cards["first_artifact"] + cards["artifacts"]):
            total += cards["attack_mod"][card] * state["hand"][seat, card]
    for slot in range(SLOTS):
        worn = state["worn"][seat, slot]
        if worn == NO_CARD or is_second_half(state, cards, seat, slot):
            continue
        total += cards["offhand_mod"][character] if is_offhand(state, cards, seat, slot) else cards["attack_mod"][worn]
    return total


@kernel
def is_second_half(state: Record, cards: Record, seat: int, slot: int) -> bool:
    """ROGUE-81. Whether a slot holds the second half of a two-slot card, which counts once."""
    card = state["worn"][seat, slot]
    return card != NO_CARD and cards["slots"][card] & ((1 << slot) - 1) != 0 and not is_offhand(state, cards, seat, slot)


@kernel
def is_offhand(state: Record, cards: Record, seat: int, slot: int) -> bool:
    """ROGUE-92. Whether a slot holds an off-hand weapon, of which only the modifier counts."""
    card = state["worn"][seat, slot]
    return (
        slot == Slot.SECONDARY
        and card != NO_CARD
        and card == cards["offhand_type"][state["character"][seat]]
        and not (cards["slots"][card] >> Slot.SECONDARY) & 1
    )


@kernel
def acts_in(state: Record, cards: Record, seat: int, slot: int) -> bool:
    """Whether the card in a slot has its printed effects there."""
    if state["worn"][seat, slot] == NO_CARD:
        return False
    return not (is_second_half(state, cards, seat, slot) or is_offhand(state, cards, seat, slot))


@kernel
def worn_sum(state: Record, cards: Record, seat: int, amounts: np.ndarray) -> int:
    """ROGUE-81. Sum of a column of the cards (by type) over what a player wears, each card once."""
    total = 0
    for slot in range(SLOTS):
        if acts_in(state, cards, seat, slot):
            total += amounts[state["worn"][seat, slot]]
    return total


@kernel
def worn_faces(state: Record, cards: Record, seat: int, faces: np.ndarray) -> int:
    """ROGUE-81. Union of a column of faces (by card type) over what a player wears."""
    found = 0
    for slot in range(SLOTS):
        if acts_in(state, cards, seat, slot):
            found |= faces[state["worn"][seat, slot]]
    return found


@kernel
def armour(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-82. Reduction of each attack on a player."""
    return cards["own_damage_taken"][state["character"][seat]] + worn_sum(state, cards, seat, cards["damage_taken"])


@kernel
def movement(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-26, 82. Tiles that a player may walk in step 2."""
    return 1 + cards["own_movement"][state["character"][seat]] + worn_sum(state, cards, seat, cards["movement"])


@kernel
def own_flee_faces(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-57. The player's further faces on which a flight succeeds."""
    return cards["own_flee_faces"][state["character"][seat]] | worn_faces(state, cards, seat, cards["item_flee_faces"])


@kernel
def take_off(state: Record, cards: Record, seat: int, slot: int) -> None:
    """ROGUE-81. Put the card of a slot back into the hand; a two-slot card leaves both slots."""
    card = state["worn"][seat, slot]
    if not is_offhand(state, cards, seat, slot):
        change_moves(state, seat, -cards["movement"][card])
    state["worn"][seat, slot] = NO_CARD
    own = cards["slots"][card]
    for other in range(SLOTS):
        if state["worn"][seat, other] == card and (own >> slot) & (own >> other) & 1:
            state["worn"][seat, other] = NO_CARD
    add_to_hand(state, seat, card)


@kernel
def put_on(state: Record, cards: Record, seat: int, card: int, offhand: bool) -> None:
    """ROGUE-81, 92. Equip a card of the hand; cards in its slots go back to the hand."""
    slots = 1 << Slot.SECONDARY if offhand else cards["slots"][card]
    take_from_hand(state, seat, card)
    for slot in range(SLOTS):
        if (slots >> slot) & 1:
            if state["worn"][seat, slot] != NO_CARD:
                take_off(state, cards, seat, slot)
            state["worn"][seat, slot] = card
    if not offhand:
        change_moves(state, seat, cards["movement"][card])


@kernel
def change_moves(state: Record, seat: int, tiles: int) -> None:
    """ROGUE-82. Movement put on or taken off in step 2 counts at once, even below 0; a repeated move is always one tile."""
    if seat == state["active"] and state["step"] == Step.MOVE and state["repeats"] == 0:
        state["moves_left"] += tiles


@kernel
def fits(cards: Record, character: int, card: int) -> bool:
    """ROGUE-92. Whether a character can wear an item in its printed slots."""
    return cards["slots"][card] != 0 and cards["slots"][card] & cards["forbidden_slots"][character] == 0


@kernel
def has_key(state: Record, seat: int) -> bool:
    """Whether a player holds the key."""
    return state["hand"][seat, KEY] > 0


@kernel
def purse_card(cards: Record, gold: int, index: int) -> int:
    """ROGUE-05. Number of gold cards of one denomination in a purse, counted from the largest denomination down."""
    left = gold
    for place in range(index):
        left %= cards["denomination"][place]
    return left // cards["denomination"][index]


@kernel
def has_face(faces: int, face: int) -> bool:
    """ROGUE-02. Whether a face (1..6) of the die itself, before any modifier, is in a set of faces."""
    return (faces >> face) & 1 == 1


@kernel
def rolls_within(rng: Record, seat: int, purpose: int, faces: int) -> bool:
    """ROGUE-02. Roll a die; returns whether it shows one of the faces."""
    return has_face(faces, roll(rng, seat, purpose, DIE_FACES))


@kernel
def bit(card: int) -> np.uint64:
    """The set of one card type."""
    return np.uint64(1) << np.uint64(card)


@kernel
def seat_character(state: Record, cards: Record, seat: int, character: int) -> None:
    """ROGUE-15, 116. Give a seat its character, at full health, for the whole game."""
    state["character"][seat] = character
    state["health"][seat] = max_health(state, cards, seat)


# health, poison, paralysis and death


@kernel
def heal(state: Record, cards: Record, seat: int, amount: int) -> None:
    """ROGUE-08. Heal a player, at most to the maximum; nothing happens at or above it."""
    most = max_health(state, cards, seat)
    if state["health"][seat] < most:
        state["health"][seat] = min(most, state["health"][seat] + amount)


@kernel
def hurt(state: Record, seat: int, amount: int, cause: int) -> None:
    """ROGUE-08. A player loses health and dies at 0. cause: see `Death`."""
    if amount <= 0 or not is_alive(state, seat):
        return
    state["health"][seat] -= amount
    state["damage_taken"][seat] += amount
    if state["health"][seat] <= 0:
        fall(state, seat, cause)


@kernel
def fall(state: Record, seat: int, cause: int) -> None:
    """ROGUE-61. Note a death; its decisions come before anything else."""
    state["fallen"] = seat
    state["deaths"][seat, cause] += 1
    if state["first_death"][seat] == 0:
        state["first_death"][seat] = state["round"]
        state["first_cause"][seat] = cause


@kernel
def is_alive(state: Record, seat: int) -> bool:
    """Whether a player is in the game and not dying."""
    return state["out"][seat] == 0 and state["fallen"] != seat


@kernel
def afflict(state: Record, seat: int, effect: int, turns: int) -> None:
    """ROGUE-51, 52. Poison or paralyse a player; the larger counter stays. Paralysis cuts the player's turn short."""
    if effect == Effect.POISON:
        state["poison"][seat] = max(state["poison"][seat], turns)
    elif effect == Effect.PARALYZE:
        state["skip"][seat] = max(state["skip"][seat], turns)
        if seat == state["active"]:
            state["cut"] = 1


@kernel
def suffer_poison(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-22. Poison, or healing by the antidote, at the start of a turn."""
    if state["poison"][seat] == 0:
        return
    state["poison"][seat] -= 1
    if state["antidote"][seat] > 0:
        heal(state, cards, seat, state["antidote"][seat])
    else:
        hurt(state, seat, 1, Death.POISON)
    if state["poison"][seat] == 0:
        state["antidote"][seat] = 0


@kernel
def something_happened(state: Record) -> None:
    """ROGUE-30, 114. Note a flip, combat turn, pick-up, purchase or points: no mere walk, and the round is not idle."""
    state["only_walked"] = 0
    state["lively"] = 1


@kernel
def no_mere_walk(state: Record) -> None:
    """ROGUE-30. Note that this turn is no mere walk; the round may still be idle (ROGUE-114)."""
    state["only_walked"] = 0


@kernel
def interrupted(state: Record) -> bool:
    """ROGUE-32. Whether a death or a cut ends the turn here."""
    return state["fallen"] != NOBODY or state["cut"] == 1
