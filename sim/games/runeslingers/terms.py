"""Numbers with names that the STATE record uses: decisions, frames of the work stack, causes, purposes of chance."""

from enum import IntEnum

from sim.engine.dice import Purpose


class Phase(IntEnum):
    """Decisions (register section 5), in its order, and the end."""

    SETUP = 0
    FIRST = 1
    PASS = 2
    MAIN = 3
    SLOT = 4
    PLACE = 5
    DISCARD = 6
    BULLET = 7
    AILMENT = 8
    TARGET = 9
    ANSWER = 10
    BLOCK = 11
    TRIGGER = 12
    ORDER = 13
    REMOVE = 14
    EACH = 15
    OVER = 16
    GOING = 17  # nobody has to decide: the rules go on


class Stage(IntEnum):
    """Where the turn stands: what happens as soon as the work stack is empty (RUNE-30)."""

    BEGIN = 0  # RUNE-31: counts, turn_start
    READY = 1
    AILMENT = 2
    AILMENT_SECOND = 3
    DRAW = 4
    AFTER_DRAW = 5
    PASS = 6
    PASSED = 7  # the card is drawn or taken back: you_pass
    PLAY = 8
    DISCARD = 9


class Frame(IntEnum):
    """Kinds of frames of the work stack: what is going on, paused while another frame lies on it."""

    CARD = 0  # a card being played: also a rung of the ladder
    ACT = 1  # effects of an activated, inherent or equipped ability, a trigger, an ailment, a hit
    DAMAGE = 2
    DRAIN = 3  # health that is still to be lost
    DECK = 4  # cards that still leave a deck
    APPLY = 5  # instances of one type that are still to be applied
    ORDER = 6  # announced types that are still to be applied
    REMOVE = 7  # instances that are still to be removed, at the choice of the frame's seat
    CONVERT = 8
    TRIGGERS = 9  # waiting triggers of one moment
    LEAVING = 10  # waiting triggers of a card that has left
    DISCARD = 11  # cards that a hand still has to discard
    EACH = 12  # an effect on both Runeslingers
    CHECK = 13  # RUNE-62: defence cards whose defence is spent
    LIMIT = 14  # RUNE-34: the ailments of the Ailment Phase


class Part(IntEnum):
    """Steps of a CARD or ACT frame (RUNE-51)."""

    WHERE = 0  # Slot and Place
    PAY = 1
    LAY = 2
    KEYWORDS = 3
    TYPES = 4
    AIMS = 5
    SLING = 6
    ANSWER = 7
    RESOLVE = 8
    EFFECTS = 9  # they resolve, whatever becomes of the card


class Blow(IntEnum):
    """Steps of a DAMAGE frame."""

    OPEN = 0  # the block option
    GUARD = 1  # the barrier of a block goes up
    STRIKE = 2
    CARRY = 3  # what is left of pierce damage behind a defence card
    HIT = 4


class Lost(IntEnum):
    """What cost a power (RUNE-21)."""

    HEALTH = 0
    DECK = 1
    AILMENTS = 2


LOSSES = len(Lost)


class Cause(IntEnum):
    """What ended a game; the first three as in Lost. NOT_DECIDED: it was stopped."""

    HEALTH = 0
    DECK = 1
    AILMENTS = 2
    MAX_HEALTH = 3
    NO_CARDS = 4
    NOT_DECIDED = 5


class Drain(IntEnum):
    """What took health."""

    DAMAGE = 0
    LOSS = 1
    CARRIED = 2  # pierce damage behind a defence card


DRAINS = len(Drain)


class Roll(IntEnum):
    """Purposes of the game's chance."""

    DECK = Purpose.FIRST_FREE
    FIRST = Purpose.FIRST_FREE + 1
    DISCARD = Purpose.FIRST_FREE + 2
    HIDDEN = Purpose.FIRST_FREE + 3
