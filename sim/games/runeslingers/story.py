"""What happened between two positions of Runeslingers, told from the two state records alone.

Here the order of it; `story_field` tells of the cards in play and the ailments, `story_players` of players and turns.
"""

import numpy as np

from sim.engine.cards import CardSet
from sim.games.runeslingers.story_change import Change
from sim.games.runeslingers.story_field import ailments, concentrations, laid, left, things
from sim.games.runeslingers.story_players import blows, discards, draws, end, gains, turns


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """Tell what happened between two consecutive states, one sentence each, in the order in which it mostly happens.

    What the decision itself says is not said again.
    """
    change = Change(before, after, cards)
    return [
        *concentrations(change),
        *gains(change),
        *laid(change),
        *things(change),
        *blows(change),
        *ailments(change),
        *left(change),
        *discards(change),
        *turns(change),
        *draws(change),
        *end(change),
    ]
