"""Limits of a card file of Riftborn Tactics, and the words that it shares with the rules."""

from enum import IntEnum

CARDS_MAX = 255  # cards of a file, tokens included
DECKS_MAX = 512
DECK_MAX = 60  # cards of a deck
LEVELS = 20
PLAYED_MAX = 5  # when-played abilities of a card: DRAW, SCRY, SPY, TRICK, TRICK
LISTS = 3  # effect lists of a card, see List
ENTRIES = 4  # most entries of an effect list
TRICK_LISTS = 2  # most TRICK effect lists of a creature
LENDABLE = 13  # abilities that an AURA can give: the first of Ability
NONE = -1  # no card, no ability


class Kind(IntEnum):
    """Types of cards."""

    CREATURE = 0
    WEAPON = 1
    ARMOUR = 2
    SPELL = 3
    TOKEN = 4


class Ability(IntEnum):
    """The 35 abilities (RIFT-80 to 114); the first LENDABLE are those that an AURA can give."""

    BLOCK = 0
    FLIGHT = 1
    MAGIC = 2
    PACIFIST = 3
    PIERCE = 4
    RAGE = 5
    RANGE = 6
    REGEN = 7
    RELENTLESS = 8
    RESISTANCE = 9
    ROOTED = 10
    SIPHON = 11
    VANGUARD = 12
    AURA = 13
    CHARM = 14
    DASH = 15
    DEPLETED = 16
    DORMANT = 17
    DOUBLE_ATTACK = 18
    DRAW = 19
    HASTE = 20
    HEAL = 21
    HERO = 22
    MORALE = 23
    PACIFY = 24
    READY = 25
    SCRY = 26
    SPELL = 27
    SPY = 28
    STEALTH = 29
    SUMMON = 30
    SWARM = 31
    TRANSFORM = 32
    TRICK = 33
    UNDEATH = 34


ABILITIES = len(Ability)


class Op(IntEnum):
    """Effects. NONE: the list ends here."""

    NONE = 0
    DAMAGE = 1
    HEAL = 2
    ADD = 3
    CLEAR = 4
    GRANT = 5
    LOSE = 6
    DESTROY = 7
    CHARM = 8
    PACIFY = 9
    DAMAGE_PLAYER = 10
    HEAL_PLAYER = 11
    DRAW = 12
    SCRY = 13
    SPY = 14
    RECALL = 15
    GAIN_XP = 16
    SUMMON = 17
    PLAY_FREE = 18


class Target(IntEnum):
    """Targets of an effect. NONE: not creatures."""

    NONE = 0
    SELF = 1
    CHOSEN = 2
    EACH = 3
    ROW = 4
    TRIGGER = 5
    SUBJECT = 6
    SAME = 7


class Side(IntEnum):
    """Side of creatures or players, as the owner of an effect or AURA sees it, with the other words that card files use."""

    FRIEND = 0
    ENEMY = 1
    ANY = 2
    OWN = FRIEND
    ALL = ANY
    BOTH = ANY


class Where(IntEnum):
    """Where chosen targets stand: anywhere, or adjacent to the acting creature."""

    ANY = 0
    ADJACENT = 1


class Token(IntEnum):
    """Kinds of tokens that effects add and clear."""

    RAGE = 0
    HEALTH = 1
    SHIELD = 2
    WEAKNESS = 3
    DECAY = 4


class List(IntEnum):
    """Effect lists of a card. MAIN: the effects of a Spell card, or the SPELL action of a creature."""

    MAIN = 0
    TRICK_1 = 1
    TRICK_2 = 2


class Trick(IntEnum):
    """TRICK cards, by their code of the TRICK_SET decision."""

    AMBUSH = 1
    PITFALL = 2
    ECHO = 3
    WAKE = 4
    SNARE = 5


TRICKS = len(Trick)


# Rule variants: the values of each switch, the default first.

LevelBudget = IntEnum("LevelBudget", "LIVE SNAPSHOT", start=0)  # RA-02. The level that limits what can be played
AdjacentEnemies = IntEnum("AdjacentEnemies", "TOUCHING CONTACT", start=0)  # RA-07. Who is adjacent across the table
ClearPath = IntEnum("ClearPath", "HALF NEAREST", start=0)  # RA-08. What blocks
KillXp = IntEnum("KillXp", "ATTACKS ANY_OWN_DAMAGE", start=0)  # RA-16. Which kills give experience
SiphonTiming = IntEnum("SiphonTiming", "STRIKE EXCHANGE", start=0)  # RA-17. When SIPHON heals
SiphonCounts = IntEnum("SiphonCounts", "FULL EFFECTIVE", start=0)  # RA-18. What SIPHON heals
RelentlessOn = IntEnum("RelentlessOn", "ANY ATTACK", start=0)  # RA-19. On which blows RELENTLESS acts
StealthCover = IntEnum("StealthCover", "ALWAYS FACE_DOWN", start=0)  # RA-24. How long STEALTH keeps others at a distance
MoraleStart = IntEnum("MoraleStart", "ATTACK HEALTH", start=0)  # RA-26. What MORALE gives at entry
WeaponUses = IntEnum("WeaponUses", "ONCE UNLIMITED", start=0)  # RA-30. How often a Weapon can be used in a turn
TransformKeeps = IntEnum("TransformKeeps", "NOTHING TOKENS", start=0)  # RA-32. What the token of a TRANSFORM takes over
