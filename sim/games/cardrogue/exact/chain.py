"""Duels as absorbing chains: all situations at the start of a turn that can come up, and the odds of getting from one to another.

A turn is that of `exact.rolls`, kernel by kernel, except that it branches where a die would be thrown: into what the die
can mean, each branch with a face. Branches under way lie on a stack. Ends and situations share one code:
ENDINGS * span ends come first, by ending and health left (0..span-1), then the situations by number.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from sim.engine.exact import Chain
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.exact.rolls import (
    DUEL,
    ENDINGS,
    FLEE,
    LAYERS,
    SIGNS,
    End,
    choose,
    first_foe,
    flees_freely,
    flight_faces,
    must_flee,
    prepare,
    reap,
    recover,
    start_turn,
    throw_odds,
)
from sim.games.cardrogue.record import DICE_MAX, DIE_FACES, BardSix, Effect, ParalysisInCombat
from sim.games.cardrogue.rules.basics import has_face
from sim.games.cardrogue.rules.combat import (
    NO_DIE,
    acts,
    aim,
    damage_of,
    hit_back,
    land,
    may_dodge,
    run_poison,
    settle,
    use_ability,
)
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
    FULL = 5  # 1: no room for a situation or an edge
    SPAN = 6  # 1 + the most health that can be left at the end


COUNTS = len(Count)


class Word(IntEnum):
    """Numbers that define a situation at the start of a turn; everything else is constant in a duel."""

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
    """Workspace for following a duel; all overwritten except the first entry of the stack, `odds`, `tails` and `faces`."""

    stack: np.ndarray  # BRANCH
    odds: np.ndarray  # (SIGNS, totals): chance of an attack, see `throw_odds`
    tails: np.ndarray  # (SIGNS, totals): chance of that total or a higher one
    faces: np.ndarray  # (SIGNS,): faces that represent a sign
    situations: np.ndarray  # (n, WORDS) int16
    slots: np.ndarray  # (a power of two above n,) int32: hash table of the situations, 0: free, else 1 + number
    source: np.ndarray  # (edges,) int32: situation
    target: np.ndarray  # (edges,) int32: code of an end or a situation
    chance: np.ndarray  # (edges,) float64
    latest: np.ndarray  # by code: 1 + number of the last edge that leads there
    counts: np.ndarray  # int64, by Count


# situations and edges

_PRIME, _BASIS = 0x01000193, 0x811C9DC5  # FNV-1a, 32 bits (Fowler, Noll, Vo)
_LOW = 0xFFFFFFFF


@kernel
def write_situation(duel: Record, words: np.ndarray) -> None:
    """Write the situation of a DUEL into words, (WORDS,) int16."""
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
    """Write a situation into a DUEL that is a copy of the initial one."""
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
    """Number of the situation of a DUEL, a new one if it has not come up before; NO_ROOM if there is no space for it."""
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
    """Whether two situations are equal."""
    for word in range(WORDS):
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
    tree.source[edge], tree.target[edge], tree.chance[edge] = counts[Count.SOURCE], code, chance
    tree.latest[code] = edge + 1
    counts[Count.EDGES] += 1


START, HERE, LOWEST = 0, 1, 2  # of the stack: the initial duel, the current branch, the lowest waiting branch


class Stage(IntEnum):
    """The next stage of a branch."""

    STRIKE = 0
    FLIGHT = 1
    POISON = 2
    ABILITY = 3  # and the place of the enemy
    HIT = 7  # and the place of the enemy
    SETTLE = 11
    OVER = 12


# following a duel

BRANCH = np.dtype([("chance", np.float64), ("stage", np.int64), ("duel", DUEL)], align=True)
SPLITS = FOES * (DIE_FACES + 2) + 2  # branches that can wait besides those of the attack: 6 or 2 an enemy, 2 of a flight


@kernel
def follow_all(tree: Tree, cards: Record) -> bool:
    """Find all situations and edges, beginning at stack[START]. Returns False if there is no room for them."""
    counts = tree.counts
    note_situation(tree, tree.stack[START]["duel"])
    while counts[Count.SOURCE] < counts[Count.STATES] and counts[Count.FULL] == 0:
        counts[Count.FIRST_EDGE] = counts[Count.EDGES]
        tree.stack[HERE] = tree.stack[START]
        read_situation(tree, tree.stack[HERE]["duel"], counts[Count.SOURCE])
        counts[Count.TOP] = LOWEST
        open_turn(tree.stack[HERE], cards)
        follow(tree, cards)
        while counts[Count.TOP] > LOWEST:
            counts[Count.TOP] -= 1
            tree.stack[HERE] = tree.stack[counts[Count.TOP]]
            follow(tree, cards)
        counts[Count.SOURCE] += 1
    return counts[Count.FULL] == 0


@kernel
def open_turn(branch: Record, cards: Record) -> None:
    """ROGUE-21, 23. Play a turn up to its first die, like `duel_turn` and `combat_turn`."""
    duel = branch["duel"]
    fight = duel["fight"]
    branch["chance"] = 1.0
    start_turn(duel)
    if duel["ending"] == End.NOT_YET and fight["skip"] == 0:
        prepare(duel, cards)
    fight["blocked"] = 0
    if fight["skip"] == 0:
        branch["stage"] = Stage.FLIGHT if choose(duel, cards) == FLEE else Stage.STRIKE
        return
    fight["skip"] -= 1
    branch["stage"] = Stage.POISON
    if cards["paralysis_in_combat"] == ParalysisInCombat.TURN_LOST:
        recover(fight, cards)
        branch["stage"] = Stage.OVER


@kernel
def follow(tree: Tree, cards: Record) -> None:
    """Follow the branch at HERE to the end of the turn, or until it splits into branches that wait on the stack."""
    here = tree.stack[HERE]
    duel = here["duel"]
    fight = duel["fight"]
    while duel["ending"] == End.NOT_YET and here["stage"] != Stage.OVER:
        stage = here["stage"]
        if stage == Stage.STRIKE:
            split_strike(tree, cards, first_foe(fight))
            return
        if stage == Stage.FLIGHT:
            split_flight(tree, cards)
            return
        here["stage"] = stage + 1
        if stage == Stage.POISON:
            run_poison(fight)
            reap(duel, cards)
        elif stage == Stage.SETTLE:
            settle(fight)
            recover(fight, cards)
        elif stage >= Stage.HIT:
            if acts(fight, stage - Stage.HIT) and split_hit(tree, cards, stage - Stage.HIT):
                return
        elif acts(fight, stage - Stage.ABILITY) and split_ability(tree, cards, stage - Stage.ABILITY):
            return
    add_edge(tree, duel, here["chance"])


@kernel
def branch_off(tree: Tree, chance: float) -> int:
    """Push a copy of the branch at HERE onto the stack, with a share of its chance; returns its index."""
    place = tree.counts[Count.TOP]
    tree.counts[Count.TOP] += 1
    tree.stack[place] = tree.stack[HERE]
    tree.stack[place]["chance"] *= chance
    return place


@kernel
def share_of(faces: int) -> float:
    """Chance that a die shows one of a set of faces."""
    found = 0
    for face in range(1, DIE_FACES + 1):
        if has_face(faces, face):
            found += 1
    return found / DIE_FACES


@kernel
def one_of(faces: int) -> int:
    """The lowest face of a set that is not empty."""
    for face in range(1, DIE_FACES):
        if has_face(faces, face):
            return face
    return DIE_FACES


# step 1


@kernel
def split_strike(tree: Tree, cards: Record, target: int) -> None:
    """ROGUE-42 to 46. Branch into every attack on an enemy; totals from which more damage makes no difference are one branch."""
    fight = tree.stack[HERE]["duel"]["fight"]
    last = tree.odds.shape[1] - 1
    for sign in range(SIGNS):
        fight["faces"] = tree.faces[sign]
        most = min(damage_of(fight, last), fight["foe_health"][target])
        for total in range(last + 1):
            decided = damage_of(fight, total) >= most
            chance = tree.tails[sign, total] if decided else tree.odds[sign, total]
            if chance > 0.0:
                split_dodge(tree, cards, target, total, chance)
            if decided:
                break


@kernel
def split_dodge(tree: Tree, cards: Record, target: int, total: int, chance: float) -> None:
    """ROGUE-46. Branch an attack of a given total into dodged and not dodged; the faces are those of the branch."""
    fight = tree.stack[HERE]["duel"]["fight"]
    damage = aim(fight, cards, target, total)
    dodged = 0.0
    if may_dodge(fight, cards, target, damage):
        faces = cards["dodge_faces"][fight["type"][target]]
        dodged = share_of(faces)
        finish_strike(tree, cards, target, damage, (chance * dodged, one_of(faces)))
    if dodged < 1.0:
        finish_strike(tree, cards, target, damage, (chance * (1.0 - dodged), NO_DIE))


@kernel
def finish_strike(tree: Tree, cards: Record, target: int, damage: int, dodge: tuple[float, int]) -> None:
    """ROGUE-46, 96. Finish one branch of an attack, like `attack`. dodge: the chance, and the face of the die for a dodge."""
    chance, face = dodge
    branch = tree.stack[branch_off(tree, chance)]
    duel = branch["duel"]
    land(duel["fight"], cards, target, damage, face)
    reap(duel, cards)
    branch["stage"] = Stage.POISON
    if duel["ending"] == End.NOT_YET and must_flee(duel, cards):
        if cards["bard_six"] == BardSix.FLEE_ROLL:
            branch["stage"] = Stage.FLIGHT
        else:
            duel["ending"] = End.FLED


@kernel
def split_flight(tree: Tree, cards: Record) -> None:
    """ROGUE-57. Branch into a flight that succeeds and one that fails."""
    duel = tree.stack[HERE]["duel"]
    away = 1.0 if flees_freely(duel, cards) else share_of(flight_faces(duel, cards))
    if away > 0.0:
        tree.stack[branch_off(tree, away)]["duel"]["ending"] = End.FLED
    if away < 1.0:
        tree.stack[branch_off(tree, 1.0 - away)]["stage"] = Stage.POISON


# the enemies' part


@kernel
def split_ability(tree: Tree, cards: Record, place: int) -> bool:
    """ROGUE-49. Branch into an enemy's ability taking effect or not; returns whether it split the branch."""
    here = tree.stack[HERE]
    fight = here["duel"]["fight"]
    kind = fight["type"][place]
    if cards["status_effect"][kind] == Effect.NONE:
        use_ability(fight, cards, place, NO_DIE)
        return False
    faces = cards["status_faces"][kind]
    struck = share_of(faces)
    if struck > 0.0:
        branch = tree.stack[branch_off(tree, struck)]
        if not use_ability(branch["duel"]["fight"], cards, place, one_of(faces)):
            branch["stage"] = Stage.SETTLE
    if struck < 1.0:
        branch = tree.stack[branch_off(tree, 1.0 - struck)]
        use_ability(branch["duel"]["fight"], cards, place, NO_DIE)
    return True


@kernel
def split_hit(tree: Tree, cards: Record, place: int) -> bool:
    """ROGUE-50. The attack of an enemy, branching into faces if it has a die; returns whether it split the branch."""
    here = tree.stack[HERE]
    kind = here["duel"]["fight"]["type"][place]
    if cards["attack_die"][kind] == 0:
        take_hit(here["duel"], cards, place, NO_DIE)
        return False
    for face in range(1, DIE_FACES + 1):
        take_hit(tree.stack[branch_off(tree, 1.0 / DIE_FACES)]["duel"], cards, place, face)
    return True


@kernel
def take_hit(duel: Record, cards: Record, place: int, face: int) -> None:
    """ROGUE-50, 55. The attack of one enemy, which can kill the player."""
    hit_back(duel["fight"], cards, place, face)
    if duel["fight"]["health"] <= 0:
        duel["ending"] = End.DEAD


# the chain

SIZE, GROWTH, SIZE_MAX = 1 << 10, 8, 1 << 19  # room for situations: at first, growth factor, at most
EDGES = 16  # room for edges per situation


def chain_of(start: np.void, line: np.void) -> Chain:
    """A duel as a chain of turns. start: DUEL; line: CARDS.

    Raises ValueError for a duel without an end, or of more than SIZE_MAX situations.
    """
    odds, faces = attack_odds(start, line)
    size = SIZE
    while size <= SIZE_MAX:
        tree = _tree(start, odds, faces, size)
        if follow_all(tree, line):
            return _chain(tree)
        size *= GROWTH
    raise ValueError(f"the odds of this duel cannot be worked out: it has more than {SIZE_MAX:,} situations")


def attack_odds(start: np.void, line: np.void) -> tuple[np.ndarray, np.ndarray]:
    """Chance of every sign and total of an attack, (SIGNS, totals), and faces that represent each sign, (SIGNS,).

    The last total slays every enemy of the duel; it includes all higher totals.
    """
    fight = start["fight"]
    most = max(int(line["health"][kind]) for kind in fight["type"] if kind >= 0)
    deadly = max(most, int(fight["foe_health"].max())) + max(0, -int(fight["mod"]) + abs(int(fight["rage"])))
    fleeing = int(line["must_flee_faces"][start["character"]])
    odds, faces = np.zeros((SIGNS, deadly + 1)), np.zeros(SIGNS, np.int64)
    throw_odds(fight, fleeing, odds, faces, np.zeros((LAYERS, DICE_MAX + 1, *odds.shape)))
    return odds, faces


def _tree(start: np.void, odds: np.ndarray, faces: np.ndarray, size: int) -> Tree:
    """Workspace for a duel of up to `size` situations, a power of two."""
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


def _chain(tree: Tree) -> Chain:
    """The chain of a tree that has been followed, with the ends that occur, in the order of their codes.

    Raises ValueError if there is none.
    """
    edges, states, span = (int(tree.counts[count]) for count in (Count.EDGES, Count.STATES, Count.SPAN))
    target = tree.target[:edges]
    first = ENDS * span  # code of situation 0
    ends, place = np.unique(target[target < first], return_inverse=True)
    if not ends.size:
        raise ValueError("this duel would go on forever: nothing can end it")
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
