"""Duels and sieges played without a map, by a plan (ROGUE-56).

A duel plays the stages of `rules.combat` one after the other: attack the first enemy of the list, drink a healing potion or flee
at a given health, cast the damage spell whenever it is ready. With rolled dice that is a sample; `exact.chain` plays the same
turns with dice that show every outcome in turn.
"""

from enum import IntEnum

import numpy as np

from sim.engine.dice import SEATS_MAX, open_dice
from sim.engine.exact import UNDECIDED
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.record import ParalysisInCombat
from sim.games.cardrogue.rules.combat import (
    can_flee,
    enemies_act,
    flight_succeeds,
    forced_flight_succeeds,
    is_forced,
    run_poison,
    sacrifice,
    strike,
    wound,
)
from sim.games.cardrogue.state import FIGHT, FOES, NO_FOE

TURNS_MAX = 1000  # of a duel that neither side can end
FLEE = -1  # choice of step 1 that is no enemy
NEVER = 0  # threshold of health that no living player reaches
ALWAYS = 1000  # threshold that no player's health exceeds
PLAYER = 0  # whose dice are rolled


class End(IntEnum):
    """How a duel ends, as indices of `ENDINGS`."""

    NOT_YET = UNDECIDED
    WON = 0
    DEAD = 1
    FLED = 2


# duels

ENDINGS = ("won", "dead", "fled")

DUEL = np.dtype(
    [
        ("fight", FIGHT),
        ("turns", np.int32),  # begun
        # who fights, and by which plan
        ("character", np.int16),
        ("flee_at", np.int16),  # tries to flee with at most this health, NEVER
        ("drink_at", np.int16),  # drinks a healing potion with at most this health, NEVER
        ("own_flee_faces", np.uint8),  # the player's further faces on which a flight succeeds
        ("exit", np.uint8),  # 1: there is a free cell to flee to
        # what changes besides the fight
        ("cooldown", np.int16),  # turns until the next spell
        ("potions", np.int16),  # that heal, in hand
        ("begun", np.uint8),  # 0: the combat begins in this turn, which therefore has no start (ROGUE-40)
        ("ending", np.int8),  # End
    ],
    align=True,
)

FOUGHT = np.dtype([("turns", np.int32), ("left", np.int16), ("ending", np.int8)], align=True)  # result of a duel

STREAMS = np.arange(SEATS_MAX, dtype=np.uint32)  # separate dice for each seat


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
def duel_turn(duel: Record, cards: Record, dice: Record, seat: int) -> None:
    """ROGUE-21, 41. One turn by the plan: start of the turn, items before step 1, combat turn."""
    start_turn(duel)
    if duel["ending"] == End.NOT_YET and duel["fight"]["skip"] == 0:
        prepare(duel, cards)
    if duel["ending"] == End.NOT_YET:
        combat_turn(duel, cards, choose(duel, cards), dice, seat)


# before step 1


@kernel
def start_turn(duel: Record) -> None:
    """ROGUE-21, 22, 95. Poison and cooldown, except in the turn in which the combat begins."""
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
    """ROGUE-08, 22. Poison, or healing by the antidote, at the start of a turn."""
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
    """ROGUE-31, 88, 95. Before step 1: a healing potion if the plan asks for it, then the damage spell if it is ready."""
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
    """Choice of step 1 by the plan: FLEE, or the place of the first living enemy."""
    fight, own = duel["fight"], np.int64(duel["own_flee_faces"])
    if fight["health"] <= duel["flee_at"] and duel["exit"] == 1 and can_flee(fight, cards, duel["character"], own):
        return FLEE
    return first_foe(fight)


@kernel
def first_foe(fight: Record) -> int:
    """Place of the first living enemy, NO_FOE if there is none."""
    for place in range(FOES):
        if fight["type"][place] != NO_FOE:
            return place
    return NO_FOE


# the combat turn


@kernel
def combat_turn(duel: Record, cards: Record, choice: int, dice: Record, seat: int) -> None:
    """ROGUE-23, 41. Step 1, the enemies' part, the end. choice: place of an enemy, or FLEE; ignored in a skipped turn."""
    fight = duel["fight"]
    fight["blocked"] = 0
    skipped = fight["skip"] > 0
    if skipped:
        fight["skip"] -= 1
    else:
        act(duel, cards, choice, dice, seat)
    if duel["ending"] == End.NOT_YET and not (skipped and cards["paralysis_in_combat"] == ParalysisInCombat.TURN_LOST):
        enemies_part(duel, cards, dice, seat)
    for place in range(FOES):  # ROGUE-54, A-34
        kind = fight["type"][place]
        if kind != NO_FOE and cards["single_turn"][kind]:
            fight["foe_health"][place] = cards["health"][kind]


@kernel
def act(duel: Record, cards: Record, choice: int, dice: Record, seat: int) -> None:
    """ROGUE-41 to 47, 57, 96. Step 1: flee, or attack; some faces of the attack make the player flee."""
    fight, character, own = duel["fight"], duel["character"], np.int64(duel["own_flee_faces"])
    if choice == FLEE:
        if flight_succeeds(fight, cards, character, own, dice, seat):
            duel["ending"] = End.FLED
        return
    strike(fight, cards, choice, dice, seat)
    reap(duel, cards)
    forced = duel["ending"] == End.NOT_YET and duel["exit"] == 1 and is_forced(fight, cards, character)
    if forced and forced_flight_succeeds(fight, cards, character, own, dice, seat):
        duel["ending"] = End.FLED


@kernel
def enemies_part(duel: Record, cards: Record, dice: Record, seat: int) -> None:
    """ROGUE-48 to 50, 53, 55. Poison, steps 2 and 3. Death ends it at once."""
    fight = duel["fight"]
    run_poison(fight)
    reap(duel, cards)
    if duel["ending"] == End.NOT_YET and enemies_act(fight, cards, dice, seat) != NO_FOE:
        duel["ending"] = End.DEAD


@kernel
def reap(duel: Record, cards: Record) -> None:
    """ROGUE-60, 93. Consequences of enemies slain in a stage; with the last of them the duel is won."""
    fight = duel["fight"]
    if fight["slain"] == 0:
        return
    character = duel["character"]
    at_most = cards["sacrifice_at_most"][character]
    for place in range(FOES):
        if (fight["slain"] >> place) & 1:
            heal = cards["sacrifice_heal"][character]
            fight["health"] = sacrifice(fight["health"], fight["max_health"], at_most, heal)
    if first_foe(fight) == NO_FOE:
        duel["ending"] = End.WON


# sieges

ROUNDS_MAX = 1000  # of a siege that neither side can end
STARTS, HERE = 0, 1  # rows of the team
ENEMY = 0  # place of the enemy in each attacker's fight

SIEGE = np.dtype([("deaths", np.int16), ("slain", np.uint8)], align=True)  # result of a siege


@kernel
def play_sieges(team: np.ndarray, cards: Record, dice: np.ndarray, seed: int, first: int, results: np.ndarray) -> None:
    """Lay siege once per line of `results`, (n,) SIEGE, overwritten; line i has the dice of game first + i of `seed`.

    team: (2, attackers) DUEL: the attackers against the same enemy as they begin, in the order of entry, and scratch,
    overwritten. dice: (1,) DICE, scratch.
    """
    for i in range(len(results)):
        open_dice(dice[0], np.uint64(seed), np.uint64(first + i), STREAMS)
        for seat in range(team.shape[1]):
            team[HERE, seat] = team[STARTS, seat]
        slain = 0
        for _ in range(ROUNDS_MAX):
            slain = storm(team[HERE], cards, dice[0])
            if slain or target_among(team[HERE]) == len(team[HERE]):
                break
        results[i]["slain"] = slain
        results[i]["deaths"] = deaths(team[HERE])


@kernel
def storm(team: np.ndarray, cards: Record, rng: Record) -> int:
    """ROGUE-20, 56. One round: a turn of each living attacker. team: (attackers,) DUEL. Returns 1 if the enemy is slain."""
    for seat in range(len(team)):
        if team[seat]["ending"] != End.NOT_YET:
            continue
        team[seat]["fight"]["attacks"][ENEMY] = 1 if target_among(team) == seat else 0
        duel_turn(team[seat], cards, rng, seat)
        if team[seat]["ending"] == End.WON:
            return 1
        left = team[seat]["fight"]
        for other in range(len(team)):  # the enemy is the same for all
            team[other]["fight"]["foe_health"][ENEMY] = left["foe_health"][ENEMY]
            team[other]["fight"]["foe_paralysed"][ENEMY] = left["foe_paralysed"][ENEMY]
    return 0


@kernel
def target_among(team: np.ndarray) -> int:
    """ROGUE-56. Index of the enemy's target: the first living attacker; the number of attackers when all are dead."""
    for seat in range(len(team)):
        if team[seat]["ending"] == End.NOT_YET:
            return seat
    return len(team)


@kernel
def deaths(team: np.ndarray) -> int:
    """Number of attackers who have died."""
    dead = 0
    for seat in range(len(team)):
        if team[seat]["ending"] == End.DEAD:
            dead += 1
    return dead
