"""What things are worth, in tenths of a victory point: cards, equipment, health, purchases, combats.

A combat is worth what a chain over the health of both sides gives, in which the player attacks or flees, whichever is better.
What a player has and how it fights is worked out once for a position, into a VIEW record.
"""

from enum import IntEnum

import numpy as np

from sim.engine.jit import Record, bit_count, kernel, lowest_bit
from sim.games.cardrogue.evaluation.prospects import fights, joins
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
from sim.games.cardrogue.rules.tiles import OFFSET, lowest, monster_at, opens
from sim.games.cardrogue.rules.turn import points_of_source
from sim.games.cardrogue.state import (
    DIRECTIONS,
    ENEMY_SLOTS,
    GOLD_CODE,
    NO_CARD,
    NOBODY,
    NOWHERE,
    POINTS,
    SEATS,
    Death,
    Points,
    Step,
)


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
        ("armour", np.int64, _EACH),
        ("exposed", np.float64, _EACH),  # share of the turns in which no shield blocks the enemies
        ("death", np.float64, _EACH),  # cost of dying
        # the chain of a combat: `fight_on`
        ("loss", np.float64, (HEALTH_SPAN,)),  # chance of each loss of health to the enemies' part of a turn
        ("fall", np.int64, (HEALTH_SPAN,)),  # the losses above 0 that have a chance, ascending
        ("odds", np.float64, (HEALTH_SPAN,)),  # their chances
        ("worth", np.float64, (HEALTH_SPAN,)),  # of a health
        # by HEALTH_SPAN + the player's health, which is 0 or less if it dies
        ("turn", np.float64, (2 * HEALTH_SPAN,)),  # worth before step 1 of a turn
        ("ahead", np.float64, (2 * HEALTH_SPAN,)),  # worth after the enemies' part of the turn
        ("health", np.float64),  # damage that slays the enemies
        ("heals", np.int64),  # their healing a turn
        ("help", np.float64),  # damage that others do in a turn
        ("whole", np.uint8),  # 1: they are restored after every turn (ROGUE-54)
        ("spared", np.int64),  # turns that they leave out because they are paralysed
        ("prize", np.float64),  # gain from slaying them
        ("flight", np.float64),  # chance that a flight succeeds
        ("attack", np.float64),  # worth of attacking in the combat looked at last
        ("golem", np.int64),  # slot of the enemy whose death begins the end rush, NOBODY: not to be fought now
        ("closed", np.uint8),  # 1: few players can stand beside it
        ("planned", np.uint8),  # 1: the next two fields hold
        ("near", np.int64, (SEATS, DIRECTIONS)),  # steps of a player to the cells beside it, by its side; FAR: out of reach
        ("reach", np.int64, (SEATS, DIRECTIONS)),  # the same if other players make way at once
        ("post", np.int64, _EACH),  # side of it at which a player is to fight, NOBODY: none
        # smallest sum of squares of the steps of a seat and those after it, by the sides that others have taken: `assign_posts`
        ("rest", np.float64, (SEATS + 1, 1 << DIRECTIONS)),
        ("whole_table", np.uint8),  # 1: all players with a post are expected to join, not only those nearby
        ("moving", np.uint8),  # 1: the player is taking a step, so others do not make way first
        ("stand", np.int64),  # cell from which the combat looked at is fought
        ("hurt", np.int64),  # health that the way to it takes
        ("gathered", np.int64),  # 1 + seat + SEATS * hurt for which the next field holds
        ("gathering", np.float64),  # gain from the fight with the golem, if all others join
        ("rated", np.int16, (ENEMY_SLOTS,)),  # 1 + seat + SEATS * hurt for which the next field holds
        ("rating", np.float64, (ENEMY_SLOTS,)),  # gain from a combat with one enemy
        ("rated_now", np.float64),  # what others do in the combat with the golem that was rated, see `rally`
        ("rated_soon", np.float64),
        ("rated_attacks", np.int64),
        # whose chance is estimated
        ("steps", np.int64),  # to the cell that is looked at
        ("best", np.float64),  # worth minus cost of the best way to a cell before it
        ("discovery", np.float64),  # worth of a card that can be turned over
        ("buying", np.float64),  # gain from a visit to the shop
        ("unexplored", np.uint8),  # 1: it can walk to a card to turn over
        ("bold", np.uint8),  # 1: it turns cards over
        ("fight", np.float64),  # gain from its combat
        ("strike", np.float64),  # the same if it attacks now
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
UNKNOWN_POTION = 0.65
HEALING = 1.0
STRENGTH = 0.9
BANISHING = 0.5  # more for teleportation: it moves the golem to where players can stand around it
WEAPON_POTION = 0.9  # poison, weakness, paralysis: for throwing
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
        return UNKNOWN_POTION + BANISHING
    return WEAPON_POTION


@kernel
def scroll_worth(state: Record, cards: Record, seat: int, card: int) -> float:
    """Worth of a scroll: of the health that it gives, or of the curses that it would lift now."""
    effect = np.int64(cards["scroll_effect"][card])
    if effect == Effect.MAX_HEALTH:
        return MAX_HEALTH * cards["scroll_n"][card]
    if effect != Effect.REMOVE_CURSES or state["held"][seat] & cards["cursed_bits"] == NO_TYPES:
        return SCROLL
    total, left = 0.0, state["held"][seat] & cards["cursed_bits"]
    while left != NO_TYPES:
        cursed = lowest_bit(left)
        left ^= bit(cursed)
        total -= state["hand"][seat, cursed] * artifact_worth(cards, cursed)
    return total


@kernel
def artifact_worth(cards: Record, card: int) -> float:
    """Worth of an artifact in hand; negative for a cursed one."""
    return MAX_HEALTH * cards["max_health"][card] + ATTACK * cards["attack_mod"][card]


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
        return max(price, 0.9 * scroll_worth(state, cards, seat, card))
    if category == Category.ARTIFACT:
        return artifact_worth(cards, card)
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
DEATH = 4.0  # cost of dying besides the cards: the way back; health is restored
DEATH_AT_LEAST = 0.1  # for players who take any risk
AGAIN = 0.03  # further cost for each earlier death at the same kind of enemy
ENDING = 2.0  # weight of the points of the enemy whose death begins the end rush: without it all forfeit
LAST_CHANCE = 40.0  # further weight of these points shortly before all forfeit
MOST_GAIN = 34.0  # from slaying that enemy as long as no forfeit is near
URGENT = 0.8  # share of the idle rounds left before a forfeit from which they weigh more
DESPERATE = 0.6  # the same from which they have all of this weight
DODGE_MOST = 0.9  # largest chance to dodge that counts
VICTORY = 0.8  # gain from slaying an enemy besides its card: the way is free
WAY_FREE = 1.0  # the same once nothing else has happened for long
DEATH_IN_RUSH = 8.0  # cost of dying in the end rush, or alone: the player is out
RESTORED = 0.6  # share of the maximum health that a healing potion brings
WOUND = 0.5  # weight of lost health, some of which can be healed
TURN = 0.03  # cost of a turn of combat
SHARED = 0.5  # share of a victory that another player has in this combat
PATIENCE = 6.0  # turns without progress after which players begin to take more risks
QUIET = 9.0  # further turns until they take any risk, before all forfeit (ROGUE-114)
LEAST = 0.001  # chance that still counts
CERTAIN = 0.98  # chance of having slain an enemy from which its combat is not followed further


@kernel
def worth_of_victory(state: Record, cards: Record, seat: int, kind: int) -> float:
    """Gain from slaying an enemy: its loot or its points; a second card of a group costs the first."""
    value = WARE * cards["gold"][kind] + VICTORY
    if cards["vp"][kind] > 0:
        value += BOSS_POINT * cards["vp"][kind] * (ENDING * urgency(state, cards) if cards["end_rush"][kind] else 1.0)
        if cards["cancel_group"][kind] > 0:
            for number in range(np.int64(cards["enemies"])):
                other = np.int64(cards["enemy_type"][number])
                if other != kind and cards["cancel_group"][other] == cards["cancel_group"][kind]:
                    value -= (1.0 - daring(state, seat)) * 2.0 * BOSS_POINT * cards["vp"][other] * state["hand"][seat, other]
    if state["seats"] == 1 and cards["goals"] & cards["goal_bit"][kind] & ~state["goals_done"]:
        value += BOSS_POINT
    return value


@kernel
def urgency(state: Record, cards: Record) -> float:
    """ROGUE-114. Weight of the way out: 1, and up to LAST_CHANCE as the idle rounds come near the forfeit."""
    return 1.0 + (LAST_CHANCE - 1.0) * min(1.0, max(0.0, (URGENT - idle_left(state, cards)) / (URGENT - DESPERATE)))


@kernel
def eased(gain: float, urgent: float) -> float:
    """Gain from a combat with the way out weighed by `urgent`: small gains grow, no gain is larger than the points themselves."""
    return gain / (1.0 + (urgent - 1.0) / (LAST_CHANCE - 1.0) * max(0.0, gain) / MOST_GAIN)


@kernel
def idle_left(state: Record, cards: Record) -> float:
    """ROGUE-114. Share of the idle rounds that are left before all forfeit."""
    return max(0, cards["idle_rounds"] - state["idle"]) / float(max(1, cards["idle_rounds"]))


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
    view["armour"][seat] = armour(state, cards, seat)
    view["exposed"][seat] = 1.0 - count_faces(worn_faces(state, cards, seat, cards["block_faces"])) / FACES
    view["death"][seat] = cost_of_death(state, view, seat)


@kernel
def cost_of_death(state: Record, view: Record, seat: int) -> float:
    """Cost of dying, without the health that it restores outside the end rush."""
    fixed = DEATH_IN_RUSH if state["rush"] or state["seats"] == 1 else DEATH
    return DEATH_AT_LEAST + (1.0 - daring(state, seat)) * (fixed - DEATH_AT_LEAST + view["assets"][seat])


@kernel
def outlook(state: Record, cards: Record, view: Record, seat: int, cell: int, sides: int, joined: bool) -> float:
    """Expected gain from a combat with the enemies on these sides of a cell, if the player attacks or flees, whichever is better.

    sides: bits 1 << direction; joined: whether the player is in this combat, or would be on arrival. Writes the worth of
    an attack to view["attack"].
    """
    slot = monster_at(state, cell + OFFSET[lowest(sides)])
    alone = sides & (sides - 1) == 0 and not joined
    view["stand"], holds = cell, 1 + seat + SEATS * view["hurt"]
    if alone and is_rated(state, cards, view, seat, slot, holds):
        return view["rating"][slot]
    health, prize, heals, dodged, flight, spared = 0, 0.0, 0, 0.0, 1.0, 0
    view["loss"][:] = 0.0
    view["loss"][0] = 1.0
    banned = cards["no_flee"][state["character"][seat]] != 0
    for direction in range(DIRECTIONS):
        if not opens(sides, direction):
            continue
        slot = monster_at(state, cell + OFFSET[direction])
        kind = np.int64(state["enemy_type"][slot])
        health += state["enemy_health"][slot] - min(state["enemy_poison"][slot], 2)
        prize += worth_of_victory(state, cards, seat, kind) + WAY_FREE * daring(state, seat)
        heals += cards["heal_each_turn"][kind]
        dodged = max(dodged, count_faces(np.int64(cards["dodge_faces"][kind])) / FACES)
        if target_of(state, slot) in (seat, NOBODY):
            suffer(state, cards, view, seat, slot)
            spared += state["enemy_paralysed"][slot]
            if not cards["no_chase"][kind] and state["enemy_paralysed"][slot] == 0:
                faces = cards["flee_faces"] | worn_faces(state, cards, seat, cards["item_flee_faces"])
                flight = count_faces(np.int64(faces)) / FACES
        banned = banned and not cards["boss"][kind] and not cards["no_chase"][kind]
    if cards["boss"][kind] and cards["status_effect"][kind] != Effect.PARALYZE:
        health -= potions_of(state, cards, seat, Effect.POISON, 1)
        spared += potions_of(state, cards, seat, Effect.PARALYZE, 1)
    view["health"], view["heals"] = max(1, health) / (1.0 - min(DODGE_MOST, dodged)), heals
    view["spared"], view["prize"], view["flight"] = spared, prize, 0.0 if banned else flight
    gain = fight_on(state, cards, view, seat, slot, joined)
    if view["prize"] > MOST_GAIN:
        urgent = urgency(state, cards)
        gain, view["attack"] = eased(gain, urgent), eased(view["attack"], urgent)
    if alone:
        view["rated"][slot], view["rating"][slot] = holds, gain
        if slot == view["golem"]:
            view["rated_now"], view["rated_soon"], view["rated_attacks"] = rally(state, cards, view, seat, slot)
    return gain


@kernel
def is_rated(state: Record, cards: Record, view: Record, seat: int, slot: int, holds: int) -> bool:
    """Whether the combat with an enemy is rated already. Takes the rating of an equal enemy if there is one."""
    if slot == view["golem"]:
        return view["rated"][slot] == holds and same_help(state, cards, view, seat, slot)
    if view["rated"][slot] == holds:
        return True
    twin = twin_of(state, view, slot, holds)
    if twin == NOBODY:
        return False
    view["rated"][slot], view["rating"][slot] = holds, view["rating"][twin]
    return True


@kernel
def twin_of(state: Record, view: Record, slot: int, holds: int) -> int:
    """Slot of an enemy that was rated (see `holds` in `outlook`) and whose combat is the same as that of another, or NOBODY.

    Both are of one type and in one condition, and nobody fights them.
    """
    if state["order"][slot, 0] != NOBODY:
        return NOBODY
    for other in range(np.int64(state["enemies"])):
        if view["rated"][other] == holds and state["enemy_type"][other] == state["enemy_type"][slot]:
            same = state["enemy_health"][other] == state["enemy_health"][slot]
            same &= state["enemy_mod"][other] == state["enemy_mod"][slot]
            same &= state["enemy_poison"][other] == state["enemy_poison"][slot]
            same &= state["enemy_paralysed"][other] == state["enemy_paralysed"][slot]
            if same and other != view["golem"] and state["order"][other, 0] == NOBODY:
                return other
    return NOBODY


@kernel
def same_help(state: Record, cards: Record, view: Record, seat: int, slot: int) -> bool:
    """Whether others would help as they do in the combat with the golem that was rated last."""
    now, soon, attacks = rally(state, cards, view, seat, slot)
    return view["rated_now"] == now and view["rated_soon"] == soon and view["rated_attacks"] == attacks


@kernel
def most_of_combat(state: Record, cards: Record, view: Record, seat: int, cell: int, sides: int) -> float:
    """Upper bound of `outlook`: all enemies slain, or a death that restores the health."""
    prize = 0.0
    for direction in range(DIRECTIONS):
        if opens(sides, direction):
            kind = np.int64(state["enemy_type"][monster_at(state, cell + OFFSET[direction])])
            prize += max(0.0, worth_of_victory(state, cards, seat, kind)) + WAY_FREE * daring(state, seat)
    return prize + WOUND * HEALTH * (1.0 - min(1.0, health_left(state, view, seat) / float(view["most"][seat])))


@kernel
def suffer(state: Record, cards: Record, view: Record, seat: int, slot: int) -> None:
    """Add what an enemy takes in a turn to the chances of view["loss"]: attack, poison, and strikes at a paralysed player."""
    kind, loss = np.int64(state["enemy_type"][slot]), view["loss"]
    less = view["armour"][seat] - state["enemy_mod"][slot]
    if cards["boss"][kind]:
        less += potions_of(state, cards, seat, Effect.ATTACK_MOD, 1)
    odds = count_faces(np.int64(cards["status_faces"][kind])) / FACES
    poison = 0.0
    if cards["status_effect"][kind] == Effect.POISON:
        poison = 1.0 - (1.0 - odds) * (1.0 - odds)
    again = odds if cards["status_effect"][kind] == Effect.PARALYZE else 0.0
    dies = 6 if cards["attack_die"][kind] else 1
    most = HEALTH_SPAN - 1
    for old in range(most, -1, -1):
        share = loss[old]
        if share == 0.0:
            continue
        loss[old] = (1.0 - view["exposed"][seat]) * share
        share *= view["exposed"][seat] / dies
        for die in range(1, dies + 1):
            strike = max(0, np.int64(cards["attack"][kind]) + cards["attack_die"][kind] * die - less)
            once, twice = min(most, old + strike), min(most, old + 2 * strike)
            loss[once] += share * (1.0 - poison) * (1.0 - again)
            loss[min(most, once + 1)] += share * poison
            loss[twice] += share * again


@kernel
def fight_on(state: Record, cards: Record, view: Record, seat: int, slot: int, joined: bool) -> float:
    """Solve the chain of a combat: expected gain with the better of attack and flight in every turn.

    Its states are the player's health and the number of attacks made, which gives the chance that the next one slays. Others
    who fight, or are near a boss, strike once a turn, and go on when this player is dead or has fled.
    """
    kind, prize, flight, care = np.int64(state["enemy_type"][slot]), view["prize"], view["flight"], WOUND * HEALTH
    most, own = float(view["most"][seat]), own_health(state, cards, view, seat)
    turn, ahead, rest, fall, odds = view["turn"], view["ahead"], view["worth"], view["fall"], view["odds"]
    help_now, help_soon, attacks = rally(state, cards, view, seat, slot)
    stakes = (SHARED + (1.0 - SHARED) * daring(state, seat)) * prize
    dead = (0.0 if state["rush"] or state["seats"] == 1 else care) - view["death"][seat]
    dead -= AGAIN * state["deaths"][seat, Death.ENEMY + np.int64(cards["enemy_number"][kind])]
    view["help"], view["whole"] = help_now + help_soon, cards["single_turn"][kind]
    losses, attack, strike = list_losses(view), 0.0, 0.0
    worst = fall[losses - 1] if losses > 0 else 0
    may_fail = 0.0 < flight < 1.0
    for h in range(own + 1):
        rest[h] = care * min(1.0, h / most)
        turn[HEALTH_SPAN + h] = rest[h]
    for done in range(turns_of_combat(cards, view, seat) - 1, -1, -1):
        slays, aid, saved = blows(cards, view, seat, done, attacks)
        saved *= stakes
        for h in range(1, own + 1):
            ahead[HEALTH_SPAN + h] = aid * (stakes + rest[h]) + (1.0 - aid) * turn[HEALTH_SPAN + h]
        for h in range(HEALTH_SPAN - worst, HEALTH_SPAN + 1):
            turn[h] = ahead[h] = dead + saved
        quiet, hits = (1.0, 0) if done < view["spared"] else (view["loss"][0], losses)
        for h in range(1, own + 1):
            strike, failed, flee = quiet * ahead[HEALTH_SPAN + h], 0.0, rest[h]
            for k in range(hits):
                strike += odds[k] * ahead[np.uint64(HEALTH_SPAN + h - fall[k])]
            attack = slays * (prize + rest[h]) + (1.0 - slays) * strike - TURN
            if help_now > 0.0:
                flee += saved
            if may_fail:
                for k in range(hits):
                    failed += odds[k] * turn[np.uint64(HEALTH_SPAN + h - fall[k])]
                flee = (flight * flee + (1.0 - flight) * failed - TURN) / max(LEAST, 1.0 - (1.0 - flight) * quiet)
            turn[HEALTH_SPAN + h] = max(attack, flee) if flight > 0.0 else attack
    now = care * min(1.0, max(0, health_left(state, view, seat)) / most)
    view["attack"] = attack - now
    struck = state["skip"][seat] > 0 or (state["active"] == seat and state["step"] == Step.STRUCK)
    return (strike if joined and struck else turn[HEALTH_SPAN + own]) - now


@kernel
def list_losses(view: Record) -> int:
    """List the losses above 0 that have a chance, up to the largest whose chance counts; returns how many there are.

    Most enemies have a fixed attack, so that one or two of HEALTH_SPAN are possible.
    """
    loss, count = view["loss"], 0
    for hurt in range(1, highest(loss) + 1):
        if loss[hurt] != 0.0:
            view["fall"][count] = hurt
            view["odds"][count] = loss[hurt]
            count += 1
    return count


@kernel
def turns_of_combat(cards: Record, view: Record, seat: int) -> int:
    """Number of attacks after which the enemies are as good as slain, at most ATTACKS_MAX."""
    for attacks in range(1, ATTACKS_MAX):
        if slain_by(cards, view, seat, attacks, attacks - 1) >= CERTAIN:
            return attacks
    return ATTACKS_MAX


@kernel
def blows(cards: Record, view: Record, seat: int, done: int, attacks: int) -> tuple[float, float, float]:
    """Chances, after `done` attacks, that the next one slays, that the others slay after it, and that they do so alone.

    attacks: those that the others have left once the player is dead or away.
    """
    lives = max(LEAST, 1.0 - slain_by(cards, view, seat, done, done))
    if view["whole"]:
        return slain_by(cards, view, seat, 1, 0), 0.0, 0.0
    struck = 1.0 - slain_by(cards, view, seat, done + 1, done)
    left = 1.0 - slain_by(cards, view, seat, done + 1, done + 1)
    alone = 1.0 - slain_by(cards, view, seat, done + 1 + attacks, done) if attacks > 0 else struck
    still = max(LEAST, struck)
    return max(0.0, 1.0 - struck / lives), max(0.0, 1.0 - left / still), max(0.0, 1.0 - alone / still)


@kernel
def slain_by(cards: Record, view: Record, seat: int, attacks: int, helped: int) -> float:
    """Chance that a number of attacks of a player slay the enemies, after `helped` turns of the others' help."""
    needed = int(np.ceil(view["health"] + view["heals"] * max(0, attacks - 1) - view["help"] * helped - LEAST))
    if needed <= 0:
        return 1.0
    mod = min(MODS - 1, max(0, view["fighting_mod"][seat] - MOD_LOWEST))
    return cards["reach_chance"][view["weapon"][seat], mod, min(ATTACKS_MAX, attacks), min(HEALTH_SPAN - 1, needed)]


@kernel
def highest(chances: np.ndarray) -> int:
    """Largest number with a chance that counts."""
    top = HEALTH_SPAN - 1
    while top > 0 and chances[top] < LEAST:
        top -= 1
    return top


@kernel
def own_health(state: Record, cards: Record, view: Record, seat: int) -> int:
    """Health that a player has for a combat with its healing potions."""
    drunk = int(RESTORED * view["most"][seat]) * potions_of(state, cards, seat, Effect.HEAL_FULL, 0)
    return max(1, min(HEALTH_SPAN - 1, health_left(state, view, seat) + drunk))


@kernel
def health_left(state: Record, view: Record, seat: int) -> np.int64:
    """Health that a player has left after the way to a combat, and after what poison takes soon."""
    poison = min(2, np.int64(state["poison"][seat])) if state["antidote"][seat] == 0 else 0
    return np.int64(state["health"][seat] - view["hurt"] - poison)


@kernel
def potions_of(state: Record, cards: Record, seat: int, effect: int, thrown: int) -> np.int64:
    """What the known potions in a hand that have an effect do in all: their numbers, or how many have no number."""
    total = np.int64(0)
    if state["held"][seat] & cards["potion_bits"] == NO_TYPES:
        return total
    for colour in range(np.int64(cards["colours"])):
        face = np.int64(state["effect"][colour])
        copies = np.int64(state["hand"][seat, POTION + colour])
        if face == 0 or copies == 0:
            continue
        what = np.int64(cards["throw_effect"][face] if thrown else cards["drink_effect"][face])
        n = np.int64(cards["throw_n"][face] if thrown else cards["drink_n"][face])
        if what == effect and (n < 0) == (effect == Effect.ATTACK_MOD and thrown != 0):
            size = n if n > 0 else -n
            total += copies * (size if size > 1 else 1)
    return total


@kernel
def rally(state: Record, cards: Record, view: Record, seat: int, slot: int) -> tuple[float, float, int]:
    """What others do to an enemy: mean damage a turn of those in combat with it and of those who join, attacks left to all."""
    now, soon, attacks = 0.0, 0.0, 0
    kind = np.int64(state["enemy_type"][slot])
    if cards["single_turn"][kind]:
        return now, soon, attacks
    for other in range(np.int64(state["seats"])):
        if other == seat or state["cell"][other] == NOWHERE or state["out"][other]:
            continue
        mean = mean_attack(cards, view["weapon"][other], view["mod"][other])
        if fights(state, slot, other):
            now += mean
        elif slot == view["golem"] and joins(state, cards, view, seat, other):
            soon += mean
        else:
            continue
        strike = max(1.0, cards["attack"][kind] + 3.5 * cards["attack_die"][kind])
        attacks += int(np.ceil(state["health"][other] / strike))
    return now, soon, attacks
