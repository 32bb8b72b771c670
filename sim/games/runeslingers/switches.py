"""The rule variants of Runeslingers and their values, the default first (register section 8)."""

from enum import IntEnum


class AnswerOn(IntEnum):
    """A01. What can be answered; NOTHING is no reading of the rules, it shows what the ladder is worth."""

    RUNESPELL = 0
    ANY_CARD = 1
    NOTHING = 2


class DeckOut(IntEnum):
    """A02. When an empty deck costs a power."""

    IMMEDIATE = 0
    ON_NEED = 1


class ConcealedType(IntEnum):
    """A04. Whether a type that lies under a boon can be applied again."""

    FREE_AREA = 0
    BLOCKED = 1


class PierceBarrier(IntEnum):
    """A05. What a barrier does to pierce damage."""

    STOPS = 0
    IGNORES = 1


class HandLimit(IntEnum):
    """A11. Which cards the hand limit turns away."""

    ALL = 0
    DRAWS = 1


class DoubleLoss(IntEnum):
    """A13. What happens when both lose by maximum health at once."""

    DRAW = 0
    ACTIVE_WINS = 1
    ACTIVE_LOSES = 2


class SlotChoice(IntEnum):
    """A14. For which cards the concentration is chosen: chants, trinkets and Distract cards; all; none."""

    DISTINCT = 0
    FULL = 1
    AUTO = 2


class AilmentPhaseOrder(IntEnum):
    """A20. Whether effects of the Ailment Phase come before the removal of eight."""

    EFFECTS_FIRST = 0
    REMOVAL_FIRST = 1


class First(IntEnum):
    """A29. Who goes first."""

    CHOOSE = 0
    RANDOM = 1
    SEAT0 = 2
