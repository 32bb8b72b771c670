"""The rule variants of Riftborn Tactics and their values, the default first (register section 8)."""

from enum import IntEnum


class LevelBudget(IntEnum):
    """RA-02. The level that limits what may be played."""

    LIVE = 0
    SNAPSHOT = 1


class AdjacentEnemies(IntEnum):
    """RA-07. Who is adjacent across the table."""

    TOUCHING = 0
    CONTACT = 1


class ClearPath(IntEnum):
    """RA-08. What blocks."""

    HALF = 0
    NEAREST = 1


class KillXp(IntEnum):
    """RA-16. Which kills give experience."""

    ATTACKS = 0
    ANY_OWN_DAMAGE = 1


class SiphonTiming(IntEnum):
    """RA-17. When SIPHON heals."""

    STRIKE = 0
    EXCHANGE = 1


class SiphonCounts(IntEnum):
    """RA-18. What SIPHON heals."""

    FULL = 0
    EFFECTIVE = 1


class RelentlessOn(IntEnum):
    """RA-19. On which blows RELENTLESS acts."""

    ANY = 0
    ATTACK = 1


class StealthCover(IntEnum):
    """RA-24. How long STEALTH keeps others at a distance."""

    ALWAYS = 0
    FACE_DOWN = 1


class MoraleStart(IntEnum):
    """RA-26. What MORALE gives at entry."""

    ATTACK = 0
    HEALTH = 1


class WeaponUses(IntEnum):
    """RA-30. How often a Weapon may be used in a turn."""

    ONCE = 0
    UNLIMITED = 1


class TransformKeeps(IntEnum):
    """RA-32. What the token of a TRANSFORM takes over."""

    NOTHING = 0
    TOKENS = 1
