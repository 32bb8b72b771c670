"""Choices of the rule switches, as the card file names them (register section 8)."""

from enum import IntEnum


class Characters(IntEnum):
    """A-03. How characters come to their seats."""

    RANDOM = 0
    DRAFT = 1
    LIST = 2


class FlipRule(IntEnum):
    """A-04. What makes a face-down card adjacent."""

    PATH = 0
    ORTHOGONAL = 1


class ReplacementTrap(IntEnum):
    """A-08. What a trap does that is turned up as a replacement."""

    TRIGGERS = 0
    LIES = 1


class ResumeAfterFlip(IntEnum):
    """A-11. Step after a combat that began by flipping."""

    MOVE = 0
    FLIP = 1


class ImpDodge(IntEnum):
    """A-12. Which attacks can be dodged."""

    ALWAYS = 0
    NOT_LETHAL = 1


class ParalysisInCombat(IntEnum):
    """A-13. What enemies do while their victim is paralysed."""

    ENEMY_ACTS = 0
    TURN_LOST = 1


class BardSix(IntEnum):
    """A-14. What a must_flee face does."""

    FLEE_FREE = 0
    FLEE_ROLL = 1
    OFF = 2


class ShieldScope(IntEnum):
    """A-15. Whom a block stops."""

    ALL = 0
    ATTACKED = 1


class EnemyRestore(IntEnum):
    """A-17. When an enemy gets its health back."""

    LAST_LEAVES = 0
    ANY_FLIGHT = 1


class SoldItems(IntEnum):
    """A-22. Where sold shop cards go."""

    DISCARDED = 0
    BACK_TO_SHOP = 1


class TeleportTargets(IntEnum):
    """A-23. Where one can be teleported."""

    PLAIN_AND_TRAPS = 0
    PLAIN = 1
    ANY_REVEALED = 2
