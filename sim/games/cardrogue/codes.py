"""Numbers that stand for words of the card file in the CARDS record (register section 2)."""

from enum import IntEnum


class Category(IntEnum):
    """What a card type is."""

    NONE = 0
    KEY = 1
    POTION = 2
    ARTIFACT = 3
    ENEMY = 4
    WEAPON = 5
    ARMOUR = 6
    SCROLL = 7
    DEBT = 8


KEY = 0  # card type of the key
POTION = 1  # card type of the first potion colour; the others follow


class Slot(IntEnum):
    """ROGUE-81. Where equipment is worn."""

    HEAD = 0
    CHEST = 1
    FEET = 2
    PRIMARY = 3
    SECONDARY = 4


class Tile(IntEnum):
    """What a face-up tile is; traps are TRAP + their number."""

    NONE = 0
    FLOOR = 1
    START = 2
    SHOP = 3
    FOUNTAIN = 4
    CHEST = 5
    LADDER = 6
    TRAP = 8


class Effect(IntEnum):
    """What potions, traps and scrolls do."""

    NONE = 0
    HEAL_FULL = 1
    POISON = 2
    PARALYZE = 3
    TELEPORT = 4
    DAMAGE = 5
    ATTACK_MOD = 6
    MAX_HEALTH = 7
    IDENTIFY = 8
    MOVE_ANY = 9
    ANTIDOTE = 10
    REMOVE_CURSES = 11


class Fill(IntEnum):
    """ROGUE-107. Whether cards are laid on a map."""

    DEAL = 0  # no map: a dealt game
    NONE = 1
    DECK = 2


class Goal(IntEnum):
    """ROGUE-106. Bits of the goals of a lone player; from FIRST_ENEMY on, one per enemy named."""

    CHEST = 1
    DEBT = 2
    FIRST_ENEMY = 4
