"""The book of a duel that is followed: its situations by number, found by what they hold, and the edges between them.

Ends and situations have one code: ENDINGS * span ends come first, by ending and health left
(0..span-1), then the situations by number.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.duel import ENDINGS, End
from sim.games.cardrogue.state import FOES, NO_FOE

ENDS = len(ENDINGS)
NO_ROOM = -1


class Count(IntEnum):
    """Places of `Tree.counts`."""

    TOP = 0  # of the stack: first place that is free
    STATES = 1  # situations found
    SOURCE = 2  # situation that is being followed
    EDGES = 3
    FIRST_EDGE = 4  # of that situation
    FULL = 5  # 1: there was no room for a situation or an edge
    SPAN = 6  # amounts of health that can be left at the end


COUNTS = len(Count)


class Word(IntEnum):
    """What a situation at the start of a turn is made of; all else stays the same in a duel."""

    HEALTH = 0
    POISON = 1
    ANTIDOTE = 2
    SKIP = 3
    COOLDOWN = 4
    POTIONS = 5
    BEGUN = 6
    FOE_HEALTH = 7  # by place, 0: slain; FOES words each
    FOE_POISON = 11
    FOE_PARALYSED = 15


WORDS = 19


class Tree(NamedTuple):
    """What a duel is followed with; all overwritten but the first place of the stack, `odds`, `tails` and `faces`."""

    stack: np.ndarray  # follow.BRANCH
    odds: np.ndarray  # (SIGNS, totals): chance of an attack, see `throw_odds`
    tails: np.ndarray  # (SIGNS, totals): chance of that total or a higher one
    faces: np.ndarray  # (SIGNS,): faces that stand for a sign
    situations: np.ndarray  # (n, WORDS) int16
    slots: np.ndarray  # (a power of two above n,) int32: hash table of the situations, 0: free, else 1 + number
    source: np.ndarray  # (edges,) int32: situation
    target: np.ndarray  # (edges,) int32: code of an end or a situation
    chance: np.ndarray  # (edges,) float64
    latest: np.ndarray  # by code: 1 + number of the last edge there
    counts: np.ndarray  # int64, by Count


_PRIME, _BASIS = 0x01000193, 0x811C9DC5  # FNV-1a, 32 bits (Fowler, Noll, Vo)
_LOW = 0xFFFFFFFF


@kernel
def write_situation(duel: Record, words: np.ndarray) -> None:
    """Write what a DUEL holds into words, (WORDS,) int16."""
    fight = duel["fight"]
    words[Word.HEALTH] = fight["health"]
    words[Word.POISON] = fight["poison"]
    words[Word.ANTIDOTE] = fight["antidote"]
    words[Word.SKIP] = fight["skip"]
    words[Word.COOLDOWN] = duel["cooldown"]
    words[Word.POTIONS] = duel["potions"]
    words[Word.BEGUN] = duel["begun"]
    for place in range(FOES):
        lives = fight["type"][place] != NO_FOE
        words[Word.FOE_HEALTH + place] = fight["foe_health"][place] if lives else 0
        words[Word.FOE_POISON + place] = fight["foe_poison"][place] if lives else 0
        words[Word.FOE_PARALYSED + place] = fight["foe_paralysed"][place] if lives else 0


@kernel
def read_situation(tree: Tree, duel: Record, number: int) -> None:
    """Write a situation into a DUEL that is a copy of the one that the tree started from."""
    words, fight = tree.situations[number], duel["fight"]
    fight["health"] = words[Word.HEALTH]
    fight["poison"] = words[Word.POISON]
    fight["antidote"] = words[Word.ANTIDOTE]
    fight["skip"] = words[Word.SKIP]
    duel["cooldown"] = words[Word.COOLDOWN]
    duel["potions"] = words[Word.POTIONS]
    duel["begun"] = words[Word.BEGUN]
    for place in range(FOES):
        fight["foe_health"][place] = words[Word.FOE_HEALTH + place]
        fight["foe_poison"][place] = words[Word.FOE_POISON + place]
        fight["foe_paralysed"][place] = words[Word.FOE_PARALYSED + place]
        if words[Word.FOE_HEALTH + place] == 0:
            fight["type"][place] = NO_FOE


@kernel
def note_situation(tree: Tree, duel: Record) -> int:
    """Return the number of the situation that a DUEL is in, a new one if it has not come up before; NO_ROOM if there is none."""
    counts = tree.counts
    new = counts[Count.STATES]
    if new == len(tree.situations):
        counts[Count.FULL] = 1
        return NO_ROOM
    words = tree.situations[new]
    write_situation(duel, words)
    mask = len(tree.slots) - 1
    slot = hash_of(words) & mask
    while tree.slots[slot] > 0:
        number = tree.slots[slot] - 1
        if is_same(tree.situations[number], words):
            return number
        slot = (slot + 1) & mask
    tree.slots[slot] = new + 1
    counts[Count.STATES] += 1
    return new


@kernel
def hash_of(words: np.ndarray) -> np.int64:
    """FNV-1a over the words of a situation, 32 bits."""
    found = np.int64(_BASIS)
    for word in words:
        found = ((found ^ np.int64(word)) * _PRIME) & _LOW
    return found


@kernel
def is_same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two situations hold the same."""
    for word in range(WORDS):
        if one[word] != other[word]:
            return False
    return True


@kernel
def add_edge(tree: Tree, duel: Record, chance: float) -> None:
    """Note that the turn that is being followed comes to this with so much chance, added up by where it leads."""
    counts = tree.counts
    if duel["ending"] == End.NOT_YET:
        number = note_situation(tree, duel)
        if number == NO_ROOM:
            return
        code = ENDS * counts[Count.SPAN] + number
    else:
        code = duel["ending"] * counts[Count.SPAN] + max(0, duel["fight"]["health"])
    last = tree.latest[code] - 1
    if last >= counts[Count.FIRST_EDGE]:
        tree.chance[last] += chance
        return
    edge = counts[Count.EDGES]
    if edge == len(tree.source):
        counts[Count.FULL] = 1
        return
    tree.source[edge], tree.target[edge], tree.chance[edge] = counts[Count.SOURCE], code, chance
    tree.latest[code] = edge + 1
    counts[Count.EDGES] += 1
