"""Random card files within the limits of the schema, so that every effect, token and switch is reached."""

from random import Random
from typing import Any

from tests.games.rookling.model.documents import reference_document

SWITCHES: dict[str, list[Any]] = {
    "squad_mode": ["draft", "random"],
    "first_attacker": ["coin", "drafter1", "drafter2"],
    "opening_row": ["defender_first", "random"],
    "draw_mode": ["up_to", "new_hand"],
    "dump": [True, False],
    "one_line_per_rookling": [False, True],
    "charge_colour": ["same_colour", "any_match"],
    "siege_chain_blocks": [False, True],
    "hold_block": ["if_more", "free"],
    "hit_on_landing": [False, True],
    "poison_clear_draw": ["strict", "lenient"],
    "e1_order": ["heal_first", "damage_first"],
}
OPS = {
    "standing": ["no_energy", "no_special", "attack_flat", "attack_plus", "defence_flat", "defence_plus"],
    "attack_turn": ["attack_flat", "attack_plus"],
    "faced": ["cancel_attack", "defence_flat"],
    "defends": ["defence_plus"],
    "end_attack": ["damage", "heal"],
}
FLAGS = ("no_energy", "no_special", "cancel_attack")
SCOPES = ["self", "neighbours", "all_own", "self_or_neighbour", "any_own"]
SCOPED = ["heal", "cleanse", "charge", "attack_flat", "attack_plus", "defence_flat", "defence_plus"]
CHOOSING = ("self_or_neighbour", "any_own")
SUPPLY = 4
REFERENCE = 0.3  # share of games with the reference set
GIVEN = 0.4  # share of games with given squads, half of them free to share Rooklings


def random_switches(rng: Random) -> dict[str, Any]:
    """A way to come by squads; of the other switches half at their default, half anyhow."""
    found = {name: rng.choice(values) for name, values in SWITCHES.items() if rng.random() < 0.5}
    found.setdefault("squad_mode", "draft")
    if found["squad_mode"] != "draft":
        found.pop("first_attacker", None)  # there is no drafter to name
    return found


def random_document(rng: Random) -> dict[str, Any]:
    """6..9 Rooklings with 5..9 tokens, up to one field effect each, random energy, random switches."""
    colours = ["red", "blue", "green", "yellow", "violet", "white"][: rng.randint(2, 6)]
    cap = rng.randint(3, 15)
    hand = rng.randint(2, 6)
    rules: dict[str, Any] = {"start_life": rng.randint(2, cap), "heal_cap": cap, "hand": hand, "hand_max": rng.randint(hand, 6)}
    rules["source"] = "assumed"
    rules |= {"turn_cap": 40} | random_switches(rng)
    tokens = [_token(rng, place) for place in range(rng.randint(5, 9))]
    rooklings = [_rookling(rng, place, colours, tokens) for place in range(rng.randint(6, 9))]
    return {
        "game": "rookling",
        "format": 1,
        "title": "A random set",
        "rules": rules,
        "energy": {"colours": colours, "counts": _counts(rng, colours), "source": "assumed"},
        "token": tokens,
        "field_effect": [_field_effect(rng, place, colours, tokens) for place in range(len(rooklings))],
        "rookling": rooklings,
    }


def random_game_document(rng: Random) -> dict[str, Any]:
    """The reference set or a random one, with random switches, squads given, dealt or drafted."""
    document = random_document(rng)
    if rng.random() < REFERENCE:
        document = reference_document(**random_switches(rng) | {"turn_cap": rng.choice((20, 60))})
    if rng.random() < GIVEN:
        document["rules"] |= {"squad_mode": "choose", "first_attacker": "coin", "mirror": rng.random() < 0.5}
    return document


def _counts(rng: Random, colours: list[str]) -> dict[str, list[int]]:
    """12..13 cards a colour with six colours, up to 26 with two: 24..78 in all."""
    most = 78 // len(colours)
    found = {}
    for colour in colours:
        counts = [0] * rng.randint(4, 9)
        for _ in range(rng.randint(12, min(most, 26))):
            counts[rng.choice([place for place, count in enumerate(counts) if count < 9])] += 1
        found[colour] = counts
    return found


def _token(rng: Random, place: int) -> dict[str, Any]:
    fixed = place == 0 or (rng.random() < 0.15 and place > 1)  # cards give tokens that are not fixed: there is one
    trigger = "standing" if fixed or place == 1 else rng.choice(list(OPS))
    names = rng.sample(OPS[trigger], min(len(OPS[trigger]), rng.choice((1, 1, 2))))
    if trigger == "end_attack":
        names = names[:1]  # healing and damage on one token come at different moments
    until = ["exchange", "owner_attack", *(["trigger"] if trigger != "standing" else [])]
    if names == ["damage"]:
        until.append("cleared")
    ops = [{"op": name} | ({} if name in FLAGS else {"n": rng.randint(1, 3)}) for name in names]
    for op in ops:
        if op["op"] == "attack_plus" and rng.random() < 0.5:
            op["n"] *= -1
    return {
        "id": f"token_{place}",
        "name": f"Token {place}",
        "harmful": rng.random() < 0.5,
        "fixed": fixed,
        "trigger": trigger,
        "until": "replaced" if fixed else rng.choice(until),
        "supply": 0 if fixed else rng.choice((1, 2, SUPPLY)),
        "ops": ops,
        "source": "assumed",
    }


def _field_effect(rng: Random, place: int, colours: list[str], tokens: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": f"effect_{place}",
        "name": f"Effect {place}",
        "number": rng.randint(1, 9),
        "colour": rng.choice([*colours, "grey"]),
        "copies": 3,
        "token": rng.choice(tokens)["id"],
        "source": "assumed",
    }


def _rookling(rng: Random, place: int, colours: list[str], tokens: list[dict[str, Any]]) -> dict[str, Any]:
    cards = [token["id"] for token in tokens if not token["fixed"]]
    kinds = ["attack", "defence", "special", *rng.choice(([], ["attack"], ["defence"], ["special"]))]
    lines = [_line(rng, f"line {index}", kind, colours, cards) for index, kind in enumerate(rng.sample(kinds, len(kinds)))]
    shuffling = next(line for line in lines if line["kind"] == "special")
    shuffling["effects"][0] = {"do": "shuffle_field", "field_effect": f"effect_{place}", "n": rng.randint(1, 3)}
    return {"id": f"rook_{place}", "name": f"Rook {place}", "family": "", "line": lines, "source": "assumed"} | (
        {"life": 2} if rng.random() < 0.2 else {}
    )


def _line(rng: Random, name: str, kind: str, colours: list[str], cards: list[str]) -> dict[str, Any]:
    line: dict[str, Any] = {"name": name, "kind": kind, "number": rng.choice((1, 1, 2, 2, 3, 4, 6))}
    line["colour"] = rng.choice(["any", "any", *colours])
    siege = {"number": rng.randint(1, 3)}
    if kind == "special":
        line["effects"] = _effects(rng, cards)
        if "n" in line["effects"][-1]:
            siege["value"] = rng.randint(1, 2)
    else:
        line["amount"] = rng.randint(1, 5)
        siege["amount"] = rng.randint(1, 6)
        if rng.random() < 0.4:
            line |= {"match_colour": rng.choice(colours), "match_bonus": rng.randint(1, 3)}
        if kind == "attack" and rng.random() < 0.5:
            line["effects"] = [{"do": "token_on_hit", "token": rng.choice(cards), "n": rng.randint(1, 2)}]
    return line | {"siege": siege}


def _effects(rng: Random, cards: list[str]) -> list[dict[str, Any]]:
    effects = [_effect(rng, cards) for _ in range(rng.choice((1, 2, 2)))]
    choosing = [effect for effect in effects if effect.get("scope") in CHOOSING]
    for effect in choosing:  # they share scope and target
        effect["scope"] = choosing[0]["scope"]
    return effects


def _effect(rng: Random, cards: list[str]) -> dict[str, Any]:
    do = rng.choice([*SCOPED, "charge", "draw", "token_self"])
    if do == "token_self":
        return {"do": do, "token": rng.choice(cards), "n": rng.randint(1, 2)}
    size = {} if do == "cleanse" else {"n": rng.randint(1, 2)}
    return {"do": do} | size | ({"scope": rng.choice(SCOPES)} if do in SCOPED else {})
