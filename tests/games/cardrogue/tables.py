"""Positions that many rule tests begin with: one player about his steps, several around one enemy, others out of the way."""

from typing import Any

from tests.games.cardrogue.positions import FOUR, MIDDLE, Play, a, an_enemy, table

ASIDE = {"9,9": "S", "9,10": FOUR, "0,12": "S", "0,14": "S"}  # where others wait, and starting tiles to come back to
OTHER = a("bard", (9, 9))
FAR = (7, 12)  # north of the north
AROUND = (MIDDLE, (6, 13), FAR, (6, 11))  # south, east, north and west of the enemy that `around` has in the north
RING = {"5,12": FOUR, "6,13": FOUR, "7,12": FOUR, "6,11": FOUR}
BEHIND = {"4,12": FOUR, "6,14": FOUR, "8,12": FOUR, "6,10": FOUR}  # to flee to
STARTS = {"0,12": "S", "0,14": "S", "0,16": "S", "0,18": "S"}
OF_THE_POSITION = ("rules", "left", "enemies", "rush", "potions", "done")


def lone(*others: dict[str, Any], cells: dict[str, str], character: str = "warrior", **facts: Any) -> Play:
    """Seat 0 in the middle about to take a step of its turn, by default step 2; others wait far away.

    cells: what lies on the table besides; facts: of the player, or `step` and others of the position.
    """
    turn = {"step": facts.pop("step", "move")} | {key: facts.pop(key) for key in OF_THE_POSITION if key in facts}
    return table(a(character, **facts), *(others or (OTHER,)), map={"5,12": FOUR} | cells | ASIDE, **turn)


def around(*health: int, enemy: str = "kobold", **position: Any) -> Play:
    """One seat for each health, standing south, east, north and west of an enemy; a cell to flee to behind each."""
    characters = ("rogue", "cleric", "explorer", "mage")
    seats = [a(characters[seat], AROUND[seat], health=points) for seat, points in enumerate(health)]
    return table(*seats, map=RING | BEHIND | STARTS, **{"enemies": [an_enemy(enemy)]} | position)
