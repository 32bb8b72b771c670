"""Spoiled card files of the Arena; about one document in four is still valid."""

from typing import Any

from sim.games.arena.cards import REFERENCE
from tests.games.spoiling import Spoiling

VALUES: list[Any] = [
    *(-1, 0, 1, 2, 3, 5, 7, 12, 13, 64, 401, 10**30, 0.5, 3.0, float("nan"), True, False),
    *("", "3", "attack", "passive", "pull", "area", "pit", "rhino_guy", "always", "assumed", "a\nb", "x" * 200, "é"),
    *([], [1], [1, 2], [0, 0], [3, 2, 1], [9, 9, 9], [[0, 0]], {}, {"op": "pull"}, {"op": "summon", "count": 1}),
    *([{"op": "area"}, {"op": "pull"}], {"id": "x"}, "rulebook", "standard"),
]
KEYS = [
    "mvoe",
    "move",
    "range",
    "id",
    "op",
    "kind",
    "source",
    "effects",
    "rage_cap",
    "holes",
    "board",
    "a b",
    "",
    "é.x",
]

_SPOILING = Spoiling(REFERENCE, VALUES, KEYS)
mutations, mutated_files = _SPOILING.mutations, _SPOILING.mutated_files
