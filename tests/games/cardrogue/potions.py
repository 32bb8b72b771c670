"""Potions that have just been drunk or thrown, for tests."""

from typing import Any

from tests.games.cardrogue.positions import NORTH, Play, a, an_enemy
from tests.games.cardrogue.surroundings import BARE, hero

EFFECTS = ["healing", "poison", "strength", "weakness", "teleportation", "paralysis"]  # by face of the die


def drunk(effect: str, **facts: Any) -> Play:
    """A warrior in the middle has drunk a potion known to have an effect."""
    game = hero("warrior", hand=["red", "pink"], **{"potions": {"red": effect}} | facts)
    return game.do("drink red potion")


def thrown_at_player(effect: str, position: dict[str, Any] | None = None, **facts: Any) -> Play:
    """A warrior in the middle has thrown a potion at a mage to the north. facts: of the mage."""
    target = a("mage", NORTH, **{"hand": ["green"]} | facts)
    game = hero("warrior", target, hand=["red", "pink"], potions={"red": effect}, **position or {})
    return game.do("throw red potion", "throw north")


def thrown_at_enemy(effect: str, enemy: str = "troll", position: dict[str, Any] | None = None, **facts: Any) -> Play:
    """A rogue in combat has thrown a potion at the enemy to the north, of which are the facts."""
    place = {"map": BARE, "potions": {"red": effect}, "enemies": [an_enemy(enemy, **facts)]} | (position or {})
    game = hero("rogue", hand=["red", "pink"], resume="move", **place)
    return game.do("throw red potion", "throw north")
