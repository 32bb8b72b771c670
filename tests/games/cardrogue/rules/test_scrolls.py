"""ROGUE-83: the five scrolls, and how they end with the reader's turn, his combat or his poison."""

import pytest

from tests.games.cardrogue.positions import CROSS, EAST, GROUND, MIDDLE, NORTH, SOUTH, WAITING, Play, a, an_enemy, hero, table


def reader(scroll: str, *others: dict, hand: tuple[str, ...] = (), **facts: object) -> Play:
    """A warrior who holds a scroll, about to begin or in combat."""
    return hero("warrior", *others, hand=[f"scroll_{scroll}", *hand], **facts)


@pytest.mark.parametrize(("health", "after"), [(12, 14), (3, 5)])
def test_rogue_07_83_max_health_adds_2_to_the_maximum_and_to_health(health, after):
    game = reader("max_health", health=health, hand=("blue",)).do("read Scroll of max health")
    assert (game.player(0)["max_health"], game.health(), game.player(0)["hand"]) == (14, after, ["blue"])
    assert game.position["gone"] == {"scroll_max_health": 1}


def test_rogue_07_83_two_scrolls_add_up_until_death():
    game = reader("max_health", health=1, hand=("scroll_max_health", "blue"), poison=1)
    game.do(*["read Scroll of max health"] * 2)
    assert (game.player(0)["max_health"], game.health()) == (16, 5)
    mortal = table(a("warrior", health=1, poison=1, bonus=4, hand=["blue"]), WAITING, map=GROUND, active=1).end_turn()
    mortal.do("keep blue potion", "come back at row 0 column 12")
    assert (mortal.player(0)["max_health"], mortal.health()) == (12, 12)


def test_rogue_83_identify_names_a_colour_of_the_hand_without_using_it():
    game = reader("identify", hand=("red", "blue", "pink"), potions={"pink": "healing"}).do("read Scroll of identify")
    assert game.options == ["identify blue potion", "identify red potion"]
    game.do("identify red potion", dice=[1, 4])
    assert (game.position["potions"]["red"], game.player(0)["attack"]) == ("weakness", 0)
    assert game.player(0)["hand"] == ["blue", "pink", "red"]
    assert game.position["gone"] == {"scroll_identify": 1}


@pytest.mark.parametrize(("hand", "potions"), [((), {}), (("red",), {"red": "poison"})])
def test_rogue_83_identify_needs_an_unknown_colour_in_the_hand(hand, potions):
    assert "read" not in reader("identify", hand=(*hand, "key"), potions=potions).options


WALLS = {"5,12": "P5", "6,12": "P5", "5,13": "P4", "4,12": "Pf", "5,11": "P2", "9,9": "Pf", "0,12": "S"}


def test_rogue_83_move_leads_through_walls_to_any_free_face_up_neighbour():
    game = reader("move", map=WALLS).do("read Scroll of move")
    assert game.options == ["move north", "move east", "move south", "move west"]
    game.do("move east")
    assert (game.at(0), game.current_player, game.position["gone"]) == (EAST, 1, {"scroll_move": 1})


def test_rogue_83_move_not_onto_players_enemies_face_down_cards_or_nothing():
    around = {"5,12": "Pf", "6,12": "?", "5,13": "Pf", "5,11": "Pf", "0,12": "S"}
    game = reader("move", a("cleric", EAST), map=around, enemies=[an_enemy("goblin", (5, 11), order=[])])
    assert "read" not in game.options


def test_rogue_32_33_83_move_ends_the_turn_and_meets_nothing_yet():
    game = reader("move", map=CROSS | {"6,12": "T:spike", "9,9": "Pf", "7,12": "?"})
    game.do("read Scroll of move", "move north")
    assert (game.current_player, game.health(), game.player(0)["put_off"]) == (1, 12, "all")
    game.end_turn()
    assert (game.current_player, game.health()) == (0, 10)


def test_rogue_29_83_nothing_is_placed_after_a_move_by_scroll():
    game = reader("move", map=GROUND).do("read Scroll of move", "move north")
    assert "?" not in game.map.values()


def test_rogue_59_83_move_leaves_combat_without_the_enemies_part():
    game = reader("move", map=GROUND, enemies=[an_enemy("kobold", health=2)]).do("read Scroll of move", "move south")
    assert (game.at(0), game.health(), game.enemy(NORTH)["health"], game.enemy(NORTH)["order"]) == (SOUTH, 12, 6, [])


@pytest.mark.parametrize("restore", ["last_leaves", "any_flight"])
def test_rogue_59_83_who_leaves_by_scroll_has_not_fled(restore):
    """The cleric stays in combat: the kobold keeps its wounds under either rule variant."""
    around = GROUND | {"6,11": "Pf"}
    foe = an_enemy("kobold", health=2, order=[0, 1])
    game = reader("move", a("cleric", (6, 11)), map=around, enemies=[foe], rules={"enemy_restore": restore})
    game.do("read Scroll of move", "move south")
    assert (game.enemy(NORTH)["health"], game.enemy(NORTH)["order"]) == (2, [1])


def test_rogue_33_83_a_potion_moved_onto_is_taken_in_the_next_turn():
    game = reader("move", map=GROUND | {"6,12": "O:blue"}).do("read Scroll of move", "move north")
    assert (game.at(0), game.player(0)["hand"]) == (NORTH, [])
    game.end_turn(draws=["straight"])
    assert (game.player(0)["hand"], game.paths(NORTH)) == (["blue"], "NS")


def test_rogue_83_104_move_is_a_way_out_in_the_end_rush():
    game = reader("move", map=GROUND | {"6,12": "S"}, rush=True).do("read Scroll of move", "move north")
    assert (game.over, game.position["ending"], game.player(0)["scored"]["exit"]) == (True, "exit", 1)


def test_rogue_83_the_antidote_is_read_only_while_poisoned():
    assert "read" not in reader("antidote", hand=("key",)).options
    game = reader("antidote", hand=("blue",), poison=2).do("read Scroll of antidote")
    assert (game.player(0)["antidote"], game.position["gone"]) == (2, {"scroll_antidote": 1})


def test_rogue_22_83_the_antidote_turns_poison_into_health_until_it_ends():
    game = reader("antidote", hand=("blue",), poison=2, health=5).do("read Scroll of antidote")
    results = []
    for _ in range(3):
        game.end_turn().end_turn()
        results.append((game.health(), game.player(0)["poison"], game.player(0)["antidote"]))
    assert results == [(7, 1, 2), (9, 0, 0), (9, 0, 0)]


def test_rogue_22_83_further_poison_included():
    game = reader("antidote", hand=("blue", "red"), poison=1, health=5, potions={"red": "poison"})
    game.do("read Scroll of antidote", "drink red potion")
    results = []
    for _ in range(3):
        game.end_turn().end_turn()
        results.append((game.health(), game.player(0)["poison"]))
    assert results == [(7, 2), (9, 1), (11, 0)]


def test_rogue_83_85_remove_curse_discards_every_cursed_card_and_nothing_else():
    hand = ("attack_minus", "health_minus", "attack_plus", "key")
    game = reader("remove_curse", hand=hand, health=9).do("read Scroll of remove curse")
    assert game.player(0)["hand"] == ["key", "attack_plus"]
    assert (game.player(0)["attack"], game.player(0)["max_health"], game.health()) == (2, 12, 9)
    assert game.position["gone"] == {"attack_minus": 1, "health_minus": 1, "scroll_remove_curse": 1}


def test_rogue_83_remove_curse_needs_a_curse():
    assert "read" not in reader("remove_curse", hand=("attack_plus", "key")).options


@pytest.mark.parametrize("step", ["fight", "struck", "survived"])
def test_rogue_31_83_scrolls_in_every_window_of_combat(step):
    game = reader("max_health", map=GROUND, enemies=[an_enemy("kobold")], step=step)
    assert "read" in game.options
    assert game.do("read Scroll of max health").player(0)["max_health"] == 14


def test_rogue_30_83_a_scroll_ends_a_turn_of_mere_walking():
    game = reader("max_health", hand=("blue",)).do("read Scroll of max health")
    assert "only_walked" not in game.position["done"]


def test_rogue_83_the_reader_alone_is_affected():
    game = reader("max_health", a("cleric", NORTH, hand=["green"]), hand=("blue",)).do("read Scroll of max health")
    assert (game.player(1)["max_health"], game.at(0)) == (10, MIDDLE)
