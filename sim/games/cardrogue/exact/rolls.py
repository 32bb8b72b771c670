"""Duels and sieges played with dice, without a map (ROGUE-56), and the exact odds of one attack.

A duel plays the stages of `rules.combat` one after the other, by a plan: attack the first enemy of the list, drink a healing
potion or flee at a given health, cast the damage spell whenever it is ready.
"""

from enum import IntEnum

import numpy as np

from sim.engine.dice import SEATS_MAX, open_dice, roll
from sim.engine.exact import UNDECIDED
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.hidden import Draw
from sim.games.cardrogue.record import DICE_MAX, DIE_FACES, BardSix, ParalysisInCombat
from sim.games.cardrogue.rules.basics import has_face
from sim.games.cardrogue.rules.combat import NO_FACE, attack_back, run_poison, sacrifice, settle, strike, use_abilities, wound
from sim.games.cardrogue.state import FIGHT, FOES, NO_FOE

# flight


@kernel
def must_flee(duel: Record, cards: Record) -> bool:
    """ROGUE-96, A-14. Whether the faces of the attack make the player, still in combat, flee or try to."""
    faces = duel["fight"]["faces"] & cards["must_flee_faces"][duel["character"]]
    if faces == NO_FACE or cards["bard_six"] == BardSix.OFF:
        return False
    return may_flee(duel, cards) if cards["bard_six"] == BardSix.FLEE_ROLL else duel["exit"] == 1


@kernel
def may_flee(duel: Record, cards: Record) -> bool:
    """ROGUE-57. Whether there is somewhere to go, and no ban or further flee faces of the player."""
    return duel["exit"] == 1 and (duel["own_flee_faces"] != NO_FACE or not is_banned(duel, cards))


@kernel
def flees_freely(duel: Record, cards: Record) -> bool:
    """ROGUE-57, A-19. Whether no roll is needed: no ban, and no enemy that gives chase."""
    for place in range(FOES):
        if gives_chase(duel["fight"], cards, place):
            return False
    return not is_banned(duel, cards)


@kernel
def gives_chase(fight: Record, cards: Record, place: int) -> bool:
    """ROGUE-53, 56, 57. Whether an enemy chases the player: it attacks this player, is not paralysed and not `no_chase`."""
    kind = fight["type"][place]
    if kind == NO_FOE or fight["attacks"][place] == 0 or fight["foe_paralysed"][place] > 0:
        return False
    return cards["no_chase"][kind] == 0


@kernel
def flight_faces(duel: Record, cards: Record) -> np.int64:
    """ROGUE-57. Faces on which a flight succeeds; under a ban only the player's further faces."""
    own = np.int64(duel["own_flee_faces"])
    return own if is_banned(duel, cards) else own | cards["flee_faces"]


@kernel
def is_banned(duel: Record, cards: Record) -> bool:
    """ROGUE-57, 91, A-19. Whether the character forbids this flight."""
    character = duel["character"]
    if not cards["no_flee"][character]:
        return False
    for place in range(FOES):
        kind = duel["fight"]["type"][place]
        if kind == NO_FOE:
            continue
        if cards["no_flee_but_boss"][character] and cards["boss"][kind]:
            return False
        if cards["no_flee_but_no_chase"][character] and cards["no_chase"][kind]:
            return False
    return True


TURNS_MAX = 1000  # of a duel that neither side can end
FLEE = -1  # choice of step 1 that is no enemy
NEVER = 0  # threshold of health that no living player reaches
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
def duel_turn(duel: Record, cards: Record, rng: Record, seat: int) -> None:
    """ROGUE-21, 41. One turn by the plan: start of the turn, items before step 1, combat turn."""
    start_turn(duel)
    if duel["ending"] == End.NOT_YET and duel["fight"]["skip"] == 0:
        prepare(duel, cards)
    if duel["ending"] == End.NOT_YET:
        combat_turn(duel, cards, choose(duel, cards), rng, seat)


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
    """ROGUE-23, 41. Step 1, the enemies' part, the end. choice: place of an enemy, or FLEE; ignored in a skipped turn."""
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
    """ROGUE-41 to 47, 96. Step 1: attack; some faces make the player flee."""
    strike(duel["fight"], cards, place, rng, seat)
    reap(duel, cards)
    if duel["ending"] == End.NOT_YET and must_flee(duel, cards):
        if cards["bard_six"] == BardSix.FLEE_ROLL:
            flee(duel, cards, rng, seat)
        else:
            duel["ending"] = End.FLED


@kernel
def flee(duel: Record, cards: Record, rng: Record, seat: int) -> None:
    """ROGUE-57. Step 1: try to flee, with a die if a roll is needed."""
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
    """ROGUE-60, 93. Consequences of enemies slain in a stage; with the last of them the duel is won."""
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
    """ROGUE-54, A-34. At the end of a turn restore the health of enemies that must be slain in a single turn."""
    for place in range(FOES):
        kind = fight["type"][place]
        if kind != NO_FOE and cards["single_turn"][kind]:
            fight["foe_health"][place] = cards["health"][kind]


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
        hand_on(team, seat)
    return 0


@kernel
def target_among(team: np.ndarray) -> int:
    """ROGUE-56. Index of the enemy's target: the first living attacker; the number of attackers when all are dead."""
    for seat in range(len(team)):
        if team[seat]["ending"] == End.NOT_YET:
            return seat
    return len(team)


@kernel
def hand_on(team: np.ndarray, seat: int) -> None:
    """Copy the enemy from one attacker's fight into those of the others."""
    left = team[seat]["fight"]
    for other in range(len(team)):
        fight = team[other]["fight"]
        fight["foe_health"][ENEMY] = left["foe_health"][ENEMY]
        fight["foe_paralysed"][ENEMY] = left["foe_paralysed"][ENEMY]


@kernel
def deaths(team: np.ndarray) -> int:
    """Number of attackers who have died."""
    dead = 0
    for seat in range(len(team)):
        if team[seat]["ending"] == End.DEAD:
            dead += 1
    return dead


class Sign(IntEnum):
    """Meanings of the faces of an attack besides their total; the sign of a throw is the union of those shown."""

    MISS = 1
    BLOCK = 2
    FLEE = 4


# exact odds of one attack

SIGNS = 8
LAYERS = 2  # of the scratch: for the current number of dice thrown, and one more


@kernel
def sign_of(fight: Record, fleeing: int, face: int) -> int:
    """Sign of one face. fleeing: faces that make the player flee (ROGUE-96)."""
    sign = Sign.MISS if has_face(np.int64(fight["miss_faces"]), face) else 0
    sign |= Sign.BLOCK if has_face(np.int64(fight["block_faces"]), face) else 0
    return sign | (Sign.FLEE if has_face(fleeing, face) else 0)


@kernel
def faces_of(fight: Record, fleeing: int, sign: int) -> int:
    """The set of all faces whose meaning is part of a sign; it represents any throw of that sign."""
    faces = 0
    for face in range(1, DIE_FACES + 1):
        if sign_of(fight, fleeing, face) | sign == sign:
            faces |= 1 << face
    return faces


@kernel
def throw_odds(fight: Record, fleeing: int, odds: np.ndarray, faces: np.ndarray, work: np.ndarray) -> None:
    """ROGUE-43. Chance of every sign and total of an attack, by the number of dice thrown so far.

    odds: (SIGNS, totals), overwritten; the last total includes all higher ones. faces: (SIGNS,), overwritten: faces that
    represent a sign. work: (LAYERS, DICE_MAX + 1, SIGNS, totals) float64, zeroed scratch: chance by the number of dice still
    to throw. fleeing: faces that make the player flee (ROGUE-96).
    """
    for sign in range(SIGNS):
        faces[sign] = faces_of(fight, fleeing, sign)
    odds[:] = 0.0
    work[0, 1, 0, 0] = 1.0
    for thrown in range(DICE_MAX):
        now, later = work[thrown % LAYERS], work[(thrown + 1) % LAYERS]
        later[:] = 0.0
        going_on = False
        for owed in range(1, DICE_MAX - thrown + 1):
            for sign in range(SIGNS):
                for total in range(odds.shape[1]):
                    chance = now[owed, sign, total]
                    if chance > 0.0:
                        going_on |= throw_one(fight, fleeing, odds, later, (thrown, owed, sign, total, chance))
        if not going_on:
            return


@kernel
def throw_one(fight: Record, fleeing: int, odds: np.ndarray, later: np.ndarray, throw: tuple[int, int, int, int, float]) -> bool:
    """One more die of a throw (dice thrown and still to throw, sign, total, chance). Returns whether a further die can follow."""
    thrown, owed, sign, total, chance = throw
    left = DICE_MAX - thrown - 1  # dice that can still follow
    going_on = False
    for face in range(1, DIE_FACES + 1):
        again = has_face(np.int64(fight["reroll_faces"]), face)
        sum_ = min(total + (0 if again else face), odds.shape[1] - 1)
        shown = sign | sign_of(fight, fleeing, face)
        after = min(owed - 1 + (fight["reroll_dice"] if again else 0), left)
        if after == 0:
            odds[shown, sum_] += chance / DIE_FACES
        else:
            later[after, shown, sum_] += chance / DIE_FACES
            going_on = True
    return going_on
