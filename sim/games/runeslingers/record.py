"""The CARDS record: a card file as numbers, which is all that the kernels see of it. CARD_FORMAT reads card files.

Numbers and rule variants derive from the schema (`cards/schema.py`); lists of effects, decks and ratings are compiled here. A
rating is what playing a card is worth on paper, in health points: the sum over its effects, minus 0.9 for each light. With Choice
the best bullet counts, with Fate the worst. An effect on oneself counts against the card where it harms, one on the enemy where
it helps; one on both counts as zero. Triggers, statics and activated effects are part of the flat worth of a defence card.
Ratings serve the evaluation and the choice of cards, never results.
"""

from collections.abc import Collection, Mapping, Sequence
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
    Need,
    Op,
    Owned,
    Picker,
    Scope,
    Stat,
    To,
    When,
)
from sim.games.runeslingers.cards.checks import RuneslingersFile, announces, flat
from sim.games.runeslingers.cards.schema import (
    CHOOSE,
    RUNESPELLS,
    AilmentTable,
    Apply,
    BoostStat,
    Card,
    Convert,
    Damage,
    Deck,
    Effect,
    HitEffect,
    Simple,
    Stance,
    Static,
    Trigger,
)

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
        # in the first row of a list with an `apply` or `convert` to be chosen, hits included
        ("announced", np.int8, _EFFECT),  # types announced: the instances of an `apply`, one for a `convert`
        ("distinct", np.uint8, _EFFECT),  # 1: they all differ
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
APPLY = {"burn": 4.5, "debilitate": 3.5, CHOOSE: 3.8}
APPLY_OTHER = 3.2
HARM = {"lose": 1.0, "sear": 0.7, "void": 0.9, "discard": 3.5, "discard_random": 3.5}  # for each n
HELP = {"heal": 0.9, "remove": 2.5, "convert": 1.5, "draw": 3.0, "light": 1.0, "extra_set": 2.0}  # for each n
FLAT = {"destroy": 7.0, "trap": 7.0, "barrier": 4.0, "boost": 4.0}  # for any n
ON_SELF, ON_ENEMY = ("self", "own"), ("enemy",)
AT_ENEMY = ("any", "runeslinger", "enemy", "each")
WEARING = ("sear", "void")  # effects that take cards from a deck


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
        record["rating"][number], record["punch"][number] = rating(card), punch(card.effects)
    numbers = {
        part: {one.id: number for number, one in enumerate(getattr(cards, part))}
        for part in ("runeslinger", "stance", "ability", "card")
    }
    for number, deck in enumerate(cards.deck):
        write_deck(record, number, deck, numbers)
        record["wear"][number] = wear(deck, cards)
    write_usable(record)
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
        for effect in filter(announces, flat(effects)):
            self.row["announced"][begin] = effect.n if isinstance(effect, Apply) else 1
            self.row["distinct"][begin] = isinstance(effect, Apply) and effect.distinct
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


def rating(card: Card) -> float:
    """Rating of one card, with its cost in light subtracted."""
    worth = list_worth(card.effects, card)
    if card.bullets:
        bullets = [list_worth(bullet, card) for bullet in card.bullets]
        worth += min(bullets) if "fate" in card.keywords else max(bullets)
    if card.type not in RUNESPELLS:
        worth += DEFENCE_CARD + DEFENCE_COST * card.cost
    if "distract" in card.keywords:
        worth += DISTRACT
    return worth + EXTRA_DISCARD * card.extra_cost.discard - COST * card.cost


def list_worth(effects: Sequence[Effect] | Sequence[HitEffect], card: Card) -> float:
    """Worth of a list of effects of a card."""
    worth = 0.0
    for effect in effects:
        worth += effect_worth(effect, card)
    return worth


def effect_worth(effect: Effect | HitEffect, card: Card) -> float:
    """Worth of one effect, including the effects of its hit."""
    op, n = effect.op, getattr(effect, "n", 0)
    if op in FLAT:
        return 0.0 if op == "barrier" and effect.to in ON_ENEMY else FLAT[op]
    if op in HELP:
        return HELP[op] * n * sign_of(effect.to, against=ON_ENEMY)
    if isinstance(effect, Damage):
        sharp = SHARP if effect.direct or "pierce" in card.keywords else 1.0
        return n * sharp * times_of(effect) * sign_of(effect.to, against=ON_SELF) + list_worth(effect.hit, card)
    if isinstance(effect, Apply):
        return APPLY.get(effect.ailment, APPLY_OTHER) * n * sign_of(effect.to, against=ON_SELF)
    return HARM.get(op, 0.0) * n * sign_of(effect.to, against=ON_SELF)


def sign_of(to: str, *, against: Collection[str]) -> int:
    """Whether an effect counts for the card (1), against it (-1), or on both players (0)."""
    return 0 if to == "each" else -1 if to in against else 1


def times_of(effect: Damage) -> int:
    """By how much the number of a damage effect is multiplied: by the ailments of the target, if it is for each of them."""
    return EXPOSED if "per" in effect.model_fields_set else 1


def punch(effects: Sequence[Effect]) -> float:
    """Health that a list of effects takes from an enemy Runeslinger that does not block."""
    taken = 0.0
    for effect in effects:
        if isinstance(effect, Damage) and effect.to in AT_ENEMY:
            taken += effect.n * times_of(effect)
        elif effect.op == "lose" and effect.to in AT_ENEMY:
            taken += effect.n
    return taken


def wear(deck: Deck, cards: RuneslingersFile) -> float:
    """Cards of the enemy's deck that a card of a deck wears away when it is played, triggers of the stance included: the mean."""
    (stance,) = (stance for stance in cards.stance if stance.id == deck.stance)
    copies = deck.cards.copies()
    worn = {card.id: card_wear(card, stance, cards.ailment) for card in cards.card if card.id in copies}
    return sum(worn[word] for word, count in copies.items() for _ in range(count)) / sum(copies.values())


def card_wear(card: Card, stance: Stance, ailments: Sequence[AilmentTable]) -> float:
    """Cards of the enemy's deck that playing one card wears away, including triggers of a stance."""
    worn = max(list_wear(effects, ailments) for effects in (card.effects, *card.bullets))
    for trigger in stance.triggers:
        if trigger.when == f"sling_{card.type}":
            worn += list_wear(trigger.effects, ailments)
    return worn


def list_wear(effects: Sequence[Effect] | Sequence[HitEffect], ailments: Sequence[AilmentTable]) -> float:
    """The same for a list of effects, including what ailments do when they are applied."""
    worn = 0.0
    for effect in effects:
        if isinstance(effect, Simple) and effect.op in WEARING and effect.to in (*AT_ENEMY, "same"):
            worn += effect.n
        elif isinstance(effect, Apply) and effect.ailment != CHOOSE:
            applied = ailments[Ailment[effect.ailment.upper()]].on_apply
            own = [one.n for one in applied if isinstance(one, Simple) and one.op in WEARING and one.to == "self"]
            worn += effect.n * sum(own)
        elif isinstance(effect, Damage):
            worn += list_wear(effect.hit, ailments)
    return worn


CARD_FORMAT = CardFormat(RuneslingersFile, CARDS, REFERENCE, derive)
