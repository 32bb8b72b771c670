"""ROGUE-57, 58 on the compiled kernels: who may flee, on which faces, and where a flight leads."""

import pytest

from tests.games.cardrogue.positions import ASIDE, CROSS, EAST, MIDDLE, NORTH, OTHER, SOUTH, WEST, Play, a, an_enemy, table

CAPE = {"chest": "shadow_cape"}


def beset(*enemies: dict, character: str = "rogue", cells: dict[str, str] | None = None, **facts: object) -> Play:
    """Seat 0 in the middle of plain tiles, in combat; by default with a goblin in the north."""
    position = {key: facts.pop(key) for key in ("rules", "done", "gone", "left") if key in facts}
    return table(
        a(character, **facts), OTHER, map=(cells or CROSS) | ASIDE, enemies=list(enemies) or [an_enemy("goblin")], **position
    )


@pytest.mark.parametrize("face", range(1, 7))
def test_rogue_57_a_flight_succeeds_on_4_5_and_6(face):
    game = beset().do("flee", dice=[face])
    if face >= 4:
        assert game.options == ["flee east", "flee south", "flee west"]
    else:  # the turn goes on with step 2: the goblin hits
        assert (game.current_player, game.at(0), game.health(), game.enemy(NORTH)["order"]) == (1, MIDDLE, 8, [0])


def test_rogue_57_there_must_be_somewhere_to_flee_to():
    shut = {"5,12": "Pf", "6,12": "Pf"}
    assert beset(cells=shut).options == ["attack"]
    assert beset(cells=shut | {"5,13": "P7"}).options == ["attack"]  # walled towards the middle
    assert beset(cells=shut | {"5,13": "?"}).options == ["attack", "flee"]
    assert beset(cells=shut | {"5,13": "O:red"}).options == ["attack", "flee"]


@pytest.mark.parametrize("enemy", ["zombie", "troll", "golem"])
def test_rogue_57_from_enemies_that_do_not_chase_one_flees_without_a_roll(enemy):
    assert beset(an_enemy(enemy)).do("flee", "flee south").at(0) == SOUTH


def test_rogue_57_from_a_paralysed_enemy_one_flees_without_a_roll():
    assert beset(an_enemy("kobold", paralysed=1)).do("flee", "flee west").at(0) == WEST


def test_rogue_57_every_enemy_must_let_go_of_him_and_one_roll_leaves_them_all():
    pair = [an_enemy("troll"), an_enemy("goblin", EAST)]
    game = beset(*pair).do("flee", "flee south", dice=[4])
    assert (game.at(0), game.enemy(NORTH)["order"], game.enemy(EAST)["order"]) == (SOUTH, [], [])
    free = [an_enemy("troll"), an_enemy("goblin", EAST, paralysed=1), an_enemy("zombie", SOUTH)]
    assert beset(*free).do("flee", "flee west").at(0) == WEST


@pytest.mark.parametrize("face", range(1, 7))
def test_rogue_57_the_shadow_cape_adds_its_faces(face):
    assert "flee east" in beset(worn=CAPE).do("flee", dice=[face]).options


BANNED = {"goblin": True, "imp": True, "kobold": True, "zombie": False, "troll": False}
BANNED |= {"basilisk_green": False, "basilisk_yellow": False, "golem": False}


@pytest.mark.parametrize("enemy", BANNED)
def test_rogue_57_91_a_warrior_flees_from_bosses_and_those_that_do_not_chase_only(enemy):
    game = beset(an_enemy(enemy), character="warrior")
    assert game.options == (["attack"] if BANNED[enemy] else ["attack", "flee"])


def test_rogue_57_91_one_such_enemy_lifts_the_ban():
    pair = [an_enemy("goblin"), an_enemy("basilisk_green", EAST)]
    game = beset(*pair, character="warrior").do("flee", "flee south", dice=[5])
    assert game.at(0) == SOUTH


def test_rogue_57_91_free_flight_does_not_lift_the_ban():
    game = beset(an_enemy("goblin", paralysed=1), character="warrior")
    assert game.options == ["attack"]


@pytest.mark.parametrize("face", range(1, 7))
def test_rogue_57_91_with_the_cape_a_warrior_may_always_try_but_only_its_faces_help(face):
    game = beset(character="warrior", worn=CAPE).do("flee", dice=[face])
    assert ("flee east" in game.options) == (face <= 3)
    lifted = beset(an_enemy("basilisk_green"), character="warrior", worn=CAPE).do("flee", dice=[face])
    assert "flee east" in lifted.options


def test_rogue_57_91_even_from_a_paralysed_enemy_the_cape_needs_its_faces():
    assert beset(an_enemy("goblin", paralysed=1), character="warrior", worn=CAPE).do("flee", dice=[6]).current_player == 1


def test_rogue_57_after_a_failure_the_enemy_s_poison_and_abilities_follow():
    """Rat: poisoned for 1 it has 3 left, poisons on a 4 and bites."""
    game = beset(an_enemy("sewer_rat", poison=2, poisoner=0)).do("flee", dice=[3, 4])
    assert (game.enemy(NORTH)["health"], game.health(), game.player(0)["poison"]) == (3, 9, 2)


def test_rogue_58_he_must_move_to_a_free_adjacent_face_up_cell():
    """Not onto the enemy's, a face-down card or a wall; staying is no choice."""
    game = beset(cells=CROSS | {"5,13": "?", "4,12": "P1", "5,11": "Pd"}).do("flee", dice=[4])
    assert game.options == ["flee south", "flip east"]


def test_rogue_58_cards_may_be_flipped_on_the_way_one_by_one():
    game = beset(cells=CROSS | {"5,13": "?", "4,12": "?", "5,11": "Pf"}).do("flee", dice=[6])
    assert game.options == ["flee west", "flip east", "flip south"]
    game.do("flip east", draws=["straight"])
    assert game.options == ["flee east", "flee west", "flip south"]
    game.do("flip south", draws=["key", "shop"])
    assert game.options == ["flee east", "flee south", "flee west"]
    assert game.do("flee south").at(0) == SOUTH


def test_rogue_58_an_enemy_that_is_flipped_stops_the_flight():
    """He fights both now, at step 1 of a new combat sequence in this turn, and cannot flee again."""
    game = beset(cells=CROSS | {"5,13": "?"}).do("flee", "flip east", dice=[4], draws=["imp"])
    assert (game.position["step"], game.options, game.at(0)) == ("fight", ["attack"], MIDDLE)
    assert (game.enemy(NORTH)["order"], game.enemy(EAST)["order"]) == ([0], [0])
    game.do("attack east", dice=[4, 1])  # the attack, then the dodge die
    assert (game.health(), game.enemy(EAST)["health"], game.current_player) == (10 - 2 - 1, 4, 1)


def test_rogue_58_a_trap_turned_up_on_the_way_cuts_the_flight_short():
    """An artifact is replaced by a paralysing trap: he stays, and the goblin has its part of the turn."""
    game = beset(cells=CROSS | {"5,13": "?"}).do("flee", "flip east", dice=[4], draws=["health_plus", "paralysis"])
    assert (game.at(0), game.current_player, game.player(0)["skip"], game.health()) == (MIDDLE, 1, 1, 14 - 2)


def test_rogue_58_who_finds_nothing_to_move_to_fights_on_with_step_2():
    """Only a face-down card is left: he may stay, or turn it over, for any tile that comes up is open towards him."""
    shut = {"5,12": "Pf", "6,12": "Pf", "5,13": "?"}
    game = beset(cells=shut).do("flee", dice=[4])
    assert game.options == ["flip east", "stay"]
    game.do("stay")
    assert (game.current_player, game.at(0), game.health(), game.enemy(NORTH)["order"]) == (1, MIDDLE, 8, [0])
    game = beset(cells=shut).do("flee", "flip east", dice=[4], draws=["dead_end"])
    assert game.options == ["flee east"]


def test_rogue_58_after_the_move_come_arrival_effects_step_4_and_the_end_of_the_turn():
    left = [{"at": list(WEST), "cards": ["key"]}]
    game = beset(cells=CROSS | {"5,11": "T:spike"}, left=left).do("flee", "flee west", dice=[4])
    assert (game.player(0)["hand"], game.health(), game.current_player) == (["key"], 8, 1)
    assert [game.map.get(cell) for cell in ("6,11", "4,11", "5,10")] == ["?", "?", "?"]


def test_rogue_58_a_new_enemy_on_arrival_is_fought_in_this_turn_without_another_flight():
    game = beset(an_enemy("goblin"), an_enemy("imp", (5, 10), order=[]), cells=CROSS | {"5,10": "Pf"})
    game.do("flee", "flee west", dice=[4])
    assert (game.at(0), game.position["step"], game.options) == (WEST, "fight", ["attack"])
    game.do("attack west", dice=[6, 1])
    assert (game.enemy((5, 10))["health"], game.health(), game.current_player) == (2, 9, 1)


def test_rogue_58_the_same_enemy_may_be_met_again():
    """He flees around a corner beside the goblin."""
    cells = {"5,12": "Pf", "6,12": "Pf", "5,13": "Pf"}
    game = beset(an_enemy("goblin", health=3), an_enemy("troll", (6, 13), order=[]), cells=cells | {"6,13": "Pf"})
    game.do("flee", "flee east", dice=[4])
    assert (game.enemy(NORTH)["health"], game.enemy((6, 13))["order"]) == (8, [0])


def test_rogue_58_after_a_victory_in_such_a_combat_comes_step_4():
    game = beset(an_enemy("goblin"), an_enemy("cave_bat", (5, 10), order=[]), cells=CROSS)
    game.do("flee", "flee west", "attack west", dice=[4, 5], draws=["straight"])
    assert (game.current_player, game.map["6,11"], game.map["4,11"]) == (1, "?", "?")


def test_rogue_57_58_fleeing_from_a_goblin_every_turn_with_10_health_succeeds_in_31_of_32():
    """D-10: each failure costs 2, the fifth kills; the turns until then are 31/16 on average."""
    chance, away, turns = 1.0, 0.0, 0.0
    game = beset()
    for failures in range(5):
        assert game.health() == 10 - 2 * failures
        won = beset(health=game.health()).do("flee", "flee west", dice=[5])
        assert won.at(0) == WEST
        away += chance / 2
        turns += chance
        chance /= 2
        game.do("flee", dice=[2])
        if failures < 4:
            game.end_turn()
    assert game.position["decision"] == "respawn"
    assert (away, turns) == (31 / 32, 31 / 16)
