"""What holds from each position of a game of Card Rogue to the next: register section 10."""

import numpy as np

from sim.games.cardrogue.record import SLOTS, Tile
from sim.games.cardrogue.state import MONSTER, NOTHING, Down, Node
from tests.games.cardrogue.invariants import OFFSETS, most_health

WALKS = (Node.MOVE, Node.SPELL_MOVE, Node.BARD_FLEE, Node.FLEE_STEP)
DECISIONS_PER_TURN = 200


def check_steps(states: np.ndarray, actions: np.ndarray, cards: np.void) -> None:
    """From each position of one game to the next. actions: (n,), what was decided in each; the last is not looked at."""
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
    """A face-down card is laid next to where somebody stood or stands."""
    at, cell = np.nonzero((after["down"] == Down.CARD) & (before["down"] != Down.CARD))
    beside = np.zeros(len(at), bool)
    for places in (before["cell"], after["cell"]):
        for offset in OFFSETS:
            beside |= (places[at].astype(int) + offset == cell[:, None]).any(1)
    assert beside.all(), "cards are laid where nobody stands"
