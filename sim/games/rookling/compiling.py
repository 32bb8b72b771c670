"""Tokens, field effects and Rooklings of a valid card file, written into the CARDS record."""

from collections.abc import Iterable, Mapping

import numpy as np

from sim.games.rookling.effects import Effect, ShuffleField
from sim.games.rookling.record import ANY, GREY, NONE, Kind, Mask, Op, Scope, Trigger, Until
from sim.games.rookling.schema import AnyLine, Rookling, Rules
from sim.games.rookling.tables import FieldEffect, Token

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
_UNTIL_MASKS = {
    "cleared": Mask.CLEARED,
    "exchange": Mask.EXCHANGE,
    "owner_attack": Mask.OWNER_ATTACK,
    "trigger": Mask.TRIGGER,
}
_SIEGE = 1  # side of a card


def write_tokens(row: np.void, tokens: list[Token]) -> None:
    """Write the kinds of tokens, and the sets of them."""
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
    """The sets that a token belongs to, each once."""
    ops = {op.op for op in token.ops}
    found = {_OP_MASKS[op] for op in ops if op in _OP_MASKS}
    if ops & _CHANGES:
        found.add(_TRIGGER_MASKS[token.trigger])
    if token.until in _UNTIL_MASKS:
        found.add(_UNTIL_MASKS[token.until])
    if token.harmful:
        found.add(Mask.HARMFUL)
    if token.fixed:
        found.add(Mask.FIXED)
    return found


def write_field_effects(
    row: np.void, effects: list[FieldEffect], colours: Mapping[str, int], tokens: Mapping[str, int]
) -> None:
    """Write the field effects. colours, tokens: word -> number."""
    for number, effect in enumerate(effects):
        row["effect_number"][number] = effect.number
        row["effect_colour"][number] = colours.get(effect.colour, GREY)
        row["effect_copies"][number] = effect.copies
        row["effect_token"][number] = tokens[effect.token]


def write_rookling(row: np.void, number: int, rookling: Rookling, rules: Rules, words: Mapping[str, int]) -> None:
    """Write one Rookling. words: colours, tokens and field effects -> number, see `word_numbers`."""
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
    """Numbers of all words that lines use; those of one table do not meet those of another."""
    tables = {"colour": colours, "token": tokens, "field_effect": effects}
    return {f"{table}.{word}": number for table, words in tables.items() for number, word in enumerate(words)}


def _write_line(row: np.void, place: tuple[int, int], line: AnyLine, words: Mapping[str, int]) -> None:
    """Write one line: numbers of both sides. place: Rookling, line."""
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
    """Write one effect, alike on both sides. place: Rookling, line, effect."""
    row["op"][place] = Op[effect.do.upper()]
    row["scope"][place] = Scope[getattr(effect, "scope", "self").upper()]
    row["value"][place] = getattr(effect, "n", 0)
    if isinstance(effect, ShuffleField):
        row["field_effect"][place[0]] = words[f"field_effect.{effect.field_effect}"]
    elif hasattr(effect, "token"):
        row["token"][place] = words[f"token.{effect.token}"]
