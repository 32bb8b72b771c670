"""Rules, ailments, Runeslingers, equips, cards and decks of a valid card file, written into the CARDS record."""

from collections.abc import Mapping, Sequence

import numpy as np

from sim.games.runeslingers import switches
from sim.games.runeslingers.record import (
    NO_ROW,
    NO_STAT,
    NONE,
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
from sim.games.runeslingers.schema import Deck, Rules
from sim.games.runeslingers.tables import Ability, AilmentTable, Card, Runeslinger, Stance
from sim.games.runeslingers.vocabulary import (
    Apply,
    BoostStat,
    Convert,
    Damage,
    Effect,
    HitEffect,
    Static,
    Trigger,
)

_PLAIN = (
    *("start_power", "start_hand", "start_concentrations", "max_hand", "concentration_areas", "ailment_areas"),
    *("ailment_limit", "draw", "first_draw", "pass_draw", "sets_per_turn", "blocks_per_turn", "turn_cap"),
    *("float_light", "own_targets", "second_draw"),
)
_CHOICES = {
    "answer_on": switches.AnswerOn,
    "deck_out": switches.DeckOut,
    "concealed_type": switches.ConcealedType,
    "pierce_barrier": switches.PierceBarrier,
    "hand_limit": switches.HandLimit,
    "double_loss": switches.DoubleLoss,
    "slot_choice": switches.SlotChoice,
    "ailment_phase_order": switches.AilmentPhaseOrder,
    "first": switches.First,
}
_NEEDS = {
    "defence": Need.DEFENCE,
    "runespell": Need.RUNESPELL,
    "concentration": Need.CONCENTRATION,
    "card": Need.CARD,
}  # all other targets are never missing, but those of damage to one's own
_PICKERS = {"choice": Picker.PLAYER, "fate": Picker.ENEMY}


class Rows:
    """The lists of a record, written one behind the other; row 0 of each kind is the empty list."""

    def __init__(self, row: np.void) -> None:
        self.row = row
        self.effects_n = self.statics_n = self.triggers_n = NO_ROW + 1
        for field in ("ailment", "boost"):
            row[field] = NONE
        row["stat"] = NO_STAT

    def effects(self, effects: Sequence[Effect] | Sequence[HitEffect]) -> int:
        """Write a list of effects, then the lists of what a hit does. Returns its row."""
        if not effects:
            return NO_ROW
        begin = self.effects_n
        self.effects_n += len(effects) + 1
        for at, effect in enumerate(effects, begin):
            self._effect(at, effect)
        return begin

    def _effect(self, at: int, effect: Effect | HitEffect) -> None:
        """Write one effect: its op and those of its parameters that there are."""
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
    bits = 0
    for trigger in triggers:
        bits |= 1 << When[trigger.when.upper()]
    return bits


def write_rules(row: np.void, rules: Rules) -> None:
    """Write constants and switches."""
    for field in _PLAIN:
        row[field] = getattr(rules, field)
    for field, choices in _CHOICES.items():
        row[field] = choices[getattr(rules, field).upper()]


def write_ailment(row: np.void, rows: Rows, number: int, ailment: AilmentTable) -> None:
    """Write one ailment."""
    row["threshold"][number] = ailment.threshold
    for field in ("on_apply", "ailment_phase", "after_draw"):
        row[field][number] = rows.effects(getattr(ailment, field))
    for field in ("per_instance", "while_any", "level2"):
        row[field][number] = rows.statics(getattr(ailment, field))


def write_hero(row: np.void, rows: Rows, number: int, hero: Runeslinger) -> None:
    """Write one Runeslinger."""
    row["hero_health"][number] = hero.health
    row["hero_block"][number] = hero.block
    row["inherent_light"][number] = hero.inherent.light
    row["inherent_per_turn"][number] = hero.inherent.per_turn
    row["inherent"][number] = rows.effects(hero.inherent.effects)
    row["inherent_needs"][number] = needs_of(hero.inherent.effects)


def write_stance(row: np.void, rows: Rows, number: int, stance: Stance) -> None:
    """Write one stance."""
    row["stance_statics"][number] = rows.statics(stance.statics)
    row["stance_triggers"][number] = rows.triggers(stance.triggers)
    row["stance_hears"][number] = hears_of(stance.triggers)


def write_ability(row: np.void, rows: Rows, number: int, ability: Ability) -> None:
    """Write one ability."""
    row["ability_cost"][number] = ability.determination
    row["ability_effects"][number] = rows.effects(ability.effects)
    row["ability_needs"][number] = needs_of(ability.effects)


def write_card(row: np.void, rows: Rows, number: int, card: Card) -> None:
    """Write one card."""
    row["kind"][number] = Kind[card.type.upper()]
    row["cost"][number] = card.cost
    row["defence"][number] = card.defence
    row["extra_discard"][number] = card.extra_cost.discard
    for field in ("pierce", "shout", "distract", "charge"):
        row[field][number] = field in card.keywords
    row["tokens"][number] = card.tokens if "token" in card.keywords else 0
    row["picker"][number] = next((_PICKERS[word] for word in card.keywords if word in _PICKERS), Picker.NOBODY)
    row["effects"][number] = rows.effects(card.effects)
    row["needs"][number] = needs_of(card.effects)
    row["bullets"][number] = len(card.bullets)
    for at, bullet in enumerate(card.bullets):
        row["bullet"][number, at] = rows.effects(bullet)
        row["bullet_needs"][number, at] = needs_of(bullet)
    row["statics"][number] = rows.statics(card.statics)
    row["triggers"][number] = rows.triggers(card.triggers)
    row["hears"][number] = hears_of(card.triggers)
    for at, activated in enumerate(card.activated):
        row["act_effects"][number, at] = rows.effects(activated.effects)
        row["act_needs"][number, at] = needs_of(activated.effects)
        for field in ("light", "tokens", "use", "per_turn"):
            row[f"act_{field}"][number, at] = getattr(activated, field)


def write_deck(row: np.void, number: int, deck: Deck, numbers: Mapping[str, Mapping[str, int]]) -> None:
    """Write one deck, copy by copy in the order of its list. numbers: by table and id."""
    cards = [(numbers["card"][word], copies) for word, copies in deck.cards.copies().items()]
    held = [(card, slot) for slot, (card, copies) in enumerate(cards) for _ in range(copies)]
    row["deck_size"][number] = len(held)
    row["deck_slot"][number] = NONE
    for copy, (card, slot) in enumerate(held):
        row["deck"][number, copy] = card
        row["deck_slot"][number, copy] = slot
    for field, table in (("hero", "runeslinger"), ("stance", "stance"), ("ability", "ability")):
        row[field][number] = numbers[table][getattr(deck, table)]
