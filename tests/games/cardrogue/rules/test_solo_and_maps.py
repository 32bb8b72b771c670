"""ROGUE-106, 107 on the compiled kernels: a lone player's goals, and fixed layouts."""

import numpy as np
import pytest

from sim.engine.contract import write_outcome
from sim.games.cardrogue import GAME
from tests.games.cardrogue.documents import with_layout
from tests.games.cardrogue.positions import CROSS, EAST, NORTH, Play, a, an_enemy, dealt, layout, table

GOALS = ("chest", "debt", "basilisk_green", "basilisk_yellow", "golem")
HOME = CROSS | {"6,12": "S"}


def alone(*goals: str, character: str = "rogue", **position: object) -> Play:
    """A lone player in the middle, a starting tile in the north."""
    facts = {key: position.pop(key) for key in ("health", "hand", "gold", "scored") if key in position}
    rules = {"goals": goals or ("chest",)} | dict(position.pop("rules", {}))
    return table(a(character, **facts), **{"map": HOME, "rules": rules} | position)


REACHED = {
    "chest": (["move east"], [], {"map": HOME | {"5,13": "C"}, "hand": ["key"], "step": "move"}),
    "debt": (["buy Shopkeeper's Debt"], [1], {"map": HOME | {"5,12": "H"}, "gold": 16}),
    "basilisk_green": (["attack east"], [1], {"enemies": [an_enemy("basilisk_green", EAST, health=1)]}),
    "basilisk_yellow": (["attack east"], [1], {"enemies": [an_enemy("basilisk_yellow", EAST, health=1)]}),
    "golem": (["attack east"], [1], {"enemies": [an_enemy("golem", EAST, health=1)]}),
}


@pytest.mark.parametrize("goal", GOALS)
def test_rogue_106_each_goal_is_reached_by_its_deed_and_then_a_starting_tile_wins(goal):
    words, dice, position = REACHED[goal]
    game = alone(goal, **position)
    assert game.position["goals_done"] == []
    game.do(*words, dice=dice)
    assert game.position["goals_done"] == [goal]
    if goal == "chest":
        game.end_turn().walk("west")
    game.walk("north")
    assert (game.over, game.position["ending"], game.shares) == (True, "solo_won", [1])


def test_rogue_106_without_its_goal_a_starting_tile_means_nothing():
    game = alone("chest", "golem", goals_done=["golem"]).walk("north")
    assert (game.over, game.at(0)) == (False, NORTH)


def test_rogue_106_all_chosen_goals_must_be_reached_and_no_others():
    assert alone(*GOALS, goals_done=list(GOALS)).walk("north").over
    assert not alone(*GOALS, goals_done=list(GOALS[1:])).walk("north").over
    assert alone("debt", goals_done=["debt"]).walk("north").over


def test_rogue_106_who_stands_on_the_start_already_has_to_move_onto_one():
    game = table(a("rogue", NORTH), map=HOME, goals_done=["chest"], step="move")
    game.do("move south")
    assert not game.over
    assert game.end_turn().walk("north").over


def test_rogue_106_death_loses():
    game = alone(health=1, enemies=[an_enemy("goblin", EAST)]).do("attack east", dice=[1])
    assert (game.over, game.position["ending"], game.shares) == (True, "solo_lost", [0])


def test_rogue_106_more_lives_allow_more_deaths():
    position = {"health": 1, "enemies": [an_enemy("goblin", EAST)], "rules": {"lives": 2}}
    game = alone(**position).do("attack east", "come back at row 6 column 12", dice=[1])
    assert (game.over, game.at(0), game.health(), game.position["deaths_left"]) == (False, NORTH, 10, 0)
    assert alone(**position, deaths_left=0).do("attack east", dice=[1]).over


def test_rogue_106_slaying_the_golem_begins_no_end_rush():
    game = alone("chest", enemies=[an_enemy("golem", EAST, health=1)]).do("attack east", dice=[1])
    assert (game.position["rush"], game.over, game.player(0)["points"]) == (False, False, 2)


# ---- fixed layouts -----------------------------------------------------------------------------------------------------

ROOMS = (
    "T:spike T:paralysis/3 O:red    A:attack_plus  K/P5",
    "F       C             E:goblin S              L8",
    "P5      H             ?Pf      ?E:imp         E:troll/P9",
)


@pytest.mark.slow
def test_rogue_107_the_layout_lies_as_it_is_written():
    game = layout(*ROOMS)
    assert game.map == {
        "2,0": "T:spike", "2,1": "T:paralysis/3", "2,2": "O:red", "2,3": "A:attack_plus", "2,4": "K/P5",
        "1,0": "F", "1,1": "C", "1,2": "E:goblin", "1,3": "S", "1,4": "L8",
        "0,0": "P5", "0,1": "H", "0,2": "?Pf", "0,3": "?E:imp", "0,4": "E:troll/P9",
    }  # fmt: skip
    assert game.at(0) == (1, 3)
    deal = dealt(1, cards=GAME.from_document(with_layout(*ROOMS, goals=[])))
    assert (deal.map, deal.at(0)) == (game.map, game.at(0))


@pytest.mark.slow
def test_rogue_107_what_lies_face_down_comes_up_as_it_is_written():
    """The plain tile keeps its paths from every side it is turned over."""
    game = layout(". L4", "?P9 S", ". ?K/P4").do("flip west").do("flip south")
    assert (game.map["1,0"], game.paths((1, 0)), game.map["0,1"]) == ("P9", "NW", "P4")
    assert game.player(0)["hand"] == ["key"]


def test_rogue_107_special_tiles_face_down_do_what_they_do():
    game = layout("?T:spike L4", "S ?T:paralysis").do("flip north")
    assert (game.map["1,0"], game.health()) == ("T:spike", 10)
    game.do("flip east")
    assert game.player(0)["skip"] == 0  # the skipped turn has passed: he is alone
    assert game.position["turn"] == 2


def test_rogue_107_loose_cards_are_picked_up_by_moving_onto_them():
    game = layout("A:health_plus K/Pb L8", "S . .").walk("north", draws=["corner_r"])
    assert (game.player(0)["hand"], game.health(), game.map["1,0"]) == (["health_plus"], 16, "P6")
    game.end_turn().walk("east")
    assert (game.player(0)["hand"], game.map["1,1"]) == (["key", "health_plus"], "Pb")


def test_rogue_107_potions_may_be_fixed():
    game = layout("O:red L8", "S .", potions={"red": "strength", "blue": "healing"})
    assert {colour: effect for colour, effect in game.position["potions"].items() if effect != "unknown"} == {
        "red": "strength",
        "blue": "healing",
    }
    game.walk("north", draws=["four_way"]).do("drink red potion")
    assert game.player(0)["attack"] == 1


def test_rogue_107_without_fill_no_cards_are_laid():
    game = layout("Pf L8", "S Pf")
    assert (game.position["unseen"], game.position["stack"]) == ({}, 0)
    game.walk("east")
    assert "?" not in game.end_turn().map.values()


def test_rogue_107_with_fill_the_deck_is_laid_without_the_cards_on_the_map():
    game = layout("Pf E:golem L8", "S . .", fill="deck")
    unseen = game.position["unseen"]
    assert ("golem" in unseen, sum(unseen.values()), game.position["stack"]) == (False, 92, 92)
    game.end_turn()
    assert (game.map["0,1"], game.position["stack"]) == ("?", 91)


def test_rogue_107_the_ladder_is_the_way_out():
    game = layout("L4 .", "S Pf").walk("north")
    assert (game.over, game.position["ending"], game.shares, game.position["turn"]) == (True, "solo_won", [1], 0)


def test_rogue_107_the_ladder_comes_after_the_goals_and_the_start_leads_nowhere_then():
    game = layout("L4 C", "S K/Pf", goals=["chest"]).walk("north")
    assert (game.over, game.at(0)) == (False, (1, 0))
    for way in ("south", "east", "north"):
        game.end_turn().walk(way)
    assert game.position["goals_done"] == ["chest"]
    game.end_turn().walk("south")
    game.end_turn().walk("west")
    assert (game.over, game.at(0)) == (False, (0, 0))
    assert game.end_turn().walk("north").over


def test_rogue_107_without_a_ladder_the_start_is_the_way_out():
    game = layout("E:imp", "S", goals=["chest"], fill="deck", position={"goals_done": ["chest"]})
    assert not game.over
    game = layout("Pf C", "S K/Pf", goals=["chest"])
    game.walk("east")
    game.end_turn().walk("north")
    assert game.position["goals_done"] == ["chest"]
    game.end_turn().walk("south")
    assert game.end_turn().walk("west").position["ending"] == "solo_won"


@pytest.mark.slow
def test_rogue_107_the_score_is_the_number_of_turns():
    game = layout("L4 .", "S Pf").walk("east")
    game.end_turn().walk("west")
    game.end_turn().walk("north")
    outcome = np.zeros(1, GAME.outcome)
    write_outcome(game.state, outcome[0])
    assert (game.over, outcome["own_turns"][0, 0], game.position["turn"]) == (True, 2, 2)


def test_rogue_107_death_loses_on_a_map_too():
    game = layout("E:golem L8", "S .", character="rogue", position={"players": [{"character": "rogue", "health": 2}]})
    game.do("attack north", dice=[1, 1])
    assert (game.over, game.position["ending"], game.shares) == (True, "solo_lost", [0])


@pytest.mark.slow
def test_rogue_107_what_comes_up_on_a_layout_is_noted():
    """The first shop when it is turned over, the key from the start; one of three cards is turned over, then the share is 1/3."""
    game = layout("?L4 ?O:red K", "S ?H P8").do("flip east")
    outcome = np.zeros(1, GAME.outcome)
    write_outcome(game.state, outcome[0])
    assert (outcome["shop_seen"][0], outcome["key_seen"][0], outcome["chest_seen"][0]) == (1, 1, 0)
    assert outcome["turned"][0] == pytest.approx(1 / 3)
