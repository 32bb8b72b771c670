"""What holds from each position of Card Rogue to the next; what holds in each is in `sim.games.cardrogue.position.invariants`.

Checks take many positions at once: `states` are (n,) STATE. Messages begin with what failed.
"""

import numpy as np

from sim.engine.cards import CardSet
from sim.games.cardrogue.position import POSITION
from sim.games.cardrogue.position.invariants import decks, invariants
from sim.games.cardrogue.record import SLOTS, STRIDE, Tile
from sim.games.cardrogue.state import MONSTER, NOTHING, Down, Node

OFFSETS = (STRIDE, 1, -STRIDE, -1)  # N, E, S, W


SAMPLED = 50  # one position in this number


def check(states: np.ndarray, cards: CardSet) -> None:
    """Check the rules in every position, and in a sample the ranges of the keys too."""
    for state in states[::SAMPLED]:
        assert POSITION.violations(state, cards) == []
    for where, broken, text in invariants(states, cards):
        found = np.argwhere(broken).tolist()
        assert not found, f"position {found[0]}: {'.'.join(where)} {text if isinstance(text, str) else text(*found[0])}"


def totals(states: np.ndarray, cards: CardSet) -> tuple[int, ...]:
    """Cards of the exploration deck, of the shop and of the pathing deck, wherever they are: 93, 23 and 61 of the reference."""
    return tuple(int(deck.held[0, deck.own].sum()) for deck in decks(states[:1], cards))


def most_health(states: np.ndarray, cards: np.void) -> np.ndarray:
    """ROGUE-07. Maximum health by seat: (n, SEATS)."""
    total = cards["own_max_health"][states["character"]].astype(int) + states["bonus"]
    return np.maximum(1, total + states["hand"] @ cards["max_health"].astype(int))


WALKS = (Node.MOVE, Node.SPELL_MOVE, Node.BARD_FLEE, Node.FLEE_STEP)
DECISIONS_PER_TURN = 200


def check_steps(states: np.ndarray, actions: np.ndarray, cards: np.void) -> None:
    """Check each position of one game against the next. actions: (n,), taken in each position; the last is ignored."""
    before, after = states[:-1], states[1:]
    assert (after["scored"] >= before["scored"]).all(), "points: scored ones fall"
    assert ((before["effect"] == 0) | (after["effect"] == before["effect"])).all(), "potions: a known effect changes"
    change = np.abs(after["hand"].astype(int) - before["hand"]) @ np.abs(cards["max_health"].astype(int))
    fall = change + np.maximum(0, before["bonus"].astype(int) - after["bonus"])
    most = [one["health"].astype(int) - most_health(one, cards) for one in (before, after)]
    assert (most[1] <= np.maximum(0, most[0]) + fall).all(), "health: lifted above the maximum"
    check_walks(before, actions[:-1])
    check_laid(before, after)
    in_turn = np.bincount(states["turn"])
    assert in_turn.max() < DECISIONS_PER_TURN, f"turn {in_turn.argmax()}: {in_turn.max()} decisions"
    walking = before["node"] == Node.MOVE
    movement = int(cards["movement"].clip(0).max()) * SLOTS + int(cards["own_movement"].max())
    most_moves = 1 + movement + int(cards["repeat_moves"])
    assert np.bincount(before["turn"][walking], minlength=1).max() <= most_moves, "moves: too many in a turn"


def check_walks(before: np.ndarray, actions: np.ndarray) -> None:
    """Moves end on free face-up adjacent cells."""
    walks = np.isin(before["node"], WALKS) & (actions < 4)
    line, way = np.flatnonzero(walks), actions[walks]
    here = before["cell"][line, before["active"][line]].astype(int)
    there = here + np.array(OFFSETS)[way]
    open_ = (before["mask"][line, here] >> way & 1) & (before["mask"][line, there] >> (way ^ 2) & 1)
    assert (open_ == 1).all(), "moves: through a wall"
    assert (before["down"][line, there] == Down.NO).all(), "moves: onto a face-down card"
    on, tile = before["on"][line, there], before["tile"][line, there]
    assert ((on < MONSTER) & ((on != NOTHING) | (tile != Tile.NONE))).all(), "moves: onto an enemy or nothing"
    assert (before["cell"][line] != there[:, None]).all(), "moves: onto a player"


def check_laid(before: np.ndarray, after: np.ndarray) -> None:
    """A face-down card is laid next to where a player stood or stands."""
    at, cell = np.nonzero((after["down"] == Down.CARD) & (before["down"] != Down.CARD))
    beside = np.zeros(len(at), bool)
    for places in (before["cell"], after["cell"]):
        for offset in OFFSETS:
            beside |= (places[at].astype(int) + offset == cell[:, None]).any(1)
    assert beside.all(), "cards are laid where no player stands"
