"""What things are worth to a player (register section 7), in tenths of a victory point: cards, equipment, health."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import KEY, POTION, Category, Effect, Slot
from sim.games.cardrogue.decisions import GOLD_CODE
from sim.games.cardrogue.holding import attack_mod, bit, fits, max_health
from sim.games.cardrogue.points import points_of_source
from sim.games.cardrogue.record import MOD_LOWEST, MODS, SLOTS
from sim.games.cardrogue.state import NO_CARD, POINTS, Points

POINT = 10.0  # a victory point that nobody can take away
BOSS_POINT = 8.0  # one that can be stolen or lost
HEALTH = 3.0  # full health
ATTACK = 1.0  # a point of mean damage
ARMOUR = 1.3  # a point less from each attack
GOLD = 0.1  # in the purse
WARE = 0.09  # gold value of a card that could be sold
GOLD_USEFUL = 40  # gold beyond which more is worth nothing
KEY_ALONE = 2.0
KEY_AND_CHEST = 4.0
UNKNOWN_POTION = 0.35
HEALING = 1.0
STRENGTH = 0.9
WEAPON_POTION = 0.5  # poison, weakness, paralysis: to be thrown
SCROLL = 0.25
MAX_HEALTH = 0.5  # a point of maximum health
POISON = 0.35  # a turn
SKIPPED = 1.2  # a turn
MOVING = 0.4  # a tile more
FLEEING = 0.15  # a face on which flight succeeds
TRAPS = 0.05  # a face on which traps are avoided
BLOCK = 0.35  # a face
DISCOVERY = 0.3  # a card turned over


@kernel
def weapon_of(state: Record, cards: Record, seat: int) -> np.int64:
    """Number of the weapon in a player's primary slot, 0: bare hands."""
    card = np.int64(state["worn"][seat, Slot.PRIMARY])
    return np.int64(0) if card == NO_CARD else np.int64(cards["weapon_number"][card])


@kernel
def mean_attack(cards: Record, weapon: int, mod: int) -> float:
    """Mean damage of an attack (ROGUE-43 to 45) with a weapon and a modifier."""
    return cards["attack_mean"][weapon, min(MODS - 1, max(0, mod - MOD_LOWEST))]


@kernel
def count_faces(faces: int) -> int:
    """How many faces a set of faces has."""
    count = 0
    for face in range(1, 7):
        count += (faces >> face) & 1
    return count


@kernel
def item_effects(cards: Record, card: int) -> float:
    """Worth of what an item does while it is worn, its attack apart."""
    value = ARMOUR * cards["damage_taken"][card] + MOVING * cards["movement"][card]
    value += FLEEING * count_faces(np.int64(cards["item_flee_faces"][card])) + TRAPS * count_faces(
        np.int64(cards["avoid_trap_faces"][card])
    )
    return value + BLOCK * count_faces(np.int64(cards["block_faces"][card]))


@kernel
def gear_gain(state: Record, cards: Record, seat: int, card: int) -> float:
    """What a player would gain by wearing an item in its own slots instead of what is there; below 0: better not."""
    character = np.int64(state["character"][seat])
    if not fits(cards, character, card):
        return -1.0
    gain = item_effects(cards, card)
    weapon, mod = weapon_of(state, cards, seat), np.int64(attack_mod(state, cards, seat))
    before = mean_attack(cards, weapon, mod)
    last = np.int64(NO_CARD)
    for slot in range(SLOTS):
        old = np.int64(state["worn"][seat, slot])
        if not (cards["slots"][card] >> slot) & 1 or old in (NO_CARD, last):
            continue
        last = old
        gain -= item_effects(cards, old)
        mod -= cards["attack_mod"][old]
        if cards["weapon_number"][old] == weapon:
            weapon = 0
    mod += cards["attack_mod"][card]
    if cards["weapon_number"][card] > 0:
        weapon = np.int64(cards["weapon_number"][card])
    return gain + ATTACK * (mean_attack(cards, weapon, mod) - before)


@kernel
def offhand_gain(state: Record, cards: Record, seat: int, card: int) -> float:
    """ROGUE-92. What an off-hand weapon would add."""
    character = np.int64(state["character"][seat])
    if card != cards["offhand_type"][character] or state["worn"][seat, Slot.SECONDARY] != NO_CARD:
        return -1.0
    return ATTACK * cards["offhand_mod"][character]


@kernel
def potion_worth(state: Record, cards: Record, colour: int) -> float:
    """Worth of a potion in hand, by what is known of its colour."""
    face = np.int64(state["effect"][colour])
    if face == 0:
        return UNKNOWN_POTION
    effect, n = np.int64(cards["drink_effect"][face]), np.int64(cards["drink_n"][face])
    if effect == Effect.HEAL_FULL:
        return HEALING
    if effect == Effect.ATTACK_MOD and n > 0:
        return STRENGTH
    if effect == Effect.TELEPORT:
        return UNKNOWN_POTION
    return WEAPON_POTION


@kernel
def card_worth(state: Record, cards: Record, seat: int, card: int) -> float:
    """What one card in the hand is worth to a player; equipment: what wearing it would bring, less than having it on."""
    category = np.int64(cards["category"][card])
    price = WARE * cards["gold"][card]
    if category == Category.KEY:
        return KEY_AND_CHEST if state["chest_seen"] else KEY_ALONE
    if category == Category.POTION:
        return max(price, potion_worth(state, cards, card - POTION))
    if category in (Category.WEAPON, Category.ARMOUR):
        gain = max(gear_gain(state, cards, seat, card), offhand_gain(state, cards, seat, card))
        return price + 0.9 * max(0.0, gain)
    if category == Category.SCROLL:
        known = MAX_HEALTH * cards["scroll_n"][card] if cards["scroll_effect"][card] == Effect.MAX_HEALTH else SCROLL
        return max(price, 0.9 * known)
    if category == Category.ARTIFACT:
        return MAX_HEALTH * cards["max_health"][card] + ATTACK * cards["attack_mod"][card]
    return price + BOSS_POINT * cards["vp"][card]


@kernel
def code_worth(state: Record, cards: Record, seat: int, code: int) -> float:
    """What a card, or 64 + an amount of gold, is worth to a player."""
    if code >= GOLD_CODE:
        return GOLD * (code - GOLD_CODE)
    return card_worth(state, cards, seat, code)


@kernel
def hand_worths(state: Record, cards: Record, seat: int) -> tuple[float, float, float]:
    """Worth of the cards in a hand: of boss cards, of the key, of all others; artifacts' attack is counted with the attack."""
    bosses, key, others, left = 0.0, 0.0, 0.0, state["held"][seat]
    for card in range(np.int64(cards["types"])):
        if left == 0:
            break
        if left & bit(card):
            left &= ~bit(card)
            worth = card_worth(state, cards, seat, card)
            if cards["category"][card] == Category.ARTIFACT:
                worth -= ATTACK * cards["attack_mod"][card]
            if card == KEY:
                key = state["hand"][seat, card] * worth
            elif cards["vp"][card] > 0:
                bosses += state["hand"][seat, card] * worth
            else:
                others += state["hand"][seat, card] * worth
    return bosses, key, others


@kernel
def hand_worth(state: Record, cards: Record, seat: int) -> float:
    """Worth of all cards in a hand."""
    bosses, key, others = hand_worths(state, cards, seat)
    return bosses + key + others


@kernel
def worn_worth(state: Record, cards: Record, seat: int) -> float:
    """Worth of what is worn: effects and price; the attack is counted apart."""
    total, last = 0.0, np.int64(NO_CARD)
    for slot in range(SLOTS):
        card = np.int64(state["worn"][seat, slot])
        if card not in (NO_CARD, last):
            total += item_effects(cards, card) + WARE * cards["gold"][card]
            last = card
    return total


@kernel
def scored_worth(state: Record, cards: Record, seat: int) -> float:
    """Victory points that never leave."""
    total = 0
    for source in range(POINTS):
        if source not in (Points.BASILISK, Points.GOLEM):
            total += points_of_source(state, cards, seat, source)
    return POINT * total


@kernel
def health_worth(state: Record, cards: Record, seat: int) -> float:
    """Worth of health."""
    most = max_health(state, cards, seat)
    return HEALTH * min(1.25, max(0, state["health"][seat]) / float(most)) + MAX_HEALTH * (most - 10)


@kernel
def ailments_cost(state: Record, seat: int) -> float:
    """What poison and lost turns cost."""
    poison = POISON * state["poison"][seat] if state["antidote"][seat] == 0 else 0.0
    return poison + SKIPPED * state["skip"][seat]


@kernel
def holdings(state: Record, cards: Record, seat: int) -> tuple[float, ...]:
    """What a player has, wherever it stands, by its parts.

    Points for good, boss cards, health, ailments (below 0), attack, equipment, other cards, the key, gold, what it has
    discovered.
    """
    scored, (bosses, key, others) = scored_worth(state, cards, seat), hand_worths(state, cards, seat)
    if state["out"][seat]:
        return scored, bosses, 0.0, 0.0, 0.0, 0.0, others, key, 0.0, 0.0
    health, ailments = health_worth(state, cards, seat), -ailments_cost(state, seat)
    attack = ATTACK * mean_attack(cards, weapon_of(state, cards, seat), attack_mod(state, cards, seat))
    worn, gold = worn_worth(state, cards, seat), GOLD * min(GOLD_USEFUL, state["gold"][seat])
    found = DISCOVERY * min(cards["exploration_cards"], state["flips"][seat])
    return scored, bosses, health, ailments, attack, worn, others, key, gold, found


@kernel
def standing_worth(state: Record, cards: Record, seat: int) -> float:
    """What a player has, wherever it stands: the sum of `holdings`."""
    total = 0.0
    for worth in holdings(state, cards, seat):
        total += worth
    return total


@kernel
def assets(state: Record, cards: Record, seat: int) -> float:
    """What a death would cost of a player's cards and gold (ROGUE-61)."""
    worn = worn_worth(state, cards, seat) + ATTACK * (mean_attack(cards, weapon_of(state, cards, seat), 0) - 3.5)
    return worn + hand_worth(state, cards, seat) + GOLD * state["gold"][seat]
