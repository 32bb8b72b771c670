"""Duels as absorbing chains: all situations at the start of a turn that can come up, and the odds of getting from one to another.

From each situation `duel_turn` of `exact.rolls` is played once for every outcome of its dice: PATH is a kind of dice that shows
one outcome after the other, with their chance. Ends and situations share one code: ENDINGS * span ends come first, by ending and
health left (0..span-1), then the situations by number.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from sim.engine.exact import Chain, Decisions
from sim.engine.jit import Record, kernel
from sim.engine.sums import total
from sim.games.cardrogue.exact.rolls import ALWAYS, DUEL, ENDINGS, NEVER, PLAYER, End, duel_turn
from sim.games.cardrogue.record import DIE_FACES, FACES, SIGNS, TOTALS, Weapon, throw_odds
from sim.games.cardrogue.rules.basics import has_face
from sim.games.cardrogue.rules.combat import Throws, damage_of, offer_dice
from sim.games.cardrogue.state import FOES, NO_FOE

# dice that follow a path through the outcomes of a turn

ATTACKS_MAX = SIGNS * TOTALS
THROWS_MAX = 2 * FOES + 3  # of a turn: the attack, a dodge, a flight, and two for each enemy

PATH = np.dtype(
    [
        ("chance", np.float64),  # of the outcomes followed so far
        ("thrown", np.int64),  # throws so far
        ("length", np.int64),  # throws whose outcome is fixed; the path takes the last outcome of further ones
        ("outcome", np.int64, (THROWS_MAX,)),  # of each throw; all later outcomes of it were followed before
        # chances of an attack of the duel
        ("last", np.int64),  # highest total, includes all higher ones
        ("odds", np.float64, (SIGNS, TOTALS)),
        ("tails", np.float64, (SIGNS, TOTALS)),  # of that total or a higher one
        ("faces", np.int64, (SIGNS,)),  # faces that represent a sign
        # outcomes of the attack of this turn
        ("attacks", np.int64),
        ("sign", np.int64, (ATTACKS_MAX,)),
        ("total", np.int64, (ATTACKS_MAX,)),
        ("share", np.float64, (ATTACKS_MAX,)),  # chance
    ],
    align=True,
)


@kernel
def take(path: Record, outcomes: int) -> int:
    """Outcome of the next throw, 0..outcomes-1."""
    throw = path["thrown"]
    path["thrown"] += 1
    if throw == path["length"]:
        path["length"] += 1
        path["outcome"][throw] = outcomes - 1
    return path["outcome"][throw]


@kernel
def turn_to_next(path: Record) -> bool:
    """Go back to the last throw that has another outcome, and take that. Returns False after the last path."""
    while path["length"] > 0 and path["outcome"][path["length"] - 1] == 0:
        path["length"] -= 1
    if path["length"] == 0:
        return False
    path["outcome"][path["length"] - 1] -= 1
    return True


@kernel
def follow_die(path: Record, seat: int, purpose: int) -> int:
    """Every face in turn."""
    path["chance"] *= 1.0 / DIE_FACES
    return 1 + take(path, DIE_FACES)


@kernel
def follow_within(path: Record, seat: int, purpose: int, faces: int) -> bool:
    """One of the faces, and none of them, as far as they are possible."""
    count = 0
    for face in range(1, FACES):
        if has_face(faces, face):
            count += 1
    share = count / DIE_FACES
    success = count == DIE_FACES if count in (0, DIE_FACES) else take(path, 2) == 0
    path["chance"] *= share if success else 1.0 - share
    return success


@kernel
def follow_attack(path: Record, seat: int, fight: Record, target: int) -> int:
    """ROGUE-43. Every sign and total of an attack in turn."""
    if path["thrown"] == path["length"]:
        list_attacks(path, fight, target)
    attack = take(path, path["attacks"])
    path["chance"] *= path["share"][attack]
    fight["faces"] = path["faces"][path["sign"][attack]]
    return path["total"][attack]


@kernel
def list_attacks(path: Record, fight: Record, target: int) -> None:
    """ROGUE-44. List the outcomes of an attack; totals from which more damage makes no difference are one outcome."""
    attacks = 0
    for sign in range(SIGNS):
        fight["faces"] = path["faces"][sign]
        most = min(damage_of(fight, path["last"]), fight["foe_health"][target])
        for sum_ in range(path["last"] + 1):
            decided = damage_of(fight, sum_) >= most
            share = path["tails"][sign, sum_] if decided else path["odds"][sign, sum_]
            if share > 0.0:
                path["sign"][attacks], path["total"][attacks], path["share"][attacks] = sign, sum_, share
                attacks += 1
            if decided:
                break
    path["attacks"] = attacks


offer_dice(PATH, Throws(follow_die, follow_within, follow_attack))

# situations and edges

ENDS = len(ENDINGS)
NO_ROOM = -1
START, HERE = 0, 1  # of the desk: the duel as it begins, and as it is after the current turn


# decisions at the start of a turn, as sums of bits; 0: attack
DRINK, RUN = 1, 2
ACTIONS = ("attack", "drink and attack", "flee", "drink and flee")


class Count(IntEnum):
    """Places of `Tree.counts`."""

    STATES = 0  # situations found
    SOURCE = 1  # situation that is being followed
    EDGES = 2
    FIRST_EDGE = 3  # of that situation
    FULL = 4  # 1: no room for a situation or an edge
    SPAN = 5  # 1 + the most health that can be left at the end
    OPTION = 6  # number of that situation * number of actions + action


COUNTS = len(Count)


class Tree(NamedTuple):
    """Workspace for following a duel; all overwritten except the first entry of the desk and the odds of the path."""

    desk: np.ndarray  # (2,) DUEL
    path: np.ndarray  # (1,) PATH
    situations: np.ndarray  # (n,) DUEL at the start of a turn
    words: np.ndarray  # (n, words) int32: the same as numbers, to compare them
    slots: np.ndarray  # (a power of two above n,) int32: hash table of the situations, 0: free, else 1 + number
    source: np.ndarray  # (edges,) int32: option, which is the situation if only the plan is followed
    target: np.ndarray  # (edges,) int32: code of an end or a situation
    chance: np.ndarray  # (edges,) float64
    latest: np.ndarray  # by code: 1 + number of the last edge that leads there
    counts: np.ndarray  # int64, by Count


_PRIME, _BASIS = 0x01000193, 0x811C9DC5  # FNV-1a, 32 bits (Fowler, Noll, Vo)
_LOW, _HALF = 0xFFFFFFFF, 16


@kernel
def write_situation(duel: Record, situations: np.ndarray, number: int) -> None:
    """Write a DUEL into a line of `situations`, without what makes no difference: its past, and the state of slain enemies."""
    situations[number] = duel
    situation = situations[number]
    fight = situation["fight"]
    situation["turns"] = 0
    fight["faces"], fight["blocked"], fight["slain"], fight["dodged"], fight["dealt"], fight["taken"] = 0, 0, 0, 0, 0, 0
    for place in range(FOES):
        if fight["type"][place] == NO_FOE:
            fight["foe_health"][place], fight["foe_mod"][place], fight["attacks"][place] = 0, 0, 0
            fight["foe_poison"][place], fight["foe_paralysed"][place] = 0, 0


@kernel
def note_situation(tree: Tree, duel: Record) -> int:
    """Number of the situation of a DUEL, a new one if it has not come up before; NO_ROOM if there is no space for it."""
    counts = tree.counts
    new = counts[Count.STATES]
    if new == len(tree.situations):
        counts[Count.FULL] = 1
        return NO_ROOM
    write_situation(duel, tree.situations, new)
    words = tree.words[new]
    mask = len(tree.slots) - 1
    slot = hash_of(words) & mask
    while tree.slots[slot] > 0:
        number = tree.slots[slot] - 1
        if is_same(tree.words[number], words):
            return number
        slot = (slot + 1) & mask
    tree.slots[slot] = new + 1
    counts[Count.STATES] += 1
    return new


@kernel
def hash_of(words: np.ndarray) -> int:
    """FNV-1a over the words of a situation, 32 bits; the upper half is folded in, as the lower bits do not depend on it."""
    found = _BASIS
    for word in words:
        found = ((found ^ int(word)) * _PRIME) & _LOW
    return found ^ (found >> _HALF)


@kernel
def is_same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two situations are equal."""
    for word in range(len(one)):
        if one[word] != other[word]:
            return False
    return True


@kernel
def add_edge(tree: Tree, duel: Record, chance: float) -> None:
    """Add the chance that the turn leads to this situation or end; edges to the same target are joined."""
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
    tree.source[edge], tree.target[edge], tree.chance[edge] = counts[Count.OPTION], code, chance
    tree.latest[code] = edge + 1
    counts[Count.EDGES] += 1


@kernel
def follow_all(tree: Tree, cards: Record, actions: int) -> bool:
    """Find all situations and edges, beginning at desk[START]. Returns False if there is no room for them.

    actions: 1 to follow the plan, len(ACTIONS) to follow every decision; the plan of desk[START] must then be NEVER.
    """
    counts, duel, path = tree.counts, tree.desk[HERE], tree.path[0]
    note_situation(tree, tree.desk[START])
    while counts[Count.SOURCE] < counts[Count.STATES] and counts[Count.FULL] == 0:
        for action in range(actions):
            situation = tree.situations[counts[Count.SOURCE]]
            if (action & DRINK and situation["potions"] == 0) or (action & RUN and situation["exit"] == 0):
                continue
            counts[Count.FIRST_EDGE] = counts[Count.EDGES]
            counts[Count.OPTION] = counts[Count.SOURCE] * actions + action
            path["length"] = 0
            more = True
            while more:
                tree.desk[HERE] = situation
                path["chance"], path["thrown"] = 1.0, 0
                if actions > 1:
                    duel["drink_at"] = ALWAYS if action & DRINK else NEVER
                    duel["flee_at"] = ALWAYS if action & RUN else NEVER
                duel_turn(duel, cards, path, PLAYER)
                if actions > 1:
                    duel["drink_at"], duel["flee_at"] = NEVER, NEVER
                add_edge(tree, duel, path["chance"])
                more = turn_to_next(path)
        counts[Count.SOURCE] += 1
    return counts[Count.FULL] == 0


# the chain

SIZE, GROWTH, SIZE_MAX = 1 << 10, 8, 1 << 19  # room for situations: at first, growth factor, at most
EDGES = 16  # room for edges per situation


def chain_of(start: np.void, line: np.void) -> Chain:
    """A duel as a chain of turns. start: DUEL; line: CARDS.

    Raises ValueError for a duel without an end, or of more than SIZE_MAX situations.
    """
    return _chain(_followed(start, line, 1))


def decisions_of(start: np.void, line: np.void) -> Decisions:
    """A duel with every decision to drink and flee, instead of those of its plan (ROGUE-41, 57, 88).

    Arguments and errors as in `chain_of`.
    """
    free = np.array([start], DUEL)
    free["drink_at"], free["flee_at"] = NEVER, NEVER
    tree = _followed(free[0], line, len(ACTIONS))
    states = int(tree.counts[Count.STATES])
    target, ending, _ = _targets(tree)
    options, option = np.unique(tree.source[: len(target)], return_inverse=True)
    situations = tree.situations[:states]
    return Decisions(
        states=states,
        start=0,
        state=(options // len(ACTIONS)).astype(np.int32),
        action=(options % len(ACTIONS)).astype(np.int8),
        option=option.astype(np.int32),
        target=target,
        chance=tree.chance[: len(target)].copy(),
        ending=ending,
        endings=ENDINGS,
        escape=int(End.FLED),
        actions=ACTIONS,
        own=situations["fight"]["health"].astype(np.int16),
        theirs=situations["fight"]["foe_health"].sum(axis=1).astype(np.int16),
        potions=situations["potions"].copy(),
    )


def _followed(start: np.void, line: np.void, actions: int) -> Tree:
    """The tree of a duel, followed to all its ends. Raises ValueError for more than SIZE_MAX situations."""
    path = path_of(start, line)
    size = SIZE
    while size <= SIZE_MAX:
        tree = _tree(start, path, size)
        if follow_all(tree, line, actions):
            return tree
        size *= GROWTH
    raise ValueError(f"the odds of this duel cannot be worked out: it has more than {SIZE_MAX:,} situations")


def attack_odds(start: np.void, line: np.void) -> tuple[np.ndarray, np.ndarray]:
    """Chance of every sign and total of an attack, (SIGNS, totals), and faces that represent each sign, (SIGNS,).

    The last total slays every enemy of the duel; it includes all higher totals.
    """
    fight = start["fight"]
    most = max(int(line["health"][kind]) for kind in fight["type"] if kind >= 0)
    deadly = max(most, int(fight["foe_health"].max())) + max(0, -int(fight["mod"]) + abs(int(fight["rage"])))
    last = min(deadly, TOTALS - 1)
    reading = {field: int(fight[field]) for field in ("miss_faces", "block_faces", "reroll_faces", "reroll_dice")}
    weapon = Weapon(**reading, flee_faces=int(line["must_flee_faces"][start["character"]]))
    every = throw_odds(weapon)
    odds = np.concatenate([every[:, :last], total(every[:, last:])[:, np.newaxis]], axis=1)
    signs = [weapon.sign(face) for face in range(FACES)]
    faces = [sum(1 << face for face in range(1, FACES) if signs[face] | sign == sign) for sign in range(SIGNS)]
    return odds, np.array(faces)


def path_of(start: np.void, line: np.void) -> np.ndarray:
    """Dice for the outcomes of a duel, (1,) PATH. start: DUEL; line: CARDS."""
    odds, faces = attack_odds(start, line)
    path = np.zeros(1, PATH)
    path["last"] = odds.shape[1] - 1
    path["faces"] = faces
    path["odds"][0, :, : odds.shape[1]] = odds
    path["tails"][0, :, : odds.shape[1]] = odds[:, ::-1].cumsum(axis=1)[:, ::-1]
    return path


def _tree(start: np.void, path: np.ndarray, size: int) -> Tree:
    """Workspace for a duel of up to `size` situations, a power of two."""
    span = 1 + max(int(start["fight"]["health"]), int(start["fight"]["max_health"]))
    edges, situations = size * EDGES, np.zeros(size, DUEL)
    tree = Tree(
        desk=np.zeros(2, DUEL),
        path=path,
        situations=situations,
        words=situations.view(np.int32).reshape(size, -1),
        slots=np.zeros(2 * size, np.int32),
        source=np.zeros(edges, np.int32),
        target=np.zeros(edges, np.int32),
        chance=np.zeros(edges),
        latest=np.zeros(ENDS * span + size, np.int32),
        counts=np.zeros(COUNTS, np.int64),
    )
    tree.desk[START] = start
    tree.counts[Count.SPAN] = span
    return tree


def _chain(tree: Tree) -> Chain:
    """The chain of a tree that has been followed. Raises ValueError if it has no end."""
    target, ending, left = _targets(tree)
    return Chain(
        states=int(tree.counts[Count.STATES]),
        start=0,
        source=tree.source[: len(target)].copy(),
        target=target,
        chance=tree.chance[: len(target)].copy(),
        ending=ending,
        left=left,
        endings=ENDINGS,
    )


def _targets(tree: Tree) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Targets of all edges, numbered as in `Chain`; ending and health left of the ends that occur, in the order of their codes.

    Raises ValueError if there is no end.
    """
    edges, states, span = (int(tree.counts[count]) for count in (Count.EDGES, Count.STATES, Count.SPAN))
    target = tree.target[:edges]
    first = ENDS * span  # code of situation 0
    ends, place = np.unique(target[target < first], return_inverse=True)
    if not ends.size:
        raise ValueError("this duel would go on forever: nothing can end it")
    numbers = target - first
    numbers[target < first] = states + place
    return numbers.astype(np.int32), (ends // span).astype(np.int8), (ends % span).astype(np.int16)
