"""ROGUE-100 to 105 on the compiled kernels: victory points, the end rush, who has won."""

import pytest

from tests.games.cardrogue.positions import CROSS, EAST, MIDDLE, NORTH, SOUTH, WEST, Play, a, an_enemy, table

STARTS = CROSS | {"6,12": "S", "9,9": "S", "9,10": "Pf"}


def rush(*players: dict, **position: object) -> Play:
    """The end rush: a starting tile lies in the north of the middle, another where the others wait."""
    return table(*players, **{"map": STARTS, "rush": True} | position)


def test_rogue_100_scored_points_stay_and_boss_cards_count_for_whoever_holds_them():
    facts = {"scored": {"chest": 1, "debt": 1, "exit": 1}, "hand": ["basilisk_green", "golem", "imp"]}
    game = table(a("rogue", **facts), a("bard", NORTH, hand=["basilisk_yellow"]))
    assert [game.player(seat)["points"] for seat in range(2)] == [3 + 1 + 2, 1]
    game.do("pass", "pass", "steal north", dice=[6], draws=["basilisk_yellow"])
    assert [game.player(seat)["points"] for seat in range(2)] == [3 + 2, 0]  # two basilisks vanish (ROGUE-102)


def test_rogue_101_boss_cards_are_neither_sold_nor_traded():
    hand = ["basilisk_green", "golem"]
    game = table(a("rogue", hand=hand), a("bard", NORTH, hand=["imp"]), map=CROSS | {"5,12": "H"}, step="interact")
    assert not {"sell", "trade"} & {*game.options}
    partner = table(a("rogue", hand=["imp", "golem"]), a("bard", NORTH, hand=hand[:1], gold=1), step="interact").do(
        "trade"
    )
    assert [option for option in partner.options if "Golem" in option] == []
    partner.do("offer Imp")
    assert partner.options == ["ask for 1 gold"]


@pytest.mark.parametrize("boss", ["basilisk_green", "basilisk_yellow", "golem"])
def test_rogue_101_boss_cards_can_be_stolen(boss):
    game = table(a("rogue"), a("bard", NORTH, hand=[boss]), step="interact").do("steal north", dice=[6], draws=[boss])
    assert (game.player(0)["hand"], game.player(1)["hand"]) == ([boss], [])


def test_rogue_102_two_basilisks_in_one_hand_leave_the_game_without_points():
    enemies = [an_enemy("basilisk_yellow", health=1)]
    game = table(a("rogue", hand=["basilisk_green", "golem"]), a("bard", EAST), enemies=enemies).do(
        "attack north", dice=[1]
    )
    assert (game.player(0)["hand"], game.player(0)["points"]) == (["golem"], 2)
    assert game.position["gone"] == {"basilisk_green": 1, "basilisk_yellow": 1}


def test_rogue_102_two_of_one_hand_vanish_when_picked_up_from_the_dead():
    left = [{"at": list(NORTH), "cards": ["basilisk_green"]}]
    game = table(a("rogue", hand=["basilisk_yellow"]), a("bard", EAST), left=left, step="move").do("move north")
    assert game.player(0)["hand"] == []


@pytest.mark.parametrize("way", ["attack", "spell"])
def test_rogue_103_the_end_rush_begins_when_the_golem_card_is_taken(way):
    game = table(a("mage"), a("bard", EAST), enemies=[an_enemy("golem", health=2)])
    assert not game.position["rush"]
    if way == "attack":
        game.do("attack north", dice=[2])
    else:
        game.do("cast damage", "cast north")
    assert (game.position["rush"], game.player(0)["hand"], game.over) == (True, ["golem"], False)
    assert game.state["rush_round"] == 1


def test_rogue_103_a_golem_card_that_lies_about_begins_nothing():
    left = [{"at": list(NORTH), "cards": ["golem"]}]
    assert not table(a("rogue"), a("bard", EAST), left=left, step="move").do("move north").position["rush"]


def test_rogue_104_the_first_to_step_onto_a_starting_tile_scores_and_ends_the_game():
    game = rush(a("rogue", scored={"debt": 1}), a("bard", (9, 10), hand=["golem"])).do("pass", "move north")
    assert (game.over, game.ending, game.player(0)["scored"]) == (True, "exit", {"chest": 0, "debt": 1, "exit": 1})
    assert ([game.player(seat)["points"] for seat in range(2)], game.shares) == ([2, 2], [0.5, 0.5])


def test_rogue_104_before_the_end_rush_a_starting_tile_is_a_tile():
    assert not rush(a("rogue"), a("bard", (9, 10)), rush=False).do("pass", "move north").over


def test_rogue_104_who_stands_on_one_must_step_off_first():
    game = rush(a("rogue", NORTH), a("bard", (9, 9))).end_turn()
    assert not game.over
    game.walk("east").end_turn()
    game.walk("south").end_turn()
    assert (game.to_act, game.at(1), game.over) == (1, (9, 10), False)
    game.walk("west")
    assert (game.ending, game.player(1)["scored"]["exit"]) == ("exit", 1)


EXITS = {
    "leap": [a("rogue"), a("bard", WEST), {"map": STARTS | {"6,11": "S", "6,12": "Pf"}, "step": "interact"}],
    "flight": [a("rogue"), a("bard", (9, 10)), {"enemies": [an_enemy("troll", EAST)]}],
    "scroll": [a("rogue", hand=["scroll_move"]), a("bard", (9, 10)), {"map": STARTS | {"5,12": "P2"}}],
    "spell": [a("mage"), a("bard", (9, 10)), {"step": "interact"}],
}
WAYS = {
    "leap": (["trip west", "leap north"], [4]),
    "flight": (["flee", "flee north"], []),
    "scroll": (["read Scroll of move", "move north"], []),
    "spell": (["cast move", "move north"], []),
}


@pytest.mark.parametrize("way", EXITS)
def test_rogue_104_leap_flight_scroll_and_spell_lead_out_too(way):
    *players, position = EXITS[way]
    words, dice = WAYS[way]
    game = rush(*players, **position).do(*words, dice=dice)
    assert (game.ending, game.player(0)["points"], game.player(1)["points"]) == ("exit", 1, 0)


def test_rogue_104_there_is_no_teleportation_in_the_end_rush():
    known = rush(a("rogue", hand=["blue", "red"]), a("bard", SOUTH), potions={"blue": "teleportation"})
    assert known.do("drink").options == ["drink red potion"]
    unknown = rush(a("rogue", hand=["blue"]), a("bard", SOUTH)).do("drink blue potion", dice=[5])
    assert (unknown.at(0), unknown.position["potions"]["blue"], unknown.player(0)["hand"]) == (
        MIDDLE,
        "teleportation",
        [],
    )


def test_rogue_104_who_dies_in_the_end_rush_is_out_and_has_no_way_out():
    game = rush(a("rogue", health=1, hand=["imp", "golem"]), a("bard", (9, 10)), enemies=[an_enemy("kobold", EAST)])
    game.do("attack east", "keep Golem", "leave Imp", dice=[1])
    assert (game.player(0)["at"], game.over, game.to_act) == ("out", False, 1)
    assert (game.player(0)["points"], game.player(0)["scored"]["exit"]) == (2, 0)
    game.walk("west")
    assert (game.shares, [game.player(seat)["points"] for seat in range(2)]) == (
        [1, 0],
        [2, 1],
    )  # ROGUE-105: the dead count


def test_rogue_104_when_all_are_dead_the_game_is_over():
    game = rush(
        a("rogue", "out", health=0, hand=["golem"]), a("bard", health=1), active=1, enemies=[an_enemy("kobold", EAST)]
    )
    game.do("attack east", dice=[1])
    assert (game.over, game.ending, game.shares) == (True, "all_dead", [1, 0])


@pytest.mark.parametrize(
    ("one", "other", "shares"),
    [
        (["golem"], ["basilisk_green"], [1, 0, 0]),
        (["basilisk_yellow"], ["basilisk_green"], [0, 0, 1]),
        ([], ["golem"], [0, 0.5, 0.5]),
        (["golem"], [], [0.5, 0, 0.5]),
    ],
)
def test_rogue_105_most_points_win_and_equal_points_share_the_win(one, other, shares):
    """The third has 1 point and scores another by getting out first."""
    seats = [a("rogue", (9, 10), hand=one), a("bard", EAST, hand=other), a("mage", scored={"chest": 1})]
    if shares == [1, 0, 0]:
        seats[0]["hand"] = ["golem", "basilisk_yellow"]
    game = rush(*seats, active=2, first=2, step="move").do("move north")
    assert (game.over, game.shares) == (True, shares)


def test_rogue_105_nobody_has_won_before_the_end():
    assert table(a("rogue", hand=["golem"]), a("bard", EAST)).shares == [0, 0]
