"""The card file of Rookling Heroes: read, validated and compiled to the CARDS record.

`schema` defines the tables that a card file can contain and checks them.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import address
from sim.engine.cards import CardSet, read_document, validate
from sim.engine.evaluation import write_weights
from sim.games.rookling import record
from sim.games.rookling.ablation import write_things
from sim.games.rookling.cards.schema import AnyLine, Effect, FieldEffect, Rookling, RooklingFile, Rules, ShuffleField, Token
from sim.games.rookling.record import (
    ANY,
    CARDS,
    FEATURES,
    GREY,
    NONE,
    NUMBERS,
    Kind,
    Mask,
    Op,
    Scope,
    Trigger,
    Until,
    write_worth,
)
from sim.games.rookling.teams import entrants_of, squads_of

REFERENCE = Path(__file__).parents[1] / "cards.toml"

_PLAIN = (
    *("heal_cap", "hand", "hand_max", "second_hand", "turn_cap", "mirror", "dump", "one_line_per_rookling"),
    *("siege_chain_blocks", "hit_on_landing"),
)
_CHOICES = {
    "squad_mode": record.SquadMode,
    "first_attacker": record.FirstAttacker,
    "opening_row": record.OpeningRow,
    "draw_mode": record.DrawMode,
    "charge_colour": record.ChargeColour,
    "hold_block": record.HoldBlock,
    "poison_clear_draw": record.PoisonClearDraw,
    "e1_order": record.E1Order,
}
_HIGHER_IS_WEAKER = "number"  # of all other siege numbers, lower is weaker


def load(path: Path | None = None) -> CardSet:
    """The card set of a folder or .toml file, or the reference set. Raises CardError if it is invalid."""
    document, file = read_document(path, REFERENCE)
    return from_document(document, file)


def from_document(document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
    """The card set of a parsed TOML document. Its entrants are all squads of three Rooklings.

    where: the name of the document in messages. Raises CardError as `load` does.
    """
    cards = validate(RooklingFile, document, where)
    rooklings = cards.rookling
    entrants = entrants_of(tuple(one.id for one in rooklings), tuple(one.name for one in rooklings))
    switches = cards.rules.model_dump(exclude=set(Rules.CONSTANTS))
    return CardSet.of(compile_cards(cards), entrants, switches, document, where, _reference())


@cache
def _reference() -> Mapping[str, Any]:
    """The reference set as a document."""
    return read_document(None, REFERENCE)[0]


def compile_cards(cards: RooklingFile) -> np.ndarray:
    """Compile a valid card file to a CARDS record, shape (1,)."""
    table = np.zeros(1, CARDS)
    row = table[0]
    _write_rules(row, cards.rules)
    colours = {colour: number for number, colour in enumerate(cards.energy.colours)}
    tokens = {token.id: kind for kind, token in enumerate(cards.token)}
    row["colours"] = len(colours)
    for colour, copies in cards.energy.counts.by_colour().items():
        start = colours[colour] * NUMBERS
        row["energy_count"][start : start + len(copies)] = copies
    row["energy"] = row["energy_count"].sum()
    write_tokens(row, cards.token)
    write_field_effects(row, cards.field_effect, colours, tokens)
    words = word_numbers(colours, tokens, (effect.id for effect in cards.field_effect))
    row["rooklings"] = len(cards.rookling)
    for number, rookling in enumerate(cards.rookling):
        write_rookling(row, number, rookling, cards.rules, words)
    squads = squads_of(len(cards.rookling))
    row["squads"] = len(squads)
    row["squad"][: len(squads)] = squads
    write_worth(row)
    write_things(row)
    write_weights(row, REFERENCE.parent, FEATURES)
    return table


def _write_rules(row: np.void, rules: Rules) -> None:
    for field in _PLAIN:
        row[field] = getattr(rules, field)
    for field, choices in _CHOICES.items():
        row[field] = choices[getattr(rules, field).upper()]


def cautions(cards: CardSet) -> list[str]:
    """Warnings about a valid card file: entries that are probably not intended."""
    return [
        *_weaker_siege_sides(cards.document),
        *_idle_tokens(cards.document),
        *_spent_tokens(cards),
        *_idle_switches(cards.switches),
    ]


def _weaker_siege_sides(document: Mapping[str, Any]) -> list[str]:
    """Siege numbers that are weaker than those of the front."""
    weaker = []
    for index, rookling in enumerate(document["rookling"]):
        for slot, line in enumerate(rookling["line"]):
            fronts = line | {"value": (line.get("effects") or [{}])[-1].get("n")}
            for field, number in line.get("siege", {}).items():
                front = fronts.get(field)
                if field != "source" and number != front and (number > front) == (field == _HIGHER_IS_WEAKER):
                    path = address(document, ("rookling", index, "line", slot, "siege", field))
                    weaker.append(f"{path} = {number} is weaker than the {front} of the front")
    return weaker


def _idle_tokens(document: Mapping[str, Any]) -> list[str]:
    """Tokens that no line gives and no field effect becomes."""
    given = {effect["token"] for effect in document.get("field_effect", [])}
    lines = [line for rookling in document["rookling"] for line in rookling["line"]]
    given |= {effect.get("token") for line in lines for effect in line.get("effects", [])}
    idle = [token["id"] for token in document.get("token", []) if token["id"] not in given]
    return [f"token.{word} is never played: no field effect becomes it and no line gives it" for word in idle]


def _spent_tokens(cards: CardSet) -> list[str]:
    """ROOK-59, 60. Tokens with two ops, the first of which spends them before the second acts."""
    order = cards.switches["e1_order"]
    first, never = ("heal", "damage") if order == "heal_first" else ("damage", "heal")
    words = f'is spent by its {first} before its {never} acts: it lasts until = "trigger" and rules.e1_order = "{order}"'
    return [
        f"token.{token['id']} {words}"
        for token in cards.document.get("token", [])
        if token["until"] == "trigger" and {op["op"] for op in token["ops"]} >= {"heal", "damage"}
    ]


def _idle_switches(switches: Mapping[str, Any]) -> list[str]:
    """Rules without effect in combination with others."""
    if not switches["mirror"] or switches["squad_mode"] == "choose":
        return []
    mode = switches["squad_mode"]
    return [f'rules.mirror = true does nothing with squad_mode = "{mode}": no Rookling is dealt or drafted twice']


# Writing tokens, field effects and Rooklings into the record.


_CHANGES = {"attack_flat", "attack_plus", "defence_flat", "defence_plus"}
_OP_MASKS = {
    "no_energy": Mask.NO_ENERGY,
    "no_special": Mask.NO_SPECIAL,
    "cancel_attack": Mask.CANCEL,
    "damage": Mask.DAMAGE,
    "heal": Mask.HEAL,
}
_TRIGGER_MASKS = {
    "standing": Mask.STANDING,
    "attack_turn": Mask.ATTACK_TURN,
    "faced": Mask.FACED,
    "defends": Mask.DEFENDS,
}  # of tokens that change attack or defence
_UNTIL_MASKS = {"cleared": Mask.CLEARED, "exchange": Mask.EXCHANGE, "owner_attack": Mask.OWNER_ATTACK, "trigger": Mask.TRIGGER}
_SIEGE = 1  # side of a card


def write_tokens(row: np.void, tokens: list[Token]) -> None:
    """Write the token kinds and the sets that they belong to."""
    row["tokens"] = len(tokens)
    for kind, token in enumerate(tokens):
        row["trigger"][kind] = Trigger[token.trigger.upper()]
        row["until"][kind] = Until[token.until.upper()]
        row["supply"][kind] = token.supply
        for op in token.ops:
            if size := getattr(op, "n", 0):
                row[op.op][kind] = size
        row["token_mask"][[*_masks_of(token)]] |= np.uint16(1 << kind)


def _masks_of(token: Token) -> Iterable[Mask]:
    """The sets that a token belongs to."""
    ops = {op.op for op in token.ops}
    masks = {_OP_MASKS[op] for op in ops if op in _OP_MASKS}
    if ops & _CHANGES:
        masks.add(_TRIGGER_MASKS[token.trigger])
    if token.until in _UNTIL_MASKS:
        masks.add(_UNTIL_MASKS[token.until])
    if token.harmful:
        masks.add(Mask.HARMFUL)
    if token.fixed:
        masks.add(Mask.FIXED)
    return masks


def write_field_effects(row: np.void, effects: list[FieldEffect], colours: Mapping[str, int], tokens: Mapping[str, int]) -> None:
    """Write the field effects. colours, tokens: id -> number."""
    for number, effect in enumerate(effects):
        row["effect_number"][number] = effect.number
        row["effect_colour"][number] = colours.get(effect.colour, GREY)
        row["effect_copies"][number] = effect.copies
        row["effect_token"][number] = tokens[effect.token]


def write_rookling(row: np.void, number: int, rookling: Rookling, rules: Rules, words: Mapping[str, int]) -> None:
    """Write one Rookling. words: numbers of colours, tokens and field effects, see `word_numbers`."""
    row["life"][number] = rookling.life or rules.start_life
    row["field_effect"][number] = NONE
    for field in ("match_colour", "token"):
        row[field][number] = NONE
    seen = dict.fromkeys(Kind, 0)
    for slot, line in enumerate(rookling.line):
        kind = Kind[line.kind.upper()]
        seen[kind] += 1
        row["kind"][number, slot], row["place"][number, slot] = kind, seen[kind]
        _write_line(row, (number, slot), line, words)


def word_numbers(colours: Iterable[str], tokens: Iterable[str], effects: Iterable[str]) -> dict[str, int]:
    """Numbers of all ids that lines can name, by `table.id`, so that the tables do not collide."""
    tables = {"colour": colours, "token": tokens, "field_effect": effects}
    return {f"{table}.{word}": number for table, words in tables.items() for number, word in enumerate(words)}


def _write_line(row: np.void, place: tuple[int, int], line: AnyLine, words: Mapping[str, int]) -> None:
    """Write one line with the numbers of both sides. place: Rookling, line."""
    row["colour"][place] = words.get(f"colour.{line.colour}", ANY)
    row["number"][place] = line.number, line.siege.number or line.number
    if line.kind != "special":
        row["amount"][place] = line.amount, line.siege.amount or line.amount
        row["match_bonus"][place] = line.match_bonus, line.siege.match_bonus or line.match_bonus
        row["match_colour"][place] = words.get(f"colour.{line.match_colour}", NONE)
    for index, effect in enumerate(line.effects):
        _write_effect(row, (*place, index), effect, words)
    if line.siege.value:
        row["value"][(*place, len(line.effects) - 1, _SIEGE)] = line.siege.value


def _write_effect(row: np.void, place: tuple[int, int, int], effect: Effect, words: Mapping[str, int]) -> None:
    """Write one effect with the same number on both sides. place: Rookling, line, effect."""
    row["op"][place] = Op[effect.do.upper()]
    row["scope"][place] = Scope[getattr(effect, "scope", "self").upper()]
    row["value"][place] = getattr(effect, "n", 0)
    if isinstance(effect, ShuffleField):
        row["field_effect"][place[0]] = words[f"field_effect.{effect.field_effect}"]
    elif hasattr(effect, "token"):
        row["token"][place] = words[f"token.{effect.token}"]
