"""ROGUE-100 to 105, 112, 114: victory points, the end rush, who has won, and games that end because no player goes on."""

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
    partner = table(a("rogue", hand=["imp", "golem"]), a("bard", NORTH, hand=hand[:1], gold=1), step="interact").do("trade")
    assert [option for option in partner.options if "Golem" in option] == []
    partner.do("offer Imp")
    assert partner.options == ["ask for 1 gold"]


@pytest.mark.parametrize("boss", ["basilisk_green", "basilisk_yellow", "golem"])
def test_rogue_101_boss_cards_can_be_stolen(boss):
    game = table(a("rogue"), a("bard", NORTH, hand=[boss]), step="interact").do("steal north", dice=[6], draws=[boss])
    assert (game.player(0)["hand"], game.player(1)["hand"]) == ([boss], [])


def test_rogue_102_two_basilisks_in_one_hand_leave_the_game_without_points():
    enemies = [an_enemy("basilisk_yellow", health=1)]
    game = table(a("rogue", hand=["basilisk_green", "golem"]), a("bard", EAST), enemies=enemies).do("attack north", dice=[1])
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
    assert (game.current_player, game.at(1), game.over) == (1, (9, 10), False)
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
    assert (unknown.at(0), unknown.position["potions"]["blue"], unknown.player(0)["hand"]) == (MIDDLE, "teleportation", [])


def test_rogue_104_who_dies_in_the_end_rush_is_out_and_has_no_way_out():
    game = rush(a("rogue", health=1, hand=["imp", "golem"]), a("bard", (9, 10)), enemies=[an_enemy("kobold", EAST)])
    game.do("attack east", "keep Golem", "leave Imp", dice=[1])
    assert (game.player(0)["at"], game.over, game.current_player) == ("out", False, 1)
    assert (game.player(0)["points"], game.player(0)["scored"]["exit"]) == (2, 0)
    game.walk("west")
    assert (game.shares, [game.player(seat)["points"] for seat in range(2)]) == ([1, 0], [2, 1])  # ROGUE-105: the dead count


def test_rogue_104_when_all_are_dead_the_game_is_over():
    game = rush(a("rogue", "out", health=0, hand=["golem"]), a("bard", health=1), active=1, enemies=[an_enemy("kobold", EAST)])
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


WALLED = {"5,12": "P2", "5,13": "Pa", "5,14": "P8"}  # three plain tiles shut off from everything


def test_rogue_112_when_everybody_has_been_stuck_for_a_round_the_end_rush_begins():
    game = table(a("rogue"), a("bard", (5, 13)), a("mage", (5, 14)), map=WALLED)
    begun = []
    for _ in range(3):
        game.end_turn()
        begun.append((game.position["rush"], game.position["stuck_turns"]))
    assert begun == [(False, 1), (False, 2), (True, 3)]
    assert game.state["rush_by_stuck"] == 1


def test_rogue_112_a_turn_in_which_somebody_is_not_stuck_starts_the_count_again():
    cells = WALLED | {"9,9": "Pf", "9,10": "Pf", "9,11": "?"}
    game = table(a("rogue"), a("bard", (5, 13)), a("mage", (9, 9)), map=cells)
    assert [game.end_turn().position["stuck_turns"] for _ in range(3)] == [1, 2, 0]
    assert game.position["rush"] is False


def stuck_explorer(**facts: object) -> Play:
    """An Explorer about to turn over the only card within reach, and a Rogue with one of her own."""
    cells = {"5,12": "P1", "6,12": "?", "0,20": "S", "0,21": "?"}
    players = a("explorer", hand=["pink"]), a("rogue", (0, 20), hand=["red"])
    return table(*players, map=cells, **facts)


def test_rogue_94_112_a_32_a_second_turn_is_not_another_player():
    """The Rogue has a card to turn over: one stuck player is not all, however many turns he has."""
    game = stuck_explorer()
    game.do("flip north", draws=["dead_end"])
    while "second turn" not in game.options:
        game.do("pass")
    assert game.position["stuck_turns"] == 1
    game.do("second turn").end_turn()
    assert (game.current_player, game.position["stuck_turns"], game.position["rush"]) == (1, 1, False)


def test_rogue_94_112_a_second_turn_that_alone_ends_stuck_counts():
    """The first turn leaves a potion within reach, the second takes it."""
    cells = {"5,12": "P1", "6,12": "?", "9,9": "P2", "9,10": "P8"}
    game = table(a("explorer"), a("rogue", (9, 9)), map=cells).do("flip north", draws=["red"])
    while "second turn" not in game.options:
        game.do("pass")
    assert game.position["stuck_turns"] == 0
    game.do("second turn").walk("north", draws=["dead_end"])
    while game.current_player == 0:
        game.do("pass")
    assert (game.position["stuck_turns"], game.position["rush"]) == (1, False)


def test_rogue_112_calling_the_mole_is_not_being_stuck():
    game = table(a("rogue", gold=10), a("bard", (5, 13)), map=WALLED, stuck_turns=1)
    game.do("call the mole", "dig at row 5 column 12").end_turn()
    assert (game.position["stuck_turns"], game.position["rush"]) == (0, False)


def test_rogue_112_not_without_exploration_cards_left_and_not_alone():
    everything = ("key", "blue", "green", "orange", "pink", "red", "yellow", "attack_plus", "attack_minus", "health_plus")
    enemies = ("cave_bat", "sewer_rat", "imp", "vampire_bat", "goblin", "zombie", "kobold", "troll", "golem")
    rest = ("health_minus", "basilisk_green", "basilisk_yellow", "fountain")
    shapes = ("four_way", "three_fr", "three_lr", "corner_l", "corner_r", "straight", "dead_end")
    none = dict.fromkeys((*everything, *enemies, *rest, *shapes), 0)
    game = table(a("rogue"), a("bard", (5, 13)), map=WALLED, unseen=none, stuck_turns=1).end_turn()
    assert (sum(game.position["unseen"].values()), game.position["rush"]) == (0, False)
    lone = table(a("rogue"), map=WALLED | {"5,13": "Pa"}, stuck_turns=5)
    assert not lone.do("pass", "move east").end_turn().position["rush"]


def idle(players: int = 2, **position: object) -> Play:
    """Players who walk to and fro; nothing is left to turn over."""
    seats = [a(("rogue", "bard")[seat], MIDDLE if seat == 0 else (9, 9)) for seat in range(players)]
    cells = {"5,12": "P2", "5,13": "P8", "9,9": "P2", "9,10": "P8", "0,0": "S", "0,1": "?"}
    return table(*seats, **{"map": cells} | position)


@pytest.mark.parametrize(("players", "expected"), [(2, "forfeit"), (1, "solo_lost")])
def test_rogue_114_thirty_idle_rounds_in_a_row_are_a_forfeit(players, expected):
    """The stuck streak is not what ends it: no player can reach the exploration cards."""
    game = idle(players, idle=28, round=40, rush=False)
    game.state["stuck"][:] = 0  # a way on that no player takes
    while game.position["round"] == 40:
        game.end_turn()
        game.state["stuck"][:] = 0
    assert (game.position["idle"], game.over) == (29, False)
    while not game.over:
        game.end_turn()
        game.state["stuck"][:] = 0
    assert (game.ending, game.position["round"], {*game.shares}) == (expected, 41, {0})


def test_rogue_114_a_round_in_which_something_happens_starts_the_count_again():
    game = idle(idle=29, map={"5,12": "P2", "5,13": "?", "9,9": "P2", "9,10": "P8"})
    game.do("flip east", draws=["straight"])
    game.end_turn().end_turn()
    assert (game.position["idle"], game.over) == (0, False)


LIVELY = {
    "flip": (True, ["flip east"], [], ["straight"], {"map": {"5,12": "P2", "5,13": "?"}}),
    "combat turn": (True, ["attack east"], [1], [], {"map": {"5,12": "P2"}, "enemies": [an_enemy("goblin", EAST)]}),
    "pick-up": (True, ["move east"], [], ["four_way"], {"map": {"5,12": "P2", "5,13": "O:red"}}),
    "cards of the dead": (True, ["move east"], [], [], {"left": [{"at": list(EAST), "cards": ["2 gold"]}]}),
    "purchase": (True, ["buy Dagger"], [2], [], {"map": {"5,12": "H", "5,11": "P2"}, "gold": 6}),
    "points": (True, ["move east"], [], [], {"map": {"5,12": "P2", "5,13": "C"}, "hand": ["key"]}),
    "mole": (True, ["call the mole", "dig at row 5 column 13"], [], [], {"gold": 10}),
    "walk": (False, ["move east"], [], [], {}),
    "trap": (False, ["move east"], [], [], {"map": {"5,12": "P2", "5,13": "T:spike"}}),
    "sale": (False, ["sell Sword"], [], [], {"map": {"5,12": "H", "5,11": "P2"}, "hand": ["sword"]}),
    "potion": (False, ["drink red potion"], [3], [], {"hand": ["red"]}),
    "scroll": (False, ["read Scroll of max health"], [], [], {"hand": ["scroll_max_health"]}),
    "equipment": (False, ["equip Sword"], [], [], {"hand": ["sword"]}),
    "trip": (False, ["trip east"], [2], [], {"other": EAST, "step": "interact"}),
    "theft": (False, ["steal east"], [2], [], {"other": EAST, "step": "interact", "hers": ["imp"]}),
    "offer": (
        False,
        ["offer Imp", "ask for blue potion"],
        [],
        [],
        {"other": EAST, "step": "interact", "hand": ["imp"], "hers": ["blue"]},
    ),
}


@pytest.mark.parametrize("deed", LIVELY)
def test_rogue_114_flips_combat_pick_ups_purchases_points_and_new_tiles_keep_a_round_from_being_idle(deed):
    lively, words, dice, draws, position = LIVELY[deed]
    facts = {key: position[key] for key in ("hand", "gold") if key in position}
    cells = {"5,13": "P8"} | position.get("map", {"5,12": "P2"}) | {"9,9": "P2", "9,10": "P8"}
    other = a("bard", position.get("other", (9, 9)), hand=position.get("hers", []))
    turn = {key: position[key] for key in ("enemies", "left", "step") if key in position}
    game = table(a("rogue", **facts), other, map=cells, idle=3, **turn)
    if "offer" in words[0]:
        game.do("trade east")
    if words[0] == "move east":
        game.walk("east", dice=dice, draws=draws)
    else:
        game.do(*words, dice=dice, draws=draws)
    assert bool(game.state["lively"]) == lively


def test_rogue_114_after_the_last_round_the_game_is_capped():
    game = idle(1, round=400, map={"5,12": "P2", "5,13": "?"})
    game.end_turn()
    assert (game.over, game.ending, game.shares) == (True, "truncated", [0])
    assert game.position["round"] == 400, "rounds played"


@pytest.mark.parametrize("limit", ["idle", "rounds"])
def test_rogue_114_in_the_end_rush_both_limits_cap_the_game(limit):
    game = idle(2, rush=True, idle=29 if limit == "idle" else 0, round=400 if limit == "rounds" else 9)
    game.end_turn().end_turn()
    assert (game.over, game.ending, game.shares) == (True, "truncated", [0, 0])


def test_rogue_114_the_limits_are_numbers_of_the_card_file():
    game = idle(1, rules={"max_rounds": 7}, round=7, map={"5,12": "P2", "5,13": "?"}).end_turn()
    assert game.ending == "truncated"
    game = idle(1, rules={"idle_rounds": 3}, idle=2, map={"5,12": "P2", "5,13": "?"}).end_turn()
    assert game.ending == "solo_lost"
