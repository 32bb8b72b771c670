"""ROGUE-30, 31 on the compiled kernels: mere walking, and what is open in which step."""

import pytest

from tests.games.cardrogue.positions import EAST, NORTH, Play, a, an_enemy, layout, placed
from tests.games.cardrogue.tables import FAR, lone


def pass_until_move(game: Play) -> Play:
    """Seat 0 passes until it may move again, or its turn is over."""
    while game.to_act == 0 and "move" not in game.options:
        game.do("pass")
    return game


ROAD = {"6,12": "Pf", "7,12": "Pf", "8,12": "Pf"}


@pytest.mark.parametrize("repeats", [0, 1, 2])
def test_rogue_30_who_does_nothing_but_walk_may_walk_on(repeats):
    game = lone(cells=ROAD, rules={"repeat_moves": repeats}, step="flip")
    walked = 0
    while game.to_act == 0 and walked < 9:
        game.do("move north" if game.at(0)[0] < 8 else "move south")
        walked += 1
    assert walked == 1 + repeats


def test_rogue_30_the_further_move_can_be_passed_and_cards_are_laid_before_it():
    game = lone(cells={"6,12": "P5", "5,12": "P1"}, step="flip").do("move north")
    assert (game.to_act, game.position["step"], game.map["7,12"]) == (0, "move", "?")
    assert game.options == ["pass", "move"]
    assert game.do("pass").to_act == 1


def test_rogue_30_movement_items_come_on_top():
    """Two tiles with hasty boots, one more if nothing else is done."""
    game = lone(cells=ROAD, worn={"feet": "hasty_boots"}, step="move")
    for row in (6, 7, 8):
        assert pass_until_move(game).do("move north").at(0) == (row, 12)
    assert pass_until_move(game).to_act == 1


def test_rogue_30_changing_equipment_is_nothing_but_walking():
    game = lone(cells=ROAD, hand=["sword"], step="move").do("equip sword", "move north")
    pass_until_move(game).do("move north")
    assert (game.at(0), game.player(0)["worn"]) == ((7, 12), {"primary": "sword"})


DEEDS = {
    "flip": ("flip north", [], ["four_way"], {"cells": {"6,12": "?", "5,13": "Pf"}, "step": "flip"}),
    "potion": ("drink red potion", [], [], {"hand": ["red"], "potions": {"red": "strength"}}),
    "scroll": ("read Scroll of max health", [], [], {"hand": ["scroll_max_health"]}),
    "sale": ("sell Sword", [], [], {"cells": {"5,12": "H"}, "hand": ["sword"]}),
    "purchase": ("buy Sword", [], [], {"cells": {"5,12": "H"}, "gold": 10}),
    "spell": ("cast healing", [], [], {"character": "mage", "hand": ["red"]}),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_rogue_30_anything_else_ends_the_mere_walk(deed):
    words, dice, draws, facts = DEEDS[deed]
    game = lone(**{"cells": ROAD | {"5,13": "Pf"} | facts.pop("cells", {}), "step": "move"} | facts)
    game.do(words, dice=dice, draws=draws)
    if deed == "spell":
        game.do("spend red potion")
    game.do("move east")
    assert pass_until_move(game).to_act == 1


@pytest.mark.parametrize("met", ["potion", "trap", "cards of the dead", "interaction"])
def test_rogue_30_what_is_met_on_the_way_ends_the_mere_walk_too(met):
    token = {"potion": "O:red", "trap": "T:spike"}.get(met, "Pf")
    left = [{"at": list(NORTH), "cards": ["2 gold"]}] if met == "cards of the dead" else []
    others = [a("bard", FAR)] if met == "interaction" else []
    game = lone(*others, cells=ROAD | {"6,12": token}, left=left, step="flip")
    game.do("move north", draws=["four_way"] if met == "potion" else [])
    if met == "interaction":
        game.do("trip north", dice=[1])
    assert pass_until_move(game).to_act == 1


@pytest.mark.parametrize("step", ["flip", "move", "interact"])
def test_rogue_31_potions_scrolls_and_spells_are_open_in_every_step(step):
    facts = {"character": "mage", "hand": ["red", "scroll_max_health"], "health": 4}
    game = lone(a("bard", EAST), cells={"6,12": "Pf", "5,13": "Pf", "4,12": "?"}, step=step, **facts)
    assert {"drink", "throw", "read", "cast"} <= {*game.options}


@pytest.mark.parametrize("step", ["flip", "move", "interact"])
def test_rogue_31_trading_with_the_shop_and_equipping_are_open_in_every_step_out_of_combat(step):
    game = lone(
        a("bard", EAST),
        cells={"5,12": "H", "5,13": "Pf", "6,12": "?"},
        step=step,
        gold=20,
        hand=["sword"],
        worn={"head": "helm"},
    )
    assert {"equip", "take off", "buy", "sell"} <= {*game.options}


@pytest.mark.parametrize("step", ["fight", "struck", "survived"])
def test_rogue_31_in_combat_items_and_spells_only(step):
    facts = {"character": "mage", "hand": ["red", "scroll_max_health", "sword"], "gold": 20}
    game = lone(cells={"5,12": "H", "5,13": "Pf"}, enemies=[an_enemy("troll")], step=step, **facts)
    own = {"fight": {"attack", "flee"}}.get(step, {"pass"})
    assert {*game.options} == own | {"drink", "throw", "read", "cast"}


def test_rogue_31_a_fixed_layout_follows_the_same_steps():
    game = layout("L4 .", "S ?E:goblin").do("flip east")
    assert (game.position["step"], game.enemy((0, 1))["order"]) == ("fight", [0])


def test_rogue_30_82_who_leaves_a_tile_of_his_boots_unused_may_walk_on_all_the_same():
    """One of two tiles, cards are laid, and the one more move of a turn of mere walking; passing that ends the turn."""
    game = lone(cells=ROAD, worn={"feet": "hasty_boots"}, rules={"repeat_moves": 8})
    game.do("move north", "pass", "pass")  # steps 2 and 3
    assert (game.to_act, game.position["repeats"], game.position["moves_left"]) == (0, 1, 1)
    assert game.do("pass").to_act == 1


def test_rogue_82_boots_put_on_or_taken_off_in_step_2_count_at_once():
    rules = {"repeat_moves": 0}
    game = lone(cells=ROAD, hand=["hasty_boots"], rules=rules).do("equip Hasty Boots", "move north", "move north")
    assert game.at(0) == (7, 12)
    game = lone(cells=ROAD, worn={"feet": "hasty_boots"}, rules=rules).do("move north", "take off Hasty Boots (feet)")
    assert "move" not in game.options


def test_rogue_82_boots_put_on_again_give_no_further_tile():
    """Two tiles are walked; the position without the boots, which is one tile too far, can be written down and read."""
    game = lone(cells=ROAD, worn={"feet": "hasty_boots"}).do("move north", "move north", "take off Hasty Boots (feet)")
    assert game.position["moves_left"] == -1
    again = placed(game.cards, game.position).do("equip Hasty Boots")
    assert (again.at(0), again.position["moves_left"], "move" in again.options) == ((7, 12), 0, False)


def test_rogue_82_a_repeated_move_is_one_tile_whatever_is_worn():
    game = pass_until_move(lone(cells=ROAD, hand=["hasty_boots"]).do("move north")).do("equip Hasty Boots")
    game.do("move north")
    assert "move" not in game.options
