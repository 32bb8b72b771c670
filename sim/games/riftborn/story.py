"""What happened between two positions of Riftborn Tactics, told from the two state records alone.

Here the order of it, and how turns and the game end; `story_creatures` tells of creatures, `story_players` of players.
"""

import numpy as np

from sim.engine.cards import CardSet
from sim.games.riftborn.state import NOBODY
from sim.games.riftborn.story_change import Change
from sim.games.riftborn.story_creatures import arrivals, fates
from sim.games.riftborn.story_players import (
    attached,
    draws,
    experience,
    levels,
    lives,
    looks,
    mulligans,
    piles,
    tricks,
)
from sim.games.riftborn.terms import Gain


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """Tell what happened between two consecutive states, one sentence each, in the order in which it mostly happens.

    What the decision itself says is not said again.
    """
    change = Change(before, after, cards)
    old = [seat for seat in change.seats if seat != change.fresh]
    return [
        *mulligans(change),
        *(line for seat in old for line in experience(change, seat, Gain.PLAY, Gain.SUMMON)),
        *arrivals(change),
        *attached(change),
        *tricks(change),
        *fates(change),
        *lives(change),
        *(line for seat in change.seats for line in experience(change, seat, Gain.KILL, Gain.EFFECT)),
        *(line for seat in old for line in levels(change, seat)),
        *piles(change),
        *(line for seat in old for line in draws(change, seat)),
        *looks(change),
        *_turn(change),
        *_end(change),
    ]


def _turn(change: Change) -> list[str]:
    """RIFT-08, 11, 16. Who is next, and what the start step brings."""
    seat = change.fresh
    if seat == NOBODY or change.over:
        return []
    told = [
        f"Seat {seat + 1} has the first turn."
        if change.began
        else f"Turn {change.after['turn']} ends; seat {seat + 1} is next."
    ]
    return [*told, *experience(change, seat, Gain.TURN), *levels(change, seat), *draws(change, seat)]


def _end(change: Change) -> list[str]:
    """RIFT-130. The end of the game."""
    if not change.over:
        return []
    winner = int(change.after["winner"])
    if winner == NOBODY:
        return ["Nobody has life left: the game is a draw."]
    return [f"Seat {2 - winner} has no life left: seat {winner + 1} wins."]
