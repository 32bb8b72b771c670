"""Card files made at random, within the limits of the schema: they reach every effect and combination of effects."""

from random import Random

from tests.games.arena.model.board import DIRECTIONS, Hex, distance, step

TOKENS = 12
DICE = 12
RULE_VALUES = {
    "dragonling_defence": [0, 0, 1, 2],
    "hit_faces": [1, 2, 3, 3, 4, 5],
    "block_faces": [1, 2, 3, 3, 4, 5],
    "knockback_trigger": ["net_hit", "net_hit", "any_hit", "always"],
    "knockback_plus_damage": [False, False, True],
    "offline_path": ["each_step", "end_only"],
    "offline_chooser": ["defender", "attacker"],
    "pass_ability": ["allowed", "only_if_none"],
    "start_choice": ["choose", "choose", "spread"],
    "tokens": [TOKENS, TOKENS, TOKENS, 8, 4],
}


def random_document(rng: Random, turn_cap: int = 60) -> dict:
    """A card file of 4..8 random heroes, 1..2 random boards and random rule switches."""
    boards = [random_board(rng, f"board_{i}") for i in range(rng.randint(1, 2))]
    rules = {name: rng.choice(values) for name, values in RULE_VALUES.items() if rng.random() < 0.7}
    rules |= {"turn_cap": turn_cap, "board": boards[0]["id"]}
    heroes = [random_hero(rng, f"hero_{'abcdefgh'[i]}") for i in range(rng.randint(4, 8))]
    head = {"game": "arena", "format": 1, "title": "A random set"}
    return head | {"rules": rules, "board": boards, "hero": heroes}


def random_board(rng: Random, name: str) -> dict:
    """Radius 2..7 (mostly small, where the water is near), up to four holes, 4..6 starts on connected land."""
    radius = rng.choice([2, 3, 3, 4, 4, 4, 5, 7])
    span = range(-radius, radius + 1)
    land = [(q, r) for r in span for q in span if distance((0, 0), (q, r)) <= radius]
    holes: list[Hex] = []
    for _ in range(rng.choice([0, 0, 1, 2, 4])):
        hole = rng.choice(land)
        left = [place for place in land if place != hole]
        if _connected(left):
            land, holes = left, [*holes, hole]
    starts = rng.sample(land, rng.randint(4, 6))
    return {"id": name, "radius": radius, "holes": _lists(holes), "starts": _lists(starts)}


def _lists(places: list[Hex]) -> list[list[int]]:
    return [[q, r] for q, r in places]


def _connected(land: list[Hex]) -> bool:
    left, queue = set(land), [land[0]]
    while queue:
        here = queue.pop()
        if here in left:
            left.discard(here)
            queue += [step(here, direction) for direction in range(len(DIRECTIONS))]
    return not left


def random_hero(rng: Random, name: str) -> dict:
    """A hero with at least one attack that can throw a hero; random effects among those its abilities can have."""
    kinds = ["attack", rng.choice(["attack", "attack", "utility", "passive"]), rng.choice(["utility", "passive"])]
    caps = {"rage_cap": rng.choice([0, 1, 3, 4, 12]), "dragonling_cap": rng.choice([0, 2, 4, 12])}
    supporting = _passives(rng, caps, kinds.count("passive"))
    most_ally = max((e["max"] for effects in supporting for e in effects if e["op"] == "ally_dice"), default=0)
    abilities = []
    for index, kind in enumerate(kinds):
        if kind == "attack":
            abilities.append(_attack(rng, caps, most_ally, must_throw=index == 0))
        else:
            effects = supporting.pop() if kind == "passive" else _utility(rng, caps)
            abilities.append({"kind": kind, "effects": effects})
    rng.shuffle(abilities)
    for index, ability in enumerate(abilities):
        ability |= {"name": f"{ability['kind']} {index}", "source": "assumed"}
    card = {
        "id": name,
        "name": name.replace("_", " ").title(),
        "move": rng.randint(0, 4),
        "defence": rng.randint(0, 4),
        "energy": [rng.randint(1, 3) for _ in range(3)],
        **caps,
    }
    return card | {"source": dict.fromkeys(list(card)[1:], "assumed"), "ability": abilities}


def _some(rng: Random, candidates: list[dict], at_least: int, at_most: int) -> list[dict]:
    return rng.sample(candidates, min(len(candidates), rng.randint(at_least, at_most)))


def _gain(rng: Random, caps: dict, when: str) -> list[dict]:
    return [{"op": "rage_gain", "n": rng.randint(1, 3), "when": when}] if caps["rage_cap"] else []


def _own_effects(rng: Random, caps: dict) -> list[dict]:
    shield = {"op": "self_defence", "dice": rng.randint(1, 4)}
    return [shield, {"op": "recover", "spaces": rng.randint(1, 3)}, *_gain(rng, caps, "use")]


def _passives(rng: Random, caps: dict, abilities: int) -> list[list[dict]]:
    """Effects of a hero's passive abilities; no op twice among them."""
    candidates = [
        {"op": "move_after", "max": rng.randint(1, 3)},
        {"op": "move_mode", "mode": rng.choice(["ghost", "leap"])},
        {"op": "brace", "n": rng.randint(1, 4)},
        {"op": "ally_dice", "per": rng.randint(1, 3), "max": rng.randint(1, 3)},
        {"op": "retaliate", "push": rng.randint(1, 4)},
        *_gain(rng, caps, "damaged"),
    ]
    rng.shuffle(candidates)
    return [candidates[i * 3 : i * 3 + rng.randint(1, 3)] for i in range(abilities)]


def _utility(rng: Random, caps: dict) -> list[dict]:
    candidates = _own_effects(rng, caps)
    if caps["dragonling_cap"]:
        summon = {"op": "summon", "count": rng.randint(1, 4), "range": rng.randint(1, 3)}
        return [summon, *_some(rng, candidates, 0, 1)]
    return _some(rng, candidates, 1, 2)


def _attack(rng: Random, caps: dict, ally_max: int, *, must_throw: bool) -> dict:
    shape = rng.choice(["plain", "plain", "area", "swap", "before", "swap_before"] + ["pull", "pull"] * (not must_throw))
    reach = 1 if shape == "area" else rng.choice([1, 1, 2, 2, 3, 4])
    knockback = sorted(rng.choice([0, 1, 2, 3, 5, 9]) for _ in range(3))
    if must_throw:
        knockback[2] = max(1, knockback[2])
    effects = _shape_effects(rng, shape)
    extra = [
        {"op": "move_after", "max": rng.randint(1, 2)},
        {"op": "no_defence_roll"},
        {"op": "no_damage"},
        {"op": "slow", "n": rng.randint(1, 3)},
        *_own_effects(rng, caps),
        *_gain(rng, caps, "hit"),
    ]
    effects += _some(rng, extra, 0, 3)
    free = DICE - ally_max
    spend = {"op": "rage_spend", "max": rng.randint(1, 3), "dice": rng.randint(0, 2), "knockback": rng.randint(1, 3)}
    if caps["rage_cap"] and rng.random() < 0.4:
        if shape == "pull":
            spend |= {"dice": max(1, spend["dice"]), "knockback": 0}
        effects.append(spend)
        free -= spend["max"] * spend["dice"]
    dice = rng.randint(1, min(5, free))
    if rng.random() < 0.15:
        dice = 0
        effects.append({"op": "auto_hit", "hits": rng.randint(1, 3)})
    rng.shuffle(effects)
    return {"kind": "attack", "range": reach, "attack": dice, "knockback": knockback, "effects": effects}


def _shape_effects(rng: Random, shape: str) -> list[dict]:
    before_min, before_max = sorted((rng.randint(0, 2), rng.randint(1, 3)))
    before = {"op": "move_before", "min": before_min, "max": max(1, before_max)}
    return {
        "plain": [],
        "area": [{"op": "area"}],
        "swap": [{"op": "swap"}],
        "before": [before],
        "swap_before": [{"op": "swap"}, before],
        "pull": [{"op": "pull"}] + [{"op": "swap"}] * (rng.random() < 0.2),
    }[shape]
