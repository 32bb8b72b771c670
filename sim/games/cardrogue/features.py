"""What a judgement weighs: a position in numbers, from a seat's point of view (register section 7)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.engine.judgement import chance_of
from sim.games.cardrogue.codes import Tile
from sim.games.cardrogue.decisions import GOLD_CODE, Node
from sim.games.cardrogue.grid import is_walkable, next_cell
from sim.games.cardrogue.intent import offer_gain, promise, share_of_health
from sim.games.cardrogue.outlook import cost_of_death, outlook
from sim.games.cardrogue.points import points_of
from sim.games.cardrogue.prospects import prospects
from sim.games.cardrogue.score import standing_of
from sim.games.cardrogue.search import mark, met, start_search
from sim.games.cardrogue.state import DIRECTIONS, NOBODY, NOWHERE
from sim.games.cardrogue.worth import code_worth, holdings, standing_worth

UNIT = 5.0  # worth that a feature counts as 1: half a victory point
NOTHING_HELD = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # what nobody has, by the parts of `holdings`:
(
    PART_POINTS,
    PART_BOSSES,
    PART_HEALTH,
    PART_AILMENTS,
    PART_ATTACK,
    PART_GEAR,
    PART_CARDS,
    PART_KEY,
    PART_GOLD,
    PART_FOUND,
) = range(len(NOTHING_HELD))
AT_ONCE = 0.1  # a second turn above half health
HALF = 0.5
LEAD_MOST = 3  # victory points beyond which a lead is safe
FAR = 30  # steps: farther is no worse
STEPS = 5  # of a count of rounds


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate of a seat's winning chance, 0..1: its share of the win at the end, before it what the features come to."""
    if state["node"] == Node.OVER:
        return standing_of(state, seat)
    return chance_of(features(state, cards, seat), cards["weight"][state["seats"] - 1])


@kernel
def features(state: Record, cards: Record, seat: int) -> tuple[float, ...]:
    """What `evaluate` weighs, in the order of FEATURES: worth as `worth.py` has it in UNITs, all else 1 or so in size."""
    own = np.int64(seat)  # one type of number, or everything is compiled again for each
    rival = best_rival(state, cards, own)
    mine, theirs = holdings(state, cards, own), NOTHING_HELD
    if rival != NOBODY:
        theirs = holdings(state, cards, rival)
    present = gap(mine, theirs) + at_hand(state, cards, own, rival)
    return present + rush(state, cards, own) + end_in_sight(state, cards)


@kernel
def best_rival(state: Record, cards: Record, seat: int) -> int:
    """The other seat that has most, NOBODY for a lone player."""
    best, most = NOBODY, 0.0
    for other in range(np.int64(state["seats"])):
        if other != seat:
            worth = standing_worth(state, cards, other) if state["seats"] > 2 else 0.0
            if best == NOBODY or worth > most:
                best, most = other, worth
    return best


@kernel
def gap(mine: tuple[float, ...], theirs: tuple[float, ...]) -> tuple[float, ...]:
    """A constant, and what one has more than another, by the parts of `holdings`, in UNITs."""
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
    """What a player can get where it stands: by its fight, by going somewhere, by what it is about to do; its rival's fight."""
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
    """Whether a player is in combat and not about to run from it."""
    return state["combat"][seat] != 0 and not (state["node"] == Node.FLEE_STEP and state["active"] == seat)


@kernel
def fight_at_hand(state: Record, cards: Record, seat: int) -> float:
    """What the combat that a player is in will bring."""
    return outlook(state, cards, seat, np.int64(state["cell"][seat]), np.int64(state["combat"][seat]), True)


@kernel
def is_stepping(state: Record, seat: int) -> bool:
    """Whether a player is being asked for its next step."""
    return state["node"] in (Node.MOVE, Node.SPELL_MOVE, Node.FLEE_STEP, Node.LEAP) and state["asked"] == seat


@kernel
def intention(state: Record, cards: Record, seat: int) -> float:
    """What will come of the decision at hand, and of a second turn."""
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
    """What the dead still have: the card that they keep."""
    kept = np.int64(state["arg"][0])
    if state["node"] != Node.LEAVE or kept == NOBODY:
        return -cost_of_death(state, cards, seat) if state["node"] == Node.KEEP else 0.0
    if kept >= GOLD_CODE:
        return code_worth(state, cards, seat, GOLD_CODE + cards["denomination"][kept - GOLD_CODE])
    return code_worth(state, cards, seat, kept)


@kernel
def rush(state: Record, cards: Record, seat: int) -> tuple[float, float, float, float]:
    """The end rush: whether it has begun, the lead in points, the race to the way out, who is out of it."""
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
    """Steps of a player to the nearest starting tile over the known map, if everybody makes way; FAR at most."""
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
    """How far the game is: cards turned over, rounds of those that there may be, idle rounds; golem and chest seen or not.

    Rounds count in steps: to end a turn is worth nothing by itself, and what is as good as that is left to the dice.
    """
    late = 1.0 - state["unseen_cards"] / max(1.0, 1.0 * cards["exploration_cards"])
    clock = in_steps(np.int64(state["round"]), np.int64(cards["max_rounds"]))
    idle = in_steps(np.int64(state["idle"]), np.int64(cards["idle_rounds"]))
    return late, clock, idle, 1.0 if state["golem_seen"] else 0.0, 1.0 if state["chest_seen"] else 0.0


@kernel
def in_steps(count: int, most: int) -> float:
    """A count as a share of the most that it can be, rounded down to STEPS equal steps."""
    return (count * STEPS // max(1, most)) / (1.0 * STEPS)
