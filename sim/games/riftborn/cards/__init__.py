"""Card files of Riftborn Tactics: load them, compile them to the CARDS record, name their cards.

`schema` defines the tables of a card file, `checks` what must agree between them.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import plain
from sim.engine.cards import CardSet, read_document, validate
from sim.engine.evaluation import write_weights
from sim.games.riftborn import record
from sim.games.riftborn.ablation import write_things
from sim.games.riftborn.cards.checks import RiftbornFile
from sim.games.riftborn.cards.schema import (
    NUMBERED,
    SIDED,
    WHEN_PLAYED,
    Add,
    AnyCard,
    Aura,
    Body,
    Clear,
    Creature,
    DamagePlayer,
    Deck,
    Effect,
    Grant,
    Lose,
    OnCreatures,
    PlayFree,
    Rules,
    Spell,
    Summon,
    known,
    parsed,
    titled,
    word_of,
)
from sim.games.riftborn.evaluation import write_worth
from sim.games.riftborn.record import CARDS, FEATURES, NONE, Ability, Kind, List, Op, Side, Target, Token, Trick

_PLAIN = (
    *("level_xp", "start_life", "turn_xp", "turn_cap", "start_hand", "mulligans", "turn_draw", "flight_range"),
    *("max_rows", "max_per_row", "aoo_xp", "contact_retaliation", "dead_retaliate", "rage_before_retaliation"),
    *("mutual_kill_xp", "second_draw", "second_xp"),
)
_RENAMED = {"first_draw": "first_player_first_draw", "divisor": "retaliation_divisor"}
_CHOICES = {
    "level_budget": record.LevelBudget,
    "adjacent_enemies": record.AdjacentEnemies,
    "clear_path": record.ClearPath,
    "kill_xp": record.KillXp,
    "siphon_timing": record.SiphonTiming,
    "siphon_counts": record.SiphonCounts,
    "relentless_on": record.RelentlessOn,
    "stealth_cover": record.StealthCover,
    "morale_start": record.MoraleStart,
    "weapon_uses": record.WeaponUses,
    "transform_keeps": record.TransformKeeps,
}
_SIDES = {**dict.fromkeys(("friend", "own"), Side.FRIEND), "enemy": Side.ENEMY, **dict.fromkeys(("any", "all", "both"), Side.ANY)}

Place = tuple[int, int, int]  # card, List, entry


def write_rules(row: np.void, rules: Rules) -> None:
    """Write constants and switches."""
    for field in _PLAIN:
        row[field] = getattr(rules, field)
    for field, name in _RENAMED.items():
        row[field] = getattr(rules, name)
    for field, choices in _CHOICES.items():
        row[field] = choices[getattr(rules, field).upper()]


def write_card(row: np.void, number: int, card: AnyCard, numbers: Mapping[str, int]) -> None:
    """Write one card. numbers: of all cards by id."""
    row["kind"][number] = Kind[card.type.upper()]
    for field in ("level", "attack", "health", "xp"):
        row[field][number] = getattr(card, field)
    for field in ("played", "summon", "transform", "aura_ability", "granted", "summoned"):
        row[field][number] = NONE
    _write_keywords(row, number, card)
    if isinstance(card, Spell):
        _write_list(row, (number, List.MAIN), card.effects, numbers)
    elif isinstance(card, Body):
        _write_body(row, number, card, numbers)


def _write_keywords(row: np.void, number: int, card: AnyCard) -> None:
    """Write the abilities; repeated ones have X 1, so that the sum is their number."""
    borne = [parsed(text) for text in card.keywords]
    for ability, x in borne:
        row["ability"][number, ability] += x
    played = [ability for ability, _ in borne if ability in WHEN_PLAYED]
    row["played"][number, : len(played)] = played


def _write_body(row: np.void, number: int, card: Body, numbers: Mapping[str, int]) -> None:
    """Write the fields that only creatures and tokens have."""
    row["double_retarget"][number] = card.double_retarget
    for field in ("summon", "transform"):
        row[field][number] = numbers.get(getattr(card, field), NONE)
    if "aura" in card.model_fields_set:
        _write_aura(row, number, card.aura)
    _write_list(row, (number, List.MAIN), card.spell_action, numbers)
    if isinstance(card, Creature):
        for trick, entries in zip((List.TRICK_1, List.TRICK_2), card.tricks, strict=False):
            _write_list(row, (number, trick), entries, numbers)


def _write_aura(row: np.void, number: int, aura: Aura) -> None:
    """Write what an AURA gives."""
    row["aura_side"][number] = _SIDES[aura.side]
    row["aura_attack"][number] = aura.attack
    row["aura_health"][number] = aura.health
    if aura.keyword:
        row["aura_ability"][number], row["aura_x"][number] = parsed(aura.keyword)


def _write_list(row: np.void, place: tuple[int, int], entries: list[Effect], numbers: Mapping[str, int]) -> None:
    """Write an effect list. place: card, List."""
    for index, entry in enumerate(entries):
        _write_entry(row, (*place, index), entry, numbers)


def _write_entry(row: np.void, place: Place, entry: Effect, numbers: Mapping[str, int]) -> None:
    """Write one entry: its op and the parameters that it has."""
    row["op"][place] = Op[entry.op.upper()]
    row["n"][place] = entry.max_level if isinstance(entry, PlayFree) else getattr(entry, "n", 0)
    if isinstance(entry, Add | Clear):
        row["token"][place] = Token[entry.kind.upper()]
    elif isinstance(entry, Grant | Lose):
        row["granted"][place], row["granted_x"][place] = parsed(entry.keyword)
    elif isinstance(entry, DamagePlayer):
        row["side"][place] = _SIDES[entry.who]
    elif isinstance(entry, Summon):
        row["summoned"][place] = numbers[entry.token]
    if isinstance(entry, OnCreatures):
        _write_target(row, place, entry)


def _write_target(row: np.void, place: Place, entry: OnCreatures) -> None:
    """Write the targets of an entry."""
    row["target"][place] = Target[entry.target.upper()]
    if entry.target in SIDED:
        row["side"][place] = _SIDES[entry.side]
    if entry.target == "chosen":
        row["count"][place] = entry.count
        row["adjacent"][place] = entry.where == "adjacent"


def write_deck(row: np.void, number: int, deck: Deck, numbers: Mapping[str, int]) -> None:
    """Write one deck, copy by copy in the order of its list."""
    cards = [(numbers[word], copies) for word, copies in deck.cards.copies().items()]
    held = [card for card, copies in cards for _ in range(copies)]
    row["deck_size"][number] = len(held)
    row["deck"][number, : len(held)] = held
    row["deck_slot"][number] = NONE
    for slot, (card, _) in enumerate(cards):
        row["deck_slot"][number, card] = slot


REFERENCE = Path(__file__).parent.with_name("cards.toml")

_ON_ATTACK = (Ability.BLOCK, Ability.DOUBLE_ATTACK, Ability.MAGIC, Ability.RANGE, Ability.READY, Ability.SIPHON)
_JOINTS = frozenset(("on", "with", "own", "opponent"))  # words that join names in the text of decisions


def load(path: Path | None = None) -> CardSet:
    """Card set of a folder or .toml file, or the reference set. Raises CardError if anything is wrong with it."""
    document, file = read_document(path, REFERENCE)
    return from_document(document, file)


def from_document(document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
    """Card set of a document, parsed from TOML or built by hand. Its entrants are the decks.

    where: name of the document in messages. Raises CardError as `load` does.
    """
    cards = validate(RiftbornFile, document, where)
    entrants = {deck.id: deck.title for deck in cards.deck}
    switches = cards.rules.model_dump(exclude=set(Rules.CONSTANTS))
    return CardSet.of(compile_cards(cards), entrants, switches, document, where, _reference())


@cache
def _reference() -> Mapping[str, Any]:
    """The reference set as a document."""
    return read_document(None, REFERENCE)[0]


def compile_cards(cards: RiftbornFile) -> np.ndarray:
    """A valid card file as a CARDS record, shape (1,)."""
    table = np.zeros(1, CARDS)
    row = table[0]
    write_rules(row, cards.rules)
    numbers = {card.id: number for number, card in enumerate(cards.card)}
    row["cards"] = len(cards.card)
    for number, card in enumerate(cards.card):
        write_card(row, number, card, numbers)
    row["decks"] = len(cards.deck)
    for number, deck in enumerate(cards.deck):
        write_deck(row, number, deck, numbers)
    write_worth(row)
    write_things(row)
    write_weights(row, REFERENCE.parent, FEATURES)
    return table


def cautions(cards: CardSet) -> list[str]:
    """Warnings about a valid card file: what is probably a mistake."""
    document = cards.document["card"]
    return [*_idle_tokens(document), *_idle_spells(document), *_idle_abilities(document)]


def _idle_tokens(cards: list[dict[str, Any]]) -> list[str]:
    """Tokens that no card brings into play."""
    used = {card.get(field) for card in cards for field in ("summon", "transform")}
    used |= {entry.get("token") for card in cards for entry in card.get("effects", ())}
    idle = [card["id"] for card in cards if card["type"] == "token" and card["id"] not in used]
    return [f"card.{word} is never in play: no card summons it or becomes it" for word in idle]


def _idle_spells(cards: list[dict[str, Any]]) -> list[str]:
    """Spells that do nothing but give experience."""
    idle = [
        card["id"]
        for card in cards
        if card["type"] == "spell" and not card.get("effects") and not {*known(card.get("keywords", ()))} & {*WHEN_PLAYED}
    ]
    return [f"card.{word} does nothing but give experience: it has no effects and draws and looks at nothing" for word in idle]


def _idle_abilities(cards: list[dict[str, Any]]) -> list[str]:
    """Attack abilities on creatures that never attack."""
    found = []
    for card in cards:
        borne = known(card.get("keywords", ()))
        idle = ", ".join(word_of(one) for one in borne if one in _ON_ATTACK)
        if idle and Ability.PACIFIST in borne:
            found.append(f"card.{card['id']} never attacks (PACIFIST), so {idle} may do nothing on it")
    return found


def _entries(cards: CardSet) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = cards.document["card"]
    return entries


@lru_cache(maxsize=16)  # a replay needs names ten thousand times
def ids_of(cards: CardSet) -> tuple[str, ...]:
    """Ids of the cards, in the order of the card file."""
    return tuple(entry["id"] for entry in _entries(cards))


@lru_cache(maxsize=16)
def names_of(cards: CardSet) -> tuple[str, ...]:
    """Display names of the cards, with the id added if the name alone is ambiguous."""
    names = [entry.get("name") or titled(entry["id"]) for entry in _entries(cards)]
    words = [plain(name) for name in names]
    counts = Counter(words)
    return tuple(
        f"{name} ({id_})" if not word or counts[word] > 1 or set("(),") & set(word) or _JOINTS & {*word.split()} else name
        for name, word, id_ in zip(names, words, ids_of(cards), strict=True)
    )


def card_name(cards: CardSet, card: int) -> str:
    """Display name of a card by its row in the card file."""
    return names_of(cards)[card]


def kind_of(cards: CardSet, card: int) -> Kind:
    """Type of a card by its row in the card file."""
    return Kind(cards.record[0]["kind"][card])


def ability_word(ability: int, x: int = 1) -> str:
    """An ability as printed on cards: `RANGE(2)`, `DOUBLE ATTACK`; several UNDEATH as `UNDEATH(2)`."""
    word = word_of(Ability(ability))
    return f"{word}({x})" if ability in NUMBERED or x > 1 else word


def trick_word(trick: int) -> str:
    """Name of a TRICK card by its code."""
    return Trick(trick).name.capitalize()
