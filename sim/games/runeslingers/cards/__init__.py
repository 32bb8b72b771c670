"""What cards are made of: sizes, and the words of card files as enums; and the names of cards.

`schema` defines the tables of a card file, `checks` what must agree between them.
"""

from collections.abc import Mapping
from enum import IntEnum
from functools import lru_cache
from typing import Any

from sim.engine import words
from sim.engine.cards import CardSet

CARDS_MAX = 128  # cards of a file
HEROES_MAX = 64  # Runeslingers of a file
STANCES_MAX = 64
ABILITIES_MAX = 64
DECKS_MAX = 512
DECK_MAX = 40  # cards of a deck
EFFECTS_MAX = 4096  # rows of effects of a file, row 0 and the ends of lists included
STATICS_MAX = 2048  # rows of statics
TRIGGERS_MAX = 2048  # rows of triggers
BULLETS = 3  # most bullets of a card with Choice or Fate
ACTIVATED = 2  # most activated effects of a card
LIST_MAX = 4  # most effects of a list
NONE = -1  # no card, no ailment
NO_ROW = 0  # a list that begins here is empty


class Kind(IntEnum):
    """Types of cards. Types before CHANT are runespells, CHANT and later are defence cards."""

    SPIRIT = 0
    ATTACK = 1
    UTILITY = 2
    CHANT = 3
    TRINKET = 4
    BOON = 5


class Ailment(IntEnum):
    """The six ailments. CHOOSE: the type is announced when the card is played (RUNE-98)."""

    BURN = 0
    DEBILITATE = 1
    CURSE = 2
    FRAGMENT = 3
    WEAKEN = 4
    INSANITY = 5
    CHOOSE = 6


AILMENTS = 6
AILMENT_WORDS = tuple(ailment.name.lower() for ailment in Ailment if ailment != Ailment.CHOOSE)


class Op(IntEnum):
    """Effects. NONE ends a list."""

    NONE = 0
    DAMAGE = 1
    LOSE = 2
    HEAL = 3
    APPLY = 4
    REMOVE = 5
    CONVERT = 6
    DRAW = 7
    SEAR = 8
    VOID = 9
    DISCARD = 10
    DISCARD_RANDOM = 11
    DESTROY = 12
    TRAP = 13
    RELEASE = 14
    BARRIER = 15
    LIGHT = 16
    EXTRA_SET = 17
    BOOST = 18


class To(IntEnum):
    """What an effect reaches. Values up to CARD are targets that a player chooses."""

    ANY = 0
    RUNESLINGER = 1
    ENEMY = 2
    OWN = 3
    DEFENCE = 4
    RUNESPELL = 5
    CONCENTRATION = 6
    CARD = 7
    SELF = 8
    SAME = 9
    EACH = 10


class Stat(IntEnum):
    """What statics change: the first six add up, MAX_HAND is set, the rest are flags."""

    BLOCK = 0
    MAX_HEALTH = 1
    DAMAGE = 2
    DAMAGE_SPIRIT = 3
    DAMAGE_ATTACK = 4
    DEFENCE = 5
    MAX_HAND = 6
    ATTACK_ANY = 7
    NO_HEAL = 8
    NO_PASS = 9
    NO_ABILITY = 10


STATS = len(Stat)
NO_STAT = -1  # the list of statics ends here


class Boost(IntEnum):
    """What the effect `boost` raises until the Discard Phase."""

    BLOCK = 0
    DAMAGE = 1
    DAMAGE_SPIRIT = 2
    DAMAGE_ATTACK = 3
    PIERCE_SPIRIT = 4
    PIERCE_ATTACK = 5


BOOSTS = len(Boost)


class Scope(IntEnum):
    """Whose stat a static changes, as seen from its controller."""

    SELF = 0
    ENEMY = 1
    EACH = 2


class Owned(IntEnum):
    """The `if` of statics and triggers: compares controller and owner."""

    ALWAYS = 0
    OWNED = 1
    NOT_OWNED = 2


class When(IntEnum):
    """Moments of triggers. The last two are moments of ailments at level II, not of cards. NONE ends a list."""

    NONE = 0
    TURN_START = 1
    SLING_SPIRIT = 2
    SLING_ATTACK = 3
    SLING_UTILITY = 4
    YOU_BLOCK = 5
    YOU_PASS = 6
    YOU_DOWNED = 7
    ENEMY_DOWNED = 8
    DESTROYED = 9
    LEAVES = 10
    AILMENT_PHASE = 11
    AFTER_DRAW = 12


class Picker(IntEnum):
    """Who picks the bullet of a card."""

    NOBODY = 0
    PLAYER = 1  # Choice
    ENEMY = 2  # Fate


class Need(IntEnum):
    """Bits of `needs`: kinds of targets that may be missing. A Runeslinger is always there."""

    DEFENCE = 1
    RUNESPELL = 2
    CONCENTRATION = 4
    CARD = 8
    OWN = 16  # for damage: without `own_targets` no object of one's own is a target (A30)


class AnswerOn(IntEnum):
    """A01. What can be answered. NOTHING is not a reading of the rules; it shows what the ladder is worth."""

    RUNESPELL = 0
    ANY_CARD = 1
    NOTHING = 2


class DeckOut(IntEnum):
    """A02. When an empty deck costs a power."""

    IMMEDIATE = 0
    ON_NEED = 1


class ConcealedType(IntEnum):
    """A04. Whether an ailment that lies under a boon can be applied again."""

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
    """A13. What happens when both players run out of maximum health at once."""

    DRAW = 0
    ACTIVE_WINS = 1
    ACTIVE_LOSES = 2


class SlotChoice(IntEnum):
    """A14. For which cards the player chooses the concentration: chants, trinkets and Distract cards; all; none."""

    DISTINCT = 0
    FULL = 1
    AUTO = 2


class AilmentPhaseOrder(IntEnum):
    """A20. Whether effects of the Ailment Phase come before eight ailments are removed."""

    EFFECTS_FIRST = 0
    REMOVAL_FIRST = 1


class First(IntEnum):
    """A29. Who goes first."""

    CHOOSE = 0
    RANDOM = 1
    SEAT0 = 2


class DraftCopies(IntEnum):
    """A26. Whether drafted decks have the copy limits of constructed ones."""

    FREE = 0
    CONSTRUCTED = 1


_JOINTS = ("on", "own", "enemy", "concentration", "effect", "stance")  # words with a meaning in decisions


def titled(word: str) -> str:
    """Default name of an entry, made from its id: `small_bolt` is `Small Bolt`."""
    return word.replace("_", " ").title()


def name_of(entry: Mapping[str, Any]) -> str:
    """Display name of an entry of a card file."""
    return str(entry.get("name") or titled(entry["id"]))


@lru_cache(maxsize=16)  # a replay asks for names ten thousand times
def ids_of(cards: CardSet) -> tuple[str, ...]:
    """Ids of the cards, in the order of the card file."""
    return tuple(entry["id"] for entry in cards.document["card"])


@lru_cache(maxsize=16)
def names_of(cards: CardSet) -> tuple[str, ...]:
    """Display names of the cards, with the id where the name alone would be ambiguous."""
    return words.names_of(cards.document["card"], titled, _JOINTS, taken=AILMENT_WORDS)


def card_name(cards: CardSet, card: int) -> str:
    """Display name of a card by its row in the card file."""
    return names_of(cards)[card]


@lru_cache(maxsize=64)
def names_in(cards: CardSet, table: str) -> tuple[str, ...]:
    """Display names of all `runeslinger`, `stance` or `ability` entries, in the order of the card file."""
    return tuple(name_of(entry) for entry in cards.document[table])


def kind_of(cards: CardSet, card: int) -> Kind:
    """Type of a card by its row in the card file."""
    return Kind(cards.record[0]["kind"][card])
