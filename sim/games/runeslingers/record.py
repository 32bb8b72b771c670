"""The CARDS record of Runeslingers: a card file as flat numbers, which is all that the kernels see of it.

With the enums of its columns, the values of the rule variants, the names of the features, and the ratings of cards. A rating is
what playing a card is worth on paper, in health points: the sum over its effects, minus 0.9 for each light. With Choice the best
bullet counts, with Fate the worst. An effect on oneself counts against the card where it harms, one on the enemy where it helps;
one on both counts as zero. Triggers, statics and activated effects are part of the flat worth of a defence card. Ratings serve
the evaluation and the choice of cards, never results.
"""

from enum import IntEnum

import numpy as np

from sim.engine.evaluation import weights_dtype

FEATURES = (
    "even",
    "turn",
    "second",
    "power",
    "life",
    "health",
    "determination",
    "deck",
    "pressure",
    "gone",
    "concentrations",
    "light",
    "late_light",
    "defences",
    "ailments",
    "severe",
    "hand",
    "hand_size",
    "draws",
    "outlook",
    "enemy_outlook",
    "reach",
    "ready",
    "answers",
    "own_rungs",
    "enemy_rungs",
    "slinging",
    "last_blow",
    "due",
)


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


_CARD = (CARDS_MAX,)
_EFFECT = (EFFECTS_MAX,)
_HERO = (HEROES_MAX,)
_STANCE = (STANCES_MAX,)
_ABILITY = (ABILITIES_MAX,)
_DECK = (DECKS_MAX,)
_AILMENT = (AILMENTS,)

CARDS = np.dtype(
    [
        # what the evaluation uses: worths in health points, weights of the features
        ("rating", np.float64, _CARD),  # of playing the card, its cost in light subtracted
        ("punch", np.float64, _CARD),  # health that playing it takes from an enemy Runeslinger
        ("wear", np.float64, _DECK),  # cards of the enemy's deck that a card of this deck wears away when it is played
        *weights_dtype(FEATURES),  # weights of the features, in log-odds
        # rules
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
        ("second_draw", np.int8),  # extra cards that the second player draws in the second turn, -4..4
        ("pass_draw", np.int8),  # 1..4
        ("sets_per_turn", np.int8),  # 1..3
        ("blocks_per_turn", np.int8),  # 1..3
        # rule variants
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
        # effects: a list is consecutive rows, ended by an op NONE; row 0 is an empty list
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
        ("tokens", np.int8, _CARD),  # tokens that it comes with, 0..20
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
        ("thing_activated", np.int16, _CARD),  # index in `ablatable`, NONE: it has no activated effect
        ("thing_charged", np.int16, _CARD),  # the same for charging it
        ("things", np.int16),  # length of `ablatable`: rules, cards, activated effects and charges
        # decks: entrants, in the order of the file
        ("decks", np.int16),  # 2..512; rows beyond are 0
        ("deck_size", np.int8, _DECK),  # 20..40
        ("deck", np.uint8, (DECKS_MAX, DECK_MAX)),  # cards, copy by copy in the order of the list
        ("deck_slot", np.int8, (DECKS_MAX, DECK_MAX)),  # of each copy: index of its card among the different cards
        ("hero", np.int8, _DECK),  # Runeslinger, by number
        ("stance", np.int8, _DECK),
        ("ability", np.int8, _DECK),
    ],
    align=True,
)


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


COST = 0.9  # each light
DISTRACT = -4.0
EXTRA_DISCARD = -3.5  # each card
DEFENCE_CARD, DEFENCE_COST = 4.0, 1.3  # a defence card, and for each light that it costs
SHARP = 1.1  # factor of damage that is direct or has Pierce
EXPOSED = 3  # assumed number of ailments for damage with "per"
APPLY = {Ailment.BURN: 4.5, Ailment.DEBILITATE: 3.5, Ailment.CHOOSE: 3.8}
APPLY_OTHER = 3.2
HARM = {Op.LOSE: 1.0, Op.SEAR: 0.7, Op.VOID: 0.9, Op.DISCARD: 3.5, Op.DISCARD_RANDOM: 3.5}  # for each n
HELP = {Op.HEAL: 0.9, Op.REMOVE: 2.5, Op.CONVERT: 1.5, Op.DRAW: 3.0, Op.LIGHT: 1.0, Op.EXTRA_SET: 2.0}  # for each n
FLAT = {Op.DESTROY: 7.0, Op.TRAP: 7.0, Op.BARRIER: 4.0, Op.BOOST: 4.0}  # for any n
ON_SELF, ON_ENEMY = (To.SELF, To.OWN), (To.ENEMY,)
_AT_ENEMY = frozenset({To.ANY, To.RUNESLINGER, To.ENEMY, To.EACH})


def write_worth(row: np.void) -> None:
    """Write `rating` and `punch` of all cards. The rest of the record must be written already."""
    for card in range(int(row["cards"])):
        row["rating"][card] = rating(row, card)
        row["punch"][card] = punch(row, int(row["effects"][card]))


def rating(row: np.void, card: int) -> float:
    """Rating of one card, with its cost in light subtracted."""
    worth = _list_worth(row, card, int(row["effects"][card]))
    bullets = [_list_worth(row, card, int(begin)) for begin in row["bullet"][card][: int(row["bullets"][card])]]
    if bullets:
        worth += min(bullets) if row["picker"][card] == Picker.ENEMY else max(bullets)
    cost = int(row["cost"][card])
    if row["kind"][card] >= Kind.CHANT:
        worth += DEFENCE_CARD + DEFENCE_COST * cost
    if row["distract"][card]:
        worth += DISTRACT
    return worth + EXTRA_DISCARD * int(row["extra_discard"][card]) - COST * cost


def punch(row: np.void, begin: int) -> float:
    """Health that a list of effects takes from an enemy Runeslinger that does not block."""
    taken = 0.0
    at = begin
    while at != NO_ROW and row["op"][at] != Op.NONE:
        if row["op"][at] in (Op.DAMAGE, Op.LOSE) and row["to"][at] in _AT_ENEMY:
            taken += int(row["n"][at]) * (EXPOSED if row["per"][at] else 1)
        at += 1
    return taken


def write_wear(row: np.void) -> None:
    """Write `wear` of all decks: the mean over their cards, triggers of the stance included."""
    for deck in range(int(row["decks"])):
        size, stance = int(row["deck_size"][deck]), int(row["stance"][deck])
        cards = row["deck"][deck][:size]
        row["wear"][deck] = sum(_card_wear(row, int(card), int(row["stance_triggers"][stance])) for card in cards) / size


def _card_wear(row: np.void, card: int, stance: int) -> float:
    """Cards of the enemy's deck that playing one card wears away, including triggers of a stance."""
    lists = [int(row["effects"][card]), *(int(begin) for begin in row["bullet"][card][: int(row["bullets"][card])])]
    worn = max(_list_wear(row, begin) for begin in lists)
    kind, at = int(row["kind"][card]), stance
    while at != NO_ROW and row["when"][at] != When.NONE:
        if kind < Kind.CHANT and row["when"][at] == When.SLING_SPIRIT + kind:
            worn += _list_wear(row, int(row["then"][at]))
        at += 1
    return worn


def _list_wear(row: np.void, begin: int) -> float:
    """The same for a list of effects, including what ailments do when they are applied."""
    worn, at = 0.0, begin
    while at != NO_ROW and row["op"][at] != Op.NONE:
        op, n = row["op"][at], int(row["n"][at])
        if op in (Op.SEAR, Op.VOID) and row["to"][at] in (*_AT_ENEMY, To.SAME):
            worn += n
        elif op == Op.APPLY and row["ailment"][at] != Ailment.CHOOSE:
            worn += n * _own_wear(row, int(row["on_apply"][row["ailment"][at]]))
        elif op == Op.DAMAGE:
            worn += _list_wear(row, int(row["hit"][at]))
        at += 1
    return worn


def _own_wear(row: np.void, begin: int) -> float:
    """Cards that an ailment wears away from its bearer's deck when it is applied."""
    worn, at = 0.0, begin
    while at != NO_ROW and row["op"][at] != Op.NONE:
        if row["op"][at] in (Op.SEAR, Op.VOID) and row["to"][at] == To.SELF:
            worn += int(row["n"][at])
        at += 1
    return worn


def _list_worth(row: np.void, card: int, begin: int) -> float:
    """Worth of a list of effects."""
    worth = 0.0
    at = begin
    while at != NO_ROW and row["op"][at] != Op.NONE:
        worth += _effect_worth(row, card, at)
        at += 1
    return worth


def _effect_worth(row: np.void, card: int, at: int) -> float:
    """Worth of one effect, including the effects of its hit."""
    op, n, to = Op(row["op"][at]), int(row["n"][at]), To(row["to"][at])
    if op in FLAT:
        return 0.0 if op == Op.BARRIER and to in ON_ENEMY else FLAT[op]
    if op in HELP:
        return HELP[op] * n * _sign(to, helps=True)
    if op == Op.DAMAGE:
        sharp = SHARP if row["direct"][at] or row["pierce"][card] else 1.0
        worth = n * sharp * (EXPOSED if row["per"][at] else 1) * _sign(to, helps=False)
        return worth + _list_worth(row, card, int(row["hit"][at]))
    if op == Op.APPLY:
        return APPLY.get(Ailment(row["ailment"][at]), APPLY_OTHER) * n * _sign(to, helps=False)
    return HARM.get(op, 0.0) * n * _sign(to, helps=False)


def _sign(to: To, *, helps: bool) -> int:
    """Whether an effect counts for the card (1), against it (-1), or on both players (0)."""
    if to == To.EACH:
        return 0
    against = to in (ON_ENEMY if helps else ON_SELF)
    return -1 if against else 1
