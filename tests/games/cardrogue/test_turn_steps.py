"""ROGUE-24 to 31 on the compiled kernels: flipping, moving, arriving, interacting, placing, and mere walking."""

import pytest

from tests.games.cardrogue.positions import EAST, MIDDLE, NORTH, Play, a, an_enemy, layout, table

ASIDE = {"9,9": "S", "9,10": "Pf", "0,12": "S", "0,14": "S"}
OTHER = a("bard", (9, 9))
FAR = (7, 12)  # north of the north


def lone(*others: dict, map: dict[str, str], step: str = "move", character: str = "warrior", **facts: object) -> Play:
    """Seat 0 in the middle about to take a step of its turn; seat 1 waits far away."""
    turn = {key: facts.pop(key) for key in ("rules", "left", "enemies", "rush", "potions", "done") if key in facts}
    return table(a(character, **facts), *(others or (OTHER,)), map={"5,12": "Pf"} | map | ASIDE, step=step, **turn)


def pass_until_move(game: Play) -> Play:
    """Seat 0 passes until it may move again, or its turn is over."""
    while game.to_act == 0 and "move" not in game.options:
        game.do("pass")
    return game


def test_rogue_24_any_number_of_adjacent_cards_is_flipped_one_after_the_other():
    game = lone(map={"6,12": "?", "5,13": "?", "4,12": "?"}, step="flip")
    assert game.do("flip").options == ["flip north", "flip east", "flip south"]
    game.do("flip east", draws=["straight"])
    assert game.do("flip").options == ["flip north", "flip south"]
    game.do("flip south", draws=["dead_end"])
    assert (game.position["step"], game.options) == ("flip", ["pass", "flip"])
    assert game.do("pass").position["step"] == "move"
    assert game.state["flips"][0] == 2


def test_rogue_24_no_card_needs_to_be_flipped():
    game = lone(map={"6,12": "?", "5,13": "Pf"}, step="flip").do("pass")
    assert (game.position["step"], game.map["6,12"]) == ("move", "?")
    assert "flip" not in game.options


def test_rogue_25_a_tile_stays_and_a_trap_triggers_on_the_flipper():
    changes = {"decks.exploration.spike": 1}
    game = table(a("warrior"), OTHER, map={"5,12": "Pf", "6,12": "?"} | ASIDE, changes=changes)
    game.do("flip north", draws=["spike"])
    assert (game.map["6,12"], game.health(), game.at(0)) == ("T:spike", 10, MIDDLE)


@pytest.mark.parametrize("card", ["attack_plus", "health_plus", "key"])
def test_rogue_25_an_artifact_or_the_key_goes_to_the_hand_and_is_replaced(card):
    game = lone(map={"6,12": "?"}, step="flip").do("flip north", draws=[card, "shop"])
    assert (game.player(0)["hand"], game.map["6,12"]) == ([card], "H")


def test_rogue_25_a_potion_stays_face_up():
    game = lone(map={"6,12": "?"}, step="flip").do("flip north", draws=["blue"])
    assert (game.player(0)["hand"], game.map["6,12"], game.position["step"]) == ([], "O:blue", "move")


def test_rogue_25_a_flipped_enemy_is_fought_at_once_and_step_1_is_over():
    game = lone(map={"6,12": "?", "5,13": "?"}, step="flip", character="rogue").do("flip north", draws=["goblin"])
    assert (game.position["step"], game.enemy(NORTH)["order"], game.options) == ("fight", [0], ["attack", "flee"])
    game.do("attack north", dice=[1])  # and the goblin hits back: the turn is over
    assert (game.to_act, game.health()) == (1, 8)


def test_rogue_26_a_move_leads_to_an_adjacent_face_up_cell_one_tile_a_turn():
    game = lone(map={"6,12": "Pf", "7,12": "Pf", "5,13": "O:red", "4,12": "?"}, done=[])
    assert game.do("move").options == ["move north", "move east"]
    assert game.do("move north").at(0) == NORTH
    assert game.to_act == 1


def test_rogue_27_in_the_end_rush_the_way_out_comes_before_everything_else():
    left = [{"at": list(NORTH), "cards": ["golem"]}]
    game = lone(map={"6,12": "S"}, rush=True, left=left, enemies=[an_enemy("goblin", FAR, order=[])])
    game.do("move north")
    assert (game.over, game.player(0)["hand"], game.player(0)["points"]) == (True, [], 1)


def test_rogue_27_the_cards_of_the_dead_come_before_the_trap():
    """The health artifact left there is picked up before the spikes: 2 + 4 - 2."""
    game = lone(map={"6,12": "T:spike"}, health=2, left=[{"at": list(NORTH), "cards": ["health_plus", "2 gold"]}])
    game.do("move north")
    assert (game.health(), game.player(0)["hand"], game.player(0)["gold"]) == (4, ["health_plus"], 2)


def test_rogue_27_a_trap_that_kills_leaves_what_was_picked_up_and_nothing_else_happens():
    left = [{"at": list(NORTH), "cards": ["key"]}]
    game = lone(map={"6,12": "T:spike"}, health=2, left=left, enemies=[an_enemy("goblin", FAR, order=[])])
    game.do("move north")
    assert (game.options, game.enemy(FAR)["order"]) == (["keep key"], [])


def test_rogue_27_a_potion_is_replaced_and_a_trap_turned_up_so_triggers():
    game = lone(map={"6,12": "O:red"}).do("move north", draws=["spike"])
    assert (game.player(0)["hand"], game.map["6,12"], game.health()) == (["red"], "T:spike", 10)


def test_rogue_27_the_chest_opens_for_a_key_that_was_picked_up_there():
    game = lone(map={"6,12": "C"}, left=[{"at": list(NORTH), "cards": ["key"]}]).do("move north")
    assert (game.player(0)["scored"]["chest"], game.player(0)["hand"], game.map["6,12"]) == (1, [], "Pf")


def test_rogue_27_combat_begins_last():
    game = lone(map={"6,12": "O:red"}, character="rogue", enemies=[an_enemy("goblin", FAR, order=[])])
    game.do("move north", draws=["three_lr"])  # walled towards the north: no combat
    assert (game.enemy(FAR)["order"], game.to_act) == ([], 0)
    game = lone(map={"6,12": "O:red"}, character="rogue", enemies=[an_enemy("goblin", FAR, order=[])])
    game.do("move north", draws=["straight"])
    assert (game.enemy(FAR)["order"], game.position["step"]) == ([0], "fight")


def test_rogue_27_paralysis_puts_the_rest_off_until_the_next_turn():
    """Cards are picked up, the trap paralyses: the goblin next to it is met in the next turn, which is skipped."""
    left = [{"at": list(NORTH), "cards": ["pink"]}]
    game = lone(map={"6,12": "T:paralysis"}, character="rogue", left=left, enemies=[an_enemy("goblin", FAR, order=[])])
    game.do("move north")
    assert (game.to_act, game.player(0)["hand"], game.player(0)["skip"]) == (1, ["pink"], 1)
    assert (game.enemy(FAR)["order"], game.health(), game.player(0)["put_off"]) == ([], 10, "after_trap")
    game.end_turn()
    assert (game.enemy(FAR)["order"], game.health(), game.to_act, game.player(0)["skip"]) == ([0], 8, 1, 0)


def test_rogue_27_a_chest_that_was_put_off_opens_in_the_next_turn():
    """A potion is replaced by a paralysing trap: nothing is left to do there; a trap on the way does not act again."""
    game = lone(map={"6,12": "O:red"}).do("move north", draws=["paralysis"])
    assert (game.to_act, game.player(0)["skip"]) == (1, 1)
    game.end_turn()
    assert (game.to_act, game.player(0)["skip"], game.player(0)["put_off"]) == (1, 0, "nothing")


def test_rogue_28_a_move_next_to_an_enemy_begins_combat_and_ends_the_moving():
    game = lone(
        map={"6,12": "Pf", "6,13": "Pf"},
        worn={"feet": "hasty_boots"},
        character="rogue",
        enemies=[an_enemy("goblin", FAR, order=[])],
    )
    game.do("move north")
    assert (game.position["step"], game.options) == ("fight", ["attack", "flee"])
    game.do("attack north", dice=[6])
    assert (game.to_act, game.health(), game.at(0)) == (1, 8, NORTH)


def test_rogue_28_after_a_move_beside_a_player_one_may_interact():
    game = lone(a("bard", FAR), map={"6,12": "Pf", "7,12": "Pf"}).do("move north")
    assert (game.position["step"], game.options) == ("interact", ["pass", "trip"])


def test_rogue_29_cards_are_laid_on_every_empty_cell_towards_which_the_own_tile_is_open():
    """A three_fl entered from the south with nothing around: north and west."""
    game = lone(map={"5,12": "Pd", "4,12": "Pf"}, step="interact")
    stack, unseen = game.position["stack"], game.position["unseen"]
    assert [cell for cell, token in game.end_turn().map.items() if token == "?"] == ["6,12", "5,11"]
    assert (game.position["stack"], game.position["unseen"]) == (stack - 2, unseen)


def test_rogue_29_nothing_is_laid_in_combat_or_after_a_turn_cut_short():
    fight = lone(map={}, enemies=[an_enemy("goblin")], step="fight").do("attack north", dice=[1])
    cut = lone(map={"6,12": "T:paralysis"}).do("move north")
    assert "?" not in [*fight.map.values(), *cut.map.values()]


def test_rogue_29_a_printed_turn():
    """Flips a shop, flips spikes, moves onto the shop, buys, places: 2 health lost, cards at the shop's open sides."""
    changes = {"decks.exploration.shop": 1, "decks.exploration.spike": 1}
    game = table(a("bard", gold=9), a("mage", (9, 9)), map={"5,12": "Pf", "6,12": "?", "5,13": "?"} | ASIDE, changes=changes)
    game.do("flip north", draws=["shop"]).do("flip east", draws=["spike"])
    game.do("move north", "buy Sword", "pass", "pass")
    assert (game.to_act, game.health(), game.player(0)["hand"], game.player(0)["gold"]) == (1, 8, ["sword"], 4)
    assert [cell for cell, token in game.map.items() if token == "?"] == ["7,12", "6,11", "6,13"]


ROAD = {"6,12": "Pf", "7,12": "Pf", "8,12": "Pf"}


@pytest.mark.parametrize("repeats", [0, 1, 2])
def test_rogue_30_who_does_nothing_but_walk_may_walk_on(repeats):
    game = lone(map=ROAD, rules={"repeat_moves": repeats}, step="flip")
    walked = 0
    while game.to_act == 0 and walked < 9:
        game.do("move north" if game.at(0)[0] < 8 else "move south")
        walked += 1
    assert walked == 1 + repeats


def test_rogue_30_the_further_move_can_be_passed_and_cards_are_laid_before_it():
    game = lone(map={"6,12": "P5", "5,12": "P1"}, step="flip").do("move north")
    assert (game.to_act, game.position["step"], game.map["7,12"]) == (0, "move", "?")
    assert game.options == ["pass", "move"]
    assert game.do("pass").to_act == 1


def test_rogue_30_movement_items_come_on_top():
    """Two tiles with hasty boots, one more if nothing else is done."""
    game = lone(map=ROAD, worn={"feet": "hasty_boots"}, step="move")
    for row in (6, 7, 8):
        assert pass_until_move(game).do("move north").at(0) == (row, 12)
    assert pass_until_move(game).to_act == 1


def test_rogue_30_changing_equipment_is_nothing_but_walking():
    game = lone(map=ROAD, hand=["sword"], step="move").do("equip sword", "move north")
    pass_until_move(game).do("move north")
    assert (game.at(0), game.player(0)["worn"]) == ((7, 12), {"primary": "sword"})


DEEDS = {
    "flip": ("flip north", [], ["four_way"], {"map": {"6,12": "?", "5,13": "Pf"}, "step": "flip"}),
    "potion": ("drink red potion", [], [], {"hand": ["red"], "potions": {"red": "strength"}}),
    "scroll": ("read Scroll of max health", [], [], {"hand": ["scroll_max_health"]}),
    "sale": ("sell Sword", [], [], {"map": {"5,12": "H"}, "hand": ["sword"]}),
    "purchase": ("buy Sword", [], [], {"map": {"5,12": "H"}, "gold": 10}),
    "spell": ("cast healing", [], [], {"character": "mage", "hand": ["red"]}),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_rogue_30_anything_else_ends_the_mere_walk(deed):
    words, dice, draws, facts = DEEDS[deed]
    game = lone(**{"map": ROAD | {"5,13": "Pf"} | facts.pop("map", {}), "step": "move"} | facts)
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
    game = lone(*others, map=ROAD | {"6,12": token}, left=left, step="flip")
    game.do("move north", draws=["four_way"] if met == "potion" else [])
    if met == "interaction":
        game.do("trip north", dice=[1])
    assert pass_until_move(game).to_act == 1


@pytest.mark.parametrize("step", ["flip", "move", "interact"])
def test_rogue_31_potions_scrolls_and_spells_are_open_in_every_step(step):
    facts = {"character": "mage", "hand": ["red", "scroll_max_health"], "health": 4}
    game = lone(a("bard", EAST), map={"6,12": "Pf", "5,13": "Pf", "4,12": "?"}, step=step, **facts)
    assert {"drink", "throw", "read", "cast"} <= {*game.options}


@pytest.mark.parametrize("step", ["flip", "move", "interact"])
def test_rogue_31_trading_with_the_shop_and_equipping_are_open_in_every_step_out_of_combat(step):
    game = lone(a("bard", EAST), map={"5,12": "H", "5,13": "Pf", "6,12": "?"}, step=step, gold=20, hand=["sword"], worn={"head": "helm"})
    assert {"equip", "take off", "buy", "sell"} <= {*game.options}


@pytest.mark.parametrize("step", ["fight", "struck", "survived"])
def test_rogue_31_in_combat_items_and_spells_only(step):
    facts = {"character": "mage", "hand": ["red", "scroll_max_health", "sword"], "gold": 20}
    game = lone(map={"5,12": "H", "5,13": "Pf"}, enemies=[an_enemy("troll")], step=step, **facts)
    own = {"fight": {"attack", "flee"}}.get(step, {"pass"})
    assert {*game.options} == own | {"drink", "throw", "read", "cast"}


def test_rogue_31_a_fixed_layout_follows_the_same_steps():
    game = layout("L4 .", "S ?E:goblin").do("flip east")
    assert (game.position["step"], game.enemy((0, 1))["order"]) == ("fight", [0])
