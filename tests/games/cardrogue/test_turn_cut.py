"""ROGUE-32, 33 on the compiled kernels: turns that are cut short, and arrivals that wait for the next turn."""

from tests.games.cardrogue.positions import CROSS, EAST, NORTH, WEST, Play, a, an_enemy, table
from tests.games.cardrogue.tables import ASIDE

KNOWN = {"red": "paralysis", "blue": "teleportation", "pink": "poison"}
HERE, THERE = {"5,12": "Pf", "6,12": "Pf"} | ASIDE, "teleport to row 9 column 10"


def drinker(*hand: str, cells: dict[str, str] | None = None, character: str = "rogue", **position: object) -> Play:
    """Seat 0 with known potions or scrolls on the middle; seat 1 waits far away."""
    facts = {key: position.pop(key) for key in ("health", "skip") if key in position}
    return table(
        a(character, hand=list(hand), **facts), a("bard", (9, 9)), map=cells or HERE, potions=KNOWN, **position
    )


def laid(game: Play) -> list[str]:
    """Cells with a face-down card."""
    return [cell for cell, token in game.map.items() if token == "?"]


def test_rogue_32_a_paralysed_player_s_turn_is_over_at_once_without_step_4():
    game = drinker("red").do("drink red potion")
    assert (game.to_act, game.player(0)["skip"], laid(game)) == (1, 1, [])


def test_rogue_32_drinking_teleportation_ends_the_turn():
    game = drinker("blue").do("drink blue potion", THERE)
    assert (game.to_act, game.at(0), laid(game)) == (1, (9, 10), [])


def test_rogue_32_a_move_scroll_ends_the_turn():
    game = drinker("scroll_move").do("read Scroll of move", "move north")
    assert (game.to_act, game.at(0), laid(game)) == (1, NORTH, [])


def test_rogue_32_death_ends_the_turn():
    game = drinker(cells=HERE | {"6,12": "T:spike"}, health=2).do("move north", "come back at row 0 column 14")
    assert (game.to_act, game.at(0), laid(game)) == (1, (0, 14), [])


def test_rogue_32_in_combat_the_enemies_part_still_happens():
    """Paralysed before step 1: the goblin hits, 10 - 2; the turn is over."""
    game = drinker("red", enemies=[an_enemy("goblin")]).do("drink red potion")
    assert (game.to_act, game.health(), game.player(0)["skip"]) == (1, 8, 1)


def test_rogue_32_after_step_3_it_does_not_happen_again():
    game = drinker("red", enemies=[an_enemy("goblin")]).do("attack north", "pass", dice=[1])
    assert (game.position["step"], game.health()) == ("survived", 8)
    game.do("drink red potion")
    assert (game.to_act, game.health(), game.player(0)["skip"]) == (1, 8, 1)


def test_rogue_32_between_the_steps_it_happens_once():
    game = drinker("red", enemies=[an_enemy("goblin")]).do("attack north", "drink red potion", dice=[1])
    assert (game.to_act, game.health(), game.enemy(NORTH)["health"]) == (1, 8, 7)


def test_rogue_32_who_is_no_longer_in_combat_suffers_no_enemy():
    game = drinker("blue", enemies=[an_enemy("goblin")]).do("drink blue potion", THERE)
    assert (game.to_act, game.health(), game.enemy(NORTH)["order"]) == (1, 10, [])


def test_rogue_32_where_the_turn_is_lost_a_cut_in_combat_stops_the_enemies_too():
    game = drinker("red", enemies=[an_enemy("goblin")], rules={"paralysis_in_combat": "turn_lost"})
    assert game.do("drink red potion").health() == 10


def test_rogue_33_who_is_teleported_meets_trap_and_enemy_at_the_start_of_his_next_turn():
    """Onto spikes, beside a goblin: nothing until the next turn, then spikes, then combat."""
    cells = HERE | {"9,10": "T:spike", "9,11": "Pf"}
    game = drinker("blue", cells=cells, enemies=[an_enemy("goblin", (9, 11), order=[])]).do("drink blue potion", THERE)
    assert (game.to_act, game.health(), game.enemy((9, 11))["order"], game.player(0)["put_off"]) == (1, 10, [], "all")
    game.end_turn()
    assert (game.to_act, game.health(), game.enemy((9, 11))["order"]) == (0, 8, [0])
    assert (game.options, game.player(0)["put_off"]) == (["attack"], "nothing")


def test_rogue_33_a_trap_that_was_put_off_acts_once():
    cells = HERE | {"9,10": "T:paralysis"}
    game = drinker("blue", cells=cells).do("drink blue potion", THERE)
    game.end_turn()
    assert (game.to_act, game.player(0)["skip"]) == (1, 1)  # met in his turn, which ends it
    game.end_turn()
    assert (game.to_act, game.player(0)["skip"], game.player(0)["put_off"]) == (1, 0, "nothing")
    assert game.end_turn().to_act == 0


def test_rogue_33_cards_of_the_dead_and_potions_wait_too():
    left = [{"at": list(NORTH), "cards": ["key", "5 gold"]}]
    game = drinker("scroll_move", cells=HERE | {"6,12": "C"}, left=left).do("read Scroll of move", "move north")
    assert (game.player(0)["hand"], game.player(0)["gold"], game.map["6,12"]) == ([], 0, "C")
    game.end_turn()
    assert (game.player(0)["hand"], game.player(0)["gold"], game.map["6,12"]) == ([], 5, "Pf")
    assert game.player(0)["scored"]["chest"] == 1
    game = drinker("scroll_move", cells=HERE | {"6,12": "O:green"}).do("read Scroll of move", "move north")
    assert game.map["6,12"] == "O:green"
    game.end_turn(draws=["straight"])
    assert (game.player(0)["hand"], game.map["6,12"]) == (["green"], "P5")  # he moved northwards


def test_rogue_33_who_is_moved_outside_his_turn_meets_nothing_until_his_own():
    cells = HERE | {"9,10": "T:spike"}
    game = table(a("rogue", hand=["blue"]), a("bard", NORTH), map=cells, potions=KNOWN)
    game.do("throw blue potion", "throw north", THERE)
    assert (game.at(1), game.health(1), game.to_act) == ((9, 10), 10, 0)
    assert game.end_turn().health(1) == 8


def test_rogue_33_a_player_beside_whom_an_enemy_is_put_fights_it_in_his_own_turn():
    game = table(
        a("rogue", hand=["blue"]),
        a("bard", (0, 12)),
        a("mage", (9, 9)),
        map=HERE | {"0,13": "Pf"},
        potions=KNOWN,
        enemies=[an_enemy("goblin", EAST)],
    )
    game.do("throw blue potion", "throw east", THERE, draws=["straight"])
    assert (game.to_act, game.enemy((9, 10))["order"]) == (1, [])
    game.end_turn()
    assert (game.to_act, game.enemy((9, 10))["order"]) == (2, [2])


def test_rogue_33_a_flight_in_the_own_turn_puts_nothing_off():
    cells = CROSS | {"5,11": "T:spike", "6,12": "Pf"}
    game = table(a("rogue"), a("bard", (9, 9)), map=cells | ASIDE, enemies=[an_enemy("goblin", NORTH)])
    game.do("flee", "flee west", dice=[6])
    assert (game.at(0), game.health(), game.player(0)["put_off"]) == (WEST, 8, "nothing")
