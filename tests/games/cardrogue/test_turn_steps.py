"""ROGUE-24 to 29 on the compiled kernels: flipping, moving, arriving, interacting, placing."""

import pytest

from tests.games.cardrogue.positions import MIDDLE, NORTH, a, an_enemy, table
from tests.games.cardrogue.tables import ASIDE, FAR, OTHER, lone


def test_rogue_24_any_number_of_adjacent_cards_is_flipped_one_after_the_other():
    game = lone(cells={"6,12": "?", "5,13": "?", "4,12": "?"}, step="flip")
    assert game.do("flip").options == ["flip north", "flip east", "flip south"]
    game.do("flip east", draws=["straight"])
    assert game.do("flip").options == ["flip north", "flip south"]
    game.do("flip south", draws=["dead_end"])
    assert (game.position["step"], game.options) == ("flip", ["pass", "flip"])
    assert game.do("pass").position["step"] == "move"
    assert game.state["flips"][0] == 2


def test_rogue_24_no_card_needs_to_be_flipped():
    game = lone(cells={"6,12": "?", "5,13": "Pf"}, step="flip").do("pass")
    assert (game.position["step"], game.map["6,12"]) == ("move", "?")
    assert "flip" not in game.options


def test_rogue_25_a_tile_stays_and_a_trap_triggers_on_the_flipper():
    changes = {"decks.exploration.spike": 1}
    game = table(a("warrior"), OTHER, map={"5,12": "Pf", "6,12": "?"} | ASIDE, changes=changes)
    game.do("flip north", draws=["spike"])
    assert (game.map["6,12"], game.health(), game.at(0)) == ("T:spike", 10, MIDDLE)


@pytest.mark.parametrize("card", ["attack_plus", "health_plus", "key"])
def test_rogue_25_an_artifact_or_the_key_goes_to_the_hand_and_is_replaced(card):
    game = lone(cells={"6,12": "?"}, step="flip").do("flip north", draws=[card, "shop"])
    assert (game.player(0)["hand"], game.map["6,12"]) == ([card], "H")


def test_rogue_25_a_potion_stays_face_up():
    game = lone(cells={"6,12": "?"}, step="flip").do("flip north", draws=["blue"])
    assert (game.player(0)["hand"], game.map["6,12"], game.position["step"]) == ([], "O:blue", "move")


def test_rogue_25_a_flipped_enemy_is_fought_at_once_and_step_1_is_over():
    game = lone(cells={"6,12": "?", "5,13": "?"}, step="flip", character="rogue").do("flip north", draws=["goblin"])
    assert (game.position["step"], game.enemy(NORTH)["order"], game.options) == ("fight", [0], ["attack", "flee"])
    game.do("attack north", dice=[1])  # and the goblin hits back: the turn is over
    assert (game.to_act, game.health()) == (1, 8)


def test_rogue_26_a_move_leads_to_an_adjacent_face_up_cell_one_tile_a_turn():
    game = lone(cells={"6,12": "Pf", "7,12": "Pf", "5,13": "O:red", "4,12": "?"}, done=[])
    assert game.do("move").options == ["move north", "move east"]
    assert game.do("move north").at(0) == NORTH
    assert game.to_act == 1


def test_rogue_27_in_the_end_rush_the_way_out_comes_before_everything_else():
    left = [{"at": list(NORTH), "cards": ["golem"]}]
    game = lone(cells={"6,12": "S"}, rush=True, left=left, enemies=[an_enemy("goblin", FAR, order=[])])
    game.do("move north")
    assert (game.over, game.player(0)["hand"], game.player(0)["points"]) == (True, [], 1)


def test_rogue_27_the_cards_of_the_dead_come_before_the_trap():
    """The health artifact left there is picked up before the spikes: 2 + 4 - 2."""
    game = lone(cells={"6,12": "T:spike"}, health=2, left=[{"at": list(NORTH), "cards": ["health_plus", "2 gold"]}])
    game.do("move north")
    assert (game.health(), game.player(0)["hand"], game.player(0)["gold"]) == (4, ["health_plus"], 2)


def test_rogue_27_a_trap_that_kills_leaves_what_was_picked_up_and_nothing_else_happens():
    left = [{"at": list(NORTH), "cards": ["key"]}]
    game = lone(cells={"6,12": "T:spike"}, health=2, left=left, enemies=[an_enemy("goblin", FAR, order=[])])
    game.do("move north")
    assert (game.options, game.enemy(FAR)["order"]) == (["keep key"], [])


def test_rogue_27_a_potion_is_replaced_and_a_trap_turned_up_so_triggers():
    game = lone(cells={"6,12": "O:red"}).do("move north", draws=["spike"])
    assert (game.player(0)["hand"], game.map["6,12"], game.health()) == (["red"], "T:spike", 10)


def test_rogue_27_the_chest_opens_for_a_key_that_was_picked_up_there():
    game = lone(cells={"6,12": "C"}, left=[{"at": list(NORTH), "cards": ["key"]}]).do("move north")
    assert (game.player(0)["scored"]["chest"], game.player(0)["hand"], game.map["6,12"]) == (1, [], "Pf")


def test_rogue_27_combat_begins_last():
    game = lone(cells={"6,12": "O:red"}, character="rogue", enemies=[an_enemy("goblin", FAR, order=[])])
    game.do("move north", draws=["three_lr"])  # walled towards the north: no combat
    assert (game.enemy(FAR)["order"], game.to_act) == ([], 0)
    game = lone(cells={"6,12": "O:red"}, character="rogue", enemies=[an_enemy("goblin", FAR, order=[])])
    game.do("move north", draws=["straight"])
    assert (game.enemy(FAR)["order"], game.position["step"]) == ([0], "fight")


def test_rogue_27_paralysis_puts_the_rest_off_until_the_next_turn():
    """Cards are picked up, the trap paralyses: the goblin next to it is met in the next turn, which is skipped."""
    left = [{"at": list(NORTH), "cards": ["pink"]}]
    game = lone(
        cells={"6,12": "T:paralysis"}, character="rogue", left=left, enemies=[an_enemy("goblin", FAR, order=[])]
    )
    game.do("move north")
    assert (game.to_act, game.player(0)["hand"], game.player(0)["skip"]) == (1, ["pink"], 1)
    assert (game.enemy(FAR)["order"], game.health(), game.player(0)["put_off"]) == ([], 10, "after_trap")
    game.end_turn()
    assert (game.enemy(FAR)["order"], game.health(), game.to_act, game.player(0)["skip"]) == ([0], 8, 1, 0)


def test_rogue_27_a_chest_that_was_put_off_opens_in_the_next_turn():
    """A potion is replaced by a paralysing trap: nothing is left to do there; a trap on the way does not act again."""
    game = lone(cells={"6,12": "O:red"}).do("move north", draws=["paralysis"])
    assert (game.to_act, game.player(0)["skip"]) == (1, 1)
    game.end_turn()
    assert (game.to_act, game.player(0)["skip"], game.player(0)["put_off"]) == (1, 0, "nothing")


def test_rogue_28_a_move_next_to_an_enemy_begins_combat_and_ends_the_moving():
    game = lone(
        cells={"6,12": "Pf", "6,13": "Pf"},
        worn={"feet": "hasty_boots"},
        character="rogue",
        enemies=[an_enemy("goblin", FAR, order=[])],
    )
    game.do("move north")
    assert (game.position["step"], game.options) == ("fight", ["attack", "flee"])
    game.do("attack north", dice=[6])
    assert (game.to_act, game.health(), game.at(0)) == (1, 8, NORTH)


def test_rogue_28_after_a_move_beside_a_player_one_may_interact():
    game = lone(a("bard", FAR), cells={"6,12": "Pf", "7,12": "Pf"}).do("move north")
    assert (game.position["step"], game.options) == ("interact", ["pass", "trip"])


def test_rogue_29_cards_are_laid_on_every_empty_cell_towards_which_the_own_tile_is_open():
    """A three_fl entered from the south with nothing around: north and west."""
    game = lone(cells={"5,12": "Pd", "4,12": "Pf"}, step="interact")
    stack, unseen = game.position["stack"], game.position["unseen"]
    assert [cell for cell, token in game.end_turn().map.items() if token == "?"] == ["6,12", "5,11"]
    assert (game.position["stack"], game.position["unseen"]) == (stack - 2, unseen)


def test_rogue_29_nothing_is_laid_in_combat_or_after_a_turn_cut_short():
    fight = lone(cells={}, enemies=[an_enemy("goblin")], step="fight").do("attack north", dice=[1])
    cut = lone(cells={"6,12": "T:paralysis"}).do("move north")
    assert "?" not in [*fight.map.values(), *cut.map.values()]


def test_rogue_29_a_printed_turn():
    """Flips a shop, flips spikes, moves onto the shop, buys, places: 2 health lost, cards at the shop's open sides."""
    changes = {"decks.exploration.shop": 1, "decks.exploration.spike": 1}
    game = table(
        a("bard", gold=9), a("mage", (9, 9)), map={"5,12": "Pf", "6,12": "?", "5,13": "?"} | ASIDE, changes=changes
    )
    game.do("flip north", draws=["shop"]).do("flip east", draws=["spike"])
    game.do("move north", "buy Sword", "pass", "pass")
    assert (game.to_act, game.health(), game.player(0)["hand"], game.player(0)["gold"]) == (1, 8, ["sword"], 4)
    assert [cell for cell, token in game.map.items() if token == "?"] == ["7,12", "6,11", "6,13"]
