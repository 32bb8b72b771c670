"""Sieges (ROGUE-56): several players around one enemy, each with turns of its own; the enemy strikes at the first of them."""

import numpy as np

from sim.engine.dice import open_dice
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.duel import STREAMS, End, duel_turn

ROUNDS_MAX = 1000  # of a siege that nobody can end
STARTS, HERE = 0, 1  # lines of the team
ENEMY = 0  # place of the enemy in everybody's fight

SIEGE = np.dtype([("deaths", np.int16), ("slain", np.uint8)], align=True)  # what came of a siege


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
    """ROGUE-20, 56. One round: a turn of everybody alive. team: (attackers,) DUEL. Returns 1 as soon as the enemy is slain."""
    for seat in range(len(team)):
        if team[seat]["ending"] != End.NOT_YET:
            continue
        team[seat]["fight"]["attacks"][ENEMY] = 1 if target_among(team) == seat else 0
        duel_turn(team[seat], cards, rng, seat)
        if team[seat]["ending"] == End.WON:
            return 1
        hand_on(team, seat)
    return 0


@kernel
def target_among(team: np.ndarray) -> int:
    """ROGUE-56. Whom the enemy attacks: the first still alive; the number of attackers when all are dead."""
    for seat in range(len(team)):
        if team[seat]["ending"] == End.NOT_YET:
            return seat
    return len(team)


@kernel
def hand_on(team: np.ndarray, seat: int) -> None:
    """The enemy as one attacker leaves it is what the others meet."""
    left = team[seat]["fight"]
    for other in range(len(team)):
        fight = team[other]["fight"]
        fight["foe_health"][ENEMY] = left["foe_health"][ENEMY]
        fight["foe_paralysed"][ENEMY] = left["foe_paralysed"][ENEMY]


@kernel
def deaths(team: np.ndarray) -> int:
    """How many attackers have died."""
    dead = 0
    for seat in range(len(team)):
        if team[seat]["ending"] == End.DEAD:
            dead += 1
    return dead
