"""The CARDS record of Runeslingers: a card file as flat numbers, all that the kernels see of it (register section 2)."""

from enum import IntEnum

import numpy as np

from sim.engine.judgement import weights_dtype
from sim.games.runeslingers.features import FEATURES

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
    """Types of cards; those before CHANT are runespells, those from it on defence cards."""

    SPIRIT = 0
    ATTACK = 1
    UTILITY = 2
    CHANT = 3
    TRINKET = 4
    BOON = 5


class Ailment(IntEnum):
    """The six ailments, and the one that is announced when its effect is announced (RUNE-98)."""

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
    """Effects (register section 2.1). NONE: the list ends here."""

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
    """Whom an effect reaches; those up to CARD are targets."""

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
    """Whose stat a static changes, seen from its controller."""

    SELF = 0
    ENEMY = 1
    EACH = 2


class Owned(IntEnum):
    """The `if` of statics and triggers: the controller compared with the owner."""

    ALWAYS = 0
    OWNED = 1
    NOT_OWNED = 2


class When(IntEnum):
    """Moments of triggers. The last two are moments of ailments at level II, not of cards. NONE: the list ends here."""

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
    """Bits of `needs`: kinds of targets that may be missing. Runeslingers never are."""

    DEFENCE = 1
    RUNESPELL = 2
    CONCENTRATION = 4
    CARD = 8
    OWN = 16  # for damage: nothing of one's own can be aimed at where `own_targets` is off (A30)


_CARD = (CARDS_MAX,)
_EFFECT = (EFFECTS_MAX,)
_HERO = (HEROES_MAX,)
_STANCE = (STANCES_MAX,)
_ABILITY = (ABILITIES_MAX,)
_DECK = (DECKS_MAX,)
_AILMENT = (AILMENTS,)

CARDS = np.dtype(
    [
        # judgements, ratings and punches in health points: for judging positions only (register section 7)
        ("rating", np.float64, _CARD),  # of playing the card, its light already taken off
        ("punch", np.float64, _CARD),  # health that playing it takes from an enemy Runeslinger
        ("wear", np.float64, _DECK),  # cards of the enemy's deck that a card of this deck wears away when it is played
        *weights_dtype(FEATURES),  # of the features of positions, in log-odds
        # rules (register section 2.1)
        ("turn_cap", np.int16),  # turns of both players after which a game is stopped, 20..1000
        ("start_power", np.int8),  # 1..9
        ("start_hand", np.int8),  # 1..8
        ("start_concentrations", np.int8),  # 1
        ("max_hand", np.int8),  # 1..12
        ("concentration_areas", np.int8),  # 1..6
        ("ailment_areas", np.int8),  # 1..4
        ("ailment_limit", np.int8),  # exposed instances that cost a power, 2..20
        ("draw", np.int8),  # 1..4
        ("first_draw", np.int8),  # cards that the first player draws in the first turn, 0..4
        ("second_draw", np.int8),  # cards more that the second player draws in the second turn, -4..4
        ("pass_draw", np.int8),  # 1..4
        ("sets_per_turn", np.int8),  # 1..3
        ("blocks_per_turn", np.int8),  # 1..3
        # switches (register section 8)
        ("answer_on", np.int8),  # AnswerOn (A01)
        ("deck_out", np.int8),  # DeckOut (A02)
        ("concealed_type", np.int8),  # ConcealedType (A04)
        ("pierce_barrier", np.int8),  # PierceBarrier (A05)
        ("hand_limit", np.int8),  # HandLimit (A11)
        ("double_loss", np.int8),  # DoubleLoss (A13)
        ("slot_choice", np.int8),  # SlotChoice (A14)
        ("float_light", np.uint8),  # 1: light may be made without paying (A15)
        ("ailment_phase_order", np.int8),  # AilmentPhaseOrder (A20)
        ("first", np.int8),  # First (A29)
        ("own_targets", np.uint8),  # 1: damage may be aimed at one's own objects (A30)
        # effects: lists are rows in a line, an op NONE behind the last; row 0 is an empty list
        ("op", np.int8, _EFFECT),  # Op
        ("n", np.int16, _EFFECT),  # 0..60
        ("to", np.int8, _EFFECT),  # To
        ("direct", np.uint8, _EFFECT),  # 1: direct damage
        ("per", np.uint8, _EFFECT),  # 1: damage n times the target's exposed ailments
        ("ailment", np.int8, _EFFECT),  # Ailment of `apply` and `convert`, NONE
        ("distinct", np.uint8, _EFFECT),  # 1: announced ailments all differ
        ("boost", np.int8, _EFFECT),  # Boost, NONE
        ("hit", np.int16, _EFFECT),  # row of the on-hit effects, NO_ROW
        # statics and triggers: lists as above; row 0 is an empty list
        ("stat", np.int8, (STATICS_MAX,)),  # Stat; NO_STAT behind the last
        ("stat_n", np.int16, (STATICS_MAX,)),
        ("scope", np.int8, (STATICS_MAX,)),  # Scope
        ("stat_if", np.int8, (STATICS_MAX,)),  # Owned
        ("when", np.int8, (TRIGGERS_MAX,)),  # When; NONE behind the last
        ("when_if", np.int8, (TRIGGERS_MAX,)),  # Owned
        ("then", np.int16, (TRIGGERS_MAX,)),  # row of effects
        # ailments, by Ailment
        ("on_apply", np.int16, _AILMENT),  # row of effects
        ("per_instance", np.int16, _AILMENT),  # row of statics, n times the exposed instances
        ("while_any", np.int16, _AILMENT),  # row of statics
        ("threshold", np.int8, _AILMENT),  # exposed instances of level II, 1..20
        ("level2", np.int16, _AILMENT),  # row of statics
        ("ailment_phase", np.int16, _AILMENT),  # row of effects, at level II
        ("after_draw", np.int16, _AILMENT),  # row of effects, at level II
        # Runeslingers, stances, abilities, in the order of the file
        ("hero_health", np.int8, _HERO),  # 1..60
        ("hero_block", np.int8, _HERO),  # 0..12
        ("inherent_light", np.int8, _HERO),  # 0..6
        ("inherent_per_turn", np.int8, _HERO),  # 0: no limit
        ("inherent", np.int16, _HERO),  # row of effects
        ("inherent_needs", np.int8, _HERO),  # bits Need
        ("stance_statics", np.int16, _STANCE),  # row
        ("stance_triggers", np.int16, _STANCE),  # row
        ("stance_hears", np.uint32, _STANCE),  # bit When of its triggers
        ("ability_cost", np.int8, _ABILITY),  # determination, 1..4
        ("ability_effects", np.int16, _ABILITY),  # row
        ("ability_needs", np.int8, _ABILITY),  # bits Need
        # cards, in the order of the file
        ("cards", np.int16),  # 1..128; rows beyond are 0
        ("kind", np.int8, _CARD),  # Kind
        ("cost", np.int8, _CARD),  # light, 0..9
        ("defence", np.int8, _CARD),  # 1..30, 0 of runespells
        ("extra_discard", np.int8, _CARD),  # cards, 0..3
        ("pierce", np.uint8, _CARD),
        ("shout", np.uint8, _CARD),
        ("distract", np.uint8, _CARD),
        ("charge", np.uint8, _CARD),
        ("tokens", np.int8, _CARD),  # that it comes with, 0..20
        ("picker", np.int8, _CARD),  # Picker
        ("effects", np.int16, _CARD),  # row
        ("needs", np.int8, _CARD),  # bits Need of `effects`
        ("bullets", np.int8, _CARD),  # 0, 2, 3
        ("bullet", np.int16, (CARDS_MAX, BULLETS)),  # row
        ("bullet_needs", np.int8, (CARDS_MAX, BULLETS)),
        ("statics", np.int16, _CARD),  # row
        ("triggers", np.int16, _CARD),  # row
        ("hears", np.uint32, _CARD),  # bit When of its triggers
        ("act_effects", np.int16, (CARDS_MAX, ACTIVATED)),  # row, NO_ROW: no such activated effect
        ("act_light", np.int8, (CARDS_MAX, ACTIVATED)),  # 0..6
        ("act_tokens", np.int8, (CARDS_MAX, ACTIVATED)),  # 0..20
        ("act_use", np.uint8, (CARDS_MAX, ACTIVATED)),  # 1: the card is turned
        ("act_per_turn", np.int8, (CARDS_MAX, ACTIVATED)),  # 0: no limit
        ("act_needs", np.int8, (CARDS_MAX, ACTIVATED)),
        ("thing_activated", np.int16, _CARD),  # number among what can be forbidden, NONE: it has no activated effect
        ("thing_charged", np.int16, _CARD),  # the same for charging it
        ("things", np.int16),  # rules, cards, activated effects and charges that can be forbidden
        # decks: entrants, in the order of the file
        ("decks", np.int16),  # 2..512; rows beyond are 0
        ("deck_size", np.int8, _DECK),  # 20..40
        ("deck", np.uint8, (DECKS_MAX, DECK_MAX)),  # cards, copy by copy in the order of the list
        ("deck_slot", np.int8, (DECKS_MAX, DECK_MAX)),  # of each copy: place of its card among the different ones
        ("hero", np.int8, _DECK),  # Runeslinger, by number
        ("stance", np.int8, _DECK),
        ("ability", np.int8, _DECK),
    ],
    align=True,
)
