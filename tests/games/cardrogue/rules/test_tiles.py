"""ROGUE-16 to 19 on the compiled kernels: what is adjacent, how tiles are turned, what replaces a card, who stands where."""

from itertools import cycle

import pytest

from tests.games.cardrogue.positions import CROSS, EAST, MIDDLE, NORTH, SOUTH, WEST, Play, a, an_enemy, layout, table

WAYS = {"north": NORTH, "east": EAST, "south": SOUTH, "west": WEST}
ASIDE = {"9,9": "S", "9,10": "Pf"}  # where others wait
# open sides of each shape, turned over by a player who looks north, east, south, west
TURNED = {
    "four_way": ["NESW", "NESW", "NESW", "NESW"],
    "three_fr": ["NES", "ESW", "NSW", "NEW"],
    "three_fl": ["NSW", "NEW", "NES", "ESW"],
    "three_lr": ["ESW", "NSW", "NEW", "NES"],
    "corner_l": ["SW", "NW", "NE", "ES"],
    "corner_r": ["ES", "SW", "NW", "NE"],
    "straight": ["NS", "EW", "NS", "EW"],
    "dead_end": ["S", "W", "N", "E"],
    "fountain": ["NESW", "NESW", "NESW", "NESW"],
}


def alone_on(mask: str, step: str = "", **around: str) -> Play:
    """A player on a tile with that mask, and cards around it by direction; nothing else."""
    cells = {",".join(map(str, WAYS[way])): token for way, token in around.items()}
    turn = {"step": step} if step else {}
    return table(a("warrior"), a("bard", (9, 9)), map={"5,12": f"P{mask}"} | cells | ASIDE, **turn)


@pytest.mark.parametrize(("own", "other", "open_"), [("1", "4", True), ("1", "b", False), ("e", "4", False), ("f", "f", True)])
def test_rogue_16_neighbours_are_adjacent_when_both_are_open_towards_each_other(own, other, open_):
    assert ("move" in alone_on(own, "move", north=f"P{other}").options) == open_


def test_rogue_16_a_player_on_a_dead_end_has_exactly_one_adjacent_cell():
    assert alone_on("4", "move", north="Pf", east="Pf", south="Pf", west="Pf").do("move").options == ["move south"]
    assert alone_on("4", north="?", east="?", south="?", west="?").do("flip").options == ["flip south"]


def test_rogue_16_printed_walls_around_a_three_way_tile():
    """A three_fl entered from the south, a three_lr, a straight, a corner N-W and a straight around it (G-14).

    With a player in the west, one can walk or leap only north and south; otherwise also west.
    """
    around = {"north": "Pe", "east": "P5", "south": "P9", "west": "Pa"}
    assert alone_on("d", "move", **around).do("move").options == ["move north", "move south", "move west"]
    cells = {"5,12": "Pd", "6,12": "Pe", "5,13": "P5", "4,12": "P9", "5,11": "Pa"}
    beside = table(a("warrior"), a("bard", WEST), map=cells, step="move").do("move")
    assert beside.options == ["move north", "move south"]
    leap = table(a("warrior", WEST), a("bard"), map=cells, step="interact").do("trip east", dice=[4])
    assert leap.options == ["leap north", "leap south", "stay"]


def test_rogue_16_a_face_up_card_that_is_no_tile_is_open_to_all_sides_until_a_tile_replaces_it():
    game = alone_on("1", "move", north="O:blue")
    game.do("move north", draws=["dead_end"])
    assert game.paths(NORTH) == "S"  # entered to the north
    enemy = alone_on("2", east="E:goblin")
    assert enemy.enemy(EAST)["order"] == [0]


def test_rogue_16_a_face_down_card_counts_as_open():
    assert alone_on("1", north="?").do("flip").options == ["flip north"]


def test_rogue_16_walls_stop_fights_throws_and_meetings():
    game = table(
        a("warrior", hand=["blue"]),
        a("bard", EAST),
        a("rogue", (9, 9)),
        map={"5,12": "P1", "5,13": "Pf", "6,12": "P2"} | ASIDE,
        enemies=[an_enemy("goblin")],
    )
    assert game.enemy(NORTH)["order"] == []
    assert not {"attack", "throw", "trip", "trade"} & {*game.options}


def test_rogue_16_orthogonal_flipping_needs_no_path():
    position = {"map": {"5,12": "P1", "6,12": "?", "5,13": "?"} | ASIDE}
    seats = (a("warrior"), a("bard", (9, 9)))
    assert table(*seats, **position).do("flip").options == ["flip north"]
    assert table(*seats, **position, rules={"flip_rule": "orthogonal"}).do("flip").options == ["flip north", "flip east"]


@pytest.mark.parametrize(("shape", "way"), [*zip(TURNED, cycle(WAYS)), *(("three_lr", way) for way in WAYS)])
def test_rogue_17_a_tile_is_turned_so_that_its_entrance_faces_who_turns_it_over(shape, way):
    if shape == "three_fl":  # lies in the pathing deck only: see the replacement below
        game = alone_on("f", **{way: "?"}).do(f"flip {way}", draws=["key", shape])
    else:
        game = alone_on("f", **{way: "?"}).do(f"flip {way}", draws=[shape])
    assert game.paths(WAYS[way]) == TURNED[shape][list(WAYS).index(way)]


def test_rogue_17_a_three_lr_flipped_to_the_west_of_a_start_is_walled_in_the_west():
    game = table(a("warrior", (0, 12)), a("bard", (9, 9)), map={"0,12": "S", "0,11": "?"} | ASIDE)
    assert game.do("flip west", draws=["three_lr"]).paths((0, 11)) == "NES"


def test_rogue_17_a_tile_that_puts_a_wall_against_another_s_path_closes_it():
    """The cell in the north-east is open to the west; the dead end turned up there is not."""
    game = table(a("warrior"), a("bard", (6, 13)), map={"5,12": "P1", "6,12": "?", "6,13": "P8"})
    game.do("flip north", draws=["key", "dead_end"])
    assert game.paths(NORTH) == "S"
    game.end_turn()
    assert (game.current_player, "move" in game.options) == (1, False)


@pytest.mark.parametrize("way", WAYS)
def test_rogue_18_what_is_picked_up_is_replaced_as_seen_from_the_player_who_caused_it(way):
    game = alone_on("f", **{way: "?"}).do(f"flip {way}", draws=["attack_plus", "corner_r"])
    assert game.paths(WAYS[way]) == TURNED["corner_r"][list(WAYS).index(way)]
    assert game.position["pathing"]["corner_r"] == 2


@pytest.mark.parametrize("way", WAYS)
def test_rogue_18_the_slain_are_replaced_as_seen_from_the_slayer(way):
    cells = {"5,12": "Pf", ",".join(map(str, WAYS[way])): "E:goblin"} | ASIDE
    game = table(a("warrior"), a("bard", (9, 9)), map=cells, enemies=[an_enemy("goblin", WAYS[way], health=1)])
    game.do(f"attack {way}", dice=[1], draws=["three_lr"])
    assert game.paths(WAYS[way]) == TURNED["three_lr"][list(WAYS).index(way)]


@pytest.mark.parametrize("way", WAYS)
def test_rogue_18_who_stands_on_the_cell_himself_looks_where_he_walked(way):
    game = alone_on("f", **{way: "O:pink"}).do(f"move {way}", draws=["corner_l"])
    assert game.at(0) == WAYS[way]
    assert game.paths(WAYS[way]) == TURNED["corner_l"][list(WAYS).index(way)]


def test_rogue_18_a_drained_fountain_is_replaced_in_the_direction_in_which_it_was_entered():
    game = table(a("bard", (9, 9)), a("warrior", heading="west"), map={"5,12": "F", "5,11": "Pf"} | ASIDE)
    game.end_turn(dice=[6], draws=["straight"])
    assert (game.paths(MIDDLE), game.map["5,12"]) == ("EW", "Pa")
    assert game.position["gone"] == {"fountain": 1}


def test_rogue_18_an_enemy_that_lies_on_a_tile_leaves_the_tile_behind():
    game = table(a("warrior"), map=CROSS, enemies=[an_enemy("goblin", health=1)]).do("attack north", dice=[1])
    assert (game.map["6,12"], game.position["pathing_gone"]) == ("Pf", {})


def test_rogue_18_an_empty_pathing_deck_yields_a_four_way_floor_that_is_no_card():
    tiles = ("four_way", "three_fr", "three_fl", "three_lr", "corner_l", "corner_r", "straight", "dead_end")
    game = table(a("warrior"), a("bard", (9, 9)), map={"5,12": "Pf", "6,12": "?"} | ASIDE, pathing=dict.fromkeys(tiles, 0))
    assert game.position["pathing"] == {}
    gone = game.position["pathing_gone"]
    game.do("flip north", draws=["key"])
    assert (game.map["6,12"], game.position["pathing_gone"]) == ("Pf", gone)
    assert game.player(0)["hand"] == ["key"]


def test_rogue_19_nobody_walks_onto_a_face_down_card_an_enemy_or_a_player():
    game = table(
        a("warrior"), a("bard", EAST), map=CROSS | {"6,12": "?", "4,12": "E:golem"}, enemies=[an_enemy("golem", SOUTH, order=[])]
    )
    game.do("pass", "move")
    assert game.options == ["move west"]


def test_rogue_19_cards_of_several_dead_lie_on_one_cell():
    game = table(
        a("warrior", NORTH, health=1, hand=["blue", "red"]),
        a("bard"),
        map=CROSS | {"0,12": "S", "0,14": "S", "7,12": "E:goblin"},
        left=[{"at": list(NORTH), "cards": ["pink"]}],
    )
    game.do("attack north", "pass", dice=[1])
    game.do("keep blue potion", "leave red potion")
    assert game.position["left"] == [{"at": list(NORTH), "cards": ["pink", "red"]}]


def test_rogue_19_a_fixed_layout_keeps_one_enemy_a_cell():
    game = layout(". E:imp .", "E:goblin S L8")
    assert [enemy["at"] for enemy in game.position["enemies"]] == [[0, 0], [1, 1]]
