"""Card files for tests: the reference set with other rules, and odd cards, which do what no card of the reference set does."""

import tomllib
from copy import deepcopy
from functools import cache
from importlib.resources import files
from typing import Any

# Tables of creatures: id | level | attack / health | experience | abilities | texts; others have their type after the id, and
# effects instead of texts. A line that is indented goes on with the one before.


def reference_document(**rules: Any) -> dict[str, Any]:
    """The reference set with these rules instead of its own."""
    document = deepcopy(_reference())
    document["rules"].update(rules)
    return document


@cache
def _reference() -> dict[str, Any]:
    """Cards and decks of the reference file; the README lists their numbers."""
    document = tomllib.loads(files("sim.games.riftborn").joinpath("cards.toml").read_text(encoding="utf-8"))
    return {"rules": {}, "card": document["card"], "deck": document["deck"]}


def card_entries(creatures: str, others: str) -> list[dict[str, Any]]:
    """Cards from tables like ODD_CREATURES and ODD_OTHERS."""
    return [_creature(*cells) for cells in _lines(creatures)] + [_other(*cells) for cells in _lines(others)]


def deck_entries(decks: dict[str, str]) -> list[dict[str, Any]]:
    """Decks by id, as `4 beast_cub, 2 spark`."""
    return [{"id": name, "cards": _counts(text)} for name, text in decks.items()]


def _lines(table: str) -> list[list[str]]:
    lines = table.replace("\n    ", " ").strip().splitlines()
    return [[cell.strip() for cell in line.split("|")] for line in lines]


def _counts(text: str) -> dict[str, int]:
    return {name: int(count) for count, name in (item.split() for item in text.split(", "))}


def _numbers(id_: str, type_: str, level: str, numbers: str, xp: str, abilities: str) -> dict[str, Any]:
    attack, health = numbers.split("/")
    entry: dict[str, Any] = {"id": id_, "type": type_, "level": int(level), "xp": int(xp)}
    entry |= {"attack": int(attack), "health": int(health)}
    return entry | ({"keywords": abilities.split(", ")} if abilities else {})


def _creature(id_: str, level: str, numbers: str, xp: str, abilities: str, texts: str) -> dict[str, Any]:
    entry = _numbers(id_, "token" if level == "0" else "creature", level, numbers, xp, abilities)
    for text in texts.split("; ") if texts else []:
        what, _, rest = text.partition(" ")
        if what == "aura":
            side, key, value = rest.split()
            entry["aura"] = {"side": side, key: value if key == "keyword" else int(value)}
        elif what == "trick":
            entry.setdefault("tricks", []).append([effect(part) for part in rest.split(" + ")])
        elif what == "action":
            entry["spell_action"] = [effect(part) for part in rest.split(" + ")]
        else:
            entry[what] = rest or True
    return entry


def _other(id_: str, type_: str, level: str, numbers: str, xp: str, abilities: str, texts: str) -> dict[str, Any]:
    entry = _numbers(id_, type_, level, numbers, xp, abilities)
    return entry | ({"effects": effects(texts)} if texts else {})


def effects(text: str) -> list[dict[str, Any]]:
    """Entries of an effect list: `damage 2, chosen any 1; draw 1`."""
    return [effect(part) for part in text.split("; ")]


def effect(text: str) -> dict[str, Any]:
    """`add decay 1, chosen enemy 1 adjacent`: op, kind or keyword or token, n, player; then target, side, count, where."""
    first, _, second = text.partition(", ")
    op, *words = first.split()
    entry: dict[str, Any] = {"op": op}
    for word in words:
        if word.isdigit():
            entry["max_level" if op == "play_free" else "n"] = int(word)
        else:
            entry[{"add": "kind", "clear": "kind", "summon": "token", "damage_player": "who"}.get(op, "keyword")] = word
    for key, word in zip(("target", "side", "count", "where"), second.split(), strict=False):
        entry[key] = int(word) if key == "count" else word
    return entry


ODD_CREATURES = """
odd_warden | 1 | 3/6 | 100 | RELENTLESS, STEALTH, RAGE(2) |
odd_banner | 1 | 1/5 | 100 | STEALTH, AURA(3) | aura all health 1
odd_gloom | 1 | 2/4 | 100 | AURA(2), STEALTH | aura enemy health -1
odd_twin | 1 | 4/4 | 100 | DOUBLE ATTACK, SIPHON, RELENTLESS | double_retarget
odd_bearer | 2 | 1/9 | 200 | SUMMON(3), HASTE, BLOCK | summon tok_eggs
odd_prankster | 1 | 2/3 | 100 | TRICK, TRICK, HASTE | trick destroy, trigger + damage 1, self; trick charm, trigger + pacify, same
odd_caller | 2 | 2/6 | 100 | SPELL, DASH(3) | action damage 2, chosen any 2 adjacent +
    grant RAGE(2), same + lose STEALTH, same + clear decay 2, each any
odd_shell | 2 | 2/6 | 100 | TRANSFORM, DORMANT, VANGUARD | transform tok_eggs
tok_eggs | 0 | 3/2 | 20 | RESISTANCE, HASTE, MORALE(2) |
"""
ODD_OTHERS = """
odd_blade | weapon | 1 | 3/2 | 50 | DEPLETED, DRAW(1) |
odd_quake | spell | 1 | 0/0 | 50 | DEPLETED | damage_player 3 both; damage 2, each any; add decay 1, row any; draw 1
odd_gift | spell | 1 | 0/0 | 50 | SPY(2) | grant RELENTLESS, chosen any 2; charm, same; add shield 2, same; gain_xp 120
odd_brood | spell | 2 | 0/0 | 100 | SCRY(3) | recall; scry 2; spy 1; summon tok_eggs 2
odd_armour | armour | 1 | 0/5 | 50 | DEPLETED, SCRY(3) |
"""
ODD_DECK = (
    "5 odd_warden, 4 odd_banner, 4 odd_gloom, 5 odd_twin, 5 odd_bearer, 5 odd_prankster, 5 odd_caller, 3 odd_shell, "
    "2 odd_blade, 2 odd_quake, 3 odd_gift, 3 odd_brood, 2 odd_armour"
)


def odd_document(**rules: Any) -> dict[str, Any]:
    """The reference set and these cards, with a deck of them alone."""
    document = reference_document(**rules)
    document["card"] += card_entries(ODD_CREATURES, ODD_OTHERS)
    document["deck"] += deck_entries({"odd": ODD_DECK})
    return document
