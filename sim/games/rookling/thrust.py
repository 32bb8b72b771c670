"""The promise of an attack: the best plan of cards against a defence that is only guessed (register section 7)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.bonuses import bonuses_now
from sim.games.rookling.declare import offer
from sim.games.rookling.energy import meets, rook_at, side_at
from sim.games.rookling.features import ROW_LIFE
from sim.games.rookling.footing import numbers_in
from sim.games.rookling.outlook import Look, outlook, seen
from sim.games.rookling.plans import (
    NO_PLAN,
    card_in,
    extras_in,
    hand_left,
    next_plan,
    offers_now,
    own_now,
    placements,
    points_in,
)
from sim.games.rookling.record import JUDGED, LINES, Feature, Kind
from sim.games.rookling.state import LEFT, MIDDLE, NOBODY, POSITIONS, RIGHT, Phase, mover

FLIP = 0.4  # worth of flipping a Rookling, beside its life
BELOW_ALL = -1e9  # no worth of a plan
WASTED = 0.3  # worth of an attack that only takes a Hidden token


@kernel
def attack_gain(amounts: tuple[int, int, int], looks: tuple[float, ...]) -> tuple[float, float]:
    """What attacks of so many points by position can be expected to take, in life points, and their chance to win the game.

    looks: as `outlook` gives them.
    """
    gain, killed = 0.0, 1.0
    for target in range(POSITIONS):
        life = seen(looks, Look.LIFE, target)
        if life == 0:
            continue
        coming = arriving(amounts, looks, target)
        chance = seen(looks, Look.CHANCE, target)
        behind = max(0.0, coming - seen(looks, Look.POINTS, target))
        flipped = chance * (behind >= life) + (1.0 - chance) * (coming >= life)
        gain += chance * min(life, behind) + (1.0 - chance) * min(life, coming) + FLIP * flipped
        killed *= flipped
    for position in range(POSITIONS):
        if seen(looks, Look.HIDDEN, position) and amounts[position] > 0:
            gain += WASTED
    return gain / ROW_LIFE, killed


@kernel
def arriving(amounts: tuple[int, int, int], looks: tuple[float, ...], target: int) -> float:
    """Points that land on a position, less what siege-state Rooklings on the way may block."""
    coming = 0.0
    for position in range(POSITIONS):
        if amounts[position] == 0 or seen(looks, Look.TARGET, position) != target or seen(looks, Look.HIDDEN, position):
            continue
        points = max(0.0, amounts[position] - seen(looks, Look.GUARD, position))
        if position != target:
            points = max(0.0, points - seen(looks, Look.CHANCE, position) * seen(looks, Look.POINTS, position))
        coming += points
    return coming


@kernel
def declared_gain(state: Record, cards: Record) -> tuple[float, float, float]:
    """What the declared attacks can be expected to bring: DECLARED, KILL and EXTRAS."""
    att, tokens, seat = state["att"], 0.0, np.int64(state["attacker"])
    for position in range(POSITIONS):
        line = np.int64(state["line"][seat, position])
        if att[position] > 0 and line != NOBODY:
            tokens += hit_worth(state, cards, seat, np.int64(position), line)
    amounts = (np.int64(att[LEFT]), np.int64(att[MIDDLE]), np.int64(att[RIGHT]))
    gain, killed = attack_gain(amounts, outlook(state, cards))
    return gain, killed, tokens


@kernel
def shown_gain(state: Record, cards: Record) -> float:
    """What the attacker's cards on the table can be expected to take so far: SHOWN."""
    offers = (
        own_now(state, cards, np.int64(LEFT)),
        own_now(state, cards, np.int64(MIDDLE)),
        own_now(state, cards, np.int64(RIGHT)),
    )
    flat_left, flat_middle, flat_right, plus_left, plus_middle, plus_right = bonuses_now(state, cards)
    left, middle, right = offers
    amounts = (
        offer(left, flat_left, plus_left),
        offer(middle, flat_middle, plus_middle),
        offer(right, flat_right, plus_right),
    )
    gain, _ = attack_gain(amounts, outlook(state, cards))
    return gain


@kernel
def hit_worth(state: Record, cards: Record, seat: int, position: int, line: int) -> float:
    """ROOK-56. Worth of the tokens that an attack line puts on whom it hits."""
    return cards["line_worth"][rook_at(state, seat, position), line, side_at(state, seat, position)]


@kernel
def hits_ready(state: Record, cards: Record) -> float:
    """Worth of the tokens that attacks put on with the cards placed so far: lines in use or, before that, any met."""
    seat, worth = mover(state), 0.0
    for position in range(POSITIONS):
        chosen = state["phase"] == Phase.ATTACK and position < state["cursor"]
        for line in range(LINES):
            if chosen:
                used = state["line"][seat, position] == line
            else:
                used = cards["kind"][rook_at(state, seat, np.int64(position)), line] == Kind.ATTACK and meets(
                    state, cards, seat, np.int64(position), np.int64(line)
                )
            if used:
                worth += hit_worth(state, cards, seat, np.int64(position), np.int64(line))
    return worth


@kernel
def attack_in(offers: tuple[int, ...], bonuses: tuple[int, ...], position: int, card: int) -> np.int64:
    """ROOK-39. Attack at a position with one more card. offers, bonuses: as `offers_now`, `bonuses_now` give them."""
    return offer(points_in(offers, position, card), bonuses[position], bonuses[POSITIONS + position])


@kernel
def attacks_in(offers: tuple[int, ...], bonuses: tuple[int, ...], plan: int) -> tuple[int, int, int]:
    """Attacks by position with the cards of a plan."""
    left, middle, right = np.int64(LEFT), np.int64(MIDDLE), np.int64(RIGHT)
    return (
        attack_in(offers, bonuses, left, card_in(plan, left)),
        attack_in(offers, bonuses, middle, card_in(plan, middle)),
        attack_in(offers, bonuses, right, card_in(plan, right)),
    )


@kernel
def attack_promise(state: Record, cards: Record) -> tuple[float, float, float, float, float]:
    """The best attack that the hand allows, by the weights: PROMISE, KILL, EXTRAS, and the hand after it as cards and numbers.

    Every plan is reckoned with.
    """
    offers, bonuses, looks = offers_now(state, cards), bonuses_now(state, cards), outlook(state, cards)
    total, weight = numbers_in(state, cards, mover(state)), cards["weight"][JUDGED]
    allowed = placements(state, cards, offers, cards["dump"] == 1)
    found, best, plan = (0.0, 0.0, 0.0, 0.0, 0.0), BELOW_ALL, np.int64(0)
    while plan != NO_PLAN:
        gain, killed = attack_gain(attacks_in(offers, bonuses, plan), looks)
        full, numbers = hand_left(state, cards, plan, total)
        extras = extras_in(offers, plan)
        worth = weight[Feature.PROMISE] * gain + weight[Feature.KILL] * killed + weight[Feature.EXTRAS] * extras
        worth += weight[Feature.OWN_TO_DEFEND] * full + weight[Feature.NUMBERS] * numbers
        if worth > best:
            found, best = (gain, killed, extras, full, numbers), worth
        plan = next_plan(plan, allowed)
    gain, killed, extras, full, numbers = found
    return gain, killed, extras + hits_ready(state, cards), full, numbers
