"""How good a position looks to a seat (register section 7)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.engine.judgement import chance_of
from sim.games.riftborn.outlook import danger_to, frailty, level_ahead, race, strikes_of, unspent
from sim.games.riftborn.prospects import promise
from sim.games.riftborn.record import TRICKS
from sim.games.riftborn.state import NOBODY, SEATS
from sim.games.riftborn.terms import Phase
from sim.games.riftborn.values import armour_of, army_of, hand_worth, shields_of, weapons_of

POINTS = 10.0  # of life, Attack, Health, worth
XP = 1000.0  # points of experience
FEW = 5.0  # creatures, cards


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate of a seat's winning chance, by its features; its share of the win at the end."""
    if state["phase"] == Phase.OVER:
        if state["winner"] == NOBODY:
            return 0.5
        return 1.0 if state["winner"] == seat else 0.0
    return chance_of(features(state, cards, seat), cards["weight"][SEATS - 1])


@kernel
def features(state: Record, cards: Record, seat: int) -> tuple[float, ...]:
    """What speaks for a seat, in the order of FEATURES."""
    other = SEATS - 1 - seat
    bodies, might, health, abilities, threat = army_of(state, cards, seat)
    their_bodies, their_might, their_health, their_abilities, their_threat = army_of(state, cards, other)
    left, their_left = left_of(state, seat), left_of(state, other)
    return (
        1.0,
        (np.float64(state["life"][seat]) - np.float64(state["life"][other])) / POINTS,
        (armour_of(state, seat) - armour_of(state, other)) / POINTS,
        (weapons_of(state, cards, seat) - weapons_of(state, cards, other)) / POINTS,
        (earned(state, cards, seat) - earned(state, cards, other)) / XP,
        level_ahead(state, cards, seat),
        (bodies - their_bodies) / FEW,
        (might - their_might) / POINTS,
        (health - their_health) / POINTS,
        (abilities - their_abilities) / POINTS,
        (threat - their_threat) / POINTS,
        np.float64(is_lethal(threat, their_left)) - np.float64(is_lethal(their_threat, left)),
        race(threat, their_left) - race(their_threat, left),
        frailty(their_left) - frailty(left),
        shields_of(state, seat) / POINTS,
        (tricks_laid(state, seat) - tricks_laid(state, other)) / FEW,
        hand_worth(state, cards, seat) / POINTS,
        spare_cards(state, cards, other) / FEW,
        unspent(state, cards, seat) / FEW,
        strikes_of(state, cards, seat) / POINTS,
        danger_to(state, cards, seat) / POINTS,
        promise(state, cards, seat) / POINTS,
    )


@kernel
def is_lethal(threat: float, left: float) -> bool:
    """Whether what reaches a player would bring it down."""
    return threat >= left and threat > 0


@kernel
def left_of(state: Record, seat: int) -> float:
    """Damage that a player can still take."""
    return np.float64(state["life"][seat]) + armour_of(state, seat)


@kernel
def earned(state: Record, cards: Record, seat: int) -> float:
    """Experience beyond what turns bring: nobody can lose that."""
    return np.float64(state["xp"][seat]) - np.float64(cards["turn_xp"]) * np.float64(state["own_turns"][seat])


@kernel
def spare_cards(state: Record, cards: Record, seat: int) -> float:
    """Cards in hand beyond those that turns bring."""
    return np.float64(state["hand_n"][seat]) - np.float64(cards["turn_draw"]) * np.float64(state["own_turns"][seat])


@kernel
def tricks_laid(state: Record, seat: int) -> np.int64:
    """RIFT-115. TRICK cards that a seat has in play; their number is public."""
    count = np.int64(0)
    for trick in range(1, TRICKS + 1):
        count += (state["tricks"][seat] >> np.uint8(trick)) & np.uint8(1)
    return count
