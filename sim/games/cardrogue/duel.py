"""Duels (register section 4): one player against the enemies around, to the end, without a map.

The stages of `resolve` one after the other, and a plan of what the player does besides attacking the first enemy of the list.
"""

from enum import IntEnum

import numpy as np

from sim.engine.dice import SEATS_MAX, open_dice, roll
from sim.engine.duels import UNDECIDED
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.draw import Draw
from sim.games.cardrogue.flight import flees_freely, flight_faces, may_flee, must_flee
from sim.games.cardrogue.holding import has_face
from sim.games.cardrogue.record import DIE_FACES
from sim.games.cardrogue.resolve import attack_back, run_poison, sacrifice, settle, strike, use_abilities, wound
from sim.games.cardrogue.state import FIGHT, FOES, NO_FOE
from sim.games.cardrogue.switches import BardSix, ParalysisInCombat

TURNS_MAX = 1000  # of a duel that nobody can end
FLEE = -1  # choice of step 1 that is no enemy
NEVER = 0  # health at or below which something is done: nobody has so little
PLAYER = 0  # whose dice are rolled


class End(IntEnum):
    """How a duel ends, as the places of `ENDINGS`."""

    NOT_YET = UNDECIDED
    WON = 0
    DEAD = 1
    FLED = 2


ENDINGS = ("won", "dead", "fled")

DUEL = np.dtype(
    [
        ("fight", FIGHT),
        ("turns", np.int32),  # begun
        # who fights, and by which plan
        ("character", np.int16),
        ("flee_at", np.int16),  # tries to flee with at most this health, NEVER
        ("drink_at", np.int16),  # drinks a healing potion with at most this health, NEVER
        ("own_flee_faces", np.uint8),  # faces that help a flight besides the common ones
        ("exit", np.uint8),  # 1: there is a free cell to flee to
        # what changes besides the fight
        ("cooldown", np.int16),  # turns until the next spell
        ("potions", np.int16),  # that heal, in hand
        ("begun", np.uint8),  # 0: the combat begins in this turn, which therefore has no start (ROGUE-40)
        ("ending", np.int8),  # End
    ],
    align=True,
)

FOUGHT = np.dtype([("turns", np.int32), ("left", np.int16), ("ending", np.int8)], align=True)  # what came of a duel

STREAMS = np.arange(SEATS_MAX, dtype=np.uint32)  # dice of one's own for each seat


@kernel
def play_duels(desk: np.ndarray, cards: Record, dice: np.ndarray, seed: int, first: int, results: np.ndarray) -> None:
    """Fight a duel once per line of `results`, (n,) FOUGHT, overwritten; line i has the dice of game first + i of `seed`.

    desk: (2,) DUEL: the duel as it begins, and scratch, overwritten. dice: (1,) DICE, scratch.
    """
    duel, rng = desk[1], dice[0]
    for i in range(len(results)):
        open_dice(rng, np.uint64(seed), np.uint64(first + i), STREAMS)
        desk[1] = desk[0]
        while duel["ending"] == End.NOT_YET and duel["turns"] < TURNS_MAX:
            duel_turn(duel, cards, rng, PLAYER)
        results[i]["turns"] = duel["turns"]
        results[i]["left"] = max(0, duel["fight"]["health"])
        results[i]["ending"] = duel["ending"]


@kernel
def duel_turn(duel: Record, cards: Record, rng: Record, seat: int) -> None:
    """ROGUE-21, 41. One turn by the plan: start of the turn, the window before step 1, combat turn."""
    start_turn(duel)
    if duel["ending"] == End.NOT_YET and duel["fight"]["skip"] == 0:
        prepare(duel, cards)
    if duel["ending"] == End.NOT_YET:
        combat_turn(duel, cards, choose(duel, cards), rng, seat)


# before step 1


@kernel
def start_turn(duel: Record) -> None:
    """ROGUE-21, 22, 95. Poison and cooldown; not in the turn in which the combat begins."""
    duel["turns"] += 1
    if duel["begun"] == 0:
        duel["begun"] = 1
        return
    if duel["cooldown"] > 0:
        duel["cooldown"] -= 1
    feel_poison(duel["fight"])
    if duel["fight"]["health"] <= 0:
        duel["ending"] = End.DEAD


@kernel
def feel_poison(fight: Record) -> None:
    """ROGUE-08, 22. Poison at the start of a turn, or what the antidote makes of it."""
    if fight["poison"] == 0:
        return
    fight["poison"] -= 1
    if fight["antidote"] == 0:
        fight["health"] -= 1
    elif fight["health"] < fight["max_health"]:
        fight["health"] = min(fight["max_health"], fight["health"] + fight["antidote"])
    if fight["poison"] == 0:
        fight["antidote"] = 0


@kernel
def prepare(duel: Record, cards: Record) -> None:
    """ROGUE-31, 88, 95. The window before step 1: a healing potion if the plan says so, then the damage spell if it is ready."""
    fight = duel["fight"]
    if duel["potions"] > 0 and fight["health"] <= duel["drink_at"] and fight["health"] < fight["max_health"]:
        duel["potions"] -= 1
        fight["health"] = fight["max_health"]
    damage = cards["spell_damage"][duel["character"]]
    if damage > 0 and duel["cooldown"] == 0:
        duel["cooldown"] = cards["spell_cooldown"][duel["character"]]
        fight["slain"], fight["dealt"] = 0, 0
        wound(fight, first_foe(fight), damage)
        reap(duel, cards)


@kernel
def choose(duel: Record, cards: Record) -> int:
    """What to do in step 1 by the plan: FLEE, or the place of the first living enemy."""
    if duel["fight"]["health"] <= duel["flee_at"] and may_flee(duel, cards):
        return FLEE
    return first_foe(duel["fight"])


@kernel
def first_foe(fight: Record) -> int:
    """Place of the first living enemy, NO_FOE if there is none."""
    for place in range(FOES):
        if fight["type"][place] != NO_FOE:
            return place
    return NO_FOE


# the combat turn


@kernel
def combat_turn(duel: Record, cards: Record, choice: int, rng: Record, seat: int) -> None:
    """ROGUE-23, 41. Step 1, the enemies' part, the end. choice: place of an enemy, or FLEE; not looked at in a skipped turn."""
    fight = duel["fight"]
    fight["blocked"] = 0
    if fight["skip"] > 0:
        fight["skip"] -= 1
        if cards["paralysis_in_combat"] == ParalysisInCombat.ENEMY_ACTS:
            enemies_part(duel, cards, rng, seat)
    else:
        if choice == FLEE:
            flee(duel, cards, rng, seat)
        else:
            attack(duel, cards, choice, rng, seat)
        if duel["ending"] == End.NOT_YET:
            enemies_part(duel, cards, rng, seat)
    recover(fight, cards)


@kernel
def attack(duel: Record, cards: Record, place: int, rng: Record, seat: int) -> None:
    """ROGUE-41 to 47, 96. Step 1: attack, and what the faces drive the player to."""
    strike(duel["fight"], cards, place, rng, seat)
    reap(duel, cards)
    if duel["ending"] == End.NOT_YET and must_flee(duel, cards):
        if cards["bard_six"] == BardSix.FLEE_ROLL:
            flee(duel, cards, rng, seat)
        else:
            duel["ending"] = End.FLED


@kernel
def flee(duel: Record, cards: Record, rng: Record, seat: int) -> None:
    """ROGUE-57. Step 1: try to flee, by a die where one is needed."""
    if flees_freely(duel, cards) or has_face(flight_faces(duel, cards), roll(rng, seat, Draw.FLEE, DIE_FACES)):
        duel["ending"] = End.FLED


@kernel
def enemies_part(duel: Record, cards: Record, rng: Record, seat: int) -> None:
    """ROGUE-48 to 50, 53, 55. Poison, steps 2 and 3. Death ends it at once."""
    fight = duel["fight"]
    run_poison(fight)
    reap(duel, cards)
    if duel["ending"] != End.NOT_YET:
        return
    if use_abilities(fight, cards, rng, seat) and attack_back(fight, cards, rng, seat) != NO_FOE:
        duel["ending"] = End.DEAD
        return
    settle(fight)


@kernel
def reap(duel: Record, cards: Record) -> None:
    """ROGUE-60, 93. What follows from the enemies slain in a stage; with the last of them the duel is won."""
    fight = duel["fight"]
    if fight["slain"] == 0:
        return
    character = duel["character"]
    at_most = cards["sacrifice_at_most"][character]
    for place in range(FOES):
        if (fight["slain"] >> place) & 1:
            heal = cards["sacrifice_heal"][character]
            fight["health"] = sacrifice(np.int64(fight["health"]), np.int64(fight["max_health"]), at_most, heal)
    if first_foe(fight) == NO_FOE:
        duel["ending"] = End.WON


@kernel
def recover(fight: Record, cards: Record) -> None:
    """ROGUE-54, A-34. The end of a turn: enemies that must be slain in a single one have all their health again."""
    for place in range(FOES):
        kind = fight["type"][place]
        if kind != NO_FOE and cards["single_turn"][kind]:
            fight["foe_health"][place] = cards["health"][kind]
