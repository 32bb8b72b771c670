"""How Card Rogue is drawn: corridors and walls, what lies face-down, who is where, and the lines below."""

from sim.games.cardrogue.text.labels import WIDTH, picture
from tests.games.cardrogue.positions import Play, a, an_enemy, dealt, layout, table

LATE = """
    .  .   P4       .        .
    ?  P6  T:spike  C        .
    H  Pf  O:red    F        .
    S  P5  Pc       E:troll  ?
"""


def drawn(game: Play) -> list[str]:
    """All lines of the picture."""
    return picture(game.state, game.cards).splitlines()


def dungeon(game: Play) -> list[str]:
    """The lines of the map alone."""
    lines = drawn(game)
    return lines[: lines.index("")]


def a_late_game() -> Play:
    """The end rush in a crowded corner of the table."""
    return table(
        a("warrior", (0, 3), health=4, gold=7, poison=2, hand=["key", "blue", "blue", "goblin"])
        | {"worn": {"primary": "maul", "head": "helm"}, "scored": {"chest": 1}},
        a("mage", (2, 5), cooldown=2, potion_attack=1, skip=1),
        a("rogue", (1, 2), worn={"primary": "dagger", "secondary": "dagger"}),
        a("bard", "out", hand=["golem"]),
        map=LATE.strip().splitlines(),
        corner=[0, 2],
        enemies=[
            an_enemy("imp", (1, 3), health=3, strength=1, poison=2, poisoner=2, paralysed=1, order=[2, 0]),
            an_enemy("zombie", (3, 4)),
        ],
        left=[{"at": [2, 3], "cards": ["goblin", "10 gold"]}],
        potions={"green": "healing", "red": "poison"},
        rush=True,
        active=2,
        round=12,
    )


def test_a_dealt_game_shows_starting_tiles_and_face_down_cards():
    game = dealt(2)
    first = int(game.state["active"])  # has the last starting tile (ROGUE-12)
    assert dungeon(game) == [
        "    11 12 13 14 15 16 17 18",
        " 1     [?]            [?]",
        "        ╷              ╷",
        f" 0  [?]─{2 - first}─[?][?][?][?]─{first + 1}─[?]",
    ]


def test_paths_join_and_end_at_walls():
    """A line from cell to cell is a way, half a line ends at a wall: here between rows 0 and 1 in all three columns."""
    walls = {"1,2": "Pa", "1,3": "P3", "1,4": "Pf", "0,2": "S", "0,3": "P5", "0,4": "Pc"}
    assert dungeon(table(a("mage", (0, 2)), map=walls)) == [
        "     2  3  4",
        " 1  ─── └──┼─",
        "     ╷  ╷  ╵",
        " 0  ─1─ │ ─┐",
    ]


def test_a_crowded_map():
    """Players are their seats, from 1 on, enemies letters, tiles signs; what lies on a tile hides it."""
    assert dungeon(a_late_game()) == [
        "     2  3  4  5  6",
        " 3         b",
        "           │  ╷",
        " 2  [?] %──^──2─",
        "     ╷  │  │  │",
        " 1  ─3──a──!──~─",
        "     │  │  ╵  │",
        " 0  ─<─ 1 ─┐ ─c─[?]",
    ]


def test_everything_else_stands_below_the_map():
    lines = drawn(a_late_game())
    assert lines[lines.index("") + 1 :] == [
        "  1  Warrior  4/12 health  1 point  7 gold  (0,3)  fights a  poisoned for 2 turns",
        "              wears Maul and Helm  holds key, 2x blue potion and Goblin",
        "  2  Mage     8/8 health  0 points  (2,5) on the chest  skips 1 turn  spell in 2 turns  attack +1",
        "* 3  Rogue    10/10 health  0 points  (1,2) on a shop  fights a  wears 2x Dagger",
        "  4  Bard     out of the game  2 points",
        "    a Imp 3/8 attack +1 poisoned paralysed  b Zombie 6/6  c Troll 10/10",
        "    ! red potion (1,4)  % left at (2,3): Goblin and 10 gold  ^ Trap of Spikes (2,4)",
        "    < start  $ shop  ~ fountain  = chest  [?] face-down",
        "    round 12  END RUSH  stack 75  pathing deck 58  green potion: healing  red potion: poison",
    ]


def test_nothing_is_wider_than_the_terminal():
    hoard = ["key", "blue", "green", "orange", "pink", "red", "yellow", "goblin", "zombie", "kobold", "troll", "imp"]
    row = {f"0,{column}": "Pf" for column in range(30)}
    lines = drawn(table(a("warrior", (0, 0), hand=hoard), map=row))
    assert max(map(len, lines)) <= WIDTH
    assert any(line.startswith("              ") and "Troll" in line for line in lines)


def test_a_fixed_layout_hides_what_lies_face_down():
    game = layout("?E:golem ?C L8", "S P5 O:blue/Pa")
    assert dungeon(game) == [
        "     0  1  2",
        " 1  [?][?]─>",
        "     ╷  ╷",
        " 0  ─1─ │ ─!─",
    ]
    assert "Golem" not in "\n".join(drawn(game))


def test_the_end_of_a_game_is_said():
    over = table(a("warrior"), a("mage", (6, 12)), ending="forfeit", decision="over")
    assert "forfeit" in drawn(over)[-1]
    assert not any(line.startswith("*") for line in drawn(over))
