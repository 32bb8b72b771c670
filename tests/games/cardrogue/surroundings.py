"""Where most tests of items and characters play: a cross of tiles, and far off somebody who has a choice in his turn."""

from typing import Any

from tests.games.cardrogue.positions import CROSS, NORTH, Play, a, table

OTHER = (9, 9)
FAR = CROSS | {"9,9": "Pf", "0,12": "S"}
BARE = {cell: token for cell, token in FAR.items() if cell not in ("6,12", "5,13")}  # enemies there lie on no tile
HALL = CROSS | {"7,12": "Pf", "6,11": "Pf", "6,13": "Pf"}  # with cells around the north
WAITING = a("cleric", OTHER, hand=["green"])
OF_THE_POSITION = ("rush", "map", "enemies", "step", "potions", "rules", "changes", "active", "left", "done")


def hero(character: str, *others: dict[str, Any], **facts: Any) -> Play:
    """A player in the middle who is about to begin or in combat. others: who else plays, by default somebody far off.

    facts: of the player, or of the position (`map`, `enemies`, `rules`, ...), as in scenario files.
    """
    position = {key: facts.pop(key) for key in OF_THE_POSITION if key in facts}
    waiting = WAITING if character != "cleric" else WAITING | {"character": "mage"}
    return table(a(character, **facts), *(others or (waiting,)), **{"map": FAR} | position)


def meeting(own: dict[str, Any] | None = None, other: dict[str, Any] | None = None, **position: Any) -> Play:
    """A warrior in the middle in step 3, a cleric to the north.

    own, other: facts of the two, which may be another `character` or elsewhere; `others` of the position: who else plays.
    """
    one, two = {"character": "warrior"} | (own or {}), {"character": "cleric", "at": NORTH} | (other or {})
    players = [a(one.pop("character"), **one), a(two.pop("character"), two.pop("at"), **two)]
    return table(*players, *position.pop("others", []), **{"step": "interact"} | position)
