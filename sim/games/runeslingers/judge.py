"""How good a position looks to a seat: features of the position, and the winning chance that they give (register section 7).

Most features are what the seat has less what its enemy has, scaled to be about 1 in size. The weights are data: see
`judgement.toml`.
"""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.engine.judgement import chance_of
from sim.games.runeslingers.blows import last_blow, slinging
from sim.games.runeslingers.dues import due
from sim.games.runeslingers.light import ready_light
from sim.games.runeslingers.outlook import (
    answers_ready,
    cards_gone,
    lasting_light,
    life_of,
    reaches_power,
    wear_on,
)
from sim.games.runeslingers.prospects import promise
from sim.games.runeslingers.state import NOBODY, SEATS
from sim.games.runeslingers.stats import exposed_total
from sim.games.runeslingers.terms import Phase
from sim.games.runeslingers.values import (
    HAND_CARD,
    boosts_worth,
    concentration_worth,
    count_concentrations,
    draws_worth,
    enemy_outlook,
    hand_outlook,
    hand_worth,
    severe_worth,
    things_worth,
)

POINTS = 10.0  # health points, or what is counted in them, that make 1
FEW = 4.0  # ailments, cards, light
SOME = 2.0  # determination
ENDLESS = 1.0  # added to the lives of both, so that the share of the lead does not jump at the end


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate of a seat's winning chance, as the weighed features give it; its share of the win at the end."""
    if state["phase"] == Phase.OVER:
        if state["winner"] == NOBODY:
            return 0.5
        return 1.0 if state["winner"] == seat else 0.0
    return chance_of(features(state, cards, seat), cards["weight"][SEATS - 1])


@kernel
def features(state: Record, cards: Record, seat: int) -> tuple[float, ...]:
    """What speaks for a seat and against it, by the names of `FEATURES`."""
    other = SEATS - 1 - seat
    light, enemy_light = ready_light(state, seat), ready_light(state, other)
    concs, enemy_concs = count_concentrations(state, seat), count_concentrations(state, other)
    own_life, enemy_life = life_of(state, seat), life_of(state, other)
    own_wear, enemy_wear = wear_on(state, cards, other), wear_on(state, cards, seat)
    grown = concentration_worth(concs) - concentration_worth(enemy_concs)
    lit = 1.0 * lasting_light(state, cards, seat) - lasting_light(state, cards, other)
    own_rungs, enemy_rungs = promise(state, cards, seat)
    held, enemy_held = np.int64(state["hand_n"][seat]), np.int64(state["hand_n"][other])
    return (
        1.0,
        turn_of(state, seat),
        second_of(state, seat),
        1.0 * state["power"][seat] - state["power"][other],
        (own_life - enemy_life) / (own_life + enemy_life + ENDLESS),
        (1.0 * state["health"][seat] - state["health"][other]) / POINTS,
        (1.0 * state["determination"][seat] - state["determination"][other]) / SOME,
        (1.0 * state["deck_n"][seat] - state["deck_n"][other]) / POINTS,
        (own_wear - enemy_wear) / (own_wear + enemy_wear),
        (cards_gone(state, cards, other) - cards_gone(state, cards, seat)) / POINTS,
        grown / POINTS,
        lit / FEW,
        (1.0 - (own_life + enemy_life) / (SOME * cards["start_power"])) * lit / FEW,
        (things_worth(state, cards, seat) - things_worth(state, cards, other)) / POINTS,
        (1.0 * exposed_total(state, other) - exposed_total(state, seat)) / FEW,
        (severe_worth(state, cards, other) - severe_worth(state, cards, seat)) / POINTS,
        (hand_worth(state, cards, seat, concs) - HAND_CARD * enemy_held) / POINTS,
        (held - enemy_held) / FEW,
        (draws_worth(state, cards, seat) - draws_worth(state, cards, other)) / POINTS,
        (hand_outlook(state, cards, seat, concs, light) + boosts_worth(state, cards, seat, light)) / POINTS,
        enemy_outlook(state, cards, other, enemy_concs, enemy_light) / POINTS,
        reaches_power(state, cards, seat, light),
        (1.0 * (light - state["light"][seat]) - (enemy_light - state["light"][other])) / FEW,
        answers_ready(state, cards, seat, light),
        own_rungs / POINTS,
        enemy_rungs / POINTS,
        slinging(state, cards, seat) / POINTS,
        last_blow(state, cards, seat),
        due(state, cards, seat) / POINTS,
    )


@kernel
def turn_of(state: Record, seat: int) -> float:
    """Whether it is the seat's turn (1), the enemy's (-1), or nobody's yet."""
    if state["first"] == NOBODY:
        return 0.0
    return 1.0 if state["active"] == seat else -1.0


@kernel
def second_of(state: Record, seat: int) -> float:
    """Whether the seat went second (1), first (-1), or neither yet: the first player's deck is the first to run out."""
    if state["first"] == NOBODY:
        return 0.0
    return -1.0 if state["first"] == seat else 1.0
