"""Flight from a duel (ROGUE-57, 91, 96): who may flee and on which faces, on a DUEL record, without a map."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.resolve import NO_FACE
from sim.games.cardrogue.state import FOES, NO_FOE
from sim.games.cardrogue.switches import BardSix


@kernel
def must_flee(duel: Record, cards: Record) -> bool:
    """ROGUE-96, A-14. Whether the faces of the attack make a player who is still in combat flee, or try to."""
    faces = duel["fight"]["faces"] & cards["must_flee_faces"][duel["character"]]
    if faces == NO_FACE or cards["bard_six"] == BardSix.OFF:
        return False
    return may_flee(duel, cards) if cards["bard_six"] == BardSix.FLEE_ROLL else duel["exit"] == 1


@kernel
def may_flee(duel: Record, cards: Record) -> bool:
    """ROGUE-57. Whether there is somewhere to go, and no ban that stands without faces of the own."""
    return duel["exit"] == 1 and (duel["own_flee_faces"] != NO_FACE or not is_banned(duel, cards))


@kernel
def flees_freely(duel: Record, cards: Record) -> bool:
    """ROGUE-57, A-19. Whether no roll is needed: no ban, and nobody who would give chase."""
    for place in range(FOES):
        if gives_chase(duel["fight"], cards, place):
            return False
    return not is_banned(duel, cards)


@kernel
def gives_chase(fight: Record, cards: Record, place: int) -> bool:
    """ROGUE-53, 56, 57. Whether an enemy follows the player: it attacks this one, is not paralysed and does chase."""
    kind = fight["type"][place]
    if kind == NO_FOE or fight["attacks"][place] == 0 or fight["foe_paralysed"][place] > 0:
        return False
    return cards["no_chase"][kind] == 0


@kernel
def flight_faces(duel: Record, cards: Record) -> np.int64:
    """ROGUE-57. Faces on which a flight succeeds; where the ban stands only the own ones."""
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
