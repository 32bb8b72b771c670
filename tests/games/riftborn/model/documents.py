"""The reference set as a document, for tests of the model; small changes to it; odd cards.

The odd cards do what no card of the reference set does.
"""

from copy import deepcopy
from functools import cache
from typing import Any

# id | level | attack / health | experience | abilities | texts; a line that is indented goes on with the one before
CREATURES = """
soldier_recruit | 1 | 2/2 | 100 | |
soldier_scout | 1 | 1/2 | 100 | DASH(2), SPY(2) |
soldier_shieldbearer | 2 | 2/4 | 200 | BLOCK |
soldier_guard | 2 | 2/5 | 200 | VANGUARD |
soldier_archer | 2 | 2/2 | 200 | RANGE(2) |
soldier_medic | 2 | 1/4 | 200 | PACIFIST, HEAL(3) |
soldier_pikeman | 3 | 3/4 | 300 | PIERCE(2) |
soldier_drummer | 3 | 2/4 | 300 | MORALE(1) |
soldier_crossbow | 4 | 4/3 | 400 | RANGE(3), READY(3) |
soldier_knight | 5 | 5/7 | 500 | BLOCK, VANGUARD |
soldier_marshal | 6 | 5/9 | 800 | HERO, MORALE(2), VANGUARD |
beast_cub | 1 | 2/2 | 100 | |
beast_runner | 2 | 3/1 | 200 | HASTE, DASH(2) |
beast_pack | 2 | 1/1 | 200 | SWARM(3) |
beast_hawk | 2 | 2/2 | 200 | FLIGHT |
beast_boar | 3 | 2/5 | 300 | RAGE(1) |
beast_shellback | 3 | 3/4 | 300 | RESISTANCE |
beast_shifter | 3 | 2/4 | 300 | TRANSFORM | transform tok_dire_beast
beast_clawcat | 4 | 3/6 | 400 | DOUBLE ATTACK |
beast_troll | 4 | 4/7 | 400 | REGEN(2) |
beast_charger | 5 | 6/6 | 500 | RELENTLESS |
beast_alpha | 6 | 6/8 | 800 | HERO, RAGE(1), AURA(1) | aura friend attack 1
beast_hydra | 7 | 4/12 | 700 | DOUBLE ATTACK, REGEN(3) | double_retarget
undead_skeleton | 1 | 2/1 | 100 | UNDEATH |
undead_leech | 2 | 3/3 | 200 | SIPHON |
undead_sleeper | 2 | 6/7 | 200 | DORMANT |
undead_plaguebearer | 3 | 3/4 | 300 | SPELL | action add decay 1, chosen enemy 1
undead_wight | 3 | 3/4 | 300 | UNDEATH |
undead_banshee | 4 | 3/5 | 400 | AURA(2) | aura enemy attack -1
undead_gravecaller | 4 | 2/6 | 400 | SUMMON(1) | summon tok_bones
undead_vampire | 5 | 5/6 | 500 | FLIGHT, SIPHON |
undead_lich | 7 | 6/8 | 900 | HERO, MAGIC, RANGE(2), UNDEATH, UNDEATH |
undead_giant | 8 | 8/10 | 800 | RELENTLESS, UNDEATH |
fae_sprite | 1 | 1/2 | 100 | FLIGHT |
fae_seer | 2 | 1/3 | 200 | DRAW(1), SCRY(2) |
fae_trickster | 2 | 2/2 | 200 | TRICK | trick damage 2, trigger
fae_stalker | 3 | 4/4 | 300 | STEALTH |
fae_charmer | 3 | 3/4 | 300 | CHARM |
fae_mage | 4 | 4/3 | 400 | MAGIC, RANGE(2) |
fae_illusionist | 4 | 3/5 | 400 | STEALTH, TRICK | trick add shield 3, subject
fae_peacekeeper | 4 | 2/7 | 400 | PACIFY, PACIFIST |
fae_treant | 5 | 3/9 | 500 | ROOTED, AURA(1) | aura friend keyword RESISTANCE
fae_queen | 6 | 4/8 | 800 | HERO, TRICK, TRICK, SPELL | trick add weakness 2, trigger;
    trick draw 1; action add shield 2, each friend
fae_drake | 6 | 5/7 | 600 | FLIGHT, MAGIC |
tok_bones | 0 | 2/1 | 50 | |
tok_dire_beast | 0 | 5/6 | 300 | |
"""

# id | type | level | attack / health | experience | abilities | effects
OTHERS = """
short_sword | weapon | 1 | 2/3 | 50 | |
longbow | weapon | 3 | 3/3 | 150 | RANGE(3) |
rune_staff | weapon | 4 | 4/3 | 200 | MAGIC, RANGE(4) |
leather_armour | armour | 1 | 0/4 | 50 | |
chain_armour | armour | 3 | 0/9 | 150 | |
plate_armour | armour | 5 | 0/15 | 250 | |
spark | spell | 1 | 0/0 | 50 | | damage 2, chosen any 1
mending | spell | 1 | 0/0 | 50 | | add health 2, chosen friend 1; heal 2, same; heal_player 2
awaken | spell | 1 | 0/0 | 50 | DEPLETED | lose DORMANT, chosen friend 1
recall | spell | 1 | 0/0 | 50 | | recall; draw 1
war_cry | spell | 2 | 0/0 | 100 | | add rage 2, chosen friend 1
insight | spell | 2 | 0/0 | 100 | DRAW(2), SCRY(2) |
curse_row | spell | 2 | 0/0 | 100 | | add weakness 2, row enemy
wither | spell | 3 | 0/0 | 150 | | add decay 3, chosen enemy 1
rift_gate | spell | 3 | 0/0 | 150 | | play_free 3
chain_burst | spell | 4 | 0/0 | 200 | | damage 3, chosen any 3
multiply | spell | 4 | 0/0 | 200 | | grant SWARM(2), chosen friend 1
rift_storm | spell | 6 | 0/0 | 300 | DEPLETED | damage_player 4 enemy; damage 2, each enemy
"""

DECKS = {
    "soldier_line": "4 soldier_recruit, 2 soldier_scout, 4 soldier_shieldbearer, 4 soldier_guard, 4 soldier_archer, "
    "2 soldier_medic, 4 soldier_pikeman, 2 soldier_drummer, 3 soldier_crossbow, 3 soldier_knight, 1 soldier_marshal, "
    "1 short_sword, 1 longbow, 1 chain_armour, 1 leather_armour, 1 war_cry, 1 mending, 1 insight",
    "beast_rush": "4 beast_cub, 4 beast_runner, 3 beast_pack, 3 beast_hawk, 4 beast_boar, 3 beast_shellback, "
    "3 beast_shifter, 3 beast_clawcat, 3 beast_troll, 3 beast_charger, 1 beast_alpha, 1 beast_hydra, 2 war_cry, 2 spark, "
    "1 multiply",
    "undead_attrition": "6 undead_skeleton, 5 undead_leech, 2 undead_sleeper, 3 undead_plaguebearer, 5 undead_wight, "
    "3 undead_banshee, 3 undead_gravecaller, 4 undead_vampire, 1 undead_lich, 2 undead_giant, 2 awaken, 2 wither, "
    "1 curse_row, 1 recall, 1 plate_armour, 2 leather_armour, 1 chain_burst",
    "fae_tricks": "4 fae_sprite, 4 fae_seer, 4 fae_trickster, 4 fae_stalker, 3 fae_charmer, 4 fae_mage, "
    "3 fae_illusionist, 2 fae_peacekeeper, 2 fae_treant, 1 fae_queen, 2 fae_drake, 2 rift_gate, 1 insight, 1 rune_staff, "
    "1 spark, 1 rift_storm, 1 chain_armour",
}


def reference_document(**rules: Any) -> dict[str, Any]:
    """The reference set with these rules instead of its own."""
    document = deepcopy(_reference())
    document["rules"].update(rules)
    return document


@cache
def _reference() -> dict[str, Any]:
    return {"rules": {}, "card": card_entries(CREATURES, OTHERS), "deck": deck_entries(DECKS)}


def card_entries(creatures: str, others: str) -> list[dict[str, Any]]:
    """Cards from tables like CREATURES and OTHERS."""
    return [_creature(*cells) for cells in _lines(creatures)] + [_other(*cells) for cells in _lines(others)]


def deck_entries(decks: dict[str, str]) -> list[dict[str, Any]]:
    """Decks like DECKS."""
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
