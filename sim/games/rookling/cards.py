"""The card file of Rookling Heroes: read, validated and compiled to the CARDS record (register section 2).

`schema.py` and `tables.py` say what a card file may hold, `effects.py` is the closed list of what lines do, `checks.py` what
must agree; `compiling.py` writes the cards into the record, `worth.py` judges them.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cards import CardSet, read_document, validate
from sim.engine.fieldpaths import address
from sim.engine.judgement import write_weights
from sim.games.rookling import compiling, record
from sim.games.rookling.permits import write_things
from sim.games.rookling.record import CARDS, FEATURES, NUMBERS
from sim.games.rookling.schema import RooklingFile, Rules
from sim.games.rookling.teams import entrants_of, squads_of
from sim.games.rookling.worth import write_worth

REFERENCE = Path(__file__).with_name("cards.toml")

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
_HIGHER_IS_WEAKER = "number"  # of the siege numbers; of all others lower is


def load(path: Path | None = None) -> CardSet:
    """The card set of a folder or .toml file, or the reference set. Raises CardError for anything wrong with it."""
    document, file = read_document(path, REFERENCE)
    return from_document(document, file)


def from_document(document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
    """The card set of a document as TOML would give it: its entrants are all squads of three Rooklings.

    where: its name in messages. Raises CardError as `load`.
    """
    cards = validate(RooklingFile, document, where)
    rooklings = cards.rookling
    entrants = entrants_of(tuple(one.id for one in rooklings), tuple(one.name for one in rooklings))
    switches = cards.rules.model_dump(exclude=set(Rules.CONSTANTS))
    return CardSet.of(compile_cards(cards), entrants, switches, document, where, _reference())


@cache
def _reference() -> Mapping[str, Any]:
    """The reference set as read."""
    return read_document(None, REFERENCE)[0]


def compile_cards(cards: RooklingFile) -> np.ndarray:
    """A valid card file as a CARDS record, shape (1,)."""
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
    compiling.write_tokens(row, cards.token)
    compiling.write_field_effects(row, cards.field_effect, colours, tokens)
    words = compiling.word_numbers(colours, tokens, (effect.id for effect in cards.field_effect))
    row["rooklings"] = len(cards.rookling)
    for number, rookling in enumerate(cards.rookling):
        compiling.write_rookling(row, number, rookling, cards.rules, words)
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
    """What a valid card file may not mean to say, in words."""
    return [
        *_weaker_siege_sides(cards.document),
        *_idle_tokens(cards.document),
        *_spent_tokens(cards),
        *_idle_switches(cards.switches),
    ]


def _weaker_siege_sides(document: Mapping[str, Any]) -> list[str]:
    """Siege numbers that are worse than those of the front."""
    found = []
    for index, rookling in enumerate(document["rookling"]):
        for slot, line in enumerate(rookling["line"]):
            fronts = line | {"value": (line.get("effects") or [{}])[-1].get("n")}
            for field, number in line.get("siege", {}).items():
                front = fronts.get(field)
                if field != "source" and number != front and (number > front) == (field == _HIGHER_IS_WEAKER):
                    path = address(document, ("rookling", index, "line", slot, "siege", field))
                    found.append(f"{path} = {number} is weaker than the {front} of the front")
    return found


def _idle_tokens(document: Mapping[str, Any]) -> list[str]:
    """Tokens that nothing makes or gives."""
    given = {effect["token"] for effect in document.get("field_effect", [])}
    lines = [line for rookling in document["rookling"] for line in rookling["line"]]
    given |= {effect.get("token") for line in lines for effect in line.get("effects", [])}
    idle = [token["id"] for token in document.get("token", []) if token["id"] not in given]
    return [f"token.{word} is never played: no field effect becomes it and no line gives it" for word in idle]


def _spent_tokens(cards: CardSet) -> list[str]:
    """ROOK-59, 60. Tokens that one of their ops spends before the other acts."""
    order = cards.switches["e1_order"]
    first, never = ("heal", "damage") if order == "heal_first" else ("damage", "heal")
    words = (
        f'is spent by its {first} before its {never} acts: it lasts until = "trigger" and rules.e1_order = "{order}"'
    )
    return [
        f"token.{token['id']} {words}"
        for token in cards.document.get("token", [])
        if token["until"] == "trigger" and {op["op"] for op in token["ops"]} >= {"heal", "damage"}
    ]


def _idle_switches(switches: Mapping[str, Any]) -> list[str]:
    """Rules that do nothing beside others."""
    if not switches["mirror"] or switches["squad_mode"] == "choose":
        return []
    mode = switches["squad_mode"]
    return [f'rules.mirror = true does nothing with squad_mode = "{mode}": no Rookling is dealt or drafted twice']
