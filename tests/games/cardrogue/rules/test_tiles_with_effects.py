"""ROGUE-18, 27, 70 to 74: traps, fountains, and what is turned up in the place of other cards."""

import pytest

from tests.games.cardrogue.positions import BARE, CROSS, EAST, GROUND, NORTH, WAITING, Play, a, an_enemy, layout, table

UNSEEN = {"5,12": "Pf", "6,12": "?"}


def beside(trap: str, **facts: object) -> Play:
    """A warrior about to move onto a trap, and another player far off."""
    character = facts.pop("character", "warrior")
    return table(a(character, **facts), WAITING, map=GROUND | {"6,12": f"T:{trap}"}).do("pass")


def onto(trap: str, dice: tuple[int, ...] = (), **facts: object) -> Play:
    """The same, having moved onto it."""
    return beside(trap, **facts).do("move north", dice=dice)


def test_rogue_70_71_a_spike_trap_takes_2_health_of_whoever_moves_onto_it():
    game = onto("spike", hand=["blue"])
    assert (game.health(), game.position["step"], game.current_player) == (10, "move", 0)


def test_rogue_71_spikes_can_kill():
    game = onto("spike", health=2, hand=["blue"])
    assert game.options == ["keep blue potion"]


def test_rogue_52_71_a_paralysis_trap_ends_the_turn_and_takes_the_next():
    game = onto("paralysis", hand=["blue"])
    assert (game.current_player, game.player(0)["skip"], game.health()) == (1, 1, 12)
    game.end_turn()
    assert (game.current_player, game.player(0)["skip"]) == (1, 0), "the turn of the paralysed has passed"
    game.end_turn()
    assert game.current_player == 0


def test_rogue_29_32_71_nothing_is_placed_after_a_paralysis_trap():
    game = table(a("warrior"), WAITING, map=GROUND | {"6,12": "T:paralysis", "9,9": "P1", "10,9": "P4"})
    game.do("pass", "move north")
    assert "?" not in game.map.values()


def test_rogue_51_71_a_poison_trap_poisons_for_2_turns():
    game = onto("poison", hand=["blue"])
    assert (game.player(0)["poison"], game.health()) == (2, 12), "the first loss comes with the next turn"
    game.end_turn().end_turn()
    assert (game.current_player, game.player(0)["poison"], game.health()) == (0, 1, 11)


@pytest.mark.parametrize(("before", "after"), [(0, 2), (1, 2), (2, 2), (4, 4)])
def test_rogue_51_71_the_larger_counter_of_poison_stays(before, after):
    assert onto("poison", poison=before).player(0)["poison"] == after


def test_rogue_70_a_trap_does_not_trigger_again_while_one_stays():
    game = table(a("warrior", NORTH), WAITING, map=GROUND | {"6,12": "T:spike"})
    game.end_turn().end_turn()
    assert game.health() == 12


def test_rogue_70_but_on_every_arrival():
    game = table(a("warrior", hand=["blue"]), map=CROSS | {"6,12": "T:spike"}, rules={"repeat_moves": 0})
    game.do("pass", "move north").end_turn().do("pass", "move south").end_turn()
    game.do("pass", "move north")
    assert game.health() == 12 - 2 - 2


def test_rogue_70_a_trap_triggers_on_whoever_turns_it_over_from_where_he_stands():
    """G-10: flips a shop, flips a spike trap, moves onto the shop, buys, places. 2 health are lost."""
    shopper = {"players": [{"character": "rogue", "gold": 10}]}
    game = layout(". . .", ". ?H .", ". S ?T:spike", position=shopper, fill="deck", goals=["chest"])
    game.do("flip north").do("flip east")
    assert (game.health(), game.at(0)) == (8, (0, 1))
    game.do("move north", "buy Shield", dice=[4]).end_turn()
    assert (game.player(0)["hand"], game.position["turn"]) == (["shield"], 1)
    assert {cell for cell, token in game.map.items() if token == "?"} == {"2,1", "1,0", "1,2"}
    assert game.map["0,2"] == "T:spike"


def test_rogue_60_70_a_trap_that_replaces_a_slain_enemy_triggers_on_the_slayer():
    game = table(a("rogue"), WAITING, map=BARE, enemies=[an_enemy("cave_bat", health=1)])
    game.do("attack north", dice=[1], draws=["spike"])
    assert (game.map["6,12"], game.health(), game.player(0)["hand"]) == ("T:spike", 8, ["cave_bat"])


def test_rogue_25_70_a_trap_that_replaces_an_artifact_triggers_on_the_finder():
    game = table(a("rogue"), map=UNSEEN).do("flip north", draws=["attack_plus", "poison"])
    assert (game.map["6,12"], game.player(0)["poison"], game.player(0)["hand"]) == ("T:poison", 2, ["attack_plus"])


def test_rogue_27_70_a_trap_that_turns_up_under_a_potion_triggers_on_the_taker():
    game = table(a("rogue"), map=CROSS | {"6,12": "O:blue"})
    game.do("pass", "move north", draws=["spike"])
    assert (game.health(), game.player(0)["hand"]) == (8, ["blue"])


def test_rogue_27_33_70_a_paralysis_trap_under_a_potion_puts_combat_off():
    """The turn ends before the goblin beyond is met; it is met in the skipped turn, and acts in it."""
    goblin = an_enemy("goblin", (7, 12), order=[])
    around = GROUND | {"6,12": "O:blue", "7,12": "Pf"}
    game = table(a("rogue"), WAITING, map=around, enemies=[goblin])
    game.do("pass", "move north", draws=["paralysis"])
    assert (game.current_player, game.player(0)["hand"], game.enemy((7, 12))["order"]) == (1, ["blue"], [])
    game.end_turn()
    assert (game.current_player, game.health(), game.enemy((7, 12))["order"]) == (1, 8, [0])


@pytest.mark.parametrize(("switch", "health"), [("triggers", 8), ("lies", 10)])
def test_rogue_60_a_08_whether_replacements_trigger(switch, health):
    game = table(a("rogue"), map=UNSEEN, rules={"replacement_trap": switch})
    game.do("flip north", draws=["key", "spike"])
    assert game.health() == health
    other = table(a("rogue"), map=CROSS | {"6,12": "O:blue"}, rules={"replacement_trap": switch})
    assert other.do("pass", "move north", draws=["spike"]).health() == health


def test_rogue_70_a_trap_that_lay_still_triggers_on_arrival():
    game = table(a("rogue"), map=UNSEEN, rules={"replacement_trap": "lies"})
    game.do("flip north", draws=["key", "spike"]).do("move north")
    assert game.health() == 8


@pytest.mark.parametrize("face", [1, 3, 4, 6])
@pytest.mark.parametrize(
    ("facts", "faces"),
    [
        ({"character": "explorer"}, {4, 5, 6}),
        ({"character": "rogue", "worn": {"head": "vision_lens"}}, {1, 2, 3}),
        ({"character": "explorer", "worn": {"head": "vision_lens"}}, {1, 2, 3, 4, 5, 6}),
    ],
)
def test_rogue_72_94_one_die_for_all_faces_that_avoid_traps(facts, faces, face):
    game = onto("spike", dice=(face,), **facts)
    assert game.health() == (10 if face in faces else 8)


def test_rogue_72_an_avoided_trap_has_no_effect_at_all():
    game = onto("paralysis", dice=(4,), character="explorer", hand=["blue"])
    assert (game.player(0)["skip"], game.current_player) == (0, 0)
    assert onto("poison", dice=(5,), character="explorer").player(0)["poison"] == 0


def test_rogue_72_81_a_lens_in_the_hand_avoids_nothing():
    assert onto("spike", character="rogue", hand=["vision_lens"]).health() == 8


def thrown(trap: str, enemy: str = "troll", **facts: object) -> Play:
    """A rogue throws teleportation at an enemy and sends it onto a trap far off."""
    marks = BARE | {"12,12": f"T:{trap}"}
    thrower = a("rogue", hand=["red"])
    game = table(thrower, WAITING, map=marks, enemies=[an_enemy(enemy, **facts)], potions={"red": "teleportation"})
    return game.do("throw red potion", "teleport to row 12 column 12", draws=["four_way"])


def test_rogue_73_an_enemy_moved_onto_spikes_loses_2_after_it_was_restored():
    """ROGUE-59 comes first: 3 of 10 health become 10, then 8."""
    game = thrown("spike", health=3)
    assert game.enemy((12, 12))["health"] == 8
    assert (game.map["6,12"], game.map["12,12"]) == ("Pf", "T:spike")


def test_rogue_73_spikes_can_slay_an_enemy_whose_card_the_thrower_takes():
    game = table(
        a("rogue", hand=["red"]),
        map=BARE | {"12,12": "T:spike"},
        enemies=[an_enemy("cave_bat")],
        potions={"red": "teleportation"},
        changes={"enemy.cave_bat.health": 2},
    )
    game.do("throw red potion", "teleport to row 12 column 12", draws=["four_way"])
    assert (game.enemy((12, 12)), game.player(0)["hand"]) == (None, ["cave_bat"])
    assert game.map["12,12"] == "T:spike", "it lay on a tile: nothing is replaced"


def test_rogue_54_73_an_enemy_that_must_be_slain_in_one_turn_recovers_from_spikes_at_its_end():
    """Zombie 6: the turn ends after the throw."""
    game = table(
        a("rogue", hand=["red"]), map=BARE | {"12,12": "T:spike"}, enemies=[an_enemy("zombie")], potions={"red": "teleportation"}
    )
    game.do("throw red potion", "teleport to row 12 column 12", draws=["four_way"])
    assert game.enemy((12, 12))["health"] == 6


def test_rogue_73_a_poison_trap_poisons_it_for_2_turns_of_the_thrower():
    troll = thrown("poison").enemy((12, 12))
    assert (troll["poison"], troll["poisoner"], troll["health"]) == (2, 0, 10)


def test_rogue_73_a_paralysis_trap_paralyses_it_for_1_turn():
    assert thrown("paralysis").enemy((12, 12))["paralysed"] == 1


def test_rogue_59_73_poison_and_paralysis_of_before_are_gone_strength_stays():
    troll = thrown("spike", poison=3, poisoner=1, paralysed=1, strength=1).enemy((12, 12))
    assert (troll["poison"], troll["paralysed"], troll["strength"]) == (0, 0, 1)


@pytest.mark.parametrize(
    ("trap", "hurt"), [("spike", {"health": 8}), ("poison", {"poison": 2, "poisoner": 0}), ("paralysis", {"paralysed": 1})]
)
def test_rogue_59_73_an_enemy_that_no_player_fights_keeps_what_a_trap_did_when_it_is_thrown_again(trap, hurt):
    """Troll 10. The first throw takes it out of combat, the second finds it unfought on the trap."""
    thrower = a("rogue", hand=["red"])
    on_trap = an_enemy("troll", order=[], **hurt)
    marks = BARE | {"6,12": f"T:{trap}", "12,12": "Pf"}
    game = table(thrower, WAITING, map=marks, enemies=[on_trap], potions={"red": "teleportation"})
    game.do("throw red potion", "teleport to row 12 column 12")
    troll = game.enemy((12, 12))
    assert {name: troll[name] for name in hurt} == hurt


FOUNTAIN = GROUND | {"6,12": "F"}


@pytest.mark.parametrize(("face", "health"), [(1, 7), (2, 7), (3, 7), (4, 7), (5, 7)])
def test_rogue_74_a_fountain_heals_2_at_the_start_of_the_turn(face, health):
    game = table(a("warrior", NORTH, health=5), WAITING, map=FOUNTAIN, active=1)
    assert game.end_turn(dice=[face]).health() == health
    assert game.map["6,12"] == "F"


def test_rogue_74_a_fountain_heals_5_times_on_average_before_it_drains():
    """D-11: with five faces of six it heals and stays, so (5/6) / (1/6) times."""
    stays = 0
    for face in range(1, 7):
        game = table(a("warrior", NORTH, health=5), WAITING, map=FOUNTAIN, active=1)
        game.end_turn(dice=[face], draws=["straight"] if face == 6 else [])
        stays += game.map["6,12"] == "F"
    assert stays / (6 - stays) == 5


@pytest.mark.parametrize(("health", "after"), [(11, 12), (12, 12), (14, 14)])
def test_rogue_08_74_never_above_the_maximum(health, after):
    game = table(a("warrior", NORTH, health=health), WAITING, map=FOUNTAIN, active=1)
    assert game.end_turn(dice=[3]).health() == after


def test_rogue_74_a_6_drains_it_and_a_tile_takes_its_place():
    drinker = a("warrior", NORTH, health=5, heading="east")
    game = table(drinker, WAITING, map=FOUNTAIN, active=1).end_turn(dice=[6], draws=["straight"])
    assert (game.health(), game.paths(NORTH), game.position["gone"]) == (5, "EW", {"fountain": 1})


def test_rogue_70_74_a_trap_in_the_place_of_the_fountain_triggers():
    game = table(a("warrior", NORTH, health=5), WAITING, map=FOUNTAIN, active=1)
    assert game.end_turn(dice=[6], draws=["spike"]).health() == 3
    paralysed = table(a("warrior", NORTH), WAITING, map=FOUNTAIN, active=1)
    paralysed.end_turn(dice=[6], draws=["paralysis"])
    assert (paralysed.current_player, paralysed.player(0)["skip"]) == (1, 1)


def test_rogue_21_74_poison_comes_before_the_fountain_and_the_fountain_before_combat():
    """1 health left after poison, 3 after the fountain; then the goblin put beside the drinker is met."""
    drinker = a("rogue", NORTH, health=2, poison=1)
    goblin = an_enemy("goblin", (7, 12), order=[])
    game = table(drinker, WAITING, map=FOUNTAIN | {"7,12": "Pf"}, enemies=[goblin], active=1)
    game.end_turn(dice=[1])
    assert (game.health(), game.options, game.enemy((7, 12))["order"]) == (3, ["attack", "flee"], [0])


def test_rogue_23_74_a_fountain_heals_the_paralysed_too():
    game = table(a("warrior", NORTH, health=5, skip=1), WAITING, map=FOUNTAIN, active=1).end_turn(dice=[1])
    assert (game.health(), game.current_player, game.player(0)["skip"]) == (7, 1, 0)


def test_rogue_74_nobody_but_the_player_on_it_and_not_on_arrival():
    game = table(a("warrior", health=5, hand=["blue"]), WAITING, map=FOUNTAIN)
    game.do("pass", "move north")
    assert game.health() == 5


def test_rogue_40_74_combat_ends_where_the_tile_that_replaces_the_fountain_has_a_wall():
    """The drinker came in eastward: a straight is open east and west, the goblin to the north is out of reach."""
    drinker = a("rogue", NORTH, heading="east")
    goblin = an_enemy("goblin", (7, 12), health=3, order=[0])
    game = table(drinker, WAITING, map=FOUNTAIN | {"7,12": "Pf"}, enemies=[goblin], active=1)
    game.end_turn(dice=[6], draws=["straight"])
    assert "attack" not in game.options
    assert (game.enemy((7, 12))["order"], game.enemy((7, 12))["health"]) == ([], 8)


def test_rogue_19_70_a_fallen_enemy_on_a_trap_leaves_the_trap():
    game = table(a("rogue"), map=GROUND | {"6,12": "T:spike"}, enemies=[an_enemy("cave_bat", health=1)])
    game.do("attack north", dice=[2])
    assert (game.map["6,12"], game.health(), game.player(0)["hand"]) == ("T:spike", 10, ["cave_bat"])


def test_rogue_18_a_tile_that_replaces_is_turned_as_if_flipped_by_the_causer():
    game = table(a("rogue"), map=BARE, enemies=[an_enemy("cave_bat", EAST, health=1)])
    game.do("attack east", dice=[2], draws=["corner_l"])
    assert game.paths(EAST) == "NW"
