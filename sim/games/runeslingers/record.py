"""The CARDS record: a card file as numbers, which is all that the kernels see of it. CARD_FORMAT reads card files.

Numbers and rule variants derive from the schema (`cards/schema.py`); lists of effects, decks and ratings are compiled here. A
rating is what playing a card is worth on paper, in health points: the sum over its effects, minus 0.9 for each light. With Choice
the best bullet counts, with Fate the worst. An effect on oneself counts against the card where it harms, one on the enemy where
it helps; one on both counts as zero. Triggers, statics and activated effects are part of the flat worth of a defence card.
Ratings serve the evaluation and the choice of cards, never results.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from pathlib import Path

import numpy as np

from sim.engine.cardfiles.columns import columns
from sim.engine.cards import CardFormat
from sim.engine.evaluation import weights_dtype, write_weights
from sim.games.runeslingers.ablation import write_usable
from sim.games.runeslingers.cards import (
    ABILITIES_MAX,
    ACTIVATED,
    AILMENTS,
    BULLETS,
    CARDS_MAX,
    DECK_MAX,
    DECKS_MAX,
    EFFECTS_MAX,
    HEROES_MAX,
    NO_ROW,
    NO_STAT,
    NONE,
    STANCES_MAX,
    STATICS_MAX,
    TRIGGERS_MAX,
    Ailment,
    Boost,
    Kind,
    Need,
    Op,
    Owned,
    Picker,
    Scope,
    Stat,
    To,
    When,
)
from sim.games.runeslingers.cards.checks import RuneslingersFile
from sim.games.runeslingers.cards.schema import Apply, BoostStat, Card, Convert, Damage, Deck, Effect, HitEffect, Static, Trigger

REFERENCE = Path(__file__).parent / "cards.toml"


class Feature(IntEnum):
    """Features that the evaluation weights, each about 1 in size; the README lists them."""

    EVEN = 0
    TURN = 1
    SECOND = 2
    POWER = 3
    LIFE = 4
    HEALTH = 5
    DETERMINATION = 6
    DECK = 7
    PRESSURE = 8
    GONE = 9
    CONCENTRATIONS = 10
    LIGHT = 11
    LATE_LIGHT = 12
    DEFENCES = 13
    AILMENTS = 14
    SEVERE = 15
    HAND = 16
    HAND_SIZE = 17
    DRAWS = 18
    OUTLOOK = 19
    ENEMY_OUTLOOK = 20
    REACH = 21
    READY = 22
    ANSWERS = 23
    OWN_RUNGS = 24
    ENEMY_RUNGS = 25
    SLINGING = 26
    LAST_BLOW = 27
    DUE = 28


FEATURES = tuple(feature.name.lower() for feature in Feature)

AILMENT_LISTS = ("on_apply", "ailment_phase", "after_draw")  # fields of an ailment with effects; the last two at level II
AILMENT_STATICS = ("per_instance", "while_any", "level2")  # with statics
NO_SHOUT = 32_767  # more than any cost
KEYWORDS = ("pierce", "shout", "distract", "charge")  # with a column of their own
_NEEDS = {
    "defence": Need.DEFENCE,
    "runespell": Need.RUNESPELL,
    "concentration": Need.CONCENTRATION,
    "card": Need.CARD,
}  # any other target always exists, except for damage to one's own objects (Need.OWN)
_PICKERS = {"choice": Picker.PLAYER, "fate": Picker.ENEMY}
_CARD = (CARDS_MAX,)
_EFFECT = (EFFECTS_MAX,)
_HERO = (HEROES_MAX,)
_STANCE = (STANCES_MAX,)
_ABILITY = (ABILITIES_MAX,)
_DECK = (DECKS_MAX,)
_AILMENT = (AILMENTS,)

CARDS = np.dtype(
    [
        *columns(RuneslingersFile),
        # what the evaluation uses: worths in health points, weights of the features
        ("rating", np.float64, _CARD),  # of playing the card, its cost in light subtracted
        ("punch", np.float64, _CARD),  # health that playing it takes from an enemy Runeslinger
        ("wear", np.float64, _DECK),  # cards of the enemy's deck that a card of this deck wears away when it is played
        *weights_dtype(FEATURES),  # weights of the features, in log-odds
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
        *[(field, np.int16, _AILMENT) for field in AILMENT_LISTS],  # row of effects
        *[(field, np.int16, _AILMENT) for field in AILMENT_STATICS],  # row of statics
        # Runeslingers, stances, abilities, in the order of the file
        ("inherent", np.int16, _HERO),  # row of effects
        ("inherent_needs", np.int8, _HERO),  # bits Need
        ("stance_statics", np.int16, _STANCE),  # row
        ("stance_triggers", np.int16, _STANCE),  # row
        ("stance_hears", np.uint32, _STANCE),  # bit When of its triggers
        ("ability_effects", np.int16, _ABILITY),  # row
        ("ability_needs", np.int8, _ABILITY),  # bits Need
        # cards, in the order of the file
        *[(word, np.uint8, _CARD) for word in KEYWORDS],  # 1: the card has it
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
        ("act_needs", np.int8, (CARDS_MAX, ACTIVATED)),
        ("thing_activated", np.int16, _CARD),  # index in `ablatable`, NONE: it has no activated effect
        ("thing_charged", np.int16, _CARD),  # the same for charging it
        ("things", np.int16),  # length of `ablatable`: rules, cards, activated effects and charges
        # decks: entrants, in the order of the file
        ("deck_size", np.int8, _DECK),  # 20..40
        ("deck", np.uint8, (DECKS_MAX, DECK_MAX)),  # cards, copy by copy in the order of the list
        ("deck_slot", np.int8, (DECKS_MAX, DECK_MAX)),  # of each copy: index of its card among the different cards
        ("least_shout", np.int16, _DECK),  # least cost of its cards with Shout, NO_SHOUT without any
        ("hero", np.int8, _DECK),  # Runeslinger, by number
        ("stance", np.int8, _DECK),
        ("ability", np.int8, _DECK),
    ],
    align=True,
)


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


def derive(record: np.void, cards: RuneslingersFile) -> None:
    """Write what the schema does not determine: lists of effects, decks, ratings, weights."""
    lists = Lists(record)
    for number, ailment in enumerate(cards.ailment):
        for field in AILMENT_LISTS:
            record[field][number] = lists.effects(getattr(ailment, field))
        for field in AILMENT_STATICS:
            record[field][number] = lists.statics(getattr(ailment, field))
    for number, hero in enumerate(cards.runeslinger):
        record["inherent"][number] = lists.effects(hero.inherent.effects)
        record["inherent_needs"][number] = needs_of(hero.inherent.effects)
    for number, stance in enumerate(cards.stance):
        record["stance_statics"][number] = lists.statics(stance.statics)
        record["stance_triggers"][number] = lists.triggers(stance.triggers)
        record["stance_hears"][number] = hears_of(stance.triggers)
    for number, ability in enumerate(cards.ability):
        record["ability_effects"][number] = lists.effects(ability.effects)
        record["ability_needs"][number] = needs_of(ability.effects)
    for number, card in enumerate(cards.card):
        write_card(record, lists, number, card)
    numbers = {
        part: {one.id: number for number, one in enumerate(getattr(cards, part))}
        for part in ("runeslinger", "stance", "ability", "card")
    }
    for number, deck in enumerate(cards.deck):
        write_deck(record, number, deck, numbers)
    write_usable(record)
    write_worth(record)
    write_wear(record)
    write_weights(record, REFERENCE.parent, FEATURES)


class Lists:
    """Writes the lists of a record one after the other; row 0 of each kind is the empty list."""

    def __init__(self, row: np.void) -> None:
        self.row = row
        self.effects_n = self.statics_n = self.triggers_n = NO_ROW + 1
        for field in ("ailment", "boost"):
            row[field] = NONE
        row["stat"] = NO_STAT

    def effects(self, effects: Sequence[Effect] | Sequence[HitEffect]) -> int:
        """Write a list of effects, followed by the on-hit lists inside it. Returns its row."""
        if not effects:
            return NO_ROW
        begin = self.effects_n
        self.effects_n += len(effects) + 1
        for at, effect in enumerate(effects, begin):
            self._effect(at, effect)
        return begin

    def _effect(self, at: int, effect: Effect | HitEffect) -> None:
        """Write one effect: its op and the parameters that it has."""
        row = self.row
        row["op"][at] = Op[effect.op.upper()]
        row["to"][at] = To[effect.to.upper()]
        row["n"][at] = getattr(effect, "n", 0)
        if isinstance(effect, Damage):
            row["direct"][at] = effect.direct
            row["per"][at] = "per" in effect.model_fields_set
            row["hit"][at] = self.effects(effect.hit)
        elif isinstance(effect, Apply):
            row["ailment"][at] = Ailment[effect.ailment.upper()]
            row["distinct"][at] = effect.distinct
        elif isinstance(effect, Convert):
            row["ailment"][at] = Ailment[effect.into.upper()]
        elif isinstance(effect, BoostStat):
            row["boost"][at] = Boost[effect.stat.upper()]

    def statics(self, statics: Sequence[Static]) -> int:
        """Write a list of statics. Returns its row."""
        if not statics:
            return NO_ROW
        begin = self.statics_n
        self.statics_n += len(statics) + 1
        for at, static in enumerate(statics, begin):
            self.row["stat"][at] = Stat[static.stat.upper()]
            self.row["stat_n"][at] = static.n
            self.row["scope"][at] = Scope[static.scope.upper()]
            self.row["stat_if"][at] = Owned[static.if_.upper()]
        return begin

    def triggers(self, triggers: Sequence[Trigger]) -> int:
        """Write a list of triggers. Returns its row."""
        if not triggers:
            return NO_ROW
        begin = self.triggers_n
        self.triggers_n += len(triggers) + 1
        for at, trigger in enumerate(triggers, begin):
            self.row["when"][at] = When[trigger.when.upper()]
            self.row["when_if"][at] = Owned[trigger.if_.upper()]
            self.row["then"][at] = self.effects(trigger.effects)
        return begin


def needs_of(effects: Sequence[Effect]) -> int:
    """RUNE-50. Bits Need of a list of effects."""
    bits = 0
    for effect in effects:
        bits |= _NEEDS.get(effect.to, 0)
        if isinstance(effect, Damage) and effect.to == "own":
            bits |= Need.OWN
    return bits


def hears_of(triggers: Sequence[Trigger]) -> int:
    """Bits of the moments for which triggers wait."""
    return sum({1 << When[trigger.when.upper()] for trigger in triggers})


def write_card(row: np.void, lists: Lists, number: int, card: Card) -> None:
    """Write one card."""
    for field in KEYWORDS:
        row[field][number] = field in card.keywords
    row["tokens"][number] = card.tokens if "token" in card.keywords else 0
    row["picker"][number] = next((_PICKERS[word] for word in card.keywords if word in _PICKERS), Picker.NOBODY)
    row["effects"][number] = lists.effects(card.effects)
    row["needs"][number] = needs_of(card.effects)
    row["bullets"][number] = len(card.bullets)
    for at, bullet in enumerate(card.bullets):
        row["bullet"][number, at] = lists.effects(bullet)
        row["bullet_needs"][number, at] = needs_of(bullet)
    row["statics"][number] = lists.statics(card.statics)
    row["triggers"][number] = lists.triggers(card.triggers)
    row["hears"][number] = hears_of(card.triggers)
    for at, activated in enumerate(card.activated):
        row["act_effects"][number, at] = lists.effects(activated.effects)
        row["act_needs"][number, at] = needs_of(activated.effects)


def write_deck(row: np.void, number: int, deck: Deck, numbers: Mapping[str, Mapping[str, int]]) -> None:
    """Write one deck, copy by copy in the order of its list. numbers: by table and id."""
    cards = [(numbers["card"][word], copies) for word, copies in deck.cards.copies().items()]
    held = [(card, slot) for slot, (card, copies) in enumerate(cards) for _ in range(copies)]
    row["deck_size"][number] = len(held)
    row["deck_slot"][number] = NONE
    for copy, (card, slot) in enumerate(held):
        row["deck"][number, copy] = card
        row["deck_slot"][number, copy] = slot
    row["least_shout"][number] = min((int(row["cost"][card]) for card, _ in cards if row["shout"][card]), default=NO_SHOUT)
    for field, table in (("hero", "runeslinger"), ("stance", "stance"), ("ability", "ability")):
        row[field][number] = numbers[table][getattr(deck, table)]


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
    for at in _rows(row, begin):
        if row["op"][at] in (Op.DAMAGE, Op.LOSE) and row["to"][at] in _AT_ENEMY:
            taken += int(row["n"][at]) * (EXPOSED if row["per"][at] else 1)
    return taken


def _rows(row: np.void, begin: int) -> Iterator[int]:
    """Rows of a list of effects."""
    while begin != NO_ROW and row["op"][begin] != Op.NONE:
        yield begin
        begin += 1


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
    worn = 0.0
    for at in _rows(row, begin):
        op, n = row["op"][at], int(row["n"][at])
        if op in (Op.SEAR, Op.VOID) and row["to"][at] in (*_AT_ENEMY, To.SAME):
            worn += n
        elif op == Op.APPLY and row["ailment"][at] != Ailment.CHOOSE:
            worn += n * _own_wear(row, int(row["on_apply"][row["ailment"][at]]))
        elif op == Op.DAMAGE:
            worn += _list_wear(row, int(row["hit"][at]))
    return worn


def _own_wear(row: np.void, begin: int) -> float:
    """Cards that an ailment wears away from its bearer's deck when it is applied."""
    return float(
        sum(int(row["n"][at]) for at in _rows(row, begin) if row["op"][at] in (Op.SEAR, Op.VOID) and row["to"][at] == To.SELF)
    )


def _list_worth(row: np.void, card: int, begin: int) -> float:
    """Worth of a list of effects."""
    worth = 0.0
    for at in _rows(row, begin):
        worth += _effect_worth(row, card, at)
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


CARD_FORMAT = CardFormat(RuneslingersFile, CARDS, REFERENCE, derive)
