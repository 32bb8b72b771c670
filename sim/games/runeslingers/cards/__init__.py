"""Card files of Runeslingers: load them, compile them to the CARDS record, name their cards.

`schema` defines the tables of a card file, `checks` what must agree between them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import plain
from sim.engine.cards import CardSet, read_document, validate
from sim.engine.evaluation import write_weights
from sim.games.runeslingers import record
from sim.games.runeslingers.ablation import write_usable
from sim.games.runeslingers.cards.checks import RuneslingersFile, cautions
from sim.games.runeslingers.cards.schema import (
    Ability,
    AilmentTable,
    Apply,
    BoostStat,
    Card,
    Convert,
    Damage,
    Deck,
    Effect,
    HitEffect,
    Rules,
    Runeslinger,
    Stance,
    Static,
    Trigger,
    titled,
)
from sim.games.runeslingers.record import (
    AILMENT_WORDS,
    CARDS,
    FEATURES,
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
    write_wear,
    write_worth,
)

__all__ = [
    "REFERENCE",
    "card_name",
    "cautions",
    "compile_cards",
    "from_document",
    "ids_of",
    "kind_of",
    "load",
    "names_in",
    "names_of",
]

REFERENCE = Path(__file__).parents[1] / "cards.toml"
_PLAIN = (
    *("start_power", "start_hand", "start_concentrations", "max_hand", "concentration_areas", "ailment_areas"),
    *("ailment_limit", "draw", "first_draw", "pass_draw", "sets_per_turn", "blocks_per_turn", "turn_cap"),
    *("float_light", "own_targets", "second_draw"),
)
_CHOICES = {
    "answer_on": record.AnswerOn,
    "deck_out": record.DeckOut,
    "concealed_type": record.ConcealedType,
    "pierce_barrier": record.PierceBarrier,
    "hand_limit": record.HandLimit,
    "double_loss": record.DoubleLoss,
    "slot_choice": record.SlotChoice,
    "ailment_phase_order": record.AilmentPhaseOrder,
    "first": record.First,
}
_NEEDS = {
    "defence": Need.DEFENCE,
    "runespell": Need.RUNESPELL,
    "concentration": Need.CONCENTRATION,
    "card": Need.CARD,
}  # any other target always exists, except for damage to one's own objects (Need.OWN)
_PICKERS = {"choice": Picker.PLAYER, "fate": Picker.ENEMY}
_JOINTS = frozenset(("on", "own", "enemy", "concentration", "effect", "stance"))  # words with a meaning in decisions


def load(path: Path | None = None) -> CardSet:
    """The card set of a folder or .toml file, or the reference set. Raises CardError if anything is wrong with it."""
    document, file = read_document(path, REFERENCE)
    return from_document(document, file)


def from_document(document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
    """The card set of a document as parsed from TOML; its entrants are the decks.

    where: its name in messages. Raises CardError like `load`.
    """
    cards = validate(RuneslingersFile, document, where)
    entrants = {deck.id: deck.title for deck in cards.deck}
    switches = cards.rules.model_dump(exclude=set(Rules.CONSTANTS))
    return CardSet.of(compile_cards(cards), entrants, switches, document, where, _reference())


@cache
def _reference() -> Mapping[str, Any]:
    """The reference set as read from its file."""
    return read_document(None, REFERENCE)[0]


def compile_cards(cards: RuneslingersFile) -> np.ndarray:
    """A valid card file as a CARDS record, shape (1,)."""
    table = np.zeros(1, CARDS)
    row = table[0]
    rows = Rows(row)
    write_rules(row, cards.rules)
    for number, ailment in enumerate(cards.ailment):
        write_ailment(row, rows, number, ailment)
    for number, hero in enumerate(cards.runeslinger):
        write_hero(row, rows, number, hero)
    for number, stance in enumerate(cards.stance):
        write_stance(row, rows, number, stance)
    for number, ability in enumerate(cards.ability):
        write_ability(row, rows, number, ability)
    row["cards"] = len(cards.card)
    for number, card in enumerate(cards.card):
        write_card(row, rows, number, card)
    numbers = {
        part: {one.id: number for number, one in enumerate(getattr(cards, part))}
        for part in ("runeslinger", "stance", "ability", "card")
    }
    row["decks"] = len(cards.deck)
    for number, deck in enumerate(cards.deck):
        write_deck(row, number, deck, numbers)
    write_usable(row)
    write_worth(row)
    write_wear(row)
    write_weights(row, REFERENCE.parent, FEATURES)
    return table


class Rows:
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


def _entries(cards: CardSet, table: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = cards.document[table]
    return entries


@lru_cache(maxsize=16)  # a replay asks for names ten thousand times
def ids_of(cards: CardSet) -> tuple[str, ...]:
    """Ids of the cards, in the order of the card file."""
    return tuple(entry["id"] for entry in _entries(cards, "card"))


@lru_cache(maxsize=16)
def names_of(cards: CardSet) -> tuple[str, ...]:
    """Display names of the cards, with the id where the name alone would be ambiguous."""
    names = [entry.get("name") or titled(entry["id"]) for entry in _entries(cards, "card")]
    words = [plain(name) for name in names]
    counts = Counter(words)
    return tuple(
        f"{name} ({id_})"
        if not word or counts[word] > 1 or word in AILMENT_WORDS or set("(),") & set(word) or _JOINTS & {*word.split()}
        else name
        for name, word, id_ in zip(names, words, ids_of(cards), strict=True)
    )


def card_name(cards: CardSet, card: int) -> str:
    """Display name of a card by its row in the card file."""
    return names_of(cards)[card]


@lru_cache(maxsize=64)
def names_in(cards: CardSet, table: str) -> tuple[str, ...]:
    """Display names of all `runeslinger`, `stance` or `ability` entries, in the order of the card file."""
    return tuple(entry.get("name") or titled(entry["id"]) for entry in _entries(cards, table))


def kind_of(cards: CardSet, card: int) -> Kind:
    """Type of a card by its row in the card file."""
    return Kind(cards.record[0]["kind"][card])
