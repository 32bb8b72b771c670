"""Small made-up heroes and positions for rule tests: they read like cards."""

from tests.games.arena.model import Model
from tests.games.arena.model_board import Hex
from tests.games.arena.sample import reference


def op(name: str, **parameters: int | str) -> dict:
    """One effect."""
    return {"op": name, **parameters}


def shot(*effects: dict, **numbers: int | list[int]) -> dict:
    """An attack: range 3, 3 dice, knockback 1/3/5, unless said otherwise."""
    usual = {"name": "Shot", "kind": "attack", "range": 3, "attack": 3, "knockback": [1, 3, 5]}
    return usual | numbers | {"effects": list(effects)}


def skill(*effects: dict) -> dict:
    """A utility."""
    return {"name": "Skill", "kind": "utility", "effects": list(effects)}


def gift(*effects: dict) -> dict:
    """A passive."""
    return {"name": "Gift", "kind": "passive", "effects": list(effects)}


def duel(*heroes: tuple[Hex, list[dict]], rules: dict | None = None, **state: object) -> Model:
    """Heroes with given hexes and abilities, Move 2, Defence 1, zones of two; seat 0 is about to use an ability."""
    common = {"move": 2, "defence": 1, "energy": [2, 2, 2], "rage_cap": 3, "dragonling_cap": 3}
    cards = [{"id": f"hero_{seat}", "ability": abilities, **common} for seat, (_, abilities) in enumerate(heroes)]
    document = reference(**(rules or {})) | {"hero": cards}
    where = {seat: place for seat, (place, _) in enumerate(heroes)}
    where |= state.pop("dragonlings", {})
    position = {"heroes": [card["id"] for card in cards], "positions": where, "active": 0}
    return Model.at(document, position | state)


PLAIN = [shot()]
GUARD = [shot(), gift(op("retaliate", push=1))]
