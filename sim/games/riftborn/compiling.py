"""Rules, cards and decks of a valid card file, written into the CARDS record."""

from collections.abc import Mapping

import numpy as np

from sim.games.riftborn import switches
from sim.games.riftborn.keywords import WHEN_PLAYED, parsed
from sim.games.riftborn.record import NONE, Kind, List, Op, Side, Target, Token
from sim.games.riftborn.schema import Deck, Rules
from sim.games.riftborn.tables import AnyCard, Aura, Body, Creature, Spell
from sim.games.riftborn.vocabulary import (
    SIDED,
    Add,
    Clear,
    DamagePlayer,
    Effect,
    Grant,
    Lose,
    OnCreatures,
    PlayFree,
    Summon,
)

_PLAIN = (
    *("level_xp", "start_life", "turn_xp", "turn_cap", "start_hand", "mulligans", "turn_draw", "flight_range"),
    *("max_rows", "max_per_row", "aoo_xp", "contact_retaliation", "dead_retaliate", "rage_before_retaliation"),
    *("mutual_kill_xp", "second_draw", "second_xp"),
)
_RENAMED = {"first_draw": "first_player_first_draw", "divisor": "retaliation_divisor"}
_CHOICES = {
    "level_budget": switches.LevelBudget,
    "adjacent_enemies": switches.AdjacentEnemies,
    "clear_path": switches.ClearPath,
    "kill_xp": switches.KillXp,
    "siphon_timing": switches.SiphonTiming,
    "siphon_counts": switches.SiphonCounts,
    "relentless_on": switches.RelentlessOn,
    "stealth_cover": switches.StealthCover,
    "morale_start": switches.MoraleStart,
    "weapon_uses": switches.WeaponUses,
    "transform_keeps": switches.TransformKeeps,
}
_SIDES = {
    **dict.fromkeys(("friend", "own"), Side.FRIEND),
    "enemy": Side.ENEMY,
    **dict.fromkeys(("any", "all", "both"), Side.ANY),
}

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
    """Abilities; those that are repeated have X 1 and add up to how often they stand there."""
    borne = [parsed(text) for text in card.keywords]
    for ability, x in borne:
        row["ability"][number, ability] += x
    played = [ability for ability, _ in borne if ability in WHEN_PLAYED]
    row["played"][number, : len(played)] = played


def _write_body(row: np.void, number: int, card: Body, numbers: Mapping[str, int]) -> None:
    """What only creatures and tokens have."""
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
    """What an AURA gives."""
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
    """Write one entry: its op and those of its parameters that there are."""
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
    """Whom an entry reaches."""
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
