"""What the evaluation weighs: a position as numbers, from a seat's point of view.

The parts: what a seat has, its combat, the best that it can walk to, what a half-made decision will bring, the end rush.
"""

import numpy as np

from sim.engine.evaluation import chance_of
from sim.engine.game import WANTED
from sim.engine.jit import Record, kernel, scratch
from sim.games.cardrogue.actions import LEADS_TO, is_completed, open_acts
from sim.games.cardrogue.evaluation.prospects import (
    add_next,
    distance,
    fights,
    golem_of,
    is_closed,
    may_pass,
    next_of,
    plan_fight,
    start_walk,
)
from sim.games.cardrogue.evaluation.values import (
    DEATH,
    DISCOVERY,
    GOLD,
    HEALTH,
    KEY_AND_CHEST,
    MAX_HEALTH,
    PARTS,
    POINT,
    POISON,
    SKIPPED,
    UNKNOWN_POTION,
    VIEW,
    best_buy,
    brace,
    card_worth,
    code_worth,
    cost_of_death,
    daring,
    gear_gain,
    idle_left,
    most_of_combat,
    offhand_gain,
    outlook,
    shopping,
    take_stock,
)
from sim.games.cardrogue.outcome import standing_of
from sim.games.cardrogue.record import POTION, Category, Effect, Feature, Tile
from sim.games.cardrogue.rules.basics import bit, has_key
from sim.games.cardrogue.rules.items import may_sell, may_wear, may_wear_offhand, tradable
from sim.games.cardrogue.rules.tiles import (
    OFFSET,
    add_cell,
    blind_sides,
    down_sides,
    free_sides,
    has_cell,
    monster_at,
    monster_sides,
    neighbour,
    opens,
    player_at,
    player_sides,
    start_search,
    walk_sides,
)
from sim.games.cardrogue.rules.turn import has_all_goals, next_step, points_of
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
    SEARCH,
    SEATS,
    SEEN_WORDS,
    Act,
    Down,
    Node,
    Step,
)

# where to go

HOME = 9.0  # worth of the way out in the end rush
BOLD = 0.6  # share of health from which cards are turned over
LITTLE = 3.0  # a player with fewer assets risks everything
STEP = 0.03  # cost of a step
FURTHER = 0.004  # of a step beyond NEAR
NEAR = 8  # steps
RUSHING = 5.0  # factor of the cost of a step in the end rush
BARRED = 20  # cost in steps of waiting for a player to make way
PASSES = 0.98  # discount of a worth that is yet to be reached
FETCH = 0.5  # weight of cards that lie about: that of cards in hand in the weights, so that owning them is no loss
CURIOUS = 2.0  # worth of a card turned over, besides DISCOVERY, once nothing else has happened for long

MEET = 1  # step from the golem at which players wait for company
MEETING = 0.02  # worth of that, as a share of the gain from a fight in which all others join
MEETING_AT_LAST = 0.6  # once nothing else has happened for long: it outweighs curses on the way, but not the fight itself
WAITED = 0.4  # share of the idle rounds left before a forfeit from which waiting is worth less
ALONE = 0.2  # the same from which it is worth nothing
WAITING = 0.2  # its largest worth while there are cards to turn over
OPENING = 0.3  # further worth of a card turned over next to the golem, if too few players can stand beside it
AROUND = 8.0  # cells from the golem at which that ends
HURT = 1.5  # weight of health lost on the way: it is missing in the next fight
CURSE = 1.5  # weight of a curse on the way
OFF_AND_BACK = 2  # steps to pick up cards on the player's own cell (ROGUE-78)
MOST_GATHERED = 100.0  # more than a fight with the golem can bring
STEPS_MOST = 20000  # of a way, with all that counts as steps


@kernel
def prospects(state: Record, cards: Record, view: Record, seat: int, moving: bool, fighting: bool) -> float:
    """Largest worth minus cost of the way over all cells that a player can walk to; traps and players on the way cost more.

    moving: the player is taking a step, so all cells but its own are one step nearer; fighting: the enemies around the
    player's own cell are not counted.
    """
    best, search, waiting, start = 0.0, scratch(SEARCH), 0.0, np.int64(state["cell"][seat])
    view["unexplored"], view["moving"] = 0, moving
    view["discovery"] = DISCOVERY + CURIOUS * daring(state, seat)
    start_walk(search, start)
    search["hurt"][start] = 0
    find_left(state, search)
    find_players(state, search)
    here = next_of(search)
    while here != NOWHERE:
        own = here == start
        foes = 0 if own and fighting else monster_sides(state, here)
        passed, steps = own or foes == 0 or may_pass(state, cards, here, foes), np.int64(search["steps"][here])
        left = has_cell(search["left"], here)
        view["steps"] = OFF_AND_BACK if own and left and not moving else steps
        view["best"], view["hurt"] = best, search["hurt"][here]
        worth = worth_of_cell(state, cards, view, seat, here, foes, left)
        if worth > 0.0:
            best = max(best, PASSES * worth - cost_so_far(state, view))
        if passed and is_beside_golem(state, view, here) and best < most_of_waiting(state, view, seat):
            waiting = max(waiting, meeting(state, cards, view, seat, here) - cost_of_meeting(steps, moving))
        if passed:
            spread(state, cards, view, search, seat, here, own and moving)
        here = next_of(search)
    view["hurt"], view["moving"] = 0, 0
    return max(best, min(waiting, WAITING) if view["unexplored"] else waiting)


@kernel
def spread(state: Record, cards: Record, view: Record, search: Record, seat: int, here: int, moving: bool) -> None:
    """Add the cells next to a cell to a walk; if the player is about to step off it, only those without another player."""
    ways = free_sides(state, here) if moving else walk_sides(state, here)
    for direction in range(DIRECTIONS):
        there = here + OFFSET[direction]
        if not opens(ways, direction) or not add_cell(search["seen"], there):
            continue
        hurdle = hurdle_at(state, cards, view, search, seat, there)
        search["hurt"][there] = search["hurt"][here] + (hurt_at(state, cards, there) if hurdle > 0 else 0)
        add_next(search, there, min(STEPS_MOST, search["steps"][here] + 1 + hurdle), hurdle > 0)


@kernel
def most_of_waiting(state: Record, view: Record, seat: int) -> float:
    """Upper bound of what waiting near the golem is worth."""
    share = MEETING + (MEETING_AT_LAST - MEETING) * daring(state, seat)
    return min(WAITING, share * MOST_GATHERED) if view["unexplored"] else share * MOST_GATHERED


@kernel
def is_beside_golem(state: Record, view: Record, cell: int) -> bool:
    """Whether a cell is next to the golem. Waiting is worth nothing on any other."""
    return view["golem"] != NOBODY and distance(cell, np.int64(state["enemy_cell"][view["golem"]])) == 1


@kernel
def meeting(state: Record, cards: Record, view: Record, seat: int, cell: int) -> float:
    """Gain from waiting for company at one's post beside the golem: a share of that of a fight together."""
    plan_fight(state, cards, view)
    place, post = np.int64(state["enemy_cell"][view["golem"]]), view["post"][seat]
    if post == NOBODY or place + OFFSET[post] != cell:
        return 0.0
    holds = 1 + seat + SEATS * view["hurt"]
    if view["gathered"] != holds:
        view["whole_table"] = 1
        view["gathering"] = max(0.0, outlook(state, cards, view, seat, cell, 1 << (post ^ 2), False))
        view["whole_table"], view["gathered"] = 0, holds
    patience = min(1.0, max(0.0, (idle_left(state, cards) - ALONE) / (WAITED - ALONE)))
    return patience * (MEETING + (MEETING_AT_LAST - MEETING) * daring(state, seat)) * view["gathering"]


@kernel
def is_frontier(state: Record, cards: Record, cell: int) -> bool:
    """ROGUE-29. Whether a player who ends its turn on a cell lays a card: a path leads to an empty cell."""
    if state["stack"] == 0 or state["tile"][cell] == Tile.NONE:
        return False
    blind = blind_sides(state, cell)
    if blind == 0:
        return False
    for direction in range(DIRECTIONS):
        if opens(blind, direction):
            there = neighbour(cards, cell, direction)
            if there != NOWHERE and state["down"][there] == Down.NO and state["mask"][there] == 0:
                return True
    return False


@kernel
def find_left(state: Record, search: Record) -> None:
    """Note the cells on which the dead left cards."""
    for i in range(SEEN_WORDS):
        search["left"][i] = 0
    for place in range(np.int64(state["left_cards"])):
        add_cell(search["left"], np.int64(state["left_cell"][place]))


@kernel
def find_players(state: Record, search: Record) -> None:
    """Note the cells on which players stand."""
    for i in range(SEEN_WORDS):
        search["taken"][i] = 0
    for seat in range(np.int64(state["seats"])):
        if state["cell"][seat] != NOWHERE:
            add_cell(search["taken"], np.int64(state["cell"][seat]))


@kernel
def worth_of_cell(state: Record, cards: Record, view: Record, seat: int, cell: int, foes: int, left: bool) -> float:
    """Gain from being on a cell; negative if its enemies are better avoided, 0 if it is certainly at most `to_beat`.

    foes: sides of the enemies to be fought there; left: whether the dead left cards on it.
    """
    worth = place_worth(state, cards, view, seat, cell)
    if view["bold"] and (down_sides(state, cell) != 0 or (foes == 0 and is_frontier(state, cards, cell))):
        discovery = discovery_worth(state, cards, view, cell, foes == 0 and not left)
        if worth < discovery:
            worth = discovery
            if foes == 0:
                view["unexplored"] = 1
    if foes and player_at(state, cell) not in (NOBODY, seat):
        return 0.0  # the other player would have to leave first
    lying = FETCH * left_worth(state, cards, view, seat, cell) if left else 0.0
    if foes:
        if worth + max(0.0, lying) + most_of_combat(state, cards, view, seat, cell, foes) <= to_beat(state, view):
            return 0.0
        worth += outlook(state, cards, view, seat, cell, foes, False)
        return max(worth, lying) if worth >= 0.0 else worth
    return worth + lying


@kernel
def discovery_worth(state: Record, cards: Record, view: Record, cell: int, alone: bool) -> float:
    """Worth of a card that can be turned over from a cell: more next to a golem beside which too few players can stand.

    alone: nothing else adds to the worth of the cell, so it need not be exact unless it exceeds `to_beat`.
    """
    worth = view["discovery"]
    if view["golem"] != NOBODY:
        away = distance(cell, np.int64(state["enemy_cell"][view["golem"]]))
        if away <= AROUND and not (alone and worth + OPENING <= to_beat(state, view)) and is_closed(state, cards, view):
            worth += OPENING * max(0.0, 1.0 - (away - 1) / AROUND)
    return worth


@kernel
def hurdle_at(state: Record, cards: Record, view: Record, search: Record, seat: int, cell: int) -> int:
    """Cost, in steps, of a trap on a cell, of cursed cards that the dead left there, or of a player who has to make way."""
    if has_cell(search["taken"], cell):
        return BARRED
    cost, tile = 0.0, np.int64(state["tile"][cell])
    if has_cell(search["left"], cell) and cards["discard_cursed"][state["character"][seat]] == 0:
        cost += curse_at(state, cards, view, seat, cell)
    if tile >= Tile.TRAP:
        effect, n = np.int64(cards["trap_effect"][tile - Tile.TRAP]), np.int64(cards["trap_n"][tile - Tile.TRAP])
        if effect != Effect.DAMAGE:
            cost += n * (POISON if effect == Effect.POISON else SKIPPED)
        elif n < state["health"][seat]:
            cost += HURT * HEALTH * n / view["most"][seat]
        else:
            cost += DEATH + view["death"][seat]
    return int(cost / (FURTHER * haste(state))) if cost != 0.0 else 0


@kernel
def hurt_at(state: Record, cards: Record, cell: int) -> np.int64:
    """ROGUE-71. Health that a trap on a cell takes, at once or by poison."""
    tile = np.int64(state["tile"][cell])
    if tile < Tile.TRAP or cards["trap_effect"][tile - Tile.TRAP] == Effect.PARALYZE:
        return np.int64(0)
    return np.int64(cards["trap_n"][tile - Tile.TRAP])


@kernel
def curse_at(state: Record, cards: Record, view: Record, seat: int, cell: int) -> float:
    """ROGUE-78, 85. Cost of the cursed cards on a cell, which go to the hand of any player who moves there."""
    cost = 0.0
    for place in range(np.int64(state["left_cards"])):
        card = np.int64(state["left_type"][place])
        if state["left_cell"][place] == cell and card < GOLD_CODE and cards["cursed_bits"] & bit(card):
            cost -= CURSE * card_worth(state, cards, view, seat, card)
    return cost


@kernel
def haste(state: Record) -> float:
    """ROGUE-104. Factor of the cost of a step: more in the end rush, in which the first one out ends the game."""
    return RUSHING if state["rush"] else 1.0


@kernel
def cost_so_far(state: Record, view: Record) -> float:
    """Cost of the way to the cell that is looked at."""
    return haste(state) * cost_of_way(view["steps"], view["moving"] != 0)


@kernel
def to_beat(state: Record, view: Record) -> float:
    """Worth that the cell that is looked at must exceed to be better than those before it."""
    return (view["best"] + cost_so_far(state, view)) / PASSES


@kernel
def cost_of_way(steps: int, moving: bool) -> float:
    """Cost of a way of this many steps; the first steps count more, so that near things come first."""
    left = abs(steps - 1) if moving else steps
    return STEP * min(left, NEAR) + FURTHER * max(0, left - NEAR)


@kernel
def cost_of_meeting(steps: int, moving: bool) -> float:
    """Cost of the way to where a player waits: MEET steps from its post; beside the golem it would have to fight."""
    left = abs(steps - 1) if moving else steps
    return cost_of_way(max(MEET, left) + (1 if left == 0 else 0), False)


@kernel
def place_worth(state: Record, cards: Record, view: Record, seat: int, cell: int) -> float:
    """Gain from standing on a cell."""
    worth, tile = 0.0, np.int64(state["tile"][cell])
    if tile == Tile.SHOP:
        worth = view["buying"]
    elif tile == Tile.CHEST and has_key(state, seat):
        worth = POINT - KEY_AND_CHEST
    elif tile == Tile.FOUNTAIN:
        missing = view["most"][seat] - state["health"][seat]
        worth = HEALTH * min(missing, cards["fountain_heal"]) / view["most"][seat]
    elif tile in (Tile.START, Tile.LADDER) and cell != state["cell"][seat]:
        worth = way_out_worth(state, cards, tile)
    if NOTHING < state["on"][cell] < MONSTER:
        worth = max(worth, FETCH * card_worth(state, cards, view, seat, state["on"][cell] - LYING))
    return worth


@kernel
def is_bold(state: Record, view: Record, seat: int) -> bool:
    """Whether a player turns cards over: it is healthy, has little to lose, or has nothing better to do."""
    healthy = share_of_health(state, view, seat) >= BOLD * (1.0 - daring(state, seat))
    return healthy or view["buying"] < DISCOVERY or view["assets"][seat] < LITTLE


@kernel
def way_out_worth(state: Record, cards: Record, tile: int) -> float:
    """Worth of the way out, once leaving is possible."""
    if state["seats"] > 1:
        return HOME if state["rush"] and tile == Tile.START else 0.0
    way_out = Tile.LADDER if cards["has_ladder"] else Tile.START
    return HOME if tile == way_out and has_all_goals(state, cards) else 0.0


@kernel
def left_worth(state: Record, cards: Record, view: Record, seat: int, cell: int) -> float:
    """Worth of the cards that the dead left on a cell."""
    total = 0.0
    for place in range(np.int64(state["left_cards"])):
        if state["left_cell"][place] == cell:
            card = np.int64(state["left_type"][place])
            if card >= GOLD_CODE:
                total += GOLD * cards["denomination"][card - GOLD_CODE]
            else:
                total += card_worth(state, cards, view, seat, card)
    return total


# half-made decisions

WORSE = -0.5  # of a decision that should not be begun
SLIGHTLY = 0.02  # of a decision that costs nothing
WEAK = 0.42  # share of health up to which a healing potion is drunk
TASTING = 0.75  # share of health from which unknown potions are drunk
DEAL = 0.3  # gain from which a trade is accepted
DIGGING = 2.0  # gain from the mole: a player calls it only if there is no other way (ROGUE-111)
LEFT = 0.05  # weight of cards that a dead player leaves
FEW = 10  # cards in the stack up to which the golem is thrown elsewhere
PERSUASION = 0.6  # chance that an offer that benefits both is accepted


@kernel
def promise(state: Record, cards: Record, view: Record, seat: int) -> float:
    """Expected gain from a half-made decision for the seat that decides; 0 for any other decision."""
    node = np.int64(state["node"])
    if node == Node.FLIP:
        return flip_promise(state, cards, view)
    if node == Node.EQUIP:
        return equip_promise(state, cards, view, seat)
    if node == Node.BUY:
        return best_buy(state, cards, view, seat, np.int64(state["gold"][seat])) - SLIGHTLY
    if node == Node.SELL:
        return sell_promise(state, cards, view, seat)
    if node in (Node.DRINK, Node.THROW, Node.THROW_AT):
        return potion_promise(state, cards, view, seat, node)
    if node in (Node.SCROLL, Node.IDENTIFY, Node.SCROLL_MOVE):
        return scroll_promise(state, cards, seat, node)
    if node in (Node.TRADE_WITH, Node.TRADE_GIVE, Node.TRADE_WANT):
        return trade_promise(state, cards, view, seat, node)
    if node == Node.TRIP:
        return trip_promise(state, view, seat)
    return flat_promise(node)


@kernel
def flat_promise(node: int) -> float:
    """Gain from decisions that do not depend on the position."""
    if node in (Node.STEAL, Node.SPELL_AT):
        return SLIGHTLY
    if node in (Node.MOLE_TILE, Node.MOLE_PAY):
        return DIGGING
    return WORSE if node == Node.UNEQUIP else 0.0


@kernel
def share_of_health(state: Record, view: Record, seat: int) -> float:
    """Health as a share of the maximum."""
    return state["health"][seat] / float(view["most"][seat])


@kernel
def flip_promise(state: Record, cards: Record, view: Record) -> float:
    """Gain from turning a card over: for bold players only, and not for one that has reached its goals and can walk home."""
    if state["seats"] == 1 and has_all_goals(state, cards) and view["row"][Feature.WAY] > 0.0:
        return -SLIGHTLY
    return SLIGHTLY if view["bold"] else WORSE


@kernel
def equip_promise(state: Record, cards: Record, view: Record, seat: int) -> float:
    """Best gain from wearing an item in hand."""
    best = WORSE
    for item in range(np.int64(cards["items"])):
        card = np.int64(cards["item_type"][item])
        if state["held"][seat] & bit(card):
            if may_wear(state, cards, seat, card):
                best = max(best, gear_gain(state, cards, view, seat, card))
            if may_wear_offhand(state, cards, seat, card):
                best = max(best, offhand_gain(state, cards, seat, card))
    return best if best > SLIGHTLY else WORSE


@kernel
def sell_promise(state: Record, cards: Record, view: Record, seat: int) -> float:
    """Gain from selling: for loot, and equipment that is of no use."""
    for card in range(np.int64(cards["types"])):
        if state["held"][seat] & bit(card) and may_sell(state, cards, seat, card):
            category = np.int64(cards["category"][card])
            if category == Category.ENEMY:
                return SLIGHTLY
            gear = category in (Category.WEAPON, Category.ARMOUR)
            if gear and max(gear_gain(state, cards, view, seat, card), offhand_gain(state, cards, seat, card)) <= 0.0:
                return SLIGHTLY
    return WORSE


@kernel
def potion_promise(state: Record, cards: Record, view: Record, seat: int, node: int) -> float:
    """Best gain from a potion: heal when weak, drink strength at once, try unknown colours when healthy, throw harmful ones."""
    best, fighting = WORSE, state["combat"][seat] != 0
    for colour in range(np.int64(cards["colours"])):
        chosen = node == Node.THROW_AT and state["arg"][0] != colour
        if chosen or not state["held"][seat] & bit(POTION + colour):
            continue
        if node == Node.DRINK:
            best = max(best, drink_promise(state, cards, view, seat, np.int64(state["effect"][colour]), fighting))
        else:
            best = max(best, throw_promise(state, cards, view, seat, np.int64(state["effect"][colour]), fighting))
    return best


@kernel
def drink_promise(state: Record, cards: Record, view: Record, seat: int, face: int, fighting: bool) -> float:
    """Gain from drinking a potion with this effect; face 0: unknown."""
    health = share_of_health(state, view, seat)
    if face == 0:
        return SLIGHTLY if health >= TASTING and not fighting and state["poison"][seat] == 0 else WORSE
    effect, n = np.int64(cards["drink_effect"][face]), np.int64(cards["drink_n"][face])
    if effect == Effect.HEAL_FULL:
        return HEALTH * (1.0 - health) - 1.0 if health <= WEAK else WORSE
    if effect == Effect.ATTACK_MOD:
        return SLIGHTLY if n > 0 else WORSE
    return WORSE


@kernel
def throw_promise(state: Record, cards: Record, view: Record, seat: int, face: int, fighting: bool) -> float:
    """Gain from throwing a potion with this effect; face 0: unknown. They are for bosses, and for lost fights."""
    if face == 0 or not fighting or state["step"] != Step.FIGHT:
        return WORSE
    effect, weakens = np.int64(cards["throw_effect"][face]), cards["throw_n"][face] < 0
    if effect == Effect.TELEPORT:
        return SLIGHTLY if may_banish(state, cards, view, seat) else WORSE
    if effect not in (Effect.POISON, Effect.PARALYZE, Effect.DAMAGE) and not (effect == Effect.ATTACK_MOD and weakens):
        return WORSE
    for direction in range(DIRECTIONS):
        if not opens(np.int64(state["combat"][seat]), direction):
            continue
        slot = monster_at(state, state["cell"][seat] + OFFSET[direction])
        wasted = effect == Effect.POISON and state["enemy_poison"][slot] > 0
        wasted = wasted or (effect == Effect.PARALYZE and state["enemy_paralysed"][slot] > 0)
        boss = cards["boss"][state["enemy_type"][slot]] and (view["strike"] > 0.0 or effect == Effect.ATTACK_MOD)
        if not wasted and (boss or view["fight"] < 0.0):
            return SLIGHTLY
    return WORSE


@kernel
def may_banish(state: Record, cards: Record, view: Record, seat: int) -> bool:
    """ROGUE-89. Whether to throw the golem to another tile: too few players can stand beside it, and no card will change that."""
    if view["golem"] == NOBODY or state["stack"] > FEW or not is_closed(state, cards, view):
        return False
    return fights(state, np.int64(view["golem"]), seat)


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
def trip_promise(state: Record, view: Record, seat: int) -> float:
    """Gain from tripping: for a rival who is ahead, in the end rush always."""
    if state["rush"]:
        return 1.0
    if view["golem"] != NOBODY:
        return WORSE
    for other in range(np.int64(state["seats"])):
        if other == seat or state["combat"][other] != 0 or state["skip"][other] > 0:
            continue
        if view["sum"][other] > view["sum"][seat]:
            return SLIGHTLY
    return WORSE


@kernel
def trade_promise(state: Record, cards: Record, view: Record, seat: int, node: int) -> float:
    """Best gain from an offer that the partner would accept, given its parts so far."""
    if node != Node.TRADE_WITH:
        give = state["arg"][1] if node == Node.TRADE_WANT else NOBODY
        return PERSUASION * best_offer(state, cards, view, seat, np.int64(state["arg"][0]), give) - SLIGHTLY
    best, sides = 0.0, player_sides(state, np.int64(state["cell"][seat]))
    for direction in range(DIRECTIONS):
        if (sides >> direction) & 1:
            partner = player_at(state, state["cell"][seat] + OFFSET[direction])
            best = max(best, best_offer(state, cards, view, seat, partner, NOBODY))
    return PERSUASION * best - SLIGHTLY


@kernel
def best_offer(state: Record, cards: Record, view: Record, seat: int, partner: int, fixed: int) -> float:
    """Best gain of the seat from a trade from which the partner gains at least DEAL. fixed: what is given, NOBODY: any."""
    best = 0.0
    own, others = tradable(state, cards, seat, partner), tradable(state, cards, partner, seat)
    for give in range(GOLD_CODE + 1 + np.int64(min(GOLD_OFFER_MAX, state["gold"][seat]))):
        if give == GOLD_CODE or (fixed not in (NOBODY, give)) or (give < GOLD_CODE and not own & bit(give)):
            continue
        cost, joy = code_worth(state, cards, view, seat, give), code_worth(state, cards, view, partner, give)
        for want in range(np.int64(cards["types"])):
            if others & bit(want) and joy - code_worth(state, cards, view, partner, want) >= DEAL:
                best = max(best, code_worth(state, cards, view, seat, want) - cost)
        if give < GOLD_CODE:
            for gold in range(1, np.int64(min(GOLD_OFFER_MAX, state["gold"][partner])) + 1):
                if joy - code_worth(state, cards, view, partner, GOLD_CODE + gold) >= DEAL:
                    best = max(best, code_worth(state, cards, view, seat, GOLD_CODE + gold) - cost)
    return best if best >= DEAL else 0.0


@kernel
def offer_gain(state: Record, cards: Record, view: Record, seat: int) -> float:
    """TRADE_ANSWER: gain of a seat from the pending offer, if the partner gains at least DEAL."""
    partner, give, want = np.int64(state["arg"][0]), np.int64(state["arg"][1]), np.int64(state["arg"][AIM])
    active = np.int64(state["active"])
    joy = code_worth(state, cards, view, partner, give) - code_worth(state, cards, view, partner, want)
    if joy < DEAL:
        return -SLIGHTLY
    if seat == partner:
        return joy
    if seat != active:
        return 0.0
    return code_worth(state, cards, view, active, want) - code_worth(state, cards, view, active, give)


# the features

UNIT = 5.0  # features count worth in this unit: half a victory point
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
    view = scratch(VIEW)
    take_stocks(state, cards, view)
    write_row(state, cards, view, seat)
    return chance_in(state, cards, view)


@kernel
def evaluate_seats(state: Record, cards: Record, chances: np.ndarray) -> bool:
    """Evaluate a position for several seats at once."""
    if state["node"] == Node.OVER:
        return False
    view = scratch(VIEW)
    take_stocks(state, cards, view)
    for seat in range(len(chances)):
        if chances[seat] == WANTED:
            write_row(state, cards, view, seat)
            chances[seat] = chance_in(state, cards, view)
    return True


@kernel
def evaluate_options(state: Record, cards: Record, seat: int, options: np.ndarray, count: int, values: np.ndarray) -> bool:
    """MAIN: evaluate the categories that lead to a further decision, and passing on to the next step; leave out the others."""
    acts = np.int64(state["acts"])
    if state["node"] != Node.MAIN:
        return False
    stays = acts & 1 << Act.PASS != 0 and stays_on(state, cards, seat)
    if not stays and acts & ~(1 << Act.PASS | 1 << Act.MOVE | 1 << Act.FLEE | 1 << Act.MOLE) == 0:
        return False  # nothing to share
    view, left_out = scratch(VIEW), 0
    take_stocks(state, cards, view)
    write_row(state, cards, view, seat)
    row = view["row"]
    way, fight = row[Feature.WAY], view["fight"]
    for i in range(count):
        act = options[i]
        row[Feature.WAY] = way
        if act in (Act.FLEE, Act.MOLE) or is_completed(state, LEADS_TO[act]) or (act == Act.PASS and not stays):
            left_out += 1
            continue
        state["node"] = LEADS_TO[act]
        if act == Act.MOVE:
            row[Feature.WAY] = prospects(state, cards, view, seat, True, False) / UNIT
        row[Feature.PLAN] = intention(state, cards, view, seat) / UNIT
        row[Feature.FIGHT] = (view["strike"] if act == Act.ATTACK else fight) / UNIT
        state["node"] = Node.MAIN
        values[i] = chance_in(state, cards, view)
    return left_out == 0


@kernel
def stays_on(state: Record, cards: Record, seat: int) -> bool:
    """ROGUE-20. Whether passing out of combat leads to another decision of the same turn, in which nothing else has changed."""
    step, moves_left, stays = np.int64(state["step"]), state["moves_left"], False
    while not stays and state["step"] in (Step.FLIP, Step.MOVE):
        next_step(state, cards, seat)
        stays = state["step"] != Step.DONE and open_acts(state, cards, seat) != 1 << Act.PASS
    state["step"], state["moves_left"] = step, moves_left
    return stays


@kernel
def features(state: Record, cards: Record, seat: int, out: np.ndarray) -> None:
    """Features of `evaluate`, in the order of FEATURES: worths of `values` in UNITs, the others about 1 in size."""
    view = scratch(VIEW)
    take_stocks(state, cards, view)
    write_row(state, cards, view, seat)
    for k in range(len(out)):
        out[k] = view["row"][k]


@kernel
def take_stocks(state: Record, cards: Record, view: Record) -> None:
    """Work out what every player has."""
    for seat in range(np.int64(state["seats"])):
        take_stock(state, cards, view, seat)
    view["rated"][:] = 0
    view["gathered"], view["planned"], view["whole_table"], view["hurt"], view["moving"] = 0, 0, 0, 0, 0
    view["golem"] = golem_of(state, cards)


@kernel
def chance_in(state: Record, cards: Record, view: Record) -> float:
    """Winning chance by the features that were written."""
    return float(chance_of(view["row"], cards["weight"][state["seats"] - 1]))


@kernel
def write_row(state: Record, cards: Record, view: Record, seat: int) -> None:
    """Write the features of a seat."""
    rival, row, part = best_rival(state, view, seat), view["row"], view["part"]
    row[Feature.CONSTANT] = 1.0
    for k in range(PARTS):
        row[Feature.POINTS + k] = (part[seat, k] - (part[rival, k] if rival != NOBODY else 0.0)) / UNIT
    fight, way, plan, other = 0.0, 0.0, 0.0, 0.0
    if state["fallen"] == seat:
        plan = estate(state, cards, view, seat)
    elif state["cell"][seat] != NOWHERE and not state["out"][seat]:
        fighting = is_fighting(state, seat)
        brace(state, cards, view, seat)
        view["buying"] = shopping(state, cards, view, seat)
        view["bold"] = is_bold(state, view, seat)
        if fighting:
            fight = fight_at_hand(state, cards, view, seat)
        view["fight"], view["strike"] = fight, view["attack"]
        way = prospects(state, cards, view, seat, is_stepping(state, seat), fighting)
        plan = intention(state, cards, view, seat)
    if rival != NOBODY and is_fighting(state, rival):
        brace(state, cards, view, rival)
        other = fight_at_hand(state, cards, view, rival)
    row[Feature.FIGHT], row[Feature.WAY] = fight / UNIT, way / UNIT
    row[Feature.PLAN], row[Feature.RIVAL_FIGHT] = plan / UNIT, other / UNIT
    write_rush(state, cards, row, seat)
    write_end(state, cards, row)


@kernel
def best_rival(state: Record, view: Record, seat: int) -> int:
    """The other seat that has most, NOBODY for a lone player."""
    best = NOBODY
    for other in range(np.int64(state["seats"])):
        if other != seat and (best == NOBODY or view["sum"][other] > view["sum"][best]):
            best = other
    return best


@kernel
def is_fighting(state: Record, seat: int) -> bool:
    """Whether a player is in combat and not in the middle of a flight."""
    return state["combat"][seat] != 0 and not (state["node"] == Node.FLEE_STEP and state["active"] == seat)


@kernel
def fight_at_hand(state: Record, cards: Record, view: Record, seat: int) -> float:
    """Expected gain from the combat that a player is in."""
    gain = outlook(state, cards, view, seat, np.int64(state["cell"][seat]), np.int64(state["combat"][seat]), True)
    return view["attack"] if state["node"] == Node.ATTACK and state["active"] == seat else gain


@kernel
def is_stepping(state: Record, seat: int) -> bool:
    """Whether a player is choosing its next step."""
    return state["node"] in (Node.MOVE, Node.SPELL_MOVE, Node.FLEE_STEP, Node.LEAP) and state["asked"] == seat


@kernel
def intention(state: Record, cards: Record, view: Record, seat: int) -> float:
    """Expected gain from the decision at hand, and from a second turn."""
    value = 0.0
    if state["node"] == Node.TRADE_ANSWER:
        value = offer_gain(state, cards, view, seat)
    elif state["asked"] == seat:
        value = promise(state, cards, view, seat)
    if state["second"] and state["active"] == seat:
        value += AT_ONCE if share_of_health(state, view, seat) > HALF else -AT_ONCE
    return value


@kernel
def estate(state: Record, cards: Record, view: Record, seat: int) -> float:
    """Worth of the card that a dead player keeps, then of what lies about, or what the death costs while the player chooses."""
    kept, left = np.int64(state["arg"][0]), 0.0
    if state["node"] == Node.RESPAWN:
        for place in range(np.int64(state["left_cards"])):
            if state["left_type"][place] < GOLD_CODE:
                left += card_worth(state, cards, view, seat, np.int64(state["left_type"][place]))
        return LEFT * left
    if state["node"] != Node.LEAVE or kept == NOBODY:
        return -cost_of_death(state, view, seat) if state["node"] == Node.KEEP else 0.0
    if kept >= GOLD_CODE:
        return code_worth(state, cards, view, seat, GOLD_CODE + cards["denomination"][kept - GOLD_CODE])
    return code_worth(state, cards, view, seat, kept)


@kernel
def write_rush(state: Record, cards: Record, row: np.ndarray, seat: int) -> None:
    """The end rush: whether it has begun, the lead in points, how far the nearest rival is from the way out, who is out."""
    row[Feature.RUSH], row[Feature.RUSH_LEAD], row[Feature.RUSH_RACE], row[Feature.RUSH_DEATH] = 0.0, 0.0, 0.0, 0.0
    if state["rush"] == 0:
        return
    most, nearest, out = -LEAD_MOST, FAR, 1.0
    for other in range(np.int64(state["seats"])):
        if other != seat:
            most = max(most, points_left(state, cards, other))
            nearest = min(nearest, steps_home(state, other))
            out = min(out, 1.0 * state["out"][other])
    lead = min(LEAD_MOST, max(-LEAD_MOST, points_left(state, cards, seat) - most))
    row[Feature.RUSH], row[Feature.RUSH_LEAD] = 1.0, 1.0 * lead
    row[Feature.RUSH_RACE], row[Feature.RUSH_DEATH] = nearest / (1.0 * FAR), state["out"][seat] - out


@kernel
def points_left(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-61. Victory points of a seat, of a dead one those that it has once it has left the other cards."""
    points = points_of(state, cards, seat)
    if state["node"] != Node.LEAVE or state["fallen"] != seat:
        return points
    for number in range(np.int64(cards["enemies"])):
        card = cards["enemy_type"][number]
        points -= cards["vp"][card] * state["hand"][seat, card]
    kept = np.int64(state["arg"][0])
    return points + (cards["vp"][kept] if 0 <= kept < GOLD_CODE else 0)


@kernel
def steps_home(state: Record, seat: int) -> int:
    """Steps of a player to the nearest starting tile over the known map, if players make way; at most FAR."""
    if state["out"][seat] or state["cell"][seat] == NOWHERE:
        return FAR
    if state["tile"][state["cell"][seat]] == Tile.START:
        return 2  # off it and back (ROGUE-104)
    search = scratch(SEARCH)
    start_search(search, np.int64(state["cell"][seat]))
    begin, end = 0, 1
    while begin < end:
        here = np.int64(search["queue"][begin])
        begin += 1
        steps = 0 + search["steps"][here]
        if steps >= FAR or (state["tile"][here] == Tile.START and player_at(state, here) == NOBODY):
            return steps
        ways = walk_sides(state, here)
        for direction in range(DIRECTIONS):
            there = here + OFFSET[direction]
            if opens(ways, direction) and add_cell(search["seen"], there):
                search["steps"][there] = steps + 1
                search["queue"][end] = there
                end += 1
    return FAR


@kernel
def write_end(state: Record, cards: Record, row: np.ndarray) -> None:
    """Progress of the game: share of cards turned over, of rounds and of idle rounds; whether golem and chest were seen.

    Rounds count in steps, so that ending a turn is worth nothing by itself and equally good decisions are left to the dice.
    """
    row[Feature.LATE] = 1.0 - state["unseen_cards"] / max(1.0, 1.0 * cards["exploration_cards"])
    row[Feature.CLOCK] = in_steps(np.int64(state["round"]), np.int64(cards["max_rounds"]))
    row[Feature.IDLE] = in_steps(np.int64(state["idle"]), np.int64(cards["idle_rounds"]))
    row[Feature.GOLEM] = 1.0 if state["golem_seen"] else 0.0
    row[Feature.CHEST] = 1.0 if state["chest_seen"] else 0.0


@kernel
def in_steps(count: int, most: int) -> float:
    """A count as a share of its maximum, rounded down to STEPS equal steps."""
    return (count * STEPS // max(1, most)) / (1.0 * STEPS)
