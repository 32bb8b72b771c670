"""What is being decided, where the turn is, and what the numbers of the options mean (register section 5)."""

from enum import IntEnum

GOLD_CODE = 64  # TRADE_GIVE, TRADE_WANT: 64 + amount; KEEP, LEAVE: 64 + index of the denomination
GOLD_OFFER_MAX = 16
OFFHAND_CODE = 64  # EQUIP: 64 + type in the secondary slot
FLIP_CODE = 4  # FLEE_STEP: 4 + direction flips
STAY_CODE = 8  # FLEE_STEP
LEAP_STAY = 4  # LEAP
AIM = 2  # place of `arg` that holds a direction thrown in, or what is asked for in a trade


class Step(IntEnum):
    """ROGUE-20, 41. Where the turn is."""

    FLIP = 1
    MOVE = 2
    INTERACT = 3
    FIGHT = 4  # before step 1 of the combat turn
    STRUCK = 5  # after step 1
    SURVIVED = 6  # after step 3
    DONE = 7  # what follows is step 4 and the end of the turn


class Node(IntEnum):
    """Register section 5. What is being decided."""

    MAIN = 0
    DRAFT = 1
    FLIP = 2
    MOVE = 3
    ATTACK = 4
    FLEE_STEP = 5
    DRINK = 6
    THROW = 7
    THROW_AT = 8
    TELEPORT = 9
    SCROLL = 10
    IDENTIFY = 11
    SCROLL_MOVE = 12
    SPELL = 13
    SPELL_AT = 14
    SPELL_MOVE = 15
    SPELL_POTION = 16
    EQUIP = 17
    UNEQUIP = 18
    BUY = 19
    SELL = 20
    TRADE_WITH = 21
    TRADE_GIVE = 22
    TRADE_WANT = 23
    TRADE_ANSWER = 24
    TRIP = 25
    LEAP = 26
    STEAL = 27
    BARD_FLEE = 28
    MOLE_TILE = 29
    MOLE_PAY = 30
    KEEP = 31
    LEAVE = 32
    RESPAWN = 33
    SECOND_TURN = 34
    OVER = 35


class Act(IntEnum):
    """Register section 5. Categories of the MAIN decision."""

    PASS = 0
    FLIP = 1
    MOVE = 2
    ATTACK = 3
    FLEE = 4
    DRINK = 5
    THROW = 6
    SCROLL = 7
    SPELL = 8
    EQUIP = 9
    UNEQUIP = 10
    BUY = 11
    SELL = 12
    TRADE = 13
    TRIP = 14
    STEAL = 15
    MOLE = 16


class Spell(IntEnum):
    """ROGUE-95. Options of the SPELL decision."""

    DAMAGE = 0
    MOVE = 1
    POTION = 2
