"""ROGUE-10 to 15 on the compiled kernels: setting up."""

from collections import Counter

import pytest

from sim.games.cardrogue.record import TILE_ENTRY
from tests.games.cardrogue.positions import a, card_set, dealt, table

SEATS = (1, 2, 3, 4)
# starts, cells with face-down cards: in row 0, in row 1
LAID = {
    1: ([14], [13, 15], [14]),
    2: ([12, 17], [11, 13, 14, 15, 16, 18], [12, 17]),
    3: ([9, 14, 19], [8, 10, 11, 12, 13, 15, 16, 17, 18, 20], [9, 14, 19]),
    4: ([7, 12, 17, 22], [6, 8, 9, 10, 11, 13, 14, 15, 16, 18, 19, 20, 21, 23], [7, 12, 17, 22]),
}


@pytest.mark.parametrize("seats", SEATS)
def test_rogue_10_decks_are_full_the_shop_is_open_and_each_player_has_a_starting_tile(seats):
    position = dealt(seats).position
    assert [sum(position[pile].values()) for pile in ("unseen", "pathing", "shop", "gone", "pathing_gone")] == [93, 61, 23, 0, 0]
    assert [*position["map"].values()].count("S") == seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_rogue_11_every_seat_is_equally_likely_to_play_first(seats):
    games = 100
    first = Counter(int(dealt(seats, game).state["first"]) for game in range(games))
    assert all(abs(first[seat] - games / seats) < 4 * (games / seats) ** 0.5 for seat in range(seats))


def test_rogue_11_characters_come_to_the_seats_as_the_line_up_says():
    for mode in ("random", "list"):
        players = dealt(3, cards=card_set({"characters": mode})).position["players"]
        assert [player["character"] for player in players] == ["warrior", "rogue", "cleric"]


def test_rogue_11_in_a_draft_the_seats_choose_different_characters_in_order_from_the_first_player_on():
    game = dealt(3, cards=card_set({"characters": "draft"}))
    left = ["Warrior", "Rogue", "Cleric", "Explorer", "Mage", "Bard"]
    first = game.position["first"]
    for turn, choice in enumerate(("Mage", "Warrior", "Bard")):
        assert (game.current_player, game.options) == ((first + turn) % 3, [f"choose {name}" for name in left])
        game.do(f"choose {choice}")
        left.remove(choice)
    players = [game.position["players"][(first + turn) % 3] for turn in range(3)]
    assert [(p["character"], p["health"]) for p in players] == [("mage", 8), ("warrior", 12), ("bard", 10)]
    assert (game.position["step"], game.current_player) == ("flip", first)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.slow
def test_rogue_12_starts_lie_in_row_0_and_the_first_player_on_the_last_of_them(seats):
    for number in range(4):
        game = dealt(seats, number)
        columns = [game.at((game.position["first"] + turn) % seats) for turn in range(seats)]
        assert columns == [(0, column) for column in reversed(LAID[seats][0])]
        assert [game.map[f"0,{column}"] for column in LAID[seats][0]] == ["S"] * seats


def test_rogue_12_the_gap_between_the_starts_is_a_number_of_the_card_file():
    game = dealt(2, cards=card_set(changes={"table.gap": 6, "table.columns": 24}))
    assert sorted(game.at(seat) for seat in range(2)) == [(0, 8), (0, 15)]  # floor((24 - 8) / 2) and 7 further


@pytest.mark.parametrize("seats", SEATS)
def test_rogue_13_face_down_cards_lie_between_beside_and_north_of_the_starts(seats):
    _, row_0, row_1 = LAID[seats]
    down = {cell for cell, token in dealt(seats).map.items() if token == "?"}
    assert down == {f"0,{column}" for column in row_0} | {f"1,{column}" for column in row_1}


def test_rogue_14_a_path_off_the_table_is_a_wall():
    """The south of a start, and the other edges of a table of 30 columns and 18 rows."""
    edges = {
        (0, 12): ["north", "east", "west"],
        (0, 0): ["north", "east"],
        (0, 29): ["north", "west"],
        (17, 5): ["east", "south", "west"],
        (17, 29): ["south", "west"],
    }
    for (row, column), ways in edges.items():
        around = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1), (row, column)}
        cells = {f"{r},{c}": "Pf" for r, c in around if 0 <= r < 18 and 0 <= c < 30}
        game = table(a("warrior", (row, column)), a("bard", (9, 9)), map=cells | {"9,9": "S"}).do("move")
        assert game.options == [f"move {way}" for way in ways]


def test_rogue_14_no_card_is_laid_off_the_table():
    game = table(a("warrior", (0, 0)), a("bard", (9, 9)), map={"0,0": "S", "9,9": "S", "9,10": "Pf"})
    assert {cell for cell, token in game.end_turn().map.items() if token == "?"} == {"0,1", "1,0"}


@pytest.mark.parametrize("seats", SEATS)
def test_rogue_15_everybody_begins_healthy_and_with_nothing(seats):
    game = dealt(seats)
    for player, most in zip(game.position["players"], (12, 10, 10, 10), strict=False):
        assert (player["health"], player["max_health"], player["gold"]) == (most, most, 0)
        assert (player["hand"], player["worn"]) == ([], {})
        assert [player[status] for status in ("poison", "skip", "cooldown", "antidote", "bonus", "potion_attack")] == [0] * 6
    assert {*game.position["potions"].values()} == {"unknown"}
    assert game.state["unseen"][TILE_ENTRY:].sum() == 35
