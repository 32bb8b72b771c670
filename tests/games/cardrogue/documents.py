"""Card files of Card Rogue as plain documents: the reference set, edited ones, fixed layouts, random and spoiled ones.

Driven by a `random.Random`, or by the one that hypothesis hands out.
"""

import copy
import tomllib
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

CARDS = Path(__file__).parents[3] / "sim" / "games" / "cardrogue" / "cards.toml"
SWITCHES: dict[str, list[Any]] = {
    "characters": ["random", "draft", "list"],
    "flip_rule": ["path", "orthogonal"],
    "replacement_trap": ["triggers", "lies"],
    "resume_after_flip": ["move", "flip"],
    "imp_dodge": ["always", "not_lethal"],
    "paralysis_in_combat": ["enemy_acts", "turn_lost"],
    "bard_six": ["flee_free", "flee_roll", "off"],
    "shield_scope": ["all", "attacked"],
    "enemy_restore": ["last_leaves", "any_flight"],
    "equip_in_combat": [False, True],
    "sold_items": ["discarded", "back_to_shop"],
    "teleport_targets": ["plain_and_traps", "plain", "any_revealed"],
}


@cache
def _read() -> dict[str, Any]:
    return tomllib.loads(CARDS.read_text(encoding="utf-8"))


def reference(**rules: Any) -> dict[str, Any]:
    """A copy of the reference document, with some rules at other values."""
    document = copy.deepcopy(_read())
    document["rules"] |= rules
    document["rules"]["source"] |= dict.fromkeys(rules, "assumed")
    return document


def with_layout(*rows: str, fill: str = "none", potions: dict[str, str] | None = None, **rules: Any) -> dict[str, Any]:
    """The reference set with a fixed layout. rows: the farthest first."""
    return reference(**rules) | {"map": {"rows": list(rows), "fill": fill, "potions": potions or {}}}


def card(document: dict[str, Any], kind: str, word: str) -> dict[str, Any]:
    """The table of one card: `card(document, "enemy", "goblin")`."""
    return next(table for table in document[kind] if table["id"] == word)


def _faces(rng: Random, most: int = 3) -> list[int]:
    return sorted(rng.sample(range(1, 7), rng.randint(1, most)))


def _some(rng: Random, candidates: list[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    return rng.sample(candidates, rng.randint(0, min(most, len(candidates))))


def _worn(rng: Random) -> list[dict[str, Any]]:
    """Effects that equipment and characters may have."""
    return [
        {"op": "attack_mod", "n": rng.randint(-1, 2)},
        {"op": "damage_taken", "n": rng.randint(1, 2)},
        {"op": "flee_faces", "faces": _faces(rng)},
        {"op": "avoid_trap", "faces": _faces(rng)},
        {"op": "movement", "n": rng.randint(1, 2)},
    ]


def _traits(rng: Random, weapons: list[str]) -> list[dict[str, Any]]:
    return [
        *_worn(rng),
        {"op": "rage", "at_most": rng.randint(1, 8), "n": rng.randint(1, 3)},
        {"op": "no_flee", "except": rng.sample(["boss", "no_chase"], rng.randint(0, 2))},
        *([{"op": "offhand", "item": rng.choice(weapons), "attack_mod": rng.randint(-1, 2)}] if weapons else []),
        {"op": "free_buy", "faces": _faces(rng)},
        {"op": "forbid_slot", "slot": rng.choice(["head", "chest", "feet", "primary", "secondary"])},
        {"op": "discard_cursed"},
        {"op": "sacrifice", "at_most": rng.randint(1, 8), "heal": rng.randint(1, 3)},
        *({"op": op} for op in ("no_trip", "second_turn", "no_sell_items", "no_trade_shop")),
        {"op": "spells", "cooldown": rng.randint(1, 4), "damage": rng.randint(0, 3), "move": rng.random() < 0.5},
        {"op": "buy_multiplier", "n": rng.randint(1, 3)},
        {"op": "song", "heal": rng.randint(1, 4)},
        {"op": "must_flee_on", "faces": _faces(rng)},
    ]


def _enemy(rng: Random, number: int, last: bool) -> dict[str, Any]:
    boss = last or rng.random() < 0.2
    status = {"op": rng.choice(["poison", "paralyze"]), "turns": rng.randint(1, 3)}
    abilities: list[dict[str, Any]] = [
        {"op": "on_roll", "faces": _faces(rng), "effect": status},
        {"op": "on_roll", "faces": _faces(rng), "effect": {"op": "dodge"}},
        {"op": "heal_each_turn", "n": rng.randint(1, 3)},
        {"op": "no_chase"},
        {"op": "single_turn"},
    ]
    return {
        "id": f"enemy_{number}",
        "name": f"Enemy {number}",
        "copies": 1 if last else rng.randint(0, 4),
        "health": rng.randint(1, 14),
        **({"attack": rng.randint(0, 5)} if rng.random() < 0.8 else {"attack_die": rng.randint(1, 2)}),
        **({"vp": rng.randint(0, 2), "boss": True} if boss else {"gold": rng.randint(0, 5)}),
        "cancel_group": rng.choice(["", "", "pair"]),
        "end_rush": last,
        "abilities": _some(rng, abilities, 3),
    }


def _items(rng: Random) -> list[dict[str, Any]]:
    weapon_effects: list[dict[str, Any]] = [
        {"op": "min_attack", "n": rng.randint(1, 4)},
        {"op": "multiply", "n": 2},
        {"op": "miss_on", "faces": _faces(rng, 2)},
        {"op": "reroll_on", "faces": _faces(rng, 2), "dice": rng.randint(1, 3)},
        {"op": "block_on", "faces": _faces(rng, 2)},
        *_worn(rng),
    ]
    scrolls: list[dict[str, Any]] = [
        *({"op": op} for op in ("identify", "move_any", "remove_curses")),
        {"op": "antidote", "n": 2},
        {"op": "max_health", "n": rng.randint(0, 3)},
    ]
    found: list[dict[str, Any]] = []
    for _ in range(rng.randint(1, 5)):
        slots = rng.choice([["primary"], ["primary"], ["secondary", "primary"]])
        found.append({"kind": "weapon", "slots": slots, "effects": _some(rng, weapon_effects, 3)})
    for _ in range(rng.randint(0, 5)):
        slots = rng.choice([["head"], ["chest"], ["feet"], ["secondary"], ["head", "chest"]])
        armour = [{"op": "block_on", "faces": _faces(rng, 2)}, *_worn(rng)]
        found.append({"kind": "armour", "slots": slots, "effects": _some(rng, armour, 2)})
    found += [{"kind": "scroll", "effects": [effect]} for effect in _some(rng, scrolls, 5)]
    found += [{"kind": "debt", "sell": False, "trade": False, "effects": [{"op": "vp", "n": 1}]}] * rng.randint(0, 1)
    return [
        {"id": f"item_{number}", "name": f"Item {number}", "copies": rng.randint(0, 2), "gold": rng.randint(0, 9), **item}
        for number, item in enumerate(found)
    ]


def _potions(rng: Random) -> dict[str, Any]:
    uses = [
        {"op": "heal_full"},
        {"op": "poison", "turns": rng.randint(1, 4)},
        {"op": "paralyze", "turns": 1},
        {"op": "teleport"},
        {"op": "attack_mod", "n": rng.randint(-2, 2)},
        {"op": "damage", "n": rng.randint(0, 3)},
    ]
    effects = [
        {"face": face, "id": f"effect_{face}", "drink": rng.choice(uses), "throw": rng.choice(uses)}
        for face in rng.sample(range(1, 7), rng.randint(3, 6))
    ]
    colours = [f"colour_{letter}" for letter in "abcdef"[: rng.randint(1, len(effects))]]
    return {"colours": colours, "copies": rng.randint(0, 3), "gold": rng.randint(0, 4), "effect": effects}


def random_document(rng: Random) -> dict[str, Any]:
    """A random valid card file within the limits of the schema; every effect and combination can occur."""
    items = _items(rng)
    hands = [item["id"] for item in items if item.get("slots") == ["primary"]]
    artifacts = [
        {"id": "charm", "name": "Charm", "copies": 1, "effects": [{"op": "attack_mod", "n": rng.randint(-3, 3)}]},
        {"id": "curse", "name": "Curse", "copies": 2, "cursed": True, "effects": [{"op": "max_health", "n": -2}]},
    ][: rng.randint(0, 2)]
    kinds = rng.randint(3, 9)
    trap_effects = [{"op": "damage", "n": 2}, {"op": "paralyze", "turns": 1}, {"op": "poison", "turns": 2}]
    document: dict[str, Any] = {
        "game": "cardrogue",
        "format": 1,
        "rules": {name: rng.choice(values) for name, values in SWITCHES.items() if rng.random() < 0.6}
        | {"max_rounds": 60, "idle_rounds": 12, "repeat_moves": rng.randint(0, 2), "source": "assumed"},
        "table": {"gap": 4, "columns": rng.randint(18, 32), "rows": rng.randint(4, 24)},
        "character": [
            {
                "id": f"character_{number}",
                "name": f"Character {number}",
                "max_health": rng.randint(5, 14),
                "traits": _some(rng, _traits(rng, hands), 4),
            }
            for number in range(rng.randint(4, 7))
        ],
        "enemy": [_enemy(rng, number, last=number == kinds - 1) for number in range(kinds)],
        "item": items,
        "artifact": artifacts,
        "potions": _potions(rng),
        "trap": [
            {"id": f"trap_{number}", "name": f"Trap {number}", "effect": rng.choice(trap_effects)}
            for number in range(rng.randint(0, 3))
        ],
        "shape": reference()["shape"],
    }
    document["decks"] = _decks(rng, document)
    for kind in ("table", "potions", "decks"):
        document[kind]["source"] = "assumed"
    for kind in ("character", "enemy", "item", "artifact", "trap"):
        for table in document[kind]:
            table["source"] = "assumed"
    return document


def _decks(rng: Random, document: dict[str, Any]) -> dict[str, Any]:
    """Decks with the copies of the cards, and tiles."""
    shapes = {shape["id"]: rng.randint(0, 5) for shape in document["shape"]}
    loose = {table["id"]: table["copies"] for kind in ("enemy", "artifact") for table in document[kind]}
    loose |= dict.fromkeys(document["potions"]["colours"], document["potions"]["copies"])
    extra = {"shop": rng.randint(0, 3), "fountain": rng.randint(0, 2)}
    exploration = loose | shapes | {"key": 1, "four_way": 18, "fountain": rng.randint(0, 2)}
    traps = {trap["id"]: rng.randint(0, 2) for trap in document["trap"]}
    return {"exploration": exploration, "pathing": shapes | extra | traps | {"chest": 1}}
