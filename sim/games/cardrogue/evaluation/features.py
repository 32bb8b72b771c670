"""What the evaluation weighs: a position as numbers, from a seat's point of view.

The parts: what a seat has, its combat, the best that it can walk to, what a half-made decision will bring, the end rush.
"""

import numpy as np

from sim.engine.evaluation import chance_of
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.evaluation.values import (
    DISCOVERY,
    GOLD,
    HEALTH,
    KEY_AND_CHEST,
    MAX_HEALTH,
    POINT,
    POISON,
    SKIPPED,
    UNKNOWN_POTION,
    assets,
    best_buy,
    card_worth,
    code_worth,
    cost_of_death,
    daring,
    gear_gain,
    holdings,
    offhand_gain,
    outlook,
    shopping,
    standing_worth,
)
from sim.games.cardrogue.outcome import standing_of
from sim.games.cardrogue.record import CELLS, POTION, Category, Effect, Tile
from sim.games.cardrogue.rules.basics import bit, has_key, max_health
from sim.games.cardrogue.rules.items import may_sell, may_wear, may_wear_offhand, tradable
from sim.games.cardrogue.rules.tiles import (
    down_sides,
    is_walkable,
    mark,
    met,
    monster_sides,
    neighbour,
    next_cell,
    player_at,
    player_sides,
    start_search,
)
from sim.games.cardrogue.rules.turn import points_of
from sim.games.cardrogue.state import (
    AIM,
    DIRECTIONS,
    GOLD_CODE,
    GOLD_OFFER_MAX,
    LYING,
    MONSTER,
    NOBODY,
    NOTHING,
    NOWHERE,
    Node,
    Step,
)

# where to go

HOME = 9.0  # worth of the way out in the end rush
BOLD = 0.6  # share of health from which cards are turned over
LITTLE = 3.0  # a player with fewer assets risks everything
UNGUARDED = 1000.0  # of `guard_worth`: no enemy
STEP = 0.03  # cost of a step
FURTHER = 0.004  # of a step beyond NEAR
NEAR = 8  # steps
BARRED = 20  # cost in steps of waiting for a player to make way
PASSES = 0.98  # discount of a worth that is yet to be reached


@kernel
def prospects(state: Record, cards: Record, seat: int, moving: bool, fighting: bool) -> float:
    """Largest worth minus cost of the way over all cells that a player can walk to; traps and players on the way cost more.

    moving: the player is taking a step, so all cells but its own are one step nearer; fighting: the enemies around the
    player's own cell are not counted.
    """
    best, buying = 0.0, shopping(state, cards, seat)
    wish = buying, is_bold(state, cards, seat, buying)
    start_search(state, np.int64(state["cell"][seat]))
    state["steps"][state["cell"][seat]] = 0
    begin, end, far = 0, 1, CELLS
    # cells from `far` on are behind a trap or a player: they are visited after all others
    while begin < end or far < CELLS:
        if begin == end:
            state["queue"][end] = state["queue"][far]
            end += 1
            far += 1
        here = np.int64(state["queue"][begin])
        begin += 1
        own = begin == 1
        guards = UNGUARDED if fighting and own else guard_worth(state, cards, seat, here)
        if own or guards >= 0.0:
            worth = max(guards if guards != UNGUARDED else 0.0, place_worth(state, cards, seat, here, wish))
            if state["left_cards"] > 0:
                worth += left_worth(state, cards, seat, here)
            best = max(best, PASSES * worth - cost_of_way(np.int64(state["steps"][here]), moving))
        if own or guards == UNGUARDED:
            for direction in range(DIRECTIONS):
                there = next_cell(state, cards, here, direction)
                if there == NOWHERE or met(state, there) or not is_walkable(state, there):
                    continue
                if own and moving and player_at(state, there) != NOBODY:
                    continue  # this step is not possible now
                mark(state, there)
                hurdle = hurdle_at(state, cards, seat, there)
                state["steps"][there] = state["steps"][here] + 1 + hurdle
                if hurdle > 0:
                    far -= 1
                    state["queue"][far] = there
                else:
                    state["queue"][end] = there
                    end += 1
    return best


@kernel
def hurdle_at(state: Record, cards: Record, seat: int, cell: int) -> int:
    """Cost, in steps, of a trap on a cell or of a player who has to make way."""
    if player_at(state, cell) != NOBODY:
        return BARRED
    tile = np.int64(state["tile"][cell])
    if tile < Tile.TRAP:
        return 0
    effect, n = np.int64(cards["trap_effect"][tile - Tile.TRAP]), np.int64(cards["trap_n"][tile - Tile.TRAP])
    if effect == Effect.DAMAGE:
        return int(HEALTH * n / (FURTHER * max_health(state, cards, seat)))
    return int((POISON if effect == Effect.POISON else SKIPPED) * n / FURTHER)


@kernel
def cost_of_way(steps: int, moving: bool) -> float:
    """Cost of a way of this many steps; the first steps count more, so that near things come first."""
    left = abs(steps - 1) if moving else steps
    return STEP * min(left, NEAR) + FURTHER * max(0, left - NEAR)


@kernel
def guard_worth(state: Record, cards: Record, seat: int, cell: int) -> float:
    """Expected gain from a combat with the enemies around a cell; UNGUARDED if there are none."""
    sides = monster_sides(state, cards, cell)
    return UNGUARDED if sides == 0 else outlook(state, cards, seat, cell, sides, False)


@kernel
def place_worth(state: Record, cards: Record, seat: int, cell: int, wish: tuple[float, bool]) -> float:
    """Gain from standing on a cell. wish: gain from a shop, and whether the player turns cards over."""
    worth, tile = 0.0, np.int64(state["tile"][cell])
    buying, bold = wish
    if tile == Tile.SHOP:
        worth = buying
    elif tile == Tile.CHEST and has_key(state, seat):
        worth = POINT - KEY_AND_CHEST
    elif tile == Tile.FOUNTAIN:
        missing = max_health(state, cards, seat) - state["health"][seat]
        worth = HEALTH * min(missing, cards["fountain_heal"]) / max_health(state, cards, seat)
    elif tile in (Tile.START, Tile.LADDER):
        worth = way_out_worth(state, cards, tile)
    if NOTHING < state["on"][cell] < MONSTER:
        worth = max(worth, card_worth(state, cards, seat, state["on"][cell] - LYING))
    if worth < DISCOVERY and bold and down_sides(state, cards, cell) != 0:
        worth = DISCOVERY
    return worth


@kernel
def is_bold(state: Record, cards: Record, seat: int, buying: float) -> bool:
    """Whether a player turns cards over: it is healthy, has little to lose, or has nothing better to do."""
    share = state["health"][seat] / float(max_health(state, cards, seat))
    return share >= BOLD * (1.0 - daring(state, seat)) or buying < DISCOVERY or assets(state, cards, seat) < LITTLE


@kernel
def way_out_worth(state: Record, cards: Record, tile: int) -> float:
    """Worth of the way out, once leaving is possible."""
    if state["seats"] > 1:
        return HOME if state["rush"] and tile == Tile.START else 0.0
    way_out = Tile.LADDER if cards["has_ladder"] else Tile.START
    return HOME if tile == way_out and state["goals_done"] & cards["goals"] == cards["goals"] else 0.0


@kernel
def left_worth(state: Record, cards: Record, seat: int, cell: int) -> float:
    """Worth of the cards that the dead left on a cell."""
    total = 0.0
    for place in range(np.int64(state["left_cards"])):
        if state["left_cell"][place] == cell:
            card = np.int64(state["left_type"][place])
            if card >= GOLD_CODE:
                total += GOLD * cards["denomination"][card - GOLD_CODE]
            else:
                total += card_worth(state, cards, seat, card)
    return total


# half-made decisions

WORSE = -0.5  # of a decision that should not be begun
SLIGHTLY = 0.02  # of a decision that costs nothing
WEAK = 0.42  # share of health up to which a healing potion is drunk
TASTING = 0.75  # share of health from which unknown potions are drunk
DEAL = 0.3  # gain from which a trade is accepted
PERSUASION = 0.6  # chance that an offer that benefits both is accepted


@kernel
def promise(state: Record, cards: Record, seat: int) -> float:
    """Expected gain from a half-made decision for the seat that decides; 0 for any other decision."""
    node = np.int64(state["node"])
    if node == Node.FLIP:
        return flip_promise(state, cards, seat)
    if node == Node.EQUIP:
        return equip_promise(state, cards, seat)
    if node == Node.BUY:
        return best_buy(state, cards, seat, np.int64(state["gold"][seat])) - SLIGHTLY
    if node == Node.SELL:
        return sell_promise(state, cards, seat)
    if node in (Node.DRINK, Node.THROW, Node.THROW_AT):
        return potion_promise(state, cards, seat, node)
    if node in (Node.SCROLL, Node.IDENTIFY, Node.SCROLL_MOVE):
        return scroll_promise(state, cards, seat, node)
    if node in (Node.TRADE_WITH, Node.TRADE_GIVE, Node.TRADE_WANT):
        return trade_promise(state, cards, seat, node)
    if node == Node.TRIP:
        return trip_promise(state, cards, seat)
    return flat_promise(node)


@kernel
def flat_promise(node: int) -> float:
    """Gain from decisions that do not depend on the position."""
    if node in (Node.STEAL, Node.SPELL_AT):
        return SLIGHTLY
    return WORSE if node == Node.UNEQUIP else 0.0


@kernel
def share_of_health(state: Record, cards: Record, seat: int) -> float:
    """Health as a share of the maximum."""
    return state["health"][seat] / float(max_health(state, cards, seat))


@kernel
def flip_promise(state: Record, cards: Record, seat: int) -> float:
    """Gain from turning a card over: for bold players only."""
    return SLIGHTLY if is_bold(state, cards, seat, shopping(state, cards, seat)) else WORSE


@kernel
def equip_promise(state: Record, cards: Record, seat: int) -> float:
    """Best gain from wearing an item in hand."""
    best = WORSE
    for item in range(np.int64(cards["items"])):
        card = np.int64(cards["item_type"][item])
        if state["held"][seat] & bit(card):
            if may_wear(state, cards, seat, card):
                best = max(best, gear_gain(state, cards, seat, card))
            if may_wear_offhand(state, cards, seat, card):
                best = max(best, offhand_gain(state, cards, seat, card))
    return best if best > SLIGHTLY else WORSE


@kernel
def sell_promise(state: Record, cards: Record, seat: int) -> float:
    """Gain from selling: for loot, and equipment that is of no use."""
    for card in range(np.int64(cards["types"])):
        if state["held"][seat] & bit(card) and may_sell(state, cards, seat, card):
            category = np.int64(cards["category"][card])
            if category == Category.ENEMY:
                return SLIGHTLY
            gear = category in (Category.WEAPON, Category.ARMOUR)
            if gear and max(gear_gain(state, cards, seat, card), offhand_gain(state, cards, seat, card)) <= 0.0:
                return SLIGHTLY
    return WORSE


@kernel
def potion_promise(state: Record, cards: Record, seat: int, node: int) -> float:
    """Best gain from a potion: heal when weak, drink strength at once, try unknown colours when healthy, throw harmful ones."""
    best, fighting = WORSE, state["combat"][seat] != 0
    for colour in range(np.int64(cards["colours"])):
        chosen = node == Node.THROW_AT and state["arg"][0] != colour
        if chosen or not state["held"][seat] & bit(POTION + colour):
            continue
        if node == Node.DRINK:
            best = max(best, drink_promise(state, cards, seat, np.int64(state["effect"][colour]), fighting))
        else:
            best = max(best, throw_promise(state, cards, np.int64(state["effect"][colour]), fighting))
    return best


@kernel
def drink_promise(state: Record, cards: Record, seat: int, face: int, fighting: bool) -> float:
    """Gain from drinking a potion with this effect; face 0: unknown."""
    health = share_of_health(state, cards, seat)
    if face == 0:
        return SLIGHTLY if health >= TASTING and not fighting and state["poison"][seat] == 0 else WORSE
    effect, n = np.int64(cards["drink_effect"][face]), np.int64(cards["drink_n"][face])
    if effect == Effect.HEAL_FULL:
        return HEALTH * (1.0 - health) - 1.0 if health <= WEAK else WORSE
    if effect == Effect.ATTACK_MOD:
        return SLIGHTLY if n > 0 else WORSE
    return WORSE


@kernel
def throw_promise(state: Record, cards: Record, face: int, fighting: bool) -> float:
    """Gain from throwing a potion with this effect; face 0: unknown."""
    if face == 0 or not fighting:
        return WORSE
    effect, n = np.int64(cards["throw_effect"][face]), np.int64(cards["throw_n"][face])
    harms = effect in (Effect.POISON, Effect.PARALYZE, Effect.DAMAGE) or (effect == Effect.ATTACK_MOD and n < 0)
    return SLIGHTLY if harms and state["step"] == Step.FIGHT else WORSE


@kernel
def scroll_promise(state: Record, cards: Record, seat: int, node: int) -> float:
    """Best gain from a scroll that helps now."""
    if node == Node.IDENTIFY:
        return UNKNOWN_POTION
    if node == Node.SCROLL_MOVE:
        return WORSE
    best = WORSE
    for item in range(np.int64(cards["items"])):
        card = np.int64(cards["item_type"][item])
        if not state["held"][seat] & bit(card):
            continue
        effect = np.int64(cards["scroll_effect"][card])
        cures = effect == Effect.ANTIDOTE and state["poison"][seat] > 1
        lifts = effect == Effect.REMOVE_CURSES and state["held"][seat] & cards["cursed_bits"] != 0
        if effect == Effect.MAX_HEALTH or cures or lifts:
            best = max(best, MAX_HEALTH)
        elif effect == Effect.IDENTIFY and state["held"][seat] & cards["potion_bits"]:
            best = max(best, SLIGHTLY)
    return best


@kernel
def trip_promise(state: Record, cards: Record, seat: int) -> float:
    """Gain from tripping: for a rival who is ahead, in the end rush always."""
    if state["rush"]:
        return 1.0
    own = standing_worth(state, cards, seat)
    for other in range(np.int64(state["seats"])):
        if other == seat or state["combat"][other] != 0 or state["skip"][other] > 0:
            continue
        if standing_worth(state, cards, other) > own:
            return SLIGHTLY
    return WORSE


@kernel
def trade_promise(state: Record, cards: Record, seat: int, node: int) -> float:
    """Best gain from an offer that the partner would accept, given its parts so far."""
    if node != Node.TRADE_WITH:
        give = state["arg"][1] if node == Node.TRADE_WANT else NOBODY
        return PERSUASION * best_offer(state, cards, seat, np.int64(state["arg"][0]), give) - SLIGHTLY
    best, sides = 0.0, player_sides(state, cards, np.int64(state["cell"][seat]))
    for direction in range(DIRECTIONS):
        if (sides >> direction) & 1:
            partner = player_at(state, neighbour(cards, np.int64(state["cell"][seat]), direction))
            best = max(best, best_offer(state, cards, seat, partner, NOBODY))
    return PERSUASION * best - SLIGHTLY


@kernel
def best_offer(state: Record, cards: Record, seat: int, partner: int, fixed: int) -> float:
    """Best gain of the seat from a trade from which the partner gains at least DEAL. fixed: what is given, NOBODY: any."""
    best = 0.0
    own, others = tradable(state, cards, seat, partner), tradable(state, cards, partner, seat)
    for give in range(GOLD_CODE + 1 + np.int64(min(GOLD_OFFER_MAX, state["gold"][seat]))):
        if give == GOLD_CODE or (fixed not in (NOBODY, give)) or (give < GOLD_CODE and not own & bit(give)):
            continue
        cost, joy = code_worth(state, cards, seat, give), code_worth(state, cards, partner, give)
        for want in range(np.int64(cards["types"])):
            if others & bit(want) and joy - code_worth(state, cards, partner, want) >= DEAL:
                best = max(best, code_worth(state, cards, seat, want) - cost)
        if give < GOLD_CODE:
            for gold in range(1, np.int64(min(GOLD_OFFER_MAX, state["gold"][partner])) + 1):
                if joy - code_worth(state, cards, partner, GOLD_CODE + gold) >= DEAL:
                    best = max(best, code_worth(state, cards, seat, GOLD_CODE + gold) - cost)
    return best if best >= DEAL else 0.0


@kernel
def offer_gain(state: Record, cards: Record, seat: int) -> float:
    """TRADE_ANSWER: gain of a seat from the pending offer, if the partner gains at least DEAL."""
    partner, give, want = np.int64(state["arg"][0]), np.int64(state["arg"][1]), np.int64(state["arg"][AIM])
    active = np.int64(state["active"])
    joy = code_worth(state, cards, partner, give) - code_worth(state, cards, partner, want)
    if joy < DEAL:
        return -SLIGHTLY
    if seat == partner:
        return joy
    if seat != active:
        return 0.0
    return code_worth(state, cards, active, want) - code_worth(state, cards, active, give)


# the features

UNIT = 5.0  # features count worth in this unit: half a victory point
NOTHING_HELD = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # for no rival, by the parts of `holdings`:
(PART_POINTS, PART_BOSSES, PART_HEALTH, PART_AILMENTS, PART_ATTACK, PART_GEAR, PART_CARDS, PART_KEY, PART_GOLD, PART_FOUND) = (
    range(len(NOTHING_HELD))
)
AT_ONCE = 0.1  # a second turn above half health
HALF = 0.5
LEAD_MOST = 3  # victory points: a larger lead counts as this
FAR = 30  # steps: a longer way counts as this
STEPS = 5  # number of steps in which rounds are counted


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate of a seat's chance to win, 0..1: from the features, or its share of the win once the game is over."""
    if state["node"] == Node.OVER:
        return standing_of(state, seat)
    return chance_of(features(state, cards, seat), cards["weight"][state["seats"] - 1])


@kernel
def features(state: Record, cards: Record, seat: int) -> tuple[float, ...]:
    """Features of `evaluate`, in the order of FEATURES: worths of `values` in UNITs, the others about 1 in size."""
    own = np.int64(seat)  # a single type, otherwise everything is compiled again for each
    rival = best_rival(state, cards, own)
    mine, theirs = holdings(state, cards, own), NOTHING_HELD
    if rival != NOBODY:
        theirs = holdings(state, cards, rival)
    present = gap(mine, theirs) + at_hand(state, cards, own, rival)
    return present + rush(state, cards, own) + end_in_sight(state, cards)


@kernel
def best_rival(state: Record, cards: Record, seat: int) -> int:
    """The other seat with the largest `standing_worth`, NOBODY for a lone player."""
    best, most = NOBODY, 0.0
    for other in range(np.int64(state["seats"])):
        if other != seat:
            worth = standing_worth(state, cards, other) if state["seats"] > 2 else 0.0
            if best == NOBODY or worth > most:
                best, most = other, worth
    return best


@kernel
def gap(mine: tuple[float, ...], theirs: tuple[float, ...]) -> tuple[float, ...]:
    """A constant, and the differences between two seats by the parts of `holdings`, in UNITs."""
    return (
        1.0,
        (mine[PART_POINTS] - theirs[PART_POINTS]) / UNIT,
        (mine[PART_BOSSES] - theirs[PART_BOSSES]) / UNIT,
        (mine[PART_HEALTH] - theirs[PART_HEALTH]) / UNIT,
        (mine[PART_AILMENTS] - theirs[PART_AILMENTS]) / UNIT,
        (mine[PART_ATTACK] - theirs[PART_ATTACK]) / UNIT,
        (mine[PART_GEAR] - theirs[PART_GEAR]) / UNIT,
        (mine[PART_CARDS] - theirs[PART_CARDS]) / UNIT,
        (mine[PART_KEY] - theirs[PART_KEY]) / UNIT,
        (mine[PART_GOLD] - theirs[PART_GOLD]) / UNIT,
        (mine[PART_FOUND] - theirs[PART_FOUND]) / UNIT,
    )


@kernel
def at_hand(state: Record, cards: Record, seat: int, rival: int) -> tuple[float, float, float, float]:
    """What a player can get where it stands: by its fight, by walking, by its half-made decision; and its rival's fight."""
    fight, way, plan, other = 0.0, 0.0, 0.0, 0.0
    if state["fallen"] == seat:
        plan = estate(state, cards, seat)
    elif state["cell"][seat] != NOWHERE and not state["out"][seat]:
        fighting = is_fighting(state, seat)
        if fighting:
            fight = fight_at_hand(state, cards, seat)
        way = prospects(state, cards, seat, is_stepping(state, seat), fighting)
        plan = intention(state, cards, seat)
    if rival != NOBODY and is_fighting(state, rival):
        other = fight_at_hand(state, cards, rival)
    return fight / UNIT, way / UNIT, plan / UNIT, other / UNIT


@kernel
def is_fighting(state: Record, seat: int) -> bool:
    """Whether a player is in combat and not in the middle of a flight."""
    return state["combat"][seat] != 0 and not (state["node"] == Node.FLEE_STEP and state["active"] == seat)


@kernel
def fight_at_hand(state: Record, cards: Record, seat: int) -> float:
    """Expected gain from the combat that a player is in."""
    return outlook(state, cards, seat, np.int64(state["cell"][seat]), np.int64(state["combat"][seat]), True)


@kernel
def is_stepping(state: Record, seat: int) -> bool:
    """Whether a player is choosing its next step."""
    return state["node"] in (Node.MOVE, Node.SPELL_MOVE, Node.FLEE_STEP, Node.LEAP) and state["asked"] == seat


@kernel
def intention(state: Record, cards: Record, seat: int) -> float:
    """Expected gain from the decision at hand, and from a second turn."""
    value = 0.0
    if state["node"] == Node.TRADE_ANSWER:
        value = offer_gain(state, cards, seat)
    elif state["asked"] == seat:
        value = promise(state, cards, seat)
    if state["second"] and state["active"] == seat:
        value += AT_ONCE if share_of_health(state, cards, seat) > HALF else -AT_ONCE
    return value


@kernel
def estate(state: Record, cards: Record, seat: int) -> float:
    """Worth of the card that a dead player keeps, or what the death costs while the player chooses."""
    kept = np.int64(state["arg"][0])
    if state["node"] != Node.LEAVE or kept == NOBODY:
        return -cost_of_death(state, cards, seat) if state["node"] == Node.KEEP else 0.0
    if kept >= GOLD_CODE:
        return code_worth(state, cards, seat, GOLD_CODE + cards["denomination"][kept - GOLD_CODE])
    return code_worth(state, cards, seat, kept)


@kernel
def rush(state: Record, cards: Record, seat: int) -> tuple[float, float, float, float]:
    """The end rush: whether it has begun, the lead in points, the race to the way out, who is out."""
    if state["rush"] == 0:
        return 0.0, 0.0, 0.0, 0.0
    most, nearest, out = -LEAD_MOST, FAR, 1.0
    for other in range(np.int64(state["seats"])):
        if other != seat:
            most = max(most, points_of(state, cards, other))
            nearest = min(nearest, steps_home(state, cards, other))
            out = min(out, 1.0 * state["out"][other])
    lead = min(LEAD_MOST, max(-LEAD_MOST, points_of(state, cards, seat) - most))
    race = nearest - steps_home(state, cards, seat)
    return 1.0, 1.0 * lead, race / (1.0 * FAR), state["out"][seat] - out


@kernel
def steps_home(state: Record, cards: Record, seat: int) -> int:
    """Steps of a player to the nearest starting tile over the known map, if players make way; at most FAR."""
    if state["out"][seat] or state["cell"][seat] == NOWHERE:
        return FAR
    start_search(state, np.int64(state["cell"][seat]))
    state["steps"][state["cell"][seat]] = 0
    begin, end = 0, 1
    while begin < end:
        here = np.int64(state["queue"][begin])
        begin += 1
        steps = 0 + state["steps"][here]
        if steps >= FAR or state["tile"][here] == Tile.START:
            return steps
        for direction in range(DIRECTIONS):
            there = next_cell(state, cards, here, direction)
            if there != NOWHERE and not met(state, there) and is_walkable(state, there):
                mark(state, there)
                state["steps"][there] = steps + 1
                state["queue"][end] = there
                end += 1
    return FAR


@kernel
def end_in_sight(state: Record, cards: Record) -> tuple[float, float, float, float, float]:
    """Progress of the game: share of cards turned over, of rounds and of idle rounds; whether golem and chest were seen.

    Rounds count in steps, so that ending a turn is worth nothing by itself and equally good decisions are left to the dice.
    """
    late = 1.0 - state["unseen_cards"] / max(1.0, 1.0 * cards["exploration_cards"])
    clock = in_steps(np.int64(state["round"]), np.int64(cards["max_rounds"]))
    idle = in_steps(np.int64(state["idle"]), np.int64(cards["idle_rounds"]))
    return late, clock, idle, 1.0 if state["golem_seen"] else 0.0, 1.0 if state["chest_seen"] else 0.0


@kernel
def in_steps(count: int, most: int) -> float:
    """A count as a share of its maximum, rounded down to STEPS equal steps."""
    return (count * STEPS // max(1, most)) / (1.0 * STEPS)
