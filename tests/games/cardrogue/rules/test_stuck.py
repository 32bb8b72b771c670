"""ROGUE-110, 111, 113 on the compiled kernels: being stuck, the mole, and the last cards."""

import pytest

from tests.games.cardrogue.documents import reference
from tests.games.cardrogue.positions import Play, a, an_enemy, layout, table

WALLED = {"5,12": "P2", "5,13": "Pa", "5,14": "P8"}  # a corridor of three tiles, shut off
ASIDE = {"9,9": "S", "9,10": "Pf"}
OTHER = a("bard", (9, 9))
DECK = reference()["decks"]
EVERYTHING = [*DECK["exploration"]]


def walled(*others: dict, changed: dict[str, str] | None = None, character: str = "rogue", **facts: object) -> Play:
    """Seat 0 in the west of the corridor, with some cells changed."""
    turn = {key: facts.pop(key) for key in ("enemies", "unseen", "step", "rules", "pathing", "gone", "done") if key in facts}
    cells = WALLED | (changed or {}) | ({} if others else ASIDE)
    return table(a(character, **facts), *(others or (OTHER,)), map=cells, **turn)


def stuck(game: Play) -> bool:
    """Whether the mole can be called."""
    return "call the mole" in game.options


def unseen(**counts: int) -> dict[str, int]:
    """These exploration cards are all that remain unseen."""
    return dict.fromkeys(EVERYTHING, 0) | counts


def test_rogue_110_who_reaches_nothing_any_more_is_stuck():
    assert stuck(walled())


@pytest.mark.parametrize("token", ["?", "E:goblin", "O:red"])
def test_rogue_110_a_face_down_card_an_enemy_or_a_potion_within_reach_is_a_way_on(token):
    enemies = [an_enemy("goblin", (6, 13), order=[])] if token == "E:goblin" else []
    assert not stuck(walled(changed={"5,13": "Pb", "6,13": token}, enemies=enemies))
    assert stuck(walled(changed={"6,13": token}, enemies=enemies))  # behind a wall


def test_rogue_110_a_path_to_an_empty_cell_is_a_way_on_while_a_card_can_be_laid():
    assert not stuck(walled(changed={"5,13": "Pb"}))
    assert stuck(walled(changed={"5,13": "Pb"}, unseen=unseen()))


def test_rogue_110_a_card_can_be_laid_from_the_stack_or_from_where_no_tile_opens_onto_it():
    assert not stuck(walled(changed={"5,13": "Pb", "1,1": "?"}, unseen=unseen(imp=1)))
    assert stuck(walled(changed={"5,13": "Pb", "1,1": "?", "1,2": "Pf"}, unseen=unseen(imp=1)))


def test_rogue_110_a_path_off_the_table_leads_nowhere():
    """A straight in row 0: its southern path is a wall, its northern one leads to a dead end."""
    game = table(a("rogue", (0, 5)), OTHER, map={"0,5": "P5", "1,5": "P4"} | ASIDE)
    assert stuck(game)


def test_rogue_110_distance_and_players_on_the_way_do_not_matter():
    corridor = {f"5,{column}": "Pa" for column in range(13, 20)} | {"5,20": "?"}
    blocked = walled(a("bard", (5, 15)), changed=corridor)
    assert not stuck(blocked)
    assert stuck(walled(a("bard", (5, 15)), changed=corridor | {"5,20": "P8"}))


def test_rogue_110_a_special_tile_is_no_way_on():
    assert stuck(walled(changed={"6,13": "S", "5,13": "Pa"}))


def test_rogue_111_the_mole_turns_a_plain_tile_into_a_four_way_for_10_gold():
    game = walled(gold=13)
    pathing = game.position["pathing"]
    game.do("call the mole")
    cells = [(5, 12), (5, 13), (5, 14)]
    assert game.options == [f"dig at row {row} column {column}" for row, column in cells]  # the bard's have four paths
    game.do("dig at row 5 column 13")
    assert (game.paths((5, 13)), game.player(0)["gold"]) == ("NESW", 3)
    assert game.position["pathing"]["four_way"] == pathing["four_way"] - 1
    assert game.position["gone"] == {"straight": 1}  # the old tile was an exploration card
    assert not stuck(game)


def test_rogue_111_a_plain_tile_anywhere_but_no_start_shop_or_trap():
    game = walled(changed={"9,11": "P5", "9,12": "H", "9,13": "T:spike", "9,14": "F"}, gold=10).do("call the mole")
    assert "dig at row 9 column 11" in game.options
    assert len(game.options) == 4


def test_rogue_111_the_four_way_comes_from_outside_if_none_is_left():
    game = walled(gold=10, pathing={"four_way": 0, "shop": 1}).do("call the mole", "dig at row 5 column 12")
    assert (game.paths((5, 12)), game.position["pathing"]) == ("NESW", {"shop": 1})


def test_rogue_111_once_a_turn_and_in_any_step_out_of_combat():
    for step in ("flip", "move", "interact"):
        assert stuck(walled(gold=20, step=step))
    game = walled(gold=20).do("call the mole", "dig at row 5 column 14")
    assert "call the mole" not in game.options
    assert not stuck(walled(gold=20, enemies=[an_enemy("imp", (5, 13))], changed={"5,13": "Pa"}))


def test_rogue_111_with_less_he_sells_card_by_card_until_he_has_10_and_keeps_the_change():
    """4 gold, a sword worn (5), a Kobold (4) and a dagger (3): sword and kobold leave 13, 3 of them change."""
    game = walled(gold=4, hand=["kobold", "dagger", "key"], worn={"secondary": "dagger"}, changed={})
    game.do("call the mole")
    assert game.options == ["sell Kobold", "sell Dagger"]
    game.do("sell Kobold")
    assert (game.player(0)["gold"], game.position["decision"]) == (8, "mole_pay")
    game.do("sell Dagger")  # the one in the hand, not the one that is worn
    assert (game.player(0)["gold"], game.player(0)["hand"], game.player(0)["worn"]) == (1, ["key"], {"secondary": "dagger"})
    assert game.position["decision"] == "mole_tile"


def test_rogue_111_who_cannot_raise_10_gold_gives_everything_but_unsellable_cards():
    game = walled(gold=2, hand=["imp", "key", "golem", "health_plus"], worn={"head": "helm"}).do("call the mole", "sell Imp")
    game.do("sell Helm")
    assert (game.player(0)["gold"], game.position["decision"]) == (0, "mole_tile")
    assert sorted(game.player(0)["hand"]) == ["golem", "health_plus", "key"]
    assert game.do("dig at row 5 column 12").paths((5, 12)) == "NESW"


def test_rogue_111_the_mole_helps_even_who_has_nothing():
    game = walled().do("call the mole", "dig at row 5 column 12")
    assert (game.paths((5, 12)), game.player(0)["gold"]) == ("NESW", 0)


def test_rogue_94_111_an_explorer_sells_loot_only_and_gives_his_items_as_the_last_resort():
    game = walled(character="explorer", gold=1, hand=["imp", "sword", "red"], worn={"head": "helm"}).do("call the mole")
    assert game.options == ["sell Imp"]
    game.do("sell Imp")  # 3 gold: nothing else that he may sell
    assert (game.player(0)["gold"], game.player(0)["hand"], game.player(0)["worn"]) == (0, [], {})
    assert (game.position["decision"], game.position["gone"]) == ("mole_tile", {"imp": 1, "sword": 1, "red": 1, "helm": 1})


def test_rogue_113_without_a_stack_a_card_onto_which_no_tile_opens_is_laid_instead():
    """The lowest row, then column: (1, 3) before (1, 7) and (2, 1)."""
    cells = {"5,12": "P1", "1,7": "?", "1,3": "?", "2,1": "?"} | ASIDE
    game = table(a("rogue"), a("bard", (9, 10)), map=cells, unseen=unseen(imp=3))
    assert game.position["stack"] == 0
    game.end_turn()
    assert [cell for cell, token in game.map.items() if token == "?"] == ["6,12", "2,1", "1,7"]


def test_rogue_113_cards_that_an_enemy_or_potion_lies_next_to_are_taken_too():
    """An enemy card and a potion card are no tiles; a card that a tile opens onto stays."""
    cells = {"5,12": "P1", "1,3": "?", "1,4": "Pf", "2,7": "?", "2,8": "O:red", "3,7": "E:imp"} | ASIDE
    game = table(a("rogue"), a("bard", (9, 10)), map=cells, unseen=unseen(imp=2), enemies=[an_enemy("imp", (3, 7), order=[])])
    game.end_turn()
    assert [cell for cell, token in game.map.items() if token == "?"] == ["6,12", "1,3"]


def test_rogue_113_if_there_is_none_the_cell_stays_empty_until_later():
    cells = {"5,12": "P1", "1,3": "?", "1,4": "Pf"} | ASIDE
    game = table(a("rogue"), a("bard", (9, 10)), map=cells, unseen=unseen(imp=1)).end_turn()
    assert [cell for cell, token in game.map.items() if token == "?"] == ["1,3"]


def test_rogue_113_with_no_card_left_the_game_goes_on():
    cells = {"5,12": "P1", "9,9": "S", "9,10": "P8"}
    game = table(a("rogue"), a("bard", (9, 9)), map=cells, unseen=unseen(), enemies=[an_enemy("golem", (6, 12))])
    for _ in range(2):
        game.do("attack north", dice=[1, 1])
        game.end_turn()
    assert (game.over, game.position["rush"], game.enemy((6, 12))["health"]) == (False, False, 23)


def test_rogue_113_a_fixed_layout_without_fill_has_no_cards_to_lay():
    game = layout("L4 .", "S Pf").end_turn()
    assert "?" not in game.map.values()


def test_rogue_110_a_potion_that_lay_on_a_tile_is_no_way_on_once_it_is_taken():
    game = layout("L4 . . .", "P3 S O:red/Pa P8")
    assert "call the mole" not in game.options
    game.walk("east")
    assert (game.player(0)["hand"], "call the mole" in game.options) == (["red"], True)


def test_rogue_33_110_a_potion_on_the_own_cell_is_a_way_on():
    """It is picked up at the start of the next turn, and a tile takes its place."""
    cells = {"6,12": "P1", "7,12": "P4", "5,12": "O:blue", "5,11": "P5", "5,13": "P5", "4,12": "Pa"} | ASIDE
    game = table(a("warrior", (6, 12), hand=["scroll_move"]), OTHER, map=cells)
    game.do("read Scroll of move", "move south")
    assert (game.at(0), game.position["stuck_turns"], game.current_player) == ((5, 12), 0, 1)
    game.end_turn(draws=["four_way"])
    assert (game.player(0)["hand"], game.paths((5, 12))) == (["blue"], "NESW")


@pytest.mark.parametrize(("rule", "stuck"), [("path", True), ("orthogonal", False)])
def test_rogue_110_a_04_what_can_be_turned_over_through_a_wall_is_a_way_on(rule, stuck):
    cells = {"5,12": "P2", "5,13": "P8", "6,13": "?", "9,9": "P2", "9,10": "P8"}
    game = table(a("rogue", gold=10), a("bard", (9, 9)), map=cells, rules={"flip_rule": rule})
    assert ("call the mole" in game.options) is stuck
