"""ROGUE-20 to 33: the start of a turn, its steps, walking on, and turns that are cut short."""

import pytest

from tests.games.cardrogue.positions import (
    ASIDE,
    CROSS,
    EAST,
    FAR,
    MIDDLE,
    NORTH,
    OTHER,
    SOUTH,
    WEST,
    Play,
    a,
    an_enemy,
    layout,
    lone,
    placed,
    table,
)

STARTS = {"0,12": "S", "0,14": "S"}


def second(character: str = "warrior", at: tuple[int, int] = MIDDLE, **position: object) -> Play:
    """Seat 1 on the middle, just about to begin its turn: seat 0, in the west, has yet to pass. Facts of seat 1: `facts`."""
    facts = position.pop("facts", {})
    position.setdefault("map", CROSS)
    position["map"] = position["map"] | {"5,10": "Pf"} | STARTS
    return table(a("bard", WEST), a(character, at, **facts), **position)


def test_rogue_20_players_take_turns_clockwise_and_a_round_is_one_turn_of_each():
    game = table(a("warrior", first := NORTH), a("bard", EAST), a("mage", SOUTH), active=1, first=1)
    assert game.at(0) == first
    turns = []
    for _ in range(7):
        turns.append((game.current_player, game.position["round"]))
        game.end_turn()
    assert turns == [(1, 1), (2, 1), (0, 1), (1, 2), (2, 2), (0, 2), (1, 3)]


def test_rogue_20_who_is_out_has_no_turn():
    game = table(a("warrior", NORTH), a("bard", "out", health=0), a("mage", SOUTH), rush=True, map=CROSS)
    assert [game.current_player, game.end_turn().current_player, game.end_turn().current_player] == [0, 2, 0]
    assert game.position["round"] == 2


def test_rogue_20_the_round_ends_even_when_the_first_seat_is_out():
    game = table(a("warrior", "out", health=0), a("bard", NORTH), a("mage", SOUTH), rush=True, active=1, first=0)
    turns = []
    for _ in range(4):
        turns.append((game.current_player, game.position["round"]))
        game.end_turn()
    assert turns == [(1, 1), (2, 1), (1, 2), (2, 2)]


def test_rogue_20_steps_come_in_their_order_and_a_passed_one_does_not_come_back():
    game = table(a("warrior"), a("bard", EAST), map=CROSS | {"6,12": "?"})
    assert (game.position["step"], game.options) == ("flip", ["pass", "flip"])
    assert [game.do("pass").position["step"] for _ in range(2)] == ["move", "interact"]
    assert game.options == ["pass", "trip"]
    assert game.do("pass").current_player == 1


def test_rogue_20_a_turn_that_begins_in_combat_is_a_combat_turn():
    game = second(enemies=[an_enemy("goblin")]).end_turn()
    assert (game.position["step"], game.options) == ("fight", ["attack"])  # a Warrior does not flee


def test_rogue_21_poison_works_before_the_fountain():
    """With 1 health the poison kills before the fountain could heal; with 2 the fountain heals what is left."""
    dying = second(facts={"health": 1, "poison": 2}, map=CROSS | {"5,12": "F"}).end_turn()
    assert (dying.position["decision"], dying.current_player, dying.at(1)) == ("respawn", 1, None)
    alive = second(facts={"health": 2, "poison": 2}, map=CROSS | {"5,12": "F"}).end_turn(dice=[1])
    assert alive.health(1) == 2 - 1 + 2


def test_rogue_21_the_cooldown_falls_at_the_start_of_every_turn_also_of_a_skipped_one():
    for skip in (0, 1):
        game = second("mage", facts={"cooldown": 3, "skip": skip}).end_turn()
        assert game.player(1)["cooldown"] == 2
        assert game.current_player == (0 if skip else 1)


def test_rogue_21_the_fountain_comes_before_what_was_put_off():
    """The fountain drains under the player; the spikes turned up hurt once, though all that he meets there was put off."""
    left = [{"at": list(MIDDLE), "cards": ["key"]}]
    game = second(facts={"health": 9, "put_off": "all"}, map=CROSS | {"5,12": "F"}, left=left)
    game.end_turn(dice=[6], draws=["spike"])
    assert (game.map["5,12"], game.health(1), game.player(1)["hand"]) == ("T:spike", 7, ["key"])


def test_rogue_21_what_was_put_off_comes_before_combat():
    """Spikes that were put off kill before the combat begins."""
    game = second(facts={"health": 2, "put_off": "all"}, map=CROSS | {"5,12": "T:spike"}, enemies=[an_enemy("goblin", order=[])])
    game.end_turn()
    assert (game.position["decision"], game.enemy(NORTH)["order"]) == ("respawn", [])


def test_rogue_21_combat_begins_with_every_adjacent_enemy_at_the_end_of_its_order():
    enemies = [an_enemy("goblin", NORTH, order=[]), an_enemy("imp", SOUTH, order=[]), an_enemy("troll", (6, 13), order=[])]
    game = second("rogue", enemies=enemies, map=CROSS | {"6,13": "Pf"}).end_turn()
    assert [game.enemy(at)["order"] for at in (NORTH, SOUTH, (6, 13))] == [[1], [1], []]
    assert game.options == ["attack", "flee"]


def test_rogue_21_a_skipped_turn_enters_combat_before_it_is_lost():
    """The goblin moved next to the paralysed player hits him in the turn that he skips: 10 - 2."""
    game = second("rogue", facts={"skip": 1}, enemies=[an_enemy("goblin", order=[])]).end_turn()
    assert (game.health(1), game.enemy(NORTH)["order"], game.current_player) == (8, [1], 0)


def test_rogue_22_poisoned_for_four_with_8_health_is_7_and_three_after_the_start_of_a_turn():
    game = second("rogue", facts={"health": 8, "poison": 4}).end_turn()
    assert (game.health(1), game.player(1)["poison"]) == (7, 3)


def test_rogue_22_no_armour_helps_against_poison():
    worn = {"head": "helm", "chest": "chestplate", "feet": "boots"}
    assert second("rogue", facts={"health": 8, "poison": 1, "worn": worn}).end_turn().health(1) == 7


@pytest.mark.parametrize(("poison", "antidote"), [(1, 0), (3, 2)])
def test_rogue_22_the_antidote_turns_each_loss_into_a_gain_and_ends_with_the_poison(poison, antidote):
    game = second("rogue", facts={"health": 5, "poison": poison, "antidote": 2}).end_turn()
    assert (game.health(1), game.player(1)["poison"], game.player(1)["antidote"]) == (7, poison - 1, antidote)


def test_rogue_22_the_antidote_s_gain_stops_at_the_maximum():
    assert second("rogue", facts={"health": 9, "poison": 2, "antidote": 2}).end_turn().health(1) == 10


def test_rogue_22_death_by_poison_ends_the_turn():
    game = second("rogue", facts={"health": 1, "poison": 3}, enemies=[an_enemy("goblin", order=[])]).end_turn()
    game.do("come back at row 0 column 12")
    assert (game.current_player, game.position["turn"], game.enemy(NORTH)["order"]) == (0, 2, [])
    assert (game.at(1), game.health(1), game.player(1)["poison"]) == ((0, 12), 10, 0)


def test_rogue_23_a_skipped_turn_out_of_combat_is_lost_altogether():
    """Nothing is decided and nothing laid; the fountain and the poison still work."""
    facts, longer = {"skip": 2, "poison": 2, "health": 5}, {"trap.paralysis.effect.turns": 2}
    game = second("rogue", facts=facts, map={"5,12": "F", "5,11": "Pf"}, changes=longer).end_turn(dice=[2])
    assert (game.current_player, game.player(1)["skip"], game.health(1)) == (0, 1, 5 - 1 + 2)
    assert "?" not in [game.map.get(f"{row},{column}") for row, column in (NORTH, EAST, SOUTH)]


def test_rogue_23_in_combat_a_skipped_turn_is_the_enemies_part_only():
    """The poisoned zombie loses 1 and recovers, the troll heals nothing, and both strike: 12 - 2 - 4."""
    enemies = [an_enemy("zombie", poison=2, poisoner=1, order=[1]), an_enemy("troll", SOUTH, order=[1])]
    game = second(facts={"skip": 1}, enemies=enemies).end_turn()
    assert (game.health(1), game.player(1)["skip"], game.current_player) == (6, 0, 0)
    assert (game.enemy(NORTH)["health"], game.enemy(NORTH)["poison"]) == (6, 1)


def test_rogue_23_where_the_turn_is_lost_the_enemies_do_nothing_either():
    enemies = [an_enemy("zombie", poison=2, poisoner=1, order=[1]), an_enemy("troll", SOUTH, order=[1])]
    game = second(facts={"skip": 1}, enemies=enemies, rules={"paralysis_in_combat": "turn_lost"}).end_turn()
    assert (game.health(1), game.player(1)["skip"], game.current_player, game.enemy(NORTH)["poison"]) == (12, 0, 0, 2)


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
    assert (game.current_player, game.health()) == (1, 8)


def test_rogue_26_a_move_leads_to_an_adjacent_face_up_cell_one_tile_a_turn():
    game = lone(cells={"6,12": "Pf", "7,12": "Pf", "5,13": "O:red", "4,12": "?"}, done=[])
    assert game.do("move").options == ["move north", "move east"]
    assert game.do("move north").at(0) == NORTH
    assert game.current_player == 1


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
    assert (game.enemy(FAR)["order"], game.current_player) == ([], 0)
    game = lone(cells={"6,12": "O:red"}, character="rogue", enemies=[an_enemy("goblin", FAR, order=[])])
    game.do("move north", draws=["straight"])
    assert (game.enemy(FAR)["order"], game.position["step"]) == ([0], "fight")


def test_rogue_27_paralysis_puts_the_rest_off_until_the_next_turn():
    """Cards are picked up, the trap paralyses: the goblin next to it is met in the next turn, which is skipped."""
    left = [{"at": list(NORTH), "cards": ["pink"]}]
    game = lone(cells={"6,12": "T:paralysis"}, character="rogue", left=left, enemies=[an_enemy("goblin", FAR, order=[])])
    game.do("move north")
    assert (game.current_player, game.player(0)["hand"], game.player(0)["skip"]) == (1, ["pink"], 1)
    assert (game.enemy(FAR)["order"], game.health(), game.player(0)["put_off"]) == ([], 10, "after_trap")
    game.end_turn()
    assert (game.enemy(FAR)["order"], game.health(), game.current_player, game.player(0)["skip"]) == ([0], 8, 1, 0)


def test_rogue_27_a_chest_that_was_put_off_opens_in_the_next_turn():
    """A potion is replaced by a paralysing trap: nothing is left to do there; a trap on the way does not act again."""
    game = lone(cells={"6,12": "O:red"}).do("move north", draws=["paralysis"])
    assert (game.current_player, game.player(0)["skip"]) == (1, 1)
    game.end_turn()
    assert (game.current_player, game.player(0)["skip"], game.player(0)["put_off"]) == (1, 0, "nothing")


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
    assert (game.current_player, game.health(), game.at(0)) == (1, 8, NORTH)


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
    game = table(a("bard", gold=9), a("mage", (9, 9)), map={"5,12": "Pf", "6,12": "?", "5,13": "?"} | ASIDE, changes=changes)
    game.do("flip north", draws=["shop"]).do("flip east", draws=["spike"])
    game.do("move north", "buy Sword", "pass", "pass")
    assert (game.current_player, game.health(), game.player(0)["hand"], game.player(0)["gold"]) == (1, 8, ["sword"], 4)
    assert [cell for cell, token in game.map.items() if token == "?"] == ["7,12", "6,11", "6,13"]


def pass_until_move(game: Play) -> Play:
    """Seat 0 passes until it may move again, or its turn is over."""
    while game.current_player == 0 and "move" not in game.options:
        game.do("pass")
    return game


ROAD = {"6,12": "Pf", "7,12": "Pf", "8,12": "Pf"}


@pytest.mark.parametrize("repeats", [0, 1, 2])
def test_rogue_30_who_does_nothing_but_walk_may_walk_on(repeats):
    game = lone(cells=ROAD, rules={"repeat_moves": repeats}, step="flip")
    walked = 0
    while game.current_player == 0 and walked < 9:
        game.do("move north" if game.at(0)[0] < 8 else "move south")
        walked += 1
    assert walked == 1 + repeats


def test_rogue_30_the_further_move_can_be_passed_and_cards_are_laid_before_it():
    game = lone(cells={"6,12": "P5", "5,12": "P1"}, step="flip").do("move north")
    assert (game.current_player, game.position["step"], game.map["7,12"]) == (0, "move", "?")
    assert game.options == ["pass", "move"]
    assert game.do("pass").current_player == 1


def test_rogue_30_movement_items_come_on_top():
    """Two tiles with hasty boots, one more if nothing else is done."""
    game = lone(cells=ROAD, worn={"feet": "hasty_boots"}, step="move")
    for row in (6, 7, 8):
        assert pass_until_move(game).do("move north").at(0) == (row, 12)
    assert pass_until_move(game).current_player == 1


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
    assert pass_until_move(game).current_player == 1


@pytest.mark.parametrize("met", ["potion", "trap", "cards of the dead", "interaction"])
def test_rogue_30_what_is_met_on_the_way_ends_the_mere_walk_too(met):
    token = {"potion": "O:red", "trap": "T:spike"}.get(met, "Pf")
    left = [{"at": list(NORTH), "cards": ["2 gold"]}] if met == "cards of the dead" else []
    others = [a("bard", FAR)] if met == "interaction" else []
    game = lone(*others, cells=ROAD | {"6,12": token}, left=left, step="flip")
    game.do("move north", draws=["four_way"] if met == "potion" else [])
    if met == "interaction":
        game.do("trip north", dice=[1])
    assert pass_until_move(game).current_player == 1


@pytest.mark.parametrize("step", ["flip", "move", "interact"])
def test_rogue_31_potions_scrolls_and_spells_are_open_in_every_step(step):
    facts = {"character": "mage", "hand": ["red", "scroll_max_health"], "health": 4}
    game = lone(a("bard", EAST), cells={"6,12": "Pf", "5,13": "Pf", "4,12": "?"}, step=step, **facts)
    assert {"drink", "throw", "read", "cast"} <= {*game.options}


@pytest.mark.parametrize("step", ["flip", "move", "interact"])
def test_rogue_31_trading_with_the_shop_and_equipping_are_open_in_every_step_out_of_combat(step):
    game = lone(
        a("bard", EAST), cells={"5,12": "H", "5,13": "Pf", "6,12": "?"}, step=step, gold=20, hand=["sword"], worn={"head": "helm"}
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
    assert (game.current_player, game.position["repeats"], game.position["moves_left"]) == (0, 1, 1)
    assert game.do("pass").current_player == 1


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


KNOWN = {"red": "paralysis", "blue": "teleportation", "pink": "poison"}
HERE, THERE = {"5,12": "Pf", "6,12": "Pf"} | ASIDE, "teleport to row 9 column 10"


def drinker(*hand: str, cells: dict[str, str] | None = None, character: str = "rogue", **position: object) -> Play:
    """Seat 0 with known potions or scrolls on the middle; seat 1 waits far away."""
    facts = {key: position.pop(key) for key in ("health", "skip") if key in position}
    return table(a(character, hand=list(hand), **facts), a("bard", (9, 9)), map=cells or HERE, potions=KNOWN, **position)


def laid(game: Play) -> list[str]:
    """Cells with a face-down card."""
    return [cell for cell, token in game.map.items() if token == "?"]


def test_rogue_32_a_paralysed_player_s_turn_is_over_at_once_without_step_4():
    game = drinker("red").do("drink red potion")
    assert (game.current_player, game.player(0)["skip"], laid(game)) == (1, 1, [])


def test_rogue_32_drinking_teleportation_ends_the_turn():
    game = drinker("blue").do("drink blue potion", THERE)
    assert (game.current_player, game.at(0), laid(game)) == (1, (9, 10), [])


def test_rogue_32_a_move_scroll_ends_the_turn():
    game = drinker("scroll_move").do("read Scroll of move", "move north")
    assert (game.current_player, game.at(0), laid(game)) == (1, NORTH, [])


def test_rogue_32_death_ends_the_turn():
    game = drinker(cells=HERE | {"6,12": "T:spike"}, health=2).do("move north", "come back at row 0 column 14")
    assert (game.current_player, game.at(0), laid(game)) == (1, (0, 14), [])


def test_rogue_32_in_combat_the_enemies_part_still_happens():
    """Paralysed before step 1: the goblin hits, 10 - 2; the turn is over."""
    game = drinker("red", enemies=[an_enemy("goblin")]).do("drink red potion")
    assert (game.current_player, game.health(), game.player(0)["skip"]) == (1, 8, 1)


def test_rogue_32_after_step_3_it_does_not_happen_again():
    game = drinker("red", enemies=[an_enemy("goblin")]).do("attack north", "pass", dice=[1])
    assert (game.position["step"], game.health()) == ("survived", 8)
    game.do("drink red potion")
    assert (game.current_player, game.health(), game.player(0)["skip"]) == (1, 8, 1)


def test_rogue_32_between_the_steps_it_happens_once():
    game = drinker("red", enemies=[an_enemy("goblin")]).do("attack north", "drink red potion", dice=[1])
    assert (game.current_player, game.health(), game.enemy(NORTH)["health"]) == (1, 8, 7)


def test_rogue_32_who_is_no_longer_in_combat_suffers_no_enemy():
    game = drinker("blue", enemies=[an_enemy("goblin")]).do("drink blue potion", THERE)
    assert (game.current_player, game.health(), game.enemy(NORTH)["order"]) == (1, 10, [])


def test_rogue_32_where_the_turn_is_lost_a_cut_in_combat_stops_the_enemies_too():
    game = drinker("red", enemies=[an_enemy("goblin")], rules={"paralysis_in_combat": "turn_lost"})
    assert game.do("drink red potion").health() == 10


def test_rogue_33_who_is_teleported_meets_trap_and_enemy_at_the_start_of_his_next_turn():
    """Onto spikes, beside a goblin: nothing until the next turn, then spikes, then combat."""
    cells = HERE | {"9,10": "T:spike", "9,11": "Pf"}
    game = drinker("blue", cells=cells, enemies=[an_enemy("goblin", (9, 11), order=[])]).do("drink blue potion", THERE)
    assert (game.current_player, game.health(), game.enemy((9, 11))["order"], game.player(0)["put_off"]) == (1, 10, [], "all")
    game.end_turn()
    assert (game.current_player, game.health(), game.enemy((9, 11))["order"]) == (0, 8, [0])
    assert (game.options, game.player(0)["put_off"]) == (["attack"], "nothing")


def test_rogue_33_a_trap_that_was_put_off_acts_once():
    cells = HERE | {"9,10": "T:paralysis"}
    game = drinker("blue", cells=cells).do("drink blue potion", THERE)
    game.end_turn()
    assert (game.current_player, game.player(0)["skip"]) == (1, 1)  # met in his turn, which ends it
    game.end_turn()
    assert (game.current_player, game.player(0)["skip"], game.player(0)["put_off"]) == (1, 0, "nothing")
    assert game.end_turn().current_player == 0


def test_rogue_33_cards_of_the_dead_and_potions_wait_too():
    left = [{"at": list(NORTH), "cards": ["key", "5 gold"]}]
    game = drinker("scroll_move", cells=HERE | {"6,12": "C"}, left=left).do("read Scroll of move", "move north")
    assert (game.player(0)["hand"], game.player(0)["gold"], game.map["6,12"]) == ([], 0, "C")
    game.end_turn()
    assert (game.player(0)["hand"], game.player(0)["gold"], game.map["6,12"]) == ([], 5, "Pf")
    assert game.player(0)["scored"]["chest"] == 1
    game = drinker("scroll_move", cells=HERE | {"6,12": "O:green"}).do("read Scroll of move", "move north")
    assert game.map["6,12"] == "O:green"
    game.end_turn(draws=["straight"])
    assert (game.player(0)["hand"], game.map["6,12"]) == (["green"], "P5")  # he moved northwards


def test_rogue_33_who_is_moved_outside_his_turn_meets_nothing_until_his_own():
    cells = HERE | {"9,10": "T:spike"}
    game = table(a("rogue", hand=["blue"]), a("bard", NORTH), map=cells, potions=KNOWN)
    game.do("throw blue potion", "throw north", THERE)
    assert (game.at(1), game.health(1), game.current_player) == ((9, 10), 10, 0)
    assert game.end_turn().health(1) == 8


def test_rogue_33_a_player_beside_whom_an_enemy_is_put_fights_it_in_his_own_turn():
    game = table(
        a("rogue", hand=["blue"]),
        a("bard", (0, 12)),
        a("mage", (9, 9)),
        map=HERE | {"0,13": "Pf"},
        potions=KNOWN,
        enemies=[an_enemy("goblin", EAST)],
    )
    game.do("throw blue potion", "throw east", THERE, draws=["straight"])
    assert (game.current_player, game.enemy((9, 10))["order"]) == (1, [])
    game.end_turn()
    assert (game.current_player, game.enemy((9, 10))["order"]) == (2, [2])


def test_rogue_33_a_flight_in_the_own_turn_puts_nothing_off():
    cells = CROSS | {"5,11": "T:spike", "6,12": "Pf"}
    game = table(a("rogue"), a("bard", (9, 9)), map=cells | ASIDE, enemies=[an_enemy("goblin", NORTH)])
    game.do("flee", "flee west", dice=[6])
    assert (game.at(0), game.health(), game.player(0)["put_off"]) == (WEST, 8, "nothing")
