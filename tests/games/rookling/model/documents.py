"""The reference set as a document, for tests of the model; and small changes to it.

Written a second time on purpose, to compare the card file of the game with it.
"""

from copy import deepcopy
from functools import cache
from typing import Any

COLOURS = ["red", "blue", "green", "yellow"]
WHAT = {"token_on_hit": "token", "token_self": "token", "shuffle_field": "field_effect"}
COPIES = [3, 3, 2, 2, 1, 1]  # of the numbers 1 to 6 in each colour

# id | trigger | ops | until | harmful | fixed | supply
TOKENS = """
frozen   | standing    | no_energy                     | exchange     | yes | no  | 6
poisoned | end_attack  | damage 1                      | cleared      | yes | no  | 6
confused | standing    | attack_plus -2, no_special    | owner_attack | yes | no  | 6
hidden   | faced       | cancel_attack                 | trigger      | no  | no  | 6
cover    | faced       | defence_flat 2                | trigger      | no  | no  | 0
tunnel   | standing    | attack_plus 1, defence_flat 1 | replaced     | no  | yes | 0
spark    | attack_turn | attack_flat 1                 | trigger      | no  | no  | 0
guard    | defends     | defence_plus 2                | trigger      | no  | no  | 0
regrowth | end_attack  | heal 2                        | trigger      | no  | no  | 0
"""

# id | number | colour | copies | token
FIELD_EFFECTS = """
tunnel    | 3 | grey  | 2 | tunnel
black_ice | 5 | blue  | 2 | frozen
spark     | 2 | red   | 2 | spark
shell     | 2 | blue  | 2 | guard
dusk      | 2 | grey  | 3 | hidden
rubble    | 2 | grey  | 3 | cover
dew       | 2 | green | 2 | regrowth
seed      | 6 | green | 2 | poisoned
"""

# Rookling, family; below it: line | kind | colour number | amount, match colour bonus | effects | siege
ROOKLINGS = """
Rime
  Frost Bite | attack | any 3 | 4 | token_on_hit frozen 1 | amount 5
  Ice Wall | defence | any 2 | 2 | | number 1
  Black Ice | special | blue 3 | | shuffle_field black_ice 2 | number 2
Rute
  Sting | attack | any 2 | 3 | token_on_hit poisoned 1 | amount 4
  Hide | defence | any 2 | 1 | | amount 2
  Antidote | special | green 3 | | cleanse any_own, heal any_own 1 | value 2
Hiss
  Scald | attack | any 2 | 3 | | amount 4
  Vent | attack | red 3 | 5 | token_on_hit confused 1 | number 2
  Steam Veil | defence | any 3 | 3 | | number 2
  Pressure | special | red 4 | | draw 2 | number 3
Delvi
  Claw | attack | any 2 | 3 | | amount 4
  Burrow | defence | any 2 | 2 | | amount 3
  Dig | special | yellow 2 | | shuffle_field tunnel 2 | number 1
Valt
  Arc | attack | any 2 | 3 | | amount 4
  Bolt | attack | any 7 | 8 | | number 6
  Static | defence | any 3 | 3 | | number 2
  Charge | special | any 3 | | charge self_or_neighbour 1 | value 2
Pulse Red, Pulse
  Red Beat | attack | any 2 | 3 red 2 | | match_bonus 3
  Red Echo | defence | any 2 | 1 red 1 | | amount 2
  Afterglow | special | red 2 | | shuffle_field spark 2 | number 1
Pulse Blue, Pulse
  Blue Beat | attack | any 2 | 3 blue 1 | | amount 4
  Blue Echo | defence | any 2 | 1 blue 2 | | match_bonus 3
  Undertow | special | blue 2 | | shuffle_field shell 2 | number 1
Shadow
  Ambush | attack | any 3 | 4 | | amount 5
  Slip | defence | any 3 | 2 | | number 2
  Fade | special | green 4 | | token_self hidden 1 | number 3
  Nightfall | special | green 2 | | shuffle_field dusk 3 | number 1
Stone
  Boulder | attack | any 4 | 5 | | number 3
  Bulwark | defence | any 1 | 2 | | amount 3
  Crumble | special | blue 2 | | shuffle_field rubble 3 | number 1
Spring
  Splash | attack | any 2 | 3 | | amount 4
  Bubble | defence | any 1 | 1 | | amount 2
  Mend | special | green 3 | | heal self_or_neighbour 2 | value 3
  Dewfall | special | blue 2 | | shuffle_field dew 2 | number 1
Banner
  Lance | attack | any 2 | 3 | | amount 4
  Buckler | defence | any 2 | 2 | | amount 3
  Rally | special | red 2 | | attack_plus neighbours 1 | value 2
  Shelter | special | yellow 2 | | defence_flat neighbours 1 | value 2
Thorn
  Briar | attack | any 3 | 5 | | amount 6
  Bark | defence | any 2 | 2 | | amount 3
  Sow | special | green 2 | | shuffle_field seed 2 | number 1
"""


def reference_document(**rules: Any) -> dict[str, Any]:
    """The reference set with some rules changed, as `tomllib` would read it."""
    numbers = {"start_life": 6, "heal_cap": 6, "hand": 4, "hand_max": 6, "turn_cap": 200}
    return deepcopy(_reference()) | {"rules": numbers | rules | {"source": "assumed"}}


@cache
def _reference() -> dict[str, Any]:
    return {
        "game": "rookling",
        "format": 1,
        "title": "Reference set",
        "energy": {"colours": COLOURS, "counts": dict.fromkeys(COLOURS, COPIES), "source": "assumed"},
        "token": [_token(row) for row in _rows(TOKENS)],
        "field_effect": [_field_effect(row) for row in _rows(FIELD_EFFECTS)],
        "rookling": _rooklings(),
    }


def _rows(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in row.split("|")] for row in text.strip().splitlines()]


def _name(word: str) -> str:
    return word.lower().replace(" ", "_")


def _token(row: list[str]) -> dict[str, Any]:
    name, trigger, ops, until, harmful, fixed, supply = row
    pairs = [op.split() for op in ops.split(", ")]
    return {
        "id": name,
        "name": name.capitalize(),
        "harmful": harmful == "yes",
        "fixed": fixed == "yes",
        "trigger": trigger,
        "until": until,
        "supply": int(supply),
        "ops": [{"op": op, "n": int(size[0])} if size else {"op": op} for op, *size in pairs],
        "source": "assumed",
    }


def _field_effect(row: list[str]) -> dict[str, Any]:
    name, number, colour, copies, token = row
    numbers = {"number": int(number), "copies": int(copies)}
    return {"id": name, "name": name.replace("_", " ").title(), "colour": colour, "token": token, "source": "assumed"} | numbers


def _rooklings() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for row in ROOKLINGS.strip().splitlines():
        if row.startswith(" "):
            found[-1]["line"].append(_line([cell.strip() for cell in row.split("|")]))
        else:
            name, _, family = row.partition(", ")
            found.append({"id": _name(name), "name": name, "family": family, "source": "assumed", "line": []})
    return found


def _line(row: list[str]) -> dict[str, Any]:
    name, kind, needs, gives, effects, siege = row
    colour, number = needs.split()
    line: dict[str, Any] = {"name": name, "kind": kind, "colour": colour, "number": int(number)}
    if gives:
        amount, *match = gives.split()
        line["amount"] = int(amount)
        if match:
            line |= {"match_colour": match[0], "match_bonus": int(match[1])}
    if effects:
        line["effects"] = [_effect(effect.split()) for effect in effects.split(", ")]
    override, value = siege.split()
    return line | {"siege": {override: int(value)}}


def _effect(words: list[str]) -> dict[str, Any]:
    do, *more = words
    effect: dict[str, Any] = {"do": do}
    for word in more:
        if word.isdigit():
            effect["n"] = int(word)
        else:
            effect[WHAT.get(do, "scope")] = word
    return effect
