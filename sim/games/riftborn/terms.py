"""Numbers with names that the STATE record uses: decisions, steps, kinds of blows and wounds, sources, purposes of chance."""

from enum import IntEnum

from sim.engine.dice import Purpose


class Phase(IntEnum):
    """Decisions (register section 5), in its order, and the end."""

    MULLIGAN = 0
    MAIN = 1
    CREATURE = 2
    PLACE = 3
    TARGET = 4
    ROW = 5
    SCRY = 6
    TRICK_SET = 7
    TRICK_FIRE = 8
    HAND = 9
    OVER = 10
    GOING = 11  # nobody has to decide: the rules go on


class Aim(IntEnum):
    """What a TARGET decision is for."""

    NONE = 0
    EFFECT = 1
    CHARM = 2
    PACIFY = 3
    HEAL = 4
    WEAPON = 5
    RETARGET = 6
    PASS = 7


class Step(IntEnum):
    """What happens next, as soon as nobody has to decide."""

    MAIN = 0  # ask the active player
    PLAYED = 1  # next when-played ability of a card
    LIST = 2  # next entry of an effect list
    PLACED = 3  # a creature has entered
    SUMMON = 4  # next token
    CARD_DONE = 5  # a played card is complete but for its tricks
    FREE_DONE = 6  # a creature played by an effect is complete
    TRICKS = 7  # work off the queue of tricks
    STRIKE = 8  # an attack after its declaration
    BLOW = 9  # a blow goes on behind whom it hurt
    ANSWER = 10  # after the strike of an attack
    EXCHANGED = 11  # after the answer
    SECOND = 12  # after the tricks of an exchange
    OPPORTUNITY = 13  # next attack of opportunity
    ACTED = 14  # an Action is complete
    START = 15  # a turn begins
    ENDED = 16  # after the tricks of the end step


class Blow(IntEnum):
    """Kinds of blows that creatures give."""

    STRIKE = 0
    ANSWER = 1
    OPPORTUNITY = 2


class Reach(IntEnum):
    """By what an attack reaches its target."""

    NONE = 0
    ADJACENT = 1
    RANGE = 2
    FLIGHT = 3
    CLEAR = 4


class Harm(IntEnum):
    """What hurt a creature last, and thus what it died of. NONE: it lost a bonus."""

    NONE = 0
    STRIKE = 1
    PASS = 2
    WEAPON = 3
    ANSWER = 4
    OPPORTUNITY = 5
    EFFECT = 6
    DECAY = 7


HARMS = len(Harm)


class Wound(IntEnum):
    """What hurt a player."""

    CONTACT = 0
    RANGE = 1
    FLIGHT = 2
    PASS = 3
    EFFECT = 4


WOUNDS = len(Wound)


class Gain(IntEnum):
    """Sources of experience (RIFT-21)."""

    TURN = 0
    PLAY = 1
    SUMMON = 2
    KILL = 3
    EFFECT = 4


GAINS = len(Gain)


class Draw(IntEnum):
    """Purposes of the game's chance."""

    LIBRARY = Purpose.FIRST_FREE
    COIN = Purpose.FIRST_FREE + 1
    HIDDEN = Purpose.FIRST_FREE + 2
