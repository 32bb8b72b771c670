"""ROGUE-20 to 23 on the compiled kernels: the order of turns and steps, and what happens at the start of a turn."""

import pytest

from tests.games.cardrogue.positions import CROSS, EAST, MIDDLE, NORTH, SOUTH, WEST, Play, a, an_enemy, table

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
        turns.append((game.to_act, game.position["round"]))
        game.end_turn()
    assert turns == [(1, 1), (2, 1), (0, 1), (1, 2), (2, 2), (0, 2), (1, 3)]


def test_rogue_20_who_is_out_has_no_turn():
    game = table(a("warrior", NORTH), a("bard", "out", health=0), a("mage", SOUTH), rush=True, map=CROSS)
    assert [game.to_act, game.end_turn().to_act, game.end_turn().to_act] == [0, 2, 0]
    assert game.position["round"] == 2


def test_rogue_20_the_round_ends_even_when_the_first_seat_is_out():
    game = table(a("warrior", "out", health=0), a("bard", NORTH), a("mage", SOUTH), rush=True, active=1, first=0)
    turns = []
    for _ in range(4):
        turns.append((game.to_act, game.position["round"]))
        game.end_turn()
    assert turns == [(1, 1), (2, 1), (1, 2), (2, 2)]


def test_rogue_20_steps_come_in_their_order_and_a_passed_one_does_not_come_back():
    game = table(a("warrior"), a("bard", EAST), map=CROSS | {"6,12": "?"})
    assert (game.position["step"], game.options) == ("flip", ["pass", "flip"])
    assert [game.do("pass").position["step"] for _ in range(2)] == ["move", "interact"]
    assert game.options == ["pass", "trip"]
    assert game.do("pass").to_act == 1


def test_rogue_20_a_turn_that_begins_in_combat_is_a_combat_turn():
    game = second(enemies=[an_enemy("goblin")]).end_turn()
    assert (game.position["step"], game.options) == ("fight", ["attack"])  # a Warrior does not flee


def test_rogue_21_poison_works_before_the_fountain():
    """With 1 health the poison kills before the fountain could heal; with 2 the fountain heals what is left."""
    dying = second(facts={"health": 1, "poison": 2}, map=CROSS | {"5,12": "F"}).end_turn()
    assert (dying.position["decision"], dying.to_act, dying.at(1)) == ("respawn", 1, None)
    alive = second(facts={"health": 2, "poison": 2}, map=CROSS | {"5,12": "F"}).end_turn(dice=[1])
    assert alive.health(1) == 2 - 1 + 2


def test_rogue_21_the_cooldown_falls_at_the_start_of_every_turn_also_of_a_skipped_one():
    for skip in (0, 1):
        game = second("mage", facts={"cooldown": 3, "skip": skip}).end_turn()
        assert game.player(1)["cooldown"] == 2
        assert game.to_act == (0 if skip else 1)


def test_rogue_21_the_fountain_comes_before_what_was_put_off():
    """The fountain drains under the player; the spikes turned up hurt once, though all that he meets there was put off."""
    left = [{"at": list(MIDDLE), "cards": ["key"]}]
    game = second(facts={"health": 9, "put_off": "all"}, map=CROSS | {"5,12": "F"}, left=left)
    game.end_turn(dice=[6], draws=["spike"])
    assert (game.map["5,12"], game.health(1), game.player(1)["hand"]) == ("T:spike", 7, ["key"])


def test_rogue_21_what_was_put_off_comes_before_combat():
    """Spikes that were put off kill before the combat begins."""
    game = second(
        facts={"health": 2, "put_off": "all"}, map=CROSS | {"5,12": "T:spike"}, enemies=[an_enemy("goblin", order=[])]
    )
    game.end_turn()
    assert (game.position["decision"], game.enemy(NORTH)["order"]) == ("respawn", [])


def test_rogue_21_combat_begins_with_every_adjacent_enemy_at_the_end_of_its_order():
    enemies = [
        an_enemy("goblin", NORTH, order=[]),
        an_enemy("imp", SOUTH, order=[]),
        an_enemy("troll", (6, 13), order=[]),
    ]
    game = second("rogue", enemies=enemies, map=CROSS | {"6,13": "Pf"}).end_turn()
    assert [game.enemy(at)["order"] for at in (NORTH, SOUTH, (6, 13))] == [[1], [1], []]
    assert game.options == ["attack", "flee"]


def test_rogue_21_a_skipped_turn_enters_combat_before_it_is_lost():
    """The goblin moved next to the paralysed player hits him in the turn that he skips: 10 - 2."""
    game = second("rogue", facts={"skip": 1}, enemies=[an_enemy("goblin", order=[])]).end_turn()
    assert (game.health(1), game.enemy(NORTH)["order"], game.to_act) == (8, [1], 0)


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
    assert (game.to_act, game.position["turn"], game.enemy(NORTH)["order"]) == (0, 2, [])
    assert (game.at(1), game.health(1), game.player(1)["poison"]) == ((0, 12), 10, 0)


def test_rogue_23_a_skipped_turn_out_of_combat_is_lost_altogether():
    """Nothing is decided and nothing laid; the fountain and the poison still work."""
    game = second("rogue", facts={"skip": 2, "poison": 2, "health": 5}, map={"5,12": "F", "5,11": "Pf"}).end_turn(
        dice=[2]
    )
    assert (game.to_act, game.player(1)["skip"], game.health(1)) == (0, 1, 5 - 1 + 2)
    assert "?" not in [game.map.get(f"{row},{column}") for row, column in (NORTH, EAST, SOUTH)]


def test_rogue_23_in_combat_a_skipped_turn_is_the_enemies_part_only():
    """The poisoned zombie loses 1 and recovers, the troll heals nothing, and both strike: 12 - 2 - 4."""
    enemies = [an_enemy("zombie", poison=2, poisoner=1, order=[1]), an_enemy("troll", SOUTH, order=[1])]
    game = second(facts={"skip": 1}, enemies=enemies).end_turn()
    assert (game.health(1), game.player(1)["skip"], game.to_act) == (6, 0, 0)
    assert (game.enemy(NORTH)["health"], game.enemy(NORTH)["poison"]) == (6, 1)


def test_rogue_23_where_the_turn_is_lost_the_enemies_do_nothing_either():
    enemies = [an_enemy("zombie", poison=2, poisoner=1, order=[1]), an_enemy("troll", SOUTH, order=[1])]
    game = second(facts={"skip": 1}, enemies=enemies, rules={"paralysis_in_combat": "turn_lost"}).end_turn()
    assert (game.health(1), game.player(1)["skip"], game.to_act, game.enemy(NORTH)["poison"]) == (12, 0, 0, 2)
