"""ROGUE-112, 114 on the compiled kernels: the end of games in which nobody goes on."""

import pytest

from tests.games.cardrogue.positions import CROSS, EAST, MIDDLE, Play, a, an_enemy, table

STARTS = CROSS | {"6,12": "S", "9,9": "S", "9,10": "Pf"}


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
    assert (game.to_act, game.position["stuck_turns"], game.position["rush"]) == (1, 1, False)


def test_rogue_94_112_a_second_turn_that_alone_ends_stuck_counts():
    """The first turn leaves a potion within reach, the second takes it."""
    cells = {"5,12": "P1", "6,12": "?", "9,9": "P2", "9,10": "P8"}
    game = table(a("explorer"), a("rogue", (9, 9)), map=cells).do("flip north", draws=["red"])
    while "second turn" not in game.options:
        game.do("pass")
    assert game.position["stuck_turns"] == 0
    game.do("second turn").walk("north", draws=["dead_end"])
    while game.to_act == 0:
        game.do("pass")
    assert (game.position["stuck_turns"], game.position["rush"]) == (1, False)


def test_rogue_112_calling_the_mole_is_not_being_stuck():
    game = table(a("rogue", gold=10), a("bard", (5, 13)), map=WALLED, stuck_turns=1)
    game.do("call the mole", "dig at row 5 column 12").end_turn()
    assert (game.position["stuck_turns"], game.position["rush"]) == (0, False)


def test_rogue_112_not_without_exploration_cards_left_and_not_alone():
    everything = (
        "key",
        "blue",
        "green",
        "orange",
        "pink",
        "red",
        "yellow",
        "attack_plus",
        "attack_minus",
        "health_plus",
    )
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
    """The stuck streak is not what ends it: exploration cards lie within nobody's reach."""
    game = idle(players, idle=28, round=40, rush=False)
    game.state["stuck"][:] = 0  # a way on that nobody takes
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
    assert (game.over, game.ending, game.shares) == (True, "capped", [0])
    assert game.position["round"] == 400, "rounds played"


@pytest.mark.parametrize("limit", ["idle", "rounds"])
def test_rogue_114_in_the_end_rush_both_limits_cap_the_game(limit):
    game = idle(2, rush=True, idle=29 if limit == "idle" else 0, round=400 if limit == "rounds" else 9)
    game.end_turn().end_turn()
    assert (game.over, game.ending, game.shares) == (True, "capped", [0, 0])


def test_rogue_114_the_limits_are_numbers_of_the_card_file():
    game = idle(1, rules={"max_rounds": 7}, round=7, map={"5,12": "P2", "5,13": "?"}).end_turn()
    assert game.ending == "capped"
    game = idle(1, rules={"idle_rounds": 3}, idle=2, map={"5,12": "P2", "5,13": "?"}).end_turn()
    assert game.ending == "solo_lost"
