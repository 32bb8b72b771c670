"""Card Rogue in words: decisions, draws, what happened, and the picture of a position."""

import numpy as np
import pytest

from sim.games.cardrogue.cards import type_ids
from sim.games.cardrogue.record import TILE_ENTRY
from sim.games.cardrogue.state import GOLD_CODE
from sim.games.cardrogue.text.labels import WIDTH, draw, picture
from sim.games.cardrogue.text.story import events, line_up
from tests.games.cardrogue.positions import CROSS, EAST, NORTH, SOUTH, Play, a, an_enemy, card_set, dealt, layout, table

APART = {**CROSS, "9,9": "S", "10,9": "?"}  # and a starting tile, with something to turn over


def story(game: Play, *decisions: str, dice: list[int] | None = None, draws: list[str] | None = None) -> list[str]:
    """Lines about the last of some decisions, without cards laid; dice, draws: all that the decisions use."""
    game.do(*decisions[:-1])
    before = game.state.copy()
    game.do(decisions[-1], dice=dice or [], draws=draws or [])
    return [line for line in events(before, game.state, game.cards) if not line.endswith("laid face-down.")]


# ---- decisions ------------------------------------------------------------------------------------------------------


def after(*decisions: str, game: Play) -> list[str]:
    """Decisions open after others."""
    return game.do(*decisions).options


def test_categories_are_single_verbs():
    belongings = {"hand": ["blue", "sword", "scroll_max_health"], "worn": {"head": "helm"}, "gold": 20}
    rogue = a("rogue", **belongings)
    board = {**CROSS, "5,12": "H", "7,12": "?"}
    game = table(rogue, a("mage", NORTH, gold=3, hand=["red"]), map=board, step="interact")
    wanted = ["pass", "drink", "throw", "read", "equip", "take off", "buy", "sell", "trade", "trip", "steal"]
    assert game.options == wanted
    assert table(a("bard"), enemies=[an_enemy("imp")]).options == ["attack", "flee"]
    mage = table(a("mage", hand=["blue"]), map={**CROSS, "4,12": "?"})
    assert mage.options == ["pass", "flip", "drink", "cast"]
    assert after("pass", game=mage) == ["pass", "move", "drink", "cast"]


def test_cards_are_named_with_what_becomes_of_them():
    hand = ["dagger", "dagger", "maul", "scroll_identify", "blue", "goblin"]
    shop = {**CROSS, "5,12": "H"}

    def rogue(step: str = "move", **facts: object) -> Play:
        return table(a("rogue", hand=hand, gold=12, **facts), map=shop, step=step)

    assert after("equip", game=rogue()) == ["equip Dagger", "equip Dagger off-hand"]
    assert "buy Sword" in after("buy", game=rogue())
    assert "sell Goblin" in after("sell", game=rogue())
    assert after("read", "read Scroll of identify", game=rogue()) == ["identify blue potion"]
    dressed = table(a("rogue", worn={"primary": "dagger", "secondary": "dagger", "feet": "boots"}))
    assert after("take off", game=dressed) == [
        "take off Boots (feet)",
        "take off Dagger (primary)",
        "take off Dagger (secondary)",
    ]


def test_cards_that_could_be_confused_are_told_apart():
    names = {"item.sword.name": "Dagger", "item.helm.name": "5 gold"}
    mage = a("mage", hand=["helm", "sword", "dagger"], gold=5)
    game = table(mage, a("warrior", NORTH, hand=["key"]), step="interact", changes=names).do("trade north")
    offers = ["offer Dagger (dagger)", "offer Dagger (sword)", "offer 5 gold (helm)"]
    assert game.options == offers + [f"offer {gold} gold" for gold in range(1, 6)]


def test_a_line_up_is_named_by_its_characters():
    assert line_up(card_set(), [4, 0]) == ["Mage", "Warrior"]


# ---- draws ----------------------------------------------------------------------------------------------------------


def test_draws_name_cards_tiles_and_coins():
    cards = card_set()
    ids = type_ids(cards)
    assert draw("Goblin", cards) == draw("goblin", cards) == ids.index("goblin")
    assert draw("blue potion", cards) == draw("BLUE", cards) == ids.index("blue")
    assert draw("four_way", cards) == draw("four way", cards) == TILE_ENTRY
    assert draw("Trap of Spikes", cards) == draw("spike", cards)
    assert [draw(f"{coin} gold", cards) - GOLD_CODE for coin in (10, 5, 2, 1)] == [0, 1, 2, 3]


@pytest.mark.parametrize(("words", "right"), [("goblim", "goblin"), ("3 gold", "10, 5, 2, 1"), ("", "card nor a tile")])
def test_draws_that_mean_nothing_are_refused(words: str, right: str):
    with pytest.raises(ValueError, match=right):
        draw(words, card_set())


# ---- what happened --------------------------------------------------------------------------------------------------


def test_a_find_and_what_takes_its_place():
    game = table(a("bard"), map={**CROSS, "6,12": "?"})
    assert story(game, "flip", "flip north", draws=["key", "spike"]) == [
        "row 6 column 12: turned over, Trap of Spikes",
        "Bard: loses 2 health; health 10 -> 8; hand + key",
    ]


def test_a_fight_with_dice_and_what_is_gained():
    game = table(a("warrior", health=5, resume="move"), a("bard", SOUTH, health=4), map={**CROSS, "6,12": "E:goblin"})
    game.state["enemy_health"][0] = 4
    assert story(game, "attack", "attack north", dice=[3], draws=["straight"]) == [
        "Warrior: rolls 3; deals 4; slays Goblin; hand + Goblin",
        "Goblin at row 6 column 12: is gone",
        "row 6 column 12: a floor with paths to the north and south",
        "Bard: health 4 -> 7",
    ]


def test_a_death_and_what_is_left():
    bard = a("bard", health=1, hand=["key", "golem", "imp"])
    game = table(bard, a("mage", (9, 9)), map=APART, enemies=[an_enemy("troll", health=9)])
    assert story(game, "attack", "attack north", dice=[1]) == [
        "Bard: rolls 1; deals 1; loses 4 health; health 1 -> -3; dies, killed by Troll",
        "Troll at row 6 column 12: health 9 -> 10",
    ]
    assert story(game, "keep key") == ["Bard: hand - key"]  # kept cards come back with the last that is left
    assert story(game, "leave Golem") == ["Bard: hand + key; hand - Imp, Golem", "Golem left behind"]


def test_the_end_of_a_game_with_its_points():
    game = table(a("bard", NORTH, hand=["golem"]), a("mage", EAST), map={**CROSS, "5,12": "S"}, rush=True, step="move")
    assert story(game, "move", "move south") == ["Bard: to row 5 column 12; scores 1 for exit; 3 points", "the game ends: exit"]


def test_nothing_that_stays_the_same_is_reported():
    game = table(a("bard"), a("mage", (9, 9)), map=APART)
    assert events(game.state, game.state, game.cards) == []
    assert events(game.state, np.array(game.state), game.cards) == []


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
    """A full line joins two cells, half a line ends at a wall: here between rows 0 and 1 in all three columns."""
    walls = {"1,2": "Pa", "1,3": "P3", "1,4": "Pf", "0,2": "S", "0,3": "P5", "0,4": "Pc"}
    assert dungeon(table(a("mage", (0, 2)), map=walls)) == ["     2  3  4", " 1  ─── └──┼─", "     ╷  ╷  ╵", " 0  ─1─ │ ─┐"]


def test_a_crowded_map():
    """Players are seat numbers from 1 on, enemies letters, tiles symbols; a card on a tile hides it."""
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
    assert dungeon(game) == ["     0  1  2", " 1  [?][?]─>", "     ╷  ╷", " 0  ─1─ │ ─!─"]
    assert "Golem" not in "\n".join(drawn(game))


def test_the_end_of_a_game_is_said():
    over = table(a("warrior"), a("mage", (6, 12)), ending="forfeit", decision="over")
    assert "forfeit" in drawn(over)[-1]
    assert not any(line.startswith("*") for line in drawn(over))
