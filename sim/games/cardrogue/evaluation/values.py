"""What things are worth, in tenths of a victory point: cards, equipment, health, purchases, combats.

The end of a combat is estimated from the exact chances of attacks in a row. What a player has and how it fights is worked out
once for a position, into a VIEW record.
"""

from enum import IntEnum

import numpy as np

from sim.engine.jit import Record, bit_count, kernel, lowest_bit
from sim.games.cardrogue.record import (
    ATTACKS_MAX,
    FEATURES,
    HEALTH_SPAN,
    KEY,
    MOD_LOWEST,
    MODS,
    POTION,
    SLOTS,
    Category,
    Effect,
    Slot,
)
from sim.games.cardrogue.rules.basics import armour, attack_mod, bit, fits, max_health, worn_faces
from sim.games.cardrogue.rules.combat import target_of
from sim.games.cardrogue.rules.items import NO_TYPES, may_sell, price
from sim.games.cardrogue.rules.tiles import OFFSET, monster_at, opens, walk_sides
from sim.games.cardrogue.rules.turn import points_of_source
from sim.games.cardrogue.state import DIRECTIONS, GOLD_CODE, NO_CARD, NOBODY, POINTS, SEATS, Points, Step


class Part(IntEnum):
    """Parts of what a player has."""

    POINTS = 0  # for good
    BOSSES = 1
    HEALTH = 2
    AILMENTS = 3  # negative
    ATTACK = 4
    GEAR = 5
    CARDS = 6
    KEY = 7
    GOLD = 8
    FOUND = 9  # cards turned over


PARTS = len(Part)
_EACH = (SEATS,)

VIEW = np.dtype(  # what the evaluation works out about a position
    [
        # what a player has, by seat: `take_stock`
        ("most", np.int64, _EACH),  # maximum health
        ("mod", np.int64, _EACH),  # attack modifier without rage
        ("weapon", np.int64, _EACH),  # its number, 0: bare hands
        ("part", np.float64, (SEATS, PARTS)),  # worth of what it has; independent of where it stands
        ("sum", np.float64, _EACH),  # of these
        ("assets", np.float64, _EACH),  # worth of the cards and gold that a death would cost (ROGUE-61)
        # how it fights, by seat: `brace`
        ("fighting_mod", np.int64, _EACH),  # attack modifier with rage
        ("mean", np.float64, _EACH),  # damage of an attack, at least 0.5
        ("armour", np.int64, _EACH),
        ("exposed", np.float64, _EACH),  # share of the turns in which no shield blocks the enemies
        ("daring", np.float64, _EACH),
        ("death", np.float64, _EACH),  # cost of dying
        # whose chance is estimated
        ("buying", np.float64),  # gain from a visit to the shop
        ("bold", np.uint8),  # 1: it turns cards over
        ("row", np.float64, (len(FEATURES),)),
    ],
    align=True,
)

# cards, equipment, health

POINT = 10.0  # a victory point for good
BOSS_POINT = 8.0  # a victory point that can be stolen or lost
HEALTH = 3.0  # full health
ATTACK = 1.0  # a point of mean damage
ARMOUR = 1.3  # a point of armour
GOLD = 0.1  # in the purse
WARE = 0.09  # gold value of a card that could be sold
GOLD_USEFUL = 40  # gold beyond this amount is worth nothing
KEY_ALONE = 2.0
KEY_AND_CHEST = 4.0
UNKNOWN_POTION = 0.35
HEALING = 1.0
STRENGTH = 0.9
WEAPON_POTION = 0.5  # poison, weakness, paralysis: for throwing
SCROLL = 0.25
MAX_HEALTH = 0.5  # a point of maximum health
POISON = 0.35  # a turn
SKIPPED = 1.2  # a turn
MOVING = 0.4  # a further tile a turn
FLEEING = 0.15  # a further face on which flight succeeds
TRAPS = 0.05  # a face on which traps are avoided
BLOCK = 0.35  # a face on which a shield blocks
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
    """Size of a set of faces."""
    return bit_count(np.uint64(faces))


@kernel
def item_effects(cards: Record, card: int) -> float:
    """Worth of an item's effects while it is worn, without its attack."""
    value = ARMOUR * cards["damage_taken"][card] + MOVING * cards["movement"][card]
    value += FLEEING * count_faces(np.int64(cards["item_flee_faces"][card])) + TRAPS * count_faces(
        np.int64(cards["avoid_trap_faces"][card])
    )
    return value + BLOCK * count_faces(np.int64(cards["block_faces"][card]))


@kernel
def gear_gain(state: Record, cards: Record, view: Record, seat: int, card: int) -> float:
    """Gain from wearing an item in its printed slots instead of what is there; can be negative."""
    character = np.int64(state["character"][seat])
    if not fits(cards, character, card):
        return -1.0
    gain = item_effects(cards, card)
    weapon, mod = view["weapon"][seat], view["mod"][seat]
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
    """ROGUE-92. Gain from wearing an off-hand weapon."""
    character = np.int64(state["character"][seat])
    if card != cards["offhand_type"][character] or state["worn"][seat, Slot.SECONDARY] != NO_CARD:
        return -1.0
    return ATTACK * cards["offhand_mod"][character]


@kernel
def potion_worth(state: Record, cards: Record, colour: int) -> float:
    """Worth of a potion in hand, depending on what is known of its colour."""
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
def card_worth(state: Record, cards: Record, view: Record, seat: int, card: int) -> float:
    """Worth of one card in hand; equipment counts a bit less than it would if worn."""
    category = np.int64(cards["category"][card])
    price = WARE * cards["gold"][card]
    if category == Category.KEY:
        return KEY_AND_CHEST if state["chest_seen"] else KEY_ALONE
    if category == Category.POTION:
        return max(price, potion_worth(state, cards, card - POTION))
    if category in (Category.WEAPON, Category.ARMOUR):
        gain = max(gear_gain(state, cards, view, seat, card), offhand_gain(state, cards, seat, card))
        return price + 0.9 * max(0.0, gain)
    if category == Category.SCROLL:
        known = MAX_HEALTH * cards["scroll_n"][card] if cards["scroll_effect"][card] == Effect.MAX_HEALTH else SCROLL
        return max(price, 0.9 * known)
    if category == Category.ARTIFACT:
        return MAX_HEALTH * cards["max_health"][card] + ATTACK * cards["attack_mod"][card]
    return price + BOSS_POINT * cards["vp"][card]


@kernel
def code_worth(state: Record, cards: Record, view: Record, seat: int, code: int) -> float:
    """Worth of a card, or of gold (64 + amount), to a player."""
    if code >= GOLD_CODE:
        return GOLD * (code - GOLD_CODE)
    return card_worth(state, cards, view, seat, code)


@kernel
def weigh_hand(state: Record, cards: Record, view: Record, seat: int) -> None:
    """Worth of boss cards, of the key and of all other cards in a hand; the attack of artifacts is part of the attack."""
    bosses, key, others, left = 0.0, 0.0, 0.0, state["held"][seat]
    while left != NO_TYPES:
        card = lowest_bit(left)
        left ^= bit(card)
        worth = card_worth(state, cards, view, seat, card)
        if cards["category"][card] == Category.ARTIFACT:
            worth -= ATTACK * cards["attack_mod"][card]
        if card == KEY:
            key = state["hand"][seat, card] * worth
        elif cards["vp"][card] > 0:
            bosses += state["hand"][seat, card] * worth
        else:
            others += state["hand"][seat, card] * worth
    part = view["part"]
    part[seat, Part.BOSSES], part[seat, Part.KEY], part[seat, Part.CARDS] = bosses, key, others


@kernel
def worn_worth(state: Record, cards: Record, seat: int) -> float:
    """Worth of worn cards by effects and price; their attack is part of the attack."""
    total, last = 0.0, np.int64(NO_CARD)
    for slot in range(SLOTS):
        card = np.int64(state["worn"][seat, slot])
        if card not in (NO_CARD, last):
            total += item_effects(cards, card) + WARE * cards["gold"][card]
            last = card
    return total


@kernel
def scored_worth(state: Record, cards: Record, seat: int) -> float:
    """Worth of victory points for good."""
    total = 0
    for source in range(POINTS):
        if source not in (Points.BASILISK, Points.GOLEM):
            total += points_of_source(state, cards, seat, source)
    return POINT * total


@kernel
def take_stock(state: Record, cards: Record, view: Record, seat: int) -> None:
    """Work out what a player has."""
    most = max_health(state, cards, seat)
    mod, weapon = attack_mod(state, cards, seat), weapon_of(state, cards, seat)
    view["most"][seat], view["mod"][seat], view["weapon"][seat] = most, mod, weapon
    weigh_hand(state, cards, view, seat)
    part, worn, gold = view["part"], worn_worth(state, cards, seat), GOLD * state["gold"][seat]
    hand = part[seat, Part.BOSSES] + part[seat, Part.KEY] + part[seat, Part.CARDS]
    view["assets"][seat] = worn + ATTACK * (mean_attack(cards, weapon, 0) - 3.5) + hand + gold
    share = max(0, state["health"][seat]) / float(most)
    poison = POISON * state["poison"][seat] if state["antidote"][seat] == 0 else 0.0
    part[seat, Part.POINTS] = scored_worth(state, cards, seat)
    part[seat, Part.HEALTH] = HEALTH * min(1.25, share) + MAX_HEALTH * (most - 10)
    part[seat, Part.AILMENTS] = -(poison + SKIPPED * state["skip"][seat])
    part[seat, Part.ATTACK] = ATTACK * mean_attack(cards, weapon, mod)
    part[seat, Part.GEAR] = worn
    part[seat, Part.GOLD] = GOLD * min(GOLD_USEFUL, state["gold"][seat])
    part[seat, Part.FOUND] = DISCOVERY * min(cards["exploration_cards"], state["flips"][seat])
    view["sum"][seat] = 0.0
    for k in range(PARTS):
        if state["out"][seat] and k not in (Part.POINTS, Part.BOSSES, Part.CARDS, Part.KEY):
            part[seat, k] = 0.0
        view["sum"][seat] += part[seat, k]


# purchases


@kernel
def funds(state: Record, cards: Record, seat: int) -> int:
    """Gold in the purse and value of the loot that a player can sell."""
    total = 0 + state["gold"][seat]
    if state["held"][seat] & cards["sell_bits"]:
        for number in range(np.int64(cards["enemies"])):
            card = np.int64(cards["enemy_type"][number])
            if may_sell(state, cards, seat, card):
                total += state["hand"][seat, card] * cards["gold"][card]
    return total


@kernel
def buy_gain(state: Record, cards: Record, view: Record, seat: int, card: int) -> float:
    """Gain from buying a card: its worth minus that of the gold."""
    cost = GOLD * price(state, cards, seat, card)
    if cards["category"][card] == Category.DEBT:
        return POINT * cards["vp"][card] - cost
    if state["held"][seat] & bit(card) and cards["category"][card] != Category.SCROLL:
        return -cost
    return card_worth(state, cards, view, seat, card) - cost


@kernel
def best_buy(state: Record, cards: Record, view: Record, seat: int, gold: int) -> float:
    """Best gain of a purchase for at most this much gold, at least 0."""
    best = 0.0
    for item in range(np.int64(cards["items"])):
        card = np.int64(cards["item_type"][item])
        if state["shop"][card] > 0 and price(state, cards, seat, card) <= gold:
            best = max(best, buy_gain(state, cards, view, seat, card))
    return best


@kernel
def shopping(state: Record, cards: Record, view: Record, seat: int) -> float:
    """Gain from a visit to the shop: the best purchase, and a use for gold beyond GOLD_USEFUL; 0 before a shop was seen."""
    if state["shop_seen"] == 0:
        return 0.0
    gold = funds(state, cards, seat)
    return best_buy(state, cards, view, seat, gold) + max(0.0, GOLD * (gold - GOLD_USEFUL)) if gold > 0 else 0.0


# combats

FACES = 6.0
DEATH = 1.0  # cost of dying besides the cards: the way back; health is restored
VICTORY = 0.8  # gain from slaying an enemy besides its card: the way is free
COMPANY = 0.5  # weight of each other player who might help against a boss
DEATH_IN_RUSH = 8.0  # cost of dying in the end rush, or alone: the player is out
ASSETS_LOST = 1.0  # share of the assets that a death takes
WOUND = 0.5  # weight of lost health, some of which can be healed
PATIENCE = 5.0  # turns without progress after which players begin to take more risks
QUIET = 15.0  # further turns until they take any risk, before all forfeit (ROGUE-114)
RELAY = 2.0  # weight of other players then grows by this factor: the fallen come back while others hold the enemy
EAGER = 1.0  # gain then from fighting on rather than running and coming back
SOME_DAY = 0.5  # expected health a turn lost to an enemy that attacks another player: its target can change
ESCAPES = 0.75  # share of lost fights that end in death


@kernel
def loss_per_turn(cards: Record, kind: int, mod: int, less: int) -> float:
    """Mean health that an enemy takes from a player per turn, including its poison."""
    value = np.int64(cards["attack"][kind]) + 0.0
    if cards["attack_die"][kind] > 0:
        value = 3.5 * cards["attack_die"][kind]
    loss = max(0.0, value + mod - less)
    if cards["status_effect"][kind] != Effect.NONE:
        loss += count_faces(np.int64(cards["status_faces"][kind])) / FACES
    return loss


@kernel
def worth_of_victory(state: Record, cards: Record, seat: int, kind: int) -> float:
    """Gain from slaying an enemy: its loot or its points; a second card of a group costs the first."""
    value = WARE * cards["gold"][kind] + VICTORY
    if cards["vp"][kind] > 0:
        value += BOSS_POINT * cards["vp"][kind]
        if cards["cancel_group"][kind] > 0:
            for number in range(np.int64(cards["enemies"])):
                other = np.int64(cards["enemy_type"][number])
                if other != kind and cards["cancel_group"][other] == cards["cancel_group"][kind]:
                    value -= 2.0 * BOSS_POINT * cards["vp"][other] * state["hand"][seat, other]
    if state["seats"] == 1 and cards["goals"] & cards["goal_bit"][kind] & ~state["goals_done"]:
        value += BOSS_POINT
    return value


@kernel
def chance_to_slay(cards: Record, weapon: int, mod: int, attacks: int, health: float) -> float:
    """Chance that this many attacks in a row do at least this much damage."""
    n, h = min(ATTACKS_MAX, max(0, attacks)), min(HEALTH_SPAN - 1, max(0, int(np.ceil(health))))
    return cards["reach_chance"][weapon, min(MODS - 1, max(0, mod - MOD_LOWEST)), n, h]


@kernel
def attacks_left(health: float, loss: float, struck: bool) -> int:
    """Number of attacks before the player is dead, losing `loss` health a turn; struck: this turn's attack is done."""
    turns = ATTACKS_MAX if loss <= 0.0 else int(np.ceil(health / loss))
    return min(ATTACKS_MAX, turns - 1 if struck else turns)


@kernel
def toughness(cards: Record, kind: int, health: int, attacks: int) -> float:
    """Damage needed to slay an enemy, including what it heals and dodges."""
    dodged = count_faces(np.int64(cards["dodge_faces"][kind])) / FACES
    healed = cards["heal_each_turn"][kind] * (min(attacks, 3) - 1) if attacks > 1 else 0
    return (health + healed) / max(0.2, 1.0 - dodged)


@kernel
def daring(state: Record, seat: int) -> float:
    """Readiness to take risks, 0..1: 0 up to PATIENCE turns without progress, 1 after QUIET more."""
    return min(1.0, max(0.0, (state["quiet"][seat] - PATIENCE) / QUIET))


@kernel
def brace(state: Record, cards: Record, view: Record, seat: int) -> None:
    """Work out how a player fights."""
    mod, character = view["mod"][seat], np.int64(state["character"][seat])
    if state["health"][seat] <= cards["rage_at_most"][character]:
        mod += cards["rage"][character]
    view["fighting_mod"][seat] = mod
    view["mean"][seat] = max(0.5, mean_attack(cards, view["weapon"][seat], mod))
    view["armour"][seat] = armour(state, cards, seat)
    view["exposed"][seat] = 1.0 - count_faces(worn_faces(state, cards, seat, cards["block_faces"])) / FACES
    view["daring"][seat] = daring(state, seat)
    view["death"][seat] = cost_of_death(state, view, seat)


@kernel
def cost_of_death(state: Record, view: Record, seat: int) -> float:
    """Cost of dying; outside the end rush it restores health, so the weak have little to lose."""
    fixed = DEATH_IN_RUSH if state["rush"] or state["seats"] == 1 else DEATH
    cost = (1.0 - daring(state, seat)) * (fixed + ASSETS_LOST * view["assets"][seat])
    if state["rush"] or state["seats"] == 1:
        return cost
    return cost - HEALTH * max(0.0, 1.0 - state["health"][seat] / float(view["most"][seat]))


@kernel
def slaying_chance(cards: Record, view: Record, seat: int, kind: int, health: int, attacks: int) -> float:
    """Chance to slay one enemy in a number of attacks."""
    weapon, mod = view["weapon"][seat], view["fighting_mod"][seat]
    if cards["single_turn"][kind]:
        once, missed = chance_to_slay(cards, weapon, mod, 1, health), 1.0
        for _ in range(attacks):  # not by **, which rounds differently when compiled
            missed *= 1.0 - once
        return 1.0 - missed
    return chance_to_slay(cards, weapon, mod, attacks, toughness(cards, kind, health, attacks))


@kernel
def outlook(state: Record, cards: Record, view: Record, seat: int, cell: int, sides: int, joined: bool) -> float:
    """Expected gain from a combat with the enemies on these sides of a cell: victory or death, health lost on the way.

    sides: bits 1 << direction; joined: whether the player is in combat already, or would be on arrival.
    """
    loss, health, kind, value, helped = 0.0, 0.0, np.int64(0), 0.0, 1.0
    less = view["armour"][seat]
    for direction in range(DIRECTIONS):
        if not opens(sides, direction):
            continue
        slot = monster_at(state, cell + OFFSET[direction])
        kind = np.int64(state["enemy_type"][slot])
        health += state["enemy_health"][slot] - min(state["enemy_poison"][slot], 2)
        value += worth_of_victory(state, cards, seat, kind)
        helped = max(helped, company(state, cards, view, seat, slot))
        target = target_of(state, slot)
        if target not in (seat, NOBODY):
            loss += SOME_DAY
        elif state["enemy_paralysed"][slot] == 0:
            loss += loss_per_turn(cards, kind, np.int64(state["enemy_mod"][slot]), less)
    loss *= view["exposed"][seat]
    attacks = int(own_attacks(state, seat, loss, joined) * helped)
    chance = slaying_chance(cards, view, seat, kind, health, attacks)
    wounds = min(state["health"][seat] - 1.0, loss * max(0.0, health / view["mean"][seat] - 0.5))
    bold = view["daring"][seat]
    hurt = WOUND * (1.0 - bold) * HEALTH * wounds / view["most"][seat]
    return chance * (value - hurt + EAGER * bold) - (1.0 - chance) * ESCAPES * view["death"][seat]


@kernel
def own_attacks(state: Record, seat: int, loss: float, joined: bool) -> int:
    """Number of attacks that a player will make before it is dead, losing `loss` health a turn."""
    struck = joined and state["step"] == Step.STRUCK and state["active"] == seat
    health = state["health"][seat] - (state["poison"][seat] if state["antidote"][seat] == 0 else 0)
    return max(0, attacks_left(max(1, health), loss, struck) - state["skip"][seat])


@kernel
def company(state: Record, cards: Record, view: Record, seat: int, slot: int) -> float:
    """Attacks on an enemy per attack of this player: those who fight it, and against a boss those who might join."""
    fighters = fighters_with(state, slot, seat)
    if not cards["boss"][state["enemy_type"][slot]] or state["rush"]:
        return float(max(1, fighters))
    if bit_count(np.uint64(walk_sides(state, np.int64(state["enemy_cell"][slot])))) == 1:
        return 1.0  # there is one cell from which it can be fought
    hoped = 1.0 + COMPANY * (state["seats"] - 1) * (1.0 + RELAY * view["daring"][seat])
    return max(float(max(1, fighters)), hoped)


@kernel
def fighters_with(state: Record, slot: int, seat: int) -> int:
    """Number of players in combat with an enemy, counting `seat`."""
    count = 1
    for place in range(SEATS):
        count += state["order"][slot, place] not in (NOBODY, seat)
    return count
