"""A duel followed through all that its dice can show: every situation that can come up, and where a turn leads from it.

The turn is that of `duel.py`, kernel by kernel, but for one thing: where a die would be thrown, it branches into what the die
can mean, and each branch is handed a face. What is under way in a turn lies on a stack.
"""

from enum import IntEnum

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import Effect
from sim.games.cardrogue.duel import DUEL, FLEE, End, choose, first_foe, prepare, reap, recover, start_turn
from sim.games.cardrogue.flight import flees_freely, flight_faces, must_flee
from sim.games.cardrogue.holding import has_face
from sim.games.cardrogue.record import DIE_FACES
from sim.games.cardrogue.resolve import (
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
from sim.games.cardrogue.situations import Count, Tree, add_edge, note_situation, read_situation
from sim.games.cardrogue.state import FOES
from sim.games.cardrogue.switches import BardSix, ParalysisInCombat
from sim.games.cardrogue.throw_odds import SIGNS

START, HERE, LOWEST = 0, 1, 2  # of the stack: the duel as it begins, the branch that is followed, the lowest that waits


class Stage(IntEnum):
    """What comes next in a branch."""

    STRIKE = 0
    FLIGHT = 1
    POISON = 2
    ABILITY = 3  # and the place of the enemy
    HIT = 7  # and the place of the enemy
    SETTLE = 11
    OVER = 12


BRANCH = np.dtype([("chance", np.float64), ("stage", np.int64), ("duel", DUEL)], align=True)
SPLITS = (
    FOES * (DIE_FACES + 2) + 2
)  # branches that can wait besides those of the attack: 6 or 2 an enemy, 2 of a flight


@kernel
def follow_all(tree: Tree, cards: Record) -> bool:
    """Find all situations and edges from stack[START] on. Returns False if there was no room for them."""
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
    """ROGUE-21, 23. A turn up to its first die, as `duel_turn` and `combat_turn` begin."""
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
    """Take the branch at HERE to the end of the turn, or to where it splits into branches that wait on the stack."""
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
    """Put a copy of the branch at HERE on the stack, with that share of its chance; returns its place."""
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
    """A face of a set that is not empty."""
    for face in range(1, DIE_FACES):
        if has_face(faces, face):
            return face
    return DIE_FACES


# step 1


@kernel
def split_strike(tree: Tree, cards: Record, target: int) -> None:
    """ROGUE-42 to 46. Every attack on the enemy at a place; totals that do the same as all higher ones are one branch."""
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
    """ROGUE-46. An attack of a known total, dodged and not; the faces are those of the branch."""
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
    """ROGUE-46, 96. One branch of an attack, as `attack` ends. dodge: its chance, and the face of the die for a dodge."""
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
    """ROGUE-57. A flight that succeeds, and one that fails."""
    duel = tree.stack[HERE]["duel"]
    away = 1.0 if flees_freely(duel, cards) else share_of(flight_faces(duel, cards))
    if away > 0.0:
        tree.stack[branch_off(tree, away)]["duel"]["ending"] = End.FLED
    if away < 1.0:
        tree.stack[branch_off(tree, 1.0 - away)]["stage"] = Stage.POISON


# the enemies' part


@kernel
def split_ability(tree: Tree, cards: Record, place: int) -> bool:
    """ROGUE-49. The ability of an enemy, with the right face and with any other; returns whether it split the branch."""
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
    """ROGUE-50. The attack of an enemy, with every face where it has a die; returns whether it split the branch."""
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
    """ROGUE-50, 55. The attack of one enemy; the player may die of it."""
    hit_back(duel["fight"], cards, place, face)
    if duel["fight"]["health"] <= 0:
        duel["ending"] = End.DEAD
