"""The promise of a defence: the best plan of cards against what is declared, each resolved by the best response."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.bonuses import bonuses_now
from sim.games.rookling.clash import bearer_of, begin_clash, force_of, life_of, with_defences
from sim.games.rookling.declare import offer
from sim.games.rookling.footing import ON_TABLE, numbers_in, row_features, row_now
from sim.games.rookling.plans import (
    NO_PLAN,
    card_in,
    extras_in,
    hand_left,
    next_plan,
    offers_now,
    placements,
    points_in,
    used_by,
)
from sim.games.rookling.record import JUDGED, Feature
from sim.games.rookling.response import best_response
from sim.games.rookling.state import LEFT, MIDDLE, NOBODY, POSITIONS, RIGHT, defender_of
from sim.games.rookling.strike import power_of, strikes_of
from sim.games.rookling.thrust import hit_worth
from sim.games.rookling.worth import LANDS

BELOW_ALL = -1e9  # no worth of a plan


@kernel
def defence_in(offers: tuple[int, ...], bonuses: tuple[int, ...], position: int, card: int) -> np.int64:
    """ROOK-39. Defence at a position with one more card. offers, bonuses: as `offers_now`, `bonuses_now` give them."""
    base = points_in(offers, position, card) + bonuses[position]
    return offer(base, np.int64(0), bonuses[POSITIONS + position])


@kernel
def hits_price(state: Record, cards: Record, ended: int) -> float:
    """ROOK-56. What the tokens of attacks that were not fully blocked will cost the defender."""
    attacker, price = np.int64(state["attacker"]), 0.0
    for position in range(POSITIONS):
        line = np.int64(state["line"][attacker, position])
        if not state["poison"] and bearer_of(ended, position) >= 0 and line != NOBODY:
            price += hit_worth(state, cards, attacker, np.int64(position), line) * ON_TABLE / LANDS
    return price


@kernel
def row_worth(cards: Record, mine: int, theirs: int) -> float:
    """What the weights make of two rows."""
    weight, found, total = cards["weight"][JUDGED], row_features(cards, mine, theirs), 0.0
    for k in range(len(found)):
        total += weight[Feature.LIFE + k] * found[k]
    return total


@kernel
def defence_promise(state: Record, cards: Record) -> tuple[int, float, float, float, float, float]:
    """The best defence that the hand allows, by the weights: every plan is resolved.

    Returns the resolution at its end, HITS, EXTRAS, the hand left as cards and numbers, and its POWER_NEXT.
    """
    seat, weight = defender_of(state), cards["weight"][JUDGED]
    offers, bonuses, strikes = (
        offers_now(state, cards),
        bonuses_now(state, cards),
        strikes_of(state, cards, seat, False),
    )
    count, total = np.int64(state["hand_n"][seat]), numbers_in(state, cards, seat)
    allowed, theirs = placements(state, cards, offers, False), row_now(state, np.int64(state["attacker"]))
    mine, force = row_now(state, seat), force_of(state["att"], state["dfn"])
    clash = begin_clash(force, life_of(mine, LEFT), life_of(mine, MIDDLE), life_of(mine, RIGHT))
    hoped = max(0.0, weight[Feature.POWER_NEXT]) * power_of(strikes, count, np.int64(0))
    found, best, last, plan = (clash, 0.0, 0.0, 0.0, 0.0, 0.0), BELOW_ALL, np.int64(-1), np.int64(0)
    ended, hits, settled = clash, 0.0, 0.0
    while plan != NO_PLAN:
        declared = with_defences(force, defences_in(offers, bonuses, plan))
        if declared != last:
            ended, last = best_response(clash, declared, cards), declared
            hits = -hits_price(state, cards, ended)
            settled = row_worth(cards, ended, theirs) + weight[Feature.HITS] * hits
        full, numbers = hand_left(state, cards, plan, total)
        extras = extras_in(offers, plan)
        worth = settled + weight[Feature.OWN_TO_ATTACK] * full + weight[Feature.NUMBERS] * numbers
        worth += weight[Feature.EXTRAS] * extras
        if worth + hoped > best:
            power = power_of(strikes, count, used_by(plan))
            worth += weight[Feature.POWER_NEXT] * power
            if worth > best:
                found, best = (ended, hits, extras, full, numbers, power), worth
        plan = next_plan(plan, allowed)
    return found


@kernel
def defences_in(offers: tuple[int, ...], bonuses: tuple[int, ...], plan: int) -> tuple[int, int, int]:
    """Defences by position with the cards of a plan."""
    left, middle, right = np.int64(LEFT), np.int64(MIDDLE), np.int64(RIGHT)
    return (
        defence_in(offers, bonuses, left, card_in(plan, left)),
        defence_in(offers, bonuses, middle, card_in(plan, middle)),
        defence_in(offers, bonuses, right, card_in(plan, right)),
    )
