"""Duels as absorbing chains: the scratch on which they are followed, and what comes of it."""

import numpy as np

from sim.engine.duels import Chain
from sim.games.cardrogue.attack_odds import DICE_MAX
from sim.games.cardrogue.duel import ENDINGS
from sim.games.cardrogue.follow import BRANCH, LOWEST, SPLITS, START, follow_all
from sim.games.cardrogue.situations import COUNTS, ENDS, WORDS, Count, Tree
from sim.games.cardrogue.throw_odds import LAYERS, SIGNS, throw_odds

SIZE, GROWTH, SIZE_MAX = 1 << 10, 8, 1 << 19  # situations that there is room for: at first, each time more, at most
EDGES = 16  # room for edges by situation


def chain_of(start: np.void, line: np.void) -> Chain:
    """A duel as a chain of turns. start: DUEL; line: CARDS.

    Raises ValueError for a duel without an end, or of more than SIZE_MAX situations.
    """
    odds, faces = attack_odds(start, line)
    size = SIZE
    while size <= SIZE_MAX:
        tree = _tree(start, odds, faces, size)
        if follow_all(tree, line):
            return _told(tree)
        size *= GROWTH
    raise ValueError(f"the odds of this duel cannot be worked out: it has more than {SIZE_MAX:,} situations")


def attack_odds(start: np.void, line: np.void) -> tuple[np.ndarray, np.ndarray]:
    """Chance of every sign and total of an attack, (SIGNS, totals), and faces that stand for each sign, (SIGNS,).

    The last total is so high that it slays every enemy of the duel; it stands for all above too.
    """
    fight = start["fight"]
    most = max(int(line["health"][kind]) for kind in fight["type"] if kind >= 0)
    deadly = max(most, int(fight["foe_health"].max())) + max(0, -int(fight["mod"]) + abs(int(fight["rage"])))
    fleeing = int(line["must_flee_faces"][start["character"]])
    odds, faces = np.zeros((SIGNS, deadly + 1)), np.zeros(SIGNS, np.int64)
    throw_odds(fight, fleeing, odds, faces, np.zeros((LAYERS, DICE_MAX + 1, *odds.shape)))
    return odds, faces


def _tree(start: np.void, odds: np.ndarray, faces: np.ndarray, size: int) -> Tree:
    """Scratch for a duel of up to `size` situations, a power of two."""
    span = 1 + max(int(start["fight"]["health"]), int(start["fight"]["max_health"]))
    edges = size * EDGES
    tree = Tree(
        stack=np.zeros(LOWEST + 2 * odds.size + SPLITS, BRANCH),
        odds=odds,
        tails=np.ascontiguousarray(odds[:, ::-1].cumsum(axis=1)[:, ::-1]),
        faces=faces,
        situations=np.zeros((size, WORDS), np.int16),
        slots=np.zeros(2 * size, np.int32),
        source=np.zeros(edges, np.int32),
        target=np.zeros(edges, np.int32),
        chance=np.zeros(edges),
        latest=np.zeros(ENDS * span + size, np.int32),
        counts=np.zeros(COUNTS, np.int64),
    )
    tree.stack[START]["duel"] = start
    tree.counts[Count.SPAN] = span
    return tree


def _told(tree: Tree) -> Chain:
    """A tree that has been followed, as a chain: only ends that come up, in order of their codes.

    Raises ValueError if there is none.
    """
    edges, states, span = (int(tree.counts[count]) for count in (Count.EDGES, Count.STATES, Count.SPAN))
    target = tree.target[:edges]
    first = ENDS * span  # code of situation 0
    ends, place = np.unique(target[target < first], return_inverse=True)
    if not ends.size:
        raise ValueError("this duel would go on for ever: nothing can end it")
    numbers = target - first
    numbers[target < first] = states + place
    return Chain(
        states=states,
        start=0,
        source=tree.source[:edges].copy(),
        target=numbers.astype(np.int32),
        chance=tree.chance[:edges].copy(),
        ending=(ends // span).astype(np.int8),
        left=(ends % span).astype(np.int16),
        endings=ENDINGS,
    )
