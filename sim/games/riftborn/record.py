"""The CARDS record of Riftborn Tactics: a card file as numbers, all that the kernels see of it.

Also its enums, the rule variants (the first value is the default) and the names of the features.
"""

from enum import IntEnum

import numpy as np

from sim.engine.evaluation import weights_dtype

FEATURES = (
    "even",  # 1 in every position
    "life",  # points
    "armour",  # points left
    "weapons",  # Attack times uses left
    "experience",  # beyond what turns give
    "level",  # with fractions, as if both had begun the same number of turns
    "creatures",  # in play
    "attack",  # their Attack and stored READY; less for those that cannot attack
    "health",  # their Health left
    "abilities",  # their abilities, by worth
    "threat",  # Attack that reaches the opponent
    "lethal",  # 1 if that would defeat the opponent
    "race",  # threat as a share of the opponent's life and Armour, at most 1
    "frailty",  # frailty of the opponent less that of the player
    "shields",  # Shield tokens of the player alone
    "tricks",  # TRICK cards laid
    "hand",  # worth of the player's hand
    "their_hand",  # number of cards in the opponent's hand, beyond those that turns give
    "unspent",  # levels that the player can still play this turn
    "strikes",  # worth of the best attacks that the player can still make this turn
    "danger",  # worth of the best attacks of the opponent, in its turn or the next one
    "promise",  # best result of the player's half-made decision
)


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
    """Side of creatures or players, as the owner of an effect or AURA sees it. ANY also stands for both and all."""

    FRIEND = 0
    ENEMY = 1
    ANY = 2


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


_CARD = (CARDS_MAX,)
_ENTRY = (CARDS_MAX, LISTS, ENTRIES)

CARDS = np.dtype(
    [
        # experience needed for level 1, 2, ... (RIFT-20)
        ("level_xp", np.int32, (LEVELS,)),
        # worth of each card in hand, in life points: used by the evaluation only
        ("hand_worth", np.float64, _CARD),
        *weights_dtype(FEATURES),  # of the features, in log-odds
        # rules
        ("start_life", np.int16),  # 1..500; also the limit of healing
        ("turn_xp", np.int16),  # 0..5000
        ("second_xp", np.int16),  # additional experience in the second player's first turn, -5000..5000
        ("turn_cap", np.int16),  # player turns after which a game is stopped, 40..2000
        ("start_hand", np.int8),  # 0..10
        ("mulligans", np.int8),  # how often a hand can be changed, 0..3
        ("turn_draw", np.int8),  # 0..5
        ("first_draw", np.int8),  # cards that the first player draws in the first turn, 0..5
        ("second_draw", np.int8),  # additional cards in the second player's first turn, -1..5
        ("divisor", np.int8),  # of retaliation and opportunity, 1..10
        ("flight_range", np.int8),  # 1..9
        ("max_rows", np.int8),  # 1..3
        ("max_per_row", np.int8),  # 1..5
        # switches
        ("level_budget", np.int8),  # LevelBudget (RA-02)
        ("aoo_xp", np.uint8),  # 1: opportunity kills give experience (RA-05)
        ("adjacent_enemies", np.int8),  # AdjacentEnemies (RA-07)
        ("clear_path", np.int8),  # ClearPath (RA-08)
        ("contact_retaliation", np.uint8),  # 1: a clear-path attack is answered (RA-10)
        ("dead_retaliate", np.uint8),  # 1: a killed defender answers (RA-13)
        ("rage_before_retaliation", np.uint8),  # 1: with the Rage of the blow (RA-14)
        ("mutual_kill_xp", np.uint8),  # 1: a fallen attacker earns the kill (RA-15)
        ("kill_xp", np.int8),  # KillXp (RA-16)
        ("siphon_timing", np.int8),  # SiphonTiming (RA-17)
        ("siphon_counts", np.int8),  # SiphonCounts (RA-18)
        ("relentless_on", np.int8),  # RelentlessOn (RA-19)
        ("stealth_cover", np.int8),  # StealthCover (RA-24)
        ("morale_start", np.int8),  # MoraleStart (RA-26)
        ("weapon_uses", np.int8),  # WeaponUses (RA-30)
        ("transform_keeps", np.int8),  # TransformKeeps (RA-32)
        # cards, in the order of the file
        ("cards", np.int16),  # 1..255; rows beyond are 0
        ("kind", np.int8, _CARD),  # Kind
        ("level", np.int8, _CARD),  # 0..20
        ("attack", np.int8, _CARD),  # points, 0..50
        ("health", np.int8, _CARD),  # points of a creature or Armour, uses of a Weapon, 0..60
        ("xp", np.int16, _CARD),  # 0..5000
        ("ability", np.int8, (CARDS_MAX, ABILITIES)),  # X, or the number of UNDEATH and TRICK, else 1; 0: none
        ("thing", np.int16, _CARD),  # its index in `ablatable`, NONE for a token
        ("played", np.int8, (CARDS_MAX, PLAYED_MAX)),  # when-played abilities in printed order, NONE
        ("double_retarget", np.uint8, _CARD),  # 1: the second strike may choose a new target
        ("summon", np.int16, _CARD),  # token that SUMMON places, NONE
        ("transform", np.int16, _CARD),  # token that it becomes, NONE
        ("aura_side", np.int8, _CARD),  # Side
        ("aura_attack", np.int8, _CARD),  # points, -10..10
        ("aura_health", np.int8, _CARD),  # points, -10..10
        ("aura_ability", np.int8, _CARD),  # Ability below LENDABLE, NONE
        ("aura_x", np.int8, _CARD),  # its X, 1 if it has none
        # effect lists: card, List, entry
        ("op", np.int8, _ENTRY),  # Op
        ("n", np.int16, _ENTRY),  # points, tokens, cards, experience; max_level of PLAY_FREE
        ("token", np.int8, _ENTRY),  # Token of ADD and CLEAR
        ("target", np.int8, _ENTRY),  # Target
        ("side", np.int8, _ENTRY),  # Side: of the targets, or of the players hurt
        ("count", np.int8, _ENTRY),  # number of creatures to choose, 1..5
        ("adjacent", np.uint8, _ENTRY),  # 1: choose among those adjacent to the acting creature
        ("granted", np.int8, _ENTRY),  # Ability of GRANT and LOSE, NONE
        ("granted_x", np.int8, _ENTRY),  # its X, 1 if it has none
        ("summoned", np.int16, _ENTRY),  # token card of SUMMON, NONE
        # decks: entrants, in the order of the file
        ("decks", np.int16),  # 2..512; rows beyond are 0
        ("deck_size", np.int8, (DECKS_MAX,)),  # 40..60 with the printed rules, at most DECK_MAX
        ("deck", np.uint8, (DECKS_MAX, DECK_MAX)),  # cards, copy by copy in the order of the list
        ("deck_slot", np.int8, (DECKS_MAX, CARDS_MAX)),  # index of a card among the different cards of the list, NONE
    ],
    align=True,
)


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
